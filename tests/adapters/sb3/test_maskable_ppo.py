"""``examples/maskable_ppo.py``: it runs in both forms, and it learns what it says."""

import subprocess
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pytest
import torch

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "examples"))

import maskable_ppo as example  # noqa: E402

GAMES = ("dracheninsel", "isla-dorada")


def run(*options, folder=None):
    command = [sys.executable, "-W", "error", str(ROOT / "examples" / "maskable_ppo.py"), *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("kind", ("--vec", "--single"))
@pytest.mark.parametrize("game", GAMES)
def test_it_runs_without_a_warning_and_says_what_it_learnt(game, kind, tmp_path):
    options = ("--steps", "256", "--rollout", "128", "--games", "8", "--threads", "1", "--evaluate-games", "8")
    done = run("--game", game, kind, *options, "--opponents", "acting", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "before training" in done.stdout and "after training" in done.stdout
    assert done.stdout.count("of 8 games against random") == 2
    assert "256 decisions in" in done.stdout
    assert not list(tmp_path.iterdir())


def test_the_clock_ends_it():
    done = run("--minutes", "0.001", "--rollout", "64", "--games", "8", "--threads", "1", "--evaluate-games", "4")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("training: wins") == 2


def test_a_limit_is_asked_for():
    done = run()
    assert done.returncode == 1 and "give --minutes or --steps" in done.stderr


@pytest.mark.parametrize("game", GAMES)
def test_truncated_games_have_ended_for_the_model(game):
    name, _ = example.GAMES[game]
    short = {"dracheninsel": {"max_turns": 2}, "isla-dorada": {"max_rounds": 1}}[game]
    inner = gymnasium.make(name, **short)
    env = example.CutOffIsTheEnd(inner)
    env.reset(seed=1)
    over = False
    while not over:
        action = np.flatnonzero(env.get_wrapper_attr("action_masks")())[0]
        _, _, over, truncated, _ = env.step(action)
        assert not truncated
    assert inner.unwrapped.position.is_truncated


def test_it_learns_to_beat_players_at_random():
    torch.set_num_threads(1)
    before, after = example.learn(example.arguments().parse_args(["--steps", "40000", "--threads", "1"]))
    assert after.win_share.low > before.win_share.mean and after.win_share.low > 0.25
