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
# # Getting started
#
# This library plays two board games for three to six players with hidden hands, *Die Dracheninsel* and *Isla Dorada*.
# Both have the same interface, so everything below works for either: replace `dracheninsel_v0` by `isla_dorada_v0`.
#
# 1. A game by the names of its actions: `Position`.
# 2. Pictures of both boards.
# 3. What happened: events.
# 4. The environments: PettingZoo, arrays, Gymnasium.
# 5. What an observation and a mask hold, and how rewards come.
# 6. Policies and a first tournament.
#
# The first run on a machine compiles the rules, which takes some minutes. Later runs take seconds.

# %%
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gymnasium
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Image, display
from matplotlib.patches import Circle, FancyArrowPatch, RegularPolygon

from dracheninsel_env import dracheninsel_v0
from dracheninsel_env.board import AXIAL, SPACE_NAMES
from isla_dorada_env import isla_dorada_v0
from isla_dorada_env.board import ROUTE_ENDS, ROUTE_NAMES, ROUTE_SORT
from isla_dorada_env.components import COORDINATES
from isla_dorada_env.vocab import PLACES, ROUTE_SORTS
from island_core.arena import Tournament, round_robin
from island_core.errors import IllegalActionError
from island_core.policies import KernelPolicy
from island_core.position import Position

# %% [markdown]
# ## 1. A game, by names
#
# `Game` holds the rules and their options, `new(seed)` deals a game. A `Position` says who decides what, and which
# actions are legal. Actions have ids, which trainers use, and names, which people use.

# %%
island = dracheninsel_v0.Game(num_players=4)
position = island.new(seed=5)
print("seat", position.actor, "decides:", position.decision)
for action in position.legal_actions():
    print(f"  {action:3}  {position.action_name(action)}")

# %% [markdown]
# `step` takes either. What is illegal raises an exception and changes nothing.

# %%
position.step(position.legal_names()[0])
print("played:", position.history)
try:
    position.step("share")
except IllegalActionError as error:
    print(error)

# %% [markdown]
# A policy of the library, `planner`, plays on until a treasure is home and another one is carried. `text(seat)` prints
# the table as a player sees it, and `print(position)` with all hands open.

# %%
planner = KernelPolicy("planner")
generator = np.random.default_rng(5)


def is_carried(position: Position) -> bool:
    """Whether a pair of hunters is under way with a treasure."""
    board = position.to_dict()
    spaces = list(board["hunters"].values())
    return any(spaces.count(space) == 2 for space in board["treasures"].values())


while sum(position.scores) == 0 or not is_carried(position) or position.decision != "turn":
    position.step(planner.act(position, generator))
viewer = position.actor
assert viewer is not None
print(position.text(viewer))

# %% [markdown]
# Positions are copied with `clone`, saved with `to_bytes`, and written by names with `to_dict`, whose partial form
# makes up positions: whatever is left out is filled in.

# %%
assert island.from_bytes(position.to_bytes()) == position == position.clone()
puzzle = island.from_dict(
    {
        "hunters": {"yellow": "h4", "green": "h4"},
        "treasures": {"100": "h4"},
        "hands": {"player_0": ["forest", "betrayal"]},
    }
)
print(puzzle.to_dict()["hunters"])
print(puzzle.legal_names())

# %% [markdown]
# ## 2. Pictures
#
# The dict has all that is on the board. The function below draws it: a terrain is a colour, a boat a ring in the colour
# of its hunter, a hunter a disc, a treasure its value in gold, a dragon a red triangle. A pair stands on one space.

# %%
TERRAIN_COLOURS = {
    "volcano": "#d98a7b",
    "desert": "#f0dc9b",
    "forest": "#8fbf8f",
    "mountain": "#b9b9c3",
    "field": "#c9a67c",
    "water": "#9cc4e4",
}
HUNTER_COLOURS = {
    "red": "#c0271d",
    "yellow": "#e8b800",
    "green": "#1f7a35",
    "grey": "#5d5d68",
    "brown": "#6e4520",
    "blue": "#1d4fa3",
}


def point_of(space: str) -> tuple[float, float]:
    """Where a space lies; neighbours are at distance 1."""
    q, r = AXIAL[SPACE_NAMES.index(space)].tolist()
    return q + r / 2, -r * 3**0.5 / 2


def draw_island(position: Position, axes: Any) -> None:
    """Draw a position of Die Dracheninsel."""
    board = position.to_dict()
    for space, terrain in [*board["discs"].items(), ("e5", None)]:
        x, y = point_of(space)
        colour = "#ffffff" if terrain is None else TERRAIN_COLOURS[terrain]
        axes.add_patch(RegularPolygon((x, y), 6, radius=0.56, facecolor=colour, edgecolor="white", linewidth=2))
        axes.text(x, y - 0.38, space, ha="center", va="center", fontsize=6, color="#555555")
    for hunter in board["hunters"]:
        axes.add_patch(
            Circle(point_of(f"boat-{hunter}"), 0.42, fill=False, edgecolor=HUNTER_COLOURS[hunter], linewidth=3)
        )
    for dragon in board["dragons"]:
        x, y = point_of(dragon)
        axes.plot(x, y, "^", color="#a30000", markersize=15)
    standing: dict[str, list[str]] = {}
    for hunter, space in board["hunters"].items():
        standing.setdefault(space, []).append(hunter)
    for space, hunters in standing.items():
        x, y = point_of(space)
        for k, hunter in enumerate(hunters):
            place = x + 0.42 * (k - (len(hunters) - 1) / 2), y - 0.05
            axes.add_patch(Circle(place, 0.19, facecolor=HUNTER_COLOURS[hunter], edgecolor="black", zorder=3))
    for value, space in board["treasures"].items():
        if space in SPACE_NAMES:
            x, y = point_of(space)
            axes.text(
                x,
                y + 0.29,
                value,
                ha="center",
                va="center",
                fontsize=7,
                zorder=4,
                bbox={"boxstyle": "round,pad=0.2", "facecolor": "gold", "edgecolor": "black"},
            )
    axes.set(aspect="equal", xlim=(-5.8, 5.8), ylim=(-5.2, 5.2))
    axes.axis("off")


def legend_of(colours: Mapping[str, str], axes: Any) -> None:
    """Name the colours beside the picture."""
    handles = [axes.plot([], [], "h", color=colour, markersize=11, label=name)[0] for name, colour in colours.items()]
    axes.legend(handles=handles, loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)


figure, axes = plt.subplots(figsize=(8, 6.4), layout="constrained")
draw_island(position, axes)
legend_of(TERRAIN_COLOURS, axes)
turn = position.to_dict()["turn"]
axes.set_title(f"Die Dracheninsel: turn {turn['number'] + 1}, {turn['active']} is active; money {position.scores}")
plt.show()

# %% [markdown]
# Isla Dorada: the places and the routes between them, with the markers of past stops, the camp of the expedition and
# the monsters that block a route. Rivers go one way. We let `planner` play to the middle of a game.

# %%
ROUTE_COLOURS = {
    "jungle": "#2e8b57",
    "desert": "#d9a400",
    "mountain": "#8a6d5a",
    "lake": "#6fb7e9",
    "sea": "#1d4fa3",
    "river": "#2b8fd6",
}


def draw_expedition(position: Position, axes: Any) -> None:
    """Draw a position of Isla Dorada."""
    board = position.to_dict()
    points = {place: (x, -1.3 * y) for place, (x, y) in zip(PLACES, COORDINATES.tolist(), strict=True)}
    drawn: dict[frozenset[int], int] = {}
    blocked = {route: monster for monster, route in board["monsters"].items()}
    for name, sort, (first, second) in zip(ROUTE_NAMES, ROUTE_SORT.tolist(), ROUTE_ENDS.tolist(), strict=True):
        # Further routes between the same places bend, so that each is seen.
        number = drawn[frozenset((first, second))] = drawn.get(frozenset((first, second)), 0) + 1
        kind = ROUTE_SORTS[sort]
        start, end = points[PLACES[first]], points[PLACES[second]]
        bend = 0.14 * (number - 1)
        if kind == "sea":
            # Around the island: the side of the curve that is farther from the middle.
            across = start[1] - end[1], end[0] - start[0]
            outward = [(a + b) / 2 - c for a, b, c in zip(start, end, points["Base"], strict=True)]
            bend = -0.13 if across[0] * outward[0] + across[1] * outward[1] > 0 else 0.13
        axes.add_patch(
            FancyArrowPatch(
                start,
                end,
                arrowstyle="-|>" if kind == "river" else "-",
                connectionstyle=f"arc3,rad={bend}",
                mutation_scale=16,
                shrinkA=8,
                shrinkB=8,
                color=ROUTE_COLOURS[kind],
                linestyle="--" if kind == "sea" else "-",
                linewidth=2.6,
                zorder=1,
            )
        )
        if name in blocked:
            middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
            sign = {"facecolor": "#a30000", "edgecolor": "none"}
            axes.text(*middle, blocked[name], ha="center", color="white", fontsize=8, zorder=5, bbox=sign)
    paper = {"facecolor": "white", "edgecolor": "none", "alpha": 0.7}
    for place, (x, y) in points.items():
        here = place == board["camp"]
        axes.plot(x, y, "o", markersize=20 if here else 13, color="#c0271d" if here else "white", zorder=2)
        axes.plot(x, y, "o", markersize=13, color="white", markeredgecolor="black", zorder=3)
        markers = board["markers"].get(place, 0)
        axes.text(x, y - 6, str(markers or ""), ha="center", va="center", fontsize=9, zorder=4)
        south = y == min(height for _, height in points.values())
        axes.text(x, y - 82 if south else y + 48, place, ha="center", fontsize=9, zorder=4, bbox=paper)
    axes.set(xlim=(-130, 1130), ylim=(-1110, 150))
    axes.axis("off")


dorada = isla_dorada_v0.Game(num_players=4)
journey = dorada.new(seed=8)
while sum(journey.to_dict()["markers"].values()) < 8 or journey.decision != "bid":
    journey.step(planner.act(journey, generator))

figure, axes = plt.subplots(figsize=(10, 6), layout="constrained")
draw_expedition(journey, axes)
legend_of(ROUTE_COLOURS, axes)
axes.set_title(f"Isla Dorada: the camp is ringed in red, numbers are markers; points {journey.scores}")
plt.show()

# %% [markdown]
# The seat that decides may bid for a place and a way. The words are those of the picture:

# %%
print("\n".join(name for name in journey.legal_names() if not name.endswith("flight")))
print("and", sum(name.endswith("flight") for name in journey.legal_names()), "flights")

# %% [markdown]
# ## 3. What happened
#
# Whatever can be seen at the table is an *event*. `events_since(number, seat)` gives them as that seat sees
# them, with numbers for cards and places, for programs: a = -2 is a card that it does not see. The dict form has the
# same in words, with all cards open. Its last events, of a seat that draws:

# %%
for event in journey.events_since(journey.num_events - 6, seat=0):
    print(event)
for told in journey.to_dict()["events"]["last"][-6:]:
    print(told)

# %% [markdown]
# The tables of all events and actions are in `docs/dracheninsel/` and `docs/isla_dorada/`. The way of the expedition so
# far, told by the events; the event `move` has the place as its a:

# %%
way = [PLACES[event.a] for event in journey.events_since(0) if event.kind == "move"]
print("Base", *way, sep=" > ")

# %% [markdown]
# ## 4. The environments
#
# ### PettingZoo, one agent after the other
#
# `env` is the AEC environment with all checks, and `raw_env` the same without them, which is faster. `last()` tells
# what the agent that decides sees. `sample_action()` draws a legal action.

# %%
aec = dracheninsel_v0.raw_env(num_players=4, max_turns=20)
aec.reset(seed=5)
for _ in aec.agent_iter():
    observation, reward, termination, truncation, info = aec.last()
    over = termination or truncation
    aec.step(None if over else aec.sample_action())
print("money after 20 turns at random:", aec.position.scores)

# %% [markdown]
# What an illegal action does is an option: `env` ends the game and fines the offender, as PettingZoo does it, `raw_env`
# raises an exception.

# %%
checked = dracheninsel_v0.env(num_players=4)
checked.reset(seed=5)
offender = checked.agent_selection
checked.step(int(np.flatnonzero(checked.last()[0]["action_mask"] == 0)[0]))
print("illegal in env:", offender, "gets", checked.rewards[offender], "and the game is over:", checked.terminations)

# %% [markdown]
# ### PettingZoo, all agents at once
#
# In `parallel_env` every agent acts in every step. The mask of those who have nothing to decide allows the no-op alone,
# the last id.

# %%
parallel = isla_dorada_v0.parallel_env(num_players=3)
observations, infos = parallel.reset(seed=5)
print({agent: int(seen["action_mask"].sum()) for agent, seen in observations.items()}, "actions are legal")
while parallel.agents:
    observations, rewards, terminations, truncations, infos = parallel.step(parallel.sample_actions())
print("rewards at the end:", rewards)

# %% [markdown]
# ### Many games as arrays
#
# `batch_env` steps many games in one call into the compiled rules. Each row is a game, seen by the seat that decides in
# it. A game that ends is dealt anew in the same step.

# %%
batch = isla_dorada_v0.batch_env(num_envs=256, num_players=4)
step = batch.reset(seed=5)
finished = 0
for _ in range(500):
    step = batch.step(batch.sample_actions(policy="greedy"))
    finished += len(step.infos["final_games"])
print("observation", step.observation.shape, "mask", step.action_mask.shape, "rewards", step.rewards.shape)
print("decisions:", 256 * 500, "games that ended:", finished)

# %% [markdown]
# ### One seat against policies
#
# In Gymnasium's environments the agent has one seat and policies play the others. What their turns bring is in its
# next reward. `make_vec` is the same for many games, as arrays.

# %%
single: Any = gymnasium.make("IslaDorada-v0", opponents="greedy", seat="random")
observation, info = single.reset(seed=5)
over, steps = False, 0
while not over:
    action = int(np.flatnonzero(single.unwrapped.action_masks())[0])
    observation, reward, terminated, truncated, info = single.step(action)
    over, steps = terminated or truncated, steps + 1
print(f"seat {info['seat']} decided {steps} times, its reward was {reward:.2f}")

vector: Any = gymnasium.make_vec("IslaDorada-v0", num_envs=64, opponents="greedy", reward="gain")
observations, infos = vector.reset(seed=5)
returns = np.zeros(64)
for _ in range(50):
    observations, rewards, terminations, truncations, infos = vector.step(vector.sample_actions())
    returns += rewards
print(f"64 games, 50 decisions of the learner in each: its mean return at random is {returns.mean():+.2f}")

# %% [markdown]
# ## 5. Observations, masks and rewards
#
# An observation is one flat vector of numbers from 0 to 1, the same sections for every seat and every number of
# players. With `obs_dtype="int8"` it holds the counts themselves. Seats are counted from the observer on. The mask has
# a 1 for each legal action. `observation_layout` names the sections.

# %%
aec.reset(seed=5)
seen, mask = aec.last()[0]["observation"], aec.last()[0]["action_mask"]
print(f"{len(seen)} numbers, {np.count_nonzero(seen)} of them not 0; {len(mask)} actions, {mask.sum()} of them legal")
layout = aec.position.game.observation_layout
for name in ("players", "active", "hand_sizes", "hand"):
    print(f"{name:11} {np.round(seen[layout[name]], 2)}")
print("legal:", ", ".join(aec.position.action_name(int(action)) for action in np.flatnonzero(mask)))

# %%
figure, axes = plt.subplots(figsize=(9, 1.9), layout="constrained")
axes.imshow(np.resize(np.pad(seen, (0, -len(seen) % 128)), (-(-len(seen) // 128), 128)), cmap="Blues", aspect="auto")
axes.set(xticks=[], yticks=[], title="An observation, 128 numbers a row")
plt.show()

# %% [markdown]
# The option `reward` says what is paid and when; all sum to zero over the players. The same game of four `planner`,
# with each of them. `"gain"` is paid in every step, and its sum over a game is `"score"`; the others come with the last
# step.


# %%
def rewards_of(kind: str) -> np.ndarray[Any, np.dtype[np.float32]]:
    """The rewards of one game of `planner` with itself, a row for each step."""
    env = isla_dorada_v0.batch_env(num_envs=1, num_players=4, reward=kind)
    step = env.reset(seed=5)
    rows = []
    while not (step.terminated[0] or step.truncated[0]):
        step = env.step(env.sample_actions(policy="planner"))
        rows.append(step.rewards[0])
    return np.array(rows)


kinds = ("win", "score", "rank", "gain")
paid = {kind: rewards_of(kind) for kind in kinds}
for kind in kinds:
    times = np.count_nonzero(paid[kind].any(axis=1))
    print(f"{kind:6} paid in {times:3} of {len(paid[kind])} steps, in all {np.round(paid[kind].sum(axis=0), 3)}")

figure, axes = plt.subplots(figsize=(8, 3), layout="constrained")
for seat, line in enumerate(paid["gain"].cumsum(axis=0).T):
    axes.plot(line, drawstyle="steps-post", label=f"player_{seat}")
axes.set(xlabel="step", ylabel='sum of rewards "gain"', title="Isla Dorada: who is ahead")
axes.grid(alpha=0.3)
axes.legend()
plt.show()

# %% [markdown]
# ## 6. Policies and a tournament
#
# A policy is a name, which plays inside the compiled rules, or anything that chooses an action: a function of
# observation and mask, or an object with `act(position, rng)` or `act_batch(observations, masks, rng)`. All places that
# take a policy take any of them. Here is one that plays the first legal action, and one that asks `planner` half of the
# time.


# %%
def first_legal(observation: Any, action_mask: Any) -> int:
    """The first legal action."""
    return int(action_mask.argmax())


class Moody:
    """`planner` on good days, any legal action on others."""

    name = "moody"

    def act(self, position: Position, rng: np.random.Generator) -> int:
        """Draw the mood, then the action."""
        return planner.act(position, rng) if rng.random() < 0.5 else position.sample(rng)


# %% [markdown]
# In a tournament every deal is played in all rotations of the seats. `round_robin` sets each policy alone against each
# other one in all other seats. First the names alone, many games; then one table with the two from above.

# %%
report = Tournament(dorada, round_robin(["random", "greedy", "planner"], 4), games=2400, seed=5).run()
print(report)

# %%
with tempfile.TemporaryDirectory() as folder:
    report.plot(Path(folder) / "report.png")
    display(Image(Path(folder) / "report.png"))

# %%
mixed = Tournament(dorada, [first_legal, Moody(), "greedy", "planner"], games=120, seed=5).run()
for standing in mixed.standings:
    share = standing.win_share
    print(f"{standing.policy:12} wins {share.mean:5.1%} [{share.low:5.1%}, {share.high:5.1%}]")

# %% [markdown]
# Intervals are those of 95 %; in few games they are wide.
#
# ## Further
#
# - `search.py`, beside this notebook, shows determinizations and the search, `study.py` how a question about the games
#   is answered with figures, `training.py` how a network learns to play.
# - The README has all options, `docs/arena.md` tells about tournaments, `docs/policies.md` about the policies,
#   `docs/rules/` has the rules.
