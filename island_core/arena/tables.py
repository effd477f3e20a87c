"""A report as tables on a console."""

from __future__ import annotations

import math

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from island_core.arena.estimates import Estimate
from island_core.arena.report import Report
from island_core.cli import new_table

INSTALL = "pip install 'island-envs[arena]'"


def _number(value: float, form: str) -> str:
    return "-" if math.isnan(value) else format(value, form)


def _range(low: float, high: float, form: str) -> str:
    return "-" if math.isnan(low) or math.isnan(high) else f"{low:{form}} to {high:{form}}"


def _pair(estimate: Estimate, form: str) -> str:
    """The mean and, in brackets, the interval of an estimate."""
    if math.isnan(estimate.low) or math.isnan(estimate.high):
        return _number(estimate.mean, form)
    return f"{estimate.mean:{form}} [{estimate.low:{form}}, {estimate.high:{form}}]"


def standings_table(report: Report) -> Table:
    """Win share, rank and score of each policy."""
    title = f"Standings (chance {1 / report.players:.1%}, intervals of 95 %)"
    table = new_table(title, "policy", "win share", "rank", "score")
    for one in report.standings:
        means = (_pair(one.win_share, ".1%"), _pair(one.rank, ".2f"), _pair(one.score, ",.1f"))
        table.add_row(escape(one.policy), *map(escape, means))
    return table


def ratings_table(report: Report) -> Table:
    """Both ratings of each policy."""
    groups = sorted({one.rating.group for one in report.standings})
    several = len(groups) > 1
    table = new_table("Ratings", "policy", "Plackett-Luce", "interval", "openskill", *(["group"] if several else []))
    for one in sorted(report.standings, key=lambda s: (s.rating.group, -s.rating.value)):
        skill = "-" if one.openskill is None else f"{one.openskill[0]:.2f} ± {one.openskill[1]:.2f}"
        rating = one.rating
        row = (escape(one.policy), _number(rating.value, "+.0f"), _range(rating.low, rating.high, "+.0f"), skill)
        table.add_row(*row, *([str(groups.index(rating.group) + 1)] if several else []))
    return table


def head_to_head_table(report: Report) -> Table:
    """How often each policy comes in before each other one."""
    table = new_table("Comes in before", "", *(escape(one.policy) for one in report.standings))
    for one, row in zip(report.standings, report.head_to_head, strict=True):
        table.add_row(escape(one.policy), *("" if found is None else f"{found.mean:.1%}" for found in row))
    return table


def seats_table(report: Report) -> Table:
    """The win share of each policy by seat."""
    table = new_table("Win share by seat", "policy", *(f"player_{seat.seat}" for seat in report.seats))
    for name, seats in (*((one.policy, one.seats) for one in report.standings), ("all", report.seats)):
        table.add_row(escape(name), *(_number(seat.win_share.mean, ".1%") for seat in seats))
    return table


def effort_table(report: Report) -> Table:
    """Games, decisions and time of each policy."""
    headings = ("policy", "games x seats", "decisions", "with a choice", "seconds", "µs each")
    table = new_table("Decisions and time", *headings)
    for one in report.standings:
        each = 1e6 * one.seconds / one.asked if one.asked else math.nan
        counts = (f"{one.games:,}", f"{one.asked:,}", f"{one.decisions:,}")
        table.add_row(escape(one.policy), *counts, f"{one.seconds:,.2f}", _number(each, ",.2f"))
    return table


def print_report(console: Console, report: Report) -> None:
    """Print everything; of spoiled games the first of each policy."""
    outcomes = ", ".join(f"{count:,} {name}" for name, count in report.outcomes.items() if count)
    console.print(
        f"{report.header['game']}: {report.players} players, {sum(report.outcomes.values()):,} games ({outcomes}), "
        f"{report.deals:,} deals, seed {report.header['seed']}, {report.seconds:,.1f} s",
        soft_wrap=True,
    )
    tables = (standings_table, ratings_table, head_to_head_table, seats_table, effort_table)
    for table in tables:
        if table is not head_to_head_table or len(report.standings) > 1:
            console.print(table(report))
    if len({one.rating.group for one in report.standings}) > 1:
        console.print("No game connects the groups of ratings: they compare inside a group only.", soft_wrap=True)
    if any(one.openskill is None for one in report.standings):
        console.print(f"openskill is not installed: {INSTALL}", soft_wrap=True, markup=False)
    if report.deaths:
        console.print(f"worker processes that died and were replaced: {report.deaths}")
    for standing in report.standings:
        mine = [one for one in report.spoiled if one.policy == standing.policy]
        if mine:
            first = mine[0]
            console.print(
                f"{standing.policy} spoiled {len(mine):,} games, which count in no figure. The first: "
                f"player_{first.seat}, seed {first.seed}, index {first.index}, "
                f"moves {list(first.moves)}: {first.error}",
                soft_wrap=True,
                markup=False,
            )
