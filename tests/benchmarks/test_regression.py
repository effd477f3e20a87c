"""Judging key figures against committed ones, by figures that are made up."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks import core, regression
from benchmarks.regression import CommittedError, Verdict
from island_core import benchmark, cli


def series(*values: float) -> Callable[[], float]:
    """A measurement that gives these values one after the other and fails when there is none left."""
    left = iter(values)
    return lambda: next(left)


def run(path: Path, write: bool = False, **figures: Callable[[], float]) -> int:
    return regression.run(figures, path, write, cli.new_console())


@pytest.fixture
def committed(tmp_path: Path) -> Path:
    path = tmp_path / "committed.json"
    cli.write_json(path, regression.committed_file({"play": 100.0, "batch": 200.0}))
    return path


@pytest.mark.parametrize(
    ("measured", "word"),
    [(69.9, "faster"), (70, "ok"), (129.9, "ok"), (130, "warning"), (159.9, "warning"), (160, "failed")],
)
def test_bounds(measured: float, word: str):
    assert Verdict("play", 100.0, measured).word == word


def test_nothing_slower_passes_with_one_measurement_each(committed: Path, capsys: pytest.CaptureFixture[str]):
    assert run(committed, play=series(101.0), batch=series(199.0)) == 0
    shown = capsys.readouterr().out
    assert "101%" in shown and "ok" in shown and "warning" not in shown


def test_warning_passes_and_is_not_repeated(committed: Path, capsys: pytest.CaptureFixture[str]):
    assert run(committed, play=series(140.0), batch=series(200.0)) == 0
    assert "warning" in capsys.readouterr().out


def test_one_slow_measurement_is_repeated(committed: Path, capsys: pytest.CaptureFixture[str]):
    assert run(committed, play=series(170.0, 105.0), batch=series(200.0)) == 0
    assert "failed" not in capsys.readouterr().out


def test_slow_twice_fails_and_the_rest_is_measured_all_the_same(committed: Path, capsys: pytest.CaptureFixture[str]):
    assert run(committed, play=series(170.0, 161.0), batch=series(200.0)) == 1
    shown = capsys.readouterr().out
    assert "failed" in shown and "161%" in shown and "batch" in shown


def test_much_faster_asks_for_new_committed_figures(committed: Path, capsys: pytest.CaptureFixture[str]):
    assert run(committed, play=series(50.0), batch=series(200.0)) == 0
    assert "--write" in capsys.readouterr().out


def test_written_figures_are_those_compared_with(tmp_path: Path):
    path = tmp_path / "committed.json"
    assert run(path, write=True, play=series(12.34)) == 0
    assert regression.read_committed(path) == {"play": 12.3}
    assert run(path, play=series(20.0, 20.0)) == 1


def test_other_names_fail_before_anything_is_measured(committed: Path, capsys: pytest.CaptureFixture[str]):
    assert run(committed, play=series(), clone=series()) == 1
    told = capsys.readouterr().err
    assert "not committed: ['clone']" in told and "no longer measured: ['batch']" in told and "--write" in told


@pytest.mark.parametrize(
    "content",
    [None, "", "[]", "{}", '{"figures": 3}', '{"figures": {"play": "quick"}}', '{"figures": {"play": 0}}'],
)
def test_damaged_files_are_refused(tmp_path: Path, content: str | None):
    path = tmp_path / "committed.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(CommittedError, match="committed.json.*--write"):
        regression.read_committed(path)


def test_machine_that_cannot_be_compared_on_has_a_status_of_its_own(
    committed: Path, capsys: pytest.CaptureFixture[str]
):
    def void() -> float:
        raise benchmark.VoidRunError("too fast")

    assert run(committed, play=void, batch=series(200.0)) == benchmark.VOID
    assert "void: too fast" in capsys.readouterr().err


def test_committed_file_holds_every_key_figure():
    names = {f"{game}: {row}" for game in core.GAMES for row in regression.KEY_ROWS}
    assert set(regression.read_committed(regression.COMMITTED)) == names
    assert json.loads(regression.COMMITTED.read_text(encoding="utf-8"))["machine"]


def test_continuous_integration_calls_it():
    script = (regression.COMMITTED.parents[1] / ".ci" / "run").read_text(encoding="utf-8")
    assert "-m benchmarks.regression" in script
