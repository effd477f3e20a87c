"""Branch coverage of kernels run as plain Python, where every gap must be explained.

A gap is named by words, not by line numbers: the text of the line, and of the line it never goes on to. An explanation
of what is no gap any more is an error like a gap that nobody explained.
"""

from __future__ import annotations

import ast
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import coverage

NEVER_RUNS = ""
LEAVES = "leaves the function"


@dataclass(frozen=True)
class Gap:
    """A line that never runs (``target`` is empty), or never goes on to ``target``."""

    file: str
    function: str
    line: str
    target: str = NEVER_RUNS
    why: str = field(default="", compare=False)

    def __str__(self) -> str:
        what = f"never goes on to: {self.target}" if self.target else "never runs"
        return f"{self.file} {self.function}: {self.line!r} {what}"


@dataclass
class Measured:
    """The figures of each file, and the gaps."""

    files: dict[str, dict[str, Any]]
    gaps: list[Gap]


def measure(folder: Path, run: Callable[[], None]) -> Measured:
    """Run with branch coverage of the modules in a folder, which must not be imported before."""
    measured = coverage.Coverage(branch=True, include=[f"{folder}/*"], data_file=None, config_file=False)
    measured.start()
    try:
        run()
    finally:
        measured.stop()
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "coverage.json"
        measured.json_report(outfile=str(path))
        data = json.loads(path.read_text(encoding="utf-8"))["files"]
    files = {Path(name).name: found for name, found in data.items()}
    missing = {path.name for path in folder.glob("*.py")} - files.keys()
    if missing:
        raise RuntimeError(f"never imported while measured: {', '.join(sorted(missing))}")
    gaps = [gap for name, found in sorted(files.items()) for gap in _gaps(folder / name, found)]
    return Measured(files, gaps)


def _gaps(path: Path, found: dict[str, Any]) -> list[Gap]:
    """The gaps of one file; a branch to or from a line that never runs is no gap of its own."""
    source = path.read_text(encoding="utf-8")
    lines = [line.strip() for line in source.splitlines()]
    never = set(found["missing_lines"])

    def gap(number: int, target: str) -> Gap:
        return Gap(path.name, _function_at(source, number), lines[number - 1], target)

    gaps = [gap(number, NEVER_RUNS) for number in sorted(never)]
    for number, target in found["missing_branches"]:
        if number not in never and target not in never:
            gaps.append(gap(number, lines[target - 1] if target > 0 else LEAVES))
    return gaps


def _function_at(source: str, number: int) -> str:
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.lineno <= number <= (node.end_lineno or 0):
            return node.name
    return "module"


def report(measured: Measured, explained: Sequence[Gap]) -> int:
    """Print the table and the gaps; 0 if each gap is explained and each explanation is of a gap, else 1."""
    print(f"{'file':16}{'statements':>12}{'missed':>8}{'branches':>10}{'missed':>8}{'covered':>10}")
    total = [0, 0, 0, 0]
    for name, found in sorted(measured.files.items()):
        summary = found["summary"]
        keys = ("num_statements", "missing_lines", "num_branches", "missing_branches")
        row = [int(summary[key]) for key in keys]
        total = [a + b for a, b in zip(total, row, strict=True)]
        print(_row(name, row))
    print(_row("all", total))
    why = {gap: gap.why for gap in explained}
    status = 0
    for gap in measured.gaps:
        print(f"{gap}\n    {why.get(gap) or 'NOT EXPLAINED'}")
        status |= not why.get(gap)
    for gap in explained:
        if gap not in measured.gaps:
            print(f"{gap}\n    is explained, but it does")
            status = 1
    return int(status)


def _row(name: str, row: Sequence[int]) -> str:
    statements, missed, branches, missed_branches = row
    whole = statements + branches
    share = 1 - (missed + missed_branches) / whole if whole else 1.0
    return f"{name:16}{statements:12}{missed:8}{branches:10}{missed_branches:8}{share:10.2%}"


def main(module: str, folder: Path, run: Callable[[], None], explained: Sequence[Gap]) -> int:
    """The command line of ``module``: start again without machine code, measure, print the table and the gaps."""
    if os.environ.get("NUMBA_DISABLE_JIT") != "1":
        warnings = [f"-W{option}" for option in sys.warnoptions]
        command = [sys.executable, *warnings, "-m", module]
        os.execve(sys.executable, command, {**os.environ, "NUMBA_DISABLE_JIT": "1"})
    began = time.perf_counter()
    status = report(measure(folder, run), explained)
    print(f"{time.perf_counter() - began:.0f} s")
    return status
