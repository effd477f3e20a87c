"""Worlds of one information set: dict forms that differ from a position's only in what one seat cannot know.

What a seat knows is read off the dict form by the rules, not off the observation: its own cards, those it is certain
of in other hands, those it put under a deck itself. Everything else that lies face down may be exchanged.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from island_core.errors import PositionError
from island_core.position import Position

Dict = dict[str, Any]
Slot = tuple[Any, ...]
"""The keys that lead to a card."""


def unknown_in_hand(data: Dict, key: str, certain: str, owner: str, observer: str) -> list[Slot]:
    """The cards of a hand that an observer is not certain of: of equal ones, the last copies."""
    known = Counter(data[certain].get(observer, {}).get(owner, []))
    found = []
    for place, card in enumerate(data[key][owner]):
        if known[card]:
            known[card] -= 1
        else:
            found.append((key, owner, place))
    return found


def _others(data: Dict, observer: str) -> list[str]:
    return [name for name in data["hands"] if name != observer]


def dracheninsel_slots(data: Dict, observer: str) -> list[list[Slot]]:
    """D2, hidden and public: other hands and the deck."""
    hands = [
        slot for owner in _others(data, observer) for slot in unknown_in_hand(data, "hands", "certain", owner, observer)
    ]
    return [hands + [("deck", place) for place in range(len(data["deck"]))]]


def isla_dorada_slots(data: Dict, observer: str) -> list[list[Slot]]:
    """I2.4: other hands and the decks, but for cards the observer put under a deck; groups of equal backs.

    Starred treasures are exchanged among themselves, as everybody knows how many each player has.
    """
    others = _others(data, observer)
    hands = [slot for owner in others for slot in unknown_in_hand(data, "hands", "certain", owner, observer)]
    treasures = [
        slot for owner in others for slot in unknown_in_hand(data, "treasures", "certain_treasures", owner, observer)
    ]
    treasures += [
        (key, owner) for key in ("starred_rejected", "telegram_rejected") for owner in others if owner in data[key]
    ]
    starred = [slot for slot in treasures if at(data, slot).endswith("starred")]
    groups = [
        hands + [("deck", place) for place in range(len(data["deck"]))],
        starred,
        [slot for slot in treasures if slot not in starred]
        + _face_down(data, "treasure_deck", "put_under_treasures", observer),
        [("curses", owner, k) for owner in others for k in range(len(data["curses"][owner]))]
        + [("curse_deck", place) for place in range(len(data["curse_deck"]))],
    ]
    if data["outcome"] == "running":  # afterwards all destinies are open
        destinies = [("destinies", owner, k) for owner in others for k in range(len(data["destinies"][owner]))]
        groups.append(destinies + _face_down(data, "destiny_deck", "put_under_destinies", observer))
    return groups


def _face_down(data: Dict, deck: str, under: str, observer: str) -> list[Slot]:
    """The cards of a deck but those that the observer put there; places under a deck count from the bottom."""
    size = len(data[deck])
    own = {size - 1 - entry["place"] for entry in data[under] if observer in entry["players"]}
    return [(deck, place) for place in range(size) if place not in own]


SLOTS: Mapping[str, Callable[[Dict, str], list[list[Slot]]]] = {
    "dracheninsel": dracheninsel_slots,
    "isla_dorada": isla_dorada_slots,
}
CERTAIN = {"hands": "certain", "treasures": "certain_treasures"}
POLLED = ("slumber", "counter", "oveto", "sangaia", "bongo", "buy")
"""Decisions of which only the seat that is asked knows."""


def at(data: Any, slot: Slot) -> Any:
    """What stands in a slot."""
    for key in slot:
        data = data[key]
    return data


def put(data: Any, slot: Slot, card: str) -> None:
    """Put a card into a slot."""
    at(data, slot[:-1])[slot[-1]] = card


def exchange(data: Dict, observer: str, source: random.Random, times: int) -> int:
    """Exchange hidden cards so many times; what others are certain of goes with the cards. Gives how many moved."""
    moved = 0
    for _ in range(times):
        group = source.choice([slots for slots in SLOTS[data["game"]](data, observer) if len(slots) > 1])
        # Hands first, or nearly all exchanges would be inside the decks.
        hands = [slot for slot in group if len(slot) == 3]
        one, other = source.choice(hands or group), source.choice(group)
        first, second = at(data, one), at(data, other)
        if first == second:
            continue
        put(data, one, second)
        put(data, other, first)
        for slot, old, new in ((one, first, second), (other, second, first)):
            if slot[0] in CERTAIN:
                _carry(data, slot[0], slot[1], old, new)
        moved += 1
    return moved


def _carry(data: Dict, key: str, owner: str, old: str, new: str) -> None:
    """Those who were certain of a card that is not in the hand any more are certain of the one in its place."""
    held = Counter(data[key][owner])
    for known in data[CERTAIN[key]].values():
        cards = known.get(owner, [])
        if Counter(cards)[old] > held[old]:
            cards[cards.index(old)] = new


def unseen_events(data: Dict, observer: str, source: random.Random) -> None:
    """Other cards in the events whose card the observer does not see."""
    keys = ("card", "treasure", "destiny", "place")
    hidden = [event for event in data["events"]["last"] if observer not in event.get("seen_by", [observer])]
    for key in keys:
        of_a_kind = [event for event in hidden if key in event]
        cards = [event[key] for event in of_a_kind]
        source.shuffle(cards)
        for event, card in zip(of_a_kind, cards, strict=True):
            event[key] = card


def worlds(position: Position, seat: int, source: random.Random, number: int) -> Iterator[Position]:
    """Other positions that a seat cannot tell from this one, at most so many: hidden cards exchanged, decks in other
    orders, other words of the generator, hands in another order, another player asked where nobody sees who is.

    A world that the rules exclude (a bid that could not be paid with such a hand, say) is left out, and one in which
    the player whose turn it is would not be asked.
    """
    observer = f"player_{seat}"
    original = position.to_dict()
    for _ in range(number):
        data = copy.deepcopy(original)
        if not exchange(data, observer, source, source.randrange(1, 9)):
            continue
        unseen_events(data, observer, source)
        data["rng"] = [f"{source.getrandbits(64):016x}" for _ in range(4)]
        source.shuffle(data["deck"])
        for hand in data["hands"].values():
            source.shuffle(hand)
        if data["stack"] and data["stack"][-1]["decision"] in POLLED and data["stack"][-1]["player"] != observer:
            data["stack"][-1]["player"] = source.choice(_others(data, observer))
        try:
            world = position.game.from_dict(data)
        except PositionError:
            continue
        if world.decision == position.decision and world.num_events == position.num_events:
            yield world
