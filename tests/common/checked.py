"""Transcripts on the core with a second look: what must hold in every position is checked after each move."""

from collections.abc import Mapping, Sequence
from typing import Any

from island_core.transcript import PositionSubject, _PositionTable


class CheckedSubject(PositionSubject):
    """The core."""

    def start(self, options: Mapping[str, Any], setup: dict[str, Any]) -> "CheckedTable":
        return CheckedTable(super().start(options, setup).position, self.words)


class CheckedTable(_PositionTable):
    """Its table."""

    def step(self, name: str, chance: Sequence[str]) -> None:
        super().step(name, chance)
        self.position.game.spec.check(self.position.states, 0)
