"""``planner``: the strongest of the game's own players.

He weighs what every place is worth to him: the points his treasures, curses and destiny are likely to bring once the
expedition stops there (``prospects``, with the probabilities of ``reach``), less a part of what others gain
(``rivals``). He bids for the journey that is worth most after the price of the cheapest payment (``worths``), as long
as that beats where the expedition would go without him (``auction``).
"""

from __future__ import annotations

from typing import Any

from isla_dorada_env.actions import OFFSET
from isla_dorada_env.decisions import Decision
from isla_dorada_env.policies.auction import plan_amount, plan_bid, plan_oveto
from isla_dorada_env.policies.drawing import (
    plan_buy,
    plan_discard,
    plan_draw,
    plan_monster,
    plan_rejected_destiny,
    plan_rejected_treasure,
)
from isla_dorada_env.policies.paying import plan_bongo, plan_onward, plan_payment, plan_sangaia
from isla_dorada_env.policies.rivals import strongest
from island_core.jit import kernel

Rec = Any


@kernel
def planner(s: Rec, words: Any) -> int:
    """The action of ``planner`` for the seat that decides."""
    top = s.depth - 1
    seat = s.frame_seat[top]
    decision = s.frame_decision[top]
    if decision == Decision.BID:
        return plan_bid(s, seat)
    if decision == Decision.AMOUNT or decision == Decision.SHARE:
        return plan_amount(s, seat)
    if decision == Decision.DRAW:
        return plan_draw(s, seat)
    if decision == Decision.BUY:
        return plan_buy(s, seat)
    if decision == Decision.PAY:
        return plan_payment(s, seat)
    if decision == Decision.OVETO:
        return plan_oveto(s, seat)
    if decision == Decision.SANGAIA:
        return plan_sangaia(s, seat)
    if decision == Decision.ONWARD:
        return plan_onward(s, seat)
    if decision == Decision.BONGO:
        return plan_bongo(s, seat)
    if decision == Decision.STARRED or decision == Decision.TELEGRAM or decision == Decision.ANTIK:
        return plan_rejected_treasure(s, seat)
    if decision == Decision.DESTINY:
        return plan_rejected_destiny(s, seat)
    if decision == Decision.VICTIM:
        return strongest(s, seat, OFFSET.rob, 1)
    if decision == Decision.FIRST_PLAYER or decision == Decision.SECOND_PLAYER:
        return strongest(s, seat, OFFSET.choose, 0)
    if decision == Decision.MONSTER:
        return plan_monster(s, seat)
    return plan_discard(s, seat)
