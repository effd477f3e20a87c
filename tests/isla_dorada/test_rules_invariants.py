"""What must hold in every position (`convert.check`), in short random play; the mutants run this too.

The long form is ``python -m tests.isla_dorada.invariants``.
"""

import random

import numpy as np
import pytest

from isla_dorada_env.isla_dorada_v0 import Game
from island_core.errors import PositionError
from island_core.position import Position
from tests.isla_dorada.starts import STARTS


def lively(position: Position, generator: np.random.Generator, steps: int) -> None:
    """Play on and check each position; players act whenever they can."""
    game = position.game
    for number in range(steps):
        game.spec.check(position.states, 0)
        if number % 10 == 0 or position.is_over:
            assert game.from_dict(position.to_dict()).states.tobytes() == position.states.tobytes()
        if position.is_over:
            assert position.actor is None and position.states["depth"][0] == 0 and not position.mask().any()
            return
        legal = position.legal_actions()
        active = [action for action in legal if not game.spec.actions.is_passive(action)]
        position.step(int(generator.choice(active or legal)))


@pytest.mark.rule("I2.1", "I2.2", "I2.3", "I2.4", "I7.1", "I9.1", "I10.6", "I11.1")
def test_invariants_hold_in_play() -> None:
    """From the set-up on; also a position described by names is the same position."""
    for players in range(3, 7):
        game = Game(
            num_players=players,
            cooperative_bidding=players in (4, 6),
            polls="all" if players == 5 else "holders",
            max_rounds=12,
        )
        lively(game.new(players), np.random.default_rng(players), 120)


@pytest.mark.rule("I2.1", "I2.2", "I2.3", "I2.4", "I4.2", "I10.4", "I10.5")
def test_invariants_hold_where_rare_decisions_are_near() -> None:
    for number, (name, make) in enumerate(STARTS.items()):
        if name != "under_way":
            game = Game(num_players=3 + number % 4, cooperative_bidding=number % 2 == 0)
            position = make(game.new(number), random.Random(number))
            lively(position, np.random.default_rng(number), 40)


@pytest.mark.rule("I5.3", "I12.6")
def test_an_amount_that_cannot_be_paid_is_no_decision() -> None:
    """However far the least amount is above what the hand can pay."""
    bid = {"place": "Kamoptis", "way": "mountain"}
    with pytest.raises(PositionError, match="legal action"):
        Game(num_players=3).from_dict(
            {
                "hands": {"player_1": ["yak"]},
                "bids": {"player_1": {**bid, "amount": 1}},
                "stack": [{"decision": "amount", "player": "player_2", **bid}],
            }
        )
    other = {"place": "Qualtops", "way": "jungle"}
    with pytest.raises(PositionError, match="legal action"):
        Game(num_players=3, cooperative_bidding=True).from_dict(
            {
                "hands": {"player_0": ["yak"] * 3, "player_1": ["gonogo"]},
                "bids": {"player_0": {**bid, "amount": 3}, "player_1": {**other, "amount": 1}},
                "stack": [{"decision": "share", "player": "player_0", **other}],
            }
        )
