"""Compares a game's core with its independent oracle, decision by decision; sharded over processes and resumable.

A game supplies a ``Comparison``: how to start one game of both, how to step the oracle with the chance that happened in
the core, and what to compare. Here are the loop, the choice of actions, the bookkeeping and the command line.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from island_core.position import Position

POLICIES = ("random", "acting", "rare")


@dataclass
class DisagreementError(Exception):
    """Core and oracle differ: what differs, and the game to reproduce it with."""

    what: str
    core: Any
    oracle: Any
    reproduce: dict[str, Any]

    def __str__(self) -> str:
        """Everything needed to look into it."""
        return (
            f"{self.what}\n  core:   {self.core}\n  oracle: {self.oracle}\n"
            f"  reproduce: {json.dumps({k: v for k, v in self.reproduce.items() if k != 'moves'})}\n"
            f"  last moves: {self.reproduce['moves'][-12:]}"
        )


@dataclass
class Tally:
    """What was compared: decisions in all, by (players, decision kind), by block of action, starts and policies."""

    decisions: int = 0
    games: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    actions: Counter[str] = field(default_factory=Counter)
    settings: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        """Take another tally's counts in."""
        self.decisions += other.decisions
        self.games += other.games
        self.kinds.update(other.kinds)
        self.actions.update(other.actions)
        self.settings.update(other.settings)

    def to_json(self) -> dict[str, Any]:
        """For the file of finished shards."""
        return {
            "decisions": self.decisions,
            "games": self.games,
            "kinds": dict(self.kinds),
            "actions": dict(self.actions),
            "settings": dict(self.settings),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Tally:
        """The inverse of ``to_json``."""
        return cls(
            data["decisions"],
            data["games"],
            Counter(data["kinds"]),
            Counter(data["actions"]),
            Counter(data["settings"]),
        )


class Comparison(ABC):
    """What a game supplies."""

    name: str
    """Its words for files."""

    @abstractmethod
    def start(self, seed: int) -> tuple[Position, Any, dict[str, Any]]:
        """A position, the oracle of the same position, and the settings that reproduce them, for a game number."""

    @abstractmethod
    def step(self, position: Position, oracle: Any, action: int, name: str) -> tuple[Any, Any]:
        """Play an action in both, with the core's chance for the oracle; the events of the step on both sides."""

    @abstractmethod
    def facts(self, position: Position, oracle: Any, names: list[str], thorough: bool) -> list[tuple[str, Any, Any]]:
        """What must be equal at a decision: (what, core's, oracle's); ``names`` are the core's legal ones.

        ``thorough``: everything, for every seat.
        """

    @abstractmethod
    def action_group(self, name: str) -> str:
        """The group of actions that coverage counts: the verb, and the task where there is one."""

    def required_kinds(self) -> set[str]:
        """The keys of ``Tally.kinds`` that must be reached."""
        return set()


def play_both(comparison: Comparison, position: Position, oracle: Any, names: Iterable[str]) -> Position:
    """Play by names on core and oracle, which must agree on everything after each step; the position reached."""
    for name in names:
        core, other = comparison.step(position, oracle, position.parse(name), name)
        assert core == other
        facts = comparison.facts(position, oracle, position.legal_names(), thorough=True)
        assert [(what, mine, theirs) for what, mine, theirs in facts if mine != theirs] == []
    return position


def compare_game(comparison: Comparison, seed: int, limit: int, tally: Tally, thorough_every: int = 23) -> None:
    """Play one game on both sides, at most ``limit`` decisions. Raises ``DisagreementError``."""
    chooser = random.Random(f"{comparison.name} {seed}")
    policy = POLICIES[seed % len(POLICIES)]
    position, oracle, settings = comparison.start(seed)
    moves: list[str] = []
    reproduce = {"seed": seed, "policy": policy, **settings, "moves": moves}
    players = position.game.num_players
    tally.games += 1
    tally.settings[policy] += 1
    for key, value in settings.items():
        tally.settings[f"{key}={value}"] += 1
    for count in range(limit):
        legal = position.legal_actions()
        names = [position.action_name(action) for action in legal]
        thorough = count % thorough_every == 0 or position.is_over
        for what, core, other in comparison.facts(position, oracle, names, thorough):
            if core != other:
                raise DisagreementError(f"decision {count}: {what}", core, other, reproduce)
        if position.is_over:
            return
        tally.decisions += 1
        tally.kinds[f"{players} {position.decision}"] += 1
        name = choose(chooser, policy, position, legal, names, comparison, tally)
        moves.append(name)
        tally.actions[comparison.action_group(name)] += 1
        try:
            core, other = comparison.step(position, oracle, legal[names.index(name)], name)
        except Exception as error:
            raise DisagreementError(
                f"decision {count}: {name!r}: {type(error).__name__}: {error}", "", "", reproduce
            ) from error
        if core != other:
            raise DisagreementError(f"events of {name!r} at decision {count}", core, other, reproduce)


def choose(
    chooser: random.Random,
    policy: str,
    position: Position,
    legal: list[int],
    names: list[str],
    comparison: Comparison,
    tally: Tally,
) -> str:
    """A legal name: uniform, acting whenever possible, or mostly the group of actions seen least so far."""
    if policy == "random":
        return chooser.choice(names)
    is_passive = position.game.spec.actions.is_passive
    lively = [n for n, a in zip(names, legal, strict=True) if not is_passive(a)] or names
    if policy == "acting" or chooser.random() < 0.4:
        return chooser.choice(lively)
    fewest = min(tally.actions[comparison.action_group(name)] for name in names)
    return chooser.choice([name for name in names if tally.actions[comparison.action_group(name)] == fewest])


def _shard(arguments: tuple[Comparison, int, int, int]) -> tuple[int, dict[str, Any], str]:
    comparison, shard, first_seed, decisions = arguments
    tally = Tally()
    seed = first_seed
    while tally.decisions < decisions:
        try:
            compare_game(comparison, seed, 4000, tally)
        except DisagreementError as found:
            return shard, tally.to_json(), str(found)
        seed += 1
    return shard, tally.to_json(), ""


def main(comparison: Comparison, arguments: list[str] | None = None) -> int:
    """The command line: compare ``--decisions N``, on all cores, going on where ``--resume FILE`` stands."""
    parser = argparse.ArgumentParser(description=f"Compare the core of {comparison.name} with its oracle.")
    parser.add_argument("--decisions", type=int, default=100_000, help="decisions to compare (default: %(default)s)")
    parser.add_argument("--first-seed", type=int, default=0, help="number of the first game (default: %(default)s)")
    parser.add_argument("--resume", type=Path, help="JSON lines of finished shards; those in it are not run again")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes (default: %(default)s)")
    options = parser.parse_args(arguments)
    shard_size = 20_000
    total = Tally()
    done: set[int] = set()
    if options.resume and options.resume.exists():
        for line in options.resume.read_text().splitlines():
            row = json.loads(line)
            done.add(row["shard"])
            total.add(Tally.from_json(row["tally"]))
    shards = [n for n in range(-(-options.decisions // shard_size)) if n not in done]
    jobs = [(comparison, n, options.first_seed + n * 1_000_000, min(shard_size, options.decisions)) for n in shards]
    began = time.perf_counter()
    failures = []
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[found]}"), TimeRemainingColumn())
    context = multiprocessing.get_context("spawn")
    with Progress(*columns) as progress, context.Pool(options.workers) as pool:
        task = progress.add_task("comparing", total=len(jobs), found="no disagreement")
        for shard, data, failure in pool.imap_unordered(_shard, jobs):
            total.add(Tally.from_json(data))
            if failure:
                failures.append(failure)
                progress.update(task, found=f"{len(failures)} disagreements")
                progress.console.print(failure, markup=False)
            elif options.resume:
                with options.resume.open("a") as stream:
                    stream.write(json.dumps({"shard": shard, "tally": data}) + "\n")
            progress.advance(task)
    seconds = time.perf_counter() - began
    print(
        f"{total.decisions:,} decisions in {total.games:,} games compared in {seconds:,.0f} s, "
        f"{len(failures)} disagreements"
    )
    for title, counter in (("decisions", total.kinds), ("actions", total.actions), ("settings", total.settings)):
        print(f"{title}: " + ", ".join(f"{key} {count:,}" for key, count in sorted(counter.items())))
    missing = sorted(comparison.required_kinds() - set(total.kinds))
    if missing:
        print("never reached: " + ", ".join(missing))
    return 1 if failures or missing else 0
