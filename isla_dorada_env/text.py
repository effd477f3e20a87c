"""A position in plain text, as a seat sees it or with all hands open, and events in words.

The text for a seat depends on nothing but what that seat may know: who is asked, and what, is shown to the one who is
asked alone, and of other hands only their sizes and the cards he is certain of. Once the game is over all destinies
are shown, since they count.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from isla_dorada_env.actions import ACTIONS, bid_number
from isla_dorada_env.board import DESTINATIONS, HOPS, NUM_PLACES, ROUTE_NAMES, ROUTE_SORT
from isla_dorada_env.components import (
    COORDINATES,
    CURSE_VALUES,
    DESTINY_CARD,
    DESTINY_KIND,
    DESTINY_MAX_POINTS,
    DESTINY_N,
    DESTINY_NAMES,
    DESTINY_PLACES,
    DESTINY_POINTS,
    DESTINY_SEA_POINTS,
    MARKERS,
    TREASURE_NAMES,
    TREASURE_VALUES,
)
from isla_dorada_env.decisions import Stage
from isla_dorada_env.events import Event
from isla_dorada_env.notation import MONSTERS, action_name, bid_name, decision_text, player_name
from isla_dorada_env.rules import engine
from isla_dorada_env.state import LAID, RUNNING
from isla_dorada_env.vocab import CARDS, PLACES, ROUTE_SORTS, ROUTE_WAYS, WAYS, Card, DestinyKind, Way
from island_core.events import HIDDEN
from island_core.layout import States
from island_core.text import (
    WIDTH,
    Line,
    counted,
    decision_part,
    events_part,
    members,
    piled,
    plural,
    styled,
    table,
    wrapped,
)

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["event_text", "print_position", "render_text"]

_SORT_STYLES = ("green", "yellow", "rgb(175,135,95)", "cyan", "blue", "bright_blue")
_CAMP_STYLE = "bold reverse"
_MARKER_STYLE = "bold"
_CLOSED_STYLE = "red"


def render_text(states: States, i: int, seat: int | None = None, colour: bool = False) -> str:
    """Position ``i`` in plain text: as ``seat`` sees it, or with all hands open.

    With ``colour`` the camp, the markers and the ways carry the markup of rich.
    """
    parts = [_map_text(states, i, colour), _ways_text(states, i, colour), _expedition_text(states, i)]
    parts += [_players_text(states, i), _hands_text(states, i, seat), _piles_text(states, i), _bids_text(states, i)]
    if states["outcome"][i] != RUNNING:
        parts.append(decision_text(states, i))
    elif seat is None or seat == states["frame_seat"][i][states["depth"][i] - 1]:
        parts.append(decision_part(states, i, ACTIONS, decision_text(states, i), action_name))
    parts.append(events_part(states, i, seat, event_text))
    return "\n\n".join(part for part in parts if part)


def print_position(console: Console, states: States, i: int, seat: int | None = None) -> None:
    """Print position ``i`` in colour on a console of rich."""
    console.print(render_text(states, i, seat, colour=True), highlight=False, soft_wrap=True)


# ---- The map ---------------------------------------------------------------------------------------------------------

_LABEL = max(map(len, PLACES)) + len("[] 16")
"""Columns that a place takes at most."""


def _layout() -> list[list[tuple[int, int]]]:
    """The places row by row from the north, each with its column."""
    east = max(int(x) for x, _ in COORDINATES) or 1
    rows: dict[int, list[tuple[int, int]]] = {}
    for place, (x, y) in enumerate(COORDINATES.tolist()):
        rows.setdefault(y, []).append((x * (WIDTH - _LABEL) // east, place))
    return [[(place, column) for column, place in sorted(rows[y])] for y in sorted(rows)]


_ROWS = _layout()


def _map_text(states: States, i: int, colour: bool) -> str:
    """The places where they lie; the camp in brackets, behind a place the number of its markers."""
    camp, markers = int(states["camp"][i]), states["markers"][i].tolist()
    lines = []
    for row in _ROWS:
        line = Line()
        for place, column in row:
            name = f"[{PLACES[place]}]" if place == camp else PLACES[place]
            number = str(markers[place]) if markers[place] else ""
            shown = styled(_literal(name, colour), _CAMP_STYLE if place == camp else "", colour)
            plain = f"{name} {number}".rstrip()
            start = column - 1 if place == camp and column else column
            if line.column and line.column >= start:
                line.write(line.column, " ", " ")
            line.write(start, plain, f"{shown} {styled(number, _MARKER_STYLE, colour)}".rstrip())
        lines.append(line.text)
    return "\n\n".join(lines)


def _literal(text: str, colour: bool) -> str:
    """A text that rich does not take for markup."""
    return text.replace("[", r"\[") if colour else text


def _ways_text(states: States, i: int, colour: bool) -> str:
    """The ways from the camp along routes, a line for each sort; of a closed one who closes it."""
    camp = int(states["camp"][i])
    by_sort: dict[int, list[tuple[int, str]]] = {}
    for way in ROUTE_WAYS:
        for place in range(NUM_PLACES):
            if int(DESTINATIONS[camp, way]) >> place & 1:
                hops = [hop for hop in HOPS[camp, way, place].tolist() if hop >= 0]
                by = [
                    monster
                    for monster, at in zip(MONSTERS, states["monster_at"][i].tolist(), strict=True)
                    if at in hops
                ]
                by_sort.setdefault(int(ROUTE_SORT[hops[0]]), []).append((place, by[0] if by else ""))
    width = max(map(len, ROUTE_SORTS))
    lines = [f"ways from {PLACES[camp]}, apart from flights:"]
    for sort, ways in sorted(by_sort.items()):
        named = [
            PLACES[place] + (styled(f" (closed by {monster})", _CLOSED_STYLE, colour) if monster else "")
            for place, monster in ways
        ]
        name = ROUTE_SORTS[sort]
        lines.append(f"  {styled(name, _SORT_STYLES[sort], colour)}{' ' * (width - len(name))}  {', '.join(named)}")
    return "\n".join(lines)


def _expedition_text(states: States, i: int) -> str:
    """How far the expedition is, and the monsters."""
    placed = int(states["markers"][i].sum())
    rounds, most = int(states["rounds"][i]), int(states["max_rounds"][i])
    parts = [f"{placed} of {MARKERS} markers", f"sea journeys {_sea_journeys(states, i)}"]
    parts.append(f"returns {int(states['returns'][i])}")
    if states["outcome"][i] == RUNNING:
        leader = player_name(int(states["frame_seat"][i][0]))
        parts[:0] = [f"round {rounds + 1} of at most {most}", f"{leader} leads (>)"]
    for monster, route in zip(MONSTERS, states["monster_at"][i].tolist(), strict=True):
        parts.append(f"{monster} {'on ' if route >= 0 else ''}{_where(route)}")
    last = int(states["last_route"][i])
    if last >= 0:
        parts.append(f"came by {ROUTE_NAMES[last]}")
    return wrapped("", parts, "; ")


def _sea_journeys(states: States, i: int) -> str:
    """0, 1 or ``2 or more``."""
    number = int(states["sea_journeys"][i])
    return f"{number} or more" if number == len(DESTINY_SEA_POINTS[0]) - 1 else str(number)


def _where(route: int) -> str:
    """The route where a monster stands."""
    return ROUTE_NAMES[route] if route >= 0 else "outside"


# ---- Players, cards, bids --------------------------------------------------------------------------------------------


def _players_text(states: States, i: int) -> str:
    """A line for each player: gold, the numbers of his cards, what he has laid, his points."""
    running = states["outcome"][i] == RUNNING
    leader = int(states["frame_seat"][i][0]) if running else -1
    points, keys = np.zeros(6, np.int64), np.zeros(6, np.int64)
    engine.standing(states, i, points, keys)
    rows: list[tuple[str, ...]] = [("", "player", "gold", "cards", "treasures", "laid", "curses", "laid", "points")]
    for seat in range(int(states["num_players"][i])):
        numbers = (
            states["gold"][i][seat],
            states["hand_size"][i][seat],
            len(_treasures(states, i, seat, laid=False)),
            sum(int(TREASURE_VALUES[treasure]) for treasure in _treasures(states, i, seat, laid=True)),
            len(_curses(states, i, seat)),
            sum(int(CURSE_VALUES[place]) for place in _curses(states, i, seat + LAID)),
            points[seat],
        )
        rows.append((">" if seat == leader else "", player_name(seat), *(str(int(number)) for number in numbers)))
    return table(rows, right=range(2, len(rows[0])))


def _treasures(states: States, i: int, seat: int, laid: bool, knower: int | None = None) -> list[int]:
    """The treasures a seat holds or has laid; with ``knower`` those that this other seat is certain of."""
    if laid:
        cards, seats = (states[field][i][: states["laid_total"][i]].tolist() for field in ("laid_card", "laid_seat"))
        return [card for card, owner in zip(cards, seats, strict=True) if owner == seat]
    start, end = states["treasure_start"][i][seat : seat + 2].tolist()
    cards, knowers = (states[field][i][start:end].tolist() for field in ("treasure_card", "treasure_knowers"))
    return [card for card, known in zip(cards, knowers, strict=True) if knower is None or known >> knower & 1]


def _curses(states: States, i: int, holder: int) -> list[int]:
    """The places of the curses a seat holds, or with ``LAID`` added to it has laid."""
    return [place for place, at in enumerate(states["curse_at"][i].tolist()) if at == holder]


def _hands_text(states: States, i: int, seat: int | None) -> str:
    """For each player his hands as far as they are known, what he has laid and what he has rejected."""
    lines = []
    for other in range(int(states["num_players"][i])):
        if seat is None or seat == other:
            parts = _own_cards(states, i, other)
        else:
            parts = _certain_cards(states, i, other, seat)
        if states["outcome"][i] != RUNNING:
            parts = [*(part for part in parts if part[0] != "destiny"), ("destiny", _destinies(states, i, other))]
        laid = _valued(_treasures(states, i, other, laid=True))
        curses = [f"{PLACES[place]} {CURSE_VALUES[place]}" for place in _curses(states, i, other + LAID)]
        parts += [("laid", laid), ("curses laid", curses)]
        name = player_name(other)
        for label, cards in parts:
            if cards:
                lines.append(wrapped(f"{name:{_NAME}}{label}: ", cards, indent=_NAME + 2))
                name = ""
    return "\n".join(lines)


_NAME = len(player_name(0)) + 2
"""Columns before the cards of a player."""


def _own_cards(states: States, i: int, seat: int) -> list[tuple[str, list[str]]]:
    """All that a player holds and knows of his own."""
    hand = states["hand"][i][seat][: states["hand_size"][i][seat]].tolist()
    curses = [f"{PLACES[place]} {CURSE_VALUES[place]}" for place in _curses(states, i, seat)]
    return [
        ("hand", counted(hand, CARDS)),
        ("treasures", _valued(_treasures(states, i, seat, laid=False))),
        ("curses", curses),
        ("destiny", _destinies(states, i, seat)),
        ("rejected", _rejected(states, i, seat)),
    ]


def _certain_cards(states: States, i: int, other: int, seat: int) -> list[tuple[str, list[str]]]:
    """What a seat is certain of in the hands of another one."""
    cards = states["hand"][i][other][: states["hand_size"][i][other]].tolist()
    known = [
        card for card, knowers in zip(cards, states["knowers"][i][other].tolist(), strict=False) if knowers >> seat & 1
    ]
    treasures = _treasures(states, i, other, laid=False, knower=seat)
    return [
        ("certain of", counted(known, CARDS) if known else []),
        ("certain of treasures", _valued(treasures)),
    ]


def _valued(treasures: list[int]) -> list[str]:
    """Treasures by name in the order of kinds, each with its points."""
    return [f"{TREASURE_NAMES[treasure]} {TREASURE_VALUES[treasure]}" for treasure in sorted(treasures)]


def _rejected(states: States, i: int, seat: int) -> list[str]:
    """The cards a player has rejected, as far as they have not come back; their order in the decks is not shown."""
    treasures = [int(states[field][i][seat]) for field in ("starred_rejected", "telegram_rejected")]
    treasures += _put_under(states, i, "treasure_deck", seat)
    destinies = _put_under(states, i, "destiny_deck", seat)
    return _valued([card for card in treasures if card >= 0]) + [str(DESTINY_NAMES[card]) for card in sorted(destinies)]


def _put_under(states: States, i: int, deck: str, seat: int) -> list[int]:
    """The cards of a deck that a seat has put there."""
    size = int(states[f"{deck}_size"][i])
    cards = zip(states[deck][i][:size].tolist(), states[f"{deck}_knowers"][i][:size].tolist(), strict=True)
    return [card for card, knowers in cards if knowers >> seat & 1]


def _destinies(states: States, i: int, seat: int) -> list[str]:
    """The destinies of a player with what they ask for; two while he chooses."""
    return [_destiny(destiny) for destiny in states["destiny"][i][seat].tolist() if destiny >= 0]


def _destiny(destiny: int) -> str:
    """``north lore (8 for Septris, Methritis, Rhobanis, Kamoptis)``."""
    kind, n = DestinyKind(int(DESTINY_KIND[destiny])), int(DESTINY_N[destiny])
    asked = {
        DestinyKind.VISIT_ALL: members(int(DESTINY_PLACES[destiny]), PLACES),
        DestinyKind.CARDS_IN_HAND_AT_END: f"each {CARDS[DESTINY_CARD[destiny]]} at the end, "
        f"at most {DESTINY_MAX_POINTS[destiny]}",
        DestinyKind.SEA_JOURNEYS: "no, one, more sea journeys",
        DestinyKind.DISTINCT_PLACES_AT_LEAST: f"{n} places",
        DestinyKind.MARKERS_ON_ONE_PLACE_AT_LEAST: f"{plural(n, 'marker')} on one place",
        DestinyKind.RETURNS_TO_BASE_AT_LEAST: plural(n, "return"),
    }[kind]
    points = str(DESTINY_POINTS[destiny])
    if kind == DestinyKind.SEA_JOURNEYS:
        points = ", ".join(map(str, DESTINY_SEA_POINTS[destiny].tolist()))
    return f"{DESTINY_NAMES[destiny]} ({points} for {asked})"


def _piles_text(states: States, i: int) -> str:
    """The cards that lie open, and the decks."""
    sizes = [
        f"{int(states[f'{name}_size'][i])} {words}"
        for name, words in (
            ("deck", "adventure cards"),
            ("treasure_deck", "treasures"),
            ("curse_deck", "curses"),
            ("destiny_deck", "destinies"),
        )
    ]
    return "\n".join(
        [
            wrapped("display: ", counted(piled(states["table"][i].tolist()), CARDS)),
            wrapped("discard: ", counted(piled(states["discard"][i].tolist()), CARDS)),
            wrapped("decks: ", sizes),
        ]
    )


def _bids_text(states: States, i: int) -> str:
    """The bids of this bidding, or what won it, who has passed since his last bid, and who is barred."""
    if states["outcome"][i] != RUNNING:
        return ""
    bids: dict[int, list[tuple[int, int]]] = {}
    for seat in states["bid_joined"][i].tolist():
        if seat >= 0 and states["bid_place"][i][seat] >= 0:
            number = bid_number(int(states["bid_way"][i][seat]), int(states["bid_place"][i][seat]))
            bids.setdefault(number, []).append((seat, int(states["bid_amount"][i][seat])))
    going_on = states["frame_a"][i][0] == Stage.BIDDING
    lines = []
    if states["cooperative"][i]:
        items = [
            f"{bid_name(number)} {sum(share for _, share in shares)} "
            f"({', '.join(f'{player_name(seat)} {share}' for seat, share in shares)})"
            for number, shares in bids.items()
        ]
    else:
        made = [(amount, seat, number) for number, shares in bids.items() for seat, amount in shares]
        items = [f"{player_name(seat)} {bid_name(number)} {amount}" for amount, seat, number in sorted(made)]
    if items:
        lines.append(wrapped("bids: " if going_on else "winning bid: ", items, "; "))
    names = [player_name(seat) for seat in range(6)]
    passed, barred = int(states["passed"][i]), int(states["barred"][i])
    if passed and going_on:
        lines.append(f"passed: {members(passed, names)}")
    if barred:
        lines.append(f"barred from bidding: {members(barred, names)}")
    return "\n".join(lines)


# ---- Events ----------------------------------------------------------------------------------------------------------


def event_text(row: Any, seat: int | None = None) -> str:
    """One event ``(kind, seat, a, b, who sees a)`` in words as a seat sees it; with ``seat`` None all that is known."""
    kind, who, a, b, seen_by = (int(number) for number in row)
    seen = a != HIDDEN and (seat is None or bool(seen_by >> seat & 1))
    return _WORDS[Event(kind)](player_name(who), a, b, seen)


Words = Callable[[str, int, int, bool], str]


def _treasure(treasure: int, seen: bool) -> str:
    return TREASURE_NAMES[treasure] if seen else "a treasure"


def _card(card: int, seen: bool) -> str:
    return CARDS[card] if seen else "a card"


def _named_destiny(destiny: int, seen: bool) -> str:
    return str(DESTINY_NAMES[destiny]) if seen else "a destiny"


def _play(player: str, card: int, barred: int, _: bool) -> str:
    return f"{player} plays {CARDS[card]}" + (f" against {player_name(barred)}" if card == Card.JUJU else "")


def _pay(player: str, card: int, gold: int, _: bool) -> str:
    return f"{player} pays {CARDS[card]}" + (f" and {gold} gold" if gold > 0 else "")


def _move(_: str, place: int, way: int, __: bool) -> str:
    return f"the expedition {'flies' if way == Way.FLIGHT else 'goes'} to {PLACES[place]}" + (
        "" if way == Way.FLIGHT else f" by {WAYS[way]}"
    )


def _monster(monster: int) -> Words:
    """Words of a monster that moves."""
    return lambda player, a, b, _: f"{player} moves {MONSTERS[monster]} from {_where(a)} to {_where(b)}"


_WORDS: dict[Event, Words] = {
    Event.TREASURE: lambda player, a, _, seen: f"{player} gets {_treasure(a, seen)}",
    Event.DESTINY: lambda player, a, _, seen: f"{player} gets {_named_destiny(a, seen)}",
    Event.CURSE: lambda player, a, _, seen: f"{player} gets {f'the curse of {PLACES[a]}' if seen else 'a curse'}",
    Event.REJECT_TREASURE: lambda player, a, _, seen: f"{player} rejects {_treasure(a, seen)}",
    Event.REJECT_DESTINY: lambda player, a, _, seen: f"{player} rejects {_named_destiny(a, seen)}",
    Event.DEAL: lambda player, a, _, seen: f"{player} is dealt {_card(a, seen)}",
    Event.ROUND: lambda player, *_: f"a round begins, {player} leads",
    Event.BID: lambda player, a, b, _: f"{player} bids {bid_name(a)} {b}",
    Event.JOIN: lambda player, a, b, _: f"{player} joins {bid_name(a)} with {b}",
    Event.RAISE: lambda player, a, b, _: f"{player} raises his share in {bid_name(a)} to {b}",
    Event.PASS: lambda player, *_: f"{player} passes",
    Event.PLAY: _play,
    Event.WINNER: lambda player, a, b, _: f"{bid_name(a)} {b} wins, {player} leads",
    Event.STAY: lambda *_: "nobody has bid, the expedition stays",
    Event.PAY: _pay,
    Event.SHAMAN: lambda player, _, b, __: f"{player} turns {CARDS[b]} with shaman",
    Event.SAIL: lambda _, a, *__: f"a sea journey: {ROUTE_NAMES[a]}",
    Event.MOVE: _move,
    Event.MARKER: lambda _, a, b, __: f"a marker is placed on {PLACES[a]}, number {b} there",
    Event.RETURN: lambda *_: "the expedition is back in the base",
    Event.CURSE_LAID: lambda player, a, *_: f"{player} lays the curse of {PLACES[a]}",
    Event.TREASURE_LAID: lambda player, a, *_: f"{player} lays {TREASURE_NAMES[a]}",
    Event.TELEGRAM: lambda _, __, b, ___: f"the telegram of marker {b} arrives",
    Event.DRAW: lambda player, a, _, seen: f"{player} draws {_card(a, seen)}",
    Event.BUY: lambda player, *_: f"{player} pays 1 gold for another card",
    Event.TAKE: lambda player, a, *_: f"{player} takes {CARDS[a]} from the display",
    Event.REFILL: lambda _, a, *__: f"{CARDS[a]} is laid into the display",
    Event.SHUFFLE: lambda *_: "the discard pile becomes the deck",
    Event.LIGHTNING: lambda player, a, *_: f"lightning: {CARDS[a]} for {player}",
    Event.ROB: lambda player, a, b, seen: f"{player} takes {_card(a, seen)} from {player_name(b)}",
    Event.LOOT: lambda player, a, b, seen: f"{player} takes {_treasure(a, seen)} from {player_name(b)}",
    Event.BIGFOOT: _monster(0),
    Event.LEVIATHAN: _monster(1),
    Event.CHOOSE: lambda player, a, b, _: f"{player} chooses {player_name(b)} for {CARDS[a]}",
    Event.DISCARD: lambda player, a, *_: f"{player} discards {CARDS[a]}",
    Event.END: lambda _, a, *__: f"the game ends{', truncated' if a else ''}",
}
