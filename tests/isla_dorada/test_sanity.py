"""What random play looks like: the figures at the end of docs/rules/isla_dorada.md, measured again with bounds."""

from __future__ import annotations

import pytest

from isla_dorada_env.options import IslaDoradaOptions, new_record
from isla_dorada_env.selfplay import SUBJECT
from island_core.selfplay_report import SelfPlay, SelfPlayResult

GAMES = 600
PLAYERS = (3, 4, 5, 6)
DECISIONS = {False: (300, 395, 490, 585), True: (341, 473, 613, 747)}
"""A game, by cooperative bidding and players; the document has that of four players in the basic game."""
PAYMENTS = {False: (2.9, 3.6, 4.1, 4.5), True: (3.1, 4.1, 4.9, 5.7)}
"""The mean winning bid; in cooperative bidding that of all members together."""


def random_play(players: int, cooperative: bool) -> SelfPlayResult:
    options = IslaDoradaOptions(num_players=players, cooperative_bidding=cooperative)
    return SelfPlay(SUBJECT, new_record(options), "random", seed=players, threads=1).run(GAMES)


@pytest.mark.rule("I11.1", "I11.2")
@pytest.mark.parametrize("cooperative", [False, True], ids=["basic", "cooperative"])
@pytest.mark.parametrize("players", PLAYERS)
def test_random_play_is_as_long_and_as_good_as_it_should_be(players: int, cooperative: bool) -> None:
    result = random_play(players, cooperative)
    assert result.outcomes["truncated"] < 0.02 * GAMES
    columns = {name: summary.mean for name, summary in result.columns.items()}
    decisions = DECISIONS[cooperative][PLAYERS.index(players)]
    assert result.asked / GAMES == pytest.approx(decisions, rel=0.03)
    assert 17 <= columns["rounds"] <= 17.7
    assert result.length.least >= 16
    assert all(7 < score < 10 for score in result.scores), result.scores
    assert all(abs(win.share - 1 / players) < 0.08 for win in result.wins), result.wins
    payment = PAYMENTS[cooperative][PLAYERS.index(players)]
    assert columns["winning bids"] / columns["rounds"] == pytest.approx(payment, rel=0.05)
    assert 9.5 < columns["places visited"] < 10.8
    assert 1 < columns["returns to base"] < 1.7
    assert 2.6 < columns["treasures laid"] / players < 3.1
    assert 0.16 < columns["destinies met"] / players < 0.27


@pytest.mark.rule("I3.2", "I8.4", "I10.1")
@pytest.mark.parametrize("cooperative", [False, True], ids=["basic", "cooperative"])
def test_everything_comes_up_as_often_as_it_must(cooperative: bool) -> None:
    result = random_play(4, cooperative)
    kinds = result.decision_kinds
    rounds = result.columns["rounds"].mean * GAMES
    assert kinds["starred"] == 4 * GAMES and kinds["round"] == 0
    assert kinds["telegram"] == 2 * 4 * GAMES
    # One draw a seat and round, more with diawas.
    assert 4 * rounds < kinds["draw"] < 4.6 * rounds
    assert kinds["first player"] == kinds["second player"] > 3 * GAMES
    unused = {"round", "amount" if cooperative else "share"}
    assert {kind for kind, number in kinds.items() if number == 0} == unused
    assert min(kinds[kind] for kind in kinds if kind not in unused) > GAMES / 2
    idle = {name for name, number in result.blocks.items() if number == 0}
    assert idle == ({"amount"} if cooperative else {"join", "raise", "share"})
