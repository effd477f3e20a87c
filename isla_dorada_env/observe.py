"""What a seat sees: the table of sections and the kernels that write them.

Seats are relative to the observer (0 is himself), padded to six; places, routes and cards are absolute. What concerns
the decision at hand is written for the seat that decides alone, so that nobody learns from an observation that somebody
else is being asked (I4.2).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from isla_dorada_env.actions import HIGHEST_AMOUNT, NUM_ANIMALS, START_GOLD
from isla_dorada_env.board import NUM_PLACES
from isla_dorada_env.components import (
    CARD_COPIES,
    DESTINY_COPIES,
    DESTINY_SLOTS,
    MARKERS,
    NUM_ADVENTURE_CARDS,
    NUM_COMMON_TREASURES,
    NUM_CURSES,
    NUM_DESTINIES,
    NUM_ROUTES,
    TREASURE_COPIES,
    TREASURE_KINDS,
)
from isla_dorada_env.decisions import DECISION_NAMES, Decision, Stage
from isla_dorada_env.events import EVENTS, Event
from isla_dorada_env.rules.bids import total
from isla_dorada_env.rules.hands import copies
from isla_dorada_env.rules.lightning import DISPLAY
from isla_dorada_env.rules.seats import clockwise, from_leader, relative
from isla_dorada_env.rules.treasures import hand_end, hand_start, treasures_in_hand
from isla_dorada_env.state import MOST_IN_HAND, NUM_TREASURES, RUNNING
from isla_dorada_env.vocab import CARDS, FIRST_LIGHTNING, KEPT_CARDS, LIGHTNING_CARDS, WAYS, Card
from island_core import history, jit
from island_core.bitset import popcount, spread
from island_core.jit import kernel
from island_core.observation import ObservationTable, Section

Rec = Any

ONE = np.uint64(1)
KINDS = len(CARDS)
KEPT = len(KEPT_CARDS)
NUM_WAYS = len(WAYS)
MOST_CARDS = int(CARD_COPIES.max())
MOST_TREASURES = int(TREASURE_COPIES.max())
MOST_TOTAL = 127
"""The largest total of a cooperative bid that an observation tells."""

OBSERVATION = ObservationTable(
    (
        Section("decision", (len(DECISION_NAMES) - 1,), 1, "if deciding: which decision, numbered as listed below"),
        Section("players", (6,), 1, "which relative seats are in the game"),
        Section("leader", (6,), 1, "relative seat of the leader"),
        Section("cooperative", (1,), 1, "cooperative bidding"),
        Section("camp", (NUM_PLACES,), 1, "where the expedition is"),
        Section("markers", (NUM_PLACES,), MARKERS, "markers on each place"),
        Section("markers_left", (1,), MARKERS, "markers not placed yet"),
        Section("rounds_left", (2,), 99, "rounds before truncation: hundreds (at most 99), rest"),
        Section("sea_journeys", (1,), 2, "tokens for sea journeys"),
        Section("returns", (1,), MARKERS, "returns to the base, at most 16"),
        Section("monsters", (NUM_ROUTES,), 1, "routes where bigfoot (land) and the leviathan (water) stand"),
        Section("gold", (6,), START_GOLD, "gold of each relative seat"),
        Section("hand", (KEPT,), MOST_IN_HAND, "own adventure cards by kind"),
        Section("hand_sizes", (6,), MOST_IN_HAND, "number of adventure cards of each relative seat"),
        Section(
            "known", (5, KEPT), MOST_IN_HAND, "adventure cards the observer is certain of in relative seats 1 to 5"
        ),
        Section("display", (KINDS,), DISPLAY, "adventure cards in the display by kind"),
        Section("discard", (KINDS,), MOST_CARDS, "adventure cards in the discard by kind"),
        Section("deck_size", (1,), NUM_ADVENTURE_CARDS, "cards in the adventure deck"),
        Section("treasures", (TREASURE_KINDS,), MOST_TREASURES, "own hand treasures by kind"),
        Section("treasure_counts", (6,), NUM_TREASURES, "number of hand treasures of each relative seat"),
        Section(
            "known_treasures", (5, TREASURE_KINDS), MOST_TREASURES, "treasures the observer is certain of, as in known"
        ),
        Section("laid", (6, TREASURE_KINDS), MOST_TREASURES, "treasures laid open by each relative seat"),
        Section(
            "rejected", (TREASURE_KINDS,), MOST_TREASURES, "treasures the observer put under the deck or gave back"
        ),
        Section(
            "rejected_depth",
            (TREASURE_KINDS,),
            NUM_COMMON_TREASURES,
            "1 + the cards above the uppermost of these in the deck, of a telegram: above all its rejects; else 0",
        ),
        Section("treasure_deck_size", (1,), NUM_COMMON_TREASURES, "cards in the treasure deck"),
        Section("curses", (NUM_PLACES,), 1, "own hand curses by place"),
        Section("curse_counts", (6,), NUM_CURSES, "number of hand curses of each relative seat"),
        Section("curses_laid", (6, NUM_PLACES), 1, "curses laid open by each relative seat"),
        Section("curse_deck_size", (1,), NUM_CURSES, "cards in the curse deck"),
        Section("destiny", (DESTINY_SLOTS,), int(DESTINY_COPIES.max()), "own destiny; both while choosing"),
        Section("rejected_destinies", (DESTINY_SLOTS,), int(DESTINY_COPIES.max()), "destinies the observer rejected"),
        Section(
            "rejected_destinies_depth",
            (DESTINY_SLOTS,),
            NUM_DESTINIES,
            "as rejected_depth",
        ),
        Section("destiny_deck_size", (1,), NUM_DESTINIES, "cards in the destiny deck"),
        Section("bid_place", (6, NUM_PLACES), 1, "place of the last bid of each relative seat in this round"),
        Section("bid_way", (6, NUM_WAYS), 1, "its way"),
        Section("bid_amount", (6,), HIGHEST_AMOUNT, "its amount, in cooperative bidding the share"),
        Section("bid_total", (6,), MOST_TOTAL, "the total of that bid, at most 127; in the basic game its amount"),
        Section("bid_joined", (6,), 6, "place of each seat, from 1, in the order of the last bid or join"),
        Section("bid_raised", (6,), 6, "place of each seat, from 1, in the order of the last bid, join or raise"),
        Section("bid_for", (6, NUM_PLACES), 1, "places each relative seat has bid for or joined in this round"),
        Section("passed", (6,), 1, "relative seats that passed when they were last asked for a bid in this round"),
        Section("barred", (6,), 1, "relative seats barred by jujus"),
        Section("last_route", (NUM_ROUTES,), 1, "route or hop that this round's move used last"),
        Section("pending_place", (NUM_PLACES,), 1, "if deciding: the place whose amount or share is asked"),
        Section("pending_way", (NUM_WAYS,), 1, "if deciding: the way of that, or of the payment or move"),
        Section("due", (1,), HIGHEST_AMOUNT, "if deciding: what is still to be paid"),
        Section("turned", (NUM_ANIMALS,), 1, "if deciding: animals that a shaman has turned in this payment"),
        Section("drawn", (TREASURE_KINDS,), MOST_TREASURES, "if deciding: treasures just drawn, one to be rejected"),
        Section("drawer", (6,), 1, "if deciding in the drawing: the relative seat who draws or buys"),
        Section("bought", (1,), 1, "if deciding in the drawing: this comes of buying, not of drawing"),
        Section("lightning", (len(LIGHTNING_CARDS),), 1, "if deciding: the lightning card that asks"),
        Section("first_chosen", (6,), 1, "if deciding: the first player chosen"),
        Section("to_discard", (1,), 3, "if deciding: cards a panda still takes"),
    )
)
AT = OBSERVATION.offset

HISTORY = history.sections(EVENTS, 127)
"""The four numbers of one event in the ``history`` part of an observation; the newest event comes first."""


@kernel
def observe(states: Any, i: int, seat: int, out: Any) -> None:
    """Write the observation of a seat in game ``i`` as counts: ``int8[OBSERVATION.size]``."""
    s = states[i]
    out[:] = np.int8(0)
    running = s.outcome == RUNNING
    observe_seats(s, seat, out)
    observe_cards(s, seat, out)
    out[AT.cooperative] = s.cooperative
    out[AT.camp + s.camp] = 1
    left = MARKERS
    for place in range(NUM_PLACES):
        out[AT.markers + place] = s.markers[place]
        left -= s.markers[place]
    out[AT.markers_left] = left
    rounds = max(s.max_rounds - s.rounds, 0)
    out[AT.rounds_left] = min(rounds // 100, 99)
    out[AT.rounds_left + 1] = rounds % 100
    out[AT.sea_journeys] = s.sea_journeys
    out[AT.returns] = min(s.returns, MARKERS)
    for monster in range(2):
        if s.monster_at[monster] >= 0:
            out[AT.monsters + s.monster_at[monster]] = 1
    out[AT.deck_size] = s.deck_size
    out[AT.treasure_deck_size] = s.treasure_deck_size
    out[AT.curse_deck_size] = s.curse_deck_size
    out[AT.destiny_deck_size] = s.destiny_deck_size
    if s.last_route >= 0:
        out[AT.last_route + s.last_route] = 1
    if running:
        out[AT.leader + relative(s, s.frame_seat[0], seat)] = 1
        if s.frame_seat[s.depth - 1] == seat:
            observe_decision(s, seat, out)


@kernel
def observe_seats(s: Rec, seat: int, out: Any) -> None:
    """What is public of each seat, and his bid."""
    players = s.num_players
    for distance in range(players):
        other = clockwise(s, seat, distance)
        out[AT.players + distance] = 1
        out[AT.gold + distance] = s.gold[other]
        out[AT.hand_sizes + distance] = s.hand_size[other]
        out[AT.passed + distance] = (s.passed >> other) & 1
        out[AT.barred + distance] = (s.barred >> other) & 1
        spread(s.bid_for[other], out, AT.bid_for + distance * NUM_PLACES, NUM_PLACES)
        if s.bid_place[other] >= 0:
            out[AT.bid_place + distance * NUM_PLACES + s.bid_place[other]] = 1
            out[AT.bid_way + distance * NUM_WAYS + s.bid_way[other]] = 1
            out[AT.bid_amount + distance] = s.bid_amount[other]
            out[AT.bid_total + distance] = min(total(s, other), MOST_TOTAL)
    for place in range(6):
        if s.bid_joined[place] >= 0:
            out[AT.bid_joined + relative(s, s.bid_joined[place], seat)] = place + 1
            out[AT.bid_raised + relative(s, s.bid_raised[place], seat)] = place + 1


@kernel
def write_counts(counts: np.uint64, out: Any, start: int) -> None:
    """Write the counts of a hand as entries, one for each kind."""
    for card in range(KEPT):
        out[start + card] = copies(counts, card)


@kernel
def observe_cards(s: Rec, seat: int, out: Any) -> None:
    """Own cards, those the observer is certain of, and those that lie open."""
    players = s.num_players
    write_counts(s.hand_counts[seat], out, AT.hand)
    spread(s.curses_in_hand[seat], out, AT.curses, NUM_PLACES)
    bit = 1 << seat
    for entry in range(hand_start(s, seat), hand_end(s, seat)):
        out[AT.treasures + s.treasure_card[entry]] += 1
    for distance in range(players):
        other = clockwise(s, seat, distance)
        out[AT.treasure_counts + distance] = treasures_in_hand(s, other)
        out[AT.curse_counts + distance] = popcount(s.curses_in_hand[other])
        spread(s.curses_laid[other], out, AT.curses_laid + distance * NUM_PLACES, NUM_PLACES)
        if distance > 0:
            known = AT.known + (distance - 1) * KEPT
            # Added whether he is certain or not: which cards he knows could not be predicted.
            for place in range(s.hand_size[other]):
                out[known + s.hand[other, place]] += (s.knowers[other, place] >> seat) & 1
            for entry in range(hand_start(s, other), hand_end(s, other)):
                if s.treasure_knowers[entry] & bit:
                    out[AT.known_treasures + (distance - 1) * TREASURE_KINDS + s.treasure_card[entry]] += 1
    for k in range(s.laid_total):
        out[AT.laid + relative(s, s.laid_seat[k], seat) * TREASURE_KINDS + s.laid_card[k]] += 1
    for card in range(KINDS):
        out[AT.display + card] = s.table[card]
        out[AT.discard + card] = s.discard[card]
    if s.starred_rejected[seat] >= 0:
        out[AT.rejected + s.starred_rejected[seat]] += 1
    if s.telegram_rejected[seat] >= 0:
        out[AT.rejected + s.telegram_rejected[seat]] += 1
    # What players have put under a deck are its lowest cards.
    place = 0
    while place < s.treasure_deck_size and (s.treasure_deck_knowers[place] | s.treasure_deck_lot[place]) != 0:
        if s.treasure_deck_knowers[place] & bit:
            kind = s.treasure_deck[place]
            out[AT.rejected + kind] += 1
            out[AT.rejected_depth + kind] = s.treasure_deck_size - highest_in_lot(s, place)
        place += 1
    place = 0
    while place < s.destiny_deck_size and s.destiny_deck_knowers[place] != 0:
        if s.destiny_deck_knowers[place] & bit:
            kind = s.destiny_deck[place]
            out[AT.rejected_destinies + kind] += 1
            out[AT.rejected_destinies_depth + kind] = s.destiny_deck_size - place
        place += 1
    for slot in range(2):
        if s.destiny[seat, slot] >= 0:
            out[AT.destiny + s.destiny[seat, slot]] += 1


@kernel
def highest_in_lot(s: Rec, place: int) -> int:
    """The highest place of the treasure deck at which the reject on this one may lie: those of a telegram are mixed."""
    lot = s.treasure_deck_lot[place]
    if lot != 0:
        while place + 1 < s.treasure_deck_size and s.treasure_deck_lot[place + 1] == lot:
            place += 1
    return place


@kernel
def observe_decision(s: Rec, seat: int, out: Any) -> None:
    """The sections for the seat that decides."""
    top = s.depth - 1
    decision = s.frame_decision[top]
    a = s.frame_a[top]
    b = s.frame_b[top]
    out[AT.decision + decision - 1] = 1
    if s.frame_a[0] == Stage.DRAWING:
        # Two steps a seat; the one going on counts as done.
        step = s.frame_b[0] - 1
        out[AT.drawer + relative(s, from_leader(s, step // 2), seat)] = 1
        out[AT.bought] = step % 2
    way = -1
    lightning = -1
    if decision == Decision.AMOUNT or decision == Decision.SHARE:
        out[AT.pending_place + a] = 1
        way = b
    elif decision == Decision.PAY:
        way = s.bid_way[seat]
        out[AT.due] = a
        for animal in range(NUM_ANIMALS):
            out[AT.turned + animal] = (b >> animal) & 1
    elif decision == Decision.SANGAIA or decision == Decision.ONWARD:
        way = s.bid_way[s.frame_seat[0]]
    elif decision == Decision.TELEGRAM or decision == Decision.ANTIK:
        end = hand_end(s, seat)
        for entry in range(end - a, end):
            out[AT.drawn + s.treasure_card[entry]] += 1
        if decision == Decision.ANTIK:
            lightning = Card.ANTIK
    elif decision == Decision.DESTINY:
        if s.frame_a[0] == Stage.DRAWING:
            lightning = Card.ISTWA
    elif decision == Decision.VICTIM:
        lightning = a
    elif decision == Decision.MONSTER:
        lightning = Card.BIGFOOT + a
    elif decision == Decision.FIRST_PLAYER:
        lightning = a
    elif decision == Decision.SECOND_PLAYER:
        lightning = a
        out[AT.first_chosen + relative(s, b, seat)] = 1
    elif decision == Decision.PANDA:
        lightning = Card.PANDA
        out[AT.to_discard] = a
    if way >= 0:
        out[AT.pending_way + way] = 1
    if lightning >= 0:
        out[AT.lightning + lightning - FIRST_LIGHTNING] = 1


@kernel
def b_is_seat(kind: int, a: int) -> bool:
    """Whether detail b of an event is a seat."""
    return kind == Event.ROB or kind == Event.LOOT or kind == Event.CHOOSE or kind == Event.PLAY


observe_history = jit.bind(history.observe_history, "isla_dorada_env", "observe_history", b_is_seat=b_is_seat)
