"""Every rule of docs/rules/dracheninsel.md is cited by the code, by a test and by a mutant; nobody cites another."""

import ast
import re
from pathlib import Path

import pytest

from tests.common.mutants import Written
from tests.common.rule_index import RuleIds, marked, marked_in, text_files
from tests.dracheninsel import test_transcripts
from tests.dracheninsel.mutants import PACKAGE
from tests.dracheninsel.written_mutants import DEFINITIONS, WRITTEN

ROOT = PACKAGE.parent
RULES = RuleIds("D", ROOT / "docs" / "rules" / "dracheninsel.md")
HERE = Path(__file__).parent
PLACES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs", "examples", "benchmarks", "dracheninsel_env")

# Rules that are words or data; kernels only read what these modules hold.
DATA = {
    "D1.1": "board.py",
    "D1.3": "vocab.py",
    "D2.2": "components.py",
    "D2.3": "components.py",
    "D2.5": "vocab.py",
    "D5.5": "board.py",
}


def test_every_rule_has_an_id_of_its_own() -> None:
    RULES.check_numbers(10)


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
    assert len(files) > 50


def test_every_rule_has_a_mutant_or_is_a_definition() -> None:
    with_mutant = {written.rule for written in WRITTEN}
    assert RULES.without(with_mutant | set(DEFINITIONS)) == []
    assert with_mutant <= set(RULES.defined)
    assert set(DEFINITIONS) <= set(RULES.defined) - with_mutant


def test_the_tests_of_the_definitions_exist_and_carry_their_ids() -> None:
    for rule, why in DEFINITIONS.items():
        for name in re.findall(r"test_\w+\.py", why):
            assert rule in marked((HERE / name).read_text(encoding="utf-8")), f"{rule}: {why}"


@pytest.mark.parametrize("written", WRITTEN, ids=[f"{n}-{one.rule}" for n, one in enumerate(WRITTEN)])
def test_every_mutant_applies(written: Written) -> None:
    changed = ast.dump(written.mutant(PACKAGE).tree)
    assert changed != ast.dump(ast.parse((PACKAGE / written.file).read_text(encoding="utf-8")))


def test_a_mutant_that_does_not_apply_is_refused() -> None:
    with pytest.raises(ValueError, match="stands 0 times"):
        Written("D1.1", "rules/steps.py", "no such text", "").mutant(PACKAGE)
    with pytest.raises(ValueError, match="expected once"):
        Written("D1.1", "rules/steps.py", "return", "").mutant(PACKAGE)


def test_the_index_finds_what_it_must(tmp_path: Path) -> None:
    document = tmp_path / "rules.md"
    document.write_text("# Rules\n- X1.1 one\n- X1.2 two\n- X1.3 three\n", encoding="utf-8")
    ids = RuleIds("X", document)
    assert ids.defined == ["X1.1", "X1.2", "X1.3"]
    code = tmp_path / "code.py"
    code.write_text('"""X1.1-X1.3, and X7.1."""\n', encoding="utf-8")
    (tmp_path / "data.npy").write_bytes(b"X1.2")
    found = ids.cited_by(path for path in text_files(tmp_path) if path != document)
    assert found == {rule: {code} for rule in ("X1.1", "X1.2", "X1.3", "X7.1")}
    assert ids.cited_in("AX1.1 or MAX1.2") == set()
    with pytest.raises(ValueError, match="two chapters"):
        ids.cited_in("X1.1-X2.3")


def test_only_marks_of_tests_count() -> None:
    source = '@pytest.mark.rule("X1.1", "X1.2")\ndef test_one(): ...\n@pytest.mark.rule("X1.3")\ndef helper(): ...\n'
    assert marked(source) == {"X1.1", "X1.2"}
