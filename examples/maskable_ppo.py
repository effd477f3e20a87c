"""MaskablePPO of sb3-contrib in one seat, against policies in all others.

    python examples/maskable_ppo.py --game isla-dorada --minutes 2
    python examples/maskable_ppo.py --single --opponents acting --steps 20000

Needs the extra ``sb3``. With ``--vec``, the default, 64 games are a ``VecEnv`` that one call into the kernels steps;
with ``--single`` the Gymnasium environment of one seat is what is trained in. What is printed is the share of the wins
in one seat against ``--against``, before and after, with its 95 % interval.

The legal actions reach the model by ``action_masks()``, so that the observation does without them (``mask_in="info"``);
whoever asks the model afterwards hands them over as well. What counts is the end, so nothing is discounted. The reward
is the gain since the last decision, others' turns included, which sums to the score: ``--reward win`` says more exactly
what is wanted, but only once a game. Truncated games are paid like all others, so their ends are told as ends.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import gymnasium
import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

import dracheninsel_env
import isla_dorada_env
from island_core.adapters.sb3 import SB3VecEnv
from island_core.arena import Tournament

GAMES: dict[str, tuple[str, Any]] = {
    "dracheninsel": ("Dracheninsel-v0", dracheninsel_env.dracheninsel_v0),
    "isla-dorada": ("IslaDorada-v0", isla_dorada_env.isla_dorada_v0),
}

FOREVER = 10**12
"""Decisions that nobody trains for."""


class CutOffIsTheEnd(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Truncated games are told to have ended: they are paid, and nothing is to be added for what would follow."""

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """As of the environment within, never truncated."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return observation, reward, terminated or truncated, False, info


class Deadline(BaseCallback):  # type: ignore[misc]
    """Ends the training after so many minutes; 0: never."""

    def __init__(self, minutes: float) -> None:
        super().__init__()
        self.until = time.perf_counter() + 60 * minutes if minutes else float("inf")

    def _on_step(self) -> bool:
        return time.perf_counter() < self.until


class ModelPolicy:
    """The model as a policy of the arena: the likeliest legal action."""

    name = "maskable_ppo"

    def __init__(self, model: Any) -> None:
        self.model = model

    def act_batch(
        self, observation: NDArray[np.float32], action_mask: NDArray[np.int8], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """The ids of its actions, ``[B]``."""
        actions, _ = self.model.predict(observation, action_masks=action_mask.astype(np.bool_), deterministic=True)
        return np.asarray(actions, np.int64)


def make_env(given: argparse.Namespace) -> Any:
    """What is trained in."""
    options = {
        "opponents": given.opponents,
        "seat": "random",
        "reward": given.reward,
        "mask_in": "info",
        "num_players": given.players,
    }
    name, _ = GAMES[given.game]
    if given.vec:
        many: Any = gymnasium.make_vec(name, num_envs=given.games, **options)
        return SB3VecEnv(many, truncated_is_over=True)
    return CutOffIsTheEnd(gymnasium.make(name, **options))


def make_model(env: Any, given: argparse.Namespace) -> Any:
    """MaskablePPO with as many decisions in a rollout, whatever the number of games."""
    games = given.games if given.vec else 1
    return MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=max(2, given.rollout // games),
        batch_size=min(given.rollout, 1024),
        n_epochs=4,
        learning_rate=1e-3,
        gamma=1.0,
        ent_coef=0.005,
        policy_kwargs={"net_arch": [128, 128]},
        seed=given.seed,
        device="cpu",
    )


def win_share(model: Any, given: argparse.Namespace) -> Any:
    """What the arena says of the model in one seat: its standing."""
    game = GAMES[given.game][1].Game(num_players=given.players)
    line_up = [ModelPolicy(model), *[given.against] * (given.players - 1)]
    report = Tournament(game, line_up, given.evaluate_games, seed=given.seed + 1_000_003, side_by_side=256).run()
    return report.standing(ModelPolicy.name)


def say(when: str, standing: Any, given: argparse.Namespace) -> None:
    """Print how well the model does."""
    won = standing.win_share
    share = f"wins {won.mean:.1%} [{won.low:.1%}, {won.high:.1%}] of {standing.games} games"
    print(f"{when} training: {share} against {given.against}", flush=True)


def learn(given: argparse.Namespace) -> tuple[Any, Any]:
    """Train, and say what it was good for; gives the standings before and after."""
    env = make_env(given)
    model = make_model(env, given)
    before = win_share(model, given)
    say("before", before, given)
    start = time.perf_counter()
    model.learn(given.steps or FOREVER, callback=Deadline(given.minutes))
    seconds = time.perf_counter() - start
    env.close()
    print(f"{model.num_timesteps:,} decisions in {seconds:.0f} s, {model.num_timesteps / seconds:,.0f} a second")
    after = win_share(model, given)
    say("after", after, given)
    return before, after


def arguments() -> argparse.ArgumentParser:
    """What can be chosen."""
    parser = argparse.ArgumentParser(description="MaskablePPO of sb3-contrib in one seat.", allow_abbrev=False)
    parser.add_argument("--game", choices=tuple(GAMES), default="isla-dorada")
    parser.add_argument("--players", type=int, default=4, help="3 to 6")
    parser.add_argument("--opponents", default="random", help="a policy by name: who plays the other seats")
    parser.add_argument("--reward", choices=("win", "score", "rank", "gain"), default="gain")
    parser.add_argument("--minutes", type=float, default=0.0, help="of training; 0: no limit")
    parser.add_argument("--steps", type=int, default=0, help="decisions to train with; 0: no limit")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1, help="of torch; networks this small gain nothing by more")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--vec", action="store_true", default=True, help="many games in one VecEnv (the default)")
    kind.add_argument("--single", dest="vec", action="store_false", help="one game")
    parser.add_argument("--games", type=int, default=64, help="games side by side, with --vec")
    parser.add_argument("--rollout", type=int, default=8192, help="decisions between updates")
    parser.add_argument("--evaluate-games", type=int, default=200)
    parser.add_argument("--against", default="random", help="who sits in the other seats when it is evaluated")
    return parser


def main() -> None:
    """Read the arguments and train."""
    given = arguments().parse_args()
    if not given.minutes and not given.steps:
        raise SystemExit("maskable_ppo: give --minutes or --steps")
    torch.set_num_threads(given.threads)
    learn(given)


if __name__ == "__main__":
    main()
