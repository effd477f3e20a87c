"""The oracle as a subject of transcripts: the same files run on it as on the core."""

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from typing import Any

from dracheninsel_env.dracheninsel_v0 import Game
from dracheninsel_env.transcripts import WORDS, DracheninselWords
from tests.dracheninsel.oracle import Oracle, OracleError, player_name


class OracleSubject:
    """A `island_core.transcript.Subject`."""

    @property
    def words(self) -> DracheninselWords:
        return WORDS

    def start(self, options: Mapping[str, Any], setup: dict[str, Any]) -> "OracleTable":
        """Fill a partial setup by the library's own conversion, which knows no rule, and begin there."""
        return OracleTable(Oracle.from_dict(Game(**options).from_dict(setup).to_dict()))


class OracleTable:
    """An `island_core.transcript.Table`."""

    def __init__(self, oracle: Oracle) -> None:
        self.oracle = oracle

    @property
    def actor(self) -> str | None:
        return self.oracle.actor

    @property
    def decision(self) -> str | None:
        return self.oracle.decision or None

    @property
    def scores(self) -> list[int]:
        return self.oracle.scores()

    @property
    def winners(self) -> list[str]:
        keys = [self.oracle.ranking_key(seat) for seat in range(self.oracle.num_players)]
        return [player_name(seat) for seat, key in enumerate(keys) if key == max(keys)]

    def legal(self) -> list[str]:
        return sorted(self.oracle.legal())

    def facts(self) -> dict[str, Any]:
        return self.oracle.to_dict()

    def step(self, name: str, chance: Sequence[str]) -> None:
        twin = self.oracle.copy()
        try:
            twin.step(name, ToldChance(twin, chance))
        except OracleError as error:
            raise ValueError(str(error)) from error
        self.oracle = twin


class ToldChance:
    """The outcomes that chance lines tell."""

    def __init__(self, oracle: Oracle, lines: Sequence[str]) -> None:
        self.oracle = oracle
        self.lines = deque(lines)

    def next(self, expected: str) -> str:
        if not self.lines or not self.lines[0].startswith(expected):
            told = self.lines[0] if self.lines else "nothing"
            raise OracleError(f"'{expected}' happens, the chance lines tell '{told}'")
        return self.lines.popleft()

    def stolen(self, victim: int) -> str:
        words = self.next("rob ").split()
        if len(words) > 2 and words[2:] != ["from", player_name(victim)]:
            raise OracleError(f"a card of {player_name(victim)} is robbed, the chance line tells {' '.join(words)!r}")
        return words[1]

    def shuffled(self) -> list[str]:
        self.next("shuffle")
        told = []
        while self.lines and self.lines[0].startswith("draw "):
            told.append(self.lines.popleft().removeprefix("draw "))
        rest = Counter(self.oracle.discard.elements())
        rest.subtract(told)
        if min(rest.values(), default=0) < 0:
            raise OracleError(f"{told} cannot be drawn from the discard {sorted(self.oracle.discard.elements())}")
        return told + sorted(rest.elements())

    def done(self) -> None:
        if self.lines:
            raise OracleError(f"chance lines that tell nothing: {list(self.lines)}")
