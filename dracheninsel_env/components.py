"""What lies in the box: reads `components.toml`, checks it, and exposes it as read-only tables (D1, D2, D3.2).

The file is the one named by the environment variable DRACHENINSEL_COMPONENTS, else the one in this package. It is read
once, on import. A file that cannot be right raises `ComponentsError`, which names the file, the key, what was found and
what is expected. `load` reads any file and is what the tests use.

Card kinds have a fixed numbering of 38 slots, so that another file changes neither shapes nor action ids:

| slots | kind |
|---|---|
| 0-5 | terrain cards, in the order of `vocab.TERRAINS` |
| 6-11 | dual terrain cards, in the order of the file |
| 12-22 | one-sided task cards, in the order of `vocab.Task` |
| 23-37 | split task cards, in the order of the file |
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dracheninsel_env.vocab import CELL_NAMES, HUNTERS, ROW_LENGTHS, ROWS, SITE_LETTER, TASKS, TERRAIN_LETTERS, TERRAINS
from island_core.components import SOURCE_MARKS as SOURCE_MARKS
from island_core.components import ComponentsError as ComponentsError
from island_core.components import IntTable as IntTable
from island_core.components import Table, path_in_use, read, sources
from island_core.components import read_only as read_only

ENVIRONMENT_VARIABLE: Final = "DRACHENINSEL_COMPONENTS"

CARD_SLOTS: Final = 38
TERRAIN_CARD_SLOTS: Final = 12
"""Slots 0-11 are terrain cards, single or dual; the rest are task cards."""
FIRST_DUAL_SLOT: Final = 6
FIRST_TASK_SLOT: Final = 12
FIRST_SPLIT_SLOT: Final = 23

# Documented numbers (D2). The rules and the shapes of state and observation are built on them.
DISCS_EACH: Final = 10
SINGLE_TERRAIN_CARDS_EACH: Final = 8
DUAL_CARDS: Final = 6
TASK_CARDS: Final = 45
NUM_CARDS: Final = 99
TREASURES: Final = 7
COINS_EACH: Final = 2
LARGEST_COIN: Final = 10_000
DRAGONS: Final = 2
HAND_SIZE: Final = 6

RADIUS: Final = 4
"""Radius of the hexagon of cells (D1.1)."""

DIRECTIONS: Final = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""Axial steps (q, r), clockwise from east: E, SE, SW, W, NW, NE. q grows to the east, r from row to row southwards."""

Hex = tuple[int, int]


def ring(hexagon: Hex) -> int:
    """Return the distance of an axial hex from the treasure site."""
    q, r = hexagon
    return max(abs(q), abs(r), abs(q + r))


def turn(hexagon: Hex, times: int = 1) -> Hex:
    """Turn an axial hex clockwise round the treasure site, by 60 degrees each time."""
    q, r = hexagon
    for _ in range(times):
        q, r = -r, q + r
    return q, r


def _cell_hexes() -> dict[str, Hex]:
    """Axial hex of each cell, in the order of `CELL_NAMES`."""
    hexes = ((q, r) for r in range(-RADIUS, RADIUS + 1) for q in range(-RADIUS, RADIUS + 1) if ring((q, r)) <= RADIUS)
    return dict(zip(CELL_NAMES, hexes, strict=True))


CELL_HEXES: Final = _cell_hexes()


def _pockets() -> dict[frozenset[str], tuple[Hex, tuple[str, str]]]:
    """Return the 24 places where a boat can lie, clockwise: its two landings -> (hex outside the island, landings).

    Two neighbouring cells of the rim touch exactly one common hex outside, and no other cell touches it. The landings
    come in clockwise order.
    """
    names = {hexagon: name for name, hexagon in CELL_HEXES.items()}
    rim = [turn((RADIUS - j, j), k) for k in range(6) for j in range(RADIUS)]
    pockets = {}
    for first, second in zip(rim, rim[1:] + rim[:1], strict=True):
        around = [{(q + dq, r + dr) for dq, dr in DIRECTIONS} for q, r in (first, second)]
        (outside,) = (hexagon for hexagon in around[0] & around[1] if ring(hexagon) > RADIUS)
        landings = names[first], names[second]
        pockets[frozenset(landings)] = outside, landings
    return pockets


_POCKETS: Final = _pockets()
_POCKET_ORDER: Final = {key: place for place, key in enumerate(_POCKETS)}


@dataclass(frozen=True)
class Boat:
    """One boat of the file."""

    hunter: int
    landings: tuple[str, str]
    """Names of the two cells it touches, clockwise."""
    hexagon: Hex
    """Axial hex outside the island where it lies."""


@dataclass(frozen=True, eq=False)
class Components:
    """A checked components file."""

    path: Path
    content: bytes
    sources: dict[str, str]
    """Section -> "documented" or "reconstructed"."""
    start_terrains: IntTable
    """int64[61]: terrain of each cell in the start layout, site -1."""
    boats: tuple[Boat, ...]
    """The six boats, clockwise."""
    seats_three: tuple[tuple[int, int], ...]
    boats_four: tuple[int, ...]
    coins: IntTable
    card_names: tuple[str | None, ...]
    copies: IntTable
    card_terrains: IntTable
    card_tasks: IntTable


def load(path: str | os.PathLike[str]) -> Components:
    """Read and check a components file; raise `ComponentsError` if it cannot be right."""
    path = Path(path)
    content, top = read(path, ("board", "boats", "seats", "coins", "dragons", "hand", "cards"))
    cards = top.sub("cards", ("terrain", "dual", "task", "split"))
    board = top.sub("board", ("source", *ROWS))
    boat_tables = top.items("boats", ("hunter", "landings", "source"))
    seats = top.sub("seats", ("source", "three", "four"))
    coins = top.sub("coins", ("source", "values", "copies_each"))
    dragons = top.sub("dragons", ("source", "count"))
    hand = top.sub("hand", ("source", "size"))
    terrain = cards.sub("terrain", ("source", *TERRAINS))
    dual = cards.sub("dual", ("source", "cards"))
    task = cards.sub("task", ("source", *TASKS))
    split = cards.sub("split", ("source", "cards"))

    marked = (board, *boat_tables, seats, coins, dragons, hand, terrain, dual, task, split)
    marks = sources(marked)
    dragons.number("count", DRAGONS, DRAGONS)
    hand.number("size", HAND_SIZE, HAND_SIZE)
    boats = _boats(top, boat_tables)
    clockwise = [boat.hunter for boat in boats]
    seats_three, boats_four = _seats(seats, clockwise)
    names, copies, terrains, tasks = _cards(terrain, dual, task, split)
    return Components(
        path=path,
        content=content,
        sources=marks,
        start_terrains=_start_terrains(board),
        boats=boats,
        seats_three=seats_three,
        boats_four=boats_four,
        coins=_coins(coins),
        card_names=names,
        copies=read_only(copies),
        card_terrains=read_only(terrains),
        card_tasks=read_only(tasks),
    )


def _start_terrains(board: Table) -> IntTable:
    """Read the rows of the start layout (D1.2): int64[61], site -1."""
    terrains = []
    for row, length in zip(ROWS, ROW_LENGTHS, strict=True):
        letters = board.get(row, str).split()
        if len(letters) != length:
            raise board.error(row, f"{len(letters)} spaces", f"{length} letters with blanks between them")
        for number, letter in enumerate(letters, 1):
            key, is_site = f"{row}, space {row}{number}", f"{row}{number}" == "e5"
            if is_site and letter != SITE_LETTER:
                raise board.error(key, repr(letter), f"{SITE_LETTER}, the treasure site")
            if not is_site and letter not in tuple(TERRAIN_LETTERS):
                raise board.error(key, repr(letter), f"one of the letters {' '.join(TERRAIN_LETTERS)}")
            terrains.append(-1 if is_site else TERRAIN_LETTERS.index(letter))
    for terrain, name in enumerate(TERRAINS):
        if terrains.count(terrain) != DISCS_EACH:
            raise board.error("", f"{terrains.count(terrain)} spaces of {name}", f"{DISCS_EACH} of each terrain")
    return read_only(terrains)


def _boats(top: Table, entries: list[Table]) -> tuple[Boat, ...]:
    """Read the six boats and check that they lie clockwise, on landings of their own (D1.1)."""
    boats: list[Boat] = []
    places: list[int] = []
    taken: dict[str, int] = {}
    if len(entries) != len(HUNTERS):
        raise top.error("boats", f"{len(entries)} boats", f"{len(HUNTERS)}, one of each hunter")
    for entry in entries:
        hunter = entry.word("hunter", entry.get("hunter", str), HUNTERS)
        if hunter in (boat.hunter for boat in boats):
            raise entry.error("hunter", f"{HUNTERS[hunter]} again", "each hunter once")
        cells = entry.different_words("landings", entry.get("landings", list), CELL_NAMES, 2)
        pair = frozenset(CELL_NAMES[cell] for cell in cells)
        if pair not in _POCKETS:
            found = " and ".join(CELL_NAMES[cell] for cell in cells)
            raise entry.error("landings", found, "two neighbouring rim spaces that share a hex outside the island")
        hexagon, landings = _POCKETS[pair]
        for landing in landings:
            if landing in taken:
                owner = HUNTERS[taken[landing]]
                raise entry.error("landings", f"{landing}, a landing of boat-{owner}", "spaces no other boat touches")
            taken[landing] = hunter
        boats.append(Boat(hunter, landings, hexagon))
        places.append(_POCKET_ORDER[pair])
    if not _is_clockwise(places):
        raise top.error("boats", ", ".join(HUNTERS[boat.hunter] for boat in boats), "the boats in clockwise order")
    return tuple(boats)


def _is_clockwise(places: Sequence[int]) -> bool:
    """Tell whether different places on a circle, numbered clockwise, are listed clockwise from any of them."""
    first = places.index(min(places))
    turned = [*places[first:], *places[:first]]
    return turned == sorted(turned)


def _seats(seats: Table, clockwise: list[int]) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    """Read which hunters play with three and with four players (D3.2, D9.1)."""
    pairs: list[tuple[int, int]] = []
    for n, value in enumerate(seats.get("three", list), 1):
        first, second = seats.different_words(f"three[{n}]", value, HUNTERS, 2)
        pairs.append((first, second))
    if sorted(hunter for pair in pairs for hunter in pair) != sorted(clockwise):
        raise seats.error("three", repr(seats.table["three"]), "three pairs that name each hunter once")
    four = seats.different_words("four", seats.get("four", list), HUNTERS, 4)
    for key, hunters in (("three", [first for first, _ in pairs]), ("four", four)):
        if not _is_clockwise([clockwise.index(hunter) for hunter in hunters]):
            found, order = (", ".join(HUNTERS[hunter] for hunter in some) for some in (hunters, clockwise))
            raise seats.error(key, found, f"the clockwise order of the boats, {order}")
    return tuple(pairs), four


def _coins(coins: Table) -> IntTable:
    """Read the seven coin values (D2.2): int64[7], ascending."""
    coins.number("copies_each", COINS_EACH, COINS_EACH)
    values = [coins.checked(f"values[{n}]", value, int) for n, value in enumerate(coins.get("values", list), 1)]
    in_bounds = all(0 < value <= LARGEST_COIN for value in values)
    if len(values) != TREASURES or sorted(set(values)) != values or not in_bounds:
        expected = f"{TREASURES} different values from 1 to {LARGEST_COIN}, ascending"
        raise coins.error("values", repr(values), expected)
    return read_only(values)


def _pair_cards(section: Table, words: Sequence[str], most: int) -> list[tuple[int, int, int]]:
    """Read a list of cards that show two different words each: (first, second, copies)."""
    cards: list[tuple[int, int, int]] = []
    for entry in section.items("cards", ("shows", "copies")):
        first, second = entry.different_words("shows", entry.get("shows", list), words, 2)
        if any({first, second} == {a, b} for a, b, _ in cards):
            raise entry.error("shows", f"{words[first]}/{words[second]} again", "each pair once, with its copies")
        cards.append((first, second, entry.number("copies", 1, NUM_CARDS)))
    if len(cards) > most:
        raise section.error("cards", f"{len(cards)} different cards", f"at most {most}")
    return cards


def _cards(
    terrain: Table, dual: Table, task: Table, split: Table
) -> tuple[tuple[str | None, ...], list[int], list[int], list[int]]:
    """Read the deck (D2.3, D2.4): name, copies, bit set of terrains and bit set of tasks of the 38 slots."""
    names: list[str | None] = [None] * CARD_SLOTS
    copies, terrains, tasks = [0] * CARD_SLOTS, [0] * CARD_SLOTS, [0] * CARD_SLOTS

    for slot, name in enumerate(TERRAINS):
        number = terrain.number(name, SINGLE_TERRAIN_CARDS_EACH, SINGLE_TERRAIN_CARDS_EACH)
        names[slot], copies[slot], terrains[slot] = name, number, 1 << slot
    pairs = _pair_cards(dual, TERRAINS, FIRST_TASK_SLOT - FIRST_DUAL_SLOT)
    for slot, (first, second, number) in enumerate(pairs, FIRST_DUAL_SLOT):
        names[slot], copies[slot] = f"{TERRAINS[first]}/{TERRAINS[second]}", number
        terrains[slot] = 1 << first | 1 << second
    if (total := sum(number for _, _, number in pairs)) != DUAL_CARDS:
        raise dual.error("cards", f"{total} cards", f"{DUAL_CARDS} in all")

    for index, name in enumerate(TASKS):
        slot = FIRST_TASK_SLOT + index
        names[slot], copies[slot], tasks[slot] = name, task.number(name, 0, TASK_CARDS), 1 << index
    pairs = _pair_cards(split, TASKS, CARD_SLOTS - FIRST_SPLIT_SLOT)
    for slot, (first, second, number) in enumerate(pairs, FIRST_SPLIT_SLOT):
        names[slot], copies[slot] = f"{TASKS[first]}/{TASKS[second]}", number
        tasks[slot] = 1 << first | 1 << second
    one_sided, two_sided = sum(copies[FIRST_TASK_SLOT:FIRST_SPLIT_SLOT]), sum(copies[FIRST_SPLIT_SLOT:])
    if one_sided + two_sided != TASK_CARDS:
        raise task.error("", f"{one_sided} one-sided and {two_sided} split cards", f"{TASK_CARDS} task cards in all")
    for index, name in enumerate(TASKS):
        if not any(number and bits >> index & 1 for number, bits in zip(copies, tasks, strict=True)):
            raise task.error(name, "no card with this task", "each of the eleven tasks on some card")
    return tuple(names), copies, terrains, tasks


COMPONENTS: Final = load(path_in_use(ENVIRONMENT_VARIABLE, Path(__file__).with_name("components.toml")))

PATH: Final = COMPONENTS.path
CONTENT: Final = COMPONENTS.content
"""The bytes of the file: part of the key of the machine-code cache and of the fingerprint of saved states."""
SOURCES: Final = COMPONENTS.sources
"""Section -> "documented" or "reconstructed"."""

CARD_NAMES: Final = COMPONENTS.card_names
"""Name of each slot, None for a dual or split slot the file leaves unused: `water`, `water/volcano`, `betrayal`."""
COPIES: Final = COMPONENTS.copies
"""int64[38]: copies of each card kind in the deck of 99 (0 in unused slots)."""
CARD_TERRAINS: Final = COMPONENTS.card_terrains
"""int64[38]: bit set of the terrains a card shows, 0 for task cards."""
CARD_TASKS: Final = COMPONENTS.card_tasks
"""int64[38]: bit set of the tasks on a card, 0 for terrain cards."""
COINS: Final = COMPONENTS.coins
"""int64[7]: coin values, ascending; treasure k is two coins of `COINS[k]`, laid out in this order."""

CLOCKWISE: Final = tuple(boat.hunter for boat in COMPONENTS.boats)
"""The six hunters in the clockwise order of their boats (D3.2)."""
SEATS_THREE: Final = COMPONENTS.seats_three
"""Three players: the two hunters of each seat, clockwise (D9.1)."""
BOATS_FOUR: Final = COMPONENTS.boats_four
"""Four players: the hunters in play, clockwise (D3.2)."""
