"""What a position is worth to each seat, for search that does not play on to the end.

The worth of a seat in points: its points as they stand (I11.2), what its destiny would give now, and a part of what it
may still get: of each treasure in hand, its value times ``NEAR`` if its place is adjacent to the camp (I8.3), otherwise
``FAR``, times the share of the markers that are not yet placed; and ``CARD`` points for each adventure card.

Shares of the win follow from the worths (`island_core.places.likely_shares`); their scale falls from ``FIRST_SCALE`` at
the start to ``LAST_SCALE`` with the markers that are placed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from isla_dorada_env import board, components
from isla_dorada_env.components import MARKERS
from isla_dorada_env.rules.arrival import markers_placed
from isla_dorada_env.rules.scoring import destiny_points, points
from isla_dorada_env.rules.treasures import hand_end, hand_start
from isla_dorada_env.state import RUNNING
from island_core.jit import kernel
from island_core.places import likely_shares

Rec = Any

TREASURE_VALUE = components.TREASURE_VALUES
TREASURE_PLACE = components.TREASURE_PLACE
CURSE_VALUE = components.CURSE_VALUES
NEARBY = board.TREASURES_NEAR
NEAR = 0.6
FAR = 0.45
CARD = 0.4
FIRST_SCALE = 8.0
LAST_SCALE = 3.0


@kernel
def hope(s: Rec, seat: int, left: float) -> float:
    """What the cards of a hand promise, in points; ``left`` is the share of the markers not yet placed."""
    total = 0.0
    near = NEARBY[s.camp]
    for entry in range(hand_start(s, seat), hand_end(s, seat)):
        treasure = s.treasure_card[entry]
        if (near >> np.uint64(treasure)) & np.uint64(1) != np.uint64(0):
            total += NEAR * TREASURE_VALUE[treasure]
        else:
            total += FAR * TREASURE_VALUE[treasure]
    for place in range(len(s.curse_at)):
        if s.curse_at[place] == seat:
            total += FAR * CURSE_VALUE[place]
    return left * (total + CARD * s.hand_size[seat])


@kernel
def estimate(states: Any, i: int, out: Any) -> None:
    """The share of the win that each seat may hope for, ``float64[6]``, from 0 to 1 with the sum 1."""
    s = states[i]
    worth = np.empty(6, np.float64)
    left = 1.0 - markers_placed(s) / MARKERS
    for seat in range(s.num_players):
        worth[seat] = points(s, seat) + hope(s, seat, left)
        if s.outcome == RUNNING:
            worth[seat] += destiny_points(s, seat)
    likely_shares(worth, s.num_players, LAST_SCALE + (FIRST_SCALE - LAST_SCALE) * left, out)
