"""The counts of ``perft/*.perft`` on core and oracle: ``python -m tests.dracheninsel.perft_counts [--deeper]``.

Every committed number is counted on both sides; ``--deeper`` prints one depth more, for numbers to commit.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tests.common.perft import Counted, failures, perft, read_all, start
from tests.dracheninsel.test_transcripts import SUBJECTS

FOLDER = Path(__file__).parent / "perft"


def counted() -> list[Counted]:
    """All positions."""
    return read_all(FOLDER)


def main(arguments: list[str] | None = None) -> int:
    """Count on both sides; the exit status is 1 if a number differs."""
    parser = argparse.ArgumentParser(description="Count lines of play on core and oracle.")
    parser.add_argument("--deeper", action="store_true", help="print the next depth as well")
    options = parser.parse_args(arguments)
    status = 0
    for one in counted():
        for name, subject in SUBJECTS.items():
            began = time.perf_counter()
            wrong = failures(one, subject, sorted(one.counts))
            status |= bool(wrong)
            print(f"{one.name}, {name}: {time.perf_counter() - began:.1f} s", *wrong, sep="\n")
            if options.deeper:
                depth = max(one.counts) + 1
                began = time.perf_counter()
                print(f"perft {depth} {perft(start(one, subject), depth)}  # {time.perf_counter() - began:.1f} s")
    return status


if __name__ == "__main__":
    sys.exit(main())
