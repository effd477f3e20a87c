"""``greedy`` and ``planner`` against others: fear, dragons, ambush, betrayal, sleep and counterspells.

Each position has a twin in which one fact is another and so is what a good player does.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.common.advice import choices
from tests.dracheninsel.policy_positions import BOTH, hand, only, played, position

Data = dict[str, Any]

# ------------------------------------------------------------------------------------------------------------ fear


@BOTH
@pytest.mark.rule("D8.6")
@pytest.mark.parametrize(("partner", "frightens"), [("blue", True), ("yellow", False)], ids=["strangers", "own pair"])
def test_fear_parts_strangers_who_are_nearly_home(policy: str, partner: str, frightens: bool) -> None:
    """The treasure is stopped three steps from a boat; if the own hunter has a share in it, nobody is sent home."""
    data = {"hunters": {"brown": "c4", partner: "c4"}, "treasures": {"100": "c4"}, "hands": hand("fear-and-terror")}
    assert ("play fear-and-terror" in played(position(data), policy)) is frightens


@BOTH
@pytest.mark.rule("D8.6")
@pytest.mark.parametrize("rich", ["brown", "blue"])
def test_fear_sends_the_richer_of_a_pair_home(policy: str, rich: str) -> None:
    """Both lose the treasure alike, so it is the leader who has to begin again in his boat."""
    player = {"brown": "player_2", "blue": "player_3"}[rich]
    data = {
        "hunters": {"brown": "b2", "blue": "b2"},
        "treasures": {"100": "collected", "125": "b2"},
        "coins": {player: [100, 100]},
        "hands": hand("fear-and-terror"),
    }
    assert played(position(data), policy)[:2] == ["play fear-and-terror", f"send home {rich}"]


@pytest.mark.rule("D8.6")
@pytest.mark.parametrize(("space", "action"), [("c4", "play fear-and-terror"), ("d4", "stop")])
def test_greedy_keeps_its_fear_until_a_pair_is_nearly_home(space: str, action: str) -> None:
    """A pair that has just left the site may yet be robbed, or fall out; three steps from the boat it is high time."""
    data = {"hunters": {"brown": space, "blue": space}, "treasures": {"100": space}, "hands": hand("fear-and-terror")}
    assert choices(position(data), "greedy") == {action}


@pytest.mark.rule("D8.6")
@pytest.mark.parametrize(("south", "north", "sent_home"), [("300", "100", "yellow"), ("100", "300", "grey")])
def test_planner_frightens_the_pair_that_carries_more(south: str, north: str, sent_home: str) -> None:
    """Both pairs are three steps from a boat: 300 on the way home is the greater danger."""
    data = {
        "hunters": {"yellow": "g4", "green": "g4", "grey": "c4", "brown": "c4"},
        "treasures": only({south: "g4", north: "c4"}),
        "hands": hand("fear-and-terror"),
    }
    assert played(position(data, players=5), "planner")[:2] == ["play fear-and-terror", f"send home {sent_home}"]


@pytest.mark.rule("D8.6", "D6.6")
@pytest.mark.parametrize(("blue", "frightens"), [("b2", True), ("boat-blue", False)], ids=["pair", "alone"])
def test_planner_leaves_a_lone_carrier_in_peace(blue: str, frightens: bool) -> None:
    """One who is alone with a treasure cannot bring it home: he is a partner to be joined, and gone once he is away."""
    data = {"hunters": {"brown": "b2", "blue": blue}, "treasures": {"100": "b2"}, "hands": hand("fear-and-terror")}
    assert ("play fear-and-terror" in played(position(data), "planner")) is frightens


# --------------------------------------------------------------------------------------------------------- dragons


BEFORE_C4 = {"choose b3", "choose b4", "choose c5"}
"""Where a dragon stands before a pair on c4 that is on its way to the boat of brown or blue."""


@pytest.mark.rule("D8.2")
@pytest.mark.parametrize(("partner", "hinders"), [("blue", True), ("yellow", False)], ids=["strangers", "own pair"])
def test_planner_puts_a_dragon_before_strangers(partner: str, hinders: bool) -> None:
    """Right before the pair, on its way to either boat, it costs a detour; a pair with the own hunter is spared."""
    data = {
        "hunters": {"brown": "c4", partner: "c4"},
        "treasures": {"100": "c4"},
        "hands": hand("water"),
        "turn": {"acts": 1},
        "stack": [{"decision": "dragon space", "dragon": "outside"}],
    }
    chosen = choices(position(data), "planner")
    assert chosen <= BEFORE_C4 if hinders else chosen.isdisjoint(BEFORE_C4)


@pytest.mark.rule("D8.2")
@pytest.mark.parametrize("in_the_way", ["h4", "g5"])
def test_planner_calls_the_dragon_off_that_is_in_its_own_way(in_the_way: str) -> None:
    """Two dragons, one between its pair and its boat, one before strangers: the first moves, the second stays."""
    data = {
        "hunters": {"brown": "c4", "blue": "c4", "yellow": "g4", "green": "g4"},
        "treasures": {"100": "c4", "125": "g4"},
        "dragons": [in_the_way, "b3"],
        "hands": hand("water"),
        "turn": {"acts": 1},
        "stack": [{"decision": "dragon"}],
    }
    assert choices(position(data), "planner") == {f"choose {in_the_way}"}


@pytest.mark.rule("D8.2")
@pytest.mark.parametrize(("cards", "plays"), [(["dragon-patrol", "volcano"], True), (["volcano"], False)])
def test_planner_ends_a_turn_with_a_dragon_in_the_way_of_others(cards: list[str], plays: bool) -> None:
    """When there is nowhere left to go, the card still hinders somebody, and another one is drawn for it."""
    data = {"hunters": {"brown": "c4", "blue": "c4"}, "treasures": {"100": "c4"}, "hands": hand(*cards)}
    names = played(position(data), "planner")
    assert names[0] == "step i4 volcano"
    assert ("play dragon-patrol" in names) is plays
    assert not plays or names[2] in BEFORE_C4


# ---------------------------------------------------------------------------------------------------------- ambush

LARGE = ("125", "150", "175", "200", "240", "300")
"""All treasures but the first."""


def ambush(space: str, before: str, data: Data) -> Data:
    """Yellow has come to a space where brown and blue carry, and one of them must go."""
    return {
        "hunters": dict.fromkeys(("yellow", "brown", "blue"), space),
        "treasures": {"100": space},
        "turn": {"mover": "yellow"},
        "stack": [{"decision": "ambush", "hunter": "yellow"}],
        "undo": {"hunters": {"yellow": before}},
        **data,
    }


@BOTH
@pytest.mark.rule("D7.4")
@pytest.mark.parametrize("rich", ["brown", "blue"])
def test_an_ambush_sends_home_who_leads(policy: str, rich: str) -> None:
    """The boats of both are out of reach: it is the richer one who must not get this coin, too."""
    player = {"brown": "player_2", "blue": "player_3"}[rich]
    coins = {"treasures": {"100": "collected", "125": "e3"}, "coins": {player: [100, 100]}}
    pos = position(ambush("e3", "e2", {**coins, "hands": hand("water")}))
    assert choices(pos, policy) == {f"send home {rich}"}


@pytest.mark.rule("D7.4", "D6.8")
@pytest.mark.parametrize(("card", "sent_home"), [("mountain", "blue"), ("water", "brown")])
def test_planner_keeps_the_partner_to_whose_boat_the_cards_lead(card: str, sent_home: str) -> None:
    """Over the landing a2 the mountain brings the treasure into brown's boat at once, so blue is sent home; without the
    card it is the richer brown who has to go.
    """
    coins = {"treasures": {"100": "collected", "125": "b2"}, "coins": {"player_2": [100, 100]}}
    pos = position(ambush("b2", "b3", {**coins, "hands": hand(card)}))
    assert choices(pos, "planner") == {f"send home {sent_home}"}


@BOTH
@pytest.mark.rule("D7.4", "D9.4")
@pytest.mark.parametrize("own", ["grey", "red"])
@pytest.mark.parametrize("owner", ["player_0", "player_2"])
def test_an_own_hunter_is_not_sent_home_by_the_other_one(policy: str, own: str, owner: str) -> None:
    """One of two hunters comes to where the other carries with a stranger: together they bring both coins home, whoever
    has most money until then.
    """
    comes = "red" if own == "grey" else "grey"
    data = {
        "hunters": dict.fromkeys((own, comes, "blue"), "e7"),
        "treasures": {**dict.fromkeys(LARGE, "collected"), "100": "e7"},
        "coins": {owner: [int(value) for value in LARGE for _ in range(2)]},
        "hands": hand("water"),
        "turn": {"mover": comes},
        "stack": [{"decision": "ambush", "hunter": comes}],
        "undo": {"hunters": {comes: "d7"}},
    }
    assert choices(position(data, players=3), policy) == {"send home blue"}


# -------------------------------------------------------------------------------------------------------- betrayal

UNKNOWN = ["water"] * 6
OTHER_BETRAYALS = {
    "betrayal": 3,
    "betrayal/destroying-forces": 2,
    "betrayal/dragon-patrol": 2,
    "betrayal/sneak-attack": 2,
}
"""Together with one in hand all there are."""


def before_sharing(own: list[str], partners: list[str], **data: Any) -> Any:
    """Yellow and green have come to yellow's boat, and player_0 shares or betrays player_1."""
    return position(
        {
            "hunters": dict.fromkeys(("yellow", "green"), "boat-yellow"),
            "treasures": {"100": "boat-yellow"},
            "hands": {"player_0": own, "player_1": partners},
            "turn": {"mover": "yellow"},
            "stack": [{"decision": "betrayal", "player": "player_0"}],
            "undo": {"hunters": dict.fromkeys(("yellow", "green"), "i5"), "treasures": {"100": "i5"}},
            **data,
        }
    )


@BOTH
@pytest.mark.rule("D6.8")
@pytest.mark.parametrize(("own", "answer"), [(1, "share"), (2, "betray")])
def test_it_betrays_a_full_hand_with_two_cards(policy: str, own: int, answer: str) -> None:
    """Among six cards one answer is likely, and the second card is for that one; two answers are not."""
    assert choices(before_sharing(["betrayal"] * own, UNKNOWN), policy) == {answer}


@pytest.mark.rule("D6.8")
@pytest.mark.parametrize(("known", "answer"), [([], "share"), (UNKNOWN, "betray")], ids=["unknown", "known"])
def test_planner_betrays_who_is_known_to_have_no_answer(known: list[str], answer: str) -> None:
    """Six cards that it has seen cannot answer, and both coins are certain."""
    certain = {"player_0": {"player_1": known}} if known else {}
    assert choices(before_sharing(["betrayal"], UNKNOWN, certain=certain), "planner") == {answer}


@pytest.mark.rule("D6.8")
@pytest.mark.parametrize(("discard", "answer"), [({}, "share"), (OTHER_BETRAYALS, "betray")], ids=["early", "all gone"])
def test_planner_counts_the_betrayals_that_lie_open(discard: dict[str, int], answer: str) -> None:
    """With all others in the discard nobody can answer, however many cards he holds."""
    assert choices(before_sharing(["betrayal"], UNKNOWN, discard=discard), "planner") == {answer}


@BOTH
@pytest.mark.rule("D6.8")
@pytest.mark.parametrize(("known", "answer"), [(0, "betray"), (1, "share")])
def test_it_shares_with_who_is_known_to_hold_an_answer(policy: str, known: int, answer: str) -> None:
    """One card is hardly ever the betrayal; if it is known to be, the duel is lost before it begins."""
    certain = {"player_0": {"player_1": ["betrayal"]}} if known else {}
    assert choices(before_sharing(["betrayal"], ["betrayal"], certain=certain), policy) == {answer}


@BOTH
@pytest.mark.rule("D6.8", "D8.11")
@pytest.mark.parametrize(("card", "answer"), [("betrayal", "betray"), ("water", "let be")])
def test_it_answers_every_betrayal_if_it_can(policy: str, card: str, answer: str) -> None:
    """Not to answer is to lose the coin for certain, so there is nothing to save the card for."""
    data = {
        "hunters": dict.fromkeys(("yellow", "green"), "boat-green"),
        "treasures": {"100": "boat-green"},
        "hands": {"player_0": [card], "player_1": UNKNOWN},
        "turn": {"active": "player_1", "mover": "green"},
        "stack": [{"decision": "betrayal", "player": "player_0", "claimed_by": "player_1"}],
        "undo": {"hunters": dict.fromkeys(("yellow", "green"), "i1"), "treasures": {"100": "i1"}},
    }
    assert choices(position(data, polls="all"), policy) == {answer}


@pytest.mark.rule("D6.8")
@pytest.mark.parametrize(("known", "answer"), [(False, "betray"), (True, "let be")])
def test_planner_saves_its_betrayal_if_the_duel_is_lost(known: bool, answer: str) -> None:
    """The owner has betrayed and is known to hold another betrayal: an answer would only waste the card."""
    data = {
        "hunters": dict.fromkeys(("yellow", "green"), "boat-green"),
        "treasures": {"100": "boat-green"},
        "hands": {"player_0": ["betrayal"], "player_1": ["betrayal"]},
        "turn": {"active": "player_1", "mover": "green"},
        "stack": [{"decision": "betrayal", "player": "player_0", "claimed_by": "player_1"}],
        "undo": {"hunters": dict.fromkeys(("yellow", "green"), "i1"), "treasures": {"100": "i1"}},
        "certain": {"player_0": {"player_1": ["betrayal"]}} if known else {},
    }
    assert choices(position(data), "planner") == {answer}


# ----------------------------------------------------------------------------------------------------------- sleep


def asked_to_sleep(hunters: Data, before: Data, **data: Any) -> Any:
    """Green's owner has done something on g3 or g4, and player_0 may undo it."""
    return position(
        {
            "turn": {"active": "player_1", "acts": 1},
            "hands": {"player_0": ["sweet-slumber"], "player_1": ["water"]},
            "stack": [{"decision": "slumber", "player": "player_0"}],
            "hunters": hunters,
            "undo": before,
            **data,
        }
    )


@BOTH
@pytest.mark.rule("D8.9", "D7.4")
@pytest.mark.parametrize(("gone", "answer"), [("yellow", "sleep"), ("blue", "let be")])
def test_it_sleeps_when_its_place_is_taken(policy: str, gone: str, answer: str) -> None:
    """Green has sent brown's partner home: slumber brings the own hunter back, and another's loss is his own."""
    pos = asked_to_sleep(
        {"green": "g4", "brown": "g4"},
        {"hunters": {"green": "g3", gone: "g4", "brown": "g4"}},
        treasures={"100": "g4"},
    )
    assert choices(pos, policy) == {answer}


@BOTH
@pytest.mark.rule("D8.9", "D8.6")
@pytest.mark.parametrize(("gone", "answer"), [("yellow", "sleep"), ("blue", "let be")])
def test_it_sleeps_when_its_carrier_was_frightened(policy: str, gone: str, answer: str) -> None:
    """Fear has left brown alone with the treasure that the own hunter had a share in, or one that he had none in."""
    pos = asked_to_sleep({"brown": "g3"}, {"hunters": {gone: "g3"}}, treasures={"100": "g3"})
    assert choices(pos, policy) == {answer}


@pytest.mark.rule("D8.9")
@pytest.mark.parametrize(("partner", "answer"), [("brown", "sleep"), ("yellow", "let be")])
def test_planner_stops_a_treasure_that_moves_on_without_it(partner: str, answer: str) -> None:
    """Slumber ends the turn of a strange pair; the step of the own pair it would be foolish to undo."""
    pair = ("green", partner)
    pos = asked_to_sleep(
        dict.fromkeys(pair, "g3"),
        {"hunters": dict.fromkeys(pair, "g4"), "treasures": {"100": "g4"}},
        treasures={"100": "g3"},
    )
    assert choices(pos, "planner") == {answer}


@BOTH
@pytest.mark.rule("D8.9")
def test_it_does_not_sleep_for_a_walk(policy: str) -> None:
    """A hunter without treasure has come a step on: that is not worth the card (the pair above is)."""
    assert choices(asked_to_sleep({"green": "g4"}, {"hunters": {"green": "g3"}}), policy) == {"let be"}


@pytest.mark.rule("D8.9", "D6.8")
@pytest.mark.parametrize(("known", "own", "answer"), [(False, 0, "let be"), (True, 0, "sleep"), (True, 2, "let be")])
def test_planner_escapes_from_a_boat_where_it_is_betrayed(known: bool, own: int, answer: str) -> None:
    """The owner is known to hold a betrayal, and no answer to it is in hand: better not to deliver at all."""
    pair = ("green", "yellow")
    pos = asked_to_sleep(
        dict.fromkeys(pair, "boat-green"),
        {"hunters": dict.fromkeys(pair, "i1"), "treasures": {"100": "i1"}},
        treasures={"100": "boat-green"},
        turn={"active": "player_1", "mover": "green"},
        hands={"player_0": ["sweet-slumber", *["betrayal"] * own], "player_1": ["betrayal"]},
        certain={"player_0": {"player_1": ["betrayal"]}} if known else {},
    )
    assert choices(pos, "planner") == {answer}


# --------------------------------------------------------------------------------------------------- counterspells


def asked_to_counter(task: str, target: str, **data: Any) -> Any:
    """player_1 has played fear or a theft, and player_0 may counter it."""
    return position(
        {
            "turn": {"active": "player_1", "acts": 1},
            "hands": {"player_0": ["counterspell"], "player_1": ["water"], "player_2": ["field"]},
            "stack": [{"decision": "counter", "player": "player_0", "task": task, "target": target}],
            **data,
        }
    )


@pytest.mark.rule("D8.8", "D8.6")
@pytest.mark.parametrize(("yellow", "answer"), [("g3", "counter"), ("g4", "let be")], ids=["carrier", "walker"])
def test_planner_counters_fear_of_a_carrier_alone(yellow: str, answer: str) -> None:
    """A share of a treasure is worth the card, some steps of a hunter without one are not."""
    pos = asked_to_counter(
        "fear-and-terror", "yellow", hunters={"yellow": yellow, "brown": "g3"}, treasures={"100": "g3"}
    )
    assert choices(pos, "planner") == {answer}


@pytest.mark.rule("D8.8", "D8.7")
@pytest.mark.parametrize(("target", "answer"), [("player_0", "counter"), ("player_2", "let be")])
def test_planner_counters_a_theft_from_its_own_hand(target: str, answer: str) -> None:
    """The counterspell itself could be stolen; from others let him steal."""
    assert choices(asked_to_counter("sneak-attack", target), "planner") == {answer}


@BOTH
@pytest.mark.rule("D8.8", "D8.9")
@pytest.mark.parametrize(("active", "hunter", "answer"), [(0, "yellow", "counter"), (1, "green", "let be")])
def test_it_counters_sleep_on_its_own_act(policy: str, active: int, hunter: str, answer: str) -> None:
    """Its own turn would be over; another's turn is his own affair."""
    data = {
        "turn": {"active": f"player_{active}", "acts": 1},
        "hunters": {hunter: "g4"},
        "hands": {"player_0": ["counterspell"], "player_2": ["field"]},
        "stack": [
            {"decision": "slumber", "player": "player_2"},
            {"decision": "counter", "player": "player_0", "task": "sweet-slumber"},
        ],
        "undo": {"hunters": {hunter: "g5"}},
    }
    assert choices(position(data), policy) == {answer}


@pytest.mark.rule("D8.8", "D6.8")
@pytest.mark.parametrize(("partner", "answer"), [("yellow", "counter"), ("blue", "let be")])
def test_planner_counters_sleep_on_its_partners_delivery(partner: str, answer: str) -> None:
    """In another's turn, too, the own hunter's share comes home; the delivery of two strangers may well be undone."""
    pair = ("green", partner)
    data = {
        "turn": {"active": "player_1", "mover": "green"},
        "hunters": dict.fromkeys(pair, "boat-green"),
        "treasures": {"100": "boat-green"},
        "hands": {"player_0": ["counterspell"], "player_2": ["field"]},
        "stack": [
            {"decision": "slumber", "player": "player_2"},
            {"decision": "counter", "player": "player_0", "task": "sweet-slumber"},
        ],
        "undo": {"hunters": dict.fromkeys(pair, "i1"), "treasures": {"100": "i1"}},
    }
    assert choices(position(data), "planner") == {answer}
