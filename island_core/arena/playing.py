"""Playing games of a tournament in one process, the same wherever that process runs.

Games whose seats are all played inside the kernels need one call for many. Otherwise each game is a `Position`; what
``act_batch`` is asked is collected over the games of a unit, which then go on side by side.

Every player draws from a generator of its own that depends on the seed, the deal and its place in the line-up, the same
one in all rotations. ``act_batch`` has one a unit. So a game depends on the tournament and its number alone.
"""

from __future__ import annotations

import functools
import heapq
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from island_core import arena_loops, jit, rng
from island_core.arena.line_ups import Design, Seating
from island_core.arena.records import ROW, Finished, Spoiled
from island_core.arena_loops import PLAYER_STREAM
from island_core.batch import rules_of
from island_core.bitset import count
from island_core.errors import IllegalActionError
from island_core.opponents import COUNT_SHIFT, NO_POLICY
from island_core.policies import Resolved, resolve
from island_core.position import Game, lens_of, rank_rows
from island_core.spec import GameSpec

IN_KERNELS, ALONE, SIDE_BY_SIDE = "in kernels", "alone", "side by side"
"""How the games of a line-up are played: all seats inside the kernels, each game by itself, or several together because
a policy has ``act_batch``."""

CALL_GAMES = 256
"""Games that one call into the kernels plays at most: a fraction of a second."""

TAKEN = 256
"""Moves that one call into the kernels may play in a game with other policies, too."""

BATCH_STREAM = PLAYER_STREAM - 1
"""What ``act_batch`` draws with; see `arena_loops.PLAYER_STREAM`."""


@functools.cache
def kernels_of(spec: GameSpec) -> tuple[Any, Any]:
    """``play_seats`` and ``play_deals`` of a game; they compile on first use."""
    seats = jit.bind(arena_loops.play_seats, spec.package, "play_seats", PASSIVE=spec.actions.passive)
    return seats, jit.bind(arena_loops.play_deals, spec.package, "play_deals", play_seats_of=seats)


def addresses_of(spec: GameSpec, policies: Iterable[Resolved] = ()) -> tuple[Any, ...]:
    """Where the kernels lie in this process that ``play_deals`` calls by address, in its order, for these policies."""
    return (*rules_of(spec), spec.advise_for(max((policy.kernel for policy in policies), default=NO_POLICY)))


def named(policy: Any, argument: str, game: Game) -> Resolved:
    """A policy that can be asked, under the name it has in tables: a name as it was given, options included, so that
    two budgets of one search are two policies. Raises ``OptionError`` naming ``argument`` for what is none, and for one
    that was made for another game.
    """
    resolved = resolve(policy, argument, game)
    return replace(resolved, name=policy) if isinstance(policy, str) else resolved


def warm_up(spec: GameSpec) -> None:
    """Compile, or load, what games of a tournament need inside the kernels."""
    seats, deals = kernels_of(spec)
    states, addresses = spec.layout.alloc(1), addresses_of(spec)
    none, words = np.zeros((0, 2, 6), np.int64), np.zeros((6, 4), np.uint64)
    seat_numbers, deal_numbers = np.full(6, NO_POLICY, np.int64), np.zeros(0, np.int64)
    seats(states, 0, addresses[0], addresses[3], seat_numbers, words, deal_numbers, seat_numbers, seat_numbers)
    deals(states, addresses, 0, deal_numbers, none[:, 0], none[:, 0], none, none, deal_numbers)


@dataclass(frozen=True)
class Setup:
    """Everything a process has to know to play any game of a tournament; it can be pickled if its policies can.

    Attributes
    ----------
    game:
        the rules with their options.
    policies:
        as they were given.
    design:
        who sits where in which game.
    seed:
        of deals and policies.
    obs_dtype, history:
        what policies that are asked by observation see.
    """

    game: Game
    policies: tuple[Any, ...]
    design: Design
    seed: int
    obs_dtype: str = "float32"
    history: int = 0

    def resolved(self) -> list[Resolved]:
        """The policies, ready to be asked."""
        return [named(policy, "policies", self.game) for policy in self.policies]

    def warm_up(self) -> None:
        """Compile, or load, what the games need: policies known by name are asked for a decision, too."""
        warm_up(self.game.spec)
        policies = self.resolved()
        addresses_of(self.game.spec, policies)
        for policy, resolved in zip(self.policies, policies, strict=True):
            if not isinstance(policy, str) or resolved.kernel != NO_POLICY:
                continue
            position, drawn = self.game.new(0), np.random.default_rng(0)
            if resolved.act is not None:
                resolved.choose_by_position(position, drawn)
            else:
                seen = lens_of(self.game.spec, self.obs_dtype, self.history).look(position.states, 0, 0)
                resolved.choose_by_sight(seen[None], position.mask()[None], drawn)

    def kinds(self) -> list[str]:
        """How the games of each line-up are played."""
        resolved = self.resolved()
        found = []
        for line_up in self.design.line_ups:
            policies = [resolved[number] for number in line_up]
            if all(policy.kernel != NO_POLICY for policy in policies):
                found.append(IN_KERNELS)
            else:
                # Next to a policy that takes its time, one that does not draw is asked game by game: games are kept as
                # soon as they are over.
                slow = any(policy.act for policy in policies)
                together = any(policy.act_batch and (policy.draws or not slow) for policy in policies)
                found.append(SIDE_BY_SIDE if together else ALONE)
        return found


@dataclass(frozen=True)
class Unit:
    """Games that one process plays in one go.

    Attributes
    ----------
    kind:
        how they are played.
    games:
        their numbers.
    wanted:
        those of them whose results are not known yet. Games side by side share a generator, so all of them are played
        again if one of them is missing.
    """

    kind: str
    games: tuple[int, ...]
    wanted: tuple[int, ...]

    def without(self, finished: set[int]) -> Unit | None:
        """What is left of it when some games are finished; None if nothing is."""
        left = tuple(game for game in self.wanted if game not in finished)
        if not left:
            return None
        return replace(self, games=self.games if self.kind == SIDE_BY_SIDE else left, wanted=left)


def units_of(
    design: Design, kinds: list[str], done: NDArray[np.bool_], side_by_side: int, workers: int
) -> Iterator[Unit]:
    """The units of all games that are not done, by and large in the order of the games.

    ``side_by_side`` is the number of games that one batch of policies is asked for; what is in a unit of this kind does
    not depend on what is done.
    """
    of_line_up = np.array([(IN_KERNELS, ALONE, SIDE_BY_SIDE).index(kind) for kind in kinds])
    of_game = np.tile(np.repeat(of_line_up, design.players), design.deals)
    in_kernels, alone = np.flatnonzero((of_game == 0) & ~done), np.flatnonzero((of_game == 1) & ~done)
    together = np.flatnonzero(of_game == 2)
    size = max(1, min(CALL_GAMES, len(in_kernels) // (4 * workers)))

    def pieces(kind: str, games: NDArray[np.int64], size: int) -> Iterator[Unit]:
        for first in range(0, len(games), size):
            part = games[first : first + size]
            wanted = part[~done[part]]
            if len(wanted):
                yield Unit(kind, tuple(part.tolist()), tuple(wanted.tolist()))

    yield from heapq.merge(
        pieces(IN_KERNELS, in_kernels, size),
        pieces(ALONE, alone, 1),
        pieces(SIDE_BY_SIDE, together, side_by_side),
        key=lambda unit: unit.games[0],
    )


class _Table:
    """One game in progress: its position, who sits where, and what is counted."""

    def __init__(self, setup: Setup, resolved: list[Resolved], game: int) -> None:
        design = setup.design
        self.game = game
        self.seating: Seating = design.seating(game)
        self.numbers = design.policies_of(self.seating)
        self.position = setup.game.new(setup.seed, self.seating.deal)
        self.ids = np.full(6, NO_POLICY, np.int64)
        self.words = np.zeros((6, 4), np.uint64)
        self.generators: list[np.random.Generator | None] = [None] * 6
        for seat, (player, number) in enumerate(zip(self.seating.players, self.numbers, strict=True)):
            self.ids[seat] = resolved[number].kernel
            stream = PLAYER_STREAM + player
            if resolved[number].kernel != NO_POLICY:
                rng.seed_words(self.words[seat], setup.seed, self.seating.deal, stream)
            elif resolved[number].act_batch is None:
                self.generators[seat] = np.random.default_rng((setup.seed, self.seating.deal, stream))
        self.asked = np.zeros(6, np.int64)
        self.decisions = np.zeros(6, np.int64)
        self.seconds = np.zeros(6)
        self.spoiled: Spoiled | None = None

    @property
    def is_over(self) -> bool:
        return self.spoiled is not None or self.position.is_over

    def spoil(self, seed: int, seat: int, name: str, error: Exception) -> None:
        """The game ends here; nobody has won."""
        said = f"{type(error).__name__}: {error}"
        moves = self.position.history
        self.spoiled = Spoiled(self.game, seat, name, said, seed, self.seating.deal, moves)

    def finished(self) -> Finished:
        """What is kept of it."""
        row = np.zeros(1, ROW)
        if self.spoiled is not None:
            return Finished([self.game], row, [self.spoiled])
        scores, keys = self.position._standing()
        row["outcome"] = self.position._status >> 16
        row["scores"][0, : len(scores)] = scores
        row["ranks"][0, : len(keys)] = rank_rows(keys)
        row["asked"], row["decisions"], row["seconds"] = self.asked, self.decisions, self.seconds
        return Finished([self.game], row)


class Playing:
    """Plays the units of one tournament."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._spec = setup.game.spec
        self._resolved = setup.resolved()
        self._lens = lens_of(self._spec, setup.obs_dtype, setup.history)
        self._play_seats, self._play_deals = kernels_of(self._spec)
        self._addresses = addresses_of(self._spec, self._resolved)
        self._taken = np.empty(TAKEN, np.int64)
        self._room = np.empty(self._lens.size, np.int8)

    def play(self, unit: Unit) -> Iterator[Finished]:
        """Play a unit; gives each game, or those of one call into the kernels, as soon as it is over."""
        if unit.kind == IN_KERNELS:
            yield self._in_kernels(unit)
            return
        for finished in self._side_by_side(unit):
            if finished.games[0] in unit.wanted:
                yield finished

    # Inside the kernels

    def _in_kernels(self, unit: Unit) -> Finished:
        setup, design, number = self._setup, self._setup.design, len(unit.games)
        deals = np.empty(number, np.int64)
        policies = np.full((number, 6), NO_POLICY, np.int64)
        players = np.zeros((number, 6), np.int64)
        for k, game in enumerate(unit.games):
            seating = design.seating(game)
            deals[k] = seating.deal
            players[k, : design.players] = seating.players
            policies[k, : design.players] = [self._resolved[p].kernel for p in design.policies_of(seating)]
        standings, counts = np.zeros((2, number, 2, 6), np.int64)
        outcomes = np.zeros(number, np.int64)
        states = self._spec.layout.alloc(1)
        self._spec.configure(states, 0, setup.game.options)
        start = time.perf_counter()
        self._play_deals(states, self._addresses, setup.seed, deals, policies, players, standings, counts, outcomes)
        seconds = time.perf_counter() - start
        rows = np.zeros(number, ROW)
        rows["outcome"] = outcomes
        rows["scores"][:, : design.players] = standings[:, 0, : design.players]
        rows["ranks"][:, : design.players] = rank_rows(standings[:, 1, : design.players])
        rows["asked"], rows["decisions"] = counts[:, 0], counts[:, 1]
        # Time is not taken for every decision; they share that of the call, rules included.
        rows["seconds"] = counts[:, 0] * (seconds / max(1, counts[:, 0].sum()))
        return Finished(list(unit.games), rows)

    # With policies outside the kernels

    def _side_by_side(self, unit: Unit) -> Iterator[Finished]:
        generator = np.random.default_rng((self._setup.seed, unit.games[0], BATCH_STREAM))
        tables = [_Table(self._setup, self._resolved, game) for game in unit.games]
        while tables:
            for table in tables:
                # One that a batch has spoiled or ended meanwhile is over as well.
                self._advance(table)
                if table.is_over:
                    yield table.finished()
            tables = [table for table in tables if not table.is_over]
            waiting: dict[int, list[_Table]] = {}
            for table in tables:
                waiting.setdefault(table.numbers[_actor(table)], []).append(table)
            for number in sorted(waiting):
                self._ask_batch(waiting[number], self._resolved[number], generator)

    def _advance(self, table: _Table) -> None:
        """Play on until the game is over or a policy has to decide that is asked for several games at once."""
        while not table.is_over:
            seat = _actor(table)
            policy = self._resolved[table.numbers[seat]]
            if policy.kernel != NO_POLICY:
                self._run_kernels(table)
            elif policy.act_batch is not None:
                return
            else:
                self._ask(table, seat, policy)

    def _run_kernels(self, table: _Table) -> None:
        position, before = table.position, table.asked.copy()
        start = time.perf_counter()
        played = int(
            self._play_seats(
                position._states,
                0,
                self._addresses[0],
                self._addresses[3],
                table.ids,
                table.words,
                self._taken,
                table.asked,
                table.decisions,
            )
        )
        seconds = time.perf_counter() - start
        number = played >> COUNT_SHIFT
        position._actions.extend(self._taken[:number].tolist())
        position._status = played & ((1 << COUNT_SHIFT) - 1)
        table.seconds += (table.asked - before) * (seconds / number)

    def _look(self, table: _Table) -> tuple[NDArray[Any], NDArray[np.int8]]:
        position = table.position
        return self._lens.show(position._place, _actor(table), self._room)

    def _ask(self, table: _Table, seat: int, policy: Resolved) -> None:
        """Let a policy make one move."""
        generator = table.generators[seat]
        assert generator is not None
        start = time.perf_counter()
        try:
            number = policy.choose(table.position, lambda: self._look(table), generator)
        # Whatever goes wrong in a policy is told in the report and ends this game alone.
        except Exception as error:
            table.spoil(self._setup.seed, seat, policy.name, error)
            return
        self._answer(table, seat, policy, number, time.perf_counter() - start)

    def _ask_batch(self, tables: list[_Table], policy: Resolved, generator: np.random.Generator) -> None:
        """Let a policy make one move in each of several games."""
        looks = [self._look(table) for table in tables]
        observations, masks = np.stack([look[0] for look in looks]), np.stack([look[1] for look in looks])
        start = time.perf_counter()
        try:
            numbers = policy.choose_by_sight(observations, masks, generator)
        except Exception as error:
            if len(tables) == 1:
                table = tables[0]
                table.spoil(self._setup.seed, _actor(table), policy.name, error)
                return
            # It is not known which of the games is to blame: each is asked by itself.
            for table in tables:
                self._ask_batch([table], policy, generator)
            return
        seconds = (time.perf_counter() - start) / len(tables)
        for table, number in zip(tables, numbers, strict=True):
            self._answer(table, _actor(table), policy, number, seconds)

    def _answer(self, table: _Table, seat: int, policy: Resolved, number: int, seconds: float) -> None:
        """Play what a policy chose, if it is legal."""
        position = table.position
        choices = int(count(position._states["legal"][0]))
        try:
            position.step(number)
        except IllegalActionError as error:
            table.spoil(self._setup.seed, seat, policy.name, error)
            return
        table.asked[seat] += 1
        table.decisions[seat] += choices > 1
        table.seconds[seat] += seconds


def _actor(table: _Table) -> int:
    """The seat that decides in a game that is not over."""
    actor = table.position.actor
    assert actor is not None
    return actor
