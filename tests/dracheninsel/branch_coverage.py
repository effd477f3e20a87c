"""Branch coverage of ``dracheninsel_env/rules``: ``python -m tests.dracheninsel.branch_coverage``.

Runs without machine code (it restarts itself so): the transcripts of the rulebook, the tests of the set-up, games with
every option, late ones too, and the counted positions. Every statement and branch must be reached, but for ``GAPS``,
each of which must be one.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.common.coverage_gaps import Gap, main

RULES = Path(__file__).parents[2] / "dracheninsel_env" / "rules"

GAPS: tuple[Gap, ...] = ()

DEPTH = 3
"""Of the counted positions."""


def run() -> None:
    """Everything that is measured. Nothing of the game is imported before."""
    import numpy as np

    from dracheninsel_env.dracheninsel_v0 import Game
    from dracheninsel_env.rules.tally import COLUMNS, tally
    from tests.common.perft import perft, read_all, start
    from tests.dracheninsel import test_jit_off
    from tests.dracheninsel.perft_counts import FOLDER
    from tests.dracheninsel.test_transcripts import SUBJECTS

    test_jit_off.check_examples()
    test_jit_off.digests()
    for counted in read_all(FOLDER):
        perft(start(counted, SUBJECTS["core"]), DEPTH)
    # What no rule needs: a redrawn future, and the tally of self-play.
    coins = {"player_0": [100, 100, 125], "player_1": [125]}
    treasures = dict.fromkeys(("100", "125"), "collected") | {"150": "removed"}
    start_dict = {"coins": coins, "treasures": treasures, "hands": {"player_0": ["water"]}}
    position = Game(num_players=3).from_dict(start_dict).clone(seed=1)
    row = np.zeros(len(COLUMNS), np.int64)
    tally(position.states, 0, row)
    assert row.tolist() == [0, 2, 1, 450]


if __name__ == "__main__":
    sys.exit(main("tests.dracheninsel.branch_coverage", RULES, run, GAPS))
