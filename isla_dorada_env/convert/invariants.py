"""Invariants: what must hold in every position at a decision and after the end.

Each ``..._problems`` asks one question and gives the complaints. Later questions rely on the earlier ones (a number
that is out of range is no index), so only the first complaint counts: take one and stop.
"""

from __future__ import annotations

from collections.abc import Iterator

from isla_dorada_env.actions import HIGHEST_AMOUNT, START_GOLD
from isla_dorada_env.board import NUM_PLACES
from isla_dorada_env.components import (
    DESTINY_SLOTS,
    MARKERS,
    NUM_ADVENTURE_CARDS,
    NUM_COMMON_TREASURES,
    NUM_CURSES,
    NUM_DESTINIES,
    NUM_ROUTES,
    TELEGRAM_MARKERS,
    TREASURE_KINDS,
)
from isla_dorada_env.convert import invariants_board as board
from isla_dorada_env.convert import invariants_round as play
from isla_dorada_env.convert.words import EVENT_FORM
from isla_dorada_env.decisions import Decision
from isla_dorada_env.options import MOST_ROUNDS
from isla_dorada_env.rules import engine
from isla_dorada_env.state import LAID, MOST_IN_HAND, NUM_TREASURES, RUNNING, STACK_LIMIT, STATE, TRUNCATED
from isla_dorada_env.vocab import CARDS, WAYS
from island_core.convert import MOST_EVENTS, SEATS, legal_problems, range_problems
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
    yield from board.score_problems(states, i, plain(STATE, states, i))


def problems(states: States, i: int) -> Iterator[Problem]:
    """All that is wrong with a position, but for what follows from the rest: legal actions and standing."""
    yield from range_problems(states, i, _RANGES)
    s = plain(STATE, states, i)
    for question in (
        board.board_problems,
        play.end_problems,
        play.stage_problems,
        play.setup_problems,
        play.bid_problems,
        play.move_problems,
        play.hand_problems,
        board.card_problems,
        board.rejected_problems,
        board.treasure_problems,
        board.under_problems,
        board.curse_problems,
        board.destiny_problems,
        play.frame_problems,
        EVENT_FORM.problems,
    ):
        yield from question(s)


_RANGES: dict[str, tuple[int, int]] = {
    "num_players": (3, SEATS),
    "polls_all": (0, 1),
    "cooperative": (0, 1),
    "max_rounds": (1, MOST_ROUNDS),
    "camp": (0, NUM_PLACES - 1),
    "markers": (0, MARKERS),
    "monster_at": (-1, NUM_ROUTES - 1),
    "sea_journeys": (0, 2),
    "returns": (0, MOST_ROUNDS),
    "gold": (0, START_GOLD),
    "hand_size": (0, MOST_IN_HAND),
    "hand": (0, len(CARDS) - 1),
    "knowers": (0, EVERYBODY),
    "deck_size": (0, NUM_ADVENTURE_CARDS),
    "deck": (0, len(CARDS) - 1),
    "discard": (0, NUM_ADVENTURE_CARDS),
    "table": (0, NUM_ADVENTURE_CARDS),
    "treasure_start": (0, NUM_TREASURES),
    "treasure_card": (0, TREASURE_KINDS - 1),
    "treasure_knowers": (0, EVERYBODY),
    "laid_total": (0, NUM_TREASURES),
    "laid_card": (0, TREASURE_KINDS - 1),
    "laid_seat": (0, SEATS - 1),
    "treasure_deck_size": (0, NUM_COMMON_TREASURES),
    "treasure_deck": (0, TREASURE_KINDS - 1),
    "treasure_deck_knowers": (0, EVERYBODY),
    "treasure_deck_lot": (0, len(TELEGRAM_MARKERS)),
    "starred_rejected": (-1, TREASURE_KINDS - 1),
    "telegram_rejected": (-1, TREASURE_KINDS - 1),
    "curse_at": (-1, SEATS - 1 + LAID),
    "curse_deck_size": (0, NUM_CURSES),
    "curse_deck": (0, NUM_PLACES - 1),
    "destiny": (-1, DESTINY_SLOTS - 1),
    "destiny_deck_size": (0, NUM_DESTINIES),
    "destiny_deck": (0, DESTINY_SLOTS - 1),
    "destiny_deck_knowers": (0, EVERYBODY),
    "bid_place": (-1, NUM_PLACES - 1),
    "bid_way": (-1, len(WAYS) - 1),
    "bid_amount": (0, HIGHEST_AMOUNT),
    "bid_joined": (-1, SEATS - 1),
    "bid_raised": (-1, SEATS - 1),
    "bid_for": (0, (1 << NUM_PLACES) - 1),
    "passed": (0, EVERYBODY),
    "barred": (0, EVERYBODY),
    "last_route": (-1, NUM_ROUTES - 1),
    "depth": (0, STACK_LIMIT),
    "frame_decision": (0, len(Decision) - 1),
    "frame_seat": (0, SEATS - 1),
    "frame_a": (-1, HIGHEST_AMOUNT),
    "frame_b": (-1, HIGHEST_AMOUNT),
    "rounds": (0, MOST_ROUNDS),
    "winning_total": (0, MOST_EVENTS),
    "outcome": (RUNNING, TRUNCATED),
    "event_total": (0, MOST_EVENTS),
}
"""Least and largest value of each field, so that the other checks may use them as indices."""
