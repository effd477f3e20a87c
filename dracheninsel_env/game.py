"""The game as the views see it: ``SPEC``."""

from __future__ import annotations

from dracheninsel_env import components, convert, notation, text
from dracheninsel_env.actions import ACTIONS
from dracheninsel_env.decisions import DECISION_NAMES
from dracheninsel_env.determinize import determinize
from dracheninsel_env.estimate import estimate
from dracheninsel_env.events import EVENTS
from dracheninsel_env.observe import HISTORY, OBSERVATION, observe, observe_history
from dracheninsel_env.options import DracheninselOptions, configure, read_options
from dracheninsel_env.policies import advise
from dracheninsel_env.rules import engine
from dracheninsel_env.rules.redraw import redraw
from dracheninsel_env.state import STATE
from island_core.spec import GameSpec, Rules

RULES_VERSION = 1
"""Raised with every change of behaviour; part of the fingerprint of saved positions."""

SCORE_SCALE = float(components.COINS_EACH * components.COINS.sum())
"""All the money there is (2,580 with the packaged components): the scale of the ``score`` and ``gain`` rewards."""

ROLLOUT_CUT = 50
"""Decisions after which play by the game's own policies is valued by the estimate in a search (docs/search.md)."""


SPEC = GameSpec(
    name="dracheninsel",
    package="dracheninsel_env",
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
    options=DracheninselOptions,
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
