# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Training by self-play
#
# `examples/ppo_selfplay.py` trains one network that plays every seat: first it imitates a rule of thumb, then it learns
# from games against itself and others by PPO. This notebook
#
# 1. makes a short run of it;
# 2. reads what it wrote: what each column says, and the curves;
# 3. makes a run that goes wrong, and shows how to tell;
# 4. lets the trained policy play in the arena;
# 5. makes a policy of a torch module of your own.
#
# It needs torch, which the extra `train` brings. The runs take a minute each; a run that is worth its name takes hours.
# With one thread a run depends on its seed alone.

# %%
import csv
import importlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

import island_core
from isla_dorada_env import isla_dorada_v0
from island_core.arena import Tournament

PROGRAM = Path(island_core.__file__).parents[1] / "examples" / "ppo_selfplay.py"
runs = tempfile.TemporaryDirectory()

# %% [markdown]
# ## 1. A short run
#
# The program is told how much it may play and where to write. This run is small: few games side by side, few
# iterations. It is evaluated now and then in one seat against players at random, of whom everybody wins one game in
# four.


# %%
def train(name: str, *options: str) -> Path:
    """Run the program in a folder of its own, show what it prints, and give the folder."""
    folder = Path(runs.name) / name
    size = "--game isla-dorada --threads 1 --games 128 --steps 48 --batch 512 --iterations 40"
    evaluation = "--evaluate-every 5 --evaluate-games 200 --evaluate-against random"
    command = [sys.executable, str(PROGRAM), "--folder", str(folder), *size.split(), *evaluation.split(), *options]
    # Jupyter asks programs for colours, as if they wrote to a terminal; then this one draws a bar in place of lines.
    plain = {name: value for name, value in os.environ.items() if name != "FORCE_COLOR"}
    done = subprocess.run(command, env=plain, capture_output=True, text=True, check=False)
    print(done.stdout)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return folder


first = train("first")
print(sorted(path.name for path in first.iterdir()))

# %% [markdown]
# The same command again would find that the run is over. With more iterations it would be another run: what a run
# depends on stays as it began. With `--minutes` in place of `--iterations` a run that was interrupted goes on when the
# same command is given again.
#
# ## 2. What it wrote
#
# `progress.csv` has a row for each iteration. The columns, with the values of the last one:

# %%
Row = dict[str, float]

MEANING = {
    "iteration": "how often it has played and learnt",
    "seconds": "time so far, evaluations left out",
    "decisions": "decisions of the learner so far; those with one legal action are not counted",
    "imitating": "1 while the next iteration imitates the rule of thumb, 0 afterwards",
    "environment": "share of the time that the games themselves took; the rest is the network's",
    "agreement": "how often its likeliest action is what the rule of thumb would do",
    "entropy": "how undecided the policy is: 0 for one that is sure, the logarithm of n for n equal choices; of PPO",
    "value_loss": "squared error of the reward that the network expects for its seat",
    "divergence": "how far an iteration of PPO moves the probabilities of what was played (an estimated KL divergence)",
    "won": "share of the wins in one seat against the others of the evaluation; in rows with an evaluation",
    "won_low": "lower end of its 95 % interval",
    "won_high": "upper end",
}


def rows_of(folder: Path) -> list[Row]:
    """The rows, without what was not measured in them."""
    with (folder / "progress.csv").open(newline="") as file:
        return [{name: float(value) for name, value in row.items() if value} for row in csv.DictReader(file)]


rows = rows_of(first)
for name, value in rows[-1].items():
    print(f"{name:12} {value:12.4f}  {MEANING.get(name, 'see the program')}")

# %% [markdown]
# The curves of a run. Grey is the time in which it imitates.


# %%
def curve(axes: Any, rows: list[Row], column: str, label: str) -> None:
    """Draw a column over the decisions so far, with an interval if there is one."""
    measured = [row for row in rows if column in row]
    decisions = [row["decisions"] / 1000 for row in measured]
    (line,) = axes.plot(decisions, [row[column] for row in measured], ".-", label=label)
    if f"{column}_low" in measured[-1]:
        low, high = ([row[f"{column}_{end}"] for row in measured] for end in ("low", "high"))
        axes.fill_between(decisions, low, high, color=line.get_color(), alpha=0.2)


def draw(found: dict[str, list[Row]]) -> None:
    """Draw the runs with these names over each other."""
    figure, grid = plt.subplots(2, 2, figsize=(10, 6), sharex=True, layout="constrained")
    for axes, column in zip(grid.flat, ("won", "entropy", "divergence", "value_loss"), strict=True):
        for label, rows in found.items():
            curve(axes, rows, column, label)
        imitated = [row["decisions"] for row in next(iter(found.values())) if row["imitating"]]
        axes.axvspan(0, max(imitated, default=0) / 1000, color="grey", alpha=0.15)
        axes.set(title=column)
        axes.grid(alpha=0.3)
    grid[1, 1].set_yscale("log")
    grid[0, 0].axhline(0.25, color="grey", linestyle=":")
    for axes in grid[1]:
        axes.set_xlabel("thousand decisions")
    grid[0, 1].legend()
    plt.show()


draw({"first": rows})

# %% [markdown]
# How to read them:
#
# - **won** is what counts, and the only column that compares with other runs. Its intervals are wide in a short
#   evaluation: two neighbouring points rarely differ for sure. Give the last evaluation more games than these.
# - **agreement** rises while it imitates. How far it gets tells what the network can express of its teacher.
# - **entropy** should fall slowly. It is not measured while imitating, and neither is divergence.
# - **divergence** is small and steady in a healthy run, about a hundredth or less.
# - **value_loss** cannot fall to 0, since nobody knows what is to come. In a short run it comes in bursts: games that
#   began together end together.
#
# ## 3. What goes wrong
#
# - *Entropy falls close to 0 early, wins stand still*: the policy is sure too soon and tries nothing new (entropy
#   collapse). A smaller `--rate`, a larger `--entropy`, or more games an iteration.
# - *Divergence jumps by a factor of ten or more, wins fall after imitating*: steps too large for the data. A smaller
#   `--rate`, fewer `--epochs`, or more games an iteration.
# - *value_loss grows and grows*: the same of the expected reward. A smaller `--rate`.
# - *It wins against itself only*: it has learnt to beat its own kind, and forgets others. Past selves and rules of
#   thumb as opponents: `--mixed`, `--opponents`.
# - *Wins rise while imitating, then stand still*: too few games for what little PPO can tell from them. Patience, and
#   more games an iteration.
#
# A step size that is much too large shows the first two, if not in full. Everything else is as before.

# %%
RATE = 0.02
wild = train("wild", "--rate", str(RATE))
wild_rows = rows_of(wild)
draw({"first": rows, f"rate {RATE}": wild_rows})


# %%
def after_imitating(rows: list[Row], column: str) -> float:
    """The mean of a column over the rows of PPO."""
    return float(np.mean([row[column] for row in rows if "divergence" in row]))


for column in ("entropy", "divergence"):
    print(
        f"{column:10} of PPO: first {after_imitating(rows, column):.5f}, wild {after_imitating(wild_rows, column):.5f}"
    )

# %% [markdown]
# Compare the curves: the wild run is surer of itself and knows less. That it still wins against players at random tells
# how weak those are: an evaluation against the weakest opponents hides a lot.
#
# ## 4. In the arena
#
# The checkpoint holds the network. As a policy it takes its likeliest action, and sits alone against three of each of
# the library's policies. An even share is 25 %.


# %%
sys.path.insert(0, str(PROGRAM.parent))
program = importlib.import_module(PROGRAM.stem)


def trained(folder: Path) -> Any:
    """The policy of a run."""
    state = torch.load(folder / "checkpoint.pt", weights_only=False)
    trainer = program.Trainer(program.Settings(**state["settings"]), folder)
    trainer.load(state)
    return program.NetworkPolicy(trainer.network)


OTHERS = ("random", "greedy", "planner")
game = isla_dorada_v0.Game(num_players=4)


def shares(policy: Any, games: int = 800) -> dict[str, Any]:
    """The win shares of a policy against three others of one kind, with their intervals."""
    found = {}
    for other in OTHERS:
        line_up = [policy, other, other, other]
        report = Tournament(game, line_up, games, seed=7, obs_dtype="int8", side_by_side=256).run()
        found[other] = report.standing(policy if isinstance(policy, str) else policy.name).win_share
    return found


of_first, of_wild = shares(trained(first)), shares(trained(wild))
for name, found in (("first", of_first), ("wild", of_wild)):
    for other, share in found.items():
        print(f"{name:6} against three {other:8} {share.mean:6.1%} [{share.low:.1%}, {share.high:.1%}]")

# %%
figure, axes = plt.subplots(figsize=(7, 2.6), layout="constrained")
for k, (name, found) in enumerate((("first", of_first), (f"rate {RATE}", of_wild))):
    means = np.array([share.mean for share in found.values()])
    sides = np.abs([[share.low, share.high] for share in found.values()] - means[:, None]).T
    axes.errorbar(means, np.arange(len(OTHERS)) + 0.2 * k - 0.1, xerr=sides, fmt="o", capsize=3, label=name)
axes.axvline(0.25, color="grey", linestyle=":")
axes.set_yticks(range(len(OTHERS)), [f"three {other}" for other in OTHERS])
axes.set(xlim=(0, 1), ylim=(2.5, -0.5), xlabel="win share, dotted: an even share", title="Against whom?")
axes.grid(axis="x", alpha=0.3)
axes.legend()
plt.show()

# %% [markdown]
# A minute of training is not much. `docs/training.md` and `docs/policies.md` have figures of longer runs and of the
# policies themselves.
#
# ## 5. A module of your own
#
# Whatever maps observations to a number for each action is a policy in three lines: ask it, forbid what is not legal,
# take the best. `act_batch` is asked for many games at once. Here is a module that has learnt nothing.

# %%
size, actions = sum(part.stop - part.start for part in game.observation_layout.values()), game.num_actions
torch.manual_seed(0)
module = nn.Sequential(nn.Linear(size, 64), nn.ReLU(), nn.Linear(64, actions))


class ModulePolicy:
    """A torch module as a policy."""

    name = "my module"

    def act_batch(self, observation: NDArray[Any], action_mask: NDArray[np.int8], rng: Any) -> NDArray[np.int64]:
        """The legal action with the highest number."""
        with torch.no_grad():
            numbers = module(torch.from_numpy(observation).float())
        best: NDArray[np.int64] = numbers.masked_fill(torch.from_numpy(action_mask) == 0, -torch.inf).argmax(-1).numpy()
        return best


of_module = shares(ModulePolicy(), games=200)
for other, share in of_module.items():
    print(f"{ModulePolicy.name} against three {other:8} {share.mean:6.1%} [{share.low:.1%}, {share.high:.1%}]")

# %% [markdown]
# The same object plays wherever a policy may: as `opponents` of the Gymnasium environments, in tournaments against
# others, or by `act_batch` on the arrays of `batch_env`. To draw actions in place of taking the best, draw with `rng`,
# so that games depend on their seed alone.

# %%
runs.cleanup()

# %% [markdown]
# ## Further
#
# - `python examples/ppo_selfplay.py --help` names all options.
# - `docs/training.md` tells how Stable-Baselines3 and TorchRL are used, and what to mind with any trainer.
