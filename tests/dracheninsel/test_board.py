"""The tables of the board, against the words of the rules and examples checked by hand."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from dracheninsel_env import board
from dracheninsel_env.board import (
    AXIAL,
    CELLS,
    DIRECTION_NAMES,
    DISCS,
    FIRST_BOAT,
    JUMP_CELLS,
    JUMP_OFFSETS,
    JUMP_OVER,
    JUMP_TARGET,
    LANDING_CELLS,
    LANDINGS,
    NEIGHBOUR,
    NEIGHBOUR_CELLS,
    ORBIT_CLASH,
    ORBIT_OF,
    ORBIT_TURN,
    ORBITS,
    ROTATE,
    SITE,
    SPACE_NAMES,
    SPACES,
    TERRAIN_CELLS,
    TERRAIN_OF,
    fair_layouts,
)
from dracheninsel_env.vocab import HUNTERS, TERRAINS

STANDARD = (2, 4, 0, 3, 1, 2, 2, 5, 0, 1)
"""Offsets of the packaged start layout, ring by ring."""


def space(name: str) -> int:
    return SPACE_NAMES.index(name)


def names(spaces: object) -> list[str]:
    return [SPACE_NAMES[k] for k in np.ravel(np.asarray(spaces)).tolist() if k >= 0]


def members(bits: int | np.uint64) -> set[int]:
    return {k for k in range(64) if int(bits) >> k & 1}


def around(start: int) -> set[int]:
    return {int(k) for k in NEIGHBOUR[start] if k >= 0}


def distance(a: int, b: int) -> int:
    q, r = (int(x) for x in AXIAL[a] - AXIAL[b])
    return max(abs(q), abs(r), abs(q + r))


# ---- Spaces ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("D1.1", "D1.3")
def test_names() -> None:
    assert len(SPACE_NAMES) == len(set(SPACE_NAMES)) == SPACES == 67
    assert SPACE_NAMES[:6] == ("a1", "a2", "a3", "a4", "a5", "b1")
    assert SPACE_NAMES[SITE] == "e5"
    assert SPACE_NAMES[CELLS - 1] == "i5"
    assert SPACE_NAMES[FIRST_BOAT:] == tuple(f"boat-{hunter}" for hunter in HUNTERS)
    counts = [sum(name.startswith(row) and len(name) == 2 for name in SPACE_NAMES) for row in "abcdefghi"]
    assert counts == [5, 6, 7, 8, 9, 8, 7, 6, 5]


@pytest.mark.rule("D1.3")
@pytest.mark.parametrize(
    ("name", "hexagon"),
    [("e5", (0, 0)), ("a1", (0, -4)), ("a5", (4, -4)), ("e1", (-4, 0)), ("e9", (4, 0)), ("f8", (3, 1)), ("i1", (-4, 4)),
     ("i5", (0, 4)), ("boat-red", (4, 1)), ("boat-yellow", (-1, 5)), ("boat-green", (-5, 4)), ("boat-grey", (-4, -1)),
     ("boat-brown", (1, -5)), ("boat-blue", (5, -4))],
)  # fmt: skip
def test_axial(name: str, hexagon: tuple[int, int]) -> None:
    assert tuple(AXIAL[space(name)].tolist()) == hexagon


@pytest.mark.rule("D1.1")
@pytest.mark.parametrize(
    ("name", "clockwise_from_east"),
    [
        ("e5", ["e6", "f5", "f4", "e4", "d4", "d5"]),
        ("a1", ["a2", "b2", "b1", "boat-brown"]),
        ("a2", ["a3", "b3", "b2", "a1", "boat-brown"]),
        ("e9", ["boat-red", "f8", "e8", "d8"]),
        ("f8", ["boat-red", "g7", "f7", "e8", "e9"]),
        ("i3", ["i4", "i2", "h3", "h4"]),
        ("c4", ["c5", "d5", "d4", "c3", "b3", "b4"]),
        ("g4", ["g5", "h4", "h3", "g3", "f4", "f5"]),
        ("boat-red", ["f8", "e9"]),
        ("boat-green", ["i1", "h1"]),
    ],
)
def test_neighbours_by_hand(name: str, clockwise_from_east: list[str]) -> None:
    assert names(NEIGHBOUR[space(name)]) == clockwise_from_east


def test_directions() -> None:
    assert len(DIRECTION_NAMES) == NEIGHBOUR.shape[1]
    assert names(NEIGHBOUR[space("e9"), DIRECTION_NAMES.index("SE")]) == ["boat-red"]
    assert names(NEIGHBOUR[space("f8"), DIRECTION_NAMES.index("E")]) == ["boat-red"]
    assert names(NEIGHBOUR[space("boat-red"), DIRECTION_NAMES.index("W")]) == ["f8"]
    assert NEIGHBOUR[space("e9"), DIRECTION_NAMES.index("E")] == -1


@pytest.mark.rule("D1.1")
def test_adjacency() -> None:
    for here in range(SPACES):
        for direction in range(6):
            there = NEIGHBOUR[here, direction]
            if there >= 0:
                assert distance(here, there) == 1
                assert NEIGHBOUR[there, (direction + 3) % 6] == here, "symmetric, by the opposite direction"
        assert members(NEIGHBOUR_CELLS[here]) == {k for k in around(here) if k < CELLS}
    for a in range(CELLS):
        for b in range(CELLS):
            assert (b in around(a)) == (distance(a, b) == 1)
    # 61 cells have 366 sides, 54 of them to the sea: 156 borders between cells, and 12 between landings and boats.
    assert np.count_nonzero(NEIGHBOUR >= 0) == 2 * (156 + 12)


@pytest.mark.rule("D1.1", "D5.5", "D8.2")
def test_landings() -> None:
    assert {hunter: names(LANDINGS[k]) for k, hunter in enumerate(HUNTERS)} == {
        "red": ["e9", "f8"],
        "yellow": ["i5", "i4"],
        "green": ["i1", "h1"],
        "grey": ["e1", "d1"],
        "brown": ["a1", "a2"],
        "blue": ["a5", "b6"],
    }
    for hunter in range(6):
        assert around(FIRST_BOAT + hunter) == set(LANDINGS[hunter].tolist())
        touching = {cell for cell in range(CELLS) if distance(cell, FIRST_BOAT + hunter) == 1}
        assert touching == set(LANDINGS[hunter].tolist())
    assert members(LANDING_CELLS) == set(LANDINGS.ravel().tolist())
    assert len(members(LANDING_CELLS)) == 12


# ---- Flights ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("D8.4")
def test_jumps_in_the_words_of_the_rule() -> None:
    for start in range(SPACES):
        ways: dict[int, set[int]] = {}
        for over in around(start):
            beyond = {end for end in around(over) if end != start and end not in around(start)}
            for end in beyond:
                ways.setdefault(end, set()).add(over)
        table = {
            int(JUMP_TARGET[start, k]): {int(over) for over in JUMP_OVER[start, k] if over >= 0}
            for k in range(len(JUMP_OFFSETS))
            if JUMP_TARGET[start, k] >= 0
        }
        assert table == ways


@pytest.mark.rule("D8.4")
def test_jumps_have_three_spaces_beyond_inside_the_island() -> None:
    inner = [cell for cell in range(CELLS) if distance(cell, SITE) <= 2]
    for start in inner:
        assert (JUMP_TARGET[start] >= 0).all()
        for over in around(start):
            assert np.count_nonzero(JUMP_OVER[start] == over) == 3


@pytest.mark.rule("D8.4")
def test_jump_offsets() -> None:
    assert [max(abs(q), abs(r), abs(q + r)) for q, r in JUMP_OFFSETS] == [2] * 12
    assert [(-r, q + r) for q, r in JUMP_OFFSETS] == [*JUMP_OFFSETS[2:], *JUMP_OFFSETS[:2]], "clockwise"
    for start in range(SPACES):
        for k, offset in enumerate(JUMP_OFFSETS):
            target = JUMP_TARGET[start, k]
            overs = {int(over) for over in JUMP_OVER[start, k] if over >= 0}
            assert bool(overs) == (target >= 0)
            assert members(JUMP_CELLS[start, k]) == overs, "only cells are jumped, never boats"
            if target >= 0:
                assert tuple((AXIAL[target] - AXIAL[start]).tolist()) == offset
            if JUMP_OVER[start, k, 0] < 0:
                assert JUMP_OVER[start, k, 1] < 0, "padding comes last"


@pytest.mark.rule("D8.4")
@pytest.mark.parametrize(
    ("start", "landings"),
    [
        ("e5", {"e7": "e6", "f6": "e6 f5", "g5": "f5", "g4": "f5 f4", "g3": "f4", "f3": "f4 e4", "e3": "e4",
                "d3": "e4 d4", "c3": "d4", "c4": "d4 d5", "c5": "d5", "d6": "d5 e6"}),
        ("boat-red", {"d8": "e9", "e8": "e9 f8", "f7": "f8", "g7": "f8"}),
        ("e8", {"boat-red": "e9 f8", "g7": "f8 f7", "g6": "f7", "f6": "f7 e7", "e6": "e7", "d6": "e7 d7", "c6": "d7",
                "c7": "d7 d8"}),
        ("g7", {"boat-red": "f8", "e9": "f8", "e8": "f8 f7", "e7": "f7", "f6": "f7 g6", "g5": "g6", "h5": "g6 h6",
                "i5": "h6"}),
    ],
)  # fmt: skip
def test_jumps_by_hand(start: str, landings: dict[str, str]) -> None:
    row = space(start)
    found = {
        SPACE_NAMES[target]: set(names(over))
        for target, over in zip(JUMP_TARGET[row], JUMP_OVER[row], strict=True)
        if target >= 0
    }
    # Neighbours of the jumped space only: boat-red is at distance two of d8, e8, f7 and g7.
    assert found == {name: set(over.split()) for name, over in landings.items()}


# ---- Start layout and symmetry ---------------------------------------------------------------------------------------


@pytest.mark.rule("D1.2")
def test_start_layout() -> None:
    assert members(TERRAIN_CELLS) == set(range(CELLS)) - {SITE}
    assert TERRAIN_OF[SITE] == -1
    assert [len(members(bits)) for bits in DISCS] == [10] * 6
    for terrain in range(6):
        assert members(DISCS[terrain]) == {cell for cell in range(CELLS) if TERRAIN_OF[cell] == terrain}
    assert TERRAINS[TERRAIN_OF[space("e6")]] == "forest"
    assert TERRAINS[TERRAIN_OF[space("d1")]] == "forest"


@pytest.mark.rule("D1.4")
def test_turn_of_the_board() -> None:
    assert board.SYMMETRIC
    assert sorted(ROTATE.tolist()) == list(range(SPACES))
    assert ROTATE[SITE] == SITE
    assert names(ROTATE[[space(name) for name in ("e9", "f8", "e6", "a1", "boat-red", "boat-blue")]]) == [
        "i5", "i4", "f5", "a5", "boat-yellow", "boat-red",
    ]  # fmt: skip
    six_turns = np.arange(SPACES)
    for _ in range(6):
        six_turns = ROTATE[six_turns]
    assert (six_turns == np.arange(SPACES)).all()
    for here in range(SPACES):
        for direction in range(6):
            there = NEIGHBOUR[here, direction]
            turned = NEIGHBOUR[ROTATE[here], (direction + 1) % 6]
            assert turned == (ROTATE[there] if there >= 0 else -1)
        for k in range(12):
            there = JUMP_TARGET[here, k]
            assert JUMP_TARGET[ROTATE[here], (k + 2) % 12] == (ROTATE[there] if there >= 0 else -1)
    for hunter in range(6):
        assert ROTATE[LANDINGS[hunter]].tolist() == LANDINGS[(hunter + 1) % 6].tolist()


@pytest.mark.rule("D1.4")
def test_orbits() -> None:
    assert ORBIT_OF[SITE] == ORBIT_TURN[SITE] == -1
    for cell in set(range(CELLS)) - {SITE}:
        assert ORBIT_OF[ROTATE[cell]] == ORBIT_OF[cell]
        assert ORBIT_TURN[ROTATE[cell]] == (ORBIT_TURN[cell] + 1) % 6
    for orbit in range(ORBITS):
        assert sorted(ORBIT_TURN[orbit == ORBIT_OF].tolist()) == [0, 1, 2, 3, 4, 5]


def layout(offsets: tuple[int, ...]) -> list[int]:
    """Terrain of each cell, site -1."""
    return [
        (offsets[orbit] + turns) % 6 if orbit >= 0 else -1
        for orbit, turns in zip(ORBIT_OF.tolist(), ORBIT_TURN.tolist(), strict=True)
    ]


def is_fair(terrains: list[int]) -> bool:
    """Judge a layout by the words of D1.4."""
    cells = [cell for cell in range(CELLS) if cell != SITE]
    turned = all(terrains[ROTATE[cell]] == (terrains[cell] + 1) % 6 for cell in cells)
    ten_each = all(terrains.count(terrain) == 10 for terrain in range(6))
    apart = all(terrains[cell] != terrains[other] for cell in cells for other in around(cell) if other < CELLS)
    return turned and ten_each and apart


@pytest.mark.rule("D1.4")
def test_standard_layout_is_fair() -> None:
    assert layout(STANDARD) == TERRAIN_OF.tolist()
    assert is_fair(TERRAIN_OF.tolist())


@pytest.mark.rule("D1.4")
def test_clash_table_agrees_with_the_words() -> None:
    rng = np.random.default_rng(1)
    for sample in range(1500):
        # Small changes of a fair layout, so that both answers occur often.
        offsets = list(STANDARD)
        for orbit in rng.integers(0, ORBITS, 1 + sample % 4).tolist():
            offsets[orbit] = int(rng.integers(6))
        clash = any(ORBIT_CLASH[a, b, (offsets[a] - offsets[b]) % 6] for a in range(ORBITS) for b in range(ORBITS))
        assert clash == (not is_fair(layout(tuple(offsets))))


def test_clash_table_is_antisymmetric() -> None:
    for difference in range(6):
        assert (ORBIT_CLASH[:, :, difference] == ORBIT_CLASH[:, :, -difference % 6].T).all()
    assert not ORBIT_CLASH[range(ORBITS), range(ORBITS), 0].any()


@pytest.mark.rule("D1.4")
def test_number_of_fair_layouts() -> None:
    found = set(fair_layouts())
    assert len(found) == 393_984
    assert STANDARD in found
    for offsets in sorted(found)[::4000]:
        assert is_fair(layout(offsets))


# ---- The tables as such, and other files -----------------------------------------------------------------------------


def test_tables_are_read_only() -> None:
    int64 = {
        "AXIAL": (67, 2),
        "NEIGHBOUR": (67, 6),
        "LANDINGS": (6, 2),
        "JUMP_TARGET": (67, 12),
        "JUMP_OVER": (67, 12, 2),
        "TERRAIN_OF": (61,),
        "ROTATE": (67,),
        "ORBIT_OF": (61,),
        "ORBIT_TURN": (61,),
    }
    uint64 = {"NEIGHBOUR_CELLS": (67,), "JUMP_CELLS": (67, 12), "DISCS": (6,)}
    int8 = {"ORBIT_CLASH": (10, 10, 6)}
    for shapes, dtype in ((int64, np.int64), (uint64, np.uint64), (int8, np.int8)):
        for name, shape in shapes.items():
            table = getattr(board, name)
            assert table.shape == shape
            assert table.dtype == dtype
            assert not table.flags.writeable
    assert isinstance(LANDING_CELLS, np.uint64)
    assert isinstance(TERRAIN_CELLS, np.uint64)


MOVED = (('["e9", "f8"]', '["f8", "g7"]'),)
ALL_MOVED = (
    *MOVED,
    ('["i5", "i4"]', '["i4", "i3"]'),
    ('["i1", "h1"]', '["h1", "g1"]'),
    ('["e1", "d1"]', '["d1", "c1"]'),
    ('["a1", "a2"]', '["a2", "a3"]'),
    ('["a5", "b6"]', '["b6", "c7"]'),
)
OTHER_DUAL = (('["desert", "forest"]', '["desert", "mountain"]'),)


@pytest.mark.parametrize(
    ("edits", "symmetric", "boats"),
    [(MOVED, False, "-1 -1"), (ALL_MOVED, True, "62 61"), (OTHER_DUAL, False, "-1 -1")],
    ids=["one boat moved", "all boats moved", "another dual card"],
)
def test_symmetry_of_another_file(
    tmp_path: Path, edits: tuple[tuple[str, str], ...], symmetric: bool, boats: str
) -> None:
    package = Path(board.__file__).parent
    text = (package / "components.toml").read_text(encoding="utf-8")
    for old, new in edits:
        assert text.count(old) == 1
        text = text.replace(old, new)
    path = tmp_path / "other.toml"
    path.write_text(text, encoding="utf-8")
    code = "from dracheninsel_env import board as b; print(b.SYMMETRIC, *b.ROTATE[[61, 66, 38]], b.NEIGHBOUR[61].max())"
    environment = {**os.environ, "DRACHENINSEL_COMPONENTS": str(path), "PYTHONPATH": str(package.parent)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    red_landing = {MOVED: "g7", ALL_MOVED: "g7", OTHER_DUAL: "f8"}[edits]
    turned = int(ROTATE[38])
    assert done.stdout.strip() == f"{symmetric} {boats} {turned} {space(red_landing)}"
