"""Isla Dorada, version 0: the environments and the rules object."""

from __future__ import annotations

from typing import Any

from isla_dorada_env.game import SPEC
from island_core import aec, batch, parallel, position, single_seat, vector


class Game(position.Game):
    """The rules object: ``Game(num_players=4, **options).new(seed)`` is a ``Position``.

    Options: ``num_players`` 3 to 6, ``polls``, ``cooperative_bidding``, ``max_rounds``.
    """

    spec = SPEC


class RawEnv(aec.RawEnv):
    """The bare AEC environment; see ``island_core.aec.RawEnv``."""

    game_class = Game


class Env(aec.Env):
    """The AEC environment with checks; see ``island_core.aec.Env``."""

    game_class = Game


class BatchEnv(batch.BatchEnv):
    """Many games at once, as arrays; see ``island_core.batch.BatchEnv``."""

    game_class = Game


class ParallelEnv(parallel.ParallelEnv):
    """The parallel environment; see ``island_core.parallel.ParallelEnv``."""

    game_class = Game


class SingleSeatEnv(single_seat.SingleSeatEnv):
    """The Gymnasium environment of one seat; see ``island_core.single_seat.SingleSeatEnv``."""

    game_class = Game


class VectorEnv(vector.VectorEnv):
    """The vector environment of Gymnasium: one seat in each of many games; see ``island_core.vector.VectorEnv``."""

    game_class = Game


def env(num_players: int = 4, **options: Any) -> Env:
    """The AEC environment with the checks users expect. The README lists the options; ``illegal`` is
    ``"terminate"``.
    """
    return Env(num_players=num_players, **options)


def raw_env(num_players: int = 4, **options: Any) -> RawEnv:
    """The bare, fast AEC environment. The README lists the options; ``illegal`` is ``"raise"``."""
    return RawEnv(num_players=num_players, **options)


def parallel_env(num_players: int = 4, **options: Any) -> ParallelEnv:
    """The parallel environment: every seat acts each step, all but one with the no-op. The README lists the options;
    ``illegal`` is ``"terminate"``.
    """
    return ParallelEnv(num_players=num_players, **options)


def batch_env(num_envs: int, num_players: int = 4, **options: Any) -> BatchEnv:
    """``num_envs`` games at once, as arrays. The README lists the options; ``illegal`` is ``"raise"``."""
    return BatchEnv(num_envs, num_players=num_players, **options)


__all__ = [
    "BatchEnv",
    "Env",
    "Game",
    "ParallelEnv",
    "RawEnv",
    "SingleSeatEnv",
    "VectorEnv",
    "batch_env",
    "env",
    "parallel_env",
    "raw_env",
]
