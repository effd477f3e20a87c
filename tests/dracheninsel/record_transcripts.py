"""Record short seeded games as transcripts: ``python -m tests.dracheninsel.record_transcripts``.

They notice change; whether a game is right is for the rulebook's transcripts and the oracle to say. When they are
written anew, the difference is read like code. All begin in the middle, with hunters on the island and few treasures to
go, so that they end within 150 lines; the seeds are chosen so that there is a theft and some money is paid.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dracheninsel_env.board import NEIGHBOUR, SPACE_NAMES
from dracheninsel_env.dracheninsel_v0 import Game
from dracheninsel_env.transcripts import WORDS
from island_core.position import Position
from island_core.transcript import Recorder
from tests.common.record_transcripts import LAST_LINES, MOST_LINES, write

FOLDER = Path(__file__).parent / "transcripts" / "recorded"

AROUND = ["b2", "c3", "c5", "d2", "d6", "e3", "e7", "f2", "f5", "g3", "g5", "h4"]
"""Where the hunters begin, in the middle of the island."""
NEAR = {SPACE_NAMES[k]: [SPACE_NAMES[n] for n in row if n >= 0] for k, row in enumerate(NEIGHBOUR.tolist())}
OPEN_ENDS = ("stock", "collected", "removed")


class Plan(NamedTuple):
    """One game to record."""

    name: str
    seed: int
    removed: int
    """How many treasures are out of the game before it begins."""
    options: dict[str, Any]


PLANS = (
    Plan("three_players", 6, 5, {"num_players": 3}),
    Plan("three_players_asked", 1, 6, {"num_players": 3, "polls": "all"}),
    Plan("four_players", 1, 5, {"num_players": 4}),
    Plan("four_players_random_layout", 8, 6, {"num_players": 4, "layout": "random"}),
    Plan("four_players_truncated", 1, 0, {"num_players": 4, "max_turns": 12}),
    Plan("five_players", 1, 5, {"num_players": 5}),
    Plan("five_players_slumber_on_arrival", 3, 6, {"num_players": 5, "slumber_on_arrival": True}),
    Plan("six_players", 1, 6, {"num_players": 6}),
)


def distance(space: str, goals: list[str]) -> int:
    """Steps from a space to the nearest goal."""
    reached, steps = set(goals), 0
    while reached and space not in reached:
        reached |= {near for one in reached for near in NEAR[one]}
        steps += 1
    return steps


def choose(position: Position, rng: np.random.Generator) -> str:
    """A move that mostly leads a hunter to a treasure, or a treasure home; else a random act."""
    names = sorted(position.legal_names())
    acts = [name for name in names if name.split()[0] not in ("stop", "discard", "done", "let")]
    if not acts or rng.random() < 0.04:
        return names[int(rng.integers(len(names)))]
    facts = position.to_dict()
    own = facts["seats"][f"player_{position.actor}"]
    lying = [place for place in facts["treasures"].values() if place not in OPEN_ENDS]
    carriers = [hunter for hunter in own if facts["hunters"][hunter] in lying]
    goals = [f"boat-{hunter}" for hunter in own] if carriers else lying
    moves = [name for name in acts if name.split()[0] in ("step", "fly")]
    if moves and goals and rng.random() < 0.9:
        return min(moves, key=lambda name: distance(name.split()[-2], goals))
    return acts[int(rng.integers(len(acts)))]


def start(plan: Plan) -> Position:
    """A seeded deal, without the first treasures, with the hunters on the island."""
    game = Game(**plan.options)
    facts = game.new(plan.seed).to_dict()
    values = list(facts["treasures"])
    hunters = list(facts["hunters"])
    spaces = np.random.default_rng(plan.seed).choice(AROUND, len(hunters), replace=False)
    facts["hunters"] = {hunter: str(space) for hunter, space in zip(hunters, spaces, strict=True)}
    places = ["removed"] * plan.removed + ["e5"] + ["stock"] * len(values)
    facts["treasures"] = dict(zip(values, places, strict=False))
    for derived in ("undo", "events"):
        del facts[derived]
    del facts["turn"]["listed"]
    return game.from_dict(facts)


def record(plan: Plan) -> str:
    """The transcript of one game, as far as its length allows."""
    rng = np.random.default_rng(plan.seed)
    recorder = Recorder(start(plan), WORDS, f"seed {plan.seed}, recorded by machine")
    recorder.expect("actor", "legal")
    while not recorder.position.is_over and len(recorder.text().splitlines()) < MOST_LINES - LAST_LINES:
        turns = recorder.position.to_dict()["turn"]["number"]
        active = recorder.position.to_dict()["turn"]["active"]
        recorder.step(choose(recorder.position, rng))
        if recorder.position.to_dict()["turn"]["number"] > turns:
            recorder.expect(f"hand {active}")
    recorder.expect("over", "score", "winners")
    for treasure, place in recorder.position.to_dict()["treasures"].items():
        if place != "removed":
            recorder.expect(f"treasure {treasure}")
    for hunter in recorder.position.to_dict()["hunters"]:
        recorder.expect(f"at {hunter}")
    if not recorder.position.is_over:
        recorder.expect("actor", "legal")
    return recorder.text()


if __name__ == "__main__":
    write(FOLDER, PLANS, record)
