"""What a seat sees depends on nothing it cannot know, and on everything it knows."""

import copy
import random
from collections import Counter

import numpy as np
import pytest

from isla_dorada_env.components import TREASURE_NAMES
from island_core.errors import PositionError
from island_core.events import RING
from tests.common.invariants import by_block
from tests.views.games import GAMES, VARIANTS
from tests.views.playing import PLAYERS
from tests.views.worlds import CERTAIN, SLOTS, at, put, worlds

POLLS = ("holders", "all")


def views(position, seat):
    """Everything a position shows a seat."""
    since = max(position.num_events - RING, 0)
    acts = position.actor == seat
    return {
        "int8": position.observation(seat, "int8", RING).tobytes(),
        "float32": position.observation(seat, "float32", RING).tobytes(),
        "mask": position.mask().tobytes() if acts else None,
        "decision": position.decision if acts else None,
        "names": position.legal_names() if acts else None,
        "key": position.key(seat),
        "events": position.events_since(since, seat),
        "text": position.text(seat),
        "public": (position.is_over, position.num_events, position.ranks if position.is_over else None),
    }


def stretch(variant, players, polls, seed, steps):
    """The positions of a game, every eighth one of its decisions."""
    position = variant.rules(num_players=players, polls=polls).new(seed)
    generator = np.random.default_rng([players, seed])
    for step in range(steps):
        if position.is_over:
            return
        if step % 8 == 0:
            yield position
        position.step(by_block(position, generator))


@pytest.mark.rule("D8.7", "D8.11", "I2.4", "I4.2")
@pytest.mark.parametrize("polls", POLLS)
@pytest.mark.parametrize("players", PLAYERS)
def test_worlds_of_one_information_set_look_alike(variant, players, polls):
    source = random.Random(players)
    count = Counter()
    for seed in range(2):
        for position in stretch(variant, players, polls, seed, 160):
            for seat in range(players):
                expected = views(position, seat)
                for world in worlds(position, seat, source, 2):
                    seen = views(world, seat)
                    assert {k for k in seen if seen[k] != expected[k]} == set(), (seat, position.to_dict())
                    count["worlds"] += 1
                    count["acting"] += position.actor == seat
                    others = [s for s in range(players) if s != seat]
                    count["others see it"] += any(world.key(s) != position.key(s) for s in others)
    assert count["worlds"] > 25 * players and count["acting"] > 15, count
    assert count["others see it"] > count["worlds"] * 0.6, count


ASKED = {
    "dracheninsel": ("slumber", "sweet-slumber", "water", {}),
    "isla_dorada": (
        "sangaia",
        "sangaia",
        "yak",
        {"camp": "Kilitiping", "bids": {"player_0": {"place": "Kilitiping", "way": "jungle", "amount": 0}}},
    ),
}
"""A poll, a card with which one is asked, one without, and what else the position needs."""


@pytest.mark.rule("D8.11", "I4.2")
def test_nobody_else_sees_who_is_asked(game):
    """By hand: who of two players holds the card is hidden, and so which of them is asked."""
    decision, card, other, rest = ASKED[game.name]

    def asked(one, two):
        hands = {one: [card], two: [other]}
        return game.rules().from_dict({**rest, "hands": hands, "stack": [{"decision": decision, "player": one}]})

    one, two = asked("player_1", "player_2"), asked("player_2", "player_1")
    assert (one.actor, two.actor) == (1, 2) and one.decision == two.decision == decision
    for seat in (0, 3):
        assert views(one, seat) == views(two, seat)
    for seat in (1, 2):
        assert one.key(seat) != two.key(seat)


OWN = {"dracheninsel": (("hands", "deck"),)}
OWN["isla_dorada"] = (
    *OWN["dracheninsel"],
    ("treasures", "treasure_deck"),
    ("curses", "curse_deck"),
    ("destinies", "destiny_deck"),
)
"""Own cards, and the deck with others of the kind."""


def out_of_the_game(data):
    """The starred treasures that nobody has, has laid or has rejected (I3.2)."""
    there = [card for key in ("treasures", "laid") for cards in data[key].values() for card in cards]
    there += data["starred_rejected"].values()
    return [name for name in TREASURE_NAMES if name.endswith("starred") and name not in there]


@pytest.mark.parametrize("players", PLAYERS)
def test_other_own_cards_look_different(variant, players):
    """One own card exchanged with one of the deck: its owner sees it, and nobody else who was not certain of it."""
    source = random.Random(players)
    count = Counter()
    for position in stretch(variant, players, "all", players, 200):
        original = position.to_dict()
        for seat in range(players):
            for hand, deck in OWN[variant.name]:
                owner = f"player_{seat}"
                if not original[hand][owner] or not original[deck]:
                    continue
                data = copy.deepcopy(original)
                one = (hand, owner, source.randrange(len(data[hand][owner])))
                # The upper half of a deck: nobody has put anything there.
                other = (deck, source.randrange((len(data[deck]) + 1) // 2))
                first, second = at(data, one), at(data, other)
                starred = first.endswith("starred")
                if starred:  # not a card of the deck: one that has left the game comes in its place
                    second = source.choice(out_of_the_game(data) or [first])
                certain = data.get(CERTAIN.get(hand), {})
                if first == second or any(first in known.get(owner, []) for known in certain.values()):
                    continue
                put(data, one, second)
                if not starred:
                    put(data, other, first)
                try:
                    world = position.game.from_dict(data)
                except PositionError:
                    continue
                if (world.decision, world.num_events) != (position.decision, position.num_events):
                    continue  # with the other card there is nothing to ask, and play ran on
                count[hand] += 1
                assert position.text(seat) != world.text(seat)
                assert position.text((seat + 1) % players) == world.text((seat + 1) % players)
                for viewer in range(players):
                    before, after = (pos.observation(viewer, "int8").tobytes() for pos in (position, world))
                    assert (before != after) == (viewer == seat)
                    assert (position.key(viewer) != world.key(viewer)) == (viewer == seat)
    # Six players have got all starred treasures.
    wanted = {hand for hand, _ in OWN[variant.name]} - ({"treasures"} if players == 6 else set())
    assert wanted <= set(count) and min(count[hand] for hand in wanted) > 15, count


@pytest.mark.parametrize("players", PLAYERS)
def test_equal_observations_have_equal_legal_actions(variant, players):
    """Over many games: where the observation of the seat that decides is the same, so are mask and key, and only there.

    Many games begin alike for the one who looks; the first decisions of each are where observations meet.
    """
    masks, keys = {}, {}
    met = 0
    for seed in range(30):
        for position in stretch(variant, players, "holders", seed, 12):
            seat = position.actor
            for other in [position, *worlds(position, seat, random.Random(seed), 3)]:
                seen = seat, other.observation(seat, "int8").tobytes()
                mask, key = other.mask().tobytes(), other.key(seat)
                met += seen in masks
                assert masks.setdefault(seen, mask) == mask
                assert keys.setdefault(key, (*seen, mask)) == (*seen, mask)
    assert met > 60 and len(keys) == len(masks) > 30


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_leak_is_noticed(game, monkeypatch):
    """An observation that shows the deck, or another hand, differs between the worlds."""
    look = type(game.rules().new(0)).observation
    position = next(p for p in stretch(game, 4, "all", 1, 60) if len(p.history) >= 40)
    for leak in ("deck", "hand"):

        def leaky(self, seat, dtype="float32", history=0, leak=leak):
            out = look(self, seat, dtype, history)
            held = self.states["hand"][0][(seat + 1) % 4] if leak == "hand" else self.states["deck"][0]
            out[0] = int(held[0])
            return out

        monkeypatch.setattr(type(position), "observation", leaky)
        expected = position.key(0)
        assert any(world.key(0) != expected for world in worlds(position, 0, random.Random(0), 40))


def test_the_slots_are_those_that_hide_something():
    """By hand: what each observer cannot know in a small position."""
    dracheninsel, isla_dorada = GAMES
    data = {
        "hands": {"player_0": ["water"], "player_1": ["desert", "desert"], "player_2": ["forest"]},
        "certain": {"player_0": {"player_1": ["desert"]}},
    }
    shown = dracheninsel.rules(num_players=3).from_dict(data).to_dict()
    (slots,) = SLOTS["dracheninsel"](shown, "player_0")
    assert [slot for slot in slots if slot[0] != "deck"] == [("hands", "player_1", 1), ("hands", "player_2", 0)]
    assert len(slots) == 2 + len(shown["deck"]) == 97
    under = [{"place": 0, "players": ["player_1"]}, {"place": 1, "players": ["player_0"]}]
    shown = isla_dorada.rules().from_dict({"put_under_destinies": under}).to_dict()
    groups = SLOTS["isla_dorada"](shown, "player_0")
    last = len(shown["destiny_deck"]) - 1
    assert ("destiny_deck", last) in groups[4] and ("destiny_deck", last - 1) not in groups[4]
    assert ("destinies", "player_1", 0) in groups[4] and ("destinies", "player_0", 0) not in groups[4]


def test_every_way_of_playing_is_looked_at():
    assert {variant.name for variant in VARIANTS} == set(SLOTS)
