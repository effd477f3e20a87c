"""How the policies of the library compare, and what their games look like: ``python -m benchmarks.reference``.

Everything in ``docs/results.md`` and its pictures is made here, from figures in ``benchmarks/reference.json``:

    python -m benchmarks.reference --write            play everything, write figures, page and pictures
    python -m benchmarks.reference --page             write page and pictures anew from the figures
    python -m benchmarks.reference --resume FOLDER    keep finished games there, and go on with those it holds

Run it from the root of the repository with the extra ``arena`` installed. Tournaments are those of
``island_core.arena``; the page names the command line that plays each of them. How a policy plays with itself is told
by self-play inside the kernels.
"""

from __future__ import annotations

import argparse
import datetime
import json
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import dracheninsel_env.commands
import dracheninsel_env.components
import isla_dorada_env.commands
import isla_dorada_env.vocab
from benchmarks import pictures
from island_core import cli, rng
from island_core.arena import Tournament
from island_core.arena.line_ups import round_robin
from island_core.commands import Table
from island_core.network import NETWORK_NAME
from island_core.selfplay import POLICIES, POLICY_STREAM
from island_core.selfplay_report import SelfPlay, Z, cores

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "benchmarks" / "reference.json"
PAGE = ROOT / "docs" / "results.md"
PICTURES = ROOT / "docs" / "results"

PLAYERS = (3, 4, 5, 6)
SEED = 20
SEARCH = "ismcts:200:planner"
RATED_GAMES = 24_000
"""Games of a round robin, for each game and number of players."""
SEARCH_DEALS = 20
"""Deals of a match of the search against the best kernel policy; each is played in all rotations."""
SELF_GAMES = 20_000
"""Games of a policy with itself."""
STYLES = ("random", "acting", "greedy", "planner")
RATED = (*STYLES, NETWORK_NAME)
"""Who meets whom in the round robins."""


@dataclass(frozen=True)
class Subject:
    """A game as this page needs it: its command line, and the names of the cards that hands are dealt from."""

    table: Table
    cards: tuple[str | None, ...]


GAMES: Mapping[str, Subject] = {
    "dracheninsel": Subject(dracheninsel_env.commands.TABLE, dracheninsel_env.components.CARD_NAMES),
    "isla_dorada": Subject(isla_dorada_env.commands.TABLE, isla_dorada_env.vocab.CARDS),
}


# ------------------------------------------------------------------------------------------------------------- playing


def tournament_of(subject: Subject, line_ups: Sequence[Sequence[str]], games: int) -> Tournament:
    """The tournament of some line-ups in a game with default options."""
    table = subject.table
    players = len(line_ups[0])
    return Tournament(table.new_game(table.spec.options(num_players=players)), line_ups, games, SEED)


def plans(subject: Subject) -> dict[str, Tournament]:
    """All tournaments of a game, by the command line that plays them."""
    found = {}
    program = subject.table.program
    for players in PLAYERS:
        names = ",".join(RATED)
        command = f"{program} tournament --round-robin --policies {names} --players {players}"
        found[f"{command} --games {RATED_GAMES} --seed {SEED}"] = tournament_of(
            subject, round_robin(RATED, players), RATED_GAMES
        )
        line_up = (SEARCH, *[STYLES[-1]] * (players - 1))
        games = SEARCH_DEALS * players
        command = f"{program} tournament --policies {','.join(line_up)} --games {games} --seed {SEED}"
        found[command] = tournament_of(subject, [line_up], games)
    return found


def card_values(subject: Subject, policy: str, games: int, players: int = 4) -> dict[str, Any]:
    """What a card in the first hand is worth: win shares of the seats by least squares on the cards they were dealt.

    The coefficient of a card is the change of the win share with one more copy of it in the first hand, hands of the
    same size and all else alike; cards that no hand held are left out. The interval is that of ordinary least squares.
    """
    table = subject.table
    spec = table.spec
    states = table.new_record(spec.options(num_players=players))
    counts = np.zeros((games, players, len(subject.cards)))
    words, number = np.empty(4, np.uint64), POLICIES.index(policy)
    for k in range(games):
        # As self-play deals and plays it, until hands are dealt: that may come after first choices.
        rng.seed_words(words, SEED, k, POLICY_STREAM)
        spec.rules.reset(states, 0, SEED, k, 0)
        while not states["hand_size"][0, :players].all():
            spec.rules.step(states, 0, spec.decide(states, 0, number, words))
        for seat in range(players):
            hand = states["hand"][0, seat, : states["hand_size"][0, seat]]
            counts[k, seat] = np.bincount(hand, minlength=len(subject.cards))[: len(subject.cards)]
    rows, _ = SelfPlay(table.subject, table.new_record(spec.options(num_players=players)), policy, SEED).rows(games)
    shares = rows["winner_share"][:, :players].ravel()
    flat = counts.reshape(games * players, -1)
    held = flat.sum(axis=0) > 0
    found = regression(flat[:, held], shares)
    names = [str(name) for name, seen in zip(subject.cards, held, strict=True) if seen]
    return {name: dict(zip(("value", "low", "high"), row, strict=True)) for name, row in zip(names, found, strict=True)}


def regression(counts: NDArray[np.float64], shares: NDArray[np.float64]) -> list[tuple[float, float, float]]:
    """Of each column, the coefficient relative to the mean card, with its 95 % interval.

    Hands of one size make the columns sum to a constant; the mean of all cards dealt is taken as 0.
    """
    total = counts.sum(axis=1)
    weight = counts.sum(axis=0) / counts.sum()
    # One more of a card is one fewer of the mean card.
    relative = counts - np.outer(total, weight)
    centred = shares - shares.mean()
    inverse = np.linalg.pinv(relative.T @ relative)
    value = inverse @ (relative.T @ centred)
    value -= weight @ value
    residual = centred - relative @ value
    deviation = np.sqrt(residual.var() * np.diag(inverse))
    return [(float(v), float(v - Z * d), float(v + Z * d)) for v, d in zip(value, deviation, strict=True)]


def style(subject: Subject, policy: str, players: int) -> dict[str, Any]:
    """How games of a policy with itself go."""
    table = subject.table
    options = table.spec.options(num_players=players)
    result = SelfPlay(table.subject, table.new_record(options), policy, SEED).run(SELF_GAMES)
    found = result.to_json()
    actions = table.spec.actions
    names = [block.name for block in actions.blocks]
    bids = np.flatnonzero(actions.block_of == names.index("amount")).tolist() if "amount" in names else []
    return {
        "wins": found["wins"],
        "scores": found["scores"],
        "columns": {name: one["mean"] for name, one in found["columns"].items()},
        "blocks": found["blocks"],
        "counts": dict(table.count(result)),
        "decisions": found["decisions"] / found["games"],
        "truncated": found["outcomes"]["truncated"] / found["games"],
        "amounts": [found["actions"][action] for action in bids],
    }


def play(folder: Path | None, progress: Any) -> dict[str, Any]:
    """Play everything; ``progress`` is told what begins."""
    figures: dict[str, Any] = {
        "date": datetime.date.today().isoformat(),
        "python": platform.python_version(),
        "numba": version("numba"),
        "cores": cores(),
        "games": {},
    }
    for name, subject in GAMES.items():
        reports: dict[str, Any] = {}
        for command, tournament in plans(subject).items():
            progress(command)
            file = None
            if folder is not None:
                folder.mkdir(parents=True, exist_ok=True)
                file = folder / f"{len(reports)}-{name}.jsonl"
            with cli.playing(subject.table.program, tournament.games) as played:
                reports[command] = tournament.run(file, cores(), played).to_json()
        progress(f"{name}: self-play")
        styles = {policy: {str(p): style(subject, policy, p) for p in PLAYERS} for policy in STYLES}
        progress(f"{name}: values of cards")
        figures["games"][name] = {
            "fingerprint": subject.table.spec.fingerprint,
            "reports": reports,
            "styles": styles,
            "cards": card_values(subject, STYLES[-1], SELF_GAMES),
        }
    return figures


# ------------------------------------------------------------------------------------------------------------- the page


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def _interval(one: Mapping[str, Any], form: str = ".1%") -> str:
    return f"{one['mean']:{form}} ({one['low']:{form}} to {one['high']:{form}})"


def players_of(report: Mapping[str, Any]) -> int:
    """The number of players of a tournament."""
    return int(report["header"]["options"]["num_players"])


def standings_of(reports: Mapping[str, Any], players: int) -> list[dict[str, Any]]:
    """The standings of the round robin with so many players, and the search's.

    The search only met the best rule of thumb, whose rating in the round robin its own is put on.
    """
    robin, match = (
        next(r for c, r in reports.items() if ("--round-robin" in c) is rated and players_of(r) == players)
        for rated in (True, False)
    )
    met = next(one["rating"] for one in robin["standings"] if one["policy"] == STYLES[-1])
    # Of two policies the ratings have the mean 0: the distance is twice that of either.
    found = next(one for one in match["standings"] if one["policy"] == SEARCH)
    rating = {key: met["value"] + 2 * found["rating"][key] for key in ("value", "low", "high")}
    searching = {**found, "rating": rating, "openskill": None}
    return [*robin["standings"], searching]


def ratings_table(standings: Sequence[Mapping[str, Any]]) -> str:
    """Standings of a tournament."""
    rows = []
    for one in standings:
        rating, skill = one["rating"], one["openskill"]
        rows.append(
            (
                f"`{one['policy']}`",
                f"{one['games']:,}",
                _interval(one["win_share"]),
                f"{one['rank']['mean']:.2f}",
                f"{one['score']['mean']:.1f}",
                f"{rating['value']:+.0f} ({rating['low']:+.0f} to {rating['high']:+.0f})",
                "-" if skill is None else f"{skill[0]:.1f} ± {skill[1]:.1f}",
            )
        )
    return _table(("policy", "games", "win share", "rank", "score", "rating", "openskill"), rows)


def page(figures: Mapping[str, Any]) -> str:
    """The page, in Markdown."""
    parts = [
        "# Results",
        "How the policies of the library compare, and what their games look like. Generated by "
        "`python -m benchmarks.reference`, which plays everything anew with `--write`; the figures are in "
        f"`benchmarks/reference.json`. Played on {figures['date']} with Python {figures['python']} and numba "
        f"{figures['numba']} on {figures['cores']} core{'s' * (figures['cores'] > 1)}. "
        "Rules and components: the packaged ones, default options.",
        "Intervals are those of 95 %. Win shares of a round robin are over all line-ups in which the policy sits, "
        "alone against others of one kind or among them: chance is one in the number of players. The search met "
        f"`{STYLES[-1]}` alone, from whose rating its own is reckoned. Ratings are "
        "Plackett-Luce by maximum likelihood in points of Elo with bootstrap intervals, see [arena](arena.md). What "
        "the policies do is in [policies](policies.md).",
    ]
    for name, game in figures["games"].items():
        parts += _game_part(GAMES[name].table, name, game)
    return "\n\n".join(parts) + "\n"


def _game_part(table: Table, name: str, game: Mapping[str, Any]) -> list[str]:
    parts = [f"## {table.title}", f"![Ratings](results/{name}_ratings.svg)"]
    reports = list(game["reports"].items())
    for command, report in reports:
        if "--round-robin" in command:
            parts += [
                f"### {players_of(report)} players",
                f"```sh\n{command}\n```",
                ratings_table(standings_of(game["reports"], players_of(report))),
            ]
    parts += [
        "### Search against the best rule of thumb",
        f"One `{SEARCH}` against players of `{STYLES[-1]}`.",
    ]
    rows = []
    for command, report in reports:
        if "--round-robin" not in command:
            searching = next(one for one in report["standings"] if one["policy"] == SEARCH)
            wins = _interval(searching["win_share"])
            rows.append((str(players_of(report)), f"{searching['games']:,}", wins, f"{1 / players_of(report):.1%}"))
    parts.append(_table(("players", "games", "win share", "chance"), rows))
    parts.append("The command for four players:")
    parts += [f"```sh\n{command}\n```" for command, report in reports if SEARCH in command and players_of(report) == 4]
    parts += ["### What games look like", f"{SELF_GAMES:,} games of each policy with itself, four players."]
    columns = list(game["styles"][STYLES[0]]["4"]["columns"])
    parts.append(
        _table(
            ("policy", *columns, "decisions with a choice", "truncated"),
            [
                (
                    f"`{policy}`",
                    *(f"{styles['4']['columns'][column]:.1f}" for column in columns),
                    f"{styles['4']['decisions']:.0f}",
                    f"{styles['4']['truncated']:.1%}",
                )
                for policy, styles in game["styles"].items()
            ],
        )
    )
    parts += [
        f"Share of the wins by seat, `{STYLES[-1]}` with itself; seat 0 begins. The advantage or burden of a seat:",
        _table(
            ("players", *(f"seat {seat}" for seat in range(max(PLAYERS)))),
            [
                (
                    players,
                    *(f"{one['share']:.1%} ({one['low']:.1%} to {one['high']:.1%})" for one in styles["wins"]),
                    *[""] * (max(PLAYERS) - int(players)),
                )
                for players, styles in game["styles"][STYLES[-1]].items()
            ],
        ),
    ]
    parts += EXTRAS[name](game)
    best = sorted(game["cards"].items(), key=lambda item: -item[1]["value"])
    parts += [
        f"![Cards](results/{name}_cards.svg)",
        f"Value of a card in the first hand, for `{STYLES[-1]}` against its like at a table of four: the change of the "
        "win share with one more copy of it in place of a mean card (least squares over all seats of "
        f"{SELF_GAMES:,} games). Best: {_named(best[:3])}. Worst: {_named(best[-3:])}.",
    ]
    return parts


def _named(cards: Sequence[tuple[str, Mapping[str, float]]]) -> str:
    return ", ".join(f"{name} ({one['value']:+.1%})" for name, one in cards)


def _betrayals(game: Mapping[str, Any]) -> list[str]:
    """Die Dracheninsel: how often treasures are shared or betrayed."""
    rows = []
    for policy, styles in game["styles"].items():
        shared, betrayals = styles["4"]["blocks"]["share"], styles["4"]["counts"]["betrayal"]
        rows.append((f"`{policy}`", f"{shared / SELF_GAMES:.2f}", f"{betrayals / SELF_GAMES:.2f}"))
    return [
        "Who delivers with another may betray him if he holds the card; another betrayal may answer it. A game:",
        _table(("policy", "treasures shared though they could be betrayed", "betrayals played"), rows),
    ]


def _bids(game: Mapping[str, Any]) -> list[str]:
    """Isla Dorada: how high bids go."""
    rows = []
    for policy, styles in game["styles"].items():
        amounts = np.array(styles["4"]["amounts"], float)
        below = np.cumsum(amounts) / amounts.sum()
        quantiles = [str(int(np.searchsorted(below, share))) for share in (0.25, 0.5, 0.75, 0.95)]
        mean = float(amounts @ np.arange(len(amounts)) / amounts.sum())
        winning = styles["4"]["columns"]["winning bids"] / styles["4"]["columns"]["rounds"]
        rows.append((f"`{policy}`", f"{mean:.2f}", *quantiles, f"{winning:.2f}"))
    return [
        "![Bids](results/isla_dorada_bids.svg)",
        "How high bids go: all amounts that were named, and the winning bid of a round.",
        _table(("policy", "mean", "25 %", "50 %", "75 %", "95 %", "mean winning bid"), rows),
    ]


EXTRAS = {"dracheninsel": _betrayals, "isla_dorada": _bids}


# ------------------------------------------------------------------------------------------------------------- pictures


def draw(figures: Mapping[str, Any], folder: Path) -> None:
    """All pictures."""
    import matplotlib

    matplotlib.use("svg")
    folder.mkdir(parents=True, exist_ok=True)
    for name, game in figures["games"].items():
        pictures.save(_draw_ratings(GAMES[name].table.title, game), folder / f"{name}_ratings.svg")
        pictures.save(_draw_cards(GAMES[name].table.title, game), folder / f"{name}_cards.svg")
    pictures.save(_draw_bids(figures["games"]["isla_dorada"]), folder / "isla_dorada_bids.svg")


def _draw_ratings(title: str, game: Mapping[str, Any]) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 3.4), layout="constrained")
    axes = figure.subplots()
    shown = (*RATED, SEARCH)
    for k, players in enumerate(PLAYERS):
        by_name = {one["policy"]: one["rating"] for one in standings_of(game["reports"], players)}
        values = np.array([[by_name[policy][key] for policy in shown] for key in ("value", "low", "high")])
        places = np.arange(len(shown)) + (k - 1.5) * 0.18
        errors = np.abs(values[1:] - values[0])
        axes.errorbar(values[0], places, xerr=errors, fmt="o", capsize=3, label=f"{players} players")
    axes.set_yticks(np.arange(len(shown)), shown)
    axes.set_xlabel("rating in points of Elo, 95 % interval")
    axes.set_title(title)
    axes.grid(axis="x", alpha=0.3)
    axes.legend(loc="upper left")
    return figure


def _draw_cards(title: str, game: Mapping[str, Any]) -> Any:
    from matplotlib.figure import Figure

    cards = sorted(game["cards"].items(), key=lambda item: item[1]["value"])
    figure = Figure(figsize=(8, 1.2 + 0.24 * len(cards)), layout="constrained")
    axes = figure.subplots()
    for row, (_, one) in enumerate(cards):
        axes.plot([one["low"], one["high"]], [row, row], "-", color="#2a6f97")
        axes.plot([one["value"]], [row], "o", color="#2a6f97")
    axes.axvline(0, color="grey", linestyle=":")
    axes.set_yticks(range(len(cards)), [name for name, _ in cards])
    axes.set_xlabel("win share of one more such card in the first hand, 95 % interval")
    axes.set_title(title)
    axes.grid(axis="x", alpha=0.3)
    return figure


def _draw_bids(game: Mapping[str, Any]) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 3.4), layout="constrained")
    axes = figure.subplots()
    for policy in STYLES:
        amounts = np.array(game["styles"][policy]["4"]["amounts"], float)
        axes.plot(np.arange(len(amounts)), amounts / amounts.sum(), marker=".", label=policy)
    axes.set_xlim(0, 20)
    axes.set_xlabel("amount of a bid")
    axes.set_ylabel("share of all bids")
    axes.set_title("Isla Dorada, four players")
    axes.grid(alpha=0.3)
    axes.legend()
    return figure


def write(figures: Mapping[str, Any]) -> None:
    """Page and pictures from the figures."""
    PAGE.write_text(page(figures), encoding="utf-8")
    draw(figures, PICTURES)


def main(argv: Sequence[str] | None = None) -> int:
    """Play or write; returns the exit status."""
    parser = argparse.ArgumentParser(description="Reference results of the policies.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--write", action="store_true", help="play everything, write figures, page and pictures")
    what.add_argument("--page", action="store_true", help="write page and pictures anew from the figures")
    parser.add_argument("--resume", type=Path, metavar="FOLDER", help="where finished games are kept")
    given = parser.parse_args(argv)
    if given.write:
        figures = play(given.resume, lambda text: print(text, file=sys.stderr))
        FIGURES.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    write(json.loads(FIGURES.read_text(encoding="utf-8")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
