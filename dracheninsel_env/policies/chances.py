"""What a delivery is worth: the chances that the other carrier holds betrayals, and the duel they lead to (D6.8).

A seat knows its own cards, what lies open, and the cards of other hands that it is certain of. Every other card of a
hand is a betrayal with the same chance: the betrayals not seen among all cards not seen.
"""

from __future__ import annotations

from typing import Any, Final

from dracheninsel_env.actions import TASKS_OF_CARD
from dracheninsel_env.components import CARD_SLOTS, COPIES, NUM_CARDS
from dracheninsel_env.vocab import Task
from island_core.jit import kernel

Rec = Any

CARDS_WITH: Final = tuple(
    sum(int(COPIES[card]) for card in range(CARD_SLOTS) if int(TASKS_OF_CARD[card]) >> task & 1) for task in Task
)
"""The number of cards that carry each task."""
DARING = 0.6
"""The chance that the owner of a boat begins a betrayal if he can."""


@kernel
def carries(card: int, task: int) -> int:
    """1 if a card carries a task, else 0."""
    return (TASKS_OF_CARD[card] >> task) & 1


@kernel
def held(s: Rec, seat: int, task: int) -> int:
    """How many cards of the own hand carry a task."""
    count = 0
    for place in range(s.hand_size[seat]):
        count += carries(s.hand[seat, place], task)
    return count


@kernel
def certain(s: Rec, seat: int, other: int, task: int) -> int:
    """How many cards with a task a seat is certain of in another hand; of any task if ``task`` is -1."""
    count = 0
    for place in range(s.hand_size[other]):
        if (s.knowers[other, place] >> seat) & 1:
            count += 1 if task < 0 else carries(s.hand[other, place], task)
    return count


@kernel
def chance_of(s: Rec, seat: int, task: int) -> float:
    """The chance that a card which a seat has not seen carries a task."""
    seen = int(s.hand_size[seat])
    with_task = held(s, seat, task)
    for card in range(CARD_SLOTS):
        open_ones = s.discard[card] + s.table[card]
        seen += open_ones
        with_task += open_ones * carries(card, task)
    for other in range(s.num_players):
        if other != seat:
            seen += certain(s, seat, other, -1)
            with_task += certain(s, seat, other, task)
    return (CARDS_WITH[task] - with_task) / max(NUM_CARDS - seen, 1)


@kernel
def chance_at_most(s: Rec, seat: int, other: int, task: int, most: int) -> float:
    """The chance that another hand holds at most so many cards with a task, ``most`` from 0 to 2 (binomial)."""
    known = certain(s, seat, other, task)
    if known > most:
        return 0.0
    unseen = s.hand_size[other] - certain(s, seat, other, -1)
    p = chance_of(s, seat, task)
    term = (1.0 - p) ** unseen
    total = term
    for k in range(1, most - known + 1):
        if k > unseen:
            break
        term = term * (unseen - k + 1) / k * p / (1.0 - p) if p < 1.0 else 0.0
        total += term
    return total


@kernel
def coins_as_owner(s: Rec, seat: int, partner: int) -> float:
    """The coins to expect from a delivery into the own boat: one for sharing, or two if the duel is won."""
    own = held(s, seat, Task.BETRAYAL)
    if own == 0:
        return 1.0
    return max(1.0, 2.0 * chance_at_most(s, seat, partner, Task.BETRAYAL, own - 1))


@kernel
def coins_as_guest(s: Rec, seat: int, owner: int) -> float:
    """The coins to expect from a delivery into the partner's boat, who betrays with chance `DARING` if he can."""
    own = held(s, seat, Task.BETRAYAL)
    none = chance_at_most(s, seat, owner, Task.BETRAYAL, 0)
    beaten = chance_at_most(s, seat, owner, Task.BETRAYAL, own)
    betrayed = DARING * 2.0 * (beaten - none)
    return none + (1.0 - DARING) * (1.0 - none) + betrayed
