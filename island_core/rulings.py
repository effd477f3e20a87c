"""Tables of what a game's rules decide where the rulebook is silent, and of what its components file reconstructs.

In the rules documents **[D]** marks a decision and **[R]** a reconstruction, some with a reason after a colon; the
components file says of each of its sections whether it is documented.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

_RULE = re.compile(r"^- ([A-Z]\d+\.\d+) (.*)$", re.MULTILINE)
_MARK = re.compile(r"\s*\*\*\[([DR])(?:: ([^\]]*))?\]\*\*")
_SILENT = "the rulebook is silent or contradicts itself"
_NOT_PUBLIC = "the printed value is not public"


class Ruling(NamedTuple):
    """A marked sentence of the rules."""

    kind: str
    """D or R."""
    rule: str
    sentence: str
    reason: str


def rulings(text: str) -> Iterator[Ruling]:
    """The marked sentences of a rules document, in order."""
    for rule, body in _RULE.findall(text):
        # A mark belongs to the sentence it stands in or ends.
        for sentence in re.split(r"(?<=[.:])\s+(?=[A-Z*])", body):
            for kind, reason in _MARK.findall(sentence):
                plain = _MARK.sub("", sentence).strip()
                yield Ruling(kind, rule, plain, reason or (_SILENT if kind == "D" else _NOT_PUBLIC))


def homes(package: Path, rule: str) -> list[str]:
    """The files of a package that cite a rule: those of its rules if there are any, else all."""
    cited = re.compile(rf"\b{re.escape(rule)}(?!\d)")
    found = sorted(path for path in package.rglob("*.py") if cited.search(path.read_text(encoding="utf-8")))
    own = [path for path in found if path.parent.name == "rules" or path.name == "options.py"]
    return [path.relative_to(package.parent).as_posix() for path in own or found]


def table(text: str, package: Path, sources: Mapping[str, str]) -> str:
    """The tables of one game in Markdown."""
    found = list(rulings(text))
    lines = [
        "Decisions:",
        "",
        "| rule | what is decided | why, or what the rulebook says | where it lives |",
        "|---|---|---|---|",
    ]
    for ruling in found:
        if ruling.kind == "D":
            files = ", ".join(f"`{file}`" for file in homes(package, ruling.rule)) or "-"
            lines.append(f"| {ruling.rule} | {ruling.sentence} | {ruling.reason} | {files} |")
    lines += ["", "Reconstructions:", "", "| rule | what is reconstructed | how |", "|---|---|---|"]
    lines += [f"| {r.rule} | {r.sentence} | {r.reason} |" for r in found if r.kind == "R"]
    lines += ["", "Sections of the components file:", "", "| section | source |", "|---|---|"]
    lines += [f"| `{section}` | {source} |" for section, source in sources.items()]
    return "\n".join(lines)
