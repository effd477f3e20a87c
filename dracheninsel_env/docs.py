"""Writes the generated parts of the game's pages in ``docs/``: ``python -m dracheninsel_env.docs [--check]``."""

from __future__ import annotations

import sys

from dracheninsel_env.components import SOURCES
from dracheninsel_env.game import SPEC
from island_core import docs


def pages() -> dict[docs.Page, str]:
    """Each generated part."""
    return docs.game_pages(SPEC) | docs.rulings_page(SPEC, SOURCES)


if __name__ == "__main__":
    sys.exit(docs.main(pages(), sys.argv[1:]))
