"""The short form of the invariant play, and proof that its checks can fail."""

import ast
import json
import re
from collections import Counter

import numpy as np
import pytest

from dracheninsel_env import dracheninsel_v0
from tests.common.invariants import BrokenError, missing_kinds, run
from tests.common.playing import play
from tests.dracheninsel import invariants

DECISIONS = 6_000
"""For each number of players: enough for the rarest kinds."""


@pytest.mark.rule("D1.1", "D2.1", "D2.2", "D2.3", "D2.4", "D4.1", "D6.8", "D7.1", "D7.2", "D8.2", "D8.11", "D10.2")
@pytest.mark.parametrize("players", invariants.PLAYERS)
def test_invariants_hold_at_every_decision_and_every_kind_comes_up(players):
    counts = run(invariants.play_game, DECISIONS, seed=11, players=(players,))
    assert counts.total() >= DECISIONS
    assert missing_kinds(counts, (players,), invariants.expected_kinds) == []


def position():
    return play(dracheninsel_v0.Game(num_players=4).new(5), np.random.default_rng(5), steps=300)


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
    "a coin from nowhere": add("coins", (2, 0), 1),
    "a dragon on a landing": put("dragon_at", 0, int(invariants.LANDINGS[0, 0])),
    "a dragon on the site": put("dragon_at", 0, invariants.SITE),
    "two treasures on the site": put("treasure_at", slice(5, 7), invariants.SITE),
    "a treasure lying about": put("treasure_at", 6, 0),
    "another disc": add("terrain", 0, 1),
    "a legal action that is not": put("legal", slice(None), np.uint64(2**64 - 1)),
    "nothing legal": put("legal", slice(None), np.uint64(0)),
}


@pytest.mark.parametrize("tampering", TAMPERINGS)
def test_own_checks_notice(tampering, monkeypatch):
    """Without the check of the library: this is a second opinion."""
    monkeypatch.setattr(invariants.SPEC, "check", lambda states, i: None)
    tampered = position()
    invariants.check_position(tampered)
    TAMPERINGS[tampering](tampered.states[0])
    with pytest.raises(Exception):  # noqa: B017 - what a damaged record does first depends on the damage
        invariants.check_position(tampered)


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
    again = dracheninsel_v0.Game(**options).from_dict(start)
    for action in ast.literal_eval(message.rpartition("moves: ")[2]):
        again.step(action)
    assert len(again.history) == 7


def test_missing_kinds_are_named():
    assert "4 players: ambush" in missing_kinds(Counter(), (4,), invariants.expected_kinds)
    assert "flyer" in invariants.expected_kinds(3)
    assert all("flyer" not in invariants.expected_kinds(players) for players in (4, 5, 6))
