"""D10: the end of the game and its scores."""

from __future__ import annotations

from typing import Any

from dracheninsel_env import components
from dracheninsel_env.events import Event
from dracheninsel_env.state import TRUNCATED
from island_core.decisions import pop
from island_core.events import EVERYBODY, event
from island_core.jit import kernel

Rec = Any

COINS = components.COINS


@kernel
def finish(s: Rec, outcome: int) -> None:
    """D10.1, D4.7: the game is over; nothing is left to decide."""
    s.outcome = outcome
    while s.depth > 0:
        pop(s)
    event(s, Event.END, -1, 1 if outcome == TRUNCATED else 0, -1, EVERYBODY)


@kernel
def money(s: Rec, seat: int) -> int:
    """The value of a seat's coins."""
    total = 0
    for value in range(len(COINS)):
        total += s.coins[seat, value] * COINS[value]
    return total


@kernel
def placing(s: Rec, seat: int) -> int:
    """D10.2: a number that orders seats: money first, then the highest coin, then the next and so on; equal only for
    identical sets.
    """
    key = money(s, seat)
    for value in range(len(COINS) - 1, -1, -1):
        key = key * 3 + s.coins[seat, value]
    return key
