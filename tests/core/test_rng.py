"""The generator against published vectors, against an independent plain-Python version, and for uniformity."""

import itertools
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import island_core
from island_core import jit, rng

MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15

# First outputs for the state (1, 2, 3, 4), as also tested by the rand_xoshiro crate; for splitmix64 with seed
# 1234567, as published on Rosetta Code. Both were made with the reference code of prng.di.unimi.it.
XOSHIRO_1234 = (
    41943041,
    58720359,
    3588806011781223,
    3591011842654386,
    9228616714210784205,
    9973669472204895162,
    14011001112246962877,
    12406186145184390807,
    15849039046786891736,
    10450023813501588000,
)
SPLITMIX_1234567 = (
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
)


def mix(word: int) -> int:
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & MASK
    word = (word ^ word >> 27) * 0x94D049BB133111EB & MASK
    return word ^ word >> 31


def rotated(word: int, k: int) -> int:
    return (word << k | word >> 64 - k) & MASK


def xoshiro(state: list[int]) -> Iterator[int]:
    a, b, c, d = state
    while True:
        yield (rotated(a + d & MASK, 23) + a) & MASK
        a, b, c, d = a ^ b ^ d, a ^ b ^ c, c ^ a ^ (b << 17 & MASK), rotated(b ^ d, 45)


def seeded(seed: int, index: int, episode: int) -> list[int]:
    words = []
    for k in range(1, 5):
        word = mix(seed + k * GOLDEN & MASK)
        for part in (index, episode):
            word = mix((word ^ part) + GOLDEN & MASK)
        words.append(word)
    return words


def bounded(words: Iterator[int], n: int) -> int:
    while True:
        product = (next(words) >> 32) * n
        if product % 2**32 >= 2**32 % n:
            return product >> 32


def stream(seed: int, index: int = 0, episode: int = 0) -> np.ndarray:
    words = np.zeros(4, np.uint64)
    rng.seed_words(words, seed, index, episode)
    return words


# Critical values of chi-square at 1e-6, by the approximation of Wilson and Hilferty; the streams are fixed.
def critical(degrees: int) -> float:
    return float(degrees * (1 - 2 / (9 * degrees) + 4.75 * np.sqrt(2 / (9 * degrees))) ** 3)


def chi_square(counts: np.ndarray) -> float:
    expected = counts.sum() / len(counts)
    return float(((counts - expected) ** 2).sum() / expected)


def test_published_vectors() -> None:
    words = np.array([1, 2, 3, 4], np.uint64)
    assert tuple(int(rng.next_word(words)) for _ in XOSHIRO_1234) == XOSHIRO_1234
    outputs = (rng.mix(np.uint64(1234567 + k * GOLDEN & MASK)) for k in range(1, 6))
    assert tuple(map(int, outputs)) == SPLITMIX_1234567


@pytest.mark.parametrize("triple", [(0, 0, 0), (1, 2, 3), (2**63 - 1, 5, 0), (12345, 2**40, 2**62)])
def test_equal_to_plain_python(triple: tuple[int, int, int]) -> None:
    words = stream(*triple)
    assert words.tolist() == seeded(*triple)
    expected = xoshiro(seeded(*triple))
    assert [int(rng.next_word(words)) for _ in range(200)] == list(itertools.islice(expected, 200))
    # For 3 * 2**29 one draw in eight is rejected, for powers of two none.
    for n in (1, 2, 3, 7, 100, 3 * 2**29, 2**31 - 1, 2**31):
        assert [rng.below(words, n) for _ in range(50)] == [bounded(expected, n) for _ in range(50)]


def test_below_takes_every_value_equally_often() -> None:
    words = stream(2024)
    for n in (1, 2, 3, 5, 6, 8, 13, 52, 100):
        draws = 400 * n if jit.JIT_ENABLED else 50 * n
        counts = np.bincount([rng.below(words, n) for _ in range(draws)], minlength=n)
        assert len(counts) == n
        if n > 1:
            assert chi_square(counts) < critical(n - 1)


def test_below_is_unbiased_where_rejection_matters() -> None:
    # Of 2**32 words, 8 fall on 3 values: without rejection the multiples of 3 would come 1.5 times as often as the
    # rest.
    n, words = 3 * 2**29, stream(7)
    counts = np.bincount([rng.below(words, n) % 3 for _ in range(3000)], minlength=3)
    assert chi_square(counts) < critical(2)


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int64])
def test_shuffle_gives_all_orders_of_the_first_entries_equally_often(dtype: type) -> None:
    words, seen = stream(11), Counter[tuple[int, ...]]()
    for _ in range(4800):
        items: np.ndarray = np.arange(6, dtype=dtype)
        rng.shuffle(words, items, 4)
        assert items[4:].tolist() == [4, 5]
        seen[tuple(items[:4].tolist())] += 1
    assert len(seen) == 24
    assert chi_square(np.array(list(seen.values()))) < critical(23)


def test_shuffle_of_nothing_and_of_one_draws_nothing() -> None:
    words = stream(3)
    before = words.copy()
    items = np.arange(3, dtype=np.int16)
    rng.shuffle(words, items, 0)
    rng.shuffle(words, items, 1)
    assert items.tolist() == [0, 1, 2]
    assert (words == before).all()


def test_seed_index_and_episode_give_unrelated_streams() -> None:
    triples = list(itertools.product(range(6), repeat=3))
    states = np.array([stream(*triple) for triple in triples])
    assert len(np.unique(states)) == states.size, "not one word in common"
    # Unrelated states differ in half of their bits.
    bits = np.unpackbits(states.view(np.uint8), axis=1).astype(np.int64)
    distance = (bits[:, None] != bits[None, :]).sum(2)[np.triu_indices(len(states), 1)]
    assert distance.min() > 70
    assert distance.max() < 186
    assert abs(distance.mean() - 128) < 0.5


@pytest.mark.skipif(not jit.JIT_ENABLED, reason="compares with the jit on")
def test_one_signature_for_arrays_and_for_fields_of_a_record() -> None:
    record = np.zeros(2, np.dtype([("turn", np.int16), ("rng", np.uint64, 4)], align=True))
    draw_from_record(record, 1, 6)
    # Called from Python as well: what comes from the disk cache does not bring the kernels inside it along.
    rng.below(stream(1), 5)
    rng.next_word(stream(1))
    for name in ("seed_words", "below", "next_word"):
        assert len(jit.kernels()[f"island_core.rng.{name}"].signatures) == 1


@jit.kernel
def draw_from_record(states: np.ndarray, i: int, n: int) -> int:
    """Seed and draw as a game does."""
    s = states[i]
    rng.seed_words(s.rng, 5, 0, 0)
    return rng.below(s.rng, n) + rng.below(s.rng, 6)


SAME_WITHOUT_JIT = """
import json
import numpy as np
from island_core import rng
words = np.zeros(4, np.uint64)
rng.seed_words(words, 2**63 - 1, 3, 9)
items = np.arange(40, dtype=np.int16)
rng.shuffle(words, items, 37)
drawn = [int(rng.below(words, n)) for n in (1, 2, 3, 100, 3 * 2**29, 2**31) for _ in range(20)]
print(json.dumps([items.tolist(), drawn, int(rng.next_word(words)), words.tolist()]))
"""


@pytest.mark.skipif(not jit.JIT_ENABLED, reason="compares with the jit on")
def test_same_without_jit() -> None:
    outputs = [run_with(SAME_WITHOUT_JIT, disabled) for disabled in ("0", "1")]
    assert outputs[0] == outputs[1]
    assert len(json.loads(outputs[0])[1]) == 120


def run_with(code: str, disabled: str) -> str:
    variables = {
        **os.environ,
        "PYTHONPATH": str(Path(island_core.__file__).parents[1]),
        "NUMBA_DISABLE_JIT": disabled,
        "ISLAND_ENVS_QUIET": "1",
    }
    done = subprocess.run(
        (sys.executable, "-W", "error", "-c", code), env=variables, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout
