"""The oracle: Die Dracheninsel a second time, in slow and plain Python, written from the rules document alone.

It shares no code with the kernels it is compared with, only the words and the contents of the box. Rule ids (`D4.6`)
are those of docs/rules/dracheninsel.md, `P5` is section 5 of docs/rules/dracheninsel-decisions.md. `READING` marks a
place where the documents leave something open.

    oracle = Oracle.from_dict(position)
    while oracle.actor:
        oracle.step(name, chance)           # name out of oracle.legal()

All names are words: spaces, hunters, terrains, tasks and cards; seats are numbers inside, `player_2` outside.
`python -m tests.dracheninsel.oracle --games 5` plays random games of its own and checks invariants.
"""

import argparse
import copy
import random
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

from dracheninsel_env.components import CARD_NAMES, COINS, COMPONENTS, COPIES, DRAGONS, HAND_SIZE
from dracheninsel_env.vocab import CELL_NAMES, HUNTERS, ROW_LENGTHS, ROWS, TASKS, TERRAINS

SITE = "e5"
BOATS = tuple(f"boat-{hunter}" for hunter in HUNTERS)
SPACES = (*CELL_NAMES, *BOATS)
LAND = tuple(cell for cell in CELL_NAMES if cell != SITE)
"""The 60 terrain spaces (D1.1)."""

OWN_TERRAIN = dict(zip(HUNTERS, TERRAINS, strict=True))  # D1.2
CARDS = tuple(name for name in CARD_NAMES if name is not None)
VALUES = tuple(int(value) for value in COINS)
TAN = TASKS[:8]
VERBS = {"sweet-slumber": "sleep", "counterspell": "counter", "betrayal": "betray"}
EVERYBODY = frozenset(range(6))
OPEN_ENDS = ("stock", "collected", "removed")
"""Where a treasure is that is not on the board."""

Event = tuple[str, int, int, int, frozenset[int]]
"""Kind, seat, a, b, who sees a; -1 is unused (docs/dracheninsel/events.md)."""


def _adjacency() -> dict[str, set[str]]:
    """Who touches whom: the cells from the lengths of the rows, the boats from their landings (D1.1, D1.3)."""
    place = {}
    for y, (row, length) in enumerate(zip(ROWS, ROW_LENGTHS, strict=True)):
        for number in range(length):
            place[f"{row}{number + 1}"] = (2 * number - (length - 1), y)  # half spaces from the middle of the row
    near: dict[str, set[str]] = {space: set() for space in SPACES}
    for one, (x, y) in place.items():
        for other, (x2, y2) in place.items():
            if (abs(x - x2), abs(y - y2)) in ((2, 0), (1, 1)):
                near[one].add(other)
    for boat in COMPONENTS.boats:
        for landing in boat.landings:  # D5.5
            near[f"boat-{HUNTERS[boat.hunter]}"].add(landing)
            near[landing].add(f"boat-{HUNTERS[boat.hunter]}")
    return near


NEAR = _adjacency()
LANDINGS = {space for boat in BOATS for space in NEAR[boat]}


CARD_NUMBERS = {name: number for number, name in enumerate(CARD_NAMES) if name}


def card_number(card: str) -> int:
    """Number of a card kind in the action table."""
    return CARD_NUMBERS[card]


def shows(card: str) -> list[str]:
    """What a card shows: one or two terrains, or one or two tasks."""
    return card.split("/")


def is_terrain_card(card: str) -> bool:
    return shows(card)[0] in TERRAINS


def use_name(task: str, card: str) -> str:
    """The action of using a card for a task (P2)."""
    verb = VERBS.get(task, f"play {task}")
    return f"{verb} ({card})" if "/" in card else verb


def without(hand: list[str], card: str) -> list[str]:
    rest = list(hand)
    rest.remove(card)
    return rest


def player_name(seat: int) -> str:
    return f"player_{seat}"


def seat_number(player: str) -> int:
    return int(player.removeprefix("player_"))


class OracleError(Exception):
    """Something happened that the rules do not allow."""


class Chance(Protocol):
    """The random outcomes of one step, in the order in which the rules need them."""

    def stolen(self, victim: int) -> str: ...
    def shuffled(self) -> list[str]: ...
    def done(self) -> None: ...


class RecordedChance:
    """Outcomes that happened elsewhere: ("stolen", victim's seat, card) and ("shuffled", cards with the top first)."""

    def __init__(self, outcomes: Iterable[tuple[Any, ...]] = ()) -> None:
        self.outcomes = deque(outcomes)

    def _next(self, kind: str) -> tuple[Any, ...]:
        if not self.outcomes:
            raise OracleError(f"the rules need an outcome '{kind}', but no more was recorded")
        outcome = self.outcomes.popleft()
        if outcome[0] != kind:
            raise OracleError(f"the rules need an outcome '{kind}', recorded was {outcome}")
        return outcome

    def stolen(self, victim: int) -> str:
        _, seat, card = self._next("stolen")
        if seat != victim:
            raise OracleError(f"a card of {player_name(victim)} is due, recorded was one of {player_name(seat)}")
        return str(card)

    def shuffled(self) -> list[str]:
        return list(self._next("shuffled")[1])

    def done(self) -> None:
        if self.outcomes:
            raise OracleError(f"outcomes that the rules do not need: {list(self.outcomes)}")


@dataclass
class Frame:
    """One pending decision above the bottom one (P1) and what it is about; unused details are empty or -1."""

    decision: str
    seat: int
    hunter: str = ""
    """Who exits, ambushes or flies; the target of fear; the guest in a duel."""
    space: str = ""
    """The first disc; the dragon that moves."""
    task: str = ""
    """The task being carried out or answered."""
    card: str = ""
    """The card of a long journey."""
    answered: int = -1
    """Counter: whose card is answered."""
    player: int = -1
    """The robbed player; who claimed both coins last."""
    arrival: bool = False
    """Slumber: the act was a lone arrival on the site."""


@dataclass
class Before:
    """What an effective slumber restores (P8), and what the act took from hands."""

    at: dict[str, str]
    treasures: list[str]
    discs: dict[str, str]
    dragons: list[str]
    freed: set[str]
    mover: str | None
    listed: dict[str, set[str]]
    left_alone: set[str]
    stolen: list[tuple[int, str]] = field(default_factory=list)
    discarded: list[str] = field(default_factory=list)


@dataclass
class Oracle:
    """A position, and everything the rules say about it."""

    num_players: int
    polls_all: bool
    slumber_on_arrival: bool
    max_turns: int
    layout: str
    hunters: list[list[str]]
    """The hunters of each seat."""
    owner: dict[str, int]
    discs: dict[str, str]
    at: dict[str, str]
    treasures: list[str]
    """Space, `stock`, `collected` or `removed` of each treasure."""
    dragons: list[str]
    coins: list[Counter[int]]
    hands: list[list[str]]
    deck: list[str]
    """The top card first."""
    discard: Counter[str]
    table: Counter[str]
    certain: list[list[Counter[str]]]
    """certain[p][q]: cards that p is certain of in q's hand."""
    active: int
    turns: int
    """Turns finished."""
    acts: int
    mover: str | None
    freed: set[str]
    left_alone: set[str]
    listed: dict[str, set[str]]
    outcome: str = "running"
    stack: list[Frame] = field(default_factory=list)
    """The frames above `turn`."""
    before: Before | None = None
    delivering: tuple[str, str] | None = None
    """Boat's hunter and guest while their treasure is in the boat."""
    events: list[Event] = field(default_factory=list)
    chance: Chance | None = None

    # ---- Dict form ---------------------------------------------------------------------------------------------------

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Oracle":
        """Read a complete position with no frame above `turn` (docs/dracheninsel/position.md).

        There nothing can be undone any more, so `undo` is left aside.
        """
        if data.get("stack"):
            raise OracleError("the oracle starts only from positions without frames above `turn`")
        options, turn = data["options"], data["turn"]
        seats = range(options["num_players"])
        names = [player_name(seat) for seat in seats]
        hunters = [list(data["seats"][name]) for name in names]
        owner = {hunter: seat for seat in seats for hunter in hunters[seat]}
        certain = [[Counter(data.get("certain", {}).get(p, {}).get(q, ())) for q in names] for p in names]
        active = seat_number(turn["active"])
        return cls(
            num_players=options["num_players"],
            polls_all=options["polls"] == "all",
            slumber_on_arrival=bool(options["slumber_on_arrival"]),
            max_turns=options["max_turns"],
            layout=options.get("layout", "standard"),
            hunters=hunters,
            owner=owner,
            discs={space: data["discs"][space] for space in LAND},
            at={hunter: data["hunters"][hunter] for hunter in HUNTERS if hunter in owner},
            treasures=[data["treasures"][str(value)] for value in VALUES],
            dragons=list(data.get("dragons", ())),
            coins=[Counter(data.get("coins", {}).get(name, ())) for name in names],
            hands=[list(data["hands"].get(name, ())) for name in names],
            deck=list(data["deck"]),
            discard=Counter(data.get("discard", {})),
            table=Counter(data.get("table", {})),
            certain=certain,
            active=active,
            turns=turn["number"],
            acts=turn["acts"],
            mover=turn.get("mover"),
            freed=set(turn.get("freed", ())),
            left_alone=set(turn.get("left_alone", ())),
            listed={hunter: set(turn["listed"][hunter]) for hunter in hunters[active]},
            outcome=data.get("outcome", "running"),
        )

    def to_dict(self) -> dict[str, Any]:
        """Write the position in the form of `from_dict`, without `rng`, `events` and `undo`."""
        seats = range(self.num_players)
        stack = []
        for frame in self.stack:  # READING: the names of a frame's details are not documented
            unused = vars(Frame(frame.decision, frame.seat))
            details = {key: value for key, value in vars(frame).items() if value != unused[key]}
            stack.append({"decision": frame.decision, "player": player_name(frame.seat), **details})
        return {
            "game": "dracheninsel",
            "options": {
                "num_players": self.num_players,
                "polls": "all" if self.polls_all else "holders",
                "layout": self.layout,
                "slumber_on_arrival": self.slumber_on_arrival,
                "max_turns": self.max_turns,
            },
            "seats": {player_name(seat): list(self.hunters[seat]) for seat in seats},
            "discs": dict(self.discs),
            "hunters": dict(self.at),
            "treasures": {str(value): place for value, place in zip(VALUES, self.treasures, strict=True)},
            "dragons": list(self.dragons),
            "coins": {player_name(seat): sorted(self.coins[seat].elements()) for seat in seats},
            "hands": {player_name(seat): self.sorted_cards(self.hands[seat]) for seat in seats},
            "discard": {card: self.discard[card] for card in CARDS if self.discard[card]},
            "table": {card: self.table[card] for card in CARDS if self.table[card]},
            "deck": list(self.deck),
            "certain": {
                player_name(p): {
                    player_name(q): self.sorted_cards(self.certain[p][q].elements()) for q in seats if q != p
                }
                for p in seats
            },
            "turn": {
                "active": player_name(self.active),
                "number": self.turns,
                "acts": self.acts,
                "mover": self.mover,
                "freed": sorted(self.freed, key=TERRAINS.index),
                "left_alone": sorted(self.left_alone, key=HUNTERS.index),
                "listed": {hunter: sorted(spaces, key=SPACES.index) for hunter, spaces in self.listed.items()},
                "stage": "idle",  # READING: other values are not documented
            },
            "stack": stack,
            "outcome": self.outcome,
        }

    def copy(self) -> "Oracle":
        return copy.deepcopy(self)

    # ---- What is known -----------------------------------------------------------------------------------------------

    @staticmethod
    def sorted_cards(cards: Iterable[str]) -> list[str]:
        return sorted(cards, key=card_number)

    def public(self) -> dict[str, Any]:
        """Everything everybody sees. The pending decision is not part of it: polls are secret (D8.11)."""
        form = self.to_dict()
        del form["hands"], form["deck"], form["certain"], form["stack"], form["turn"]["stage"]
        form["dragons"] = sorted(self.dragons, key=SPACES.index)
        form["hand_sizes"] = {player_name(seat): len(hand) for seat, hand in enumerate(self.hands)}
        form["deck_size"] = len(self.deck)
        if self.outcome != "running":  # nothing about a turn is left
            form["turn"] = {"number": self.turns}
        return form

    def private(self, player: str) -> dict[str, Any]:
        """What this player alone knows: his hand, and the cards he is certain of in other hands."""
        return {
            "hand": self.sorted_cards(self.hands[seat_number(player)]),
            "certain": self.to_dict()["certain"][player],
        }

    def scores(self) -> list[int]:
        return [sum(coins.elements()) for coins in self.coins]

    def ranking_key(self, seat: int) -> tuple[int, list[int]]:
        """The larger, the better; equal keys share the place (D10.2)."""
        return self.scores()[seat], sorted(self.coins[seat].elements(), reverse=True)

    # ---- Where things are --------------------------------------------------------------------------------------------

    def standing(self, space: str) -> list[str]:
        return [hunter for hunter in HUNTERS if self.at.get(hunter) == space]

    def treasure_on(self, space: str) -> int | None:
        return self.treasures.index(space) if space in self.treasures else None

    def partner(self, hunter: str) -> str | None:
        """The other one of the pair he is in: two hunters share a cell only as carriers (D7.2)."""
        others = [other for other in self.standing(self.at[hunter]) if other != hunter]
        return others[0] if others and self.at[hunter] not in BOATS else None

    def is_lone_carrier(self, hunter: str) -> bool:
        """D6.6: left with a treasure on a terrain space."""
        space = self.at[hunter]
        return space in self.discs and self.treasure_on(space) is not None and self.partner(hunter) is None

    def is_empty(self, space: str) -> bool:
        """D8.1, D8.2: no hunter and no dragon."""
        return not self.standing(space) and space not in self.dragons

    def cards_for(self, hand: list[str], task: str) -> list[str]:
        """The kinds of card in a hand that carry a task (D2.4)."""
        return [card for card in self.sorted_cards(set(hand)) if task in shows(card)]

    # ---- Which moves are legal (D5, D7, P5) --------------------------------------------------------------------------

    def price(self, hunter: str, space: str, hand: list[str]) -> list[str]:
        """The payments for a space: `free` alone, or the cards that can pay."""
        if space not in self.discs:  # D5.1: boats and the site; whether they may be entered is asked elsewhere
            return ["free"]
        terrain, own = self.discs[space], OWN_TERRAIN[hunter]
        if terrain == own or terrain in self.freed:  # D5.1, D8.5
            return ["free"]
        return [card for card in self.sorted_cards(set(hand)) if {terrain, own} & set(shows(card))]  # D5.2

    def pair_may_enter(self, hunter: str, partner: str, space: str) -> bool:
        """P5.3. The carriers themselves are never in the way: an exit is also judged before they have met (D6.3)."""
        if space in BOATS:
            return space in (f"boat-{hunter}", f"boat-{partner}")  # D6.8: whoever stands there
        if space == SITE or space in self.dragons:  # D6.5, D7.1
            return False
        return not set(self.standing(space)) - {hunter, partner}  # D7.2, D7.3

    def lone_may_enter(self, hunter: str, space: str, hand: list[str]) -> bool:
        """P5.3; the hand is what is left when he has arrived."""
        there = self.standing(space)
        if space in BOATS:
            return space == f"boat-{hunter}" and not there  # D5.1, D7.6
        if space == SITE:
            if not there:
                return True
            # D6.2, D6.3; without a treasure there is room for one (D6.4)
            return self.treasure_on(SITE) is not None and self.exit_exists(hunter, there[0], hand)
        if space in self.dragons:  # D7.1
            return False
        return not there or self.treasure_on(space) is not None  # empty; a lone carrier (D6.6) or a pair (D7.4)

    def exit_exists(self, hunter: str, partner: str, hand: list[str]) -> bool:
        """D6.3: on foot, or by a flight card in this hand."""
        if self.moves_from(SITE, hunter, partner, hand, flying=False, listed=set()):
            return True
        flights = [without(hand, card) for card in self.cards_for(hand, "daring-flight")]
        return any(self.moves_from(SITE, hunter, partner, rest, flying=True) for rest in flights)

    def landings(self, start: str) -> set[str]:
        """D8.4: the neighbours of a jumped space that are neither the start nor adjacent to it."""
        found = set()
        for jumped in NEAR[start]:
            if jumped not in self.dragons:
                found |= NEAR[jumped] - {start} - NEAR[start]
        return found

    def moves_from(
        self, start: str, hunter: str, partner: str | None, hand: list[str], flying: bool, listed: Iterable[str] = ()
    ) -> list[tuple[str, str]]:
        """The legal (space, payment) of a hunter, or a pair, that starts from a space."""
        moves = []
        for space in sorted(self.landings(start) if flying else NEAR[start], key=SPACES.index):
            if partner is not None:
                enterable = self.pair_may_enter(hunter, partner, space)
            else:
                enterable = self.lone_may_enter(hunter, space, hand)
            if enterable:
                prices = self.price(hunter, space, hand)
                moves += [(space, price) for price in prices if price != "free" or space not in listed]
        return moves

    def moves(self, hunter: str, hand: list[str], flying: bool) -> list[tuple[str, str]]:
        """The legal (space, payment) of an own hunter who stands where he stands."""
        alone = self.partner(hunter) is None
        if alone and self.at[hunter] == SITE and self.treasure_on(SITE) is not None:  # D6.1: he waits
            return []
        if self.is_lone_carrier(hunter) and hunter in self.left_alone:  # D6.7
            return []
        # D4.6: a flight plays a card and a lone carrier abandons his treasure: both restart the list first.
        listed = set() if flying or self.is_lone_carrier(hunter) else self.listed[hunter]
        return self.moves_from(self.at[hunter], hunter, self.partner(hunter), hand, flying, listed)

    def movers(self) -> list[str]:
        """The own hunters that may move in this turn as far as D9.2 is concerned."""
        return [self.mover] if self.mover else self.hunters[self.active]

    # ---- Decisions ---------------------------------------------------------------------------------------------------

    @property
    def top(self) -> Frame:
        return self.stack[-1] if self.stack else Frame("turn", self.active)

    @property
    def seat(self) -> int:
        """Who decides, -1 when the game is over."""
        return self.top.seat if self.outcome == "running" else -1

    @property
    def actor(self) -> str | None:
        return player_name(self.seat) if self.outcome == "running" else None

    @property
    def decision(self) -> str:
        """The protocol's name of the decision, empty when the game is over."""
        return self.top.decision if self.outcome == "running" else ""

    @property
    def act_to_undo(self) -> Before | None:
        """What was before the act that goes on, or whose slumber window is open; none if nothing of it is decided."""
        in_act = self.decision not in ("", "turn", "betrayal", "asleep", "exchange")
        return self.before if in_act else None

    def legal(self) -> set[str]:
        return set(self.menu())

    def step(self, name: str, chance: Chance) -> None:
        """Carry out an action, and everything that follows without a further decision."""
        menu = self.menu()
        if name not in menu:
            raise OracleError(f"'{name}' is not legal in '{self.decision}' of {self.actor}: {sorted(menu)}")
        self.events, self.chance = [], chance
        menu[name]()
        chance.done()
        self.chance = None

    def menu(self) -> dict[str, Callable[[], None]]:
        """Every legal action by name, with what it does."""
        if self.outcome != "running":
            return {}
        decision = self.top.decision.replace(" ", "_")
        menu: dict[str, Callable[[], None]] = getattr(self, f"menu_{decision}")()
        return menu

    def _steps(self, hunter: str) -> dict[str, Callable[[], None]]:
        who = f"{hunter} " if self.num_players == 3 else ""
        moves = self.moves(hunter, self.hands[self.active], flying=False)
        return {f"step {who}{space} {price}": partial(self.do_step, hunter, space, price) for space, price in moves}

    def _uses(self, task: str, do: Callable[[str, str], None]) -> dict[str, Callable[[], None]]:
        """The ways in which the deciding seat can play a task."""
        cards = self.cards_for(self.hands[self.seat], task)
        return {use_name(task, card): partial(do, task, card) for card in cards}

    def _discards(self) -> dict[str, Callable[[], None]]:
        return {f"discard {card}": partial(self.do_discard, card) for card in self.hands[self.active]}

    def menu_acts(self) -> dict[str, Callable[[], None]]:
        """The legal acts of the active player (D4.1)."""
        menu = {}
        hand = self.hands[self.active]
        for hunter in self.movers():
            menu.update(self._steps(hunter))
        for task in TAN:
            for card in self.cards_for(hand, task):
                if self.can_begin(task, without(hand, card)):
                    menu[use_name(task, card)] = partial(self.do_play, task, card)
        return menu

    def menu_turn(self) -> dict[str, Callable[[], None]]:
        menu = {**self.menu_acts(), "stop": self.end_turn}
        if self.acts == 0:  # D4.5
            menu.update(self._discards())
        return menu

    def can_begin(self, task: str, rest: list[str]) -> bool:
        """D4.1: whether a task could be carried out with the rest of the hand."""
        if task in ("destroying-forces", "raging-elements"):
            return bool(self.swaps(task))
        if task == "dragon-patrol":
            return bool(self.dragon_spaces())
        if task == "daring-flight":
            return any(self.moves(hunter, rest, flying=True) for hunter in self.movers())
        if task == "long-journey":
            return any(is_terrain_card(card) for card in rest)
        if task == "fear-and-terror":
            return bool(self.fear_targets())
        if task == "sneak-attack":
            return bool(self.rob_targets())
        return True  # D8.3: a curse always

    def swaps(self, task: str) -> dict[str, list[str]]:
        """D8.1: for each space whose disc can be swapped, those it can be swapped with."""
        empty = [space for space in LAND if self.is_empty(space)]
        found = {}
        for one in empty:
            near = [other for other in empty if other in NEAR[one]] if task == "destroying-forces" else empty
            others = [other for other in near if self.discs[other] != self.discs[one]]
            if others:
                found[one] = others
        return found

    def dragon_spaces(self) -> list[str]:
        return [space for space in LAND if self.is_empty(space) and space not in LANDINGS]  # D8.2

    def fear_targets(self) -> list[str]:
        return [hunter for hunter, space in self.at.items() if space != f"boat-{hunter}"]  # D8.6

    def rob_targets(self) -> list[int]:
        return [seat for seat, hand in enumerate(self.hands) if hand and seat != self.active]  # D8.7

    def menu_flyer(self) -> dict[str, Callable[[], None]]:
        hand = self.hands[self.active]
        hunters = [hunter for hunter in self.hunters[self.active] if self.moves(hunter, hand, flying=True)]
        return {f"choose {hunter}": partial(self.do_choose_flyer, hunter) for hunter in hunters}

    def menu_flight(self) -> dict[str, Callable[[], None]]:
        hunter = self.top.hunter
        moves = self.moves(hunter, self.hands[self.active], flying=True)
        return {f"fly {space} {price}": partial(self.do_fly, hunter, space, price) for space, price in moves}

    def menu_exit(self) -> dict[str, Callable[[], None]]:
        menu = self._steps(self.top.hunter)
        hand = self.hands[self.active]
        for card in self.cards_for(hand, "daring-flight"):
            if self.moves(self.top.hunter, without(hand, card), flying=True):
                menu[use_name("daring-flight", card)] = partial(self.do_exit_flight, card)
        return menu

    def menu_ambush(self) -> dict[str, Callable[[], None]]:
        carriers = [hunter for hunter in self.standing(self.at[self.top.hunter]) if hunter != self.top.hunter]
        return {f"send home {hunter}": partial(self.do_ambush, hunter) for hunter in carriers}

    def menu_first_disc(self) -> dict[str, Callable[[], None]]:
        return {f"choose {space}": partial(self.do_first_disc, space) for space in self.swaps(self.top.task)}

    def menu_second_disc(self) -> dict[str, Callable[[], None]]:
        spaces = self.swaps(self.top.task)[self.top.space]
        return {f"choose {space}": partial(self.do_second_disc, space) for space in spaces}

    def menu_dragon(self) -> dict[str, Callable[[], None]]:
        return {f"choose {space}": partial(self.do_dragon, space) for space in self.dragons}

    def menu_dragon_space(self) -> dict[str, Callable[[], None]]:
        return {f"choose {space}": partial(self.do_dragon_space, space) for space in self.dragon_spaces()}

    def menu_journey_card(self) -> dict[str, Callable[[], None]]:
        cards = [card for card in self.hands[self.active] if is_terrain_card(card)]
        return {f"with {card}": partial(self.do_with, card) for card in cards}

    def announceable(self, card: str) -> list[str]:
        """D8.5: the terrains a card can name."""
        jokers_of = self.mover
        if jokers_of is None and self.num_players > 3:
            jokers_of = self.hunters[self.active][0]
        if jokers_of is not None and OWN_TERRAIN[jokers_of] in shows(card):
            return list(TERRAINS)
        return shows(card)

    def menu_journey_terrain(self) -> dict[str, Callable[[], None]]:
        terrains = self.announceable(self.top.card)
        return {f"announce {terrain}": partial(self.do_announce, terrain) for terrain in terrains}

    def menu_fear_target(self) -> dict[str, Callable[[], None]]:
        return {f"send home {hunter}": partial(self.do_fear, hunter) for hunter in self.fear_targets()}

    def menu_rob_target(self) -> dict[str, Callable[[], None]]:
        return {f"rob {player_name(seat)}": partial(self.do_rob, seat) for seat in self.rob_targets()}

    def menu_slumber(self) -> dict[str, Callable[[], None]]:
        return {**self._uses("sweet-slumber", self.do_sleep), "let be": self.do_not_sleep}

    def menu_counter(self) -> dict[str, Callable[[], None]]:
        return {**self._uses("counterspell", self.do_counter), "let be": self.do_not_counter}

    def menu_asleep(self) -> dict[str, Callable[[], None]]:
        return {**self._discards(), "stop": self.end_turn}

    def menu_exchange(self) -> dict[str, Callable[[], None]]:
        return {**self._discards(), "done": self.end_turn}

    def menu_betrayal(self) -> dict[str, Callable[[], None]]:
        menu = self._uses("betrayal", self.do_betray)
        if self.top.player == -1:
            menu["share"] = self.share
        else:
            menu["let be"] = partial(self.claim, self.top.player)
        return menu

    # ---- Events and cards --------------------------------------------------------------------------------------------

    def event(self, kind: str, seat: int = -1, a: int = -1, b: int = -1, seers: Iterable[int] = EVERYBODY) -> None:
        self.events.append((kind, seat, a, b, frozenset(seers)))

    def leaves_openly(self, seat: int, card: str) -> None:
        """A card leaves a hand and everybody sees it: what is known about the hand shrinks by this card."""
        self.hands[seat].remove(card)
        for observer in range(self.num_players):
            self._one_less(observer, seat, card)

    def _one_less(self, observer: int, seat: int, card: str) -> None:
        if self.certain[observer][seat][card] > 0:
            self.certain[observer][seat][card] -= 1

    def changes_hands(self, giver: int, taker: int, card: str) -> None:
        """A card goes from hand to hand unseen by the others, who are no longer certain of anything in the first."""
        self.hands[giver].remove(card)
        for observer in range(self.num_players):
            if observer not in (giver, taker):
                self.certain[observer][giver].clear()
        self._one_less(taker, giver, card)
        self.hands[taker].append(card)
        self.certain[giver][taker][card] += 1

    def play_task(self, seat: int, task: str, card: str) -> None:
        self.leaves_openly(seat, card)
        self.table[card] += 1  # D4.3
        self.event("task", seat, card_number(card), TASKS.index(task))

    def pay(self, card: str) -> None:
        self.leaves_openly(self.active, card)
        self.table[card] += 1  # D4.3
        self.event("pay", self.active, card_number(card))
        self.restart_lists(self.hunters[self.active])

    def put_away(self, seat: int, card: str) -> None:
        self.leaves_openly(seat, card)
        self.discard[card] += 1
        self.event("discard", seat, card_number(card))

    def steal(self, victim: int) -> None:
        assert self.chance is not None and self.before is not None
        card = self.chance.stolen(victim)
        if card not in self.hands[victim]:
            raise OracleError(f"{card} was stolen from {player_name(victim)}, who holds {self.hands[victim]}")
        self.changes_hands(victim, self.active, card)
        self.before.stolen.append((victim, card))
        self.event("rob", self.active, card_number(card), victim, (self.active, victim))

    def draw(self, seat: int) -> None:
        assert self.chance is not None
        if not self.deck:  # D4.4
            deck = self.chance.shuffled()
            if Counter(deck) != +self.discard:
                raise OracleError(f"shuffled were {sorted(deck)}, the discard is {sorted(self.discard.elements())}")
            self.deck, self.discard = deck, Counter()
            self.event("shuffle")
        card = self.deck.pop(0)
        self.hands[seat].append(card)
        self.event("draw", seat, card_number(card), seers=(seat,))

    # ---- Acts --------------------------------------------------------------------------------------------------------

    def restart_lists(self, hunters: Iterable[str]) -> None:
        """D4.6: the lists of these hunters hold only where they stand; other players' hunters have none."""
        for hunter in hunters:
            if self.owner[hunter] == self.active:
                self.listed[hunter] = {self.at[hunter]}

    def comes_to(self, hunter: str, space: str) -> None:
        self.at[hunter] = space
        if self.owner[hunter] == self.active:
            self.listed[hunter].add(space)  # D4.6

    def send_home(self, hunter: str) -> None:
        self.comes_to(hunter, f"boat-{hunter}")  # D7.5
        self.event("home", self.active, HUNTERS.index(hunter))

    def remove_treasure(self, treasure: int) -> None:
        self.treasures[treasure] = "removed"
        self.event("removed", a=treasure)

    def _before(self) -> Before:
        return Before(
            at=dict(self.at),
            treasures=list(self.treasures),
            discs=dict(self.discs),
            dragons=list(self.dragons),
            freed=set(self.freed),
            mover=self.mover,
            listed={hunter: set(spaces) for hunter, spaces in self.listed.items()},
            left_alone=set(self.left_alone),
        )

    def begin_act(self) -> None:
        self.acts += 1
        self.before = self._before()

    def do_step(self, hunter: str, space: str, price: str) -> None:
        if self.stack:  # an exit, part of the act that led to the site (D6.3)
            self.stack.pop()
        else:
            self.begin_act()
        self.move(hunter, space, price, "step")

    def do_fly(self, hunter: str, space: str, price: str) -> None:
        self.stack.pop()
        self.move(hunter, space, price, "land")

    def move(self, hunter: str, space: str, price: str, kind: str) -> None:
        """P6."""
        assert self.before is not None
        start, partner = self.at[hunter], self.partner(hunter)
        if price != "free":
            self.pay(price)
        if self.is_lone_carrier(hunter):  # D6.7
            treasure = self.treasure_on(start)
            assert treasure is not None
            self.remove_treasure(treasure)
            self.restart_lists([hunter])
        if self.mover is None:  # D9.2
            self.mover = hunter
        there = self.standing(space)
        self.comes_to(hunter, space)
        self.event(kind, self.active, HUNTERS.index(hunter), SPACES.index(space))
        if partner is not None:
            self.comes_to(partner, space)
            treasure = self.treasure_on(start)
            assert treasure is not None
            self.treasures[treasure] = space
            if start == SITE:
                self.lay_next()
            if space in BOATS:  # D6.8
                guest = partner if space == f"boat-{hunter}" else hunter
                self.delivering = space.removeprefix("boat-"), guest
            self.act_over()
        elif space == SITE and self.treasure_on(SITE) is not None:
            if there:  # D6.2, D6.3
                self.form_pair(hunter, there[0])
                self.stack.append(Frame("exit", self.active, hunter))
            elif self.slumber_on_arrival:
                self.poll_slumber(1, arrival=True)
            else:  # D6.1
                self.end_turn()
        elif space in self.discs and len(there) == 2:  # D7.4
            self.stack.append(Frame("ambush", self.active, hunter))
        else:
            if space in self.discs and there:  # D6.6
                self.form_pair(hunter, there[0])
            self.act_over()

    def form_pair(self, hunter: str, partner: str) -> None:
        self.event("pair", self.active, HUNTERS.index(hunter), HUNTERS.index(partner))
        self.restart_lists([hunter, partner])

    def lay_next(self) -> None:
        if "stock" in self.treasures:  # D6.4
            treasure = self.treasures.index("stock")
            self.treasures[treasure] = SITE
            self.event("laid", a=treasure)

    def do_ambush(self, carrier: str) -> None:
        hunter = self.stack.pop().hunter
        self.send_home(carrier)
        partner = self.partner(hunter)
        assert partner is not None
        self.form_pair(hunter, partner)
        self.act_over()

    def do_exit_flight(self, card: str) -> None:
        self.play_task(self.active, "daring-flight", card)
        self.restart_lists(self.hunters[self.active])
        # The frame of the exit has done its work: landing ends the act like a step would.
        self.stack[-1] = Frame("flight", self.active, self.top.hunter, task="daring-flight")

    def do_play(self, task: str, card: str) -> None:
        self.begin_act()
        self.play_task(self.active, task, card)
        self.restart_lists(self.hunters[self.active])
        if task == "evil-curse":
            self.curse()
            return
        hunter = ""
        decision = {
            "destroying-forces": "first disc",
            "raging-elements": "first disc",
            "dragon-patrol": "dragon" if len(self.dragons) == DRAGONS else "dragon space",  # D8.2
            "daring-flight": "flight",
            "long-journey": "journey card",
            "fear-and-terror": "fear target",
            "sneak-attack": "rob target",
        }[task]
        if task == "daring-flight":
            if self.num_players == 3 and self.mover is None:
                decision = "flyer"
            else:
                hunter = self.movers()[0]
        self.stack.append(Frame(decision, self.active, hunter, task=task))

    def curse(self) -> None:
        """D8.3."""
        assert self.before is not None
        for card in self.sorted_cards(self.hands[self.active]):
            self.put_away(self.active, card)
            self.before.discarded.append(card)
        for offset in range(1, self.num_players):
            victim = (self.active + offset) % self.num_players
            for _ in range(2 if self.num_players == 3 else 1):
                if self.hands[victim]:
                    self.steal(victim)
        self.act_over()

    def do_choose_flyer(self, hunter: str) -> None:
        self.stack[-1] = Frame("flight", self.active, hunter, task="daring-flight")

    def do_first_disc(self, space: str) -> None:
        self.stack[-1] = Frame("second disc", self.active, space=space, task=self.top.task)

    def do_second_disc(self, space: str) -> None:
        first = self.stack.pop().space
        self.discs[first], self.discs[space] = self.discs[space], self.discs[first]
        self.event("swap", self.active, SPACES.index(first), SPACES.index(space))
        self.act_over()

    def do_dragon(self, space: str) -> None:
        self.stack[-1] = Frame("dragon space", self.active, space=space, task=self.top.task)

    def do_dragon_space(self, space: str) -> None:
        old = self.stack.pop().space
        if old:
            self.dragons[self.dragons.index(old)] = space
        else:
            self.dragons.append(space)
        self.event("dragon", self.active, SPACES.index(old) if old else -1, SPACES.index(space))
        self.act_over()

    def do_with(self, card: str) -> None:
        self.stack.pop()
        self.pay(card)
        if len(terrains := self.announceable(card)) == 1:
            self.free(terrains[0])
        else:
            self.stack.append(Frame("journey terrain", self.active, task="long-journey", card=card))

    def do_announce(self, terrain: str) -> None:
        self.stack.pop()
        self.free(terrain)

    def free(self, terrain: str) -> None:
        self.freed.add(terrain)
        self.event("announce", self.active, b=TERRAINS.index(terrain))
        self.act_over()

    def do_fear(self, hunter: str) -> None:
        self.stack.pop()
        self.event("declare", self.active, TASKS.index("fear-and-terror"), HUNTERS.index(hunter))
        self.poll_counter(1, Frame("counter", -1, hunter, task="fear-and-terror", answered=self.active))

    def fear(self, hunter: str) -> None:
        """D8.6."""
        space, partner, alone = self.at[hunter], self.partner(hunter), self.is_lone_carrier(hunter)
        treasure = self.treasure_on(space)
        self.send_home(hunter)
        if alone and treasure is not None:
            self.remove_treasure(treasure)
        if partner is not None and partner in self.hunters[self.active]:  # D6.7; the state table: own hunters
            self.left_alone.add(partner)
        self.act_over()

    def do_rob(self, victim: int) -> None:
        self.stack.pop()
        self.event("declare", self.active, TASKS.index("sneak-attack"), victim)
        self.poll_counter(1, Frame("counter", -1, task="sneak-attack", answered=self.active, player=victim))

    def rob(self, victim: int) -> None:
        self.steal(victim)  # D8.7
        self.act_over()

    def act_over(self) -> None:
        """P6, the end."""
        if not self.ended():
            self.poll_slumber(1)

    def ended(self) -> bool:
        """D10.1: end the game if no treasure is left on the board or in stock."""
        if any(place not in ("collected", "removed") for place in self.treasures):
            return False
        self.finish("natural")
        return True

    def finish(self, outcome: str) -> None:
        # READING: what lies out stays on the table when the game ends by itself; no turn has ended.
        self.outcome, self.stack = outcome, []
        self.event("end", a=0 if outcome == "natural" else 1)

    # ---- Windows (D8.8-D8.11) ----------------------------------------------------------------------------------------

    def is_polled(self, seat: int, task: str) -> bool:
        return self.polls_all or bool(self.cards_for(self.hands[seat], task))  # D8.11

    def poll_slumber(self, offset: int, arrival: bool = False) -> None:
        """Ask the seat this far to the left of the active player, or the next one that holds a slumber."""
        for further in range(offset, self.num_players):
            seat = (self.active + further) % self.num_players
            if self.is_polled(seat, "sweet-slumber"):
                self.stack.append(Frame("slumber", seat, arrival=arrival))
                return
        if arrival:
            self.end_turn()
        elif self.delivering:
            self.deliver()
        else:
            self.open_turn()

    def go_on_with_slumber(self) -> None:
        frame = self.stack.pop()
        self.poll_slumber((frame.seat - self.active) % self.num_players + 1, frame.arrival)

    def do_not_sleep(self) -> None:
        self.go_on_with_slumber()

    def do_sleep(self, task: str, card: str) -> None:
        sleeper = self.seat
        self.play_task(sleeper, task, card)
        self.poll_counter(1, Frame("counter", -1, task=task, answered=sleeper))

    def poll_counter(self, offset: int, frame: Frame) -> None:
        """Ask the seat this far to the left of the answered one, or the next one that holds a counterspell."""
        for further in range(offset, self.num_players):
            seat = (frame.answered + further) % self.num_players
            if self.is_polled(seat, "counterspell"):
                frame.seat = seat
                self.stack.append(frame)
                return
        if frame.task == "fear-and-terror":
            self.fear(frame.hunter)
        elif frame.task == "sneak-attack":
            self.rob(frame.player)
        else:
            self.fall_asleep()

    def do_not_counter(self) -> None:
        frame = self.stack.pop()
        self.poll_counter((frame.seat - frame.answered) % self.num_players + 1, frame)

    def do_counter(self, task: str, card: str) -> None:
        self.play_task(self.seat, task, card)
        frame = self.stack.pop()
        if frame.task == "sweet-slumber":
            self.go_on_with_slumber()  # D8.9
        else:
            self.act_over()

    def fall_asleep(self) -> None:
        """An effective slumber: undo, then the end of the turn (D8.9, D8.10, P8)."""
        assert self.before is not None
        before = self.before
        self.stack = []
        self.event("undo", self.active)
        self.at, self.treasures, self.discs, self.dragons = before.at, before.treasures, before.discs, before.dragons
        self.freed, self.mover, self.left_alone = before.freed, before.mover, before.left_alone
        self.listed, self.delivering = before.listed, None
        for victim, card in before.stolen:
            if card in self.hands[self.active]:
                self.changes_hands(self.active, victim, card)
                self.event("give back", self.active, card_number(card), victim, (self.active, victim))
        for card in before.discarded:
            self.discard[card] -= 1
            self.hands[self.active].append(card)
            for observer in range(self.num_players):
                if observer != self.active:
                    self.certain[observer][self.active][card] += 1
            self.event("take back", self.active, card_number(card))
        self.before = None
        if self.acts == 1 and self.hands[self.active]:  # D4.5
            self.stack = [Frame("asleep", self.active)]
        else:
            self.end_turn()

    # ---- Delivery (D6.8, D9.3) ---------------------------------------------------------------------------------------

    def deliver(self) -> None:
        assert self.delivering is not None
        host, guest = (self.owner[hunter] for hunter in self.delivering)
        if host == guest:
            # READING: D9.3 is no sharing, so there is no event `share`.
            self.claim(host)
        else:
            self.ask_betrayal(host, -1)

    def ask_betrayal(self, seat: int, claimer: int) -> None:
        """Ask one of the two whether he claims both coins; the claimer is who did so last."""
        assert self.delivering is not None
        if self.is_polled(seat, "betrayal"):
            self.stack.append(Frame("betrayal", seat, self.delivering[1], player=claimer))
        elif claimer == -1:
            self.share()
        else:
            self.claim(claimer)

    def do_betray(self, task: str, card: str) -> None:
        assert self.delivering is not None
        seat = self.stack[-1].seat
        self.play_task(seat, task, card)
        self.stack.pop()
        host, guest = (self.owner[hunter] for hunter in self.delivering)
        self.ask_betrayal(guest if seat == host else host, seat)

    def share(self) -> None:
        assert self.delivering is not None
        host, guest = (self.owner[hunter] for hunter in self.delivering)
        treasure = self.treasure_on(f"boat-{self.delivering[0]}")
        assert treasure is not None
        self.event("share", host, treasure)
        self.pay_out(treasure, {host: 1, guest: 1})

    def claim(self, seat: int) -> None:
        assert self.delivering is not None
        treasure = self.treasure_on(f"boat-{self.delivering[0]}")
        assert treasure is not None
        self.pay_out(treasure, {seat: 2})

    def pay_out(self, treasure: int, numbers: dict[int, int]) -> None:
        self.stack = []
        self.treasures[treasure], self.delivering = "collected", None
        for seat, number in numbers.items():
            self.coins[seat][VALUES[treasure]] += number
            self.event("coins", seat, treasure, number)
        if not self.ended():
            self.end_turn()

    # ---- Turns (D4, P7) ----------------------------------------------------------------------------------------------

    def do_discard(self, card: str) -> None:
        """D4.5: one card of an exchange, also after a slumber."""
        self.put_away(self.active, card)
        if self.hands[self.active]:
            self.stack = [Frame("exchange", self.active)]
        else:
            self.end_turn()

    def open_turn(self) -> None:
        """Ask the active player for an act, unless the turn is over (D4.2)."""
        self.stack = []
        if not self.menu_acts() and (self.acts > 0 or not self.hands[self.active]):
            self.end_turn()

    def end_turn(self) -> None:
        self.stack = []
        self.discard += self.table  # D4.3
        self.table = Counter()
        while len(self.hands[self.active]) < HAND_SIZE:
            self.draw(self.active)
        self.turns += 1
        if self.turns == self.max_turns:  # D4.7
            self.finish("truncated")
            return
        self.active = (self.active + 1) % self.num_players
        self.acts, self.mover, self.freed, self.left_alone, self.before = 0, None, set(), set(), None
        self.listed = {hunter: {self.at[hunter]} for hunter in self.hunters[self.active]}
        self.event("turn", self.active)
        self.open_turn()


# ---- Self-check ------------------------------------------------------------------------------------------------------


class RandomChance:
    """Outcomes drawn as they are needed, and recorded."""

    def __init__(self, oracle: Oracle, rng: random.Random) -> None:
        self.oracle, self.rng = oracle, rng
        self.outcomes: list[tuple[Any, ...]] = []

    def stolen(self, victim: int) -> str:
        card = self.rng.choice(self.oracle.hands[victim])
        self.outcomes.append(("stolen", victim, card))
        return card

    def shuffled(self) -> list[str]:
        deck = list(self.oracle.discard.elements())
        self.rng.shuffle(deck)
        self.outcomes.append(("shuffled", tuple(deck)))
        return deck

    def done(self) -> None:
        pass


def simple_start(num_players: int, rng: random.Random, **options: Any) -> dict[str, Any]:
    """A game's start of our own, for the self-check; discs anywhere (D3)."""
    if num_players == 3:
        seats = [["red", "grey"], ["yellow", "brown"], ["green", "blue"]]
    else:
        out = {4: {"red", "grey"}, 5: {rng.choice(HUNTERS)}, 6: set()}[num_players]
        seats = [[hunter] for hunter in HUNTERS if hunter not in out]
    names = [player_name(seat) for seat in range(num_players)]
    discs = [terrain for terrain in TERRAINS for _ in range(10)]
    deck = [card for card in CARDS for _ in range(int(COPIES[card_number(card)]))]
    rng.shuffle(discs)
    rng.shuffle(deck)
    hands = {name: [deck.pop(0) for _ in range(HAND_SIZE)] for name in names}
    start = {"polls": "holders", "layout": "standard", "slumber_on_arrival": False, "max_turns": 300}
    return {
        "options": {**start, **options, "num_players": num_players},
        "seats": dict(zip(names, seats, strict=True)),
        "discs": dict(zip(LAND, discs, strict=True)),
        "hunters": {hunter: f"boat-{hunter}" for own in seats for hunter in own},
        "treasures": {str(value): "stock" if number else SITE for number, value in enumerate(VALUES)},
        "hands": hands,
        "deck": deck,
        "turn": {
            "active": names[0],
            "number": 0,
            "acts": 0,
            "listed": {hunter: [f"boat-{hunter}"] for hunter in seats[0]},
        },
    }


def check(oracle: Oracle) -> None:
    """Assert what holds in every position."""
    cards = Counter(oracle.deck) + oracle.discard + oracle.table
    for hand in oracle.hands:
        assert len(hand) <= HAND_SIZE
        cards += Counter(hand)
    assert cards == {card: int(COPIES[card_number(card)]) for card in CARDS if COPIES[card_number(card)]}
    for p in range(oracle.num_players):
        for q in range(oracle.num_players):
            assert oracle.certain[p][q] <= Counter(oracle.hands[q]) and (p != q or not +oracle.certain[p][q])
    for treasure, value in enumerate(VALUES):
        paid = sum(coins[value] for coins in oracle.coins)
        assert paid == (2 if oracle.treasures[treasure] == "collected" else 0)
    on_board = [place for place in oracle.treasures if place not in OPEN_ENDS]
    assert len(set(on_board)) == len(on_board)
    for space in CELL_NAMES:
        there = oracle.standing(space)
        most = 3 if oracle.decision == "ambush" and oracle.at[oracle.top.hunter] == space else 2
        assert len(there) <= (most if space in on_board else 1)
        assert there or space not in on_board or space == SITE
        assert len(there) < 2 or space != SITE or oracle.decision in ("exit", "flight")
    assert (oracle.delivering is None) == (not set(on_board) & set(BOATS))
    assert len(set(oracle.dragons)) == len(oracle.dragons) <= DRAGONS
    assert not set(oracle.dragons) & (set(oracle.at.values()) | LANDINGS | {SITE})
    assert len(oracle.stack) <= 2 and (oracle.outcome != "running") == (not oracle.legal())


def lively(names: list[str], oracle: Oracle, rng: random.Random) -> str:
    """A random action, mostly not one that passes, and often one that carries a treasure on or home."""
    acts = [name for name in names if name.split()[0] not in ("stop", "discard", "done", "let")]
    if not acts or rng.random() < 0.05:
        return rng.choice(names)
    hunters = oracle.hunters[oracle.seat]
    carrying = any(oracle.treasure_on(oracle.at[hunter]) is not None for hunter in hunters)
    goals = [SITE, *(place for place in oracle.treasures if place in oracle.discs)]
    if carrying:
        goals = [f"boat-{hunter}" for hunter in hunters]

    def distance(name: str) -> int:
        space = name.split()[-2]
        reached, steps = set(goals), 0
        while space not in reached:
            reached |= {near for one in reached for near in NEAR[one]}
            steps += 1
        return steps

    moves = [name for name in acts if name.split()[0] in ("step", "fly")]
    if moves and rng.random() < 0.7:
        return min(moves, key=distance)
    return rng.choice(acts)


def play_game(num_players: int, rng: random.Random, **options: Any) -> tuple[Oracle, Counter[str], Counter[str]]:
    """Play and check one game; count its decisions and events."""
    from tests.dracheninsel.oracle_observation import check_observation, history_row

    oracle = Oracle.from_dict(simple_start(num_players, rng, **options))
    decisions: Counter[str] = Counter()
    events: Counter[str] = Counter()
    while oracle.outcome == "running":
        check(oracle)
        decisions[oracle.decision] += 1
        names = sorted(oracle.legal())
        if rng.random() < 0.05:
            for seat in range(num_players):
                check_observation(oracle, player_name(seat))
            if oracle.decision == "turn":
                again = Oracle.from_dict(oracle.to_dict())
                assert again.legal() == oracle.legal() and again.to_dict() == oracle.to_dict()
        name, chance = lively(names, oracle, rng), RandomChance(oracle, rng)
        twin = oracle.copy() if rng.random() < 0.05 else None
        oracle.step(name, chance)
        if twin is not None:
            twin.step(name, RecordedChance(chance.outcomes))
            assert twin == oracle and twin.public() == oracle.public()
        events.update(event[0] for event in oracle.events)
        for event in oracle.events:
            row = history_row(event, oracle, "player_1")
            assert all(0 <= number <= most for number, most in zip(row, (23, 6, 70, 70), strict=True))
    check(oracle)
    for seat in range(num_players):
        check_observation(oracle, player_name(seat))
        assert oracle.private(player_name(seat))["hand"] == oracle.sorted_cards(oracle.hands[seat])
    assert [oracle.ranking_key(seat)[0] for seat in range(num_players)] == oracle.scores()
    return oracle, decisions, events


def main() -> None:
    parser = argparse.ArgumentParser(description="Random games of the oracle alone")
    parser.add_argument("--games", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    decisions: Counter[str] = Counter()
    events: Counter[str] = Counter()
    for game in range(arguments.games):
        rng = random.Random(arguments.seed + game)
        polls, arrival = rng.choice(["holders", "all"]), rng.random() < 0.3
        oracle, more_decisions, more_events = play_game(
            3 + game % 4, rng, polls=polls, slumber_on_arrival=arrival, max_turns=rng.choice([40, 300])
        )
        decisions += more_decisions
        events += more_events
        print(f"game {game}: {oracle.num_players} players, {oracle.turns} turns, {oracle.outcome}, {oracle.scores()}")
    print("decisions:", dict(decisions.most_common()))
    print("events:", dict(events.most_common()))


if __name__ == "__main__":
    main()
