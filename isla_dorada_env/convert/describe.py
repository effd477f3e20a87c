"""Writing: a record as a dict of names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from types import SimpleNamespace

from isla_dorada_env.board import NUM_PLACES, ROUTE_NAMES
from isla_dorada_env.components import DESTINY_NAMES, TREASURE_NAMES
from isla_dorada_env.convert.words import (
    EVENT_FORM,
    FRAME_KEYS,
    GAME,
    LOT,
    PLACE,
    STAGES,
    bidders,
    detail_codec,
    order_of,
    treasure_hands,
    treasures_laid,
)
from isla_dorada_env.decisions import DECISION_NAMES
from isla_dorada_env.notation import MONSTERS
from isla_dorada_env.options import read_options
from isla_dorada_env.state import LAID, STATE
from isla_dorada_env.vocab import CARDS, PLACES, WAYS
from island_core.convert import OUTCOMES, PLAYERS, Dict, player_codec, write_certain, write_counts, write_details
from island_core.layout import States
from island_core.reader import plain, write_generator


def to_dict(states: States, i: int) -> Dict:
    """Position ``i`` by names, complete and ready for JSON; `from_dict` gives the same record back, byte for byte."""
    s = plain(STATE, states, i)
    seats = {name: seat for seat, name in enumerate(PLAYERS[: s.num_players])}
    hands = [s.hand[seat][: s.hand_size[seat]] for seat in range(s.num_players)]
    treasures = treasure_hands(s)
    laid = treasures_laid(s)
    treasure_knowers = treasure_hands(s, "treasure_knowers")
    return {
        "game": GAME,
        "options": asdict(read_options(states, i)),
        "camp": PLACES[s.camp],
        "markers": write_counts(s.markers, PLACES),
        "monsters": {MONSTERS[k]: ROUTE_NAMES[route] for k, route in enumerate(s.monster_at) if route >= 0},
        "sea_journeys": s.sea_journeys,
        "returns": s.returns,
        "gold": {name: s.gold[seat] for name, seat in seats.items()},
        "hands": {name: _names(hands[seat], CARDS) for name, seat in seats.items()},
        "display": [CARDS[card] for card, number in enumerate(s.table) for _ in range(number)],
        "discard": write_counts(s.discard, CARDS),
        "deck": _names(s.deck[: s.deck_size][::-1], CARDS),
        "certain": write_certain(s.num_players, hands, s.knowers, CARDS),
        "treasures": {name: _names(treasures[seat], TREASURE_NAMES) for name, seat in seats.items()},
        "laid": {name: _names(laid[seat], TREASURE_NAMES) for name, seat in seats.items()},
        "certain_treasures": write_certain(s.num_players, treasures, treasure_knowers, TREASURE_NAMES),
        "treasure_deck": _names(s.treasure_deck[: s.treasure_deck_size][::-1], TREASURE_NAMES),
        "put_under_treasures": [
            {**entry, "telegram": LOT.write(s.treasure_deck_lot[entry["place"]] - 1)}
            for entry in _put_under(s, s.treasure_deck_knowers, s.treasure_deck_lot)
        ],
        "starred_rejected": _each(s.starred_rejected, TREASURE_NAMES),
        "telegram_rejected": _each(s.telegram_rejected, TREASURE_NAMES),
        "curses": {name: _curses(s, seat) for name, seat in seats.items()},
        "curses_laid": {name: _curses(s, seat + LAID) for name, seat in seats.items()},
        "curse_deck": _names(s.curse_deck[: s.curse_deck_size][::-1], PLACES),
        "destinies": {name: _names(order_of(s.destiny[seat]), DESTINY_NAMES) for name, seat in seats.items()},
        "destiny_deck": _names(s.destiny_deck[: s.destiny_deck_size][::-1], DESTINY_NAMES),
        "put_under_destinies": _put_under(s, s.destiny_deck_knowers, s.destiny_deck_knowers),
        "bids": {
            PLAYERS[seat]: {"place": PLACES[s.bid_place[seat]], "way": WAYS[s.bid_way[seat]], "amount": amount}
            for seat, amount in ((seat, s.bid_amount[seat]) for seat in bidders(s))
        },
        "joined": _names(order_of(s.bid_joined), PLAYERS),
        "raised": _names(order_of(s.bid_raised), PLAYERS),
        "bid_for": {PLAYERS[seat]: PLACE.write_set(places) for seat, places in enumerate(s.bid_for) if places},
        "passed": player_codec(s.num_players).write_set(s.passed),
        "barred": player_codec(s.num_players).write_set(s.barred),
        "last_route": ROUTE_NAMES[s.last_route] if s.last_route >= 0 else None,
        "round": _round(s),
        "stack": [_frame(s, place) for place in range(1, s.depth)],
        "outcome": OUTCOMES[s.outcome],
        "rng": write_generator(s.rng),
        "events": EVENT_FORM.write(s),
    }


def _names(numbers: Sequence[int], names: Sequence[str | None]) -> list[str | None]:
    return [names[number] for number in numbers]


def _each(numbers: Sequence[int], names: Sequence[str]) -> Dict:
    """What each seat has, without those that have nothing."""
    return {PLAYERS[seat]: names[number] for seat, number in enumerate(numbers) if number >= 0}


def _curses(s: SimpleNamespace, code: int) -> list[str]:
    return [PLACES[place] for place in range(NUM_PLACES) if s.curse_at[place] == code]


def _put_under(s: SimpleNamespace, knowers: Sequence[int], lots: Sequence[int]) -> list[Dict]:
    """The places of a deck where somebody put the card, and who knows it."""
    player = player_codec(s.num_players)
    return [
        {"place": place, "players": player.write_set(known)}
        for place, (known, lot) in enumerate(zip(knowers, lots, strict=True))
        if known or lot
    ]


def _round(s: SimpleNamespace) -> Dict:
    running = s.depth > 0
    return {
        "leader": PLAYERS[s.frame_seat[0]] if running else None,
        "number": s.rounds,
        "winning_total": s.winning_total,
        "stage": STAGES[s.frame_a[0]] if running else None,
        "step": s.frame_b[0] if running else None,
    }


def _frame(s: SimpleNamespace, place: int) -> Dict:
    decision = s.frame_decision[place]
    return {
        "decision": DECISION_NAMES[decision],
        "player": PLAYERS[s.frame_seat[place]],
        **write_details(s, FRAME_KEYS[decision], s.frame_a[place], s.frame_b[place], detail_codec),
    }
