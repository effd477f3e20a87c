"""Positions by hand in which policies are asked."""

from __future__ import annotations

import pytest

from isla_dorada_env import isla_dorada_v0
from island_core.selfplay import OWN_POLICIES

GAME = isla_dorada_v0.Game()
COOPERATIVE = isla_dorada_v0.Game(cooperative_bidding=True)
EACH = pytest.mark.parametrize("policy", OWN_POLICIES)
LAST_ROUND = {"Rhobanis": 15}
"""Markers of the last round: whatever is not spent in it is worth its gold alone."""


def made(game=GAME, **data):
    """A position in which player 0 has a destiny that hardly anything touches, and nobody a curse."""
    return game.from_dict({"destinies": {"player_0": ["pilgrim"]}, "curses": {}, **data})


def bidding(game=GAME, **data):
    """Player 0 is asked for a bid after player 3, who leads."""
    return made(game, round={"leader": "player_3"}, stack=[{"decision": "bid", "player": "player_0"}], **data)


def bid(place, way, amount):
    return {"place": place, "way": way, "amount": amount}
