"""Counts of the lines of play from a position, as chess programs keep them: a mistake in any rule changes some number.

A file holds positions, each begun by ``id``; the setup is written as in transcripts (`island_core.transcript`)::

    id two hands of one
    game: isla_dorada   players: 4
    setup: hand player_0 = sword ; deck = map
    perft 1 7
    perft 2 31

``perft d n``: there are n ways to take d decisions one after the other. A line of play that ends earlier counts in no
greater depth. Positions leave nothing to chance: what is drawn is fixed by the setup, and a step with any other chance
is an error. A number is committed when the core and the oracle agree on it.
"""

from __future__ import annotations

import argparse
import copy
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from island_core.transcript import Example, Subject, Table, TranscriptError, parse

ORACLE_STEPS = 700
"""In its short form an oracle counts to the depth that takes it about so many steps."""


@dataclass(frozen=True)
class Counted:
    """A position and its numbers."""

    name: str
    example: Example
    counts: dict[int, int]
    """Lines of play by depth."""


def read(path: Path) -> list[Counted]:
    """The positions of a file. Raises ``TranscriptError`` for what is not understood."""
    blocks: list[tuple[str, list[str], dict[int, int]]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        words = line.split()
        if words[:1] == ["id"]:
            # Blank lines before keep the line numbers of messages.
            blocks.append((" ".join(words[1:]), [""] * number, {}))
        elif words[:1] == ["perft"]:
            if not blocks or len(words) != 3 or not words[1].isdigit() or not words[2].isdigit():
                raise TranscriptError(path.name, number, f"{line!r}: 'perft depth count' is expected, after an id")
            blocks[-1][2][int(words[1])] = int(words[2])
            blocks[-1][1].append("")
        elif blocks:
            blocks[-1][1].append(line)
        elif words and not line.startswith("#"):
            raise TranscriptError(path.name, number, f"{line!r} stands before the first id")
    found = []
    for name, lines, counts in blocks:
        (example,) = parse("\n".join([*lines, f"--- {name}", "?  not over"]), path.name)
        if not counts:
            raise TranscriptError(path.name, example.number, f"no count for {name!r}")
        found.append(Counted(name, example, counts))
    if not found:
        raise TranscriptError(path.name, 1, "no position: a line such as 'id name' is missing")
    return found


def read_all(folder: Path) -> list[Counted]:
    """The positions of all files of a folder."""
    return [one for path in sorted(folder.glob("*.perft")) for one in read(path)]


def start(counted: Counted, subject: Subject) -> Table:
    """The position on a core or an oracle."""
    setup: dict[str, object] = {}
    for _, key, value in counted.example.setup:
        subject.words.place(setup, key, value)
    subject.words.complete(setup, counted.example.options)
    return subject.start(counted.example.options, setup)


def after(table: Table, name: str) -> Table:
    """The table after an action; the one given stays as it is. Raises ``ValueError`` if anything is left to chance."""
    # A step puts another position in place, so a shallow copy is enough.
    twin = copy.copy(table)
    twin.step(name, ())
    return twin


def perft(table: Table, depth: int) -> int:
    """How many ways there are to take so many decisions."""
    names = table.legal()
    if depth <= 1:
        return len(names) if depth else 1
    return sum(perft(after(table, name), depth - 1) for name in names)


def divide(table: Table, depth: int) -> dict[str, int]:
    """The same by the first action, at least one deep."""
    if depth == 1:
        return dict.fromkeys(sorted(table.legal()), 1)
    return {name: perft(after(table, name), depth - 1) for name in sorted(table.legal())}


def failures(counted: Counted, subject: Subject, depths: Iterable[int]) -> list[str]:
    """What is not as written, with the numbers for each first action."""
    found = []
    table = start(counted, subject)
    for depth in depths:
        parts = divide(table, depth)
        if sum(parts.values()) != counted.counts[depth]:
            lines = [f"  {name}: {number}" for name, number in parts.items()]
            text = f"{counted.name}: perft {depth} is {sum(parts.values())}, expected {counted.counts[depth]}"
            found.append("\n".join([text, *lines]))
    return found


def oracle_depths(counted: Counted) -> list[int]:
    """The depths that an oracle counts in a moment."""
    return [depth for depth in sorted(counted.counts) if counted.counts.get(depth - 1, 0) <= ORACLE_STEPS]


def main(positions: Iterable[Counted], subjects: Mapping[str, Subject], arguments: list[str] | None = None) -> int:
    """The command line: count on both sides; the exit status is 1 if a number differs."""
    parser = argparse.ArgumentParser(description="Count lines of play on core and oracle.")
    parser.add_argument("--deeper", action="store_true", help="print the next depth as well")
    options = parser.parse_args(arguments)
    status = 0
    for one in positions:
        for name, subject in subjects.items():
            began = time.perf_counter()
            wrong = failures(one, subject, sorted(one.counts))
            status |= bool(wrong)
            print(f"{one.name}, {name}: {time.perf_counter() - began:.1f} s", *wrong, sep="\n")
            if options.deeper:
                depth = max(one.counts) + 1
                began = time.perf_counter()
                print(f"perft {depth} {perft(start(one, subject), depth)}  # {time.perf_counter() - began:.1f} s")
    return status
