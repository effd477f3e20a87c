"""The map as tables: routes, destinations by place and way, rides on water, neighbours (I1, I5.2, I8.3).

Places 0-18 are numbered in the order of `vocab.PLACES`. Routes 0-44 in the order of the components file, sort by sort:
land 0-31 (jungle, desert, mountain), water 32-44 (lake, sea, river hops downstream). Bit sets are uint64 with bit k for
place or route k. Everything is derived from the components file and read-only.
"""

from collections.abc import Iterable
from typing import Final

import numpy as np
import numpy.typing as npt

from isla_dorada_env.components import (
    COMPONENTS,
    FIRST_BONUS,
    MAX_HOPS,
    NUM_ROUTES,
    ROUTES_EACH,
    TREASURE_PLACE,
    IntTable,
    read_only,
)
from isla_dorada_env.vocab import PLACES, ROUTE_SORTS, ROUTE_WAYS, WAY_OF_SORT, RouteSort, Way

BitTable = npt.NDArray[np.uint64]

NUM_PLACES: Final = len(PLACES)


def _bits(members: Iterable[int]) -> int:
    """Return a bit set of places or routes."""
    return sum(1 << member for member in set(members))


# ---- Routes (I1.1, I1.2) ---------------------------------------------------------------------------------------------

_SORTS: Final = [sort for sort in RouteSort for _ in range(ROUTES_EACH[sort])]

ROUTE_ENDS: Final = COMPONENTS.route_ends
"""int64[45, 2]: the two places of each route; a river hop leads from the first to the second and not back."""
_ENDS: Final[list[tuple[int, int]]] = [(first, second) for first, second in ROUTE_ENDS.tolist()]

ROUTE_SORT: Final[IntTable] = read_only(_SORTS)
"""int64[45]: `vocab.RouteSort` of each route."""

ROUTE_WAY: Final[IntTable] = read_only([WAY_OF_SORT[sort] for sort in _SORTS])
"""int64[45]: the way (`vocab.Way`) each route belongs to."""

ROUTE_NAMES: Final = tuple(
    f"{PLACES[first]} {PLACES[second]} {ROUTE_SORTS[sort]}" for sort, (first, second) in zip(_SORTS, _ENDS, strict=True)
)
"""Name of each route: `Hora-Pena Bulo-Mapo jungle`; of a river hop downstream."""


def _routes_of(*sorts: RouteSort) -> np.uint64:
    return np.uint64(_bits(route for route in range(NUM_ROUTES) if _SORTS[route] in sorts))


LAND_ROUTES: Final = _routes_of(RouteSort.JUNGLE, RouteSort.DESERT, RouteSort.MOUNTAIN)
"""Bit set of the 32 routes where bigfoot can stand (I9.1)."""
WATER_ROUTES: Final = _routes_of(RouteSort.LAKE, RouteSort.SEA, RouteSort.RIVER)
"""Bit set of the 13 routes where the leviathan can stand (I9.1)."""
SEA_ROUTES: Final = _routes_of(RouteSort.SEA)
"""Bit set of the four sea routes; each one travelled is a sea journey (I7.2)."""

# ---- Ways (I1.3, I5.2) -----------------------------------------------------------------------------------------------


def _journeys() -> dict[tuple[int, int, int], tuple[int, ...]]:
    """Return the routes used, in order, by place, way and destination; all journeys but flights.

    `components` has seen to it that no two routes of one sort join the same places, that at most one water way leads
    from a place to another (I1.3), and that rivers do not meet and end where they reach lake or sea (I1.2).
    """
    journeys: dict[tuple[int, int, int], tuple[int, ...]] = {}
    downstream = {}
    for route, (first, second) in enumerate(_ENDS):
        way = WAY_OF_SORT[_SORTS[route]]
        if _SORTS[route] == RouteSort.RIVER:
            downstream[first] = route
        else:
            journeys[first, way, second] = journeys[second, way, first] = (route,)
    for start in downstream:
        stop, ride = start, list[int]()
        while stop in downstream:
            ride.append(downstream[stop])
            stop = _ENDS[ride[-1]][1]
            journeys[start, Way.WATER, stop] = tuple(ride)
    return journeys


_JOURNEYS: Final = _journeys()


def _route_tables() -> tuple[IntTable, IntTable, BitTable]:
    """Return the hops of each journey, the last of them, and the water rides as bit sets."""
    shape = (NUM_PLACES, len(ROUTE_WAYS), NUM_PLACES)
    hops = np.full((*shape, MAX_HOPS), -1, np.int64)
    last_hop = np.full(shape, -1, np.int64)
    rides = np.zeros((NUM_PLACES, NUM_PLACES), np.uint64)
    for (place, way, destination), routes in _JOURNEYS.items():
        hops[place, way, destination, : len(routes)] = routes
        last_hop[place, way, destination] = routes[-1]
        if way == Way.WATER:
            rides[place, destination] = _bits(routes)
    return read_only(hops), read_only(last_hop), read_only(rides, np.uint64)


HOPS, LAST_HOP, RIDES = _route_tables()
"""Per place and destination:

- `HOPS` int64[19, 4, 19, 2]: by way along routes (`vocab.ROUTE_WAYS`), the routes used, in order, then -1. On land, on
  the lake and at sea that is one route; a river ride may have two hops;
- `LAST_HOP` int64[19, 4, 19]: the last of these, which a move that goes on may not take back (I7.3); -1 if none;
- `RIDES` uint64[19, 19]: the routes used on water as a bit set, 0 if no water way leads there. A ride through a blocked
  hop may not be named (I5.2); together with `SEA_ROUTES` it tells sea journeys.
"""


def _destinations() -> list[list[int]]:
    """Return the destinations by place and way; a flight leads to any other place."""
    table = []
    for here in range(NUM_PLACES):
        by_route = [_bits(there for start, way, there in _JOURNEYS if (start, way) == (here, k)) for k in ROUTE_WAYS]
        table.append([*by_route, _bits(there for there in range(NUM_PLACES) if there != here)])
    return table


DESTINATIONS: Final[BitTable] = read_only(_destinations(), np.uint64)
"""uint64[19, 5]: bit set of the destinations from each place by each way (`vocab.Way`), with no route blocked (I5.2).
The land ways have the numbers of their sorts, so this is also the table of land routes by place and sort."""


def _cut() -> list[list[int]]:
    """Return which destinations from each place are lost, by the way of a route, if that route is blocked."""
    return [
        [
            _bits(there for (start, _, there), used in _JOURNEYS.items() if start == here and route in used)
            for here in range(NUM_PLACES)
        ]
        for route in range(NUM_ROUTES)
    ]


CUT: Final[BitTable] = read_only(_cut(), np.uint64)
"""uint64[45, 19]: bit set of the destinations from each place, by the way of the route (`ROUTE_WAY`), that a monster on
the route closes (I9.1): open are `DESTINATIONS[place, way] & ~CUT[route, place]`. Other ways stay open."""

# ---- Neighbours (I8.3) -----------------------------------------------------------------------------------------------


def _adjacent() -> list[int]:
    """Return the places linked by one land or lake route or one river hop, in either direction; not by sea."""
    links = [ends for sort, ends in zip(_SORTS, _ENDS, strict=True) if sort != RouteSort.SEA]
    return [
        _bits([*(b for a, b in links if a == place), *(a for a, b in links if b == place)])
        for place in range(NUM_PLACES)
    ]


ADJACENT: Final[BitTable] = read_only(_adjacent(), np.uint64)
"""uint64[19]: bit set of the places next to each place, blocked or not (I8.3)."""


def _treasures_at() -> list[int]:
    """Return the starred and common treasures of each place."""
    kinds = [0] * NUM_PLACES
    for kind in range(FIRST_BONUS):
        kinds[TREASURE_PLACE[kind]] |= 1 << kind
    return kinds


TREASURES_AT: Final[BitTable] = read_only(_treasures_at(), np.uint64)
"""uint64[19]: bit set of the kinds of treasures, no bonus cards, of each place; none at the base camp."""


def _treasures_near() -> list[int]:
    """Return the starred and common treasures of the places adjacent to each place."""
    kinds = [0] * NUM_PLACES
    for place in range(NUM_PLACES):
        for other in range(NUM_PLACES):
            if int(ADJACENT[place]) >> other & 1:
                kinds[place] |= int(TREASURES_AT[other])
    return kinds


TREASURES_NEAR: Final[BitTable] = read_only(_treasures_near(), np.uint64)
"""uint64[19]: bit set of the kinds of treasures, no bonus cards, of the places adjacent to each place (I8.3)."""
