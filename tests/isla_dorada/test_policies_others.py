"""``greedy`` and ``planner`` against others: what a bid is worth, jujus and ovetos, rivals, joining and raising.

Each position has a twin in which one fact is another and so is what a good player does.
"""

import pytest

from tests.common.advice import choices
from tests.isla_dorada.policy_positions import COOPERATIVE, EACH, LAST_ROUND, bid, bidding, made

OTHERS = ("player_1", "player_2", "player_3")


# ---- What a bid is worth. Player 3 leads, and player 0 has the yaks for any bid on the mountain to Kamoptis.


def after_a_bid(amount, treasures, **data):
    """Player 3 has bid so much for Qualtops."""
    return bidding(
        treasures={"player_0": treasures},
        hands={"player_0": ["yak"] * 8, "player_3": ["gonogo"] * 7},
        bids={"player_3": bid("Qualtops", "jungle", amount)},
        **data,
    )


@pytest.mark.rule("I5.1")
@pytest.mark.parametrize(
    ("policy", "treasures", "amount", "answer"),
    [
        ("greedy", ["Kamoptis"], 1, "bid Kamoptis mountain"),
        ("greedy", ["Kamoptis"], 4, "pass"),
        ("greedy", ["Kamoptis", "Kamoptis starred"], 4, "bid Kamoptis mountain"),
        ("greedy", ["Kamoptis", "Kamoptis starred"], 7, "pass"),
        ("planner", ["Kamoptis"], 1, "bid Kamoptis mountain"),
        ("planner", ["Kamoptis"], 4, "pass"),
        ("planner", ["Kamoptis", "Kamoptis starred"], 2, "bid Kamoptis mountain"),
        ("planner", ["Kamoptis", "Kamoptis starred"], 7, "pass"),
    ],
)
def test_a_treasure_is_bid_for_up_to_its_worth_and_not_beyond(policy, treasures, amount, answer):
    """Two cards for 3 points are a bargain, five for 3 or eight for 6 points are not: cards win later bids, too."""
    assert choices(after_a_bid(amount, treasures), policy) == {answer}


@pytest.mark.rule("I5.1", "I11.1")
@pytest.mark.parametrize(
    ("markers", "answer"), [({"Rhobanis": 4}, "pass"), (LAST_ROUND, "bid Kamoptis mountain")], ids=["early", "last"]
)
def test_planner_bids_higher_when_there_is_nothing_to_save_for(markers, answer):
    """Six cards for 6 points: early in the game they are worth more, in the last round nothing at all."""
    position = after_a_bid(5, ["Kamoptis", "Kamoptis starred"], markers=markers)
    assert choices(position, "planner") == {answer}


@EACH
@pytest.mark.rule("I5.1")
@pytest.mark.parametrize(("place", "answer"), [("Qualtops", "pass"), ("Kamoptis", "bid Kamoptis mountain")])
def test_who_gets_what_he_wants_for_nothing_passes(policy, place, answer):
    """Player 3 pays for the way to Qualtops: good, if the own treasure is there."""
    assert choices(after_a_bid(0, [place], markers={"Rhobanis": 8}), policy) == {answer}


@EACH
@pytest.mark.rule("I5.1", "I8.1")
@pytest.mark.parametrize(("curse", "answer"), [("Qualtops", "bid Kamoptis mountain"), ("Kamoptis", "pass")])
def test_a_bid_for_the_own_curse_is_overbid(policy, curse, answer):
    """Any other place will do, even one without a treasure; if the others go elsewhere, let them."""
    position = bidding(
        curses={"player_0": [curse]},
        hands={"player_0": ["yak"] * 3, "player_3": ["gonogo"]},
        bids={"player_3": bid("Qualtops", "jungle", 1)},
    )
    assert choices(position, policy) == {answer}


@pytest.mark.rule("I5.1", "I6.3")
@pytest.mark.parametrize(
    ("place", "way", "cards", "amounts"),
    [
        ("Kamoptis", "mountain", ["yak"] * 3, (1, 1)),
        ("Mana-Hatu", "water", ["kayak"] * 3, (1, 2)),
        ("Rhobanis", "flight", ["zeppelin"], (1, 5)),
    ],
)
def test_a_bid_is_the_least_and_for_planner_what_its_card_pays_in_full(place, way, cards, amounts):
    """One more than the top bid is enough; where a card pays more anyway, the rest keeps others from bidding higher."""
    position = made(
        treasures={"player_0": [place]},
        hands={"player_0": cards, "player_3": ["gonogo"]},
        bids={"player_3": bid("Qualtops", "jungle", 0)},
        round={"leader": "player_3"},
        stack=[{"decision": "amount", "player": "player_0", "place": place, "way": way}],
    )
    assert [choices(position, policy) for policy in ("greedy", "planner")] == [{f"amount {n}"} for n in amounts]


# ---- Jujus and ovetos


@pytest.mark.rule("I5.5")
@pytest.mark.parametrize(
    ("treasures", "answer"),
    [
        (["Kamoptis", "Kamoptis starred"], "juju player_3"),
        (["Kamoptis", "Kamoptis starred", "Qualtops"], "bid Kamoptis mountain"),
    ],
    ids=["6 or nothing", "6 or 4"],
)
def test_planner_bars_who_may_spoil_a_bid_that_matters(treasures, answer):
    """In the last round 6 points hang on this bid; if the top bid would bring 4 as well, there is less to fear."""
    position = bidding(
        markers=LAST_ROUND,
        treasures={"player_0": treasures},
        hands={"player_0": [*["yak"] * 5, "juju"], "player_3": ["gonogo"] * 2},
        bids={"player_3": bid("Qualtops", "jungle", 2)},
    )
    assert choices(position, "planner") == {answer}


@pytest.mark.rule("I5.4")
@pytest.mark.parametrize(
    ("elsewhere", "answer"),
    [([], "oveto"), (["Kamoptis", "Kilitiping", "Mana-Hatu", "Balabatung"], "let be")],
    ids=["nothing elsewhere", "3 at every other place"],
)
def test_planner_ends_the_bidding_where_a_higher_bid_would_hurt(elsewhere, answer):
    """4 points are safe with an oveto; with treasures at all other places nobody can bid it away from them."""
    position = made(
        markers=LAST_ROUND,
        treasures={"player_0": ["Qualtops", *elsewhere]},
        hands={"player_0": ["oveto", *["gonogo"] * 4]},
        bids={"player_0": bid("Qualtops", "jungle", 4)},
        stack=[{"decision": "oveto"}],
    )
    assert choices(position, "planner") == {answer}


# ---- What others gain. Own treasures of 3 points at Kamoptis and Kilitiping, one way to each of them.

FAR_STARRED = {
    "player_0": ["Vanu-Tabu starred", "Bulo-Mapo starred"],
    "player_1": ["Hora-Pena starred", "Wahi-Waha starred"],
    "player_2": ["Aminadang starred", "Teltoqlut starred"],
    "player_3": ["Kakotapl starred", "Etintaklop starred"],
}
"""The starred treasures that all have kept, none of them near the base."""


@pytest.mark.rule("I2.4", "I8.2")
@pytest.mark.parametrize(
    ("known", "answer"), [("Kamoptis", "bid Kilitiping jungle"), ("Kilitiping", "bid Kamoptis mountain")]
)
def test_planner_leaves_out_the_place_of_a_treasure_it_knows_in_another_hand(known, answer):
    """Of two places that bring him the same, he leads to the one where another is not known to lay a treasure, too."""
    common = {"player_0": ["Kilitiping", "Kamoptis"], "player_1": ["Kamoptis", "Kilitiping"]}
    position = made(
        markers=LAST_ROUND,
        treasures={player: [*FAR_STARRED[player], *common.get(player, [])] for player in FAR_STARRED},
        certain_treasures={"player_0": {"player_1": [known]}},
    )
    assert choices(position, "planner") == {answer}


@pytest.mark.rule("I2.4", "I8.2")
def test_planner_fears_no_treasures_where_nobody_holds_one():
    """How many treasures the others hold is public: where it is none, a marker that keeps starred ones from being laid
    makes no difference between two places that bring him the same.
    """
    chosen = {
        marked: choices(
            made(markers={"Rhobanis": 14, marked: 1}, treasures={"player_0": ["Kilitiping", "Kamoptis"]}), "planner"
        )
        for marked in ("Kamoptis", "Kilitiping")
    }
    assert chosen["Kamoptis"] == chosen["Kilitiping"]


@pytest.mark.rule("I5.1", "I2.4")
@pytest.mark.parametrize(
    ("wanted", "answer"),
    [(["Kamoptis", "Qualtops"], "bid Kilitiping jungle"), (["Qualtops", "Kilitiping"], "bid Kamoptis mountain")],
)
def test_planner_leaves_out_the_place_that_another_has_bid_for(wanted, answer):
    """Who has bid for a place has a reason to."""
    position = bidding(
        markers=LAST_ROUND,
        treasures={"player_0": ["Kilitiping", "Kamoptis"]},
        hands={"player_0": [*["yak"] * 3, *["gonogo"] * 3], "player_3": ["gonogo"] * 2},
        bids={"player_3": bid("Qualtops", "jungle", 1)},
        bid_for={"player_3": wanted},
    )
    assert choices(position, "planner") == {answer}


@EACH
@pytest.mark.rule("I10.3", "I11.2")
@pytest.mark.parametrize("leads", OTHERS)
@pytest.mark.parametrize("by", ["gold", "treasures laid"])
def test_who_is_ahead_is_robbed(policy, leads, by):
    """A card is missed alike by everybody, so it is taken from the one to be caught up with."""
    standing = {
        "gold": {"gold": {**dict.fromkeys(OTHERS, 5), leads: 9}},
        "treasures laid": {"laid": {leads: ["Rhobanis"]}},
    }[by]
    hands = dict.fromkeys(OTHERS, ["yak"])
    position = made(hands=hands, stack=[{"decision": "victim", "card": "macaque"}], **standing)
    assert choices(position, policy) == {f"rob {leads}"}


@EACH
@pytest.mark.rule("I10.3", "I11.2")
@pytest.mark.parametrize(("cursed", "robbed"), [("player_1", "player_2"), ("player_2", "player_1")])
def test_a_curse_that_lies_open_counts_against_who_is_ahead(policy, cursed, robbed):
    """Both have laid 5 points; with a curse of 5 beside them nothing is left of them."""
    position = made(
        hands=dict.fromkeys(OTHERS, ["yak"]),
        laid={"player_1": ["Rhobanis"], "player_2": ["Bulo-Mapo"]},
        curses_laid={cursed: ["Kakotapl"]},
        stack=[{"decision": "victim", "card": "macaque"}],
    )
    assert choices(position, policy) == {f"rob {robbed}"}


@pytest.mark.rule("I10.3", "I2.4")
@pytest.mark.parametrize("holds", OTHERS)
def test_planner_takes_treasures_in_hand_for_points_to_come(holds):
    """All stand alike, and one of them has two treasures more to lay than the others."""
    position = made(
        hands=dict.fromkeys(OTHERS, ["yak"]),
        treasures={holds: ["Rhobanis", "Kakotapl"]},
        stack=[{"decision": "victim", "card": "macaque"}],
    )
    assert choices(position, "planner") == {f"rob {holds}"}


# ---- Cooperative bidding


@EACH
@pytest.mark.rule("I12.1", "I12.3")
@pytest.mark.parametrize(("against", "answer"), [(2, "join Qualtops jungle"), (1, "pass")], ids=["behind", "ahead"])
def test_a_bid_that_is_behind_is_joined(policy, against, answer):
    """Player 2 has bid for the place of two own treasures: the least share that puts him ahead is laid, and if he is
    ahead none is needed.
    """
    position = bidding(
        COOPERATIVE,
        markers={"Rhobanis": 14},
        treasures={"player_0": ["Qualtops", "Qualtops starred"]},
        hands={"player_0": ["gonogo"] * 7, "player_2": ["gonogo"] * 2, "player_3": ["yak"] * 6},
        bids={"player_2": bid("Qualtops", "jungle", 1), "player_3": bid("Kamoptis", "mountain", against)},
    )
    assert choices(position, policy) == {answer}
    if answer != "pass":
        position.step(answer)
        assert choices(position, policy) == {"share 2"}


@EACH
@pytest.mark.rule("I12.1", "I12.2")
@pytest.mark.parametrize(("treasures", "answer"), [(["Qualtops", "Qualtops starred"], "raise"), ([], "pass")])
def test_the_own_share_is_raised_while_the_place_is_worth_it(policy, treasures, answer):
    """Three more cards for 8 points, or for nothing."""
    position = bidding(
        COOPERATIVE,
        markers={"Rhobanis": 14},
        treasures={"player_0": treasures},
        hands={"player_0": ["gonogo"] * 8, "player_3": ["yak"] * 8},
        bids={"player_0": bid("Qualtops", "jungle", 1), "player_3": bid("Kamoptis", "mountain", 3)},
    )
    assert choices(position, policy) == {answer}
