"""The events of the game, as in section 9 of the decisions protocol."""

from __future__ import annotations

from enum import IntEnum

from island_core.events import EventKind, EventTable

EVENTS = EventTable(
    (
        EventKind("turn", "who becomes active", "", "", "all", "a turn begins"),
        EventKind("draw", "who draws", "card", "", "the seat", "a card from the deck"),
        EventKind("shuffle", "", "", "", "all", "the discard pile became the deck"),
        EventKind("pay", "who pays", "card", "", "all", "a terrain card is played: step, landing or long journey"),
        EventKind("task", "who plays", "card", "task", "all", "a task card is played for this task"),
        EventKind("discard", "whose hand", "card", "", "all", "a hand card goes to the discard pile"),
        EventKind("rob", "thief", "card", "victim", "thief and victim", "a card is taken from a hand at random"),
        EventKind("give back", "thief", "card", "owner", "thief and owner", "an undone theft"),
        EventKind("take back", "who takes", "card", "", "all", "a card of the hand that an undone curse discarded"),
        EventKind("step", "who moves", "hunter", "space", "all", "a hunter, or the pair he is in, walks to a space"),
        EventKind("land", "who moves", "hunter", "space", "all", "a hunter, or the pair he is in, lands on a space"),
        EventKind("pair", "who moves", "arriving hunter", "his partner", "all", "a pair is formed"),
        EventKind("home", "who sends", "hunter", "", "all", "a hunter goes to his own boat"),
        EventKind("swap", "who swaps", "first space", "second space", "all", "two discs change places"),
        EventKind("dragon", "who moves it", "from (-1: outside)", "to", "all", "a dragon moves"),
        EventKind("announce", "who announces", "", "terrain", "all", "a terrain is free for the rest of the turn"),
        EventKind("removed", "", "treasure", "", "all", "a treasure leaves the game"),
        EventKind("laid", "", "treasure", "", "all", "the next treasure lies on the site"),
        EventKind("declare", "who declares", "task", "target", "all", "the target: a hunter, or a seat"),
        EventKind("undo", "active player", "", "", "all", "the last act is undone"),
        EventKind("share", "owner of the boat", "treasure", "", "all", "the treasure is shared"),
        EventKind("coins", "who gets them", "treasure", "number of coins", "all", "coins are paid out"),
        EventKind("end", "", "0 natural, 1 truncated", "", "all", "the game is over"),
    )
)


class Event(IntEnum):
    """The number of each kind of event."""

    TURN = 1
    DRAW = 2
    SHUFFLE = 3
    PAY = 4
    TASK = 5
    DISCARD = 6
    ROB = 7
    GIVE_BACK = 8
    TAKE_BACK = 9
    STEP = 10
    LAND = 11
    PAIR = 12
    HOME = 13
    SWAP = 14
    DRAGON = 15
    ANNOUNCE = 16
    REMOVED = 17
    LAID = 18
    DECLARE = 19
    UNDO = 20
    SHARE = 21
    COINS = 22
    END = 23


if [e.name.lower().replace("_", " ") for e in Event] != list(EVENTS.names[1:]):
    raise AssertionError("the event numbers and the event table differ")
