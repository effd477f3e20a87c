"""What both policies ask of the legal actions and of the cards: payments, uses, discards."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dracheninsel_env import board, components
from dracheninsel_env.actions import OFFSET, PAYMENTS, USES, USES_OF_TASK
from dracheninsel_env.components import TERRAIN_CARD_SLOTS, read_only
from dracheninsel_env.rules.spaces import NONE, ONE
from dracheninsel_env.vocab import HUNTERS
from island_core.bitset import lowest
from island_core.jit import kernel

Rec = Any

CARD_TERRAINS = components.CARD_TERRAINS
NEIGHBOUR = board.NEIGHBOUR
PAYMENT_BITS = np.uint64((1 << PAYMENTS) - 1)
USE_BITS = np.uint64((1 << len(USES)) - 1)
NOTHING: Final = -1
"""No action."""


def _least_missed() -> NDArray[np.int64]:
    """Return for each own terrain the terrain cards from the one that is missed least: jokers last, dual cards late."""
    order = []
    for own in range(len(HUNTERS)):

        def missed(card: int, own: int = own) -> int:
            shown = int(CARD_TERRAINS[card])
            return 2 * (shown >> own & 1) + (shown & (shown - 1) > 0)

        order.append(sorted(range(TERRAIN_CARD_SLOTS), key=missed))
    return read_only(order)


LEAST_MISSED: Final = _least_missed()
"""int64[6, 12]: for each own terrain, the terrain cards from the one that is missed least."""


@kernel
def legal_among(s: Rec, start: int, bits: np.uint64) -> np.uint64:
    """Which of the actions from ``start`` on, as many as ``bits`` is wide, are legal: a bit set that begins there."""
    word = start >> 6
    shift = start & 63
    found = s.legal[word] >> np.uint64(shift)
    if shift > 0 and word + 1 < len(s.legal):
        found |= s.legal[word + 1] << np.uint64(64 - shift)
    return found & bits


@kernel
def is_legal(s: Rec, action: int) -> bool:
    """Whether an action is legal."""
    return bool((s.legal[action >> 6] >> np.uint64(action & 63)) & ONE)


@kernel
def cheapest(s: Rec, start: int, hunter: int) -> int:
    """The legal payment that is missed least, for the step or landing whose payments begin at ``start``; else
    `NOTHING`.
    """
    payments = legal_among(s, start, PAYMENT_BITS)
    if payments == NONE:
        return NOTHING
    if payments & ONE:
        return start
    for k in range(TERRAIN_CARD_SLOTS):
        card = LEAST_MISSED[hunter, k]
        if (payments >> np.uint64(card + 1)) & ONE:
            return start + card + 1
    return NOTHING


@kernel
def use_of(s: Rec, task: int) -> int:
    """The legal action that plays a task, with a one-sided card if there is one; else `NOTHING`."""
    uses = legal_among(s, OFFSET.play, USE_BITS) & USES_OF_TASK[task]
    return NOTHING if uses == NONE else OFFSET.play + lowest(uses)


@kernel
def played_or(s: Rec, task: int, otherwise: int) -> int:
    """The action that plays a task, or another one if no card for it is at hand (``polls="all"`` asks everybody)."""
    action = use_of(s, task)
    return action if action != NOTHING else otherwise


@kernel
def own_terrains(s: Rec, seat: int) -> int:
    """The bit set of terrains that are free to the hunters of a seat (D5.1)."""
    terrains = 1 << s.hunters[seat, 0]
    if s.hunters[seat, 1] >= 0:
        terrains |= 1 << s.hunters[seat, 1]
    return terrains
