"""The stack of pending decisions: the top frame alone says who acts and what is legal.

A frame is ``(decision, seat, a, b)``. The record holds the fields ``frame_decision``, ``frame_seat``, ``frame_a``,
``frame_b`` (``int8[depth limit]`` each) and ``depth``. A poll is one frame whose seat is the cursor.
"""

from __future__ import annotations

from typing import Any

from island_core.jit import kernel
from island_core.layout import Field

Rec = Any
"""A record of the game's state, as kernels see it."""


RUNNING = 0
"""``outcome`` of a game: still running, ended by itself, truncated."""
NATURAL = 1
TRUNCATED = 2


def stack_fields(limit: int) -> list[Field]:
    """The fields of a stack of at most ``limit`` frames."""
    return [
        Field("depth", "i1", (), "number of frames on the stack of pending decisions"),
        Field("frame_decision", "i1", (limit,), "kind of decision of each frame, the last frame is the one to decide"),
        Field("frame_seat", "i1", (limit,), "who decides", "nobody"),
        Field("frame_a", "i1", (limit,), "first detail of the frame"),
        Field("frame_b", "i1", (limit,), "second detail of the frame"),
    ]


@kernel
def push(s: Rec, decision: int, seat: int, a: int, b: int) -> None:
    """Open a decision on top of the others."""
    top = s.depth
    s.frame_decision[top] = decision
    s.frame_seat[top] = seat
    s.frame_a[top] = a
    s.frame_b[top] = b
    s.depth = top + 1


@kernel
def pop(s: Rec) -> None:
    """Close the top decision. The frame is cleared, so that equal positions are equal bytes."""
    top = s.depth - 1
    s.frame_decision[top] = 0
    s.frame_seat[top] = 0
    s.frame_a[top] = 0
    s.frame_b[top] = 0
    s.depth = top


@kernel
def retop(s: Rec, decision: int, seat: int, a: int, b: int) -> None:
    """Replace the top decision by another."""
    top = s.depth - 1
    s.frame_decision[top] = decision
    s.frame_seat[top] = seat
    s.frame_a[top] = a
    s.frame_b[top] = b


@kernel
def status_of(s: Rec) -> int:
    """Who decides what, packed: seat + 1 (0 when over), decision << 8, outcome << 16."""
    if s.outcome != RUNNING:
        return s.outcome << 16  # type: ignore[no-any-return]
    top = s.depth - 1
    return (s.frame_seat[top] + 1) | (s.frame_decision[top] << 8)  # type: ignore[no-any-return]
