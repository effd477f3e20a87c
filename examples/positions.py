"""Set up a puzzle of Die Dracheninsel by hand, solve it by trying out, and show what positions can do.

    python examples/positions.py [--futures N]

The puzzle: red and blue carry the treasure 100 and stand three steps from red's boat. Which steps bring it home?
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

from dracheninsel_env import dracheninsel_v0
from island_core.position import Position

PUZZLE = {
    "seats": {"player_0": ["red"]},
    "hunters": {"red": "e7", "blue": "e7"},
    "treasures": {"100": "e7", "125": "e5"},
    "hands": {"player_0": ["mountain", "volcano"], "player_1": ["water"], "player_2": ["betrayal"]},
}


def lines(position: Position, steps: int) -> Iterator[tuple[list[str], Position]]:
    """Every way of at most so many steps, by names, and where it leads; positions are cloned and never harmed."""
    for name in position.legal_names():
        if not name.startswith("step "):
            continue
        twin = position.clone()
        twin.step(name)
        yield [name], twin
        if steps > 1 and twin.actor == position.actor:
            for more, end in lines(twin, steps - 1):
                yield [name, *more], end


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description="A puzzle by hand: cloning, events, keys and turns of positions.")
    parser.add_argument("--futures", type=int, default=3, help="how many other futures are drawn")
    arguments = parser.parse_args()

    game = dracheninsel_v0.Game(num_players=6)
    position = game.from_dict(PUZZLE)
    print(position.text(0))

    solved = [(names, end) for names, end in lines(position, 3) if end.scores[0] > 0]
    print(f"\n{len(solved)} ways bring coins, the shortest: {', then '.join(solved[0][0])}")
    names, end = solved[0]
    for event in end.events_since(position.num_events, seat=3):
        print(f"  player_3 sees event {event.number}: {event.kind} of player_{event.seat}")
    print(f"coins: {end.scores}, asked next: {end!r}")

    print("\nwhat nobody knows is drawn anew:")
    for seed in range(arguments.futures):
        future = end.clone(seed)
        print(f"  seed {seed}: the top of the deck is {future.to_dict()['deck'][0]}")
        assert [future.key(seat) for seat in range(6)] == [end.key(seat) for seat in range(6)]

    print("\nwhat the player who decides does not know is drawn anew:")
    seat = position.actor
    assert seat is not None
    for seed in range(arguments.futures):
        world = position.determinize(seat, seed)
        print(f"  seed {seed}: player_2 holds {world.to_dict()['hands']['player_2']}")
        assert world.key(seat) == position.key(seat)

    print("\nthe same puzzle, turned with all colours:")
    for symmetry in game.symmetries():
        turned = symmetry.position(position)
        action = symmetry.action(position.parse(names[0]))
        assert np.array_equal(symmetry.observation(position.observation(0)), turned.observation(0))
        assert np.array_equal(symmetry.mask(position.mask()), turned.mask())
        print(f"  {symmetry.name:8}  {symmetry.colours['red']:6}  {turned.action_name(action)}")

    assert game.from_dict(position.to_dict()) == game.from_bytes(position.to_bytes()) == position


if __name__ == "__main__":
    main()
