"""The components file: what the packaged one holds, and what every kind of mistake is answered with."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from dracheninsel_env import components
from dracheninsel_env.components import CARD_NAMES, CARD_SLOTS, COPIES, TERRAIN_CARD_SLOTS, ComponentsError, load
from dracheninsel_env.vocab import CELL_NAMES, GERMAN, GREEN_TASKS, HUNTERS, TAN_TASKS, TASKS, TERRAINS, Task

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


# ---- The packaged file -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def packaged() -> components.Components:
    return load(PACKAGED)


@pytest.mark.rule("D1.2", "D1.3")
def test_start_layout(packaged: components.Components) -> None:
    terrains = packaged.start_terrains
    assert terrains.shape == (61,)
    assert terrains[CELL_NAMES.index("e5")] == -1
    assert [np.count_nonzero(terrains == terrain) for terrain in range(6)] == [10] * 6
    # Read off the file by eye.
    by_eye = {
        "a1": "volcano",
        "a5": "desert",
        "c4": "field",
        "e1": "water",
        "e4": "water",
        "f8": "water",
        "i5": "mountain",
    }
    assert {name: TERRAINS[terrains[CELL_NAMES.index(name)]] for name in by_eye} == by_eye


@pytest.mark.rule("D1.1", "D3.2")
def test_boats_and_seats(packaged: components.Components) -> None:
    assert {HUNTERS[boat.hunter]: boat.landings for boat in packaged.boats} == {
        "red": ("e9", "f8"),
        "yellow": ("i5", "i4"),
        "green": ("i1", "h1"),
        "grey": ("e1", "d1"),
        "brown": ("a1", "a2"),
        "blue": ("a5", "b6"),
    }
    assert [boat.hunter for boat in packaged.boats] == [0, 1, 2, 3, 4, 5]
    assert packaged.boats_four == (1, 2, 4, 5)


@pytest.mark.rule("D9.1")
def test_three_players(packaged: components.Components) -> None:
    assert packaged.seats_three == ((0, 3), (1, 4), (2, 5))


@pytest.mark.rule("D2.1", "D2.2", "D3.1")
def test_coins_dragons_hand(packaged: components.Components) -> None:
    assert packaged.coins.tolist() == [100, 125, 150, 175, 200, 240, 300]
    assert components.COINS_EACH * packaged.coins.sum() == 2580
    assert components.DRAGONS == 2
    assert components.HAND_SIZE == 6


@pytest.mark.rule("D2.3")
def test_terrain_cards(packaged: components.Components) -> None:
    assert packaged.card_names[:6] == TERRAINS
    assert packaged.card_names[11] == "water/volcano"
    assert packaged.copies[:12].tolist() == [8] * 6 + [1] * 6
    assert packaged.card_terrains[:12].tolist() == [1, 2, 4, 8, 16, 32, 3, 6, 12, 24, 48, 33]
    assert not packaged.card_tasks[:TERRAIN_CARD_SLOTS].any()
    # Each terrain is on two dual cards, so that no colour has more jokers than another.
    assert [sum(bits >> k & 1 for bits in packaged.card_terrains[6:12].tolist()) for k in range(6)] == [2] * 6


@pytest.mark.rule("D2.4")
def test_task_cards(packaged: components.Components) -> None:
    names, copies, tasks = packaged.card_names, packaged.copies, packaged.card_tasks
    assert names[12:23] == TASKS
    assert tasks[12:23].tolist() == [1 << task for task in Task]
    assert names[25] == "betrayal/sneak-attack"
    assert tasks[25] == 1 << Task.BETRAYAL | 1 << Task.SNEAK_ATTACK
    assert not packaged.card_terrains[TERRAIN_CARD_SLOTS:].any()
    assert copies[12:23].sum() == 27
    assert copies[23:].sum() == 18
    on_cards = {TASKS[task]: int(copies[(tasks >> task & 1) == 1].sum()) for task in Task}
    assert on_cards == {
        "betrayal": 10,
        "sweet-slumber": 9,
        "counterspell": 8,
        "daring-flight": 6,
        "fear-and-terror": 5,
        "destroying-forces": 5,
        "dragon-patrol": 5,
        "raging-elements": 4,
        "long-journey": 4,
        "sneak-attack": 4,
        "evil-curse": 3,
    }


@pytest.mark.rule("D3.1")
def test_deck_of_99(packaged: components.Components) -> None:
    assert packaged.copies.sum() == components.NUM_CARDS == 99
    assert len(packaged.card_names) == CARD_SLOTS == 38
    unused = [slot for slot in range(CARD_SLOTS) if packaged.card_names[slot] is None]
    assert unused == [32, 33, 34, 35, 36, 37]
    assert not packaged.copies[unused].any()


def test_every_section_has_a_source(packaged: components.Components) -> None:
    assert set(packaged.sources.values()) == {"documented", "reconstructed"}
    assert packaged.sources["coins"] == "documented"
    assert packaged.sources["boats[3]"] == "reconstructed"
    assert packaged.sources["cards.split"] == "reconstructed"


@pytest.mark.rule("D2.4", "D2.5")
def test_task_words() -> None:
    assert TASKS[Task.FEAR_AND_TERROR] == "fear-and-terror"
    assert (*TAN_TASKS, *GREEN_TASKS) == tuple(Task)
    assert [TASKS[task] for task in GREEN_TASKS] == ["sweet-slumber", "counterspell", "betrayal"]
    assert tuple(GERMAN) == TASKS


def test_tables_of_the_file_in_use_are_read_only() -> None:
    assert components.PATH.read_bytes() == components.CONTENT
    for table in (COPIES, components.CARD_TERRAINS, components.CARD_TASKS, components.COINS):
        assert table.dtype == np.int64
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 1
    assert len(CARD_NAMES) == CARD_SLOTS


# ---- Other files that are right --------------------------------------------------------------------------------------


def test_fewer_dual_and_split_kinds(tmp_path: Path) -> None:
    """Unused slots stay empty, so the numbering of the other cards does not move."""
    changed = load(
        edited(
            tmp_path,
            ('    { shows = ["desert", "forest"], copies = 1 },\n', ""),
            ('"volcano", "desert"], copies = 1', '"volcano", "desert"], copies = 2'),
            ('    { shows = ["betrayal", "dragon-patrol"], copies = 2 },\n', ""),
            ("dragon-patrol = 1", "dragon-patrol = 3"),
        )
    )
    assert changed.card_names[10:13] == ("water/volcano", None, "destroying-forces")
    assert changed.copies[[6, 11]].tolist() == [2, 0]
    assert changed.card_names[30:33] == ("counterspell/daring-flight", None, None)
    assert changed.copies.sum() == 99


def test_a_task_on_split_cards_alone_keeps_its_slot(tmp_path: Path) -> None:
    changed = load(edited(tmp_path, ("dragon-patrol = 1", "dragon-patrol = 0"), ("evil-curse = 3", "evil-curse = 4")))
    slot = 12 + Task.DRAGON_PATROL
    assert changed.card_names[slot] == "dragon-patrol"
    assert changed.copies[slot] == 0


def test_landings_are_put_clockwise(tmp_path: Path) -> None:
    assert load(edited(tmp_path, ('["e9", "f8"]', '["f8", "e9"]'))).boats[0].landings == ("e9", "f8")


def test_the_list_of_boats_may_start_anywhere(tmp_path: Path) -> None:
    last = TEXT[TEXT.index('[[boats]]\nhunter = "blue"') : TEXT.index("# Which hunters play.")]
    first = '[[boats]]\nhunter = "red"'
    moved = load(edited(tmp_path, (last, ""), (first, last + first)))
    assert [HUNTERS[boat.hunter] for boat in moved.boats] == ["blue", "red", "yellow", "green", "grey", "brown"]


@pytest.mark.rule("D3.2")
def test_another_order_of_boats(tmp_path: Path) -> None:
    swapped = load(
        edited(
            tmp_path,
            ('hunter = "red"\nlandings = ["e9", "f8"]', 'hunter = "blue"\nlandings = ["e9", "f8"]'),
            ('hunter = "blue"\nlandings = ["a5", "b6"]', 'hunter = "red"\nlandings = ["a5", "b6"]'),
            ('["yellow", "brown"], ["green", "blue"]', '["blue", "brown"], ["yellow", "green"]'),
            ('four = ["yellow", "green", "brown", "blue"]', 'four = ["grey", "brown", "blue", "green"]'),
        )
    )
    assert [HUNTERS[boat.hunter] for boat in swapped.boats] == ["blue", "yellow", "green", "grey", "brown", "red"]
    assert swapped.seats_three == ((0, 3), (5, 4), (1, 2))
    assert swapped.boats_four == (3, 4, 5, 2)


# ---- Files that cannot be right --------------------------------------------------------------------------------------

# What is wrong: (the place in the file, what it is changed to, the key the error must name, what it must say).
MISTAKES = {
    # Keys, types and source marks.
    "section missing": (
        '[dragons]\nsource = "documented"\ncount = 2\n',
        "",
        "dragons",
        "nothing, expected a table (the key is missing)",
    ),
    "key missing": ("size = 6\n", "", "hand.size", "nothing, expected a whole number (the key is missing)"),
    "row missing": ('i = "        A   F   D   V   M        "\n', "", "board.i", "the key is missing"),
    "terrain missing": ("forest = 8\n", "", "cards.terrain.forest", "the key is missing"),
    "task missing": ("evil-curse = 3 ", "", "cards.task.evil-curse", "the key is missing"),
    "unknown section": (
        "[dragons]",
        "[knights]\n[dragons]",
        "knights",
        "unknown key, expected only the keys board, boats",
    ),
    "unknown key": (
        "size = 6",
        "size = 6\nlimit = 7",
        "hand.limit",
        "unknown key, expected only the keys source, size",
    ),
    "unknown terrain": ("forest = 8", "wood = 8", "cards.terrain.wood", "unknown key"),
    "unknown task": ("evil-curse = 3", "evil-spell = 3", "cards.task.evil-spell", "unknown key"),
    "unknown key of a boat": (
        'landings = ["e9", "f8"]',
        'landings = ["e9", "f8"]\nat = 1',
        "boats[1].at",
        "unknown key",
    ),
    "unknown key of a card": (
        '"volcano", "desert"], copies',
        '"volcano", "desert"], page = 1, copies',
        "cards.dual.cards[1].page",
        "unknown key",
    ),
    "text for a number": ("size = 6", 'size = "6"', "hand.size", "'6', expected a whole number"),
    "truth for a number": (
        "evil-curse = 3",
        "evil-curse = true",
        "cards.task.evil-curse",
        "True, expected a whole number",
    ),
    "fraction for a number": ("count = 2", "count = 2.0", "dragons.count", "2.0, expected a whole number"),
    "number for a list": (
        "values = [100, 125, 150, 175, 200, 240, 300]",
        "values = 100",
        "coins.values",
        "100, expected a list",
    ),
    "number for a row": ('b = "      A   D   W   V   F   A      "', "b = 6", "board.b", "6, expected a string"),
    "five boats": (
        '[[boats]]\nhunter = "red"\nlandings = ["e9", "f8"]\nsource = "reconstructed"',
        "",
        "boats",
        "5 boats",
    ),
    "word in a list of tables": (
        '    { shows = ["water", "volcano"], copies = 1 },\n',
        '    "water/volcano",\n',
        "cards.dual.cards[6]",
        "a table",
    ),
    "list of numbers for names": ('["e9", "f8"]', "[1, 2]", "boats[1].landings[1]", "1, expected a string"),
    "source missing": ('[hand]\nsource = "documented"', "[hand]", "hand.source", "the key is missing"),
    "source unknown": (
        '[hand]\nsource = "documented"',
        '[hand]\nsource = "guess"',
        "hand.source",
        "'guess', expected one of documented, reconstructed",
    ),
    "source of one boat": (
        'landings = ["i1", "h1"]\nsource = "reconstructed"',
        'landings = ["i1", "h1"]',
        "boats[3].source",
        "missing",
    ),
    # The board.
    "row too short": ("V   M   A   W   D", "V   M   A   W", "board.a", "4 spaces, expected 5 letters"),
    "row too long": ("A   F   D   V   M ", "A   F   D   V   M   M", "board.i", "6 spaces, expected 5 letters"),
    "letters stuck together": ("V   M   A   W   D", "VM   A   W   D", "board.a", "4 spaces"),
    "unknown letter": (
        "V   M   A   W   D",
        "V   M   B   W   D",
        "board.a, space a3",
        "'B', expected one of the letters",
    ),
    "two letters": (
        "V   M   A   W   D",
        "V   M   AM   W   D",
        "board.a, space a3",
        "'AM', expected one of the letters",
    ),
    "no site": ("D   W   *   F   A", "D   W   F   F   A", "board.e, space e5", "'F', expected *"),
    "second site": ("V   M   A   W   D", "V   M   A   W   *", "board.a, space a5", "'*', expected one of the letters"),
    "eleven of a terrain": ("V   M   A   W   D", "D   M   A   W   D", "board", "9 spaces of volcano, expected 10"),
    # Boats.
    "unknown hunter": ('hunter = "red"', 'hunter = "pink"', "boats[1].hunter", "'pink', expected one of red, yellow"),
    "hunter twice": ('hunter = "yellow"', 'hunter = "red"', "boats[2].hunter", "red again, expected each hunter once"),
    "unknown space": ('["e9", "f8"]', '["e9", "f9"]', "boats[1].landings[2]", "'f9', expected one of a1, a2"),
    "one landing": ('["e9", "f8"]', '["e9"]', "boats[1].landings", "['e9'], expected 2 different names"),
    "the same landing twice": ('["e9", "f8"]', '["e9", "e9"]', "boats[1].landings", "expected 2 different names"),
    "three landings": ('["e9", "f8"]', '["e9", "f8", "g7"]', "boats[1].landings", "expected 2 different names"),
    "landings apart": (
        '["e9", "f8"]',
        '["e9", "g7"]',
        "boats[1].landings",
        "e9 and g7, expected two neighbouring rim spaces",
    ),
    "landings off the rim": ('["e9", "f8"]', '["e8", "f7"]', "boats[1].landings", "share a hex outside the island"),
    "one landing off the rim": ('["e9", "f8"]', '["e9", "e8"]', "boats[1].landings", "share a hex outside the island"),
    "landing of another boat": (
        '["i5", "i4"]',
        '["f8", "g7"]',
        "boats[2].landings",
        "f8, a landing of boat-red, expected spaces no other boat",
    ),
    "same place as another boat": ('["i5", "i4"]', '["f8", "e9"]', "boats[2].landings", "a landing of boat-red"),
    "not clockwise": ('["i5", "i4"]', '["b1", "c1"]', "boats", "expected the boats in clockwise order"),
    # Seats.
    "unknown hunter in a seat": ('["red", "grey"]', '["red", "gray"]', "seats.three[1][2]", "'gray', expected one of"),
    "two pairs only": (', ["green", "blue"]]', "]", "seats.three", "three pairs that name each hunter once"),
    "hunter in two pairs": (
        '["red", "grey"]',
        '["red", "blue"]',
        "seats.three",
        "three pairs that name each hunter once",
    ),
    "no pair": ('["red", "grey"]', '["red"]', "seats.three[1]", "2 different names"),
    "pairs not clockwise": (
        '["yellow", "brown"], ["green", "blue"]',
        '["green", "blue"], ["yellow", "brown"]',
        "seats.three",
        "red, green, yellow, expected the clockwise order of the boats, red, yellow",
    ),
    "four hunters": (
        '"yellow", "green", "brown", "blue"',
        '"yellow", "green", "brown"',
        "seats.four",
        "4 different names",
    ),
    "four not clockwise": (
        '"yellow", "green", "brown", "blue"',
        '"green", "yellow", "brown", "blue"',
        "seats.four",
        "the clockwise order",
    ),
    # Coins, dragons, hand.
    "six coins": ("240, 300]", "240]", "coins.values", "7 different values"),
    "equal coins": ("240, 300]", "240, 240]", "coins.values", "7 different values"),
    "coins not ascending": ("240, 300]", "300, 240]", "coins.values", "ascending"),
    "worthless coin": ("[100, 125", "[0, 125", "coins.values", "from 1 to"),
    "coin too large": ("240, 300]", "240, 10001]", "coins.values", "from 1 to 10000"),
    "coin in words": ("240, 300]", '240, "300"]', "coins.values[7]", "'300', expected a whole number"),
    "three coins each": ("copies_each = 2", "copies_each = 3", "coins.copies_each", "3, expected 2"),
    "three dragons": ("count = 2", "count = 3", "dragons.count", "3, expected 2"),
    "hand of seven": ("size = 6", "size = 7", "hand.size", "7, expected 6"),
    # Cards.
    "nine of a terrain": ("forest = 8", "forest = 9", "cards.terrain.forest", "9, expected 8"),
    "five dual cards": (
        '    { shows = ["water", "volcano"], copies = 1 },\n',
        "",
        "cards.dual.cards",
        "5 cards, expected 6",
    ),
    "seven kinds of dual card": (
        '    { shows = ["water", "volcano"], copies = 1 },\n',
        '    { shows = ["water", "volcano"], copies = 1 },\n    { shows = ["water", "forest"], copies = 1 },\n',
        "cards.dual.cards",
        "7 different cards, expected at most 6",
    ),
    "dual card twice": (
        'shows = ["desert", "forest"]',
        'shows = ["desert", "volcano"]',
        "cards.dual.cards[2].shows",
        "desert/volcano again",
    ),
    "dual card of one terrain": (
        '["desert", "forest"]',
        '["desert", "desert"]',
        "cards.dual.cards[2].shows",
        "2 different",
    ),
    "unknown terrain on a dual card": (
        '["desert", "forest"]',
        '["desert", "wood"]',
        "cards.dual.cards[2].shows[2]",
        "'wood'",
    ),
    "dual card without copies": (
        'shows = ["desert", "forest"], copies = 1',
        'shows = ["desert", "forest"], copies = 0',
        "cards.dual.cards[2].copies",
        "0, expected a whole number from 1",
    ),
    "unknown task on a split card": (
        '["betrayal", "dragon-patrol"]',
        '["betrayal", "dragon"]',
        "cards.split.cards[2].shows[2]",
        "'dragon', expected one of",
    ),
    "split card twice": (
        '["betrayal", "dragon-patrol"]',
        '["destroying-forces", "betrayal"]',
        "cards.split.cards[2].shows",
        "destroying-forces/betrayal again",
    ),
    "16 kinds of split card": (
        '    { shows = ["counterspell", "daring-flight"], copies = 2 },\n',
        "".join(f'    {{ shows = ["evil-curse", "{task}"], copies = 1 }},\n' for task in TASKS if task != "evil-curse"),
        "cards.split.cards",
        "18 different cards, expected at most 15",
    ),
    "46 task cards": ("evil-curse = 3", "evil-curse = 4", "cards.task", "28 one-sided and 18 split cards, expected 45"),
    "negative copies": (
        "evil-curse = 3",
        "evil-curse = -1",
        "cards.task.evil-curse",
        "-1, expected a whole number from 0",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake_is_explained(tmp_path: Path, mistake: str) -> None:
    old, new, key, says = MISTAKES[mistake]
    path = edited(tmp_path, (old, new))
    with pytest.raises(ComponentsError) as caught:
        load(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: {key or 'file'}: found "), message
    assert ", expected " in message
    assert says in message


@pytest.mark.rule("D2.4")
def test_every_task_is_on_some_card(tmp_path: Path) -> None:
    path = edited(tmp_path, ("evil-curse = 3", "evil-curse = 0"), ("betrayal = 4", "betrayal = 7"))
    with pytest.raises(ComponentsError, match="cards.task.evil-curse: found no card with this task"):
        load(path)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(ComponentsError, match="missing.toml: file: found No such file or directory, expected"):
        load(tmp_path / "missing.toml")


@pytest.mark.parametrize("content", [b"[board\n", b"a = '\xff'\n"], ids=["bad TOML", "bad UTF-8"])
def test_unreadable_text(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.toml"
    path.write_bytes(content)
    with pytest.raises(ComponentsError, match=r"broken.toml: file: found .*, expected TOML in UTF-8"):
        load(path)


def test_empty_file_misses_everything(tmp_path: Path) -> None:
    path = tmp_path / "empty.toml"
    path.write_bytes(b"")
    with pytest.raises(ComponentsError, match="the key is missing"):
        load(path)


# ---- The environment variable ----------------------------------------------------------------------------------------


def run_with(components_file: Path | str, code: str) -> subprocess.CompletedProcess[str]:
    """Run code in a new process whose environment variable names the file."""
    environment = {**os.environ, "DRACHENINSEL_COMPONENTS": str(components_file), "PYTHONPATH": str(PACKAGE.parent)}
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)


SHOW = "from dracheninsel_env import components as c; print(c.PATH, c.COINS[0], len(c.CONTENT))"


def test_environment_variable_names_the_file(tmp_path: Path) -> None:
    path = edited(tmp_path, ("[100, 125", "[90, 125"))
    done = run_with(path, SHOW)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(path), "90", str(path.stat().st_size)]


def test_empty_environment_variable_means_the_packaged_file() -> None:
    done = run_with("", SHOW)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[:2] == [str(PACKAGED), "100"]


def test_bad_file_stops_the_import(tmp_path: Path) -> None:
    done = run_with(edited(tmp_path, ("count = 2", "count = 3")), SHOW)
    assert done.returncode != 0
    assert re.search(r"ComponentsError: .*edited\.toml: dragons\.count: found 3, expected 2\n", done.stderr)
