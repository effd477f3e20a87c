"""The game keeps every promise that ``island_core.conformance`` checks, and the checks notice broken ones."""

import copy
import types

import numpy as np
import pytest

from dracheninsel_env import dracheninsel_v0
from dracheninsel_env.game import SPEC
from island_core.conformance import ConformanceError, check_aec, check_game
from island_core.errors import InvariantError
from island_core.position import Position

OPTIONS = [
    {},
    {"polls": "all", "layout": "random"},
    {"slumber_on_arrival": True, "max_turns": 12},
]


@pytest.mark.rule("D8.11", "D1.4", "D4.7")
@pytest.mark.parametrize("options", OPTIONS, ids=["default", "polls", "short"])
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_conformance(players, options):
    game = dracheninsel_v0.Game(num_players=players, **options)
    kinds = check_game(game, range(2), max_steps=250, rng=np.random.default_rng(players))
    assert kinds["turn"] > 20 and kinds["exchange"] > 5
    assert kinds.total() == 500 or options.get("max_turns")


def test_own_invariants_and_own_generator_are_used():
    seen = []
    game = dracheninsel_v0.Game(num_players=3, max_turns=3)
    check_game(game, [5], 1000, invariant=lambda position: seen.append(position.history))
    one = seen.copy()
    assert [len(history) for history in one] == list(range(len(one))) and len(one) > 3
    seen.clear()
    check_game(game, [5], 1000, lambda position: seen.append(position.history), np.random.default_rng(0))
    assert seen == one
    seen.clear()
    check_game(game, [5], 1000, lambda position: seen.append(position.history), np.random.default_rng(1))
    assert seen != one


def test_a_failure_names_game_seed_and_moves():
    def invariant(position):
        assert len(position.history) < 5, "five moves"

    game = dracheninsel_v0.Game(num_players=5)
    with pytest.raises(ConformanceError) as caught:
        check_game(game, [8, 9], 100, invariant)
    message = str(caught.value)
    assert "num_players=5" in message and "seed 8, after 5 moves: AssertionError: five moves" in message
    moves = eval(message.rpartition("moves: ")[2])
    position = game.new(8)
    for action in moves:
        position.step(action)
    assert len(moves) == 5


# Each promise, broken in one place.


class BrokenGame(dracheninsel_v0.Game):
    """Of this module, so that it can be pickled."""


def broken_game(**parts):
    """A game with other parts in its spec."""
    spec = copy.copy(SPEC.__dict__)
    twin = object.__new__(type(SPEC))
    twin.__dict__.update(spec, **parts)
    BrokenGame.spec = twin
    return BrokenGame(num_players=3, max_turns=4)


def refuse(states, i):
    raise InvariantError("broken on purpose")


def first_name_for_all(states, i, action):
    return "stop"


def parse_to_another(states, i, name):
    return (SPEC.parse(states, i, name) + 1) % 500


def accepts_everything(states, i, action):
    status = SPEC.try_step(states, i, action)
    return status if status >= 0 else SPEC.rules.refresh(states, i)


def changes_when_refusing(states, i, action):
    status = SPEC.try_step(states, i, action)
    if status < 0:
        states["turns"][i] += 1
    return status


def mask_with_one_more(states, i, out):
    SPEC.write_mask(states, i, out)
    out[499] = 1


def out_of_bounds(states, i, seat, history, out):
    SPEC.look_counts(states, i, seat, history, out)
    out[0] = 2


def other_form(states, i, seat, history, counts, scale, out):
    SPEC.look_scaled(states, i, seat, history, counts, scale, out)
    out[5] = 1 - out[5]


def forgetful_dict(states, i):
    data = SPEC.to_dict(states, i)
    data["turn"] = {**data["turn"], "number": 0}
    data.pop("rng")
    return data


def redraw_nothing(states, i, seed):
    pass


def redraw_hands(states, i, seed):
    SPEC.rules.redraw(states, i, seed)
    states["hand"][i][0][0] = (states["hand"][i][0][0] + 1) % 6


def standing_upside_down(states, i, scores, keys):
    SPEC.rules.standing(states, i, scores, keys)
    scores[:3] = (3, 2, 1)
    keys[:3] = (1, 2, 3)


def rules(**parts):
    return {"rules": types.SimpleNamespace(**{**SPEC.rules.__dict__, **parts})}


BREAKS = {
    "invariant": ({"check": refuse}, "broken on purpose"),
    "names": ({"action_name": first_name_for_all}, "names are not unique"),
    "parse": ({"parse": parse_to_another}, r"parse\("),
    "accepting": ({"try_step": accepts_everything}, "was accepted and is not legal"),
    "refusing": ({"try_step": changes_when_refusing}, "changed the position"),
    "mask": ({"write_mask": mask_with_one_more}, "outside the table"),
    "bounds": ({"look_counts": out_of_bounds}, "out of bounds at"),
    "forms": ({"look_scaled": other_form}, "two forms of the observation"),
    "dict": ({"to_dict": forgetful_dict}, "from_dict"),
    "clone(seed)": (rules(redraw=redraw_nothing), r"clone\(seed\) kept the generator"),
    "clone(seed) and hands": (rules(redraw=redraw_hands), "the observation of seat 0 differs"),
    "standing": (rules(standing=standing_upside_down), "do not fit ranks"),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_promise_is_noticed(name):
    parts, message = BREAKS[name]
    with pytest.raises(ConformanceError, match=message):
        check_game(broken_game(**parts), range(6), 400)


def test_the_game_that_is_broken_for_these_tests_is_sound_itself():
    check_game(broken_game(), range(6), 400)


@pytest.mark.parametrize(
    ("method", "replacement", "message"),
    [
        ("clone", lambda self, seed=None: self, "on a clone changed the original"),
        ("__deepcopy__", lambda self, memo: self, "copy.deepcopy"),
        ("mask", lambda self: np.ones(500, np.int8), "outside the table"),
        ("events_since", lambda self, number, seat=None: [], "not numbered on"),
        ("sample", lambda self, rng=None: self.legal_actions()[0] if not self.is_over else 0, "no GameOverError"),
    ],
)
def test_a_broken_position_is_noticed(monkeypatch, method, replacement, message):
    monkeypatch.setattr(Position, method, replacement)
    with pytest.raises(ConformanceError, match=message):
        check_game(dracheninsel_v0.Game(num_players=3, max_turns=4), range(6), 400)


def test_broken_environments_are_noticed():
    class Leaky(dracheninsel_v0.RawEnv):
        def observe(self, agent):
            return {**super().observe(agent), "observation": np.zeros(3)}

    class Moody(dracheninsel_v0.Env):
        def reset(self, seed=None, options=None):
            super().reset(None, options)

    class Mute(dracheninsel_v0.Env):
        def render(self):
            return None

    for maker, name in ((Leaky, "api_test"), (Moody, "seed_test"), (Mute, "render_test")):
        with pytest.raises(ConformanceError, match=name):
            check_aec(maker, cycles=50)
