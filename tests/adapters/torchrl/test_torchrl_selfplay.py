"""``examples/torchrl_selfplay.py``: its environments keep TorchRL's contract, and it learns what it says."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from tensordict import TensorDict
from torchrl.envs import check_env_specs

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "examples"))

import torchrl_selfplay as example  # noqa: E402

GAMES = {"dracheninsel": {"max_turns": 20}, "isla-dorada": {"max_rounds": 3}}
# TorchRL says of every PettingZoo but one that it was not tested with it.
pytestmark = pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL:UserWarning:torchrl.envs.libs.pettingzoo")
QUIET = ("-W", "error", "-W", "ignore:PettingZoo in TorchRL:UserWarning:torchrl.envs.libs.pettingzoo")


@pytest.fixture(params=GAMES)
def game(request):
    return request.param


def given(*options):
    return example.arguments().parse_args(["--threads", "1", *options])


def rolled(env, seed=0):
    """A game at random, with legal actions as TorchRL draws them."""
    torch.manual_seed(seed)
    return env.rollout(10**5)


@pytest.mark.parametrize("mask_in", ("observation", "info", "both"))
def test_specs_hold(game, mask_in):
    check_env_specs(example.make_env(game, 0, mask_in=mask_in, **GAMES[game]))


@pytest.mark.parametrize("options", ({"history": 4}, {"obs_dtype": "int8"}, {"illegal": "random"}, {"reward": "gain"}))
def test_specs_hold_with_other_options(game, options):
    check_env_specs(example.make_env(game, 0, num_players=3, **options, **GAMES[game]))


def test_a_game_goes_as_it_does_without_torchrl(game):
    options = {"reward": "gain", **GAMES[game]}
    steps = rolled(example.make_env(game, 7, **options))
    plain = example.MODULES[game].raw_env(**options)
    # The wrapper begins a game of its own accord when it is made; the rollout's is the next one.
    plain.reset(seed=7)
    plain.reset()
    for step in steps:
        actor = plain.possible_agents.index(plain.agent_selection)
        assert step[example.DECIDES].tolist() == [seat == actor for seat in range(4)]
        seen = plain.observe(plain.agent_selection)
        np.testing.assert_array_equal(step[example.SEEN][actor], seen["observation"])
        np.testing.assert_array_equal(step[example.LEGAL][actor], seen["action_mask"])
        plain.step(int(step[example.ACTION][actor]))
        rewards = [plain.rewards[agent] for agent in plain.possible_agents]
        np.testing.assert_allclose(step["next", "agents", "reward"][:, 0], rewards, atol=1e-6)
    assert plain.position.is_over and bool(steps["next", "done"][-1]) and not steps["next", "done"][:-1].any()


@pytest.fixture
def learner(game):
    learner = example.Learner(given("--game", game, "--rollout", "400", "--width", "16"))
    learner.env = example.make_env(game, 0, reward="gain", **GAMES[game])
    return learner


def test_whole_games_are_played_legally_and_every_end_counts_as_one(learner):
    steps = learner.play()
    assert len(steps) == learner.decisions >= 400
    done = steps["next", "agents", "done"]
    assert done[-1].all() and done.sum() > 4
    assert torch.equal(steps["next", "agents", "terminated"], done)
    assert (steps[example.DECIDES].sum(1) == 1).all()
    chosen = steps[example.LEGAL].gather(2, steps[example.ACTION][..., None])[..., 0]
    assert chosen[steps[example.DECIDES]].all()


def test_advantages_hold_what_others_turns_bring(learner):
    learner.given.trace = learner.advantages.lmbda = torch.tensor(1.0)
    steps = learner.play()
    with torch.no_grad():
        learner.advantages(steps)
    rewards, done = steps["next", "agents", "reward"], steps["next", "agents", "done"]
    total = torch.zeros_like(rewards)
    running = torch.zeros_like(rewards[0])
    for t in range(len(steps) - 1, -1, -1):
        running = rewards[t] + torch.where(done[t], 0.0, running)
        total[t] = running
    torch.testing.assert_close(steps[example.TARGET], total, atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(steps[example.ADVANTAGE], total - steps[example.VALUE], atol=1e-4, rtol=1e-4)


def test_the_policy_learns_from_the_seat_that_decides_alone(learner):
    steps = learner.play()
    with torch.no_grad():
        learner.advantages(steps)
    deciding = steps[example.DECIDES]
    decided = TensorDict({"agents": steps["agents"][deciding]}, batch_size=[len(steps)])
    objective = learner.loss(decided)["loss_objective"]
    # The first time the ratio is 1 and what is left is the mean of the normalised advantages, with the gradient of ...
    advantage = steps[example.ADVANTAGE][deciding][:, 0]
    advantage = (advantage - advantage.mean()) / advantage.std()
    logits = learner.network(steps[example.SEEN][deciding])
    logits = logits.masked_fill(~steps[example.LEGAL][deciding], -1e9)
    chosen = steps[example.ACTION][deciding]
    logs = torch.log_softmax(logits, -1).gather(1, chosen[:, None])[:, 0]
    parameters = list(learner.network.parameters())
    found = torch.autograd.grad(objective, parameters)
    # ... the policy gradient.
    expected = torch.autograd.grad(-(advantage * logs).mean(), parameters)
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one, other, atol=1e-5, rtol=1e-3)


def test_it_runs_without_a_warning_and_says_what_it_learnt(game, tmp_path):
    command = [sys.executable, *QUIET, str(ROOT / "examples" / "torchrl_selfplay.py"), "--game", game]
    options = ["--steps", "1", "--rollout", "64", "--threads", "1", "--width", "16", "--evaluate-games", "8"]
    done = subprocess.run([*command, *options], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("of 8 games against random") == 2 and "a second" in done.stdout
    assert not list(tmp_path.iterdir())


def test_a_limit_is_asked_for():
    command = [sys.executable, *QUIET, str(ROOT / "examples" / "torchrl_selfplay.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "give --minutes or --steps" in done.stderr


def test_it_learns_to_beat_players_at_random():
    torch.set_num_threads(1)
    learner = example.Learner(given("--steps", "4000"))
    before = learner.evaluate()
    learner.train()
    after = learner.evaluate()
    assert after.win_share.low > before.win_share.mean and after.win_share.low > 0.25
