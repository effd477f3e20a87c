"""Trained networks as policies: what ``examples/ppo_selfplay.py`` writes plays here without torch.

A file of weights holds arrays by name, see `Weights`. ``ppo`` is the network that comes with each game; where a policy
is taken, ``NetworkPolicy("runs/policy.npz")`` may stand in its place.
"""

from __future__ import annotations

import functools
import importlib.resources
import io
import os
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from island_core import network_loops
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
"""The arrays of a network: float32, and int64 for what is largest, columns and targets.

``largest`` ``[D]`` are the largest counts of an observation. ``first``, ``blocks.N``, ``policy`` and ``value`` are
linear layers (``.weight`` ``[out, in]``, ``.bias``), ``norms.N`` are layer norms; ``scale`` ``[D]`` stands before the
first. A network with places has ``columns`` ``[places, F]`` and ``targets`` ``[places, T]`` (what of observation and
mask tells of each place, and which actions name it), ``near_scale``, the layers ``ask``, ``near``, ``across`` (no
bias), ``within``, ``pool``, ``answer`` and ``place``, and ``within_norm``. ``examples/ppo_selfplay.py`` says what they
do.
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
    """The weights that were `packed`; plain ones as they are. Raises ``ValueError`` if the steps of an array miss."""
    found: dict[str, NDArray[Any]] = {}
    for name, array in stored.items():
        if name.endswith(STEP):
            continue
        if f"{name}{STEP}" in stored:
            found[name] = array * stored[f"{name}{STEP}"].astype(np.float32)
        elif array.dtype == np.int8 and array.ndim > 1:
            raise ValueError(f"weights: no array '{name}{STEP}', which belongs to {name!r}")
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


class Network:
    """A network with its weights.

    Attributes
    ----------
    observations, actions:
        how long an observation is, and how many actions there are.
    """

    def __init__(self, weights: Weights) -> None:
        """Take weights, packed or not.

        Raises ``ValueError`` naming an array that is missing, of a wrong shape, or not finite.
        """
        found = unpacked(weights)
        self._blocks = sum(name.startswith("blocks.") and name.endswith(".weight") for name in found)
        self._by_place = "columns" in found
        self._check(found)
        self.observations = len(found["scale"])
        self._largest = found["largest"].astype(np.float32)
        self.actions = len(found["policy.bias"])
        self._arrays = self._prepared(found)
        # The game that it was found to fit last: of most decisions nothing has to be compared.
        self._fitting: GameSpec | None = None

    def _prepared(self, found: Weights) -> tuple[Any, ...]:
        """The arrays as `network_loops.evaluate` takes them: weights ``[in, out]``, with the scales in them."""

        def linear(name: str, scale: NDArray[np.float32] | None = None) -> tuple[NDArray[np.float32], ...]:
            weight = found[f"{name}.weight"]
            return np.ascontiguousarray((weight if scale is None else weight * scale).T), found[f"{name}.bias"]

        def stacked(name: str) -> NDArray[np.float32]:
            arrays = [found[name.replace("N", str(n))] for n in range(self._blocks)]
            width = len(found["first.bias"])
            shape = (0, width, width) if name.startswith("blocks") and name.endswith("weight") else (0, width)
            return np.stack(arrays) if arrays else np.empty(shape, np.float32)

        blocks = (
            np.ascontiguousarray(stacked("blocks.N.weight").swapaxes(1, 2)),
            stacked("blocks.N.bias"),
            stacked("norms.N.weight"),
            stacked("norms.N.bias"),
        )
        value = found["value.weight"][0], np.float32(found["value.bias"][0])
        heads = (found["policy.weight"], found["policy.bias"], *value)
        none, flat, two = np.empty((0, 0), np.int64), np.empty(0, np.float32), np.empty((0, 0), np.float32)
        by_place: tuple[Any, ...] = (none, none, two, flat, two, flat, two, two, *[flat] * 3, *[two, flat] * 3)
        if self._by_place:
            by_place = (
                found["columns"],
                found["targets"],
                *linear("ask"),
                *linear("near", found["near_scale"]),
                found["across.weight"],
                *linear("within"),
                found["within_norm.weight"],
                found["within_norm.bias"],
                *linear("pool"),
                *linear("answer"),
                *linear("place"),
            )
        return linear("first", found["scale"]), blocks, heads, by_place

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
        shape("largest", size)
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
        for name, array in found.items():
            if not np.isfinite(array).all():
                raise ValueError(f"weights {name!r}: not finite")

    def misfit(self, spec: GameSpec) -> str | None:
        """Why the network is none for a game; None if it is one.

        Other components, which a game may be given, make other observations: what they count must be the same.
        """
        if spec is self._fitting:
            return None
        observation, actions = spec.observation, spec.actions.size
        if (observation.size, actions) != (self.observations, self.actions):
            return self.of_other_size(observation.size, actions)
        if not np.array_equal(self._largest, observation.largest):
            return f"was trained with other components of {spec.name}: the largest counts of an observation differ"
        self._fitting = spec
        return None

    def of_other_size(self, observations: int, actions: int) -> str:
        """The words for observations, or actions, of another number than the network has."""
        return (
            f"was trained for observations of {self.observations} entries and {self.actions} actions; "
            f"given: {observations} and {actions}"
        )

    def counts(self, observation: NDArray[Any]) -> NDArray[np.int8]:
        """Observations as counts, ``int8[B, D]``: those of type float32 are counts as shares of the largest."""
        if observation.dtype == np.int8:
            return observation
        counts: NDArray[np.int8] = np.rint(observation * self._largest).astype(np.int8)
        return counts

    def evaluate(
        self, observation: NDArray[np.int8], action_mask: NDArray[np.int8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits ``float32[B, A]``, minus infinity for illegal actions, and values ``float32[B]``, for observations
        ``int8[B, D]`` without history and masks ``int8[B, A]``. A value is the reward that the seat may expect, of the
        kind the network was trained for. Raises ``ValueError`` for arrays of other shapes or types.
        """
        for name, given, size in (
            ("observation", observation, self.observations),
            ("action_mask", action_mask, self.actions),
        ):
            if given.shape != (len(observation), size) or given.dtype != np.int8:
                raise ValueError(
                    f"{name}: {given.dtype} of shape {given.shape}; allowed: int8 of shape ({len(observation)}, {size})"
                )
        logits = np.empty(action_mask.shape, np.float32)
        values = np.empty(len(action_mask), np.float32)
        counts, mask = np.ascontiguousarray(observation), np.ascontiguousarray(action_mask)
        first, blocks, heads, by_place = self._arrays
        network_loops.evaluate(counts, mask, first, blocks, heads, by_place, logits, values)
        return logits, values


class NetworkPolicy:
    """A network as a policy, see ``island_core.policies``: it plays its likeliest action.

    Attributes
    ----------
    name:
        what it is called.
    network:
        the network.
    draws:
        False: how many games it is asked for at once makes no difference.
    """

    draws = False

    def __init__(self, network: Network | str | os.PathLike[str], name: str = NETWORK_NAME) -> None:
        """Take a network or a file of weights.

        Raises ``OSError`` if the file cannot be read, ``ValueError`` if it does not hold a network, ``OptionError`` for
        a bad name.
        """
        if not isinstance(name, str) or not name:
            raise OptionError(f"name={name!r}; allowed: a string that is not empty")
        self.name = name
        self.network = network if isinstance(network, Network) else _read(Path(network).read_bytes(), str(network))

    def act(self, position: Position, rng: np.random.Generator) -> int:
        """The action for the seat that decides, from what it sees alone; ``rng`` is not used.

        Raises ``GameOverError`` when nobody decides, ``PolicyError`` if the network is for another game or other
        components, ``TypeError`` for what is no position.
        """
        if not isinstance(position, Position):
            raise TypeError(f"act({type(position).__name__}, ...): expected a Position")
        spec = position.game.spec
        problem = self.network.misfit(spec)
        if problem is not None:
            raise PolicyError(f"policy {self.name!r} {problem}")
        actor = position.actor
        if actor is None:
            raise GameOverError(f"policy {self.name!r}: the game is over, nobody decides")
        counts = lens_of(spec, "int8", 0).look(position.states, 0, actor)
        logits, _ = self.network.evaluate(counts[None], position.mask()[None])
        return int(logits.argmax())

    def act_batch(
        self, observation: NDArray[Any], action_mask: NDArray[np.int8], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """Actions ``int64[B]`` for observations ``[B, D]``, of either type and with any history, which is not looked
        at, and masks ``int8[B, A]``. Raises ``PolicyError`` if the network is for another game, and for arrays of other
        shapes or types.
        """
        network = self.network
        if observation.dtype not in (np.int8, np.float32) or observation.ndim != 2 or action_mask.ndim != 2:
            raise PolicyError(
                f"policy {self.name!r}: observation {observation.dtype} of shape {observation.shape}, action_mask of "
                f"shape {action_mask.shape}; allowed: int8 or float32 of shape (B, D), and (B, A)"
            )
        size, number = observation.shape[1], action_mask.shape[1]
        if len(observation) != len(action_mask):
            raise PolicyError(
                f"policy {self.name!r}: {len(observation)} observations, {len(action_mask)} masks; allowed: as many"
            )
        if size < network.observations or number != network.actions:
            raise PolicyError(f"policy {self.name!r} {network.of_other_size(size, number)}")
        counts = network.counts(observation[:, : network.observations])
        logits, _ = network.evaluate(counts, action_mask.astype(np.int8, copy=False))
        actions: NDArray[np.int64] = logits.argmax(1)
        return actions

    def __repr__(self) -> str:
        """The name and the size."""
        size = f"{self.network.observations} entries, {self.network.actions} actions"
        return f"<NetworkPolicy {self.name!r}: {size}>"


@functools.cache
def network_of(spec: GameSpec) -> Network:
    """The network that comes with a game."""
    content = importlib.resources.files(spec.package).joinpath(FILE).read_bytes()
    return _read(content, f"{spec.package}/{FILE}")


def warm_up(spec: GameSpec) -> None:
    """Compile, or load, what the network of a game needs."""
    network = network_of(spec)
    network.evaluate(np.zeros((1, network.observations), np.int8), np.ones((1, network.actions), np.int8))


def act_by_network(position: Position, rng: np.random.Generator) -> int:
    """The action of the network that comes with the position's game; see `NetworkPolicy.act`."""
    return NetworkPolicy(network_of(position.game.spec)).act(position, rng)


def _read(content: bytes, name: str) -> Network:
    if not content.startswith(b"PK"):
        raise ValueError(f"{name} holds no network: allowed: the arrays of one in a file of NumPy (.npz)")
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            return Network({key: arrays[key] for key in arrays.files})
    except (ValueError, zipfile.BadZipFile, zlib.error, EOFError, AttributeError, NotImplementedError) as problem:
        raise ValueError(f"{name} holds no network: {problem}") from problem


__all__ = [
    "NETWORK_NAME",
    "Network",
    "NetworkPolicy",
    "Weights",
    "act_by_network",
    "network_of",
    "packed",
    "packed_file",
    "unpacked",
    "warm_up",
]
