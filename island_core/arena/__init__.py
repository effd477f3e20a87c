"""The arena: tournaments of policies, balanced by design, and what they show.

::

    from island_core.arena import Tournament

    report = Tournament(game, ["acting", "random", "random", "random"], games=400).run()
    print(report)

``docs/arena.md`` says how games are dealt and what the figures mean.
"""

from island_core.arena.line_ups import round_robin
from island_core.arena.records import Spoiled
from island_core.arena.report import Report, Standing
from island_core.arena.tournament import Tournament

__all__ = ["Report", "Spoiled", "Standing", "Tournament", "round_robin"]
