"""The kinds of decisions, as in ``docs/rules/isla_dorada-decisions.md``, and the stages of a round between them."""

from __future__ import annotations

from enum import IntEnum


class Decision(IntEnum):
    """What the top frame of the stack asks for; section 4 of the protocol. ``NONE``: the game is over.

    ``ROUND`` is the bottom frame and is never asked.
    """

    NONE = 0
    ROUND = 1
    STARRED = 2
    DESTINY = 3
    BID = 4
    AMOUNT = 5
    SHARE = 6
    OVETO = 7
    PAY = 8
    SANGAIA = 9
    ONWARD = 10
    BONGO = 11
    TELEGRAM = 12
    DRAW = 13
    BUY = 14
    VICTIM = 15
    MONSTER = 16
    ANTIK = 17
    FIRST_PLAYER = 18
    SECOND_PLAYER = 19
    PANDA = 20
    HAND_LIMIT = 21


DECISION_NAMES: tuple[str, ...] = tuple(
    "" if d == Decision.NONE else d.name.lower().replace("_", " ") for d in Decision
)
"""The protocol's name of each decision."""


class Stage(IntEnum):
    """Detail ``a`` of the bottom frame: what is done, step by step, when nothing lies above it. Detail ``b`` is the
    number of steps done; most stages have one for each seat, clockwise from the leader."""

    SETUP = 0
    """Two steps a seat: he rejects a starred treasure, then a destiny (I3.2). After them the cards are dealt (I3.3)."""
    BIDDING = 1
    """No steps: a frame of the bidding lies above until it ends (I5)."""
    PAYMENT = 2
    """A step for each member of the winning bid, in the order of joining (I6, I12.4)."""
    MOVEMENT = 3
    """The expedition has reached a named place: a step a seat, his sangaia (I7.3)."""
    BONGO = 4
    """Curses and treasures of the camp lie open: a step a seat, his bongos (I8.3)."""
    TELEGRAM = 5
    """A step a seat: he draws treasures and rejects one (I8.4)."""
    DRAWING = 6
    """Two steps a seat: he draws, then may buy (I10.1)."""
    HAND_LIMIT = 7
    """A step a seat: he discards down to ten cards (I10.6). After them the round is over."""
