"""I5.3, I6: the highest payable amount of the kernels against a search over all payments, which shares no code."""

import itertools
import random

import numpy as np
import pytest

from isla_dorada_env.components import CARD_COPIES
from isla_dorada_env.rules.hands import copies, one
from isla_dorada_env.rules.payment import payable_with_gold, payable_without_gold
from isla_dorada_env.vocab import CARDS, WAYS, Card
from tests.isla_dorada import oracle_box

PAYING = ("yak", "kamel", "gonogo", "kayak", "dragon", "zeppelin", "shaman")
ANIMALS = ("yak", "kamel", "gonogo")


def highest(hand: list[str], gold: int, way: str, turned: list[str]) -> int:
    """What the kernels say."""
    counts = np.uint64(0)
    for card in hand:
        counts += one(CARDS.index(card))
    bits = sum(1 << CARDS.index(animal) for animal in turned)
    costly = payable_with_gold(copies(counts, int(Card.DRAGON)), copies(counts, int(Card.ZEPPELIN)), gold)
    return int(payable_without_gold(counts, WAYS.index(way), bits) + costly)


def searched(hand: list[str], gold: int, way: str, turned: list[str]) -> int:
    """What a search over all payments finds."""
    return oracle_box.most(oracle_box.purse(way, hand, gold, turned))


@pytest.mark.rule("I5.3", "I6.1", "I6.2")
def test_all_hands_of_a_reduced_deck() -> None:
    """Up to two of each card that pays, up to three zeppelins and dragons where the gold is what matters."""
    tried = 0
    for numbers in itertools.product(range(3), repeat=4):
        hand = [card for card, number in zip((*ANIMALS, "shaman"), numbers, strict=True) for _ in range(number)]
        for way in WAYS:
            assert highest(hand, 10, way, []) == searched(hand, 10, way, []), (hand, way)
            tried += 1
    for dragons, zeppelins, kayaks in itertools.product(range(4), range(4), range(3)):
        hand = ["dragon"] * dragons + ["zeppelin"] * zeppelins + ["kayak"] * kayaks
        for gold in range(11):
            for way in ("water", "flight", "jungle"):
                assert highest(hand, gold, way, []) == searched(hand, gold, way, []), (hand, gold, way)
                tried += 1
    assert tried == 81 * 5 + 48 * 11 * 3


@pytest.mark.rule("I5.3", "I6.1", "I6.2")
def test_random_hands_of_the_whole_deck() -> None:
    """Ten cards of the deck, any gold, in the middle of payments too."""
    rng = random.Random(5)
    deck = [card for card, number in zip(CARDS, CARD_COPIES.tolist(), strict=True) for _ in range(number)]
    deck = [card for card in deck if CARDS.index(card) < Card.MACAQUE]
    most = 0
    for _ in range(1500):
        hand, gold = rng.sample(deck, rng.randint(1, 10)), rng.randint(0, 10)
        way = rng.choice(WAYS)
        turned = rng.sample(ANIMALS, rng.randint(0, 2)) if way in ("jungle", "desert", "mountain") else []
        amount = highest(hand, gold, way, turned)
        assert amount == searched(hand, gold, way, turned), (hand, gold, way, turned)
        most = max(most, amount)
    assert most >= 12


@pytest.mark.rule("I6.1")
def test_the_gold_is_spent_on_what_makes_most_of_it() -> None:
    assert payable_with_gold(2, 1, 3) == 5  # a zeppelin, not two dragons
    assert payable_with_gold(2, 1, 4) == 7
    assert payable_with_gold(4, 1, 4) == 8
    assert payable_with_gold(9, 3, 10) == 19  # one zeppelin and seven dragons
    assert payable_with_gold(0, 3, 8) == 10


@pytest.mark.rule("I5.3")
def test_the_highest_amount_of_all() -> None:
    from isla_dorada_env.actions import HIGHEST_AMOUNT

    best = max(
        searched(["zeppelin"] * z + ["dragon"] * d + ["kayak"] * (10 - z - d), 10, "water", [])
        for z in range(4)
        for d in range(4)
    )
    assert best == HIGHEST_AMOUNT == 29
