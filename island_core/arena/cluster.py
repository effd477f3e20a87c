"""Units played on a Ray cluster: what `workers` does with processes that it starts itself, with those of Ray.

A unit is a task of Ray. A process of Ray plays many of them; it keeps what it needs for a tournament from the first one
on. Tasks whose process or node is lost are not repeated by Ray but handed out anew from here, so that it is counted.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import logging
import os
import pickle
import platform
import socket
import sys
import threading
import traceback
import urllib.parse
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Any, cast

from island_core import __version__, jit
from island_core.arena.playing import Playing, Setup, Unit
from island_core.arena.records import Finished
from island_core.arena.workers import Failure, Supply, pickled
from island_core.errors import OptionError, WorkerError

INSTALL = "pip install 'island-envs[ray]'"

ALLOWED = "'local', 'auto', 'HOST:PORT' or 'ray://HOST:PORT' of a cluster that is running"

SECONDS_TO_ANSWER = 10.0
"""For so long a machine may take to accept a connection; Ray itself would try for minutes."""

LOCAL = "local"
AUTO = "auto"
ADDRESS_VARIABLE = "RAY_ADDRESS"
"""The environment variable that tells Ray what ``auto`` is."""


@dataclass(frozen=True)
class Cluster:
    """A cluster that this process is connected to: the library `ray`, and how many units are played at once."""

    ray: Any
    workers: int


@contextlib.contextmanager
def connected(address: str, workers: int | None) -> Iterator[Cluster]:
    """Connect to a cluster for as long as the block runs.

    ``address`` is what ``ray.init`` takes: ``"local"`` starts an instance on this machine that ends with the block. A
    connection that this process has already is used, whatever its address, and stays. ``workers`` bounds how many units
    are played at once; None: as many as the cluster has cores when the block begins.

    Raises ``OptionError`` without the extra ``ray`` and where no cluster can be reached.
    """
    if not isinstance(address, str) or not address:
        raise OptionError(f"ray={address!r}; allowed: {ALLOWED}")
    try:
        ray = importlib.import_module("ray")
    except ModuleNotFoundError as error:
        raise OptionError(f"ray={address!r} needs Ray, which is not installed: {INSTALL}") from error
    with contextlib.ExitStack() as stack:
        if not ray.is_initialized():
            if sys.stdout is not None:
                stack.enter_context(contextlib.redirect_stdout(cast(Any, _OutputOfOurs(sys.stdout))))
            _connect(ray, address, workers)
            stack.callback(ray.shutdown)
        cores = int(ray.cluster_resources().get("CPU", 0))
        yield Cluster(ray, max(1, cores if workers is None else workers))


class _OutputOfOurs:
    """A standard output for the time of a connection: what threads print that begin meanwhile goes to the standard
    error stream. Those are Ray's, which tells of lost processes and nodes on the standard output, whatever is set.
    """

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._threads = {thread.ident for thread in threading.enumerate()}

    def write(self, text: str) -> int:
        ours = threading.get_ident() in self._threads or sys.stderr is None
        return int((self._stream if ours else sys.stderr).write(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _connect(ray: Any, address: str, workers: int | None) -> None:
    # What processes print stays in Ray's own files, and Ray tells of nothing but errors.
    quiet: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    if address == LOCAL:
        quiet.update(include_dashboard=False, num_cpus=workers)
    try:
        if address != LOCAL:
            _knock(os.environ.get(ADDRESS_VARIABLE, AUTO) if address == AUTO else address)
        ray.init(address, **quiet)
    # Whatever Ray raises, and it raises a lot, is about the address.
    except Exception as error:
        raise OptionError(f"ray={address!r}: {error}; allowed: {ALLOWED}") from error


def _knock(address: str) -> None:
    """Raise ``OSError`` or ``ValueError`` unless something accepts connections there; Ray finds `AUTO` by itself."""
    if address == AUTO:
        return
    parts = urllib.parse.urlsplit(address if "://" in address else f"ray://{address}")
    if parts.scheme != "ray" or parts.hostname is None or parts.port is None:
        raise ValueError("this is no address")
    socket.create_connection((parts.hostname, parts.port), SECONDS_TO_ANSWER).close()


def play_on_cluster(
    cluster: Cluster, setup: Setup, units: Iterator[Unit], lost: Callable[[str], None] = lambda note: None
) -> Generator[Finished, None, None]:
    """Play all units as tasks of Ray.

    A task whose process or node ends before its time is given out again, and ``lost(note)`` is told. Tasks that run
    when this ends early are cancelled.

    Raises ``OptionError`` for a policy that cannot be pickled (by Ray, which takes what scripts define, too),
    ``WorkerError`` if a process fails by an error of its own, if `workers.MOST_DEATHS` in a row are lost over the same
    games, or if the connection is.
    """
    ray = cluster.ray
    content = pickled(setup, importlib.import_module("ray.cloudpickle").dumps)
    job = _Job(hashlib.sha256(content).hexdigest(), __version__, setup.game.spec.fingerprint)
    # In a list Ray hands on the reference instead of the content, which a process needs once.
    kept = [ray.put(content)]
    play = ray.remote(num_cpus=1, max_retries=0)(_play)
    supply = Supply(units, lost, "a worker of the cluster")
    running: dict[Any, Unit] = {}
    try:
        while True:
            while len(running) < cluster.workers and (unit := supply.next()) is not None:
                running[play.remote(job, kept, unit)] = unit
            if not running:
                return
            ready, _ = ray.wait(list(running))
            for task in ready:
                unit = running.pop(task)
                try:
                    played = ray.get(task)
                except ray.exceptions.RayTaskError as error:
                    raise WorkerError(f"a worker of the cluster failed:\n{error}") from error
                except ray.exceptions.RayError as error:
                    supply.lose(unit, set(), f"{type(error).__name__}: {str(error).partition(chr(10))[0]}")
                    continue
                if isinstance(played, Failure):
                    raise WorkerError(f"a worker of the cluster failed:\n{played.text}")
                yield from played
    except ConnectionError as error:
        running.clear()
        raise WorkerError(f"the connection to the cluster was lost: {error}") from error
    finally:
        for task in running:
            ray.cancel(task, force=True)


@dataclass(frozen=True)
class _Job:
    """What tells one tournament from another, and the rules it is played by."""

    key: str
    version: str
    fingerprint: str

    def check(self, fingerprint: str) -> None:
        """Raise ``WorkerError`` if this machine has other rules or components than the one that has begun."""
        if (self.version, self.fingerprint) != (__version__, fingerprint):
            raise WorkerError(
                f"{platform.node()} has version {__version__} with the rules and components {fingerprint}, the "
                f"tournament needs version {self.version} with {self.fingerprint}"
            )


_played: dict[str, Playing] = {}
"""What this process plays, by the key of its job: the last one alone."""


def _play(job: _Job, kept: list[Any], unit: Unit) -> list[Finished] | Failure:
    """What a process of Ray does: play one unit."""
    try:
        if job.key not in _played:
            _played.clear()
            setup: Setup = pickle.loads(importlib.import_module("ray").get(kept[0]))
            job.check(setup.game.spec.fingerprint)
            with jit.one_compiles():
                setup.warm_up()
            _played[job.key] = Playing(setup)
        return list(_played[job.key].play(unit))
    except Exception:
        return Failure(traceback.format_exc())
