"""Play one game of Isla Dorada through PettingZoo's parallel interface, where every seat acts at every step.

    python examples/parallel.py [--players P] [--seed S]

Nobody asks whose turn it is: each agent draws from its own mask, and the mask of an agent who has nothing to decide
allows the no-op alone. So a trainer for games of simultaneous moves can play a game of turns.
"""

from __future__ import annotations

import argparse
from collections import Counter

import numpy as np

from isla_dorada_env import isla_dorada_v0


def play(players: int, seed: int) -> None:
    """Play one game and print how often each agent decided, what it got, and the final table."""
    env = isla_dorada_v0.parallel_env(num_players=players, reward="gain")
    rng = np.random.default_rng(seed)
    observations, _ = env.reset(seed=seed)
    steps = 0
    decided: Counter[str] = Counter()
    returns = dict.fromkeys(env.agents, 0.0)
    while env.agents:
        actions = {agent: int(rng.choice(np.flatnonzero(observations[agent]["action_mask"]))) for agent in env.agents}
        decided.update(agent for agent, action in actions.items() if action != env.noop)
        observations, rewards, _, _, _ = env.step(actions)
        steps += 1
        for agent, reward in rewards.items():
            returns[agent] += reward

    print(f"{steps} steps, one decision each")
    for seat, agent in enumerate(env.possible_agents):
        crown = "  wins" if seat in env.position.winners else ""
        print(
            f"{agent}  decided {decided[agent]:3}  points {env.position.scores[seat]:4}  {returns[agent]:+.2f}{crown}"
        )
    print(f"\n{env.position}")


def main() -> None:
    """Read the arguments and play."""
    parser = argparse.ArgumentParser(description="Play one game of Isla Dorada through the parallel interface.")
    parser.add_argument("--players", type=int, default=4, help="3 to 6")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    play(arguments.players, arguments.seed)


if __name__ == "__main__":
    main()
