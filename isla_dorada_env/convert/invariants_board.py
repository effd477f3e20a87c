"""Invariants of the pieces: the board, adventure cards, treasures, curses and destinies, and the scores they make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from types import SimpleNamespace

import numpy as np

from isla_dorada_env.board import LAND_ROUTES, NUM_PLACES, ROUTE_NAMES, WATER_ROUTES
from isla_dorada_env.components import (
    COMPONENTS,
    CURSE_VALUES,
    DESTINY_NAMES,
    FIRST_COMMON_TREASURE,
    MARKERS,
    TELEGRAM_MARKERS,
    TREASURE_NAMES,
    TREASURE_VALUES,
)
from isla_dorada_env.convert.words import (
    ADVENTURE,
    ALL_TREASURES,
    CURSES,
    DESTINIES,
    destinies_due,
    distance_of,
    finished_steps,
    in_setup,
    order_of,
    starred_due,
    treasure_hands,
    treasures_laid,
)
from isla_dorada_env.decisions import Stage
from isla_dorada_env.notation import MONSTERS
from isla_dorada_env.rules import engine
from isla_dorada_env.rules.lightning import DISPLAY
from isla_dorada_env.state import LAID, RUNNING
from isla_dorada_env.vocab import BASE, CARDS, KEPT_CARDS, PLACES, DestinyKind
from island_core.convert import PLAYERS, SEATS, certain_problems
from island_core.layout import States
from island_core.reader import Problem

STARRED_KEPT = 2
"""I3.2: starred treasures that each player keeps."""


def board_problems(s: SimpleNamespace) -> Iterator[Problem]:
    """I7.1, I9.1: markers and monsters; gold only where somebody sits."""
    if s.markers[BASE]:
        yield Problem("markers.Base", str(s.markers[BASE]), "none in the base")
    if sum(s.markers) > MARKERS:
        yield Problem("markers", str(sum(s.markers)), f"at most {MARKERS}")
    for name, route, routes, sort in zip(
        MONSTERS, s.monster_at, (LAND_ROUTES, WATER_ROUTES), ("land", "water"), strict=True
    ):
        if route >= 0 and not int(routes) >> route & 1:
            yield Problem(f"monsters.{name}", ROUTE_NAMES[route], f"a {sort} route")
    for seat in range(s.num_players, SEATS):
        if s.gold[seat] or s.hand_size[seat]:
            yield Problem(PLAYERS[seat], "gold or cards", "nothing where nobody sits")


# ---- Adventure cards


def card_problems(s: SimpleNamespace) -> Iterator[Problem]:
    """I2.1: every adventure card in exactly one zone, in the set-up in none; unused places are 0."""
    found = Counter(s.deck[: s.deck_size])
    for zone in (s.discard, s.table):
        found.update(dict(enumerate(zone)))
    for seat, hand in enumerate(s.hand):
        size = s.hand_size[seat]
        found.update(hand[:size])
        if any(hand[size:]):
            yield Problem(f"hands.{PLAYERS[seat]}", f"{size} cards and {hand}", "zeros in unused places")
        for card in hand[:size]:
            if card >= len(KEPT_CARDS):
                yield Problem(f"hands.{PLAYERS[seat]}", CARDS[card], "no lightning cards")
    if any(s.deck[s.deck_size :]):
        yield Problem("deck", "cards beyond its size", "zeros in unused places")
    if in_setup(s):
        if found.total():
            yield Problem("cards", f"{found.total()} adventure cards", "none before the choices of the set-up are over")
        return
    if sum(s.table) != DISPLAY:
        yield Problem("display", f"{sum(s.table)} cards", str(DISPLAY))
    yield from ADVENTURE.problems(found)
    hands = [hand[:size] for hand, size in zip(s.hand, s.hand_size, strict=True)]
    yield from certain_problems("certain", s.num_players, hands, s.knowers, CARDS)


# ---- Treasures


def treasure_problems(s: SimpleNamespace) -> Iterator[Problem]:
    """I2.2: every common treasure in exactly one place, a starred one in at most one; the list of the players."""
    start = s.treasure_start
    if start[0] != 0 or start != sorted(start):
        yield Problem("treasures", f"hands that begin at {start}", "numbers from 0 that do not fall")
        return
    total = start[SEATS]
    unused = [*s.treasure_card[total:], *s.treasure_knowers[total:]]
    if any([*unused, *s.laid_card[s.laid_total :], *s.laid_seat[s.laid_total :]]):
        yield Problem("treasures", "entries beyond their number", "zeros in unused places")
    if s.laid_seat[: s.laid_total] != sorted(s.laid_seat[: s.laid_total]):
        yield Problem("laid", "another order", "seat by seat")
    laid = treasures_laid(s)
    for card in [*s.treasure_card[start[s.num_players] : total], *chain(*laid[s.num_players :])]:
        yield Problem("treasures", TREASURE_NAMES[card], "none where nobody sits")
    if any(s.treasure_deck[s.treasure_deck_size :]):
        yield Problem("treasure_deck", "cards beyond its size", "zeros in unused places")
    found = Counter(s.treasure_deck[: s.treasure_deck_size])
    found.update(order_of(s.starred_rejected) + order_of(s.telegram_rejected) + s.treasure_card[:total])
    found.update(chain(*laid))
    for card in range(FIRST_COMMON_TREASURE):
        if found[card] > 1 or card in s.treasure_deck[: s.treasure_deck_size]:
            yield Problem("treasures", f"{found[card]} {TREASURE_NAMES[card]}", "at most one, and none in the deck")
        found[card] = 1
    yield from ALL_TREASURES.problems(found)
    hands, knowers = treasure_hands(s), treasure_hands(s, "treasure_knowers")
    yield from certain_problems("certain_treasures", s.num_players, hands, knowers, TREASURE_NAMES)


def rejected_problems(s: SimpleNamespace) -> Iterator[Problem]:
    """I3.2, I8.4: what was rejected in the set-up, and in a telegram that is going on."""
    telegram = s.depth > 0 and s.frame_a[0] == Stage.TELEGRAM
    for seat, name in enumerate(PLAYERS):
        starred, common = s.starred_rejected[seat], s.telegram_rejected[seat]
        if starred >= 0 and (
            starred >= FIRST_COMMON_TREASURE
            or seat >= s.num_players
            or (in_setup(s) and starred_due(s, seat) > STARRED_KEPT)
        ):
            allowed = "a starred treasure, of a player who has chosen"
            yield Problem(f"starred_rejected.{name}", TREASURE_NAMES[starred], allowed)
        if common >= 0 and (
            common < FIRST_COMMON_TREASURE
            or seat >= s.num_players
            or not telegram
            or distance_of(s, seat) >= finished_steps(s)
        ):
            allowed = "a card of the treasure deck, of a player who has chosen in the telegram that is going on"
            yield Problem(f"telegram_rejected.{name}", TREASURE_NAMES[common], allowed)


def under_problems(s: SimpleNamespace) -> Iterator[Problem]:
    """What is known of the decks: cards that players put there lie lowest, those of a telegram together. The one who
    put a card there knows it, but not always if it came with a telegram: somebody may have drawn of these.
    """
    lots = s.treasure_deck_lot
    for key, size, knowers, drawn_of in (
        ("put_under_treasures", s.treasure_deck_size, s.treasure_deck_knowers, lots),
        ("put_under_destinies", s.destiny_deck_size, s.destiny_deck_knowers, [0] * len(s.destiny_deck_knowers)),
    ):
        put = [place for place, known in enumerate(knowers) if known or drawn_of[place]]
        if put != list(range(len(put))) or len(put) > size:
            yield Problem(key, str(put), "the lowest places of the deck")
        for place in put:
            number = knowers[place].bit_count()
            if number > 1 or (number == 0 and not drawn_of[place]) or knowers[place] >= 1 << s.num_players:
                allowed = "one player, or nobody for a card of a telegram"
                yield Problem(f"{key}, place {place}", f"players {knowers[place]:06b}", allowed)
    arriving = s.depth > 0 and s.camp != BASE and s.frame_a[0] in (Stage.BONGO, Stage.TELEGRAM)
    telegrams = sum(sum(s.markers) - arriving >= marker for marker in TELEGRAM_MARKERS)
    if max(lots) > telegrams:
        given = f"cards of telegram {TELEGRAM_MARKERS[max(lots) - 1]}"
        yield Problem("put_under_treasures", given, f"{telegrams} telegrams so far")
    for lot, marker in enumerate(TELEGRAM_MARKERS, 1):
        places = [place for place, other in enumerate(lots) if other == lot]
        known = [s.treasure_deck_knowers[place] for place in places if s.treasure_deck_knowers[place]]
        together = not places or places == list(range(places[0], places[-1] + 1))
        if not together or len(set(known)) != len(known) or len(places) > s.num_players:
            allowed = "cards that lie together, one of each player"
            yield Problem("put_under_treasures", f"the cards of telegram {marker} at {places}", allowed)
    if [lot for lot in lots if lot] != sorted((lot for lot in lots if lot), reverse=True):
        yield Problem("put_under_treasures", "telegram 4 below 9", "the cards of the later telegram below")


# ---- Curses and destinies


def curse_problems(s: SimpleNamespace) -> Iterator[Problem]:
    """I2.3: each curse with a player or in the deck."""
    found = Counter(s.curse_deck[: s.curse_deck_size])
    if any(s.curse_deck[s.curse_deck_size :]):
        yield Problem("curse_deck", "cards beyond its size", "zeros in unused places")
    for place in range(NUM_PLACES):
        if s.curse_at[place] >= 0:
            found[place] += 1
            if s.curse_at[place] % LAID >= s.num_players:
                yield Problem("curses", PLACES[place], "none where nobody sits")
    yield from CURSES.problems(found)


def destiny_problems(s: SimpleNamespace) -> Iterator[Problem]:
    """I2.3: each destiny with a player or in the deck; a player has one, and two where he chooses."""
    found = Counter(s.destiny_deck[: s.destiny_deck_size])
    if any(s.destiny_deck[s.destiny_deck_size :]):
        yield Problem("destiny_deck", "cards beyond its size", "zeros in unused places")
    for seat, name in enumerate(PLAYERS):
        own = order_of(s.destiny[seat])
        found.update(own)
        due = destinies_due(s, seat) if seat < s.num_players else 0
        if len(own) != due or s.destiny[seat][due:] != [-1] * (2 - due):
            names = ", ".join(str(DESTINY_NAMES[card]) for card in own) or "none"
            yield Problem(f"destinies.{name}", names, f"{due}; two destinies only where a player has to choose")
    yield from DESTINIES.problems(found)


# ---- Scores


def score_problems(states: States, i: int, s: SimpleNamespace) -> Iterator[Problem]:
    """I11.2: the standing is that of gold, laid treasures, laid curses and, in the end, destinies."""
    scores, keys = np.zeros(SEATS, np.int64), np.zeros(SEATS, np.int64)
    engine.standing(states, i, scores, keys)
    expected = [_points(s, seat) for seat in range(SEATS)]
    if scores.tolist() != expected:
        yield Problem("scores", str(scores.tolist()), str(expected))
    if keys.tolist() != expected:
        yield Problem("scores", f"order {keys.tolist()}", str(expected))


def _points(s: SimpleNamespace, seat: int) -> int:
    points: int = s.gold[seat]
    points += sum(int(TREASURE_VALUES[card]) for card in treasures_laid(s)[seat])
    points += sum(int(CURSE_VALUES[place]) for place, holder in enumerate(s.curse_at) if holder == seat + LAID)
    return points + (_destiny_points(s, seat) if s.outcome != RUNNING else 0)


def _destiny_points(s: SimpleNamespace, seat: int) -> int:
    """I2.3: what the destiny of a seat gives."""
    slot: int = s.destiny[seat][0]
    if slot < 0:
        return 0
    destiny = COMPONENTS.destinies[slot]
    visited = [place for place, number in enumerate(s.markers) if number]
    if destiny.kind == DestinyKind.CARDS_IN_HAND_AT_END:
        held: int = s.hand[seat][: s.hand_size[seat]].count(destiny.card)
        return min(held * destiny.points, destiny.max_points)
    if destiny.kind == DestinyKind.SEA_JOURNEYS:
        return destiny.sea_points[int(s.sea_journeys)]
    met = {
        DestinyKind.VISIT_ALL: set(destiny.places) <= set(visited),
        DestinyKind.DISTINCT_PLACES_AT_LEAST: len(visited) >= destiny.n,
        DestinyKind.MARKERS_ON_ONE_PLACE_AT_LEAST: max(s.markers) >= destiny.n,
        DestinyKind.RETURNS_TO_BASE_AT_LEAST: s.returns >= destiny.n,
    }[destiny.kind]
    return destiny.points if met else 0
