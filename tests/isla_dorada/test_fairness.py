"""No seat is favoured: the full form of ``fairness``, in both forms of bidding."""

import numpy as np
import pytest

from isla_dorada_env.isla_dorada_v0 import Game
from isla_dorada_env.options import IslaDoradaOptions, new_record
from tests.common.fairness import GAMES, LEAST_P, PLAYERS, p_of_counts
from tests.isla_dorada import fairness


@pytest.mark.rule("I3.1")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_first_leader_is_drawn_evenly(players):
    """In random play the first leader wins no more than others, so the games below do not tell who he was."""
    states = new_record(IslaDoradaOptions(num_players=players))
    leaders = np.zeros(players, np.int64)
    for number in range(GAMES):
        Game.spec.rules.reset(states, 0, 1, number, 0)
        leaders[states["frame_seat"][0, 0]] += 1
    assert p_of_counts(leaders.tolist()) >= LEAST_P, leaders


@pytest.mark.parametrize("bidding", fairness.BIDDINGS)
@pytest.mark.parametrize("players", PLAYERS)
def test_no_seat_wins_more_than_chance_allows(players, bidding):
    found = fairness.measure(players, cooperative=fairness.BIDDINGS[bidding])
    assert found.games == 10_000
    assert found.natural >= 0.999 * found.games  # games really have winners
    assert sum(found.sole_wins) >= found.games / 2
    assert sum(found.shares) == pytest.approx(1)
    assert found.p_sole >= LEAST_P, found
    assert found.p_shares >= LEAST_P, found
