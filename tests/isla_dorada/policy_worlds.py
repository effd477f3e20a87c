"""The policies of the game play by what their seats know, in both forms of bidding: the long form of ``test_policies``.

python -m tests.isla_dorada.policy_worlds
"""

from __future__ import annotations

from isla_dorada_env.game import SPEC
from isla_dorada_env.options import IslaDoradaOptions
from tests.common.worlds import main

if __name__ == "__main__":
    main(SPEC, lambda players: IslaDoradaOptions(num_players=players))
    main(SPEC, lambda players: IslaDoradaOptions(num_players=players, cooperative_bidding=True))
