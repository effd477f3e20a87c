"""``greedy`` and ``planner`` and their cards: with what they pay, what they draw, buy, reject and discard, bongos.

Each position has a twin in which one fact is another and so is what a good player does.
"""

import pytest

from tests.common.advice import choices
from tests.isla_dorada.policy_positions import EACH, LAST_ROUND, bid, made

EARLY = {"Septris": 1, "Taratarong": 1}
ONE_LEFT = {"Septris": 14, "Taratarong": 1}
"""Markers with the expedition at Taratarong: Kilitiping lies next to it, Rhobanis at the other end of the island."""


# ---- Paying


def paying(place, way, due, cards, **data):
    """Player 0 has won with a bid and pays."""
    return made(
        hands={"player_0": cards},
        bids={"player_0": bid(place, way, due)},
        stack=[{"decision": "pay", "due": due}],
        **data,
    )


@pytest.mark.rule("I6.3")
@pytest.mark.parametrize(("gonogos", "answer"), [(2, "pay gonogo"), (1, "pay dragon")])
def test_planner_pays_with_no_card_too_many(gonogos, answer):
    """Two gonogos pay 2 without gold; if the dragon is needed anyway, it pays both and the gonogo stays in hand."""
    position = paying("Qualtops", "jungle", 2, [*["gonogo"] * gonogos, "dragon"])
    assert choices(position, "planner") == {answer}


@pytest.mark.rule("I6.1", "I2.3")
@pytest.mark.parametrize(("destiny", "answer"), [("gonogo keeper", "pay zeppelin"), ("yak keeper", "pay gonogo")])
def test_planner_pays_gold_for_what_its_destiny_counts(destiny, answer):
    """Four gonogos are 8 points of their keeper, more than a zeppelin and 3 gold; to anybody else they are cheaper."""
    position = paying("Qualtops", "jungle", 4, [*["gonogo"] * 4, "zeppelin"], destinies={"player_0": [destiny]})
    assert choices(position, "planner") == {answer}


@pytest.mark.rule("I6.2", "I2.3")
@pytest.mark.parametrize(("destiny", "answer"), [("pilgrim", "pay yak with shaman"), ("yak keeper", "pay dragon")])
def test_planner_turns_animals_that_are_of_no_other_use(destiny, answer):
    """A shaman and three yaks save two dragons and their gold, unless each yak is worth 2 points."""
    position = paying(
        "Qualtops", "jungle", 3, [*["yak"] * 3, "shaman", *["dragon"] * 2], destinies={"player_0": [destiny]}
    )
    assert choices(position, "planner") == {answer}


@pytest.mark.rule("I6.2", "I2.3")
@pytest.mark.parametrize(("destiny", "turned"), [("yak keeper", "kamel"), ("kamel keeper", "yak")])
def test_planner_turns_the_animal_that_its_destiny_does_not_count(destiny, turned):
    """Either of two animals pays with the shaman: the other one is kept for its points."""
    position = paying(
        "Qualtops", "jungle", 2, [*["yak"] * 2, *["kamel"] * 2, "shaman"], destinies={"player_0": [destiny]}
    )
    assert choices(position, "planner") == {f"pay {turned} with shaman"}


@EACH
@pytest.mark.rule("I6.2")
@pytest.mark.parametrize(("animal", "answer"), [("gonogo", "pay gonogo"), ("yak", "pay yak with shaman")])
def test_a_shaman_is_kept_as_long_as_an_animal_of_the_way_pays(policy, animal, answer):
    """One card is cheaper than two; where no gonogo is in hand the shaman has to turn a yak."""
    assert choices(paying("Qualtops", "jungle", 1, [animal, "yak", "shaman"]), policy) == {answer}


@pytest.mark.rule("I6.1", "I2.3")
@pytest.mark.parametrize(("destiny", "answer"), [("pilgrim", "pay kayak"), ("kayak keeper", "pay dragon")])
def test_planner_keeps_a_kayak_at_the_end_for_its_keeper(destiny, answer):
    """The dragon's gold is one point, a kayak of the destiny two, any other one nothing."""
    position = paying(
        "Mana-Hatu", "water", 2, ["kayak", "dragon"], markers=LAST_ROUND, destinies={"player_0": [destiny]}
    )
    assert choices(position, "planner") == {answer}


@pytest.mark.rule("I5.3", "I6.1")
@pytest.mark.parametrize(("due", "answer"), [(2, "pay dragon"), (5, "pay zeppelin")])
def test_planner_flies_with_the_card_that_costs_least_gold(due, answer):
    """A dragon for 1 gold pays 2; for 5 it would take three of them, and a zeppelin does it alone for the same gold."""
    position = paying("Rhobanis", "flight", due, ["zeppelin", *["dragon"] * 3])
    assert choices(position, "planner") == {answer}


# ---- Drawing and buying


def drawing(decision, display, hand=(), **data):
    """Player 0 takes a card, or may buy another one."""
    return made(display=display, hands={"player_0": list(hand)}, stack=[{"decision": decision}], **data)


AFTER_THE_LAST_MOVE = {
    "camp": "Rhobanis",
    "markers": {"Rhobanis": 16},
    "bids": {"player_0": bid("Rhobanis", "flight", 1)},
}


@pytest.mark.rule("I10.1", "I10.2")
@pytest.mark.parametrize(("end", "taken"), [(False, True), (True, False)], ids=["early", "end"])
def test_planner_takes_an_antik_while_its_treasure_can_be_laid(end, taken):
    """A treasure more is the best card there is, and worthless once the expedition moves no more."""
    position = drawing("draw", ["antik", "yak", "kayak", "juju"], **(AFTER_THE_LAST_MOVE if end else {}))
    assert (choices(position, "planner") == {"draw antik"}) is taken


@EACH
@pytest.mark.rule("I10.1")
@pytest.mark.parametrize(("card", "answer"), [("marabou", "draw marabou"), ("panda", "draw deck")])
def test_a_card_of_the_display_is_taken_if_it_is_better_than_the_deck(policy, card, answer):
    """Another's treasure is; juju, oveto and a panda, by which one may lose cards oneself, are not."""
    assert choices(drawing("draw", [card, "juju", "oveto", "yak"]), policy) == {answer}


@pytest.mark.rule("I10.1", "I10.5")
def test_planner_knows_when_the_deck_is_poor():
    """What lies in the discard is not in the deck: with all good cards gone the yak in the display is as good as it
    gets.
    """
    good = {"antik": 4, "marabou": 2, "bongo": 4, "dragon": 6, "macaque": 3, "sangaia": 5, "zeppelin": 3, "kayak": 12}
    gone = {**good, "istwa": 2, "baron-saturday": 2, "diawas": 2}
    for discard, answer in (({}, "draw deck"), (gone, "draw yak")):
        position = drawing("draw", ["yak", "kamel", "gonogo", "juju"], discard=discard)
        assert choices(position, "planner") == {answer}


@EACH
@pytest.mark.rule("I10.1", "I2.3")
@pytest.mark.parametrize(("held", "draws", "buys"), [(2, "draw yak", "buy yak"), (5, "draw bongo", "let be")])
def test_it_gathers_what_its_destiny_counts_and_no_more(policy, held, draws, buys):
    """The keeper's points end with the fifth yak: a sixth one is a card like any other, and not worth gold."""
    display, hand = ["bongo", "yak", "kayak", "juju"], ["yak"] * held
    keeper = {"player_0": ["yak keeper"]}
    assert choices(drawing("draw", display, hand, destinies=keeper), policy) == {draws}
    assert choices(drawing("buy", display, hand, destinies=keeper), policy) == {buys}


@EACH
@pytest.mark.rule("I10.1")
@pytest.mark.parametrize(("card", "answer"), [("antik", "buy antik"), ("bongo", "let be")])
def test_gold_is_spent_for_a_treasure_only(policy, card, answer):
    """A gold is a point at the end: a new treasure brings 3 to 5, a bongo hardly more than it costs."""
    assert choices(drawing("buy", [card, "yak", "kayak", "juju"]), policy) == {answer}


# ---- Discarding and rejecting


@EACH
@pytest.mark.rule("I10.6", "I2.3")
@pytest.mark.parametrize(("yaks", "answer"), [(6, "discard yak"), (5, "discard kamel")])
def test_it_discards_what_the_destiny_counts_no_more(policy, yaks, answer):
    """Five yaks make the keeper's 10 points: a sixth is the card to spare; without it one of the kamels is."""
    hand = [*["yak"] * yaks, *["kamel"] * (9 - yaks), "bongo", "dragon"]
    position = made(
        destinies={"player_0": ["yak keeper"]}, hands={"player_0": hand}, stack=[{"decision": "hand limit"}]
    )
    assert choices(position, policy) == {answer}


@pytest.mark.rule("I10.6")
@pytest.mark.parametrize(("yaks", "kamels", "answer"), [(3, 5, "discard kamel"), (5, 3, "discard yak")])
def test_planner_discards_of_the_animal_that_it_has_most_of(yaks, kamels, answer):
    """Three of a kind pay most bids of their way: of the other one two may go."""
    hand = [*["yak"] * yaks, *["kamel"] * kamels, "bongo", "dragon", "kayak"]
    position = made(hands={"player_0": hand}, stack=[{"decision": "hand limit"}])
    assert choices(position, "planner") == {answer}


def rejecting(decision, treasures, markers, camp="Taratarong"):
    """Player 0 rejects one of the treasures he has just drawn, the last two."""
    return made(
        camp=camp,
        markers=markers,
        treasures={"player_0": treasures},
        bids={"player_0": bid(camp, "flight", 1)},
        stack=[{"decision": decision}],
    )


@pytest.mark.rule("I10.3", "I11.1")
@pytest.mark.parametrize(
    ("markers", "rejected"), [(EARLY, "Kilitiping"), (ONE_LEFT, "Rhobanis")], ids=["early", "last"]
)
def test_planner_keeps_the_treasure_that_can_still_be_reached(markers, rejected):
    """5 points are more than 3, but with one move to go Kilitiping is next door and Rhobanis is not."""
    position = rejecting("antik", ["Rhobanis", "Kilitiping"], markers)
    assert choices(position, "planner") == {f"reject {rejected}"}


@EACH
@pytest.mark.rule("I10.3")
@pytest.mark.parametrize("order", [("Rhobanis", "Kilitiping"), ("Kilitiping", "Rhobanis")])
def test_early_in_the_game_the_cheaper_treasure_is_rejected(policy, order):
    """There is time to come to either place, so the points decide, and not the order of the cards."""
    assert choices(rejecting("antik", list(order), EARLY), policy) == {"reject Kilitiping"}


@pytest.mark.rule("I10.3", "I2.2")
@pytest.mark.parametrize(("held", "rejected"), [("Kamoptis", "Kilitiping"), ("Qualtops", "Rhobanis bonus")])
def test_planner_keeps_a_bonus_that_goes_with_a_treasure(held, rejected):
    """A bonus of the north is 3 points more for Kamoptis, and nothing for a hand without a northern treasure."""
    position = rejecting("antik", [held, "Rhobanis bonus", "Kilitiping"], EARLY)
    assert choices(position, "planner") == {f"reject {rejected}"}


@pytest.mark.rule("I10.3", "I2.3")
@pytest.mark.parametrize(
    ("visited", "rejected"),
    [(("Hora-Pena", "Qualtops"), "high springs"), (("Septris", "Etintaklop"), "green coast")],
)
def test_planner_keeps_the_destiny_that_is_nearly_met(visited, rejected):
    """Both are 10 points for three places, and two of the places of one have a marker already."""
    position = made(
        camp="Rhobanis",
        markers={**dict.fromkeys(visited, 1), "Rhobanis": 4},
        destinies={"player_0": ["green coast", "high springs"]},
        bids={"player_0": bid("Rhobanis", "flight", 1)},
        stack=[{"decision": "destiny"}],
    )
    assert choices(position, "planner") == {f"reject {rejected}"}


# ---- Bongos


def with_bongo(treasures, markers):
    """The expedition has come to Methritis, next to Kamoptis, Rhobanis and Hora-Pena."""
    return made(
        camp="Methritis",
        markers=markers,
        hands={"player_0": ["bongo"]},
        treasures={"player_0": treasures},
        bids={"player_0": bid("Methritis", "flight", 1)},
        stack=[{"decision": "bongo"}],
    )


@pytest.mark.rule("I8.3", "I11.1")
@pytest.mark.parametrize(("methritis", "answer"), [(3, "let be"), (14, "bongo Rhobanis")], ids=["early", "late"])
def test_planner_keeps_a_bongo_while_the_expedition_may_come_by_itself(methritis, answer):
    """Next door with a dozen moves to go the treasure will be laid without the card, with two to go hardly."""
    assert choices(with_bongo(["Rhobanis"], {"Methritis": methritis}), "planner") == {answer}


@EACH
@pytest.mark.rule("I8.3", "I8.2")
@pytest.mark.parametrize(("bonus", "laid"), [("Rhobanis bonus", "Kamoptis"), ("Mana-Hatu bonus", "Hora-Pena")])
def test_a_bongo_lays_the_treasure_that_brings_most_with_its_bonus(policy, bonus, laid):
    """Kamoptis is 3 points and 3 with a northern bonus, Hora-Pena 4 and 2 with a western one."""
    position = with_bongo(["Kamoptis", "Hora-Pena", bonus], {"Methritis": 1, "Kamoptis": 14})
    assert choices(position, policy) == {f"bongo {laid}"}
