"""How the benchmarks write their pictures: the same figures give the same file."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def save(figure: Any, path: Path) -> None:
    """Write a picture, the ending of the name says the format. An SVG file has no date in it, and fixed ids."""
    import matplotlib

    with matplotlib.rc_context({"svg.hashsalt": "island-envs"}):
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
