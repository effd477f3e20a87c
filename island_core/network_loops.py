"""The network of `network` in machine code: one decision after the other, skipping what is zero and what is illegal.

An observation is mostly zeros and few actions are legal, so that a fraction of the products remains of which a matrix
library would compute all, and nothing waits for the threads of one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from island_core.jit import kernel

ZERO = np.float32(0)
NORM_EPSILON = np.float32(1e-5)


@kernel
def add_product(x: Any, weight: Any, out: Any) -> None:
    """Add ``x @ weight`` to ``out``; ``weight`` is ``[in, out]``."""
    for i in range(len(x)):
        factor = x[i]
        if factor != ZERO:
            for j in range(len(out)):
                out[j] += factor * weight[i, j]


@kernel
def linear(x: Any, weight: Any, bias: Any, out: Any) -> None:
    """``out = x @ weight + bias``."""
    out[:] = bias
    add_product(x, weight, out)


@kernel
def rectify(x: Any) -> None:
    """Replace what is below zero by zero."""
    for i in range(len(x)):
        if x[i] < ZERO:
            x[i] = ZERO


@kernel
def add_rectified(x: Any, out: Any) -> None:
    """Add what is above zero in ``x`` to ``out``."""
    for i in range(len(x)):
        if x[i] > ZERO:
            out[i] += x[i]


@kernel
def normalise(x: Any, weight: Any, bias: Any) -> None:
    """Layer norm in place: mean 0 and variance 1, then times ``weight``, plus ``bias``."""
    mean, square = ZERO, ZERO
    for i in range(len(x)):
        mean += x[i]
    mean /= np.float32(len(x))
    for i in range(len(x)):
        x[i] -= mean
        square += x[i] * x[i]
    factor = np.float32(1) / np.sqrt(square / np.float32(len(x)) + NORM_EPSILON)
    for i in range(len(x)):
        x[i] = x[i] * factor * weight[i] + bias[i]


@kernel
def dot(x: Any, y: Any) -> Any:
    """The sum of products. Four sums side by side: a single one would wait for itself at each step."""
    a, b, c, d = ZERO, ZERO, ZERO, ZERO
    whole = len(x) // 4 * 4
    for i in range(0, whole, 4):
        a += x[i] * y[i]
        b += x[i + 1] * y[i + 1]
        c += x[i + 2] * y[i + 2]
        d += x[i + 3] * y[i + 3]
    for i in range(whole, len(x)):
        a += x[i] * y[i]
    return (a + b) + (c + d)


@kernel
def fill_places(seen: Any, columns: Any, asked: Any, near: Any, across: Any, within: Any, places: Any) -> None:
    """The numbers of each place, ``[places, channels]``: ``near``, ``across`` and ``within`` are the weights and biases
    of these layers, the latter with those of its norm; ``asked`` is ``[places * questions]``.
    """
    count, told = columns.shape
    questions = len(asked) // count
    channels = places.shape[1]
    for place in range(count):
        row = places[place]
        row[:] = near[1]
        for k in range(told + questions):
            factor = seen[columns[place, k]] if k < told else asked[place * questions + k - told]
            if factor != ZERO:
                for j in range(channels):
                    row[j] += factor * near[0][k, j]
        rectify(row)
    mixed = np.zeros_like(places)
    for place in range(count):
        for other in range(count):
            factor = across[place, other]
            for j in range(channels):
                mixed[place, j] += factor * places[other, j]
    for place in range(count):
        row = places[place]
        add_rectified(mixed[place], row)
        linear(row, within[0], within[1], mixed[place])
        add_rectified(mixed[place], row)
        normalise(row, within[2], within[3])


@kernel
def evaluate(
    counts: Any,
    mask: Any,
    first: Any,
    blocks: Any,
    heads: Any,
    by_place: Any,
    logits: Any,
    values: Any,
) -> None:
    """Logits ``float32[B, A]`` of the legal actions, minus infinity for others, and values ``float32[B]``.

    ``first``: weight ``[D, W]`` and bias; ``blocks``: weights ``[N, W, W]``, biases, and both of the norms ``[N, W]``;
    ``heads``: weight ``[A, W]`` and bias of the policy, and of the value; ``by_place``: columns, targets, then weights
    ``[in, out]`` and biases of ask, near, across (no bias), within and its norm, pool, answer and place; of no places
    if there are none.
    """
    width = len(first[1])
    columns, targets = by_place[0], by_place[1]
    count = len(columns)
    size, actions = counts.shape[1], mask.shape[1]
    seen = np.empty(size + actions, np.float32)
    hidden, spare = np.empty(width, np.float32), np.empty(width, np.float32)
    asked = np.empty(len(by_place[3]), np.float32)
    channels = len(by_place[5])
    places = np.empty((count, channels), np.float32)
    pooled = np.empty(2 * channels, np.float32)
    common, answer = np.empty(channels, np.float32), np.empty(channels, np.float32)
    named = np.empty(targets.shape[1], np.float32)
    for b in range(len(counts)):
        for i in range(size):
            seen[i] = counts[b, i]
        for i in range(actions):
            seen[size + i] = mask[b, i]
        linear(seen[:size], first[0], first[1], hidden)
        rectify(hidden)
        if count > 0:
            linear(hidden, by_place[2], by_place[3], asked)
            fill_places(
                seen,
                columns,
                asked,
                (by_place[4], by_place[5]),
                by_place[6],
                (by_place[7], by_place[8], by_place[9], by_place[10]),
                places,
            )
            for j in range(channels):
                total, largest = ZERO, places[0, j]
                for place in range(count):
                    total += places[place, j]
                    largest = max(largest, places[place, j])
                pooled[j] = total / np.float32(count)
                pooled[channels + j] = largest
            linear(pooled, by_place[11], by_place[12], spare)
            add_rectified(spare, hidden)
        for n in range(len(blocks[0])):
            linear(hidden, blocks[0][n], blocks[1][n], spare)
            add_rectified(spare, hidden)
            normalise(hidden, blocks[2][n], blocks[3][n])
        for action in range(actions):
            if mask[b, action] != 0:
                logits[b, action] = dot(hidden, heads[0][action]) + heads[1][action]
            else:
                logits[b, action] = -np.float32(np.inf)
        values[b] = dot(hidden, heads[2]) + heads[3]
        if count > 0:
            linear(hidden, by_place[13][channels:], by_place[14], common)
            for place in range(count):
                some = False
                for k in range(targets.shape[1]):
                    some = some or mask[b, targets[place, k]] != 0
                if not some:
                    continue
                linear(places[place], by_place[13][:channels], common, answer)
                rectify(answer)
                linear(answer, by_place[15], by_place[16], named)
                for k in range(targets.shape[1]):
                    # An action names one place at most; what fills up the rows is never legal.
                    logits[b, targets[place, k]] += named[k]
