"""Names of actions: unique, read back, and refused with an explanation."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from isla_dorada_env.actions import ACTIONS, OFFSET, bid_number
from isla_dorada_env.board import ROUTE_NAMES
from isla_dorada_env.components import DESTINY_NAMES, TREASURE_NAMES
from isla_dorada_env.convert import from_dict
from isla_dorada_env.decisions import DECISION_NAMES, Decision
from isla_dorada_env.notation import action_name, all_names, bid_name, decision_text, parse
from isla_dorada_env.options import IslaDoradaOptions, new_record
from isla_dorada_env.rules import engine
from isla_dorada_env.state import RUNNING
from isla_dorada_env.vocab import CARDS, PLACES, WAYS, Way
from island_core import bitset, rng
from island_core.errors import NotationError
from island_core.layout import States

ASKED = frozenset(decision for decision in Decision if decision > Decision.ROUND)


def legal_ids(states: States) -> list[int]:
    return [action for action in range(ACTIONS.size) if bitset.has_bit(states["legal"][0], action)]


def active_play(players: int, seed: int, **options: Any) -> Iterator[States]:
    """The decisions of a game whose players act at random whenever they can."""
    states = new_record(IslaDoradaOptions(num_players=players, **options))
    words = np.zeros(4, np.uint64)
    rng.seed_words(words, seed, 1, 0)
    engine.reset(states, 0, seed, 0, 0)
    while states["outcome"][0] == RUNNING:
        yield states
        acts = states["legal"][0] & ~ACTIONS.passive
        engine.step(states, 0, bitset.pick(acts if acts.any() else states["legal"][0], words))


def top_decision(states: States) -> int:
    return int(states["frame_decision"][0][states["depth"][0] - 1])


def position(players: int = 4, **data: Any) -> States:
    return from_dict(data, IslaDoradaOptions(num_players=players))


@pytest.fixture(scope="module")
def one_of_each() -> dict[tuple[int, int], States]:
    """A position for each decision, with four players and with six."""
    found: dict[tuple[int, int], States] = {}
    for players in (4, 6):
        wanted = set(ASKED)
        for seed in range(40):
            if not wanted:
                break
            for states in active_play(players, seed, cooperative_bidding=seed % 2 == 1):
                kind = top_decision(states)
                if kind in wanted:
                    wanted.remove(Decision(kind))
                    found[players, kind] = states.copy()
        assert not wanted
    return found


def test_every_name_stands_for_one_id_in_every_decision(one_of_each: dict[tuple[int, int], States]) -> None:
    for states in one_of_each.values():
        names = all_names(states, 0)
        assert list(names.values()) == sorted(set(names.values()))
        assert len({name.lower() for name in names}) == len(names)
        for name, action in names.items():
            assert action_name(states, 0, action) == name
            assert parse(states, 0, name) == parse(states, 0, name.upper()) == action
        assert set(legal_ids(states)) <= set(names.values())
        named = {action_name(states, 0, action): action for action in range(-1, ACTIONS.size + 1)}
        named.pop(None)
        assert named == names


@pytest.mark.parametrize("players", [3, 5])
@pytest.mark.parametrize("cooperative", [False, True])
def test_every_legal_id_has_a_name(players: int, cooperative: bool) -> None:
    for states in active_play(players, 7, cooperative_bidding=cooperative):
        for action in legal_ids(states):
            name = action_name(states, 0, action)
            assert name is not None
            assert parse(states, 0, name) == action


def test_how_the_actions_are_named() -> None:
    states = position()
    place, way = PLACES.index("Mana-Hatu"), Way.WATER
    bid = bid_number(way, place)
    route = ROUTE_NAMES.index("Qualtops Base river")
    destiny = DESTINY_NAMES.index("Mar Maldita")
    names = {
        OFFSET.bid + bid: "bid Mana-Hatu water",
        OFFSET.join + bid: "join Mana-Hatu water",
        OFFSET.amount + 29: "amount 29",
        OFFSET.share: "share 0",
        OFFSET.pass_: "pass",
        OFFSET.raise_: "raise",
        OFFSET.oveto: "oveto",
        OFFSET.pay: "pay yak",
        OFFSET.pay_with_shaman + 1: "pay kamel with shaman",
        OFFSET.sangaia: "sangaia",
        OFFSET.go + place: "go Mana-Hatu",
        OFFSET.bongo + TREASURE_NAMES.index("Rhobanis starred"): "bongo Rhobanis starred",
        OFFSET.draw: "draw deck",
        OFFSET.draw + 1: "draw yak",
        OFFSET.buy + len(CARDS): "buy baron-saturday",
        OFFSET.let_be: "let be",
        OFFSET.discard: "discard yak",
        OFFSET.reject_treasure + TREASURE_NAMES.index("Rhobanis bonus"): "reject Rhobanis bonus",
        OFFSET.reject_destiny + destiny: "reject Mar Maldita",
        OFFSET.place + route: "place Qualtops Base river",
    }
    assert {action: action_name(states, 0, action) for action in names} == names


def test_bids_are_named_by_place_and_way() -> None:
    for way, name in enumerate(WAYS):
        for place, where in enumerate(PLACES):
            assert bid_name(bid_number(way, place)) == f"{where} {name}"


@pytest.mark.rule("I5.5", "I10.3")
def test_players_are_named_clockwise_from_the_one_who_decides() -> None:
    states = position(round={"leader": "player_2"})
    for block in (OFFSET.juju, OFFSET.rob):
        verb = "juju" if block == OFFSET.juju else "rob"
        assert [action_name(states, 0, block + k) for k in range(5)] == [
            f"{verb} player_3", f"{verb} player_0", f"{verb} player_1", None, None,
        ]  # fmt: skip
    assert [action_name(states, 0, OFFSET.choose + k) for k in range(6)] == [
        "choose player_2", "choose player_3", "choose player_0", "choose player_1", None, None,
    ]  # fmt: skip


def test_what_does_not_exist_has_no_name() -> None:
    states = position(3)
    nameless = [-1, OFFSET.juju + 2, OFFSET.rob + 4, OFFSET.choose + 3, ACTIONS.used, ACTIONS.noop, ACTIONS.size]
    assert [action_name(states, 0, action) for action in nameless] == [None] * len(nameless)


def test_nothing_is_named_once_the_game_is_over() -> None:
    *_, states = active_play(3, 1, max_rounds=2)
    assert all_names(states, 0) == {}
    assert action_name(states, 0, OFFSET.pass_) is None
    assert decision_text(states, 0) == "the game is over after 2 rounds"
    with pytest.raises(NotationError, match="the game is over"):
        parse(states, 0, "pass")


def test_case_and_blanks_do_not_matter_and_legality_is_not_looked_at() -> None:
    states = position()
    assert parse(states, 0, "  BID  mana-hatu Water ") == parse(states, 0, "bid Mana-Hatu water") in legal_ids(states)
    assert parse(states, 0, "pass") not in legal_ids(states)


@pytest.mark.parametrize(
    ("text", "fragments"),
    [
        (
            "bid mana-hatu rail",
            ["'bid mana-hatu rail'", "player_0 in 'bid'", "understood 'bid Mana-Hatu'", "allowed: jungle, desert"],
        ),
        ("bid Septris", ["understood 'bid Septris'", "allowed: jungle, desert, mountain, water, flight"]),
        ("bid Atlantis water", ["understood 'bid'", "allowed: Hora-Pena, Septris"]),
        ("reject rhobanis sparkling", ["understood 'reject Rhobanis'", "allowed: starred, nothing more, bonus"]),
        ("pay yak with friends", ["understood 'pay yak with'", "allowed: shaman", "close: pay yak with shaman"]),
        ("pass now", ["understood 'pass'", "allowed: nothing more", "close: pass"]),
        ("wander", ["at its start allowed: bid, amount"]),
        ("", ["''", "at its start allowed"]),
        ("sangajja", ["close: sangaia"]),
        ("rob player_0", ["understood 'rob'", "allowed: player_1, player_2, player_3"]),
        ("amount 30", ["understood 'amount'"]),
    ],
)
def test_a_name_that_means_nothing_is_explained(text: str, fragments: list[str]) -> None:
    with pytest.raises(NotationError) as error:
        parse(position(), 0, text)
    for fragment in fragments:
        assert fragment in str(error.value)


DECISION_TEXTS = [
    ({}, "player_0 must bid from Base or pass (bid)"),
    (
        {"stack": [{"decision": "amount", "place": "Qualtops", "way": "jungle"}]},
        "player_0 must say the amount for Qualtops by jungle (amount)",
    ),
    (
        {
            "hands": {"player_0": ["gonogo", "gonogo", "gonogo"]},
            "bids": {"player_0": {"place": "Qualtops", "way": "jungle", "amount": 3}},
            "stack": [{"decision": "pay", "due": 2}],
        },
        "player_0 must pay 2 more by jungle (pay)",
    ),
    (
        {"stack": [{"decision": "victim", "card": "macaque", "player": "player_1"}], "hands": {"player_0": ["yak"]}},
        "player_1 must choose whom macaque robs (victim)",
    ),
    (
        {"stack": [{"decision": "monster", "monster": "leviathan"}]},
        "player_0 must choose where leviathan goes (monster)",
    ),
    (
        {"stack": [{"decision": "first player", "card": "panda"}]},
        "player_0 must choose the first player of panda (first player)",
    ),
    (
        {"stack": [{"decision": "second player", "card": "baron-saturday", "first": "player_2"}]},
        "player_0 must choose the second player of baron-saturday after player_2 (second player)",
    ),
    (
        {"stack": [{"decision": "panda", "cards": 1}], "hands": {"player_0": ["yak", "yak"]}},
        "player_0 must discard 1 card to panda (panda)",
    ),
    ({"stack": [{"decision": "draw"}]}, "player_0 must draw a card (draw)"),
    ({"stack": [{"decision": "buy"}]}, "player_0 must buy a card for one gold or let it be (buy)"),
    (
        {"stack": [{"decision": "hand limit"}], "hands": {"player_0": ["yak"] * 11}},
        "player_0 must discard down to ten cards from 11 (hand limit)",
    ),
]


@pytest.mark.parametrize(("data", "words"), DECISION_TEXTS, ids=[words for _, words in DECISION_TEXTS])
def test_the_decision_is_told_in_words(data: dict[str, Any], words: str) -> None:
    assert decision_text(position(**data), 0) == words


@pytest.mark.rule("I3.2", "I10.3")
def test_a_destiny_rejected_in_the_set_up_and_after_istwa(one_of_each: dict[tuple[int, int], States]) -> None:
    states = one_of_each[4, Decision.DESTINY]
    assert "reject one of two destinies" in decision_text(states, 0)
    drawn = position(destinies={"player_0": ["wanderer", "pilgrim"]}, stack=[{"decision": "destiny"}])
    assert decision_text(drawn, 0) == "player_0 must reject the destiny drawn with istwa or the old one (destiny)"


def test_every_decision_text_names_the_player_and_ends_with_its_name(
    one_of_each: dict[tuple[int, int], States],
) -> None:
    for (_, kind), states in one_of_each.items():
        text = decision_text(states, 0)
        assert text.startswith(f"player_{states['frame_seat'][0][states['depth'][0] - 1]} must ")
        assert text.endswith(f" ({DECISION_NAMES[kind]})")
