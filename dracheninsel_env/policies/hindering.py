"""Harm to others: whom the planner frightens (D8.6), and where it sends dragons (D8.2)."""

from __future__ import annotations

from typing import Any

from dracheninsel_env.actions import OFFSET
from dracheninsel_env.components import COINS
from dracheninsel_env.decisions import Decision
from dracheninsel_env.estimate import STEPS
from dracheninsel_env.policies.choices import is_legal
from dracheninsel_env.policies.plans import RICHER
from dracheninsel_env.rules.ending import money
from dracheninsel_env.rules.spaces import CELLS, FIRST_BOAT, SITE, other_hunter_on, treasure_on
from dracheninsel_env.vocab import HUNTERS
from island_core.jit import kernel
from island_core.rng import below

Rec = Any

CARRIED = 0.1
"""What each step to the nearer boat takes off the harm of parting a pair, as a part of the coin."""
WALKED = 5.0
"""The harm of a step that a hunter without treasure has come nearer to the site."""
CARRIERS = 1.0
"""How much a dragon in the way of a carrier counts, next to him."""
WALKERS = 0.3
"""The same for a hunter on his way to the site."""


@kernel
def fear_worth(s: Rec, seat: int, hunter: int) -> float:
    """What it is worth to send a hunter home, 0 at most if it is not. An own partner stays, and who waits alone is left
    to be joined.
    """
    place = s.at[hunter]
    if place < 0 or place >= CELLS or s.owner[hunter] == seat:
        return 0.0
    richer = RICHER * money(s, s.owner[hunter])
    treasure = treasure_on(s, place)
    if treasure < 0:
        return WALKED * (STEPS[SITE, FIRST_BOAT + hunter] + 1 - STEPS[place, SITE]) + richer
    partner = other_hunter_on(s, place, hunter)
    if partner < 0 or s.owner[partner] == seat:
        return 0.0
    steps = min(STEPS[place, FIRST_BOAT + hunter], STEPS[place, FIRST_BOAT + partner])
    return COINS[treasure] * (1.0 - CARRIED * steps) + richer


@kernel
def feared(s: Rec, seat: int) -> int:
    """The hunter whom fear costs most, -1 if it is worth nothing."""
    best = 0.0
    found = -1
    for hunter in range(len(HUNTERS)):
        worth = fear_worth(s, seat, hunter)
        if worth > best:
            best = worth
            found = hunter
    return found


@kernel
def fear_target(s: Rec, seat: int) -> int:
    """The target once fear has been played: the one it costs most, else the first who is no own hunter, if there is
    one.
    """
    found = feared(s, seat)
    if found >= 0:
        return OFFSET.send_home + found
    for hunter in range(len(HUNTERS)):
        if is_legal(s, OFFSET.send_home + hunter) and (found < 0 or s.owner[found] == seat):
            found = hunter
    return OFFSET.send_home + found


@kernel
def dragon_worth(s: Rec, seat: int, cell: int) -> float:
    """How much a dragon on a cell is in the way of others, less how much it is in the own way: on a shortest way of a
    carrier to his boat or of another hunter to the site, the more the nearer.
    """
    worth = 0.0
    for hunter in range(len(HUNTERS)):
        place = s.at[hunter]
        if place < 0 or place == cell:
            continue
        aim = SITE
        weight = WALKERS
        if place < CELLS and treasure_on(s, place) >= 0:
            aim = FIRST_BOAT + hunter
            weight = CARRIERS
            partner = other_hunter_on(s, place, hunter)
            if s.owner[hunter] != seat and partner >= 0 and s.owner[partner] == seat:
                continue
        if STEPS[place, cell] + STEPS[cell, aim] == STEPS[place, aim]:
            near = weight / STEPS[place, cell]
            worth += -near * (s.num_players - 1) if s.owner[hunter] == seat else near
    return worth


@kernel
def dragon_choice(s: Rec, seat: int, words: Any) -> int:
    """The dragon that is least in the way of others (``dragon``), or the place where it is most (``dragon space``)."""
    sign = -1.0 if s.frame_decision[s.depth - 1] == Decision.DRAGON else 1.0
    best = -1.0e9
    found = -1
    ties = 1
    for cell in range(CELLS):
        if is_legal(s, OFFSET.choose + cell):
            worth = sign * dragon_worth(s, seat, cell)
            ties = ties + 1 if worth == best else 1
            if worth > best or (worth == best and below(words, ties) == 0):
                best = worth
                found = cell
    return OFFSET.choose + found
