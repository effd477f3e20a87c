"""The games keep every promise that ``island_core.conformance`` checks, and the checks notice broken ones."""

import copy
import types

import numpy as np
import pytest

from island_core import position
from island_core.conformance import ConformanceError, check_aec, check_game
from island_core.errors import InvariantError
from island_core.position import Position
from tests.views.games import GAMES
from tests.views.playing import PLAYERS

STEPS = 250


@pytest.mark.rule("D8.11", "D1.4", "D4.7", "I4.2", "I11.1", "I12.1")
@pytest.mark.parametrize(
    ("game", "way"), [pytest.param(game, way, id=f"{game}-{way}") for game in GAMES for way in game.conformance]
)
@pytest.mark.parametrize("players", PLAYERS)
def test_conformance(game, way, players):
    options, least = game.conformance[way]
    rules = game.rules(num_players=players, **options)
    kinds = check_game(rules, range(game.conformance_games), max_steps=STEPS, rng=np.random.default_rng(players))
    assert {kind: number for kind, number in least.items() if kinds[kind] < number} == {}, kinds
    assert kinds.total() == game.conformance_games * STEPS or game.guard in options


def test_own_invariants_and_own_generator_are_used(game):
    seen = []
    rules = game.rules(num_players=3, **game.limit(1))
    check_game(rules, [5], 1000, invariant=lambda position: seen.append(position.history))
    one = seen.copy()
    assert [len(history) for history in one] == list(range(len(one))) and len(one) > 1
    seen.clear()
    check_game(rules, [5], 1000, lambda position: seen.append(position.history), np.random.default_rng(0))
    assert seen == one
    seen.clear()
    check_game(rules, [5], 1000, lambda position: seen.append(position.history), np.random.default_rng(1))
    assert seen != one


def test_a_failure_names_game_seed_and_moves(game):
    def invariant(position):
        assert len(position.history) < 5, "five moves"

    rules = game.rules(num_players=5)
    with pytest.raises(ConformanceError) as caught:
        check_game(rules, [8, 9], 100, invariant)
    message = str(caught.value)
    assert "num_players=5" in message and "seed 8, after 5 moves: AssertionError: five moves" in message
    moves = eval(message.rpartition("moves: ")[2])
    position = rules.new(8)
    for action in moves:
        position.step(action)
    assert len(moves) == 5


# Each promise, broken in one place.


class BrokenGame(position.Game):
    """Of this module, so that it can be pickled."""


def broken_game(game, **parts):
    """A game with other parts in its spec."""
    spec = copy.copy(game.spec.__dict__)
    twin = object.__new__(type(game.spec))
    twin.__dict__.update(spec, **parts)
    BrokenGame.spec = twin
    return BrokenGame(num_players=3, **game.limit(game.short // 2))


def refuse(states, i):
    raise InvariantError("broken on purpose")


def first_name_for_all(states, i, action):
    return "let be"


def parse_to_another(spec):
    return lambda states, i, name: (spec.parse(states, i, name) + 1) % spec.actions.size


def accepts_everything(spec):
    def try_step(place, action):
        status = spec.try_step(place, action)
        return status if status >= 0 else spec.rules.refresh(spec.layout.states_at(place), 0)

    return try_step


def changes_when_refusing(spec):
    def try_step(place, action):
        status = spec.try_step(place, action)
        if status < 0:
            spec.layout.states_at(place)["event_total"][0] += 1
        return status

    return try_step


def mask_with_one_more(spec):
    def write_mask(place, out):
        spec.write_mask(place, out)
        out[-1] = 1

    return write_mask


def list_with_one_more(spec):
    def list_legal(place, out):
        number = spec.list_legal(place, out)
        out[number] = spec.actions.size
        return number + 1

    return list_legal


def out_of_bounds(spec):
    def look_counts(states, i, seat, history, out):
        spec.look_counts(states, i, seat, history, out)
        out[0] = 2

    return look_counts


def other_form(spec):
    def look_scaled(states, i, seat, history, counts, scale, out):
        spec.look_scaled(states, i, seat, history, counts, scale, out)
        out[5] = 1 - out[5]

    return look_scaled


def forgetful_dict(spec):
    def to_dict(states, i):
        data = spec.to_dict(states, i)
        data.pop("rng")
        return data

    return to_dict


def redraw_nothing(spec):
    return lambda place, other, seed: spec.layout.write(other, spec.layout.read(place))


def redraw_hands(spec):
    def redraw(place, other, seed):
        spec.redraw_to(place, other, seed)
        states, i = spec.layout.states_at(other), 0
        states["hand_size"][i][0] += 1

    return redraw


def standing_upside_down(spec):
    def standing(states, i, scores, keys):
        spec.rules.standing(states, i, scores, keys)
        scores[:3] = (3, 2, 1)
        keys[:3] = (1, 2, 3)

    return standing


def rules(spec, **parts):
    return {"rules": types.SimpleNamespace(**{**spec.rules.__dict__, **parts})}


BREAKS = {
    "invariant": (lambda s: {"check": refuse}, "broken on purpose"),
    "names": (lambda s: {"action_name": first_name_for_all}, "names are not unique"),
    "parse": (lambda s: {"parse": parse_to_another(s)}, r"parse\("),
    "accepting": (lambda s: {"try_step": accepts_everything(s)}, "was accepted and is not legal"),
    "refusing": (lambda s: {"try_step": changes_when_refusing(s)}, "changed the position"),
    "list": (lambda s: {"list_legal": list_with_one_more(s)}, "outside the table"),
    "mask": (lambda s: {"write_mask": mask_with_one_more(s)}, r"mask and legal_actions\(\) differ"),
    "bounds": (lambda s: {"look_counts": out_of_bounds(s)}, "out of bounds at"),
    "forms": (lambda s: {"look_scaled": other_form(s)}, "two forms of the observation"),
    "dict": (lambda s: {"to_dict": forgetful_dict(s)}, "from_dict"),
    "clone(seed)": (lambda s: {"redraw_to": redraw_nothing(s)}, r"clone\(seed\) kept the generator"),
    "clone(seed) and hands": (lambda s: {"redraw_to": redraw_hands(s)}, "the observation of seat 0 differs"),
    "standing": (lambda s: rules(s, standing=standing_upside_down(s)), "do not fit ranks"),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_promise_is_noticed(game, name):
    parts, message = BREAKS[name]
    with pytest.raises(ConformanceError, match=message):
        check_game(broken_game(game, **parts(game.spec)), range(6), 400)


def test_the_game_that_is_broken_for_these_tests_is_sound_itself(game):
    check_game(broken_game(game), range(6), 400)


POSITION_BREAKS = {
    "clone": (lambda self, seed=None: self, "on a clone changed the original"),
    "__deepcopy__": (lambda self, memo: self, "copy.deepcopy"),
    "mask": (lambda self: np.ones(self.game.num_actions, np.int8), r"mask and legal_actions\(\) differ"),
    "legal_actions": (lambda self: list(range(self.game.num_actions)), "outside the table"),
    "events_since": (lambda self, number, seat=None: [], "not numbered on"),
    "sample": (lambda self, rng=None: self.legal_actions()[0] if not self.is_over else 0, "no GameOverError"),
}


@pytest.mark.parametrize("method", POSITION_BREAKS)
def test_a_broken_position_is_noticed(game, monkeypatch, method):
    replacement, message = POSITION_BREAKS[method]
    monkeypatch.setattr(Position, method, replacement)
    with pytest.raises(ConformanceError, match=message):
        check_game(game.rules(num_players=3, **game.limit(1)), range(6), 400)


def test_broken_environments_are_noticed(game):
    class Leaky(game.module.RawEnv):
        def observe(self, agent):
            return {**super().observe(agent), "observation": np.zeros(3)}

    class Moody(game.module.Env):
        def reset(self, seed=None, options=None):
            super().reset(None, options)

    class Mute(game.module.Env):
        def render(self):
            return None

    for maker, name in ((Leaky, "api_test"), (Moody, "seed_test"), (Mute, "render_test")):
        with pytest.raises(ConformanceError, match=name):
            check_aec(maker, cycles=50)
