"""I7, I9: which ways are open, moving, sangaia."""

from __future__ import annotations

from typing import Any

import numpy as np

from isla_dorada_env import board
from isla_dorada_env.actions import OFFSET
from isla_dorada_env.decisions import Decision, Stage
from isla_dorada_env.events import Event
from isla_dorada_env.rules.hands import holds, lay_out
from isla_dorada_env.rules.seats import begin_stage, from_leader, leader
from isla_dorada_env.vocab import Card, Way
from island_core.bitset import set_bit, set_bits
from island_core.decisions import pop, push
from island_core.events import EVERYBODY, event
from island_core.jit import kernel

Rec = Any

DESTINATIONS = board.DESTINATIONS
CUT = board.CUT
LAST_HOP = board.LAST_HOP
ROUTE_WAY = board.ROUTE_WAY
ADJACENT = board.ADJACENT
MONSTER_ON = np.array([1 if way == Way.WATER else 0 for way in Way], np.int64)
"""The monster that can stand on routes of each way (I9.1): bigfoot on land, the leviathan on water."""
SEA_ROUTES = np.uint64(board.SEA_ROUTES)
NONE = np.uint64(0)
ONE = np.uint64(1)


@kernel
def open_destinations(s: Rec, place: int, way: int) -> np.uint64:
    """I5.2, I9.1: the places that a way leads to; monsters close routes and rides over them, flights they ignore."""
    destinations = DESTINATIONS[place, way]
    if way < Way.FLIGHT:
        route = s.monster_at[MONSTER_ON[way]]
        if route >= 0 and ROUTE_WAY[route] == way:
            destinations &= ~CUT[route, place]
    return destinations


@kernel
def set_out(s: Rec) -> None:
    """I7.1: the payment is over, the expedition moves by the winning bid."""
    travel(s, s.bid_place[leader(s)])


@kernel
def travel(s: Rec, place: int) -> None:
    """I7.1, I7.2: by the way of the move to a named place; a sea route is a sea journey. The poll of I7.3 is next."""
    way = s.bid_way[leader(s)]
    s.last_route = -1
    if way != Way.FLIGHT:
        route = LAST_HOP[s.camp, way, place]
        s.last_route = route
        if (SEA_ROUTES >> np.uint64(route)) & ONE:
            s.sea_journeys = min(s.sea_journeys + 1, 2)
            event(s, Event.SAIL, leader(s), route, -1, EVERYBODY)
    s.camp = place
    event(s, Event.MOVE, leader(s), place, way, EVERYBODY)
    begin_stage(s, Stage.MOVEMENT)


@kernel
def onward(s: Rec) -> np.uint64:
    """I7.3: where a move can go on to: by the same sort of way, not back over the route just used; after a flight to
    any adjacent place.
    """
    way = s.bid_way[leader(s)]
    if way == Way.FLIGHT:
        return ADJACENT[s.camp]
    return open_destinations(s, s.camp, way) & ~CUT[s.last_route, s.camp]


@kernel
def next_sangaia(s: Rec) -> bool:
    """I7.3, I4.2: ask the next seat whether the move goes on; false if all were asked."""
    while s.frame_b[0] < s.num_players:
        seat = from_leader(s, s.frame_b[0])
        s.frame_b[0] += 1
        if s.polls_all or (holds(s, seat, Card.SANGAIA) and onward(s) != NONE):
            push(s, Decision.SANGAIA, seat, -1, -1)
            return True
    return False


@kernel
def legal_sangaia(s: Rec, words: Any) -> None:
    """I7.3: play it if the move can go on."""
    if holds(s, s.frame_seat[s.depth - 1], Card.SANGAIA) and onward(s) != NONE:
        set_bit(words, OFFSET.sangaia)
    set_bit(words, OFFSET.let_be)


@kernel
def apply_sangaia(s: Rec, action: int) -> None:
    """I7.3: the leader chooses where the move goes on, or the poll does."""
    seat = s.frame_seat[s.depth - 1]
    pop(s)
    if action == OFFSET.sangaia:
        lay_out(s, seat, Card.SANGAIA, Event.PLAY, -1)
        push(s, Decision.ONWARD, leader(s), -1, -1)


@kernel
def legal_onward(s: Rec, words: Any) -> None:
    """I7.3: the places the move can go on to."""
    set_bits(words, OFFSET.go, onward(s))


@kernel
def apply_onward(s: Rec, action: int) -> None:
    """I7.3: the expedition goes there, and everybody may be asked again."""
    pop(s)
    travel(s, action - OFFSET.go)
