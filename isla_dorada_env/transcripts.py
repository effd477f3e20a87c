"""The words of transcripts (`island_core.transcript`): setups, facts and chance of Isla Dorada in short form.

Places, in setups and in expectations alike:

- ``camp``, ``markers Septris``: where the expedition is, the markers on a place.
- ``bigfoot``, ``leviathan``: a route, ``Hora-Pena Bulo-Mapo jungle``, or ``outside``.
- ``sea journeys``, ``returns``: tokens for sea journeys, stops in the base.
- ``gold player_0``.
- ``hand player_0``: the adventure cards, ``yak, yak, shaman``. ``display``: the four that lie open.
- ``deck``: the top card first; in a setup the cards that are nowhere else follow, shuffled.
- ``discard``: the pile; in a setup ``discard = rest`` takes all that are nowhere else.
- ``player_3 sees hand player_1``: the adventure cards he is certain of in that hand.
- ``treasures player_0``, ``laid player_0``: treasure cards in hand and laid open, ``Rhobanis starred, Rhobanis,
  Rhobanis bonus``; in a setup ``rest`` takes all common treasures and bonus cards that are nowhere else.
- ``treasure deck``: as ``deck``. ``player_3 sees treasures player_1``: as ``sees hand``.
- ``starred rejected player_0``, ``telegram rejected player_0``: what he rejected in the set-up, in this telegram.
- ``curses player_0``, ``curses laid player_0``: the places of his curses; ``rest`` as for treasures.
- ``curse deck``: as ``deck``.
- ``destiny player_0``: one, or two while he chooses. ``destiny deck``: as ``deck``.
- ``bid player_0``: place, way and amount of his last bid in this bidding, ``Base jungle 3``; in cooperative bidding the
  bid he belongs to and his share. After the bidding only what has won is left.
- ``joined``, ``raised``: the players in the order of their bids (docs/isla_dorada/position.md).
- ``bid for player_0``: the places he has bid for in this bidding. ``passed``: who passed when last asked for a bid.
- ``barred``: the players barred from this bidding.
- ``last route``: the route or hop used last in this round's move.
- ``leader``, ``round``, ``winning total``: the leader, the finished rounds, the sum of the winning bids.
- ``stage``, ``step``: where the round stands (docs/isla_dorada/position.md).
- ``truncated``: ``yes`` or ``no``; not in setups.

Chance: ``rob yak from player_1``; ``loot Rhobanis starred from player_1`` (to its end, since ``loot Rhobanis`` begins
like it); ``shuffle`` (a deck was made anew). What may be left out: ``refill yak``, ``draw yak`` for cards of that deck
in the same step, and ``under Septris, Rhobanis bonus`` for the rejects of a telegram, the upper one first. What a deck
that was shuffled on the way gives in later steps cannot be told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from isla_dorada_env.actions import HIGHEST_AMOUNT
from isla_dorada_env.board import ROUTE_NAMES
from isla_dorada_env.components import (
    CARD_COPIES,
    DESTINY_NAMES,
    FIRST_COMMON_TREASURE,
    TREASURE_COPIES,
    TREASURE_NAMES,
)
from isla_dorada_env.decisions import Stage
from isla_dorada_env.notation import MONSTERS
from isla_dorada_env.vocab import CAMPS, CARDS, PLACES, ROUTE_SORTS, TREASURE_SORTS, WAYS
from island_core.position import Position, TableEvent
from island_core.transcript import all_of, cards_of, number_of, one_of

__all__ = ["WORDS", "IslaDoradaWords"]

_PLAYERS = tuple(f"player_{seat}" for seat in range(6))
_DESTINIES = tuple(name for name in DESTINY_NAMES if name)
_STAGES = tuple(stage.name.lower().replace("_", " ") for stage in Stage)
_ROUTES = ("outside", *ROUTE_NAMES)
_VERBS = """
    reject juju bid join raise share amount pass oveto sangaia pay with shaman go bongo draw buy deck rob place choose
    discard let be
""".split()  # noqa: SIM905 (a list literal is unreadable)
_REST = "rest"


def _bid(text: str) -> dict[str, Any]:
    """``Base jungle 3`` as a bid of the dict form."""
    words = text.split()
    if len(words) != 3:
        raise ValueError(f"{text!r} is no bid such as Base jungle 3")
    return {"place": one_of(words[0], PLACES), "way": one_of(words[1], WAYS), "amount": number_of(words[2])}


def _some(text: str, allowed: Sequence[str]) -> Any:
    """A list of cards, or ``rest``."""
    return _REST if text == _REST else all_of(text, allowed)


class IslaDoradaWords:
    """The `island_core.transcript.Words` of the game."""

    game = "isla_dorada"
    vocabulary = frozenset(
        word.lower()
        for names in (
            _VERBS, PLACES, WAYS, CARDS, ROUTE_SORTS, TREASURE_SORTS, _PLAYERS, *map(str.split, _DESTINIES),
            map(str, range(HIGHEST_AMOUNT + 1)),
        )
        for word in names
    )  # fmt: skip

    def place(self, setup: dict[str, Any], key: str, value: str) -> None:
        """Put one ``key = value`` into a partial dict. Raises ValueError for what is not understood."""
        match key.split():
            case ["camp"]:
                setup["camp"] = one_of(value, PLACES)
            case ["markers", place]:
                setup.setdefault("markers", {})[one_of(place, CAMPS)] = number_of(value)
            case ["bigfoot" | "leviathan" as monster]:
                setup.setdefault("monsters", {})[monster] = one_of(value, _ROUTES)
            case ["sea", "journeys"]:
                setup["sea_journeys"] = number_of(value)
            case ["returns"]:
                setup["returns"] = number_of(value)
            case ["gold", player]:
                setup.setdefault("gold", {})[one_of(player, _PLAYERS)] = number_of(value)
            case ["last", "route"]:
                setup["last_route"] = one_of(value, ROUTE_NAMES)
            case ["leader" | "round" | "winning" | "stage" | "step", *_]:
                self._place_round(setup.setdefault("round", {}), key, value)
            case ["bid" | "joined" | "raised" | "passed" | "barred", *_]:
                self._place_bids(setup, key, value)
            case _:
                self._place_cards(setup, key, value)

    @staticmethod
    def _place_round(round_: dict[str, Any], key: str, value: str) -> None:
        match key.split():
            case ["leader"]:
                round_["leader"] = one_of(value, _PLAYERS)
            case ["round"]:
                round_["number"] = number_of(value)
            case ["winning", "total"]:
                round_["winning_total"] = number_of(value)
            case ["stage"]:
                round_["stage"] = one_of(value, _STAGES)
            case ["step"]:
                round_["step"] = number_of(value)
            case _:
                raise ValueError(_NO_PLACE)

    @staticmethod
    def _place_bids(setup: dict[str, Any], key: str, value: str) -> None:
        match key.split():
            case ["bid", player]:
                setup.setdefault("bids", {})[one_of(player, _PLAYERS)] = _bid(value)
            case ["bid", "for", player]:
                setup.setdefault("bid_for", {})[one_of(player, _PLAYERS)] = all_of(value, PLACES)
            case ["joined" | "raised" | "passed" | "barred" as order]:
                setup[order] = all_of(value, _PLAYERS)
            case _:
                raise ValueError(_NO_PLACE)

    @staticmethod
    def _place_cards(setup: dict[str, Any], key: str, value: str) -> None:
        def put(section: str, player: str, cards: Any) -> None:
            setup.setdefault(section, {})[one_of(player, _PLAYERS)] = cards

        match key.split():
            case ["hand", player]:
                put("hands", player, all_of(value, CARDS))
            case ["display" | "deck" as pile]:
                setup[pile] = all_of(value, CARDS)
            case ["discard"]:
                setup["discard"] = _REST if value == _REST else dict(Counter(all_of(value, CARDS)))
            case ["treasures", player]:
                put("treasures", player, _some(value, TREASURE_NAMES))
            case ["laid", player]:
                put("laid", player, _some(value, TREASURE_NAMES))
            case ["treasure", "deck"]:
                setup["treasure_deck"] = all_of(value, TREASURE_NAMES)
            case ["starred" | "telegram" as which, "rejected", player]:
                put(f"{which}_rejected", player, one_of(value, TREASURE_NAMES))
            case ["curses", "laid", player]:
                put("curses_laid", player, _some(value, CAMPS))
            case ["curses", player]:
                put("curses", player, _some(value, CAMPS))
            case ["curse", "deck"]:
                setup["curse_deck"] = all_of(value, CAMPS)
            case ["destiny", "deck"]:
                setup["destiny_deck"] = all_of(value, _DESTINIES)
            case ["destiny", player]:
                put("destinies", player, all_of(value, _DESTINIES))
            case [observer, "sees", "hand", player]:
                seen = setup.setdefault("certain", {}).setdefault(one_of(observer, _PLAYERS), {})
                seen[one_of(player, _PLAYERS)] = all_of(value, CARDS)
            case [observer, "sees", "treasures", player]:
                seen = setup.setdefault("certain_treasures", {}).setdefault(one_of(observer, _PLAYERS), {})
                seen[one_of(player, _PLAYERS)] = all_of(value, TREASURE_NAMES)
            case _:
                raise ValueError(_NO_PLACE)

    def complete(self, setup: dict[str, Any], options: Mapping[str, Any]) -> None:
        """The rest of the cards where it is wanted."""
        if setup.get("discard") == _REST:
            hands = setup.get("hands", {}).values()
            box = dict(zip(CARDS, CARD_COPIES.tolist(), strict=True))
            rest = _left(box, (*hands, setup.get("display", ()), setup.get("deck", ())))
            setup["discard"] = {card: number for card, number in rest.items() if number}
        common = range(FIRST_COMMON_TREASURE, len(TREASURE_NAMES))
        treasures = {TREASURE_NAMES[treasure]: int(TREASURE_COPIES[treasure]) for treasure in common}
        _fill(setup, ("treasures", "laid"), (setup.get("treasure_deck", ()), *_rejects(setup)), treasures)
        # The dict form wants the places of curses in their order, as CAMPS is.
        _fill(setup, ("curses", "curses_laid"), (setup.get("curse_deck", ()),), dict.fromkeys(CAMPS, 1))
        for section in ("curses", "curses_laid"):
            for own in setup.get(section, {}).values():
                own.sort(key=CAMPS.index)

    def look(self, facts: Mapping[str, Any], key: str) -> list[str]:
        """The values of a place in a complete dict. Raises ValueError for a place there is not."""
        found = self._look(facts, key)
        if found is None:
            return []
        return [str(value) for value in found] if isinstance(found, list) else [str(found)]

    def _look(self, facts: Mapping[str, Any], key: str) -> Any:
        match key.split():
            case ["camp" | "returns" | "joined" | "raised" | "passed" | "barred" as what]:
                return facts[what]
            case ["markers", place]:
                return facts["markers"].get(one_of(place, CAMPS), 0)
            case ["bigfoot" | "leviathan" as monster]:
                return facts["monsters"].get(monster, "outside")
            case ["sea", "journeys"]:
                return facts["sea_journeys"]
            case ["last", "route"]:
                return facts["last_route"]
            case ["gold", player]:
                return facts["gold"][one_of(player, self._players(facts))]
            case ["bid", player]:
                bid = facts["bids"].get(one_of(player, self._players(facts)))
                return bid and f"{bid['place']} {bid['way']} {bid['amount']}"
            case ["bid", "for", player]:
                return facts["bid_for"].get(one_of(player, self._players(facts)), [])
            case ["leader" | "stage" | "step" as what]:
                return facts["round"][what]
            case ["round"]:
                return facts["round"]["number"]
            case ["winning", "total"]:
                return facts["round"]["winning_total"]
            case ["truncated"]:
                return "yes" if facts["outcome"] == "truncated" else "no"
        return self._look_cards(facts, key)

    def _look_cards(self, facts: Mapping[str, Any], key: str) -> Any:
        def of(section: str, player: str) -> Any:
            return facts[section].get(one_of(player, self._players(facts)), [])

        match key.split():
            case ["hand", player]:
                return of("hands", player)
            case ["display" | "deck" as pile]:
                return facts[pile]
            case ["discard"]:
                return cards_of(facts["discard"])
            case ["treasures" | "laid" | "curses" as section, player]:
                return of(section, player)
            case ["curses", "laid", player]:
                return of("curses_laid", player)
            case ["treasure" | "curse" | "destiny" as pile, "deck"]:
                return facts[f"{pile}_deck"]
            case ["destiny", player]:
                return of("destinies", player)
            case ["starred" | "telegram" as which, "rejected", player]:
                return of(f"{which}_rejected", player)
            case [observer, "sees", "hand" | "treasures" as what, player]:
                if observer == player:
                    return of("hands" if what == "hand" else what, player)
                certain = of("certain" if what == "hand" else "certain_treasures", observer) or {}
                return certain.get(one_of(player, self._players(facts)), [])
        raise ValueError(_NO_PLACE)

    @staticmethod
    def _players(facts: Mapping[str, Any]) -> tuple[str, ...]:
        return _PLAYERS[: facts["options"]["num_players"]]

    def chance(self, events: Sequence[TableEvent], later: Position) -> list[str]:
        """Thefts, shuffles, what is drawn and refilled after a shuffle, how a telegram's rejects lie under the deck."""
        told = []
        shuffled = False
        taken = None
        for event in events:
            if event.kind == "rob":
                told.append(f"rob {CARDS[event.a]} from player_{event.b}")
            elif event.kind == "loot":
                told.append(f"loot {TREASURE_NAMES[event.a]} from player_{event.b}")
            elif event.kind == "shuffle":
                shuffled = True
                told.append("shuffle")
            elif event.kind == "refill" and shuffled:
                told.append(f"refill {CARDS[event.a]}")
            elif event.kind in ("draw", "lightning") and shuffled and taken is None:
                told.append(f"draw {CARDS[event.a]}")
            elif event.kind == "take":
                taken = event.a
        if events and any(event.kind == "reject treasure" for event in events):
            told += self._under(later.to_dict())
        return told

    @staticmethod
    def _under(facts: Mapping[str, Any]) -> list[str]:
        """The rejects of a telegram that have just been put under the treasure deck."""
        marks = {entry["place"]: entry.get("telegram") for entry in facts["put_under_treasures"]}
        deck = facts["treasure_deck"][::-1]
        number = 0
        while marks.get(number) is not None and marks[number] == marks[0]:
            number += 1
        return [f"under {', '.join(reversed(deck[:number]))}"] if number else []

    def describe(self, position: Position, later: Position) -> list[str]:
        """The setup of a position at the start of a round: what differs from the defaults; of decks what is drawn."""
        facts = position.to_dict()
        if facts["round"]["stage"] != "bidding" or facts["bids"] or facts["barred"] or position.decision != "bid":
            raise ValueError("a record begins at the start of a round")
        items = [] if facts["camp"] == "Base" else [f"camp = {facts['camp']}"]
        items += [f"markers {place} = {number}" for place, number in facts["markers"].items() if number]
        for key in (*MONSTERS, "sea journeys", "returns", "leader", "round", "winning total"):
            values = self.look(facts, key)
            if values not in (["outside"], ["0"], ["player_0"]):
                items.append(f"{key} = {', '.join(values)}")
        for player in self._players(facts):
            for key in ("gold", "hand", "treasures", "laid", "starred rejected", "curses", "curses laid", "destiny"):
                values = self.look(facts, f"{key} {player}")
                if values and values != ["10"]:
                    items.append(f"{key} {player} = {', '.join(values)}")
        for pile in ("display", "discard"):
            if values := self.look(facts, pile):
                items.append(f"{pile} = {', '.join(values)}")
        after = later.to_dict()
        for deck in ("deck", "treasure deck", "curse deck", "destiny deck"):
            values = self.look(facts, deck)
            drawn = _drawn(values, self.look(after, deck))
            if drawn:
                items.append(f"{deck} = {', '.join(values[:drawn])}")
        return items


_NO_PLACE = "no such place; see isla_dorada_env.transcripts"


def _left(box: Mapping[str, int], used: Iterable[Iterable[str]]) -> dict[str, int]:
    """What is left of a box."""
    gone = Counter(card for cards in used for card in cards)
    return {card: max(number - gone[card], 0) for card, number in box.items()}


def _rejects(setup: Mapping[str, Any]) -> list[list[str]]:
    """The treasures that were rejected in a telegram."""
    return [[card] for card in setup.get("telegram_rejected", {}).values()]


def _fill(
    setup: dict[str, Any], sections: Sequence[str], others: Iterable[Iterable[str]], box: Mapping[str, int]
) -> None:
    """Replace a ``rest`` in the sections, which have a list for each player."""
    lists = [(section, player) for section in sections for player in setup.get(section, {})]
    for section, player in lists:
        if setup[section][player] == _REST:
            held = [setup[s][p] for s, p in lists if setup[s][p] != _REST]
            setup[section][player] = cards_of(_left(box, (*held, *others)))


def _drawn(before: Sequence[str], after: Sequence[str]) -> int:
    """How many cards have left a deck: what is left of it is still on top, and others may lie under it."""
    for number in range(len(before)):
        rest = list(before[number:])
        if list(after[: len(rest)]) == rest:
            return number
    return len(before)


WORDS = IslaDoradaWords()
"""The words, for `island_core.transcript`."""
