"""What lies in the box: reads `components.toml`, checks it, and exposes it as read-only tables (I1, I2, I6.1).

The file is the one named by the environment variable ISLA_DORADA_COMPONENTS, else the one in this package. It is read
once, on import. A file that cannot be right raises `ComponentsError`, which names the file, the key, what was found and
what is expected. `load` reads any file and is what the tests use.

Kinds of cards have a fixed numbering, so that another file changes neither shapes nor action ids:

| cards | kinds |
|---|---|
| adventure | 20, in the order of `vocab.Card` |
| treasure | 54: 0-17 starred, 18-35 common, 36-53 bonus, each in the order of `vocab.CAMPS` |
| curse | by place, in the order of `vocab.PLACES` (none for the base camp) |
| destiny | 22 slots, in the order of `vocab.DestinyKind` and of the file; the last ones unused if some have copies |
"""

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from isla_dorada_env.vocab import (
    CAMPS,
    CARD_OF_WAY,
    CARDS,
    DESTINY_KINDS,
    KEPT_CARDS,
    LIGHTNING_CARDS,
    PAYING_CARDS,
    PLACES,
    ROUTE_SORTS,
    TREASURE_SORTS,
    Card,
    DestinyKind,
    RouteSort,
    TreasureSort,
)
from island_core.components import SOURCE_MARKS as SOURCE_MARKS
from island_core.components import ComponentsError as ComponentsError
from island_core.components import IntTable as IntTable
from island_core.components import Table, path_in_use, read, sources
from island_core.components import read_only as read_only

ENVIRONMENT_VARIABLE: Final = "ISLA_DORADA_COMPONENTS"

TREASURE_KINDS: Final = len(TREASURE_SORTS) * len(CAMPS)
FIRST_COMMON_TREASURE: Final = len(CAMPS)
FIRST_BONUS: Final = 2 * len(CAMPS)
DESTINY_SLOTS: Final = 22

# Documented numbers (I1.1, I1.2, I2). The rules and the shapes of state and observation are built on them.
ROUTES_EACH: Final = (10, 11, 11, 3, 4, 6)
"""Routes of each sort, in the order of `vocab.RouteSort`; a river hop is a route."""
NUM_ROUTES: Final = 45
RIVERS: Final = 3
RIVER_PLACES: Final = 3
"""Places on each river, its two hops between them."""
MAX_HOPS: Final = 2
"""Routes that one ride uses at most: a river down to its end (I5.2)."""
NUM_ADVENTURE_CARDS: Final = 112
NUM_STARRED_TREASURES: Final = 18
NUM_COMMON_TREASURES: Final = 54
"""Cards of the treasure deck, bonus cards included."""
NUM_CURSES: Final = 18
NUM_DESTINIES: Final = 22
MARKERS: Final = 16
TELEGRAM_MARKERS: Final = (4, 9)
"""The red markers: each brings a telegram when it is placed (I3.1, I8.4)."""

# The bids that can be paid, and with them the amounts of the action table, follow from these (I5.3, I6.1).
VALUES: Final = {Card.YAK: 1, Card.KAMEL: 1, Card.GONOGO: 1, Card.KAYAK: 2, Card.DRAGON: 2, Card.ZEPPELIN: 5}
GOLD_COSTS: Final = {Card.DRAGON: 1, Card.ZEPPELIN: 3}

KEPT_CARDS_AT_LEAST: Final = 40
"""Six in each of six hands and four in the display, none of them lightning (I3.3)."""
LARGEST_VALUE: Final = 99
"""No card gives or takes more points."""
LARGEST_COORDINATE: Final = 1000

# Names stand in actions and in the lists of transcripts: no comma, no bracket, no digit.
_NAME: Final = re.compile(r"[^\W\d_]+(?:[ '-][^\W\d_]+)*")


@dataclass(frozen=True)
class Destiny:
    """One kind of destiny of the file (I2.3); what its kind does not use is empty."""

    name: str
    copies: int
    kind: DestinyKind
    points: int = 0
    """Points if it is met; for cards in hand at the end, points for each of them."""
    max_points: int = 0
    """The most it can give."""
    places: tuple[int, ...] = ()
    """The places that must all be visited."""
    card: int = -1
    """The adventure card that is counted."""
    n: int = 0
    """How many there must be at least."""
    sea_points: tuple[int, int, int] = (0, 0, 0)
    """Points for no sea journey, one, and two or more."""


@dataclass(frozen=True, eq=False)
class Components:
    """A checked components file."""

    path: Path
    content: bytes
    sources: dict[str, str]
    """Section -> "documented" or "reconstructed"."""
    coordinates: IntTable
    families: tuple[str, ...]
    place_families: IntTable
    route_ends: IntTable
    card_copies: IntTable
    card_values: IntTable
    card_gold: IntTable
    pictures: tuple[str, ...]
    treasure_copies: IntTable
    treasure_values: IntTable
    treasure_pictures: IntTable
    curse_values: IntTable
    destinies: tuple[Destiny, ...]
    """As many as the file has different ones, at most 22."""


def load(path: str | os.PathLike[str]) -> Components:
    """Read and check a components file; raise `ComponentsError` if it cannot be right."""
    path = Path(path)
    content, top = read(path, ("places", "routes", "adventure", "treasures", "curses", "destinies"))
    places = top.sub("places", ("source", *PLACES))
    route_tables = top.sub("routes", ROUTE_SORTS)
    routes = [route_tables.sub(sort, ("source", "courses" if sort == "river" else "between")) for sort in ROUTE_SORTS]
    adventure = top.sub("adventure", ("kept", "lightning", "value", "gold"))
    kept = adventure.sub("kept", ("source", *_card_names(KEPT_CARDS)))
    lightning = adventure.sub("lightning", ("source", *_card_names(LIGHTNING_CARDS)))
    value = adventure.sub("value", ("source", *_card_names(PAYING_CARDS)))
    gold = adventure.sub("gold", ("source", *_card_names(GOLD_COSTS)))
    treasure_tables = top.sub("treasures", TREASURE_SORTS)
    treasures = [treasure_tables.sub(sort, ("source", *CAMPS)) for sort in TREASURE_SORTS]
    curses = top.sub("curses", ("source", *CAMPS))
    destiny_tables = top.sub("destinies", DESTINY_KINDS)
    destinies = [destiny_tables.sub(kind, ("source", "cards")) for kind in DESTINY_KINDS]

    marks = sources((places, *routes, kept, lightning, value, gold, *treasures, curses, *destinies))
    coordinates, families, place_families = _places(places)
    copies, values, pictures, treasure_pictures = _treasures(treasures)
    return Components(
        path=path,
        content=content,
        sources=marks,
        coordinates=coordinates,
        families=families,
        place_families=place_families,
        route_ends=_routes(route_tables, routes),
        card_copies=_adventure(adventure, kept, lightning),
        card_values=_fixed(value, VALUES),
        card_gold=_fixed(gold, GOLD_COSTS),
        pictures=pictures,
        treasure_copies=copies,
        treasure_values=values,
        treasure_pictures=treasure_pictures,
        curse_values=_curses(curses),
        destinies=_destinies(destiny_tables, destinies),
    )


def _card_names(cards: Sequence[Card] | dict[Card, int]) -> tuple[str, ...]:
    return tuple(CARDS[card] for card in cards)


def _name(section: Table, key: str) -> str:
    """Return a name that the file gives to something."""
    name = section.get(key, str)
    if not _NAME.fullmatch(name):
        raise section.error(key, repr(name), "a name: letters, and single blanks, hyphens or apostrophes between them")
    return name


# ---- The map ---------------------------------------------------------------------------------------------------------


def _places(places: Table) -> tuple[IntTable, tuple[str, ...], IntTable]:
    """Read where the places lie and their families: int64[19, 2], names, and int64[19] with -1 for the base camp."""
    points: list[tuple[int, int]] = []
    families: list[str] = []
    for place in PLACES:
        entry = places.sub(place, ("x", "y") if place == "Base" else ("x", "y", "family"))
        point = entry.number("x", 0, LARGEST_COORDINATE), entry.number("y", 0, LARGEST_COORDINATE)
        if point in points:
            raise places.error(place, f"the point of {PLACES[points.index(point)]}", "a point of its own")
        points.append(point)
        families.append("" if place == "Base" else _name(entry, "family"))
    names = _in_order_of_appearance(family for family in families if family)
    return read_only(points), names, read_only([names.index(name) if name else -1 for name in families])


def _in_order_of_appearance(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _routes(tables: Table, sections: Sequence[Table]) -> IntTable:
    """Read the routes (I1.1, I1.2): int64[45, 2], the two places of each, sort by sort; of a river hop downstream."""
    river = sections[RouteSort.RIVER]
    courses = _courses(river)
    ends: dict[RouteSort, list[tuple[int, int]]]
    ends = {sort: _pairs(sections[sort], ROUTES_EACH[sort]) for sort in RouteSort if sort != RouteSort.RIVER}
    ends[RouteSort.RIVER] = [hop for course in courses for hop in pairwise(course)]
    on_open_water = {place for sort in (RouteSort.LAKE, RouteSort.SEA) for pair in ends[sort] for place in pair}
    for n, course in enumerate(courses, 1):
        _check_course(river, f"courses[{n}]", course, courses[: n - 1], on_open_water)
    _check_water_ways(tables, ends, courses)
    served = {place for pairs in ends.values() for pair in pairs for place in pair}
    for place, name in enumerate(PLACES):
        if place not in served:
            raise tables.error("", f"no route at {name}", "a route at every place")
    return read_only([pair for sort in RouteSort for pair in ends[sort]])


def _pairs(section: Table, number: int) -> list[tuple[int, int]]:
    """Read so many routes that lead both ways."""
    pairs: list[tuple[int, int]] = []
    for n, value in enumerate(section.get("between", list), 1):
        first, second = section.different_words(f"between[{n}]", value, PLACES, 2)
        if (first, second) in pairs or (second, first) in pairs:
            raise section.error(f"between[{n}]", f"{PLACES[first]} and {PLACES[second]} again", "each route once")
        pairs.append((first, second))
    if len(pairs) != number:
        raise section.error("between", f"{len(pairs)} routes", str(number))
    return pairs


def _courses(section: Table) -> list[tuple[int, ...]]:
    """Read the places on each river, downstream."""
    entries = enumerate(section.get("courses", list), 1)
    courses = [section.different_words(f"courses[{n}]", value, PLACES, RIVER_PLACES) for n, value in entries]
    if len(courses) != RIVERS:
        raise section.error("courses", f"{len(courses)} rivers", str(RIVERS))
    return courses


def _check_course(
    section: Table, key: str, course: Sequence[int], others: Sequence[Sequence[int]], on_open_water: set[int]
) -> None:
    """Check that a river meets no other one, and lake or sea at its end and not before (I1.2)."""
    for place in course:
        if any(place in other for other in others):
            raise section.error(key, f"{PLACES[place]}, a place on another river", "rivers that do not meet")
    if course[-1] not in on_open_water:
        raise section.error(key, f"{PLACES[course[-1]]} at the end", "a place with a lake or sea route")
    for place in course[1:-1]:
        if place in on_open_water:
            found = f"{PLACES[place]} in the middle, which has a lake or sea route"
            raise section.error(key, found, "a river that ends where it meets lake or sea")


def _check_water_ways(
    tables: Table, ends: dict[RouteSort, list[tuple[int, int]]], courses: Sequence[Sequence[int]]
) -> None:
    """Check that from any place at most one water way leads to each destination (I1.3)."""
    both_ways = [pair for sort in (RouteSort.LAKE, RouteSort.SEA) for pair in ends[sort]]
    ways = [*both_ways, *((second, first) for first, second in both_ways)]
    ways += [(course[k], stop) for course in courses for k in range(len(course)) for stop in course[k + 1 :]]
    for start, stop in ways:
        if (number := ways.count((start, stop))) > 1:
            found = f"{number} water ways from {PLACES[start]} to {PLACES[stop]}"
            raise tables.error("", found, "at most one from any place to another")


# ---- Adventure cards -------------------------------------------------------------------------------------------------


def _adventure(adventure: Table, kept: Table, lightning: Table) -> IntTable:
    """Read the copies of the adventure cards (I2.1): int64[20]."""
    copies = [kept.number(CARDS[card], 1, NUM_ADVENTURE_CARDS) for card in KEPT_CARDS]
    in_hand = sum(copies)
    copies += [lightning.number(CARDS[card], 1, NUM_ADVENTURE_CARDS) for card in LIGHTNING_CARDS]
    if sum(copies) != NUM_ADVENTURE_CARDS:
        found = f"{in_hand} kept and {sum(copies) - in_hand} lightning cards"
        raise adventure.error("", found, f"{NUM_ADVENTURE_CARDS} adventure cards in all")
    if in_hand < KEPT_CARDS_AT_LEAST:
        expected = f"at least {KEPT_CARDS_AT_LEAST}, what six hands and the display need"
        raise kept.error("", f"{in_hand} cards", expected)
    return read_only(copies)


def _fixed(section: Table, numbers: dict[Card, int]) -> IntTable:
    """Read numbers that are documented: int64[20], 0 for the other cards."""
    return read_only(
        [section.number(CARDS[card], numbers[card], numbers[card]) if card in numbers else 0 for card in Card]
    )


# ---- Treasures and curses --------------------------------------------------------------------------------------------


def _treasures(sections: Sequence[Table]) -> tuple[IntTable, IntTable, tuple[str, ...], IntTable]:
    """Read the treasure cards (I2.2): copies, values, names of pictures, and pictures of the 54 kinds."""
    copies: list[int] = []
    values: list[int] = []
    shown: list[str] = []
    for sort in TreasureSort:
        starred = sort == TreasureSort.STARRED
        for camp in CAMPS:
            entry = sections[sort].sub(camp, ("value", "picture") if starred else ("copies", "value", "picture"))
            copies.append(1 if starred else entry.number("copies", 0, NUM_COMMON_TREASURES))
            values.append(entry.number("value", 1, LARGEST_VALUE))
            shown.append(_name(entry, "picture"))
            if sort == TreasureSort.BONUS and shown[-1] not in shown[:FIRST_BONUS]:
                raise entry.error("picture", repr(shown[-1]), "a picture that some treasure shows")
    common, bonus = sum(copies[FIRST_COMMON_TREASURE:FIRST_BONUS]), sum(copies[FIRST_BONUS:])
    if common + bonus != NUM_COMMON_TREASURES:
        found = f"{common} treasures and {bonus} bonus cards"
        raise sections[TreasureSort.COMMON].error("", found, f"{NUM_COMMON_TREASURES} in all")
    pictures = _in_order_of_appearance(shown)
    return read_only(copies), read_only(values), pictures, read_only([pictures.index(name) for name in shown])


def _curses(curses: Table) -> IntTable:
    """Read what the curse of each place takes (I2.3): int64[19], negative, 0 for the base camp."""
    return read_only([0 if place == "Base" else curses.number(place, -LARGEST_VALUE, -1) for place in PLACES])


# ---- Destinies -------------------------------------------------------------------------------------------------------

_DESTINY_KEYS: Final = {
    DestinyKind.VISIT_ALL: ("points", "places"),
    DestinyKind.CARDS_IN_HAND_AT_END: ("card", "points_per_card", "max_points"),
    DestinyKind.SEA_JOURNEYS: ("points",),
    DestinyKind.DISTINCT_PLACES_AT_LEAST: ("n", "points"),
    DestinyKind.MARKERS_ON_ONE_PLACE_AT_LEAST: ("n", "points"),
    DestinyKind.RETURNS_TO_BASE_AT_LEAST: ("n", "points"),
}


def _destinies(tables: Table, sections: Sequence[Table]) -> tuple[Destiny, ...]:
    """Read the destinies (I2.3), kind by kind."""
    destinies: list[Destiny] = []
    for kind in DestinyKind:
        for entry in sections[kind].items("cards", ("name", "copies", *_DESTINY_KEYS[kind])):
            destiny = _destiny(kind, entry)
            if any(destiny.name == other.name for other in destinies):
                raise entry.error("name", f"{destiny.name!r} again", "each destiny once, with its copies")
            destinies.append(destiny)
    if (total := sum(destiny.copies for destiny in destinies)) != NUM_DESTINIES:
        raise tables.error("", f"{total} cards", f"{NUM_DESTINIES} in all")
    return tuple(destinies)


def _destiny(kind: DestinyKind, entry: Table) -> Destiny:
    """Read one destiny."""
    name, copies = _name(entry, "name"), entry.number("copies", 1, NUM_DESTINIES)
    if kind == DestinyKind.CARDS_IN_HAND_AT_END:
        card = entry.word("card", entry.get("card", str), _card_names(KEPT_CARDS))
        points = entry.number("points_per_card", 1, LARGEST_VALUE)
        return Destiny(name, copies, kind, points, entry.number("max_points", points, LARGEST_VALUE), card=card)
    if kind == DestinyKind.SEA_JOURNEYS:
        listed = entry.get("points", list)
        if len(listed) != 3:
            raise entry.error("points", repr(listed), "points for no sea journey, one, and two or more")
        none, one, more = (entry.within(f"points[{k}]", listed[k - 1], 0, LARGEST_VALUE) for k in (1, 2, 3))
        return Destiny(name, copies, kind, max_points=max(none, one, more), sea_points=(none, one, more))
    points = entry.number("points", 1, LARGEST_VALUE)
    if kind == DestinyKind.VISIT_ALL:
        return Destiny(name, copies, kind, points, points, places=_camps(entry, "places"))
    return Destiny(name, copies, kind, points, points, n=entry.number("n", 1, MARKERS))


def _camps(entry: Table, key: str) -> tuple[int, ...]:
    """Read different places where a marker can lie."""
    numbers = entry.words(key, entry.get(key, list), CAMPS)
    if not numbers or len(set(numbers)) != len(numbers):
        raise entry.error(key, repr(entry.table[key]), "different places, at least one")
    return tuple(PLACES.index(CAMPS[number]) for number in numbers)


# ---- The file in use -------------------------------------------------------------------------------------------------

COMPONENTS: Final = load(path_in_use(ENVIRONMENT_VARIABLE, Path(__file__).with_name("components.toml")))

PATH: Final = COMPONENTS.path
CONTENT: Final = COMPONENTS.content
"""The bytes of the file: part of the key of the machine-code cache and of the fingerprint of saved states."""
SOURCES: Final = COMPONENTS.sources
"""Section -> "documented" or "reconstructed"."""

CARD_COPIES: Final = COMPONENTS.card_copies
"""int64[20]: copies of each kind of adventure card in the deck of 112."""
CARD_VALUES: Final = COMPONENTS.card_values
"""int64[20]: what a card counts in a payment on its way or on any way, 0 if nothing (I6.1)."""
CARD_GOLD: Final = COMPONENTS.card_gold
"""int64[20]: gold to be paid with a card (I6.1)."""


def _pays() -> list[list[int]]:
    """Return what each card counts on each way by itself, without a shaman."""
    anywhere = (Card.DRAGON, Card.ZEPPELIN)
    cards_of_ways = [*((card, *anywhere) for card in CARD_OF_WAY), anywhere]
    return [[int(CARD_VALUES[card]) if card in cards else 0 for card in Card] for cards in cards_of_ways]


PAYS: Final[IntTable] = read_only(_pays())
"""int64[5, 20]: what each card counts on each way (`vocab.Way`) by itself, without a shaman (I6.1, I5.3)."""

TREASURE_NAMES: Final = tuple(
    camp if sort == "common" else f"{camp} {sort}" for sort in TREASURE_SORTS for camp in CAMPS
)
"""Name of each of the 54 kinds of treasure cards: `Rhobanis starred`, `Rhobanis`, `Rhobanis bonus`."""
TREASURE_SORT: Final[IntTable] = read_only([sort for sort in TreasureSort for _ in CAMPS])
"""int64[54]: `vocab.TreasureSort` of each kind."""
TREASURE_PLACE: Final[IntTable] = read_only([PLACES.index(camp) for _ in TREASURE_SORTS for camp in CAMPS])
"""int64[54]: the place of each kind; of a bonus it is part of the name and otherwise without meaning."""
TREASURE_COPIES: Final = COMPONENTS.treasure_copies
"""int64[54]: copies of each kind, 72 in all; 1 of each starred one, common and bonus ones may be 0 in another file."""
TREASURE_VALUES: Final = COMPONENTS.treasure_values
"""int64[54]: points of each kind."""
PICTURES: Final = COMPONENTS.pictures
"""Name of each picture, in the order of the file."""
TREASURE_PICTURE: Final = COMPONENTS.treasure_pictures
"""int64[54]: the picture of each kind. A bonus goes with any treasure of the same picture (I2.2)."""


def _treasures_of() -> list[list[int]]:
    """Return the kind of each sort at each place."""
    kinds = [[-1] * len(PLACES) for _ in TREASURE_SORTS]
    for kind in range(TREASURE_KINDS):
        kinds[TREASURE_SORT[kind]][TREASURE_PLACE[kind]] = kind
    return kinds


TREASURE_OF: Final[IntTable] = read_only(_treasures_of())
"""int64[3, 19]: the kind of each sort at each place, -1 at the base camp."""

CURSE_VALUES: Final = COMPONENTS.curse_values
"""int64[19]: points of the curse of each place, negative; 0 at the base camp, which has none."""

_DESTINIES: Final = COMPONENTS.destinies


def _slots(numbers: Sequence[int], unused: int) -> IntTable:
    """Return a table of the destiny slots."""
    table: IntTable = read_only([*numbers, *[unused] * (DESTINY_SLOTS - len(numbers))])
    return table


DESTINY_NAMES: Final[tuple[str | None, ...]] = (
    *(destiny.name for destiny in _DESTINIES),
    *[None] * (DESTINY_SLOTS - len(_DESTINIES)),
)
"""Name of each of the 22 slots, None for one that the file leaves unused."""
DESTINY_COPIES: Final = _slots([destiny.copies for destiny in _DESTINIES], 0)
"""int64[22]: copies of each destiny, 22 in all (0 in unused slots)."""
DESTINY_KIND: Final = _slots([destiny.kind for destiny in _DESTINIES], -1)
"""int64[22]: `vocab.DestinyKind` of each slot, -1 if unused."""
DESTINY_POINTS: Final = _slots([destiny.points for destiny in _DESTINIES], 0)
"""int64[22]: points if it is met; for cards in hand at the end, points for each; 0 for sea journeys."""
DESTINY_MAX_POINTS: Final = _slots([destiny.max_points for destiny in _DESTINIES], 0)
"""int64[22]: the most points it can give, of every kind."""
DESTINY_PLACES: Final = _slots([sum(1 << place for place in destiny.places) for destiny in _DESTINIES], 0)
"""int64[22]: bit set of the places that must all be visited, 0 for other kinds."""
DESTINY_CARD: Final = _slots([destiny.card for destiny in _DESTINIES], -1)
"""int64[22]: the adventure card that is counted in hand at the end, -1 for other kinds."""
DESTINY_N: Final = _slots([destiny.n for destiny in _DESTINIES], 0)
"""int64[22]: how many places, markers or returns there must be at least, 0 for other kinds."""
DESTINY_SEA_POINTS: Final[IntTable] = read_only(
    [destiny.sea_points for destiny in _DESTINIES] + [(0, 0, 0)] * (DESTINY_SLOTS - len(_DESTINIES))
)
"""int64[22, 3]: points for no sea journey, one, and two or more, 0 for other kinds."""

FAMILIES: Final = COMPONENTS.families
"""Name of each family of place names, in the order of the file."""
FAMILY: Final = COMPONENTS.place_families
"""int64[19]: the family of each place, -1 for the base camp."""
COORDINATES: Final = COMPONENTS.coordinates
"""int64[19, 2]: x and y of each place in thousandths, from the west and from the north."""
