"""The commands of the command line; ``cli`` starts them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from dracheninsel_env.actions import ACTIONS, OFFSET, USE_TASK
from dracheninsel_env.game import SPEC
from dracheninsel_env.observe import OBSERVATION, observe, observe_history
from dracheninsel_env.options import DracheninselOptions, new_record
from dracheninsel_env.rules.engine import refresh, reset, standing, step
from dracheninsel_env.selfplay import SUBJECT
from dracheninsel_env.vocab import TASKS
from island_core import bitset, cli, rng
from island_core.position import Lens
from island_core.selfplay import POLICIES, POLICY_STREAM, choose
from island_core.selfplay_report import SelfPlay, SelfPlayResult

GAME = "dracheninsel"

EPILOG = """\
examples:
  dracheninsel selfplay                                   10,000 random games of four on all cores
  dracheninsel selfplay --policy acting --max-turns 5000  players who always act, to the natural end
  dracheninsel selfplay --players 3 --json games.json     the figures as a file, too
  dracheninsel show --moves 40 --seed 7                   a position in the middle of a game
  dracheninsel show --moves 40 --seat player_1            the same as one player sees it
  dracheninsel warmup                                     compile everything ahead of the first game
"""


def build_parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = argparse.ArgumentParser(
        prog=GAME,
        description="Die Dracheninsel: self-play, positions, machine code.",
        epilog=EPILOG,
        formatter_class=cli.HelpFormatter,
    )
    commands = parser.add_subparsers(metavar="command", required=True)

    selfplay = _command(commands, "selfplay", "play many games inside the kernels and print figures", run_selfplay)
    selfplay.add_argument(
        "--games", type=cli.integer(1, 10_000_000), default=10_000, metavar="N", help="number of games"
    )
    _add_game(selfplay)
    selfplay.add_argument("--threads", type=cli.integer(1), metavar="N", help="threads, by default one for each core")
    selfplay.add_argument("--json", type=cli.output_file, metavar="FILE", help="write all figures to this file")

    show = _command(commands, "show", "play some moves and print the position", run_show)
    show.add_argument("--moves", type=cli.integer(0), default=0, metavar="N", help="moves before it is printed")
    _add_game(show)
    show.add_argument(
        "--seat", type=cli.player_name, metavar="player_k", help="as this player sees it, by default everything"
    )

    _command(commands, "warmup", "compile all entry points ahead of their first use", run_warmup)
    return parser


def _command(commands: Any, name: str, about: str, run: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(
        name, help=about, description=f"{about[0].upper()}{about[1:]}.", formatter_class=cli.HelpFormatter
    )
    command.set_defaults(run=run, usage=command)
    return command


def _add_game(command: argparse.ArgumentParser) -> None:
    """The options of the game and of who plays it."""
    command.add_argument("--players", type=cli.integer(3, 6), default=4, metavar="P", help="number of players, 3 to 6")
    command.add_argument(
        "--policy",
        choices=POLICIES,
        default="random",
        help="random: any legal action; acting: no stopping or exchanging while an act is possible",
    )
    command.add_argument(
        "--max-turns", type=cli.integer(1, 32767), default=300, metavar="T", help="turns before a game is truncated"
    )
    command.add_argument("--layout", choices=("standard", "random"), default="standard", help="start layout (D1.4)")
    command.add_argument(
        "--polls", choices=("holders", "all"), default="holders", help="who is asked in a poll (D8.11)"
    )
    command.add_argument("--seed", type=cli.SEED, default=0, metavar="S", help="seed of the games and the policy")


def _options(given: argparse.Namespace) -> DracheninselOptions:
    return DracheninselOptions(
        num_players=given.players, max_turns=given.max_turns, layout=given.layout, polls=given.polls
    )


def count_tasks(result: SelfPlayResult) -> dict[str, int]:
    """How often each task was played, on one-sided and split cards together."""
    counts = dict.fromkeys(TASKS, 0)
    for use, task in enumerate(USE_TASK):
        if task >= 0:
            counts[TASKS[task]] += result.actions[OFFSET.play + use]
    return counts


def run_selfplay(given: argparse.Namespace) -> int:
    """Play games and print what they were like."""
    options = _options(given)
    selfplay = SelfPlay(SUBJECT, new_record(options), given.policy, given.seed, given.threads)
    result = cli.play(GAME, selfplay, given.games)
    tasks = count_tasks(result)
    if given.json:
        cli.write_json(given.json, {"game": GAME, "options": asdict(options), "tasks": tasks, **result.to_json()})
    console = cli.new_console()
    console.print(
        f"[bold]Die Dracheninsel[/]: {options.num_players} players, policy {result.policy}, seed {result.seed}, "
        f"at most {options.max_turns:,} turns, layout {options.layout}, polls {options.polls}",
        soft_wrap=True,
    )
    console.print(cli.speed_table(result))
    console.print(cli.summary_table("Length, treasures and money", result.columns))
    console.print(cli.seat_table(result, "money"))
    console.print(cli.count_table("Decisions", result.decision_kinds, result.games))
    console.print(cli.count_table("Tasks played", tasks, result.games))
    console.print(cli.count_table("Actions", result.blocks, result.games))
    if given.json:
        console.print(f"written: {given.json}", soft_wrap=True)
    return 0


def run_show(given: argparse.Namespace) -> int:
    """Play some moves of game 0 of the seed, as self-play would, and print the position."""
    if given.seat is not None and given.seat >= given.players:
        given.usage.error(f"argument --seat: player_{given.seat} does not play in a game of {given.players}")
    from dracheninsel_env.text import print_position

    states = new_record(_options(given))
    words = np.empty(4, np.uint64)
    room = np.empty(ACTIONS.words, np.uint64)
    with cli.compiling(GAME):
        rng.seed_words(words, given.seed, 0, POLICY_STREAM)
        status = reset(states, 0, given.seed, 0, 0)
        for _ in range(given.moves):
            if status & 255 == 0:
                break
            action = choose(states["legal"][0], ACTIONS.passive, room, words, POLICIES.index(given.policy))
            status = step(states, 0, action)
    print_position(cli.new_console(), states, 0, given.seat)
    return 0


def run_warmup(given: argparse.Namespace) -> int:
    """Compile every entry point."""
    states = new_record(DracheninselOptions())
    words = np.empty(4, np.uint64)
    counts = np.empty(OBSERVATION.size, np.int8)
    history = np.empty(4 * 64, np.int8)
    mask = np.empty(ACTIONS.size, np.int8)
    room = np.empty(ACTIONS.words, np.uint64)
    scores = np.empty(6, np.int64)

    def legal() -> Any:
        return states["legal"][0]

    cli.warm_up(
        cli.new_console(),
        GAME,
        (
            ("reset", lambda: reset(states, 0, 0, 0, 0)),
            ("seed_words", lambda: rng.seed_words(words, 0, 0, POLICY_STREAM)),
            ("pick", lambda: bitset.pick(legal(), words)),
            ("unpack", lambda: bitset.unpack(legal(), mask)),
            ("step", lambda: step(states, 0, choose(legal(), ACTIONS.passive, room, words, 0))),
            ("refresh", lambda: refresh(states, 0)),
            ("observe", lambda: observe(states, 0, 0, counts)),
            ("observe_history", lambda: observe_history(states, 0, 0, 64, history)),
            ("standing", lambda: standing(states, 0, scores, scores.copy())),
            ("redraw", lambda: SPEC.rules.redraw(states, 0, 0)),
            ("try_step", lambda: SPEC.try_step(states, 0, -1)),
            ("sample", lambda: SPEC.sample(states, 0, words)),
            ("write_mask", lambda: SPEC.write_mask(states, 0, mask)),
            ("look_counts", lambda: SPEC.look_counts(states, 0, 0, 0, counts)),
            ("look_scaled", lambda: Lens(SPEC, "float32", 0).look(states, 0, 0)),
            ("selfplay", SelfPlay(SUBJECT, states).warm_up),
        ),
    )
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    given = build_parser().parse_args(argv)
    return cli.guarded(lambda: given.run(given))
