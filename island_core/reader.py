"""Reading dicts of names: where a value stands in its dict, what it may be, and the complaint if it is something else.

A `Given` knows its path, such as ``turn.freed[0]``, so that every complaint names it. A `Codec` is one kind of value,
both ways: the word for a number of the record, and the number for a word.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from island_core.errors import PositionError
from island_core.layout import Layout, States


class Problem(NamedTuple):
    """What is wrong with a position, in the words of its dict."""

    key: str
    given: str
    allowed: str

    def __str__(self) -> str:
        return f"{self.key}: {self.given} given, allowed: {self.allowed}"


@dataclass(frozen=True)
class Given:
    """A value that is read, and its path: the keys and places that lead to it, empty for the whole dict."""

    key: str
    value: Any

    def refusal(self, allowed: str) -> PositionError:
        """The complaint about this value, to be raised."""
        return PositionError(str(Problem(self.key or "position", repr(self.value), allowed)))

    def table(self, keys: Sequence[str] | None = None, allowed: str = "a dict") -> Given:
        """The value itself once it is known to be a dict by strings, and by none but ``keys`` unless they are None."""
        if not isinstance(self.value, dict):
            raise self.refusal(allowed)
        for name in self.value:
            if not isinstance(name, str):
                raise Given(self.key, name).refusal("strings as keys")
            if keys is not None and name not in keys:
                raise PositionError(str(Problem(self.get(name).key, "an unknown key", ", ".join(keys))))
        return self

    def get(self, name: str, missing: Any = None) -> Given:
        """What a dict holds by a name."""
        return Given(f"{self.key}.{name}" if self.key else name, self.value.get(name, missing))

    def items(self) -> Iterator[tuple[str, Given]]:
        """The names of a dict, each with what it holds."""
        for name in self.value:
            yield name, self.get(name)

    def entries(self, most: int, what: str) -> list[Given]:
        """The entries of a list of at most so many."""
        if not isinstance(self.value, list | tuple):
            raise self.refusal(f"a list of {what}")
        if len(self.value) > most:
            raise self.refusal(f"at most {most} {what}")
        return [Given(f"{self.key}[{n}]", entry) for n, entry in enumerate(self.value)]


class Codec(NamedTuple):
    """One kind of value: its range in the record, its word by its number, and its number by what a dict gives."""

    least: int
    most: int
    write: Callable[[int], Any]
    read: Callable[[Given], int]

    def problems(self, key: str, number: int) -> Iterator[Problem]:
        """The complaint about a number of the record that is out of range, if it is."""
        if not self.least <= number <= self.most:
            yield Problem(key, str(number), f"{self.least} to {self.most}")

    def write_set(self, mask: int) -> list[Any]:
        """The words of a bit set, in order."""
        return [self.write(k) for k in range(self.most + 1) if mask >> k & 1]

    def read_all(self, given: Given, most: int, what: str) -> list[int]:
        """The numbers of a list of words."""
        return [self.read(entry) for entry in given.entries(most, what)]

    def read_set(self, given: Given, what: str) -> int:
        """The bit set of a list of different words."""
        numbers = self.read_all(given, self.most + 1, what)
        if len(set(numbers)) != len(numbers):
            raise given.refusal(f"different {what}")
        return sum(1 << number for number in numbers)

    def read_keys(self, given: Given, what: str) -> Iterator[tuple[int, Given]]:
        """The numbers of the keys of a dict, each with what it holds."""
        for name in given.table(allowed=f"a dict by {what}").value:
            yield self.read(Given(given.key, name)), given.get(name)


def words(known: Sequence[str | None], allowed: str = "") -> Codec:
    """Words numbered in order, the first of equal ones counts; None for a number that has none."""
    numbers: dict[str, int] = {}
    for number, word in enumerate(known):
        if word is not None:
            numbers.setdefault(word, number)

    def read(given: Given) -> int:
        word = given.value
        if isinstance(word, str) and word in numbers:
            return numbers[word]
        close = difflib.get_close_matches(word, list(numbers), 3) if isinstance(word, str) and len(numbers) > 12 else []
        like = f" (close: {', '.join(close)})" if close else ""
        raise given.refusal((allowed or ", ".join(numbers)) + like)

    return Codec(0, len(known) - 1, known.__getitem__, read)


def whole_number(least: int, most: int) -> Codec:
    """A whole number; true and false are none."""

    def read(given: Given) -> int:
        if _is_whole(given.value) and least <= given.value <= most:
            return int(given.value)
        raise given.refusal(f"a whole number from {least} to {most}")

    return Codec(least, most, lambda number: number, read)


def one_of(values: Sequence[int]) -> Codec:
    """One of some whole numbers, by its place among them."""

    def read(given: Given) -> int:
        if _is_whole(given.value) and given.value in values:
            return values.index(given.value)
        raise given.refusal(", ".join(map(str, values)))

    return Codec(0, len(values) - 1, values.__getitem__, read)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def or_none(codec: Codec, none: str | None) -> Codec:
    """Also -1, written as ``none``."""

    def read(given: Given) -> int:
        return -1 if type(given.value) is type(none) and given.value == none else codec.read(given)

    return Codec(-1, codec.most, lambda number: none if number < 0 else codec.write(number), read)


def read_generator(given: Given) -> list[int]:
    """The four words of a random generator."""
    entries = [entry.value for entry in given.entries(4, "words")]
    digits = set("0123456789abcdefABCDEF")
    sound = len(entries) == 4 and all(
        isinstance(word, str) and 0 < len(word) <= 16 and digits.issuperset(word) for word in entries
    )
    numbers = [int(word, 16) for word in entries] if sound else []
    if not any(numbers):
        raise given.refusal("four strings of at most 16 hexadecimal digits, not all zero")
    return numbers


def write_generator(numbers: Sequence[int]) -> list[str]:
    """The four words of a random generator as strings, as `read_generator` takes them."""
    return [f"{word:016x}" for word in numbers]


def plain(layout: Layout, states: States, i: int) -> SimpleNamespace:
    """A record as Python numbers and lists, by field name."""
    return SimpleNamespace(**{field.name: np.asarray(states[field.name][i]).tolist() for field in layout.fields})
