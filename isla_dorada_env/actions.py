"""The action table of the game; names are in section 2 of the decisions protocol.

Other players are named by their distance clockwise from the seat that decides, everything else is absolute.
``notation`` translates ids to names.
"""

from __future__ import annotations

from isla_dorada_env.board import NUM_PLACES, ROUTE_NAMES
from isla_dorada_env.components import DESTINY_NAMES, FIRST_BONUS, GOLD_COSTS, TREASURE_NAMES, VALUES
from isla_dorada_env.vocab import CARD_OF_WAY, CARDS, KEPT_CARDS, LAND_WAYS, PAYING_CARDS, PLACES, WAYS, Card
from island_core.actions import ActionTable, Arg, Block

SIZE = 512
"""The size of the action space for the whole major version."""

HAND_LIMIT = 10
"""Adventure cards a hand may hold at the end of a round (I10.6), so the most that any payment is made from."""
MOST_IN_HAND = HAND_LIMIT + 2
"""A card drawn and a card bought before the hand limit applies (I10.1, I10.6)."""
START_GOLD = 10
"""Gold of each player at the start; there is never more (I2.4)."""


def _highest_amount() -> int:
    """The most that any hand can pay (I6.1): zeppelins and dragons that the gold allows, else kayaks."""
    dragon, zeppelin = GOLD_COSTS[Card.DRAGON], GOLD_COSTS[Card.ZEPPELIN]
    return max(
        VALUES[Card.ZEPPELIN] * zeppelins
        + VALUES[Card.DRAGON] * dragons
        + VALUES[Card.KAYAK] * (HAND_LIMIT - zeppelins - dragons)
        for zeppelins in range(HAND_LIMIT + 1)
        for dragons in range(HAND_LIMIT + 1 - zeppelins)
        if zeppelin * zeppelins + dragon * dragons <= START_GOLD
    )


HIGHEST_AMOUNT = _highest_amount()
"""The largest amount of a bid, and the largest share: 29."""

_PLACE = Arg("place", PLACES)
_WAY = Arg("way", WAYS)
_AMOUNT = Arg("amount", tuple(str(n) for n in range(HIGHEST_AMOUNT + 1)))
_TREASURE = Arg("treasure", TREASURE_NAMES)
_LONE_TREASURE = Arg("treasure but bonus", TREASURE_NAMES[:FIRST_BONUS])
_DESTINY = Arg("destiny", tuple(name or f"unused {k}" for k, name in enumerate(DESTINY_NAMES)))
_OTHER = Arg("other player", ("next", "second", "third", "fourth", "fifth"))
_PLAYER = Arg("player", ("oneself", *_OTHER.values))
_PAYING = Arg("paying card", tuple(CARDS[card] for card in PAYING_CARDS))
_ANIMAL = Arg("animal", tuple(CARDS[card] for card in sorted(CARD_OF_WAY[way] for way in LAND_WAYS)))
_SOURCE = Arg("source", ("deck", *CARDS))
_KEPT = Arg("kept card", tuple(CARDS[card] for card in KEPT_CARDS))
_ROUTE = Arg("route", ROUTE_NAMES)

ACTIONS = ActionTable(
    (
        Block("bid", (_WAY, _PLACE), "bid <place> <way>", "a bid, or a new bid: where and how", "I5.1"),
        Block("amount", (_AMOUNT,), "amount <n>", "how much", "I5.1"),
        Block("pass", (), "pass", "neither bid nor join nor raise", "I5.1", passive=True),
        Block("juju", (_OTHER,), "juju <player>", "bar a player from this bidding", "I5.5"),
        Block("join", (_WAY, _PLACE), "join <place> <way>", "join a bid", "I12.1"),
        Block("raise", (), "raise", "raise one's share", "I12.1"),
        Block("share", (_AMOUNT,), "share <n>", "one's share from now on", "I12.1"),
        Block("oveto", (), "oveto", "end the bidding", "I5.4"),
        Block("pay", (_PAYING,), "pay <card>", "one card of a payment", "I6.3"),
        Block("pay with shaman", (_ANIMAL,), "pay <card> with shaman", "the first card of a turned animal", "I6.2"),
        Block("sangaia", (), "sangaia", "make the expedition go on", "I7.3"),
        Block("go", (_PLACE,), "go <place>", "where it goes on to", "I7.3"),
        Block("bongo", (_LONE_TREASURE,), "bongo <treasure>", "lay a treasure of an adjacent place", "I8.3"),
        Block("draw", (_SOURCE,), "draw deck, draw <card>", "a card from the deck or the display", "I10.1"),
        Block("buy", (_SOURCE,), "buy deck, buy <card>", "a card for one gold", "I10.1"),
        Block("let be", (), "let be", "play nothing in a window, buy nothing", "I4.2", passive=True),
        Block("discard", (_KEPT,), "discard <card>", "give up an adventure card", "I10.6"),
        Block("reject treasure", (_TREASURE,), "reject <treasure>", "give back a treasure card", "I3.2"),
        Block("reject destiny", (_DESTINY,), "reject <destiny>", "give back a destiny", "I3.2"),
        Block("rob", (_OTHER,), "rob <player>", "whom a macaque or marabou robs", "I10.3"),
        Block("place", (_ROUTE,), "place <route>", "where a monster goes", "I9.1"),
        Block("choose", (_PLAYER,), "choose <player>", "a player of a panda or a baron-saturday", "I10.3"),
    ),
    SIZE,
)
OFFSET = ACTIONS.offset

NUM_ANIMALS = len(LAND_WAYS)
"""The animals are the first kinds of cards, then the others that pay: ids of ``pay`` count from yak as cards do."""

if tuple(PAYING_CARDS) != tuple(range(len(PAYING_CARDS))) or len(_ANIMAL.values) != NUM_ANIMALS:
    raise AssertionError("the paying cards are not the first ones, or the animals not the first of them")


def bid_number(way: int, place: int) -> int:
    """A way and a place as one number, as in the blocks ``bid`` and ``join`` and in events."""
    return way * NUM_PLACES + place
