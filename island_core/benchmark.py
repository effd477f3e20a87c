"""What benchmarks of a game share: times in reference iterations, rows with targets, the table, processes of their own.

The time of one unit (a decision, a copy) is divided by the time of one iteration of a reference loop that runs before
and after it in the same process. Absolute times drift by a factor of two on shared machines; this quotient does not.
Times are given for a machine on which the reference takes ``NUMBA_NS`` or ``PYTHON_NS``.
"""

from __future__ import annotations

import json
import os
import platform
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from island_core import benchmark_loops

NUMBA_NS = 2.05
PYTHON_NS = 120.0
VALID_NS = (0.9, 6.0)
"""Outside of this nothing can be compared: an iteration is a chain of six instructions of a cycle each, which takes
longer on every processor there is, and where it takes more than the upper end other programs have the core.
"""

VOID = 3
"""The exit status of a run that does not count."""


class VoidRunError(RuntimeError):
    """The reference loop ran at a speed at which nothing can be compared."""


# ------------------------------------------------------------------------------------------------------- the references


def numba_reference(n: int = 10_000_000) -> float:
    """CPU nanoseconds of one iteration of the compiled reference. Raises ``VoidRunError`` outside ``VALID_NS``."""
    x = np.uint64(88172645463325252)
    benchmark_loops.reference(1, x)
    start = time.process_time_ns()
    benchmark_loops.reference(n, x)
    taken = (time.process_time_ns() - start) / n
    if not VALID_NS[0] <= taken <= VALID_NS[1]:
        raise VoidRunError(
            f"the reference loop took {taken:.2f} ns an iteration, allowed are {VALID_NS[0]} to {VALID_NS[1]} ns"
        )
    return taken


def python_reference(n: int = 300_000) -> float:
    """CPU nanoseconds of one iteration of the Python reference."""
    start = time.process_time_ns()
    _python_loop(n)
    return (time.process_time_ns() - start) / n


def _python_loop(n: int) -> int:
    lst = [1, 2, 3, 4, 5, 6, 7, 8]

    def f(a: int, b: int) -> int:
        return a + b

    acc = 0
    for i in range(n):
        acc = f(acc, lst[i & 7]) & 0xFFFF
    return acc


# ------------------------------------------------------------------------------------------------------------- the rows


@dataclass(frozen=True)
class Unit:
    """What the values of a row count, how many digits are shown, and what one is worth as a time in seconds, if any."""

    name: str
    digits: int
    seconds: float = 0.0


REF = Unit("ref", 1, NUMBA_NS * 1e-9)
PYTHON_REF = Unit("Python ref", 1, PYTHON_NS * 1e-9)
SECONDS = Unit("s", 2, 1.0)
BYTES = Unit("bytes", 0)
TIMES = Unit("x", 2)


@dataclass(frozen=True)
class Row:
    """A row of the table: what was measured, and the target.

    ``target`` is in the unit of the values, or in nanoseconds if ``target_ns``. Values must not exceed it, or must
    reach it if ``at_least``. The median is compared with it, or the best of all values if ``best``.
    """

    name: str
    unit: Unit
    values: Sequence[float]
    target: float | None = None
    target_ns: bool = False
    at_least: bool = False
    best: bool = False

    @property
    def value(self) -> float:
        """The value that is compared with the target."""
        if self.best:
            return max(self.values) if self.at_least else min(self.values)
        return statistics.median(self.values)

    @property
    def seconds(self) -> float | None:
        """The value as a time at the standard speed of the reference."""
        return self.value * self.unit.seconds if self.unit.seconds else None

    @property
    def passed(self) -> bool | None:
        """Whether the target is met; None without a target."""
        if self.target is None:
            return None
        value = self.value
        if self.target_ns and self.seconds is not None:
            value = self.seconds * 1e9
        return value >= self.target if self.at_least else value <= self.target

    def to_json(self) -> dict[str, Any]:
        """The row as JSON-ready values."""
        return {
            "name": self.name,
            "unit": self.unit.name,
            "median": statistics.median(self.values),
            "min": min(self.values),
            "max": max(self.values),
            "value": self.value,
            "seconds": self.seconds,
            "target": self.target,
            "target_unit": "ns" if self.target_ns else self.unit.name,
            "at_least": self.at_least,
            "passed": self.passed,
        }


def timed(work: Callable[[], int], repetitions: int, reference: Callable[[], float] = numba_reference) -> list[float]:
    """Reference iterations one unit of work takes, once a repetition; ``work`` returns how many units it did."""
    work()
    values = []
    before = reference()
    for _ in range(repetitions):
        start = time.process_time_ns()
        units = work()
        taken = (time.process_time_ns() - start) / units
        after = reference()
        values.append(taken / ((before + after) / 2))
        before = after
    return values


class ProcessError(RuntimeError):
    """A process of the benchmark crashed, was too slow or said nothing that can be read; the text tells which."""


def report_of(command: Sequence[str], folder: Path, variables: Mapping[str, str], seconds: float | None = None) -> Any:
    """Run a command in ``folder`` and return what it prints last: one line of JSON.

    ``variables`` are added to the environment; after ``seconds`` of wall time, if given, the process is killed. Raises
    ``ProcessError``, which holds all the process wrote to its standard error stream.
    """
    environment = {**os.environ, "ISLAND_ENVS_QUIET": "1", **variables}
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, check=False, capture_output=True, text=True, timeout=seconds
        )
    except subprocess.TimeoutExpired:
        raise ProcessError(f"not finished after {seconds:g} s") from None
    if done.returncode < 0:
        raise ProcessError(f"killed by {signal.Signals(-done.returncode).name}\n{done.stderr}".rstrip())
    if done.returncode:
        raise ProcessError(f"exit status {done.returncode}\n{done.stderr}".rstrip())
    try:
        return json.loads(done.stdout.rstrip().rpartition("\n")[2])
    except ValueError:
        raise ProcessError(f"its last line is no JSON: {done.stdout[-200:]!r}\n{done.stderr}".rstrip()) from None


def in_new_process(code: str, folder: Path, variables: Mapping[str, str]) -> float:
    """Run Python code in a process of its own in ``folder`` and return the number it prints last."""
    return float(report_of([sys.executable, "-c", code], folder, variables))


def machine() -> dict[str, Any]:
    """What figures were measured on."""
    return {"platform": platform.platform(), "python": platform.python_version(), "cores": os.cpu_count()}


# ------------------------------------------------------------------------------------------------------------ the table


def time_text(seconds: float) -> str:
    """A time with a fitting unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.2f} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def print_rows(console: Console, title: str, rows: Sequence[Row]) -> None:
    """Print all rows with their targets."""
    table = Table("", "median", "min", "max", "unit", "time", "target", "", title=title, title_justify="left")
    for column in table.columns[1:4] + table.columns[5:7]:
        column.justify = "right"
        column.no_wrap = True
    for row in rows:
        shown = [f"{v:,.{row.unit.digits}f}" for v in (statistics.median(row.values), min(row.values), max(row.values))]
        seconds = time_text(row.seconds) if row.seconds is not None else ""
        target = ""
        if row.target is not None:
            bound = "≥" if row.at_least else "≤"
            target = f"{bound} {row.target:,g} {'ns' if row.target_ns else row.unit.name}"
        verdict = {None: "", True: "[green]ok[/]", False: "[bold red]missed[/]"}[row.passed]
        table.add_row(row.name, *shown, row.unit.name, seconds, target, verdict)
    console.print(table)
