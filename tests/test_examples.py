"""Every example runs by itself, without a warning, and prints something."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WITH_EXTRAS = {"maskable_ppo": "sb3", "ppo_selfplay": "train", "torchrl_selfplay": "torchrl"}
"""Those that need more than the extra ``test``, and the extra: the tests in ``tests/adapters/<extra>`` run them."""
EXAMPLES = [path for path in sorted((ROOT / "examples").glob("*.py")) if path.stem not in WITH_EXTRAS]


def test_there_are_examples():
    assert EXAMPLES


def test_the_others_are_run_with_their_extras():
    for name, extra in WITH_EXTRAS.items():
        assert (ROOT / "examples" / f"{name}.py").is_file()
        tests = "".join(path.read_text() for path in (ROOT / "tests" / "adapters" / extra).glob("test_*.py"))
        assert f"{name}.py" in tests


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_example_runs_without_a_warning_and_prints_something(path, tmp_path):
    # Quiet: that something is compiled is said on stderr, and is no fault of the example.
    quiet = {**os.environ, "ISLAND_ENVS_QUIET": "1"}
    command = [sys.executable, "-W", "error", str(path)]
    done = subprocess.run(command, cwd=tmp_path, env=quiet, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    assert not done.stderr
    assert not list(tmp_path.iterdir())
