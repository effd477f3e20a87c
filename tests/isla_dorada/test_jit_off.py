"""The rules as plain Python: the rulebook's transcripts hold, and games go as in machine code, move by move."""

import itertools
from pathlib import Path

from isla_dorada_env.isla_dorada_v0 import Game
from tests.common.invariants import by_block
from tests.common.jit_off import check_same, check_saved_without_jit, play_digests, without_jit
from tests.isla_dorada import test_transcripts
from tests.isla_dorada.comparison import IslaDoradaComparison

MODULE = "tests.isla_dorada.test_jit_off"
MOVES = 80
"""Of each game."""
LATE = 16


def check_examples() -> int:
    """Run the transcripts of the rulebook on the core; how many there are."""
    examples = test_transcripts.examples("rulebook")
    for example in examples:
        test_transcripts.run_example(example, test_transcripts.SUBJECTS["core"])
    return len(examples)


def digests() -> dict[str, list[str]]:
    """Games of all numbers of players, with every value of each option from the set-up, and late ones."""
    found = {}
    options = itertools.cycle(itertools.product(("holders", "all"), (False, True), (40, 2)))
    for seed, players in enumerate((3, 4, 5, 6, 4, 3, 6, 5)):
        polls, cooperative, rounds = next(options)
        game = Game(num_players=players, polls=polls, cooperative_bidding=cooperative, max_rounds=rounds)
        found[str(game)] = play_digests(game.new(seed), by_block, seed, MOVES)
    comparison = IslaDoradaComparison()
    for seed in range(100, 100 + LATE):
        found[f"late {seed}"] = play_digests(comparison.start(seed)[0], by_block, seed, MOVES)
    return found


def test_without_the_jit_the_rulebook_holds_and_games_go_the_same_way() -> None:
    plain = without_jit(MODULE)
    assert plain["examples"] == len(test_transcripts.examples("rulebook")) > 100
    check_same(plain, digests(), 1500)


def test_what_is_saved_without_machine_code_is_read_with_it(tmp_path: Path) -> None:
    check_saved_without_jit("isla_dorada_env.isla_dorada_v0", tmp_path)
