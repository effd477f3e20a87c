"""Whether seats are equal: winners of games that all seats play by the same policy.

A game's module gives the games to measure; here are the statistics, the counting and the command line. Two statistics.
*Sole wins*: in a fair game the sole winner, if there is one, is each seat with probability 1 / P,
independently of other games, so the counts are multinomial and Pearson's chi-square applies as it is. It leaves out
every game won by several. *Shares*: each of W winners has 1 / W of a win, over all games. Shares vary less than whole
wins, so Pearson's formula, which supposes the variance of counts, would be too lenient; the sum of squares is divided
by the variance the shares have. If seats are interchangeable, all have the same variance v and, as a game's shares add
up to 1, each two the covariance -v / (P - 1); then sum_s (S_s - N / P)**2 / (N v P / (P - 1)) is chi-square with P - 1
degrees of freedom for large N.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import chi2, chisquare

from island_core.selfplay_report import SelfPlay, Subject

PLAYERS = (3, 4, 5, 6)
GAMES = 10_000
SEED = 1
LEAST_P = 0.001


@dataclass(frozen=True)
class Fairness:
    """The winners of many games."""

    players: int
    games: int
    natural: int
    sole_wins: list[int]
    shares: list[float]
    p_sole: float
    p_shares: float

    def __str__(self) -> str:
        shares = " ".join(f"{share:.4f}" for share in self.shares)
        return (
            f"{self.players} players, {self.games:,} games ({self.natural:,} ended by themselves): "
            f"sole wins by seat {self.sole_wins}, p = {self.p_sole:.4f}; shares {shares}, p = {self.p_shares:.4f}"
        )


def p_of_counts(wins: list[int]) -> float:
    """Pearson's chi-square for equal probabilities."""
    return float(chisquare(wins).pvalue)


def p_of_shares(shares: np.ndarray) -> float:
    """The chi-square of the module's text for the shares of each game, ``[N, P]``."""
    games, players = shares.shape
    deviations = shares.sum(axis=0) - games / players
    variance = ((shares - 1 / players) ** 2).mean()
    statistic = (deviations**2).sum() / (games * variance * players / (players - 1))
    return float(chi2.sf(statistic, players - 1))


def measure(subject: Subject, new_record: Callable[[], Any], policy: str, games: int, seed: int) -> Fairness:
    """Play on all cores and count. ``new_record`` gives a record with the options of the games."""
    record = new_record()
    players = int(record[0]["num_players"])
    rows, _ = SelfPlay(subject, record, policy, seed).rows(games)
    shares = rows["winner_share"][:, :players]
    sole = (shares == 1.0).sum(axis=0).tolist()
    natural = sum(subject.outcomes[outcome] == "natural" for outcome in rows["outcome"].tolist())
    return Fairness(players, games, natural, sole, shares.mean(axis=0).tolist(), p_of_counts(sole), p_of_shares(shares))


def main(variants: Mapping[str, Callable[[int, int, int], Fairness]]) -> int:
    """Measure each variant by players, games and seed; the exit status is 1 if some number of players looks unfair."""
    parser = argparse.ArgumentParser(description="Chi-square test that no seat is favoured.")
    parser.add_argument("--games", type=int, default=GAMES, help="for each number of players")
    parser.add_argument("--players", type=int, nargs="+", default=list(PLAYERS), choices=PLAYERS)
    parser.add_argument("--seed", type=int, default=SEED)
    arguments = parser.parse_args()
    fair = True
    for name, measured in variants.items():
        for players in arguments.players:
            start = time.perf_counter()
            found = measured(players, arguments.games, arguments.seed)
            print(f"{name}: {found}, {time.perf_counter() - start:.0f} s", flush=True)
            fair = fair and min(found.p_sole, found.p_shares) >= LEAST_P
    return 0 if fair else 1
