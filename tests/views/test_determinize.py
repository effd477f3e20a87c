"""Redrawing what the deciding seat does not know: what stays, what is no input, the law, and play from there."""

import itertools
import json
import random
from collections import Counter

import numpy as np
import pytest
from scipy import stats

from dracheninsel_env import dracheninsel_v0
from isla_dorada_env import isla_dorada_v0
from isla_dorada_env.board import DESTINATIONS, NUM_PLACES
from isla_dorada_env.components import CARD_COPIES, TREASURE_NAMES
from isla_dorada_env.vocab import BASE, CAMPS, CARDS, PLACES, Way
from island_core.errors import GameOverError, OptionError
from tests.common.invariants import by_block
from tests.dracheninsel import invariants as dracheninsel
from tests.isla_dorada import invariants as isla_dorada
from tests.isla_dorada.starts import STARTS
from tests.views.playing import PLAYERS, played
from tests.views.test_worlds import POLLS, views
from tests.views.worlds import worlds

CHECKS = {"dracheninsel": dracheninsel.check_position, "isla_dorada": isla_dorada.check_position}
RULES = {"dracheninsel": {"holders": {}, "all": {"layout": "random", "slumber_on_arrival": True}}}
"""Further options, by the form of polls."""


def beginnings(variant, game, seed):
    """Where games begin: at the set-up and where rare decisions are near."""
    yield game.new(seed)
    generator = np.random.default_rng(seed)
    if variant.name == "dracheninsel":
        yield dracheninsel.carrying(game, seed, seed, generator)
    else:
        for start in STARTS.values():
            yield start(game.new(seed), random.Random(seed))


def positions(variant, players, polls, seed, steps, every):
    """Running positions of several games, every so many decisions."""
    more = RULES.get(variant.name, {}).get(polls, {})
    game = variant.rules(num_players=players, polls=polls, **more)
    for number, position in enumerate(beginnings(variant, game, seed)):
        generator = np.random.default_rng([players, seed, number])
        for step in range(steps if number < 2 else steps // 4):
            if position.is_over:
                break
            if step % every == 0:
                yield position
            position.step(by_block(position, generator))


# What stays, what is no input


@pytest.mark.rule("D8.7", "D8.11", "I2.4", "I4.2")
@pytest.mark.parametrize("polls", POLLS)
@pytest.mark.parametrize("players", PLAYERS)
def test_the_seat_sees_no_difference_and_the_world_is_sound(variant, players, polls):
    count = Counter()
    for number, position in enumerate(positions(variant, players, polls, players, 240, 5)):
        seat = position.actor
        expected, before = views(position, seat), position.to_bytes()
        world = position.determinize(seat, number)
        assert position.to_bytes() == before
        seen = views(world, seat)
        assert {k for k in seen if seen[k] != expected[k]} == set(), (seat, position.to_dict())
        assert (world.actor, world.decision, world.num_events) == (seat, position.decision, position.num_events)
        if number % 8:
            position.game.spec.check(world.states, 0)
        else:
            CHECKS[variant.name](world)
        assert position.game.from_dict(json.loads(json.dumps(world.to_dict()))) == world
        assert position.game.from_bytes(world.to_bytes()) == world
        assert world.determinize(seat, 1) == position.determinize(seat, 1)
        count[position.decision] += 1
        count["others see it"] += any(world.key(s) != position.key(s) for s in range(players) if s != seat)
    assert len(count) > 8 and count["others see it"] > 0.9 * (count.total() - count["others see it"]), count


@pytest.mark.rule("D8.11", "I4.2")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_hidden_state_is_no_input(variant, players):
    """Two worlds of one information set and one seed: the same bytes, what others are certain of included."""
    source = random.Random(players)
    met = 0
    for polls in POLLS:
        for number, position in enumerate(positions(variant, players, polls, 10 + players, 200, 6)):
            seat = position.actor
            expected = position.determinize(seat, number).to_bytes()
            for world in worlds(position, seat, source, 2):
                assert world.determinize(seat, number).to_bytes() == expected, (seat, position.to_dict())
                met += 1
    assert met > 60, met


def test_a_seed_is_a_world_and_every_shuffle_differs(variant):
    """Seeds differ in what they deal, and in every deck that is made anew later."""
    position = played(variant, 60)
    worlds_of = [position.determinize(position.actor, seed) for seed in range(6)]
    assert worlds_of[3] == position.determinize(position.actor, 3)
    for key in variant.decks:
        assert len({tuple(world.to_dict()[key]) for world in worlds_of}) == 6
    # The same position before its deck runs out, whatever is hidden in it.
    data = worlds_of[0].to_dict()
    data["discard"] = Counter(data["discard"]) + Counter(data["deck"][2:])
    data["deck"] = data["deck"][:2]
    short = position.game.from_dict(data)
    decks = [[] for _ in range(6)]
    for seed, shuffled in enumerate(decks):
        world, generator = short.determinize(short.actor, seed), np.random.default_rng(0)
        while len(shuffled) < 3 and not world.is_over:
            number = world.num_events
            world.step(by_block(world, generator))
            if any(event.kind == "shuffle" for event in world.events_since(number)):
                shuffled.append((tuple(world.to_dict()["rng"]), tuple(world.to_dict()["deck"])))
    # How often there is a shuffle depends on what is drawn.
    assert all(decks) and sum(map(len, decks)) > 8
    for of_one_shuffle in itertools.zip_longest(*decks):
        made = [deck for deck in of_one_shuffle if deck]
        assert len(set(made)) == len(made)


def test_play_goes_on_from_every_world(variant):
    for players in PLAYERS:
        generator = np.random.default_rng(players)
        for number, position in enumerate(positions(variant, players, "holders", 30, 120, 24)):
            world = position.determinize(position.actor, number)
            steps = 0
            while not world.is_over:
                world.step(world.sample(generator))
                steps += 1
                if steps % 8 == 0:
                    world.game.spec.check(world.states, 0)
            world.game.spec.check(world.states, 0)


# What others know, what was before


def test_others_know_of_the_own_hand_what_they_knew_and_nothing_of_third_hands(variant):
    own = third = 0
    keys = ("certain", "certain_treasures") if variant.name == "isla_dorada" else ("certain",)
    for position in positions(variant, 4, "holders", 50, 300, 3):
        seat = position.actor
        observer = f"player_{seat}"
        before, after = position.to_dict(), position.determinize(seat, 0).to_dict()
        for key in keys:
            sort = {name: {of: sorted(cards) for of, cards in known.items()} for name, known in before[key].items()}
            now = {name: {of: sorted(cards) for of, cards in known.items()} for name, known in after[key].items()}
            assert now.get(observer) == sort.get(observer)
            for name in set(sort) - {observer}:
                assert now.get(name, {}).get(observer) == sort[name].get(observer)
                assert set(now.get(name, {})) <= {observer}
                own += observer in sort[name]
                third += len(set(sort[name]) - {observer})
    assert own > 10 and third > 10, (own, third)


def test_events_unseen_are_hidden_from_everybody_older_ones_too(variant):
    position = played(variant, 200, num_players=3, **variant.limit(variant.endless))
    seat = position.actor
    world = position.determinize(seat, 1)
    world.step(world.legal_actions()[0])
    total = position.num_events
    assert total > 100 and world.history[:-1] == position.history
    for viewer in (None, *range(3)):
        for event, shown, own in zip(
            position.events_since(0, viewer),
            world.events_since(0, viewer),
            position.events_since(0, seat),
            strict=False,
        ):
            assert shown == (own if own.a == -2 else event)
    again = world.clone(seed=3)
    assert again.events_since(0) == world.events_since(0)
    assert any(event.a == -2 for event in again.events_since(0)[:50])
    assert "hidden" in json.dumps(again.to_dict()["events"]) or all(e.a != -2 for e in again.events_since(total - 50))
    assert str(again)


# What is refused


@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, "1", True, None])
def test_bad_seeds_are_refused(game, seed):
    position = played(game, 5)
    with pytest.raises(OptionError, match="seed=.*; allowed"):
        position.determinize(position.actor, seed)


def test_seats_that_do_not_decide_are_refused(game):
    position = played(game, 5)
    for seat in ((position.actor + 1) % 4, -1, 9, 1.5, "0", None, True):
        with pytest.raises(OptionError, match=f"seat={seat!r}; allowed: {position.actor}, the seat that decides"):
            position.determinize(seat, 1)
    assert position.determinize(np.int64(position.actor), np.int64(1)) == position.determinize(position.actor, 1)


def test_a_game_that_is_over_is_refused(game):
    position = played(game)
    with pytest.raises(GameOverError, match=r"determinize\(seat=0, seed=1\): the game is over"):
        position.determinize(0, 1)


# The law: on a few hidden cards, every deal that agrees with what the seat knows is as likely

SAMPLES = 600
SEEDS = 20


def deals(slots, cards, allowed=lambda deal: True, free=()):
    """Every deal of different cards to slots, with its probability: a deal is the sorted cards of each slot.

    ``slots`` are sizes; slots in ``free`` keep their order. Cards of one kind are still different ones.
    """
    found = Counter()
    for order in itertools.permutations(cards):
        start, deal = 0, []
        for number, size in enumerate(slots):
            part = order[start : start + size]
            deal.append(tuple(part if number in free else sorted(part)))
            start += size
        if allowed(deal):
            found[tuple(deal)] += 1
    total = found.total()
    return {deal: number / total for deal, number in found.items()}


def check_law(position, read, expected):
    """Twenty chi-square tests of ``SAMPLES`` worlds each; ``read(world)`` is its deal."""
    deals_in_order = sorted(expected)
    index = {deal: k for k, deal in enumerate(deals_in_order)}
    wanted = np.array([expected[deal] for deal in deals_in_order]) * SAMPLES
    assert wanted.min() > 4, "too few samples"
    chances = []
    for seed in range(SEEDS):
        counts = np.zeros(len(index))
        for k in range(SAMPLES):
            counts[index[read(position.determinize(position.actor, 100_000 * seed + k).to_dict())]] += 1
        chances.append(stats.chisquare(counts, wanted).pvalue)
    assert min(chances) > 1e-4 and stats.kstest(chances, "uniform").pvalue > 1e-4, chances


def rest(game, key, hands):
    """What no hand holds of a box, as counts by name."""
    data = game.new(0).to_dict()
    box = Counter(card for hand in data["hands"].values() for card in hand) + Counter(data[key])
    return dict(box - Counter(card for hand in hands for card in hand))


DRACHENINSEL_HANDS = {
    "player_0": ["water", "sweet-slumber"],
    "player_1": ["sweet-slumber", "forest"],
    "player_2": ["field", "field"],
}


@pytest.mark.rule("D8.11")
@pytest.mark.parametrize("stack", [[], [{"decision": "slumber", "player": "player_0"}]])
@pytest.mark.parametrize("polls", POLLS)
def test_dracheninsel_deals_evenly_and_a_poll_tells_nothing(stack, polls):
    """Player 1 holds a forest for certain; he has one more card, player 2 two, and two are in the deck."""
    game = dracheninsel_v0.Game(num_players=3, polls=polls)
    deck = ["sweet-slumber", "field"]
    active = "player_2" if stack else "player_0"
    position = game.from_dict(
        {
            "hands": DRACHENINSEL_HANDS,
            "deck": deck,
            "discard": rest(game, "deck", [*DRACHENINSEL_HANDS.values(), deck]),
            "certain": {"player_0": {"player_1": ["forest"]}},
            "turn": {"active": active, "acts": 1, "stage": "act over"} if stack else {"active": active},
            "stack": stack,
        }
    )
    assert position.actor == 0

    def read(data):
        one = sorted(data["hands"]["player_1"])
        one.remove("forest")
        return tuple(one), tuple(sorted(data["hands"]["player_2"])), tuple(data["deck"])

    check_law(
        position, read, deals((1, 2, 2), ["sweet-slumber", "sweet-slumber", "field", "field", "field"], free=(2,))
    )


def test_dracheninsel_stolen_cards_are_any_of_the_thief():
    """Player 2 has robbed player 1, unseen by player 0, who may put him to sleep: which card goes back is open."""
    game = dracheninsel_v0.Game(num_players=3)
    hands = {"player_0": ["sweet-slumber"], "player_1": ["mountain"], "player_2": ["water", "forest", "field"]}
    position = game.from_dict(
        {
            "hands": hands,
            "deck": [],
            "discard": rest(game, "deck", hands.values()),
            "turn": {"active": "player_2", "acts": 1, "stage": "act over"},
            "stack": [{"decision": "slumber", "player": "player_0"}],
            "certain": {"player_0": {"player_2": ["field"]}, "player_1": {"player_2": ["forest"]}},
            "undo": {"stolen": [{"card": "forest", "from": "player_1"}]},
        }
    )
    hidden = ["water", "forest", "mountain"]
    expected = {}
    for pair in itertools.permutations(hidden, 2):
        expected[tuple(sorted(pair)), pair[0]] = 1 / 6

    def read(data):
        held = sorted(set(data["hands"]["player_2"]) - {"field"})
        (entry,) = data["undo"]["stolen"]
        assert entry["from"] == "player_1"
        return tuple(held), entry["card"]

    check_law(position, read, expected)
    for seed in range(50):
        world = position.determinize(0, seed)
        (entry,) = world.to_dict()["undo"]["stolen"]
        world.step(next(name for name in world.legal_names() if name != "let be"))
        assert entry["card"] in world.to_dict()["hands"]["player_1"]
        world.game.spec.check(world.states, 0)
    # The robbed player saw the card.
    data = position.to_dict()
    data["hands"]["player_1"], data["hands"]["player_0"] = ["sweet-slumber"], ["mountain"]
    data["stack"][0]["player"] = "player_1"
    robbed = game.from_dict(data)
    for seed in range(50):
        assert robbed.determinize(1, seed).to_dict()["undo"]["stolen"] == [{"card": "forest", "from": "player_1"}]


@pytest.mark.rule("I5.3", "I6.1", "I6.2", "I10.2")
def test_isla_dorada_deals_evenly_what_can_pay_the_bid():
    """Player 1 has bid one for a jungle way and has no gold: a gonogo, or a shaman with another animal."""
    game = isla_dorada_v0.Game(num_players=3)
    hands = {"player_0": ["kamel"], "player_1": ["gonogo", "kamel"], "player_2": ["shaman"]}
    deck = ["macaque", "yak"]
    box = Counter(dict(zip(CARDS, map(int, CARD_COPIES), strict=True)))
    elsewhere = Counter([*deck, *(card for hand in hands.values() for card in hand)]) + Counter({"yak": 4})
    place = next(PLACES[k] for k in range(NUM_PLACES) if int(DESTINATIONS[BASE, Way.JUNGLE]) >> k & 1)
    position = game.from_dict(
        {
            "hands": hands,
            "deck": deck,
            "display": ["yak"] * 4,
            "discard": dict(box - elsewhere),
            "gold": {"player_1": 0},
            "bids": {"player_1": {"place": place, "way": "jungle", "amount": 1}},
            "round": {"leader": "player_1", "stage": "bidding"},
            "stack": [{"decision": "bid", "player": "player_0"}],
        }
    )

    def allowed(deal):
        one, two, _ = deal
        others = [card for card in one if card in ("kamel", "yak")]
        return "macaque" not in one + two and ("gonogo" in one or ("shaman" in one and bool(others)))

    def read(data):
        return (
            tuple(sorted(data["hands"]["player_1"])),
            tuple(data["hands"]["player_2"]),
            tuple(data["deck"]),
        )

    hidden = ["gonogo", "kamel", "shaman", "macaque", "yak"]
    check_law(position, read, deals((2, 1, 2), hidden, allowed, free=(2,)))


@pytest.mark.rule("I8.1", "I8.2", "I3.2")
def test_isla_dorada_deals_treasures_curses_and_destinies_evenly():
    """One place has a marker: nobody holds its starred treasure, nor its curse who has got no second one."""
    game = isla_dorada_v0.Game(num_players=3)
    starred = [name for name in TREASURE_NAMES if name.endswith("starred")]
    visited = CAMPS[0]
    assert starred[0] == f"{visited} starred"
    box = game.new(0).to_dict()
    curses = [place for place in CAMPS if place != visited]
    destinies = sorted({*box["destiny_deck"], *(name for both in box["destinies"].values() for name in both)})
    position = game.from_dict(
        {
            "markers": {visited: 1},
            "treasures": {"player_1": [starred[1]], "player_2": [starred[2]]},
            "laid": {"player_0": starred[5:]},
            "starred_rejected": {"player_1": starred[0], "player_2": starred[3]},
            "curses": {"player_1": curses[:1], "player_2": [*curses[1:2], visited]},
            "curses_laid": {"player_0": curses[3:]},
            "curse_deck": curses[2:3],
            "destinies": {f"player_{seat}": [destinies[seat]] for seat in range(3)},
            "destiny_deck": destinies[3:],
            "put_under_destinies": [{"place": 0, "players": ["player_0"]}],
        }
    )
    assert position.actor == 0

    def read_treasures(data):
        held = [data["treasures"][name] for name in ("player_1", "player_2")]
        rejected = [[data["starred_rejected"][name]] for name in ("player_1", "player_2")]
        return (*map(tuple, held + rejected),)

    def no_visited(deal):
        return starred[0] not in deal[0] + deal[1]

    expected = Counter()
    for deal, chance in deals((1, 1, 1, 1, 1), starred[:5], no_visited).items():
        expected[deal[:4]] += chance
    check_law(position, read_treasures, expected)

    def read_curses(data):
        held = [tuple(sorted(data["curses"][name])) for name in ("player_1", "player_2")]
        return (*held, tuple(data["curse_deck"]))

    hidden = [*curses[:3], visited]
    check_law(position, read_curses, deals((1, 2, 1), hidden, lambda deal: visited not in deal[0]))

    unknown = [*destinies[1:3], *destinies[3:-1]]
    assert position.to_dict()["destiny_deck"][-1] == destinies[-1]
    chance = {(name,): 1 / len(unknown) for name in unknown}
    check_law(position, lambda data: tuple(data["destinies"]["player_1"]), chance)
    check_law(position, lambda data: (data["destiny_deck"][7],), chance)
