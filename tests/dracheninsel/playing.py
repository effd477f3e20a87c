"""Simple ways to choose a move, for tests that play many games."""

import numpy as np

from dracheninsel_env.actions import ACTIONS
from tests.common.invariants import by_block as by_block

PASSIVE = np.array([bool(int(ACTIONS.passive[a >> 6]) >> (a & 63) & 1) for a in range(ACTIONS.size)])
"""The actions that a player who acts whenever he can avoids."""


def acting(position, rng):
    """Any legal action that is not passive, if there is one: games end by themselves after some hundred turns."""
    legal = np.flatnonzero(position.mask())
    active = legal[~PASSIVE[legal]]
    return int(rng.choice(active if len(active) else legal))


def play(position, rng, choose=acting, steps=10**9):
    """Play on to the end, or so many steps; gives the position back."""
    while not position.is_over and steps > 0:
        position.step(choose(position, rng))
        steps -= 1
    return position
