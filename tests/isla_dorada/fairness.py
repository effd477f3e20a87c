"""Whether seats are equal in Isla Dorada (``tests.common.fairness``), in both forms of bidding.

    python -m tests.isla_dorada.fairness [--games 10000] [--players 3 4 5 6] [--seed 1]

Whatever it is worth to lead a round: who leads the first one is drawn at random (I3.1), so seats are equal.
"""

import functools
import sys

from isla_dorada_env.options import IslaDoradaOptions, new_record
from isla_dorada_env.selfplay import SUBJECT
from tests.common import fairness
from tests.common.fairness import GAMES, SEED, Fairness

BIDDINGS = {"basic bidding": False, "cooperative bidding": True}


def measure(players: int, games: int = GAMES, seed: int = SEED, *, cooperative: bool = False) -> Fairness:
    """Games played at random."""
    options = IslaDoradaOptions(num_players=players, cooperative_bidding=cooperative)
    return fairness.measure(SUBJECT, lambda: new_record(options), "random", games, seed)


if __name__ == "__main__":
    sys.exit(fairness.main({name: functools.partial(measure, cooperative=way) for name, way in BIDDINGS.items()}))
