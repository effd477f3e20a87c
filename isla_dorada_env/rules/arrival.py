"""I8.1 to I8.3: the marker, curses, treasures and bongos."""

from __future__ import annotations

from typing import Any

import numpy as np

from isla_dorada_env import board
from isla_dorada_env.actions import OFFSET
from isla_dorada_env.board import NUM_PLACES
from isla_dorada_env.components import TREASURE_OF
from isla_dorada_env.decisions import Decision, Stage
from isla_dorada_env.events import Event
from isla_dorada_env.rules.curses import lay_curse
from isla_dorada_env.rules.hands import holds, lay_out
from isla_dorada_env.rules.seats import begin_stage, from_leader
from isla_dorada_env.rules.treasures import lay
from isla_dorada_env.state import LAID
from isla_dorada_env.vocab import BASE, Card, TreasureSort
from island_core.bitset import set_bit, set_bits
from island_core.decisions import pop, push
from island_core.events import EVERYBODY, event
from island_core.jit import kernel

Rec = Any

KIND_OF = TREASURE_OF
KINDS_AT = board.TREASURES_AT
KINDS_NEAR = board.TREASURES_NEAR
ONE = np.uint64(1)
NONE = np.uint64(0)


@kernel
def markers_placed(s: Rec) -> int:
    """The number of markers on the board."""
    placed = 0
    for place in range(NUM_PLACES):
        placed += s.markers[place]
    return placed


@kernel
def arrive(s: Rec) -> None:
    """I7.1, I8: the expedition stops: a marker unless it is the base, then curses and treasures of the place."""
    camp = s.camp
    if camp == BASE:
        s.returns += 1
        event(s, Event.RETURN, -1, -1, -1, EVERYBODY)
    else:
        s.markers[camp] += 1
        event(s, Event.MARKER, -1, camp, s.markers[camp], EVERYBODY)
        holder = s.curse_at[camp]
        if 0 <= holder < LAID:  # I8.1
            lay_curse(s, holder, camp)
            event(s, Event.CURSE_LAID, holder, camp, -1, EVERYBODY)
        for distance in range(s.num_players):
            seat = from_leader(s, distance)
            if s.treasure_kinds[seat] & KINDS_AT[camp] != NONE:
                lay_treasures(s, seat, camp)
    begin_stage(s, Stage.BONGO)


@kernel
def lay_treasures(s: Rec, seat: int, place: int) -> None:
    """I8.2: every hand treasure of the place, the starred one first, each with its bonus."""
    for sort in range(TreasureSort.BONUS):
        treasure = KIND_OF[sort, place]
        while (s.treasure_kinds[seat] >> np.uint64(treasure)) & ONE != NONE:
            lay(s, seat, treasure)


@kernel
def near_treasures(s: Rec, seat: int) -> np.uint64:
    """I8.3: the kinds of hand treasures, no bonus, of a place adjacent to the camp."""
    return s.treasure_kinds[seat] & KINDS_NEAR[s.camp]


@kernel
def may_bongo(s: Rec, seat: int) -> bool:
    """I8.3: whether a seat holds a bongo and a treasure for it."""
    return holds(s, seat, Card.BONGO) and near_treasures(s, seat) != NONE


@kernel
def next_bongo(s: Rec) -> bool:
    """I8.3, I4.2: ask the next seat; false if all were asked."""
    while s.frame_b[0] < s.num_players:
        seat = from_leader(s, s.frame_b[0])
        s.frame_b[0] += 1
        if s.polls_all or may_bongo(s, seat):
            push(s, Decision.BONGO, seat, -1, -1)
            return True
    return False


@kernel
def legal_bongo(s: Rec, words: Any) -> None:
    """I8.3: any treasure of an adjacent place, but no lone bonus."""
    seat = s.frame_seat[s.depth - 1]
    if holds(s, seat, Card.BONGO):
        set_bits(words, OFFSET.bongo, near_treasures(s, seat))
    set_bit(words, OFFSET.let_be)


@kernel
def apply_bongo(s: Rec, action: int) -> None:
    """I8.3: the treasure is laid with its bonus; the same seat is asked while he can play another one."""
    seat = s.frame_seat[s.depth - 1]
    if action == OFFSET.let_be:
        pop(s)
        return
    lay_out(s, seat, Card.BONGO, Event.PLAY, -1)
    lay(s, seat, action - OFFSET.bongo)
    if not may_bongo(s, seat):
        pop(s)
