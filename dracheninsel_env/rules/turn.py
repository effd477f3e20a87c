"""D4: the turn: what the active player may do, exchanging, the end of a turn."""

from __future__ import annotations

from typing import Any

from dracheninsel_env import board, components
from dracheninsel_env.actions import OFFSET, PAYMENTS, USE_CARD, USES_OF_TASK
from dracheninsel_env.decisions import Decision, Stage
from dracheninsel_env.events import Event
from dracheninsel_env.rules.acts import (
    active_seat,
    begin_act,
    forget_privileges,
    pay_card,
    play_task,
    restart_lists,
    set_stage,
)
from dracheninsel_env.rules.ending import finish
from dracheninsel_env.rules.hands import uses_in_hand
from dracheninsel_env.rules.spaces import read_board
from dracheninsel_env.rules.steps import legal_landings, legal_steps
from dracheninsel_env.rules.tasks import begin_task, legal_tasks
from dracheninsel_env.rules.treasure import go
from dracheninsel_env.state import TRUNCATED
from dracheninsel_env.vocab import Task
from island_core.bitset import count, set_bit, set_bits
from island_core.cards import DECK, DISCARD, clear_table, kinds_in_hand, move_card, shuffle_discard
from island_core.decisions import pop, push, retop
from island_core.events import EVERYBODY, event
from island_core.jit import kernel

Rec = Any

NEIGHBOUR = board.NEIGHBOUR
HAND_SIZE = components.HAND_SIZE


@kernel
def begin_turn(s: Rec, seat: int) -> None:
    """D4.1: a new turn; privileges of the last one are gone, the lists hold where the own hunters stand (D4.6)."""
    s.depth = 0
    push(s, Decision.TURN, seat, Stage.IDLE, -1)
    s.acts = 0
    forget_privileges(s, seat)
    event(s, Event.TURN, seat, -1, -1, EVERYBODY)


@kernel
def draw_card(s: Rec, seat: int) -> None:
    """D4.4: draw one card; an empty deck is made anew from the discard pile."""
    if s.deck_size == 0:
        shuffle_discard(s)
        event(s, Event.SHUFFLE, -1, -1, -1, EVERYBODY)
    move_card(s, s.deck[s.deck_size - 1], DECK, seat, 1 << seat, Event.DRAW, seat, -1)


@kernel
def end_turn(s: Rec) -> None:
    """D4.3, D4.7: cards lying out are discarded, the active player draws, the next one's turn begins."""
    seat = active_seat(s)
    clear_table(s)
    while s.hand_size[seat] < HAND_SIZE:
        draw_card(s, seat)
    s.turns += 1
    if s.turns >= s.max_turns:
        finish(s, TRUNCATED)
    else:
        begin_turn(s, (seat + 1) % s.num_players)


@kernel
def legal_turn(s: Rec, words: Any) -> bool:
    """D4.1, D4.2, D4.5: acts, stopping, exchanging. False if the player is not asked: the turn ends."""
    seat = active_seat(s)
    cells = read_board(s)
    kinds = kinds_in_hand(s, seat)
    for slot in range(2):
        hunter = s.hunters[seat, slot]
        if hunter >= 0 and (s.mover < 0 or s.mover == hunter):
            legal_steps(s, words, seat, slot, hunter, cells, kinds)
    legal_tasks(s, words, seat, cells, kinds)
    if count(words) == 0 and (s.acts > 0 or s.hand_size[seat] == 0):
        return False  # D4.2
    if s.acts == 0:
        set_bits(words, OFFSET.discard, kinds)  # D4.5
    set_bit(words, OFFSET.stop)
    return True


@kernel
def take_step(s: Rec, action: int) -> None:
    """D5: pay for a step and go. The bottom frame is the only one."""
    seat = active_seat(s)
    payment = (action - OFFSET.step) % PAYMENTS
    rest = (action - OFFSET.step) // PAYMENTS
    hunter = s.hunters[seat, rest // 6]
    target = NEIGHBOUR[s.at[hunter], rest % 6]
    if payment > 0:
        pay_card(s, seat, payment - 1)
    go(s, hunter, target, Event.STEP)


@kernel
def apply_turn(s: Rec, action: int) -> None:
    """D4.1, D4.5: begin an act, stop, or begin an exchange."""
    if action < OFFSET.play:
        begin_act(s)
        take_step(s, action)
    elif action < OFFSET.discard:
        begin_task(s, action)
    else:
        set_stage(s, Stage.ENDED)
        if action != OFFSET.stop:
            push(s, Decision.EXCHANGE, active_seat(s), -1, -1)
            apply_exchange(s, action)


# D6.3 the forced exit


@kernel
def legal_exit(s: Rec, words: Any) -> None:
    """D6.3: the pair leaves on foot or by flight."""
    seat = active_seat(s)
    hunter = s.frame_a[s.depth - 1]
    cells = read_board(s)
    kinds = kinds_in_hand(s, seat)
    slot = 0 if s.hunters[seat, 0] == hunter else 1
    legal_steps(s, words, seat, slot, hunter, cells, kinds)
    # A pair never lands on the site (D6.5), so no flight card need be left for another exit.
    if legal_landings(s, words, hunter, cells, kinds, 0, False):
        set_bits(words, OFFSET.play, uses_in_hand(s, seat) & USES_OF_TASK[Task.DARING_FLIGHT])


@kernel
def apply_exit(s: Rec, action: int) -> None:
    """D6.3: still the same act as the arrival."""
    seat = active_seat(s)
    if action < OFFSET.play:
        pop(s)
        take_step(s, action)
    else:
        hunter = s.frame_a[s.depth - 1]
        play_task(s, seat, USE_CARD[action - OFFSET.play], Task.DARING_FLIGHT)
        restart_lists(s, seat)
        retop(s, Decision.FLIGHT, seat, hunter, -1)


# D4.5 exchange


@kernel
def legal_exchange(s: Rec, words: Any, finish_action: int) -> None:
    """D4.5: discard another card, or be content (``done``; ``stop`` before the first one after a slumber)."""
    set_bits(words, OFFSET.discard, kinds_in_hand(s, active_seat(s)))
    set_bit(words, finish_action)


@kernel
def apply_exchange(s: Rec, action: int) -> None:
    """D4.5: discard a card; ``done``, ``stop`` or the last card end the turn. The turn's stage is already ``ENDED``."""
    seat = active_seat(s)
    if action == OFFSET.done or action == OFFSET.stop:
        pop(s)
        return
    move_card(s, action - OFFSET.discard, seat, DISCARD, EVERYBODY, Event.DISCARD, seat, -1)
    if s.hand_size[seat] == 0:
        pop(s)
    else:
        retop(s, Decision.EXCHANGE, seat, -1, -1)
