"""The generator of a game: xoshiro256++ on four words that live in the game's record.

Kernels never touch ``np.random``: a copy of the record has the same future, and game i of a batch draws the same
numbers whatever the batch. All functions take the generator as ``words``, a writable ``uint64[4]`` array (a view of
the record's field), and work alike with the jit on and off.

Sources: D. Blackman, S. Vigna, "Scrambled linear pseudorandom number generators", ACM Trans. Math. Softw. 47 (2021),
with the reference code at https://prng.di.unimi.it (xoshiro256++ 1.0, splitmix64); G. L. Steele, D. Lea, C. H. Flood,
"Fast splittable pseudorandom number generators", OOPSLA 2014; D. Lemire, "Fast random integer generation in an
interval", ACM Trans. Model. Comput. Simul. 29 (2019).
"""

import numpy as np
from numpy.typing import NDArray

from island_core.jit import kernel

# With the jit on, uint64 with int64 gives float64; with it off, NumPy's rules apply. So every operand here is uint64.
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio, the step of splitmix64
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_LOW_32 = np.uint64(0xFFFFFFFF)
_TWO_TO_32 = np.uint64(1 << 32)


@kernel
def mix(word: np.uint64) -> np.uint64:
    """Scramble a word by the finaliser of splitmix64, a bijection of uint64.

    The k-th output of splitmix64 for a seed is ``mix(seed + k * golden)``.
    """
    word = (word ^ (word >> np.uint64(30))) * _MIX_1
    word = (word ^ (word >> np.uint64(27))) * _MIX_2
    return word ^ (word >> np.uint64(31))


@kernel
def seed_words(words: NDArray[np.uint64], seed: int, index: int, episode: int) -> None:
    """Start the stream of game ``index`` of a batch in its ``episode``-th deal; all three are int64 from 0 up.

    Word k = 0..3 starts as output k + 1 of splitmix64 for ``seed`` and takes up the other two one after the other:

        w = mix(seed + (k + 1) * golden);  w = mix((w ^ index) + golden);  w = mix((w ^ episode) + golden)

    Each step is a bijection of ``w``, so triples that differ in one place differ in every word, and the four words
    follow four unrelated maps, so triples share a stream with the probability of a 256-bit hash. For the same reason
    the state of four zeros, the only one that is no generator, does not come up.
    """
    start = np.uint64(seed)
    for k in range(4):
        start += _GOLDEN
        word = mix(start)
        word = mix((word ^ np.uint64(index)) + _GOLDEN)
        words[k] = mix((word ^ np.uint64(episode)) + _GOLDEN)


def fresh_seed() -> int:
    """A seed from the operating system, 0 to 2**63 - 1."""
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0] >> np.uint64(1))


_Words = tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]
_Drawn = tuple[int, np.uint64, np.uint64, np.uint64, np.uint64]


@kernel
def _next(a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64) -> _Words:
    """The next 64 random bits (xoshiro256++), and the four words after it."""
    total = a + d
    result = ((total << np.uint64(23)) | (total >> np.uint64(41))) + a
    c ^= a
    d ^= b
    return result, a ^ d, b ^ c, c ^ (b << np.uint64(17)), (d << np.uint64(45)) | (d >> np.uint64(19))


@kernel
def next_word(words: NDArray[np.uint64]) -> np.uint64:
    """Return the next 64 random bits (xoshiro256++)."""
    result, words[0], words[1], words[2], words[3] = _next(words[0], words[1], words[2], words[3])
    return result


@kernel
def _below(a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64, n: int) -> _Drawn:
    """What `below` returns, and the four words after it."""
    bound = np.uint64(n)
    word, a, b, c, d = _next(a, b, c, d)
    product = (word >> np.uint64(32)) * bound
    if product & _LOW_32 < bound:
        threshold = (_TWO_TO_32 - bound) % bound  # 2**32 mod n: so many draws too many
        while product & _LOW_32 < threshold:
            word, a, b, c, d = _next(a, b, c, d)
            product = (word >> np.uint64(32)) * bound
    return int(np.int64(product >> np.uint64(32))), a, b, c, d


@kernel
def below(words: NDArray[np.uint64], n: int) -> int:
    """Return a uniform integer from 0 to n - 1, for 1 <= n <= 2**31; other n are not checked and give no sense.

    Lemire's method on the upper 32 bits of a word: a multiplication, and a division only if a draw may have to be
    repeated, which happens with probability below n / 2**32. n = 1 draws a word as well, so that the stream does not
    depend on the bound.
    """
    drawn, words[0], words[1], words[2], words[3] = _below(words[0], words[1], words[2], words[3], n)
    return drawn


@kernel
def shuffle(words: NDArray[np.uint64], items: NDArray[np.signedinteger], count: int) -> None:
    """Put the first ``count`` entries of a 1-D integer array into a uniformly random order (Fisher and Yates).

    The numbers are those of `below`. The generator stays in registers meanwhile: in memory, as far as the compiler
    knows, every exchange of items might change it.
    """
    a, b, c, d = words[0], words[1], words[2], words[3]
    for last in range(count - 1, 0, -1):
        other, a, b, c, d = _below(a, b, c, d, last + 1)
        held = items[last]
        items[last] = items[other]
        items[other] = held
    words[0], words[1], words[2], words[3] = a, b, c, d
