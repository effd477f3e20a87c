"""The names of drawn mutants and the report on a draw."""

import ast
from pathlib import Path

from tests.common import mutants
from tests.common.mutants import Mutant

KERNELS = '''
def helper(n):
    return n + 1


@kernel
def climb(s, n):
    """Go up."""
    if n > 0:
        s.height += 1
    if n > 0:
        s.count += 1
    return -1
'''


def test_names_say_what_is_changed_and_hold_when_lines_are_moved(tmp_path: Path) -> None:
    kernels = tmp_path / "hill.py"
    kernels.write_text(KERNELS, encoding="utf-8")
    names = mutants.names(tmp_path)
    assert "hill.py climb: comparison: n > 0" in names and "hill.py climb: comparison: n > 0 #2" in names
    assert "hill.py climb: constant: 1 in return -1" in names
    assert "hill.py climb: deleted: s.count += 1" in names
    assert not any("helper" in name or "Go up" in name for name in names)
    before = {mutant.name: mutant.line for mutant in mutants.drawn(tmp_path, 100, seed=0)}
    assert sorted(before) == sorted(names)
    kernels.write_text("# A comment.\n\n" + KERNELS.replace("def helper", "def another"), encoding="utf-8")
    after = {mutant.name: mutant.line for mutant in mutants.drawn(tmp_path, 100, seed=0)}
    assert after == {name: line + 2 for name, line in before.items()}


def test_a_drawn_mutant_has_the_change_of_its_name(tmp_path: Path) -> None:
    (tmp_path / "hill.py").write_text(KERNELS, encoding="utf-8")
    trees = {mutant.name: ast.unparse(mutant.tree) for mutant in mutants.drawn(tmp_path, 100, seed=0)}
    original = ast.unparse(ast.parse(KERNELS))
    assert trees["hill.py climb: constant: 1 in return -1"] == original.replace("return -1", "return -2")
    assert trees["hill.py climb: operator: s.height += 1"] == original.replace("s.height += 1", "s.height -= 1")


def made_up(count: int) -> list[Mutant]:
    return [Mutant(f"m{k}", Path("hill.py"), ast.parse("")) for k in range(count)]


def test_the_report_of_a_draw() -> None:
    tried = made_up(20)
    assert mutants.report(tried, [], {}, 0.95) == (["20 of 20 caught, 0 survivors explained"], True)
    assert mutants.report(tried, tried[3:4], {"m3": "why"}, 0.95) == (["19 of 20 caught, 1 survivors explained"], True)
    lines, in_order = mutants.report(tried, tried[3:4], {"m4": "why", "m99": "not drawn"}, 0.95)
    assert lines[1:] == ["survives without a reason: m3", "no longer survives: m4"] and not in_order
    lines, in_order = mutants.report(tried, tried[:2], {"m0": "why", "m1": "why"}, 0.95)
    assert lines == ["18 of 20 caught, 2 survivors explained", "fewer than 95% are caught"] and not in_order
