"""The oracle as a subject of transcripts: the same files run on it as on the core."""

import random
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from typing import Any

from isla_dorada_env.isla_dorada_v0 import Game
from isla_dorada_env.transcripts import WORDS, IslaDoradaWords
from isla_dorada_env.vocab import CARDS
from tests.isla_dorada.oracle import Oracle
from tests.isla_dorada.oracle_box import TREASURES, OracleError, player_name
from tests.isla_dorada.oracle_chance import Deal, RandomChance

WORDED = {name.lower(): name for name in (*CARDS, *TREASURES)}
"""Cards by their names in chance lines, whose case does not matter."""


def card_of(told: str) -> str:
    """A card that a chance line tells."""
    return WORDED.get(told.lower(), told)


class OracleSubject:
    """A `island_core.transcript.Subject`."""

    @property
    def words(self) -> IslaDoradaWords:
        return WORDS

    def start(self, options: Mapping[str, Any], setup: dict[str, Any]) -> "OracleTable":
        """Fill a partial setup by the library's own conversion, and begin there."""
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
        return [player_name(seat) for seat in self.oracle.winners()]

    def legal(self) -> list[str]:
        return sorted(self.oracle.legal())

    def facts(self) -> dict[str, Any]:
        return self.oracle.to_dict()

    def step(self, name: str, chance: Sequence[str]) -> None:
        twin = self.oracle.copy()
        try:
            twin.step(name, ToldChance(chance))
        except OracleError as error:
            raise ValueError(str(error)) from error
        self.oracle = twin


class ToldChance:
    """The outcomes that chance lines tell; what they may leave out comes in any order."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = deque(lines)

    def next(self, *expected: str) -> str:
        """The next line, which must begin with one of the words."""
        if not self.lines or self.lines[0].split()[0] not in expected:
            told = self.lines[0] if self.lines else "nothing"
            raise OracleError(f"'{' or '.join(expected)}' happens, the chance lines tell '{told}'")
        return self.lines.popleft()

    def dealt(self, players: int, leader: int) -> Deal:
        """No line tells the deal after the set-up choices."""
        return RandomChance(random.Random(0)).dealt(players, leader)

    def stolen(self, victim: int, cards: list[str]) -> str:
        told = self.next("rob", "loot").split(" ", 1)[1]
        card, _, whose = told.partition(" from ")
        if whose not in ("", player_name(victim)):
            raise OracleError(f"a card of {player_name(victim)} is stolen, the chance line tells {told!r}")
        return card_of(card)

    def shuffled(self, cards: list[str]) -> list[str]:
        self.next("shuffle")
        told = []
        while self.lines and self.lines[0].split()[0] in ("draw", "refill"):
            told.append(card_of(self.lines.popleft().split(" ", 1)[1]))
        rest = Counter(cards)
        rest.subtract(told)
        if min(rest.values(), default=0) < 0:
            raise OracleError(f"{told} cannot be drawn from {cards}")
        return told + sorted(rest.elements())

    def put_under(self, rejects: dict[int, str]) -> list[int]:
        if not self.lines:
            return sorted(rejects)
        order: list[int] = []
        for told in self.next("under").split(" ", 1)[1].split(", "):
            card = card_of(told)
            whose = [seat for seat in sorted(rejects) if rejects[seat] == card and seat not in order]
            if not whose:
                raise OracleError(f"{card} cannot be put under the deck, rejected were {rejects}")
            order.append(whose[0])
        return order

    def done(self) -> None:
        if self.lines:
            raise OracleError(f"chance lines that tell nothing: {list(self.lines)}")
