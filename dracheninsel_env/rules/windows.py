"""D8.8-D8.11: the polls of the green tasks. A poll is one frame whose seat moves on."""

from __future__ import annotations

from typing import Any

from dracheninsel_env.actions import OFFSET, USE_CARD
from dracheninsel_env.decisions import Decision, Stage
from dracheninsel_env.rules.acts import act_over, active_seat, play_task, set_stage, undo_act
from dracheninsel_env.rules.hands import holds, legal_uses
from dracheninsel_env.vocab import Task
from island_core.bitset import set_bit
from island_core.decisions import pop, push
from island_core.jit import kernel

Rec = Any


@kernel
def next_polled(s: Rec, after: int, origin: int, task: int) -> int:
    """D8.11: the next seat clockwise after ``after`` that is to be asked, -1 when the poll is back at ``origin``."""
    seat = (after + 1) % s.num_players
    while seat != origin:
        if s.polls_all or holds(s, seat, task):
            return seat
        seat = (seat + 1) % s.num_players
    return -1


# D8.9 slumber


@kernel
def open_slumber(s: Rec) -> None:
    """D8.9: poll the others, clockwise from the active player's left."""
    active = active_seat(s)
    seat = next_polled(s, active, active, Task.SWEET_SLUMBER)
    if seat < 0:
        slumber_over(s)
    else:
        push(s, Decision.SLUMBER, seat, -1, -1)


@kernel
def slumber_over(s: Rec) -> None:
    """Nobody put the active player to sleep: on with what the act led to."""
    stage = s.frame_a[0]
    if stage == Stage.ARRIVED:
        set_stage(s, Stage.ENDED)
    elif stage == Stage.DELIVERY:
        s.frame_a[0] = Stage.SETTLE  # the guest stays
    else:
        set_stage(s, Stage.IDLE)


@kernel
def legal_slumber(s: Rec, words: Any) -> None:
    """D8.9: sleep with a card that carries it, or let be."""
    legal_uses(s, words, s.frame_seat[s.depth - 1], Task.SWEET_SLUMBER)
    set_bit(words, OFFSET.let_be)


@kernel
def slumber_goes_on(s: Rec) -> None:
    """Ask the next player, or close the window. The slumber frame is on top."""
    top = s.depth - 1
    seat = next_polled(s, s.frame_seat[top], active_seat(s), Task.SWEET_SLUMBER)
    if seat < 0:
        pop(s)
        slumber_over(s)
    else:
        s.frame_seat[top] = seat


@kernel
def apply_slumber(s: Rec, action: int) -> None:
    """D8.9: a slumber is played and may be countered, or the poll goes on."""
    if action == OFFSET.let_be:
        slumber_goes_on(s)
        return
    seat = s.frame_seat[s.depth - 1]
    play_task(s, seat, USE_CARD[action - OFFSET.play], Task.SWEET_SLUMBER)
    if not open_counter(s, seat, Task.SWEET_SLUMBER, -1):
        fall_asleep(s)


@kernel
def fall_asleep(s: Rec) -> None:
    """D8.9, D8.10: an effective slumber undoes the act and ends the turn; after an only act the player may exchange
    (D4.5).

    The slumber frame is on top.
    """
    active = active_seat(s)
    pop(s)
    undo_act(s)
    set_stage(s, Stage.ENDED)
    if s.acts == 1 and s.hand_size[active] > 0:
        push(s, Decision.ASLEEP, active, -1, -1)


# D8.8 counterspell


@kernel
def counter_origin(s: Rec) -> int:
    """The player whose card the counter poll on top answers."""
    top = s.depth - 1
    if s.frame_a[top] == Task.SWEET_SLUMBER:
        return s.frame_seat[top - 1]
    return active_seat(s)


@kernel
def open_counter(s: Rec, origin: int, task: int, target: int) -> bool:
    """D8.8: poll everybody but ``origin``, clockwise from his left. False if there is nobody to ask."""
    seat = next_polled(s, origin, origin, Task.COUNTERSPELL)
    if seat < 0:
        return False
    push(s, Decision.COUNTER, seat, task, target)
    return True


@kernel
def legal_counter(s: Rec, words: Any) -> None:
    """D8.8: counter with a card that carries it, or let be."""
    legal_uses(s, words, s.frame_seat[s.depth - 1], Task.COUNTERSPELL)
    set_bit(words, OFFSET.let_be)


@kernel
def counter_declined(s: Rec) -> bool:
    """Ask the next player. False, with the frame gone, if nobody is left: the card answered takes effect."""
    top = s.depth - 1
    seat = next_polled(s, s.frame_seat[top], counter_origin(s), Task.COUNTERSPELL)
    if seat < 0:
        pop(s)
        return False
    s.frame_seat[top] = seat
    return True


@kernel
def counter_played(s: Rec, action: int) -> None:
    """D8.8: the card answered has no effect; a countered slumber lets its poll go on (D8.9)."""
    top = s.depth - 1
    task = s.frame_a[top]
    play_task(s, s.frame_seat[top], USE_CARD[action - OFFSET.play], Task.COUNTERSPELL)
    pop(s)
    if task == Task.SWEET_SLUMBER:
        slumber_goes_on(s)
    else:
        act_over(s)
