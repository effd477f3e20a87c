"""Who plays whom, where and with which cards: line-ups, their seatings, and the numbers of the games.

A line-up is as many players as the game has. Each deal is played once by every line-up in every rotation of its
seats, so that a deal of P players and L line-ups is L * P games. Where players of a line-up differ so that they can sit
in several circular orders, the deals take these in turn.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from island_core.errors import OptionError
from island_core.options import check_range

MOST_GAMES = 10_000_000
MOST_LINE_UPS = 10_000


class Seating(NamedTuple):
    """One game of a tournament: its deal, its line-up, how far the seats are turned, and which player of the line-up
    sits on each seat.
    """

    deal: int
    line_up: int
    rotation: int
    players: tuple[int, ...]


def circular_orders(line_up: Sequence[Any]) -> list[tuple[int, ...]]:
    """The different ways in which the players of a line-up can sit around a table, as places in the line-up.

    The first player comes first and the order given is the first of them. Players of one policy are alike: three of one
    and one other have a single order, four different ones six.
    """
    seen = set()
    orders = []
    for rest in itertools.permutations(range(1, len(line_up))):
        order = (0, *rest)
        looks = [line_up[k] for k in order]
        turned = min(tuple(looks[k:] + looks[:k]) for k in range(len(looks)))
        if turned not in seen:
            seen.add(turned)
            orders.append(order)
    return orders


def round_robin(policies: Sequence[Any], num_players: int = 4) -> list[tuple[Any, ...]]:
    """The line-ups in which each of at least two policies is alone against every other one in all other seats.

    K policies give K * (K - 1) line-ups. Raises ``OptionError`` for fewer than two policies, for one that is given
    twice, and for a number of players out of 3 to 6.
    """
    check_range("num_players", num_players, 3, 6)
    if len(policies) < 2:
        raise OptionError(f"policies={list(policies)!r}; allowed for a round robin: two or more")
    for k, policy in enumerate(policies):
        if any(policy is other or (isinstance(policy, str) and policy == other) for other in policies[:k]):
            raise OptionError(f"policies: {policy!r} is given twice; allowed for a round robin: each of them once")
    return [(one, *[other] * (num_players - 1)) for one, other in itertools.permutations(policies, 2)]


@dataclass(frozen=True)
class Design:
    """All games of a tournament by number.

    Game g belongs to deal g // (L * P), line-up g // P % L and rotation g % P. Every table of results depends on the
    numbers alone, never on the order in which the games were played.

    Attributes
    ----------
    line_ups:
        the policies of each line-up, as numbers: the place of each policy in the tournament's list.
    deals:
        how many deals are played.
    """

    line_ups: tuple[tuple[int, ...], ...]
    deals: int

    def __post_init__(self) -> None:
        """Compute the circular orders once."""
        object.__setattr__(self, "_orders", tuple(circular_orders(line_up) for line_up in self.line_ups))

    @property
    def players(self) -> int:
        """The number of players of a game."""
        return len(self.line_ups[0])

    @property
    def games_per_deal(self) -> int:
        """All line-ups in all rotations."""
        return len(self.line_ups) * self.players

    @property
    def games(self) -> int:
        """How many games there are."""
        return self.deals * self.games_per_deal

    def seating(self, game: int) -> Seating:
        """Who sits where in a game."""
        players = self.players
        deal, rest = divmod(game, self.games_per_deal)
        line_up, rotation = divmod(rest, players)
        orders: tuple[list[tuple[int, ...]], ...] = self._orders  # type: ignore[attr-defined]
        order = orders[line_up][deal % len(orders[line_up])]
        return Seating(deal, line_up, rotation, tuple(order[(seat - rotation) % players] for seat in range(players)))

    def policies_of(self, seating: Seating) -> tuple[int, ...]:
        """The number of the policy on each seat."""
        line_up = self.line_ups[seating.line_up]
        return tuple(line_up[player] for player in seating.players)

    def tables(self) -> tuple[NDArray[np.int64], NDArray[np.int8]]:
        """Of all games: the deal, ``int64[games]``, and by seat the number of the policy, ``int8[games, players]``."""
        players, period = self.players, 1
        for orders in self._orders:  # type: ignore[attr-defined]
            period = int(np.lcm(period, len(orders)))
        # The seatings of the deals repeat as soon as every line-up has gone through its orders.
        period = min(period, self.deals)
        one = np.array(
            [self.policies_of(self.seating(game)) for game in range(period * self.games_per_deal)], np.int8
        ).reshape(period, self.games_per_deal, players)
        by_deal = one[np.arange(self.deals) % period]
        deals = np.repeat(np.arange(self.deals, dtype=np.int64), self.games_per_deal)
        return deals, by_deal.reshape(self.games, players)


def deals_for(games: int, line_ups: int, players: int) -> int:
    """The least number of deals that make so many games."""
    return -(-games // (line_ups * players))
