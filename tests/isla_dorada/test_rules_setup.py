"""I3: set-ups over many seeds. The mutants run these too, so each test takes no fixture."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from isla_dorada_env.components import CARD_COPIES, DESTINY_NAMES, TREASURE_COPIES, TREASURE_NAMES
from isla_dorada_env.isla_dorada_v0 import Game
from isla_dorada_env.vocab import CAMPS, CARDS, LIGHTNING_CARDS, PLACES
from island_core import rng
from island_core.position import Position

LIGHTNING = tuple(CARDS[card] for card in LIGHTNING_CARDS)
STARRED = tuple(f"{place} starred" for place in CAMPS)
DESTINIES = tuple(name for name in DESTINY_NAMES if name)
CARDS_IN_ALL = {name: int(n) for name, n in zip(CARDS, CARD_COPIES, strict=True)}
COMMON_IN_ALL = {
    name: int(n) for name, n in zip(TREASURE_NAMES, TREASURE_COPIES, strict=True) if name not in STARRED and n
}


def players_of(players: int) -> list[str]:
    return [f"player_{seat}" for seat in range(players)]


def chosen(players: int, seed: int, last: bool = False, **options: Any) -> Position:
    """A new game after the choices of the set-up: everybody rejects the first card he may, or the last."""
    position = Game(num_players=players, **options).new(seed)
    for _ in range(2 * players):
        position.step(position.legal_actions()[-1 if last else 0])
    return position


def chi_square(counts: Counter[Any], among: int) -> float:
    """Of counts that should be equal over so many values."""
    mean = counts.total() / among
    return sum((n - mean) ** 2 / mean for n in counts.values()) + (among - len(counts)) * mean


@pytest.mark.rule("I3.1", "I3.2", "I2.2", "I2.3", "I2.4")
def test_what_is_dealt_before_the_choices() -> None:
    for players in range(3, 7):
        names = players_of(players)
        position = Game(num_players=players).new(players)
        data = position.to_dict()
        assert data["camp"] == "Base" and data["markers"] == {}
        assert data["monsters"] == {}
        assert data["gold"] == dict.fromkeys(names, 10) and position.scores == [10] * players
        assert data["sea_journeys"] == data["returns"] == data["round"]["number"] == 0
        assert [len(data["treasures"][name]) for name in names] == [3] * players
        starred = [card for name in names for card in data["treasures"][name]]
        assert len(set(starred)) == 3 * players and set(starred) <= set(STARRED)
        assert Counter(data["treasure_deck"]) == COMMON_IN_ALL and len(data["treasure_deck"]) == 54
        assert [len(data["destinies"][name]) for name in names] == [2] * players
        dealt = [card for name in names for card in data["destinies"][name]]
        assert sorted(dealt + data["destiny_deck"]) == sorted(DESTINIES) and len(DESTINIES) == 22
        assert [len(data["curses"][name]) for name in names] == [1] * players
        curses = [card for name in names for card in data["curses"][name]]
        assert sorted(curses + data["curse_deck"]) == sorted(CAMPS)
        assert data["hands"] == {name: [] for name in names}
        assert data["display"] == data["deck"] == [] and data["discard"] == {}


@pytest.mark.rule("I3.2")
def test_seat_by_seat_from_the_leader_a_starred_treasure_then_a_destiny() -> None:
    for players in range(3, 7):
        names = players_of(players)
        for seed in range(4):
            position = Game(num_players=players).new(seed)
            data = position.to_dict()
            leader = names.index(data["round"]["leader"])
            for distance in range(players):
                seat = (leader + distance) % players
                for decision, key in (("starred", "treasures"), ("destiny", "destinies")):
                    assert (position.actor, position.decision) == (seat, decision)
                    cards = data[key][names[seat]]
                    assert sorted(position.legal_names()) == sorted(f"reject {card}" for card in cards)
                    position.step(f"reject {cards[(seed + seat) % len(cards)]}")
            assert (position.actor, position.decision) == (leader, "bid")
            after = position.to_dict()
            rejected = []
            for seat, name in enumerate(names):
                starred = data["treasures"][name]
                out = starred.pop((seed + seat) % 3)
                assert after["treasures"][name] == starred and after["starred_rejected"][name] == out
                two = data["destinies"][name]
                rejected.append(two.pop((seed + seat) % 2))
                assert after["destinies"][name] == two
            assert after["curses"] == data["curses"] and after["gold"] == data["gold"]
            # Under the deck in the order of rejection: the last one is the lowest card.
            order = [rejected[(leader + distance) % players] for distance in range(players)]
            assert after["destiny_deck"] == data["destiny_deck"] + order
            assert after["put_under_destinies"] == [
                {"place": place, "players": [names[(leader + players - 1 - place) % players]]}
                for place in range(players)
            ]
            # Rejected and undealt starred treasures leave the game.
            assert after["treasure_deck"] == data["treasure_deck"] and after["put_under_treasures"] == []
            assert after["laid"] == {name: [] for name in names} and after["curse_deck"] == data["curse_deck"]


@pytest.mark.rule("I3.3", "I2.1", "I2.4")
def test_hands_display_and_deck_after_the_choices() -> None:
    for players in range(3, 7):
        for seed in range(8):
            position = chosen(players, seed, last=seed % 2 == 1)
            data = position.to_dict()
            hands = [data["hands"][name] for name in players_of(players)]
            assert [len(hand) for hand in hands] == [6] * players and len(data["display"]) == 4
            dealt = [card for cards in (*hands, data["display"]) for card in cards]
            assert not set(dealt) & set(LIGHTNING)
            assert Counter(dealt) + Counter(data["deck"]) == CARDS_IN_ALL
            assert len(data["deck"]) == 112 - 6 * players - 4 and data["discard"] == {}
            assert data["certain"] == {} and data["certain_treasures"] == {}
            assert data["round"]["number"] == data["round"]["winning_total"] == 0
            assert data["barred"] == [] and data["bids"] == {} and data["last_route"] is None


@pytest.mark.rule("I3.3")
def test_lightning_cards_are_shuffled_back_into_the_whole_deck() -> None:
    """Four deep quarters of the deck: 24 of 84 cards are lightning cards, wherever one looks."""
    quarters: Counter[int] = Counter()
    for seed in range(30):
        deck = chosen(4, seed).to_dict()["deck"]
        assert len(deck) == 84
        quarters.update(place // 21 for place, card in enumerate(deck) if card in LIGHTNING)
    assert quarters.total() == 30 * 24
    assert chi_square(quarters, 4) < 16.3, quarters  # 3 degrees of freedom: p = 0.001


@pytest.mark.rule("I3.1")
def test_the_leader_is_uniform() -> None:
    for players, most in ((3, 13.8), (4, 16.3), (5, 18.5), (6, 20.5)):  # p = 0.001
        game = Game(num_players=players)
        leaders: Counter[int | None] = Counter(game.new(seed).actor for seed in range(15 * players))
        assert set(leaders) == set(range(players))
        assert chi_square(leaders, players) < most, (players, leaders)


@pytest.mark.rule("I3.2", "I3.3")
def test_the_deal_differs_from_seed_to_seed_and_every_card_moves() -> None:
    dealt = [Game().new(seed).to_dict() for seed in range(40)]
    for key, places in (("treasure_deck", (0, 27, 53)), ("curse_deck", (0, 7, 13)), ("destiny_deck", (0, 7, 13))):
        decks = [tuple(data[key]) for data in dealt]
        assert len(set(decks)) == 40
        for place in places:
            assert len({deck[place] for deck in decks}) >= 10, (key, place)
    decks = [tuple(chosen(4, seed).to_dict()["deck"]) for seed in range(20)]
    assert len(set(decks)) == 20
    for place in (0, 42, 83):
        assert len({deck[place] for deck in decks}) >= 8


@pytest.mark.rule("I3.1", "I3.2", "I3.3")
def test_chance_is_drawn_in_the_order_of_the_protocol() -> None:
    """Section 3, done again from the game's own chance: the leader; then starred treasures, destinies, curses and
    common treasures, each shuffled and dealt seat by seat from the leader; after the choices the adventure cards.
    """
    for players in range(3, 7):
        names = players_of(players)
        for seed in range(3):
            words = np.zeros(4, np.uint64)
            rng.seed_words(words, seed, 2, 1)

            def shuffled(cards: list[str]) -> list[str]:
                order = np.arange(len(cards))
                rng.shuffle(words, order, len(cards))  # noqa: B023
                return [cards[k] for k in order.tolist()]

            leader = rng.below(words, players)
            seats = [names[(leader + distance) % players] for distance in range(players)]
            position = Game(num_players=players).new(seed, 2, 1)
            data = position.to_dict()
            assert data["round"]["leader"] == names[leader]
            starred, destinies, curses = shuffled([*STARRED]), shuffled([*DESTINIES]), shuffled([*CAMPS])
            # A deck's top card is its last.
            for seat in seats:
                assert data["treasures"][seat] == [starred.pop() for _ in range(3)]
            for seat in seats:
                assert data["destinies"][seat] == [destinies.pop() for _ in range(2)]
            for seat in seats:
                assert data["curses"][seat] == [curses.pop()]
            assert data["destiny_deck"] == destinies[::-1] and data["curse_deck"] == curses[::-1]
            common = shuffled([card for card, copies in COMMON_IN_ALL.items() for _ in range(copies)])
            assert data["treasure_deck"] == common[::-1]

            deck = shuffled([card for card, copies in CARDS_IN_ALL.items() for _ in range(copies)])
            hands = {seat: [deck.pop() for _ in range(6)] for seat in seats}
            display = [deck.pop() for _ in range(4)]
            aside: list[str] = []
            places = [cards for cards in (*hands.values(), display) if set(cards) & set(LIGHTNING)]
            while places:
                for cards in places:
                    for place, card in enumerate(cards):
                        if card in LIGHTNING:
                            aside.append(card)
                            cards[place] = deck.pop()
                places = [cards for cards in places if set(cards) & set(LIGHTNING)]
            for _ in range(2 * players):
                position.step(position.legal_actions()[0])
            data = position.to_dict()
            assert data["hands"] == hands and sorted(data["display"]) == sorted(display)
            # How those laid aside are shuffled back is not told.
            assert Counter(data["deck"]) == Counter(deck) + Counter(aside)


@pytest.mark.rule("I3.2", "I3.3")
def test_the_events_of_a_set_up() -> None:
    """Section 7: what is dealt, the rejects of each seat in turn, then hands, display and the first round."""
    for players in (3, 5):
        for seed in range(3):
            position = chosen(players, seed)
            data = position.to_dict()
            leader = players_of(players).index(data["round"]["leader"])
            seats = [(leader + distance) % players for distance in range(players)]
            events = position.events_since(0)
            before, after = 6 * players, 8 * players
            assert [(e.kind, e.seat) for e in events] == [
                *[("treasure", seat) for seat in seats for _ in range(3)],
                *[("destiny", seat) for seat in seats for _ in range(2)],
                *[("curse", seat) for seat in seats],
                *[(kind, seat) for seat in seats for kind in ("reject treasure", "reject destiny")],
                *[("deal", seat) for seat in seats for _ in range(6)],
                *[("refill", -1)] * 4,
                ("round", leader),
            ]
            assert {e.b for e in events} == {-1} and events[-1].a == -1
            for n, seat in enumerate(seats):
                name = f"player_{seat}"
                kept = [TREASURE_NAMES[e.a] for e in events[3 * n : 3 * n + 3]]
                kept.remove(TREASURE_NAMES[events[before + 2 * n].a])
                assert data["treasures"][name] == kept
                two = [DESTINY_NAMES[e.a] for e in events[3 * players + 2 * n : 3 * players + 2 * n + 2]]
                two.remove(DESTINY_NAMES[events[before + 2 * n + 1].a])
                assert data["destinies"][name] == two
                assert data["curses"][name] == [PLACES[events[5 * players + n].a]]
                deal = events[after + 6 * n : after + 6 * n + 6]
                assert data["hands"][name] == [CARDS[e.a] for e in deal]
            # In the order of the card list.
            display = [e.a for e in events[-5:-1]]
            assert display == sorted(display) and [CARDS[card] for card in display] == data["display"]
            for seat in range(players):
                seen = position.events_since(0, seat)
                for event, whole in zip(seen[:-5], events[:-5], strict=True):
                    assert event.a == (whole.a if event.seat == seat else -2), event
                assert seen[-5:] == events[-5:]


OPTION_FIELDS = ("num_players", "polls_all", "cooperative", "max_rounds")


@pytest.mark.rule("I3.1", "I3.2", "I3.3")
def test_nothing_of_an_earlier_game_is_left_in_the_record() -> None:
    """Whatever stood there, a set-up is that of a fresh record, byte for byte, before and after its choices."""
    for players in (3, 4, 6):
        game = Game(num_players=players)
        for junk in (1, 3):
            states = game.new(0).states
            for name in states.dtype.names or ():
                if name not in OPTION_FIELDS:
                    states[name] = junk
            game.spec.rules.reset(states, 0, players, 0, 0)
            fresh = game.new(players)
            for name in states.dtype.names or ():
                assert np.array_equal(states[name], fresh.states[name]), name
            for _ in range(2 * players):
                action = fresh.legal_actions()[0]
                game.spec.rules.step(states, 0, action)
                fresh.step(action)
            assert states.tobytes() == fresh.states.tobytes()


ZERO = (
    "markers", "sea_journeys", "returns", "knowers", "discard", "laid_total", "laid_card", "laid_seat",
    "treasure_knowers",
    "treasure_deck_knowers", "treasure_deck_lot", "bid_amount", "bid_for", "passed", "barred",
    "rounds", "winning_total", "outcome",
)  # fmt: skip
NONE = ("monster_at", "telegram_rejected", "bid_place", "bid_way", "bid_joined", "bid_raised", "last_route")


@pytest.mark.rule("I3.1", "I3.2", "I3.3")
def test_what_a_new_game_does_not_use_is_zero_or_none() -> None:
    for players in (3, 4, 6):
        for position in (Game(num_players=players).new(players), chosen(players, players)):
            record = position.states[0]
            begun = position.decision == "bid"
            for name in ZERO:
                assert not np.any(record[name]), name
            for name in NONE:
                assert np.all(record[name] == -1), name
            each = 2 if begun else 3
            assert record["treasure_start"].tolist() == [each * min(k, players) for k in range(7)]
            assert not np.any(record["treasure_card"][each * players :])
            for deck in ("deck", "treasure_deck", "curse_deck", "destiny_deck"):
                assert not np.any(record[deck][int(record[f"{deck}_size"]) :]), deck
            assert record["treasure_deck_size"] == 54 and record["curse_deck_size"] == 18 - players
            size = int(record["destiny_deck_size"])
            assert size == 22 - (1 if begun else 2) * players
            knowers = record["destiny_deck_knowers"].tolist()
            assert knowers[players if begun else 0 :] == [0] * (22 - players if begun else 22)
            assert record["gold"].tolist() == [10] * players + [0] * (6 - players)
            assert record["hand_size"].tolist() == [6 if begun else 0] * players + [0] * (6 - players)
            assert not np.any(record["hand"][:, 6:]) and not np.any(record["hand"][players:])
            assert not np.any(record["hand_counts"][players:])
            if not begun:
                assert not np.any(record["hand"]) and not np.any(record["hand_counts"])
                assert not np.any(record["table"]) and record["deck_size"] == 0
            assert (record["starred_rejected"] >= 0).tolist() == [begun] * players + [False] * (6 - players)
            assert np.all(record["starred_rejected"][players:] == -1)
            assert np.all(record["destiny"][players:] == -1)
            assert np.all((record["destiny"][:players, 1] == -1) == begun)
            assert sorted(record["curse_at"].tolist()) == [-1] * (19 - players) + list(range(players))
            assert record["depth"] == 2 and record["frame_b"][1] == record["frame_a"][1] == -1
            for name in ("frame_decision", "frame_seat", "frame_a", "frame_b"):
                assert not np.any(record[name][2:]), name
            if record["event_total"] < 64:
                assert not np.any(record["event_log"][int(record["event_total"]) :])
