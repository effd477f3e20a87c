"""The words of the dict form of a position: its keys, and the word for each number of the record."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from types import SimpleNamespace

import numpy as np

from dracheninsel_env.board import CELLS, SPACE_NAMES, SPACES
from dracheninsel_env.components import CARD_NAMES, COINS, COINS_EACH, COPIES
from dracheninsel_env.decisions import DECISION_NAMES, Decision, Stage
from dracheninsel_env.events import EVENTS, Event
from dracheninsel_env.state import COLLECTED, REMOVED, STATE, STOCK
from dracheninsel_env.vocab import HUNTERS, TASKS, TERRAINS, Task
from island_core.convert import NOTHING, OUTCOMES, EventForm, Names, Stock, player_codec
from island_core.reader import Codec, Given, one_of, or_none, whole_number, words

GAME = "dracheninsel"
STOLEN_MOST = 5
"""The cards an act can take from other hands."""
ANY_CELLS = (1 << CELLS) - 1
"""The bit set of all cells, in a set of spaces."""
SLOTS = ("first", "second")
"""What the lists of the active player's two hunters are called when nobody is active."""
STAGES = tuple(stage.name.lower().replace("_", " ") for stage in Stage)
VALUES = tuple(str(int(value)) for value in COINS)
"""Each treasure by the value of its coins, as a key."""

# ---- Keys

TURN_KEYS = ("active", "number", "acts", "mover", "freed", "left_alone", "listed", "stage", "guest")
UNDO_KEYS = ("hunters", "treasures", "dragons", "swap", "stolen", "discarded")
KEYS = (
    "game", "options", "seats", "discs", "hunters", "treasures", "dragons", "coins", "hands", "discard", "table",
    "deck", "certain", "turn", "stack", "undo", "outcome", "rng", "events",
)  # fmt: skip

FRAME_KEYS: dict[int, Names] = {
    Decision.FLYER: ("", ""),
    Decision.FLIGHT: ("hunter", ""),
    Decision.EXIT: ("hunter", ""),
    Decision.AMBUSH: ("hunter", ""),
    Decision.FIRST_DISC: ("task", ""),
    Decision.SECOND_DISC: ("task", "space"),
    Decision.DRAGON: ("", ""),
    Decision.DRAGON_SPACE: ("dragon", ""),
    Decision.JOURNEY_CARD: ("", ""),
    Decision.JOURNEY_TERRAIN: ("card", ""),
    Decision.FEAR_TARGET: ("", ""),
    Decision.ROB_TARGET: ("", ""),
    Decision.SLUMBER: ("", ""),
    Decision.COUNTER: ("task", "target"),
    Decision.ASLEEP: ("", ""),
    Decision.EXCHANGE: ("", ""),
    Decision.BETRAYAL: ("claimed_by", "guest"),
}
"""What details ``a`` and ``b`` of a frame above the bottom one are called."""

_EVENT_KEYS: dict[int, Names] = {
    Event.TURN: ("", ""),
    Event.DRAW: ("card", ""),
    Event.SHUFFLE: ("", ""),
    Event.PAY: ("card", ""),
    Event.TASK: ("card", "task"),
    Event.DISCARD: ("card", ""),
    Event.ROB: ("card", "victim"),
    Event.GIVE_BACK: ("card", "owner"),
    Event.TAKE_BACK: ("card", ""),
    Event.STEP: ("hunter", "space"),
    Event.LAND: ("hunter", "space"),
    Event.PAIR: ("hunter", "partner"),
    Event.HOME: ("hunter", ""),
    Event.SWAP: ("first", "second"),
    Event.DRAGON: ("from", "to"),
    Event.ANNOUNCE: ("", "terrain"),
    Event.REMOVED: ("treasure", ""),
    Event.LAID: ("treasure", ""),
    Event.DECLARE: ("task", "target"),
    Event.UNDO: ("", ""),
    Event.SHARE: ("treasure", ""),
    Event.COINS: ("treasure", "number"),
    Event.END: ("outcome", ""),
}
"""What details ``a`` and ``b`` of an event are called."""

_SEATLESS = (Event.SHUFFLE, Event.REMOVED, Event.LAID, Event.END)
"""Events without a player."""

# ---- Which decisions belong to whom and when

POLLS = (Decision.SLUMBER, Decision.COUNTER, Decision.BETRAYAL)
"""Decisions of others than the active player."""

STAGES_OF: dict[int, tuple[Stage, ...]] = {
    Decision.SLUMBER: (Stage.ACT_OVER, Stage.ARRIVED, Stage.DELIVERY),
    Decision.ASLEEP: (Stage.ENDED,),
    Decision.EXCHANGE: (Stage.ENDED,),
    Decision.BETRAYAL: (Stage.SETTLE,),
}
"""The stages in which a decision above the bottom frame may be pending; else the turn is idle."""

# ---- Words and numbers

SPACE = words(SPACE_NAMES, "a1 to i5 and boat-red to boat-blue, as in D1.3")
CELL = words(SPACE_NAMES[:CELLS], "a1 to i5, as in D1.3")
CELL_OR_OUTSIDE = or_none(CELL, "outside")
HUNTER = words(HUNTERS)
HUNTER_OR_NONE = or_none(HUNTER, None)
TERRAIN = words(TERRAINS)
CARD = words(CARD_NAMES)
TASK = words(TASKS)
TREASURE = one_of([int(value) for value in COINS])
STAGE = words(STAGES)
DECISION = words([name or None for name in DECISION_NAMES])
DECK = Stock("cards", COPIES.tolist(), CARD_NAMES, "hands, discard, table and deck")


def _treasure_place() -> Codec:
    off_board = {"stock": STOCK, "collected": COLLECTED, "removed": REMOVED}
    names = dict(enumerate(SPACE_NAMES)) | {place: word for word, place in off_board.items()}
    places = {name: place for place, name in names.items()}

    def read(given: Given) -> int:
        if isinstance(given.value, str) and given.value in places:
            return places[given.value]
        raise given.refusal("a space, stock, collected, removed")

    return Codec(REMOVED, SPACES - 1, names.__getitem__, read)


TREASURE_PLACE = _treasure_place()


@lru_cache(maxsize=8)
def _detail_codecs(players: int) -> dict[str, Codec]:
    player = player_codec(players)
    return {
        "": NOTHING,
        "hunter": HUNTER,
        "partner": HUNTER,
        "guest": HUNTER,
        "task": TASK,
        "card": CARD,
        "terrain": TERRAIN,
        "treasure": TREASURE,
        "space": SPACE,
        "first": CELL,
        "second": CELL,
        "to": CELL,
        "from": CELL_OR_OUTSIDE,
        "victim": player,
        "owner": player,
        "claimed_by": or_none(player, None),
        "number": whole_number(1, COINS_EACH),
        "outcome": words(OUTCOMES[1:]),
    }


def detail_codec(s: SimpleNamespace, name: str, a: int) -> Codec:
    """The codec of a detail of a frame or an event, whose detail ``a`` says what ``target`` is."""
    if name == "target":
        targets = {Task.FEAR_AND_TERROR: HUNTER, Task.SNEAK_ATTACK: player_codec(s.num_players)}
        return targets.get(Task(a), NOTHING)
    if name == "dragon":
        places = [CELL_OR_OUTSIDE.write(cell) for cell in s.dragon_at]
        return words(places, f"where a dragon is: {', '.join(dict.fromkeys(places))}")
    return _detail_codecs(s.num_players)[name]


EVENT_FORM = EventForm(EVENTS, _EVENT_KEYS, _SEATLESS, detail_codec)


# ---- Parts of a record that several rooms look at


def cell_names(cells: Sequence[int]) -> list[str]:
    """The names of cells; -1 is none."""
    return [SPACE_NAMES[cell] for cell in cells if cell >= 0]


_UNDO_FIELDS = tuple(field.name for field in STATE.fields if field.name.startswith("undo_"))


def no_undo(s: SimpleNamespace) -> bool:
    """Whether no act was begun in this game yet."""
    return not any(np.any(getattr(s, name)) for name in _UNDO_FIELDS)
