"""Where games of the comparison begin besides the set-up: late, and where rare decisions are near.

The rare ones are partial dicts (docs/isla_dorada/position.md), a `bid` of the leader each but for the last.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from isla_dorada_env.vocab import CAMPS, PLACES
from island_core.position import Position
from tests.isla_dorada.oracle_box import CARD_COPIES, GROUND, LIGHTNING, TREASURE_COPIES

SPECIAL = ("juju", "oveto", "sangaia", "bongo", "shaman", "zeppelin", "dragon")
STUCK = {"bigfoot": "Bulo-Mapo Vanu-Tabu mountain", "leviathan": "Vanu-Tabu Aminadang river"}  # I5.7


def under_way(position: Position, draw: random.Random) -> Position:
    """What random play reached, at any decision."""
    for _ in range(draw.randrange(10, 400)):
        if position.decision == "bid" and position.to_dict()["round"]["number"] == 39:
            break
        before = position.clone()
        position.step(draw.choice(position.legal_actions()))
        if position.is_over:
            return before
    return position


def few_markers(position: Position, draw: random.Random) -> Position:
    """One to three markers left."""
    return _made(position, draw, markers=draw.randrange(13, 16), treasures_left=draw.choice((4, 12, 40)))


def before_telegram(position: Position, draw: random.Random) -> Position:
    """The next marker or the one after brings a telegram, mostly from a short treasure deck with known cards."""
    return _made(position, draw, markers=draw.choice((2, 3, 7, 8)), treasures_left=draw.randrange(0, 24))


def stuck(position: Position, draw: random.Random) -> Position:
    """In Vanu-Tabu, closed by both monsters."""
    return _made(position, draw, markers=draw.randrange(1, 8), camp="Vanu-Tabu", monsters=STUCK)


def lightning(position: Position, draw: random.Random) -> Position:
    """Lightning cards on top of the deck, few curses or treasures left."""
    return _made(
        position, draw, markers=draw.randrange(0, 9), on_top=LIGHTNING, treasures_left=draw.choice((0, 1, 2, 3, 9, 40))
    )


def thin_deck(position: Position, draw: random.Random) -> Position:
    """Most adventure cards in the discard."""
    return _made(position, draw, markers=draw.randrange(0, 9), deck=draw.randrange(0, 5))


def full_hands(position: Position, draw: random.Random) -> Position:
    """The drawing begins, and everybody has ten cards (I10.6)."""
    players = [f"player_{seat}" for seat in range(position.to_dict()["options"]["num_players"])]
    cards = [card for card, copies in CARD_COPIES.items() if card not in LIGHTNING for _ in range(copies)]
    draw.shuffle(cards)
    data = {
        "hands": {player: [cards.pop() for _ in range(10)] for player in players},
        "round": {"leader": draw.choice(players)},
        "stack": [{"decision": "draw"}],
        "rng": position.to_dict()["rng"],
    }
    return position.game.from_dict(data)


STARTS: dict[str, Callable[[Position, random.Random], Position]] = {
    "under_way": under_way,
    "few_markers": few_markers,
    "before_telegram": before_telegram,
    "stuck": stuck,
    "lightning": lightning,
    "thin_deck": thin_deck,
    "full_hands": full_hands,
}


def _made(
    position: Position,
    draw: random.Random,
    *,
    markers: int,
    camp: str | None = None,
    monsters: dict[str, str] | None = None,
    on_top: tuple[str, ...] = (),
    deck: int | None = None,
    treasures_left: int = 40,
) -> Position:
    """A bid of the leader, with hands full of special cards."""
    options = position.to_dict()["options"]
    players = [f"player_{seat}" for seat in range(options["num_players"])]
    data: dict[str, Any] = {
        "markers": Counter(draw.choice(CAMPS) for _ in range(markers)),
        "camp": camp or draw.choice(PLACES),
        "monsters": monsters or {name: draw.choice(routes) for name, routes in GROUND.items() if draw.random() < 0.6},
        "gold": {player: draw.randrange(0, 11) for player in players},
        "sea_journeys": draw.randrange(3),
        "returns": draw.randrange(3),
        "round": {"leader": draw.choice(players), "number": draw.randrange(options["max_rounds"])},
        "rng": position.to_dict()["rng"],
    }
    _deal_cards(data, draw, players, on_top, deck)
    _deal_treasures(data, draw, players, treasures_left)
    curses = draw.sample(CAMPS, len(CAMPS))
    held = [curses.pop() for _ in range(draw.choice((0, 6, 16, 17, 18)))]
    data["curses"] = {player: sorted(held[n :: len(players)], key=PLACES.index) for n, player in enumerate(players)}
    data["curse_deck"] = curses
    return position.game.from_dict({key: value for key, value in data.items() if value is not None})


def _deal_cards(
    data: dict[str, Any], draw: random.Random, players: list[str], on_top: tuple[str, ...], deck: int | None
) -> None:
    """Hands, display, deck, discard; special cards come first into hands."""
    cards = [card for card, copies in CARD_COPIES.items() for _ in range(copies)]
    draw.shuffle(cards)
    cards.sort(key=lambda card: card in SPECIAL and draw.random() < 0.8)
    data["hands"] = {player: [] for player in players}
    for player in players:
        for _ in range(draw.choice((1, 3, 6, 9, 10, 10))):
            if draw.random() < 0.4:
                card = cards.pop()
            else:
                card = draw.choice(cards)
                cards.remove(card)
            if card in LIGHTNING:
                cards.insert(0, card)
            else:
                data["hands"][player].append(card)
        draw.shuffle(data["hands"][player])
    draw.shuffle(cards)
    cards.sort(key=lambda card: card in on_top and draw.random() < 0.7)
    data["display"] = [cards.pop(draw.randrange(len(cards))) for _ in range(4)]
    cards.reverse()
    kept = len(cards) if deck is None else deck
    data["deck"], data["discard"] = cards[:kept], dict(Counter(cards[kept:]))


def _deal_treasures(data: dict[str, Any], draw: random.Random, players: list[str], left: int) -> None:
    """Treasures in hands, laid and in the deck, some of these known to players who put them there."""
    starred = [name for name in TREASURE_COPIES if name.endswith("starred")]
    common = [name for name, copies in TREASURE_COPIES.items() if name not in starred for _ in range(copies)]
    draw.shuffle(starred)
    draw.shuffle(common)
    data["treasures"] = {player: [starred.pop() for _ in range(2)] for player in players}
    data["starred_rejected"] = {player: starred.pop() for player in players}
    data["laid"] = {player: [] for player in players}
    while len(common) > left:
        section = "laid" if draw.random() < 0.3 else "treasures"
        data[section][draw.choice(players)].append(common.pop())
    for player in players:
        draw.shuffle(data["treasures"][player])
    data["treasure_deck"] = common
    under: list[dict[str, Any]] = []
    markers = sum(data["markers"].values())
    for telegram in draw.choice(((), (None,), (None, None), (4,), (4, 9), (None, 4, None), (9, None, None))):
        if telegram is not None and markers < telegram:
            continue
        whose = draw.sample(players, draw.randrange(1, len(players) + 1) if telegram else 1)
        under[:0] = [{"players": [player], "telegram": telegram} for player in whose]
    data["put_under_treasures"] = [{"place": n, **entry} for n, entry in enumerate(under[: len(common)])]
    data["put_under_destinies"] = [
        {"place": n, "players": [draw.choice(players)]} for n in range(draw.choice((0, 1, 5, 22 - len(players))))
    ]
    for key, cards in (("certain", data["hands"]), ("certain_treasures", data["treasures"])):
        data[key] = {
            player: {other: draw.sample(cards[other], len(cards[other]) // 2) for other in players if other != player}
            for player in draw.sample(players, 2)
        }
