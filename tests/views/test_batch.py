"""Many games at once: each goes as it goes alone, whatever the batch, the threads and the mode; bad input changes
nothing.
"""

import copy
import functools
import json
import os
import pickle
import re
import subprocess
import sys
import zlib
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import stats

from island_core import batch, jit
from island_core.aec import final_rewards
from island_core.batch import LEDGER, MAGIC
from island_core.errors import GameOverError, IllegalActionError, NotResetError, OptionError, PositionError
from island_core.selfplay import POLICIES
from tests.views.games import GAMES, MANY_OPTIONS, bad_options, check_refused
from tests.views.playing import PLAYERS, acting, plain
from tests.views.test_aec import REWARDS

ROOT = Path(__file__).parents[2]
MODES = ("SAME_STEP", "NEXT_STEP", "DISABLED")
FIELDS = batch.BatchStep._fields


def begun(game, num_envs=5, seed=3, steps=0, **options):
    """A batch after a reset and so many random steps."""
    env = game.batch_env(num_envs, **options)
    env.reset(seed=seed)
    for _ in range(steps):
        env.step(env.sample_actions())
    return env


def rows(result, games=slice(None)):
    """What a result says of some games, as plain values."""
    return [plain(np.ascontiguousarray(part[games])) for part in result[:-1]]


def state_of(env):
    """Everything a batch shows and will show."""
    return [env.get_state(), *(plain(getattr(env, name)) for name in FIELDS)]


def until_an_end(env, most=3000):
    """Random steps until some game ends; gives the result of that step."""
    for _ in range(most):
        result = env.step(env.sample_actions())
        if len(result.infos["final_games"]):
            return result
    raise AssertionError(f"no game ended in {most} steps")


def illegal_of(env, i):
    """Some id inside the space that game ``i`` does not allow."""
    return int(np.flatnonzero(env.position(i).mask() == 0)[-1])


# Making one


def test_spaces_metadata_and_shapes(variant):
    size, actions = variant.spec.observation.size, variant.actions
    for players in PLAYERS:
        env = variant.batch_env(7, num_players=players)
        assert env.num_envs == 7 and env.num_players == players
        assert env.single_observation_space == variant.env(mask_in="info").observation_space("player_0")
        assert env.single_action_space == gymnasium.spaces.Discrete(actions)
        assert env.observation_space.shape == (7, size) and env.action_space.shape == (7,)
        assert env.metadata["name"] == f"{variant.name}_v0"
        assert env.reset(seed=1)._fields == FIELDS
        expected = {
            "observation": ("float32", (7, size)),
            "action_mask": ("int8", (7, actions)),
            "current_player": ("int64", (7,)),
            "rewards": ("float32", (7, players)),
            "terminated": ("bool", (7,)),
            "truncated": ("bool", (7,)),
        }
        for take in (lambda env=env: env.reset(), lambda env=env: env.step(env.sample_actions())):
            result = take()
            assert {name: (str(a.dtype), a.shape) for name, a in zip(FIELDS, result[:-1], strict=False)} == expected
            assert env.observation_space.contains(result.observation)
            for name, part in zip(FIELDS, result, strict=True):
                assert getattr(env, name) is part
        assert env.action_space.contains(env.sample_actions())
        assert f"num_players={players}" in repr(env) and repr(env).startswith(f"<7 x {variant.name}_v0 ")


def test_int8_and_history_change_the_observation_alone(game):
    env = begun(game, 3, obs_dtype="int8", history=4, steps=30)
    assert env.observation.dtype == np.int8
    assert env.observation.shape == (3, game.spec.observation.size + 16)
    assert env.observation_space.contains(env.observation)
    twin = begun(game, 3, history=4, steps=30)
    assert np.array_equal(np.rint(twin.observation * env.single_observation_space.high), env.observation)
    assert env.observation[:, -16:].any()
    assert np.array_equal(twin.action_mask, env.action_mask)


@pytest.mark.parametrize("mode", MODES)
def test_autoreset_mode_is_declared_and_taken_as_an_enum_too(game, mode):
    member = gymnasium.vector.AutoresetMode[mode]
    for given_mode in (mode, member):
        assert game.batch_env(2, autoreset_mode=given_mode).metadata["autoreset_mode"] is member
    assert game.batch_env(2).metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.SAME_STEP


def test_without_gymnasiums_enum_the_mode_is_its_name(game, monkeypatch):
    monkeypatch.setattr(batch, "AUTORESET_ENUM", None)
    assert game.batch_env(2, autoreset_mode="NEXT_STEP").metadata["autoreset_mode"] == "NEXT_STEP"


BATCH_OPTIONS = {
    **MANY_OPTIONS,
    "threads": ((0, -1, 257, 2.0, True, "2"), ("1", "256")),
}


@pytest.mark.parametrize(("game", "name", "value"), bad_options(BATCH_OPTIONS))
def test_bad_options_are_refused_with_name_value_and_what_is_allowed(game, name, value):
    check_refused(functools.partial(game.batch_env, 2), game, BATCH_OPTIONS, name, value)


@pytest.mark.parametrize("name", ["mask_in", "render_mode", "players"])
def test_unknown_options_are_refused_with_all_that_exist(game, name):
    with pytest.raises(OptionError, match=f"unknown option '{name}'") as caught:
        game.batch_env(2, **{name: "info"})
    allowed = str(caught.value).partition("allowed: ")[2].split(", ")
    assert sorted([*game.bad_options, *BATCH_OPTIONS]) == sorted(allowed)


@pytest.mark.parametrize("num_envs", [0, -1, 2**20 + 1, 2.0, "3", True, None])
def test_bad_sizes_are_refused(game, num_envs):
    with pytest.raises(OptionError, match=re.escape(f"num_envs={num_envs!r}; allowed: integers from 1 to 1048576")):
        game.batch_env(num_envs)


CALLS = {
    "step": lambda env: env.step([0, 0]),
    "sample_actions": lambda env: env.sample_actions(),
    "observe_all": lambda env: env.observe_all(),
    "position": lambda env: env.position(0),
    "get_state": lambda env: env.get_state(),
    **{name: (lambda env, name=name: getattr(env, name)) for name in FIELDS},
}


@pytest.mark.parametrize("call", CALLS)
def test_nothing_is_there_before_the_first_reset(game, call):
    env = game.batch_env(2)
    with pytest.raises(NotResetError, match=rf"{call}: call reset\(\) first"):
        CALLS[call](env)
    with pytest.raises(NotResetError, match="reset: the first reset is one of all games"):
        env.reset(seed=1, options={"reset_mask": np.array([True, False])})
    env.close()
    assert env.reset(seed=1, options={"reset_mask": np.array([True, True])}).terminated.sum() == 0


# The same games


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("players", PLAYERS)
def test_every_game_goes_as_it_goes_alone(variant, players, reward):
    """Whole games of players who act, so that they end by themselves and with different scores."""
    options = {"num_players": players, "reward": reward, "history": 2, **variant.limit(variant.endless)}
    size, seed = 3, 10 + players
    env = variant.batch_env(size, **options)
    result = env.reset(seed=seed)
    alone = [variant.rules(num_players=players, **variant.limit(variant.endless)).new(seed, i) for i in range(size)]
    single = variant.raw_env(**options)
    single.reset(seed=seed)
    rng = np.random.default_rng(seed)
    total = np.zeros((size, players))
    length = np.zeros(size, np.int64)
    ended = set()
    episodes = [0] * size
    while ended != set(range(size)):
        for i, position in enumerate(alone):
            assert result.current_player[i] == position.actor
            assert np.array_equal(result.observation[i], position.observation(position.actor, history=2))
            assert np.array_equal(result.action_mask[i], position.mask())
        if 0 not in ended:
            seen = single.observe(single.agent_selection)
            assert np.array_equal(result.observation[0], seen["observation"])
            assert np.array_equal(result.action_mask[0], seen["action_mask"])
        actions = [acting(position, rng) for position in alone]
        result = env.step(actions)
        length += 1
        for i, (position, action) in enumerate(zip(alone, actions, strict=True)):
            before = position.scores
            position.step(action)
            total[i] += result.rewards[i]
            if i == 0 and 0 not in ended:
                single.step(action)
                rewards = [single.rewards[agent] for agent in single.possible_agents]
                assert np.array_equal(result.rewards[0], np.array(rewards, np.float32))
                over = (all(single.terminations.values()), all(single.truncations.values()))
                assert (result.terminated[0], result.truncated[0]) == over
            if reward == "gain":
                gains = np.subtract(position.scores, before)
                expected = (gains - gains.mean()) / variant.scale
            else:
                expected = final_rewards(position, reward) if position.is_over else [0] * players
            assert result.rewards[i] == pytest.approx(expected, abs=1e-6)
            assert (result.terminated[i] or result.truncated[i]) == position.is_over
            assert result.truncated[i] == position.is_truncated
            assert (i in result.infos["final_games"]) == position.is_over
            if not position.is_over:
                continue
            (k,) = np.flatnonzero(result.infos["final_games"] == i)
            infos = {name: value[k] for name, value in result.infos.items()}
            for seat in range(players):
                assert np.array_equal(infos["final_observation"][seat], position.observation(seat, history=2))
            assert infos["episode_length"] == length[i] == len(position.history)
            assert infos["episode_score"].tolist() == position.scores
            assert infos["episode_return"] == pytest.approx(total[i], abs=1e-5)
            kind = "score" if reward == "gain" else reward
            assert infos["episode_return"] == pytest.approx(final_rewards(position, kind), abs=1e-9)
            shares = [(seat in position.winners) / len(position.winners) for seat in range(players)]
            assert infos["episode_winner_share"].tolist() == pytest.approx(shares)
            ended.add(i)
            episodes[i] += 1
            length[i], total[i] = 0, 0
            alone[i] = env.game.new(seed, i, episodes[i])
    assert result.rewards.dtype == np.float32


def test_games_are_dealt_as_by_the_rules_object_and_episodes_count_up(variant):
    env = variant.batch_env(4, num_players=5)
    rules = variant.rules(num_players=5)

    def deals():
        return [env.position(i).to_bytes() for i in range(4)]

    env.reset(seed=77)
    assert deals() == [rules.new(77, i, 0).to_bytes() for i in range(4)]
    env.step(env.sample_actions())
    env.reset()
    assert deals() == [rules.new(77, i, 1).to_bytes() for i in range(4)]
    env.reset(options={"reset_mask": np.array([False, True, False, True])})
    assert deals() == [rules.new(77, i, 1 + i % 2).to_bytes() for i in range(4)]
    env.reset(seed=np.int64(8), options={"reset_mask": [False, False, True, True], "unknown": 1})
    assert deals() == [rules.new(s, i, e).to_bytes() for i, (s, e) in enumerate([(77, 1), (77, 2), (8, 0), (8, 0)])]
    env.reset(options={})
    assert deals() == [rules.new(s, i, e).to_bytes() for i, (s, e) in enumerate([(77, 2), (77, 3), (8, 1), (8, 1)])]
    env.reset(seed=77)
    assert deals() == [rules.new(77, i, 0).to_bytes() for i in range(4)]


def test_reset_without_any_seed_draws_one(game):
    seeds = set()
    for _ in range(3):
        env = game.batch_env(2)
        env.reset()
        seeds.add(env.position(1).to_bytes())
    assert len(seeds) == 3


def test_game_0_samples_and_replaces_as_a_single_environment(variant):
    single = variant.env(illegal="random", **variant.limit(variant.middle))
    env = variant.batch_env(3, illegal="random", **variant.limit(variant.middle))
    single.reset(seed=9)
    env.reset(seed=9)
    for step in range(60):
        actions = env.sample_actions()
        assert actions[0] == single.sample_action()
        if step % 7 == 3:
            actions[0] = illegal_of(env, 0)
        single.step(int(actions[0]))
        env.step(actions)
        assert env.position(0).to_bytes() == single.get_state()
    counts = [single.infos[agent]["illegal_actions"] for agent in single.possible_agents]
    assert env.infos["illegal_actions"][0].tolist() == counts
    assert sum(counts) == 9


@pytest.mark.parametrize("mode", MODES)
def test_games_do_not_depend_on_the_batch_or_the_threads(variant, mode):
    options = {"reward": "gain", "autoreset_mode": mode, **variant.limit(variant.short)}

    def trace(size, **more):
        env = variant.batch_env(size, **options, **more)
        shown = [rows(env.reset(seed=4), slice(3))]
        ends = []
        for _ in range(400):
            result = env.step(env.sample_actions())
            shown.append(rows(result, slice(3)))
            mine = result.infos["final_games"] < 3
            ends += [plain(np.ascontiguousarray(part[mine])) for part in result.infos.values()] if mine.any() else []
            if mode == "DISABLED" and len(result.infos["final_games"]):
                env.reset(options={"reset_mask": result.terminated | result.truncated})
        env.close()
        return shown, ends

    one = trace(3)
    assert one[1]
    for size, threads in ((17, 1), (3, 2), (17, 3), (5, 8)):
        assert trace(size, threads=threads) == one
    assert trace(9, threads=2, copy=False) == one


# Games that end


def test_same_step_begins_the_next_game_in_the_step_that_ends_one(variant):
    env = begun(variant, **variant.limit(variant.short))
    for _ in range(3):
        result = until_an_end(env)
        (i, *_) = result.infos["final_games"]
        assert result.truncated[i] and not result.terminated[i]
        episode = int(env._ledger["episode"][i])
        fresh = variant.rules(**variant.limit(variant.short)).new(3, int(i), episode)
        assert episode >= 1 and env.position(i).to_bytes() == fresh.to_bytes()
        assert np.array_equal(result.observation[i], fresh.observation(fresh.actor))
        assert np.array_equal(result.action_mask[i], fresh.mask())
        assert result.current_player[i] == fresh.actor
        after = env.step(env.sample_actions())
        assert not after.truncated[i] and not after.rewards[i].any()


def test_next_step_begins_it_in_the_next_whatever_the_action(variant):
    env = begun(variant, autoreset_mode="NEXT_STEP", **variant.limit(variant.short))
    result = until_an_end(env)
    (i, *_) = result.infos["final_games"]
    position = env.position(i)
    assert position.is_truncated and result.truncated[i]
    assert result.current_player[i] == -1 and not result.action_mask[i].any()
    seats = [seat for seat in range(4) if np.array_equal(result.observation[i], position.observation(seat))]
    assert int(env._ledger["last_seat"][i]) in seats
    actions = env.sample_actions()
    assert actions[i] == -1
    actions[i] = 10**6
    after = env.step(actions)
    fresh = variant.rules(**variant.limit(variant.short)).new(3, int(i), 1)
    assert env.position(i).to_bytes() == fresh.to_bytes()
    assert np.array_equal(after.observation[i], fresh.observation(fresh.actor))
    assert not after.rewards[i].any() and not after.truncated[i] and i not in after.infos["final_games"]


def test_disabled_leaves_games_over_until_they_are_reset(variant):
    env = begun(variant, autoreset_mode="DISABLED", **variant.limit(variant.short))
    result = until_an_end(env)
    over = result.terminated | result.truncated
    (i, *_) = result.infos["final_games"]
    actions = env.sample_actions()
    assert (actions == -1).tolist() == over.tolist()
    before = state_of(env)
    words = rf"reset\(options=.*reset_mask.*over: \[{', '.join(map(str, np.flatnonzero(over)))}\]"
    with pytest.raises(GameOverError, match=words):
        env.step(np.where(over, 0, actions))
    with pytest.raises(GameOverError, match=words):
        env.step(actions)
    assert state_of(env) == before
    others = env.reset(options={"reset_mask": np.zeros(5, np.bool_)})
    assert np.array_equal(others.truncated, result.truncated) and len(others.infos["final_games"]) == 0
    fresh = env.reset(options={"reset_mask": over})
    assert not fresh.truncated.any() and not fresh.terminated.any()
    assert np.array_equal(fresh.observation[~over], result.observation[~over])
    assert env.position(i).to_bytes() == env.game.new(3, int(i), 1).to_bytes()
    env.step(env.sample_actions())


@pytest.mark.parametrize("mode", MODES)
def test_games_end_by_themselves_in_every_mode_with_the_same_rewards(variant, mode):
    env = begun(variant, 3, autoreset_mode=mode, reward="score", seed=5, **variant.limit(variant.endless))
    rng = np.random.default_rng(5)
    while True:
        last = [env.position(i) for i in range(3)]
        actions = [acting(position, rng) for position in last]
        result = env.step(actions)
        for i in result.infos["final_games"]:
            last[i].step(actions[i])
            assert last[i].is_over and not last[i].is_truncated
            assert result.terminated[i] and not result.truncated[i]
            assert result.rewards[i] == pytest.approx(final_rewards(last[i], "score"), abs=1e-6)
            assert result.rewards[i].any()
        if len(result.infos["final_games"]):
            return


# Illegal actions


def test_an_illegal_action_raises_with_its_game_and_what_is_allowed(variant):
    env = begun(variant, steps=20)
    actions = env.sample_actions()
    actions[2], actions[4] = illegal_of(env, 2), illegal_of(env, 4)
    before = state_of(env)
    with pytest.raises(IllegalActionError) as caught:
        env.step(actions)
    message = str(caught.value)
    position = env.position(2)
    assert message.startswith(f"actions[2]: action {actions[2]} ")
    assert repr(position.action_name(position.legal_actions()[0])) in message
    assert state_of(env) == before
    actions[2], actions[4] = env.position(2).legal_actions()[0], env.position(4).legal_actions()[-1]
    env.step(actions)
    assert state_of(env) != before


@pytest.mark.parametrize("action", [-1, -(2**63), 10**6, 2**63 - 1, np.uint64(2**64 - 1)])
@pytest.mark.parametrize("illegal", ["raise", "terminate", "random"])
def test_integers_outside_the_space_are_illegal_actions(game, action, illegal):
    env = begun(game, 2, illegal=illegal, steps=10)
    actions = env.sample_actions().astype(type(action) if isinstance(action, np.uint64) else np.int64)
    actions[1] = action
    if illegal == "raise":
        with pytest.raises(IllegalActionError, match=rf"actions\[1\]: action {int(action)} is not legal"):
            env.step(actions)
    elif illegal == "terminate":
        assert env.step(actions).terminated.tolist() == [False, True]
    else:
        assert env.step(actions).infos["illegal_actions"].sum(axis=1).tolist() == [0, 1]


@pytest.mark.parametrize("reward", ["win", "gain"])
@pytest.mark.parametrize("mode", MODES)
def test_terminate_ends_the_game_for_all_and_the_offender_pays(variant, mode, reward):
    env = begun(variant, illegal="terminate", autoreset_mode=mode, reward=reward)
    paid = sum(env.step(env.sample_actions()).rewards[1] for _ in range(25))
    offender = int(env.current_player[1])
    position = env.position(1)
    actions = env.sample_actions()
    actions[1] = illegal_of(env, 1)
    result = env.step(actions)
    assert result.terminated.tolist() == [False, True, False, False, False] and not result.truncated.any()
    expected = np.zeros(4)
    expected[offender] = -1
    assert np.array_equal(result.rewards[1], expected)
    infos = result.infos
    assert infos["final_games"].tolist() == [1] and infos["episode_length"].tolist() == [25]
    assert infos["episode_score"].tolist() == [position.scores]
    assert infos["episode_return"][0] == pytest.approx(paid + expected, abs=1e-5)
    assert not infos["episode_winner_share"].any()
    for seat in range(4):
        assert np.array_equal(infos["final_observation"][0, seat], position.observation(seat))
    fresh = env.game.new(3, 1, 1)
    if mode != "SAME_STEP":
        assert result.current_player[1] == -1 and not result.action_mask[1].any()
        assert np.array_equal(result.observation[1], position.observation(offender))
        assert env.position(1).to_bytes() == position.to_bytes()
        assert env.sample_actions()[1] == -1
        saved = variant.batch_env(5, illegal="terminate", autoreset_mode=mode, reward=reward).set_state(env.get_state())
        assert np.array_equal(saved.terminated, result.terminated)
    if mode == "NEXT_STEP":
        result = env.step(env.sample_actions())
    if mode == "DISABLED":
        result = env.reset(options={"reset_mask": result.terminated})
    assert env.position(1).to_bytes() == fresh.to_bytes()
    assert np.array_equal(result.observation[1], fresh.observation(fresh.actor))


def test_random_replaces_illegal_actions_and_counts_them(variant):
    env = begun(variant, illegal="random", **variant.limit(variant.short))
    twin = begun(variant, 1, illegal="random", **variant.limit(variant.short))
    counts = np.zeros(4, np.int64)
    for _ in range(1000):
        before = env.position(0)
        seat = before.actor
        result = env.step(np.full(5, -1))
        alone = twin.step([-1])
        assert rows(alone) == rows(result, slice(1))
        counts[seat] += 1
        if 0 in result.infos["final_games"]:
            (k,) = np.flatnonzero(result.infos["final_games"] == 0)
            assert result.infos["episode_illegal_actions"][k].tolist() == counts.tolist()
            assert not result.infos["illegal_actions"][0].any()
            break
        assert result.infos["illegal_actions"][0].tolist() == counts.tolist()
        after = env.position(0).to_bytes()
        reached = []
        for action in before.legal_actions():
            branch = before.clone()
            branch.step(action)
            reached.append(branch.to_bytes())
        assert after in reached
    else:
        raise AssertionError("the game did not end")
    assert counts.sum() > 20


def test_counts_are_there_only_where_actions_are_replaced(game):
    keys = {name: set(begun(game, 2, illegal=name, steps=3).infos) for name in ("raise", "terminate", "random")}
    assert keys["raise"] == keys["terminate"]
    assert keys["random"] - keys["raise"] == {"illegal_actions", "episode_illegal_actions"}
    env = begun(game, illegal="random", **game.limit(game.short))
    assert set(until_an_end(env).infos) == keys["random"] == set(env.reset().infos)


# Bad input


BAD_ACTIONS = {
    "too few": [0, 0],
    "too many": [0] * 4,
    "none": [],
    "a number": 0,
    "two rows": [[0, 0, 0]],
    "floats": [0.0, 0.0, 0.0],
    "bools": [True, False, True],
    "text": ["0", "0", "0"],
    "nothing": None,
    "of nothing": [None] * 3,
    "ragged": [[0], [0, 0], 0],
    "far too large": [2**70, 0, 0],
    "objects": np.array([0, 0, 0], object),
    "complex": np.zeros(3, complex),
    "dates": np.zeros(3, "datetime64[s]"),
    "a dict": {0: 0, 1: 0, 2: 0},
    "a record": np.zeros(3, [("a", np.int64)]),
}


@pytest.mark.parametrize("bad", BAD_ACTIONS)
@pytest.mark.parametrize("illegal", ["raise", "terminate", "random"])
def test_what_is_no_array_of_integers_is_refused_and_nothing_changes(game, bad, illegal):
    env = begun(game, 3, steps=5, illegal=illegal)
    before = state_of(env)
    with pytest.raises(IllegalActionError, match=r"actions.*allowed: integers of shape \(3,\)"):
        env.step(BAD_ACTIONS[bad])
    assert state_of(env) == before


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", ">i4"])
def test_every_type_of_integers_and_every_layout_is_taken(game, dtype):
    env, twin = begun(game, 4), begun(game, 4)
    for _ in range(20):
        actions = env.sample_actions()
        low = np.array([env.position(i).legal_actions()[0] for i in range(4)])
        actions = np.where(actions > 127, low, actions)
        if actions.max() > np.iinfo(dtype).max:
            break
        spread = np.zeros((4, 3), dtype)
        spread[:, 1] = actions
        view = spread[:, 1]
        view.setflags(write=False)
        assert rows(env.step(view)) == rows(twin.step(actions.tolist()))
        twin.sample_actions()
    else:
        return
    assert dtype in ("int8", "uint8")


@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, "1", True, [1, 2, 3]])
def test_bad_seeds_are_refused_and_the_games_go_on(game, seed):
    env = begun(game, 3, steps=5)
    before = state_of(env)
    with pytest.raises(OptionError, match=re.escape(f"seed={seed!r}; allowed: integers from 0 to")):
        env.reset(seed=seed)
    assert state_of(env) == before


BAD_MASKS = {
    "integers": [1, 0, 0],
    "too short": np.ones(2, np.bool_),
    "a bool": True,
    "two rows": np.ones((1, 3), np.bool_),
    "ragged": [[True], [True, False], True],
    "text": "all",
}


@pytest.mark.parametrize("bad", BAD_MASKS)
def test_bad_masks_are_refused_and_nothing_changes(game, bad):
    env = begun(game, 3, steps=5)
    before = state_of(env)
    with pytest.raises(OptionError, match="reset_mask.*allowed: bool"):
        env.reset(seed=5, options={"reset_mask": BAD_MASKS[bad]})
    with pytest.raises(OptionError, match=r"options=\[1\]; allowed: None or a dict"):
        env.reset(seed=5, options=[1])
    assert state_of(env) == before


@pytest.mark.parametrize("i", [-1, 3, 1.0, "0", None, True])
def test_bad_numbers_of_games_are_refused(game, i):
    env = begun(game, 3)
    with pytest.raises(OptionError, match=re.escape(f"i={i!r}; allowed: integers from 0 to 2")):
        env.position(i)


@pytest.mark.parametrize("generator", [1, np.random, np.random.RandomState(1)], ids=["seed", "module", "legacy"])
def test_other_generators_are_refused(game, generator):
    env = begun(game, 3)
    before = state_of(env)
    with pytest.raises(TypeError, match="generator=.*expected a numpy.random.Generator or None"):
        env.sample_actions(generator)
    assert state_of(env) == before


scalars = st.one_of(st.integers(), st.floats(), st.booleans(), st.none(), st.text(max_size=3), st.binary(max_size=3))
anything = st.recursive(
    scalars, lambda part: st.one_of(st.lists(part, max_size=4), st.tuples(part, part)), max_leaves=6
)


@pytest.mark.parametrize("illegal", ["raise", "terminate", "random"])
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(actions=st.one_of(anything, st.lists(st.integers(-(2**63), 2**63 - 1), min_size=3, max_size=3)))
def test_whatever_is_given_is_played_or_refused_whole(game, illegal, actions):
    env = begun(game, 3, illegal=illegal)
    before = state_of(env)
    try:
        env.step(actions)
    except IllegalActionError:
        assert state_of(env) == before
    else:
        numbers = np.asarray(actions)
        assert numbers.shape == (3,) and numbers.dtype.kind in "iu"
        assert illegal != "raise" or all(begun(game, 3).action_mask[i, action] for i, action in enumerate(actions))
        assert state_of(env) != before


# Arrays


def test_copies_are_fresh_and_buffers_are_the_same(game):
    env = begun(game, 3)
    first = env.step(env.sample_actions())
    kept = copy.deepcopy(first)
    sampled = env.sample_actions()
    everyone = env.observe_all()
    second = env.step(sampled)
    for name, one, other, mine in zip(FIELDS, first[:-1], second[:-1], kept[:-1], strict=False):
        assert not np.shares_memory(one, other), name
        assert np.array_equal(one, mine)
    assert not np.shares_memory(everyone, env.observe_all())
    assert not np.shares_memory(sampled, env.sample_actions())
    before = env.get_state()
    for part in second[:-1]:
        part[...] = 1
    assert env.get_state() == before

    env = begun(game, 3, copy=False)
    sampled, everyone = env.sample_actions(), env.observe_all()
    first = env.step(sampled)
    second = env.step(env.sample_actions())
    for one, other in zip(first[:-1], second[:-1], strict=True):
        assert one is other
    assert env.sample_actions() is sampled
    assert np.shares_memory(env.observe_all(), everyone)


@pytest.mark.parametrize("obs_dtype", ["float32", "int8"])
def test_buffers_are_shared_through_dlpack(game, obs_dtype):
    env = begun(game, 3, copy=False, obs_dtype=obs_dtype)
    for name in ("observation", "action_mask", "current_player", "rewards"):
        shared = np.from_dlpack(getattr(env, name))
        assert np.shares_memory(shared, getattr(env, name))
        assert np.array_equal(shared, getattr(env, name))
    observation = np.from_dlpack(env.observation)
    for _ in range(3):
        env.step(env.sample_actions())
        for i, seat in enumerate(env.current_player):
            assert np.array_equal(observation[i], env.position(i).observation(int(seat), obs_dtype))


def test_copies_do_not_change_what_happens(variant):
    for obs_dtype in ("float32", "int8"):
        env, twin = (begun(variant, obs_dtype=obs_dtype, copy=copied) for copied in (True, False))
        for _ in range(100):
            assert rows(env.step(env.sample_actions())) == rows(twin.step(twin.sample_actions()))


# Looking


@pytest.mark.parametrize("obs_dtype", ["float32", "int8"])
@pytest.mark.parametrize("players", PLAYERS)
def test_observe_all_is_the_observation_of_every_seat(variant, players, obs_dtype):
    env = begun(variant, 3, num_players=players, obs_dtype=obs_dtype, history=3, steps=40, threads=2)
    seen = env.observe_all()
    assert seen.shape == (3, players, env.single_observation_space.shape[0]) and seen.dtype == obs_dtype
    for i in range(3):
        position = env.position(i)
        for seat in range(players):
            assert np.array_equal(seen[i, seat], position.observation(seat, obs_dtype, history=3))
        assert np.array_equal(seen[i, env.current_player[i]], env.observation[i])
    env.close()


def test_positions_are_copies(variant):
    env = begun(variant, steps=10)
    before = env.get_state()
    position = env.position(2)
    assert position.actor == env.current_player[2]
    position.step(position.legal_actions()[0])
    assert env.get_state() == before and position.history == (position.history[-1],)


def test_samples_are_uniform_over_the_legal_actions(variant):
    env = begun(variant, 4, steps=30, seed=8)
    masks = env.action_mask.copy()
    assert (masks.sum(axis=1) > 1).any()
    generator = np.random.default_rng(8)
    for draw in (env.sample_actions, lambda: env.sample_actions(generator)):
        counts = np.zeros(masks.shape, np.int64)
        for _ in range(4000):
            counts[np.arange(4), draw()] += 1
        assert not counts[masks == 0].any()
        for i in range(4):
            legal = counts[i][masks[i] == 1]
            if len(legal) > 1:
                assert stats.chisquare(legal).pvalue > 1e-6


def test_samples_follow_the_seed_or_the_generator(game):
    env, twin, other = begun(game, 6, seed=1), begun(game, 6, seed=1), begun(game, 6, seed=2)
    mine = [env.sample_actions().tolist() for _ in range(10)]
    assert mine == [twin.sample_actions().tolist() for _ in range(10)]
    assert mine != [other.sample_actions().tolist() for _ in range(10)]
    assert len({tuple(row) for row in mine}) > 1
    drawn = [[env.sample_actions(np.random.default_rng(s)).tolist() for s in (1, 2, 1)] for env in (env, other)]
    assert drawn[0][0] == drawn[0][2] != drawn[0][1]
    state = env.get_state()
    env.sample_actions(np.random.default_rng(3))
    assert env.get_state() == state


# Saving


@pytest.mark.parametrize("mode", MODES)
def test_saved_batches_go_on_identically(variant, mode):
    options = {"reward": "gain", "illegal": "random", "autoreset_mode": mode, **variant.limit(variant.short)}
    env = begun(variant, **options)
    until_an_end(env)
    state = env.get_state()
    other = variant.batch_env(5, **options)
    shown = other.set_state(state)
    assert other.get_state() == state
    for name in ("observation", "action_mask", "current_player"):
        assert np.array_equal(getattr(shown, name), getattr(env, name))
    assert not shown.rewards.any() and len(shown.infos["final_games"]) == 0
    copies = [pickle.loads(pickle.dumps(env)), copy.deepcopy(env)]
    for twin in copies:
        assert state_of(twin) == state_of(env)
    for step in range(60):
        if mode == "DISABLED":
            over = {"reset_mask": env.terminated | env.truncated}
            shown = rows(env.reset(options=over))
            assert all(rows(twin.reset(options=over)) == shown for twin in (other, *copies))
        actions = env.sample_actions()
        if step % 5 == 0:
            actions[0] = -1
        env.step(actions)
        for twin in (other, *copies):
            twin.sample_actions()
            twin.step(actions)
            assert state_of(twin) == state_of(env)


def test_pickles_hold_threads_buffers_and_what_is_shown(game):
    env = begun(game, 4, threads=2, copy=False, steps=10, reward="gain", obs_dtype="int8")
    twin = pickle.loads(pickle.dumps(env))
    assert state_of(twin) == state_of(env) and repr(twin) == repr(env)
    assert twin.step(twin.sample_actions()).observation is twin.observation
    assert rows(env.step(env.sample_actions())) == rows([getattr(twin, name) for name in FIELDS])
    fresh = pickle.loads(pickle.dumps(game.batch_env(2)))
    with pytest.raises(NotResetError):
        fresh.get_state()
    for one in (env, twin):
        one.close()


def edited(state, **changes):
    """A saved batch with another header."""
    head, _, body = state[len(MAGIC) :].partition(b"\n")
    return MAGIC + json.dumps({**json.loads(head), **changes}).encode() + b"\n" + body


def recoded(state, i, name, value):
    """A saved batch with another entry of the ledger, its checksum made to fit."""
    head, _, body = state[len(MAGIC) :].partition(b"\n")
    size = LEDGER.itemsize * len(json.loads(head)["lengths"])
    ledger = LEDGER.unpack(body[:size])
    ledger[name][i] = value
    body = LEDGER.pack(ledger) + body[size:]
    return edited(MAGIC + head + b"\n" + body, crc32=zlib.crc32(body))


BAD_STATES = {
    "another format": (lambda g, s: edited(s, format=2), "another version of this library"),
    "another ledger": (lambda g, s: edited(s, ledger="0"), "another version of this library"),
    "other lengths": (lambda g, s: edited(s, lengths=[1, 2, 3]), "the content is damaged"),
    "lengths of text": (lambda g, s: edited(s, lengths=["1", "2", "3"]), "the header is damaged"),
    "no checksum": (lambda g, s: edited(s, crc32=None), "the content is damaged"),
    "flipped bit": (lambda g, s: s[:-100] + bytes([s[-100] ^ 1]) + s[-99:], "the content is damaged"),
    "truncated": (lambda g, s: s[:-1], "the content is damaged"),
    "too long": (lambda g, s: s + b"\0", "the content is damaged"),
    "no content": (lambda g, s: s[: s.index(b"\n", len(MAGIC))], "the content is damaged"),
    "half a header": (lambda g, s: s[: len(MAGIC) + 20], "the header is damaged"),
    "a header that is a list": (lambda g, s: MAGIC + b"[1]\n", "the header is damaged"),
    "a header without keys": (lambda g, s: MAGIC + b"{}\n", "the header is damaged"),
    "a position": (lambda g, s: g.rules().new(1).to_bytes(), "not written by BatchEnv.get_state"),
    "empty": (lambda g, s: b"", "not written by BatchEnv.get_state"),
    "text": (lambda g, s: "state", "expected bytes, got str"),
    "nothing": (lambda g, s: None, "expected bytes, got NoneType"),
    "another size": (lambda g, s: begun(g, 2).get_state(), "it has 2 games, this one 3"),
    "other options": (lambda g, s: begun(g, 3, polls="all").get_state(), "game 0: .*polls='all'"),
    "the other game": (
        lambda g, s: begun(next(other for other in GAMES if other is not g), 3).get_state(),
        "game 0: .*a position of another game",
    ),
    "another status": (lambda g, s: recoded(s, 1, "status", 7), "game 1: what is kept beside the game does not fit"),
    "a truncated game that runs": (lambda g, s: recoded(s, 2, "ended", 2), "game 2: what is kept beside"),
    "an unknown end": (lambda g, s: recoded(s, 0, "ended", -1), "game 0: what is kept beside"),
    "a seat nobody has": (lambda g, s: recoded(s, 0, "last_seat", 4), "game 0: what is kept beside"),
    "a seed below zero": (lambda g, s: recoded(s, 0, "seed", -1), "game 0: what is kept beside"),
}


@pytest.mark.parametrize("bad", BAD_STATES)
def test_bad_states_are_refused_and_nothing_changes(game, bad):
    env = begun(game, 3, steps=10)
    change, message = BAD_STATES[bad]
    before = state_of(env)
    state = change(game, env.get_state())
    with pytest.raises(PositionError, match=f"saved batch.*{message}"):
        env.set_state(state)
    assert state_of(env) == before
    env.step(env.sample_actions())


def test_games_that_are_over_are_refused_where_none_ever_is(game):
    limit = game.limit(1)
    over = begun(game, 2, autoreset_mode="DISABLED", **limit)
    while not (over.terminated | over.truncated).any():
        over.step(over.sample_actions())
    number = int(np.flatnonzero(over.terminated | over.truncated)[0])
    env = begun(game, 2, **limit)
    before = state_of(env)
    with pytest.raises(PositionError, match=f"saved batch, game {number}: it is over, .*'SAME_STEP'"):
        env.set_state(over.get_state())
    assert state_of(env) == before


# Threads and processes


@pytest.mark.skipif(not jit.JIT_ENABLED, reason="there is no machine code with the jit off")
def test_each_kernel_is_compiled_once_whatever_the_options(game):
    for options in ({"obs_dtype": "int8", "copy": False}, {"reward": "gain", "history": 2}, {"illegal": "random"}):
        env = begun(game, 3, steps=3, **options)
        env.step(np.ascontiguousarray(env.sample_actions(np.random.default_rng(1))).astype(np.int32))
        env.observe_all()
        env.reset(options={"reset_mask": [True, False, True]})
    kernels = batch.kernels_of(game.spec)
    assert {name: len(made.signatures) for name, made in kernels._asdict().items()} == dict.fromkeys(kernels._fields, 1)


def test_errors_in_a_thread_are_raised(game, monkeypatch):
    env = begun(game, 4, threads=2)
    done = []

    def work(number, first, count):
        done.append((number, first, count))
        if number == 1:
            raise MemoryError("in a thread")

    with pytest.raises(MemoryError, match="in a thread"):
        env._in_slices(4, work)
    assert sorted(done) == [(0, 0, 2), (1, 2, 2)]
    env.step(env.sample_actions())
    env.close()
    env.close()
    env.step(env.sample_actions())
    env.close()


FORKED = """
import os, sys
from {package} import {module} as game
env = game.batch_env(4, threads=2)
env.reset(seed=1)
child = os.fork()
if child == 0:
    env.step(env.sample_actions())
    env.close()
    os._exit(0)
_, status = os.waitpid(child, 0)
env.step(env.sample_actions())
env.close()
print(os.waitstatus_to_exitcode(status))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
def test_a_forked_process_starts_threads_of_its_own(game):
    package, module = game.module.__name__.split(".")
    code = FORKED.format(package=package, module=module)
    command = [sys.executable, "-W", "error", "-W", "ignore:This process .* is multi-threaded", "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.strip() == "0"


PLAIN = """
import hashlib
from {package} import {module} as game
env = game.batch_env(3, reward="gain", illegal="random", obs_dtype="int8", {guard}=2)
result = env.reset(seed=6)
digest = hashlib.sha256()
ends = 0
for step in range({steps}):
    actions = env.sample_actions()
    if step % 9 == 4:
        actions[1] = -1
    result = env.step(actions)
    for part in (*result[:-1], *result.infos.values(), env.observe_all()):
        digest.update(part.tobytes())
    ends += len(result.infos["final_games"])
print(ends, digest.hexdigest())
"""


def test_without_machine_code_batches_go_the_same_way(game):
    package, module = game.module.__name__.split(".")
    code = PLAIN.format(package=package, module=module, guard=game.guard, steps=150)
    shown = []
    for disabled in ("0", "1"):
        environment = {**os.environ, "NUMBA_DISABLE_JIT": disabled}
        command = [sys.executable, "-W", "error", "-c", code]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        shown.append(done.stdout)
    assert shown[0] == shown[1]
    assert int(shown[0].split()[0]) >= 3


@pytest.mark.parametrize("policy", POLICIES)
def test_sampled_actions_are_those_of_the_policy(game, policy):
    env = game.batch_env(12)
    env.reset(seed=4)
    choices = 0
    for _ in range(60):
        generators = [np.random.default_rng(7) for _ in range(2)]
        drawn = env.sample_actions(generators[0], policy=policy)
        assert (env.action_mask[np.arange(12), drawn] == 1).all()
        # All draw from the words that the generator gives, one after the other.
        words = generators[1].integers(0, 2**64, 4, np.uint64)
        for i in range(12):
            choices += int(env.action_mask[i].sum()) > 1
            action = game.spec.decide(env.position(i).states, 0, POLICIES.index(policy), words)
            assert action == drawn[i]
        env.step(env.sample_actions(policy=policy))
    assert choices > 100


def test_unknown_policies_of_sampled_actions_are_refused(game):
    env = game.batch_env(2)
    env.reset(seed=4)
    with pytest.raises(OptionError, match="policy='clever'; allowed: 'random', 'acting', 'greedy', 'planner'"):
        env.sample_actions(policy="clever")
