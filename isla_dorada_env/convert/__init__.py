"""Positions as dicts of names, and what must hold in a position (``docs/isla_dorada/position.md`` describes the dict).

- ``describe``: `to_dict` writes a record completely.
- ``read``: `from_dict` builds a record from a complete or partial dict.
- ``invariants``: `check` finds what no position may be; the questions themselves are in ``invariants_board`` (the
  pieces: the board, cards, treasures, curses, destinies, scores) and ``invariants_round`` (the play: round, bids,
  stack).
- ``words``: the words of the dict, which all of them share.

What a position may be is written once: `from_dict` refuses what `check` would find, in the words of the dict.
"""

from isla_dorada_env.convert.describe import to_dict
from isla_dorada_env.convert.invariants import check
from isla_dorada_env.convert.read import from_dict

__all__ = ["check", "from_dict", "to_dict"]
