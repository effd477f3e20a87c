"""I8.4: the telegrams."""

from __future__ import annotations

from typing import Any

import numpy as np

from isla_dorada_env.actions import OFFSET
from isla_dorada_env.components import TELEGRAM_MARKERS
from isla_dorada_env.decisions import Decision, Stage
from isla_dorada_env.events import Event
from isla_dorada_env.rules.arrival import markers_placed
from isla_dorada_env.rules.seats import begin_stage, from_leader
from isla_dorada_env.rules.treasures import draw_treasure, legal_drawn, put_under, reject_drawn
from isla_dorada_env.vocab import BASE
from island_core import rng
from island_core.decisions import pop, push
from island_core.events import EVERYBODY, event
from island_core.jit import kernel

Rec = Any

FIRST_TELEGRAM, SECOND_TELEGRAM = TELEGRAM_MARKERS


@kernel
def telegram_now(s: Rec) -> int:
    """1 or 2 if the marker just placed brings the first or second telegram, 0 if not."""
    if s.camp == BASE:
        return 0
    placed = markers_placed(s)
    if placed == FIRST_TELEGRAM:
        return 1
    return 2 if placed == SECOND_TELEGRAM else 0


@kernel
def begin_telegram(s: Rec) -> None:
    """The bongos are over: the telegram, if there is one, or the drawing."""
    which = telegram_now(s)
    if which == 0:
        begin_stage(s, Stage.DRAWING)
    else:
        event(s, Event.TELEGRAM, -1, -1, FIRST_TELEGRAM if which == 1 else SECOND_TELEGRAM, EVERYBODY)
        begin_stage(s, Stage.TELEGRAM)


@kernel
def next_telegram(s: Rec) -> bool:
    """The next seat draws, and is asked if he must reject; false if all have their cards."""
    allowed = telegram_now(s)
    while s.frame_b[0] < s.num_players:
        seat = from_leader(s, s.frame_b[0])
        s.frame_b[0] += 1
        drawn = min(allowed + 1, s.treasure_deck_size)
        for _ in range(drawn):
            draw_treasure(s, seat, drawn <= allowed)
        if drawn > allowed:
            push(s, Decision.TELEGRAM, seat, drawn, -1)
            return True
    return False


@kernel
def legal_telegram(s: Rec, words: Any) -> None:
    """Any of the cards just drawn."""
    legal_drawn(s, words)


@kernel
def apply_telegram(s: Rec, action: int) -> None:
    """The rejected card is laid aside."""
    seat = s.frame_seat[s.depth - 1]
    pop(s)
    treasure = action - OFFSET.reject_treasure
    reject_drawn(s, seat, treasure)
    s.telegram_rejected[seat] = treasure


@kernel
def end_telegram(s: Rec) -> None:
    """The rejects of all are shuffled and put under the treasure deck."""
    lot = telegram_now(s)
    order = np.empty(6, np.int64)
    number = 0
    for seat in range(s.num_players):
        if s.telegram_rejected[seat] >= 0:
            order[number] = seat
            number += 1
    rng.shuffle(s.rng, order, number)
    for k in range(number):
        seat = order[k]
        put_under(s, s.telegram_rejected[seat], 1 << seat, lot)
        s.telegram_rejected[seat] = -1
    begin_stage(s, Stage.DRAWING)
