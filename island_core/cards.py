"""Cards: where they are, who knows what, and the one kernel that moves them.

Equal cards are interchangeable, so a card is its kind. A hand is a list of kinds with, beside each card, the bit set of
other seats that are certain of it. Among equal cards of one hand these sets are nested, the first the largest: seat o
is certain of exactly as many copies as carry its bit. Playing a card openly takes the first copy, so everybody's
certain number falls by one; a card that leaves unseen takes all certainties of those who did not see it with it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from island_core import rng
from island_core.events import EVERYBODY, event
from island_core.jit import kernel
from island_core.layout import Field

Rec = Any

DECK = 6
"""Zone codes: 0 to 5 is the hand of that seat, then the deck, the discard pile, and the cards that lie out."""
DISCARD = 7
TABLE = 8


def card_fields(hand_limit: int, kinds: int, cards: int, table: str) -> list[Field]:
    """The fields of hands of at most ``hand_limit`` cards, ``kinds`` kinds and ``cards`` cards in all; ``table`` says
    what the cards are that lie out.
    """
    return [
        Field("hand_size", "i1", (6,), "number of hand cards of each seat"),
        Field("hand", "i1", (6, hand_limit), "hand cards of each seat (card kinds); unused places are 0", "owner"),
        Field("knowers", "i1", (6, hand_limit), "bit set of other seats that are certain of the hand card", "nobody"),
        Field("deck_size", "i1", (), "number of cards in the deck"),
        Field("deck", "i1", (cards,), "the deck, the top card last; unused places are 0", "nobody"),
        Field("discard", "i1", (kinds,), "number of cards of each kind on the discard pile"),
        Field("table", "i1", (kinds,), f"number of cards of each kind that lie out: {table}"),
    ]


@kernel
def add_to_hand(s: Rec, seat: int, card: int, seen_by: int) -> None:
    """Put a card into a hand; the seats in ``seen_by`` become certain of one more copy."""
    carry = seen_by & ~(1 << seat) & ((1 << s.num_players) - 1)
    size = s.hand_size[seat]
    if carry != 0:
        for place in range(size):
            if s.hand[seat, place] == card:
                known = s.knowers[seat, place]
                s.knowers[seat, place] = known | carry
                carry &= known
    s.hand[seat, size] = card
    s.knowers[seat, size] = carry
    s.hand_size[seat] = size + 1


@kernel
def take_from_hand(s: Rec, seat: int, card: int, seen_by: int) -> None:
    """Take a card of this kind out of a hand; seats outside ``seen_by`` lose all certainty about that hand."""
    limit = s.hand.shape[1]
    if seen_by != EVERYBODY:
        for place in range(limit):
            s.knowers[seat, place] &= seen_by
    # Every place is visited: jumps out of loops, or loops of the hand's length, could not be predicted and cost more.
    first = 0
    for place in range(limit - 1, -1, -1):
        if s.hand[seat, place] == card:
            first = place
    for place in range(limit - 1):
        if place >= first:
            s.hand[seat, place] = s.hand[seat, place + 1]
            s.knowers[seat, place] = s.knowers[seat, place + 1]
    s.hand[seat, limit - 1] = 0
    s.knowers[seat, limit - 1] = 0
    s.hand_size[seat] -= 1


@kernel
def move_card(s: Rec, card: int, source: int, target: int, seen_by: int, kind: int, seat: int, b: int) -> None:
    """Move one card between zones, keep who knows what, and write the event ``(kind, seat, card, b, seen_by)``.

    ``source`` and ``target`` are zone codes. The deck gives its top card only, which must be ``card``. Kind 0 writes
    nothing.
    """
    if source < DECK:
        take_from_hand(s, source, card, seen_by)
    elif source == DECK:
        s.deck_size -= 1
        s.deck[s.deck_size] = 0
    elif source == DISCARD:
        s.discard[card] -= 1
    else:
        s.table[card] -= 1
    if target < DECK:
        add_to_hand(s, target, card, seen_by)
    elif target == DECK:
        s.deck[s.deck_size] = card
        s.deck_size += 1
    elif target == DISCARD:
        s.discard[card] += 1
    else:
        s.table[card] += 1
    if kind != 0:
        event(s, kind, seat, card, b, seen_by)


@kernel
def shuffle_discard(s: Rec) -> None:
    """Make the discard pile the deck, in random order. The deck must be empty."""
    size = 0
    for card in range(len(s.discard)):
        for _ in range(s.discard[card]):
            s.deck[size] = card
            size += 1
        s.discard[card] = 0
    s.deck_size = size
    rng.shuffle(s.rng, s.deck, size)


@kernel
def clear_table(s: Rec) -> None:
    """Put all cards that lie out on the discard pile."""
    for card in range(len(s.table)):
        s.discard[card] += s.table[card]
        s.table[card] = 0


@kernel
def kinds_in_hand(s: Rec, seat: int) -> np.uint64:
    """The bit set of card kinds in a hand."""
    kinds = np.uint64(0)
    for place in range(s.hand_size[seat]):
        kinds |= np.uint64(1) << np.uint64(s.hand[seat, place])
    return kinds


@kernel
def copies_in_hand(s: Rec, seat: int, card: int) -> int:
    """How many cards of this kind a hand holds."""
    count = 0
    for place in range(s.hand_size[seat]):
        if s.hand[seat, place] == card:
            count += 1
    return count


# --------------------------------------------------------------------------- what one seat does not know, dealt anew


@kernel
def sort_hand(s: Rec, seat: int) -> None:
    """Put a hand in the order of its kinds; equal cards keep their order, so that their knowers stay nested."""
    for place in range(1, s.hand_size[seat]):
        card = s.hand[seat, place]
        known = s.knowers[seat, place]
        to = place
        while to > 0 and s.hand[seat, to - 1] > card:
            s.hand[seat, to] = s.hand[seat, to - 1]
            s.knowers[seat, to] = s.knowers[seat, to - 1]
            to -= 1
        s.hand[seat, to] = card
        s.knowers[seat, to] = known


@kernel
def draw_left(s: Rec, cards: Any, left: int) -> int:
    """Take a random one of the first ``left`` cards of an array, with which the last of them changes places."""
    drawn = rng.below(s.rng, left)
    card = cards[drawn]
    cards[drawn] = cards[left - 1]
    cards[left - 1] = card
    return card  # type: ignore[no-any-return]


@kernel
def lift_unknown(s: Rec, seat: int, kept: int) -> int:
    """Take up what a seat does not know: the deck, and of other hands the cards that it is not certain of.

    They come to lie in ``deck``, kind by kind, whatever their order was; those of the first ``kept`` kinds, which alone
    a hand can hold, come first, and their number is returned. In other hands the places of these cards are left to
    `deal_hand`; their knowers are 0, those of the cards that stay are the one seat. `close_deck` ends the deal.
    """
    kinds = len(s.discard)
    counts = np.zeros(kinds, np.int64)
    for place in range(s.deck_size):
        counts[s.deck[place]] += 1
    bit = 1 << seat
    for other in range(s.num_players):
        if other != seat:
            certain = 0
            size = s.hand_size[other]
            for place in range(size):
                card = s.hand[other, place]
                if s.knowers[other, place] & bit:
                    s.hand[other, certain] = card
                    certain += 1
                else:
                    counts[card] += 1
            for place in range(size):
                s.knowers[other, place] = bit if place < certain else 0
    size = 0
    dealt = 0
    for card in range(kinds):
        if card == kept:
            dealt = size
        for _ in range(counts[card]):
            s.deck[size] = card
            size += 1
    return size if kept == kinds else dealt


@kernel
def deal_hand(s: Rec, seat: int, size: int) -> int:
    """Deal to the unknown places of a hand from the first ``size`` cards that `lift_unknown` took up; returns how many
    of these are left. Cards dealt change places with cards behind those left, so a deal can be taken back by its
    ``size``.
    """
    for place in range(s.hand_size[seat]):
        if s.knowers[seat, place] == 0:
            s.hand[seat, place] = draw_left(s, s.deck, size)
            size -= 1
    return size


@kernel
def close_deck(s: Rec, left: int, kept: int) -> None:
    """After a deal: the first ``left`` cards taken up and those from ``kept`` on make the deck, in random order."""
    for place in range(left, s.deck_size):
        s.deck[place] = s.deck[kept + place - left]
    for place in range(s.deck_size, len(s.deck)):
        s.deck[place] = 0
    rng.shuffle(s.rng, s.deck, s.deck_size)
