"""Whatever is handed in: documented exceptions only, and nothing changed; whatever is taken is sound and can be played.

Hypothesis draws; a failing example is what it prints, as small as it could be made.
"""

import copy
import json
import pickle
import random
from functools import cache

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from island_core.errors import (
    GameOverError,
    IllegalActionError,
    NotationError,
    OptionError,
    PositionError,
)
from island_core.position import MAGIC
from tests.common.damage import JUNK, damaged
from tests.common.invariants import by_block
from tests.views.games import GAMES, VARIANTS
from tests.views.playing import played

# The functions under test are fast, but the first call in a process loads machine code.
often = settings(deadline=None, max_examples=250, derandomize=True, suppress_health_check=list(HealthCheck))
"""Fixed examples, so that the tests are the same each time."""
PLAYERS = (3, 4, 5, 6)


@cache
def dicts(variant_name, players, polls):
    """The game and dict forms along one of its games, as JSON."""
    (variant,) = [variant for variant in VARIANTS if repr(variant) == variant_name]
    game = variant.rules(num_players=players, polls=polls, **variant.limit(variant.middle))
    position, generator = game.new(players), np.random.default_rng(players)
    found = []
    while not position.is_over and len(found) < 60:
        if len(position.history) % 5 == 0:
            found.append(json.dumps(position.to_dict()))
        position.step(by_block(position, generator))
    return game, [*found, json.dumps(position.to_dict())]


def check_sound(position, source):
    """It can be looked at by everybody, saved, read again, and played on."""
    game = position.game
    game.spec.check(position.states, 0)
    for seat in range(game.num_players):
        counts = position.observation(seat, "int8")
        assert (counts >= 0).all() and (counts <= game.spec.observation.largest).all()
        assert position.text(seat) and position.key(seat)
        position.events_since(max(0, position.num_events - 64), seat)
    assert position.text()
    assert game.from_bytes(position.to_bytes()) == position
    assert game.from_dict(json.loads(json.dumps(position.to_dict()))) == position
    generator = np.random.default_rng(source.randrange(2**32))
    for _ in range(8):
        if position.is_over:
            return
        assert position.legal_actions() == [position.parse(name) for name in position.legal_names()]
        position.step(by_block(position, generator))
        game.spec.check(position.states, 0)


@pytest.mark.parametrize("polls", ["holders", "all"])
@pytest.mark.parametrize("variant_name", [repr(variant) for variant in VARIANTS])
def test_damaged_dicts_are_refused_or_sound(variant_name, polls):
    taken = []

    @often
    @given(st.randoms(use_true_random=False), st.sampled_from(PLAYERS), st.sampled_from((1, 1, 2, 3)))
    def check(source, players, changes):
        game, known = dicts(variant_name, players, polls)
        one, other = (json.loads(source.choice(known)) for _ in range(2))
        data = damaged(one, other, source, changes)
        before = repr(data)
        try:
            position = game.from_dict(data)
        except PositionError as error:
            assert " given, allowed: " in str(error)
            position = None
        assert repr(data) == before
        if position is not None:
            taken.append(1)
            check_sound(position, source)

    check()
    assert len(taken) > 15


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_any_value_in_place_of_any_part_is_refused_or_sound(game):
    """Every key of the dict form and each kind of junk, one at a time."""
    data = played(game, 60).to_dict()
    rules, source = game.rules(), random.Random(0)
    refused = taken = 0
    for key in data:
        for junk in JUNK:
            changed = {**copy.deepcopy(data), key: junk}
            try:
                position = rules.from_dict(changed)
            except PositionError as error:
                assert " given, allowed: " in str(error)
                refused += 1
            else:
                taken += 1
                if taken % 5 == 0:
                    check_sound(position, source)
    assert refused > len(data) * len(JUNK) * 0.7 and taken > 10
    for junk in JUNK:
        if not isinstance(junk, dict):
            with pytest.raises(PositionError, match="described position: .* given, allowed: a dict"):
                rules.from_dict(junk)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_damaged_bytes_are_refused(game):
    position = played(game, 60)
    rules, data = position.game, position.to_bytes()

    @often
    @given(
        st.one_of(
            st.binary(max_size=300),
            st.binary(max_size=300).map(lambda tail: MAGIC + tail),
            st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists).map(
                lambda header: MAGIC + json.dumps(header).encode() + b"\n" + data[-1000:]
            ),
            st.integers(0, len(data) - 1).map(lambda cut: data[:cut]),
            st.tuples(st.integers(0, len(data) - 1), st.integers(1, 255)).map(
                lambda at: data[: at[0]] + bytes([data[at[0]] ^ at[1]]) + data[at[0] + 1 :]
            ),
            st.binary(min_size=1, max_size=5).map(lambda tail: data + tail),
        )
    )
    def check(given_bytes):
        try:
            loaded = rules.from_bytes(given_bytes)
        except PositionError:
            return
        # Blanks in the header do not matter; nothing else may.
        assert loaded == position

    check()
    for junk in JUNK:
        with pytest.raises(PositionError):
            rules.from_bytes(junk)
    assert rules.from_bytes(data) == position


ANYTHING = st.one_of(
    st.integers(),
    st.integers(-3, 600),
    st.floats(),
    st.text(max_size=30),
    st.binary(max_size=8),
    st.none(),
    st.booleans(),
    st.sampled_from([junk for junk in JUNK if not isinstance(junk, np.ndarray)]),
    st.integers(-(2**15), 2**15 - 1).map(np.int16),
    st.floats(width=32).map(np.float32),
    st.lists(st.integers(-1, 600), max_size=3).map(np.array),
    st.lists(st.integers(-1, 600), max_size=3),
    st.integers(-1, 600).map(lambda k: np.array(k)),
    st.integers(0, 600).map(complex),
)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_actions_of_any_kind_are_legal_or_refused(variant):
    position = played(variant, 40)

    @often
    @given(ANYTHING)
    def check(action):
        before, history = position.to_bytes(), position.history
        twin = position.clone()
        try:
            twin.step(action)
        except (IllegalActionError, NotationError) as error:
            assert str(error)
            assert twin.to_bytes() == before and twin.history == history
        else:
            done = twin.history[-1]
            assert done in position.legal_actions()
            assert action == done or position.parse(action) == done
        for ask, refusal in ((position.action_name, IllegalActionError), (position.parse, NotationError)):
            try:
                assert isinstance(ask(action), str | int)
            except refusal as error:
                assert str(error)
        assert position.to_bytes() == before

    check()


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_names_that_are_nearly_right_are_legal_or_refused(variant):
    position = played(variant, 40)
    names = position.legal_names()
    words = sorted({word for name in names for word in name.split()} | {"player_9", "(", ")", "/", "step", "bid"})

    @often
    @given(st.sampled_from(names), st.lists(st.sampled_from(words), max_size=4), st.integers(0, 30), st.booleans())
    def check(name, more, cut, upper):
        text = " ".join([name[:cut], *more])
        text = text.upper() if upper else text
        twin = position.clone()
        try:
            twin.step(text)
        except (NotationError, IllegalActionError) as error:
            assert str(error) and twin == position
        else:
            assert twin.history[-1] in position.legal_actions()

    check()


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_stale_actions_are_legal_now_or_refused(variant):
    """What was legal some moves ago, and the actions of another position of the same game."""
    position = variant.rules().new(5)
    generator = np.random.default_rng(5)
    stale, refused = [], 0
    for _ in range(150):
        for action in stale[-6:]:
            legal = position.legal_actions()
            twin = position.clone()
            try:
                twin.step(action)
            except IllegalActionError:
                refused += 1
                assert action not in legal and twin == position
            else:
                assert action in legal
        if position.is_over:
            break
        action = by_block(position, generator)
        stale.append(action)
        position.step(action)
    assert refused > 50


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_options_of_any_kind_are_taken_or_refused(game):
    names = (*game.other_options, "seed", "num_player", "")
    makers = (lambda **given: game.rules(**given), lambda **given: game.raw_env(**given).game)

    @often
    @given(st.dictionaries(st.sampled_from(names), ANYTHING, max_size=3))
    def check(options):
        for make in makers:
            try:
                rules = make(**options)
            except OptionError as error:
                assert any(f"{name}=" in str(error) or f"option {name!r}" in str(error) for name in options)
            else:
                assert all(getattr(rules.options, name) == value for name, value in options.items())
                assert not rules.new(0).is_over

    check()


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_arguments_of_any_kind_are_taken_or_refused(game):
    position = played(game, 30)
    before = position.to_bytes()

    @often
    @given(ANYTHING, ANYTHING)
    def check(one, other):
        for ask in (
            lambda: position.game.new(one),
            lambda: position.game.new(0, one, other),
            lambda: position.clone(one),
            lambda: position.observation(one, "int8"),
            lambda: position.observation(0, one, other),
            lambda: position.key(one),
            lambda: position.text(one),
            lambda: position.events_since(one, other),
        ):
            try:
                assert ask() is not None
            except OptionError as error:
                assert "allowed" in str(error)
        assert position.to_bytes() == before

    check()


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_finished_games_refuse_everything_and_stay(game):
    position = played(game, **game.limit(2))
    before = pickle.dumps(position.states)
    for junk in JUNK:
        with pytest.raises(GameOverError):
            position.step(junk)
    assert pickle.dumps(position.states) == before


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_environments_refuse_actions_of_any_kind(game):
    env = game.raw_env()
    env.reset(seed=2)
    for _ in range(20):
        env.step(env.sample_action())

    @often
    @given(ANYTHING)
    def check(action):
        state, agent = env.get_state(), env.agent_selection
        legal = env.position.legal_actions()
        try:
            env.step(action)
        except (IllegalActionError, NotationError) as error:
            assert str(error)
            assert env.get_state() == state and env.agent_selection == agent
        else:
            assert env.position.history[-1] in legal
            env.set_state(state)

    check()
