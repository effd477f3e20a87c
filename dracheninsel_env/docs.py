"""Writes the generated parts of ``docs/dracheninsel/``: ``python -m dracheninsel_env.docs [--check]``."""

from __future__ import annotations

import sys
from pathlib import Path

from dracheninsel_env.actions import ACTIONS
from dracheninsel_env.decisions import DECISION_NAMES
from dracheninsel_env.events import EVENTS
from dracheninsel_env.observe import HISTORY, OBSERVATION
from dracheninsel_env.state import STATE
from island_core import docs

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "dracheninsel"


def _history() -> str:
    lines = ["| number | largest | meaning |", "|---|---|---|"]
    lines += [f"| {s.name} | {s.largest} | {s.doc} |" for s in HISTORY]
    return "\n".join(lines)


def _decisions() -> str:
    return ", ".join(f"{number} {name}" for number, name in enumerate(DECISION_NAMES) if name)


def pages() -> dict[Path, str]:
    """The generated part of each page."""
    return {
        FOLDER / "actions.md": ACTIONS.docs(),
        FOLDER / "events.md": EVENTS.docs(),
        FOLDER / "observation.md": f"{OBSERVATION.docs()}\n\nOne event of the `history` part:\n\n{_history()}\n\n"
        f"Decisions, entry 0 of `decision` is number 1: {_decisions()}.",
        FOLDER / "state.md": STATE.docs(),
    }


if __name__ == "__main__":
    sys.exit(docs.main(pages(), sys.argv[1:]))
