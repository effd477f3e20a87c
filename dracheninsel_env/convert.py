"""Positions as dicts of names, and the invariants of a position (``docs/dracheninsel/position.md`` describes the dict).

`to_dict` writes a record completely, `from_dict` builds one from a complete or partial dict. What a position may be is
written once, in the ``_..._problems`` functions: `from_dict` refuses what `check` would find, in the words of the dict.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, NamedTuple, Protocol

import numpy as np

from dracheninsel_env.board import CELLS, FIRST_BOAT, LANDINGS, SITE, SPACE_NAMES, SPACES, TERRAIN_OF
from dracheninsel_env.components import (
    BOATS_FOUR,
    CARD_NAMES,
    CARD_SLOTS,
    CARD_TASKS,
    CLOCKWISE,
    COINS,
    COINS_EACH,
    COPIES,
    DISCS_EACH,
    DRAGONS,
    HAND_SIZE,
    NUM_CARDS,
    SEATS_THREE,
    TERRAIN_CARD_SLOTS,
)
from dracheninsel_env.decisions import DECISION_NAMES, Decision, Stage
from dracheninsel_env.events import EVENTS, Event
from dracheninsel_env.rules import engine
from dracheninsel_env.state import COLLECTED, NATURAL, REMOVED, RUNNING, STATE, STOCK, TRUNCATED
from dracheninsel_env.vocab import HUNTERS, TASKS, TERRAINS, Task
from island_core import rng
from island_core.errors import InvariantError, PositionError
from island_core.events import EVERYBODY, RING
from island_core.layout import States

__all__ = ["InvariantError", "PositionError", "check", "from_dict", "to_dict"]

Dict = dict[str, Any]

_GAME = "dracheninsel"
_SEATS = 6
_STOLEN = 5
_PLAYERS = tuple(f"player_{seat}" for seat in range(_SEATS))
_SLOTS = ("first", "second")
_OUTCOMES = ("running", "natural", "truncated")
_STAGES = tuple(stage.name.lower().replace("_", " ") for stage in Stage)
_OFF_BOARD = {"stock": STOCK, "collected": COLLECTED, "removed": REMOVED}
_VALUES = tuple(str(int(value)) for value in COINS)

_OPTION_KEYS = ("num_players", "polls", "layout", "slumber_on_arrival", "max_turns")
_TURN_KEYS = ("active", "number", "acts", "mover", "freed", "left_alone", "listed", "stage", "guest")
_UNDO_KEYS = (
    "hunters", "treasures", "dragons", "mover", "freed", "left_alone", "listed", "swap", "stolen", "discarded",
)  # fmt: skip
_KEYS = (
    "game", "options", "seats", "discs", "hunters", "treasures", "dragons", "coins", "hands", "discard", "table",
    "deck", "certain", "turn", "stack", "undo", "outcome", "rng", "events",
)  # fmt: skip


class Options(Protocol):
    """The options of a game, as `from_dict` reads them."""

    @property
    def num_players(self) -> int:
        """3 to 6."""

    @property
    def polls(self) -> str:
        """``holders`` or ``all``."""

    @property
    def layout(self) -> str:
        """``standard`` or ``random``."""

    @property
    def slumber_on_arrival(self) -> bool:
        """Whether a slumber window opens after a lone arrival."""

    @property
    def max_turns(self) -> int:
        """Turns before truncation."""


class _Problem(NamedTuple):
    """What is wrong with a position, in the words of the dict."""

    key: str
    given: str
    allowed: str

    def __str__(self) -> str:
        return f"{self.key}: {self.given} given, allowed: {self.allowed}"


def _refusal(key: str, given: Any, allowed: str) -> PositionError:
    """The complaint about one key; ``given`` is a value of the dict."""
    return PositionError(str(_Problem(key, repr(given), allowed)))


# ---- Words and numbers -----------------------------------------------------------------------------------------------


class _Codec(NamedTuple):
    """One kind of value: its range in the record, its word, and its number from a word (key for complaints)."""

    least: int
    most: int
    write: Callable[[int], Any]
    read: Callable[[str, Any], int]


def _words(words: Sequence[str | None], allowed: str = "") -> _Codec:
    """Words numbered in order; None for a number that has none."""
    known = {word: number for number, word in enumerate(words) if word is not None}

    def read(key: str, value: Any) -> int:
        if isinstance(value, str) and value in known:
            return known[value]
        close = difflib.get_close_matches(value, list(known), 3) if isinstance(value, str) and len(known) > 12 else []
        like = f" (close: {', '.join(close)})" if close else ""
        raise _refusal(key, value, (allowed or ", ".join(known)) + like)

    return _Codec(0, len(words) - 1, lambda number: words[number], read)


def _number(least: int, most: int) -> _Codec:
    """A whole number; true and false are none."""

    def read(key: str, value: Any) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return value
        raise _refusal(key, value, f"a whole number from {least} to {most}")

    return _Codec(least, most, lambda number: number, read)


def _or_none(codec: _Codec, none: Any) -> _Codec:
    """Also -1, written as ``none``."""

    def read(key: str, value: Any) -> int:
        return -1 if value == none and type(value) is type(none) else codec.read(key, value)

    return _Codec(-1, codec.most, lambda number: none if number < 0 else codec.write(number), read)


def _coin_value() -> _Codec:
    """A treasure by the value of its coins, as a number."""
    values = [int(value) for value in COINS]

    def read(key: str, value: Any) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and value in values:
            return values.index(value)
        raise _refusal(key, value, ", ".join(_VALUES))

    return _Codec(0, len(values) - 1, values.__getitem__, read)


_SPACE = _words(SPACE_NAMES, "a1 to i5 and boat-red to boat-blue, as in D1.3")
_CELL = _words(SPACE_NAMES[:CELLS], "a1 to i5, as in D1.3")
_HUNTER = _words(HUNTERS)
_TERRAIN = _words(TERRAINS)
_CARD = _words(CARD_NAMES)
_TASK = _words(TASKS)
_TREASURE = _coin_value()
_STAGE = _words(_STAGES)
_OUTCOME = _words(_OUTCOMES)
_DECISION = _words([name or None for name in DECISION_NAMES])


@lru_cache(maxsize=8)
def _player(players: int) -> _Codec:
    return _words(_PLAYERS[:players])


def _list(key: str, value: Any, most: int, what: str) -> list[Any]:
    """A list of at most so many entries."""
    if not isinstance(value, list | tuple):
        raise _refusal(key, value, f"a list of {what}")
    if len(value) > most:
        raise _refusal(key, value, f"at most {most} {what}")
    return list(value)


def _all(key: str, value: Any, codec: _Codec, most: int, what: str) -> list[int]:
    """The numbers of a list of words."""
    return [codec.read(f"{key}[{n}]", entry) for n, entry in enumerate(_list(key, value, most, what))]


def _set(key: str, value: Any, codec: _Codec, what: str) -> int:
    """The bit set of a list of different words."""
    numbers = _all(key, value, codec, codec.most + 1, what)
    if len(set(numbers)) != len(numbers):
        raise _refusal(key, value, f"different {what}")
    return sum(1 << number for number in numbers)


def _bits(mask: int, codec: _Codec) -> list[Any]:
    """The words of a bit set, in order."""
    return [codec.write(k) for k in range(codec.most + 1) if mask >> k & 1]


def _table(key: str, value: Any, keys: Sequence[str] | None = None, what: str = "names") -> Dict:
    """A dict with keys that exist; any string if ``keys`` is None."""
    if not isinstance(value, dict):
        raise _refusal(key or "position", value, f"a dict by {what}" if keys is None else "a dict")
    for name in value:
        if not isinstance(name, str):
            raise _refusal(key or "position", name, "strings as keys")
        if keys is not None and name not in keys:
            full = f"{key}.{name}" if key else name
            raise PositionError(f"{full}: an unknown key given, allowed: {', '.join(keys)}")
    return value


# ---- Details of frames and events ------------------------------------------------------------------------------------

_FRAME_KEYS: dict[int, tuple[str, str]] = {
    Decision.FLYER: ("", ""),
    Decision.FLIGHT: ("hunter", ""),
    Decision.EXIT: ("hunter", ""),
    Decision.AMBUSH: ("hunter", ""),
    Decision.FIRST_DISC: ("task", ""),
    Decision.SECOND_DISC: ("task", "space"),
    Decision.DRAGON: ("", ""),
    Decision.DRAGON_SPACE: ("dragon", ""),
    Decision.JOURNEY_CARD: ("", ""),
    Decision.JOURNEY_TERRAIN: ("card", ""),
    Decision.FEAR_TARGET: ("", ""),
    Decision.ROB_TARGET: ("", ""),
    Decision.SLUMBER: ("", ""),
    Decision.COUNTER: ("task", "target"),
    Decision.ASLEEP: ("", ""),
    Decision.EXCHANGE: ("", ""),
    Decision.BETRAYAL: ("claimed_by", "guest"),
}
"""What details ``a`` and ``b`` of a frame above the bottom one are called in the dict."""

_POLLS = (Decision.SLUMBER, Decision.COUNTER, Decision.BETRAYAL)
"""Decisions of others than the active player."""

_EVENT_KEYS: dict[int, tuple[str, str]] = {
    Event.TURN: ("", ""),
    Event.DRAW: ("card", ""),
    Event.SHUFFLE: ("", ""),
    Event.PAY: ("card", ""),
    Event.TASK: ("card", "task"),
    Event.DISCARD: ("card", ""),
    Event.ROB: ("card", "victim"),
    Event.GIVE_BACK: ("card", "owner"),
    Event.TAKE_BACK: ("card", ""),
    Event.STEP: ("hunter", "space"),
    Event.LAND: ("hunter", "space"),
    Event.PAIR: ("hunter", "partner"),
    Event.HOME: ("hunter", ""),
    Event.SWAP: ("first", "second"),
    Event.DRAGON: ("from", "to"),
    Event.ANNOUNCE: ("", "terrain"),
    Event.REMOVED: ("treasure", ""),
    Event.LAID: ("treasure", ""),
    Event.DECLARE: ("task", "target"),
    Event.UNDO: ("", ""),
    Event.SHARE: ("treasure", ""),
    Event.COINS: ("treasure", "number"),
    Event.END: ("outcome", ""),
}
_SEATLESS = (Event.SHUFFLE, Event.REMOVED, Event.LAID, Event.END)
_NOTHING = _or_none(_number(-1, -1), None)
"""An unused detail: -1."""


@lru_cache(maxsize=8)
def _detail_codecs(players: int) -> dict[str, _Codec]:
    """The codec of each detail of frames and events, but for ``dragon`` and ``target``."""
    player = _player(players)
    return {
        "": _NOTHING,
        "hunter": _HUNTER,
        "partner": _HUNTER,
        "guest": _HUNTER,
        "task": _TASK,
        "card": _CARD,
        "terrain": _TERRAIN,
        "treasure": _TREASURE,
        "space": _SPACE,
        "first": _CELL,
        "second": _CELL,
        "to": _CELL,
        "from": _or_none(_CELL, "outside"),
        "victim": player,
        "owner": player,
        "claimed_by": _or_none(player, None),
        "number": _number(1, COINS_EACH),
        "outcome": _words(("natural", "truncated")),
    }


def _target(task: int, players: int) -> _Codec:
    """The codec of ``target``: a hunter, a player, nothing."""
    return {Task.FEAR_AND_TERROR: _HUNTER, Task.SNEAK_ATTACK: _player(players)}.get(Task(task), _NOTHING)


def _dragon_place(dragon_at: Sequence[int]) -> _Codec:
    """The codec of ``dragon``: the number of a dragon by the space where it stands, the first one outside."""

    def read(key: str, value: Any) -> int:
        places = [_or_none(_CELL, "outside").write(place) for place in dragon_at]
        if value in places:
            return places.index(value)
        raise _refusal(key, value, f"where a dragon is: {', '.join(dict.fromkeys(places))}")

    return _Codec(0, DRAGONS - 1, lambda n: _or_none(_CELL, "outside").write(dragon_at[n]), read)


# ---- Writing ---------------------------------------------------------------------------------------------------------


def _plain(states: States, i: int) -> SimpleNamespace:
    """A record as Python numbers and lists, by field name."""
    names = [field.name for field in STATE.fields]
    return SimpleNamespace(**{name: np.asarray(states[name][i]).tolist() for name in names})


def to_dict(states: States, i: int) -> Dict:
    """Position ``i`` by names, complete and ready for JSON; `from_dict` gives the same record back, byte for byte."""
    s = _plain(states, i)
    players = range(s.num_players)
    playing = [hunter for hunter in range(_SEATS) if s.owner[hunter] >= 0]
    hands = [[CARD_NAMES[card] for card in s.hand[seat][: s.hand_size[seat]]] for seat in players]
    return {
        "game": _GAME,
        "options": {
            "num_players": s.num_players,
            "polls": "all" if s.polls_all else "holders",
            "layout": "random" if s.random_layout else "standard",
            "slumber_on_arrival": bool(s.slumber_on_arrival),
            "max_turns": s.max_turns,
        },
        "seats": {_PLAYERS[seat]: [HUNTERS[h] for h in s.hunters[seat] if h >= 0] for seat in players},
        "discs": {SPACE_NAMES[cell]: TERRAINS[s.terrain[cell]] for cell in range(CELLS) if cell != SITE},
        "hunters": {HUNTERS[hunter]: SPACE_NAMES[s.at[hunter]] for hunter in playing},
        "treasures": _treasures_dict(s.treasure_at),
        "dragons": [SPACE_NAMES[cell] for cell in s.dragon_at if cell >= 0],
        "coins": {
            _PLAYERS[seat]: [int(COINS[k]) for k in range(len(COINS)) for _ in range(s.coins[seat][k])]
            for seat in players
        },
        "hands": {_PLAYERS[seat]: hands[seat] for seat in players},
        "discard": {str(CARD_NAMES[card]): number for card, number in enumerate(s.discard) if number},
        "table": {str(CARD_NAMES[card]): number for card, number in enumerate(s.table) if number},
        "deck": [CARD_NAMES[card] for card in reversed(s.deck[: s.deck_size])],
        "certain": _certain_dict(s),
        "turn": _turn_dict(s),
        "stack": [_frame_dict(s, place) for place in range(1, s.depth)],
        "undo": _undo_dict(s),
        "outcome": _OUTCOMES[s.outcome],
        "rng": [f"{word:016x}" for word in s.rng],
        "events": {
            "total": s.event_total,
            "last": [
                _event_dict(s.event_log[n % RING], s.num_players)
                for n in range(max(s.event_total - RING, 0), s.event_total)
            ],
        },
    }


def _treasures_dict(treasure_at: list[int]) -> Dict:
    words = {place: word for word, place in _OFF_BOARD.items()}
    return {_VALUES[k]: words.get(place) or SPACE_NAMES[place] for k, place in enumerate(treasure_at)}


def _certain_dict(s: SimpleNamespace) -> Dict:
    """Who is certain of which cards in whose hand; empty ones are left out."""
    certain: Dict = {}
    for observer in range(s.num_players):
        for seat in range(s.num_players):
            places = [place for place in range(s.hand_size[seat]) if s.knowers[seat][place] >> observer & 1]
            if places:
                cards = [CARD_NAMES[s.hand[seat][place]] for place in places]
                certain.setdefault(_PLAYERS[observer], {})[_PLAYERS[seat]] = cards
    return certain


def _listed_dict(cells: list[int], boats: list[int], names: Sequence[str]) -> Dict:
    """The lists of D4.6 by own hunter; an empty one is left out."""
    listed = {}
    for slot, name in enumerate(names):
        spaces = _bits(cells[slot] | boats[slot] << CELLS, _SPACE)
        if spaces:
            listed[name] = spaces
    return listed


def _list_names(s: SimpleNamespace, own: bool) -> list[str]:
    """What the two lists are called: by the active player's hunters, or first and second."""
    if not own:
        return list(_SLOTS)
    hunters = s.hunters[s.frame_seat[0]]
    return [HUNTERS[hunter] if hunter >= 0 else _SLOTS[slot] for slot, hunter in enumerate(hunters)]


def _turn_dict(s: SimpleNamespace) -> Dict:
    running = s.depth > 0
    turn: Dict = {
        "active": _PLAYERS[s.frame_seat[0]] if running else None,
        "number": s.turns,
        "acts": s.acts,
        "mover": HUNTERS[s.mover] if s.mover >= 0 else None,
        "freed": _bits(s.freed, _TERRAIN),
        "left_alone": _bits(s.left_alone, _HUNTER),
        "listed": _listed_dict(s.listed_cells, s.listed_boats, _list_names(s, running)),
        "stage": _STAGES[s.frame_a[0]] if running else None,
    }
    if running and s.frame_b[0] >= 0:
        turn["guest"] = HUNTERS[s.frame_b[0]]
    return turn


def _frame_dict(s: SimpleNamespace, place: int) -> Dict:
    decision, a, b = s.frame_decision[place], s.frame_a[place], s.frame_b[place]
    frame: Dict = {"decision": DECISION_NAMES[decision], "player": _PLAYERS[s.frame_seat[place]]}
    for name, value in zip(_FRAME_KEYS[decision], (a, b), strict=True):
        codec = _frame_codec(s, name, a)
        if codec is not _NOTHING:
            frame[name] = codec.write(value)
    return frame


def _frame_codec(s: SimpleNamespace, name: str, task: int) -> _Codec:
    """The codec of one detail of a frame."""
    if name == "target":
        return _target(task, s.num_players)
    return _dragon_place(s.dragon_at) if name == "dragon" else _detail_codecs(s.num_players)[name]


_UNDO_FIELDS = tuple(field.name for field in STATE.fields if field.name.startswith("undo_"))


def _no_undo(s: SimpleNamespace) -> bool:
    """Whether no act was begun in this game yet."""
    return not any(np.any(getattr(s, name)) for name in _UNDO_FIELDS)


def _undo_dict(s: SimpleNamespace) -> Dict | None:
    if _no_undo(s):
        return None
    names = _list_names(s, s.depth > 0 and s.acts > 0)
    stolen = range(s.undo_stolen)
    return {
        "hunters": {HUNTERS[h]: SPACE_NAMES[s.undo_at[h]] for h in range(_SEATS) if s.undo_at[h] >= 0},
        "treasures": _treasures_dict(s.undo_treasure_at),
        "dragons": [SPACE_NAMES[cell] for cell in s.undo_dragon_at if cell >= 0],
        "mover": HUNTERS[s.undo_mover] if s.undo_mover >= 0 else None,
        "freed": _bits(s.undo_freed, _TERRAIN),
        "left_alone": _bits(s.undo_left_alone, _HUNTER),
        "listed": _listed_dict(s.undo_listed_cells, s.undo_listed_boats, names),
        "swap": [SPACE_NAMES[cell] for cell in s.undo_swap] if s.undo_swap[0] != s.undo_swap[1] else [],
        "stolen": [
            {"card": CARD_NAMES[s.undo_stolen_card[k]], "from": _PLAYERS[s.undo_stolen_seat[k]]} for k in stolen
        ],
        "discarded": [CARD_NAMES[card] for card in s.undo_discarded_card[: s.undo_discarded]],
    }


def _event_codec(name: str, a: int, players: int) -> _Codec:
    """The codec of one detail of an event."""
    return _target(a, players) if name == "target" else _detail_codecs(players)[name]


def _event_dict(row: list[int], players: int) -> Dict:
    """One row of the ring: ``event``, ``player``, its details, ``seen_by`` if not everybody sees the card."""
    kind, seat, a, b, seen_by = row
    entry: Dict = {"event": EVENTS.names[kind]}
    if seat >= 0:
        entry["player"] = _PLAYERS[seat]
    for name, value in zip(_EVENT_KEYS[kind], (a, b), strict=True):
        if name:
            entry[name] = _event_codec(name, a, players).write(value)
    if seen_by != EVERYBODY:
        entry["seen_by"] = _bits(seen_by, _player(players))
    return entry


# ---- Invariants ------------------------------------------------------------------------------------------------------

_ANY_CELLS = (1 << CELLS) - 1
_RANGES: dict[str, tuple[int, int]] = {
    "num_players": (3, _SEATS),
    "polls_all": (0, 1),
    "slumber_on_arrival": (0, 1),
    "random_layout": (0, 1),
    "max_turns": (1, 32767),
    "owner": (-1, _SEATS - 1),
    "hunters": (-1, _SEATS - 1),
    "terrain": (-1, len(TERRAINS) - 1),
    "at": (-1, SPACES - 1),
    "treasure_at": (REMOVED, SPACES - 1),
    "dragon_at": (-1, CELLS - 1),
    "coins": (0, COINS_EACH),
    "hand_size": (0, HAND_SIZE),
    "hand": (0, CARD_SLOTS - 1),
    "knowers": (0, EVERYBODY),
    "deck_size": (0, NUM_CARDS),
    "deck": (0, CARD_SLOTS - 1),
    "discard": (0, NUM_CARDS),
    "table": (0, NUM_CARDS),
    "depth": (0, 3),
    "frame_decision": (0, len(Decision) - 1),
    "frame_seat": (0, _SEATS - 1),
    "frame_a": (-1, SPACES - 1),
    "frame_b": (-1, SPACES - 1),
    "turns": (0, 32767),
    "outcome": (RUNNING, TRUNCATED),
    "acts": (0, 100),
    "mover": (-1, _SEATS - 1),
    "freed": (0, 63),
    "left_alone": (0, 63),
    "listed_cells": (0, _ANY_CELLS),
    "listed_boats": (0, 63),
    "undo_at": (-1, SPACES - 1),
    "undo_treasure_at": (REMOVED, SPACES - 1),
    "undo_dragon_at": (-1, CELLS - 1),
    "undo_mover": (-1, _SEATS - 1),
    "undo_freed": (0, 63),
    "undo_left_alone": (0, 63),
    "undo_listed_cells": (0, _ANY_CELLS),
    "undo_listed_boats": (0, 63),
    "undo_swap": (0, CELLS - 1),
    "undo_stolen": (0, _STOLEN),
    "undo_stolen_card": (0, CARD_SLOTS - 1),
    "undo_stolen_seat": (0, _SEATS - 1),
    "undo_discarded": (0, HAND_SIZE),
    "undo_discarded_card": (0, CARD_SLOTS - 1),
    "event_total": (0, 2**31 - 1),
}
"""Least and largest value of each field, so that the other checks may use them as indices."""


def _range_problems(states: States, i: int) -> Iterator[_Problem]:
    for name, (least, most) in _RANGES.items():
        values = np.asarray(states[name][i])
        if values.min() < least or values.max() > most:
            yield _Problem(f"field {name}", f"{values.min()} to {values.max()}", f"{least} to {most}")
    if not np.any(states["rng"][i]):
        yield _Problem("rng", "four zeros", "words that are not all zero")


def _problems(s: SimpleNamespace) -> Iterator[_Problem]:
    """All that is wrong with a position, but for its legal actions. Later questions rely on the earlier ones."""
    yield from _seat_problems(s)
    yield from _disc_problems(s)
    yield from _card_problems(s)
    yield from _certain_problems(s)
    yield from _coin_problems(s)
    yield from _turn_problems(s)
    yield from _stack_problems(s)
    yield from _place_problems(s)
    yield from _undo_problems(s)
    yield from _event_problems(s)


@lru_cache(maxsize=8)
def _seatings(players: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """D3.2, D9.1: every seating, the default one first: the hunters of each seat in hunter order."""
    if players == 3:
        circles: list[list[tuple[int, ...]]] = [[(min(pair), max(pair)) for pair in SEATS_THREE]]
    elif players == 4:
        circles = [[(hunter,) for hunter in BOATS_FOUR]]
    else:
        outside = reversed(CLOCKWISE) if players == 5 else [-1]
        circles = [[(hunter,) for hunter in CLOCKWISE if hunter != out] for out in outside]
    return tuple((*circle[turn:], *circle[:turn]) for circle in circles for turn in range(players))


def _seat_problems(s: SimpleNamespace) -> Iterator[_Problem]:
    """D3.2, D9.1: who sits where; who plays stands somewhere."""
    seats = tuple(tuple(h for h in s.hunters[seat] if h >= 0) for seat in range(s.num_players))
    if seats not in _seatings(s.num_players) or any(h >= 0 for row in s.hunters[s.num_players :] for h in row):
        given = "; ".join(", ".join(HUNTERS[h] for h in seat) or "nobody" for seat in seats)
        yield _Problem("seats", given, "the hunters in the clockwise order of their boats (D3.2, D9.1)")
    owners = [next((seat for seat, own in enumerate(seats) if h in own), -1) for h in range(_SEATS)]
    if owners != s.owner:
        yield _Problem("seats", f"owners {s.owner}", f"{owners}, as the hunters of each seat say")
    for hunter, name in enumerate(HUNTERS):
        if (s.at[hunter] >= 0) != (s.owner[hunter] >= 0):
            given = SPACE_NAMES[s.at[hunter]] if s.at[hunter] >= 0 else "no space"
            yield _Problem(f"hunters.{name}", given, "a space for each hunter that plays, none for the others")


def _disc_problems(s: SimpleNamespace) -> Iterator[_Problem]:
    """D1.2: ten discs each, none on the site."""
    if s.terrain[SITE] >= 0:
        yield _Problem("discs.e5", TERRAINS[s.terrain[SITE]], "nothing, it is the treasure site")
    for terrain, name in enumerate(TERRAINS):
        if s.terrain.count(terrain) != DISCS_EACH:
            yield _Problem("discs", f"{s.terrain.count(terrain)} of {name}", f"{DISCS_EACH} of each terrain")


def _card_problems(s: SimpleNamespace) -> Iterator[_Problem]:
    """D2.3, D2.4: every card in exactly one zone; unused places are 0."""
    found = Counter(s.deck[: s.deck_size])
    for zone in (s.discard, s.table):
        found.update(dict(enumerate(zone)))
    for seat, hand in enumerate(s.hand):
        size = s.hand_size[seat]
        found.update(hand[:size])
        if any(hand[size:]) or (seat >= s.num_players and size):
            yield _Problem(f"hands.{_PLAYERS[seat]}", f"{size} cards and {hand}", "zeros in unused places")
    if any(s.deck[s.deck_size :]):
        yield _Problem("deck", "cards beyond its size", "zeros in unused places")
    yield from _copy_problems(found)


def _copy_problems(found: Counter[int]) -> Iterator[_Problem]:
    for card, copies in enumerate(COPIES.tolist()):
        if found[card] != copies:
            where = "in hands, discard, table and deck"
            yield _Problem("cards", f"{found[card]} {CARD_NAMES[card] or f'of slot {card}'}", f"{copies} {where}")


def _certain_problems(s: SimpleNamespace) -> Iterator[_Problem]:
    """Among equal cards of one hand the sets of those who are certain are nested, the first the largest."""
    nobody = EVERYBODY & ~((1 << s.num_players) - 1)
    for seat in range(_SEATS):
        last: dict[int, int] = {}
        for place, known in enumerate(s.knowers[seat]):
            key = f"certain of {_PLAYERS[seat]}, card {place}"
            if place >= s.hand_size[seat]:
                if known:
                    yield _Problem(key, f"{known:06b}", "nobody where no card is")
                continue
            if known >> seat & 1:
                yield _Problem(key, "the owner", "other players")
            if known & nobody:
                yield _Problem(key, f"{known:06b}", "nobody at a seat where nobody sits")
            card = s.hand[seat][place]
            if known & ~last.get(card, known):
                yield _Problem(key, f"{known:06b}", f"those certain of the {CARD_NAMES[card]} before it")
            last[card] = known


def _coin_problems(s: SimpleNamespace) -> Iterator[_Problem]:
    """D2.2: a collected treasure has both coins with players, any other none."""
    for k, place in enumerate(s.treasure_at):
        paid = sum(coins[k] for coins in s.coins)
        if paid != (COINS_EACH if place == COLLECTED else 0):
            allowed = f"{COINS_EACH} coins for a collected treasure, none for any other"
            yield _Problem("coins", f"{paid} coins of {_VALUES[k]}", allowed)
    if any(any(coins) for coins in s.coins[s.num_players :]):
        yield _Problem("coins", "coins where nobody sits", "none")


def _treasure_problems(key: str, treasure_at: list[int], at: list[int], boats: bool) -> Iterator[_Problem]:
    """D6.4: the treasures are laid in ascending order; one under way is with a hunter."""
    laid = [k for k, place in enumerate(treasure_at) if place != STOCK]
    if laid != list(range(len(laid))):
        given = f"{_VALUES[treasure_at.index(STOCK)]} in stock and {_VALUES[laid[-1]]} laid"
        yield _Problem(f"{key}treasures", given, "in stock only what is above all treasures laid")
    on_site = [k for k, place in enumerate(treasure_at) if place == SITE]
    if on_site not in ([], laid[-1:]) or (not on_site and len(laid) < len(treasure_at)):
        given = f"{', '.join(_VALUES[k] for k in on_site) or 'nothing'} on the site"
        yield _Problem(f"{key}treasures", given, "the highest treasure laid on the site while others are in stock")
    for k, place in enumerate(treasure_at):
        if place < 0 or place == SITE:
            continue
        name = f"{key}treasures.{_VALUES[k]}"
        if place >= FIRST_BOAT and not boats:
            yield _Problem(name, SPACE_NAMES[place], "a boat in the stages delivery and settle only")
        if place not in at:
            yield _Problem(name, f"{SPACE_NAMES[place]}, where nobody stands", "a space with its carriers")
        if treasure_at.index(place) < k:
            yield _Problem(name, f"{SPACE_NAMES[place]}, where another one is", "one treasure on a space")


def _hunter_problems(
    key: str, at: list[int], treasure_at: list[int], pair_on_site: bool, ambushed: int
) -> Iterator[_Problem]:
    """D6, D7: how many hunters share a space. ``ambushed`` is the space of a pending ambush, -1 if none."""
    for space, number in Counter(at).items():
        if not 0 <= space < CELLS:
            continue
        most = 1
        if space == SITE:
            most = 2 if pair_on_site else 1
        elif space in treasure_at:
            most = 3 if space == ambushed else 2
        if number > most:
            names = " and ".join(HUNTERS[h] for h in range(_SEATS) if at[h] == space)
            allowed = f"{most} there: two with a treasure, a third in an ambush, two on the site in the exit only"
            yield _Problem(f"{key}hunters", f"{names} on {SPACE_NAMES[space]}", allowed)


def _dragon_problems(key: str, dragon_at: list[int], at: list[int]) -> Iterator[_Problem]:
    """D8.2: where dragons may stand."""
    for dragon, cell in enumerate(dragon_at):
        if cell < 0:
            if any(later >= 0 for later in dragon_at[dragon:]):
                yield _Problem(f"{key}dragons", "one outside before one inside", "those outside last")
            continue
        if cell == SITE or cell in LANDINGS or cell in at or cell in dragon_at[:dragon]:
            allowed = "empty terrain spaces that are no landing, a different one each"
            yield _Problem(f"{key}dragons", SPACE_NAMES[cell], allowed)


def _place_problems(s: SimpleNamespace) -> Iterator[_Problem]:
    """The board: treasures, hunters and dragons."""
    top = s.depth - 1
    decision, hunter = (s.frame_decision[top], s.frame_a[top]) if s.depth else (Decision.NONE, -1)
    boats = s.depth > 0 and s.frame_a[0] in (Stage.DELIVERY, Stage.SETTLE)
    leaves = decision == Decision.EXIT or (decision == Decision.FLIGHT and s.at[hunter] == SITE)
    ambushed = s.at[hunter] if decision == Decision.AMBUSH else -1
    yield from _treasure_problems("", s.treasure_at, s.at, boats)
    yield from _hunter_problems("", s.at, s.treasure_at, leaves and SITE in s.treasure_at, ambushed)
    yield from _dragon_problems("", s.dragon_at, s.at)
    if decision == Decision.EXIT and not (s.at.count(SITE) == 2 and s.at[hunter] == SITE and SITE in s.treasure_at):
        yield _Problem("stack", "exit", "a pair on the site, with its treasure")
    if ambushed >= 0 and not (s.at.count(ambushed) == 3 and ambushed in s.treasure_at and ambushed != SITE):
        allowed = "three hunters with a treasure on a terrain space"
        yield _Problem("stack", f"ambush on {SPACE_NAMES[ambushed]}", allowed)


def _turn_problems(s: SimpleNamespace) -> Iterator[_Problem]:
    """D4: the turn and its privileges, the end of the game."""
    running = s.outcome == RUNNING
    left = any(place >= STOCK for place in s.treasure_at)
    outcome = _OUTCOMES[s.outcome]
    if left == (s.outcome == NATURAL):
        allowed = "natural once no treasure is left on the board or in stock, and only then"
        yield _Problem("outcome", outcome, allowed)
    if running and s.turns >= s.max_turns or s.outcome == TRUNCATED and s.turns != s.max_turns:
        allowed = f"less than {s.max_turns} while running" if running else f"{s.max_turns} when truncated"
        yield _Problem("turn.number", str(s.turns), allowed)
    if running != (s.depth > 0):
        yield _Problem("stack", f"{s.depth} frames", "at least one while running, none after the end")
    if s.acts == 0:
        for name, value in (("mover", s.mover + 1), ("freed", s.freed), ("left_alone", s.left_alone)):
            if value:
                yield _Problem("turn.acts", "0", f"at least 1, as {name} says")
    for bit, hunter in enumerate(HUNTERS):
        if s.left_alone >> bit & 1 and s.owner[bit] < 0:
            yield _Problem("turn.left_alone", hunter, "hunters that play")
    if not running:
        return
    active = s.frame_seat[0]
    if active >= s.num_players:
        yield _Problem("turn.active", _PLAYERS[active], f"one of {s.num_players} players")
    own = [h for h in s.hunters[active] if h >= 0]
    if s.mover >= 0 and s.mover not in own:
        allowed = f"null or the active player's {' or '.join(HUNTERS[h] for h in own)}"
        yield _Problem("turn.mover", HUNTERS[s.mover], allowed)
    for slot, hunter in enumerate(s.hunters[active]):
        spaces = s.listed_cells[slot] | s.listed_boats[slot] << CELLS
        if hunter < 0 and spaces:
            yield _Problem("turn.listed", "a list without a hunter", "lists of the active player's own hunters")
        if hunter >= 0 and not spaces >> s.at[hunter] & 1:
            yield _Problem(f"turn.listed.{HUNTERS[hunter]}", ", ".join(_bits(spaces, _SPACE)), "where he stands too")


_STAGES_OF: dict[int, tuple[Stage, ...]] = {
    Decision.SLUMBER: (Stage.ACT_OVER, Stage.ARRIVED, Stage.DELIVERY),
    Decision.ASLEEP: (Stage.ENDED,),
    Decision.EXCHANGE: (Stage.ENDED,),
    Decision.BETRAYAL: (Stage.SETTLE,),
}
"""The stages in which a decision above the bottom frame may be pending; else the turn is idle."""


def _stack_problems(s: SimpleNamespace) -> Iterator[_Problem]:
    """The stack is sound: a turn at the bottom, above it what may be pending there."""
    unused = range(s.depth, len(s.frame_decision))
    if any(s.frame_decision[k] or s.frame_seat[k] or s.frame_a[k] or s.frame_b[k] for k in unused):
        yield _Problem("stack", "something above the top frame", "zeros in unused frames")
    if not s.depth:
        return
    if s.frame_decision[0] != Decision.TURN:
        yield _Problem("stack", DECISION_NAMES[s.frame_decision[0]] or "nothing", "turn as the bottom frame")
    for place in range(1, s.depth):
        if s.frame_decision[place] not in _FRAME_KEYS:
            given = DECISION_NAMES[s.frame_decision[place]] or "nothing"
            yield _Problem("stack", given, "other decisions than turn above the bottom frame")
        if s.frame_seat[place] >= s.num_players:
            yield _Problem(f"stack[{place - 1}].player", _PLAYERS[s.frame_seat[place]], f"{s.num_players} players")
    kinds = s.frame_decision[1 : s.depth]
    names = ", ".join(DECISION_NAMES[kind] for kind in kinds)
    slumber = [Decision.SLUMBER, Decision.COUNTER]
    if len(kinds) == 2 and (kinds != slumber or s.frame_a[2] != Task.SWEET_SLUMBER):
        yield _Problem("stack", names, "one frame, or slumber and above it the counter to sweet-slumber")
    if kinds == [Decision.COUNTER] and s.frame_a[1] not in (Task.FEAR_AND_TERROR, Task.SNEAK_ATTACK):
        yield _Problem("stack[0].task", str(s.frame_a[1]), "fear-and-terror, sneak-attack")
    yield from _stage_problems(s, kinds[0] if kinds else Decision.TURN)
    for place in range(1, s.depth):
        yield from _frame_problems(s, place)


def _stage_problems(s: SimpleNamespace, decision: int) -> Iterator[_Problem]:
    """The stage of the turn fits what is pending, and the board fits the stage."""
    stage, guest = s.frame_a[0], s.frame_b[0]
    allowed = _STAGES_OF.get(decision, (Stage.IDLE,))
    given = _STAGES[stage] if 0 <= stage < len(_STAGES) else str(stage)
    if stage not in allowed:
        words = " or ".join(_STAGES[each] for each in allowed)
        yield _Problem("turn.stage", given, f"{words} while {DECISION_NAMES[decision]} is pending")
    if s.acts == 0 and decision not in (Decision.TURN, Decision.EXCHANGE):
        yield _Problem("turn.acts", "0", f"at least 1 while {DECISION_NAMES[decision]} is pending")
    if decision == Decision.ASLEEP and s.acts != 1:
        yield _Problem("turn.acts", str(s.acts), "1 while asleep is pending")
    if stage == Stage.ARRIVED and not (
        s.slumber_on_arrival and s.mover >= 0 and s.at[s.mover] == SITE and SITE in s.treasure_at
    ):
        yield _Problem("turn.stage", given, "the mover on the site with a treasure, and option slumber_on_arrival")
    if stage not in (Stage.DELIVERY, Stage.SETTLE):
        if guest != -1:
            yield _Problem("turn.guest", str(guest), "nobody but in the stages delivery and settle")
        return
    boats = [place for place in s.treasure_at if place >= FIRST_BOAT]
    if len(boats) != 1:
        yield _Problem("turn.stage", given, "one treasure in a boat")
    host = boats[0] - FIRST_BOAT
    if not (0 <= guest < _SEATS and guest != host and s.at[host] == s.at[guest] == boats[0]):
        yield _Problem("turn.guest", str(guest), "the carrier whose boat it is not; both stand in it")
    if s.mover not in (host, guest):
        yield _Problem("turn.mover", "no carrier", f"{HUNTERS[host]} or {HUNTERS[guest]}, who deliver")


def _holds(s: SimpleNamespace, seat: int, task: int) -> bool:
    """Whether a hand holds a card with a task."""
    return any(CARD_TASKS[card] >> task & 1 for card in s.hand[seat][: s.hand_size[seat]])


def _frame_problems(s: SimpleNamespace, place: int) -> Iterator[_Problem]:
    """One frame above the bottom one: who decides, and its details."""
    key = f"stack[{place - 1}]"
    decision, seat = s.frame_decision[place], s.frame_seat[place]
    a, b = s.frame_a[place], s.frame_b[place]
    active = s.frame_seat[0]
    for name, value in zip(_FRAME_KEYS[decision], (a, b), strict=True):
        codec = _frame_codec(s, name, a)
        if not codec.least <= value <= codec.most:
            yield _Problem(f"{key}.{name or 'details'}", str(value), f"{codec.least} to {codec.most}")
    if decision in _POLLS:
        yield from _poll_problems(s, place, key)
        return
    if seat != active:
        yield _Problem(f"{key}.player", _PLAYERS[seat], f"the active {_PLAYERS[active]}")
    own = s.hunters[active]
    if decision in (Decision.FLIGHT, Decision.EXIT, Decision.AMBUSH) and (
        a not in own or (s.mover not in (-1, a) if decision == Decision.FLIGHT else s.mover != a)
    ):
        yield _Problem(f"{key}.hunter", HUNTERS[a], "the own hunter that moves in this turn")
    elif decision == Decision.FLYER and (s.num_players != 3 or s.mover >= 0):
        yield _Problem(key, "flyer", "three players, before the first movement of the turn")
    elif decision in (Decision.FIRST_DISC, Decision.SECOND_DISC):
        if a not in (Task.DESTROYING_FORCES, Task.RAGING_ELEMENTS):
            yield _Problem(f"{key}.task", TASKS[a], "destroying-forces, raging-elements")
        if decision == Decision.SECOND_DISC and (b >= CELLS or b == SITE or b in s.at or b in s.dragon_at):
            yield _Problem(f"{key}.space", SPACE_NAMES[b], "an empty terrain space")
    elif decision == Decision.DRAGON and -1 in s.dragon_at:
        yield _Problem(key, "dragon", f"{DRAGONS} dragons on the board")
    elif decision == Decision.DRAGON_SPACE and -1 in s.dragon_at and a != s.dragon_at.index(-1):
        yield _Problem(f"{key}.dragon", str(a), "the next one from outside")
    elif decision == Decision.JOURNEY_TERRAIN and a >= TERRAIN_CARD_SLOTS:
        yield _Problem(f"{key}.card", str(CARD_NAMES[a]), "a terrain card")
    elif decision in (Decision.ASLEEP, Decision.EXCHANGE):
        if s.acts > 1:
            yield _Problem("turn.acts", str(s.acts), f"0 or 1 while {DECISION_NAMES[decision]} is pending")
        if s.hand_size[active] == 0:
            yield _Problem(key, DECISION_NAMES[decision], "cards in the active player's hand")


def _poll_problems(s: SimpleNamespace, place: int, key: str) -> Iterator[_Problem]:
    """Who is asked in a slumber or counter poll or about a betrayal."""
    decision, seat = s.frame_decision[place], s.frame_seat[place]
    a, b = s.frame_a[place], s.frame_b[place]
    active = s.frame_seat[0]
    task, origin = Task.SWEET_SLUMBER, active
    if decision == Decision.COUNTER:
        task = Task.COUNTERSPELL
        if a == Task.SWEET_SLUMBER:
            origin = s.frame_seat[place - 1]
        elif a == Task.FEAR_AND_TERROR and s.at[b] in (-1, FIRST_BOAT + b):
            yield _Problem(f"{key}.target", HUNTERS[b], "a hunter in play who is not in his own boat")
        elif a == Task.SNEAK_ATTACK and (b == active or b >= s.num_players or s.hand_size[b] == 0):
            yield _Problem(f"{key}.target", _PLAYERS[b], "another player who holds cards")
    elif decision == Decision.BETRAYAL:
        task, origin = Task.BETRAYAL, -1
        host, partner = (s.owner[next(p for p in s.treasure_at if p >= FIRST_BOAT) - FIRST_BOAT], s.owner[b])
        if b != s.frame_b[0]:
            yield _Problem(f"{key}.guest", HUNTERS[b], "the guest of the turn")
        if host == partner:
            yield _Problem(key, "betrayal", "carriers of two players")
        if (a, seat) not in ((-1, host), (host, partner), (partner, host)):
            given = f"{_PLAYERS[seat]} after {_PLAYERS[a] if a >= 0 else 'nobody'}"
            yield _Problem(f"{key}.player", given, f"{_PLAYERS[host]} first, then {_PLAYERS[partner]} and so on")
    if seat == origin:
        yield _Problem(f"{key}.player", _PLAYERS[seat], "another than the player whose card or act is answered")
    if place == s.depth - 1 and not s.polls_all and not _holds(s, seat, task):
        yield _Problem(f"{key}.player", f"{_PLAYERS[seat]} without a {TASKS[task]}", "one who holds such a card")


def _undo_problems(s: SimpleNamespace) -> Iterator[_Problem]:
    """What an undoing restores is a position too."""
    if _no_undo(s):
        if s.acts > 0:
            yield _Problem("undo", "null", "what the last act is undone to, as turn.acts is not 0")
        return
    for hunter, name in enumerate(HUNTERS):
        if (s.undo_at[hunter] >= 0) != (s.owner[hunter] >= 0):
            yield _Problem(f"undo.hunters.{name}", str(s.undo_at[hunter]), "a space for each hunter that plays")
    yield from _treasure_problems("undo.", s.undo_treasure_at, s.undo_at, False)
    yield from _hunter_problems("undo.", s.undo_at, s.undo_treasure_at, False, -1)
    yield from _dragon_problems("undo.", s.undo_dragon_at, s.undo_at)
    if SITE in s.undo_swap:
        yield _Problem("undo.swap", "e5", "terrain spaces")
    if any(s.undo_stolen_card[s.undo_stolen :]) or any(s.undo_stolen_seat[s.undo_stolen :]):
        yield _Problem("undo.stolen", "cards beyond their number", "zeros in unused places")
    if any(s.undo_discarded_card[s.undo_discarded :]):
        yield _Problem("undo.discarded", "cards beyond their number", "zeros in unused places")
    own = s.depth > 0 and s.acts > 0
    if own and s.undo_mover >= 0 and s.undo_mover not in s.hunters[s.frame_seat[0]]:
        yield _Problem("undo.mover", HUNTERS[s.undo_mover], "null or a hunter of the active player")
    for seat in s.undo_stolen_seat[: s.undo_stolen]:
        if seat >= s.num_players or (own and seat == s.frame_seat[0]):
            yield _Problem("undo.stolen", _PLAYERS[seat], "other players")


def _event_problems(s: SimpleNamespace) -> Iterator[_Problem]:
    """The rows of the ring can be read; those not written yet are 0."""
    player = _player(s.num_players)
    for n, (kind, seat, a, b, seen_by) in enumerate(s.event_log):
        key = f"events, row {n}"
        if n >= s.event_total:
            if any((kind, seat, a, b, seen_by)):
                yield _Problem(key, str(s.event_log[n]), "zeros in unused rows")
            continue
        if kind not in _EVENT_KEYS:
            yield _Problem(key, f"kind {kind}", f"1 to {len(EVENTS.kinds)}")
        codecs = [_NOTHING if kind in _SEATLESS else player]
        for name in _EVENT_KEYS[kind]:
            if name == "target" and a not in (Task.FEAR_AND_TERROR, Task.SNEAK_ATTACK):
                yield _Problem(key, f"task {a}", "fear-and-terror, sneak-attack")
            codecs.append(_event_codec(name, a, s.num_players))
        for value, codec in zip((seat, a, b), codecs, strict=True):
            if not codec.least <= value <= codec.most:
                yield _Problem(key, str(value), f"{codec.least} to {codec.most}")
        if not 0 <= seen_by <= EVERYBODY:
            yield _Problem(key, f"seen by {seen_by}", f"0 to {EVERYBODY}")


def _legal_problems(states: States, i: int, s: SimpleNamespace) -> Iterator[_Problem]:
    """The legal actions are those of the top decision: at least one while running, none after the end."""
    copy = STATE.copy(states[i : i + 1])
    engine.refresh(copy, 0)
    any_legal = any(s.legal)
    if any_legal != (s.outcome == RUNNING):
        allowed = "at least one while running, none after the end"
        yield _Problem("legal actions", "some" if any_legal else "none", allowed)
    if copy.tobytes() != states[i : i + 1].tobytes():
        yield _Problem("legal actions", "others", "those of the top decision, which somebody is asked")


def _score_problems(states: States, i: int, s: SimpleNamespace) -> Iterator[_Problem]:
    """D10.2: money and standing are those of the coins."""
    scores, keys = np.zeros(_SEATS, np.int64), np.zeros(_SEATS, np.int64)
    engine.standing(states, i, scores, keys)
    sets = [(sum(n * int(v) for n, v in zip(coins, COINS, strict=True)), *reversed(coins)) for coins in s.coins]
    if scores.tolist() != [money for money, *_ in sets]:
        yield _Problem("scores", str(scores.tolist()), str([money for money, *_ in sets]))
    ranked = sorted(range(_SEATS), key=lambda seat: int(keys[seat]))
    for lower, higher in zip(ranked, ranked[1:], strict=False):
        if (sets[lower] < sets[higher]) != (keys[lower] < keys[higher]) or sets[lower] > sets[higher]:
            yield _Problem("scores", f"{_PLAYERS[lower]} below {_PLAYERS[higher]}", "the order of D10.2")


def check(states: States, i: int) -> None:
    """Raise `InvariantError` unless position ``i`` is sound, as every position is at a decision and after the end."""
    problem = _first_problem(states, i)
    if problem is not None:
        raise InvariantError(str(problem))


def _first_problem(states: States, i: int) -> _Problem | None:
    """The first thing that is wrong with a position at a decision, None if nothing is."""
    for problem in _range_problems(states, i):
        return problem
    s = _plain(states, i)
    for source in (_problems(s), _legal_problems(states, i, s), _score_problems(states, i, s)):
        for problem in source:
            return problem
    return None


# ---- Reading ---------------------------------------------------------------------------------------------------------


def from_dict(data: Dict, options: Options) -> States:
    """A position from its dict, complete or partial, for a game with these options: one record, ready to be played on.

    Raises `PositionError` naming the key, what was given and what is allowed.
    """
    builder = _Builder(_table("", data, _KEYS), options)
    builder.build()
    states = builder.states
    for problem in _range_problems(states, 0):
        raise PositionError(str(problem))
    for problem in _problems(_plain(states, 0)):
        raise PositionError(str(problem))
    engine.refresh(states, 0)
    last = _first_problem(states, 0)
    if last is not None:
        raise PositionError(str(last))
    return states


class _Builder:
    """Fills one record from a dict, section by section; what is missing as the table in the docs says."""

    def __init__(self, data: Dict, options: Options) -> None:
        self.data = data
        self.options = options
        self.players = options.num_players
        self.player = _player(self.players)
        self.states = STATE.alloc(1)
        self.s = _plain(self.states, 0)
        """The record being filled, as Python numbers and lists."""

    def build(self) -> None:
        """Fill the record. Raises `PositionError`."""
        if self.data.get("game", _GAME) != _GAME:
            raise _refusal("game", self.data["game"], repr(_GAME))
        self.read_options()
        self.read_seats()
        self.read_board()
        self.read_coins()
        self.read_rng()
        self.read_cards()
        self.read_certain()
        self.read_turn()
        self.read_undo()
        self.read_events()
        for field in STATE.fields:
            if field.name not in ("legal", "rng", "deck"):
                self.states[field.name][0] = getattr(self.s, field.name)

    def table(self, key: str, keys: Sequence[str] | None = None, what: str = "names") -> Dict:
        """A dict of the dict, empty if it is missing."""
        return _table(key, self.data.get(key, {}), keys, what)

    def read_options(self) -> None:
        """The options are the game's own."""
        for name, value in self.table("options", _OPTION_KEYS).items():
            own = getattr(self.options, name)
            if value != own or isinstance(value, bool) != isinstance(own, bool):
                raise _refusal(f"options.{name}", value, f"{own!r}, the game's own")
        s, options = self.s, self.options
        s.num_players = self.players
        s.polls_all = int(options.polls == "all")
        s.random_layout = int(options.layout == "random")
        s.slumber_on_arrival = int(options.slumber_on_arrival)
        s.max_turns = int(options.max_turns)

    def read_seats(self) -> None:
        """The first seating that agrees with what is given."""
        given = {}
        for name, value in self.table("seats", what="players").items():
            key = f"seats.{name}"
            hunters = _all(key, value, _HUNTER, 2, "hunters")
            given[self.player.read("seats", name)] = tuple(sorted(hunters))
        seatings = _seatings(self.players)
        fitting = [seats for seats in seatings if all(seats[seat] == own for seat, own in given.items())]
        if not fitting:
            shown = "; ".join(", ".join(HUNTERS[h] for h in own) for own in seatings[0])
            allowed = f"a rotation of {shown}" + (" or the same without another colour" if self.players == 5 else "")
            raise _refusal("seats", self.data["seats"], allowed)
        s = self.s
        s.owner, s.hunters = [-1] * _SEATS, [[-1, -1] for _ in range(_SEATS)]
        for seat, own in enumerate(fitting[0]):
            for slot, hunter in enumerate(own):
                s.owner[hunter], s.hunters[seat][slot] = seat, hunter

    def hunter(self, key: str, value: Any) -> int:
        """A hunter that plays."""
        hunter = _HUNTER.read(key, value)
        if self.s.owner[hunter] < 0:
            raise _refusal(key, value, ", ".join(name for k, name in enumerate(HUNTERS) if self.s.owner[k] >= 0))
        return hunter

    def read_board(self) -> None:
        """Discs, hunters, treasures, dragons."""
        s = self.s
        s.terrain = TERRAIN_OF.tolist()
        for name, value in self.table("discs", what="spaces").items():
            cell = _CELL.read("discs", name)
            if cell == SITE:
                raise _refusal("discs", name, "terrain spaces; e5 is the treasure site")
            s.terrain[cell] = _TERRAIN.read(f"discs.{name}", value)
        at = [FIRST_BOAT + hunter if s.owner[hunter] >= 0 else -1 for hunter in range(_SEATS)]
        s.at = self.read_hunters("hunters", self.data.get("hunters", {}), at)
        s.treasure_at = self.read_treasures("treasures", self.data.get("treasures", {}), None)
        s.dragon_at = self.read_dragons("dragons", self.data.get("dragons", []))

    def read_hunters(self, key: str, value: Any, missing: list[int]) -> list[int]:
        """The space of each hunter."""
        at = list(missing)
        for name, space in _table(key, value, what="hunters").items():
            at[self.hunter(key, name)] = _SPACE.read(f"{key}.{name}", space)
        return at

    def read_treasures(self, key: str, value: Any, missing: list[int] | None) -> list[int]:
        """Where each treasure is; without ``missing`` the lowest missing one is on the site, the others in stock."""
        given: dict[int, int] = {}
        for name, place in _table(key, value, _VALUES).items():
            if isinstance(place, str) and place in _OFF_BOARD:
                given[_VALUES.index(name)] = _OFF_BOARD[place]
            elif place in SPACE_NAMES:
                given[_VALUES.index(name)] = SPACE_NAMES.index(place)
            else:
                raise _refusal(f"{key}.{name}", place, "a space, stock, collected, removed")
        if missing is not None:
            return [given.get(k, place) for k, place in enumerate(missing)]
        absent = [k for k in range(len(COINS)) if k not in given]
        if absent and SITE not in given.values():
            given[absent.pop(0)] = SITE
        return [given.get(k, STOCK) for k in range(len(COINS))]

    def read_dragons(self, key: str, value: Any) -> list[int]:
        """The cells of the dragons."""
        cells = _all(key, value, _CELL, DRAGONS, "dragons")
        return cells + [-1] * (DRAGONS - len(cells))

    def read_coins(self) -> None:
        """The coins of each player."""
        for name, value in self.table("coins", what="players").items():
            seat = self.player.read("coins", name)
            for k in _all(f"coins.{name}", value, _TREASURE, COINS_EACH * len(COINS), "coins"):
                self.s.coins[seat][k] += 1
                if self.s.coins[seat][k] > COINS_EACH:
                    raise _refusal(f"coins.{name}", value, f"at most {COINS_EACH} coins of {_VALUES[k]}")

    def read_cards(self) -> None:
        """Hands, discard, table, deck: every card in one place."""
        s = self.s
        left = Counter(dict(enumerate(COPIES.tolist())))
        for name, value in self.table("hands", what="players").items():
            seat = self.player.read("hands", name)
            hand = _all(f"hands.{name}", value, _CARD, HAND_SIZE, "cards in a hand")
            s.hand_size[seat] = len(hand)
            s.hand[seat][: len(hand)] = hand
            left.subtract(hand)
        for zone in ("discard", "table"):
            counts = getattr(s, zone)
            for name, value in self.table(zone, what="cards").items():
                card = _CARD.read(zone, name)
                counts[card] = _number(0, int(COPIES[card])).read(f"{zone}.{name}", value)
                left[card] -= counts[card]
        self.refuse_excess(left)
        room = sum(left.values())
        deck = _all("deck", self.data.get("deck", []), _CARD, room, "cards, what hands, discard and table leave")
        left.subtract(deck)
        self.refuse_excess(left)
        rest = sorted(left.elements())
        s.deck_size = room
        # The record's own generator shuffles, so that the position is the same each time it is read.
        self.states["deck"][0][:room] = rest + deck[::-1]
        rng.shuffle(self.states["rng"][0], self.states["deck"][0], len(rest))

    @staticmethod
    def refuse_excess(left: Counter[int]) -> None:
        """Refuse more copies of a card than there are."""
        for card, number in left.items():
            if number < 0:
                given = f"{COPIES[card] - number} {CARD_NAMES[card]}"
                problem = _Problem("cards", given, f"{COPIES[card]} in hands, discard, table and deck")
                raise PositionError(str(problem))

    def read_certain(self) -> None:
        """Who is certain of which cards: as many of the first copies as are named."""
        observers = {name: 1 << seat for seat, name in enumerate(_PLAYERS[: self.players])}
        for observer, others in self.table("certain", tuple(observers)).items():
            for name, value in _table(f"certain.{observer}", others, what="players").items():
                key = f"certain.{observer}.{name}"
                seat = self.player.read(f"certain.{observer}", name)
                if name == observer:
                    raise _refusal(f"certain.{observer}", name, "other players")
                hand = self.s.hand[seat][: self.s.hand_size[seat]]
                for card, number in Counter(_all(key, value, _CARD, HAND_SIZE, "cards")).items():
                    places = [place for place, held in enumerate(hand) if held == card][:number]
                    if len(places) < number:
                        raise _refusal(key, value, f"cards in that hand: {', '.join(map(str, self.names(hand)))}")
                    for place in places:
                        self.s.knowers[seat][place] |= observers[observer]

    @staticmethod
    def names(cards: Sequence[int]) -> list[str | None]:
        """The names of cards."""
        return [CARD_NAMES[card] for card in cards]

    def read_turn(self) -> None:
        """The turn, the stack and the outcome."""
        s = self.s
        s.outcome = _OUTCOME.read("outcome", self.data.get("outcome", "running"))
        turn = self.table("turn", _TURN_KEYS)
        running = s.outcome == RUNNING
        if not running:
            for name in ("active", "stage", "guest"):
                if turn.get(name) is not None:
                    raise _refusal(f"turn.{name}", turn[name], "null once the game is over")
        else:
            s.frame_seat[0] = self.player.read("turn.active", turn.get("active", _PLAYERS[0]))
        s.turns = _number(0, 32767).read("turn.number", turn.get("number", 0))
        s.mover = self.read_mover("turn.mover", turn.get("mover"))
        s.freed = _set("turn.freed", turn.get("freed", []), _TERRAIN, "terrains")
        s.left_alone = _set("turn.left_alone", turn.get("left_alone", []), _HUNTER, "hunters")
        own = s.hunters[s.frame_seat[0]] if running else [-1, -1]
        standing = [1 << s.at[hunter] if hunter >= 0 else 0 for hunter in own]
        s.listed_cells, s.listed_boats = self.read_listed("turn.listed", turn.get("listed", {}), standing)
        self.read_stack(turn, running)
        begun = s.mover >= 0 or s.freed or s.left_alone or s.frame_decision[1] not in (0, Decision.EXCHANGE)
        s.acts = _number(0, 100).read("turn.acts", turn.get("acts", int(bool(begun))))

    def read_mover(self, key: str, value: Any) -> int:
        """A hunter that plays, or null."""
        return -1 if value is None else self.hunter(key, value)

    def read_listed(self, key: str, value: Any, missing: list[int]) -> tuple[list[int], list[int]]:
        """The lists of D4.6 as cells and boats: by the active player's hunters, or as first and second."""
        running = self.s.outcome == RUNNING
        own = self.s.hunters[self.s.frame_seat[0]] if running else []
        names = {HUNTERS[hunter]: slot for slot, hunter in enumerate(own) if hunter >= 0}
        names |= {name: slot for slot, name in enumerate(_SLOTS)}
        spaces = list(missing)
        for name, entries in _table(key, value, tuple(names)).items():
            spaces[names[name]] = _set(f"{key}.{name}", entries, _SPACE, "spaces")
        return [mask & _ANY_CELLS for mask in spaces], [mask >> CELLS for mask in spaces]

    def read_stack(self, turn: Dict, running: bool) -> None:
        """The frames: the bottom one from ``turn``, the others from ``stack``."""
        s = self.s
        frames = _list("stack", self.data.get("stack", []), 2, "frames above the bottom one")
        if not running:
            if frames:
                raise _refusal("stack", self.data["stack"], "no frames once the game is over")
            return
        s.depth = 1 + len(frames)
        s.frame_decision[0] = int(Decision.TURN)
        for place, frame in enumerate(frames, 1):
            self.read_frame(place, frame)
        stage = turn.get("stage")
        s.frame_a[0] = self.likely_stage() if stage is None else _STAGE.read("turn.stage", stage)
        s.frame_b[0] = -1
        if s.frame_a[0] in (Stage.DELIVERY, Stage.SETTLE) or turn.get("guest") is not None:
            guest = turn.get("guest")
            s.frame_b[0] = self.likely_guest("turn.guest") if guest is None else self.hunter("turn.guest", guest)

    def likely_stage(self) -> int:
        """The stage that what is pending leaves open, if none is given."""
        s = self.s
        if s.depth == 1:
            return int(Stage.IDLE)
        if s.frame_decision[1] == Decision.SLUMBER:
            delivers = any(place >= FIRST_BOAT for place in s.treasure_at)
            return int(Stage.DELIVERY if delivers else Stage.ACT_OVER)
        return int(_STAGES_OF.get(s.frame_decision[1], (Stage.IDLE,))[0])

    def likely_guest(self, key: str) -> int:
        """The only one who can be the guest in the boat with the treasure."""
        s = self.s
        boats = [place for place in s.treasure_at if place >= FIRST_BOAT]
        guests = [h for place in boats for h in range(_SEATS) if s.at[h] == place != FIRST_BOAT + h]
        if len(guests) != 1:
            raise _refusal(key, None, "the carrier whose boat it is not, as it is not clear from the board")
        return guests[0]

    def read_frame(self, place: int, frame: Any) -> None:
        """One frame above the bottom one."""
        s = self.s
        key = f"stack[{place - 1}]"
        if not isinstance(frame, dict):
            raise _refusal(key, frame, "a dict with decision, player and the decision's details")
        decision = _DECISION.read(f"{key}.decision", frame.get("decision"))
        if decision == Decision.TURN:
            raise _refusal(f"{key}.decision", "turn", "other decisions; the bottom frame is described by turn")
        details = _FRAME_KEYS[decision]
        _table(key, frame, ("decision", "player", *(name for name in details if name)))
        missing = None if decision in _POLLS else _PLAYERS[s.frame_seat[0]]
        s.frame_decision[place] = decision
        s.frame_seat[place] = self.player.read(f"{key}.player", frame.get("player", missing))
        numbers = [-1, -1]
        for slot, name in enumerate(details):
            if name in ("guest", "hunter") and name not in frame:
                numbers[slot] = self.likely_guest(f"{key}.guest") if name == "guest" else self.likely_mover(key)
            elif name:
                numbers[slot] = _frame_codec(s, name, numbers[0]).read(f"{key}.{name}", frame.get(name))
        s.frame_a[place], s.frame_b[place] = numbers

    def likely_mover(self, key: str) -> int:
        """The only own hunter, or the one that moves in this turn."""
        own = [hunter for hunter in self.s.hunters[self.s.frame_seat[0]] if hunter >= 0]
        if len(own) > 1 and self.s.mover < 0:
            raise _refusal(f"{key}.hunter", None, " or ".join(HUNTERS[hunter] for hunter in own))
        return int(self.s.mover if self.s.mover >= 0 else own[0])

    def read_undo(self) -> None:
        """What the last act would be undone to; nothing at all if ``undo`` is null."""
        s = self.s
        if "undo" in self.data and self.data["undo"] is None:
            return
        undo = self.table("undo", _UNDO_KEYS)
        s.undo_at = self.read_hunters("undo.hunters", undo.get("hunters", {}), s.at)
        s.undo_treasure_at = self.read_treasures("undo.treasures", undo.get("treasures", {}), s.treasure_at)
        dragons = [SPACE_NAMES[cell] for cell in s.dragon_at if cell >= 0]
        s.undo_dragon_at = self.read_dragons("undo.dragons", undo.get("dragons", dragons))
        mover = HUNTERS[s.mover] if s.mover >= 0 else None
        s.undo_mover = self.read_mover("undo.mover", undo.get("mover", mover))
        s.undo_freed = _set("undo.freed", undo.get("freed", _bits(s.freed, _TERRAIN)), _TERRAIN, "terrains")
        alone = undo.get("left_alone", _bits(s.left_alone, _HUNTER))
        s.undo_left_alone = _set("undo.left_alone", alone, _HUNTER, "hunters")
        now = [cells | boats << CELLS for cells, boats in zip(s.listed_cells, s.listed_boats, strict=True)]
        listed = self.read_listed("undo.listed", undo.get("listed", {}), now)
        s.undo_listed_cells, s.undo_listed_boats = listed
        swap = _all("undo.swap", undo.get("swap", []), _CELL, 2, "spaces")
        if swap and len(set(swap)) != 2:
            raise _refusal("undo.swap", undo["swap"], "two different spaces, or none")
        s.undo_swap = swap or [0, 0]
        for n, entry in enumerate(_list("undo.stolen", undo.get("stolen", []), _STOLEN, "stolen cards")):
            key = f"undo.stolen[{n}]"
            _table(key, entry, ("card", "from"))
            s.undo_stolen_card[n] = _CARD.read(f"{key}.card", entry.get("card"))
            s.undo_stolen_seat[n] = self.player.read(f"{key}.from", entry.get("from"))
            s.undo_stolen = n + 1
        cards = _all("undo.discarded", undo.get("discarded", []), _CARD, HAND_SIZE, "discarded cards")
        s.undo_discarded = len(cards)
        s.undo_discarded_card[: len(cards)] = cards

    def read_rng(self) -> None:
        """The words of the generator, from seed 0 if missing."""
        words = self.data.get("rng")
        if words is None:
            rng.seed_words(self.states["rng"][0], 0, 0, 0)
            return
        allowed = "four strings of at most 16 hexadecimal digits, not all zero"
        entries = _list("rng", words, 4, "words")
        digits = set("0123456789abcdefABCDEF")
        if len(entries) != 4 or not all(
            isinstance(word, str) and 0 < len(word) <= 16 and digits.issuperset(word) for word in entries
        ):
            raise _refusal("rng", words, allowed)
        numbers = [int(word, 16) for word in entries]
        if not any(numbers):
            raise _refusal("rng", words, allowed)
        self.states["rng"][0] = np.array(numbers, np.uint64)

    def read_events(self) -> None:
        """The ring of events."""
        events = self.table("events", ("total", "last"))
        rows = _list("events.last", events.get("last", []), RING, "events")
        total = _number(0, 2**31 - 1).read("events.total", events.get("total", len(rows)))
        if len(rows) != min(total, RING):
            raise _refusal("events.total", total, f"a total that fits the {len(rows)} events given")
        self.s.event_total = total
        for n, entry in enumerate(rows, total - len(rows)):
            self.s.event_log[n % RING] = self.read_event(f"events.last[{n - total + len(rows)}]", entry)

    def read_event(self, key: str, entry: Any) -> list[int]:
        """One row of the ring."""
        if not isinstance(entry, dict):
            raise _refusal(key, entry, "a dict with event, player and the event's details")
        kinds = _words([name or None for name in EVENTS.names])
        kind = kinds.read(f"{key}.event", entry.get("event"))
        details = _EVENT_KEYS[kind]
        seats = () if kind in _SEATLESS else ("player",)
        _table(key, entry, ("event", *seats, *(name for name in details if name), "seen_by"))
        seat = self.player.read(f"{key}.player", entry.get("player")) if seats else -1
        numbers = [-1, -1]
        for slot, name in enumerate(details):
            if name:
                codec = _event_codec(name, numbers[0], self.players)
                numbers[slot] = codec.read(f"{key}.{name}", entry.get(name))
        seen_by = EVERYBODY
        if "seen_by" in entry:
            seen_by = _set(f"{key}.seen_by", entry["seen_by"], self.player, "players")
        return [kind, seat, *numbers, seen_by]
