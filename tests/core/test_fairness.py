"""The statistics of fairness notice a seat that is favoured."""

import numpy as np
import pytest

from tests.common import fairness


def random_shares(rng, games, players, shared):
    """Winners drawn evenly; so many games are won by two."""
    shares = np.zeros((games, players))
    for game in range(games):
        winners = rng.choice(players, 2 if game < shared else 1, replace=False)
        shares[game, winners] = 1 / len(winners)
    return shares


def test_share_statistic_is_uniform_for_fair_games():
    rng = np.random.default_rng(3)
    values = [fairness.p_of_shares(random_shares(rng, 400, 4, 150)) for _ in range(400)]
    assert 0.45 < np.mean(values) < 0.55
    assert 0.02 < np.mean(np.array(values) < 0.05) < 0.08


def test_share_statistic_is_pearsons_where_nothing_is_shared():
    shares = random_shares(np.random.default_rng(4), 1000, 5, 0)
    counts = shares.sum(axis=0).astype(int).tolist()
    assert fairness.p_of_shares(shares) == pytest.approx(fairness.p_of_counts(counts))


def test_a_favoured_seat_is_noticed():
    assert fairness.p_of_counts([2500 + 160, 2500 - 60, 2500 - 50, 2500 - 50]) < fairness.LEAST_P * 50
    assert fairness.p_of_counts([2500 + 250, 2500 - 100, 2500 - 75, 2500 - 75]) < fairness.LEAST_P
    rng = np.random.default_rng(5)
    shares = random_shares(rng, 10_000, 4, 3000)
    shares[:400] = [1.0, 0.0, 0.0, 0.0]
    assert fairness.p_of_shares(shares) < fairness.LEAST_P
