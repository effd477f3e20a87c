"""The numbers of lines of play in ``perft/*.perft``: all on the core, the small ones on the oracle."""

import pytest

from tests.common.perft import Counted, failures, oracle_depths, start
from tests.isla_dorada.perft_counts import counted
from tests.isla_dorada.test_transcripts import SUBJECTS

POSITIONS = counted()
CHOICES = "three players choose"
"""In the set-up no adventure card is dealt; the last choice is not taken, since they are dealt after it."""


@pytest.mark.parametrize("one", POSITIONS, ids=lambda one: one.name)
def test_core(one: Counted) -> None:
    assert "\n".join(failures(one, SUBJECTS["core"], sorted(one.counts))) == ""


@pytest.mark.parametrize("one", POSITIONS, ids=lambda one: one.name)
def test_oracle(one: Counted) -> None:
    depths = oracle_depths(one)
    assert len(depths) >= 4
    assert "\n".join(failures(one, SUBJECTS["oracle"], depths)) == ""


def test_the_positions_are_of_all_kinds() -> None:
    assert {one.example.options["num_players"] for one in POSITIONS} == {3, 4, 5, 6}
    assert {one.example.options.get("cooperative_bidding", False) for one in POSITIONS} == {False, True}
    assert {one.example.options.get("polls", "holders") for one in POSITIONS} == {"holders", "all"}
    assert all([*one.counts] == [*range(1, max(one.counts) + 1)] for one in POSITIONS)
    assert min(max(one.counts) for one in POSITIONS) >= 6


@pytest.mark.parametrize("one", POSITIONS, ids=lambda one: one.name)
def test_the_deck_is_written_out(one: Counted) -> None:
    """Otherwise the rest of it would be shuffled, and the numbers those of one shuffle."""
    decks = [value for _, key, value in one.example.setup if key == "deck"]
    if one.name == CHOICES:
        assert decks == [] and max(one.counts) == 2 * one.example.options["num_players"]
    else:
        assert start(one, SUBJECTS["core"]).facts()["deck"] == [card.strip() for card in decks[0].split(",")]
