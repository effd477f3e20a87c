"""Positions and environments in the middle of a game, for the tests of the views; of any game."""

import copy
import itertools
import zlib

import numpy as np
import pytest

from tests.common.playing import acting as acting
from tests.common.playing import play as play

PLAYERS = (3, 4, 5, 6)
MAKERS = ("env", "raw_env")
EVERY_VIEW = (*MAKERS, "parallel_env", "single_seat")


def played(game, steps=10**6, seed=1, **options):
    """A position after so many moves of players who act."""
    return play(game.rules(**options).new(seed), np.random.default_rng(seed), steps=steps)


def started(game, maker="env", seed=1, steps=0, **options):
    """An environment after a reset and so many random moves."""
    env = getattr(game, maker)(**options)
    env.reset(seed=seed)
    sample = env.sample_actions if maker == "parallel_env" else env.sample_action
    for _ in range(steps):
        env.step(sample())
    return env


def finish(env):
    """Play random moves to the end of the game; nobody has left yet."""
    while not env.position.is_over:
        env.step(env.sample_action())
    return env


def play_on(env, choose=None):
    """Play to the end of every agent; gives the sum of all rewards that ``last`` showed, by agent."""
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        _, reward, termination, truncation, _ = env.last()
        total[agent] += reward
        done = termination or truncation
        env.step(None if done else choose(env.position) if choose else env.sample_action())
    return total


def by_hash(observation, action_mask):
    """A policy: some legal action that depends on what the seat sees alone."""
    legal = np.flatnonzero(action_mask)
    return int(legal[zlib.crc32(observation.tobytes()) % len(legal)])


def illegal_id(env):
    """Some id inside the space that is not legal."""
    return int(np.flatnonzero(env.position.mask() == 0)[-1])


def a_paid_step(game, over=False):
    """A saved position, the seat that decides, its move and the gains of all seats, where something is paid and another
    seat decides next; with ``over``, where the move ends a short game.
    """
    for seed in itertools.count():
        env = started(game, seed=seed, reward="gain", **game.limit(game.short if over else game.endless))
        generator = np.random.default_rng(seed)
        while not env.position.is_over:
            state, actor = env.get_state(), env.position.actor
            move = acting(env.position, generator)
            env.step(move)
            gains = list(env.rewards.values())
            if env.position.is_over if over else any(gains) and env.position.actor not in (actor, None):
                return state, actor, move, gains
    raise AssertionError


def plain(value):
    """Arrays as type, shape and bytes, in dicts too."""
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    return (str(value.dtype), value.shape, value.tobytes()) if isinstance(value, np.ndarray) else value


def snapshot(env):
    """Everything an environment shows; equal for equal environments."""
    shown = [env.agents, env.agent_selection, env.rewards, env._cumulative_rewards, env.terminations, env.truncations]
    views = [plain(env.observe(agent)) for agent in env.possible_agents]
    return copy.deepcopy((shown, plain(env.infos), views, env.position.to_bytes(), env.position.history))


def snapshot_parallel(env):
    """The same of a parallel environment."""
    shown = [env.agents, env.position.to_bytes(), env.position.history, env._illegal_actions]
    return copy.deepcopy((shown, plain(env._observations()), [plain(info) for info in env._infos().values()]))


def snapshot_seat(env):
    """The same of a single seat, with what its opponents draw with."""
    table = env._table
    drawn = table.generator.bit_generator.state if table.generator is not None else None
    words = (plain(table.words), plain(env._replacements))
    shown = (env.seat, env._running, env._illegal_actions, env.position.to_bytes(), env.position.history)
    return copy.deepcopy((shown, words, drawn, plain(env._shown()[0]), plain(env._shown()[1])))


SNAPSHOTS = {"env": snapshot, "raw_env": snapshot, "parallel_env": snapshot_parallel, "single_seat": snapshot_seat}


def check_last_step(game, position, action, reward, expected):
    """The rewards of the action that ends a game: of the step, and of all that ``last`` shows."""
    options = {name: getattr(position.game.options, name) for name in game.other_options}
    env = game.env(**options, reward=reward)
    env.set_state(position.to_bytes())
    env.step(env.position.parse(action))
    assert env.position.is_over
    assert list(env.rewards.values()) == pytest.approx(expected, abs=1e-12)
    assert all(type(value) is float for value in env.rewards.values())
    assert all(env.truncations.values()) == env.position.is_truncated != all(env.terminations.values())
    assert list(play_on(env).values()) == pytest.approx(expected, abs=1e-12)
    return env
