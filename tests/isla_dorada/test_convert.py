"""Positions as dicts: round trips, what is missing, what is refused; the invariants of a position."""

import copy
import itertools
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from isla_dorada_env import isla_dorada_v0
from isla_dorada_env.actions import ACTIONS
from isla_dorada_env.components import CARD_COPIES, DESTINY_NAMES, TREASURE_COPIES, TREASURE_NAMES
from isla_dorada_env.convert import check, from_dict, to_dict
from isla_dorada_env.convert import invariants_round as play
from isla_dorada_env.decisions import DECISION_NAMES, Decision, Stage
from isla_dorada_env.game import SPEC
from isla_dorada_env.notation import action_name
from isla_dorada_env.options import IslaDoradaOptions
from isla_dorada_env.rules import engine
from isla_dorada_env.state import RUNNING, STATE
from isla_dorada_env.vocab import CAMPS, CARDS, PLACES, Card, Way
from island_core import bitset, rng
from island_core.errors import InvariantError, PositionError
from island_core.layout import States
from island_core.reader import plain
from tests.common import playing
from tests.common.invariants import by_block
from tests.isla_dorada.starts import STARTS

Dict = dict[str, Any]


def active_play(options: IslaDoradaOptions, seed: int) -> Iterator[States]:
    return playing.active_play(SPEC, options, seed, often=4)


def decision(states: States) -> int:
    return int(states["frame_decision"][0][max(int(states["depth"][0]) - 1, 0)])


def read(data: Any, players: int = 4, **options: Any) -> States:
    return from_dict(data, IslaDoradaOptions(num_players=players, **options))


def legal_names(states: States) -> list[str]:
    ids = [action for action in range(ACTIONS.size) if bitset.has_bit(states["legal"][0], action)]
    return [str(action_name(states, 0, action)) for action in ids]


# ---- Round trips


@pytest.mark.parametrize("cooperative", [False, True])
@pytest.mark.parametrize("polls", ["holders", "all"])
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_a_dict_gives_the_same_record_back_at_every_decision(players: int, polls: str, cooperative: bool) -> None:
    """A whole game and a truncated one, through JSON."""
    seen: set[int] = set()
    for seed, most in ((players, 40), (players + 10, 5)):
        options = IslaDoradaOptions(num_players=players, polls=polls, cooperative_bidding=cooperative, max_rounds=most)
        for states in active_play(options, seed):
            seen.add(decision(states))
            check(states, 0)
            data = to_dict(states, 0)
            text = json.loads(json.dumps(data))
            assert text == data
            back = from_dict(text, options)
            assert {f.name for f in STATE.fields if not np.array_equal(back[f.name], states[f.name])} == set()
            assert back.tobytes() == states.tobytes()
        assert (states["outcome"][0] == 2) == (most == 5)
    assert len(seen) >= 14, [DECISION_NAMES[kind] for kind in seen]


@pytest.mark.parametrize("start", STARTS)
def test_a_dict_gives_the_same_record_back_where_rare_decisions_are_near(start: str) -> None:
    """Last markers, telegrams from short decks, jammed camps, lightning: 40 decisions of each."""
    generator = np.random.default_rng(7)
    for seed in range(6):
        game = isla_dorada_v0.Game(num_players=3 + seed % 4, cooperative_bidding=seed % 2 == 1)
        position = STARTS[start](game.new(seed), random.Random(seed))
        for _ in range(40):
            check(position.states, 0)
            assert from_dict(position.to_dict(), game.options).tobytes() == position.states.tobytes()
            if position.is_over:
                break
            position.step(by_block(position, generator))


@pytest.mark.rule("I8.4")
def test_cards_of_a_telegram_may_be_known_to_nobody_any_more() -> None:
    under = [
        {"place": 0, "players": [], "telegram": 4},
        {"place": 1, "players": ["player_2"], "telegram": 4},
        {"place": 2, "players": ["player_2"], "telegram": None},
    ]
    data = to_dict(read({"markers": {"Septris": 4}, "put_under_treasures": under}), 0)
    assert data["put_under_treasures"] == under


def test_the_future_is_the_same_too() -> None:
    options = IslaDoradaOptions(num_players=5)
    games = itertools.islice(active_play(options, 3), 120, 121)
    states = STATE.copy(next(games))
    twin = from_dict(to_dict(states, 0), options)
    while states["outcome"][0] == RUNNING:
        action = int(np.flatnonzero([bitset.has_bit(states["legal"][0], a) for a in range(ACTIONS.size)])[0])
        engine.step(states, 0, action)
        engine.step(twin, 0, action)
        assert twin.tobytes() == states.tobytes()


def test_whatever_is_taken_can_be_played_on() -> None:
    """Parts of positions, put into other ones: what is not refused is sound, and stays so for many decisions."""
    generator = np.random.default_rng(1)
    words = np.zeros(4, np.uint64)
    rng.seed_words(words, 4, 0, 0)
    taken = 0
    for seed in range(4):
        options = IslaDoradaOptions(cooperative_bidding=seed % 2 == 1, polls=("holders", "all")[seed // 2])
        dicts = [to_dict(states, 0) for states in itertools.islice(active_play(options, seed), 0, 300, 12)]
        for _ in range(120):
            data, other = (copy.deepcopy(dicts[k]) for k in generator.integers(len(dicts), size=2))
            for key in generator.choice(sorted(data), size=int(generator.integers(1, 5)), replace=False):
                if generator.random() < 0.5:
                    data[key] = other[key]
                else:
                    del data[key]
            try:
                states = from_dict(data, options)
            except PositionError:
                continue
            taken += 1
            for _ in range(40):
                if states["outcome"][0] != RUNNING:
                    break
                engine.step(states, 0, bitset.pick(states["legal"][0], words))
                check(states, 0)
    assert taken > 100


# ---- What is missing


def test_an_empty_dict_is_a_first_bid() -> None:
    states = read({})
    data = to_dict(states, 0)
    players = [f"player_{seat}" for seat in range(4)]
    assert len(data["display"]) == 4
    assert len(data["deck"]) == 108
    assert [len(data[deck]) for deck in ("treasure_deck", "curse_deck", "destiny_deck")] == [54, 18, 18]
    assert data["destinies"] == {name: [DESTINY_NAMES[k]] for k, name in enumerate(players)}
    assert data["gold"] == dict.fromkeys(players, 10)
    assert data["round"] == {
        "leader": "player_0", "number": 0, "winning_total": 0, "stage": "bidding", "step": 0,
    }  # fmt: skip
    assert data["stack"] == [{"decision": "bid", "player": "player_0"}]
    for key in ("hands", "treasures", "laid", "curses", "curses_laid"):
        assert data[key] == {name: [] for name in players}, key
    for key in ("markers", "monsters", "discard", "certain", "certain_treasures", "bids", "bid_for"):
        assert data[key] == {}, key
    for key in ("starred_rejected", "telegram_rejected"):
        assert data[key] == {}, key
    for key in ("put_under_treasures", "put_under_destinies", "joined", "raised", "passed", "barred"):
        assert data[key] == [], key
    assert (data["camp"], data["sea_journeys"], data["returns"]) == ("Base", 0, 0)
    assert (data["last_route"], data["outcome"]) == (None, "running")
    assert data["events"] == {"total": 0, "last": []}
    assert data["options"] == {
        "num_players": 4, "polls": "holders", "cooperative_bidding": False, "max_rounds": 40,
    }  # fmt: skip
    assert read({}).tobytes() == states.tobytes()


def test_decks_are_shuffled_one_after_the_other_from_seed_0() -> None:
    data = to_dict(read({}), 0)
    words = np.zeros(4, np.uint64)
    rng.seed_words(words, 0, 0, 0)
    kinds = [
        [card for card, copies in enumerate(CARD_COPIES) for _ in range(copies)],
        [card for card, copies in enumerate(TREASURE_COPIES) if card >= 18 for _ in range(copies)],
        [place for place, name in enumerate(PLACES) if name in CAMPS],
        list(range(4, len(DESTINY_NAMES))),
    ]
    decks = []
    for cards in kinds:
        deck = np.array(cards, np.int8)
        rng.shuffle(words, deck, len(deck))
        decks.append(deck.tolist())
    adventure = [CARDS[card] for card in decks[0]]
    assert data["deck"] == adventure[-5::-1]
    assert sorted(data["display"], key=CARDS.index) == sorted(adventure[-4:], key=CARDS.index) == data["display"]
    assert data["treasure_deck"] == [TREASURE_NAMES[card] for card in decks[1]][::-1]
    assert data["curse_deck"] == [PLACES[place] for place in decks[2]][::-1]
    assert data["destiny_deck"] == [DESTINY_NAMES[card] for card in decks[3]][::-1]
    assert data["rng"] == [f"{word:016x}" for word in words.tolist()]


def test_what_is_missing_of_a_player_is_his_alone() -> None:
    data = to_dict(
        read({"gold": {"player_1": 3}, "hands": {"player_2": ["yak"]}, "destinies": {"player_3": ["pilgrim"]}}), 0
    )
    assert list(data["gold"].values()) == [10, 3, 10, 10]
    assert list(data["hands"].values()) == [[], [], ["yak"], []]
    assert data["destinies"]["player_3"] == ["pilgrim"]
    assert data["destinies"]["player_0"] == [DESTINY_NAMES[0]]


@pytest.mark.rule("I3.3")
def test_the_display_is_the_top_of_a_deck_and_a_short_deck_is_continued() -> None:
    top = ["bongo", "panda", "kayak", "yak", "juju", "yak"]
    data = to_dict(read({"deck": top}), 0)
    assert data["display"] == ["yak", "kayak", "bongo", "panda"]
    assert data["deck"][:2] == ["juju", "yak"]
    assert len(data["deck"]) == 108
    data = to_dict(read({"deck": top, "display": ["yak"] * 4}), 0)
    assert data["deck"][:6] == top
    assert len(data["deck"]) == 108


def test_short_decks_of_the_others_are_continued() -> None:
    given = {"treasure_deck": ["Rhobanis", "Rhobanis bonus"], "curse_deck": ["Septris"], "destiny_deck": ["north lore"]}
    data = to_dict(read(given), 0)
    for key, cards in given.items():
        assert data[key][: len(cards)] == cards
    assert [len(data[key]) for key in given] == [54, 18, 18]
    # What is in the deck is dealt to nobody.
    assert data["destinies"]["player_0"] == ["south lore"]


@pytest.mark.rule("I2.2", "I3.2")
def test_starred_treasures_that_are_nowhere_have_left_the_game() -> None:
    data = to_dict(read({"treasures": {"player_0": ["Rhobanis starred", "Rhobanis"]}}), 0)
    assert data["treasures"]["player_0"] == ["Rhobanis starred", "Rhobanis"]
    assert len(data["treasure_deck"]) == 53
    assert "starred" not in str(data["treasure_deck"])


@pytest.mark.rule("I3.2", "I3.3")
def test_in_the_set_up_starred_treasures_and_destinies_are_there_and_adventure_cards_are_not() -> None:
    data = to_dict(read({"round": {"stage": "setup"}, "stack": [{"decision": "destiny", "player": "player_1"}]}), 0)
    assert data["round"]["step"] == 4
    assert [len(cards) for cards in data["treasures"].values()] == [2, 2, 3, 3]
    assert [len(cards) for cards in data["destinies"].values()] == [1, 2, 2, 2]
    assert data["treasures"]["player_1"] == [f"{place} starred" for place in CAMPS[2:4]]
    assert data["destinies"]["player_1"] == list(DESTINY_NAMES[1:3])
    assert not any(data[key] for key in ("display", "deck", "discard"))
    start = to_dict(read({"round": {"stage": "setup"}}), 0)
    assert start["stack"] == [{"decision": "starred", "player": "player_0"}]
    assert start["round"]["step"] == 1


def bid(place: str, way: str, amount: int) -> Dict:
    return {"place": place, "way": way, "amount": amount}


BIDS = {"player_0": bid("Mana-Hatu", "water", 2), "player_1": bid("Kamoptis", "mountain", 1)}
KAYAK_AND_YAK = {"player_0": ["kayak"], "player_1": ["yak"]}


@pytest.mark.rule("I5.1", "I12.1")
def test_orders_that_are_missing_are_those_of_the_amounts_or_of_the_seats() -> None:
    given = {"bids": BIDS, "hands": KAYAK_AND_YAK, "stack": [{"decision": "bid", "player": "player_2"}]}
    basic = to_dict(read(given), 0)
    assert basic["joined"] == basic["raised"] == ["player_1", "player_0"]
    assert basic["stack"] == [{"decision": "bid", "player": "player_2"}]
    cooperative = to_dict(read(given, cooperative_bidding=True), 0)
    assert cooperative["joined"] == cooperative["raised"] == ["player_0", "player_1"]
    joined = to_dict(read({**given, "joined": ["player_1", "player_0"]}, cooperative_bidding=True), 0)
    assert joined["raised"] == ["player_1", "player_0"]


AT_KILITIPING: Dict = {"camp": "Kilitiping", "bids": {"player_0": bid("Kilitiping", "jungle", 0)}}
MARKED: Dict = {**AT_KILITIPING, "markers": {"Kilitiping": 1}}
TWO_TREASURES = {"treasures": {"player_0": ["Rhobanis starred", "Septris", "Rhobanis bonus"]}}


@pytest.mark.rule("I7.3")
def test_the_last_route_that_is_missing_leads_to_the_camp() -> None:
    data = to_dict(read({**MARKED, "round": {"stage": "drawing"}}), 0)
    assert data["last_route"] == "Balabatung Kilitiping jungle"
    ride = {**MARKED, "camp": "Vanu-Tabu", "markers": {"Vanu-Tabu": 1}, "round": {"stage": "drawing"}}
    ride["bids"] = {"player_0": bid("Aminadang", "water", 0)}
    assert to_dict(read(ride), 0)["last_route"] == "Balabatung Vanu-Tabu river"
    flight = {**MARKED, "bids": {"player_0": bid("Kilitiping", "flight", 1)}, "round": {"stage": "drawing"}}
    assert to_dict(read(flight), 0)["last_route"] is None
    assert to_dict(read({"round": {"stage": "drawing"}}), 0)["last_route"] is None


COOPERATIVE = {"cooperative_bidding": True}
DRAWN = ["yak", "yak", "kayak", "panda"]

STACKS: list[tuple[Dict, Dict, int, list[str] | None]] = [
    ({"stack": [{"decision": "starred"}]}, {}, 1, [f"reject {place} starred" for place in CAMPS[:3]]),
    ({"stack": [{"decision": "starred", "player": "player_2"}]}, {}, 5, None),
    ({"stack": [{"decision": "destiny"}], "round": {"stage": "setup"}}, {}, 2,
     ["reject north lore", "reject south lore"]),
    ({"stack": [{"decision": "destiny", "player": "player_2"}]}, {}, 5, ["reject east lore", "reject west lore"]),
    ({"stack": [{"decision": "bid", "player": "player_2"}], "bids": BIDS, "hands": KAYAK_AND_YAK}, {}, 0, ["pass"]),
    ({"stack": [{"decision": "amount", "place": "Kilitiping", "way": "jungle"}],
      "hands": {"player_0": ["gonogo", "dragon"]}}, {}, 0, ["amount 0", "amount 1", "amount 2", "amount 3"]),
    ({"stack": [{"decision": "amount", "place": "Septris", "way": "flight"}], "hands": {"player_0": ["dragon"]}}, {}, 0,
     ["amount 1", "amount 2"]),
    ({"stack": [{"decision": "share", "player": "player_2", "place": "Mana-Hatu", "way": "water"}], "bids": BIDS,
      "hands": {**KAYAK_AND_YAK, "player_2": ["kayak"]}}, COOPERATIVE, 0, ["share 1", "share 2"]),
    ({"stack": [{"decision": "oveto", "player": "player_1"}], "bids": {"player_1": bid("Mana-Hatu", "water", 4)},
      "hands": {"player_1": ["kayak", "kayak", "oveto"]}}, {}, 0, ["oveto", "let be"]),
    ({"stack": [{"decision": "pay", "due": 2}], "bids": {"player_0": bid("Kilitiping", "jungle", 2)},
      "hands": {"player_0": ["gonogo", "yak", "shaman"]}}, {}, 1, ["pay gonogo", "pay yak with shaman"]),
    ({"stack": [{"decision": "pay", "player": "player_1", "due": 1, "turned": ["kamel"]}],
      "round": {"leader": "player_2"}, "joined": ["player_2", "player_1"],
      "bids": {"player_2": bid("Kilitiping", "jungle", 3), "player_1": bid("Kilitiping", "jungle", 3)},
      "hands": {"player_1": ["kamel"]}}, COOPERATIVE, 2, ["pay kamel"]),
    ({**AT_KILITIPING, "stack": [{"decision": "sangaia", "player": "player_3"}], "hands": {"player_3": ["sangaia"]}},
     {}, 4, ["sangaia", "let be"]),
    ({**AT_KILITIPING, "stack": [{"decision": "sangaia", "player": "player_3"}]}, {"polls": "all"}, 4, ["let be"]),
    ({**AT_KILITIPING, "stack": [{"decision": "onward"}]}, {}, 1, ["go Base"]),
    ({**MARKED, "stack": [{"decision": "bongo", "player": "player_1"}], "hands": {"player_1": ["bongo"]},
      "treasures": {"player_1": ["Taratarong", "Taratarong bonus"]}}, {}, 2, ["bongo Taratarong", "let be"]),
    ({**AT_KILITIPING, "markers": {"Kilitiping": 4}, "stack": [{"decision": "telegram"}], **TWO_TREASURES}, {}, 1,
     ["reject Septris", "reject Rhobanis bonus"]),
    ({**AT_KILITIPING, "markers": {"Kilitiping": 9}, "stack": [{"decision": "telegram"}],
      "treasures": {"player_0": ["Septris", "Septris", "Rhobanis"]}}, {}, 1, ["reject Septris", "reject Rhobanis"]),
    ({"stack": [{"decision": "draw", "player": "player_1"}], "display": DRAWN}, {}, 3,
     ["draw deck", "draw yak", "draw kayak", "draw panda"]),
    ({"stack": [{"decision": "buy", "player": "player_1"}], "display": DRAWN}, {}, 4,
     ["buy deck", "buy yak", "buy kayak", "buy panda", "let be"]),
    ({"stack": [{"decision": "victim", "card": "macaque"}], "hands": {"player_3": ["yak"]}}, {}, 1, ["rob player_3"]),
    ({"stack": [{"decision": "victim", "card": "marabou"}], "treasures": {"player_2": ["Septris"]}}, {}, 1,
     ["rob player_2"]),
    ({"stack": [{"decision": "monster", "monster": "leviathan"}]}, {}, 1, None),
    ({"stack": [{"decision": "antik"}], **TWO_TREASURES}, {}, 1, ["reject Septris", "reject Rhobanis bonus"]),
    ({"stack": [{"decision": "first player", "player": "player_1", "card": "panda"}]}, {}, 3,
     ["choose player_1", "choose player_2", "choose player_3", "choose player_0"]),
    ({"stack": [{"decision": "second player", "card": "baron-saturday", "first": "player_0"}]}, {}, 1,
     ["choose player_1", "choose player_2", "choose player_3"]),
    ({"stack": [{"decision": "panda", "player": "player_1"}, {"decision": "panda", "cards": 1}],
      "hands": {"player_0": ["yak", "juju"], "player_1": ["yak"]}}, {}, 1, ["discard yak", "discard juju"]),
    ({"stack": [{"decision": "hand limit", "player": "player_1"}], "hands": {"player_1": ["yak"] * 6 + ["kayak"] * 5}},
     {}, 2, ["discard yak", "discard kayak"]),
]  # fmt: skip


@pytest.mark.parametrize(("data", "options", "step", "names"), STACKS)
def test_a_stack_needs_little_more_than_its_decision(
    data: Dict, options: Dict, step: int, names: list[str] | None
) -> None:
    states = read(data, **options)
    check(states, 0)
    assert decision(states) == DECISION_NAMES.index(data["stack"][-1]["decision"])
    assert to_dict(states, 0)["round"]["step"] == step
    if names is not None:
        assert legal_names(states) == names


def test_every_decision_is_among_these_stacks() -> None:
    seen = {frame["decision"] for data, *_ in STACKS for frame in data["stack"]}
    assert seen == set(DECISION_NAMES[Decision.STARRED :])


@pytest.mark.rule("I4.1")
@pytest.mark.parametrize(
    ("data", "asked"),
    [
        ({"round": {"stage": "drawing", "step": 2}}, "draw"),
        ({"round": {"stage": "drawing", "step": 1}}, "buy"),
        ({"round": {"stage": "drawing", "step": 1}, "gold": {"player_0": 0}}, "draw"),
        ({"round": {"stage": "hand limit"}}, "bid"),
        ({"round": {"stage": "payment"}, "bids": {"player_0": bid("Kilitiping", "jungle", 0)}}, "draw"),
        ({"round": {"stage": "movement"}, **AT_KILITIPING}, "draw"),
        ({"round": {"stage": "bongo"}, **MARKED}, "draw"),
        ({"round": {"stage": "telegram"}, **AT_KILITIPING, "markers": {"Kilitiping": 4}}, "telegram"),
        ({"round": {"stage": "setup", "step": 8}}, "bid"),
        ({"stack": [{"decision": "panda", "player": "player_1"}, {"decision": "panda"}]}, "buy"),
    ],
)
def test_play_runs_on_to_the_next_decision(data: Dict, asked: str) -> None:
    states = read(data)
    check(states, 0)
    assert DECISION_NAMES[decision(states)] == asked


@pytest.mark.rule("I11.1")
def test_play_runs_on_to_the_end_of_the_game() -> None:
    states = read({"round": {"stage": "hand limit", "number": 39}})
    assert to_dict(states, 0)["outcome"] == "truncated"
    assert to_dict(states, 0)["round"]["leader"] is None
    markers = dict.fromkeys(CAMPS[:15], 1) | {"Kilitiping": 1}
    states = read(
        {**AT_KILITIPING, "markers": {**markers, "Hora-Pena": 0} | {"Septris": 2}, "round": {"stage": "hand limit"}}
    )
    assert to_dict(states, 0)["outcome"] == "natural"


@pytest.mark.rule("I5.7")
def test_somebody_else_may_open_for_a_leader_who_is_stuck() -> None:
    stuck = {
        "camp": "Vanu-Tabu",
        "monsters": {"bigfoot": "Bulo-Mapo Vanu-Tabu mountain", "leviathan": "Vanu-Tabu Aminadang river"},
        "hands": {"player_1": ["dragon"]},
        "stack": [{"decision": "bid", "player": "player_1"}],
    }
    assert len(legal_names(read(stuck))) == 19
    with pytest.raises(
        PositionError, match=r"stack\[0\].player: player_1 given, allowed: player_0, who leads and opens"
    ):
        read({**stuck, "monsters": {}})
    with pytest.raises(PositionError, match=r"stack\[0\].player: player_1 given"):
        read({**stuck, "hands": {"player_0": ["dragon"], "player_1": ["dragon"]}})


def test_a_finished_game_is_read_and_scored() -> None:
    data = {
        "outcome": "natural",
        "markers": {"Kilitiping": 16},
        "gold": {"player_0": 4},
        "laid": {"player_0": ["Rhobanis starred", "Rhobanis bonus"], "player_1": ["Septris"]},
        "curses_laid": {"player_1": ["Joztakitl"]},
        "destinies": {"player_0": ["pilgrim"], "player_1": ["yak keeper"], "player_2": ["homesick"]},
        "hands": {"player_1": ["yak"] * 3},
        "round": {"number": 16},
    }
    states = read(data)
    scores, keys = np.zeros(6, np.int64), np.zeros(6, np.int64)
    engine.standing(states, 0, scores, keys)
    assert scores.tolist() == [4 + 5 + 3 + 8, 10 + 4 - 4 + 6, 10, 10, 0, 0]
    assert legal_names(states) == []


# ---- What is refused: the lines of the document, in order

OVER = {"outcome": "truncated", "round": {"number": 40}}
PAID = {"bids": {"player_0": bid("Kilitiping", "jungle", 2)}, "hands": {"player_0": ["gonogo", "yak", "shaman"]}}
JUNGLE = {"player_0": bid("Kilitiping", "jungle", 1)}
GONOGO = {"hands": {"player_0": ["gonogo"]}}
TELEGRAM = {**AT_KILITIPING, "markers": {"Kilitiping": 4}}
UNDER = [{"place": 0, "players": ["player_0"]}]
JOINT = {"player_0": bid("Kilitiping", "jungle", 1), "player_1": bid("Kilitiping", "jungle", 1)}
MOUNTAIN = {"player_1": bid("Kamoptis", "mountain", 0)}
STUCK = {
    "camp": "Vanu-Tabu",
    "monsters": {"bigfoot": "Bulo-Mapo Vanu-Tabu mountain", "leviathan": "Vanu-Tabu Aminadang river"},
}


def frame(kind: str, **details: Any) -> Dict:
    return {"stack": [{"decision": kind, **details}]}


REFUSED: list[tuple[Dict, Dict, str]] = [
    # keys, words, types, options
    ({"board": {}}, {}, r"board: an unknown key given, allowed: game, options, camp"),
    ({"game": "dracheninsel"}, {}, r"game: 'dracheninsel' given, allowed: 'isla_dorada'"),
    ({"options": {"cooperative": True}}, {}, r"options.cooperative: an unknown key given, allowed: num_players, polls"),
    ({"options": {"num_players": 5}}, {}, r"options.num_players: 5 given, allowed: 4, the game's own"),
    ({"options": {"cooperative_bidding": 0}}, {}, r"options.cooperative_bidding: 0 given, allowed: False"),
    ({"camp": "Atlantis"}, {}, r"camp: 'Atlantis' given, allowed: Hora-Pena, Septris"),
    ({"markers": []}, {}, r"markers: \[\] given, allowed: a dict by places"),
    ({"markers": {"Septris": True}}, {}, r"markers.Septris: True given, allowed: a whole number from 0 to 16"),
    ({"monsters": {"kraken": "outside"}}, {}, r"monsters.kraken: an unknown key given, allowed: bigfoot, leviathan"),
    ({"monsters": {"bigfoot": "Hora-Pena Bulo-Mapo"}}, {},
     r"monsters.bigfoot: .* allowed: routes: <place> <place> <sort>.*close: Hora-Pena Bulo-Mapo jungle"),
    ({"sea_journeys": 3}, {}, r"sea_journeys: 3 given, allowed: a whole number from 0 to 2"),
    ({"gold": {"player_4": 1}}, {}, r"gold: 'player_4' given, allowed: player_0, player_1, player_2, player_3"),
    ({"gold": {"player_0": 11}}, {}, r"gold.player_0: 11 given, allowed: a whole number from 0 to 10"),
    ({"hands": {"player_0": "yak"}}, {}, r"hands.player_0: 'yak' given, allowed: a list"),
    ({"hands": {"player_0": ["camel"]}}, {}, r"hands.player_0\[0\]: 'camel' given, allowed: yak, kamel"),
    ({"treasures": {"player_0": ["Rhobanis common"]}}, {},
     r"treasures.player_0\[0\]: .* allowed: treasure cards: <place> starred, <place>, <place> bonus \(close: Rhobanis"),
    ({"starred_rejected": {"player_0": "Rhobanis"}}, {}, r"starred_rejected.player_0: .* starred treasures"),
    ({"telegram_rejected": {"player_0": "Rhobanis starred"}}, {}, r"telegram_rejected.player_0: .* allowed: <place>"),
    ({"treasure_deck": ["Rhobanis starred"]}, {}, r"treasure_deck\[0\]: 'Rhobanis starred' given"),
    ({"curses": {"player_0": ["Base"]}}, {}, r"curses.player_0\[0\]: 'Base' given, allowed: Hora-Pena"),
    ({"destinies": {"player_0": ["loser"]}}, {}, r"destinies.player_0\[0\]: 'loser' given, allowed: north lore"),
    ({"bids": {"player_0": {"share": 1}}}, {}, r"bids.player_0.share: an unknown key given, allowed: place, way"),
    ({"bids": {"player_0": bid("Septris", "swim", 0)}}, {}, r"bids.player_0.way: 'swim' given, allowed: jungle"),
    ({"bids": {"player_0": bid("Septris", "flight", 30)}}, {}, r"amount: 30 given, allowed: .* from 0 to 29"),
    ({"barred": ["player_1", "player_1"]}, {}, r"barred: .* allowed: different players"),
    ({"round": {"phase": 1}}, {}, r"round.phase: an unknown key given, allowed: leader, number"),
    ({"round": {"stage": "supper"}}, {}, r"round.stage: 'supper' given, allowed: setup, bidding"),
    ({"round": {"leader": None}}, {}, r"round.leader: None given, allowed: player_0"),
    ({"stack": [{}]}, {}, r"stack\[0\].decision: None given"),
    ({"stack": ["bid"]}, {}, r"stack\[0\]: 'bid' given, allowed: a dict with decision"),
    (frame("round"), {}, r"stack\[0\].decision: 'round' given, allowed: other decisions"),
    (frame("bid", way="jungle"), {}, r"stack\[0\].way: an unknown key given, allowed: decision, player"),
    (frame("amount", place="Septris"), {}, r"stack\[0\].way: None given"),
    (frame("pay"), {}, r"stack\[0\].due: None given, allowed: a whole number from 1 to 29"),
    ({"stack": [{"decision": "panda"}] * 3}, {}, r"stack: .* allowed: at most 2 frames"),
    ({"outcome": "won"}, {}, r"outcome: 'won' given, allowed: running, natural, truncated"),
    ({"rng": ["0", "0", "0", "0"]}, {}, r"rng: .* not all zero"),
    ({"events": {"total": 3}}, {}, r"events.total: 3 given, allowed: a total that fits the 0 events given"),
    ({"events": {"last": [{"event": "dance"}]}}, {}, r"events.last\[0\].event: 'dance' given"),
    ({"events": {"last": [{"event": "telegram", "marker": 5}]}}, {}, r"events.last\[0\].marker: 5 given.*: 4, 9"),
    ({"events": {"last": [{"event": "return", "player": "player_0"}]}}, {}, r"\.player: an unknown key"),
    ({"put_under_treasures": [{"place": 0, "players": ["player_0"], "telegram": 5}]}, {}, r"telegram: 5 given"),
    # cards
    ({"hands": {"player_0": ["juju"] * 3}, "discard": {"juju": 2}}, {},
     r"cards: 5 juju given, allowed: 4 in hands, display, discard and deck"),
    ({"deck": ["panda"] * 3}, {}, r"cards: 3 panda given, allowed: 2"),
    ({"treasures": {"player_0": ["Septris"]}, "laid": {"player_1": ["Septris"] * 2}}, {},
     r"treasures: 3 Septris given"),
    ({"treasures": {"player_0": ["Septris starred"]}, "starred_rejected": {"player_1": "Septris starred"}}, {},
     r"treasures: 2 Septris starred given, allowed: 1"),
    ({"curses": {"player_0": ["Septris"]}, "curses_laid": {"player_0": ["Septris"]}}, {}, r"curses: 2 Septris given"),
    ({"curses": {"player_0": ["Septris"]}, "curse_deck": ["Septris"]}, {}, r"curses: 2 Septris given"),
    ({"destinies": {"player_0": ["pilgrim"], "player_1": ["pilgrim"]}}, {}, r"destinies: 2 pilgrim given, allowed: 1"),
    ({"destinies": {"player_0": ["pilgrim"]}, "destiny_deck": ["pilgrim"]}, {}, r"destinies: 2 pilgrim given"),
    ({"curse_deck": [*CAMPS, "Septris"]}, {}, r"curse_deck: .* allowed: at most 18 curses, what the players leave"),
    ({"display": ["yak"] * 3}, {}, r"display: 3 cards given, allowed: 4"),
    ({"display": ["yak"] * 5}, {}, r"display: .* allowed: at most 4 cards in the display"),
    ({"discard": {CARDS[card]: int(copies) for card, copies in enumerate(CARD_COPIES)}}, {},
     r"display: None given, allowed: 4 cards, as the deck has only 0"),
    # hands
    ({"hands": {"player_0": ["macaque"]}}, {}, r"hands.player_0\[0\]: 'macaque' given, allowed: yak"),
    ({"hands": {"player_0": ["yak"] * 13}}, {}, r"hands.player_0: .* allowed: at most 12 cards in a hand"),
    ({"hands": {"player_0": ["yak"] * 11}}, {},
     r"hands.player_0: 11 cards given, allowed: at most 10 in the stage bid"),
    ({"hands": {"player_0": ["yak"] * 11}, **frame("draw")}, {},
     r"hands.player_0: 11 cards.* at most 10 in the stage d"),
    ({"hands": {"player_0": ["yak"] * 12}, **frame("buy")}, {}, r"hands.player_0: 12 cards given, allowed: at most 11"),
    ({"hands": {"player_1": ["yak"] * 11}, **frame("buy")}, {}, r"hands.player_1: 11 cards given, allowed: at most 10"),
    ({"hands": {"player_0": ["yak"] * 11, "player_1": ["kamel"] * 11}, **frame("hand limit", player="player_1")}, {},
     r"hands.player_0: 11 cards given, allowed: at most 10"),
    # certain cards, cards put under
    ({**GONOGO, "certain": {"player_1": {"player_0": ["yak"]}}}, {},
     r"certain.player_1.player_0: .* allowed: cards in that hand: gonogo"),
    ({**GONOGO, "certain": {"player_0": {"player_0": ["gonogo"]}}}, {}, r"certain.player_0: 'player_0' given.*: other"),
    ({"treasures": {"player_0": ["Septris"]}, "certain_treasures": {"player_1": {"player_0": ["Septris"] * 2}}}, {},
     r"certain_treasures.player_1.player_0: .* at most 1 cards in that hand"),
    ({"put_under_treasures": [{"place": 1, "players": ["player_0"]}]}, {}, r"allowed: the lowest places of the deck"),
    ({"put_under_destinies": UNDER * 2}, {}, r"put_under_destinies: .* allowed: each place once"),
    ({"put_under_destinies": [{"place": 18, "players": ["player_0"]}]}, {},
     r"put_under_destinies\[0\].place: 18 given"),
    ({"put_under_treasures": [{"place": 0, "players": ["player_0", "player_1"]}]}, {}, r"place 0: .* one player"),
    ({"put_under_treasures": [{"place": 0, "players": []}]}, {},
     r"put_under_treasures\[0\].players: \[\] .* one player, or nobody for a card of a telegram"),
    ({"put_under_treasures": [{**UNDER[0], "telegram": 4}]}, {}, r"cards of telegram 4 given, allowed: 0 telegrams"),
    ({"put_under_treasures": [{**UNDER[0], "place": place, "telegram": 4} for place in (0, 1)],
      "markers": {"Septris": 4}}, {}, r"allowed: cards that lie together, one of each player"),
    ({"put_under_treasures": [{"place": 0, "players": ["player_1"], "telegram": 4}, {**UNDER[0], "place": 1},
                              {"place": 2, "players": ["player_2"], "telegram": 4}],
      "markers": {"Septris": 4}}, {}, r"telegram 4 at \[0, 2\] given, allowed: cards that lie together"),
    ({"put_under_treasures": [{"place": k, "players": ["player_1"], "telegram": (4, 9)[k]} for k in (0, 1)],
      "markers": {"Septris": 9}}, {}, r"telegram 4 below 9"),
    # the set-up
    ({"round": {"stage": "setup"}, **GONOGO}, {}, r"cards: 1 gonogo given|cards: .* gonogo"),
    ({"round": {"stage": "setup"}, "barred": ["player_0"]}, {},
     r"bids: 0 bids given, allowed: neither bids nor barred"),
    ({"round": {"stage": "setup"}, "passed": ["player_0"]}, {}, r"passed: 000001 given, allowed: nobody in the set-up"),
    ({"round": {"stage": "setup"}, "markers": {"Septris": 1}}, {},
     r"round.stage: setup given, .* nothing has happened"),
    ({"round": {"stage": "setup"}, "gold": {"player_0": 9}}, {}, r"round.stage: setup given"),
    ({"round": {"stage": "setup"}, "treasures": {"player_0": ["Septris starred"]}}, {},
     r"treasures.player_0: 1 treasures given, allowed: 3 starred ones in hand"),
    ({"round": {"stage": "setup"}, "treasures": {"player_0": ["Septris starred", "Rhobanis starred", "Septris"]}}, {},
     r"treasures.player_0: 3 treasures given"),
    # what was rejected
    ({"round": {"stage": "setup"}, "starred_rejected": {"player_0": "Kilitiping starred"}}, {},
     r"starred_rejected.player_0: Kilitiping starred given, allowed: a starred treasure, of a player who has chosen"),
    ({"telegram_rejected": {"player_0": "Septris"}}, {}, r"telegram_rejected.player_0: Septris given"),
    ({**TELEGRAM, "round": {"stage": "telegram"}, "telegram_rejected": {"player_0": "Septris"}}, {},
     r"telegram_rejected.player_0: Septris given, allowed: .* of a player who has chosen"),
    # destinies
    ({"destinies": {"player_0": []}}, {}, r"destinies.player_0: none given, allowed: 1; two"),
    ({"destinies": {"player_0": ["pilgrim", "homesick"]}}, {},
     r"destinies.player_0: pilgrim, homesick given, allowed: 1"),
    ({"destinies": {"player_0": ["pilgrim"]}, **frame("destiny")}, {},
     r"destinies.player_0: pilgrim given, allowed: 2"),
    # markers and monsters
    ({"markers": {"Base": 1}}, {}, r"markers: 'Base' given, allowed: Hora-Pena"),
    ({"markers": {"Septris": 9, "Rhobanis": 8}}, {}, r"markers: 17 given, allowed: at most 16"),
    ({"markers": {"Septris": 16}}, {}, r"markers: 16 given, allowed: less than 16 before the round"),
    ({"markers": {"Septris": 16}, "round": {"stage": "drawing"}}, {}, r"markers: 16 given"),
    ({"monsters": {"bigfoot": "Mana-Hatu Base lake"}}, {}, r"monsters.bigfoot: Mana-Hatu Base lake .* a land route"),
    ({"monsters": {"leviathan": "Base Qualtops jungle"}}, {}, r"monsters.leviathan: .* allowed: a water route"),
    # bids
    ({"bids": {"player_0": bid("Kilitiping", "water", 0)}}, {},
     r"bids.player_0: Kilitiping by water given.*leads there"),
    ({"bids": {"player_0": bid("Taratarong", "jungle", 0)}}, {}, r"Taratarong by jungle given.*open way from Base"),
    ({"bids": JUNGLE, "monsters": {"bigfoot": "Base Kilitiping jungle"}, **GONOGO}, {}, r"an open way from Base"),
    ({**PAID, "monsters": {"bigfoot": "Base Kilitiping jungle"}, "round": {"stage": "payment"}}, {},
     r"an open way from"),
    ({"bids": {"player_0": bid("Septris", "flight", 0)}}, {},
     r"bids.player_0.amount: 0 given, allowed: at least 1 for a"),
    ({"bids": {**JOINT, **MOUNTAIN}, "joined": ["player_0", "player_1"], **GONOGO}, COOPERATIVE,
     r"bids.player_1.amount: 0 given, allowed: at least 1 in all bids but the first"),
    ({"bids": MOUNTAIN}, {}, r"bids.player_1.amount: 0 given, allowed: at least 1, but for the leader"),
    ({"bids": BIDS, "hands": KAYAK_AND_YAK, "joined": ["player_0", "player_1"]}, {},
     r"bids: amounts \[2, 1\] in the order of raised given, allowed: each higher"),
    ({"bids": JUNGLE, "stack": [{"decision": "bid", "player": "player_1"}]}, {},
     r"bids.player_0.amount: 1 given, allowed: at most 0, what he could pay"),
    ({"bids": JUNGLE, "round": {"stage": "payment"}}, {}, r"amount: 1 given, allowed: at most 0, what he can pay"),
    # after the bidding
    ({**MARKED, "bids": {"player_0": bid("Kilitiping", "jungle", 0), "player_1": bid("Kilitiping", "jungle", 1)},
      "round": {"stage": "drawing", "leader": "player_1"}}, {}, r"bids: player_0 .* the winning bid alone"),
    ({**MARKED, "bids": {"player_0": bid("Kilitiping", "jungle", 0), "player_1": bid("Qualtops", "jungle", 1)},
      "round": {"stage": "drawing", "leader": "player_1"}}, COOPERATIVE, r"bids: player_0 .* the winning bid alone"),
    ({**MARKED, "round": {"stage": "drawing", "leader": "player_1"}}, {},
     r"round.leader: player_1 given, allowed: player_0, who has the winning bid"),
    ({**MARKED, "bids": JOINT, "joined": ["player_1", "player_0"], "round": {"stage": "drawing"}}, COOPERATIVE,
     r"round.leader: player_0 given, allowed: player_1"),
    ({"round": {"stage": "payment"}}, {}, r"bids: none given, allowed: a winning bid in the stage payment"),
    # orders
    ({"bids": JUNGLE, **GONOGO, "joined": []}, {}, r"joined, raised: joined ; raised  given"),
    ({"bids": JUNGLE, **GONOGO, "raised": []}, {}, r"joined, raised: joined player_0; raised  given"),
    ({"bids": BIDS, "hands": KAYAK_AND_YAK, "raised": ["player_0", "player_1"]}, {},
     r"raised: player_0, player_1 given, allowed: the order of joined"),
    ({"bids": JUNGLE, **GONOGO, "joined": ["player_0"] * 2}, {}, r"joined: \[0, 0.* allowed: different players"),
    ({"bids": JUNGLE, **GONOGO, "joined": ["player_0", "player_1"], "raised": ["player_0", "player_1"]}, {},
     r"joined, raised: joined player_0, player_1"),
    ({**MARKED, "joined": ["player_0", "player_1"], "raised": ["player_0", "player_1"], "round": {"stage": "drawing"}},
     {}, r"raised: player_1 given, allowed: player_0 as the last one"),
    ({"round": {"stage": "drawing"}, "joined": ["player_0"], "raised": ["player_0"]}, {},
     r"raised: player_0 .* nobody"),
    ({"bid_for": {"player_0": ["Septris"]}}, {}, r"bid_for.player_0: Septris given, allowed: nothing, as he is not"),
    ({"bids": JUNGLE, **GONOGO, "bid_for": {"player_0": []}}, {}, r"bid_for.player_0: nothing given, allowed: also"),
    ({"bids": JUNGLE, **GONOGO, "bid_for": {"player_0": ["Base", "Kilitiping"]}}, {}, r"bid_for.player_0: .* open to"),
    ({"bids": JUNGLE, **GONOGO, "passed": ["player_0"]}, {}, r"passed: 000001 given, allowed: .* not the one who bid"),
    ({"barred": ["player_0", "player_1", "player_2", "player_3"]}, {}, r"barred: 001111 given, allowed: .* not all"),
    # the move
    ({"last_route": "Base Qualtops jungle"}, {},
     r"last_route: Base Qualtops jungle given, allowed: a route after a move"),
    ({**MARKED, "round": {"stage": "drawing"}, "last_route": None}, {}, r"last_route: null given, allowed: a route"),
    ({**MARKED, "round": {"stage": "drawing"}, "last_route": "Taratarong Kilitiping desert"}, {},
     r"last_route: .* allowed: a route by jungle that leads to Kilitiping"),
    ({**MARKED, "round": {"stage": "drawing"}, "last_route": "Base Qualtops jungle"}, {}, r"leads to Kilitiping"),
    ({"camp": "Etintaklop", "markers": {"Etintaklop": 1}, "bids": {"player_0": bid("Qualtops", "water", 0)},
      "round": {"stage": "drawing"}, "last_route": "Etintaklop Qualtops river"}, {},
     r"by water that leads to Etintaklop"),
    ({**AT_KILITIPING, "round": {"stage": "bongo"}}, {}, r"markers.Kilitiping: 0 given, allowed: at least 1"),
    ({"bids": {"player_0": bid("Base", "jungle", 0)}, "round": {"stage": "bongo"}}, {},
     r"returns: 0 given, .* at least 1"),
    # the end, the telegram
    ({"outcome": "natural"}, {}, r"outcome: natural given, allowed: natural with all 16 markers placed"),
    ({**OVER, "markers": {"Septris": 16}}, {}, r"outcome: truncated given"),
    ({"outcome": "truncated"}, {}, r"round.number: 0 given, allowed: 40 when truncated"),
    ({"outcome": "natural", "markers": {"Septris": 16}, "round": {"number": 41}}, {}, r"at most 40 when natural"),
    ({"round": {"number": 40}}, {}, r"round.number: 40 given, allowed: less than 40 while running"),
    ({**OVER, "round": {"number": 40, "leader": "player_0"}}, {},
     r"round.leader: 'player_0' given, allowed: null once"),
    ({**OVER, "round": {"number": 40, "step": 0}}, {}, r"round.step: 0 given, allowed: null once the game is over"),
    ({**OVER, **frame("bid")}, {}, r"stack: .* allowed: no frames once the game is over"),
    ({**MARKED, "round": {"stage": "telegram"}}, {},
     r"round.stage: telegram with 1 markers in Kilitiping given, .* 4 or 9"),
    ({"bids": {"player_0": bid("Base", "jungle", 0)}, "markers": {"Septris": 4}, "returns": 1,
      "round": {"stage": "telegram"}}, {}, r"round.stage: telegram with 4 markers in Base"),
    # frames, players, steps
    ({"stack": []}, {}, r"stack: nothing given, allowed: a frame of the bidding in the stage bidding"),
    ({**frame("draw"), "round": {"stage": "bidding"}}, {}, r"round.stage: bidding given, allowed: drawing while draw"),
    ({**frame("destiny"), "round": {"stage": "bidding"}}, {}, r"round.stage: bidding given, allowed: drawing or setup"),
    ({"stack": [{"decision": "draw"}, {"decision": "draw"}]}, {}, r"stack: draw, draw given, allowed: one frame, or"),
    ({"stack": [{"decision": "panda"}, {"decision": "panda"}]}, {}, r"stack: panda, panda given"),
    ({**frame("draw"), "round": {"step": 3}}, {}, r"stack\[0\].player: player_0 given, allowed: player_1 at step 3"),
    ({**frame("draw"), "round": {"step": 0}}, {},
     r"round.step: 0 given, allowed: 1 to 8 in the stage drawing while draw"),
    ({"round": {"stage": "drawing", "step": 9}}, {}, r"round.step: 9 given, allowed: 0 to 8"),
    ({"round": {"step": 1}}, {}, r"round.step: 1 given, allowed: 0 to 0 in the stage bidding"),
    ({**frame("buy"), "round": {"step": 1}}, {}, r"round.step: 1 given, allowed: an even number while buy is pending"),
    ({**frame("starred"), "round": {"step": 2}}, {}, r"round.step: 2 given, allowed: an odd number while starred"),
    ({**PAID, **frame("pay", due=1, player="player_1")}, {}, r"round.step: 0 given"),
    ({**PAID, **frame("pay", due=1, player="player_1"), "round": {"step": 1}}, {},
     r"stack\[0\].player: player_1 given"),
    ({**PAID, **frame("pay", due=1), "round": {"step": 2}}, {},
     r"player_0 given, allowed: nobody at step 2 of payment"),
    ({**AT_KILITIPING, **frame("onward", player="player_1")}, {},
     r"stack\[0\].player: player_1 given, allowed: player_0"),
    # the bidding
    ({**frame("bid"), "barred": ["player_0"]}, {}, r"stack\[0\].player: player_0 given, allowed: a player who is not"),
    ({**frame("bid"), "bids": JUNGLE, **GONOGO}, {}, r"player_0 given, allowed: another than the last bidder"),
    (frame("bid", player="player_1"), {}, r"player_1 given, allowed: player_0, who leads and opens the bidding"),
    ({**STUCK, **frame("bid", player="player_1"), "hands": {"player_0": ["dragon"]}}, {}, r"player_0, who leads"),
    (frame("amount", place="Kilitiping", way="jungle"), COOPERATIVE, r"stack\[0\]: amount given, .* share in cooperat"),
    (frame("share", place="Kilitiping", way="jungle"), {}, r"stack\[0\]: share given, allowed: amount in the basic"),
    (frame("amount", place="Taratarong", way="jungle"), {}, r"stack\[0\]: Taratarong by jungle given, .* from Base"),
    ({**frame("share", place="Qualtops", way="jungle"), "bids": JOINT, "raised": ["player_0", "player_1"],
      "hands": {"player_0": ["gonogo"] * 3, "player_1": ["gonogo"]}}, COOPERATIVE,
     r"stack\[0\]: Qualtops by jungle given, allowed: Kilitiping by jungle, which he shares with others"),
    ({**frame("oveto", player="player_1"), "bids": JUNGLE, **GONOGO}, {}, r"player_1 given, allowed: who has bid last"),
    ({**frame("oveto"), "bids": JUNGLE, **GONOGO}, {},
     r"player_0 given, allowed: who has bid last, with .* at least 4"),
    ({**frame("oveto"), "bids": {"player_0": bid("Mana-Hatu", "water", 4)},
      "barred": ["player_1", "player_2", "player_3"],
      "hands": {"player_0": ["kayak", "kayak", "oveto"]}}, {}, r"stack\[0\]: oveto given, .* nobody else may bid"),
    # the payment
    ({**PAID, **frame("pay", due=3)}, {}, r"stack\[0\].due: 3 given, allowed: at most 2, what he has bid"),
    ({**PAID, **frame("pay", due=2), "hands": {"player_0": ["gonogo", "yak"]}}, {},
     r"due: 2 given, .* at most 1, what he"),
    ({**PAID, **frame("pay", due=1, turned=["gonogo"])}, {},
     r"stack\[0\].turned: 100 given, allowed: animals that are"),
    ({**PAID, **frame("pay", due=2, turned=["yak"])}, {}, r"stack\[0\].turned: 001 given, .* once something is paid"),
    ({"bids": {"player_0": bid("Mana-Hatu", "water", 2)}, "hands": {"player_0": ["kayak"]},
      **frame("pay", due=1, turned=["yak"])}, {}, r"stack\[0\].turned: 001 given, allowed: .* on land"),
    # telegram, antik, buy, hand limit, panda, lightning
    ({**TELEGRAM, **frame("telegram")}, {}, r"treasures.player_0: 0 cards given, allowed: 2 cards of the deck"),
    ({**frame("antik"), "treasures": {"player_0": ["Septris", "Septris starred"]}}, {}, r"treasures.player_0: 2 cards"),
    ({**frame("antik"), "treasures": {"player_0": ["Septris", "Rhobanis"]},
      "certain_treasures": {"player_1": {"player_0": ["Septris"]}}}, {},
     r"treasures.player_0: 2 cards .* known to him"),
    ({**frame("antik", drawn=3), "treasures": {"player_0": ["Septris"] * 2 + ["Rhobanis"]}}, {},
     r"drawn: 3 given.*: 2"),
    ({**TELEGRAM, **frame("telegram", drawn=3), "treasures": {"player_0": ["Septris"] * 2 + ["Rhobanis"]}}, {},
     r"stack\[0\].drawn: 3 given, allowed: 2"),
    ({**frame("buy"), "gold": {"player_0": 0}}, {}, r"gold.player_0: 0 given, allowed: at least 1 while he may buy"),
    ({**frame("hand limit"), "hands": {"player_0": ["yak"] * 10}}, {},
     r"hands.player_0: 10 cards given, .* more than 10"),
    ({**frame("panda", cards=2), "hands": {"player_0": ["yak"] * 2}}, {}, r"stack\[0\].cards: 2 of 2 cards in hand"),
    ({"stack": [{"decision": "panda", "player": "player_1", "cards": 2}, {"decision": "panda"}],
      "hands": {"player_1": ["yak"] * 4}}, {}, r"stack\[0\].cards: 2 given, allowed: 3 for the second player"),
    ({**frame("victim", card="panda"), **GONOGO}, {}, r"stack\[0\].card: panda given, allowed: macaque, marabou"),
    (frame("first player", card="macaque"), {}, r"stack\[0\].card: macaque given, allowed: panda, baron-saturday"),
    ({**frame("first player", card="baron-saturday"), "curses": {"player_0": list(CAMPS)}}, {},
     r"stack\[0\].card: baron-saturday given, allowed: panda, as the curse deck is empty"),
    # polls, legal actions
    ({**AT_KILITIPING, **frame("sangaia")}, {}, r"stack\[0\].player: player_0 without a usable sangaia given"),
    ({**AT_KILITIPING, **frame("sangaia"), "hands": {"player_0": ["sangaia"]},
      "monsters": {"bigfoot": "Base Kilitiping jungle"}}, {}, r"player_0 without a usable sangaia"),
    ({**MARKED, **frame("bongo"), "hands": {"player_0": ["bongo"]}}, {}, r"player_0 without a usable bongo given"),
    ({**MARKED, **frame("bongo"), "hands": {"player_0": ["bongo"]},
      "treasures": {"player_0": ["Taratarong bonus"]}}, {},
     r"player_0 without a usable bongo given"),
    ({**frame("oveto"), "bids": {"player_0": bid("Mana-Hatu", "water", 4)}, "hands": {"player_0": ["kayak"] * 2}}, {},
     r"stack\[0\].player: player_0 without an oveto given, allowed: one who holds such a card"),
    (frame("victim", card="macaque"), {}, r"legal actions: none given, allowed: at least one while running"),
    (frame("amount", place="Septris", way="flight"), {}, r"legal actions: none given"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "options", "message"), REFUSED)
def test_what_cannot_be_is_refused(data: Dict, options: Dict, message: str) -> None:
    with pytest.raises(PositionError, match=message):
        read(copy.deepcopy(data), **options)


def test_anything_but_a_dict_is_refused() -> None:
    with pytest.raises(PositionError, match="position: 3 given, allowed: a dict"):
        read(3)


# ---- What the check computes by itself


@pytest.mark.rule("I5.3", "I6.1", "I6.2")
@pytest.mark.parametrize("way", list(Way))
def test_the_check_knows_what_can_be_paid(way: Way) -> None:
    """Its plain Python and the legal amounts of the rules, on random hands and gold."""
    place = {"jungle": "Kilitiping", "desert": "Teltoqlut", "mountain": "Kamoptis", "water": "Mana-Hatu"}
    name = way.name.lower()
    camp = "Kilitiping" if way == Way.DESERT else "Base"
    generator = np.random.default_rng(int(way))
    for _ in range(60):
        cards = generator.permutation(np.repeat(np.arange(len(CARDS)), CARD_COPIES))
        hand = [CARDS[card] for card in cards if card <= Card.SHAMAN][: int(generator.integers(11))]
        data = {
            "camp": camp,
            "gold": {"player_0": int(generator.integers(11))},
            "hands": {"player_0": hand},
            **frame("amount", place=place.get(name, "Septris"), way=name),
        }
        try:
            states = read(data)
        except PositionError:
            s = plain(STATE, read({**data, "stack": [{"decision": "bid"}]}), 0)
            assert way == Way.FLIGHT and play.highest_payable(s, 0, way) == 0
            continue
        amounts = legal_names(states)
        assert amounts[-1] == f"amount {play.highest_payable(plain(STATE, states, 0), 0, way)}"


# ---- Invariants


def bidding() -> States:
    """player_1 and player_0 have bid, player_2 is asked; treasures and curses are in hand and laid, some are known."""
    return read(
        {
            "bids": BIDS,
            "hands": {"player_0": ["kayak", "yak", "yak"], "player_1": ["yak"], "player_2": ["juju", "oveto"]},
            "certain": {"player_1": {"player_0": ["yak"]}},
            "treasures": {"player_0": ["Septris starred", "Rhobanis", "Rhobanis"], "player_2": ["Septris"]},
            "laid": {"player_0": ["Mana-Hatu"], "player_3": ["Kamoptis starred"]},
            "certain_treasures": {"player_3": {"player_0": ["Rhobanis"]}},
            "starred_rejected": {"player_0": "Rhobanis starred"},
            "curses": {"player_1": ["Septris", "Rhobanis"]},
            "curses_laid": {"player_2": ["Mana-Hatu"]},
            "markers": {"Mana-Hatu": 3, "Kamoptis": 1},
            "put_under_treasures": [{"place": 0, "players": ["player_1"], "telegram": 4}],
            "put_under_destinies": UNDER,
            "stack": [{"decision": "bid", "player": "player_2"}],
            "barred": ["player_3"],
            "events": {"last": [{"event": "round", "player": "player_0"}]},
        }
    )


def drawing() -> States:
    """The expedition has arrived in Kilitiping; player_1 is asked where bigfoot goes."""
    return read({**MARKED, **frame("monster", player="player_1", monster="bigfoot"), **KAYAK_AND_SANGAIA})


def setting_up() -> States:
    """The second player rejects a starred treasure."""
    return read({**frame("starred", player="player_1")})


KAYAK_AND_SANGAIA = {"hands": {"player_0": ["kayak", "sangaia"]}}
Edit = Callable[[States], None]


def setting(field: str, value: Any, *place: int) -> Edit:
    """An edit of one entry of a record."""

    def edit(states: States) -> None:
        if place:
            states[field][0][place] = value
        else:
            states[field][0] = value

    return edit


def edits(*several: Edit) -> Edit:
    """Several edits."""

    def edit(states: States) -> None:
        for one in several:
            one(states)

    return edit


def swapping(field: str, first: int, second: int) -> Edit:
    """An edit that exchanges two entries."""

    def edit(states: States) -> None:
        states[field][0][[first, second]] = states[field][0][[second, first]]

    return edit


BASE_PLACE = PLACES.index("Base")
SEPTRIS = PLACES.index("Septris")
MANA_HATU = PLACES.index("Mana-Hatu")
CORRUPTIONS: list[tuple[str, Callable[[], States], Edit]] = [
    ("field num_players", bidding, setting("num_players", 7)),
    ("field camp", bidding, setting("camp", 19)),
    ("field gold", bidding, setting("gold", 11, 0)),
    ("field hand_size", bidding, setting("hand_size", 13, 0)),
    ("rng", bidding, setting("rng", [0, 0, 0, 0])),
    # the board
    ("markers.Base", bidding, setting("markers", 1, BASE_PLACE)),
    ("markers", bidding, setting("markers", 14, SEPTRIS)),
    ("monsters.bigfoot", bidding, setting("monster_at", 32, 0)),
    ("monsters.leviathan", bidding, setting("monster_at", 31, 1)),
    ("player_4", bidding, setting("gold", 1, 4)),
    # adventure cards
    ("cards", bidding, setting("hand", Card.ZEPPELIN, 0, 0)),
    ("cards", bidding, setting("discard", 1, Card.YAK)),
    ("hands.player_2", bidding, setting("hand_size", 1, 2)),
    ("hands.player_1", bidding, setting("hand", 4, 1, 5)),
    ("hands.player_0", bidding, setting("hand", Card.PANDA, 0, 1)),
    ("deck", bidding, setting("deck", 4, 111)),
    ("display", bidding, edits(setting("table", 0), setting("discard", 4, Card.YAK))),
    ("certain of player_0", bidding, setting("knowers", 1, 0, 2)),  # himself
    ("certain of player_0", bidding, edits(setting("knowers", 0, 0, 1), setting("knowers", 2, 0, 2))),  # the second one
    ("certain of player_0", bidding, setting("knowers", 2, 0, 7)),  # no card there
    ("certain of player_0", bidding, setting("knowers", 16, 0, 1)),  # one of two empty seats
    ("hands.player_1", drawing, setting("hand_size", 11, 1)),
    # treasures
    ("treasures", bidding, setting("treasure_card", 1, 60)),
    ("treasures", bidding, setting("treasure_knowers", 1, 60)),
    ("treasures", bidding, setting("laid_card", 1, 60)),
    ("treasures", bidding, setting("laid_seat", 1, 60)),
    ("treasures", bidding, setting("treasure_start", 1, 0)),
    ("treasures", bidding, swapping("treasure_start", 1, 3)),
    ("treasures", bidding, setting("treasure_start", 3, 4)),
    ("treasures", bidding, setting("laid_seat", 5, 1)),
    ("laid", bidding, swapping("laid_seat", 0, 1)),
    ("treasures", bidding, setting("treasure_card", 20, 1)),
    ("treasures", bidding, setting("treasure_card", 3, 0)),  # the starred treasure rejected
    ("treasures", bidding, setting("treasure_deck", 5, 2)),
    ("treasure_deck", bidding, setting("treasure_deck", 20, 53)),
    ("certain_treasures of player_0", bidding, setting("treasure_knowers", 1, 1)),
    ("certain_treasures of player_0", bidding, swapping("treasure_knowers", 1, 2)),
    ("starred_rejected.player_3", bidding, setting("starred_rejected", 20, 3)),
    ("telegram_rejected.player_3", bidding, setting("telegram_rejected", 20, 3)),
    ("put_under_treasures", bidding, setting("treasure_deck_knowers", 1, 5)),
    ("put_under_treasures, place 0", bidding, setting("treasure_deck_knowers", 3, 0)),
    ("put_under_treasures, place 0", bidding, setting("treasure_deck_knowers", 16, 0)),
    ("put_under_treasures", bidding, setting("treasure_deck_lot", 1, 3)),
    ("put_under_treasures", bidding, setting("treasure_deck_lot", 2, 0)),
    ("put_under_treasures", bidding, setting("treasure_deck_knowers", 1, 53)),
    # curses and destinies
    ("curses", bidding, setting("curse_at", 0, MANA_HATU + 1)),
    ("curses", bidding, setting("curse_at", 0, BASE_PLACE)),
    ("curses", bidding, setting("curse_at", 4, SEPTRIS)),
    ("curses", bidding, setting("curse_deck", SEPTRIS, 0)),
    ("curse_deck", bidding, setting("curse_deck", 3, 17)),
    ("destinies.player_0", bidding, setting("destiny", 5, 0, 1)),
    ("destinies.player_1", bidding, setting("destiny", [-1, 1], 1)),
    ("destinies.player_4", bidding, setting("destiny", 5, 4, 0)),
    ("destinies", bidding, setting("destiny", 0, 1, 0)),
    ("destiny_deck", bidding, setting("destiny_deck", 3, 21)),
    ("put_under_destinies", bidding, setting("destiny_deck_knowers", 1, 3)),
    # bids
    ("bids.player_2", bidding, setting("bid_way", 1, 2)),
    ("bids.player_2", bidding, setting("bid_amount", 1, 2)),
    ("bids.player_0", bidding, setting("bid_place", -1, 0)),
    ("bids.player_0", bidding, setting("bid_place", SEPTRIS, 0)),
    ("bids.player_0.amount", bidding, setting("bid_amount", 3, 0)),
    ("raised", bidding, swapping("bid_raised", 0, 1)),
    ("bids", bidding, edits(swapping("bid_joined", 0, 1), swapping("bid_raised", 0, 1))),
    ("joined", bidding, setting("bid_joined", [-1, 1, 0, -1, -1, -1])),
    ("joined", bidding, setting("bid_joined", [1, 0, 1, -1, -1, -1])),
    ("joined, raised", bidding, setting("bid_joined", 2, 1)),
    ("joined, raised", bidding, edits(setting("bid_joined", 2, 2), setting("bid_raised", 2, 2))),
    ("bid_for.player_0", bidding, setting("bid_for", 0, 0)),
    ("bid_for.player_0", bidding, edits(setting("bid_for", 1 << SEPTRIS, 0))),
    ("bid_for.player_2", bidding, setting("bid_for", 1 << SEPTRIS, 2)),
    ("passed", bidding, setting("passed", 16)),
    ("passed", bidding, setting("passed", 1)),
    ("barred", bidding, setting("barred", 15)),
    ("stack[0].player", bidding, setting("barred", 4)),
    ("stack[0].player", bidding, setting("frame_seat", 0, 1)),
    ("round.leader", drawing, setting("frame_seat", 1, 0)),
    ("bids", drawing, edits(setting("bid_place", 1, 1), setting("bid_way", 4, 1), setting("bid_amount", 1, 1),
                            setting("bid_joined", [0, 1, -1, -1, -1, -1]),
                            setting("bid_raised", [0, 1, -1, -1, -1, -1]))),
    ("last_route", drawing, setting("last_route", -1)),
    ("last_route", drawing, setting("last_route", 0)),
    ("last_route", bidding, setting("last_route", 3)),
    ("markers.Kilitiping", drawing, setting("markers", 0)),
    # the round and the stack
    ("outcome", bidding, setting("outcome", 1)),
    ("stack", bidding, edits(setting("outcome", 2), setting("rounds", 40))),
    ("stack", bidding, setting("depth", 0)),
    ("stack", bidding, setting("depth", 3)),
    ("stack", bidding, setting("frame_decision", Decision.DRAW, 0)),
    ("stack", bidding, setting("frame_b", 1, 2)),
    ("round.number", bidding, setting("rounds", 40)),
    ("round.leader", bidding, setting("frame_seat", 5, 0)),
    ("round.stage", bidding, setting("frame_a", 8, 0)),
    ("round.stage", bidding, setting("frame_a", Stage.DRAWING, 0)),
    ("round.step", bidding, setting("frame_b", 1, 0)),
    ("stack[0].player", drawing, setting("frame_b", 5, 0)),
    ("stack[0].monster", drawing, setting("frame_a", 2, 1)),
    ("stack[0].details", drawing, setting("frame_b", 0, 1)),
    # the set-up
    ("round.stage", setting_up, setting("returns", 1)),
    ("cards", setting_up, setting("table", 1, 3)),
    ("treasures.player_1", setting_up, setting("treasure_card", 40, 3)),
    ("starred_rejected.player_1", setting_up, setting("starred_rejected", 17, 1)),
    ("destinies.player_2", setting_up, setting("destiny", -1, 2, 1)),
    # the rest
    ("events", bidding, setting("event_log", 40, 0, 0)),
    ("events", bidding, setting("event_log", 1, 9, 0)),
    ("events", bidding, setting("event_log", 16, 0, 4)),
    ("events, row 0.player", bidding, setting("event_log", 4, 0, 1)),
    ("legal actions", bidding, setting("legal", 0)),
    ("legal actions", bidding, setting("legal", 2**64 - 1, 0)),
]  # fmt: skip


@pytest.mark.parametrize(("key", "make", "corrupt"), CORRUPTIONS)
def test_a_corrupted_record_is_found(key: str, make: Callable[[], States], corrupt: Edit) -> None:
    states = make()
    check(states, 0)
    corrupt(states)
    with pytest.raises(InvariantError) as error:
        check(states, 0)
    assert str(error.value).startswith(key), error.value


def test_scores_are_computed_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules and the check agree, also at the end; a wrong standing is found."""
    ended = read({"outcome": "truncated", "round": {"number": 40}, "markers": {"Septris": 4, "Rhobanis": 1}})
    for states in (bidding(), drawing(), ended):
        check(states, 0)
        with monkeypatch.context() as patch:
            patch.setattr(engine, "standing", lambda states, i, scores, keys: scores.fill(10))
            with pytest.raises(InvariantError, match="scores: "):
                check(states, 0)


def test_a_finished_game_has_no_legal_actions() -> None:
    *_, states = active_play(IslaDoradaOptions(max_rounds=1), 1)
    check(states, 0)
    states["legal"][0][0] = 1
    with pytest.raises(InvariantError, match="legal actions: some given, allowed: .* none after the end"):
        check(states, 0)


def test_damaged_memory_is_found_and_nothing_else_is_raised() -> None:
    """Every byte of a record, set to other values: either nothing of weight changes, or `InvariantError` is raised."""
    found = 0
    generator = np.random.default_rng(0)
    samples = [bidding(), drawing(), setting_up()]
    for number in range(1500):
        states = STATE.copy(samples[number % len(samples)])
        raw = states.view(np.ndarray).view(np.uint8)
        raw[generator.integers(len(raw))] = generator.integers(256)
        try:
            check(states, 0)
        except InvariantError:
            found += 1
    assert found > 1000
