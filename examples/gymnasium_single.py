"""One seat of Isla Dorada through Gymnasium: how well two simple policies do against three kinds of opponents.

    python examples/gymnasium_single.py [--games N] [--seed S]

Opponents with a name play inside the compiled rules; others are Python: a callable that gets the observation and the
mask, or an object with ``act(position, rng)`` that may ask the position for names. The learner's seat is drawn for each
game. What is printed is the mean reward of the learner with its standard error: 0 is what equal players get.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

import isla_dorada_env  # noqa: F401 - makes IslaDorada-v0 known

Learner = Callable[[NDArray[np.bool_], np.random.Generator], int]


class Stingy:
    """An opponent that passes whenever it may."""

    name = "stingy"

    def act(self, position: Any, rng: np.random.Generator) -> int:
        """Pass, or anything."""
        legal = dict(zip(position.legal_names(), position.legal_actions(), strict=True))
        return int(legal.get("pass", rng.choice(list(legal.values()))))


def lowest(observation: dict[str, NDArray[Any]], action_mask: NDArray[np.int8]) -> int:
    """An opponent that takes the first legal action."""
    return int(np.flatnonzero(action_mask)[0])


def anything(mask: NDArray[np.bool_], rng: np.random.Generator) -> int:
    """A learner that takes any legal action."""
    return int(rng.choice(np.flatnonzero(mask)))


def last(mask: NDArray[np.bool_], rng: np.random.Generator) -> int:
    """A learner that takes the last legal action: mostly that is to pass, to let be, or to draw from the deck."""
    return int(np.flatnonzero(mask)[-1])


def mean_reward(opponents: Any, learner: Learner, games: int, seed: int) -> tuple[float, float]:
    """The learner's mean reward over so many games, and its standard error."""
    env = gymnasium.make("IslaDorada-v0", opponents=opponents, seat="random", reward="rank")
    masks = env.get_wrapper_attr("action_masks")
    rng = np.random.default_rng(seed)
    rewards = []
    for game in range(games):
        env.reset(seed=seed if game == 0 else None)
        total, over = 0.0, False
        while not over:
            _, reward, terminated, truncated, _ = env.step(learner(masks(), rng))
            total += float(reward)
            over = terminated or truncated
        rewards.append(total)
    env.close()
    return float(np.mean(rewards)), float(np.std(rewards) / np.sqrt(games))


def main() -> None:
    """Read the arguments and play."""
    parser = argparse.ArgumentParser(description="One seat of Isla Dorada through Gymnasium.")
    parser.add_argument("--games", type=int, default=40, help="games of each pairing")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    mixed = {"player_0": "acting", "player_1": Stingy(), "player_2": lowest, "player_3": "random"}
    tables: dict[str, Any] = {"random": "random", "acting": "acting", "mixed": mixed}
    learners: dict[str, Learner] = {"anything": anything, "last": last}
    for table, opponents in tables.items():
        for name, learner in learners.items():
            mean, error = mean_reward(opponents, learner, arguments.games, arguments.seed)
            print(f"learner {name:8}  against {table:6}  rank reward {mean:+.2f} +- {error:.2f}")


if __name__ == "__main__":
    main()
