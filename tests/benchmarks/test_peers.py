"""The comparison with other libraries: table, page, what is missing and what breaks. None of them is needed here."""

from __future__ import annotations

import dataclasses
import json
import re
import sys
import tomllib
from functools import partial
from pathlib import Path

import pytest

from benchmarks import core, peer_adapters, peers
from benchmarks.peer_adapters import KIND, KINDS, OURS, Effort, Library, Subject
from benchmarks.peers import FAILED, MEASURED, MISSING, Result
from island_core import benchmark, cli

ROOT = Path(__file__).parents[2]
PRESENT = Library("Present", "json", "present")
ABSENT = Library("Absent", "no_module_of_this_name", "absent-games")


def subject(library: Library = PRESENT, *needs: Library) -> Subject:
    return Subject(library, "go [9x9]", KIND["batch"], partial(peer_adapters.played, lambda: lambda: 1), needs)


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def result(library: str, game: str, reference: float, kind: str = "batch") -> Result:
    return Result(library, "1.0", game, kind, MEASURED, (reference / 2, reference, 3 * reference), "a note")


RESULTS = [
    result(OURS, "dracheninsel", 100),
    result(OURS, "isla_dorada", 200),
    result("Quick", "go [9x9]", 50),
    result("Slow", "go|mahjong", 4000),
    Result("Absent", "", "go", "batch", MISSING, (), "pip install absent-games"),
    Result("Broken", "", "go", "batch", FAILED, (), "killed by SIGSEGV"),
]


def test_what_is_measured_is_the_median_with_version_and_note():
    line = json.dumps({"values": [3.0, 1.0, 2.0], "version": "7", "note": "of three"})
    found = peers.measured(subject(), python(f"print('noise'); print({line!r})"))
    assert found == Result("Present", "7", "go [9x9]", "batch", MEASURED, (3.0, 1.0, 2.0), "of three")
    assert found.reference == 2.0
    assert found.per_second == pytest.approx(1e9 / (2 * benchmark.NUMBA_NS))


def test_what_is_not_installed_is_named_with_what_installs_it_and_not_run():
    found = peers.measured(subject(PRESENT, ABSENT), ["/no/such/command"])
    assert (found.status, found.note) == (MISSING, "pip install absent-games")
    both = peers.measured(subject(ABSENT, ABSENT), ["/no/such/command"])
    assert both.note == "pip install absent-games absent-games"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("raise ImportError('no such symbol')", r"exit status 1: ImportError: no such symbol"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGABRT)", r"killed by SIGABRT"),
        ("import time; time.sleep(60)", r"not finished after 2 s"),
        ("print('nothing of use')", r"its last line is no JSON: .*nothing of use.*"),
        ("", r"its last line is no JSON: ''"),
    ],
)
def test_what_breaks_is_reported_with_the_reason(code: str, reason: str):
    found = peers.measured(subject(), python(code), seconds=2 if "sleep" in code else 60)
    assert found.status == FAILED
    assert re.fullmatch(reason, found.note), found.note


def test_ratios_are_to_ours_of_the_same_kind():
    lines = {line[0]: line for line in peers.lines_of(RESULTS, KIND["batch"])}
    assert lines["Slow 1.0"][4:6] == ("40x", "20x")
    assert lines["Quick 1.0"][4:6] == ("0.5x", "0.25x")
    assert lines[f"{OURS} 1.0"][4:6] == ("", "")
    assert lines["Absent"][1:] == ("go: pip install absent-games", "not installed", "", "", "")
    assert lines["Broken"][1:] == ("go: killed by SIGSEGV", "failed", "", "", "")
    assert lines["Quick 1.0"][1:4] == ("go [9x9]: a note", "9,756,098", "50 ref")


def test_without_ours_of_the_kind_there_is_no_ratio():
    (line,) = peers.lines_of([RESULTS[0], result("Other", "go", 9, "rules")], KIND["rules"])
    assert line[4:6] == ("", "")


def test_table_in_a_pipe_is_plain_and_holds_everything(capsys: pytest.CaptureFixture[str], monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    peers.print_results(cli.new_console(), RESULTS)
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    for text in ("Die Dracheninsel", "Isla Dorada", "go [9x9]", "pip install absent-games", "killed by SIGSEGV", "40x"):
        assert text in shown
    assert KIND["batch"].title in shown and KIND["rules"].title not in shown


def test_page_holds_date_versions_machine_and_one_section_a_kind():
    report = json.loads(json.dumps(peers.report_of_run(RESULTS)))
    page = peers.markdown(report)
    assert report["date"] in page and report["machine"]["platform"] in page
    assert "Quick 1.0" in page and r"go\|mahjong" in page and "pip install absent-games" in page
    assert page.count("\n## ") == 1
    widths = {line.replace(r"\|", "").count("|") for line in page.splitlines() if line.startswith("|")}
    assert widths == {len(peers.HEADER) + 1}


def test_figures_survive_the_file():
    report = json.loads(json.dumps(peers.report_of_run(RESULTS)))
    assert [peers.result_from_json(data) for data in report["results"]] == RESULTS


def test_committed_page_is_that_of_the_committed_figures():
    report = json.loads(peers.FIGURES.read_text(encoding="utf-8"))
    assert peers.RESULTS.read_text(encoding="utf-8") == peers.markdown(report)
    assert peers.CHART.is_file()


def test_committed_figures_are_of_everything_that_is_measured():
    report = json.loads(peers.FIGURES.read_text(encoding="utf-8"))
    committed = [(r["library"], r["kind"], r["game"]) for r in report["results"]]
    assert committed == [(s.library.title, s.kind.name, s.game) for s in peer_adapters.subjects()]


def test_run_measures_prints_and_tells_what_failed(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    line = json.dumps({"values": [2.0], "version": "7", "note": ""})
    chosen = [subject(), dataclasses.replace(subject(), game="chess")]
    codes = {"go [9x9]": f"print({line!r})", "chess": f"print({line!r})"}
    file = tmp_path / "figures.json"
    assert peers.run(chosen, lambda s: python(codes[s.game]), file, False) == 0
    assert len(json.loads(file.read_text(encoding="utf-8"))["results"]) == 2
    codes["chess"] = "raise SystemExit('broken')"
    assert peers.run(chosen, lambda s: python(codes[s.game]), None, False) == 1
    assert "failed" in (shown := capsys.readouterr().out) and "broken" in shown


@pytest.mark.parametrize("argv", [["--only", "no such game"], ["--only", "Pgx/", "--write"]])
def test_bad_arguments_are_refused(argv: list[str], capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as stopped:
        peers.main(argv)
    assert stopped.value.code == 2
    assert argv[-1].strip("-") in capsys.readouterr().err


def test_list_names_what_only_chooses_from(capsys: pytest.CaptureFixture[str]):
    assert peers.main(["--list", "--only", "Pgx/"]) == 0
    names = capsys.readouterr().out.splitlines()
    assert names and all(name.startswith("Pgx/") for name in names)


def test_names_are_unique_and_every_kind_has_both_our_games():
    found = peer_adapters.subjects()
    assert len({s.name for s in found}) == len(found)
    for kind in KINDS:
        assert {s.game for s in found if s.library.title == OURS and s.kind is kind} == set(core.GAMES)
        assert callable(getattr(core, kind.ours))


def test_extra_installs_every_library():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extra = {re.split(r"[\[<>=;]", line)[0] for line in project["project"]["optional-dependencies"]["peers"]}
    libraries = {library for s in peer_adapters.subjects() for library in (s.library, *s.needs)}
    assert {library.distribution for library in libraries} - {OURS, "pettingzoo"} <= extra
    assert "matplotlib" in extra


def test_play_without_a_decision_is_an_error():
    with pytest.raises(RuntimeError, match="no decision"):
        peer_adapters.timed_play(lambda: 0, KIND["rules"], Effort(0.01, 1))


def test_our_own_rows_run_in_a_process_of_their_own():
    (chosen,) = (s for s in peer_adapters.subjects() if s.name == f"{OURS}/rules/isla_dorada")
    found = peers.measured(chosen, peers.command_of(chosen, quick=True))
    assert found.status == MEASURED, found.note
    assert len(found.values) == peer_adapters.QUICK.repetitions and min(found.values) > 0
    assert "Position" in found.note


def test_chart_shows_what_was_measured_the_fastest_first():
    ((kind, bars),) = peers.bars_of(RESULTS)
    assert kind is KIND["batch"]
    assert [r.library for r in bars] == ["Quick", OURS, OURS, "Slow"]
