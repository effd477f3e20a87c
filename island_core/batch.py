"""Many games at once, as arrays: ``BatchEnv``.

All games lie in one structured array and are stepped by one call into the kernels, or one a thread. Game i of a batch
is dealt as ``Game.new(seed, index=i, episode=e)``, whatever the size of the batch and the number of threads.
"""

from __future__ import annotations

import functools
import json
import operator
import os
import zlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from numpy.typing import ArrayLike, NDArray

from island_core import batch_loops, jit, rng
from island_core.batch_loops import AUTORESET_MODES, FINALS, LEDGER
from island_core.boxes import observation_box
from island_core.decisions import NATURAL, RUNNING
from island_core.errors import GameOverError, IllegalActionError, NotResetError, OptionError, PositionError
from island_core.layout import Layout
from island_core.options import CommonOptions, check_bool, check_choice, check_range, split_options
from island_core.position import LARGEST_SEED, Game, Lens, Position
from island_core.selfplay import POLICIES
from island_core.spec import GameSpec
from island_core.view import REPLACEMENT_STREAM, SAMPLER_STREAM

MOST_ENVS = 2**20
MOST_THREADS = 256

MAGIC = b"island-envs batch\n"
FORMAT = 1

# Gymnasium has it since 1.1.
AUTORESET_ENUM: Any = getattr(gymnasium.vector, "AutoresetMode", None)

ILLEGAL_IDS = {"raise": batch_loops.RAISE, "terminate": batch_loops.TERMINATE, "random": batch_loops.RANDOM}
REWARD_IDS = {
    "win": batch_loops.WIN,
    "score": batch_loops.SCORE,
    "rank": batch_loops.RANK,
    "gain": batch_loops.GAIN,
}


@dataclass(frozen=True, kw_only=True)
class ManyOptions(CommonOptions):
    """How many games at once are shown."""

    illegal: str = "raise"
    copy: bool = True
    autoreset_mode: str = "SAME_STEP"

    def __post_init__(self) -> None:
        """Check every value; raises ``OptionError``."""
        super().__post_init__()
        check_bool("copy", self.copy)
        if AUTORESET_ENUM is not None and isinstance(self.autoreset_mode, AUTORESET_ENUM):
            object.__setattr__(self, "autoreset_mode", self.autoreset_mode.name)
        check_choice("autoreset_mode", self.autoreset_mode, AUTORESET_MODES)

    @property
    def declared_mode(self) -> Any:
        """What ``metadata`` says of ``autoreset_mode``: Gymnasium's enum, or the name where there is none."""
        return self.autoreset_mode if AUTORESET_ENUM is None else AUTORESET_ENUM[self.autoreset_mode]


@dataclass(frozen=True, kw_only=True)
class BatchOptions(ManyOptions):
    """How a batch shows its games; the README has the table."""

    threads: int = 1

    def __post_init__(self) -> None:
        """Check every value; raises ``OptionError``."""
        super().__post_init__()
        check_range("threads", self.threads, 1, MOST_THREADS)


class BatchStep(NamedTuple):
    """What ``reset`` and ``step`` return, for B games of P players with observations of D numbers and A actions.

    Attributes
    ----------
    observation:
        ``[B, D]``, ``float32`` or ``int8``: what the seat that decides sees. Of a game that is over (not with
        ``SAME_STEP``): what the seat that acted last sees.
    action_mask:
        ``int8[B, A]``: its legal actions; zeros for a game that is over.
    current_player:
        ``int64[B]``: the seat that decides; -1 for a game that is over.
    rewards:
        ``float32[B, P]``: of this step, by seat; zeros after ``reset``.
    terminated, truncated:
        ``bool[B]``: whether the game ended in this step; after ``reset``, and for as long as they stay over, whether
        it is over.
    infos:
        the games that ended in this step, K of them, the same keys always: ``final_games`` ``int64[K]``, their
        numbers; ``final_observation`` ``[K, P, D]``, what each seat saw at the end; ``episode_return`` ``float64[K,
        P]``, the sums of the rewards; ``episode_score`` ``int64[K, P]``; ``episode_winner_share`` ``float64[K, P]``,
        1 / W for each of W winners, zeros if an illegal action ended the game; ``episode_length`` ``int64[K]``, the
        number of decisions. With ``illegal="random"`` also ``illegal_actions`` ``int64[B, P]`` and
        ``episode_illegal_actions`` ``int64[K, P]``: how many actions of each seat were replaced in the episode.
    """

    observation: NDArray[Any]
    action_mask: NDArray[np.int8]
    current_player: NDArray[np.int64]
    rewards: NDArray[np.float32]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    infos: dict[str, NDArray[Any]]


class _Kernels(NamedTuple):
    """The kernels of a game that a batch calls."""

    run: Any
    first_refused: Any
    sample_games: Any
    look_around: Any


@functools.cache
def deal_and_share_of(spec: GameSpec) -> tuple[Any, Any]:
    """The kernels that begin a game and that reckon what is paid, for every loop over many games."""
    streams = {"SAMPLER_STREAM": SAMPLER_STREAM, "REPLACEMENT_STREAM": REPLACEMENT_STREAM}
    return (
        jit.bind(batch_loops.deal_game, spec.package, "deal_game", **streams),
        jit.bind(batch_loops.share_out, spec.package, "share_out", SCORE_SCALE=spec.score_scale),
    )


@functools.cache
def legal_of(spec: GameSpec) -> Any:
    """The kernel that says whether an action is legal in one of many games."""
    return jit.bind(batch_loops.legal_in, spec.package, "legal_in", SIZE=spec.actions.size)


@functools.cache
def write_row_of(spec: GameSpec) -> Any:
    """The kernel that writes what a seat sees in one of many games."""
    return jit.bind(batch_loops.write_row_of, spec.package, "write_row_of")


@functools.cache
def kernels_of(spec: GameSpec) -> _Kernels:
    """The kernels of a game; they compile on first use."""
    package = spec.package
    allowed, write_row = legal_of(spec), write_row_of(spec)
    deal, share = deal_and_share_of(spec)
    pay = jit.bind(batch_loops.pay_game, package, "pay_game", share=share)
    conclude = jit.bind(batch_loops.conclude_game, package, "conclude_game")
    play = jit.bind(batch_loops.play_game, package, "play_game", allowed=allowed, pay=pay, conclude=conclude)
    show = jit.bind(batch_loops.show_game, package, "show_game", write_row=write_row)
    return _Kernels(
        run=jit.bind(batch_loops.run, package, "run_batch", deal=deal, play=play, show=show),
        first_refused=jit.bind(batch_loops.first_refused, package, "first_refused", allowed=allowed),
        sample_games=jit.bind(batch_loops.sample_games, package, "sample_games", PASSIVE=spec.actions.passive),
        look_around=jit.bind(batch_loops.look_around, package, "look_around", write_row=write_row),
    )


@functools.cache
def rules_of(spec: GameSpec) -> tuple[Any, Any, Any]:
    """Where ``step``, ``reset`` and ``standing`` of the game lie in this process."""
    states, numbers = spec.layout.alloc(1), np.zeros(6, np.int64)
    return (
        jit.address(spec.rules.step, states, 0, 0),
        jit.address(spec.rules.reset, states, 0, 0, 0, 0),
        jit.address(spec.rules.standing, states, 0, numbers, numbers),
    )


def chosen_games(options: Mapping[str, Any] | None, num_envs: int) -> NDArray[np.bool_]:
    """The games that a reset with these options is about, ``bool[B]``: all, or those ``options["reset_mask"]`` names.

    Raises ``OptionError`` for a bad mask.
    """
    if options is not None and not isinstance(options, Mapping):
        raise OptionError(f"options={options!r}; allowed: None or a dict")
    given = None if options is None else options.get("reset_mask")
    if given is None:
        return np.ones(num_envs, np.bool_)
    try:
        mask = np.asarray(given)
    except (TypeError, ValueError, RuntimeError) as error:
        raise OptionError(f"reset_mask={given!r}; allowed: bool[{num_envs}]") from error
    if mask.dtype != np.bool_ or mask.shape != (num_envs,):
        raise OptionError(f"reset_mask is {mask.dtype} of shape {mask.shape}; allowed: bool of shape ({num_envs},)")
    return np.array(mask)


def given_actions(actions: ArrayLike, num_envs: int) -> NDArray[Any]:
    """The actions as an array of integers ``[B]``. Raises ``IllegalActionError`` for another shape or type."""
    allowed = f"integers of shape ({num_envs},)"
    try:
        given = np.asarray(actions)
    except (TypeError, ValueError, RuntimeError, OverflowError) as error:
        raise IllegalActionError(f"actions={actions!r}; allowed: {allowed}") from error
    if given.shape != (num_envs,) or given.dtype.kind not in "iu":
        raise IllegalActionError(f"actions are {given.dtype} of shape {given.shape}; allowed: {allowed}")
    return given


def drawn_actions(
    spec: GameSpec,
    states: Any,
    ledger: Any,
    generator: np.random.Generator | None,
    policy: str,
    out: NDArray[np.int64] | None = None,
) -> NDArray[np.int64]:
    """The action of a kernel policy in each game, ``int64[B]``, -1 for a game that is over; written to ``out`` if it is
    given.

    Drawn with the generator, or from the stream of each game. Raises ``TypeError`` for another kind of generator and
    ``OptionError`` for a name that is none of ``selfplay.POLICIES``.
    """
    check_choice("policy", policy, POLICIES)
    if generator is not None and not isinstance(generator, np.random.Generator):
        raise TypeError(f"generator={generator!r}: expected a numpy.random.Generator or None")
    words = np.zeros(4, np.uint64) if generator is None else generator.integers(0, 2**64, 4, np.uint64)
    drawn = np.empty(len(ledger), np.int64) if out is None else out
    number = POLICIES.index(policy)
    kernels_of(spec).sample_games(states, ledger, int(generator is None), words, number, spec.advise_for(number), drawn)
    return drawn


@dataclass(frozen=True)
class SavedGames:
    """The form in which views of many games save them: a header, what is kept beside each game, the games, and more.

    Attributes
    ----------
    kind, writer:
        what it is called in messages, and who writes it.
    magic:
        how the bytes begin.
    layouts:
        of the rows beside the games, by their names in the header.
    """

    kind: str
    writer: str
    magic: bytes
    layouts: Mapping[str, Layout]

    def pack(self, rows: Mapping[str, Any], games: Sequence[bytes], more: bytes = b"") -> bytes:
        """The bytes of B games: rows of each layout ``[B]``, saved positions, and whatever else belongs to them."""
        beside = [layout.pack(rows[name]) for name, layout in self.layouts.items()]
        body = b"".join([*beside, *games, more])
        header = {
            "format": FORMAT,
            **{name: layout.fingerprint() for name, layout in self.layouts.items()},
            "lengths": [len(game) for game in games],
            "more": len(more),
            "crc32": zlib.crc32(body),
        }
        return self.magic + json.dumps(header).encode() + b"\n" + body

    def unpack(self, state: bytes, game: Game, num_envs: int) -> tuple[dict[str, Any], list[Position], bytes]:
        """What was packed. Raises ``PositionError`` for bytes that are damaged or are not of so many such games."""
        if not isinstance(state, bytes | bytearray | memoryview):
            raise PositionError(f"saved {self.kind}: expected bytes, got {type(state).__name__}")
        state = bytes(state)
        if not state.startswith(self.magic):
            raise PositionError(f"saved {self.kind}: these bytes were not written by {self.writer}.get_state")
        head, _, body = state[len(self.magic) :].partition(b"\n")
        sizes = {name: layout.itemsize for name, layout in self.layouts.items()}
        try:
            header = json.loads(head)
            written, lengths, more, checksum = (header[key] for key in ("format", "lengths", "more", "crc32"))
            same = all(header[name] == layout.fingerprint() for name, layout in self.layouts.items())
            expected = len(lengths) * sum(sizes.values()) + sum(map(operator.index, [*lengths, more]))
        except (ValueError, TypeError, KeyError) as error:
            raise PositionError(f"saved {self.kind}: the header is damaged ({error!r})") from error
        if written != FORMAT or not same:
            raise PositionError(f"saved {self.kind}: it was written by another version of this library")
        if zlib.crc32(body) != checksum or expected != len(body):
            raise PositionError(f"saved {self.kind}: the content is damaged")
        if len(lengths) != num_envs:
            raise PositionError(f"saved {self.kind}: it has {len(lengths)} games, this one {num_envs}")
        at = 0
        rows = {}
        for name, layout in self.layouts.items():
            rows[name] = layout.unpack(body[at : at + num_envs * sizes[name]])
            at += num_envs * sizes[name]
        games = []
        for i, length in enumerate(lengths):
            try:
                games.append(game.from_bytes(body[at : at + length]))
            except PositionError as error:
                raise PositionError(f"saved {self.kind}, game {i}: {error}") from error
            at += length
        return rows, games, body[at:]

    def check_ledger(self, ledger: Any, games: Sequence[Position], mode: int, unasked: bool = False) -> None:
        """Raise ``PositionError`` where what is kept beside a game does not fit it, or it is over and may not be.

        ``mode`` is that of ending games by number. If ``unasked``, a game may be over and its episode not yet.
        """
        for i, game in enumerate(games):
            row = ledger[i]
            ends = (RUNNING, NATURAL)
            if game.is_over:
                ends = (RUNNING if unasked else game._status >> 16, game._status >> 16)
            fits = (
                row["status"] == game._status
                and row["ended"] in ends
                and -1 <= row["last_seat"] < game.game.num_players
                and min(row["seed"], row["episode"], row["length"]) >= 0
            )
            if not fits:
                raise PositionError(f"saved {self.kind}, game {i}: what is kept beside the game does not fit it")
            if row["ended"] != RUNNING and mode == batch_loops.SAME_STEP:
                raise PositionError(
                    f"saved {self.kind}, game {i}: it is over, and with autoreset_mode='SAME_STEP' none is"
                )


SAVED = SavedGames("batch", "BatchEnv", MAGIC, {"ledger": LEDGER})


class BatchEnv:
    """N games of one kind, stepped together.

    Arguments
    ---------
    num_envs:
        B, the number of games.
    options:
        the game's and the batch's, see ``BatchOptions`` and the README.

    Attributes
    ----------
    game:
        the rules object with the options of the games.
    num_envs, num_players:
        B and P.
    metadata:
        ``name``, and ``autoreset_mode`` as Gymnasium's enum.
    single_observation_space, single_action_space:
        ``Box[D]`` and ``Discrete(A)``, of one seat.
    observation_space, action_space:
        the same for all games: ``Box[B, D]`` and ``MultiDiscrete``.

    With ``copy=True`` every call hands out arrays of its own; with ``copy=False`` they are the same arrays each time,
    written anew by the next call. The fields of the last result are attributes of the environment too.
    """

    game_class: type[Game]

    def __init__(self, num_envs: int, **options: Any) -> None:
        """Take the number of games and all options. Raises ``OptionError`` naming a bad one."""
        spec = self.game_class.spec
        check_range("num_envs", num_envs, 1, MOST_ENVS)
        own, view = split_options(options, spec.options, BatchOptions)
        self._view = BatchOptions(**view)
        self.game = self.game_class(**own)
        self.num_envs = operator.index(num_envs)
        self.num_players = self.game.num_players
        self._spec = spec
        mode = self._view.autoreset_mode
        self.metadata: dict[str, Any] = {
            "name": f"{spec.name}_{spec.version}",
            "autoreset_mode": self._view.declared_mode,
        }
        self._lens = Lens(spec, self._view.obs_dtype, self._view.history)
        self.single_observation_space = observation_box(self._lens)
        self.single_action_space = gymnasium.spaces.Discrete(spec.actions.size)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, self.num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, self.num_envs)

        count = self.num_envs
        self._mode = AUTORESET_MODES.index(mode)
        self._states = spec.layout.alloc(count)
        spec.configure(self._states, 0, self.game.options)
        self._states[:] = self._states[0]
        self._final_states = spec.layout.alloc(count)
        self._ledger = LEDGER.alloc(count)
        self._finals = FINALS.alloc(count)
        self._actions = np.zeros(count, np.int64)
        # Counts are written where they stay, or by way of a row for each thread.
        self._rows_of_threads = np.empty((operator.index(self._view.threads), self._lens.size), np.int8)
        self._no_rows = np.empty((0, self._lens.size), np.float32)
        self._buffers = None if self._view.copy else self._new_outputs()
        self._sampled = np.empty(count, np.int64)
        self._seen_by_all = self._new_observations(0)
        self._nothing_ended = self._infos(np.empty(0, np.int64))
        self._current: BatchStep | None = None
        self._pool: ThreadPoolExecutor | None = None
        self._pool_process = 0

    # Playing

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> BatchStep:
        """Begin all games anew, or those that ``options["reset_mask"]`` (``bool[B]``) names; other keys are tolerated.

        ``reset(seed=s)`` deals game i as ``(s, i, 0)``; later resets without a seed count the episode of each game up.
        Without any seed the first one is drawn from the operating system.

        Raises ``OptionError`` for a bad seed or mask and ``NotResetError`` for a first reset of some games only;
        nothing is changed then.
        """
        if seed is not None:
            check_range("seed", seed, 0, LARGEST_SEED)
        chosen = chosen_games(options, self.num_envs)
        ledger = self._ledger
        if seed is not None or self._current is None:
            if self._current is None and not chosen.all():
                raise NotResetError("reset: the first reset is one of all games; reset_mask leaves some out")
            ledger["seed"][chosen] = rng.fresh_seed() if seed is None else operator.index(seed)
            ledger["episode"][chosen] = 0
        else:
            ledger["episode"][chosen] += 1
        return self._run(chosen)

    def step(self, actions: ArrayLike) -> BatchStep:
        """Play one action in each game: integers, ``[B]``.

        What becomes of games that end says ``autoreset_mode``. ``"SAME_STEP"``: the next episode begins at once;
        rewards and flags are those of the end, the rest of the row is of the new game. ``"NEXT_STEP"``: the next step
        begins it, whatever the action. ``"DISABLED"``: it stays over, until ``reset`` with a ``reset_mask``.

        Raises ``IllegalActionError`` for what is no array of B integers and, with ``illegal="raise"``, naming the
        first game whose action is illegal; ``GameOverError`` with ``"DISABLED"`` if a game is over; ``NotResetError``.
        Nothing is changed then.
        """
        if self._current is None:
            raise NotResetError("step: call reset() first")
        given = given_actions(actions, self.num_envs)
        waiting = self._mode == batch_loops.NEXT_STEP
        checked = self._view.illegal == "raise"
        # Of every integer type; an unsigned one beyond int64 becomes negative, which is as illegal.
        numbers = given.astype(np.int64)
        if checked or self._view.autoreset_mode == "DISABLED":
            kernels = kernels_of(self._spec)
            number = int(kernels.first_refused(self._states, self._ledger, numbers, int(waiting), int(checked)))
            if number >= 0:
                raise self._refusal(number, given[number], int(numbers[number]))
        self._actions[:] = numbers
        return self._run(None)

    def _refusal(self, i: int, given: Any, number: int) -> Exception:
        """What is wrong with the action of a game."""
        if self._ledger["ended"][i] != RUNNING:
            over = np.flatnonzero(self._ledger["ended"] != RUNNING).tolist()
            return GameOverError(
                f"step: with autoreset_mode='DISABLED' games that are over must be begun anew first, by "
                f"reset(options={{'reset_mask': ...}}); over: {over}"
            )
        number = number if 0 <= number < self._spec.actions.size else -1
        return IllegalActionError(f"actions[{i}]: {self.position(i)._refusal(int(given), number)}")

    def sample_actions(self, generator: np.random.Generator | None = None, policy: str = "random") -> NDArray[np.int64]:
        """What a policy inside the kernels does in each game, ``int64[B]``; -1 for a game that is over.

        ``policy`` is ``"random"``, ``"acting"``, ``"greedy"`` or ``"planner"``. Without a generator each game draws
        from a stream of its own, which depends on the seed, the number of the game and the episode. Raises
        ``NotResetError``, ``OptionError`` for another policy and ``TypeError`` for another kind of generator.
        """
        if self._current is None:
            raise NotResetError("sample_actions: call reset() first")
        out = None if self._view.copy else self._sampled
        return drawn_actions(self._spec, self._states, self._ledger, generator, policy, out)

    def _run(self, chosen: NDArray[np.bool_] | None) -> BatchStep:
        """Begin the games chosen anew; without any, step all with the actions noted."""
        out = self._new_outputs() if self._buffers is None else self._buffers
        lens, view = self._lens, self._view
        run = kernels_of(self._spec).run
        addresses = (*rules_of(self._spec), *self._spec.look_addresses)
        counts = self._rows_of_threads if lens.scaled else out.observation
        scaled = out.observation if lens.scaled else self._no_rows

        def work(slot: int, first: int, count: int) -> None:
            run(
                self._states,
                self._ledger,
                self._finals,
                self._final_states,
                first,
                count,
                *addresses,
                self._actions,
                int(chosen is not None),
                out.terminated if chosen is None else chosen,
                self._mode,
                ILLEGAL_IDS[view.illegal],
                REWARD_IDS[view.reward],
                slot if lens.scaled else -1,
                lens.history,
                counts,
                lens.scale,
                scaled,
                out.action_mask,
                out.current_player,
                out.rewards,
                out.terminated,
                out.truncated,
            )

        self._in_slices(self.num_envs, work)
        infos = self._nothing_ended.copy()
        if chosen is None:
            (ended,) = (out.terminated | out.truncated).nonzero()
            if len(ended):
                infos = self._infos(ended)
        if view.illegal == "random":
            infos["illegal_actions"] = self._ledger["illegal_actions"][:, : self.num_players].copy()
        self._current = BatchStep(*out[:-1], infos)
        return self._current

    def _infos(self, ended: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """What is told of games that have just ended."""
        seats = slice(self.num_players)
        finals = self._finals
        seen = self._new_observations(len(ended))
        self._look_around(self._final_states, ended, seen)
        infos = {
            "final_games": ended,
            "final_observation": seen,
            "episode_return": finals["returns"][ended, seats],
            "episode_score": finals["scores"][ended, seats],
            "episode_winner_share": finals["winner_share"][ended, seats],
            "episode_length": finals["length"][ended],
        }
        if self._view.illegal == "random":
            infos["episode_illegal_actions"] = finals["illegal_actions"][ended, seats]
        return infos

    def _new_outputs(self) -> BatchStep:
        """Arrays for a result, not filled."""
        count = self.num_envs
        return BatchStep(
            observation=np.empty((count, self._lens.size), self.single_observation_space.dtype),
            action_mask=np.empty((count, self._spec.actions.size), np.int8),
            current_player=np.empty(count, np.int64),
            rewards=np.empty((count, self.num_players), np.float32),
            terminated=np.empty(count, np.bool_),
            truncated=np.empty(count, np.bool_),
            infos={},
        )

    def _new_observations(self, count: int) -> NDArray[Any]:
        """Room for what every seat sees in so many games."""
        return np.empty((count, self.num_players, self._lens.size), self.single_observation_space.dtype)

    # Threads

    def _in_slices(self, total: int, work: Callable[[int, int, int], None]) -> None:
        """``work(number, first, count)`` for each thread's part of ``total``; this thread does the first."""
        threads = min(operator.index(self._view.threads), total)
        if threads <= 1:
            if total:
                work(0, 0, total)
            return
        bounds = [total * k // threads for k in range(threads + 1)]
        pool = self._threads()
        jobs = [pool.submit(work, k, bounds[k], bounds[k + 1] - bounds[k]) for k in range(1, threads)]
        try:
            work(0, 0, bounds[1])
        finally:
            wait(jobs)
        for job in jobs:
            job.result()

    def _threads(self) -> ThreadPoolExecutor:
        # Threads do not survive a fork.
        if self._pool is None or self._pool_process != os.getpid():
            self._pool = ThreadPoolExecutor(operator.index(self._view.threads) - 1, "island-envs batch")
            self._pool_process = os.getpid()
        return self._pool

    def close(self) -> None:
        """End the threads. They are started again if the environment is used again."""
        pool, self._pool = self._pool, None
        if pool is not None and self._pool_process == os.getpid():
            pool.shutdown()

    # Looking

    def _shown(self, name: str) -> BatchStep:
        if self._current is None:
            raise NotResetError(f"{name}: call reset() first")
        return self._current

    @property
    def observation(self) -> NDArray[Any]:
        """That of the last result; all of these raise ``NotResetError`` before the first reset."""
        return self._shown("observation").observation

    @property
    def action_mask(self) -> NDArray[np.int8]:
        """That of the last result."""
        return self._shown("action_mask").action_mask

    @property
    def current_player(self) -> NDArray[np.int64]:
        """That of the last result."""
        return self._shown("current_player").current_player

    @property
    def rewards(self) -> NDArray[np.float32]:
        """Those of the last result."""
        return self._shown("rewards").rewards

    @property
    def terminated(self) -> NDArray[np.bool_]:
        """That of the last result."""
        return self._shown("terminated").terminated

    @property
    def truncated(self) -> NDArray[np.bool_]:
        """That of the last result."""
        return self._shown("truncated").truncated

    @property
    def infos(self) -> dict[str, NDArray[Any]]:
        """Those of the last result."""
        return self._shown("infos").infos

    def observe_all(self) -> NDArray[Any]:
        """What every seat sees now, ``[B, P, D]``, whoever decides.

        Meant for centralised critics: together the rows of a game show every hand, so they are hidden information for
        each seat. Raises ``NotResetError``.
        """
        self._shown("observe_all")
        out = self._seen_by_all
        if self._view.copy or len(out) == 0:
            out = self._new_observations(self.num_envs)
        if not self._view.copy:
            self._seen_by_all = out
        self._look_around(self._states, np.arange(self.num_envs), out)
        return out

    def _look_around(self, states: Any, games: NDArray[np.int64], out: NDArray[Any]) -> None:
        """Write what every seat sees in some games, ``[len(games), P, D]``."""
        lens = self._lens
        rows = out.reshape(-1, lens.size)
        look = kernels_of(self._spec).look_around

        def work(slot: int, first: int, count: int) -> None:
            look(
                states,
                games,
                first,
                count,
                self.num_players,
                *self._spec.look_addresses,
                slot if lens.scaled else -1,
                lens.history,
                self._rows_of_threads if lens.scaled else rows,
                lens.scale,
                rows if lens.scaled else self._no_rows,
            )

        self._in_slices(len(games), work)

    def position(self, i: int) -> Position:
        """A copy of game ``i`` as it stands; what was played before is not kept, so its ``history`` begins here.

        Raises ``OptionError`` for another number, and ``NotResetError``.
        """
        self._shown("position")
        check_range("i", i, 0, self.num_envs - 1)
        i = operator.index(i)
        return Position(self.game, self._spec.layout.copy(self._states[i : i + 1]), int(self._ledger["status"][i]))

    # Saving

    def get_state(self) -> bytes:
        """All games with their futures, what samplers will draw included, for ``set_state``.

        Raises ``NotResetError``.
        """
        self._shown("get_state")
        games = [self.position(i).to_bytes() for i in range(self.num_envs)]
        return SAVED.pack({"ledger": self._ledger}, games)

    def set_state(self, state: bytes) -> BatchStep:
        """Go on from a saved batch of the same size and options; returns what a reset would.

        Rewards and infos of the last step are forgotten. Raises ``PositionError``, with nothing changed, for bytes of
        other components, another version, another size or other options, and for games that are over with
        ``"SAME_STEP"``.
        """
        rows, games, _ = SAVED.unpack(state, self.game, self.num_envs)
        ledger = rows["ledger"]
        SAVED.check_ledger(ledger, games, self._mode)
        for i, game in enumerate(games):
            self._states[i] = game.states[0]
        self._ledger[:] = ledger
        return self._run(np.zeros(self.num_envs, np.bool_))

    def __getstate__(self) -> dict[str, Any]:
        """The options, the games, and the last result."""
        options = {**asdict(self.game.options), **asdict(self._view)}
        state = None if self._current is None else self.get_state()
        return {"num_envs": self.num_envs, "options": options, "state": state, "current": self._current}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        """Raises ``PositionError`` for a pickle of other components or another version."""
        BatchEnv.__init__(self, saved["num_envs"], **saved["options"])
        if saved["state"] is None:
            return
        shown = self.set_state(saved["state"])
        mine: Sequence[NDArray[Any]] = shown[:-1]
        for array, kept in zip(mine, saved["current"][:-1], strict=True):
            array[...] = kept
        self._current = shown._replace(infos=saved["current"].infos)

    def __repr__(self) -> str:
        """Name, size and options."""
        return f"<{self.num_envs} x {self.metadata['name']} {self.game.options} {self._view}>"


def warm_up(spec: GameSpec) -> None:
    """Compile what batches of a game need."""
    game = type("AnyGame", (Game,), {"spec": spec})
    env: BatchEnv = type("AnyBatch", (BatchEnv,), {"game_class": game})(1)
    env.reset(seed=0)
    env.step(env.sample_actions())
    env.observe_all()


__all__ = ["BatchEnv", "BatchOptions", "BatchStep", "warm_up"]
