"""What happened, as seen from the table: a ring of the last 64 events in the record.

An event is ``(kind, seat, a, b, seen_by)``, five ``int8``. ``seen_by`` is the bit set of seats that see ``a`` (a card);
everybody sees the rest. Answers that play nothing leave no event.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from island_core.jit import kernel
from island_core.layout import Field

Rec = Any

RING = 64
"""How many events the record keeps."""

EVERYBODY = 63
"""The bit set of all six seats."""

HIDDEN = -2
"""What a seat that does not see ``a`` reads in its place; in the record itself once it is redrawn for one seat."""


@dataclass(frozen=True)
class EventKind:
    """One kind of event: its word and what seat, a and b mean (empty for unused)."""

    name: str
    seat: str
    a: str
    b: str
    seen: str
    doc: str


class EventTable:
    """All kinds of events of a game, numbered from 1 in order."""

    def __init__(self, kinds: Sequence[EventKind]) -> None:
        """Number the kinds."""
        self.kinds = tuple(kinds)
        self.names = ("",) + tuple(kind.name for kind in self.kinds)

    def docs(self) -> str:
        """The table in Markdown."""
        lines = ["| number | event | seat | a | b | who sees a | meaning |", "|---|---|---|---|---|---|---|"]
        for number, kind in enumerate(self.kinds, 1):
            lines.append(
                f"| {number} | `{kind.name}` | {kind.seat or '-'} | {kind.a or '-'} | {kind.b or '-'} "
                f"| {kind.seen} | {kind.doc} |"
            )
        lines.append("")
        lines.append("An unused seat is -1; an unused a or b is -1.")
        return "\n".join(lines)

    def fingerprint(self) -> str:
        """A short hash of the table."""
        return hashlib.sha256(self.docs().encode()).hexdigest()[:16]


def event_fields() -> list[Field]:
    """The fields of the ring."""
    return [
        Field("event_total", "i4", (), "number of events written so far; event n stands in row n mod 64"),
        Field("event_log", "i1", (RING, 5), "the last 64 events: kind, seat, a, b, who sees a", "seers"),
    ]


@kernel
def event(s: Rec, kind: int, seat: int, a: int, b: int, seen_by: int) -> None:
    """Write one event."""
    row = s.event_total & 63
    s.event_log[row, 0] = kind
    s.event_log[row, 1] = seat
    s.event_log[row, 2] = a
    s.event_log[row, 3] = b
    s.event_log[row, 4] = seen_by
    s.event_total += 1


@kernel
def hide_events(s: Rec, seat: int) -> None:
    """Leave of the events what one seat sees: the others' ``a`` become ``HIDDEN`` to everybody."""
    for row in range(min(s.event_total, RING)):
        if not (s.event_log[row, 4] >> seat) & 1:
            s.event_log[row, 2] = HIDDEN
