"""Our views beside other libraries: ``python -m benchmarks.peers [--quick] [--json FILE] [--write]``.

Run it from the root of the repository with the extra ``peers`` installed; what is not installed is named with what
installs it. Each measurement is a process of its own on one core (see ``benchmarks.peer_adapters``). Exit status: 0, or
1 if something that is installed could not be measured.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.util
import json
import statistics
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from benchmarks import pictures
from benchmarks.peer_adapters import KIND, KINDS, OURS, Kind, Subject, subjects
from island_core import benchmark, cli

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "RESULTS.md"
FIGURES = ROOT / "benchmarks" / "results.json"
CHART = ROOT / "benchmarks" / "results.svg"

LONGEST = 600.0
"""Seconds of wall time a measurement may take, compiling included."""
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "JAX_PLATFORMS": "cpu",
    "PYGAME_HIDE_SUPPORT_PROMPT": "1",
}

GAMES = {"dracheninsel": "Die Dracheninsel", "isla_dorada": "Isla Dorada"}

# What failed can still be read: the reason names the exception.
REASON_CHARACTERS = 200

MEASURED, MISSING, FAILED = "measured", "missing", "failed"


@dataclass(frozen=True)
class Result:
    """What became of one measurement.

    ``values`` are reference iterations a decision, one a repetition, empty unless ``status`` is ``measured``. ``note``
    says how it was measured, what is missing, or why it failed.
    """

    library: str
    version: str
    game: str
    kind: str
    status: str
    values: tuple[float, ...] = field(default=())
    note: str = ""

    @property
    def reference(self) -> float:
        """Reference iterations a decision: the median. Only of what was measured."""
        return statistics.median(self.values)

    @property
    def per_second(self) -> float:
        """Decisions a second where the reference iteration takes its standard time."""
        return 1 / (self.reference * KIND[self.kind].unit.seconds)


def result_from_json(data: Mapping[str, Any]) -> Result:
    """A result that ``dataclasses.asdict`` and JSON have been through."""
    given = {key: value for key, value in data.items() if key != "decisions_per_second"}
    return Result(**{**given, "values": tuple(data["values"])})


# -------------------------------------------------------------------------------------------------------------- measure


def command_of(subject: Subject, quick: bool) -> list[str]:
    """The process that measures it."""
    return [sys.executable, "-m", "benchmarks.peer_adapters", subject.name, *(["--quick"] if quick else [])]


def measured(subject: Subject, command: Sequence[str], seconds: float = LONGEST) -> Result:
    """Measure in a process of its own; whatever goes wrong there becomes the result."""

    def result(status: str, version: str = "", values: Sequence[float] = (), note: str = "") -> Result:
        where = (subject.library.title, version, subject.game, subject.kind.name)
        return Result(*where, status, tuple(values), note)

    if subject.missing:
        wanted = " ".join(library.distribution for library in subject.missing)
        return result(MISSING, note=f"pip install {wanted}")
    try:
        found = benchmark.report_of(command, ROOT, ONE_THREAD, seconds)
    except benchmark.ProcessError as problem:
        # The first line tells how the process ended, the last one which exception it was.
        lines = [line.strip() for line in str(problem).splitlines() if line.strip()]
        return result(FAILED, note=": ".join(dict.fromkeys((lines[0], lines[-1])))[:REASON_CHARACTERS])
    return result(MEASURED, found["version"], found["values"], found["note"])


def measure_all(chosen: Sequence[Subject], command: Callable[[Subject], Sequence[str]]) -> list[Result]:
    """Measure one after the other, with a progress bar."""
    results = []
    with cli.steps("peers", len(chosen)) as begin:
        for subject in chosen:
            begin(subject.name)
            results.append(measured(subject, command(subject)))
    return results


# ------------------------------------------------------------------------------------------------------------ the table


def ours_of(results: Sequence[Result], kind: str) -> dict[str, Result]:
    """Our measurements of a kind by game."""
    return {r.game: r for r in results if (r.library, r.kind, r.status) == (OURS, kind, MEASURED)}


def times(ours: Result | None, other: Result) -> str:
    """How many times as many decisions a second we make; empty if ours was not measured."""
    if ours is None:
        return ""
    ratio = ours.per_second / other.per_second
    return f"{ratio:,.0f}x" if ratio >= 10 else f"{ratio:.2g}x"


HEADER = ("", "game", "decisions/s", "time", *GAMES.values())
NUMBERS = range(2, 4 + len(GAMES))
"""The columns that are never wrapped or cut."""


def lines_of(results: Sequence[Result], kind: Kind) -> list[tuple[str, ...]]:
    """The lines of a kind, the cells as in ``HEADER``: ours first, then the others, what was not measured too."""
    ours = ours_of(results, kind.name)
    lines = []
    for r in results:
        if r.kind != kind.name:
            continue
        who = f"{r.library} {r.version}".strip()
        name = GAMES[r.game] if r.library == OURS else r.game
        what = f"{name}: {r.note}" if r.note else name
        if r.status != MEASURED:
            lines.append((who, what, "not installed" if r.status == MISSING else FAILED, "", *("" for _ in GAMES)))
            continue
        ratios = ["" if r.library == OURS else times(ours.get(game), r) for game in GAMES]
        lines.append((who, what, f"{r.per_second:,.0f}", f"{r.reference:,.0f} {kind.unit.name}", *ratios))
    return lines


def print_results(console: Console, results: Sequence[Result]) -> None:
    """Print one table, a section for each kind."""
    table = Table(title="Decisions a second on one core", title_justify="left")
    for k, column in enumerate(HEADER):
        number = k in NUMBERS
        # Names of games hold blanks where they may be broken; whatever is too long is folded, not cut.
        table.add_column(column, justify="right" if number else "left", no_wrap=number, overflow="fold")
    for kind in KINDS:
        lines = lines_of(results, kind)
        if lines:
            table.add_section()
            table.add_row("", f"[bold]{kind.title}[/]")
        for line in lines:
            table.add_row(*(escape(cell) for cell in line))
    console.print(table)
    console.print(
        f"at {benchmark.NUMBA_NS} ns a reference iteration (Python: {benchmark.PYTHON_NS:.0f} ns); "
        "2x under a game of ours: its view of the same kind makes twice as many decisions a second",
        soft_wrap=True,
    )


# --------------------------------------------------------------------------------------------------------- RESULTS.md

PREFACE = """# Our views beside other libraries

Written by `python -m benchmarks.peers --write`; not by hand.

Uniformly random play on one core. A decision counts only if it has at least two legal actions, in every library.
The time of a decision is divided by that of an iteration of a reference loop in the same process, compiled (`ref`)
or in Python (`Python ref`), because machines drift and this quotient hardly does. Decisions a second are for
{numba} ns a `ref` and {python:.0f} ns a `Python ref`. `2x` under a game of ours means that our view of the same
kind makes twice as many decisions a second. The other games are smaller or larger than ours: the ratios compare
what a trainer waits for, not the quality of the code. Our environments and Pgx's compiled call draw the action
themselves; for the others it is drawn in the cheapest way from Python. OpenSpiel's compiled loop is that of its
uniformly random bots, the one it offers to Python; a loop written in C++ without them is faster. Its tensors come as
lists.
"""


def markdown(report: Mapping[str, Any]) -> str:
    """The text of RESULTS.md for what `report_of_run` gave."""
    results = [result_from_json(data) for data in report["results"]]
    machine = report["machine"]
    parts = [PREFACE.format(numba=benchmark.NUMBA_NS, python=benchmark.PYTHON_NS)]
    versions = sorted({f"{r.library} {r.version}" for r in results if r.status == MEASURED})
    cores = f"{machine['cores']} cores, of which one is used"
    parts.append(
        f"{report['date']}; Python {machine['python']}, {machine['platform']}, {cores}. {', '.join(versions)}.\n"
    )
    parts.append(f"![decisions a second of each]({CHART.name})\n")
    for kind in KINDS:
        lines = lines_of(results, kind)
        if not lines:
            continue
        parts.append(f"## {kind.title[0].upper()}{kind.title[1:]}\n")
        rows = [HEADER, ("---", "---", "---:", "---:", *("---:" for _ in GAMES)), *lines]
        parts.append("\n".join("| " + " | ".join(c.replace("|", r"\|") for c in row) + " |" for row in rows) + "\n")
    return "\n".join(parts)


def bars_of(results: Sequence[Result]) -> list[tuple[Kind, list[Result]]]:
    """What the chart shows: of each kind that was measured the fastest first."""
    groups = []
    for kind in KINDS:
        bars = [r for r in results if r.kind == kind.name and r.status == MEASURED]
        if bars:
            groups.append((kind, sorted(bars, key=lambda r: r.reference)))
    return groups


def draw(report: Mapping[str, Any], path: Path) -> None:
    """Write the chart, an SVG file: bars on a logarithmic axis, ours in another colour."""
    import matplotlib
    from matplotlib.figure import Figure

    groups = bars_of([result_from_json(data) for data in report["results"]])
    sizes = [len(bars) + 1 for _, bars in groups]
    # Text as text keeps the file small.
    with matplotlib.rc_context({"svg.fonttype": "none", "font.size": 8}):
        figure = Figure(figsize=(8, 0.2 * sum(sizes) + 0.5), layout="constrained")
        axes = figure.subplots(len(groups), 1, sharex=True, squeeze=False, height_ratios=sizes)[:, 0]
        for ax, (kind, bars) in zip(axes, groups, strict=True):
            names = [GAMES[r.game] if r.library == OURS else f"{r.library}: {r.game}" for r in bars]
            colours = ["tab:orange" if r.library == OURS else "tab:blue" for r in bars]
            ax.barh(names, [r.per_second for r in bars], color=colours)
            ax.invert_yaxis()
            ax.set_xscale("log")
            ax.set_title(kind.title, loc="left", fontsize=8, fontweight="bold")
            ax.grid(axis="x", alpha=0.3)
        axes[-1].set_xlabel("decisions a second on one core")
        pictures.save(figure, path)


def report_of_run(results: Sequence[Result]) -> dict[str, Any]:
    """The run as JSON-ready values."""
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "machine": benchmark.machine(),
        "standard_ns": {kind.unit.name: kind.unit.seconds * 1e9 for kind in KINDS},
        "results": [
            {**asdict(r), **({"decisions_per_second": round(r.per_second)} if r.values else {})} for r in results
        ],
    }


def write_results(report: Mapping[str, Any]) -> None:
    """Write the figures, the chart and the page beside this file."""
    cli.write_json(FIGURES, report)
    draw(report, CHART)
    RESULTS.write_text(markdown(report), encoding="utf-8")


# -------------------------------------------------------------------------------------------------------------- the run


def run(chosen: Sequence[Subject], command: Callable[[Subject], Sequence[str]], file: Path | None, write: bool) -> int:
    """One run with its output; returns the exit status."""
    console = cli.new_console()
    results = measure_all(chosen, command)
    print_results(console, results)
    report = report_of_run(results)
    if file:
        cli.write_json(file, report)
        console.print(f"written: {file}", soft_wrap=True)
    if write:
        write_results(report)
        console.print(f"written: {RESULTS}", soft_wrap=True)
    return 1 if any(r.status == FAILED for r in results) else 0


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print, write; returns the exit status."""
    parser = argparse.ArgumentParser(prog="benchmarks.peers", description=__doc__, formatter_class=cli.HelpFormatter)
    parser.add_argument("--quick", action="store_true", help="shorter and fewer repetitions")
    parser.add_argument("--only", metavar="TEXT", help="what has this in its name, such as Pgx/ or /batch/")
    parser.add_argument("--list", action="store_true", help="print the names of all measurements and stop")
    parser.add_argument("--json", type=cli.output_file, metavar="FILE", help="write all figures to this file")
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name}, its figures and its chart")
    parser.add_argument("--redraw", action="store_true", help=f"measure nothing: {RESULTS.name} anew from its figures")
    given = parser.parse_args(argv)
    chosen = [subject for subject in subjects() if (given.only or "") in subject.name]
    if not chosen:
        parser.error(f"--only: {given.only!r} is in no name; --list prints them")
    if given.write and given.only:
        parser.error("--write: not with --only, the page holds all of them")
    if (given.write or given.redraw) and importlib.util.find_spec("matplotlib") is None:
        parser.error("--write, --redraw: the chart needs matplotlib: pip install 'matplotlib'")
    if given.list:
        print("\n".join(subject.name for subject in chosen))
        return 0
    if given.redraw:
        write_results(json.loads(FIGURES.read_text(encoding="utf-8")))
        return 0
    return cli.guarded(lambda: run(chosen, lambda subject: command_of(subject, given.quick), given.json, given.write))


if __name__ == "__main__":
    sys.exit(main())
