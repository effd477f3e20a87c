"""I2.1, I2.4: adventure cards in hand, the display and the deck."""

from __future__ import annotations

from typing import Any

import numpy as np

from isla_dorada_env.events import Event
from island_core.cards import DECK, DISCARD, TABLE, move_card, shuffle_discard
from island_core.events import EVERYBODY, event
from island_core.jit import kernel

Rec = Any

BITS = 4
"""Bits of one kind in the counts of a hand; no hand holds more than twelve cards."""
EACH = np.uint64(15)


@kernel
def counts_of(s: Rec, seat: int) -> np.uint64:
    """How many cards of each kind a hand holds, four bits a kind; lightning cards are never in hand."""
    counts = np.uint64(0)
    for place in range(s.hand_size[seat]):
        counts += np.uint64(1) << np.uint64(BITS * s.hand[seat, place])
    return counts


@kernel
def copies(counts: np.uint64, card: int) -> int:
    """How many cards of a kind are in the counts of a hand."""
    return int((counts >> np.uint64(BITS * card)) & EACH)


@kernel
def without(counts: np.uint64, card: int) -> np.uint64:
    """The counts of a hand after one card less of this kind."""
    return counts - (np.uint64(1) << np.uint64(BITS * card))


@kernel
def holds(s: Rec, seat: int, card: int) -> bool:
    """Whether a hand holds a card of this kind."""
    for place in range(s.hand_size[seat]):
        if s.hand[seat, place] == card:
            return True
    return False


@kernel
def lay_out(s: Rec, seat: int, card: int, kind: int, b: int) -> None:
    """I6.4: a card is used and goes to the discard, seen by all; the event is ``(kind, seat, card, b)``."""
    move_card(s, card, seat, DISCARD, EVERYBODY, kind, seat, b)


@kernel
def top_card(s: Rec) -> int:
    """I10.5: the top card of the deck; an empty one is made anew from the discard first."""
    if s.deck_size == 0:
        shuffle_discard(s)
        event(s, Event.SHUFFLE, -1, -1, -1, EVERYBODY)
    return s.deck[s.deck_size - 1]


@kernel
def refill(s: Rec) -> None:
    """I10.1: lay a card of the deck into the display."""
    move_card(s, top_card(s), DECK, TABLE, EVERYBODY, Event.REFILL, -1, -1)
