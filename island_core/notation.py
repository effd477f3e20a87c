"""What the notations of the games share: names of seats, finding a name, the complaint about one that is none."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence

from island_core.decisions import NATURAL, RUNNING
from island_core.errors import NotationError
from island_core.layout import States

_CLOSE = 4


def player_name(seat: int) -> str:
    """The name of a seat: ``player_0`` and so on."""
    return f"player_{seat}"


def decision_name(states: States, i: int, decisions: Sequence[str]) -> str:
    """The protocol's name of the decision on top; ``decisions`` are the names by number."""
    return decisions[int(states["frame_decision"][i][int(states["depth"][i]) - 1])]


def decision_text(
    states: States, i: int, decisions: Sequence[str], length: str, matter: Callable[[States, int, int], str]
) -> str:
    """Who must decide what, in words that end with the protocol's name of the decision.

    ``length`` is how long the game was, as in ``40 rounds``; ``matter(states, i, top)`` says what the top frame asks.
    """
    outcome = int(states["outcome"][i])
    if outcome != RUNNING:
        return "the game is over" if outcome == NATURAL else f"the game is over after {length}"
    top = int(states["depth"][i]) - 1
    asked = f"{matter(states, i, top)} ({decision_name(states, i, decisions)})"
    return f"{player_name(int(states['frame_seat'][i][top]))} must {asked}"


def find_action(
    states: States, i: int, decisions: Sequence[str], ids: Mapping[str, int], folded: Mapping[str, int], text: str
) -> int:
    """The id of a name. ``folded`` is ``ids`` with lower-case names: case and extra blanks do not matter.

    Raises `NotationError` for a text that names nothing, with what was understood of it and names like it; for any once
    the game is over.
    """
    if int(states["outcome"][i]) != RUNNING:
        raise NotationError(f"{text!r} names no action: the game is over, nothing is to be decided")
    action = folded.get(" ".join(text.lower().split()))
    if action is None:
        seat = int(states["frame_seat"][i][int(states["depth"][i]) - 1])
        where = f"{player_name(seat)} in {decision_name(states, i, decisions)!r}"
        raise NotationError(complaint(text, ids, where))
    return action


def complaint(text: str, ids: Mapping[str, int], where: str) -> str:
    """What was understood of a text, what may follow it, and names like it."""
    words = text.lower().split()
    split = [name.split() for name in ids]
    lower = [[word.lower() for word in name] for name in split]
    understood = 0
    while understood < len(words) and any(name[: understood + 1] == words[: understood + 1] for name in lower):
        understood += 1
    same = [number for number, name in enumerate(lower) if name[:understood] == words[:understood]]
    following = [split[k][understood] if len(split[k]) > understood else "" for k in same]
    allowed = ", ".join(word or "nothing more" for word in dict.fromkeys(following))
    said = " ".join(split[same[0]][:understood]) if understood else ""
    start = f"understood {said!r}, then" if understood else "at its start"
    message = f"{text!r} names no action for {where}: {start} allowed: {allowed}"
    by_lower = {name.lower(): name for name in ids}
    close = [by_lower[name] for name in difflib.get_close_matches(" ".join(words), list(by_lower), _CLOSE)]
    return f"{message}; close: {', '.join(close)}" if close else message
