"""The game's own policies, inside the kernels.

A policy looks at what its seat knows alone: own cards, open cards, what the record says it is certain of.
"""

from __future__ import annotations

from dracheninsel_env.policies.choosing import advise

__all__ = ["advise"]
