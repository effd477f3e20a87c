"""The planner's answers to others: slumber, counterspell and betrayal."""

from __future__ import annotations

from typing import Any

from dracheninsel_env.actions import OFFSET
from dracheninsel_env.components import COINS
from dracheninsel_env.policies.aims import delivered
from dracheninsel_env.policies.chances import certain, chance_at_most, held
from dracheninsel_env.policies.choices import played_or, use_of
from dracheninsel_env.rules.acts import active_seat
from dracheninsel_env.rules.spaces import CELLS, FIRST_BOAT, treasure_on
from dracheninsel_env.vocab import Task
from island_core.jit import kernel

Rec = Any

DUEL = 1.4
"""The coins to expect from a duel that are worth its risk; sharing brings one."""


@kernel
def slumber(s: Rec, seat: int) -> int:
    """Sleep if the last act took a treasure from an own hunter, moved one on without him, or brings one into a strange
    boat whose owner is likely to betray.
    """
    wanted = False
    for treasure in range(len(COINS)):
        before = s.undo_treasure_at[treasure]
        now = s.treasure_at[treasure]
        carried = False
        carries = False
        for slot in range(2):
            hunter = s.hunters[seat, slot]
            if hunter >= 0 and before >= 0 and s.undo_at[hunter] == before:
                carried = True
                carries |= s.at[hunter] == now
        if carried and not carries:
            wanted = True
        elif before >= 0 and now >= 0 and now != before:
            wanted |= not carries
            if now >= CELLS and carries and s.owner[now - FIRST_BOAT] != seat:
                wanted |= delivered(s, seat, now - FIRST_BOAT, False) < 0.0
    return played_or(s, Task.SWEET_SLUMBER, OFFSET.let_be) if wanted else OFFSET.let_be


@kernel
def is_carrier(s: Rec, hunter: int) -> bool:
    """Whether a hunter is with a treasure, also in a boat."""
    return hunter >= 0 and treasure_on(s, s.at[hunter]) >= 0


@kernel
def counter(s: Rec, seat: int) -> int:
    """Counter fear of an own hunter who is with a treasure, theft from the own hand, and slumber that undoes an own act
    or a delivery with an own hunter.
    """
    top = s.depth - 1
    task = s.frame_a[top]
    wanted = False
    if task == Task.FEAR_AND_TERROR:
        hunter = s.frame_b[top]
        wanted = s.owner[hunter] == seat and is_carrier(s, hunter)
    elif task == Task.SNEAK_ATTACK:
        wanted = s.frame_b[top] == seat
    elif active_seat(s) == seat:
        wanted = True
    else:
        for slot in range(2):
            hunter = s.hunters[seat, slot]
            wanted |= is_carrier(s, hunter) and s.at[hunter] >= CELLS
    return played_or(s, Task.COUNTERSPELL, OFFSET.let_be) if wanted else OFFSET.let_be


@kernel
def betrayal(s: Rec, seat: int) -> int:
    """Answer a betrayal unless the duel is known to be lost; begin if it is likely to bring both coins (D6.8)."""
    top = s.depth - 1
    own = held(s, seat, Task.BETRAYAL)
    claimer = s.frame_a[top]
    if claimer >= 0:
        # Who holds as many answers has the last word, and the card would be gone as well.
        if certain(s, seat, claimer, Task.BETRAYAL) >= own:
            return OFFSET.let_be
        return played_or(s, Task.BETRAYAL, OFFSET.let_be)
    partner = s.owner[s.frame_b[top]]
    if own > 0 and 2.0 * chance_at_most(s, seat, partner, Task.BETRAYAL, own - 1) > DUEL:
        return use_of(s, Task.BETRAYAL)
    return OFFSET.share
