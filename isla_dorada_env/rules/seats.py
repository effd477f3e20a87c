"""I4.1: the round: its leader, the order of the seats, and where it stands."""

from __future__ import annotations

from typing import Any

from island_core.jit import kernel

Rec = Any


@kernel
def leader(s: Rec) -> int:
    """The leader (I3.1, I5.6): the seat of the bottom frame."""
    return s.frame_seat[0]


@kernel
def clockwise(s: Rec, seat: int, distance: int) -> int:
    """The seat so many places clockwise from another, at most one round."""
    other = seat + distance
    return other - s.num_players if other >= s.num_players else other


@kernel
def relative(s: Rec, other: int, seat: int) -> int:
    """How many places clockwise from ``seat`` another seat is."""
    distance = other - seat
    return distance + s.num_players if distance < 0 else distance


@kernel
def from_leader(s: Rec, distance: int) -> int:
    """The seat so many places clockwise from the leader."""
    return clockwise(s, leader(s), distance)


@kernel
def begin_stage(s: Rec, stage: int) -> None:
    """Go on to a stage of the round; none of its steps is done."""
    s.frame_a[0] = stage
    s.frame_b[0] = 0
