"""Positions of this game by hand; what every game's ``Game`` and ``Position`` do is in ``tests/views``."""

import pytest

from dracheninsel_env import dracheninsel_v0


@pytest.mark.rule("D3.3", "D4.1")
def test_a_new_game_may_be_stopped_at_once():
    pos = dracheninsel_v0.Game(num_players=3).new(7)
    assert pos.decision == "turn" and "stop" in pos.legal_names()
    assert pos.scores == [0, 0, 0]


@pytest.mark.rule("D10.2")
def test_scores_ranks_and_winners_by_hand():
    game = dracheninsel_v0.Game()
    coins = {"player_0": [100, 200], "player_1": [125, 175], "player_2": [200, 125], "player_3": [100, 175]}
    treasures = {"100": "collected", "125": "collected", "150": "removed", "175": "collected", "200": "collected"}
    pos = game.from_dict({"coins": coins, "treasures": treasures | {"240": "e5"}, "hands": {"player_0": ["water"]}})
    assert pos.scores == [300, 300, 325, 275]
    assert pos.ranks == [2.0, 3.0, 1.0, 4.0]
    assert pos.winners == [2]
    treasures = {"100": "collected", "125": "collected", "150": "e5"}
    coins = {"player_1": [125, 100], "player_3": [100, 125]}
    pos = game.from_dict({"coins": coins, "treasures": treasures, "hands": {"player_0": ["water"]}})
    assert pos.scores == [0, 225, 0, 225]
    assert pos.ranks == [3.5, 1.5, 3.5, 1.5]
    assert pos.winners == [1, 3]
