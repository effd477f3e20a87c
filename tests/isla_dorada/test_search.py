"""Search finds what wins at the end of a game of Isla Dorada, with cards that are hidden."""

import pytest

from isla_dorada_env import isla_dorada_v0
from island_core.search import Search
from tests.common.playing import search_to_end

GAME = isla_dorada_v0.Game()
OTHERS = ("player_1", "player_2", "player_3")
HIDDEN = {"player_1": ["Kilitiping starred"], "player_2": ["Taratarong", "Aminadang bonus"], "player_3": ["Qualtops"]}
POOR = dict.fromkeys(("player_0", *OTHERS), 0)
RHOBANIS = ["Rhobanis starred", "Rhobanis", "Rhobanis", "Rhobanis bonus"]
SEEDS = range(5)


def last_round(**more):
    """Without gold, and with markers and journeys that no destiny but ``pilgrim``, the own one, is met by; the others'
    are hidden, and the card that each draws at the end may give them two points.
    """
    return GAME.from_dict(
        {"gold": POOR, "sea_journeys": 2, "destinies": {"player_0": ["pilgrim"]}, "curses": {}, **more}
    )


@pytest.mark.rule("I8.2", "I11.2")
@pytest.mark.parametrize("seed", SEEDS)
def test_the_last_bid_goes_where_the_own_treasures_lie(seed):
    # 8 points to 15: nothing but the treasures of Rhobanis makes up for it.
    position = last_round(
        camp="Methritis",
        markers={"Kamoptis": 14, "Methritis": 1},
        treasures={"player_0": RHOBANIS, **HIDDEN},
        laid={"player_1": ["Bulo-Mapo", "Bulo-Mapo starred", "Wahi-Waha"]},
    )
    assert position.decision == "bid"
    name = position.action_name(Search(GAME, seed=seed).run(position).action)
    assert name == "bid Rhobanis jungle"
    end = search_to_end(position, seed)
    assert end.winners == [0]


@pytest.mark.rule("I8.3", "I11.2")
@pytest.mark.parametrize("seed", SEEDS)
def test_a_bongo_lays_the_treasure_that_wins(seed):
    # 8 points to 13: the 3 of Kamoptis are too few, the 8 of Rhobanis enough, whatever the others draw.
    position = last_round(
        camp="Methritis",
        markers={"Kamoptis": 15, "Methritis": 1},
        hands={"player_0": ["bongo"]},
        treasures={"player_0": ["Rhobanis", "Rhobanis bonus", "Kamoptis"], **HIDDEN},
        laid={"player_1": ["Bulo-Mapo", "Bulo-Mapo bonus", "Wahi-Waha"]},
        bids={"player_0": {"place": "Methritis", "way": "desert", "amount": 0}},
        round={"stage": "bongo", "number": 15},
        stack=[{"decision": "bongo"}],
    )
    assert sorted(position.legal_names()) == ["bongo Kamoptis", "bongo Rhobanis", "let be"]
    result = Search(GAME, seed=seed).run(position)
    assert position.action_name(result.action) == "bongo Rhobanis"
    assert search_to_end(position, seed).winners == [0]
