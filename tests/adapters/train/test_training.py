"""``benchmarks/training.py``: it runs what is asked, once, and writes what it measured."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT))

from benchmarks import training  # noqa: E402
from island_core import docs  # noqa: E402

CURVE = ("seconds", "decisions", "imitating", "environment", "greedy", "planner")
SMALL = ("games=32", "steps=24", "width=32", "channels=0,8", "imitate_batch=64", "batch=64", "iterations=3")


def benchmark(folder, *options):
    words = [sys.executable, "-W", "error", "-m", "benchmarks.training", str(folder), *options]
    return subprocess.run(words, capture_output=True, text=True, check=False, cwd=ROOT)


def test_settings_are_all_combinations():
    runs = training.settings_of(["minutes=1", "width=64,128", "opponents=greedy,planner"], [3, 4])
    assert [(run.width, run.seed) for run in runs] == [(64, 3), (64, 4), (128, 3), (128, 4)]
    assert {run.opponents for run in runs} == {"greedy,planner"} and {run.threads for run in runs} == {1}
    assert len({training.name_of(run) for run in runs}) == 4


@pytest.mark.parametrize("given", (["minutes=1", "wide=3"], ["minutes=x"], ["width=3"], ["minutes=1", "seed=1"]))
def test_settings_that_cannot_be_are_named(given):
    with pytest.raises(ValueError, match=r"--set.*allowed: "):
        training.settings_of(given, [0])


def test_runs_are_made_once_and_written(tmp_path):
    options = [word for one in SMALL for word in ("--set", one)]
    options += ["--points", "3", "--curve-games", "4"]
    first = benchmark(tmp_path, *options, "--games", "8", "--save-every", "1")
    assert first.returncode == 0, first.stderr
    assert first.stdout.count("isla-dorada") == 2
    text = (tmp_path / "runs.jsonl").read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    assert [line["settings"]["channels"] for line in lines] == [0, 8]
    for line in lines:
        assert line["games"] == 8 and line["decisions"] > 500 and 10_000 < line["bytes"] < 1_000_000
        for shares in (line["shares"], line["packed_shares"]):
            assert list(shares) == ["greedy", "planner"]
            assert all(0 <= low <= mean <= high <= 1 for mean, low, high in shares.values())
        assert [sorted(point) for point in line["curve"]] == [sorted(CURVE)] * 3
        assert all(0 <= point[other] <= 1 for point in line["curve"] for other in training.OPPONENTS)
        assert line["curve"][-1]["decisions"] == line["decisions"] and 0 < line["environment"] < 1
    again = benchmark(tmp_path, *options, "--games", "8")
    assert again.returncode == 0 and again.stdout == ""
    assert (tmp_path / "runs.jsonl").read_text() == text
    # A run that was killed at its end has its checkpoint alone, and gives the same line again.
    (tmp_path / "runs.jsonl").write_text(text.splitlines(keepends=True)[0])
    third = benchmark(tmp_path, *options, "--games", "8")
    assert third.returncode == 0, third.stderr
    last = json.loads((tmp_path / "runs.jsonl").read_text().splitlines()[1])
    assert last["shares"] == lines[1]["shares"] and last["curve"] == lines[1]["curve"]
    table = benchmark(tmp_path, "--table")
    assert table.returncode == 0 and table.stdout.count("\n") == 4 and "channels 8" in table.stdout
    page = tmp_path / "page.md"
    begin, end = docs.markers(training.PART)
    page.write_text(f"above\n\n{begin}\nold\n{end}\n\nbelow\n")
    written = benchmark(tmp_path, "--page", str(page))
    assert written.returncode == 0, written.stderr
    assert page.read_text() == f"above\n\n{begin}\n{table.stdout}{end}\n\nbelow\n"
    for name in ("curve.svg", "again.svg", "curve.png"):
        drawn = benchmark(tmp_path, "--plot", str(tmp_path / name))
        assert drawn.returncode == 0, drawn.stderr
    text = (tmp_path / "curve.svg").read_text()
    assert text == (tmp_path / "again.svg").read_text() and text.count("<!-- against three") == 2


def test_the_page_has_the_table_of_the_runs_kept():
    lines = training.lines_of(ROOT / "benchmarks" / "training_runs" / "runs.jsonl")
    assert lines and docs.stale_pages({(ROOT / "docs" / "training.md", training.PART): training.table(lines)}) == []


def test_a_page_without_a_place_for_the_table_is_refused(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("nothing\n")
    done = benchmark(ROOT / "benchmarks" / "training_runs", "--page", str(page))
    assert done.returncode == 1 and "page.md: expected the markers <!-- generated runs: begin -->" in done.stderr
    assert page.read_text() == "nothing\n"


def test_a_folder_without_runs_is_named(tmp_path):
    done = benchmark(tmp_path / "none", "--plot", str(tmp_path / "curve.svg"))
    assert done.returncode == 1 and "has no runs" in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_wrong_setting_ends_it(tmp_path):
    done = benchmark(tmp_path / "none", "--set", "wide=3", "--set", "minutes=1")
    assert done.returncode == 1 and "'wide' given, allowed: game, players" in done.stderr
    assert not (tmp_path / "none").exists()
