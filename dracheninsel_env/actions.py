"""The action table of the game; names are in section 2 of the decisions protocol.

Ids are relative: movement by direction and landing offset, other players by their distance clockwise, own hunters as
first
and second. ``notation`` translates them to absolute names.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dracheninsel_env.board import CELLS, DIRECTION_NAMES, SPACE_NAMES
from dracheninsel_env.components import (
    CARD_NAMES,
    CARD_SLOTS,
    CARD_TASKS,
    FIRST_SPLIT_SLOT,
    FIRST_TASK_SLOT,
    TERRAIN_CARD_SLOTS,
)
from dracheninsel_env.vocab import HUNTERS, TASKS, TERRAINS
from island_core.actions import ActionTable, Arg, Block

PAYMENTS = 1 + TERRAIN_CARD_SLOTS
"""Payment 0 is free, payment 1 + k is the terrain card of slot k."""

SIZE = 500
"""The size of the action space for the whole major version."""


class Use(NamedTuple):
    """A task on a card: what a player can play a task card for."""

    task: int
    card: int


def _uses() -> tuple[Use | None, ...]:
    """One-sided cards by task, then for every split slot its first and its second half."""
    uses: list[Use | None] = [Use(task, FIRST_TASK_SLOT + task) for task in range(len(TASKS))]
    for card in range(FIRST_SPLIT_SLOT, CARD_SLOTS):
        name = CARD_NAMES[card]
        halves = name.split("/") if name else ()
        uses.extend(Use(TASKS.index(half), card) for half in halves)
        uses.extend([None] * (2 - len(halves)))
    return tuple(uses)


USES = _uses()

USE_TASK: NDArray[np.int64] = np.array([u.task if u else -1 for u in USES], np.int64)
"""The task of each use, -1 for unused slots."""
USE_CARD: NDArray[np.int64] = np.array([u.card if u else -1 for u in USES], np.int64)
"""The card of each use, -1 for unused slots."""

GREEN_VERBS = {8: "sleep", 9: "counter", 10: "betray"}


def use_name(use: int) -> str:
    """The name of a use: ``play daring-flight (sweet-slumber/daring-flight)``, ``sleep``."""
    task, card = int(USE_TASK[use]), int(USE_CARD[use])
    if task < 0:
        return f"unused {use}"
    verb = GREEN_VERBS.get(task, f"play {TASKS[task]}")
    return f"{verb} ({CARD_NAMES[card]})" if card >= FIRST_SPLIT_SLOT else verb


def _uses_of_task() -> NDArray[np.uint64]:
    """For each task the bit set of its uses."""
    table = np.zeros(len(TASKS), np.uint64)
    for number, use in enumerate(USES):
        if use:
            table[use.task] |= np.uint64(1) << np.uint64(number)
    return table


USES_OF_TASK = _uses_of_task()


def _uses_of_card() -> NDArray[np.uint64]:
    """For each card kind the bit set of its uses."""
    table = np.zeros(CARD_SLOTS, np.uint64)
    for number, use in enumerate(USES):
        if use:
            table[use.card] |= np.uint64(1) << np.uint64(number)
    return table


USES_OF_CARD = _uses_of_card()

TASKS_OF_CARD: NDArray[np.int64] = CARD_TASKS
"""For each card kind the bit set of tasks on it."""

_HUNTER = Arg("own hunter", ("first", "second"))
_DIRECTION = Arg("direction", tuple(DIRECTION_NAMES))
_PAYMENT = Arg("payment", ("free",) + tuple(CARD_NAMES[k] or f"unused {k}" for k in range(TERRAIN_CARD_SLOTS)))
_LANDING = Arg("landing", tuple(f"offset {k}" for k in range(12)))
_SPACE = Arg("space", tuple(SPACE_NAMES[:CELLS]))
_CARD = Arg("card", tuple(CARD_NAMES[k] or f"unused {k}" for k in range(CARD_SLOTS)))
_TERRAIN_CARD = Arg("terrain card", _PAYMENT.values[1:])
_USE = Arg("use", tuple(use_name(k) for k in range(len(USES))))
_PLAYER = Arg("player", ("next", "second", "third", "fourth", "fifth"))

ACTIONS = ActionTable(
    (
        Block("step", (_HUNTER, _DIRECTION, _PAYMENT), "step [hunter] <space> <payment>", "walk one space", "D5.1"),
        Block("play", (_USE,), "play <task> [(<card>)]", "play a task: `play`, `sleep`, `counter`, `betray`", "D2.4"),
        Block("discard", (_CARD,), "discard <card>", "put a hand card on the discard pile", "D4.5", passive=True),
        Block("stop", (), "stop", "end the turn", "D4.1", passive=True),
        Block("done", (), "done", "end an exchange", "D4.5", passive=True),
        Block("let be", (), "let be", "play nothing in a window", "D8.8"),
        Block("share", (), "share", "share the treasure", "D6.8"),
        Block("fly", (_LANDING, _PAYMENT), "fly <space> <payment>", "land a flight", "D8.4"),
        Block("choose", (_SPACE,), "choose <space>", "name a disc, a dragon or a dragon's new place", "D8.1"),
        Block("with card", (_TERRAIN_CARD,), "with <card>", "the card played with a long journey", "D8.5"),
        Block("announce", (Arg("terrain", TERRAINS),), "announce <terrain>", "the terrain that becomes free", "D8.5"),
        Block("send home", (Arg("hunter", HUNTERS),), "send home <hunter>", "a carrier or a target of fear", "D7.4"),
        Block("rob", (_PLAYER,), "rob <player>", "the target of a sneak attack", "D8.7"),
        Block("flyer", (_HUNTER,), "choose <hunter>", "which own hunter flies", "D9.2"),
    ),
    SIZE,
)
OFFSET = ACTIONS.offset
