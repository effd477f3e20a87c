"""How ``planner`` bids (I5, I12): for the journey that is worth most after its price, as long as that beats what would
happen without him.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from isla_dorada_env.actions import OFFSET
from isla_dorada_env.board import NUM_PLACES
from isla_dorada_env.policies.bids import amount_to_win, lowest_legal, named_bid, nearest_legal
from isla_dorada_env.policies.gains import markers_left, rounds_after
from isla_dorada_env.policies.places import journey_worth, sangaia_cost, sea_loss, stop_worths
from isla_dorada_env.policies.prospects import prospects
from isla_dorada_env.policies.worths import card_worth, hand_price
from isla_dorada_env.rules.bidding import WAYS, winning_seat
from isla_dorada_env.rules.hands import copies
from isla_dorada_env.rules.movement import open_destinations
from isla_dorada_env.rules.payment import highest_payable
from isla_dorada_env.rules.seats import relative
from isla_dorada_env.vocab import ROUTE_WAYS, Card
from island_core.bitset import has_bit, lowest
from island_core.jit import kernel

Rec = Any

ONE = np.uint64(1)
NONE = np.uint64(0)

MARGIN = 0.1
"""Points by which a bid must beat passing."""
SAME_PRICE = 0.001
"""Points that two prices may differ by and be the same."""
JUJU_FROM = 2.5
"""Points that a bid must be better than the top bid for its bidder to be barred."""
OVETO_FROM = 2.0
"""Points that the own bid must be better than where others would go for an oveto."""


@kernel
def plan_bid(s: Rec, seat: int) -> int:
    """I5.1, I5.5, I12.1: the best bid, passing if none beats it, and a juju before a bid that matters."""
    worths = stop_worths(s, seat)
    winner = winning_seat(s)
    passing = -np.inf
    if winner >= 0:
        passing = worths[s.bid_place[winner]] - sea_loss(s, seat, s.camp, s.bid_way[winner], s.bid_place[winner])
    elif has_bit(s.legal, OFFSET.pass_):
        passing = prospects(s, seat, s.camp, markers_left(s), False)
    best = passing + MARGIN
    chosen = OFFSET.pass_
    sangaia = sangaia_cost(s, seat)
    left = rounds_after(s)
    for way in range(WAYS):
        most = highest_payable(s, seat, way)
        amount = -1
        cost = 0.0
        for place in range(NUM_PLACES):
            action = named_bid(s, seat, place, way)
            if action < 0:
                continue
            needed = amount_to_win(s, seat, place, way)
            # I12.2: a share only grows.
            if needed > most or (s.cooperative and s.bid_place[seat] >= 0 and needed <= s.bid_amount[seat]):
                continue
            if needed != amount:
                amount = needed
                cost = hand_price(s, seat, way, amount, left)
            worth = journey_worth(s, seat, worths, way, place, sangaia) - cost
            if worth > best:
                best = worth
                chosen = action
    if winner >= 0 and winner != seat and best - passing >= JUJU_FROM:
        juju = OFFSET.juju + relative(s, winner, seat) - 1
        if has_bit(s.legal, juju):
            return juju
    return chosen if has_bit(s.legal, chosen) else lowest_legal(s)


@kernel
def plan_amount(s: Rec, seat: int) -> int:
    """I5.1, I6.3: what is needed to be ahead, and as much more as the same cards pay, for no change is given."""
    top = s.depth - 1
    way = s.frame_b[top]
    first = OFFSET.share if s.cooperative else OFFSET.amount
    action = nearest_legal(s, first + amount_to_win(s, seat, s.frame_a[top], way))
    left = rounds_after(s)
    cost = hand_price(s, seat, way, action - first, left)
    while has_bit(s.legal, action + 1) and hand_price(s, seat, way, action + 1 - first, left) <= cost + SAME_PRICE:
        action += 1
    return action


@kernel
def plan_oveto(s: Rec, seat: int) -> int:
    """I5.4: end the bidding if the own journey is better enough than where others would go instead."""
    worths = stop_worths(s, seat)
    total = 0.0
    number = 0
    for way in range(len(ROUTE_WAYS)):
        places = open_destinations(s, s.camp, way)
        while places != NONE:
            total += worths[lowest(places)]
            places &= places - ONE
            number += 1
    left = rounds_after(s)
    way = s.bid_way[seat]
    own = journey_worth(s, seat, worths, way, s.bid_place[seat], sangaia_cost(s, seat))
    own -= hand_price(s, seat, way, s.bid_amount[seat], left)
    own -= card_worth(s, seat, Card.OVETO, copies(s.hand_counts[seat], Card.OVETO), left)
    return OFFSET.oveto if own - total / max(number, 1) >= OVETO_FROM else OFFSET.let_be
