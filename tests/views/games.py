"""What the tests of the views need to know of each game: one row a game, one variant a way of playing it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from dracheninsel_env import cli as dracheninsel_cli
from dracheninsel_env import dracheninsel_v0
from dracheninsel_env.vocab import TASKS, Task
from isla_dorada_env import cli as isla_dorada_cli
from isla_dorada_env import isla_dorada_v0
from isla_dorada_env.vocab import CARDS, LIGHTNING_CARDS
from island_core.errors import OptionError
from island_core.position import Game, TableEvent
from island_core.spec import GameSpec


@dataclass(frozen=True, repr=False)
class Case:
    """A game and the options it is played with.

    Attributes
    ----------
    name, title, module, cli, gymnasium_id:
        what it is called, where its views are, and the name it is registered by.
    options:
        of this variant; whatever makes a game takes more.
    actions, first_spare, decisions, scale:
        sizes of the action space and of its named part, the number of kinds of decisions, the scale of scores.
    opening, start_score:
        the decision a game begins with, and what everybody has then.
    guard, short, middle, endless:
        the option that truncates games, and its values for games that end soon, that go on for more than 60 moves,
        and that end by themselves.
    stretches:
        moves that all games have, in three parts, when nobody is passive.
    other_options, bad_options:
        a value of each option but the default; values of own options that are refused, and what is allowed.
    length, ended:
        the length of a game, and whether it ended by itself, from its dict form.
    decks:
        keys of the dict form: the cards whose order nobody knows.
    polls:
        the kinds of decisions that are polls.
    own_card, shared_card:
        kinds of events whose card only its seat sees, and the seat and the one in ``b``.
    seat_in_b:
        whether ``b`` of an event is a seat.
    kinds:
        kinds of events of a long game.
    nonsense:
        texts that name no action.
    conformance:
        further options that must keep every promise, and how often kinds of decisions come up at least.
    conformance_games:
        how many games of each.
    program, variable:
        of the command line: its name, and the environment variable of the components file.
    arguments, own_arguments:
        of the command line: what stands for ``options``; further options, and what they say.
    words, columns, counts, own_keys, bad_arguments:
        what it prints, the columns, the title and words of what it counts, own keys of its JSON, what it refuses.
    """

    name: str
    title: str
    module: ModuleType
    cli: ModuleType
    gymnasium_id: str
    actions: int
    first_spare: int
    decisions: int
    scale: float
    opening: str
    start_score: int
    guard: str
    short: int
    middle: int
    endless: int
    stretches: tuple[int, int, int]
    other_options: Mapping[str, Any]
    bad_options: Mapping[str, tuple[tuple[Any, ...], tuple[str, ...]]]
    length: Callable[[Mapping[str, Any]], int]
    ended: Callable[[Mapping[str, Any]], bool]
    decks: tuple[str, ...]
    polls: tuple[str, ...]
    own_card: frozenset[str]
    shared_card: frozenset[str]
    seat_in_b: Callable[[TableEvent], bool]
    kinds: frozenset[str]
    nonsense: tuple[str, ...]
    conformance: Mapping[str, tuple[Mapping[str, Any], Mapping[str, int]]]
    conformance_games: int
    program: str
    variable: str
    own_arguments: tuple[tuple[str, ...], Mapping[str, Any]]
    words: tuple[str, ...]
    columns: tuple[str, ...]
    counts: tuple[str, tuple[str, ...]]
    own_keys: frozenset[str]
    bad_arguments: tuple[tuple[tuple[str, ...], str], ...]
    variant: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"{self.name} {self.variant}".strip()

    @property
    def spec(self) -> GameSpec:
        return self.module.Game.spec

    def env(self, **more: Any) -> Any:
        return self.module.env(**{**self.options, **more})

    def raw_env(self, **more: Any) -> Any:
        return self.module.raw_env(**{**self.options, **more})

    def batch_env(self, num_envs: int, **more: Any) -> Any:
        return self.module.batch_env(num_envs, **{**self.options, **more})

    def parallel_env(self, **more: Any) -> Any:
        return self.module.parallel_env(**{**self.options, **more})

    def single_seat(self, **more: Any) -> Any:
        """The Gymnasium environment without the wrappers that ``gymnasium.make`` puts around it."""
        return self.module.SingleSeatEnv(**{**self.options, **more})

    def vector_env(self, num_envs: int, **more: Any) -> Any:
        """The vector environment of Gymnasium."""
        return self.module.VectorEnv(num_envs, **{**self.options, **more})

    def rules(self, **more: Any) -> Game:
        """The rules object."""
        return self.module.Game(**{**self.options, **more})

    def limit(self, length: int) -> dict[str, int]:
        """The option that ends games after so many turns or rounds."""
        return {self.guard: length}

    def hides(self, event: TableEvent, seat: int) -> bool:
        """Whether a seat does not see the card of an event."""
        if event.kind in self.shared_card:
            return seat not in (event.seat, event.b)
        return event.kind in self.own_card and event.seat != seat


BAD_OPTIONS = {
    "num_players": ((2, 7, 4.0, "4", True, None), ("3", "6")),
    "polls": (("none", True), ("'holders'", "'all'")),
}
TWO_FLAGS = ((1, "yes", None), ("True", "False"))
LENGTHS = ((0, 32768, 10.5, True), ("1", "32767"))

DRACHENINSEL = Case(
    name="dracheninsel",
    title="Die Dracheninsel",
    module=dracheninsel_v0,
    cli=dracheninsel_cli,
    gymnasium_id="Dracheninsel-v0",
    actions=500,
    first_spare=487,
    decisions=18,
    scale=2580.0,
    opening="turn",
    start_score=0,
    guard="max_turns",
    short=10,
    middle=40,
    endless=5000,
    stretches=(400, 300, 100),
    other_options={
        "num_players": 5,
        "polls": "all",
        "layout": "random",
        "slumber_on_arrival": True,
        "max_turns": 77,
    },
    bad_options={
        **BAD_OPTIONS,
        "layout": (("printed", 0), ("'standard'", "'random'")),
        "slumber_on_arrival": TWO_FLAGS,
        "max_turns": LENGTHS,
    },
    length=lambda data: data["turn"]["number"],
    ended=lambda data: set(data["treasures"].values()) <= {"collected", "removed"},
    decks=("deck",),
    polls=("slumber", "counter"),
    own_card=frozenset({"draw"}),
    shared_card=frozenset({"rob", "give back"}),
    seat_in_b=lambda event: (
        event.kind in ("rob", "give back") or (event.kind == "declare" and event.a == Task.SNEAK_ATTACK)
    ),
    kinds=frozenset({"turn", "draw", "pay", "task", "step", "rob", "laid"}),
    nonsense=("step", "step z9 free", "stop stop"),
    conformance={
        "default": ({}, {"turn": 20, "exchange": 5}),
        "polls": ({"polls": "all", "layout": "random"}, {"turn": 20, "exchange": 5}),
        "short": ({"slumber_on_arrival": True, "max_turns": 12}, {"turn": 20, "exchange": 5}),
    },
    conformance_games=2,
    program="dracheninsel",
    variable="DRACHENINSEL_COMPONENTS",
    own_arguments=(
        ("--layout", "random", "--max-turns", "10"),
        {"layout": "random", "slumber_on_arrival": False, "max_turns": 10},
    ),
    words=("Die Dracheninsel", "turns", "treasures removed", "mean money", "sweet-slumber", "at most 10 turns"),
    columns=("turns", "treasures collected", "treasures removed", "money"),
    counts=("tasks", TASKS),
    own_keys=frozenset(),
    bad_arguments=(
        (("--max-turns", "0"), "argument --max-turns: 0 is not allowed; allowed: integers from 1 to 32767"),
        (("--max-turns", "32768"), "argument --max-turns: 32768 is not allowed; allowed: integers from 1 to 32767"),
        (("--layout", "printed"), "argument --layout: invalid choice: 'printed'"),
        (("--cooperative",), "unrecognized arguments: --cooperative"),
    ),
)

ISLA_DORADA = Case(
    name="isla_dorada",
    title="Isla Dorada",
    module=isla_dorada_v0,
    cli=isla_dorada_cli,
    gymnasium_id="IslaDorada-v0",
    actions=512,
    first_spare=509,
    decisions=21,
    scale=50.0,
    opening="starred",
    start_score=10,
    guard="max_rounds",
    short=2,
    middle=6,
    endless=5000,
    stretches=(120, 90, 40),
    other_options={"num_players": 5, "polls": "all", "cooperative_bidding": True, "max_rounds": 77},
    bad_options={**BAD_OPTIONS, "cooperative_bidding": TWO_FLAGS, "max_rounds": LENGTHS},
    length=lambda data: data["round"]["number"],
    ended=lambda data: sum(data["markers"].values()) == 16,
    decks=("deck", "treasure_deck", "curse_deck", "destiny_deck"),
    polls=("oveto", "sangaia", "bongo"),
    own_card=frozenset({"treasure", "destiny", "curse", "reject treasure", "reject destiny", "deal", "draw"}),
    shared_card=frozenset({"rob", "loot"}),
    seat_in_b=lambda event: event.kind in ("rob", "loot", "choose", "play"),
    kinds=frozenset(
        {"treasure", "destiny", "curse", "reject destiny", "deal", "round", "winner", "pay", "move", "marker", "draw"}
        | {"take", "lightning", "rob", "loot"}
    ),
    nonsense=("bid", "bid Atlantis water", "bid Hora-Pena", "amount 30", "pass pass"),
    conformance={
        "basic": ({}, {"bid": 20, "draw": 20}),
        "cooperative": ({"cooperative_bidding": True}, {"bid": 20, "share": 5, "draw": 20}),
        "short, polls": (
            {"polls": "all", "max_rounds": 3},
            {"bid": 9, "draw": 9, "sangaia": 9, "bongo": 9},
        ),
        "short, polls, cooperative": (
            {"polls": "all", "max_rounds": 3, "cooperative_bidding": True},
            {"bid": 9, "share": 2, "draw": 9, "sangaia": 9, "bongo": 9},
        ),
    },
    conformance_games=1,
    program="isla-dorada",
    variable="ISLA_DORADA_COMPONENTS",
    own_arguments=(
        ("--cooperative", "--max-rounds", "3"),
        {"cooperative_bidding": True, "max_rounds": 3},
    ),
    words=("Isla Dorada", "rounds", "winning bids", "mean points", "destinies met", "zeppelin", "at most 2 rounds"),
    columns=(
        *("rounds", "winning bids", "places visited", "returns to base", "treasures laid", "destinies met"),
        "points of all",
    ),
    counts=("cards", CARDS[: LIGHTNING_CARDS[0]]),
    own_keys=frozenset({"mean_winning_bid"}),
    bad_arguments=(
        (("--max-rounds", "0"), "argument --max-rounds: 0 is not allowed; allowed: integers from 1 to 32767"),
        (("--max-rounds", "32768"), "argument --max-rounds: 32768 is not allowed; allowed: integers from 1 to 32767"),
        (("--max-turns", "3"), "unrecognized arguments: --max-turns 3"),
        (("--cooperative", "yes"), "unrecognized arguments: yes"),
    ),
)

GAMES = (DRACHENINSEL, ISLA_DORADA)
VARIANTS = (
    DRACHENINSEL,
    ISLA_DORADA,
    replace(
        ISLA_DORADA,
        variant="cooperative",
        options={"cooperative_bidding": True},
        arguments=("--cooperative",),
    ),
)

# ---- Bad values of options: by name, values that are refused and what the message says is allowed

LOOK_OPTIONS = {
    "illegal": (("ignore", None), ("'terminate'", "'raise'", "'random'")),
    "obs_dtype": (("float64", np.float32), ("'float32'", "'int8'")),
    "history": ((-1, 65, 1.5, False), ("0", "64")),
    "reward": (("coins", 1), ("'win'", "'score'", "'rank'", "'gain'")),
}
"""Of every view."""
MANY_OPTIONS = {
    **LOOK_OPTIONS,
    "copy": ((0, 1, "no", None), ("True", "False")),
    "autoreset_mode": (("SameStep", None, 0), ("'SAME_STEP'", "'NEXT_STEP'", "'DISABLED'")),
}
"""Of views of many games."""

BadOptions = Mapping[str, tuple[tuple[Any, ...], tuple[str, ...]]]


def bad_options(options: BadOptions) -> list[Any]:
    """Cases ``game, name, value`` for pytest: each bad value of these options and of each game's own."""
    return [
        pytest.param(game, name, value, id=f"{game}-{name}-{value!r}")
        for game in GAMES
        for name, (values, _) in {**game.bad_options, **options}.items()
        for value in values
    ]


def check_refused(make: Callable[..., Any], game: Case, options: BadOptions, name: str, value: Any) -> None:
    """``make`` refuses a bad value with a message that has the name, the value and what is allowed."""
    with pytest.raises(OptionError) as caught:
        make(**{name: value})
    message = str(caught.value)
    assert f"{name}={value!r}" in message
    allowed = message.partition("allowed: ")[2]
    assert all(choice in allowed for choice in {**game.bad_options, **options}[name][1])
