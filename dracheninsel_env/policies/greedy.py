"""``greedy``."""

from __future__ import annotations

from typing import Any

from island_core import bitset
from island_core.jit import kernel

Rec = Any


@kernel
def greedy(s: Rec, words: Any) -> int:
    """The action of ``greedy`` for the seat that decides."""
    return bitset.pick(s.legal, words)
