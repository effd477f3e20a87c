"""Recorded games as transcripts: how a game's folder of them is written and checked.

A game's module ``tests.<game>.record_transcripts`` has its ``PLANS``, each with a ``name``, and ``record(plan)``, which
gives the transcript of one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

MOST_LINES = 150
LAST_LINES = 20
"""Kept for what holds at the end."""


def file_name(plan: Any) -> str:
    return f"{plan.name}.game"


def write(folder: Path, plans: Sequence[Any], record: Callable[[Any], str]) -> None:
    """Write the folder anew."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.game"):
        old.unlink()
    for plan in plans:
        text = record(plan)
        (folder / file_name(plan)).write_text(text, encoding="utf-8")
        print(f"{file_name(plan)}: {len(text.splitlines())} lines")


def check(folder: Path, plans: Sequence[Any], record: Callable[[Any], str]) -> None:
    """The files are those of the plans, short, and the first one is what the command writes."""
    assert {file.name for file in folder.iterdir()} == {file_name(plan) for plan in plans}
    texts = [(folder / file_name(plan)).read_text(encoding="utf-8") for plan in plans]
    assert max(len(text.splitlines()) for text in texts) <= MOST_LINES
    assert record(plans[0]) == texts[0]
