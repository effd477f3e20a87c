"""Generated documentation: tables written between markers, and a check that what is committed is current."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from island_core import rulings
from island_core.spec import GameSpec

FOLDER = Path(__file__).resolve().parent.parent / "docs"

Page = tuple[Path, str]
"""A generated part: the page, and the name of the part if the page has several."""


def markers(part: str) -> tuple[str, str]:
    """The lines around a generated part."""
    name = f" {part}" if part else ""
    return f"<!-- generated{name}: begin -->", f"<!-- generated{name}: end -->"


def game_pages(spec: GameSpec) -> dict[Page, str]:
    """The generated part of each page in the folder of a game: actions, events, observation, state."""
    folder = FOLDER / spec.name
    history = ["| number | largest | meaning |", "|---|---|---|"]
    history += [f"| {s.name} | {s.largest} | {s.doc} |" for s in spec.history]
    decisions = ", ".join(f"{number} {name}" for number, name in enumerate(spec.decisions) if name)
    return {
        (folder / "actions.md", ""): spec.actions.docs(),
        (folder / "events.md", ""): spec.events.docs(),
        (folder / "observation.md", ""): "\n\n".join(
            (
                spec.observation.docs(),
                "One event of the `history` part, which begins with the newest event:",
                "\n".join(history),
                f"Decisions, entry 0 of `decision` is number 1: {decisions}.",
            )
        ),
        (folder / "state.md", ""): spec.layout.docs(),
    }


def rulings_page(spec: GameSpec, sources: Mapping[str, str]) -> dict[Page, str]:
    """The part of ``rulings.md`` about a game: what its rules decide and its components file reconstructs."""
    text = (FOLDER / "rules" / f"{spec.name}.md").read_text(encoding="utf-8")
    package = FOLDER.parent / spec.package
    return {(FOLDER / "rulings.md", spec.name): rulings.table(text, package, sources)}


def replace_generated(text: str, generated: str, page: Page) -> str:
    """The text with what stands between the markers replaced. Raises ``ValueError`` if a marker is missing."""
    opening, closing = markers(page[1])
    before, begin, rest = text.partition(opening)
    _, end, after = rest.partition(closing)
    if not begin or not end:
        raise ValueError(f"{page[0]}: expected the markers {opening} and {closing}")
    return f"{before}{opening}\n{generated.strip()}\n{closing}{after}"


def stale_pages(pages: Mapping[Page, str]) -> list[Page]:
    """The generated parts that are not current."""
    stale = []
    for page, generated in pages.items():
        text = page[0].read_text(encoding="utf-8")
        if replace_generated(text, generated, page) != text:
            stale.append(page)
    return stale


def write_pages(pages: Mapping[Page, str]) -> list[Page]:
    """Bring all parts up to date and return those that changed."""
    changed = stale_pages(pages)
    for page in changed:
        text = page[0].read_text(encoding="utf-8")
        page[0].write_text(replace_generated(text, pages[page], page), encoding="utf-8")
    return changed


def main(pages: Mapping[Page, str], arguments: list[str]) -> int:
    """``--check`` reports stale pages and returns 1 if there are any; without it they are written."""
    if arguments == ["--check"]:
        stale = stale_pages(pages)
        for path, _ in stale:
            print(f"not current: {path} (run without --check to write it)")
        return 1 if stale else 0
    if arguments:
        print(f"unknown arguments {arguments}; allowed: --check")
        return 2
    for path, _ in write_pages(pages):
        print(f"written: {path}")
    return 0
