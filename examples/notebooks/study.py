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
# # A small study: does betrayal pay, and what do more bidders change?
#
# Two questions, one for each game of this library:
#
# 1. *Die Dracheninsel*: two hunters carry a treasure home, and there one may claim all of it by a `betrayal`. Does that
#    pay?
# 2. *Isla Dorada*: in every round the players bid where the expedition goes. How does the bidding change when more of
#    them sit at the table?
#
# Both are answered for the library's own policies by playing thousands of games, with intervals. The first one shows
# how a comparison goes wrong, and how to do better: change one thing, keep the deals, and look at the differences.
#
# All seeds are fixed. The first run on a machine compiles the rules, which takes a minute or two. Later runs take less
# than two minutes. All games of a comparison are stepped together by `batch_env`.

# %%
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray
from scipy.stats import bootstrap

from dracheninsel_env import dracheninsel_v0
from dracheninsel_env.components import CARD_NAMES
from isla_dorada_env import isla_dorada_v0
from isla_dorada_env.components import CARD_GOLD
from isla_dorada_env.vocab import CARD_OF_WAY, CARDS, LAND_WAYS, PAYING_CARDS

Numbers = NDArray[np.float64]
PLAYERS = (3, 4, 5, 6)
SEED = 11

# %% [markdown]
# ## How sure is a mean?
#
# The games of a batch are dealt independently, the seats of one game are not independent. So whatever is reported is
# resampled by whole games: the bootstrap draws as many games as there are, with replacement, two thousand times, and
# the interval holds the middle 95 % of the results (percentile bootstrap: B. Efron, R. J. Tibshirani, 1993). SciPy does
# it.
#
# Each interval is 95 % sure on its own. Of twenty intervals one is expected to miss.


# %%
class Estimate(NamedTuple):
    """A mean and its 95 % interval."""

    mean: float
    low: float
    high: float

    def __format__(self, form: str) -> str:
        """The mean and the interval, each in the form of a number."""
        return f"{self.mean:{form}} [{self.low:{form}}, {self.high:{form}}]"


def resampled(samples: tuple[Numbers, ...], statistic: Callable[..., Any], paired: bool) -> Estimate:
    """A statistic of samples with one number a game; ``paired`` samples are of the same games."""
    found = bootstrap(
        samples,
        statistic,
        paired=paired,
        vectorized=True,
        n_resamples=2000,
        batch=100,
        method="percentile",
        rng=np.random.default_rng(0),
    )
    low, high = found.confidence_interval
    return Estimate(float(statistic(*samples, axis=-1)), float(low), float(high))


def mean_of(values: Numbers) -> Estimate:
    """The mean of one number a game."""
    return resampled((values,), np.mean, paired=False)


def share_of(part: Numbers, whole: Numbers) -> Estimate:
    """The sum of the parts divided by the sum of the wholes, both with one number a game."""
    return resampled((part, whole), lambda a, b, axis: a.sum(axis) / b.sum(axis), paired=True)


def difference_of(values: Numbers, others: Numbers) -> Estimate:
    """The difference of the means of two samples that have no game in common."""
    return resampled((values, others), lambda a, b, axis: a.mean(axis) - b.mean(axis), paired=False)


# %% [markdown]
# ## 1. Die Dracheninsel: does betrayal pay?
#
# A pair brings a treasure to the boat of one of its two carriers (rule D6.8). The owner of the boat *shares*, one coin
# each, or plays a card with the task `betrayal` and claims both. Then the other may answer with a `betrayal`, and so
# on. Who played the last one takes both coins. Nobody is asked who holds no such card.
#
# So there are two acts to look at: to *begin* a betrayal, in place of sharing, and to *answer* one.
#
# The player of this study is `planner`. It answers every betrayal that it can, and begins one when it is likely to get
# both coins in the end. The function below plays some games of `planner` with itself. In each of them one seat, in
# turn, may be forbidden or told to betray: its choice is replaced wherever a `betrayal` may be played. Everything else
# is `planner` as ever.

# %%
start = dracheninsel_v0.Game().new(seed=0)
BETRAY = np.array(
    [
        start.parse("betray" if card == "betrayal" else f"betray ({card})")
        for card in CARD_NAMES
        if card is not None and "betrayal" in card.split("/")
    ]
)
SHARE, LET_BE = start.parse("share"), start.parse("let be")
print(f"{len(BETRAY)} kinds of cards show a betrayal:", ", ".join(start.action_name(int(action)) for action in BETRAY))


@dataclass(frozen=True)
class Played:
    """What came out of G games of P players: all arrays are ``[G, P]``, by seat."""

    money: Numbers
    won: Numbers
    asked: Numbers  # how often the seat could play a betrayal
    betrayed: Numbers  # how often it did

    def own(self, values: Numbers) -> Numbers:
        """Of each game, what the one seat has whose habits may differ, ``[G]``."""
        games = np.arange(len(values))
        found: Numbers = values[games, games % values.shape[1]]
        return found


def never_begins(mask: NDArray[np.int8], action: NDArray[np.int64]) -> NDArray[np.int64]:
    """Share whenever that is possible."""
    return np.where(mask[:, SHARE], SHARE, action)


def never_answers(mask: NDArray[np.int8], action: NDArray[np.int64]) -> NDArray[np.int64]:
    """Let every betrayal be."""
    return np.where(mask[:, LET_BE], LET_BE, action)


def never_betrays(mask: NDArray[np.int8], action: NDArray[np.int64]) -> NDArray[np.int64]:
    """Neither begin nor answer."""
    return never_answers(mask, never_begins(mask, action))


def always_betrays(mask: NDArray[np.int8], action: NDArray[np.int64]) -> NDArray[np.int64]:
    """Begin and answer whenever a card is there, with the first one in the order of the action table."""
    first: NDArray[np.int64] = BETRAY[mask[:, BETRAY].argmax(axis=1)]
    return first


Habit = Callable[[NDArray[np.int8], NDArray[np.int64]], NDArray[np.int64]]


def play(games: int, players: int = 4, habit: Habit | None = None) -> Played:
    """Play the games of `planner` with itself; seat g mod P of game g has the habit, if there is one."""
    env = dracheninsel_v0.batch_env(games, num_players=players, obs_dtype="int8", copy=False)
    money, won, asked, betrayed = np.zeros((4, games, players))
    habitual = np.arange(games) % players
    running = np.ones(games, bool)
    step = env.reset(seed=SEED)
    while running.any():
        actions, seats = env.sample_actions(policy="planner"), step.current_player
        open_to = np.flatnonzero(running & step.action_mask[:, BETRAY].any(axis=1))
        if habit is not None:
            bound = open_to[seats[open_to] == habitual[open_to]]
            actions[bound] = habit(step.action_mask[bound], actions[bound])
        asked[open_to, seats[open_to]] += 1
        betrayed[open_to, seats[open_to]] += np.isin(actions[open_to], BETRAY)
        step = env.step(actions)
        over, infos = step.infos["final_games"], step.infos
        first = running[over]  # a game that is over is dealt anew: those of a second deal do not count
        money[over[first]] = infos["episode_score"][first]
        won[over[first]] = infos["episode_winner_share"][first]
        running[over] = False
    return Played(money, won, asked, betrayed)


# %% [markdown]
# ### The tempting answer
#
# Let four plain `planner` play, and compare those who betrayed with those who did not. Seats of all games, by how often
# they played a `betrayal` in that game:

# %%
GAMES = 3000
plain = play(GAMES)
print(f"{GAMES} games; times in a game that somebody could play a betrayal: {plain.asked.sum() / GAMES:.2f}")
print(f"times that it was played: {plain.betrayed.sum() / GAMES:.2f}")

groups = {"never": plain.betrayed == 0, "once": plain.betrayed == 1, "twice or more": plain.betrayed >= 2}
by_count = {name: share_of((plain.won * group).sum(axis=1), group.sum(axis=1)) for name, group in groups.items()}
for name, share in by_count.items():
    print(f"betrayed {name:13}: {groups[name].mean():6.1%} of the seats, win share {share:.1%}")


could, did = plain.asked > 0, plain.betrayed > 0
chances = {"could not": ~could, "could, and did": could & did, "could, but did not": could & ~did}
by_chance = {name: share_of((plain.won * group).sum(axis=1), group.sum(axis=1)) for name, group in chances.items()}
print()
for name, share in by_chance.items():
    print(f"{name:22}: {chances[name].mean():6.1%} of the seats, win share {share:.1%}")


# %%
def dots(axes: Any, estimates: dict[str, Estimate], scale: float = 1.0) -> None:
    """Draw estimates with their intervals below each other, the first on top."""
    for row, one in enumerate(estimates.values()):
        axes.plot([one.low * scale, one.high * scale], [row, row], "-", color="#2a6f97", linewidth=2)
        axes.plot([one.mean * scale], [row], "o", color="#2a6f97")
    axes.set_yticks(range(len(estimates)), estimates)
    axes.set_ylim(len(estimates) - 0.5, -0.5)
    axes.grid(axis="x", alpha=0.3)


figure, axes = plt.subplots(figsize=(7, 2.8), layout="constrained")
dots(
    axes,
    {f"betrayed {name}": share for name, share in by_count.items()} | by_chance,
    100,
)
axes.axvline(25, color="grey", linestyle=":")
axes.set(xlabel="win share in %, dotted: chance", title="Who wins? Seats by what they did in the same games")
plt.show()

# %% [markdown]
# This looks like an answer, and it is none. Who betrays stands in a boat with a treasure; many who never betrayed never
# came so far, or held no such card, and the row *could not* shows how they fare. To leave them out does not mend it.
# `planner` betrays when it is likely to succeed, and those are other situations, with other cards, than the ones in
# which it shares. And who betrays twice has come home twice. What somebody does and what he gets have common causes,
# and correlation alone cannot tell them from an effect.
#
# ### A better answer: the same deals, with and without
#
# So we change the act and nothing else. Each deal is played again with one seat that has another habit, the others
# being plain `planner`. Up to the first time the habit matters the game is the same, move by move, since every game
# draws from a stream of its own. What differs afterwards was caused by the habit. The differences, game by game, are
# what we take the mean of: the luck of the deal cancels out (common random numbers: P. Glasserman, D. D. Yao, 1992).
#
# First two checks of the method. A game does not depend on the size of its batch, so playing a part of the deals again
# without any habit must give the same results. And the seat that is going to have the habit takes each place in turn,
# so it must win 25 % of the plain games, as far as its interval can tell.

# %%
again = play(200)
same = bool(np.array_equal(again.money, plain.money[:200]) and np.array_equal(again.won, plain.won[:200]))
print("the same again:", same)
print(f"win share of the seat in plain games: {mean_of(plain.own(plain.won)):.1%}")

# %%
HABITS = {
    "never begins": never_begins,
    "never answers": never_answers,
    "never betrays": never_betrays,
    "always betrays": always_betrays,
}
with_habit = {name: play(GAMES, habit=habit) for name, habit in HABITS.items()}
wins, coins = {}, {}
print(f"{'habit':16} {'changed':>8}   {'win share, points':22} money")
for name, played in with_habit.items():
    wins[name] = mean_of(100 * (played.own(played.won) - plain.own(plain.won)))
    coins[name] = mean_of(played.own(played.money) - plain.own(plain.money))
    changed = float(np.any(played.money != plain.money, axis=1).mean())
    print(f"{name:16} {changed:8.1%}   {f'{wins[name]:+.1f}':22} {coins[name]:+.0f}")

apart = difference_of(
    100 * with_habit["never betrays"].own(with_habit["never betrays"].won), 100 * plain.own(plain.won)
)
print(f"never betrays, if the deals were not shared: {apart:+.1f}")

# %% [markdown]
# *Changed* are the deals that ended with other money for somebody. In all others the habit made no difference at all,
# and their zeros are part of the mean. The last line forgets which games are of one deal: as many games say less then.

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 2.4), sharey=True, layout="constrained")
for axes, changes, label in ((left, wins, "win share, points"), (right, coins, "money")):
    dots(axes, changes)
    axes.axvline(0, color="grey", linestyle=":")
    axes.set_xlabel(f"{label}: with the habit minus without")
figure.suptitle("What the habit of one seat changes for it, four players")
plt.show()


# %%
def reading(one: Estimate) -> str:
    """What an interval says of a difference."""
    if one.low <= 0 <= one.high:
        return "no difference that these games could show"
    return "more wins" if one.low > 0 else "fewer wins"


for name, one in wins.items():
    print(f"{name}: {reading(one)}")

# %% [markdown]
# *No difference that these games could show* would not mean that there is none: then the interval says how large it may
# be.
#
# These figures and those of the first chart are not two measurements of one thing. The first chart says who wins; a
# person who bets on games could use it. The second one says what comes of a habit; only it answers whether betrayal
# pays.
#
# ### Is it the same with more or fewer players?
#
# Plain `planner` against one that never betrays, with three to six players. With three players everybody has two
# hunters, and a pair of his own has nobody to betray (D9.3).

# %%
FEWER = 1500
by_players = {}
for players in PLAYERS:
    without, with_it = play(FEWER, players), play(FEWER, players, never_betrays)
    by_players[f"{players} players"] = mean_of(100 * (with_it.own(with_it.won) - without.own(without.won)))
for players, one in zip(PLAYERS, by_players.values(), strict=True):
    print(f"{players} players, an even share is {1 / players:.1%}: never betrays, {one:+.1f} points")

figure, axes = plt.subplots(figsize=(7, 2.2), layout="constrained")
dots(axes, by_players)
axes.axvline(0, color="grey", linestyle=":")
axes.set(xlabel="win share, points: never betrays minus plain", title="By number of players")
plt.show()

# %% [markdown]
# ### What this does and does not say
#
# - It is about `planner` among players of its own kind, not about perfect play or people. Nobody here takes revenge or
#   avoids a traitor: `planner` remembers nothing.
# - The habit is not known to its own plans. A seat that never betrays still takes partners, chooses boats and keeps
#   cards as if it would. A player who plans without betrayal from the start may lose less.
# - It is one seat. If nobody betrayed, the seats would still share 100 % of the wins: what pays for one need not pay
#   for all.
# - The cards are the packaged ones, of which some are reconstructions. With more or fewer betrayals in the deck the
#   answer may differ.

# %% [markdown]
# ## 2. Isla Dorada: more bidders
#
# In a round the leader opens with a place, a way and an amount. The others raise or pass, and the winner pays the
# amount with animals, boats, dragons and zeppelins, of which the last two cost gold as well (rules I5 and I6). How does
# this change with the number of players? We let `planner` and `greedy` play with themselves and count, in each game:
#
# - *bids*: amounts that were named, a round;
# - *winning bid*: the amount that the winner owes, a round;
# - *cards* and *gold* that are paid for it, a round.
#
# What is counted follows from the actions. The position at the end tells how many rounds there were and what the
# winning bids add up to.

# %%
base = isla_dorada_v0.Game().new(seed=0)
ACTIONS = isla_dorada_v0.Game().num_actions
NAMES_AMOUNT, CARDS_PAID, GOLD_PAID = np.zeros((3, ACTIONS))
NAMES_AMOUNT[base.parse("amount 0") : base.parse("amount 29") + 1] = 1
for card in PAYING_CARDS:
    CARDS_PAID[base.parse(f"pay {CARDS[card]}")] = 1
    GOLD_PAID[base.parse(f"pay {CARDS[card]}")] = CARD_GOLD[card]
for way in LAND_WAYS:
    # The shaman goes with the first animal that it turns (I6.2).
    CARDS_PAID[base.parse(f"pay {CARDS[CARD_OF_WAY[way]]} with shaman")] = 2


@dataclass(frozen=True)
class Bidding:
    """Of G games, sums over each game: all arrays are ``[G]``."""

    rounds: Numbers
    bids: Numbers
    winning: Numbers
    cards: Numbers
    gold: Numbers


def bid(games: int, players: int, policy: str) -> Bidding:
    """Play games of a policy with itself."""
    env = isla_dorada_v0.batch_env(games, num_players=players, obs_dtype="int8", copy=False, autoreset_mode="NEXT_STEP")
    rounds, bids, winning, cards, gold = np.zeros((5, games))
    running = np.ones(games, bool)
    env.reset(seed=SEED)
    while running.any():
        actions = env.sample_actions(policy=policy)
        going = np.flatnonzero(running)
        bids[going] += NAMES_AMOUNT[actions[going]]
        cards[going] += CARDS_PAID[actions[going]]
        gold[going] += GOLD_PAID[actions[going]]
        step = env.step(actions)
        for game in np.flatnonzero(running & (step.terminated | step.truncated)).tolist():
            told = env.position(game).to_dict()["round"]
            rounds[game], winning[game] = told["number"], told["winning_total"]
            running[game] = False
    return Bidding(rounds, bids, winning, cards, gold)


# %%
COUNTED = {"bids": "bids a round", "winning": "winning bid", "cards": "cards paid a round", "gold": "gold paid a round"}
played_bids = {policy: {players: bid(1000, players, policy) for players in PLAYERS} for policy in ("greedy", "planner")}


def a_round(games: Bidding, what: str) -> Numbers:
    """Of each game the mean over its rounds."""
    counted: Numbers = getattr(games, what)
    return counted / games.rounds


bidding = {
    what: {
        policy: {players: mean_of(a_round(games, what)) for players, games in found.items()}
        for policy, found in played_bids.items()
    }
    for what in COUNTED
}
for what, label in COUNTED.items():
    print(label)
    for policy, estimates in bidding[what].items():
        print(f"  {policy:8}", "  ".join(f"{players}: {one:.2f}" for players, one in estimates.items()))

# %%
figure, grid = plt.subplots(2, 2, figsize=(9, 5.5), sharex=True, layout="constrained")
for axes, (what, label) in zip(grid.flat, COUNTED.items(), strict=True):
    for policy, estimates in bidding[what].items():
        means = np.array([one.mean for one in estimates.values()])
        sides = np.array([[one.mean - one.low, one.high - one.mean] for one in estimates.values()]).T
        axes.errorbar(list(estimates), means, yerr=sides, fmt="o-", capsize=3, label=policy)
    axes.set(title=label, xticks=PLAYERS, ylim=(0, None))
    axes.grid(alpha=0.3)
for axes in grid[1]:
    axes.set_xlabel("players")
grid[0, 0].legend()
figure.suptitle("Isla Dorada: bidding by number of players, 95 % intervals over games")
plt.show()

# %% [markdown]
# From three players to six, the change of each figure, and what it means for one player: he pays a share of the rounds
# only, the more the fewer sit at the table.

# %%
for policy, found in played_bids.items():
    print(policy)
    for what, label in COUNTED.items():
        change = difference_of(a_round(found[6], what), a_round(found[3], what))
        each = [mean_of(a_round(found[players], what) / players) for players in (3, 6)]
        print(f"  {label:19} {change:+.2f}    for each player {each[0]:.2f} -> {each[1]:.2f}")

# %% [markdown]
# The amounts of bids are small numbers, so differences of a few tenths are a bid more in every few rounds. Remember
# what is compared: other numbers of players are other games, with other deals and, for `planner`, other plans. The
# figures say how these two policies bid, and are no claim about how one should.
#
# ## Further
#
# - `docs/rules/` has the rules that the ids name, `docs/policies.md` what `planner` and `greedy` weigh,
#   `docs/results.md` more figures from their games.
# - Give the habit to another policy: replace the name in `play`. Give it to a policy of yours: `docs/arena.md` says how
#   a tournament shares deals, too.
