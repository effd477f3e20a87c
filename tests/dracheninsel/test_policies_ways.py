"""``greedy`` and ``planner`` on their ways: where they go and over which spaces, discs, long journeys, flights.

Each position has a twin in which one fact is another and so is what a good player does.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.common.advice import advised, choices
from tests.dracheninsel.policy_positions import BOTH, hand, only, played, position

YELLOW_LINE = {"f4", "f5", "g4", "g5", "h4", "h5", "i4", "i5"}
"""The spaces on the shortest ways between the site and yellow's boat; g4 alone is desert, which is free to yellow."""
PAIR = {"hunters": {"yellow": "f5", "green": "f5"}, "treasures": {"100": "f5"}}
"""Yellow carries, with g5 water, h5 field, i5 mountain before him."""


# ----------------------------------------------------------------------------------------------------------- discs


@pytest.mark.rule("D8.1")
def test_planner_brings_a_disc_of_its_own_onto_its_line() -> None:
    """Each desert between the site and the boat is a free step on every way from now on."""
    for seed in range(8):
        pos = position({"hands": hand("raging-elements")})
        pos.step(advised(pos, "planner", seed))
        first = advised(pos, "planner", seed).removeprefix("choose ")
        assert pos.to_dict()["discs"][first] == "desert" and first not in YELLOW_LINE
        pos.step(f"choose {first}")
        second = advised(pos, "planner", seed).removeprefix("choose ")
        assert pos.to_dict()["discs"][second] != "desert" and second in YELLOW_LINE


@pytest.mark.rule("D8.1")
def test_planner_leaves_a_line_alone_that_is_free_already() -> None:
    """With desert all the way any disc that is moved onto it or off it would cost a free step: it walks."""
    others = {"a5": "field", "b2": "mountain", "d5": "water", "d7": "forest", "e3": "field", "f7": "volcano"}
    discs = {**dict.fromkeys(YELLOW_LINE, "desert"), **others, "h1": "mountain"}
    names = played(position({"discs": discs, "hands": hand("raging-elements")}), "planner")
    assert names == ["step i4 free", "step h4 free", "step g4 free", "step f4 free", "step e5 free"]


@pytest.mark.rule("D8.1")
@pytest.mark.parametrize(
    ("standing", "first"),
    [({}, "play destroying-forces"), ({"green": "i3", "brown": "h6"}, "play raging-elements")],
    ids=["neighbours", "occupied"],
)
def test_planner_swaps_with_the_weaker_card_where_it_does(standing: dict[str, str], first: str) -> None:
    """The deserts i3 and h6 lie beside the line, so neighbours are enough; with hunters on both it takes the other."""
    data = {"hunters": standing, "hands": hand("destroying-forces", "raging-elements")}
    assert choices(position(data), "planner") == {first}


@pytest.mark.rule("D8.1")
@pytest.mark.parametrize(
    ("standing", "first"),
    [({}, "play destroying-forces"), ({"green": "i3", "brown": "h6"}, "step i5 mountain")],
    ids=["neighbours", "occupied"],
)
def test_planner_swaps_before_it_walks(standing: dict[str, str], first: str) -> None:
    """The swapped disc saves a card on this very way; where no swap helps the card can wait until the end."""
    data = {"hunters": standing, "hands": hand("destroying-forces", "mountain")}
    assert choices(position(data), "planner") == {first}


@pytest.mark.rule("D8.1", "D2.4")
def test_planner_swaps_with_the_card_that_can_do_nothing_else() -> None:
    """A counterspell is worth keeping, so the card with a second task on it goes last."""
    data = {"hands": hand("counterspell/destroying-forces", "destroying-forces")}
    assert choices(position(data), "planner") == {"play destroying-forces"}


# --------------------------------------------------------------------------------------------------- long journeys

ALL_WATER = {"h5": "water", "i5": "water", "c2": "field", "h2": "mountain"}
WATER_LAST_FIELD = {"i5": "field", "f2": "mountain"}
FIELD_LAST_WATER = {"h5": "water", "i5": "field", "h2": "mountain"}


@pytest.mark.rule("D8.5")
@pytest.mark.parametrize(
    ("discs", "names"),
    [
        (
            ALL_WATER,
            [
                "play long-journey",
                "with water",
                "step g5 free",
                "step h5 free",
                "step i5 free",
                "step boat-yellow free",
            ],
        ),
        ({}, ["step g4 free"]),
    ],
    ids=["all water", "water once"],
)
def test_planner_frees_the_terrain_that_lies_all_the_way_home(discs: dict[str, str], names: list[str]) -> None:
    """Three spaces of water for one card bring the treasure home; one space of water a card alone would have paid."""
    pos = position({**PAIR, "discs": discs, "hands": hand("long-journey", "water")})
    assert played(pos, "planner")[: len(names)] == names


@pytest.mark.rule("D8.5")
@pytest.mark.parametrize(
    ("discs", "card"), [(WATER_LAST_FIELD, "field"), (FIELD_LAST_WATER, "water")], ids=["field twice", "water twice"]
)
def test_planner_journeys_with_the_card_of_the_terrain_that_comes_twice(discs: dict[str, str], card: str) -> None:
    """Of the three spaces before the boat the journey frees two, and the other card pays the third."""
    pos = position({**PAIR, "discs": discs, "hands": hand("long-journey", "water", "field")})
    names = played(pos, "planner")
    assert names[:2] == ["play long-journey", f"with {card}"]
    assert names[-1] == "step boat-yellow free"


@pytest.mark.rule("D8.5", "D5.2")
@pytest.mark.parametrize(
    ("discs", "terrain"),
    [
        ({"h5": "water", "i5": "water", "c2": "field", "f5": "water", "a4": "mountain", "b3": "mountain"}, "water"),
        ({"g5": "field", "i5": "field", "f4": "water", "d2": "mountain"}, "field"),
    ],
)
def test_planner_announces_with_a_joker_what_leads_home(discs: dict[str, str], terrain: str) -> None:
    """A joker may name any terrain: the one of all three spaces before the boat."""
    pos = position({**PAIR, "discs": discs, "hands": hand("long-journey", "desert")})
    names = played(pos, "planner")
    assert names[:3] == ["play long-journey", "with desert", f"announce {terrain}"]
    assert names[-1] == "step boat-yellow free"


@pytest.mark.rule("D8.5", "D6.8")
def test_planner_journeys_to_its_own_boat_where_it_may_be_betrayed_in_the_other() -> None:
    """Mountain all the way leads to green's boat, water to the own one: six cards of green's may be betrayals."""
    hands = {"player_0": ["long-journey", "desert"], "player_1": ["water"] * 6}
    names = played(position({**PAIR, "discs": ALL_WATER, "hands": hands}), "planner")
    assert names[2] == "announce water" and names[-1] == "step boat-yellow free"


# --------------------------------------------------------------------------------------------- plans over the cards


@BOTH
@pytest.mark.rule("D5.2")
@pytest.mark.parametrize(
    ("cards", "names"),
    [
        (("volcano", "forest"), ["step i4 volcano", "step h4 forest", "step g4 free"]),
        (("mountain", "field"), ["step i5 mountain", "step h5 field"]),
    ],
    ids=["over i4", "over i5"],
)
def test_a_journey_of_several_turns_begins_on_the_way_that_the_cards_pay(
    policy: str, cards: tuple[str, ...], names: list[str]
) -> None:
    """The site is out of reach in this turn: every step of the shortest way that can be paid is a step nearer."""
    assert played(position({"hands": hand(*cards)}), policy)[: len(names)] == names


@BOTH
@pytest.mark.rule("D5.2", "D6.1")
@pytest.mark.parametrize(
    ("cards", "first"),
    [
        (("volcano", "forest", "field"), "step i4 volcano"),
        (("mountain", "field", "water", "mountain"), "step i5 mountain"),
    ],
    ids=["over i4", "over i5"],
)
def test_the_first_step_is_on_the_way_that_the_cards_pay(policy: str, cards: tuple[str, ...], first: str) -> None:
    """Both landings are as near to the site, and the rest of the hand pays one of the two ways alone."""
    names = played(position({"hands": hand(*cards)}), policy)
    assert names[0] == first and names[-1] == "step e5 free"


@pytest.mark.rule("D5.2")
@pytest.mark.parametrize(("card", "spends_joker"), [("mountain", False), ("water", True)])
def test_planner_walks_round_a_space_to_keep_a_joker(card: str, spends_joker: bool) -> None:
    """A step more, over the mountain h3, costs nothing and saves the joker; without a mountain the joker has to pay."""
    data = {
        "hunters": {"yellow": "g4", "green": "g4"},
        "treasures": {"100": "g4"},
        "hands": {"player_0": ["desert", "volcano", card], "player_1": ["water"] * 6},
    }
    names = played(position(data), "planner")
    assert names[-1] == "step boat-yellow free"
    assert any(name.endswith(" desert") for name in names) is spends_joker, names


@BOTH
@pytest.mark.rule("D7.1", "D7.2")
@pytest.mark.parametrize(
    ("blue", "dragons", "names"),
    [
        ("boat-blue", [], ["step g4 free", "step h4 forest", "step i4 volcano"]),
        ("boat-blue", ["h4"], ["step g5 water", "step h5 field", "step i4 volcano"]),
        ("h4", [], ["step g5 water", "step h5 field", "step i4 volcano"]),
    ],
    ids=["open", "dragon", "hunter"],
)
def test_a_pair_goes_round_what_stands_in_its_way(policy: str, blue: str, dragons: list[str], names: list[str]) -> None:
    """A pair enters no space with a dragon or a hunter: it sees two steps ahead that g4, though free, leads nowhere."""
    data = {
        "hunters": {"yellow": "f5", "green": "f5", "blue": blue},
        "treasures": {"100": "f5"},
        "dragons": dragons,
        "hands": {**hand("forest", "field", "volcano", "water"), "player_1": ["mountain"] * 6},
    }
    assert played(position(data), policy) == [*names, "step boat-yellow free"]


@BOTH
@pytest.mark.rule("D8.4")
@pytest.mark.parametrize(("card", "home"), [("mountain", True), ("forest", False)])
def test_a_flight_is_for_a_landing_that_can_be_paid(policy: str, card: str, home: bool) -> None:
    """From g5 beyond h5 and home, by the landing i5: the flight takes one of the two cards, the mountain the other."""
    data = {
        "hunters": {"yellow": "g5", "green": "g5"},
        "treasures": {"100": "g5"},
        "hands": hand("daring-flight", card),
    }
    names = played(position(data), policy)
    assert (names[0] == "play daring-flight" and names[-1] == "step boat-yellow free") is home, names


@BOTH
@pytest.mark.rule("D8.4", "D6.8")
@pytest.mark.parametrize(("place", "home"), [("h5", True), ("g5", False)])
def test_a_pair_flies_home_over_a_landing_that_it_cannot_pay(policy: str, place: str, home: bool) -> None:
    """A boat costs nothing, so the flight alone brings the treasure home over i5; g5 is too far for it."""
    data = {
        "hunters": {"yellow": place, "green": place},
        "treasures": {"100": place},
        "hands": hand("daring-flight"),
    }
    names = played(position(data), policy)
    assert (names == ["play daring-flight", "fly boat-yellow free"]) is home, names


@pytest.mark.rule("D8.4", "D6.8")
def test_planner_walks_to_where_the_flight_leads_home() -> None:
    """The forest pays h4, and from there the flight leads into the boat: for the landing i4 no card is left."""
    data = {
        "hunters": {"yellow": "g4", "green": "g4"},
        "treasures": {"100": "g4"},
        "hands": {**hand("daring-flight", "forest"), "player_1": ["water"] * 6},
    }
    names = played(position(data), "planner")
    assert names == ["step h4 forest", "play daring-flight", "fly boat-yellow free"], names


@pytest.mark.rule("D9.2", "D8.4")
@pytest.mark.parametrize(("place", "flyer"), [("d3", "grey"), ("d8", "red")])
def test_planner_lets_that_hunter_fly_who_lands_better(place: str, flyer: str) -> None:
    """The flight card is played. Red could walk to 100, but not once he has flown: who lands where 300 wait for a
    partner is the one to fly.
    """
    data = {
        "hunters": {"red": "f7", "grey": "d1", "green": "f6", "brown": place},
        "treasures": only({"100": "f6", "300": place}),
        "turn": {"acts": 1},
        "stack": [{"decision": "flyer"}],
        "hands": hand("forest"),
    }
    assert choices(position(data, players=3), "planner") == {f"choose {flyer}"}


# ------------------------------------------------------------------------------------------------- where they go to


@pytest.mark.rule("D6.8")
@pytest.mark.parametrize(("cards", "boat"), [(6, "boat-yellow"), (0, "boat-green")])
def test_planner_goes_to_the_partners_boat_if_he_cannot_betray(cards: int, boat: str) -> None:
    """The partner's boat is one free step away: home with an empty hand in it, to the own boat for two cards before six
    cards that may be betrayals.
    """
    data = {
        "hunters": {"yellow": "h2", "green": "h2"},
        "treasures": {"100": "h2"},
        "hands": {"player_0": ["forest", "volcano"], "player_1": ["water"] * cards},
    }
    assert played(position(data), "planner")[-1] == f"step {boat} free"


@pytest.mark.rule("D6.6")
@pytest.mark.parametrize(("west", "east", "step"), [("100", "125", "g5 water"), ("125", "100", "g3 volcano")])
def test_planner_joins_who_has_more_to_share(west: str, east: str, step: str) -> None:
    """Two carriers wait next to him, at the same distance from his boat: with the richer one a coin is more."""
    data = {
        "hunters": {"yellow": "g4", "brown": "g3", "blue": "g5"},
        "treasures": {west: "g3", east: "g5"},
        "discs": {"f3": "desert", "d5": "forest"},
        "hands": hand("volcano", "water"),
    }
    assert choices(position(data), "planner") == {f"step {step}"}


@pytest.mark.rule("D6.6", "D7.4")
@pytest.mark.parametrize(("waits", "step"), [("g3", "g3 volcano"), ("g5", "g5 water")])
def test_greedy_joins_who_waits_before_it_robs_a_pair(waits: str, step: str) -> None:
    """Who waits alone is glad of a partner; a pair makes an enemy of the one who is sent home."""
    pair = "g5" if waits == "g3" else "g3"
    data = {
        "hunters": {"yellow": "g4", "brown": waits, "green": pair, "blue": pair},
        "treasures": {"100": "g3", "125": "g5"},
        "hands": hand("volcano", "water"),
    }
    assert choices(position(data), "greedy") == {f"step {step}"}


@BOTH
@pytest.mark.rule("D6.7")
@pytest.mark.parametrize(("card", "leaves"), [("water", True), ("mountain", False)])
def test_a_lone_carrier_leaves_a_small_treasure_for_a_large_one(policy: str, card: str, leaves: bool) -> None:
    """Nobody comes to 100 while 300 wait for a partner next to it; without the card for that space he stays."""
    data = {
        "hunters": {"yellow": "g4", "brown": "g5"},
        "treasures": only({"100": "g4", "300": "g5"}),
        "hands": hand(card),
    }
    pos = position(data)
    assert (advised(pos, policy) == "step g5 water") is leaves
    assert leaves or not [name for name in played(pos, policy) if name.startswith("step")]


@pytest.mark.rule("D6.7")
@pytest.mark.parametrize(("waits", "leaves"), [(True, True), (False, False)])
def test_greedy_leaves_a_treasure_only_for_somebody_who_waits(waits: bool, leaves: bool) -> None:
    """To leave is to lose the treasure for good, so it has to be for a pair that is formed at once."""
    data: dict[str, Any] = {"hunters": {"yellow": "g4"}, "treasures": {"100": "g4"}, "hands": hand("water", "field")}
    if waits:
        data = {**data, "hunters": {"yellow": "g4", "brown": "g5"}, "treasures": {"100": "g4", "125": "g5"}}
    pos = position(data)
    assert (advised(pos, "greedy") == "step g5 water") is leaves
    assert leaves or choices(pos, "greedy") == {"stop"}


@pytest.mark.rule("D6.7", "D7.4")
@pytest.mark.parametrize(("own", "other", "leaves"), [("100", "300", True), ("300", "100", False)])
def test_planner_leaves_a_treasure_to_rob_a_pair_of_a_larger_one(own: str, other: str, leaves: bool) -> None:
    """A treasure that is left is lost for good: 100 may be given up for a share of 300, but not 300 for one of 100."""
    data = {
        "hunters": {"yellow": "g4", "brown": "g5", "blue": "g5"},
        "treasures": only({own: "g4", other: "g5"}),
        "hands": hand("water"),
    }
    assert (advised(position(data), "planner") == "step g5 water") is leaves


@BOTH
@pytest.mark.rule("D6.7")
@pytest.mark.parametrize(("own", "other", "leaves"), [("100", "300", True), ("300", "100", False)])
def test_a_lone_carrier_stays_with_the_larger_treasure(policy: str, own: str, other: str, leaves: bool) -> None:
    """Who leaves 300 loses them for good, and a share of the 100 next to him is no amends."""
    data = {
        "hunters": {"yellow": "g4", "brown": "g5"},
        "treasures": only({own: "g4", other: "g5"}),
        "hands": hand("water"),
    }
    names = played(position(data), policy)
    assert (names[0] == "step g5 water") is leaves
    assert leaves or not [name for name in names if name.startswith("step")]


@pytest.mark.rule("D9.3", "D6.6", "D6.8")
@pytest.mark.parametrize(("place", "step"), [("f8", "f8 water"), ("e8", "f6 free")])
def test_planner_sees_that_who_waits_on_a_landing_is_home(place: str, step: str) -> None:
    """On the landing f8 both coins of 100 come home at once, more than a share of 240 some time; from e8 they would
    only be on their way.
    """
    data = {
        "hunters": {"red": "f7", "grey": place, "green": "f6"},
        "treasures": only({"100": place, "240": "f6"}),
        "hands": hand("water" if place == "f8" else "mountain"),
    }
    assert choices(position(data, players=3), "planner") == {f"step red {step}"}


@pytest.mark.rule("D9.3", "D6.8")
@pytest.mark.parametrize(("card", "step"), [("forest", "e8 mountain"), ("field", "d7 desert")])
def test_planner_of_two_hunters_takes_both_coins_home_at_once(card: str, step: str) -> None:
    """Two coins of 100 in the boat in this turn are better than a share of 240 some time; without the forest of the
    landing e9 they would only be on their way.
    """
    data = {
        "hunters": {"red": "d8", "grey": "e8", "green": "d7"},
        "treasures": only({"100": "e8", "240": "d7"}),
        "hands": hand("mountain", "desert", card),
    }
    assert choices(position(data, players=3), "planner") == {f"step red {step}"}


@pytest.mark.rule("D9.3")
@pytest.mark.parametrize(("value", "step"), [("125", "d7 desert"), ("300", "f6 free")])
def test_planner_of_two_hunters_carries_with_his_own(value: str, step: str) -> None:
    """Two coins of 100 are more than one of 125, and less than one of 300."""
    data = {
        "hunters": {"red": "e7", "grey": "d7", "green": "f6"},
        "treasures": only({"100": "d7", value: "f6"}),
        "hands": hand("desert"),
    }
    assert choices(position(data, players=3), "planner") == {f"step red {step}"}


@pytest.mark.rule("D6.1", "D7.4")
@pytest.mark.parametrize(("value", "step"), [("100", "e5 free"), ("240", "d4 volcano")])
def test_planner_robs_a_pair_of_what_is_worth_it(value: str, step: str) -> None:
    """To wait with 300, a free step away, promises more than a share of 100 that has to be robbed, less than of 240."""
    data = {
        "hunters": {"yellow": "d5", "brown": "d4", "blue": "d4"},
        "treasures": only({value: "d4", "300": "e5"}),
        "hands": hand("volcano"),
    }
    assert choices(position(data), "planner") == {f"step {step}"}
