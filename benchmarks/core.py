"""The speed of the core: ``python -m benchmarks.core [--quick] [--json FILE]``, from the root of the repository.

Every row is explained in ``island_core.benchmark``; targets hold for one core. Exit status: 0 if all targets are met, 1
if one is missed, 3 if the machine is not one to compare on.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from dracheninsel_env import dracheninsel_v0
from dracheninsel_env import options as dracheninsel_options
from dracheninsel_env import selfplay as dracheninsel_selfplay
from isla_dorada_env import isla_dorada_v0
from isla_dorada_env import options as isla_dorada_options
from isla_dorada_env import selfplay as isla_dorada_selfplay
from island_core import benchmark, cli, jit
from island_core.aec import RawEnv
from island_core.batch import BatchEnv
from island_core.benchmark import BYTES, PYTHON_REF, REF, SECONDS, TIMES, Row, python_reference, timed
from island_core.benchmark_loops import clone_around, determinize_around, play_observed
from island_core.layout import States
from island_core.position import Position
from island_core.search import Search
from island_core.selfplay_report import SelfPlay
from island_core.vector import VectorEnv

ROOT = Path(__file__).resolve().parent.parent


class Game:
    """A game to be measured: its modules, the targets that differ from game to game, its kernels of this benchmark."""

    def __init__(
        self, title: str, version: Any, options: Any, selfplay: Any, *, core: float, observed: float, batch: float
    ) -> None:
        self.title = title
        self.version = version
        self.spec = version.Game.spec
        self.options = options
        self.subject = selfplay.SUBJECT
        self.core = core
        """Reference iterations a decision: the target of core random play."""
        self.observed = observed
        """The same with observation and mask."""
        self.batch = batch
        """The same for many games at once, with observation, mask and sampler."""
        rules = self.spec.rules
        self.play_observed = jit.bind(
            play_observed,
            self.spec.package,
            "play_observed",
            SCALE=self.spec.observation.scale,
            reset=rules.reset,
            step=rules.step,
            observe=rules.observe,
        )
        self.clones = jit.bind(clone_around, self.spec.package, "clone_around")
        self.redraws = jit.bind(determinize_around, self.spec.package, "determinize_around")

    def new_record(self) -> States:
        """A record with the default options: four players."""
        states: States = self.options.new_record(self.spec.options())
        return states


GAMES = {
    "dracheninsel": Game(
        "Die Dracheninsel",
        dracheninsel_v0,
        dracheninsel_options,
        dracheninsel_selfplay,
        core=80,
        observed=320,
        batch=500,
    ),
    "isla_dorada": Game(
        "Isla Dorada",
        isla_dorada_v0,
        isla_dorada_options,
        isla_dorada_selfplay,
        core=60,
        observed=240,
        batch=330,
    ),
}


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


def core_play(game: Game, effort: Effort) -> Row:
    """Random play of four, statistics of self-play included."""
    selfplay = SelfPlay(game.subject, game.new_record(), threads=1)
    work = selfplay.chunk_of(effort.games)
    return Row("core random play, 4 players", REF, timed(work, effort.repetitions), game.core)


def core_observed(game: Game, effort: Effort) -> Row:
    """The same with the deciding seat's observation and mask at every decision."""
    return observed(game, effort, "core + float32 observation + int8 mask", False, game.observed)


def core_forced(game: Game, effort: Effort) -> Row:
    """The same where also what has a single answer is looked at; only decisions count."""
    return observed(game, effort, "the same, forced actions observed too", True, None)


def observed(game: Game, effort: Effort, name: str, forced: bool, target: float | None) -> Row:
    """Random play with observations and masks."""
    states = game.new_record()
    counts = np.empty(game.spec.observation.size, np.int8)
    scaled = np.empty(game.spec.observation.size, np.float32)
    mask = np.empty(game.spec.actions.size, np.int8)

    def work() -> int:
        return int(game.play_observed(states, 0, 0, max(1, effort.games // 4), forced, counts, scaled, mask))

    return Row(name, REF, timed(work, effort.repetitions), target)


def clone(game: Game, effort: Effort) -> Row:
    """One game copied inside the kernels."""
    states = game.spec.layout.alloc(8)
    n = 5_000 * effort.games

    def work() -> int:
        game.clones(states, n)
        return n

    return Row("clone in the kernel", REF, timed(work, effort.repetitions), 60, target_ns=True)


WITH_BIDS = ("bid", "amount", "oveto", "pay")
"""Decisions at which bids say something of hands."""


def some_positions(game: Game, number: int) -> list[Position]:
    """Positions of random play of four in which no bid is pending, every tenth decision."""
    found: list[Position] = []
    pick = np.random.default_rng(0)
    position = game.version.Game(num_players=4).new(0)
    for step in itertools.count():
        if len(found) == number:
            break
        if position.is_over:
            position = game.version.Game(num_players=4).new(step)
        if step % 10 == 0 and position.decision not in WITH_BIDS:
            found.append(position.clone())
        position.step(position.sample(pick))
    return found


def determinize(game: Game, effort: Effort) -> Row:
    """What the deciding seat does not know redrawn inside the kernels, where no bid says anything; a copy included."""
    positions = some_positions(game, 64)
    states = game.spec.layout.alloc(len(positions) + 1)
    for k, position in enumerate(positions):
        states[k] = position.states[0]
    place = jit.address(game.spec.rules.determinize, states, 0, 0, 0)
    n = 100 * effort.games

    def work() -> int:
        game.redraws(states, len(positions), place, n)
        return n

    return Row("determinize in the kernel", REF, timed(work, effort.repetitions), 5_000, target_ns=True)


def play_batch(env: BatchEnv | VectorEnv, steps: int) -> None:
    """Play so many steps with sampled actions, from the same deals each time."""
    env.reset(seed=0)
    for _ in range(steps):
        env.step(env.sample_actions())


def batch_work(env: BatchEnv, steps: int) -> Callable[[], int]:
    """Plays a batch; counts decisions with a choice."""
    # Counting takes as long as playing; it is the same games each time.
    decisions = 0
    env.reset(seed=0)
    for _ in range(steps):
        decisions += int(np.count_nonzero(env.action_mask.sum(axis=1) > 1))
        env.step(env.sample_actions())

    def work() -> int:
        play_batch(env, steps)
        return decisions

    return work


def batch(game: Game, effort: Effort) -> Row:
    """Many games at once, with the int8 observation, the mask and the sampler."""
    env = game.version.batch_env(512, obs_dtype="int8", copy=False)
    work = batch_work(env, effort.games)
    name = "batch_env, 512 games, int8 observation + mask + sampler"
    return Row(name, REF, timed(work, effort.repetitions), game.batch)


def vector_work(env: VectorEnv, steps: int) -> Callable[[], int]:
    """Plays so many steps with sampled actions; counts the learners' decisions, forced ones too."""

    def work() -> int:
        play_batch(env, steps)
        return steps * env.num_envs

    return work


def vector(game: Game, effort: Effort) -> Row:
    """One seat in each of many games, opponents at random inside the kernels; the learners' decisions."""
    env = game.version.VectorEnv(512, obs_dtype="int8", copy=False)
    work = vector_work(env, max(1, effort.games // 4))
    return Row("make_vec, 512 games, one seat's decisions", REF, timed(work, effort.repetitions), None)


def search_work(search: Search, number: int) -> Callable[[], int]:
    """Searches in so many positions, every twentieth of random play; counts decisions with a choice simulated."""
    generator = np.random.default_rng(0)
    positions: list[Position] = []
    position = search.game.new(0)
    while len(positions) < number:
        for _ in range(20):
            if position.is_over:
                position = search.game.new(len(positions))
            position.step(position.sample(generator))
        if position.mask().sum() > 1:
            positions.append(position.clone())

    def work() -> int:
        return sum(search.run(position).decisions for position in positions)

    return work


def search(game: Game, effort: Effort) -> Row:
    """Search with its defaults but for random rollouts: a simulated decision, all overhead included."""
    subject = Search(game.version.Game(num_players=4), rollout="random")
    work = search_work(subject, max(2, effort.games // 4))
    return Row("search, random rollouts, a simulated decision", REF, timed(work, effort.repetitions), 325)


def search_to_the_end(game: Game, effort: Effort) -> Row:
    """The same without a cut."""
    subject = Search(game.version.Game(num_players=4), rollout="random", cut=None, simulations=50)
    work = search_work(subject, max(2, effort.games // 40))
    return Row("the same, rollouts to the end, 50 simulations", REF, timed(work, effort.repetitions), 325)


def two_threads_batch(game: Game, effort: Effort) -> Row:
    """A batch of 1,024 on two threads against one, wall time; best of five."""
    ratios = []
    steps = max(1, effort.games // 4)
    envs = [game.version.batch_env(1024, obs_dtype="int8", copy=False, threads=threads) for threads in (1, 2)]
    for env in envs:
        play_batch(env, steps)
    for _ in range(5):
        seconds = []
        for env in envs:
            start = time.perf_counter()
            play_batch(env, steps)
            seconds.append(time.perf_counter() - start)
        ratios.append(seconds[0] / seconds[1])
    for env in envs:
        env.close()
    return Row("two threads against one: batch of 1,024", TIMES, ratios, 1.2, at_least=True, best=True)


def memory(game: Game, effort: Effort) -> Row:
    """The size of the record."""
    return Row("memory a game", BYTES, [float(game.spec.layout.itemsize)], 2048)


def two_threads(game: Game, effort: Effort) -> Row:
    """Self-play on two threads against one, wall time; best of five, since other work on the machine spoils it."""
    ratios = []
    record = game.new_record()
    for _ in range(5):
        one, two = (SelfPlay(game.subject, record, threads=threads).run(10 * effort.games) for threads in (1, 2))
        ratios.append(two.decisions_per_second / one.decisions_per_second)
    return Row("two threads against one: self-play", TIMES, ratios, 1.8, at_least=True, best=True)


# ----------------------------------------------------------------------------------------- rows of the Python interface


def aec_work(env: RawEnv, games: int) -> Callable[[], int]:
    """Plays whole games with ``last()`` and ``step()``, the action picked in the kernel; counts those with a choice."""
    # Counting would take time; it is the same games each time.
    decisions = 0
    for game in range(games):
        env.reset(seed=game)
        while (action := env.sample_action()) is not None:
            decisions += int(env.position.mask().sum() > 1)
            env.step(action)

    def work() -> int:
        for game in range(games):
            env.reset(seed=game)
            for _ in env.agent_iter():
                _, _, termination, truncation, _ = env.last()
                env.step(None if termination or truncation else env.sample_action())
        return decisions

    return work


def raw_aec(game: Game, effort: Effort) -> Row:
    """The bare AEC environment, ``last()`` and ``step()``."""
    work = aec_work(game.version.raw_env(num_players=4), max(1, effort.games // 40))
    return Row("raw_env, last() + step()", PYTHON_REF, timed(work, effort.repetitions, python_reference), 70)


def checked_aec(game: Game, effort: Effort) -> Row:
    """The AEC environment with its checks, the same loop."""
    work = aec_work(game.version.env(num_players=4), max(1, effort.games // 40))
    return Row("env, last() + step()", PYTHON_REF, timed(work, effort.repetitions, python_reference), 110)


def position_work(game: Any, games: int) -> Callable[[], int]:
    """Plays whole games with ``legal_actions()`` and ``step()`` of a position; counts decisions with a choice."""

    def work() -> int:
        pick = random.Random(0).random
        decisions = 0
        for seed in range(games):
            position = game.new(seed)
            while not position.is_over:
                legal = position.legal_actions()
                decisions += len(legal) > 1
                position.step(legal[int(pick() * len(legal))])
        return decisions

    return work


def position(game: Game, effort: Effort) -> Row:
    """A position, its legal actions listed at each step."""
    work = position_work(game.version.Game(num_players=4), max(1, effort.games // 40))
    return Row("Position, legal_actions() + step()", PYTHON_REF, timed(work, effort.repetitions, python_reference))


def clone_with_seed(game: Game, effort: Effort) -> Row:
    """A position copied with another future."""
    positions = some_positions(game, 64)
    rounds = 5 * effort.games

    def work() -> int:
        for seed in range(rounds):
            for position in positions:
                position.clone(seed)
        return rounds * len(positions)

    values = timed(work, effort.repetitions, python_reference)
    return Row("Position, clone(seed)", PYTHON_REF, values, 1_500, target_ns=True)


PYTHON_ROWS: tuple[Callable[[Game, Effort], Row], ...] = (raw_aec, checked_aec, position, clone_with_seed)

# ---------------------------------------------------------------------------------------------- rows of whole processes

BARE = """
import time, gymnasium, numba, pettingzoo
print(time.process_time())
"""

FIRST_STEP = """
import time, gymnasium, numba, pettingzoo
from {package}.options import new_record
from {package}.game import SPEC
states = new_record(SPEC.options())
SPEC.rules.reset(states, 0, 0, 0, 0)
word = next(j for j, word in enumerate(states["legal"][0]) if word)
SPEC.rules.step(states, 0, 64 * word + int(states["legal"][0][word]).bit_length() - 1)
print(time.process_time())
"""

FIRST_USE = """
import time
import numpy as np
from {package}.game import SPEC
from {package}.options import new_record
from {package}.selfplay import SUBJECT
from island_core.search import Search
from island_core.selfplay_report import SelfPlay
states = new_record(SPEC.options())
SPEC.rules.reset(states, 0, 0, 0, 0)
word = next(j for j, word in enumerate(states["legal"][0]) if word)
SPEC.rules.step(states, 0, 64 * word + int(states["legal"][0][word]).bit_length() - 1)
SPEC.rules.observe(states, 0, 0, np.empty(SPEC.observation.size, np.int8))
SelfPlay(SUBJECT, states).warm_up()
print(time.process_time())
"""

FURTHER_VIEW = """
import time
from {package} import {version}
before = time.process_time()
env = {version}.batch_env(8)
env.reset(seed=0)
env.step(env.sample_actions())
env.observe_all()
print(time.process_time() - before)
"""


WARM = """
from benchmarks import core
for row in core.KERNEL_ROWS:
    row(core.GAMES["{name}"], core.NOTHING)
print(0)
"""


def processes(game: Game, effort: Effort) -> list[Row]:
    """Compiling with an empty cache, then starting with a full one; CPU time of new processes."""
    compiled, further, started = [], [], []
    package, version = game.version.__name__.split(".")
    first_use, further_view, first_step = (
        text.format(package=package, version=version) for text in (FIRST_USE, FURTHER_VIEW, FIRST_STEP)
    )
    with tempfile.TemporaryDirectory() as folder:
        for number in range(effort.processes):
            cache = {jit.ROOT_VARIABLE: str(Path(folder) / str(number))}
            compiled.append(benchmark.in_new_process(first_use, ROOT, cache))
            further.append(benchmark.in_new_process(further_view, ROOT, cache))
        for _ in range(effort.processes):
            bare = benchmark.in_new_process(BARE, ROOT, cache)
            started.append(benchmark.in_new_process(first_step, ROOT, cache) - bare)
    return [
        Row("first use, compiling (CPU)", SECONDS, compiled, 120),
        Row("a further view, batch_env, compiling (CPU)", SECONDS, further, 10),
        Row("import to first step, cached, beyond the bare import (CPU)", SECONDS, started, 1.0),
    ]


# -------------------------------------------------------------------------------------------------------------- the run

KERNEL_ROWS: tuple[Callable[[Game, Effort], Row], ...] = (
    core_play,
    core_observed,
    core_forced,
    clone,
    determinize,
    batch,
    vector,
    search,
    search_to_the_end,
)
OTHER_ROWS: tuple[Callable[[Game, Effort], Row], ...] = (memory, two_threads, two_threads_batch)


def compile_ahead(game: Game) -> None:
    """Fill the cache from another process.

    Machine code loaded from the cache, the usual case, is up to a fifth faster than the same code in the process that
    compiled it, where every kernel begins a page of memory of its own.
    """
    benchmark.in_new_process(WARM.format(name=game.spec.name), ROOT, {})


def measure(game: Game, effort: Effort) -> tuple[list[Row], list[float]]:
    """All rows, and the speed of the reference before and after them."""
    rows: list[Row] = []
    measured = KERNEL_ROWS + OTHER_ROWS + PYTHON_ROWS
    with cli.steps(game.spec.name, len(measured) + 2) as step_to, jit.compiling(lambda _: None):
        step_to("Compiling, if needed.")
        compile_ahead(game)
        references = [benchmark.numba_reference()]
        for row in measured:
            step_to((row.__doc__ or "").partition("\n")[0])
            rows.append(row(game, effort))
        step_to("Compiling and starting in processes of their own.")
        rows += processes(game, effort)
        references.append(benchmark.numba_reference())
    return rows, references


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print, write; returns the exit status."""
    parser = argparse.ArgumentParser(prog="benchmarks.core", description=__doc__, formatter_class=cli.HelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few repetitions, one process of each kind")
    parser.add_argument("--game", choices=tuple(GAMES), help="this game alone, by default both")
    parser.add_argument("--json", type=cli.output_file, metavar="FILE", help="write all figures to this file")
    given = parser.parse_args(argv)
    games = [GAMES[given.game]] if given.game else list(GAMES.values())
    return cli.guarded(lambda: run(games, QUICK if given.quick else FULL, given.json))


def run(games: Sequence[Game], effort: Effort, file: Path | None) -> int:
    """One run with its output."""
    console: Console = cli.new_console()
    reports = []
    passed = True
    for game in games:
        try:
            rows, references = measure(game, effort)
        except benchmark.VoidRunError as problem:
            print(f"void: {problem}", file=sys.stderr)
            return benchmark.VOID
        benchmark.print_rows(console, game.title, rows)
        console.print(
            f"reference: {min(references):.2f} to {max(references):.2f} ns an iteration here; "
            f"times are at {benchmark.NUMBA_NS} ns (Python rows: {benchmark.PYTHON_NS:.0f} ns)",
            soft_wrap=True,
        )
        reports.append(
            {"game": game.spec.name, "reference_ns": list(references), "rows": [row.to_json() for row in rows]}
        )
        passed &= all(row.passed is not False for row in rows)
    if file:
        cli.write_json(file, report(reports))
        console.print(f"written: {file}", soft_wrap=True)
    return 0 if passed else 1


def report(games: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The run as JSON-ready values."""
    return {
        "machine": benchmark.machine(),
        "standard_ns": {REF.name: benchmark.NUMBA_NS, PYTHON_REF.name: benchmark.PYTHON_NS},
        "games": list(games),
    }


if __name__ == "__main__":
    sys.exit(main())
