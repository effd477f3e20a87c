"""What a seat sees: the table of sections and the kernel that writes them.

Seats are relative to the observer (0 is himself), padded to six; hunters, spaces and terrains are absolute: the board
has one fixed frame. What concerns the decision at hand is written for the seat that decides alone, so that nobody
learns from an observation that somebody else is being asked (D8.11).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dracheninsel_env.board import CELLS, FIRST_BOAT, SITE, SPACES
from dracheninsel_env.components import CARD_SLOTS, COINS, DRAGONS, HAND_SIZE, TERRAIN_CARD_SLOTS
from dracheninsel_env.decisions import Decision, Stage
from dracheninsel_env.events import EVENTS, Event
from dracheninsel_env.state import COLLECTED, RUNNING, STOCK
from dracheninsel_env.vocab import TASKS, Task
from island_core import history, jit
from island_core.jit import kernel
from island_core.observation import ObservationTable, Section

Rec = Any

TREASURES = len(COINS)
MOST_STOLEN = 5
IN_ACT = "if deciding in an act"
"""When the sections of the last act are written: while an undoing (D8.10) may still come."""
FROM_SITE = 1
ELSEWHERE = 2
FROM_STOCK = 3
"""Where hunters and treasures stood before the act, besides 0, the space of the mover."""

OBSERVATION = ObservationTable(
    (
        Section("decision", (18,), 1, "if deciding: which decision, numbered as listed below"),
        Section("players", (6,), 1, "which relative seats are in the game"),
        Section("active", (6,), 1, "relative seat of the active player"),
        Section("terrain", (CELLS, 6), 1, "disc on each cell; nothing on the site"),
        Section("dragons", (CELLS,), 1, "cells with a dragon"),
        Section("hunter_at", (6, SPACES), 1, "space of each hunter in play"),
        Section("hunter_owner", (6, 6), 1, "relative seat of each hunter in play"),
        Section("treasure_state", (TREASURES, 5), 1, "each treasure: stock, site, under way, collected, removed"),
        Section(
            "carriers", (TREASURES, 6), 1, "hunters that stand where each treasure lies, on the site and in a boat too"
        ),
        Section("coins", (6, TREASURES), 2, "coins of each relative seat by value"),
        Section("hand", (CARD_SLOTS,), 8, "own hand cards by kind"),
        Section("hand_sizes", (6,), 6, "number of hand cards of each relative seat"),
        Section("known", (5, CARD_SLOTS), 6, "cards the observer is certain of in the hands of relative seats 1 to 5"),
        Section("discard", (CARD_SLOTS,), 8, "cards on the discard pile by kind"),
        Section("table", (CARD_SLOTS,), 8, "cards that lie out by kind"),
        Section("deck_size", (1,), 99, "cards in the deck"),
        Section("turns_left", (2,), 99, "turns before truncation: hundreds (at most 99), rest"),
        Section("acts", (1,), 2, "acts begun in this turn: 0, 1, 2 for more"),
        Section("mover", (6,), 1, "the hunter whose movement was the first of this turn"),
        Section("freed", (6,), 1, "terrains freed by long journeys in this turn"),
        Section("left_alone", (6,), 1, "hunters of the active player whose partner he sent away in this turn"),
        Section("listed", (2, SPACES), 1, "the list of D4.6 of the active player's first and second hunter"),
        Section("act_origin", (SPACES,), 1, f"{IN_ACT}: where the mover stood before it, if elsewhere"),
        Section("act_elsewhere", (SPACES,), 1, f"{IN_ACT}: whence a hunter went of whom act_hunters says so"),
        Section(
            "act_hunters",
            (6, 3),
            1,
            f"{IN_ACT}: whence it moved each hunter: where the mover stood, the site, the space of act_elsewhere",
        ),
        Section(
            "act_treasures",
            (TREASURES, 4),
            1,
            f"{IN_ACT}: whence it moved or removed each treasure, likewise; fourth: it was still in stock",
        ),
        Section("act_dragons", (2, CELLS), 1, f"{IN_ACT}: cells that a dragon left; cells where one came"),
        Section("act_discs", (CELLS,), 1, f"{IN_ACT}: the two cells whose discs it swapped"),
        Section("act_thefts", (6,), MOST_STOLEN, f"{IN_ACT}: cards it took out of the hand of each relative seat"),
        Section("act_cards", (CARD_SLOTS,), MOST_STOLEN, f"{IN_ACT}: of these the observer's, if he is active all"),
        Section("act_discarded", (CARD_SLOTS,), HAND_SIZE, f"{IN_ACT}: the hand that an evil curse discarded in it"),
        Section(
            "pending_task", (len(TASKS),), 1, "if deciding, not in an exit: the tan task begun; what a counter answers"
        ),
        Section("pending_space", (CELLS,), 1, "if deciding: the first disc; the dragon that moves"),
        Section("pending_hunter", (6,), 1, "if deciding: who exits, ambushes or flies; fear's target; a duel's guest"),
        Section("pending_player", (6,), 1, "if deciding: the robbed player; who claimed both coins last"),
        Section("answered", (6,), 1, "for the deciding seat in a counter poll: whose card is answered"),
        Section("journey_card", (TERRAIN_CARD_SLOTS,), 1, "if deciding: the card whose terrain is announced"),
    )
)
AT = OBSERVATION.offset

HISTORY = history.sections(EVENTS, 70)
"""The four numbers of one event in the ``history`` part of an observation; the newest event comes first."""


@kernel
def observe(states: Any, i: int, seat: int, out: Any) -> None:
    """Write the observation of a seat in game ``i`` as counts: ``int8[OBSERVATION.size]``."""
    s = states[i]
    players = s.num_players
    out[:] = np.int8(0)
    running = s.outcome == RUNNING
    active = s.frame_seat[0]
    for distance in range(players):
        other = (seat + distance) % players
        out[AT.players + distance] = 1
        if running and other == active:
            out[AT.active + distance] = 1
        out[AT.hand_sizes + distance] = s.hand_size[other]
        for value in range(TREASURES):
            out[AT.coins + distance * TREASURES + value] = s.coins[other, value]
        if distance > 0:
            for place in range(s.hand_size[other]):
                if (s.knowers[other, place] >> seat) & 1:
                    out[AT.known + (distance - 1) * CARD_SLOTS + s.hand[other, place]] += 1
    for place in range(s.hand_size[seat]):
        out[AT.hand + s.hand[seat, place]] += 1
    for cell in range(CELLS):
        if cell != SITE:
            out[AT.terrain + cell * 6 + s.terrain[cell]] = 1
    for dragon in range(DRAGONS):
        if s.dragon_at[dragon] >= 0:
            out[AT.dragons + s.dragon_at[dragon]] = 1
    for hunter in range(6):
        if s.at[hunter] >= 0:
            out[AT.hunter_at + hunter * SPACES + s.at[hunter]] = 1
            out[AT.hunter_owner + hunter * 6 + (s.owner[hunter] - seat) % players] = 1
    for treasure in range(TREASURES):
        place = s.treasure_at[treasure]
        state = 2
        if place == STOCK:
            state = 0
        elif place == SITE:
            state = 1
        elif place == COLLECTED:
            state = 3
        elif place < 0:
            state = 4
        out[AT.treasure_state + treasure * 5 + state] = 1
        if place >= 0:
            for hunter in range(6):
                if s.at[hunter] == place:
                    out[AT.carriers + treasure * 6 + hunter] = 1
    for card in range(CARD_SLOTS):
        out[AT.discard + card] = s.discard[card]
        out[AT.table + card] = s.table[card]
    out[AT.deck_size] = s.deck_size
    left = max(s.max_turns - s.turns, 0)
    out[AT.turns_left] = min(left // 100, 99)
    out[AT.turns_left + 1] = left % 100
    if not running:
        return
    out[AT.acts] = min(s.acts, 2)
    if s.mover >= 0:
        out[AT.mover + s.mover] = 1
    for k in range(6):
        out[AT.freed + k] = (s.freed >> k) & 1
        out[AT.left_alone + k] = (s.left_alone >> k) & 1
    for slot in range(2):
        for cell in range(CELLS):
            if (s.listed_cells[slot] >> np.uint64(cell)) & np.uint64(1):
                out[AT.listed + slot * SPACES + cell] = 1
        for boat in range(6):
            out[AT.listed + slot * SPACES + FIRST_BOAT + boat] = (s.listed_boats[slot] >> boat) & 1
    if s.frame_seat[s.depth - 1] == seat:
        observe_decision(s, seat, out)


@kernel
def observe_decision(s: Rec, seat: int, out: Any) -> None:
    """The sections for the seat that decides."""
    top = s.depth - 1
    players = s.num_players
    decision = s.frame_decision[top]
    a = s.frame_a[top]
    b = s.frame_b[top]
    out[AT.decision + decision - 1] = 1
    if top > 0 and s.frame_a[0] != Stage.SETTLE and s.frame_a[0] != Stage.ENDED:
        observe_act(s, seat, out)
    task = -1
    hunter = -1
    player = -1
    if decision == Decision.FLYER:
        task = Task.DARING_FLIGHT
    elif decision == Decision.FLIGHT:
        task = Task.DARING_FLIGHT
        hunter = a
    elif decision == Decision.EXIT or decision == Decision.AMBUSH:
        hunter = a
    elif decision == Decision.FIRST_DISC:
        task = a
    elif decision == Decision.SECOND_DISC:
        task = a
        out[AT.pending_space + b] = 1
    elif decision == Decision.DRAGON:
        task = Task.DRAGON_PATROL
    elif decision == Decision.DRAGON_SPACE:
        task = Task.DRAGON_PATROL
        if s.dragon_at[a] >= 0:
            out[AT.pending_space + s.dragon_at[a]] = 1
    elif decision == Decision.JOURNEY_CARD:
        task = Task.LONG_JOURNEY
    elif decision == Decision.JOURNEY_TERRAIN:
        task = Task.LONG_JOURNEY
        out[AT.journey_card + a] = 1
    elif decision == Decision.FEAR_TARGET:
        task = Task.FEAR_AND_TERROR
    elif decision == Decision.ROB_TARGET:
        task = Task.SNEAK_ATTACK
    elif decision == Decision.COUNTER:
        task = a
        origin = s.frame_seat[0]
        if task == Task.SWEET_SLUMBER:
            origin = s.frame_seat[top - 1]
        elif task == Task.FEAR_AND_TERROR:
            hunter = b
        else:
            player = b
        out[AT.answered + (origin - seat) % players] = 1
    elif decision == Decision.BETRAYAL:
        player = a
        hunter = b
    if task >= 0:
        out[AT.pending_task + task] = 1
    if hunter >= 0:
        out[AT.pending_hunter + hunter] = 1
    if player >= 0:
        out[AT.pending_player + (player - seat) % players] = 1


@kernel
def observe_act(s: Rec, seat: int, out: Any) -> None:
    """What the last act has done so far, which an undoing would take back (D8.10)."""
    origin = -1
    if s.mover >= 0:
        origin = s.undo_at[s.mover]
        if origin != s.at[s.mover]:
            out[AT.act_origin + origin] = 1
    for hunter in range(6):
        place = s.undo_at[hunter]
        if place != s.at[hunter]:
            whence = whence_of(place, origin)
            out[AT.act_hunters + hunter * 3 + whence] = 1
            if whence == ELSEWHERE:
                out[AT.act_elsewhere + place] = 1
    for treasure in range(TREASURES):
        place = s.undo_treasure_at[treasure]
        if place != s.treasure_at[treasure]:
            whence = FROM_STOCK if place == STOCK else whence_of(place, origin)
            out[AT.act_treasures + treasure * 4 + whence] = 1
    for dragon in range(DRAGONS):
        left = s.undo_dragon_at[dragon]
        come = s.dragon_at[dragon]
        for other in range(DRAGONS):
            if s.dragon_at[other] == left:
                left = -1
            if s.undo_dragon_at[other] == come:
                come = -1
        if left >= 0:
            out[AT.act_dragons + left] = 1
        if come >= 0:
            out[AT.act_dragons + CELLS + come] = 1
    if s.undo_swap[0] != s.undo_swap[1]:
        out[AT.act_discs + s.undo_swap[0]] = 1
        out[AT.act_discs + s.undo_swap[1]] = 1
    takes_all = seat == s.frame_seat[0]
    for number in range(s.undo_stolen):
        victim = s.undo_stolen_seat[number]
        out[AT.act_thefts + (victim - seat) % s.num_players] += 1
        if takes_all or seat == victim:
            out[AT.act_cards + s.undo_stolen_card[number]] += 1
    for number in range(s.undo_discarded):
        out[AT.act_discarded + s.undo_discarded_card[number]] += 1


@kernel
def whence_of(place: int, origin: int) -> int:
    """Which of the spaces that the sections of the last act name a space is; ``origin`` is that of the mover, or -1."""
    if place == origin:
        return 0
    return FROM_SITE if place == SITE else ELSEWHERE


@kernel
def b_is_seat(kind: int, a: int) -> bool:
    """Whether detail b of an event is a seat."""
    if kind == Event.DECLARE:
        return a == Task.SNEAK_ATTACK
    return kind == Event.ROB or kind == Event.GIVE_BACK


observe_history = jit.bind(history.observe_history, "dracheninsel_env", "observe_history", b_is_seat=b_is_seat)
