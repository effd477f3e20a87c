"""What a game hands to the views: its tables, its kernels and its words. Nothing here knows a rule."""

from __future__ import annotations

import functools
import importlib
import json
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from island_core import bitset, entries, jit, opponents, selfplay
from island_core.actions import ActionTable
from island_core.events import EventTable
from island_core.layout import Layout, States
from island_core.observation import ObservationTable, Section
from island_core.options import GameOptions


@dataclass(frozen=True)
class Rules:
    """The kernels of a game.

    ``reset(states, i, seed, index, episode)``, ``step(states, i, action)`` and ``refresh(states, i)`` return a status:
    seat + 1 of who decides (0 when over) | decision << 8 | outcome << 16 (1 ended by itself, 2 truncated).
    ``observe(states, i, seat, out)``, ``observe_history(states, i, seat, count, out)``, ``standing(states, i, scores,
    keys)``, ``redraw(states, i, seed)``, ``determinize(states, i, seat, seed)`` and ``estimate(states, i, out)`` return
    nothing. ``advise(states, i, policy, words)`` returns the action of one of the game's own policies for the seat that
    decides, which may draw with ``words`` (``uint64[4]``); ``policy`` is its id in ``selfplay.POLICIES``.
    """

    reset: Any
    step: Any
    refresh: Any
    observe: Any
    observe_history: Any
    standing: Any
    redraw: Any
    determinize: Any
    estimate: Any
    advise: Any


class GameSpec:
    """One game, as the views see it. There is one object a game; copies and pickles give that one back."""

    def __init__(
        self,
        *,
        name: str,
        package: str,
        version: str,
        rules_version: int,
        layout: Layout,
        actions: ActionTable,
        observation: ObservationTable,
        history: tuple[Section, ...],
        events: EventTable,
        decisions: tuple[str, ...],
        rules: Rules,
        options: type[GameOptions],
        configure: Callable[[States, int, Any], None],
        read_options: Callable[[States, int], Any],
        action_name: Callable[[States, int, int], str | None],
        parse: Callable[[States, int, str], int],
        decision_text: Callable[[States, int], str],
        to_dict: Callable[[States, int], dict[str, Any]],
        from_dict: Callable[[dict[str, Any], Any], States],
        check: Callable[[States, int], None],
        render_text: Callable[..., str],
        event_text: Callable[..., str],
        score_scale: float,
        rollout_cut: int | None,
        components: bytes,
    ) -> None:
        """Keep the parts and bind the entry points.

        ``rollout_cut`` is the number of decisions after which a search that plays out by the game's own policies is
        content with ``estimate``; None if only the end of the game tells more than their play does. ``components`` is
        the components file, TOML in UTF-8.
        """
        self.name = name
        self.package = package
        self.version = version
        self.layout = layout
        self.actions = actions
        self.observation = observation
        self.history = history
        self.events = events
        self.decisions = decisions
        self.rules = rules
        self.options = options
        self.configure = configure
        self.read_options = read_options
        self.action_name = action_name
        self.parse = parse
        self.decision_text = decision_text
        self.to_dict = to_dict
        self.from_dict = from_dict
        self.check = check
        self.render_text = render_text
        self.event_text = event_text
        self.score_scale = score_scale
        self.rollout_cut = rollout_cut
        self.fingerprint = layout.fingerprint(
            str(rules_version).encode(),
            actions.fingerprint().encode(),
            events.fingerprint().encode(),
            values_of(components),
        )
        record = {"RECORD": layout.dtype}
        looks = {"ENTRIES": observation.size, "observe": rules.observe, "observe_history": rules.observe_history}
        self.look_counts = jit.bind(entries.look_counts, package, "look_counts", **looks)
        self.look_scaled = jit.bind(entries.look_scaled, package, "look_scaled", **looks)
        self.play_others = jit.bind(
            opponents.play_others, package, "play_others", PASSIVE=actions.passive, step=rules.step
        )
        bindings: dict[str, dict[str, Any]] = {
            "try_step": {"SIZE": actions.size, "step_game": rules.step},
            "redraw_to": {"redraw": rules.redraw},
        }
        self._by_place = {
            name: jit.bind(getattr(entries, name), package, name, **record, **bindings.get(name, {}))
            for name in entries.BY_PLACE
        }

    # The entry points that take the address of a record (`entries`). Compiled for one list of types when first asked
    # for, so that a call from Python costs little more than what it does.

    @functools.cached_property
    def try_step(self) -> Callable[[int, int], int]:
        """``try_step(place, action)``."""
        return self._entry("try_step", 0, 0)

    @functools.cached_property
    def sample(self) -> Callable[[int, NDArray[np.uint64]], int]:
        """``sample(place, words)``."""
        return self._entry("sample", 0, np.empty(0, np.uint64))

    @functools.cached_property
    def list_legal(self) -> Callable[[int, NDArray[np.int64]], int]:
        """``list_legal(place, out)``."""
        return self._entry("list_legal", 0, np.empty(0, np.int64))

    @functools.cached_property
    def write_mask(self) -> Callable[[int, NDArray[np.int8]], None]:
        """``write_mask(place, out)``."""
        return self._entry("write_mask", 0, np.empty(0, np.int8))

    @functools.cached_property
    def copy_to(self) -> Callable[[int, int], None]:
        """``copy_to(place, other)``."""
        return self._entry("copy_to", 0, 0)

    @functools.cached_property
    def redraw_to(self) -> Callable[[int, int, int], None]:
        """``redraw_to(place, other, seed)``."""
        return self._entry("redraw_to", 0, 0, 0)

    @functools.cached_property
    def determinize_in(self) -> Callable[[int, Any, int, int], None]:
        """``determinize_in(place, determinize_address, seat, seed)``."""
        return self._entry("determinize_in", 0, self.determinize_address, 0, 0)

    @functools.cached_property
    def show_counts(self) -> Callable[[int, int, int, Any, NDArray[np.int8], NDArray[np.int8]], None]:
        """``show_counts(place, seat, history, look_addresses[0], out, mask)``."""
        row = np.empty(0, np.int8)
        return self._entry("show_counts", 0, 0, 0, self.look_addresses[0], row, row)

    @functools.cached_property
    def show_scaled(
        self,
    ) -> Callable[
        [int, int, int, Any, NDArray[np.int8], NDArray[np.float32], NDArray[np.float32], NDArray[np.int8]], None
    ]:
        """``show_scaled(place, seat, history, look_addresses[1], counts, scale, out, mask)``."""
        row, shares = np.empty(0, np.int8), np.empty(0, np.float32)
        return self._entry("show_scaled", 0, 0, 0, self.look_addresses[1], row, shares, shares, row)

    def _entry(self, name: str, *examples: Any) -> Callable[..., Any]:
        return jit.entry(self._by_place[name], *examples)

    @functools.cached_property
    def look_addresses(self) -> tuple[Any, Any]:
        """Where `look_counts` and `look_scaled` lie in this process, for kernels that call them by address."""
        states, counts, shares = self.layout.alloc(1), np.empty(0, np.int8), np.empty(0, np.float32)
        return (
            jit.address(self.look_counts, states, 0, 0, 0, counts),
            jit.address(self.look_scaled, states, 0, 0, 0, counts, shares, shares),
        )

    @functools.cached_property
    def determinize_address(self) -> Any:
        """Where ``determinize`` lies in this process."""
        return jit.address(self.rules.determinize, self.layout.alloc(1), 0, 0, 0)

    @functools.cached_property
    def advise_address(self) -> Any:
        """Where ``advise`` lies in this process, for kernels that call it by address."""
        return jit.address(self.rules.advise, self.layout.alloc(1), 0, 0, np.zeros(4, np.uint64))

    def advise_for(self, policy: int) -> Any:
        """`advise_address` for a policy, or the highest of several, that asks it; 0 for others.

        The game's own policies take a minute to compile: nobody shall wait for them who plays without.
        """
        return self.advise_address if policy > selfplay.ACTING else 0

    def decide(self, states: States, i: int, policy: int, words: NDArray[np.uint64]) -> int:
        """The action of a policy inside the kernels, by its id, in game ``i``, which draws with ``words``
        (``uint64[4]``); for callers in Python.
        """
        total, passive = bitset.count(states["legal"][i]), self.actions.passive
        room = np.empty_like(passive)
        return int(selfplay.decide(states, i, total, passive, room, words, policy, self.advise_for(policy)))

    def __reduce__(self) -> tuple[Callable[[str], GameSpec], tuple[str]]:
        """Copies and pickles refer to the game by its package."""
        return load_spec, (self.package,)


def values_of(components: bytes) -> bytes:
    """What a components file says, whatever it looks like: JSON with sorted keys.

    Comments, layout, the order of keys and the ``source`` marks, which say how sure a value is and not what it is, make
    no difference.
    """

    def values(part: Any) -> Any:
        if isinstance(part, dict):
            return {key: values(entry) for key, entry in part.items() if key != "source"}
        return [values(entry) for entry in part] if isinstance(part, list) else part

    return json.dumps(values(tomllib.loads(components.decode())), sort_keys=True).encode()


def load_spec(package: str) -> GameSpec:
    """The one ``GameSpec`` of a package, from its module ``game``."""
    spec = importlib.import_module(f"{package}.game").SPEC
    if not isinstance(spec, GameSpec):
        raise TypeError(f"{package}.game.SPEC is {spec!r}, expected a GameSpec")
    return spec
