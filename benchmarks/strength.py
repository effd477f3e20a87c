"""How strong and how fast the policies are, beside the bars: ``python -m benchmarks.strength [--json FILE]``.

    python -m benchmarks.strength                     a few minutes: everything but the search
    python -m benchmarks.strength --search FOLDER     hours more: the search; goes on with the games in FOLDER

Run it from the root of the repository. Shares are those of the first policy against the others, four players, shared
wins as shares; the lower end of the 95 % interval is what counts where the bar says so. Speeds are in iterations of the
reference loop for a decision with a choice, rules included. Exit status: 1 if a bar is missed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from rich.table import Table as RichTable

import dracheninsel_env.commands
import isla_dorada_env.commands
from island_core import benchmark, cli
from island_core.arena import Tournament
from island_core.commands import Table
from island_core.selfplay_report import SelfPlay, cores

GAMES: Mapping[str, Table] = {
    "dracheninsel": dracheninsel_env.commands.TABLE,
    "isla_dorada": isla_dorada_env.commands.TABLE,
}
SEED = 300
MATCH_GAMES = 4_000
SEARCH_GAMES = 200
SEARCH = "ismcts:2000:planner"
REPETITIONS = 5


@dataclass(frozen=True)
class Bar:
    """A figure and what it has to reach; ``at_least`` or at most."""

    game: str
    what: str
    value: float
    bar: float
    at_least: bool = True
    note: str = ""

    @property
    def passed(self) -> bool:
        """Whether it is reached."""
        return self.value >= self.bar if self.at_least else self.value <= self.bar


def match(table: Table, policy: str, other: str, games: int, file: Path | None = None) -> tuple[float, float, float]:
    """The win share of one seat against three of another policy, and its interval."""
    tournament = Tournament(table.new_game(table.spec.options()), [policy, other, other, other], games, SEED)
    workers = cores() if file is not None else 1
    with cli.playing(table.program, tournament.games) as progress:
        report = tournament.run(file, workers, progress)
    won = report.standing(policy).win_share
    return won.mean, won.low, won.high


def against(name: str, policy: str, other: str, bar: float, low: bool, file: Path | None = None) -> Bar:
    """A match as a bar, for the lower end of the interval if ``low``."""
    games = MATCH_GAMES if file is None else SEARCH_GAMES
    mean, lower, upper = match(GAMES[name], policy, other, games, file)
    note = f"{mean:.1%} [{lower:.1%}, {upper:.1%}], {games:,} games"
    what = f"{policy} against three {other}, share of the wins{', lower end' if low else ''}"
    return Bar(name, what, lower if low else mean, bar, note=note)


def own_games(name: str, policy: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Scores ``[N, 4]``, the game's own columns ``[N, K]`` and outcomes ``[N]`` of games of a policy with itself."""
    table = GAMES[name]
    rows, tallies = SelfPlay(table.subject, table.new_record(table.spec.options()), policy, SEED).rows(MATCH_GAMES)
    return rows["scores"][:, :4], tallies, rows["outcome"]


def strengths() -> Iterator[Bar]:
    """What the rules of thumb reach."""
    name = "dracheninsel"
    _, tallies, outcomes = own_games(name, "greedy")
    columns = GAMES[name].subject.columns
    turns, home = tallies[:, columns.index("turns")], tallies[:, columns.index("treasures collected")]
    games = f"{MATCH_GAMES:,} games"
    yield Bar(name, "four greedy: median of the turns", float(np.median(turns)), 70, at_least=False, note=games)
    yield Bar(name, "four greedy: treasures home, of 7", float(home.mean()), 6, note=games)
    yield Bar(name, "four greedy: truncated games", float((outcomes != 1).sum()), 0, at_least=False, note=games)
    yield against(name, "greedy", "acting", 0.88, low=False)
    yield against(name, "greedy", "random", 0.65, low=False)
    yield against(name, "planner", "greedy", 0.40, low=True)
    name = "isla_dorada"
    scores, _, _ = own_games(name, "greedy")
    yield Bar(name, "four greedy: mean score", float(scores.mean()), 24, note=games)
    yield Bar(name, "four greedy: mean score of the winner", float(scores.max(axis=1).mean()), 32, note=games)
    yield against(name, "greedy", "random", 0.95, low=False)
    yield against(name, "planner", "greedy", 0.40, low=True)


def speeds() -> Iterator[Bar]:
    """What a decision costs, and 10,000 games on two cores."""
    for name, table in GAMES.items():
        for policy, per_second in (("greedy", 1e6), ("planner", 2e5)):
            states = table.new_record(table.spec.options())
            work = SelfPlay(table.subject, states, policy, SEED, 1).chunk_of(300)
            value = float(np.median(benchmark.timed(work, REPETITIONS)))
            rate = 1e9 / (value * benchmark.NUMBA_NS)
            bar = 1e9 / (per_second * benchmark.NUMBA_NS)
            yield Bar(name, f"{policy}: ref a decision", value, bar, at_least=False, note=f"{rate:,.0f} a second")
        states = table.new_record(table.spec.options())
        selfplay = SelfPlay(table.subject, states, "greedy", SEED, min(2, cores()))
        selfplay.warm_up()
        start = time.perf_counter()
        selfplay.run(10_000)
        yield Bar(name, "10,000 games of greedy, seconds", time.perf_counter() - start, 30, at_least=False)


def searches(folder: Path, names: Iterable[str] = GAMES) -> Iterator[Bar]:
    """What the search reaches in these games; finished ones are kept in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        yield against(name, SEARCH, "planner", 0.35, low=True, file=folder / f"{name}.jsonl")


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print; returns the exit status."""
    parser = argparse.ArgumentParser(description="Strength and speed of the policies beside the bars.")
    parser.add_argument(
        "--search", type=Path, metavar="FOLDER", help="measure the search as well, and keep games there"
    )
    parser.add_argument("--only-search", action="store_true", help="the search alone")
    parser.add_argument("--game", choices=tuple(GAMES), help="with --only-search: this game alone, by default both")
    parser.add_argument("--json", type=cli.output_file, metavar="FILE", help="write all figures to this file")
    given = parser.parse_args(argv)
    if given.only_search and given.search is None:
        parser.error("argument --only-search: allowed with --search FOLDER")
    if given.game and not given.only_search:
        parser.error("argument --game: allowed with --only-search")
    bars: list[Bar] = []
    if not given.only_search:
        bars += [*strengths(), *speeds()]
    if given.search is not None:
        bars += searches(given.search, [given.game] if given.game else GAMES)
    table = RichTable("game", "what", "measured", "bar", "", "how", title="Policies")
    for bar in bars:
        sign = ">=" if bar.at_least else "<="
        shown = f"{bar.value:.3f}".rstrip("0").rstrip(".")
        table.add_row(bar.game, bar.what, shown, f"{sign} {bar.bar:g}", "ok" if bar.passed else "missed", bar.note)
    cli.new_console().print(table)
    if given.json:
        cli.write_json(given.json, {"bars": [{**asdict(bar), "passed": bar.passed} for bar in bars]})
    return 0 if all(bar.passed for bar in bars) else 1


if __name__ == "__main__":
    sys.exit(main())
