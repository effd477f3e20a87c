"""Invariants of the play: the turn, the stack of pending decisions, what the last act is undone to, the events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from types import SimpleNamespace

from dracheninsel_env.board import CELLS, FIRST_BOAT, SITE, SPACE_NAMES
from dracheninsel_env.components import CARD_NAMES, CARD_TASKS, DRAGONS, HAND_SIZE, TERRAIN_CARD_SLOTS
from dracheninsel_env.convert import invariants_board as board
from dracheninsel_env.convert.words import (
    EVENT_FORM,
    FRAME_KEYS,
    POLLS,
    SPACE,
    STAGES,
    STAGES_OF,
    TREASURE_PLACE,
    VALUES,
    detail_codec,
    no_undo,
)
from dracheninsel_env.decisions import DECISION_NAMES, Decision, Stage
from dracheninsel_env.events import Event
from dracheninsel_env.state import COLLECTED, NATURAL, REMOVED, RUNNING, STOCK, TRUNCATED
from dracheninsel_env.vocab import HUNTERS, TASKS, Task
from island_core.convert import OUTCOMES, PLAYERS, SEATS, detail_problems, unused_frames
from island_core.reader import Problem

# ---- The turn


def turn_problems(s: SimpleNamespace) -> Iterator[Problem]:
    """D4: the end of the game, the turn and its privileges."""
    yield from _end_problems(s)
    if s.acts == 0:
        for name, value in (("mover", s.mover + 1), ("freed", s.freed), ("left_alone", s.left_alone)):
            if value:
                yield Problem("turn.acts", "0", f"at least 1, as {name} says")
    for bit, hunter in enumerate(HUNTERS):
        if s.left_alone >> bit & 1 and s.owner[bit] < 0:
            yield Problem("turn.left_alone", hunter, "hunters that play")
    if s.outcome == RUNNING:
        yield from _active_problems(s)


def _end_problems(s: SimpleNamespace) -> Iterator[Problem]:
    """D4.7, D10.1: when the game is over."""
    running = s.outcome == RUNNING
    left = any(place >= STOCK for place in s.treasure_at)
    if left == (s.outcome == NATURAL):
        allowed = "natural once no treasure is left on the board or in stock, and only then"
        yield Problem("outcome", OUTCOMES[s.outcome], allowed)
    if running and s.turns >= s.max_turns or s.outcome == TRUNCATED and s.turns != s.max_turns:
        allowed = f"less than {s.max_turns} while running" if running else f"{s.max_turns} when truncated"
        yield Problem("turn.number", str(s.turns), allowed)
    if running != (s.depth > 0):
        yield Problem("stack", f"{s.depth} frames", "at least one while running, none after the end")


def _active_problems(s: SimpleNamespace) -> Iterator[Problem]:
    """Whose turn it is, which of his hunters moves, and the lists of D4.6."""
    active = s.frame_seat[0]
    if active >= s.num_players:
        yield Problem("turn.active", PLAYERS[active], f"one of {s.num_players} players")
    own = [h for h in s.hunters[active] if h >= 0]
    if s.mover >= 0 and s.mover not in own:
        allowed = f"null or the active player's {' or '.join(HUNTERS[h] for h in own)}"
        yield Problem("turn.mover", HUNTERS[s.mover], allowed)
    for slot, hunter in enumerate(s.hunters[active]):
        spaces = s.listed_cells[slot] | s.listed_boats[slot] << CELLS
        if hunter < 0 and spaces:
            yield Problem("turn.listed", "a list without a hunter", "lists of the active player's own hunters")
        if hunter >= 0 and not spaces >> s.at[hunter] & 1:
            yield Problem(f"turn.listed.{HUNTERS[hunter]}", ", ".join(SPACE.write_set(spaces)), "where he stands too")


# ---- The stack


def stack_problems(s: SimpleNamespace) -> Iterator[Problem]:
    """The stack is sound: a turn at the bottom, above it what may be pending there."""
    yield from unused_frames(s)
    if not s.depth:
        return
    if s.frame_decision[0] != Decision.TURN:
        yield Problem("stack", DECISION_NAMES[s.frame_decision[0]] or "nothing", "turn as the bottom frame")
    for place in range(1, s.depth):
        if s.frame_decision[place] not in FRAME_KEYS:
            given = DECISION_NAMES[s.frame_decision[place]] or "nothing"
            yield Problem("stack", given, "other decisions than turn above the bottom frame")
        if s.frame_seat[place] >= s.num_players:
            yield Problem(f"stack[{place - 1}].player", PLAYERS[s.frame_seat[place]], f"{s.num_players} players")
    kinds = s.frame_decision[1 : s.depth]
    names = ", ".join(DECISION_NAMES[kind] for kind in kinds)
    slumber = [Decision.SLUMBER, Decision.COUNTER]
    if len(kinds) == 2 and (kinds != slumber or s.frame_a[2] != Task.SWEET_SLUMBER):
        yield Problem("stack", names, "one frame, or slumber and above it the counter to sweet-slumber")
    if kinds == [Decision.COUNTER] and s.frame_a[1] not in (Task.FEAR_AND_TERROR, Task.SNEAK_ATTACK):
        yield Problem("stack[0].task", str(s.frame_a[1]), "fear-and-terror, sneak-attack")
    yield from _stage_problems(s, kinds[0] if kinds else Decision.TURN)
    for place in range(1, s.depth):
        yield from _frame_problems(s, place)


def _stage_problems(s: SimpleNamespace, decision: int) -> Iterator[Problem]:
    """The stage of the turn fits what is pending, and the board fits the stage."""
    stage, guest = s.frame_a[0], s.frame_b[0]
    allowed = STAGES_OF.get(decision, (Stage.IDLE,))
    given = STAGES[stage] if 0 <= stage < len(STAGES) else str(stage)
    if stage not in allowed:
        words = " or ".join(STAGES[each] for each in allowed)
        yield Problem("turn.stage", given, f"{words} while {DECISION_NAMES[decision]} is pending")
    if s.acts == 0 and decision not in (Decision.TURN, Decision.EXCHANGE):
        yield Problem("turn.acts", "0", f"at least 1 while {DECISION_NAMES[decision]} is pending")
    if decision == Decision.ASLEEP and s.acts != 1:
        yield Problem("turn.acts", str(s.acts), "1 while asleep is pending")
    if stage == Stage.ARRIVED and not (
        s.slumber_on_arrival and s.mover >= 0 and s.at[s.mover] == SITE and SITE in s.treasure_at
    ):
        yield Problem("turn.stage", given, "the mover on the site with a treasure, and option slumber_on_arrival")
    if stage not in (Stage.DELIVERY, Stage.SETTLE):
        if guest != -1:
            yield Problem("turn.guest", str(guest), "nobody but in the stages delivery and settle")
        return
    boats = [place for place in s.treasure_at if place >= FIRST_BOAT]
    if len(boats) != 1:
        yield Problem("turn.stage", given, "one treasure in a boat")
    host = boats[0] - FIRST_BOAT
    if not (0 <= guest < SEATS and guest != host and s.at[host] == s.at[guest] == boats[0]):
        yield Problem("turn.guest", str(guest), "the carrier whose boat it is not; both stand in it")
    if s.mover not in (host, guest):
        yield Problem("turn.mover", "no carrier", f"{HUNTERS[host]} or {HUNTERS[guest]}, who deliver")


def _frame_problems(s: SimpleNamespace, place: int) -> Iterator[Problem]:
    """One frame above the bottom one: who decides, and its details."""
    key = f"stack[{place - 1}]"
    decision, seat = s.frame_decision[place], s.frame_seat[place]
    a, b = s.frame_a[place], s.frame_b[place]
    yield from detail_problems(s, key, FRAME_KEYS[decision], a, b, detail_codec)
    yield from _played_problems(s, place)
    if decision in POLLS:
        yield from _poll_problems(s, place, key)
        return
    active = s.frame_seat[0]
    if seat != active:
        yield Problem(f"{key}.player", PLAYERS[seat], f"the active {PLAYERS[active]}")
    if decision in (Decision.ASLEEP, Decision.EXCHANGE):
        if s.acts > 1:
            yield Problem("turn.acts", str(s.acts), f"0 or 1 while {DECISION_NAMES[decision]} is pending")
        if s.hand_size[active] == 0:
            yield Problem(key, DECISION_NAMES[decision], "cards in the active player's hand")
    yield from _task_problems(s, decision, a, b, key)


_NO_CARD_PLAYED = (
    *(Decision.EXIT, Decision.AMBUSH, Decision.ASLEEP, Decision.EXCHANGE),
    *(decision for decision in POLLS if decision != Decision.COUNTER),
)
"""Decisions above the bottom frame that need no card that was played before."""


def _played_problems(s: SimpleNamespace, place: int) -> Iterator[Problem]:
    """D4.3, D8: whoever has played the card a frame is about does not hold a full hand, as nobody draws in a turn."""
    decision = s.frame_decision[place]
    if decision in _NO_CARD_PLAYED:
        return
    answers_slumber = decision == Decision.COUNTER and s.frame_a[place] == Task.SWEET_SLUMBER
    seat = s.frame_seat[place - 1 if answers_slumber else 0]
    most = HAND_SIZE - (2 if decision == Decision.JOURNEY_TERRAIN else 1)
    if s.hand_size[seat] > most:
        allowed = f"at most {most}, as the card is played that {DECISION_NAMES[decision]} is about"
        yield Problem(f"hands.{PLAYERS[seat]}", f"{s.hand_size[seat]} cards", allowed)


def _task_problems(s: SimpleNamespace, decision: int, a: int, b: int, key: str) -> Iterator[Problem]:
    """What the active player decides in the middle of an act is possible."""
    own = s.hunters[s.frame_seat[0]]
    if decision in (Decision.FLIGHT, Decision.EXIT, Decision.AMBUSH) and (
        a not in own or (s.mover not in (-1, a) if decision == Decision.FLIGHT else s.mover != a)
    ):
        yield Problem(f"{key}.hunter", HUNTERS[a], "the own hunter that moves in this turn")
    elif decision == Decision.FLYER and (s.num_players != 3 or s.mover >= 0):
        yield Problem(key, "flyer", "three players, before the first movement of the turn")
    elif decision in (Decision.FIRST_DISC, Decision.SECOND_DISC):
        if a not in (Task.DESTROYING_FORCES, Task.RAGING_ELEMENTS):
            yield Problem(f"{key}.task", TASKS[a], "destroying-forces, raging-elements")
        if decision == Decision.SECOND_DISC and (b >= CELLS or b == SITE or b in s.at or b in s.dragon_at):
            yield Problem(f"{key}.space", SPACE_NAMES[b], "an empty terrain space")
    elif decision == Decision.DRAGON and -1 in s.dragon_at:
        yield Problem(key, "dragon", f"{DRAGONS} dragons on the board")
    elif decision == Decision.DRAGON_SPACE and -1 in s.dragon_at and a != s.dragon_at.index(-1):
        yield Problem(f"{key}.dragon", str(a), "the next one from outside")
    elif decision == Decision.JOURNEY_TERRAIN and a >= TERRAIN_CARD_SLOTS:
        yield Problem(f"{key}.card", str(CARD_NAMES[a]), "a terrain card")


def _poll_problems(s: SimpleNamespace, place: int, key: str) -> Iterator[Problem]:
    """Who is asked in a slumber or counter poll or about a betrayal."""
    decision, seat = s.frame_decision[place], s.frame_seat[place]
    a, b = s.frame_a[place], s.frame_b[place]
    active = s.frame_seat[0]
    task, origin = Task.SWEET_SLUMBER, active
    if decision == Decision.COUNTER:
        task = Task.COUNTERSPELL
        if a == Task.SWEET_SLUMBER:
            origin = s.frame_seat[place - 1]
        elif a == Task.FEAR_AND_TERROR and s.at[b] in (-1, FIRST_BOAT + b):
            yield Problem(f"{key}.target", HUNTERS[b], "a hunter in play who is not in his own boat")
        elif a == Task.SNEAK_ATTACK and (b == active or b >= s.num_players or s.hand_size[b] == 0):
            yield Problem(f"{key}.target", PLAYERS[b], "another player who holds cards")
    elif decision == Decision.BETRAYAL:
        task, origin = Task.BETRAYAL, -1
        host, partner = (s.owner[next(p for p in s.treasure_at if p >= FIRST_BOAT) - FIRST_BOAT], s.owner[b])
        if b != s.frame_b[0]:
            yield Problem(f"{key}.guest", HUNTERS[b], "the guest of the turn")
        if host == partner:
            yield Problem(key, "betrayal", "carriers of two players")
        if (a, seat) not in ((-1, host), (host, partner), (partner, host)):
            given = f"{PLAYERS[seat]} after {PLAYERS[a] if a >= 0 else 'nobody'}"
            yield Problem(f"{key}.player", given, f"{PLAYERS[host]} first, then {PLAYERS[partner]} and so on")
    if seat == origin:
        yield Problem(f"{key}.player", PLAYERS[seat], "another than the player whose card or act is answered")
    if place == s.depth - 1 and not s.polls_all and not _holds(s, seat, task):
        yield Problem(f"{key}.player", f"{PLAYERS[seat]} without a {TASKS[task]}", "one who holds such a card")


def _holds(s: SimpleNamespace, seat: int, task: int) -> bool:
    """Whether a hand holds a card with a task."""
    return any(CARD_TASKS[card] >> task & 1 for card in s.hand[seat][: s.hand_size[seat]])


# ---- The past


def undo_problems(s: SimpleNamespace) -> Iterator[Problem]:
    """What an undoing restores is a position too."""
    if no_undo(s):
        if s.acts > 0:
            yield Problem("undo", "null", "what the last act is undone to, as turn.acts is not 0")
        return
    for hunter, name in enumerate(HUNTERS):
        if (s.undo_at[hunter] >= 0) != (s.owner[hunter] >= 0):
            yield Problem(f"undo.hunters.{name}", str(s.undo_at[hunter]), "a space for each hunter that plays")
    yield from board.treasure_problems("undo.", s.undo_treasure_at, s.undo_at, False)
    yield from board.hunter_problems("undo.", s.undo_at, s.undo_treasure_at, False, -1)
    yield from board.dragon_problems("undo.", s.undo_dragon_at, s.undo_at)
    if SITE in s.undo_swap:
        yield Problem("undo.swap", "e5", "terrain spaces")
    if any(s.undo_stolen_card[s.undo_stolen :]) or any(s.undo_stolen_seat[s.undo_stolen :]):
        yield Problem("undo.stolen", "cards beyond their number", "zeros in unused places")
    if any(s.undo_discarded_card[s.undo_discarded :]):
        yield Problem("undo.discarded", "cards beyond their number", "zeros in unused places")
    own = s.depth > 0 and s.acts > 0
    for seat in s.undo_stolen_seat[: s.undo_stolen]:
        if seat >= s.num_players or (own and seat == s.frame_seat[0]):
            yield Problem("undo.stolen", PLAYERS[seat], "other players")
    yield from _lasting_problems(s)
    pending = s.frame_decision[1 : s.depth]
    if pending and pending[0] not in (Decision.EXCHANGE, Decision.ASLEEP, Decision.BETRAYAL):
        yield from _return_problems(s)
        if pending[0] != Decision.SLUMBER:
            yield from _unfinished_problems(s)


def _lasting_problems(s: SimpleNamespace) -> Iterator[Problem]:
    """D6.7, D6.8: what has left the board before an act does not lie there after it."""
    for k, (before, now) in enumerate(zip(s.undo_treasure_at, s.treasure_at, strict=True)):
        if before in (COLLECTED, REMOVED) and now != before:
            given = TREASURE_PLACE.write(before)
            yield Problem(
                f"undo.treasures.{VALUES[k]}", given, f"{TREASURE_PLACE.write(now)}, as it is now, or a space"
            )


def _return_problems(s: SimpleNamespace) -> Iterator[Problem]:
    """D8.10: what a slumber undoes, now or after the act that is going on, can be undone: no coins are paid yet, and
    there is room for the cards.
    """
    for k, (before, now) in enumerate(zip(s.undo_treasure_at, s.treasure_at, strict=True)):
        if now == COLLECTED != before:
            given = TREASURE_PLACE.write(before)
            yield Problem(f"undo.treasures.{VALUES[k]}", given, "collected, as its coins are paid")
    thief = s.frame_seat[0]
    sizes, held = list(s.hand_size), Counter(s.hand[thief][: s.hand_size[thief]])
    for card, victim in zip(s.undo_stolen_card[: s.undo_stolen], s.undo_stolen_seat, strict=False):
        if held[card]:
            held[card] -= 1
            sizes[thief] -= 1
            sizes[victim] += 1
    discarded = Counter(s.undo_discarded_card[: s.undo_discarded])
    sizes[thief] += discarded.total()
    for card, number in discarded.items():
        if number > s.discard[card]:
            yield Problem(
                "undo.discarded", f"{number} {CARD_NAMES[card]}", f"{s.discard[card]}, as many as discard has"
            )
    for seat, size in enumerate(sizes):
        if size > HAND_SIZE:
            key = "undo.discarded" if seat == thief else "undo.stolen"
            yield Problem(key, f"{size} cards for {PLAYERS[seat]}", f"at most {HAND_SIZE} in a hand after the undoing")


def _unfinished_problems(s: SimpleNamespace) -> Iterator[Problem]:
    """D8.1, D8.3, D8.7: discs are swapped, cards stolen and discarded by what ends an act."""
    for name, there in (("stolen", s.undo_stolen), ("discarded", s.undo_discarded)):
        if there:
            yield Problem(f"undo.{name}", f"{there} cards", "none in the middle of an act")
    if s.undo_swap[0] != s.undo_swap[1]:
        yield Problem("undo.swap", "two spaces", "none in the middle of an act")


def event_problems(s: SimpleNamespace) -> Iterator[Problem]:
    """The rows of the ring can be read; a declared task has a target."""
    yield from EVENT_FORM.problems(s)
    for n, (kind, _, a, *_) in enumerate(s.event_log):
        if kind == Event.DECLARE and a not in (Task.FEAR_AND_TERROR, Task.SNEAK_ATTACK):
            yield Problem(f"events, row {n}", f"task {a}", "fear-and-terror, sneak-attack")
