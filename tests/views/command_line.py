"""Calling a command line in a test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.views.games import Case


def selfplay(game: Case) -> list[str]:
    """The arguments of a short self-play; those after the fifth are options of the game."""
    guard = "--" + game.guard.replace("_", "-")
    return ["selfplay", "--games", "12", "--threads", "2", guard, str(game.short), *game.arguments]


def refused(game: Case, capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    """What a command line says to arguments that it refuses."""
    with pytest.raises(SystemExit) as stopped:
        game.cli.main(argv)
    assert stopped.value.code == 2
    return capsys.readouterr().err


def json_of(game: Case, folder: Path, *argv: str) -> dict[str, Any]:
    """The figures of a short self-play."""
    path = folder / "games.json"
    assert game.cli.main([*selfplay(game), *argv, "--json", str(path)]) == 0
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content
