"""The vector environment of Gymnasium: one seat in each of many games is the learner's, policies play the others.

What ``SingleSeatEnv`` is for one game, with arrays. Opponents inside the kernels play in the one call that steps all
games; of others each is asked for all games that wait for it, round by round.
"""

from __future__ import annotations

import contextlib
import functools
import json
import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from numpy.typing import ArrayLike, NDArray

from island_core import batch_loops, jit, rng, vector_loops
from island_core.batch import (
    ILLEGAL_IDS,
    MOST_ENVS,
    REWARD_IDS,
    ManyOptions,
    SavedGames,
    chosen_games,
    deal_and_share_of,
    drawn_actions,
    given_actions,
    legal_of,
    rules_of,
    write_row_of,
)
from island_core.batch_loops import AUTORESET_MODES, LEDGER
from island_core.boxes import observation_box, with_mask
from island_core.decisions import RUNNING
from island_core.errors import GameOverError, IllegalActionError, NotResetError, OptionError, PolicyError, PositionError
from island_core.opponents import NO_POLICY, OPPONENTS_STREAM
from island_core.options import OpponentOptions, PlacedMaskOptions, as_integer, check_range, split_options
from island_core.policies import Resolved, resolve_opponents
from island_core.position import LARGEST_SEED, Game, Lens, Position
from island_core.single_seat import learner_seat, policy_generator
from island_core.spec import GameSpec
from island_core.vector_loops import ANY_SEAT, BEGIN, SETTLE, SHOW, TABLES

NOTED = 256
"""Moves of a game that one call into the kernels may make where they are noted."""

PLAY_ON = -1
"""In place of an action: the kernels go on where they stopped."""

MAGIC = b"island-envs vector\n"
SAVED = SavedGames("vector environment", "VectorEnv", MAGIC, {"ledger": LEDGER, "tables": TABLES})

Shown = tuple[Any, dict[str, Any]]
VectorOutcome = tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class VectorOptions(ManyOptions, OpponentOptions, PlacedMaskOptions):
    """How a vector environment shows its games, and who sits where; the README has the table."""


class _Kernels(NamedTuple):
    """The kernels of a game that a vector environment calls."""

    run: Any
    first_refused: Any
    look_over: Any
    answer: Any


@functools.cache
def vector_kernels_of(spec: GameSpec) -> _Kernels:
    """The kernels of a game; they compile on first use."""
    package = spec.package
    deal, share = deal_and_share_of(spec)
    legal, write_row, noop = legal_of(spec), write_row_of(spec), {"NOOP": spec.actions.noop}
    play_on = jit.bind(vector_loops.play_on_game, package, "play_on_game")
    sit_down = jit.bind(vector_loops.sit_down_at, package, "sit_down_at", deal=deal, play_on=play_on)
    allowed = jit.bind(vector_loops.allowed_in, package, "allowed_in", legal=legal, **noop)
    move = jit.bind(vector_loops.move_in, package, "move_in", allowed=allowed, play_on=play_on)
    settle = jit.bind(vector_loops.settle_game, package, "settle_game", share=share)
    parts = {"sit_down": sit_down, "move": move, "settle": settle, "write_row": write_row}
    return _Kernels(
        run=jit.bind(vector_loops.run_tables, package, "run_tables", **parts, **noop),
        first_refused=jit.bind(batch_loops.first_refused, package, "first_refused_table", allowed=allowed),
        look_over=jit.bind(vector_loops.look_over, package, "look_over", write_row=write_row),
        answer=jit.bind(vector_loops.answer, package, "answer", play_on=play_on, legal=legal),
    )


@functools.cache
def _addresses_of(spec: GameSpec, policy: int = NO_POLICY) -> tuple[Any, ...]:
    """Where the kernels that ``vector_loops`` calls by address lie in this process, in its order; ``policy`` is the
    highest id of one that is asked.
    """
    step, reset, standing = rules_of(spec)
    states, ids, words = spec.layout.alloc(1), np.zeros(6, np.int64), np.zeros(4, np.uint64)
    return (
        step,
        reset,
        standing,
        jit.address(spec.play_others, states, 0, ids, words, ids, 0),
        *spec.look_addresses,
        spec.advise_for(policy),
    )


class VectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """One seat in each of B games against policies.

    Observations, rewards, flags and infos are those that Gymnasium's ``SyncVectorEnv`` gives for B ``SingleSeatEnv``,
    of which the one at place i is dealt as ``Game.new(seed, index=i, episode=e)``:

    - observations ``{"observation": [B, D], "action_mask": int8[B, A]}``, or the flat ones alone with
      ``mask_in="info"``, seen from each learner's seat;
    - rewards ``float64[B]``, those that fell on others' turns included; terminated and truncated ``bool[B]``;
    - infos ``seat`` ``int64[B]``, and ``action_mask`` ``int8[B, A]`` and ``illegal_actions`` ``int64[B]`` where the
      options say so. Each has a ``bool[B]`` of its name after an underscore, which is true for all games. With
      ``"SAME_STEP"``, and only if a game ended: ``final_obs``, an array of B observations or None, and ``final_info``,
      a dict with the infos of the end, each with its ``bool[B]``.

    With ``copy=True`` every call hands out arrays of its own; with ``copy=False`` observations and masks are the same
    arrays each time, written anew by the next call.

    A game may end before its learner is ever asked, if it is truncated very early. Then its row shows what the seat
    sees at the end, the no-op (the last id) is its one legal action, and the step that plays it ends the episode and
    pays. The mask of a game that is over allows the no-op alone as well.

    Attributes
    ----------
    game:
        the rules object with the options of the games.
    num_envs, num_players:
        B and the number of players.
    metadata:
        ``name``, and ``autoreset_mode`` as Gymnasium's enum.
    single_observation_space, single_action_space, observation_space, action_space:
        as Gymnasium says; those of one game are the single seat's.
    """

    game_class: type[Game]

    def __init__(self, num_envs: int = 1, **options: Any) -> None:
        """Take the number of games, the game's options and the view's.

        ``opponents`` and ``seat`` are those of ``SingleSeatEnv``, ``copy`` and ``autoreset_mode`` those of
        ``BatchEnv``; ``illegal`` is ``"raise"``. Raises ``OptionError`` naming a bad one.
        """
        spec = self.game_class.spec
        check_range("num_envs", num_envs, 1, MOST_ENVS)
        own, view = split_options(options, spec.options, VectorOptions)
        self._view = VectorOptions(**view)
        self.game = self.game_class(**own)
        self.num_envs = count = operator.index(num_envs)
        self.num_players = self.game.num_players
        self._spec = spec
        self._mode = AUTORESET_MODES.index(self._view.autoreset_mode)
        self.metadata = {"name": f"{spec.name}_{spec.version}", "autoreset_mode": self._view.declared_mode}
        self._in_observation = self._view.mask_in != "info"
        self._in_info = self._view.mask_in != "observation"
        self._lens = Lens(spec, self._view.obs_dtype, self._view.history)
        flat, size = observation_box(self._lens), spec.actions.size
        self.single_observation_space = with_mask(flat, size) if self._in_observation else flat
        self.single_action_space = gymnasium.spaces.Discrete(size)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, count)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, count)

        seat = learner_seat(self._view.seat, self.num_players)
        self._learner = ANY_SEAT if seat is None else seat
        policies = resolve_opponents(self._view.opponents, self.game, seat)
        self._kernel_ids = np.full(6, NO_POLICY, np.int64)
        # Those that are asked in Python, each once even if it plays several seats, and the place of each seat's.
        self._asked: list[Resolved] = []
        self._asked_by_seat = np.full(6, -1, np.int64)
        for number, policy in enumerate(policies):
            if policy is None:
                continue
            self._kernel_ids[number] = policy.kernel
            if policy.kernel == NO_POLICY:
                if policy not in self._asked:
                    self._asked.append(policy)
                self._asked_by_seat[number] = self._asked.index(policy)

        self._states = spec.layout.alloc(count)
        spec.configure(self._states, 0, self.game.options)
        self._states[:] = self._states[0]
        self._ledger = LEDGER.alloc(count)
        self._tables = TABLES.alloc(count)
        self._begun = False
        self._counts_of_one = np.empty((1, self._lens.size), np.int8)
        self._no_shares = np.empty((0, self._lens.size), np.float32)
        self._masks = np.empty((count, size), np.int8)
        self._buffer = self._new_observations(0 if self._view.copy else count)
        self._final_observations = self._new_observations(count)
        # What only policies in Python need: the moves of each game, its generator, and one for what is asked of many.
        self._notes = np.empty((count, NOTED if self._asked else 0), np.int64)
        self._deals = [0] * count
        self._moves: list[list[int]] = [[] for _ in range(count)]
        # Games that began from a saved position, and that position, until they are dealt anew.
        self._origins: dict[int, Position] = {}
        self._generators: list[np.random.Generator | None] = [None] * count
        self._generator: np.random.Generator | None = None
        self._drawn: dict[int, Any] = {}

    # Playing

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Mapping[str, Any] | None = None
    ) -> Shown:
        """Begin all games anew, or those that ``options["reset_mask"]`` (``bool[B]``) names; other keys are tolerated.

        ``reset(seed=s)`` deals game i as ``(s, i, 0)``, a list of B seeds as ``(seed[i], i, 0)``. Where there is no
        seed, or None in the list, the episode counts up; a game that never had one gets a seed that is drawn from the
        operating system. Returns observations and infos of all games.

        Raises ``OptionError`` for a bad seed or mask, ``NotResetError`` for a first reset of some games only, and
        ``PolicyError`` for a policy that gives no legal action; nothing is changed then.
        """
        seeds = self._seeds(seed)
        chosen = chosen_games(options, self.num_envs)
        if not self._begun and not chosen.all():
            raise NotResetError("reset: the first reset is one of all games; reset_mask leaves some out")
        given = [number for number, one in zip(seeds, chosen, strict=True) if one and number is not None]
        with self._unchanged_on_error():
            ledger = self._ledger
            fresh = rng.fresh_seed() if not self._begun and len(given) < self.num_envs else None
            for i in np.flatnonzero(chosen).tolist():
                number = seeds[i] if self._begun or seeds[i] is not None else fresh
                if number is None:
                    ledger["episode"][i] += 1
                else:
                    ledger["seed"][i] = number
                    ledger["episode"][i] = 0
            if given or not self._begun:
                # A stream beside those of all games.
                first = given[0] if given else int(ledger["seed"][0])
                self._generator = np.random.default_rng((first, OPPONENTS_STREAM + MOST_ENVS))
            observations = self._run(chosen)[0]
        self._begun = True
        # Nothing is drawn from Gymnasium's generator, but wrappers look at it.
        super().reset(seed=None if seed is None else next(iter(given), None))
        return self._shown(observations)

    def _seeds(self, seed: Any) -> list[int | None]:
        """A seed for each game, where one is given."""
        if seed is None:
            return [None] * self.num_envs
        number = as_integer(seed)
        if number is not None:
            check_range("seed", seed, 0, LARGEST_SEED)
            return [number] * self.num_envs
        if isinstance(seed, str | bytes | Mapping) or not isinstance(seed, Sequence | np.ndarray):
            raise OptionError(
                f"seed={seed!r}; allowed: None, an integer from 0 to {LARGEST_SEED}, a list of {self.num_envs} of these"
            )
        if len(seed) != self.num_envs:
            raise OptionError(f"seed is a list of {len(seed)}; allowed: a list of {self.num_envs}, one for each game")
        for i, one in enumerate(seed):
            if one is not None:
                check_range(f"seed[{i}]", one, 0, LARGEST_SEED)
        return [None if one is None else operator.index(one) for one in seed]

    def step(self, actions: ArrayLike) -> VectorOutcome:
        """Play an action of each learner (integers, ``[B]``), then the opponents until each learner decides again.

        Returns observations, rewards ``float64[B]``, terminated and truncated ``bool[B]``, and infos. What becomes of
        games that end says ``autoreset_mode``. ``"SAME_STEP"``: the next episode begins at once; rewards and flags are
        those of the end, the rest of the row is of the new game. ``"NEXT_STEP"``: the next step begins it, whatever the
        action. ``"DISABLED"``: it stays over, until ``reset`` with a ``reset_mask``.

        Raises ``IllegalActionError`` for what is no array of B integers and, with ``illegal="raise"``, naming the
        first game whose action is illegal; ``GameOverError`` with ``"DISABLED"`` if a game is over; ``PolicyError`` for
        a policy that gives no legal action; ``NotResetError``. Nothing is changed then.
        """
        self._need_reset("step")
        given = given_actions(actions, self.num_envs)
        # Of every integer type; an unsigned one beyond int64 becomes negative, which is as illegal.
        numbers = np.ascontiguousarray(given.astype(np.int64))
        waiting = self._mode == batch_loops.NEXT_STEP
        checked = self._view.illegal == "raise"
        if checked or self._view.autoreset_mode == "DISABLED":
            refused = vector_kernels_of(self._spec).first_refused
            number = int(refused(self._states, self._ledger, numbers, int(waiting), int(checked)))
            if number >= 0:
                raise self._refusal(number, int(given[number]), int(numbers[number]))
        with self._unchanged_on_error():
            observations, rewards, terminated, truncated = self._run(None, numbers)
        shown, infos = self._shown(observations)
        ended = terminated | truncated
        if self._mode == batch_loops.SAME_STEP and ended.any():
            infos.update(self._final_infos(ended))
        return shown, rewards, terminated, truncated, infos

    def _refusal(self, i: int, given: int, number: int) -> Exception:
        """What is wrong with the action of a game."""
        ended = self._ledger["ended"] != RUNNING
        if ended[i]:
            return GameOverError(
                f"step: with autoreset_mode='DISABLED' games that are over must be begun anew first, by "
                f"reset(options={{'reset_mask': ...}}); over: {np.flatnonzero(ended).tolist()}"
            )
        if self._unasked()[i]:
            noop = self._spec.actions.noop
            return IllegalActionError(
                f"actions[{i}]: action {given} is not legal: the game ended before the seat was asked; "
                f"legal: {noop}, the no-op"
            )
        number = number if 0 <= number < self._spec.actions.size else -1
        return IllegalActionError(f"actions[{i}]: {self.position(i)._refusal(given, number)}")

    def _run(
        self, chosen: NDArray[np.bool_] | None, actions: NDArray[np.int64] | None = None
    ) -> tuple[NDArray[Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
        """Begin the games chosen anew; without any, play the actions.

        Gives what learners see ``[B, D]``, rewards, terminated and truncated.
        """
        count, lens, view = self.num_envs, self._lens, self._view
        observations = self._new_observations(count) if view.copy else self._buffer
        numbers = np.zeros(count, np.int64) if actions is None else actions
        rewards, terminated, truncated = np.zeros(count), np.zeros(count, np.bool_), np.zeros(count, np.bool_)
        kernel, at = vector_kernels_of(self._spec).run, self._addresses()

        def run(stages: int) -> None:
            kernel(
                self._states,
                self._ledger,
                self._tables,
                at,
                stages,
                numbers,
                int(chosen is not None),
                terminated if chosen is None else chosen,
                self._mode,
                ILLEGAL_IDS[view.illegal],
                REWARD_IDS[view.reward],
                self._learner,
                self._kernel_ids,
                self._notes,
                *self._places(observations),
                self._counts_of_one if lens.scaled else self._final_observations,
                self._final_observations if lens.scaled else self._no_shares,
                self._masks,
                rewards,
                terminated,
                truncated,
            )

        stages = (BEGIN, SHOW) if chosen is not None else (BEGIN, SETTLE, SHOW)
        if self._asked:
            for stage in stages[:-1]:
                run(stage)
                self._ask_all()
            run(SHOW)
        else:
            run(sum(stages))
        return observations, rewards, terminated, truncated

    def _addresses(self) -> tuple[Any, ...]:
        """The kernels that are called by address, as far as this environment's opponents ask them."""
        return _addresses_of(self._spec, int(self._kernel_ids.max()))

    def _places(self, observation: NDArray[Any]) -> tuple[Any, ...]:
        """How observations are written, for the kernels: ``slot, history, counts, scale, scaled``."""
        lens = self._lens
        if lens.scaled:
            return 0, lens.history, self._counts_of_one, lens.scale, observation
        return -1, lens.history, observation, lens.scale, self._no_shares

    def _new_observations(self, count: int) -> NDArray[Any]:
        """Room for what is seen in so many games."""
        return np.empty((count, self._lens.size), np.float32 if self._lens.scaled else np.int8)

    # Policies in Python

    def _ask_all(self) -> None:
        """Ask the policies that are not inside the kernels, round by round, until every game waits for its learner."""
        size = self._spec.actions.size
        while True:
            self._take_notes()
            ledger = self._ledger
            actors = (ledger["status"] & 255) - 1
            others_turn = (ledger["ended"] == RUNNING) & (actors >= 0) & (actors != self._tables["seat"])
            games = np.flatnonzero(others_turn)
            if len(games) == 0:
                return
            actors = actors[games]
            # Games in which a policy inside the kernels decides stopped because there was no room for more notes.
            asked = self._asked_by_seat[actors]
            numbers = [PLAY_ON] * len(games)
            actions = np.full(len(games), PLAY_ON, np.int64)
            for number, policy in enumerate(self._asked):
                mine = np.flatnonzero(asked == number)
                if len(mine):
                    given = self._choices(policy, games[mine], actors[mine])
                    for place, action in zip(mine.tolist(), given, strict=True):
                        numbers[place] = action
                        actions[place] = action if 0 <= action < size else size
            place = self._answer(games, actions)
            if place >= 0:
                i, actor, action = int(games[place]), int(actors[place]), numbers[place]
                refusal = self._live(i)._refusal(action, action if 0 <= action < size else -1)
                name = self._asked[asked[place]].name
                raise PolicyError(f"player_{actor}: policy {name!r}: {refusal}; {self._whence([i])}")

    def _answer(self, games: NDArray[np.int64], actions: NDArray[np.int64]) -> int:
        """Play one action in each of some games; gives the place of the first illegal one, nothing being played then,
        or -1.
        """
        answer = vector_kernels_of(self._spec).answer
        state = self._states, self._ledger, self._tables
        return int(answer(*state, games, actions, self._addresses(), self._kernel_ids, self._notes))

    def _choices(self, policy: Resolved, games: NDArray[np.int64], actors: NDArray[np.int64]) -> list[int]:
        """What a policy chooses in each of the games that wait for it, legal or not.

        Raises ``PolicyError`` for what is no integer; other exceptions of the policy get a note that says where.
        """
        if policy.act is None:
            observations = self._new_observations(len(games))
            masks = np.empty((len(games), self._spec.actions.size), np.int8)
            look_over = vector_kernels_of(self._spec).look_over
            places = self._places(observations)
            look_over(self._states, self._ledger, games, self._addresses(), *places, masks)
        at_once = 1 if policy.act_batch is None else len(games)
        chosen: list[int] = []
        for first in range(0, len(games), at_once):
            part = slice(first, first + at_once)
            asked = games[part].tolist()
            try:
                if policy.act is not None:
                    chosen.append(policy.choose_by_position(self._live(asked[0]), self._generator_of(asked[0])))
                else:
                    assert self._generator is not None
                    chosen += policy.choose_by_sight(observations[part], masks[part], self._generator)
            except PolicyError as error:
                raise PolicyError(f"{_players(actors[part])}: {error}; {self._whence(asked)}") from error
            except Exception as error:
                who = f"{_players(actors[part])}, policy {policy.name!r}"
                error.add_note(f"raised by {who}; {self._whence(asked)}")
                raise
        return chosen

    def _live(self, i: int) -> Position:
        """A copy of game i with its history."""
        row, origin = self._ledger[i], self._origins.get(i)
        if origin is None:
            position = self.game.new(int(row["seed"]), i, int(row["episode"]))
        else:
            position = Position(self.game, self._spec.layout.copy(origin._states), origin._status)
        self._spec.layout.write(position._place, self._states[i : i + 1].tobytes())
        position._status = int(row["status"])
        position._actions = self._moves[i].copy()
        return position

    def _generator_of(self, i: int) -> np.random.Generator:
        """What policies draw with that are asked for game i alone."""
        generator = self._generators[i]
        if generator is None:
            row = self._ledger[i]
            generator = policy_generator(int(row["seed"]), i, int(row["episode"]))
            self._generators[i] = generator
        self._drawn.setdefault(id(generator), (generator, generator.bit_generator.state))
        return generator

    def _whence(self, games: Sequence[int]) -> str:
        """How to get to the position again, of the first of the games asked for."""
        i = games[0]
        row = self._ledger[i]
        start = "a saved position" if i in self._origins else f"seed {row['seed']}, episode {row['episode']}"
        moves = f"game {i}, {start}, moves {self._moves[i]}"
        return moves if len(games) == 1 else f"asked for {len(games)} games at once, the first is {moves}"

    def _take_notes(self) -> None:
        """Take down the moves that the kernels noted; games that were dealt anew begin with none."""
        tables = self._tables
        noted, deals = tables["noted"].tolist(), tables["deals"].tolist()
        for i in np.flatnonzero((tables["noted"] > 0) | (tables["deals"] != self._deals)).tolist():
            if deals[i] != self._deals[i]:
                self._deals[i], self._moves[i], self._generators[i] = deals[i], [], None
                self._origins.pop(i, None)
            self._moves[i].extend(self._notes[i, : noted[i]].tolist())
        tables["noted"] = 0

    @contextlib.contextmanager
    def _unchanged_on_error(self) -> Iterator[None]:
        """A policy in Python may raise in the middle of a step: then all games go back to where they were before."""
        if not self._asked:
            yield
            return
        states = self._spec.layout.copy(self._states)
        ledger, tables = LEDGER.copy(self._ledger), TABLES.copy(self._tables)
        deals, generators, moves = self._deals.copy(), self._generators.copy(), self._moves.copy()
        lengths, origins = [len(one) for one in moves], self._origins.copy()
        generator = self._generator
        drawn: Any = None if generator is None else generator.bit_generator.state
        self._drawn = {}
        try:
            yield
        except BaseException:
            self._states, self._ledger, self._tables = states, ledger, tables
            self._deals, self._generators, self._moves, self._origins = deals, generators, moves, origins
            for one, length in zip(moves, lengths, strict=True):
                del one[length:]
            for used, state in self._drawn.values():
                used.bit_generator.state = state
            self._generator = generator
            if generator is not None:
                generator.bit_generator.state = drawn
            raise
        finally:
            self._drawn = {}

    # What is shown

    def _shown(self, observations: NDArray[Any]) -> Shown:
        """Observations and infos."""
        infos: dict[str, Any] = {"seat": self._tables["seat"].copy()}
        if self._in_info:
            infos["action_mask"] = self._handed_out(self._masks)
        if self._view.illegal == "random":
            infos["illegal_actions"] = self._ledger["illegal_actions"][np.arange(self.num_envs), infos["seat"]]
        everywhere = {f"_{name}": np.ones(self.num_envs, np.bool_) for name in infos}
        if not self._in_observation:
            return observations, {**infos, **everywhere}
        return {"observation": observations, "action_mask": self._handed_out(self._masks)}, {**infos, **everywhere}

    def _handed_out(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._view.copy else array

    def _final_infos(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        """What is told of games that ended in this step and were dealt anew, in Gymnasium's form."""
        tables = self._tables
        masks = np.zeros((self.num_envs, self._spec.actions.size), np.int8)
        masks[ended, self._spec.actions.noop] = 1
        seen = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(ended):
            row = self._final_observations[i].copy()
            seen[i] = {"observation": row, "action_mask": masks[i].copy()} if self._in_observation else row
        infos: dict[str, Any] = {"seat": np.where(ended, tables["final_seat"], 0)}
        if self._in_info:
            infos["action_mask"] = masks
        if self._view.illegal == "random":
            infos["illegal_actions"] = np.where(ended, tables["final_illegal_actions"], 0)
        there = {f"_{name}": ended.copy() for name in infos}
        final = {"final_obs": seen, "final_info": {**infos, **there}}
        return {**final, **{f"_{name}": ended.copy() for name in final}}

    def _need_reset(self, name: str) -> None:
        if not self._begun:
            raise NotResetError(f"{name}: call reset() first")

    def _unasked(self) -> NDArray[np.bool_]:
        """The games that ended before their learner was asked, and wait for the no-op."""
        ledger = self._ledger
        return np.asarray((ledger["ended"] == RUNNING) & (ledger["status"] >> 16 != RUNNING))

    @property
    def seats(self) -> NDArray[np.int64]:
        """The learners' seats, ``int64[B]``, a fresh array. Raises ``NotResetError``."""
        self._need_reset("seats")
        return np.array(self._tables["seat"])

    def action_masks(self) -> NDArray[np.bool_]:
        """The learners' legal actions as a fresh ``bool[B, A]``; the no-op alone in a game that is over. Raises
        ``NotResetError``.
        """
        self._need_reset("action_masks")
        return self._masks.copy().view(np.bool_)

    def sample_actions(self, generator: np.random.Generator | None = None, policy: str = "random") -> NDArray[np.int64]:
        """What a policy inside the kernels does for each learner, a fresh ``int64[B]``; -1 for a game that is over.

        ``policy`` is ``"random"``, ``"acting"``, ``"greedy"`` or ``"planner"``. Without a generator each game draws
        from a stream of its own, which depends on the seed, the number of the game and the episode. Raises
        ``NotResetError``, ``OptionError`` for another policy and ``TypeError`` for another kind of generator.
        """
        self._need_reset("sample_actions")
        out = drawn_actions(self._spec, self._states, self._ledger, generator, policy)
        out[self._unasked()] = self._spec.actions.noop
        return out

    def position(self, i: int) -> Position:
        """A copy of game i as it stands; what was played before is not kept, so its ``history`` begins here.

        Raises ``OptionError`` for another number, and ``NotResetError``.
        """
        self._need_reset("position")
        check_range("i", i, 0, self.num_envs - 1)
        i = operator.index(i)
        return Position(self.game, self._spec.layout.copy(self._states[i : i + 1]), int(self._ledger["status"][i]))

    # Saving

    def get_state(self) -> bytes:
        """All games with their futures, for ``set_state``: who sits where, what samplers, opponents inside the kernels
        and the generators of other policies will draw. What policies keep for themselves is theirs.

        Raises ``NotResetError``.
        """
        self._need_reset("get_state")
        games = [self.position(i).to_bytes() for i in range(self.num_envs)]
        drawing = {
            "games": [None if one is None else one.bit_generator.state for one in self._generators],
            "together": None if self._generator is None else self._generator.bit_generator.state,
        }
        rows = {"ledger": self._ledger, "tables": self._tables}
        return SAVED.pack(rows, games, json.dumps(drawing).encode())

    def set_state(self, state: bytes) -> Shown:
        """Go on from saved games of the same number, options and learner's seat; returns what a reset would.

        Opponents may be others than those of the environment that saved it. Rewards and infos of the last step are
        forgotten, and the history that policies see begins here. Raises ``PositionError``, with nothing changed, for
        bytes of other components, another version, another size, other options or another learner's seat, and for games
        that are over with ``"SAME_STEP"``.
        """
        rows, games, more = SAVED.unpack(state, self.game, self.num_envs)
        ledger, tables = rows["ledger"], rows["tables"]
        SAVED.check_ledger(ledger, games, self._mode, unasked=True)
        for i, game in enumerate(games):
            seat = int(tables["seat"][i])
            seats = range(self.num_players) if self._learner == ANY_SEAT else [self._learner]
            if seat not in seats:
                allowed = ", ".join(map(str, seats))
                raise PositionError(f"saved {SAVED.kind}, game {i}: the learner's seat is {seat}; allowed: {allowed}")
            if not game.is_over and game.actor != seat:
                raise PositionError(
                    f"saved {SAVED.kind}, game {i}: player_{game.actor} decides, not the learner, player_{seat}"
                )
        try:
            drawing = json.loads(more)
            generators = [_generator_with(one) for one in drawing["games"]]
            together = _generator_with(drawing["together"])
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise PositionError(f"saved {SAVED.kind}: generators that cannot be ({error!r})") from error
        if len(generators) != self.num_envs:
            raise PositionError(f"saved {SAVED.kind}: it has generators of {len(generators)} games")
        for i, game in enumerate(games):
            self._states[i] = game.states[0]
        self._ledger[:], self._tables[:] = ledger, tables
        self._tables["noted"] = 0
        self._deals, self._moves = tables["deals"].tolist(), [[] for _ in games]
        self._origins = dict(enumerate(games))
        self._generators, self._generator = generators, together
        self._begun = True
        return self._shown(self._run(np.zeros(self.num_envs, np.bool_))[0])

    def __getstate__(self) -> dict[str, Any]:
        """Everything, policies included, and what it belongs to."""
        kept = dict(self.__dict__)
        kept["_states"] = self._spec.layout.pack(self._states)
        kept["_ledger"], kept["_tables"] = LEDGER.pack(self._ledger), TABLES.pack(self._tables)
        return {"kept": kept, "belongs_to": self._belongs_to()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Raises ``PositionError`` for a pickle of other components or another version."""
        kept = dict(state["kept"])
        self._spec = kept["_spec"]
        if state["belongs_to"] != self._belongs_to():
            raise PositionError(
                "pickled vector environment: it was written with other components or by another version of this library"
            )
        kept["_states"] = self._spec.layout.unpack(kept["_states"])
        kept["_ledger"], kept["_tables"] = LEDGER.unpack(kept["_ledger"]), TABLES.unpack(kept["_tables"])
        self.__dict__.update(kept)

    def _belongs_to(self) -> tuple[str, ...]:
        return self._spec.fingerprint, LEDGER.fingerprint(), TABLES.fingerprint()

    def __repr__(self) -> str:
        """Name, size and options."""
        return f"<{self.num_envs} x {self.metadata['name']} {self.game.options} {self._view}>"


def _generator_with(state: dict[str, Any] | None) -> np.random.Generator | None:
    """A generator that goes on from a state of another one."""
    if state is None:
        return None
    generator = np.random.default_rng(0)
    generator.bit_generator.state = state
    return generator


def _players(actors: NDArray[np.int64]) -> str:
    return ", ".join(f"player_{actor}" for actor in np.unique(actors))


def warm_up(spec: GameSpec) -> None:
    """Compile what vector environments of a game need, with opponents inside the kernels and outside."""
    game = type("AnyGame", (Game,), {"spec": spec})
    made: type[VectorEnv] = type("AnyVector", (VectorEnv,), {"game_class": game})

    def first_legal(observation: NDArray[Any], action_mask: NDArray[np.int8]) -> int:
        return int(action_mask.argmax())

    env = made(1, opponents=first_legal)
    env.reset(seed=0)
    env.step(env.sample_actions())


__all__ = ["VectorEnv", "VectorOptions", "warm_up"]
