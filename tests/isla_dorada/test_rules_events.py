"""Section 7 of the decisions protocol: which events are written, in which order, and who sees the cards.

The mutants run these too, so each test takes no fixture.
"""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from isla_dorada_env.board import ROUTE_NAMES
from isla_dorada_env.components import CARD_COPIES, DESTINY_NAMES, TREASURE_COPIES, TREASURE_NAMES
from isla_dorada_env.isla_dorada_v0 import Game
from isla_dorada_env.vocab import CARDS, LIGHTNING_CARDS, PLACES, WAYS
from island_core import rng
from island_core.position import Position

COMMON = [name for name, copies in zip(TREASURE_NAMES[18:], TREASURE_COPIES[18:], strict=True) for _ in range(copies)]
TREASURES = ("treasure", "reject treasure", "treasure laid", "loot")
AT_PLACES = ("curse", "curse laid", "marker", "move")
BIDS = ("bid", "join", "raise", "winner")
MONSTERS = ("bigfoot", "leviathan")
NOTHING = ("round", "pass", "stay", "return", "telegram", "buy", "shuffle")
HIDDEN = ("treasure", "destiny", "curse", "reject treasure", "reject destiny", "deal", "draw")
"""Only the seat sees the card; of ``rob`` and ``loot`` the victim too."""

CLOSED = {"bigfoot": "Bulo-Mapo Vanu-Tabu mountain", "leviathan": "Vanu-Tabu Aminadang river"}


def word(kind: str, a: int) -> Any:
    """Detail a of an event as words."""
    if a < 0 or kind == "end":
        return a
    if kind in TREASURES:
        return TREASURE_NAMES[a]
    if kind in ("destiny", "reject destiny"):
        return DESTINY_NAMES[a]
    if kind in AT_PLACES:
        return PLACES[a]
    if kind in BIDS:
        return f"{PLACES[a % 19]} {WAYS[a // 19]}"
    if kind in ("sail", *MONSTERS):
        return ROUTE_NAMES[a]
    assert kind not in NOTHING
    return CARDS[a]


def told(position: Position, names: list[str], seat: int | None = None) -> list[tuple[Any, ...]]:
    """Play by names; the events of it as (kind, seat, a, b) in words, -1 unused, -2 hidden."""
    before = position.num_events
    for name in names:
        position.step(name)
    return events_of(position, before, seat)


def events_of(position: Position, since: int = 0, seat: int | None = None) -> list[tuple[Any, ...]]:
    found = []
    for event in position.events_since(since, seat):
        b: Any = event.b
        if event.kind == "move":
            b = WAYS[b]
        elif event.kind == "shaman":
            b = CARDS[b]
        elif event.kind in MONSTERS:
            b = ROUTE_NAMES[b]
        found.append((event.kind, event.seat, word(event.kind, event.a), b))
    return found


def start(leader: int = 0, options: dict[str, Any] | None = None, **data: Any) -> Position:
    """Four players; the leader bids, or with a ``stage`` what comes first there is asked."""
    round_ = {"leader": f"player_{leader}", **data.pop("round", {})}
    return Game(num_players=4, **(options or {})).from_dict({"round": round_, **data})


def drawing(leader: int, **data: Any) -> Position:
    """The leader draws; nobody may buy."""
    return start(leader, **{"gold": {f"player_{k}": 0 for k in range(4)}, **data, "round": {"stage": "drawing"}})


def passes(*seats: int) -> list[tuple[Any, ...]]:
    return [("pass", seat, -1, -1) for seat in seats]


def rest_of_cards(*used: list[str]) -> dict[str, int]:
    """All adventure cards but those, for the discard."""
    cards = Counter({name: int(n) for name, n in zip(CARDS, CARD_COPIES, strict=True)})
    for some in used:
        cards.subtract(some)
    return {card: n for card, n in cards.items() if n}


# Bidding and payment


@pytest.mark.rule("I5.1", "I5.6", "I6.1", "I6.3", "I7.1", "I4.1")
def test_bids_payment_and_move() -> None:
    position = start(
        2, hands={"player_2": ["gonogo"], "player_3": ["yak", "yak"], "player_0": ["kayak", "dragon", "zeppelin"]}
    )
    assert told(position, ["bid Qualtops jungle"]) == []
    assert told(position, ["amount 1", "bid Kamoptis mountain", "amount 2"]) == [
        ("bid", 2, "Qualtops jungle", 1), ("bid", 3, "Kamoptis mountain", 2),
    ]  # fmt: skip
    assert told(position, ["bid Balabatung water", "amount 8", "pass", "pass", "pass"]) == [
        ("bid", 0, "Balabatung water", 8), *passes(1, 2, 3), ("winner", 0, "Balabatung water", 8),
    ]  # fmt: skip
    assert position.to_dict()["round"]["leader"] == "player_0"
    assert told(position, ["pay kayak", "pay dragon", "pay zeppelin"]) == [
        ("pay", 0, "kayak", 0), ("pay", 0, "dragon", 1), ("pay", 0, "zeppelin", 3),
        ("move", 0, "Balabatung", "water"), ("marker", -1, "Balabatung", 1),
    ]  # fmt: skip
    assert (position.actor, position.decision) == (0, "draw")


@pytest.mark.rule("I5.4", "I5.5", "I6.4")
def test_juju_and_oveto() -> None:
    hands = {"player_1": ["juju", "gonogo", "gonogo", "gonogo", "gonogo", "oveto"]}
    moves = ["juju player_3", "bid Qualtops jungle", "amount 4"]
    begin = [("play", 1, "juju", 3), ("bid", 1, "Qualtops jungle", 4)]
    end = ("winner", 1, "Qualtops jungle", 4)
    position = start(1, hands=hands)
    assert told(position, [*moves, "oveto"]) == [*begin, ("play", 1, "oveto", -1), end]
    assert position.to_dict()["discard"] == {"oveto": 1, "juju": 1}
    position = start(1, hands=hands)
    assert told(position, [*moves, "let be", "pass", "pass"]) == [*begin, *passes(2, 0), end]


@pytest.mark.rule("I5.7")
def test_a_stuck_expedition_stays() -> None:
    position = start(3, camp="Vanu-Tabu", monsters=CLOSED, hands={"player_1": ["dragon"]})
    assert told(position, ["pass"] * 4) == [*passes(3, 0, 1, 2), ("stay", 3, -1, -1)]
    assert (position.actor, position.decision) == (3, "draw")
    position = start(3, camp="Vanu-Tabu", monsters=CLOSED, hands={"player_1": ["dragon"]})
    assert told(position, ["pass", "pass", "bid Base flight", "amount 1", "pass", "pass", "pass", "pay dragon"]) == [
        *passes(3, 0), ("bid", 1, "Base flight", 1), *passes(2, 3, 0), ("winner", 1, "Base flight", 1),
        ("pay", 1, "dragon", 1), ("move", 1, "Base", "flight"), ("return", -1, -1, -1),
    ]  # fmt: skip


@pytest.mark.rule("I6.2", "I6.4")
def test_a_shaman_goes_before_the_first_card_of_its_animal() -> None:
    position = start(2, hands={"player_2": ["yak", "gonogo", "gonogo", "shaman"]})
    told(position, ["bid Kamoptis mountain", "amount 3", "pass", "pass", "pass"])
    assert told(position, ["pay gonogo with shaman", "pay gonogo", "pay yak"]) == [
        ("shaman", 2, "shaman", "gonogo"), ("pay", 2, "gonogo", 0), ("pay", 2, "gonogo", 0), ("pay", 2, "yak", 0),
        ("move", 2, "Kamoptis", "mountain"), ("marker", -1, "Kamoptis", 1),
    ]  # fmt: skip
    assert position.to_dict()["discard"] == {"shaman": 1, "gonogo": 2, "yak": 1}


COOPERATIVE = {"cooperative_bidding": True}


@pytest.mark.rule("I12.1", "I12.2", "I12.3", "I12.4")
def test_cooperative_bids_joins_and_raises() -> None:
    hands = {"player_1": ["gonogo", "gonogo"], "player_2": ["gonogo", "gonogo"], "player_3": ["yak"]}
    position = start(1, COOPERATIVE, hands=hands)
    moves = ["bid Kilitiping jungle", "share 1", "join Kilitiping jungle", "share 1", "bid Kamoptis mountain"]
    assert told(position, [*moves, "share 1", "pass", "raise", "share 2", "pass", "pass", "pass"]) == [
        ("bid", 1, "Kilitiping jungle", 1), ("join", 2, "Kilitiping jungle", 1), ("bid", 3, "Kamoptis mountain", 1),
        *passes(0), ("raise", 1, "Kilitiping jungle", 2), *passes(2, 3, 0), ("winner", 1, "Kilitiping jungle", 3),
    ]  # fmt: skip
    assert told(position, ["pay gonogo", "pay gonogo", "pay gonogo"]) == [
        ("pay", 1, "gonogo", 0), ("pay", 1, "gonogo", 0), ("pay", 2, "gonogo", 0),
        ("move", 1, "Kilitiping", "jungle"), ("marker", -1, "Kilitiping", 1),
    ]  # fmt: skip


@pytest.mark.rule("I12.4")
def test_the_member_with_the_highest_share_leads_and_all_pay_in_the_order_of_joining() -> None:
    hands = {"player_1": ["gonogo"], "player_3": ["gonogo", "gonogo"], "player_0": ["dragon"]}
    position = start(1, COOPERATIVE, hands=hands)
    moves = ["bid Qualtops jungle", "share 1", "pass", "join Qualtops jungle", "share 2", "join Qualtops jungle"]
    assert told(position, [*moves, "share 1", "pass", "pass", "pass"]) == [
        ("bid", 1, "Qualtops jungle", 1), *passes(2), ("join", 3, "Qualtops jungle", 2),
        ("join", 0, "Qualtops jungle", 1), *passes(1, 2, 3), ("winner", 3, "Qualtops jungle", 4),
    ]  # fmt: skip
    assert told(position, ["pay gonogo", "pay gonogo", "pay gonogo", "pay dragon"]) == [
        ("pay", 1, "gonogo", 0), ("pay", 3, "gonogo", 0), ("pay", 3, "gonogo", 0), ("pay", 0, "dragon", 1),
        ("move", 3, "Qualtops", "jungle"), ("marker", -1, "Qualtops", 1),
    ]  # fmt: skip


@pytest.mark.rule("I12.2", "I12.5")
def test_bids_given_up_juju_and_oveto_in_cooperative_bidding() -> None:
    hands = {"player_2": ["gonogo"] * 4, "player_3": ["juju", "kayak", "oveto"], "player_0": ["gonogo"]}
    position = start(2, COOPERATIVE, hands=hands)
    moves = ["bid Kilitiping jungle", "share 1", "juju player_1", "bid Mana-Hatu water", "share 2"]
    assert told(position, [*moves, "pass", "bid Qualtops jungle", "share 2"]) == [
        ("bid", 2, "Kilitiping jungle", 1), ("play", 3, "juju", 1), ("bid", 3, "Mana-Hatu water", 2), *passes(0),
        ("bid", 2, "Qualtops jungle", 2),
    ]  # fmt: skip
    # A destination and way whose bid was given up is a new bid again.
    assert told(position, ["pass", "bid Kilitiping jungle", "share 1"]) == [
        *passes(3), ("bid", 0, "Kilitiping jungle", 1),
    ]  # fmt: skip
    assert told(position, ["join Kilitiping jungle", "share 3", "pass", "pass"]) == [
        ("join", 2, "Kilitiping jungle", 3), *passes(3, 0), ("winner", 2, "Kilitiping jungle", 4),
    ]  # fmt: skip
    assert told(position, ["pay gonogo"])[0][1] == 0  # the order of joining, not of bidding
    position = start(2, COOPERATIVE, hands={"player_2": ["gonogo"] * 4, "player_3": ["gonogo", "oveto"]})
    moves = ["bid Kilitiping jungle", "share 3", "join Kilitiping jungle", "share 1", "oveto"]
    assert told(position, moves) == [
        ("bid", 2, "Kilitiping jungle", 3), ("join", 3, "Kilitiping jungle", 1), ("play", 3, "oveto", -1),
        ("winner", 2, "Kilitiping jungle", 4),
    ]  # fmt: skip


@pytest.mark.rule("I12.1")
def test_nobody_joins_an_opening_of_zero() -> None:
    position = start(1, COOPERATIVE, hands={"player_2": ["gonogo"]})
    assert told(position, ["bid Qualtops jungle", "share 0", "pass", "pass", "pass"]) == [
        ("bid", 1, "Qualtops jungle", 0), *passes(2, 3, 0), ("winner", 1, "Qualtops jungle", 0),
        ("move", 1, "Qualtops", "jungle"), ("marker", -1, "Qualtops", 1),
    ]  # fmt: skip


# Movement and arrival


@pytest.mark.rule("I7.1", "I7.2", "I7.3", "I6.4")
def test_sea_routes_and_sangaias() -> None:
    position = start(3, camp="Teltoqlut", hands={"player_1": ["sangaia"], "player_2": ["sangaia"]})
    assert told(position, ["bid Aminadang water", "amount 0", "pass", "pass", "pass"]) == [
        ("bid", 3, "Aminadang water", 0), *passes(0, 1, 2), ("winner", 3, "Aminadang water", 0),
        ("sail", 3, "Aminadang Teltoqlut sea", -1), ("move", 3, "Aminadang", "water"),
    ]  # fmt: skip
    assert told(position, ["sangaia", "go Hora-Pena"]) == [
        ("play", 1, "sangaia", -1), ("sail", 3, "Hora-Pena Aminadang sea", -1), ("move", 3, "Hora-Pena", "water"),
    ]  # fmt: skip
    assert told(position, ["let be"]) == [("marker", -1, "Hora-Pena", 1)]


@pytest.mark.rule("I7.1", "I7.2", "I5.2")
def test_a_ride_is_one_move_and_the_base_a_return() -> None:
    position = start(1, camp="Bulo-Mapo", markers={"Mana-Hatu": 2})
    assert told(position, ["bid Mana-Hatu water", "amount 0", "pass", "pass", "pass"])[-2:] == [
        ("move", 1, "Mana-Hatu", "water"), ("marker", -1, "Mana-Hatu", 3),
    ]  # fmt: skip
    position = start(1, camp="Etintaklop")
    assert told(position, ["bid Base water", "amount 0", "pass", "pass", "pass"])[-3:] == [
        ("winner", 1, "Base water", 0), ("move", 1, "Base", "water"), ("return", -1, -1, -1),
    ]  # fmt: skip


@pytest.mark.rule("I7.3", "I7.2")
def test_a_flight_that_goes_on_stays_a_flight() -> None:
    position = start(3, camp="Rhobanis", hands={"player_3": ["dragon"], "player_1": ["sangaia"]})
    told(position, ["bid Hora-Pena flight", "amount 2", "pass", "pass", "pass"])
    assert told(position, ["pay dragon", "sangaia", "go Septris"]) == [
        ("pay", 3, "dragon", 1), ("move", 3, "Hora-Pena", "flight"), ("play", 1, "sangaia", -1),
        ("move", 3, "Septris", "flight"), ("marker", -1, "Septris", 1),
    ]  # fmt: skip


@pytest.mark.rule("I8.1", "I8.2", "I8.3", "I2.2", "I6.4")
def test_curse_treasures_with_bonuses_and_bongos() -> None:
    treasures = {
        "player_2": ["Taratarong bonus", "Kilitiping", "Aminadang bonus", "Kilitiping starred"],
        "player_0": ["Kilitiping", "Rhobanis bonus", "Balabatung bonus"],
        "player_3": ["Kilitiping bonus", "Balabatung", "Taratarong"],
    }
    position = start(
        2, treasures=treasures, curses={"player_1": ["Septris", "Kilitiping"]},
        hands={"player_3": ["bongo", "bongo", "bongo"], "player_0": ["bongo"]},
    )  # fmt: skip
    moves = ["bid Kilitiping jungle", "amount 0", "pass", "pass", "pass"]
    assert told(position, moves)[-8:] == [
        ("marker", -1, "Kilitiping", 1), ("curse laid", 1, "Kilitiping", -1),
        ("treasure laid", 2, "Kilitiping starred", -1), ("treasure laid", 2, "Aminadang bonus", -1),
        ("treasure laid", 2, "Kilitiping", -1), ("treasure laid", 2, "Taratarong bonus", -1),
        ("treasure laid", 0, "Kilitiping", -1), ("treasure laid", 0, "Balabatung bonus", -1),
    ]  # fmt: skip
    assert told(position, ["bongo Taratarong", "bongo Balabatung"]) == [
        ("play", 3, "bongo", -1), ("treasure laid", 3, "Taratarong", -1), ("treasure laid", 3, "Kilitiping bonus", -1),
        ("play", 3, "bongo", -1), ("treasure laid", 3, "Balabatung", -1),
    ]  # fmt: skip
    assert (position.actor, position.decision) == (2, "draw")


@pytest.mark.rule("I8.3", "I4.2")
def test_answers_that_play_nothing_leave_no_event() -> None:
    hands = {"player_1": ["gonogo"] * 4}
    position = start(1, {"polls": "all"}, hands=hands, display=["yak"] * 4, deck=["kamel"])
    told(position, ["bid Qualtops jungle", "amount 4"])
    assert position.decision == "oveto" and told(position, ["let be"]) == []
    told(position, ["pass", "pass", "pass", "pay gonogo", "pay gonogo", "pay gonogo", "pay gonogo"])
    assert position.decision == "sangaia"
    assert told(position, ["let be"] * 4) == [("marker", -1, "Qualtops", 1)]
    assert position.decision == "bongo" and told(position, ["let be"] * 4) == []
    assert told(position, ["draw deck", "let be"]) == [("draw", 1, "kamel", -1)]


# Telegrams


@pytest.mark.rule("I8.4", "I3.1")
def test_telegrams() -> None:
    deck = ["Rhobanis", "Septris", "Kamoptis bonus", "Qualtops", "Aminadang", "Aminadang", "Hora-Pena", "Teltoqlut"]
    position = start(2, markers={"Methritis": 3}, treasure_deck=deck)
    moves = ["bid Kilitiping jungle", "amount 0", "pass", "pass", "pass"]
    assert told(position, moves)[-4:] == [
        ("marker", -1, "Kilitiping", 1), ("telegram", -1, -1, 4), ("treasure", 2, "Rhobanis", -1),
        ("treasure", 2, "Septris", -1),
    ]  # fmt: skip
    assert told(position, ["reject Septris", "reject Kamoptis bonus", "reject Aminadang"]) == [
        ("reject treasure", 2, "Septris", -1), ("treasure", 3, "Kamoptis bonus", -1), ("treasure", 3, "Qualtops", -1),
        ("reject treasure", 3, "Kamoptis bonus", -1), ("treasure", 0, "Aminadang", -1),
        ("treasure", 0, "Aminadang", -1), ("reject treasure", 0, "Aminadang", -1),
        ("treasure", 1, "Hora-Pena", -1), ("treasure", 1, "Teltoqlut", -1),
    ]  # fmt: skip
    # Shuffling the rejects under the deck writes nothing.
    assert told(position, ["reject Teltoqlut"]) == [("reject treasure", 1, "Teltoqlut", -1)]
    assert (position.actor, position.decision) == (2, "draw")
    assert sorted(position.to_dict()["treasure_deck"][-4:]) == ["Aminadang", "Kamoptis bonus", "Septris", "Teltoqlut"]
    position = start(1, markers={"Methritis": 8}, treasure_deck=deck, laid={"player_0": rest_of_treasures(deck)})
    assert told(position, moves)[-4:] == [
        ("telegram", -1, -1, 9), *[("treasure", 1, card, -1) for card in deck[:3]]
    ]  # fmt: skip
    # Two are left for player_3, who may keep two.
    assert told(position, ["reject Septris", f"reject {deck[3]}"]) == [
        ("reject treasure", 1, "Septris", -1), *[("treasure", 2, card, -1) for card in deck[3:6]],
        ("reject treasure", 2, deck[3], -1), *[("treasure", 3, card, -1) for card in deck[6:8]],
    ]  # fmt: skip
    assert (position.actor, position.decision) == (1, "draw")


def rest_of_treasures(*used: list[str]) -> list[str]:
    """All common treasures and bonus cards but those."""
    names = [name for name in TREASURE_NAMES if not name.endswith("starred")]
    cards = Counter(name for name in names for _ in range(1 if name.endswith("bonus") else 2))
    for some in used:
        cards.subtract(some)
    return sorted(cards.elements())


@pytest.mark.rule("I8.4", "I2.4")
def test_who_knows_the_rejects_of_a_telegram_under_the_deck() -> None:
    """Each knows his own, not where it lies; after one of another has come up nobody is certain of the others."""
    deck = ["Rhobanis", "Septris", "Methritis", "Qualtops", "Aminadang", "Kamoptis", "Hora-Pena", "Teltoqlut"]
    position = start(2, markers={"Methritis": 3}, treasure_deck=deck, laid={"player_0": rest_of_treasures(deck)})
    told(position, ["bid Kilitiping jungle", "amount 0", "pass", "pass", "pass"])
    told(position, ["reject Rhobanis", "reject Methritis", "reject Aminadang", "reject Hora-Pena"])
    data = position.to_dict()
    owner = {"Rhobanis": "player_2", "Methritis": "player_3", "Aminadang": "player_0", "Hora-Pena": "player_1"}
    lowest_first = data["treasure_deck"][::-1]
    assert sorted(lowest_first) == sorted(owner)
    assert data["put_under_treasures"] == [
        {"place": place, "players": [owner[card]], "telegram": 4} for place, card in enumerate(lowest_first)
    ]
    assert data["telegram_rejected"] == {}
    # One of them comes up: who sees it knows whether it is his own, and the others know nothing.
    position = Game(num_players=4).from_dict(
        {
            **data, "gold": {f"player_{k}": 0 for k in range(4)}, "deck": ["antik"], "display": ["yak"] * 4,
            "stack": [], "round": {"leader": "player_2", "stage": "drawing"}, "bids": data["bids"],
        }
    )  # fmt: skip
    first, second = data["treasure_deck"][:2]
    assert told(position, ["draw deck"])[-2:] == [("treasure", 2, first, -1), ("treasure", 2, second, -1)]
    left = position.to_dict()["put_under_treasures"]
    assert left == [
        {"place": place, "players": [owner[card]] if owner[card] == "player_2" else [], "telegram": 4}
        for place, card in enumerate(lowest_first[:2])
    ]


# Drawing


@pytest.mark.rule("I10.1", "I2.4")
def test_drawing_and_buying() -> None:
    position = start(
        1, round={"stage": "drawing"}, display=["yak", "yak", "gonogo", "zeppelin"],
        deck=["kamel", "juju", "oveto", "kayak", "bongo"],
    )  # fmt: skip
    assert told(position, ["draw zeppelin"]) == [("take", 1, "zeppelin", -1), ("refill", -1, "kamel", -1)]
    assert told(position, ["buy deck"]) == [("buy", 1, -1, -1), ("draw", 1, "juju", -1)]
    assert told(position, ["draw deck", "let be"]) == [("draw", 2, "oveto", -1)]
    assert told(position, ["draw yak", "buy yak"]) == [
        ("take", 3, "yak", -1), ("refill", -1, "kayak", -1), ("buy", 3, -1, -1), ("take", 3, "yak", -1),
        ("refill", -1, "bongo", -1),
    ]  # fmt: skip
    for seat in range(4):
        seen = events_of(position, 0, seat)
        assert seen[3] == ("draw", 1, "juju" if seat == 1 else -2, -1)
        assert seen[4] == ("draw", 2, "oveto" if seat == 2 else -2, -1)
        assert all(event[2] != -2 for event in (*seen[:3], *seen[5:]))
    certain = position.to_dict()["certain"]
    assert certain["player_0"] == {"player_1": ["zeppelin"], "player_3": ["yak", "yak"]}
    assert certain["player_3"] == {"player_1": ["zeppelin"]}


@pytest.mark.rule("I10.5", "I10.1", "I10.2")
def test_a_deck_is_made_anew_before_the_card_that_needs_it() -> None:
    display = ["yak", "yak", "gonogo", "bigfoot"]
    for hand in (["oveto"], []):
        position = drawing(1, display=display, deck=["kamel"], discard=rest_of_cards(display, ["kamel"], hand),
                           hands={"player_3": hand})  # fmt: skip
        assert told(position, ["draw yak"]) == [("take", 1, "yak", -1), ("refill", -1, "kamel", -1)]
        (take, shuffle, refill) = told(position, ["draw gonogo"])
        assert (take, shuffle) == (("take", 2, "gonogo", -1), ("shuffle", -1, -1, -1))
        assert refill[:2] == ("refill", -1)
    position = drawing(2, display=display, discard=rest_of_cards(display), deck=[])
    before = position.to_dict()
    assert before["deck"] == []
    take, shuffle, refill, lightning = told(position, ["draw bigfoot"])
    assert (take, shuffle, lightning) == (
        ("take", 2, "bigfoot", -1), ("shuffle", -1, -1, -1), ("lightning", 2, "bigfoot", -1)
    )  # fmt: skip
    assert refill[0] == "refill" and position.to_dict()["discard"] == {"bigfoot": 1}
    for _ in range(3):
        position = drawing(2, display=display, discard=rest_of_cards(display), deck=[])
        shuffle, card = told(position, ["draw deck"])[:2]
        assert shuffle == ("shuffle", -1, -1, -1)
        assert card[:2] == ("lightning" if card[2] in map(CARDS.__getitem__, LIGHTNING_CARDS) else "draw", 2)


# Lightning


@pytest.mark.rule("I10.2", "I10.3", "I2.4")
def test_macaque_and_marabou() -> None:
    """Only thief and victim see the card, and are certain of where it is."""
    for thief, victim in ((1, 3), (3, 0), (2, 1)):
        other = f"player_{({0, 1, 2, 3} - {thief, victim}).pop()}"
        for card, kind, name, hand, certain in (
            ("macaque", "rob", "oveto", "hands", "certain"),
            ("marabou", "loot", "Rhobanis bonus", "treasures", "certain_treasures"),
        ):
            for source in ("deck", "display"):
                cards = {"deck": [card, "kamel"], "display": ["yak", "gonogo", "gonogo", "juju"]}
                taken = [("lightning", thief, card, -1)]
                if source == "display":
                    cards = {"deck": ["kamel"], "display": ["yak", "gonogo", "gonogo", card]}
                    taken = [("take", thief, card, -1), ("refill", -1, "kamel", -1), *taken]
                data = {hand: {f"player_{victim}": [name]}, certain: {other: {f"player_{victim}": [name]}}, **cards}
                position = drawing(thief, **data)
                assert told(position, [f"draw {'deck' if source == 'deck' else card}"]) == taken
                assert told(position, [f"rob player_{victim}"]) == [(kind, thief, name, victim)]
                for seat in range(4):
                    seen = name if seat in (thief, victim) else -2
                    assert events_of(position, 0, seat)[-1] == (kind, thief, seen, victim)
                after = position.to_dict()
                assert after[hand][f"player_{thief}"] == [name] and after[hand][f"player_{victim}"] == []
                assert after[certain] == {f"player_{victim}": {f"player_{thief}": [name]}}


@pytest.mark.rule("I10.2", "I10.3", "I9.1")
def test_monsters_move_from_outside_or_a_route() -> None:
    land, water = ("Base Qualtops jungle", "Septris Kamoptis desert"), ("Mana-Hatu Base lake", "Hora-Pena Rhobanis sea")
    for monster, (first, second) in (("bigfoot", land), ("leviathan", water)):
        position = drawing(2, deck=[monster, monster], display=["yak"] * 4)
        assert told(position, ["draw deck", f"place {first}", "draw deck", f"place {second}"]) == [
            ("lightning", 2, monster, -1), (monster, 2, -1, first),
            ("lightning", 3, monster, -1), (monster, 3, first, second),
        ]  # fmt: skip
        assert position.to_dict()["monsters"] == {monster: second}


@pytest.mark.rule("I10.3", "I10.4", "I2.4")
def test_antik_and_istwa() -> None:
    deck = ["Rhobanis", "Septris bonus", "Qualtops"]
    position = drawing(3, deck=["antik", "antik"], display=["yak"] * 4, treasure_deck=deck,
                       laid={"player_0": rest_of_treasures(deck)})  # fmt: skip
    assert told(position, ["draw deck", "reject Rhobanis"]) == [
        ("lightning", 3, "antik", -1), ("treasure", 3, "Rhobanis", -1), ("treasure", 3, "Septris bonus", -1),
        ("reject treasure", 3, "Rhobanis", -1),
    ]  # fmt: skip
    assert position.to_dict()["put_under_treasures"] == [{"place": 0, "players": ["player_3"], "telegram": None}]
    for seat in range(4):
        assert [event[2] == -2 for event in events_of(position, 0, seat)] == [False, *[seat != 3] * 3]
    assert told(position, ["draw deck", "reject Qualtops"]) == [
        ("lightning", 0, "antik", -1), ("treasure", 0, "Qualtops", -1), ("treasure", 0, "Rhobanis", -1),
        ("reject treasure", 0, "Qualtops", -1),
    ]  # fmt: skip
    # player_3 knew the card he put there, but not which of the two was rejected.
    assert position.to_dict()["certain_treasures"] == {}
    position = drawing(3, deck=["antik", "antik"], display=["yak"] * 4, treasure_deck=["Rhobanis"],
                       laid={"player_0": rest_of_treasures(["Rhobanis"])},
                       put_under_treasures=[{"place": 0, "players": ["player_1"], "telegram": None}])  # fmt: skip
    assert told(position, ["draw deck"]) == [("lightning", 3, "antik", -1), ("treasure", 3, "Rhobanis", -1)]
    # A single one is kept, and he who put it there knows it.
    assert position.to_dict()["certain_treasures"] == {"player_1": {"player_3": ["Rhobanis"]}}
    assert told(position, ["draw deck"]) == [("lightning", 0, "antik", -1)]
    position = drawing(2, deck=["istwa"], display=["yak"] * 4, destinies={"player_2": ["pilgrim"]},
                       destiny_deck=["wanderer"])  # fmt: skip
    assert told(position, ["draw deck", "reject pilgrim"]) == [
        ("lightning", 2, "istwa", -1), ("destiny", 2, "wanderer", -1), ("reject destiny", 2, "pilgrim", -1),
    ]  # fmt: skip
    assert position.to_dict()["put_under_destinies"] == [{"place": 0, "players": ["player_2"]}]
    assert position.to_dict()["destiny_deck"][-1] == "pilgrim"
    for seat in range(4):
        assert [event[2] == -2 for event in events_of(position, 0, seat)] == [False, *[seat != 2] * 2]


@pytest.mark.rule("I10.3", "I10.1")
def test_diawas_shuffles_all_that_lies_about_and_shows_four() -> None:
    position = drawing(1, deck=["diawas", "bigfoot"], display=["yak", "yak", "kamel", "panda"],
                       discard={"oveto": 2, "juju": 1}, hands={"player_2": ["zeppelin"]})  # fmt: skip
    words = np.array([int(word, 16) for word in position.to_dict()["rng"]], np.uint64)
    cards = [card for card in CARDS for _ in range(rest_of_cards(["zeppelin"]).get(card, 0))]
    order = np.arange(len(cards))
    rng.shuffle(words, order, len(cards))
    deck = [cards[k] for k in order.tolist()]  # the top card last
    assert told(position, ["draw deck"]) == [
        ("lightning", 1, "diawas", -1), ("shuffle", -1, -1, -1), *[("refill", -1, deck[-k], -1) for k in range(1, 5)],
    ]  # fmt: skip
    data = position.to_dict()
    assert Counter(data["display"]) == Counter(deck[-4:]) and data["deck"] == deck[-5::-1] and data["discard"] == {}
    assert (position.actor, position.decision) == (1, "draw")


@pytest.mark.rule("I10.3", "I6.4")
def test_panda() -> None:
    hands = {"player_3": ["yak", "oveto", "yak"], "player_0": ["kamel", "kamel", "juju", "shaman"]}
    position = drawing(1, deck=["panda"], display=["yak"] * 4, hands=hands)
    moves = ["draw deck", "choose player_3", "choose player_0"]
    lose = [("discard", 3, "yak", -1), ("discard", 3, "oveto", -1), ("discard", 3, "yak", -1)]
    chosen = [("lightning", 1, "panda", -1), ("choose", 1, "panda", 3), ("choose", 1, "panda", 0)]
    assert told(position, moves) == [*chosen, *lose]
    assert told(position, ["discard juju", "discard kamel", "discard shaman"]) == [
        ("discard", 0, "juju", -1), ("discard", 0, "kamel", -1), ("discard", 0, "shaman", -1),
    ]  # fmt: skip
    assert position.to_dict()["hands"]["player_0"] == ["kamel"] and (position.actor, position.decision) == (2, "draw")
    position = drawing(1, deck=["panda"], display=["yak"] * 4, hands=hands)
    told(position, ["draw deck", "choose player_0", "choose player_3"])
    assert told(position, ["discard juju", "discard kamel", "discard shaman"])[-3:] == lose


@pytest.mark.rule("I10.3", "I10.4", "I2.4")
def test_baron_saturday() -> None:
    position = drawing(1, deck=["baron-saturday"], display=["yak"] * 4, curse_deck=["Septris", "Rhobanis"])
    assert told(position, ["draw deck", "choose player_1", "choose player_3"]) == [
        ("lightning", 1, "baron-saturday", -1), ("choose", 1, "baron-saturday", 1), ("choose", 1, "baron-saturday", 3),
        ("curse", 1, "Septris", -1), ("curse", 3, "Rhobanis", -1),
    ]  # fmt: skip
    for seat in range(4):
        seen = [event[2] for event in events_of(position, 0, seat)[-2:]]
        assert seen == ["Septris" if seat == 1 else -2, "Rhobanis" if seat == 3 else -2]


@pytest.mark.rule("I10.4")
def test_lightning_without_effect_is_followed_by_nothing() -> None:
    data = {
        "laid": {"player_0": rest_of_treasures()}, "curses": {"player_0": [p for p in PLACES if p != "Base"]},
        "destinies": {f"player_{k}": [DESTINY_NAMES[k]] for k in range(4)}, "hands": {"player_3": ["yak"]},
    }  # fmt: skip
    for card in ("macaque", "marabou", "antik", "baron-saturday"):
        position = drawing(3, deck=[card], display=["yak"] * 4, **data)
        assert told(position, ["draw deck"]) == [("lightning", 3, card, -1)]
        assert (position.actor, position.decision) == (0, "draw")


# The end of a round


@pytest.mark.rule("I10.6", "I4.1", "I11.1")
def test_discards_and_the_next_round() -> None:
    position = drawing(2, hands={"player_1": ["yak"] * 5 + ["kamel"] * 5}, display=["gonogo"] * 4, deck=["juju"] * 3)
    moves = ["draw gonogo", "draw deck", "draw deck", "draw deck", "discard kamel"]
    assert told(position, moves)[-2:] == [("discard", 1, "kamel", -1), ("round", 2, -1, -1)]
    assert (position.actor, position.decision) == (2, "bid")


@pytest.mark.rule("I11.1")
def test_the_end_is_natural_or_truncated() -> None:
    for players in (3, 4):
        for markers, rounds, end in (({"Septris": 16}, 39, 0), ({"Septris": 15}, 39, 1), ({"Septris": 16}, 12, 0)):
            data = {
                "markers": markers, "camp": "Septris", "display": ["yak"] * 4, "deck": ["kamel"] * 4,
                "gold": {f"player_{k}": 0 for k in range(players)},
                "bids": {"player_1": {"place": "Septris", "way": "desert", "amount": 0}},
                "round": {"leader": "player_1", "stage": "drawing", "number": rounds},
            }  # fmt: skip
            position = Game(num_players=players).from_dict(data)
            assert told(position, ["draw deck"] * players)[-1] == ("end", -1, end, -1)
            assert position.is_over and position.is_truncated == bool(end)
            assert position.actor is None and position.decision is None and not position.mask().any()
            assert position.states["depth"][0] == 0 and not position.states["legal"].any()


# Who sees what


@pytest.mark.rule("I2.4")
def test_who_sees_the_cards_of_every_event() -> None:
    """In lively play: hidden cards are seen by their seat, thefts by the two of them, all else by all."""
    for players in (3, 4, 6):
        game = Game(num_players=players, cooperative_bidding=players == 4)
        generator = np.random.default_rng(players)
        position = game.new(players)
        for _ in range(120):
            if position.is_over:
                break
            legal = position.legal_actions()
            lively = [action for action in legal if not game.spec.actions.is_passive(action)]
            before = position.num_events
            position.step(int(generator.choice(lively or legal)))
            whole = position.events_since(before)
            for seat in range(players):
                for event, seen in zip(whole, position.events_since(before, seat), strict=True):
                    visible = event.kind not in HIDDEN and event.kind not in ("rob", "loot") or seat == event.seat
                    visible |= event.kind in ("rob", "loot") and seat == event.b
                    assert seen == (event if visible else event._replace(a=-2))


@pytest.mark.rule("I8.4", "I2.4")
def test_the_last_two_cards_of_a_lot_are_nobodys_certainty() -> None:
    position = Game(num_players=3).from_dict(
        {
            "markers": {"Septris": 8},
            "treasure_deck": ["Hora-Pena", "Qualtops"],
            "laid": {"player_0": sorted((Counter(COMMON) - Counter(["Hora-Pena", "Qualtops"])).elements())},
            "put_under_treasures": [
                {"place": 0, "players": ["player_1"], "telegram": 4},
                {"place": 1, "players": ["player_2"], "telegram": 4},
            ],
        }
    )
    for name in ("bid Kilitiping jungle", "amount 0", "pass", "pass"):
        position.step(name)
    # Two are left of three, so that the leader keeps both without being asked.
    data = position.to_dict()
    assert data["treasures"]["player_0"] == ["Hora-Pena", "Qualtops"]
    assert not data.get("certain_treasures")
