"""Random games of the oracle alone, with invariants: ``python -m tests.isla_dorada.oracle --games 5``."""

import argparse
import random
from collections import Counter
from typing import Any

from isla_dorada_env.vocab import CAMPS, PLACES
from tests.isla_dorada.oracle import Oracle
from tests.isla_dorada.oracle_box import (
    BASE,
    CARD_COPIES,
    DESTINIES,
    LIGHTNING,
    MARKERS,
    ROUTES,
    TREASURE_COPIES,
    player_name,
)
from tests.isla_dorada.oracle_chance import DISPLAY, RandomChance, RecordedChance
from tests.isla_dorada.oracle_observation import check_observation, history_row

LARGEST_HISTORY = (36, 7, 127, 127)


def all_treasures(starred: bool) -> list[str]:
    """The starred or the other treasure cards."""
    return [
        name for name, copies in TREASURE_COPIES.items() for _ in range(copies) if name.endswith("starred") == starred
    ]


def fresh(rng: random.Random, num_players: int, **options: Any) -> dict[str, Any]:
    """A game's start of our own: everything dealt but the adventure cards (I3, P3)."""
    names = [player_name(seat) for seat in range(num_players)]
    leader = rng.randrange(num_players)
    starred, common = all_treasures(starred=True), all_treasures(starred=False)
    destinies = [name for name, destiny in DESTINIES.items() for _ in range(destiny.copies)]
    curses = list(CAMPS)
    for cards in (starred, common, destinies, curses):
        rng.shuffle(cards)
    held = {name: [starred.pop() for _ in range(3)] for name in names}
    chosen = {name: [destinies.pop() for _ in range(2)] for name in names}
    cursed = {name: [curses.pop()] for name in names}
    empty: dict[str, Any] = {
        key: {}
        for key in (
            *("markers", "monsters", "hands", "discard", "certain", "laid", "certain_treasures", "bids", "bid_for"),
            *("starred_rejected", "telegram_rejected", "curses_laid"),
        )
    }
    none: dict[str, Any] = {
        key: []
        for key in (
            *("display", "deck", "put_under_treasures", "put_under_destinies", "joined", "raised", "passed"),
            *("barred", "stack"),
        )
    }
    return {
        **empty,
        **none,
        "options": {
            "polls": "holders",
            "cooperative_bidding": False,
            "max_rounds": 40,
            **options,
            "num_players": num_players,
        },
        "camp": BASE,
        "sea_journeys": 0,
        "returns": 0,
        "gold": dict.fromkeys(names, 10),
        "treasures": held,
        "treasure_deck": common,
        "curses": cursed,
        "curse_deck": curses,
        "destinies": chosen,
        "destiny_deck": destinies,
        "last_route": None,
        "round": {"leader": names[leader], "number": 0, "winning_total": 0, "stage": "setup", "step": 1},
        "stack": [{"decision": "starred", "player": names[leader]}],
        "outcome": "running",
        "events": {"total": 0, "last": []},
    }


def check(oracle: Oracle) -> None:
    """Assert what holds in every position."""
    seats = range(oracle.num_players)
    in_setup = oracle.stage == "setup" and oracle.outcome == "running"
    if not in_setup:
        cards = Counter(oracle.deck) + Counter(oracle.display) + oracle.discard
        for hand in oracle.hands:
            cards += Counter(hand)
            assert len(hand) <= (12 if oracle.stage in ("drawing", "hand limit") else 10)
            assert not set(hand) & set(LIGHTNING)
        assert cards == Counter(CARD_COPIES)
        assert len(oracle.display) == DISPLAY
        common = Counter(card.name for card in oracle.treasure_deck) + Counter(oracle.telegram_rejected.values())
        starred = Counter(oracle.starred_rejected.values())
        for held in (*oracle.treasures, *oracle.laid):
            common += Counter(card for card in held if not card.endswith("starred"))
            starred += Counter(card for card in held if card.endswith("starred"))
        assert common == Counter(all_treasures(starred=False))
        assert starred <= Counter(all_treasures(starred=True)) and starred.total() == 3 * oracle.num_players
    curses = [*oracle.curse_deck, *(place for held in (*oracle.curses, *oracle.curses_laid) for place in held)]
    assert sorted(curses) == sorted(CAMPS)
    destinies = [card.name for card in oracle.destiny_deck] + [name for held in oracle.destinies for name in held]
    assert len(destinies) == 22
    for seat in seats:
        most = 2 if in_setup or (oracle.seat == seat and oracle.decision == "destiny") else 1
        assert 1 <= len(oracle.destinies[seat]) <= most
        assert 0 <= oracle.gold[seat] <= 10
        for place in oracle.curses_laid[seat]:
            assert oracle.markers[place]
    for p in seats:
        for q in seats:
            assert oracle.certain[p][q] <= Counter(oracle.hands[q])
            assert oracle.certain_treasures[p][q] <= Counter(oracle.treasures[q])
            assert p != q or not +oracle.certain[p][q] + oracle.certain_treasures[p][q]
    assert not oracle.markers[BASE] and oracle.markers.total() <= MARKERS
    assert set(oracle.bids) <= set(oracle.joined) == set(oracle.raised) == set(oracle.bid_for)
    assert all(bid.place in oracle.bid_for[seat] for seat, bid in oracle.bids.items())
    assert not oracle.raised or oracle.raised[-1] not in oracle.passed
    assert len(oracle.stack) <= 2 and (oracle.outcome != "running") == (not oracle.legal())
    assert oracle.camp in PLACES and (oracle.last_route is None or oracle.last_route in ROUTES)


def play_game(oracle: Oracle, rng: random.Random) -> tuple[Counter[str], Counter[str]]:
    """Play and check one game; count its decisions and events."""
    names = [player_name(seat) for seat in range(oracle.num_players)]
    decisions: Counter[str] = Counter()
    events: Counter[str] = Counter()
    while oracle.outcome == "running":
        check(oracle)
        decisions[oracle.decision] += 1
        if rng.random() < 0.05:
            for name in names:
                check_observation(oracle, name)
            again = Oracle.from_dict(oracle.to_dict())
            assert again.legal() == oracle.legal() and again.to_dict() == oracle.to_dict()
        name, chance = rng.choice(sorted(oracle.legal())), RandomChance(rng)
        twin = oracle.copy() if rng.random() < 0.05 else None
        oracle.step(name, chance)
        if twin is not None:
            twin.step(name, RecordedChance(chance.outcomes))
            assert twin == oracle and twin.to_dict() == oracle.to_dict()
        events.update(event[0] for event in oracle.events)
        for event in oracle.events:
            row = history_row(event, oracle, "player_1")
            assert all(0 <= number <= most for number, most in zip(row, LARGEST_HISTORY, strict=True))
    check(oracle)
    for name in names:
        check_observation(oracle, name)
    return decisions, events


def main() -> None:
    parser = argparse.ArgumentParser(description="Random games of the oracle alone")
    parser.add_argument("--games", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    decisions: Counter[str] = Counter()
    events: Counter[str] = Counter()
    for game in range(arguments.games):
        rng = random.Random(arguments.seed + game)
        options = {
            "polls": rng.choice(("holders", "all")),
            "cooperative_bidding": rng.random() < 0.5,
            "max_rounds": rng.choice((40, 12)),
        }
        oracle = Oracle.from_dict(fresh(rng, 3 + game % 4, **options))
        more_decisions, more_events = play_game(oracle, rng)
        decisions += more_decisions
        events += more_events
        print(f"game {game}: {oracle.num_players} players, {oracle.rounds} rounds, {oracle.outcome}, {oracle.scores()}")
    print("decisions:", dict(decisions.most_common()))
    print("events:", dict(events.most_common()))
