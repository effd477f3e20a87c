"""What it is worth to a seat that the expedition stops at a place."""

from __future__ import annotations

from typing import Any

import numpy as np

from isla_dorada_env import board, components
from isla_dorada_env.board import NUM_PLACES
from isla_dorada_env.policies.gains import markers_left, rounds_after
from isla_dorada_env.policies.prospects import prospects, sea_prospect
from isla_dorada_env.policies.rivals import held_shares, known_kinds, rival_gain, seen_kinds
from isla_dorada_env.policies.worths import card_worth
from isla_dorada_env.rules.hands import copies
from isla_dorada_env.rules.movement import open_destinations
from isla_dorada_env.vocab import BASE, Card, DestinyKind, Way
from island_core.bitset import lowest
from island_core.jit import kernel

Rec = Any

RIDES = board.RIDES
ADJACENT = board.ADJACENT
CUT = board.CUT
LAST_HOP = board.LAST_HOP
SEA_ROUTES = np.uint64(board.SEA_ROUTES)
KIND = components.DESTINY_KIND
ONE = np.uint64(1)
NONE = np.uint64(0)

RIVALRY = 0.4
"""What points of the others count against own ones, as a share of the mean of the others."""


@kernel
def stop_worths(s: Rec, seat: int) -> Any:
    """What a stop at each place is worth to a seat in points, ``float64[19]``: its own prospects from there, less a
    part of what the others gain.
    """
    worths = np.empty(NUM_PLACES, np.float64)
    left = markers_left(s)
    once, twice = seen_kinds(s, seat)
    known = known_kinds(s, seat)
    shares = held_shares(s, seat, once)
    part = RIVALRY / (s.num_players - 1)
    for place in range(NUM_PLACES):
        # I7.1: no marker is placed in the base.
        after = left if place == BASE else max(left - 1, 0)  # 0 while the last round's cards are drawn
        gains = rival_gain(s, seat, place, once, twice, known, shares)
        worths[place] = prospects(s, seat, place, after, True) - part * gains
    return worths


@kernel
def sea_loss(s: Rec, seat: int, camp: int, way: int, place: int) -> float:
    """I7.2, I2.3: what a journey takes from a destiny that counts sea journeys; 0 for other journeys and destinies."""
    destiny = s.destiny[seat, 0]
    if KIND[destiny] != DestinyKind.SEA_JOURNEYS or way != Way.WATER or RIDES[camp, place] & SEA_ROUTES == NONE:
        return 0.0
    left = markers_left(s)
    after = max(left - 1, 0)
    return sea_prospect(destiny, s.sea_journeys, left) - sea_prospect(destiny, min(s.sea_journeys + 1, 2), after)


@kernel
def best_onward(s: Rec, worths: Any, camp: int, way: int, place: int) -> float:
    """I7.3: the worth of the best place a move can go on to from a place by a sangaia; minus infinity without one."""
    if way == Way.FLIGHT:
        places = ADJACENT[place]
    else:
        places = open_destinations(s, place, way) & ~CUT[LAST_HOP[camp, way, place], place]
    best = -np.inf
    while places != NONE:
        best = max(best, worths[lowest(places)])
        places &= places - ONE
    return best


@kernel
def journey_worth(s: Rec, seat: int, worths: Any, way: int, place: int, sangaia: float) -> float:
    """What it is worth to a seat to lead the expedition from the camp to a place, or over it by a sangaia that costs
    something; with an infinite cost it has none.
    """
    worth = worths[place]
    if sangaia < np.inf:
        worth = max(worth, best_onward(s, worths, s.camp, way, place) - sangaia)
    return worth - sea_loss(s, seat, s.camp, way, place)


@kernel
def sangaia_cost(s: Rec, seat: int) -> float:
    """What playing a sangaia costs a seat in points; infinite without one."""
    held = copies(s.hand_counts[seat], Card.SANGAIA)
    return card_worth(s, seat, Card.SANGAIA, held, rounds_after(s)) if held > 0 else np.inf
