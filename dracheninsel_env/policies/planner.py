"""``planner``: the player who plans his turn with the cards in hand.

First draft.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dracheninsel_env.actions import OFFSET
from dracheninsel_env.components import COINS
from dracheninsel_env.decisions import Decision
from dracheninsel_env.policies import greedy as simple
from dracheninsel_env.policies.choices import NOTHING, use_of
from dracheninsel_env.policies.greedy import (
    fear_target,
    leave_site,
    move_on,
    useless_card,
    waits,
)
from dracheninsel_env.policies.plans import (
    ALONE,
    aims_of_lone,
    aims_of_pair,
    best_aim,
    into_boat,
    new_aims,
)
from dracheninsel_env.policies.reach import SETS, cards_of, first_action
from dracheninsel_env.rules.spaces import (
    SITE,
    empty_terrain,
    holds_treasure,
    partner_of,
    read_board,
    treasure_on,
)
from dracheninsel_env.vocab import Task
from island_core.jit import kernel

Rec = Any
simple_greedy = simple.greedy


@kernel
def planned(s: Rec, seat: int, must_move: bool) -> int:
    """The next action of the best plan of the own hunters; `NOTHING` if no aim can be reached in this turn."""
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
        kept = 0.0
        if partner < 0 and holds_treasure(cells, place):
            if place == SITE:
                continue
            kept = ALONE * COINS[treasure_on(s, place)]
        cards = cards_of(s, seat, hunter, kind, pays)
        if partner >= 0:
            number = aims_of_pair(s, seat, hunter, partner, cells, cards, aims)
        else:
            number = aims_of_lone(s, seat, hunter, cells, cards, aims, boats)
        plan = best_aim(aims, number, hunter, place, cards.every, open_cells, cards)
        if plan.aim < 0 or plan.worth - kept <= best:
            continue
        action = NOTHING
        if partner >= 0:
            action = into_boat(s, slot, hunter, hunter if plan.aim == 0 else partner) if plan.some == 0 else NOTHING
        if action == NOTHING:
            goal = aims.goals[plan.aim]
            action = first_action(s, slot, place, goal, aims.tables[plan.aim], plan.some, open_cells | goal, cards)
        if action != NOTHING:
            best = plan.worth - kept
            found = action
    return found


@kernel
def turn(s: Rec, seat: int) -> int:
    """Steal a card, follow the plan, or else do as ``greedy``."""
    action = use_of(s, Task.SNEAK_ATTACK)
    if action == NOTHING:
        action = planned(s, seat, False)
    if action == NOTHING:
        action = move_on(s, seat)
    if action == NOTHING and fear_target(s, seat) >= 0:
        action = use_of(s, Task.FEAR_AND_TERROR)
    if action == NOTHING and not waits(s, seat):
        action = use_of(s, Task.EVIL_CURSE)
    if action == NOTHING and s.acts == 0:
        action = useless_card(s, seat, not waits(s, seat))
    return action if action != NOTHING else OFFSET.stop


@kernel
def planner(s: Rec, words: Any) -> int:
    """The action of ``planner`` for the seat that decides."""
    top = s.depth - 1
    decision = s.frame_decision[top]
    seat = s.frame_seat[top]
    if decision == Decision.TURN:
        return turn(s, seat)
    if decision == Decision.EXIT:
        action = planned(s, seat, True)
        return action if action != NOTHING else leave_site(s, seat, s.frame_a[top])
    return simple_greedy(s, words)
