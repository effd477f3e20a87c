# ruff: noqa: F821 - names in capitals and the kernels called are bound by the game
"""Search in an information set, as templates: what one call of ``Search`` does on one tree.

``jit.bind`` makes them kernels of a game. The rules, the redrawing and the valuing are called by their address (``at``,
a tuple in the order of the constants below), so that nothing large is compiled a second time.

The method is SO-ISMCTS, Monte Carlo tree search with one tree for the information sets of one observer: P. I. Cowling,
E. J. Powley, D. Whitehouse, "Information Set Monte Carlo Tree Search", IEEE Trans. Comput. Intell. AI Games 4 (2012).
Each simulation redraws what the observer does not know and walks down the one tree along actions that are legal in this
world; a child competes only where it is available, and its bonus counts how often it was. Every seat maximises its own
part of the values (max^n: C. Luckhardt, K. Irani, AAAI 1986; in UCT: N. Sturtevant, Computers and Games 2008).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from island_core import bitset, rng
from island_core.decisions import status_of
from island_core.jit import call_at, run_at
from island_core.layout import Field, Layout
from island_core.opponents import NO_POLICY
from island_core.places import best_key, holders
from island_core.selfplay import ACTING, choose_of, decide

if TYPE_CHECKING:
    PASSIVE: Any
    make: Any
    count_available: Any
    pick_child: Any
    pick_by_prior: Any
    grow: Any
    play_out: Any

STEP = 0
STANDING = 1
DETERMINIZE = 2
ESTIMATE = 3
ADVISE = 4
"""The places of kernels in the tuple of addresses."""

ROOT = 0
NONE = -1

NODES = Layout(
    "node",
    [
        Field("parent", "i4", (), "the node before, -1 at the root"),
        Field("child", "i4", (), "the newest child, -1 if there is none"),
        Field("sibling", "i4", (), "the next older child of the same parent, -1 if there is none"),
        Field("seat", "i4", (), "who took the action that leads here"),
        Field("action", "i4", (), "that action"),
        Field("visits", "i4", (), "simulations that went through"),
        Field("availability", "i4", (), "simulations in which the action could be chosen at the parent"),
        Field("worth", "f8", (6,), "sum of the values of those simulations, by seat"),
    ],
)
"""A node of the tree: the decisions that follow one action. Forced actions have none."""

SIZE = 0
REFUSED = 1
DECISIONS = 2
TREE_NUMBERS = 3
"""What is counted of a tree, ``int64[3]``: nodes; nodes that found no room; decisions with a choice simulated."""


def count_available_at(nodes: Any, node: int, actor: int, legal: Any, room: Any) -> int:
    """Count for every child whose action is legal for ``actor`` that it was available; returns how many there are.

    The legal actions without a child are left in ``room``.
    """
    for j in range(len(legal)):
        room[j] = legal[j]
    found = 0
    child = nodes[node].child
    while child >= 0:
        c = nodes[child]
        action = c.action
        if c.seat == actor and bitset.has_bit(legal, action):
            c.availability += 1
            room[action >> 6] &= ~(np.uint64(1) << np.uint64(action & 63))
            found += 1
        child = c.sibling
    return found


def pick_child_of(
    nodes: Any, node: int, actor: int, legal: Any, total: int, room: Any, exploration: float, most: float
) -> int:
    """The child of a node to go on to, among those whose action is legal for ``actor``; `NONE` to make a new one.

    ``total`` is the number of legal actions; those without a child are left in ``room``. Counts availability. A new
    child is called for where there is none, and as long as there is an untried action and fewer children than ``most``.
    """
    found = count_available(nodes, node, actor, legal, room)
    if found == 0:
        return NONE
    if found < total and found < most:
        return NONE
    best = NONE
    highest = 0.0
    child = nodes[node].child
    while child >= 0:
        c = nodes[child]
        if c.seat == actor and bitset.has_bit(legal, c.action):
            visits = float(c.visits)
            bound = c.worth[actor] / visits + exploration * np.sqrt(np.log(float(c.availability)) / visits)
            if best < 0 or bound > highest:
                best = child
                highest = bound
        child = c.sibling
    return best


def pick_by_prior_of(
    nodes: Any,
    node: int,
    actor: int,
    legal: Any,
    total: int,
    room: Any,
    exploration: float,
    prior: float,
    liked: int,
) -> int:
    """The same as `pick_child_of` with a policy's advice, the action ``liked``, as a prior.

    P-UCT (D. Silver et al., Nature 550, 2017): an action is worth its mean value and ``exploration * p * sqrt(N + 1) /
    (1 + n)`` for N visits of the node and n of the child, with p = ``prior`` for the one that is liked and an equal
    share of the rest for every other one. What was not tried is worth the mean value of the node.
    """
    found = count_available(nodes, node, actor, legal, room)
    if found == 0:
        return NONE
    root = nodes[node]
    scale = exploration * np.sqrt(float(root.visits) + 1.0)
    rest = (1.0 - prior) / (total - 1)
    best = NONE
    highest = 0.0
    child = root.child
    while child >= 0:
        c = nodes[child]
        if c.seat == actor and bitset.has_bit(legal, c.action):
            share = prior if c.action == liked else rest
            bound = c.worth[actor] / c.visits + scale * share / (1.0 + c.visits)
            if best < 0 or bound > highest:
                best = child
                highest = bound
        child = c.sibling
    if found < total:
        share = prior if bitset.has_bit(room, liked) else rest
        if root.worth[actor] / root.visits + scale * share > highest:
            return NONE
    return best


def make_node(nodes: Any, new: int, parent: int, sibling: int, seat: int, action: int, availability: int) -> None:
    """Write a node that has no child and was not visited."""
    n = nodes[new]
    n.parent = parent
    n.child = NONE
    n.sibling = sibling
    n.seat = seat
    n.action = action
    n.visits = 0
    n.availability = availability
    for k in range(6):
        n.worth[k] = 0.0


def grow_at(nodes: Any, tree: Any, node: int, actor: int, action: int) -> int:
    """Add a child; there must be room."""
    new = tree[SIZE]
    tree[SIZE] = new + 1
    make(nodes, new, node, nodes[node].child, actor, action, 1)
    nodes[node].child = new
    return new  # type: ignore[no-any-return]


def play_out_from(
    states: Any,
    seat: int,
    at: Any,
    tree: Any,
    room: Any,
    words: Any,
    policy: int,
    others: int,
    cut: int,
    margin: float,
    scores: Any,
    keys: Any,
    value: Any,
) -> None:
    """Play on in ``states[1]`` for at most ``cut`` decisions, to the end if it is negative, and value what is reached,
    ``float64[6]``: a game that is over by shares of the win, another one by the game's estimate.

    The other seats play by ``others`` if it is a policy; the seat, or everybody, by ``policy``. ``margin`` is the
    weight of the estimate in a game that is over.
    """
    legal = states[1].legal
    status = status_of(states[1])
    decisions = 0
    while status & 255 != 0:
        total = bitset.count(legal)
        if total > 1:
            if decisions == cut:
                break
            decisions += 1
        asked = policy if others == NO_POLICY or (status & 255) - 1 == seat else others
        action = decide(states, 1, total, PASSIVE, room, words, asked, at[ADVISE])
        status = call_at(at[STEP], (states, 1, action))
    tree[DECISIONS] += decisions
    if status & 255 != 0 or margin > 0.0:
        run_at(at[ESTIMATE], (states, 1, value))
        if status & 255 != 0:
            return
    else:
        value[:] = 0.0
    run_at(at[STANDING], (states, 1, scores, keys))
    players = states[1].num_players
    best = best_key(keys, players)
    winners = holders(keys, players, best)
    for seat in range(players):
        won = 1.0 / winners if keys[seat] == best else 0.0
        value[seat] = (1.0 - margin) * won + margin * value[seat]


def simulate(
    states: Any,
    seat: int,
    at: Any,
    nodes: Any,
    tree: Any,
    words: Any,
    count: int,
    sees_all: bool,
    policy: int,
    others: int,
    cut: int,
    margin: float,
    exploration: float,
    widening: float,
    prior: float,
    raced: Any,
    base: int,
    lead: Any,
) -> None:
    """Simulate in ``count`` worlds for the seat that decides in ``states[0]``; ``states[1]`` is where it is played.

    A node that was visited n times has at most ``widening * sqrt(n)`` children that are available, but for the first;
    ``widening`` may be infinite. With ``sees_all`` nothing is redrawn; if ``others`` is a policy the other seats play
    by it and have no nodes. ``nodes`` holds ``tree[SIZE]`` nodes, the root the first of them. When it is full no
    more nodes are made: where a new one is called for, one of the children there are is taken, or if there is none the
    rollout begins.

    ``raced``, ``int64[K]``, are children of the root: in every world there is a simulation of each, with the same
    random numbers, and what the seat gains over that of number ``base`` is added to ``lead``, ``float64[K, 2]``, with
    its square. They are played out at once, since a tree that grows would make them differ. Without any (K = 0) there
    is one simulation a world, from the root on.
    """
    room = np.empty(len(PASSIVE), np.uint64)
    spare = np.empty(len(PASSIVE), np.uint64)
    value = np.empty(6, np.float64)
    scores = np.empty(6, np.int64)
    keys = np.empty(6, np.int64)
    kept = np.empty(4, np.uint64)
    runs = max(1, len(raced))
    found = np.empty(runs, np.float64)
    capacity = len(nodes)
    for _ in range(count):
        seed = int(np.int64(rng.next_word(words) >> np.uint64(1)))
        kept[:] = words
        for run in range(runs):
            words[:] = kept
            states[1] = states[0]
            if not sees_all:
                run_at(at[DETERMINIZE], (states, 1, seat, seed))
            legal = states[1].legal
            status = status_of(states[1])
            node = ROOT
            if len(raced) > 0:
                node = raced[run]
                nodes[node].availability += 1
                tree[DECISIONS] += 1
                status = call_at(at[STEP], (states, 1, nodes[node].action))
            growing = len(raced) == 0
            while growing and status & 255 != 0:
                total = bitset.count(legal)
                if total == 1:
                    status = call_at(at[STEP], (states, 1, choose_of(legal, 1, PASSIVE, room, words, 0)))
                    continue
                actor = (status & 255) - 1
                if others != NO_POLICY and actor != seat:
                    tree[DECISIONS] += 1
                    action = decide(states, 1, total, PASSIVE, room, words, others, at[ADVISE])
                    status = call_at(at[STEP], (states, 1, action))
                    continue
                full = tree[SIZE] == capacity
                liked = NONE
                if prior > 0.0:
                    liked = decide(states, 1, total, PASSIVE, room, words, policy, at[ADVISE])
                    child = pick_by_prior(nodes, node, actor, legal, total, room, exploration, prior, liked)
                else:
                    most = 0.0 if full else widening * np.sqrt(float(nodes[node].visits))
                    child = pick_child(nodes, node, actor, legal, total, room, exploration, most)
                if child == NONE:
                    growing = False
                    if full:
                        tree[REFUSED] += 1
                    else:
                        action = liked
                        if action == NONE and policy > ACTING:
                            action = call_at(at[ADVISE], (states, 1, policy, words))
                        if action == NONE or not bitset.has_bit(room, action):
                            # What a game's own policy likes is in the tree: the rest comes in any order.
                            action = choose_of(room, bitset.count(room), PASSIVE, spare, words, policy)
                        child = grow(nodes, tree, node, actor, action)
                if child != NONE:
                    node = child
                    tree[DECISIONS] += 1
                    status = call_at(at[STEP], (states, 1, nodes[node].action))
            play_out(states, seat, at, tree, room, words, policy, others, cut, margin, scores, keys, value)
            found[run] = value[seat]
            while node >= 0:
                n = nodes[node]
                n.visits += 1
                for k in range(6):
                    n.worth[k] += value[k]
                node = n.parent
        for run in range(len(raced)):
            gain = found[run] - found[base]
            lead[run, 0] += gain
            lead[run, 1] += gain * gain


def plant_children(nodes: Any, tree: Any, seat: int, actions: Any) -> None:
    """Give the root a child for each of some actions (``int64[K]``): nodes 1 to K. There must be room."""
    for k in range(len(actions)):
        grow(nodes, tree, ROOT, seat, actions[k])
        nodes[k + 1].availability = 0


def plant(nodes: Any, tree: Any) -> None:
    """Begin a tree of the root alone."""
    make(nodes, ROOT, NONE, NONE, NONE, NONE, 0)
    tree[SIZE] = 1
    tree[REFUSED] = 0
    tree[DECISIONS] = 0


def child_of(nodes: Any, node: int, seat: int, action: int) -> int:
    """The child that an action of a seat leads to, `NONE` if there is none."""
    child = nodes[node].child
    while child >= 0 and (nodes[child].seat != seat or nodes[child].action != action):
        child = nodes[child].sibling
    return child  # type: ignore[no-any-return]


def transplant(nodes: Any, node: int, kept: Any, tree: Any) -> None:
    """Copy what lies below a node into ``kept``, of the same length, where it becomes the root of ``tree``."""
    origin = np.empty(len(nodes), np.int64)
    kept[ROOT] = nodes[node]
    kept[ROOT].parent = NONE
    kept[ROOT].sibling = NONE
    origin[ROOT] = node
    size = 1
    place = 0
    while place < size:
        child = nodes[origin[place]].child
        last = NONE
        while child >= 0:
            kept[size] = nodes[child]
            kept[size].parent = place
            kept[size].sibling = NONE
            if last < 0:
                kept[place].child = size
            else:
                kept[last].sibling = size
            origin[size] = child
            last = size
            size += 1
            child = nodes[child].sibling
        place += 1
    tree[SIZE] = size
    tree[REFUSED] = 0
    tree[DECISIONS] = 0


def read_root(nodes: Any, seat: int, actions: Any, visits: Any, availability: Any, worth: Any) -> None:
    """Add what the children of the root say of some actions (``int64[K]``) to the other arrays, rows of which belong to
    them: ``int64[K]`` twice, and ``float64[K, 6]``.
    """
    child = nodes[ROOT].child
    while child >= 0:
        c = nodes[child]
        for k in range(len(actions)):
            if c.seat == seat and c.action == actions[k]:
                visits[k] += c.visits
                availability[k] += c.availability
                for other in range(6):
                    worth[k, other] += c.worth[other]
        child = c.sibling
