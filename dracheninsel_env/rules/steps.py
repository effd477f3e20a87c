"""D5 and D8.4: which steps and landings are legal and what they cost; the forced exit they may have to leave (D6.3).

Payments are bit sets too: bit 0 is free, bit 1 + k the terrain card of slot k (``actions.PAYMENTS``).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dracheninsel_env import board, components
from dracheninsel_env.actions import OFFSET, PAYMENTS, TASKS_OF_CARD
from dracheninsel_env.rules.spaces import (
    CELLS,
    NONE,
    ONE,
    SITE,
    SITE_BIT,
    Board,
    bit,
    boat_open,
    empty_terrain,
    holds_treasure,
    open_terrain,
    partner_of,
)
from dracheninsel_env.vocab import Task
from island_core.bitset import set_bits
from island_core.jit import kernel

Rec = Any

NEIGHBOUR = board.NEIGHBOUR
NEIGHBOUR_CELLS = board.NEIGHBOUR_CELLS
JUMP_TARGET = board.JUMP_TARGET
JUMP_CELLS = board.JUMP_CELLS
TERRAIN_CARDS = np.uint64((1 << components.TERRAIN_CARD_SLOTS) - 1)
"""The card kinds that are terrain cards."""


def _paying_cards() -> NDArray[np.uint64]:
    """D5.2: for a hunter's own terrain and the terrain of a space, the terrain cards that pay: those that show the
    space's terrain, and jokers, which show the hunter's own.
    """
    table = np.zeros((6, 6), np.uint64)
    for own in range(6):
        for terrain in range(6):
            for card in range(components.TERRAIN_CARD_SLOTS):
                if int(components.CARD_TERRAINS[card]) & (1 << own | 1 << terrain):
                    table[own, terrain] |= np.uint64(1 << card)
    return table


PAYING_CARDS = _paying_cards()


@kernel
def price(s: Rec, hunter: int, terrain: int, kinds: np.uint64) -> np.uint64:
    """The payments for a terrain: free only (D5.1, D5.3, D8.5), or the hand's cards that pay (D5.2).

    A hunter's own terrain has his number; in a pair the mover's privileges alone count (D5.4).
    """
    if terrain == hunter or (s.freed >> terrain) & 1:
        return ONE
    return (kinds & PAYING_CARDS[hunter, terrain]) << ONE


@kernel
def is_listed(s: Rec, slot: int, space: int) -> bool:
    """Whether a space is on the list of D4.6 for the active player's own hunter ``slot``."""
    if space >= CELLS:
        return bool((s.listed_boats[slot] >> (space - CELLS)) & 1)
    return bool((s.listed_cells[slot] >> np.uint64(space)) & ONE)


@kernel
def flight_cards(s: Rec, seat: int) -> int:
    """How many hand cards carry ``daring-flight``."""
    count = 0
    for place in range(s.hand_size[seat]):
        count += (TASKS_OF_CARD[s.hand[seat, place]] >> Task.DARING_FLIGHT) & 1
    return count


@kernel
def exit_exists(s: Rec, hunter: int, cells: Board, kinds: np.uint64, flights: int) -> bool:
    """D6.3: whether the pair that the hunter would form on the site could leave it, with ``flights`` flight cards left.

    The space he comes from, a cell (boats are too far away), counts as empty.
    """
    free = empty_terrain(cells) | bit(s.at[hunter])
    for direction in range(6):
        target = NEIGHBOUR[SITE, direction]
        if (free >> np.uint64(target)) & ONE and price(s, hunter, s.terrain[target], kinds) != NONE:
            return True
    if flights > 0:
        for landing in range(12):
            target = JUMP_TARGET[SITE, landing]
            if (
                JUMP_CELLS[SITE, landing] & ~cells.dragons != NONE
                and (free >> np.uint64(target)) & ONE
                and price(s, hunter, s.terrain[target], kinds) != NONE
            ):
                return True
    return False


@kernel
def site_open(s: Rec, hunter: int, cells: Board, kinds: np.uint64, flights: int) -> bool:
    """Whether a hunter without partner may enter the site: nobody is there, or one who waits with a treasure, and an
    exit
    would exist (D6.2, D6.3). Empty of treasures it holds one hunter (D6.4).
    """
    if cells.hunters & SITE_BIT == NONE:
        return True
    if cells.treasures & SITE_BIT == NONE:
        return False
    return exit_exists(s, hunter, cells, kinds, flights)


@kernel
def may_move(s: Rec, hunter: int, partner: int, cells: Board) -> bool:
    """Point 1 of section 5 of the protocol: not a waiting hunter (D6.1), not one left alone by his own player
    (D6.7).
    """
    place = s.at[hunter]
    if partner >= 0 or not holds_treasure(cells, place):
        return True
    return place != SITE and not (s.left_alone >> hunter) & 1


@kernel
def entry(
    s: Rec, hunter: int, partner: int, target: int, cells: Board, free: np.uint64, kinds: np.uint64, flights: int
) -> np.uint64:
    """Points 3 and 4 of section 5: the payments for which a hunter may enter a space, none if he may not.

    ``partner`` is -1 outside a pair, ``free`` the open terrain; ``flights`` flight cards would be left for an exit.
    """
    if target >= CELLS:
        return ONE if boat_open(s, hunter, partner, target) else NONE
    if target == SITE:
        # D6.5: a pair never enters the site.
        return ONE if partner < 0 and site_open(s, hunter, cells, kinds, flights) else NONE
    if (free >> np.uint64(target)) & ONE:
        return price(s, hunter, s.terrain[target], kinds)
    return NONE


@kernel
def legal_steps(s: Rec, words: Any, seat: int, slot: int, hunter: int, cells: Board, kinds: np.uint64) -> None:
    """Add the steps of a hunter (section 5 of the protocol)."""
    partner = partner_of(s, hunter)
    if not may_move(s, hunter, partner, cells):
        return
    place = s.at[hunter]
    # A lone carrier abandons his treasure, which restarts his list before the move (D4.6, D6.7).
    abandons = partner < 0 and holds_treasure(cells, place)
    free = open_terrain(cells, partner >= 0)
    # Only an exit from the site asks for flight cards.
    flights = flight_cards(s, seat) if NEIGHBOUR_CELLS[place] & SITE_BIT != NONE else 0
    for direction in range(6):
        target = NEIGHBOUR[place, direction]
        if target < 0:
            continue
        payments = entry(s, hunter, partner, target, cells, free, kinds, flights)
        if payments == ONE and not abandons and is_listed(s, slot, target):
            payments = NONE
        if payments != NONE:
            set_bits(words, OFFSET.step + (slot * 6 + direction) * PAYMENTS, payments)


@kernel
def legal_landings(s: Rec, words: Any, hunter: int, cells: Board, kinds: np.uint64, flights: int, write: bool) -> bool:
    """D8.4: whether a hunter has a landing, with ``flights`` flight cards left after the one he plays.

    Without ``write`` the first one answers; with it, all landings are added to ``words`` instead.
    """
    partner = partner_of(s, hunter)
    if not may_move(s, hunter, partner, cells):
        return False
    place = s.at[hunter]
    free = open_terrain(cells, partner >= 0)
    for landing in range(12):
        target = JUMP_TARGET[place, landing]
        if target < 0 or JUMP_CELLS[place, landing] & ~cells.dragons == NONE:
            continue
        payments = entry(s, hunter, partner, target, cells, free, kinds, flights)
        if payments != NONE:
            if not write:
                return True
            set_bits(words, OFFSET.fly + landing * PAYMENTS, payments)
    return False
