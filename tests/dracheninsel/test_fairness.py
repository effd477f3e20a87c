"""No seat is favoured: the full form of ``fairness``."""

import pytest

from tests.common.fairness import LEAST_P, PLAYERS
from tests.dracheninsel import fairness


@pytest.mark.rule("D3.2", "D3.3")
@pytest.mark.parametrize("players", PLAYERS)
def test_no_seat_wins_more_than_chance_allows(players):
    found = fairness.measure(players)
    assert found.games == 10_000
    assert found.natural >= 0.999 * found.games  # games really have winners
    assert sum(found.sole_wins) >= found.games / 2
    assert sum(found.shares) == pytest.approx(1)
    assert found.p_sole >= LEAST_P, found
    assert found.p_shares >= LEAST_P, found
