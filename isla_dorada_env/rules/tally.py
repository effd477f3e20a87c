"""What self-play reports of a finished game, besides what every game has."""

from __future__ import annotations

from typing import Any

from isla_dorada_env.board import NUM_PLACES
from isla_dorada_env.rules.scoring import destiny_points, points
from island_core.jit import kernel

COLUMNS = (
    "rounds",
    "winning bids",
    "places visited",
    "returns to base",
    "treasures laid",
    "destinies met",
    "points of all",
)
"""The columns of a tally; the first is the length of the game."""


@kernel
def tally(states: Any, i: int, row: Any) -> None:
    """Fill the columns of game ``i``: ``int64[7]``."""
    s = states[i]
    places = 0
    for place in range(NUM_PLACES):
        if s.markers[place] > 0:
            places += 1
    met = 0
    total = 0
    for seat in range(s.num_players):
        if destiny_points(s, seat) > 0:
            met += 1
        total += points(s, seat)
    row[0] = s.rounds
    row[1] = s.winning_total
    row[2] = places
    row[3] = s.returns
    row[4] = s.laid_total
    row[5] = met
    row[6] = total
