"""I10.1, I10.5, I10.6: drawing, buying, the hand limit."""

from __future__ import annotations

from typing import Any

import numpy as np

from isla_dorada_env.actions import HAND_LIMIT, OFFSET
from isla_dorada_env.decisions import Decision
from isla_dorada_env.events import Event
from isla_dorada_env.rules.hands import lay_out, refill, to_hand, top_card
from isla_dorada_env.rules.lightning import strike
from isla_dorada_env.rules.seats import from_leader
from isla_dorada_env.vocab import FIRST_LIGHTNING
from island_core.bitset import set_bit, set_bits
from island_core.cards import DECK, DISCARD, TABLE, kinds_in_hand, move_card
from island_core.decisions import pop, push
from island_core.events import EVERYBODY, event
from island_core.jit import kernel

Rec = Any


@kernel
def next_draw(s: Rec) -> bool:
    """I10.1: the next seat draws, or the seat that drew may buy; false if all have drawn."""
    while s.frame_b[0] < 2 * s.num_players:
        done = s.frame_b[0]
        s.frame_b[0] += 1
        seat = from_leader(s, done // 2)
        if done % 2 == 0:
            push(s, Decision.DRAW, seat, -1, -1)
            return True
        if s.gold[seat] > 0:
            push(s, Decision.BUY, seat, -1, -1)
            return True
    return False


@kernel
def legal_source(s: Rec, words: Any, first: int) -> None:
    """I10.1: the deck, and each kind in the display; ``first`` is the id of the deck."""
    sources = np.uint64(1)
    for card in range(len(s.table)):
        sources |= np.uint64(min(s.table[card], 1)) << np.uint64(card + 1)
    set_bits(words, first, sources)


@kernel
def legal_draw(s: Rec, words: Any) -> None:
    """I10.1: a card from the deck or the display."""
    legal_source(s, words, OFFSET.draw)


@kernel
def legal_buy(s: Rec, words: Any) -> None:
    """I10.1: another one for a gold, or none."""
    legal_source(s, words, OFFSET.buy)
    set_bit(words, OFFSET.let_be)


@kernel
def apply_draw(s: Rec, action: int) -> None:
    """I10.1: the card is drawn or taken."""
    seat = s.frame_seat[s.depth - 1]
    pop(s)
    get_card(s, seat, action - OFFSET.draw - 1)


@kernel
def apply_buy(s: Rec, action: int) -> None:
    """I10.1: the card is paid and drawn or taken."""
    seat = s.frame_seat[s.depth - 1]
    pop(s)
    if action != OFFSET.let_be:
        s.gold[seat] -= 1
        event(s, Event.BUY, seat, -1, -1, EVERYBODY)
        get_card(s, seat, action - OFFSET.buy - 1)


@kernel
def get_card(s: Rec, seat: int, taken: int) -> None:
    """I10.1, I10.2: a card of the display, or with -1 the top one of the deck, comes into the hand; a lightning card is
    discarded and resolved. The display is refilled before that, so a card taken from it is not yet in the discard if
    the refill has to make the deck anew.
    """
    if taken >= 0:
        if taken < FIRST_LIGHTNING:
            to_hand(s, taken, TABLE, seat, EVERYBODY, Event.TAKE)
            refill(s)
            return
        s.table[taken] -= 1
        event(s, Event.TAKE, seat, taken, -1, EVERYBODY)
        refill(s)
        s.discard[taken] += 1
        event(s, Event.LIGHTNING, seat, taken, -1, EVERYBODY)
        strike(s, seat, taken)
        return
    card = top_card(s)
    if card < FIRST_LIGHTNING:
        to_hand(s, card, DECK, seat, 1 << seat, Event.DRAW)
    else:
        move_card(s, card, DECK, DISCARD, EVERYBODY, Event.LIGHTNING, seat, -1)
        strike(s, seat, card)


@kernel
def next_over_limit(s: Rec) -> bool:
    """I10.6: ask the next seat with more than ten adventure cards; false if there is none."""
    while s.frame_b[0] < s.num_players:
        seat = from_leader(s, s.frame_b[0])
        s.frame_b[0] += 1
        if s.hand_size[seat] > HAND_LIMIT:
            push(s, Decision.HAND_LIMIT, seat, -1, -1)
            return True
    return False


@kernel
def legal_discard(s: Rec, words: Any) -> None:
    """I10.3, I10.6: any kind in hand."""
    set_bits(words, OFFSET.discard, kinds_in_hand(s, s.frame_seat[s.depth - 1]))


@kernel
def apply_hand_limit(s: Rec, action: int) -> None:
    """I10.6: again until ten are left."""
    seat = s.frame_seat[s.depth - 1]
    lay_out(s, seat, action - OFFSET.discard, Event.DISCARD, -1)
    if s.hand_size[seat] <= HAND_LIMIT:
        pop(s)
