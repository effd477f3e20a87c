"""A position in plain text, as a seat sees it or with all hands open, and events in words.

The text for a seat depends on nothing but what that seat may know: who is asked, and what, is shown to the one who is
asked alone, and of other hands only their sizes and the cards he is certain of.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dracheninsel_env.actions import ACTIONS
from dracheninsel_env.board import AXIAL, CELLS, FIRST_BOAT, SITE, SPACE_NAMES
from dracheninsel_env.components import CARD_NAMES, COINS, FIRST_SPLIT_SLOT
from dracheninsel_env.events import Event
from dracheninsel_env.notation import action_name, decision_text, dragon_place, player_name, target_name
from dracheninsel_env.state import REMOVED, RUNNING, STOCK
from dracheninsel_env.vocab import HUNTERS, SITE_LETTER, TASKS, TERRAIN_LETTERS, TERRAINS
from island_core.events import HIDDEN
from island_core.layout import States
from island_core.text import Line, counted, decision_part, events_part, members, piled, plural, styled, table, wrapped

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["event_text", "print_position", "render_text"]

HUNTER_LETTERS = "rygenb"
"""Hunter k as one letter in pictures of the board: red, yellow, green, grey (e), brown (n), blue."""
TREASURE_MARK = "$"
DRAGON_MARK = "!"

_TERRAIN_STYLES = ("red", "yellow", "green", "bright_black", "rgb(175,135,95)", "blue")
_HUNTER_STYLES = tuple(f"bold {style} reverse" for style in _TERRAIN_STYLES)
_LEGEND = (
    f"terrains: {', '.join(f'{letter} {name}' for letter, name in zip(TERRAIN_LETTERS, TERRAINS, strict=True))}; "
    f"{SITE_LETTER} site\n"
    f"hunters: {', '.join(f'{letter} {name}' for letter, name in zip(HUNTER_LETTERS, HUNTERS, strict=True))}; "
    f"{TREASURE_MARK} treasure, {DRAGON_MARK} dragon"
)


def render_text(states: States, i: int, seat: int | None = None, colour: bool = False) -> str:
    """Position ``i`` in plain text: as ``seat`` sees it, or with all hands open.

    With ``colour`` terrains and hunters carry the markup of rich.
    """
    parts = [_board_text(states, i, colour), _LEGEND, _table_text(states, i), _cards_text(states, i, seat)]
    parts.append(_turn_text(states, i))
    if states["outcome"][i] != RUNNING:
        parts.append(decision_text(states, i))
    elif seat is None or seat == states["frame_seat"][i][states["depth"][i] - 1]:
        parts.append(decision_part(states, i, ACTIONS, decision_text(states, i), action_name))
    parts.append(events_part(states, i, seat, event_text))
    return "\n\n".join(part for part in parts if part)


def print_position(console: Console, states: States, i: int, seat: int | None = None) -> None:
    """Print position ``i`` in colour on a console of rich."""
    console.print(render_text(states, i, seat, colour=True), highlight=False, soft_wrap=True)


# ---- The board -------------------------------------------------------------------------------------------------------

_PITCH = 6
"""Columns from one space to the next in its row."""
_MARGIN = 18
"""Columns left of the island: a row's letter and the boats in the west."""


def _columns() -> list[int]:
    """The column of each space: half a space to the east for every row south."""
    columns = [(2 * int(q) + int(r)) * _PITCH // 2 for q, r in AXIAL]
    west = min(columns[:CELLS])
    return [column - west + _MARGIN for column in columns]


_COLUMN = _columns()
_ROW = [int(r) for _, r in AXIAL]


def _board_text(states: States, i: int, colour: bool) -> str:
    """The hexagon with the boats around it, row by row; each space begins with its number."""
    at = states["at"][i].tolist()
    treasures = [place for place in states["treasure_at"][i].tolist() if place >= 0]
    dragons = states["dragon_at"][i].tolist()
    terrain = states["terrain"][i].tolist()
    lines = []
    for row in range(min(_ROW), max(_ROW) + 1):
        line = Line()
        spaces = sorted((space for space in range(len(_ROW)) if _ROW[space] == row), key=_COLUMN.__getitem__)
        cells = [space for space in spaces if space < CELLS]
        for space in spaces:
            here = [hunter for hunter in range(len(HUNTERS)) if at[hunter] == space]
            if space >= FIRST_BOAT:
                _write_boat(line, space, here, space in treasures, cells, colour)
                continue
            if space == cells[0]:
                letter = SPACE_NAMES[space][0]
                line.write(_COLUMN[space] - 2, letter, letter)
            number = SPACE_NAMES[space][1:]
            disc = SITE_LETTER if space == SITE else TERRAIN_LETTERS[terrain[space]]
            style = "bold" if space == SITE else _TERRAIN_STYLES[terrain[space]]
            marks = TREASURE_MARK * (space in treasures) + DRAGON_MARK * (space in dragons)
            plain = number + disc + _letters(here, False) + marks
            marked = styled(number, "dim", colour) + styled(disc, style, colour) + _letters(here, colour)
            line.write(_COLUMN[space], plain, marked + styled(marks, "bold", colour))
        lines.append(line.text)
    return "\n".join(lines)


def _letters(hunters: Sequence[int], colour: bool) -> str:
    """Hunters as letters."""
    return "".join(styled(HUNTER_LETTERS[hunter], _HUNTER_STYLES[hunter], colour) for hunter in hunters)


def _write_boat(line: Line, boat: int, here: list[int], treasure: bool, cells: list[int], colour: bool) -> None:
    """A boat by its name and who stands in it: ``red(r)``; west of the island it ends where its space is."""
    hunter = boat - FIRST_BOAT
    mark = TREASURE_MARK * treasure
    plain = f"{HUNTERS[hunter]}({_letters(here, False)}{mark})"
    name = styled(HUNTERS[hunter], _TERRAIN_STYLES[hunter], colour)
    column = _COLUMN[boat]
    if cells and column < _COLUMN[cells[0]]:
        column += _PITCH - 4 - len(plain)
    elif not cells:
        column -= (len(plain) - 2) // 2
    line.write(max(column, 0), plain, f"{name}({_letters(here, colour)}{mark})")


# ---- Players, cards, turn --------------------------------------------------------------------------------------------


def _table_text(states: States, i: int) -> str:
    """Treasures, and a line for each player: hunters, coins, hand."""
    running = states["outcome"][i] == RUNNING
    active = states["frame_seat"][i][0] if running else -1
    rows = [("", "player", "hunters", "cards", "money", "coins")]
    for seat in range(int(states["num_players"][i])):
        coins = states["coins"][i][seat].tolist()
        own = [HUNTERS[hunter] for hunter in states["hunters"][i][seat].tolist() if hunter >= 0]
        money = sum(number * int(value) for number, value in zip(coins, COINS, strict=True))
        shown = " ".join(f"{value}" for value, number in zip(COINS, coins, strict=True) for _ in range(number))
        mark = ">" if seat == active else ""
        rows.append((mark, player_name(seat), ", ".join(own), str(states["hand_size"][i][seat]), str(money), shown))
    return "\n\n".join([table(rows, right=(3, 4)), _treasures_text(states, i)])


def _treasures_text(states: States, i: int) -> str:
    """Where every treasure is."""
    at = states["at"][i].tolist()
    groups: dict[str, list[str]] = {}
    for value, place in zip(COINS.tolist(), states["treasure_at"][i].tolist(), strict=True):
        if place >= 0:
            carriers = " and ".join(HUNTERS[hunter] for hunter in range(len(HUNTERS)) if at[hunter] == place)
            where = "on the site" if place == SITE else f"{'on' if place < CELLS else 'in'} {SPACE_NAMES[place]}"
            groups.setdefault(where + (f" with {carriers}" if carriers else ""), []).append(str(value))
        else:
            word = {STOCK: "in stock", REMOVED: "removed"}.get(place, "collected")
            groups.setdefault(word, []).append(str(value))
    return wrapped("treasures: ", [f"{' '.join(values)} {where}" for where, values in groups.items()], "; ")


def _cards_text(states: States, i: int, seat: int | None) -> str:
    """Hands as far as they are known, and the open cards."""
    lines = []
    hands, sizes = states["hand"][i].tolist(), states["hand_size"][i].tolist()
    knowers = states["knowers"][i].tolist()
    for other in range(int(states["num_players"][i])):
        cards = hands[other][: sizes[other]]
        if seat is not None and other != seat:
            cards = [card for card, known in zip(cards, knowers[other], strict=False) if known >> seat & 1]
            if cards:
                lines.append(wrapped(f"certain of {player_name(other)}: ", counted(cards, CARD_NAMES)))
        else:
            lines.append(wrapped(f"hand of {player_name(other)}: ", counted(cards, CARD_NAMES)))
    for zone, name in (("table", "lying out"), ("discard", "discard")):
        lines.append(wrapped(f"{name}: ", counted(piled(states[zone][i].tolist()), CARD_NAMES)))
    lines.append(f"deck: {states['deck_size'][i]} cards")
    return "\n".join(lines)


def _turn_text(states: States, i: int) -> str:
    """The turn and its privileges."""
    if states["outcome"][i] != RUNNING:
        return ""
    active = int(states["frame_seat"][i][0])
    number = f"turn {int(states['turns'][i]) + 1} of {int(states['max_turns'][i])}: {player_name(active)}"
    parts = [f"{number}, {plural(int(states['acts'][i]), 'act')}"]
    mover, freed, alone = (int(states[name][i]) for name in ("mover", "freed", "left_alone"))
    if mover >= 0:
        parts.append(f"moving {HUNTERS[mover]}")
    if freed:
        parts.append(f"free {members(freed, TERRAINS)}")
    if alone:
        parts.append(f"may not leave {members(alone, HUNTERS)}")
    for slot, hunter in enumerate(states["hunters"][i][active].tolist()):
        if hunter >= 0:
            spaces = int(states["listed_cells"][i][slot]) | int(states["listed_boats"][i][slot]) << CELLS
            parts.append(f"listed for {HUNTERS[hunter]} {members(spaces, SPACE_NAMES)}")
    return wrapped("", parts, "; ")


# ---- Events ----------------------------------------------------------------------------------------------------------


def event_text(row: Any, seat: int | None = None) -> str:
    """One event ``(kind, seat, a, b, who sees a)`` in words as a seat sees it; with ``seat`` None all that is known."""
    kind, who, a, b, seen_by = (int(number) for number in row)
    seen = a != HIDDEN and (seat is None or bool(seen_by >> seat & 1))
    player = player_name(who)
    if kind in (Event.DRAW, Event.ROB, Event.GIVE_BACK):
        card = str(CARD_NAMES[a]) if seen else "a card"
        if kind == Event.DRAW:
            return f"{player} draws {card}"
        if kind == Event.ROB:
            return f"{player} takes {card} from {player_name(b)}"
        return f"{player} gives {card} back to {player_name(b)}"
    if kind in (Event.PAY, Event.DISCARD, Event.TAKE_BACK):
        verb = {Event.PAY: "pays {}", Event.DISCARD: "discards {}", Event.TAKE_BACK: "takes {} back"}[Event(kind)]
        return f"{player} {verb.format(CARD_NAMES[a])}"
    if kind == Event.TASK:
        return f"{player} plays {TASKS[b]}" + (f" ({CARD_NAMES[a]})" if a >= FIRST_SPLIT_SLOT else "")
    if kind in (Event.REMOVED, Event.LAID, Event.SHARE, Event.COINS):
        return _treasure_event(kind, player, int(COINS[a]), b)
    return _board_event(kind, player, a, b)


def _treasure_event(kind: int, player: str, value: int, number: int) -> str:
    """Events of a treasure."""
    if kind == Event.REMOVED:
        return f"the treasure {value} leaves the game"
    if kind == Event.LAID:
        return f"the treasure {value} is laid on the site"
    if kind == Event.SHARE:
        return f"{player} shares the treasure {value}"
    return f"{player} gets {plural(number, 'coin')} of {value}"


def _board_event(kind: int, player: str, a: int, b: int) -> str:
    """Events of hunters, discs, dragons and of the turn."""
    if kind == Event.TURN:
        return f"the turn of {player} begins"
    if kind == Event.SHUFFLE:
        return "the discard pile becomes the deck"
    if kind in (Event.STEP, Event.LAND):
        where = "the site" if b == SITE else SPACE_NAMES[b]
        return f"{player}: {HUNTERS[a]} {'walks to' if kind == Event.STEP else 'lands on'} {where}"
    if kind == Event.PAIR:
        return f"{player}: {HUNTERS[a]} and {HUNTERS[b]} are a pair"
    if kind == Event.HOME:
        return f"{player}: {HUNTERS[a]} goes home"
    if kind == Event.SWAP:
        return f"{player} swaps the discs of {SPACE_NAMES[a]} and {SPACE_NAMES[b]}"
    if kind == Event.DRAGON:
        return f"{player} moves a dragon from {dragon_place(a)} to {SPACE_NAMES[b]}"
    if kind == Event.ANNOUNCE:
        return f"{player} makes {TERRAINS[b]} free for the turn"
    if kind == Event.DECLARE:
        return f"{player} aims {TASKS[a]} at {target_name(a, b)}"
    if kind == Event.UNDO:
        return f"the act of {player} is undone"
    return f"the game ends{', truncated' if a else ''}"
