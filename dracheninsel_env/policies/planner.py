"""``planner``: the player who plans his turn with the cards in hand.

First draft.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dracheninsel_env import board
from dracheninsel_env.actions import OFFSET, PAYMENTS
from dracheninsel_env.components import COINS, TERRAIN_CARD_SLOTS
from dracheninsel_env.decisions import Decision
from dracheninsel_env.estimate import STEPS
from dracheninsel_env.policies import greedy as simple
from dracheninsel_env.policies.chances import chance_at_most, coins_as_guest, held
from dracheninsel_env.policies.choices import (
    LEAST_MISSED,
    NOTHING,
    is_legal,
    legal_among,
    own_terrains,
    played_or,
    use_of,
)
from dracheninsel_env.policies.greedy import land, leave_site, move_on, waits
from dracheninsel_env.policies.keeping import (
    SPARED,
    least_worth,
    spare_task,
    worth_in_hand,
    worth_of_green,
)
from dracheninsel_env.policies.plans import (
    ALONE,
    DARING,
    Aims,
    Plan,
    aims_of_lone,
    aims_of_pair,
    best_aim,
    cost_of,
    into_boat,
    joined,
    net,
    new_aims,
)
from dracheninsel_env.policies.reach import SETS, Cards, cards_if, cards_of, fill_from, first_action
from dracheninsel_env.policies.routes import CARD_TERRAINS, LANDING_BITS
from dracheninsel_env.policies.swaps import best_disc, best_dragon, useful_swap
from dracheninsel_env.rules.acts import active_seat
from dracheninsel_env.rules.ending import money
from dracheninsel_env.rules.spaces import (
    CELLS,
    FIRST_BOAT,
    SITE,
    Board,
    bit,
    empty_terrain,
    holds_treasure,
    other_hunter_on,
    partner_of,
    read_board,
    treasure_on,
)
from dracheninsel_env.vocab import Task
from island_core.bitset import lowest
from island_core.jit import kernel

Rec = Any
JUMP_TARGET = board.JUMP_TARGET
CURSED = 20.0
LOST = 1.0
HOME = 1.0
GUEST = 0.0
PAIRED = 0.3
SLEEP = 0.0
NEXTHOME = 1.0
DUEL = 1.2
RICHER = 0.05
JOURNEYS = 1.0
JOURNEY = 10.0
APPROACH = 0.0
FEAR = 5.0
FEARPAIR = 1.0
FEARSTEP = 0.1
FEARSITE = 0.0
FEARLONE = 0.0
FEARWALK = 5.0
SMART_DISCS = 1.0
SMART_DRAGONS = 1.0
NEARSITE = 0.0
PAIRSTEP = 1.0
ROBBEDME = 0.0
SNEAKED = 1.0
SWAP_FIRST = 1.0
DRAGON_FIRST = 0.0
FEAR_FIRST = 0.0


class Journey(NamedTuple):
    """A long journey: the worth of the plan it allows, the card and the terrain; -1 if there is none."""

    worth: Any
    card: Any
    terrain: Any


simple_greedy = simple.greedy


@kernel
def plan_if(s: Rec, seat: int, slot: int, cells: Board, cards: Cards, aims: Aims, boats: Any) -> Plan:
    """The best plan of an own hunter with some cards; its worth is what is gained beyond waiting with a treasure."""
    hunter = s.hunters[seat, slot]
    place = s.at[hunter]
    partner = partner_of(s, hunter)
    kept = 0.0
    if partner < 0 and holds_treasure(cells, place):
        if place == SITE:
            return Plan(-1.0e9, -1, 0)
        kept = ALONE * COINS[treasure_on(s, place)]
    if partner >= 0:
        number = aims_of_pair(s, seat, hunter, partner, cells, cards, aims)
    else:
        number = aims_of_lone(s, seat, hunter, cells, cards, aims, boats)
    plan = best_aim(aims, number, hunter, place, cards.every, empty_terrain(cells), cards)
    return Plan(plan.worth - kept, plan.aim, plan.some)


@kernel
def journey(s: Rec, seat: int, only: int, kind: Any, pays: Any, aims: Aims, boats: Any) -> Journey:
    """The best long journey (D8.5): the worth of the plan that it allows, the card and the terrain.

    If ``only`` is not -1, that card has been played and the terrain is all that is asked.
    """
    cells = read_board(s)
    best = -1.0e9
    best_card = -1
    best_terrain = -1
    for slot in range(2):
        hunter = s.hunters[seat, slot]
        if hunter < 0 or (s.mover >= 0 and s.mover != hunter):
            continue
        joker = s.num_players > 3 or s.mover >= 0
        for place in range(s.hand_size[seat] if only < 0 else 1):
            card = s.hand[seat, place] if only < 0 else only
            shown = CARD_TERRAINS[card]
            if joker and (shown >> hunter) & 1:
                shown = 63
            for terrain in range(6):
                if not (shown >> terrain) & 1 or terrain == hunter or (s.freed >> terrain) & 1:
                    continue
                cards = cards_if(s, seat, hunter, s.freed | (1 << terrain), card if only < 0 else -1, 0, 0, kind, pays)
                plan = plan_if(s, seat, slot, cells, cards, aims, boats)
                if plan.aim >= 0 and plan.worth > best:
                    best = plan.worth
                    best_card = card
                    best_terrain = terrain
    return Journey(best, best_card, best_terrain)


@kernel
def planned(s: Rec, seat: int, may_play: bool) -> int:
    """The next action of the best plan of the own hunters; `NOTHING` if no aim can be reached in this turn.

    With ``may_play`` a long journey is played if it makes a better plan.
    """
    cells = read_board(s)
    open_cells = empty_terrain(cells)
    aims = new_aims()
    kind = np.empty(6, np.int64)
    pays = np.empty(6, np.uint64)
    boats = np.empty((2, SETS), np.uint64)
    best = 0.0
    found = NOTHING
    for slot in range(2):
        hunter = s.hunters[seat, slot]
        if hunter < 0 or (s.mover >= 0 and s.mover != hunter):
            continue
        place = s.at[hunter]
        partner = partner_of(s, hunter)
        cards = cards_of(s, seat, hunter, kind, pays)
        plan = plan_if(s, seat, slot, cells, cards, aims, boats)
        if plan.aim < 0 or plan.worth <= best:
            continue
        action = NOTHING
        if partner >= 0 and plan.some == 0:
            action = into_boat(s, slot, hunter, hunter if plan.aim == 0 else partner)
        if action == NOTHING:
            goal = aims.goals[plan.aim]
            action = first_action(s, slot, place, goal, aims.tables[plan.aim], plan.some, open_cells | goal, cards)
        if action != NOTHING:
            best = plan.worth
            found = action
    if may_play and JOURNEYS > 0:
        play = use_of(s, Task.LONG_JOURNEY)
        if play != NOTHING and journey(s, seat, -1, kind, pays, aims, boats).worth > best + JOURNEY:
            return play
    return found


@kernel
def journey_choice(s: Rec, seat: int) -> int:
    """The card or the terrain of a long journey (D8.5); without a plan the terrain card of least worth."""
    aims = new_aims()
    kind = np.empty(6, np.int64)
    pays = np.empty(6, np.uint64)
    boats = np.empty((2, SETS), np.uint64)
    top = s.depth - 1
    if s.frame_decision[top] == Decision.JOURNEY_TERRAIN:
        best = journey(s, seat, s.frame_a[top], kind, pays, aims, boats)
        if best.terrain >= 0 and is_legal(s, OFFSET.announce + best.terrain):
            return OFFSET.announce + best.terrain
        return OFFSET.announce + lowest(legal_among(s, OFFSET.announce, np.uint64(63)))
    best = journey(s, seat, -1, kind, pays, aims, boats)
    if best.card >= 0 and is_legal(s, OFFSET.with_card + best.card):
        return OFFSET.with_card + best.card
    own = s.hunters[seat, 0]
    for k in range(TERRAIN_CARD_SLOTS):
        if is_legal(s, OFFSET.with_card + LEAST_MISSED[own, k]):
            return OFFSET.with_card + LEAST_MISSED[own, k]
    return NOTHING


@kernel
def most_feared(s: Rec, seat: int) -> int:
    """The rival whom fear costs most (D8.6): a carrier, who waits with a treasure, or who is near one; -1 if none."""
    best = FEAR
    found = -1
    for hunter in range(6):
        place = s.at[hunter]
        if place < 0 or place >= CELLS or s.owner[hunter] == seat:
            continue
        treasure = treasure_on(s, place)
        partner = other_hunter_on(s, place, hunter)
        worth = 0.0
        if treasure >= 0:
            if partner >= 0:
                if s.owner[partner] == seat:
                    continue
                steps = min(STEPS[place, FIRST_BOAT + hunter], STEPS[place, FIRST_BOAT + partner])
                worth = COINS[treasure] * (FEARPAIR - FEARSTEP * steps)
            else:
                worth = COINS[treasure] * (FEARSITE if place == SITE else FEARLONE)
        else:
            worth = FEARWALK * (6 - STEPS[place, SITE])
        worth += RICHER * money(s, s.owner[hunter])
        if worth > best:
            best = worth
            found = hunter
    return found


@kernel
def worth_of_hand(s: Rec, seat: int) -> float:
    """What the cards in hand are worth but for an evil curse."""
    own = own_terrains(s, seat)
    worth = 0.0
    for place in range(s.hand_size[seat]):
        worth += worth_in_hand(s.hand[seat, place], own, True)
    return worth


@kernel
def turn(s: Rec, seat: int) -> int:
    """Steal a card, follow the plan, get nearer to an aim; then see to others, and to the hand."""
    action = use_of(s, Task.SNEAK_ATTACK)
    if action == NOTHING and SWAP_FIRST > 0:
        action = useful_swap(s, seat)
    if action == NOTHING and DRAGON_FIRST > 0:
        action = use_of(s, Task.DRAGON_PATROL)
        if action != NOTHING and worth_of_green(action) > SPARED:
            action = NOTHING
    if action == NOTHING:
        action = planned(s, seat, True)
    waiting = waits(s, seat)
    if action == NOTHING and s.acts == 0 and not waiting and worth_of_hand(s, seat) < APPROACH:
        action = use_of(s, Task.EVIL_CURSE)
        if action == NOTHING:
            action = least_worth(s, seat, True)
    if action == NOTHING and FEAR_FIRST > 0 and most_feared(s, seat) >= 0:
        action = use_of(s, Task.FEAR_AND_TERROR)
    if action == NOTHING:
        action = move_on(s, seat)
    if action == NOTHING and most_feared(s, seat) >= 0:
        action = use_of(s, Task.FEAR_AND_TERROR)
    if action == NOTHING and worth_of_hand(s, seat) < CURSED:
        action = use_of(s, Task.EVIL_CURSE)
    if action == NOTHING and s.acts == 0:
        action = least_worth(s, seat, not waiting)
    if action == NOTHING:
        action = spare_task(s)
    return action if action != NOTHING else OFFSET.stop


@kernel
def slumber(s: Rec, seat: int) -> int:
    """Sleep where the last act took a treasure from an own hunter, or brings one home from which little is to be had."""
    worth = 0.0
    for treasure in range(len(COINS)):
        before = s.undo_treasure_at[treasure]
        now = s.treasure_at[treasure]
        was = False
        stays = False
        for slot in range(2):
            hunter = s.hunters[seat, slot]
            if hunter >= 0 and before >= 0 and s.undo_at[hunter] == before:
                was = True
                stays |= s.at[hunter] == now
        if was and not stays:
            worth += LOST * COINS[treasure]
        if now >= CELLS and not stays:
            home = HOME * COINS[treasure] * 2.0 / (s.num_players - 1)
            following = (active_seat(s) + 1) % s.num_players
            for hunter in range(6):
                if s.undo_at[hunter] == before and s.owner[hunter] == following:
                    home *= NEXTHOME
            worth += home
        if now >= CELLS and stays:
            owner = s.owner[now - FIRST_BOAT]
            if owner != seat:
                worth -= COINS[treasure] * (net(s, coins_as_guest(s, seat, owner, DARING)) - GUEST)
        if before == SITE and now != SITE and not was:
            worth += PAIRED * COINS[treasure]
        if before >= 0 and before != SITE and now >= 0 and now < CELLS and now != before and not was:
            worth += PAIRSTEP * COINS[treasure]
    active = active_seat(s)
    for slot in range(2):
        hunter = s.hunters[active, slot]
        if hunter >= 0 and s.at[hunter] != s.undo_at[hunter] and s.at[hunter] < CELLS:
            if STEPS[s.at[hunter], SITE] == 1 and treasure_on(s, s.at[hunter]) < 0:
                worth += NEARSITE
    for k in range(s.undo_stolen):
        if s.undo_stolen_seat[k] == seat:
            worth += ROBBEDME
    return played_or(s, Task.SWEET_SLUMBER, OFFSET.let_be) if worth > SLEEP else OFFSET.let_be


@kernel
def counter(s: Rec, seat: int) -> int:
    """Counter fear of an own hunter who is with a treasure, and the slumber that undoes an own act that matters."""
    top = s.depth - 1
    task = s.frame_a[top]
    meant = False
    if task == Task.FEAR_AND_TERROR:
        hunter = s.frame_b[top]
        meant = s.owner[hunter] == seat and (treasure_on(s, s.at[hunter]) >= 0)
    elif task == Task.SNEAK_ATTACK:
        meant = SNEAKED > 0 and s.frame_b[top] == seat
    elif task == Task.SWEET_SLUMBER:
        if active_seat(s) == seat:
            meant = True
        for treasure in range(len(COINS)):
            now = s.treasure_at[treasure]
            before = s.undo_treasure_at[treasure]
            for slot in range(2):
                hunter = s.hunters[seat, slot]
                if hunter >= 0 and now >= 0 and s.at[hunter] == now:
                    if active_seat(s) == seat:
                        meant |= now >= CELLS or s.undo_at[hunter] != before
                    else:
                        meant |= now >= CELLS and (s.owner[now - FIRST_BOAT] == seat or True)
    return played_or(s, Task.COUNTERSPELL, OFFSET.let_be) if meant else OFFSET.let_be


@kernel
def betrayal(s: Rec, seat: int) -> int:
    """Answer every betrayal; begin if the duel brings more than sharing (D6.8)."""
    top = s.depth - 1
    if s.frame_a[top] >= 0:
        return played_or(s, Task.BETRAYAL, OFFSET.let_be)
    own = held(s, seat, Task.BETRAYAL)
    partner = s.owner[s.frame_b[top]]
    if own > 0 and 2.0 * chance_at_most(s, seat, partner, Task.BETRAYAL, own - 1) > DUEL:
        return use_of(s, Task.BETRAYAL)
    return OFFSET.share


@kernel
def ambush(s: Rec, seat: int, hunter: int) -> int:
    """Send that carrier home who leaves the better partner (D7.4), never an own hunter."""
    cells = read_board(s)
    open_cells = empty_terrain(cells)
    place = s.at[hunter]
    treasure = treasure_on(s, place)
    kind = np.empty(6, np.int64)
    pays = np.empty(6, np.uint64)
    boats = np.empty((2, SETS), np.uint64)
    cards = cards_of(s, seat, hunter, kind, pays)
    fill_from(LANDING_BITS[hunter] & (open_cells | bit(place)), open_cells, cards, boats[0])
    best = -1.0e9
    found = NOTHING
    for gone in range(6):
        if not is_legal(s, OFFSET.send_home + gone):
            continue
        partner = other_hunter_on(s, place, hunter)
        if partner == gone:
            for other in range(gone + 1, 6):
                if other != hunter and s.at[other] == place:
                    partner = other
        fill_from(LANDING_BITS[partner] & (open_cells | bit(place)), open_cells, cards, boats[1])
        worth = joined(s, seat, hunter, partner, place, treasure, boats[0], boats[1], cards.every)
        worth += RICHER * money(s, s.owner[gone])
        if s.owner[gone] == seat:
            worth -= 1.0e6
        if worth > best:
            best = worth
            found = OFFSET.send_home + gone
    return found


@kernel
def land_planned(s: Rec, seat: int, hunter: int) -> int:
    """The landing of a flight from which the best aim is reached; else that nearest to one."""
    cells = read_board(s)
    open_cells = empty_terrain(cells)
    aims = new_aims()
    kind = np.empty(6, np.int64)
    pays = np.empty(6, np.uint64)
    boats = np.empty((2, SETS), np.uint64)
    cards = cards_of(s, seat, hunter, kind, pays)
    partner = partner_of(s, hunter)
    if partner >= 0:
        number = aims_of_pair(s, seat, hunter, partner, cells, cards, aims)
    else:
        number = aims_of_lone(s, seat, hunter, cells, cards, aims, boats)
    place = s.at[hunter]
    best = -1.0e8
    found = NOTHING
    for landing in range(12):
        start = OFFSET.fly + landing * PAYMENTS
        target = JUMP_TARGET[place, landing]
        if target < 0 or target >= CELLS:
            continue
        if is_legal(s, start):
            plan = best_aim(aims, number, hunter, target, cards.every, open_cells, cards)
            if plan.worth > best:
                best = plan.worth
                found = start
        for k in range(cards.number):
            if not (cards.flights >> k) & 1 and is_legal(s, start + 1 + cards.kind[k]):
                plan = best_aim(aims, number, hunter, target, cards.every ^ (1 << k), open_cells, cards)
                worth = plan.worth - cost_of(cards, hunter, 1 << k)
                if worth > best:
                    best = worth
                    found = start + 1 + cards.kind[k]
    return found if found != NOTHING else land(s, seat, hunter)


@kernel
def planner(s: Rec, words: Any) -> int:
    """The action of ``planner`` for the seat that decides."""
    top = s.depth - 1
    decision = s.frame_decision[top]
    seat = s.frame_seat[top]
    if decision == Decision.TURN:
        return turn(s, seat)
    if decision == Decision.EXIT:
        action = planned(s, seat, False)
        return action if action != NOTHING else leave_site(s, seat, s.frame_a[top])
    if decision == Decision.FLIGHT:
        return land_planned(s, seat, s.frame_a[top])
    if decision == Decision.AMBUSH:
        return ambush(s, seat, s.frame_a[top])
    if decision == Decision.JOURNEY_CARD or decision == Decision.JOURNEY_TERRAIN:
        return journey_choice(s, seat)
    if decision == Decision.FEAR_TARGET:
        target = most_feared(s, seat)
        return OFFSET.send_home + target if target >= 0 else simple_greedy(s, words)
    if decision == Decision.FIRST_DISC or decision == Decision.SECOND_DISC:
        return best_disc(s, seat, words) if SMART_DISCS > 0 else simple_greedy(s, words)
    if decision == Decision.DRAGON or decision == Decision.DRAGON_SPACE:
        return best_dragon(s, seat, words) if SMART_DRAGONS > 0 else simple_greedy(s, words)
    if decision == Decision.SLUMBER:
        return slumber(s, seat)
    if decision == Decision.COUNTER:
        return counter(s, seat)
    if decision == Decision.BETRAYAL:
        return betrayal(s, seat)
    if decision == Decision.EXCHANGE or decision == Decision.ASLEEP:
        action = least_worth(s, seat, not waits(s, seat))
        if action != NOTHING:
            return action
        return OFFSET.done if decision == Decision.EXCHANGE else OFFSET.stop
    return simple_greedy(s, words)
