"""How ``planner`` draws, buys and discards cards, and what he does with lightning cards (I3.2, I8.4, I10)."""

from __future__ import annotations

from typing import Any

import numpy as np

from isla_dorada_env import board, components
from isla_dorada_env.actions import OFFSET
from isla_dorada_env.components import FIRST_BONUS, TREASURE_KINDS
from isla_dorada_env.policies.gains import best_bonus, markers_left
from isla_dorada_env.policies.places import stop_worths
from isla_dorada_env.policies.prospects import bonus_prospect, destiny_prospect
from isla_dorada_env.policies.reach import REACH
from isla_dorada_env.policies.worths import FIRST_WORTH, added_worth, gold_worth, lasting, worst_card
from isla_dorada_env.rules.hands import copies
from isla_dorada_env.vocab import CARDS, FIRST_LIGHTNING
from island_core.bitset import has_bit
from island_core.jit import kernel

Rec = Any

CARD_COPIES = components.CARD_COPIES
VALUE = components.TREASURE_VALUES
PLACE = components.TREASURE_PLACE
ROUTE_ENDS = board.ROUTE_ENDS
NUM_CARDS = len(CARDS)

BUY_MARGIN = 0.1
"""Points by which a card must be worth more than the gold it costs."""
BONUS_PART = 0.5
"""The share of its bonus that counts for a treasure that may be rejected."""


@kernel
def drawn_worth(s: Rec, seat: int, card: int, left: int) -> float:
    """What a card is worth that is drawn: in hand, or by what a lightning card does (I10.2)."""
    if card < FIRST_LIGHTNING:
        return added_worth(s, seat, card, left)
    return FIRST_WORTH[card] * lasting(left)


@kernel
def deck_worth(s: Rec, seat: int, left: int) -> float:
    """The mean worth of the cards that a seat does not see: the top card of the deck is any of them."""
    total = 0.0
    number = 0
    for card in range(NUM_CARDS):
        unseen = CARD_COPIES[card] - s.table[card] - s.discard[card]
        if card < FIRST_LIGHTNING:
            unseen -= copies(s.hand_counts[seat], card)
        if unseen > 0:
            total += unseen * drawn_worth(s, seat, card, left)
            number += unseen
    return total / max(number, 1)


@kernel
def best_card(s: Rec, seat: int, left: int, first: int, least: float, otherwise: int) -> int:
    """I10.1: the action that takes the card worth most, of the deck or the display; ``otherwise`` if none is worth more
    than ``least``. ``first`` is the id of taking the top card of the deck.
    """
    best = least
    chosen = otherwise
    worth = deck_worth(s, seat, left)
    if worth > best:
        best = worth
        chosen = first
    for card in range(NUM_CARDS):
        if s.table[card] > 0:
            worth = drawn_worth(s, seat, card, left)
            if worth > best:
                best = worth
                chosen = first + 1 + card
    return chosen


@kernel
def plan_draw(s: Rec, seat: int) -> int:
    """I10.1: the card that is worth most."""
    return best_card(s, seat, markers_left(s), OFFSET.draw, -np.inf, OFFSET.draw)


@kernel
def plan_buy(s: Rec, seat: int) -> int:
    """I10.1: the card that is worth most, if it is worth more than the gold."""
    left = markers_left(s)
    return best_card(s, seat, left, OFFSET.buy, gold_worth(left) + BUY_MARGIN, OFFSET.let_be)


@kernel
def plan_discard(s: Rec, seat: int) -> int:
    """I10.3, I10.6: the card in hand that is worth least."""
    return OFFSET.discard + worst_card(s, seat, markers_left(s))


@kernel
def plan_rejected_treasure(s: Rec, seat: int) -> int:
    """I3.2, I8.4, I10.3: the card that promises least."""
    left = markers_left(s)
    least = np.inf
    chosen = -1
    for treasure in range(TREASURE_KINDS):
        if has_bit(s.legal, OFFSET.reject_treasure + treasure):
            if treasure < FIRST_BONUS:
                value = VALUE[treasure] + BONUS_PART * best_bonus(s, seat, treasure)
                promise = value * REACH[left, s.camp, PLACE[treasure]]
            else:
                promise = bonus_prospect(s, seat, treasure, s.camp, left, False)
            if promise < least:
                least = promise
                chosen = OFFSET.reject_treasure + treasure
    return chosen


@kernel
def plan_rejected_destiny(s: Rec, seat: int) -> int:
    """I3.2, I10.3: the destiny that promises less."""
    left = markers_left(s)
    first = destiny_prospect(s, seat, s.destiny[seat, 0], s.camp, left, False)
    second = destiny_prospect(s, seat, s.destiny[seat, 1], s.camp, left, False)
    return OFFSET.reject_destiny + s.destiny[seat, 1 if second < first else 0]


@kernel
def plan_monster(s: Rec, seat: int) -> int:
    """I9.1: on the route from the camp to the worst place next to it."""
    worths = stop_worths(s, seat)
    worst = np.inf
    chosen = -1
    for route in range(len(ROUTE_ENDS)):
        if has_bit(s.legal, OFFSET.place + route):
            worth = 1000.0
            if ROUTE_ENDS[route, 0] == s.camp:
                worth = worths[ROUTE_ENDS[route, 1]]
            elif ROUTE_ENDS[route, 1] == s.camp:
                worth = worths[ROUTE_ENDS[route, 0]]
            if worth < worst:
                worst = worth
                chosen = OFFSET.place + route
    return chosen
