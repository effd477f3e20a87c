"""The board as tables: spaces, neighbours, landings, jumps, the start layout and the turns of the board (D1, D8.4).

Spaces 0-60 are the cells row by row (a1, a2, ..., i5), 61-66 the boats in the order of `vocab.HUNTERS`. Bit sets of
cells are uint64 with bit k for cell k. Everything is derived from the components file and read-only.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from dracheninsel_env.components import (
    CARD_TERRAINS,
    CELL_HEXES,
    CLOCKWISE,
    COMPONENTS,
    COPIES,
    DIRECTIONS,
    RADIUS,
    TERRAIN_CARD_SLOTS,
    Hex,
    read_only,
    turn,
)
from dracheninsel_env.vocab import CELL_NAMES, HUNTERS, TERRAINS

IntTable = npt.NDArray[np.int64]
BitTable = npt.NDArray[np.uint64]

CELLS: Final = 61
SPACES: Final = 67
FIRST_BOAT: Final = 61
"""The boat of hunter k is space `FIRST_BOAT + k`."""
SITE: Final = 30

SPACE_NAMES: Final = (*CELL_NAMES, *(f"boat-{hunter}" for hunter in HUNTERS))
"""The 67 names of D1.3."""

DIRECTION_NAMES: Final = ("E", "SE", "SW", "W", "NW", "NE")
"""The six directions, clockwise from east, with the axial steps of `components.DIRECTIONS`."""

# fmt: off
JUMP_OFFSETS: Final = (
    (2, 0), (1, 1), (0, 2), (-1, 2), (-2, 2), (-2, 1), (-2, 0), (-1, -1), (0, -2), (1, -2), (2, -2), (2, -1),
)
# fmt: on
"""The twelve axial offsets (q, r) at distance two, clockwise from east: the landings of a flight, from its start."""


def _bits(members: Iterable[int]) -> int:
    """Return a bit set of cells."""
    return sum(1 << member for member in set(members))


# ---- Spaces and neighbours (D1.1) ------------------------------------------------------------------------------------

_BOAT_OF: Final = {boat.hunter: boat for boat in COMPONENTS.boats}
_HEXES: Final[list[Hex]] = [*CELL_HEXES.values(), *(_BOAT_OF[hunter].hexagon for hunter in range(len(HUNTERS)))]
_SPACE_AT: Final = {hexagon: space for space, hexagon in enumerate(_HEXES)}

AXIAL: Final[IntTable] = read_only(_HEXES)
"""int64[67, 2]: axial (q, r) of each space; a boat lies on the hex outside the island that touches its landings."""


def _neighbour() -> list[list[int]]:
    """Return the space in each direction of each space, -1 if none.

    A boat's hex touches no cell but its landings and no other boat, so plain hex adjacency is the rule (D1.1, D5.5).
    """
    return [[_SPACE_AT.get((q + dq, r + dr), -1) for dq, dr in DIRECTIONS] for q, r in _HEXES]


NEIGHBOUR: Final[IntTable] = read_only(_neighbour())
"""int64[67, 6]: the space in each direction, -1 if none. From a landing, one direction leads to its boat."""

_AROUND: Final = [[int(space) for space in row if space >= 0] for row in NEIGHBOUR]

NEIGHBOUR_CELLS: Final[BitTable] = read_only(
    [_bits(space for space in around if space < CELLS) for around in _AROUND], np.uint64
)
"""uint64[67]: bit set of the cells next to each space; boats are left out."""

LANDINGS: Final[IntTable] = read_only(
    [[CELL_NAMES.index(name) for name in _BOAT_OF[hunter].landings] for hunter in range(len(HUNTERS))]
)
"""int64[6, 2]: the two landings of each hunter's boat, the clockwise first one first."""

LANDING_CELLS: Final = np.uint64(_bits(LANDINGS.ravel().tolist()))
"""Bit set of all twelve landings: no dragon is put there (D8.2)."""

TERRAIN_CELLS: Final = np.uint64(_bits(cell for cell in range(CELLS) if cell != SITE))
"""Bit set of the 60 terrain spaces: every cell but the site."""

# ---- Flights (D8.4) --------------------------------------------------------------------------------------------------


def _jumps() -> tuple[IntTable, IntTable, BitTable]:
    """Return target, jumped spaces and their bit set for each start and landing offset, in the words of D8.4.

    The jumped space is adjacent to the start; the target is a neighbour of the jumped space, neither the start nor
    adjacent to the start. A boat is never jumped: its two landings are adjacent to each other.
    """
    offset_of = {offset: k for k, offset in enumerate(JUMP_OFFSETS)}
    target = np.full((SPACES, len(JUMP_OFFSETS)), -1, np.int64)
    jumped: dict[tuple[int, int], list[int]] = {}
    for start, around in enumerate(_AROUND):
        for over in around:
            for end in _AROUND[over]:
                if end != start and end not in around:
                    dq, dr = (AXIAL[end] - AXIAL[start]).tolist()
                    k = offset_of[dq, dr]
                    target[start, k] = end
                    jumped.setdefault((start, k), []).append(over)
    over_table = np.full((SPACES, len(JUMP_OFFSETS), 2), -1, np.int64)
    bit_table = np.zeros((SPACES, len(JUMP_OFFSETS)), np.uint64)
    for (start, k), overs in jumped.items():
        over_table[start, k, : len(overs)] = overs
        bit_table[start, k] = _bits(overs)
    return read_only(target), read_only(over_table), read_only(bit_table, np.uint64)


JUMP_TARGET, JUMP_OVER, JUMP_CELLS = _jumps()
"""Per start and landing offset of `JUMP_OFFSETS`:

- `JUMP_TARGET` int64[67, 12]: the space a flight lands on, -1 if no jump leads there;
- `JUMP_OVER` int64[67, 12, 2]: the one or two spaces it may jump over, in the order of directions, then -1;
- `JUMP_CELLS` uint64[67, 12]: the same as a bit set of cells. A flight is barred if dragons stand on all of them.
"""

# ---- Start layout (D1.2) ---------------------------------------------------------------------------------------------

TERRAIN_OF: Final = COMPONENTS.start_terrains
"""int64[61]: terrain of each cell in the start layout, -1 for the site."""

DISCS: Final[BitTable] = read_only(
    [_bits(np.flatnonzero(terrain == TERRAIN_OF).tolist()) for terrain in range(len(TERRAINS))], np.uint64
)
"""uint64[6]: the start layout as one bit set of cells per terrain."""

# ---- Turns of the board ----------------------------------------------------------------------------------------------


def _rotate() -> tuple[list[int], bool]:
    """Return where each space goes under a clockwise turn by 60 degrees, and whether that is a symmetry of the game."""
    next_of = {hunter: CLOCKWISE[(place + 1) % len(CLOCKWISE)] for place, hunter in enumerate(CLOCKWISE)}
    rotated = [_SPACE_AT.get(turn(hexagon), -1) for hexagon in _HEXES]
    boats_turn = all(rotated[FIRST_BOAT + hunter] == FIRST_BOAT + next_of[hunter] for hunter in next_of)
    dual = range(len(TERRAINS), TERRAIN_CARD_SLOTS)
    cards = {int(CARD_TERRAINS[slot]): int(COPIES[slot]) for slot in dual if COPIES[slot]}
    turned = {_bits(next_of[k] for k in range(len(TERRAINS)) if shown >> k & 1): cards[shown] for shown in cards}
    symmetric = boats_turn and turned == cards
    if not symmetric:
        rotated[FIRST_BOAT:] = [-1] * len(HUNTERS)
    return rotated, symmetric


_ROTATED, SYMMETRIC = _rotate()
"""Whether a clockwise turn of the board by 60 degrees, together with the change of every colour to the next in the
clockwise order of boats (`CLOCKWISE`), maps boats to boats and the deck to itself; true of the packaged file. Which
hunters play is not looked at: with four or five players a colour may go to one that stays out."""

ROTATE: Final[IntTable] = read_only(_ROTATED)
"""int64[67]: the space each space goes to under a clockwise turn by 60 degrees. Boats are -1 if not `SYMMETRIC`."""

# ---- Fair layouts (D1.4) ---------------------------------------------------------------------------------------------
# Under a turn the 60 terrain spaces fall into ten orbits of six. A turn maps each terrain to the next, so one terrain
# (the offset) fixes an orbit, each orbit holds every terrain once, and a layout is ten offsets.

ORBITS: Final = 10


def _orbits() -> tuple[IntTable, IntTable]:
    """Return orbit and turn of each cell. Orbits are numbered ring by ring from the site, clockwise from due east."""
    orbit_of = np.full(CELLS, -1, np.int64)
    orbit_turn = np.full(CELLS, -1, np.int64)
    firsts = [(distance - step, step) for distance in range(1, RADIUS + 1) for step in range(distance)]
    for orbit, first in enumerate(firsts):
        for turns in range(6):
            cell = _SPACE_AT[turn(first, turns)]
            orbit_of[cell], orbit_turn[cell] = orbit, turns
    return read_only(orbit_of), read_only(orbit_turn)


ORBIT_OF, ORBIT_TURN = _orbits()
"""`ORBIT_OF` int64[61]: orbit 0-9 of each cell; `ORBIT_TURN` int64[61]: clockwise turns from the first cell of its
orbit. The site is -1 in both. Terrain of a cell in a fair layout: (offset[orbit] + turn) % 6."""


def _orbit_clash() -> npt.NDArray[np.int8]:
    """Return for each two orbits which differences of their offsets put equal terrains on adjacent cells."""
    clash = np.zeros((ORBITS, ORBITS, 6), np.int8)
    for cell in range(CELLS):
        for other in _AROUND[cell]:
            if SITE not in (cell, other) and other < CELLS:
                # Equal terrains: offset[a] + turn == offset[b] + turn of the other, modulo 6.
                difference = (ORBIT_TURN[other] - ORBIT_TURN[cell]) % 6
                clash[ORBIT_OF[cell], ORBIT_OF[other], difference] = 1
    return read_only(clash, np.int8)


ORBIT_CLASH: Final[npt.NDArray[np.int8]] = _orbit_clash()
"""int8[10, 10, 6]: 1 at [a, b, d] if (offset[a] - offset[b]) % 6 == d puts equal terrains on adjacent cells.
[a, a, 0] is always 0: no orbit clashes with itself, so a < b is all a search has to look at."""


def fair_layouts() -> Iterator[tuple[int, ...]]:
    """Yield the ten offsets of every fair layout (D1.4) in ascending order; there are 393,984."""
    clashing = [
        [[_bits((c + d) % 6 for d in range(6) if ORBIT_CLASH[a, b, d]) for c in range(6)] for b in range(a)]
        for a in range(ORBITS)
    ]

    def extend(offsets: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        orbit = len(offsets)
        barred = 0
        for other, offset in enumerate(offsets):
            barred |= clashing[orbit][other][offset]
        for offset in range(6):
            if not barred >> offset & 1:
                extended = (*offsets, offset)
                if len(extended) == ORBITS:
                    yield extended
                else:
                    yield from extend(extended)

    return extend(())
