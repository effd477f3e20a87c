"""Registering a game's environments by name with Gymnasium and PettingZoo. Imports no game and compiles nothing."""

from __future__ import annotations

import gymnasium
import pettingzoo

NAMESPACE = "island_envs"
"""Of the names in PettingZoo's registry."""


def register(module: str, name: str) -> None:
    """Make a version module known: ``register("some_env.some_v0", "Some-v0")``.

    - Gymnasium: ``gymnasium.make("Some-v0", ...)`` is the module's ``SingleSeatEnv``, ``make_vec("Some-v0", ...)`` its
      ``VectorEnv``.
    - PettingZoo from 1.27 on, which has a registry: ``pettingzoo.make("aec", "island_envs/some_v0", ...)`` and
      ``make("parallel", ...)`` are the module's ``env`` and ``parallel_env``. Before, there is nothing to register
      with, and the module's functions are the only way.

    Neither looks for packages by itself: the package has to be imported, or named, as in ``"some_env:Some-v0"``. What
    is registered already stays.
    """
    if name not in gymnasium.registry:
        gymnasium.register(name, entry_point=f"{module}:SingleSeatEnv", vector_entry_point=f"{module}:VectorEnv")
    if not hasattr(pettingzoo, "register"):
        return
    path = f"{NAMESPACE}/{module.rpartition('.')[2]}"
    for kind, registry, maker in (
        ("aec", pettingzoo.aec_registry, "env"),
        ("parallel", pettingzoo.parallel_registry, "parallel_env"),
    ):
        # The registry spells a version with a hyphen.
        if path.replace("_v", "-v") not in registry:
            pettingzoo.register(kind, path, entry_point=f"{module}:{maker}")
