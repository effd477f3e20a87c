"""``Game`` and ``Position``: what each method gives and what it refuses."""

import copy
import json
import pickle
import zlib

import numpy as np
import pytest

from dracheninsel_env import dracheninsel_v0
from dracheninsel_env.actions import OFFSET
from dracheninsel_env.game import SPEC
from island_core.errors import (
    GameOverError,
    IllegalActionError,
    NotationError,
    OptionError,
    PositionError,
)
from island_core.position import MAGIC
from tests.dracheninsel.playing import acting, play

PLAYERS = (3, 4, 5, 6)


def game(**options):
    return dracheninsel_v0.Game(**options)


def played(steps, seed=1, choose=acting, **options):
    return play(game(**options).new(seed), np.random.default_rng(seed), choose, steps)


def finished(**options):
    return played(10**6, max_turns=3, **options)


# Game


def test_game_tells_its_options():
    made = game(num_players=5, polls="all", layout="random", slumber_on_arrival=True, max_turns=77)
    assert made.num_players == 5 and made.num_actions == 500
    options = made.options
    assert (options.num_players, options.polls, options.layout) == (5, "all", "random")
    assert (options.slumber_on_arrival, options.max_turns) == (True, 77)
    assert repr(made).startswith("Game(") and "max_turns=77" in repr(made)
    layout = made.observation_layout
    assert layout["decision"] == slice(0, 18)
    assert sum(part.stop - part.start for part in layout.values()) == SPEC.observation.size
    layout.clear()
    assert made.observation_layout


@pytest.mark.parametrize("name", ["num_player", "reward", "history"])
def test_unknown_game_options_are_refused(name):
    with pytest.raises(OptionError, match=f"unknown option '{name}'; allowed: layout, max_turns, num_players, polls"):
        game(**{name: 3})


@pytest.mark.parametrize("argument", ["seed", "index", "episode"])
@pytest.mark.parametrize("value", [-1, 2**63, 0.0, "0", None, True, np.array([1])])
def test_seeds_out_of_range_are_refused(argument, value):
    arguments = {"seed": 1, argument: value}
    with pytest.raises(OptionError, match=f"{argument}=.*; allowed: integers from 0 to {2**63 - 1}"):
        game().new(**arguments)


def test_every_number_of_the_triple_counts():
    made = game()
    deals = {made.new(*numbers).to_bytes() for numbers in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))}
    assert len(deals) == 4
    largest = 2**63 - 1
    assert made.new(largest, largest, largest).to_bytes() == made.new(np.int64(largest), largest, largest).to_bytes()
    assert made.new(5).to_bytes() == made.new(5, 0, 0).to_bytes() == game().new(5).to_bytes()


@pytest.mark.rule("D3.3", "D4.1")
def test_a_new_game():
    pos = game(num_players=3).new(7)
    assert pos.decision == "turn" and pos.actor in range(3)
    assert pos.scores == [0, 0, 0] and pos.ranks == [2.0, 2.0, 2.0] and pos.winners == [0, 1, 2]
    assert not pos.is_over and not pos.is_truncated
    assert pos.history == ()
    assert "stop" in pos.legal_names()


# Actions


def test_step_takes_ids_and_names_alike():
    one, other, third = played(50), played(50), played(50)
    for _ in range(100):
        action = acting(one, np.random.default_rng(len(one.history)))
        name = one.action_name(action)
        one.step(action)
        other.step(name)
        third.step(np.int16(action))
    assert one.to_bytes() == other.to_bytes() == third.to_bytes()
    assert one.history == other.history == third.history
    assert len(one.history) == 150


def test_legal_actions_mask_and_names_agree():
    pos = played(30)
    legal = pos.legal_actions()
    assert legal == sorted(legal) and all(type(action) is int for action in legal)
    assert np.flatnonzero(pos.mask()).tolist() == legal and pos.mask().dtype == np.int8
    assert [pos.parse(name) for name in pos.legal_names()] == legal
    mask = pos.mask()
    mask[:] = 1
    assert pos.legal_actions() == legal


def test_sample_is_uniform_over_the_legal_actions_and_reproducible():
    pos = played(20)
    legal = pos.legal_actions()
    rng = np.random.default_rng(0)
    counts = dict.fromkeys(legal, 0)
    for _ in range(300 * len(legal)):
        counts[pos.sample(rng)] += 1
    assert min(counts.values()) > 220 and max(counts.values()) < 380
    assert pos.sample(np.random.default_rng(3)) == pos.sample(np.random.default_rng(3))
    assert pos.sample() in legal
    assert pos.history == played(20).history


REFUSED = (-1, 500, 499, 10**25, -(10**25), 1.0, True, np.True_, None, b"stop", [3], np.array([3]), np.array(3.0))


@pytest.mark.parametrize("action", REFUSED, ids=map(repr, REFUSED))
def test_illegal_actions_are_refused_and_nothing_changes(action):
    pos = played(30)
    before = pos.to_bytes(), pos.history, pos.actor, pos.decision
    with pytest.raises(IllegalActionError) as caught:
        pos.step(action)
    assert repr(action) in str(caught.value)
    assert (pos.to_bytes(), pos.history, pos.actor, pos.decision) == before


def test_a_refusal_says_who_must_do_what_and_what_is_legal():
    pos = played(30)
    action = next(a for a in range(OFFSET.discard) if not pos.mask()[a] and SPEC.action_name(pos.states, 0, a))
    with pytest.raises(IllegalActionError) as caught:
        pos.step(action)
    message = str(caught.value)
    assert f"action {action} ({pos.action_name(action)}) is not legal" in message
    assert f"player_{pos.actor}" in message and pos.decision in message
    for name in pos.legal_names()[:12]:
        assert repr(name) in message
    with pytest.raises(IllegalActionError) as caught:
        pos.step(pos.action_name(action))
    assert f"action {pos.action_name(action)!r} is not legal" in str(caught.value)


@pytest.mark.parametrize("name", ["", "dance", "step", "step z9 free", "rob player_9", "stop stop"])
def test_names_that_mean_nothing_are_refused(name):
    pos = played(30)
    before = pos.to_bytes()
    for ask in (pos.step, pos.parse):
        with pytest.raises(NotationError) as caught:
            ask(name)
        assert repr(name) in str(caught.value)
    assert pos.to_bytes() == before and len(pos.history) == 30


@pytest.mark.parametrize("action", [-1, 490, 499, 500, 2.0, None])
def test_ids_that_name_nothing_have_no_name(action):
    with pytest.raises(IllegalActionError):
        played(30).action_name(action)


def test_parse_takes_what_is_not_legal_too():
    pos = game().new(1)
    assert pos.parse("let be") == OFFSET.let_be and OFFSET.let_be not in pos.legal_actions()


def test_after_the_end():
    pos = finished()
    assert pos.is_over and pos.actor is None and pos.decision is None
    assert pos.legal_actions() == [] and pos.legal_names() == [] and not pos.mask().any()
    before = pos.to_bytes()
    for ask in (lambda: pos.step(OFFSET.stop), lambda: pos.step("stop"), lambda: pos.step(-1), lambda: pos.sample()):
        with pytest.raises(GameOverError, match="the game is over"):
            ask()
    assert pos.to_bytes() == before
    with pytest.raises(NotationError, match="over"):
        pos.parse("stop")
    with pytest.raises(IllegalActionError, match="over"):
        pos.action_name(OFFSET.stop)
    assert "the game is over" in repr(pos) and "the game is over" in str(pos)


@pytest.mark.rule("D4.7", "D10.1")
def test_truncated_and_natural_ends_are_told_apart():
    assert finished().is_truncated
    natural = played(10**6, seed=4, max_turns=5000)
    assert natural.is_over and not natural.is_truncated
    assert set(natural.to_dict()["treasures"].values()) <= {"collected", "removed"}


# Looking


def test_text():
    pos = played(40, num_players=4)
    assert str(pos) == pos.text() and "player_3" in str(pos)
    assert repr(pos).startswith("<Position of dracheninsel: player_")
    assert len({pos.text(seat) for seat in range(4)} | {pos.text()}) == 5
    assert pos.text(np.int8(2)) == pos.text(2)


@pytest.mark.parametrize("seat", [-1, 4, 1.0, None, True])
def test_seats_out_of_range_are_refused(seat):
    pos = played(10)
    asks = [lambda: pos.observation(seat)]
    if seat is not None:  # None means everything
        asks += [lambda: pos.text(seat), lambda: pos.events_since(0, seat)]
    for ask in asks:
        with pytest.raises(OptionError, match="seat=.*; allowed: integers from 0 to 3"):
            ask()


def test_observation_forms_and_history():
    pos = played(40)
    for seat in range(4):
        counts = pos.observation(seat, "int8", history=64)
        scaled = pos.observation(np.int32(seat), history=np.int32(64))
        assert counts.dtype == np.int8 and scaled.dtype == np.float32
        assert counts.shape == scaled.shape == (SPEC.observation.size + 256,)
        assert np.array_equal(pos.observation(seat, "int8"), counts[: SPEC.observation.size])
        assert np.array_equal(pos.observation(seat, "int8", 3), counts[: SPEC.observation.size + 12])
    sizes = pos.game.observation_layout["hand_sizes"]
    record = pos.states[0]
    for seat in range(4):
        expected = [int(record["hand_size"][(seat + k) % 4]) for k in range(4)] + [0, 0]
        assert pos.observation(seat, "int8")[sizes].tolist() == expected


def test_observation_refuses_other_forms():
    pos = played(1)
    with pytest.raises(OptionError, match="obs_dtype='float64'; allowed: 'float32', 'int8'"):
        pos.observation(0, "float64")
    with pytest.raises(OptionError, match="history=65; allowed: integers from 0 to 64"):
        pos.observation(0, history=65)


# Events


def collected(pos, rng, steps, seats):
    """Play on, asking for the new events after each move; gives what everybody and each seat saw."""
    seen = {seat: [] for seat in (None, *seats)}
    for _ in range(steps):
        if pos.is_over:
            break
        number = pos.num_events
        pos.step(acting(pos, rng))
        for seat, events in seen.items():
            events.extend(pos.events_since(number, seat))
    return seen


@pytest.mark.parametrize("players", PLAYERS)
def test_events_of_a_long_game_are_those_seen_step_by_step(players):
    seats = range(players)
    pos = game(num_players=players, max_turns=5000).new(players)
    first = {seat: pos.events_since(0, seat) for seat in (None, *seats)}
    rng = np.random.default_rng(players)
    seen = collected(pos, rng, 400, seats)
    twins = [pos, pos.clone(), pickle.loads(pickle.dumps(pos)), copy.deepcopy(pos), pos.clone(seed=5)]
    assert pos.num_events > 500
    for twin in twins:
        more = collected(twin, np.random.default_rng(1), 300, seats)
        again = twin.clone(seed=6)
        last = collected(again, np.random.default_rng(2), 100, seats)
        for seat in (None, *seats):
            everything = first[seat] + seen[seat] + more[seat] + last[seat]
            assert [event.number for event in everything] == list(range(again.num_events))
            assert again.events_since(0, seat) == everything
            assert twin.events_since(0, seat) == first[seat] + seen[seat] + more[seat]
            assert again.events_since(217, seat) == everything[217:]
            assert again.events_since(again.num_events - 3, seat) == everything[-3:]
    assert pos.events_since(pos.num_events) == []


@pytest.mark.rule("D4.3", "D8.7")
def test_events_hide_what_a_seat_does_not_see():
    pos = played(600, num_players=3, max_turns=5000)
    everything = pos.events_since(0)
    kinds = {event.kind for event in everything}
    assert {"turn", "draw", "pay", "task", "step", "rob", "laid"} <= kinds
    for seat in range(3):
        for event, shown in zip(everything, pos.events_since(0, seat), strict=True):
            hidden = event.kind == "draw" and event.seat != seat
            hidden |= event.kind in ("rob", "give back") and seat not in (event.seat, event.b)
            assert shown == (event._replace(a=-2) if hidden else event)
            assert hidden or shown.a != -2


@pytest.mark.parametrize("number", [-1, 10**6, 1.0, None])
def test_event_numbers_out_of_range_are_refused(number):
    pos = played(10)
    with pytest.raises(OptionError, match=f"number={number}; allowed: integers from 0 to {pos.num_events}"):
        pos.events_since(number)


def test_a_saved_position_knows_the_events_of_its_ring_alone():
    pos = played(300)
    loaded = pos.game.from_bytes(pos.to_bytes())
    total = pos.num_events
    assert loaded.num_events == total > 100
    assert loaded.events_since(total - 64, 1) == pos.events_since(total - 64, 1)
    with pytest.raises(ValueError, match=f"number={total - 65}; the oldest event known here is {total - 64}"):
        loaded.events_since(total - 65)
    play(loaded, np.random.default_rng(0), steps=200)
    assert loaded.events_since(total - 64)[:64] == pos.events_since(total - 64)
    with pytest.raises(ValueError, match=f"the oldest event known here is {total - 64}"):
        loaded.events_since(0)


# Copies


def test_history_goes_through_all_copies():
    pos = played(30)
    history = pos.history
    twin = pos.clone(seed=1)
    play(twin, np.random.default_rng(1), steps=10)
    again = pickle.loads(pickle.dumps(twin)).clone(seed=2).clone().clone(seed=3)
    play(again, np.random.default_rng(2), steps=10)
    assert len(again.history) == 50
    assert again.history[:40] == twin.history and twin.history[:30] == history == pos.history
    assert pos.game.from_bytes(pos.to_bytes()).history == ()


COPIES = {
    "clone": lambda pos: pos.clone(),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda pos: pickle.loads(pickle.dumps(pos)),
    "bytes": lambda pos: pos.game.from_bytes(pos.to_bytes()),
    "dict": lambda pos: pos.game.from_dict(json.loads(json.dumps(pos.to_dict()))),
}


@pytest.mark.parametrize("make", COPIES)
@pytest.mark.parametrize("players", PLAYERS)
def test_copies_are_equal_independent_and_have_the_same_future(make, players):
    pos = played(150, num_players=players)
    twin = COPIES[make](pos)
    assert twin is not pos and twin.to_bytes() == pos.to_bytes()
    assert twin.game.options == pos.game.options
    before = pos.to_bytes()
    play(twin, np.random.default_rng(8), steps=300)
    assert pos.to_bytes() == before
    play(pos, np.random.default_rng(8), steps=300)
    assert twin.to_bytes() == pos.to_bytes() and twin.events_since(twin.num_events - 60) == pos.events_since(
        pos.num_events - 60
    )


@pytest.mark.parametrize("players", PLAYERS)
def test_clone_with_a_seed_keeps_hands_and_redraws_the_deck(players):
    pos = played(40, num_players=players)
    twins = [pos.clone(seed=seed) for seed in range(6)]
    deck = pos.to_dict()["deck"]
    for twin in twins:
        data, original = twin.to_dict(), pos.to_dict()
        assert sorted(data.pop("deck")) == sorted(original.pop("deck"))
        assert data.pop("rng") != original.pop("rng")
        assert data == original
        for seat in range(players):
            assert np.array_equal(twin.observation(seat, history=64), pos.observation(seat, history=64))
        assert twin.legal_actions() == pos.legal_actions()
    decks = {tuple(twin.to_dict()["deck"]) for twin in twins}
    assert len(deck) > 10 and len(decks | {tuple(deck)}) == 7
    assert pos.clone(seed=3).to_bytes() == twins[3].to_bytes()
    assert pos.clone(seed=2**63 - 1).to_bytes() != pos.to_bytes()


@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, "1", True])
def test_clone_refuses_bad_seeds(seed):
    with pytest.raises(OptionError, match="seed=.*; allowed"):
        played(5).clone(seed)


# Saving


def test_pickles_of_other_components_are_refused():
    pos = played(20)
    state = pos.__getstate__()
    assert "fingerprint" in state
    other = object.__new__(type(pos))
    with pytest.raises(PositionError, match="fingerprint is 'other', this game needs '.*': .*other components"):
        other.__setstate__({**state, "fingerprint": "other"})


@pytest.mark.parametrize("name", ["num_players", "polls", "layout", "slumber_on_arrival", "max_turns"])
def test_positions_of_other_options_are_refused(name):
    changed = {"num_players": 3, "polls": "all", "layout": "random", "slumber_on_arrival": True, "max_turns": 301}
    state = game(**{name: changed[name]}).new(1)
    with pytest.raises(PositionError, match=f"its options are .*{name}={changed[name]!r}"):
        game().from_bytes(state.to_bytes())
    with pytest.raises(PositionError, match=name):
        game().from_dict(state.to_dict())


def rewritten(data, raw=None, **changes):
    """Saved bytes with another header, and another record with a checksum that fits it."""
    head, _, old = data[len(MAGIC) :].partition(b"\n")
    header = {**json.loads(head), **changes}
    if raw is not None:
        header["crc32"] = zlib.crc32(raw)
    return MAGIC + json.dumps(header).encode() + b"\n" + (old if raw is None else raw)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: rewritten(data, game="go"), "game is 'go', this game needs 'dracheninsel'"),
        (lambda data: rewritten(data, fingerprint="f"), "fingerprint is 'f'"),
        (lambda data: rewritten(data, format=0), "format is 0"),
        (lambda data: rewritten(data, bytes=2), "bytes is 2"),
        (lambda data: rewritten(data, crc32=1), "content is damaged"),
        (lambda data: rewritten(data, raw=data[-SPEC.layout.itemsize : -1]), "content is damaged"),
        (lambda data: rewritten(data, raw=bytes(SPEC.layout.itemsize)), "content cannot be: num_players=0"),
        (lambda data: rewritten(data, raw=b"\x01" * SPEC.layout.itemsize), "content cannot be: num_players=[0-9]+;"),
        (lambda data: data[:-5], "content is damaged"),
        (lambda data: data + data, "content is damaged"),
        (lambda data: data[: len(MAGIC)], "header is damaged"),
        (lambda data: MAGIC + b"\xff\n" + data[-SPEC.layout.itemsize :], "header is damaged"),
        (lambda data: data[1:], "not written by"),
        (lambda data: 5, "expected bytes, got int"),
    ],
)
def test_other_bytes_are_refused(change, message):
    pos = played(30)
    with pytest.raises(PositionError, match=message):
        pos.game.from_bytes(change(pos.to_bytes()))


def test_bytes_like_objects_are_taken():
    pos = played(30)
    for kind in (bytes, bytearray, memoryview):
        assert pos.game.from_bytes(kind(pos.to_bytes())).to_bytes() == pos.to_bytes()


def test_loaded_positions_do_not_share_memory_with_the_bytes():
    pos = played(30)
    data = bytearray(pos.to_bytes())
    loaded = pos.game.from_bytes(data)
    data[-500:] = bytes(500)
    assert loaded.to_bytes() == pos.to_bytes()


def test_a_damaged_record_with_a_fitting_checksum_is_refused():
    """Wherever a byte is changed, the position is refused or the same as before or still sound."""
    pos = played(60)
    data = pos.to_bytes()
    raw = data[-SPEC.layout.itemsize :]
    refused = 0
    for place in range(0, SPEC.layout.itemsize, 7):
        changed = raw[:place] + bytes([raw[place] ^ 0x55]) + raw[place + 1 :]
        try:
            loaded = pos.game.from_bytes(rewritten(data, raw=changed))
        except PositionError:
            refused += 1
        else:
            SPEC.check(loaded.states, 0)
            loaded.step(loaded.sample(np.random.default_rng(0)))
    assert refused > 40


# Standing


@pytest.mark.rule("D10.2")
def test_scores_ranks_and_winners_by_hand():
    coins = {"player_0": [100, 200], "player_1": [125, 175], "player_2": [200, 125], "player_3": [100, 175]}
    treasures = {"100": "collected", "125": "collected", "150": "removed", "175": "collected", "200": "collected"}
    pos = game().from_dict({"coins": coins, "treasures": treasures | {"240": "e5"}, "hands": {"player_0": ["water"]}})
    assert pos.scores == [300, 300, 325, 275]
    assert pos.ranks == [2.0, 3.0, 1.0, 4.0]
    assert pos.winners == [2]
    treasures = {"100": "collected", "125": "collected", "150": "e5"}
    coins = {"player_1": [125, 100], "player_3": [100, 125]}
    pos = game().from_dict({"coins": coins, "treasures": treasures, "hands": {"player_0": ["water"]}})
    assert pos.scores == [0, 225, 0, 225]
    assert pos.ranks == [3.5, 1.5, 3.5, 1.5]
    assert pos.winners == [1, 3]
