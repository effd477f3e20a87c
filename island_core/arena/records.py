"""What is kept of each game, in memory and as lines of JSON, so that a tournament can be interrupted and gone on with.

The first line of a file says what was asked, every other line is a game, in the order in which they ended::

    {"tournament": 1, "game": "...", "fingerprint": "...", "line_ups": [[0, 1, 1, 1]], "seed": 0, ...}
    {"game": 17, "outcome": "natural", "scores": [...], "ranks": [...], "asked": [...], ...}
    {"game": 18, "spoiled": {"seat": 2, "policy": "mine", "error": "...", "moves": [...]}}

A line is added when its game is over, so a process that is killed loses none that is finished. A last line without its
end, the trace of such a death, is dropped and its game is played again.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from island_core.arena.line_ups import Design
from island_core.decisions import NATURAL, TRUNCATED
from island_core.errors import PositionError, ResultsError
from island_core.position import Game, Position

FORMAT = 1

OUTCOMES = {NATURAL: "natural", TRUNCATED: "truncated"}
NUMBERS = {name: number for number, name in OUTCOMES.items()}

ROW = np.dtype(
    [
        ("outcome", "i1"),
        ("scores", "i4", (6,)),
        ("ranks", "f4", (6,)),
        ("asked", "i4", (6,)),
        ("decisions", "i4", (6,)),
        ("seconds", "f8", (6,)),
    ],
    align=True,
)
"""One game; by seat: the score, the rank (1 is best, ties get the mean of their places), all decisions, those with a
choice, and the seconds spent on them. ``outcome`` is 0 for a game that was not played to its end."""

SEATED = ("scores", "ranks", "asked", "decisions", "seconds")


@dataclass(frozen=True)
class Spoiled:
    """A game that a policy spoiled: it gave no legal action, or it raised.

    Attributes
    ----------
    game:
        the number of the game in the tournament.
    seat, policy:
        who decided.
    error:
        what was wrong, in words.
    seed, index, moves:
        the position: ``rules.new(seed, index)`` and then these actions.
    """

    game: int
    seat: int
    policy: str
    error: str
    seed: int
    index: int
    moves: tuple[int, ...]

    def position(self, rules: Game) -> Position:
        """The position in which the policy was asked; ``rules`` has the options of the tournament."""
        position = rules.new(self.seed, self.index)
        for move in self.moves:
            position.step(move)
        if position.actor != self.seat:
            raise PositionError(f"these moves lead to player_{position.actor}, not to player_{self.seat}: other rules")
        return position


@dataclass
class Finished:
    """Games that have ended: their numbers, a row of `ROW` for each, and those of them that were spoiled."""

    games: list[int]
    rows: NDArray[Any]
    spoiled: list[Spoiled] = field(default_factory=list)


class Results:
    """All games of a tournament by number: ``rows`` (`ROW`), ``done`` (bool) and ``spoiled``."""

    def __init__(self, games: int) -> None:
        self.rows = np.zeros(games, ROW)
        self.done = np.zeros(games, np.bool_)
        self.spoiled: dict[int, Spoiled] = {}

    def add(self, finished: Finished) -> None:
        """Take in games that have ended."""
        self.rows[finished.games] = finished.rows
        self.done[finished.games] = True
        self.spoiled.update((one.game, one) for one in finished.spoiled)

    @property
    def complete(self) -> bool:
        """Whether every game has been played."""
        return bool(self.done.all())


def lines_of(finished: Finished, players: int) -> Iterator[str]:
    """The games as lines of JSON."""
    spoiled = {one.game: one for one in finished.spoiled}
    outcomes = finished.rows["outcome"].tolist()
    columns = [finished.rows[name][:, :players].tolist() for name in SEATED]
    for game, outcome, *numbers in zip(finished.games, outcomes, *columns, strict=True):
        content: dict[str, Any] = {"game": game}
        if game in spoiled:
            one = spoiled[game]
            what = {"seat": one.seat, "policy": one.policy, "error": one.error, "moves": list(one.moves)}
            content["spoiled"] = what
        else:
            content["outcome"] = OUTCOMES[outcome]
            content.update(zip(SEATED, numbers, strict=True))
        yield json.dumps(content) + "\n"


class _Reader:
    """Reads the lines of games into ``results``; every complaint names the line."""

    def __init__(self, path: Path, header: Mapping[str, Any], design: Design, results: Results) -> None:
        self._path = path
        self._header = header
        self._design = design
        self._results = results

    def refuse(self, number: int, reason: str) -> ResultsError:
        return ResultsError(f"{self._path}, line {number}: {reason}")

    def check_header(self, line: bytes) -> None:
        """Raise unless the first line asks for this very tournament."""
        try:
            found = json.loads(line)
        except ValueError:
            found = None
        if not isinstance(found, dict) or "tournament" not in found:
            raise self.refuse(1, "this is no file of a tournament; name another file, or one that does not exist yet")
        for key in (*self._header, *found):
            here, there = self._header.get(key), found.get(key)
            if here != there:
                raise self.refuse(
                    1,
                    f"it holds another tournament: {key} is {_short(there)} there and {_short(here)} here; "
                    "ask for the same, or name another file",
                )

    def take(self, number: int, line: bytes) -> None:
        """Take in the line of a game."""
        try:
            content = json.loads(line)
        except ValueError as error:
            raise self.refuse(number, f"this is no JSON ({error})") from error
        if not isinstance(content, dict):
            raise self.refuse(number, f"expected a game, found {_short(content)}")
        game = content.get("game")
        if type(game) is not int or not 0 <= game < self._design.games:
            raise self.refuse(number, f"game is {_short(game)}; allowed: integers from 0 to {self._design.games - 1}")
        if self._results.done[game]:
            raise self.refuse(number, f"game {game} is there twice")
        if "spoiled" in content:
            spoiled = self._spoiled(number, game, content["spoiled"])
            self._results.add(Finished([game], np.zeros(1, ROW), [spoiled]))
            return
        row = np.zeros(1, ROW)
        outcome = content.get("outcome")
        if outcome not in NUMBERS:
            raise self.refuse(number, f"outcome is {_short(outcome)}; allowed: {', '.join(map(repr, NUMBERS))}")
        row["outcome"] = NUMBERS[outcome]
        for name in SEATED:
            row[name][0, : self._design.players] = self._numbers(number, name, content.get(name))
        self._results.add(Finished([game], row))

    def _numbers(self, number: int, name: str, found: Any) -> list[float]:
        players = self._design.players
        whole = name not in ("ranks", "seconds")
        most = players if name == "ranks" else 2**31 - 1
        least = {"ranks": 1, "scores": -(2**31)}.get(name, 0)
        fits = isinstance(found, list) and len(found) == players
        if fits and all(_is_number(x, whole) and least <= x <= most for x in found):
            return list(found)
        kind = "integers" if whole else "numbers"
        raise self.refuse(number, f"{name} is {_short(found)}; allowed: {players} {kind} from {least} to {most}")

    def _spoiled(self, number: int, game: int, found: Any) -> Spoiled:
        header, design = self._header, self._design
        if isinstance(found, dict) and found.keys() == {"seat", "policy", "error", "moves"}:
            seat, moves = found["seat"], found["moves"]
            sits = type(seat) is int and 0 <= seat < design.players
            acts = isinstance(moves, list) and all(type(move) is int for move in moves)
            if sits and acts and isinstance(found["error"], str):
                seating = design.seating(game)
                policy = header["policies"][design.policies_of(seating)[seat]]
                if found["policy"] == policy:
                    return Spoiled(game, seat, policy, found["error"], header["seed"], seating.deal, tuple(moves))
        raise self.refuse(number, f"spoiled is {_short(found)}; allowed: seat, policy, error and moves of this game")


def _is_number(value: Any, whole: bool) -> bool:
    if whole:
        return type(value) is int
    return type(value) in (int, float) and math.isfinite(value)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:200]}..."


@contextmanager
def results_file(
    path: Path | None, header: Mapping[str, Any], design: Design, results: Results
) -> Iterator[ResultsWriter]:
    """Read what a file holds into ``results`` and write to it what comes; None keeps no file.

    A file that does not exist is begun with ``header``. Raises ``ResultsError``, with nothing changed in the file, for
    one with another header, for a line that is no game of this tournament, and for a file that another process writes.
    """
    if path is None:
        yield ResultsWriter(None, design.players)
        return
    with open(path, "r+b" if path.exists() else "x+b") as file:
        _lock(file, path)
        content = file.read()
        first = (json.dumps(header) + "\n").encode()
        complete = content[: content.rfind(b"\n") + 1]
        if complete:
            reader = _Reader(path, header, design, results)
            head, *lines = complete.splitlines()
            reader.check_header(head)
            for number, line in enumerate(lines, start=2):
                reader.take(number, line)
        elif not first.startswith(content):
            raise ResultsError(f"{path}, line 1: this is no file of a tournament; name another file")
        file.truncate(len(complete))
        file.seek(len(complete))
        if not complete:
            file.write(first)
            file.flush()
        yield ResultsWriter(file, design.players)


def _lock(file: BinaryIO, path: Path) -> None:
    """Keep other processes from writing the same file; systems without ``flock`` do without."""
    if os.name == "posix":
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise ResultsError(f"{path}: another tournament is writing to this file") from error


class ResultsWriter:
    """Adds finished games to a file, if there is one."""

    def __init__(self, file: BinaryIO | None, players: int) -> None:
        self._file = file
        self._players = players

    def write(self, finished: Finished) -> None:
        """Write games that have ended; afterwards they are in the hands of the operating system."""
        if self._file is not None:
            self._file.write("".join(lines_of(finished, self._players)).encode())
            self._file.flush()
