"""Rewards of the AEC environment by hand; what every game's environment does is in ``tests/views``."""

import pytest

from dracheninsel_env import dracheninsel_v0
from island_core.view import final_rewards
from tests.views.games import DRACHENINSEL
from tests.views.playing import check_last_step


def standing(coins, **options):
    """Four players with these coins on their last turn, the first to decide."""
    values = (100, 125, 150, 175, 200, 240, 300)
    paid = {value for row in coins.values() for value in row}
    laid = next(value for value in values if value > max(paid, default=0))
    treasures = {str(value): "removed" if value < laid else "stock" for value in values}
    treasures |= {str(value): "collected" for value in paid} | {str(laid): "e5"}
    game = dracheninsel_v0.Game(num_players=4, max_turns=1, **options)
    return game.from_dict({"coins": coins, "treasures": treasures, "hands": {"player_0": ["water"]}})


LONE = {"player_0": [100, 100], "player_1": [125], "player_2": [125]}
SHARED = {"player_0": [100], "player_1": [100], "player_2": [125], "player_3": [125]}
EQUAL_MONEY = {"player_0": [100, 200], "player_1": [125, 175], "player_2": [200, 125], "player_3": [100, 175]}
THIRD = 1 / 3
REWARDS_BY_HAND = [
    (LONE, "win", [1, -THIRD, -THIRD, -THIRD]),
    (LONE, "rank", [1, 0, 0, -1]),
    (LONE, "score", [87.5 / 2580, 12.5 / 2580, 12.5 / 2580, -112.5 / 2580]),
    (SHARED, "win", [-THIRD, -THIRD, THIRD, THIRD]),
    (SHARED, "rank", [-2 / 3, -2 / 3, 2 / 3, 2 / 3]),
    (SHARED, "score", [-12.5 / 2580, -12.5 / 2580, 12.5 / 2580, 12.5 / 2580]),
    # 300 for the first two: the one with the higher coin is before the other (D10.2).
    (EQUAL_MONEY, "win", [-THIRD, -THIRD, 1, -THIRD]),
    (EQUAL_MONEY, "rank", [THIRD, -THIRD, 1, -1]),
    (EQUAL_MONEY, "score", [0, 0, 25 / 2580, -25 / 2580]),
    ({}, "win", [0, 0, 0, 0]),
    ({}, "rank", [0, 0, 0, 0]),
    ({}, "score", [0, 0, 0, 0]),
]


@pytest.mark.rule("D10.2", "D4.7")
@pytest.mark.parametrize(("coins", "reward", "expected"), REWARDS_BY_HAND)
def test_rewards_by_hand(coins, reward, expected):
    position = standing(coins)
    assert final_rewards(position, reward) == pytest.approx(expected, abs=1e-12)
    env = check_last_step(DRACHENINSEL, position, "stop", reward, expected)
    assert env.position.is_truncated
