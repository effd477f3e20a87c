"""I5, I12: who has bid what in this bidding.

Each seat has one bid at most: in the basic game the last one he made, in cooperative bidding the one he belongs to with
his share. Two lists order the seats: by their last bid or join, and by their last bid, join or raise. What a seat has
bid for earlier, and whether he has passed since, no rule asks, but players remember it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from island_core.jit import kernel

Rec = Any


@kernel
def clear_bids(s: Rec) -> None:
    """A new bidding: no bids, nobody has passed or is barred."""
    for seat in range(6):
        forget_bid(s, seat)
        s.bid_joined[seat] = -1
        s.bid_raised[seat] = -1
        s.bid_for[seat] = np.uint64(0)
    s.passed = 0
    s.barred = 0


@kernel
def forget_bid(s: Rec, seat: int) -> None:
    """A seat has no bid; his places in the lists are the caller's business."""
    s.bid_place[seat] = -1
    s.bid_way[seat] = -1
    s.bid_amount[seat] = 0


@kernel
def move_to_end(order: Any, seat: int) -> None:
    """Put a seat at the end of a list of seats that is filled up with -1, whether he is in it or not."""
    gone = False
    for place in range(6):
        if gone:
            if order[place] < 0:
                order[place - 1] = seat
                return
            order[place - 1] = order[place]
        elif order[place] < 0:
            order[place] = seat
            return
        elif order[place] == seat:
            gone = True
    order[5] = seat


@kernel
def last_bidder(s: Rec) -> int:
    """The seat that last bid, joined or raised; -1 before the first bid."""
    found = -1
    for place in range(6):
        if s.bid_raised[place] >= 0:
            found = s.bid_raised[place]
    return found


@kernel
def same_bid(s: Rec, seat: int, other: int) -> bool:
    """Whether two seats have the same bid."""
    return s.bid_place[seat] == s.bid_place[other] and s.bid_way[seat] == s.bid_way[other]


@kernel
def members(s: Rec, seat: int) -> int:
    """I12.1: how many seats belong to the bid of this one."""
    number = 0
    for other in range(s.num_players):
        if same_bid(s, seat, other):
            number += 1
    return number


@kernel
def total(s: Rec, seat: int) -> int:
    """I12.3: the total of the bid a seat belongs to; in the basic game its amount (I5.1)."""
    if not s.cooperative:
        return s.bid_amount[seat]
    amount = 0
    for other in range(s.num_players):
        if same_bid(s, seat, other):
            amount += s.bid_amount[other]
    return amount


@kernel
def write_bid(s: Rec, seat: int, place: int, way: int, amount: int, raised: bool) -> None:
    """A seat bids, joins or, with ``raised``, raises his share; he is the last who did."""
    if not raised:
        move_to_end(s.bid_joined, seat)
    s.bid_place[seat] = place
    s.bid_way[seat] = way
    s.bid_amount[seat] = amount
    s.bid_for[seat] |= np.uint64(1) << np.uint64(place)
    s.passed &= ~(1 << seat)
    move_to_end(s.bid_raised, seat)
