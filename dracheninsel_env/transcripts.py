"""The words of transcripts (`island_core.transcript`): setups, facts and chance of Die Dracheninsel in short form.

Places, in setups and in expectations alike:

- ``hand player_0``: the hand, ``water, water/volcano, daring-flight``.
- ``at yellow``: the space of a hunter.
- ``hunters player_0``: whose hunters are whose; by default clockwise (docs/dracheninsel/position.md).
- ``treasure 100``: a space, ``stock``, ``collected`` or ``removed``; several in a setup: ``treasure 100, 125``.
- ``coins player_0``: the coins; in a setup a treasure is collected if both its coins are given.
- ``dragons``: their spaces. ``disc d5``: the terrain of a disc.
- ``deck``: the top card first; in a setup the cards that are nowhere else follow, shuffled.
- ``discard``, ``table``: the pile, and what lies out; in a setup ``discard = rest`` takes all that are nowhere else.
- ``player_3 sees hand player_1``: the cards he is certain of in that hand.
- ``active``, ``turns``: the active player, the number of finished turns.
- ``acts``, ``mover``: acts begun in this turn, the hunter that moves in it.
- ``freed``, ``left alone``: freed terrains, hunters that may not leave.
- ``listed yellow``: the list of D4.6.
- ``truncated``: ``yes`` or ``no``; not in setups.

Chance: ``rob water from player_1``, ``shuffle`` (the discard became the deck), ``draw water`` for draws after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from dracheninsel_env.board import SPACE_NAMES
from dracheninsel_env.components import CARD_NAMES, CARD_SLOTS, COINS, COINS_EACH, COPIES
from dracheninsel_env.vocab import HUNTERS, TASKS, TERRAINS
from island_core.position import Position, TableEvent
from island_core.transcript import all_of, cards_of, number_of, one_of

__all__ = ["DracheninselWords", "WORDS"]

_VALUES = tuple(str(int(value)) for value in COINS)
_PLAYERS = tuple(f"player_{seat}" for seat in range(6))
_CARDS = tuple(name for name in CARD_NAMES if name)
_PLACES = (*SPACE_NAMES, "stock", "collected", "removed")
_VERBS = """
    step fly play discard stop done let be share choose with announce send home rob sleep counter betray free
""".split()  # noqa: SIM905 (a list literal is unreadable)


class DracheninselWords:
    """The `island_core.transcript.Words` of the game."""

    game = "dracheninsel"
    vocabulary = frozenset((*_VERBS, *SPACE_NAMES, *HUNTERS, *TERRAINS, *TASKS, *_CARDS, *_PLAYERS))

    def place(self, setup: dict[str, Any], key: str, value: str) -> None:
        """Put one ``key = value`` into a partial dict. Raises ValueError for what is not understood."""
        match key.split():
            case ["hand", player]:
                setup.setdefault("hands", {})[one_of(player, _PLAYERS)] = all_of(value, _CARDS)
            case ["at", hunter]:
                setup.setdefault("hunters", {})[one_of(hunter, HUNTERS)] = one_of(value, SPACE_NAMES)
            case ["hunters", player]:
                setup.setdefault("seats", {})[one_of(player, _PLAYERS)] = all_of(value, HUNTERS)
            case ["treasure", *treasures]:
                for treasure in all_of(" ".join(treasures), _VALUES):
                    setup.setdefault("treasures", {})[treasure] = one_of(value, _PLACES)
            case ["coins", player]:
                coins = [int(coin) for coin in all_of(value, _VALUES)]
                setup.setdefault("coins", {})[one_of(player, _PLAYERS)] = coins
            case ["dragons"]:
                setup["dragons"] = all_of(value, SPACE_NAMES)
            case ["disc", space]:
                setup.setdefault("discs", {})[one_of(space, SPACE_NAMES)] = one_of(value, TERRAINS)
            case ["deck"]:
                setup["deck"] = all_of(value, _CARDS)
            case ["discard" | "table" as pile]:
                setup[pile] = "rest" if value == "rest" else dict(Counter(all_of(value, _CARDS)))
            case [observer, "sees", "hand", player]:
                seen = setup.setdefault("certain", {}).setdefault(one_of(observer, _PLAYERS), {})
                seen[one_of(player, _PLAYERS)] = all_of(value, _CARDS)
            case _:
                self._place_turn(setup.setdefault("turn", {}), key, value)

    @staticmethod
    def _place_turn(turn: dict[str, Any], key: str, value: str) -> None:
        match key.split():
            case ["active"]:
                turn["active"] = one_of(value, _PLAYERS)
            case ["turns"]:
                turn["number"] = number_of(value)
            case ["acts"]:
                turn["acts"] = number_of(value)
            case ["mover"]:
                turn["mover"] = one_of(value, HUNTERS)
            case ["freed"]:
                turn["freed"] = all_of(value, TERRAINS)
            case ["left", "alone"]:
                turn["left_alone"] = all_of(value, HUNTERS)
            case ["listed", hunter]:
                turn.setdefault("listed", {})[one_of(hunter, HUNTERS)] = all_of(value, SPACE_NAMES)
            case _:
                raise ValueError("no such place; see dracheninsel_env.transcripts")

    def complete(self, setup: dict[str, Any], options: Mapping[str, Any]) -> None:
        """Collected treasures from the coins, and the rest of the cards where it is wanted."""
        paid = Counter(coin for coins in setup.get("coins", {}).values() for coin in coins)
        for coin, number in paid.items():
            if number == COINS_EACH:
                setup.setdefault("treasures", {})[str(coin)] = "collected"
        setup.setdefault("hands", {})
        for pile in ("discard", "table"):
            if setup.get(pile) == "rest":
                other = setup.get("table" if pile == "discard" else "discard", {})
                used = Counter(cards_of(other)) + Counter(setup.get("deck", ()))
                for hand in setup.get("hands", {}).values():
                    used += Counter(hand)
                box = {str(CARD_NAMES[card]): int(COPIES[card]) for card in range(CARD_SLOTS) if CARD_NAMES[card]}
                setup[pile] = {card: number - used[card] for card, number in box.items() if number > used[card]}

    def look(self, facts: Mapping[str, Any], key: str) -> list[str]:
        """The values of a place in a complete dict. Raises ValueError for a place there is not."""
        try:
            found = self._look(facts, key)
        except KeyError as error:
            raise ValueError(f"there is no {error.args[0]!r} in this game") from error
        if found is None:
            return []
        return [str(value) for value in found] if isinstance(found, list) else [str(found)]

    @staticmethod
    def _look(facts: Mapping[str, Any], key: str) -> Any:
        turn = facts["turn"]
        match key.split():
            case ["hand", player]:
                return facts["hands"][player]
            case ["at", hunter]:
                return facts["hunters"][hunter]
            case ["hunters", player]:
                return facts["seats"][player]
            case ["treasure", treasure]:
                return facts["treasures"][treasure]
            case ["coins", player]:
                return facts["coins"][player]
            case ["dragons" | "deck" as what]:
                return facts[what]
            case ["disc", space]:
                return facts["discs"][space]
            case ["discard" | "table" as pile]:
                return cards_of(facts[pile])
            case [observer, "sees", "hand", player] if observer == player:
                return facts["hands"][player]
            case [observer, "sees", "hand", player]:
                return facts["certain"].get(observer, {}).get(player, [])
            case ["active" | "acts" | "mover" | "freed" as what]:
                return turn.get(what)
            case ["turns"]:
                return turn["number"]
            case ["left", "alone"]:
                return turn.get("left_alone")
            case ["listed", hunter]:
                return turn["listed"][hunter]
            case ["truncated"]:
                return "yes" if facts["outcome"] == "truncated" else "no"
        raise ValueError("no such place; see dracheninsel_env.transcripts")

    def chance(self, events: Sequence[TableEvent], later: Position) -> list[str]:
        """Thefts, shuffles, and what is drawn after a shuffle."""
        told = []
        shuffled = False
        for event in events:
            if event.kind == "rob":
                told.append(f"rob {CARD_NAMES[event.a]} from player_{event.b}")
            elif event.kind == "shuffle":
                shuffled = True
                told.append("shuffle")
            elif event.kind == "draw" and shuffled:
                told.append(f"draw {CARD_NAMES[event.a]}")
        return told

    def describe(self, position: Position, later: Position) -> list[str]:
        """The setup of a position at the start of a turn: what differs from the defaults; of the deck what is drawn."""
        facts = position.to_dict()
        if facts["turn"]["acts"] or facts["stack"]:
            raise ValueError("a record begins at the start of a turn")
        default = position.game.from_dict(
            {"seats": facts["seats"], "coins": facts["coins"], "treasures": facts["treasures"]}
        )
        usual = default.to_dict()
        items = [f"hunters {player} = {', '.join(own)}" for player, own in facts["seats"].items()]
        items += [f"at {h} = {space}" for h, space in facts["hunters"].items() if space != usual["hunters"][h]]
        items += [f"treasure {t} = {place}" for t, place in facts["treasures"].items()]
        items += [f"disc {space} = {t}" for space, t in facts["discs"].items() if t != usual["discs"][space]]
        items += [f"coins {p} = {', '.join(map(str, coins))}" for p, coins in facts["coins"].items() if coins]
        if facts["dragons"]:
            items.append(f"dragons = {', '.join(facts['dragons'])}")
        items += [f"hand {player} = {', '.join(hand) or 'none'}" for player, hand in facts["hands"].items()]
        items.append(f"active = {facts['turn']['active']}")
        if facts["turn"]["number"]:
            items.append(f"turns = {facts['turn']['number']}")
        for pile in ("discard", "table"):
            if facts[pile]:
                items.append(f"{pile} = {', '.join(cards_of(facts[pile]))}")
        drawn = len(facts["deck"]) - len(later.to_dict()["deck"])
        if drawn:
            items.append(f"deck = {', '.join(facts['deck'][:drawn])}")
        return items


WORDS = DracheninselWords()
"""The words, for `island_core.transcript`."""
