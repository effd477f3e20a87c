"""Mutants of the rules of Die Dracheninsel: ``python -m tests.dracheninsel.mutants [--drawn N] [--written]``.

Runs with ``NUMBA_DISABLE_JIT=1`` (it restarts itself so). The drawn ones are tried against all transcripts of the
rulebook and the rule tests, each written one against those of them that carry its rule's id. The exit status is 1 if a
written one survives, if a drawn one does that ``surviving_mutants.py`` does not explain, or if too few are caught.
"""

import sys
from pathlib import Path

from tests.common.mutants import Mutants, RuledCheck, example_checks, main, rule_tests
from tests.dracheninsel.surviving_mutants import SURVIVING
from tests.dracheninsel.written_mutants import WRITTEN

PACKAGE = Path(__file__).parents[2] / "dracheninsel_env"


def checks() -> list[RuledCheck]:
    """The transcripts of the rulebook and the rule tests."""
    from tests.dracheninsel import test_rules_events, test_rules_invariants, test_rules_setup, test_transcripts

    return [
        *example_checks(test_transcripts.examples("rulebook"), test_transcripts.CHECKED["core"]),
        *rule_tests(test_rules_events, test_rules_setup, test_rules_invariants),
    ]


MUTANTS = Mutants(
    "tests.dracheninsel.mutants", PACKAGE, WRITTEN, SURVIVING, checks, leave_out=("tally.py", "redraw.py")
)

if __name__ == "__main__":
    sys.exit(main(MUTANTS))
