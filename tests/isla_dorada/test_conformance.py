"""Every promise that ``island_core.conformance`` checks, where rare decisions are near."""

import random
from collections import Counter

import pytest

from isla_dorada_env import isla_dorada_v0
from island_core.conformance import check_game
from tests.isla_dorada.starts import STARTS
from tests.views.games import VARIANTS

BIDDINGS = [variant for variant in VARIANTS if variant.name == "isla_dorada"]
STEPS = 80


class Late(isla_dorada_v0.Game):
    """Games that begin in a position made up for each seed."""

    def new(self, seed, index=0, episode=0):
        draw = random.Random(seed)
        position = STARTS[tuple(STARTS)[seed % len(STARTS)]](super().new(seed, index, episode), draw)
        data = position.to_dict()
        data.pop("events")
        return self.from_dict(data)


@pytest.mark.rule("I5.4", "I5.7", "I6.1", "I7.3", "I8.3", "I8.4", "I10.3", "I10.6")
@pytest.mark.parametrize("bidding", BIDDINGS, ids=str)
def test_conformance_where_rare_decisions_are_near(bidding):
    kinds: Counter[str] = Counter()
    for players, polls in ((4, "holders"), (5, "all")):
        game = Late(num_players=players, polls=polls, **bidding.options)
        kinds += check_game(game, range(len(STARTS)), STEPS)
    bid = {"share"} if bidding.options else {"amount"}
    early = {"", "round", "starred"} | ({"share", "amount"} - bid)
    assert set(bidding.spec.decisions) - early - set(kinds) == set(), kinds
