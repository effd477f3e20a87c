"""``greedy``: a short player that looks at what a place brings him now, and at the places next to it.

He bids the least that puts him ahead, for the place that appeals most to him, as long as that beats where the
expedition would go anyway by more than the bid is worth. He pays with what costs no gold first, draws the card he likes
best, lays every treasure he can, and goes against whoever has laid most.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from isla_dorada_env import board, components
from isla_dorada_env.actions import OFFSET
from isla_dorada_env.board import NUM_PLACES
from isla_dorada_env.components import FIRST_BONUS, TREASURE_KINDS
from isla_dorada_env.decisions import Decision
from isla_dorada_env.policies.bids import amount_to_win, lowest_legal, named_bid, nearest_legal
from isla_dorada_env.policies.gains import all_gains, best_bonus, gain
from isla_dorada_env.rules.bidding import WAYS, winning_seat
from isla_dorada_env.rules.hands import copies, holds
from isla_dorada_env.rules.payment import highest_payable
from isla_dorada_env.rules.scoring import points
from isla_dorada_env.rules.seats import clockwise
from isla_dorada_env.vocab import CARDS, FIRST_LIGHTNING, Card, DestinyKind, Way
from island_core import bitset, rng
from island_core.bitset import has_bit
from island_core.jit import kernel

Rec = Any

VALUE = components.TREASURE_VALUES
DESTINY_KIND = components.DESTINY_KIND
DESTINY_POINTS = components.DESTINY_POINTS
DESTINY_MAX_POINTS = components.DESTINY_MAX_POINTS
DESTINY_CARD = components.DESTINY_CARD
ADJACENT = board.ADJACENT
ONE = np.uint64(1)
NONE = np.uint64(0)

AHEAD = 0.1
"""What the best gain of an adjacent place counts, as a share of it."""
PRICE = 0.9
"""Points that one of a bid is worth."""
FLIGHT_PRICE = 1.0
"""The same of a bid for a flight, which takes gold."""
OVETO_FROM = 3.0
"""The gain of a place from which on its bid is worth an oveto."""
LIKING = {
    Card.YAK: 2.0,
    Card.KAMEL: 2.0,
    Card.GONOGO: 2.0,
    Card.KAYAK: 3.0,
    Card.DRAGON: 2.5,
    Card.ZEPPELIN: 2.0,
    Card.SHAMAN: 1.8,
    Card.OVETO: 1.0,
    Card.JUJU: 0.5,
    Card.SANGAIA: 0.8,
    Card.BONGO: 3.5,
    Card.MACAQUE: 2.5,
    Card.ANTIK: 4.0,
    Card.ISTWA: 2.0,
    Card.MARABOU: 4.0,
    Card.BARON_SATURDAY: 2.4,
}
LIKED = np.array([LIKING.get(card, 0.0) for card in Card])
"""How much each kind of card is liked, ``float64[20]``."""
ASKED_LIKING = 6.0
"""How much a card is liked that the destiny counts."""
DECK_LIKING = 2.8
"""How much the top card of the deck is liked."""
BUY_FROM = 3.75
"""How much a card must be liked to be bought."""


@kernel
def greedy(s: Rec, words: Any) -> int:
    """The action of ``greedy`` for the seat that decides."""
    top = s.depth - 1
    seat = s.frame_seat[top]
    decision = s.frame_decision[top]
    if decision == Decision.BID:
        return choose_bid(s, seat, words)
    if decision == Decision.SHARE:
        return choose_share(s, seat)
    if decision == Decision.OVETO:
        return OFFSET.oveto if gain(s, seat, s.bid_place[seat]) >= OVETO_FROM else OFFSET.let_be
    if decision == Decision.DRAW:
        return choose_card(s, seat, OFFSET.draw, -1.0)
    if decision == Decision.BUY:
        return choose_card(s, seat, OFFSET.buy, BUY_FROM)
    if decision == Decision.BONGO:
        return choose_bongo(s, seat)
    if decision == Decision.SANGAIA:
        return OFFSET.sangaia if gain(s, seat, s.camp) < 0.0 else OFFSET.let_be
    if decision == Decision.ONWARD:
        return choose_onward(s, seat)
    if decision == Decision.STARRED or decision == Decision.TELEGRAM or decision == Decision.ANTIK:
        return choose_rejected_treasure(s, seat)
    if decision == Decision.DESTINY:
        return choose_rejected_destiny(s, seat)
    if decision == Decision.VICTIM:
        return choose_player(s, seat, OFFSET.rob, 1)
    if decision == Decision.FIRST_PLAYER or decision == Decision.SECOND_PLAYER:
        return choose_player(s, seat, OFFSET.choose, 0)
    if decision == Decision.PANDA or decision == Decision.HAND_LIMIT:
        return choose_discard(s, seat)
    if decision == Decision.MONSTER:
        return bitset.pick(s.legal, words)
    # The least amount; the first card that pays, and those with gold or a shaman are the last.
    return lowest_legal(s)


@kernel
def appeal(gains: Any, place: int) -> float:
    """What a place brings now, and a part of what the best place next to it would bring."""
    best = 0.0
    near = ADJACENT[place]
    for other in range(NUM_PLACES):
        if (near >> np.uint64(other)) & ONE != NONE:
            best = max(best, gains[other])
    return gains[place] + AHEAD * best


@kernel
def choose_bid(s: Rec, seat: int, words: Any) -> int:
    """I5.1, I12.1: the bid that appeals most, or passing if it does not beat where the expedition would go."""
    gains = all_gains(s, seat)
    best = -np.inf
    chosen = -1
    if has_bit(s.legal, OFFSET.pass_):
        winner = winning_seat(s)
        best = appeal(gains, s.bid_place[winner] if winner >= 0 else s.camp)
        chosen = OFFSET.pass_
    ties = 1
    for way in range(WAYS):
        most = highest_payable(s, seat, way)
        price = FLIGHT_PRICE if way == Way.FLIGHT else PRICE
        for place in range(NUM_PLACES):
            action = named_bid(s, seat, place, way)
            if action < 0:
                continue
            amount = amount_to_win(s, seat, place, way)
            worth = appeal(gains, place) - amount * price
            if amount > most or worth < best:
                continue
            ties = ties + 1 if worth == best else 1
            if worth > best or (chosen != OFFSET.pass_ and rng.below(words, ties) == 0):
                best = worth
                chosen = action
    return chosen if chosen >= 0 else lowest_legal(s)


@kernel
def choose_share(s: Rec, seat: int) -> int:
    """I12.1: as much as puts the bid ahead."""
    top = s.depth - 1
    amount = amount_to_win(s, seat, s.frame_a[top], s.frame_b[top])
    return nearest_legal(s, OFFSET.share + amount)


@kernel
def choose_card(s: Rec, seat: int, first: int, least: float) -> int:
    """I10.1: the card of the display or of the deck that is liked best; with a least liking none if it is less.

    ``first`` is the id of taking the top card of the deck.
    """
    best = DECK_LIKING
    chosen = first
    if least > best:
        best = least
        chosen = OFFSET.let_be
    for card in range(len(CARDS)):
        if s.table[card] > 0:
            likes = liking(s, seat, card, 1)
            if likes > best:
                best = likes
                chosen = first + 1 + card
    return chosen


@kernel
def liking(s: Rec, seat: int, card: int, more: int) -> float:
    """How much a card is liked with so many ``more`` in hand; most if the destiny pays for it (I2.3)."""
    destiny = s.destiny[seat, 0]
    if DESTINY_KIND[destiny] != DestinyKind.CARDS_IN_HAND_AT_END or DESTINY_CARD[destiny] != card:
        return LIKED[card]
    held = copies(s.hand_counts[seat], card) + more
    # What the destiny does not pay for any more is a card like any other.
    return ASKED_LIKING if DESTINY_POINTS[destiny] * (held - 1) < DESTINY_MAX_POINTS[destiny] else LIKED[card]


@kernel
def choose_discard(s: Rec, seat: int) -> int:
    """I10.3, I10.6: the card in hand that is liked least."""
    best = np.inf
    chosen = -1
    for card in range(FIRST_LIGHTNING):
        if holds(s, seat, card):
            likes = liking(s, seat, card, 0)
            if likes < best:
                best = likes
                chosen = OFFSET.discard + card
    return chosen


@kernel
def choose_bongo(s: Rec, seat: int) -> int:
    """I8.3: the treasure that brings most with its bonus."""
    best = 0
    chosen = OFFSET.let_be
    for treasure in range(FIRST_BONUS):
        if has_bit(s.legal, OFFSET.bongo + treasure):
            points_now = VALUE[treasure] + best_bonus(s, seat, treasure)
            if points_now > best:
                best = points_now
                chosen = OFFSET.bongo + treasure
    return chosen


@kernel
def choose_onward(s: Rec, seat: int) -> int:
    """I7.3: the place that appeals most."""
    gains = all_gains(s, seat)
    best = -np.inf
    chosen = -1
    for place in range(NUM_PLACES):
        if has_bit(s.legal, OFFSET.go + place) and appeal(gains, place) > best:
            best = appeal(gains, place)
            chosen = OFFSET.go + place
    return chosen


@kernel
def choose_rejected_treasure(s: Rec, seat: int) -> int:
    """I3.2, I8.4, I10.3: the card of least value."""
    best = np.inf
    chosen = -1
    for treasure in range(TREASURE_KINDS):
        if has_bit(s.legal, OFFSET.reject_treasure + treasure) and VALUE[treasure] < best:
            best = VALUE[treasure]
            chosen = OFFSET.reject_treasure + treasure
    return chosen


@kernel
def choose_rejected_destiny(s: Rec, seat: int) -> int:
    """I3.2, I10.3: of the two the one with fewer points; one that counts cards in hand is kept."""
    rejected = s.destiny[seat, 0]
    if destiny_liking(s.destiny[seat, 1]) < destiny_liking(rejected):
        rejected = s.destiny[seat, 1]
    return OFFSET.reject_destiny + rejected


@kernel
def destiny_liking(destiny: int) -> int:
    """How much a destiny is liked: by its points, twice if it counts cards, which are to be had."""
    likes = DESTINY_MAX_POINTS[destiny]
    return 2 * likes if DESTINY_KIND[destiny] == DestinyKind.CARDS_IN_HAND_AT_END else likes


@kernel
def choose_player(s: Rec, seat: int, first: int, nearest: int) -> int:
    """I10.3: of the others who may be chosen the one with most points. ``first`` is the id of the player ``nearest``
    places clockwise.
    """
    best = -1000
    chosen = -1
    for distance in range(1, s.num_players):
        action = first + distance - nearest
        if has_bit(s.legal, action):
            reached = points(s, clockwise(s, seat, distance))
            if reached > best:
                best = reached
                chosen = action
    return chosen
