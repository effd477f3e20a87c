"""The mutants of Die Dracheninsel: their names, and the list of those that change nothing."""

from tests.dracheninsel.mutants import MUTANTS


def test_every_listed_survivor_is_a_mutant_of_the_rules_and_has_a_reason() -> None:
    assert sorted(set(MUTANTS.surviving) - set(MUTANTS.names())) == []
    assert all(len(reason.split()) > 3 for reason in MUTANTS.surviving.values())


def test_all_mutants_of_the_rules_have_different_names() -> None:
    names = MUTANTS.names()
    assert len(set(names)) == len(names) > 1000
