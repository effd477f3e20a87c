"""Sets of small integers as bits: 1-D arrays of uint64 words, number k in word ``k >> 6`` at bit ``k & 63``.

Legal actions and who-knows-what are kept like this; an int8 mask is unpacked only where a caller wants one. All
functions work alike with the jit on and off. Bits are counted by plain arithmetic because LLVM recognises it and
emits the processor's own instructions, so that an ``@intrinsic`` gains nothing (measured) and would need a second
code path.
"""

import numpy as np
from numpy.typing import NDArray

from island_core.jit import kernel
from island_core.rng import below

_ONE = np.uint64(1)
_PAIRS = np.uint64(0x5555555555555555)
_NIBBLES = np.uint64(0x3333333333333333)
_BYTES = np.uint64(0x0F0F0F0F0F0F0F0F)
_EACH_BYTE = np.uint64(0x0101010101010101)
_BYTE = np.uint64(0xFF)
_NEVER = 1 << 40
SPREAD = np.array([[(byte >> bit) & 1 for bit in range(8)] for byte in range(256)], np.int8)
"""``int8[256, 8]``: the bits of each byte, the lowest first."""


@kernel
def popcount(word: np.uint64) -> int:
    """Return how many bits of one uint64 are set."""
    # H. S. Warren, Hacker's Delight, 2nd ed., 5-1: counts of 2, 4 and 8 bits side by side, then the sum of the bytes.
    word = word - ((word >> _ONE) & _PAIRS)
    word = (word & _NIBBLES) + ((word >> np.uint64(2)) & _NIBBLES)
    word = (word + (word >> np.uint64(4))) & _BYTES
    return int(np.int64((word * _EACH_BYTE) >> np.uint64(56)))


@kernel
def lowest(word: np.uint64) -> int:
    """Return the index of the lowest set bit of one uint64; 64 if there is none."""
    return popcount(~word & (word - _ONE))  # the bits below the lowest set one


@kernel
def set_bit(words: NDArray[np.uint64], k: int) -> None:
    """Put k into the set; 0 <= k < 64 * len(words) is not checked."""
    words[k >> 6] |= _ONE << np.uint64(k & 63)


@kernel
def has_bit(words: NDArray[np.uint64], k: int) -> bool:
    """Tell whether k is in the set; 0 <= k < 64 * len(words) is not checked."""
    return bool((words[k >> 6] >> np.uint64(k & 63)) & _ONE)


@kernel
def count(words: NDArray[np.uint64]) -> int:
    """Return how many numbers are in the set."""
    # The jump is never taken. It keeps the compiler from reading four words at once: words that were written one by one
    # a moment ago can be read one by one at once, but by fours only when all of them have left the processor's buffer.
    total = 0
    for j in range(len(words)):
        total += popcount(words[j])
        if total > _NEVER:
            break
    return total


@kernel
def pick(words: NDArray[np.uint64], rng_words: NDArray[np.uint64]) -> int:
    """Draw a number from the set, each with equal probability, by one `below`; -1, without a draw, if it is empty."""
    total = count(words)
    if total == 0:
        return -1
    return pick_of(words, total, rng_words)


@kernel
def pick_of(words: NDArray[np.uint64], total: int, rng_words: NDArray[np.uint64]) -> int:
    """`pick` from a set whose size is known, at least 1."""
    rank = below(rng_words, total)
    # All words are visited: a jump out of the loop could not be predicted and costs more than the rest of them.
    place = 0
    before = 0
    running = 0
    for j in range(len(words)):
        running += popcount(words[j])
        if running <= rank:
            place = j + 1
            before = running
    return (place << 6) + _select(words[place], rank - before)


def _bits_in_bytes() -> NDArray[np.uint8]:
    """Where the bits of a byte are: entry ``rank << 8 | byte`` is the index of its set bit with ``rank`` below it."""
    table = np.zeros(8 << 8, np.uint8)
    for byte in range(256):
        for rank, bit in enumerate(bit for bit in range(8) if byte >> bit & 1):
            table[rank << 8 | byte] = bit
    return table


_BIT_IN_BYTE = _bits_in_bytes()
_TOP_BITS = np.uint64(0x8080808080808080)


@kernel
def _select(word: np.uint64, rank: int) -> int:
    """Return the index of the set bit of ``word`` that has ``rank`` set bits below it; it must exist."""
    # S. Vigna, "Broadword implementation of rank/select queries", WEA 2008, algorithm 2: the number of set bits up to
    # each byte, then the number of bytes whose sum is at most the rank, then a table for the byte found.
    sums = word - ((word >> _ONE) & _PAIRS)
    sums = (sums & _NIBBLES) + ((sums >> np.uint64(2)) & _NIBBLES)
    sums = ((sums + (sums >> np.uint64(4))) & _BYTES) * _EACH_BYTE
    before = (((np.uint64(rank) * _EACH_BYTE) | _TOP_BITS) - sums) & _TOP_BITS
    place = (((before >> np.uint64(7)) * _EACH_BYTE) >> np.uint64(53)) & np.uint64(56)
    below = ((sums << np.uint64(8)) >> place) & np.uint64(255)
    byte = (word >> place) & np.uint64(255)
    return int(np.int64(place) + _BIT_IN_BYTE[((np.uint64(rank) - below) << np.uint64(8)) | byte])


@kernel
def unpack(words: NDArray[np.uint64], out: NDArray[np.int8]) -> None:
    """Fill an int8 array with 1 where its index is in the set, else 0; its length is at most 64 * len(words)."""
    whole = len(out) >> 6
    for j in range(whole):
        spread(words[j], out, j << 6, 64)
    base = whole << 6
    if base < len(out):
        word = words[whole]
        for b in range(len(out) - base):
            out[base + b] = np.int8((word >> np.uint64(b)) & _ONE)


@kernel
def spread(bits: np.uint64, out: NDArray[np.int8], start: int, width: int) -> None:
    """Fill ``width`` entries of an int8 array, at most 64, from ``start`` on with the lowest bits of a word."""
    # Eight entries at a time are one load and one store; as vector code a loop over the bits takes three times as long.
    for j in range(width >> 3):
        byte = np.int64((bits >> np.uint64(8 * j)) & _BYTE)
        for b in range(8):
            out[start + 8 * j + b] = SPREAD[byte, b]
    rest = width & 7
    if rest != 0:
        byte = np.int64((bits >> np.uint64(width - rest)) & _BYTE)
        for b in range(rest):
            out[start + width - rest + b] = SPREAD[byte, b]


@kernel
def write_list(words: NDArray[np.uint64], out: NDArray[np.int64]) -> int:
    """Write the numbers in the set, ascending, to an array that has room for all; return how many there are."""
    number = 0
    for j in range(len(words)):
        word = words[j]
        while word != np.uint64(0):
            out[number] = (j << 6) + lowest(word)
            number += 1
            word &= word - _ONE
    return number


@kernel
def set_bits(words: NDArray[np.uint64], start: int, mask: np.uint64) -> None:
    """Put ``start + k`` into the set for every bit k of ``mask``; the set must have room for all of them."""
    word = start >> 6
    shift = start & 63
    words[word] |= mask << np.uint64(shift)
    if shift > 0:
        rest = mask >> np.uint64(64 - shift)
        if rest != np.uint64(0):
            words[word + 1] |= rest


@kernel
def clear_bits(words: NDArray[np.uint64]) -> None:
    """Empty the set."""
    for j in range(len(words)):
        words[j] = np.uint64(0)
