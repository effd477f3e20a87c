"""I3: the set-up."""

from __future__ import annotations

from typing import Any

import numpy as np

from isla_dorada_env import components
from isla_dorada_env.actions import OFFSET, START_GOLD
from isla_dorada_env.board import NUM_PLACES
from isla_dorada_env.decisions import Decision, Stage
from isla_dorada_env.events import Event
from isla_dorada_env.rules.bids import clear_bids
from isla_dorada_env.rules.curses import note_curses
from isla_dorada_env.rules.destinies import draw_destiny
from isla_dorada_env.rules.hands import count_hands
from isla_dorada_env.rules.lightning import DISPLAY, draw_curse
from isla_dorada_env.rules.seats import from_leader
from isla_dorada_env.rules.treasures import add_treasure, reject_drawn
from isla_dorada_env.state import RUNNING
from isla_dorada_env.vocab import BASE, FIRST_LIGHTNING
from island_core import rng
from island_core.bitset import set_bits
from island_core.components import every_copy
from island_core.decisions import pop, push
from island_core.events import EVERYBODY, event
from island_core.jit import kernel

Rec = Any

CARD_COPIES = components.CARD_COPIES

FIRST_COMMON = components.FIRST_COMMON_TREASURE
CARDS = every_copy(CARD_COPIES)
STARRED_TREASURES = every_copy(components.TREASURE_COPIES[:FIRST_COMMON])
COMMON_TREASURES = FIRST_COMMON + every_copy(components.TREASURE_COPIES[FIRST_COMMON:])
DESTINIES = every_copy(components.DESTINY_COPIES)
STARRED_DEALT = 3
HAND_DEALT = 6


@kernel
def clear(s: Rec) -> None:
    """Everything to the state before set-up, but the options."""
    s.camp = BASE
    s.markers[:] = 0
    s.monster_at[:] = -1
    s.sea_journeys = 0
    s.returns = 0
    s.gold[:] = 0
    s.hand_size[:] = 0
    s.hand[:] = 0
    s.hand_counts[:] = np.uint64(0)
    s.knowers[:] = 0
    s.deck_size = 0
    s.deck[:] = 0
    s.discard[:] = 0
    s.table[:] = 0
    s.treasure_start[:] = 0
    s.laid_total = 0
    s.laid_card[:] = 0
    s.laid_seat[:] = 0
    s.treasure_card[:] = 0
    s.treasure_knowers[:] = 0
    s.treasure_kinds[:] = np.uint64(0)
    s.treasure_deck_size = 0
    s.treasure_deck[:] = 0
    s.treasure_deck_knowers[:] = 0
    s.treasure_deck_lot[:] = 0
    s.starred_rejected[:] = -1
    s.telegram_rejected[:] = -1
    s.curse_at[:] = -1
    note_curses(s)
    s.curse_deck[:] = 0
    s.destiny[:] = -1
    s.destiny_deck[:] = 0
    s.destiny_deck_knowers[:] = 0
    clear_bids(s)
    s.last_route = -1
    s.depth = 0
    s.frame_decision[:] = 0
    s.frame_seat[:] = 0
    s.frame_a[:] = 0
    s.frame_b[:] = 0
    s.rounds = 0
    s.winning_total = 0
    s.outcome = RUNNING
    s.event_total = 0
    s.event_log[:] = 0


@kernel
def set_up(s: Rec) -> None:
    """I3: lay out a new game up to its first choice; the order of chance is that of section 3 of the protocol."""
    clear(s)
    push(s, Decision.ROUND, rng.below(s.rng, s.num_players), Stage.SETUP, 0)
    for seat in range(s.num_players):
        s.gold[seat] = START_GOLD
    deal_starred(s)
    deal_destinies(s)
    deal_curses(s)
    s.treasure_deck_size = shuffled(s, s.treasure_deck, COMMON_TREASURES)


@kernel
def shuffled(s: Rec, deck: Any, cards: Any) -> int:
    """Make a deck of these cards, in random order; returns how many they are."""
    size = len(cards)
    for place in range(size):
        deck[place] = cards[place]
    rng.shuffle(s.rng, deck, size)
    return size


@kernel
def deal_starred(s: Rec) -> None:
    """I3.2: three starred treasures to each; the others leave the game unseen."""
    size = shuffled(s, s.treasure_deck, STARRED_TREASURES)
    for distance in range(s.num_players):
        seat = from_leader(s, distance)
        for _ in range(STARRED_DEALT):
            size -= 1
            add_treasure(s, seat, s.treasure_deck[size], 0)
            event(s, Event.TREASURE, seat, s.treasure_deck[size], -1, 1 << seat)
    s.treasure_deck[:] = 0


@kernel
def deal_destinies(s: Rec) -> None:
    """I3.2: two destinies to each."""
    s.destiny_deck_size = shuffled(s, s.destiny_deck, DESTINIES)
    for distance in range(s.num_players):
        for slot in range(2):
            draw_destiny(s, from_leader(s, distance), slot)


@kernel
def deal_curses(s: Rec) -> None:
    """I3.2: one curse to each."""
    size = 0
    for place in range(NUM_PLACES):
        if place != BASE:
            s.curse_deck[size] = place
            size += 1
    s.curse_deck_size = size
    rng.shuffle(s.rng, s.curse_deck, size)
    for distance in range(s.num_players):
        draw_curse(s, from_leader(s, distance))


@kernel
def next_choice(s: Rec) -> bool:
    """I3.2: each seat from the leader rejects a starred treasure, then a destiny; false if all have."""
    done = s.frame_b[0]
    if done == 2 * s.num_players:
        return False
    s.frame_b[0] += 1
    push(s, Decision.STARRED if done % 2 == 0 else Decision.DESTINY, from_leader(s, done // 2), -1, -1)
    return True


@kernel
def legal_starred(s: Rec, words: Any) -> None:
    """I3.2: any of the three."""
    seat = s.frame_seat[s.depth - 1]
    set_bits(words, OFFSET.reject_treasure, s.treasure_kinds[seat])


@kernel
def apply_starred(s: Rec, action: int) -> None:
    """I3.2: it leaves the game."""
    seat = s.frame_seat[s.depth - 1]
    pop(s)
    treasure = action - OFFSET.reject_treasure
    reject_drawn(s, seat, treasure)
    s.starred_rejected[seat] = treasure


@kernel
def dealt_card(s: Rec) -> int:
    """The top card of the deck, which leaves it."""
    s.deck_size -= 1
    card = s.deck[s.deck_size]
    s.deck[s.deck_size] = 0
    return card


@kernel
def deal_adventure(s: Rec) -> None:
    """I3.3: six adventure cards to each, four into the display. Lightning cards among them are laid aside, here on the
    discard, and replaced until none is left; then they are shuffled back.
    """
    s.deck_size = shuffled(s, s.deck, CARDS)
    for distance in range(s.num_players):
        seat = from_leader(s, distance)
        for place in range(HAND_DEALT):
            s.hand[seat, place] = dealt_card(s)
        s.hand_size[seat] = HAND_DEALT
    for _ in range(DISPLAY):
        s.table[dealt_card(s)] += 1
    while replace_lightning(s):
        pass
    # The deck is in random order already, so it is enough to put each of them at a random place.
    for card in range(FIRST_LIGHTNING, len(CARD_COPIES)):
        for _ in range(s.discard[card]):
            place = rng.below(s.rng, s.deck_size + 1)
            s.deck[s.deck_size] = s.deck[place]
            s.deck[place] = card
            s.deck_size += 1
        s.discard[card] = 0
    count_hands(s)
    for distance in range(s.num_players):
        seat = from_leader(s, distance)
        for place in range(HAND_DEALT):
            event(s, Event.DEAL, seat, s.hand[seat, place], -1, 1 << seat)
    for card in range(FIRST_LIGHTNING):
        for _ in range(s.table[card]):
            event(s, Event.REFILL, -1, card, -1, EVERYBODY)


@kernel
def replace_lightning(s: Rec) -> bool:
    """Replace every lightning card once, hand by hand and then in the display; whether there was any."""
    found = False
    for distance in range(s.num_players):
        seat = from_leader(s, distance)
        for place in range(HAND_DEALT):
            card = s.hand[seat, place]
            if card >= FIRST_LIGHTNING:
                s.discard[card] += 1
                s.hand[seat, place] = dealt_card(s)
                found = True
    replaced = 0
    for card in range(FIRST_LIGHTNING, len(CARD_COPIES)):
        replaced += s.table[card]
        s.discard[card] += s.table[card]
        s.table[card] = 0
    for _ in range(replaced):
        s.table[dealt_card(s)] += 1
    return found or replaced > 0
