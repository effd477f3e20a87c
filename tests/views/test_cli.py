"""The command lines: what they print, what they write, what they refuse."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from island_core import __version__
from island_core import cli as shared
from tests.views.command_line import json_of, refused, selfplay
from tests.views.games import GAMES, Case


def test_selfplay_prints_plain_tables(game: Case, capsys: pytest.CaptureFixture[str]) -> None:
    assert game.cli.main(selfplay(game)) == 0
    out, err = capsys.readouterr()
    for word in ("games a second", "decisions a second", "player_3", "random", "seed 0", *game.words):
        assert word in out
    assert "ended: truncated" in out
    assert "\x1b" not in out + err


def test_json(variant: Case, tmp_path: Path) -> None:
    (tmp_path / "games.json").write_text("what was there before")
    data = json_of(variant, tmp_path, "--players", "3", "--seed", "4", "--policy", "acting")
    assert [file.name for file in tmp_path.iterdir()] == ["games.json"], "no temporary file stays behind"
    assert data["game"] == variant.name
    assert data["options"]["num_players"] == data["players"] == 3
    assert data["options"][variant.guard] == variant.short
    assert data["options"] == {**data["options"], **variant.options}
    assert (data["games"], data["seed"], data["policy"]) == (12, 4, "acting")
    assert data["decisions"] > 0
    assert data["decisions_per_second"] == pytest.approx(data["decisions"] / data["seconds"])
    assert data["games_per_second"] == pytest.approx(12 / data["seconds"])
    assert data["outcomes"] == {"natural": 0, "truncated": 12}
    assert len(data["scores"]) == len(data["wins"]) == 3
    assert sum(win["share"] for win in data["wins"]) == pytest.approx(1)
    key, words = variant.counts
    assert list(data[key]) == list(words) and sum(data[key].values()) > 0
    assert sum(data["decision_kinds"].values()) == sum(data["blocks"].values()) == data["asked"] >= data["decisions"]
    assert tuple(data["columns"]) == variant.columns
    length = data["columns"][variant.columns[0]]
    assert data["length"] == length and length["mean"] == length["least"] == length["most"] == variant.short
    every_game = {
        *("game", "options", "policy", "seed", "players", "threads", "games", "seconds", "decisions", "asked"),
        *("length", "outcomes", "scores", "wins", "columns", "decision_kinds", "blocks", "actions"),
        *("decisions_per_second", "games_per_second"),
    }
    assert set(data) == every_game | variant.own_keys | {key}


def test_the_same_seed_gives_the_same_figures(variant: Case, tmp_path: Path) -> None:
    measured = {"seconds", "threads", "decisions_per_second", "games_per_second"}

    def figures(*argv: str) -> dict[str, Any]:
        return {k: v for k, v in json_of(variant, tmp_path, *argv).items() if k not in measured}

    assert figures("--seed", "7") == figures("--seed", "7", "--threads", "1")
    assert figures("--seed", "7") != figures("--seed", "8")


def test_options_reach_the_game(game: Case, tmp_path: Path) -> None:
    arguments, own = game.own_arguments
    data = json_of(game, tmp_path, *arguments, "--players", "6", "--polls", "all")
    assert data["options"] == {"num_players": 6, "polls": "all", **own}
    assert data["length"]["mean"] == own[game.guard]
    holders = json_of(game, tmp_path, *arguments, "--players", "6")
    assert holders["options"] == {**data["options"], "polls": "holders"}
    for poll in game.polls:
        assert data["decision_kinds"][poll] > 2 * holders["decision_kinds"][poll]


def test_a_file_that_cannot_be_written_is_refused_before_playing(
    game: Case, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    missing = tmp_path / "missing" / "games.json"
    assert f"the folder '{missing.parent}' does not exist; create it first" in refused(
        game, capsys, "selfplay", "--games", "10000000", "--json", str(missing)
    )
    assert "is a folder; name a file in it" in refused(game, capsys, "selfplay", "--json", str(tmp_path))


BAD_ARGUMENTS = (
    (("--players", "2"), "argument --players: 2 is not allowed; allowed: integers from 3 to 6"),
    (("--players", "7"), "argument --players: 7 is not allowed; allowed: integers from 3 to 6"),
    (("--games", "0"), "argument --games: 0 is not allowed; allowed: integers from 1 to 10000000"),
    (("--games", "many"), "argument --games: 'many' is no integer; allowed: integers from 1 to 10000000"),
    (("--threads", "0"), "argument --threads: 0 is not allowed; allowed: integers from 1 up"),
    (("--seed", "-1"), "argument --seed: -1 is not allowed; allowed: integers from 0 to 9223372036854775807"),
    (("--policy", "clever"), "argument --policy: invalid choice: 'clever'"),
    (("--polls", "none"), "argument --polls: invalid choice: 'none'"),
    (("--unknown",), "unrecognized arguments: --unknown"),
)


@pytest.mark.parametrize(
    ("game", "argv", "message"),
    [
        pytest.param(game, argv, message, id=f"{game} {' '.join(argv)}")
        for game in GAMES
        for argv, message in (*BAD_ARGUMENTS, *game.bad_arguments)
    ],
)
def test_bad_arguments(game: Case, capsys: pytest.CaptureFixture[str], argv: tuple[str, ...], message: str) -> None:
    assert message in refused(game, capsys, "selfplay", *argv)


def test_a_command_is_needed(game: Case, capsys: pytest.CaptureFixture[str]) -> None:
    assert "the following arguments are required: command" in refused(game, capsys)


@pytest.mark.parametrize("argv", [["--help"], ["selfplay", "--help"], ["show", "--help"], ["warmup", "--help"]])
def test_help(game: Case, capsys: pytest.CaptureFixture[str], argv: list[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        game.cli.main(argv)
    assert stopped.value.code == 0
    out = capsys.readouterr().out
    assert out.startswith(f"usage: {game.program}")
    assert "None" not in out
    if argv[0] in ("selfplay", "show"):
        for option in game.own_arguments[0]:
            assert not option.startswith("--") or option in out


def test_version(game: Case, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        game.cli.main(["--version"])
    assert stopped.value.code == 0
    printed = capsys.readouterr().out
    assert printed == f"{game.program} {__version__} ({game.name}_v0, fingerprint {game.spec.fingerprint})\n"


def test_show_is_a_position_of_the_seed(game: Case, capsys: pytest.CaptureFixture[str]) -> None:
    outputs = []
    for argv in (["--moves", "30"], ["--moves", "30"], ["--moves", "31"], ["--moves", "30", "--seed", "1"]):
        assert game.cli.main(["show", *argv]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1] != ""
    assert outputs[0] not in outputs[2:]
    assert "\x1b" not in outputs[0]


def test_show_takes_the_options_of_the_game(game: Case, capsys: pytest.CaptureFixture[str]) -> None:
    outputs = []
    for argv in ((), ("--players", "5"), game.own_arguments[0], ("--polls", "all")):
        assert game.cli.main(["show", "--moves", "150", *argv]) == 0
        outputs.append(capsys.readouterr().out)
    assert len(set(outputs)) == len(outputs)
    assert "player_4" in outputs[1] and "player_4" not in outputs[0]


def test_show_takes_a_seat(game: Case, capsys: pytest.CaptureFixture[str]) -> None:
    views = set()
    for argv in ((), *(("--seat", f"player_{seat}") for seat in range(4))):
        assert game.cli.main(["show", "--moves", "30", *argv]) == 0
        views.add(capsys.readouterr().out)
    assert len(views) == 5 and "" not in views
    assert "player_4 does not play in a game of 4" in refused(game, capsys, "show", "--seat", "player_4")
    assert "'red' is no player; players are player_0, player_1, ..." in refused(game, capsys, "show", "--seat", "red")


def test_show_ends_with_the_game(variant: Case, capsys: pytest.CaptureFixture[str]) -> None:
    assert variant.cli.main(["show", "--moves", "100000", *selfplay(variant)[5:]]) == 0
    assert "the game is over" in capsys.readouterr().out


def test_warmup_finds_everything_the_second_time(game: Case, capsys: pytest.CaptureFixture[str]) -> None:
    assert game.cli.main(["warmup"]) == 0
    assert game.cli.main(["warmup"]) == 0
    out = capsys.readouterr().out
    assert f"{game.program}: everything was in the cache" in out or "the jit is off" in out


def test_interrupt(game: Case, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(shared, "play", interrupted)
    assert game.cli.main(selfplay(game)) == shared.INTERRUPTED
    assert "interrupted" in capsys.readouterr().err


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("old")
    with pytest.raises(TypeError):
        shared.write_json(path, {"x": object()})
    assert path.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("content", [None, "", "[adventure"], ids=["missing", "empty", "no TOML"])
def test_a_bad_components_file_is_one_line_and_status_2(game: Case, tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "components.toml"
    if content is not None:
        path.write_text(content)
    done = subprocess.run(
        [sys.executable, "-m", f"{game.cli.__package__}.cli", "--help"],
        capture_output=True, text=True, check=False,
        env={**os.environ, game.variable: str(path)},
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith(f"{game.program}: ") and str(path) in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
