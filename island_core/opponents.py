"""Playing the seats of others inside the kernels, for views in which one seat is the learner's.

`play_others` is a template, bound to a game by ``jit.bind``. It takes one game of an array of records, so that a view
of many games can call it for each.
"""

# ruff: noqa: F821 - what is declared below for type checkers is bound to each game

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from island_core import bitset
from island_core.decisions import status_of
from island_core.selfplay import decide

if TYPE_CHECKING:
    PASSIVE: Any
    step: Any

NO_POLICY = -1
"""In place of the id of a policy: the kernel stops where this seat has to decide."""

OPPONENTS_STREAM = 2**62 + 2**40
"""The numbers of streams drawn from a seed beside the games' own, to be used as index with ``rng.seed_words``: add the
index of a game in its batch. This one is what opponents inside the kernels choose with."""
SEAT_STREAM = 2**62 + 2**41
"""The one that a learner's seat is drawn with."""

COUNT_SHIFT = 32
"""The status that `play_others` returns lies below this bit, the number of actions played above."""


def play_others(states: Any, i: int, policies: Any, words: Any, taken: Any, advise_at: Any) -> int:
    """Play game ``i`` on until a seat has to decide that has no policy, or the game is over.

    ``policies`` (``int64[6]``) holds by seat an id of ``selfplay.POLICIES`` or `NO_POLICY`; ``words`` (``uint64[4]``)
    is the generator of all of them, ``advise_at`` as in `selfplay.decide`. The actions are written to ``taken``
    (``int64``); when it is full, play stops as well. With a ``taken`` of length 0 nothing is written.

    Returns status | actions played << `COUNT_SHIFT`.
    """
    room = np.empty(len(PASSIVE), np.uint64)
    legal = states[i].legal
    status = status_of(states[i])
    most = len(taken)
    count = 0
    while status & 255 != 0 and (most == 0 or count < most):
        policy = policies[(status & 255) - 1]
        if policy == NO_POLICY:
            break
        action = decide(states, i, bitset.count(legal), PASSIVE, room, words, policy, advise_at)
        if most > 0:
            taken[count] = action
        status = step(states, i, action)
        count += 1
    return status | (count << COUNT_SHIFT)
