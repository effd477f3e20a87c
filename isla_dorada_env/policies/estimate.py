"""What a position is worth to each seat, for search that does not play on to the end.

The worth of a seat in points: its points as they stand (I11.2), what its treasures, curses and destiny are still likely
to bring (`prospects`), and what the cards and the gold of its hand are worth later (`worths`). While bids stand, the
expedition counts as on its way to the place of the winning one, which its bidder has yet to pay.

Shares of the win follow from the worths (`island_core.places.likely_shares`); their scale falls from ``FIRST_SCALE`` at
the start to ``LAST_SCALE`` with the markers that are placed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from isla_dorada_env.components import MARKERS
from isla_dorada_env.decisions import Decision
from isla_dorada_env.policies.gains import markers_left
from isla_dorada_env.policies.prospects import prospects
from isla_dorada_env.policies.worths import FIRST_WORTH, GOLD_USE, crowded, hand_price, lasting
from isla_dorada_env.rules.bidding import winning_seat
from isla_dorada_env.rules.hands import copies
from isla_dorada_env.rules.scoring import points
from isla_dorada_env.state import RUNNING
from isla_dorada_env.vocab import BASE, FIRST_LIGHTNING
from island_core.jit import kernel
from island_core.places import likely_shares

Rec = Any

FIRST_SCALE = 8.0
LAST_SCALE = 3.0


@kernel
def hand_worth(s: Rec, seat: int, left: int) -> float:
    """What the cards and the gold in hand are worth with so many markers left to be placed."""
    total = GOLD_USE * s.gold[seat]
    for card in range(FIRST_LIGHTNING):
        for k in range(copies(s.hand_counts[seat], card)):
            total += crowded(FIRST_WORTH[card], k + 1)
    return total * lasting(left)


@kernel
def estimate(states: Any, i: int, out: Any) -> None:
    """The share of the win that each seat may hope for, ``float64[6]``, from 0 to 1 with the sum 1."""
    s = states[i]
    worth = np.empty(6, np.float64)
    left = max(markers_left(s), 0)
    for seat in range(s.num_players):
        worth[seat] = points(s, seat)
    if s.outcome == RUNNING:
        decision = s.frame_decision[s.depth - 1]
        bidding = decision == Decision.BID or decision == Decision.AMOUNT or decision == Decision.OVETO
        winner = winning_seat(s) if bidding else -1
        camp = s.camp
        if winner >= 0:
            camp = s.bid_place[winner]
            if camp != BASE:
                left = max(left - 1, 0)
            worth[winner] -= min(hand_price(s, winner, s.bid_way[winner], s.bid_amount[winner], left), 20.0)
        for seat in range(s.num_players):
            worth[seat] += prospects(s, seat, camp, left, winner >= 0) + hand_worth(s, seat, left)
    share = left / MARKERS
    likely_shares(worth, s.num_players, LAST_SCALE + (FIRST_SCALE - LAST_SCALE) * share, out)
