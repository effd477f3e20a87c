"""``Game`` and ``Position``: what each method gives and what it refuses."""

import copy
import json
import pickle
import re
import subprocess
import sys
import threading
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from island_core.errors import (
    GameOverError,
    IllegalActionError,
    NotationError,
    OptionError,
    PositionError,
)
from island_core.events import RING
from island_core.position import MAGIC
from island_core.spec import values_of
from tests.views.games import GAMES
from tests.views.playing import PLAYERS, acting, play, played

ROOT = Path(__file__).parents[2]


def finished(game):
    return played(game, **game.limit(2))


# Game


def test_game_tells_its_options(game):
    made = game.rules(**game.other_options)
    assert made.num_players == 5 and made.num_actions == game.actions
    for name, value in game.other_options.items():
        assert getattr(made.options, name) == value
    assert repr(made).startswith("Game(") and f"{game.guard}=77" in repr(made)
    layout = made.observation_layout
    assert layout["decision"] == slice(0, game.decisions)
    assert sum(part.stop - part.start for part in layout.values()) == game.spec.observation.size
    layout.clear()
    assert made.observation_layout


@pytest.mark.parametrize("name", ["num_player", "reward", "history"])
def test_unknown_game_options_are_refused(game, name):
    allowed = ", ".join(sorted(game.other_options))
    with pytest.raises(OptionError, match=f"unknown option '{name}'; allowed: {allowed}$"):
        game.rules(**{name: 3})


@pytest.mark.parametrize("argument", ["seed", "index", "episode"])
@pytest.mark.parametrize("value", [-1, 2**63, 0.0, "0", None, True, np.array([1])])
def test_seeds_out_of_range_are_refused(game, argument, value):
    arguments = {"seed": 1, argument: value}
    with pytest.raises(OptionError, match=f"{argument}=.*; allowed: integers from 0 to {2**63 - 1}"):
        game.rules().new(**arguments)


def test_every_number_of_the_triple_counts(variant):
    made = variant.rules()
    deals = {made.new(*numbers).to_bytes() for numbers in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))}
    assert len(deals) == 4
    largest = 2**63 - 1
    assert made.new(largest, largest, largest).to_bytes() == made.new(np.int64(largest), largest, largest).to_bytes()
    assert made.new(5).to_bytes() == made.new(5, 0, 0).to_bytes() == variant.rules().new(5).to_bytes()


@pytest.mark.parametrize("players", PLAYERS)
def test_a_new_game(variant, players):
    pos = variant.rules(num_players=players).new(7)
    assert pos.decision == variant.opening and pos.actor in range(players)
    assert pos.scores == [variant.start_score] * players
    assert pos.ranks == [(players + 1) / 2] * players and pos.winners == list(range(players))
    assert not pos.is_over and not pos.is_truncated
    assert pos.history == ()


# Actions


def test_step_takes_ids_and_names_alike(variant):
    one, other, third = (played(variant, 50) for _ in range(3))
    for _ in range(100):
        action = acting(one, np.random.default_rng(len(one.history)))
        name = one.action_name(action)
        one.step(action)
        other.step(name)
        third.step(np.int16(action))
    assert one.to_bytes() == other.to_bytes() == third.to_bytes()
    assert one.history == other.history == third.history
    assert len(one.history) == 150


def test_legal_actions_mask_and_names_agree(variant):
    pos = played(variant, 30)
    legal = pos.legal_actions()
    assert legal == sorted(legal) and all(type(action) is int for action in legal)
    assert np.flatnonzero(pos.mask()).tolist() == legal and pos.mask().dtype == np.int8
    assert [pos.parse(name) for name in pos.legal_names()] == legal
    mask = pos.mask()
    mask[:] = 1
    assert pos.legal_actions() == legal


def test_sample_is_uniform_over_the_legal_actions_and_reproducible(game):
    pos = played(game, 20)
    while len(legal := pos.legal_actions()) < 4:
        pos.step(legal[0])
    history = pos.history
    rng = np.random.default_rng(0)
    counts = dict.fromkeys(legal, 0)
    for _ in range(300 * len(legal)):
        counts[pos.sample(rng)] += 1
    assert min(counts.values()) > 220 and max(counts.values()) < 380
    assert pos.sample(np.random.default_rng(3)) == pos.sample(np.random.default_rng(3))
    assert pos.sample() in legal
    assert pos.history == history


REFUSED = (-1, 10**25, -(10**25), 1.0, True, np.True_, None, b"let be", [3], np.array([3]), np.array(3.0))


@pytest.mark.parametrize(
    ("game", "action"),
    [
        pytest.param(game, action, id=f"{game}-{action!r}")
        for game in GAMES
        for action in (*REFUSED, game.actions, game.actions - 1)
    ],
)
def test_illegal_actions_are_refused_and_nothing_changes(game, action):
    pos = played(game, 30)
    before = pos.to_bytes(), pos.history, pos.actor, pos.decision
    with pytest.raises(IllegalActionError) as caught:
        pos.step(action)
    assert repr(action) in str(caught.value)
    assert (pos.to_bytes(), pos.history, pos.actor, pos.decision) == before


def test_a_refusal_says_who_must_do_what_and_what_is_legal(variant):
    pos = played(variant, 30)
    spec = variant.spec
    action = next(a for a in range(variant.actions) if not pos.mask()[a] and spec.action_name(pos.states, 0, a))
    with pytest.raises(IllegalActionError) as caught:
        pos.step(action)
    message = str(caught.value)
    assert f"action {action} ({pos.action_name(action)}) is not legal" in message
    assert f"player_{pos.actor}" in message and f"({pos.decision})" in message
    for name in pos.legal_names()[:12]:
        assert repr(name) in message
    with pytest.raises(IllegalActionError) as caught:
        pos.step(pos.action_name(action))
    assert f"action {pos.action_name(action)!r} is not legal" in str(caught.value)


@pytest.mark.parametrize(
    ("game", "name"),
    [
        pytest.param(game, name, id=f"{game}-{name}")
        for game in GAMES
        for name in ("", "dance", "rob player_9", *game.nonsense)
    ],
)
def test_names_that_mean_nothing_are_refused(game, name):
    pos = played(game, 30)
    before = pos.to_bytes()
    for ask in (pos.step, pos.parse):
        with pytest.raises(NotationError) as caught:
            ask(name)
        assert repr(name) in str(caught.value)
    assert pos.to_bytes() == before and len(pos.history) == 30


def test_ids_that_name_nothing_have_no_name(game):
    pos = played(game, 30)
    assert game.spec.actions.used == game.first_spare
    for action in (-1, *range(game.first_spare, game.actions + 1), 2.0, None):
        with pytest.raises(IllegalActionError):
            pos.action_name(action)


def test_parse_takes_what_is_not_legal_too(game):
    pos = game.rules().new(1)
    let_be = game.spec.actions.offset.let_be
    assert pos.parse("let be") == let_be and let_be not in pos.legal_actions()


def test_after_the_end(variant):
    pos = finished(variant)
    let_be = variant.spec.actions.offset.let_be
    assert pos.is_over and pos.actor is None and pos.decision is None
    assert pos.legal_actions() == [] and pos.legal_names() == [] and not pos.mask().any()
    before = pos.to_bytes()
    for ask in (lambda: pos.step(let_be), lambda: pos.step("let be"), lambda: pos.step(-1), lambda: pos.sample()):
        with pytest.raises(GameOverError, match="the game is over"):
            ask()
    assert pos.to_bytes() == before
    with pytest.raises(NotationError, match="over"):
        pos.parse("let be")
    with pytest.raises(IllegalActionError, match="over"):
        pos.action_name(let_be)
    assert "the game is over" in repr(pos) and "the game is over" in str(pos)


@pytest.mark.rule("D4.7", "D10.1", "I11.1")
def test_truncated_and_natural_ends_are_told_apart(variant):
    cut = finished(variant)
    assert cut.is_over and cut.is_truncated
    assert not variant.ended(cut.to_dict()) and variant.length(cut.to_dict()) == 2
    natural = played(variant, seed=4, **variant.limit(variant.endless))
    assert natural.is_over and not natural.is_truncated
    assert variant.ended(natural.to_dict())
    assert [pos.events_since(pos.num_events - 1)[0][1:4] for pos in (cut, natural)] == [("end", -1, 1), ("end", -1, 0)]


# Looking


def test_text(variant):
    pos = played(variant, 40, num_players=4)
    assert str(pos) == pos.text() and "player_3" in str(pos)
    assert repr(pos).startswith(f"<Position of {variant.name}: player_")
    assert len({pos.text(seat) for seat in range(4)} | {pos.text()}) == 5
    assert pos.text(np.int8(2)) == pos.text(2)


@pytest.mark.parametrize("seat", [-1, 4, 1.0, None, True])
def test_seats_out_of_range_are_refused(game, seat):
    pos = played(game, 10)
    asks = [lambda: pos.observation(seat), lambda: pos.key(seat)]
    if seat is not None:  # None means everything
        asks += [lambda: pos.text(seat), lambda: pos.events_since(0, seat)]
    for ask in asks:
        with pytest.raises(OptionError, match="seat=.*; allowed: integers from 0 to 3"):
            ask()


def test_observation_forms_and_history(variant):
    pos = played(variant, 40)
    size = variant.spec.observation.size
    for seat in range(4):
        counts = pos.observation(seat, "int8", history=64)
        scaled = pos.observation(np.int32(seat), history=np.int32(64))
        assert counts.dtype == np.int8 and scaled.dtype == np.float32
        assert counts.shape == scaled.shape == (size + 256,)
        assert np.array_equal(pos.observation(seat, "int8"), counts[:size])
        assert np.array_equal(pos.observation(seat, "int8", 3), counts[: size + 12])
    sizes = pos.game.observation_layout["hand_sizes"]
    record = pos.states[0]
    assert len(set(record["hand_size"][:4].tolist())) > 1
    for seat in range(4):
        expected = [int(record["hand_size"][(seat + k) % 4]) for k in range(4)] + [0, 0]
        assert pos.observation(seat, "int8")[sizes].tolist() == expected


def test_observation_refuses_other_forms(game):
    pos = played(game, 1)
    with pytest.raises(OptionError, match="obs_dtype='float64'; allowed: 'float32', 'int8'"):
        pos.observation(0, "float64")
    with pytest.raises(OptionError, match="history=65; allowed: integers from 0 to 64"):
        pos.observation(0, history=65)


# Events


def collected(pos, rng, steps, seats):
    """Play on, asking for the new events after each move; gives what everybody and each seat saw."""
    seen = {seat: [] for seat in (None, *seats)}
    for _ in range(steps):
        assert not pos.is_over
        number = pos.num_events
        pos.step(acting(pos, rng))
        for seat, events in seen.items():
            events.extend(pos.events_since(number, seat))
    return seen


@pytest.mark.parametrize("players", PLAYERS)
def test_events_of_a_long_game_are_those_seen_step_by_step(variant, players):
    seats = range(players)
    pos = variant.rules(num_players=players, **variant.limit(variant.endless)).new(players)
    first = {seat: pos.events_since(0, seat) for seat in (None, *seats)}
    rng = np.random.default_rng(players)
    steps, on, further = variant.stretches
    seen = collected(pos, rng, steps, seats)
    twins = [pos, pos.clone(), pickle.loads(pickle.dumps(pos)), copy.deepcopy(pos), pos.clone(seed=5)]
    assert pos.num_events > 3 * RING
    middle = 2 * RING
    for twin in twins:
        more = collected(twin, np.random.default_rng(1), on, seats)
        again = twin.clone(seed=6)
        last = collected(again, np.random.default_rng(2), further, seats)
        for seat in (None, *seats):
            everything = first[seat] + seen[seat] + more[seat] + last[seat]
            assert [event.number for event in everything] == list(range(again.num_events))
            assert again.events_since(0, seat) == everything
            assert twin.events_since(0, seat) == first[seat] + seen[seat] + more[seat]
            assert again.events_since(middle, seat) == everything[middle:]
            assert again.events_since(again.num_events - 3, seat) == everything[-3:]
    assert pos.events_since(pos.num_events) == []


@pytest.mark.rule("D4.3", "D8.7", "I2.4")
def test_events_hide_what_a_seat_does_not_see(variant):
    seen = set()
    for seed in range(1, 5):
        pos = played(variant, 600, seed=seed, num_players=3, **variant.limit(variant.endless))
        everything = pos.events_since(0)
        seen |= {event.kind for event in everything}
        for seat in range(3):
            for event, shown in zip(everything, pos.events_since(0, seat), strict=True):
                hidden = variant.hides(event, seat)
                assert shown == (event._replace(a=-2) if hidden else event)
                assert hidden or shown.a != -2
    assert variant.kinds <= seen


@pytest.mark.parametrize("number", [-1, 10**6, 1.0, None])
def test_event_numbers_out_of_range_are_refused(game, number):
    pos = played(game, 10)
    with pytest.raises(OptionError, match=f"number={number}; allowed: integers from 0 to {pos.num_events}"):
        pos.events_since(number)


def test_a_saved_position_knows_the_events_of_its_ring_alone(game):
    pos = played(game, 200)
    loaded = pos.game.from_bytes(pos.to_bytes())
    total = pos.num_events
    assert loaded.num_events == total > 100
    assert loaded.events_since(total - 64, 1) == pos.events_since(total - 64, 1)
    with pytest.raises(ValueError, match=f"number={total - 65}; the oldest event known here is {total - 64}"):
        loaded.events_since(total - 65)
    play(loaded, np.random.default_rng(0), steps=100)
    assert loaded.num_events > total + 64
    assert loaded.events_since(total - 64)[:64] == pos.events_since(total - 64)
    with pytest.raises(ValueError, match=f"the oldest event known here is {total - 64}"):
        loaded.events_since(0)


# Copies


def test_history_goes_through_all_copies(game):
    pos = played(game, 30)
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
def test_copies_are_equal_independent_and_have_the_same_future(variant, make, players):
    pos = played(variant, 150, num_players=players)
    assert not pos.is_over
    twin = COPIES[make](pos)
    assert twin is not pos and twin.to_bytes() == pos.to_bytes()
    assert twin.game.options == pos.game.options
    before = pos.to_bytes()
    play(twin, np.random.default_rng(8), steps=300)
    assert pos.to_bytes() == before
    play(pos, np.random.default_rng(8), steps=300)
    assert twin.to_bytes() == pos.to_bytes() != before
    assert twin.events_since(twin.num_events - 60) == pos.events_since(pos.num_events - 60)


@pytest.mark.parametrize("players", PLAYERS)
def test_clone_with_a_seed_keeps_hands_and_redraws_the_decks(variant, players):
    pos = played(variant, 40, num_players=players)
    twins = [pos.clone(seed=seed) for seed in range(6)]
    for twin in twins:
        data, original = twin.to_dict(), pos.to_dict()
        for key in variant.decks:
            assert sorted(data.pop(key)) == sorted(original.pop(key))
        assert data.pop("rng") != original.pop("rng")
        assert data == original
        for seat in range(players):
            assert np.array_equal(twin.observation(seat, history=64), pos.observation(seat, history=64))
        assert twin.legal_actions() == pos.legal_actions()
    for key in variant.decks:
        orders = {tuple(one.to_dict()[key]) for one in (pos, *twins)}
        assert len(pos.to_dict()[key]) > 10 and len(orders) == 7
    assert pos.clone(seed=3).to_bytes() == twins[3].to_bytes()
    assert pos.clone(seed=2**63 - 1).to_bytes() != pos.to_bytes()


@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, "1", True])
def test_clone_refuses_bad_seeds(game, seed):
    with pytest.raises(OptionError, match="seed=.*; allowed"):
        played(game, 5).clone(seed)


def test_a_copy_outlives_those_made_beside_it(game):
    pos = played(game, 40)
    kept = [pos.clone(seed=seed) for seed in range(300)][::37]
    saved = [twin.to_bytes() for twin in kept]
    states = pos.clone().states
    before = states.tobytes()
    # What the others left behind is written to again.
    others = [pos.clone(seed=seed) for seed in range(300, 900)]
    for twin in others:
        twin.step(twin.legal_actions()[0])
    assert [twin.to_bytes() for twin in kept] == saved
    assert states.tobytes() == before


def test_copies_made_by_several_threads_share_nothing(game):
    pos = played(game, 40)
    ready = threading.Barrier(8)

    def copies(number):
        ready.wait()
        made = [pos.clone(seed=seed) for seed in range(number, 4000, 8)]
        for twin in made:
            twin.step(twin.legal_actions()[0])
        return made

    with ThreadPoolExecutor(8) as pool:
        by_thread = list(pool.map(copies, range(8)))
    assert len({twin.states.ctypes.data for made in by_thread for twin in made}) == 4000
    for number, made in enumerate(by_thread):
        for seed, twin in zip(range(number, 4000, 8), made, strict=True):
            alone = pos.clone(seed=seed)
            alone.step(alone.legal_actions()[0])
            assert twin == alone


def test_events_of_redrawn_copies_are_those_seen_step_by_step(game):
    """A seat's events go on through copies of all kinds, far beyond the ring; determinizing hides nothing from it."""
    rng = np.random.default_rng(5)
    pos = played(game, 40)
    seat = pos.actor
    told = pos.events_since(0, seat)
    redraw = {
        "clone": lambda: pos.clone(seed=7),
        "determinize": lambda: pos.determinize(seat, seed=8),
        "pickle": lambda: pickle.loads(pickle.dumps(pos)),
    }
    for kind in ("clone", "determinize", "pickle", "clone"):
        pos = redraw[kind]()
        steps = 0
        while steps < 30 or pos.actor != seat:
            pos.step(pos.sample(rng))
            told += pos.events_since(len(told), seat)
            steps += 1
    assert pos.events_since(0, seat) == told and len(told) > 2 * RING


# Comparing


@pytest.mark.parametrize("make", COPIES)
def test_copies_are_equal_until_one_of_them_moves(variant, make):
    pos = played(variant, 60)
    twin = COPIES[make](pos)
    assert twin == pos
    twin.step(twin.legal_actions()[0])
    assert twin != pos


def test_positions_are_equal_if_options_and_future_are(game):
    pos = played(game, 30)
    assert pos == played(game, 30) and pos != played(game, 31) and pos != pos.clone(seed=1)
    assert game.rules().new(1) != game.rules(**game.limit(game.short)).new(1)
    assert pos != pos.to_bytes() and pos != 1
    other = next(other for other in GAMES if other is not game)
    assert pos != played(other, 30)
    with pytest.raises(TypeError, match="unhashable"):
        hash(pos)


def test_games_are_equal_if_their_options_are(game):
    one, same, other = game.rules(), game.rules(), game.rules(num_players=5)
    assert one == same != other and len({one, same, other}) == 2
    assert pickle.loads(pickle.dumps(one)) == copy.deepcopy(one) == one
    assert one != next(other for other in GAMES if other is not game).rules() and one != 4


# Keys of information sets


@pytest.mark.parametrize("players", PLAYERS)
def test_a_key_is_of_a_seat_and_changes_with_what_it_sees(variant, players):
    pos = variant.rules(num_players=players).new(2)
    rng = np.random.default_rng(players)
    for _ in range(120):
        if pos.is_over:
            break
        keys = [pos.key(seat) for seat in range(players)]
        assert len(set(keys)) == players and all(len(key) == 32 and int(key, 16) >= 0 for key in keys)
        assert [pos.clone(seed=3).key(seat) for seat in range(players)] == keys
        seen = [pos.observation(seat, "int8").tobytes() for seat in range(players)]
        actor = pos.actor
        pos.step(acting(pos, rng))
        for seat in range(players):
            if pos.observation(seat, "int8").tobytes() != seen[seat]:
                assert pos.key(seat) != keys[seat]
            elif seat not in (actor, pos.actor):
                assert pos.key(seat) == keys[seat]


def test_keys_are_those_of_the_options(game):
    keys = {game.rules(**{"num_players": 5, name: value}).new(1).key(0) for name, value in game.other_options.items()}
    assert len(keys) == len(game.other_options)


KEYS = "from {0} import {1}; print({1}.Game().new(3).key(2))"


def test_keys_are_the_same_in_every_process(game):
    package, module = game.module.__name__.split(".")
    command = [sys.executable, "-W", "error", "-c", KEYS.format(package, module)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == game.module.Game().new(3).key(2)


# Saving


@pytest.mark.parametrize(
    ("edit", "same"),
    [
        (lambda text: "# a comment\n" + text, True),
        (lambda text: text.replace('"reconstructed"', '"documented"'), True),
        (lambda text: re.sub(r"\s+#.*", "", text), True),
        (lambda text: re.sub(r"= (\d)\b", lambda m: f"= {int(m[1]) + 1}", text, count=1), False),
    ],
    ids=["a comment", "other source marks", "no comments", "another value"],
)
def test_the_fingerprint_is_of_the_values_of_the_components(game, edit, same):
    text = Path(game.module.__file__).with_name("components.toml").read_text(encoding="utf-8")
    changed = edit(text)
    assert changed != text
    assert (values_of(changed.encode()) == values_of(text.encode())) == same


def test_pickles_of_other_components_are_refused(game):
    pos = played(game, 20)
    state = pos.__getstate__()
    assert "fingerprint" in state
    other = object.__new__(type(pos))
    with pytest.raises(PositionError, match="fingerprint is 'other', this game needs '.*': .*other components"):
        other.__setstate__({**state, "fingerprint": "other"})


@pytest.mark.parametrize(("game", "name"), [(game, name) for game in GAMES for name in game.other_options])
def test_positions_of_other_options_are_refused(game, name):
    value = game.other_options[name]
    state = game.rules(**{name: value}).new(1)
    with pytest.raises(PositionError, match=f"its options are .*{name}={value!r}"):
        game.rules().from_bytes(state.to_bytes())
    with pytest.raises(PositionError, match=name):
        game.rules().from_dict(state.to_dict())


def rewritten(data, raw=None, **changes):
    """Saved bytes with another header, and another record with a checksum that fits it."""
    head, _, old = data[len(MAGIC) :].partition(b"\n")
    header = {**json.loads(head), **changes}
    if raw is not None:
        header["crc32"] = zlib.crc32(raw)
    return MAGIC + json.dumps(header).encode() + b"\n" + (old if raw is None else raw)


OTHER_BYTES = {
    "another game": (lambda data, size: rewritten(data, game="go"), "game is 'go', this game needs '(NAME)'"),
    "another fingerprint": (lambda data, size: rewritten(data, fingerprint="f"), "fingerprint is 'f'"),
    "another format": (lambda data, size: rewritten(data, format=0), "format is 0"),
    "another size": (lambda data, size: rewritten(data, bytes=2), "bytes is 2"),
    "another checksum": (lambda data, size: rewritten(data, crc32=1), "content is damaged"),
    "a short record": (lambda data, size: rewritten(data, raw=data[-size:-1]), "content is damaged"),
    "zeros": (lambda data, size: rewritten(data, raw=bytes(size)), "content cannot be: num_players=0"),
    "ones": (lambda data, size: rewritten(data, raw=b"\x01" * size), "content cannot be: num_players=[0-9]+;"),
    "an end cut off": (lambda data, size: data[:-5], "content is damaged"),
    "twice": (lambda data, size: data + data, "content is damaged"),
    "nothing more": (lambda data, size: data[: len(MAGIC)], "header is damaged"),
    "no text": (lambda data, size: MAGIC + b"\xff\n" + data[-size:], "header is damaged"),
    "a start cut off": (lambda data, size: data[1:], "not written by"),
    "a number": (lambda data, size: 5, "expected bytes, got int"),
}


@pytest.mark.parametrize("other", OTHER_BYTES)
def test_other_bytes_are_refused(game, other):
    pos = played(game, 30)
    change, message = OTHER_BYTES[other]
    with pytest.raises(PositionError, match=message.replace("(NAME)", game.name)):
        pos.game.from_bytes(change(pos.to_bytes(), game.spec.layout.itemsize))


def test_bytes_like_objects_are_taken(game):
    pos = played(game, 30)
    for kind in (bytes, bytearray, memoryview):
        assert pos.game.from_bytes(kind(pos.to_bytes())).to_bytes() == pos.to_bytes()


def test_loaded_positions_do_not_share_memory_with_the_bytes(game):
    pos = played(game, 30)
    data = bytearray(pos.to_bytes())
    loaded = pos.game.from_bytes(data)
    data[-500:] = bytes(500)
    assert loaded.to_bytes() == pos.to_bytes()


def test_a_damaged_record_with_a_fitting_checksum_is_refused(variant):
    """Wherever a byte is changed, the position is refused or the same as before or still sound."""
    pos = played(variant, 60)
    data = pos.to_bytes()
    size = variant.spec.layout.itemsize
    raw = data[-size:]
    refused = 0
    for place in range(0, size, 7):
        changed = raw[:place] + bytes([raw[place] ^ 0x55]) + raw[place + 1 :]
        try:
            loaded = pos.game.from_bytes(rewritten(data, raw=changed))
        except PositionError:
            refused += 1
        else:
            variant.spec.check(loaded.states, 0)
            loaded.step(loaded.sample(np.random.default_rng(0)))
    assert refused > 40


def test_the_dict_form_of_the_other_game_is_refused(game):
    other = next(other for other in GAMES if other is not game)
    data = played(other, 30).to_dict()
    with pytest.raises(PositionError, match="an unknown key given, allowed: game, options, "):
        game.rules().from_dict(data)
    with pytest.raises(PositionError, match=f"'{other.name}'"):
        game.rules().from_dict({"game": other.name})


def test_what_is_no_name_no_id_and_no_generator_is_told(game):
    position = game.rules().new(1)
    with pytest.raises(NotationError, match="None: expected a name"):
        position.parse(None)
    with pytest.raises(TypeError, match="rng=3: expected a numpy.random.Generator or None"):
        position.sample(3)
    size = position.game.spec.actions.size
    with pytest.raises(IllegalActionError, match=f"action {size} names nothing here"):
        position.action_name(size)
    with pytest.raises(IllegalActionError, match=r"expected an integer id; parse\(\) takes names"):
        position.action_name("pass")
