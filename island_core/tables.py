"""Small helpers of the declarative tables."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence
from typing import Any


def named_ints(name: str, fields: Sequence[str], values: Sequence[int]) -> Any:
    """A named tuple of ints made at import; kernels freeze its entries as constants."""
    kind: Any = namedtuple(name, fields)  # type: ignore[misc]  # the fields come from a table
    return kind(*values)
