"""One game from Python: ``Game`` makes positions, ``Position`` is one of them.

A position is a record of the game's layout, the record it started from, and the actions since. Everything that asks a
rule is a call into a kernel.
"""

from __future__ import annotations

import functools
import hashlib
import json
import operator
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from island_core.decisions import RUNNING, TRUNCATED
from island_core.errors import (
    GameOverError,
    IllegalActionError,
    InvariantError,
    NotationError,
    OptionError,
    PositionError,
)
from island_core.events import HIDDEN, RING
from island_core.layout import Slot, States
from island_core.options import as_integer, check_range, split_options
from island_core.spec import GameSpec

MAGIC = b"island-envs position\n"
FORMAT = 1
LARGEST_SEED = 2**63 - 1
KEY_BYTES = 16
"""The length of ``Position.key``."""


class TableEvent(NamedTuple):
    """One event as a seat sees it: its number, its kind, and the numbers of the event table.

    ``a`` is -2 where the seat does not see it; -1 means unused.
    """

    number: int
    kind: str
    seat: int
    a: int
    b: int


_Past = tuple[Any, Sequence[int], int, int | None, int] | bytes
"""How the present stretch of play began: the bytes of the record, or what was redrawn of the end of an earlier stretch.

Then: the past of that one; its actions, and how many of them belong to it; the seat that determinized (None: redrawn by
``clone``), and the seed. A plain tuple: making a named one takes as long as copying a record.
"""

_new_object = object.__new__


class Game:
    """The rules object: options, and what makes positions.

    A game's module offers a subclass with ``spec`` set.
    """

    spec: GameSpec

    def __init__(self, num_players: int = 4, **options: Any) -> None:
        """Take the game's options (``num_players``, ``polls``, ...). Raises ``OptionError`` naming a bad one."""
        (own,) = split_options({"num_players": num_players, **options}, self.spec.options)
        self.options = self.spec.options(**own)
        self.num_players = self.options.num_players

    @property
    def num_actions(self) -> int:
        """The size of the action space, the no-op included."""
        return self.spec.actions.size

    @property
    def observation_layout(self) -> dict[str, slice]:
        """Name -> slice of every section of the observation."""
        return dict(self.spec.observation.layout)

    def new(self, seed: int, index: int = 0, episode: int = 0) -> Position:
        """A new game. ``(seed, index, episode)``, each 0 to 2**63 - 1, gives the same deal in every view."""
        for name, value in (("seed", seed), ("index", index), ("episode", episode)):
            check_range(name, value, 0, LARGEST_SEED)
        states = self.spec.layout.alloc(1)
        self.spec.configure(states, 0, self.options)
        numbers = (operator.index(seed), operator.index(index), operator.index(episode))
        status = int(self.spec.rules.reset(states, 0, *numbers))
        return Position(self, states, status)

    def from_dict(self, data: Mapping[str, Any]) -> Position:
        """A position from its dict form, complete or partial. Raises ``PositionError`` saying what cannot be."""
        if not isinstance(data, Mapping):
            raise PositionError(f"described position: {type(data).__name__} given, allowed: a dict")
        states = self.spec.from_dict(dict(data), self.options)
        return Position(self, states, int(self.spec.rules.refresh(states, 0)))

    def from_bytes(self, data: bytes) -> Position:
        """A position saved by ``to_bytes``.

        Raises ``PositionError`` for anything else: another game, other components or another version, other options, a
        damaged file.
        """
        spec = self.spec
        if not isinstance(data, bytes | bytearray | memoryview):
            raise PositionError(f"saved position: expected bytes, got {type(data).__name__}")
        data = bytes(data)
        if not data.startswith(MAGIC):
            raise PositionError("saved position: these bytes were not written by Position.to_bytes")
        head, separator, raw = data[len(MAGIC) :].partition(b"\n")
        try:
            header = json.loads(head)
        except ValueError as error:
            raise PositionError(f"saved position: the header is damaged ({error})") from error
        expected = {
            "format": FORMAT,
            "game": spec.name,
            "fingerprint": spec.fingerprint,
            "bytes": spec.layout.itemsize,
        }
        reasons = {
            "format": "it was written by another version of this library",
            "game": "it is a position of another game",
            "fingerprint": "it was written with other components or by another version of the rules",
            "bytes": "it was written by another version of the rules",
        }
        if not isinstance(header, dict) or not separator:
            raise PositionError("saved position: the header is damaged")
        for key, value in expected.items():
            if header.get(key) != value:
                raise PositionError(
                    f"saved position: {key} is {header.get(key)!r}, this game needs {value!r}: {reasons[key]}"
                )
        if len(raw) != spec.layout.itemsize or zlib.crc32(raw) != header.get("crc32"):
            raise PositionError("saved position: the content is damaged")
        states = spec.layout.unpack(raw)
        try:
            saved = spec.read_options(states, 0)
            if saved != self.options:
                raise PositionError(f"saved position: its options are {saved}, this game has {self.options}")
            spec.check(states, 0)
        except (OptionError, InvariantError) as error:
            raise PositionError(f"saved position: the content cannot be: {error}") from error
        return Position(self, states, int(spec.rules.refresh(states, 0)))

    def __eq__(self, other: object) -> bool:
        """The same game with the same options."""
        if not isinstance(other, Game):
            return NotImplemented
        return self.spec is other.spec and self.options == other.options

    def __hash__(self) -> int:
        """Equal for equal games."""
        return hash((self.spec.name, self.options))

    def __repr__(self) -> str:
        """The call that makes it."""
        return f"{type(self).__name__}({self.options})"


def same_table(one: Game, other: Game) -> bool:
    """Whether two rules objects are of one game and number of players; other options do not matter."""
    return one.spec is other.spec and one.num_players == other.num_players


class Position:
    """One game in progress.

    Seats are numbers 0 to ``num_players`` - 1; ``player_2`` in names is seat 2. A position changes by ``step`` alone.

    Two positions are equal if they are the same position of the same game with the same future: options and record
    agree, the generator and what nobody sees included; how they were reached does not matter. As a position changes, it
    has no hash: dicts and sets take ``key(seat)``, what a seat knows, or ``to_bytes()``, everything.
    """

    __slots__ = ("game", "_slot", "_place", "_records", "_status", "_past", "_actions")

    def __init__(self, game: Game, states: States, status: int) -> None:
        """Take over a record. Use ``Game.new``, ``Game.from_dict`` or ``Game.from_bytes``."""
        self.game = game
        layout = game.spec.layout
        self._slot: Slot = layout.take()
        # Kernels take the record's address. It holds as long as the slot does, which goes with this object.
        self._place = self._slot[0]
        self._status = status
        self._past: _Past = states.tobytes()
        self._actions: list[int] = []
        layout.write(self._place, self._past)

    # Who decides what

    @property
    def states(self) -> States:
        """The record, as a structured array of one. Writing to it breaks the game."""
        return self._states

    @property
    def _states(self) -> States:
        """The record, as an array made on first use: search clones positions that are never looked at this way."""
        try:
            return self._records
        except AttributeError:
            self._records: States = self.game.spec.layout.states_in(self._slot)
            return self._records

    @property
    def actor(self) -> int | None:
        """The seat that decides; None when the game is over."""
        seat = self._status & 255
        return seat - 1 if seat else None

    @property
    def decision(self) -> str | None:
        """What is to be decided, by the protocol's name; None when the game is over."""
        return self.game.spec.decisions[(self._status >> 8) & 255] or None

    @property
    def is_over(self) -> bool:
        """Whether the game is over, by itself or truncated."""
        return self._status >> 16 != RUNNING

    @property
    def is_truncated(self) -> bool:
        """Whether the game was cut off by its guard."""
        return self._status >> 16 == TRUNCATED

    # Actions

    def mask(self) -> NDArray[np.int8]:
        """The legal actions as ``int8[num_actions]``, all zero when the game is over."""
        out = np.empty(self.game.spec.actions.size, np.int8)
        self.game.spec.write_mask(self._place, out)
        return out

    def legal_actions(self) -> list[int]:
        """The ids of the legal actions, ascending."""
        spec = self.game.spec
        out = np.empty(spec.actions.size, np.int64)
        found: list[int] = out[: spec.list_legal(self._place, out)].tolist()
        return found

    def legal_names(self) -> list[str]:
        """The names of the legal actions, in id order."""
        return [self.action_name(action) for action in self.legal_actions()]

    def sample(self, rng: np.random.Generator | None = None) -> int:
        """A legal action drawn uniformly with ``rng``; without one, differently each time.

        Raises ``GameOverError`` when there is none.
        """
        legal = self.legal_actions()
        if not legal:
            raise GameOverError("sample: the game is over, no action is legal")
        if rng is not None and not isinstance(rng, np.random.Generator):
            raise TypeError(f"rng={rng!r}: expected a numpy.random.Generator or None")
        generator = np.random.default_rng() if rng is None else rng
        return legal[int(generator.integers(len(legal)))]

    def action_name(self, action: int) -> str:
        """The name of an action id in this position. Raises ``IllegalActionError`` if it names nothing here."""
        if isinstance(action, str):
            raise IllegalActionError(f"action {action!r}: expected an integer id; parse() takes names")
        number = self._id(action)
        name = self.game.spec.action_name(self._states, 0, number)
        if name is None:
            raise IllegalActionError(f"action {action} names nothing here: {self._situation()}")
        return name

    def parse(self, name: str) -> int:
        """The id of a name in this position, legal or not. Raises ``NotationError`` for one that means nothing here."""
        if not isinstance(name, str):
            raise NotationError(f"{name!r}: expected a name, which is a string")
        return self.game.spec.parse(self._states, 0, name)

    def step(self, action: int | str) -> None:
        """Play an action, by id or name.

        Raises ``IllegalActionError`` (or ``NotationError`` for a name that means nothing), ``GameOverError``; nothing
        is changed then.
        """
        if self._status >> 16 != RUNNING:
            raise GameOverError(f"step({action!r}): the game is over")
        number = self.parse(action) if isinstance(action, str) else self._id(action)
        status = int(self.game.spec.try_step(self._place, number))
        if status < 0:
            raise IllegalActionError(self._refusal(action, number))
        self._status = status
        self._actions.append(number)

    def _id(self, action: Any) -> int:
        number = as_integer(action)
        if number is None:
            raise IllegalActionError(f"action {action!r}: expected an integer id or a name")
        return number if 0 <= number < self.game.spec.actions.size else -1

    def _situation(self) -> str:
        if self.is_over:
            return "the game is over"
        return self.game.spec.decision_text(self._states, 0)

    def _refusal(self, action: int | str, number: int) -> str:
        spec = self.game.spec
        name = spec.action_name(self._states, 0, number) if 0 <= number < spec.actions.size else None
        given = repr(action) if name is None or name == action else f"{action!r} ({name})"
        names = self.legal_names()
        shown = ", ".join(repr(n) for n in names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")
        return f"action {given} is not legal: {self._situation()}; legal: {shown}"

    # Results

    def _standing(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        scores = np.zeros(6, np.int64)
        keys = np.zeros(6, np.int64)
        self.game.spec.rules.standing(self._states, 0, scores, keys)
        players = self.game.num_players
        return scores[:players], keys[:players]

    @property
    def scores(self) -> list[int]:
        """The score of each seat as it stands."""
        return [int(score) for score in self._standing()[0]]

    @property
    def ranks(self) -> list[float]:
        """The rank of each seat as it stands: 1 is best, ties get the mean of their places."""
        return ranks_of(self._standing()[1])

    @property
    def winners(self) -> list[int]:
        """The seats that have won, as it stands; several share the win."""
        keys = self._standing()[1]
        return [int(seat) for seat in np.flatnonzero(keys == keys.max())]

    # What was

    @property
    def history(self) -> tuple[int, ...]:
        """The ids of all actions since the position was made."""
        return tuple(action for actions, _, _ in self._stretches() for action in actions)

    def _stretches(self) -> list[tuple[Sequence[int], int | None, int]]:
        """Each stretch of play, the first one first: its actions, and by what it began, as in `_Past`."""
        found = []
        actions: Sequence[int] = self._actions
        past = self._past
        while not isinstance(past, bytes):
            earlier, before, number, seat, seed = past
            found.append((actions, seat, seed))
            actions, past = before[:number], earlier
        found.append((actions, None, 0))
        return found[::-1]

    def _origin(self) -> bytes:
        """The bytes of the record that the first stretch began with."""
        past = self._past
        while not isinstance(past, bytes):
            past = past[0]
        return past

    @property
    def num_events(self) -> int:
        """How many events there were so far."""
        return int(self._states["event_total"][0])

    def events_since(self, number: int, seat: int | None = None) -> list[TableEvent]:
        """The events from ``number`` on as a seat sees them; everything if ``seat`` is None.

        The record keeps the last 64; older ones are found by playing the game again from where this position object
        began. Raises ``ValueError`` for events older than that.
        """
        if seat is not None:
            check_range("seat", seat, 0, self.game.num_players - 1)
            seat = operator.index(seat)
        check_range("number", number, 0, self.num_events)
        number = operator.index(number)
        rows = dict(_ring_rows(self._states, number))
        if number < self.num_events and number not in rows:
            rows.update(self._replayed_rows())
            if number not in rows:
                raise ValueError(f"number={number}; the oldest event known here is {min(rows)}")
        names = self.game.spec.events.names
        found = []
        for n in range(number, self.num_events):
            kind, who, a, b, seen = rows[n]
            hidden = seat is not None and not (seen >> seat) & 1
            found.append(TableEvent(n, names[kind], who, HIDDEN if hidden else a, b))
        return found

    def _replayed_rows(self) -> dict[int, tuple[int, ...]]:
        spec = self.game.spec
        states = spec.layout.from_raw(self._origin())
        rows: dict[int, tuple[int, ...]] = {}
        for stretch, (actions, seat, seed) in enumerate(self._stretches()):
            if seat is not None:
                spec.rules.determinize(states, 0, seat, seed)
                rows = {number: _as_seen(row, seat) for number, row in rows.items()}
            elif stretch > 0:
                spec.rules.redraw(states, 0, seed)
            rows.update(_ring_rows(states))
            for action in actions:
                known = int(states["event_total"][0])
                spec.rules.step(states, 0, action)
                rows.update(_ring_rows(states, known))
        return rows

    # Copies

    def __eq__(self, other: object) -> bool:
        """The same position of the same game with the same future."""
        if not isinstance(other, Position):
            return NotImplemented
        layout = self.game.spec.layout
        return self.game == other.game and layout.pack(self._states) == layout.pack(other._states)

    __hash__ = None  # type: ignore[assignment]

    def clone(self, seed: int | None = None) -> Position:
        """An independent copy with the same future; with ``seed`` with another one.

        With a seed (0 to 2**63 - 1) the generator and the orders of decks that nobody knows are redrawn; hands, and
        what is known of them, stay.
        """
        if seed is not None and (type(seed) is not int or not 0 <= seed <= LARGEST_SEED):
            check_range("seed", seed, 0, LARGEST_SEED)
            seed = operator.index(seed)
        twin: Position = _new_object(Position)
        twin.game = game = self.game
        spec = game.spec
        # What Layout.take does, but for the call.
        twin._slot = slot = next(spec.layout.slots, None) or spec.layout.take()
        twin._place = place = slot[0]
        twin._status = self._status
        actions = self._actions
        if seed is None:
            spec.copy_to(self._place, place)
            twin._past = self._past
            twin._actions = actions.copy()
        else:
            spec.redraw_to(self._place, place, seed)
            twin._past = (self._past, actions, len(actions), None, seed)
            twin._actions = []
        return twin

    def determinize(self, seat: int, seed: int) -> Position:
        """A position that the seat which decides cannot tell from this one, drawn at random by ``seed``.

        All that the seat cannot know is redrawn: other hands, decks, rejected cards, the generator; all that it knows
        stays: its observation, mask, text and events. The true hidden state is no input: positions of one information
        set give equal results for a seed. The law, and what is left out, are in ``docs/determinization.md``. Events
        that the seat did not see are hidden from everybody in the result. ``history`` goes on from this position's and
        tells private choices too.

        ``seat`` must be the actor; ``seed`` is 0 to 2**63 - 1. Raises ``OptionError`` for other values and
        ``GameOverError`` when the game is over.
        """
        if self.is_over:
            raise GameOverError(f"determinize(seat={seat!r}, seed={seed!r}): the game is over, nobody decides")
        number = as_integer(seat)
        if number is None or number != self.actor:
            raise OptionError(f"seat={seat!r}; allowed: {self.actor}, the seat that decides")
        check_range("seed", seed, 0, LARGEST_SEED)
        twin = self.clone()
        spec = self.game.spec
        seed = operator.index(seed)
        spec.determinize_in(twin._place, spec.determinize_address, number, seed)
        twin._past = (self._past, self._actions, len(self._actions), number, seed)
        twin._actions = []
        return twin

    def __copy__(self) -> Position:
        """The same as ``clone()``."""
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        """The same as ``clone()``."""
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        """Everything, and the fingerprint of the rules and components it belongs to."""
        layout = self.game.spec.layout
        return {
            "game": self.game,
            "record": layout.pack(self._states),
            "origin": layout.pack(layout.from_raw(self._origin())),
            "stretches": [(list(actions), seat, seed) for actions, seat, seed in self._stretches()],
            "status": self._status,
            "fingerprint": self.game.spec.fingerprint,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Raises ``PositionError`` for a pickle of other components or another version."""
        game: Game = state["game"]
        layout, needed = game.spec.layout, game.spec.fingerprint
        if state["fingerprint"] != needed:
            raise PositionError(
                f"pickled position: fingerprint is {state['fingerprint']!r}, this game needs {needed!r}: "
                "it was written with other components or by another version of the rules"
            )
        Position.__init__(self, game, layout.unpack(state["record"]), state["status"])
        self._past = layout.unpack(state["origin"]).tobytes()
        (self._actions, _, _), *later = state["stretches"]
        for actions, seat, seed in later:
            self._past = (self._past, self._actions, len(self._actions), seat, seed)
            self._actions = actions

    def to_bytes(self) -> bytes:
        """The position, its future included, as bytes for ``Game.from_bytes``; without the actions that led to it."""
        spec = self.game.spec
        raw = spec.layout.pack(self._states)
        header = {
            "format": FORMAT,
            "game": spec.name,
            "fingerprint": spec.fingerprint,
            "bytes": len(raw),
            "crc32": zlib.crc32(raw),
        }
        return MAGIC + json.dumps(header).encode() + b"\n" + raw

    def to_dict(self) -> dict[str, Any]:
        """The position by names, complete, ready for JSON; ``Game.from_dict`` reads it."""
        return self.game.spec.to_dict(self._states, 0)

    # What a seat sees

    def observation(self, seat: int, dtype: str = "float32", history: int = 0) -> NDArray[Any]:
        """The observation of a seat: ``[D + 4 * history]`` of the given dtype (``"float32"`` or ``"int8"``)."""
        check_range("seat", seat, 0, self.game.num_players - 1)
        return lens_of(self.game.spec, dtype, history).look(self._states, 0, operator.index(seat))

    def key(self, seat: int) -> str:
        """The key of the information set of a seat: 32 hexadecimal digits, the same in every process.

        It stands for everything the seat knows: its observation, the legal actions if it decides, the seat itself, the
        options and the fingerprint of rules and components. Positions that differ only in what the seat cannot know
        have one key. The information set is one of states, not of histories: two ways to the same observation have one
        key, and what an observation does not tell (its ``history`` part, counts above the largest one of a section)
        makes no difference.
        """
        check_range("seat", seat, 0, self.game.num_players - 1)
        number = operator.index(seat)
        digest = hashlib.blake2b(_rules_part(self.game.spec, self.game.options), digest_size=KEY_BYTES)
        digest.update(bytes([number, self.actor == number]))
        digest.update(self.observation(number, "int8").tobytes())
        if self.actor == number:
            digest.update(self.mask().tobytes())
        return digest.hexdigest()

    def __str__(self) -> str:
        """The whole table in plain text, all hands open."""
        return self.game.spec.render_text(self._states, 0)

    def __repr__(self) -> str:
        """Who decides what."""
        return f"<Position of {self.game.spec.name}: {self._situation()}>"

    def text(self, seat: int | None = None) -> str:
        """The table in plain text as a seat sees it; all hands open if ``seat`` is None."""
        if seat is not None:
            check_range("seat", seat, 0, self.game.num_players - 1)
        return self.game.spec.render_text(self._states, 0, None if seat is None else operator.index(seat))


class Lens:
    """How observations are written: dtype and number of past events. Several threads may use one."""

    def __init__(self, spec: GameSpec, dtype: str, history: int) -> None:
        """Prepare. Raises ``OptionError`` for a dtype or history that does not exist."""
        from island_core.options import ViewOptions

        ViewOptions(obs_dtype=dtype, history=history)
        self._spec = spec
        self.history = operator.index(history)
        self.scaled = dtype == "float32"
        past = [section.largest for section in spec.history]
        self.largest = np.concatenate([spec.observation.largest, np.tile(np.array(past, np.int8), history)])
        self.scale = (np.float32(1.0) / self.largest.astype(np.float32)).astype(np.float32)
        self.size = len(self.largest)

    def look(self, states: States, i: int, seat: int) -> NDArray[Any]:
        """A fresh observation of a seat in game ``i``."""
        counts = np.empty(self.size, np.int8)
        if self.scaled:
            scaled = np.empty(self.size, np.float32)
            self._spec.look_scaled(states, i, seat, self.history, counts, self.scale, scaled)
            return scaled
        self._spec.look_counts(states, i, seat, self.history, counts)
        return counts

    def show(self, place: int, seat: int, room: NDArray[np.int8]) -> tuple[NDArray[Any], NDArray[np.int8]]:
        """A fresh observation of a seat and a fresh mask of its legal actions, in a single call of a kernel.

        ``place`` is the address of a record, ``room`` is an ``int8[size]`` to be written to, one for each thread.
        """
        spec = self._spec
        mask = np.empty(spec.actions.size, np.int8)
        if self.scaled:
            out = np.empty(self.size, np.float32)
            spec.show_scaled(place, seat, self.history, spec.look_addresses[1], room, self.scale, out, mask)
            return out, mask
        counts = np.empty(self.size, np.int8)
        spec.show_counts(place, seat, self.history, spec.look_addresses[0], counts, mask)
        return counts, mask


def lens_of(spec: GameSpec, dtype: str, history: int) -> Lens:
    """The one ``Lens`` of its kind. Raises ``OptionError`` for a dtype or history that does not exist."""
    if type(dtype) is str and type(history) is int:
        return _cached_lens(spec, dtype, history)
    return Lens(spec, dtype, history)


_cached_lens = functools.cache(Lens)


@functools.cache
def _rules_part(spec: GameSpec, options: Any) -> bytes:
    """What goes into every key of an information set of a game with these options."""
    return json.dumps([spec.name, spec.fingerprint, asdict(options)], sort_keys=True).encode()


def ranks_of(keys: NDArray[np.int64]) -> list[float]:
    """Ranks by descending key, 1 is best; equal keys get the mean of their places."""
    return rank_rows(keys).tolist()  # type: ignore[no-any-return]


def rank_rows(keys: NDArray[np.int64]) -> NDArray[np.float64]:
    """The same in the last axis of an array of any shape."""
    own, others = keys[..., :, None], keys[..., None, :]
    return np.asarray((others > own).sum(axis=-1) + ((others == own).sum(axis=-1) + 1) / 2)


def _as_seen(row: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """The row of an event, with its detail hidden to everybody if a seat does not see it."""
    kind, who, a, b, seen = row
    return (kind, who, a if seen >> seat & 1 else HIDDEN, b, seen)


def _ring_rows(states: States, since: int = 0) -> list[tuple[int, tuple[int, ...]]]:
    """Number and row of the events from ``since`` on, as far as the record still holds them."""
    total = int(states["event_total"][0])
    log = states["event_log"][0]
    return [(n, tuple(log[n % RING].tolist())) for n in range(max(since, total - RING, 0), total)]
