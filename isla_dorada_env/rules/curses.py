"""I2.2: curses: who holds which, and what lies open. ``curse_at`` says it by place; the sets by seat are derived."""

from __future__ import annotations

from typing import Any

import numpy as np

from isla_dorada_env.board import NUM_PLACES
from isla_dorada_env.state import LAID
from island_core.jit import kernel

Rec = Any

ONE = np.uint64(1)


@kernel
def hold_curse(s: Rec, seat: int, place: int) -> None:
    """The curse of a place comes into a hand."""
    s.curse_at[place] = seat
    s.curses_in_hand[seat] |= ONE << np.uint64(place)


@kernel
def lay_curse(s: Rec, seat: int, place: int) -> None:
    """I8.1: the seat that holds the curse of a place lays it open."""
    s.curse_at[place] = seat + LAID
    s.curses_in_hand[seat] &= ~(ONE << np.uint64(place))
    s.curses_laid[seat] |= ONE << np.uint64(place)


@kernel
def note_curses(s: Rec) -> None:
    """Write anew what each seat holds and has laid open."""
    s.curses_in_hand[:] = np.uint64(0)
    s.curses_laid[:] = np.uint64(0)
    for place in range(NUM_PLACES):
        holder = s.curse_at[place]
        if holder >= LAID:
            s.curses_laid[holder - LAID] |= ONE << np.uint64(place)
        elif holder >= 0:
            s.curses_in_hand[holder] |= ONE << np.uint64(place)
