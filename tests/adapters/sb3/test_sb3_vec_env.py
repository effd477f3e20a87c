"""``SB3VecEnv`` keeps the contract of a ``VecEnv``: it is what ``DummyVecEnv`` makes of single-seat environments.

Those environments pass Stable-Baselines3's own check.
"""

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor

from dracheninsel_env import dracheninsel_v0
from isla_dorada_env import isla_dorada_v0
from island_core.adapters.sb3 import SB3VecEnv
from island_core.errors import GameOverError, IllegalActionError, NotResetError, OptionError

# A game that is cut off after some ten decisions of each seat.
GAMES = {
    "Dracheninsel-v0": (dracheninsel_v0, {"max_turns": 20}),
    "IslaDorada-v0": (isla_dorada_v0, {"max_rounds": 3}),
}
SIZE = 3


@pytest.fixture(params=GAMES)
def name(request):
    return request.param


def made(name, num_envs=SIZE, **options):
    return gymnasium.make_vec(name, num_envs=num_envs, **GAMES[name][1], **options)


def dummy(name, **options):
    """The same games, one by one."""

    def single(i):
        env = GAMES[name][0].SingleSeatEnv(**GAMES[name][1], **options)
        env._index = i
        return env

    return DummyVecEnv([lambda i=i: single(i) for i in range(SIZE)])


def drawn(masks, rng):
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])


def begun(name, truncated_is_over=False, **options):
    env = SB3VecEnv(made(name, **options), truncated_is_over=truncated_is_over)
    env.seed(5)
    env.reset()
    return env


def wrong(masks, rng):
    """Legal actions, now and then an illegal one."""
    actions = drawn(masks, rng)
    if rng.random() < 0.05:
        actions[0] = np.flatnonzero(~masks[0])[0]
    return actions


@pytest.mark.parametrize(
    "options",
    (
        {"mask_in": "observation", "seat": "random", "opponents": "acting", "reward": "gain"},
        {"mask_in": "info", "seat": 2, "opponents": "random", "reward": "rank", "obs_dtype": "int8"},
        {"mask_in": "both", "illegal": "random", "reward": "score"},
    ),
    ids=("observation", "info", "both"),
)
def test_it_is_what_dummy_vec_env_makes_of_single_seats(name, options):
    options = {"illegal": "terminate", **options}
    many, others = SB3VecEnv(made(name, **options)), dummy(name, **options)
    assert many.observation_space == others.observation_space and many.action_space == others.action_space
    assert many.num_envs == SIZE and many.render_mode is None
    assert many.seed(5) == others.seed(5)
    np.testing.assert_equal(many.reset(), others.reset())
    np.testing.assert_equal(many.reset_infos, others.reset_infos)
    rng, ended, cut_off = np.random.default_rng(0), 0, 0
    for _ in range(250):
        masks = many.env_method("action_masks")
        np.testing.assert_array_equal(masks, others.env_method("action_masks"))
        actions = wrong(np.stack(masks), rng)
        found, expected = many.step(actions), others.step(actions)
        np.testing.assert_equal(found, expected)
        np.testing.assert_equal(many.reset_infos, others.reset_infos)
        observations, rewards, dones, infos = found
        assert rewards.dtype == np.float32 and dones.dtype == np.bool_
        assert [set(info) for info in infos] == [set(info) for info in expected[3]]
        for row in observations.values() if isinstance(observations, dict) else (observations,):
            assert row.shape[0] == SIZE
        for done, info in zip(dones, infos, strict=True):
            assert ("terminal_observation" in info) == done
            ended += done
            cut_off += info["TimeLimit.truncated"]
    assert cut_off > 3 and (ended > cut_off or options["illegal"] == "random")


def test_seeds_serve_one_reset_and_deal_by_number(name):
    env = SB3VecEnv(made(name))

    def dealt(episode):
        """Where each game gets to its learner that is dealt by the seed 40 and its number."""
        found = []
        for i in range(SIZE):
            single = GAMES[name][0].SingleSeatEnv(**GAMES[name][1])
            single._index = i
            single.reset(seed=40 + i)
            for _ in range(episode):
                single.reset()
            found.append(single.position)
        return found

    env.seed(40)
    env.reset()
    assert env.get_attr("position") == dealt(0)
    env.reset()
    assert env.get_attr("position") == dealt(1) != dealt(0)
    env.seed(40)
    env.set_options({"anything": 1})
    env.reset()
    assert env.get_attr("position") == dealt(0)


def test_observations_are_kept_when_the_next_step_is_made(name):
    env = begun(name, mask_in="info")
    observations, *_ = env.step(drawn(env.env_method("action_masks"), np.random.default_rng(0)))
    kept = observations.copy()
    env.step(drawn(env.env_method("action_masks"), np.random.default_rng(1)))
    np.testing.assert_array_equal(observations, kept)


def test_the_games_can_be_asked(name):
    env = begun(name, seat="random")
    assert env.get_attr("seat") == env.env.seats.tolist()
    assert env.get_attr("seat", 1) == env.get_attr("seat", [1]) == [env.env.seats[1]]
    assert env.get_attr("index", [2, 0]) == [2, 0]
    assert env.get_attr("action_space") == [env.action_space] * SIZE
    assert env.get_attr("observation_space") == [env.observation_space] * SIZE
    assert is_masking_supported(env)
    np.testing.assert_array_equal(get_action_masks(env), env.env.action_masks())
    np.testing.assert_array_equal(env.env_method("action_masks", indices=[2, 1]), env.env.action_masks()[[2, 1]])
    np.testing.assert_array_equal(env.get_attr("action_masks", 2)[0](), env.env.action_masks()[2])
    assert env.env_is_wrapped(Monitor) == [False] * SIZE and env.env_is_wrapped(Monitor, 0) == [False]
    env.set_attr("mark", 7, indices=1)
    assert env.get_attr("mark", 1) == [7] and not env.has_attr("mark")
    env.set_attr("mark", 8)
    assert env.get_attr("mark") == [8] * SIZE and env.has_attr("mark")
    with pytest.raises(AttributeError, match="seat"):
        env.set_attr("seat", 0)
    with pytest.raises(AttributeError, match="nothing"):
        env.env_method("nothing")
    with pytest.warns(UserWarning, match="not rendered"):
        assert env.get_images() == [None] * SIZE


def test_a_truncated_game_can_be_told_as_over(name):
    told, untold = begun(name), begun(name, truncated_is_over=True)
    rng, cut_off, ended = np.random.default_rng(0), 0, 0
    for _ in range(60):
        actions = drawn(told.env_method("action_masks"), rng)
        *first, infos = told.step(actions)
        *second, others = untold.step(actions)
        np.testing.assert_equal(first, second)
        cut_off += sum(info["TimeLimit.truncated"] for info in infos)
        ended += int(second[2].sum())
        assert not any(info["TimeLimit.truncated"] for info in others)
    assert cut_off == ended > 0


def test_wrappers_of_stable_baselines_go_around_it(name):
    env = VecMonitor(begun(name, reward="gain"))
    env.reset()
    rng, sums, told = np.random.default_rng(0), np.zeros(SIZE), []
    for _ in range(80):
        _, rewards, dones, infos = env.step(drawn(get_action_masks(env), rng))
        sums += rewards
        for i in np.flatnonzero(dones):
            told.append((infos[i]["episode"]["r"], sums[i]))
            sums[i] = 0.0
    found, expected = zip(*told, strict=True)
    np.testing.assert_allclose(found, expected, atol=2e-6)


def test_what_it_does_not_take(name):
    for bad in (
        RecordEpisodeStatistics(made(name)),
        GAMES[name][0].SingleSeatEnv(),
        None,
    ):
        with pytest.raises(OptionError, match="env=.*allowed: what gymnasium.make_vec makes"):
            SB3VecEnv(bad)
    for mode in ("NEXT_STEP", "DISABLED"):
        with pytest.raises(OptionError, match=f"autoreset_mode of env='{mode}'; allowed: 'SAME_STEP'"):
            SB3VecEnv(made(name, autoreset_mode=mode))
    with pytest.raises(OptionError, match="copy of env=False; allowed: True"):
        SB3VecEnv(made(name, copy=False))
    with pytest.raises(OptionError, match="truncated_is_over=1; allowed: True, False"):
        SB3VecEnv(made(name), truncated_is_over=1)


def test_what_is_refused_changes_nothing(name):
    env = SB3VecEnv(made(name))
    with pytest.raises(NotResetError):
        env.env_method("action_masks")
    with pytest.raises(NotResetError, match="call reset"):
        env.step(np.zeros(SIZE, np.int64))
    env.seed(1)
    env.reset()
    before = env.env.get_state()
    actions = drawn(env.env_method("action_masks"), np.random.default_rng(0))
    bad = actions.copy()
    bad[1] = np.flatnonzero(~env.env.action_masks()[1])[0]
    with pytest.raises(IllegalActionError, match=r"actions\[1\]"):
        env.step(bad)
    assert env.env.get_state() == before
    with pytest.raises(NotResetError, match=r"step_wait: call step_async\(actions\) first"):
        env.step_wait()
    env.step_async(actions)
    env.reset()
    with pytest.raises(NotResetError, match="step_async"):
        env.step_wait()
    env.close()
    env.close()
    with pytest.raises(GameOverError, match="closed"):
        env.reset()
    with pytest.raises(GameOverError, match="closed"):
        env.step(actions)


def test_actions_may_be_written_over_before_the_wait(name):
    env, other = begun(name), begun(name)
    actions = drawn(env.env_method("action_masks"), np.random.default_rng(0))
    env.step_async(actions)
    expected = other.step(actions)
    actions[:] = 0
    np.testing.assert_equal(env.step_wait(), expected)


@pytest.mark.parametrize("mask_in", ("observation", "info", "both"))
def test_the_single_seat_passes_the_check_of_stable_baselines(name, mask_in):
    check_env(gymnasium.make(name, mask_in=mask_in, seat="random").unwrapped)


@pytest.mark.parametrize(
    ("policy", "mask_in"), (("MultiInputPolicy", "observation"), ("MlpPolicy", "info")), ids=("dict", "flat")
)
def test_maskable_ppo_plays_legal_actions_alone(name, policy, mask_in):
    # With illegal="raise", the default, one illegal action would end it.
    env = SB3VecEnv(made(name, mask_in=mask_in))
    model = MaskablePPO(policy, env, n_steps=32, batch_size=48, n_epochs=2, seed=0, device="cpu")
    first = {key: value.clone() for key, value in model.policy.state_dict().items()}
    model.learn(200)
    assert model.num_timesteps >= 200
    assert any(not value.equal(first[key]) for key, value in model.policy.state_dict().items())
    observations = env.reset()
    for _ in range(20):
        actions, _ = model.predict(observations, action_masks=get_action_masks(env))
        observations, *_ = env.step(actions)
