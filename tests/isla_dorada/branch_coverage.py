"""Branch coverage of ``isla_dorada_env/rules``: ``python -m tests.isla_dorada.branch_coverage``.

Runs without machine code (it restarts itself so): the transcripts of the rulebook, games with every option, late ones
too, and the counted positions. Every statement and branch must be reached, but for ``GAPS``, each of which must be one.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.common.coverage_gaps import LEAVES, Gap, main

RULES = Path(__file__).parents[2] / "isla_dorada_env" / "rules"

GAPS: tuple[Gap, ...] = (
    Gap(
        *("lightning.py", "strike", "if s.destiny_deck_size > 0:", LEAVES),
        why="I10.4: of 22 destinies six players hold six; the deck is never empty with the packaged components.",
    ),
)

DEPTH = 3
"""Of the counted positions."""


def run() -> None:
    """Everything that is measured. Nothing of the game is imported before."""
    import numpy as np

    from isla_dorada_env.isla_dorada_v0 import Game
    from isla_dorada_env.rules.tally import COLUMNS, tally
    from tests.common.perft import perft, start
    from tests.isla_dorada import test_jit_off
    from tests.isla_dorada.perft_counts import counted
    from tests.isla_dorada.test_rules_invariants import test_an_amount_that_cannot_be_paid_is_no_decision
    from tests.isla_dorada.test_transcripts import SUBJECTS

    test_jit_off.check_examples()
    test_jit_off.digests()
    for one in counted():
        perft(start(one, SUBJECTS["core"]), DEPTH)
    # Only a position put together from outside asks for an amount that cannot be paid.
    test_an_amount_that_cannot_be_paid_is_no_decision()
    # What no rule needs: a redrawn future, and the tally of self-play.
    start_dict = {
        "gold": {"player_0": 3, "player_1": 0, "player_2": 1},
        "laid": {"player_1": ["Rhobanis starred", "Rhobanis bonus"]},
        "markers": {"Septris": 3, "Rhobanis": 1},
        "returns": 2,
        "destinies": {"player_2": ["homesick"]},
        "round": {"number": 5, "winning_total": 7},
        "put_under_treasures": [
            {"place": 0, "players": ["player_0"], "telegram": 4},
            {"place": 1, "players": ["player_1"], "telegram": 4},
            {"place": 2, "players": ["player_1"]},
        ],
        "put_under_destinies": [{"place": 0, "players": ["player_0"]}],
    }
    position = Game(num_players=3).from_dict(start_dict).clone(seed=1)
    row = np.zeros(len(COLUMNS), np.int64)
    tally(position.states, 0, row)
    assert row.tolist() == [5, 7, 2, 2, 2, 1, 12], row


if __name__ == "__main__":
    sys.exit(main("tests.isla_dorada.branch_coverage", RULES, run, GAPS))
