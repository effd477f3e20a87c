"""Tournaments on a Ray cluster: the table of local workers, losses, going on, and what is refused.

Clusters run on this machine: one that a tournament starts for itself, and one of several nodes that stands for others.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ray

from island_core.arena import Tournament, cluster
from island_core.arena.playing import ALONE, IN_KERNELS, SIDE_BY_SIDE, Unit
from island_core.arena.workers import Failure
from island_core.errors import OptionError, WorkerError
from tests.views.command_line import refused
from tests.views.games import GAMES, Case
from tests.views.test_arena import (
    MEASURED,
    ONE_AGAINST_THREE,
    First,
    Killing,
    Uniform,
    Unloadable,
    arguments,
    short,
    table,
)

# These tests are nobody's use of Ray.
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"


@pytest.fixture(params=GAMES, ids=str)
def game(request: pytest.FixtureRequest) -> Case:
    found: Case = request.param
    return found


@pytest.fixture(autouse=True)
def nothing_stays_connected() -> Iterator[None]:
    yield
    assert not ray.is_initialized(), "a tournament has left its connection open"


CLUSTER = """
import sys
from ray.cluster_utils import Cluster

head = {"num_cpus": 1, "ray_client_server_port": int(sys.argv[1])}
cluster = Cluster(initialize_head=True, head_node_args=head)
node = cluster.add_node(num_cpus=2)
cluster.wait_for_nodes()
print("address", cluster.address, flush=True)
for line in sys.stdin:
    cluster.remove_node(node, allow_graceful=False)
    print("removed", flush=True)
cluster.shutdown()
"""


class Nodes:
    """A cluster of two nodes in a process of its own: a head of one core, which takes clients, and one of two cores."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [sys.executable, "-c", CLUSTER, str(port)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.address = self._answer("address")
        self.client = f"ray://127.0.0.1:{port}"

    def _answer(self, word: str) -> str:
        """What comes after the next line that begins so; Ray may print others."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(word):
                return line.removeprefix(word).strip()
        raise AssertionError("the cluster has ended")

    def kill_the_second(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        self._answer("removed")

    def end(self) -> None:
        self.process.communicate(timeout=60)


@pytest.fixture
def nodes() -> Iterator[Nodes]:
    found = Nodes()
    yield found
    found.end()


def mixed(game: Case) -> Tournament:
    """A tournament with line-ups of every kind."""
    policy = Uniform()
    line_ups = [ONE_AGAINST_THREE, (First(), "acting", "random", "random"), (policy, "random", "random", "acting")]
    tournament = short(game, line_ups, 60, side_by_side=7)
    assert tournament.setup.kinds() == [IN_KERNELS, ALONE, SIDE_BY_SIDE]
    return tournament


def test_the_table_is_that_of_local_workers_and_of_one_process(game: Case) -> None:
    tournament = mixed(game)
    counts: list[int] = []
    reports = [tournament.run(), tournament.run(workers=2), tournament.run(progress=counts.append, ray="local")]
    assert table(reports[0]) == table(reports[1]) == table(reports[2])
    assert reports[2].workers >= 1 and reports[2].deaths == 0
    assert counts[0] == 0 and sum(counts) == tournament.games and len(counts) > 10


def test_workers_bound_what_is_played_at_once() -> None:
    tournament = short(GAMES[0], (First(), "random", "acting"), 12)
    report = tournament.run(workers=1, ray="local")
    assert report.workers == 1 and table(report) == table(tournament.run())


def test_a_search_by_name_and_a_policy_of_a_script_play_there(game: Case) -> None:
    """What a script defines has no module that another process could import; Ray sends it whole."""

    def last(observation: Any, action_mask: Any) -> int:
        return int(np.flatnonzero(action_mask)[-1])

    tournament = short(game, (last, "ismcts:2", "random"), 6)
    assert table(tournament.run(ray="local")) == table(tournament.run())


# Losses


def test_a_killed_worker_loses_no_finished_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    there, absent = tmp_path / "there", tmp_path / "absent"
    there.touch()
    calm = short(GAMES[0], (Killing(str(there)), "random", "acting"), 60, seed=4).run()
    notes: list[str] = []
    counts: list[int] = []
    path = tmp_path / "games.jsonl"
    tournament = short(GAMES[0], (Killing(str(absent)), "random", "acting"), 60, seed=4)
    report = tournament.run(path, 2, counts.append, notes.append, ray="local")
    assert absent.exists()
    assert table(report) == table(calm)
    assert report.deaths == len(notes) == 1
    assert notes[0].startswith("a worker of the cluster ended before its time (WorkerCrashedError: ")
    assert notes[0].endswith("); 1 games are played again")
    assert capsys.readouterr().out == "", "Ray tells of it elsewhere"
    assert sum(counts) == 60 == len(path.read_text().splitlines()) - 1


def test_games_that_kill_every_worker_stop_the_tournament(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    tournament = short(GAMES[0], (Killing(None), "random", "acting"), 60, seed=4)
    message = r"a worker of the cluster ended .*WorkerCrashedError.*, 3 times in a row while playing the games \d+$"
    with pytest.raises(WorkerError, match=message):
        tournament.run(path, ray="local")
    kept = path.read_bytes()
    assert 1 < kept.count(b"\n") < 61 and kept.endswith(b"\n")


class Slow(First):
    """Plays the first legal action after some thought."""

    def __init__(self) -> None:
        super().__init__("slow")

    def act(self, position: Any, generator: np.random.Generator) -> int:
        time.sleep(0.05)
        return super().act(position, generator)


def test_a_node_that_dies_loses_no_finished_game(
    nodes: Nodes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    slow, quick = (short(GAMES[0], (policy, "random", "acting"), 18, seed=4) for policy in (Slow(), First("slow")))
    path = tmp_path / "games.jsonl"
    notes: list[str] = []
    counts: list[int] = []

    def progress(games: int) -> None:
        counts.append(games)
        if sum(counts) == 4:
            nodes.kill_the_second()

    report = slow.run(path, None, progress, notes.append, ray=nodes.address)
    assert report.workers == 3 and sum(counts) == 18
    # One core at least was playing.
    assert 1 <= report.deaths == len(notes) <= 2
    assert all(note.startswith("a worker of the cluster ended before its time (") for note in notes)
    assert table(report) == table(quick.run())
    assert len(path.read_text().splitlines()) == 19
    assert capsys.readouterr().out == ""


# Going on


def test_an_interrupted_tournament_goes_on(game: Case, tmp_path: Path) -> None:
    tournament = mixed(game)
    whole = table(tournament.run())
    path = tmp_path / "games.jsonl"
    seen = 0

    def interrupt(games: int) -> None:
        nonlocal seen
        seen += games
        if seen >= 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tournament.run(path, progress=interrupt, ray="local")
    assert not ray.is_initialized()
    kept = path.read_text().splitlines()[1:]
    assert 20 <= len(kept) < tournament.games
    counts: list[int] = []
    assert table(tournament.run(path, progress=counts.append, ray="local")) == whole
    assert counts[0] == len(kept) and sum(counts) == tournament.games
    assert path.read_text().splitlines()[1 : len(kept) + 1] == kept
    # What is complete needs no cluster to be played on, and what a cluster has begun goes on without one.
    assert table(tournament.run(path)) == whole


def test_the_command_is_interrupted_like_with_local_workers(tmp_path: Path) -> None:
    game, path = GAMES[0], tmp_path / "games.jsonl"
    argv = ["tournament", "--policies", "ismcts:200,random,random", "--games", "3000", "--resume", str(path)]
    command = [sys.executable, "-m", f"{game.cli.__package__}.cli", *argv, "--ray", "local"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for _ in range(1200):
        if path.exists() and path.read_bytes().count(b"\n") > 3:
            break
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130 and out == ""
    assert f"finished games are in {path}; the same command goes on" in err and "Traceback" not in err
    assert path.read_bytes().endswith(b"\n")


# Clusters


def test_a_client_of_a_cluster_gets_the_same_table(nodes: Nodes, tmp_path: Path) -> None:
    tournament = mixed(GAMES[1])
    path = tmp_path / "games.jsonl"
    assert table(tournament.run(path, ray=nodes.client)) == table(tournament.run())


def test_a_connection_that_is_there_is_used_and_stays() -> None:
    tournament = short(GAMES[0], (First(), "random", "acting"), 12)
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        report = tournament.run(ray="auto")
        assert ray.is_initialized()
        assert report.workers == 1 and table(report) == table(tournament.run())
    finally:
        ray.shutdown()


def test_other_rules_on_a_machine_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = short(GAMES[0], games=4)
    unit = Unit(IN_KERNELS, (0, 1), (0, 1))
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        kept = [ray.put(ray.cloudpickle.dumps(tournament.setup))]
        fingerprint = tournament.setup.game.spec.fingerprint
        for version, rules in (("0.0.0", fingerprint), (cluster.__version__, "other rules")):
            played = cluster._play(cluster._Job("another", version, rules), kept, unit)
            assert isinstance(played, Failure)
            assert f"the tournament needs version {version} with {rules}" in played.text
        (finished,) = cluster._play(cluster._Job("this", cluster.__version__, fingerprint), kept, unit)
        assert finished.games == [0, 1]
    finally:
        ray.shutdown()


# What is refused


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("auto", "Connection refused"),
        ("nonsense", "this is no address"),
        ("http://127.0.0.1:8265", "this is no address"),
        ("127.0.0.1:1", "Connection refused"),
        ("ray://127.0.0.1:1", "Connection refused"),
        ("", ""),
        (3, ""),
    ],
)
def test_bad_addresses_are_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: Any, reason: str
) -> None:
    # What "auto" is; without it Ray looks for what else runs on this machine.
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:1")
    path = tmp_path / "games.jsonl"
    with pytest.raises(OptionError, match=rf"^ray={address!r}.*{reason}.*; allowed: 'local', 'auto', 'HOST:PORT' or"):
        short(GAMES[0]).run(path, ray=address)
    assert not path.exists()


def test_the_command_refuses_a_bad_address(game: Case, capsys: pytest.CaptureFixture[str]) -> None:
    argv = arguments(game, "--policies", "acting,random,random", "--ray", "127.0.0.1:1")
    assert "argument --ray='127.0.0.1:1': " in refused(game, capsys, *argv)


def test_a_policy_that_cannot_be_pickled_is_named(tmp_path: Path) -> None:
    policy = First("locked")
    policy.lock = threading.Lock()  # type: ignore[attr-defined]
    with pytest.raises(OptionError, match=r"policies: 'locked' cannot be sent to another process .*can be pickled"):
        short(GAMES[0], (policy, "random", "acting")).run(ray="local")


def test_a_policy_that_cannot_be_loaded_stops_the_tournament() -> None:
    with pytest.raises(WorkerError, match=r"(?s)a worker of the cluster failed:.*invalid literal for int"):
        short(GAMES[0], (Unloadable(), "random", "acting")).run(ray="local")


# The command


def test_the_command_prints_the_tables_alone(game: Case, tmp_path: Path) -> None:
    files = [tmp_path / "here.json", tmp_path / "ray.json"]
    shown = []
    for path, more in zip(files, ((), ("--ray", "local", "--workers", "2")), strict=True):
        argv = arguments(game, "--policies", "acting,random,random", "--json", str(path), *more)
        command = [sys.executable, "-W", "error", "-m", f"{game.cli.__package__}.cli", *argv]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        # All that is said beside the tables is how far it is.
        assert all(line.startswith(f"{game.program}: ") for line in done.stderr.splitlines())
        shown.append(done.stdout)
    here, there = (json.loads(path.read_text()) for path in files)
    assert here["workers"] == 1 and there["workers"] == 2
    for data in (here, there):
        for row in data["standings"]:
            row.pop("seconds")
    assert {k: v for k, v in here.items() if k not in MEASURED} == {k: v for k, v in there.items() if k not in MEASURED}
    # The tables of results are the same to the letter; what took how long is not.
    marks = [text.index("Comes in before") for text in shown]
    assert shown[0][shown[0].index("Standings") : marks[0]] == shown[1][shown[1].index("Standings") : marks[1]]
    assert "ray" not in shown[1].replace(str(files[1]), "").lower()
