"""The Gymnasium spaces that several views share."""

from __future__ import annotations

import gymnasium
import numpy as np

from island_core.position import Lens


def observation_box(lens: Lens) -> gymnasium.spaces.Box:
    """The space of a flat observation, ``[D + 4 * history]``: shares from 0 to 1, or counts up to their largest."""
    if lens.scaled:
        return gymnasium.spaces.Box(0.0, 1.0, (lens.size,), np.float32)
    return gymnasium.spaces.Box(np.zeros(lens.size, np.int8), lens.largest, dtype=np.int8)
