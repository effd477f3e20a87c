"""Ways to play on for tests of any game."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from island_core import bitset, rng
from island_core.actions import ActionTable
from island_core.layout import States
from island_core.position import Position
from island_core.search import Search
from island_core.spec import GameSpec

Choose = Callable[[Position, np.random.Generator], int]


@functools.cache
def passive(actions: ActionTable) -> Any:
    """Which ids of an action table are passive."""
    return np.array([actions.is_passive(action) for action in range(actions.size)])


def acting(position: Position, generator: np.random.Generator) -> int:
    """Any legal action that is not passive, if there is one: so games end by themselves."""
    legal = np.flatnonzero(position.mask())
    active = legal[~passive(position.game.spec.actions)[legal]]
    return int(generator.choice(active if len(active) else legal))


def play(position: Position, generator: np.random.Generator, choose: Choose = acting, steps: int = 10**9) -> Position:
    """Play on to the end, or so many steps; gives the position back."""
    while not position.is_over and steps > 0:
        position.step(choose(position, generator))
        steps -= 1
    return position


def active_play(spec: GameSpec, options: Any, seed: int, often: int = 0) -> Iterator[States]:
    """The record at each decision and the end of a game whose players act at random whenever they can; with ``often``,
    all but one time in so many.
    """
    states = spec.layout.alloc(1)
    spec.configure(states, 0, options)
    words = np.zeros(4, np.uint64)
    rng.seed_words(words, seed, 1, 0)
    spec.rules.reset(states, 0, seed, 0, 0)
    yield states
    while states["outcome"][0] == 0:
        acts = states["legal"][0] & ~spec.actions.passive
        acting = (not often or rng.below(words, often)) and acts.any()
        spec.rules.step(states, 0, bitset.pick(acts if acting else states["legal"][0], words))
        yield states


def seen(position: Position, seat: int, section: str) -> list[int]:
    """Where a section of a seat's observation is not zero."""
    counts = position.observation(seat, "int8")[position.game.observation_layout[section]]
    return [int(n) for n in counts.nonzero()[0]]


def search_to_end(position: Position, seed: int) -> Position:
    """Seat 0 searches, others act at random, to the end of the game."""
    search = Search(position.game, seed=seed)
    generator = np.random.default_rng(seed)
    while not position.is_over:
        position.step(search.run(position).action if position.actor == 0 else position.sample(generator))
    return position
