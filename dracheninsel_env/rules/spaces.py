"""D7: what stands where, and who may enter what.

Cells are bits of a 64-bit word (the site is one of them); boats are asked one by one. Facts that several questions
need are read once into a ``Board``: the cells with a hunter, with a treasure, and with a dragon.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dracheninsel_env import board
from island_core.jit import kernel

Rec = Any

CELLS = board.CELLS
SITE = board.SITE
FIRST_BOAT = board.FIRST_BOAT
SITE_BIT = np.uint64(1 << board.SITE)
TERRAIN_CELLS = np.uint64(board.TERRAIN_CELLS)
ONE = np.uint64(1)
NONE = np.uint64(0)


class Board(NamedTuple):
    """Cells with hunters, a treasure, a dragon (bit sets)."""

    hunters: Any
    treasures: Any
    dragons: Any


@kernel
def bit(cell: int) -> np.uint64:
    """The bit of a cell."""
    return ONE << np.uint64(cell)


@kernel
def read_board(s: Rec) -> Board:
    """The occupied cells."""
    hunters = NONE
    for hunter in range(6):
        place = s.at[hunter]
        if 0 <= place < CELLS:
            hunters |= ONE << np.uint64(place)
    treasures = NONE
    for treasure in range(len(s.treasure_at)):
        place = s.treasure_at[treasure]
        if 0 <= place < CELLS:
            treasures |= ONE << np.uint64(place)
    dragons = NONE
    for dragon in range(len(s.dragon_at)):
        place = s.dragon_at[dragon]
        if place >= 0:
            dragons |= ONE << np.uint64(place)
    return Board(hunters, treasures, dragons)


@kernel
def empty_terrain(cells: Board) -> np.uint64:
    """Terrain spaces without hunter and dragon."""
    return TERRAIN_CELLS & ~cells.hunters & ~cells.dragons


@kernel
def treasure_on(s: Rec, space: int) -> int:
    """The treasure on a space, -1 if none lies there."""
    for treasure in range(len(s.treasure_at)):
        if s.treasure_at[treasure] == space:
            return treasure
    return -1


@kernel
def other_hunter_on(s: Rec, space: int, hunter: int) -> int:
    """A hunter on a space who is not ``hunter``, the first in hunter order; -1 if there is none."""
    for other in range(6):
        if other != hunter and s.at[other] == space:
            return other
    return -1


@kernel
def partner_of(s: Rec, hunter: int) -> int:
    """The other carrier if the hunter is in a pair (D6.2), else -1: two share a cell only as a pair (D7.2), a boat ends
    it.
    """
    place = s.at[hunter]
    return other_hunter_on(s, place, hunter) if place < CELLS else -1


@kernel
def holds_treasure(cells: Board, space: int) -> bool:
    """Whether a treasure lies on a space; none lies in a boat when somebody moves (D6.8)."""
    return space < CELLS and cells.treasures & bit(space) != NONE


@kernel
def open_terrain(cells: Board, paired: bool) -> np.uint64:
    """Terrain spaces that may be entered.

    D7.1 no dragon; D7.2 no hunter, but for one without treasure: a lone carrier (D6.6) or a pair (ambush, D7.4);
    D7.3 a pair enters neither; the site is no terrain space: a pair never enters it (D6.5).
    """
    free = TERRAIN_CELLS & ~cells.dragons
    if paired:
        return free & ~cells.hunters
    return free & (~cells.hunters | cells.treasures)


@kernel
def boat_open(s: Rec, hunter: int, partner: int, boat: int) -> bool:
    """Whether a hunter may enter a boat: a pair either carrier's, whoever stands there (D7.2); a hunter without partner
    his own (D5.1) if nobody stands in it (D7.6).
    """
    if partner >= 0:
        return boat == FIRST_BOAT + hunter or boat == FIRST_BOAT + partner
    return boat == FIRST_BOAT + hunter and other_hunter_on(s, boat, hunter) < 0
