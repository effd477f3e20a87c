"""Search in hidden information: Monte Carlo tree search over what the deciding seat may know.

``Search(game, simulations=200).run(position)`` gives a `SearchResult`: an action, and what was found out about each.
How it works, what the options do and what they are worth stands in ``docs/search.md``; the loops are in
``search_loops``.

The search never looks at the true hidden state. All it takes from a position is what ``determinize`` leaves of it for
the seat that decides, drawn anew for every simulation, and its random numbers start from the seed and the seat's
``Position.key``: positions that the seat cannot tell apart have the same result.
"""

from __future__ import annotations

import functools
import operator
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from island_core import jit, rng, search_loops
from island_core.batch import rules_of
from island_core.errors import GameOverError, NotResetError, OptionError, PolicyError, PositionError
from island_core.layout import States
from island_core.opponents import NO_POLICY
from island_core.options import (
    as_integer,
    check_bool,
    check_choice,
    check_range,
    check_real,
    check_share,
    split_options,
)
from island_core.position import LARGEST_SEED, Game, Position, same_table
from island_core.search_loops import DECISIONS, NODES, REFUSED, SIZE, TREE_NUMBERS
from island_core.selfplay import ACTING, OWN_POLICIES, POLICIES
from island_core.spec import GameSpec

if TYPE_CHECKING:
    from rich.table import Table

DEFAULT_SIMULATIONS = 200
MOST_SIMULATIONS = 10**9
MOST_DIGITS = len(str(MOST_SIMULATIONS))
MOST_NODES = 10**7
MOST_THREADS = 256
MOST_CUT = 10**6

SEARCH_NAME = "ismcts"
"""The name of a search as a policy, where it has no other."""

CEILING_NAME = "clairvoyant"
"""The name of one that sees all."""
CEILING_ADVICE = "planner"
"""The policy that it leans on if its name has none."""

GAME = "game"
"""In place of a length of rollouts: the game's own, ``GameSpec.rollout_cut``."""

LEANING: Mapping[str, Any] = {"halving": True, "margin": 0.5, "cut": GAME}
"""The options of a search that leans on a policy, where it is named by its name."""

FIRST_STRETCH = 8
"""Simulations before the clock is looked at for the first time; then as many as fit into `STRETCH_SECONDS`. Between two
stretches a search can be interrupted."""
STRETCH_SECONDS = 0.005

HOPELESS = 3.0
"""Standard errors by which an action is worse than the advice if it is dropped in a search by halving."""
FEWEST_WORLDS = 16
"""Worlds that it takes to say so. One more, in which the action gains half a win, is assumed: it may gain seldom."""
SAME_WORLDS = 64
"""Worlds after which an action that made no difference in any of them is dropped."""
LOOK = 16
"""Worlds between two looks at what may be dropped."""

_NO_RACE = np.empty(0, np.int64)
_NO_LEAD = np.empty((0, 2))
"""For a search that compares no actions in the same worlds."""

_NOT_GIVEN: Any = object()
"""In place of a number of simulations: what it is depends on whether there is a budget in seconds."""


@dataclass(frozen=True, kw_only=True)
class SearchOptions:
    """How to search; ``docs/search.md`` has the table.

    Attributes
    ----------
    simulations, seconds:
        the budget of one decision. Without either, 200 simulations; with seconds alone, as many as fit into them; if
        both are given, whichever is reached first. None: no limit of this kind. Threads share the simulations.
    rollout:
        the policy that plays on from the leaf of the tree, a name of ``selfplay.POLICIES``; new children are tried in
        the order it likes, too.
    others:
        None: the other seats search as well, each for itself. A name of ``selfplay.POLICIES``: they are taken to play
        by that policy, in the tree and in rollouts, so that what is found is a reply to it.
    cut:
        the number of decisions with a choice after which a rollout is broken off and valued by the game's estimate;
        None: it goes on to the end of the game; ``"game"``: the length that suits the game's own policies,
        ``GameSpec.rollout_cut``.
    exploration:
        the constant of UCB1, for values from 0 to 1.
    widening:
        None, or k: a node that was visited n times has at most k * sqrt(n) children (and one at least).
    prior:
        0, or the weight below 1 of what the rollout's policy advises: the action it likes is tried first, and others
        only as far as they promise more (P-UCT). ``exploration`` is then the constant of that rule.
    margin:
        the weight, 0 to 1, of the game's estimate in the value of a game that is over: it tells by how much a seat is
        ahead, a share of the win only whether.
    halving:
        no tree: the actions are compared by rollouts in the same worlds, and the worse half of them is dropped time and
        again (sequential halving).
    caution:
        with ``halving`` and a rollout policy that gives advice: what it likes is chosen unless another action is better
        by more than so many standard errors of the difference.
    reuse:
        whether what is left of the last tree is kept, if only the seat itself has decided since, or others were
        passive.
    threads:
        each has a tree of its own; they are merged at the root.
    sees_all:
        nothing is redrawn: the search knows all cards and all luck to come. This is no player of the game, but a
        measure of what knowing is worth.
    nodes:
        the room of each tree. When it is full, simulations go on without new nodes.
    seed:
        of all random numbers, together with what the seat knows.
    """

    simulations: int | None = _NOT_GIVEN
    seconds: float | None = None
    rollout: str = "acting"
    others: str | None = None
    cut: int | str | None = 8
    exploration: float = 0.3
    widening: float | None = None
    prior: float = 0.0
    margin: float = 0.0
    halving: bool = False
    caution: float = 1.5
    reuse: bool = False
    threads: int = 1
    sees_all: bool = False
    nodes: int = 100_000
    seed: int = 0

    def __post_init__(self) -> None:
        """Check every value; raises ``OptionError``."""
        if self.simulations is _NOT_GIVEN:
            object.__setattr__(self, "simulations", DEFAULT_SIMULATIONS if self.seconds is None else None)
        if self.simulations is None and self.seconds is None:
            raise OptionError("simulations=None, seconds=None; allowed: a number for one of them at least")
        if self.simulations is not None:
            check_range("simulations", self.simulations, 1, MOST_SIMULATIONS)
        if self.seconds is not None:
            check_real("seconds", self.seconds, positive=True)
        check_choice("rollout", self.rollout, POLICIES)
        if self.others is not None:
            check_choice("others", self.others, POLICIES)
        length = as_integer(self.cut)
        named = self.cut is None or (isinstance(self.cut, str) and self.cut == GAME)
        if not named and (length is None or not 0 <= length <= MOST_CUT):
            raise OptionError(f"cut={self.cut!r}; allowed: integers from 0 to {MOST_CUT}, None, {GAME!r}")
        check_real("exploration", self.exploration)
        if self.widening is not None:
            check_real("widening", self.widening, positive=True)
        check_share("prior", self.prior, whole=False)
        if self.widening is not None and self.prior:
            raise OptionError(f"widening={self.widening!r} with prior={self.prior!r}; allowed: one of them")
        check_share("margin", self.margin)
        check_bool("halving", self.halving)
        check_real("caution", self.caution)
        check_bool("reuse", self.reuse)
        for name, value in (("reuse", self.reuse), ("prior", self.prior), ("widening", self.widening)):
            if self.halving and value:
                raise OptionError(f"halving={self.halving!r} with {name}={value!r}; allowed: one of them")
        check_bool("sees_all", self.sees_all)
        check_range("threads", self.threads, 1, MOST_THREADS)
        check_range("nodes", self.nodes, 1, MOST_NODES)
        check_range("seed", self.seed, 0, LARGEST_SEED)


@dataclass(frozen=True, eq=False)
class SearchResult:
    """What a search found out, for K legal actions of P players.

    Attributes
    ----------
    seat:
        who decides.
    action:
        the id of the action that was visited most; among several the one of highest value to the seat, then of the
        lowest id. With ``halving`` what is best, or the advice if nothing is better by enough.
    actions, names:
        the legal actions, ``int64[K]``, ascending, and their names.
    visits:
        ``int64[K]``: simulations that began with each action.
    values:
        ``float64[K, P]``: the mean value to every seat of those simulations, from 0 to 1; NaN without any.
    availability:
        ``int64[K]``: simulations that could have begun with each action since it was tried first.
    simulations, decisions, nodes, refused, kept, seconds:
        how many simulations were run, decisions with a choice simulated in them, nodes there are in all trees, nodes
        found no room, and simulations were kept from the last decision; the time taken. Unless a tree is full, the
        visits add up to the simulations run and kept.
    """

    seat: int
    action: int
    actions: NDArray[np.int64]
    names: tuple[str, ...]
    visits: NDArray[np.int64]
    values: NDArray[np.float64]
    availability: NDArray[np.int64]
    simulations: int
    decisions: int
    nodes: int
    refused: int
    kept: int
    seconds: float

    def order(self) -> list[int]:
        """The places of the actions, the best first."""
        value = np.nan_to_num(self.values[:, self.seat], nan=-1.0)
        return [int(k) for k in np.lexsort((self.actions, -value, -self.visits))]

    def table(self) -> Table:
        """All actions, the best first, for a rich console."""
        from rich.table import Table  # only for those who look

        table = Table(title=f"player_{self.seat}: {self.headline()}", title_justify="left")
        table.add_column("action")
        for heading in ("visits", "available", *self._seats()):
            table.add_column(heading, justify="right")
        for row in self._rows():
            table.add_row(*row, style="bold" if row[0] == self._best() else None)
        return table

    def headline(self) -> str:
        """What was done, in words."""
        parts = [f"{self.simulations} simulations", f"{self.decisions} decisions", f"{self.nodes} nodes"]
        if self.kept:
            parts.append(f"{self.kept} simulations kept")
        if self.refused:
            parts.append(f"{self.refused} nodes refused")
        return f"{self._best()} ({', '.join(parts)}, {self.seconds:.3f} s)"

    def __str__(self) -> str:
        """The table in plain text."""
        rows = [("action", "visits", "available", *self._seats()), *self._rows()]
        widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
        lines = [f"player_{self.seat}: {self.headline()}"]
        for name, *numbers in rows:
            cells = [number.rjust(width) for number, width in zip(numbers, widths[1:], strict=True)]
            lines.append("  ".join([name.ljust(widths[0]), *cells]))
        return "\n".join(lines)

    def _best(self) -> str:
        return self.names[int(np.flatnonzero(self.actions == self.action)[0])]

    def _seats(self) -> list[str]:
        return [f"player_{seat}" for seat in range(self.values.shape[1])]

    def _rows(self) -> list[tuple[str, ...]]:
        rows = []
        for k in self.order():
            values = ["-" if np.isnan(value) else f"{value:.3f}" for value in self.values[k]]
            rows.append((self.names[k], str(self.visits[k]), str(self.availability[k]), *values))
        return rows


class _Kernels(NamedTuple):
    """The kernels of a game that a search calls."""

    simulate: Any
    plant: Any
    plant_children: Any
    child_of: Any
    transplant: Any
    read_root: Any


@functools.cache
def search_kernels_of(spec: GameSpec) -> _Kernels:
    """The kernels of a game; they compile on first use."""
    package, passive = spec.package, {"PASSIVE": spec.actions.passive}
    make = jit.bind(search_loops.make_node, package, "make_node")
    counted = {"count_available": jit.bind(search_loops.count_available_at, package, "count_available_at")}
    parts = {
        "pick_child": jit.bind(search_loops.pick_child_of, package, "pick_child_of", **counted),
        "pick_by_prior": jit.bind(search_loops.pick_by_prior_of, package, "pick_by_prior_of", **counted),
        "grow": jit.bind(search_loops.grow_at, package, "grow_at", make=make),
        "play_out": jit.bind(search_loops.play_out_from, package, "play_out_from", **passive),
    }
    return _Kernels(
        simulate=jit.bind(search_loops.simulate, package, "simulate", **parts, **passive),
        plant=jit.bind(search_loops.plant, package, "plant", make=make),
        plant_children=jit.bind(search_loops.plant_children, package, "plant_children", grow=parts["grow"]),
        child_of=jit.bind(search_loops.child_of, package, "child_of"),
        transplant=jit.bind(search_loops.transplant, package, "transplant"),
        read_root=jit.bind(search_loops.read_root, package, "read_root"),
    )


@functools.cache
def _addresses_of(spec: GameSpec, policy: int) -> tuple[Any, ...]:
    """Where the kernels that ``search_loops`` calls by address lie in this process, in its order; ``policy`` is the
    highest id of one that is asked.
    """
    states, rules = spec.layout.alloc(1), spec.rules
    step, _, standing = rules_of(spec)
    return (
        step,
        standing,
        spec.determinize_address,
        jit.address(rules.estimate, states, 0, np.zeros(6)),
        spec.advise_for(policy),
    )


class _Tree:
    """What one thread works on: a tree, the record it starts from and the one it plays in, its random numbers."""

    def __init__(self, spec: GameSpec, capacity: int) -> None:
        self.states: States = spec.layout.alloc(2)
        self.nodes = NODES.alloc(capacity)
        self.spare = self.nodes[:0]
        self.numbers = np.zeros(TREE_NUMBERS, np.int64)
        self.words = np.zeros(4, np.uint64)


class Search:
    """Searches for the seat that decides, one position after the other.

    With a budget of simulations and one thread a search is reproducible: the same seed and options give the same
    result in all positions of one information set; with ``reuse``, if the positions searched before were the same,
    too. With more threads it depends on nothing else either, but for a budget in seconds.

    A search is for one caller at a time.
    """

    def __init__(self, game: Game, **options: Any) -> None:
        """Take the rules object and the options of `SearchOptions`. Raises ``OptionError`` naming a bad one."""
        if not isinstance(game, Game):
            raise OptionError(f"game={game!r}; allowed: a Game of one of the games, made with its options")
        (own,) = split_options(options, SearchOptions)
        self.game = game
        self.options = SearchOptions(**own)
        self._trees: list[_Tree] = []
        self._last: Position | None = None
        self._result: SearchResult | None = None

    def run(self, position: Position, seed: int | None = None) -> SearchResult:
        """Search for the seat that decides. The position stays as it is.

        ``seed`` takes the place of the option's for this once. A single legal action is given back without any
        simulation. Raises ``GameOverError`` if the game is over, ``PositionError`` for a position of another game or
        with other options, ``OptionError`` for a bad seed.
        """
        if not isinstance(position, Position):
            raise PositionError(f"position={position!r}; allowed: a Position")
        if position.game != self.game:
            raise PositionError(f"position of {position.game!r}; allowed: of {self.game!r}")
        if seed is not None:
            check_range("seed", seed, 0, LARGEST_SEED)
        actor = position.actor
        if actor is None:
            raise GameOverError("run: the game is over, nobody decides")
        number = self.options.seed if seed is None else operator.index(seed)
        actions = np.array(position.legal_actions(), np.int64)
        start = time.perf_counter()
        kept = simulations = 0
        chosen = None
        if len(actions) > 1:
            kept = self._begin(position, actor, actions, number)
            if self.options.halving:
                chosen, simulations = self._halve(position, actor, actions, start)
            else:
                simulations = self._simulate(actor, start)
            self._last = position.clone() if self.options.reuse else None
        self._result = self._read(position, actor, actions, chosen, kept, simulations, start)
        return self._result

    def _begin(self, position: Position, actor: int, actions: NDArray[np.int64], seed: int) -> int:
        """Make the trees ready; gives the simulations kept of the last ones."""
        spec, options = self.game.spec, self.options
        if not self._trees:
            self._trees = [_Tree(spec, self._capacity()) for _ in range(options.threads)]
        path = self._path_since(position, actor)
        kernels = search_kernels_of(spec)
        # What the seat knows is all that the random numbers may depend on.
        known = int(position.key(actor)[:16], 16) >> 1
        kept = 0
        for number, tree in enumerate(self._trees):
            tree.states[0] = position.states[0]
            rng.seed_words(tree.words, seed, number, known)
            node = search_loops.ROOT
            for action in path or ():
                node = int(kernels.child_of(tree.nodes, node, actor, action)) if node >= 0 else node
            if path is None or node < 0:
                kernels.plant(tree.nodes, tree.numbers)
                continue
            if node != search_loops.ROOT:
                if len(tree.spare) == 0:
                    tree.spare = NODES.alloc(len(tree.nodes))
                kernels.transplant(tree.nodes, node, tree.spare, tree.numbers)
                tree.nodes, tree.spare = tree.spare, tree.nodes
            # Not the visits of the root: a simulation that had made this node ended in it, and in some worlds others
            # decide here.
            kept += int(self._visits(tree, actor, actions).sum())
        return kept

    def _visits(self, tree: _Tree, actor: int, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """The visits of some actions at the root of a tree, ``int64[K]``."""
        visits, availability = np.zeros((2, len(actions)), np.int64)
        search_kernels_of(self.game.spec).read_root(
            tree.nodes, actor, actions, visits, availability, np.zeros((len(actions), 6))
        )
        return visits

    def _capacity(self) -> int:
        """The room of a tree: a simulation makes one node at most."""
        options = self.options
        # The actions at the root have a node each before anything is simulated.
        rooted = self.game.spec.actions.size if options.halving else 0
        if options.simulations is None or options.reuse:
            return max(options.nodes, rooted + 1)
        return max(min(options.nodes, options.simulations + rooted + 1), rooted + 1)

    def _path_since(self, position: Position, actor: int) -> list[int] | None:
        """The seat's own choices since the last search, if nobody else has been active since; else None.

        That others were asked and passive may be hidden, so it must make no difference.
        """
        last = self._last
        if last is None or last.actor != actor:
            return None
        before, now = last.history, position.history
        if now[: len(before)] != before:
            return None
        path = []
        twin = last.clone()
        for action in now[len(before) :]:
            if twin.is_over or not twin.mask()[action]:
                return None
            if twin.actor == actor:
                if twin.mask().sum() > 1:
                    path.append(action)
            elif not self.game.spec.actions.is_passive(action):
                return None
            twin.step(action)
        return path if twin == position else None

    def _simulate(self, actor: int, start: float) -> int:
        """Run the budget; gives the number of simulations."""
        options, count = self.options, self.options.threads
        shares = _shares(options.simulations, count)
        end = None if options.seconds is None else start + options.seconds
        return self._run_trees(actor, shares, end, _NO_RACE, 0, [_NO_LEAD] * count)

    def _halve(self, position: Position, actor: int, actions: NDArray[np.int64], start: float) -> tuple[int, int]:
        """The same by sequential halving; gives the action chosen, too.

        Every round has an equal share of the budget, and the better half of the actions go on to the next one. Each
        world is played with all actions that are left, so that what they share, most of the luck, cancels out of their
        differences. Actions that are clearly worse than the advice go at once, and if it is alone then, that is it.
        """
        spec, options = self.game.spec, self.options
        rollout = POLICIES.index(options.rollout)
        words = self._trees[0].words
        base = -1
        if rollout > ACTING:
            base = int(np.searchsorted(actions, spec.decide(position.states, 0, rollout, words)))
        raced = np.arange(len(actions))
        most = max(2, (options.simulations or MOST_SIMULATIONS) // 2)
        if len(raced) > most:
            drawn = np.random.default_rng(words).permutation(len(actions))
            raced = np.sort(np.concatenate([[base] if base >= 0 else [], drawn[drawn != base]])[:most].astype(np.int64))
        for tree in self._trees:
            search_kernels_of(spec).plant_children(tree.nodes, tree.numbers, actor, actions)
        rounds = max(1, int(np.ceil(np.log2(len(raced)))))
        tally = _Gains(len(actions))
        simulations = 0
        for number in range(rounds):
            # The round's part of what is left, in simulations or seconds, used up a look at a time.
            room, end = None, None
            if options.simulations is not None:
                room = (options.simulations - simulations) // (rounds - number)
            if options.seconds is not None:
                now = time.perf_counter()
                end = now + (start + options.seconds - now) / (rounds - number)
            raced, spent = self._race(actor, raced, base, tally, room, end)
            simulations += spent
            means, errors = tally.of(raced)
            places = np.lexsort((raced, -means))
            best, clear = int(raced[places[0]]), bool(means[places[0]] > options.caution * errors[places[0]])
            if len(raced) == 1:
                break
            kept = raced[places[: max(2, (len(raced) + 1) // 2)]]
            if base >= 0 and base not in kept:
                kept[-1] = base
            raced = np.sort(kept)
        return int(actions[best if clear or base < 0 else base]), simulations

    def _race(
        self, actor: int, raced: NDArray[np.int64], base: int, tally: _Gains, room: int | None, end: float | None
    ) -> tuple[NDArray[np.int64], int]:
        """A round: play worlds with all actions that are left until so many simulations are run or the time is up.

        After every `LOOK` worlds those without hope go; when only one is left, that is it. Gives who is left, and the
        number of simulations.
        """
        count = self.options.threads
        spent = 0
        while True:
            look = LOOK if room is None else max(1, min(LOOK, (room - spent) // len(raced)))
            leads = [np.zeros((len(raced), 2)) for _ in self._trees]
            against = int(np.searchsorted(raced, base)) if base >= 0 else 0
            played = self._run_trees(actor, _shares(look, count), end, raced + 1, against, leads)
            spent += played * len(raced)
            tally.add(raced, played, leads)
            if base >= 0:
                raced = raced[tally.hopeful(raced) | (raced == base)]
            used_up = room is not None and spent + len(raced) > room
            if len(raced) == 1 or used_up or (end is not None and time.perf_counter() >= end):
                return raced, spent

    def _run_trees(
        self,
        actor: int,
        shares: Sequence[int | None],
        end: float | None,
        raced: NDArray[np.int64],
        base: int,
        leads: Sequence[NDArray[np.float64]],
    ) -> int:
        """Simulate in all trees, a thread each; gives the number of worlds.

        Of each tree so many worlds (None: until ``end``). Which children of the root are compared with which of them,
        and where the differences are added up, is as in ``search_loops.simulate``.
        """
        options = self.options
        rollout = POLICIES.index(options.rollout)
        others = NO_POLICY if options.others is None else POLICIES.index(options.others)
        at = _addresses_of(self.game.spec, max(rollout, others))
        cut = self.game.spec.rollout_cut if options.cut == GAME else options.cut

        stopped = threading.Event()

        def run(tree: _Tree, share: int | None, lead: NDArray[np.float64]) -> int:
            def simulate(count: int) -> None:
                search_kernels_of(self.game.spec).simulate(
                    tree.states,
                    actor,
                    at,
                    tree.nodes,
                    tree.numbers,
                    tree.words,
                    count,
                    options.sees_all,
                    rollout,
                    others,
                    -1 if cut is None else cut,
                    float(options.margin),
                    float(options.exploration),
                    np.inf if options.widening is None else float(options.widening),
                    float(options.prior),
                    raced,
                    base,
                    lead,
                )

            return _run_until(simulate, share, end, stopped)

        if len(shares) == 1:
            return run(self._trees[0], shares[0], leads[0])
        with ThreadPoolExecutor(len(shares)) as pool:
            try:
                return sum(pool.map(run, self._trees, shares, leads))
            except BaseException:
                # Who interrupts it does not wait for the rest.
                stopped.set()
                raise

    def _read(
        self,
        position: Position,
        actor: int,
        actions: NDArray[np.int64],
        chosen: int | None,
        kept: int,
        simulations: int,
        start: float,
    ) -> SearchResult:
        """What the trees say together; ``chosen`` is the action if it does not follow from the visits."""
        size, players = len(actions), self.game.num_players
        visits, availability = np.zeros(size, np.int64), np.zeros(size, np.int64)
        worth = np.zeros((size, 6))
        totals = np.zeros(TREE_NUMBERS, np.int64)
        if simulations:
            for tree in self._trees:
                search_kernels_of(self.game.spec).read_root(tree.nodes, actor, actions, visits, availability, worth)
                totals += tree.numbers
        values = np.full((size, players), np.nan)
        seen = visits > 0
        values[seen] = worth[seen, :players] / visits[seen, None]
        best = np.lexsort((actions, -np.nan_to_num(values[:, actor], nan=-1.0), -visits))[0]
        return SearchResult(
            seat=actor,
            action=int(actions[best]) if chosen is None else chosen,
            actions=actions,
            names=tuple(position.action_name(int(action)) for action in actions),
            visits=visits,
            values=values,
            availability=availability,
            simulations=simulations,
            decisions=int(totals[DECISIONS]),
            nodes=int(totals[SIZE]),
            refused=int(totals[REFUSED]),
            kept=kept,
            seconds=time.perf_counter() - start,
        )

    def explain(self) -> None:
        """Print what the last search found out: a table on a terminal, plain text in a pipe.

        Raises ``NotResetError`` if nothing was searched yet.
        """
        if self._result is None:
            raise NotResetError("explain: nothing was searched yet; call run(position) first")
        from island_core import cli  # only for those who look

        console = cli.new_console()
        if console.is_terminal:
            console.print(self._result.table())
        else:
            print(self._result)

    def policy(self, name: str | None = None) -> SearchPolicy:
        """A policy that searches with these options, in this game with this number of players.

        Where two searches meet, each needs a ``name`` of its own. Raises ``OptionError`` for a name that is no string.
        """
        return SearchPolicy(name=name, game=self.game, **asdict(self.options))

    def __repr__(self) -> str:
        """The game and the options."""
        return f"<Search in {self.game!r}: {self.options}>"


class _Gains:
    """What each action gained over the one it was compared with, world by world."""

    def __init__(self, size: int) -> None:
        # Of each action: worlds, sum of the gains, sum of their squares.
        self._worlds, self._sums, self._squares = np.zeros((3, size))

    def add(self, raced: NDArray[np.int64], worlds: int, leads: Sequence[NDArray[np.float64]]) -> None:
        """Add sums and sums of squares, ``float64[len(raced), 2]`` of each thread, over so many worlds."""
        self._worlds[raced] += worlds
        self._sums[raced] += sum(lead[:, 0] for lead in leads)
        self._squares[raced] += sum(lead[:, 1] for lead in leads)

    def of(self, raced: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The mean gains of these actions, and their standard errors."""
        worlds = self._worlds[raced]
        means = self._sums[raced] / worlds
        return means, np.sqrt(np.maximum(self._squares[raced] / worlds - means**2, 0.0) / worlds)

    def hopeful(self, raced: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of these actions, all played in the same worlds, may still gain something."""
        worlds, (means, errors) = self._worlds[raced], self.of(raced)
        may_gain = means + 0.5 / worlds + HOPELESS * errors >= 0.0
        differs = (self._squares[raced] > 0.0) | (worlds < SAME_WORLDS)
        hopeful: NDArray[np.bool_] = (worlds < FEWEST_WORLDS) | (may_gain & differs)
        return hopeful


def _shares(total: int | None, count: int) -> list[int | None]:
    """A number divided among so many threads, the first ones getting what is left over; None of each without one."""
    if total is None:
        return [None] * count
    return [total // count + (k < total % count) for k in range(count)]


def _run_until(simulate: Callable[[int], None], share: int | None, end: float | None, stopped: threading.Event) -> int:
    """Simulate in so many worlds, or until the time is up or it is stopped; in one at least. Gives the number."""
    done = 0
    stretch = FIRST_STRETCH
    while share is None or done < share:
        count = stretch if share is None else min(stretch, share - done)
        before = time.perf_counter()
        simulate(count)
        done += count
        now = time.perf_counter()
        if stopped.is_set() or (end is not None and now >= end):
            break
        longest = STRETCH_SECONDS if end is None else min(STRETCH_SECONDS, end - now)
        stretch = max(1, min(int(count * longest / max(now - before, 1e-9)), 2 * stretch))
    return done


class SearchPolicy:
    """A policy that searches, see ``island_core.policies``.

    Attributes
    ----------
    name:
        what it is called: ``ismcts``, or ``clairvoyant`` if it sees all, unless it is given another name.
    game:
        a rules object: it plays this game with this number of players, whatever the other options, and is refused in
        others. None: it plays any game.
    options:
        the options of its searches.
    """

    def __init__(self, *, name: str | None = None, game: Game | None = None, **options: Any) -> None:
        """Take a name, a game and the options of `SearchOptions`. Raises ``OptionError`` naming a bad one."""
        if name is not None and (not isinstance(name, str) or not name):
            raise OptionError(f"name={name!r}; allowed: None, or a string that is not empty")
        if game is not None and not isinstance(game, Game):
            raise OptionError(f"game={game!r}; allowed: None, or a Game of one of the games, made with its options")
        (own,) = split_options(options, SearchOptions)
        self.game = game
        self.options = SearchOptions(**own)
        self.name = name or (CEILING_NAME if self.options.sees_all else SEARCH_NAME)
        self._search: Search | None = None

    def act(self, position: Position, rng: np.random.Generator) -> int:
        """The action that a search finds, with a seed drawn from ``rng``.

        Raises ``PolicyError`` in another game or with another number of players than it was made for.
        """
        if self.game is not None and not same_table(self.game, position.game):
            raise PolicyError(f"policy {self.name!r} was made for {self.game!r}, the position is of {position.game!r}")
        if self._search is None or self._search.game != position.game:
            self._search = Search(position.game, **asdict(self.options))
        return self._search.run(position, int(rng.integers(LARGEST_SEED))).action

    def __repr__(self) -> str:
        """The name, the game and the options."""
        where = "any game" if self.game is None else repr(self.game)
        return f"<SearchPolicy {self.name!r} in {where}: {self.options}>"


def named_policy(name: str) -> SearchPolicy | None:
    """The policy of a name: ``"ismcts"``, or ``"ismcts:N"`` with N simulations a decision; None for other names.

    ``"ismcts:N:POLICY"``, with the name of one of the game's own policies, plays out by it and leans on its advice
    (`LEANING`). ``"clairvoyant"`` is the same with ``sees_all``, and leans on ``planner`` if no policy is named.
    """
    head, *parts = name.split(":")
    if head not in (SEARCH_NAME, CEILING_NAME) or len(parts) > 2:
        return None
    options: dict[str, Any] = {"sees_all": head == CEILING_NAME}
    if parts:
        budget = parts[0]
        # Names tell policies apart, so each has one: no zeros before the number.
        if not budget.isascii() or not budget.isdigit() or budget[0] == "0" or len(budget) > MOST_DIGITS:
            return None
        if int(budget) > MOST_SIMULATIONS:
            return None
        options["simulations"] = int(budget)
    if len(parts) == 2 and parts[1] not in OWN_POLICIES:
        return None
    leaning = parts[1] if len(parts) == 2 else CEILING_ADVICE if head == CEILING_NAME else None
    if leaning is not None:
        options |= {"rollout": leaning, **LEANING}
    return SearchPolicy(name=name, **options)


def warm_up(spec: GameSpec) -> None:
    """Compile what searches in a game need."""
    game_class: type[Game] = type("AnyGame", (Game,), {"spec": spec})
    position = game_class().new(0)
    search = Search(position.game, simulations=8, reuse=True)
    while position.mask().sum() == 1:
        position.step(position.legal_actions()[0])
    search.run(position)


__all__ = ["LEANING", "Search", "SearchOptions", "SearchPolicy", "SearchResult", "named_policy", "warm_up"]
