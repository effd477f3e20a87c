"""Bit sets against Python's own sets and integers."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import island_core
from island_core import bitset, jit, rng

EDGES = (0, 1, 2, 3, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF, 0xAAAAAAAAAAAAAAAA, 0x5555555555555555, 1 << 31, 1 << 32)


def words_of(members: set[int], length: int) -> np.ndarray:
    words = np.zeros(length, np.uint64)
    for k in members:
        bitset.set_bit(words, k)
    return words


def some_members(size: int, share: float, seed: int) -> set[int]:
    return set(np.flatnonzero(np.random.default_rng(seed).random(size) < share).tolist())


def stream(seed: int) -> np.ndarray:
    words = np.zeros(4, np.uint64)
    rng.seed_words(words, seed, 0, 0)
    return words


def test_popcount_and_lowest_of_single_words() -> None:
    random = np.random.default_rng(1).integers(0, 2**64, 200, np.uint64)
    single_bits = [1 << k for k in range(64)]
    for word in (*EDGES, *single_bits, *map(int, random)):
        assert bitset.popcount(np.uint64(word)) == word.bit_count()
        assert bitset.lowest(np.uint64(word)) == ((word & -word).bit_length() - 1 if word else 64)


@pytest.mark.parametrize("share", [0.0, 0.02, 0.5, 1.0])
def test_membership_and_count(share: float) -> None:
    members = some_members(512, share, 2)
    words = words_of(members, 8)
    assert {k for k in range(512) if bitset.has_bit(words, k)} == members
    assert bitset.count(words) == len(members)
    assert isinstance(bitset.has_bit(words, 0), bool)
    as_integer = sum(int(word) << 64 * j for j, word in enumerate(words))
    assert as_integer == sum(1 << k for k in members), "number k is bit k & 63 of word k >> 6"


@pytest.mark.parametrize("length", [0, 1, 7, 63, 64, 65, 200, 488, 500, 512])
def test_unpack_writes_all_of_out_and_nothing_else(length: int) -> None:
    members = some_members(512, 0.4, length)
    room = np.full(600, 7, np.int8)
    bitset.unpack(words_of(members, 8), room[:length])
    assert room[:length].tolist() == [int(k in members) for k in range(length)]
    assert (room[length:] == 7).all()


@pytest.mark.parametrize("width", [0, 1, 7, 8, 9, 19, 45, 63, 64])
def test_spread_writes_the_lowest_bits_and_nothing_else(width: int) -> None:
    for word in (*EDGES, 0x0123456789ABCDEF):
        room = np.full(80, 7, np.int8)
        bitset.spread(np.uint64(word), room, 5, width)
        assert room[5 : 5 + width].tolist() == [word >> k & 1 for k in range(width)]
        assert (room[:5] == 7).all() and (room[5 + width :] == 7).all()


@pytest.mark.parametrize("share", [0.0, 0.02, 0.5, 1.0])
def test_write_list_gives_all_in_order(share: float) -> None:
    members = some_members(512, share, 4)
    room = np.full(513, -1, np.int64)
    number = bitset.write_list(words_of(members, 8), room)
    assert number == len(members) and room[:number].tolist() == sorted(members) and (room[number:] == -1).all()


def test_pick_of_the_empty_set_draws_nothing() -> None:
    generator = stream(1)
    before = generator.copy()
    assert bitset.pick(np.zeros(8, np.uint64), generator) == -1
    assert (generator == before).all()


def test_pick_from_each_single_bit() -> None:
    generator = stream(2)
    assert [bitset.pick(words_of({k}, 3), generator) for k in range(192)] == list(range(192))


@pytest.mark.parametrize(
    "members",
    [
        {0, 63, 64, 127, 500, 511},
        set(range(64)),
        set(range(60, 70)),
        {5, 300, 301},
        {*range(0, 64, 9), *range(448, 512, 5)},
    ],
)
def test_pick_is_uniform_and_one_draw(members: set[int]) -> None:
    words, generator, twin = words_of(members, 8), stream(3), stream(3)
    ordered = sorted(members)
    draws = 200 * len(members) if jit.JIT_ENABLED else 20 * len(members)
    counts = dict.fromkeys(ordered, 0)
    for _ in range(draws):
        member = bitset.pick(words, generator)
        counts[int(member)] += 1
        assert member == ordered[rng.below(twin, len(ordered))], "the drawn rank, in ascending order"
    expected = draws / len(members)
    chi_square = sum((seen - expected) ** 2 for seen in counts.values()) / expected
    degrees = len(members) - 1
    # Critical value at 1e-6, by the approximation of Wilson and Hilferty; the stream is fixed.
    assert chi_square < degrees * (1 - 2 / (9 * degrees) + 4.75 * (2 / (9 * degrees)) ** 0.5) ** 3


SAME_WITHOUT_JIT = """
import json
import numpy as np
from island_core import bitset, rng
generator = np.zeros(4, np.uint64)
rng.seed_words(generator, 5, 0, 0)
words = np.zeros(8, np.uint64)
drawn = []
for k in range(60):
    bitset.set_bit(words, int(rng.below(generator, 500)))
    drawn.append(int(bitset.pick(words, generator)))
out = np.zeros(500, np.int8)
bitset.unpack(words, out)
spread, listed = np.zeros(45, np.int8), np.zeros(500, np.int64)
bitset.spread(words[3], spread, 0, 45)
drawn += spread.tolist() + [int(bitset.write_list(words, listed))] + listed.tolist()
drawn += [int(bitset.popcount(word)) for word in words] + [int(bitset.lowest(word)) for word in words]
print(json.dumps([drawn, int(bitset.count(words)), [bool(bitset.has_bit(words, k)) for k in range(512)], out.tolist()]))
"""


@pytest.mark.skipif(not jit.JIT_ENABLED, reason="compares with the jit on")
def test_same_without_jit() -> None:
    outputs = []
    for disabled in ("0", "1"):
        variables = {
            **os.environ,
            "PYTHONPATH": str(Path(island_core.__file__).parents[1]),
            "NUMBA_DISABLE_JIT": disabled,
            "ISLAND_ENVS_QUIET": "1",
        }
        command = (sys.executable, "-W", "error", "-c", SAME_WITHOUT_JIT)
        done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        outputs.append(json.loads(done.stdout))
    assert outputs[0] == outputs[1]
    assert 40 < outputs[0][1] <= 60
