"""The state of a game, declared once: a table of fields gives the record type, its documentation and its fingerprint.

A game is one record of a NumPy structured type, always held in a one-dimensional array: a batch is the array itself,
one
game is a batch of one. Kernels take ``(states, i, ...)`` and open ``s = states[i]``.
"""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from island_core import jit

VISIBILITY = ("public", "owner", "nobody", "seers")
"""Who may see a field: everybody, the seat whose row it is, nobody, or the seats named in the entry itself."""

States = NDArray[Any]
"""A one-dimensional structured array, one record a game."""

Slot = tuple[int, NDArray[np.uint8], int]
"""Room for one record: its address, the block of memory it lies in, and where it begins there.

Whoever has it keeps the block alive, and the address valid.
"""

BLOCK = 64
"""Records in a block. Its memory is given back when none of its slots is held any more."""


@dataclass(frozen=True)
class Field:
    """One field of the record.

    ``dtype`` is a NumPy scalar type code. Counters are signed (mixing ``uint64`` with signed numbers changes types
    between
    machine code and plain Python); unsigned words are for bit sets and the generator. ``see`` is one of ``VISIBILITY``.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    doc: str
    see: str = "public"


class Layout:
    """A record type with its documentation: ``dtype``, ``alloc``, ``copy``, ``fingerprint``, ``docs``.

    Without machine code (``NUMBA_DISABLE_JIT=1``) all signed fields are 64 bits wide.
    """

    def __init__(self, name: str, fields: Sequence[Field]) -> None:
        """Check the table and build the aligned record type.

        Raises ``ValueError`` for a name given twice, one that hides an attribute of arrays (the record is read by
        attribute), or an unknown visibility.
        """
        self.name = name
        self.fields = tuple(fields)
        seen: set[str] = set()
        for field in self.fields:
            if field.name in seen:
                raise ValueError(f"layout {name!r}: field {field.name!r} is declared twice")
            if hasattr(np.recarray, field.name) or hasattr(np.record, field.name):
                raise ValueError(f"layout {name!r}: field {field.name!r} would hide an attribute of NumPy arrays")
            if field.see not in VISIBILITY:
                raise ValueError(f"layout {name!r}: field {field.name!r}: see={field.see!r}, allowed: {VISIBILITY}")
            seen.add(field.name)
        # Machine code computes with 64 bits whatever the field; NumPy's scalars would overflow in plain Python.
        widths = {} if jit.JIT_ENABLED else {"i1": "i8", "i2": "i8", "i4": "i8"}
        self._saved = np.dtype([(f.name, f.dtype, f.shape) for f in self.fields], align=True)
        wide = [(f.name, widths.get(f.dtype, f.dtype), f.shape) for f in self.fields]
        self.dtype = np.dtype(wide, align=True)
        if not jit.JIT_ENABLED:
            self.dtype = np.dtype((np.record, self.dtype))
        self.slots: Iterator[Slot] = iter(())

    @property
    def itemsize(self) -> int:
        """Bytes of one game, with machine code and in what is saved."""
        return int(self._saved.itemsize)

    def alloc(self, count: int) -> States:
        """``count`` records of zeros. Without machine code a ``recarray``, so that ``s.field`` works in plain
        Python.
        """
        return self.view(np.zeros(count, self.dtype))

    def view(self, states: States) -> States:
        """The same memory in the form that kernels take."""
        return states if jit.JIT_ENABLED else states.view(np.recarray)

    def take(self) -> Slot:
        """A slot that nobody had before; what it holds has to be written.

        Slots are cut from blocks: making an array takes longer than copying a record, and asking for its address longer
        still. In a hurry, take the next of ``slots``, and call this if there is none left.
        """
        found = next(self.slots, None)
        if found is None:
            size = self.dtype.itemsize
            block = np.empty(BLOCK * size, np.uint8)
            first = block.ctypes.data
            starts = range(0, len(block), size)
            self.slots = slots = zip(range(first, first + len(block), size), repeat(block), starts, strict=False)
            found = next(slots)
        return found

    def states_in(self, slot: Slot) -> States:
        """The record in a slot, the same memory, which it keeps alive."""
        _, block, start = slot
        return self.view(np.ndarray(1, self.dtype, block, start))

    def states_at(self, place: int) -> States:
        """The record at an address, the same memory; the caller keeps it alive."""
        return self.view(jit.record_at(place, self.dtype))

    def read(self, place: int) -> bytes:
        """The bytes of the record at an address."""
        return ctypes.string_at(place, self.dtype.itemsize)

    def write(self, place: int, raw: bytes) -> None:
        """Write what ``read`` has read to an address."""
        ctypes.memmove(place, raw, self.dtype.itemsize)

    def copy(self, states: States) -> States:
        """An independent copy. Copying raw bytes is thirty times faster than ``.copy()`` on a structured array."""
        return self.view(np.ndarray(states.shape, self.dtype, bytearray(states.tobytes())))

    def pack(self, states: States) -> bytes:
        """The records as bytes, the same with and without machine code."""
        if jit.JIT_ENABLED:
            return states.tobytes()
        saved = np.zeros(len(states), self._saved)
        for field in self.fields:
            saved[field.name] = states[field.name]
        return saved.tobytes()

    def unpack(self, data: bytes) -> States:
        """The records of ``pack``, writable. Raises ``ValueError`` if the length does not fit."""
        saved = np.frombuffer(bytearray(data), self._saved)
        if jit.JIT_ENABLED:
            return saved
        states = self.alloc(len(saved))
        for field in self.fields:
            states[field.name] = saved[field.name]
        return states

    def from_raw(self, raw: bytes) -> States:
        """The record that ``read`` has read, writable and independent."""
        return self.view(np.frombuffer(bytearray(raw), self.dtype))

    def fingerprint(self, *extra: bytes) -> str:
        """A short hash of all names, types and shapes, and of ``extra``; stored with everything that is saved."""
        digest = hashlib.sha256()
        for field in self.fields:
            digest.update(f"{field.name}:{field.dtype}:{field.shape};".encode())
        for part in extra:
            digest.update(len(part).to_bytes(8, "little") + part)
        return digest.hexdigest()[:16]

    def docs(self) -> str:
        """The field table in Markdown."""
        lines = ["| field | type | shape | seen by | meaning |", "|---|---|---|---|---|"]
        for field in self.fields:
            kind = np.dtype(field.dtype).name
            shape = " x ".join(map(str, field.shape)) or "-"
            lines.append(f"| `{field.name}` | {kind} | {shape} | {field.see} | {field.doc} |")
        lines.append("")
        lines.append(f"One record takes {self.itemsize} bytes.")
        return "\n".join(lines)
