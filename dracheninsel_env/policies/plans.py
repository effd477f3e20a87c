"""What a hunter can do with this turn: his aims, what each is worth, and the next action towards the best one.

Worths are money: what the own seat may expect, less the others' expectations shared out among them, since only the
difference wins. An aim is a treasure to join, to wait with or to take part of by an ambush, or for a pair a boat. What
joining is worth depends on the cards left then: with enough of them the treasure comes home in the same turn.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from dracheninsel_env.actions import OFFSET, PAYMENTS
from dracheninsel_env.components import COINS
from dracheninsel_env.estimate import STEPS
from dracheninsel_env.policies.chances import coins_as_guest, coins_as_owner
from dracheninsel_env.policies.choices import NOTHING, is_legal
from dracheninsel_env.policies.reach import SETS, Cards, direction_to, fill_from, reaches
from dracheninsel_env.policies.routes import CARD_TERRAINS, LANDING_BITS
from dracheninsel_env.rules.spaces import (
    CELLS,
    FIRST_BOAT,
    ONE,
    Board,
    bit,
    empty_terrain,
    other_hunter_on,
    treasure_on,
)
from island_core.jit import kernel

Rec = Any

AIMS: Final = 8
"""At most so many: the treasures, or two boats."""

JOINED = 0.75
"""The coins to expect of a treasure that the hunter carries in a pair, next to the own boat."""
FARTHER = 0.04
"""What each step to the own boat takes off that, beyond those for which cards are left."""
WAITING = 0.4
"""The coins to expect of a treasure that a hunter waits with on the site."""
ALONE = 0.3
"""The same of one that he was left alone with."""
ROBBED = 0.5
"""The coins that a carrier who is sent home might have expected."""
DARING = 0.6
"""The chance that the owner of a boat begins a betrayal if he can."""
CARD = 6.0
"""What it costs to play a terrain card; the double for a joker, three times for a flight."""


class Aims(NamedTuple):
    """The aims of a hunter.

    ``number`` of them; ``goals`` (uint64[8]) are the cells of each, ``tables`` (uint64[8, 64]) where they are reached
    from with each set of cards, ``worth`` (float64[8, 64]) what each is worth with each set of cards left then.
    """

    number: Any
    goals: Any
    tables: Any
    worth: Any


class Plan(NamedTuple):
    """The best aim from a space: its worth, its number, the cards for it; the number is -1 if none can be reached."""

    worth: Any
    aim: Any
    some: Any


@kernel
def net(s: Rec, coins: float) -> float:
    """Of the two coins of a treasure so many for the own seat, the rest for others: the advantage in coins."""
    return coins - (2.0 - coins) / (s.num_players - 1)


@kernel
def delivered(s: Rec, seat: int, partner: int, own_boat: bool) -> float:
    """The advantage in coins to expect from a delivery with a partner."""
    other = s.owner[partner]
    if other == seat:
        return 2.0
    return net(s, coins_as_owner(s, seat, other) if own_boat else coins_as_guest(s, seat, other, DARING))


@kernel
def carrying(s: Rec, seat: int, hunter: int, partner: int, space: int, cards_left: int) -> float:
    """The advantage in coins to expect from a treasure that is carried by a pair but does not come home in this turn."""
    steps = STEPS[space, FIRST_BOAT + hunter]
    if s.owner[partner] == seat:
        steps = min(steps, STEPS[space, FIRST_BOAT + partner])
    chance = JOINED - FARTHER * max(0, steps - 1 - cards_left)
    return 2.0 * chance if s.owner[partner] == seat else chance


@kernel
def set_size(some: int) -> int:
    """How many cards a set of at most six holds."""
    count = 0
    for k in range(6):
        count += (some >> k) & 1
    return count


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
def aims_of_pair(s: Rec, seat: int, hunter: int, partner: int, cells: Board, cards: Cards, aims: Aims) -> int:
    """Fill in the two boats of a pair; gives the number of aims."""
    place = s.at[hunter]
    treasure = treasure_on(s, place)
    open_cells = empty_terrain(cells)
    here = bit(place)
    for number in range(2):
        boat = hunter if number == 0 else partner
        aims.goals[number] = LANDING_BITS[boat] & (open_cells | here)
        fill_from(aims.goals[number], open_cells, cards, aims.tables[number])
        worth = COINS[treasure] * delivered(s, seat, partner, number == 0)
        for some in range(cards.every + 1):
            aims.worth[number, some] = worth
    return 2


@kernel
def joined(
    s: Rec, seat: int, hunter: int, partner: int, there: int, treasure: int, home: Any, strange: Any, some: int
) -> float:
    """What it is worth to form a pair on a space with a set of cards left; ``home`` and ``strange`` are the tables of
    the own and of the partner's boat.
    """
    worth = carrying(s, seat, hunter, partner, there, set_size(some))
    if (home[some] >> np.uint64(there)) & ONE:
        worth = max(worth, delivered(s, seat, partner, True))
    if (strange[some] >> np.uint64(there)) & ONE:
        worth = max(worth, delivered(s, seat, partner, False))
    return worth * COINS[treasure]


@kernel
def aims_of_lone(s: Rec, seat: int, hunter: int, cells: Board, cards: Cards, aims: Aims, boats: Any) -> int:
    """Fill in the treasures a hunter can join, wait with or take part of; gives the number of aims. ``boats``
    (uint64[2, 64]) is room for the tables of two boats.
    """
    place = s.at[hunter]
    open_cells = empty_terrain(cells)
    fill_from(LANDING_BITS[hunter] & open_cells, open_cells, cards, boats[0])
    number = 0
    for treasure in range(len(COINS)):
        there = s.treasure_at[treasure]
        if there < 0 or there >= CELLS or there == place:
            continue
        aims.goals[number] = bit(there)
        first = other_hunter_on(s, there, hunter)
        if first < 0:
            for some in range(cards.every + 1):
                aims.worth[number, some] = WAITING * COINS[treasure]
        else:
            for some in range(cards.every + 1):
                aims.worth[number, some] = 0.0
            second = -1
            for other in range(first + 1, 6):
                if other != hunter and s.at[other] == there:
                    second = other
            if second >= 0 and s.owner[first] == seat and s.owner[second] == seat:
                continue
            for partner in range(6):
                if partner != first and partner != second:
                    continue
                gone = first + second - partner if second >= 0 else -1
                if gone >= 0 and s.owner[gone] == seat:
                    continue  # an own hunter is not sent home
                bonus = ROBBED * COINS[treasure] / (s.num_players - 1) if gone >= 0 else 0.0
                fill_from(LANDING_BITS[partner] & open_cells, open_cells, cards, boats[1])
                for some in range(cards.every + 1):
                    worth = joined(s, seat, hunter, partner, there, treasure, boats[0], boats[1], some) + bonus
                    aims.worth[number, some] = max(aims.worth[number, some], worth)
        fill_from(aims.goals[number], open_cells, cards, aims.tables[number])
        number += 1
    return number


@kernel
def best_aim(aims: Aims, number: int, hunter: int, place: int, have: int, open_cells: np.uint64, cards: Cards) -> Plan:
    """The best aim from a space with a set of cards to spend, and the cards that are just enough for it."""
    best = -1.0e9
    chosen = -1
    spent = 0
    for aim in range(number):
        entered = open_cells | aims.goals[aim]
        for some in range(have + 1):
            if some & ~have == 0 and reaches(aims.tables[aim], some, place, entered, cards):
                worth = aims.worth[aim, have ^ some] - cost_of(cards, hunter, some)
                if worth > best:
                    best = worth
                    chosen = aim
                    spent = some
    return Plan(best, chosen, spent)


@kernel
def new_aims() -> Aims:
    """Room for aims."""
    return Aims(0, np.empty(AIMS, np.uint64), np.empty((AIMS, SETS), np.uint64), np.empty((AIMS, SETS), np.float64))


@kernel
def into_boat(s: Rec, slot: int, hunter: int, boat: int) -> int:
    """The step of a pair from a landing into a boat, `NOTHING` if it does not stand on one."""
    place = s.at[hunter]
    if not (LANDING_BITS[boat] >> np.uint64(place)) & ONE:
        return NOTHING
    action = OFFSET.step + (slot * 6 + direction_to(place, FIRST_BOAT + boat)) * PAYMENTS
    return action if is_legal(s, action) else NOTHING
