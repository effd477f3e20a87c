"""The short form of the comparison of core and oracle, and proof that it notices a rule that is different.

Each block plays many games, with every number of players, that start at the set-up, under way, or where the rare
decisions are near, so that all kinds of decisions come up in each block. The long form is
``python -m tests.isla_dorada.comparison``.
"""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from isla_dorada_env import isla_dorada_v0
from island_core.position import Position
from tests.common.comparison import Comparison, DisagreementError, Tally, compare_game, play_both
from tests.common.playing import seen
from tests.isla_dorada import oracle_observation
from tests.isla_dorada.comparison import IslaDoradaComparison
from tests.isla_dorada.oracle import Oracle
from tests.isla_dorada.oracle_box import PLACE_NUMBERS, Purse, adjacent, most, purse
from tests.isla_dorada.oracle_observation import DECISIONS, depths
from tests.isla_dorada.oracle_play import fresh, play_game
from tests.isla_dorada.oracle_table import DeckCard, Frame
from tests.isla_dorada.starts import STARTS

COMPARED = 2_800
"""Decisions of a block."""
LIMIT = 90
"""Of a game; one of sixteen is played on to ``LONG``."""
LONG = 900
BLOCKS = 5
PLAYERS = (3, 4, 5, 6)


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
    tally = play_block(IslaDoradaComparison(), block, COMPARED)
    assert tally.decisions >= COMPARED
    assert set(DECISIONS) - {"round"} - {kind.split(" ", 1)[1] for kind in tally.kinds} == set()
    wanted = {f"start={start}" for start in ("setup", *STARTS)} | {f"num_players={players}" for players in PLAYERS}
    wanted |= {"polls=all", "polls=holders", "rare", "acting", "random"}
    wanted |= {"cooperative_bidding=True", "cooperative_bidding=False"}
    assert wanted - set(tally.settings) == set()


# ---- What the comparison notices -------------------------------------------------------------------------------------


class IgnoresMonsters(Oracle):
    """A wrong I5.2: blocked routes may be named."""

    def open_rides(self, start: str, way: str) -> dict[str, list[str]]:
        monsters, self.monsters = self.monsters, {}
        found = super().open_rides(start, way)
        self.monsters = monsters
        return found


class PaysWithoutShamans(Oracle):
    """A wrong I6.2: the shamans are forgotten where the highest amount is looked for."""

    def highest(self, seat: int, way: str) -> int:
        return most(purse(way, [card for card in self.hands[seat] if card != "shaman"], self.gold[seat], []))


class TurnsBack(Oracle):
    """A wrong I7.3: a sangaia may lead back over the route just used."""

    def onward(self) -> dict[str, list[str]]:
        last, self.last_route = self.last_route, None
        found = super().onward()
        self.last_route = last
        return found


class SkipsBarredBidders(Oracle):
    """A wrong I5.5: the top bid of a barred player does not end the bidding."""

    def next_bidder(self, seat: int) -> int | None:
        found = super().next_bidder(seat)
        if found is None and self.raised and self.raised[-1] in self.barred and seat != self.raised[-1]:
            others = [(seat + offset) % self.num_players for offset in range(1, self.num_players)]
            return next((other for other in others if other not in self.barred), None)
        return found


class LatestTotalWins(Oracle):
    """A wrong I12.3: among equal totals the one that reached it last."""

    def winning_bid(self) -> tuple[str, str]:
        if not self.cooperative:
            return super().winning_bid()
        standing = {(bid.place, bid.way) for bid in self.bids.values()}
        return max(standing, key=lambda bid: (self.total(*bid), max(map(self.raised.index, self.members(*bid)))))


class LaysNoBonus(Oracle):
    """A wrong I8.2: a bonus stays in hand."""

    def lay_with_bonus(self, seat: int, treasure: str) -> None:
        self.lay(seat, treasure)


class ForgetsCertainties(Oracle):
    """Whoever was robbed does not know what the thief holds (I2.4)."""

    def steals(self, known: list[list[Counter[str]]], thief: int, victim: int, card: str) -> None:
        super().steals(known, thief, victim, card)
        known[victim][thief] = Counter()


class KeepsTheGold(Oracle):
    """A wrong I10.1: a bought card costs nothing."""

    def do_buy(self, draw: Any) -> None:
        self.gold[self.seat] += 1
        super().do_buy(draw)


class AsksPandasInOrderOfSeats(Oracle):
    """A wrong I10.3: the lower seat discards first."""

    def settle_pandas(self) -> None:
        self.stack.sort(key=lambda frame: -frame.seat)
        super().settle_pandas()


class CountsTheDestinyEarly(Oracle):
    """A wrong I11.2: the destiny counts while the game runs."""

    def scores(self) -> list[int]:
        outcome, self.outcome = self.outcome, "natural"
        points = super().scores()
        self.outcome = outcome
        return points


class ForgetsEarlierBids(Oracle):
    """A wrong reading of the observation: what a player has bid for is where his last bid goes."""

    def do_say(self, frame: Frame, number: int) -> None:
        self.bid_for.pop(frame.seat, None)
        super().do_say(frame, number)


class PassesForGood(Oracle):
    """A wrong reading of the observation: who has passed in a round has passed, though he bids again (I5.1)."""

    def do_say(self, frame: Frame, number: int) -> None:
        passed = set(self.passed)
        super().do_say(frame, number)
        self.passed |= passed


@pytest.mark.parametrize(
    ("wrong", "differs"),
    [
        (IgnoresMonsters, "legal names"),
        (PaysWithoutShamans, "legal names"),
        (TurnsBack, ("legal names", "events of", "actor")),
        (SkipsBarredBidders, "events of"),
        (LatestTotalWins, "events of"),
        (LaysNoBonus, "events of"),
        (ForgetsCertainties, ": known"),
        (KeepsTheGold, "scores"),
        (AsksPandasInOrderOfSeats, ("events of", "actor")),
        (CountsTheDestinyEarly, "scores"),
        (ForgetsEarlierBids, "bid_for"),
        (PassesForGood, "passed"),
    ],
)
def test_a_planted_disagreement_is_found(wrong: type[Oracle], differs: str | tuple[str, ...]) -> None:
    comparison = IslaDoradaComparison()
    comparison.oracle = wrong
    with pytest.raises(DisagreementError) as found:
        for seed in range(300):
            compare_game(comparison, seed, LIMIT, Tally())
    assert any(what in found.value.what for what in ([differs] if isinstance(differs, str) else differs))
    assert found.value.core != found.value.oracle
    assert {"seed", "policy", "num_players", "moves"} <= found.value.reproduce.keys()
    assert "reproduce: {" in str(found.value)


def test_a_wrong_section_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def place_known(words: Sequence[str], deck: list[DeckCard], observer: int) -> list[int]:
        """A wrong reading of the observation: a player knows where his reject of a telegram lies."""
        return depths(words, [DeckCard(card.name, card.players) for card in deck], observer)

    monkeypatch.setattr(oracle_observation, "depths", place_known)
    with pytest.raises(DisagreementError) as found:
        for seed in range(300):
            compare_game(IslaDoradaComparison(), seed, LONG, Tally())
    assert ": rejected_depth" in found.value.what


def test_an_error_of_the_oracle_is_a_disagreement() -> None:
    class Breaks(Oracle):
        def do_say(self, frame: Frame, number: int) -> None:
            raise RuntimeError("an amount too high")

    comparison = IslaDoradaComparison()
    comparison.oracle = Breaks
    with pytest.raises(DisagreementError, match="RuntimeError: an amount too high"):
        compare_game(comparison, 4, LIMIT, Tally())


def test_a_start_is_the_same_again() -> None:
    comparison = IslaDoradaComparison()
    for seed in range(30):
        position, oracle, settings = comparison.start(seed)
        again, _, same = comparison.start(seed)
        assert position.to_dict() == again.to_dict() and settings == same
        # Back through JSON and both dict forms it is still the same game.
        written = {**oracle.to_dict(), "rng": position.to_dict()["rng"]}
        game = position.game
        assert isinstance(game, isla_dorada_v0.Game)
        assert game.from_dict(written).to_dict() == position.to_dict()


# ---- What the observation page means ---------------------------------------------------------------------------------


def both(names: list[str], **data: Any) -> Position:
    """Play by names on core and oracle; the position reached."""
    position = isla_dorada_v0.Game(num_players=4).from_dict(data)
    return play_both(IslaDoradaComparison(), position, Oracle.from_dict(position.to_dict()), names)


@pytest.mark.rule("I5.1")
def test_settled_who_has_passed() -> None:
    gonogos = ["gonogo"] * 3
    start = {"hands": {"player_0": gonogos, "player_1": gonogos, "player_2": gonogos}}
    names = ["bid Kilitiping jungle", "amount 0", "pass", "bid Qualtops jungle", "amount 1", "pass", "pass"]
    asked = both(names, **start)
    assert asked.decision == "bid" and asked.actor == 1 and seen(asked, 1, "passed") == [0, 2, 3]
    # He has named a bid, but not said how much.
    named = both([*names, "bid Kilitiping jungle"], **start)
    assert named.decision == "amount" and seen(named, 1, "passed") == [0, 2, 3] and seen(named, 1, "bid_for")[0] > 18
    said = both([*names, "bid Kilitiping jungle", "amount 2"], **start)
    assert said.actor == 2 and seen(said, 2, "passed") == [1, 2]
    place = PLACE_NUMBERS["Kilitiping"]
    assert seen(said, 1, "bid_for") == sorted([place, 19 + PLACE_NUMBERS["Qualtops"], 3 * 19 + place])
    # Two bids for two places; the round is over when the next one begins.
    again = both([*names, "bid Kilitiping jungle", "amount 2", "bid Kilitiping jungle", "amount 3"], **start)
    assert seen(again, 2, "bid_for")[:2] == sorted([place, PLACE_NUMBERS["Qualtops"]])


@pytest.mark.rule("I10.1", "I10.3")
def test_settled_who_draws() -> None:
    drawing = {"hands": {"player_2": ["yak"] * 5}, "round": {"stage": "drawing"}, "stack": [{"decision": "draw"}]}
    chosen = ["choose player_2", "choose player_1"]
    start = {
        **drawing,
        "deck": ["panda", "yak", "yak", "yak", "kayak"],
        "display": ["kamel", "kamel", "kamel", "diawas"],
    }
    drawn = both(["draw deck", *chosen], **start)
    assert drawn.decision == "panda" and drawn.actor == 2
    assert seen(drawn, 2, "drawer") == [2] and seen(drawn, 2, "bought") == [] and seen(drawn, 0, "drawer") == []
    bought = both(["draw kamel", "buy deck", *chosen], **{**start, "deck": ["yak", "panda", "yak", "kayak"]})
    assert bought.decision == "panda" and seen(bought, 2, "drawer") == [2] and seen(bought, 2, "bought") == [0]
    # The draw of a bought diawas.
    anew = both(["draw deck", *chosen, *["discard yak"] * 3, "buy diawas"], **start)
    assert anew.decision == "draw" and seen(anew, 0, "drawer") == [0] and seen(anew, 0, "bought") == [0]


# ---- The oracle by itself --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("cooperative", [False, True])
def test_the_oracle_alone_keeps_its_cards(players: int, cooperative: bool) -> None:
    rng = random.Random(players)
    oracle = Oracle.from_dict(fresh(rng, players, cooperative_bidding=cooperative, max_rounds=14, polls="all"))
    decisions, events = play_game(oracle, rng)
    assert events["end"] == 1 and decisions["bid"] >= oracle.rounds


@pytest.mark.rule("I6.1", "I6.2", "I5.3")
def test_the_search_over_payments() -> None:
    hand = ["yak", "yak", "gonogo", "gonogo", "gonogo", "kamel", "shaman", "dragon", "zeppelin", "juju"]
    assert most(purse("mountain", hand, 0, [])) == 5  # two yaks, three gonogos by the shaman
    assert most(purse("mountain", hand, 3, [])) == 10  # the zeppelin rather than the dragon
    assert most(purse("mountain", hand, 4, [])) == 12
    assert most(purse("mountain", [*hand, "shaman"], 4, [])) == 13
    assert most(purse("flight", hand, 2, [])) == 2
    assert most(purse("water", [*hand, "kayak"], 0, [])) == 2
    assert most(Purse("flight", (), 10, frozenset())) == 0


@pytest.mark.rule("I8.3")
def test_adjacent_places() -> None:
    assert adjacent("Vanu-Tabu") == {"Bulo-Mapo", "Balabatung", "Aminadang"}
    assert adjacent("Rhobanis") == {"Methritis", "Kakotapl"}  # not by sea
