"""What must hold in every position (`convert.check`), in short random play; the mutants run this too.

The long form is ``python -m tests.dracheninsel.invariants``.
"""

import numpy as np
import pytest

from dracheninsel_env.dracheninsel_v0 import Game


@pytest.mark.rule("D2.1", "D2.2", "D2.3", "D2.4", "D7.2")
def test_invariants_hold_in_play() -> None:
    """Players who act whenever they can; also a position described by names is the same position."""
    for players in range(3, 7):
        game = Game(num_players=players, slumber_on_arrival=players == 5, max_turns=12)
        generator = np.random.default_rng(players)
        position = game.new(players)
        for number in range(150):
            position.game.spec.check(position.states, 0)
            if number % 10 == 0 or position.is_over:
                assert game.from_dict(position.to_dict()).states.tobytes() == position.states.tobytes()
            if position.is_over:
                assert position.actor is None and position.states["depth"][0] == 0 and not position.mask().any()
                break
            legal = position.legal_actions()
            lively = [action for action in legal if not game.spec.actions.is_passive(action)]
            position.step(int(generator.choice(lively or legal)))
