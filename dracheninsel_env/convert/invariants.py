"""Invariants: what must hold in every position at a decision and after the end.

Each ``..._problems`` asks one question and gives the complaints. Later questions rely on the earlier ones (a number
that is out of range is no index), so only the first complaint counts: take one and stop.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np

from dracheninsel_env.board import CELLS, SPACES
from dracheninsel_env.components import CARD_SLOTS, COINS, COINS_EACH, HAND_SIZE, NUM_CARDS
from dracheninsel_env.convert import invariants_board as board
from dracheninsel_env.convert import invariants_turn as turn
from dracheninsel_env.convert.words import ANY_CELLS, STOLEN_MOST
from dracheninsel_env.decisions import Decision
from dracheninsel_env.options import MOST_TURNS
from dracheninsel_env.rules import engine
from dracheninsel_env.state import REMOVED, RUNNING, STATE, TRUNCATED
from dracheninsel_env.vocab import TERRAINS
from island_core.convert import MOST_EVENTS, PLAYERS, SEATS, legal_problems, range_problems
from island_core.errors import InvariantError
from island_core.events import EVERYBODY
from island_core.layout import States
from island_core.reader import Problem, plain


def check(states: States, i: int) -> None:
    """Raise `InvariantError` unless position ``i`` is sound, as every position is at a decision and after the end."""
    for problem in all_problems(states, i):
        raise InvariantError(str(problem))


def all_problems(states: States, i: int) -> Iterator[Problem]:
    """All that is wrong with a position at a decision or after the end."""
    yield from problems(states, i)
    yield from legal_problems(states, i, STATE, engine.refresh, bool(states["outcome"][i] == RUNNING))
    yield from _score_problems(states, i, plain(STATE, states, i))


def problems(states: States, i: int) -> Iterator[Problem]:
    """All that is wrong with a position, but for what follows from the rest: legal actions and standing."""
    yield from range_problems(states, i, _RANGES)
    s = plain(STATE, states, i)
    for question in (
        board.seat_problems,
        board.disc_problems,
        board.card_problems,
        board.coin_problems,
        turn.turn_problems,
        turn.stack_problems,
        board.place_problems,
        turn.undo_problems,
        turn.event_problems,
    ):
        yield from question(s)


_RANGES: dict[str, tuple[int, int]] = {
    "num_players": (3, SEATS),
    "polls_all": (0, 1),
    "slumber_on_arrival": (0, 1),
    "random_layout": (0, 1),
    "max_turns": (1, MOST_TURNS),
    "owner": (-1, SEATS - 1),
    "hunters": (-1, SEATS - 1),
    "terrain": (-1, len(TERRAINS) - 1),
    "at": (-1, SPACES - 1),
    "treasure_at": (REMOVED, SPACES - 1),
    "dragon_at": (-1, CELLS - 1),
    "coins": (0, COINS_EACH),
    "hand_size": (0, HAND_SIZE),
    "hand": (0, CARD_SLOTS - 1),
    "knowers": (0, EVERYBODY),
    "deck_size": (0, NUM_CARDS),
    "deck": (0, CARD_SLOTS - 1),
    "discard": (0, NUM_CARDS),
    "table": (0, NUM_CARDS),
    "depth": (0, 3),
    "frame_decision": (0, len(Decision) - 1),
    "frame_seat": (0, SEATS - 1),
    "frame_a": (-1, SPACES - 1),
    "frame_b": (-1, SPACES - 1),
    "turns": (0, MOST_TURNS),
    "outcome": (RUNNING, TRUNCATED),
    "acts": (0, 32767),
    "mover": (-1, SEATS - 1),
    "freed": (0, 63),
    "left_alone": (0, 63),
    "listed_cells": (0, ANY_CELLS),
    "listed_boats": (0, 63),
    "undo_at": (-1, SPACES - 1),
    "undo_treasure_at": (REMOVED, SPACES - 1),
    "undo_dragon_at": (-1, CELLS - 1),
    "undo_swap": (0, CELLS - 1),
    "undo_stolen": (0, STOLEN_MOST),
    "undo_stolen_card": (0, CARD_SLOTS - 1),
    "undo_stolen_seat": (0, SEATS - 1),
    "undo_discarded": (0, HAND_SIZE),
    "undo_discarded_card": (0, CARD_SLOTS - 1),
    "event_total": (0, MOST_EVENTS),
}
"""Least and largest value of each field, so that the other checks may use them as indices."""


def _score_problems(states: States, i: int, s: SimpleNamespace) -> Iterator[Problem]:
    """D10.2: money and standing are those of the coins."""
    scores, keys = np.zeros(SEATS, np.int64), np.zeros(SEATS, np.int64)
    engine.standing(states, i, scores, keys)
    sets = [(sum(n * int(v) for n, v in zip(coins, COINS, strict=True)), *reversed(coins)) for coins in s.coins]
    if scores.tolist() != [money for money, *_ in sets]:
        yield Problem("scores", str(scores.tolist()), str([money for money, *_ in sets]))
    ranked = sorted(range(SEATS), key=lambda seat: int(keys[seat]))
    for lower, higher in zip(ranked, ranked[1:], strict=False):
        if (sets[lower] < sets[higher]) != (keys[lower] < keys[higher]) or sets[lower] > sets[higher]:
            yield Problem("scores", f"{PLAYERS[lower]} below {PLAYERS[higher]}", "the order of D10.2")
