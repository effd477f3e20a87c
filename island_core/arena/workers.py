"""Who plays the units: this process, or several others.

`play_here` and `play_in_processes` take the same: what to play and the units; and give the same: finished games in the
order in which they end. Whatever hands units to `playing.Playing` objects elsewhere and gives back what they yield can
stand in their place; `cluster` does so on other machines.
"""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import traceback
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from island_core.arena.playing import Playing, Setup, Unit, named
from island_core.arena.records import Finished
from island_core.errors import OptionError, WorkerError

MOST_WORKERS = 1024

MOST_DEATHS = 3
"""So many processes in a row may die over the same games before the tournament stops."""


class Supply:
    """The units that are still to be played: those that come, and what is left of those whose worker was lost.

    ``lost(note)`` is told of every loss; ``worker`` is what messages call a worker.
    """

    def __init__(self, units: Iterator[Unit], lost: Callable[[str], None], worker: str) -> None:
        self._units = units
        self._told = lost
        self._worker = worker
        self._again: list[Unit] = []
        self._losses: dict[int, int] = {}

    def next(self) -> Unit | None:
        """The next unit; None if there is none."""
        return self._again.pop() if self._again else next(self._units, None)

    def lose(self, unit: Unit, finished: set[int], how: str) -> None:
        """Take back what is left of a unit whose worker ended before its time; ``how`` says in which way.

        Raises ``WorkerError`` if that is the last of `MOST_DEATHS` over the same games.
        """
        left = unit.without(finished)
        count = 0 if left is None else len(left.wanted)
        self._told(f"{self._worker} ended before its time ({how}); {count} games are played again")
        if left is None:
            return
        first = left.wanted[0]
        self._losses[first] = self._losses.get(first, 0) + 1
        if self._losses[first] == MOST_DEATHS:
            raise WorkerError(
                f"{self._worker} ended before its time ({how}), {MOST_DEATHS} times in a row while playing the games "
                f"{', '.join(map(str, left.wanted[:5]))}{' ...' if count > 5 else ''}"
            )
        self._again.append(left)


def play_here(setup: Setup, units: Iterator[Unit]) -> Generator[Finished, None, None]:
    """Play all units in this process."""
    playing = Playing(setup)
    for unit in units:
        yield from playing.play(unit)


def play_in_processes(
    setup: Setup, units: Iterator[Unit], workers: int, lost: Callable[[str], None] = lambda note: None
) -> Generator[Finished, None, None]:
    """Play all units in so many new processes.

    A process that ends before its time, for instance because it was killed, is replaced; what it had finished is kept,
    the rest of its unit is played again, and ``lost(note)`` is told.

    Raises ``OptionError`` for a policy that cannot be sent to another process, ``WorkerError`` if a process fails by an
    error of its own or if `MOST_DEATHS` processes in a row end over the same games.
    """
    supply = Supply(units, lost, "a worker process")
    team = _Team(pickled(setup, pickle.dumps), setup.game.spec.package, supply)
    try:
        yield from team.play(workers)
    finally:
        team.end()


def pickled(setup: Setup, dumps: Callable[[Any], bytes]) -> bytes:
    """The setup as bytes, made by ``dumps``. Raises ``OptionError`` naming a policy that cannot be pickled."""
    for policy in setup.policies:
        try:
            dumps(policy)
        except Exception as error:
            name = named(policy, "policies", setup.game).name
            raise OptionError(
                f"policies: {name!r} cannot be sent to another process ({error}); allowed with more than one worker: "
                "names, and objects and functions that can be pickled"
            ) from error
    return dumps(setup)


@dataclass(frozen=True)
class Failure:
    """What a worker sends when something but a policy went wrong."""

    text: str


def _work(connection: Any, payload: bytes) -> None:
    """What a worker process does: play one unit after the other until nobody listens any more."""
    # Ctrl-C reaches all processes of a terminal; the one that has started this one decides what becomes of it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        playing = Playing(pickle.loads(payload))
        while True:
            unit = connection.recv()
            for finished in playing.play(unit):
                connection.send(finished)
            connection.send(None)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    except Exception:
        connection.send(Failure(traceback.format_exc()))


def _context(package: str) -> Any:
    """How processes start: from one that has loaded the game's modules already, where the system can fork."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    # The server starts with the first worker of this process; then this has no effect any more, and costs seconds.
    context.set_forkserver_preload(["__main__", __name__, f"{package}.game"])
    return context


@dataclass(eq=False)
class _Worker:
    """One process, the way to talk to it, and what it is playing."""

    process: BaseProcess
    connection: Connection[Any, Any]
    unit: Unit | None = None
    finished: set[int] = field(default_factory=set)


class _Team:
    """The workers of one run."""

    def __init__(self, payload: bytes, package: str, supply: Supply) -> None:
        self._payload = payload
        self._supply = supply
        self._workers: list[_Worker] = []
        self._context = _context(package)

    def play(self, workers: int) -> Iterator[Finished]:
        """Play everything, with no more processes than there are units."""
        for _ in range(workers):
            unit = self._supply.next()
            if unit is None:
                break
            self._workers.append(self._start(unit))
        while self._workers:
            ready = wait([worker.connection for worker in self._workers])
            for worker in [worker for worker in self._workers if worker.connection in ready]:
                try:
                    message = worker.connection.recv()
                except (EOFError, OSError):
                    self._replace(worker)
                    continue
                if isinstance(message, Finished):
                    worker.finished.update(message.games)
                    yield message
                elif message is None:
                    self._go_on(worker)
                else:
                    raise WorkerError(f"a worker process failed:\n{message.text}")

    def _start(self, unit: Unit) -> _Worker:
        here, there = self._context.Pipe()
        process = self._context.Process(target=_work, args=(there, self._payload), daemon=True)
        process.start()
        there.close()
        worker = _Worker(process, here)
        self._give(worker, unit)
        return worker

    def _give(self, worker: _Worker, unit: Unit) -> None:
        worker.unit, worker.finished = unit, set()
        try:
            worker.connection.send(unit)
        except (BrokenPipeError, ConnectionResetError):
            # It is dead already, which the next `wait` tells; the unit is its.
            return

    def _go_on(self, worker: _Worker) -> None:
        """Give a worker its next unit, or let it go."""
        unit = self._supply.next()
        if unit is not None:
            self._give(worker, unit)
            return
        worker.unit = None
        self._workers.remove(worker)
        _stop(worker)

    def _replace(self, worker: _Worker) -> None:
        """Start a new process for the rest of the unit of one that is dead."""
        self._workers.remove(worker)
        worker.process.join()
        worker.connection.close()
        code = worker.process.exitcode
        assert worker.unit is not None
        self._supply.lose(worker.unit, worker.finished, f"exit code {code}")
        unit = self._supply.next()
        if unit is not None:
            self._workers.append(self._start(unit))

    def end(self) -> None:
        """End all processes that are left."""
        for worker in self._workers:
            worker.process.kill()
            _stop(worker)
        self._workers = []


def _stop(worker: _Worker) -> None:
    worker.connection.close()
    worker.process.join()
    worker.process.close()
