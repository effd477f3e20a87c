# ruff: noqa: F821 - names in capitals and the kernels called are bound by the game
"""One seat in each of many games, as templates: what one call of ``VectorEnv`` does.

``jit.bind`` makes them kernels of a game. The rules, the opponents and the looks are called by their address (``at``,
a tuple in the order of the constants below), so that nothing large is compiled a second time. What is kept of each game
is the ledger of a batch and a row of `TABLES`.

Where policies outside the kernels play as well, a step is three calls with one stage each, and those policies are asked
in between; otherwise it is one call with all stages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from island_core import bitset, rng
from island_core.batch_loops import GAIN, SAME_STEP, TERMINATE
from island_core.decisions import NATURAL, RUNNING, TRUNCATED
from island_core.jit import call_at
from island_core.layout import Field, Layout
from island_core.opponents import COUNT_SHIFT, NO_POLICY, OPPONENTS_STREAM, SEAT_STREAM

if TYPE_CHECKING:
    NOOP: int
    deal: Any
    share: Any
    play_on: Any
    sit_down: Any
    move: Any
    write_row: Any
    settle: Any
    legal: Any
    allowed: Any

STEP = 0
RESET = 1
STANDING = 2
PLAY_OTHERS = 3
LOOK_COUNTS = 4
LOOK_SCALED = 5
ADVISE = 6
"""The places of kernels in the tuple of addresses."""

BEGIN = 1
"""Stages, as bits: deal what is to be dealt, play the learner's actions, then the opponents that are inside."""
SETTLE = 2
"""Pay, say what ended, and, if that is the mode, deal ended games anew."""
SHOW = 4
"""Write what the learner sees and may do."""

ANY_SEAT = -1
"""In place of the learner's seat: it is drawn for each episode."""

STATUS_BITS = (1 << COUNT_SHIFT) - 1

TABLES = Layout(
    "table",
    [
        Field("seat", "i8", (), "the learner's"),
        Field("acted", "i8", (), "1 if the learner has acted in this step, 0 if the game was dealt in it"),
        Field("deals", "i8", (), "how often a game was dealt at this table"),
        Field("noted", "i8", (), "moves noted in this call"),
        Field("final_seat", "i8", (), "the learner's in the episode that ended in this step"),
        Field("final_illegal_actions", "i8", (), "how many of his actions were replaced in it"),
        Field("opponents", "u8", (4,), "generator of the opponents inside the kernels", "nobody"),
    ],
)
"""What a vector environment keeps of each game beside its record and its ledger."""


def play_on_game(states: Any, ledger: Any, tables: Any, i: int, at: Any, policies: Any, ids: Any, notes: Any) -> None:
    """Let the opponents inside the kernels play game ``i`` until somebody else decides or it is over.

    ``policies`` (``int64[6]``) are theirs by seat; the learner's is left out whatever stands there. ``notes``
    (``int64[B, W]``) takes their moves; where it is full play stops as well. With W = 0 nothing is noted.
    """
    g = ledger[i]
    t = tables[i]
    width = notes.shape[1]
    if width > 0 and t.noted == width:
        return
    for seat in range(6):
        ids[seat] = policies[seat]
    ids[t.seat] = NO_POLICY
    played = call_at(at[PLAY_OTHERS], (states, i, ids, t.opponents, notes[i][t.noted :], at[ADVISE]))
    count = played >> COUNT_SHIFT
    g.status = played & STATUS_BITS
    g.length += count
    if width > 0:
        t.noted += count


def sit_down_at(
    states: Any,
    ledger: Any,
    tables: Any,
    i: int,
    at: Any,
    learner: int,
    policies: Any,
    ids: Any,
    notes: Any,
    scores: Any,
    keys: Any,
) -> None:
    """Begin the episode of game ``i`` that its ledger names, and play on. ``learner`` is his seat or `ANY_SEAT`."""
    deal(states, ledger, i, at[RESET], at[STANDING], scores, keys)
    g = ledger[i]
    t = tables[i]
    t.acted = 0
    t.deals += 1
    t.noted = 0
    t.seat = learner
    if learner == ANY_SEAT:
        rng.seed_words(t.opponents, g.seed, SEAT_STREAM + i, g.episode)
        t.seat = rng.below(t.opponents, states[i].num_players)
    rng.seed_words(t.opponents, g.seed, OPPONENTS_STREAM + i, g.episode)
    play_on(states, ledger, tables, i, at, policies, ids, notes)


def allowed_in(states: Any, ledger: Any, i: int, action: int) -> bool:
    """Whether an action is legal for the learner, whose turn it is in game ``i``, or who was never asked in it.

    A game may end before. Then the no-op alone is legal, and ends the episode.
    """
    if ledger[i].status >> 16 != RUNNING:
        return action == NOOP
    return legal(states, ledger, i, action)  # type: ignore[no-any-return]


def move_in(
    states: Any,
    ledger: Any,
    tables: Any,
    i: int,
    at: Any,
    action: int,
    illegal: int,
    policies: Any,
    ids: Any,
    notes: Any,
    rewards: Any,
) -> None:
    """Play the learner's action in game ``i``, which has not ended for him, and play on."""
    g = ledger[i]
    t = tables[i]
    t.acted = 1
    legal = allowed(states, ledger, i, action)
    if not legal and illegal == TERMINATE:
        g.ended = NATURAL
        rewards[i] = -1.0
        return
    if not legal:
        g.illegal_actions[t.seat] += 1
    if g.status >> 16 != RUNNING:
        return
    if not legal:
        action = bitset.pick(states[i].legal, g.replacements)
    g.status = call_at(at[STEP], (states, i, action))
    g.length += 1
    if notes.shape[1] > 0:
        notes[i, t.noted] = action
        t.noted += 1
    play_on(states, ledger, tables, i, at, policies, ids, notes)


def settle_game(
    states: Any,
    ledger: Any,
    tables: Any,
    i: int,
    at: Any,
    reward: int,
    scores: Any,
    keys: Any,
    paid: Any,
    rewards: Any,
) -> None:
    """End the learner's step in game ``i``: whether it is over, and what he is paid for all since he was last asked."""
    g = ledger[i]
    if tables[i].acted == 0 or g.ended != RUNNING:
        return
    g.ended = g.status >> 16
    if g.ended != RUNNING or reward == GAIN:
        share(states, i, at[STANDING], reward, g.scores, scores, keys, paid)
        rewards[i] = paid[tables[i].seat]


def run_tables(
    states: Any,
    ledger: Any,
    tables: Any,
    at: Any,
    stages: int,
    actions: Any,
    dealing: int,
    chosen: Any,
    mode: int,
    illegal: int,
    reward: int,
    learner: int,
    policies: Any,
    notes: Any,
    slot: int,
    history: int,
    counts: Any,
    scale: Any,
    scaled: Any,
    final_counts: Any,
    final_scaled: Any,
    masks: Any,
    rewards: Any,
    terminated: Any,
    truncated: Any,
) -> None:
    """Step all games, or, if ``dealing``, begin those ``chosen`` anew; in one or several calls, see the stages."""
    ids = np.empty(6, np.int64)
    scores = np.empty(6, np.int64)
    keys = np.empty(6, np.int64)
    paid = np.empty(6, np.float64)
    for i in range(len(actions)):
        g = ledger[i]
        t = tables[i]
        if stages & BEGIN != 0:
            rewards[i] = 0.0
            if dealing != 0:
                if chosen[i]:
                    sit_down(states, ledger, tables, i, at, learner, policies, ids, notes, scores, keys)
            elif g.ended != RUNNING:
                g.episode += 1
                sit_down(states, ledger, tables, i, at, learner, policies, ids, notes, scores, keys)
            else:
                move(states, ledger, tables, i, at, actions[i], illegal, policies, ids, notes, rewards)
        if stages & SETTLE != 0:
            settle(states, ledger, tables, i, at, reward, scores, keys, paid, rewards)
            terminated[i] = g.ended == NATURAL
            truncated[i] = g.ended == TRUNCATED
            if mode == SAME_STEP and g.ended != RUNNING:
                write_row(
                    states,
                    i,
                    t.seat,
                    i,
                    at[LOOK_COUNTS],
                    at[LOOK_SCALED],
                    slot,
                    history,
                    final_counts,
                    scale,
                    final_scaled,
                )
                t.final_seat = t.seat
                t.final_illegal_actions = g.illegal_actions[t.seat]
                g.episode += 1
                sit_down(states, ledger, tables, i, at, learner, policies, ids, notes, scores, keys)
        if stages & SHOW != 0:
            if g.ended == RUNNING and g.status >> 16 == RUNNING:
                bitset.unpack(states[i].legal, masks[i])
            else:
                # Nothing is left to choose: whoever draws by the mask, or normalises by it, still finds one action.
                masks[i, :] = np.int8(0)
                masks[i, NOOP] = np.int8(1)
            write_row(states, i, t.seat, i, at[LOOK_COUNTS], at[LOOK_SCALED], slot, history, counts, scale, scaled)


def look_over(
    states: Any,
    ledger: Any,
    games: Any,
    at: Any,
    slot: int,
    history: int,
    counts: Any,
    scale: Any,
    scaled: Any,
    masks: Any,
) -> None:
    """What whoever decides in each of some games sees and may do, a row a game; ``slot`` as in
    `batch_loops.write_row_of`.
    """
    for k in range(len(games)):
        i = games[k]
        bitset.unpack(states[i].legal, masks[k])
        actor = (ledger[i].status & 255) - 1
        write_row(states, i, actor, k, at[LOOK_COUNTS], at[LOOK_SCALED], slot, history, counts, scale, scaled)


def answer(states: Any, ledger: Any, tables: Any, games: Any, actions: Any, at: Any, policies: Any, notes: Any) -> int:
    """Play an action each in some games for whoever decides, and play on; with -1 as action, only play on.

    Returns the place in ``games`` of the first illegal action, with nothing changed, or -1.
    """
    for k in range(len(games)):
        if actions[k] >= 0 and not legal(states, ledger, games[k], actions[k]):
            return k
    ids = np.empty(6, np.int64)
    for k in range(len(games)):
        i = games[k]
        if actions[k] >= 0:
            ledger[i].status = call_at(at[STEP], (states, i, actions[k]))
            ledger[i].length += 1
            notes[i, 0] = actions[k]
            tables[i].noted = 1
        play_on(states, ledger, tables, i, at, policies, ids, notes)
    return -1
