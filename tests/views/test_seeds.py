"""What every environment of one game makes of a seed, or of none."""

import pytest

from island_core.errors import OptionError
from tests.views.playing import EVERY_VIEW, SNAPSHOTS, started

pytestmark = pytest.mark.parametrize("maker", EVERY_VIEW)


def test_reset_without_any_seed_draws_one(game, maker):
    deals = set()
    for _ in range(3):
        env = getattr(game, maker)()
        env.reset()
        deals.add(env.position.to_bytes())
    assert len(deals) == 3


@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, "1", True])
def test_bad_seeds_are_refused_and_the_game_goes_on(game, maker, seed):
    snapshot = SNAPSHOTS[maker]
    env = started(game, maker, steps=20)
    before = snapshot(env)
    with pytest.raises(OptionError, match="seed="):
        env.reset(seed=seed)
    assert snapshot(env) == before
