"""The transcripts of the rulebook, written by hand, on core and oracle; and the recorded ones."""

import re
from pathlib import Path

import pytest

from dracheninsel_env.dracheninsel_v0 import Game
from dracheninsel_env.transcripts import WORDS
from island_core import transcript
from island_core.transcript import (
    Example,
    PositionSubject,
    Subject,
    TranscriptError,
    run,
    run_example,
)
from tests.common.checked import CheckedSubject
from tests.common.record_transcripts import check
from tests.common.transcripts import Transcripts
from tests.dracheninsel import record_transcripts
from tests.dracheninsel.oracle_subject import OracleSubject

FOLDER = Path(__file__).parent / "transcripts"
RULES = Path(__file__).parents[2] / "docs" / "rules" / "dracheninsel.md"
SUBJECTS: dict[str, Subject] = {"core": PositionSubject(WORDS, Game), "oracle": OracleSubject()}
CHECKED: dict[str, Subject] = SUBJECTS | {"core": CheckedSubject(WORDS, Game)}


TRANSCRIPTS = Transcripts(FOLDER)
examples = TRANSCRIPTS.examples
cited_rules = TRANSCRIPTS.cited_rules
parameters = TRANSCRIPTS.parameters


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("example", parameters("rulebook"))
def test_rulebook(example: Example, subject: str) -> None:
    run_example(example, CHECKED[subject])


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("example", parameters("recorded"))
def test_recorded(example: Example, subject: str) -> None:
    run_example(example, SUBJECTS[subject])


def test_the_rules_cited_exist() -> None:
    written = set(re.findall(r"^- (D\d+\.\d+) ", RULES.read_text(encoding="utf-8"), re.MULTILINE))
    assert cited_rules() <= written


def test_every_example_names_its_rules() -> None:
    assert [f"{one.source}:{one.number}" for one in examples("rulebook") if not one.rules] == []


HEAD = "game: dracheninsel   players: 4\n"
THEFT = "setup: hand player_0 = sneak-attack, volcano ; hand player_1 = water, field ; hand player_2 = field\n"


def failure(body: str, subject: str) -> str:
    with pytest.raises(TranscriptError) as caught:
        run(f"{HEAD}--- example\n{body}", SUBJECTS[subject], "file.game")
    return str(caught.value)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_every_outcome_can_be_told(subject: str) -> None:
    for card in ("water", "field"):
        text = (
            f"{THEFT}player_0  play sneak-attack\nplayer_0  rob player_1\n*  rob {card}\n?  hand player_0 has {card}\n"
        )
        assert run(f"{HEAD}--- example\n{text}", SUBJECTS[subject]) == 1


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("line", ["*  rob forest", "*  rob field from player_2", "", "*  rob field\n*  rob field"])
def test_chance_that_cannot_happen_fails(line: str, subject: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcript, "MAX_TRIES", 200)
    text = f"{THEFT}player_0  play sneak-attack\nplayer_0  rob player_1\n{line}\n"
    assert failure(text, subject).startswith("file.game:5: 'rob player_1': ")


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_wrong_line_fails(subject: str) -> None:
    assert failure(f"{THEFT}player_0  step i5 volcano\n", subject).startswith(
        "file.game:4: 'step i5 volcano' is not legal"
    )
    assert "'step i4 volcano' is legal" in failure(f"{THEFT}player_0  cannot step i4 ...\n", subject)
    assert "found: boat-yellow" in failure(f"{THEFT}player_0  play sneak-attack\n?  at yellow = i4\n", subject)


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ("hand player_0 = sand", "'sand' is none of "),
        ("hand yellow = field", "'yellow' is none of player_0"),
        ("at yellow = z9", "'z9' is none of a1"),
        ("at pink = d4", "'pink' is none of red"),
        ("treasure 110 = e5", "'110' is none of 100"),
        ("turns = many", "'many' is no number"),
        ("weather = rain", "no such place"),
        ("disc d4 = sand", "'sand' is none of volcano"),
    ],
)
def test_setups_that_are_not_understood(item: str, message: str) -> None:
    found = failure(f"setup: {item}\nplayer_0  stop\n", "core")
    assert found.startswith(f"file.game:3: setup '{item}': {message}")


def test_a_setup_that_cannot_be() -> None:
    found = failure("setup: at yellow = d4 ; at green = d4\nplayer_0  stop\n", "core")
    assert found.startswith("file.game:2: the setup of 'example': ")


def test_the_recorded_games_are_those_of_the_command() -> None:
    assert {one.options["num_players"] for one in examples("recorded")} == {3, 4, 5, 6}
    check(FOLDER / "recorded", record_transcripts.PLANS, record_transcripts.record)
