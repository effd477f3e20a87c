"""What dragons and zeppelins make of the gold (I6.1), as a table."""

from __future__ import annotations

from typing import Final

from isla_dorada_env.actions import MOST_IN_HAND, START_GOLD
from isla_dorada_env.components import GOLD_COSTS, VALUES, IntTable, read_only
from isla_dorada_env.vocab import Card


def _made_of_gold(dragons: int, zeppelins: int, gold: int) -> int:
    """Return the most that so many cards make of so much gold: each number of zeppelins is tried."""
    best = 0
    for paid in range(min(zeppelins, gold // GOLD_COSTS[Card.ZEPPELIN]) + 1):
        others = min(dragons, (gold - GOLD_COSTS[Card.ZEPPELIN] * paid) // GOLD_COSTS[Card.DRAGON])
        best = max(best, VALUES[Card.ZEPPELIN] * paid + VALUES[Card.DRAGON] * others)
    return best


_CARDS = range(MOST_IN_HAND + 1)
_GOLD = range(START_GOLD + 1)
PAYABLE_WITH_GOLD: Final[IntTable] = read_only(
    [[[_made_of_gold(dragons, zeppelins, gold) for gold in _GOLD] for zeppelins in _CARDS] for dragons in _CARDS]
)
"""int64[13, 13, 11]: the most that so many dragons and zeppelins make of so much gold."""
