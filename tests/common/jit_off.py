"""The same games with machine code and without: digests of play, move by move, and a process without the jit.

A test module of a game has two functions that run in both: ``check_examples()`` runs what must hold without machine
code too and returns how many examples that was, ``digests()`` gives, for each game by its name, the digest after each
move. ``without_jit(module)`` gives what both return in a process with ``NUMBA_DISABLE_JIT=1`` and ``-W error``.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from island_core.events import RING
from island_core.jit import JIT_ENABLED
from island_core.position import Position

ROOT = Path(__file__).parents[2]

Choose = Callable[[Position, np.random.Generator], int]


EVERY_SEAT = 4
"""At every such move all seats look, at the others the one that decides."""
SAVED_AFTER = 25
"""Actions before an environment is saved."""


def situation(position: Position, seen_events: int, thorough: bool) -> list[Any]:
    """Everything that the public interface says of a position, and the events since a number."""
    seats = range(position.game.num_players) if thorough or position.actor is None else (position.actor,)
    views = [position.observation(seat, "int8", history=RING) for seat in seats]
    return [
        position.actor,
        position.decision,
        position.legal_actions(),
        [list(event) for event in position.events_since(seen_events)],
        [hashlib.sha256(view.tobytes()).hexdigest() for view in views],
        position.scores,
        position.ranks,
    ]


def play_digests(position: Position, choose: Choose, seed: int, limit: int) -> list[str]:
    """Play on, at most ``limit`` moves; after each move: what was played, and a digest of what then holds.

    The digests do not depend on each other: the first that differs between two runs names the move at fault.
    """
    generator = np.random.default_rng(seed)
    lines = []
    events, action, name = 0, -1, "start"
    while True:
        text = json.dumps([action, situation(position, events, len(lines) % EVERY_SEAT == 0)])
        lines.append(f"{name}: {hashlib.sha256(text.encode()).hexdigest()[:16]}")
        if position.is_over or len(lines) > limit:
            return lines
        events = position.num_events
        action = choose(position, generator)
        name = position.action_name(action)
        position.step(action)


def without_jit(module: str) -> dict[str, Any]:
    """What ``check_examples()`` and ``digests()`` of a module return without the jit. Raises what went wrong there."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", __name__, module],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise AssertionError(f"{module} without the jit fails:\n{done.stderr[-6000:]}")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def check_saved_without_jit(module: str, folder: Path) -> None:
    """Bytes and pickles are the same in both modes, environments included. ``module`` is a game's, with ``env``."""
    code = (
        "import importlib, pathlib, pickle\n"
        f"env = importlib.import_module({module!r}).env(num_players=3)\n"
        "env.reset(seed=5)\n"
        f"for _ in range({SAVED_AFTER}):\n"
        "    env.step(env.sample_action())\n"
        f"folder = pathlib.Path({str(folder)!r})\n"
        "folder.joinpath('env.pickle').write_bytes(pickle.dumps(env))\n"
        "folder.joinpath('state').write_bytes(env.get_state())\n"
    )
    subprocess.run(
        [sys.executable, "-W", "error", "-c", code], check=True, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}
    )
    env = pickle.loads((folder / "env.pickle").read_bytes())
    state = (folder / "state").read_bytes()
    game = importlib.import_module(module)
    twin = game.env(num_players=3)
    twin.set_state(state)
    assert env.get_state() == twin.get_state() == state
    again = game.env(num_players=3)
    again.reset(seed=5)
    for _ in range(SAVED_AFTER):
        again.step(again.sample_action())
    assert again.get_state() == state
    assert env.sample_action() == again.sample_action()


def check_same(plain: dict[str, Any], compiled: dict[str, list[str]], moves: int) -> None:
    """The digests of `without_jit` are those of this process, of at least so many moves."""
    assert plain["digests"].keys() == compiled.keys()
    differences = {game: first_difference(compiled[game], plain["digests"][game]) for game in compiled}
    assert {game: text for game, text in differences.items() if text} == {}
    assert sum(len(lines) for lines in compiled.values()) >= moves


def first_difference(with_jit: list[str], without: list[str]) -> str:
    """Where two lists of digests part, empty if nowhere."""
    for number, (mine, theirs) in enumerate(zip(with_jit, without, strict=False)):
        if mine != theirs:
            return f"move {number}: with the jit {mine!r}, without {theirs!r}"
    if len(with_jit) != len(without):
        return f"{len(with_jit)} digests with the jit, {len(without)} without"
    return ""


def main() -> int:
    """Run a module's functions here and print what they return as JSON."""
    if JIT_ENABLED:
        raise RuntimeError("this is for a process with NUMBA_DISABLE_JIT=1")
    module = importlib.import_module(sys.argv[1])
    answer = {"examples": module.check_examples(), "digests": module.digests()}
    print(json.dumps(answer))
    return 0


if __name__ == "__main__":
    sys.exit(main())
