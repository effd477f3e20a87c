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
"""Bits of one kind in the counts of a hand; no hand holds more than twelve cards, and none holds lightning cards."""
EACH = np.uint64(15)


@kernel
def one(card: int) -> np.uint64:
    """One card of a kind, as counts."""
    return np.uint64(1) << np.uint64(BITS * card)


@kernel
def copies(counts: np.uint64, card: int) -> int:
    """How many cards of a kind are in the counts of a hand."""
    return int(np.int64((counts >> np.uint64(BITS * card)) & EACH))


@kernel
def holds(s: Rec, seat: int, card: int) -> bool:
    """Whether a hand holds a card of this kind."""
    return copies(s.hand_counts[seat], card) > 0


@kernel
def count_hand(s: Rec, seat: int) -> None:
    """Write the counts of a hand anew."""
    counts = np.uint64(0)
    for place in range(s.hand_size[seat]):
        counts += one(s.hand[seat, place])
    s.hand_counts[seat] = counts


@kernel
def count_hands(s: Rec) -> None:
    """Write the counts of all hands anew."""
    for seat in range(6):
        count_hand(s, seat)


@kernel
def to_hand(s: Rec, card: int, source: int, seat: int, seen_by: int, kind: int) -> None:
    """A card comes into a hand; the event is ``(kind, seat, card)``."""
    move_card(s, card, source, seat, seen_by, kind, seat, -1)
    s.hand_counts[seat] += one(card)


@kernel
def lay_out(s: Rec, seat: int, card: int, kind: int, b: int) -> None:
    """I6.4: a card is used and goes to the discard, seen by all; the event is ``(kind, seat, card, b)``."""
    move_card(s, card, seat, DISCARD, EVERYBODY, kind, seat, b)
    s.hand_counts[seat] -= one(card)


@kernel
def rob(s: Rec, victim: int, thief: int, card: int) -> None:
    """I10.3, I2.4: a card changes hands, and only the two of them see it."""
    move_card(s, card, victim, thief, (1 << thief) | (1 << victim), Event.ROB, thief, victim)
    s.hand_counts[victim] -= one(card)
    s.hand_counts[thief] += one(card)


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
