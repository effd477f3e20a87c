"""How likely the expedition comes to a place before the game ends: a table made at import.

A simple picture of the bidding: in each round, with the probability ``STEERED``, the move is the best one for whoever
wants to go to the place; otherwise it leads to any of the places that routes lead to, each as likely, or with the
probability ``FLOWN`` to any place at all. By induction over the moves that are left this gives the probability of
reaching each place from each other one, and of coming back to it.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from isla_dorada_env.board import DESTINATIONS, NUM_PLACES
from isla_dorada_env.components import MARKERS
from isla_dorada_env.vocab import ROUTE_WAYS

STEERED: Final = 0.36
FLOWN: Final = 0.9
CONFIDENCE: Final = 0.97
"""What is taken off all probabilities: however likely a place is, to be there is better."""


def _next_places() -> NDArray[np.bool_]:
    """Return which places routes lead to, by the place they start from."""
    table = np.zeros((NUM_PLACES, NUM_PLACES), np.bool_)
    for here in range(NUM_PLACES):
        for way in ROUTE_WAYS:
            for there in range(NUM_PLACES):
                table[here, there] |= bool(int(DESTINATIONS[here, way]) >> there & 1)
    return table


def _reach() -> NDArray[np.float64]:
    """Return the probabilities by the moves that are left, the camp and the place."""
    following = _next_places()
    drift = (1 - FLOWN) * following / following.sum(axis=1, keepdims=True) + FLOWN / NUM_PLACES
    table = np.zeros((MARKERS + 1, NUM_PLACES, NUM_PLACES))
    for left in range(1, MARKERS + 1):
        # Once the place is reached nothing more is asked.
        after = np.where(np.eye(NUM_PLACES, dtype=np.bool_), 1.0, table[left - 1])
        best = np.array([after[following[here]].max(axis=0) for here in range(NUM_PLACES)])
        table[left] = STEERED * best + (1 - STEERED) * drift @ after
    table *= CONFIDENCE
    table.flags.writeable = False
    return table


REACH: Final = _reach()
"""float64[17, 19, 19]: by the moves left, the camp and a place: the probability that the expedition still comes, or
comes back, to the place."""
