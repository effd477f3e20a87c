"""The policies of the game play by what their seats know: the long form of ``test_policies``.

python -m tests.dracheninsel.policy_worlds
"""

from __future__ import annotations

from dracheninsel_env.game import SPEC
from dracheninsel_env.options import DracheninselOptions
from tests.common.worlds import main

if __name__ == "__main__":
    main(SPEC, lambda players: DracheninselOptions(num_players=players))
