"""Dispatch: setting up, stepping, what comes next. No rule lives here.

``step`` applies an action to the top decision, then runs on until a player must decide or the game is over, and
writes the legal actions of that decision into the record.
"""

from __future__ import annotations

from typing import Any

from dracheninsel_env.actions import OFFSET
from dracheninsel_env.decisions import Decision, Stage
from dracheninsel_env.rules import setup, tasks, treasure, turn, windows
from dracheninsel_env.rules.acts import set_stage
from dracheninsel_env.rules.ending import finish, money, placing
from dracheninsel_env.state import NATURAL, RUNNING
from dracheninsel_env.vocab import Task
from island_core import entries, jit
from island_core.bitset import clear_bits
from island_core.jit import kernel

Rec = Any


@kernel
def fill_legal(s: Rec, decision: int) -> None:
    """Write the legal actions of the top decision, which is none of ``turn``."""
    words = s.legal
    clear_bits(words)
    if decision == Decision.SLUMBER:
        windows.legal_slumber(s, words)
    elif decision == Decision.COUNTER:
        windows.legal_counter(s, words)
    elif decision == Decision.FLIGHT:
        tasks.legal_flight(s, words)
    elif decision == Decision.FIRST_DISC:
        tasks.legal_first_disc(s, words)
    elif decision == Decision.SECOND_DISC:
        tasks.legal_second_disc(s, words)
    elif decision == Decision.DRAGON_SPACE:
        tasks.legal_dragon_space(s, words)
    elif decision == Decision.DRAGON:
        tasks.legal_dragon(s, words)
    elif decision == Decision.JOURNEY_CARD:
        tasks.legal_journey_card(s, words)
    elif decision == Decision.JOURNEY_TERRAIN:
        tasks.legal_journey_terrain(s, words)
    elif decision == Decision.FEAR_TARGET:
        tasks.legal_fear_target(s, words)
    elif decision == Decision.ROB_TARGET:
        tasks.legal_rob_target(s, words)
    elif decision == Decision.EXIT:
        turn.legal_exit(s, words)
    elif decision == Decision.AMBUSH:
        treasure.legal_ambush(s, words)
    elif decision == Decision.FLYER:
        tasks.legal_flyer(s, words)
    elif decision == Decision.BETRAYAL:
        treasure.legal_betrayal(s, words)
    elif decision == Decision.ASLEEP:
        turn.legal_exchange(s, words, OFFSET.stop)
    else:
        turn.legal_exchange(s, words, OFFSET.done)


@kernel
def apply(s: Rec, action: int) -> None:
    """Apply a legal action to the top decision."""
    decision = s.frame_decision[s.depth - 1]
    if decision == Decision.TURN:
        turn.apply_turn(s, action)
    elif decision == Decision.SLUMBER:
        windows.apply_slumber(s, action)
    elif decision == Decision.COUNTER:
        apply_counter(s, action)
    elif decision == Decision.FLIGHT:
        tasks.apply_flight(s, action)
    elif decision == Decision.FIRST_DISC:
        tasks.apply_first_disc(s, action)
    elif decision == Decision.SECOND_DISC:
        tasks.apply_second_disc(s, action)
    elif decision == Decision.DRAGON_SPACE:
        tasks.apply_dragon_space(s, action)
    elif decision == Decision.DRAGON:
        tasks.apply_dragon(s, action)
    elif decision == Decision.JOURNEY_CARD:
        tasks.apply_journey_card(s, action)
    elif decision == Decision.JOURNEY_TERRAIN:
        tasks.apply_journey_terrain(s, action)
    elif decision == Decision.FEAR_TARGET:
        tasks.apply_fear_target(s, action)
    elif decision == Decision.ROB_TARGET:
        tasks.apply_rob_target(s, action)
    elif decision == Decision.EXIT:
        turn.apply_exit(s, action)
    elif decision == Decision.AMBUSH:
        treasure.apply_ambush(s, action)
    elif decision == Decision.FLYER:
        tasks.apply_flyer(s, action)
    elif decision == Decision.BETRAYAL:
        treasure.apply_betrayal(s, action)
    else:
        turn.apply_exchange(s, action)


@kernel
def apply_counter(s: Rec, action: int) -> None:
    """D8.8: an answer in the counter poll; if nobody counters, the card answered takes effect."""
    if action != OFFSET.let_be:
        windows.counter_played(s, action)
        return
    top = s.depth - 1
    task = s.frame_a[top]
    target = s.frame_b[top]
    if windows.counter_declined(s):
        return
    if task == Task.SWEET_SLUMBER:
        windows.fall_asleep(s)
    elif task == Task.FEAR_AND_TERROR:
        tasks.fear_and_terror(s, target)
    else:
        tasks.sneak_attack(s, target)


@kernel
def advance(s: Rec) -> None:
    """Do what asks nobody until somebody must decide or the game is over."""
    while s.outcome == RUNNING:
        decision = s.frame_decision[s.depth - 1]
        if decision != Decision.TURN:
            fill_legal(s, decision)
            return
        stage = s.frame_a[0]
        if stage == Stage.IDLE:
            clear_bits(s.legal)
            if turn.legal_turn(s, s.legal):
                return
            set_stage(s, Stage.ENDED)
        elif not treasure.treasures_left(s):
            finish(s, NATURAL)
        elif stage == Stage.ENDED:
            turn.end_turn(s)
        elif stage == Stage.SETTLE:
            treasure.settle(s)
        elif stage == Stage.ARRIVED and not s.slumber_on_arrival:
            set_stage(s, Stage.ENDED)
        else:
            windows.open_slumber(s)
    clear_bits(s.legal)


@kernel
def derive(s: Rec) -> None:
    """Nothing but the legal actions is derived."""


# The public kernels: they take the array of games and the number of one.

PACKAGE = "dracheninsel_env"
reset = jit.bind(entries.reset, PACKAGE, "reset", set_up=setup.set_up, advance=advance)
step = jit.bind(entries.step, PACKAGE, "step", apply=apply, advance=advance)
refresh = jit.bind(entries.refresh, PACKAGE, "refresh", derive=derive, advance=advance)


@kernel
def standing(states: Any, i: int, scores: Any, keys: Any) -> None:
    """Money of each seat, and the numbers that order the seats (D10.2); both ``int64[6]``."""
    s = states[i]
    for seat in range(6):
        scores[seat] = money(s, seat)
        keys[seat] = placing(s, seat)
