"""The options of a game of Die Dracheninsel."""

from __future__ import annotations

from dataclasses import dataclass

from island_core.options import GameOptions, check_bool, check_choice, check_range


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
        check_range("max_turns", self.max_turns, 1, 32767)
