"""Search against kernel policies over whole games: ``python -m tests.views.search_match --game GAME --games 100``.

One seat searches, three others play by a policy inside the kernels; the searching seat goes round from game to game. A
shared win counts as a share. With ``--resume FILE`` finished games are written to a file of JSON lines, and those that
stand there are not played again; a file of other conditions is refused. Exit status 1 if the share is below the bound.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from island_core.search import Search
from tests.views.games import GAMES

PLAYERS = 4
SIMULATIONS = 200
CASES = {game.name: game for game in GAMES}


@dataclass(frozen=True)
class Bound:
    """Whom search plays against, and the share of the wins that it must reach."""

    opponents: str
    share: float


BOUNDS: Mapping[str, Bound] = {
    "dracheninsel": Bound("acting", 0.85),
    "isla_dorada": Bound("random", 0.90),
}


def play(game: str, number: int, opponents: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Play a game to its end: the share of the win of the searching seat, and what it took."""
    seat = number % PLAYERS
    env = CASES[game].module.SingleSeatEnv(num_players=PLAYERS, opponents=opponents, seat=seat)
    search = Search(env.game, **options)
    env.reset(seed=number)
    decisions = 0
    start = time.process_time()
    over = False
    while not over:
        result = search.run(env.position, number)
        decisions += len(result.actions) > 1
        _, _, terminated, truncated, _ = env.step(result.action)
        over = terminated or truncated
    winners = env.position.winners
    return {
        "number": number,
        "share": 1.0 / len(winners) if seat in winners else 0.0,
        "scores": env.position.scores,
        "decisions": decisions,
        "seconds": round(time.process_time() - start, 2),
    }


def conditions(game: str, opponents: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """What results depend on besides the code."""
    fingerprint = CASES[game].spec.fingerprint
    return {"game": game, "fingerprint": fingerprint, "opponents": opponents, "options": dict(options)}


def finished(file: Path | None, expected: Mapping[str, Any]) -> dict[int, dict[str, Any]]:
    """The games that stand in a file, by number; its first line are the conditions. A line cut off counts as none.

    Raises ``ValueError`` for a file of other conditions.
    """
    if file is None or not file.exists():
        return {}
    lines = file.read_text().split("\n")
    # What follows the last line break was being written when the run was broken off.
    first, *rest = lines[:-1] or ["null"]
    if json.loads(first) != expected:
        raise ValueError(f"{file} is a match under other conditions: {first}; expected: {json.dumps(dict(expected))}")
    return {row["number"]: row for row in map(json.loads, rest)}


def match(
    game: str,
    numbers: range,
    opponents: str | None = None,
    workers: int = 1,
    file: Path | None = None,
    **options: Any,
) -> Iterator[dict[str, Any]]:
    """The games of a match, those in the file first, others as they end."""
    against = BOUNDS[game].opponents if opponents is None else opponents
    options = {"simulations": SIMULATIONS, **options}
    expected = conditions(game, against, options)
    known = finished(file, expected)
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        # Written anew, so that a line cut off is gone.
        lines = [expected, *known.values()]
        file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    yield from (known[number] for number in numbers if number in known)
    left = [number for number in numbers if number not in known]
    if workers == 1:
        rows = (play(game, number, against, options) for number in left)
        yield from (_written(row, file) for row in rows)
        return
    with ProcessPoolExecutor(workers) as pool:
        size = len(left)
        yield from (
            _written(row, file) for row in pool.map(play, [game] * size, left, [against] * size, [options] * size)
        )


def _written(row: dict[str, Any], file: Path | None) -> dict[str, Any]:
    if file is not None:
        with file.open("a") as stream:
            stream.write(f"{json.dumps(row)}\n")
    return row


def option(text: str) -> tuple[str, Any]:
    """An option of the search from the command line; what is no number or None is a name."""
    name, _, value = text.partition("=")
    try:
        return name, ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return name, value


def main() -> int:
    """Play, print, compare with the bound."""
    parser = argparse.ArgumentParser(prog="tests.views.search_match", description="Search against kernel policies.")
    parser.add_argument("--game", choices=tuple(BOUNDS), required=True)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="number of the first game, which is its seed")
    parser.add_argument("--simulations", type=int, default=SIMULATIONS)
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        type=option,
        metavar="NAME=VALUE",
        help="of the search; may be repeated",
    )
    parser.add_argument("--opponents", help="by default those of the bound")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="JSON lines of finished games")
    given = parser.parse_args()
    numbers = range(given.first, given.first + given.games)
    bound = BOUNDS[given.game]
    options = {**dict(given.option), "simulations": given.simulations}
    total, seconds = 0.0, 0.0
    rows = match(given.game, numbers, given.opponents, given.workers, given.resume, **options)
    for count, row in enumerate(rows, 1):
        total += row["share"]
        seconds += row["seconds"]
        print(
            f"game {row['number']}: share {row['share']:.2f}, scores {row['scores']}, {row['decisions']} decisions, "
            f"{row['seconds']:.1f} s; {total / count:.1%} of {count}",
            flush=True,
        )
    share = total / given.games
    against = given.opponents or bound.opponents
    print(f"{given.game}: {share:.1%} of {given.games} games against three {against}, {seconds:.0f} s CPU")
    if against == bound.opponents and share < bound.share:
        print(f"the bound is {bound.share:.0%}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
