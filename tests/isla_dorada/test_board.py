"""The tables of the map, against the words of the rules and a list of every place read by eye."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from isla_dorada_env import board
from isla_dorada_env.board import (
    ADJACENT,
    CUT,
    DESTINATIONS,
    HOPS,
    LAND_ROUTES,
    LAST_HOP,
    NUM_PLACES,
    RIDES,
    ROUTE_ENDS,
    ROUTE_NAMES,
    ROUTE_SORT,
    ROUTE_WAY,
    SEA_ROUTES,
    WATER_ROUTES,
)
from isla_dorada_env.components import COMPONENTS, NUM_ROUTES, TREASURE_NAMES
from isla_dorada_env.vocab import PLACES, ROUTE_SORTS, ROUTE_WAYS, WAYS, RouteSort, Way

# What leads out of each place, as drawn on the board; of a river the stops further down in brackets.
BY_EYE = {
    "Hora-Pena": "jungle Bulo-Mapo; desert Wahi-Waha; mountain Septris Methritis; sea Rhobanis Aminadang",
    "Septris": "desert Mana-Hatu Kamoptis; mountain Hora-Pena Methritis",
    "Methritis": "jungle Rhobanis; desert Kamoptis Joztakitl; mountain Hora-Pena Septris",
    "Rhobanis": "jungle Methritis; mountain Kakotapl; sea Hora-Pena Teltoqlut",
    "Bulo-Mapo": "jungle Hora-Pena Wahi-Waha; mountain Vanu-Tabu; river Wahi-Waha (Mana-Hatu)",
    "Wahi-Waha": "jungle Bulo-Mapo; desert Hora-Pena; mountain Aminadang; river Mana-Hatu",
    "Mana-Hatu": "jungle Kamoptis; desert Septris; mountain Aminadang; lake Balabatung Base",
    "Kamoptis": "jungle Mana-Hatu; desert Septris Methritis Joztakitl; mountain Base",
    "Joztakitl": "jungle Qualtops; desert Methritis Kamoptis Kakotapl; mountain Etintaklop",
    "Kakotapl": "desert Joztakitl; mountain Rhobanis Etintaklop",
    "Vanu-Tabu": "mountain Bulo-Mapo; river Aminadang",
    "Balabatung": "jungle Taratarong Kilitiping; mountain Aminadang; lake Mana-Hatu Base; river Vanu-Tabu (Aminadang)",
    "Base": "jungle Kilitiping Qualtops; mountain Kamoptis; lake Mana-Hatu Balabatung",
    "Qualtops": "jungle Joztakitl Base; desert Teltoqlut; river Base",
    "Etintaklop": "desert Teltoqlut; mountain Joztakitl Kakotapl; river Qualtops (Base)",
    "Aminadang": "jungle Taratarong; mountain Wahi-Waha Mana-Hatu Balabatung; sea Hora-Pena Teltoqlut",
    "Taratarong": "jungle Balabatung Aminadang; desert Kilitiping",
    "Kilitiping": "jungle Balabatung Base; desert Taratarong Teltoqlut",
    "Teltoqlut": "desert Qualtops Etintaklop Kilitiping; sea Rhobanis Aminadang",
}


def place(name: str) -> int:
    return PLACES.index(name)


def route(name: str) -> int:
    return ROUTE_NAMES.index(name)


def members(bits: int | np.uint64) -> set[int]:
    return {k for k in range(64) if int(bits) >> k & 1}


def places(bits: int | np.uint64) -> set[str]:
    return {PLACES[k] for k in members(bits)}


def destinations(start: str, way: str) -> set[str]:
    return places(DESTINATIONS[place(start), WAYS.index(way)])


def hops(start: str, way: str, end: str) -> list[str]:
    return [ROUTE_NAMES[k] for k in HOPS[place(start), WAYS.index(way), place(end)].tolist() if k >= 0]


def by_sort(start: str) -> dict[str, str]:
    """The line of a place, by sort of route."""
    return dict(part.split(" ", 1) for part in BY_EYE[start].split("; "))


# ---- Routes ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("I1.1")
def test_numbers_of_routes() -> None:
    assert len(ROUTE_NAMES) == len(set(ROUTE_NAMES)) == NUM_ROUTES == 45
    counts = {sort: int((k == ROUTE_SORT).sum()) for k, sort in enumerate(ROUTE_SORTS)}
    assert counts == {"jungle": 10, "desert": 11, "mountain": 11, "lake": 3, "sea": 4, "river": 6}
    assert (np.diff(ROUTE_SORT) >= 0).all(), "sort by sort"


@pytest.mark.rule("I1.1")
def test_names_of_routes() -> None:
    assert ROUTE_NAMES[0] == "Hora-Pena Bulo-Mapo jungle"
    assert ROUTE_NAMES[33] == "Mana-Hatu Base lake"
    assert ROUTE_NAMES[44] == "Vanu-Tabu Aminadang river"
    for k, name in enumerate(ROUTE_NAMES):
        first, second = ROUTE_ENDS[k].tolist()
        assert name == f"{PLACES[first]} {PLACES[second]} {ROUTE_SORTS[ROUTE_SORT[k]]}"


@pytest.mark.rule("I1.1", "I1.3", "I9.1", "I7.2")
def test_sets_of_routes() -> None:
    assert members(LAND_ROUTES) == set(range(32))
    assert members(WATER_ROUTES) == set(range(32, 45))
    assert {ROUTE_NAMES[k] for k in members(SEA_ROUTES)} == {
        "Hora-Pena Rhobanis sea",
        "Hora-Pena Aminadang sea",
        "Rhobanis Teltoqlut sea",
        "Aminadang Teltoqlut sea",
    }
    for k in range(NUM_ROUTES):
        assert (ROUTE_WAY[k] == Way.WATER) == (k in members(WATER_ROUTES))
        if k in members(LAND_ROUTES):
            assert WAYS[ROUTE_WAY[k]] == ROUTE_SORTS[ROUTE_SORT[k]]


# ---- Destinations ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("I1.1", "I1.2", "I5.2")
@pytest.mark.parametrize("start", PLACES)
def test_destinations_by_eye(start: str) -> None:
    line = by_sort(start)
    for way in ("jungle", "desert", "mountain"):
        assert destinations(start, way) == set(line.get(way, "").split())
    water = " ".join(line.get(sort, "") for sort in ("lake", "sea", "river"))
    assert destinations(start, "water") == set(water.replace("(", "").replace(")", "").split())
    assert destinations(start, "flight") == set(PLACES) - {start}


@pytest.mark.rule("I1.1")
def test_the_list_by_eye_holds_every_route_at_both_ends() -> None:
    """So a slip of the eye at one end would show."""
    assert tuple(BY_EYE) == PLACES
    for sort in ROUTE_SORTS[:5]:
        links = {(start, end) for start in PLACES for end in by_sort(start).get(sort, "").split()}
        assert links == {(end, start) for start, end in links}
        number = {"jungle": 10, "desert": 11, "mountain": 11, "lake": 3, "sea": 4}[sort]
        assert len(links) == 2 * number


@pytest.mark.rule("I1.2", "I5.2")
@pytest.mark.parametrize(
    ("river", "end"),
    [
        (("Bulo-Mapo", "Wahi-Waha", "Mana-Hatu"), "lake"),
        (("Etintaklop", "Qualtops", "Base"), "lake"),
        (("Balabatung", "Vanu-Tabu", "Aminadang"), "sea"),
    ],
)
def test_rivers(river: tuple[str, str, str], end: str) -> None:
    source, middle, mouth = river
    upper, lower = f"{source} {middle} river", f"{middle} {mouth} river"
    assert hops(source, "water", middle) == [upper]
    assert hops(source, "water", mouth) == [upper, lower]
    assert hops(middle, "water", mouth) == [lower]
    assert members(RIDES[place(source), place(mouth)]) == {route(upper), route(lower)}
    # Downstream only.
    assert middle not in destinations(mouth, "water")
    assert source not in destinations(middle, "water") | destinations(mouth, "water")
    # It ends where it meets lake or sea.
    assert end in by_sort(mouth)
    assert not {"lake", "sea"} & by_sort(middle).keys()


@pytest.mark.rule("I1.3")
def test_from_aminadang_water_leads_to_hora_pena_or_teltoqlut_alone() -> None:
    assert destinations("Aminadang", "water") == {"Hora-Pena", "Teltoqlut"}


@pytest.mark.rule("I5.2")
def test_hora_pena_to_bulo_mapo() -> None:
    assert hops("Hora-Pena", "jungle", "Bulo-Mapo") == ["Hora-Pena Bulo-Mapo jungle"]
    assert hops("Bulo-Mapo", "jungle", "Hora-Pena") == ["Hora-Pena Bulo-Mapo jungle"]
    for way in ("desert", "mountain", "water"):
        assert hops("Hora-Pena", way, "Bulo-Mapo") == []


@pytest.mark.rule("I1.3", "I5.2")
def test_ways_out_of_the_base() -> None:
    assert destinations("Base", "jungle") == {"Kilitiping", "Qualtops"}
    assert destinations("Base", "desert") == set()
    assert destinations("Base", "mountain") == {"Kamoptis"}
    assert destinations("Base", "water") == {"Mana-Hatu", "Balabatung"}
    assert hops("Base", "water", "Mana-Hatu") == ["Mana-Hatu Base lake"]
    assert len(destinations("Base", "flight")) == 18


@pytest.mark.rule("I1.3", "I12.6")
@pytest.mark.parametrize(("start", "end"), [("Bulo-Mapo", "Wahi-Waha"), ("Qualtops", "Base")])
def test_river_and_jungle_side_by_side(start: str, end: str) -> None:
    ways = [way for way in WAYS if end in destinations(start, way)]
    assert ways == ["jungle", "water", "flight"]
    jungle = "Base Qualtops" if end == "Base" else f"{start} {end}"
    assert hops(start, "jungle", end) == [f"{jungle} jungle"]
    assert hops(start, "water", end) == [f"{start} {end} river"]
    assert [way for way in WAYS if start in destinations(end, way)] == ["jungle", "flight"]


# ---- Recomputed by brute force ---------------------------------------------------------------------------------------


def all_journeys() -> dict[tuple[int, int, int], list[tuple[int, ...]]]:
    """Every journey along routes by place, way and destination, straight from the routes and the words of I5.2."""
    journeys: dict[tuple[int, int, int], list[tuple[int, ...]]] = {}
    ends = COMPONENTS.route_ends.tolist()
    river = [k for k in range(NUM_ROUTES) if ROUTE_SORT[k] == RouteSort.RIVER]
    open_water = {p for k in range(NUM_ROUTES) if ROUTE_SORT[k] in (RouteSort.LAKE, RouteSort.SEA) for p in ends[k]}
    for k, (first, second) in enumerate(ends):
        if k not in river:
            journeys.setdefault((first, int(ROUTE_WAY[k]), second), []).append((k,))
            journeys.setdefault((second, int(ROUTE_WAY[k]), first), []).append((k,))
    rides = [(hop,) for hop in river]
    while rides:
        ride = rides.pop()
        start, stop = ends[ride[0]][0], ends[ride[-1]][1]
        journeys.setdefault((start, int(Way.WATER), stop), []).append(ride)
        rides += [(*ride, hop) for hop in river if ends[hop][0] == stop and stop not in open_water]
    return journeys


@pytest.mark.rule("I1.3")
def test_at_most_one_journey_by_a_way_to_a_destination() -> None:
    assert {len(found) for found in all_journeys().values()} == {1}


@pytest.mark.rule("I1.3", "I5.2")
def test_tables_of_journeys() -> None:
    journeys = all_journeys()
    assert len(journeys) == 2 * (32 + 3 + 4) + 6 + 3
    for here in range(NUM_PLACES):
        for way in ROUTE_WAYS:
            for there in range(NUM_PLACES):
                (used,) = journeys.get((here, way, there), [()])
                row = HOPS[here, way, there].tolist()
                assert row == [*used, *[-1] * (2 - len(used))]
                assert LAST_HOP[here, way, there] == (used[-1] if used else -1)
                assert (there in members(DESTINATIONS[here, way])) == bool(used)
                if way == Way.WATER:
                    assert members(RIDES[here, there]) == set(used)


@pytest.mark.rule("I7.2")
def test_sea_journeys_are_told_by_the_ride() -> None:
    assert int(RIDES[place("Hora-Pena"), place("Aminadang")] & SEA_ROUTES)
    assert not int(RIDES[place("Balabatung"), place("Aminadang")] & SEA_ROUTES), "a river to the sea is none"
    at_sea = {(a, b) for a in range(NUM_PLACES) for b in range(NUM_PLACES) if int(RIDES[a, b] & SEA_ROUTES)}
    assert len(at_sea) == 8


# ---- Monsters --------------------------------------------------------------------------------------------------------


def open_destinations(start: str, way: str, *blocked: str) -> set[str]:
    """Where a way leads when monsters stand on some routes."""
    k = WAYS.index(way)
    bits = DESTINATIONS[place(start), k]
    for monster in (route(name) for name in blocked):
        if ROUTE_WAY[monster] == k:
            bits = bits & ~CUT[monster, place(start)]
    return places(bits)


@pytest.mark.rule("I9.1", "I5.2")
def test_blocked_routes_by_hand() -> None:
    assert open_destinations("Bulo-Mapo", "water", "Bulo-Mapo Wahi-Waha river") == set()
    assert open_destinations("Bulo-Mapo", "water", "Wahi-Waha Mana-Hatu river") == {"Wahi-Waha"}
    assert open_destinations("Wahi-Waha", "water", "Bulo-Mapo Wahi-Waha river") == {"Mana-Hatu"}
    assert open_destinations("Bulo-Mapo", "jungle", "Bulo-Mapo Wahi-Waha river") == {"Hora-Pena", "Wahi-Waha"}
    assert open_destinations("Wahi-Waha", "jungle", "Bulo-Mapo Wahi-Waha jungle") == set()
    assert open_destinations("Base", "water", "Mana-Hatu Base lake") == {"Balabatung"}
    assert open_destinations("Balabatung", "water", "Vanu-Tabu Aminadang river") == {"Mana-Hatu", "Base", "Vanu-Tabu"}


@pytest.mark.rule("I5.7", "I9.1")
def test_only_vanu_tabu_can_be_closed() -> None:
    """By both monsters; a flight is left."""
    blocked = ("Bulo-Mapo Vanu-Tabu mountain", "Vanu-Tabu Aminadang river")
    for way in WAYS[:4]:
        assert open_destinations("Vanu-Tabu", way, *blocked) == set()
    assert len(open_destinations("Vanu-Tabu", "flight", *blocked)) == 18

    closed = set()
    for here in PLACES:
        for on_land in members(LAND_ROUTES):
            for on_water in members(WATER_ROUTES):
                monsters = ROUTE_NAMES[on_land], ROUTE_NAMES[on_water]
                if not any(open_destinations(here, way, *monsters) for way in WAYS[:4]):
                    closed.add((here, *monsters))
    assert closed == {("Vanu-Tabu", *blocked)}


@pytest.mark.rule("I9.1")
def test_blocked_routes_recomputed() -> None:
    for k in range(NUM_ROUTES):
        for here in range(NUM_PLACES):
            lost = {there for there in range(NUM_PLACES) if k in HOPS[here, ROUTE_WAY[k], there].tolist()}
            assert members(CUT[k, here]) == lost


# ---- Neighbours ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("I8.3")
@pytest.mark.parametrize("here", PLACES)
def test_neighbours_by_eye(here: str) -> None:
    """One land or lake route or one river hop, in either direction; not by sea."""
    lines = {start: [part.split(" (")[0].split() for part in BY_EYE[start].split("; ")] for start in PLACES}
    near = {start: {end for sort, *ends in lines[start] if sort != "sea" for end in ends} for start in PLACES}
    assert places(ADJACENT[place(here)]) == near[here] | {other for other in PLACES if here in near[other]}


@pytest.mark.rule("I8.3")
def test_neighbours_by_hand() -> None:
    assert places(ADJACENT[place("Base")]) == {"Kilitiping", "Qualtops", "Kamoptis", "Mana-Hatu", "Balabatung"}
    # Up the river to Balabatung, but not two hops, and not over the sea.
    assert places(ADJACENT[place("Vanu-Tabu")]) == {"Bulo-Mapo", "Aminadang", "Balabatung"}
    assert places(ADJACENT[place("Rhobanis")]) == {"Methritis", "Kakotapl"}
    assert "Base" not in places(ADJACENT[place("Etintaklop")])
    for a in range(NUM_PLACES):
        assert a not in members(ADJACENT[a])
        assert all(a in members(ADJACENT[b]) for b in members(ADJACENT[a]))


# ---- The tables as such, and other files -----------------------------------------------------------------------------


def test_tables_are_read_only() -> None:
    int64 = {"ROUTE_ENDS": (45, 2), "ROUTE_SORT": (45,), "ROUTE_WAY": (45,)}
    int64 |= {"HOPS": (19, 4, 19, 2), "LAST_HOP": (19, 4, 19)}
    uint64 = {"DESTINATIONS": (19, 5), "RIDES": (19, 19), "CUT": (45, 19), "ADJACENT": (19,)}
    uint64 |= {"TREASURES_AT": (19,), "TREASURES_NEAR": (19,)}
    tables = {name for name, value in vars(board).items() if isinstance(value, np.ndarray)}
    assert {*int64, *uint64} == tables - {"TREASURE_PLACE"}  # that of the components
    for shapes, dtype in ((int64, np.int64), (uint64, np.uint64)):
        for name, shape in shapes.items():
            table = getattr(board, name)
            assert table.shape == shape
            assert table.dtype == dtype
            assert not table.flags.writeable
    for bits in (LAND_ROUTES, WATER_ROUTES, SEA_ROUTES):
        assert isinstance(bits, np.uint64)


@pytest.mark.rule("I8.2", "I8.3")
def test_treasures_of_a_place_and_near_it_are_no_bonus_cards() -> None:
    names = [[name for name in (f"{place} starred", place) if name in TREASURE_NAMES] for place in PLACES]
    assert [[TREASURE_NAMES[k] for k in range(54) if int(kinds) >> k & 1] for kinds in board.TREASURES_AT] == names
    near = [sum(int(board.TREASURES_AT[b]) for b in range(19) if int(board.ADJACENT[a]) >> b & 1) for a in range(19)]
    assert board.TREASURES_NEAR.tolist() == near
    assert len(names[PLACES.index("Septris")]) == 2 and names[PLACES.index("Base")] == []


def run(code: str, **environment: str) -> str:
    """Run code in a new process and return what it prints."""
    variables = {**os.environ, "PYTHONPATH": str(Path(board.__file__).parents[1]), **environment}
    done = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_map_compiles_nothing() -> None:
    assert run("import sys, isla_dorada_env.board; print('numba' in sys.modules)") == "False"


def test_map_of_another_file(tmp_path: Path) -> None:
    text = Path(board.__file__).with_name("components.toml").read_text(encoding="utf-8")
    old, new = '["Etintaklop", "Qualtops", "Base"]', '["Etintaklop", "Kakotapl", "Rhobanis"]'
    assert text.count(old) == 1
    path = tmp_path / "other.toml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    code = (
        "from isla_dorada_env import board as b; from isla_dorada_env.vocab import PLACES as P, Way; "
        "print([b.ROUTE_NAMES[k] for k in b.HOPS[P.index('Etintaklop'), Way.WATER, P.index('Rhobanis')]], "
        "b.RIDES[P.index('Qualtops')].any())"
    )
    shown = run(code, ISLA_DORADA_COMPONENTS=str(path))
    assert shown == "['Etintaklop Kakotapl river', 'Kakotapl Rhobanis river'] False"
