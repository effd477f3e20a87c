"""The short form of the comparison of core and oracle, and proof that it notices a rule that is different.

Each block plays many short games, with every number of players, that start where the rare decisions are near, so that
all kinds of decisions come up in each block. The long form is ``python -m tests.dracheninsel.comparison``.
"""

import random
from collections import Counter
from typing import Any

import pytest

from dracheninsel_env import dracheninsel_v0
from dracheninsel_env.board import CELLS, LANDINGS, NEIGHBOUR, SITE, SPACE_NAMES
from dracheninsel_env.components import CARD_NAMES
from dracheninsel_env.decisions import DECISION_NAMES
from dracheninsel_env.vocab import HUNTERS, TASKS, TERRAINS
from island_core.position import Position
from tests.common.comparison import Comparison, DisagreementError, Tally, compare_game, play_both
from tests.common.playing import seen
from tests.dracheninsel.comparison import DracheninselComparison
from tests.dracheninsel.invariants import PLAYERS
from tests.dracheninsel.oracle import Before, Oracle

DECISIONS = 3_500
"""Of a block."""
LIMIT = 60
"""Of a game; one of sixteen is played on to ``LONG``."""
LONG = 400
BLOCKS = 8


class ShortComparison(DracheninselComparison):
    """Every second game starts with treasures under way next to boats, or with a hunter who waits on the site."""

    oracle: type[Oracle] = Oracle

    def start(self, seed: int) -> tuple[Position, Oracle, dict[str, Any]]:
        position, _, settings = super().start(seed)
        start = seed // 4 % 4  # not in step with the policy, seed % 3
        if start % 2:
            draw = random.Random(seed)
            game = position.game
            assert isinstance(game, dracheninsel_v0.Game)
            make = near_delivery if start == 1 else waiting
            position = game.from_dict(make(game.new(seed).to_dict(), draw))
            settings["late"] = make.__name__
        return position, self.oracle.from_dict(position.to_dict()), settings


def waiting(data: dict[str, Any], draw: random.Random) -> dict[str, Any]:
    """The set-up with another player's hunter waiting on the site, the active player's beside it, others around."""
    around = ["d4", "d5", "e4", "e6", "f4", "f5"]
    draw.shuffle(around)
    active = data["turn"]["active"]
    others = [hunter for player, own in data["seats"].items() if player != active for hunter in own]
    hunters = {draw.choice(others): "e5"}
    for hunter in data["seats"][active]:
        hunters[hunter] = around.pop()
    kept = {key: data[key] for key in ("options", "seats", "discs", "hands", "deck", "rng")}
    return {**kept, "hunters": hunters, "turn": {"active": active}}


def near_delivery(data: dict[str, Any], draw: random.Random) -> dict[str, Any]:
    """A pair with a treasure next to a boat of its own, all others around it, and all betrayals in hands."""
    deck, hands = data["deck"], data["hands"]
    for number in [n for n, card in enumerate(deck) if "betrayal" in card]:
        hand = hands[draw.choice(sorted(hands))]
        place = draw.randrange(len(hand))
        deck[number], hand[place] = hand[place], deck[number]
    first, second, *others = draw.sample(sorted(data["hunters"]), len(data["hunters"]))
    landing = int(draw.choice(LANDINGS[HUNTERS.index(first)]))
    around = [SPACE_NAMES[cell] for cell in NEIGHBOUR[landing] if 0 <= cell < CELLS and cell != SITE]
    hunters = {first: SPACE_NAMES[landing], second: SPACE_NAMES[landing], **dict(zip(others, around, strict=False))}
    begins = draw.choice(others[: len(around)])
    active = next(player for player, own in data["seats"].items() if begins in own)
    joker = TERRAINS[HUNTERS.index(begins)]
    if joker in deck:  # he can pay for an ambush, and has few other things to do
        deck.remove(joker)
        deck += hands[active]
        hands[active] = [joker]
    kept = {key: data[key] for key in ("options", "seats", "discs", "hands", "deck", "rng")}
    treasures = {"100": SPACE_NAMES[landing], "125": "e5"}
    return {**kept, "hunters": hunters, "treasures": treasures, "turn": {"active": active}}


def play_block(comparison: Comparison, block: int, decisions: int) -> Tally:
    """Compare games of 3 to 6 players in turn until so many decisions are reached."""
    tally = Tally()
    seed = 100_000 * block
    while tally.decisions < decisions:
        compare_game(comparison, seed, LONG if tally.games % 16 == 15 else LIMIT, tally)
        seed += 1
    return tally


@pytest.mark.parametrize("block", range(BLOCKS))
def test_core_and_oracle_agree(block: int) -> None:
    tally = play_block(ShortComparison(), block, DECISIONS)
    assert tally.decisions >= DECISIONS
    assert set(DECISION_NAMES) - {""} - {kind.split(" ", 1)[1] for kind in tally.kinds} == set()
    wanted = {f"late={late}" for late in ("no", "some gone", "last under way", "near_delivery", "waiting")}
    wanted |= {f"num_players={players}" for players in PLAYERS}
    wanted |= {"polls=all", "polls=holders", "layout=random", "layout=standard", "rare", "acting", "random"}
    wanted |= {"slumber_on_arrival=True", "slumber_on_arrival=False"}
    assert wanted - set(tally.settings) == set()


class PaysForOwnTerrain(Oracle):
    """A wrong D5.1: of the own terrain nothing is free."""

    def price(self, hunter: str, space: str, hand: list[str]) -> list[str]:
        return [price for price in super().price(hunter, space, hand) if price != "free" or space not in self.discs]


class LeavesForeignersAlone(Oracle):
    """A wrong D6.7: other players' hunters are noted too."""

    def fear(self, hunter: str) -> None:
        partner = self.partner(hunter)
        super().fear(hunter)
        if partner is not None and self.outcome == "running" and not self.stack:
            self.left_alone.add(partner)


class KeepsTheStolen(Oracle):
    """A wrong D8.10: the thief keeps what he stole."""

    def fall_asleep(self) -> None:
        assert self.before is not None
        self.before.stolen = []
        super().fall_asleep()


class ForgetsCertainties(Oracle):
    """Whoever was robbed does not know what the thief holds."""

    def changes_hands(self, giver: int, taker: int, card: str) -> None:
        super().changes_hands(giver, taker, card)
        self.certain[giver][taker] = Counter()


class CounterEndsSlumber(Oracle):
    """A wrong D8.9: after a countered slumber nobody else is asked."""

    def go_on_with_slumber(self) -> None:
        if self.table["counterspell"]:
            frame = self.stack.pop()
            self.poll_slumber(self.num_players, frame.arrival)
        else:
            super().go_on_with_slumber()


class BeginsAnewAtTheExit(Oracle):
    """A wrong D6.3: the exit is an act of its own, with the site before it."""

    def do_step(self, hunter: str, space: str, price: str) -> None:
        if self.stack:
            self.before = self._before()
        super().do_step(hunter, space, price)


class UndoesInTheTurn(Oracle):
    """A wrong reading of the observation: what the last act has done is shown until the turn is over."""

    @property
    def act_to_undo(self) -> Before | None:
        return self.before


@pytest.mark.parametrize(
    ("wrong", "differs"),
    [
        (PaysForOwnTerrain, "legal names"),
        (LeavesForeignersAlone, "left_alone"),
        (KeepsTheStolen, "events of"),
        (ForgetsCertainties, ": known"),
        (CounterEndsSlumber, "actor"),
        (BeginsAnewAtTheExit, ": act_"),
        (UndoesInTheTurn, ": act_"),
    ],
)
def test_a_planted_disagreement_is_found(wrong: type[Oracle], differs: str) -> None:
    comparison = ShortComparison()
    comparison.oracle = wrong
    with pytest.raises(DisagreementError) as found:
        for seed in range(100):
            compare_game(comparison, seed, LIMIT, Tally())
    assert differs in found.value.what
    assert found.value.core != found.value.oracle
    assert {"seed", "policy", "num_players", "moves"} <= found.value.reproduce.keys()
    assert "reproduce: {" in str(found.value)


def test_an_error_of_the_oracle_is_a_disagreement() -> None:
    class Breaks(Oracle):
        def do_step(self, hunter: str, space: str, price: str) -> None:
            raise RuntimeError("a step too far")

    comparison = ShortComparison()
    comparison.oracle = Breaks
    with pytest.raises(DisagreementError, match="RuntimeError: a step too far"):
        compare_game(comparison, 4, LIMIT, Tally())


# What was settled: disagreements.md


def both(names: list[str], players: int = 4, **data: Any) -> Position:
    """Play by names on core and oracle; the position reached."""
    position = dracheninsel_v0.Game(num_players=players).from_dict(data)
    return play_both(DracheninselComparison(), position, Oracle.from_dict(position.to_dict()), names)


@pytest.mark.rule("D8.10", "D9.2")
def test_settled_act_origin_is_about_places() -> None:
    hands = {"player_0": ["fear-and-terror", "desert"], "player_1": ["sweet-slumber"]}
    start = {"hands": hands, "hunters": {"yellow": "d6"}}
    stepped = both(["step d5 free"], **start)
    assert stepped.decision == "slumber"
    assert seen(stepped, 1, "act_origin") == [SPACE_NAMES.index("d6")]
    assert seen(stepped, 1, "act_hunters") == [3 * HUNTERS.index("yellow")]
    assert seen(stepped, 0, "act_origin") == []  # he does not decide
    # Once the window is over nothing undoes the act any more.
    over = both(["step d5 free", "let be"], **start)
    assert over.decision == "turn" and seen(over, 0, "mover") == [HUNTERS.index("yellow")]
    assert seen(over, 0, "act_origin") == [] == seen(over, 0, "act_hunters")
    # Being sent home is no movement, but he stands elsewhere.
    home = both(["step d5 free", "let be", "play fear-and-terror", "send home yellow"], **start)
    assert home.decision == "slumber"
    assert seen(home, 1, "act_origin") == [SPACE_NAMES.index("d5")]
    # Nobody moves in the second act.
    hands["player_0"] = ["long-journey", "field"]
    stays = both(["step d5 free", "let be", "play long-journey", "with field"], **start)
    assert stays.decision == "slumber" and seen(stays, 1, "mover") == [HUNTERS.index("yellow")]
    assert seen(stays, 1, "act_origin") == []


@pytest.mark.rule("D6.3", "D6.4", "D8.10")
def test_settled_an_exit_is_part_of_the_act() -> None:
    start = {
        "hands": {"player_0": ["mountain"], "player_1": ["sweet-slumber"]},
        "hunters": {"yellow": "d5", "green": "e5"},
    }
    yellow, green = 3 * HUNTERS.index("yellow"), 3 * HUNTERS.index("green")
    on_site = both(["step e5 free"], **start)
    assert on_site.decision == "exit" and seen(on_site, 0, "act_origin") == [SPACE_NAMES.index("d5")]
    assert seen(on_site, 0, "act_hunters") == [yellow] and seen(on_site, 0, "act_treasures") == []
    # He came from d5 and green from the site, with the 100; the 125 was laid.
    away = both(["step e5 free", "step d4 mountain"], **start, discs={"d4": "mountain", "c5": "volcano"})
    assert away.decision == "slumber" and seen(away, 1, "act_origin") == [SPACE_NAMES.index("d5")]
    assert seen(away, 1, "act_hunters") == sorted([yellow, green + 1])
    assert seen(away, 1, "act_treasures") == [1, 4 + 3] and seen(away, 1, "act_elsewhere") == []
    # Back where he was: the act has not moved him.
    back = both(["step e5 free", "step d5 free"], **start)
    assert back.decision == "slumber" and seen(back, 1, "act_origin") == []
    assert seen(back, 1, "act_hunters") == [green + 1] and seen(back, 1, "act_treasures") == [1, 4 + 3]


@pytest.mark.rule("D6.3", "D6.7", "D8.10")
def test_settled_a_treasure_left_where_the_mover_is_again() -> None:
    start = {
        "hands": {"player_1": ["sweet-slumber"]},
        "hunters": {"yellow": "d5", "green": "e5"},
        "treasures": {"100": "d5", "125": "e5"},
    }
    # The 100 was removed when yellow left it; then the pair came back to d5 with the 125, and the 150 was laid.
    back = both(["step e5 free", "step d5 free"], **start)
    assert back.decision == "slumber"
    assert seen(back, 1, "act_origin") == [] == seen(back, 1, "act_elsewhere")
    assert seen(back, 1, "act_treasures") == [0, 4 + 1, 8 + 3]


@pytest.mark.rule("D7.4", "D8.6", "D8.10")
def test_settled_who_was_moved_from_elsewhere() -> None:
    start = {
        "hands": {"player_0": ["fear-and-terror"], "player_1": ["sweet-slumber"]},
        "hunters": {"yellow": "d6", "green": "d5", "brown": "d5"},
        "treasures": {"100": "d5"},
    }
    yellow, green = 3 * HUNTERS.index("yellow"), 3 * HUNTERS.index("green")
    ambush = both(["step d5 free", "send home green"], **start)
    assert ambush.decision == "slumber" and seen(ambush, 1, "act_origin") == [SPACE_NAMES.index("d6")]
    assert seen(ambush, 1, "act_elsewhere") == [SPACE_NAMES.index("d5")]
    assert seen(ambush, 1, "act_hunters") == sorted([yellow, green + 2]) and seen(ambush, 1, "act_treasures") == []
    # A lone carrier sent home: the treasure was where he stood.
    start["hunters"] = {"green": "d5"}
    removed = both(["play fear-and-terror", "send home green"], **start)
    assert removed.decision == "slumber" and seen(removed, 1, "act_elsewhere") == [SPACE_NAMES.index("d5")]
    assert seen(removed, 1, "act_hunters") == [green + 2] and seen(removed, 1, "act_treasures") == [2]


@pytest.mark.rule("D8.3", "D8.10")
def test_settled_who_sees_what_was_taken() -> None:
    hands = {
        "player_0": ["evil-curse", "water"],
        "player_1": ["sweet-slumber", "sweet-slumber"],
        "player_2": ["counterspell", "counterspell"],
        "player_3": ["field"],
    }
    cursed = both(["play evil-curse"], hands=hands)
    assert cursed.decision == "slumber" and cursed.actor == 1
    assert seen(cursed, 1, "act_thefts") == [0, 1, 2]  # himself, player_2, player_3
    assert seen(cursed, 1, "act_cards") == [CARD_NAMES.index("sweet-slumber")]
    assert seen(cursed, 1, "act_discarded") == [CARD_NAMES.index("water")]
    assert seen(cursed, 0, "act_thefts") == []
    # The thief sees all that he took, with a counterspell in his hand now.
    asked = both(["play evil-curse", "sleep", "let be"], hands=hands)
    assert asked.decision == "counter" and asked.actor == 0 and seen(asked, 0, "act_thefts") == [1, 2, 3]
    taken = ("sweet-slumber", "counterspell", "field")
    assert seen(asked, 0, "act_cards") == sorted(CARD_NAMES.index(card) for card in taken)


@pytest.mark.rule("D6.8")
def test_settled_carriers_in_a_boat() -> None:
    start = {
        "hands": {"player_1": ["sweet-slumber"]},
        "hunters": {"yellow": "i5", "brown": "i5"},
        "treasures": {"100": "i5"},
    }
    landed = both(["step boat-yellow free"], **start)
    assert landed.decision == "slumber"
    assert seen(landed, 1, "carriers") == [HUNTERS.index("yellow"), HUNTERS.index("brown")]
    assert seen(landed, 1, "act_treasures") == [0] and seen(landed, 1, "act_origin") == [SPACE_NAMES.index("i5")]


@pytest.mark.rule("D6.8")
def test_settled_no_task_is_pending_in_a_betrayal() -> None:
    hands = {"player_0": ["betrayal", "field"], "player_1": ["betrayal"], "player_2": ["counterspell"]}
    start = {"hands": hands, "hunters": {"yellow": "i5", "green": "i5"}, "treasures": {"100": "i5"}}
    asked = both(["step boat-yellow free"], **start)
    assert asked.decision == "betrayal" and asked.actor == 0
    assert seen(asked, 0, "pending_task") == [] and seen(asked, 0, "pending_player") == []
    answered = both(["step boat-yellow free", "betray"], **start)
    assert answered.decision == "betrayal" and answered.actor == 1
    assert seen(answered, 1, "pending_task") == [] and seen(answered, 1, "pending_player") == [3]
    hands["player_0"] = ["fear-and-terror", "field"]
    countered = both(["play fear-and-terror", "send home green"], **start)
    assert countered.decision == "counter"
    assert seen(countered, 2, "pending_task") == [TASKS.index("fear-and-terror")]


@pytest.mark.rule("D8.3", "D8.10")
def test_settled_only_players_are_certain() -> None:
    hands = {"player_0": ["evil-curse", "water"], "player_1": ["sweet-slumber"] * 3}
    position = both(["play evil-curse", "sleep"], players=3, hands=hands)
    assert position.decision == "asleep" and position.to_dict()["hands"]["player_0"] == ["water"]
    assert position.states["knowers"][0, 0].tolist() == [0b110, 0, 0, 0, 0, 0]
