"""Whether anything became slower: ``python -m benchmarks.regression [--write]``, from the root of the repository.

The key figures of both games, in reference iterations, are compared with those in ``benchmarks/committed.json``: from
130 % on there is a warning, from 160 % on the figure is measured once more, and it fails if it is as slow again. Exit
status: 0 if nothing fails, 1 if something does, 3 if the machine is not one to compare on.
"""

from __future__ import annotations

import argparse
import functools
import json
import statistics
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from island_core import benchmark, cli, jit

COMMITTED = Path(__file__).with_name("committed.json")
WARNING = 1.3
FAILURE = 1.6
FASTER = 0.7
"""Below this share the committed figure is out of date: it would let the next loss pass."""

KEY_ROWS = ("core_play", "core_observed", "batch", "raw_aec", "checked_aec")
"""Rows of ``benchmarks.core``."""

Measure = Callable[[], float]


class CommittedError(RuntimeError):
    """The committed file cannot be compared with; the text says why and what to do."""


@dataclass(frozen=True)
class Verdict:
    """A figure beside the committed one, both in reference iterations a decision."""

    name: str
    committed: float
    measured: float

    @property
    def ratio(self) -> float:
        """1.3 means 30 % slower than committed."""
        return self.measured / self.committed

    @property
    def word(self) -> str:
        """``failed``, ``warning``, ``faster`` or ``ok``."""
        if self.ratio >= FAILURE:
            return "failed"
        if self.ratio >= WARNING:
            return "warning"
        return "faster" if self.ratio < FASTER else "ok"


def compare(
    figures: Mapping[str, Measure], committed: Mapping[str, float], begin: Callable[[str], None]
) -> list[Verdict]:
    """Measure every figure and judge it; what fails is measured once more, and the second value counts.

    ``begin`` is told the name before each measurement. Raises ``CommittedError`` if the names are not the same.
    """
    if set(figures) != set(committed):
        new, old = sorted(set(figures) - set(committed)), sorted(set(committed) - set(figures))
        raise CommittedError(f"not committed: {new}; no longer measured: {old}; --write commits what is measured now")
    verdicts = []
    for name, measure in figures.items():
        begin(name)
        verdict = Verdict(name, committed[name], measure())
        if verdict.word == "failed":
            begin(f"{name}, once more")
            verdict = Verdict(name, committed[name], measure())
        verdicts.append(verdict)
    return verdicts


def read_committed(path: Path) -> dict[str, float]:
    """The committed figures. Raises ``CommittedError`` for a file that is missing or damaged."""
    try:
        figures = json.loads(path.read_text(encoding="utf-8"))["figures"]
        found = {str(name): float(value) for name, value in figures.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CommittedError(f"{path}: {type(error).__name__}: {error}; --write makes a new file") from error
    wrong = [name for name, value in found.items() if not 0 < value < float("inf")]
    if wrong:
        raise CommittedError(f"{path}: {wrong} must be positive; --write makes a new file")
    return found


def key_figures() -> dict[str, Measure]:
    """Name -> what measures it: the median of three."""
    from benchmarks import core

    effort = core.Effort(repetitions=3, games=core.FULL.games, processes=0)

    def measure(game: core.Game, row: Callable[[core.Game, core.Effort], benchmark.Row]) -> float:
        return statistics.median(row(game, effort).values)

    for game in core.GAMES.values():
        core.compile_ahead(game)
    return {
        f"{game.spec.name}: {row}": functools.partial(measure, game, getattr(core, row))
        for game in core.GAMES.values()
        for row in KEY_ROWS
    }


def print_verdicts(console: Console, verdicts: Sequence[Verdict]) -> None:
    """Print all figures with what became of them."""
    table = cli.new_table("Reference iterations a decision", "", "committed", "now", "share", "")
    colours = {"failed": "bold red", "warning": "yellow", "faster": "cyan", "ok": "green"}
    for verdict in verdicts:
        numbers = (f"{verdict.committed:,.1f}", f"{verdict.measured:,.1f}", f"{verdict.ratio:.0%}")
        table.add_row(verdict.name, *numbers, f"[{colours[verdict.word]}]{verdict.word}[/]")
    console.print(table)
    if any(verdict.word == "faster" for verdict in verdicts):
        console.print("What became this much faster should be committed anew: --write.")


def run(figures: Mapping[str, Measure], path: Path, write: bool, console: Console) -> int:
    """Compare with the file, or write it; returns the exit status."""
    try:
        with cli.steps("figures", len(figures)) as begin:
            if write:
                found = {}
                for name, measure in figures.items():
                    begin(name)
                    found[name] = round(measure(), 1)
                cli.write_json(path, committed_file(found))
                console.print(f"written: {path}", soft_wrap=True)
                return 0
            verdicts = compare(figures, read_committed(path), begin)
    except CommittedError as problem:
        print(problem, file=sys.stderr)
        return 1
    except benchmark.VoidRunError as problem:
        print(f"void: {problem}", file=sys.stderr)
        return benchmark.VOID
    print_verdicts(console, verdicts)
    return 1 if any(verdict.word == "failed" for verdict in verdicts) else 0


def committed_file(figures: Mapping[str, float]) -> dict[str, Any]:
    """The content of the committed file."""
    return {"unit": "reference iterations a decision", "machine": benchmark.machine(), "figures": dict(figures)}


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, compare, print; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.regression", description=__doc__, formatter_class=cli.HelpFormatter
    )
    parser.add_argument("--write", action="store_true", help=f"write {COMMITTED.name} in place of comparing with it")
    given = parser.parse_args(argv)

    def work() -> int:
        with jit.compiling(lambda _: None):
            return run(key_figures(), COMMITTED, given.write, cli.new_console())

    return cli.guarded(work)


if __name__ == "__main__":
    sys.exit(main())
