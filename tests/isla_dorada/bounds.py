"""Random play of Isla Dorada with numba's bounds checks: ``python -m tests.isla_dorada.bounds --decisions N``."""

from __future__ import annotations

import sys

from island_core.position import Position
from tests.common.bounds import main
from tests.isla_dorada.comparison import IslaDoradaComparison


def start(number: int) -> Position:
    """3 to 6 players in turn, all options, half of the games late: the starts of the comparison with the oracle."""
    return IslaDoradaComparison().start(number)[0]


if __name__ == "__main__":
    sys.exit(main(start, "tests.isla_dorada.bounds"))
