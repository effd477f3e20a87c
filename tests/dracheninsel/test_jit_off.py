"""The rules as plain Python: the rulebook's transcripts hold, and games go as in machine code, move by move."""

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from dracheninsel_env.dracheninsel_v0 import Game
from tests.common.invariants import by_block
from tests.common.jit_off import check_same, check_saved_without_jit, first_difference, play_digests, without_jit
from tests.dracheninsel import test_rules_events, test_rules_invariants, test_rules_setup, test_transcripts
from tests.dracheninsel.comparison import DracheninselComparison

MODULE = "tests.dracheninsel.test_jit_off"
MOVES = 40
"""Of each game from the set-up; the late ones are played on further."""
LATE = 8


def rule_tests() -> list[Callable[[], None]]:
    """The tests that take no fixture, so that they can be called."""
    modules = (test_rules_events, test_rules_setup, test_rules_invariants)
    return [test for module in modules for name, test in vars(module).items() if name.startswith("test_")]


def check_examples() -> int:
    """Run the transcripts of the rulebook and the rule tests on the core; how many there are."""
    examples = test_transcripts.examples("rulebook")
    for example in examples:
        test_transcripts.run_example(example, test_transcripts.SUBJECTS["core"])
    for test in rule_tests():
        test()
    return len(examples) + len(rule_tests())


def digests() -> dict[str, list[str]]:
    """Games of all numbers of players, with every value of each option from the set-up, and late ones."""
    found = {}
    options = itertools.cycle(itertools.product(("holders", "all"), ("random", "standard"), (False, True)))
    for seed, players in enumerate((3, 4, 5, 6, 4, 3, 6, 5)):
        polls, layout, arrival = next(options)
        game = Game(num_players=players, polls=polls, layout=layout, slumber_on_arrival=arrival)
        found[str(game)] = play_digests(game.new(seed), by_block, seed, MOVES)
    comparison = DracheninselComparison()
    for seed in range(100, 100 + LATE):
        found[f"late {seed}"] = play_digests(comparison.start(seed)[0], by_block, seed, 2 * MOVES)
    return found


def test_without_the_jit_the_rulebook_holds_and_games_go_the_same_way() -> None:
    plain = without_jit(MODULE)
    assert plain["examples"] == len(test_transcripts.examples("rulebook")) + len(rule_tests()) > 100
    check_same(plain, digests(), 900)


def test_digests_notice_what_differs() -> None:
    game = Game(num_players=4)
    lines = play_digests(game.new(1), by_block, 1, 20)
    assert first_difference(lines, play_digests(game.new(1), by_block, 1, 20)) == ""
    assert first_difference(lines, play_digests(game.new(2), by_block, 1, 20)).startswith("move 0: ")
    asked = Game(num_players=4, polls="all")
    assert first_difference(lines, play_digests(asked.new(1), by_block, 1, 20)).startswith("move ")
    assert first_difference(lines, lines[:-1]) == f"{len(lines)} digests with the jit, {len(lines) - 1} without"


def test_what_fails_without_the_jit_is_reported() -> None:
    with pytest.raises(AssertionError, match="tests.common.playing without the jit fails:"):
        without_jit("tests.common.playing")


def test_what_is_saved_without_machine_code_is_read_with_it(tmp_path: Path) -> None:
    check_saved_without_jit("dracheninsel_env.dracheninsel_v0", tmp_path)
