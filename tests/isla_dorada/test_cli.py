"""What the command line counts in this game; what every game's does is in ``tests/views``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.views.command_line import json_of, selfplay
from tests.views.games import ISLA_DORADA, VARIANTS, Case

BIDDINGS = [variant for variant in VARIANTS if variant.name == "isla_dorada"]


@pytest.mark.parametrize("bidding", BIDDINGS, ids=str)
def test_cards_paid_and_played_are_counted(bidding: Case, tmp_path: Path) -> None:
    data = json_of(bidding, tmp_path, "--max-rounds", "40", "--seed", "3")
    assert data["outcomes"] == {"natural": 12, "truncated": 0}
    cards, blocks = data["cards"], data["blocks"]
    assert min(cards.values()) > 0
    assert sum(list(cards.values())[:6]) == blocks["pay"] + blocks["pay with shaman"]
    assert cards["shaman"] == blocks["pay with shaman"]
    for card in ("oveto", "juju", "sangaia", "bongo"):
        assert cards[card] == blocks[card]
    assert (blocks["join"] > 0, blocks["raise"] > 0) == ((True, True) if bidding.options else (False, False))
    assert (blocks["share"] > 0, blocks["amount"] > 0) == ((True, False) if bidding.options else (False, True))


@pytest.mark.parametrize("bidding", BIDDINGS, ids=str)
def test_columns_and_the_mean_winning_bid(bidding: Case, tmp_path: Path) -> None:
    data = json_of(bidding, tmp_path, "--max-rounds", "40", "--players", "5")
    columns = {name: summary["mean"] for name, summary in data["columns"].items()}
    assert data["mean_winning_bid"] == pytest.approx(columns["winning bids"] / columns["rounds"])
    assert 2 < data["mean_winning_bid"] < 8
    assert sum(data["scores"]) == pytest.approx(columns["points of all"])
    # Nobody was ever stuck in these games: a round places a marker or returns to the base.
    assert columns["rounds"] == pytest.approx(16 + columns["returns to base"])
    assert 0 < columns["places visited"] <= 16 and 0 < columns["destinies met"] <= 5
    assert columns["treasures laid"] > 0


def test_the_first_line_says_how_bids_are_made(capsys: pytest.CaptureFixture[str]) -> None:
    for bidding in BIDDINGS:
        assert bidding.cli.main(selfplay(bidding)) == 0
        first = capsys.readouterr().out.splitlines()[0]
        word = "cooperative" if bidding.options else "basic"
        assert first == (
            f"Isla Dorada: 4 players, policy random, seed 0, {word} bidding, at most 2 rounds, polls holders"
        )


def test_show_prints_cooperative_bids(capsys: pytest.CaptureFixture[str]) -> None:
    moves = ["show", "--moves", "60", "--seed", "7"]
    outputs = []
    for more in ((), ("--cooperative",), ("--cooperative", "--max-rounds", "1")):
        assert ISLA_DORADA.cli.main([*moves, *more]) == 0
        outputs.append(capsys.readouterr().out)
    assert len(set(outputs)) == 3
    assert "the game is over" in outputs[2] and "the game is over" not in outputs[0] + outputs[1]
