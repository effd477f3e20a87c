"""What the command line counts in this game; what every game's does is in ``tests/views``."""

from __future__ import annotations

from pathlib import Path

from tests.views.command_line import json_of
from tests.views.games import DRACHENINSEL


def test_tasks_are_counted_on_one_sided_and_split_cards_together(tmp_path: Path) -> None:
    data = json_of(DRACHENINSEL, tmp_path, "--policy", "acting")
    assert sum(data["tasks"].values()) == data["blocks"]["play"] > 0
    assert sum(number > 0 for number in data["tasks"].values()) > 5


def test_money_is_the_score(tmp_path: Path) -> None:
    data = json_of(DRACHENINSEL, tmp_path, "--max-turns", "3000", "--policy", "acting")
    assert data["outcomes"] == {"natural": 12, "truncated": 0}
    money = data["columns"]["money"]["mean"]
    assert money > 0 and abs(sum(data["scores"]) - money) < 1e-6
