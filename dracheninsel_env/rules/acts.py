"""D4.1, D4.6, D8.10: what every act shares: its beginning, what is kept for undoing it, and the list of spaces."""

from __future__ import annotations

from typing import Any

import numpy as np

from dracheninsel_env.components import DRAGONS
from dracheninsel_env.decisions import Stage
from dracheninsel_env.events import Event
from dracheninsel_env.rules.spaces import CELLS, NONE, ONE
from island_core.cards import DISCARD, TABLE, copies_in_hand, move_card
from island_core.events import EVERYBODY, event
from island_core.jit import kernel

Rec = Any


@kernel
def active_seat(s: Rec) -> int:
    """The player whose turn it is (D4.1); others may be asked meanwhile."""
    return s.frame_seat[0]


@kernel
def set_stage(s: Rec, stage: int) -> None:
    """Say where the turn stands once nothing lies above the bottom frame; in no boat is a guest (D6.8)."""
    s.frame_a[0] = stage
    s.frame_b[0] = -1


@kernel
def list_only(s: Rec, slot: int, space: int) -> None:
    """D4.6: the list of own hunter ``slot`` starts anew with the space where he stands."""
    if space >= CELLS:
        s.listed_cells[slot] = NONE
        s.listed_boats[slot] = 1 << (space - CELLS)
    else:
        s.listed_cells[slot] = ONE << np.uint64(space)
        s.listed_boats[slot] = 0


@kernel
def list_also(s: Rec, slot: int, space: int) -> None:
    """D4.6: own hunter ``slot`` came to a space."""
    if space >= CELLS:
        s.listed_boats[slot] |= 1 << (space - CELLS)
    else:
        s.listed_cells[slot] |= ONE << np.uint64(space)


@kernel
def restart_lists(s: Rec, seat: int) -> None:
    """D4.6: all lists of the active player start anew: at the start of his turn and with every card he plays in an
    act.
    """
    for slot in range(2):
        hunter = s.hunters[seat, slot]
        if hunter >= 0:
            list_only(s, slot, s.at[hunter])


@kernel
def own_slot(s: Rec, hunter: int) -> int:
    """Which own hunter of the active player this is: 0, 1, or -1 if he is another player's."""
    seat = active_seat(s)
    if s.hunters[seat, 0] == hunter:
        return 0
    if s.hunters[seat, 1] == hunter:
        return 1
    return -1


@kernel
def forget_privileges(s: Rec, seat: int) -> None:
    """A turn that begins: no movement, no freed terrain, nobody left alone, the lists anew (D4.6, D6.7, D8.5, D9.2)."""
    s.mover = -1
    s.freed = 0
    s.left_alone = 0
    restart_lists(s, seat)


@kernel
def begin_act(s: Rec) -> None:
    """Count the act and keep what an undoing restores (D8.10)."""
    s.acts += 1
    for hunter in range(6):
        s.undo_at[hunter] = s.at[hunter]
    for treasure in range(len(s.treasure_at)):
        s.undo_treasure_at[treasure] = s.treasure_at[treasure]
    for dragon in range(DRAGONS):
        s.undo_dragon_at[dragon] = s.dragon_at[dragon]
    s.undo_swap[0] = 0
    s.undo_swap[1] = 0
    for number in range(s.undo_stolen):
        s.undo_stolen_card[number] = 0
        s.undo_stolen_seat[number] = 0
    s.undo_stolen = 0
    for number in range(s.undo_discarded):
        s.undo_discarded_card[number] = 0
    s.undo_discarded = 0


@kernel
def swap_discs(s: Rec, first: int, second: int) -> None:
    """Exchange the discs of two cells."""
    terrain = s.terrain[first]
    s.terrain[first] = s.terrain[second]
    s.terrain[second] = terrain


@kernel
def undo_act(s: Rec) -> None:
    """D8.10: restore what was when the act began, then the stolen cards, then the hand an evil curse discarded.

    Cards played stay played. A stolen card returns only if the thief still holds one of its kind. The turn ends now;
    only after its first act is anything asked before that (D4.5), so its privileges are those of a turn that begins.
    """
    seat = active_seat(s)
    for hunter in range(6):
        s.at[hunter] = s.undo_at[hunter]
    for treasure in range(len(s.treasure_at)):
        s.treasure_at[treasure] = s.undo_treasure_at[treasure]
    for dragon in range(DRAGONS):
        s.dragon_at[dragon] = s.undo_dragon_at[dragon]
    forget_privileges(s, seat)
    if s.undo_swap[0] != s.undo_swap[1]:
        swap_discs(s, s.undo_swap[0], s.undo_swap[1])
    event(s, Event.UNDO, seat, -1, -1, EVERYBODY)
    for number in range(s.undo_stolen):
        card = s.undo_stolen_card[number]
        victim = s.undo_stolen_seat[number]
        if copies_in_hand(s, seat, card) > 0:
            move_card(s, card, seat, victim, (1 << seat) | (1 << victim), Event.GIVE_BACK, seat, victim)
    for number in range(s.undo_discarded):
        move_card(s, s.undo_discarded_card[number], DISCARD, seat, EVERYBODY, Event.TAKE_BACK, seat, -1)


@kernel
def play_task(s: Rec, seat: int, card: int, task: int) -> None:
    """Lay a task card out, used for ``task`` (D4.3)."""
    move_card(s, card, seat, TABLE, EVERYBODY, Event.TASK, seat, task)


@kernel
def pay_card(s: Rec, seat: int, card: int) -> None:
    """Lay a terrain card out; the lists of D4.6 start anew."""
    move_card(s, card, seat, TABLE, EVERYBODY, Event.PAY, seat, -1)
    restart_lists(s, seat)


@kernel
def act_over(s: Rec) -> None:
    """The act is complete; the window of D8.9 is next."""
    set_stage(s, Stage.ACT_OVER)
