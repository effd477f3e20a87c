"""The Gymnasium spaces that several views share."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from island_core.position import Lens


def observation_box(lens: Lens) -> gymnasium.spaces.Box:
    """The space of a flat observation, ``[D + 4 * history]``: shares from 0 to 1, or counts up to their largest."""
    if lens.scaled:
        return gymnasium.spaces.Box(0.0, 1.0, (lens.size,), np.float32)
    return gymnasium.spaces.Box(np.zeros(lens.size, np.int8), lens.largest, dtype=np.int8)


def with_mask(flat: gymnasium.Space[Any], size: int) -> gymnasium.spaces.Dict:
    """The space of a flat observation together with the mask of legal actions, ``int8[size]``."""
    return gymnasium.spaces.Dict({"observation": flat, "action_mask": gymnasium.spaces.Box(0, 1, (size,), np.int8)})
