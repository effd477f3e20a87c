"""``greedy`` and ``planner``: what they do in small positions, what they know, and how they play.

More positions by hand, by theme: `test_policies_ways`, `test_policies_others`, `test_policies_cards`.
"""

from __future__ import annotations

import numpy as np
import pytest

from isla_dorada_env import isla_dorada_v0
from isla_dorada_env.options import IslaDoradaOptions, new_record
from isla_dorada_env.selfplay import SUBJECT
from island_core import rng
from island_core.arena import Tournament
from island_core.bitset import has_bit
from island_core.selfplay import POLICIES
from island_core.selfplay_report import SelfPlay
from tests.common.advice import advised, choices
from tests.common.worlds import PLAYERS, compare
from tests.isla_dorada.policy_positions import COOPERATIVE, EACH, GAME, LAST_ROUND, bid, bidding, made

BIDDINGS = pytest.mark.parametrize("cooperative", [False, True], ids=["basic", "cooperative"])


# ---- Both


@EACH
@pytest.mark.rule("I5.1", "I8.2")
def test_the_certain_delivery_is_taken(policy):
    # 4 points and 2 of a bonus, against 3: nobody can pay for anything, so whatever is bid wins.
    treasures = {"player_0": ["Qualtops starred", "Etintaklop bonus", "Kamoptis"]}
    position = made(markers=LAST_ROUND, treasures=treasures)
    assert choices(position, policy) == {"bid Qualtops jungle"}
    position.step("bid Qualtops jungle")
    position = made(
        treasures=treasures,
        hands={"player_0": ["gonogo"] * 4},
        stack=[{"decision": "amount", "place": "Qualtops", "way": "jungle"}],
    )
    assert choices(position, policy) == {"amount 0"}


@EACH
@pytest.mark.rule("I5.1")
def test_nobody_bids_against_his_own_interest(policy):
    position = bidding(
        treasures={"player_0": ["Kamoptis starred"]},
        hands={"player_0": ["gonogo", "yak"], "player_3": ["yak"]},
        bids={"player_3": bid("Kamoptis", "mountain", 1)},
    )
    assert choices(position, policy) == {"pass"}


@EACH
@pytest.mark.rule("I8.1")
def test_the_way_to_an_own_curse_is_bid_away(policy):
    position = bidding(
        curses={"player_0": ["Qualtops"]},
        hands={"player_0": ["yak"] * 3, "player_3": ["gonogo"]},
        bids={"player_3": bid("Qualtops", "jungle", 1)},
    )
    assert choices(position, policy) == {"bid Kamoptis mountain"}


@EACH
@pytest.mark.rule("I2.3")
def test_cards_that_the_destiny_counts_are_drawn(policy):
    display = ["gonogo", "kayak", "yak", "juju"]
    for destiny, card in (("yak keeper", "yak"), ("kayak keeper", "kayak"), ("gonogo keeper", "gonogo")):
        position = made(destinies={"player_0": [destiny]}, display=display, stack=[{"decision": "draw"}])
        assert choices(position, policy) == {f"draw {card}"}


@EACH
@pytest.mark.rule("I8.3")
def test_a_bongo_lays_the_treasure_that_brings_most(policy):
    position = made(
        camp="Methritis",
        markers={"Kamoptis": 15, "Methritis": 1},
        hands={"player_0": ["bongo"]},
        treasures={"player_0": ["Kamoptis", "Rhobanis", "Septris"]},
        bids={"player_0": bid("Methritis", "desert", 0)},
        stack=[{"decision": "bongo"}],
    )
    assert choices(position, policy) == {"bongo Rhobanis"}


@EACH
@pytest.mark.rule("I3.2", "I8.4")
def test_the_treasure_of_least_value_is_rejected(policy):
    position = made(
        camp="Taratarong",
        markers={"Septris": 3, "Taratarong": 1},
        treasures={"player_0": ["Rhobanis", "Kamoptis"]},
        bids={"player_0": bid("Taratarong", "flight", 1)},
        stack=[{"decision": "telegram"}],
    )
    assert choices(position, policy) == {"reject Kamoptis"}


@EACH
@pytest.mark.rule("I2.3", "I10.3")
def test_a_destiny_that_counts_cards_is_kept(policy):
    for destinies in (["caravan road", "yak keeper"], ["yak keeper", "caravan road"]):
        position = made(destinies={"player_0": destinies}, stack=[{"decision": "destiny"}])
        assert choices(position, policy) == {"reject caravan road"}


@EACH
@pytest.mark.rule("I10.3")
def test_who_has_laid_most_is_robbed(policy):
    position = made(
        hands={player: ["yak"] for player in ("player_1", "player_2", "player_3")},
        laid={"player_2": ["Rhobanis", "Rhobanis starred"], "player_3": ["Kamoptis"]},
        stack=[{"decision": "victim", "card": "macaque"}],
    )
    assert choices(position, policy) == {"rob player_2"}


@EACH
@pytest.mark.rule("I10.3")
def test_others_suffer_the_curses(policy):
    position = made(
        laid={"player_0": ["Vanu-Tabu"], "player_1": ["Rhobanis"], "player_3": ["Kamoptis"]},
        stack=[{"decision": "first player", "card": "baron-saturday"}],
    )
    assert choices(position, policy) == {"choose player_1"}
    position.step("choose player_1")
    assert choices(position, policy) == {"choose player_3"}


@EACH
@pytest.mark.rule("I7.3")
def test_a_sangaia_leads_away_from_an_own_curse(policy):
    position = made(
        camp="Kamoptis",
        markers=LAST_ROUND,
        curses={"player_0": ["Kamoptis"]},
        treasures={"player_0": ["Kakotapl"]},
        hands={"player_0": ["sangaia"]},
        bids={"player_0": bid("Kamoptis", "flight", 1)},
        stack=[{"decision": "sangaia"}],
    )
    assert choices(position, policy) == {"sangaia"}


@EACH
@pytest.mark.rule("I7.3")
def test_a_move_goes_on_to_an_own_treasure(policy):
    position = made(
        camp="Joztakitl",
        treasures={"player_0": ["Kakotapl"]},
        bids={"player_0": bid("Joztakitl", "desert", 0)},
        last_route="Kamoptis Joztakitl desert",
        stack=[{"decision": "onward"}],
    )
    assert choices(position, policy) == {"go Kakotapl"}


@EACH
@pytest.mark.rule("I2.3", "I10.6")
def test_cards_that_the_destiny_counts_are_not_discarded(policy):
    hand = [*["yak"] * 5, *["kamel"] * 3, "kayak", "bongo", "gonogo"]
    for destiny, kept in (("yak keeper", True), ("pilgrim", False)):
        position = made(destinies={"player_0": [destiny]}, hands={"player_0": hand}, stack=[{"decision": "hand limit"}])
        assert (choices(position, policy) != {"discard yak"}) is kept


@EACH
@pytest.mark.rule("I12.1", "I12.3")
def test_the_share_that_puts_a_bid_ahead_is_laid(policy):
    position = bidding(
        COOPERATIVE,
        markers={"Rhobanis": 14},
        treasures={"player_0": ["Qualtops", "Qualtops starred"]},
        hands={"player_0": ["gonogo"] * 4, "player_2": ["gonogo"], "player_3": ["yak"] * 2},
        bids={"player_3": bid("Kamoptis", "mountain", 2), "player_2": bid("Qualtops", "jungle", 1)},
    )
    assert choices(position, policy) == {"join Qualtops jungle"}
    position.step("join Qualtops jungle")
    assert choices(position, policy) == {"share 2"}


# ---- Greedy


@pytest.mark.rule("I5.1")
def test_greedy_passes_where_a_bid_costs_more_than_it_brings():
    position = bidding(
        treasures={"player_0": ["Kamoptis starred"]},
        hands={"player_0": ["yak"] * 9, "player_3": ["gonogo"] * 4},
        bids={"player_3": bid("Qualtops", "jungle", 4)},
    )
    assert choices(position, "greedy") == {"pass"}


@pytest.mark.rule("I6.1")
def test_greedy_pays_without_gold_first():
    position = made(
        hands={"player_0": ["zeppelin", "dragon", "kamel", "shaman", "yak"]},
        bids={"player_0": bid("Kamoptis", "mountain", 1)},
        stack=[{"decision": "pay", "due": 1}],
    )
    assert choices(position, "greedy") == {"pay yak"}


@pytest.mark.rule("I5.4")
@pytest.mark.parametrize(("treasure", "answer"), [("Qualtops", "oveto"), ("Etintaklop", "let be")])
def test_greedy_ends_the_bidding_for_a_gain(treasure, answer):
    position = made(
        treasures={"player_0": [treasure]},
        hands={"player_0": ["oveto", *["gonogo"] * 4]},
        bids={"player_0": bid("Qualtops", "jungle", 4)},
        stack=[{"decision": "oveto"}],
    )
    assert choices(position, "greedy") == {answer}


@pytest.mark.rule("I10.1")
def test_greedy_buys_a_card_that_brings_a_treasure_or_nothing():
    for display, answer in (
        (["yak", "antik", "bongo", "yak"], "buy antik"),
        (["yak", "kayak", "bongo", "yak"], "let be"),
    ):
        assert choices(made(display=display, stack=[{"decision": "buy"}]), "greedy") == {answer}


def test_greedy_draws_lots_among_equals():
    # Nothing in hand: every place is as good as another.
    assert len(choices(made(), "greedy")) > 1


# ---- Planner


@pytest.mark.rule("I5.3", "I11.1")
def test_planner_spends_in_the_last_round_what_is_worth_nothing_after_it():
    position = bidding(
        markers=LAST_ROUND,
        treasures={"player_0": ["Kamoptis starred"]},
        hands={"player_0": ["yak"] * 9, "player_3": ["gonogo"] * 4},
        bids={"player_3": bid("Qualtops", "jungle", 4)},
    )
    assert choices(position, "planner") == {"bid Kamoptis mountain"}


@pytest.mark.rule("I6.3")
def test_planner_bids_as_much_as_the_same_cards_pay():
    position = made(
        treasures={"player_0": ["Mana-Hatu"]},
        hands={"player_0": ["kayak"] * 3, "player_3": ["gonogo"]},
        bids={"player_3": bid("Qualtops", "jungle", 0)},
        round={"leader": "player_3"},
        stack=[{"decision": "amount", "player": "player_0", "place": "Mana-Hatu", "way": "water"}],
    )
    assert choices(position, "planner") == {"amount 2"}


@pytest.mark.rule("I2.3", "I6.1")
@pytest.mark.parametrize(("destiny", "card"), [("yak keeper", "dragon"), ("pilgrim", "yak")])
def test_planner_keeps_the_cards_that_its_destiny_counts(destiny, card):
    # A yak of the destiny is two points, the gold for a dragon one.
    position = made(
        markers=LAST_ROUND,
        destinies={"player_0": [destiny]},
        hands={"player_0": ["yak", "dragon"]},
        bids={"player_0": bid("Kamoptis", "mountain", 1)},
        stack=[{"decision": "pay", "due": 1}],
    )
    assert choices(position, "planner") == {f"pay {card}"}


@pytest.mark.rule("I2.3", "I10.1")
@pytest.mark.parametrize(("destiny", "answer"), [("yak keeper", "buy yak"), ("pilgrim", "let be")])
def test_planner_buys_at_the_end_what_the_destiny_pays_for(destiny, answer):
    position = made(
        camp="Rhobanis",
        markers={"Rhobanis": 16},
        destinies={"player_0": [destiny]},
        display=["yak", "bongo", "antik", "kamel"],
        bids={"player_0": bid("Rhobanis", "flight", 1)},
        stack=[{"decision": "buy"}],
    )
    assert choices(position, "planner") == {answer}


@pytest.mark.rule("I5.5")
def test_planner_bars_the_top_bidder_where_much_is_at_stake():
    def position(treasures):
        return bidding(
            markers=LAST_ROUND,
            treasures={"player_0": treasures},
            hands={"player_0": [*["yak"] * 5, "juju"], "player_3": ["gonogo"] * 2},
            bids={"player_3": bid("Qualtops", "jungle", 2)},
        )

    assert choices(position(["Kamoptis", "Kamoptis starred"]), "planner") == {"juju player_3"}
    assert choices(position([]), "planner") != {"juju player_3"}


@pytest.mark.rule("I5.4")
@pytest.mark.parametrize(("treasures", "answer"), [(["Qualtops", "Qualtops starred"], "oveto"), ([], "let be")])
def test_planner_ends_the_bidding_where_much_is_at_stake(treasures, answer):
    position = made(
        markers=LAST_ROUND,
        treasures={"player_0": treasures},
        hands={"player_0": ["oveto", *["gonogo"] * 4]},
        bids={"player_0": bid("Qualtops", "jungle", 4)},
        stack=[{"decision": "oveto"}],
    )
    assert choices(position, "planner") == {answer}


@pytest.mark.rule("I7.3")
def test_planner_bids_for_a_place_to_go_on_from_it():
    position = made(
        camp="Kamoptis",
        markers=LAST_ROUND,
        gold=dict.fromkeys(("player_0", "player_1", "player_2", "player_3"), 0),
        treasures={"player_0": ["Kakotapl"]},
        hands={"player_0": ["sangaia"]},
    )
    names = []
    while position.decision in ("bid", "amount", "sangaia", "onward"):
        names.append(advised(position, "planner") if position.actor == 0 else "pass")
        position.step(names[-1])
    journey = ["bid Joztakitl desert", "amount 0", "pass", "pass", "pass", "sangaia", "go Kakotapl"]
    assert names == journey
    assert position.scores[0] == 5


@pytest.mark.rule("I2.4")
def test_planner_keeps_the_expedition_from_what_others_are_known_to_hold():
    def position(certain):
        return bidding(
            markers=LAST_ROUND,
            treasures={"player_3": ["Qualtops", "Qualtops"]},
            certain_treasures=certain,
            hands={"player_0": ["yak"] * 2, "player_3": ["gonogo"]},
            bids={"player_3": bid("Qualtops", "jungle", 1)},
        )

    known = position({"player_0": {"player_3": ["Qualtops"]}})
    assert known.states.tobytes() != position({}).states.tobytes()
    assert choices(known, "planner") == {"bid Kamoptis mountain"}


# ---- What they know


@EACH
@BIDDINGS
@pytest.mark.parametrize("players", PLAYERS)
def test_nothing_hidden_is_looked_at(policy, players, cooperative):
    options = IslaDoradaOptions(num_players=players, cooperative_bidding=cooperative)
    assert compare(GAME.spec, options, policy, 1500).total() == 1500


@pytest.mark.parametrize("field", ["deck", "hand"])
def test_a_policy_that_peeks_is_found(field):
    def advise(states, i, policy, words):
        """The lowest or the highest legal action, by a card that nobody or another sees."""
        seat = int(states["frame_seat"][i, states["depth"][i] - 1])
        other = (seat + 1) % 4
        card = int(states["deck"][i, 0] if field == "deck" else states["hand"][i, other, 0])
        legal = [action for action in range(GAME.spec.actions.size) if has_bit(states["legal"][i], action)]
        return legal[-(card % 2)]

    with pytest.raises(AssertionError, match="in another world"):
        compare(GAME.spec, IslaDoradaOptions(), "greedy", 100, advise=advise)


# ---- How they play


@EACH
@BIDDINGS
@pytest.mark.parametrize("players", PLAYERS)
def test_every_choice_is_legal_and_depends_on_the_words_alone(policy, players, cooperative):
    game = isla_dorada_v0.Game(num_players=players, cooperative_bidding=cooperative, polls="all")
    advise, number = game.spec.rules.advise, POLICIES.index(policy)
    words = np.zeros(4, np.uint64)
    kinds = set()
    for seed in range(3):
        rng.seed_words(words, seed, 0, 0)
        position = game.new(seed=seed)
        while not position.is_over:
            if len(position.legal_actions()) > 1:
                before = position.to_bytes()
                again = words.copy()
                action = int(advise(position.states, 0, number, words))
                assert position.to_bytes() == before  # nothing is changed
                assert int(advise(position.clone().states, 0, number, again)) == action
                assert (again == words).all()
            else:
                action = position.legal_actions()[0]
            kinds.add(position.decision)
            position.step(action)  # refuses what is not legal
        assert sum(position.to_dict()["markers"].values()) == 16  # ended by itself
    assert len(kinds) > 15, kinds


def win_share(game, line_up, games, seed):
    report = Tournament(game, line_up, games=games, seed=seed).run()
    assert not report.spoiled
    return report.standing(line_up[0]).win_share.mean


@BIDDINGS
@pytest.mark.parametrize(("policy", "others", "least"), [("greedy", "random", 0.9), ("planner", "greedy", 0.45)])
def test_each_is_stronger_than_the_one_before(policy, others, least, cooperative):
    game = COOPERATIVE if cooperative else GAME
    assert win_share(game, [policy, others, others, others], 800, seed=11) > least


def test_greedy_and_planner_reach_scores_of_good_players():
    for policy, mean, winner in (("greedy", 26, 33), ("planner", 28, 34)):
        rows, _ = SelfPlay(SUBJECT, new_record(IslaDoradaOptions()), policy, 12).rows(400)
        scores = rows["scores"][:, :4]
        assert scores.mean() > mean
        assert scores.max(axis=1).mean() > winner
