"""The short form of the random play with numba's bounds checks, as the twin's (``tests.dracheninsel.test_bounds``)."""

import re

import pytest

from tests.common import bounds
from tests.isla_dorada.bounds import start

DECISIONS = 15_000


def test_no_kernel_leaves_an_array() -> None:
    printed = bounds.short_form("tests.isla_dorada.bounds", DECISIONS)
    for players in (3, 4, 5, 6):
        assert re.search(rf"\b{players} bid ", printed), printed
    for rare in ("telegram", "second player", "hand limit", "onward", "panda", "share", "amount"):
        assert re.search(rf"\b[3-6] {rare} ", printed), printed


def test_checks_that_are_off_are_noticed() -> None:
    """This process has none: the damage that must raise an error with the checks raises none."""
    with pytest.raises(bounds.BoundsError, match="the bounds checks are off"):
        bounds.prove(start)
