"""Which hand cards the planner keeps, and what it plays or exchanges to see others (D4.3, D4.5)."""

from __future__ import annotations

from typing import Any, Final

from dracheninsel_env.actions import OFFSET, TASKS_OF_CARD, USE_TASK
from dracheninsel_env.policies.chances import held
from dracheninsel_env.policies.choices import NOTHING, USE_BITS, legal_among, own_terrains, use_of
from dracheninsel_env.policies.routes import CARD_TERRAINS
from dracheninsel_env.rules.spaces import NONE, ONE
from dracheninsel_env.vocab import Task
from island_core.bitset import lowest
from island_core.jit import kernel

Rec = Any

SPARE: Final = (
    1 << Task.DESTROYING_FORCES | 1 << Task.RAGING_ELEMENTS | 1 << Task.DRAGON_PATROL | 1 << Task.LONG_JOURNEY
)
"""The tasks that are played at the end of a turn in any case (a bit set): another card is drawn for each."""


@kernel
def is_kept(card: int, own: int) -> bool:
    """Whether a card is worth more than one not yet seen: a joker, with the own terrains ``own``, or a betrayal."""
    return CARD_TERRAINS[card] & own != 0 or (TASKS_OF_CARD[card] >> Task.BETRAYAL) & 1 != 0


@kernel
def exchanged(s: Rec, seat: int) -> int:
    """The action that discards a card; `NOTHING` if all are kept."""
    own = own_terrains(s, seat)
    worst = NOTHING
    for place in range(s.hand_size[seat]):
        card = s.hand[seat, place]
        if not is_kept(card, own):
            worst = max(worst, card)
    return OFFSET.discard + worst if worst >= 0 else NOTHING


@kernel
def cursed(s: Rec, seat: int) -> int:
    """An evil curse (D8.3), unless it costs a pair of betrayals; else `NOTHING`."""
    return use_of(s, Task.EVIL_CURSE) if held(s, seat, Task.BETRAYAL) < 2 else NOTHING


@kernel
def spares_do(s: Rec, seat: int) -> bool:
    """Whether each card that `exchanged` would discard has a spare task that costs no other card: played, it brings a
    new card as well, and a dragon stands in somebody's way. Not if a card that is kept would be played after it.
    """
    own = own_terrains(s, seat)
    for place in range(s.hand_size[seat]):
        card = s.hand[seat, place]
        spare = TASKS_OF_CARD[card] & SPARE
        if is_kept(card, own):
            if spare != 0:
                return False
        elif spare & ~(1 << Task.LONG_JOURNEY) == 0:
            return False
    return spare_task(s) != NOTHING


@kernel
def spare_task(s: Rec) -> int:
    """A task that is played only to draw another card at the end of the turn; else `NOTHING`."""
    uses = legal_among(s, OFFSET.play, USE_BITS)
    while uses != NONE:
        use = lowest(uses)
        uses &= uses - ONE
        if (SPARE >> USE_TASK[use]) & 1:
            return OFFSET.play + use
    return NOTHING
