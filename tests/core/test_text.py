"""The pieces that plain texts are put together from."""

import pytest
from rich.text import Text

from island_core.text import WIDTH, Line, counted, members, piled, plural, styled, table, wrapped


def test_markup_only_with_colour() -> None:
    assert styled("camp", "bold", True) == "[bold]camp[/]"
    assert styled("camp", "bold", False) == "camp"
    assert styled("camp", "", True) == "camp"
    assert styled("", "bold", True) == ""


def test_pieces_stand_at_their_columns_and_never_overlap() -> None:
    line = Line()
    line.write(2, "abc", "[red]abc[/]")
    line.write(8, "d", "d")
    line.write(4, "late", "late")
    assert Text.from_markup(line.text).plain == "  abc   dlate"
    assert line.column == len("  abc   dlate")


def test_a_paragraph_breaks_between_items_only() -> None:
    items = [f"item number {k}" for k in range(20)]
    lines = wrapped("things: ", items).splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert len(lines) > 2
    assert all(line.startswith("    item number ") for line in lines[1:])
    assert " ".join(lines).replace("     ", " ") == "things: " + ", ".join(items)


@pytest.mark.parametrize(
    ("start", "indent", "hanging"), [("", None, 0), ("ab", None, 2), ("a: b", 7, 7), ("long: ", None, 4)]
)
def test_how_far_a_paragraph_is_indented(start: str, indent: int | None, hanging: int) -> None:
    second = wrapped(start, ["x" * 30] * 9, "; ", indent).splitlines()[1]
    assert len(second) - len(second.lstrip()) == hanging


def test_a_long_item_breaks_between_its_words() -> None:
    item = " ".join(["word"] * 40)
    assert max(map(len, wrapped("", [item]).splitlines())) <= WIDTH
    assert wrapped("none: ", []) == "none: "


def test_columns() -> None:
    rows = [("name", "points", ""), ("a", "7", "x"), ("longer", "12", "")]
    assert table(rows, right=(1,)) == "name    points\na            7  x\nlonger      12"


def test_cards_are_counted_in_the_order_of_kinds() -> None:
    assert counted([2, 0, 2], ["yak", "kamel", "gonogo"]) == ["yak", "gonogo x2"]
    assert counted([], ["yak"]) == ["none"]
    assert piled([2, 0, 1]) == [0, 0, 2]


def test_words() -> None:
    assert members(0b101, ["a", "b", "c"]) == "a, c"
    assert [plural(number, "card") for number in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]
