"""Means over the games of a tournament and how sure they are.

Games of one deal are no independent observations: line-ups and rotations share its cards. What is independent are the
deals, so they are the clusters of all intervals here: a mean is the ratio of two sums over deals, its variance that of
the linearised ratio between deals (W. G. Cochran, "Sampling Techniques", 3rd ed. 1977, chapters 6 and 9; K.-Y. Liang,
S. L. Zeger, "Longitudinal data analysis using generalized linear models", Biometrika 73 (1986)), and the quantile that
of Student's t with one degree of freedom less than there are deals.

Shares use Wilson's interval with the number of independent games that would be as sure, the "effective sample size"
(E. L. Korn, B. I. Graubard, "Confidence intervals for proportions with small expected number of positive counts
estimated from survey data", Survey Methodology 24 (1998); C. Franco et al., "Comparative study of confidence intervals
for proportions in complex sample surveys", J. Surv. Stat. Methodol. 7 (2019)): it stays between 0 and 1 and has a width
where a policy has won all or nothing.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LEVEL = 0.95


@dataclass(frozen=True)
class Estimate:
    """A mean with its 95 % confidence interval; NaN where there is nothing to say."""

    mean: float
    low: float
    high: float

    def to_json(self) -> dict[str, float | None]:
        """The numbers, None for NaN."""
        found = {"mean": self.mean, "low": self.low, "high": self.high}
        return {name: None if math.isnan(value) else value for name, value in found.items()}


NOTHING = Estimate(math.nan, math.nan, math.nan)


@functools.cache
def student(freedom: int) -> float:
    """The two-sided 95 % point of Student's t.

    Up to 1,000 degrees of freedom by bisection of its distribution function, a finite series (M. Abramowitz,
    I. A. Stegun, "Handbook of Mathematical Functions", 26.7.3 and 26.7.4); above, two terms of its expansion around the
    normal quantile (26.7.5), which are exact to 1e-8 there.
    """
    normal = 1.959963984540054
    if freedom > 1000:
        first = (normal**3 + normal) / 4
        second = (5 * normal**5 + 16 * normal**3 + 3 * normal) / 96
        return normal + first / freedom + second / freedom**2
    low, high = 0.0, 13.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _inside(middle, freedom) < LEVEL else (low, middle)
    return high


def _inside(t: float, freedom: int) -> float:
    """The probability that Student's t lies between -t and t."""
    angle = math.atan(t / math.sqrt(freedom))
    cosine = math.cos(angle)
    odd = freedom % 2
    term = cosine if odd else 1.0
    total = 0.0
    # Terms of cos**k for k of the parity of freedom - 2, each from the one before.
    for k in range(1 + odd, freedom, 2):
        total += term
        term *= cosine**2 * k / (k + 1)
    total *= math.sin(angle)
    return 2 / math.pi * (angle + total) if odd else total


def ratio(sums: NDArray[np.float64], counts: NDArray[np.float64]) -> tuple[float, float]:
    """The sum of ``sums`` by that of ``counts`` (``float64[deals]`` both), and the variance of this ratio.

    The variance is NaN for fewer than two deals in which anything was counted. Nothing counted gives NaN twice.
    """
    there = counts > 0
    sums, counts = sums[there], counts[there]
    clusters, total = len(counts), counts.sum()
    if clusters == 0:
        return math.nan, math.nan
    mean = float(sums.sum() / total)
    if clusters == 1:
        return mean, math.nan
    rest = sums - mean * counts
    # Sums of shares such as 1/3 leave a trace of rounding where every deal is alike.
    rest[np.abs(rest) < 1e-9 * counts] = 0.0
    return mean, float(clusters / (clusters - 1) * (rest**2).sum() / total**2)


def mean_of(sums: NDArray[np.float64], counts: NDArray[np.float64]) -> Estimate:
    """The mean of something counted by deal."""
    mean, variance = ratio(sums, counts)
    if math.isnan(variance):
        return Estimate(mean, math.nan, math.nan)
    half = student(int((counts > 0).sum()) - 1) * math.sqrt(variance)
    return Estimate(mean, mean - half, mean + half)


def share_of(sums: NDArray[np.float64], counts: NDArray[np.float64]) -> Estimate:
    """The same for a share, from 0 to 1."""
    share, variance = ratio(sums, counts)
    clusters = int((counts > 0).sum())
    if math.isnan(share):
        return NOTHING
    share = min(1.0, max(0.0, share))
    if math.isnan(variance):
        return Estimate(share, 0.0, 1.0)
    z = student(clusters - 1)
    # A share that is the same in every deal tells no more than one observation a deal.
    size = share * (1 - share) / variance if variance > 0 else clusters
    spread = z * z / size
    centre = (share + spread / 2) / (1 + spread)
    half = math.sqrt(share * (1 - share) * spread + spread * spread / 4) / (1 + spread)
    return Estimate(share, max(0.0, centre - half), min(1.0, centre + half))


def by_deal(deals: NDArray[np.int64], weights: NDArray[np.float64], number: int) -> NDArray[np.float64]:
    """The sum of the weights of each deal, ``float64[number]``."""
    return np.bincount(deals, weights=weights, minlength=number).astype(np.float64)
