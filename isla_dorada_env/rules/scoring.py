"""I2.3, I11: the end of the game, destinies and scores."""

from __future__ import annotations

from typing import Any

from isla_dorada_env import components
from isla_dorada_env.board import NUM_PLACES
from isla_dorada_env.components import MARKERS
from isla_dorada_env.events import Event
from isla_dorada_env.rules.arrival import markers_placed
from isla_dorada_env.state import LAID, NATURAL, RUNNING, TRUNCATED
from isla_dorada_env.vocab import DestinyKind
from island_core.cards import copies_in_hand
from island_core.decisions import pop
from island_core.events import EVERYBODY, event
from island_core.jit import kernel

Rec = Any

KIND = components.DESTINY_KIND
POINTS = components.DESTINY_POINTS
MAX_POINTS = components.DESTINY_MAX_POINTS
PLACES_ASKED = components.DESTINY_PLACES
CARD_ASKED = components.DESTINY_CARD
N_ASKED = components.DESTINY_N
SEA_POINTS = components.DESTINY_SEA_POINTS
TREASURE_VALUE = components.TREASURE_VALUES
CURSE_VALUE = components.CURSE_VALUES


@kernel
def finish_round(s: Rec) -> bool:
    """I11.1: count the round; whether the game is over."""
    s.rounds += 1
    if markers_placed(s) >= MARKERS:
        finish(s, NATURAL)
        return True
    if s.rounds >= s.max_rounds:
        finish(s, TRUNCATED)
        return True
    return False


@kernel
def finish(s: Rec, outcome: int) -> None:
    """I11.1: the game is over; nothing is left to decide."""
    s.outcome = outcome
    while s.depth > 0:
        pop(s)
    event(s, Event.END, -1, 1 if outcome == TRUNCATED else 0, -1, EVERYBODY)


@kernel
def destiny_points(s: Rec, seat: int) -> int:
    """I2.3: what the destiny of a seat gives as things stand."""
    destiny = s.destiny[seat, 0]
    if destiny < 0:
        return 0
    kind = KIND[destiny]
    if kind == DestinyKind.CARDS_IN_HAND_AT_END:
        return min(POINTS[destiny] * copies_in_hand(s, seat, CARD_ASKED[destiny]), MAX_POINTS[destiny])
    if kind == DestinyKind.SEA_JOURNEYS:
        return SEA_POINTS[destiny, s.sea_journeys]
    visited = 0
    places = 0
    most = 0
    for place in range(NUM_PLACES):
        if s.markers[place] > 0:
            visited |= 1 << place
            places += 1
            most = max(most, s.markers[place])
    met = s.returns >= N_ASKED[destiny]
    if kind == DestinyKind.VISIT_ALL:
        met = visited & PLACES_ASKED[destiny] == PLACES_ASKED[destiny]
    elif kind == DestinyKind.DISTINCT_PLACES_AT_LEAST:
        met = places >= N_ASKED[destiny]
    elif kind == DestinyKind.MARKERS_ON_ONE_PLACE_AT_LEAST:
        met = most >= N_ASKED[destiny]
    return POINTS[destiny] if met else 0


@kernel
def points(s: Rec, seat: int) -> int:
    """I11.2: gold, laid treasures and bonuses, laid curses, and once the game is over the destiny."""
    score = int(s.gold[seat])
    for k in range(s.laid_total):
        if s.laid_seat[k] == seat:
            score += TREASURE_VALUE[s.laid_card[k]]
    for place in range(NUM_PLACES):
        if s.curse_at[place] == seat + LAID:
            score += CURSE_VALUE[place]
    if s.outcome != RUNNING:
        score += destiny_points(s, seat)
    return score
