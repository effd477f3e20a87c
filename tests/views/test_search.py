"""Search in an information set, of any game: what it promises of its results and its options."""

import copy
import pickle
import random
import re
import signal
import threading
import time

import numpy as np
import pytest

from island_core import search as search_module
from island_core.arena import Tournament
from island_core.errors import GameOverError, NotResetError, OptionError, PolicyError, PositionError
from island_core.policies import KernelPolicy, resolve
from island_core.search import Search, SearchOptions, SearchPolicy, search_kernels_of
from island_core.selfplay import POLICIES
from tests.common.invariants import by_block
from tests.views import search_match
from tests.views.games import GAMES
from tests.views.playing import PLAYERS, played
from tests.views.worlds import worlds


def asked(game, steps=60, seed=1, least=3, **options):
    """A position after so many moves and then some, in which there are ``least`` legal actions."""
    position = played(game, steps, seed, **options)
    generator = np.random.default_rng(seed)
    while position.mask().sum() < least:
        position.step(by_block(position, generator))
    return position


def numbers(result):
    """All of a result that has to be the same the next time."""
    arrays = (result.actions, result.visits, result.values, result.availability)
    counts = (result.seat, result.action, result.names, result.simulations, result.decisions, result.nodes, result.kept)
    return [array.tobytes() for array in arrays], counts


def test_results_are_what_they_say(variant):
    for players in PLAYERS:
        position = asked(variant, num_players=players)
        before = position.to_bytes()
        search = Search(position.game, simulations=150)
        result = search.run(position)
        assert position.to_bytes() == before
        legal = position.legal_actions()
        size = len(legal)
        assert result.seat == position.actor
        assert result.actions.tolist() == legal
        assert result.names == tuple(position.legal_names())
        assert [array.dtype for array in (result.actions, result.visits, result.availability)] == [np.int64] * 3
        assert result.values.dtype == np.float64
        assert result.visits.shape == result.availability.shape == (size,)
        assert result.values.shape == (size, players)
        assert result.visits.sum() == result.simulations == 150
        assert result.action == legal[result.order()[0]]
        assert result.visits[legal.index(result.action)] == result.visits.max()
        # Every simulation makes one node, unless the game ends inside the tree.
        assert 1 < result.nodes <= 151
        assert result.refused == result.kept == 0
        assert result.decisions >= 150
        seen = result.visits > 0
        assert np.isnan(result.values[~seen]).all()
        # The seats share one win, whether it is estimated or true.
        np.testing.assert_allclose(result.values[seen].sum(axis=1), 1.0)
        assert ((result.values[seen] >= 0) & (result.values[seen] <= 1)).all()
        # At the root every action is available from its first trial on.
        assert (result.availability[seen] >= result.visits[seen]).all()
        assert result.availability.max() == 150
        assert len(set(result.availability[seen].tolist())) == seen.sum()


def test_the_same_seed_gives_the_same_statistics(variant):
    position = asked(variant)
    first = Search(position.game, seed=5).run(position)
    search = Search(position.game, seed=5)
    assert numbers(search.run(position)) == numbers(first)
    # Searches leave nothing behind that the next one depends on.
    search.run(asked(variant, steps=20, seed=2))
    assert numbers(search.run(position)) == numbers(first)
    assert numbers(Search(position.game).run(position, seed=5)) == numbers(first)
    assert numbers(Search(position.game, seed=6).run(position)) != numbers(first)


def test_worlds_of_one_information_set_have_the_same_result(variant):
    source = random.Random(1)
    compared = 0
    for steps in (0, 13, 40, 90, 140):
        position = asked(variant, steps, seed=steps, least=2)
        for options in ({}, HALVING):
            result = Search(position.game, simulations=60, **options).run(position)
            for world in worlds(position, position.actor, source, 6):
                assert world != position
                assert numbers(Search(position.game, simulations=60, **options).run(world)) == numbers(result)
                compared += 1
    assert compared > 20


def test_a_search_that_sees_all_tells_worlds_apart(game):
    source = random.Random(1)
    differs = False
    for steps in (13, 40, 90, 140):
        position = asked(game, steps, seed=steps)
        search = Search(position.game, simulations=60, sees_all=True)
        result = search.run(position)
        assert numbers(search.run(position)) == numbers(result)
        for world in worlds(position, position.actor, source, 4):
            differs |= numbers(search.run(world)) != numbers(result)
    assert differs


def test_others_that_play_by_a_policy_have_no_nodes(game):
    position = asked(game)
    seats = {}
    for others in (None, "random", "acting"):
        search = Search(position.game, simulations=300, others=others)
        result = search.run(position)
        assert result.simulations == result.visits.sum() == 300
        seats[others] = set(search._trees[0].nodes["seat"][1 : result.nodes].tolist())
    assert seats["random"] == seats["acting"] == {position.actor}
    assert len(seats[None]) > 1


def test_the_rollouts_of_others_are_played_by_their_policy(game):
    """The tree holds the root's children alone, so the games are played out: better players leave less to others."""
    position = asked(game)
    seat, nodes = position.actor, len(position.legal_actions()) + 1
    values = {}
    for others in ("random", "greedy"):
        options = {"simulations": 300, "nodes": nodes, "cut": None, "rollout": "random", "others": others}
        result = Search(position.game, **options).run(position)
        values[others] = float(result.values[:, seat] @ result.visits) / 300
    assert values["greedy"] < values["random"] - 0.05


@pytest.mark.parametrize("policy", ("acting", "greedy", "planner"))
def test_a_prior_tries_what_the_policy_likes_first_and_mostly(game, policy):
    """Where the policy draws no lots, what it likes has most visits of all if the prior is nearly all."""
    compared = 0
    for steps in (0, 20, 60, 100):
        position = asked(game, steps, seed=steps)
        advice = {KernelPolicy(policy).act(position, np.random.default_rng(k)) for k in range(20)}
        options = {"rollout": policy, "exploration": 100.0}
        result = Search(position.game, simulations=60, prior=0.99, **options).run(position)
        assert result.visits.sum() == 60
        if len(advice) == 1:
            assert result.action in advice and result.visits.max() > 40
            compared += 1
        first = Search(position.game, simulations=1, prior=0.99, **options).run(position)
        assert first.action in advice
    assert compared > 1 or policy == "acting"


def test_with_a_prior_values_decide_what_is_tried(game):
    """Without exploration the search stays with the first action unless its value falls below that of the node."""
    position = asked(game)
    narrow = Search(position.game, simulations=200, rollout="planner", prior=0.5, exploration=0.0).run(position)
    wide = Search(position.game, simulations=200, rollout="planner", prior=0.01, exploration=5.0).run(position)
    assert (narrow.visits > 0).sum() < (wide.visits > 0).sum()
    assert wide.visits.sum() == narrow.visits.sum() == 200


HALVING = {"halving": True, "rollout": "planner", "others": "planner", "cut": 6}


def test_halving_drops_half_of_the_actions_in_every_round(game, monkeypatch):
    monkeypatch.setattr(search_module, "HOPELESS", 1e9)
    monkeypatch.setattr(search_module, "SAME_WORLDS", 1e9)
    position = asked(game, least=6)
    legal = position.legal_actions()
    result = Search(position.game, simulations=400, **HALVING).run(position)
    assert 200 < result.simulations == result.visits.sum() <= 400
    assert np.array_equal(result.availability, result.visits)
    rounds = int(np.ceil(np.log2(len(legal))))
    # What is dropped in one round has been tried equally often.
    tried, sizes = np.unique(result.visits, return_counts=True)
    assert len(tried) == rounds and tried[0] == 400 // rounds // len(legal)
    assert sizes[-1] == 2 and sizes[0] == len(legal) // 2
    assert result.visits[legal.index(result.action)] == result.visits.max()
    np.testing.assert_allclose(result.values.sum(axis=1), 1.0)


def test_halving_ends_when_nothing_can_beat_the_advice(game):
    early = 0
    for seed in range(20):
        position = asked(game, 40, seed, least=3)
        result = Search(position.game, simulations=3000, **HALVING).run(position)
        if result.simulations < 1500:
            early += 1
            assert result.action in {KernelPolicy("planner").act(position, np.random.default_rng(n)) for n in range(30)}
            assert result.visits[result.actions == result.action] == result.visits.max()
    assert early > 0


def test_halving_drops_what_makes_no_difference(game, monkeypatch):
    """An action that ends like the advice in all of many worlds is not worth the rest of the budget."""
    monkeypatch.setattr(Search, "_run_trees", lambda self, actor, shares, *rest: sum(shares))
    position = asked(game, least=4)
    search = Search(position.game, simulations=10_000, **HALVING)
    actions = np.array(position.legal_actions())
    search._begin(position, position.actor, actions, 1)
    _, simulations = search._halve(position, position.actor, actions, 0.0)
    assert simulations == search_module.SAME_WORLDS * len(actions) < 10_000


def test_what_is_compared_has_the_same_luck(game):
    """An action that is compared with itself gains nothing in any world, though it is played out by lot."""
    position = asked(game)
    seat, actions = position.actor, np.array(position.legal_actions())
    search = Search(position.game, simulations=50, halving=True, rollout="random", cut=40)
    search._begin(position, seat, actions, 1)
    tree = search._trees[0]
    search_kernels_of(position.game.spec).plant_children(tree.nodes, tree.numbers, seat, actions)
    raced = np.array([*range(1, len(actions) + 1), 1])
    lead = np.zeros((len(raced), 2))
    assert search._run_trees(seat, [50], None, raced, 0, [lead]) == 50
    assert (lead[[0, -1]] == 0).all() and (lead[1:-1, 1] > 0).any()
    assert tree.nodes["visits"][1 : len(raced)].tolist() == [100, *[50] * (len(actions) - 1)]


def test_caution_keeps_to_the_advice(game):
    kept = []
    for seed in range(12):
        position = asked(game, 30, seed, least=4)
        # The policy draws lots between equals.
        advice = {KernelPolicy("planner").act(position, np.random.default_rng(lot)) for lot in range(30)}
        for caution in (0.0, 1e9):
            found = Search(position.game, simulations=100, caution=caution, **HALVING).run(position).action
            kept.append((caution > 0, found in advice))
    assert (True, False) not in kept and {(False, False), (True, True)} <= set(kept)


@pytest.mark.parametrize("simulations", (1, 2, 3, 7))
def test_halving_tries_some_of_the_actions_if_there_are_too_many(game, simulations):
    position = asked(game, least=8)
    advice = KernelPolicy("planner").act(position, np.random.default_rng(0))
    result = Search(position.game, simulations=simulations, **HALVING).run(position)
    tried = result.actions[result.visits > 0].tolist()
    assert len(tried) == max(2, simulations // 2) and advice in tried and result.action in tried
    drawn = {
        tuple(Search(position.game, simulations=simulations, seed=seed, **HALVING).run(position).visits > 0)
        for seed in range(8)
    }
    assert len(drawn) > 1


def test_halving_with_threads_and_with_a_clock(game, monkeypatch):
    monkeypatch.setattr(search_module, "HOPELESS", 1e9)
    monkeypatch.setattr(search_module, "SAME_WORLDS", 1e9)
    position = asked(game, least=5)
    result = Search(position.game, simulations=301, threads=3, **HALVING).run(position)
    assert 250 < result.simulations == result.visits.sum() <= 301
    assert numbers(Search(position.game, simulations=301, threads=3, **HALVING).run(position)) == numbers(result)
    assert numbers(Search(position.game, simulations=301, **HALVING).run(position)) != numbers(result)
    timed = Search(position.game, seconds=0.2, **HALVING).run(position)
    assert 0.15 < timed.seconds < 1.0
    assert timed.simulations == timed.visits.sum() > 301


def test_the_margin_tells_by_how_much_a_game_is_won(game):
    """The estimate of a game that is over knows who is ahead, and is not a share of the win."""
    position = asked(game, least=4)
    values = {}
    for margin in (0.0, 0.25, 1.0):
        search = Search(position.game, simulations=60, cut=None, rollout="random", halving=True, margin=margin)
        values[margin] = search.run(position).values
        np.testing.assert_allclose(values[margin].sum(axis=1), 1.0)
    assert not np.allclose(values[0.0], values[1.0])
    over = position.clone()
    while not over.is_over:
        over.step(over.sample(np.random.default_rng(3)))
    estimate = np.empty(6)
    position.game.spec.rules.estimate(over.states, 0, estimate)
    players = position.game.num_players
    assert abs(estimate[:players].sum() - 1) < 1e-9 and (estimate[:players] > 0).all()
    # Ties of the score may be broken by rules that the estimate does not know.
    assert [over.scores[seat] for seat in np.argsort(estimate[:players])] == sorted(over.scores)


def test_threads_have_trees_of_their_own(game):
    position = asked(game)
    alone = Search(position.game, simulations=90).run(position)
    results = [Search(position.game, simulations=90, threads=3).run(position) for _ in range(2)]
    assert numbers(results[0]) == numbers(results[1])
    assert results[0].simulations == results[0].visits.sum() == 90
    assert numbers(results[0]) != numbers(alone)
    # A share each, and a root each.
    assert 3 < results[0].nodes <= 93
    first = Search(position.game, simulations=30).run(position)
    assert (results[0].visits >= first.visits).all()
    uneven = Search(position.game, simulations=8, threads=3).run(position)
    assert uneven.simulations == uneven.visits.sum() == 8


def test_a_single_legal_action_costs_nothing(game):
    generator = np.random.default_rng(3)
    found = 0
    position = game.rules(polls="all").new(3)
    search = Search(position.game)
    while found < 3 and not position.is_over:
        if position.mask().sum() == 1:
            result = search.run(position)
            assert [result.action] == position.legal_actions()
            assert result.simulations == result.nodes == result.decisions == 0
            assert np.isnan(result.values).all()
            found += 1
        position.step(by_block(position, generator))
    assert found == 3


def test_a_budget_in_seconds_is_kept(game):
    position = asked(game)
    Search(position.game).run(position)
    for threads in (1, 2):
        search = Search(position.game, seconds=0.2, threads=threads)
        start = time.perf_counter()
        result = search.run(position)
        taken = time.perf_counter() - start
        assert 0.2 <= taken < 1.0
        assert 0.2 <= result.seconds <= taken
        assert result.simulations == result.visits.sum() > 200
    both = Search(position.game, simulations=50, seconds=60.0).run(position)
    assert both.simulations == 50
    assert both.seconds < 10.0


def test_seconds_alone_lift_the_number_of_simulations():
    assert SearchOptions().simulations == 200
    assert SearchOptions(seconds=1.0).simulations is None
    assert SearchOptions(seconds=1.0) == SearchOptions(seconds=1.0, simulations=None)
    assert SearchOptions(seconds=1.0, simulations=200).simulations == 200
    assert (
        SearchPolicy(seconds=1.0).options == Search(GAMES[0].rules(), seconds=1.0).options == SearchOptions(seconds=1)
    )
    assert pickle.loads(pickle.dumps(SearchOptions())) == copy.deepcopy(SearchOptions()) == SearchOptions()


def test_a_full_tree_goes_on_with_what_it_has(game):
    position = asked(game)
    for room in (1, 2, 40):
        search = Search(position.game, simulations=500, nodes=room)
        result = search.run(position)
        assert result.nodes == room
        assert result.refused > 0
        assert result.visits.sum() == (500 if room > 1 else 0)
        assert result.action in position.legal_actions()
        assert np.count_nonzero(result.visits) <= room - 1
    large = Search(position.game, simulations=500).run(position)
    assert large.refused == 0


def test_widening_bounds_the_number_of_children(game):
    position = asked(game, least=8)
    narrow = Search(position.game, simulations=100, widening=0.5).run(position)
    wide = Search(position.game, simulations=100).run(position)
    assert np.count_nonzero(wide.visits) == len(wide.actions)
    # 0.5 * sqrt(100) is 5; the last child was made before the last visit.
    assert np.count_nonzero(narrow.visits) == 5


def test_exploration_spreads_the_visits(game):
    position = asked(game)
    shares = [
        Search(position.game, simulations=600, exploration=constant).run(position).visits.max() / 600
        for constant in (0.0, 0.2, 5.0)
    ]
    assert shares[0] > shares[1] > shares[2]


@pytest.mark.parametrize("rollout", POLICIES)
def test_rollouts_go_on_for_as_many_decisions_as_cut_says(game, rollout):
    position = asked(game, steps=5)
    decisions = [
        Search(position.game, simulations=64, cut=cut, rollout=rollout).run(position).decisions
        for cut in (0, 1, 20, None)
    ]
    # The same walk in the tree comes before each only while values do not lead it elsewhere, so these are bounds.
    assert decisions[0] < decisions[1] < decisions[2] < decisions[3]
    assert decisions[1] >= 64 * 2
    assert 64 * 21 <= decisions[2] <= decisions[0] * 2 + 64 * 20
    assert decisions[3] > 64 * 40


def test_values_without_a_cut_are_shares_of_true_wins(game):
    position = asked(game)
    result = Search(position.game, simulations=40, cut=None).run(position)
    wins = result.values * result.visits[:, None] * 60  # lcm of 1 to 6
    np.testing.assert_allclose(wins, np.round(wins), atol=1e-6)


def test_what_is_kept_of_the_tree_is_legal_and_counts(game):
    kept = 0
    position = game.rules().new(4)
    search = Search(position.game, simulations=60, reuse=True)
    generator = np.random.default_rng(4)
    for _ in range(160):
        if position.is_over:
            break
        if position.actor == 0:
            result = search.run(position)
            assert result.action in position.legal_actions()
            if result.simulations:
                assert result.simulations == 60
                assert result.visits.sum() == 60 + result.kept
                kept += result.kept > 0
            position.step(result.action)
        else:
            position.step(by_block(position, generator))
    assert kept > 3
    # The same position again: all of the tree is kept.
    position = asked(game)
    search = Search(position.game, simulations=60, reuse=True)
    first = search.run(position)
    again = search.run(position)
    assert again.kept == 60
    assert again.visits.sum() == 120
    assert (again.visits >= first.visits).all()


def test_what_is_kept_depends_on_nothing_hidden(variant):
    source = random.Random(2)
    compared = 0
    for steps in range(10, 160, 10):
        position = asked(variant, steps, seed=steps, least=2)
        for world in worlds(position, position.actor, source, 6):
            twins = [position.clone(), world]
            searches = [Search(position.game, simulations=40, reuse=True) for _ in twins]
            action = [search.run(twin).action for search, twin in zip(searches, twins, strict=True)]
            assert action[0] == action[1]
            for twin in twins:
                twin.step(action[0])
            if twins[0].is_over or twins[0].actor != position.actor:
                continue
            if twins[0].key(position.actor) != twins[1].key(position.actor):
                continue  # a card was drawn
            results = [search.run(twin) for search, twin in zip(searches, twins, strict=True)]
            assert numbers(results[0]) == numbers(results[1])
            compared += results[0].kept > 0
    assert compared > 2


def test_another_game_is_begun_without_the_tree_of_the_last(game):
    search = Search(game.rules(), simulations=30, reuse=True)
    for seed in (1, 2):
        position = asked(game, seed=seed)
        result = search.run(position)
        assert result.kept == 0
        other = position.clone(seed=9)
        assert search.run(other).kept == 0


BAD_OPTIONS = {
    "simulations": ((0, -1, 1.5, True, "200", 10**9 + 1), "integers from 1 to 1000000000"),
    "seconds": ((0, -1.0, np.inf, np.nan, "1", True), "finite numbers above 0"),
    "rollout": (("clever", None, 0), "'random', 'acting'"),
    "others": (("clever", 0), "'random', 'acting'"),
    "sees_all": ((1, None), "True, False"),
    "cut": ((-1, 2.5, True, 10**6 + 1, "play", np.array([1, 2])), "integers from 0 to 1000000, None, 'game'"),
    "exploration": ((-0.1, 10**400, np.inf, np.nan, None, "1", True), "finite numbers from 0"),
    "widening": ((0, -1.0, np.inf, "2", True), "finite numbers above 0"),
    "prior": ((-0.1, 1, 1.5, np.nan, None, "1", True), "numbers from 0 to below 1"),
    "margin": ((-0.1, 1.01, np.nan, None, "1", True), "numbers from 0 to 1"),
    "halving": ((1, None), "True, False"),
    "caution": ((-0.1, np.inf, np.nan, None, "1", True), "finite numbers from 0"),
    "reuse": ((1, None), "True, False"),
    "threads": ((0, 257, 1.0, None), "integers from 1 to 256"),
    "nodes": ((0, 10**7 + 1, None), "integers from 1 to 10000000"),
    "seed": ((-1, 2**63, 0.5, None), f"integers from 0 to {2**63 - 1}"),
}


@pytest.mark.parametrize(
    ("option", "value"), [(name, value) for name, (bad, _) in BAD_OPTIONS.items() for value in bad]
)
def test_bad_options_are_named(option, value):
    game = GAMES[0].rules()
    for refuse in (lambda: Search(game, **{option: value}), lambda: SearchPolicy(**{option: value})):
        with pytest.raises(OptionError) as error:
            refuse()
        assert f"{option}={value!r}; allowed: {BAD_OPTIONS[option][1]}" in str(error.value)


def test_what_cannot_be_searched_is_refused(game):
    rules = game.rules()
    with pytest.raises(OptionError, match=r"simulations=None, seconds=None; allowed: a number for one of them"):
        Search(rules, simulations=None)
    with pytest.raises(OptionError, match=r"unknown option 'depth'; allowed: caution, cut, exploration"):
        Search(rules, depth=3)
    with pytest.raises(OptionError, match=r"game='chess'; allowed: a Game"):
        Search("chess")
    search = Search(rules)
    with pytest.raises(NotResetError, match=r"explain: nothing was searched yet; call run\(position\) first"):
        search.explain()
    with pytest.raises(PositionError, match=r"position=3; allowed: a Position"):
        search.run(3)
    with pytest.raises(PositionError, match="allowed: of"):
        search.run(game.rules(num_players=3).new(0))
    with pytest.raises(OptionError, match=r"seed=-1; allowed"):
        search.run(rules.new(0), seed=-1)
    over = played(game, **game.limit(1))
    with pytest.raises(GameOverError, match="the game is over"):
        Search(over.game).run(over)


def test_explain_prints_the_table(game, capsys):
    position = asked(game)
    search = Search(position.game)
    result = search.run(position)
    search.explain()
    text = capsys.readouterr().out
    assert text == f"{result}\n"
    headline, headings, *rows = text.splitlines()
    name = position.action_name(result.action)
    assert headline.startswith(f"player_{position.actor}: {name} (200 simulations, ")
    assert headings.split() == ["action", "visits", "available", *(f"player_{seat}" for seat in range(4))]
    assert len(rows) == len(result.actions)
    assert rows[0].startswith(f"{name}  ")
    visits = [int(row.split()[-6]) for row in rows]
    assert visits == sorted(result.visits.tolist(), reverse=True)
    assert len({len(row) for row in rows}) == 1
    table = result.table()
    assert table.row_count == len(rows)
    assert [column.header for column in table.columns] == headings.split()


def test_explain_prints_a_drawn_table_on_a_terminal(game, capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    position = asked(game)
    search = Search(position.game)
    search.run(position)
    search.explain()
    assert "\x1b[1m" in capsys.readouterr().out


def test_search_is_a_policy(game):
    position = asked(game)
    policy = Search(position.game, simulations=40).policy()
    assert policy.name == "ismcts"
    generators = [np.random.default_rng(1) for _ in range(2)]
    actions = [policy.act(position.clone(), generator) for generator in generators]
    assert actions[0] == actions[1] in position.legal_actions()
    assert generators[0].random() == generators[1].random() != np.random.default_rng(1).random()
    # Other options of the game make no difference, another number of players does.
    other = asked(game, **game.limit(game.middle))
    assert policy.act(other, generators[0]) in other.legal_actions()
    with pytest.raises(PolicyError, match=r"'ismcts' was made for .*num_players=4.*is of .*num_players=5"):
        policy.act(asked(game, num_players=5), generators[0])
    anywhere = SearchPolicy(simulations=40)
    for players in (3, 5):
        position = asked(game, num_players=players)
        assert anywhere.act(position, generators[0]) in position.legal_actions()
    assert repr(anywhere).startswith("<SearchPolicy 'ismcts' in any game: ")


def test_a_search_made_for_another_game_is_refused(game):
    other = next(one for one in GAMES if one is not game)
    for made_for in (other.rules(), game.rules(num_players=3)):
        policy = Search(made_for, simulations=5).policy()
        words = f"policy 'ismcts' was made for {made_for!r}, this is {game.rules()!r}; allowed: policies for the same"
        makers = {
            "opponents": lambda policy=policy: game.single_seat(opponents=policy),
            r"opponents\['player_2'\]": lambda policy=policy: game.vector_env(
                2, opponents={"player_1": "random", "player_2": policy, "player_3": "acting"}
            ),
            r"line_ups\[0\]": lambda policy=policy: Tournament(game.rules(), (policy, "random", "random", "random")),
        }
        for argument, make in makers.items():
            with pytest.raises(OptionError, match=f"^{argument}: {re.escape(words)}"):
                make()
    policy = Search(game.rules(), simulations=5).policy()
    env = game.single_seat(opponents=policy, **game.limit(game.short))
    env.reset(seed=1)
    env.step(env.sample_action())


def test_searches_have_names_of_their_own(game):
    quick, slow = Search(game.rules(), simulations=2), Search(game.rules(), simulations=4)
    assert quick.policy().name == "ismcts"
    with pytest.raises(OptionError, match="two different policies are called 'ismcts'; allowed: a name for each"):
        Tournament(game.rules(), (quick.policy(), slow.policy(), "random", "random"))
    line_up = (quick.policy("quick"), slow.policy(name="slow"), "random", "ismcts:3")
    tournament = Tournament(game.rules(**game.limit(game.short)), line_up, 4)
    assert tournament.names == ("quick", "slow", "random", "ismcts:3")
    assert all(standing.asked for standing in tournament.run().standings)
    for bad in ("", 3):
        with pytest.raises(OptionError, match=f"name={bad!r}; allowed: None, or a string"):
            quick.policy(bad)
    with pytest.raises(OptionError, match="game='chess'; allowed: None, or a Game"):
        SearchPolicy(game="chess")


def test_search_plays_a_seat_by_its_name(game):
    ends = []
    for _ in range(2):
        env = game.single_seat(opponents={"player_1": "ismcts:20", "player_2": "acting", "player_3": "ismcts:10"})
        env.reset(seed=2)
        generator = np.random.default_rng(2)
        for _ in range(12):
            if env.position.is_over:
                break
            env.step(env.position.sample(generator))
        ends.append(env.position.to_bytes())
    assert ends[0] == ends[1]
    assert resolve("ismcts", "opponents").act.__self__.options == SearchOptions()
    assert resolve("ismcts:20", "opponents").act.__self__.options == SearchOptions(simulations=20)
    leaning = resolve("ismcts:20:planner", "opponents").act.__self__
    assert leaning.options == SearchOptions(simulations=20, rollout="planner", halving=True, margin=0.5, cut="game")
    assert leaning.name == "ismcts:20:planner"
    for name in (
        "ismcts:20:",
        "ismcts:20:clever",
        "ismcts:20:acting",
        "ismcts:020",
        "ismcts::planner",
        "ismcts:20:planner:",
        "ismcts:",
        "ismcts:0",
        "ismcts:-1",
        "ismcts:1e3",
        "ismcts:²",
        f"ismcts:{10**9 + 1}",
        "ismcts:" + "9" * 5000,
        "ismct",
    ):
        with pytest.raises(
            OptionError,
            match=r"no policy of that name; allowed: 'random', 'acting', 'greedy', 'planner', 'ppo', 'ismcts'.*"
            r"\(N from 1 to 10\^9, POLICY greedy or planner\)",
        ):
            resolve(name, "opponents")


@pytest.fixture
def interrupts():
    """Ctrl-C interrupts, also where the tests were started in the background, which ignores it."""
    kept = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, kept)


@pytest.mark.usefixtures("interrupts")
@pytest.mark.parametrize("options", ({}, {"threads": 2}, {"halving": True}, {"cut": 0}))
def test_a_search_can_be_interrupted(game, options):
    search = Search(game.rules(), simulations=10**9, **options)
    position = asked(game)
    Search(game.rules(), simulations=8, **options).run(position)  # compiles
    main = threading.main_thread().ident
    timer = threading.Timer(0.3, lambda: signal.pthread_kill(main, signal.SIGINT))
    start = time.perf_counter()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        search.run(position)
    assert time.perf_counter() - start < 5.0
    # What is found later does not depend on it.
    quick = {**options, "simulations": 50}
    search.options = SearchOptions(**quick)
    assert numbers(search.run(position)) == numbers(Search(game.rules(), **quick).run(position))


def test_the_ceiling_has_a_name_of_its_own():
    for name, simulations in (("clairvoyant", 200), ("clairvoyant:20", 20)):
        policy = resolve(name, "opponents")
        leaning = {"rollout": "planner", "halving": True, "margin": 0.5, "cut": "game"}
        assert policy.act.__self__.options == SearchOptions(simulations=simulations, sees_all=True, **leaning)
        assert policy.name == policy.act.__self__.name == name
    assert resolve("clairvoyant:20:greedy", "opponents").act.__self__.options.rollout == "greedy"
    with pytest.raises(OptionError, match="'clairvoyant', 'clairvoyant:N', 'clairvoyant:N:POLICY'"):
        resolve("clairvoyant:", "opponents")
    # Whoever sees all is not told apart from an honest search by accident.
    game = GAMES[0].rules()
    assert SearchPolicy(sees_all=True).name == Search(game, sees_all=True).policy().name == "clairvoyant"


def test_a_prior_and_a_width_exclude_each_other():
    with pytest.raises(OptionError, match="widening=2 with prior=0.5; allowed: one of them"):
        SearchOptions(widening=2, prior=0.5)


def test_searches_are_copied_and_pickled(game):
    position = asked(game)
    search = Search(position.game, simulations=40, reuse=True)
    search.run(position)
    twins = [copy.deepcopy(search), pickle.loads(pickle.dumps(search)), search]
    results = [twin.run(position) for twin in twins]
    assert numbers(results[0]) == numbers(results[1]) == numbers(results[2])
    assert results[0].kept == 40


def test_more_simulations_win_more(game):
    """Few simulations against one each; the numbers are the same every time."""
    shares = {}
    for simulations in (2, 60):
        rows = search_match.match(game.name, range(12), "ismcts:15", simulations=simulations)
        shares[simulations] = sum(row["share"] for row in rows) / 12
    assert shares[60] > shares[2] + 0.15


def test_search_beats_the_kernel_policies(game):
    """Ten games of the match that is played at length elsewhere, with a bound that ten games can be held to: three
    standard deviations below that of a hundred.
    """
    rows = list(search_match.match(game.name, range(10)))
    share = search_match.BOUNDS[game.name].share
    assert sum(row["share"] for row in rows) / 10 >= share - 3 * (share * (1 - share) / 10) ** 0.5


def test_a_match_goes_on_where_it_was_broken_off(tmp_path):
    name = "isla_dorada"
    file = tmp_path / "games" / "match.jsonl"
    first = list(search_match.match(name, range(2), file=file, simulations=5))
    written = file.read_text()
    assert len(written.splitlines()) == 3
    file.write_text(written + '{"number": 2, "sha')
    again = list(search_match.match(name, range(3), file=file, simulations=5))
    assert again[:2] == first
    assert [row["number"] for row in again] == [0, 1, 2]
    assert file.read_text().startswith(written)
    assert len(file.read_text().splitlines()) == 4
    with pytest.raises(ValueError, match="is a match under other conditions"):
        next(search_match.match(name, range(2), file=file, simulations=6))


def test_the_length_of_rollouts_may_be_left_to_the_game(game):
    position = asked(game, least=4)
    found = {
        cut: numbers(Search(position.game, simulations=100, rollout="planner", cut=cut).run(position))
        for cut in ("game", position.game.spec.rollout_cut, 3)
    }
    assert found["game"] == found[position.game.spec.rollout_cut] != found[3]
