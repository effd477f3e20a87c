"""Section 9 of the decisions protocol: which events are written, in which order, and who sees the cards.

The mutants run these too, so each test takes no fixture.
"""

from typing import Any

import pytest

from dracheninsel_env.board import SPACE_NAMES
from dracheninsel_env.components import CARD_NAMES, COINS
from dracheninsel_env.dracheninsel_v0 import Game
from dracheninsel_env.vocab import HUNTERS, TASKS, TERRAINS
from island_core.position import Position

CLOCKWISE = ("red", "yellow", "green", "grey", "brown", "blue")
CARD_KINDS = ("draw", "pay", "task", "discard", "rob", "give back", "take back")


def word(kind: str, part: str, value: int, a: int) -> Any:
    """An event's number as a word."""
    if value < 0:
        return value
    if part == "a":
        if kind in CARD_KINDS:
            return CARD_NAMES[value]
        if kind in ("removed", "laid", "share", "coins"):
            return int(COINS[value])
        if kind in ("swap", "dragon"):
            return SPACE_NAMES[value]
        if kind == "declare":
            return TASKS[value]
        return value if kind == "end" else HUNTERS[value]
    if kind == "task":
        return TASKS[value]
    if kind in ("step", "land", "swap", "dragon"):
        return SPACE_NAMES[value]
    if kind == "announce":
        return TERRAINS[value]
    if kind == "pair" or (kind == "declare" and TASKS[a] == "fear-and-terror"):
        return HUNTERS[value]
    return value


def told(position: Position, names: list[str], seat: int | None = None) -> list[tuple[Any, ...]]:
    """Play by names; the events of it as (kind, seat, a, b) in words, -1 unused, -2 hidden, draws left out."""
    before = position.num_events
    for name in names:
        position.step(name)
    found = []
    for event in position.events_since(before, seat):
        if event.kind != "draw":
            a = event.a if event.a == -2 else word(event.kind, "a", event.a, event.a)
            found.append((event.kind, event.seat, a, word(event.kind, "b", event.b, event.a)))
    return found


def start(**data: Any) -> Position:
    """Four players: yellow is player_0, green player_1, brown player_2, blue player_3; yellow is active."""
    return Game(num_players=4).from_dict(data)


@pytest.mark.rule("D3.1")
def test_a_new_game_deals_then_lays_then_begins() -> None:
    position = Game(num_players=4).new(3)
    events = position.events_since(0)
    assert [e.kind for e in events] == ["draw"] * 24 + ["laid", "turn"]
    assert [e.seat for e in events[:24]] == [seat for seat in range(4) for _ in range(6)]
    assert (events[24].a, events[25].seat) == (0, position.actor)
    hidden = position.events_since(0, 1)
    assert [e.a == -2 for e in hidden[:24]] == [e.seat != 1 for e in hidden[:24]]


@pytest.mark.rule("D5.2", "D4.3", "D8.4")
def test_step_flight_and_payment() -> None:
    position = start(
        hunters={"yellow": "c3"}, hands={"player_0": ["daring-flight", "mountain", "desert"], "player_1": ["water"]}
    )
    target = next(n for n in position.legal_names() if n.startswith("step") and n.endswith("desert"))
    space = target.split()[1]
    assert told(position, [target]) == [("pay", 0, "desert", -1), ("step", 0, "yellow", space)]
    position.step("play daring-flight")
    landing = next(n for n in position.legal_names() if n.endswith("mountain"))
    events = told(position, [landing])
    assert events[:2] == [("pay", 0, "mountain", -1), ("land", 0, "yellow", landing.split()[1])]


@pytest.mark.rule("D6.2", "D6.3", "D6.4")
def test_pair_and_exit() -> None:
    position = start(
        hunters={"yellow": "d5", "green": "e5"}, hands={"player_0": ["mountain", "water"], "player_1": ["water"]}
    )
    assert told(position, ["step e5 free"]) == [("step", 0, "yellow", "e5"), ("pair", 0, "yellow", "green")]
    exit_ = next(n for n in position.legal_names() if n.endswith("mountain"))
    assert told(position, [exit_]) == [
        ("pay", 0, "mountain", -1), ("step", 0, "yellow", exit_.split()[1]), ("laid", -1, 125, -1),
    ]  # fmt: skip


@pytest.mark.rule("D6.2", "D4.6")
def test_the_acting_seat_stands_in_the_event_of_a_pair() -> None:
    """Brown is player_2's and joins green, player_1's."""
    position = start(
        turn={"active": "player_2"}, hunters={"brown": "d6", "green": "d5"}, treasures={"100": "d5", "125": "e5"},
        hands={"player_2": ["desert", "water"], "player_1": ["water"]},
    )  # fmt: skip
    assert told(position, ["step d5 desert"])[1:] == [("step", 2, "brown", "d5"), ("pair", 2, "brown", "green")]


@pytest.mark.rule("D7.4")
def test_every_two_carriers_can_be_ambushed() -> None:
    """Six players: whichever two stand on a space, a third hunter who comes chooses one of them."""
    for ambusher in HUNTERS:
        others = [hunter for hunter in HUNTERS if hunter != ambusher]
        for first in others:
            for second in others[others.index(first) + 1 :]:
                position = Game(num_players=6).from_dict(
                    {
                        "turn": {"active": f"player_{CLOCKWISE.index(ambusher)}"},
                        "seats": {f"player_{k}": [hunter] for k, hunter in enumerate(CLOCKWISE)},
                        "hunters": {ambusher: "d6", first: "d5", second: "d5"},
                        "treasures": {"100": "d5", "125": "e5"},
                        "hands": {f"player_{CLOCKWISE.index(ambusher)}": ["desert", "water"]},
                    }
                )
                position.step(next(name for name in position.legal_names() if name.startswith("step d5")))
                assert position.decision == "ambush"
                assert set(position.legal_names()) == {f"send home {first}", f"send home {second}"}


@pytest.mark.rule("D7.4", "D6.6")
def test_ambush_and_joining() -> None:
    position = start(
        hunters={"yellow": "d6", "green": "d5", "brown": "d5"}, treasures={"100": "d5", "125": "e5"},
        hands={"player_0": ["desert", "water"], "player_1": ["water"]},
    )  # fmt: skip
    assert told(position, ["step d5 free", "send home brown"]) == [
        ("step", 0, "yellow", "d5"), ("home", 0, "brown", -1), ("pair", 0, "yellow", "green"),
    ]  # fmt: skip
    position = start(
        hunters={"yellow": "d6", "green": "d5"}, treasures={"100": "d5", "125": "e5"},
        hands={"player_0": ["desert", "water"], "player_1": ["water"]},
    )  # fmt: skip
    assert told(position, ["step d5 free"]) == [("step", 0, "yellow", "d5"), ("pair", 0, "yellow", "green")]


@pytest.mark.rule("D6.2", "D6.7")
def test_a_pair_that_moves_removes_nothing() -> None:
    """Whoever the two are."""
    for mover in HUNTERS:
        for partner in HUNTERS:
            if mover != partner:
                seat = CLOCKWISE.index(mover)
                position = Game(num_players=6).from_dict(
                    {
                        "turn": {"active": f"player_{seat}", "freed": ["volcano"]},
                        "seats": {f"player_{k}": [hunter] for k, hunter in enumerate(CLOCKWISE)},
                        "hunters": {mover: "d5", partner: "d5"}, "treasures": {"100": "d5", "125": "e5"},
                        "hands": {f"player_{seat}": ["evil-curse"]},
                    }
                )  # fmt: skip
                assert told(position, ["step d4 free"]) == [("step", seat, mover, "d4")]
                assert position.to_dict()["hunters"][partner] == "d4"


@pytest.mark.rule("D6.7", "D10.1")
def test_abandoning_the_last_treasure() -> None:
    treasures = {str(int(value)): "removed" for value in COINS} | {"300": "d6"}
    position = start(hunters={"yellow": "d6"}, treasures=treasures, hands={"player_0": ["water"]})
    assert told(position, ["step d5 free"]) == [
        ("removed", -1, 300, -1), ("step", 0, "yellow", "d5"), ("end", -1, 0, -1),
    ]  # fmt: skip


@pytest.mark.rule("D4.7")
def test_truncation_is_an_end_of_its_own_kind() -> None:
    position = Game(num_players=4, max_turns=1).new(0)
    assert told(position, ["stop"]) == [("end", -1, 1, -1)]


@pytest.mark.rule("D6.8")
def test_delivery_shared_and_betrayed() -> None:
    board = {"hunters": {"yellow": "i5", "green": "i5"}, "treasures": {"100": "removed", "125": "i5", "150": "e5"}}
    position = start(**board, hands={"player_0": ["water"], "player_1": ["water"]})
    assert told(position, ["step boat-yellow free"]) == [
        ("step", 0, "yellow", "boat-yellow"), ("share", 0, 125, -1), ("coins", 0, 125, 1), ("coins", 1, 125, 1),
        ("turn", 1, -1, -1),
    ]  # fmt: skip
    position = start(**board, hands={"player_0": ["betrayal", "water"], "player_1": ["betrayal", "water"]})
    assert told(position, ["step boat-yellow free", "betray", "betray"]) == [
        ("step", 0, "yellow", "boat-yellow"), ("task", 0, "betrayal", "betrayal"), ("task", 1, "betrayal", "betrayal"),
        ("coins", 1, 125, 2), ("turn", 1, -1, -1),
    ]  # fmt: skip


@pytest.mark.rule("D8.1", "D8.2", "D8.5")
def test_board_tasks() -> None:
    position = start(
        hands={"player_0": ["destroying-forces", "dragon-patrol", "long-journey", "water"], "player_1": ["water"]}
    )
    assert told(position, ["play destroying-forces", "choose d4", "choose d3"]) == [
        ("task", 0, "destroying-forces", "destroying-forces"), ("swap", 0, "d4", "d3"),
    ]  # fmt: skip
    assert told(position, ["play dragon-patrol", "choose c3"]) == [
        ("task", 0, "dragon-patrol", "dragon-patrol"), ("dragon", 0, -1, "c3"),
    ]  # fmt: skip
    assert told(position, ["play long-journey", "with water"])[:3] == [
        ("task", 0, "long-journey", "long-journey"), ("pay", 0, "water", -1), ("announce", 0, -1, "water"),
    ]  # fmt: skip


@pytest.mark.rule("D8.2")
def test_a_dragon_on_the_board_moves_from_its_place() -> None:
    position = start(dragons=["c3", "d3"], hands={"player_0": ["dragon-patrol", "desert"], "player_1": ["water"]})
    assert told(position, ["play dragon-patrol", "choose d3", "choose d4"]) == [
        ("task", 0, "dragon-patrol", "dragon-patrol"), ("dragon", 0, "d3", "d4"),
    ]  # fmt: skip


@pytest.mark.rule("D8.1", "D8.2", "D8.5", "D8.6")
def test_the_acting_seat_stands_in_the_events_of_tasks() -> None:
    """As above, with player_2 (brown) active."""
    hand = ["raging-elements", "dragon-patrol", "long-journey", "fear-and-terror", "water", "field"]
    position = start(
        turn={"active": "player_2"}, hands={"player_2": hand, "player_3": ["water"]}, hunters={"green": "d6"}
    )
    moves = ["play raging-elements", "choose d4", "choose d3", "play dragon-patrol", "choose c3"]
    moves += ["play long-journey", "with water", "play fear-and-terror", "send home green"]
    assert [event[:2] for event in told(position, moves)][:10] == [
        (kind, 2) for kind in ("task", "swap", "task", "dragon", "task", "pay", "announce", "task", "declare", "home")
    ]


@pytest.mark.rule("D8.3", "D8.10")
def test_an_evil_curse_and_its_undoing() -> None:
    hands = {
        "player_0": ["evil-curse", "water", "field"],
        "player_1": ["desert"],
        "player_3": ["sweet-slumber", "forest"],
    }
    position = start(hands=hands)
    events = told(position, ["play evil-curse"])
    stolen = events[4][2]
    assert events == [
        ("task", 0, "evil-curse", "evil-curse"), ("discard", 0, "field", -1), ("discard", 0, "water", -1),
        ("rob", 0, "desert", 1), ("rob", 0, stolen, 3),
    ]  # fmt: skip
    if position.decision == "slumber":
        assert told(position, ["sleep"]) == [
            ("task", 3, "sweet-slumber", "sweet-slumber"), ("undo", 0, -1, -1), ("give back", 0, "desert", 1),
            ("give back", 0, stolen, 3), ("take back", 0, "field", -1), ("take back", 0, "water", -1),
        ]  # fmt: skip
    else:
        assert stolen == "sweet-slumber"


@pytest.mark.rule("D8.3", "D8.7")
def test_only_thief_and_victim_see_a_stolen_card() -> None:
    """After a theft the two of them are certain of the card, in the order clockwise, and nobody else."""
    for thief in (0, 2):
        first, second, last = (f"player_{(thief + distance) % 4}" for distance in (1, 2, 3))
        for task, victim in (("evil-curse", first), ("sneak-attack", second)):
            hands = {f"player_{thief}": [task, "water"], first: ["desert"], second: ["forest"]}
            card, number = hands[victim][0], int(victim[-1])
            seen = {}
            for seat in range(4):
                position = start(turn={"active": f"player_{thief}"}, hands=hands)
                moves = [f"play {task}"] + ([f"rob {victim}"] if task == "sneak-attack" else [])
                seen[seat] = [e for e in told(position, moves, seat) if e[0] == "rob" and e[3] == number]
            for seat in range(4):
                assert seen[seat] == [("rob", thief, card if seat in (thief, number) else -2, number)]
            certain = position.to_dict()["certain"]
            assert certain[victim] == {f"player_{thief}": [card]}
            assert last not in certain


@pytest.mark.rule("D8.7")
def test_a_thief_goes_on_knowing_what_he_knew_of_his_victim() -> None:
    for thief in (0, 2):
        own, victim, other = (f"player_{(thief + distance) % 4}" for distance in (0, 1, 2))
        position = start(
            turn={"active": own}, hands={own: ["sneak-attack", "water"], victim: ["desert", "desert", "desert"]},
            certain={own: {victim: ["desert", "desert"]}, other: {victim: ["desert", "desert"]}},
        )  # fmt: skip
        told(position, ["play sneak-attack", f"rob {victim}"])
        certain = position.to_dict()["certain"]
        assert certain[own] == {victim: ["desert"]} and other not in certain


@pytest.mark.rule("D8.7", "D8.8", "D8.10", "D4.5")
def test_the_acting_seat_stands_in_the_events_of_a_theft_and_its_undoing() -> None:
    hands = {"player_2": ["sneak-attack", "water"], "player_0": ["desert"], "player_3": ["sweet-slumber", "field"]}
    position = start(turn={"active": "player_2"}, hands=hands)
    assert told(position, ["play sneak-attack", "rob player_0", "sleep", "discard water"])[:7] == [
        ("task", 2, "sneak-attack", "sneak-attack"), ("declare", 2, "sneak-attack", 0), ("rob", 2, "desert", 0),
        ("task", 3, "sweet-slumber", "sweet-slumber"), ("undo", 2, -1, -1), ("give back", 2, "desert", 0),
        ("discard", 2, "water", -1),
    ]  # fmt: skip
    assert position.to_dict()["hands"]["player_0"] == ["desert"]
    for seat in range(4):
        (given,) = [e for e in position.events_since(0, seat) if e.kind == "give back"]
        assert (given.a == -2) == (seat not in (0, 2))


@pytest.mark.rule("D6.8", "D8.4")
def test_the_acting_seats_stand_in_the_events_of_a_delivery() -> None:
    """Green, player_1's, is active and comes to the boat of brown, player_2's."""
    board = {
        "turn": {"active": "player_1"}, "hunters": {"green": "a2", "brown": "a2"},
        "treasures": {"100": "removed", "125": "a2", "150": "e5"},
    }  # fmt: skip
    position = start(**board, hands={"player_1": ["water"]})
    assert told(position, ["step boat-brown free"])[:4] == [
        ("step", 1, "green", "boat-brown"), ("share", 2, 125, -1), ("coins", 2, 125, 1), ("coins", 1, 125, 1),
    ]  # fmt: skip
    hands = {"player_1": ["betrayal", "daring-flight"], "player_2": ["betrayal", "field"]}
    position = start(**board, hands=hands)
    assert told(position, ["step boat-brown free", "betray", "let be"])[:3] == [
        ("step", 1, "green", "boat-brown"), ("task", 2, "betrayal", "betrayal"), ("coins", 2, 125, 2),
    ]  # fmt: skip
    board["hunters"] = {"green": "b3", "brown": "b3"}
    board["treasures"] = {"100": "removed", "125": "b3", "150": "e5"}
    position = start(**board, hands=hands)
    assert told(position, ["play daring-flight", "fly boat-brown free", "share"])[:4] == [
        ("task", 1, "daring-flight", "daring-flight"), ("land", 1, "green", "boat-brown"), ("share", 2, 125, -1),
        ("coins", 2, 125, 1),
    ]  # fmt: skip


@pytest.mark.rule("D7.4", "D6.3", "D6.7", "D8.3")
def test_the_acting_seat_stands_in_the_events_of_other_acts() -> None:
    """With player_2 (brown) active: an ambush, an exit, a treasure abandoned, a curse and a hand taken back."""
    position = start(
        turn={"active": "player_2"}, hands={"player_2": ["desert", "water"]}, treasures={"100": "d5", "125": "e5"},
        hunters={"brown": "d6", "green": "d5", "blue": "d5"},
    )  # fmt: skip
    assert told(position, ["step d5 desert", "send home blue"])[:4] == [
        ("pay", 2, "desert", -1), ("step", 2, "brown", "d5"), ("home", 2, "blue", -1), ("pair", 2, "brown", "green"),
    ]  # fmt: skip
    position = start(
        turn={"active": "player_2"}, hands={"player_2": ["daring-flight"]}, hunters={"brown": "d5", "green": "e5"}
    )
    assert told(position, ["step e5 free", "play daring-flight", "fly c4 free"])[:5] == [
        ("step", 2, "brown", "e5"), ("pair", 2, "brown", "green"), ("task", 2, "daring-flight", "daring-flight"),
        ("land", 2, "brown", "c4"), ("laid", -1, 125, -1),
    ]  # fmt: skip
    hands = {"player_2": ["evil-curse", "water"], "player_1": ["sweet-slumber"] * 2}
    position = start(turn={"active": "player_2"}, hands=hands)
    assert told(position, ["play evil-curse", "sleep"])[:7] == [
        ("task", 2, "evil-curse", "evil-curse"), ("discard", 2, "water", -1), ("rob", 2, "sweet-slumber", 1),
        ("task", 1, "sweet-slumber", "sweet-slumber"), ("undo", 2, -1, -1), ("give back", 2, "sweet-slumber", 1),
        ("take back", 2, "water", -1),
    ]  # fmt: skip


@pytest.mark.rule("D8.10")
def test_a_card_given_back_is_seen_by_the_two_and_a_hand_taken_back_by_all() -> None:
    hands = {"player_0": ["evil-curse", "water"], "player_1": ["desert"], "player_3": ["sweet-slumber"] * 2}
    position = start(hands=hands)
    position.step("play evil-curse")
    position.step("sleep")
    certain = position.to_dict()["certain"]
    assert certain["player_0"]["player_1"] == ["desert"]
    assert certain["player_1"] == {"player_0": ["water"]}
    assert certain["player_2"] == {"player_0": ["water"]}
    kinds = [(e.kind, e.a == -2) for e in position.events_since(0, 2) if e.kind in ("give back", "take back")]
    assert kinds == [("give back", True), ("give back", True), ("take back", False)]
    kinds = [(e.kind, e.a == -2) for e in position.events_since(0, 1) if e.kind in ("give back", "take back")]
    assert kinds == [("give back", False), ("give back", True), ("take back", False)]


@pytest.mark.rule("D8.6", "D8.8", "D6.7")
def test_fear_countered_or_on_a_lone_carrier() -> None:
    board = {"hunters": {"green": "d6"}, "treasures": {"100": "removed", "125": "d6", "150": "e5"}}
    position = start(**board, hands={"player_0": ["fear-and-terror", "desert"], "player_1": ["water"]})
    assert told(position, ["play fear-and-terror", "send home green"]) == [
        ("task", 0, "fear-and-terror", "fear-and-terror"), ("declare", 0, "fear-and-terror", "green"),
        ("home", 0, "green", -1), ("removed", -1, 125, -1),
    ]  # fmt: skip
    position = start(**board, hands={"player_0": ["fear-and-terror", "desert"], "player_1": ["counterspell", "water"]})
    assert told(position, ["play fear-and-terror", "send home green", "counter"]) == [
        ("task", 0, "fear-and-terror", "fear-and-terror"), ("declare", 0, "fear-and-terror", "green"),
        ("task", 1, "counterspell", "counterspell"),
    ]  # fmt: skip


@pytest.mark.rule("D4.5")
def test_an_exchange_discards_card_by_card() -> None:
    position = start(hands={"player_0": ["field", "water"], "player_1": ["water"]})
    assert told(position, ["discard water", "done"]) == [("discard", 0, "water", -1), ("turn", 1, -1, -1)]


@pytest.mark.rule("D4.4")
def test_a_reshuffle_comes_before_the_draw_that_needs_it() -> None:
    position = start(
        hands={"player_0": ["water"], "player_1": ["water"]}, deck=["field", "forest"], discard=rest_of_cards()
    )
    before = position.num_events
    position.step("stop")
    kinds = [e.kind for e in position.events_since(before)]
    assert kinds == ["draw", "draw", "shuffle", "draw", "draw", "draw", "turn"]


def rest_of_cards() -> dict[str, int]:
    """All cards but two waters, a field and a forest, on the discard pile."""
    from dracheninsel_env.components import COPIES

    cards = {name: int(n) for name, n in zip(CARD_NAMES, COPIES, strict=True) if name and n}
    cards["water"] -= 2
    cards["field"] -= 1
    cards["forest"] -= 1
    return cards
