"""Positions as dicts of names, and what must hold in a position (``docs/dracheninsel/position.md`` describes the dict).

- ``describe``: `to_dict` writes a record completely.
- ``read``: `from_dict` builds a record from a complete or partial dict.
- ``invariants``: `check` finds what no position may be; the questions themselves are in ``invariants_board`` (the
  pieces: who has and who stands what where) and ``invariants_turn`` (the play: turn, stack, undo, events).
- ``words``: the words of the dict, which all of them share.

What a position may be is written once: `from_dict` refuses what `check` would find, in the words of the dict.
"""

from dracheninsel_env.convert.describe import to_dict
from dracheninsel_env.convert.invariants import check
from dracheninsel_env.convert.read import from_dict

__all__ = ["check", "from_dict", "to_dict"]
