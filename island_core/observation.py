"""The observation table: named sections of counts, flat, with their largest values.

Every section exists in two forms: ``int8`` holds the counts, ``float32`` holds count / largest, so that it lies in
[0, 1].
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from island_core.tables import named_ints


@dataclass(frozen=True)
class Section:
    """A named piece of the observation: its shape, its largest count (at most 127) and what it tells."""

    name: str
    shape: tuple[int, ...]
    largest: int
    doc: str

    @property
    def count(self) -> int:
        """The number of entries."""
        return math.prod(self.shape)


class ObservationTable:
    """All sections of a game's observation.

    Attributes
    ----------
    size:
        the number of entries.
    offset:
        a named tuple of ints: the first entry of each section.
    layout:
        name -> slice into the flat observation.
    largest:
        ``int8[size]``: the largest count of each entry.
    scale:
        ``float32[size]``: 1 / largest.
    """

    def __init__(self, sections: Sequence[Section]) -> None:
        """Lay the sections out one after the other. Raises ``ValueError`` for a largest count outside 1..127."""
        self.sections = tuple(sections)
        self.layout: dict[str, slice] = {}
        starts: list[int] = []
        start = 0
        for section in self.sections:
            if not 1 <= section.largest <= 127:
                raise ValueError(f"section {section.name!r}: largest={section.largest}, allowed: 1 to 127")
            starts.append(start)
            self.layout[section.name] = slice(start, start + section.count)
            start += section.count
        self.size = start
        names = [section.name for section in self.sections]
        self.offset: Any = named_ints("Offset", names, starts)
        self.largest: NDArray[np.int8] = np.ones(start, np.int8)
        for section in self.sections:
            self.largest[self.layout[section.name]] = section.largest
        self.scale: NDArray[np.float32] = (np.float32(1.0) / self.largest.astype(np.float32)).astype(np.float32)
        self.largest.setflags(write=False)
        self.scale.setflags(write=False)

    def read(self, counts: NDArray[np.int8]) -> dict[str, NDArray[np.int8]]:
        """The sections of a flat ``int8[size]`` observation by name, each in its shape."""
        return {s.name: counts[self.layout[s.name]].reshape(s.shape) for s in self.sections}

    def docs(self) -> str:
        """The table in Markdown."""
        lines = ["| section | entries | shape | largest | meaning |", "|---|---|---|---|---|"]
        for section in self.sections:
            where = self.layout[section.name]
            shape = " x ".join(map(str, section.shape))
            lines.append(
                f"| `{section.name}` | {where.start}-{where.stop - 1} | {shape} | {section.largest} | {section.doc} |"
            )
        lines.append("")
        lines.append(f"{self.size} entries. `int8` holds the counts, `float32` holds count / largest.")
        return "\n".join(lines)
