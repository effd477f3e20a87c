"""Isla Dorada as a reinforcement-learning environment: ``from isla_dorada_env import isla_dorada_v0``.

Importing the package alone is light: it makes the environments known to Gymnasium, as ``IslaDorada-v0``, and to
PettingZoo. The version modules load the rules.
"""

from island_core import __version__
from island_core.registration import register

register("isla_dorada_env.isla_dorada_v0", "IslaDorada-v0")

__all__ = ["__version__", "isla_dorada_v0"]


def __getattr__(name: str) -> object:
    """Load the version modules on first use."""
    if name == "isla_dorada_v0":
        import importlib

        return importlib.import_module("isla_dorada_env.isla_dorada_v0")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
