"""The speed of the core: ``python -m benchmarks.core [--quick] [--json FILE]``, from the root of the repository.

Every row is explained in ``island_core.benchmark``; targets hold for one core. Exit status: 0 if all targets are met, 1
if one is missed, 3 if the machine is not one to compare on.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from dracheninsel_env import dracheninsel_v0
from dracheninsel_env import selfplay as dracheninsel
from dracheninsel_env.actions import ACTIONS
from dracheninsel_env.observe import OBSERVATION, observe
from dracheninsel_env.options import DracheninselOptions, new_record
from dracheninsel_env.rules.engine import reset, step
from dracheninsel_env.state import STATE
from island_core import benchmark, cli, jit
from island_core.aec import RawEnv
from island_core.benchmark import BYTES, PYTHON_REF, REF, SECONDS, TIMES, Row, python_reference, timed
from island_core.benchmark_loops import clone_around, play_observed
from island_core.selfplay_report import SelfPlay

ROOT = Path(__file__).resolve().parent.parent

OWNER = "dracheninsel_env"
observed = jit.bind(
    play_observed, OWNER, "play_observed", SCALE=OBSERVATION.scale, reset=reset, step=step, observe=observe
)
clones = jit.bind(clone_around, OWNER, "clone_around")


@dataclass(frozen=True)
class Effort:
    """How long to measure: repetitions of a row, games a repetition, runs of a process."""

    repetitions: int
    games: int
    processes: int


FULL = Effort(repetitions=9, games=400, processes=3)
QUICK = Effort(repetitions=3, games=100, processes=1)
NOTHING = Effort(repetitions=0, games=1, processes=0)
"""Uses everything once."""

# ---------------------------------------------------------------------------------------------- rows inside the kernels


def core_play(effort: Effort) -> Row:
    """Random play of four, statistics of self-play included."""
    selfplay = SelfPlay(dracheninsel.SUBJECT, new_record(DracheninselOptions()), threads=1)
    work = selfplay.chunk_of(effort.games)
    return Row("core random play, 4 players", REF, timed(work, effort.repetitions), 80)


def core_observed(effort: Effort) -> Row:
    """The same with the deciding seat's observation and mask at every decision."""
    states = new_record(DracheninselOptions())
    counts = np.empty(OBSERVATION.size, np.int8)
    scaled = np.empty(OBSERVATION.size, np.float32)
    mask = np.empty(ACTIONS.size, np.int8)

    def work() -> int:
        return int(observed(states, 0, 0, max(1, effort.games // 4), counts, scaled, mask))

    return Row("core + float32 observation + int8 mask", REF, timed(work, effort.repetitions), 320)


def clone(effort: Effort) -> Row:
    """One game copied inside the kernels."""
    states = STATE.alloc(8)
    n = 5_000 * effort.games

    def work() -> int:
        clones(states, n)
        return n

    return Row("clone in the kernel", REF, timed(work, effort.repetitions), 60, target_ns=True)


def memory(effort: Effort) -> Row:
    """The size of the record."""
    return Row("memory a game", BYTES, [float(STATE.itemsize)], 2048)


def two_threads(effort: Effort) -> Row:
    """Self-play on two threads against one, wall time; best of five, since other work on the machine spoils it."""
    ratios = []
    record = new_record(DracheninselOptions())
    for _ in range(5):
        one, two = (
            SelfPlay(dracheninsel.SUBJECT, record, threads=threads).run(10 * effort.games) for threads in (1, 2)
        )
        ratios.append(two.decisions_per_second / one.decisions_per_second)
    return Row("two threads against one: self-play", TIMES, ratios, 1.8, at_least=True, best=True)


# ----------------------------------------------------------------------------------------- rows of the Python interface


def aec_work(env: RawEnv, games: int) -> Callable[[], int]:
    """Plays whole games with ``last()`` and ``step()``, the action picked in the kernel; counts real decisions."""

    def work() -> int:
        decisions = 0
        for game in range(games):
            env.reset(seed=game)
            for _ in env.agent_iter():
                _, _, termination, truncation, _ = env.last()
                if termination or truncation:
                    env.step(None)
                else:
                    env.step(env.sample_action())
                    decisions += 1
        return decisions

    return work


def raw_aec(effort: Effort) -> Row:
    """The bare AEC environment, ``last()`` and ``step()``."""
    work = aec_work(dracheninsel_v0.raw_env(num_players=4), max(1, effort.games // 40))
    return Row("raw_env, last() + step()", PYTHON_REF, timed(work, effort.repetitions, python_reference), 70)


def checked_aec(effort: Effort) -> Row:
    """The AEC environment with its checks, the same loop."""
    work = aec_work(dracheninsel_v0.env(num_players=4), max(1, effort.games // 40))
    return Row("env, last() + step()", PYTHON_REF, timed(work, effort.repetitions, python_reference), 110)


PYTHON_ROWS: tuple[Callable[[Effort], Row], ...] = (raw_aec, checked_aec)

# ---------------------------------------------------------------------------------------------- rows of whole processes

BARE = """
import time, gymnasium, numba, pettingzoo
print(time.process_time())
"""

FIRST_STEP = """
import time, gymnasium, numba, pettingzoo
from dracheninsel_env.options import DracheninselOptions, new_record
from dracheninsel_env.rules.engine import reset, step
states = new_record(DracheninselOptions())
reset(states, 0, 0, 0, 0)
word = next(j for j, word in enumerate(states["legal"][0]) if word)
step(states, 0, 64 * word + int(states["legal"][0][word]).bit_length() - 1)
print(time.process_time())
"""

FIRST_USE = """
import time
import numpy as np
from dracheninsel_env.observe import OBSERVATION, observe
from dracheninsel_env.options import DracheninselOptions, new_record
from dracheninsel_env.rules.engine import reset, step
from dracheninsel_env.selfplay import SUBJECT
from island_core.selfplay_report import SelfPlay
states = new_record(DracheninselOptions())
reset(states, 0, 0, 0, 0)
word = next(j for j, word in enumerate(states["legal"][0]) if word)
step(states, 0, 64 * word + int(states["legal"][0][word]).bit_length() - 1)
observe(states, 0, 0, np.empty(OBSERVATION.size, np.int8))
SelfPlay(SUBJECT, states).warm_up()
print(time.process_time())
"""


WARM = """
from benchmarks import core
for row in core.KERNEL_ROWS:
    row(core.NOTHING)
print(0)
"""


def processes(effort: Effort) -> list[Row]:
    """Compiling with an empty cache, then starting with a full one; CPU time of new processes."""
    compiled, started = [], []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(effort.processes):
            cache = {jit.ROOT_VARIABLE: str(Path(folder) / str(number))}
            compiled.append(benchmark.in_new_process(FIRST_USE, ROOT, cache))
        for _ in range(effort.processes):
            bare = benchmark.in_new_process(BARE, ROOT, cache)
            started.append(benchmark.in_new_process(FIRST_STEP, ROOT, cache) - bare)
    return [
        Row("first use, compiling (CPU)", SECONDS, compiled, 120),
        Row("import to first step, cached, beyond the bare import (CPU)", SECONDS, started, 1.0),
    ]


# -------------------------------------------------------------------------------------------------------------- the run

KERNEL_ROWS: tuple[Callable[[Effort], Row], ...] = (core_play, core_observed, clone)
OTHER_ROWS: tuple[Callable[[Effort], Row], ...] = (memory, two_threads)


def compile_ahead() -> None:
    """Fill the cache from another process.

    Machine code loaded from the cache, the usual case, is up to a fifth faster than the same code in the process that
    compiled it, where every kernel begins a page of memory of its own.
    """
    benchmark.in_new_process(WARM, ROOT, {})


def measure(effort: Effort) -> tuple[list[Row], list[float]]:
    """All rows, and the speed of the reference before and after them."""
    rows: list[Row] = []
    measured = KERNEL_ROWS + OTHER_ROWS + PYTHON_ROWS
    with cli.steps("dracheninsel", len(measured) + 2) as step_to, jit.compiling(lambda _: None):
        step_to("Compiling, if needed.")
        compile_ahead()
        references = [benchmark.numba_reference()]
        for row in measured:
            step_to((row.__doc__ or "").partition("\n")[0])
            rows.append(row(effort))
        step_to("Compiling and starting in processes of their own.")
        rows += processes(effort)
        references.append(benchmark.numba_reference())
    return rows, references


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print, write; returns the exit status."""
    parser = argparse.ArgumentParser(prog="benchmarks.core", description=__doc__, formatter_class=cli.HelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few repetitions, one process of each kind")
    parser.add_argument("--json", type=cli.output_file, metavar="FILE", help="write all figures to this file")
    given = parser.parse_args(argv)
    return cli.guarded(lambda: run(QUICK if given.quick else FULL, given.json))


def run(effort: Effort, file: Path | None) -> int:
    """One run with its output."""
    console: Console = cli.new_console()
    try:
        rows, references = measure(effort)
    except benchmark.VoidRunError as problem:
        print(f"void: {problem}", file=sys.stderr)
        return benchmark.VOID
    benchmark.print_rows(console, "Die Dracheninsel", rows)
    console.print(
        f"reference: {min(references):.2f} to {max(references):.2f} ns an iteration here; "
        f"times are at {benchmark.NUMBA_NS} ns (Python rows: {benchmark.PYTHON_NS:.0f} ns)",
        soft_wrap=True,
    )
    if file:
        cli.write_json(file, report(rows, references))
        console.print(f"written: {file}", soft_wrap=True)
    return 0 if all(row.passed is not False for row in rows) else 1


def report(rows: Sequence[Row], references: Sequence[float]) -> dict[str, Any]:
    """The run as JSON-ready values."""
    return {
        "game": "dracheninsel",
        "machine": {"platform": platform.platform(), "python": platform.python_version(), "cores": os.cpu_count()},
        "reference_ns": list(references),
        "standard_ns": {REF.name: benchmark.NUMBA_NS, PYTHON_REF.name: benchmark.PYTHON_NS},
        "rows": [row.to_json() for row in rows],
    }


if __name__ == "__main__":
    sys.exit(main())
