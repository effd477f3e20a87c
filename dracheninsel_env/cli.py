"""The command line: ``dracheninsel`` or ``python -m dracheninsel_env.cli``."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from island_core.launch import launch


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status, 2 if the components file is wrong."""
    return launch("dracheninsel", "dracheninsel_env.commands", argv)


if __name__ == "__main__":
    sys.exit(main())
