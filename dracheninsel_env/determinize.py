"""Redrawing what one seat does not know: the law is in ``docs/determinization.md``."""

from __future__ import annotations

from typing import Any

import numpy as np

from dracheninsel_env.components import CARD_SLOTS
from dracheninsel_env.events import Event
from dracheninsel_env.rules.acts import active_seat
from island_core import rng
from island_core.cards import close_deck, deal_hand, draw_left, lift_unknown, sort_hand
from island_core.events import RING, hide_events
from island_core.jit import kernel

Rec = Any


@kernel
def determinize(states: Any, i: int, seat: int, seed: int) -> None:
    """Redraw in game ``i`` all that the deciding seat does not know, and reseed the generator.

    The result depends on what the seat knows and on the seed, and on nothing else.
    """
    s = states[i]
    rng.seed_words(s.rng, seed, 0, 0)
    cards = lift_unknown(s, seat, CARD_SLOTS)
    left = cards
    for other in range(s.num_players):
        if other != seat:
            left = deal_hand(s, other, left)
    close_deck(s, left, cards)
    redraw_stolen(s, seat)
    for other in range(s.num_players):
        sort_hand(s, other)
    hide_events(s, seat)


@kernel
def redraw_stolen(s: Rec, seat: int) -> None:
    """D8.10: the cards that the last act took from one other player to another.

    Each is one of those that the thief holds and the seat is not certain of, or that he has played since; any of them
    is as likely. There can be fewer only when it is too late for a slumber: what cannot be undone any more becomes a
    card of the first kind.
    """
    if s.undo_stolen == 0:
        return
    # Before the first act of a turn the last act is one of the turn before (D4.1).
    thief = active_seat(s) if s.acts > 0 else (active_seat(s) + s.num_players - 1) % s.num_players
    if thief == seat:
        return
    cards = np.empty(s.hand.shape[1] + RING, np.int64)
    number = 0
    for place in range(s.hand_size[thief]):
        if s.knowers[thief, place] == 0:
            cards[number] = s.hand[thief, place]
            number += 1
    # What was stolen and played at once came to the hand before it was played, so the theft is the older event.
    for back in range(min(s.event_total, RING)):
        row = (s.event_total - 1 - back) & (RING - 1)
        if s.event_log[row, 0] == Event.ROB:
            break
        if s.event_log[row, 0] == Event.TASK and s.event_log[row, 1] == thief:
            cards[number] = s.event_log[row, 2]
            number += 1
    for k in range(s.undo_stolen):
        if s.undo_stolen_seat[k] != seat:
            card = 0
            if number > 0:
                card = draw_left(s, cards, number)
                number -= 1
            s.undo_stolen_card[k] = card
