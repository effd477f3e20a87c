"""Who has won, from the numbers that order the seats."""

from __future__ import annotations

from typing import Any

from island_core.jit import kernel


@kernel
def best_key(keys: Any, players: int) -> int:
    """The largest of the first ``players`` keys."""
    best = keys[0]
    for seat in range(1, players):
        if keys[seat] > best:
            best = keys[seat]
    return best  # type: ignore[no-any-return]


@kernel
def holders(keys: Any, players: int, key: int) -> int:
    """How many of the first ``players`` keys are this one."""
    count = 0
    for seat in range(players):
        if keys[seat] == key:
            count += 1
    return count
