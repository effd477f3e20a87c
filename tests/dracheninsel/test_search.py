"""Search finds what wins at the end of a game of Die Dracheninsel, with cards that are hidden."""

from collections import Counter

import pytest

from dracheninsel_env import dracheninsel_v0
from island_core.search import Search
from tests.common.playing import search_to_end

GAME = dracheninsel_v0.Game()
ANSWERS = ("betrayal", "counterspell", "sweet-slumber", "fear-and-terror", "sneak-attack", "evil-curse")
"""What others could spoil a plan with."""
COLLECTED = dict.fromkeys(("100", "125", "150", "175", "200", "240"), "collected")
SEEDS = range(5)


def last_treasure(space, coins, hands, **more):
    """The last treasure on a space, and all cards with an answer that are not in hand on the discard pile."""
    start = GAME.new(0).to_dict()
    cards = Counter(start["deck"]) + sum((Counter(hand) for hand in start["hands"].values()), Counter())
    cards = Counter({card: number for card, number in cards.items() if any(answer in card for answer in ANSWERS)})
    for hand in hands.values():
        cards -= Counter(hand)
    treasures = {**COLLECTED, "300": space}
    return GAME.from_dict({"treasures": treasures, "coins": coins, "hands": hands, "discard": dict(cards), **more})


HIDDEN = {"player_1": ["water", "desert"], "player_2": ["field", "forest", "water"], "player_3": ["mountain"]}
COINS = {
    "player_0": [240, 100],
    "player_1": [240, 200],
    "player_2": [100, 125, 125, 200],
    "player_3": [150, 150, 175, 175],
}


def betrayal():
    """The pair stands beside the own boat. Shared, the treasure makes green the winner; betrayed, the own seat."""
    return last_treasure(
        "i5", COINS, {"player_0": ["betrayal", "volcano"], **HIDDEN}, hunters={"yellow": "i5", "green": "i5"}
    )


@pytest.mark.rule("D6.8")
@pytest.mark.parametrize("seed", SEEDS)
def test_the_last_treasure_is_delivered_and_betrayed(seed):
    end = search_to_end(betrayal(), seed)
    assert end.winners == [0]
    assert end.scores == [940, 440, 550, 650]


@pytest.mark.rule("D6.8")
@pytest.mark.parametrize("seed", SEEDS)
def test_the_owner_of_the_boat_betrays_who_would_win_by_sharing(seed):
    position = betrayal()
    position.step("step boat-yellow free")
    assert position.decision == "betrayal"
    result = Search(GAME, seed=seed).run(position)
    assert position.action_name(result.action) == "betray"
    value = dict(zip(result.names, result.values[:, 0], strict=True))
    assert value == {"betray": 1.0, "share": 0.0}


@pytest.mark.rule("D7.4")
@pytest.mark.parametrize("seed", SEEDS)
def test_an_ambush_sends_home_who_must_not_share(seed):
    coins = {**COINS, "player_0": [240, 175, 100], "player_2": [100, 125, 125], "player_1": [240, 200, 200]}
    coins["player_3"] = [150, 150, 175]
    position = last_treasure(
        "i5",
        coins,
        {"player_0": ["volcano", "field"], **HIDDEN},
        hunters={"yellow": "i5", "green": "i5", "brown": "i5"},
        turn={"mover": "yellow"},
        stack=[{"decision": "ambush", "hunter": "yellow"}],
        undo={"hunters": {"yellow": "i4"}},
    )
    assert position.legal_names() == ["send home green", "send home brown"]
    assert position.action_name(Search(GAME, seed=seed).run(position).action) == "send home green"
    end = search_to_end(position, seed)
    assert end.scores == [815, 640, 650, 475]


@pytest.mark.rule("D6.7", "D10.1")
@pytest.mark.parametrize("seed", SEEDS)
def test_who_leads_leaves_the_last_treasure_behind(seed):
    coins = {**COINS, "player_0": [240, 240, 200], "player_1": [100, 100]}
    coins["player_2"] = [125, 125, 200]
    position = last_treasure("g4", coins, {"player_0": ["volcano", "desert"], **HIDDEN}, hunters={"yellow": "g4"})
    end = search_to_end(position, seed)
    assert end.to_dict()["treasures"]["300"] == "removed"
    assert len(end.history) == 1
    assert end.winners == [0]
