"""Positions and events in words: what is shown, and that nothing hidden is."""

import io
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from rich.text import Text

from isla_dorada_env.actions import bid_number
from isla_dorada_env.board import ROUTE_NAMES
from isla_dorada_env.components import DESTINY_NAMES, TREASURE_NAMES
from isla_dorada_env.convert import from_dict
from isla_dorada_env.events import EVENTS, Event
from isla_dorada_env.game import SPEC
from isla_dorada_env.options import IslaDoradaOptions
from isla_dorada_env.rules import engine
from isla_dorada_env.state import LAID, RUNNING, STATE
from isla_dorada_env.text import event_text, print_position, render_text
from isla_dorada_env.vocab import BASE, PLACES, Card, Way
from island_core.layout import States
from tests.common import playing


def active_play(players: int, seed: int, **options: Any) -> Iterator[States]:
    return playing.active_play(SPEC, IslaDoradaOptions(num_players=players, **options), seed)


def position(players: int = 4, cooperative_bidding: bool = False, **data: Any) -> States:
    return from_dict(data, IslaDoradaOptions(num_players=players, cooperative_bidding=cooperative_bidding))


# ---- What is hidden --------------------------------------------------------------------------------------------------

Place = tuple[str, tuple[int, ...]]


def hidden_cards(states: States, seat: int) -> list[list[Place]]:
    """Where the cards are that a seat cannot know: treasures, and while the game goes on adventure cards and destinies,
    which make the scores of all once it is over.
    """
    s = states[0]
    running = s["outcome"] == RUNNING
    others = [other for other in range(int(s["num_players"])) if other != seat]
    bit = 1 << seat
    treasures: list[Place] = [
        ("treasure_card", (k,))
        for other in others
        for k in range(s["treasure_start"][other], s["treasure_start"][other + 1])
        if not s["treasure_knowers"][k] & bit
    ]
    for field in ("starred_rejected", "telegram_rejected"):
        treasures += [(field, (other,)) for other in others if s[field][other] >= 0]
    adventure: list[Place] = [("deck", (k,)) for k in range(int(s["deck_size"]))]
    destinies: list[Place] = []
    for other in others if running else ():
        hand = range(int(s["hand_size"][other]))
        adventure += [("hand", (other, place)) for place in hand if not s["knowers"][other, place] & bit]
        destinies += [("destiny", (other, slot)) for slot in range(2) if s["destiny"][other, slot] >= 0]
    for deck, places in (("treasure_deck", treasures), ("destiny_deck", destinies)):
        size = int(s[f"{deck}_size"])
        places += [(deck, (k,)) for k in range(size) if not s[f"{deck}_knowers"][k] & bit]
    return [adventure, treasures, destinies]


def shuffle_hidden(states: States, seat: int, random: np.random.Generator) -> States:
    """The same for the seat: what he cannot know is exchanged, also in past events."""
    other = STATE.copy(states)
    s = other[0]
    for places in hidden_cards(states, seat):
        cards = random.permutation([s[name][at] for name, at in places])
        for (name, at), card in zip(places, cards, strict=True):
            s[name][at] = card
    curses = [k for k in range(len(PLACES)) if k != BASE and s["curse_at"][k] != seat and s["curse_at"][k] < LAID]
    s["curse_at"][curses] = random.permutation(s["curse_at"][curses])
    for row in s["event_log"]:
        if row[0] and not row[4] >> seat & 1:
            row[2] = random.integers(18)
    s["rng"][:] = random.integers(2**63, size=4, dtype=np.uint64)
    return other


@pytest.mark.rule("I2.4")
@pytest.mark.parametrize(("players", "cooperative"), [(3, False), (4, True), (6, False)])
def test_the_text_for_a_seat_does_not_depend_on_what_is_hidden(players: int, cooperative: bool) -> None:
    random = np.random.default_rng(players)
    for number, states in enumerate(active_play(players, 11, cooperative_bidding=cooperative)):
        if number % 7 == 0 or states["outcome"][0] != RUNNING:
            for seat in range(players):
                other = shuffle_hidden(states, seat, random)
                assert other.tobytes() != states.tobytes()
                assert render_text(other, 0, seat) == render_text(states, 0, seat)


@pytest.mark.rule("I4.2")
@pytest.mark.parametrize("players", [3, 5])
def test_who_is_asked_is_shown_to_him_alone(players: int) -> None:
    """A poll moves on without a trace: the others see the same text before and after `let be`."""
    moved = 0
    last: tuple[int, int, list[str]] | None = None
    for states in active_play(players, 4, polls="all"):
        if states["outcome"][0] != RUNNING:
            break
        actor, total = int(states["frame_seat"][0][states["depth"][0] - 1]), int(states["event_total"][0])
        texts = [render_text(states, 0, seat) for seat in range(players)]
        assert [f"player_{actor} must" in text for text in texts] == [seat == actor for seat in range(players)]
        if last and last[1] == total:
            moved += 1
            same = [seat for seat in range(players) if seat not in (actor, last[0])]
            assert [texts[seat] for seat in same] == [last[2][seat] for seat in same]
        last = (actor, total, texts)
    assert moved > 100


def test_of_other_hands_only_what_a_seat_is_certain_of() -> None:
    states = position(
        hands={"player_0": ["yak", "yak", "shaman"], "player_1": ["kamel"]},
        certain={"player_1": {"player_0": ["yak"]}},
        treasures={"player_0": ["Rhobanis starred", "Septris bonus"], "player_1": ["Qualtops"]},
        certain_treasures={"player_1": {"player_0": ["Septris bonus"]}},
        curses={"player_0": ["Septris"], "player_1": ["Hora-Pena"]},
        destinies={"player_0": ["north lore"], "player_1": ["Mar Maldita"]},
        starred_rejected={"player_0": "Kakotapl starred", "player_1": "Joztakitl starred"},
        put_under_destinies=[{"place": 0, "players": ["player_0"]}],
        destiny_deck=["pilgrim"],
    )
    table = render_text(states, 0)
    for words in (
        "player_0  hand: yak x2, shaman\n          treasures: Rhobanis starred 5, Septris bonus 2\n",
        "          curses: Septris -4\n          destiny: north lore (8 for Septris, Methritis, Rhobanis, Kamoptis)\n",
        "          rejected: Kakotapl starred 5, ",
        "player_1  hand: kamel\n          treasures: Qualtops 4\n          curses: Hora-Pena -4\n",
        "          destiny: Mar Maldita (8, 4, 0 for no, one, more sea journeys)\n",
        "player_0 must bid from Base or pass (bid)\n  bid Qualtops jungle, bid Kilitiping jungle, ",
    ):
        assert words in table
    seen = render_text(states, 0, 1)
    assert "player_0  certain of: yak\n          certain of treasures: Septris bonus 2\nplayer_1  hand: kamel\n" in seen
    assert "          rejected: Joztakitl starred 4\n" in seen
    for hidden in ("shaman", "Rhobanis starred", "Kakotapl starred", "north lore", "Septris -4", "must"):
        assert hidden not in seen


# ---- What is shown ---------------------------------------------------------------------------------------------------


def test_the_map_shows_the_places_where_they_lie() -> None:
    states = position(camp="Mana-Hatu", markers={"Mana-Hatu": 2, "Teltoqlut": 11, "Hora-Pena": 1})
    rows = render_text(states, 0).splitlines()[:7:2]
    assert [row.split() for row in rows] == [
        ["Hora-Pena", "1", "Septris", "Methritis", "Rhobanis"],
        ["Bulo-Mapo", "Wahi-Waha", "[Mana-Hatu]", "2", "Kamoptis", "Joztakitl", "Kakotapl"],
        ["Vanu-Tabu", "Balabatung", "Base", "Qualtops", "Etintaklop"],
        ["Aminadang", "Taratarong", "Kilitiping", "Teltoqlut", "11"],
    ]
    assert rows[1].index("Mana-Hatu") < rows[2].index("Base") < rows[0].index("Methritis")
    assert len({rows[0].index("Rhobanis"), rows[1].index("Kakotapl"), rows[3].index("Teltoqlut")}) == 1


@pytest.mark.rule("I5.2", "I9.1")
def test_the_ways_from_the_camp_and_what_closes_them() -> None:
    states = position(
        camp="Balabatung",
        monsters={"bigfoot": "Balabatung Aminadang mountain", "leviathan": "Vanu-Tabu Aminadang river"},
    )
    text = render_text(states, 0)
    assert (
        "ways from Balabatung, apart from flights:\n"
        "  jungle    Taratarong, Kilitiping\n"
        "  mountain  Aminadang (closed by bigfoot)\n"
        "  lake      Mana-Hatu, Base\n"
        "  river     Vanu-Tabu, Aminadang (closed by leviathan)\n"
    ) in text
    assert "bigfoot on Balabatung Aminadang mountain; leviathan on" in " ".join(text.split())


def test_the_expedition_and_the_players() -> None:
    states = position(
        3,
        markers={"Septris": 2, "Rhobanis": 3},
        sea_journeys=2,
        returns=1,
        gold={"player_0": 4, "player_1": 0},
        hands={"player_0": ["yak"] * 10},
        treasures={"player_1": ["Septris", "Methritis"]},
        laid={"player_2": ["Rhobanis starred", "Rhobanis bonus"]},
        curses={"player_0": ["Septris"]},
        curses_laid={"player_2": ["Mana-Hatu"]},
        round={"leader": "player_1", "number": 6},
        display=["panda", "yak", "yak", "kayak"],
        discard={"oveto": 2, "juju": 1},
        deck=[],
    )
    text = render_text(states, 0, 0)
    assert "round 7 of at most 40; player_1 leads (>); 5 of 16 markers; sea journeys 2 or more; returns 1;" in text
    assert (
        "   player    gold  cards  treasures  laid  curses  laid  points\n"
        "   player_0     4     10          0     0       1     0       4\n"
        ">  player_1     0      0          2     0       0     0       0\n"
        "   player_2    10      0          0     8       0    -3      15\n"
    ) in text
    assert "player_2  laid: Rhobanis starred 5, Rhobanis bonus 3\n          curses laid: Mana-Hatu -3\n" in text
    assert "display: yak x2, kayak, panda\ndiscard: oveto x2, juju\n" in text
    assert "decks: 95 adventure cards, 51 treasures, 16 curses, 19 destinies" in text


@pytest.mark.rule("I5.5")
def test_the_bids() -> None:
    hands = {"player_0": ["gonogo"], "player_1": ["yak", "yak"], "player_2": ["gonogo", "gonogo"]}
    bids = {
        "player_0": {"place": "Qualtops", "way": "jungle", "amount": 1},
        "player_1": {"place": "Kamoptis", "way": "mountain", "amount": 2},
    }
    text = render_text(
        position(
            hands=hands,
            bids=bids,
            barred=["player_2"],
            passed=["player_0"],
            stack=[{"decision": "bid", "player": "player_3"}],
        ),
        0,
        2,
    )
    assert "bids: player_0 Qualtops jungle 1; player_1 Kamoptis mountain 2\npassed: player_0\nbarred from" in text
    bids["player_2"] = {"place": "Qualtops", "way": "jungle", "amount": 2}
    together = position(
        cooperative_bidding=True, hands=hands, bids=bids, stack=[{"decision": "bid", "player": "player_3"}]
    )
    text = render_text(together, 0, 3)
    assert "bids: Qualtops jungle 3 (player_0 1, player_2 2); Kamoptis mountain 2 (player_1 2)" in text
    won = position(hands=hands, bids={"player_0": bids["player_0"]}, round={"stage": "payment"})
    assert "winning bid: player_0 Qualtops jungle 1" in render_text(won, 0, 3)


def test_nothing_is_wider_than_the_page() -> None:
    for cooperative in (False, True):
        for number, states in enumerate(active_play(6, 8, cooperative_bidding=cooperative)):
            if number % 25 == 0:
                assert max(map(len, render_text(states, 0).splitlines())) <= 100


def test_colour_only_adds_markup() -> None:
    for number, states in enumerate(active_play(5, 6)):
        if number % 30 == 0:
            marked = render_text(states, 0, 2, colour=True)
            plain = render_text(states, 0, 2)
            assert marked != plain
            assert Text.from_markup(marked).plain == plain
            out = io.StringIO()
            print_position(Console(file=out, width=100), states, 0, 2)
            assert out.getvalue() == plain + "\n"


@pytest.mark.rule("I11.2")
def test_a_finished_game_says_so_and_shows_the_destinies() -> None:
    *_, states = active_play(4, 1, max_rounds=3)
    text = render_text(states, 0, 0)
    assert "the game is over after 3 rounds" in text
    assert text.endswith("the game ends, truncated")
    assert ">" not in text
    assert text.count("destiny: ") == 4
    points, keys = np.zeros(6, np.int64), np.zeros(6, np.int64)
    engine.standing(states, 0, points, keys)
    lines = text.splitlines()
    table = lines[next(k for k, line in enumerate(lines) if "points" in line) + 1 :][:4]
    assert [int(line.split()[-1]) for line in table] == points[:4].tolist()


# ---- Events ----------------------------------------------------------------------------------------------------------

HORA_PENA, MANA_HATU = PLACES.index("Hora-Pena"), PLACES.index("Mana-Hatu")
BID = bid_number(Way.WATER, MANA_HATU)
RHOBANIS = TREASURE_NAMES.index("Rhobanis starred")
LORE = DESTINY_NAMES.index("north lore")
SEA = ROUTE_NAMES.index("Hora-Pena Rhobanis sea")
JUNGLE = ROUTE_NAMES.index("Base Qualtops jungle")

EVENT_WORDS = [
    ((Event.TREASURE, 1, RHOBANIS, -1), "player_1 gets Rhobanis starred"),
    ((Event.DESTINY, 1, LORE, -1), "player_1 gets north lore"),
    ((Event.CURSE, 1, HORA_PENA, -1), "player_1 gets the curse of Hora-Pena"),
    ((Event.REJECT_TREASURE, 1, RHOBANIS, -1), "player_1 rejects Rhobanis starred"),
    ((Event.REJECT_DESTINY, 1, LORE, -1), "player_1 rejects north lore"),
    ((Event.DEAL, 1, Card.YAK, -1), "player_1 is dealt yak"),
    ((Event.ROUND, 1, -1, -1), "a round begins, player_1 leads"),
    ((Event.BID, 1, BID, 4), "player_1 bids Mana-Hatu water 4"),
    ((Event.JOIN, 1, BID, 4), "player_1 joins Mana-Hatu water with 4"),
    ((Event.RAISE, 1, BID, 4), "player_1 raises his share in Mana-Hatu water to 4"),
    ((Event.PASS, 1, -1, -1), "player_1 passes"),
    ((Event.PLAY, 1, Card.OVETO, -1), "player_1 plays oveto"),
    ((Event.PLAY, 1, Card.JUJU, 0), "player_1 plays juju against player_0"),
    ((Event.WINNER, 1, BID, 4), "Mana-Hatu water 4 wins, player_1 leads"),
    ((Event.STAY, 1, -1, -1), "nobody has bid, the expedition stays"),
    ((Event.PAY, 1, Card.KAYAK, 0), "player_1 pays kayak"),
    ((Event.PAY, 1, Card.ZEPPELIN, 3), "player_1 pays zeppelin and 3 gold"),
    ((Event.SHAMAN, 1, Card.SHAMAN, Card.KAMEL), "player_1 turns kamel with shaman"),
    ((Event.SAIL, 1, SEA, -1), "a sea journey: Hora-Pena Rhobanis sea"),
    ((Event.MOVE, 1, MANA_HATU, Way.WATER), "the expedition goes to Mana-Hatu by water"),
    ((Event.MOVE, 1, MANA_HATU, Way.FLIGHT), "the expedition flies to Mana-Hatu"),
    ((Event.MARKER, -1, MANA_HATU, 2), "a marker is placed on Mana-Hatu, number 2 there"),
    ((Event.RETURN, -1, -1, -1), "the expedition is back in the base"),
    ((Event.CURSE_LAID, 1, HORA_PENA, -1), "player_1 lays the curse of Hora-Pena"),
    ((Event.TREASURE_LAID, 1, RHOBANIS, -1), "player_1 lays Rhobanis starred"),
    ((Event.TELEGRAM, -1, -1, 9), "the telegram of marker 9 arrives"),
    ((Event.DRAW, 1, Card.BONGO, -1), "player_1 draws bongo"),
    ((Event.BUY, 1, -1, -1), "player_1 pays 1 gold for another card"),
    ((Event.TAKE, 1, Card.BARON_SATURDAY, -1), "player_1 takes baron-saturday from the display"),
    ((Event.REFILL, -1, Card.YAK, -1), "yak is laid into the display"),
    ((Event.SHUFFLE, -1, -1, -1), "the discard pile becomes the deck"),
    ((Event.LIGHTNING, 1, Card.PANDA, -1), "lightning: panda for player_1"),
    ((Event.ROB, 1, Card.JUJU, 2), "player_1 takes juju from player_2"),
    ((Event.LOOT, 1, RHOBANIS, 2), "player_1 takes Rhobanis starred from player_2"),
    ((Event.BIGFOOT, 1, -1, JUNGLE), "player_1 moves bigfoot from outside to Base Qualtops jungle"),
    (
        (Event.LEVIATHAN, 1, SEA, SEA + 1),
        "player_1 moves leviathan from Hora-Pena Rhobanis sea to Hora-Pena Aminadang sea",
    ),
    ((Event.CHOOSE, 1, Card.PANDA, 0), "player_1 chooses player_0 for panda"),
    ((Event.DISCARD, 1, Card.YAK, -1), "player_1 discards yak"),
    ((Event.END, -1, 0, -1), "the game ends"),
    ((Event.END, -1, 1, -1), "the game ends, truncated"),
]


@pytest.mark.parametrize(("row", "words"), EVENT_WORDS)
def test_events_in_words(row: tuple[int, ...], words: str) -> None:
    assert event_text((*row, 63), 0) == event_text((*row, 0), None) == words


def test_every_kind_of_event_has_words() -> None:
    assert {row[0] for row, _ in EVENT_WORDS} == set(range(1, len(EVENTS.kinds) + 1))


@pytest.mark.rule("I2.4")
@pytest.mark.parametrize(
    ("row", "words"),
    [
        ((Event.TREASURE, 1, RHOBANIS, -1), "player_1 gets a treasure"),
        ((Event.DESTINY, 1, LORE, -1), "player_1 gets a destiny"),
        ((Event.CURSE, 1, HORA_PENA, -1), "player_1 gets a curse"),
        ((Event.REJECT_TREASURE, 1, RHOBANIS, -1), "player_1 rejects a treasure"),
        ((Event.REJECT_DESTINY, 1, LORE, -1), "player_1 rejects a destiny"),
        ((Event.DEAL, 1, Card.YAK, -1), "player_1 is dealt a card"),
        ((Event.DRAW, 1, Card.YAK, -1), "player_1 draws a card"),
        ((Event.ROB, 1, Card.YAK, 2), "player_1 takes a card from player_2"),
        ((Event.LOOT, 1, RHOBANIS, 2), "player_1 takes a treasure from player_2"),
    ],
)
def test_what_a_seat_does_not_see_is_not_named(row: tuple[int, ...], words: str) -> None:
    seen_by = 0b0110
    assert [event_text((*row, seen_by), seat) == words for seat in range(4)] == [True, False, False, True]
