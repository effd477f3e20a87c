"""What is the game's own on its command line; ``island_core.commands`` has the commands, ``cli`` starts them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console

from isla_dorada_env.actions import NUM_ANIMALS, OFFSET
from isla_dorada_env.game import SPEC
from isla_dorada_env.options import MOST_ROUNDS, IslaDoradaOptions, new_record
from isla_dorada_env.selfplay import SUBJECT
from isla_dorada_env.vocab import CARDS, PAYING_CARDS, Card
from island_core import cli, commands
from island_core.layout import States
from island_core.position import Game
from island_core.selfplay_report import SelfPlayResult

EPILOG = """\
examples:
  isla-dorada selfplay                                 10,000 random games of four on all cores
  isla-dorada selfplay --cooperative --players 6       the same for six with cooperative bidding
  isla-dorada selfplay --players 3 --json games.json   the figures as a file, too
  isla-dorada tournament --policies acting,random,random,random --games 4000
                                                       who wins, with intervals and ratings
  isla-dorada show --moves 40 --seed 7                 a position in the middle of a game
  isla-dorada show --moves 40 --seat player_1          the same as one player sees it
  isla-dorada warmup                                   compile everything ahead of the first game
"""


def add_options(command: argparse.ArgumentParser) -> None:
    """The options of this game alone."""
    command.add_argument(
        "--max-rounds",
        type=cli.integer(1, MOST_ROUNDS),
        default=40,
        metavar="R",
        help="rounds before a game is truncated",
    )
    command.add_argument("--cooperative", action="store_true", help="cooperative bidding (I12)")


def read_options(given: argparse.Namespace) -> IslaDoradaOptions:
    """All options of the game that were given."""
    return IslaDoradaOptions(
        num_players=given.players,
        max_rounds=given.max_rounds,
        cooperative_bidding=given.cooperative,
        polls=given.polls,
    )


def headline(options: IslaDoradaOptions) -> str:
    """The options of this game alone, in words."""
    bidding = "cooperative" if options.cooperative_bidding else "basic"
    return f"{bidding} bidding, at most {options.max_rounds:,} rounds"


def count_cards(result: SelfPlayResult) -> dict[str, int]:
    """How often each kind of card was paid or played, lightning cards left out."""
    actions = result.actions
    counts = {CARDS[card]: actions[OFFSET.pay + card] for card in PAYING_CARDS}
    turned = [actions[OFFSET.pay_with_shaman + animal] for animal in range(NUM_ANIMALS)]
    for animal, number in enumerate(turned):
        counts[CARDS[animal]] += number
    blocks = result.blocks
    counts[CARDS[Card.SHAMAN]] = sum(turned)
    for card in (Card.OVETO, Card.JUJU, Card.SANGAIA, Card.BONGO):
        counts[CARDS[card]] = blocks[CARDS[card]]
    return counts


def winning_bids(result: SelfPlayResult) -> dict[str, Any]:
    """The mean winning bid of a round (rounds without a move count as 0)."""
    columns = result.columns
    return {"mean_winning_bid": columns["winning bids"].mean / columns["rounds"].mean}


def new_game(options: IslaDoradaOptions) -> Game:
    """The rules object with these options; its module is loaded when it is needed."""
    from isla_dorada_env import isla_dorada_v0

    return isla_dorada_v0.Game(**asdict(options))


def print_position(console: Console, states: States, i: int, seat: int | None) -> None:
    """Print a position; its module is loaded when it is needed."""
    from isla_dorada_env import text

    text.print_position(console, states, i, seat)


TABLE = commands.Table(
    program="isla-dorada",
    title="Isla Dorada",
    epilog=EPILOG,
    spec=SPEC,
    subject=SUBJECT,
    new_record=new_record,
    new_game=new_game,
    add_options=add_options,
    options=read_options,
    headline=headline,
    acting="no passing or letting be while anything else is possible",
    columns="Length, winning bids, places, treasures, destinies and points",
    score="points",
    counts=("Cards paid and played", "cards"),
    count=count_cards,
    print_position=print_position,
    more_json=winning_bids,
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    return commands.main(TABLE, argv)
