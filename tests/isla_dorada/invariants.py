"""Long random play that checks at every decision what must hold in every position.

    python -m tests.isla_dorada.invariants --decisions 1000000 [--players 3 4] [--seed 0] [--workers 2]

Game number n takes the n-th combination of players, options, policy and start, in a cycle; a seed and a number are the
same game on every machine. The two policies are those of ``tests.common.invariants``. Every second game starts where
rare decisions are near, as games of the comparison with the oracle do, and is left soon.
"""

import itertools
import random
import sys
from collections import Counter
from collections.abc import Iterable

import numpy as np

from isla_dorada_env import isla_dorada_v0
from isla_dorada_env.board import LAND_ROUTES, WATER_ROUTES
from isla_dorada_env.components import (
    CARD_COPIES,
    CURSE_VALUES,
    DESTINY_COPIES,
    FIRST_COMMON_TREASURE,
    MARKERS,
    TREASURE_COPIES,
    TREASURE_VALUES,
)
from isla_dorada_env.decisions import DECISION_NAMES, Decision, Stage
from isla_dorada_env.game import SPEC
from isla_dorada_env.state import LAID
from isla_dorada_env.vocab import BASE, PLACES, Card
from tests.common.invariants import PLAYERS, Invariants, call_of, check_actions, check_stack, main, play_checked
from tests.isla_dorada.starts import STARTS

LONG, SHORT = 1500, 120
"""How many decisions games are played on for at most, from the set-up and from where rare decisions are near."""
COMBINATIONS = tuple(itertools.product(("near", "set-up"), ("acting", "random"), ("holders", "all"), (False, True)))


def expected_kinds(players: int) -> set[str]:
    """Every kind of decision can come up at every number of players."""
    return set(filter(None, DECISION_NAMES)) - {DECISION_NAMES[Decision.ROUND]}


# What must hold


def check_cards(record: np.void) -> None:
    """Each of the 112 adventure cards is in exactly one zone, before they are dealt in none (I2.1, I3.3)."""
    found = record["discard"].astype(int) + record["table"].astype(int)
    for seat in range(record["num_players"]):
        size = int(record["hand_size"][seat])
        assert 0 <= size <= 12, f"player_{seat} holds {size} cards"
        assert (record["hand"][seat][:size] < Card.MACAQUE).all(), f"player_{seat} holds a lightning card"
        found += np.bincount(record["hand"][seat][:size], minlength=len(CARD_COPIES))
    found += np.bincount(record["deck"][: record["deck_size"]], minlength=len(CARD_COPIES))
    dealt = not (record["depth"] and record["frame_a"][0] == Stage.SETUP)
    assert (found == CARD_COPIES * dealt).all(), f"cards by kind: {found.tolist()}"
    assert record["table"].sum() == 4 * dealt


def check_treasures(record: np.void) -> None:
    """Each common treasure, curse and destiny is in one place, each starred treasure in one at most (I2.2, I2.3)."""
    total = record["treasure_start"][-1]
    cards = [*record["treasure_card"][:total], *record["laid_card"][: record["laid_total"]]]
    cards += [*record["treasure_deck"][: record["treasure_deck_size"]]]
    cards += [card for field in ("starred_rejected", "telegram_rejected") for card in record[field] if card >= 0]
    found = np.bincount(np.array(cards, int), minlength=len(TREASURE_COPIES))
    assert (found[FIRST_COMMON_TREASURE:] == TREASURE_COPIES[FIRST_COMMON_TREASURE:]).all(), f"treasures: {found}"
    assert found[:FIRST_COMMON_TREASURE].max() <= 1, f"treasures: {found}"
    curses = [*record["curse_deck"][: record["curse_deck_size"]], *np.flatnonzero(record["curse_at"] >= 0)]
    assert sorted(curses) == [place for place in range(len(PLACES)) if place != BASE], f"curses: {curses}"
    destinies = [*record["destiny_deck"][: record["destiny_deck_size"]], *record["destiny"][record["destiny"] >= 0]]
    assert (np.bincount(destinies, minlength=len(DESTINY_COPIES)) == DESTINY_COPIES).all(), f"destinies: {destinies}"


def check_board(record: np.void) -> None:
    """Markers, monsters and gold (I3.1, I7.1, I9.1, I2.4)."""
    assert record["markers"][BASE] == 0 and record["markers"].min() >= 0
    assert record["markers"].sum() <= MARKERS
    for monster, routes in enumerate((LAND_ROUTES, WATER_ROUTES)):
        route = int(record["monster_at"][monster])
        assert route == -1 or int(routes) >> route & 1, f"monster {monster} on route {route}"
    players = record["num_players"]
    assert (record["gold"][players:] == 0).all()
    assert (record["gold"] >= 0).all() and (record["gold"] <= 10).all()


def check_scores(record: np.void, scores: list[int], over: bool) -> None:
    """Gold, what lies open, and once the game is over the destinies, which never cost anything (I11.2)."""
    for seat, score in enumerate(scores):
        points = int(record["gold"][seat])
        laid = record["laid_card"][: record["laid_total"]][record["laid_seat"][: record["laid_total"]] == seat]
        points += int(TREASURE_VALUES[laid].sum())
        points += int(CURSE_VALUES[record["curse_at"] == seat + LAID].sum())
        assert score >= points if over else score == points, f"player_{seat} has {score}, computed: {points}"


def check_bids(record: np.void) -> None:
    """Each order names a seat once, and all with a bid; the leader never is a barred one who must bid (I5, I12)."""
    bidders = set(np.flatnonzero(record["bid_place"] >= 0).tolist())
    for field in ("bid_joined", "bid_raised"):
        order = record[field][record[field] >= 0].tolist()
        assert len(set(order)) == len(order) and bidders <= set(order), f"{field}: {order}, bids of {bidders}"
    top = record["depth"] - 1
    if top > 0 and record["frame_decision"][top] in (Decision.BID, Decision.AMOUNT, Decision.SHARE, Decision.OVETO):
        assert not int(record["barred"]) >> int(record["frame_seat"][top]) & 1, "a barred player is asked"


def check_position(position: object) -> None:
    """Everything that must hold in a position."""
    record = position.states[0]
    SPEC.check(position.states, 0)
    check_cards(record)
    check_treasures(record)
    check_board(record)
    check_scores(record, position.scores, position.is_over)
    check_bids(record)
    check_stack(record, position, Decision.ROUND)
    check_actions(position)


# Playing


def play_game(number: int, seed: int, players: Iterable[int] = PLAYERS) -> Counter:
    """Check one game; gives (players, kind) -> how often. Raises ``BrokenError``."""
    players = tuple(players)
    turn = number // len(players)
    start, policy, polls, cooperative = COMBINATIONS[turn % len(COMBINATIONS)]
    options = {"num_players": players[number % len(players)], "polls": polls, "cooperative_bidding": cooperative}
    game = isla_dorada_v0.Game(**options)
    position = game.new(seed, number)
    if start == "near":
        name = sorted(STARTS)[turn // len(COMBINATIONS) % len(STARTS)]
        position = game.from_dict(STARTS[name](position, random.Random(f"{seed} {number}")).to_dict())
    rng = np.random.default_rng([seed, number])
    call = call_of(number, seed, players, options)
    return play_checked(position, check_position, policy, rng, SHORT if start == "near" else LONG, call)


INVARIANTS = Invariants("tests.isla_dorada.invariants", DECISION_NAMES, expected_kinds, play_game)

if __name__ == "__main__":
    sys.exit(main(INVARIANTS))
