"""What the planner's hunters can aim at in this turn, and what each aim is worth.

An aim is a treasure to join, to wait with or to take part of by an ambush, or for a pair a boat. Worths are money: what
the own seat may expect, less the others' expectations shared out among them, since only the difference wins. What
joining is worth depends on the cards left then: with enough of them the treasure comes home in the same turn.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from dracheninsel_env.components import COINS, HAND_SIZE
from dracheninsel_env.estimate import STEPS
from dracheninsel_env.policies.chances import coins_as_guest, coins_as_owner
from dracheninsel_env.policies.reach import FLOWN_TO, SETS, Cards, cards_if, fill_from, reaches
from dracheninsel_env.policies.routes import CARD_TERRAINS, LANDING_BITS
from dracheninsel_env.rules.spaces import (
    CELLS,
    FIRST_BOAT,
    NONE,
    ONE,
    SITE,
    TERRAIN_CELLS,
    Board,
    bit,
    empty_terrain,
    holds_treasure,
    other_hunter_on,
    partner_of,
    treasure_on,
)
from island_core.jit import kernel

Rec = Any

AIMS: Final = 8
"""At most so many: the treasures, or two boats."""
UNREACHED: Final = -1.0e9
"""The worth of what cannot be done."""

JOINED = 0.75
"""The coins to expect of a treasure that the hunter carries in a pair, next to the own boat."""
FARTHER = 0.04
"""What each step to the own boat takes off that, beyond those for which cards are left."""
WAITING = 0.3
"""The coins to expect of a treasure that a hunter waits with on the site."""
ALONE = 0.3
"""The same of one that he was left alone with."""
ROBBED = 0.5
"""The coins that a carrier who is sent home might have expected."""
CARD = 6.0
"""What it costs to play a terrain card; the double for a joker, three times for a flight."""


class Room(NamedTuple):
    """Arrays for the aims of one hunter, made once a decision.

    ``goals`` (uint64[8]) are the cells of each aim, ``flown`` (uint64[8]) those from which a flight alone does it,
    ``tables`` (uint64[8, 64]) say where it is reached from with each set of cards, ``worth`` (float64[8, 64]) what it
    is worth with each set of cards left then; ``boats`` (uint64[2, 64]) are the tables of the own and of a partner's
    boat; ``kind`` and ``pays`` are those of `Cards`.
    """

    goals: Any
    flown: Any
    tables: Any
    worth: Any
    boats: Any
    kind: Any
    pays: Any


class Plan(NamedTuple):
    """The best aim from a space: its worth, its number, the cards for it; the number is -1 if none can be reached."""

    worth: Any
    aim: Any
    some: Any


@kernel
def new_room() -> Room:
    """Empty arrays."""
    return Room(
        np.empty(AIMS, np.uint64),
        np.empty(AIMS, np.uint64),
        np.empty((AIMS, SETS), np.uint64),
        np.empty((AIMS, SETS), np.float64),
        np.empty((2, SETS), np.uint64),
        np.empty(HAND_SIZE, np.int64),
        np.empty(HAND_SIZE, np.uint64),
    )


@kernel
def delivered(s: Rec, seat: int, partner: int, own_boat: bool) -> float:
    """The advantage in coins to expect from a delivery with a partner (D6.8, D9.3): own coins less the others' mean."""
    other = s.owner[partner]
    if other == seat:
        return 2.0
    coins = coins_as_owner(s, seat, other) if own_boat else coins_as_guest(s, seat, other)
    return coins - (2.0 - coins) / (s.num_players - 1)


@kernel
def carrying(s: Rec, seat: int, hunter: int, partner: int, space: int, cards_left: int) -> float:
    """The coins to expect from a treasure that a pair carries on a space and does not bring home in this turn."""
    steps = STEPS[space, FIRST_BOAT + hunter]
    coins = 1.0
    if s.owner[partner] == seat:
        steps = min(steps, STEPS[space, FIRST_BOAT + partner])
        coins = 2.0
    return coins * (JOINED - FARTHER * max(0, steps - 1 - cards_left))


@kernel
def fill_to_boat(hunter: int, open_cells: np.uint64, cards: Cards, table: Any) -> None:
    """Fill a table with where a pair can bring its treasure into the boat of a hunter from."""
    fill_from(LANDING_BITS[hunter] & open_cells, open_cells, FLOWN_TO[hunter], cards, table)


@kernel
def joined(s: Rec, seat: int, hunter: int, partner: int, there: int, some: int, boats: Any) -> float:
    """What it is worth to form a pair on a space with a set of cards left, by the tables of the two boats."""
    cards_left = 0
    for k in range(HAND_SIZE):
        cards_left += (some >> k) & 1
    coins = carrying(s, seat, hunter, partner, there, cards_left)
    # Who is on a landing is home.
    if ((boats[0, some] | LANDING_BITS[hunter]) >> np.uint64(there)) & ONE:
        coins = max(coins, delivered(s, seat, partner, True))
    if ((boats[1, some] | LANDING_BITS[partner]) >> np.uint64(there)) & ONE:
        coins = max(coins, delivered(s, seat, partner, False))
    return coins * COINS[treasure_on(s, there)]


@kernel
def boats_of_pair(s: Rec, seat: int, hunter: int, partner: int, cells: Board, cards: Cards, room: Room) -> int:
    """Fill in the boats of a pair, the hunter's own first; gives the number of aims."""
    place = s.at[hunter]
    open_cells = empty_terrain(cells)
    for number in range(2):
        boat = hunter if number == 0 else partner
        room.goals[number] = LANDING_BITS[boat] & (open_cells | bit(place))
        room.flown[number] = FLOWN_TO[boat]
        fill_from(room.goals[number], open_cells, room.flown[number], cards, room.tables[number])
        worth = COINS[treasure_on(s, place)] * delivered(s, seat, partner, number == 0)
        for some in range(cards.every + 1):
            room.worth[number, some] = worth
    return 2


@kernel
def fill_joining(
    s: Rec,
    seat: int,
    hunter: int,
    partner: int,
    bonus: float,
    left_open: np.uint64,
    cards: Cards,
    number: int,
    room: Room,
) -> None:
    """Raise the worth of an aim to that of having this partner there; ``left_open`` is what the pair may enter then."""
    there = s.at[partner]
    fill_to_boat(partner, left_open, cards, room.boats[1])
    for some in range(cards.every + 1):
        worth = joined(s, seat, hunter, partner, there, some, room.boats) + bonus
        room.worth[number, some] = max(room.worth[number, some], worth)


@kernel
def treasures_for(s: Rec, seat: int, hunter: int, cells: Board, cards: Cards, room: Room) -> int:
    """Fill in the treasures a hunter can join, wait with or take part of; gives the number of aims."""
    open_cells = empty_terrain(cells)
    place = s.at[hunter]
    # The space he comes from is empty then.
    left_open = open_cells | (bit(place) & TERRAIN_CELLS if place < CELLS else NONE)
    fill_to_boat(hunter, left_open, cards, room.boats[0])
    number = 0
    for treasure in range(len(COINS)):
        there = s.treasure_at[treasure]
        if there < 0 or there >= CELLS or there == place:
            continue
        first = other_hunter_on(s, there, hunter)
        second = partner_of(s, first) if first >= 0 else -1
        least = WAITING * COINS[treasure] if first < 0 else UNREACHED
        for some in range(cards.every + 1):
            room.worth[number, some] = least
        if second < 0:
            if first >= 0:
                fill_joining(s, seat, hunter, first, 0.0, left_open, cards, number, room)
        else:
            # D7.4: one of the two goes home, but no own hunter; a rival loses what he might have expected.
            bonus = ROBBED * COINS[treasure] / (s.num_players - 1)
            if s.owner[second] != seat:
                fill_joining(s, seat, hunter, first, bonus, left_open, cards, number, room)
            if s.owner[first] != seat:
                fill_joining(s, seat, hunter, second, bonus, left_open, cards, number, room)
        room.goals[number] = bit(there)
        room.flown[number] = NONE
        fill_from(room.goals[number], open_cells, NONE, cards, room.tables[number])
        number += 1
    return number


@kernel
def aims_of(s: Rec, seat: int, hunter: int, cells: Board, cards: Cards, room: Room) -> int:
    """Fill in what a hunter can aim at; gives the number of aims."""
    partner = partner_of(s, hunter)
    if partner >= 0:
        return boats_of_pair(s, seat, hunter, partner, cells, cards, room)
    return treasures_for(s, seat, hunter, cells, cards, room)


@kernel
def cost_of(cards: Cards, hunter: int, some: int) -> float:
    """What it costs to play a set of cards."""
    cost = 0.0
    for k in range(cards.number):
        if (some >> k) & 1:
            if (cards.flights >> k) & 1:
                cost += 3.0 * CARD
            else:
                cost += CARD + CARD * ((CARD_TERRAINS[cards.kind[k]] >> hunter) & 1)
    return cost


@kernel
def best_aim(number: int, hunter: int, place: int, have: int, cells: Board, cards: Cards, room: Room) -> Plan:
    """The best of so many aims from a space with a set of cards to spend, and the cards that are just enough for it."""
    best = UNREACHED
    chosen = -1
    spent = 0
    open_cells = empty_terrain(cells)
    for aim in range(number):
        entered = open_cells | room.goals[aim]
        for some in range(have + 1):
            if some & ~have == 0 and reaches(room.tables[aim], some, place, entered, cards):
                worth = room.worth[aim, have ^ some] - cost_of(cards, hunter, some)
                if worth > best:
                    best = worth
                    chosen = aim
                    spent = some
    return Plan(best, chosen, spent)


@kernel
def worth_of_staying(s: Rec, hunter: int, cells: Board) -> float:
    """What a hunter gives up by leaving his place: the treasure that he is alone with (D6.7)."""
    place = s.at[hunter]
    if partner_of(s, hunter) >= 0 or not holds_treasure(cells, place):
        return 0.0
    return ALONE * COINS[treasure_on(s, place)]


@kernel
def plan_with(s: Rec, seat: int, hunter: int, cells: Board, cards: Cards, room: Room) -> Plan:
    """The best plan of an own hunter with some cards; its worth is what is gained beyond staying with a treasure."""
    place = s.at[hunter]
    if place == SITE and holds_treasure(cells, place) and partner_of(s, hunter) < 0:
        return Plan(UNREACHED, -1, 0)  # D6.1
    number = aims_of(s, seat, hunter, cells, cards, room)
    plan = best_aim(number, hunter, place, cards.every, cells, cards, room)
    return Plan(plan.worth - worth_of_staying(s, hunter, cells), plan.aim, plan.some)


@kernel
def cards_of(s: Rec, seat: int, hunter: int, room: Room) -> Cards:
    """The cards of a hand that move a hunter as things are."""
    return cards_if(s, seat, hunter, s.freed, -1, room.kind, room.pays)
