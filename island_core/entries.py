# ruff: noqa: F821 - names in capitals and the kernels called are bound by the game
"""The entry points that views call, as templates: ``jit.bind`` makes them kernels of a game.

Each is one call from Python into machine code. Those that take ``data``, the bytes of a record, are for views of one
game: a call costs a third less than with an array of records. Names in capitals and the kernels called are bound by the
game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from island_core import bitset, rng
from island_core.decisions import status_of
from island_core.jit import run_at

if TYPE_CHECKING:
    SIZE: int
    RECORD: Any
    set_up: Any
    apply: Any
    advance: Any
    derive: Any
    ENTRIES: int
    step_game: Any
    redraw: Any
    observe: Any
    observe_history: Any


def reset(states: Any, i: int, seed: int, index: int, episode: int) -> int:
    """Set up game ``i`` with its options for ``(seed, index, episode)``; returns its status."""
    s = states[i]
    rng.seed_words(s.rng, seed, index, episode)
    set_up(s)
    advance(s)
    return status_of(s)


def step(states: Any, i: int, action: int) -> int:
    """Apply a legal action (not checked) in game ``i``; returns its status."""
    s = states[i]
    apply(s, action)
    advance(s)
    return status_of(s)


def refresh(states: Any, i: int) -> int:
    """Write what is derived, the legal actions too, in a position put together from outside; returns its status."""
    s = states[i]
    derive(s)
    advance(s)
    return status_of(s)


def try_step(data: Any, action: int) -> int:
    """Apply an action to the game of one record and return its status; -1, with nothing changed, if it is not legal."""
    states = data.view(RECORD)
    if action < 0 or action >= SIZE or not bitset.has_bit(states[0].legal, action):
        return -1
    return step_game(states, 0, action)  # type: ignore[no-any-return]


def sample(data: Any, words: Any) -> int:
    """A random legal action drawn with the generator ``words`` (``uint64[4]``); -1 if there is none."""
    return bitset.pick(data.view(RECORD)[0].legal, words)


def list_legal(data: Any, out: Any) -> int:
    """Write the legal actions, ascending, to ``out`` (``int64[SIZE]``); returns their number."""
    return bitset.write_list(data.view(RECORD)[0].legal, out)


def write_mask(data: Any, out: Any) -> None:
    """The legal actions as ``int8[SIZE]``."""
    bitset.unpack(data.view(RECORD)[0].legal, out)


def redraw_data(data: Any, seed: int) -> None:
    """What ``redraw`` of the game does to the first of two records; the second one becomes the same."""
    states = data.view(RECORD)
    redraw(states, 0, seed)
    states[1] = states[0]


def determinize_data(data: Any, determinize_at: Any, seat: int, seed: int) -> None:
    """The same with ``determinize``, which is called by its address."""
    states = data.view(RECORD)
    run_at(determinize_at, (states, 0, seat, seed))
    states[1] = states[0]


def look_counts(states: Any, i: int, seat: int, history: int, out: Any) -> None:
    """The observation of a seat as counts, ``int8[ENTRIES + 4 * history]``."""
    observe(states, i, seat, out[:ENTRIES])
    if history > 0:
        observe_history(states, i, seat, history, out[ENTRIES:])


def look_scaled(states: Any, i: int, seat: int, history: int, counts: Any, scale: Any, out: Any) -> None:
    """The observation of a seat as count / largest, ``float32[ENTRIES + 4 * history]``; ``counts`` is room for the
    counts.
    """
    observe(states, i, seat, counts[:ENTRIES])
    if history > 0:
        observe_history(states, i, seat, history, counts[ENTRIES:])
    for k in range(len(out)):
        out[k] = np.float32(counts[k]) * scale[k]


def show_counts(data: Any, seat: int, history: int, look_at: Any, out: Any, mask: Any) -> None:
    """What `look_counts` and `write_mask` write, in one call from Python; ``look_at`` is the address of the former."""
    states = data.view(RECORD)
    run_at(look_at, (states, 0, seat, history, out))
    bitset.unpack(states[0].legal, mask)


def show_scaled(data: Any, seat: int, history: int, look_at: Any, counts: Any, scale: Any, out: Any, mask: Any) -> None:
    """The same with `look_scaled`."""
    states = data.view(RECORD)
    run_at(look_at, (states, 0, seat, history, counts, scale, out))
    bitset.unpack(states[0].legal, mask)
