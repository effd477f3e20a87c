"""Turns of the board that map the game onto itself, for data augmentation.

A clockwise turn by 60 degrees takes each boat to the next one, and with it each colour: hunters, their terrains and the
cards of these terrains. The seats stay as they are, and so does the order of play. Not every turn gives a game that can
be: `symmetries` has those that do. The board has no reflections: a mirror takes no boat to a boat, as a boat lies at
the corner of the island and the space clockwise from it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dracheninsel_env.actions import ACTIONS
from dracheninsel_env.board import (
    CELLS,
    DIRECTION_NAMES,
    JUMP_OFFSETS,
    ROTATE,
    SPACE_NAMES,
    SPACES,
    SYMMETRIC,
    TERRAIN_OF,
)
from dracheninsel_env.components import (
    CARD_NAMES,
    CARD_SLOTS,
    CARD_TERRAINS,
    CLOCKWISE,
    COINS,
    COPIES,
    TERRAIN_CARD_SLOTS,
)
from dracheninsel_env.convert.invariants_board import seatings
from dracheninsel_env.convert.words import EVENT_FORM, SLOTS
from dracheninsel_env.events import Event
from dracheninsel_env.observe import HISTORY, OBSERVATION
from dracheninsel_env.options import DracheninselOptions
from dracheninsel_env.vocab import HUNTERS, TERRAINS, Task
from island_core.events import RING
from island_core.options import as_integer
from island_core.position import Position

IndexArray = NDArray[np.int64]

TURNS = len(CLOCKWISE)
"""Turns by 60 degrees until the board is as it was."""


class _Turned(NamedTuple):
    """Where each thing goes: a permutation for each sort of things."""

    hunters: IndexArray
    spaces: IndexArray
    cards: IndexArray
    directions: IndexArray
    landings: IndexArray
    slots: IndexArray
    """The two hunters of one player, first and second."""


@lru_cache(maxsize=2 * TURNS)
def _turned(turns: int, swaps: bool) -> _Turned:
    """The permutations of so many turns; ``swaps``: the first hunter of each player becomes his second."""
    hunters = np.empty(len(HUNTERS), np.int64)
    for place, hunter in enumerate(CLOCKWISE):
        hunters[hunter] = CLOCKWISE[(place + turns) % TURNS]
    spaces = np.arange(SPACES)
    for _ in range(turns):
        spaces = ROTATE[spaces]
    cards = np.arange(CARD_SLOTS)
    shown = {int(CARD_TERRAINS[card]): card for card in range(TERRAIN_CARD_SLOTS) if COPIES[card]}
    for terrains, card in shown.items():
        # Terrain k is hunter k's own (D1.2).
        cards[card] = shown[sum(1 << int(hunters[k]) for k in range(len(TERRAINS)) if terrains >> k & 1)]
    directions = (np.arange(len(DIRECTION_NAMES)) + turns) % len(DIRECTION_NAMES)
    # The twelve offsets stand by 30 degrees.
    landings = (np.arange(len(JUMP_OFFSETS)) + 2 * turns) % len(JUMP_OFFSETS)
    return _Turned(hunters, spaces, cards, directions, landings, np.array([1, 0] if swaps else [0, 1]))


@lru_cache(maxsize=4 * TURNS)
def _swaps(turns: int, players: int) -> bool | None:
    """Whether first and second hunters change places; None if the turn gives no game that can be, or only for some.

    The hunters of a seat are numbered in the order of `HUNTERS` (D9.1).
    """
    hunters = _turned(turns, False).hunters
    known = seatings(players)
    found = set()
    for seats in known:
        moved = [[int(hunters[hunter]) for hunter in own] for own in seats]
        if tuple(tuple(sorted(own)) for own in moved) not in known:
            return None
        found |= {own != sorted(own) for own in moved}
    return found.pop() if len(found) == 1 else None


def _keeps_the_start(turns: int) -> bool:
    """Whether the printed layout is mapped onto itself."""
    turned = _turned(turns, False)
    target = TERRAIN_OF[turned.spaces[:CELLS]]
    return all(target[cell] == turned.hunters[terrain] for cell, terrain in enumerate(TERRAIN_OF) if terrain >= 0)


def _product(*parts: IndexArray) -> IndexArray:
    """The permutation of all combinations, numbered with the last part fastest."""
    index = np.zeros(1, np.int64)
    for part in parts:
        index = (index[:, None] * len(part) + part[None, :]).ravel()
    return index


def _same(count: int) -> IndexArray:
    return np.arange(count)


def _action_targets(turned: _Turned) -> IndexArray:
    """Where each action id goes."""
    terrain_cards = turned.cards[:TERRAIN_CARD_SLOTS]
    payments = np.concatenate([[0], 1 + terrain_cards])
    moved = {
        "step": _product(turned.slots, turned.directions, payments),
        "discard": turned.cards,
        "fly": _product(turned.landings, payments),
        "choose": turned.spaces[:CELLS],
        "with card": terrain_cards,
        "announce": turned.hunters,
        "send home": turned.hunters,
        "flyer": turned.slots,
    }
    targets = _same(ACTIONS.size)
    for block, start in zip(ACTIONS.blocks, ACTIONS.offset, strict=True):
        if block.name in moved:
            targets[start : start + block.count] = start + moved[block.name]
    return targets


def _observation_targets(turned: _Turned) -> IndexArray:
    """Where each entry of an observation goes."""
    cells, terrains = turned.spaces[:CELLS], turned.hunters
    seats = _same(6)
    moved = {
        "terrain": _product(cells, terrains),
        "dragons": cells,
        "hunter_at": _product(turned.hunters, turned.spaces),
        "hunter_owner": _product(turned.hunters, seats),
        "carriers": _product(_same(len(COINS)), turned.hunters),
        "hand": turned.cards,
        "known": _product(_same(5), turned.cards),
        "discard": turned.cards,
        "table": turned.cards,
        "mover": turned.hunters,
        "freed": terrains,
        "left_alone": turned.hunters,
        "listed": _product(turned.slots, turned.spaces),
        "act_origin": turned.spaces,
        "act_elsewhere": turned.spaces,
        "act_hunters": _product(turned.hunters, _same(3)),
        "act_dragons": _product(_same(2), cells),
        "act_discs": cells,
        "act_cards": turned.cards,
        "act_discarded": turned.cards,
        "pending_space": cells,
        "pending_hunter": turned.hunters,
        "journey_card": turned.cards[:TERRAIN_CARD_SLOTS],
    }
    targets = _same(OBSERVATION.size)
    for name, index in moved.items():
        where = OBSERVATION.layout[name]
        targets[where] = where.start + index
    return targets


HIDDEN_DETAIL = 2
"""What is added to details ``a`` and ``b`` of an event in the history part; below stand what is hidden and nothing."""


def _event_numbers(turned: _Turned) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """The new ``a`` and ``b`` by kind of event and old number, ``int8[kinds + 1, 128]``, as in the history part."""
    kinds = len(EVENT_FORM.table.kinds) + 1
    a, b = (np.tile(np.arange(128, dtype=np.int8), (kinds, 1)) for _ in range(2))
    by_name = {
        "hunter": turned.hunters,
        "partner": turned.hunters,
        "space": turned.spaces,
        "first": turned.spaces,
        "second": turned.spaces,
        "from": turned.spaces,
        "to": turned.spaces,
        "card": turned.cards,
        "terrain": turned.hunters,
        # Of a declared sneak attack it is a seat, see Symmetry.observation.
        "target": turned.hunters,
    }
    for kind, names in EVENT_FORM.keys.items():
        for table, name in zip((a, b), names, strict=True):
            if name in by_name:
                index = by_name[name]
                table[kind, HIDDEN_DETAIL : HIDDEN_DETAIL + len(index)] = HIDDEN_DETAIL + index
    return a, b


def _inverted(targets: IndexArray) -> IndexArray:
    """Where each place is filled from, by where each entry goes; nobody can write to it."""
    sources = np.argsort(targets)
    sources.setflags(write=False)
    return sources


class Symmetry:
    """A turn of the board together with the colours; seats and the order of play stay.

    What it does to arrays are permutations of their last axis, so that whole batches turn at once, on any device::

        turned = observations[..., symmetry.observation_index]

    Attributes
    ----------
    name:
        ``turn 60``: the degrees, clockwise.
    turns:
        the same in steps of 60 degrees, 0 to 5.
    num_players:
        of the games it is for.
    colours, spaces:
        dicts by name: the hunter each hunter becomes, and the space each space goes to.
    observation_index:
        ``int64[D]``: ``observation[..., observation_index]`` is the turned observation, without ``history``.
    mask_index:
        ``int64[A]``: ``mask[..., mask_index]`` is the turned mask; logits and policies turn in the same way.
    action_index:
        ``int64[A]``: the turned id of each action id.
    """

    def __init__(self, turns: int, num_players: int) -> None:
        """Use ``Game.symmetries``. Raises ``ValueError`` for a turn that is none for games of so many players."""
        swaps = _swaps(turns, num_players) if turns in range(TURNS if SYMMETRIC else 1) else None
        if swaps is None:
            raise ValueError(f"turns={turns!r}: it does not map games of {num_players} players onto themselves")
        turned = _turned(turns, swaps)
        self.name = f"turn {360 // TURNS * turns}"
        self.turns = turns
        self.num_players = num_players
        self.colours = {HUNTERS[k]: HUNTERS[turned.hunters[k]] for k in range(len(HUNTERS))}
        self.spaces = {SPACE_NAMES[k]: SPACE_NAMES[turned.spaces[k]] for k in range(SPACES)}
        self.action_index = _action_targets(turned)
        self.action_index.setflags(write=False)
        self.mask_index = _inverted(self.action_index)
        self.observation_index = _inverted(_observation_targets(turned))
        self._event_a, self._event_b = _event_numbers(turned)
        terrains = {TERRAINS[k]: TERRAINS[turned.hunters[k]] for k in range(len(TERRAINS))}
        cards = {str(CARD_NAMES[k]): str(CARD_NAMES[turned.cards[k]]) for k in range(CARD_SLOTS) if CARD_NAMES[k]}
        self._words = {**self.colours, **self.spaces, **terrains, **cards}
        self._slots = {SLOTS[k]: SLOTS[turned.slots[k]] for k in range(len(SLOTS))}

    @property
    def inverse(self) -> Symmetry:
        """The turn that takes everything back."""
        return Symmetry(-self.turns % TURNS, self.num_players)

    def position(self, position: Position) -> Position:
        """The turned position, as if read from its dict form: its ``history`` begins there.

        The cards of hands and of the deck keep their order and the generator its words, so that chance goes on as in
        the original until cards are taken in the order of their numbers, which the turn changes: when the discard pile
        is shuffled (D4.4) and when an evil curse discards a hand (D8.3).

        Raises ``ValueError`` for a position of another game or number of players.
        """
        spec = position.game.spec
        if spec.name != "dracheninsel" or position.game.num_players != self.num_players:
            raise ValueError(
                f"position={position!r} of {position.game.num_players} players; "
                f"allowed: positions of dracheninsel, {self.num_players} players"
            )
        data: dict[str, Any] = self._renamed(position.to_dict())
        # Once nobody is active, the lists are not those of a hunter by name.
        listed = data["turn"]["listed"]
        data["turn"]["listed"] = {self._slots.get(name, name): spaces for name, spaces in listed.items()}
        return position.game.from_dict(data)

    def _renamed(self, part: Any) -> Any:
        """A part of a dict form, with the turned word for each word that has one."""
        if isinstance(part, dict):
            return {self._words.get(key, key): self._renamed(entry) for key, entry in part.items()}
        if isinstance(part, list):
            return [self._renamed(entry) for entry in part]
        return self._words.get(part, part) if isinstance(part, str) else part

    def observation(self, observations: NDArray[Any]) -> NDArray[Any]:
        """The turned observations, a new array: one or any batch, ``[..., D]`` or with history ``[..., D + 4 * K]``.

        ``float32`` or ``int8``. Raises ``ValueError`` for another dtype or last axis.
        """
        given = np.asarray(observations)
        size = OBSERVATION.size
        more = given.shape[-1] - size if given.ndim else -1
        width = len(HISTORY)
        if given.dtype not in (np.float32, np.int8) or more % width or not 0 <= more <= width * RING:
            raise ValueError(
                f"observations: {given.dtype}{list(given.shape)} given, allowed: float32 or int8 with a last axis of "
                f"{size}, or {width} more for each event of the history, at most {RING}"
            )
        if not more:
            return given[..., self.observation_index]
        turned = np.empty_like(given)
        turned[..., :size] = given[..., self.observation_index]
        events = given[..., size:].reshape(*given.shape[:-1], more // width, width)
        turned[..., size:] = self._events(events).reshape(*given.shape[:-1], more)
        return turned

    def _events(self, events: NDArray[Any]) -> NDArray[Any]:
        """Turned events, ``[..., 4]`` of shares or counts."""
        largest = np.array([section.largest for section in HISTORY], np.float32)
        scaled = events.dtype == np.float32
        counts = np.rint(events * largest).astype(np.int8) if scaled else events.copy()
        kind, a, b = counts[..., 0], counts[..., 2].copy(), counts[..., 3].copy()
        robs = (kind == Event.DECLARE) & (a == HIDDEN_DETAIL + Task.SNEAK_ATTACK)
        counts[..., 2] = self._event_a[kind, a]
        counts[..., 3] = np.where(robs, b, self._event_b[kind, b])
        # The same product as where observations are written, so that the shares are equal to the last bit.
        return counts.astype(np.float32) * (np.float32(1.0) / largest) if scaled else counts

    def action(self, actions: Any) -> Any:
        """The turned id of an action, an ``int``, or those of an array of ids, ``int64`` in its shape.

        Raises ``ValueError`` for what is no integer or outside of the action space.
        """
        number = as_integer(actions)
        if number is not None:
            if not 0 <= number < ACTIONS.size:
                raise ValueError(f"actions={actions!r}; allowed: 0 to {ACTIONS.size - 1}")
            return int(self.action_index[number])
        ids = np.asarray(actions)
        if not np.issubdtype(ids.dtype, np.integer) or (ids.size and not 0 <= ids.min() <= ids.max() < ACTIONS.size):
            raise ValueError(f"actions={actions!r}; allowed: integers from 0 to {ACTIONS.size - 1}")
        return self.action_index[ids]

    def mask(self, masks: NDArray[Any]) -> NDArray[Any]:
        """The turned masks, a new array: one or any batch, ``[..., A]`` of any dtype; logits and policies too.

        Raises ``ValueError`` for another last axis.
        """
        given = np.asarray(masks)
        if not given.ndim or given.shape[-1] != ACTIONS.size:
            raise ValueError(f"masks: shape {given.shape} given, allowed: a last axis of {ACTIONS.size}")
        return given[..., self.mask_index]

    def __eq__(self, other: object) -> bool:
        """The same turn for games of as many players."""
        if not isinstance(other, Symmetry):
            return NotImplemented
        return (self.turns, self.num_players) == (other.turns, other.num_players)

    def __hash__(self) -> int:
        """Equal for equal symmetries."""
        return hash((self.turns, self.num_players))

    def __repr__(self) -> str:
        """What it is."""
        return f"<Symmetry {self.name!r} for {self.num_players} players>"


def symmetries(options: DracheninselOptions) -> tuple[Symmetry, ...]:
    """The turns that map games with these options onto themselves; that by 0 degrees comes first.

    With the packaged components: all six for five and six players. Two, by 0 and 180 degrees, for four, since another
    turn gives colours that do not play; and for three, since after another turn the first hunter of some players would
    be their second and of others not. Only that by 0 degrees if boats, deck or printed layout are not symmetric.
    """
    return tuple(
        Symmetry(turns, options.num_players)
        for turns in range(TURNS if SYMMETRIC else 1)
        if _swaps(turns, options.num_players) is not None and (options.layout == "random" or _keeps_the_start(turns))
    )
