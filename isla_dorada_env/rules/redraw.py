"""Redrawing what nobody knows, for copies that must not carry the real future."""

from __future__ import annotations

from typing import Any

from island_core import rng
from island_core.jit import kernel


@kernel
def shuffle_lot(words: Any, cards: Any, knowers: Any, first: int, number: int) -> None:
    """Shuffle ``number`` cards of a deck among each other, from a place on; who knows a card goes with it."""
    for k in range(number - 1, 0, -1):
        one = first + k
        other = first + rng.below(words, k + 1)
        card = cards[one]
        cards[one] = cards[other]
        cards[other] = card
        known = knowers[one]
        knowers[one] = knowers[other]
        knowers[other] = known


@kernel
def redraw(states: Any, i: int, seed: int) -> None:
    """Reseed the generator of game ``i`` and reshuffle what lies face down: the adventure and the curse deck, of the
    treasure and destiny decks the cards that no player has put there, and each telegram's lot among itself (I8.4).
    Hands and the other cards that players have put back stay.

    What players have put into a deck lies lowest, the cards of a lot together.
    """
    s = states[i]
    rng.seed_words(s.rng, seed, 0, 0)
    rng.shuffle(s.rng, s.deck, s.deck_size)
    rng.shuffle(s.rng, s.curse_deck, s.curse_deck_size)
    place = 0
    while place < s.treasure_deck_size and s.treasure_deck_knowers[place] | s.treasure_deck_lot[place] != 0:
        lot = s.treasure_deck_lot[place]
        first = place
        place += 1
        if lot != 0:
            while place < s.treasure_deck_size and s.treasure_deck_lot[place] == lot:
                place += 1
            shuffle_lot(s.rng, s.treasure_deck, s.treasure_deck_knowers, first, place - first)
    rng.shuffle(s.rng, s.treasure_deck[place:], s.treasure_deck_size - place)
    place = 0
    while place < s.destiny_deck_size and s.destiny_deck_knowers[place] != 0:
        place += 1
    rng.shuffle(s.rng, s.destiny_deck[place:], s.destiny_deck_size - place)
