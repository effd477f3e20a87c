"""Play one game of Isla Dorada at random and print where the expedition went and who paid for it.

    python examples/expedition.py [--players P] [--seed S] [--cooperative]

It uses the rules object alone, without PettingZoo, and reads what happened from the events of the position.
"""

from __future__ import annotations

import argparse

import numpy as np

from isla_dorada_env import isla_dorada_v0

TOLD = ("winner", "stay", "move", "marker", "return", "curse laid", "treasure laid", "telegram")


def tell(event: dict[str, object], round_number: int) -> str:
    """One event in words."""
    details = [str(value) for key, value in event.items() if key not in ("event", "player", "seen_by")]
    return f"round {round_number:2}: {event.get('player', '-'):8}  {event['event']}: {', '.join(details)}"


def play(players: int, seed: int, cooperative: bool) -> None:
    """Play one game and print the rounds, the result and the final table."""
    game = isla_dorada_v0.Game(num_players=players, cooperative_bidding=cooperative)
    position = game.new(seed)
    rng = np.random.default_rng(seed)
    while not position.is_over:
        before = position.num_events
        round_number = position.to_dict()["round"]["number"] + 1
        position.step(position.sample(rng))
        new = position.num_events - before
        for event in position.to_dict()["events"]["last"][-new:] if new else []:
            if event["event"] in TOLD:
                print(tell(event, round_number))

    for seat in range(players):
        crown = "  wins" if seat in position.winners else ""
        print(f"player_{seat}  {position.scores[seat]:5}  rank {position.ranks[seat]:g}{crown}")
    print(f"\n{position}")


def main() -> None:
    """Read the arguments and play."""
    parser = argparse.ArgumentParser(description="Play one game of Isla Dorada at random and print its rounds.")
    parser.add_argument("--players", type=int, default=4, help="3 to 6")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cooperative", action="store_true", help="cooperative bidding")
    arguments = parser.parse_args()
    play(arguments.players, arguments.seed, arguments.cooperative)


if __name__ == "__main__":
    main()
