"""The observation of the oracle: the sections of docs/isla_dorada/observation.md, written from that page alone.

Also one row of the `history` part. `READING` marks a place where the page leaves something open.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from isla_dorada_env.vocab import CARDS, PLACES, WAYS
from tests.isla_dorada.oracle import Oracle
from tests.isla_dorada.oracle_box import (
    ANIMALS,
    BASE,
    CURSE_VALUES,
    DESTINIES,
    KEPT,
    LIGHTNING,
    MARKERS,
    ROUTES,
    TREASURE_COPIES,
    TREASURES,
    seat_number,
)
from tests.isla_dorada.oracle_table import EVENT_DETAILS, DeckCard, Event

DECISIONS = (
    "round",
    "starred",
    "destiny",
    "bid",
    "amount",
    "share",
    "oveto",
    "pay",
    "sangaia",
    "onward",
    "bongo",
    "telegram",
    "draw",
    "buy",
    "victim",
    "monster",
    "antik",
    "first player",
    "second player",
    "panda",
    "hand limit",
)
EVENTS = tuple(EVENT_DETAILS)
SEATS = 6
DESTINY_SLOTS = 22


def marks(words: Sequence[str], chosen: Iterable[str]) -> list[int]:
    """Ones at the chosen words."""
    counts = [0] * len(words)
    for word in chosen:
        counts[words.index(word)] = 1
    return counts


def seat_marks(chosen: Iterable[int]) -> list[int]:
    """Ones at the chosen relative seats."""
    chosen = set(chosen)
    return [int(seat in chosen) for seat in range(SEATS)]


def counts_of(words: Sequence[str], cards: Mapping[str, int] | Iterable[str]) -> list[int]:
    """How many cards there are of each kind."""
    numbers = Counter(cards)
    return [numbers[word] for word in words]


def destiny_counts(cards: Iterable[str]) -> list[int]:
    return (counts_of(tuple(DESTINIES), cards) + [0] * DESTINY_SLOTS)[:DESTINY_SLOTS]


def order(seats: list[int], around: list[int]) -> list[int]:
    """The place of each seat in an order, from 1."""
    return [seats.index(seat) + 1 if seat in seats else 0 for seat in around]


def depths(words: Sequence[str], deck: list[DeckCard], observer: int) -> list[int]:
    """Of each kind, 1 + the cards above the uppermost one that the observer put into the deck; 0 without one.

    Of a telegram he knows only where its rejects lie, so the cards above the uppermost reject still there count.
    """
    counts = [0] * len(words)
    for above, card in enumerate(deck):
        if observer in card.players:
            if card.telegram:
                above = next(place for place, other in enumerate(deck) if other.telegram == card.telegram)
            kind = words.index(card.name)
            counts[kind] = counts[kind] or 1 + above
    return counts


def observation(oracle: Oracle, player: str) -> dict[str, list[int]]:
    """Every section of the observation of a player, in the order of the page, flat, as counts."""
    observer, seats = seat_number(player), oracle.num_players
    running = oracle.outcome == "running"

    def relative(seat: int) -> int:
        return (seat - observer) % seats

    around = [(observer + offset) % seats for offset in range(seats)]

    def each(counts: Sequence[Sequence[int]], first: int = 0) -> list[int]:
        """One row for each relative seat, those where nobody sits with zeros."""
        rows = [number for seat in around[first:] for number in counts[seat]]
        return rows + [0] * len(counts[0]) * (SEATS - seats)

    frame = oracle.stack[-1] if oracle.seat == observer else None  # what concerns the deciding seat alone
    decision = frame.decision if frame else ""

    sections: dict[str, list[int]] = {}
    sections["decision"] = marks(DECISIONS, [decision] if frame else [])
    sections["players"] = seat_marks(range(seats))
    sections["leader"] = seat_marks([relative(oracle.leader)] if running else [])
    sections["cooperative"] = [int(oracle.cooperative)]
    sections["camp"] = marks(PLACES, [oracle.camp])
    sections["markers"] = counts_of(PLACES, oracle.markers)
    sections["markers_left"] = [MARKERS - oracle.markers.total()]
    rounds_left = oracle.max_rounds - oracle.rounds
    sections["rounds_left"] = [min(99, rounds_left // 100), rounds_left % 100]
    sections["sea_journeys"] = [oracle.sea_journeys]
    sections["returns"] = [min(16, oracle.returns)]
    sections["monsters"] = marks(tuple(ROUTES), oracle.monsters.values())
    sections["gold"] = each([[gold] for gold in oracle.gold])

    sections["hand"] = counts_of(KEPT, oracle.hands[observer])
    sections["hand_sizes"] = each([[len(hand)] for hand in oracle.hands])
    sections["known"] = each([counts_of(KEPT, known) for known in oracle.certain[observer]], 1)
    sections["display"] = counts_of(CARDS, oracle.display)
    sections["discard"] = counts_of(CARDS, oracle.discard)
    sections["deck_size"] = [len(oracle.deck)]

    sections["treasures"] = counts_of(TREASURES, oracle.treasures[observer])
    sections["treasure_counts"] = each([[len(held)] for held in oracle.treasures])
    sections["known_treasures"] = each([counts_of(TREASURES, known) for known in oracle.certain_treasures[observer]], 1)
    sections["laid"] = each([counts_of(TREASURES, laid) for laid in oracle.laid])
    rejected = [card.name for card in oracle.treasure_deck if observer in card.players]
    for aside in (oracle.starred_rejected, oracle.telegram_rejected):
        rejected += [aside[observer]] if observer in aside else []
    sections["rejected"] = counts_of(TREASURES, rejected)
    sections["rejected_depth"] = depths(TREASURES, oracle.treasure_deck, observer)
    sections["treasure_deck_size"] = [len(oracle.treasure_deck)]

    sections["curses"] = marks(PLACES, oracle.curses[observer])
    sections["curse_counts"] = each([[len(held)] for held in oracle.curses])
    sections["curses_laid"] = each([marks(PLACES, laid) for laid in oracle.curses_laid])
    sections["curse_deck_size"] = [len(oracle.curse_deck)]
    sections["destiny"] = destiny_counts(oracle.destinies[observer])
    sections["rejected_destinies"] = destiny_counts(
        card.name for card in oracle.destiny_deck if observer in card.players
    )
    destiny_depths = depths(tuple(DESTINIES), oracle.destiny_deck, observer)
    sections["rejected_destinies_depth"] = (destiny_depths + [0] * DESTINY_SLOTS)[:DESTINY_SLOTS]
    sections["destiny_deck_size"] = [len(oracle.destiny_deck)]

    bids = [oracle.bids.get(seat) for seat in range(seats)]
    sections["bid_place"] = each([marks(PLACES, [bid.place] if bid else []) for bid in bids])
    sections["bid_way"] = each([marks(WAYS, [bid.way] if bid else []) for bid in bids])
    sections["bid_amount"] = each([[bid.amount if bid else 0] for bid in bids])
    totals = [bid.amount if bid else 0 for bid in bids]
    if oracle.cooperative:
        totals = [oracle.total(bid.place, bid.way) if bid else 0 for bid in bids]
    sections["bid_total"] = each([[min(127, total)] for total in totals])
    sections["bid_joined"] = order(oracle.joined, around) + [0] * (SEATS - seats)
    sections["bid_raised"] = order(oracle.raised, around) + [0] * (SEATS - seats)
    sections["bid_for"] = each([marks(PLACES, oracle.bid_for.get(seat, ())) for seat in range(seats)])
    sections["passed"] = seat_marks(relative(seat) for seat in oracle.passed)
    sections["barred"] = seat_marks(relative(seat) for seat in oracle.barred)
    sections["last_route"] = marks(tuple(ROUTES), [oracle.last_route] if oracle.last_route else [])

    place, way, due, turned, drawn, lightning, first, to_discard = "", "", 0, [], [], "", [], 0
    drawer, bought = [], False
    if frame:
        place, way = frame.place, frame.way
        if decision in ("pay", "sangaia", "onward"):
            way = oracle.way()
        due, turned = max(0, frame.due), frame.turned
        if decision in ("telegram", "antik"):
            drawn = oracle.drawn_treasures()
        if oracle.stage == "drawing":
            # READING: what comes of a bought diawas, its draw and what that one asks, belongs to the buying.
            offset, bought = (oracle.steps - 1) // 2, oracle.steps % 2 == 0
            drawer = [relative(oracle.after_leader(offset))]
        # READING: a draw after a diawas is like any other draw; an istwa asks where a destiny is drawn in a round.
        lightning = frame.monster or frame.card
        if decision in ("antik", "panda"):
            lightning = decision
        elif decision == "destiny" and oracle.stage == "drawing":
            lightning = "istwa"
        first = [relative(frame.first)] if frame.first != -1 else []
        to_discard = max(0, frame.cards)
    sections["pending_place"] = marks(PLACES, [place] if place else [])
    sections["pending_way"] = marks(WAYS, [way] if way else [])
    sections["due"] = [due]
    sections["turned"] = marks(ANIMALS, turned)
    sections["drawn"] = counts_of(TREASURES, drawn)
    sections["drawer"] = seat_marks(drawer)
    sections["bought"] = [int(bought)]
    sections["lightning"] = marks(LIGHTNING, [lightning] if lightning else [])
    sections["first_chosen"] = seat_marks(first)
    sections["to_discard"] = [to_discard]
    return sections


def history_row(event: Event, oracle: Oracle, player: str) -> list[int]:
    """One event of the `history` part: kind, seat, a, b as the player sees them."""
    kind, seat, a, b, seers = event
    observer, seats = seat_number(player), oracle.num_players
    shown = 0 if a == -1 else a + 2 if observer in seers else 1
    if b != -1 and EVENT_DETAILS[kind][1][1] == "player":
        b = (b - observer) % seats
    return [EVENTS.index(kind) + 1, 0 if seat == -1 else (seat - observer) % seats + 1, shown, 0 if b == -1 else b + 2]


def _page() -> dict[str, tuple[int, int]]:
    """Size and largest count of each section, from the table of the page."""
    page = Path(__file__).parents[2] / "docs" / "isla_dorada" / "observation.md"
    sections = {}
    for line in page.read_text().splitlines():
        columns = [column.strip() for column in line.strip("|").split("|")]
        if len(columns) == 5 and columns[0].startswith("`"):
            first, last = columns[1].split("-")
            sections[columns[0].strip("`")] = (int(last) - int(first) + 1, int(columns[3]))
    return sections


PAGE = _page()
DECIDING = tuple(PAGE)[tuple(PAGE).index("pending_place") :]
"""Sections that are zero for all others."""


def rows(counts: list[int]) -> list[list[int]]:
    """A section of one row a relative seat, row by row."""
    size = len(counts) // SEATS
    return [counts[seat * size : (seat + 1) * size] for seat in range(SEATS)]


def check_observation(oracle: Oracle, player: str) -> None:
    """Assert that an observation has the sections, sizes and bounds of the page."""
    sections = observation(oracle, player)
    assert list(sections) == list(PAGE)
    for name, values in sections.items():
        size, largest = PAGE[name]
        assert len(values) == size, name
        assert all(0 <= value <= largest for value in values), name
    observer, deciding = seat_number(player), oracle.actor == player
    assert sum(sections["decision"]) == int(deciding)
    for name in DECIDING:
        assert deciding or not any(sections[name]), name

    for name in ("rejected", "rejected_destinies"):  # nothing lies deeper than the deck, nor is what is not rejected
        size = sections["treasure_deck_size" if name == "rejected" else "destiny_deck_size"][0]
        for number, depth in zip(sections[name], sections[f"{name}_depth"], strict=True):
            assert depth <= size and (number or not depth), name
    in_deck = sum(observer in card.players for card in oracle.destiny_deck)
    assert sum(sections["rejected_destinies"]) == in_deck and any(sections["rejected_destinies_depth"]) == bool(in_deck)

    places, bid_places = rows(sections["bid_for"]), rows(sections["bid_place"])
    for seat in range(SEATS):
        assert all(map(int.__ge__, places[seat], bid_places[seat])), "bid_for"
        assert any(places[seat]) == (sections["bid_joined"][seat] > 0), "bid_for"
    if max(sections["bid_raised"]):  # who spoke last has not passed
        assert not sections["passed"][sections["bid_raised"].index(max(sections["bid_raised"]))], "passed"

    drawing = deciding and oracle.stage == "drawing"
    assert sum(sections["drawer"]) == int(drawing) and (drawing or not sections["bought"][0])
    if deciding and oracle.decision != "panda":  # all else is asked of the one who draws
        assert sections["drawer"][0] == int(drawing), "drawer"
    assert not (deciding and oracle.decision == "buy") or sections["bought"] == [1]


def check_setup(oracle: Oracle) -> None:
    """Assert that a first position is one: the leader chooses, all but the adventure cards is dealt (I3, P3)."""
    seats = range(oracle.num_players)
    assert (oracle.stage, oracle.decision, oracle.seat) == ("setup", "starred", oracle.leader)
    assert oracle.camp == BASE and not oracle.markers and not oracle.monsters
    assert all(gold == 10 for gold in oracle.gold) and not any(oracle.hands) and not oracle.display
    starred = [card for held in oracle.treasures for card in held]
    assert all(len(held) == 3 for held in oracle.treasures) and len(set(starred)) == len(starred)
    assert all(card.endswith("starred") for card in starred) and not any(oracle.laid)
    common = {name: copies for name, copies in TREASURE_COPIES.items() if not name.endswith("starred")}
    assert Counter(card.name for card in oracle.treasure_deck) == Counter(common)
    assert all(len(held) == 1 for held in oracle.curses) and not any(oracle.curses_laid)
    assert sorted([*oracle.curse_deck, *(held[0] for held in oracle.curses)]) == sorted(CURSE_VALUES.keys() - {BASE})
    assert all(len(held) == 2 for held in oracle.destinies)
    destinies = [card.name for card in oracle.destiny_deck] + [name for held in oracle.destinies for name in held]
    assert Counter(destinies) == Counter({name: destiny.copies for name, destiny in DESTINIES.items()})
    dealt = ["treasure"] * 3 * len(seats) + ["destiny"] * 2 * len(seats) + ["curse"] * len(seats)
    assert [event["event"] for event in oracle.named_events] == dealt
