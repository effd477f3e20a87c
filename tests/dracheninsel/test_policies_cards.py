"""``greedy`` and ``planner`` and their cards: with what they pay, what they exchange, theft and curses.

Each position has a twin in which one fact is another and so is what a good player does.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.common.advice import advised, choices
from tests.dracheninsel.policy_positions import BOTH, hand, played, position

WAITING = {"hunters": {"yellow": "e5"}, "treasures": {"100": "e5"}}
"""Yellow waits on the site, so his cards serve nothing in this turn."""


# ---------------------------------------------------------------------------------------------------------- paying


@BOTH
@pytest.mark.rule("D5.2", "D5.3")
@pytest.mark.parametrize(
    ("cards", "paid"),
    [
        (("desert", "field", "field/water"), "field"),
        (("desert", "field/water"), "field/water"),
        (("desert",), "desert"),
    ],
)
def test_the_card_that_is_missed_least_pays(policy: str, cards: tuple[str, ...], paid: str) -> None:
    """A card of one terrain before one of two, and a joker, which pays for everything, last of all."""
    data = {"hunters": {"yellow": "i5", "green": "h5"}, "treasures": {"100": "h5"}, "hands": hand(*cards)}
    assert choices(position(data), policy) == {f"step h5 {paid}"}


# -------------------------------------------------------------------------------------------------------- exchange


@BOTH
@pytest.mark.rule("D4.5")
@pytest.mark.parametrize(("card", "exchanges"), [("water", True), ("mountain", False)])
def test_who_cannot_leave_his_boat_exchanges(policy: str, card: str, exchanges: bool) -> None:
    """Behind volcano and mountain, water and forest are of no use: new cards are; a mountain opens the way."""
    names = played(position({"hands": hand(card, "forest")}), policy)
    assert ("discard forest" in names) is exchanges
    assert (names[0] == "step i5 mountain") is not exchanges


@pytest.mark.rule("D4.5", "D5.2")
@pytest.mark.parametrize(("dual", "discards"), [("desert/forest", False), ("forest/mountain", True)])
def test_planner_exchanges_no_joker_on_a_dual_card(dual: str, discards: bool) -> None:
    """Half desert is a joker for yellow, two strange terrains are no more than any card of the deck."""
    names = played(position({**WAITING, "hands": hand("desert", "betrayal", dual)}), "planner")
    assert [name for name in names if name.startswith("discard")] == [f"discard {dual}"] * discards


@pytest.mark.rule("D4.5")
@pytest.mark.parametrize(("card", "first"), [("fear-and-terror", "discard fear-and-terror"), ("water", "stop")])
def test_greedy_keeps_room_for_terrain(card: str, first: str) -> None:
    """Two tasks in hand are enough; of three it gives up the one that is no answer to others."""
    data = {"hunters": {"yellow": "e5"}, "hands": hand("sweet-slumber", "betrayal", card)}
    assert choices(position(data), "greedy") == {first}


@pytest.mark.rule("D4.5", "D8.2")
@pytest.mark.parametrize(
    ("card", "first"),
    [
        ("betrayal", "play dragon-patrol"),
        ("counterspell", "discard counterspell"),
        ("betrayal/dragon-patrol", "discard dragon-patrol"),
    ],
)
def test_planner_plays_a_dragon_rather_than_discard_it(card: str, first: str) -> None:
    """Either way one card is drawn for it, but a dragon played is in the way of somebody. It would cost the exchange of
    other cards, or a betrayal would go the same way.
    """
    assert choices(position({**WAITING, "hands": hand("desert", "dragon-patrol", card)}), "planner") == {first}


# -------------------------------------------------------------------------------------------------- theft and curse


@BOTH
@pytest.mark.rule("D8.7")
@pytest.mark.parametrize(
    ("others", "first"), [(3, "play sneak-attack"), (0, "step i5 mountain")], ids=["cards", "no cards"]
)
def test_it_robs_before_it_walks(policy: str, others: int, first: str) -> None:
    """The stolen card may be the one that pays for the next step; where nobody holds one there is nothing to steal."""
    data = {"hands": {**hand("sneak-attack", "mountain"), "player_1": ["water"] * others}}
    assert choices(position(data), policy) == {first}


@BOTH
@pytest.mark.rule("D8.7")
@pytest.mark.parametrize("largest", [1, 2, 3])
def test_it_robs_who_holds_most(policy: str, largest: int) -> None:
    """Who holds most can do most: he is the one to be weakened."""
    hands = {f"player_{seat}": ["water"] * (2 if seat == largest else 1) for seat in (1, 2, 3)}
    pos = position({"hands": {**hand("field"), **hands}, "turn": {"acts": 1}, "stack": [{"decision": "rob target"}]})
    assert choices(pos, policy) == {f"rob player_{largest}"}


@pytest.mark.rule("D8.3")
@pytest.mark.parametrize(("betrayals", "first"), [(1, "play evil-curse"), (2, "discard evil-curse")])
def test_planner_curses_unless_it_costs_two_betrayals(betrayals: int, first: str) -> None:
    """A card of each other hand for a poor own one; two betrayals, which win both coins of a treasure, are too dear."""
    data: dict[str, Any] = {
        **WAITING,
        "hands": {**hand("evil-curse", *["betrayal"] * betrayals), "player_1": ["water"] * 3},
    }
    assert advised(position(data), "planner") == first


@pytest.mark.rule("D8.3", "D6.1")
@pytest.mark.parametrize(("yellow", "curses"), [("boat-yellow", True), ("e5", False)])
def test_greedy_curses_when_it_cannot_go_on(yellow: str, curses: bool) -> None:
    """Stuck in the boat it needs other cards at once; who waits on the site has time to exchange what is useless."""
    data = {"hunters": {"yellow": yellow}, "hands": {**hand("evil-curse", "water"), "player_1": ["water"] * 3}}
    assert (advised(position(data), "greedy") == "play evil-curse") is curses
