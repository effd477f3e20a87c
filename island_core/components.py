"""Reading a components file: TOML that says what lies in the box of a game, checked before anything uses it.

A file that cannot be right raises `ComponentsError`, which names the file, the key, what was found and what is
expected. A `Table` is one table of the file that knows where it stands; entries of a list are counted from 1. Every
section carries a ``source`` mark that says how sure it is. What the sections hold is the game's business.

`island_core.reader` reads dicts in which everything may be left out; here nothing may.
"""

import os
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

SOURCE_MARKS: Final = ("documented", "reconstructed")

IntTable = npt.NDArray[np.int64]
T = TypeVar("T")


class ComponentsError(ValueError):
    """A components file that cannot be right: names file, key, what was found and what is expected."""


def read_only(values: Any, dtype: npt.DTypeLike = np.int64) -> npt.NDArray[Any]:
    """Return the values as an array that nobody can write to."""
    table = np.array(values, dtype)
    table.setflags(write=False)
    return table


_TYPE_WORDS: Final[dict[type, str]] = {dict: "a table", list: "a list", str: "a string", int: "a whole number"}


class Table:
    """A table of the file that remembers where it stands, so that every complaint can name file and key."""

    def __init__(self, path: Path, table: dict[str, Any], key: str = "", keys: Sequence[str] = ()) -> None:
        self.path, self.table, self.key = path, table, key
        for name in table:
            if name not in keys:
                raise self.error(name, "an unknown key", f"only the keys {', '.join(keys)}")

    def name(self, key: str) -> str:
        """Full name of a key of this table."""
        return ".".join(part for part in (self.key, key) if part)

    def error(self, key: str, found: str, expected: str) -> ComponentsError:
        """Build the complaint about one key."""
        return ComponentsError(f"{self.path}: {self.name(key) or 'file'}: found {found}, expected {expected}")

    def checked(self, key: str, value: Any, kind: type[T]) -> T:
        """Return the value if it is of the type (true and false are no numbers)."""
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.error(key, repr(value), _TYPE_WORDS[kind])
        return value

    def get(self, key: str, kind: type[T]) -> T:
        """Return the value of a key that must be there."""
        if key not in self.table:
            raise self.error(key, "nothing", f"{_TYPE_WORDS[kind]} (the key is missing)")
        return self.checked(key, self.table[key], kind)

    def within(self, key: str, value: Any, least: int, most: int) -> int:
        """Return the value if it is a whole number within bounds."""
        number = self.checked(key, value, int)
        if not least <= number <= most:
            expected = str(least) if least == most else f"a whole number from {least} to {most}"
            raise self.error(key, str(number), expected)
        return number

    def number(self, key: str, least: int, most: int) -> int:
        """Return the whole number of a key, within bounds."""
        return self.within(key, self.get(key, int), least, most)

    def sub(self, key: str, keys: Sequence[str]) -> "Table":
        """Return a table inside this one."""
        return Table(self.path, self.get(key, dict), self.name(key), keys)

    def items(self, key: str, keys: Sequence[str]) -> "list[Table]":
        """Return the tables of a list; they are counted from 1."""
        entries = enumerate(self.get(key, list), 1)
        return [
            Table(self.path, self.checked(f"{key}[{n}]", entry, dict), f"{self.name(key)}[{n}]", keys)
            for n, entry in entries
        ]

    def word(self, key: str, value: Any, words: Sequence[str]) -> int:
        """Return the index of a word of the vocabulary."""
        text = self.checked(key, value, str)
        if text not in words:
            raise self.error(key, repr(text), f"one of {', '.join(words)}")
        return words.index(text)

    def words(self, key: str, value: Any, words: Sequence[str]) -> tuple[int, ...]:
        """Return the indices of a list of words of the vocabulary."""
        entries = self.checked(key, value, list)
        return tuple(self.word(f"{key}[{n}]", entry, words) for n, entry in enumerate(entries, 1))

    def different_words(self, key: str, value: Any, words: Sequence[str], count: int) -> tuple[int, ...]:
        """Return the indices of a fixed number of different words."""
        indices = self.words(key, value, words)
        if len(indices) != count or len(set(indices)) != count:
            raise self.error(key, repr(value), f"{count} different names")
        return indices

    def source(self) -> str:
        """Return the mark that says how sure this section is."""
        return SOURCE_MARKS[self.word("source", self.get("source", str), SOURCE_MARKS)]


def every_copy(copies: npt.NDArray[np.int64]) -> IntTable:
    """Return every card, kind by kind in order, of a number of copies of each: ``int64[number of cards]``."""
    every: IntTable = read_only(np.repeat(np.arange(len(copies)), copies))
    return every


def read(path: Path, sections: Sequence[str]) -> tuple[bytes, Table]:
    """Read a components file that may have these sections: its bytes, and the table of the whole file."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ComponentsError(f"{path}: file: found {error.strerror}, expected a readable components file") from error
    try:
        table = tomllib.loads(content.decode())
    except ValueError as error:  # bad UTF-8 and bad TOML
        raise ComponentsError(f"{path}: file: found {error}, expected TOML in UTF-8") from error
    return content, Table(path, table, keys=sections)


def sources(sections: Sequence[Table]) -> dict[str, str]:
    """Return the source mark of each section by its key."""
    return {section.key: section.source() for section in sections}


def path_in_use(variable: str, packaged: Path) -> Path:
    """Return the file to read: the one named by the environment variable, else the packaged one."""
    named = os.environ.get(variable)
    return Path(named).expanduser() if named else packaged
