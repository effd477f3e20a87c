"""Long random play that checks at every decision what must hold in every position.

A game supplies ``Invariants``: how the game of a number begins and is played, what must hold, and which kinds of
decisions must come up. Here are the loop, the checks that know no rule, the policies, and the command line.
"""

from __future__ import annotations

import argparse
import itertools
import json
import multiprocessing
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from island_core.position import Position

PLAYERS = (3, 4, 5, 6)
PARSED = 8
"""Names are parsed at every such decision: it takes as long as everything else together."""

PlayGame = Callable[[int, int, Iterable[int]], Counter[tuple[int, str]]]
"""Checks one game, by its number, the seed and the numbers of players; gives (players, kind) -> how often."""


class BrokenError(AssertionError):
    """An invariant that does not hold; the message says how to get there."""


@dataclass(frozen=True)
class Invariants:
    """What a game supplies."""

    module: str
    decisions: tuple[str, ...]
    """The names of the kinds of decisions, those that never come up too."""
    expected: Callable[[int], set[str]]
    """The kinds that can come up at this number of players."""
    play_game: PlayGame
    """A function of a module, so that it can be sent to a process. Raises ``BrokenError``."""


# What must hold in every game


def check_stack(record: np.void, position: Position, bottom: int) -> None:
    """Frames up to the limit, the one that is never asked at the bottom, and the top one says who decides what."""
    depth = int(record["depth"])
    if position.is_over:
        assert depth == 0 and position.actor is None and position.decision is None
        return
    assert 1 <= depth <= len(record["frame_decision"])
    assert record["frame_decision"][0] == bottom
    assert position.actor == record["frame_seat"][depth - 1]
    assert position.decision == position.game.spec.decisions[record["frame_decision"][depth - 1]]
    assert (record["frame_decision"][depth:] == 0).all()


def check_actions(position: Position) -> None:
    """Mask, legal list, names and what ``step`` accepts are the same; there is something to do until the end."""
    spec = position.game.spec
    legal = position.legal_actions()
    assert bool(legal) != position.is_over, f"{len(legal)} actions are legal"
    states = position.states
    before = states.tobytes()
    for action in sorted(set(range(-1, spec.actions.size + 1)) - set(legal)):
        assert spec.try_step(position._place, action) == -1, f"{action} was accepted"
    assert states.tobytes() == before, "a refused action changed the position"
    names = [position.action_name(action) for action in legal]
    assert len(set(names)) == len(names), names
    if len(position.history) % PARSED == 0:
        assert [position.parse(name) for name in names] == legal, names
    for action in legal:
        position.clone().step(action)
    assert states.tobytes() == before, "a clone changed the position"


# Playing


def by_block(position: Position, rng: np.random.Generator) -> int:
    """A block of the action table first, then one of its legal actions that is not passive, if there is one."""
    actions = position.game.spec.actions
    legal = np.flatnonzero(position.mask())
    active = np.array([action for action in legal if not actions.is_passive(int(action))], np.int64)
    among = active if len(active) else legal
    blocks = actions.block_of[among]
    return int(rng.choice(among[blocks == rng.choice(np.unique(blocks))]))


def curious(position: Position, rng: np.random.Generator, kinds: Counter[tuple[int, str]]) -> int:
    """``by_block``, and every fourth time what leads to the kind of decision that was rarest in this game."""
    if rng.random() < 0.75:
        return by_block(position, rng)
    players = position.game.num_players
    rarity = []
    for action in position.legal_actions():
        twin = position.clone()
        twin.step(action)
        seen = sys.maxsize if twin.decision is None else kinds[players, twin.decision]
        rarity.append((seen, rng.random(), action))
    return min(rarity)[2]


def play_checked(
    position: Position,
    check: Callable[[Position], None],
    policy: str,
    rng: np.random.Generator,
    most: int,
    call: str,
) -> Counter[tuple[int, str]]:
    """Play ``random`` or ``acting``, at most so many decisions, and check each; gives (players, kind) -> how often.

    Raises ``BrokenError`` with ``call``, which plays the game again, and the moves.
    """
    first = json.dumps(position.to_dict())
    kinds: Counter[tuple[int, str]] = Counter()
    try:
        check(position)
        while position.decision is not None and kinds.total() < most:
            kinds[position.game.num_players, position.decision] += 1
            position.step(position.sample(rng) if policy == "random" else curious(position, rng, kinds))
            check(position)
    except Exception as error:
        moves = list(position.history)
        raise BrokenError(
            f"{type(error).__name__}: {error}; {call}, policy {policy}, after {len(moves)} moves; position: {first}; "
            f"moves: {moves}"
        ) from error
    return kinds


def call_of(number: int, seed: int, players: Iterable[int], options: dict[str, Any]) -> str:
    """The words of a complaint that tell which game it was."""
    return f"play_game({number}, {seed}, {tuple(players)}): Game(**{options})"


def run(
    play_game: PlayGame,
    decisions: int,
    seed: int = 0,
    players: Iterable[int] = PLAYERS,
    workers: int = 1,
    progress: Callable[[int], None] = lambda count: None,
) -> Counter[tuple[int, str]]:
    """Check whole games until so many decisions are reached; gives (players, kind) -> how often."""
    jobs = ((play_game, number, seed, tuple(players)) for number in itertools.count())
    total: Counter[tuple[int, str]] = Counter()
    if workers == 1:
        return _collect(map(_job, jobs), total, decisions, progress)
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        # A batch at a time: the jobs never end, and a pool's imap would read all of them.
        while total.total() < decisions:
            batch = list(itertools.islice(jobs, 8 * workers))
            _collect(pool.imap_unordered(_job, batch), total, sys.maxsize, progress)
    return total


def _job(job: tuple[PlayGame, int, int, tuple[int, ...]]) -> Counter[tuple[int, str]]:
    play_game, *arguments = job
    return play_game(*arguments)


def _collect(
    results: Iterable[Counter[tuple[int, str]]],
    total: Counter[tuple[int, str]],
    decisions: int,
    progress: Callable[[int], None],
) -> Counter[tuple[int, str]]:
    for kinds in results:
        total.update(kinds)
        progress(kinds.total())
        if total.total() >= decisions:
            break
    return total


def missing_kinds(
    counts: Counter[tuple[int, str]], players: Iterable[int], expected: Callable[[int], set[str]]
) -> list[str]:
    """The kinds of decisions that should have come up and did not."""
    return [f"{p} players: {kind}" for p in players for kind in sorted(expected(p)) if not counts[p, kind]]


def main(invariants: Invariants, arguments: list[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog=f"python -m {invariants.module}",
        description="Check at every decision of long random play what must hold.",
    )
    parser.add_argument("--decisions", type=int, default=1_000_000, help="how many, over all shards")
    parser.add_argument("--players", type=int, nargs="+", default=list(PLAYERS), choices=PLAYERS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args(arguments)
    start = time.perf_counter()
    columns = (TextColumn("decisions checked"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns) as bar:
        task = bar.add_task("", total=options.decisions)
        counts = run(
            invariants.play_game,
            options.decisions,
            options.seed,
            options.players,
            options.workers,
            lambda count: bar.advance(task, count),
        )
    seconds = time.perf_counter() - start
    print(f"{counts.total():,} decisions, all invariants hold, {seconds:.0f} s")
    for kind in [kind for kind in invariants.decisions if any(kind in invariants.expected(p) for p in options.players)]:
        print(f"{kind:16}" + "".join(f"{counts[players, kind]:12,}" for players in options.players))
    missing = missing_kinds(counts, options.players, invariants.expected)
    if missing:
        print("never came up: " + ", ".join(missing))
    return 1 if missing else 0
