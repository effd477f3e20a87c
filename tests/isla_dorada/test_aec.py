"""Rewards of the AEC environment by hand; what every game's environment does is in ``tests/views``."""

import pytest

from isla_dorada_env import isla_dorada_v0
from island_core.view import final_rewards
from tests.views.games import VARIANTS
from tests.views.playing import check_last_step

BIDDINGS = [variant for variant in VARIANTS if variant.name == "isla_dorada"]
THIRD = 1 / 3
DESTINIES = {
    "player_0": ["homesick"],  # 6 for two returns
    "player_1": ["Mar Maldita"],  # 8, 4, 0 by sea journeys
    "player_2": ["pilgrim"],  # 8 for four markers on one place
    "player_3": ["kayak keeper"],  # 2 for each kayak in hand
}


def last_purchase(bidding, gold, **more):
    """Four players in the last round, the last of them to buy a card or let it be."""
    players = [f"player_{seat}" for seat in range(4)]
    rounds = {"leader": "player_0", "number": 39 if "markers" not in more else 20}
    data = {"gold": dict(zip(players, gold, strict=True)), "destinies": DESTINIES, "round": rounds}
    data |= {"hands": {"player_3": ["kayak", "kayak"]}, "stack": [{"decision": "buy", "player": "player_3"}]}
    return bidding.rules(num_players=4).from_dict({**data, **more})


LAID = {
    "laid": {"player_0": ["Rhobanis starred", "Rhobanis bonus"]},  # 5 and 3
    "curses_laid": {"player_1": ["Rhobanis"]},  # -5
    "treasures": {"player_2": ["Wahi-Waha"]},  # worth nothing in hand
    "curses": {"player_2": ["Septris"]},
}
LAST_MARKER = {
    "markers": {"Rhobanis": 13, "Septris": 3},
    "camp": "Rhobanis",
    "bids": {"player_0": {"place": "Rhobanis", "way": "flight", "amount": 1}},
}
# Gold, what else, scores before the last step and after it, and the rewards that come with it.
ENDS = {
    "destinies decide": (
        ((5, 0, 7, 1), {}, [5, 0, 7, 1], [5, 8, 7, 5]),
        {
            "win": [-THIRD, 1, -THIRD, -THIRD],
            "rank": [-2 / 3, 1, THIRD, -2 / 3],
            "score": [-1.25 / 50, 1.75 / 50, 0.75 / 50, -1.25 / 50],
            "gain": [-3 / 50, 5 / 50, -3 / 50, 1 / 50],
        },
    ),
    "three share the win": (
        ((5, 1, 2, 1), {"sea_journeys": 1}, [5, 1, 2, 1], [5, 5, 2, 5]),
        {
            "win": [1 / 9, 1 / 9, -THIRD, 1 / 9],
            "rank": [THIRD, THIRD, -1, THIRD],
            "score": [0.75 / 50, 0.75 / 50, -2.25 / 50, 0.75 / 50],
            "gain": [-2 / 50, 2 / 50, -2 / 50, 2 / 50],
        },
    ),
    "treasures and a curse": (
        ((2, 0, 3, 4), {**LAID, "returns": 2, "sea_journeys": 2}, [10, -5, 3, 4], [16, -5, 3, 8]),
        {
            "win": [1, -THIRD, -THIRD, -THIRD],
            "rank": [1, -1, -THIRD, THIRD],
            "score": [10.5 / 50, -10.5 / 50, -2.5 / 50, 2.5 / 50],
            "gain": [3.5 / 50, -2.5 / 50, -2.5 / 50, 1.5 / 50],
        },
    ),
    "the 16th marker": (
        ((1, 1, 1, 1), LAST_MARKER, [1, 1, 1, 1], [1, 9, 9, 5]),
        {
            "win": [-THIRD, THIRD, THIRD, -THIRD],
            "rank": [-1, 2 / 3, 2 / 3, -THIRD],
            "score": [-5 / 50, 3 / 50, 3 / 50, -1 / 50],
            "gain": [-5 / 50, 3 / 50, 3 / 50, -1 / 50],
        },
    ),
}


@pytest.mark.rule("I2.3", "I11.1", "I11.2")
@pytest.mark.parametrize("reward", ["win", "rank", "score", "gain"])
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("bidding", BIDDINGS, ids=str)
def test_rewards_by_hand(bidding, end, reward):
    (gold, more, before, after), expected = ENDS[end]
    position = last_purchase(bidding, gold, **more)
    assert position.scores == before
    env = check_last_step(bidding, position, "let be", reward, expected[reward])
    assert env.position.scores == after
    assert env.position.is_truncated == ("markers" not in more)
    if reward != "gain":
        assert final_rewards(env.position, reward) == pytest.approx(expected[reward], abs=1e-12)


@pytest.mark.rule("I2.3", "I11.2")
@pytest.mark.parametrize("bidding", BIDDINGS, ids=str)
def test_destinies_come_with_the_last_step(bidding):
    """The rewards ``gain`` of the last step are those of the destinies; until then they are those of open points."""
    for seed in range(4):
        env = bidding.env(num_players=5, reward="gain")
        env.reset(seed=seed)
        while not env.position.is_over:
            before = env.position
            names = before.legal_names()
            before = before.clone()
            env.step(env.position.parse("let be") if "let be" in names else env.sample_action())
        gains = [now - then for now, then in zip(env.position.scores, before.scores, strict=True)]
        record = env.position.to_dict()
        assert record["outcome"] == "natural" and record["gold"] == before.to_dict()["gold"]
        assert record["laid"] == before.to_dict()["laid"] and min(gains) >= 0
        mean = sum(gains) / 5
        assert list(env.rewards.values()) == pytest.approx([(gain - mean) / 50 for gain in gains], abs=1e-12)


def test_cooperative_bidding_is_told_to_everybody():
    for bidding in BIDDINGS:
        env = bidding.env(obs_dtype="int8")
        env.reset(seed=1)
        entry = env.game.observation_layout["cooperative"].start
        assert {int(env.observe(agent)["observation"][entry]) for agent in env.agents} == {bool(bidding.options)}
    assert isla_dorada_v0.Game().options.cooperative_bidding is False
