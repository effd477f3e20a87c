"""I2.3: destinies and their deck."""

from __future__ import annotations

from typing import Any

from isla_dorada_env.actions import OFFSET
from isla_dorada_env.events import Event
from island_core.bitset import set_bit
from island_core.decisions import pop
from island_core.events import event
from island_core.jit import kernel

Rec = Any


@kernel
def draw_destiny(s: Rec, seat: int, slot: int) -> None:
    """The top card of the destiny deck goes to a player: as his only one, or as the other one of two."""
    last = s.destiny_deck_size - 1
    destiny = s.destiny_deck[last]
    s.destiny_deck[last] = 0
    s.destiny_deck_knowers[last] = 0
    s.destiny_deck_size = last
    s.destiny[seat, slot] = destiny
    event(s, Event.DESTINY, seat, destiny, -1, 1 << seat)


@kernel
def legal_destiny(s: Rec, words: Any) -> None:
    """I3.2, I10.3: either of the two."""
    seat = s.frame_seat[s.depth - 1]
    for slot in range(2):
        set_bit(words, OFFSET.reject_destiny + s.destiny[seat, slot])


@kernel
def apply_destiny(s: Rec, action: int) -> None:
    """I3.2, I10.3: the rejected one goes under the destiny deck."""
    seat = s.frame_seat[s.depth - 1]
    rejected = action - OFFSET.reject_destiny
    pop(s)
    if s.destiny[seat, 0] == rejected:
        s.destiny[seat, 0] = s.destiny[seat, 1]
    s.destiny[seat, 1] = -1
    event(s, Event.REJECT_DESTINY, seat, rejected, -1, 1 << seat)
    for place in range(s.destiny_deck_size, 0, -1):
        s.destiny_deck[place] = s.destiny_deck[place - 1]
        s.destiny_deck_knowers[place] = s.destiny_deck_knowers[place - 1]
    s.destiny_deck[0] = rejected
    s.destiny_deck_knowers[0] = 1 << seat
    s.destiny_deck_size += 1
