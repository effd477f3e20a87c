"""The record of one game: every fact of the position, declared once."""

from __future__ import annotations

from isla_dorada_env.actions import ACTIONS
from isla_dorada_env.actions import MOST_IN_HAND as MOST_IN_HAND
from isla_dorada_env.board import NUM_PLACES
from isla_dorada_env.components import (
    CONTENT,
    NUM_ADVENTURE_CARDS,
    NUM_COMMON_TREASURES,
    NUM_CURSES,
    NUM_DESTINIES,
    NUM_STARRED_TREASURES,
)
from isla_dorada_env.vocab import CARDS
from island_core import jit
from island_core.cards import card_fields
from island_core.decisions import NATURAL as NATURAL
from island_core.decisions import RUNNING as RUNNING
from island_core.decisions import TRUNCATED as TRUNCATED
from island_core.decisions import stack_fields
from island_core.events import event_fields
from island_core.layout import Field, Layout

# The tables of the kernels come from the components file, so its content is part of their cache key.
jit.declare("isla_dorada_env", CONTENT)

STACK_LIMIT = 3

NUM_TREASURES = NUM_STARRED_TREASURES + NUM_COMMON_TREASURES

LAID = 6
"""What is added to the seat in ``curse_at`` once a curse lies open."""

STATE = Layout(
    "isla_dorada",
    [
        Field("rng", "u8", (4,), "words of the random generator", "nobody"),
        Field("legal", "u8", (ACTIONS.words,), "legal actions of the top decision, as a bit set; derived", "nobody"),
        # options, fixed for the game
        Field("num_players", "i1", (), "number of players"),
        Field("polls_all", "i1", (), "1: polls ask every seat in question (I4.2)"),
        Field("cooperative", "i1", (), "1: cooperative bidding (I12)"),
        Field("max_rounds", "i2", (), "rounds after which the game is truncated (I11.1)"),
        # the board
        Field("camp", "i1", (), "place where the expedition is"),
        Field("markers", "i1", (NUM_PLACES,), "markers on each place"),
        Field("monster_at", "i1", (2,), "route where bigfoot and the leviathan stand, -1 outside"),
        Field("sea_journeys", "i1", (), "tokens for sea journeys: 0, 1, 2 for more (I7.2)"),
        Field("returns", "i2", (), "stops in the base (I2.3)"),
        # gold and adventure cards
        Field("gold", "i1", (6,), "gold of each seat"),
        *card_fields(MOST_IN_HAND, len(CARDS), NUM_ADVENTURE_CARDS, "the display"),
        Field("hand_counts", "u8", (6,), "number of hand cards by kind, four bits each; derived", "owner"),
        # treasures: those of the players in one list
        Field(
            "treasure_start",
            "i1",
            (7,),
            "where the hand of each seat begins in the list of treasures in hand; the last entry is their number",
        ),
        Field(
            "treasure_card",
            "i1",
            (NUM_TREASURES,),
            "treasures in hand (kinds), seat by seat; unused places are 0",
            "seers",
        ),
        Field("treasure_knowers", "i1", (NUM_TREASURES,), "bit set of other seats certain of the hand card", "nobody"),
        Field("laid_total", "i1", (), "number of treasures that lie open"),
        Field("laid_card", "i1", (NUM_TREASURES,), "their kinds, seat by seat, in the order of laying; then 0"),
        Field("laid_seat", "i1", (NUM_TREASURES,), "who has laid them"),
        Field("treasure_kinds", "u8", (6,), "bit set of the kinds of treasures a hand holds; derived", "owner"),
        Field("treasure_deck_size", "i1", (), "number of cards in the treasure deck"),
        Field("treasure_deck", "i1", (NUM_COMMON_TREASURES,), "the treasure deck, the top card last", "nobody"),
        Field(
            "treasure_deck_knowers", "i1", (NUM_COMMON_TREASURES,), "bit set of seats that put the card there", "nobody"
        ),
        Field(
            "treasure_deck_lot",
            "i1",
            (NUM_COMMON_TREASURES,),
            "1, 2: put there with the first or second telegram, in an order nobody knows",
        ),
        Field("starred_rejected", "i1", (6,), "the starred treasure each seat rejected, -1 before", "owner"),
        Field("telegram_rejected", "i1", (6,), "the treasure each seat rejected in this telegram, or -1", "owner"),
        # curses and destinies
        Field("curse_at", "i1", (NUM_PLACES,), "curse of each place: its seat, + 6 if laid, -1 in the deck", "seers"),
        Field("curses_in_hand", "u8", (6,), "bit set of the places whose curses a hand holds; derived", "owner"),
        Field("curses_laid", "u8", (6,), "bit set of the places whose curses a seat has laid open; derived"),
        Field("curse_deck_size", "i1", (), "number of curses in the deck"),
        Field("curse_deck", "i1", (NUM_CURSES,), "places of the curses in the deck, the top one last", "nobody"),
        Field("destiny", "i1", (6, 2), "destiny of each seat and, while he chooses, the other one; -1 none", "owner"),
        Field("destiny_deck_size", "i1", (), "number of cards in the destiny deck"),
        Field("destiny_deck", "i1", (NUM_DESTINIES,), "the destiny deck, the top card last", "nobody"),
        Field("destiny_deck_knowers", "i1", (NUM_DESTINIES,), "bit set of seats that put the card there", "nobody"),
        # the bidding; the winning bid stays until the round is over
        Field("bid_place", "i1", (6,), "place of the last bid of each seat in this bidding, -1 for none"),
        Field("bid_way", "i1", (6,), "way of that bid, -1 for none"),
        Field("bid_amount", "i1", (6,), "its amount, in cooperative bidding the share; 0 for none"),
        Field("bid_joined", "i1", (6,), "seats in the order in which they bid or joined last; then -1"),
        Field("bid_raised", "i1", (6,), "seats in the order in which they bid, joined or raised last; then -1"),
        Field("bid_for", "u8", (6,), "places each seat has bid for or joined in this bidding, as a bit set"),
        Field("passed", "i1", (), "bit set of seats that passed when they were last asked for a bid"),
        Field("barred", "i1", (), "bit set of seats barred by jujus (I5.5)"),
        # the move
        Field("last_route", "i1", (), "route or hop just used (I7.3), -1 for none and after a flight"),
        # the decisions
        *stack_fields(STACK_LIMIT),
        Field("rounds", "i2", (), "rounds finished"),
        Field("winning_total", "i4", (), "sum of the winning bids so far"),
        Field("outcome", "i1", (), "0 running, 1 ended by itself, 2 truncated"),
        *event_fields(),
    ],
)
