"""What is measured for ``benchmarks.peers``: other libraries' games and our views, each run in a process of its own.

``python -m benchmarks.peer_adapters NAME`` measures one of them and prints a line of JSON. An adapter imports its
library when it is called, and gives a function that plays on for a while, at random, and returns how many decisions it
made: those with at least two legal actions, in every library. The cheapest way to pick an action is taken everywhere.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import importlib.util
import json
import os
import pkgutil
import random
import re
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from island_core.benchmark import PYTHON_REF, REF, Row, Unit, numba_reference, python_reference, timed

Play = Callable[[], int]

OURS = "island-envs"


@dataclass(frozen=True)
class Library:
    """A package to be compared with: its name, the module it is imported by, the name pip knows."""

    title: str
    module: str
    distribution: str

    @property
    def installed(self) -> bool:
        """Whether it can be found; it is not imported."""
        return importlib.util.find_spec(self.module) is not None


ISLAND_ENVS = Library(OURS, "island_core", "island-envs")
OPEN_SPIEL = Library("OpenSpiel", "pyspiel", "open_spiel")
PETTINGZOO = Library("PettingZoo", "pettingzoo", "pettingzoo")
RLCARD = Library("RLCard", "rlcard", "rlcard")
PGX = Library("Pgx", "pgx", "pgx")
CATANATRON = Library("Catanatron", "catanatron", "catanatron")
# What environments of PettingZoo need.
PYGAME = Library("pygame", "pygame", "pygame-ce")
CHESS = Library("chess", "chess", "chess")
SHIMMY = Library("Shimmy", "shimmy", "shimmy")


@dataclass(frozen=True)
class Kind:
    """A way of playing; only measurements of the same kind are compared."""

    name: str
    title: str
    unit: Unit
    ours: str
    """The row of ``benchmarks.core`` that is ours."""


KINDS = (
    Kind("compiled", "rules in a compiled loop, nothing observed", REF, "core_play"),
    Kind("compiled-observed", "rules, observation and mask in a compiled loop", REF, "core_observed"),
    Kind("rules", "one game from Python, legal actions", PYTHON_REF, "position"),
    Kind("observed", "one game from Python, legal actions and observation", PYTHON_REF, "raw_aec"),
    Kind("checked", "PettingZoo env(), last() and step()", PYTHON_REF, "checked_aec"),
    Kind("batch", "many games as arrays, observation and mask", REF, "batch"),
)
KIND = {kind.name: kind for kind in KINDS}


@dataclass(frozen=True)
class Effort:
    """CPU seconds of a repetition, and how many repetitions."""

    seconds: float
    repetitions: int


FULL = Effort(1.0, 5)
QUICK = Effort(0.2, 3)


@dataclass(frozen=True)
class Subject:
    """One measurement: a game of a library played in some way.

    ``measure`` gives the row and a note, such as the size of the batch.
    """

    library: Library
    game: str
    kind: Kind
    measure: Callable[[Kind, Effort], tuple[Row, str]]
    needs: tuple[Library, ...] = ()

    @property
    def name(self) -> str:
        """What the command line calls it."""
        return f"{self.library.title}/{self.kind.name}/{self.game}"

    @property
    def missing(self) -> list[Library]:
        """What would have to be installed."""
        return [library for library in (self.library, *self.needs) if not library.installed]


def played(prepare: Callable[[], Play], kind: Kind, effort: Effort) -> tuple[Row, str]:
    """The row of what an adapter prepares."""
    return Row(kind.title, kind.unit, timed_play(prepare(), kind, effort)), ""


def timed_play(play: Play, kind: Kind, effort: Effort) -> list[float]:
    """Reference iterations a decision. Raises ``RuntimeError`` if no decision is ever made."""

    def work() -> int:
        decisions = 0
        end = time.process_time() + effort.seconds
        while time.process_time() < end:
            decisions += play()
        if not decisions:
            raise RuntimeError(f"no decision in {effort.seconds:g} s of play")
        return decisions

    return timed(work, effort.repetitions, numba_reference if kind.unit is REF else python_reference)


# ------------------------------------------------------------------------------------------------------------ our views


def our_view(game: str, kind: Kind, effort: Effort) -> tuple[Row, str]:
    """A row of ``benchmarks.core``."""
    from benchmarks import core

    core.compile_ahead(core.GAMES[game])
    games = core.FULL.games if effort.seconds >= FULL.seconds else core.QUICK.games
    measure: Callable[[core.Game, core.Effort], Row] = getattr(core, kind.ours)
    row = measure(core.GAMES[game], core.Effort(effort.repetitions, games, 0))
    return row, row.name


# ------------------------------------------------------------------------------------------------------------ OpenSpiel


def open_spiel(name: str, observed: bool = False) -> Play:
    """A game of OpenSpiel from Python, its legal actions listed, with the tensor of the deciding player if wanted."""
    pyspiel = importlib.import_module("pyspiel")
    game = pyspiel.load_game(name)
    tensor = "information_state" if game.get_type().provides_information_state_tensor else "observation"
    pick = random.Random(0).random

    def play() -> int:
        state = game.new_initial_state()
        look = getattr(state, f"{tensor}_tensor")
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                left = pick()
                for outcome, share in state.chance_outcomes():
                    chosen = outcome
                    left -= share
                    if left < 0:
                        break
                state.apply_action(chosen)
                continue
            legal = state.legal_actions()
            decisions += len(legal) > 1
            if observed:
                look()
            state.apply_action(legal[int(pick() * len(legal))])
        return decisions

    return play


def open_spiel_compiled(name: str) -> Play:
    """The same in OpenSpiel's own loop in C++, with its uniformly random players.

    It does not count decisions: their mean is taken from games played from Python.
    """
    pyspiel = importlib.import_module("pyspiel")
    game = pyspiel.load_game(name)
    from_python = open_spiel(name)
    mean = sum(from_python() for _ in range(400)) / 400
    players = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]
    seeds = random.Random(0)
    games = max(1, int(1000 / mean))

    def play() -> int:
        for _ in range(games):
            pyspiel.evaluate_bots(game.new_initial_state(), players, seeds.getrandbits(31))
        return round(games * mean)

    return play


# ----------------------------------------------------------------------------------------------------------- PettingZoo


def pettingzoo_classic(name: str) -> Play:
    """``env()`` of the newest version of an environment of PettingZoo."""
    classic = importlib.import_module("pettingzoo.classic")
    versions = [
        int(found[1])
        for module in pkgutil.iter_modules(classic.__path__)
        if (found := re.fullmatch(rf"{name}_v(\d+)", module.name))
    ]
    env = importlib.import_module(f"pettingzoo.classic.{name}_v{max(versions)}").env()
    pick = random.Random(0)

    def play() -> int:
        decisions = 0
        env.reset(seed=pick.getrandbits(31))
        for _ in env.agent_iter():
            observation, _, termination, truncation, info = env.last()
            if termination or truncation:
                env.step(None)
                continue
            mask = observation["action_mask"] if "action_mask" in observation else info["action_mask"]
            legal = np.flatnonzero(mask)
            decisions += len(legal) > 1
            env.step(int(legal[int(pick.random() * len(legal))]))
        return decisions

    return play


# --------------------------------------------------------------------------------------------------------------- RLCard


def rlcard(name: str, players: int = 0) -> Play:
    """A game of RLCard; its state holds observation and legal actions."""
    config = {"seed": 0, **({"game_num_players": players} if players else {})}
    env = importlib.import_module("rlcard").make(name, config=config)
    pick = random.Random(0).random

    def play() -> int:
        decisions = 0
        state, _ = env.reset()
        while not env.is_over():
            legal = list(state["legal_actions"])
            decisions += len(legal) > 1
            state, _ = env.step(legal[int(pick() * len(legal))])
        return decisions

    return play


# ------------------------------------------------------------------------------------------------------------------ Pgx

PGX_BATCHES = (64, 1024, 4096, 16384)


def pgx(name: str, games: int) -> Play:
    """A batch of Pgx on the CPU: one compiled call picks actions, steps and begins anew what is over."""
    jax = importlib.import_module("jax")
    jnp = jax.numpy
    environment = importlib.import_module("pgx").make(name)
    step = jax.vmap(importlib.import_module("pgx.experimental.wrappers").auto_reset(environment.step, environment.init))

    def advance(state: Any, key: Any) -> Any:
        key, for_pick, for_step = jax.random.split(key, 3)
        mask = state.legal_action_mask
        count = mask.sum(axis=1)
        # The k-th legal action: one random number a game in place of one for each action.
        k = (jax.random.uniform(for_pick, (games,)) * count).astype(jnp.int32)
        action = jnp.argmax(jnp.cumsum(mask, axis=1) > k[:, None], axis=1)
        return step(state, action, jax.random.split(for_step, games)), key, (count > 1).sum()

    compiled = jax.jit(advance, donate_argnums=0)
    state = jax.jit(jax.vmap(environment.init))(jax.random.split(jax.random.PRNGKey(0), games))
    key = jax.random.PRNGKey(1)

    def play() -> int:
        nonlocal state, key
        state, key, decisions = compiled(state, key)
        jax.block_until_ready(state)
        return int(decisions)

    return play


def pgx_batch(name: str, kind: Kind, effort: Effort) -> tuple[Row, str]:
    """The best of a few sizes of the batch, tried briefly, then measured."""
    plays = {games: pgx(name, games) for games in PGX_BATCHES}
    brief = {games: timed_play(play, kind, Effort(0.2, 1))[0] for games, play in plays.items()}
    best = min(brief, key=brief.__getitem__)
    return Row(kind.title, kind.unit, timed_play(plays[best], kind, effort)), f"best batch: {best}"


# ----------------------------------------------------------------------------------------------------------- Catanatron


def catanatron() -> Play:
    """Games of four random players."""
    module = importlib.import_module("catanatron")
    decisions = 0

    class Counting(module.RandomPlayer):  # type: ignore[misc, name-defined]
        """Counts what it is asked."""

        def decide(self, game: Any, playable_actions: Any) -> Any:
            nonlocal decisions
            decisions += len(playable_actions) > 1
            return super().decide(game, playable_actions)

    players = [Counting(colour) for colour in module.Color][:4]
    random.seed(0)

    def play() -> int:
        before = decisions
        module.Game(players).play()
        return decisions - before

    return play


# ---------------------------------------------------------------------------------------------------------- all of them


def subjects() -> list[Subject]:
    """All measurements, ours first."""
    found = [
        Subject(ISLAND_ENVS, game, kind, partial(our_view, game))
        for kind in KINDS
        for game in ("dracheninsel", "isla_dorada")
    ]
    # Without its solver for the play of the cards, which takes a third of a second a deal.
    bridge = "bridge(use_double_dummy_result=false)"
    for game in ("leduc_poker(players=4)", "hearts", bridge, "gin_rummy", "oh_hell(players=4)"):
        ways: dict[str, Callable[[], Play]] = {
            "compiled": partial(open_spiel_compiled, game),
            "rules": partial(open_spiel, game),
            "observed": partial(open_spiel, game, True),
        }
        for kind, prepare in ways.items():
            found.append(Subject(OPEN_SPIEL, game, KIND[kind], partial(played, prepare)))
    found.append(Subject(CATANATRON, "4 players", KIND["rules"], partial(played, catanatron)))
    for game, players in (("leduc-holdem", 2), ("limit-holdem", 4), ("uno", 2), ("gin-rummy", 0), ("mahjong", 0)):
        name = f"{game}, {players} players" if players else game
        found.append(Subject(RLCARD, name, KIND["observed"], partial(played, partial(rlcard, game, players))))
    classic: dict[str, tuple[Library, ...]] = {
        "connect_four": (PYGAME,),
        "texas_holdem": (PYGAME, RLCARD),
        "texas_holdem_no_limit": (PYGAME, RLCARD),
        "hanabi": (PYGAME, SHIMMY, OPEN_SPIEL),
        "chess": (PYGAME, CHESS),
    }
    for game, needs in classic.items():
        prepare = partial(pettingzoo_classic, game)
        found.append(Subject(PETTINGZOO, game, KIND["checked"], partial(played, prepare), needs))
    for game in ("leduc_holdem", "connect_four", "hex", "othello", "sparrow_mahjong", "backgammon"):
        found.append(Subject(PGX, game, KIND["batch"], partial(pgx_batch, game)))
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Measure one subject on one core and print it."""
    known = {subject.name: subject for subject in subjects()}
    parser = argparse.ArgumentParser(prog="benchmarks.peer_adapters", description=__doc__)
    parser.add_argument("name", choices=tuple(known), metavar="NAME")
    parser.add_argument("--quick", action="store_true", help="shorter and fewer repetitions")
    given = parser.parse_args(argv)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    subject = known[given.name]
    row, note = subject.measure(subject.kind, QUICK if given.quick else FULL)
    version = importlib.metadata.version(subject.library.distribution)
    print(json.dumps({"values": list(row.values), "version": version, "note": note}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
