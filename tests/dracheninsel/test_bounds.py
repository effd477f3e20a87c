"""The short form of the random play with numba's bounds checks, in a process of its own.

The first run after an edit of a kernel compiles everything once more, half a minute; the others take two seconds. The
long form is ``python -m tests.dracheninsel.bounds``.
"""

import re

import pytest

from island_core.errors import InvariantError
from tests.common import bounds
from tests.dracheninsel.bounds import start

DECISIONS = 5_000


def test_no_kernel_leaves_an_array() -> None:
    printed = bounds.short_form("tests.dracheninsel.bounds", DECISIONS)
    for players in (3, 4, 5, 6):
        assert re.search(rf"\b{players} turn ", printed), printed


def test_checks_that_are_off_are_noticed() -> None:
    """This process has none: an index out of bounds reads what lies beside."""
    with pytest.raises(bounds.BoundsError, match="the bounds checks are off"):
        bounds.prove(start)


def test_an_index_out_of_bounds_tells_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = iter(range(10))

    def look(eyes: bounds.Eyes, states: object, seat: int) -> None:
        if next(looks) == 7:
            raise IndexError("index is out of bounds")

    monkeypatch.setattr(bounds.Eyes, "look", look)
    with pytest.raises(bounds.BoundsError, match="game 3, after 16 decisions: index is out of bounds"):
        bounds.play(start, 3)


def test_an_invariant_that_does_not_hold_tells_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(states: object, i: int) -> None:
        raise InvariantError("two dragons on d4")

    monkeypatch.setattr(bounds, "CHECKED", 5)  # 2 + 3 * bounds.STAGGER is a multiple
    monkeypatch.setattr(start(3).game.spec, "check", check)
    with pytest.raises(bounds.BoundsError, match="game 3, after 2 decisions: two dragons on d4"):
        bounds.play(start, 3)
