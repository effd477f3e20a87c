"""What the README says can be done as it says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", README, flags=re.DOTALL | re.MULTILINE)

SELFPLAY_COMMAND = "python3 -m venv .venv && .venv/bin/pip install -e . && .venv/bin/dracheninsel selfplay"
TEST_COMMAND = "python3 -m venv .venv && .venv/bin/pip install -e '.[test]' && .venv/bin/pytest"


def test_there_are_python_blocks():
    assert len(BLOCKS) >= 2


@pytest.mark.parametrize("block", BLOCKS, ids=[f"block-{number}" for number in range(1, len(BLOCKS) + 1)])
def test_python_block_runs_without_a_warning_and_prints_something(block):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", block], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


@pytest.mark.parametrize("command", [SELFPLAY_COMMAND, TEST_COMMAND])
def test_set_up_command_is_one_line_of_the_readme(command):
    assert README.splitlines().count(command) == 1


def test_ci_takes_the_test_command_from_the_readme():
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    (extraction,) = re.findall(r"^test_command=.*$", script, flags=re.MULTILINE)
    shell = f'{extraction}\nprintf %s "$test_command"'
    done = subprocess.run(["bash", "-euc", shell], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == TEST_COMMAND
    assert 'eval "$test_command"' in script
    assert "pip install" not in script


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_lead_somewhere(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.*)$", README, flags=re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("https://"):
            continue
        path, _, anchor = target.partition("#")
        assert not path or (ROOT / path).exists(), target
        assert not anchor or anchor in anchors, target
