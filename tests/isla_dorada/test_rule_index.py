"""Every rule of docs/rules/isla_dorada.md is cited by the code and by a test; nobody cites another."""

from pathlib import Path

from tests.common.rule_index import RuleIds, marked_in, text_files
from tests.isla_dorada import test_transcripts

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "isla_dorada_env"
RULES = RuleIds("I", ROOT / "docs" / "rules" / "isla_dorada.md")
HERE = Path(__file__).parent
PLACES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs", "examples", "benchmarks", "isla_dorada_env")

# Rules that are data; kernels only read what these modules hold.
DATA = {"I1.1": "board.py", "I1.2": "board.py", "I1.3": "board.py"}


def test_every_rule_has_an_id_of_its_own() -> None:
    RULES.check_numbers(12)


def test_every_rule_is_cited_by_the_code() -> None:
    assert RULES.without(RULES.cited_by(text_files(PACKAGE))) == []


def test_every_rule_that_is_no_data_is_cited_by_the_kernels() -> None:
    RULES.check_kernels(PACKAGE, DATA)


def test_every_rule_has_a_test() -> None:
    """A mark of a test, or the head of a transcript of the rulebook."""
    assert RULES.without(marked_in(HERE) | test_transcripts.cited_rules()) == []


def test_every_rule_cited_exists() -> None:
    files = [path for path in text_files(*(ROOT / place for place in PLACES), HERE)]
    RULES.check_all_exist(files)
    assert len(files) > 100
