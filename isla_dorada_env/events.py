"""The events of the game, as in section 7 of the decisions protocol."""

from __future__ import annotations

from enum import IntEnum

from island_core.events import EventKind, EventTable

_BID = "bid: way x 19 + place"

EVENTS = EventTable(
    (
        EventKind("treasure", "who gets it", "treasure", "", "the seat", "a treasure card is dealt or drawn"),
        EventKind("destiny", "who gets it", "destiny", "", "the seat", "a destiny is dealt or drawn"),
        EventKind("curse", "who gets it", "place", "", "the seat", "a curse is dealt or drawn"),
        EventKind("reject treasure", "who rejects", "treasure", "", "the seat", "a treasure card is given back"),
        EventKind("reject destiny", "who rejects", "destiny", "", "the seat", "a destiny is given back"),
        EventKind("deal", "who gets it", "card", "", "the seat", "an adventure card of the set-up"),
        EventKind("round", "leader", "", "", "all", "a round begins"),
        EventKind("bid", "who bids", _BID, "amount", "all", "a bid; in cooperative bidding a new one"),
        EventKind("join", "who joins", _BID, "share", "all", "a bid is joined"),
        EventKind("raise", "who raises", _BID, "share", "all", "a share is raised to this"),
        EventKind("pass", "who passes", "", "", "all", "neither bid nor joined nor raised"),
        EventKind("play", "who plays", "card", "juju: the barred player", "all", "oveto, juju, sangaia or bongo"),
        EventKind(
            "winner", "the new leader", _BID, "amount or total, at most 127", "all", "the bidding ends with this bid"
        ),
        EventKind("stay", "leader", "", "", "all", "the bidding ends without a bid"),
        EventKind("pay", "who pays", "card", "gold that goes with it", "all", "a card of a payment"),
        EventKind("shaman", "who pays", "card", "animal it turns", "all", "a shaman is discarded, the animal follows"),
        EventKind("sail", "leader", "route", "", "all", "a sea route is travelled"),
        EventKind("move", "leader", "place", "way", "all", "the expedition reaches a named place"),
        EventKind("marker", "", "place", "markers there now", "all", "the expedition stops, a marker is placed"),
        EventKind("return", "", "", "", "all", "the expedition stops in the base"),
        EventKind("curse laid", "who lays", "place", "", "all", "a curse is laid open"),
        EventKind("treasure laid", "who lays", "treasure", "", "all", "a treasure or a bonus is laid open"),
        EventKind("telegram", "", "", "marker: 4 or 9", "all", "a telegram arrives"),
        EventKind("draw", "who draws", "card", "", "the seat", "an adventure card from the deck into the hand"),
        EventKind("buy", "who buys", "", "", "all", "one gold is paid for the next card"),
        EventKind("take", "who takes", "card", "", "all", "an adventure card of the display"),
        EventKind("refill", "", "card", "", "all", "an adventure card is laid into the display"),
        EventKind("shuffle", "", "", "", "all", "the discard became the deck"),
        EventKind("lightning", "who has it", "card", "", "all", "a lightning card is discarded and takes effect"),
        EventKind("rob", "thief", "card", "victim", "thief and victim", "an adventure card is taken at random"),
        EventKind("loot", "thief", "treasure", "victim", "thief and victim", "a treasure card is taken at random"),
        EventKind("bigfoot", "who places it", "from (-1: outside)", "to", "all", "bigfoot stands on another route"),
        EventKind("leviathan", "who places it", "from (-1: outside)", "to", "all", "so does the leviathan"),
        EventKind("choose", "who chooses", "card", "player", "all", "a player of a panda or a baron-saturday"),
        EventKind("discard", "whose hand", "card", "", "all", "an adventure card is given up"),
        EventKind("end", "", "0 natural, 1 truncated", "", "all", "the game is over"),
    )
)


class Event(IntEnum):
    """The number of each kind of event."""

    TREASURE = 1
    DESTINY = 2
    CURSE = 3
    REJECT_TREASURE = 4
    REJECT_DESTINY = 5
    DEAL = 6
    ROUND = 7
    BID = 8
    JOIN = 9
    RAISE = 10
    PASS = 11
    PLAY = 12
    WINNER = 13
    STAY = 14
    PAY = 15
    SHAMAN = 16
    SAIL = 17
    MOVE = 18
    MARKER = 19
    RETURN = 20
    CURSE_LAID = 21
    TREASURE_LAID = 22
    TELEGRAM = 23
    DRAW = 24
    BUY = 25
    TAKE = 26
    REFILL = 27
    SHUFFLE = 28
    LIGHTNING = 29
    ROB = 30
    LOOT = 31
    BIGFOOT = 32
    LEVIATHAN = 33
    CHOOSE = 34
    DISCARD = 35
    END = 36


if [e.name.lower().replace("_", " ") for e in Event] != list(EVENTS.names[1:]):
    raise AssertionError("the event numbers and the event table differ")
