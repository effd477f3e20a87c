"""What chance decides in a step of the oracle: told from elsewhere, or drawn at random. The oracle checks it."""

import random
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from tests.isla_dorada.oracle_box import CARD_COPIES, LIGHTNING, OracleError, player_name

HAND = 6
DISPLAY = 4


class Deal(NamedTuple):
    """The adventure cards after the set-up choices (I3.3): hands seat by seat, the display, the deck from the top."""

    hands: list[list[str]]
    display: list[str]
    deck: list[str]


class Chance(Protocol):
    """The random outcomes of one step, in the order in which the rules need them."""

    def dealt(self, players: int, leader: int) -> Deal: ...
    def shuffled(self, cards: list[str]) -> list[str]:
        """The cards in their new order, the top one first."""

    def stolen(self, victim: int, cards: list[str]) -> str: ...
    def put_under(self, rejects: dict[int, str]) -> list[int]:
        """Whose reject of a telegram lies where: seats, the upper ones first."""

    def done(self) -> None: ...


class RecordedChance:
    """Outcomes that happened elsewhere, as tuples that begin with the name of the method.

    ("dealt", Deal), ("shuffled", the first cards, all others or None where it does not matter), ("stolen", victim's
    seat, card), ("put_under", seats).
    """

    def __init__(self, outcomes: Iterable[tuple[Any, ...]] = ()) -> None:
        self.outcomes = deque(outcomes)

    def _next(self, kind: str) -> tuple[Any, ...]:
        if not self.outcomes:
            raise OracleError(f"the rules need an outcome '{kind}', but no more was recorded")
        outcome = self.outcomes.popleft()
        if outcome[0] != kind:
            raise OracleError(f"the rules need an outcome '{kind}', recorded was {outcome}")
        return outcome

    def dealt(self, players: int, leader: int) -> Deal:
        deal = self._next("dealt")[1]
        assert isinstance(deal, Deal)
        return deal

    def shuffled(self, cards: list[str]) -> list[str]:
        _, first, rest = self._next("shuffled")
        if rest is None:
            rest = sorted((Counter(cards) - Counter(first)).elements())
        return [*first, *rest]

    def stolen(self, victim: int, cards: list[str]) -> str:
        _, seat, card = self._next("stolen")
        if seat != victim:
            raise OracleError(f"a card of {player_name(victim)} is due, recorded was one of {player_name(seat)}")
        return str(card)

    def put_under(self, rejects: dict[int, str]) -> list[int]:
        return list(self._next("put_under")[1])

    def done(self) -> None:
        if self.outcomes:
            raise OracleError(f"outcomes that the rules do not need: {list(self.outcomes)}")


class RandomChance:
    """Outcomes drawn as they are needed, and recorded."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.outcomes: list[tuple[Any, ...]] = []

    def _shuffle(self, items: Sequence[Any]) -> list[Any]:
        return self.rng.sample(items, len(items))

    def dealt(self, players: int, leader: int) -> Deal:
        """Deal seat by seat from the leader, then the display; lightning cards are laid aside and replaced (I3.3)."""
        deck = self._shuffle([card for card, copies in CARD_COPIES.items() for _ in range(copies)])
        hands: list[list[str]] = [[] for _ in range(players)]
        display: list[str] = []
        aside = []
        places = [hands[(leader + offset) % players] for offset in range(players) for _ in range(HAND)]
        places += [display] * DISPLAY
        while places:
            again = []
            for place in places:
                card = deck.pop(0)
                if card in LIGHTNING:
                    aside.append(card)
                    again.append(place)
                else:
                    place.append(card)
            places = again
        deal = Deal(hands, display, self._shuffle(deck + aside))
        self.outcomes.append(("dealt", deal))
        return deal

    def shuffled(self, cards: list[str]) -> list[str]:
        order = self._shuffle(cards)
        self.outcomes.append(("shuffled", (), tuple(order)))
        return order

    def stolen(self, victim: int, cards: list[str]) -> str:
        card = self.rng.choice(cards)
        self.outcomes.append(("stolen", victim, card))
        return card

    def put_under(self, rejects: dict[int, str]) -> list[int]:
        order = self._shuffle(sorted(rejects))
        self.outcomes.append(("put_under", tuple(order)))
        return order

    def done(self) -> None:
        pass
