"""I2.2: treasure cards of the players and their deck.

The cards that players hold or have laid stand in one list: seat by seat his hand and then what he has laid, each in the
order in which they came. Beside a hand card stands
who else is certain of it; among equal cards of one hand these sets are nested, the first the largest, as for adventure
cards.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from isla_dorada_env.actions import OFFSET
from isla_dorada_env.components import TREASURE_PICTURE, TREASURE_PLACE, TREASURE_SORT, TREASURE_VALUES
from isla_dorada_env.events import Event
from isla_dorada_env.vocab import TreasureSort
from island_core.bitset import set_bit
from island_core.events import EVERYBODY, event
from island_core.jit import kernel

Rec = Any

PICTURE = TREASURE_PICTURE
PLACE = TREASURE_PLACE
SORT = TREASURE_SORT
VALUE = TREASURE_VALUES


@kernel
def in_hand(s: Rec, entry: int, seat: int) -> bool:
    """Whether an entry of the list is a hand card of this seat."""
    return s.treasure_seat[entry] == seat and s.treasure_laid[entry] == 0


@kernel
def treasures_in_hand(s: Rec, seat: int) -> int:
    """The number of treasure cards in a hand, bonus cards included."""
    number = 0
    for entry in range(s.treasure_total):
        if in_hand(s, entry, seat):
            number += 1
    return number


@kernel
def find(s: Rec, seat: int, treasure: int) -> int:
    """The first hand card of this kind, -1 for none."""
    for entry in range(s.treasure_total):
        if s.treasure_card[entry] == treasure and in_hand(s, entry, seat):
            return entry
    return -1


@kernel
def note_places(s: Rec, seat: int) -> None:
    """Write anew which places a hand holds treasures of; a lone bonus is none."""
    places = np.uint64(0)
    for entry in range(s.treasure_total):
        if SORT[s.treasure_card[entry]] != TreasureSort.BONUS and in_hand(s, entry, seat):
            places |= np.uint64(1) << np.uint64(PLACE[s.treasure_card[entry]])
    s.treasure_places[seat] = places


@kernel
def group_end(s: Rec, seat: int, laid: int) -> int:
    """Where the hand of a seat, or what he has laid, ends in the list."""
    end = 0
    for entry in range(s.treasure_total):
        if s.treasure_seat[entry] < seat or (s.treasure_seat[entry] == seat and s.treasure_laid[entry] <= laid):
            end += 1
    return end


@kernel
def insert_entry(s: Rec, seat: int, treasure: int, laid: int, knowers: int) -> None:
    """Put a card at the end of a hand or of what a seat has laid."""
    entry = group_end(s, seat, laid)
    for later in range(s.treasure_total, entry, -1):
        s.treasure_card[later] = s.treasure_card[later - 1]
        s.treasure_seat[later] = s.treasure_seat[later - 1]
        s.treasure_laid[later] = s.treasure_laid[later - 1]
        s.treasure_knowers[later] = s.treasure_knowers[later - 1]
    s.treasure_card[entry] = treasure
    s.treasure_seat[entry] = seat
    s.treasure_laid[entry] = laid
    s.treasure_knowers[entry] = knowers
    s.treasure_total += 1
    note_places(s, seat)


@kernel
def add_treasure(s: Rec, seat: int, treasure: int, knowers: int) -> None:
    """A hand gets a card; the seats in ``knowers`` become certain of one more copy."""
    carry = knowers & ~(1 << seat) & ((1 << s.num_players) - 1)
    for entry in range(s.treasure_total):
        if s.treasure_card[entry] == treasure and in_hand(s, entry, seat):
            known = s.treasure_knowers[entry]
            s.treasure_knowers[entry] = known | carry
            carry &= known
    insert_entry(s, seat, treasure, 0, carry)


@kernel
def remove_entry(s: Rec, entry: int) -> None:
    """Close the gap of an entry that leaves the list."""
    seat = s.treasure_seat[entry]
    last = s.treasure_total - 1
    for later in range(entry, last):
        s.treasure_card[later] = s.treasure_card[later + 1]
        s.treasure_seat[later] = s.treasure_seat[later + 1]
        s.treasure_laid[later] = s.treasure_laid[later + 1]
        s.treasure_knowers[later] = s.treasure_knowers[later + 1]
    s.treasure_card[last] = 0
    s.treasure_seat[last] = 0
    s.treasure_laid[last] = 0
    s.treasure_knowers[last] = 0
    s.treasure_total = last
    note_places(s, seat)


@kernel
def lay(s: Rec, seat: int, treasure: int) -> None:
    """I8.2: lay a hand treasure open, and with it the matching bonus of the same hand that is worth most, the first in
    card order among equal values.
    """
    lay_card(s, seat, find(s, seat, treasure))
    best = -1
    for entry in range(s.treasure_total):
        card = s.treasure_card[entry]
        if SORT[card] == TreasureSort.BONUS and PICTURE[card] == PICTURE[treasure] and in_hand(s, entry, seat):
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
    """Lay one card open."""
    treasure = s.treasure_card[entry]
    remove_entry(s, entry)
    insert_entry(s, seat, treasure, 1, 0)
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
    entry = group_end(s, seat, 0) - 1
    while s.treasure_card[entry] != treasure:
        entry -= 1
    remove_entry(s, entry)


@kernel
def legal_drawn(s: Rec, words: Any) -> None:
    """``reject <treasure>`` for the cards just drawn; their number is detail ``a`` of the top frame."""
    top = s.depth - 1
    end = group_end(s, s.frame_seat[top], 0)
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
