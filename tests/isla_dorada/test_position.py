"""Positions of this game by hand; what every game's ``Game`` and ``Position`` do is in ``tests/views``."""

from collections import Counter

import numpy as np
import pytest

from isla_dorada_env.components import TREASURE_NAMES
from island_core.errors import PositionError
from tests.views.games import ISLA_DORADA, VARIANTS
from tests.views.playing import PLAYERS, played

BIDDINGS = [variant for variant in VARIANTS if variant.name == "isla_dorada"]
SEEDS = range(8)


@pytest.mark.rule("I3.1", "I3.2")
@pytest.mark.parametrize("players", PLAYERS)
def test_a_new_game_begins_with_three_starred_treasures(players):
    game = ISLA_DORADA.rules(num_players=players)
    leaders = set()
    for seed in range(40):
        pos = game.new(seed)
        leaders.add(pos.actor)
        assert pos.decision == "starred"
        assert sorted(pos.legal_names()) == sorted(f"reject {name}" for name in pos.to_dict()["treasures"][player(pos)])
        assert len(pos.legal_names()) == 3 and all(name.endswith(" starred") for name in pos.legal_names())
    assert leaders == set(range(players))


def player(pos):
    return f"player_{pos.actor}"


@pytest.mark.rule("I11.2")
def test_scores_ranks_and_winners_by_hand():
    gold = {"player_0": 3, "player_1": 10, "player_2": 0, "player_3": 8}
    laid = {
        "player_0": ["Rhobanis starred", "Rhobanis", "Rhobanis bonus"],  # 5, 5, 3
        "player_2": ["Joztakitl"],  # 4
    }
    curses_laid = {"player_0": ["Wahi-Waha"], "player_1": ["Mana-Hatu"], "player_2": ["Kakotapl"]}  # -5, -3, -5
    # In hand treasures and curses are worth nothing, and destinies only at the end.
    hidden = {"treasures": {"player_2": ["Rhobanis"]}, "curses": {"player_3": ["Rhobanis"]}, "returns": 3}
    pos = ISLA_DORADA.rules().from_dict({"gold": gold, "laid": laid, "curses_laid": curses_laid, **hidden})
    assert pos.scores == [11, 7, -1, 8]
    assert pos.ranks == [1.0, 3.0, 4.0, 2.0]
    assert pos.winners == [0]
    pos = ISLA_DORADA.rules().from_dict({"gold": {**gold, "player_3": 10}, "laid": laid})
    assert pos.scores == [16, 10, 4, 10]
    assert pos.ranks == [1.0, 2.5, 4.0, 2.5]
    pos = ISLA_DORADA.rules().from_dict({"gold": {"player_1": 2}})
    assert pos.scores == [10, 2, 10, 10]
    assert pos.ranks == [2.0, 4.0, 2.0, 2.0] and pos.winners == [0, 2, 3]


# Clones with another future


def under(data, deck, number):
    """What players have put under a deck, and who: place by place, those of one telegram as a heap."""
    cards = data[deck][::-1]
    single, heaps = {}, Counter()
    for entry in data[f"put_under_{number}"]:
        card, players = cards[entry["place"]], tuple(entry["players"])
        if entry.get("telegram") is None:
            single[entry["place"]] = card, players
        else:
            heaps[entry["telegram"], card, players] += 1
    return single, heaps


def check_redrawn(pos):
    """Hands and what players put under the decks stay, a telegram's cards among each other; nobody sees a change."""
    original = pos.to_dict()
    for seed in SEEDS:
        twin = pos.clone(seed=seed)
        data = twin.to_dict()
        for number, deck in (("treasures", "treasure_deck"), ("destinies", "destiny_deck")):
            assert under(data, deck, number) == under(original, deck, number)
        for key in ISLA_DORADA.decks:
            assert Counter(data[key]) == Counter(original[key])
        same = set(original) - {*ISLA_DORADA.decks, "rng", "put_under_treasures"}
        assert {key for key in same if data[key] != original[key]} == set()
        for seat in range(pos.game.num_players):
            assert np.array_equal(twin.observation(seat, history=64), pos.observation(seat, history=64))
            assert twin.text(seat) == pos.text(seat)
        assert twin.legal_names() == pos.legal_names()


@pytest.mark.rule("I3.2", "I8.4", "I10.3")
def test_clone_with_a_seed_keeps_what_players_have_put_under_the_decks_by_hand():
    common = [name for name in TREASURE_NAMES if not name.endswith(("starred", "bonus"))]
    deck, destinies = common[:9], ["wanderer", "pilgrim", "homesick", "sea ports", "high peaks", "desert gates"]
    who = [{"players": [f"player_{seat}"], "telegram": 4} for seat in (2, 0, 3)]
    who.insert(0, {"players": ["player_1"], "telegram": None})
    data = {
        "markers": {"Rhobanis": 5},
        "treasure_deck": deck,
        "put_under_treasures": [{"place": place, **entry} for place, entry in enumerate(who)],
        "destiny_deck": destinies,
        "put_under_destinies": [{"place": place, "players": [f"player_{place}"]} for place in range(3)],
        # All other treasures are with the players, so that the deck is what is listed.
        "laid": {
            "player_0": [name for name in TREASURE_NAMES if name.endswith("bonus")],
            "player_1": [*common, *common[9:]],
        },
    }
    pos = ISLA_DORADA.rules().from_dict(data)
    assert pos.to_dict()["treasure_deck"] == deck
    single, heaps = under(pos.to_dict(), "treasure_deck", "treasures")
    assert single == {0: (deck[-1], ("player_1",))}
    assert set(heaps) == {(4, card, (f"player_{seat}",)) for card, seat in zip(deck[5:8], (3, 0, 2), strict=True)}
    check_redrawn(pos)
    twins = [pos.clone(seed=seed).to_dict() for seed in SEEDS]

    def orders(key, part):
        return {tuple(twin[key][part]) for twin in twins}

    assert len(orders("treasure_deck", slice(0, 5))) > 4 and len(orders("treasure_deck", slice(5, 8))) > 2
    assert orders("treasure_deck", slice(8, 9)) == {(deck[-1],)}
    for top in orders("treasure_deck", slice(0, 5)):
        assert set(top) == set(deck[:5])
    assert len(orders("destiny_deck", slice(0, -3))) == len(SEEDS) and len(orders("destiny_deck", slice(-3, None))) == 1


@pytest.mark.rule("I2.4")
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("bidding", BIDDINGS, ids=str)
def test_clone_with_a_seed_in_the_middle_of_games(bidding, players):
    put_under = 0
    for seed in range(3):
        pos = played(bidding, 35 * players, seed=seed, num_players=players)
        assert not pos.is_over
        check_redrawn(pos)
        put_under += len(pos.to_dict()["put_under_treasures"])
    assert put_under >= 3


@pytest.mark.rule("I12.1")
def test_positions_of_the_other_bidding_are_refused():
    basic, cooperative = (played(bidding, 60) for bidding in BIDDINGS)
    with pytest.raises(PositionError, match="cooperative_bidding"):
        basic.game.from_bytes(cooperative.to_bytes())
    with pytest.raises(PositionError, match="cooperative_bidding"):
        cooperative.game.from_dict(basic.to_dict())
    assert cooperative.game.from_dict(cooperative.to_dict()).to_bytes() == cooperative.to_bytes()
