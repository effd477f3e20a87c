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
# # What a seat knows, and what a search makes of it
#
# In both games of this library the players hold cards that the others do not see. This notebook takes one position of
# each game and looks at it through the eyes of the seat that decides:
#
# 1. what that seat sees;
# 2. *determinizations*: worlds that the seat cannot tell from the true one, and how often a hidden card lies where;
# 3. what a tree search over such worlds thinks of the legal actions;
# 4. how its choice settles when it is given more simulations.
#
# All seeds are fixed. The first run on a machine compiles the rules, which takes a minute or two. Later runs take
# seconds.

# %%
from collections import Counter
from collections.abc import Iterable
from math import comb, sqrt
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

from dracheninsel_env import dracheninsel_v0
from isla_dorada_env import isla_dorada_v0
from isla_dorada_env.vocab import CARDS, LIGHTNING_CARDS
from island_core.position import Game, Position
from island_core.search import Search, SearchResult

# %% [markdown]
# ## Die Dracheninsel: two carry a treasure
#
# A treasure is carried by two hunters together, and it pays both when it comes to a boat of one of them. We deal the
# hands of a new game and put the hunters where something is at stake: yellow (`player_0`) and green (`player_1`) carry
# the treasure 100 and stand two spaces from yellow's boat.
#
# The text below is the table as `player_0` sees it: his own cards, but of the others only how many they hold.

# %%
island = dracheninsel_v0.Game(num_players=4)
carried = island.from_dict(
    {
        "hunters": {"yellow": "h4", "green": "h4", "brown": "d4", "blue": "e6"},
        "treasures": {"100": "h4", "125": "e5"},
        "hands": island.new(seed=1).to_dict()["hands"],
    }
)
carrier = carried.actor
assert carrier is not None
print(carried.text(carrier))

# %% [markdown]
# ### Worlds that look the same
#
# `determinize(seat, seed)` draws everything anew that the seat does not know: the cards of the others and the order of
# the deck. Here are the hands of `player_1` and `player_2` in three such worlds.


# %%
def worlds_of(position: Position, number: int) -> list[Position]:
    """Draw so many worlds that the seat which decides cannot tell from the position, with the seeds 0, 1, ..."""
    seat = position.actor
    assert seat is not None
    return [position.determinize(seat, seed) for seed in range(number)]


island_worlds = worlds_of(carried, 400)
for number, world in enumerate(island_worlds[:3]):
    hands = world.to_dict()["hands"]
    print(f"world {number}")
    for player in ("player_1", "player_2"):
        print(f"  {player}: {', '.join(hands[player])}")

# %% [markdown]
# The seat's own hand is the same in all of them, and so is the whole text above. What differs is hidden from it.

# %%
print("worlds:", len(island_worlds))
print("different own hands:", len({tuple(world.to_dict()["hands"]["player_0"]) for world in island_worlds}))
print("different texts:", len({world.text(carrier) for world in [carried, *island_worlds]}))
print("different hands of player_1:", len({tuple(world.to_dict()["hands"]["player_1"]) for world in island_worlds}))

# %% [markdown]
# ### How likely is a card?
#
# When the treasure arrives, a `betrayal` can claim the money of both carriers for one of them. How many of these cards
# does the partner hold? Some cards show two tasks, and one of them may be a betrayal.
#
# The seat can count. It knows which cards are in the box and sees some of them; the rest is *unseen*, in other hands or
# in the deck. If $U$ cards are unseen, $K$ of them betrayals, then a hand of $n$ unseen cards has $k$ of them with
# probability
#
# $$\binom{K}{k} \binom{U - K}{n - k} \Big/ \binom{U}{n}.$$
#
# The chart sets this beside 400 worlds. The whiskers are two standard deviations of 400 draws to either side: bars are
# expected to end inside of most of them.


# %%
def counting(unseen: int, wanted: int, size: int) -> list[float]:
    """Probability of 0, 1, ... wanted cards in a hand of so many unseen ones."""
    return [comb(wanted, k) * comb(unseen - wanted, size - k) / comb(unseen, size) for k in range(size + 1)]


def in_hands(worlds: Iterable[Position], player: str, words: set[str]) -> list[int]:
    """For each world, how many cards of the player show one of the words."""
    hands = (world.to_dict()["hands"][player] for world in worlds)
    return [sum(not words.isdisjoint(card.split("/")) for card in hand) for hand in hands]


def compare(axes: Any, found: list[int], expected: dict[str, list[float]], title: str) -> None:
    """Draw how often each number was found beside how often it is expected."""
    total, tally = len(found), Counter(found)
    largest = max([*tally, *(k for chances in expected.values() for k, p in enumerate(chances) if p * total >= 1)])
    numbers = np.arange(largest + 1)
    width = 0.8 / (1 + len(expected))
    axes.bar(numbers, [tally[k] for k in range(largest + 1)], width, label=f"{total} worlds")
    for place, (label, chances) in enumerate(expected.items(), 1):
        chance = np.array(chances)[numbers]
        spread = [2 * sqrt(total * p * (1 - p)) for p in chance]
        axes.bar(numbers + place * width, total * chance, width, yerr=spread, capsize=3, label=label, alpha=0.6)
    axes.set(xlabel="cards in hand", ylabel="worlds", title=title)
    axes.set_xticks(numbers + len(expected) * width / 2, [str(k) for k in range(largest + 1)])
    axes.legend()


unseen = Counter(island_worlds[0].to_dict()["deck"])
for player, hand in island_worlds[0].to_dict()["hands"].items():
    if player != "player_0":
        unseen.update(hand)
betrayals = sum(copies for card, copies in unseen.items() if "betrayal" in card.split("/"))
held = len(carried.to_dict()["hands"]["player_1"])
print(f"{unseen.total()} unseen cards, {betrayals} of them betrayals; player_1 holds {held} cards")

figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
compare(
    axes,
    in_hands(island_worlds, "player_1", {"betrayal"}),
    {"counting": counting(unseen.total(), betrayals, held)},
    "Die Dracheninsel: betrayals of player_1",
)
plt.show()

# %% [markdown]
# ### What the search thinks
#
# The search (IS-MCTS, see `docs/search.md`) plays on from such worlds many times, a new world each time, and keeps
# count. `visits` says how many simulations began with an action. The columns of the players say how much of the win
# each got in them on average: 1 is the win alone, and with four players of equal chances everybody has 0.25.
#
# One simulation first, on its own: it compiles what is not compiled yet, so that the time in the next table is that of
# the search.

# %%
Search(island, simulations=1).run(carried)
island_result = Search(island, simulations=10_000, seed=1).run(carried)
print(island_result)


# %%
def draw_result(result: SearchResult, title: str) -> None:
    """Draw visits and values of the actions, the best on top."""
    order = result.order()[::-1]
    names = [result.names[k] for k in order]
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 1.5 + 0.25 * len(names)), sharey=True, layout="constrained")
    left.barh(names, result.visits[order])
    left.set(xscale="symlog", xlim=(0, None), xlabel="visits (logarithmic)")
    right.plot(result.values[order, result.seat], names, "o")
    right.set(xlabel=f"value to player_{result.seat}")
    right.locator_params(axis="x", nbins=6)
    right.grid(axis="x", alpha=0.4)
    figure.suptitle(title)
    plt.show()


draw_result(island_result, "Die Dracheninsel")

# %% [markdown]
# The search only uses what the seat knows. In worlds which the seat cannot tell apart it finds the same, number for
# number. Here it is in the true position and in five worlds:

# %%
for world in [carried, *island_worlds[:5]]:
    again = Search(island, simulations=10_000, seed=1).run(world)
    print(world.action_name(again.action), "- same visits:", np.array_equal(again.visits, island_result.visits))

# %% [markdown]
# ### How the choice settles
#
# A search with few simulations has seen little, and with another seed it may choose another action. So we search with
# twenty seeds for each budget and count how often each action is chosen. The lines are the actions that were chosen
# most over all budgets.


# %%
def settle(game: Game, position: Position, title: str) -> None:
    """Draw how often actions are chosen, by the number of simulations."""
    budgets = [25 * 2**k for k in range(10)]
    seeds = range(20)
    chosen = {
        budget: Counter(
            position.action_name(Search(game, simulations=budget, seed=seed).run(position).action) for seed in seeds
        )
        for budget in budgets
    }
    overall = sum(chosen.values(), Counter[str]())
    figure, axes = plt.subplots(figsize=(7, 3.5), layout="constrained")
    for name, _ in overall.most_common(4):
        axes.plot(budgets, [chosen[budget][name] for budget in budgets], "o-", label=name)
    axes.set(xscale="log", ylim=(-1, len(seeds) + 1), xlabel="simulations", ylabel="seeds", title=title)
    axes.set_xticks(budgets, [str(budget) for budget in budgets])
    axes.set_yticks(range(0, len(seeds) + 1, 5))
    axes.minorticks_off()
    axes.legend()
    plt.show()
    for budget in (budgets[0], budgets[-1]):
        name, times = chosen[budget].most_common(1)[0]
        print(f"{budget} simulations: {len(chosen[budget])} different choices, {times} of {len(seeds)} times {name}")


settle(island, carried, "Die Dracheninsel: what is chosen with 20 seeds")

# %% [markdown]
# ## Isla Dorada: a bid tells something
#
# In every round the players bid where the expedition goes. A *flight* may go anywhere, but it can be paid with
# zeppelins and dragons alone. Nobody may bid more than he can pay.
#
# We play a new game at random up to the first bid. That bid is a flight for the amount 2, which a single zeppelin or
# dragon pays. The next player decides. The text is the table as he sees it.

# %%
dorada = isla_dorada_v0.Game(num_players=4)
auction = dorada.new(seed=63)
generator = np.random.default_rng(63)
while auction.decision != "bid":
    auction.step(auction.sample(generator))
bidder = auction.actor
auction.step(next(name for name in auction.legal_names() if name.endswith("flight")))
auction.step("amount 2")
asked = auction.actor
assert bidder is not None and asked is not None
print(auction.text(asked))

# %% [markdown]
# Three worlds that look the same to this seat. The bidder holds a zeppelin or a dragon in each of them, since he could
# not pay without one.

# %%
dorada_worlds = worlds_of(auction, 400)
for number, world in enumerate(dorada_worlds[:3]):
    print(f"world {number}")
    for player, hand in world.to_dict()["hands"].items():
        print(f"  {player}: {', '.join(hand)}")

# %% [markdown]
# Again the seat can count. Lightning cards are never held in hand, so they are left out of the unseen cards. Counting
# alone says how likely a hand has $k$ zeppelins and dragons. With the bid, hands without any are out, and the other
# probabilities grow by what is left over:
#
# $$P(k \mid \text{bid}) = P(k) \,/\, (1 - P(0)) \quad \text{for } k > 0.$$
#
# The worlds follow the second one.

# %%
flyers = {"zeppelin", "dragon"}
lightning = {CARDS[card] for card in LIGHTNING_CARDS}
sample = dorada_worlds[0].to_dict()
unseen = Counter(card for card in sample["deck"] if card not in lightning)
for player, hand in sample["hands"].items():
    if player != f"player_{asked}":
        unseen.update(hand)
flying = sum(copies for card, copies in unseen.items() if card in flyers)
held = len(auction.to_dict()["hands"][f"player_{bidder}"])
print(f"{unseen.total()} unseen cards, {flying} of them zeppelins and dragons; player_{bidder} holds {held} cards")

alone = counting(unseen.total(), flying, held)
with_bid = [0.0, *(p / (1 - alone[0]) for p in alone[1:])]
figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
compare(
    axes,
    in_hands(dorada_worlds, f"player_{bidder}", flyers),
    {"counting with the bid": with_bid, "counting alone": alone},
    f"Isla Dorada: zeppelins and dragons of player_{bidder}",
)
plt.show()

# %% [markdown]
# And what the search thinks of the bids. The values of the best two actions lie closer together than in the position
# of Die Dracheninsel: compare the right-hand charts.

# %%
Search(dorada, simulations=1).run(auction)
dorada_result = Search(dorada, simulations=10_000, seed=1).run(auction)
print(dorada_result)
draw_result(dorada_result, "Isla Dorada")

# %%
settle(dorada, auction, "Isla Dorada: what is chosen with 20 seeds")

# %% [markdown]
# ## Further
#
# - `docs/search.md` describes the search and its options, `docs/determinization.md` the law by which worlds are drawn.
# - `examples/search.py` plays whole games with it.
# - Change the seeds, the hands or the budgets above and run the cells again.
