"""No seat is favoured: the full form of ``fairness``, in both forms of bidding."""

import pytest

from tests.common.fairness import LEAST_P, PLAYERS
from tests.isla_dorada import fairness


@pytest.mark.rule("I3.1")
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
