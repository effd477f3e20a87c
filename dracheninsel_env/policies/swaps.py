"""Discs (D8.1): the planner brings those of its own terrain onto its line.

The *line* of a hunter are the cells on a shortest way between the site and his boat. A disc of his own terrain there is
a free step for the rest of the game.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from dracheninsel_env.actions import OFFSET
from dracheninsel_env.components import read_only
from dracheninsel_env.estimate import STEPS
from dracheninsel_env.policies.choices import NOTHING, legal_among, use_of
from dracheninsel_env.policies.reach import cells_of
from dracheninsel_env.policies.routes import around
from dracheninsel_env.rules.spaces import CELLS, FIRST_BOAT, NONE, ONE, SITE, bit, empty_terrain, read_board
from dracheninsel_env.vocab import HUNTERS, Task
from island_core import bitset
from island_core.jit import kernel
from island_core.rng import below

Rec = Any

ALL_CELLS = np.uint64((1 << CELLS) - 1)


def _line(hunter: int) -> int:
    """Return the cells on a shortest way between the site and a boat, as a bit set."""
    boat = FIRST_BOAT + hunter
    length = STEPS[SITE, boat]
    return sum(1 << cell for cell in range(CELLS) if cell != SITE and STEPS[SITE, cell] + STEPS[cell, boat] == length)


LINE: Final = read_only([_line(hunter) for hunter in range(len(HUNTERS))], np.uint64)
"""uint64[6]: the line of each hunter."""


class Discs(NamedTuple):
    """Empty cells off the line with an own disc, and on the line without one (bit sets)."""

    spare: Any
    wanting: Any


@kernel
def discs_of(s: Rec, hunter: int) -> Discs:
    """The discs that an own hunter would move, and the cells where he would have them."""
    empty = empty_terrain(read_board(s))
    own = cells_of(s, 1 << hunter)
    return Discs(own & empty & ~LINE[hunter], LINE[hunter] & empty & ~own)


@kernel
def useful_swap(s: Rec, seat: int) -> int:
    """A use of a task that brings an own disc onto the line; else `NOTHING`."""
    anywhere = False
    nearby = False
    for slot in range(2):
        hunter = s.hunters[seat, slot]
        if hunter >= 0:
            discs = discs_of(s, hunter)
            anywhere |= discs.spare != NONE and discs.wanting != NONE
            nearby |= around(discs.spare) & discs.wanting != NONE
    action = use_of(s, Task.DESTROYING_FORCES) if nearby else NOTHING
    if action == NOTHING and anywhere:
        action = use_of(s, Task.RAGING_ELEMENTS)
    return action


@kernel
def one_of(cells: np.uint64, words: Any) -> int:
    """The action that names one of some cells, drawn by chance."""
    for _ in range(below(words, bitset.popcount(cells))):
        cells &= cells - ONE
    return OFFSET.choose + bitset.lowest(cells)


@kernel
def first_disc(s: Rec, seat: int, words: Any) -> int:
    """An own disc off the line that can come onto it; else one that is on nobody's mind."""
    adjacent = s.frame_a[s.depth - 1] == Task.DESTROYING_FORCES
    legal = legal_among(s, OFFSET.choose, ALL_CELLS)
    lines = NONE
    for slot in range(2):
        hunter = s.hunters[seat, slot]
        if hunter >= 0:
            discs = discs_of(s, hunter)
            movable = discs.spare & legal
            if adjacent:
                movable &= around(discs.wanting)
            if movable != NONE and discs.wanting != NONE:
                return one_of(movable, words)
            lines |= LINE[hunter]
    return one_of(legal & ~lines if legal & ~lines != NONE else legal, words)


@kernel
def second_disc(s: Rec, seat: int, words: Any) -> int:
    """A cell on the line for an own disc; else one off the line, where the swap does no harm."""
    legal = legal_among(s, OFFSET.choose, ALL_CELLS)
    first = s.frame_b[s.depth - 1]
    lines = NONE
    for slot in range(2):
        hunter = s.hunters[seat, slot]
        if hunter >= 0:
            wanting = discs_of(s, hunter).wanting & legal
            if s.terrain[first] == hunter and LINE[hunter] & bit(first) == NONE and wanting != NONE:
                return one_of(wanting, words)
            lines |= LINE[hunter]
    return one_of(legal & ~lines if legal & ~lines != NONE else legal, words)
