"""What a position is worth to each seat, for search that does not play on to the end.

The worth of a seat in money: its coins and, until the game is over, a part of what it may still get. A hunter who
carries a treasure in a pair counts a coin of it, both coins if the pair is one player's (D9.3), times ``CARRIED`` to
the power of the steps to the nearer boat of the two. A hunter left alone with a treasure, or waiting on the site,
counts a coin times ``ALONE``. Any other hunter counts the coin of the treasure that promises most: times ``AWAY`` to
the power of the steps to it, times ``ALONE``, and times ``EMPTY`` if nobody is with it. Steps are counted as if every
space could be entered.

Shares of the win follow from the worths (`island_core.places.likely_shares`); their scale is ``SCALE`` times the money
that is still to be had, and at least ``LEAST_SCALE``.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from dracheninsel_env import board, components
from dracheninsel_env.board import IntTable
from dracheninsel_env.components import read_only
from dracheninsel_env.rules.ending import money
from dracheninsel_env.rules.spaces import CELLS, FIRST_BOAT, other_hunter_on, treasure_on
from dracheninsel_env.state import RUNNING, STOCK
from island_core.jit import kernel
from island_core.places import likely_shares

Rec = Any

COINS = components.COINS
CARRIED = 0.85
ALONE = 0.35
EMPTY = 0.5
AWAY = 0.85
SCALE = 0.08
LEAST_SCALE = 40.0


def _steps() -> list[list[int]]:
    """Return the number of steps between each two spaces, over neighbours alone."""
    table = []
    for start in range(board.SPACES):
        steps = [-1] * board.SPACES
        steps[start] = 0
        reached = [start]
        for space in reached:
            for other in board.NEIGHBOUR[space].tolist():
                if other >= 0 and steps[other] < 0:
                    steps[other] = steps[space] + 1
                    reached.append(other)
        table.append(steps)
    return table


STEPS: Final[IntTable] = read_only(_steps())
"""int64[67, 67]: steps between two spaces."""


def _powers(base: float) -> Any:
    """Return the powers of a number that steps are exponents of."""
    return np.array([base**steps for steps in range(int(STEPS.max()) + 1)])


CARRIED_FOR = _powers(CARRIED)
AWAY_FOR = _powers(AWAY)


@kernel
def hope(s: Rec, hunter: int) -> float:
    """What a hunter promises, in money."""
    place = s.at[hunter]
    if place < CELLS:
        treasure = treasure_on(s, place)
        if treasure >= 0:
            partner = other_hunter_on(s, place, hunter)
            if partner < 0:
                return ALONE * COINS[treasure]
            steps = min(STEPS[place, FIRST_BOAT + hunter], STEPS[place, FIRST_BOAT + partner])
            return CARRIED_FOR[steps] * COINS[treasure]
    best = 0.0
    for treasure in range(len(COINS)):
        there = s.treasure_at[treasure]
        if 0 <= there < CELLS:
            promise = ALONE * COINS[treasure] * AWAY_FOR[STEPS[place, there]]
            if other_hunter_on(s, there, hunter) < 0:
                promise *= EMPTY
            best = max(best, promise)
    return best


@kernel
def estimate(states: Any, i: int, out: Any) -> None:
    """The share of the win that each seat may hope for, ``float64[6]``, from 0 to 1 with the sum 1."""
    s = states[i]
    worth = np.empty(6, np.float64)
    for seat in range(s.num_players):
        total = float(money(s, seat))
        if s.outcome == RUNNING:
            for slot in range(2):
                hunter = s.hunters[seat, slot]
                if hunter >= 0:
                    total += hope(s, hunter)
        worth[seat] = total
    left = 0
    for treasure in range(len(COINS)):
        if s.treasure_at[treasure] >= STOCK:
            left += 2 * COINS[treasure]
    likely_shares(worth, s.num_players, max(LEAST_SCALE, SCALE * left), out)
