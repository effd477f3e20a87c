"""What the plain texts of the games share: paragraphs, tables, lines with markup, the decision, the last events."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from island_core.actions import ActionTable
from island_core.events import RING
from island_core.layout import States

WIDTH = 100
"""Columns of running text."""
EVENTS_SHOWN = 12
"""How many lines of events are shown; equal events in a row take one."""
_BLANK = "\N{NO-BREAK SPACE}"


def styled(text: str, style: str, colour: bool) -> str:
    """A piece of text, with rich's markup if there is to be colour."""
    return f"[{style}]{text}[/]" if colour and text and style else text


class Line:
    """One line of text, written from left to right; markup takes no columns."""

    def __init__(self) -> None:
        """Begin at the left edge."""
        self.text = ""
        self.column = 0

    def write(self, column: int, plain: str, marked: str) -> None:
        """Write a piece at a column, or where the last one ended if that is further right."""
        gap = max(column - self.column, 0)
        self.text += " " * gap + marked
        self.column += gap + len(plain)


def wrapped(start: str, items: Sequence[str], separator: str = ", ", indent: int | None = None) -> str:
    """A paragraph with a hanging indent, by default of at most 4; it breaks between items only, if one fits a line."""
    whole = separator.join(item.replace(" ", _BLANK) if len(item) < WIDTH // 2 else item for item in items)
    lines = textwrap.wrap(whole, WIDTH - len(start), break_long_words=False, break_on_hyphens=False) or [""]
    hanging = "\n" + " " * (min(len(start), 4) if indent is None else indent)
    return (start + hanging.join(lines)).replace(_BLANK, " ")


def table(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """Rows in columns, two blanks between them; the columns in ``right`` end flush, the others begin so."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            text.rjust(width) if column in right else text.ljust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def counted(kinds: Iterable[int], names: Sequence[str | None]) -> list[str]:
    """Cards by name in the order of kinds, equal ones counted; the order in which they are held is not shown."""
    counts = sorted(Counter(kinds).items())
    return [f"{names[kind]}{f' x{number}' if number > 1 else ''}" for kind, number in counts] or ["none"]


def piled(numbers: Sequence[int]) -> list[int]:
    """The cards of a pile that is given by a number for each kind."""
    return [kind for kind, number in enumerate(numbers) for _ in range(number)]


def members(mask: int, names: Sequence[str]) -> str:
    """The names of a bit set."""
    return ", ".join(name for k, name in enumerate(names) if mask >> k & 1)


def plural(number: int, word: str) -> str:
    """``1 card``, ``2 cards``."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def decision_part(states: States, i: int, actions: ActionTable, decision: str, name: Callable[..., str | None]) -> str:
    """What is to be decided, and the legal actions by name, a paragraph for each block of the action table.

    ``decision`` is what is to be decided in words, ``name(states, i, action)`` names an action.
    """
    words: Any = states["legal"][i]
    legal = np.flatnonzero(np.unpackbits(np.ascontiguousarray(words).view(np.uint8), bitorder="little")).tolist()
    groups: dict[int, list[str]] = {}
    for action in legal:
        groups.setdefault(int(actions.block_of[action]), []).append(str(name(states, i, action)))
    return "\n".join([decision, *(wrapped("  ", names) for names in groups.values())])


def events_part(states: States, i: int, seat: int | None, words: Callable[[Any, int | None], str]) -> str:
    """The last events, the oldest first; ``words(row, seat)`` tells one as a seat sees it."""
    total = int(states["event_total"][i])
    log = states["event_log"][i]
    told = (words(log[n % RING], seat) for n in range(max(total - RING, 0), total))
    lines = [(line, len(list(equal))) for line, equal in groupby(told)][-EVENTS_SHOWN:]
    shown = [f"  {line}{f' ({number} times)' if number > 1 else ''}" for line, number in lines]
    return "\n".join(["last events:", *shown]) if shown else ""
