"""I6: what can be paid, and paying card by card.

The highest payable amount is exact and needs no search. Cards that cost no gold never stand in each other's way: all
cards of the way and of turned animals count together, and a shaman adds a whole animal, so the shamans go to the
animals most numerous in hand. Dragons and zeppelins compete for the gold alone, and for nothing else: with z zeppelins
paid, every dragon the rest of the gold allows is worth having, so trying each z is trying everything. The two parts add
up, the second one read from a table. Overpaying is allowed (I6.3), so every amount up to the highest can be paid too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from isla_dorada_env.actions import NUM_ANIMALS, OFFSET
from isla_dorada_env.components import CARD_GOLD, CARD_VALUES, GOLD_COSTS, VALUES
from isla_dorada_env.decisions import Decision
from isla_dorada_env.events import Event
from isla_dorada_env.gold import PAYABLE_WITH_GOLD
from isla_dorada_env.rules.hands import copies, lay_out, one
from isla_dorada_env.vocab import CARD_OF_WAY, Card, Way
from island_core.bitset import set_bit
from island_core.decisions import pop, push, retop
from island_core.jit import kernel

Rec = Any

CARD_VALUE = CARD_VALUES
CARD_COST = CARD_GOLD
CARD_ON = np.array(CARD_OF_WAY, np.int64)
DRAGON_VALUE = VALUES[Card.DRAGON]
ZEPPELIN_VALUE = VALUES[Card.ZEPPELIN]
DRAGON_COST = GOLD_COSTS[Card.DRAGON]
ZEPPELIN_COST = GOLD_COSTS[Card.ZEPPELIN]


@kernel
def payable_with_gold(dragons: int, zeppelins: int, gold: int) -> int:
    """I6.1: the most that dragons and zeppelins make of the gold."""
    return PAYABLE_WITH_GOLD[dragons, zeppelins, gold]


@kernel
def payable_without_gold(counts: np.uint64, way: int, turned: int) -> int:
    """I6.1, I6.2: the most that animals, shamans and kayaks make on a way; ``turned`` is the bit set of animals (by
    kind of card) that a shaman has turned in this payment.
    """
    if way == Way.FLIGHT:
        return 0
    own = CARD_ON[way]
    amount = copies(counts, own) * CARD_VALUE[own]
    if way == Way.WATER:
        return amount
    # Of the two other animals those turned count, and the shamans left turn the larger one first.
    larger = 0
    both = 0
    for animal in range(NUM_ANIMALS):
        if animal != own:
            worth = copies(counts, animal) * CARD_VALUE[animal]
            if (turned >> animal) & 1:
                amount += worth
                worth = 0
            larger = max(larger, worth)
            both += worth
    shamans = copies(counts, Card.SHAMAN)
    if shamans > 1:
        amount += both
    elif shamans > 0:
        amount += larger
    return amount


@kernel
def most_with_gold(s: Rec, seat: int, counts: np.uint64) -> int:
    """`payable_with_gold` of a seat."""
    return payable_with_gold(copies(counts, Card.DRAGON), copies(counts, Card.ZEPPELIN), s.gold[seat])


@kernel
def highest_payable(s: Rec, seat: int, way: int) -> int:
    """I5.3: the most that a seat could pay for a way with his hand and gold."""
    counts = s.hand_counts[seat]
    return payable_without_gold(counts, way, 0) + most_with_gold(s, seat, counts)


@kernel
def next_payment(s: Rec) -> bool:
    """I6, I12.4: ask the next member of the winning bid, in the basic game the winner; false if all have paid. A share
    of 0 pays nothing.
    """
    while s.frame_b[0] < 6:
        seat = s.bid_joined[s.frame_b[0]]
        s.frame_b[0] += 1
        if seat >= 0 and s.bid_amount[seat] > 0:
            push(s, Decision.PAY, seat, s.bid_amount[seat], 0)
            return True
    return False


@kernel
def legal_pay(s: Rec, words: Any) -> None:
    """I6.3: the cards that count for the way and after which the rest can still be covered."""
    top = s.depth - 1
    seat = s.frame_seat[top]
    due = s.frame_a[top]
    turned = s.frame_b[top]
    way = s.bid_way[seat]
    gold = s.gold[seat]
    counts = s.hand_counts[seat]
    dragons = copies(counts, Card.DRAGON)
    zeppelins = copies(counts, Card.ZEPPELIN)
    free = payable_without_gold(counts, way, turned)
    costly = payable_with_gold(dragons, zeppelins, gold)
    if dragons > 0 and gold >= DRAGON_COST:
        rest = due - DRAGON_VALUE
        if free + payable_with_gold(dragons - 1, zeppelins, gold - DRAGON_COST) >= rest:
            set_bit(words, OFFSET.pay + Card.DRAGON)
    if zeppelins > 0 and gold >= ZEPPELIN_COST:
        rest = due - ZEPPELIN_VALUE
        if free + payable_with_gold(dragons, zeppelins - 1, gold - ZEPPELIN_COST) >= rest:
            set_bit(words, OFFSET.pay + Card.ZEPPELIN)
    if way == Way.FLIGHT:
        return
    # A card that costs nothing and needs no shaman never spoils the rest.
    own = CARD_ON[way]
    if copies(counts, own) > 0:
        set_bit(words, OFFSET.pay + own)
    if way == Way.WATER:
        return
    for animal in range(NUM_ANIMALS):
        if animal != own and copies(counts, animal) > 0:
            if (turned >> animal) & 1:
                set_bit(words, OFFSET.pay + animal)
            elif copies(counts, Card.SHAMAN) > 0:
                left = counts - one(animal) - one(Card.SHAMAN)
                rest = due - CARD_VALUE[animal]
                if payable_without_gold(left, way, turned | (1 << animal)) + costly >= rest:
                    set_bit(words, OFFSET.pay_with_shaman + animal)


@kernel
def apply_pay(s: Rec, action: int) -> None:
    """I6.3, I6.4: the card, the shaman and the gold are paid; payment stops as soon as the amount is covered."""
    top = s.depth - 1
    seat = s.frame_seat[top]
    turned = s.frame_b[top]
    if action >= OFFSET.pay_with_shaman:
        card = action - OFFSET.pay_with_shaman
        turned |= 1 << card
        lay_out(s, seat, Card.SHAMAN, Event.SHAMAN, card)
    else:
        card = action - OFFSET.pay
    s.gold[seat] -= CARD_COST[card]
    lay_out(s, seat, card, Event.PAY, CARD_COST[card])
    due = s.frame_a[top] - CARD_VALUE[card]
    if due > 0:
        retop(s, Decision.PAY, seat, due, turned)
    else:
        pop(s)
