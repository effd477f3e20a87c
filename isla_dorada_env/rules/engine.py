"""Dispatch: setting up, stepping, what comes next. No rule lives here.

``step`` applies an action to the top decision, then runs on until a player must decide or the game is over, and
writes the legal actions of that decision into the record.
"""

from __future__ import annotations

from typing import Any

from isla_dorada_env.decisions import Decision, Stage
from isla_dorada_env.rules import (
    arrival,
    bidding,
    cooperative,
    destinies,
    drawing,
    lightning,
    movement,
    payment,
    scoring,
    setup,
    telegram,
)
from isla_dorada_env.rules.curses import note_curses
from isla_dorada_env.rules.hands import count_hands
from isla_dorada_env.rules.seats import begin_stage, leader
from isla_dorada_env.rules.treasures import note_kinds
from isla_dorada_env.state import RUNNING
from island_core import entries, jit
from island_core.bitset import clear_bits
from island_core.jit import kernel

Rec = Any


@kernel
def fill_legal(s: Rec, decision: int) -> None:
    """Write the legal actions of the top decision."""
    words = s.legal
    clear_bits(words)
    if decision == Decision.BID:
        if s.cooperative:
            cooperative.legal_cooperative_bid(s, words)
        else:
            bidding.legal_bid(s, words)
    elif decision == Decision.AMOUNT:
        bidding.legal_amount(s, words)
    elif decision == Decision.DRAW:
        drawing.legal_draw(s, words)
    elif decision == Decision.BUY:
        drawing.legal_buy(s, words)
    elif decision == Decision.PAY:
        payment.legal_pay(s, words)
    elif decision == Decision.SHARE:
        cooperative.legal_share(s, words)
    elif decision == Decision.STARRED:
        setup.legal_starred(s, words)
    elif decision == Decision.DESTINY:
        destinies.legal_destiny(s, words)
    elif decision == Decision.OVETO:
        bidding.legal_oveto(s, words)
    elif decision == Decision.SANGAIA:
        movement.legal_sangaia(s, words)
    elif decision == Decision.ONWARD:
        movement.legal_onward(s, words)
    elif decision == Decision.BONGO:
        arrival.legal_bongo(s, words)
    elif decision == Decision.TELEGRAM:
        telegram.legal_telegram(s, words)
    elif decision == Decision.VICTIM:
        lightning.legal_victim(s, words)
    elif decision == Decision.MONSTER:
        lightning.legal_monster(s, words)
    elif decision == Decision.ANTIK:
        lightning.legal_antik(s, words)
    elif decision == Decision.FIRST_PLAYER:
        lightning.legal_first_player(s, words)
    elif decision == Decision.SECOND_PLAYER:
        lightning.legal_second_player(s, words)
    else:
        drawing.legal_discard(s, words)


@kernel
def apply(s: Rec, action: int) -> None:
    """Apply a legal action to the top decision."""
    decision = s.frame_decision[s.depth - 1]
    if decision == Decision.BID:
        if s.cooperative:
            cooperative.apply_cooperative_bid(s, action)
        else:
            bidding.apply_bid(s, action)
    elif decision == Decision.AMOUNT:
        bidding.apply_amount(s, action)
    elif decision == Decision.DRAW:
        drawing.apply_draw(s, action)
    elif decision == Decision.BUY:
        drawing.apply_buy(s, action)
    elif decision == Decision.PAY:
        payment.apply_pay(s, action)
    elif decision == Decision.SHARE:
        cooperative.apply_share(s, action)
    elif decision == Decision.STARRED:
        setup.apply_starred(s, action)
    elif decision == Decision.DESTINY:
        destinies.apply_destiny(s, action)
    elif decision == Decision.OVETO:
        bidding.apply_oveto(s, action)
    elif decision == Decision.SANGAIA:
        movement.apply_sangaia(s, action)
    elif decision == Decision.ONWARD:
        movement.apply_onward(s, action)
    elif decision == Decision.BONGO:
        arrival.apply_bongo(s, action)
    elif decision == Decision.TELEGRAM:
        telegram.apply_telegram(s, action)
    elif decision == Decision.VICTIM:
        lightning.apply_victim(s, action)
    elif decision == Decision.MONSTER:
        lightning.apply_monster(s, action)
    elif decision == Decision.ANTIK:
        lightning.apply_antik(s, action)
    elif decision == Decision.FIRST_PLAYER:
        lightning.apply_first_player(s, action)
    elif decision == Decision.SECOND_PLAYER:
        lightning.apply_second_player(s, action)
    elif decision == Decision.PANDA:
        lightning.apply_panda(s, action)
    else:
        drawing.apply_hand_limit(s, action)


@kernel
def advance(s: Rec) -> None:
    """Do what asks nobody until somebody must decide or the game is over."""
    while s.outcome == RUNNING:
        if s.depth > 1:
            decision = s.frame_decision[s.depth - 1]
            if decision != Decision.PANDA or lightning.suffer_panda(s):
                fill_legal(s, decision)
                return
        else:
            next_step(s)
    clear_bits(s.legal)


@kernel
def next_step(s: Rec) -> None:
    """The next step of the round's stage, or the next stage; only the bottom frame is on the stack."""
    stage = s.frame_a[0]
    if stage == Stage.DRAWING:
        if not drawing.next_draw(s):
            begin_stage(s, Stage.HAND_LIMIT)
    elif stage == Stage.PAYMENT:
        if not payment.next_payment(s):
            movement.set_out(s)
    elif stage == Stage.MOVEMENT:
        if not movement.next_sangaia(s):
            arrival.arrive(s)
    elif stage == Stage.BONGO:
        if not arrival.next_bongo(s):
            telegram.begin_telegram(s)
    elif stage == Stage.HAND_LIMIT:
        if not drawing.next_over_limit(s) and not scoring.finish_round(s):
            bidding.begin_bidding(s, leader(s))
    elif stage == Stage.SETUP:
        if not setup.next_choice(s):
            setup.deal_adventure(s)
            bidding.begin_bidding(s, leader(s))
    elif not telegram.next_telegram(s):
        telegram.end_telegram(s)


@kernel
def derive(s: Rec) -> None:
    """Write what is derived, besides the legal actions."""
    count_hands(s)
    note_curses(s)
    for seat in range(6):
        note_kinds(s, seat)


# The public kernels: they take the array of games and the number of one.

PACKAGE = "isla_dorada_env"
reset = jit.bind(entries.reset, PACKAGE, "reset", set_up=setup.set_up, advance=advance)
step = jit.bind(entries.step, PACKAGE, "step", apply=apply, advance=advance)
refresh = jit.bind(entries.refresh, PACKAGE, "refresh", derive=derive, advance=advance)


@kernel
def standing(states: Any, i: int, scores: Any, keys: Any) -> None:
    """Points of each seat, and the numbers that order the seats, which are the same (I11.2); both ``int64[6]``."""
    s = states[i]
    for seat in range(6):
        scores[seat] = scoring.points(s, seat)
        keys[seat] = scores[seat]
