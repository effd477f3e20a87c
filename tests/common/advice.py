"""What a policy chooses in a position, by name: for positions that are made up by hand."""

from __future__ import annotations

from island_core.position import Position
from island_core.selfplay import POLICIES
from tests.common.worlds import generator

SEEDS = range(8)


def advised(position: Position, policy: str, seed: int = 0) -> str:
    """The action of a policy whose generator begins with this seed."""
    name = position.action_name(
        int(position.game.spec.rules.advise(position.states, 0, POLICIES.index(policy), generator(seed)))
    )
    assert name is not None
    return name


def choices(position: Position, policy: str) -> set[str]:
    """The actions of a policy with generators of several seeds: one, unless it draws lots."""
    return {advised(position, policy, seed) for seed in SEEDS}
