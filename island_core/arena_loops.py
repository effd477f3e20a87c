"""Games in which every seat has a player of its own, inside the kernels.

Both functions are templates, bound to a game by ``jit.bind``; the rules are called by their address, see
``jit.address``. Each player draws from a generator of its own, so that what one draws does not shift what another does.
"""

# ruff: noqa: F821 - what is declared below for type checkers is bound to each game

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from island_core import bitset, rng
from island_core.decisions import status_of
from island_core.jit import call_at, run_at
from island_core.opponents import COUNT_SHIFT, NO_POLICY
from island_core.selfplay import decide

if TYPE_CHECKING:
    PASSIVE: Any
    play_seats_of: Any

PLAYER_STREAM = 2**62 + 2**42
"""The generator of a player draws from the stream of an "episode" no game is ever dealt for: this number plus the
player's place in its line-up."""


def play_seats(
    states: Any,
    i: int,
    step_at: Any,
    advise_at: Any,
    policies: Any,
    words: Any,
    taken: Any,
    asked: Any,
    decisions: Any,
) -> int:
    """Play game ``i`` on until a seat has to decide that has no policy, or the game is over.

    ``policies`` (``int64[6]``) holds by seat an id of ``selfplay.POLICIES`` or ``NO_POLICY``, ``words``
    (``uint64[6, 4]``) the generator of each. The actions are written to ``taken`` (``int64``); when it is full, play
    stops as well. With a ``taken`` of length 0 nothing is written. ``asked`` and ``decisions`` (``int64[6]``) count on
    by seat: all decisions, and those with a choice.

    Returns status | actions played << ``COUNT_SHIFT``.
    """
    room = np.empty(len(PASSIVE), np.uint64)
    legal = states[i].legal
    status = status_of(states[i])
    most = len(taken)
    count = 0
    while status & 255 != 0 and (most == 0 or count < most):
        seat = (status & 255) - 1
        if policies[seat] == NO_POLICY:
            break
        total = bitset.count(legal)
        action = decide(states, i, total, PASSIVE, room, words[seat], policies[seat], advise_at)
        asked[seat] += 1
        if total > 1:
            decisions[seat] += 1
        if most > 0:
            taken[count] = action
        count += 1
        status = call_at(step_at, (states, i, action))
    return status | (count << COUNT_SHIFT)


def play_deals(
    states: Any, at: Any, seed: int, deals: Any, policies: Any, players: Any, standings: Any, counts: Any, outcomes: Any
) -> None:
    """Play a game of each deal to its end in ``states[0]``, which holds the options; every seat has a policy.

    For N games: ``deals`` (``int64[N]``), ``policies`` and ``players`` (``int64[N, 6]``, by seat: the id of the policy
    and the player's place in the line-up). ``at`` holds the addresses of ``step``, ``reset``, ``standing`` and
    ``advise``.

    Written are ``standings`` (``int64[N, 2, 6]``: the scores and the keys that order the seats), ``counts``
    (``int64[N, 2, 6]``, from zeros: all decisions and those with a choice) and ``outcomes`` (``int64[N]``).
    """
    words = np.empty((6, 4), np.uint64)
    nothing = outcomes[:0]
    for k in range(len(deals)):
        for seat in range(6):
            rng.seed_words(words[seat], seed, deals[k], PLAYER_STREAM + players[k, seat])
        call_at(at[1], (states, 0, seed, deals[k], 0))
        status = play_seats_of(states, 0, at[0], at[3], policies[k], words, nothing, counts[k, 0], counts[k, 1])
        outcomes[k] = (status & ((1 << COUNT_SHIFT) - 1)) >> 16
        run_at(at[2], (states, 0, standings[k, 0], standings[k, 1]))
