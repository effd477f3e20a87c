"""The kinds of decisions, as in ``docs/rules/dracheninsel-decisions.md``, and the stages of a turn between them."""

from __future__ import annotations

from enum import IntEnum


class Decision(IntEnum):
    """What the top frame of the stack asks for; section 4 of the protocol. ``NONE``: the game is over."""

    NONE = 0
    TURN = 1
    FLYER = 2
    FLIGHT = 3
    EXIT = 4
    AMBUSH = 5
    FIRST_DISC = 6
    SECOND_DISC = 7
    DRAGON = 8
    DRAGON_SPACE = 9
    JOURNEY_CARD = 10
    JOURNEY_TERRAIN = 11
    FEAR_TARGET = 12
    ROB_TARGET = 13
    SLUMBER = 14
    COUNTER = 15
    ASLEEP = 16
    EXCHANGE = 17
    BETRAYAL = 18


DECISION_NAMES: tuple[str, ...] = tuple(
    "" if d == Decision.NONE else d.name.lower().replace("_", " ") for d in Decision
)
"""The protocol's name of each decision."""


class Stage(IntEnum):
    """Detail ``a`` of the bottom frame: where the turn stands when nothing lies above it. Detail ``b`` of the frame is
    the guest's hunter from ``DELIVERY`` on, otherwise -1."""

    IDLE = 0
    """The active player is asked for an act."""
    ACT_OVER = 1
    """An act is over; the slumber window is due, then ``IDLE``."""
    ARRIVED = 2
    """A hunter came alone to the site; a slumber window only by option, then ``ENDED`` (D6.1, D8.9)."""
    DELIVERY = 3
    """A pair stands in a boat; the slumber window is due, then ``SETTLE`` (D6.8)."""
    SETTLE = 4
    """The boat's owner decides."""
    ENDED = 5
    """The turn is over; hands are filled and the next turn begins (D4.3)."""
