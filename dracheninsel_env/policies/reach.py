"""What can be reached in this turn with the cards in hand, exactly.

The cards that move a hunter, terrain cards and flights, are numbered by their place in a short list; a *set of cards*
is a bit set of these numbers. For a goal, a table says for each set of cards from which spaces the goal can be reached
with them. It is filled from the goal outwards, so one table serves all starts: the hunter's place, and the space where
he would form a pair.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dracheninsel_env import board
from dracheninsel_env.actions import OFFSET, PAYMENTS, TASKS_OF_CARD
from dracheninsel_env.components import HAND_SIZE, read_only
from dracheninsel_env.policies.choices import NOTHING, is_legal, use_of
from dracheninsel_env.policies.routes import CARD_TERRAINS, EVERY_TERRAIN, NEIGHBOUR_CELLS, around, gathered
from dracheninsel_env.rules.spaces import CELLS, FIRST_BOAT, NONE, ONE, SITE, SITE_BIT
from dracheninsel_env.vocab import HUNTERS, Task
from island_core.bitset import lowest
from island_core.jit import kernel

Rec = Any

NEIGHBOUR = board.NEIGHBOUR
JUMP_TARGET = board.JUMP_TARGET
SETS: Final = 1 << HAND_SIZE
"""Sets of cards of a full hand: the length of a table."""


def _jumps() -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the cells on which flights from each space land, and the same for the cells of each byte of a bit set."""
    landings = [sum(1 << int(end) for end in row if 0 <= end < CELLS) for row in JUMP_TARGET]
    table = np.zeros(8 << 8, np.uint64)
    for place in range(8):
        for byte in range(256):
            for k in range(8):
                if byte >> k & 1 and 8 * place + k < CELLS:
                    table[place << 8 | byte] |= np.uint64(landings[8 * place + k])
    return read_only(landings, np.uint64), read_only(table, np.uint64)


LANDINGS_FROM, JUMP_BYTES = _jumps()
"""`LANDINGS_FROM` uint64[67]: the cells two steps away (D8.4), whatever stands between; `JUMP_BYTES` uint64[2048]:
entry ``place << 8 | byte`` is the bit set of those of all cells of byte ``place`` of a bit set."""


def _flown_to() -> list[int]:
    """Return the cells from which a flight lands in each boat, as bit sets."""
    boats = range(FIRST_BOAT, FIRST_BOAT + len(HUNTERS))
    return [sum(1 << cell for cell in range(CELLS) if boat in JUMP_TARGET[cell]) for boat in boats]


FLOWN_TO: Final = read_only(_flown_to(), np.uint64)
"""uint64[6]: the cells from which a flight lands in each boat (D8.4)."""


class Cards(NamedTuple):
    """The cards that move a hunter.

    ``number`` of them; ``kind`` (int64[6]) is the card, ``pays`` (uint64[6]) the cells it pays for, none for a flight;
    ``flights`` is the set of the flight cards, ``every`` that of all; ``free`` are the cells that cost nothing.
    """

    number: Any
    kind: Any
    pays: Any
    flights: Any
    every: Any
    free: Any


@kernel
def jumps(cells: np.uint64) -> np.uint64:
    """The cells from which flights land on those of a bit set."""
    return gathered(JUMP_BYTES, cells)


@kernel
def cells_of(s: Rec, terrains: int) -> np.uint64:
    """The cells whose disc is one of a bit set of terrains."""
    cells = NONE
    for cell in range(CELLS):
        if cell != SITE:
            cells |= np.uint64((terrains >> s.terrain[cell]) & 1) << np.uint64(cell)
    return cells


@kernel
def cards_if(s: Rec, seat: int, hunter: int, freed: int, without: int, kind: Any, pays: Any) -> Cards:
    """The cards of a hand that move a hunter (D5.2, D8.4), if the terrains ``freed`` were free (D8.5) and one copy of
    the card ``without`` gone; fills ``kind`` (int64[6]) and ``pays`` (uint64[6]).
    """
    number = 0
    gone = without
    for place in range(s.hand_size[seat]):
        card = s.hand[seat, place]
        if card == gone:
            gone = -1
        elif CARD_TERRAINS[card] != 0 or (TASKS_OF_CARD[card] >> Task.DARING_FLIGHT) & 1:
            # In the order of kinds: that of the hand means nothing, and is no part of what a seat knows.
            to = number
            while to > 0 and kind[to - 1] > card:
                kind[to] = kind[to - 1]
                to -= 1
            kind[to] = card
            number += 1
    free = cells_of(s, (1 << hunter) | freed) | SITE_BIT
    flights = 0
    for k in range(number):
        shown = CARD_TERRAINS[kind[k]]
        if shown != 0:
            pays[k] = cells_of(s, EVERY_TERRAIN if (shown >> hunter) & 1 else shown) & ~free
        else:
            pays[k] = NONE
            flights |= 1 << k
    return Cards(number, kind, pays, flights, (1 << number) - 1, free)


@kernel
def fill_from(goal: np.uint64, open_cells: np.uint64, flown: np.uint64, cards: Cards, table: Any) -> None:
    """Fill the table of a goal (cells): entry m is the bit set of cells from which it is reached with cards of set m.

    On the way only cells of ``open_cells`` are entered. From the cells ``flown`` a flight alone does it.
    """
    entered = open_cells | goal
    free = cards.free & entered
    for some in range(cards.every + 1):
        found = goal
        for k in range(cards.number):
            if not (some >> k) & 1:
                continue
            less = some ^ (1 << k)
            found |= table[less]
            if (cards.flights >> k) & 1:
                found |= jumps(table[less] & free) | flown
                for other in range(cards.number):
                    if (less >> other) & 1:
                        found |= jumps(table[less ^ (1 << other)] & cards.pays[other] & entered)
            else:
                found |= around(table[less] & cards.pays[k] & entered)
        new = found
        while new != NONE:
            new = around(new & free) & ~found
            found |= new
        table[some] = found


@kernel
def reaches(table: Any, some: int, place: int, entered: np.uint64, cards: Cards) -> bool:
    """Whether the goal of a table is reached from a space, a cell or a boat, with the cards of a set."""
    if place < CELLS:
        return bool((table[some] >> np.uint64(place)) & ONE)
    landings = NEIGHBOUR_CELLS[place] & entered
    far = LANDINGS_FROM[place] & entered
    if table[some] & cards.free & landings != NONE:
        return True
    for k in range(cards.number):
        if not (some >> k) & 1:
            continue
        less = some ^ (1 << k)
        if not (cards.flights >> k) & 1:
            if table[less] & cards.pays[k] & landings != NONE:
                return True
        elif table[less] & cards.free & far != NONE:
            return True
        else:
            for other in range(cards.number):
                if (less >> other) & 1 and table[less ^ (1 << other)] & cards.pays[other] & far != NONE:
                    return True
    return False


@kernel
def paid_step(s: Rec, slot: int, place: int, table: Any, some: int, entered: np.uint64, cards: Cards) -> int:
    """A legal step paid by a card of a set that stays on the way to the goal, or else the flight; else `NOTHING`."""
    for k in range(cards.number):
        if not (some >> k) & 1 or (cards.flights >> k) & 1:
            continue
        targets = table[some ^ (1 << k)] & cards.pays[k] & entered & NEIGHBOUR_CELLS[place]
        while targets != NONE:
            target = lowest(targets)
            targets &= targets - ONE
            action = OFFSET.step + (slot * 6 + direction_to(place, target)) * PAYMENTS + 1 + cards.kind[k]
            if is_legal(s, action):
                return action
    return NOTHING


@kernel
def direction_to(place: int, target: int) -> int:
    """The direction of a neighbour."""
    direction = 0
    while NEIGHBOUR[place, direction] != target:
        direction += 1
    return direction


@kernel
def where_cards_help(table: Any, some: int, entered: np.uint64, flown: np.uint64, cards: Cards) -> np.uint64:
    """The cells from which the next card of a set is played on the way to the goal; from ``flown`` it is a flight."""
    found = NONE
    for k in range(cards.number):
        if not (some >> k) & 1:
            continue
        less = some ^ (1 << k)
        if (cards.flights >> k) & 1:
            found |= jumps(table[less] & cards.free & entered) | flown
            for other in range(cards.number):
                if (less >> other) & 1:
                    found |= jumps(table[less ^ (1 << other)] & cards.pays[other] & entered)
        else:
            found |= around(table[less] & cards.pays[k] & entered)
    return found


@kernel
def first_action(
    s: Rec,
    slot: int,
    place: int,
    goal: np.uint64,
    flown: np.uint64,
    table: Any,
    some: int,
    entered: np.uint64,
    cards: Cards,
) -> int:
    """The next action on the way from a space to the goal of a table with a set of cards that is just enough for it.

    Free steps go the shortest way to where the next card is played, or to the goal if none is needed; a flight comes
    last. `NOTHING` if the rules forbid what the table promises (a dragon below the flight, a listed space).
    """
    action = paid_step(s, slot, place, table, some, entered, cards)
    if action != NOTHING:
        return action
    layer = goal if some == 0 else where_cards_help(table, some, entered, flown, cards)
    seen = NONE
    if place >= CELLS or not (layer >> np.uint64(place)) & ONE:
        while layer & ~seen != NONE:
            seen |= layer
            targets = layer & cards.free & entered & NEIGHBOUR_CELLS[place]
            while targets != NONE:
                target = lowest(targets)
                targets &= targets - ONE
                action = OFFSET.step + (slot * 6 + direction_to(place, target)) * PAYMENTS
                if is_legal(s, action):
                    return action
            layer = around(layer & cards.free & entered) & ~seen
    return use_of(s, Task.DARING_FLIGHT) if some & cards.flights else NOTHING
