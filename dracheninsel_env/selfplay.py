"""Self-play of the game inside the kernels."""

from __future__ import annotations

from dracheninsel_env.actions import ACTIONS
from dracheninsel_env.decisions import DECISION_NAMES
from dracheninsel_env.rules.engine import reset, standing, step
from dracheninsel_env.rules.tally import COLUMNS, tally
from dracheninsel_env.state import NATURAL, STATE, TRUNCATED
from island_core import jit
from island_core.selfplay import play_games
from island_core.selfplay_report import Subject

play = jit.bind(
    play_games,
    "dracheninsel_env",
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
