# ruff: noqa: F821 - names in capitals and the kernels called are bound by the game
"""Many games at once, as templates: what one call of ``BatchEnv`` does to a slice of its games.

``jit.bind`` makes them kernels of a game. The rules and the looks are called by their address: merged into `run` they
would be compiled a second time. What happens in a game depends on its row alone, so that slices may run side by side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from island_core import bitset, rng
from island_core.decisions import NATURAL, RUNNING, TRUNCATED
from island_core.jit import call_at, run_at
from island_core.layout import Field, Layout
from island_core.places import best_key, holders
from island_core.selfplay import decide

if TYPE_CHECKING:
    PASSIVE: Any
    SIZE: int
    SCORE_SCALE: float
    SAMPLER_STREAM: int
    REPLACEMENT_STREAM: int
    allowed: Any
    write_row: Any
    deal: Any
    play: Any
    share: Any
    pay: Any
    conclude: Any
    show: Any

AUTORESET_MODES = ("SAME_STEP", "NEXT_STEP", "DISABLED")
"""When a game that is over begins anew, by number in the kernels: in the step that ends it, in the next one, not."""
SAME_STEP = 0
NEXT_STEP = 1

RAISE = 0
TERMINATE = 1
RANDOM = 2
"""What an illegal action does, by number in the kernels. Under ``RAISE`` the actions were checked before."""

WIN = 0
SCORE = 1
RANK = 2
GAIN = 3
"""The rewards, by number in the kernels."""

LEDGER = Layout(
    "batch",
    [
        Field("seed", "i8", (), "seed of the game; its index is its place in the batch"),
        Field("episode", "i8", (), "number of the deal"),
        Field("status", "i8", (), "who decides what, as the rules return it"),
        Field("ended", "i1", (), "0 running, 1 ended by itself or by an illegal action, 2 truncated"),
        Field("last_seat", "i1", (), "the seat that acted last, -1 before the first action"),
        Field("length", "i8", (), "decisions so far"),
        Field("illegal_actions", "i8", (6,), "illegal actions of each seat that were replaced"),
        Field("scores", "i8", (6,), "scores before the next action, kept for the reward `gain` alone"),
        Field("returns", "f8", (6,), "sum of the rewards of each seat so far"),
        Field("sampler", "u8", (4,), "generator of sampled actions", "nobody"),
        Field("replacements", "u8", (4,), "generator of the actions that replace illegal ones", "nobody"),
    ],
)
"""What a batch keeps of each game beside its record."""

FINALS = Layout(
    "final",
    [
        Field("length", "i8", (), "decisions of the episode"),
        Field("illegal_actions", "i8", (6,), "illegal actions of each seat that were replaced"),
        Field("scores", "i8", (6,), "score of each seat"),
        Field("returns", "f8", (6,), "sum of the rewards of each seat"),
        Field("winner_share", "f8", (6,), "1 / W for each of W winners"),
    ],
)
"""What is told of an episode that ended in this step."""


def deal_game(states: Any, ledger: Any, i: int, reset_at: Any, standing_at: Any, scores: Any, keys: Any) -> None:
    """Begin the episode of game ``i`` that its ledger names."""
    g = ledger[i]
    g.status = call_at(reset_at, (states, i, g.seed, i, g.episode))
    g.ended = g.status >> 16
    g.last_seat = -1
    g.length = 0
    run_at(standing_at, (states, i, scores, keys))
    for seat in range(6):
        g.illegal_actions[seat] = 0
        g.scores[seat] = scores[seat]
        g.returns[seat] = 0.0
    # Two streams a game, beside the one of the deal: those of game 0 are those of a single environment.
    rng.seed_words(g.sampler, g.seed, SAMPLER_STREAM + 2 * i, g.episode)
    rng.seed_words(g.replacements, g.seed, REPLACEMENT_STREAM + 2 * i, g.episode)


def share_out(
    states: Any, i: int, standing_at: Any, reward: int, before: Any, scores: Any, keys: Any, paid: Any
) -> None:
    """Write what each seat of game ``i`` is paid as it stands (``float64[6]``).

    ``before`` (``int64[6]``) are the scores that a gain is reckoned from; those of now take their place, if the reward
    is one. ``scores`` and ``keys`` are room.
    """
    players = states[i].num_players
    run_at(standing_at, (states, i, scores, keys))
    best = best_key(keys, players)
    winners = holders(keys, players, best)
    mean = 0.0
    for seat in range(players):
        if reward == GAIN:
            scores[seat] -= before[seat]
            before[seat] += scores[seat]
        mean += scores[seat]
    mean /= players
    for seat in range(players):
        if reward == WIN:
            share = 1.0 / winners if keys[seat] == best else 0.0
            paid[seat] = (players * share - 1.0) / (players - 1.0)
        elif reward == RANK:
            above = 0
            for other in range(players):
                if keys[other] > keys[seat]:
                    above += 1
            equal = holders(keys, players, keys[seat])
            paid[seat] = 1.0 - 2.0 * (above + (equal + 1.0) / 2.0 - 1.0) / (players - 1.0)
        else:
            paid[seat] = (scores[seat] - mean) / SCORE_SCALE


def pay_game(
    states: Any, ledger: Any, i: int, standing_at: Any, reward: int, scores: Any, keys: Any, paid: Any, rewards: Any
) -> None:
    """Write the rewards of the step just made into row ``i``, which is zero, and add them up."""
    g = ledger[i]
    if reward != GAIN and g.ended == RUNNING:
        return
    share(states, i, standing_at, reward, g.scores, scores, keys, paid)
    for seat in range(states[i].num_players):
        g.returns[seat] += paid[seat]
        rewards[i, seat] = np.float32(paid[seat])


def conclude_game(
    states: Any, ledger: Any, i: int, finals: Any, final_states: Any, standing_at: Any, won: int, scores: Any, keys: Any
) -> None:
    """Keep what is told of an episode that is over; ``won`` is 0 if an illegal action ended it, and nobody won."""
    g = ledger[i]
    final = finals[i]
    final_states[i] = states[i]
    players = states[i].num_players
    run_at(standing_at, (states, i, scores, keys))
    best = best_key(keys, players)
    winners = holders(keys, players, best)
    final.length = g.length
    for seat in range(players):
        final.illegal_actions[seat] = g.illegal_actions[seat]
        final.scores[seat] = scores[seat]
        final.returns[seat] = g.returns[seat]
        final.winner_share[seat] = 1.0 / winners if won != 0 and keys[seat] == best else 0.0


def play_game(
    states: Any,
    ledger: Any,
    finals: Any,
    final_states: Any,
    i: int,
    step_at: Any,
    standing_at: Any,
    action: int,
    illegal: int,
    reward: int,
    scores: Any,
    keys: Any,
    paid: Any,
    rewards: Any,
) -> None:
    """One step of game ``i``, which is not over: the action, the rewards, the end if it is one."""
    g = ledger[i]
    seat = (g.status & 255) - 1
    g.last_seat = seat
    legal = allowed(states, ledger, i, action)
    if not legal and illegal == TERMINATE:
        g.ended = NATURAL
        g.returns[seat] -= 1.0
        rewards[i, seat] = np.float32(-1.0)
        conclude(states, ledger, i, finals, final_states, standing_at, 0, scores, keys)
        return
    if not legal:
        g.illegal_actions[seat] += 1
        action = bitset.pick(states[i].legal, g.replacements)
    g.status = call_at(step_at, (states, i, action))
    g.ended = g.status >> 16
    g.length += 1
    pay(states, ledger, i, standing_at, reward, scores, keys, paid, rewards)
    if g.ended != RUNNING:
        conclude(states, ledger, i, finals, final_states, standing_at, 1, scores, keys)


def write_row_of(
    states: Any,
    i: int,
    seat: int,
    row: int,
    counts_at: Any,
    scaled_at: Any,
    slot: int,
    history: int,
    counts: Any,
    scale: Any,
    scaled: Any,
) -> None:
    """Write what a seat sees in game ``i``.

    ``slot`` is -1 for counts, ``counts[row]``; else shares of the largest are written to ``scaled[row]`` by way of
    ``counts[slot]``. ``counts_at`` and ``scaled_at`` are ``GameSpec.look_addresses``.
    """
    if slot < 0:
        run_at(counts_at, (states, i, seat, history, counts[row]))
    else:
        run_at(scaled_at, (states, i, seat, history, counts[slot], scale, scaled[row]))


def show_game(
    states: Any,
    ledger: Any,
    i: int,
    counts_at: Any,
    scaled_at: Any,
    slot: int,
    history: int,
    counts: Any,
    scale: Any,
    scaled: Any,
    masks: Any,
    movers: Any,
) -> None:
    """Write row ``i``: who decides, what he sees and may do; of a game that is over, what was seen by who acted last.
    ``slot`` as in `write_row_of`.
    """
    g = ledger[i]
    seat = (g.status & 255) - 1
    if g.ended != RUNNING:
        seat = max(g.last_seat, 0)
        masks[i, :] = np.int8(0)
        movers[i] = -1
    else:
        bitset.unpack(states[i].legal, masks[i])
        movers[i] = seat
    write_row(states, i, seat, i, counts_at, scaled_at, slot, history, counts, scale, scaled)


def run(
    states: Any,
    ledger: Any,
    finals: Any,
    final_states: Any,
    first: int,
    count: int,
    step_at: Any,
    reset_at: Any,
    standing_at: Any,
    counts_at: Any,
    scaled_at: Any,
    actions: Any,
    dealing: int,
    chosen: Any,
    mode: int,
    illegal: int,
    reward: int,
    slot: int,
    history: int,
    counts: Any,
    scale: Any,
    scaled: Any,
    masks: Any,
    movers: Any,
    rewards: Any,
    terminated: Any,
    truncated: Any,
) -> None:
    """Step the games ``first`` to ``first + count - 1``, or, if ``dealing``, begin those ``chosen`` anew; write their
    rows.
    """
    scores = np.empty(6, np.int64)
    keys = np.empty(6, np.int64)
    paid = np.empty(6, np.float64)
    for i in range(first, first + count):
        g = ledger[i]
        for seat in range(rewards.shape[1]):
            rewards[i, seat] = np.float32(0.0)
        if dealing != 0:
            if chosen[i]:
                deal(states, ledger, i, reset_at, standing_at, scores, keys)
        elif g.ended != RUNNING:
            g.episode += 1
            deal(states, ledger, i, reset_at, standing_at, scores, keys)
        else:
            play(
                states,
                ledger,
                finals,
                final_states,
                i,
                step_at,
                standing_at,
                actions[i],
                illegal,
                reward,
                scores,
                keys,
                paid,
                rewards,
            )
        terminated[i] = g.ended == NATURAL
        truncated[i] = g.ended == TRUNCATED
        if mode == SAME_STEP and dealing == 0 and g.ended != RUNNING:
            g.episode += 1
            deal(states, ledger, i, reset_at, standing_at, scores, keys)
        show(states, ledger, i, counts_at, scaled_at, slot, history, counts, scale, scaled, masks, movers)


def legal_in(states: Any, ledger: Any, i: int, action: int) -> bool:
    """Whether an action, any integer, is legal in game ``i``, which is not over; the ledger is not looked at."""
    return 0 <= action < SIZE and bitset.has_bit(states[i].legal, action)


def first_refused(states: Any, ledger: Any, actions: Any, waiting: int, checked: int) -> int:
    """The first game that cannot be stepped, -1 if all can.

    Games that are over can if ``waiting``, whatever the action; an action that is not ``allowed`` is none of concern
    unless ``checked``.
    """
    for i in range(len(actions)):
        if ledger[i].ended != RUNNING:
            if waiting == 0:
                return i
        elif checked != 0 and not allowed(states, ledger, i, actions[i]):
            return i
    return -1


def sample_games(states: Any, ledger: Any, own: int, words: Any, policy: int, advise_at: Any, out: Any) -> None:
    """The action of a policy, by its id, in each game, -1 of one that is over; ``advise_at`` as in ``selfplay.decide``.

    It draws from the game's own stream, or in all from ``words``.
    """
    room = np.empty(len(PASSIVE), np.uint64)
    for i in range(len(out)):
        if ledger[i].ended != RUNNING:
            out[i] = -1
            continue
        total = bitset.count(states[i].legal)
        if own != 0:
            out[i] = decide(states, i, total, PASSIVE, room, ledger[i].sampler, policy, advise_at)
        else:
            out[i] = decide(states, i, total, PASSIVE, room, words, policy, advise_at)


def look_around(
    states: Any,
    games: Any,
    first: int,
    count: int,
    players: int,
    counts_at: Any,
    scaled_at: Any,
    slot: int,
    history: int,
    counts: Any,
    scale: Any,
    scaled: Any,
) -> None:
    """What every seat sees in the games ``games[first]`` to ``games[first + count - 1]``, a row a seat; ``slot`` as in
    `write_row_of`.
    """
    for k in range(first, first + count):
        for seat in range(players):
            row = k * players + seat
            write_row(states, games[k], seat, row, counts_at, scaled_at, slot, history, counts, scale, scaled)
