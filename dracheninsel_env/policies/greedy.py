"""``greedy``: the player who goes where the nearest treasure, or the nearest boat, is.

Rules of thumb, with no plan beyond the next action. A hunter without treasure goes to a treasure, best to one that
somebody waits with; a pair goes to the nearer of its two boats; who waits exchanges the cards that do not help. Green
cards are played where the own treasure is at stake, or where somebody else's comes home.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dracheninsel_env import board
from dracheninsel_env.actions import OFFSET, PAYMENTS, TASKS_OF_CARD
from dracheninsel_env.components import CARD_SLOTS, COINS
from dracheninsel_env.decisions import Decision
from dracheninsel_env.estimate import STEPS
from dracheninsel_env.policies.chances import certain
from dracheninsel_env.policies.choices import NOTHING, cheapest, is_legal, own_terrains, played_or, use_of
from dracheninsel_env.policies.routes import (
    CARD_TERRAINS,
    FAR,
    FREE,
    LANDING_BITS,
    NEIGHBOUR_CELLS,
    PAID,
    Levels,
    Ways,
    level_of,
    levels_to,
    ways_of,
)
from dracheninsel_env.rules.acts import active_seat
from dracheninsel_env.rules.ending import money
from dracheninsel_env.rules.spaces import (
    CELLS,
    FIRST_BOAT,
    NONE,
    ONE,
    SITE,
    Board,
    bit,
    boat_open,
    empty_terrain,
    holds_treasure,
    other_hunter_on,
    partner_of,
    read_board,
    treasure_on,
)
from dracheninsel_env.vocab import Task
from island_core import bitset
from island_core.jit import kernel
from island_core.rng import below

Rec = Any

NEIGHBOUR = board.NEIGHBOUR
JUMP_TARGET = board.JUMP_TARGET
JUMP_CELLS = board.JUMP_CELLS

NOBODY_WAITS = 1
"""So much farther seems a treasure that nobody waits with, or that a pair must be robbed of."""
STRANGE_BOAT = 7
"""So much farther seems the partner's boat."""
GIVES_WAY = 5
"""One time in so many it seems no farther: two who differ would pull a pair to and fro for ever."""
NEARLY_HOME = 3
"""The steps to its boat from which on a pair is stopped by fear."""
DELIVERY = -1
"""The level of a boat to which a pair carries a treasure: nearer than anything else."""
FEW_CARDS = 2
"""So many hand cards hardly hold a betrayal."""
TASKS_KEPT = 2
"""More task cards than these are exchanged: they would leave no room for terrain."""
PLAYED = (
    1 << Task.DARING_FLIGHT
    | 1 << Task.FEAR_AND_TERROR
    | 1 << Task.SNEAK_ATTACK
    | 1 << Task.SWEET_SLUMBER
    | 1 << Task.COUNTERSPELL
    | 1 << Task.BETRAYAL
)
"""The tasks that are ever played (a bit set); cards without one of them are exchanged."""


@kernel
def is_pair_on(s: Rec, space: int) -> bool:
    """Whether two hunters carry a treasure on a space (D6.2)."""
    first = other_hunter_on(s, space, -1)
    return first >= 0 and other_hunter_on(s, space, first) >= 0


@kernel
def levels_for(s: Rec, hunter: int, partner: int, ways: Ways, cells: Board, words: Any) -> Levels:
    """How far it is for a hunter, from each cell, to where he wants to go."""
    place = s.at[hunter]
    own = bit(place) if place < CELLS else NONE
    wanted = NEIGHBOUR_CELLS[place] | own
    through = empty_terrain(cells) | own
    if partner >= 0:
        # D6.8: either boat will do, but in the own one its owner is the first to betray; from landings boats are free.
        farther = STRANGE_BOAT if below(words, GIVES_WAY) > 0 else 0
        return levels_to(
            LANDING_BITS[hunter] & through, LANDING_BITS[partner] & through, farther, ways, through, wanted
        )
    joined = NONE
    sought = NONE
    for treasure in range(len(COINS)):
        there = s.treasure_at[treasure]
        if 0 <= there < CELLS and there != place:
            if other_hunter_on(s, there, hunter) >= 0 and not is_pair_on(s, there):
                joined |= bit(there)
            else:
                sought |= bit(there)
    return levels_to(joined, sought, NOBODY_WAITS, ways, through, wanted)


@kernel
def step_nearer(s: Rec, slot: int, hunter: int, levels: Levels, here: int) -> int:
    """The legal step of an own hunter that leads nearer to the goal, the best one; else `NOTHING`."""
    place = s.at[hunter]
    best = 2 * FAR
    found = NOTHING
    for direction in range(6):
        action = cheapest(s, OFFSET.step + (slot * 6 + direction) * PAYMENTS, hunter)
        if action != NOTHING:
            target = NEIGHBOUR[place, direction]
            # No step but a delivery, or one back home, leads into a boat.
            level = level_of(levels, target) if target < CELLS else DELIVERY
            if target >= CELLS and other_hunter_on(s, place, hunter) < 0:
                level = FAR
            far = level + (FREE if (action - OFFSET.step) % PAYMENTS == 0 else PAID)
            if level < here and far < best:
                best = far
                found = action
    return found


@kernel
def landing_nearer(s: Rec, hunter: int, levels: Levels, ways: Ways, cells: Board, here: int) -> bool:
    """Whether a flight would lead nearer to the goal, or a pair into a boat (D8.4)."""
    place = s.at[hunter]
    partner = partner_of(s, hunter)
    open_cells = (ways.free | ways.paid) & levels.reached
    for landing in range(12):
        target = JUMP_TARGET[place, landing]
        if target < 0 or JUMP_CELLS[place, landing] & ~cells.dragons == NONE:
            continue
        if target >= CELLS:
            if partner >= 0 and boat_open(s, hunter, partner, target):
                return True
            continue
        if (open_cells >> np.uint64(target)) & ONE and level_of(levels, target) < here:
            return True
    return False


@kernel
def somebody_waits(s: Rec, seat: int, least: int) -> bool:
    """Whether another player's hunter is alone with a treasure whose coins are worth so much at least."""
    for treasure in range(len(COINS)):
        there = s.treasure_at[treasure]
        if 0 <= there < CELLS and COINS[treasure] >= least:
            hunter = other_hunter_on(s, there, -1)
            if hunter >= 0 and s.owner[hunter] != seat and other_hunter_on(s, there, hunter) < 0:
                return True
    return False


@kernel
def move_on(s: Rec, seat: int, leaves: bool, words: Any) -> int:
    """The next step or flight of the own hunter who has the shortest way; `NOTHING` if none gets nearer.

    ``leaves``: whether one who is alone with a treasure leaves it if somebody else waits with one (D6.7).
    """
    cells = read_board(s)
    best = 2 * FAR
    found = NOTHING
    for slot in range(2):
        hunter = s.hunters[seat, slot]
        if hunter < 0 or (s.mover >= 0 and s.mover != hunter):
            continue
        place = s.at[hunter]
        partner = partner_of(s, hunter)
        if (
            partner < 0
            and holds_treasure(cells, place)
            and (place == SITE or not leaves or not somebody_waits(s, seat, COINS[treasure_on(s, place)]))
        ):
            continue  # he waits for a partner
        ways = ways_of(s, seat, hunter)
        levels = levels_for(s, hunter, partner, ways, cells, words)
        here = level_of(levels, place) if place < CELLS else FAR
        if here >= best:
            continue
        action = step_nearer(s, slot, hunter, levels, here)
        if action == NOTHING:
            flight = use_of(s, Task.DARING_FLIGHT)
            if flight != NOTHING and landing_nearer(s, hunter, levels, ways, cells, here):
                action = flight
        if action != NOTHING:
            best = here
            found = action
    return found


@kernel
def land(s: Rec, seat: int, hunter: int, words: Any) -> int:
    """The landing of a flight that is nearest to the goal (D8.4)."""
    cells = read_board(s)
    place = s.at[hunter]
    levels = levels_for(s, hunter, partner_of(s, hunter), ways_of(s, seat, hunter), cells, words)
    best = 4 * FAR
    found = NOTHING
    for landing in range(12):
        action = cheapest(s, OFFSET.fly + landing * PAYMENTS, hunter)
        if action != NOTHING:
            target = JUMP_TARGET[place, landing]
            level = level_of(levels, target) if target < CELLS else DELIVERY
            if level < best:
                best = level
                found = action
    return found


@kernel
def fear_target(s: Rec, seat: int) -> int:
    """The carrier of a strange pair that is nearly home, of the two the richer player's; -1 if there is none."""
    found = -1
    most = -1
    for hunter in range(6):
        place = s.at[hunter]
        if not 0 <= place < CELLS or place == SITE or s.owner[hunter] == seat:
            continue
        partner = other_hunter_on(s, place, hunter)
        if partner < 0 or s.owner[partner] == seat:
            continue
        steps = min(STEPS[place, FIRST_BOAT + hunter], STEPS[place, FIRST_BOAT + partner])
        if steps <= NEARLY_HOME and money(s, s.owner[hunter]) > most:
            most = money(s, s.owner[hunter])
            found = hunter
    return found


@kernel
def useless_card(s: Rec, seat: int, stuck: bool) -> int:
    """The action that discards a card: a task never played or one too many, or a terrain if the hand gets the hunter no
    further and the card is no joker; else `NOTHING`.
    """
    own = own_terrains(s, seat)
    tasks = 0
    for place in range(s.hand_size[seat]):
        tasks += CARD_TERRAINS[s.hand[seat, place]] == 0
    worst = NOTHING
    least = 1 << 20
    for place in range(s.hand_size[seat]):
        card = s.hand[seat, place]
        if CARD_TERRAINS[card] == 0:
            useless = tasks > TASKS_KEPT or TASKS_OF_CARD[card] & PLAYED == 0
        else:
            useless = stuck and CARD_TERRAINS[card] & own == 0
        # Later tasks are worth more: betrayal, counterspell, slumber, then the tan ones.
        value = (TASKS_OF_CARD[card] & PLAYED) * CARD_SLOTS + card
        if useless and value < least:
            least = value
            worst = card
    return OFFSET.discard + worst if worst >= 0 else NOTHING


@kernel
def turn(s: Rec, seat: int, words: Any) -> int:
    """Steal a card, move on, frighten those who are nearly home; who has done nothing exchanges what does not help."""
    action = use_of(s, Task.SNEAK_ATTACK)
    if action == NOTHING:
        action = move_on(s, seat, True, words)
    if action == NOTHING and fear_target(s, seat) >= 0:
        action = use_of(s, Task.FEAR_AND_TERROR)
    if action == NOTHING and not waits(s, seat):
        action = use_of(s, Task.EVIL_CURSE)
    if action == NOTHING and s.acts == 0:
        action = useless_card(s, seat, not waits(s, seat))
    return action if action != NOTHING else OFFSET.stop


@kernel
def leave_site(s: Rec, seat: int, hunter: int, words: Any) -> int:
    """The best way out of the site (D6.3): on foot if there is one."""
    cells = read_board(s)
    partner = partner_of(s, hunter)
    levels = levels_for(s, hunter, partner, ways_of(s, seat, hunter), cells, words)
    action = step_nearer(s, 0 if s.hunters[seat, 0] == hunter else 1, hunter, levels, 2 * FAR)
    return action if action != NOTHING else use_of(s, Task.DARING_FLIGHT)


@kernel
def waits(s: Rec, seat: int) -> bool:
    """Whether an own hunter stays with a treasure until somebody joins him (D6.1, D6.7)."""
    cells = read_board(s)
    for slot in range(2):
        hunter = s.hunters[seat, slot]
        if hunter >= 0 and holds_treasure(cells, s.at[hunter]) and partner_of(s, hunter) < 0:
            return True
    return False


@kernel
def slumber(s: Rec, seat: int) -> int:
    """Sleep where the last act took a treasure from an own hunter, or brings one home without one."""
    lost = False
    shared = False
    home = False
    for treasure in range(len(COINS)):
        before = s.undo_treasure_at[treasure]
        now = s.treasure_at[treasure]
        home |= now >= CELLS
        for slot in range(2):
            hunter = s.hunters[seat, slot]
            if hunter >= 0:
                lost |= before >= 0 and s.undo_at[hunter] == before and s.at[hunter] != now
                shared |= now >= 0 and s.at[hunter] == now and s.undo_at[hunter] == before
    return played_or(s, Task.SWEET_SLUMBER, OFFSET.let_be) if lost or (home and not shared) else OFFSET.let_be


@kernel
def counter(s: Rec, seat: int) -> int:
    """Counter fear of an own hunter, and the slumber that undoes an own act."""
    top = s.depth - 1
    task = s.frame_a[top]
    meant = (task == Task.FEAR_AND_TERROR and s.owner[s.frame_b[top]] == seat) or (
        task == Task.SWEET_SLUMBER and active_seat(s) == seat
    )
    return played_or(s, Task.COUNTERSPELL, OFFSET.let_be) if meant else OFFSET.let_be


@kernel
def betrayal(s: Rec, seat: int) -> int:
    """Answer every betrayal; begin only with a card for the answer, or against a hand that hardly holds one (D6.8)."""
    top = s.depth - 1
    if s.frame_a[top] >= 0:
        return played_or(s, Task.BETRAYAL, OFFSET.let_be)
    held = 0
    for place in range(s.hand_size[seat]):
        held += (TASKS_OF_CARD[s.hand[seat, place]] >> Task.BETRAYAL) & 1
    partner = s.owner[s.frame_b[top]]
    if held < 2 and s.hand_size[partner] > FEW_CARDS:
        return OFFSET.share
    if certain(s, seat, partner, Task.BETRAYAL) >= held:
        return OFFSET.share
    return played_or(s, Task.BETRAYAL, OFFSET.share)


@kernel
def sent_home(s: Rec, seat: int) -> int:
    """The carrier whose place is taken (D7.4): the richer player's, never an own one."""
    best = -1
    most = -2
    for hunter in range(6):
        if is_legal(s, OFFSET.send_home + hunter):
            worth = -1 if s.owner[hunter] == seat else money(s, s.owner[hunter])
            if worth > most:
                most = worth
                best = hunter
    return OFFSET.send_home + best


@kernel
def robbed(s: Rec, seat: int, words: Any) -> int:
    """The player who holds the most cards; by chance, if there are several."""
    best = NOTHING
    most = 0
    ties = 0
    for distance in range(1, s.num_players):
        cards = s.hand_size[(seat + distance) % s.num_players]
        if cards > most:
            most = cards
            ties = 0
        if cards == most and cards > 0:
            ties += 1
            if below(words, ties) == 0:
                best = OFFSET.rob + distance - 1
    return best


@kernel
def greedy(s: Rec, words: Any) -> int:
    """The action of ``greedy`` for the seat that decides."""
    top = s.depth - 1
    decision = s.frame_decision[top]
    seat = s.frame_seat[top]
    if decision == Decision.TURN:
        return turn(s, seat, words)
    if decision == Decision.EXIT:
        return leave_site(s, seat, s.frame_a[top], words)
    if decision == Decision.FLIGHT:
        return land(s, seat, s.frame_a[top], words)
    if decision == Decision.AMBUSH:
        return sent_home(s, seat)
    if decision == Decision.FEAR_TARGET:
        target = fear_target(s, seat)
        return OFFSET.send_home + target if target >= 0 else sent_home(s, seat)
    if decision == Decision.ROB_TARGET:
        return robbed(s, seat, words)
    if decision == Decision.SLUMBER:
        return slumber(s, seat)
    if decision == Decision.COUNTER:
        return counter(s, seat)
    if decision == Decision.BETRAYAL:
        return betrayal(s, seat)
    if decision == Decision.EXCHANGE or decision == Decision.ASLEEP:
        action = useless_card(s, seat, False)
        if action != NOTHING:
            return action
        return OFFSET.done if decision == Decision.EXCHANGE else OFFSET.stop
    # What is left belongs to tasks that it does not play itself.
    return bitset.pick(s.legal, words)
