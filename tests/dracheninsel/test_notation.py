"""Names of actions: unique, read back, and refused with an explanation."""

from collections.abc import Iterator

import numpy as np
import pytest

from dracheninsel_env.actions import ACTIONS, OFFSET
from dracheninsel_env.convert import from_dict
from dracheninsel_env.decisions import DECISION_NAMES
from dracheninsel_env.notation import action_name, all_names, decision_text, parse
from dracheninsel_env.options import DracheninselOptions
from dracheninsel_env.rules import engine
from dracheninsel_env.state import RUNNING, STATE
from island_core import bitset, rng
from island_core.errors import NotationError
from island_core.layout import States


def legal_ids(states: States) -> list[int]:
    return [action for action in range(ACTIONS.size) if bitset.has_bit(states["legal"][0], action)]


def active_play(players: int, seed: int, turns: int) -> Iterator[States]:
    """The decisions of a game whose players act at random whenever they can."""
    states = STATE.alloc(1)
    states["num_players"][0] = players
    states["max_turns"][0] = turns
    words = np.zeros(4, np.uint64)
    rng.seed_words(words, seed, 1, 0)
    engine.reset(states, 0, seed, 0, 0)
    while states["outcome"][0] == RUNNING:
        yield states
        acts = states["legal"][0] & ~ACTIONS.passive
        engine.step(states, 0, bitset.pick(acts if acts.any() else states["legal"][0], words))


def position(players: int = 4, **data: object) -> States:
    return from_dict(data, DracheninselOptions(num_players=players))


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_every_legal_id_has_a_name_of_its_own(players: int) -> None:
    seen = set()
    for seed in range(3):
        for states in active_play(players, seed, 60):
            seen.add(decision_text(states, 0).rpartition("(")[2])
            names = all_names(states, 0)
            assert list(names.values()) == sorted(set(names.values()))
            for action in legal_ids(states):
                name = action_name(states, 0, action)
                assert name is not None
                assert names[name] == action == parse(states, 0, name)
    assert len(seen) >= 12


def test_all_names_are_the_ids_that_have_a_name() -> None:
    for number, states in enumerate(active_play(3, 5, 20)):
        if number % 20 == 0:
            named = {action_name(states, 0, action): action for action in range(-1, ACTIONS.size + 1)}
            named.pop(None, None)
            assert all_names(states, 0) == named


@pytest.mark.rule("D5.1", "D5.2")
def test_steps_are_named_by_space_and_payment() -> None:
    states = position(hunters={"yellow": "d4"})
    targets = ["d5", "e5", "e4", "d3", "c3", "c4"]  # E, SE, SW, W, NW, NE
    for direction, space in enumerate(targets):
        assert action_name(states, 0, OFFSET.step + direction * 13) == f"step {space} free"
        assert action_name(states, 0, OFFSET.step + direction * 13 + 6) == f"step {space} water"
    assert parse(states, 0, "step d5 water/volcano") == OFFSET.step + 12


@pytest.mark.rule("D9.1", "D9.2")
def test_three_players_name_the_hunter() -> None:
    states = position(3, hunters={"red": "d4", "grey": "d4"}, treasures={"100": "d4"})
    assert action_name(states, 0, OFFSET.step) == "step red d5 free"
    assert action_name(states, 0, OFFSET.step + 78) == "step grey d5 free"
    assert parse(states, 0, "choose grey") == OFFSET.flyer + 1


@pytest.mark.rule("D8.4")
def test_landings_are_named_while_somebody_flies() -> None:
    states = position(
        hunters={"yellow": "d4"},
        hands={"player_0": ["water"]},
        stack=[{"decision": "flight"}],
    )
    landings = [
        "d6",
        "e6",
        "f5",
        "f4",
        "f3",
        "e3",
        "d2",
        "c2",
        "b2",
        "b3",
        "b4",
        "c5",
    ]  # clockwise from two spaces east
    for landing, space in enumerate(landings):
        assert action_name(states, 0, OFFSET.fly + landing * 13) == f"fly {space} free"
    idle = position(hunters={"yellow": "d4"})
    assert all(action_name(idle, 0, OFFSET.fly + k) is None for k in range(12 * 13))


@pytest.mark.rule("D8.7")
def test_players_are_named_clockwise_from_the_acting_one() -> None:
    states = position(turn={"active": "player_2"}, hands={"player_1": ["water"]}, stack=[{"decision": "rob target"}])
    assert [action_name(states, 0, OFFSET.rob + k) for k in range(5)] == [
        "rob player_3", "rob player_0", "rob player_1", None, None,
    ]  # fmt: skip
    assert legal_ids(states) == [parse(states, 0, "rob player_1")]


def test_what_does_not_exist_has_no_name() -> None:
    states = position(hunters={"yellow": "a1"})
    nameless = [
        -1,
        OFFSET.step + 3 * 13,  # west of a1
        OFFSET.step + 6 * 13,  # a second hunter
        OFFSET.play + 40,  # an unused split card
        OFFSET.discard + 37,
        OFFSET.send_home,  # red stays out with four players
        OFFSET.flyer + 1,
        ACTIONS.used,
        ACTIONS.noop,
        ACTIONS.size,
    ]
    assert [action_name(states, 0, action) for action in nameless] == [None] * len(nameless)
    assert action_name(states, 0, OFFSET.play + 20) == "play daring-flight (sweet-slumber/daring-flight)"


def test_nothing_is_named_once_the_game_is_over() -> None:
    states = STATE.alloc(1)
    states["num_players"][0] = 4
    states["max_turns"][0] = 1
    engine.reset(states, 0, 2, 0, 0)
    engine.step(states, 0, OFFSET.stop)
    assert all_names(states, 0) == {}
    assert action_name(states, 0, OFFSET.stop) is None
    assert decision_text(states, 0) == "the game is over after 1 turns"
    with pytest.raises(NotationError, match="the game is over"):
        parse(states, 0, "stop")


def test_case_and_blanks_do_not_matter_and_legality_is_not_looked_at() -> None:
    states = position(hunters={"yellow": "d4"})
    assert parse(states, 0, "  Step  D5 WATER ") == parse(states, 0, "step d5 water")
    assert parse(states, 0, "step d5 water") not in legal_ids(states)
    assert parse(states, 0, "sleep") not in legal_ids(states)


@pytest.mark.parametrize(
    ("text", "fragments"),
    [
        ("step d5 mud", ["'step d5 mud'", "player_0 in 'turn'", "understood 'step d5'", "allowed: free, volcano"]),
        ("step d9 water", ["understood 'step'", "allowed: d5, e5, e4, d3, c3, c4", "close: step"]),
        ("step d5", ["understood 'step d5'", "allowed: free"]),
        ("stop now", ["understood 'stop'", "allowed: nothing more", "close: stop"]),
        ("wander", ["at its start allowed: step, play"]),
        ("", ["''", "at its start allowed"]),
        ("play darring-flight", ["understood 'play'", "close: play daring-flight"]),
        ("fly d6 free", ["at its start allowed"]),
        ("rob player_4", ["understood 'rob'", "allowed: player_1, player_2, player_3"]),
    ],
)
def test_a_name_that_means_nothing_is_explained(text: str, fragments: list[str]) -> None:
    states = position(hunters={"yellow": "d4"})
    with pytest.raises(NotationError) as error:
        parse(states, 0, text)
    for fragment in fragments:
        assert fragment in str(error.value)


@pytest.mark.rule("D8.7", "D8.8")
def test_the_decision_is_told_in_words() -> None:
    states = position(
        turn={"active": "player_1"},
        hands={"player_0": ["water"], "player_2": ["counterspell"]},
        stack=[{"decision": "counter", "player": "player_2", "task": "sneak-attack", "target": "player_0"}],
    )
    assert decision_text(states, 0) == "player_2 must answer sneak-attack on player_0 (counter)"
    assert decision_text(position(hunters={"yellow": "d4"}), 0) == "player_0 must act or stop (turn)"


@pytest.mark.parametrize("players", [3, 6])
def test_every_decision_text_ends_with_its_name(players: int) -> None:
    for states in active_play(players, 9, 60):
        top = int(states["depth"][0]) - 1
        name = DECISION_NAMES[int(states["frame_decision"][0][top])]
        text = decision_text(states, 0)
        assert text.startswith(f"player_{states['frame_seat'][0][top]} must ")
        assert text.endswith(f" ({name})")
