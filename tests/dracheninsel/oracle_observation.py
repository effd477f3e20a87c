"""The observation of the oracle: the sections of docs/dracheninsel/observation.md, written from that page alone.

Also one row of the `history` part. `READING` marks a place where the page leaves something open.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from dracheninsel_env.components import CARD_SLOTS
from dracheninsel_env.vocab import CELL_NAMES, HUNTERS, TASKS, TERRAINS
from tests.dracheninsel.oracle import SITE, SPACES, VALUES, Event, Oracle, card_number, seat_number

DECISIONS = (
    "turn",
    "flyer",
    "flight",
    "exit",
    "ambush",
    "first disc",
    "second disc",
    "dragon",
    "dragon space",
    "journey card",
    "journey terrain",
    "fear target",
    "rob target",
    "slumber",
    "counter",
    "asleep",
    "exchange",
    "betrayal",
)
EVENTS = (
    "turn",
    "draw",
    "shuffle",
    "pay",
    "task",
    "discard",
    "rob",
    "give back",
    "take back",
    "step",
    "land",
    "pair",
    "home",
    "swap",
    "dragon",
    "announce",
    "removed",
    "laid",
    "declare",
    "undo",
    "share",
    "coins",
    "end",
)
SEATS = 6


def marks(size: int, chosen: Iterable[int]) -> list[int]:
    """Ones at the chosen places."""
    counts = [0] * size
    for place in chosen:
        counts[place] = 1
    return counts


def card_counts(cards: Mapping[str, int] | Iterable[str]) -> list[int]:
    """How many cards there are of each of the 38 kinds."""
    counts = [0] * CARD_SLOTS
    for card, number in Counter(cards).items():
        counts[card_number(card)] = number
    return counts


def treasure_state(place: str) -> int:
    if place in SPACES:
        return 1 if place == SITE else 2
    return {"stock": 0, "collected": 3, "removed": 4}[place]


def act_sections(oracle: Oracle, observer: int) -> dict[str, list[int]]:
    """What the act has done so far, for the seat that decides in it or in what follows it."""
    before = oracle.act_to_undo if oracle.seat == observer else None
    if before is None:
        return {name: [0] * size for name, (size, _) in PAGE.items() if name.startswith("act_")}
    seats = oracle.num_players
    moved = {hunter: space for hunter, space in before.at.items() if space != oracle.at[hunter]}
    origin = moved.get(oracle.mover) if oracle.mover else None
    movers = before.at[oracle.mover] if oracle.mover else None
    elsewhere = {space for space in moved.values() if space not in (movers, SITE)}

    def whence(space: str) -> list[int]:
        """From where the mover stood, from the site, from the space of act_elsewhere; the first of these that holds."""
        holds = [space == movers, space == SITE, space in elsewhere]
        return marks(3, [holds.index(True)] if True in holds else [])

    sections: dict[str, list[int]] = {}
    sections["act_origin"] = marks(67, [SPACES.index(origin)] if origin else [])
    sections["act_elsewhere"] = marks(67, [SPACES.index(space) for space in elsewhere])
    sections["act_hunters"] = []
    for hunter in HUNTERS:
        sections["act_hunters"] += whence(moved[hunter]) if hunter in moved else [0] * 3
    sections["act_treasures"] = []
    for old, new in zip(before.treasures, oracle.treasures, strict=True):
        sections["act_treasures"] += [*whence(old), int(old == "stock")] if old != new else [0] * 4
    left, came = set(before.dragons) - set(oracle.dragons), set(oracle.dragons) - set(before.dragons)
    sections["act_dragons"] = marks(61, map(CELL_NAMES.index, left)) + marks(61, map(CELL_NAMES.index, came))
    swapped = [space for space, disc in before.discs.items() if disc != oracle.discs[space]]
    sections["act_discs"] = marks(61, map(CELL_NAMES.index, swapped))
    victims = Counter((victim - observer) % seats for victim, _ in before.stolen)
    sections["act_thefts"] = [victims[seat] for seat in range(SEATS)]
    shown = [card for victim, card in before.stolen if observer in (victim, oracle.active)]
    sections["act_cards"] = card_counts(shown)
    sections["act_discarded"] = card_counts(before.discarded)
    return sections


def observation(oracle: Oracle, player: str) -> dict[str, list[int]]:
    """Every section of the observation of a player, in the order of the page, flat, as counts."""
    observer, seats = seat_number(player), oracle.num_players
    running = oracle.outcome == "running"

    def relative(seat: int) -> int:
        return (seat - observer) % seats

    around = [(observer + offset) % seats for offset in range(seats)]
    spare_seats = SEATS - seats
    none = [0] * CARD_SLOTS
    frame = oracle.top if oracle.seat == observer else None  # what concerns the deciding seat alone

    sections: dict[str, list[int]] = {}
    sections["decision"] = marks(len(DECISIONS), [DECISIONS.index(frame.decision)] if frame else [])
    sections["players"] = marks(SEATS, range(seats))
    sections["active"] = marks(SEATS, [relative(oracle.active)] if running else [])

    sections["terrain"] = []
    for cell in CELL_NAMES:
        sections["terrain"] += marks(6, [TERRAINS.index(oracle.discs[cell])] if cell in oracle.discs else [])
    sections["dragons"] = marks(61, [CELL_NAMES.index(cell) for cell in oracle.dragons])

    sections["hunter_at"], sections["hunter_owner"] = [], []
    for hunter in HUNTERS:
        plays = hunter in oracle.owner
        sections["hunter_at"] += marks(67, [SPACES.index(oracle.at[hunter])] if plays else [])
        sections["hunter_owner"] += marks(SEATS, [relative(oracle.owner[hunter])] if plays else [])

    sections["treasure_state"], sections["carriers"] = [], []
    for place in oracle.treasures:
        sections["treasure_state"] += marks(5, [treasure_state(place)])
        # In an ambush all three stand there, in a boat also those who do not carry.
        there = oracle.standing(place) if place in SPACES else []
        sections["carriers"] += marks(6, [HUNTERS.index(hunter) for hunter in there])

    sections["coins"] = [oracle.coins[seat][value] for seat in around for value in VALUES] + [0] * 7 * spare_seats
    sections["hand"] = card_counts(oracle.hands[observer])
    sections["hand_sizes"] = [len(oracle.hands[seat]) for seat in around] + [0] * spare_seats
    sections["known"] = [n for seat in around[1:] for n in card_counts(oracle.certain[observer][seat])]
    sections["known"] += none * spare_seats
    sections["discard"] = card_counts(oracle.discard)
    sections["table"] = card_counts(oracle.table)
    sections["deck_size"] = [len(oracle.deck)]
    turns_left = oracle.max_turns - oracle.turns
    sections["turns_left"] = [min(99, turns_left // 100), turns_left % 100]

    # Once the game is over, all that follows is zero.
    sections["acts"] = [min(2, oracle.acts) if running else 0]
    sections["mover"] = marks(6, [HUNTERS.index(oracle.mover)] if running and oracle.mover else [])
    sections["freed"] = marks(6, [TERRAINS.index(terrain) for terrain in oracle.freed if running])
    sections["left_alone"] = marks(6, [HUNTERS.index(hunter) for hunter in oracle.left_alone if running])
    sections["listed"] = []
    for hunter in oracle.hunters[oracle.active]:
        sections["listed"] += marks(67, [SPACES.index(space) for space in oracle.listed[hunter] if running])
    sections["listed"] += [0] * (2 * 67 - len(sections["listed"]))

    sections |= act_sections(oracle, observer)

    task, spaces, hunters, players, answered, journey = "", [], [], [], [], []
    if frame:
        task = frame.task
        spaces = [CELL_NAMES.index(frame.space)] if frame.space else []
        hunters = [HUNTERS.index(frame.hunter)] if frame.hunter else []
        players = [relative(frame.player)] if frame.player != -1 else []
        answered = [relative(frame.answered)] if frame.answered != -1 else []
        journey = [card_number(frame.card)] if frame.card else []
    sections["pending_task"] = marks(11, [TASKS.index(task)] if task else [])
    sections["pending_space"] = marks(61, spaces)
    sections["pending_hunter"] = marks(6, hunters)
    sections["pending_player"] = marks(SEATS, players)
    sections["answered"] = marks(SEATS, answered)
    sections["journey_card"] = marks(12, journey)
    return sections


def history_row(event: Event, oracle: Oracle, player: str) -> list[int]:
    """One event of the `history` part: kind, seat, a, b as the player sees them."""
    kind, seat, a, b, seers = event
    observer, seats = seat_number(player), oracle.num_players
    shown = 0 if a == -1 else a + 2 if observer in seers else 1
    b_is_seat = kind in ("rob", "give back") or (kind == "declare" and TASKS[a] == "sneak-attack")
    if b_is_seat:
        b = (b - observer) % seats
    return [EVENTS.index(kind) + 1, 0 if seat == -1 else (seat - observer) % seats + 1, shown, 0 if b == -1 else b + 2]


def _page() -> dict[str, tuple[int, int]]:
    """Size and largest count of each section, from the table of the page."""
    page = Path(__file__).parents[2] / "docs" / "dracheninsel" / "observation.md"
    sections = {}
    for line in page.read_text().splitlines():
        columns = [column.strip() for column in line.strip("|").split("|")]
        if len(columns) == 5 and columns[0].startswith("`"):
            first, last = columns[1].split("-")
            sections[columns[0].strip("`")] = (int(last) - int(first) + 1, int(columns[3]))
    return sections


PAGE = _page()


def check_observation(oracle: Oracle, player: str) -> None:
    """Assert that an observation has the sections, sizes and bounds of the page."""
    sections = observation(oracle, player)
    assert list(sections) == list(PAGE)
    for name, values in sections.items():
        size, largest = PAGE[name]
        assert len(values) == size, name
        assert all(0 <= value <= largest for value in values), name
    deciding = oracle.actor == player
    assert sum(sections["decision"]) == int(deciding)
    for name in ("act_origin", *(name for name in PAGE if name.startswith("pending_")), "answered", "journey_card"):
        assert sum(sections[name]) <= int(deciding), name

    in_act = deciding and oracle.decision not in ("turn", "betrayal", "asleep", "exchange")
    for name in PAGE:
        assert in_act or not name.startswith("act_") or not any(sections[name]), name
    for number, place in enumerate(oracle.treasures):
        assert (sum(sections["carriers"][6 * number : 6 * number + 6]) > 0) <= (place in SPACES)
    assert sum(sections["act_elsewhere"]) <= 1
    columns = {0: sections["act_origin"], 2: sections["act_elsewhere"]}
    for name, width in (("act_hunters", 3), ("act_treasures", 4)):
        rows = [sections[name][start : start + width] for start in range(0, len(sections[name]), width)]
        assert all(sum(row) <= 1 for row in rows), name
        for column, spaces in columns.items():  # a column tells of a space, and each space of a hunter who left it
            there = any(row[column] for row in rows)
            assert any(spaces) == there if name == "act_hunters" else any(spaces) >= there, name
    left, came = sum(sections["act_dragons"][:61]), sum(sections["act_dragons"][61:])
    assert left <= came <= 1
    assert sum(sections["act_discs"]) in (0, 2)
    thefts, cards = sections["act_thefts"], sections["act_cards"]
    active = sections["active"].index(1) if in_act else 0
    assert sum(cards) == (sum(thefts) if active == 0 else thefts[0]) and not (in_act and thefts[active])
    assert sum(thefts) <= 5 and sum(sections["act_discarded"]) <= 6
