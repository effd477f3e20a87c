"""Small helpers of the declarative tables."""

from __future__ import annotations

import keyword
from collections import namedtuple
from collections.abc import Sequence
from typing import Any


def named_ints(name: str, fields: Sequence[str], values: Sequence[int]) -> Any:
    """A named tuple of ints made at import; kernels freeze its entries as constants. A field whose name is a keyword of
    Python ends in ``_``.
    """
    kind: Any = namedtuple(name, [f"{field}_" if keyword.iskeyword(field) else field for field in fields])  # type: ignore[misc]  # the fields come from a table
    return kind(*values)
