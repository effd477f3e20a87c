"""The record of one game: every fact of the position, declared once."""

from __future__ import annotations

from dracheninsel_env.actions import ACTIONS
from dracheninsel_env.board import CELLS
from dracheninsel_env.components import CARD_SLOTS, COINS, CONTENT, DRAGONS, HAND_SIZE, NUM_CARDS
from island_core import jit
from island_core.cards import card_fields
from island_core.decisions import NATURAL as NATURAL
from island_core.decisions import RUNNING as RUNNING
from island_core.decisions import TRUNCATED as TRUNCATED
from island_core.decisions import stack_fields
from island_core.events import event_fields
from island_core.layout import Field, Layout

# The tables of the kernels come from the components file, so its content is part of their cache key.
jit.declare("dracheninsel_env", CONTENT)

STOCK = -1
"""Where a treasure is, besides a space: not laid yet, paid out as coins, removed from the game."""
COLLECTED = -2
REMOVED = -3

STACK_LIMIT = 3

STATE = Layout(
    "dracheninsel",
    [
        Field("rng", "u8", (4,), "words of the random generator", "nobody"),
        Field("legal", "u8", (ACTIONS.words,), "legal actions of the top decision, as a bit set; derived", "nobody"),
        # options and seating, fixed for the game
        Field("num_players", "i1", (), "number of players"),
        Field("polls_all", "i1", (), "1: polls ask every seat in question (D8.11)"),
        Field("slumber_on_arrival", "i1", (), "1: a slumber window after a lone arrival on the site (D8.9)"),
        Field("random_layout", "i1", (), "1: the layout is drawn (D1.4)"),
        Field("max_turns", "i2", (), "turns after which the game is truncated (D4.7)"),
        Field("owner", "i1", (6,), "seat of each hunter, -1 if he stays out"),
        Field("hunters", "i1", (6, 2), "hunters of each seat, -1 for none"),
        # the board
        Field("terrain", "i1", (CELLS,), "disc on each cell (a terrain), -1 on the site"),
        Field("at", "i1", (6,), "space of each hunter, -1 if he stays out"),
        Field("treasure_at", "i1", (len(COINS),), "space of each treasure; -1 stock, -2 collected, -3 removed"),
        Field("dragon_at", "i1", (DRAGONS,), "cell of each dragon, -1 outside; those outside come last"),
        Field("coins", "i1", (6, len(COINS)), "coins of each seat by value"),
        # the cards
        *card_fields(HAND_SIZE, CARD_SLOTS, NUM_CARDS, "until the turn ends"),
        # the turn
        *stack_fields(STACK_LIMIT),
        Field("turns", "i2", (), "turns finished"),
        Field("outcome", "i1", (), "0 running, 1 ended by itself, 2 truncated"),
        Field("acts", "i2", (), "acts begun in this turn"),
        Field("mover", "i1", (), "hunter chosen by the first movement of this turn, -1 before it (D9.2)"),
        Field("freed", "i1", (), "bit set of terrains freed by long journeys (D8.5)"),
        Field("left_alone", "i1", (), "bit set of own hunters whose partner the active player sent away (D6.7)"),
        Field("listed_cells", "u8", (2,), "the list of D4.6 for each own hunter: cells"),
        Field("listed_boats", "i1", (2,), "the list of D4.6 for each own hunter: boats"),
        # the last act, for its undoing (D8.10)
        Field("undo_at", "i1", (6,), "hunters before the act"),
        Field("undo_treasure_at", "i1", (len(COINS),), "treasures before the act"),
        Field("undo_dragon_at", "i1", (DRAGONS,), "dragons before the act"),
        Field("undo_swap", "i1", (2,), "cells whose discs the act swapped, equal if none"),
        Field("undo_stolen", "i1", (), "number of cards the act took from other hands"),
        Field("undo_stolen_card", "i1", (5,), "the cards taken, in order", "nobody"),
        Field("undo_stolen_seat", "i1", (5,), "their owners"),
        Field("undo_discarded", "i1", (), "number of cards of the hand that the act discarded"),
        Field("undo_discarded_card", "i1", (HAND_SIZE,), "those cards"),
        *event_fields(),
    ],
)
