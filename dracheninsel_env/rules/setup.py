"""D3: the set-up; D1.4: the random layout."""

from __future__ import annotations

from typing import Any

import numpy as np

from dracheninsel_env import board, components
from dracheninsel_env.rules.spaces import CELLS, FIRST_BOAT, SITE
from dracheninsel_env.rules.treasure import lay_next_treasure
from dracheninsel_env.rules.turn import begin_turn, draw_card
from dracheninsel_env.state import RUNNING, STOCK
from island_core import rng
from island_core.jit import kernel

Rec = Any

COPIES = components.COPIES
HAND_SIZE = components.HAND_SIZE
CLOCKWISE = np.array(components.CLOCKWISE, np.int64)
BOATS_FOUR = np.array(components.BOATS_FOUR, np.int64)
SEATS_THREE = np.array(components.SEATS_THREE, np.int64)
START_LAYOUT = board.TERRAIN_OF
ORBIT_OF = board.ORBIT_OF
ORBIT_TURN = board.ORBIT_TURN
ORBIT_CLASH = board.ORBIT_CLASH
ORBITS = 10


@kernel
def clear(s: Rec) -> None:
    """Everything to the state before set-up, but the options and what set-up writes in full."""
    s.owner[:] = -1
    s.hunters[:] = -1
    s.at[:] = -1
    s.treasure_at[:] = STOCK
    s.dragon_at[:] = -1
    s.coins[:] = 0
    s.hand_size[:] = 0
    s.hand[:] = 0
    s.knowers[:] = 0
    s.discard[:] = 0
    s.table[:] = 0
    s.frame_decision[:] = 0
    s.frame_seat[:] = 0
    s.frame_a[:] = 0
    s.frame_b[:] = 0
    s.turns = 0
    s.outcome = RUNNING
    s.listed_cells[:] = np.uint64(0)
    s.listed_boats[:] = 0
    s.undo_at[:] = 0
    s.undo_treasure_at[:] = 0
    s.undo_dragon_at[:] = 0
    s.undo_swap[:] = 0
    s.undo_stolen = 0
    s.undo_stolen_card[:] = 0
    s.undo_stolen_seat[:] = 0
    s.undo_discarded = 0
    s.undo_discarded_card[:] = 0
    s.event_total = 0
    s.event_log[:] = 0


@kernel
def draw_offsets(s: Rec, offset: Any) -> bool:
    """D1.4: one try at an offset in 0..5 for each of the ten orbits of the turn, in order; given up, and false, at the
    first one with equal terrains adjacent.
    """
    for orbit in range(ORBITS):
        offset[orbit] = rng.below(s.rng, 6)
        for other in range(orbit):
            if ORBIT_CLASH[orbit, other, (offset[orbit] - offset[other]) % 6]:
                return False
    return True


@kernel
def lay_discs(s: Rec) -> None:
    """D1.2, D1.4: the start layout, or one drawn uniformly from all fair layouts.

    Offsets are drawn until no two equal terrains are adjacent (one try in about 153 succeeds), which is uniform over
    the fair layouts.
    """
    if not s.random_layout:
        for cell in range(CELLS):
            s.terrain[cell] = START_LAYOUT[cell]
        return
    offset = np.zeros(ORBITS, np.int64)
    while not draw_offsets(s, offset):
        pass
    for cell in range(CELLS):
        if cell == SITE:
            s.terrain[cell] = -1
        else:
            s.terrain[cell] = (offset[ORBIT_OF[cell]] + ORBIT_TURN[cell]) % 6


@kernel
def seat_hunter(s: Rec, seat: int, slot: int, hunter: int) -> None:
    """Give one of the six hunters (D2.1) to a seat; he stands in his boat (D3.1)."""
    s.owner[hunter] = seat
    s.hunters[seat, slot] = hunter
    s.at[hunter] = FIRST_BOAT + hunter


@kernel
def seat_players(s: Rec) -> None:
    """D3.2, D9.1: which boats are used and who sits where; a random rotation."""
    players = s.num_players
    out = -1
    if players == 5:
        out = rng.below(s.rng, 6)
    turn = rng.below(s.rng, players)
    for seat in range(players):
        place = (seat + turn) % players
        if players == 3:
            first, second = SEATS_THREE[place, 0], SEATS_THREE[place, 1]
            seat_hunter(s, seat, 0, min(first, second))
            seat_hunter(s, seat, 1, max(first, second))
        elif players == 4:
            seat_hunter(s, seat, 0, BOATS_FOUR[place])
        else:
            if players == 5 and place >= out:
                place += 1
            seat_hunter(s, seat, 0, CLOCKWISE[place])


@kernel
def deal(s: Rec) -> None:
    """D3.1: shuffle all cards, six to each player."""
    size = 0
    for card in range(len(COPIES)):
        for _ in range(COPIES[card]):
            s.deck[size] = card
            size += 1
    s.deck_size = size
    rng.shuffle(s.rng, s.deck, size)
    for seat in range(s.num_players):
        for _ in range(HAND_SIZE):
            draw_card(s, seat)


@kernel
def set_up(s: Rec) -> None:
    """D3: lay out a new game; the order of chance is that of section 3 of the protocol."""
    clear(s)
    lay_discs(s)
    seat_players(s)
    start = rng.below(s.rng, s.num_players)  # D3.3
    deal(s)
    lay_next_treasure(s)
    begin_turn(s, start)
