# ruff: noqa: F821 - what is declared below for type checkers is bound to each game
"""The last events as part of an observation: four numbers an event, the newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from island_core.events import HIDDEN, RING, EventTable
from island_core.observation import Section

if TYPE_CHECKING:
    b_is_seat: Any


def sections(events: EventTable, largest: int) -> tuple[Section, ...]:
    """The four numbers of one event; ``largest`` is the largest a or b of an event plus 2."""
    return (
        Section("kind", (1,), len(events.kinds), "number of the event kind, 0 for no event"),
        Section("seat", (1,), 6, "relative seat + 1, 0 for none"),
        Section("a", (1,), largest, "a + 2, 1 if hidden from the observer, 0 for none"),
        Section("b", (1,), largest, "b + 2 (a seat: relative seat + 2), 0 for none"),
    )


def observe_history(states: Any, i: int, seat: int, count: int, out: Any) -> None:
    """Write the last ``count`` events (at most 64) as a seat sees them, the newest first: ``int8[4 * count]``.

    A template. ``b_is_seat(kind, a)`` says whether b of an event is a seat.
    """
    s = states[i]
    players = s.num_players
    out[:] = np.int8(0)
    for back in range(min(count, s.event_total)):
        row = (s.event_total - 1 - back) & (RING - 1)
        kind = s.event_log[row, 0]
        who = s.event_log[row, 1]
        a = s.event_log[row, 2]
        b = s.event_log[row, 3]
        out[4 * back] = kind
        if who >= 0:
            out[4 * back + 1] = (who - seat) % players + 1
        if b >= 0:
            if b_is_seat(kind, a):
                b = (b - seat) % players
            out[4 * back + 3] = min(b, 125) + 2
        if not (s.event_log[row, 4] >> seat) & 1:
            a = HIDDEN
        if a == HIDDEN:
            out[4 * back + 2] = 1
        elif a >= 0:
            out[4 * back + 2] = a + 2
