"""Play one game at random through PettingZoo and print how it ended.

    python examples/random_game.py [--players P] [--seed S]

The players choose among the acts they can begin and end their turns only when there is none: choosing evenly among all
legal actions, `stop` included, hardly ever brings a treasure home.
"""

from __future__ import annotations

import argparse

import numpy as np

from dracheninsel_env import dracheninsel_v0


def play(players: int, seed: int) -> None:
    """Play one game and print the moves that brought coins, the result and the final table."""
    env = dracheninsel_v0.env(num_players=players, max_turns=2000)
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    decisions = 0
    for agent in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        if termination or truncation:
            env.step(None)
            continue
        legal = np.flatnonzero(observation["action_mask"])
        names = {int(action): env.position.action_name(int(action)) for action in legal}
        acts = [action for action, name in names.items() if name not in ("stop", "done") and "discard" not in name]
        action = int(rng.choice(acts or list(names)))
        coins = env.position.scores
        env.step(action)
        decisions += 1
        if env.position.scores != coins:
            print(f"decision {decisions}: {agent} plays {names[action]!r}; coins are now {env.position.scores}")

    position = env.position
    print(f"\n{'truncated' if position.is_truncated else 'over'} after {decisions} decisions")
    for seat, agent in enumerate(env.possible_agents):
        crown = "  wins" if seat in position.winners else ""
        print(f"{agent}  {position.scores[seat]:5}  rank {position.ranks[seat]:g}{crown}")
    print(f"\n{position}")


def main() -> None:
    """Read the arguments and play."""
    parser = argparse.ArgumentParser(description="Play one game at random and print how it ended.")
    parser.add_argument("--players", type=int, default=4, help="3 to 6")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    play(arguments.players, arguments.seed)


if __name__ == "__main__":
    main()
