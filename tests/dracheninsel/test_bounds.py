"""The short form of the random play with numba's bounds checks, in a process of its own.

The first run after an edit of a kernel compiles everything once more, half a minute; the others take two seconds. The
long form is ``python -m tests.dracheninsel.bounds``.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.common import bounds
from tests.dracheninsel.bounds import start

ROOT = Path(__file__).parents[2]
DECISIONS = 5_000


def test_no_kernel_leaves_an_array() -> None:
    command = [sys.executable, "-W", "error", "-m", "tests.dracheninsel.bounds"]
    command += ["--decisions", str(DECISIONS), "--workers", "1"]
    environment = {**os.environ, "ISLAND_ENVS_QUIET": "1"}
    environment.pop("NUMBA_BOUNDSCHECK", None)
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    found = re.search(r"([\d,]+) decisions with bounds checks, no index out of bounds", done.stdout)
    assert found is not None, done.stdout
    assert int(found[1].replace(",", "")) >= DECISIONS
    for players in (3, 4, 5, 6):
        assert re.search(rf"\b{players} turn ", done.stdout), done.stdout


def test_checks_that_are_off_are_noticed() -> None:
    """This process has none: an index out of bounds reads what lies beside."""
    with pytest.raises(bounds.BoundsError, match="the bounds checks are off"):
        bounds.prove(start)


def test_an_index_out_of_bounds_tells_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = iter(range(10))

    def look(eyes: bounds.Eyes, states: object, seat: int) -> None:
        if next(looks) == 7:
            raise IndexError("index is out of bounds")

    monkeypatch.setattr(bounds.Eyes, "look", look)
    with pytest.raises(bounds.BoundsError, match="game 3, after 16 decisions: index is out of bounds"):
        bounds.play(start, 3)
