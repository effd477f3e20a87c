"""Record short seeded games as transcripts: ``python -m tests.isla_dorada.record_transcripts``.

They notice change; whether a game is right is for the rulebook's transcripts and the oracle to say. When they are
written anew, the difference is read like code. All begin after the set-up choices, with markers placed, so that they
end within 150 lines; the seeds are chosen so that many kinds of decisions come up and no deck is shuffled, which a
transcript cannot tell.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from isla_dorada_env.isla_dorada_v0 import Game
from isla_dorada_env.transcripts import WORDS
from isla_dorada_env.vocab import CAMPS
from island_core.position import Position
from island_core.transcript import Recorder
from tests.common.record_transcripts import LAST_LINES, MOST_LINES, write

FOLDER = Path(__file__).parent / "transcripts" / "recorded"


class Plan(NamedTuple):
    """One game to record."""

    name: str
    seed: int
    markers: int
    """How many are placed before it begins."""
    options: dict[str, Any]


PLANS = (
    Plan("three_players", 22, 13, {"num_players": 3}),
    Plan("three_players_cooperative", 12, 13, {"num_players": 3, "cooperative_bidding": True}),
    Plan("four_players_truncated", 1, 2, {"num_players": 4, "max_rounds": 3}),
    Plan("four_players_cooperative", 13, 14, {"num_players": 4, "cooperative_bidding": True}),
    Plan("five_players", 2, 14, {"num_players": 5}),
    Plan("five_players_cooperative", 19, 8, {"num_players": 5, "cooperative_bidding": True, "max_rounds": 2}),
    Plan("six_players", 11, 14, {"num_players": 6}),
    Plan("six_players_asked", 21, 15, {"num_players": 6, "polls": "all", "cooperative_bidding": True}),
)


def choose(position: Position, rng: np.random.Generator) -> str:
    """A random act; half of the bids are passed, most amounts are the least."""
    names = position.legal_names()
    if position.decision in ("amount", "share") and rng.random() < 0.7:
        return min(names, key=lambda name: int(name.split()[1]))
    if "pass" in names and rng.random() < 0.5:
        return "pass"
    names = sorted(name for name in names if name not in ("draw diawas", "buy diawas"))
    acts = [name for name in names if name not in ("pass", "let be")]
    if not acts or rng.random() < 0.1:
        return names[int(rng.integers(len(names)))]
    return acts[int(rng.integers(len(acts)))]


def start(plan: Plan) -> Position:
    """A seeded deal after the choices of the set-up, under way; what players know of each other is forgotten."""
    game = Game(**plan.options)
    rng = np.random.default_rng(plan.seed)
    position = game.new(plan.seed)
    while position.decision != "bid":
        position.step(int(rng.choice(position.legal_actions())))
    facts = position.to_dict()
    for camp in rng.choice(CAMPS, plan.markers).tolist():
        facts["markers"][camp] = facts["markers"].get(camp, 0) + 1
        facts["camp"] = camp
    for known in ("certain", "certain_treasures", "put_under_treasures", "put_under_destinies", "events"):
        del facts[known]
    return game.from_dict(facts)


def record(plan: Plan) -> str:
    """The transcript of one game, as far as its length allows."""
    rng = np.random.default_rng(plan.seed)
    recorder = Recorder(start(plan), WORDS, f"seed {plan.seed}, recorded by machine")
    players = [f"player_{seat}" for seat in range(plan.options["num_players"])]
    recorder.expect("actor", "legal")
    while not recorder.position.is_over and len(recorder.text().splitlines()) < MOST_LINES - LAST_LINES:
        stage = recorder.position.to_dict()["round"]["stage"]
        recorder.step(choose(recorder.position, rng))
        if recorder.position.to_dict()["round"]["stage"] == "drawing" != stage:
            recorder.expect("camp", "leader", "score")
    recorder.expect("over", "score", "winners", "truncated", "display")
    for player in players:
        recorder.expect(f"hand {player}", f"laid {player}")
    if not recorder.position.is_over:
        recorder.expect("actor", "legal")
    return recorder.text()


if __name__ == "__main__":
    write(FOLDER, PLANS, record)
