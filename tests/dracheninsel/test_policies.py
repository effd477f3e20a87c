"""``greedy`` and ``planner``: by what they know, always legal, what they do in positions by hand, and how they fare.

More positions by hand, by theme: `test_policies_ways`, `test_policies_others`, `test_policies_cards`.
"""

from __future__ import annotations

import functools
from typing import Any

import pytest

from dracheninsel_env import dracheninsel_v0
from dracheninsel_env.game import SPEC
from dracheninsel_env.options import DracheninselOptions, new_record
from dracheninsel_env.selfplay import SUBJECT
from island_core.arena import Tournament
from island_core.position import Position
from island_core.selfplay_report import SelfPlay
from tests.common.advice import advised
from tests.common.worlds import PLAYERS, compare
from tests.dracheninsel.policy_positions import BOTH, played, position

VARIANTS = ({}, {"polls": "all", "layout": "random"}, {"slumber_on_arrival": True, "polls": "all"})
"""Options that change what is asked."""


# ------------------------------------------------------------------------------------------------ what it may know


@BOTH
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_action_depends_on_what_the_seat_knows_and_is_legal(policy: str, players: int, variant: Any) -> None:
    count = compare(SPEC, DracheninselOptions(num_players=players, **variant), policy, 1000, seed=players)
    assert count.total() == 1000 and len(count) >= 8, count


def test_a_policy_that_sees_the_deck_is_found_out() -> None:
    def peeking(states: Any, i: int, policy: int, words: Any) -> int:
        legal = [action for action in range(SPEC.actions.size) if states["legal"][i][action >> 6] >> action % 64 & 1]
        return legal[int(states["deck"][i][0]) % len(legal)]

    with pytest.raises(AssertionError, match="in another world"):
        compare(SPEC, DracheninselOptions(), "greedy", 50, advise=peeking)


@BOTH
def test_the_generator_decides_between_equals_alone(policy: str) -> None:
    """Games of one seed are the same, whoever plays them; those of another are not."""

    def lengths(seed: int) -> tuple[Any, ...]:
        result = SelfPlay(SUBJECT, new_record(DracheninselOptions()), policy, seed, 1).run(20)
        return result.actions, result.scores

    assert lengths(3) == lengths(3) != lengths(4)


# ------------------------------------------------------------------------------------------- positions by hand


CARRIED = {"hunters": {"yellow": "i5", "green": "i5"}, "treasures": {"100": "i5"}}
WAITING = {"hunters": {"green": "e5"}, "treasures": {"100": "e5"}}


@BOTH
@pytest.mark.rule("D6.8")
def test_it_takes_the_certain_delivery(policy: str) -> None:
    pos = position({**CARRIED, "hands": {"player_0": ["water", "field"]}})
    assert advised(pos, policy) == "step boat-yellow free"


@BOTH
@pytest.mark.rule("D6.2", "D6.3")
def test_it_joins_who_waits_and_brings_the_treasure_home_at_once(policy: str) -> None:
    """From f5 by the site to a boat of the pair: the cards for either are there."""
    data = {
        **WAITING,
        "hunters": {"green": "e5", "yellow": "f5"},
        "hands": {"player_0": ["field", "desert", "forest", "desert", "desert", "mountain"]},
    }
    names = played(position(data), policy)
    assert names[0] == "step e5 free" and names[-1].startswith("step boat-"), names


@BOTH
@pytest.mark.rule("D6.8")
def test_it_answers_a_betrayal(policy: str) -> None:
    pos = position(
        {
            "hunters": {"yellow": "boat-green", "green": "boat-green"},
            "treasures": {"100": "boat-green"},
            "hands": {"player_0": ["betrayal"], "player_1": ["water"], "player_2": ["field"]},
            "turn": {"active": "player_1", "mover": "green"},
            "stack": [{"decision": "betrayal", "player": "player_0", "claimed_by": "player_1"}],
            "undo": {"hunters": {"yellow": "i1", "green": "i1"}, "treasures": {"100": "i1"}},
        }
    )
    assert advised(pos, policy) == "betray"


@BOTH
@pytest.mark.rule("D6.8")
@pytest.mark.parametrize(("cards", "answer"), [(6, "share"), (0, "betray")])
def test_it_begins_a_duel_against_an_empty_hand_only(policy: str, cards: int, answer: str) -> None:
    """With one betrayal; against six unknown cards it would be lost nearly every other time."""
    pos = position(
        {
            "hunters": {"yellow": "boat-yellow", "green": "boat-yellow"},
            "treasures": {"100": "boat-yellow"},
            "hands": {"player_0": ["betrayal"], "player_1": ["water"] * cards},
            "turn": {"mover": "yellow"},
            "stack": [{"decision": "betrayal", "player": "player_0"}],
            "undo": {"hunters": {"yellow": "i5", "green": "i5"}, "treasures": {"100": "i5"}},
        }
    )
    assert advised(pos, policy) == answer


def delivery(carriers: tuple[str, str], boat: str, landing: str) -> Position:
    """Two carriers of player_1's turn are in a boat, and player_0 is asked whether to sleep."""
    return position(
        {
            "turn": {"active": "player_1", "mover": "green"},
            "hunters": dict.fromkeys(carriers, boat),
            "treasures": {"100": boat},
            "hands": {"player_0": ["sweet-slumber"], "player_1": ["water"]},
            "stack": [{"decision": "slumber", "player": "player_0"}],
            "undo": {"hunters": dict.fromkeys(carriers, landing), "treasures": {"100": landing}},
        }
    )


@BOTH
@pytest.mark.rule("D8.9")
def test_it_sleeps_where_a_treasure_comes_home_without_it(policy: str) -> None:
    assert advised(delivery(("green", "brown"), "boat-green", "i1"), policy) == "sleep"
    assert advised(delivery(("green", "yellow"), "boat-yellow", "i5"), policy) == "let be"


@BOTH
@pytest.mark.rule("D8.8")
@pytest.mark.parametrize(("target", "answer"), [("yellow", "counter"), ("brown", "let be")])
def test_it_counters_fear_of_its_own_carrier(policy: str, target: str, answer: str) -> None:
    pos = position(
        {
            "turn": {"active": "player_1", "acts": 1},
            "hunters": {"yellow": "g4", "brown": "g4"},
            "treasures": {"100": "g4"},
            "hands": {"player_0": ["counterspell"], "player_1": ["water"]},
            "stack": [{"decision": "counter", "player": "player_0", "task": "fear-and-terror", "target": target}],
        }
    )
    assert advised(pos, policy) == answer


@BOTH
@pytest.mark.rule("D8.7")
def test_it_robs_the_largest_hand(policy: str) -> None:
    hands = {"player_0": ["field"], "player_1": ["water"], "player_2": ["water"] * 3, "player_3": ["desert"] * 2}
    pos = position({"hands": hands, "turn": {"acts": 1}, "stack": [{"decision": "rob target"}]})
    assert {advised(pos, policy, seed) for seed in range(5)} == {"rob player_2"}


@BOTH
@pytest.mark.rule("D7.4")
def test_an_ambush_sends_the_richer_player_home(policy: str) -> None:
    pos = position(
        {
            "hunters": {"yellow": "e3", "brown": "e3", "blue": "e3"},
            "treasures": {"100": "collected", "125": "e3"},
            "coins": {"player_2": [100, 100]},
            "hands": {"player_0": ["water"]},
            "turn": {"mover": "yellow"},
            "stack": [{"decision": "ambush", "hunter": "yellow"}],
            "undo": {"hunters": {"yellow": "e2"}},
        }
    )
    assert advised(pos, policy) == "send home brown"


@BOTH
@pytest.mark.rule("D4.5")
def test_who_waits_exchanges_but_keeps_betrayals(policy: str) -> None:
    hand = ["betrayal", "betrayal", "dragon-patrol", "counterspell", "fear-and-terror", "sweet-slumber"]
    pos = position({"hunters": {"yellow": "e5"}, "treasures": {"100": "e5"}, "hands": {"player_0": hand}})
    names = played(pos, policy)
    assert "discard dragon-patrol" in names and names[-1] in ("done", "stop"), names
    assert not [name for name in names if "betrayal" in name]


# -------------------------------------------------------------------------------------------------- how they fare


@functools.cache
def among_themselves(policy: str, players: int) -> Any:
    """300 games of one policy."""
    return SelfPlay(SUBJECT, new_record(DracheninselOptions(num_players=players)), policy, 1, 1).run(300)


@BOTH
@pytest.mark.parametrize("players", PLAYERS)
def test_games_among_themselves_end_and_treasures_come_home(policy: str, players: int) -> None:
    result = among_themselves(policy, players)
    assert result.outcomes["natural"] >= 297
    assert result.length.median <= 75
    assert result.columns["treasures collected"].mean >= 5


@pytest.mark.parametrize(
    ("line_up", "least"),
    [
        (("greedy", "acting", "acting", "acting"), 0.8),
        (("greedy", "random", "random", "random"), 0.65),
        (("planner", "greedy", "greedy", "greedy"), 0.5),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) else None,
)
def test_each_policy_beats_the_one_below_it(line_up: tuple[str, ...], least: float) -> None:
    report = Tournament(dracheninsel_v0.Game(), line_up, games=600, seed=2).run()
    standing = report.standing(line_up[0])
    assert standing.win_share.mean >= least
