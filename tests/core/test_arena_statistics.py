"""Intervals and ratings of tournaments, on results that are made up."""

from __future__ import annotations

import itertools
import math
import sys

import numpy as np
import pytest
from scipy import optimize, stats

from island_core.arena.estimates import Estimate, mean_of, ratio, share_of, student
from island_core.arena.ratings import SCALE, fit, groups_of, maximum_likelihood, openskill_ratings, stages_of


@pytest.mark.parametrize("freedom", [*range(1, 40), 99, 1000, 1001, 50_000])
def test_the_points_of_student(freedom):
    assert student(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=1e-7)


def coverage(make, estimate, truth, repeats=1500):
    """How often the intervals of made-up deals contain the truth, and how often those would that took games for
    independent.
    """
    generator = np.random.default_rng(11)
    inside = naive = 0
    for _ in range(repeats):
        games = make(generator)
        counts = np.full(len(games), games.shape[1], float)
        found = estimate(games.sum(axis=1), counts)
        inside += found.low <= truth <= found.high
        naive += abs(games.mean() - truth) <= 1.96 * games.std() / math.sqrt(games.size)
    return inside / repeats, naive / repeats


def test_intervals_of_means_hold_what_they_promise():
    def make(generator):
        return generator.normal(0, 1, (12, 1)) + generator.normal(3, 1, (12, 8))

    inside, naive = coverage(make, mean_of, 3.0)
    assert 0.935 < inside < 0.965 and naive < 0.7


@pytest.mark.parametrize("truth", [0.25, 0.04])
def test_intervals_of_shares_hold_what_they_promise(truth):
    def make(generator):
        chance = generator.beta(truth * 4, (1 - truth) * 4, (40, 1))
        return (generator.random((40, 8)) < chance).astype(float)

    inside, naive = coverage(make, share_of, truth)
    assert 0.925 < inside < 0.97 and naive < 0.85


def test_games_that_balance_each_other_make_an_interval_narrower():
    generator = np.random.default_rng(2)
    wins = generator.multinomial(1, [0.25] * 4, size=400).astype(float)
    # Each deal is won once by each of four players: the share of one of them is 1/4 exactly.
    balanced = share_of(np.ones(400), np.full(400, 4.0))
    independent = share_of(wins[:, 0], np.ones(400))
    assert balanced.mean == 0.25 and balanced.high - balanced.low < independent.high - independent.low + 0.01


def test_shares_at_the_ends_and_of_little():
    nothing, one = np.zeros(20), np.ones(20)
    low, high = share_of(nothing, one), share_of(one, one)
    assert low.mean == low.low == 0.0 and 0.1 < low.high < 0.3
    assert high.mean == high.high == 1.0 and high.low == pytest.approx(1 - low.high)
    assert share_of(np.array([1.0]), np.array([4.0])) == Estimate(0.25, 0.0, 1.0)
    alone = mean_of(np.array([6.0, 0.0]), np.array([2.0, 0.0]))
    assert alone.mean == 3.0 and math.isnan(alone.low)
    assert math.isnan(share_of(nothing, nothing).mean) and math.isnan(ratio(nothing, nothing)[0])


def test_a_ratio_weighs_deals_by_their_games():
    mean, variance = ratio(np.array([3.0, 1.0, 0.0]), np.array([4.0, 2.0, 2.0]))
    rest = np.array([3 - 0.5 * 4, 1 - 0.5 * 2, 0 - 0.5 * 2])
    assert mean == 0.5 and variance == pytest.approx(3 / 2 * (rest**2).sum() / 64)


# Ratings


def simulated(strengths, games, players, generator, ties=0.0):
    """Games of random policies by the model of Plackett and Luce; with some chance neighbours in the order tie."""
    theta = np.asarray(strengths, float)
    policies = generator.integers(len(theta), size=(games, players)).astype(np.int8)
    # The order of exponential times with rates exp(theta) is one of this model.
    times = generator.exponential(size=(games, players)) / np.exp(theta[policies])
    order = times.argsort(axis=1)
    places = np.cumsum(np.concatenate([np.zeros((games, 1)), generator.random((games, players - 1)) >= ties], 1), 1)
    keys = np.empty((games, players))
    np.put_along_axis(keys, order, places, axis=1)
    ranks = (keys[:, None, :] < keys[:, :, None]).sum(2) + ((keys[:, None, :] == keys[:, :, None]).sum(2) + 1) / 2
    return policies, ranks


STRENGTHS = np.array([-1.2, -0.1, 0.3, 1.0])


@pytest.mark.parametrize("players", [3, 6])
def test_known_strengths_are_found_again(players):
    generator = np.random.default_rng(5)
    policies, ranks = simulated(STRENGTHS, 4000, players, generator)
    ratings = maximum_likelihood(stages_of(np.arange(4000) // 8, policies, ranks, 500, 4), seed=1, bootstraps=300)
    for rating, strength in zip(ratings, SCALE * (STRENGTHS - STRENGTHS.mean()), strict=True):
        assert rating.low < strength < rating.high and rating.high - rating.low < 40
        assert rating.low < rating.value < rating.high and rating.group == 0


def test_bootstrap_intervals_hold_what_they_promise():
    generator = np.random.default_rng(9)
    inside = 0
    for repeat in range(120):
        policies, ranks = simulated(STRENGTHS, 240, 4, generator)
        ratings = maximum_likelihood(stages_of(np.arange(240) // 4, policies, ranks, 60, 4), repeat, bootstraps=200)
        truth = SCALE * (STRENGTHS - STRENGTHS.mean())
        inside += sum(rating.low <= t <= rating.high for rating, t in zip(ratings, truth, strict=True))
    assert 0.89 < inside / 480 < 0.98


def likelihood(theta, policies, ranks):
    """The logarithm of the likelihood, from its definition: the mean over all orders in which ties could have come."""
    total = 0.0
    for who, places in zip(policies.tolist(), ranks.tolist(), strict=True):
        orders = [o for o in itertools.permutations(range(len(who))) if [places[k] for k in o] == sorted(places)]
        for order in orders:
            for k in range(len(order)):
                left = [theta[who[seat]] for seat in order[k:]]
                total += (left[0] - math.log(sum(map(math.exp, left)))) / len(orders)
    return total


def test_the_likelihood_is_that_of_its_definition():
    policies, ranks = simulated(STRENGTHS, 25, 4, np.random.default_rng(3), ties=0.4)
    stages = stages_of(np.zeros(25, np.int64), policies, ranks, 1, 4)
    (found,) = fit(stages.weights, stages.counts, stages.chosen)

    def loss(theta):
        ties = sum(
            (theta[a] + theta[b]) / 2 - math.log(math.exp(theta[a]) + math.exp(theta[b]))
            for a, b in itertools.combinations(range(4), 2)
        )
        return -likelihood(theta, policies, ranks) - ties

    best = optimize.minimize(loss, np.zeros(4)).x
    assert found == pytest.approx(best - best.mean(), abs=1e-3)


def test_two_players_have_the_odds_of_their_wins():
    policies = np.tile(np.array([[0, 1]], np.int8), (10, 1))
    ranks = np.array([[1.0, 2.0]] * 6 + [[2.0, 1.0]] * 2 + [[1.5, 1.5]] * 2)
    ratings = maximum_likelihood(stages_of(np.arange(10), policies, ranks, 10, 2), seed=0, bootstraps=10)
    assert ratings[0].value - ratings[1].value == pytest.approx(400 * math.log10((6 + 1 + 0.5) / (2 + 1 + 0.5)))


def test_who_always_wins_has_a_finite_rating_and_who_always_ties_has_0():
    policies = np.tile(np.array([[0, 1, 1]], np.int8), (50, 1))
    wins, ties = np.tile([[1.0, 2.5, 2.5]], (50, 1)), np.full((50, 3), 2.0)
    best, other = maximum_likelihood(stages_of(np.arange(50), policies, wins, 50, 2), seed=0, bootstraps=20)
    assert 200 < best.value < 2000 and best.value == -other.value
    for rating in maximum_likelihood(stages_of(np.arange(50), policies, ties, 50, 2), seed=0, bootstraps=20):
        assert rating.value == pytest.approx(0, abs=1e-6) and rating.low == pytest.approx(rating.high, abs=1e-6)


def test_policies_that_no_game_connects_are_rated_apart():
    policies = np.array([[0, 1, 0], [2, 3, 3], [4, 4, 4]] * 20, np.int8)
    ranks = np.tile([[1.0, 2.0, 3.0]], (60, 1))
    stages = stages_of(np.arange(60) // 3, policies, ranks, 20, 5)
    assert groups_of(stages).tolist() == [0, 0, 2, 2, 4]
    ratings = maximum_likelihood(stages, seed=0, bootstraps=20)
    assert ratings[0].value == pytest.approx(-ratings[1].value) and ratings[2].value == pytest.approx(-ratings[3].value)
    assert ratings[4].value == 0.0 and math.isnan(ratings[4].low)


def test_one_deal_has_no_interval():
    (rating, _) = maximum_likelihood(
        stages_of(np.zeros(1, np.int64), np.array([[0, 1, 1]], np.int8), np.array([[1.0, 2.0, 3.0]]), 1, 2), seed=0
    )
    assert rating.value > 0 and math.isnan(rating.low) and math.isnan(rating.high)


def test_openskill_finds_the_order():
    policies, ranks = simulated(STRENGTHS, 1500, 4, np.random.default_rng(8))
    found = openskill_ratings(policies, ranks, 4)
    assert [mu for mu, _ in found] == sorted(mu for mu, _ in found)
    assert all(sigma < 8.0 for _, sigma in found)


def test_without_openskill_there_is_no_such_rating(monkeypatch):
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    assert openskill_ratings(np.zeros((1, 3), np.int8), np.array([[1.0, 2.0, 3.0]]), 1) is None
