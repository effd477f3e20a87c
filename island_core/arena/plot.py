"""A report as a picture, with matplotlib."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from island_core.arena.tables import INSTALL
from island_core.errors import OptionError

if TYPE_CHECKING:
    from island_core.arena.report import Report

COLOUR = "#2a6f97"


def check_plot(path: Path) -> None:
    """Raise ``OptionError`` without matplotlib, or if it does not write files with this ending."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise OptionError(f"plot={str(path)!r} needs matplotlib, which is not installed: {INSTALL}") from error
    formats = sorted(Figure().canvas.get_supported_filetypes())
    if path.suffix.removeprefix(".").lower() not in formats:
        raise OptionError(f"plot={str(path)!r}; allowed endings: {', '.join(formats)}")


def draw(report: Report, path: Path) -> None:
    """Win shares and ratings with their intervals, and the head-to-head matrix. Raises as `check_plot`."""
    check_plot(path)
    from matplotlib.figure import Figure

    names = [one.policy for one in report.standings]
    count = len(names)
    figure = Figure(figsize=(13, 1.8 + 0.45 * max(count, 3)), layout="constrained")
    wins, ratings, pairs = figure.subplots(1, 3)
    rows = list(range(count))
    _bars(wins, rows, [(e.mean, e.low, e.high) for e in (one.win_share for one in report.standings)])
    wins.axvline(1 / report.players, color="grey", linestyle=":")
    wins.set_xlabel("win share, 95 % interval; dotted: chance")
    _bars(ratings, rows, [(r.value, r.low, r.high) for r in (one.rating for one in report.standings)])
    ratings.set_xlabel("Plackett-Luce rating in points of Elo, 95 % interval")
    for axes in (wins, ratings, pairs):
        axes.set_yticks(rows, names)
    for axes in (wins, ratings):
        axes.set_ylim(count - 0.5, -0.5)
        axes.grid(axis="x", alpha=0.3)
    shares = [[math.nan if found is None else found.mean for found in row] for row in report.head_to_head]
    pairs.imshow(shares, vmin=0, vmax=1, cmap="RdBu", aspect="auto")
    pairs.set_xticks(rows, names, rotation=30, ha="right")
    pairs.set_xlabel("row comes in before column")
    for a, row in enumerate(shares):
        for b, share in enumerate(row):
            if not math.isnan(share):
                pairs.text(b, a, f"{share:.0%}", ha="center", va="center")
    figure.suptitle(f"{report.header['game']}, {report.players} players, {report.games:,} games")
    figure.savefig(path, dpi=120)


def _bars(axes: Any, rows: list[int], triples: list[tuple[float, float, float]]) -> None:
    """Points with intervals; those without an interval are points alone."""
    for row, (mean, low, high) in zip(rows, triples, strict=True):
        axes.plot([mean], [row], "o", color=COLOUR)
        if not (math.isnan(low) or math.isnan(high)):
            axes.plot([low, high], [row, row], "-", color=COLOUR)
