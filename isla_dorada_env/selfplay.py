"""Self-play of the game inside the kernels."""

from __future__ import annotations

from isla_dorada_env.actions import ACTIONS
from isla_dorada_env.decisions import DECISION_NAMES
from isla_dorada_env.rules.engine import reset, standing, step
from isla_dorada_env.rules.tally import COLUMNS, tally
from isla_dorada_env.state import NATURAL, STATE, TRUNCATED
from island_core import jit
from island_core.selfplay import play_games
from island_core.selfplay_report import Subject

play = jit.bind(
    play_games,
    "isla_dorada_env",
    "play_games",
    PASSIVE=ACTIONS.passive,
    reset=reset,
    step=step,
    standing=standing,
    tally=tally,
)

SUBJECT = Subject(
    play=play,
    copy=STATE.copy,
    decisions=DECISION_NAMES,
    actions=ACTIONS,
    columns=COLUMNS,
    outcomes={NATURAL: "natural", TRUNCATED: "truncated"},
)
