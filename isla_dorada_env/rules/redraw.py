"""Redrawing what nobody knows, for copies that must not carry the real future."""

from __future__ import annotations

from typing import Any

import numpy as np

from isla_dorada_env.components import NUM_COMMON_TREASURES
from island_core import rng
from island_core.jit import kernel


@kernel
def shuffle_places(words: Any, cards: Any, knowers: Any, places: Any, number: int) -> None:
    """Shuffle the cards on some places of a deck among each other; who knows a card goes with it."""
    for k in range(number - 1, 0, -1):
        one = places[k]
        other = places[rng.below(words, k + 1)]
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
    """
    s = states[i]
    rng.seed_words(s.rng, seed, 0, 0)
    rng.shuffle(s.rng, s.deck, s.deck_size)
    rng.shuffle(s.rng, s.curse_deck, s.curse_deck_size)
    places = np.empty(NUM_COMMON_TREASURES, np.int64)
    for lot in range(3):
        number = 0
        for place in range(s.treasure_deck_size):
            if s.treasure_deck_lot[place] == lot and (lot > 0 or s.treasure_deck_knowers[place] == 0):
                places[number] = place
                number += 1
        shuffle_places(s.rng, s.treasure_deck, s.treasure_deck_knowers, places, number)
    number = 0
    for place in range(s.destiny_deck_size):
        if s.destiny_deck_knowers[place] == 0:
            places[number] = place
            number += 1
    shuffle_places(s.rng, s.destiny_deck, s.destiny_deck_knowers, places, number)
