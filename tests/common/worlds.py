"""Whether a policy plays by what its seat knows: its action is the same in all worlds the seat cannot tell apart.

At the decisions of games that are played by all policies in turn, the position is copied, all that the deciding seat
does not know is drawn anew (`determinize`), and the policy is asked again with a generator in the same state.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from island_core import bitset, rng
from island_core.layout import States
from island_core.network import NETWORK_NAME, NetworkPolicy, network_of
from island_core.opponents import NO_POLICY
from island_core.position import lens_of
from island_core.selfplay import ACTING, OWN_POLICIES, POLICIES, choose
from island_core.spec import GameSpec

PLAYERS = (3, 4, 5, 6)
POSITIONS = 10_000
WORLDS = 3

Advise = Callable[[States, int, int, Any], int]
"""Like ``spec.rules.advise``."""


def by_network(spec: GameSpec) -> Advise:
    """The choice of the network that comes with a game."""
    policy, lens, mask = NetworkPolicy(network_of(spec)), lens_of(spec, "int8", 0), np.empty(spec.actions.size, np.int8)

    def advise(states: States, i: int, number: int, words: Any) -> int:
        seat = int(states["frame_seat"][i, states["depth"][i] - 1])
        bitset.unpack(states["legal"][i], mask)
        return int(policy.act_batch(lens.look(states, i, seat)[None], mask[None], np.random.default_rng(words))[0])

    return advise


def generator(*numbers: int) -> Any:
    """A generator as kernels take it, from up to three numbers."""
    words = np.zeros(4, np.uint64)
    rng.seed_words(words, *numbers, *[0] * (3 - len(numbers)))
    return words


def choices(spec: GameSpec, options: Any, seed: int) -> Iterator[States]:
    """The record at each decision with a choice of game after game, without end; what is played is drawn anew for each
    decision from all policies, ``acting`` play more seldom than that of the game's own.
    """
    states = spec.layout.alloc(1)
    spec.configure(states, 0, options)
    words, room = generator(seed), np.empty(spec.actions.words, np.uint64)
    game = 0
    while True:
        spec.rules.reset(states, 0, seed, game, 0)
        # Some games are played well, others wildly: each reaches positions of its own.
        wild = game % 4 == 0
        while states["outcome"][0] == 0:
            legal = states["legal"][0]
            total = bitset.count(legal)
            if total > 1:
                yield states
            policy = rng.below(words, len(POLICIES)) if wild or rng.below(words, 8) == 0 else 2 + rng.below(words, 2)
            if total > 1 and policy > ACTING:
                action = spec.rules.advise(states, 0, policy, words)
            else:
                action = choose(legal, spec.actions.passive, room, words, min(policy, ACTING))
            spec.rules.step(states, 0, action)
        game += 1


def compare(
    spec: GameSpec, options: Any, policy: str, positions: int, seed: int = 0, advise: Advise | None = None
) -> Counter[str]:
    """Ask a policy at so many decisions in so many worlds; counts the decisions by kind.

    ``advise`` is asked instead of the game's own. Raises AssertionError at an action that is not legal, and where
    another world, or the same one again, brings another action.
    """
    ask = spec.rules.advise if advise is None else advise
    number = POLICIES.index(policy) if policy in POLICIES else NO_POLICY
    count: Counter[str] = Counter()
    world = spec.layout.alloc(1)
    for k, states in enumerate(choices(spec, options, seed)):
        if k == positions:
            break
        top = states["depth"][0] - 1
        seat = int(states["frame_seat"][0][top])
        count[spec.decisions[states["frame_decision"][0][top]]] += 1
        before = states.tobytes()
        action = int(ask(states, 0, number, generator(seed, k)))
        assert states.tobytes() == before, f"{policy} changes the record"
        assert bitset.has_bit(states["legal"][0], action), f"{policy}: {action} is not legal"
        for again in range(WORLDS + 1):
            world[:] = states
            if again:
                spec.rules.determinize(world, 0, seat, again + WORLDS * k)
            found = int(ask(world, 0, number, generator(seed, k)))
            if found != action:
                names = [spec.action_name(states, 0, one) for one in (action, found)]
                raise AssertionError(f"{policy}, decision {k}, seat {seat}: {names[0]}, in another world {names[1]}")
    return count


def main(spec: GameSpec, options: Callable[[int], Any]) -> None:
    """The command line: every policy of the game and its network with every number of players; ``options`` by number
    of players.
    """
    parser = argparse.ArgumentParser(description="The game's policies play by what their seats know.")
    parser.add_argument("--positions", type=int, default=POSITIONS, help="for each policy and number of players")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for policy in (*OWN_POLICIES, NETWORK_NAME):
        advise = by_network(spec) if policy == NETWORK_NAME else None
        for players in PLAYERS:
            start = time.perf_counter()
            count = compare(spec, options(players), policy, arguments.positions, arguments.seed, advise)
            seconds = time.perf_counter() - start
            kinds = ", ".join(f"{kind} {n:,}" for kind, n in count.most_common())
            print(f"{policy}, {players} players: {count.total():,} decisions ({kinds}), {seconds:.0f} s", flush=True)
