"""What the games of this library share.

That is the machine-code decorator, the state layout, the generator, the bit sets and the views of a game: one position,
AEC, parallel, batch, single seat. Nothing here knows a rule, a name or a number of any game; a game package hands its
tables and kernels in, and nothing here imports one.
"""

__version__ = "0.1.0"
