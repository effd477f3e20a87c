"""Simple ways to choose a move, for tests that play many games."""

import numpy as np

from dracheninsel_env.actions import ACTIONS

PASSIVE = np.array([bool(int(ACTIONS.passive[a >> 6]) >> (a & 63) & 1) for a in range(ACTIONS.size)])
"""The actions that a player who acts whenever he can avoids."""


def acting(position, rng):
    """Any legal action that is not passive, if there is one: games end by themselves after some hundred turns."""
    legal = np.flatnonzero(position.mask())
    active = legal[~PASSIVE[legal]]
    return int(rng.choice(active if len(active) else legal))


def by_block(position, rng):
    """A block of the action table first, then one of its legal actions: tasks come up as often as steps."""
    legal = np.flatnonzero(position.mask())
    active = legal[~PASSIVE[legal]]
    among = active if len(active) else legal
    blocks = ACTIONS.block_of[among]
    return int(rng.choice(among[blocks == rng.choice(np.unique(blocks))]))


def play(position, rng, choose=acting, steps=10**9):
    """Play on to the end, or so many steps; gives the position back."""
    while not position.is_over and steps > 0:
        position.step(choose(position, rng))
        steps -= 1
    return position
