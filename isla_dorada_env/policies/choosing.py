"""Which policy is asked."""

from __future__ import annotations

from typing import Any

from isla_dorada_env.policies.greedy import greedy
from isla_dorada_env.policies.planner import planner
from island_core.jit import kernel
from island_core.selfplay import GREEDY


@kernel
def advise(states: Any, i: int, policy: int, words: Any) -> int:
    """The action of ``greedy`` or ``planner``, by its id, for the seat that decides in game ``i``, which may draw with
    ``words`` (``uint64[4]``).
    """
    if policy == GREEDY:
        return greedy(states[i], words)
    return planner(states[i], words)
