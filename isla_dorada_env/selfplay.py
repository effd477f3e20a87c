"""Self-play of the game inside the kernels."""

from __future__ import annotations

from isla_dorada_env.game import SPEC
from isla_dorada_env.rules.tally import COLUMNS, tally
from island_core.selfplay_report import make_subject

SUBJECT = make_subject(SPEC, tally, COLUMNS)
