"""Conformance: what every game and every environment of this library promises, checked by playing.

``check_game`` plays random games of a rules object and checks every promise of ``Position`` at each decision, the
costly ones at a share of the decisions. ``check_aec`` and ``check_parallel`` run PettingZoo's own tests,
``check_single_seat`` Gymnasium's. All are for users too, who changed components or wrote a game: a failure is a
``ConformanceError``. One of ``check_game`` names the game, the seed and the moves, enough to play it again::

    pos = game.new(seed)
    for action in moves:
        pos.step(action)
"""

from __future__ import annotations

import contextlib
import copy
import io
import json
import pickle
import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from island_core.errors import GameOverError, IllegalActionError
from island_core.events import HIDDEN
from island_core.position import Game, Position, ranks_of

SAMPLE_SHARE = 0.04
"""The share of decisions at which the costly checks are made."""
FOLLOWED = 12
"""How many moves copies are played along with the original."""
REFUSALS = 4
"""How many illegal ids are tried at a sampled decision, beside those just outside the space."""


class ConformanceError(AssertionError):
    """A promise that a game or an environment does not keep."""


def check_game(
    game: Game,
    seeds: Iterable[int],
    max_steps: int,
    invariant: Callable[[Position], None] | None = None,
    rng: np.random.Generator | None = None,
) -> Counter[str]:
    """Play one random game for each seed, at most ``max_steps`` moves, and check every promise of ``Position``.

    ``invariant(position)`` may add checks of the caller's own; whatever it raises is reported with the game, the seed
    and the moves. ``rng`` chooses the moves and the decisions that get the costly checks, by default a generator seeded
    with 0. Returns how often each kind of decision came up. Raises ``ConformanceError``.
    """
    generator = np.random.default_rng(0) if rng is None else rng
    kinds: Counter[str] = Counter()
    for seed in seeds:
        run = _Run(game, seed, invariant, generator)
        try:
            run.play(max_steps)
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise ConformanceError(
                f"{game!r}, seed {seed}, after {len(run.moves)} moves: {what}; moves: {run.moves}"
            ) from error
        kinds.update(run.kinds)
    return kinds


def check_aec(env_factory: Callable[..., Any], cycles: int = 300) -> None:
    """PettingZoo's ``api_test``, ``seed_test`` and ``render_test`` on an AEC environment.

    ``env_factory`` makes a fresh environment and takes ``render_mode``. Raises ``ConformanceError``.
    """
    from pettingzoo.test import api_test, render_test, seed_test

    _probe(
        env_factory,
        {
            "api_test": lambda: api_test(env_factory(), num_cycles=cycles),
            "seed_test": lambda: seed_test(env_factory, num_cycles=cycles),
            "render_test": lambda: render_test(env_factory),
        },
    )


def check_parallel(env_factory: Callable[..., Any], cycles: int = 300) -> None:
    """PettingZoo's ``parallel_api_test`` and ``parallel_seed_test`` on a parallel environment.

    ``env_factory`` makes a fresh environment. Raises ``ConformanceError``. The first test chooses legal actions where
    observations hold masks, the second one never does: ``illegal`` must not be ``"raise"``.
    """
    from pettingzoo.test import parallel_api_test, parallel_seed_test

    _probe(
        env_factory,
        {
            "parallel_api_test": lambda: parallel_api_test(env_factory(), num_cycles=cycles),
            "parallel_seed_test": lambda: parallel_seed_test(env_factory, num_cycles=cycles),
        },
    )


def check_single_seat(env: Any) -> None:
    """Gymnasium's ``check_env`` on an environment made by ``gymnasium.make``, without a warning.

    It chooses actions without masks: ``illegal`` must not be ``"raise"``. Raises ``ConformanceError``.
    """
    from gymnasium.utils.env_checker import check_env

    def probe() -> None:
        warnings.simplefilter("error")
        check_env(env.unwrapped)

    _probe(env, {"check_env": probe})


def _probe(subject: Any, probes: dict[str, Callable[[], None]]) -> None:
    """Run tests of other libraries quietly; raises ``ConformanceError`` for one that fails, naming it."""
    for name, probe in probes.items():
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            # api_test knows PettingZoo's own environments with Dict observations by name and warns about all others.
            for text in ("Observation is not a NumPy array", "Observation space for each agent probably should be"):
                warnings.filterwarnings("ignore", text, UserWarning)
            try:
                probe()
            except Exception as error:
                raise ConformanceError(f"{subject!r}: {name}: {type(error).__name__}: {error}") from error


def _require(kept: bool, promise: str) -> None:
    """Raise unless a promise is kept."""
    if not kept:
        raise ConformanceError(promise)


class _Run:
    """One game under check."""

    def __init__(
        self, game: Game, seed: int, invariant: Callable[[Position], None] | None, rng: np.random.Generator
    ) -> None:
        self.moves: list[int] = []
        self.kinds: Counter[str] = Counter()
        self._game = game
        self._seed = seed
        self._invariant = invariant
        self._rng = rng
        self._followers: list[tuple[str, Position, int]] = []
        self._seen = 0
        self._events: list[Any] = []

    def play(self, max_steps: int) -> None:
        """Play to the end or ``max_steps`` moves."""
        position = self._game.new(self._seed)
        _require(self._game.new(self._seed).to_bytes() == position.to_bytes(), "two deals of one seed differ")
        while not position.is_over and len(self.moves) < max_steps:
            self._decision(position)
            action = position.sample(self._rng)
            if self._rng.random() < SAMPLE_SHARE:
                self._sampled(position, action)
            self._step(position, action)
        self._standing(position)
        self._log(position)
        _require(position.events_since(0) == self._events, "events_since(0) differs from the events seen step by step")
        if position.is_over:
            self._end(position)

    # Every decision

    def _decision(self, position: Position) -> None:
        actor, decision = position.actor, position.decision
        _require(actor is not None and 0 <= actor < self._game.num_players, f"actor is {actor} in a running game")
        _require(bool(decision) and decision in self._game.spec.decisions, f"decision {decision!r} in a running game")
        _require(not position.is_truncated, "a running game is truncated")
        self.kinds[str(decision)] += 1
        self._game.spec.check(position.states, 0)
        if self._invariant is not None:
            self._invariant(position)
        self._actions(position)
        self._observations(position)
        self._standing(position)
        self._log(position)
        _require(position.history == tuple(self.moves), "history differs from the moves played")

    def _actions(self, position: Position) -> None:
        """The list, the mask, the names and what ``step`` accepts are the same."""
        legal = position.legal_actions()
        _require(bool(legal), "no action is legal in a running game")
        _require(legal == sorted(set(legal)), f"legal actions are not ascending: {legal}")
        _require(legal[0] >= 0 and legal[-1] < self._game.spec.actions.used, f"legal ids outside the table: {legal}")
        mask = position.mask()
        _require(mask.dtype == np.int8 and mask.shape == (self._game.num_actions,), "mask has another type or shape")
        _require(bool(np.isin(mask, (0, 1)).all()), "mask holds other values than 0 and 1")
        _require(np.flatnonzero(mask).tolist() == legal, "mask and legal_actions() differ")
        names = position.legal_names()
        _require(len(set(names)) == len(names) and all(names), f"names are not unique: {names}")
        _require([position.action_name(action) for action in legal] == names, "legal_names() and action_name() differ")
        for action, name in zip(legal, names, strict=True):
            _require(position.parse(name) == action, f"parse({name!r}) is {position.parse(name)}, its id is {action}")
        before = position.states.tobytes()
        for action in legal:
            twin = position.clone()
            twin.step(action)
            _require(twin.is_over == (twin.actor is None), f"after {action}: over and asked, or neither")
            _require(position.states.tobytes() == before, "playing on a clone changed the original")

    def _observations(self, position: Position) -> None:
        """Bounds, types, and the same content in both forms."""
        table = self._game.spec.observation
        for seat in range(self._game.num_players):
            counts = position.observation(seat, "int8")
            scaled = position.observation(seat)
            _require(counts.dtype == np.int8 and counts.shape == (table.size,), "int8 observation: type or shape")
            _require(scaled.dtype == np.float32 and scaled.shape == (table.size,), "float32 observation: type or shape")
            out = np.flatnonzero((counts < 0) | (counts > table.largest))
            _require(not out.size, f"observation of seat {seat} out of bounds at {out.tolist()}")
            _require(bool(((scaled >= 0) & (scaled <= 1)).all()), f"float32 observation of seat {seat} outside [0, 1]")
            same = np.array_equal(np.rint(scaled * table.largest), counts)
            _require(same, f"the two forms of the observation of seat {seat} differ")

    def _standing(self, position: Position) -> None:
        """Scores, ranks and winners fit together."""
        players = self._game.num_players
        scores, ranks, winners = position.scores, position.ranks, position.winners
        _require(len(scores) == len(ranks) == players, "scores or ranks of another number of seats")
        _require(sum(ranks) == players * (players + 1) / 2, f"ranks do not add up: {ranks}")
        _require(ranks == ranks_of(np.array([-rank for rank in ranks])), f"ties are not averaged: {ranks}")
        _require(winners == [s for s in range(players) if ranks[s] == min(ranks)], f"winners {winners}, ranks {ranks}")
        for one in range(players):
            for other in range(players):
                fits = scores[one] <= scores[other] or ranks[one] < ranks[other]
                _require(fits, f"scores {scores} do not fit ranks {ranks}")

    def _log(self, position: Position) -> None:
        """The new events, as everybody and as each seat sees them."""
        new = position.events_since(self._seen)
        numbers = list(range(self._seen, position.num_events))
        _require([event.number for event in new] == numbers, f"events since {self._seen} are not numbered on: {new}")
        for seat in range(self._game.num_players):
            for event, shown in zip(new, position.events_since(self._seen, seat), strict=True):
                same = shown == event or shown == event._replace(a=HIDDEN)
                _require(same, f"seat {seat} sees {shown} in place of {event}")
        self._events.extend(new)
        self._seen = position.num_events

    def _step(self, position: Position, action: int) -> None:
        """Play a move on the original and on every copy that follows it."""
        followers, self._followers = self._followers, []
        position.step(action)
        self.moves.append(action)
        for label, copied, left in followers:
            copied.step(action)
            _same(label, position, copied)
            if left > 1:
                self._followers.append((label, copied, left - 1))

    # Sampled decisions

    def _sampled(self, position: Position, action: int) -> None:
        before = position.states.tobytes()
        self._refusals(position)
        self._copies(position, action)
        self._redrawn(position)
        _require(position.states.tobytes() == before, "asking or copying changed the position")

    def _refusals(self, position: Position) -> None:
        """Illegal ids are refused and change nothing."""
        before = position.states.tobytes()
        size = self._game.num_actions
        illegal = np.flatnonzero(position.mask() == 0)
        tried: list[Any] = [int(a) for a in self._rng.choice(illegal, min(REFUSALS, len(illegal)), replace=False)]
        for action in (*tried, -1, size, size - 1, 0.0, True, None):
            try:
                position.step(action)
            except IllegalActionError:
                pass
            else:
                raise ConformanceError(f"step({action!r}) was accepted and is not legal")
            _require(position.states.tobytes() == before, f"the refused step({action!r}) changed the position")
            _require(position.history == tuple(self.moves), f"the refused step({action!r}) is in the history")

    def _copies(self, position: Position, action: int) -> None:
        """Every kind of copy is equal, independent, and goes on in the same way."""
        data = position.to_dict()
        _require(json.loads(json.dumps(data)) == data, "to_dict() does not survive JSON")
        made = {
            "clone()": position.clone(),
            "copy.copy": copy.copy(position),
            "copy.deepcopy": copy.deepcopy(position),
            "pickle": pickle.loads(pickle.dumps(position)),
            "from_bytes(to_bytes())": self._game.from_bytes(position.to_bytes()),
            "from_dict(to_dict())": self._game.from_dict(data),
        }
        before = position.states.tobytes()
        for label, copied in made.items():
            _same(label, position, copied)
            _require(not np.shares_memory(copied.states, position.states), f"{label}: the copy shares its memory")
            moved = copied.clone()
            moved.step(action)
            _require(copied.states.tobytes() != moved.states.tobytes(), f"{label}: a clone's step changed its original")
            _require(position.states.tobytes() == before, f"{label}: a step on the copy changed the original")
            self._followers.append((label, copied, FOLLOWED))

    def _redrawn(self, position: Position) -> None:
        """``clone(seed)`` keeps what anybody sees and is the same for the same seed."""
        seed = int(self._rng.integers(2**62))
        twin = position.clone(seed)
        _require(twin.to_bytes() == position.clone(seed).to_bytes(), "clone(seed) differs for the same seed")
        _require(twin.to_bytes() != position.to_bytes(), "clone(seed) kept the generator")
        _require(twin.history == position.history, "clone(seed) lost the history")
        _alike(f"clone({seed})", position, twin)

    # The end

    def _end(self, position: Position) -> None:
        _require(position.actor is None and position.decision is None, "somebody decides after the end")
        _require(position.legal_actions() == [] and not position.mask().any(), "actions are legal after the end")
        self._game.spec.check(position.states, 0)
        if self._invariant is not None:
            self._invariant(position)
        self._observations(position)
        before = position.states.tobytes()
        asked: tuple[Callable[[], object], ...] = (
            lambda: position.step(self.moves[-1]),
            lambda: position.step("?"),
            lambda: position.sample(self._rng),
        )
        for ask in asked:
            try:
                ask()
            except GameOverError:
                continue
            raise ConformanceError("a step or a sample after the end was no GameOverError")
        _require(position.states.tobytes() == before, "a refused step after the end changed the position")
        data = position.to_dict()
        for label, copied in (
            ("from_bytes(to_bytes())", self._game.from_bytes(position.to_bytes())),
            ("from_dict(to_dict())", self._game.from_dict(data)),
            ("pickle", pickle.loads(pickle.dumps(position))),
        ):
            _same(label, position, copied)


def _same(label: str, position: Position, copied: Position) -> None:
    """A copy is the same position, future included."""
    _require(copied.states.tobytes() == position.states.tobytes(), f"{label}: the record differs")
    _alike(label, position, copied)


def _alike(label: str, position: Position, copied: Position) -> None:
    """A copy looks the same to everybody and offers the same actions."""
    for what in ("actor", "decision", "is_over", "is_truncated", "scores", "ranks", "winners", "num_events"):
        one, other = getattr(position, what), getattr(copied, what)
        _require(one == other, f"{label}: {what} is {other!r}, the original's {one!r}")
    _require(position.legal_actions() == copied.legal_actions(), f"{label}: other actions are legal")
    for seat in range(position.game.num_players):
        same = np.array_equal(position.observation(seat, "int8"), copied.observation(seat, "int8"))
        _require(same, f"{label}: the observation of seat {seat} differs")
