"""The table of the oracle: what lies where, who knows what, and its dict form (docs/isla_dorada/position.md).

Nothing here knows how the game goes on; that is `oracle.Oracle`. `READING` marks a place where the documents leave
something open.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Self

from isla_dorada_env.vocab import CARDS, PLACES, WAYS
from tests.isla_dorada.oracle_box import (
    CARD_NUMBERS,
    CURSE_VALUES,
    DESTINIES,
    KEPT,
    PLACE_NUMBERS,
    ROUTES,
    TREASURE_NUMBERS,
    TREASURES,
    OracleError,
    bid_name,
    destiny_points,
    player_name,
    seat_number,
    treasure_value,
)

EVERYBODY = frozenset(range(6))
RECORDED = 64
"""Events that the dict form keeps."""

Event = tuple[str, int, int, int, frozenset[int]]
"""Kind, seat, a, b, who sees a; -1 is unused (docs/isla_dorada/events.md)."""

DETAILS: dict[str, tuple[str, ...]] = {
    "amount": ("place", "way"),
    "share": ("place", "way"),
    "pay": ("due", "turned"),
    "telegram": ("drawn",),
    "antik": ("drawn",),
    "victim": ("card",),
    "monster": ("monster",),
    "first player": ("card",),
    "second player": ("card", "first"),
    "panda": ("cards",),
}
"""What is written of a frame besides its decision and player; nothing of the others."""

EVENT_DETAILS: dict[str, tuple[tuple[str, str], tuple[str, str]]] = {
    "treasure": (("treasure", "treasure"), ("", "")),
    "destiny": (("destiny", "destiny"), ("", "")),
    "curse": (("place", "place"), ("", "")),
    "reject treasure": (("treasure", "treasure"), ("", "")),
    "reject destiny": (("destiny", "destiny"), ("", "")),
    "deal": (("card", "card"), ("", "")),
    "round": (("", ""), ("", "")),
    "bid": (("bid", "bid"), ("amount", "number")),
    "join": (("bid", "bid"), ("amount", "number")),
    "raise": (("bid", "bid"), ("amount", "number")),
    "pass": (("", ""), ("", "")),
    "play": (("card", "card"), ("barred", "player")),
    "winner": (("bid", "bid"), ("amount", "number")),
    "stay": (("", ""), ("", "")),
    "pay": (("card", "card"), ("gold", "number")),
    "shaman": (("card", "card"), ("animal", "card")),
    "sail": (("route", "route"), ("", "")),
    "move": (("place", "place"), ("way", "way")),
    "marker": (("place", "place"), ("number", "number")),
    "return": (("", ""), ("", "")),
    "curse laid": (("place", "place"), ("", "")),
    "treasure laid": (("treasure", "treasure"), ("", "")),
    "telegram": (("", ""), ("marker", "number")),
    "draw": (("card", "card"), ("", "")),
    "buy": (("", ""), ("", "")),
    "take": (("card", "card"), ("", "")),
    "refill": (("card", "card"), ("", "")),
    "shuffle": (("", ""), ("", "")),
    "lightning": (("card", "card"), ("", "")),
    "rob": (("card", "card"), ("victim", "player")),
    "loot": (("treasure", "treasure"), ("victim", "player")),
    "bigfoot": (("from", "route"), ("to", "route")),
    "leviathan": (("from", "route"), ("to", "route")),
    "choose": (("card", "card"), ("chosen", "player")),
    "discard": (("card", "card"), ("", "")),
    "end": (("outcome", "outcome"), ("", "")),
}
"""Of each event, in the order of their numbers: name and sort of the details a and b."""


def _word(sort: str, number: int) -> Any:
    """A detail of an event by its name."""
    match sort:
        case "treasure":
            return TREASURES[number]
        case "destiny":
            return list(DESTINIES)[number]
        case "place":
            return PLACES[number]
        case "card":
            return CARDS[number]
        case "bid":
            return bid_name(number)
        case "route":
            return "outside" if number == -1 else list(ROUTES)[number]
        case "player":
            return None if number == -1 else player_name(number)
        case "way":
            return WAYS[number]
        case "outcome":
            return ("natural", "truncated")[number]
    return number


def named_event(event: Event, num_players: int) -> dict[str, Any]:
    """An event as the dict form has it."""
    kind, seat, a, b, seers = event
    named: dict[str, Any] = {"event": kind}
    if seat != -1:
        named["player"] = player_name(seat)
    for number, (name, sort) in zip((a, b), EVENT_DETAILS[kind], strict=True):
        if name:
            named[name] = _word(sort, number)
    if not seers >= set(range(num_players)):
        named["seen_by"] = [player_name(seer) for seer in sorted(seers)]
    return named


@dataclass
class Bid:
    """The last bid of a seat; in cooperative bidding the bid it belongs to, and its share."""

    place: str
    way: str
    amount: int


@dataclass
class DeckCard:
    """A card of the treasure or destiny deck, and who put it there; `telegram` is 4 or 9 if it came with others."""

    name: str
    players: frozenset[int] = frozenset()
    telegram: int | None = None


@dataclass
class Frame:
    """One pending decision above the bottom one and what it is about; unused details are empty or -1."""

    decision: str
    seat: int
    place: str = ""
    way: str = ""
    due: int = -1
    turned: list[str] = field(default_factory=list)
    drawn: int = -1
    card: str = ""
    """Of the two choices of players, the card; of `victim` macaque or marabou."""
    monster: str = ""
    first: int = -1
    cards: int = -1


@dataclass
class OracleTable:
    """Everything that makes up a position."""

    num_players: int
    polls_all: bool
    cooperative: bool
    max_rounds: int
    camp: str
    markers: Counter[str]
    monsters: dict[str, str]
    sea_journeys: int
    returns: int
    gold: list[int]
    hands: list[list[str]]
    display: list[str]
    discard: Counter[str]
    deck: list[str]
    """The top card first, as in the other decks."""
    certain: list[list[Counter[str]]]
    """certain[p][q]: adventure cards that p is certain of in q's hand."""
    treasures: list[list[str]]
    laid: list[list[str]]
    certain_treasures: list[list[Counter[str]]]
    treasure_deck: list[DeckCard]
    starred_rejected: dict[int, str]
    telegram_rejected: dict[int, str]
    curses: list[list[str]]
    curses_laid: list[list[str]]
    curse_deck: list[str]
    destinies: list[list[str]]
    destiny_deck: list[DeckCard]
    bids: dict[int, Bid]
    joined: list[int]
    raised: list[int]
    bid_for: dict[int, set[str]]
    """The places each seat has bid for or joined in this bidding; seats without a bid are not in it."""
    passed: set[int]
    """Who passed when last asked for a bid in this bidding."""
    barred: list[int]
    last_route: str | None
    leader: int
    rounds: int
    """Rounds finished."""
    winning_total: int
    stage: str
    steps: int
    """Steps of the stage done."""
    stack: list[Frame]
    """The frames above `round`."""
    outcome: str
    events_before: int
    """Events written before the position was read."""
    named_events: list[dict[str, Any]]
    """The last ones before the position was read, then all."""
    events: list[Event] = field(default_factory=list)
    """Those of the last step."""
    events_total: int = 0

    # ---- Dict form ---------------------------------------------------------------------------------------------------

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Read a complete position."""
        options, turn = data["options"], data["round"]
        names = [player_name(seat) for seat in range(options["num_players"])]

        def lists(key: str) -> list[list[str]]:
            return [list(data[key].get(name, ())) for name in names]

        def counters(key: str) -> list[list[Counter[str]]]:
            return [[Counter(data[key].get(p, {}).get(q, ())) for q in names] for p in names]

        def seats(players: Iterable[str]) -> list[int]:
            return [seat_number(player) for player in players]

        def by_seat(key: str) -> dict[int, Any]:
            return {seat_number(player): value for player, value in data[key].items()}

        return cls(
            num_players=options["num_players"],
            polls_all=options["polls"] == "all",
            cooperative=options["cooperative_bidding"],
            max_rounds=options["max_rounds"],
            camp=data["camp"],
            markers=Counter(data["markers"]),
            monsters={name: route for name, route in data["monsters"].items() if route != "outside"},
            sea_journeys=data["sea_journeys"],
            returns=data["returns"],
            gold=[data["gold"][name] for name in names],
            hands=lists("hands"),
            display=list(data["display"]),
            discard=Counter(data["discard"]),
            deck=list(data["deck"]),
            certain=counters("certain"),
            treasures=lists("treasures"),
            laid=lists("laid"),
            certain_treasures=counters("certain_treasures"),
            treasure_deck=_read_deck(data["treasure_deck"], data["put_under_treasures"]),
            starred_rejected=by_seat("starred_rejected"),
            telegram_rejected=by_seat("telegram_rejected"),
            curses=lists("curses"),
            curses_laid=lists("curses_laid"),
            curse_deck=list(data["curse_deck"]),
            destinies=lists("destinies"),
            destiny_deck=_read_deck(data["destiny_deck"], data["put_under_destinies"]),
            bids={seat: Bid(**bid) for seat, bid in by_seat("bids").items()},
            joined=seats(data["joined"]),
            raised=seats(data["raised"]),
            bid_for={seat: set(places) for seat, places in by_seat("bid_for").items()},
            passed=set(seats(data["passed"])),
            barred=seats(data["barred"]),
            last_route=data["last_route"],
            leader=-1 if turn["leader"] is None else seat_number(turn["leader"]),
            rounds=turn["number"],
            winning_total=turn["winning_total"],
            stage=turn["stage"] or "",
            steps=turn["step"] or 0,
            stack=[_read_frame(frame) for frame in data["stack"]],
            outcome=data["outcome"],
            events_before=data["events"]["total"],
            named_events=list(data["events"]["last"]),
        )

    def to_dict(self) -> dict[str, Any]:
        """Write the position, all keys but `rng`."""
        names = [player_name(seat) for seat in range(self.num_players)]

        def players(table: list[list[str]]) -> dict[str, list[str]]:
            return {name: list(cards) for name, cards in zip(names, table, strict=True)}

        def knowledge(table: list[list[Counter[str]]], numbers: dict[str, int]) -> dict[str, dict[str, list[str]]]:
            return {
                names[p]: {
                    names[q]: sorted(table[p][q].elements(), key=numbers.__getitem__)
                    for q in range(self.num_players)
                    if q != p
                }
                for p in range(self.num_players)
            }

        return {
            "game": "isla_dorada",
            "options": {
                "num_players": self.num_players,
                "polls": "all" if self.polls_all else "holders",
                "cooperative_bidding": self.cooperative,
                "max_rounds": self.max_rounds,
            },
            "camp": self.camp,
            "markers": {place: self.markers[place] for place in PLACES if self.markers[place]},
            "monsters": dict(self.monsters),
            "sea_journeys": self.sea_journeys,
            "returns": self.returns,
            "gold": dict(zip(names, self.gold, strict=True)),
            "hands": players(self.hands),
            "display": sorted(self.display, key=CARD_NUMBERS.__getitem__),
            "discard": {card: self.discard[card] for card in CARDS if self.discard[card]},
            "deck": list(self.deck),
            "certain": knowledge(self.certain, CARD_NUMBERS),
            "treasures": players(self.treasures),
            "laid": players(self.laid),
            "certain_treasures": knowledge(self.certain_treasures, TREASURE_NUMBERS),
            "treasure_deck": [card.name for card in self.treasure_deck],
            "put_under_treasures": [
                {"place": place, "players": [player_name(p) for p in sorted(card.players)], "telegram": card.telegram}
                for place, card in enumerate(reversed(self.treasure_deck))
                if card.players or card.telegram
            ],
            "starred_rejected": {player_name(seat): card for seat, card in sorted(self.starred_rejected.items())},
            "telegram_rejected": {player_name(seat): card for seat, card in sorted(self.telegram_rejected.items())},
            "curses": players([sorted(held, key=PLACE_NUMBERS.__getitem__) for held in self.curses]),
            "curses_laid": players([sorted(held, key=PLACE_NUMBERS.__getitem__) for held in self.curses_laid]),
            "curse_deck": list(self.curse_deck),
            "destinies": players(self.destinies),
            "destiny_deck": [card.name for card in self.destiny_deck],
            "put_under_destinies": [
                {"place": place, "players": [player_name(p) for p in sorted(card.players)]}
                for place, card in enumerate(reversed(self.destiny_deck))
                if card.players
            ],
            "bids": {player_name(seat): dict(vars(bid)) for seat, bid in sorted(self.bids.items())},
            "joined": [player_name(seat) for seat in self.joined],
            "raised": [player_name(seat) for seat in self.raised],
            "bid_for": {
                player_name(seat): sorted(places, key=PLACE_NUMBERS.__getitem__)
                for seat, places in sorted(self.bid_for.items())
            },
            "passed": [player_name(seat) for seat in sorted(self.passed)],
            "barred": [player_name(seat) for seat in sorted(self.barred)],
            "last_route": self.last_route,
            "round": {
                "leader": player_name(self.leader) if self.outcome == "running" else None,
                "number": self.rounds,
                "winning_total": self.winning_total,
                "stage": self.stage if self.outcome == "running" else None,
                "step": self.steps if self.outcome == "running" else None,
            },
            "stack": [_written_frame(frame) for frame in self.stack],
            "outcome": self.outcome,
            "events": {
                "total": self.events_before + self.events_total,
                "last": self.named_events[-RECORDED:],
            },
        }

    # ---- Scores (I11.2) ----------------------------------------------------------------------------------------------

    def scores(self) -> list[int]:
        """The points of each seat; the destiny counts only once the game is over."""
        points = []
        for seat in range(self.num_players):
            total = self.gold[seat]
            total += sum(treasure_value(treasure) for treasure in self.laid[seat])
            total += sum(CURSE_VALUES[place] for place in self.curses_laid[seat])
            if self.outcome != "running":
                for destiny in self.destinies[seat]:
                    total += destiny_points(destiny, self.markers, self.hands[seat], self.sea_journeys, self.returns)
            points.append(total)
        return points

    def winners(self) -> list[int]:
        """The seats with the most points (I11.2)."""
        points = self.scores()
        return [seat for seat in range(self.num_players) if points[seat] == max(points)]

    # ---- Events ------------------------------------------------------------------------------------------------------

    def event(self, kind: str, seat: int = -1, a: int = -1, b: int = -1, seers: Iterable[int] = EVERYBODY) -> None:
        event = (kind, seat, a, b, frozenset(seers))
        self.events.append(event)
        self.events_total += 1
        self.named_events.append(named_event(event, self.num_players))

    def card_event(self, kind: str, seat: int, card: str, b: int = -1, seers: Iterable[int] = EVERYBODY) -> None:
        self.event(kind, seat, CARD_NUMBERS[card], b, seers)

    def treasure_event(self, kind: str, seat: int, card: str, b: int = -1, seers: Iterable[int] = EVERYBODY) -> None:
        self.event(kind, seat, TREASURE_NUMBERS[card], b, seers)

    def destiny_event(self, kind: str, seat: int, destiny: str) -> None:
        self.event(kind, seat, list(DESTINIES).index(destiny), seers=(seat,))

    # ---- Cards and what is known of them -----------------------------------------------------------------------------

    def after_leader(self, offset: int) -> int:
        """The seat this far clockwise from the leader."""
        return (self.leader + offset) % self.num_players

    def give_up(self, seat: int, card: str) -> None:
        """An adventure card goes from a hand to the discard, before all eyes (I6.4)."""
        self.hands[seat].remove(card)
        self.discard[card] += 1
        for observer in range(self.num_players):
            _one_less(self.certain[observer][seat], card)

    def gain(self, seat: int, card: str, seers: Iterable[int]) -> None:
        """An adventure card comes into a hand, seen by some."""
        if card not in KEPT:
            raise OracleError(f"{card} in a hand")
        self.hands[seat].append(card)
        for observer in set(seers) - {seat}:
            self.certain[observer][seat][card] += 1

    def lay(self, seat: int, treasure: str) -> None:
        """A treasure or bonus is laid open."""
        self.treasures[seat].remove(treasure)
        self.laid[seat].append(treasure)
        for observer in range(self.num_players):
            _one_less(self.certain_treasures[observer][seat], treasure)
        self.treasure_event("treasure laid", seat, treasure)

    def steals(self, known: list[list[Counter[str]]], thief: int, victim: int, card: str) -> None:
        """A card was stolen: the thief knows one less there, the victim one more here, the others nothing there."""
        _one_less(known[thief][victim], card)
        known[victim][thief][card] += 1
        for observer in set(range(self.num_players)) - {thief, victim}:
            known[observer][victim] = Counter()


def _one_less(known: Counter[str], card: str) -> None:
    known[card] = max(0, known[card] - 1)


def _read_deck(names: list[str], under: list[dict[str, Any]]) -> list[DeckCard]:
    deck = [DeckCard(name) for name in names]
    for entry in under:
        card = deck[len(deck) - 1 - entry["place"]]
        card.players = frozenset(seat_number(player) for player in entry["players"])
        card.telegram = entry.get("telegram")
    return deck


def _read_frame(data: dict[str, Any]) -> Frame:
    frame = Frame(data["decision"], seat_number(data["player"]))
    for key, value in data.items():
        if key == "first":
            frame.first = seat_number(value)
        elif key == "turned":
            frame.turned = list(value)
        elif key not in ("decision", "player"):
            setattr(frame, key, value)
    return frame


def _written_frame(frame: Frame) -> dict[str, Any]:
    written: dict[str, Any] = {"decision": frame.decision, "player": player_name(frame.seat)}
    for key in DETAILS.get(frame.decision, ()):
        written[key] = getattr(frame, key)
    if "first" in written:
        written["first"] = player_name(frame.first)
    if "turned" in written:
        written["turned"] = sorted(frame.turned, key=CARD_NUMBERS.__getitem__)
    return written
