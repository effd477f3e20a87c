"""What an adventure card in hand is worth in points, and what a payment costs (I2.1, I6)."""

from __future__ import annotations

from typing import Any

import numpy as np

from isla_dorada_env import components
from isla_dorada_env.actions import HAND_LIMIT, NUM_ANIMALS
from isla_dorada_env.rules.hands import copies
from isla_dorada_env.rules.payment import CARD_ON, DRAGON_COST, DRAGON_VALUE, ZEPPELIN_COST, ZEPPELIN_VALUE
from isla_dorada_env.vocab import FIRST_LIGHTNING, Card, DestinyKind, Way
from island_core.jit import kernel

Rec = Any

CARD_VALUE = components.CARD_VALUES
CARD_COST = components.CARD_GOLD
DESTINY_KIND = components.DESTINY_KIND
DESTINY_POINTS = components.DESTINY_POINTS
DESTINY_MAX_POINTS = components.DESTINY_MAX_POINTS
DESTINY_CARD = components.DESTINY_CARD
MARKERS = components.MARKERS

WORTH = {
    Card.YAK: 0.6,
    Card.KAMEL: 0.6,
    Card.GONOGO: 0.6,
    Card.KAYAK: 0.8,
    Card.DRAGON: 1.5,
    Card.ZEPPELIN: 0.9,
    Card.SHAMAN: 0.7,
    Card.OVETO: 0.5,
    Card.JUJU: 0.5,
    Card.SANGAIA: 0.9,
    Card.BONGO: 1.8,
    Card.MACAQUE: 1.2,
    Card.ANTIK: 3.2,
    Card.ISTWA: 0.7,
    Card.MARABOU: 2.5,
    Card.DIAWAS: 1.1,
    Card.PANDA: 0.5,
    Card.BARON_SATURDAY: 1.0,
}
FIRST_WORTH = np.array([WORTH.get(card, 0.0) for card in Card])
"""What each kind of card is worth in points when the game begins, ``float64[20]``: the first copy in hand of those that
are kept, and what lightning cards bring."""
LASTING = 2.0
"""The markers left at which a card is worth half as much as with no end in sight."""
CROWDING = 0.12
"""By how much each further copy in hand is worth less, as a share of what is left."""
GOLD_USE = 0.8
"""What a piece of gold is worth beside its point at the end, as long as there is no end in sight."""
NOT_PAYABLE = 1000.0


@kernel
def lasting(left: int) -> float:
    """The share of its full worth that something to be used later has with so many markers left to be placed."""
    return left / (left + LASTING)


@kernel
def gold_worth(left: int) -> float:
    """What a piece of gold is worth: the point it counts at the end (I11.2), and its use in payments until then."""
    return 1.0 + GOLD_USE * lasting(left)


@kernel
def crowded(worth: float, held: int) -> float:
    """What the last of ``held`` copies of a card is worth if a single one is worth so much."""
    return worth / (1.0 + CROWDING * (held - 1))


@kernel
def card_worth(s: Rec, seat: int, card: int, held: int, left: int) -> float:
    """What the last of ``held`` copies of a card is worth with so many markers left to be placed, in points."""
    worth = crowded(FIRST_WORTH[card] * lasting(left), held)
    destiny = s.destiny[seat, 0]
    if DESTINY_KIND[destiny] == DestinyKind.CARDS_IN_HAND_AT_END and DESTINY_CARD[destiny] == card:
        # I2.3: so many cards as the destiny pays for are kept.
        paid_for = DESTINY_MAX_POINTS[destiny] - DESTINY_POINTS[destiny] * (held - 1)
        worth += max(min(DESTINY_POINTS[destiny], paid_for), 0)
    return worth


@kernel
def spent(s: Rec, seat: int, counts: np.uint64, card: int, number: int, left: int) -> float:
    """What so many cards of a kind cost, with the gold that goes with them, that leave a hand with these counts."""
    held = copies(counts, card)
    total = 0.0
    for k in range(number):
        total += card_worth(s, seat, card, held - k, left) + gold_worth(left) * CARD_COST[card]
    return total


@kernel
def price(s: Rec, seat: int, counts: np.uint64, gold: int, way: int, amount: int, turned: int, left: int) -> float:
    """I6: what the cheapest payment of an amount costs a seat in points, from a hand with these counts and some gold;
    `NOT_PAYABLE` if it cannot pay. ``turned``: animals that a shaman has turned already, by kind of card.
    """
    if amount <= 0:
        return 0.0
    best = NOT_PAYABLE
    for zeppelins in range(copies(counts, Card.ZEPPELIN) + 1):
        due = amount - ZEPPELIN_VALUE * zeppelins
        gold_left = gold - ZEPPELIN_COST * zeppelins
        if gold_left < 0 or (zeppelins > 0 and due + ZEPPELIN_VALUE <= 0):
            break
        paid = spent(s, seat, counts, Card.ZEPPELIN, zeppelins, left)
        for dragons in range(copies(counts, Card.DRAGON) + 1):
            rest = due - DRAGON_VALUE * dragons
            if gold_left < DRAGON_COST * dragons or (dragons > 0 and rest + DRAGON_VALUE <= 0):
                break
            cost = paid + spent(s, seat, counts, Card.DRAGON, dragons, left)
            best = min(best, cost + price_without_gold(s, seat, counts, way, rest, turned, left))
    return best


@kernel
def price_without_gold(s: Rec, seat: int, counts: np.uint64, way: int, due: int, turned: int, left: int) -> float:
    """I6.1, I6.2: what animals, shamans and kayaks cost that pay what is due: first the cards of the way and of turned
    animals, then a shaman for the animal most numerous in hand, then another one.
    """
    if due <= 0:
        return 0.0
    if way == Way.FLIGHT:
        return NOT_PAYABLE
    own = CARD_ON[way]
    cost = 0.0
    done = 0
    shamans = copies(counts, Card.SHAMAN)
    card = own
    while True:
        value = CARD_VALUE[card]
        number = min(copies(counts, card), (due + value - 1) // value)
        cost += spent(s, seat, counts, card, number, left)
        due -= number * value
        done |= 1 << card
        if due <= 0:
            return cost
        if way == Way.WATER:
            return NOT_PAYABLE
        card = -1
        for animal in range(NUM_ANIMALS):
            if not (done >> animal) & 1 and copies(counts, animal) > 0:
                if (turned >> animal) & 1:
                    card = animal
                    break
                if shamans > 0 and (card < 0 or copies(counts, animal) > copies(counts, card)):
                    card = animal
        if card < 0:
            return NOT_PAYABLE
        if not (turned >> card) & 1:
            cost += card_worth(s, seat, Card.SHAMAN, shamans, left)
            shamans -= 1


@kernel
def hand_price(s: Rec, seat: int, way: int, amount: int, left: int) -> float:
    """`price` from the hand as it is."""
    return price(s, seat, s.hand_counts[seat], s.gold[seat], way, amount, 0, left)


@kernel
def worst_card(s: Rec, seat: int, left: int) -> int:
    """The card in hand that is worth least."""
    best = np.inf
    worst = -1
    for card in range(FIRST_LIGHTNING):
        held = copies(s.hand_counts[seat], card)
        if held > 0 and card_worth(s, seat, card, held, left) < best:
            best = card_worth(s, seat, card, held, left)
            worst = card
    return worst


@kernel
def added_worth(s: Rec, seat: int, card: int, left: int) -> float:
    """What one more card is worth: in a full hand less the worst one, which has to go (I10.6)."""
    worth = card_worth(s, seat, card, copies(s.hand_counts[seat], card) + 1, left)
    if s.hand_size[seat] >= HAND_LIMIT:
        worst = worst_card(s, seat, left)
        worth -= card_worth(s, seat, worst, copies(s.hand_counts[seat], worst), left)
    return max(worth, 0.0)
