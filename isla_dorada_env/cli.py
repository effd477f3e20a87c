"""The command line: ``isla-dorada`` or ``python -m isla_dorada_env.cli``."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from island_core.launch import launch


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status, 2 if the components file is wrong."""
    return launch("isla-dorada", "isla_dorada_env.commands", argv)


if __name__ == "__main__":
    sys.exit(main())
