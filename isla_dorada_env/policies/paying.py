"""How ``planner`` pays (I6), moves on (I7.3) and lays treasures by bongos (I8.3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from isla_dorada_env import components
from isla_dorada_env.actions import NUM_ANIMALS, OFFSET
from isla_dorada_env.board import NUM_PLACES
from isla_dorada_env.components import FIRST_BONUS
from isla_dorada_env.policies.gains import best_bonus, markers_left, rounds_after
from isla_dorada_env.policies.places import sangaia_cost, stop_worths
from isla_dorada_env.policies.reach import REACH
from isla_dorada_env.policies.worths import card_worth, gold_worth, price
from isla_dorada_env.rules.hands import copies, one
from isla_dorada_env.rules.movement import onward
from isla_dorada_env.rules.seats import leader
from isla_dorada_env.vocab import PAYING_CARDS, Card
from island_core.bitset import has_bit, lowest
from island_core.jit import kernel

Rec = Any

VALUE = components.TREASURE_VALUES
PLACE = components.TREASURE_PLACE
CARD_VALUE = components.CARD_VALUES
CARD_COST = components.CARD_GOLD
PAYING = len(PAYING_CARDS)
ONE = np.uint64(1)
NONE = np.uint64(0)

SANGAIA_FROM = 0.2
"""Points that a stop must be worse than the mean of those after it for a sangaia, if another leads on."""
BONGO_FROM = 0.5
"""Points above its worth that a bongo must bring."""


@kernel
def plan_payment(s: Rec, seat: int) -> int:
    """I6.3: the card that begins the cheapest payment of what is due."""
    top = s.depth - 1
    due = s.frame_a[top]
    turned = s.frame_b[top]
    way = s.bid_way[seat]
    left = rounds_after(s)
    best = np.inf
    chosen = -1
    for card in range(PAYING + NUM_ANIMALS):
        # First each card by itself, then the animals with a shaman.
        with_shaman = card >= PAYING
        kind = card - PAYING if with_shaman else card
        action = OFFSET.pay_with_shaman + kind if with_shaman else OFFSET.pay + kind
        if not has_bit(s.legal, action):
            continue
        counts = s.hand_counts[seat]
        cost = card_worth(s, seat, kind, copies(counts, kind), left) + gold_worth(left) * CARD_COST[kind]
        counts -= one(kind)
        after = turned
        if with_shaman:
            cost += card_worth(s, seat, Card.SHAMAN, copies(counts, Card.SHAMAN), left)
            counts -= one(Card.SHAMAN)
            after |= 1 << kind
        cost += price(s, seat, counts, s.gold[seat] - CARD_COST[kind], way, due - CARD_VALUE[kind], after, left)
        if cost < best:
            best = cost
            chosen = action
    return chosen


@kernel
def plan_sangaia(s: Rec, seat: int) -> int:
    """I7.3: go on if a place after this one is better; where another leads on, if their mean is better by far."""
    worths = stop_worths(s, seat)
    cost = sangaia_cost(s, seat)
    best = -np.inf
    total = 0.0
    number = 0
    places = onward(s)
    while places != NONE:
        worth = worths[lowest(places)]
        places &= places - ONE
        best = max(best, worth)
        total += worth
        number += 1
    gain = best - worths[s.camp] - cost
    if leader(s) != seat:
        gain = total / max(number, 1) - worths[s.camp] - cost - SANGAIA_FROM
    return OFFSET.sangaia if gain > 0.0 else OFFSET.let_be


@kernel
def plan_onward(s: Rec, seat: int) -> int:
    """I7.3: the best place the move can go on to."""
    worths = stop_worths(s, seat)
    best = -np.inf
    chosen = -1
    for place in range(NUM_PLACES):
        if has_bit(s.legal, OFFSET.go + place) and worths[place] > best:
            best = worths[place]
            chosen = OFFSET.go + place
    return chosen


@kernel
def plan_bongo(s: Rec, seat: int) -> int:
    """I8.3: lay the treasure that gains most by being laid now, if that is worth a bongo."""
    left = markers_left(s)
    held = copies(s.hand_counts[seat], Card.BONGO)
    best = 0.0
    if left > 0 and held > 0:
        best = card_worth(s, seat, Card.BONGO, held, left) + BONGO_FROM
    chosen = OFFSET.let_be
    for treasure in range(FIRST_BONUS):
        if has_bit(s.legal, OFFSET.bongo + treasure):
            value = VALUE[treasure] + best_bonus(s, seat, treasure)
            gain = value * (1.0 - REACH[left, s.camp, PLACE[treasure]])
            if gain > best:
                best = gain
                chosen = OFFSET.bongo + treasure
    return chosen
