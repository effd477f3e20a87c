"""What the planner does with its turn: the next action of the best plan, and the choices that belong to one."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dracheninsel_env import board
from dracheninsel_env.actions import OFFSET, PAYMENTS
from dracheninsel_env.policies.aims import (
    UNREACHED,
    Plan,
    Room,
    aims_of,
    best_aim,
    cards_of,
    cost_of,
    fill_to_boat,
    joined,
    new_room,
    plan_with,
    worth_of_staying,
)
from dracheninsel_env.policies.choices import LEAST_MISSED, NOTHING, is_legal, legal_among, use_of
from dracheninsel_env.policies.greedy import land
from dracheninsel_env.policies.reach import Cards, cards_if, direction_to, first_action
from dracheninsel_env.policies.routes import CARD_TERRAINS, EVERY_TERRAIN, LANDING_BITS
from dracheninsel_env.rules.ending import money
from dracheninsel_env.rules.spaces import (
    CELLS,
    FIRST_BOAT,
    NONE,
    ONE,
    Board,
    empty_terrain,
    open_terrain,
    partner_of,
    read_board,
)
from dracheninsel_env.rules.steps import entry, flight_cards
from dracheninsel_env.vocab import HUNTERS, Task
from island_core.bitset import lowest
from island_core.cards import kinds_in_hand
from island_core.jit import kernel

Rec = Any

JUMP_TARGET = board.JUMP_TARGET
JUMP_CELLS = board.JUMP_CELLS

JOURNEY = 10.0
"""So much better must be the plan that a long journey allows."""
RICHER = 0.05
"""What a rival's money adds to the worth of harming him."""


class Landing(NamedTuple):
    """A landing of a flight: the worth of the best plan from there, and the action; `NOTHING` if none leads to an
    aim.
    """

    worth: Any
    action: Any


class Journey(NamedTuple):
    """A long journey: the worth of the plan it allows, the card and the terrain; -1 if there is none."""

    worth: Any
    card: Any
    terrain: Any


@kernel
def may_be_mover(s: Rec, hunter: int) -> bool:
    """D9.2: whether an own hunter, or -1 for none, may move in this turn."""
    return hunter >= 0 and (s.mover < 0 or s.mover == hunter)


@kernel
def into_boat(s: Rec, slot: int, hunter: int, boat: int) -> int:
    """The step of a pair from a landing into a boat, `NOTHING` if it does not stand on one."""
    place = s.at[hunter]
    if not (LANDING_BITS[boat] >> np.uint64(place)) & ONE:
        return NOTHING
    action = OFFSET.step + (slot * 6 + direction_to(place, FIRST_BOAT + boat)) * PAYMENTS
    return action if is_legal(s, action) else NOTHING


@kernel
def begins(s: Rec, slot: int, hunter: int, plan: Plan, cells: Board, cards: Cards, room: Room) -> int:
    """The next action of a plan; `NOTHING` if the rules forbid what it supposes."""
    partner = partner_of(s, hunter)
    if partner >= 0 and plan.some == 0:
        action = into_boat(s, slot, hunter, hunter if plan.aim == 0 else partner)
        if action != NOTHING:
            return action
    goal = room.goals[plan.aim]
    entered = empty_terrain(cells) | goal
    flown = room.flown[plan.aim]
    return first_action(s, slot, s.at[hunter], goal, flown, room.tables[plan.aim], plan.some, entered, cards)


@kernel
def journey(s: Rec, seat: int, played: int, cells: Board, room: Room) -> Journey:
    """The best long journey (D8.5). ``played`` is the card whose terrain is asked, -1 before one is chosen."""
    best = Journey(UNREACHED, -1, -1)
    for slot in range(2):
        hunter = s.hunters[seat, slot]
        if not may_be_mover(s, hunter):
            continue
        joker = s.num_players > 3 or s.mover >= 0
        for place in range(s.hand_size[seat] if played < 0 else 1):
            card = s.hand[seat, place] if played < 0 else played
            shown = CARD_TERRAINS[card]
            if joker and (shown >> hunter) & 1:
                shown = EVERY_TERRAIN
            for terrain in range(len(HUNTERS)):
                if not (shown >> terrain) & 1 or terrain == hunter or (s.freed >> terrain) & 1:
                    continue
                spent = card if played < 0 else -1
                cards = cards_if(s, seat, hunter, s.freed | (1 << terrain), spent, room.kind, room.pays)
                plan = plan_with(s, seat, hunter, cells, cards, room)
                better = plan.worth > best.worth or (plan.worth == best.worth and card < best.card)
                if plan.aim >= 0 and better:
                    best = Journey(plan.worth, card, terrain)
    return best


@kernel
def planned(s: Rec, seat: int) -> int:
    """The next action of the best plan of the own hunters; a long journey if it allows a better one. `NOTHING` if no
    aim can be reached in this turn.
    """
    cells = read_board(s)
    room = new_room()
    best = 0.0
    found = NOTHING
    for slot in range(2):
        hunter = s.hunters[seat, slot]
        if may_be_mover(s, hunter):
            cards = cards_of(s, seat, hunter, room)
            plan = plan_with(s, seat, hunter, cells, cards, room)
            if plan.aim >= 0 and plan.worth > best:
                action = begins(s, slot, hunter, plan, cells, cards, room)
                if action != NOTHING:
                    best = plan.worth
                    found = action
    play = use_of(s, Task.LONG_JOURNEY)
    if play != NOTHING and journey(s, seat, -1, cells, room).worth > best + JOURNEY:
        return play
    return found


@kernel
def journey_card(s: Rec, seat: int) -> int:
    """The card for the best long journey; without one the terrain card that is missed least."""
    best = journey(s, seat, -1, read_board(s), new_room())
    if best.card >= 0:
        return OFFSET.with_card + best.card
    k = 0
    while not is_legal(s, OFFSET.with_card + LEAST_MISSED[s.hunters[seat, 0], k]):
        k += 1
    return OFFSET.with_card + LEAST_MISSED[s.hunters[seat, 0], k]


@kernel
def journey_terrain(s: Rec, seat: int) -> int:
    """The terrain of the best long journey with the card that was played; without one the first that is allowed."""
    best = journey(s, seat, s.frame_a[s.depth - 1], read_board(s), new_room())
    if best.terrain >= 0:
        return OFFSET.announce + best.terrain
    return OFFSET.announce + lowest(legal_among(s, OFFSET.announce, np.uint64(EVERY_TERRAIN)))


@kernel
def best_landing(s: Rec, seat: int, hunter: int, cells: Board, room: Room) -> Landing:
    """The landing from which the best aim is reached once the flight card has been played (D8.4)."""
    place = s.at[hunter]
    partner = partner_of(s, hunter)
    cards = cards_of(s, seat, hunter, room)
    number = aims_of(s, seat, hunter, cells, cards, room)
    open_cells = open_terrain(cells, partner >= 0)
    kinds = kinds_in_hand(s, seat)
    best = UNREACHED
    found = NOTHING
    for offset in range(12):
        target = JUMP_TARGET[place, offset]
        if target < 0 or JUMP_CELLS[place, offset] & ~cells.dragons == NONE:
            continue
        payments = entry(s, hunter, partner, target, cells, open_cells, kinds, flight_cards(s, seat))
        start = OFFSET.fly + offset * PAYMENTS
        if target >= CELLS:
            # A pair brings its treasure home; for any other hunter his boat is no aim.
            worth = UNREACHED
            if partner >= 0 and payments & ONE:
                worth = room.worth[0 if target == FIRST_BOAT + hunter else 1, cards.every]
            if worth > best:
                best = worth
                found = start
            continue
        if payments & ONE:
            plan = best_aim(number, hunter, target, cards.every, cells, cards, room)
            if plan.worth > best:
                best = plan.worth
                found = start
        for k in range(cards.number):
            if not (cards.flights >> k) & 1 and (payments >> np.uint64(1 + cards.kind[k])) & ONE:
                plan = best_aim(number, hunter, target, cards.every ^ (1 << k), cells, cards, room)
                if plan.worth - cost_of(cards, hunter, 1 << k) > best:
                    best = plan.worth - cost_of(cards, hunter, 1 << k)
                    found = start + 1 + cards.kind[k]
    return Landing(best, found)


@kernel
def landing(s: Rec, seat: int, hunter: int, words: Any) -> int:
    """The landing of a flight from which the best aim is reached (D8.4); without one that nearest to an aim."""
    action = best_landing(s, seat, hunter, read_board(s), new_room()).action
    return action if action != NOTHING else land(s, seat, hunter, words)


@kernel
def flyer(s: Rec, seat: int) -> int:
    """Which own hunter flies (D9.2): the one with the better plan from where he lands. The flight card has left the
    hand, so what it cannot do any more on foot says nothing.
    """
    cells = read_board(s)
    room = new_room()
    best = 2.0 * UNREACHED
    found = NOTHING
    for slot in range(2):
        if is_legal(s, OFFSET.flyer + slot):
            hunter = s.hunters[seat, slot]
            worth = best_landing(s, seat, hunter, cells, room).worth - worth_of_staying(s, hunter, cells)
            if worth > best:
                best = worth
                found = OFFSET.flyer + slot
    return found


@kernel
def ambushed(s: Rec, seat: int, hunter: int) -> int:
    """Send that carrier home who leaves the better partner, the richer one if they are alike; an own hunter last
    (D7.4).
    """
    cells = read_board(s)
    open_cells = empty_terrain(cells)
    place = s.at[hunter]
    room = new_room()
    cards = cards_of(s, seat, hunter, room)
    fill_to_boat(hunter, open_cells, cards, room.boats[0])
    best = 2.0 * UNREACHED
    found = NOTHING
    for gone in range(len(HUNTERS)):
        if not is_legal(s, OFFSET.send_home + gone):
            continue
        partner = 0
        while partner in (gone, hunter) or s.at[partner] != place:
            partner += 1
        fill_to_boat(partner, open_cells, cards, room.boats[1])
        worth = joined(s, seat, hunter, partner, place, cards.every, room.boats) + RICHER * money(s, s.owner[gone])
        if s.owner[gone] == seat:
            worth += UNREACHED
        if worth > best:
            best = worth
            found = OFFSET.send_home + gone
    return found
