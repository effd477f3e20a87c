"""Long random play that checks at every decision what must hold in every position.

    python -m tests.dracheninsel.invariants --decisions 1000000 [--players 3 4] [--seed 0] [--workers 2]

Game number n takes the n-th combination of players, options, policy and start, in a cycle; a seed and a number are the
same game on every machine. Two policies: ``random`` chooses evenly among the legal actions; ``acting`` avoids passive
ones, chooses the block of the action table first, so that tasks come up as often as steps, and every fourth time takes
what leads to the kind of decision that was rarest in this game. Every second game starts with treasures under way, next
to boats, and is left soon: that is where the rare decisions are.
"""

import itertools
import sys
from collections import Counter
from collections.abc import Iterable

import numpy as np

from dracheninsel_env import dracheninsel_v0
from dracheninsel_env.board import CELLS, LANDINGS, NEIGHBOUR, SITE, SPACE_NAMES
from dracheninsel_env.components import COINS, COINS_EACH, COPIES
from dracheninsel_env.decisions import DECISION_NAMES, Decision
from dracheninsel_env.game import SPEC
from dracheninsel_env.state import COLLECTED, REMOVED
from dracheninsel_env.vocab import HUNTERS
from tests.common.invariants import PLAYERS, Invariants, call_of, check_actions, check_stack, main, play_checked

STARTS = {"carrying": 150, "set-up": 1500}
"""How games start, and how many decisions they are played on for at most."""
COMBINATIONS = tuple(
    itertools.product(STARTS, ("acting", "random"), ("holders", "all"), ("standard", "random"), (False, True))
)


def expected_kinds(players: int) -> set[str]:
    """Every kind of decision that can come up at this number of players: a flyer is chosen by three only (D9.2)."""
    return {name for name in DECISION_NAMES if name} - (set() if players == 3 else {DECISION_NAMES[Decision.FLYER]})


# What must hold


def check_cards(record: np.void) -> None:
    """Each of the 99 cards is in exactly one zone (D2.3, D2.4); nobody holds more than six (D4.3)."""
    found = record["discard"].astype(int) + record["table"].astype(int)
    for seat in range(record["num_players"]):
        size = int(record["hand_size"][seat])
        assert 0 <= size <= 6, f"player_{seat} holds {size} cards"
        found += np.bincount(record["hand"][seat][:size], minlength=len(COPIES))
    found += np.bincount(record["deck"][: record["deck_size"]], minlength=len(COPIES))
    assert (found == COPIES).all(), f"cards by kind: {found.tolist()}"


def check_money(record: np.void, scores: list[int]) -> None:
    """Each of the 14 coins is on the board, with a player or out of the game (D2.2); scores are their sums."""
    for treasure, place in enumerate(record["treasure_at"]):
        held = int(record["coins"][:, treasure].sum())
        assert held == (COINS_EACH if place == COLLECTED else 0), f"treasure {treasure} at {place}, coins paid: {held}"
        assert REMOVED <= place <= 66, f"treasure {treasure} is at {place}"
    assert (record["coins"] >= 0).all()
    recomputed = [int(record["coins"][seat] @ COINS) for seat in range(record["num_players"])]
    assert scores == recomputed, f"scores {scores}, coins are worth {recomputed}"


def check_board(record: np.void, decision: str) -> None:
    """Who stands where: D7.1, D7.2, D8.2; three on one space only while an ambush is decided."""
    dragons = [int(d) for d in record["dragon_at"] if d >= 0]
    assert (
        len(set(dragons)) == len(dragons) and SITE not in dragons and not set(dragons) & set(LANDINGS.ravel().tolist())
    )
    on_cells = Counter(int(space) for space in record["at"] if 0 <= space < CELLS)
    assert not set(dragons) & set(on_cells), "a hunter stands with a dragon"
    treasures = [int(place) for place in record["treasure_at"] if 0 <= place < CELLS]
    assert len(set(treasures)) == len(treasures), "two treasures on one space"
    for space, count in on_cells.items():
        most = 1 if space not in treasures else 3 if decision == "ambush" else 2
        assert count <= most, f"{count} hunters on space {space}"
    for place in treasures:
        assert place == SITE or on_cells[place], "a treasure lies about on a terrain space"
    crowded = [space for space, count in on_cells.items() if count == 3]
    assert len(crowded) == (decision == "ambush"), f"{decision}: three hunters on {crowded}"
    discs = np.bincount(record["terrain"][record["terrain"] >= 0], minlength=6)
    assert (discs == 10).all() and record["terrain"][SITE] == -1, "ten discs of each terrain (D1.2)"


def check_position(position: object) -> None:
    """Everything that must hold in a position."""
    record = position.states[0]
    SPEC.check(position.states, 0)
    check_cards(record)
    check_money(record, position.scores)
    check_board(record, position.decision)
    check_stack(record, position, Decision.TURN)
    check_actions(position)


# Playing


def carrying(game: dracheninsel_v0.Game, seed: int, number: int, rng: np.random.Generator) -> object:
    """A new game with treasures under way: two pairs at boats of theirs, or one and a hunter who may ambush it."""
    dealt = game.new(seed, number).to_dict()
    names = [str(name) for name in rng.permutation([name for own in dealt["seats"].values() for name in own])]
    first, second = (int(rng.choice(LANDINGS[HUNTERS.index(name)])) for name in (names[0], names[2]))
    at = {names[0]: first, names[1]: first}
    if len(names) > 3 and first != second and rng.random() < 0.5:
        at |= {names[2]: second, names[3]: second}
        treasures = {"100": SPACE_NAMES[first], "125": SPACE_NAMES[second], "150": "e5"}
    else:
        at |= {names[2]: int(rng.choice([space for space in NEIGHBOUR[first] if 0 <= space < CELLS]))}
        treasures = {"100": SPACE_NAMES[first], "125": "e5"}
    hunters = {name: SPACE_NAMES[space] for name, space in at.items()}
    kept = {key: dealt[key] for key in ("seats", "discs", "hands", "deck", "rng")}
    turn = {"active": dealt["turn"]["active"]}
    return game.from_dict({**kept, "hunters": hunters, "treasures": treasures, "turn": turn})


def play_game(number: int, seed: int, players: Iterable[int] = PLAYERS) -> Counter:
    """Check one game; gives (players, kind) -> how often. Raises ``BrokenError``."""
    players = tuple(players)
    start, policy, polls, layout, slumber = COMBINATIONS[number // len(players) % len(COMBINATIONS)]
    options = {
        "num_players": players[number % len(players)],
        "polls": polls,
        "layout": layout,
        "slumber_on_arrival": slumber,
    }
    game = dracheninsel_v0.Game(**options)
    rng = np.random.default_rng([seed, number])
    position = game.new(seed, number) if start == "set-up" else carrying(game, seed, number, rng)
    call = call_of(number, seed, players, options)
    return play_checked(position, check_position, policy, rng, STARTS[start], call)


INVARIANTS = Invariants("tests.dracheninsel.invariants", DECISION_NAMES, expected_kinds, play_game)

if __name__ == "__main__":
    sys.exit(main(INVARIANTS))
