"""Generated documentation: tables written between markers, and a check that what is committed is current."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from island_core.spec import GameSpec

FOLDER = Path(__file__).resolve().parent.parent / "docs"

BEGIN = "<!-- generated: begin -->"
END = "<!-- generated: end -->"


def game_pages(spec: GameSpec) -> dict[Path, str]:
    """The generated part of each page in the folder of a game: actions, events, observation, state."""
    folder = FOLDER / spec.name
    history = ["| number | largest | meaning |", "|---|---|---|"]
    history += [f"| {s.name} | {s.largest} | {s.doc} |" for s in spec.history]
    decisions = ", ".join(f"{number} {name}" for number, name in enumerate(spec.decisions) if name)
    return {
        folder / "actions.md": spec.actions.docs(),
        folder / "events.md": spec.events.docs(),
        folder / "observation.md": "\n\n".join(
            (
                spec.observation.docs(),
                "One event of the `history` part:",
                "\n".join(history),
                f"Decisions, entry 0 of `decision` is number 1: {decisions}.",
            )
        ),
        folder / "state.md": spec.layout.docs(),
    }


def replace_generated(text: str, generated: str, name: str) -> str:
    """The text with what stands between the markers replaced. Raises ``ValueError`` if a marker is missing."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{name}: expected the markers {BEGIN} and {END}")
    return f"{before}{BEGIN}\n{generated.strip()}\n{END}{after}"


def stale_pages(pages: Mapping[Path, str]) -> list[Path]:
    """The pages whose generated part is not current."""
    stale = []
    for path, generated in pages.items():
        text = path.read_text(encoding="utf-8")
        if replace_generated(text, generated, str(path)) != text:
            stale.append(path)
    return stale


def write_pages(pages: Mapping[Path, str]) -> list[Path]:
    """Bring all pages up to date and return those that changed."""
    changed = stale_pages(pages)
    for path in changed:
        text = path.read_text(encoding="utf-8")
        path.write_text(replace_generated(text, pages[path], str(path)), encoding="utf-8")
    return changed


def main(pages: Mapping[Path, str], arguments: list[str]) -> int:
    """``--check`` reports stale pages and returns 1 if there are any; without it they are written."""
    if arguments == ["--check"]:
        stale = stale_pages(pages)
        for path in stale:
            print(f"not current: {path} (run without --check to write it)")
        return 1 if stale else 0
    if arguments:
        print(f"unknown arguments {arguments}; allowed: --check")
        return 2
    for path in write_pages(pages):
        print(f"written: {path}")
    return 0
