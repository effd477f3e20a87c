"""The rules as kernels, a file for each chapter of ``docs/rules/isla_dorada.md``.

``setup`` (I3), ``bidding`` (I5), ``cooperative`` (I12), ``payment`` (I6), ``movement`` (I7, I9), ``arrival`` (I8.1 to
I8.3), ``telegram`` (I8.4), ``drawing`` (I10.1, I10.5, I10.6), ``lightning`` (I10.2 to I10.4), ``scoring`` (I2.3, I11).
What several of them share: ``seats`` (the leader and the order of seats), ``hands`` (adventure cards), ``treasures``
(treasure cards and their deck), ``destinies``, ``bids`` (who has bid what). ``engine`` only dispatches.
"""

from isla_dorada_env import state as _state  # declares the components before the first kernel is made

__all__: list[str] = []
del _state
