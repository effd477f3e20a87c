"""How far it is: steps and cards from every cell to the nearest goal, as levels.

A step onto free terrain counts `FREE`, one that a hand card pays `PAID`, one for which no card is in hand `MISSING`.
Levels are found from the goals outwards, a whole set of cells at a time, and kept as five bit sets, one for each
binary digit of the level, so that nothing is allocated.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dracheninsel_env import board, components
from dracheninsel_env.components import read_only
from dracheninsel_env.rules.spaces import CELLS, NONE, ONE, SITE, SITE_BIT
from island_core.jit import kernel

Rec = Any

NEIGHBOUR_CELLS = board.NEIGHBOUR_CELLS
CARD_TERRAINS = components.CARD_TERRAINS

FREE: Final = 1
PAID: Final = 2
MISSING: Final = 4
FAR: Final = 32
"""More than any level: the goal cannot be reached."""
EVERY_TERRAIN: Final = 63


def _around_bytes() -> NDArray[np.uint64]:
    """Return the cells next to the cells of each byte of a bit set: entry ``place << 8 | byte``."""
    table = np.zeros(8 << 8, np.uint64)
    for place in range(8):
        for byte in range(256):
            for k in range(8):
                if byte >> k & 1 and 8 * place + k < CELLS:
                    table[place << 8 | byte] |= NEIGHBOUR_CELLS[8 * place + k]
    return table


AROUND_BYTES: Final = read_only(_around_bytes(), np.uint64)
"""uint64[2048]: entry ``place << 8 | byte`` is the bit set of cells next to those of byte ``place`` of a bit set."""

LANDING_BITS: Final = read_only([(1 << int(a)) | (1 << int(b)) for a, b in board.LANDINGS], np.uint64)
"""uint64[6]: the two landings of each boat as a bit set."""


class Ways(NamedTuple):
    """Cells by what it costs a hunter to enter them (bit sets), whatever stands there."""

    free: Any
    paid: Any
    missing: Any


class Levels(NamedTuple):
    """Levels of cells by binary digits, the lowest first, and the cells that have one (bit sets)."""

    ones: Any
    twos: Any
    fours: Any
    eights: Any
    sixteens: Any
    reached: Any


@kernel
def gathered(table: Any, cells: np.uint64) -> np.uint64:
    """What a table by place and byte has for the bytes of a bit set, together."""
    found = NONE
    for place in range(8):
        byte = np.int64((cells >> np.uint64(8 * place)) & np.uint64(255))
        found |= table[(place << 8) | byte]
    return found


@kernel
def around(cells: np.uint64) -> np.uint64:
    """The cells next to those of a bit set."""
    return gathered(AROUND_BYTES, cells)


@kernel
def payable_terrains(s: Rec, seat: int, hunter: int) -> int:
    """The bit set of terrains that some card of a hand pays for a hunter (D5.2)."""
    terrains = 0
    for place in range(s.hand_size[seat]):
        terrains |= CARD_TERRAINS[s.hand[seat, place]]
    return EVERY_TERRAIN if (terrains >> hunter) & 1 else terrains


@kernel
def ways_of(s: Rec, seat: int, hunter: int) -> Ways:
    """What each terrain space costs a hunter with the seat's hand and the terrains freed in this turn (D5, D8.5)."""
    free_terrains = (1 << hunter) | s.freed
    payable = payable_terrains(s, seat, hunter)
    free = NONE
    paid = NONE
    for cell in range(CELLS):
        if cell != SITE:
            free |= np.uint64((free_terrains >> s.terrain[cell]) & 1) << np.uint64(cell)
            paid |= np.uint64((payable >> s.terrain[cell]) & 1) << np.uint64(cell)
    return Ways(free, paid & ~free, ~(paid | free | SITE_BIT))


@kernel
def levels_to(
    first: np.uint64, second: np.uint64, later: int, ways: Ways, through: np.uint64, wanted: np.uint64
) -> Levels:
    """The levels of cells: how far it is to the goals ``first``, or to ``second``, whose own level is ``later``.

    Only cells of ``through`` are passed. It ends when all cells ``wanted`` have a level, or no further one can get one.
    """
    ones, twos, fours, eights, sixteens = NONE, NONE, NONE, NONE, NONE
    reached = NONE
    # Cells whose level is 1 to 4 less than the present one.
    new1, new2, new3, new4 = NONE, NONE, NONE, NONE
    passing = through | first | second
    free = ways.free & passing
    paid = ways.paid & passing
    missing = ways.missing & passing
    site = SITE_BIT & passing
    for level in range(FAR):
        new = NONE
        if (new1 | new2 | new4) != NONE:
            new = around((new1 & (free | site)) | (new2 & paid) | (new4 & missing)) & ~reached
        if level == 0:
            new |= first
        if level == later:
            new |= second & ~reached
        reached |= new
        if level & 1:
            ones |= new
        if level & 2:
            twos |= new
        if level & 4:
            fours |= new
        if level & 8:
            eights |= new
        if level & 16:
            sixteens |= new
        if wanted & ~reached == NONE or (level > later and (new | new1 | new2 | new3) == NONE):
            break
        new4, new3, new2, new1 = new3, new2, new1, new
    return Levels(ones, twos, fours, eights, sixteens, reached)


@kernel
def level_of(levels: Levels, cell: int) -> int:
    """The level of a cell, `FAR` if it has none."""
    place = np.uint64(cell)
    if not (levels.reached >> place) & ONE:
        return FAR
    digits = (
        ((levels.ones >> place) & ONE)
        | (((levels.twos >> place) & ONE) << np.uint64(1))
        | (((levels.fours >> place) & ONE) << np.uint64(2))
        | (((levels.eights >> place) & ONE) << np.uint64(3))
        | (((levels.sixteens >> place) & ONE) << np.uint64(4))
    )
    return int(np.int64(digits))
