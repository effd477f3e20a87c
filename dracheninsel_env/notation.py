"""Names of actions and decisions: the notation of tests, transcripts, logs and terminal play.

Ids are relative to the seat and to where his hunters stand, names are absolute (section 2 of the decisions protocol).
This module only translates; whether an action is legal is not its business.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from dracheninsel_env.actions import ACTIONS, OFFSET, USES, use_name
from dracheninsel_env.board import CELLS, FIRST_BOAT, JUMP_TARGET, NEIGHBOUR, SPACE_NAMES
from dracheninsel_env.components import CARD_NAMES, CARD_SLOTS, COINS, TERRAIN_CARD_SLOTS
from dracheninsel_env.decisions import DECISION_NAMES, Decision
from dracheninsel_env.vocab import HUNTERS, TASKS, TERRAINS, Task
from island_core import notation
from island_core.errors import NotationError
from island_core.layout import States
from island_core.notation import find_action, player_name

__all__ = ["NotationError", "action_name", "all_names", "decision_text", "parse", "player_name"]

_PAYMENT_NAMES = ("free", *CARD_NAMES[:TERRAIN_CARD_SLOTS])


class _Context(NamedTuple):
    """All of a position that names depend on."""

    players: int
    seat: int
    """Who decides."""
    own: tuple[int, int]
    """The active player's hunters, -1 for none."""
    at: tuple[int, ...]
    """Space of each hunter, -1 if he stays out."""
    flying: int
    """The hunter that flies, -1 if nobody does."""


def _context(states: States, i: int) -> _Context | None:
    """What names depend on in a position; None once the game is over."""
    top = int(states["depth"][i]) - 1
    if top < 0:
        return None
    decisions, seats = states["frame_decision"][i], states["frame_seat"][i]
    first, second = states["hunters"][i][seats[0]].tolist()
    flying = int(states["frame_a"][i][top]) if decisions[top] == Decision.FLIGHT else -1
    at = tuple(states["at"][i].tolist())
    return _Context(int(states["num_players"][i]), int(seats[top]), (first, second), at, flying)


def _fixed_names() -> dict[int, str]:
    """The names that no position changes."""
    names = {OFFSET.stop: "stop", OFFSET.done: "done", OFFSET.let_be: "let be", OFFSET.share: "share"}
    names |= {OFFSET.play + use: use_name(use) for use, known in enumerate(USES) if known}
    names |= {OFFSET.discard + card: f"discard {CARD_NAMES[card]}" for card in range(CARD_SLOTS) if CARD_NAMES[card]}
    names |= {OFFSET.choose + cell: f"choose {SPACE_NAMES[cell]}" for cell in range(CELLS)}
    terrain_cards = range(TERRAIN_CARD_SLOTS)
    names |= {OFFSET.with_card + card: f"with {CARD_NAMES[card]}" for card in terrain_cards if CARD_NAMES[card]}
    names |= {OFFSET.announce + terrain: f"announce {name}" for terrain, name in enumerate(TERRAINS)}
    return names


_FIXED = _fixed_names()


def _movement(verb: str, target: int, payment: int) -> str | None:
    """``step d4 water``; None off the board or for a card the components file does not have."""
    paid = _PAYMENT_NAMES[payment]
    return f"{verb} {SPACE_NAMES[target]} {paid}" if target >= 0 and paid else None


def _name(context: _Context, action: int) -> str | None:
    """The name of an id, None if it names nothing."""
    if action in _FIXED:
        return _FIXED[action]
    if not 0 <= action < ACTIONS.used:
        return None
    block, arguments = ACTIONS.decode(action)
    if block.name == "step":
        slot, direction, payment = arguments
        hunter = context.own[slot]
        if hunter < 0:
            return None
        verb = f"step {HUNTERS[hunter]}" if context.players == 3 else "step"
        return _movement(verb, int(NEIGHBOUR[context.at[hunter], direction]), payment)
    if block.name == "fly":
        landing, payment = arguments
        if context.flying < 0:
            return None
        return _movement("fly", int(JUMP_TARGET[context.at[context.flying], landing]), payment)
    if block.name == "send home":
        (hunter,) = arguments
        return f"send home {HUNTERS[hunter]}" if context.at[hunter] >= 0 else None
    if block.name == "rob":
        distance = arguments[0] + 1
        victim = player_name((context.seat + distance) % context.players)
        return f"rob {victim}" if distance < context.players else None
    if block.name == "flyer":
        hunter = context.own[arguments[0]]
        return f"choose {HUNTERS[hunter]}" if hunter >= 0 else None
    return None  # an unused slot of a block


@lru_cache(maxsize=64)
def _ids(context: _Context) -> dict[str, int]:
    """Every name and its id, in the order of ids. Callers must not change it."""
    named = ((_name(context, action), action) for action in range(ACTIONS.used))
    return {name: action for name, action in named if name is not None}


def action_name(states: States, i: int, action: int) -> str | None:
    """The name of an action for the seat that decides in position ``i``; None if the id names nothing there.

    Nothing is named by ids off the board, of a hunter or card that does not exist, by spare ids and the no-op, by a
    landing while nobody flies, and by any id once the game is over.
    """
    context = _context(states, i)
    return None if context is None else _name(context, int(action))


def all_names(states: States, i: int) -> dict[str, int]:
    """Every name that can be written in position ``i``, legal or not, and its id, in the order of ids."""
    context = _context(states, i)
    return {} if context is None else dict(_ids(context))


def parse(states: States, i: int, name: str) -> int:
    """The id of a name in position ``i``. Upper case and extra blanks do not matter; legality is not looked at.

    Raises `NotationError` for a text that names nothing there.
    """
    context = _context(states, i)
    ids = _ids(context) if context else {}
    return find_action(states, i, DECISION_NAMES, ids, ids, name)


def dragon_place(place: int) -> str:
    """Where a dragon is."""
    return SPACE_NAMES[place] if place >= 0 else "outside"


def target_name(task: int, target: int) -> str:
    """What a task is aimed at: a hunter or a player."""
    return HUNTERS[target] if task == Task.FEAR_AND_TERROR else player_name(target)


def decision_text(states: States, i: int) -> str:
    """Who must decide what, in words that end with the protocol's name of the decision."""
    return notation.decision_text(states, i, DECISION_NAMES, f"{int(states['turns'][i])} turns", _matter)


def _matter(states: States, i: int, top: int) -> str:
    """What the top frame asks, as an infinitive."""
    decision = int(states["frame_decision"][i][top])
    active = player_name(int(states["frame_seat"][i][0]))
    a, b = int(states["frame_a"][i][top]), int(states["frame_b"][i][top])
    if decision == Decision.FLIGHT:
        return f"land the flight of {HUNTERS[a]}"
    if decision == Decision.EXIT:
        return f"leave the site with {HUNTERS[a]} and his partner"
    if decision == Decision.AMBUSH:
        return f"send home one of the carriers {HUNTERS[a]} ambushes on {SPACE_NAMES[int(states['at'][i][a])]}"
    if decision == Decision.FIRST_DISC:
        return f"choose the first disc for {TASKS[a]}"
    if decision == Decision.SECOND_DISC:
        return f"choose the disc to swap with {SPACE_NAMES[b]} for {TASKS[a]}"
    if decision == Decision.DRAGON_SPACE:
        return f"choose where the dragon from {dragon_place(int(states['dragon_at'][i][a]))} goes"
    if decision == Decision.JOURNEY_TERRAIN:
        return f"announce the terrain that {CARD_NAMES[a]} frees"
    if decision == Decision.SLUMBER:
        return f"answer the act of {active}"
    if decision == Decision.COUNTER:
        if a == Task.SWEET_SLUMBER:
            return f"answer sweet-slumber of {player_name(int(states['frame_seat'][i][top - 1]))}"
        return f"answer {TASKS[a]} on {target_name(a, b)}"
    if decision == Decision.BETRAYAL:
        treasure, boat = next((t, p) for t, p in enumerate(states["treasure_at"][i].tolist()) if p >= FIRST_BOAT)
        if a >= 0:
            return f"answer the betrayal of {player_name(a)} over the treasure {COINS[treasure]}"
        partner = player_name(int(states["owner"][i][b]))
        return f"settle the treasure {COINS[treasure]} in {SPACE_NAMES[boat]} with {partner}"
    return {
        Decision.TURN: "act or stop",
        Decision.FLYER: "choose who flies",
        Decision.DRAGON: "choose a dragon that moves",
        Decision.JOURNEY_CARD: "choose the card for long-journey",
        Decision.FEAR_TARGET: "choose the target of fear-and-terror",
        Decision.ROB_TARGET: "choose the target of sneak-attack",
        Decision.ASLEEP: "exchange cards or stop, put to sleep on the only act",
        Decision.EXCHANGE: "discard another card or be done",
    }[Decision(decision)]
