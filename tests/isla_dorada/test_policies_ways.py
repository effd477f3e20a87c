"""``greedy`` and ``planner`` on their ways: which places they lead to, and over which.

Each position has a twin in which one fact is another and so is what a good player does.
"""

import pytest

from tests.common.advice import choices
from tests.isla_dorada.policy_positions import EACH, LAST_ROUND, bid, bidding, made

EAST_AND_NORTH = {"Rhobanis": 2, "Septris": 2, "Methritis": 2, "Kakotapl": 2, "Etintaklop": 2, "Teltoqlut": 2}
"""Markers of the first twelve rounds."""
THIRTEEN = {
    place: 1
    for place in (
        *("Septris", "Methritis", "Rhobanis", "Bulo-Mapo", "Wahi-Waha", "Mana-Hatu", "Joztakitl"),
        *("Kakotapl", "Vanu-Tabu", "Etintaklop", "Aminadang", "Taratarong", "Qualtops"),
    )
}
"""A marker on each of thirteen places."""


# ---- Own treasures, curses and destinies. Nobody else has cards: whatever the leader bids wins.


@EACH
@pytest.mark.rule("I8.2")
@pytest.mark.parametrize(
    ("treasures", "answer"),
    [
        (["Qualtops", "Kamoptis"], "bid Qualtops jungle"),
        (["Qualtops", "Kamoptis", "Kamoptis starred"], "bid Kamoptis mountain"),
        (["Qualtops", "Kamoptis", "Methritis bonus"], "bid Kamoptis mountain"),
        (["Qualtops", "Kamoptis", "Kilitiping bonus"], "bid Qualtops jungle"),
    ],
    ids=["4 or 3", "4 or 3 and 3", "4 or 3 with a bonus", "4 or 3 with another picture"],
)
def test_the_leader_goes_where_his_treasures_are_worth_most(policy, treasures, answer):
    """All treasures of a place are laid at once, each with a bonus of its picture; the sum counts."""
    assert choices(made(markers=LAST_ROUND, treasures={"player_0": treasures}), policy) == {answer}


@EACH
@pytest.mark.rule("I8.1")
@pytest.mark.parametrize(
    ("curse", "answer"),
    [("Qualtops", "bid Kamoptis mountain"), ("Kamoptis", "bid Qualtops jungle")],
)
def test_the_leader_keeps_away_from_his_curse(policy, curse, answer):
    """Treasures of 4 and 3: the curse of the place takes all that its treasure brings."""
    treasures = {"player_0": ["Qualtops", "Kamoptis"]}
    assert choices(made(markers=LAST_ROUND, treasures=treasures, curses={"player_0": [curse]}), policy) == {answer}


@EACH
@pytest.mark.rule("I8.1")
def test_a_curse_that_lies_open_is_dreaded_no_more(policy):
    """It has cost its points, and the place is as good as any: the treasure of 4 is taken."""
    treasures = {"player_0": ["Qualtops", "Kamoptis"]}
    position = made(markers=LAST_ROUND, treasures=treasures, curses_laid={"player_0": ["Qualtops"]})
    assert choices(position, policy) == {"bid Qualtops jungle"}


@EACH
@pytest.mark.rule("I2.3")
@pytest.mark.parametrize(
    ("missing", "answer"), [("Kamoptis", "bid Kamoptis mountain"), ("Kilitiping", "bid Kilitiping jungle")]
)
def test_the_last_place_of_a_destiny_is_visited(policy, missing, answer):
    """Three of the four places of the caravan road have a marker: the fourth makes it 12 points."""
    visited = {"Septris": 5, "Joztakitl": 5, "Kamoptis": 5, "Kilitiping": 5}
    del visited[missing]
    assert choices(made(markers=visited, destinies={"player_0": ["caravan road"]}), policy) == {answer}


@EACH
@pytest.mark.rule("I2.3")
@pytest.mark.parametrize(
    ("markers", "answer"),
    [
        ({"Kamoptis": 3}, "bid Kamoptis mountain"),
        ({"Kamoptis": 2, "Taratarong": 1}, "bid Qualtops jungle"),
    ],
    ids=["fourth", "third"],
)
def test_it_comes_to_one_place_for_the_fourth_time(policy, markers, answer):
    """The fourth marker makes the pilgrim's 8 points, more than the treasure of 4; a third one would make nothing."""
    position = made(markers={**EAST_AND_NORTH, **markers}, treasures={"player_0": ["Qualtops"]})
    assert choices(position, policy) == {answer}


@EACH
@pytest.mark.rule("I2.3")
@pytest.mark.parametrize(("destiny", "new"), [("wanderer", True), ("homesick", False)])
def test_it_visits_a_new_place_for_the_wanderer(policy, destiny, new):
    """In the last round a fourteenth place makes 10 points for the wanderer, a treasure 4 for anybody."""
    position = made(
        markers={**THIRTEEN, "Septris": 3}, destinies={"player_0": [destiny]}, treasures={"player_0": ["Qualtops"]}
    )
    for name in choices(position, policy):
        place = name.split()[1]
        assert place not in THIRTEEN if new else place == "Qualtops"


@EACH
@pytest.mark.rule("I2.3", "I7.1")
@pytest.mark.parametrize(
    ("returns", "answer"), [(1, {"bid Base jungle", "bid Base water"}), (0, {"bid Joztakitl jungle"})]
)
def test_it_comes_home_for_the_second_time(policy, returns, answer):
    """The second return makes 6 points, more than the treasure of 4; the first one would still lack another."""
    position = made(
        camp="Qualtops",
        markers={"Qualtops": 15},
        returns=returns,
        destinies={"player_0": ["homesick"]},
        treasures={"player_0": ["Joztakitl"]},
    )
    assert choices(position, policy) <= answer


@pytest.mark.rule("I2.3", "I7.2")
@pytest.mark.parametrize(
    ("journeys", "answer"),
    [(0, "bid Kakotapl mountain"), (1, "bid Kakotapl mountain"), (2, "bid Teltoqlut water")],
)
def test_planner_stays_off_the_sea_as_long_as_it_costs(journeys, answer):
    """Two treasures, 8 points, across the sea, or 5 by land: each of the first two sea journeys costs Mar Maldita 4."""
    position = made(
        camp="Rhobanis",
        markers={"Rhobanis": 15},
        sea_journeys=journeys,
        destinies={"player_0": ["Mar Maldita"]},
        treasures={"player_0": ["Teltoqlut", "Teltoqlut", "Kakotapl"]},
    )
    assert choices(position, "planner") == {answer}


@EACH
@pytest.mark.rule("I5.2", "I11.1")
@pytest.mark.parametrize(
    ("treasure", "answer"),
    [("Teltoqlut", {"bid Kilitiping jungle", "bid Qualtops jungle"}), ("Methritis", {"bid Kamoptis mountain"})],
)
def test_the_first_of_two_moves_leads_towards_a_treasure(policy, treasure, answer):
    """Two rounds are left, and the treasures are two moves from the base: Kilitiping and Qualtops are on the way to
    Teltoqlut, Kamoptis on that to Methritis.
    """
    position = made(markers={"Rhobanis": 14}, treasures={"player_0": [treasure, treasure]})
    assert choices(position, policy) <= answer


# ---- Sangaias


def at_stop(leader="player_0", markers=LAST_ROUND, **data):
    """The expedition has flown to Kamoptis, and player 0, who holds a sangaia, is asked whether it goes on."""
    return made(
        camp="Kamoptis",
        markers=markers,
        hands={"player_0": ["sangaia"]},
        bids={leader: bid("Kamoptis", "flight", 1)},
        round={"leader": leader},
        stack=[{"decision": "sangaia", "player": "player_0"}],
        **data,
    )


@pytest.mark.rule("I7.3")
@pytest.mark.parametrize(
    ("treasures", "answer"),
    [(["Joztakitl"], "sangaia"), (["Joztakitl", "Kamoptis", "Kamoptis starred"], "let be")],
    ids=["there", "more here"],
)
def test_planner_goes_on_from_a_stop_to_a_better_one(treasures, answer):
    """A treasure of 4 next door is worth the card in the last round, unless 6 points lie here."""
    assert choices(at_stop(treasures={"player_0": treasures}), "planner") == {answer}


@pytest.mark.rule("I7.3")
@pytest.mark.parametrize(("leader", "answer"), [("player_0", "sangaia"), ("player_1", "let be")])
def test_planner_goes_on_to_a_treasure_if_it_leads_on_itself(leader, answer):
    """8 points next door for 3 here: but another leader would choose where to go, and hardly go there."""
    position = at_stop(leader, treasures={"player_0": ["Kamoptis", "Joztakitl", "Joztakitl"]})
    assert choices(position, "planner") == {answer}


@EACH
@pytest.mark.rule("I7.3", "I8.1")
@pytest.mark.parametrize(("curse", "answer"), [("Kamoptis", "sangaia"), ("Rhobanis", "let be")])
def test_a_sangaia_saves_from_a_curse(policy, curse, answer):
    """Any place is better than that of the own curse; the curse of a place that is far off is no reason to go on."""
    assert choices(at_stop(markers={"Rhobanis": 3}, curses={"player_0": [curse]}), policy) == {answer}


@EACH
@pytest.mark.rule("I7.3", "I8.1", "I8.2")
@pytest.mark.parametrize(("treasures", "answer"), [([], "sangaia"), (["Kamoptis", "Kamoptis starred"], "let be")])
def test_a_sangaia_makes_another_leader_go_on_from_a_curse(policy, treasures, answer):
    """Wherever he leads to, it is better than 3 points lost; but 6 points of treasures lie here, too, in the twin."""
    position = at_stop("player_1", curses={"player_0": ["Kamoptis"]}, treasures={"player_0": treasures})
    assert choices(position, policy) == {answer}


@pytest.mark.rule("I7.3", "I11.1")
@pytest.mark.parametrize(
    ("markers", "answer"), [({"Rhobanis": 2}, "let be"), (LAST_ROUND, "sangaia")], ids=["early", "last"]
)
def test_planner_keeps_a_sangaia_while_the_treasure_can_wait(markers, answer):
    """Early in the game somebody will lead to Joztakitl before the end; in the last round nobody will."""
    assert choices(at_stop(markers=markers, treasures={"player_0": ["Joztakitl"]}), "planner") == {answer}


def onward(**data):
    """The expedition goes on from Joztakitl by the desert, to Kakotapl or Methritis."""
    return made(
        camp="Joztakitl",
        bids={"player_0": bid("Joztakitl", "desert", 0)},
        last_route="Kamoptis Joztakitl desert",
        stack=[{"decision": "onward"}],
        **data,
    )


@EACH
@pytest.mark.rule("I7.3")
@pytest.mark.parametrize(("place", "other"), [("Kakotapl", "Methritis"), ("Methritis", "Kakotapl")])
def test_a_move_goes_on_to_the_treasure_and_away_from_the_curse(policy, place, other):
    """Two places to go on to: the one with the own treasure, and not the one with the own curse."""
    assert choices(onward(treasures={"player_0": [place]}), policy) == {f"go {place}"}
    assert choices(onward(markers=LAST_ROUND, curses={"player_0": [place]}), policy) == {f"go {other}"}


# ---- Monsters


@pytest.mark.rule("I9.1", "I8.1")
@pytest.mark.parametrize(
    ("curse", "answer"),
    [("Methritis", "place Methritis Kamoptis desert"), ("Joztakitl", "place Kamoptis Joztakitl desert")],
)
def test_planner_closes_the_way_to_its_curse(curse, answer):
    """A single route leads there from the camp, and with Bigfoot on it nobody can bid for it."""
    position = made(
        camp="Kamoptis",
        curses={"player_0": [curse]},
        markers={"Kamoptis": 3},
        bids={"player_0": bid("Kamoptis", "flight", 1)},
        stack=[{"decision": "monster", "monster": "bigfoot"}],
    )
    assert choices(position, "planner") == {answer}


# ---- Flights


@pytest.mark.rule("I5.2", "I5.3")
@pytest.mark.parametrize(
    ("markers", "answer"), [({"Rhobanis": 8}, "pass"), (LAST_ROUND, "bid Vanu-Tabu flight")], ids=["early", "last"]
)
def test_planner_flies_to_a_far_treasure_when_time_runs_out(markers, answer):
    """A dragon and its gold for 5 points: as long as a way by land may lead there it would be a waste."""
    position = bidding(
        markers=markers,
        treasures={"player_0": ["Vanu-Tabu"]},
        hands={"player_0": ["dragon"] * 2, "player_3": ["gonogo"]},
        bids={"player_3": bid("Kilitiping", "jungle", 1)},
    )
    assert choices(position, "planner") == {answer}
