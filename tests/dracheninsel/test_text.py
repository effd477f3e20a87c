"""Positions and events in words: what is shown, and that nothing hidden is."""

import io
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from rich.text import Text

from dracheninsel_env.board import SPACE_NAMES, TERRAIN_OF
from dracheninsel_env.convert import from_dict
from dracheninsel_env.events import EVENTS, Event
from dracheninsel_env.game import SPEC
from dracheninsel_env.options import DracheninselOptions
from dracheninsel_env.state import RUNNING, STATE
from dracheninsel_env.text import event_text, print_position, render_text
from dracheninsel_env.vocab import TERRAIN_LETTERS, Task
from island_core.layout import States
from tests.common import playing


def active_play(players: int, seed: int, turns: int = 60, polls: str = "holders") -> Iterator[States]:
    return playing.active_play(SPEC, DracheninselOptions(num_players=players, max_turns=turns, polls=polls), seed)


def position(players: int = 4, **data: Any) -> States:
    return from_dict(data, DracheninselOptions(num_players=players))


def shuffle_hidden(states: States, seat: int, random: np.random.Generator) -> States:
    """The same for the seat: cards he cannot know exchanged between other hands and the deck, also in past events."""
    other = STATE.copy(states)
    places: list[tuple[str, tuple[int, ...]]] = [("deck", (k,)) for k in range(int(other["deck_size"][0]))]
    for owner in range(int(other["num_players"][0])):
        for place in range(int(other["hand_size"][0][owner])):
            if owner != seat and not other["knowers"][0][owner, place] >> seat & 1:
                places.append(("hand", (owner, place)))
    cards = random.permutation([other[name][0][place] for name, place in places])
    for (name, at), card in zip(places, cards, strict=True):
        other[name][0][at] = card
    for row in other["event_log"][0]:
        if row[0] and not row[4] >> seat & 1:
            row[2] = random.integers(32)
    other["rng"][0] = random.integers(2**63, size=4, dtype=np.uint64)
    return other


@pytest.mark.parametrize("players", [3, 4, 6])
def test_the_text_for_a_seat_does_not_depend_on_hidden_cards(players: int) -> None:
    random = np.random.default_rng(players)
    for number, states in enumerate(active_play(players, 11)):
        if number % 7 == 0:
            for seat in range(players):
                other = shuffle_hidden(states, seat, random)
                assert other.tobytes() != states.tobytes()
                assert render_text(other, 0, seat) == render_text(states, 0, seat)


@pytest.mark.rule("D8.11")
@pytest.mark.parametrize("players", [3, 5])
def test_who_is_asked_is_shown_to_him_alone(players: int) -> None:
    """A poll moves on without a trace: the others see the same text before and after `let be`."""
    moved = 0
    last: tuple[int, int, list[str]] | None = None
    for states in active_play(players, 4, polls="all"):
        if states["outcome"][0] != RUNNING:
            break
        top = int(states["depth"][0]) - 1
        actor, total = int(states["frame_seat"][0][top]), int(states["event_total"][0])
        texts = [render_text(states, 0, seat) for seat in range(players)]
        assert [f"player_{actor} must" in text for text in texts] == [seat == actor for seat in range(players)]
        if top and last and last[1] == total:
            moved += 1
            same = [seat for seat in range(players) if seat not in (actor, last[0])]
            assert [texts[seat] for seat in same] == [last[2][seat] for seat in same]
        last = (actor, total, texts) if top else None
    assert moved > 100


def test_the_board_shows_who_stands_where() -> None:
    states = position(
        hunters={"yellow": "d4", "blue": "d4", "green": "boat-brown"},
        treasures={"100": "d4"},
        dragons=["g4"],
        hands={"player_0": ["water", "water", "betrayal/sneak-attack"], "player_1": ["desert"]},
        certain={"player_1": {"player_0": ["water"]}},
    )
    lines = render_text(states, 0).splitlines()
    letters = {name: TERRAIN_LETTERS[TERRAIN_OF[SPACE_NAMES.index(name)]] for name in ("d4", "g4", "d5")}
    assert f"4{letters['d4']}yb$ 5{letters['d5']} " in lines[4]
    assert f" 4{letters['g4']}! " in lines[7]
    assert " 5*$ " in lines[5]  # the next treasure; the 100 is under way
    assert "brown(gn)" in lines[0]
    text = "\n".join(lines)
    assert "100 on d4 with yellow and blue; 125 on the site" in text
    assert "hand of player_0: water x2, betrayal/sneak-attack" in text
    assert ">  player_0  yellow" in text
    assert "turn 1 of 300: player_0, 0 acts; listed for yellow d4" in text
    assert "player_0 must act or stop (turn)" in text
    seen = render_text(states, 0, 1)
    assert "certain of player_0: water\n" in seen
    assert "hand of player_1: desert" in seen
    assert "hand of player_0" not in seen
    assert "must" not in seen


def test_rows_are_indented_like_hexes() -> None:
    lines = render_text(position(hands={"player_0": ["water"]}), 0).splitlines()
    starts = [next(line for line in lines if f"{row} 1" in line).index(f"{row} 1") for row in "abcdefghi"]
    assert [b - a for a, b in zip(starts, starts[1:], strict=False)] == [-3] * 4 + [3] * 4
    first, second = (line.index("2") for line in lines[1:3])
    assert first - second == 3


def test_nothing_is_wider_than_the_page() -> None:
    for number, states in enumerate(active_play(6, 8)):
        if number % 50 == 0:
            assert max(map(len, render_text(states, 0).splitlines())) <= 100


def test_colour_only_adds_markup() -> None:
    for number, states in enumerate(active_play(5, 6)):
        if number % 60 == 0:
            marked = render_text(states, 0, 2, colour=True)
            plain = render_text(states, 0, 2)
            assert marked != plain
            assert Text.from_markup(marked).plain == plain
            out = io.StringIO()
            print_position(Console(file=out, width=100), states, 0, 2)
            assert out.getvalue() == plain + "\n"


def test_a_finished_game_says_so() -> None:
    *_, states = active_play(4, 1, turns=3)
    text = render_text(states, 0, 0)
    assert "the game is over after 3 turns" in text
    assert text.endswith("the game ends, truncated")
    assert ">" not in text


EVENT_WORDS = [
    ((Event.TURN, 1, -1, -1), "the turn of player_1 begins"),
    ((Event.DRAW, 1, 5, -1), "player_1 draws water"),
    ((Event.SHUFFLE, -1, -1, -1), "the discard pile becomes the deck"),
    ((Event.PAY, 1, 11, -1), "player_1 pays water/volcano"),
    ((Event.TASK, 1, 16, Task.DARING_FLIGHT), "player_1 plays daring-flight"),
    ((Event.TASK, 1, 27, Task.SWEET_SLUMBER), "player_1 plays sweet-slumber (sweet-slumber/daring-flight)"),
    ((Event.DISCARD, 1, 5, -1), "player_1 discards water"),
    ((Event.ROB, 1, 5, 2), "player_1 takes water from player_2"),
    ((Event.GIVE_BACK, 1, 5, 2), "player_1 gives water back to player_2"),
    ((Event.TAKE_BACK, 1, 5, -1), "player_1 takes water back"),
    ((Event.STEP, 1, 0, 21), "player_1: red walks to d4"),
    ((Event.LAND, 1, 0, 30), "player_1: red lands on the site"),
    ((Event.PAIR, 1, 0, 5), "player_1: red and blue are a pair"),
    ((Event.HOME, 1, 5, -1), "player_1: blue goes home"),
    ((Event.SWAP, 1, 21, 22), "player_1 swaps the discs of d4 and d5"),
    ((Event.DRAGON, 1, -1, 21), "player_1 moves a dragon from outside to d4"),
    ((Event.ANNOUNCE, 1, -1, 5), "player_1 makes water free for the turn"),
    ((Event.REMOVED, -1, 0, -1), "the treasure 100 leaves the game"),
    ((Event.LAID, -1, 1, -1), "the treasure 125 is laid on the site"),
    ((Event.DECLARE, 1, Task.FEAR_AND_TERROR, 2), "player_1 aims fear-and-terror at green"),
    ((Event.DECLARE, 1, Task.SNEAK_ATTACK, 2), "player_1 aims sneak-attack at player_2"),
    ((Event.UNDO, 1, -1, -1), "the act of player_1 is undone"),
    ((Event.SHARE, 1, 6, -1), "player_1 shares the treasure 300"),
    ((Event.COINS, 1, 6, 2), "player_1 gets 2 coins of 300"),
    ((Event.END, -1, 0, -1), "the game ends"),
    ((Event.END, -1, 1, -1), "the game ends, truncated"),
]


@pytest.mark.parametrize(("row", "words"), EVENT_WORDS)
def test_events_in_words(row: tuple[int, ...], words: str) -> None:
    assert event_text((*row, 63), 0) == event_text((*row, 0), None) == words


def test_every_kind_of_event_has_words() -> None:
    assert {row[0] for row, _ in EVENT_WORDS} == set(range(1, len(EVENTS.kinds) + 1))


@pytest.mark.rule("D8.7")
def test_a_hidden_card_is_a_card() -> None:
    thief_and_victim = 0b000110
    row = (Event.ROB, 1, 5, 2, thief_and_victim)
    assert [event_text(row, seat) for seat in range(4)] == [
        "player_1 takes a card from player_2",
        "player_1 takes water from player_2",
        "player_1 takes water from player_2",
        "player_1 takes a card from player_2",
    ]
    assert event_text((Event.DRAW, 1, 5, -1, 0b10), 0) == "player_1 draws a card"
    assert event_text((Event.GIVE_BACK, 1, 5, 2, thief_and_victim), 3) == "player_1 gives a card back to player_2"
