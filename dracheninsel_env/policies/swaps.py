"""Discs and dragons (D8.1, D8.2): where the planner puts them.

The *line* of a hunter are the cells on a shortest way between the site and his boat. A disc of the own terrain there is
a free step for the rest of the game, one of a rival's terrain on his line is his.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from dracheninsel_env import board
from dracheninsel_env.actions import OFFSET
from dracheninsel_env.components import read_only
from dracheninsel_env.decisions import Decision
from dracheninsel_env.estimate import STEPS
from dracheninsel_env.policies.choices import NOTHING, is_legal, use_of
from dracheninsel_env.policies.keeping import worth_of_green
from dracheninsel_env.policies.reach import cells_of
from dracheninsel_env.policies.routes import around
from dracheninsel_env.rules.spaces import (
    CELLS,
    FIRST_BOAT,
    NONE,
    ONE,
    SITE,
    empty_terrain,
    other_hunter_on,
    read_board,
    treasure_on,
)
from dracheninsel_env.vocab import HUNTERS, Task
from island_core.jit import kernel
from island_core.rng import below

Rec = Any

NEIGHBOUR_CELLS = board.NEIGHBOUR_CELLS
RIVAL = 0.5
"""How much a disc on a rival's line counts against one on the own line."""
SWAP = 7.0
"""A green half that is worth more is not given up for a swap."""
CARRIERS = 1.0
"""How much a dragon in the way of a pair counts."""
WALKERS = 0.3
"""The same for a hunter on his way to the site."""


def _line(hunter: int) -> int:
    """Return the cells on a shortest way between the site and a boat, as a bit set."""
    boat = FIRST_BOAT + hunter
    length = STEPS[SITE, boat]
    return sum(1 << cell for cell in range(CELLS) if cell != SITE and STEPS[SITE, cell] + STEPS[cell, boat] == length)


LINE: Final = read_only([_line(hunter) for hunter in range(len(HUNTERS))], np.uint64)
"""uint64[6]: the line of each hunter."""


@kernel
def disc_worth(s: Rec, seat: int, cell: int, terrain: int) -> float:
    """What it is worth to a seat that a disc of a terrain lies on a cell."""
    owner = s.owner[terrain]
    if owner < 0 or not (LINE[terrain] >> np.uint64(cell)) & ONE:
        return 0.0
    return 1.0 if owner == seat else -RIVAL / (s.num_players - 1)


@kernel
def swap_worth(s: Rec, seat: int, first: int, second: int) -> float:
    """What it is worth to a seat to swap two discs."""
    one, two = s.terrain[first], s.terrain[second]
    after = disc_worth(s, seat, first, two) + disc_worth(s, seat, second, one)
    return after - disc_worth(s, seat, first, one) - disc_worth(s, seat, second, two)


@kernel
def useful_swap(s: Rec, seat: int) -> int:
    """A legal use of a task that brings an own disc onto the own line (D8.1); else `NOTHING`."""
    empty = empty_terrain(read_board(s))
    anywhere = False
    nearby = False
    for slot in range(2):
        hunter = s.hunters[seat, slot]
        if hunter >= 0:
            discs = cells_of(s, 1 << hunter) & empty
            spare = discs & ~LINE[hunter]
            wanted = LINE[hunter] & empty & ~discs
            anywhere |= spare != NONE and wanted != NONE
            nearby |= around(spare) & wanted != NONE
    if nearby:
        action = use_of(s, Task.DESTROYING_FORCES)
        if action != NOTHING and worth_of_green(action) <= SWAP:
            return action
    if anywhere:
        action = use_of(s, Task.RAGING_ELEMENTS)
        if action != NOTHING and worth_of_green(action) <= SWAP:
            return action
    return NOTHING


@kernel
def best_disc(s: Rec, seat: int, words: Any) -> int:
    """The disc to swap: as the first one that with the best partner, as the second one the best partner."""
    top = s.depth - 1
    fixed = s.frame_b[top] if s.frame_decision[top] == Decision.SECOND_DISC else -1
    adjacent = s.frame_a[top] == Task.DESTROYING_FORCES
    empty = empty_terrain(read_board(s))
    best = -1.0e9
    found = -1
    ties = 1
    for cell in range(CELLS):
        if not is_legal(s, OFFSET.choose + cell):
            continue
        worth = -1.0e9
        if fixed >= 0:
            worth = swap_worth(s, seat, fixed, cell)
        else:
            for other in range(CELLS):
                if (empty >> np.uint64(other)) & ONE and s.terrain[other] != s.terrain[cell]:
                    if not adjacent or (NEIGHBOUR_CELLS[cell] >> np.uint64(other)) & ONE:
                        worth = max(worth, swap_worth(s, seat, cell, other))
        ties = ties + 1 if worth == best else 1
        if worth > best or (worth == best and below(words, ties) == 0):
            best = worth
            found = cell
    return OFFSET.choose + found


@kernel
def dragon_worth(s: Rec, seat: int, cell: int) -> float:
    """How much a dragon on a cell is in the way of others, less how much in the own way: of each hunter it counts if it
    is on a shortest way to his boat, or to the site, the more the nearer.
    """
    worth = 0.0
    for hunter in range(6):
        place = s.at[hunter]
        if place < 0:
            continue
        aim = SITE
        weight = WALKERS
        if place < CELLS and treasure_on(s, place) >= 0:
            aim = FIRST_BOAT + hunter
            weight = CARRIERS
            partner = other_hunter_on(s, place, hunter)
            if s.owner[hunter] != seat and partner >= 0 and s.owner[partner] == seat:
                continue
        if STEPS[place, cell] + STEPS[cell, aim] == STEPS[place, aim]:
            near = weight / STEPS[place, cell] if STEPS[place, cell] > 0 else 0.0
            worth += -near * (s.num_players - 1) if s.owner[hunter] == seat else near
    return worth


@kernel
def best_dragon(s: Rec, seat: int, words: Any) -> int:
    """The dragon that is least in the way of others, or the place where it is most."""
    sign = -1.0 if s.frame_decision[s.depth - 1] == Decision.DRAGON else 1.0
    best = -1.0e9
    found = -1
    ties = 1
    for cell in range(CELLS):
        if is_legal(s, OFFSET.choose + cell):
            worth = sign * dragon_worth(s, seat, cell)
            ties = ties + 1 if worth == best else 1
            if worth > best or (worth == best and below(words, ties) == 0):
                best = worth
                found = cell
    return OFFSET.choose + found
