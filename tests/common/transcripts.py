"""The transcripts of a game's tests: the examples in its folders, as parameters with their rules as marks."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from island_core.transcript import Example, parse


class Transcripts(NamedTuple):
    """The folder of a game's transcripts."""

    folder: Path

    def examples(self, folder: str) -> list[Example]:
        """All examples in one of its folders."""
        files = sorted((self.folder / folder).glob("*.game"))
        return [one for file in files for one in parse(file.read_text(encoding="utf-8"), file.name)]

    def cited_rules(self) -> frozenset[str]:
        """The ids of all rules that a transcript of the rulebook is about, for the index of rules."""
        return frozenset(rule for one in self.examples("rulebook") for rule in one.rules)

    def parameters(self, folder: str) -> list[object]:
        """Each example as a parameter with its rules as marks."""
        return [
            pytest.param(one, id=f"{Path(one.source).stem}: {one.title}", marks=pytest.mark.rule(*one.rules))
            for one in self.examples(folder)
        ]
