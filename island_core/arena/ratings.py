"""Ratings: strengths that explain the ranks, by maximum likelihood, and those of the library `openskill`.

**Maximum likelihood.** In the model of Plackett and Luce the players of a game are put in order from the first to the
last; each place goes to one of those who are left with a probability proportional to its strength (R. L. Plackett, "The
analysis of permutations", Appl. Statist. 24 (1975); "MM algorithms for generalized Bradley-Terry models",
Ann. Statist. 32 (2004)). Players of one rank count as the mean over all orders they could have come in, for two as half
a win each. The logarithm of the likelihood is concave and found by Newton's method.

So that a policy that has never lost has a rating, every two policies that met are given one more game of two, a tie. A
rating is 400 * log10(strength), the scale of Elo: 400 points are odds of 10 to 1 to come in before the other. The mean
rating of policies that are connected by games is 0.

**Intervals** are percentiles of a bootstrap over deals: as many deals are drawn with replacement as there are, and the
ratings are fitted anew (B. Efron, R. Tibshirani, "An Introduction to the Bootstrap", 1993, 13.3; A. C. Davison,
D. V. Hinkley, "Bootstrap Methods and their Application", 1997, 3.8: whole clusters are drawn).

**openskill** (V. Joshy, "OpenSkill: A faster asymmetric multi-team, multiplayer rating system", J. Open Source Softw. 9
(2024); R. C. Weng, C.-J. Lin, "A Bayesian approximation method for online ranking", J. Mach. Learn. Res. 12 (2011))
updates ratings game by game, in the order of the games' numbers. A policy on several seats enters with its rating on
each, and takes the mean of what comes out.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from island_core.arena.estimates import LEVEL

SCALE = 400 / math.log(10)
BOOTSTRAPS = 1000
NEWTON_STEPS = 100
LARGEST_STEP = 2.0
CHUNK_NUMBERS = 4_000_000
"""Numbers of a stage of the bootstrap held at a time."""
OPENSKILL_GAMES = 5_000


@dataclass(frozen=True)
class Rating:
    """The rating of a policy, with a 95 % bootstrap interval; NaN where there are too few deals for one.

    Attributes
    ----------
    value, low, high:
        in points of Elo.
    group:
        ratings compare only between policies of one group: those that games connect.
    """

    value: float
    low: float
    high: float
    group: int


@dataclass(frozen=True)
class Stages:
    """What the likelihood needs of all games.

    Attributes
    ----------
    weights:
        ``float64[S, K]``: the different stages, how often each of K policies is in the choice.
    counts:
        ``float64[D, S]``: how often each stage came up in each deal.
    chosen:
        ``float64[D, K]``: how often each policy was put in a place.
    """

    weights: NDArray[np.float64]
    counts: NDArray[np.float64]
    chosen: NDArray[np.float64]


def stages_of(
    deals: NDArray[np.int64], policies: NDArray[np.int8], ranks: NDArray[np.float64], number: int, known: int
) -> Stages:
    """The stages of G games of P players: ``deals[G]``, ``policies[G, P]``, ``ranks[G, P]`` (1 is best, ties get the
    mean of their places), for ``number`` deals and ``known`` policies.
    """
    # Games that ended alike give the same stages: there are few different endings.
    endings, which = np.unique(
        np.concatenate([policies, np.round(2 * ranks)], axis=1).astype(np.int16), axis=0, return_inverse=True
    )
    times = np.zeros((number, len(endings)))
    np.add.at(times, (deals, which.reshape(-1)), 1.0)
    players = policies.shape[1]
    numbers: dict[tuple[int, ...], int] = {}
    ending_of: list[int] = []
    stage_of: list[int] = []
    part_of: list[float] = []
    chosen = np.zeros((len(endings), known))
    for k, ending in enumerate(endings):
        who, places = ending[:players], ending[players:]
        np.add.at(chosen[k], who, 1.0)
        for place in np.unique(places):
            below, tied = who[places > place].tolist(), who[places == place].tolist()
            for left in range(1, len(tied) + 1):
                # In the mean over all orders every choice of those who are left is as frequent.
                part = 1 / math.comb(len(tied), left)
                for some in itertools.combinations(tied, left):
                    stage = tuple(np.bincount([*below, *some], minlength=known).tolist())
                    ending_of.append(k)
                    stage_of.append(numbers.setdefault(stage, len(numbers)))
                    part_of.append(part)
    per_ending = np.zeros((len(endings), len(numbers)))
    np.add.at(per_ending, (ending_of, stage_of), part_of)
    weights = np.array(list(numbers), np.float64).reshape(-1, known)
    # With one policy in the choice there is nothing to learn; it is as good as no stage and no place taken.
    alone = (weights > 0).sum(axis=1) == 1
    lone = weights[alone] > 0
    return Stages(
        weights[~alone], times @ per_ending[:, ~alone], times @ (chosen - per_ending[:, alone] @ lone.astype(float))
    )


def groups_of(stages: Stages) -> NDArray[np.int64]:
    """The group of each policy: a number that policies share which are connected by games."""
    known = stages.weights.shape[1]
    groups = np.arange(known)
    together = (stages.weights[stages.counts.sum(axis=0) > 0] > 0).astype(int)
    linked = together.T @ together > 0
    for _ in range(known):
        for k in range(known):
            groups[k] = min(groups[k], groups[linked[k]].min(initial=groups[k]))
    return groups


def fit(weights: NDArray[np.float64], counts: NDArray[np.float64], chosen: NDArray[np.float64]) -> NDArray[np.float64]:
    """The logarithms of the strengths, ``float64[B, K]``, for B samples: stages ``weights[S, K]`` that came up
    ``counts[B, S]`` times, ``chosen[B, K]`` places taken.

    Every two policies that meet in a stage get one tie more. The mean over policies is 0.
    """
    samples, known = chosen.shape
    met = (weights > 0).astype(int)
    pairs = [(a, b) for a in range(known) for b in range(a) if (met[:, a] & met[:, b]).any()]
    ties = np.zeros((len(pairs), known))
    for k, pair in enumerate(pairs):
        ties[k, list(pair)] = 1.0
    weights = np.concatenate([weights, ties])
    counts = np.concatenate([counts, np.ones((samples, len(pairs)))], axis=1)
    chosen = chosen + ties.sum(axis=0) / 2
    theta = np.zeros((samples, known))
    diagonal = np.arange(known)
    for _ in range(NEWTON_STEPS):
        shares = weights * np.exp(theta)[:, None, :]
        shares /= shares.sum(axis=2, keepdims=True)
        gradient = chosen - np.einsum("bs,bsk->bk", counts, shares)
        curvature = -np.einsum("bs,bsk,bsl->bkl", counts, shares, shares, optimize=True)
        curvature[:, diagonal, diagonal] += np.einsum("bs,bsk->bk", counts, shares)
        # A constant added to all strengths of a group changes nothing: this fixes it without moving the others.
        step = np.linalg.solve(curvature + 1.0, gradient[..., None])[..., 0] if len(pairs) else np.zeros_like(theta)
        theta += np.clip(step, -LARGEST_STEP, LARGEST_STEP)
        if np.abs(step).max(initial=0.0) < 1e-9:
            centred: NDArray[np.float64] = theta - theta.mean(axis=1, keepdims=True)
            return centred
    raise ArithmeticError(f"the ratings have not converged in {NEWTON_STEPS} steps: {theta}")


def maximum_likelihood(stages: Stages, seed: int, bootstraps: int = BOOTSTRAPS) -> list[Rating]:
    """The rating of each policy; deals without a game do not count.

    ``seed`` is that of the bootstrap: the same results give the same intervals.
    """
    known = stages.weights.shape[1]
    groups = groups_of(stages)
    found = np.zeros(known)
    bounds = np.full((2, known), math.nan)
    there = stages.chosen.sum(axis=1) > 0
    counts, chosen, deals = stages.counts[there], stages.chosen[there], int(there.sum())
    generator = np.random.default_rng(seed)
    for group in np.unique(groups):
        members = np.flatnonzero(groups == group)
        if len(members) == 1:
            continue
        own = (stages.weights[:, members] > 0).any(axis=1)
        weights, own_counts, own_chosen = stages.weights[own][:, members], counts[:, own], chosen[:, members]
        found[members] = SCALE * fit(weights, own_counts.sum(axis=0)[None], own_chosen.sum(axis=0)[None])[0]
        if deals > 1:
            size = max(1, CHUNK_NUMBERS // (deals + len(weights) * len(members)))
            samples = []
            for first in range(0, bootstraps, size):
                number = min(size, bootstraps - first)
                drawn = generator.multinomial(deals, np.full(deals, 1 / deals), size=number).astype(float)
                samples.append(SCALE * fit(weights, drawn @ own_counts, drawn @ own_chosen))
            tails = ((1 - LEVEL) / 2, (1 + LEVEL) / 2)
            bounds[:, members] = np.quantile(np.concatenate(samples), tails, axis=0)
    return [Rating(float(found[k]), float(bounds[0, k]), float(bounds[1, k]), int(groups[k])) for k in range(known)]


def openskill_ratings(
    policies: NDArray[np.int8], ranks: NDArray[np.float64], known: int
) -> list[tuple[float, float]] | None:
    """Mean and standard deviation of each policy's rating by `openskill`'s model ``PlackettLuce``; None without that
    library. Of more than `OPENSKILL_GAMES` games so many are taken, evenly spaced.
    """
    try:
        from openskill.models import PlackettLuce
    except ModuleNotFoundError:
        return None
    model = PlackettLuce()
    current = [(model.rating().mu, model.rating().sigma) for _ in range(known)]
    games = len(policies)
    for k in np.linspace(0, games - 1, min(games, OPENSKILL_GAMES)).astype(int).tolist():
        who = policies[k].tolist()
        teams = [[model.create_rating(list(current[number]))] for number in who]
        after = model.rate(teams, ranks=ranks[k].tolist())
        for number in set(who):
            seats = [after[seat][0] for seat, other in enumerate(who) if other == number]
            current[number] = (sum(s.mu for s in seats) / len(seats), sum(s.sigma for s in seats) / len(seats))
    return current
