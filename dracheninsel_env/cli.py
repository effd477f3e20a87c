"""The command line: ``dracheninsel`` or ``python -m dracheninsel_env.cli``."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status, 2 if the components file is wrong."""
    from island_core.components import ComponentsError

    try:
        from dracheninsel_env import commands
    except ComponentsError as problem:
        print(f"dracheninsel: {problem}", file=sys.stderr)
        return 2
    return commands.main(argv)


if __name__ == "__main__":
    sys.exit(main())
