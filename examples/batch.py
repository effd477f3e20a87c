"""Learn one preference for each action by hill climbing, on many games of Isla Dorada at once.

    python examples/batch.py [--games N] [--rounds R] [--players P] [--seed S] [--threads T]

Player 0 chooses among the legal actions with probabilities that grow with the preferences; the others choose at random.
In every round the preferences are changed a little, all games are played to their end, and the change is kept if the
mean reward has grown. The same seed deals the same games, so that rounds compare.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from isla_dorada_env import isla_dorada_v0


def evaluate(env: isla_dorada_v0.BatchEnv, preferences: Any, seed: int) -> tuple[float, float]:
    """Play every game once; the mean reward and the share of the wins of player 0."""
    rng = np.random.default_rng(seed)
    step = env.reset(seed=seed)
    running = np.ones(env.num_envs, np.bool_)
    reward = won = 0.0
    while running.any():
        actions = env.sample_actions()
        mine = np.flatnonzero(step.current_player == 0)
        noise = rng.gumbel(size=(len(mine), len(preferences)))
        actions[mine] = np.where(step.action_mask[mine], preferences + noise, -np.inf).argmax(axis=1)
        step = env.step(actions)
        # A game that ends begins anew in the same step; only its first episode counts.
        first = running[step.infos["final_games"]]
        reward += step.infos["episode_return"][first, 0].sum()
        won += step.infos["episode_winner_share"][first, 0].sum()
        running[step.infos["final_games"]] = False
    return reward / env.num_envs, won / env.num_envs


def learn(games: int, rounds: int, players: int, seed: int, threads: int) -> None:
    """Climb and print."""
    env = isla_dorada_v0.batch_env(
        games, num_players=players, reward="score", obs_dtype="int8", copy=False, threads=threads
    )
    rng = np.random.default_rng(seed)
    best = np.zeros(int(env.single_action_space.n))
    reward, share = evaluate(env, best, seed)
    print(f"at random: mean reward {reward:+.3f}, {share:.0%} of the wins")
    for number in range(1, rounds + 1):
        changed = best + rng.normal(size=best.shape)
        found, share = evaluate(env, changed, seed)
        kept = found > reward
        if kept:
            best, reward = changed, found
        print(f"round {number}: mean reward {found:+.3f}, {share:.0%} of the wins{'  kept' if kept else ''}")
    env.close()
    print(f"mean reward after {rounds} rounds, on the games learnt from: {reward:+.3f}")


def main() -> None:
    """Read the arguments and learn."""
    parser = argparse.ArgumentParser(description="Learn preferences for the actions of Isla Dorada by hill climbing.")
    parser.add_argument("--games", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--players", type=int, default=4, help="3 to 6")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    learn(arguments.games, arguments.rounds, arguments.players, arguments.seed, arguments.threads)


if __name__ == "__main__":
    main()
