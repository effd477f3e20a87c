"""Gaps of branch coverage are found, named by their words, and must be explained."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.common.coverage_gaps import LEAVES, NEVER_RUNS, Gap, Measured, report

SOURCE = """\
def sign(n):
    if n > 0:
        return 1
    if n < 0:
        return -1
    return 0


def count(n):
    while n < 3:
        n += 1
        if n == 2:
            break


def unused():
    return 7
"""
RUN = """\
import importlib.util, sys
from pathlib import Path
from tests.common.coverage_gaps import measure, report
folder = Path(sys.argv[1])
def run():
    spec = importlib.util.spec_from_file_location("some", folder / "some.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.sign(2) == 1 and module.sign(0) == 0
    module.count(1)
print(*measure(folder, run).gaps, sep="\\n")
"""
GAPS = [
    Gap("some.py", "sign", "return -1", NEVER_RUNS, "nothing is negative"),
    Gap("some.py", "unused", "return 7", NEVER_RUNS, "nobody calls it"),
    Gap("some.py", "count", "while n < 3:", LEAVES, "two comes first"),
    Gap("some.py", "count", "if n == 2:", "while n < 3:", "starts at one"),
]


def test_gaps_are_found(tmp_path: Path) -> None:
    (tmp_path / "some.py").write_text(SOURCE, encoding="utf-8")
    # In a process of its own: this one may be measured itself.
    command = [sys.executable, "-W", "error", "-c", RUN, str(tmp_path)]
    done = subprocess.run(
        command, cwd=Path(__file__).parents[2], env=os.environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.splitlines()) == sorted(str(gap) for gap in GAPS)


def measured(gaps: list[Gap]) -> Measured:
    keys = ("num_statements", "missing_lines", "num_branches", "missing_branches")
    return Measured({"some.py": {"summary": dict.fromkeys(keys, 2)}}, gaps)


def test_every_gap_must_be_explained_and_every_explanation_be_of_a_gap(capsys: pytest.CaptureFixture[str]) -> None:
    assert report(measured(GAPS), GAPS) == 0
    assert "nothing is negative" in capsys.readouterr().out
    assert report(measured([]), []) == 0
    assert report(measured(GAPS), GAPS[1:]) == 1
    assert "NOT EXPLAINED" in capsys.readouterr().out
    assert report(measured(GAPS[1:]), GAPS) == 1
    assert "is explained, but it does" in capsys.readouterr().out
    silent = [Gap(gap.file, gap.function, gap.line, gap.target) for gap in GAPS]
    assert report(measured(GAPS), silent) == 1
