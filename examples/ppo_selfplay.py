"""Masked PPO by self-play: one network plays every seat, against itself, its past selves and rules of thumb.

    python examples/ppo_selfplay.py --game isla-dorada --minutes 30 --folder runs/isla
    python examples/ppo_selfplay.py --game isla-dorada --minutes 30 --folder runs/isla   # the same again: goes on

Needs the extra ``train`` (torch). In FOLDER: ``checkpoint.pt`` (everything that the run is made of, so that it goes on
after a kill), ``progress.csv`` and ``curve.png`` (how it went), ``policy.npz`` (the weights; ``NetworkPolicy``
of ``island_core.network`` plays by them, without torch).

The first part of a run imitates the best rule of thumb, whose advice costs next to nothing: every decision is new and
is learnt from once. At first its own moves are played, later more and more of the network's, so that the network sees
where its mistakes lead (DAgger: S. Ross et al., AISTATS 2011). The value of a position is learnt on the way.

The rest is PPO (J. Schulman et al., arXiv 1707.06347) with generalised advantages (arXiv 1506.02438) and masked
logits (S. Huang, S. Ontanon, arXiv 2006.14171). What is paid is the lead over the others, when it changes; nothing is
discounted. A seat's steps are its own decisions: what others do in between belongs to what it waits for. The
teacher's advice stays part of the loss and fades (kickstarting: S. Schmitt et al., arXiv 1803.03835). Opponents are
drawn for each game: in a part of them everybody is the network, in the others some seats are played by a rule of
thumb or a past self (fictitious self-play: J. Heinrich et al., ICML 2015).

With ``--iterations`` in place of ``--minutes`` and one thread a run depends on its seed alone.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
from torch import nn
from torch.nn import functional

from dracheninsel_env import dracheninsel_v0
from isla_dorada_env import isla_dorada_v0
from island_core.arena import Tournament
from island_core.network import packed_file

MODULES: dict[str, Any] = {"dracheninsel": dracheninsel_v0, "isla-dorada": isla_dorada_v0}
PLACES: dict[str, dict[int, str]] = {
    "dracheninsel": {},
    "isla-dorada": {19: "place", 54: "treasure", 36: "treasure but bonus"},
}
"""How long an axis of an observation's section, or of a block of actions, is that runs over the places of the board or
over things of places, and the argument of actions that has the words of its entries; these begin with the place. The
first argument is that of the places themselves.

None for Die Dracheninsel: what its actions mean depends on where a hunter stands, and a network without places, which
is more than twice as fast, learnt more in the same time.
"""
ASKED = 8
"""Numbers that the first layer says of each place."""
LEARNER = -1
"""In place of the number of an opponent: the network that learns."""


@dataclass(frozen=True)
class Settings:
    """What a run depends on. A run goes on with the settings it began with."""

    game: str = "isla-dorada"
    players: int = 4
    seed: int = 0
    reward: str = "gain"
    minutes: float = 0.0
    iterations: int = 0
    threads: int = 2
    games: int = 256
    steps: int = 512
    width: int = 256
    blocks: int = 1
    channels: int = 32
    imitate_batch: int = 1024
    batch: int = 4096
    teacher: str = "planner"
    imitate: float = 0.25
    imitate_rate: float = 3e-3
    own: float = 0.2
    rate: float = 8e-4
    epochs: int = 1
    clip: float = 0.2
    entropy: float = 0.0
    kick: float = 0.05
    trace: float = 0.95
    mixed: float = 0.75
    opponents: str = "greedy,planner"
    past_every: int = 50
    past_kept: int = 4
    evaluate_every: int = 25
    evaluate_games: int = 400
    evaluate_against: str = "greedy"


HELP = {
    "reward": "`gain`: the lead over the others as it grows, `win`, `score` or `rank`",
    "minutes": "wall time of the run; 0: no limit",
    "iterations": "iterations of the run; 0: no limit",
    "threads": "of torch and of the environment",
    "games": "games side by side",
    "steps": "decisions of each game in an iteration; in about a game's length all its stages are learnt from at once",
    "width": "of the hidden layers",
    "blocks": "residual blocks after the first layer",
    "channels": "numbers kept of each place of the board, in the games of PLACES; 0: none",
    "imitate_batch": "decisions in a step of the optimiser then",
    "batch": "the same in PPO",
    "teacher": "who is imitated first",
    "imitate": "share of the run that imitates",
    "imitate_rate": "step size then, falls to a fiftieth",
    "own": "share of the moves that are the network's own at the end of that, from none",
    "rate": "step size of PPO, falls to a tenth",
    "epochs": "how often PPO learns from each decision",
    "clip": "how far a probability may move in an iteration",
    "entropy": "bonus for undecided choices, falls to a tenth",
    "kick": "weight of the teacher's advice in PPO, falls to nothing",
    "trace": "lambda of the generalised advantages",
    "mixed": "share of the games in which other policies sit, too",
    "opponents": "names of the rules of thumb among them",
    "past_every": "iterations between past selves that are kept",
    "past_kept": "number of past selves",
    "evaluate_every": "iterations between evaluations",
    "evaluate_games": "games of an evaluation",
    "evaluate_against": "who sits in all other seats then",
}


def by_place(game: Any, axes: dict[int, str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What the tables of a game have of each place of its board.

    ``[places, F]``: where it is told of, in the observation with the action mask behind it; ``[places, T]``: the
    actions that name it. Where a place has less than others the no-op fills the row, which is never legal here.
    """
    table, seen = game.spec.actions, game.spec.observation
    words = {argument.name: argument.values for block in table.blocks for argument in block.args}
    places = words[next(iter(axes.values()))]

    def rows(first: int, shape: tuple[int, ...], none: int) -> list[list[int]]:
        ids = first + np.arange(np.prod(shape, dtype=int)).reshape(shape)
        for axis, length in enumerate(shape):
            if length in axes:
                names = words[axes[length]]
                found = [[i for i, name in enumerate(names) if f"{name} ".startswith(f"{place} ")] for place in places]
                most = max(map(len, found))
                return [
                    [int(row[own[n]]) if n < len(own) else none for own in found]
                    for row in np.moveaxis(ids, axis, -1).reshape(-1, length)
                    for n in range(most)
                ]
        return []

    told = [rows(seen.layout[one.name].start, one.shape, seen.size + table.noop) for one in seen.sections]
    named = [rows(first, block.shape, table.noop) for block, first in zip(table.blocks, table.offset, strict=True)]
    targets = np.array(sum(named, []), np.int64).T
    return np.concatenate([np.array(sum(told, []), np.int64).T, seen.size + targets], 1), targets


class Network(nn.Module):  # type: ignore[misc]
    """What a seat sees -> logits of the actions, and the reward that the seat may expect.

    A first layer, residual blocks ``x <- norm(x + relu(linear(x)))`` (K. He et al., arXiv 1512.03385; J. L. Ba et al.,
    arXiv 1607.06450), and two linear heads. Beside it some numbers are kept of each place of the board, by weights that
    all places share: from what is told of the place and what the first layer asks of it, then mixed across places and
    within each (I. Tolstikhin et al., arXiv 2105.01601). Mean and maximum over the places go into the blocks; actions
    that name a place get a second logit from the place (pointers: O. Vinyals et al., arXiv 1506.03134).

    Products are of bfloat16, which many processors have units for; weights, softmax and losses stay float32
    (D. Kalamkar et al., arXiv 1905.12322).
    """

    def __init__(self, game: Any, axes: dict[int, str], width: int, blocks: int, channels: int) -> None:
        super().__init__()
        largest, actions = game.spec.observation.largest, game.num_actions
        self.scale: torch.Tensor
        self.columns: torch.Tensor
        self.targets: torch.Tensor
        self.near_scale: torch.Tensor
        # Small counts are as they are, for one card more is worth as much as any flag; those of whole decks end at 4.
        scale = np.where(largest <= 10, 1.0, 4.0 / largest)
        self.register_buffer("scale", torch.from_numpy(scale.astype(np.float32)))
        self.first = nn.Linear(len(largest), width)
        self.blocks = nn.ModuleList(nn.Linear(width, width) for _ in range(blocks))
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(blocks))
        self.policy = nn.Linear(width, actions)
        self.value = nn.Linear(width, 1)
        gains = [
            (self.first, 2**0.5),
            *((block, 2**0.5) for block in self.blocks),
            (self.policy, 0.01),
            (self.value, 0.1),
        ]
        self.channels = channels if axes else 0
        if self.channels:
            columns, targets = by_place(game, axes)
            self.places, told = columns.shape
            self.register_buffer("columns", torch.from_numpy(columns))
            self.register_buffer("targets", torch.from_numpy(targets))
            near_scale = np.concatenate([scale, np.ones(actions)])[columns].min(0)
            near_scale = np.concatenate([near_scale, np.ones(ASKED)]).astype(np.float32)
            self.register_buffer("near_scale", torch.from_numpy(near_scale))
            self.ask = nn.Linear(width, self.places * ASKED)
            self.near = nn.Linear(told + ASKED, channels)
            self.across = nn.Linear(self.places, self.places, bias=False)
            self.within = nn.Linear(channels, channels)
            self.within_norm = nn.LayerNorm(channels)
            self.pool = nn.Linear(2 * channels, width)
            self.answer = nn.Linear(channels + width, channels)
            self.place = nn.Linear(channels, targets.shape[1])
            gains += [(self.ask, 1.0), (self.near, 2**0.5), (self.across, 1.0), (self.within, 2**0.5)]
            gains += [(self.pool, 1.0), (self.answer, 2**0.5), (self.place, 0.1)]
        for layer, gain in gains:
            nn.init.orthogonal_(layer.weight, gain)
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)

    def forward(self, counts: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits ``[B, A]`` (of illegal actions: nearly minus infinity) and values ``[B]``, float32."""
        with torch.autocast("cpu", torch.bfloat16):
            hidden = functional.relu(
                functional.linear(counts.bfloat16(), self.first.weight * self.scale, self.first.bias)
            )
            if self.channels:
                places = self._places(counts, mask, hidden)
                pooled = torch.cat([places.mean(1), places.max(1).values], 1)
                hidden = hidden + functional.relu(self.pool(pooled))
            for block, norm in zip(self.blocks, self.norms, strict=True):
                hidden = norm(hidden + functional.relu(block(hidden)))
            logits, values = self.policy(hidden), self.value(hidden)
            if self.channels:
                # One product in place of one on all of [place, hidden]: the latter is the same for every place.
                own, common = self.answer.weight.split([self.channels, hidden.shape[-1]], 1)
                places = functional.linear(places, own) + functional.linear(hidden, common, self.answer.bias)[:, None]
                named = self.targets.flatten().expand(len(counts), -1)
                logits = logits.float().scatter_add(1, named, self.place(functional.relu(places)).flatten(1).float())
        return logits.float().masked_fill(mask == 0, -1e9), values.float().squeeze(-1)

    def _places(self, counts: torch.Tensor, mask: torch.Tensor, hidden: torch.Tensor) -> torch.Tensor:
        """The numbers of each place, ``[B, places, channels]``."""
        seen = torch.cat([counts, mask], 1).gather(1, self.columns.flatten().expand(len(counts), -1)).bfloat16()
        asked = self.ask(hidden).unflatten(1, (self.places, ASKED))
        near = torch.cat([seen.view(-1, *self.columns.shape), asked], 2)
        places = functional.relu(functional.linear(near, self.near.weight * self.near_scale, self.near.bias))
        # A product for each of the batch, in place of one of all: numbers need not be turned round for it.
        places = places + functional.relu(torch.bmm(self.across.weight.expand(len(counts), -1, -1), places))
        return self.within_norm(places + functional.relu(self.within(places)))


def drawn(logits: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """An action for each row of logits, by the Gumbel trick."""
    noise = torch.empty_like(logits).exponential_(generator=generator)
    return (logits - noise.clamp_min_(1e-12).log_()).argmax(-1)


class NetworkPolicy:
    """The network as a policy of the arena."""

    def __init__(self, network: Network, name: str = "ppo") -> None:
        self.network = network
        self.name = name

    def act_batch(
        self, observation: NDArray[np.int8], action_mask: NDArray[np.int8], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """The likeliest legal action."""
        with torch.no_grad():
            logits, _ = self.network(torch.from_numpy(observation), torch.from_numpy(action_mask))
        actions: NDArray[np.int64] = logits.argmax(-1).numpy().astype(np.int64)
        return actions


@dataclass
class Rollout:
    """T steps of B games: what was seen and done, and by whom."""

    seen: NDArray[np.int8]
    masks: NDArray[np.int8]
    actions: NDArray[np.int64]
    labels: NDArray[np.int64]
    logs: NDArray[np.float32]
    values: NDArray[np.float32]
    seats: NDArray[np.int64]
    learnt: NDArray[np.bool_]
    rewards: NDArray[np.float32]
    ended: NDArray[np.bool_]

    @classmethod
    def empty(cls, steps: int, games: int, size: int, actions: int, players: int) -> Rollout:
        """Room for one."""
        two = (steps, games)
        return cls(
            np.empty((*two, size), np.int8),
            np.empty((*two, actions), np.int8),
            np.empty(two, np.int64),
            np.empty(two, np.int64),
            np.empty(two, np.float32),
            np.empty(two, np.float32),
            np.empty(two, np.int64),
            np.empty(two, np.bool_),
            np.empty((*two, players), np.float32),
            np.empty(two, np.bool_),
        )

    def advantages(self, trace: float) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Generalised advantages of the learner's decisions, and which of them are known.

        Unknown are those whose seat has not decided again when the rollout ends. Each seat's decisions are a chain of
        their own: a step back in time belongs to the chain of the seat that decided.
        """
        steps, games = self.actions.shape
        players = self.rewards.shape[-1]
        rows = np.arange(games)
        paid = np.zeros((games, players), np.float32)
        value = np.zeros((games, players), np.float32)
        advantage = np.zeros((games, players), np.float32)
        follows = np.zeros((games, players), np.bool_)
        found = np.zeros((steps, games), np.float32)
        known = np.zeros((steps, games), np.bool_)
        for t in range(steps - 1, -1, -1):
            over = self.ended[t]
            paid[over] = value[over] = advantage[over] = 0.0
            follows[over] = True
            paid += self.rewards[t]
            mine = rows[self.learnt[t]]
            seats = self.seats[t, mine]
            gain = paid[mine, seats] + value[mine, seats] - self.values[t, mine]
            found[t, mine] = gain + trace * advantage[mine, seats]
            known[t, mine] = follows[mine, seats]
            # What follows a decision without a known end is unknown as well, but for the value it begins with.
            advantage[mine, seats] = np.where(known[t, mine], found[t, mine], 0.0)
            value[mine, seats] = self.values[t, mine]
            paid[mine, seats] = 0.0
            follows[mine, seats] = True
        return found, known


class Trainer:
    """A run: the network, its games, its opponents, and how far it is."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        self.settings, self.folder = settings, folder
        module = MODULES[settings.game]
        torch.set_num_threads(settings.threads)
        torch.manual_seed(settings.seed)
        self.noise = torch.Generator().manual_seed(settings.seed)
        self.rng = np.random.default_rng(settings.seed)
        options = {"num_players": settings.players, "reward": settings.reward, "obs_dtype": "int8"}
        self.env = module.batch_env(settings.games, copy=False, threads=settings.threads, **options)
        self.rules = module.Game(num_players=settings.players)
        self.actions = int(self.env.single_action_space.n)
        self.network = self._new_network()
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=settings.rate, eps=1e-5, fused=True)
        self.thumbs = settings.opponents.split(",")
        # Kernels that compile are no part of the time of training.
        twin = module.batch_env(1, **options)
        twin.reset(seed=0)
        for policy in (settings.teacher, *self.thumbs):
            twin.step(twin.sample_actions(policy=policy))
        self.past: list[Network] = []
        self.iteration = 0
        self.decisions = 0
        self.seconds = self.env_seconds = 0.0
        self.rows: list[dict[str, float]] = []
        self.sitting = np.full((settings.games, settings.players), LEARNER)
        size = self.env.single_observation_space.shape[0]
        self.rollout = Rollout.empty(settings.steps, settings.games, size, self.actions, settings.players)
        self.env.reset(seed=settings.seed)
        self._sit_down(np.arange(settings.games))

    def _new_network(self) -> Network:
        settings = self.settings
        return Network(self.rules, PLACES[settings.game], settings.width, settings.blocks, settings.channels)

    # Time

    @property
    def progress(self) -> float:
        """The share of the run that is over."""
        settings = self.settings
        shares = [0.0]
        if settings.iterations:
            shares.append(self.iteration / settings.iterations)
        if settings.minutes:
            shares.append(self.seconds / (60 * settings.minutes))
        return max(shares)

    @property
    def imitating(self) -> bool:
        """Whether the teacher is imitated as yet."""
        return self.progress < self.settings.imitate

    @property
    def phase(self) -> float:
        """The share of the present phase, imitation or PPO, that is over."""
        imitate = self.settings.imitate
        return self.progress / imitate if self.imitating else (self.progress - imitate) / max(1.0 - imitate, 1e-9)

    # Opponents

    def _sit_down(self, games: NDArray[np.int64]) -> None:
        """Draw who plays new games: the learner in every seat, or one or more others in its company."""
        self.sitting[games] = LEARNER
        kinds = len(self.thumbs) + len(self.past)
        mixed = games[self.rng.random(len(games)) < self.settings.mixed]
        if self.imitating or not kinds:
            return
        for game in mixed:
            seats = self.rng.permutation(self.settings.players)
            self.sitting[game] = self.rng.integers(kinds)
            self.sitting[game, seats[: self.rng.integers(1, 3)]] = LEARNER

    # Playing

    def play(self) -> None:
        """Fill the rollout."""
        with torch.no_grad():
            self._play()

    def _play(self) -> None:
        settings, env, out = self.settings, self.env, self.rollout
        rows = np.arange(settings.games)
        imitating = self.imitating
        own = settings.own * self.phase
        labelled = imitating or settings.kick > 0
        out.values[:] = 0.0
        for t in range(settings.steps):
            seats, masks = env.current_player, env.action_mask
            out.seen[t], out.masks[t], out.seats[t] = env.observation, masks, seats
            kinds = self.sitting[rows, seats]
            choice = masks.sum(1, dtype=np.int64) > 1
            out.learnt[t] = choice & (kinds == LEARNER)
            actions = masks.argmax(1)
            advice: dict[str, NDArray[np.int64]] = {}
            if labelled:
                advice[settings.teacher] = out.labels[t] = self._advice(settings.teacher)
            if imitating:
                # Mostly the teacher's moves, later more of the network's, so that it sees where its mistakes lead.
                actions[:] = out.labels[t]
                choice &= self.rng.random(settings.games) < own
            for kind in np.unique(kinds[choice]).tolist():
                where = np.flatnonzero(choice & (kinds == kind))
                if 0 <= kind < len(self.thumbs):
                    thumb = self.thumbs[kind]
                    if thumb not in advice:
                        advice[thumb] = self._advice(thumb)
                    actions[where] = advice[thumb][where]
                    continue
                network = self.network if kind == LEARNER else self.past[kind - len(self.thumbs)]
                logits, values = network(torch.from_numpy(out.seen[t][where]), torch.from_numpy(masks[where]))
                chosen = drawn(logits, self.noise)
                actions[where] = chosen.numpy()
                if kind == LEARNER and not imitating:
                    out.logs[t, where] = -functional.cross_entropy(logits, chosen, reduction="none").numpy()
                    out.values[t, where] = values.numpy()
            out.actions[t] = actions
            start = time.perf_counter()
            step = env.step(actions)
            self.env_seconds += time.perf_counter() - start
            out.rewards[t], out.ended[t] = (
                step.rewards * (10.0 if settings.reward == "gain" else 1.0),
                step.terminated | step.truncated,
            )
            over = step.infos["final_games"]
            if len(over):
                self._sit_down(over)
        if imitating:
            self._value_last()
        self.decisions += int(out.learnt.sum())

    def _value_last(self) -> None:
        """Values of each seat's last decisions: with a trace of 1 all others cancel out."""
        out = self.rollout
        for seat in range(self.settings.players):
            mine = out.learnt & (out.seats == seat)
            games = np.flatnonzero(mine.any(0))
            last = len(mine) - 1 - mine[::-1, games].argmax(0)
            _, values = self.network(torch.from_numpy(out.seen[last, games]), torch.from_numpy(out.masks[last, games]))
            out.values[last, games] = values.numpy()

    def _advice(self, policy: str) -> NDArray[np.int64]:
        start = time.perf_counter()
        found: NDArray[np.int64] = self.env.sample_actions(policy=policy)
        self.env_seconds += time.perf_counter() - start
        return found

    # Learning

    def learn(self) -> dict[str, float]:
        """Learn from the rollout; gives means of what was seen on the way."""
        settings, out = self.settings, self.rollout
        imitating = self.imitating
        left = 1.0 - min(1.0, self.phase)
        for group in self.optimizer.param_groups:
            group["lr"] = (
                settings.imitate_rate * (0.02 + 0.98 * left) if imitating else settings.rate * (0.1 + 0.9 * left)
            )
        found, known = out.advantages(1.0 if imitating else settings.trace)
        where = np.flatnonzero((out.learnt & known).ravel())
        flat: dict[str, NDArray[Any]] = {
            "seen": out.seen.reshape(-1, out.seen.shape[-1]),
            "masks": out.masks.reshape(-1, self.actions),
            "actions": out.actions.ravel(),
            "labels": out.labels.ravel(),
            "logs": out.logs.ravel(),
            "advantages": found.ravel(),
            "targets": (found + out.values).ravel(),
        }
        turns = (1, settings.imitate_batch) if imitating else (settings.epochs, settings.batch)
        told: dict[str, list[float]] = {"agreement": [], "entropy": [], "value_loss": [], "divergence": []}
        for part in self._parts(where, *turns):
            batch = {name: torch.from_numpy(array[part]) for name, array in flat.items()}
            logits, values = self.network(batch["seen"], batch["masks"])
            value_loss = functional.mse_loss(values, batch["targets"])
            loss = 0.5 * value_loss
            if imitating or settings.kick > 0:
                advice = functional.cross_entropy(logits, batch["labels"])
                loss = loss + (advice if imitating else settings.kick * left * advice)
                told["agreement"].append(float((logits.argmax(-1) == batch["labels"]).float().mean()))
            if not imitating:
                logs = functional.log_softmax(logits, -1)
                entropy = -(logs.exp() * logs).sum(-1).mean()
                ratio = (logs.gather(1, batch["actions"][:, None])[:, 0] - batch["logs"]).exp()
                advantages = batch["advantages"]
                advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
                clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
                loss = loss - torch.min(ratio * advantages, clipped * advantages).mean()
                loss = loss - settings.entropy * (0.1 + 0.9 * left) * entropy
                told["entropy"].append(float(entropy.detach()))
                told["divergence"].append(float((ratio - 1 - ratio.log()).mean().detach()))
            self.optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
            self.optimizer.step()
            told["value_loss"].append(float(value_loss.detach()))
        return {name: float(np.mean(values)) for name, values in told.items() if values}

    def _parts(self, where: NDArray[np.int64], epochs: int, batch: int) -> Iterator[NDArray[np.int64]]:
        """Decisions in random parts of about one size, each decision once an epoch."""
        for _ in range(epochs):
            yield from np.array_split(self.rng.permutation(where), max(1, len(where) // batch))

    def iterate(self) -> None:
        """One iteration: play, learn, keep a past self."""
        start = time.perf_counter()
        self.play()
        told = self.learn()
        self.iteration += 1
        if not self.imitating and self.iteration % self.settings.past_every == 0:
            self._keep_past()
        self.seconds += time.perf_counter() - start
        self.rows.append(
            {
                "iteration": self.iteration,
                "seconds": round(self.seconds, 2),
                "decisions": self.decisions,
                "imitating": int(self.imitating),
                "environment": round(self.env_seconds / self.seconds, 4),
                **{name: round(value, 5) for name, value in told.items()},
            }
        )

    def _keep_past(self) -> None:
        """Keep a past self; when there are enough, in place of one drawn, so that early ones stay for a while."""
        twin = self._new_network()
        twin.load_state_dict(self.network.state_dict())
        if len(self.past) < self.settings.past_kept:
            self.past.append(twin)
        else:
            self.past[int(self.rng.integers(len(self.past)))] = twin

    # Evaluating

    def evaluate(self, against: str, games: int) -> tuple[float, float, float]:
        """The share of the wins in one seat against a policy in all others, and its 95 % interval."""
        line_up = [NetworkPolicy(self.network), *[against] * (self.settings.players - 1)]
        seed = self.settings.seed + 1_000_003
        tournament = Tournament(self.rules, line_up, games, seed, obs_dtype="int8", side_by_side=256)
        won = tournament.run().standing("ppo").win_share
        return won.mean, won.low, won.high

    # Saving

    def save(self) -> None:
        """Write everything; no file is ever half written."""
        self.folder.mkdir(parents=True, exist_ok=True)
        state = {
            "settings": asdict(self.settings),
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "past": [past.state_dict() for past in self.past],
            "env": self.env.get_state(),
            "sitting": self.sitting.tolist(),
            "noise": self.noise.get_state(),
            "rng": self.rng.bit_generator.state,
            "counts": (self.iteration, self.decisions, self.seconds, self.env_seconds),
            "rows": self.rows,
        }
        _replace(self.folder / "checkpoint.pt", lambda path: torch.save(state, path))
        weights = {name: tensor.numpy() for name, tensor in self.network.state_dict().items()}
        weights["largest"] = self.rules.spec.observation.largest
        _replace(self.folder / "policy.npz", lambda path: path.write_bytes(packed_file(weights)))
        _replace(self.folder / "progress.csv", self._write_csv)
        _replace(self.folder / "curve.png", self._draw)

    def load(self, state: dict[str, Any]) -> None:
        """Go on from what was saved."""
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        for past in state["past"]:
            twin = self._new_network()
            twin.load_state_dict(past)
            self.past.append(twin)
        self.env.set_state(state["env"])
        self.sitting = np.array(state["sitting"])
        self.noise.set_state(state["noise"])
        self.rng.bit_generator.state = state["rng"]
        self.iteration, self.decisions, self.seconds, self.env_seconds = state["counts"]
        self.rows = state["rows"]

    def _write_csv(self, path: Path) -> None:
        names = list(dict.fromkeys(name for row in self.rows for name in row))
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, names)
            writer.writeheader()
            writer.writerows(self.rows)

    def _draw(self, path: Path) -> None:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(8, 5), layout="constrained")
        above, below = figure.subplots(2, 1, sharex=True)
        measured = [row for row in self.rows if "won" in row]
        minutes = [row["seconds"] / 60 for row in measured]
        above.plot(minutes, [row["won"] for row in measured], marker=".")
        above.fill_between(
            minutes, [row["won_low"] for row in measured], [row["won_high"] for row in measured], alpha=0.3
        )
        above.axhline(1 / self.settings.players, color="grey", linestyle=":")
        above.set_ylabel(f"wins against {self.settings.evaluate_against}")
        # Agreement with the teacher is measured as long as he is asked, entropy in PPO alone.
        for name in ("agreement", "entropy"):
            told = [row for row in self.rows if name in row]
            below.plot([row["seconds"] / 60 for row in told], [row[name] for row in told], label=name)
        below.legend()
        below.set_xlabel("minutes")
        figure.suptitle(f"{self.settings.game}, {self.settings.players} players, seed {self.settings.seed}")
        figure.savefig(path, dpi=110, format="png")


def _replace(path: Path, write: Any) -> None:
    """Write a file beside the old one, then put it in its place."""
    # numpy adds an ending where there is none of its own.
    part = path.with_name(f"part-{path.name}")
    write(part)
    os.replace(part, path)


def settings_from(arguments: argparse.Namespace) -> Settings:
    """The settings given; one limit at least."""
    settings = Settings(**{one.name: getattr(arguments, one.name) for one in fields(Settings)})
    if not settings.minutes and not settings.iterations:
        raise SystemExit("ppo_selfplay: give --minutes or --iterations")
    return settings


def main() -> None:
    """Read the arguments and train, or go on with it."""
    parser = argparse.ArgumentParser(description="Masked PPO by self-play.", allow_abbrev=False)
    parser.add_argument("--folder", type=Path, required=True, help="where the run is kept; one that exists goes on")
    parser.add_argument("--save-every", type=float, default=60.0, help="seconds between checkpoints")
    for one in fields(Settings):
        name = "--" + one.name.replace("_", "-")
        choices = tuple(MODULES) if one.name == "game" else None
        kind = type(one.default)
        parser.add_argument(name, type=kind, default=one.default, choices=choices, help=HELP.get(one.name))
    given = parser.parse_args()
    settings = settings_from(given)
    checkpoint = given.folder / "checkpoint.pt"
    trainer = Trainer(settings, given.folder)
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=False)
        if state["settings"] != asdict(settings):
            raise SystemExit(f"ppo_selfplay: {checkpoint} was begun with other settings: {state['settings']}")
        trainer.load(state)
    train(trainer, given.save_every)


def train(trainer: Trainer, save_every: float) -> None:
    """Iterate until the run is over; print a line for each evaluation."""
    settings = trainer.settings
    saved = time.perf_counter()
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    # Left to itself the display takes printed lines to its own terminal, also those that are meant for a file.
    silent, shared = not console.is_terminal, sys.stdout.isatty()
    with Progress(*columns, console=console, disable=silent, redirect_stdout=shared) as display:
        task = display.add_task(f"{settings.game}: training", total=1.0)
        while trainer.progress < 1.0:
            trainer.iterate()
            row = trainer.rows[-1]
            if trainer.iteration % settings.evaluate_every == 0 or trainer.progress >= 1.0:
                row["won"], row["won_low"], row["won_high"] = trainer.evaluate(
                    settings.evaluate_against, settings.evaluate_games
                )
                told = ", ".join(f"{name} {row[name]:.2f}" for name in ("agreement", "entropy") if name in row)
                print(
                    f"{row['seconds'] / 60:6.1f} min, iteration {trainer.iteration}, {trainer.decisions:,} decisions: "
                    f"wins {row['won']:.1%} [{row['won_low']:.1%}, {row['won_high']:.1%}] against "
                    f"{settings.evaluate_against}, {told}, environment {row['environment']:.0%}",
                    flush=True,
                )
            if time.perf_counter() - saved > save_every or trainer.progress >= 1.0:
                trainer.save()
                saved = time.perf_counter()
            display.update(task, completed=min(1.0, trainer.progress))


if __name__ == "__main__":
    main()
