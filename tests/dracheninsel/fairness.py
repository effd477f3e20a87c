"""Whether seats are equal in Die Dracheninsel (``tests.common.fairness``).

python -m tests.dracheninsel.fairness [--games 10000] [--players 3 4 5 6] [--seed 1]
"""

import sys

from dracheninsel_env.options import DracheninselOptions, new_record
from dracheninsel_env.selfplay import SUBJECT
from tests.common import fairness
from tests.common.fairness import GAMES, SEED, Fairness

MAX_TURNS = 5000
"""Random play that acts whenever it can ends by itself after some 300 turns; hardly a game is truncated."""


def measure(players: int, games: int = GAMES, seed: int = SEED) -> Fairness:
    """Games played by acting whenever it is possible."""
    options = DracheninselOptions(num_players=players, max_turns=MAX_TURNS)
    return fairness.measure(SUBJECT, lambda: new_record(options), "acting", games, seed)


if __name__ == "__main__":
    sys.exit(fairness.main({"dracheninsel": measure}))
