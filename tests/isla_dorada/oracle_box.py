"""What lies in the box, for the oracle: words, the map, what can be paid, what a destiny gives; in plain Python.

Only the words and the contents of the components file are shared with the game; routes, ways and payments are worked
out here. Rule ids (`I5.2`) are those of docs/rules/isla_dorada.md.
"""

from collections import Counter
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from isla_dorada_env.components import COMPONENTS, ROUTES_EACH, TREASURE_NAMES
from isla_dorada_env.vocab import CARDS, KEPT_CARDS, PLACES, ROUTE_SORTS, WAYS, DestinyKind

BASE = "Base"
KEPT = tuple(CARDS[card] for card in KEPT_CARDS)
LIGHTNING = tuple(card for card in CARDS if card not in KEPT)
ANIMALS = ("yak", "kamel", "gonogo")
ANIMAL_OF = {"mountain": "yak", "jungle": "gonogo", "desert": "kamel"}  # I6.1
TREASURES = tuple(TREASURE_NAMES)
DESTINIES = {destiny.name: destiny for destiny in COMPONENTS.destinies}
CARD_COPIES = {card: int(number) for card, number in zip(CARDS, COMPONENTS.card_copies, strict=True)}
TREASURE_COPIES = {name: int(number) for name, number in zip(TREASURES, COMPONENTS.treasure_copies, strict=True)}
CURSE_VALUES = {place: int(value) for place, value in zip(PLACES, COMPONENTS.curse_values, strict=True)}
MARKERS = 16
TELEGRAMS = (4, 9)  # I3.1, I8.4


class OracleError(Exception):
    """Something happened that the rules do not allow."""


# ---- Numbers of words ------------------------------------------------------------------------------------------------

CARD_NUMBERS = {card: number for number, card in enumerate(CARDS)}
TREASURE_NUMBERS = {name: number for number, name in enumerate(TREASURES)}
PLACE_NUMBERS = {place: number for number, place in enumerate(PLACES)}
WAY_NUMBERS = {way: number for number, way in enumerate(WAYS)}


def bid_number(place: str, way: str) -> int:
    return WAY_NUMBERS[way] * len(PLACES) + PLACE_NUMBERS[place]


def bid_name(number: int) -> str:
    way, place = divmod(number, len(PLACES))
    return f"{PLACES[place]} {WAYS[way]}"


def player_name(seat: int) -> str:
    return f"player_{seat}"


def seat_number(player: str) -> int:
    return int(player.removeprefix("player_"))


# ---- The map (I1) ----------------------------------------------------------------------------------------------------


class Route(NamedTuple):
    """A route; of a river hop downstream."""

    one: str
    other: str
    sort: str

    @property
    def name(self) -> str:
        return f"{self.one} {self.other} {self.sort}"


def _routes() -> dict[str, Route]:
    """All routes by name, in the order of the components file (I1.1)."""
    last = list(accumulate(ROUTES_EACH))
    found = {}
    for number, (one, other) in enumerate(COMPONENTS.route_ends.tolist()):
        sort = next(sort for sort, end in zip(ROUTE_SORTS, last, strict=True) if number < end)
        route = Route(PLACES[one], PLACES[other], sort)
        found[route.name] = route
    return found


ROUTES = _routes()
ROUTE_NUMBERS = {name: number for number, name in enumerate(ROUTES)}
GROUND = {  # I9.1
    "bigfoot": [name for name, route in ROUTES.items() if route.sort in ANIMAL_OF],
    "leviathan": [name for name, route in ROUTES.items() if route.sort not in ANIMAL_OF],
}


def rides(start: str, way: str) -> dict[str, list[str]]:
    """Where a way leads, with the routes used on it, blocked or not (I1.3, I5.2)."""
    if way == "flight":
        return {place: [] for place in PLACES if place != start}
    found: dict[str, list[str]] = {}
    for name, (one, other, sort) in ROUTES.items():
        if sort == "river":
            if way == "water" and one == start:
                found[other] = [name]
                further = {stop: [name, *hops] for stop, hops in rides(other, "water").items() if _is_river(hops)}
                found.update(further)
        elif start in (one, other) and way == ("water" if sort in ("lake", "sea") else sort):
            found[other if start == one else one] = [name]
    return found


def _is_river(hops: list[str]) -> bool:
    return all(ROUTES[hop].sort == "river" for hop in hops)


def adjacent(place: str) -> set[str]:
    """The places linked by one land or lake route or one river hop, in either direction (I8.3)."""
    links = [(route.one, route.other) for route in ROUTES.values() if route.sort != "sea"]
    return {two for one, two in links if one == place} | {one for one, two in links if two == place}


# ---- Payments (I6) ---------------------------------------------------------------------------------------------------

CARD_VALUES = {card: int(value) for card, value in zip(CARDS, COMPONENTS.card_values, strict=True)}
CARD_GOLD = {card: int(gold) for card, gold in zip(CARDS, COMPONENTS.card_gold, strict=True)}


class Purse(NamedTuple):
    """What a player pays from; a way, and the animals that shamans have turned in this payment."""

    way: str
    hand: tuple[str, ...]
    gold: int
    turned: frozenset[str]


def purse(way: str, hand: list[str], gold: int, turned: list[str]) -> Purse:
    """The cards that do not pay anywhere are left out, and the order is always the same."""
    paying = sorted(card for card in hand if CARD_VALUES[card] or card == "shaman")
    return Purse(way, tuple(paying), gold, frozenset(turned))


def payments(have: Purse) -> dict[tuple[str, bool], Purse]:
    """Each card that can be paid next, and whether with a shaman; what is left after it (I6.1, I6.2, I5.3)."""
    found = {}
    counted = [ANIMAL_OF[have.way], *have.turned] if have.way in ANIMAL_OF else []
    counted += ["kayak"] if have.way == "water" else []
    for card in set(have.hand):
        rest = list(have.hand)
        rest.remove(card)
        if card in counted or (card in ("dragon", "zeppelin") and have.gold >= CARD_GOLD[card]):
            found[card, False] = have._replace(hand=tuple(rest), gold=have.gold - CARD_GOLD[card])
        elif card in ANIMALS and have.way in ANIMAL_OF and "shaman" in rest:
            rest.remove("shaman")
            found[card, True] = have._replace(hand=tuple(rest), turned=have.turned | {card})
    return found


@lru_cache(maxsize=200_000)
def most(have: Purse) -> int:
    """The highest sum that can be paid: the best of all payments, card by card (I5.3)."""
    return max((CARD_VALUES[card] + most(rest) for (card, _), rest in payments(have).items()), default=0)


# ---- Treasures and destinies -----------------------------------------------------------------------------------------


def treasure_place(treasure: str) -> str:
    return treasure.removesuffix(" starred").removesuffix(" bonus")


def is_bonus(treasure: str) -> bool:
    return treasure.endswith(" bonus")


def treasure_value(treasure: str) -> int:
    return int(COMPONENTS.treasure_values[TREASURE_NUMBERS[treasure]])


def picture(treasure: str) -> int:
    return int(COMPONENTS.treasure_pictures[TREASURE_NUMBERS[treasure]])


def best_bonus(treasure: str, hand: list[str]) -> str | None:
    """The bonus that is laid with a treasure: the most valuable, among equals the first in card order (I8.2)."""
    fitting = [name for name in TREASURES if name in hand and is_bonus(name) and picture(name) == picture(treasure)]
    return max(fitting, key=treasure_value, default=None)


def destiny_points(name: str, markers: Counter[str], hand: list[str], sea_journeys: int, returns: int) -> int:
    """What a destiny gives at the end (I2.3)."""
    destiny = DESTINIES[name]
    visited = [place for place in PLACES if markers[place]]
    match destiny.kind:
        case DestinyKind.VISIT_ALL:
            met = all(PLACES[place] in visited for place in destiny.places)
        case DestinyKind.CARDS_IN_HAND_AT_END:
            return min(destiny.max_points, destiny.points * hand.count(CARDS[destiny.card]))
        case DestinyKind.SEA_JOURNEYS:
            return destiny.sea_points[min(2, sea_journeys)]
        case DestinyKind.DISTINCT_PLACES_AT_LEAST:
            met = len(visited) >= destiny.n
        case DestinyKind.MARKERS_ON_ONE_PLACE_AT_LEAST:
            met = max(markers.values(), default=0) >= destiny.n
        case DestinyKind.RETURNS_TO_BASE_AT_LEAST:
            met = returns >= destiny.n
    return destiny.points if met else 0
