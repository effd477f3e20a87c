"""Writes the generated parts of ``docs/dracheninsel/``: ``python -m dracheninsel_env.docs [--check]``."""

from __future__ import annotations

import sys
from pathlib import Path

from dracheninsel_env.game import SPEC
from island_core import docs


def pages() -> dict[Path, str]:
    """The generated part of each page."""
    return docs.game_pages(SPEC)


if __name__ == "__main__":
    sys.exit(docs.main(pages(), sys.argv[1:]))
