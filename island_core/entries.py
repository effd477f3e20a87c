# ruff: noqa: F821 - names in capitals and the kernels called are bound by the game
"""The entry points that views call, as templates: ``jit.bind`` makes them kernels of a game.

Each is one call from Python into machine code. Those that take a ``place``, the address of a record
(`layout.Slot`), are for views of one game: a call costs half of what it does with an array, and being called with
one list of types each they go without a look at the types (`jit.entry`). Names in capitals and the
kernels called are bound by the game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from island_core import bitset, rng
from island_core.decisions import status_of
from island_core.jit import records_at, run_at

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

BY_PLACE = (
    "try_step",
    "sample",
    "list_legal",
    "write_mask",
    "copy_to",
    "redraw_to",
    "determinize_in",
    "show_counts",
    "show_scaled",
)
"""Names of the entry points that take the address of a record."""


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


def try_step(place: int, action: int) -> int:
    """Apply an action to the game of one record and return its status; -1, with nothing changed, if it is not legal."""
    states = records_at(place, RECORD)
    if action < 0 or action >= SIZE or not bitset.has_bit(states[0].legal, action):
        return -1
    return step_game(states, 0, action)  # type: ignore[no-any-return]


def sample(place: int, words: Any) -> int:
    """A random legal action drawn with the generator ``words`` (``uint64[4]``); -1 if there is none."""
    return bitset.pick(records_at(place, RECORD)[0].legal, words)


def list_legal(place: int, out: Any) -> int:
    """Write the legal actions, ascending, to ``out`` (``int64[SIZE]``); returns their number."""
    return bitset.write_list(records_at(place, RECORD)[0].legal, out)


def write_mask(place: int, out: Any) -> None:
    """The legal actions as ``int8[SIZE]``."""
    bitset.unpack(records_at(place, RECORD)[0].legal, out)


def copy_to(place: int, other: int) -> None:
    """Copy the record at ``place`` to another place."""
    records_at(other, RECORD)[0] = records_at(place, RECORD)[0]


def redraw_to(place: int, other: int, seed: int) -> None:
    """Write what ``redraw`` of the game makes of the record at ``place`` to another place."""
    states = records_at(other, RECORD)
    states[0] = records_at(place, RECORD)[0]
    redraw(states, 0, seed)


def determinize_in(place: int, determinize_at: Any, seat: int, seed: int) -> None:
    """Redraw what a seat does not know in the record at ``place``; ``determinize`` is called by its address."""
    run_at(determinize_at, (records_at(place, RECORD), 0, seat, seed))


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


def show_counts(place: int, seat: int, history: int, look_at: Any, out: Any, mask: Any) -> None:
    """What `look_counts` and `write_mask` write, in one call from Python; ``look_at`` is the address of the former."""
    states = records_at(place, RECORD)
    run_at(look_at, (states, 0, seat, history, out))
    bitset.unpack(states[0].legal, mask)


def show_scaled(
    place: int, seat: int, history: int, look_at: Any, counts: Any, scale: Any, out: Any, mask: Any
) -> None:
    """The same with `look_scaled`."""
    states = records_at(place, RECORD)
    run_at(look_at, (states, 0, seat, history, counts, scale, out))
    bitset.unpack(states[0].legal, mask)
