"""Which hand cards the planner keeps, and which it plays or exchanges to see others (D4.3, D4.5)."""

from __future__ import annotations

from typing import Any

from dracheninsel_env.actions import OFFSET, TASKS_OF_CARD, USE_CARD, USE_TASK, USES
from dracheninsel_env.policies.choices import NOTHING, is_legal, own_terrains
from dracheninsel_env.policies.routes import CARD_TERRAINS
from dracheninsel_env.vocab import Task
from island_core.jit import kernel

Rec = Any

WORTH_OF_TASK = (0.0, 0.5, 0.0, 2.0, 3.0, 1.0, 3.0, 2.5, 3.0, 2.5, 6.0)
"""What a card with each task is worth in hand, beside a terrain card that helps, which is worth `USEFUL`."""
USEFUL = 3.0
IDLE = 1.0
"""The worth of a terrain card that does not help the hunter on."""
JOKER = 3.5
AGAIN = 0.4
"""What is left of the worth of a task card with each other task card in hand that is worth more."""
SPARED = 7.0
"""A green half worth more is not played as tan."""
EXPECTED = 3.2
"""The worth of a card not yet drawn: what is worth less is exchanged."""


@kernel
def worth_in_hand(card: int, own: int, stuck: bool) -> float:
    """What a card is worth, ``own`` being the terrains free to the seat."""
    terrains = CARD_TERRAINS[card]
    if terrains != 0:
        if terrains & own != 0:
            return JOKER
        return IDLE if stuck else USEFUL
    worth = 0.0
    for task in range(len(WORTH_OF_TASK)):
        if (TASKS_OF_CARD[card] >> task) & 1:
            worth = max(worth, WORTH_OF_TASK[task])
    return worth


@kernel
def least_worth(s: Rec, seat: int, stuck: bool) -> int:
    """The action that discards the card of least worth, if it is worth less than a new one; else `NOTHING`."""
    own = own_terrains(s, seat)
    least = EXPECTED
    found = NOTHING
    for place in range(s.hand_size[seat]):
        card = s.hand[seat, place]
        worth = worth_in_hand(card, own, stuck)
        if CARD_TERRAINS[card] == 0 and worth < WORTH_OF_TASK[Task.BETRAYAL]:
            for other in range(s.hand_size[seat]):
                better = s.hand[seat, other]
                if other != place and CARD_TERRAINS[better] == 0:
                    other_worth = worth_in_hand(better, own, stuck)
                    if other_worth > worth or (other_worth == worth and better > card):
                        worth -= AGAIN
        if worth < least and is_legal(s, OFFSET.discard + card):
            least = worth
            found = OFFSET.discard + card
    return found


@kernel
def worth_of_green(action: int) -> float:
    """What the green half of the card of a use is worth, 0 if it has none."""
    card = USE_CARD[action - OFFSET.play]
    worth = 0.0
    for task in range(Task.SWEET_SLUMBER, len(WORTH_OF_TASK)):
        if (TASKS_OF_CARD[card] >> task) & 1:
            worth = WORTH_OF_TASK[task]
    return worth


@kernel
def spare_task(s: Rec) -> int:
    """A tan task that is played only so that another card is drawn at the end of the turn; else `NOTHING`."""
    for use in range(len(USES)):
        action = OFFSET.play + use
        if is_legal(s, action):
            task = USE_TASK[use]
            spare = task == Task.DRAGON_PATROL or task == Task.DESTROYING_FORCES or task == Task.RAGING_ELEMENTS
            spare |= task == Task.LONG_JOURNEY
            if spare and worth_of_green(action) < SPARED:
                return action
    return NOTHING
