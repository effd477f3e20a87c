"""One seat in each of many games of Isla Dorada through Gymnasium: learn preferences for actions by policy gradients.

    python examples/gymnasium_vector.py [--envs N] [--updates U] [--rate R] [--seed S]

The policy has one preference for each action and chooses among the legal ones with probabilities that grow with them
(REINFORCE, with the mean return as baseline). The opponents choose at random inside the compiled rules, in the one call
that steps all games. In every update the first episode of each game counts; Gymnasium's wrapper counts all of them.
What is printed is the mean return with its standard error: 0 is what equal players get.
"""

from __future__ import annotations

import argparse
from typing import Any

import gymnasium
import numpy as np
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from numpy.typing import NDArray

import isla_dorada_env  # noqa: F401 - makes IslaDorada-v0 known


def chances_of(preferences: NDArray[np.float64], masks: NDArray[np.bool_]) -> NDArray[np.float64]:
    """What the policy chooses with, ``[N, A]``; 0 for what is not legal."""
    weights = np.where(masks, np.exp(preferences - preferences.max()), 0.0)
    shares: NDArray[np.float64] = weights / weights.sum(axis=1, keepdims=True)
    return shares


def learn(num_envs: int, updates: int, rate: float, seed: int) -> None:
    """Play, update, print."""
    inner: Any = gymnasium.make_vec(
        "IslaDorada-v0", num_envs=num_envs, opponents="random", seat="random", reward="rank", obs_dtype="int8"
    )
    env: Any = RecordEpisodeStatistics(inner, buffer_length=100 * num_envs)
    rng = np.random.default_rng(seed)
    preferences = np.zeros(int(inner.single_action_space.n))
    games = np.arange(num_envs)
    for update in range(1, updates + 1):
        env.reset(seed=seed + update)
        # The gradient of each game's running episode, and of those that have ended, with their returns.
        running = np.zeros((num_envs, len(preferences)))
        ended: list[NDArray[np.float64]] = []
        returns: list[float] = []
        waiting = np.ones(num_envs, np.bool_)
        while waiting.any():
            chances = chances_of(preferences, inner.action_masks())
            # A draw from the chances: the first action up to which they sum to more than a random number.
            actions = (chances.cumsum(axis=1) > rng.random((num_envs, 1)) * (1 - 1e-9)).argmax(axis=1)
            running -= chances
            running[games, actions] += 1.0
            _, rewards, terminated, truncated, _ = env.step(actions)
            for i in np.flatnonzero((terminated | truncated) & waiting):
                ended.append(running[i].copy())
                returns.append(float(rewards[i]))
                waiting[i] = False
            running[terminated | truncated] = 0.0
        advantages = np.array(returns) - np.mean(returns)
        preferences += rate * advantages @ np.array(ended) / num_envs
        error = np.std(returns) / np.sqrt(num_envs)
        print(f"update {update}: {env.episode_count} games so far, mean return {np.mean(returns):+.3f} +- {error:.3f}")
    env.close()


def main() -> None:
    """Read the arguments and learn."""
    parser = argparse.ArgumentParser(description="REINFORCE in many games of Isla Dorada through Gymnasium.")
    parser.add_argument("--envs", type=int, default=512)
    parser.add_argument("--updates", type=int, default=15)
    parser.add_argument("--rate", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    learn(arguments.envs, arguments.updates, arguments.rate, arguments.seed)


if __name__ == "__main__":
    main()
