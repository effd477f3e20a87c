"""I12: cooperative bidding. What it shares with the basic game is in ``bidding``."""

from __future__ import annotations

from typing import Any

import numpy as np

from isla_dorada_env.actions import OFFSET
from isla_dorada_env.board import NUM_PLACES
from isla_dorada_env.decisions import Decision
from isla_dorada_env.events import Event
from isla_dorada_env.rules.bidding import (
    NONE,
    WAYS,
    amounts_between,
    apply_juju,
    apply_pass,
    bid_stands,
    legal_without_bid,
)
from isla_dorada_env.rules.bids import last_bidder, members, write_bid
from isla_dorada_env.rules.movement import open_destinations
from isla_dorada_env.rules.payment import highest_payable, most_with_gold, payable_without_gold
from isla_dorada_env.rules.seats import leader
from isla_dorada_env.vocab import Way
from island_core.bitset import set_bit, set_bits
from island_core.decisions import retop
from island_core.events import EVERYBODY, event
from island_core.jit import kernel

Rec = Any


@kernel
def standing_bids(s: Rec, way: int) -> np.uint64:
    """I12.6: the destinations of the bids that stand for a way."""
    places = np.uint64(0)
    for seat in range(s.num_players):
        if s.bid_way[seat] == way:
            places |= np.uint64(1) << np.uint64(s.bid_place[seat])
    return places


@kernel
def least_share(s: Rec, seat: int, last: int, way: int) -> int:
    """I12.1, I12.2: the least share in a new bid or a joined one: 1, for the leader's opening 0, but 1 for a flight
    (I5.3); more than what is given up; in one's own bid more than before. Seat ``last`` bid last, -1 for none.
    """
    if s.bid_place[seat] >= 0:
        return s.bid_amount[seat] + 1
    if last < 0 and seat == leader(s) and way != Way.FLIGHT:
        return 0
    return 1


@kernel
def legal_cooperative_bid(s: Rec, words: Any) -> None:
    """I12.1, I12.2: new bids, joining, raising; passing unless the leader opens."""
    seat = s.frame_seat[s.depth - 1]
    counts = s.hand_counts[seat]
    costly = most_with_gold(s, seat, counts)
    last = last_bidder(s)
    own_way = s.bid_way[seat]
    free_to_go = own_way < 0 or members(s, seat) == 1
    may_bid = False
    for way in range(WAYS):
        if payable_without_gold(counts, way, 0) + costly >= least_share(s, seat, last, way):
            if way == own_way:
                set_bit(words, OFFSET.raise_)
            if free_to_go:
                destinations = open_destinations(s, s.camp, way)
                others = standing_bids(s, way)
                set_bits(words, OFFSET.bid + way * NUM_PLACES, destinations & ~others)
                may_bid |= destinations != NONE
                if way == own_way:
                    others &= ~(np.uint64(1) << np.uint64(s.bid_place[seat]))
                set_bits(words, OFFSET.join + way * NUM_PLACES, others)
    legal_without_bid(s, words, seat, last, may_bid)


@kernel
def apply_cooperative_bid(s: Rec, action: int) -> None:
    """I12.1: say what is bid on, or pass, or bar a player (I5.5)."""
    seat = s.frame_seat[s.depth - 1]
    if action < OFFSET.amount:
        retop(s, Decision.SHARE, seat, action % NUM_PLACES, action // NUM_PLACES)
    elif action == OFFSET.pass_:
        apply_pass(s, seat)
    elif action < OFFSET.join:
        apply_juju(s, action)
    elif action == OFFSET.raise_:
        retop(s, Decision.SHARE, seat, s.bid_place[seat], s.bid_way[seat])
    else:
        bid = action - OFFSET.join
        retop(s, Decision.SHARE, seat, bid % NUM_PLACES, bid // NUM_PLACES)


@kernel
def legal_share(s: Rec, words: Any) -> None:
    """I12.1, I12.6: every share from the least to the highest that can be paid."""
    top = s.depth - 1
    seat = s.frame_seat[top]
    way = s.frame_b[top]
    least = least_share(s, seat, last_bidder(s), way)
    set_bits(words, OFFSET.share, amounts_between(least, highest_payable(s, seat, way)))


@kernel
def apply_share(s: Rec, action: int) -> None:
    """I12.1, I12.2: the bid stands; one that is given up is gone."""
    top = s.depth - 1
    seat = s.frame_seat[top]
    place = s.frame_a[top]
    way = s.frame_b[top]
    kind = Event.BID
    if s.bid_place[seat] == place and s.bid_way[seat] == way:
        kind = Event.RAISE
    elif (standing_bids(s, way) >> np.uint64(place)) & np.uint64(1):
        kind = Event.JOIN
    share = action - OFFSET.share
    write_bid(s, seat, place, way, share, kind == Event.RAISE)
    event(s, kind, seat, way * NUM_PLACES + place, share, EVERYBODY)
    bid_stands(s, seat)
