"""Compile once before the tests run in parallel."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent

# Helper modules beside the tests assert too; pytest rewrites only test modules by itself.
FOLDERS = sorted(path.name for path in TESTS.iterdir() if path.is_dir() and path.name.isidentifier())
pytest.register_assert_rewrite(*(f"{TESTS.name}.{folder}" for folder in FOLDERS))


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Accept the options that pyproject.toml sets where xdist, which knows them, is switched off."""
    if not pluginmanager.hasplugin("xdist"):
        group = parser.getgroup("xdist", "xdist is switched off")
        group.addoption("--numprocesses", help="without effect")
        group.addoption("--dist", help="without effect")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Fill the machine-code cache in one process; xdist starts its workers later in this same hook.

    Without the plugin's "dsession" there are no workers (a worker itself, -n0, -p no:xdist, --collect-only), and what
    is needed compiles on first use.
    """
    if not session.config.pluginmanager.hasplugin("dsession"):
        return
    reporter = session.config.pluginmanager.getplugin("terminalreporter")
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        reporter.write_line("compile once: not needed, NUMBA_DISABLE_JIT is set")
        return
    for game in games():
        reporter.write_line(f"compile once: {game}")
        command = [sys.executable, "-W", "error", "-m", f"{game}.cli", "warmup"]
        done = subprocess.run(command, cwd=session.config.rootpath, check=False)
        if done.returncode:
            pytest.exit(f"{' '.join(command[1:])} failed with exit status {done.returncode}", returncode=1)


def games() -> list[str]:
    """List the packages that have a command line, which are the games."""
    return sorted(path.parent.name for path in TESTS.parent.glob("*_env/cli.py"))
