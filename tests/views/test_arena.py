"""The arena: how games are dealt, that they are played as said, what goes wrong, and going on after an interruption."""

from __future__ import annotations

import collections
import json
import os
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from island_core import rng
from island_core.arena import Tournament, round_robin
from island_core.arena.line_ups import Design, circular_orders
from island_core.arena.playing import ALONE, IN_KERNELS, SIDE_BY_SIDE, Playing, units_of
from island_core.arena.records import Results
from island_core.arena_loops import PLAYER_STREAM
from island_core.errors import OptionError, ResultsError, WorkerError
from island_core.network import NetworkPolicy, network_of
from island_core.policies import KernelPolicy, Resolved
from island_core.selfplay import POLICIES
from tests.views.command_line import refused
from tests.views.games import GAMES, Case

ONE_AGAINST_THREE = ("acting", "random", "random", "random")
MEASURED = ("seconds", "workers", "deaths")


class First:
    """Plays the first legal action."""

    def __init__(self, name: str = "first") -> None:
        self.name = name

    def act(self, position: Any, generator: np.random.Generator) -> int:
        return int(position.legal_actions()[0])


class FirstBySight:
    """The same, asked for several games at once; keeps how many they were."""

    name = "first"

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def act_batch(self, observation: Any, action_mask: Any, generator: np.random.Generator) -> Any:
        self.sizes.append(len(action_mask))
        return action_mask.argmax(axis=1)


def first(observation: Any, action_mask: Any) -> int:
    return int(action_mask.argmax())


class Uniform:
    """Plays any legal action, drawn with what it is given."""

    name = "uniform"

    def act_batch(self, observation: Any, action_mask: Any, generator: np.random.Generator) -> Any:
        return np.array([generator.choice(np.flatnonzero(row)) for row in action_mask])


def unlucky(observation: Any) -> bool:
    """Whether a policy of these tests fails here: in one of 150 situations."""
    return zlib.crc32(observation.tobytes()) % 150 == 0


class Failing(First):
    """Plays the first legal action and fails now and then."""

    def __init__(self, how: str) -> None:
        super().__init__("failing")
        self.how = how

    def act(self, position: Any, generator: np.random.Generator) -> Any:
        if unlucky(position.observation(position.actor)):
            if self.how == "raises":
                raise KeyError("no idea")
            return {"illegal": 10**6, "malformed": "step", "float": 1.0}[self.how]
        return super().act(position, generator)


class FailingBySight(FirstBySight):
    """The same by sight."""

    name = "failing"

    def __init__(self, how: str) -> None:
        super().__init__()
        self.how = how

    def act_batch(self, observation: Any, action_mask: Any, generator: np.random.Generator) -> Any:
        actions = super().act_batch(observation, action_mask, generator)
        bad = np.array([unlucky(row) for row in observation])
        if not bad.any():
            return actions
        if self.how == "raises":
            raise ValueError("not these")
        return actions[~bad] if self.how == "malformed" else np.where(bad, -1, actions)


class Killing(First):
    """Ends its own process: once if it has a file to remember that, otherwise every time."""

    def __init__(self, memory: str | None) -> None:
        super().__init__("killing")
        self.memory = memory

    def act(self, position: Any, generator: np.random.Generator) -> int:
        spared = self.memory is not None and Path(self.memory).exists()
        if not spared and unlucky(position.observation(position.actor)):
            if self.memory is not None:
                Path(self.memory).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().act(position, generator)


class Unloadable(First):
    """Can be pickled but not loaded."""

    def __reduce__(self) -> Any:
        return int, ("no number",)


def short(game: Case, line_ups: Any = ONE_AGAINST_THREE, games: int = 48, **more: Any) -> Tournament:
    """A tournament of short games."""
    players = len(line_ups) if isinstance(line_ups[0], str) or not isinstance(line_ups[0], tuple) else len(line_ups[0])
    return Tournament(game.rules(num_players=players, **game.limit(game.short)), line_ups, games, **more)


def played(tournament: Tournament) -> Results:
    """All games of a tournament."""
    setup, results = tournament.setup, Results(tournament.games)
    for unit in units_of(setup.design, setup.kinds(), results.done.copy(), tournament.side_by_side, 1):
        for finished in Playing(setup).play(unit):
            results.add(finished)
    return results


def table(report: Any) -> dict[str, Any]:
    """All that a report says but for times."""
    data = {key: value for key, value in report.to_json().items() if key not in MEASURED}
    data["standings"] = [{k: v for k, v in row.items() if k != "seconds"} for row in data["standings"]]
    return data


# Design


def test_circular_orders() -> None:
    assert circular_orders("abbb") == [(0, 1, 2, 3)]
    assert circular_orders("aaaa") == [(0, 1, 2, 3)]
    looks = {tuple("aabb"[k] for k in order) for order in circular_orders("aabb")}
    assert len(looks) == 2 and tuple("aabb") in looks
    assert len(circular_orders("abcd")) == 6 and len(circular_orders("abcdef")) == 120


@pytest.mark.parametrize("line_ups", [((0, 1, 2, 3),), ((0, 1, 1, 1), (0, 0, 1, 1), (1, 2, 3, 0)), ((0, 1, 2),)])
def test_every_line_up_plays_every_deal_on_every_seat(line_ups: tuple[tuple[int, ...], ...]) -> None:
    design = Design(line_ups, 12)
    players = design.players
    seatings = [design.seating(game) for game in range(design.games)]
    seen = collections.Counter()
    for seating in seatings:
        assert sorted(seating.players) == list(range(players))
        for seat, player in enumerate(seating.players):
            seen[seating.deal, seating.line_up, player, seat] += 1
    assert len(seen) == 12 * len(line_ups) * players**2 and set(seen.values()) == {1}
    # All neighbours are as frequent where all players differ.
    following = collections.Counter()
    for seating in seatings:
        if len(set(line_ups[seating.line_up])) == players:
            for seat, player in enumerate(seating.players):
                following[seating.line_up, player, seating.players[(seat + 1) % players]] += 1
    assert len(set(following.values())) <= 1
    deals, policies = design.tables()
    assert deals.tolist() == [seating.deal for seating in seatings]
    assert [tuple(row) for row in policies.tolist()] == [design.policies_of(seating) for seating in seatings]


def test_games_are_rounded_up_to_whole_deals(game: Case) -> None:
    assert [short(game, games=games).games for games in (1, 4, 5)] == [4, 4, 8]
    assert short(game, round_robin(["random", "acting"], 5), games=11).games == 20


def test_round_robin() -> None:
    assert round_robin(["a", "b", "c"], 3) == [
        ("a", "b", "b"), ("a", "c", "c"), ("b", "a", "a"), ("b", "c", "c"), ("c", "a", "a"), ("c", "b", "b"),
    ]  # fmt: skip
    for policies, players, word in ((["a"], 4, "two or more"), (["a", "a"], 4, "'a' is given twice"), (["a"], 2, "3")):
        with pytest.raises(OptionError, match=word):
            round_robin(policies, players)


# Playing


@pytest.mark.parametrize("players", [3, 6])
def test_a_game_is_that_of_its_deal_and_its_players_generators(game: Case, players: int) -> None:
    line_up = ("acting", "planner", "greedy", *["random"] * (players - 3))
    tournament = Tournament(game.rules(num_players=players), line_up, games=2 * players, seed=5)
    setup, results = tournament.setup, played(tournament)
    assert setup.kinds() == [IN_KERNELS]
    for number in range(tournament.games):
        seating = setup.design.seating(number)
        position = setup.game.new(5, seating.deal)
        words = np.empty((players, 4), np.uint64)
        for seat, player in enumerate(seating.players):
            rng.seed_words(words[seat], 5, seating.deal, PLAYER_STREAM + player)
        asked, decisions = np.zeros((2, 6), int)
        while not position.is_over:
            seat = position.actor
            assert seat is not None
            policy = POLICIES.index(line_up[seating.players[seat]])
            asked[seat] += 1
            decisions[seat] += len(position.legal_actions()) > 1
            position.step(game.spec.decide(position.states, 0, policy, words[seat]))
        row = results.rows[number]
        assert row["scores"][:players].tolist() == position.scores
        assert row["ranks"][:players].tolist() == position.ranks
        assert (row["asked"].tolist(), row["decisions"].tolist()) == (asked.tolist(), decisions.tolist())
        assert (row["outcome"] == 2) == position.is_truncated
        assert (row["seconds"][:players] > 0).all() == (asked[:players] > 0).all()


def test_every_kind_of_policy_plays_the_same_game(game: Case) -> None:
    by_sight = FirstBySight()
    tables = []
    for policy, kind in ((First(), ALONE), (first, ALONE), (by_sight, SIDE_BY_SIDE)):
        tournament = short(game, (policy, "random", "acting"), games=30, seed=2)
        assert tournament.setup.kinds() == [kind]
        report = tournament.run()
        assert report.games == 30 and all(standing.seconds > 0 for standing in report.standings)
        tables.append(table(report))
    assert tables[0] == tables[1] == tables[2]
    assert max(by_sight.sizes) > 5


def test_two_budgets_of_a_search_are_two_policies(game: Case) -> None:
    line_up = ("ismcts:1", "ismcts:2", "random")
    tournament = short(game, line_up, games=3)
    assert tournament.names == line_up
    report = tournament.run()
    assert {standing.policy for standing in report.standings} == set(line_up)
    assert all(standing.games == 3 and standing.asked > 0 for standing in report.standings)
    assert table(report) == table(tournament.run())


def test_policies_in_python_draw_from_the_tournament_alone(game: Case) -> None:
    policy = Uniform()
    line_up = (policy, "acting", policy, "random")
    tables = [table(short(game, line_up, 16, seed=seed, side_by_side=6).run()) for seed in (1, 1, 2)]
    assert tables[0] == tables[1] != tables[2]


def test_the_table_does_not_depend_on_the_number_of_workers(game: Case) -> None:
    policy = Uniform()
    line_ups = [ONE_AGAINST_THREE, (First(), "acting", "random", "random"), (policy, "random", "random", "acting")]
    tournament = short(game, line_ups, 60, side_by_side=7)
    assert tournament.setup.kinds() == [IN_KERNELS, ALONE, SIDE_BY_SIDE]
    alone, together = tournament.run(), tournament.run(workers=2)
    assert table(alone) == table(together)
    assert (alone.workers, together.workers, together.deaths) == (1, 2, 0)


def test_who_draws_nothing_is_asked_game_by_game_next_to_who_takes_his_time(game: Case) -> None:
    kinds = {
        ("ppo", "greedy", "greedy", "random"): SIDE_BY_SIDE,
        ("ppo", "ismcts:2", "greedy", "random"): ALONE,
        ("ppo", NetworkPolicy(network_of(game.spec), "mine"), First(), "random"): ALONE,
        ("ppo", "ismcts:2", Uniform(), "random"): SIDE_BY_SIDE,
    }
    for line_up, kind in kinds.items():
        assert short(game, line_up, 4).setup.kinds() == [kind]
    line_up = ("ppo", First(), "greedy", "random")
    alone = short(game, line_up, 8)
    network = NetworkPolicy(network_of(game.spec))
    network.draws = True
    together = short(game, (network, *line_up[1:]), 8)
    assert (alone.setup.kinds(), together.setup.kinds()) == ([ALONE], [SIDE_BY_SIDE])
    assert table(alone.run()) == table(together.run())


def difference(game: Case, kernels: tuple[int, ...]) -> float:
    """The p-value of Hotelling's test that players with these policies win alike: of the win shares by deal, with the
    chi-square law of many deals.
    """
    line_up = [Resolved(name, kernel=kernel) for name, kernel in zip("abcd", kernels, strict=True)]
    tournament = Tournament(game.rules(), line_up, 4000, seed=3)
    results, design = played(tournament), tournament.setup.design
    ranks = results.rows["ranks"][:, :4]
    best = ranks == ranks.min(axis=1, keepdims=True)
    share = best / best.sum(axis=1, keepdims=True)
    by_player = np.zeros((design.deals, 4))
    for number in range(design.games):
        seating = design.seating(number)
        by_player[seating.deal, list(seating.players)] += share[number] / 4
    rest = (by_player - 0.25)[:, :3]
    mean, covariance = rest.mean(axis=0), np.cov(rest.T) / design.deals
    return float(stats.chi2.sf(mean @ np.linalg.solve(covariance, mean), 3))


def test_equal_policies_differ_by_chance_alone(game: Case) -> None:
    assert difference(game, (1, 1, 1, 1)) > 0.01


def test_unequal_policies_are_told_apart() -> None:
    assert difference(GAMES[0], (1, 0, 0, 0)) < 1e-6


# Bad policies


@pytest.mark.parametrize("how", ["raises", "illegal", "malformed", "float"])
def test_a_bad_action_spoils_its_own_game_alone(game: Case, how: str) -> None:
    check_spoiled(game, Failing(how), First("failing"), how)


@pytest.mark.parametrize("how", ["raises", "illegal", "malformed"])
def test_a_bad_batch_spoils_only_the_games_to_blame(game: Case, how: str) -> None:
    good = FirstBySight()
    good.name = "failing"
    check_spoiled(game, FailingBySight(how), good, how)


def check_spoiled(game: Case, bad: Any, good: Any, how: str) -> None:
    def run(policy: Any) -> tuple[Results, Tournament, Any]:
        tournament = short(game, (policy, "random", "acting", "random"), 120, seed=4, side_by_side=16)
        return played(tournament), tournament, tournament.run()

    (spoiled, tournament, report), (whole, _, _) = run(bad), run(good)
    assert 3 < len(spoiled.spoiled) < 100
    fine = [number for number in range(120) if number not in spoiled.spoiled]
    for name in ("scores", "ranks", "asked", "decisions", "outcome"):
        assert (spoiled.rows[name][fine] == whole.rows[name][fine]).all()
    words = {"raises": ("KeyError: 'no idea'", "not these"), "illegal": ("not legal",)}.get(how, ("allowed: ",))
    assert len(report.spoiled) == len(spoiled.spoiled) == report.outcomes["spoiled"] == 120 - report.games
    for one in report.spoiled:
        assert one.policy == "failing" and any(word in one.error for word in words)
        position = one.position(tournament.setup.game)
        assert unlucky(position.observation(one.seat)) and position.actor == one.seat
    (standing,) = [standing for standing in report.standings if standing.policy == "failing"]
    assert report.standing("failing") is standing
    with pytest.raises(OptionError, match="policy='nobody'; allowed: .*'failing'"):
        report.standing("nobody")
    assert standing.spoiled == len(report.spoiled)
    shown = report.spoiled[0]
    assert f"failing spoiled {standing.spoiled} games" in str(report)
    assert f"seed 4, index {shown.index}, moves {list(shown.moves)}: {shown.error}" in str(report)


# Workers that end


def test_a_killed_worker_loses_no_finished_game(tmp_path: Path) -> None:
    def run(memory: Path, workers: int) -> tuple[Any, list[str], list[int]]:
        notes: list[str] = []
        counts: list[int] = []
        tournament = short(GAMES[0], (Killing(str(memory)), "random", "acting"), 60, seed=4)
        return tournament.run(tmp_path / f"{workers}.jsonl", workers, counts.append, notes.append), notes, counts

    there = tmp_path / "there"
    there.touch()
    calm, notes, _ = run(there, 1)
    assert notes == []
    report, notes, counts = run(tmp_path / "not there", 2)
    assert table(report) == table(calm)
    assert report.deaths == len(notes) == 1 and "exit code -9); 1 games are played again" in notes[0]
    assert sum(counts) == 60 == len((tmp_path / "2.jsonl").read_text().splitlines()) - 1


def test_games_that_kill_every_worker_stop_the_tournament(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    tournament = short(GAMES[0], (Killing(None), "random", "acting"), 60, seed=4)
    with pytest.raises(
        WorkerError, match=r"a worker process ended .*exit code -9\), 3 times in a row while playing the games \d+$"
    ):
        tournament.run(path, workers=2)
    kept = path.read_bytes()
    assert 1 < kept.count(b"\n") < 61 and kept.endswith(b"\n")


def test_what_cannot_be_sent_to_workers_is_said(game: Case) -> None:
    with pytest.raises(OptionError, match=r"'<lambda>' cannot be sent to another process .*allowed with more than one"):
        short(game, (lambda observation, action_mask: 0, "random", "acting")).run(workers=2)
    with pytest.raises(WorkerError, match="invalid literal for int"):
        short(game, (Unloadable(), "random", "acting")).run(workers=2)


# Going on


def test_going_on_after_a_kill_gives_the_same_table(tmp_path: Path) -> None:
    game = GAMES[0]
    path = tmp_path / "games.jsonl"
    guard = ["--" + game.guard.replace("_", "-"), str(game.middle)]
    argv = ["tournament", "--policies", ",".join(ONE_AGAINST_THREE), "--games", "8000", *guard, "--resume", str(path)]
    command = [sys.executable, "-m", f"{game.cli.__package__}.cli", *argv, "--workers", "1"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 300
    while not (path.exists() and path.stat().st_size > 100_000):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.005)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    finished = path.read_bytes().count(b"\n") - 1
    assert 300 < finished < 8_000
    counts: list[int] = []
    tournament = Tournament(game.rules(**game.limit(game.middle)), ONE_AGAINST_THREE, 8_000)
    gone_on = tournament.run(path, progress=counts.append)
    assert counts[0] == finished and sum(counts) == 8_000
    assert path.read_bytes().count(b"\n") == 8_001
    assert table(gone_on) == table(tournament.run())
    assert table(tournament.run(path)) == table(gone_on)


def test_every_cut_of_a_file_is_gone_on_from(game: Case, tmp_path: Path) -> None:
    policy = Uniform()
    tournament = short(game, [(policy, "random", "acting"), ("random", "acting", "acting")], 36, side_by_side=5)
    path = tmp_path / "games.jsonl"
    whole = table(tournament.run(path))
    content = path.read_bytes()
    header = content.index(b"\n") + 1
    for cut in (0, 1, header - 1, header, header + 10, len(content) // 3, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:cut])
        assert table(tournament.run(path)) == whole
        assert sorted(_games(path)) == list(range(36))


def _games(path: Path) -> list[int]:
    return [json.loads(line)["game"] for line in path.read_text().splitlines()[1:]]


def test_spoiled_games_are_kept(game: Case, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    tournament = short(game, (Failing("raises"), "random", "acting", "random"), 60, seed=4)
    report = tournament.run(path)
    again = tournament.run(path)
    assert again.spoiled == report.spoiled != ()
    assert table(again) == table(report)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 1}, "seed is 0 there and 1 here"),
        ({"games": 60}, "games is 48 there and 60 here"),
        ({"line_ups": ("random", "random", "random", "acting")}, "policies is "),
        ({"line_ups": ("acting", "acting", "random", "random")}, "line_ups is "),
        ({"side_by_side": 3}, "side_by_side is 64 there and 3 here"),
        ({"history": 2}, "history is 0 there and 2 here"),
    ],
)
def test_another_tournament_is_refused(game: Case, tmp_path: Path, change: dict[str, Any], message: str) -> None:
    path = tmp_path / "games.jsonl"
    short(game).run(path)
    content = path.read_bytes()
    with pytest.raises(ResultsError, match=f"line 1: it holds another tournament: {message}"):
        short(game, **change).run(path)
    assert path.read_bytes() == content


def test_other_options_and_other_components_are_refused(game: Case, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    tournament = short(game)
    tournament.run(path)
    with pytest.raises(ResultsError, match="options is"):
        Tournament(game.rules(), ONE_AGAINST_THREE, 48).run(path)
    content = path.read_text()
    path.write_text(content.replace(game.spec.fingerprint, "0" * len(game.spec.fingerprint)))
    with pytest.raises(ResultsError, match="fingerprint is"):
        tournament.run(path)


BROKEN = (
    (b"{", "this is no JSON"),
    (b"[1]", "expected a game"),
    (b'{"game": 5}', "outcome is None; allowed: 'natural', 'truncated'"),
    (b'{"game": 48}', "game is 48; allowed: integers from 0 to 47"),
    (b'{"game": true}', "game is True; allowed"),
    (b'{"game": 5, "spoiled": 3}', "spoiled is 3; allowed"),
    (b'{"game": 5, "spoiled": {"seat": 9, "policy": "x", "error": "", "moves": []}}', "spoiled is"),
    (b'{"game": 5, "outcome": "natural", "scores": [1, 2]}', r"scores is \[1, 2\]; allowed: 4 integers"),
    (b'{"game": 5, "outcome": "natural", "scores": [1, 2, 3, NaN]}', "scores is"),
    (b'{"game": 5, "outcome": "natural", "scores": [1, 2, 3, 4], "ranks": [1, 2, 3, 5]}', "ranks is"),
)


@pytest.mark.parametrize(("line", "message"), BROKEN)
def test_a_broken_line_is_named(game: Case, tmp_path: Path, line: bytes, message: str) -> None:
    path = tmp_path / "games.jsonl"
    tournament = short(game)
    tournament.run(path)
    lines = path.read_bytes().splitlines(keepends=True)
    kept = [row for row in lines[1:] if json.loads(row)["game"] != 5]
    lines = [lines[0], *kept]
    lines[3] = line + b"\n"
    path.write_bytes(b"".join(lines))
    with pytest.raises(ResultsError, match=f"line 4: {message}"):
        tournament.run(path)
    lines[3] = lines[2]
    path.write_bytes(b"".join(lines))
    with pytest.raises(ResultsError, match="line 4: game .* is there twice"):
        tournament.run(path)
    assert path.read_bytes() == b"".join(lines)


@pytest.mark.parametrize("content", [b"my notes", b"my notes\n", b'{"a": 1}\nmore\n', b"\xff\xfe\n"])
def test_other_files_are_left_alone(game: Case, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(ResultsError, match="line 1: this is no file of a tournament"):
        short(game).run(path)
    assert path.read_bytes() == content


def test_two_tournaments_do_not_write_one_file(game: Case, tmp_path: Path) -> None:
    import fcntl

    path = tmp_path / "games.jsonl"
    with open(path, "wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(ResultsError, match="another tournament is writing"):
            short(game).run(path)


# What is refused


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"line_ups": ()}, r"line_ups=\(\); allowed"),
        ({"line_ups": "random"}, "line_ups='random'; allowed"),
        ({"line_ups": ("random",) * 3}, r"line_ups\[0\]=.* of 3; allowed: a sequence of 4 policies"),
        ({"line_ups": [("random",) * 4, "acting"]}, r"line_ups\[1\]='acting'; allowed"),
        ({"line_ups": ("random", "clever", "random", "random")}, "'clever': no policy of that name; allowed: 'random'"),
        ({"line_ups": (First(), First(), "random", "random")}, "two different policies are called 'first'"),
        (
            {"line_ups": [("random", "acting", "random", "greedy"), ("acting", "random", "greedy", "random")]},
            r"line_ups\[1\]: the policies of line_ups\[0\]; allowed: each line-up once",
        ),
        ({"line_ups": (First("random"), "random", "random", "random")}, "two different policies are called 'random'"),
        ({"games": 0}, "games=0; allowed: integers from 1"),
        ({"games": 1.5}, "games=1.5; allowed"),
        ({"seed": -1}, "seed=-1; allowed"),
        ({"obs_dtype": "int32"}, "obs_dtype='int32'; allowed"),
        ({"side_by_side": 0}, "side_by_side=0; allowed"),
    ],
)
def test_bad_arguments(game: Case, change: dict[str, Any], message: str) -> None:
    arguments = {"line_ups": ONE_AGAINST_THREE, **change}
    with pytest.raises(OptionError, match=message):
        Tournament(game.rules(), **arguments)


def test_bad_arguments_of_a_run(game: Case) -> None:
    with pytest.raises(OptionError, match="game='chess'; allowed: a Game"):
        Tournament("chess", ONE_AGAINST_THREE)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="workers=0; allowed: integers from 1 to 1024"):
        short(game).run(workers=0)


# The command


def arguments(game: Case, *more: str) -> list[str]:
    guard = "--" + game.guard.replace("_", "-")
    return ["tournament", guard, str(game.short), "--games", "40", *more]


def test_the_command_writes_all_that_it_prints(game: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {name: tmp_path / f"x.{name}" for name in ("json", "csv", "png")}
    outputs = ["--json", str(files["json"]), "--csv", str(files["csv"]), "--plot", str(files["png"])]
    assert game.cli.main(arguments(game, "--policies", "acting,random,random,random", "--seed", "3", *outputs)) == 0
    out, err = capsys.readouterr()
    assert "\x1b" not in out + err
    for word in ("Standings (chance 25.0%", "Plackett-Luce", "Comes in before", "player_3", "µs each", "seed 3"):
        assert word in out
    data = json.loads(files["json"].read_text())
    expected = short(game, games=40, seed=3).run()
    assert {k: v for k, v in data.items() if k not in (*MEASURED, "standings")} == {
        k: v for k, v in table(expected).items() if k != "standings"
    }
    lines = files["csv"].read_text().splitlines()
    assert len(lines) == 3 and lines[0].startswith("policy,games,win_share,win_share_low,win_share_high,rank,")
    assert [line.split(",")[0] for line in lines[1:]] == [row["policy"] for row in data["standings"]]
    assert float(lines[1].split(",")[2]) == data["standings"][0]["win_share"]["mean"]
    assert files["png"].read_bytes().startswith(b"\x89PNG")
    assert all(row["openskill"] is not None for row in data["standings"])


@pytest.mark.parametrize("how", ["a pipe nobody reads", "closed"])
def test_the_command_writes_its_files_whatever_becomes_of_its_output(game: Case, tmp_path: Path, how: str) -> None:
    files = {name: tmp_path / f"x.{name}" for name in ("json", "csv", "png")}
    outputs = ["--json", str(files["json"]), "--csv", str(files["csv"]), "--plot", str(files["png"])]
    argv = arguments(game, "--policies", "acting,random,random", *outputs)
    command = [sys.executable, "-W", "error", "-m", f"{game.cli.__package__}.cli", *argv]
    reader, writer = os.pipe()
    os.close(reader)
    if how == "closed":
        os.close(writer)
        command, output = ["sh", "-c", '"$@" >&-', "sh", *command], None
    else:
        output = writer
    done = subprocess.run(command, stdout=output, stderr=subprocess.PIPE, text=True, check=False)
    if output is not None:
        os.close(writer)
    assert done.returncode == (0 if how == "closed" else 1)
    assert done.stderr == ""
    assert json.loads(files["json"].read_text())["games"] == 42
    assert files["csv"].read_text().count("\n") == 3 and files["png"].stat().st_size > 1000


@pytest.mark.parametrize(
    ("one", "other"),
    [("--json", "--csv"), ("--csv", "--plot"), ("--resume", "--json"), ("--resume", "--plot")],
)
def test_two_options_do_not_name_one_file(
    game: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str], one: str, other: str
) -> None:
    path, roundabout, link = tmp_path / "x.png", tmp_path / ".." / tmp_path.name / "x.png", tmp_path / "link.png"
    argv = arguments(game, "--policies", "acting,random,random", one, str(path), other)
    message = f"arguments {one} and {other}: both name the file "
    for same in (path, roundabout):
        assert message in refused(game, capsys, *argv, str(same))
    assert list(tmp_path.iterdir()) == []
    path.write_text("what was there before")
    link.hardlink_to(path)
    assert message in refused(game, capsys, *argv, str(link))
    assert path.read_text() == "what was there before"


def test_the_command_plays_a_round_robin(game: Case, capsys: pytest.CaptureFixture[str]) -> None:
    argv = arguments(game, "--policies", "acting,random", "--round-robin", "--players", "3")
    assert game.cli.main(argv) == 0
    assert "3 players, 42 games" in capsys.readouterr().out


def test_the_command_plays_several_line_ups_on_several_processes(
    game: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line_ups = ("--policies", "acting,random,random", "--policies", "acting,acting,random")
    files = [tmp_path / "1.json", tmp_path / "2.json"]
    for workers, path in enumerate(files, start=1):
        assert game.cli.main(arguments(game, *line_ups, "--workers", str(workers), "--json", str(path))) == 0
    one, two = (json.loads(path.read_text()) for path in files)
    assert one["games"] == 42 and two["workers"] == 2
    assert one["head_to_head"] == two["head_to_head"]


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("--policies", "acting,clever,random"), "there is no policy 'clever'; known: 'random', 'acting'"),
        (("--policies", "acting,random"), "--policies: 2 given; allowed: a policy for each of 3 to 6 players"),
        (("--policies", "random,random,random", "--policies", "random,random,random,random"), "of 4; allowed"),
        (("--policies", "random", "--round-robin"), "allowed for a round robin: two or more"),
        (("--policies", "random,random,random", "--players", "3"), "allowed with --round-robin"),
        (("--policies", "random,acting", "--policies", "acting,random", "--round-robin"), "one list"),
        (("--policies", "random,random,random", "--plot", "x.xyz"), "allowed endings: "),
        (("--policies", "random,random,random", "--workers", "0"), "0 is not allowed"),
        ((), "required: --policies"),
    ],
)
def test_the_command_refuses(
    game: Case, capsys: pytest.CaptureFixture[str], argv: tuple[str, ...], message: str
) -> None:
    assert message in refused(game, capsys, *arguments(game, *argv))


def test_the_command_refuses_a_file_of_another_tournament(
    game: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = arguments(game, "--policies", "acting,random,random", "--resume", str(tmp_path / "games.jsonl"))
    assert game.cli.main(argv) == 0
    assert "argument --resume: " in refused(game, capsys, *argv, "--seed", "1")


def test_a_missing_extra_is_named(
    game: Case, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    monkeypatch.setitem(sys.modules, "ray", None)
    argv = arguments(game, "--policies", "acting,random,random")
    assert "pip install 'island-envs[arena]'" in refused(game, capsys, *argv, "--plot", "x.png")
    expected = "argument --ray='local' needs Ray, which is not installed: pip install 'island-envs[ray]'"
    assert expected in refused(game, capsys, *argv, "--ray", "local")
    with pytest.raises(OptionError, match=r"^ray='local' needs Ray, which is not installed: pip install 'island-envs"):
        short(game).run(ray="local")
    assert game.cli.main(argv) == 0
    out = capsys.readouterr().out
    assert "openskill is not installed: pip install 'island-envs[arena]'" in out


def test_a_kernel_policy_is_known_by_its_name(game):
    rules = game.rules(num_players=3)
    line_up = [KernelPolicy("greedy"), "random", KernelPolicy("random")]
    found = Tournament(rules, line_up, games=6, seed=1)
    assert found.names == ("greedy", "random")
    named = Tournament(rules, ["greedy", "random", "random"], games=6, seed=1)
    scores = [[(one.policy, one.score.mean) for one in played.run().standings] for played in (found, named)]
    assert scores[0] == scores[1]
