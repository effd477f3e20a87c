"""The rules as kernels, one file a chapter: set-up (D3), turn (D4), steps (D5), treasure (D6), spaces (D7), tasks and
windows
(D8), ending (D10). Three players (D9) are a case within each. ``engine`` only dispatches.
"""

from dracheninsel_env import state as _state  # declares the components before the first kernel is made

__all__: list[str] = []
del _state
