"""Die Dracheninsel as a reinforcement-learning environment: ``from dracheninsel_env import dracheninsel_v0``.

Importing the package alone is light: it makes the environments known to Gymnasium, as ``Dracheninsel-v0``, and to
PettingZoo. The version modules load the rules.
"""

from island_core import __version__
from island_core.registration import register

register("dracheninsel_env.dracheninsel_v0", "Dracheninsel-v0")

__all__ = ["__version__", "dracheninsel_v0"]


def __getattr__(name: str) -> object:
    """Load the version modules on first use."""
    if name == "dracheninsel_v0":
        import importlib

        return importlib.import_module("dracheninsel_env.dracheninsel_v0")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
