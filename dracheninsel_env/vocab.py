"""The words of the game: terrains, hunters, tasks and the names of the cells (D1.2, D1.3, D2.4, D2.5).

Whatever is named by a person (the components file, actions, transcripts) is named with these words, and every number
that stands for one of them is its index here.
"""

from enum import IntEnum
from typing import Final

TERRAINS: Final = ("volcano", "desert", "forest", "mountain", "field", "water")
"""Terrain k is hunter k's own (D1.2)."""

TERRAIN_LETTERS: Final = "VDFMAW"
"""Terrain k as one letter in pictures of the board; field is A (Acker), as F is the forest."""

SITE_LETTER: Final = "*"
"""The treasure site in pictures of the board."""

HUNTERS: Final = ("red", "yellow", "green", "grey", "brown", "blue")
"""Hunter k, and the colour of his boat (D1.2)."""


class Task(IntEnum):
    """The eleven tasks (D2.4): eight tan ones, for the own turn only, then the three green ones."""

    DESTROYING_FORCES = 0
    RAGING_ELEMENTS = 1
    DRAGON_PATROL = 2
    EVIL_CURSE = 3
    DARING_FLIGHT = 4
    LONG_JOURNEY = 5
    FEAR_AND_TERROR = 6
    SNEAK_ATTACK = 7
    SWEET_SLUMBER = 8
    COUNTERSPELL = 9
    BETRAYAL = 10


TASKS: Final = tuple(task.name.lower().replace("_", "-") for task in Task)
"""The name of each task, in the order of `Task`."""

TAN_TASKS: Final = tuple(task for task in Task if task < Task.SWEET_SLUMBER)
GREEN_TASKS: Final = tuple(task for task in Task if task >= Task.SWEET_SLUMBER)

GERMAN: Final = {
    "destroying-forces": "Zerstörende Kräfte",
    "raging-elements": "Tosende Elemente",
    "dragon-patrol": "Drachenpatrouille",
    "evil-curse": "Böser Fluch",
    "daring-flight": "Tollkühner Flug",
    "long-journey": "Weite Reise",
    "fear-and-terror": "Angst & Schrecken",
    "sneak-attack": "Hinterhältiger Angriff",
    "sweet-slumber": "Süßer Schlummer",
    "counterspell": "Gegenzauber",
    "betrayal": "Untreue",
}
"""The printed German name of each task (D2.5), for the docs."""

ROWS: Final = "abcdefghi"
"""The rows of cells from north to south (D1.3)."""

ROW_LENGTHS: Final = (5, 6, 7, 8, 9, 8, 7, 6, 5)

CELL_NAMES: Final = tuple(
    f"{row}{number}" for row, length in zip(ROWS, ROW_LENGTHS, strict=True) for number in range(1, length + 1)
)
"""The 61 cells row by row, from the west: a1, a2, ..., i5; e5 is the treasure site (D1.3)."""
