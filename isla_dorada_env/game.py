"""The game as the views see it: ``SPEC``."""

from __future__ import annotations

from isla_dorada_env import components, convert, notation, text
from isla_dorada_env.actions import ACTIONS
from isla_dorada_env.decisions import DECISION_NAMES
from isla_dorada_env.determinize import determinize
from isla_dorada_env.events import EVENTS
from isla_dorada_env.observe import HISTORY, OBSERVATION, observe, observe_history
from isla_dorada_env.options import IslaDoradaOptions, configure, read_options
from isla_dorada_env.policies import advise
from isla_dorada_env.policies.estimate import estimate
from isla_dorada_env.rules import engine
from isla_dorada_env.rules.redraw import redraw
from isla_dorada_env.state import STATE
from island_core.spec import GameSpec, Rules

RULES_VERSION = 1
"""Raised with every change of behaviour; part of the fingerprint of saved positions."""

SCORE_SCALE = 50.0
"""About what the best players of a game reach: the scale of the ``score`` and ``gain`` rewards."""

ROLLOUT_CUT = 80
"""Decisions after which play by the game's own policies is valued by the estimate in a search (docs/search.md)."""


SPEC = GameSpec(
    name="isla_dorada",
    package="isla_dorada_env",
    version="v0",
    rules_version=RULES_VERSION,
    layout=STATE,
    actions=ACTIONS,
    observation=OBSERVATION,
    history=HISTORY,
    events=EVENTS,
    decisions=DECISION_NAMES,
    rules=Rules(
        reset=engine.reset,
        step=engine.step,
        refresh=engine.refresh,
        observe=observe,
        observe_history=observe_history,
        standing=engine.standing,
        redraw=redraw,
        determinize=determinize,
        estimate=estimate,
        advise=advise,
    ),
    options=IslaDoradaOptions,
    configure=configure,
    read_options=read_options,
    action_name=notation.action_name,
    parse=notation.parse,
    decision_text=notation.decision_text,
    to_dict=convert.to_dict,
    from_dict=convert.from_dict,
    check=convert.check,
    render_text=text.render_text,
    event_text=text.event_text,
    score_scale=SCORE_SCALE,
    rollout_cut=ROLLOUT_CUT,
    components=components.CONTENT,
)
