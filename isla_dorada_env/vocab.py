"""The words of the game: places, ways, routes, cards and kinds of destinies (I1.1, I1.3, I2).

Whatever is named by a person (the components file, actions, transcripts) is named with these words, and every number
that stands for one of them is its index here.
"""

from enum import IntEnum
from typing import Final

# fmt: off
PLACES: Final = (
    "Hora-Pena", "Septris", "Methritis", "Rhobanis",
    "Bulo-Mapo", "Wahi-Waha", "Mana-Hatu", "Kamoptis", "Joztakitl", "Kakotapl",
    "Vanu-Tabu", "Balabatung", "Base", "Qualtops", "Etintaklop",
    "Aminadang", "Taratarong", "Kilitiping", "Teltoqlut",
)
# fmt: on
"""The 19 places row by row, from north to south and from west to east (I1.1)."""

BASE: Final = PLACES.index("Base")
"""The base camp, where no marker is ever placed (I7.1)."""

CAMPS: Final = tuple(place for place in PLACES if place != "Base")
"""The 18 other places, in the same order: those with treasures and curses (I2.2, I2.3)."""


class RouteSort(IntEnum):
    """The six sorts of routes (I1.1): three on land, then three on water."""

    JUNGLE = 0
    DESERT = 1
    MOUNTAIN = 2
    LAKE = 3
    SEA = 4
    RIVER = 5


ROUTE_SORTS: Final = tuple(sort.name.lower() for sort in RouteSort)
"""The name of each sort, in the order of `RouteSort`."""


class Way(IntEnum):
    """The five ways to a place (I1.3). Those on land have the numbers of their sort of route."""

    JUNGLE = 0
    DESERT = 1
    MOUNTAIN = 2
    WATER = 3
    FLIGHT = 4


WAYS: Final = tuple(way.name.lower() for way in Way)
"""The name of each way, in the order of `Way`."""

LAND_WAYS: Final = (Way.JUNGLE, Way.DESERT, Way.MOUNTAIN)
ROUTE_WAYS: Final = (*LAND_WAYS, Way.WATER)
"""The ways along routes: all but the flight."""

WAY_OF_SORT: Final = (*LAND_WAYS, Way.WATER, Way.WATER, Way.WATER)
"""The way that a route of each sort belongs to, in the order of `RouteSort`."""


class Card(IntEnum):
    """The twenty kinds of adventure cards (I2.1): eleven kept in hand, then nine lightning cards."""

    YAK = 0
    KAMEL = 1
    GONOGO = 2
    KAYAK = 3
    DRAGON = 4
    ZEPPELIN = 5
    SHAMAN = 6
    OVETO = 7
    JUJU = 8
    SANGAIA = 9
    BONGO = 10
    MACAQUE = 11
    BIGFOOT = 12
    LEVIATHAN = 13
    ANTIK = 14
    ISTWA = 15
    MARABOU = 16
    DIAWAS = 17
    PANDA = 18
    BARON_SATURDAY = 19


CARDS: Final = tuple(card.name.lower().replace("_", "-") for card in Card)
"""The name of each kind of adventure card, in the order of `Card`."""

KEPT_CARDS: Final = tuple(card for card in Card if card < Card.MACAQUE)
LIGHTNING_CARDS: Final = tuple(card for card in Card if card >= Card.MACAQUE)
"""Lightning cards are resolved and discarded when drawn (I10.2)."""
FIRST_LIGHTNING: Final = len(KEPT_CARDS)
"""Cards from this one on are lightning cards."""

PAYING_CARDS: Final = (Card.YAK, Card.KAMEL, Card.GONOGO, Card.KAYAK, Card.DRAGON, Card.ZEPPELIN)
"""The cards that have a value (I6.1): three animals, the kayak, and two that go with gold."""

CARD_OF_WAY: Final = (Card.GONOGO, Card.KAMEL, Card.YAK, Card.KAYAK)
"""The card that counts on each of `ROUTE_WAYS` alone (I6.1): the animal of each land way, and the kayak."""


class TreasureSort(IntEnum):
    """The three sorts of treasure cards (I2.2); a bonus is laid with a treasure."""

    STARRED = 0
    COMMON = 1
    BONUS = 2


TREASURE_SORTS: Final = tuple(sort.name.lower() for sort in TreasureSort)
"""The name of each sort, in the order of `TreasureSort`."""


class DestinyKind(IntEnum):
    """What a destiny asks for (I2.3)."""

    VISIT_ALL = 0
    CARDS_IN_HAND_AT_END = 1
    SEA_JOURNEYS = 2
    DISTINCT_PLACES_AT_LEAST = 3
    MARKERS_ON_ONE_PLACE_AT_LEAST = 4
    RETURNS_TO_BASE_AT_LEAST = 5


DESTINY_KINDS: Final = tuple(kind.name.lower() for kind in DestinyKind)
"""The name of each kind, in the order of `DestinyKind`."""
