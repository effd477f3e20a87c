"""What an arrival brings a seat at once (I8.1, I8.2, I2.3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from isla_dorada_env import components
from isla_dorada_env.board import NUM_PLACES
from isla_dorada_env.components import FIRST_BONUS, MARKERS
from isla_dorada_env.rules.arrival import markers_placed
from isla_dorada_env.rules.treasures import hand_end, hand_start
from isla_dorada_env.vocab import BASE, DestinyKind
from island_core.bitset import popcount
from island_core.jit import kernel

Rec = Any

VALUE = components.TREASURE_VALUES
PICTURE = components.TREASURE_PICTURE
PLACE = components.TREASURE_PLACE
CURSE_VALUE = components.CURSE_VALUES
DESTINY_KIND = components.DESTINY_KIND
DESTINY_POINTS = components.DESTINY_POINTS
DESTINY_N = components.DESTINY_N
DESTINY_PLACES = components.read_only(components.DESTINY_PLACES, np.uint64)
ONE = np.uint64(1)
NONE = np.uint64(0)


@kernel
def markers_left(s: Rec) -> int:
    """The moves to come: the markers not yet placed, or the rounds until the game is truncated if they are fewer
    (I11.1).
    """
    return min(MARKERS - markers_placed(s), s.max_rounds - s.rounds)


@kernel
def rounds_after(s: Rec) -> int:
    """The same after this round, while it is being bid and paid for; 0 in the last one."""
    return max(markers_left(s) - 1, 0)


@kernel
def visited(s: Rec) -> np.uint64:
    """The bit set of the places with a marker."""
    places = NONE
    for place in range(NUM_PLACES):
        if s.markers[place] > 0:
            places |= ONE << np.uint64(place)
    return places


@kernel
def best_bonus(s: Rec, seat: int, treasure: int) -> int:
    """I8.2: points of the best bonus in hand that goes with a treasure; 0 without one."""
    best = 0
    for entry in range(hand_start(s, seat), hand_end(s, seat)):
        card = s.treasure_card[entry]
        if card >= FIRST_BONUS and PICTURE[card] == PICTURE[treasure]:
            best = max(best, VALUE[card])
    return best


@kernel
def treasure_gain(s: Rec, seat: int, place: int) -> int:
    """I8.2: points of the hand treasures of a place, each with the best bonus that goes with it."""
    gain = 0
    for entry in range(hand_start(s, seat), hand_end(s, seat)):
        card = s.treasure_card[entry]
        if card < FIRST_BONUS and PLACE[card] == place:
            gain += VALUE[card] + best_bonus(s, seat, card)
    return gain


@kernel
def curse_loss(s: Rec, seat: int, place: int) -> int:
    """I8.1: points, negative, of the own curse of a place; 0 without one."""
    return CURSE_VALUE[place] if (s.curses_in_hand[seat] >> np.uint64(place)) & ONE != NONE else 0


@kernel
def destiny_fulfilled(s: Rec, destiny: int, place: int) -> float:
    """I2.3: the points of a destiny that counts markers on one place, places visited or returns, if a stop at a place
    is the one that it lacks; else 0.
    """
    kind = DESTINY_KIND[destiny]
    asked = DESTINY_N[destiny]
    missing = 0
    if place == BASE:
        if kind == DestinyKind.RETURNS_TO_BASE_AT_LEAST:
            missing = asked - s.returns
    elif kind == DestinyKind.DISTINCT_PLACES_AT_LEAST:
        if s.markers[place] == 0:
            missing = asked - popcount(visited(s))
    elif kind == DestinyKind.MARKERS_ON_ONE_PLACE_AT_LEAST:
        missing = asked - s.markers[place]
        for other in range(NUM_PLACES):
            if s.markers[other] >= asked:
                missing = 0  # fulfilled
    return DESTINY_POINTS[destiny] if missing == 1 else 0.0


@kernel
def destiny_part(s: Rec, seat: int, place: int) -> float:
    """I2.3: the share of a destiny's points that a place makes up, if it asks for a marker and none lies there; of one
    that counts markers, places or returns all points by the stop that it lacks.
    """
    destiny = s.destiny[seat, 0]
    if DESTINY_KIND[destiny] != DestinyKind.VISIT_ALL:
        return destiny_fulfilled(s, destiny, place)
    asked = DESTINY_PLACES[destiny]
    if s.markers[place] > 0 or (asked >> np.uint64(place)) & ONE == NONE:
        return 0.0
    return DESTINY_POINTS[destiny] / popcount(asked)


@kernel
def gain(s: Rec, seat: int, place: int) -> float:
    """Points that an arrival at a place brings a seat now."""
    return treasure_gain(s, seat, place) + curse_loss(s, seat, place) + destiny_part(s, seat, place)


@kernel
def all_gains(s: Rec, seat: int) -> Any:
    """The gain of each place, ``float64[19]``."""
    gains = np.empty(NUM_PLACES, np.float64)
    for place in range(NUM_PLACES):
        gains[place] = gain(s, seat, place)
    return gains
