"""Policies: who plays a seat. What a policy may be, and how one that is given becomes one that can be asked.

A policy is one of

- the name of a kernel policy, ``"random"``, ``"acting"``, ``"greedy"`` or ``"planner"`` (`selfplay.POLICIES`), which
  plays inside the kernels, or `KernelPolicy` of such a name;
- ``"ppo"``, the trained network that comes with each game (`network.NetworkPolicy`);
- ``"ismcts"`` or ``"ismcts:N"``, which searches with N simulations a decision (`search.SearchPolicy`), or
  ``"ismcts:N:POLICY"``, which leans on the advice of a policy of the game's own;
- ``"clairvoyant"`` or ``"clairvoyant:N"``, which does so knowing all cards: the only one that sees what its seat does
  not, a ceiling to measure others by;
- an object with a ``name`` and ``act(position, rng) -> action`` (`Policy`) or ``act_batch(observation, action_mask,
  rng) -> actions`` (`BatchPolicy`), which is asked the second way if it has both;
- a plain callable ``f(observation, action_mask) -> action``.

An object that is made for one game and number of players says so by an attribute ``game``, a rules object; elsewhere it
is refused.

``resolve`` takes one, ``resolve_opponents`` one for all seats or a dict by player name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from island_core.errors import GameOverError, OptionError, PolicyError
from island_core.network import NETWORK_NAME, NetworkPolicy, act_by_network, network_of
from island_core.opponents import NO_POLICY
from island_core.options import as_integer, check_choice
from island_core.position import Game, Position, same_table
from island_core.search import named_policy
from island_core.selfplay import OWN_POLICIES, POLICIES


class Policy(Protocol):
    """A policy that is asked with a position."""

    name: str

    def act(self, position: Position, rng: np.random.Generator) -> int:
        """The id of a legal action for the seat that decides, ``position.actor``.

        ``position`` is a copy, free to be played on; it holds everything, other hands too. A policy that is to know
        what its seat knows keeps to ``position.observation(position.actor)``, ``text`` and ``events_since`` of that
        seat. ``rng`` is the generator to draw with, so that games depend on their seed alone.
        """


class BatchPolicy(Protocol):
    """A policy that is asked for several games at once, with what its seat sees in each."""

    name: str

    def act_batch(
        self, observation: NDArray[Any], action_mask: NDArray[np.int8], rng: np.random.Generator
    ) -> NDArray[np.integer[Any]]:
        """The ids of legal actions, ``[B]``, for observations ``[B, D]`` and masks ``int8[B, A]``.

        Observations are of the type and with the history that the environment's options say. A policy that never draws
        with ``rng`` says so by an attribute ``draws = False``.
        """


@dataclass(frozen=True)
class Resolved:
    """A policy that was checked.

    Attributes
    ----------
    name:
        what it is called in messages.
    kernel:
        its id in ``selfplay.POLICIES`` if it plays inside the kernels, otherwise ``NO_POLICY``.
    act, act_batch, call:
        how it is asked otherwise; one of them is not None.
    draws:
        whether it makes a difference for how many games at once ``act_batch`` is asked.
    """

    name: str
    kernel: int = NO_POLICY
    act: Callable[..., Any] | None = None
    act_batch: Callable[..., Any] | None = None
    call: Callable[..., Any] | None = None
    draws: bool = True

    def choose(
        self,
        position: Position,
        look: Callable[[], tuple[NDArray[Any], NDArray[np.int8]]],
        rng: np.random.Generator,
    ) -> int:
        """The action for the seat that decides; not for kernel policies.

        ``look()`` gives that seat's observation ``[D]`` and mask ``int8[A]``, fresh ones. Raises ``PolicyError`` for
        what is no integer; whether it is legal is for the caller to see. Exceptions of the policy pass through.
        """
        if self.act is not None:
            return self.choose_by_position(position.clone(), rng)
        observation, mask = look()
        return self.choose_by_sight(observation[None], mask[None], rng)[0]

    def choose_by_position(self, position: Position, rng: np.random.Generator) -> int:
        """The same for a policy with ``act``, which may play on with ``position``."""
        assert self.act is not None, f"{self.name} has no act"
        return self._integer(self.act(position, rng))

    def choose_by_sight(self, observation: NDArray[Any], mask: NDArray[np.int8], rng: np.random.Generator) -> list[int]:
        """The actions for what the seats that decide see in several games, ``[B, D]`` and ``int8[B, A]``, in one call
        of ``act_batch`` or B of a callable; the same errors.
        """
        if self.act_batch is not None:
            return [int(a) for a in self._batch(self.act_batch(observation, mask, rng), len(mask))]
        assert self.call is not None, f"{self.name} does not choose by what it sees"
        return [self._integer(self.call(*row)) for row in zip(observation, mask, strict=True)]

    def _integer(self, action: Any) -> int:
        number = as_integer(action)
        if number is None:
            raise PolicyError(f"policy {self.name!r} gave {action!r}; allowed: one integer")
        return number

    def _batch(self, actions: Any, count: int) -> NDArray[np.integer[Any]]:
        found = np.asarray(actions)
        if found.shape != (count,) or not np.issubdtype(found.dtype, np.integer):
            raise PolicyError(f"policy {self.name!r} gave {actions!r}; allowed: integers of shape ({count},)")
        return found


class KernelPolicy:
    """A policy that plays inside the kernels, by its name, to be asked in Python: for labels, mixtures and tests.

    Given as an opponent it plays inside the kernels, like its name.
    """

    def __init__(self, name: str) -> None:
        """Take a name of ``selfplay.POLICIES``. Raises ``OptionError`` for another one."""
        check_choice("name", name, POLICIES)
        self.name = name

    def act(self, position: Position, rng: np.random.Generator) -> int:
        """The action for the seat that decides. Raises ``GameOverError`` when nobody does, ``TypeError`` for what is no
        position or no generator.
        """
        if not isinstance(position, Position) or not isinstance(rng, np.random.Generator):
            given = f"{type(position).__name__}, {type(rng).__name__}"
            raise TypeError(f"act({given}): expected a Position and a numpy.random.Generator")
        if position.is_over:
            raise GameOverError(f"policy {self.name!r}: the game is over, nobody decides")
        words = rng.integers(0, 2**64, 4, np.uint64)
        return position.game.spec.decide(position._states, 0, POLICIES.index(self.name), words)

    def __repr__(self) -> str:
        """The call that makes it."""
        return f"KernelPolicy({self.name!r})"


SEARCHING = ("ismcts", "ismcts:N", "ismcts:N:POLICY", "clairvoyant", "clairvoyant:N", "clairvoyant:N:POLICY")
KNOWN = (
    f"{', '.join(map(repr, (*POLICIES, NETWORK_NAME, *SEARCHING)))} (N from 1 to 10^9, POLICY "
    f"{' or '.join(OWN_POLICIES)})"
)
"""All names of policies, in words."""
ALLOWED = (
    f"{KNOWN}, an object with act(position, rng) or "
    "act_batch(observation, action_mask, rng) and a name, a callable f(observation, action_mask)"
)


def resolve(policy: Any, argument: str, game: Game | None = None) -> Resolved:
    """A policy that can be asked, in ``game`` if that is known.

    Raises ``OptionError`` naming ``argument`` for what is none, and for one that was made for another game or number of
    players.
    """
    if isinstance(policy, Resolved):
        return policy
    if isinstance(policy, KernelPolicy):
        policy = policy.name
    if isinstance(policy, str):
        if policy in POLICIES:
            return Resolved(policy, kernel=POLICIES.index(policy))
        if policy != NETWORK_NAME:
            searching = named_policy(policy)
            if searching is None:
                raise OptionError(f"{argument}={policy!r}: no policy of that name; allowed: {ALLOWED}")
            return Resolved(searching.name, act=searching.act)
        if game is None:
            return Resolved(policy, act=act_by_network)
        policy = NetworkPolicy(network_of(game.spec))
    if isinstance(policy, type):
        raise OptionError(f"{argument}={policy!r} is a class, not an object of it; allowed: {ALLOWED}")
    act, act_batch = getattr(policy, "act", None), getattr(policy, "act_batch", None)
    if callable(act) or callable(act_batch):
        name = getattr(policy, "name", None)
        if not isinstance(name, str):
            raise OptionError(f"{argument}={policy!r} has name={name!r}; allowed: a string")
        made_for = getattr(policy, "game", None)
        if game is not None and isinstance(made_for, Game) and not same_table(made_for, game):
            raise OptionError(
                f"{argument}: policy {name!r} was made for {made_for!r}, this is {game!r}; "
                "allowed: policies for the same game and number of players"
            )
        problem = policy.network.misfit(game.spec) if game is not None and isinstance(policy, NetworkPolicy) else None
        if problem is not None:
            raise OptionError(f"{argument}: policy {name!r} {problem}; allowed: a network for this game")
        if not callable(act_batch):
            return Resolved(name, act=act)
        return Resolved(name, act_batch=act_batch, draws=bool(getattr(policy, "draws", True)))
    if callable(policy):
        return Resolved(str(getattr(policy, "__name__", type(policy).__name__)), call=policy)
    raise OptionError(f"{argument}={policy!r}; allowed: {ALLOWED}")


def resolve_opponents(opponents: Any, game: Game, learner: int | None) -> list[Resolved | None]:
    """The policy of each seat of a game: one for all opponents, or a dict with one for each of them by player name.

    ``learner`` is the seat that is played from outside, which has no policy (None) and no place in a dict; if it is
    None, it may be any seat and every seat has a policy. Raises ``OptionError`` naming what is wrong.
    """
    seats = [seat for seat in range(game.num_players) if seat != learner]
    found: list[Resolved | None] = [None] * game.num_players
    if not isinstance(opponents, Mapping):
        one = resolve(opponents, "opponents", game)
        for seat in seats:
            found[seat] = one
        return found
    names = {f"player_{seat}": seat for seat in seats}
    if opponents.keys() != names.keys():
        given = ", ".join(map(repr, opponents)) or "nobody"
        raise OptionError(f"opponents for {given}; allowed: for {', '.join(map(repr, names))}")
    for name, seat in names.items():
        found[seat] = resolve(opponents[name], f"opponents[{name!r}]", game)
    return found


__all__ = ["BatchPolicy", "KernelPolicy", "Policy", "Resolved", "resolve", "resolve_opponents"]
