"""Bids as policies see them: which can be named, and what puts one ahead (I5.1, I12)."""

from __future__ import annotations

from typing import Any

import numpy as np

from isla_dorada_env.actions import OFFSET
from isla_dorada_env.board import NUM_PLACES
from isla_dorada_env.rules.bids import last_bidder, same_bid
from isla_dorada_env.vocab import Way
from island_core.bitset import has_bit, lowest
from island_core.jit import kernel

Rec = Any


@kernel
def lowest_legal(s: Rec) -> int:
    """The legal action with the lowest id."""
    word = 0
    while s.legal[word] == np.uint64(0):
        word += 1
    return 64 * word + lowest(s.legal[word])


@kernel
def nearest_legal(s: Rec, amount: int) -> int:
    """The legal action next to one of the blocks ``amount`` and ``share``, whose legal ids follow each other."""
    least = lowest_legal(s)
    action = max(amount, least)
    while not has_bit(s.legal, action):
        action -= 1
    return action


@kernel
def named_bid(s: Rec, seat: int, place: int, way: int) -> int:
    """The legal action that bids for a destination and a way, joins that bid or raises the own share in it; -1 if there
    is none.
    """
    number = way * NUM_PLACES + place
    if has_bit(s.legal, OFFSET.bid + number):
        return OFFSET.bid + number
    if s.cooperative:
        if has_bit(s.legal, OFFSET.join + number):
            return OFFSET.join + number
        if s.bid_place[seat] == place and s.bid_way[seat] == way and has_bit(s.legal, OFFSET.raise_):
            return OFFSET.raise_
    return -1


@kernel
def amount_to_win(s: Rec, seat: int, place: int, way: int) -> int:
    """What a seat must bid, in cooperative bidding as its share, for a destination and a way to be ahead.

    I5.1: one more than the top bid, without one nothing, for a flight 1. I12.3: with what others have laid on the same
    bid, more than any other bid that would stand; at least 1 once there are bids.
    """
    if not s.cooperative:
        last = last_bidder(s)
        if last >= 0:
            return s.bid_amount[last] + 1
        return 1 if way == Way.FLIGHT else 0
    rival = -1
    shared = 0
    for other in range(s.num_players):
        if other != seat and s.bid_place[other] >= 0:
            if s.bid_place[other] == place and s.bid_way[other] == way:
                shared += s.bid_amount[other]
            else:
                laid = 0
                for member in range(s.num_players):
                    if member != seat and same_bid(s, other, member):
                        laid += s.bid_amount[member]
                rival = max(rival, laid)
    if last_bidder(s) < 0:
        return 1 if way == Way.FLIGHT else 0
    return max(rival + 1 - shared, 1)
