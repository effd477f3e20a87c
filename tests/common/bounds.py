"""Long random play with numba's bounds checks: an index outside its array raises instead of reading what lies beside.

A game supplies its ``GameSpec`` and a start for each game number; here are the loop, the proof that the checks are on,
and the command line. `main` starts itself again with ``NUMBA_BOUNDSCHECK=1``; that flag is part of the key of the
machine code, so the first run compiles everything once more and the others find it.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from island_core import bitset, rng
from island_core.errors import InvariantError
from island_core.events import RING
from island_core.position import Position
from island_core.selfplay import POLICIES, POLICY_STREAM, decide

ROOT = Path(__file__).parents[2]

Start = Callable[[int], Position]
"""The position in which the game of a number begins; a function of a module, so that it can be sent to a process."""

DECISIONS_EACH = 1500
"""Of one game; the next one has other options."""
EVERY_SEAT = 16
"""At every such decision all seats look, with all of the history; at the others the seat that decides."""
CHECKED = 499
"""At every such decision, others in each game, the invariants are checked, which takes as long as 200 decisions."""
STAGGER = 211
"""By how many decisions the checks of a game are shifted against those of the one before."""


CHECKS = "invariants checked"
"""What the checks are counted under, among the decisions."""


class BoundsError(Exception):
    """A kernel left an array or an invariant does not hold: in which game and after how many decisions."""


class Eyes:
    """The buffers that observations are written to."""

    def __init__(self, position: Position) -> None:
        spec = position.game.spec
        self.observe = spec.rules.observe
        self.observe_history = spec.rules.observe_history
        self.counts = np.empty(spec.observation.size, np.int8)
        self.history = np.empty(len(spec.history) * RING, np.int8)

    def look(self, states: Any, seat: int) -> None:
        self.observe(states, 0, seat, self.counts)
        self.observe_history(states, 0, seat, RING, self.history)


def prove(start: Start) -> None:
    """Have a kernel of the game write past the end of an array. Raises ``BoundsError`` if nothing notices.

    What follows the array is its own memory, so that nothing is harmed without the checks.
    """
    position = start(0)
    eyes = Eyes(position)
    try:
        eyes.observe(position.states, 0, 0, eyes.counts[:1])
    except IndexError:
        return
    raise BoundsError("an array of one entry took a whole observation without an error: the bounds checks are off")


def play(start: Start, number: int, limit: int = DECISIONS_EACH) -> Counter[str]:
    """Play one game, at most ``limit`` decisions; counts by (players, decision). Raises ``BoundsError``."""
    position = start(number)
    spec, states, players = position.game.spec, position.states, position.game.num_players
    step, passive, advise_at = spec.rules.step, spec.actions.passive, spec.advise_address
    eyes = Eyes(position)
    legal = states["legal"][0]
    room = np.empty(len(passive), np.uint64)
    words = np.empty(4, np.uint64)
    scores, keys = np.zeros(6, np.int64), np.zeros(6, np.int64)
    rng.seed_words(words, 0, number, POLICY_STREAM)
    policy = number // 2 % len(POLICIES)
    asked = [0] * len(spec.decisions)
    count = 0
    checks = Counter[str]()
    try:
        status = int(spec.rules.refresh(states, 0))
        while status & 255 and count < limit:
            if count % EVERY_SEAT == 0:
                for seat in range(players):
                    eyes.look(states, seat)
            else:
                eyes.observe(states, 0, (status & 255) - 1, eyes.counts)
            if (count + STAGGER * number) % CHECKED == 0:
                spec.check(states, 0)
                checks[CHECKS] += 1
            asked[(status >> 8) & 255] += 1
            count += 1
            total = bitset.count(legal)
            status = int(step(states, 0, decide(states, 0, total, passive, room, words, policy, advise_at)))
        for seat in range(players):
            eyes.look(states, seat)
        spec.rules.standing(states, 0, scores, keys)
        spec.rules.redraw(states, 0, number)
    except (IndexError, InvariantError) as error:
        raise BoundsError(f"game {number}, after {count} decisions: {error}") from error
    return Counter({f"{players} {spec.decisions[kind]}": n for kind, n in enumerate(asked) if n}) + checks


def _batch(job: tuple[Start, int, int]) -> Counter[str]:
    start, first, count = job
    prove(start)
    total: Counter[str] = Counter()
    for number in range(first, first + count):
        total.update(play(start, number))
    return total


def decisions(total: Counter[str]) -> int:
    """How many decisions were counted."""
    return total.total() - total[CHECKS]


def main(start: Start, module: str, arguments: list[str] | None = None) -> int:
    """The command line: ``--decisions N`` on all cores, in a process with the checks on."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description="Random play with numba's bounds checks.")
    parser.add_argument("--decisions", type=int, default=1_000_000, help="how many (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="number of the first game (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes (default: %(default)s)")
    options = parser.parse_args(arguments)
    if os.environ.get("NUMBA_BOUNDSCHECK") != "1":
        given = sys.argv[1:] if arguments is None else arguments
        warnings = [f"-W{option}" for option in sys.warnoptions]
        os.execve(
            sys.executable,
            [sys.executable, *warnings, "-m", module, *given],
            {**os.environ, "NUMBA_BOUNDSCHECK": "1"},
        )
    began = time.perf_counter()
    # Here everything compiles, once.
    total = _batch((start, options.first, 4))
    done = decisions(total)
    compiled = time.perf_counter() - began
    columns = (TextColumn("decisions with bounds checks"), BarColumn(), TimeRemainingColumn())
    if done < options.decisions:
        context = multiprocessing.get_context("spawn")
        with Progress(*columns) as bar, context.Pool(options.workers) as pool:
            task = bar.add_task("", total=options.decisions, completed=done)
            number = options.first + 4
            while done < options.decisions:
                # A round at a time: how long games last is not known.
                size = max(1, min(100, (options.decisions - done) // (DECISIONS_EACH * 2 * options.workers)))
                jobs = [(start, number + size * k, size) for k in range(2 * options.workers)]
                number += size * len(jobs)
                for found in pool.imap_unordered(_batch, jobs):
                    total.update(found)
                    bar.advance(task, decisions(found))
                done = decisions(total)
    checks = total.pop(CHECKS, 0)
    print(
        f"{done:,} decisions with bounds checks, no index out of bounds, invariants hold at {checks:,} of them,"
        f" {time.perf_counter() - began:,.0f} s "
        f"({compiled:,.0f} s of them until the fourth game)"
    )
    print(", ".join(f"{key} {count:,}" for key, count in sorted(total.items())))
    return 0


def short_form(module: str, least: int) -> str:
    """Play at least so many decisions by the command line of a game, in a process of its own; gives what it printed."""
    command = [sys.executable, "-W", "error", "-m", module, "--decisions", str(least), "--workers", "1"]
    environment = {**os.environ, "ISLAND_ENVS_QUIET": "1"}
    environment.pop("NUMBA_BOUNDSCHECK", None)
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    found = re.search(r"([\d,]+) decisions with bounds checks, no index out of bounds", done.stdout)
    assert found is not None, done.stdout
    assert int(found[1].replace(",", "")) >= least
    checked = re.search(r"invariants hold at ([\d,]+) of them", done.stdout)
    assert checked is not None and int(checked[1].replace(",", "")) >= least // CHECKED // 2, done.stdout
    return done.stdout
