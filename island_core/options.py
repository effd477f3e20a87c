"""Options: checked once, when an environment or a game is made."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from island_core.errors import OptionError


def check_choice(name: str, value: Any, allowed: Sequence[Any]) -> None:
    """Raise ``OptionError`` unless the value is one of those allowed."""
    if not any(value is choice or (type(value) is type(choice) and value == choice) for choice in allowed):
        raise OptionError(f"{name}={value!r}; allowed: {', '.join(map(repr, allowed))}")


def check_bool(name: str, value: Any) -> None:
    """Raise ``OptionError`` unless the value is a bool."""
    if not isinstance(value, bool):
        raise OptionError(f"{name}={value!r}; allowed: True, False")


def as_integer(value: Any) -> int | None:
    """The value as an ``int``; None for what is no integer: bools, floats, arrays of more than one number."""
    if isinstance(value, bool | np.bool_):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def check_range(name: str, value: Any, least: int, most: int) -> None:
    """Raise ``OptionError`` unless the value is an integer between two bounds, both included."""
    number = as_integer(value)
    if number is None or not least <= number <= most:
        raise OptionError(f"{name}={value!r}; allowed: integers from {least} to {most}")


def _is_real(value: Any) -> bool:
    number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool | np.bool_)
    try:
        return number and math.isfinite(value)
    except OverflowError:  # an integer beyond all floats
        return False


def check_share(name: str, value: Any, whole: bool = True) -> None:
    """Raise ``OptionError`` unless the value is a number from 0 to 1, or below 1."""
    if not _is_real(value) or not 0 <= value <= 1 or (not whole and value == 1):
        raise OptionError(f"{name}={value!r}; allowed: numbers from 0 to {'' if whole else 'below '}1")


def check_real(name: str, value: Any, positive: bool = False) -> None:
    """Raise ``OptionError`` unless the value is a finite number from 0 up, or above 0."""
    if not _is_real(value) or value < 0 or (positive and value == 0):
        raise OptionError(f"{name}={value!r}; allowed: finite numbers {'above' if positive else 'from'} 0")


def split_options(given: dict[str, Any], *groups: type) -> list[dict[str, Any]]:
    """Sort keyword options into option classes. Raises ``OptionError`` naming an unknown one and all that exist."""
    names = [[field.name for field in fields(group)] for group in groups]
    for name in given:
        if not any(name in group for group in names):
            known = sorted(name for group in names for name in group)
            raise OptionError(f"unknown option {name!r}; allowed: {', '.join(known)}")
    return [{name: given[name] for name in group if name in given} for group in names]


@dataclass(frozen=True, kw_only=True)
class GameOptions:
    """What every game has: the number of players and how polls are held."""

    num_players: int = 4
    polls: str = "holders"

    def __post_init__(self) -> None:
        """Check every value; raises ``OptionError``."""
        check_range("num_players", self.num_players, 3, 6)
        check_choice("polls", self.polls, ("holders", "all"))


MASK_PLACES = ("observation", "info", "both")
ILLEGAL = ("terminate", "raise", "random")
REWARDS = ("win", "score", "rank", "gain")
DTYPES = ("float32", "int8")
RENDER_MODES = (None, "ansi", "human")
LATER_RENDER_MODES = ("rgb_array",)


@dataclass(frozen=True, kw_only=True)
class CommonOptions:
    """What every view can be asked for; the README has the table."""

    illegal: str = "terminate"
    obs_dtype: str = "float32"
    history: int = 0
    reward: str = "win"

    def __post_init__(self) -> None:
        """Check every value; raises ``OptionError``."""
        check_choice("illegal", self.illegal, ILLEGAL)
        check_choice("obs_dtype", self.obs_dtype, DTYPES)
        check_range("history", self.history, 0, 64)
        check_choice("reward", self.reward, REWARDS)


@dataclass(frozen=True, kw_only=True)
class PlacedMaskOptions(CommonOptions):
    """Where the mask of legal actions stands."""

    mask_in: str = "observation"

    def __post_init__(self) -> None:
        """Check every value; raises ``OptionError``."""
        super().__post_init__()
        check_choice("mask_in", self.mask_in, MASK_PLACES)


@dataclass(frozen=True, kw_only=True)
class OpponentOptions(CommonOptions):
    """Which seat is the learner's and who plays the others; they are checked where the number of players is known."""

    opponents: Any = "random"
    seat: Any = 0


@dataclass(frozen=True, kw_only=True)
class ViewOptions(PlacedMaskOptions):
    """How an environment of a single game shows it."""

    render_mode: str | None = None

    def __post_init__(self) -> None:
        """Check every value; raises ``OptionError``."""
        super().__post_init__()
        if self.render_mode in LATER_RENDER_MODES:
            raise OptionError(f"render_mode={self.render_mode!r} does not exist yet; allowed: None, 'ansi', 'human'")
        check_choice("render_mode", self.render_mode, RENDER_MODES)
