"""The parallel environments: PettingZoo's contract, and that they are the AEC environment seen from another side."""

import copy
import functools
import pickle

import gymnasium
import numpy as np
import pettingzoo
import pytest

from island_core.conformance import ConformanceError, check_parallel
from island_core.errors import GameOverError, IllegalActionError, NotResetError, OptionError, PositionError
from tests.views import playing
from tests.views.playing import PLAYERS, a_paid_step, illegal_id, plain
from tests.views.playing import snapshot_parallel as snapshot

REWARDS = ("win", "score", "rank", "gain")
MASKS = ("observation", "info", "both")

started = functools.partial(playing.started, maker="parallel_env")


def decider(env):
    return env.possible_agents[env.position.actor]


def with_noops(env, action):
    """An action of the agent who decides, the no-op of all others."""
    return {agent: action if agent == decider(env) else env.noop for agent in env.agents}


def masks_of(env, observations, infos, agent):
    """The mask of an agent wherever it stands."""
    found = []
    if env._view.mask_in != "info":
        found.append(observations[agent]["action_mask"])
    if env._view.mask_in != "observation":
        found.append(infos[agent]["action_mask"])
    return found


# PettingZoo's own tests


@pytest.mark.parametrize("obs_dtype", ["float32", "int8"])
@pytest.mark.parametrize("players", PLAYERS)
def test_pettingzoo_for_every_number_of_players(variant, players, obs_dtype):
    check_parallel(lambda: variant.parallel_env(num_players=players, obs_dtype=obs_dtype), cycles=60)


@pytest.mark.parametrize("illegal", ["terminate", "random"])
@pytest.mark.parametrize("mask_in", MASKS)
def test_pettingzoo_for_every_place_of_the_mask(game, mask_in, illegal):
    check_parallel(lambda: game.parallel_env(mask_in=mask_in, illegal=illegal), cycles=60)


@pytest.mark.parametrize("reward", REWARDS)
def test_pettingzoo_to_the_end_of_the_game(variant, reward):
    options = {**variant.limit(1), "reward": reward, "history": 5, "num_players": 3}
    check_parallel(lambda: variant.parallel_env(**options), cycles=1000)


def test_a_broken_environment_is_noticed(game):
    class Moody(game.module.ParallelEnv):
        def reset(self, seed=None, options=None):
            return super().reset(None, options)

    class Leaky(game.module.ParallelEnv):
        def observation_space(self, agent):
            return copy.copy(super().observation_space(agent))

    with pytest.raises(ConformanceError, match="parallel_seed_test"):
        check_parallel(lambda: Moody(illegal="random"), cycles=20)
    with pytest.raises(ConformanceError, match="parallel_api_test"):
        check_parallel(Leaky, cycles=20)


# Making one


def test_names_spaces_and_metadata(variant):
    for players in PLAYERS:
        env, aec = variant.parallel_env(num_players=players), variant.env(num_players=players)
        assert isinstance(env, pettingzoo.ParallelEnv)
        assert env.possible_agents == aec.possible_agents and env.max_num_agents == players
        assert env.agents == []
        for agent in env.possible_agents:
            assert env.observation_space(agent) is env.observation_space(agent)
            assert env.observation_space(agent) == aec.observation_space(agent)
            assert env.action_space(agent) is env.action_space(agent)
            assert env.action_space(agent) == gymnasium.spaces.Discrete(variant.actions)
        env.reset()
        assert env.agents == env.possible_agents and env.num_agents == players
    assert str(env) == env.metadata["name"] == f"{variant.name}_v0"
    assert env.metadata["is_parallelizable"] is True
    assert env.noop == variant.actions - 1
    assert "num_players=6" in repr(env)


def test_pettingzoo_makes_both_by_name(game):
    name = f"island_envs/{game.name}_v0"
    for kind, maker in (("aec", game.env), ("parallel", game.parallel_env)):
        made = pettingzoo.make(kind, name, num_players=3, mask_in="info")
        assert type(made) is type(maker()) and made.max_num_agents == 3
        with pytest.raises(OptionError, match="num_players=9"):
            pettingzoo.make(kind, name, num_players=9)


@pytest.mark.parametrize("ask", ["observation_space", "action_space", "observe"])
def test_unknown_agents_are_refused(game, ask):
    env = started(game, num_players=3)
    with pytest.raises(ValueError, match="agent='player_3'; allowed: player_0, player_1, player_2"):
        getattr(env, ask)("player_3")


# The same game as the AEC environment


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("players", PLAYERS)
def test_it_is_the_aec_environment_decision_by_decision(variant, players, reward):
    options = {"num_players": players, "reward": reward, "history": 3, "mask_in": "both", **variant.limit(3)}
    env, aec = variant.parallel_env(**options), variant.env(**options)
    rng = np.random.default_rng(players)
    for seed in (players, None):  # the episode after, too
        observations, infos = env.reset(seed=seed)
        aec.reset(seed=seed)
        while True:
            assert env.position.to_bytes() == aec.position.to_bytes()
            for agent in env.possible_agents:
                seen = aec.observe(agent)
                assert plain(observations[agent]["observation"]) == plain(seen["observation"])
                if env.agents and agent == aec.agent_selection:
                    assert plain(observations[agent]) == plain(seen) and plain(infos[agent]) == plain(aec.infos[agent])
            assert np.array_equal(env.state(), aec.state())
            if not env.agents:
                break
            action = int(rng.choice(env.position.legal_actions()))
            observations, rewards, terminations, truncations, infos = env.step(with_noops(env, action))
            aec.step(action)
            assert rewards == aec.rewards and all(type(value) is float for value in rewards.values())
            assert (terminations, truncations) == (aec.terminations, aec.truncations)
        assert env.position.history == aec.position.history
    assert all(truncations.values()) != all(terminations.values())


def test_gains_are_those_of_the_aec_environment(variant):
    state, actor, move, gains = a_paid_step(variant)
    env = variant.parallel_env(reward="gain", **variant.limit(variant.endless))
    env.set_state(state)
    rewards = env.step(with_noops(env, move))[1]
    assert list(rewards.values()) == gains and any(gains)


@pytest.mark.parametrize("reward", REWARDS)
def test_the_last_step_pays_what_the_aec_environment_pays(variant, reward):
    state, actor, move, _ = a_paid_step(variant, over=True)
    made = [maker(reward=reward, **variant.limit(variant.short)) for maker in (variant.parallel_env, variant.env)]
    for env in made:
        env.set_state(state)
    _, rewards, terminations, truncations, _ = made[0].step(with_noops(made[0], move))
    made[1].step(move)
    assert rewards == made[1].rewards and (terminations, truncations) == (made[1].terminations, made[1].truncations)


@pytest.mark.parametrize("mask_in", MASKS)
@pytest.mark.parametrize("players", PLAYERS)
def test_who_does_not_decide_may_do_nothing_and_who_decides_may_not(game, players, mask_in):
    env = game.parallel_env(num_players=players, mask_in=mask_in, **game.limit(2))
    observations, infos = env.reset(seed=players)
    nothing = np.zeros(game.actions, np.int8)
    nothing[-1] = 1
    while env.agents:
        for agent in env.agents:
            found = masks_of(env, observations, infos, agent)
            assert len(found) == (2 if mask_in == "both" else 1)
            for mask in found:
                assert mask.dtype == np.int8
                assert np.array_equal(mask, env.position.mask() if agent == decider(env) else nothing)
                assert mask[-1] == (agent != decider(env))
            assert env.observation_space(agent).contains(observations[agent])
        observations, _, _, _, infos = env.step(env.sample_actions())
    for agent in env.possible_agents:
        assert all(np.array_equal(mask, nothing) for mask in masks_of(env, observations, infos, agent))


def test_what_is_given_out_is_nobody_elses(game):
    env = game.parallel_env(mask_in="both")
    observations, infos = env.reset(seed=1)
    before = snapshot(env)
    for agent in env.agents:
        for part in (*observations[agent].values(), infos[agent]["action_mask"]):
            part[:] = 1
    assert snapshot(env) == before


@pytest.mark.parametrize("illegal", ["terminate", "random"])
@pytest.mark.parametrize("mask_in", MASKS)
def test_infos_have_the_same_numeric_keys_from_reset_to_the_end(game, mask_in, illegal):
    env = game.parallel_env(mask_in=mask_in, illegal=illegal, **game.limit(1))
    keys = ({"action_mask"} if mask_in != "observation" else set()) | (
        {"illegal_actions"} if illegal == "random" else set()
    )
    _, infos = env.reset(seed=1)
    while True:
        assert set(infos) == set(env.possible_agents)
        for info in infos.values():
            assert set(info) == keys
            assert all(isinstance(value, int | np.ndarray) for value in info.values())
        if not env.agents:
            break
        infos = env.step(env.sample_actions())[4]


# Seeds


def test_reset_deals_what_the_rules_object_deals(variant):
    env = variant.parallel_env(num_players=5)
    for seed, expected in ((77, (77, 0, 0)), (None, (77, 0, 1)), (None, (77, 0, 2)), (np.int64(78), (78, 0, 0))):
        env.reset(seed=seed, options={"anything": 1})
        assert env.position.to_bytes() == variant.rules(num_players=5).new(*expected).to_bytes()


def test_samples_depend_on_seed_and_episode_and_are_those_of_the_aec_environment(game):
    def sampled(seed, episodes):
        env = started(game, seed=seed)
        for _ in range(episodes):
            env.reset()
        for _ in range(40):
            env.step(env.sample_actions())
        return env.position.history

    assert sampled(1, 0) == sampled(1, 0)
    assert len({sampled(1, 0), sampled(2, 0), sampled(1, 1)}) == 3
    aec = game.env()
    aec.reset(seed=1)
    for _ in range(40):
        aec.step(aec.sample_action())
    assert sampled(1, 0) == aec.position.history


# Order of calls


def test_everything_before_reset_says_so(game):
    env = game.parallel_env(render_mode="ansi")
    asks = [
        lambda: env.step({}),
        lambda: env.observe("player_0"),
        lambda: env.sample_actions(),
        lambda: env.state(),
        lambda: env.render(),
        lambda: env.position,
        lambda: env.get_state(),
    ]
    for ask in asks:
        with pytest.raises(NotResetError, match=r"call reset\(\) first"):
            ask()


@pytest.mark.rule("D4.7", "I11.1")
def test_all_end_together_and_then_nothing_is_left_to_do(variant):
    env = started(variant, **variant.limit(variant.short))
    while env.agents:
        actions = env.sample_actions()
        _, _, terminations, truncations, _ = env.step(actions)
        over = not env.agents
        assert truncations == dict.fromkeys(env.possible_agents, over)
        assert terminations == dict.fromkeys(env.possible_agents, False)
    assert env.position.is_truncated and env.sample_actions() == {}
    before = snapshot(env)
    for given in (actions, {}):
        with pytest.raises(GameOverError, match=r"call reset\(\)"):
            env.step(given)
    assert snapshot(env) == before
    env.reset()
    env.step(env.sample_actions())


# What is no action of every agent

NO_ACTIONS = {
    "nothing": (lambda env: None, "actions=None; allowed: a dict"),
    "a list": (lambda env: [0] * 4, r"actions=\[0, 0, 0, 0\]; allowed: a dict"),
    "nobody's": (lambda env: {}, "actions of nobody; allowed: of 'player_0', 'player_1', 'player_2', 'player_3'"),
    "one missing": (
        lambda env: {agent: env.noop for agent in env.agents[1:]},
        "actions of 'player_1', 'player_2', 'player_3'; allowed: of 'player_0'",
    ),
    "one too many": (lambda env: {**env.sample_actions(), "player_4": env.noop}, "'player_4'; allowed: of 'player_0'"),
    "by seat": (lambda env: dict.fromkeys(range(4), env.noop), "actions of 0, 1, 2, 3; allowed: of 'player_0'"),
}
NO_INTEGERS = (None, 1.0, np.float64(3), True, np.True_, "let be", [1], np.array([1]), {})


@pytest.mark.parametrize("illegal", ["terminate", "raise", "random"])
@pytest.mark.parametrize("bad", NO_ACTIONS)
def test_anything_but_one_action_of_every_agent_is_an_error(game, illegal, bad):
    env = started(game, steps=10, illegal=illegal, mask_in="both")
    make, message = NO_ACTIONS[bad]
    before = snapshot(env)
    with pytest.raises(IllegalActionError, match=message):
        env.step(make(copy.deepcopy(env)))
    assert snapshot(env) == before


@pytest.mark.parametrize("illegal", ["terminate", "raise", "random"])
@pytest.mark.parametrize("action", NO_INTEGERS, ids=map(repr, NO_INTEGERS))
def test_what_is_no_integer_is_always_an_error(game, illegal, action):
    env = started(game, steps=10, illegal=illegal)
    before = snapshot(env)
    for agent in env.agents:
        actions = {**copy.deepcopy(env).sample_actions(), agent: action}
        with pytest.raises(IllegalActionError, match=f"for {agent}; allowed: integers from 0 to {game.actions - 1}"):
            env.step(actions)
        assert snapshot(env) == before


# Illegal actions

ILLEGAL = {
    "inside": illegal_id,
    "no-op": lambda env: env.noop,
    "-1": lambda env: -1,
    "size": lambda env: env.noop + 1,
    "huge": lambda env: 10**30,
}


def offences(env, who, which):
    """Actions of all agents, the illegal one of those named: the one who decides, all others, one other, everybody."""
    others = [agent for agent in env.agents if agent != decider(env)]
    guilty = {"decider": [decider(env)], "others": others, "other": others[:1], "all": env.agents}[who]
    actions = copy.deepcopy(env).sample_actions()
    # What the one who decides may do is illegal for all others, and the no-op is not.
    of_others = actions[decider(env)] if which in ("inside", "no-op") else ILLEGAL[which](env)
    for agent in guilty:
        actions[agent] = ILLEGAL[which](env) if agent == decider(env) else of_others
    return actions, guilty


WHO = ("decider", "others", "other", "all")


@pytest.mark.parametrize("reward", ["win", "gain"])
@pytest.mark.parametrize("which", ILLEGAL)
@pytest.mark.parametrize("who", WHO)
def test_terminate_ends_the_game_for_all(game, who, which, reward):
    env = started(game, steps=25, mask_in="both", reward=reward)
    assert env._view.illegal == "terminate"
    actions, guilty = offences(env, who, which)
    position, history = env.position.to_bytes(), env.position.history
    observations, rewards, terminations, truncations, infos = env.step(actions)
    assert env.position.to_bytes() == position and env.position.history == history
    assert rewards == {agent: -1.0 if agent in guilty else 0.0 for agent in env.possible_agents}
    assert terminations == dict.fromkeys(env.possible_agents, True)
    assert truncations == dict.fromkeys(env.possible_agents, False)
    assert env.agents == []
    for agent in env.possible_agents:
        for mask in masks_of(env, observations, infos, agent):
            assert np.flatnonzero(mask).tolist() == [env.noop]
    with pytest.raises(GameOverError):
        env.step(actions)


@pytest.mark.parametrize("which", ILLEGAL)
@pytest.mark.parametrize("who", WHO)
def test_raise_changes_nothing(game, who, which):
    env = started(game, steps=25, illegal="raise", mask_in="both")
    actions, guilty = offences(env, who, which)
    before = snapshot(env)
    with pytest.raises(IllegalActionError, match="is not legal") as caught:
        env.step(actions)
    message = str(caught.value)
    assert guilty[0] in message and str(actions[guilty[0]]) in message
    expected = env.position.legal_names()[0] if guilty[0] == decider(env) else f"legal: {env.noop}, the no-op"
    assert expected in message
    assert snapshot(env) == before
    env.step(env.sample_actions())


def test_random_replaces_counts_and_leaves_the_deal_alone(variant):
    env, aec = variant.parallel_env(illegal="random"), variant.env(illegal="random")
    _, infos = env.reset(seed=9)
    aec.reset(seed=9)
    counts = dict.fromkeys(env.agents, 0)
    for turn in range(120):
        assert infos == {agent: {"illegal_actions": counts[agent]} for agent in env.agents}
        legal = env.position.legal_actions()
        who = (*WHO, None)[turn % 5]
        if who is None:
            actions, guilty = with_noops(env, legal[0]), []
        else:
            actions, guilty = offences(env, who, tuple(ILLEGAL)[turn // 5 % len(ILLEGAL)])
        for agent in guilty:
            counts[agent] += 1
        aec.step(actions[decider(env)])
        infos = env.step(actions)[4]
        # The same stream replaces the same action: what the others do has no part in it.
        assert env.position.history == aec.position.history and env.position.history[-1] in legal
    assert all(counts.values())


# Copies, saving


@pytest.mark.parametrize("illegal", ["terminate", "random"])
def test_copies_go_on_identically(variant, illegal):
    options = {
        "num_players": 3,
        "mask_in": "both",
        "illegal": illegal,
        "reward": "gain",
        **variant.limit(variant.short),
    }

    def trace(env):
        shown = []
        while env.agents:
            shown.append([plain(part) for result in env.step(env.sample_actions()) for part in result.values()])
        return shown

    env = started(variant, steps=10, **options)
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    before = snapshot(env)
    assert all(snapshot(twin) == before for twin in copies)
    traces = [trace(twin) for twin in copies]
    assert snapshot(env) == before
    assert traces[0] == traces[1] == trace(env) and len(traces[0]) > 5


def test_saved_states_go_on_identically_in_every_view(variant):
    env = started(variant, num_players=5, steps=60, mask_in="both", reward="gain")
    other = variant.parallel_env(num_players=5, mask_in="both", reward="gain")
    aec = variant.env(num_players=5, mask_in="both", reward="gain")
    observations, infos = other.set_state(env.get_state())
    aec.set_state(env.get_state())
    assert plain(observations) == plain(env._observations()) and plain(infos) == plain(env._infos())
    for _ in range(60):
        actions = env.sample_actions()
        results = [made.step(actions) for made in (env, other)]
        aec.step(actions[aec.agent_selection])
        assert [plain(part) for part in results[0]] == [plain(part) for part in results[1]]
        assert aec.rewards == results[0][1]
        assert env.get_state() == other.get_state() == aec.get_state()
    other.step(other.sample_actions())


def test_a_saved_end_is_an_end(game):
    env = started(game, **game.limit(1))
    while env.agents:
        env.step(env.sample_actions())
    other = game.parallel_env(**game.limit(1))
    other.set_state(env.get_state())
    assert other.agents == [] and other.sample_actions() == {}
    with pytest.raises(GameOverError):
        other.step({})


def test_bad_states_are_refused_and_nothing_changes(game):
    env = started(game, steps=30, mask_in="both")
    before = snapshot(env)
    for bad in (b"", None, env.get_state()[:-1], game.rules(num_players=5).new(1).to_bytes()):
        with pytest.raises(PositionError):
            env.set_state(bad)
        assert snapshot(env) == before


# Rendering


def test_human_prints_after_each_step_and_ansi_returns(game, capsys):
    env = started(game, render_mode="human")
    assert capsys.readouterr().out == ""
    env.step(env.sample_actions())
    assert capsys.readouterr().out == f"{env.position}\n"
    env.step(with_noops(env, illegal_id(env)))
    assert capsys.readouterr().out == f"{env.position}\n"
    env = started(game, render_mode="ansi", steps=3)
    assert env.render() == str(env.position)
    assert capsys.readouterr().out == ""
    env.close()
