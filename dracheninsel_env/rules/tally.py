"""What self-play reports of a finished game, besides what every game has."""

from __future__ import annotations

from typing import Any

from dracheninsel_env.rules.ending import money
from dracheninsel_env.state import COLLECTED, REMOVED
from island_core.jit import kernel

COLUMNS = ("turns", "treasures collected", "treasures removed", "money")
"""The columns of a tally; the first is the length of the game."""


@kernel
def tally(states: Any, i: int, row: Any) -> None:
    """Fill the columns of game ``i``: ``int64[4]``."""
    s = states[i]
    collected = 0
    removed = 0
    for treasure in range(len(s.treasure_at)):
        if s.treasure_at[treasure] == COLLECTED:
            collected += 1
        elif s.treasure_at[treasure] == REMOVED:
            removed += 1
    total = 0
    for seat in range(s.num_players):
        total += money(s, seat)
    row[0] = s.turns
    row[1] = collected
    row[2] = removed
    row[3] = total
