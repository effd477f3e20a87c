"""Search in hidden information: one seat of Isla Dorada thinks, the others act at random.

    python examples/search.py [--simulations N] [--players P] [--seed S]

First it shows what the search thinks of one decision, and that a world the seat cannot tell from the true one gets the
same answer. Then it plays the game to its end, and a second one in which everybody searches.
"""

from __future__ import annotations

import argparse

import numpy as np

from isla_dorada_env import isla_dorada_v0
from island_core.position import Position
from island_core.search import Search


def first_choice(game: isla_dorada_v0.Game, seed: int, least: int) -> Position:
    """The first position of a game with at least so many legal actions."""
    position = game.new(seed)
    generator = np.random.default_rng(seed)
    while len(position.legal_actions()) < least:
        position.step(position.sample(generator))
    return position


def main() -> None:
    """Read the arguments, show and play."""
    parser = argparse.ArgumentParser(description="Search in hidden information, with Isla Dorada.")
    parser.add_argument("--simulations", type=int, default=200, help="simulations a decision")
    parser.add_argument("--players", type=int, default=4, help="3 to 6")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    game = isla_dorada_v0.Game(num_players=arguments.players)
    search = Search(game, simulations=arguments.simulations, seed=arguments.seed)
    position = first_choice(game, arguments.seed, least=4)
    result = search.run(position)
    search.explain()

    seat = result.seat
    world = position.determinize(seat, seed=7)
    name = world.action_name(search.run(world).action)
    print(f"\nin another world that player_{seat} cannot tell from this one: {name}")
    if name != position.action_name(result.action):
        raise RuntimeError("the search has looked at hidden cards")

    for opponents in ("random", f"ismcts:{arguments.simulations // 4 or 1}"):
        env = isla_dorada_v0.SingleSeatEnv(num_players=arguments.players, opponents=opponents, seat=0)
        env.reset(seed=arguments.seed)
        over = False
        while not over:
            _, _, terminated, truncated, _ = env.step(search.run(env.position).action)
            over = terminated or truncated
        end = env.position
        print(f"player_0 searches, the others are {opponents}: scores {end.scores}, winners {end.winners}")


if __name__ == "__main__":
    main()
