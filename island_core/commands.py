"""The commands of a game's command line, the same for every game: ``selfplay``, ``tournament``, ``show``, ``warmup``.

A game describes itself by a `Table` of what is its own: its name and options, and what it counts.
"""

from __future__ import annotations

import argparse
import functools
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console

from island_core import __version__, bitset, cli, entries, rng
from island_core.errors import OptionError, ResultsError, WorkerError
from island_core.layout import States
from island_core.opponents import NO_POLICY
from island_core.options import GameOptions
from island_core.position import Game, Lens
from island_core.selfplay import POLICIES, POLICY_STREAM, choose
from island_core.selfplay_report import SelfPlay, SelfPlayResult, Subject, cores
from island_core.spec import GameSpec

if TYPE_CHECKING:
    from island_core.arena import Tournament

FULL_HISTORY = 64

QUICK_GAMES = 50_000
"""Up to so many games inside the kernels are over before further processes would have started."""


@dataclass(frozen=True)
class Table:
    """A game as the command line needs it.

    Attributes
    ----------
    program, title, epilog:
        the name of the command, of the game, and the examples of its help.
    spec, subject, new_record, new_game:
        the game, its self-play, a record and a rules object with given options.
    add_options, options:
        declares the game's own options on a parser, and reads all of them from what was given.
    headline:
        the options in words, for the first line of the figures.
    acting:
        what the policy ``acting`` does, for the help.
    columns:
        the title of the table of the game's own figures.
    score:
        what a score is called.
    counts, count:
        the title and the JSON key of what the game counts by name, and the counting.
    more_json:
        further figures for the JSON file.
    print_position:
        prints a position as a seat sees it.
    """

    program: str
    title: str
    epilog: str
    spec: GameSpec
    subject: Subject
    new_record: Callable[[Any], States]
    new_game: Callable[[Any], Game]
    add_options: Callable[[argparse.ArgumentParser], None]
    options: Callable[[argparse.Namespace], GameOptions]
    headline: Callable[[Any], str]
    acting: str
    columns: str
    score: str
    counts: tuple[str, str]
    count: Callable[[SelfPlayResult], Mapping[str, int]]
    print_position: Callable[[Console, States, int, int | None], None]
    more_json: Callable[[SelfPlayResult], Mapping[str, Any]] = lambda result: {}


def build_parser(table: Table) -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = argparse.ArgumentParser(
        prog=table.program,
        description=f"{table.title}: self-play, tournaments, positions, machine code.",
        epilog=table.epilog,
        formatter_class=cli.HelpFormatter,
    )
    spec = table.spec
    parser.add_argument(
        "--version",
        action="version",
        version=f"{table.program} {__version__} ({spec.name}_{spec.version}, fingerprint {spec.fingerprint})",
        help="print the version of the library and the fingerprint of rules and components, and exit",
    )
    commands = parser.add_subparsers(metavar="command", required=True)

    selfplay = _command(commands, "selfplay", "play many games inside the kernels and print figures", run_selfplay)
    selfplay.add_argument(
        "--games", type=cli.integer(1, 10_000_000), default=10_000, metavar="N", help="number of games"
    )
    _add_game(table, selfplay)
    selfplay.add_argument("--threads", type=cli.integer(1), metavar="N", help="threads, by default one for each core")
    selfplay.add_argument("--json", type=cli.output_file, metavar="FILE", help="write all figures to this file")

    _add_tournament(table, commands)

    show = _command(commands, "show", "play some moves and print the position", run_show)
    show.add_argument("--moves", type=cli.integer(0), default=0, metavar="N", help="moves before it is printed")
    _add_game(table, show)
    show.add_argument(
        "--seat", type=cli.player_name, metavar="player_k", help="as this player sees it, by default everything"
    )

    _command(commands, "warmup", "compile all entry points ahead of their first use", run_warmup)
    return parser


def _command(
    commands: Any, name: str, about: str, run: Callable[[Table, argparse.Namespace], int]
) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(
        name, help=about, description=f"{about[0].upper()}{about[1:]}.", formatter_class=cli.HelpFormatter
    )
    command.set_defaults(run=run, usage=command)
    return command


def _add_tournament(table: Table, commands: Any) -> None:
    tournament = _command(
        commands, "tournament", "let policies play each other and print what they are worth", run_tournament
    )
    tournament.add_argument(
        "--policies",
        type=cli.policy_names,
        action="append",
        required=True,
        metavar="A,B,...",
        help="a line-up: a policy for each player; several line-ups if given several times",
    )
    tournament.add_argument(
        "--round-robin",
        action="store_true",
        help="--policies is a list, of which each is alone against every other one in all other seats",
    )
    tournament.add_argument(
        "--players",
        type=cli.integer(3, 6),
        metavar="P",
        help="number of players of a round robin, 3 to 6, by default 4",
    )
    tournament.add_argument(
        "--games",
        type=cli.integer(1, 10_000_000),
        default=1000,
        metavar="N",
        help="number of games, rounded up: every line-up plays each deal in every rotation of the seats",
    )
    _add_options(table, tournament)
    tournament.add_argument(
        "--workers", type=cli.integer(1, 1024), metavar="N", help="processes, by default one for each core if that pays"
    )
    tournament.add_argument(
        "--ray",
        metavar="ADDRESS",
        help="play on a Ray cluster: auto, HOST:PORT, ray://HOST:PORT, or local for one on this machine; --workers is "
        "then how many of its cores are used, by default all",
    )
    tournament.add_argument(
        "--resume",
        type=cli.output_file,
        metavar="FILE",
        help="keep the games in this file; if it exists, go on with what it holds",
    )
    for name, what in (("json", "all figures"), ("csv", "the standings"), ("plot", "a picture of the results")):
        tournament.add_argument(f"--{name}", type=cli.output_file, metavar="FILE", help=f"write {what} to this file")


def _add_game(table: Table, command: argparse.ArgumentParser) -> None:
    """The options of the game and of who plays it."""
    command.add_argument("--players", type=cli.integer(3, 6), default=4, metavar="P", help="number of players, 3 to 6")
    command.add_argument(
        "--policy",
        choices=POLICIES,
        default="random",
        help=f"random: any legal action; acting: {table.acting}; greedy and planner: the game's own",
    )
    _add_options(table, command)


def _add_options(table: Table, command: argparse.ArgumentParser) -> None:
    """The options of the game but for the number of players, and the seed."""
    table.add_options(command)
    command.add_argument("--polls", choices=("holders", "all"), default="holders", help="who is asked in a poll")
    command.add_argument("--seed", type=cli.SEED, default=0, metavar="S", help="seed of the games and the policy")


def run_selfplay(table: Table, given: argparse.Namespace) -> int:
    """Play games and print what they were like."""
    options = table.options(given)
    selfplay = SelfPlay(table.subject, table.new_record(options), given.policy, given.seed, given.threads)
    result = cli.play(table.program, selfplay, given.games)
    counts = table.count(result)
    title, key = table.counts
    if given.json:
        own = {"game": table.spec.name, "options": asdict(options), key: counts, **table.more_json(result)}
        cli.write_json(given.json, {**own, **result.to_json()})
    console = cli.new_console()
    console.print(
        f"[bold]{table.title}[/]: {options.num_players} players, policy {result.policy}, seed {result.seed}, "
        f"{table.headline(options)}, polls {options.polls}",
        soft_wrap=True,
    )
    console.print(cli.speed_table(result))
    console.print(cli.summary_table(table.columns, result.columns))
    console.print(cli.seat_table(result, table.score))
    console.print(cli.count_table("Decisions", result.decision_kinds, result.games))
    console.print(cli.count_table(title, counts, result.games))
    console.print(cli.count_table("Actions", result.blocks, result.games))
    if given.json:
        console.print(f"written: {given.json}", soft_wrap=True)
    return 0


def run_tournament(table: Table, given: argparse.Namespace) -> int:
    """Play a tournament and print its tables."""
    # Other commands need neither numpy's linear algebra nor processes.
    from island_core.arena import Tournament, round_robin
    from island_core.arena.plot import check_plot
    from island_core.arena.tables import print_report

    usage = given.usage
    line_ups = given.policies
    outputs = {"--json": given.json, "--csv": given.csv, "--plot": given.plot}
    clash = cli.shared_file({"--resume": given.resume, **outputs})
    if clash is not None:
        usage.error(clash)
    try:
        if given.round_robin:
            if len(line_ups) != 1:
                usage.error("argument --policies: given several times; allowed with --round-robin: one list")
            given.players = given.players or 4
            line_ups = round_robin(line_ups[0], given.players)
        elif given.players is not None:
            usage.error("argument --players: allowed with --round-robin; line-ups have a policy for each player")
        else:
            given.players = len(line_ups[0])
            if not 3 <= given.players <= 6:
                usage.error(f"argument --policies: {given.players} given; allowed: a policy for each of 3 to 6 players")
        tournament = Tournament(table.new_game(table.options(given)), line_ups, given.games, given.seed)
        if given.plot:
            check_plot(given.plot)
    except OptionError as error:
        usage.error(str(error))
    with cli.compiling(table.program):
        tournament.warm_up()
    try:
        with cli.playing(table.program, tournament.games) as progress:
            workers = given.workers if given.ray else given.workers or _workers_for(tournament)
            notice = functools.partial(print, file=sys.stderr)
            report = tournament.run(given.resume, workers, progress, notice, given.ray)
    except OptionError as error:
        usage.error(f"argument --{error}" if given.ray else str(error))
    except ResultsError as error:
        usage.error(f"argument --resume: {error}")
    except WorkerError as error:
        print(f"{table.program}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        if given.resume:
            print(f"finished games are in {given.resume}; the same command goes on", file=sys.stderr)
        raise
    # First what lasts: whoever reads the tables may close the pipe before their end.
    if given.json:
        cli.write_json(given.json, report.to_json())
    if given.csv:
        report.write_csv(given.csv)
    if given.plot:
        report.plot(given.plot)
    console = cli.new_console()
    print_report(console, report)
    for path in outputs.values():
        if path:
            console.print(f"written: {path}", soft_wrap=True)
    return 0


def _workers_for(tournament: Tournament) -> int:
    """One process for each core, or this one alone where others would start longer than it plays."""
    return 1 if tournament.in_kernels and tournament.games <= QUICK_GAMES else cores()


def run_show(table: Table, given: argparse.Namespace) -> int:
    """Play some moves of game 0 of the seed, as self-play would, and print the position."""
    if given.seat is not None and given.seat >= given.players:
        given.usage.error(f"argument --seat: player_{given.seat} does not play in a game of {given.players}")
    spec = table.spec
    states = table.new_record(table.options(given))
    words = np.empty(4, np.uint64)
    policy = POLICIES.index(given.policy)
    with cli.compiling(table.program):
        rng.seed_words(words, given.seed, 0, POLICY_STREAM)
        status = spec.rules.reset(states, 0, given.seed, 0, 0)
        for _ in range(given.moves):
            if status & 255 == 0:
                break
            status = spec.rules.step(states, 0, spec.decide(states, 0, policy, words))
    table.print_position(cli.new_console(), states, 0, given.seat)
    return 0


def run_warmup(table: Table, given: argparse.Namespace) -> int:
    """Compile every entry point."""
    from island_core import batch, network, search, vector  # they load Gymnasium, which few other commands need
    from island_core.arena import playing

    spec, rules = table.spec, table.spec.rules
    states = table.new_record(spec.options())
    words = np.empty(4, np.uint64)
    counts = np.empty(spec.observation.size, np.int8)
    history = np.empty(4 * FULL_HISTORY, np.int8)
    mask = np.empty(spec.actions.size, np.int8)
    room = np.empty(spec.actions.words, np.uint64)
    scores = np.empty(6, np.int64)
    policies = np.full(6, NO_POLICY, np.int64)

    def legal() -> Any:
        return states["legal"][0]

    def actor() -> int:
        return int(states["frame_seat"][0, states["depth"][0] - 1])

    cli.warm_up(
        cli.new_console(),
        table.program,
        (
            ("reset", lambda: rules.reset(states, 0, 0, 0, 0)),
            ("seed_words", lambda: rng.seed_words(words, 0, 0, POLICY_STREAM)),
            ("pick", lambda: bitset.pick(legal(), words)),
            ("unpack", lambda: bitset.unpack(legal(), mask)),
            ("step", lambda: rules.step(states, 0, choose(legal(), spec.actions.passive, room, words, 0))),
            ("refresh", lambda: rules.refresh(states, 0)),
            ("observe", lambda: rules.observe(states, 0, 0, counts)),
            ("observe_history", lambda: rules.observe_history(states, 0, 0, FULL_HISTORY, history)),
            ("standing", lambda: rules.standing(states, 0, scores, scores.copy())),
            ("redraw", lambda: rules.redraw(states, 0, 0)),
            ("determinize", lambda: rules.determinize(states, 0, actor(), 0)),
            ("estimate", lambda: rules.estimate(states, 0, np.empty(6))),
            ("advise", lambda: spec.advise_address),
            ("look_counts", lambda: spec.look_counts(states, 0, 0, 0, counts)),
            ("look_scaled", lambda: Lens(spec, "float32", 0).look(states, 0, 0)),
            # These are compiled when they are asked for.
            *((name, functools.partial(getattr, spec, name)) for name in entries.BY_PLACE),
            ("play_others", lambda: spec.play_others(states, 0, policies, words, policies[:0], 0)),
            ("selfplay", SelfPlay(table.subject, states).warm_up),
            ("batch", lambda: batch.warm_up(spec)),
            ("vector", lambda: vector.warm_up(spec)),
            ("search", lambda: search.warm_up(spec)),
            ("network", lambda: network.warm_up(spec)),
            ("arena", lambda: playing.warm_up(spec)),
        ),
    )
    return 0


def main(table: Table, argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    given = build_parser(table).parse_args(argv)
    return cli.guarded(lambda: int(given.run(table, given)))
