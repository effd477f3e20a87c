"""`Tournament`: what is played, playing it, and gathering what comes out."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from island_core import __version__
from island_core.arena.cluster import Cluster, connected, play_on_cluster
from island_core.arena.line_ups import MOST_GAMES, MOST_LINE_UPS, Design, deals_for
from island_core.arena.playing import IN_KERNELS, Setup, named, units_of
from island_core.arena.records import FORMAT, Finished, Results, results_file
from island_core.arena.report import Report, make_report
from island_core.arena.workers import MOST_WORKERS, play_here, play_in_processes
from island_core.errors import OptionError
from island_core.options import CommonOptions, check_range
from island_core.policies import KernelPolicy
from island_core.position import LARGEST_SEED, Game

MOST_SIDE_BY_SIDE = 4096
MOST_POLICIES = 100


class Tournament:
    """Line-ups of policies that play the same deals, every line-up in every rotation of its seats.

    Arguments
    ---------
    game:
        the rules object with its options; line-ups have as many players.
    line_ups:
        sequences of policies (names, objects, callables, see ``island_core.policies``), one for each player; or one
        such sequence. A policy may come up several times; two different ones must not have one name.
    games:
        how many games at least: a deal is played by L line-ups of P players in L * P games, and no deal is broken off,
        so the number is rounded up to a multiple of that.
    seed:
        of the deals, ``game.new(seed, index)`` for deal number ``index``, and of everything that is drawn by policies.
    obs_dtype, history:
        of the observations that policies get, as for environments.
    side_by_side:
        for how many games at once ``act_batch`` is asked; part of what its policy draws.

    Raises ``OptionError`` naming what is wrong.
    """

    def __init__(
        self,
        game: Game,
        line_ups: Sequence[Any],
        games: int = 1000,
        seed: int = 0,
        *,
        obs_dtype: str = "float32",
        history: int = 0,
        side_by_side: int = 64,
    ) -> None:
        if not isinstance(game, Game):
            raise OptionError(f"game={game!r}; allowed: a Game, which has the rules and their options")
        check_range("games", games, 1, MOST_GAMES)
        check_range("seed", seed, 0, LARGEST_SEED)
        check_range("side_by_side", side_by_side, 1, MOST_SIDE_BY_SIDE)
        CommonOptions(obs_dtype=obs_dtype, history=history)
        policies, names, numbers = _numbered(line_ups, game)
        deals = deals_for(int(games), len(numbers), game.num_players)
        self.names = names
        self.side_by_side = int(side_by_side)
        self.setup = Setup(game, policies, Design(numbers, deals), int(seed), obs_dtype, int(history))
        check_range("games, rounded up to whole deals", self.games, 1, MOST_GAMES)

    @property
    def games(self) -> int:
        """How many games are played."""
        return self.setup.design.games

    @property
    def in_kernels(self) -> bool:
        """Whether all policies play inside the kernels."""
        return all(kind == IN_KERNELS for kind in self.setup.kinds())

    @property
    def header(self) -> dict[str, Any]:
        """What is asked for, ready for JSON: the first line of a file of results. A file goes on under the same one."""
        setup = self.setup
        spec = setup.game.spec
        return {
            "tournament": FORMAT,
            "version": __version__,
            "game": spec.name,
            "fingerprint": spec.fingerprint,
            "options": asdict(setup.game.options),
            "policies": list(self.names),
            "line_ups": [list(line_up) for line_up in setup.design.line_ups],
            "games": self.games,
            "seed": setup.seed,
            "obs_dtype": setup.obs_dtype,
            "history": setup.history,
            "side_by_side": self.side_by_side,
        }

    def warm_up(self) -> None:
        """Compile, or load, what is needed, ahead of the games and before other processes start."""
        self.setup.warm_up()

    def run(
        self,
        resume: str | os.PathLike[str] | None = None,
        workers: int | None = None,
        progress: Callable[[int], None] = lambda games: None,
        notice: Callable[[str], None] = lambda note: None,
        ray: str | None = None,
    ) -> Report:
        """Play all games that are not played yet and report on all of them.

        Arguments
        ---------
        resume:
            a file of results. It is begun if it does not exist; otherwise its games are not played again.
        workers:
            1, the default, plays in this process, more in so many others. These are started anew, so a script must keep
            to ``if __name__ == "__main__":``, and policies are names or can be pickled. With ``ray``: how many units
            are played at once, by default as many as the cluster has cores.
        progress:
            called with the number of games that were added; first, and once, with that of the file.
        notice:
            called with a sentence when a worker process has died and its games are played again.
        ray:
            an address as ``ray.init`` takes it: play on this Ray cluster, see ``cluster.connected``. ``"local"`` starts
            an instance on this machine for as long as the games take. Needs the extra ``ray``.

        Raises ``OptionError`` for bad arguments, ``ResultsError`` for a file that belongs to another tournament or is
        damaged, ``WorkerError`` when processes fail. Finished games are in the file in every case.
        """
        if workers is not None:
            check_range("workers", workers, 1, MOST_WORKERS)
            workers = int(workers)
        with contextlib.ExitStack() as stack:
            cluster = None if ray is None else stack.enter_context(connected(ray, workers))
            return self._run(resume, workers or 1, progress, notice, cluster)

    def _run(
        self,
        resume: str | os.PathLike[str] | None,
        workers: int,
        progress: Callable[[int], None],
        notice: Callable[[str], None],
        cluster: Cluster | None,
    ) -> Report:
        """Play on the cluster if there is one, otherwise here."""
        if cluster is not None:
            workers = cluster.workers
        design, results = self.setup.design, Results(self.games)
        path = None if resume is None else Path(resume)
        self.warm_up()
        deaths = 0

        def lost(note: str) -> None:
            nonlocal deaths
            deaths += 1
            notice(note)

        start = time.perf_counter()
        with results_file(path, self.header, design, results) as writer:
            progress(int(results.done.sum()))
            units = units_of(design, self.setup.kinds(), results.done.copy(), self.side_by_side, workers)
            played: Generator[Finished, None, None]
            if cluster is not None:
                played = play_on_cluster(cluster, self.setup, units, lost)
            elif workers == 1:
                played = play_here(self.setup, units)
            else:
                played = play_in_processes(self.setup, units, workers, lost)
            # Whatever stops this loop, Ctrl-C too, stops the workers at once.
            with contextlib.closing(played):
                for finished in played:
                    writer.write(finished)
                    results.add(finished)
                    progress(len(finished.games))
        seconds = time.perf_counter() - start
        return make_report(self.header, design, results, seconds, workers, deaths)


def _numbered(
    line_ups: Sequence[Any], game: Game
) -> tuple[tuple[Any, ...], tuple[str, ...], tuple[tuple[int, ...], ...]]:
    """All policies, their names, and the line-ups as numbers of these. Raises ``OptionError``."""
    players = game.num_players
    if isinstance(line_ups, str) or not isinstance(line_ups, Sequence) or len(line_ups) == 0:
        raise OptionError(f"line_ups={line_ups!r}; allowed: sequences of {players} policies, one or more")
    one = isinstance(line_ups[0], str) or not isinstance(line_ups[0], Sequence)
    lists: Sequence[Any] = [line_ups] if one else line_ups
    if len(lists) > MOST_LINE_UPS:
        raise OptionError(f"{len(lists)} line-ups; allowed: at most {MOST_LINE_UPS:,}")
    policies: list[Any] = []
    names: list[str] = []
    numbers: list[tuple[int, ...]] = []
    together: dict[tuple[int, ...], int] = {}
    for k, line_up in enumerate(lists):
        if isinstance(line_up, str) or not isinstance(line_up, Sequence) or len(line_up) != players:
            count = f" of {len(line_up)}" if isinstance(line_up, Sequence) and not isinstance(line_up, str) else ""
            raise OptionError(f"line_ups[{k}]={line_up!r}{count}; allowed: a sequence of {players} policies")
        found = []
        for given in line_up:
            policy = given.name if isinstance(given, KernelPolicy) else given
            resolved = named(policy, f"line_ups[{k}]", game)
            if resolved.name not in names:
                names.append(resolved.name)
                policies.append(policy)
            number = names.index(resolved.name)
            same = policies[number] is policy or (isinstance(policy, str) and isinstance(policies[number], str))
            if not same:
                raise OptionError(
                    f"line_ups[{k}]: two different policies are called {resolved.name!r}; allowed: a name for each"
                )
            found.append(number)
        earlier = together.setdefault(tuple(sorted(found)), k)
        if earlier != k:
            raise OptionError(
                f"line_ups[{k}]: the policies of line_ups[{earlier}]; allowed: each line-up once, for it plays in "
                "every order"
            )
        numbers.append(tuple(found))
    if len(names) > MOST_POLICIES:
        raise OptionError(f"{len(names)} policies; allowed: at most {MOST_POLICIES}")
    return tuple(policies), tuple(names), tuple(numbers)
