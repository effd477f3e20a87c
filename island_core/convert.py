"""Positions as dicts: what the conversions of all games share.

Players, options, the generator, hands and who is certain of which cards in them, decks, details and events; and the
invariants of these. What a detail is and what the cards are called is the game's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from island_core import rng
from island_core.errors import PositionError
from island_core.events import EVERYBODY, HIDDEN, RING, EventTable
from island_core.layout import Layout, States
from island_core.notation import player_name
from island_core.options import GameOptions
from island_core.reader import (
    Codec,
    Given,
    Problem,
    or_none,
    read_generator,
    whole_number,
    words,
)

Dict = dict[str, Any]

SEATS = 6
PLAYERS = tuple(player_name(seat) for seat in range(SEATS))
OUTCOMES = ("running", "natural", "truncated")
OUTCOME = words(OUTCOMES)
NOTHING = or_none(whole_number(-1, -1), None)
"""An unused detail: -1."""
HIDDEN_WORD = "hidden"
"""The detail of an event that is known to nobody, in a position redrawn for a seat that did not see it."""
MOST_EVENTS = 2**31 - 1

Names = tuple[str, str]
"""What details ``a`` and ``b`` of a frame or an event are called; empty for an unused one."""
DetailCodec = Callable[[SimpleNamespace, str, int], Codec]
"""The codec of a detail, by the record, the name, and detail ``a``."""


@lru_cache(maxsize=8)
def player_codec(players: int) -> Codec:
    """Those who play."""
    return words(PLAYERS[:players])


# ---- What is fixed: the game, its options, the generator


def check_fixed(data: Given, game: str, options: GameOptions) -> None:
    """The dict is of this game, and its options are the game's own. Raises `PositionError`."""
    name = data.get("game", game)
    if not _is_same(name.value, game):
        raise name.refusal(repr(game))
    known = tuple(field.name for field in fields(options))
    for option, given in data.get("options", {}).table(known).items():
        own = getattr(options, option)
        if not _is_same(given.value, own):
            raise given.refusal(f"{own!r}, the game's own")


def _is_same(value: Any, own: Any) -> bool:
    """Whether a value is one of the game's own, in type too: true is not 1, and an array is nothing to compare with."""
    return isinstance(value, type(own)) and isinstance(value, bool) == isinstance(own, bool) and bool(value == own)


def fill_generator(given: Given, generator: Any) -> None:
    """The words of the generator, from seed 0 if missing."""
    if given.value is None:
        rng.seed_words(generator, 0, 0, 0)
    else:
        generator[:] = np.array(read_generator(given), np.uint64)


# ---- Cards


class Stock(NamedTuple):
    """The cards of one sort: what the complaints call them, how many there are of each, their names, where they are."""

    key: str
    copies: Sequence[int]
    names: Sequence[str | None]
    places: str

    def wrong(self, card: int, number: int) -> Problem:
        """The complaint about a number of copies that is wrong."""
        given = f"{number} {self.names[card] or f'of slot {card}'}"
        return Problem(self.key, given, f"{self.copies[card]} in {self.places}")

    def refuse_excess(self, left: Counter[int]) -> None:
        """Refuse more copies of a card than there are; ``left`` counts those that are nowhere yet."""
        for card, number in left.items():
            if number < 0:
                raise PositionError(str(self.wrong(card, int(self.copies[card]) - number)))

    def problems(self, found: Counter[int]) -> Iterator[Problem]:
        """The complaints about cards of which not all copies were found, or more."""
        for card, copies in enumerate(self.copies):
            if found[card] != copies:
                yield self.wrong(card, found[card])

    def fill_deck(self, given: Given, codec: Codec, left: Counter[int], generator: Any, deck: Any, what: str) -> int:
        """Put a deck together, the top card last: the cards given, and what else is ``left`` under them, shuffled.

        Returns the size. The record's own generator shuffles, so that the position is the same each time it is read.
        """
        self.refuse_excess(left)
        size = sum(left.values())
        cards = codec.read_all(given, size, what)
        left.subtract(cards)
        self.refuse_excess(left)
        rest = sorted(left.elements())
        deck[:size] = rest + cards[::-1]
        rng.shuffle(generator, deck, len(rest))
        return size


def write_certain(
    players: int, hands: Sequence[Sequence[int]], knowers: Sequence[Sequence[int]], names: Sequence[str | None]
) -> Dict:
    """Who is certain of which cards in whose hand; empty ones are left out."""
    certain: Dict = {}
    for observer in range(players):
        for seat in range(players):
            cards = [names[card] for place, card in enumerate(hands[seat]) if knowers[seat][place] >> observer & 1]
            if cards:
                certain.setdefault(PLAYERS[observer], {})[PLAYERS[seat]] = cards
    return certain


def read_certain(
    given: Given,
    players: int,
    hands: Sequence[Sequence[int]],
    knowers: Sequence[list[int]],
    codec: Codec,
) -> None:
    """Add to ``knowers`` who is certain of which cards: as many of the first copies as are named."""
    observers = PLAYERS[:players]
    for name, of_players in given.table(observers).items():
        observer = observers.index(name)
        for seat, cards in player_codec(players).read_keys(of_players, "players"):
            if seat == observer:
                raise Given(of_players.key, name).refusal("other players")
            hand = hands[seat]
            for card, number in Counter(codec.read_all(cards, max(len(hand), 1), "cards in that hand")).items():
                places = [place for place, held in enumerate(hand) if held == card][:number]
                if len(places) < number:
                    raise cards.refusal(f"cards in that hand: {', '.join(codec.write(held) for held in hand)}")
                for place in places:
                    knowers[seat][place] |= 1 << observer


def certain_problems(
    key: str,
    players: int,
    hands: Sequence[Sequence[int]],
    knowers: Sequence[Sequence[int]],
    names: Sequence[str | None],
) -> Iterator[Problem]:
    """Among equal cards of one hand the sets of those who are certain are nested, the first the largest."""
    nobody = EVERYBODY & ~((1 << players) - 1)
    for seat, hand in enumerate(hands):
        last: dict[int, int] = {}
        for place, known in enumerate(knowers[seat]):
            where = f"{key} of {PLAYERS[seat]}, card {place}"
            if place >= len(hand):
                if known:
                    yield Problem(where, f"{known:06b}", "nobody where no card is")
                continue
            if known >> seat & 1:
                yield Problem(where, "the owner", "other players")
            if known & nobody:
                yield Problem(where, f"{known:06b}", "nobody at a seat where nobody sits")
            card = hand[place]
            if known & ~last.get(card, known):
                yield Problem(where, f"{known:06b}", f"those certain of the {names[card]} before it")
            last[card] = known


# ---- Details of frames and events


def write_details(s: SimpleNamespace, names: Names, a: int, b: int, codec_of: DetailCodec) -> Dict:
    """The details of a frame or an event that are used."""
    codecs = [codec_of(s, name, a) for name in names]
    written = zip(names, codecs, (a, b), strict=True)
    return {name: codec.write(value) for name, codec, value in written if codec is not NOTHING}


def read_details(
    s: SimpleNamespace,
    given: Given,
    names: Names,
    codec_of: DetailCodec,
    likely: Mapping[str, Callable[[Given], int]],
) -> list[int]:
    """The details of a frame or an event; what ``likely`` can tell may be missing."""
    numbers = [-1, -1]
    for slot, name in enumerate(names):
        if name in likely and name not in given.value:
            numbers[slot] = likely[name](given.get(name))
        elif name:
            numbers[slot] = codec_of(s, name, numbers[0]).read(given.get(name))
    return numbers


def detail_problems(
    s: SimpleNamespace, key: str, names: Names, a: int, b: int, codec_of: DetailCodec
) -> Iterator[Problem]:
    """Details out of range; take the first complaint and stop, as detail ``a`` may say what the other one is."""
    for name, value in zip(names, (a, b), strict=True):
        yield from codec_of(s, name, a).problems(f"{key}.{name or 'details'}", value)


class EventForm(NamedTuple):
    """The events of a game as entries of a dict."""

    table: EventTable
    keys: Mapping[int, Names]
    """What details ``a`` and ``b`` of an event are called, by its kind."""
    seatless: Sequence[int]
    """Events without a player."""
    codec_of: DetailCodec

    def write(self, s: SimpleNamespace) -> Dict:
        """The ring of events."""
        numbers = range(max(s.event_total - RING, 0), s.event_total)
        return {"total": s.event_total, "last": [self._write_event(s, s.event_log[n % RING]) for n in numbers]}

    def _write_event(self, s: SimpleNamespace, row: list[int]) -> Dict:
        """One row of the ring: ``event``, ``player``, its details, ``seen_by`` if not everybody sees the card."""
        kind, seat, a, b, seen_by = row
        event: Dict = {"event": self.table.names[kind]}
        if seat >= 0:
            event["player"] = PLAYERS[seat]
        name, other = self.keys[kind]
        if a == HIDDEN:
            event[name] = HIDDEN_WORD
            name, a = "", -1
        event |= write_details(s, (name, other), a, b, self.codec_of)
        if seen_by != EVERYBODY:
            event["seen_by"] = player_codec(s.num_players).write_set(seen_by)
        return event

    def read(self, s: SimpleNamespace, given: Given) -> None:
        """Fill the ring of events."""
        events = given.table(("total", "last"))
        rows = events.get("last", []).entries(RING, "events")
        number = events.get("total", len(rows))
        total = whole_number(0, MOST_EVENTS).read(number)
        if len(rows) != min(total, RING):
            raise number.refusal(f"a total that fits the {len(rows)} events given")
        s.event_total = total
        for n, event in enumerate(rows, total - len(rows)):
            s.event_log[n % RING] = self._read_event(s, event)

    def _read_event(self, s: SimpleNamespace, event: Given) -> list[int]:
        """One row of the ring."""
        event.table(allowed="a dict with event, player and the event's details")
        kind = words([name or None for name in self.table.names]).read(event.get("event"))
        names = self.keys[kind]
        seats = () if kind in self.seatless else ("player",)
        event.table(("event", *seats, *filter(None, names), "seen_by"))
        player = player_codec(s.num_players)
        seat = player.read(event.get("player")) if seats else -1
        seen_by = player.read_set(event.get("seen_by"), "players") if "seen_by" in event.value else EVERYBODY
        if seen_by != EVERYBODY and names[0] and event.get(names[0]).value == HIDDEN_WORD:
            _, b = read_details(s, event, ("", names[1]), self.codec_of, {})
            return [kind, seat, HIDDEN, b, seen_by]
        return [kind, seat, *read_details(s, event, names, self.codec_of, {}), seen_by]

    def problems(self, s: SimpleNamespace) -> Iterator[Problem]:
        """The rows of the ring can be read; those not written yet are 0. Take the first complaint and stop."""
        player = player_codec(s.num_players)
        for n, (kind, seat, a, b, seen_by) in enumerate(s.event_log):
            key = f"events, row {n}"
            if n >= s.event_total:
                if any((kind, seat, a, b, seen_by)):
                    yield Problem(key, str(s.event_log[n]), "zeros in unused rows")
                continue
            if kind not in self.keys:
                yield Problem(key, f"kind {kind}", f"1 to {len(self.table.kinds)}")
            yield from (NOTHING if kind in self.seatless else player).problems(f"{key}.player", seat)
            name, other = self.keys[kind]
            if a == HIDDEN and name and seen_by != EVERYBODY:
                name, a = "", -1
            yield from detail_problems(s, key, (name, other), a, b, self.codec_of)
            if seen_by != EVERYBODY and not 0 <= seen_by < 1 << s.num_players:
                yield Problem(key, f"seen by {seen_by}", "players, or everybody")


# ---- Invariants of any record


def range_problems(states: States, i: int, ranges: Mapping[str, tuple[int, int]]) -> Iterator[Problem]:
    """Fields that are not from their least to their largest value, so that the other checks may use them as indices."""
    for name, (least, most) in ranges.items():
        values = np.asarray(states[name][i])
        if values.min() < least or values.max() > most:
            yield Problem(f"field {name}", f"{values.min()} to {values.max()}", f"{least} to {most}")
    if not np.any(states["rng"][i]):
        yield Problem("rng", "four zeros", "words that are not all zero")


def legal_problems(
    states: States, i: int, layout: Layout, refresh: Callable[[States, int], Any], running: bool
) -> Iterator[Problem]:
    """The legal actions are those of the top decision: at least one while running, none after the end."""
    copy = layout.copy(states[i : i + 1])
    refresh(copy, 0)
    any_legal = bool(np.any(states["legal"][i]))
    if any_legal != running:
        allowed = "at least one while running, none after the end"
        yield Problem("legal actions", "some" if any_legal else "none", allowed)
    if copy.tobytes() != states[i : i + 1].tobytes():
        yield Problem("legal actions", "others", "those of the top decision, which somebody is asked")


def unused_frames(s: SimpleNamespace) -> Iterator[Problem]:
    """Nothing stands above the top frame of the stack."""
    unused = range(s.depth, len(s.frame_decision))
    if any(s.frame_decision[k] or s.frame_seat[k] or s.frame_a[k] or s.frame_b[k] for k in unused):
        yield Problem("stack", "something above the top frame", "zeros in unused frames")


def write_counts(counts: Iterable[int], names: Sequence[str | None]) -> Dict:
    """The names of what there is, each with its number; without what there is none of."""
    return {str(names[k]): number for k, number in enumerate(counts) if number}


def fill_record(layout: Layout, states: States, s: SimpleNamespace, but: Sequence[str]) -> None:
    """Write a record that was put together as Python numbers and lists, ``but`` for some fields."""
    for field in layout.fields:
        if field.name not in but:
            states[field.name][0] = getattr(s, field.name)
