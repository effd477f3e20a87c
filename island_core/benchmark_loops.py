"""Loops that are timed: the reference, whole games with observations, cloning. See ``benchmark``."""

# ruff: noqa: F821 - what is declared below for type checkers is bound to each game

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from island_core import bitset, rng
from island_core.jit import kernel, run_at
from island_core.selfplay import POLICY_STREAM

if TYPE_CHECKING:
    SCALE: Any
    reset: Any
    step: Any
    observe: Any


@kernel
def reference(n: int, x: np.uint64) -> np.uint64:
    """Run n rounds of xorshift64, one dependency chain: the unit of all times."""
    for _ in range(n):
        x ^= x << np.uint64(13)
        x ^= x >> np.uint64(7)
        x ^= x << np.uint64(17)
    return x


def play_observed(
    states: Any, seed: int, first: int, count: int, forced: bool, counts: Any, scaled: Any, mask: Any
) -> int:
    """Play random games and write, at every decision, the deciding seat's ``float32`` observation and ``int8`` mask.

    A template. A single legal action is no decision: it is taken without a look, unless ``forced``. Returns the number
    of decisions.
    """
    words = np.empty(4, np.uint64)
    decisions = 0
    for game in range(first, first + count):
        rng.seed_words(words, seed, game, POLICY_STREAM)
        status = reset(states, 0, seed, game, 0)
        legal = states[0].legal
        while status & 255 != 0:
            total = bitset.count(legal)
            if total > 1 or forced:
                observe(states, 0, (status & 255) - 1, counts)
                for k in range(len(SCALE)):
                    scaled[k] = np.float32(counts[k]) * SCALE[k]
                bitset.unpack(legal, mask)
            action = bitset.pick_of(legal, total, words)
            if total > 1:
                decisions += 1
            status = step(states, 0, action)
    return decisions


def clone_around(states: Any, n: int) -> None:
    """Copy a record n times, each into the next of the ring of eight. A template."""
    for k in range(n):
        states[(k + 1) & 7] = states[k & 7]


def determinize_around(states: Any, count: int, place: int, n: int) -> None:
    """Copy the first ``count`` records in turn into the one behind them and redraw there, n times, what the deciding
    seat does not know. A template; ``place`` is the address of the kernel ``determinize``.
    """
    s = states[count]
    for k in range(n):
        states[count] = states[k % count]
        run_at(place, (states, count, s.frame_seat[s.depth - 1], k))
