"""The options of a game of Die Dracheninsel, and their fields in the record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dracheninsel_env.state import STATE
from island_core.layout import States
from island_core.options import GameOptions, check_bool, check_choice, check_range

MOST_TURNS = 32767
"""The largest ``max_turns``."""


@dataclass(frozen=True, kw_only=True)
class DracheninselOptions(GameOptions):
    """What is fixed for a game.

    Attributes
    ----------
    num_players:
        3 to 6.
    polls:
        ``"holders"`` asks only players who hold a usable card, ``"all"`` every player in question (D8.11).
    layout:
        ``"standard"``, or ``"random"``: a fair layout is drawn for each game (D1.4).
    slumber_on_arrival:
        whether a slumber window opens after a lone arrival on the site too (D8.9).
    max_turns:
        turns after which the game is truncated, 1 to 32,767 (D4.7).
    """

    layout: str = "standard"
    slumber_on_arrival: bool = False
    max_turns: int = 300

    def __post_init__(self) -> None:
        """Check every value; raises ``OptionError``."""
        super().__post_init__()
        check_choice("layout", self.layout, ("standard", "random"))
        check_bool("slumber_on_arrival", self.slumber_on_arrival)
        check_range("max_turns", self.max_turns, 1, MOST_TURNS)


def configure(states: States, i: int, options: Any) -> None:
    """Write the options of a game into its record."""
    record = states[i]
    record["num_players"] = options.num_players
    record["polls_all"] = options.polls == "all"
    record["random_layout"] = options.layout == "random"
    record["slumber_on_arrival"] = options.slumber_on_arrival
    record["max_turns"] = options.max_turns


def read_options(states: States, i: int) -> DracheninselOptions:
    """The options in a record."""
    record = states[i]
    return DracheninselOptions(
        num_players=int(record["num_players"]),
        polls="all" if record["polls_all"] else "holders",
        layout="random" if record["random_layout"] else "standard",
        slumber_on_arrival=bool(record["slumber_on_arrival"]),
        max_turns=int(record["max_turns"]),
    )


def new_record(options: DracheninselOptions) -> States:
    """One record with these options, ready for ``reset``."""
    states = STATE.alloc(1)
    configure(states, 0, options)
    return states
