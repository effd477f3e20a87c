"""The options of a game of Isla Dorada, and their fields in the record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from isla_dorada_env.state import STATE
from island_core.layout import States
from island_core.options import GameOptions, check_bool, check_range

MOST_ROUNDS = 32767
"""The largest ``max_rounds``."""


@dataclass(frozen=True, kw_only=True)
class IslaDoradaOptions(GameOptions):
    """What is fixed for a game.

    Attributes
    ----------
    num_players:
        3 to 6.
    polls:
        ``"holders"`` asks only players who hold a usable card, ``"all"`` every player in question (I4.2).
    cooperative_bidding:
        whether several players may bid together (I12).
    max_rounds:
        rounds after which the game is truncated, 1 to 32,767 (I11.1).
    """

    cooperative_bidding: bool = False
    max_rounds: int = 40

    def __post_init__(self) -> None:
        """Check every value; raises ``OptionError``."""
        super().__post_init__()
        check_bool("cooperative_bidding", self.cooperative_bidding)
        check_range("max_rounds", self.max_rounds, 1, MOST_ROUNDS)


def configure(states: States, i: int, options: Any) -> None:
    """Write the options of a game into its record."""
    record = states[i]
    record["num_players"] = options.num_players
    record["polls_all"] = options.polls == "all"
    record["cooperative"] = options.cooperative_bidding
    record["max_rounds"] = options.max_rounds


def read_options(states: States, i: int) -> IslaDoradaOptions:
    """The options in a record."""
    record = states[i]
    return IslaDoradaOptions(
        num_players=int(record["num_players"]),
        polls="all" if record["polls_all"] else "holders",
        cooperative_bidding=bool(record["cooperative"]),
        max_rounds=int(record["max_rounds"]),
    )


def new_record(options: IslaDoradaOptions) -> States:
    """One record with these options, ready for ``reset``."""
    states = STATE.alloc(1)
    configure(states, 0, options)
    return states
