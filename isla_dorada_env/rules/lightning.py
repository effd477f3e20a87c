"""I10.2 to I10.4: the nine lightning cards."""

from __future__ import annotations

from typing import Any

import numpy as np

from isla_dorada_env import board
from isla_dorada_env.actions import OFFSET
from isla_dorada_env.decisions import Decision
from isla_dorada_env.events import Event
from isla_dorada_env.rules.curses import hold_curse
from isla_dorada_env.rules.destinies import draw_destiny
from isla_dorada_env.rules.hands import lay_out, refill, rob
from isla_dorada_env.rules.seats import clockwise
from isla_dorada_env.rules.treasures import (
    add_treasure,
    draw_treasure,
    find,
    hand_end,
    hand_start,
    legal_drawn,
    put_under,
    reject_drawn,
    remove_treasure,
    treasures_in_hand,
)
from isla_dorada_env.vocab import Card
from island_core import rng
from island_core.bitset import set_bit, set_bits
from island_core.cards import clear_table, shuffle_discard
from island_core.decisions import pop, push, retop
from island_core.events import EVERYBODY, event
from island_core.jit import kernel

Rec = Any

LAND_ROUTES = np.uint64(board.LAND_ROUTES)
WATER_ROUTES = np.uint64(board.WATER_ROUTES)
DISPLAY = 4
"""Cards that lie face up (I3.3)."""
BIGFOOT = 0
LEVIATHAN = 1


@kernel
def strike(s: Rec, seat: int, card: int) -> None:
    """I10.2, I10.4: a lightning card takes effect; without a legal target or with an empty deck it has none."""
    if card == Card.MACAQUE or card == Card.MARABOU:
        if victims(s, seat, card) != 0:
            push(s, Decision.VICTIM, seat, card, -1)
    elif card == Card.BIGFOOT:
        push(s, Decision.MONSTER, seat, BIGFOOT, -1)
    elif card == Card.LEVIATHAN:
        push(s, Decision.MONSTER, seat, LEVIATHAN, -1)
    elif card == Card.ANTIK:
        antik(s, seat)
    elif card == Card.ISTWA:
        if s.destiny_deck_size > 0:
            draw_destiny(s, seat, 1)
            push(s, Decision.DESTINY, seat, -1, -1)
    elif card == Card.DIAWAS:
        diawas(s, seat)
    elif card == Card.PANDA or s.curse_deck_size > 0:
        push(s, Decision.FIRST_PLAYER, seat, card, -1)


# Macaque and marabou


@kernel
def victims(s: Rec, seat: int, card: int) -> int:
    """The bit set of opponents with an adventure card, or a treasure card, in hand."""
    found = 0
    for other in range(s.num_players):
        if other != seat:
            number = s.hand_size[other] if card == Card.MACAQUE else treasures_in_hand(s, other)
            if number > 0:
                found |= 1 << other
    return found


@kernel
def legal_victim(s: Rec, words: Any) -> None:
    """I10.3: an opponent who has something to take."""
    top = s.depth - 1
    seat = s.frame_seat[top]
    found = victims(s, seat, s.frame_a[top])
    for distance in range(1, s.num_players):
        if (found >> clockwise(s, seat, distance)) & 1:
            set_bit(words, OFFSET.rob + distance - 1)


@kernel
def apply_victim(s: Rec, action: int) -> None:
    """I10.3, I2.4: a random card changes hands, and only the two of them see it."""
    top = s.depth - 1
    seat = s.frame_seat[top]
    card = s.frame_a[top]
    victim = clockwise(s, seat, action - OFFSET.rob + 1)
    pop(s)
    if card == Card.MACAQUE:
        rob(s, victim, seat, s.hand[victim, rng.below(s.rng, s.hand_size[victim])])
    else:
        loot(s, seat, victim)


@kernel
def loot(s: Rec, seat: int, victim: int) -> None:
    """I10.3: marabou takes a random treasure card; nobody else is certain any more of what the victim holds."""
    first = hand_start(s, victim)
    treasure = s.treasure_card[first + rng.below(s.rng, treasures_in_hand(s, victim))]
    for entry in range(first, hand_end(s, victim)):
        s.treasure_knowers[entry] &= 1 << seat
    # Of equal cards the first leaves: it is the one the thief may have been certain of.
    remove_treasure(s, victim, find(s, victim, treasure))
    add_treasure(s, seat, treasure, 1 << victim)
    event(s, Event.LOOT, seat, treasure, victim, (1 << seat) | (1 << victim))


# Monsters


@kernel
def legal_monster(s: Rec, words: Any) -> None:
    """I9.1, I10.3: any land or water route where the monster does not stand already."""
    monster = s.frame_a[s.depth - 1]
    routes = LAND_ROUTES if monster == BIGFOOT else WATER_ROUTES
    if s.monster_at[monster] >= 0:
        routes &= ~(np.uint64(1) << np.uint64(s.monster_at[monster]))
    set_bits(words, OFFSET.place, routes)


@kernel
def apply_monster(s: Rec, action: int) -> None:
    """I10.3: it stands there."""
    top = s.depth - 1
    seat = s.frame_seat[top]
    monster = s.frame_a[top]
    route = action - OFFSET.place
    pop(s)
    event(s, Event.BIGFOOT + monster, seat, s.monster_at[monster], route, EVERYBODY)
    s.monster_at[monster] = route


# Antik


@kernel
def antik(s: Rec, seat: int) -> None:
    """I10.3: draw two treasures and reject one; a single one left is kept."""
    drawn = min(2, s.treasure_deck_size)
    for _ in range(drawn):
        draw_treasure(s, seat, drawn == 1)
    if drawn == 2:
        push(s, Decision.ANTIK, seat, drawn, -1)


@kernel
def legal_antik(s: Rec, words: Any) -> None:
    """I10.3: either of the two."""
    legal_drawn(s, words)


@kernel
def apply_antik(s: Rec, action: int) -> None:
    """I10.3: it goes under the treasure deck."""
    seat = s.frame_seat[s.depth - 1]
    pop(s)
    treasure = action - OFFSET.reject_treasure
    reject_drawn(s, seat, treasure)
    put_under(s, treasure, 1 << seat, 0)


# Diawas


@kernel
def diawas(s: Rec, seat: int) -> None:
    """I10.3: everything is shuffled into a new deck, the diawas, which lies on the discard already, too; four new cards
    are shown, and the player draws again.
    """
    clear_table(s)
    for place in range(s.deck_size):
        s.discard[s.deck[place]] += 1
        s.deck[place] = 0
    s.deck_size = 0
    shuffle_discard(s)
    event(s, Event.SHUFFLE, -1, -1, -1, EVERYBODY)
    for _ in range(DISPLAY):
        refill(s)
    push(s, Decision.DRAW, seat, -1, -1)


# Panda and Baron Saturday


@kernel
def legal_first_player(s: Rec, words: Any) -> None:
    """I10.3: anybody, oneself too."""
    for distance in range(s.num_players):
        set_bit(words, OFFSET.choose + distance)


@kernel
def apply_first_player(s: Rec, action: int) -> None:
    """I10.3: the second one is chosen next."""
    top = s.depth - 1
    seat = s.frame_seat[top]
    card = s.frame_a[top]
    chosen = clockwise(s, seat, action - OFFSET.choose)
    event(s, Event.CHOOSE, seat, card, chosen, EVERYBODY)
    retop(s, Decision.SECOND_PLAYER, seat, card, chosen)


@kernel
def legal_second_player(s: Rec, words: Any) -> None:
    """I10.3: anybody but the first."""
    top = s.depth - 1
    seat = s.frame_seat[top]
    for distance in range(s.num_players):
        if clockwise(s, seat, distance) != s.frame_b[top]:
            set_bit(words, OFFSET.choose + distance)


@kernel
def apply_second_player(s: Rec, action: int) -> None:
    """I10.3: the two of them discard three cards each, or draw a curse each while any is left."""
    top = s.depth - 1
    seat = s.frame_seat[top]
    card = s.frame_a[top]
    first = s.frame_b[top]
    second = clockwise(s, seat, action - OFFSET.choose)
    event(s, Event.CHOOSE, seat, card, second, EVERYBODY)
    pop(s)
    if card == Card.PANDA:
        push(s, Decision.PANDA, second, PANDA_CARDS, -1)
        push(s, Decision.PANDA, first, PANDA_CARDS, -1)
    else:
        draw_curse(s, first)
        draw_curse(s, second)


PANDA_CARDS = 3
"""Adventure cards each of the two loses."""


@kernel
def suffer_panda(s: Rec) -> bool:
    """I10.3: whether the player on top must be asked what he discards; one with three cards or fewer loses them all."""
    top = s.depth - 1
    seat = s.frame_seat[top]
    if s.frame_a[top] < PANDA_CARDS or s.hand_size[seat] > PANDA_CARDS:
        return True
    pop(s)
    while s.hand_size[seat] > 0:
        lay_out(s, seat, s.hand[seat, 0], Event.DISCARD, -1)
    return False


@kernel
def apply_panda(s: Rec, action: int) -> None:
    """I10.3: again until three cards are gone."""
    top = s.depth - 1
    seat = s.frame_seat[top]
    lay_out(s, seat, action - OFFSET.discard, Event.DISCARD, -1)
    s.frame_a[top] -= 1
    if s.frame_a[top] == 0:
        pop(s)


@kernel
def draw_curse(s: Rec, seat: int) -> None:
    """I3.2, I10.3: the top curse of the deck goes to a hand, if any is left."""
    if s.curse_deck_size == 0:
        return
    s.curse_deck_size -= 1
    place = s.curse_deck[s.curse_deck_size]
    s.curse_deck[s.curse_deck_size] = 0
    hold_curse(s, seat, place)
    event(s, Event.CURSE, seat, place, -1, 1 << seat)
