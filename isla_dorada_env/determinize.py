"""Redrawing what one seat does not know: the law is in ``docs/determinization.md``."""

from __future__ import annotations

from typing import Any

import numpy as np

from isla_dorada_env.actions import NUM_ANIMALS
from isla_dorada_env.board import NUM_PLACES
from isla_dorada_env.components import (
    DESTINY_COPIES,
    DESTINY_SLOTS,
    FIRST_COMMON_TREASURE,
    NUM_CURSES,
    NUM_DESTINIES,
    TREASURE_COPIES,
    TREASURE_KINDS,
    TREASURE_OF,
)
from isla_dorada_env.decisions import Stage
from isla_dorada_env.rules.engine import derive
from isla_dorada_env.rules.hands import copies, count_hand
from isla_dorada_env.rules.movement import open_destinations
from isla_dorada_env.rules.payment import CARD_ON, highest_payable, most_with_gold
from isla_dorada_env.rules.redraw import shuffle_lot
from isla_dorada_env.rules.seats import leader
from isla_dorada_env.rules.treasures import hand_end, hand_start
from isla_dorada_env.state import LAID, NUM_TREASURES
from isla_dorada_env.vocab import BASE, FIRST_LIGHTNING, Card, TreasureSort, Way
from island_core import rng
from island_core.cards import close_deck, deal_hand, draw_left, lift_unknown, sort_hand
from island_core.events import hide_events
from island_core.jit import kernel

Rec = Any

KIND_OF = TREASURE_OF
COPIES = TREASURE_COPIES
ONE = np.uint64(1)
NONE = np.uint64(0)
NO_BOUND = 127
"""More than anybody can pay."""
MERIT = 64
"""More than what three points for each card of a hand make."""
NUM_SEATS = 6
TRIES = 256
"""How often the hands of the bidders are dealt until they can pay; then they are repaired."""


@kernel
def determinize(states: Any, i: int, seat: int, seed: int) -> None:
    """Redraw in game ``i`` all that the deciding seat does not know, and reseed the generator.

    The result depends on what the seat knows and on the seed, and on nothing else.
    """
    s = states[i]
    rng.seed_words(s.rng, seed, 0, 0)
    redraw_adventure(s, seat)
    redraw_treasures(s, seat)
    redraw_curses(s, seat)
    redraw_destinies(s, seat)
    derive(s)
    hide_events(s, seat)


# Adventure cards, and what the bids say of them


@kernel
def redraw_adventure(s: Rec, seat: int) -> None:
    """Deal the other hands and the deck anew: first the hands of those of whom a bid tells something, until it holds.

    No hand holds a lightning card (I10.2).
    """
    cards = lift_unknown(s, seat, FIRST_LIGHTNING)
    left, bound = deal_bidders(s, seat, cards)
    for other in range(s.num_players):
        if other != seat and not (bound >> other) & 1:
            left = deal_hand(s, other, left)
    close_deck(s, left, cards)
    for other in range(s.num_players):
        sort_hand(s, other)


@kernel
def least_to_pay(s: Rec, other: int) -> int:
    """I5.3, I12.1: what a seat must be able to pay: its bid while the bidding goes on, its share until it has paid."""
    stage = s.frame_a[0]
    if stage == Stage.BIDDING:
        return s.bid_amount[other]
    if stage == Stage.PAYMENT:
        for place in range(s.frame_b[0], 6):
            if s.bid_joined[place] == other:
                return s.bid_amount[other]
    return 0


@kernel
def most_to_pay(s: Rec, other: int) -> int:
    """I5.7: what a leader can pay for a flight at most who had to open the bidding and did not: nothing, if flights
    alone are open. By any other way he could have bid 0.
    """
    if s.frame_a[0] != Stage.BIDDING or other != leader(s) or s.bid_place[other] >= 0:
        return NO_BOUND
    for way in range(Way.FLIGHT):
        if open_destinations(s, s.camp, way) != NONE:
            return NO_BOUND
    return NO_BOUND if open_destinations(s, s.camp, Way.FLIGHT) == NONE else 0


@kernel
def payable_now(s: Rec, other: int) -> int:
    """What a hand can pay for its bid, or without one for a flight."""
    count_hand(s, other)
    if s.bid_place[other] < 0:
        return most_with_gold(s, other, s.hand_counts[other])
    return highest_payable(s, other, s.bid_way[other])


@kernel
def bid_holds(s: Rec, other: int) -> bool:
    """Whether what a hand can pay agrees with the bids."""
    payable = payable_now(s, other)
    return least_to_pay(s, other) <= payable and payable <= most_to_pay(s, other)


@kernel
def distance_to_bid(s: Rec, other: int, animal: int) -> int:
    """How far a hand is from what the bids say, 0 if it agrees: what it can pay counts most, then how many cards it has
    that pay for the bid, with ``animal`` the one that a shaman is to turn.
    """
    payable = payable_now(s, other)
    missing = least_to_pay(s, other) - payable
    excess = payable - most_to_pay(s, other)
    if missing <= 0 and excess <= 0:
        return 0
    counts = s.hand_counts[other]
    with_gold = copies(counts, Card.DRAGON) + copies(counts, Card.ZEPPELIN)
    if excess > 0:
        return excess * MERIT + with_gold
    merit = with_gold
    way = s.bid_way[other]
    if way != Way.FLIGHT:
        merit += 3 * copies(counts, CARD_ON[way])
        if way != Way.WATER:
            merit += 2 * copies(counts, animal) + 2 * min(copies(counts, Card.SHAMAN), 1)
    return missing * MERIT + MERIT - 1 - merit


@kernel
def deal_bidders(s: Rec, seat: int, cards: int) -> tuple[int, int]:
    """Deal to those of whom a bid tells something; returns how many cards are left and the bit set of these seats."""
    bound = 0
    for other in range(s.num_players):
        if other != seat and (least_to_pay(s, other) > 0 or most_to_pay(s, other) < NO_BOUND):
            bound |= 1 << other
    left = cards
    if bound == 0:
        return left, bound
    for _ in range(TRIES):
        left = cards
        holds = True
        for other in range(s.num_players):
            if holds and (bound >> other) & 1:
                left = deal_hand(s, other, left)
                holds = bid_holds(s, other)
        if holds:
            return left, bound
    left = cards
    dealt = 0
    for other in range(s.num_players):
        if (bound >> other) & 1:
            left = deal_hand(s, other, left)
            repair(s, other, left, dealt)
            dealt |= 1 << other
    return left, bound


@kernel
def repair(s: Rec, other: int, left: int, dealt: int) -> None:
    """Exchange unknown cards of a hand for others, one after the other, until the bid holds or no exchange helps.

    An exchange helps if it brings the hand nearer to what the bid says; one animal after the other is the one that a
    shaman is to turn. The other cards are the first ``left`` ones and those of the hands ``dealt`` (a bit set), as long
    as the bids of these hold.
    """
    best = 1
    for animal in range(NUM_ANIMALS):
        if best > 0:
            best = distance_to_bid(s, other, animal)
            before = best + 1
            while best > 0 and best < before:
                before = best
                for place in range(s.hand_size[other]):
                    if s.knowers[other, place] == 0:
                        best = exchange_with_rest(s, other, place, left, animal, best)
                        for giver in range(s.num_players):
                            if (dealt >> giver) & 1:
                                best = exchange_with_hand(s, other, place, giver, animal, best)


@kernel
def exchange_with_rest(s: Rec, other: int, place: int, left: int, animal: int, best: int) -> int:
    """Exchange a hand card for the one of the cards left that helps most; returns the distance to the bid."""
    for k in range(left):
        card = s.hand[other, place]
        s.hand[other, place] = s.deck[k]
        distance = distance_to_bid(s, other, animal)
        if distance < best:
            best = distance
            s.deck[k] = card
        else:
            s.hand[other, place] = card
    return best


@kernel
def exchange_with_hand(s: Rec, other: int, place: int, giver: int, animal: int, best: int) -> int:
    """The same for the unknown cards of another bidder, who must still be able to pay."""
    for k in range(s.hand_size[giver]):
        if s.knowers[giver, k] == 0:
            card = s.hand[other, place]
            s.hand[other, place] = s.hand[giver, k]
            s.hand[giver, k] = card
            distance = distance_to_bid(s, other, animal)
            if distance < best and bid_holds(s, giver):
                best = distance
            else:
                s.hand[giver, k] = s.hand[other, place]
                s.hand[other, place] = card
    return best


# Treasures, curses, destinies: the cards to deal stand in an array, those that a hand can hold first


@kernel
def join_rest(cards: Any, left: int, free: int, number: int) -> int:
    """Close the gap when ``left`` of the first ``free`` of so many cards are left; returns how many are left in all."""
    for k in range(free, number):
        cards[left + k - free] = cards[k]
    return left + number - free


@kernel
def visible_treasure(s: Rec, seat: int, entry: int) -> bool:
    """Whether a seat knows a card in the list of those in hand: it is its own, or it is certain of it."""
    own = hand_start(s, seat) <= entry and entry < hand_end(s, seat)
    return own or (s.treasure_knowers[entry] >> seat) & 1 != 0


@kernel
def redraw_treasures(s: Rec, seat: int) -> None:
    """I2.2: treasures in other hands, those that others have rejected, and the deck. Everybody sees which cards are
    starred.
    """
    counts = np.empty(TREASURE_KINDS, np.int64)
    for treasure in range(TREASURE_KINDS):
        counts[treasure] = COPIES[treasure]
    hidden_starred = 0
    hidden_common = 0
    for entry in range(s.treasure_start[6]):
        if visible_treasure(s, seat, entry):
            counts[s.treasure_card[entry]] -= 1
        elif s.treasure_card[entry] < FIRST_COMMON_TREASURE:
            hidden_starred += 1
        else:
            hidden_common += 1
    for entry in range(s.laid_total):
        counts[s.laid_card[entry]] -= 1
    if s.starred_rejected[seat] >= 0:
        counts[s.starred_rejected[seat]] -= 1
    if s.telegram_rejected[seat] >= 0:
        counts[s.telegram_rejected[seat]] -= 1
    for place in range(s.treasure_deck_size):
        if (s.treasure_deck_knowers[place] >> seat) & 1:
            counts[s.treasure_deck[place]] -= 1
    cards = np.empty(NUM_TREASURES, np.int64)
    redraw_starred(s, seat, counts, cards, hidden_starred)
    redraw_common(s, seat, counts, cards, hidden_common)
    for other in range(s.num_players):
        if other != seat:
            sort_treasures(s, other, 1 << seat)


@kernel
def deal_treasures(
    s: Rec, seat: int, cards: Any, free: int, number: int, hidden: int, starred: bool, rejected: Any
) -> int:
    """Deal so many treasures: the ``hidden`` ones of other hands, starred or not, from the first ``free`` alone, then
    those that others have rejected. Returns how many are left.
    """
    if free < hidden:  # a position put together by hand
        free = number
    left = free
    for entry in range(s.treasure_start[6]):
        common = s.treasure_card[entry] >= FIRST_COMMON_TREASURE
        if common != starred and not visible_treasure(s, seat, entry):
            s.treasure_card[entry] = draw_left(s, cards, left)
            left -= 1
    left = join_rest(cards, left, free, number)
    for other in range(s.num_players):
        if other != seat and rejected[other] >= 0:
            rejected[other] = draw_left(s, cards, left)
            left -= 1
    return left


@kernel
def redraw_starred(s: Rec, seat: int, counts: Any, cards: Any, hidden: int) -> None:
    """I3.2: the starred treasures that others hold or have rejected; what is left has left the game unseen.

    None of those in a hand is of a place with a marker: there it would have been laid (I8.2).
    """
    number = 0
    for visited in range(2):
        free = number
        for place in range(NUM_PLACES):
            if place != BASE and (s.markers[place] > 0) == (visited == 1):
                treasure = KIND_OF[TreasureSort.STARRED, place]
                for _ in range(counts[treasure]):
                    cards[number] = treasure
                    number += 1
    deal_treasures(s, seat, cards, free, number, hidden, True, s.starred_rejected)


@kernel
def redraw_common(s: Rec, seat: int, counts: Any, cards: Any, hidden: int) -> None:
    """The other treasures. Right after the arrival nobody holds one of the camp: he would have laid it (I8.2)."""
    laid = -1
    if s.frame_a[0] == Stage.BONGO and s.camp != BASE:
        laid = KIND_OF[TreasureSort.COMMON, s.camp]
    number = 0
    for treasure in range(FIRST_COMMON_TREASURE, TREASURE_KINDS):
        if treasure != laid:
            for _ in range(counts[treasure]):
                cards[number] = treasure
                number += 1
    free = number
    if laid >= 0:
        for _ in range(counts[laid]):
            cards[number] = laid
            number += 1
    left = deal_treasures(s, seat, cards, free, number, hidden, False, s.telegram_rejected)
    for lot in range(1, 3):
        order_lot(s, seat, lot)
    for place in range(s.treasure_deck_size):
        if not (s.treasure_deck_knowers[place] >> seat) & 1:
            s.treasure_deck[place] = draw_left(s, cards, left)
            left -= 1


@kernel
def order_lot(s: Rec, seat: int, lot: int) -> None:
    """I8.4: which card of a telegram's lot lies where nobody knows.

    As long as none has been drawn the lot has a card of each of several players; afterwards only he who drew may know
    one that is left, and whether he does the others cannot tell, so of them nobody is taken to.
    """
    first = 0
    while first < s.treasure_deck_size and s.treasure_deck_lot[first] != lot:
        first += 1
    number = 0
    players = 0
    known = 0
    own = -1
    while first + number < s.treasure_deck_size and s.treasure_deck_lot[first + number] == lot:
        place = first + number
        if s.treasure_deck_knowers[place] != 0:
            players |= s.treasure_deck_knowers[place]
            known += 1
        if (s.treasure_deck_knowers[place] >> seat) & 1:
            own = s.treasure_deck[place]
        number += 1
    if number == 0:
        return
    if known < number or number == 1:
        players &= 1 << seat
    # First in the order of the seats, so that the true order has no part in it; then shuffled.
    put = 0
    for other in range(NUM_SEATS):
        if (players >> other) & 1:
            s.treasure_deck_knowers[first + put] = 1 << other
            s.treasure_deck[first + put] = own if other == seat else 0
            put += 1
    for k in range(put, number):
        s.treasure_deck_knowers[first + k] = 0
    shuffle_lot(s.rng, s.treasure_deck, s.treasure_deck_knowers, first, number)


@kernel
def sort_treasures(s: Rec, other: int, bit: int) -> None:
    """Put a hand in the order of its kinds, those cards first of which the seat of ``bit`` is certain, and it alone."""
    first = hand_start(s, other)
    for entry in range(first, hand_end(s, other)):
        card = s.treasure_card[entry]
        known = s.treasure_knowers[entry] & bit
        to = entry
        while to > first and (
            s.treasure_card[to - 1] > card or (s.treasure_card[to - 1] == card and s.treasure_knowers[to - 1] < known)
        ):
            s.treasure_card[to] = s.treasure_card[to - 1]
            s.treasure_knowers[to] = s.treasure_knowers[to - 1]
            to -= 1
        s.treasure_card[to] = card
        s.treasure_knowers[to] = known


@kernel
def redraw_curses(s: Rec, seat: int) -> None:
    """I2.3: the curses in other hands and in the deck.

    Cards never change hands, and a curse in hand is laid when the expedition comes to its place (I8.1). So who has got
    none after the set-up holds none of a place with a marker, and until something is drawn again nobody holds that of
    the camp.
    """
    held = np.zeros(NUM_SEATS, np.int64)
    total = np.zeros(NUM_SEATS, np.int64)
    cards = np.empty(NUM_CURSES, np.int64)
    arrived = s.camp != BASE and (s.frame_a[0] == Stage.BONGO or s.frame_a[0] == Stage.TELEGRAM)
    unvisited = 0
    free = 0
    number = 0
    for part in range(3):
        unvisited = number if part == 1 else unvisited
        free = number
        for place in range(NUM_PLACES):
            hidden = place != BASE and s.curse_at[place] < LAID and s.curse_at[place] != seat
            visited = 0
            if s.markers[place] > 0:
                visited = 2 if arrived and place == s.camp else 1
            if hidden and visited == part:
                cards[number] = place
                number += 1
    early = 0
    late = 0
    for place in range(NUM_PLACES):
        holder = s.curse_at[place]
        if holder >= LAID:
            total[holder - LAID] += 1
        elif holder >= 0:
            total[holder] += 1
            if holder != seat:
                held[holder] += 1
                s.curse_at[place] = -1
    for other in range(s.num_players):
        early += held[other] if total[other] <= 1 else 0
        late += held[other] if total[other] > 1 else 0
    if unvisited < early or free < early + late:  # a position put together by hand
        unvisited = number
        free = number
    left = deal_curses(s, cards, unvisited, held, total, True)
    # The first ``free`` cards have become fewer by those dealt, and all that stand behind them move up.
    left = join_rest(cards, left, unvisited, number)
    free -= early
    number -= early
    left = join_rest(cards, deal_curses(s, cards, free, held, total, False), free, number)
    for place in range(s.curse_deck_size):
        s.curse_deck[place] = draw_left(s, cards, left)
        left -= 1


@kernel
def deal_curses(s: Rec, cards: Any, left: int, held: Any, total: Any, first: bool) -> int:
    """Deal the curses of those who have got one only, or with ``first`` false the others'; returns how many cards are
    left.
    """
    for other in range(s.num_players):
        if (total[other] <= 1) == first:
            for _ in range(held[other]):
                s.curse_at[draw_left(s, cards, left)] = other
                left -= 1
    return left


@kernel
def redraw_destinies(s: Rec, seat: int) -> None:
    """I2.3: the destinies of others and the deck, but for those that the seat itself has put there."""
    counts = np.empty(DESTINY_SLOTS, np.int64)
    for destiny in range(DESTINY_SLOTS):
        counts[destiny] = DESTINY_COPIES[destiny]
    for slot in range(2):
        if s.destiny[seat, slot] >= 0:
            counts[s.destiny[seat, slot]] -= 1
    for place in range(s.destiny_deck_size):
        if (s.destiny_deck_knowers[place] >> seat) & 1:
            counts[s.destiny_deck[place]] -= 1
    cards = np.empty(NUM_DESTINIES, np.int64)
    left = 0
    for destiny in range(DESTINY_SLOTS):
        for _ in range(counts[destiny]):
            cards[left] = destiny
            left += 1
    for other in range(s.num_players):
        if other != seat:
            for slot in range(2):
                if s.destiny[other, slot] >= 0:
                    s.destiny[other, slot] = draw_left(s, cards, left)
                    left -= 1
    for place in range(s.destiny_deck_size):
        if not (s.destiny_deck_knowers[place] >> seat) & 1:
            s.destiny_deck[place] = draw_left(s, cards, left)
            left -= 1
