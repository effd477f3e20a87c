"""What the command lines of the games share: argument types, progress, tables and JSON files."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from island_core import jit
from island_core.errors import OptionError
from island_core.policies import KNOWN, resolve
from island_core.selfplay_report import SelfPlay, SelfPlayResult, Summary

INTERRUPTED = 130
"""The exit status after Ctrl-C."""

# ------------------------------------------------------------------------------------------------------------ arguments


class HelpFormatter(argparse.RawDescriptionHelpFormatter, argparse.ArgumentDefaultsHelpFormatter):
    """Leaves descriptions and examples as they are written, and tells the defaults, where there are any."""

    def _get_help_string(self, action: argparse.Action) -> str | None:
        return action.help if action.default is None else super()._get_help_string(action)


def integer(least: int, most: int | None = None) -> Callable[[str], int]:
    """An argument type: integers between two bounds, both included."""
    allowed = f"integers from {least} " + ("up" if most is None else f"to {most}")

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is no integer; allowed: {allowed}") from None
        if value < least or (most is not None and value > most):
            raise argparse.ArgumentTypeError(f"{value} is not allowed; allowed: {allowed}")
        return value

    return read


SEED = integer(0, 2**63 - 1)
"""The argument type of seeds."""


def output_file(text: str) -> Path:
    """An argument type: a file that can be written, checked before any work is done."""
    path = Path(text)
    if path.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is a folder; name a file in it")
    if not path.absolute().parent.is_dir():
        raise argparse.ArgumentTypeError(f"the folder {str(path.parent)!r} does not exist; create it first")
    if not os.access(path.absolute().parent, os.W_OK):
        raise argparse.ArgumentTypeError(f"the folder {str(path.parent)!r} cannot be written")
    return path


def shared_file(files: Mapping[str, Path | None]) -> str | None:
    """What is wrong if two of several options name one file, under whatever path; None if nothing is."""
    given = [(name, path) for name, path in files.items() if path is not None]
    for k, (name, path) in enumerate(given):
        for other, taken in given[:k]:
            linked = path.exists() and taken.exists() and path.samefile(taken)
            if linked or path.resolve() == taken.resolve():
                return f"arguments {other} and {name}: both name the file {str(path)!r}; allowed: a file for each"
    return None


def player_name(text: str) -> int:
    """An argument type: ``player_0``, ``player_1``, ...; gives the seat."""
    word, _, number = text.rpartition("_")
    if word != "player" or not number.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no player; players are player_0, player_1, ...")
    return int(number)


def policy_names(text: str) -> list[str]:
    """An argument type: names of policies, with commas between them."""
    names = [name.strip() for name in text.split(",")]
    for name in names:
        try:
            resolve(name, "policy")
        except OptionError:
            raise argparse.ArgumentTypeError(f"there is no policy {name!r}; known: {KNOWN}") from None
    return names


def write_json(path: Path, data: Mapping[str, Any]) -> None:
    """Write a JSON file whole or not at all."""
    write_text(path, json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a file in UTF-8 whole or not at all: a temporary file beside it takes its name at the end."""
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.absolute().parent)
    except OSError as error:
        # The file that was asked for, not the temporary one.
        raise type(error)(error.errno, error.strerror, str(path)) from None
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
        # mkstemp lets nobody but the owner read; a file written in the usual way obeys the umask.
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


# ------------------------------------------------------------------------------------------------------------- progress


def new_console() -> Console:
    """The console for results: colours on a terminal, plain text, ``COLUMNS`` or 120 wide, in a pipe."""
    console = Console(highlight=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = 120
    return console


def _progress(*columns: Any) -> Progress:
    """A progress display on the standard error stream; nothing if that is no terminal."""
    console = Console(stderr=True)
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


class Compiled:
    """What `compiling` saw: the number of kernels compiled, and the seconds it took."""

    def __init__(self) -> None:
        self.kernels = 0
        self.seconds = 0.0


@contextlib.contextmanager
def compiling(game: str) -> Iterator[Compiled]:
    """Show what is being compiled inside the ``with`` block; without a terminal one line says that it happens."""
    compiled = Compiled()
    start = time.perf_counter()
    display = _progress(SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with display:
        task = display.add_task(f"{game}: loading", total=None)

        def told(name: str) -> None:
            if compiled.kernels == 0 and display.disable:
                print(f"{game}: compiling, once; later starts use the cache", file=sys.stderr, flush=True)
            compiled.kernels += 1
            short = name.partition(".")[2]
            display.update(task, description=f"{game}: compiling, once: {compiled.kernels} kernels, {short}")

        with jit.compiling(told):
            yield compiled
    compiled.seconds = time.perf_counter() - start


def warm_up(console: Console, game: str, entries: Sequence[tuple[str, Callable[[], object]]]) -> None:
    """Compile, or load, each entry point by using it once, and say how long it took."""
    with compiling(game) as compiled:
        for _, use in entries:
            use()
    names = ", ".join(name for name, _ in entries)
    if compiled.kernels:
        console.print(f"{game}: {compiled.kernels} kernels compiled in {compiled.seconds:.1f} s ({names})")
    elif jit.JIT_ENABLED:
        console.print(f"{game}: everything was in the cache, loaded in {compiled.seconds:.1f} s ({names})")
    else:
        console.print(f"{game}: the jit is off (NUMBA_DISABLE_JIT), nothing to compile")


def play(game: str, selfplay: SelfPlay, games: int) -> SelfPlayResult:
    """Compile if needed, then play with a progress bar."""
    with compiling(game):
        selfplay.warm_up()
    display = _progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn()
    )
    with display:
        task = display.add_task(f"{game}: playing", total=games)
        return selfplay.run(games, lambda finished: display.advance(task, finished))


TOLD_EVERY = 10.0
"""Seconds between two lines about the progress where there is no terminal."""


@contextlib.contextmanager
def playing(game: str, games: int) -> Iterator[Callable[[int], None]]:
    """A progress bar with an estimate of the time left; the block calls what it is given with numbers of games that
    have ended, first with that of the games that were known before. Without a terminal a line tells it now and then.
    """
    start = time.perf_counter()
    told, done, known = start, 0, -1
    display = _progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn()
    )
    with display:
        task = display.add_task(f"{game}: playing", total=games)

        def ended(number: int) -> None:
            nonlocal told, done, known
            done += number
            now = time.perf_counter()
            if known < 0:
                known = number
                # Games of an earlier run would make the estimate too short.
                display.reset(task, completed=number)
            else:
                display.advance(task, number)
            if display.disable and now - told >= TOLD_EVERY and done > known:
                told = now
                left = (games - done) * (now - start) / (done - known)
                print(f"{game}: {done:,} of {games:,} games, about {left:,.0f} s left", file=sys.stderr, flush=True)

        yield ended


@contextlib.contextmanager
def steps(title: str, count: int) -> Iterator[Callable[[str], None]]:
    """A progress bar of several steps; the block calls what it is given with the name of each step it begins."""
    with _progress(BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}")) as display:
        task = display.add_task(title, total=count)
        begun = 0

        def begin(name: str) -> None:
            nonlocal begun
            display.update(task, completed=begun, description=f"{title}: {name}")
            begun += 1

        yield begin


def guarded(run: Callable[[], int]) -> int:
    """Run a command; Ctrl-C ends it with a word instead of a traceback, a closed pipe without one."""
    try:
        return run()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Nobody reads any more. Python would complain when it flushes the stream at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


# --------------------------------------------------------------------------------------------------------------- tables


def new_table(title: str, *columns: str) -> Table:
    """A table whose first column is words and all others are numbers."""
    table = Table(title=title, title_justify="left")
    for k, column in enumerate(columns):
        table.add_column(column, justify="left" if k == 0 else "right", no_wrap=True)
    return table


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == round(value) else f"{value:,.2f}"


def speed_table(result: SelfPlayResult) -> Table:
    """How fast it was and how the games ended."""
    table = new_table("Games", "", "")
    table.show_header = False
    cores = "thread" if result.threads == 1 else "threads"
    table.add_row("games", f"{result.games:,}")
    table.add_row("seconds", f"{result.seconds:,.2f} ({result.threads} {cores})")
    table.add_row("games a second", f"{result.games_per_second:,.0f}")
    table.add_row("decisions with a choice", f"{result.decisions:,}")
    table.add_row("decisions a second", f"{result.decisions_per_second:,.0f}")
    table.add_row("decisions a game", f"{result.decisions / result.games:,.1f}")
    table.add_row("the same, forced ones too", f"{result.asked / result.games:,.1f}")
    for name, count in result.outcomes.items():
        table.add_row(f"ended: {name}", f"{count:,} ({count / result.games:.1%})")
    return table


def summary_table(title: str, columns: Mapping[str, Summary]) -> Table:
    """How figures are distributed over the games."""
    table = new_table(title, "a game", "mean", "least", "5 %", "median", "95 %", "most")
    for name, s in columns.items():
        quantiles = s.quantiles
        shown = (s.mean, s.least, quantiles["0.05"], s.median, quantiles["0.95"], s.most)
        table.add_row(name, *map(_number, shown))
    return table


def seat_table(result: SelfPlayResult, score: str) -> Table:
    """Scores and wins of each seat."""
    table = new_table("Seats", "", f"mean {score}", "share of wins", "95 % interval")
    for seat, (mean, win) in enumerate(zip(result.scores, result.wins, strict=True)):
        table.add_row(f"player_{seat}", f"{mean:,.2f}", f"{win.share:.2%}", f"{win.low:.2%} to {win.high:.2%}")
    return table


def count_table(title: str, counts: Mapping[str, int], games: int) -> Table:
    """How often each of several things came up."""
    table = new_table(title, "", "times", "share", "a game")
    total = max(1, sum(counts.values()))
    for name, count in counts.items():
        table.add_row(name, f"{count:,}", f"{count / total:.2%}", f"{count / games:,.2f}")
    return table
