"""Positions as dicts: round trips, what is missing, what is refused; the invariants of a position."""

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from dracheninsel_env.actions import ACTIONS
from dracheninsel_env.components import CARD_NAMES, COPIES, FIRST_TASK_SLOT
from dracheninsel_env.convert import check, from_dict, to_dict
from dracheninsel_env.decisions import DECISION_NAMES, Decision
from dracheninsel_env.game import SPEC
from dracheninsel_env.notation import action_name, parse
from dracheninsel_env.options import DracheninselOptions, configure
from dracheninsel_env.rules import engine
from dracheninsel_env.state import REMOVED, RUNNING, STATE
from island_core import bitset
from island_core.errors import InvariantError, PositionError
from island_core.layout import States
from tests.common import playing

Dict = dict[str, Any]


def active_play(options: DracheninselOptions, seed: int) -> Iterator[States]:
    return playing.active_play(SPEC, options, seed)


def decision(states: States) -> int:
    return int(states["frame_decision"][0][max(int(states["depth"][0]) - 1, 0)])


def read(data: Any, players: int = 4, **options: Any) -> States:
    return from_dict(data, DracheninselOptions(num_players=players, **options))


def legal_names(states: States) -> list[str]:
    ids = [action for action in range(ACTIONS.size) if bitset.has_bit(states["legal"][0], action)]
    return [str(action_name(states, 0, action)) for action in ids]


# ---- Round trips


@pytest.mark.parametrize("polls", ["holders", "all"])
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_a_dict_gives_the_same_record_back(players: int, polls: str) -> None:
    """Every 50th decision, the first of each kind and the end of long games, through JSON."""
    seen: set[int] = set()
    for seed in range(2):
        options = DracheninselOptions(
            num_players=players, polls=polls, layout=("standard", "random")[seed], slumber_on_arrival=seed == 1
        )
        for number, states in enumerate(active_play(options, seed)):
            kind = decision(states)
            if number % 50 and kind in seen and states["outcome"][0] == RUNNING:
                continue
            seen.add(kind)
            check(states, 0)
            data = to_dict(states, 0)
            text = json.loads(json.dumps(data))
            assert text == data
            back = from_dict(text, options)
            assert {f.name for f in STATE.fields if not np.array_equal(back[f.name], states[f.name])} == set()
            assert back.tobytes() == states.tobytes()
    assert len(seen) >= 16, [DECISION_NAMES[kind] for kind in seen]


def test_the_future_is_the_same_too() -> None:
    options = DracheninselOptions(num_players=5, max_turns=40)
    played = list(active_play(options, 3))[0]
    states = STATE.alloc(1)
    configure(states, 0, options)
    engine.reset(states, 0, 3, 0, 0)
    twin = from_dict(to_dict(states, 0), options)
    assert played["outcome"][0] != RUNNING
    for _ in range(300):
        if states["outcome"][0] != RUNNING:
            break
        action = int(np.flatnonzero([bitset.has_bit(states["legal"][0], a) for a in range(ACTIONS.size)])[0])
        engine.step(states, 0, action)
        engine.step(twin, 0, action)
        assert twin.tobytes() == states.tobytes()


def test_nobody_is_certain_of_anything_where_nobody_sits() -> None:
    """A hand taken back openly is known to every player (D8.10), and to no empty seat."""
    options = DracheninselOptions(num_players=3, polls="all")
    for seed in range(20):
        for states in active_play(options, seed):
            certain = to_dict(states, 0)["certain"]
            assert set(certain) <= {"player_0", "player_1", "player_2"}
            assert not (states["knowers"][0] >> 3).any()
            if len(certain) == 3:
                return
    pytest.fail("no curse was undone")


# ---- What is missing


def test_an_empty_dict_is_a_start() -> None:
    states = read({"hands": {"player_0": ["water", "evil-curse"]}})
    data = to_dict(states, 0)
    assert data["seats"] == {f"player_{k}": [h] for k, h in enumerate(("yellow", "green", "brown", "blue"))}
    assert data["hunters"] == {h: f"boat-{h}" for h in ("yellow", "green", "brown", "blue")}
    assert data["treasures"] == {"100": "e5"} | dict.fromkeys(("125", "150", "175", "200", "240", "300"), "stock")
    assert data["turn"] == {
        "active": "player_0", "number": 0, "acts": 0, "mover": None, "freed": [], "left_alone": [],
        "listed": {"yellow": ["boat-yellow"]}, "stage": "idle",
    }  # fmt: skip
    assert len(data["deck"]) == 97
    assert data["events"] == {"total": 0, "last": []}
    assert data["undo"]["hunters"] == data["hunters"]
    assert read({"hands": {"player_0": ["water", "evil-curse"]}}).tobytes() == states.tobytes()


@pytest.mark.rule("D4.2", "D4.3")
def test_play_runs_on_to_the_first_decision() -> None:
    """Nobody is asked who has an empty hand and no step: all draw their first six cards."""
    data = to_dict(read({}), 0)
    assert data["turn"]["number"] > 0
    assert len(data["hands"]["player_0"]) == 6


@pytest.mark.rule("D3.2", "D9.1")
def test_seats_are_completed_clockwise() -> None:
    hands = {"player_0": ["water"]}
    six = to_dict(read({"seats": {"player_2": ["blue"]}, "hands": hands}, 6), 0)["seats"]
    assert [six[f"player_{k}"] for k in range(6)] == [["grey"], ["brown"], ["blue"], ["red"], ["yellow"], ["green"]]
    assert "blue" not in str(to_dict(read({"hands": hands}, 5), 0)["seats"])
    three = to_dict(read({"seats": {"player_1": ["grey", "red"]}, "hands": hands}, 3), 0)["seats"]
    assert three["player_1"] == ["red", "grey"]


@pytest.mark.rule("D6.4")
def test_the_lowest_treasure_left_is_on_the_site() -> None:
    data = {"treasures": {"100": "removed", "125": "d4"}, "hunters": {"blue": "d4"}, "hands": {"player_0": ["water"]}}
    treasures = to_dict(read(data), 0)["treasures"]
    assert treasures["150"] == "e5"
    assert treasures["175"] == "stock"


def test_a_short_deck_is_continued() -> None:
    deck = to_dict(read({"hands": {"player_0": ["water"]}, "deck": ["betrayal", "desert"]}), 0)["deck"]
    assert deck[:2] == ["betrayal", "desert"]
    assert len(deck) == 98


def test_discs_that_are_missing_are_those_of_the_start() -> None:
    hand = {"hands": {"player_0": ["water"]}}
    start = to_dict(read(hand), 0)["discs"]
    first, second = "d4", next(space for space, terrain in start.items() if terrain != start["d4"])
    swapped = {first: start[second], second: start[first]}
    assert to_dict(read({**hand, "discs": swapped}), 0)["discs"] == {**start, **swapped}


@pytest.mark.parametrize(
    ("data", "names"),
    [
        ({"stack": [{"decision": "exchange"}], "hands": {"player_0": ["water"]}}, ["discard water", "done"]),
        ({"stack": [{"decision": "asleep"}], "hands": {"player_0": ["water"]}, "turn": {"acts": 1}},
         ["discard water", "stop"]),
        ({"stack": [{"decision": "journey card"}], "hands": {"player_0": ["water", "sweet-slumber"]}}, ["with water"]),
        ({"stack": [{"decision": "journey terrain", "card": "water/volcano"}], "table": {"water/volcano": 1}},
         ["announce volcano", "announce water"]),
        ({"stack": [{"decision": "fear target"}], "hunters": {"blue": "d4"}}, ["send home blue"]),
        ({"stack": [{"decision": "slumber", "player": "player_1"}], "hands": {"player_1": ["sweet-slumber"]}},
         ["sleep", "let be"]),
        ({"stack": [{"decision": "slumber", "player": "player_1"},
                    {"decision": "counter", "player": "player_3", "task": "sweet-slumber"}],
          "hands": {"player_3": ["counterspell"]}}, ["counter", "let be"]),
        ({"stack": [{"decision": "dragon space", "dragon": "c3"}], "dragons": ["d3", "c3"]}, None),
        ({"stack": [{"decision": "dragon"}], "dragons": ["d3", "c3"]}, ["choose c3", "choose d3"]),
        ({"stack": [{"decision": "betrayal", "player": "player_0", "guest": "blue"}],
          "hands": {"player_0": ["betrayal"]}, "hunters": {"blue": "boat-yellow"},
          "treasures": {"100": "boat-yellow"}, "turn": {"mover": "yellow"},
          "undo": {"hunters": {"yellow": "d4", "blue": "d4"}, "treasures": {"100": "d4"}}}, ["betray", "share"]),
        ({"stack": [{"decision": "ambush"}], "turn": {"mover": "yellow"}, "treasures": {"100": "d4"},
          "hunters": dict.fromkeys(("yellow", "green", "blue"), "d4"), "undo": {"hunters": {"yellow": "d3"}}},
         ["send home green", "send home blue"]),
    ],
)  # fmt: skip
def test_a_stack_needs_little_more_than_its_decision(data: Dict, names: list[str] | None) -> None:
    states = read(data)
    check(states, 0)
    assert decision(states) == DECISION_NAMES.index(data["stack"][-1]["decision"])
    if names is not None:
        assert legal_names(states) == names


def test_a_position_that_was_read_can_be_undone() -> None:
    """The pair of the last case goes back to where the act began."""
    data: Dict = {
        "stack": [{"decision": "slumber", "player": "player_2"}],
        "hands": {"player_0": ["water"], "player_2": ["sweet-slumber"]},
        "hunters": {"blue": "boat-yellow"},
        "treasures": {"100": "boat-yellow"},
        "turn": {"mover": "yellow"},
        "undo": {"hunters": {"yellow": "d4", "blue": "d4"}, "treasures": {"100": "d4"}},
    }
    states = read(data)
    engine.step(states, 0, parse(states, 0, "sleep"))
    after = to_dict(states, 0)
    assert after["hunters"]["yellow"] == after["hunters"]["blue"] == after["treasures"]["100"] == "d4"
    assert after["stack"] == [{"decision": "asleep", "player": "player_0"}]


# ---- What is refused

HAND = {"hands": {"player_0": ["water"]}}
IN_ACT: Dict = {"stack": [{"decision": "rob target"}], "hands": {"player_2": ["water"]}}
ASLEEP: Dict = {"stack": [{"decision": "slumber", "player": "player_1"}], "hands": {"player_1": ["sweet-slumber"]}}
PAIR = {"yellow": "d4", "blue": "d4"}

REFUSED: list[tuple[Dict, str]] = [
    # keys, types, words
    ({"board": {}}, r"board: an unknown key given, allowed: game, options"),
    ({"game": "chess"}, r"game: 'chess' given, allowed: 'dracheninsel'"),
    ({"options": {"players": 3}}, r"options.players: an unknown key"),
    ({"options": {"num_players": 5}}, r"options.num_players: 5 given, allowed: 4, the game's own"),
    ({"options": {"slumber_on_arrival": 0}}, r"options.slumber_on_arrival: 0 given, allowed: False"),
    ({"hands": []}, r"hands: \[\] given, allowed: a dict by players"),
    ({"hands": {"player_0": "water"}}, r"hands.player_0: 'water' given, allowed: a list"),
    ({"hands": {"player_4": ["water"]}}, r"hands: 'player_4' given, allowed: player_0, player_1, player_2, player_3"),
    ({"hands": {"player_0": ["watter"]}}, r"hands.player_0\[0\]: 'watter' given.*close: water"),
    ({"hands": {"player_0": [5]}}, r"hands.player_0\[0\]: 5 given"),
    ({"hunters": {"pink": "d4"}}, r"hunters: 'pink' given, allowed: red, yellow"),
    ({"hunters": {"red": "d4"}}, r"hunters: 'red' given, allowed: yellow, green, brown, blue"),
    ({"hunters": {"yellow": "d9"}}, r"hunters.yellow: 'd9' given, allowed: a1 to i5"),
    ({"hunters": {1: "d4"}}, r"hunters: 1 given, allowed: strings"),
    ({"discs": {"d4": "swamp"}}, r"discs.d4: 'swamp' given, allowed: volcano, desert"),
    ({"discs": {"e5": "water"}}, r"discs: 'e5' given, allowed: terrain spaces"),
    ({"discs": {"boat-red": "water"}}, r"discs: 'boat-red' given"),
    ({"treasures": {"110": "stock"}}, r"treasures.110: an unknown key given, allowed: 100, 125"),
    ({"treasures": {"100": "lost"}}, r"treasures.100: 'lost' given, allowed: a space, stock, collected, removed"),
    ({"coins": {"player_0": ["100"]}}, r"coins.player_0\[0\]: '100' given, allowed: 100, 125"),
    ({"discard": {"water": True}}, r"discard.water: True given, allowed: a whole number from 0 to 8"),
    ({"turn": {"phase": 1}}, r"turn.phase: an unknown key"),
    ({"turn": {"active": "player_7"}}, r"turn.active: 'player_7' given, allowed: player_0"),
    ({"turn": {"stage": "later"}}, r"turn.stage: 'later' given, allowed: idle, act over"),
    ({"turn": {"number": -1}}, r"turn.number: -1 given"),
    ({"turn": {"freed": ["water", "water"]}}, r"turn.freed: .* allowed: different terrains"),
    ({"outcome": "won"}, r"outcome: 'won' given, allowed: running, natural, truncated"),
    ({"rng": ["1", "2", "3"]}, r"rng: .* allowed: four strings"),
    ({"rng": ["0", "0", "0", "0"]}, r"rng: .* not all zero"),
    ({"rng": [1, 2, 3, 4]}, r"rng: .* allowed: four strings"),
    # seats
    ({"seats": {"player_0": ["red"]}}, r"seats: .*'red'.* allowed: a rotation of yellow; green; brown; blue"),
    ({"seats": {"player_0": ["yellow"], "player_1": ["blue"]}}, r"seats: "),
    # cards
    ({"hands": {"player_0": ["water"] * 7}}, r"hands.player_0: .* allowed: at most 6 cards in a hand"),
    ({"hands": {"player_0": ["water"] * 6, "player_1": ["water"] * 3}}, r"cards: 9 water given, allowed: 8 in hands"),
    ({"hands": {"player_0": ["water"] * 5}, "discard": {"water": 4}}, r"cards: 9 water given, allowed: 8"),
    ({"deck": ["water"] * 9}, r"cards: 9 water given, allowed: 8"),
    ({"deck": ["water"] * 100}, r"deck: .* allowed: at most 99 cards, what hands, discard and table leave"),
    ({**HAND, "certain": {"player_1": {"player_0": ["desert"]}}}, r"certain.player_1.player_0: .* hand: water"),
    ({**HAND, "certain": {"player_0": {"player_0": ["water"]}}}, r"certain.player_0: 'player_0' given.* other players"),
    ({**HAND, "certain": {"player_5": {}}}, r"certain.player_5: an unknown key"),
    # the board
    ({"discs": dict.fromkeys(("a1", "a2", "a3", "a5", "b1"), "water")}, r"discs: .* allowed: 10 of each"),
    ({"hunters": PAIR}, r"hunters: yellow and blue on d4 given, allowed: 1 there"),
    ({"hunters": {"yellow": "e5", "blue": "e5"}}, r"hunters: yellow and blue on e5 given, allowed: 1 there"),
    ({"hunters": {**PAIR, "green": "d4"}, "treasures": {"100": "d4"}}, r"yellow and green and blue on d4.*: 2 there"),
    ({"treasures": {"100": "d4"}}, r"treasures.100: d4, where nobody stands given, allowed: a space with its carriers"),
    ({"hunters": {"yellow": "d4"}, "treasures": {"100": "d4", "125": "d4"}}, r"treasures.125: d4, where another one"),
    ({"hunters": {"yellow": "boat-yellow"}, "treasures": {"100": "boat-yellow"}}, r"treasures.100: boat-yellow given"),
    ({"treasures": {"100": "stock"}}, r"treasures: 100 in stock and 125 laid given, allowed: in stock only what"),
    ({"treasures": {"125": "e5"}}, r"treasures: 100 in stock and 125 laid"),
    ({"treasures": {"100": "e5", "125": "e5"}}, r"treasures: 100, 125 on the site given"),
    ({"treasures": dict.fromkeys(("100", "125", "150", "175", "200", "240", "300"), "stock")}, r"nothing on the site"),
    ({"treasures": {"100": "collected"}}, r"coins: 0 coins of 100 given, allowed: 2 coins for a collected treasure"),
    ({"coins": {"player_0": [100, 100]}}, r"coins: 2 coins of 100 given"),
    ({"coins": {"player_0": [100]}, "treasures": {"100": "collected"}}, r"coins: 1 coins of 100"),
    ({"coins": {"player_0": [100] * 3}}, r"coins.player_0: .* allowed: at most 2 coins of 100"),
    ({"dragons": ["d3", "d4", "d5"]}, r"dragons: .* allowed: at most 2 dragons"),
    ({"dragons": ["d3", "d3"]}, r"dragons: d3 given, allowed: empty terrain spaces that are no landing"),
    ({"dragons": ["e5"]}, r"dragons: e5 given"),
    ({"dragons": ["boat-red"]}, r"dragons\[0\]: 'boat-red' given"),
    ({"dragons": ["a1"]}, r"dragons: a1 given, allowed: .* no landing"),
    ({"dragons": ["d4"], "hunters": {"yellow": "d4"}}, r"dragons: d4 given"),
    # the turn and the end
    ({"turn": {"mover": "red"}}, r"turn.mover: 'red' given, allowed: yellow"),
    ({"turn": {"mover": "blue"}}, r"turn.mover: blue given, allowed: null or the active player's yellow"),
    ({"turn": {"mover": "yellow", "acts": 0}}, r"turn.acts: 0 given, allowed: at least 1, as mover says"),
    ({"turn": {"left_alone": ["red"]}}, r"turn.left_alone: red given, allowed: hunters that play"),
    ({"turn": {"listed": {"blue": ["d4"]}}}, r"turn.listed.blue: an unknown key given, allowed: yellow, first, second"),
    ({"turn": {"listed": {"yellow": ["d4"]}}}, r"turn.listed.yellow: d4 given, allowed: where he stands too"),
    ({"turn": {"number": 300}}, r"turn.number: 300 given, allowed: less than 300 while running"),
    ({"turn": {"stage": "ended"}}, r"turn.stage: ended given, allowed: idle while turn is pending"),
    ({"turn": {"stage": "delivery"}}, r"turn.guest: None given"),
    ({"turn": {"guest": "blue"}}, r"turn.guest: 5 given, allowed: nobody"),
    ({"outcome": "natural"}, r"outcome: natural given, allowed: natural once no treasure is left"),
    ({"outcome": "truncated"}, r"turn.number: 0 given, allowed: 300 when truncated"),
    ({"outcome": "truncated", "turn": {"number": 300, "active": "player_0"}}, r"turn.active: 'player_0' given"),
    ({"outcome": "truncated", "turn": {"number": 300}, "stack": [{"decision": "exchange"}]}, r"stack: .* no frames"),
    ({"treasures": dict.fromkeys(("100", "125", "150", "175", "200", "240", "300"), "removed")}, r"outcome: running"),
    # the stack
    ({"stack": [{}]}, r"stack\[0\].decision: None given"),
    ({"stack": ["exchange"]}, r"stack\[0\]: 'exchange' given, allowed: a dict with decision"),
    ({"stack": [{"decision": "turn"}]}, r"stack\[0\].decision: 'turn' given, allowed: other decisions"),
    ({"stack": [{"decision": "bid"}]}, r"stack\[0\].decision: 'bid' given"),
    ({"stack": [{"decision": "exchange", "card": "water"}]}, r"stack\[0\].card: an unknown key given"),
    ({"stack": [{"decision": "exchange"}]}, r"stack\[0\]: exchange given, allowed: cards in the active player's hand"),
    ({"stack": [{"decision": "exchange"}] * 2, **HAND}, r"stack: exchange, exchange given, allowed: one frame"),
    ({"stack": [{"decision": "exchange"}] * 3}, r"stack: .* allowed: at most 2 frames"),
    ({"stack": [{"decision": "exchange", "player": "player_1"}], **HAND}, r"stack\[0\].player: player_1 given"),
    ({"stack": [{"decision": "exchange"}], **HAND, "turn": {"acts": 2}}, r"turn.acts: 2 given, allowed: 0 or 1"),
    ({"stack": [{"decision": "exchange"}], **HAND, "turn": {"stage": "idle"}}, r"turn.stage: idle given.*: ended"),
    ({"stack": [{"decision": "slumber"}]}, r"stack\[0\].player: None given"),
    ({"stack": [{"decision": "slumber", "player": "player_0"}], "hands": {"player_0": ["sweet-slumber"]}},
     r"stack\[0\].player: player_0 given, allowed: another"),
    ({"stack": [{"decision": "slumber", "player": "player_1"}]}, r"player_1 without a sweet-slumber given"),
    ({"stack": [{"decision": "flyer"}], **HAND}, r"stack\[0\]: flyer given, allowed: three players"),
    ({"stack": [{"decision": "flight", "hunter": "blue"}], **HAND}, r"stack\[0\].hunter: blue given, allowed: the own"),
    ({"stack": [{"decision": "rob target"}]}, r"legal actions: none given"),
    ({"stack": [{"decision": "exit"}], "turn": {"mover": "yellow"}}, r"stack: exit given, allowed: a pair on the site"),
    ({"stack": [{"decision": "ambush"}], "turn": {"mover": "yellow"}, "hunters": {"yellow": "d4"}}, r"ambush on d4"),
    ({"stack": [{"decision": "second disc", "task": "evil-curse", "space": "d4"}]}, r"task: evil-curse given"),
    ({"stack": [{"decision": "second disc", "task": "raging-elements", "space": "e5"}]}, r"stack\[0\].space: e5 given"),
    ({"stack": [{"decision": "dragon"}], "dragons": ["d4"]}, r"stack\[0\]: dragon given, allowed: 2 dragons"),
    ({"stack": [{"decision": "dragon space", "dragon": "d5"}], "dragons": ["d4"]}, r"where a dragon is: d4, out"),
    ({"stack": [{"decision": "dragon space", "dragon": "d4"}], "dragons": ["d4"]}, r"the next one from outside"),
    ({"stack": [{"decision": "journey terrain", "card": "betrayal"}]}, r"stack\[0\].card: betrayal given"),
    ({"stack": [{"decision": "counter", "player": "player_1", "task": "betrayal"}]}, r"stack\[0\].task: "),
    ({"stack": [{"decision": "counter", "player": "player_1", "task": "fear-and-terror", "target": "blue"}],
      "hands": {"player_1": ["counterspell"]}}, r"stack\[0\].target: blue given, allowed: a hunter in play who is not"),
    ({"stack": [{"decision": "counter", "player": "player_1", "task": "sneak-attack", "target": "player_2"}],
      "hands": {"player_1": ["counterspell"]}}, r"stack\[0\].target: player_2 given, allowed: another player"),
    ({"stack": [{"decision": "betrayal", "player": "player_0"}]}, r"stack\[0\].guest: None given"),
    # undo and events
    ({"undo": {"cards": []}}, r"undo.cards: an unknown key"),
    ({"undo": None, "turn": {"acts": 1}}, r"undo: null given, allowed: what the last act is undone to"),
    ({"undo": {"hunters": PAIR}}, r"undo.hunters: yellow and blue on d4 given"),
    ({"undo": {"dragons": ["a1"]}}, r"undo.dragons: a1 given"),
    ({"undo": {"treasures": {"100": "d4"}}}, r"undo.treasures"),
    ({"undo": {"swap": ["d4", "d4"]}}, r"undo.swap: .* allowed: two different spaces"),
    ({"undo": {"swap": ["d4", "e5"]}}, r"undo.swap: e5 given"),
    ({"undo": {"stolen": [{"card": "water"}]}}, r"undo.stolen\[0\].from: None given"),
    ({"undo": {"stolen": [{"card": "water", "from": "player_0"}]}, "turn": {"acts": 1}}, r"undo.stolen: player_0"),
    ({"undo": {"treasures": {"100": "removed", "125": "e5"}}}, r"undo.treasures.100: removed given, allowed: e5"),
    ({"undo": {"treasures": {"100": "collected", "125": "e5"}}}, r"undo.treasures.100: collected given, allowed: e5"),
    ({**ASLEEP, "treasures": {"100": "collected"}, "coins": {"player_0": [100, 100]},
      "undo": {"treasures": {"100": "e5", "125": "stock"}}}, r"undo.treasures.100: e5 given, allowed: collected, as"),
    ({**ASLEEP, "undo": {"discarded": ["water"]}}, r"undo.discarded: 1 water given, allowed: 0, as many"),
    ({**ASLEEP, "hands": {**ASLEEP["hands"], "player_0": ["field"] * 6}, "discard": {"water": 1},
      "undo": {"discarded": ["water"]}}, r"undo.discarded: 7 cards for player_0 given, allowed: at most 6 in a hand"),
    ({**ASLEEP, "hands": {"player_0": ["field"], "player_1": ["sweet-slumber"] + ["water"] * 5},
      "undo": {"stolen": [{"card": "field", "from": "player_1"}]}}, r"undo.stolen: 7 cards for player_1 given"),
    ({**IN_ACT, "hands": {**IN_ACT["hands"], "player_0": ["field"] * 6}},
     r"hands.player_0: 6 cards given, allowed: at most 5, as the card is played that rob target is about"),
    ({"stack": [{"decision": "journey terrain", "card": "water"}], "hands": {"player_0": ["field"] * 5}},
     r"hands.player_0: 5 cards given, allowed: at most 4"),
    ({"stack": [{"decision": "slumber", "player": "player_1"},
                {"decision": "counter", "player": "player_3", "task": "sweet-slumber"}],
      "hands": {"player_1": ["field"] * 6, "player_3": ["counterspell"]}}, r"hands.player_1: 6 cards given"),
    ({**IN_ACT, "treasures": {"100": "collected"}, "coins": {"player_0": [100, 100]},
      "undo": {"treasures": {"100": "e5", "125": "stock"}}}, r"undo.treasures.100: e5 given, allowed: collected, as"),
    ({**IN_ACT, "undo": {"stolen": [{"card": "water", "from": "player_1"}]}}, r"undo.stolen: 1 cards given, .* an act"),
    ({**IN_ACT, "discard": {"water": 1}, "undo": {"discarded": ["water"]}}, r"undo.discarded: 1 cards given, .* act"),
    ({**IN_ACT, "undo": {"swap": ["d3", "d4"]}}, r"undo.swap: two spaces given, allowed: none in the middle of an act"),
    ({"events": {"total": 3}}, r"events.total: 3 given, allowed: a total that fits the 0 events given"),
    ({"events": {"last": [{"event": "dance"}]}}, r"events.last\[0\].event: 'dance' given"),
    ({"events": {"last": [{"event": "laid", "treasure": 101}]}}, r"events.last\[0\].treasure: 101 given"),
    ({"events": {"last": [{"event": "laid", "treasure": 100, "player": "player_0"}]}}, r"\.player: an unknown key"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "message"), REFUSED)
def test_what_cannot_be_is_refused(data: Dict, message: str) -> None:
    with pytest.raises(PositionError, match=message):
        read(copy.deepcopy(data))


def test_anything_but_a_dict_is_refused() -> None:
    with pytest.raises(PositionError, match="position: 3 given, allowed: a dict"):
        read(3)


@pytest.mark.rule("D6.8", "D7.5")
def test_a_hunter_in_a_foreign_boat_is_allowed() -> None:
    states = read({"hunters": {"blue": "boat-red", "yellow": "boat-red"}, **HAND})
    check(states, 0)


@pytest.mark.rule("D7.2")
def test_two_hunters_with_a_treasure_are_a_pair() -> None:
    check(read({"hunters": PAIR, "treasures": {"100": "d4"}, **HAND}), 0)


# ---- Invariants


def sample() -> States:
    """Blue and yellow carry the 125, a dragon stands, player_1 is certain of a card; player_0 is asked for an act."""
    return read(
        {
            "hunters": PAIR,
            "treasures": {"100": "collected", "125": "d4"},
            "coins": {"player_2": [100], "player_3": [100]},
            "dragons": ["g4"],
            "hands": {"player_0": ["water", "water", "desert"], "player_1": ["betrayal"]},
            "certain": {"player_1": {"player_0": ["water"]}},
            "events": {"last": [{"event": "turn", "player": "player_0"}]},
        }
    )


def setting(field: str, value: Any, *place: int) -> Callable[[States], None]:
    """An edit of one entry of a record."""

    def edit(states: States) -> None:
        if place:
            states[field][0][place] = value
        else:
            states[field][0] = value

    return edit


def edits(*several: Callable[[States], None]) -> Callable[[States], None]:
    """Several edits."""

    def edit(states: States) -> None:
        for one in several:
            one(states)

    return edit


WATER, DESERT = 5, 1
CORRUPTIONS: list[tuple[str, Callable[[States], None]]] = [
    ("field num_players", setting("num_players", 7)),
    ("field at", setting("at", 67, 1)),
    ("rng", setting("rng", [0, 0, 0, 0])),
    ("seats", setting("owner", 3, 1)),
    ("seats", setting("hunters", 0, 0, 0)),
    ("hunters.yellow", setting("at", -1, 1)),
    ("hunters.red", setting("at", 5, 0)),
    ("discs", setting("terrain", 0, 60)),
    ("discs.e5", setting("terrain", 0, 30)),
    ("cards", setting("hand", FIRST_TASK_SLOT, 0, 0)),
    ("cards", setting("discard", 1, WATER)),
    ("hands.player_0", setting("hand_size", 2, 0)),
    ("hands.player_0", setting("hand", 4, 0, 5)),
    ("deck", setting("deck", 4, 98)),
    ("certain of player_0", setting("knowers", 1, 0, 2)),  # himself
    ("certain of player_0", edits(setting("knowers", 0, 0, 0), setting("knowers", 2, 0, 1))),  # the second copy only
    ("certain of player_0", setting("knowers", 2, 0, 4)),  # no card there
    ("certain of player_0", setting("knowers", 16, 0, 2)),  # one of two empty seats
    ("coins", setting("coins", 2, 2, 0)),
    ("coins", setting("coins", 1, 0, 3)),
    ("coins", edits(setting("coins", 0, 3, 0), setting("coins", 1, 5, 0))),
    ("treasures", setting("treasure_at", REMOVED, 6)),
    ("treasures", setting("treasure_at", -1, 1)),
    ("treasures", setting("treasure_at", -1, 2)),
    ("treasures.125", setting("treasure_at", 5, 1)),
    ("treasures.125", edits(setting("at", 66, 1), setting("at", 66, 5), setting("treasure_at", 66, 1),
                            setting("listed_boats", 32, 0))),
    ("hunters", edits(setting("at", 21, 2), setting("undo_at", 62, 2))),
    ("hunters", edits(setting("at", 30, 2), setting("at", 30, 4))),
    ("dragons", setting("dragon_at", 21, 0)),
    ("dragons", setting("dragon_at", 30, 0)),
    ("dragons", setting("dragon_at", 0, 0)),
    ("dragons", setting("dragon_at", [-1, 46])),
    ("dragons", setting("dragon_at", [46, 46])),
    ("outcome", setting("outcome", 1)),
    ("stack", edits(setting("outcome", 2), setting("turns", 300))),
    ("stack", setting("depth", 0)),
    ("stack", setting("frame_decision", Decision.EXCHANGE, 0)),
    ("stack", setting("frame_b", 1, 2)),
    ("stack", edits(setting("depth", 3), setting("acts", 1))),
    ("turn.stage", setting("frame_a", 1, 0)),
    ("turn.guest", setting("frame_b", 1, 0)),
    ("turn.number", setting("turns", 300)),
    ("turn.active", setting("frame_seat", 5, 0)),
    ("turn.acts", setting("mover", 1)),
    ("turn.mover", edits(setting("mover", 5), setting("acts", 1))),
    ("turn.left_alone", edits(setting("left_alone", 1), setting("acts", 1))),
    ("turn.listed", setting("listed_boats", 1, 1)),
    ("turn.listed.yellow", setting("listed_cells", 0, 0)),
    ("undo.hunters", setting("undo_at", 21, 2)),
    ("undo.stolen", setting("undo_stolen_card", 3, 2)),
    ("undo.discarded", setting("undo_discarded_card", 3, 2)),
    ("events", setting("event_log", 40, 0, 0)),
    ("events", setting("event_log", 1, 9, 0)),
    ("legal actions", setting("legal", 0)),
    ("legal actions", setting("legal", 2**64 - 1, 0)),
]  # fmt: skip


@pytest.mark.parametrize(("key", "corrupt"), CORRUPTIONS)
def test_a_corrupted_record_is_found(key: str, corrupt: Callable[[States], None]) -> None:
    states = sample()
    check(states, 0)
    corrupt(states)
    with pytest.raises(InvariantError) as error:
        check(states, 0)
    assert str(error.value).startswith(key), error.value


def test_a_finished_game_has_no_legal_actions() -> None:
    *_, states = active_play(DracheninselOptions(max_turns=2), 1)
    check(states, 0)
    states["legal"][0][0] = 1
    with pytest.raises(InvariantError, match="legal actions: some given, allowed: .* none after the end"):
        check(states, 0)


def test_damaged_memory_is_found_and_nothing_else_is_raised() -> None:
    """Every byte of a record, set to other values: either nothing of weight changes, or `InvariantError` is raised."""
    found = 0
    generator = np.random.default_rng(0)
    clean = sample()
    for _ in range(1500):
        states = STATE.copy(clean)
        raw = states.view(np.ndarray).view(np.uint8)
        raw[generator.integers(len(raw))] = generator.integers(256)
        try:
            check(states, 0)
        except InvariantError:
            found += 1
    assert found > 1000


def test_the_deck_and_hands_hold_the_components() -> None:
    data = to_dict(sample(), 0)
    cards = [*data["deck"], *(card for hand in data["hands"].values() for card in hand)]
    assert {str(CARD_NAMES[k]): cards.count(str(CARD_NAMES[k])) for k, n in enumerate(COPIES) if n} == {
        str(CARD_NAMES[k]): int(n) for k, n in enumerate(COPIES) if n
    }
