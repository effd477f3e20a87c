"""The command line: what it prints, what it writes, what it refuses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dracheninsel_env import cli
from dracheninsel_env.vocab import TASKS
from island_core import cli as shared

SMALL = ["selfplay", "--games", "12", "--max-turns", "10", "--threads", "2"]


def refused(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    with pytest.raises(SystemExit) as stopped:
        cli.main(argv)
    assert stopped.value.code == 2
    return capsys.readouterr().err


def written(path: Path, *argv: str) -> dict[str, Any]:
    assert cli.main([*SMALL, *argv, "--json", str(path)]) == 0
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def test_selfplay_prints_plain_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(SMALL) == 0
    out, err = capsys.readouterr()
    for word in ("games a second", "decisions a second", "turns", "treasures removed", "player_3", "sweet-slumber"):
        assert word in out
    assert "ended: truncated" in out
    assert "\x1b" not in out + err


def test_json(tmp_path: Path) -> None:
    path = tmp_path / "games.json"
    path.write_text("what was there before")
    data = written(path, "--players", "3", "--seed", "4", "--policy", "acting")
    assert [file.name for file in tmp_path.iterdir()] == ["games.json"], "no temporary file stays behind"
    assert data["game"] == "dracheninsel"
    assert data["options"]["num_players"] == data["players"] == 3
    assert (data["games"], data["seed"], data["policy"]) == (12, 4, "acting")
    assert data["decisions"] > 0
    assert data["decisions_per_second"] == pytest.approx(data["decisions"] / data["seconds"])
    assert data["games_per_second"] == pytest.approx(12 / data["seconds"])
    assert sum(data["outcomes"].values()) == 12
    assert len(data["scores"]) == len(data["wins"]) == 3
    assert sum(win["share"] for win in data["wins"]) == pytest.approx(1)
    assert list(data["tasks"]) == list(TASKS)
    assert sum(data["tasks"].values()) == data["blocks"]["play"]
    assert sum(data["decision_kinds"].values()) == sum(data["blocks"].values()) == data["asked"]
    assert set(data["columns"]) == {"turns", "treasures collected", "treasures removed", "money"}


def test_the_same_seed_gives_the_same_figures(tmp_path: Path) -> None:
    measured = {"seconds", "threads", "decisions_per_second", "games_per_second"}

    def figures(*argv: str) -> dict[str, Any]:
        return {k: v for k, v in written(tmp_path / "x.json", *argv).items() if k not in measured}

    assert figures("--seed", "7") == figures("--seed", "7", "--threads", "1")
    assert figures("--seed", "7") != figures("--seed", "8")


def test_options_reach_the_game(tmp_path: Path) -> None:
    data = written(tmp_path / "x.json", "--polls", "all", "--layout", "random", "--players", "6")
    assert data["options"] == {
        "num_players": 6,
        "polls": "all",
        "layout": "random",
        "slumber_on_arrival": False,
        "max_turns": 10,
    }
    holders = written(tmp_path / "x.json", "--layout", "random", "--players", "6")
    assert data["decision_kinds"]["slumber"] > 2 * holders["decision_kinds"]["slumber"]


def test_a_file_that_cannot_be_written_is_refused_before_playing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    missing = tmp_path / "missing" / "games.json"
    assert f"the folder '{missing.parent}' does not exist; create it first" in refused(
        capsys, "selfplay", "--games", "10000000", "--json", str(missing)
    )
    assert "is a folder; name a file in it" in refused(capsys, "selfplay", "--json", str(tmp_path))


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--players", "2"], "argument --players: 2 is not allowed; allowed: integers from 3 to 6"),
        (["--players", "7"], "argument --players: 7 is not allowed; allowed: integers from 3 to 6"),
        (["--games", "0"], "argument --games: 0 is not allowed; allowed: integers from 1 to 10000000"),
        (["--games", "many"], "argument --games: 'many' is no integer; allowed: integers from 1 to 10000000"),
        (["--max-turns", "0"], "argument --max-turns: 0 is not allowed; allowed: integers from 1 to 32767"),
        (["--max-turns", "32768"], "argument --max-turns: 32768 is not allowed; allowed: integers from 1 to 32767"),
        (["--seed", "-1"], "argument --seed: -1 is not allowed; allowed: integers from 0 to 9223372036854775807"),
        (["--policy", "clever"], "argument --policy: invalid choice: 'clever'"),
        (["--unknown"], "unrecognized arguments: --unknown"),
    ],
)
def test_bad_arguments(capsys: pytest.CaptureFixture[str], argv: list[str], message: str) -> None:
    assert message in refused(capsys, "selfplay", *argv)


def test_a_command_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    assert "the following arguments are required: command" in refused(capsys)


@pytest.mark.parametrize("argv", [["--help"], ["selfplay", "--help"], ["show", "--help"], ["warmup", "--help"]])
def test_help(capsys: pytest.CaptureFixture[str], argv: list[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        cli.main(argv)
    assert stopped.value.code == 0
    out = capsys.readouterr().out
    assert out.startswith("usage: dracheninsel")
    assert "None" not in out


def test_show_is_a_position_of_the_seed(capsys: pytest.CaptureFixture[str]) -> None:
    outputs = []
    for argv in (["--moves", "30"], ["--moves", "30"], ["--moves", "31"], ["--moves", "30", "--seed", "1"]):
        assert cli.main(["show", *argv]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1] != ""
    assert outputs[0] not in outputs[2:]
    assert "\x1b" not in outputs[0]


def test_show_takes_a_seat(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["show", "--moves", "30", "--seat", "player_2"]) == 0
    assert capsys.readouterr().out
    assert "player_4 does not play in a game of 4" in refused(capsys, "show", "--seat", "player_4")
    assert "'red' is no player; players are player_0, player_1, ..." in refused(capsys, "show", "--seat", "red")


def test_show_ends_with_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["show", "--moves", "100000", "--max-turns", "3"]) == 0
    assert capsys.readouterr().out


def test_warmup_finds_everything_the_second_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["warmup"]) == 0
    assert cli.main(["warmup"]) == 0
    out = capsys.readouterr().out
    assert "everything was in the cache" in out or "the jit is off" in out


def test_interrupt(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(shared, "play", interrupted)
    assert cli.main(SMALL) == shared.INTERRUPTED
    assert "interrupted" in capsys.readouterr().err


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("old")
    with pytest.raises(TypeError):
        shared.write_json(path, {"x": object()})
    assert path.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_bad_components_file_is_one_line_and_status_2(tmp_path: Path) -> None:
    missing = tmp_path / "missing.toml"
    done = subprocess.run(
        [sys.executable, "-m", "dracheninsel_env.cli", "--help"],
        capture_output=True, text=True, check=False,
        env={**os.environ, "DRACHENINSEL_COMPONENTS": str(missing)},
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith("dracheninsel: ") and str(missing) in done.stderr
    assert done.stderr.count("\n") == 1
