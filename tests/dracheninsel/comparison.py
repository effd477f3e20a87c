"""The core of Die Dracheninsel against its oracle: ``python -m tests.dracheninsel.comparison --decisions N``."""

from __future__ import annotations

import random
import sys
from typing import Any

from dracheninsel_env import dracheninsel_v0
from dracheninsel_env.components import CARD_NAMES
from dracheninsel_env.decisions import DECISION_NAMES
from dracheninsel_env.observe import OBSERVATION
from island_core.events import RING
from island_core.position import Position
from tests.common.comparison import Comparison, main
from tests.dracheninsel.oracle import Oracle, RecordedChance
from tests.dracheninsel.oracle_observation import observation

EVENT_NAMES = dracheninsel_v0.Game.spec.events.names


class DracheninselComparison(Comparison):
    """Starts, steps and facts of Die Dracheninsel."""

    name = "dracheninsel"

    def start(self, seed: int) -> tuple[Position, Oracle, dict[str, Any]]:
        """Half of the games start from the set-up; late ones with few treasures left, or only the last, under way."""
        draw = random.Random(seed)
        options = {
            "num_players": 3 + seed % 4,
            "polls": draw.choice(("holders", "all")),
            "layout": draw.choice(("standard", "random")),
            "slumber_on_arrival": draw.random() < 0.25,
            "max_turns": draw.choice((300, 300, 60)),
        }
        game = dracheninsel_v0.Game(**options)
        position = game.new(seed)
        late = draw.choice(("no", "no", "some gone", "last under way"))
        if late != "no":
            position = game.from_dict(late_start(position.to_dict(), draw, late == "last under way"))
        return position, Oracle.from_dict(position.to_dict()), {**options, "late": late}

    def step(self, position: Position, oracle: Oracle, action: int, name: str) -> tuple[Any, Any]:
        """The chance of the step is read off the core's events."""
        before = position.num_events
        position.step(action)
        record = position.states[0]
        total = position.num_events
        if total - before > RING:
            raise AssertionError(f"{total - before} events in one step do not fit the ring")
        log = record["event_log"]
        rows = [tuple(int(v) for v in log[n % RING]) for n in range(before, total)]
        chance: list[tuple[Any, ...]] = []
        for number, (kind, _, a, b, _) in enumerate(rows):
            if EVENT_NAMES[kind] == "rob":
                chance.append(("stolen", b, CARD_NAMES[a]))
            elif EVENT_NAMES[kind] == "shuffle":
                drawn = [CARD_NAMES[row[2]] for row in rows[number + 1 :] if EVENT_NAMES[row[0]] == "draw"]
                rest = [CARD_NAMES[int(card)] for card in record["deck"][: int(record["deck_size"])][::-1]]
                chance.append(("shuffled", drawn + rest))
        oracle.step(name, RecordedChance(chance))
        core = [
            (EVENT_NAMES[kind], seat, a, b, frozenset(s for s in range(6) if seen >> s & 1))
            for kind, seat, a, b, seen in rows
        ]
        return core, list(oracle.events)

    def facts(self, position: Position, oracle: Oracle, names: list[str], thorough: bool) -> list[tuple[str, Any, Any]]:
        """Who decides what, legal names, scores, the deciding seat's view; thorough: every seat's, and all facts."""
        actor = position.actor
        found: list[tuple[str, Any, Any]] = [
            ("actor", None if actor is None else f"player_{actor}", oracle.actor),
            ("decision", position.decision or "", oracle.decision),
            ("legal names", set(names), set(oracle.legal())),
            ("scores", position.scores, list(oracle.scores())),
            ("over", position.is_over, oracle.outcome != "running"),
        ]
        seats = range(position.game.num_players) if thorough else [0 if actor is None else actor]
        for seat in seats:
            sections = OBSERVATION.read(position.observation(seat, "int8"))
            theirs = observation(oracle, f"player_{seat}")
            for name, counts in sections.items():
                mine = counts.ravel().tolist()
                if mine != theirs[name]:
                    found.append((f"observation of player_{seat}: {name}", mine, theirs[name]))
        if thorough:
            core, other = position.to_dict(), oracle.to_dict()
            for key in (
                "seats",
                "discs",
                "hunters",
                "treasures",
                "coins",
                "discard",
                "table",
                "deck",
                "options",
                "outcome",
            ):
                found.append((key, core[key], other[key]))
            found.append(("dragons", sorted(core["dragons"]), sorted(other["dragons"])))
            for key in ("hands", "certain"):
                found.append((key, canonical(core[key]), canonical(other[key])))
            keys = [oracle.ranking_key(seat) for seat in range(position.game.num_players)]
            best = max(keys)
            found.append(("winners", position.winners, [seat for seat, key in enumerate(keys) if key == best]))
        return found

    def action_group(self, name: str) -> str:
        """The verb, and the task of a ``play``."""
        words = name.split(" ")
        if words[0] == "play":
            return " ".join(words[:2])
        if words[0] == "step":
            return "step free" if words[-1] == "free" else "step paid"
        return " ".join(words[:2]) if words[0] in ("send", "let") else words[0]

    def required_kinds(self) -> set[str]:
        """Every decision kind with every number of players; only three choose a flyer."""
        return {f"{p} {d}" for p in range(3, 7) for d in DECISION_NAMES if d and (d != "flyer" or p == 3)}


def canonical(data: Any) -> Any:
    """Lists of cards as multisets, empty entries left out."""
    if isinstance(data, dict):
        return {key: value for key, value in ((k, canonical(v)) for k, v in data.items()) if value}
    return sorted(data)


def late_start(data: dict[str, Any], draw: random.Random, last_under_way: bool) -> dict[str, Any]:
    """A position near the end: treasures collected by random players; the last one under way with an empty site, or the
    next one on the site.
    """
    values = sorted(data["treasures"], key=int)
    gone = len(values) - 1 if last_under_way else draw.randrange(3, len(values))
    players = sorted(data["hands"])
    partial: dict[str, Any] = {key: data[key] for key in ("options", "seats", "discs", "hands", "deck", "rng")}
    partial["treasures"] = {value: "collected" if n < gone else "stock" for n, value in enumerate(values)}
    partial["coins"] = {player: [] for player in players}
    for value in values[:gone]:
        for _ in range(2):
            partial["coins"][draw.choice(players)].append(int(value))
    hunters = sorted(data["hunters"])
    partial["hunters"] = dict(data["hunters"])
    cells = sorted(data["discs"])
    if last_under_way:
        place = draw.choice(cells)
        partial["treasures"][values[gone]] = place
        for hunter in draw.sample(hunters, 2):
            partial["hunters"][hunter] = place
    else:
        partial["treasures"][values[gone]] = "e5"
        for hunter in hunters:
            if draw.random() < 0.5:
                free = [cell for cell in cells if cell not in partial["hunters"].values()]
                partial["hunters"][hunter] = draw.choice(free)
    partial["turn"] = {"active": draw.choice(players), "number": 0}
    return partial


if __name__ == "__main__":
    sys.exit(main(DracheninselComparison()))
