"""Who has won, from the numbers that order the seats, and who is likely to."""

from __future__ import annotations

from typing import Any

import numpy as np

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


@kernel
def likely_shares(worth: Any, players: int, scale: float, out: Any) -> None:
    """What a seat may hope for of a win, from what all have: ``out[seat] = exp(worth[seat] / scale) / sum``, so that
    the shares of the first ``players`` seats add up to 1; those of the others are 0. All arrays are ``float64[6]``.
    """
    best = worth[0]
    for seat in range(1, players):
        best = max(best, worth[seat])
    total = 0.0
    for seat in range(6):
        out[seat] = np.exp((worth[seat] - best) / scale) if seat < players else 0.0
        total += out[seat]
    for seat in range(players):
        out[seat] /= total
