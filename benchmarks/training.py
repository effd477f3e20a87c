r"""What runs of the self-play example bring: ``python -m benchmarks.training FOLDER [--set NAME=VALUE,VALUE ...]``.

    python -m benchmarks.training runs --set minutes=30 --seeds 0,1
    python -m benchmarks.training runs --set imitate=1 --set iterations=40 --set channels=0,16,32
    python -m benchmarks.training runs --table
    python -m benchmarks.training runs --plot curve.svg

Trains with every combination of the values set (names and defaults: ``Settings`` in examples/ppo_selfplay.py), one run
after the other, and lets each network play against the game's own players in all other seats. Every run has a folder of
its own in FOLDER and, once it is over, a line in FOLDER/runs.jsonl: its settings, minutes, decisions, and shares of
wins with 95 % intervals, also with the weights rounded, and the curve of its shares on the way. What is there already
is not run again, and a run that was killed goes on. ``--table`` prints the lines as a table in Markdown, ``--page``
writes it into a page, ``--plot`` draws the curves. Run it from the root of the repository.

The runs of docs/training.md are in benchmarks/training_runs:

    python -m benchmarks.training benchmarks/training_runs --set game=dracheninsel,isla-dorada --set minutes=30 \
        --seeds 0,1,2 --games 4000 --points 12
    python -m benchmarks.training benchmarks/training_runs --set game=dracheninsel,isla-dorada --set minutes=120 \
        --games 4000 --points 12
    python -m benchmarks.training benchmarks/training_runs --page docs/training.md --plot docs/results/training.svg
"""

from __future__ import annotations

import argparse
import hashlib
import io
import itertools
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from benchmarks import pictures
from examples.ppo_selfplay import NetworkPolicy, Settings, Trainer
from island_core import docs
from island_core.arena import Tournament
from island_core.network import packed_file, unpacked

FIRST_DEAL = 77_000_000
"""Seed of the deals played; no run trains on these or evaluates itself by them."""
CURVE_DEAL = 78_000_000
"""The same of those on the way."""
OPPONENTS = ("greedy", "planner")
PART = "runs"
"""The generated part of a page that is the table of runs, see `island_core.docs`."""
COLOURS = {"greedy": "#2a6f97", "planner": "#bc6c25"}


def settings_of(given: Sequence[str], seeds: Sequence[int]) -> list[Settings]:
    """All combinations of the values set, seed by seed.

    Raises ``ValueError`` for a name that is no setting, a value of another type, and without a limit.
    """
    kinds = {name: type(value) for name, value in asdict(Settings()).items()}
    names, values = [], []
    for text in given:
        name, _, several = text.partition("=")
        if name not in kinds or name == "seed":
            allowed = ", ".join(other for other in kinds if other != "seed")
            raise ValueError(f"--set {text}: {name!r} given, allowed: {allowed}")
        names.append(name)
        # The names of several opponents are one value.
        parts = [several] if name == "opponents" else several.split(",")
        try:
            values.append([kinds[name](part) for part in parts])
        except ValueError as error:
            raise ValueError(f"--set {text}: allowed: {name}={kinds[name].__name__}") from error
    runs = [
        Settings(**{"threads": 1, **dict(zip(names, chosen, strict=True)), "seed": seed})
        for chosen in itertools.product(*values)
        for seed in seeds
    ]
    if not all(run.minutes or run.iterations for run in runs):
        raise ValueError("--set: neither minutes nor iterations given, allowed: one at least above 0")
    return runs


def name_of(settings: Settings) -> str:
    """The folder of a run: its game, its seed, and a hash of all settings."""
    text = json.dumps(asdict(settings), sort_keys=True)
    return f"{settings.game}-{settings.seed}-{hashlib.sha256(text.encode()).hexdigest()[:10]}"


def shares(trainer: Trainer, games: int, first_deal: int = FIRST_DEAL) -> dict[str, tuple[float, float, float]]:
    """The share of the wins in one seat against each opponent in all others, and its 95 % interval."""
    found = {}
    for against in OPPONENTS:
        line_up = [NetworkPolicy(trainer.network), *[against] * (trainer.settings.players - 1)]
        tournament = Tournament(trainer.rules, line_up, games, first_deal, obs_dtype="int8", side_by_side=256)
        won = tournament.run().standing("ppo").win_share
        found[against] = (won.mean, won.low, won.high)
    return found


def measured(trainer: Trainer, games: int) -> dict[str, Any]:
    """The line of a run that is over."""
    file = packed_file({name: tensor.numpy() for name, tensor in trainer.network.state_dict().items()})
    measures = ("seconds", "decisions", "imitating", "environment", *OPPONENTS)
    line = {
        "settings": asdict(trainer.settings),
        "minutes": trainer.seconds / 60,
        "decisions": trainer.decisions,
        "agreement": trainer.rows[-1].get("agreement"),
        "games": games,
        "first_deal": FIRST_DEAL,
        "shares": shares(trainer, games),
        "environment": trainer.env_seconds / trainer.seconds,
        "curve": [{name: row[name] for name in measures} for row in trainer.rows if OPPONENTS[0] in row],
        "bytes": len(file),
    }
    with np.load(io.BytesIO(file)) as stored:
        found = unpacked(dict(stored))
    trainer.network.load_state_dict({name: torch.from_numpy(array) for name, array in found.items()})
    line["packed_shares"] = shares(trainer, games)
    return line


def run(settings: Settings, folder: Path, display: Progress, save_every: int, points: int, games: int) -> Trainer:
    """Train to the end, on from a checkpoint if there is one; one is written every so many iterations.

    The curve has so many points, each of so many games against each opponent, which are not training time.
    """
    trainer = Trainer(settings, folder / name_of(settings))
    if (trainer.folder / "checkpoint.pt").exists():
        trainer.load(torch.load(trainer.folder / "checkpoint.pt", weights_only=False))
    task = display.add_task(trainer.folder.name, total=1.0)
    while trainer.progress < 1.0:
        due = int(trainer.progress * points)
        trainer.iterate()
        if min(int(trainer.progress * points), points) > due:
            trainer.rows[-1].update({name: won[0] for name, won in shares(trainer, games, CURVE_DEAL).items()})
        if trainer.iteration % save_every == 0 or trainer.progress >= 1.0:
            trainer.save()
        display.update(task, completed=min(1.0, trainer.progress))
    return trainer


def lines_of(file: Path) -> list[dict[str, Any]]:
    """The lines of the runs that are over."""
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def table(lines: Sequence[dict[str, Any]]) -> str:
    """The lines in Markdown, game by game and the shorter runs first; settings are named where they are not the default
    or differ.
    """
    usual = asdict(Settings())
    columns = [
        *("game", "minutes", "seed", "settings", "decisions", "a second", "environment"),
        *(f"against `{other}`" for other in OPPONENTS),
        *(f"`{other}`, packed" for other in OPPONENTS),
    ]
    rows = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    for line in sorted(lines, key=lambda line: (line["settings"]["game"], round(line["minutes"]))):
        given = line["settings"]
        own = ", ".join(
            f"{name} {value}"
            for name, value in given.items()
            if name not in ("game", "minutes", "seed", "threads") and value != usual[name]
        )
        won = [
            f"{mean:.1%} [{low:.1%}, {high:.1%}]"
            for shares in (line["shares"], line["packed_shares"])
            for mean, low, high in (shares[other] for other in OPPONENTS)
        ]
        cells = [
            *(given["game"], f"{line['minutes']:.1f}", str(given["seed"]), own or "-", f"{line['decisions']:,}"),
            *(f"{line['decisions'] / (60 * line['minutes']):,.0f}", f"{line['environment']:.1%}", *won),
        ]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def plot(lines: Sequence[dict[str, Any]], path: Path) -> None:
    """Draw the curves of the runs: a picture a game, a colour an opponent, a line a run."""
    from matplotlib.figure import Figure

    games = list(dict.fromkeys(line["settings"]["game"] for line in lines))
    figure = Figure(figsize=(8, 0.4 + 3.0 * len(games)), layout="constrained")
    for axes, game in zip(figure.subplots(len(games), 1, squeeze=False)[:, 0], games, strict=True):
        for line in lines:
            if line["settings"]["game"] != game:
                continue
            minutes = [row["seconds"] / 60 for row in line["curve"]]
            for other in OPPONENTS:
                won = [100 * row[other] for row in line["curve"]]
                axes.plot(minutes, won, ".-", color=COLOURS[other], linewidth=1, markersize=3)
        for other in OPPONENTS:
            axes.plot([], [], color=COLOURS[other], label=f"against three {other}")
        axes.axhline(100 / lines[0]["settings"]["players"], color="grey", linestyle=":", label="an even share")
        axes.set_title(game, loc="left")
        axes.set_ylabel("share of the wins, %")
        axes.set_ylim(bottom=0)
        axes.legend(loc="lower right", fontsize="small")
    figure.supxlabel("minutes of training", fontsize="medium")
    pictures.save(figure, path)


def main() -> None:
    """Read the arguments, run what is missing, and print a line for each."""
    parser = argparse.ArgumentParser(description="What runs of the self-play example bring.", allow_abbrev=False)
    parser.add_argument("folder", type=Path, help="where the runs are kept")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE,VALUE", help="settings of the runs")
    parser.add_argument("--seeds", default="0", help="seeds of the runs")
    parser.add_argument("--games", type=int, default=2_000, help="games against each opponent")
    parser.add_argument("--points", type=int, default=15, help="points of the curve")
    parser.add_argument("--curve-games", type=int, default=1_000, help="games against each opponent at each of them")
    parser.add_argument("--save-every", type=int, default=20, help="iterations between checkpoints")
    parser.add_argument("--table", action="store_true", help="print the table of the runs that are over")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write it into a page, between its markers")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the curves of the runs that are over")
    given = parser.parse_args()
    file = given.folder / "runs.jsonl"
    if given.table or given.page or given.plot:
        lines = lines_of(file)
        if not lines:
            raise SystemExit(f"benchmarks.training: {file} has no runs; allowed: a folder in which one is over")
        if given.table:
            print(table(lines))
        if given.page:
            try:
                docs.write_pages({(given.page, PART): table(lines)})
            except ValueError as error:
                raise SystemExit(f"benchmarks.training: {error}") from error
        if given.plot:
            plot(lines, given.plot)
        return
    try:
        runs = settings_of(given.set, [int(seed) for seed in given.seeds.split(",")])
    except ValueError as error:
        raise SystemExit(f"benchmarks.training: {error}") from error
    given.folder.mkdir(parents=True, exist_ok=True)
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    shared = sys.stdout.isatty()
    with Progress(*columns, console=console, disable=not console.is_terminal, redirect_stdout=shared) as display:
        for settings in runs:
            if any(line["settings"] == asdict(settings) and line["games"] >= given.games for line in lines_of(file)):
                continue
            trainer = run(settings, given.folder, display, given.save_every, given.points, given.curve_games)
            line = measured(trainer, given.games)
            with file.open("a") as out:
                out.write(json.dumps(line) + "\n")
            print(table([line]).splitlines()[-1], flush=True)


if __name__ == "__main__":
    main()
