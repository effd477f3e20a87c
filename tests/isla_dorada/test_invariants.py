"""The short form of the invariant play, and proof that its checks can fail."""

import ast
import json
import re
from collections import Counter

import numpy as np
import pytest

from isla_dorada_env import isla_dorada_v0
from tests.common.invariants import PLAYERS, BrokenError, by_block, missing_kinds, run
from tests.isla_dorada import invariants

DECISIONS = 4_000
"""For each number of players: enough for the rarest kinds."""


@pytest.mark.rule("I2.1", "I2.2", "I2.3", "I2.4", "I4.2", "I7.1", "I9.1", "I10.6", "I11.1", "I11.2")
@pytest.mark.parametrize("players", PLAYERS)
def test_invariants_hold_at_every_decision_and_every_kind_comes_up(players):
    counts = run(invariants.play_game, DECISIONS, seed=11, players=(players,))
    assert counts.total() >= DECISIONS
    assert missing_kinds(counts, (players,), invariants.expected_kinds) == []


def played():
    position, rng = isla_dorada_v0.Game(num_players=4).new(5), np.random.default_rng(5)
    while len(position.history) < 200 or position.decision != "bid":
        position.step(by_block(position, rng))
    return position


def put(field, index, value):
    def tamper(record):
        record[field][index] = value

    return tamper


def add(field, index, value):
    def tamper(record):
        record[field][index] += value

    return tamper


TAMPERINGS = {
    "a card too many": add("discard", 3, 1),
    "a card too few": add("hand_size", 1, -1),
    "a lightning card in hand": put("hand", (1, 0), 15),
    "another treasure": add("treasure_card", 3, 1),
    "a treasure twice in the deck": put("treasure_deck", slice(0, 4), 20),
    "a curse from nowhere": put("curse_at", invariants.BASE, 2),
    "a destiny for another": put("destiny", (0, 0), 3),
    "a marker in the base": put("markers", invariants.BASE, 1),
    "too many markers": add("markers", 0, 16),
    "bigfoot on water": put("monster_at", 0, 40),
    "more gold than at the start": put("gold", 1, 11),
    "gold where nobody sits": put("gold", 5, 1),
    "a seat twice in an order": put("bid_joined", slice(0, 2), 1),
    "a bid out of order": put("bid_place", slice(0, 4), 3),
    "another bottom frame": put("frame_decision", 0, 4),
    "a legal action that is not": put("legal", slice(None), np.uint64(2**64 - 1)),
    "nothing legal": put("legal", slice(None), np.uint64(0)),
}


@pytest.mark.parametrize("tampering", TAMPERINGS)
def test_own_checks_notice(tampering, monkeypatch):
    """Without the check of the library: this is a second opinion."""
    monkeypatch.setattr(invariants.SPEC, "check", lambda states, i: None)
    tampered = played()
    invariants.check_position(tampered)
    TAMPERINGS[tampering](tampered.states[0])
    with pytest.raises(Exception):  # noqa: B017 - what a damaged record does first depends on the damage
        invariants.check_position(tampered)


def test_scores_that_are_not_those_of_the_cards_are_noticed():
    position = played()
    with pytest.raises(AssertionError, match="player_2 has"):
        invariants.check_scores(position.states[0], [*position.scores[:2], 99], False)
    with pytest.raises(AssertionError, match="player_0 has -1"):
        invariants.check_scores(position.states[0], [-1], True)


def test_a_broken_invariant_tells_how_to_get_there(monkeypatch):
    def broken(position):
        assert len(position.history) < 7, "seven moves"

    monkeypatch.setattr(invariants, "check_stack", lambda record, position, bottom: broken(position))
    with pytest.raises(BrokenError) as caught:
        invariants.play_game(21, seed=4)
    message = str(caught.value)
    assert message.startswith("AssertionError: seven moves")
    options = ast.literal_eval(re.search(r"Game\(\*\*({.*?})\)", message)[1])
    start = json.loads(re.search(r"; position: (.*); moves: ", message)[1])
    again = isla_dorada_v0.Game(**options).from_dict(start)
    for action in ast.literal_eval(message.rpartition("moves: ")[2]):
        again.step(action)
    assert len(again.history) == 7


def test_missing_kinds_are_named():
    missing = missing_kinds(Counter({(4, "bid"): 3}), (4,), invariants.expected_kinds)
    assert "4 players: onward" in missing
    assert "4 players: bid" not in missing
    assert "4 players: round" not in missing
