"""The core of Isla Dorada against its oracle: ``python -m tests.isla_dorada.comparison --decisions N``."""

from __future__ import annotations

import random
import sys
from collections import Counter, deque
from typing import Any

from isla_dorada_env import isla_dorada_v0
from isla_dorada_env.vocab import CARDS
from island_core.position import Position, TableEvent
from tests.common.comparison import Comparison, main
from tests.isla_dorada.oracle import Oracle
from tests.isla_dorada.oracle_box import TREASURES, OracleError, seat_number
from tests.isla_dorada.oracle_chance import Deal
from tests.isla_dorada.oracle_observation import DECISIONS, check_setup, history_row, observation
from tests.isla_dorada.starts import STARTS

HISTORY = 12
"""Rows of the history part that are compared."""


class CoreChance:
    """What happened by chance in a step of the core, read off its events and the position after it."""

    def __init__(self, position: Position, events: list[TableEvent]) -> None:
        self.position = position
        self.events = events
        self.thefts = deque(event for event in events if event.kind in ("rob", "loot"))
        self.shuffles = deque(number for number, event in enumerate(events) if event.kind == "shuffle")

    def dealt(self, players: int, leader: int) -> Deal:
        data = self.position.to_dict()
        return Deal([data["hands"][f"player_{seat}"] for seat in range(players)], data["display"], data["deck"])

    def shuffled(self, cards: list[str]) -> list[str]:
        """What came off the deck until the step was over or it was shuffled again, and what is left of it."""
        if not self.shuffles:
            raise OracleError("the rules need a shuffled deck, the core wrote no such event")
        first = self.shuffles.popleft()
        last = self.shuffles[0] if self.shuffles else len(self.events)
        kinds = ["draw", "refill"]
        if not any(event.kind == "take" for event in self.events):
            kinds.append("lightning")
        drawn = [CARDS[event.a] for event in self.events[first:last] if event.kind in kinds]
        if self.shuffles:  # its order is no longer to be seen, and without effect
            return drawn + sorted((Counter(cards) - Counter(drawn)).elements())
        return [*drawn, *self.position.to_dict()["deck"]]

    def stolen(self, victim: int, cards: list[str]) -> str:
        if not self.thefts:
            raise OracleError("the rules need a stolen card, the core wrote no such event")
        event = self.thefts.popleft()
        if event.b != victim:
            raise OracleError(f"a card of seat {victim} is due, the core wrote one of seat {event.b}")
        return (CARDS if event.kind == "rob" else TREASURES)[event.a]

    def put_under(self, rejects: dict[int, str]) -> list[int]:
        data = self.position.to_dict()
        players = {entry["place"]: [seat_number(p) for p in entry["players"]] for entry in data["put_under_treasures"]}
        order: list[int] = []
        for place in reversed(range(len(rejects))):
            card = data["treasure_deck"][len(data["treasure_deck"]) - 1 - place]
            whose = [seat for seat, own in rejects.items() if own == card and seat not in order]
            known = [seat for seat in whose if seat in players.get(place, ())]
            if not whose:
                raise OracleError(f"{card} lies under the treasures, rejected were {rejects}")
            order.append((known or whose)[0])
        return order

    def done(self) -> None:
        if self.thefts or self.shuffles:
            raise OracleError(f"the core wrote thefts or shuffles that the rules do not need: {self.events}")


class IslaDoradaComparison(Comparison):
    """Starts, steps and facts of Isla Dorada."""

    name = "isla_dorada"
    oracle: type[Oracle] = Oracle

    def start(self, seed: int) -> tuple[Position, Oracle, dict[str, Any]]:
        """Half of the games start from the set-up, the others late or with cards that make rare decisions near."""
        draw = random.Random(seed)
        options: dict[str, Any] = {
            "num_players": 3 + seed % 4,
            "polls": draw.choice(("holders", "all")),
            "cooperative_bidding": draw.random() < 0.5,
            "max_rounds": draw.choice((40, 40, 6)),
        }
        position = isla_dorada_v0.Game(**options).new(seed)
        kind = draw.choice(("setup", *STARTS))
        if kind == "setup":
            check_setup(self.oracle.from_dict(position.to_dict()))
        else:
            position = STARTS[kind](position, draw)
        return position, self.oracle.from_dict(position.to_dict()), {**options, "start": kind}

    def step(self, position: Position, oracle: Oracle, action: int, name: str) -> tuple[Any, Any]:
        """Events as (kind, seat, a, b, the seats that see a)."""
        before = position.num_events
        position.step(action)
        events = position.events_since(before)
        oracle.step(name, CoreChance(position, events))
        seats = range(position.game.num_players)
        views = [position.events_since(before, seat) for seat in seats]
        core = [
            (event.kind, event.seat, event.a, event.b, {seat for seat in seats if views[seat][number].a != -2})
            for number, event in enumerate(events)
        ]
        return core, [(kind, seat, a, b, set(seers & set(seats))) for kind, seat, a, b, seers in oracle.events]

    def facts(self, position: Position, oracle: Oracle, names: list[str], thorough: bool) -> list[tuple[str, Any, Any]]:
        """Who decides what, legal names, scores, the deciding seat's view; thorough: every seat's, and all facts."""
        actor = position.actor
        found: list[tuple[str, Any, Any]] = [
            ("actor", None if actor is None else f"player_{actor}", oracle.actor),
            ("decision", position.decision or "", oracle.decision),
            ("legal names", sorted(names), sorted(oracle.legal())),
            ("scores", position.scores, oracle.scores()),
        ]
        for seat in range(position.game.num_players) if thorough else [0 if actor is None else actor]:
            found += views(position, oracle, seat)
        if thorough:
            core, other = position.to_dict(), oracle.to_dict()
            del core["rng"]
            found.append(("keys", sorted(core), sorted(other)))
            found += [(key, canonical(key, core[key]), canonical(key, other[key])) for key in other]
            found.append(("winners", position.winners, oracle.winners()))
        return found

    def action_group(self, name: str) -> str:
        """The verb, and what is paid, chosen or answered in a few words."""
        words = name.split(" ")
        if words[0] == "bid":
            return f"bid {words[-1]}"
        if words[0] in ("draw", "buy", "let") or name.endswith("with shaman"):
            return " ".join((words[0], words[-1]))
        return words[0]

    def required_kinds(self) -> set[str]:
        """Every decision kind with every number of players."""
        return {f"{players} {decision}" for players in range(3, 7) for decision in DECISIONS if decision != "round"}


def views(position: Position, oracle: Oracle, seat: int) -> list[tuple[str, Any, Any]]:
    """The observation of a seat, section by section, and the history part."""
    mine = position.observation(seat, "int8", HISTORY)
    theirs = observation(oracle, f"player_{seat}")
    found: list[tuple[str, Any, Any]] = []
    layout = position.game.observation_layout
    if list(layout) != list(theirs):
        found.append(("sections", list(layout), list(theirs)))
    for name, part in layout.items():
        counts = mine[part].tolist()
        if counts != theirs[name]:
            found.append((f"observation of player_{seat}: {name}", counts, theirs[name]))
    end = max(part.stop for part in layout.values())
    rows = [history_row(event, oracle, f"player_{seat}") for event in oracle.events][-HISTORY:]
    if rows:
        shown = mine[end:].reshape(HISTORY, 4).tolist()
        found.append((f"history of player_{seat}", shown[: len(rows)], rows[::-1]))
    return found


def canonical(key: str, data: Any) -> Any:
    """Certain cards as multisets without empty entries; of a player nothing where there is nothing."""
    if key in ("certain", "certain_treasures"):
        known = {p: {q: sorted(cards) for q, cards in others.items() if cards} for p, others in data.items()}
        return {p: others for p, others in known.items() if others}
    return data


if __name__ == "__main__":
    sys.exit(main(IslaDoradaComparison()))
