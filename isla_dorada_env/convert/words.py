"""The words of the dict form of a position: its keys, and the word for each number of the record."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from types import SimpleNamespace

from isla_dorada_env.actions import HIGHEST_AMOUNT, NUM_ANIMALS, START_GOLD
from isla_dorada_env.board import NUM_PLACES, ROUTE_NAMES
from isla_dorada_env.components import (
    CARD_COPIES,
    DESTINY_COPIES,
    DESTINY_NAMES,
    FIRST_COMMON_TREASURE,
    MARKERS,
    TELEGRAM_MARKERS,
    TREASURE_COPIES,
    TREASURE_NAMES,
)
from isla_dorada_env.decisions import DECISION_NAMES, Decision, Stage
from isla_dorada_env.events import EVENTS, Event
from isla_dorada_env.notation import MONSTERS, bid_name
from isla_dorada_env.vocab import BASE, CARDS, KEPT_CARDS, PLACES, WAYS
from island_core.convert import NOTHING, OUTCOMES, EventForm, Names, Stock, player_codec
from island_core.reader import Codec, Given, one_of, or_none, whole_number, words

GAME = "isla_dorada"
STAGES = tuple(stage.name.lower().replace("_", " ") for stage in Stage)
LARGEST_TOTAL = 127
"""The most that the record can say of the total of a bid."""

# ---- Keys

KEYS = (
    "game", "options", "camp", "markers", "monsters", "sea_journeys", "returns", "gold", "hands", "display", "discard",
    "deck", "certain", "treasures", "laid", "certain_treasures", "treasure_deck", "put_under_treasures",
    "starred_rejected", "telegram_rejected", "curses", "curses_laid", "curse_deck", "destinies", "destiny_deck",
    "put_under_destinies", "bids", "joined", "raised", "bid_for", "passed", "barred", "last_route", "round",
    "stack", "outcome", "rng", "events",
)  # fmt: skip
ROUND_KEYS = ("leader", "number", "winning_total", "stage", "step")
BID_KEYS = ("place", "way", "amount")

FRAME_KEYS: dict[int, Names] = {
    Decision.STARRED: ("", ""),
    Decision.DESTINY: ("", ""),
    Decision.BID: ("", ""),
    Decision.AMOUNT: ("place", "way"),
    Decision.SHARE: ("place", "way"),
    Decision.OVETO: ("", ""),
    Decision.PAY: ("due", "turned"),
    Decision.SANGAIA: ("", ""),
    Decision.ONWARD: ("", ""),
    Decision.BONGO: ("", ""),
    Decision.TELEGRAM: ("drawn", ""),
    Decision.DRAW: ("", ""),
    Decision.BUY: ("", ""),
    Decision.VICTIM: ("card", ""),
    Decision.MONSTER: ("monster", ""),
    Decision.ANTIK: ("drawn", ""),
    Decision.FIRST_PLAYER: ("card", ""),
    Decision.SECOND_PLAYER: ("card", "first"),
    Decision.PANDA: ("cards", ""),
    Decision.HAND_LIMIT: ("", ""),
}
"""What details ``a`` and ``b`` of a frame above the bottom one are called."""

_EVENT_KEYS: dict[int, Names] = {
    Event.TREASURE: ("treasure", ""),
    Event.DESTINY: ("destiny", ""),
    Event.CURSE: ("place", ""),
    Event.REJECT_TREASURE: ("treasure", ""),
    Event.REJECT_DESTINY: ("destiny", ""),
    Event.DEAL: ("card", ""),
    Event.ROUND: ("", ""),
    Event.BID: ("bid", "amount"),
    Event.JOIN: ("bid", "amount"),
    Event.RAISE: ("bid", "amount"),
    Event.PASS: ("", ""),
    Event.PLAY: ("card", "barred"),
    Event.WINNER: ("bid", "amount"),
    Event.STAY: ("", ""),
    Event.PAY: ("card", "gold"),
    Event.SHAMAN: ("card", "animal"),
    Event.SAIL: ("route", ""),
    Event.MOVE: ("place", "way"),
    Event.MARKER: ("place", "number"),
    Event.RETURN: ("", ""),
    Event.CURSE_LAID: ("place", ""),
    Event.TREASURE_LAID: ("treasure", ""),
    Event.TELEGRAM: ("", "marker"),
    Event.DRAW: ("card", ""),
    Event.BUY: ("", ""),
    Event.TAKE: ("card", ""),
    Event.REFILL: ("card", ""),
    Event.SHUFFLE: ("", ""),
    Event.LIGHTNING: ("card", ""),
    Event.ROB: ("card", "victim"),
    Event.LOOT: ("treasure", "victim"),
    Event.BIGFOOT: ("from", "to"),
    Event.LEVIATHAN: ("from", "to"),
    Event.CHOOSE: ("card", "chosen"),
    Event.DISCARD: ("card", ""),
    Event.END: ("outcome", ""),
}
"""What details ``a`` and ``b`` of an event are called."""

_SEATLESS = (Event.MARKER, Event.RETURN, Event.TELEGRAM, Event.REFILL, Event.SHUFFLE, Event.END)
"""Events without a player."""

# ---- Which decisions are pending when

STAGES_OF: dict[int, tuple[Stage, ...]] = {
    Decision.STARRED: (Stage.SETUP,),
    Decision.DESTINY: (Stage.DRAWING, Stage.SETUP),
    Decision.BID: (Stage.BIDDING,),
    Decision.AMOUNT: (Stage.BIDDING,),
    Decision.SHARE: (Stage.BIDDING,),
    Decision.OVETO: (Stage.BIDDING,),
    Decision.PAY: (Stage.PAYMENT,),
    Decision.SANGAIA: (Stage.MOVEMENT,),
    Decision.ONWARD: (Stage.MOVEMENT,),
    Decision.BONGO: (Stage.BONGO,),
    Decision.TELEGRAM: (Stage.TELEGRAM,),
    Decision.HAND_LIMIT: (Stage.HAND_LIMIT,),
}
"""The stages in which a decision above the bottom frame may be pending, the likely one first; else the drawing."""

# ---- Cards

ADVENTURE = Stock("cards", CARD_COPIES.tolist(), CARDS, "hands, display, discard and deck")
ALL_TREASURES = Stock(
    "treasures", TREASURE_COPIES.tolist(), TREASURE_NAMES, "hands, laid open, rejected and in the deck"
)
CURSES = Stock("curses", [int(place != BASE) for place in range(NUM_PLACES)], PLACES, "hands, laid open and deck")
DESTINIES = Stock("destinies", DESTINY_COPIES.tolist(), DESTINY_NAMES, "hands and deck")

# ---- Words and numbers

PLACE = words(PLACES)
CAMP = words([name if place != BASE else None for place, name in enumerate(PLACES)])
"""The places but the base."""
WAY = words(WAYS)
ROUTE = words(ROUTE_NAMES, "routes: <place> <place> <sort>, the places in the order of the components file")
CARD = words(CARDS)
HAND_CARD = words(CARDS[: len(KEPT_CARDS)])
_TREASURES = "treasure cards: <place> starred, <place>, <place> bonus"
TREASURE = words(TREASURE_NAMES, _TREASURES)
STARRED = words(TREASURE_NAMES[:FIRST_COMMON_TREASURE], "starred treasures: <place> starred")
COMMON = words([None] * FIRST_COMMON_TREASURE + list(TREASURE_NAMES[FIRST_COMMON_TREASURE:]), "<place>, <place> bonus")
"""The cards of the treasure deck."""
DESTINY = words(DESTINY_NAMES)
STAGE = words(STAGES)
DECISION = words([name or None for name in DECISION_NAMES])
ANIMAL = words(CARDS[:NUM_ANIMALS])
TURNED = Codec(0, (1 << NUM_ANIMALS) - 1, ANIMAL.write_set, lambda given: ANIMAL.read_set(given, "animals"))
AMOUNT = whole_number(0, HIGHEST_AMOUNT)
GOLD = whole_number(0, START_GOLD)
LOT = or_none(one_of(TELEGRAM_MARKERS), None)
"""The telegram with which a card was put under the treasure deck; the record counts from 1, 0 is none."""


def _marked(given: Given) -> int:
    return TELEGRAM_MARKERS[one_of(TELEGRAM_MARKERS).read(given)]


@lru_cache(maxsize=8)
def _detail_codecs(players: int) -> dict[str, Codec]:
    player = player_codec(players)
    return {
        "": NOTHING,
        "place": PLACE,
        "way": WAY,
        "bid": words([bid_name(number) for number in range(len(WAYS) * NUM_PLACES)], "<place> <way>"),
        "amount": whole_number(0, LARGEST_TOTAL),
        "due": whole_number(1, HIGHEST_AMOUNT),
        "turned": TURNED,
        "drawn": whole_number(2, 3),
        "card": CARD,
        "cards": whole_number(1, 3),
        "monster": words(MONSTERS),
        "first": player,
        "barred": or_none(player, None),
        "victim": player,
        "chosen": player,
        "treasure": TREASURE,
        "destiny": DESTINY,
        "gold": GOLD,
        "animal": ANIMAL,
        "route": ROUTE,
        "from": or_none(ROUTE, "outside"),
        "to": ROUTE,
        "number": whole_number(1, MARKERS),
        "marker": Codec(TELEGRAM_MARKERS[0], TELEGRAM_MARKERS[1], lambda number: number, _marked),
        "outcome": words(OUTCOMES[1:]),
    }


def detail_codec(s: SimpleNamespace, name: str, a: int) -> Codec:
    """The codec of a detail of a frame or an event."""
    return _detail_codecs(s.num_players)[name]


EVENT_FORM = EventForm(EVENTS, _EVENT_KEYS, _SEATLESS, detail_codec)

# ---- Parts of a record that several rooms look at


def seat_at(s: SimpleNamespace, distance: int) -> int:
    """The seat so many places clockwise from the leader."""
    return int((s.frame_seat[0] + distance) % s.num_players)


def distance_of(s: SimpleNamespace, seat: int) -> int:
    """How many places a seat sits clockwise from the leader."""
    return int((seat - s.frame_seat[0]) % s.num_players)


def finished_steps(s: SimpleNamespace) -> int:
    """How many steps of the stage are over: a pending one counts as done, but is not over."""
    return int(s.frame_b[0] - (s.depth > 1))


def destinies_due(s: SimpleNamespace, seat: int) -> int:
    """How many destinies a player has: two where he has still to choose, else one (I3.2, I10.3)."""
    if any(s.frame_decision[k] == Decision.DESTINY and s.frame_seat[k] == seat for k in range(1, s.depth)):
        return 2
    to_come = s.depth > 0 and s.frame_a[0] == Stage.SETUP and s.frame_b[0] < 2 * distance_of(s, seat) + 2
    return 2 if to_come else 1


def starred_due(s: SimpleNamespace, seat: int) -> int:
    """How many starred treasures a player has in the set-up: three until he has rejected one (I3.2)."""
    if any(s.frame_decision[k] == Decision.STARRED and s.frame_seat[k] == seat for k in range(1, s.depth)):
        return 3
    return 3 if s.frame_b[0] < 2 * distance_of(s, seat) + 1 else 2


def in_setup(s: SimpleNamespace) -> bool:
    """Whether the choices of the set-up are not over: no adventure card is dealt yet."""
    return bool(s.depth > 0 and s.frame_a[0] == Stage.SETUP)


def treasure_hands(s: SimpleNamespace, field: str = "treasure_card") -> list[list[int]]:
    """The hand treasures of each seat; another field of theirs if named."""
    return [getattr(s, field)[start:end] for start, end in pairwise(s.treasure_start)]


def treasures_laid(s: SimpleNamespace) -> list[list[int]]:
    """The treasures each seat has laid open, in the order in which he laid them."""
    laid: list[list[int]] = [[] for _ in s.gold]
    for card, seat in zip(s.laid_card[: s.laid_total], s.laid_seat, strict=False):
        laid[seat].append(card)
    return laid


def bidders(s: SimpleNamespace) -> list[int]:
    """The seats with a bid."""
    return [seat for seat, place in enumerate(s.bid_place) if place >= 0]


def order_of(seats: list[int]) -> list[int]:
    """A list of seats without the places that are not used."""
    return [seat for seat in seats if seat >= 0]
