"""Writing: a record as a dict of names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from types import SimpleNamespace

from dracheninsel_env.board import CELLS, SITE, SPACE_NAMES
from dracheninsel_env.components import CARD_NAMES, COINS
from dracheninsel_env.convert.words import (
    EVENT_FORM,
    FRAME_KEYS,
    GAME,
    HUNTER,
    HUNTER_OR_NONE,
    SLOTS,
    SPACE,
    STAGES,
    TERRAIN,
    TREASURE_PLACE,
    VALUES,
    cell_names,
    detail_codec,
    no_undo,
)
from dracheninsel_env.decisions import DECISION_NAMES
from dracheninsel_env.options import read_options
from dracheninsel_env.state import STATE
from dracheninsel_env.vocab import HUNTERS, TERRAINS
from island_core.convert import OUTCOMES, PLAYERS, Dict, write_certain, write_counts, write_details
from island_core.layout import States
from island_core.reader import plain, write_generator


def to_dict(states: States, i: int) -> Dict:
    """Position ``i`` by names, complete and ready for JSON; `from_dict` gives the same record back, byte for byte."""
    s = plain(STATE, states, i)
    seats = {name: seat for seat, name in enumerate(PLAYERS[: s.num_players])}
    hands = [s.hand[seat][: s.hand_size[seat]] for seat in range(s.num_players)]
    return {
        "game": GAME,
        "options": asdict(read_options(states, i)),
        "seats": {name: [HUNTERS[h] for h in s.hunters[seat] if h >= 0] for name, seat in seats.items()},
        "discs": {SPACE_NAMES[cell]: TERRAINS[s.terrain[cell]] for cell in range(CELLS) if cell != SITE},
        "hunters": {name: SPACE_NAMES[s.at[h]] for h, name in enumerate(HUNTERS) if s.owner[h] >= 0},
        "treasures": _treasures(s.treasure_at),
        "dragons": cell_names(s.dragon_at),
        "coins": {
            name: [int(COINS[k]) for k, number in enumerate(s.coins[seat]) for _ in range(number)]
            for name, seat in seats.items()
        },
        "hands": {name: _cards(hands[seat]) for name, seat in seats.items()},
        "discard": write_counts(s.discard, CARD_NAMES),
        "table": write_counts(s.table, CARD_NAMES),
        "deck": _cards(s.deck[: s.deck_size][::-1]),
        "certain": write_certain(s.num_players, hands, s.knowers, CARD_NAMES),
        "turn": _turn(s),
        "stack": [_frame(s, place) for place in range(1, s.depth)],
        "undo": None if no_undo(s) else _undo(s),
        "outcome": OUTCOMES[s.outcome],
        "rng": write_generator(s.rng),
        "events": EVENT_FORM.write(s),
    }


def _cards(cards: Sequence[int]) -> list[str | None]:
    return [CARD_NAMES[card] for card in cards]


def _treasures(treasure_at: list[int]) -> Dict:
    return {VALUES[k]: TREASURE_PLACE.write(place) for k, place in enumerate(treasure_at)}


def _listed(cells: list[int], boats: list[int], names: Sequence[str]) -> Dict:
    """The lists of D4.6 by own hunter; an empty one is left out."""
    listed = {}
    for slot, name in enumerate(names):
        spaces = SPACE.write_set(cells[slot] | boats[slot] << CELLS)
        if spaces:
            listed[name] = spaces
    return listed


def _list_names(s: SimpleNamespace, own: bool) -> Sequence[str]:
    """What the two lists are called: by the active player's hunters, or first and second."""
    if not own:
        return SLOTS
    hunters = s.hunters[s.frame_seat[0]]
    return [HUNTERS[hunter] if hunter >= 0 else SLOTS[slot] for slot, hunter in enumerate(hunters)]


def _turn(s: SimpleNamespace) -> Dict:
    running = s.depth > 0
    turn: Dict = {
        "active": PLAYERS[s.frame_seat[0]] if running else None,
        "number": s.turns,
        "acts": s.acts,
        "mover": HUNTER_OR_NONE.write(s.mover),
        "freed": TERRAIN.write_set(s.freed),
        "left_alone": HUNTER.write_set(s.left_alone),
        "listed": _listed(s.listed_cells, s.listed_boats, _list_names(s, running)),
        "stage": STAGES[s.frame_a[0]] if running else None,
    }
    if running and s.frame_b[0] >= 0:
        turn["guest"] = HUNTERS[s.frame_b[0]]
    return turn


def _frame(s: SimpleNamespace, place: int) -> Dict:
    decision = s.frame_decision[place]
    return {
        "decision": DECISION_NAMES[decision],
        "player": PLAYERS[s.frame_seat[place]],
        **write_details(s, FRAME_KEYS[decision], s.frame_a[place], s.frame_b[place], detail_codec),
    }


def _undo(s: SimpleNamespace) -> Dict:
    return {
        "hunters": {name: SPACE_NAMES[s.undo_at[h]] for h, name in enumerate(HUNTERS) if s.undo_at[h] >= 0},
        "treasures": _treasures(s.undo_treasure_at),
        "dragons": cell_names(s.undo_dragon_at),
        "swap": cell_names(s.undo_swap) if s.undo_swap[0] != s.undo_swap[1] else [],
        "stolen": [
            {"card": CARD_NAMES[s.undo_stolen_card[k]], "from": PLAYERS[s.undo_stolen_seat[k]]}
            for k in range(s.undo_stolen)
        ],
        "discarded": _cards(s.undo_discarded_card[: s.undo_discarded]),
    }
