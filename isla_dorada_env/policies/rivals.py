"""What others may get out of a place, as far as a seat knows, and whom it has to fear (I2.2, I2.4)."""

from __future__ import annotations

from typing import Any

import numpy as np

from isla_dorada_env import components
from isla_dorada_env.components import FIRST_COMMON_TREASURE, NUM_COMMON_TREASURES, TREASURE_OF
from isla_dorada_env.policies.gains import visited
from isla_dorada_env.rules.scoring import points
from isla_dorada_env.rules.seats import clockwise
from isla_dorada_env.rules.treasures import hand_end, hand_start, treasures_in_hand
from isla_dorada_env.vocab import BASE, TreasureSort
from island_core.bitset import has_bit, popcount
from island_core.jit import kernel

Rec = Any

VALUE = components.TREASURE_VALUES
COPIES = components.TREASURE_COPIES
KIND_OF = TREASURE_OF
STARRED = (np.uint64(1) << np.uint64(FIRST_COMMON_TREASURE)) - np.uint64(1)
"""The starred treasures as a bit set of kinds."""
STARRED_KEPT = 2
"""Starred treasures each player has kept (I3.2)."""
ONE = np.uint64(1)
NONE = np.uint64(0)

INTEREST = 1.5
"""Points that a place is taken to bring each other player who has bid for it in this bidding."""
HAND_POINTS = 1.5
"""Points that a treasure card in another's hand is taken to bring him."""


@kernel
def seen_kinds(s: Rec, seat: int) -> tuple[np.uint64, np.uint64]:
    """Which kinds of treasures a seat sees, in its hand or lying open: once at least, and twice at least."""
    once = NONE
    twice = NONE
    for entry in range(hand_start(s, seat), hand_end(s, seat)):
        bit = ONE << np.uint64(s.treasure_card[entry])
        twice |= once & bit
        once |= bit
    for k in range(s.laid_total):
        bit = ONE << np.uint64(s.laid_card[k])
        twice |= once & bit
        once |= bit
    return once, twice


@kernel
def known_kinds(s: Rec, seat: int) -> np.uint64:
    """Which kinds of treasures a seat is certain of in other hands (I2.4)."""
    known = NONE
    for entry in range(s.treasure_start[6]):
        # His own cards carry no bit of his.
        if (s.treasure_knowers[entry] >> seat) & 1:
            known |= ONE << np.uint64(s.treasure_card[entry])
    return known


@kernel
def held_shares(s: Rec, seat: int, once: np.uint64) -> tuple[float, float]:
    """The probability that another player holds a starred treasure the seat has not seen, of a place without a marker
    (I8.2), and that one holds a common card the seat has not seen: how many of each they hold is public.
    """
    others = 0
    for distance in range(1, s.num_players):
        others += treasures_in_hand(s, clockwise(s, seat, distance))
    starred = min(max(STARRED_KEPT * s.num_players - popcount(once & STARRED), 0), others)
    without_marker = FIRST_COMMON_TREASURE - popcount(visited(s)) - popcount(once & STARRED)
    own = treasures_in_hand(s, seat)
    unseen = NUM_COMMON_TREASURES + popcount(once & STARRED) - own - s.laid_total
    return min(starred / max(without_marker, 1), 1.0), min((others - starred) / max(unseen, 1), 1.0)


@kernel
def rival_gain(
    s: Rec, seat: int, place: int, once: np.uint64, twice: np.uint64, known: np.uint64, shares: tuple[float, float]
) -> float:
    """The points that an arrival at a place is likely to bring the other players together: treasures they are known to
    hold or may hold, and what they have shown by bidding for it.
    """
    if place == BASE:
        return 0.0
    total = 0.0
    starred = KIND_OF[TreasureSort.STARRED, place]
    if s.markers[place] == 0 and starred != s.starred_rejected[seat]:
        if (known >> np.uint64(starred)) & ONE != NONE:
            total += VALUE[starred]
        elif (once >> np.uint64(starred)) & ONE == NONE:
            total += shares[0] * VALUE[starred]
    common = KIND_OF[TreasureSort.COMMON, place]
    unseen = COPIES[common] - np.int64((once >> np.uint64(common)) & ONE) - np.int64((twice >> np.uint64(common)) & ONE)
    if (known >> np.uint64(common)) & ONE != NONE:
        unseen -= 1
        total += VALUE[common]
    total += shares[1] * VALUE[common] * max(unseen, 0)
    for distance in range(1, s.num_players):
        if (s.bid_for[clockwise(s, seat, distance)] >> np.uint64(place)) & ONE != NONE:
            total += INTEREST
    return total


@kernel
def strongest(s: Rec, seat: int, first: int, nearest: int) -> int:
    """I10.3: of the others who may be chosen the one who seems to stand best: by what lies open, gold, and treasure
    cards. ``first`` is the id of the player ``nearest`` places clockwise; -1 if nobody may be chosen.
    """
    best = -np.inf
    chosen = -1
    for distance in range(1, s.num_players):
        action = first + distance - nearest
        if has_bit(s.legal, action):
            other = clockwise(s, seat, distance)
            standing = points(s, other) + HAND_POINTS * treasures_in_hand(s, other)
            if standing > best:
                best = standing
                chosen = action
    return chosen
