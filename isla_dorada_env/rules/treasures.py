"""I2.2: treasure cards of the players and their deck.

The hands stand in one list, seat by seat, each in the order in which the cards came; ``treasure_start`` says where each
begins. Beside a card stands who else is certain of it; among equal cards of one hand these sets are nested, the first
the largest, as for adventure cards. What lies open stands in a list of its
own, likewise seat by seat.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from isla_dorada_env.actions import OFFSET
from isla_dorada_env.components import FIRST_BONUS, TREASURE_KINDS, TREASURE_PICTURE, TREASURE_VALUES
from isla_dorada_env.events import Event
from island_core.bitset import set_bit
from island_core.events import EVERYBODY, event
from island_core.jit import kernel

Rec = Any

PICTURE = TREASURE_PICTURE
VALUE = TREASURE_VALUES
ONE = np.uint64(1)
BONUSES = (ONE << np.uint64(TREASURE_KINDS)) - (ONE << np.uint64(FIRST_BONUS))
"""The kinds that are bonus cards, as a bit set."""
NONE = np.uint64(0)


@kernel
def hand_start(s: Rec, seat: int) -> int:
    """Where the hand of a seat begins in the list."""
    return s.treasure_start[seat]


@kernel
def hand_end(s: Rec, seat: int) -> int:
    """Where the hand of a seat ends in the list."""
    return s.treasure_start[seat + 1]


@kernel
def treasures_in_hand(s: Rec, seat: int) -> int:
    """The number of treasure cards in a hand, bonus cards included."""
    return hand_end(s, seat) - hand_start(s, seat)


@kernel
def find(s: Rec, seat: int, treasure: int) -> int:
    """The first hand card of this kind, which there must be."""
    entry = hand_start(s, seat)
    while s.treasure_card[entry] != treasure:
        entry += 1
    return entry


@kernel
def note_kinds(s: Rec, seat: int) -> None:
    """Write anew which kinds of treasures a hand holds."""
    kinds = NONE
    for entry in range(hand_start(s, seat), hand_end(s, seat)):
        kinds |= ONE << np.uint64(s.treasure_card[entry])
    s.treasure_kinds[seat] = kinds


@kernel
def move_starts(s: Rec, seat: int, by: int) -> None:
    """The hand of a seat has grown or shrunk by cards that came into the list or left it."""
    for later in range(seat + 1, 7):
        s.treasure_start[later] += by


@kernel
def add_treasure(s: Rec, seat: int, treasure: int, knowers: int) -> None:
    """A card becomes the last one of a hand; the seats in ``knowers`` become certain of one more copy."""
    carry = knowers & ~(1 << seat) & ((1 << s.num_players) - 1)
    end = hand_end(s, seat)
    if carry != 0:
        for entry in range(hand_start(s, seat), end):
            if s.treasure_card[entry] == treasure:
                known = s.treasure_knowers[entry]
                s.treasure_knowers[entry] = known | carry
                carry &= known
    for later in range(s.treasure_start[6], end, -1):
        s.treasure_card[later] = s.treasure_card[later - 1]
        s.treasure_knowers[later] = s.treasure_knowers[later - 1]
    s.treasure_card[end] = treasure
    s.treasure_knowers[end] = carry
    s.treasure_kinds[seat] |= ONE << np.uint64(treasure)
    move_starts(s, seat, 1)


@kernel
def remove_treasure(s: Rec, seat: int, entry: int) -> None:
    """Close the gap of a hand card that leaves the list."""
    last = s.treasure_start[6] - 1
    for later in range(entry, last):
        s.treasure_card[later] = s.treasure_card[later + 1]
        s.treasure_knowers[later] = s.treasure_knowers[later + 1]
    s.treasure_card[last] = 0
    s.treasure_knowers[last] = 0
    move_starts(s, seat, -1)
    note_kinds(s, seat)


@kernel
def lay(s: Rec, seat: int, treasure: int) -> None:
    """I8.2: lay a hand treasure open, and with it the matching bonus of the same hand that is worth most, the first in
    card order among equal values.
    """
    lay_card(s, seat, find(s, seat, treasure))
    if s.treasure_kinds[seat] & BONUSES == NONE:
        return
    best = -1
    for entry in range(hand_start(s, seat), hand_end(s, seat)):
        card = s.treasure_card[entry]
        if card >= FIRST_BONUS and PICTURE[card] == PICTURE[treasure]:
            if best < 0:
                best = entry
            else:
                other = s.treasure_card[best]
                if VALUE[card] > VALUE[other] or (VALUE[card] == VALUE[other] and card < other):
                    best = entry
    if best >= 0:
        lay_card(s, seat, best)


@kernel
def lay_card(s: Rec, seat: int, entry: int) -> None:
    """Lay one hand card open."""
    treasure = s.treasure_card[entry]
    remove_treasure(s, seat, entry)
    place = s.laid_total
    while place > 0 and s.laid_seat[place - 1] > seat:
        s.laid_card[place] = s.laid_card[place - 1]
        s.laid_seat[place] = s.laid_seat[place - 1]
        place -= 1
    s.laid_card[place] = treasure
    s.laid_seat[place] = seat
    s.laid_total += 1
    event(s, Event.TREASURE_LAID, seat, treasure, -1, EVERYBODY)


@kernel
def draw_treasure(s: Rec, seat: int, kept: bool) -> None:
    """The top card of the treasure deck joins a hand as its last card.

    Seats that put it into the deck are certain of it, unless it may be rejected: nobody else sees which one is. A card
    of a telegram's lot (I8.4) that is not the last one of it tells only him who sees it which ones are left.
    """
    last = s.treasure_deck_size - 1
    treasure = s.treasure_deck[last]
    lot = s.treasure_deck_lot[last]
    if lot != 0 and last > 0 and s.treasure_deck_lot[last - 1] == lot:
        for place in range(last + 1):
            if s.treasure_deck_lot[place] == lot:
                s.treasure_deck_knowers[place] &= 1 << seat
    knowers = s.treasure_deck_knowers[last] if kept else 0
    s.treasure_deck[last] = 0
    s.treasure_deck_knowers[last] = 0
    s.treasure_deck_lot[last] = 0
    s.treasure_deck_size = last
    add_treasure(s, seat, treasure, knowers)
    event(s, Event.TREASURE, seat, treasure, -1, 1 << seat)


@kernel
def reject_drawn(s: Rec, seat: int, treasure: int) -> None:
    """Give back one of the cards just drawn: the last one of this kind in hand leaves it."""
    event(s, Event.REJECT_TREASURE, seat, treasure, -1, 1 << seat)
    entry = hand_end(s, seat) - 1
    while s.treasure_card[entry] != treasure:
        entry -= 1
    remove_treasure(s, seat, entry)


@kernel
def legal_drawn(s: Rec, words: Any) -> None:
    """``reject <treasure>`` for the cards just drawn; their number is detail ``a`` of the top frame."""
    top = s.depth - 1
    end = hand_end(s, s.frame_seat[top])
    for entry in range(end - s.frame_a[top], end):
        set_bit(words, OFFSET.reject_treasure + s.treasure_card[entry])


@kernel
def put_under(s: Rec, treasure: int, knowers: int, lot: int) -> None:
    """A card goes under the treasure deck; the seats in ``knowers`` know it there."""
    for place in range(s.treasure_deck_size, 0, -1):
        s.treasure_deck[place] = s.treasure_deck[place - 1]
        s.treasure_deck_knowers[place] = s.treasure_deck_knowers[place - 1]
        s.treasure_deck_lot[place] = s.treasure_deck_lot[place - 1]
    s.treasure_deck[0] = treasure
    s.treasure_deck_knowers[0] = knowers
    s.treasure_deck_lot[0] = lot
    s.treasure_deck_size += 1
