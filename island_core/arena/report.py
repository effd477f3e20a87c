"""What a tournament has shown: `Report`, and how it is made from the games."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from island_core.arena.estimates import NOTHING, Estimate, by_deal, mean_of, share_of
from island_core.arena.line_ups import Design
from island_core.arena.ratings import Rating, maximum_likelihood, openskill_ratings, stages_of
from island_core.arena.records import OUTCOMES, Results, Spoiled
from island_core.cli import write_text
from island_core.errors import OptionError


@dataclass(frozen=True)
class SeatResult:
    """How a policy did on one seat: the games there, its win share and its mean score."""

    seat: int
    games: int
    win_share: Estimate
    score: Estimate


@dataclass(frozen=True)
class Standing:
    """How a policy did. A game in which it had several seats counts once for each of them.

    Attributes
    ----------
    policy:
        its name.
    games:
        games times seats.
    win_share, rank, score:
        means a seat. W winners have a share of 1 / W each; tied ranks are averaged.
    rating:
        by maximum likelihood.
    openskill:
        mean and standard deviation by `openskill`; None without that library.
    asked, decisions, seconds:
        all decisions, those with a choice, and the time they took. Policies inside the kernels share the time of the
        calls they were played in, rules included, by decisions.
    spoiled:
        games it spoiled.
    seats:
        the same by seat.
    """

    policy: str
    games: int
    win_share: Estimate
    rank: Estimate
    score: Estimate
    rating: Rating
    openskill: tuple[float, float] | None
    asked: int
    decisions: int
    seconds: float
    spoiled: int
    seats: tuple[SeatResult, ...]


@dataclass(frozen=True)
class Report:
    """The results of a tournament. All but ``seconds``, ``workers``, ``deaths`` and the time of policies depends on
    what was asked alone.

    Attributes
    ----------
    header:
        what was asked, see ``Tournament.header``.
    games, deals:
        how many games were played to their end, and how many deals there are.
    outcomes:
        games by how they ended, ``"spoiled"`` among them.
    standings:
        by policy, the highest win share first.
    head_to_head:
        for each policy, in the order of the standings, and each other one: how often it came in before it among all
        pairs of their seats in a game, ties as halves; None for itself and for those it never met.
    seats:
        win share and score of each seat, whoever sat there.
    spoiled:
        the games that policies spoiled; they are in no other figure.
    seconds, workers, deaths:
        wall time of this run, in how many processes, and how many of them died.
    """

    header: Mapping[str, Any]
    games: int
    deals: int
    outcomes: Mapping[str, int]
    standings: tuple[Standing, ...]
    head_to_head: tuple[tuple[Estimate | None, ...], ...]
    seats: tuple[SeatResult, ...]
    spoiled: tuple[Spoiled, ...]
    seconds: float
    workers: int
    deaths: int

    @property
    def players(self) -> int:
        """The number of players of a game."""
        return len(self.seats)

    def standing(self, policy: str) -> Standing:
        """The standing of a policy by its name. Raises ``OptionError`` for one that did not play."""
        for found in self.standings:
            if found.policy == policy:
                return found
        names = ", ".join(repr(found.policy) for found in self.standings)
        raise OptionError(f"policy={policy!r}; allowed: {names}")

    def to_json(self) -> dict[str, Any]:
        """Everything as values ready for JSON; what is not known is None."""
        names = [standing.policy for standing in self.standings]
        pairs = {
            name: {other: None if found is None else found.to_json() for other, found in zip(names, row, strict=True)}
            for name, row in zip(names, self.head_to_head, strict=True)
        }
        return {
            "header": dict(self.header),
            "games": self.games,
            "deals": self.deals,
            "outcomes": dict(self.outcomes),
            "standings": [_plain(asdict(standing)) for standing in self.standings],
            "head_to_head": pairs,
            "seats": [_plain(asdict(seat)) for seat in self.seats],
            "spoiled": [_plain(asdict(one)) for one in self.spoiled],
            "seconds": self.seconds,
            "workers": self.workers,
            "deaths": self.deaths,
        }

    def to_csv(self) -> str:
        """The standings as CSV, one line a policy; what is not known is empty."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        triples = ("win_share", "rank", "score")
        bounds = [f"{name}{part}" for name in (*triples, "rating") for part in ("", "_low", "_high")]
        after = ("openskill_mu", "openskill_sigma", "asked", "decisions", "seconds", "spoiled")
        writer.writerow(["policy", "games", *bounds, *after])
        for one in self.standings:
            numbers: list[float | None] = []
            for name in triples:
                estimate = getattr(one, name)
                numbers += [estimate.mean, estimate.low, estimate.high]
            numbers += [one.rating.value, one.rating.low, one.rating.high, *(one.openskill or (None, None))]
            known = ["" if value is None or math.isnan(value) else value for value in numbers]
            writer.writerow([one.policy, one.games, *known, one.asked, one.decisions, one.seconds, one.spoiled])
        return text.getvalue()

    def write_csv(self, path: str | Path) -> None:
        """Write ``to_csv()`` to a file."""
        write_text(Path(path), self.to_csv())

    def plot(self, path: str | Path) -> None:
        """Draw win shares, ratings and the head-to-head matrix; the ending of the name says the format.

        Raises ``OptionError`` without the extra ``arena`` and for a format that does not exist.
        """
        from island_core.arena.plot import draw

        draw(self, Path(path))

    def __str__(self) -> str:
        """All tables as plain text, 120 columns wide."""
        from island_core.arena.tables import print_report

        console = Console(file=io.StringIO(), width=120, highlight=False, force_terminal=False)
        print_report(console, self)
        file = console.file
        assert isinstance(file, io.StringIO)
        return file.getvalue()


def _plain(value: Any) -> Any:
    """Tuples as lists, NaN as None."""
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def make_report(
    header: Mapping[str, Any], design: Design, results: Results, seconds: float, workers: int, deaths: int
) -> Report:
    """The report of a tournament whose games are all done."""
    if not results.complete:
        raise ValueError(f"{int((~results.done).sum())} games have not been played")
    return _Maker(header, design, results).report(seconds, workers, deaths)


class _Maker:
    """The arrays of all games that count, and what is computed from them."""

    def __init__(self, header: Mapping[str, Any], design: Design, results: Results) -> None:
        self._header = header
        self._design = design
        self._results = results
        self._names: list[str] = header["policies"]
        players = design.players
        deals, policies = design.tables()
        counts = np.ones(design.games, np.bool_)
        counts[list(results.spoiled)] = False
        rows = results.rows[counts]
        self._deals = deals[counts]
        self._policies = policies[counts]
        self._rows = rows
        self._ranks = rows["ranks"][:, :players].astype(np.float64)
        best = self._ranks == self._ranks.min(axis=1, keepdims=True)
        self._values = {
            "win_share": best / best.sum(axis=1, keepdims=True),
            "rank": self._ranks,
            "score": rows["scores"][:, :players].astype(np.float64),
        }

    def report(self, seconds: float, workers: int, deaths: int) -> Report:
        """Everything."""
        design, results, names = self._design, self._results, self._names
        known = len(names)
        stages = stages_of(self._deals, self._policies, self._ranks, design.deals, known)
        ratings = maximum_likelihood(stages, self._header["seed"])
        skills = openskill_ratings(self._policies, self._ranks, known)
        standings = [self._standing(k, ratings[k], None if skills is None else skills[k]) for k in range(known)]
        order = sorted(range(known), key=lambda k: (-_or_zero(standings[k].win_share.mean), k))
        outcomes = {name: int((self._rows["outcome"] == number).sum()) for number, name in OUTCOMES.items()}
        everybody = np.ones(self._policies.shape, np.bool_)
        return Report(
            header=self._header,
            games=len(self._rows),
            deals=design.deals,
            outcomes={**outcomes, "spoiled": len(results.spoiled)},
            standings=tuple(standings[k] for k in order),
            head_to_head=tuple(tuple(self._pair(a, b) for b in order) for a in order),
            seats=self._seats(everybody),
            spoiled=tuple(results.spoiled[game] for game in sorted(results.spoiled)),
            seconds=seconds,
            workers=workers,
            deaths=deaths,
        )

    def _sum(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """The sums by deal of something by game and seat."""
        return by_deal(self._deals, values.sum(axis=1).astype(np.float64), self._design.deals)

    def _estimates(self, where: NDArray[np.bool_]) -> dict[str, Estimate]:
        """The means over some seats of games."""
        counts = self._sum(where)
        found = {}
        for name, values in self._values.items():
            estimate = share_of if name == "win_share" else mean_of
            found[name] = estimate(self._sum(values * where), counts)
        # Nobody's mean rank lies before the first or behind the last. NaN stays.
        rank, last = found["rank"], self._design.players
        low, high = np.clip([rank.low, rank.high], 1, last).tolist()
        found["rank"] = Estimate(rank.mean, low, high)
        return found

    def _standing(self, number: int, rating: Rating, skill: tuple[float, float] | None) -> Standing:
        where = self._policies == number
        rows, players = self._rows, self._design.players
        totals = {name: rows[name][:, :players][where].sum() for name in ("asked", "decisions", "seconds")}
        return Standing(
            policy=self._names[number],
            games=int(where.sum()),
            **self._estimates(where),
            rating=rating,
            openskill=skill,
            asked=int(totals["asked"]),
            decisions=int(totals["decisions"]),
            seconds=float(totals["seconds"]),
            spoiled=sum(one.policy == self._names[number] for one in self._results.spoiled.values()),
            seats=self._seats(where),
        )

    def _seats(self, where: NDArray[np.bool_]) -> tuple[SeatResult, ...]:
        """The same seat by seat."""
        found = []
        for seat in range(self._design.players):
            there = np.zeros_like(where)
            there[:, seat] = where[:, seat]
            means = self._estimates(there)
            found.append(SeatResult(seat, int(there.sum()), means["win_share"], means["score"]))
        return tuple(found)

    def _pair(self, one: int, other: int) -> Estimate | None:
        """How often one policy comes in before another."""
        if one == other:
            return None
        before = np.zeros(len(self._rows))
        pairs = np.zeros(len(self._rows))
        for a in range(self._design.players):
            for b in range(self._design.players):
                meets = (self._policies[:, a] == one) & (self._policies[:, b] == other)
                first, second = self._ranks[:, a], self._ranks[:, b]
                before += meets * ((first < second) + (first == second) / 2)
                pairs += meets
        deals, number = self._deals, self._design.deals
        found = share_of(by_deal(deals, before, number), by_deal(deals, pairs, number))
        return None if found == NOTHING or math.isnan(found.mean) else found


def _or_zero(value: float) -> float:
    return 0.0 if math.isnan(value) else value
