"""What a seat may hope for: the points its treasures, curses and destiny are still likely to bring (I8, I2.3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from isla_dorada_env import board, components
from isla_dorada_env.actions import HAND_LIMIT
from isla_dorada_env.board import NUM_PLACES
from isla_dorada_env.components import FIRST_BONUS
from isla_dorada_env.policies.gains import DESTINY_PLACES, visited
from isla_dorada_env.policies.reach import REACH
from isla_dorada_env.rules.hands import copies
from isla_dorada_env.rules.treasures import BONUSES, hand_end, hand_start
from isla_dorada_env.vocab import BASE, Card, DestinyKind
from island_core.bitset import lowest
from island_core.jit import kernel

Rec = Any

VALUE = components.TREASURE_VALUES
PICTURE = components.TREASURE_PICTURE
PLACE = components.TREASURE_PLACE
CURSE_VALUE = components.CURSE_VALUES
KIND = components.DESTINY_KIND
POINTS = components.DESTINY_POINTS
MAX_POINTS = components.DESTINY_MAX_POINTS
CARD_ASKED = components.DESTINY_CARD
N_ASKED = components.DESTINY_N
SEA_POINTS = components.DESTINY_SEA_POINTS
NEARBY = board.TREASURES_NEAR
ONE = np.uint64(1)
NONE = np.uint64(0)

DREAD = 0.9
"""How likely a place with an own curse is come to, beside one that a seat wants to go to."""
LONE_BONUS = 0.25
"""The share of its value that a bonus is worth without a treasure, at the start of the game."""
BONGO_PART = 0.5
"""The share of what a bongo could add next to a place that counts."""
TOGETHER = 0.8
"""What each further place that a destiny asks for makes of the chance to visit them all."""
SEA_CHANCE = 0.12
"""Probability that a round brings a sea journey."""
NEW_CHANCE = 0.7
"""Probability that a marker lies on a new place."""
CARD_CHANCE = 0.35
"""Cards of a kind that a seat can add to its hand in a round, if it wants them."""


@kernel
def chance(camp: int, place: int, left: int, arriving: bool) -> float:
    """The probability of coming to a place with so many markers left; ``arriving`` at the camp counts, too."""
    return 1.0 if arriving and place == camp else REACH[left, camp, place]


@kernel
def treasure_prospects(s: Rec, seat: int, camp: int, left: int, arriving: bool) -> float:
    """I8.2: the points that the treasures in hand are likely to bring, and what a bongo in hand adds to it (I8.3)."""
    first = hand_start(s, seat)
    end = hand_end(s, seat)
    bongo = 0.0
    holds_bongo = copies(s.hand_counts[seat], Card.BONGO) > 0
    total = 0.0
    for entry in range(first, end):
        card = s.treasure_card[entry]
        if card < FIRST_BONUS:
            likely = chance(camp, PLACE[card], left, arriving)
            total += VALUE[card] * likely
            if holds_bongo and (NEARBY[camp] >> np.uint64(card)) & ONE != NONE:
                bongo = max(bongo, VALUE[card] * (1.0 - likely))
    if s.treasure_kinds[seat] & BONUSES != NONE:
        for entry in range(first, end):
            if s.treasure_card[entry] >= FIRST_BONUS:
                total += bonus_prospect(s, seat, s.treasure_card[entry], camp, left, arriving)
    return total + BONGO_PART * bongo


@kernel
def bonus_prospect(s: Rec, seat: int, bonus: int, camp: int, left: int, arriving: bool) -> float:
    """I2.2: what a bonus is likely to bring: it goes with the first treasure of its picture that is laid."""
    missed = 1.0 - LONE_BONUS * left / components.MARKERS
    for entry in range(hand_start(s, seat), hand_end(s, seat)):
        card = s.treasure_card[entry]
        if card < FIRST_BONUS and PICTURE[card] == PICTURE[bonus]:
            missed *= 1.0 - chance(camp, PLACE[card], left, arriving)
    return VALUE[bonus] * (1.0 - missed)


@kernel
def curse_prospects(s: Rec, seat: int, camp: int, left: int, arriving: bool) -> float:
    """I8.1: the points, negative, that the curses in hand are likely to cost."""
    total = 0.0
    curses = s.curses_in_hand[seat]
    while curses != NONE:
        place = lowest(curses)
        curses &= curses - ONE
        if arriving and place == camp:
            total += CURSE_VALUE[place]
        else:
            total += DREAD * CURSE_VALUE[place] * REACH[left, camp, place]
    return total


@kernel
def often(camp: int, place: int, times: int, left: int, arriving: bool) -> float:
    """The probability of stopping at a place so many times more, the moves left shared evenly among them."""
    if times <= 0:
        return 1.0
    if arriving and place == camp:
        times -= 1
        if times == 0:
            return 1.0
    if left < times:
        return 0.0
    each = left // times
    likely = REACH[each, camp, place]
    for _ in range(times - 1):
        likely *= REACH[each, place, place]
    return likely


@kernel
def power(base: float, exponent: int) -> float:
    """A power with a small exponent from 0 up."""
    result = 1.0
    for _ in range(exponent):
        result *= base
    return result


@kernel
def at_least(successes: int, trials: int, likely: float) -> float:
    """The probability of so many successes at least in so many trials."""
    if successes <= 0:
        return 1.0
    if successes > trials:
        return 0.0
    total = 0.0
    term = power(1.0 - likely, trials)
    for k in range(trials + 1):
        if k >= successes:
            total += term
        term *= (trials - k) / (k + 1.0) * likely / (1.0 - likely)
    return total


@kernel
def destiny_prospect(s: Rec, seat: int, destiny: int, camp: int, left: int, arriving: bool) -> float:
    """I2.3: the points that a destiny is likely to bring to a seat."""
    kind = KIND[destiny]
    if kind == DestinyKind.VISIT_ALL:
        return visits_prospect(s, destiny, camp, left, arriving)
    if kind == DestinyKind.CARDS_IN_HAND_AT_END:
        held = copies(s.hand_counts[seat], CARD_ASKED[destiny]) + CARD_CHANCE * left
        return min(POINTS[destiny] * min(held, HAND_LIMIT), float(MAX_POINTS[destiny]))
    if kind == DestinyKind.SEA_JOURNEYS:
        return sea_prospect(destiny, s.sea_journeys, left)
    if kind == DestinyKind.DISTINCT_PLACES_AT_LEAST:
        missing = N_ASKED[destiny]
        for place in range(NUM_PLACES):
            if s.markers[place] > 0 or (arriving and place == camp and place != BASE):
                missing -= 1
        return POINTS[destiny] * at_least(missing, left, NEW_CHANCE)
    if kind == DestinyKind.MARKERS_ON_ONE_PLACE_AT_LEAST:
        likely = 0.0
        for place in range(NUM_PLACES):
            if place != BASE:
                missing = N_ASKED[destiny] - s.markers[place]
                likely = max(likely, often(camp, place, missing, left, arriving))
        return POINTS[destiny] * likely
    return POINTS[destiny] * often(camp, BASE, N_ASKED[destiny] - s.returns, left, arriving)


@kernel
def visits_prospect(s: Rec, destiny: int, camp: int, left: int, arriving: bool) -> float:
    """I2.3: the same for one that asks for markers on places."""
    missing = DESTINY_PLACES[destiny] & ~visited(s)
    if arriving:
        missing &= ~(ONE << np.uint64(camp))
    likely = 1.0
    number = 0
    while missing != NONE:
        place = lowest(missing)
        missing &= missing - ONE
        likely *= REACH[left, camp, place]
        if number > 0:
            likely *= TOGETHER
        number += 1
    return POINTS[destiny] * likely if number <= left else 0.0


@kernel
def sea_prospect(destiny: int, journeys: int, left: int) -> float:
    """I2.3: the same for one that counts sea journeys, after so many of them."""
    none = power(1.0 - SEA_CHANCE, left)
    one = left * SEA_CHANCE * power(1.0 - SEA_CHANCE, max(left - 1, 0))
    first = SEA_POINTS[destiny, min(journeys + 1, 2)]
    return none * SEA_POINTS[destiny, journeys] + one * first + (1.0 - none - one) * SEA_POINTS[destiny, 2]


@kernel
def prospects(s: Rec, seat: int, camp: int, left: int, arriving: bool) -> float:
    """The points a seat may hope for with the expedition at a place, from which ``left`` markers remain to be placed;
    gold and what lies open are left out.

    ``arriving``: as if the expedition stopped there now; otherwise the stop is over.
    """
    return (
        treasure_prospects(s, seat, camp, left, arriving)
        + curse_prospects(s, seat, camp, left, arriving)
        + destiny_prospect(s, seat, s.destiny[seat, 0], camp, left, arriving)
    )
