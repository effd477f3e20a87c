"""I5: bidding, the basic game; what cooperative bidding (I12) shares with it."""

from __future__ import annotations

from typing import Any

import numpy as np

from isla_dorada_env.actions import OFFSET
from isla_dorada_env.board import NUM_PLACES
from isla_dorada_env.decisions import Decision, Stage
from isla_dorada_env.events import Event
from isla_dorada_env.rules.bids import clear_bids, forget_bid, last_bidder, same_bid, total, write_bid
from isla_dorada_env.rules.hands import holds, lay_out
from isla_dorada_env.rules.movement import open_destinations
from isla_dorada_env.rules.payment import highest_payable, most_with_gold, payable_without_gold
from isla_dorada_env.rules.seats import begin_stage, clockwise, leader
from isla_dorada_env.vocab import Card, Way
from island_core.bitset import set_bit, set_bits
from island_core.decisions import pop, push, retop
from island_core.events import EVERYBODY, event
from island_core.jit import kernel

Rec = Any

WAYS = len(Way)
NONE = np.uint64(0)
OVETO_FROM = 4
"""I5.4: an oveto follows a bid of at least this much."""


MOST_IN_EVENT = 127
"""The largest number an event holds; more than any total with the packaged components."""


@kernel
def begin_bidding(s: Rec, seat: int) -> None:
    """I5.1: a round begins with the bidding, which the leader opens."""
    s.depth = 0
    push(s, Decision.ROUND, seat, Stage.BIDDING, 0)
    clear_bids(s)
    s.last_route = -1
    event(s, Event.ROUND, seat, -1, -1, EVERYBODY)
    push(s, Decision.BID, seat, -1, -1)


@kernel
def next_bidder(s: Rec, seat: int, last: int) -> int:
    """I5.1, I5.5: who bids after a seat; -1 if the turn would return to ``last``."""
    other = clockwise(s, seat, 1)
    while other != last and (s.barred >> other) & 1:
        other = clockwise(s, other, 1)
    return -1 if other == last else other


@kernel
def bidding_goes_on(s: Rec, other: int) -> None:
    """Ask the next bidder, or with -1 end the bidding. A frame of the bidding is on top."""
    if other < 0:
        bidding_over(s)
    else:
        retop(s, Decision.BID, other, -1, -1)


@kernel
def legal_jujus(s: Rec, words: Any, seat: int) -> None:
    """I5.5: each other player who is not barred."""
    if holds(s, seat, Card.JUJU):
        for distance in range(1, s.num_players):
            if not (s.barred >> clockwise(s, seat, distance)) & 1:
                set_bit(words, OFFSET.juju + distance - 1)


@kernel
def apply_juju(s: Rec, action: int) -> None:
    """I5.5: the player is barred; the same seat is asked again."""
    seat = s.frame_seat[s.depth - 1]
    barred = clockwise(s, seat, action - OFFSET.juju + 1)
    s.barred |= 1 << barred
    lay_out(s, seat, Card.JUJU, Event.PLAY, barred)


@kernel
def least_amount(s: Rec, last: int, way: int) -> int:
    """I5.1, I5.3: the least amount of the bid after that of seat ``last``, or with -1 of the first; basic game."""
    if last >= 0:
        return s.bid_amount[last] + 1
    return 1 if way == Way.FLIGHT else 0


@kernel
def legal_without_bid(s: Rec, words: Any, seat: int, last: int, may_bid: bool) -> None:
    """I5.1, I5.5, I5.7: passing, unless the leader opens and can; jujus. Seat ``last`` bid last, -1 for none."""
    if not may_bid or last >= 0 or seat != leader(s):
        set_bit(words, OFFSET.pass_)
    legal_jujus(s, words, seat)


@kernel
def legal_bid(s: Rec, words: Any) -> None:
    """I5.1 to I5.3: open destinations by every way whose least amount can be paid; passing unless the leader opens."""
    seat = s.frame_seat[s.depth - 1]
    counts = s.hand_counts[seat]
    costly = most_with_gold(s, seat, counts)
    last = last_bidder(s)
    camp = s.camp
    may_bid = False
    for way in range(WAYS):
        if payable_without_gold(counts, way, 0) + costly >= least_amount(s, last, way):
            destinations = open_destinations(s, camp, way)
            set_bits(words, OFFSET.bid + way * NUM_PLACES, destinations)
            may_bid |= destinations != NONE
    legal_without_bid(s, words, seat, last, may_bid)


@kernel
def apply_bid(s: Rec, action: int) -> None:
    """I5.1, I5.5: name a destination and a way, pass, or bar a player."""
    seat = s.frame_seat[s.depth - 1]
    if action < OFFSET.amount:
        retop(s, Decision.AMOUNT, seat, action % NUM_PLACES, action // NUM_PLACES)
    elif action == OFFSET.pass_:
        apply_pass(s, seat)
    else:
        apply_juju(s, action)


@kernel
def apply_pass(s: Rec, seat: int) -> None:
    """I5.1: passing does not shut a player out; the bidding is over once the turn returns to the last bidder or,
    without one, the leader.
    """
    event(s, Event.PASS, seat, -1, -1, EVERYBODY)
    s.passed |= 1 << seat
    last = last_bidder(s)
    bidding_goes_on(s, next_bidder(s, seat, last if last >= 0 else leader(s)))


@kernel
def amounts_between(least: int, most: int) -> np.uint64:
    """The bit set of the numbers from ``least`` to ``most``, both included."""
    if most < least:
        return np.uint64(0)
    return (np.uint64(2) << np.uint64(most)) - (np.uint64(1) << np.uint64(least))


@kernel
def legal_amount(s: Rec, words: Any) -> None:
    """I5.1, I5.3: every amount from the least to the highest that can be paid."""
    top = s.depth - 1
    way = s.frame_b[top]
    least = least_amount(s, last_bidder(s), way)
    set_bits(words, OFFSET.amount, amounts_between(least, highest_payable(s, s.frame_seat[top], way)))


@kernel
def apply_amount(s: Rec, action: int) -> None:
    """I5.1: the bid stands."""
    top = s.depth - 1
    seat = s.frame_seat[top]
    place = s.frame_a[top]
    way = s.frame_b[top]
    amount = action - OFFSET.amount
    write_bid(s, seat, place, way, amount, False)
    event(s, Event.BID, seat, way * NUM_PLACES + place, amount, EVERYBODY)
    bid_stands(s, seat)


@kernel
def bid_stands(s: Rec, seat: int) -> None:
    """I5.4, I12.5, I4.2: after one's own bid comes the oveto, unless nobody else may bid; then the next bidder."""
    other = next_bidder(s, seat, seat)
    if other >= 0 and total(s, seat) >= OVETO_FROM and (s.polls_all or holds(s, seat, Card.OVETO)):
        retop(s, Decision.OVETO, seat, -1, -1)
    else:
        bidding_goes_on(s, other)


@kernel
def legal_oveto(s: Rec, words: Any) -> None:
    """I5.4: end the bidding with an oveto, or let it go on."""
    if holds(s, s.frame_seat[s.depth - 1], Card.OVETO):
        set_bit(words, OFFSET.oveto)
    set_bit(words, OFFSET.let_be)


@kernel
def apply_oveto(s: Rec, action: int) -> None:
    """I5.4: the bidding is over, or the next player bids."""
    seat = s.frame_seat[s.depth - 1]
    if action == OFFSET.oveto:
        lay_out(s, seat, Card.OVETO, Event.PLAY, -1)
        bidding_over(s)
    else:
        bidding_goes_on(s, next_bidder(s, seat, seat))


@kernel
def winning_seat(s: Rec) -> int:
    """A member of the bid that wins. I5.1: the last bidder; I12.3: of the highest total, and of equal ones the bid that
    reached it first.
    """
    if not s.cooperative:
        return last_bidder(s)
    # A total grows when a member bids, joins or raises, and never falls: the order of each bid's last growth is that in
    # which the totals were reached.
    best = -1
    for place in range(6):
        seat = s.bid_raised[place]
        if seat >= 0:
            grew_later = False
            for later in range(place + 1, 6):
                if s.bid_raised[later] >= 0 and same_bid(s, seat, s.bid_raised[later]):
                    grew_later = True
            if not grew_later and (best < 0 or total(s, seat) > total(s, best)):
                best = seat
    return best


@kernel
def bidding_over(s: Rec) -> None:
    """I5.6, I12.4: the winner becomes leader and pays; I5.7: without a bid the expedition stays."""
    pop(s)
    winner = winning_seat(s)
    if winner < 0:
        event(s, Event.STAY, leader(s), -1, -1, EVERYBODY)
        begin_stage(s, Stage.DRAWING)
        return
    amount = total(s, winner)
    s.winning_total += amount
    for other in range(s.num_players):
        if other != winner and not (s.cooperative and same_bid(s, winner, other)):
            forget_bid(s, other)
    # Of several members the one with the highest share leads, of equal ones the first to join.
    first = -1
    for place in range(6):
        seat = s.bid_joined[place]
        if seat >= 0 and s.bid_place[seat] >= 0 and (first < 0 or s.bid_amount[seat] > s.bid_amount[first]):
            first = seat
    s.frame_seat[0] = first
    bid = s.bid_way[first] * NUM_PLACES + s.bid_place[first]
    event(s, Event.WINNER, first, bid, min(amount, MOST_IN_EVENT), EVERYBODY)
    begin_stage(s, Stage.PAYMENT)
