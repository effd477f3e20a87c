"""What is the game's own on its command line; ``island_core.commands`` has the commands, ``cli`` starts them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict

from rich.console import Console

from dracheninsel_env.actions import OFFSET, USE_TASK
from dracheninsel_env.game import SPEC
from dracheninsel_env.options import MOST_TURNS, DracheninselOptions, new_record
from dracheninsel_env.selfplay import SUBJECT
from dracheninsel_env.vocab import TASKS
from island_core import cli, commands
from island_core.layout import States
from island_core.position import Game
from island_core.selfplay_report import SelfPlayResult

EPILOG = """\
examples:
  dracheninsel selfplay                                   10,000 random games of four on all cores
  dracheninsel selfplay --policy acting --max-turns 5000  players who always act, to the natural end
  dracheninsel selfplay --players 3 --json games.json     the figures as a file, too
  dracheninsel tournament --policies acting,random,random,random --games 4000
                                                          who wins, with intervals and ratings
  dracheninsel show --moves 40 --seed 7                   a position in the middle of a game
  dracheninsel show --moves 40 --seat player_1            the same as one player sees it
  dracheninsel warmup                                     compile everything ahead of the first game
"""


def add_options(command: argparse.ArgumentParser) -> None:
    """The options of this game alone."""
    command.add_argument(
        "--max-turns",
        type=cli.integer(1, MOST_TURNS),
        default=300,
        metavar="T",
        help="turns before a game is truncated",
    )
    command.add_argument("--layout", choices=("standard", "random"), default="standard", help="start layout (D1.4)")


def read_options(given: argparse.Namespace) -> DracheninselOptions:
    """All options of the game that were given."""
    return DracheninselOptions(
        num_players=given.players, max_turns=given.max_turns, layout=given.layout, polls=given.polls
    )


def headline(options: DracheninselOptions) -> str:
    """The options of this game alone, in words."""
    return f"at most {options.max_turns:,} turns, layout {options.layout}"


def count_tasks(result: SelfPlayResult) -> dict[str, int]:
    """How often each task was played, on one-sided and split cards together."""
    counts = dict.fromkeys(TASKS, 0)
    for use, task in enumerate(USE_TASK):
        if task >= 0:
            counts[TASKS[task]] += result.actions[OFFSET.play + use]
    return counts


def new_game(options: DracheninselOptions) -> Game:
    """The rules object with these options; its module is loaded when it is needed."""
    from dracheninsel_env import dracheninsel_v0

    return dracheninsel_v0.Game(**asdict(options))


def print_position(console: Console, states: States, i: int, seat: int | None) -> None:
    """Print a position; its module is loaded when it is needed."""
    from dracheninsel_env import text

    text.print_position(console, states, i, seat)


TABLE = commands.Table(
    program="dracheninsel",
    title="Die Dracheninsel",
    epilog=EPILOG,
    spec=SPEC,
    subject=SUBJECT,
    new_record=new_record,
    new_game=new_game,
    add_options=add_options,
    options=read_options,
    headline=headline,
    acting="no stopping or exchanging while an act is possible",
    columns="Length, treasures and money",
    score="money",
    counts=("Tasks played", "tasks"),
    count=count_tasks,
    print_position=print_position,
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    return commands.main(TABLE, argv)
