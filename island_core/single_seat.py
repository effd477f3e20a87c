"""The Gymnasium environment: one seat is the learner's, the others are played by policies.

``reset`` and ``step`` return where the learner has to decide, or at the end of the game. Policies inside the kernels
play all the moves between in one call. Rewards that fall on the turns of others are in the next reward the learner
gets.
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from island_core import rng
from island_core.errors import GameOverError, IllegalActionError, NotResetError, OptionError, PolicyError
from island_core.opponents import COUNT_SHIFT, NO_POLICY, OPPONENTS_STREAM, SEAT_STREAM
from island_core.options import OpponentOptions, ViewOptions, as_integer
from island_core.policies import resolve_opponents
from island_core.position import Position
from island_core.view import RENDERING, View, final_rewards

TAKEN = 256
"""Moves of opponents that one call into the kernels may play."""

Outcome = tuple[Any, float, bool, bool, dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class SeatOptions(OpponentOptions, ViewOptions):
    """The options of the single seat: those of every view, and who sits where."""


def learner_seat(seat: Any, players: int) -> int | None:
    """The learner's seat: given as a number or a player name; None for ``"random"``. Raises ``OptionError``."""
    names = [f"player_{number}" for number in range(players)]
    if isinstance(seat, str):
        if seat == "random":
            return None
        if seat in names:
            return names.index(seat)
    number = as_integer(seat)
    if number is None or not 0 <= number < players:
        allowed = f"integers from 0 to {players - 1}, {', '.join(map(repr, names))}, 'random'"
        raise OptionError(f"seat={seat!r}; allowed: {allowed}")
    return number


def policy_generator(seed: int, index: int, episode: int) -> np.random.Generator:
    """What policies outside the kernels draw with in a game."""
    return np.random.default_rng((seed, OPPONENTS_STREAM + index, episode))


@dataclass(frozen=True)
class _Table:
    """Who plays an episode: the learner's seat, the generators of the policies, and where the game comes from."""

    seat: int
    words: NDArray[np.uint64]
    generator: np.random.Generator | None
    origin: str


class SingleSeatEnv(View, gymnasium.Env[Any, Any]):
    """One seat of a game against policies.

    Observations are ``{"observation": ..., "action_mask": ...}``, or the flat one alone with ``mask_in="info"``, seen
    from the learner's seat. Infos hold ``seat`` (int), and ``action_mask`` (``int8[A]``) and ``illegal_actions`` (int)
    where the options say so; the same keys from reset on. ``position`` is the live position.

    A game may end before the learner is ever asked, if it is truncated very early. Then ``reset`` returns what the
    seat sees at the end, the no-op (the last id) is the one legal action, and that step ends the episode and pays.
    After the end of the episode masks allow the no-op alone, too, but nothing can be played any more.
    """

    # Gymnasium reads it from the class before there is an environment.
    metadata = dict(RENDERING)
    view_options = SeatOptions

    def __init__(self, **options: Any) -> None:
        """Take the game's and the view's options and two more.

        ``opponents``:
            a policy for all other seats (``"random"``, ``"acting"``, an object with ``act`` or ``act_batch``, a
            callable ``f(observation, action_mask)``; see ``island_core.policies``), or a dict with one for each of
            them by player name; for each of all players if the seat is random.
        ``seat``:
            the learner's: a number from 0 up, a player name, or ``"random"``, which draws one from the seed for each
            episode.

        Raises ``OptionError`` naming a bad one.
        """
        super().__init__(**options)
        view = self._view
        assert isinstance(view, SeatOptions)
        self._fixed_seat = learner_seat(view.seat, self.game.num_players)
        self._policies = resolve_opponents(view.opponents, self.game, self._fixed_seat)
        self._kernel_ids = np.full(6, NO_POLICY, np.int64)
        for seat, policy in enumerate(self._policies):
            if policy is not None:
                self._kernel_ids[seat] = policy.kernel
        # Nothing is left to choose at the end: whoever draws by the mask, or normalises by it, still finds one action.
        self._idle_mask[self._spec.actions.noop] = 1
        self._highest_id = int(self._kernel_ids.max())
        self._asks_python = any(policy is not None and policy.kernel == NO_POLICY for policy in self._policies)
        self.observation_space = self._seat_space()
        self.action_space = gymnasium.spaces.Discrete(self._size)
        self._taken = np.empty(TAKEN, np.int64)
        self._table: _Table | None = None
        self._running = False
        self._unasked = False
        self._illegal_actions = 0

    # The table

    @property
    def seat(self) -> int:
        """The learner's seat in this episode. Raises ``NotResetError`` if it is drawn and there is none yet."""
        if self._table is not None:
            return self._table.seat
        if self._fixed_seat is None:
            raise NotResetError("seat: call reset() first")
        return self._fixed_seat

    def _new_table(self, seed: int, episode: int, origin: str) -> _Table:
        words = np.empty(4, np.uint64)
        seat = self._fixed_seat
        if seat is None:
            rng.seed_words(words, seed, SEAT_STREAM + self._index, episode)
            seat = int(rng.below(words, self.game.num_players))
        rng.seed_words(words, seed, OPPONENTS_STREAM + self._index, episode)
        generator = policy_generator(seed, self._index, episode) if self._asks_python else None
        return _Table(seat, words, generator, origin)

    def _play_others(self, position: Position, table: _Table) -> None:
        """Let the policies play until the learner decides or the game is over."""
        ids = self._kernel_ids
        advise_at = self._spec.advise_for(self._highest_id)
        if self._fixed_seat is None:
            ids = ids.copy()
            ids[table.seat] = NO_POLICY
        while True:
            actor = position.actor
            if actor is None or actor == table.seat:
                return
            if ids[actor] == NO_POLICY:
                self._ask(position, actor, table)
                continue
            played = int(self._spec.play_others(position._states, 0, ids, table.words, self._taken, advise_at))
            position._actions.extend(self._taken[: played >> COUNT_SHIFT].tolist())
            position._status = played & ((1 << COUNT_SHIFT) - 1)

    def _ask(self, position: Position, actor: int, table: _Table) -> None:
        """Let a policy outside the kernels make one move. Raises ``PolicyError`` if it gives no legal action."""
        policy = self._policies[actor]
        assert policy is not None and table.generator is not None
        try:
            number = policy.choose(
                position,
                lambda: self._lens.show(position._place, actor, self._room),
                table.generator,
            )
            inside = number if 0 <= number < self._size else -1
            status = int(self._spec.try_step(position._place, inside))
            if status < 0:
                raise PolicyError(f"policy {policy.name!r}: {position._refusal(number, inside)}")
        except PolicyError as error:
            raise PolicyError(f"player_{actor}: {error}; {self._whence(position, table)}") from error
        except Exception as error:
            error.add_note(f"raised by player_{actor}, policy {policy.name!r}; {self._whence(position, table)}")
            raise
        position._status = status
        position._actions.append(number)

    @staticmethod
    def _whence(position: Position, table: _Table) -> str:
        """How to get to a position again."""
        return f"{table.origin}, moves {list(position.history)}"

    @contextlib.contextmanager
    def _unchanged_on_error(self, position: Position, table: _Table) -> Iterator[None]:
        """A policy may raise in the middle of a step: then the game goes back to where it was before."""
        if table.generator is None:
            yield
            return
        layout, place = self._spec.layout, position._place
        raw, status, length = layout.read(place), position._status, len(position._actions)
        words, replacements = table.words.copy(), self._replacements.copy()
        drawn = table.generator.bit_generator.state
        try:
            yield
        except BaseException:
            layout.write(place, raw)
            position._status = status
            del position._actions[length:]
            table.words[:] = words
            self._replacements[:] = replacements
            table.generator.bit_generator.state = drawn
            raise

    # Playing

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a new game; unknown keys in ``options`` are tolerated. Returns observation and info.

        ``reset(seed=s)`` deals ``(s, 0, 0)``; later resets without a seed count the episode up. Without any seed the
        first one is drawn from the operating system.

        Raises ``OptionError`` for a bad seed and ``PolicyError`` for a policy that gives no legal action; the
        environment is then as it was.
        """
        number, episode = self._next_deal(seed)
        position = self.game.new(number, self._index, episode)
        table = self._new_table(number, episode, f"seed {number}, episode {episode}")
        shown = self._begin(position, table)
        self._seed, self._episode = number, episode
        self._seed_streams(number, episode)
        # Nothing is drawn from Gymnasium's generator, but wrappers and its checks look at it.
        gymnasium.Env.reset(self, seed=None if seed is None else number)
        return shown

    def _begin(self, position: Position, table: _Table) -> tuple[Any, dict[str, Any]]:
        """Let the others play, then start the bookkeeping anew around the position."""
        money = position.scores if self._gain else []
        running = not position.is_over
        self._play_others(position, table)
        self._position, self._table, self._money = position, table, money
        self._running, self._unasked = running, running and position.is_over
        self._illegal_actions = 0
        return self._shown()

    def step(self, action: Any) -> Outcome:
        """Play an action of the learner, then those of the others until the learner decides again or all is over.

        Returns observation, reward (``float``), terminated, truncated (``bool``) and info.

        Raises ``GameOverError`` after the end, ``IllegalActionError`` for what is no integer and, with
        ``illegal="raise"``, for an illegal one, ``PolicyError`` for a policy that gives no legal action. Nothing is
        changed then.
        """
        position, table = self._position, self._table
        if position is None or table is None:
            raise NotResetError("step: call reset() first")
        if not self._running:
            raise GameOverError(f"step({action!r}): the game is over; call reset()")
        number = self._number(action, f"player_{table.seat}")
        illegal = False
        with self._unchanged_on_error(position, table):
            status = position._status if self._unasked else int(self._spec.try_step(position._place, number))
            illegal = status < 0 or (self._unasked and number != self._spec.actions.noop)
            if illegal and self._view.illegal == "raise":
                raise IllegalActionError(self._refusal(position, action, number))
            if illegal and self._view.illegal == "terminate":
                self._running = False
                return self._outcome(-1.0, True, False)
            if not self._unasked:
                if illegal:
                    number, status = self._random_step(position)
                position._status = status
                position._actions.append(number)
                self._play_others(position, table)
        self._illegal_actions += illegal
        self._running = not position.is_over
        reward = self._reward(position, table.seat)
        return self._outcome(reward, position.is_over and not position.is_truncated, position.is_truncated)

    def _refusal(self, position: Position, action: Any, number: int) -> str:
        if not self._unasked:
            return position._refusal(action, number)
        noop = self._spec.actions.noop
        return f"action {action!r} is not legal: the game ended before the seat was asked; legal: {noop}, the no-op"

    def _reward(self, position: Position, seat: int) -> float:
        """The learner's reward for all that happened since it was last asked."""
        if self._gain:
            return self._gains(position)[seat]
        return final_rewards(position, self._view.reward)[seat] if position.is_over else 0.0

    def _outcome(self, reward: float, terminated: bool, truncated: bool) -> Outcome:
        observation, info = self._shown()
        if self.render_mode == "human":
            self.render()
        return observation, reward, terminated, truncated, info

    def _shown(self) -> tuple[Any, dict[str, Any]]:
        """Observation and info of the learner, fresh ones."""
        acting = self._running and not self._unasked
        info = {"seat": self.seat, **self._info(acting, self._illegal_actions)}
        return self._look(self.position, self.seat, acting), info

    def action_masks(self) -> NDArray[np.bool_]:
        """The learner's legal actions, a fresh ``bool[A]``; the no-op alone after the end. Raises ``NotResetError``."""
        return self._mask(self._live("action_masks"), self._running and not self._unasked).view(np.bool_)

    def sample_action(self) -> int | None:
        """A random legal action of the learner, drawn in the kernels; None after the end. Raises ``NotResetError``."""
        position = self._live("sample_action")
        if not self._running:
            return None
        if self._unasked:
            return self._spec.actions.noop
        return self._spec.sample(position._place, self._sampler)

    # Saving

    def set_state(self, state: bytes) -> tuple[Any, dict[str, Any]]:
        """Go on from a saved position of the same options; returns what ``reset`` returns.

        The learner's seat stays; if another one decides, the policies play on. Forgotten are the rewards so far, an
        ending by an illegal action, and where the sampler and the policies' generators stood; ``copy.deepcopy`` and
        ``pickle`` keep them.

        Raises ``PositionError`` for bytes of other components, another version or other options, and ``PolicyError``;
        nothing is changed then.
        """
        position = self.game.from_bytes(state)
        origin = "a saved position"
        if self._table is None:
            table = self._new_table(0, 0, origin)
        else:
            table = dataclasses.replace(copy.deepcopy(self._table), origin=origin)
        shown = self._begin(position, table)
        if self._seed is None:
            self._seed_streams(0, 0)
        return shown
