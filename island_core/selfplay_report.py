"""Self-play on all cores and what comes out of it as figures: `SelfPlay` runs, `SelfPlayResult` tells."""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from island_core import jit
from island_core.actions import ActionTable
from island_core.decisions import NATURAL, TRUNCATED
from island_core.layout import States
from island_core.selfplay import POLICIES, alloc_rows, play_games
from island_core.spec import GameSpec

CHUNK_SECONDS = 0.2
"""About how long one call into the kernels plays: short enough to show progress and to stop soon."""

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)

Z = 1.959963984540054
"""The two-sided 95 % point of the normal distribution."""


@dataclass(frozen=True)
class Subject:
    """A game as self-play needs it.

    Attributes
    ----------
    play:
        the game's bound ``selfplay.play_games``.
    advise_for:
        gives the address of the game's ``advise`` for a policy that asks it, see `selfplay.decide`.
    copy:
        copies an array of records.
    decisions:
        the name of each kind of decision by number; an empty name is none.
    actions:
        the table of actions.
    columns:
        names of the game's own figures; the first is the length of a game.
    outcomes:
        names of the outcomes by number.
    """

    play: Any
    advise_for: Callable[[int], Any]
    copy: Callable[[States], States]
    decisions: tuple[str, ...]
    actions: ActionTable
    columns: tuple[str, ...]
    outcomes: Mapping[int, str]


def make_subject(spec: GameSpec, tally: Any, columns: tuple[str, ...]) -> Subject:
    """A game as self-play needs it; ``tally(states, i, row)`` is a kernel that fills the game's own columns."""
    rules = spec.rules
    play = jit.bind(
        play_games,
        spec.package,
        "play_games",
        PASSIVE=spec.actions.passive,
        reset=rules.reset,
        step=rules.step,
        standing=rules.standing,
        tally=tally,
    )
    outcomes = {NATURAL: "natural", TRUNCATED: "truncated"}
    return Subject(play, spec.advise_for, spec.layout.copy, spec.decisions, spec.actions, columns, outcomes)


@dataclass(frozen=True)
class Summary:
    """How a figure is distributed over the games."""

    mean: float
    median: float
    least: float
    most: float
    quantiles: dict[str, float]

    @classmethod
    def of(cls, values: NDArray[Any]) -> Summary:
        """Summarise at least one value."""
        quantiles = {f"{q:g}": float(np.quantile(values, q)) for q in QUANTILES}
        return cls(float(values.mean()), float(np.median(values)), float(values.min()), float(values.max()), quantiles)


@dataclass(frozen=True)
class Share:
    """A share with its 95 % confidence interval."""

    share: float
    low: float
    high: float


def wilson(share: float, count: int) -> Share:
    """Wilson's score interval for a share of ``count`` games; for wins shared among several it is on the safe side."""
    spread = Z * Z / count
    centre = (share + spread / 2) / (1 + spread)
    half = math.sqrt(share * (1 - share) * spread + spread * spread / 4) / (1 + spread)
    return Share(share, max(0.0, centre - half), min(1.0, centre + half))


@dataclass(frozen=True)
class SelfPlayResult:
    """What many games were like.

    Attributes
    ----------
    policy, seed, players, threads, games:
        what was played.
    seconds:
        wall time of playing, without compiling.
    decisions:
        decisions with at least two legal actions.
    asked:
        all decisions.
    length:
        the length of the games; the first column of ``columns`` names its unit.
    outcomes:
        games by how they ended.
    scores, wins:
        mean score and share of the wins of each seat.
    columns:
        the game's own figures.
    decision_kinds:
        all decisions by kind.
    blocks:
        actions chosen by block of the action table.
    actions:
        actions chosen by id.
    """

    policy: str
    seed: int
    players: int
    threads: int
    games: int
    seconds: float
    decisions: int
    asked: int
    length: Summary
    outcomes: dict[str, int]
    scores: list[float]
    wins: list[Share]
    columns: dict[str, Summary]
    decision_kinds: dict[str, int]
    blocks: dict[str, int]
    actions: list[int]

    @property
    def decisions_per_second(self) -> float:
        """Decisions with at least two legal actions a second, on all threads together."""
        return self.decisions / self.seconds

    @property
    def games_per_second(self) -> float:
        """Games a second, on all threads together."""
        return self.games / self.seconds

    def to_json(self) -> dict[str, Any]:
        """Everything as JSON-ready values."""
        rates = {"decisions_per_second": self.decisions_per_second, "games_per_second": self.games_per_second}
        return {**asdict(self), **rates}


class SelfPlay:
    """Plays games of one kind on several threads; the kernels run without the interpreter's lock.

    Arguments
    ---------
    subject:
        the game.
    states:
        an array of one record with the options; it is copied.
    policy:
        one of ``selfplay.POLICIES``.
    threads:
        how many, by default one for each core this process may use.
    chunk:
        games a call into the kernels, by default as many as take about ``CHUNK_SECONDS``.
    """

    def __init__(
        self,
        subject: Subject,
        states: States,
        policy: str = "random",
        seed: int = 0,
        threads: int | None = None,
        chunk: int | None = None,
    ) -> None:
        if policy not in POLICIES:
            raise ValueError(f"policy={policy!r}; allowed: {', '.join(map(repr, POLICIES))}")
        if threads is not None and threads < 1:
            raise ValueError(f"threads={threads}; allowed: integers from 1 up")
        if chunk is not None and chunk < 1:
            raise ValueError(f"chunk={chunk}; allowed: integers from 1 up")
        self.subject = subject
        self.policy = policy
        self.seed = seed
        self.threads = threads or cores()
        self._states = subject.copy(states)
        self._chunk = chunk

    def warm_up(self) -> None:
        """Compile, or load, what is needed, so that `run` measures playing alone."""
        self._play(self.subject.copy(self._states), 0, self._counts(0))

    def run(self, games: int, progress: Callable[[int], None] = lambda games: None) -> SelfPlayResult:
        """Play the games number 0 to ``games - 1``; ``progress(n)`` is told of n more that are finished.

        KeyboardInterrupt stops all threads after their call into the kernels and is raised again.
        """
        counts, seconds = self._played(games, progress)
        return self._result(counts, games, seconds)

    def rows(self, games: int) -> tuple[Any, NDArray[np.int64]]:
        """Play as `run` does and give the rows of the games (`selfplay.ROW`), ``[games]``, and the game's own figures,
        ``int64[games, columns]``.
        """
        counts, _ = self._played(games, lambda games: None)
        return counts.rows, counts.tallies

    def _played(self, games: int, progress: Callable[[int], None]) -> tuple[_Counts, float]:
        """What came out of the games, and the seconds that playing took."""
        if games < 1:
            raise ValueError(f"games={games}; allowed: integers from 1 up")
        self.warm_up()
        run = _Run(self, games, progress)
        start = time.perf_counter()
        run.play()
        return run.counts, time.perf_counter() - start

    def chunk_of(self, games: int) -> Callable[[], int]:
        """One call into the kernels that plays ``games`` games, for timing: it gives the decisions with a choice."""
        states = self.subject.copy(self._states)
        counts = self._counts(games)

        def work() -> int:
            self._play(states, 0, counts)
            return int(counts.rows["decisions"].sum())

        return work

    def _counts(self, games: int) -> _Counts:
        subject = self.subject
        return _Counts(
            rows=alloc_rows(games),
            tallies=np.zeros((games, len(subject.columns)), np.int64),
            asked=np.zeros(len(subject.decisions), np.int64),
            taken=np.zeros(subject.actions.size, np.int64),
        )

    def _play(self, states: States, first: int, counts: _Counts) -> None:
        policy = POLICIES.index(self.policy)
        count = len(counts.rows)
        self.subject.play(
            states,
            self.seed,
            first,
            count,
            policy,
            self.subject.advise_for(policy),
            counts.rows,
            counts.tallies,
            counts.asked,
            counts.taken,
        )

    def _result(self, counts: _Counts, games: int, seconds: float) -> SelfPlayResult:
        subject = self.subject
        rows = counts.rows
        players = int(self._states["num_players"][0])
        shares = rows["winner_share"].mean(axis=0)
        columns = {name: Summary.of(counts.tallies[:, k]) for k, name in enumerate(subject.columns)}
        of_block = subject.actions.block_of
        return SelfPlayResult(
            policy=self.policy,
            seed=self.seed,
            players=players,
            threads=self.threads,
            games=games,
            seconds=seconds,
            decisions=int(rows["decisions"].sum()),
            asked=int(rows["asked"].sum()),
            length=columns[subject.columns[0]],
            outcomes={name: int((rows["outcome"] == number).sum()) for number, name in subject.outcomes.items()},
            scores=[float(score) for score in rows["scores"].mean(axis=0)[:players]],
            wins=[wilson(float(share), games) for share in shares[:players]],
            columns=columns,
            decision_kinds={name: int(n) for name, n in zip(subject.decisions, counts.asked, strict=True) if name},
            blocks={
                block.name: int(counts.taken[of_block == k].sum()) for k, block in enumerate(subject.actions.blocks)
            },
            actions=[int(n) for n in counts.taken],
        )


@dataclass(frozen=True)
class _Counts:
    """The arrays that ``play_games`` fills."""

    rows: Any
    tallies: NDArray[np.int64]
    asked: NDArray[np.int64]
    taken: NDArray[np.int64]


class _Run:
    """One run: the games still to be dealt out, and the threads that take them."""

    def __init__(self, owner: SelfPlay, games: int, progress: Callable[[int], None]) -> None:
        self.counts = owner._counts(games)
        self._owner = owner
        self._games = games
        self._progress = progress
        self._next = 0
        self._lock = threading.Lock()
        self._stop = threading.Event()

    def play(self) -> None:
        """Play all games; every thread takes the next ones as it gets free."""
        threads = min(self._owner.threads, self._games)
        with ThreadPoolExecutor(threads) as pool:
            try:
                jobs = [pool.submit(self._work) for _ in range(threads)]
                done, _ = wait(jobs, return_when=FIRST_EXCEPTION)
                for job in done:
                    job.result()
            finally:
                self._stop.set()

    def _take(self, chunk: int) -> tuple[int, int]:
        """The first and the number of the next games; 0 if there are none left."""
        with self._lock:
            first = self._next
            # The last games are divided finely, so that the threads end together.
            fair = math.ceil((self._games - first) / (2 * self._owner.threads))
            count = min(self._owner._chunk or min(chunk, fair), self._games - first)
            self._next += count
        return first, count

    def _work(self) -> None:
        owner = self._owner
        states = owner.subject.copy(owner._states)
        own = owner._counts(0)
        chunk = 1
        while not self._stop.is_set():
            first, count = self._take(chunk)
            if count == 0:
                break
            part = slice(first, first + count)
            start = time.perf_counter()
            owner._play(
                states,
                first,
                _Counts(self.counts.rows[part], self.counts.tallies[part], own.asked, own.taken),
            )
            seconds = time.perf_counter() - start
            # The rate of few games is uncertain: grow at most fourfold.
            chunk = max(1, min(4 * count, round(count * CHUNK_SECONDS / max(seconds, 1e-6))))
            with self._lock:
                self._progress(count)
        with self._lock:
            self.counts.asked[:] += own.asked
            self.counts.taken[:] += own.taken


def cores() -> int:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
