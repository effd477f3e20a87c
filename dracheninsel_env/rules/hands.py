"""D2.4: which tasks a hand can play, and with which card."""

from __future__ import annotations

from typing import Any

import numpy as np

from dracheninsel_env.actions import OFFSET, TASKS_OF_CARD, USES_OF_CARD, USES_OF_TASK
from dracheninsel_env.rules.spaces import NONE
from island_core.bitset import set_bits
from island_core.jit import kernel

Rec = Any


@kernel
def holds(s: Rec, seat: int, task: int) -> bool:
    """Whether a hand holds a card with this task, one-sided or split."""
    for place in range(s.hand_size[seat]):
        if (TASKS_OF_CARD[s.hand[seat, place]] >> task) & 1:
            return True
    return False


@kernel
def uses_in_hand(s: Rec, seat: int) -> np.uint64:
    """The bit set of uses that the hand's task cards offer."""
    uses = NONE
    for place in range(s.hand_size[seat]):
        uses |= USES_OF_CARD[s.hand[seat, place]]
    return uses


@kernel
def legal_uses(s: Rec, words: Any, seat: int, task: int) -> None:
    """Add the uses of one task that the hand offers."""
    set_bits(words, OFFSET.play, uses_in_hand(s, seat) & USES_OF_TASK[task])
