"""The mutants of Isla Dorada: their names, those written for each rule, and the list of those that change nothing."""

import ast
import re
from pathlib import Path

import pytest

from tests.common.mutants import Written
from tests.common.rule_index import RuleIds, marked
from tests.isla_dorada.mutants import MUTANTS, PACKAGE
from tests.isla_dorada.written_mutants import DEFINITIONS, WRITTEN

RULES = RuleIds("I", PACKAGE.parent / "docs" / "rules" / "isla_dorada.md")


def test_every_listed_survivor_is_a_mutant_of_the_rules_and_has_a_reason() -> None:
    assert sorted(set(MUTANTS.surviving) - set(MUTANTS.names())) == []
    assert all(len(reason.split()) > 3 for reason in MUTANTS.surviving.values())


def test_all_mutants_of_the_rules_have_different_names() -> None:
    names = MUTANTS.names()
    assert len(set(names)) == len(names) > 1000


def test_every_rule_has_a_mutant_or_is_a_definition() -> None:
    with_mutant = {written.rule for written in WRITTEN}
    assert RULES.without(with_mutant | set(DEFINITIONS)) == []
    assert with_mutant <= set(RULES.defined)
    assert set(DEFINITIONS) <= set(RULES.defined) - with_mutant


def test_the_tests_of_the_definitions_exist_and_carry_their_ids() -> None:
    for rule, why in DEFINITIONS.items():
        for name in re.findall(r"test_\w+\.py", why):
            assert rule in marked((Path(__file__).parent / name).read_text(encoding="utf-8")), f"{rule}: {why}"


@pytest.mark.parametrize("written", WRITTEN, ids=[f"{n}-{one.rule}" for n, one in enumerate(WRITTEN)])
def test_every_mutant_applies(written: Written) -> None:
    changed = ast.dump(written.mutant(PACKAGE).tree)
    assert changed != ast.dump(ast.parse((PACKAGE / written.file).read_text(encoding="utf-8")))
