"""The action table: one declaration gives ids, offsets, decoding, documentation and the fingerprint.

Ids are append-only within a major version. The last id of the space is the no-op of views in which everybody acts;
spare
ids lie before it, so that new actions need not change the size of the space.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from island_core.tables import named_ints


@dataclass(frozen=True)
class Arg:
    """One argument of a block: its name and the words of its values, in id order."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Block:
    """A run of ids: every combination of the arguments' values, the last argument fastest.

    ``passive`` marks actions that a player who acts whenever he can avoids.
    """

    name: str
    args: tuple[Arg, ...]
    form: str
    doc: str
    rule: str
    passive: bool = False

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of values of each argument."""
        return tuple(len(arg.values) for arg in self.args)

    @property
    def count(self) -> int:
        """The number of ids."""
        return int(np.prod(self.shape, dtype=np.int64)) if self.args else 1


class ActionTable:
    """All actions of a game.

    Attributes
    ----------
    size:
        the number of ids, spare ones and the no-op included.
    noop:
        the last id.
    words:
        the number of ``uint64`` words of a bit set of actions.
    offset:
        a named tuple of ints, the first id of each block (attribute names with ``_`` for blanks, and after keywords).
    block_of:
        ``int64[size]``: the block's index of each id, -1 for spare ids and the no-op.
    passive:
        ``uint64[words]``: the bit set of passive actions.
    """

    def __init__(self, blocks: Sequence[Block], size: int) -> None:
        """Lay the blocks out one after the other in a space of ``size`` ids."""
        self.blocks = tuple(blocks)
        self.size = size
        self.noop = size - 1
        self.words = (size + 63) // 64
        names = [block.name.replace(" ", "_") for block in self.blocks]
        starts: list[int] = []
        start = 0
        for block in self.blocks:
            starts.append(start)
            start += block.count
        if start > self.noop:
            raise ValueError(f"the blocks need {start} ids and the no-op, but the space has {size}")
        self.used = start
        self.offset: Any = named_ints("Offset", names, starts)
        self.block_of: NDArray[np.int64] = np.full(size, -1, np.int64)
        self.passive: NDArray[np.uint64] = np.zeros(self.words, np.uint64)
        for index, block in enumerate(self.blocks):
            for action in range(starts[index], starts[index] + block.count):
                self.block_of[action] = index
                if block.passive:
                    self.passive[action >> 6] |= np.uint64(1) << np.uint64(action & 63)
        self._decoded: list[tuple[Block, tuple[int, ...]] | None] = [None] * size
        for block, start in zip(self.blocks, starts, strict=True):
            for rest, values in enumerate(itertools.product(*(range(count) for count in block.shape))):
                self._decoded[start + rest] = block, values
        self.block_of.setflags(write=False)
        self.passive.setflags(write=False)

    def is_passive(self, action: int) -> bool:
        """Whether a player who acts whenever he can avoids this action."""
        return bool((int(self.passive[action >> 6]) >> (action & 63)) & 1)

    def decode(self, action: int) -> tuple[Block, tuple[int, ...]]:
        """The block of an id and the index of each argument's value.

        Raises ``ValueError`` for the no-op, spare ids and numbers outside the space.
        """
        found = self._decoded[action] if 0 <= action < self.size else None
        if found is None:
            raise ValueError(f"action {action} names nothing; allowed: 0 to {self.used - 1}")
        return found

    def fingerprint(self) -> str:
        """A short hash of all ids and their meaning."""
        return hashlib.sha256(self.docs().encode()).hexdigest()[:16]

    def docs(self) -> str:
        """The table in Markdown, and the values of each argument."""
        lines = ["| ids | name | arguments | meaning | rule |", "|---|---|---|---|---|"]
        values: dict[str, tuple[str, ...]] = {}
        for block, start in zip(self.blocks, self.offset, strict=True):
            end = start + block.count - 1
            ids = f"{start}" if end == start else f"{start}-{end}"
            arguments = " x ".join(f"{arg.name} ({len(arg.values)})" for arg in block.args) or "-"
            lines.append(f"| {ids} | `{block.form}` | {arguments} | {block.doc} | {block.rule} |")
            for arg in block.args:
                values[arg.name] = arg.values
        if self.used < self.noop:
            lines.append(f"| {self.used}-{self.noop - 1} | | - | spare | |")
        lines.append(f"| {self.noop} | | - | the no-op of views in which every seat acts each step | |")
        lines.append("")
        lines.append(f"{self.size} ids. Within a block the last argument runs fastest.")
        for name, words in values.items():
            lines.append("")
            lines.append(f"*{name}*: " + ", ".join(f"{i} {word}" for i, word in enumerate(words)) + ".")
        return "\n".join(lines)
