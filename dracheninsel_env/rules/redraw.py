"""Redrawing what nobody knows, for copies that must not carry the real future."""

from __future__ import annotations

from typing import Any

from island_core import rng
from island_core.jit import kernel


@kernel
def redraw(states: Any, i: int, seed: int) -> None:
    """Reseed the generator of game ``i`` and reshuffle its deck, whose order nobody knows. Hands stay."""
    s = states[i]
    rng.seed_words(s.rng, seed, 0, 0)
    rng.shuffle(s.rng, s.deck, s.deck_size)
