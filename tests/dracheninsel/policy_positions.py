"""Positions by hand in which policies are asked, and turns that they play."""

from __future__ import annotations

from typing import Any

import pytest

from dracheninsel_env import dracheninsel_v0
from dracheninsel_env.components import COINS
from island_core.position import Position
from island_core.selfplay import OWN_POLICIES
from tests.common.advice import advised

BOTH = pytest.mark.parametrize("policy", OWN_POLICIES)


def position(data: dict[str, Any], players: int = 4, **options: Any) -> Position:
    """A position of a game with the first seating: of four, player_0 to player_3 are yellow, green, brown and blue."""
    return dracheninsel_v0.Game(num_players=players, **options).from_dict(data)


def played(pos: Position, policy: str) -> list[str]:
    """What a policy does until somebody else decides or the next turn begins."""
    seat, turns = pos.actor, int(pos.states["turns"][0])
    names = []
    while pos.actor == seat and pos.states["turns"][0] == turns:
        names.append(advised(pos, policy))
        pos.step(names[-1])
    return names


def hand(*cards: str) -> dict[str, list[str]]:
    """The hand of player_0, the others' are empty."""
    return {"player_0": list(cards)}


def only(places: dict[str, str]) -> dict[str, str]:
    """The treasures at these places, by value; all others are out of the game."""
    return {str(value): places.get(str(value), "removed") for value in COINS.tolist()}
