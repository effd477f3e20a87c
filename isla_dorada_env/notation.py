"""Names of actions and decisions: the notation of tests, transcripts, logs and terminal play.

Ids name other players relative to the seat, names are absolute (section 2 of the decisions protocol). This module only
translates; whether an action is legal is not its business.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from isla_dorada_env.actions import ACTIONS, OFFSET
from isla_dorada_env.board import NUM_PLACES
from isla_dorada_env.components import DESTINY_NAMES
from isla_dorada_env.decisions import DECISION_NAMES, Decision, Stage
from isla_dorada_env.vocab import CARDS, PLACES, WAYS
from island_core import notation
from island_core.errors import NotationError
from island_core.layout import States
from island_core.notation import find_action, player_name

__all__ = ["NotationError", "action_name", "all_names", "bid_name", "decision_text", "parse", "player_name"]

MONSTERS = ("bigfoot", "leviathan")


class _Context(NamedTuple):
    """All of a position that names depend on."""

    players: int
    seat: int
    """Who decides."""


def bid_name(number: int) -> str:
    """A bid by its number (way x 19 + place): ``Hora-Pena jungle``."""
    return f"{PLACES[number % NUM_PLACES]} {WAYS[number // NUM_PLACES]}"


def _context(states: States, i: int) -> _Context | None:
    """What names depend on in a position; None once the game is over."""
    top = int(states["depth"][i]) - 1
    if top < 0:
        return None
    return _Context(int(states["num_players"][i]), int(states["frame_seat"][i][top]))


def _fixed_names() -> dict[int, str]:
    """The names that no position changes."""
    relative = ("juju", "rob", "choose")
    names = {}
    for block, start in zip(ACTIONS.blocks, OFFSET, strict=True):
        if block.name in relative:
            continue
        for rest in range(block.count):
            action = start + rest
            words = [arg.values[k] for arg, k in zip(block.args, ACTIONS.decode(action)[1], strict=True)]
            if block.name in ("bid", "join"):
                words.reverse()
            verb = block.name.split()[0] if block.name.startswith(("reject", "pay")) else block.name
            name = " ".join((verb, *words))
            names[action] = f"{name} with shaman" if block.name == "pay with shaman" else name
    for slot, destiny in enumerate(DESTINY_NAMES):
        if destiny is None:
            del names[OFFSET.reject_destiny + slot]
    return names


_FIXED = _fixed_names()


@lru_cache(maxsize=32)
def _names(context: _Context) -> dict[int, str]:
    """Every id that names something and its name. Callers must not change it."""
    names = dict(_FIXED)
    for distance in range(1, context.players):
        other = player_name((context.seat + distance) % context.players)
        names[OFFSET.juju + distance - 1] = f"juju {other}"
        names[OFFSET.rob + distance - 1] = f"rob {other}"
        names[OFFSET.choose + distance] = f"choose {other}"
    names[OFFSET.choose] = f"choose {player_name(context.seat)}"
    return dict(sorted(names.items()))


@lru_cache(maxsize=32)
def _ids(context: _Context) -> dict[str, int]:
    """Every name and its id, in the order of ids. Callers must not change it."""
    return {name: action for action, name in _names(context).items()}


@lru_cache(maxsize=32)
def _folded(context: _Context) -> dict[str, int]:
    """The same by lower-case names."""
    return {name.lower(): action for name, action in _ids(context).items()}


def action_name(states: States, i: int, action: int) -> str | None:
    """The name of an action for the seat that decides in position ``i``; None if the id names nothing there.

    Nothing is named by ids of players that do not play, by unused destinies, by spare ids and the no-op, and by any id
    once the game is over.
    """
    context = _context(states, i)
    return None if context is None else _names(context).get(int(action))


def all_names(states: States, i: int) -> dict[str, int]:
    """Every name that can be written in position ``i``, legal or not, and its id, in the order of ids."""
    context = _context(states, i)
    return {} if context is None else dict(_ids(context))


def parse(states: States, i: int, name: str) -> int:
    """The id of a name in position ``i``. Case and extra blanks do not matter; legality is not looked at.

    Raises `NotationError` for a text that names nothing there.
    """
    context = _context(states, i)
    ids = _ids(context) if context else {}
    folded = _folded(context) if context else {}
    return find_action(states, i, DECISION_NAMES, ids, folded, name)


def decision_text(states: States, i: int) -> str:
    """Who must decide what, in words that end with the protocol's name of the decision."""
    return notation.decision_text(states, i, DECISION_NAMES, f"{int(states['rounds'][i])} rounds", _matter)


def _matter(states: States, i: int, top: int) -> str:
    """What the top frame asks, as an infinitive."""
    decision = Decision(int(states["frame_decision"][i][top]))
    seat = int(states["frame_seat"][i][top])
    a, b = int(states["frame_a"][i][top]), int(states["frame_b"][i][top])
    camp = PLACES[int(states["camp"][i])]
    if decision in (Decision.AMOUNT, Decision.SHARE):
        return f"say the {decision.name.lower()} for {PLACES[a]} by {WAYS[b]}"
    if decision == Decision.PAY:
        return f"pay {a} more by {WAYS[int(states['bid_way'][i][seat])]}"
    if decision == Decision.VICTIM:
        return f"choose whom {CARDS[a]} robs"
    if decision == Decision.MONSTER:
        return f"choose where {MONSTERS[a]} goes"
    if decision == Decision.FIRST_PLAYER:
        return f"choose the first player of {CARDS[a]}"
    if decision == Decision.SECOND_PLAYER:
        return f"choose the second player of {CARDS[a]} after {player_name(b)}"
    if decision == Decision.PANDA:
        return f"discard {a} card{'' if a == 1 else 's'} to panda"
    if decision == Decision.DESTINY:
        dealt = int(states["frame_a"][i][0]) == Stage.SETUP
        return "reject one of two destinies" if dealt else "reject the destiny drawn with istwa or the old one"
    return {
        Decision.STARRED: "reject one of three starred treasures",
        Decision.BID: f"bid from {camp} or pass",
        Decision.OVETO: "end the bidding with oveto or let it go on",
        Decision.SANGAIA: f"play sangaia in {camp} or let it be",
        Decision.ONWARD: f"choose where the expedition goes on from {camp}",
        Decision.BONGO: f"play bongo in {camp} or let it be",
        Decision.TELEGRAM: f"reject one of {a} treasures of the telegram",
        Decision.DRAW: "draw a card",
        Decision.BUY: "buy a card for one gold or let it be",
        Decision.ANTIK: "reject one of two treasures of antik",
        Decision.HAND_LIMIT: f"discard down to ten cards from {int(states['hand_size'][i][seat])}",
    }[decision]
