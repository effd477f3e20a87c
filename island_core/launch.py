"""Starting a command line: a components file that is wrong is one line, not a traceback."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence


def launch(program: str, commands: str, argv: Sequence[str] | None) -> int:
    """Import the module ``commands`` and run its ``main``; returns the exit status, 2 for a wrong components file."""
    from island_core.components import ComponentsError

    try:
        module = importlib.import_module(commands)
    except ComponentsError as problem:
        print(f"{program}: {problem}", file=sys.stderr)
        return 2
    return int(module.main(argv))
