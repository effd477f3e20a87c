"""Which rule is cited where: by code, by tests, by transcripts and by mutants.

A game's rules document has one list item a rule, ``- D4.2 text``; the ids of a game begin with letters of its own.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

TEXT_FILES = (".py", ".md", ".toml", ".game", ".perft")


class RuleIds:
    """The ids of one game's rules document, and how to find citations of them."""

    def __init__(self, prefix: str, document: Path) -> None:
        self.prefix = prefix
        self._id = re.compile(rf"\b{prefix}(\d+)\.(\d+)(?:\s*-\s*{prefix}(\d+)\.(\d+))?")
        text = document.read_text(encoding="utf-8")
        self.defined = re.findall(rf"^- ({prefix}\d+\.\d+) ", text, re.MULTILINE)

    def without(self, cited: Iterable[str]) -> list[str]:
        """The rules that are not cited."""
        known = set(cited)
        return [rule for rule in self.defined if rule not in known]

    def check_numbers(self, chapters: int) -> None:
        """Every rule has an id of its own; chapters and the rules of each are numbered without a gap."""
        assert len(set(self.defined)) == len(self.defined)
        found: dict[str, list[int]] = {}
        for rule in self.defined:
            chapter, number = rule.split(".")
            found.setdefault(chapter, []).append(int(number))
        assert list(found) == [f"{self.prefix}{number}" for number in range(1, chapters + 1)]
        assert {one: numbers for one, numbers in found.items() if numbers != [*range(1, len(numbers) + 1)]} == {}

    def check_all_exist(self, files: Iterable[Path]) -> None:
        """What the files cite are rules."""
        cited = self.cited_by(files)
        assert {rule: sorted(map(str, paths)) for rule, paths in cited.items() if rule not in self.defined} == {}

    def check_kernels(self, package: Path, data: Mapping[str, str]) -> None:
        """The kernels cite every rule but those that are words or data, in modules that kernels only read."""
        assert self.without(self.cited_by(text_files(package / "rules"))) == list(data)
        for rule, file in data.items():
            assert rule in self.cited_in((package / file).read_text(encoding="utf-8")), rule

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


def marked_in(folder: Path) -> set[str]:
    """The ids in the marks of all tests of a folder."""
    return {rule for path in sorted(folder.glob("test_*.py")) for rule in marked(path.read_text(encoding="utf-8"))}
