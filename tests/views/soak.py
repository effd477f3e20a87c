"""Memory over long use: ``python -m tests.views.soak --rounds N`` plays through all that positions and environments do.

A round makes games, copies, saves, loads, asks and refuses, for both games, and drops everything. After some rounds in
which caches fill, the memory that Python's allocators hold for living objects must not grow any more, and neither must
the memory of the process by more than ``ROOM``.
"""

from __future__ import annotations

import argparse
import copy
import functools
import gc
import os
import pickle
import sys
import time
import tracemalloc

import numpy as np

from island_core.errors import IllegalActionError, NotationError, OptionError, PositionError
from tests.common.playing import acting
from tests.views.games import GAMES, Case

WARM_UP = 6
"""Rounds before the first measurement."""
GROWTH = 64 * 1024
"""Bytes that living objects may grow by over all rounds."""
ROOM = 16 * 1024 * 1024
"""Bytes that the process may grow by: allocators keep what they were given in pieces."""
STEPS = 40


def use(game: Case, number: int) -> None:
    """One round with one game."""
    rng = np.random.default_rng(number)
    rules = game.rules(num_players=3 + number % 4)
    position = rules.new(number)
    for _ in range(STEPS):
        if position.is_over:
            break
        position.step(acting(position, rng))
    twins = [position.clone(), position.clone(number), copy.deepcopy(position), pickle.loads(pickle.dumps(position))]
    twins += [rules.from_bytes(position.to_bytes()), rules.from_dict(position.to_dict())]
    for twin in twins:
        for seat in range(rules.num_players):
            twin.observation(seat, history=64)
            twin.key(seat)
            twin.text(seat)
            twin.events_since(max(0, twin.num_events - 64), seat)
        for refused in (-1, "dance", None):
            try:
                twin.step(refused)  # type: ignore[arg-type]
            except (IllegalActionError, NotationError):
                continue
            raise AssertionError(f"step({refused!r}) was taken")
    for refuse, error in ((lambda: rules.from_dict({"x": 1}), PositionError), (lambda: rules.new(-1), OptionError)):
        try:
            refuse()
        except error:
            continue
        raise AssertionError("nonsense was taken")
    env = game.env(illegal="random", mask_in="both", history=4)
    env.reset(seed=number)
    for _ in range(STEPS):
        if env.position.is_over:
            break
        env.step(env.sample_action())
        env.last()
    env.set_state(env.get_state())
    env.close()


def process_bytes() -> int:
    """The memory of this process, where the system tells it; 0 elsewhere."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except FileNotFoundError:
        return 0


def settle() -> None:
    """Leave only what lives: the caches of a fixed size, which fill slowly, are emptied, and the open blocks of slots,
    of which each game has one, are given up.
    """
    for game in GAMES:
        game.rules().spec.layout.slots = iter(())
    for part in gc.get_objects():
        if isinstance(part, functools._lru_cache_wrapper) and part.cache_info().maxsize is not None:
            part.cache_clear()
    gc.collect()


def soak(rounds: int) -> tuple[int, int]:
    """So many rounds; gives by how many bytes living objects and the process grew after the warm-up."""
    for number in range(WARM_UP):
        for game in GAMES:
            use(game, number)
    tracemalloc.start()
    try:
        # The first rounds under the tracer trace what replaces older, untraced objects.
        for number in range(2):
            for game in GAMES:
                use(game, number)
        settle()
        before, process = tracemalloc.get_traced_memory()[0], process_bytes()
        for number in range(rounds):
            for game in GAMES:
                use(game, number)
        settle()
        return tracemalloc.get_traced_memory()[0] - before, process_bytes() - process
    finally:
        tracemalloc.stop()


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns 1 if memory grew."""
    parser = argparse.ArgumentParser(prog="python -m tests.views.soak", description="Memory over long use.")
    parser.add_argument("--rounds", type=int, default=200, help="how many (default: %(default)s)")
    options = parser.parse_args(arguments)
    began = time.perf_counter()
    living, process = soak(options.rounds)
    seconds = time.perf_counter() - began
    print(
        f"{options.rounds:,} rounds in {seconds:,.0f} s: living objects grew by {living:,} bytes (at most {GROWTH:,}), "
        f"the process by {process:,} (at most {ROOM:,})"
    )
    return int(living > GROWTH or process > ROOM)


if __name__ == "__main__":
    sys.exit(main())
