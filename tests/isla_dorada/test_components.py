"""The components file: what the packaged one holds, and what every kind of mistake is answered with."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from isla_dorada_env import components
from isla_dorada_env.components import ComponentsError, load
from isla_dorada_env.vocab import (
    CAMPS,
    CARD_OF_WAY,
    CARDS,
    KEPT_CARDS,
    LAND_WAYS,
    LIGHTNING_CARDS,
    PLACES,
    ROUTE_SORTS,
    WAY_OF_SORT,
    WAYS,
    Card,
    DestinyKind,
    RouteSort,
)

PACKAGE = Path(components.__file__).parent
PACKAGED = PACKAGE / "components.toml"
TEXT = PACKAGED.read_text(encoding="utf-8")


def edited(tmp_path: Path, *edits: tuple[str, str]) -> Path:
    """Write the packaged file with some places changed, each of which must occur exactly once."""
    text = TEXT
    for old, new in edits:
        assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times"
        text = text.replace(old, new)
    path = tmp_path / "edited.toml"
    path.write_text(text, encoding="utf-8")
    return path


# ---- Words -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("I1.1", "I1.3")
def test_words_of_the_map() -> None:
    assert len(PLACES) == len(set(PLACES)) == 19
    assert (PLACES[0], PLACES[12], PLACES[18]) == ("Hora-Pena", "Base", "Teltoqlut")
    assert len(CAMPS) == 18 and "Base" not in CAMPS
    assert ROUTE_SORTS == ("jungle", "desert", "mountain", "lake", "sea", "river")
    assert WAYS == ("jungle", "desert", "mountain", "water", "flight")
    assert [WAYS[WAY_OF_SORT[sort]] for sort in RouteSort] == [
        "jungle",
        "desert",
        "mountain",
        "water",
        "water",
        "water",
    ]
    assert [WAYS[way] for way in LAND_WAYS] == list(ROUTE_SORTS[:3])


@pytest.mark.rule("I2.1")
def test_words_of_the_adventure_cards() -> None:
    kept = "yak kamel gonogo kayak dragon zeppelin shaman oveto juju sangaia bongo"
    lightning = "macaque bigfoot leviathan antik istwa marabou diawas panda baron-saturday"
    assert [CARDS[card] for card in KEPT_CARDS] == kept.split()
    assert [CARDS[card] for card in LIGHTNING_CARDS] == lightning.split()


@pytest.mark.rule("I6.1")
def test_card_of_each_way() -> None:
    assert {WAYS[way]: CARDS[card] for way, card in enumerate(CARD_OF_WAY)} == {
        "jungle": "gonogo",
        "desert": "kamel",
        "mountain": "yak",
        "water": "kayak",
    }


# ---- The packaged file -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def packaged() -> components.Components:
    return load(PACKAGED)


@pytest.mark.rule("I1.1")
def test_places(packaged: components.Components) -> None:
    assert packaged.coordinates.shape == (19, 2)
    assert packaged.coordinates[PLACES.index("Base")].tolist() == [500, 500]
    assert packaged.coordinates[PLACES.index("Kamoptis")].tolist() == [600, 250]
    # Row by row from the north, and from west to east in each row.
    assert (
        sorted(packaged.coordinates.tolist(), key=lambda point: (point[1], point[0])) == packaged.coordinates.tolist()
    )
    members = {
        family: [place for place, number in zip(PLACES, packaged.place_families, strict=True) if number == k]
        for k, family in enumerate(packaged.families)
    }
    assert {family: len(names) for family, names in members.items()} == {"west": 5, "north": 4, "east": 5, "south": 4}
    assert members["north"] == ["Septris", "Methritis", "Rhobanis", "Kamoptis"]
    assert packaged.place_families[PLACES.index("Base")] == -1


@pytest.mark.rule("I1.1", "I1.2")
def test_routes(packaged: components.Components) -> None:
    assert sum(components.ROUTES_EACH) == components.NUM_ROUTES == len(packaged.route_ends) == 45
    names = [f"{PLACES[first]} {PLACES[second]}" for first, second in packaged.route_ends.tolist()]
    assert names[0] == "Hora-Pena Bulo-Mapo"
    assert names[32:39] == [
        *("Mana-Hatu Balabatung", "Mana-Hatu Base", "Balabatung Base"),
        *("Hora-Pena Rhobanis", "Hora-Pena Aminadang", "Rhobanis Teltoqlut", "Aminadang Teltoqlut"),
    ]
    assert names[39:] == [
        *("Bulo-Mapo Wahi-Waha", "Wahi-Waha Mana-Hatu"),
        *("Etintaklop Qualtops", "Qualtops Base"),
        *("Balabatung Vanu-Tabu", "Vanu-Tabu Aminadang"),
    ]


@pytest.mark.rule("I2.1")
def test_adventure_cards(packaged: components.Components) -> None:
    assert packaged.card_copies.sum() == components.NUM_ADVENTURE_CARDS == 112
    assert packaged.card_copies[list(KEPT_CARDS)].tolist() == [15, 15, 15, 12, 6, 3, 6, 3, 4, 5, 4]
    assert packaged.card_copies[list(LIGHTNING_CARDS)].tolist() == [3, 4, 3, 4, 2, 2, 2, 2, 2]


@pytest.mark.rule("I6.1", "I5.3")
def test_payment(packaged: components.Components) -> None:
    assert packaged.card_values.tolist() == [1, 1, 1, 2, 2, 5, *[0] * 14]
    assert packaged.card_gold.tolist() == [0, 0, 0, 0, 1, 3, *[0] * 14]
    counts = {
        way: {CARDS[card]: int(components.PAYS[k, card]) for card in Card if components.PAYS[k, card]}
        for k, way in enumerate(WAYS)
    }
    assert counts == {
        "jungle": {"gonogo": 1, "dragon": 2, "zeppelin": 5},
        "desert": {"kamel": 1, "dragon": 2, "zeppelin": 5},
        "mountain": {"yak": 1, "dragon": 2, "zeppelin": 5},
        "water": {"kayak": 2, "dragon": 2, "zeppelin": 5},
        "flight": {"dragon": 2, "zeppelin": 5},
    }


@pytest.mark.rule("I2.2")
def test_treasures(packaged: components.Components) -> None:
    names, copies, values = components.TREASURE_NAMES, packaged.treasure_copies, packaged.treasure_values
    assert len(names) == len(set(names)) == components.TREASURE_KINDS == 54
    assert [names[k] for k in (3, 21, 39)] == ["Rhobanis starred", "Rhobanis", "Rhobanis bonus"]
    assert copies.sum() == 72
    assert copies[:18].tolist() == [1] * components.NUM_STARRED_TREASURES
    assert copies[18:].sum() == components.NUM_COMMON_TREASURES == 54
    assert copies[18:].tolist() == [2] * 18 + [1] * 18
    assert [int((copies * values)[part].sum()) for part in (slice(18), slice(18, 36), slice(36, 54))] == [73, 146, 42]
    assert values[names.index("Rhobanis starred")] == 5
    assert values[names.index("Mana-Hatu bonus")] == 2


@pytest.mark.rule("I2.2")
def test_bonus_pictures(packaged: components.Components) -> None:
    """One picture for each family of places, on treasures and bonus cards alike."""
    for kind in range(components.TREASURE_KINDS):
        family = packaged.place_families[components.TREASURE_PLACE[kind]]
        assert packaged.pictures[packaged.treasure_pictures[kind]] == packaged.families[family]


@pytest.mark.rule("I2.2")
def test_treasure_kinds_by_place() -> None:
    for sort, word in enumerate((" starred", "", " bonus")):
        for place, name in enumerate(PLACES):
            kind = components.TREASURE_OF[sort, place]
            if name == "Base":
                assert kind == -1
                continue
            assert components.TREASURE_NAMES[kind] == name + word
            assert components.TREASURE_PLACE[kind] == place
            assert components.TREASURE_SORT[kind] == sort


@pytest.mark.rule("I2.3")
def test_curses(packaged: components.Components) -> None:
    values = packaged.curse_values
    assert np.count_nonzero(values < 0) == components.NUM_CURSES == 18
    assert values[PLACES.index("Base")] == 0
    assert values[PLACES.index("Joztakitl")] == -4
    assert values.sum() == -73


@pytest.mark.rule("I2.3")
def test_destinies(packaged: components.Components) -> None:
    assert sum(destiny.copies for destiny in packaged.destinies) == components.NUM_DESTINIES == 22
    assert [int((kind == components.DESTINY_KIND).sum()) for kind in DestinyKind] == [14, 4, 1, 1, 1, 1]
    slot = {name: k for k, name in enumerate(components.DESTINY_NAMES)}
    assert len(slot) == 22

    ports = slot["sea ports"]
    assert components.DESTINY_KIND[ports] == DestinyKind.VISIT_ALL
    assert {name for k, name in enumerate(PLACES) if components.DESTINY_PLACES[ports] >> k & 1} == {
        "Hora-Pena",
        "Rhobanis",
        "Aminadang",
        "Teltoqlut",
    }
    assert components.DESTINY_POINTS[ports] == components.DESTINY_MAX_POINTS[ports] == 8

    keeper = slot["kayak keeper"]
    assert components.DESTINY_CARD[keeper] == Card.KAYAK
    assert (components.DESTINY_POINTS[keeper], components.DESTINY_MAX_POINTS[keeper]) == (2, 10)

    maldita = slot["Mar Maldita"]
    assert components.DESTINY_KIND[maldita] == DestinyKind.SEA_JOURNEYS
    assert components.DESTINY_SEA_POINTS[maldita].tolist() == [8, 4, 0]
    assert components.DESTINY_MAX_POINTS[maldita] == 8

    at_least = {name: (components.DESTINY_N[slot[name]], components.DESTINY_POINTS[slot[name]]) for name in slot}
    assert [at_least[name] for name in ("wanderer", "pilgrim", "homesick")] == [(14, 10), (4, 8), (2, 6)]


@pytest.mark.rule("I2.3")
def test_each_column_of_the_destinies_belongs_to_its_kinds() -> None:
    kind = components.DESTINY_KIND
    assert ((components.DESTINY_PLACES > 0) == (kind == DestinyKind.VISIT_ALL)).all()
    assert ((components.DESTINY_CARD >= 0) == (kind == DestinyKind.CARDS_IN_HAND_AT_END)).all()
    assert (components.DESTINY_SEA_POINTS.any(axis=1) == (kind == DestinyKind.SEA_JOURNEYS)).all()
    assert ((components.DESTINY_N > 0) == (kind >= DestinyKind.DISTINCT_PLACES_AT_LEAST)).all()
    assert (components.DESTINY_MAX_POINTS >= components.DESTINY_POINTS).all()
    assert not (components.DESTINY_PLACES >> PLACES.index("Base") & 1).any(), "no marker ever lies in the base"


def test_every_section_has_a_source(packaged: components.Components) -> None:
    assert set(packaged.sources.values()) == {"documented", "reconstructed"}
    assert len(packaged.sources) == 1 + 6 + 4 + 3 + 1 + 6
    documented = {key for key, mark in packaged.sources.items() if mark == "documented"}
    assert documented == {*(f"routes.{sort}" for sort in ROUTE_SORTS), "adventure.value", "adventure.gold"}


def test_tables_of_the_file_in_use_are_read_only() -> None:
    assert components.PATH.read_bytes() == components.CONTENT
    shapes = {
        **{"CARD_COPIES": (20,), "CARD_VALUES": (20,), "CARD_GOLD": (20,), "PAYS": (5, 20)},
        **{"TREASURE_SORT": (54,), "TREASURE_PLACE": (54,), "TREASURE_COPIES": (54,), "TREASURE_VALUES": (54,)},
        **{"TREASURE_PICTURE": (54,), "TREASURE_OF": (3, 19), "CURSE_VALUES": (19,)},
        **{"DESTINY_COPIES": (22,), "DESTINY_KIND": (22,), "DESTINY_POINTS": (22,), "DESTINY_MAX_POINTS": (22,)},
        **{"DESTINY_PLACES": (22,), "DESTINY_CARD": (22,), "DESTINY_N": (22,), "DESTINY_SEA_POINTS": (22, 3)},
        **{"FAMILY": (19,), "COORDINATES": (19, 2)},
    }
    assert shapes.keys() == {name for name, value in vars(components).items() if isinstance(value, np.ndarray)}
    for name, shape in shapes.items():
        table = getattr(components, name)
        assert table.shape == shape
        assert table.dtype == np.int64
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 1


# ---- Other files that are right --------------------------------------------------------------------------------------


def test_other_copies_and_values(tmp_path: Path) -> None:
    changed = load(
        edited(
            tmp_path,
            ("yak = 15\n", "yak = 14\n"),
            ("panda = 2", "panda = 3"),
            (
                'Rhobanis   = { copies = 2, value = 5, picture = "north" }',
                'Rhobanis = { copies = 3, value = 7, picture = "idol" }',
            ),
            (
                'Rhobanis   = { copies = 1, value = 3, picture = "north" }',
                'Rhobanis = { copies = 0, value = 3, picture = "idol" }',
            ),
            ("Joztakitl  = -4", "Joztakitl = -1"),
        )
    )
    assert changed.card_copies[[Card.YAK, Card.PANDA]].tolist() == [14, 3]
    assert changed.treasure_copies[[3, 21, 39]].tolist() == [1, 3, 0]
    assert changed.treasure_values[21] == 7
    assert [changed.pictures[changed.treasure_pictures[kind]] for kind in (3, 21, 39)] == ["north", "idol", "idol"]
    assert changed.curse_values[PLACES.index("Joztakitl")] == -1


def test_a_destiny_of_three_copies_leaves_slots_unused(tmp_path: Path) -> None:
    lines = [line for line in TEXT.splitlines(keepends=True) if "keeper" in line][1:3]
    path = edited(
        tmp_path, *((line, "") for line in lines), ('"yak keeper", copies = 1', '"yak\'s keeper", copies = 3')
    )
    assert [destiny.name for destiny in load(path).destinies[13:17]] == [
        *("far corners", "yak's keeper", "kayak keeper", "Mar Maldita"),
    ]
    shown = "c.DESTINY_NAMES[19:], c.DESTINY_COPIES[14:], c.DESTINY_KIND[19:], c.DESTINY_CARD[19:]"
    code = f"from isla_dorada_env import components as c; print({shown})"
    done = run_with(path, code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "('homesick', None, None) [3 1 1 1 1 1 0 0] [ 5 -1 -1] [-1 -1 -1]"


def test_no_destiny_of_a_kind(tmp_path: Path) -> None:
    """A kind may be missing; its list is empty."""
    line = '    { name = "pilgrim", copies = 1, n = 4, points = 8 },\n'
    changed = load(edited(tmp_path, (line, ""), ('"homesick", copies = 1', '"homesick", copies = 2')))
    assert DestinyKind.MARKERS_ON_ONE_PLACE_AT_LEAST not in [destiny.kind for destiny in changed.destinies]


def test_another_route(tmp_path: Path) -> None:
    """How many routes of a sort there are is documented; between which places they lead can be corrected."""
    changed = load(edited(tmp_path, ('["Hora-Pena", "Methritis"]', '["Hora-Pena", "Rhobanis"]')))
    assert changed.route_ends[22].tolist() == [PLACES.index("Hora-Pena"), PLACES.index("Rhobanis")]


# ---- Files that cannot be right --------------------------------------------------------------------------------------

RHOBANIS = 'Rhobanis   = { value = 5, picture = "north" }'
RHOBANIS_COMMON = 'Rhobanis   = { copies = 2, value = 5, picture = "north" }'
RHOBANIS_BONUS = 'Rhobanis   = { copies = 1, value = 3, picture = "north" }'
BASE = "Base       = { x =  500, y = 500 }"
SEPTRIS = 'Septris    = { x =  333, y =   0, family = "north" }'
BULO_MAPO = '["Bulo-Mapo", "Wahi-Waha", "Mana-Hatu"],'
ETINTAKLOP = '["Etintaklop", "Qualtops", "Base"],'
BALABATUNG = '["Balabatung", "Vanu-Tabu", "Aminadang"],'
ONCE = "expected each route once"

# What is wrong: (the place in the file, what it is changed to, the key the error must name, what it must say).
MISTAKES = {
    # Keys, types and source marks.
    "section missing": ("[curses]", "[courses]", "courses", "unknown key, expected only the keys places, routes"),
    "table missing": (
        '[adventure.gold]\nsource = "documented"\ndragon = 1\nzeppelin = 3\n',
        "",
        "adventure.gold",
        "nothing, expected a table (the key is missing)",
    ),
    "sort of route missing": (
        TEXT[TEXT.index("[routes.lake]") : TEXT.index("[routes.sea]")],
        "",
        "routes.lake",
        "the key is missing",
    ),
    "unknown sort of route": (
        "[routes.lake]",
        "[routes.pond]",
        "routes.pond",
        "unknown key, expected only the keys jungle",
    ),
    "unknown sort of treasure": ("[treasures.bonus]", "[treasures.plus]", "treasures.plus", "unknown key"),
    "unknown kind of destiny": ("[destinies.sea_journeys]", "[destinies.sailing]", "destinies.sailing", "unknown key"),
    "kind of destiny missing": (
        TEXT[TEXT.index("[destinies.returns_to_base_at_least]") :],
        "",
        "destinies.returns_to_base_at_least",
        "the key is missing",
    ),
    "place missing": (SEPTRIS, "", "places.Septris", "the key is missing"),
    "unknown place": (SEPTRIS, SEPTRIS.replace("Septris ", "Septic "), "places.Septic", "unknown key"),
    "unknown key of a place": (BASE, BASE.replace(" }", ', family = "base" }'), "places.Base.family", "unknown key"),
    "card missing": ("zeppelin = 3\nshaman", "shaman", "adventure.kept.zeppelin", "the key is missing"),
    "unknown card": ("shaman = 6", "shamen = 6", "adventure.kept.shamen", "unknown key"),
    "lightning card among the kept ones": (
        "shaman = 6",
        "shaman = 6\npanda = 1",
        "adventure.kept.panda",
        "unknown key",
    ),
    "value of a card that pays nothing": (
        "zeppelin = 5",
        "zeppelin = 5\njuju = 1",
        "adventure.value.juju",
        "unknown key",
    ),
    "curse missing": ("Rhobanis   = -5\n", "", "curses.Rhobanis", "the key is missing"),
    "curse of the base": ("Rhobanis   = -5\n", "Rhobanis = -5\nBase = -1\n", "curses.Base", "unknown key"),
    "treasure of the base": (
        RHOBANIS,
        RHOBANIS + '\nBase = { value = 1, picture = "north" }',
        "treasures.starred.Base",
        "unknown key",
    ),
    "treasure missing": (RHOBANIS_COMMON, "", "treasures.common.Rhobanis", "nothing, expected a table"),
    "copies of a starred treasure": (
        RHOBANIS,
        RHOBANIS_COMMON.replace("= 2", "= 1"),
        "treasures.starred.Rhobanis.copies",
        "unknown key, expected only the keys value, picture",
    ),
    "copies of a common treasure missing": (
        RHOBANIS_COMMON,
        RHOBANIS,
        "treasures.common.Rhobanis.copies",
        "the key is missing",
    ),
    "number for a table": (RHOBANIS, "Rhobanis = 5", "treasures.starred.Rhobanis", "5, expected a table"),
    "text for a number": ("shaman = 6", 'shaman = "6"', "adventure.kept.shaman", "'6', expected a whole number"),
    "truth for a number": ("Rhobanis   = -5", "Rhobanis = true", "curses.Rhobanis", "True, expected a whole number"),
    "fraction for a number": (SEPTRIS, SEPTRIS.replace(" 333", "0.333"), "places.Septris.x", "0.333, expected a whole"),
    "number for a name": (
        RHOBANIS,
        RHOBANIS.replace('"north"', "1"),
        "treasures.starred.Rhobanis.picture",
        "1, expected a string",
    ),
    "unknown key of a destiny": (
        'name = "pilgrim", copies = 1,',
        'name = "pilgrim", copies = 1, page = 1,',
        "destinies.markers_on_one_place_at_least.cards[1].page",
        "unknown key, expected only the keys name, copies, n, points",
    ),
    "word in a list of tables": (
        '    { name = "pilgrim", copies = 1, n = 4, points = 8 },\n',
        '    "pilgrim",\n',
        "destinies.markers_on_one_place_at_least.cards[1]",
        "'pilgrim', expected a table",
    ),
    "source missing": ('[curses]\nsource = "reconstructed"', "[curses]", "curses.source", "the key is missing"),
    "source unknown": (
        '[curses]\nsource = "reconstructed"',
        '[curses]\nsource = "guess"',
        "curses.source",
        "'guess', expected one of documented, reconstructed",
    ),
    "source of one sort of route": (
        '[routes.lake]    # 3\nsource = "documented"',
        "[routes.lake]",
        "routes.lake.source",
        "the key is missing",
    ),
    # Places.
    "off the map": (
        SEPTRIS,
        SEPTRIS.replace(" 333", "1001"),
        "places.Septris.x",
        "1001, expected a whole number from 0 to 1000",
    ),
    "west of the map": (
        SEPTRIS,
        SEPTRIS.replace(" 333", "  -1"),
        "places.Septris.x",
        "-1, expected a whole number from 0",
    ),
    "two places at one point": (
        SEPTRIS,
        SEPTRIS.replace(" 333", "   0"),
        "places.Septris",
        "the point of Hora-Pena, expected a point of its own",
    ),
    "family without a name": (
        SEPTRIS,
        SEPTRIS.replace('"north"', '""'),
        "places.Septris.family",
        "'', expected a name",
    ),
    "family with a comma": (
        SEPTRIS,
        SEPTRIS.replace('"north"', '"a, b"'),
        "places.Septris.family",
        "'a, b', expected a name",
    ),
    # Routes.
    "nine jungle routes": ('    ["Base", "Qualtops"],\n', "", "routes.jungle.between", "9 routes, expected 10"),
    "twelve desert routes": (
        '    ["Taratarong", "Kilitiping"],\n',
        '    ["Taratarong", "Kilitiping"],\n    ["Taratarong", "Base"],\n',
        "routes.desert.between",
        "12 routes, expected 11",
    ),
    "four lake routes": (
        '    ["Balabatung", "Base"],\n',
        '    ["Balabatung", "Base"],\n    ["Balabatung", "Kamoptis"],\n',
        "routes.lake.between",
        "4 routes, expected 3",
    ),
    "unknown place on a route": (
        '["Base", "Qualtops"]',
        '["Base", "Qualtop"]',
        "routes.jungle.between[9][2]",
        "'Qualtop', expected one of Hora-Pena",
    ),
    "route to itself": (
        '["Base", "Qualtops"]',
        '["Base", "Base"]',
        "routes.jungle.between[9]",
        "expected 2 different names",
    ),
    "route with one end": (
        '["Base", "Qualtops"]',
        '["Base"]',
        "routes.jungle.between[9]",
        "expected 2 different names",
    ),
    "route over three places": (
        '["Base", "Qualtops"]',
        '["Base", "Qualtops", "Rhobanis"]',
        "routes.jungle.between[9]",
        "2 different names",
    ),
    "word for a route": (
        '["Base", "Qualtops"]',
        '"Base Qualtops"',
        "routes.jungle.between[9]",
        "'Base Qualtops', expected a list",
    ),
    "number for a place": (
        '["Base", "Qualtops"]',
        '["Base", 14]',
        "routes.jungle.between[9][2]",
        "14, expected a string",
    ),
    "the same route twice": (
        '["Base", "Qualtops"]',
        '["Base", "Kilitiping"]',
        "routes.jungle.between[9]",
        f"Base and Kilitiping again, {ONCE}",
    ),
    "the same route the other way": (
        '["Base", "Qualtops"]',
        '["Kilitiping", "Base"]',
        "routes.jungle.between[9]",
        f"Kilitiping and Base again, {ONCE}",
    ),
    "courses on land": (
        "[routes.desert]    # 11\n",
        "[routes.desert]\ncourses = []\n",
        "routes.desert.courses",
        "unknown key, expected only the keys source, between",
    ),
    # Rivers.
    "two rivers": (ETINTAKLOP, "", "routes.river.courses", "2 rivers, expected 3"),
    "four rivers": (
        ETINTAKLOP,
        ETINTAKLOP + ' ["Kakotapl", "Kamoptis", "Base"],',
        "routes.river.courses",
        "4 rivers, expected 3",
    ),
    "river of one hop": (ETINTAKLOP, '["Etintaklop", "Base"],', "routes.river.courses[2]", "3 different names"),
    "river of three hops": (
        ETINTAKLOP,
        '["Kakotapl", "Etintaklop", "Qualtops", "Base"],',
        "routes.river.courses[2]",
        "3 different names",
    ),
    "river in a circle": (ETINTAKLOP, '["Base", "Qualtops", "Base"],', "routes.river.courses[2]", "3 different names"),
    "unknown place on a river": (
        ETINTAKLOP,
        '["Etintaklop", "Qualtops", "base"],',
        "routes.river.courses[2][3]",
        "'base', expected one of",
    ),
    "river upstream": (
        ETINTAKLOP,
        '["Base", "Qualtops", "Etintaklop"],',
        "routes.river.courses[2]",
        "Etintaklop at the end, expected a place with a lake or sea route",
    ),
    "rivers that meet": (
        ETINTAKLOP,
        '["Etintaklop", "Wahi-Waha", "Base"],',
        "routes.river.courses[2]",
        "Wahi-Waha, a place on another river, expected rivers that do not meet",
    ),
    "river through the sea": (
        ETINTAKLOP,
        '["Etintaklop", "Teltoqlut", "Base"],',
        "routes.river.courses[2]",
        "Teltoqlut in the middle, which has a lake or sea route, expected a river that ends where",
    ),
    # Adventure cards.
    "113 adventure cards": (
        "shaman = 6",
        "shaman = 7",
        "adventure",
        "89 kept and 24 lightning cards, expected 112 adventure cards in all",
    ),
    "111 adventure cards": ("panda = 2", "panda = 1", "adventure", "88 kept and 23 lightning cards, expected 112"),
    "no zeppelin": (
        "zeppelin = 3\nshaman",
        "zeppelin = 0\nshaman",
        "adventure.kept.zeppelin",
        "0, expected a whole number from 1 to 112",
    ),
    "negative copies": ("panda = 2", "panda = -2", "adventure.lightning.panda", "-2, expected a whole number from 1"),
    "dragon of three": ("dragon = 2", "dragon = 3", "adventure.value.dragon", "3, expected 2"),
    "negative value": ("kayak = 2", "kayak = -2", "adventure.value.kayak", "-2, expected 2"),
    "cheap zeppelin": (
        "dragon = 1\nzeppelin = 3",
        "dragon = 1\nzeppelin = 2",
        "adventure.gold.zeppelin",
        "2, expected 3",
    ),
    # Treasures and curses.
    "55 common treasure cards": (
        RHOBANIS_COMMON,
        RHOBANIS_COMMON.replace("copies = 2", "copies = 3"),
        "treasures.common",
        "37 treasures and 18 bonus cards, expected 54 in all",
    ),
    "53 common treasure cards": (
        RHOBANIS_BONUS,
        RHOBANIS_BONUS.replace("copies = 1", "copies = 0"),
        "treasures.common",
        "36 treasures and 17 bonus cards, expected 54 in all",
    ),
    "negative copies of a treasure": (
        RHOBANIS_BONUS,
        RHOBANIS_BONUS.replace("copies = 1", "copies = -1"),
        "treasures.bonus.Rhobanis.copies",
        "-1, expected a whole number from 0 to 54",
    ),
    "worthless treasure": (
        RHOBANIS,
        RHOBANIS.replace("= 5", "= 0"),
        "treasures.starred.Rhobanis.value",
        "0, expected a whole number from 1 to 99",
    ),
    "negative bonus": (
        RHOBANIS_BONUS,
        RHOBANIS_BONUS.replace("= 3", "= -3"),
        "treasures.bonus.Rhobanis.value",
        "-3, expected a whole number from 1",
    ),
    "bonus with a picture of its own": (
        RHOBANIS_BONUS,
        RHOBANIS_BONUS.replace("north", "idol"),
        "treasures.bonus.Rhobanis.picture",
        "'idol', expected a picture that some treasure shows",
    ),
    "picture without a name": (
        RHOBANIS,
        RHOBANIS.replace("north", " "),
        "treasures.starred.Rhobanis.picture",
        "' ', expected a name",
    ),
    "curse that helps": (
        "Rhobanis   = -5",
        "Rhobanis = 5",
        "curses.Rhobanis",
        "5, expected a whole number from -99 to -1",
    ),
    "curse of nothing": (
        "Rhobanis   = -5",
        "Rhobanis = 0",
        "curses.Rhobanis",
        "0, expected a whole number from -99 to -1",
    ),
    # Destinies.
    "23 destinies": ('"pilgrim", copies = 1', '"pilgrim", copies = 2', "destinies", "23 cards, expected 22 in all"),
    "21 destinies": (
        '    { name = "pilgrim", copies = 1, n = 4, points = 8 },\n',
        "",
        "destinies",
        "21 cards, expected 22 in all",
    ),
    "destiny without copies": (
        '"pilgrim", copies = 1',
        '"pilgrim", copies = 0',
        "destinies.markers_on_one_place_at_least.cards[1].copies",
        "0, expected a whole number from 1",
    ),
    "destiny twice": (
        '"pilgrim"',
        '"wanderer"',
        "destinies.markers_on_one_place_at_least.cards[1].name",
        "'wanderer' again, expected each destiny once",
    ),
    "destiny without a name": (
        '"pilgrim"',
        '""',
        "destinies.markers_on_one_place_at_least.cards[1].name",
        "'', expected a name: letters",
    ),
    "destiny with blanks around": (
        '"pilgrim"',
        '" pilgrim "',
        "destinies.markers_on_one_place_at_least.cards[1].name",
        "expected a name",
    ),
    "destiny with a slash": (
        '"pilgrim"',
        '"pilgrim/monk"',
        "destinies.markers_on_one_place_at_least.cards[1].name",
        "expected a name",
    ),
    "destiny for the base": (
        '["Bulo-Mapo", "Balabatung", "Etintaklop"]',
        '["Bulo-Mapo", "Base"]',
        "destinies.visit_all.cards[6].places[2]",
        "'Base', expected one of Hora-Pena",
    ),
    "destiny for a place twice": (
        '["Bulo-Mapo", "Balabatung", "Etintaklop"]',
        '["Bulo-Mapo", "Bulo-Mapo"]',
        "destinies.visit_all.cards[6].places",
        "expected different places, at least one",
    ),
    "destiny for no place": (
        '["Bulo-Mapo", "Balabatung", "Etintaklop"]',
        "[]",
        "destinies.visit_all.cards[6].places",
        "[], expected different places",
    ),
    "destiny worth nothing": (
        "n = 4, points = 8",
        "n = 4, points = 0",
        "destinies.markers_on_one_place_at_least.cards[1].points",
        "0, expected a whole number from 1 to 99",
    ),
    "negative destiny": (
        '"sea ports", copies = 1, points = 8',
        '"sea ports", copies = 1, points = -8',
        "destinies.visit_all.cards[5].points",
        "-8, expected a whole number from 1",
    ),
    "more places than markers": (
        "n = 14",
        "n = 17",
        "destinies.distinct_places_at_least.cards[1].n",
        "17, expected a whole number from 1 to 16",
    ),
    "no return at all": (
        "n = 2, points = 6",
        "n = 0, points = 6",
        "destinies.returns_to_base_at_least.cards[1].n",
        "0, expected a whole number from 1",
    ),
    "destiny for a lightning card": (
        'card = "yak"',
        'card = "panda"',
        "destinies.cards_in_hand_at_end.cards[1].card",
        "'panda', expected one of yak",
    ),
    "most points below those of one card": (
        'card = "yak", points_per_card = 2, max_points = 10',
        'card = "yak", points_per_card = 2, max_points = 1',
        "destinies.cards_in_hand_at_end.cards[1].max_points",
        "1, expected a whole number from 2 to 99",
    ),
    "two numbers of sea journeys": (
        "[8, 4, 0]",
        "[8, 4]",
        "destinies.sea_journeys.cards[1].points",
        "[8, 4], expected points for no sea journey, one, and two or more",
    ),
    "negative points at sea": (
        "[8, 4, 0]",
        "[8, 4, -2]",
        "destinies.sea_journeys.cards[1].points[3]",
        "-2, expected a whole number from 0 to 99",
    ),
    "points at sea in words": (
        "[8, 4, 0]",
        '["8", 4, 0]',
        "destinies.sea_journeys.cards[1].points[1]",
        "'8', expected a whole number",
    ),
    "one number at sea": ("[8, 4, 0]", "8", "destinies.sea_journeys.cards[1].points", "8, expected a list"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake_is_explained(tmp_path: Path, mistake: str) -> None:
    old, new, key, says = MISTAKES[mistake]
    assert says in complaint(edited(tmp_path, (old, new)), key)


def complaint(path: Path, key: str) -> str:
    """Return what a file is answered with, after the key it must name."""
    with pytest.raises(ComponentsError) as caught:
        load(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: {key}: found "), message
    assert ", expected " in message
    return message.removeprefix(f"{path}: {key}: found ")


@pytest.mark.rule("I1.3")
@pytest.mark.parametrize(
    ("edits", "ways"),
    [
        (
            (
                (ETINTAKLOP, '["Etintaklop", "Qualtops", "Teltoqlut"],'),
                (BALABATUNG, '["Balabatung", "Vanu-Tabu", "Base"],'),
            ),
            "Balabatung to Base",
        ),
        ((('["Mana-Hatu", "Base"]', '["Rhobanis", "Hora-Pena"]'),), "Rhobanis to Hora-Pena"),
    ],
    ids=["river and lake", "lake and sea"],
)
def test_one_water_way_to_each_destination(tmp_path: Path, edits: tuple[tuple[str, str], ...], ways: str) -> None:
    says = f"2 water ways from {ways}, expected at most one from any place to another"
    assert complaint(edited(tmp_path, *edits), "routes") == says


@pytest.mark.rule("I1.1")
def test_every_place_has_a_route(tmp_path: Path) -> None:
    path = edited(
        tmp_path,
        ('["Balabatung", "Taratarong"]', '["Balabatung", "Kamoptis"]'),
        ('["Aminadang", "Taratarong"]', '["Aminadang", "Kamoptis"]'),
        ('["Taratarong", "Kilitiping"]', '["Kamoptis", "Kilitiping"]'),
    )
    assert complaint(path, "routes") == "no route at Taratarong, expected a route at every place"


@pytest.mark.rule("I3.3")
def test_enough_cards_for_the_first_hands(tmp_path: Path) -> None:
    path = edited(
        tmp_path,
        ("yak = 15\nkamel = 15\ngonogo = 15\nkayak = 12", "yak = 1\nkamel = 1\ngonogo = 1\nkayak = 5"),
        ("panda = 2", "panda = 51"),
    )
    assert complaint(path, "adventure.kept").startswith("39 cards, expected at least 40")


def test_no_file(tmp_path: Path) -> None:
    path = tmp_path / "missing.toml"
    assert complaint(path, "file").startswith("No such file or directory, expected a readable")


@pytest.mark.parametrize("content", [b"[places\n", b"a = '\xff'\n"], ids=["bad TOML", "bad UTF-8"])
def test_unreadable_text(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.toml"
    path.write_bytes(content)
    assert complaint(path, "file").endswith(", expected TOML in UTF-8")


def test_empty_file_misses_everything(tmp_path: Path) -> None:
    path = tmp_path / "empty.toml"
    path.write_bytes(b"")
    assert complaint(path, "places").endswith("(the key is missing)")


# ---- The environment variable ----------------------------------------------------------------------------------------


def run_with(components_file: Path | str, code: str) -> subprocess.CompletedProcess[str]:
    """Run code in a new process whose environment variable names the file."""
    environment = {**os.environ, "ISLA_DORADA_COMPONENTS": str(components_file), "PYTHONPATH": str(PACKAGE.parent)}
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)


SHOW = "from isla_dorada_env import components as c; print(c.PATH, c.CURSE_VALUES[0], len(c.CONTENT))"


def test_environment_variable_names_the_file(tmp_path: Path) -> None:
    path = edited(tmp_path, ("Hora-Pena  = -4", "Hora-Pena = -6"))
    done = run_with(path, SHOW)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(path), "-6", str(path.stat().st_size)]


def test_empty_environment_variable_means_the_packaged_file() -> None:
    done = run_with("", SHOW)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[:2] == [str(PACKAGED), "-4"]


def test_bad_file_stops_the_import(tmp_path: Path) -> None:
    done = run_with(edited(tmp_path, ("dragon = 2", "dragon = 3")), SHOW)
    assert done.returncode != 0
    assert re.search(r"ComponentsError: .*edited\.toml: adventure\.value\.dragon: found 3, expected 2\n", done.stderr)
