"""Self-play in TorchRL: one network plays every seat of the AEC environment and learns by PPO.

    python examples/torchrl_selfplay.py --game isla-dorada --minutes 2

Needs the extra ``torchrl``. What is printed is the share of the wins in one seat against ``--against``, before and
after, with its 95 % interval.

``PettingZooWrapper`` shows all seats at every step: who decides is in ``("agents", "mask")``, what is legal for that
seat in ``("agents", "action_mask")``. What a seat earns on the turns of others is in the reward of that step, and so
the generalised advantages run over all steps of all seats; the policy learns from the steps in which its seat decides,
the values from all. Games are short of signals, so the reward is the gain of each step, which sums to the score.
Truncated games are paid like all others, so that every end counts as one.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch.nn import functional
from torchrl.envs import MarlGroupMapType
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from dracheninsel_env import dracheninsel_v0
from isla_dorada_env import isla_dorada_v0
from island_core.arena import Tournament

MODULES: dict[str, Any] = {"dracheninsel": dracheninsel_v0, "isla-dorada": isla_dorada_v0}

# Where things are: all seats are one group, called "agents".
SEEN = ("agents", "observation", "observation")
LEGAL = ("agents", "action_mask")
DECIDES = ("agents", "mask")
LOGITS = ("agents", "logits")
ACTION = ("agents", "action")
LOG_PROBABILITY = ("agents", "action_log_prob")
VALUE = ("agents", "state_value")
ADVANTAGE = ("agents", "advantage")
TARGET = ("agents", "value_target")

LONGEST = 10**6
"""More decisions than a game has."""


def make_env(game: str, seed: int, **options: Any) -> PettingZooWrapper:
    """The AEC environment for TorchRL."""
    raw = MODULES[game].raw_env(**options)
    return PettingZooWrapper(raw, group_map=MarlGroupMapType.ALL_IN_ONE_GROUP, use_mask=True, seed=seed)


class NetworkPolicy:
    """The network as a policy of the arena: the likeliest legal action."""

    name = "torchrl"

    def __init__(self, network: MLP) -> None:
        self.network = network

    def act_batch(
        self, observation: NDArray[np.float32], action_mask: NDArray[np.int8], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """The ids of its actions, ``[B]``."""
        with torch.no_grad():
            logits = self.network(torch.from_numpy(observation))
        actions: NDArray[np.int64] = logits.masked_fill(torch.from_numpy(action_mask) == 0, -1e9).argmax(-1).numpy()
        return actions


class Learner:
    """Environment, network, and what TorchRL needs to train it."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.given = given
        torch.manual_seed(given.seed)
        self.env = make_env(given.game, given.seed, num_players=given.players, reward=given.reward)
        size, actions = self.env.observation_spec[SEEN].shape[-1], self.env.observation_spec[LEGAL].shape[-1]
        shape = {"num_cells": [given.width, given.width], "activation_class": torch.nn.Tanh}
        self.network = MLP(in_features=size, out_features=actions, **shape)
        self.actor = ProbabilisticActor(
            TensorDictModule(self.network, in_keys=[SEEN], out_keys=[LOGITS]),
            in_keys={"logits": LOGITS, "mask": LEGAL},
            out_keys=[ACTION],
            spec=self.env.full_action_spec,
            distribution_class=MaskedCategorical,
            return_log_prob=True,
            log_prob_key=LOG_PROBABILITY,
        )
        self.critic = TensorDictModule(MLP(in_features=size, out_features=1, **shape), in_keys=[SEEN], out_keys=[VALUE])
        # Nothing is discounted: what counts is the sum.
        self.advantages = GAE(gamma=1.0, lmbda=given.trace, value_network=self.critic)
        self.advantages.set_keys(
            value=VALUE,
            advantage=ADVANTAGE,
            value_target=TARGET,
            reward=("agents", "reward"),
            done=("agents", "done"),
            terminated=("agents", "terminated"),
        )
        self.loss = ClipPPOLoss(self.actor, None, entropy_coeff=given.entropy, normalize_advantage=True)
        self.loss.set_keys(action=ACTION, sample_log_prob=LOG_PROBABILITY, advantage=ADVANTAGE)
        parameters = [*self.actor.parameters(), *self.critic.parameters()]
        self.optimizer = torch.optim.Adam(parameters, lr=given.rate)
        self.decisions = 0

    def play(self) -> Any:
        """Whole games of as many decisions as an update asks for, one after the other in a tensordict ``[T]``."""
        games: list[Any] = []
        with torch.no_grad():
            while sum(map(len, games)) < self.given.rollout:
                games.append(self.env.rollout(LONGEST, self.actor))
        steps = torch.cat(games)
        self.decisions += len(steps)
        steps["next", "agents", "terminated"] = steps["next", "agents", "done"].clone()
        return steps

    def learn(self, steps: Any) -> None:
        """Some epochs of PPO."""
        with torch.no_grad():
            self.advantages(steps)
        # The policy learns from the one seat that decides at each step, the values from all seats.
        decided = TensorDict({"agents": steps["agents"][steps[DECIDES]]}, batch_size=[len(steps)])
        for _ in range(self.given.epochs):
            for part in torch.randperm(len(steps)).split(self.given.batch):
                valued = self.critic(steps[part])
                losses = self.loss(decided[part])
                loss = losses["loss_objective"] + losses["loss_entropy"]
                loss = loss + functional.mse_loss(valued[VALUE], steps[TARGET][part])
                self.optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.optimizer.param_groups[0]["params"], 0.5)
                self.optimizer.step()

    def evaluate(self) -> Any:
        """What the arena says of the network in one seat, its standing; the share of the wins is printed."""
        given = self.given
        game = MODULES[given.game].Game(num_players=given.players)
        line_up = [NetworkPolicy(self.network), *[given.against] * (given.players - 1)]
        report = Tournament(game, line_up, given.evaluate_games, given.seed + 1_000_003, side_by_side=256).run()
        standing = report.standing(NetworkPolicy.name)
        won = standing.win_share
        share = f"wins {won.mean:.1%} [{won.low:.1%}, {won.high:.1%}] of {standing.games} games"
        print(f"after {self.decisions:,} decisions: {share} against {given.against}", flush=True)
        return standing

    def train(self) -> None:
        """Play and learn until the time, or the number of decisions, is over."""
        given, start = self.given, time.perf_counter()
        until = start + 60 * given.minutes if given.minutes else float("inf")
        while time.perf_counter() < until and self.decisions < (given.steps or float("inf")):
            self.learn(self.play())
        seconds = time.perf_counter() - start
        print(f"{self.decisions:,} decisions in {seconds:.0f} s, {self.decisions / seconds:,.0f} a second", flush=True)


def arguments() -> argparse.ArgumentParser:
    """What can be chosen."""
    parser = argparse.ArgumentParser(description="Self-play in TorchRL.", allow_abbrev=False)
    parser.add_argument("--game", choices=tuple(MODULES), default="isla-dorada")
    parser.add_argument("--players", type=int, default=4, help="3 to 6")
    parser.add_argument("--reward", choices=("win", "score", "rank", "gain"), default="gain")
    parser.add_argument("--minutes", type=float, default=0.0, help="of training; 0: no limit")
    parser.add_argument("--steps", type=int, default=0, help="decisions to train with; 0: no limit")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1, help="of torch; networks this small gain nothing by more")
    parser.add_argument("--rollout", type=int, default=1024, help="decisions between updates, at least")
    parser.add_argument("--epochs", type=int, default=8, help="how often each decision is learnt from")
    parser.add_argument("--batch", type=int, default=256, help="decisions in a step of the optimiser")
    parser.add_argument("--width", type=int, default=128, help="of the hidden layers")
    parser.add_argument("--rate", type=float, default=3e-4, help="step size")
    parser.add_argument("--trace", type=float, default=0.9, help="lambda of the generalised advantages, a step")
    parser.add_argument("--entropy", type=float, default=0.002, help="bonus for undecided choices")
    parser.add_argument("--evaluate-games", type=int, default=200)
    parser.add_argument("--against", default="random", help="who sits in the other seats when it is evaluated")
    return parser


def main() -> None:
    """Read the arguments and train."""
    given = arguments().parse_args()
    if not given.minutes and not given.steps:
        raise SystemExit("torchrl_selfplay: give --minutes or --steps")
    torch.set_num_threads(given.threads)
    learner = Learner(given)
    learner.evaluate()
    learner.train()
    learner.evaluate()


if __name__ == "__main__":
    main()
