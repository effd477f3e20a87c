"""Trained networks as policies, in NumPy: what ``examples/ppo_selfplay.py`` writes plays here without torch.

A file of weights holds arrays by name, see `Weights`. ``ppo`` is the one that comes with each game; where a name of a
policy is taken, ``NetworkPolicy("runs/policy.npz")`` may stand in its place.
"""

from __future__ import annotations

import functools
import importlib.resources
import io
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from island_core.errors import GameOverError, OptionError, PolicyError
from island_core.position import Position, lens_of
from island_core.spec import GameSpec

NETWORK_NAME = "ppo"
"""The name of the network that comes with each game."""
FILE = "ppo.npz"
"""Its file, in the game's package."""
STEP = ".step"
"""What the name of the steps ends with that the whole numbers of an array are multiples of."""

Weights = Mapping[str, NDArray[Any]]
"""The arrays of a network: float32, and int64 for columns and targets.

``first``, ``blocks.N``, ``policy`` and ``value`` are linear layers (``.weight`` ``[out, in]``, ``.bias``), ``norms.N``
are layer norms; ``scale`` ``[D]`` stands before the first. A network with places has ``columns`` ``[places, F]`` and
``targets`` ``[places, T]`` (what of observation and mask tells of each place, and which actions name it),
``near_scale``, the layers ``ask``, ``near``, ``across`` (no bias), ``within``, ``pool``, ``answer`` and ``place``, and
``within_norm``. ``examples/ppo_selfplay.py`` says what they do.
"""


def packed(weights: Weights) -> dict[str, NDArray[Any]]:
    """Weights in few bytes: each row of a matrix int8, times a float16 of its own (``NAME.step``); vectors float16,
    whole numbers int16.

    Raises ``ValueError`` for numbers that are not finite or too large for that.
    """
    stored: dict[str, NDArray[Any]] = {}
    for name, array in weights.items():
        if array.dtype.kind in "iu":
            stored[name] = array.astype(np.int16)
            exact = np.array_equal(stored[name], array)
        elif array.ndim < 2:
            with np.errstate(over="ignore"):
                stored[name] = array.astype(np.float16)
            exact = bool(np.isfinite(stored[name]).all())
        else:
            with np.errstate(over="ignore"):
                step = (np.abs(array).max(1, keepdims=True) / 127).astype(np.float16)
            exact = bool(np.isfinite(step).all())
            step[step == 0] = 1
            if exact:
                stored[name] = np.rint(array / step.astype(np.float32)).clip(-127, 127).astype(np.int8)
                stored[f"{name}{STEP}"] = step
        if not exact:
            raise ValueError(f"weights {name!r}: not finite, or too large to be packed")
    return stored


def unpacked(stored: Weights) -> dict[str, NDArray[Any]]:
    """The weights that were `packed`; plain ones as they are."""
    found: dict[str, NDArray[Any]] = {}
    for name, array in stored.items():
        if name.endswith(STEP):
            continue
        if array.dtype.kind in "iu" and f"{name}{STEP}" in stored:
            found[name] = array * stored[f"{name}{STEP}"].astype(np.float32)
        else:
            found[name] = array.astype(np.int64 if array.dtype.kind in "iu" else np.float32)
    return found


def packed_file(weights: Weights) -> bytes:
    """The file of weights that were `packed`, compressed; the same bytes for the same weights."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, array in packed(weights).items():
            content = io.BytesIO()
            np.lib.format.write_array(content, array, allow_pickle=False)
            # NumPy's own writer puts the time of day into the file.
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), content.getvalue(), zipfile.ZIP_DEFLATED)
    return file.getvalue()


def _linear(weights: Weights, name: str, x: NDArray[np.float32]) -> NDArray[np.float32]:
    found: NDArray[np.float32] = x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
    return found


def _normed(weights: Weights, name: str, x: NDArray[np.float32]) -> NDArray[np.float32]:
    off = x - x.mean(-1, keepdims=True)
    spread = np.sqrt(np.square(off).mean(-1, keepdims=True) + 1e-5)
    found: NDArray[np.float32] = off / spread * weights[f"{name}.weight"] + weights[f"{name}.bias"]
    return found


def _positive(x: NDArray[np.float32]) -> NDArray[np.float32]:
    found: NDArray[np.float32] = np.maximum(x, np.float32(0))
    return found


class Network:
    """A network with its weights.

    Attributes
    ----------
    observations, actions:
        how long an observation is, and how many actions there are.
    """

    def __init__(self, weights: Weights) -> None:
        """Take weights, packed or not. Raises ``ValueError`` naming an array that is missing or of a wrong shape."""
        found = unpacked(weights)
        self._blocks = sum(name.startswith("blocks.") and name.endswith(".weight") for name in found)
        self._by_place = "columns" in found
        self._check(found)
        self.observations = len(found["scale"])
        self.actions = len(found["policy.bias"])
        # Scales need not be applied anew to every observation.
        found["first.weight"] = found["first.weight"] * found["scale"]
        if self._by_place:
            found["near.weight"] = found["near.weight"] * found["near_scale"]
        self._weights = found

    def _check(self, found: Weights) -> None:
        def shape(name: str, *expected: int | None) -> tuple[int, ...]:
            if name not in found:
                raise ValueError(f"weights: no array {name!r}")
            given = found[name].shape
            if len(given) != len(expected) or any(e not in (None, g) for e, g in zip(expected, given, strict=True)):
                raise ValueError(f"weights {name!r}: shape {given}, expected {expected} (None: any)")
            return given

        def linear(name: str, out: int | None, into: int | None, bias: bool = True) -> int:
            rows = shape(f"{name}.weight", out, into)[0]
            if bias:
                shape(f"{name}.bias", rows)
            return rows

        (size,) = shape("scale", None)
        width = linear("first", None, size)
        for n in range(self._blocks):
            linear(f"blocks.{n}", width, width)
            shape(f"norms.{n}.weight", width)
            shape(f"norms.{n}.bias", width)
        actions = linear("policy", None, width)
        linear("value", 1, width)
        if self._by_place:
            places, told = shape("columns", None, None)
            named = shape("targets", places, None)[1]
            asked = linear("ask", None, width)
            if asked % places:
                raise ValueError(f"weights 'ask.weight': {asked} rows, expected a multiple of {places}")
            shape("near_scale", told + asked // places)
            channels = linear("near", None, told + asked // places)
            linear("across", places, places, bias=False)
            linear("within", channels, channels)
            shape("within_norm.weight", channels)
            shape("within_norm.bias", channels)
            linear("pool", width, 2 * channels)
            linear("answer", channels, channels + width)
            linear("place", named, channels)
            for name, most in (("columns", size + actions), ("targets", actions)):
                if found[name].min(initial=0) < 0 or found[name].max(initial=0) >= most:
                    raise ValueError(f"weights {name!r}: allowed: from 0 to {most - 1}")

    def evaluate(
        self, observation: NDArray[np.int8], action_mask: NDArray[np.int8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits ``float32[B, A]``, minus infinity for illegal actions, and values ``float32[B]``, for observations
        ``int8[B, D]`` without history and masks ``int8[B, A]``. A value is the reward that the seat may expect, of the
        kind the network was trained for.
        """
        weights = self._weights
        counts = observation.astype(np.float32)
        hidden = _positive(_linear(weights, "first", counts))
        if self._by_place:
            places = self._places(counts, action_mask, hidden)
            pooled = np.concatenate([places.mean(1), places.max(1)], 1)
            hidden = hidden + _positive(_linear(weights, "pool", pooled))
        for n in range(self._blocks):
            hidden = _normed(weights, f"norms.{n}", hidden + _positive(_linear(weights, f"blocks.{n}", hidden)))
        logits, values = _linear(weights, "policy", hidden), _linear(weights, "value", hidden)[:, 0]
        if self._by_place:
            channels = places.shape[2]
            answer = weights["answer.weight"]
            common = hidden @ answer[:, channels:].T + weights["answer.bias"]
            own = _linear(weights, "place", _positive(places @ answer[:, :channels].T + common[:, None]))
            # An action names one place at most; what fills up the rows is never legal.
            logits[:, weights["targets"].ravel()] += own.reshape(len(own), -1)
        logits[action_mask == 0] = -np.inf
        return logits, values

    def _places(
        self, counts: NDArray[np.float32], mask: NDArray[np.int8], hidden: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """The numbers of each place, ``[B, places, channels]``."""
        weights = self._weights
        seen = np.concatenate([counts, mask.astype(np.float32)], 1)[:, weights["columns"]]
        asked = _linear(weights, "ask", hidden).reshape(*seen.shape[:2], -1)
        places = _positive(_linear(weights, "near", np.concatenate([seen, asked], 2)))
        places = places + _positive(weights["across.weight"] @ places)
        return _normed(weights, "within_norm", places + _positive(_linear(weights, "within", places)))


class NetworkPolicy:
    """A network as a policy, see ``island_core.policies``: it plays its likeliest action.

    Attributes
    ----------
    name:
        what it is called.
    """

    def __init__(self, file: str | os.PathLike[str] | None = None, name: str = NETWORK_NAME) -> None:
        """Take a file of weights; None: in each game the one that comes with it.

        Raises ``OSError`` if the file cannot be read, ``ValueError`` if it does not hold a network.
        """
        if not isinstance(name, str) or not name:
            raise OptionError(f"name={name!r}; allowed: a string that is not empty")
        self.name = name
        self._file = None if file is None else Path(file)
        self._network = None if self._file is None else _read(self._file.read_bytes(), str(self._file))

    def act(self, position: Position, rng: np.random.Generator) -> int:
        """The action for the seat that decides, from what it sees alone; ``rng`` is not used.

        Raises ``GameOverError`` when nobody decides, ``PolicyError`` if the network is for another game.
        """
        actor = position.actor
        if actor is None:
            raise GameOverError(f"policy {self.name!r}: the game is over, nobody decides")
        spec = position.game.spec
        network = network_of(spec) if self._network is None else self._network
        counts, mask = lens_of(spec, "int8", 0).look(position.states, 0, actor), position.mask()
        if (network.observations, network.actions) != (len(counts), len(mask)):
            raise PolicyError(
                f"policy {self.name!r} was trained for observations of {network.observations} entries and "
                f"{network.actions} actions, {spec.name} has {len(counts)} and {len(mask)}"
            )
        return int(network.evaluate(counts[None], mask[None])[0][0].argmax())

    def __repr__(self) -> str:
        """The name and the file."""
        return f"<NetworkPolicy {self.name!r} of {'each game' if self._file is None else self._file}>"


@functools.cache
def network_of(spec: GameSpec) -> Network:
    """The network that comes with a game."""
    content = importlib.resources.files(spec.package).joinpath(FILE).read_bytes()
    return _read(content, f"{spec.package}/{FILE}")


def _read(content: bytes, name: str) -> Network:
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            return Network({key: arrays[key] for key in arrays.files})
    except (ValueError, zipfile.BadZipFile, EOFError, AttributeError) as problem:
        raise ValueError(f"{name} holds no network: {problem}") from problem


__all__ = ["Network", "NetworkPolicy", "Weights", "network_of", "packed", "packed_file", "unpacked"]
