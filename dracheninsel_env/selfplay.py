"""Self-play of the game inside the kernels."""

from __future__ import annotations

from dracheninsel_env.game import SPEC
from dracheninsel_env.rules.tally import COLUMNS, tally
from island_core.selfplay_report import make_subject

SUBJECT = make_subject(SPEC, tally, COLUMNS)
