"""D8.1-D8.7: the tan tasks: when they may be begun, what they ask, what they do.

Each decision has a pair ``legal_...`` / ``apply_...``. A task may be begun only if it can be carried out (D4.1).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dracheninsel_env import board, components
from dracheninsel_env.actions import OFFSET, PAYMENTS, USE_CARD, USE_TASK, USES_OF_TASK
from dracheninsel_env.decisions import Decision
from dracheninsel_env.events import Event
from dracheninsel_env.rules.acts import (
    act_over,
    active_seat,
    begin_act,
    pay_card,
    play_task,
    restart_lists,
    swap_discs,
)
from dracheninsel_env.rules.hands import uses_in_hand
from dracheninsel_env.rules.spaces import (
    CELLS,
    FIRST_BOAT,
    NONE,
    ONE,
    SITE,
    Board,
    empty_terrain,
    other_hunter_on,
    read_board,
    treasure_on,
)
from dracheninsel_env.rules.steps import TERRAIN_CARDS, flight_cards, legal_landings
from dracheninsel_env.rules.treasure import go, remove_treasure, send_home
from dracheninsel_env.rules.windows import open_counter
from dracheninsel_env.vocab import Task
from island_core import rng
from island_core.bitset import lowest, set_bit, set_bits
from island_core.cards import DISCARD, kinds_in_hand, move_card
from island_core.decisions import pop, push, retop
from island_core.events import EVERYBODY, event
from island_core.jit import kernel

Rec = Any

NEIGHBOUR_CELLS = board.NEIGHBOUR_CELLS
JUMP_TARGET = board.JUMP_TARGET
LANDING_CELLS = np.uint64(board.LANDING_CELLS)
CARD_TERRAINS = components.CARD_TERRAINS
CARD_SLOTS = components.CARD_SLOTS
DRAGONS = components.DRAGONS


# Which swaps are possible (D8.1)


@kernel
def swap_partners(s: Rec, first: int, empty: np.uint64, adjacent: bool) -> np.uint64:
    """D8.1: the empty spaces whose disc may be swapped with that of ``first``: adjacent or any; the discs must
    differ.
    """
    candidates = empty & NEIGHBOUR_CELLS[first] if adjacent else empty
    partners = NONE
    while candidates != NONE:
        cell = lowest(candidates)
        if s.terrain[cell] != s.terrain[first]:
            partners |= ONE << np.uint64(cell)
        candidates &= candidates - ONE
    return partners


@kernel
def can_swap(s: Rec, first: int, empty: np.uint64, adjacent: bool) -> bool:
    """Whether ``swap_partners`` is not empty; stops at the first one."""
    candidates = empty & NEIGHBOUR_CELLS[first] if adjacent else empty
    while candidates != NONE:
        if s.terrain[lowest(candidates)] != s.terrain[first]:
            return True
        candidates &= candidates - ONE
    return False


@kernel
def dragon_spaces(cells: Board) -> np.uint64:
    """D8.2: empty terrain spaces that are no landing."""
    return empty_terrain(cells) & ~LANDING_CELLS


@kernel
def fear_target_exists(s: Rec) -> bool:
    """D8.6: whether some hunter is not in his own boat."""
    for hunter in range(6):
        if s.at[hunter] >= 0 and s.at[hunter] != FIRST_BOAT + hunter:
            return True
    return False


@kernel
def rob_target_exists(s: Rec, seat: int) -> bool:
    """D8.7: whether another player holds a card."""
    for other in range(s.num_players):
        if other != seat and s.hand_size[other] > 0:
            return True
    return False


@kernel
def may_fly(s: Rec, slot: int) -> bool:
    """D9.2: whether this own hunter exists and may still be the one that moves in this turn."""
    hunter = s.hunters[active_seat(s), slot]
    return hunter >= 0 and (s.mover < 0 or s.mover == hunter)


@kernel
def flight_exists(s: Rec, words: Any, seat: int, cells: Board, kinds: np.uint64) -> bool:
    """D8.4: whether some own hunter has a landing; one flight card is spent."""
    flights = flight_cards(s, seat) - 1
    for slot in range(2):
        if may_fly(s, slot) and legal_landings(s, words, s.hunters[seat, slot], cells, kinds, flights, False):
            return True
    return False


# Beginning a task


ALWAYS_POSSIBLE = (
    USES_OF_TASK[Task.DESTROYING_FORCES]
    | USES_OF_TASK[Task.RAGING_ELEMENTS]
    | USES_OF_TASK[Task.DRAGON_PATROL]
    | USES_OF_TASK[Task.EVIL_CURSE]
)
"""The uses of tasks that can always be carried out: six hunters and two dragons leave 52 of the 60 terrain spaces
empty. To part all unequal discs takes nine (the bound of an integer program over all boards with ten discs of each
terrain), and only twelve spaces are landings.
"""


@kernel
def legal_tasks(s: Rec, words: Any, seat: int, cells: Board, kinds: np.uint64) -> None:
    """Add every use of a tan task that may be begun."""
    uses = uses_in_hand(s, seat)
    begun = ALWAYS_POSSIBLE
    if uses & USES_OF_TASK[Task.DARING_FLIGHT] and flight_exists(s, words, seat, cells, kinds):
        begun |= USES_OF_TASK[Task.DARING_FLIGHT]
    if kinds & TERRAIN_CARDS != NONE:
        begun |= USES_OF_TASK[Task.LONG_JOURNEY]
    if uses & USES_OF_TASK[Task.FEAR_AND_TERROR] and fear_target_exists(s):
        begun |= USES_OF_TASK[Task.FEAR_AND_TERROR]
    if uses & USES_OF_TASK[Task.SNEAK_ATTACK] and rob_target_exists(s, seat):
        begun |= USES_OF_TASK[Task.SNEAK_ATTACK]
    set_bits(words, OFFSET.play, uses & begun)


@kernel
def begin_task(s: Rec, action: int) -> None:
    """Play a tan task in ``turn`` and ask what it needs."""
    seat = active_seat(s)
    task = USE_TASK[action - OFFSET.play]
    begin_act(s)
    play_task(s, seat, USE_CARD[action - OFFSET.play], task)
    restart_lists(s, seat)
    if task == Task.DESTROYING_FORCES or task == Task.RAGING_ELEMENTS:
        push(s, Decision.FIRST_DISC, seat, task, -1)
    elif task == Task.DRAGON_PATROL:
        # D8.2: the next dragon comes in; with all on the board the player says which one moves.
        outside = 0
        while outside < DRAGONS and s.dragon_at[outside] >= 0:
            outside += 1
        if outside < DRAGONS:
            push(s, Decision.DRAGON_SPACE, seat, outside, -1)
        else:
            push(s, Decision.DRAGON, seat, -1, -1)
    elif task == Task.EVIL_CURSE:
        evil_curse(s, seat)
    elif task == Task.DARING_FLIGHT:
        hunter = s.mover if s.num_players == 3 else s.hunters[seat, 0]
        if hunter < 0:
            push(s, Decision.FLYER, seat, -1, -1)
        else:
            push(s, Decision.FLIGHT, seat, hunter, -1)
    elif task == Task.LONG_JOURNEY:
        push(s, Decision.JOURNEY_CARD, seat, -1, -1)
    elif task == Task.FEAR_AND_TERROR:
        push(s, Decision.FEAR_TARGET, seat, -1, -1)
    else:
        push(s, Decision.ROB_TARGET, seat, -1, -1)


# D8.1 discs


@kernel
def legal_first_disc(s: Rec, words: Any) -> None:
    """D8.1: empty terrain spaces that can be swapped with at least one other."""
    adjacent = s.frame_a[s.depth - 1] == Task.DESTROYING_FORCES
    empty = empty_terrain(read_board(s))
    for cell in range(CELLS):
        if (empty >> np.uint64(cell)) & ONE and can_swap(s, cell, empty, adjacent):
            set_bit(words, OFFSET.choose + cell)


@kernel
def legal_second_disc(s: Rec, words: Any) -> None:
    """D8.1: the spaces the first can be swapped with."""
    top = s.depth - 1
    adjacent = s.frame_a[top] == Task.DESTROYING_FORCES
    set_bits(words, OFFSET.choose, swap_partners(s, s.frame_b[top], empty_terrain(read_board(s)), adjacent))


@kernel
def apply_first_disc(s: Rec, action: int) -> None:
    """D8.1: go on to the second disc."""
    top = s.depth - 1
    retop(s, Decision.SECOND_DISC, active_seat(s), s.frame_a[top], action - OFFSET.choose)


@kernel
def apply_second_disc(s: Rec, action: int) -> None:
    """D8.1: the discs change places."""
    first = s.frame_b[s.depth - 1]
    second = action - OFFSET.choose
    pop(s)
    swap_discs(s, first, second)
    s.undo_swap[0] = first
    s.undo_swap[1] = second
    event(s, Event.SWAP, active_seat(s), first, second, EVERYBODY)
    act_over(s)


# D8.2 dragons


@kernel
def legal_dragon(s: Rec, words: Any) -> None:
    """D8.2: the spaces where dragons stand."""
    for dragon in range(DRAGONS):
        set_bit(words, OFFSET.choose + s.dragon_at[dragon])


@kernel
def apply_dragon(s: Rec, action: int) -> None:
    """D8.2: go on to the new place."""
    dragon = 0
    while s.dragon_at[dragon] != action - OFFSET.choose:
        dragon += 1
    retop(s, Decision.DRAGON_SPACE, active_seat(s), dragon, -1)


@kernel
def legal_dragon_space(s: Rec, words: Any) -> None:
    """D8.2: where a dragon may go."""
    set_bits(words, OFFSET.choose, dragon_spaces(read_board(s)))


@kernel
def apply_dragon_space(s: Rec, action: int) -> None:
    """D8.2: the dragon stands there."""
    dragon = s.frame_a[s.depth - 1]
    cell = action - OFFSET.choose
    pop(s)
    event(s, Event.DRAGON, active_seat(s), s.dragon_at[dragon], cell, EVERYBODY)
    s.dragon_at[dragon] = cell
    act_over(s)


# D8.3 curse, D8.7 attack


@kernel
def steal(s: Rec, seat: int, victim: int) -> None:
    """Take one random card of a player; only the two of them see it."""
    card = s.hand[victim, rng.below(s.rng, s.hand_size[victim])]
    move_card(s, card, victim, seat, (1 << seat) | (1 << victim), Event.ROB, seat, victim)
    s.undo_stolen_card[s.undo_stolen] = card
    s.undo_stolen_seat[s.undo_stolen] = victim
    s.undo_stolen += 1


@kernel
def evil_curse(s: Rec, seat: int) -> None:
    """D8.3: discard the hand, then draw from each other player, clockwise, as far as they have cards."""
    for card in range(CARD_SLOTS):
        place = 0
        while place < s.hand_size[seat]:
            if s.hand[seat, place] == card:
                move_card(s, card, seat, DISCARD, EVERYBODY, Event.DISCARD, seat, -1)
                s.undo_discarded_card[s.undo_discarded] = card
                s.undo_discarded += 1
            else:
                place += 1
    draws = 2 if s.num_players == 3 else 1
    for distance in range(1, s.num_players):
        victim = (seat + distance) % s.num_players
        for _ in range(draws):
            if s.hand_size[victim] > 0:
                steal(s, seat, victim)
    act_over(s)


@kernel
def legal_rob_target(s: Rec, words: Any) -> None:
    """D8.7: other players who hold cards."""
    seat = active_seat(s)
    for distance in range(1, s.num_players):
        if s.hand_size[(seat + distance) % s.num_players] > 0:
            set_bit(words, OFFSET.rob + distance - 1)


@kernel
def apply_rob_target(s: Rec, action: int) -> None:
    """D8.7, D8.8: the target is declared; it may be countered."""
    seat = active_seat(s)
    victim = (seat + action - OFFSET.rob + 1) % s.num_players
    pop(s)
    event(s, Event.DECLARE, seat, Task.SNEAK_ATTACK, victim, EVERYBODY)
    if not open_counter(s, seat, Task.SNEAK_ATTACK, victim):
        sneak_attack(s, victim)


@kernel
def sneak_attack(s: Rec, victim: int) -> None:
    """D8.7: the theft that nobody countered."""
    steal(s, active_seat(s), victim)
    act_over(s)


# D8.4 flight


@kernel
def legal_flyer(s: Rec, words: Any) -> None:
    """D9.2: own hunters that have a landing; the flight card has been played."""
    seat = active_seat(s)
    cells = read_board(s)
    kinds = kinds_in_hand(s, seat)
    for slot in range(2):
        hunter = s.hunters[seat, slot]
        if legal_landings(s, words, hunter, cells, kinds, flight_cards(s, seat), False):
            set_bit(words, OFFSET.flyer + slot)


@kernel
def apply_flyer(s: Rec, action: int) -> None:
    """D9.2: go on to his landing."""
    seat = active_seat(s)
    retop(s, Decision.FLIGHT, seat, s.hunters[seat, action - OFFSET.flyer], -1)


@kernel
def legal_flight(s: Rec, words: Any) -> None:
    """D8.4: the landings of the flying hunter."""
    seat = active_seat(s)
    kinds = kinds_in_hand(s, seat)
    legal_landings(s, words, s.frame_a[s.depth - 1], read_board(s), kinds, flight_cards(s, seat), True)


@kernel
def apply_flight(s: Rec, action: int) -> None:
    """D8.4: pay for the landing and go there."""
    hunter = s.frame_a[s.depth - 1]
    landing = (action - OFFSET.fly) // PAYMENTS
    payment = (action - OFFSET.fly) % PAYMENTS
    target = JUMP_TARGET[s.at[hunter], landing]
    pop(s)
    if payment > 0:
        pay_card(s, active_seat(s), payment - 1)
    go(s, hunter, target, Event.LAND)


# D8.5 journey


@kernel
def legal_journey_card(s: Rec, words: Any) -> None:
    """D8.5: any terrain card in hand."""
    set_bits(words, OFFSET.with_card, kinds_in_hand(s, active_seat(s)) & TERRAIN_CARDS)


@kernel
def journey_terrains(s: Rec, card: int) -> int:
    """D8.5: the terrains a card can name: its own, or all if it is a joker. With three players there is no joker
    before a movement has chosen the hunter.
    """
    terrains = CARD_TERRAINS[card]
    hunter = s.mover if s.num_players == 3 else s.hunters[active_seat(s), 0]
    if hunter >= 0 and (terrains >> hunter) & 1:
        return 63
    return terrains


@kernel
def apply_journey_card(s: Rec, action: int) -> None:
    """D8.5: play the card; ask for the terrain unless it can name only one."""
    seat = active_seat(s)
    card = action - OFFSET.with_card
    pay_card(s, seat, card)
    terrains = journey_terrains(s, card)
    if terrains & (terrains - 1):
        retop(s, Decision.JOURNEY_TERRAIN, seat, card, -1)
        return
    terrain = 0
    while not (terrains >> terrain) & 1:
        terrain += 1
    pop(s)
    free_terrain(s, terrain)


@kernel
def legal_journey_terrain(s: Rec, words: Any) -> None:
    """D8.5: the terrains the card can name; one that is free already may be announced."""
    set_bits(words, OFFSET.announce, np.uint64(journey_terrains(s, s.frame_a[s.depth - 1])))


@kernel
def apply_journey_terrain(s: Rec, action: int) -> None:
    """D8.5: the announced terrain is free."""
    pop(s)
    free_terrain(s, action - OFFSET.announce)


@kernel
def free_terrain(s: Rec, terrain: int) -> None:
    """D8.5: a terrain is free to enter for the rest of the turn."""
    s.freed |= 1 << terrain
    event(s, Event.ANNOUNCE, active_seat(s), -1, terrain, EVERYBODY)
    act_over(s)


# D8.6 fear


@kernel
def legal_fear_target(s: Rec, words: Any) -> None:
    """D8.6: any hunter in play who is not in his own boat."""
    for hunter in range(6):
        if s.at[hunter] >= 0 and s.at[hunter] != FIRST_BOAT + hunter:
            set_bit(words, OFFSET.send_home + hunter)


@kernel
def apply_fear_target(s: Rec, action: int) -> None:
    """D8.6, D8.8: the target is declared; it may be countered."""
    seat = active_seat(s)
    hunter = action - OFFSET.send_home
    pop(s)
    event(s, Event.DECLARE, seat, Task.FEAR_AND_TERROR, hunter, EVERYBODY)
    if not open_counter(s, seat, Task.FEAR_AND_TERROR, hunter):
        fear_and_terror(s, hunter)


@kernel
def fear_and_terror(s: Rec, hunter: int) -> None:
    """D8.6: the hunter goes home. On the site his treasure stays; a partner stays alone with it; a lone carrier's is
    removed (D6.7). An own hunter left alone may not leave in this turn (D6.7).
    """
    place = s.at[hunter]
    treasure = treasure_on(s, place)
    send_home(s, hunter)
    if treasure >= 0 and place != SITE:
        partner = other_hunter_on(s, place, hunter)
        if partner < 0:
            remove_treasure(s, treasure)
        elif s.owner[partner] == active_seat(s):
            s.left_alone |= 1 << partner
    act_over(s)
