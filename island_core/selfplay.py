"""Self-play inside the kernels: whole games, one after the other in one record, with what statistics need of each.

`play_games` is a template, bound to a game by ``jit.bind``. Game number n is dealt as game n of a batch with the same
seed, and the policy draws from a stream of its own, which depends on the seed and n alone: what happens in a game does
not depend on how the games are divided among calls, threads or processes.
"""

# ruff: noqa: F821 - what is declared below for type checkers is bound to each game

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from island_core import bitset, jit, rng
from island_core.jit import call_at, kernel
from island_core.places import best_key, holders

if TYPE_CHECKING:
    PASSIVE: Any
    reset: Any
    step: Any
    standing: Any
    tally: Any

POLICIES = ("random", "acting", "greedy", "planner")
"""Policies inside kernels by id. ``random``: any legal action; ``acting``: any that is not passive, if there is one.
The others are the game's own (`spec.Rules`, ``advise``)."""
ACTING = 1
"""The id of the last one that needs to know nothing of the game."""
GREEDY = 2
OWN_POLICIES = POLICIES[ACTING + 1 :]
"""The names of those that a game brings along."""

POLICY_STREAM = 0x706F6C696379
"""The policy's stream is that of an "episode" no game is ever dealt for."""

ROW = np.dtype(
    [
        ("decisions", "i8"),
        ("asked", "i8"),
        ("outcome", "i8"),
        ("scores", "i8", (6,)),
        ("winner_share", "f8", (6,)),
    ],
    align=True,
)
"""What is written of each game: decisions with two legal actions or more, all decisions, the outcome, and by seat the
score and the share of the win (1 / W for each of W winners)."""


def alloc_rows(count: int) -> Any:
    """Rows of ``count`` games in the form that kernels take."""
    rows = np.zeros(count, ROW)
    return rows if jit.JIT_ENABLED else rows.view(np.recarray)


@kernel
def choose(legal: Any, passive: Any, room: Any, words: Any, policy: int) -> int:
    """The action of ``random`` or ``acting``; ``room`` is space for one more bit set, ``words`` the generator."""
    return choose_of(legal, bitset.count(legal), passive, room, words, policy)


@kernel
def choose_of(legal: Any, total: int, passive: Any, room: Any, words: Any, policy: int) -> int:
    """`choose` where the number of legal actions is known."""
    if policy == ACTING:
        some = np.uint64(0)
        for j in range(len(legal)):
            room[j] = legal[j] & ~passive[j]
            some |= room[j]
        if some != np.uint64(0):
            return bitset.pick(room, words)
    return bitset.pick_of(legal, total, words)


@kernel
def decide(states: Any, i: int, total: int, passive: Any, room: Any, words: Any, policy: int, advise_at: Any) -> int:
    """The action of any policy, by its id, in game ``i``, where ``total`` actions are legal.

    ``advise_at`` is the address of the game's ``advise`` (`spec.GameSpec.advise_for`); it is not called if ``policy``
    is at most `ACTING`.
    """
    if policy > ACTING and total > 1:
        return call_at(advise_at, (states, i, policy, words))  # type: ignore[no-any-return]
    return choose_of(states[i].legal, total, passive, room, words, policy)


def play_games(
    states: Any,
    seed: int,
    first: int,
    count: int,
    policy: int,
    advise_at: Any,
    rows: Any,
    tallies: Any,
    asked: Any,
    taken: Any,
) -> None:
    """Play the games ``first`` to ``first + count - 1`` to their end in ``states[0]``, which holds the options.

    Row k of ``rows`` (`ROW`) and of ``tallies`` (``int64[count, columns]``, the game's own) is game ``first + k``.
    ``asked`` and ``taken`` count on: decisions by kind, actions by id.
    """
    words = np.empty(4, np.uint64)
    room = np.empty(len(PASSIVE), np.uint64)
    scores = np.empty(6, np.int64)
    keys = np.empty(6, np.int64)
    for k in range(count):
        rng.seed_words(words, seed, first + k, POLICY_STREAM)
        status = reset(states, 0, seed, first + k, 0)
        legal = states[0].legal
        decisions = 0
        every = 0
        while status & 255 != 0:
            total = bitset.count(legal)
            # As `decide`, written out: as a call it takes 8 % of random play, whatever it is handed.
            if policy > ACTING and total > 1:
                action = call_at(advise_at, (states, 0, policy, words))
            else:
                action = choose_of(legal, total, PASSIVE, room, words, policy)
            if total > 1:
                decisions += 1
            every += 1
            asked[(status >> 8) & 255] += 1
            taken[action] += 1
            status = step(states, 0, action)
        row = rows[k]
        row.decisions = decisions
        row.asked = every
        row.outcome = status >> 16
        standing(states, 0, scores, keys)
        players = states[0].num_players
        best = best_key(keys, players)
        winners = holders(keys, players, best)
        for seat in range(6):
            row.scores[seat] = scores[seat] if seat < players else 0
            row.winner_share[seat] = 1.0 / winners if seat < players and keys[seat] == best else 0.0
        tally(states, 0, tallies[k])
