"""The game's own policies choose by what their seat may know: the same action in every world it cannot tell apart.

    python -m tests.isla_dorada.policy_worlds [--positions 10000] [--players 3 4 5 6] [--seed 1]

Positions are reached by mixed play: at each decision any of the policies inside the kernels chooses. Each is
determinized for the seat that decides, with several seeds, and the policy is asked again with the same words of the
generator. A position of which nothing can be redrawn does not occur: there is always an order of decks.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from isla_dorada_env.game import SPEC
from isla_dorada_env.options import IslaDoradaOptions, new_record
from island_core import bitset, rng
from island_core.selfplay import POLICIES, decide

PLAYERS = (3, 4, 5, 6)
OWN = ("greedy", "planner")
"""The policies of the game."""
WORLDS = 3
POSITIONS = 10_000
SEED = 1

Advise = Callable[[Any, int, int, Any], int]
"""``advise(states, i, policy, words)``."""


@dataclass(frozen=True)
class Disagreement:
    """A position in which a policy chose by what its seat cannot know."""

    game: int
    moves: int
    decision: str
    actions: tuple[int, int]

    def __str__(self) -> str:
        names = " and ".join(str(action) for action in self.actions)
        return f"game {self.game} after {self.moves} moves, decision {self.decision}: actions {names}"


def disagreements(
    policy: str,
    players: int,
    positions: int,
    seed: int = SEED,
    *,
    cooperative: bool = False,
    advise: Advise = SPEC.rules.advise,
) -> list[Disagreement]:
    """Where ``policy`` chose differently in two worlds of one information set, among so many positions."""
    number = POLICIES.index(policy)
    options = IslaDoradaOptions(num_players=players, cooperative_bidding=cooperative)
    states = new_record(options)
    passive, room = SPEC.actions.passive, np.empty(len(SPEC.actions.passive), np.uint64)
    words = np.zeros(4, np.uint64)
    found = []
    game = looked_at = 0
    while looked_at < positions:
        rng.seed_words(words, seed, game, 1)
        SPEC.rules.reset(states, 0, seed, game, 0)
        moves = 0
        while states["outcome"][0] == 0 and looked_at < positions:
            legal = states["legal"][0]
            total = bitset.count(legal)
            if total > 1:
                looked_at += 1
                found += _compare(states, number, rng.below(words, 1 << 30), advise, game, moves)
            mover = rng.below(words, len(POLICIES))
            SPEC.rules.step(states, 0, decide(states, 0, total, passive, room, words, mover, SPEC.advise_address))
            moves += 1
        game += 1
    return found


def _compare(states: Any, policy: int, seed: int, advise: Advise, game: int, moves: int) -> list[Disagreement]:
    """The worlds of one position in which the policy chooses another action than in the first one."""
    words = np.zeros(4, np.uint64)
    rng.seed_words(words, seed, 0, 2)
    top = int(states["depth"][0]) - 1
    seat, decision = int(states["frame_seat"][0, top]), int(states["frame_decision"][0, top])
    chosen = int(advise(SPEC.layout.copy(states), 0, policy, words.copy()))
    found = []
    for k in range(WORLDS):
        world = SPEC.layout.copy(states)
        SPEC.rules.determinize(world, 0, seat, seed + k)
        other = int(advise(world, 0, policy, words.copy()))
        if other != chosen:
            found.append(Disagreement(game, moves, SPEC.decisions[decision], (chosen, other)))
    return found


def main() -> int:
    """Look at each policy, number of players and form of bidding; the exit status is 1 if a policy peeks."""
    parser = argparse.ArgumentParser(description="Policies choose alike in worlds their seat cannot tell apart.")
    parser.add_argument("--positions", type=int, default=POSITIONS, help="for each policy and number of players")
    parser.add_argument("--players", type=int, nargs="+", default=list(PLAYERS), choices=PLAYERS)
    parser.add_argument("--seed", type=int, default=SEED)
    arguments = parser.parse_args()
    honest = True
    for policy in OWN:
        for players in arguments.players:
            for cooperative in (False, True):
                start = time.perf_counter()
                found = disagreements(policy, players, arguments.positions, arguments.seed, cooperative=cooperative)
                bidding = "cooperative" if cooperative else "basic"
                print(
                    f"{policy}, {players} players, {bidding} bidding, {arguments.positions:,} positions: "
                    f"{len(found)} disagreements, {time.perf_counter() - start:.0f} s",
                    *found[:10],
                    sep="\n  ",
                    flush=True,
                )
                honest &= not found
    return 0 if honest else 1


if __name__ == "__main__":
    sys.exit(main())
