"""The numbers of lines of play in ``perft/*.perft``: all on the core, the small ones on the oracle."""

from pathlib import Path

import pytest

from island_core.transcript import TranscriptError
from tests.common.perft import Counted, failures, oracle_depths, perft, read, start
from tests.dracheninsel.perft_counts import counted
from tests.dracheninsel.test_transcripts import SUBJECTS

POSITIONS = counted()


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
    assert all([*one.counts] == [*range(1, max(one.counts) + 1)] for one in POSITIONS)
    assert min(max(one.counts) for one in POSITIONS) >= 6


@pytest.mark.parametrize("one", POSITIONS, ids=lambda one: one.name)
def test_the_deck_is_written_out(one: Counted) -> None:
    """Otherwise the rest of it would be shuffled, and the numbers those of one shuffle."""
    (deck,) = (value for _, key, value in one.example.setup if key == "deck")
    table = start(one, SUBJECTS["core"])
    assert table.facts()["deck"] == [card.strip() for card in deck.split(",")]


TEXT = """\
id two cards
game: dracheninsel   players: 4
setup: hand player_0 = water, field ; discard = rest ; deck = water
"""


def written(tmp_path: Path, text: str) -> list[Counted]:
    path = tmp_path / "some.perft"
    path.write_text(text, encoding="utf-8")
    return read(path)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_wrong_number_is_told_by_first_action(subject: str, tmp_path: Path) -> None:
    (one,) = written(tmp_path, f"{TEXT}perft 1 99\nperft 0 1\n")
    table = start(one, SUBJECTS[subject])
    assert perft(table, 0) == 1
    assert perft(table, 1) == len(table.legal())
    (text,) = failures(one, SUBJECTS[subject], [1])
    lines = [f"  {name}: 1" for name in sorted(table.legal())]
    assert text.splitlines() == [f"two cards: perft 1 is {len(lines)}, expected 99", *lines]


@pytest.mark.parametrize("subject", SUBJECTS)
def test_chance_is_an_error(subject: str, tmp_path: Path) -> None:
    (one,) = written(tmp_path, f"{TEXT}perft 2 1\n")
    with pytest.raises(ValueError, match="shuffle"):
        failures(one, SUBJECTS[subject], [2])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "some.perft:1: no position"),
        ("perft 1 2\n", "some.perft:1: 'perft 1 2': .* after an id"),
        ("setup: turns = 3\n", "some.perft:1: .* stands before the first id"),
        (f"{TEXT}perft 1\n", "some.perft:4: 'perft 1': 'perft depth count' is expected"),
        (TEXT, "some.perft:4: no count for 'two cards'"),
        ("id x\nplayers: 4\nperft 1 1\n", "some.perft:.*: a line such as 'game: "),
    ],
)
def test_what_is_not_understood(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(TranscriptError, match=message):
        written(tmp_path, text)
