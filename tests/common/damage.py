"""Damage to dict forms: small changes at random places, for tests of what ``Game.from_dict`` takes and refuses."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

Path = tuple[Any, ...]

JUNK = (
    *(
        None,
        True,
        False,
        -1,
        0,
        1,
        2,
        7,
        64,
        255,
        2**31,
        2**63,
        10**30,
        -(10**30),
        0.0,
        1.5,
        float("nan"),
        float("inf"),
    ),
    *(
        "",
        " ",
        "x",
        "player_9",
        "player_0",
        "e5",
        "water",
        "None",
        "0",
        "\x00",
        "ü",
        b"water",
        (),
        [],
        {},
        [[]],
        {"": 0},
    ),
    *(np.int64(1), np.str_("water"), np.zeros(2), {1: 2}, {None: None}, [None], object()),
)
"""Values of every type, and some that stand for something somewhere."""


def paths(data: Any, path: Path = ()) -> Iterator[Path]:
    """Every place in a dict form, the whole first."""
    yield path
    if isinstance(data, dict):
        for key, part in data.items():
            yield from paths(part, (*path, key))
    elif isinstance(data, list):
        for k, part in enumerate(data):
            yield from paths(part, (*path, k))


def at(data: Any, path: Path) -> Any:
    """What stands at a place."""
    for step in path:
        data = data[step]
    return data


def damaged(data: dict[str, Any], other: dict[str, Any], source: random.Random, changes: int) -> dict[str, Any]:
    """A copy with so many changes: parts left out, doubled, exchanged, taken from ``other``, or replaced by junk."""
    data = copy.deepcopy(data)
    for _ in range(changes):
        # A key of the dict first, or nearly all changes would be in the long lists.
        top = source.choice(sorted(data, key=str)) if data else None
        if top is None:
            break
        path = source.choice([(top, *rest) for rest in paths(data[top])])
        parent, last = at(data, path[:-1]), path[-1]
        _change(data, parent, last, other, path, source)
    return data


def _change(data: Any, parent: Any, last: Any, other: Any, path: Path, source: random.Random) -> None:
    part = parent[last]
    kind = source.randrange(8)
    if kind == 0:
        del parent[last]
    elif kind == 1:
        parent[last] = copy.copy(source.choice(JUNK))
    elif kind == 2 and isinstance(part, int) and not isinstance(part, bool):
        parent[last] = part + source.choice((-1, 1, 2, 100))
    elif kind == 3 and isinstance(part, list) and part:
        part.append(copy.deepcopy(source.choice(part)))
    elif kind == 4 and isinstance(part, list):
        source.shuffle(part)
    elif kind == 5 and isinstance(parent, dict):
        parent[source.choice([*parent, *JUNK[:24]])] = parent.pop(last)
    elif kind == 6:
        try:
            parent[last] = copy.deepcopy(at(other, path))
        except (KeyError, IndexError, TypeError):
            parent[last] = None
    else:
        # A word or number that stands elsewhere in the same part of the position, so that it is likely to be known.
        same = [found for found in _leaves(data[path[0]]) if type(found) is type(part)] if path[0] in data else []
        parent[last] = source.choice(same or [None])


def _leaves(data: Any) -> Iterator[Any]:
    """All words and numbers, those of keys too."""
    if isinstance(data, dict):
        yield from data
        for part in data.values():
            yield from _leaves(part)
    elif isinstance(data, list):
        for part in data:
            yield from _leaves(part)
    else:
        yield data
