"""Mutants of the rules of Die Dracheninsel: ``python -m tests.dracheninsel.mutants [--drawn N] [--written]``.

Runs with ``NUMBA_DISABLE_JIT=1`` (it restarts itself so). The drawn ones are tried against all transcripts of the
rulebook and the rule tests, each written one against those of them that carry its rule's id. The exit status is 1 if a
written one survives, if a drawn one does that ``surviving_mutants.py`` does not explain, or if too few are caught.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "dracheninsel_env"
RULES = PACKAGE / "rules"
LEAVE_OUT = ("tally.py", "redraw.py")
"""Files without rules."""
LEAST = 0.95
"""Of the drawn mutants that must be caught."""
SECONDS = 40.0
"""CPU time of one mutant; all checks together take about ten seconds."""


def module_of(path: Path) -> str:
    """The module of a file of the package."""
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)


def main(arguments: list[str] | None = None) -> int:
    """Try the mutants and print how many are caught, and the survivors."""
    parser = argparse.ArgumentParser(description="Change the rules and see whether the tests notice.")
    parser.add_argument("--drawn", type=int, default=0, help="number of drawn mutants (default: none)")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (default: %(default)s)")
    parser.add_argument("--written", action="store_true", help="the mutants written for each rule")
    parser.add_argument("--shard", default="0/1", help="number/of how many (default: %(default)s)")
    options = parser.parse_args(arguments)
    if os.environ.get("NUMBA_DISABLE_JIT") != "1":
        environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
        command = [
            sys.executable,
            "-m",
            "tests.dracheninsel.mutants",
            *(sys.argv[1:] if arguments is None else arguments),
        ]
        os.execve(sys.executable, command, environment)
    from tests.common import mutants
    from tests.dracheninsel import test_rules_events, test_rules_invariants, test_rules_setup, test_transcripts
    from tests.dracheninsel.surviving_mutants import SURVIVING
    from tests.dracheninsel.written_mutants import WRITTEN

    core = test_transcripts.CHECKED["core"]
    checks: list[tuple[set[str], Callable[[], None]]] = [
        (set(example.rules), partial(test_transcripts.run_example, example, core))
        for example in test_transcripts.examples("rulebook")
    ]
    modules = (test_rules_events, test_rules_setup, test_rules_invariants)
    tests = [item for module in modules for item in vars(module).items()]
    for name, test in tests:
        if name.startswith("test_"):
            checks.append(({rule for mark in test.pytestmark for rule in mark.args}, test))

    def checks_of(rule: str | None) -> list[tuple[int, Callable[[], None]]]:
        return [(k, check) for k, (rules, check) in enumerate(checks) if rule is None or rule in rules]

    for _, check in checks_of(None):
        check()
    number, of = map(int, options.shard.split("/"))
    status = 0
    if options.written:
        tried = [written.mutant(PACKAGE) for written in WRITTEN]
        rule_of = {mutant.name: written.rule for mutant, written in zip(tried, WRITTEN, strict=True)}
        survivors = mutants.run(tried, lambda mutant: checks_of(rule_of[mutant.name]), module_of, SECONDS, (number, of))
        count = len(tried[number::of])
        print(f"written: {count - len(survivors)} of {count} caught by what carries the rule's id")
        status |= bool(survivors)
    if options.drawn:
        tried = mutants.drawn(RULES, options.drawn, options.seed, leave_out=LEAVE_OUT)
        survivors = mutants.run(tried, lambda mutant: checks_of(None), module_of, SECONDS, (number, of))
        lines, in_order = mutants.report(tried[number::of], survivors, SURVIVING, LEAST)
        print("\n".join(f"drawn: {line}" for line in lines))
        status |= not in_order
    return status


if __name__ == "__main__":
    sys.exit(main())
