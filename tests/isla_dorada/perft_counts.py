"""The counts of ``perft/*.perft`` on core and oracle: ``python -m tests.isla_dorada.perft_counts [--deeper]``.

Every committed number is counted on both sides; ``--deeper`` prints one depth more, for numbers to commit.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.common.perft import Counted, main, read_all
from tests.isla_dorada.test_transcripts import SUBJECTS

FOLDER = Path(__file__).parent / "perft"


def counted() -> list[Counted]:
    """All positions."""
    return read_all(FOLDER)


if __name__ == "__main__":
    sys.exit(main(counted(), SUBJECTS))
