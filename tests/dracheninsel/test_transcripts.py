"""The transcripts of the rulebook, written by hand, on core and oracle; and the recorded ones."""

import re
from pathlib import Path

import pytest

from dracheninsel_env.dracheninsel_v0 import Game
from dracheninsel_env.transcripts import WORDS
from island_core.transcript import Example, PositionSubject, parse, run_example
from tests.dracheninsel.oracle_subject import OracleSubject

FOLDER = Path(__file__).parent / "transcripts"
RULES = Path(__file__).parents[2] / "docs" / "rules" / "dracheninsel.md"
SUBJECTS = {"core": PositionSubject(WORDS, Game), "oracle": OracleSubject()}


def examples(folder: str) -> list[Example]:
    """All examples of the transcripts in a folder."""
    files = sorted((FOLDER / folder).glob("*.game"))
    return [one for file in files for one in parse(file.read_text(encoding="utf-8"), file.name)]


def cited_rules() -> frozenset[str]:
    """The ids of all rules that a transcript of the rulebook is about, for the index of rules."""
    return frozenset(rule for one in examples("rulebook") for rule in one.rules)


def parameters(folder: str) -> list[object]:
    """Each example as a parameter with its rules as marks."""
    return [
        pytest.param(one, id=f"{Path(one.source).stem}: {one.title}", marks=pytest.mark.rule(*one.rules))
        for one in examples(folder)
    ]


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("example", parameters("rulebook"))
def test_rulebook(example: Example, subject: str) -> None:
    run_example(example, SUBJECTS[subject])


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("example", parameters("recorded"))
def test_recorded(example: Example, subject: str) -> None:
    run_example(example, SUBJECTS[subject])


def test_the_rules_cited_exist() -> None:
    written = set(re.findall(r"^- (D\d+\.\d+) ", RULES.read_text(encoding="utf-8"), re.MULTILINE))
    assert cited_rules() <= written


def test_every_example_names_its_rules() -> None:
    assert [f"{one.source}:{one.number}" for one in examples("rulebook") if not one.rules] == []
