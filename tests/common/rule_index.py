"""Which rule is cited where: by code, by tests, by transcripts and by mutants.

A game's rules document has one list item a rule, ``- D4.2 text``; the ids of a game begin with letters of its own.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

TEXT_FILES = (".py", ".md", ".toml", ".game", ".perft")


class RuleIds:
    """The ids of one game's rules document, and how to find citations of them."""

    def __init__(self, prefix: str, document: Path) -> None:
        self.prefix = prefix
        self._id = re.compile(rf"\b{prefix}(\d+)\.(\d+)(?:\s*-\s*{prefix}(\d+)\.(\d+))?")
        text = document.read_text(encoding="utf-8")
        self.defined = re.findall(rf"^- ({prefix}\d+\.\d+) ", text, re.MULTILINE)

    def cited_in(self, text: str) -> set[str]:
        """The ids in a text; of a range such as D8.1-D8.7 all."""
        found = set()
        for chapter, first, last_chapter, last in self._id.findall(text):
            if last and last_chapter != chapter:
                raise ValueError(f"a range of rules over two chapters: {chapter}.{first} to {last_chapter}.{last}")
            numbers = range(int(first), int(last or first) + 1)
            found |= {f"{self.prefix}{chapter}.{number}" for number in numbers}
        return found

    def cited_by(self, paths: Iterable[Path]) -> dict[str, set[Path]]:
        """The files that cite each id. What is never cited is missing; what does not exist is there."""
        found: dict[str, set[Path]] = {}
        for path in paths:
            for rule in self.cited_in(path.read_text(encoding="utf-8")):
                found.setdefault(rule, set()).add(path)
        return found


def text_files(*places: Path) -> Iterator[Path]:
    """Those of the files given, and of the files in the folders given, that are text."""
    for place in places:
        found = sorted(place.rglob("*")) if place.is_dir() else [place]
        yield from (path for path in found if path.suffix in TEXT_FILES and "__pycache__" not in path.parts)


def marked(source: str) -> set[str]:
    """The ids in ``pytest.mark.rule(...)`` of the tests in a source text."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name.lower().startswith("test"):
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule":
                    found |= {word.value for word in mark.args if isinstance(word, ast.Constant)}
    return found
