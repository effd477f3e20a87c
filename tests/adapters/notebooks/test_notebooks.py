"""The notebooks run from the first cell to the last, show what they should, and what they find holds.

``training.py`` needs torch: ``tests/adapters/train`` runs it.
"""

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError

from benchmarks.reference import FIGURES, SELF_GAMES
from tests.common.notebooks import SOURCES, execute, run, shown

SEARCH = """
assert np.array_equal(again.visits, island_result.visits)
assert {world.text(carrier) for world in island_worlds} == {carried.text(carrier)}
assert all(in_hands(dorada_worlds, f"player_{bidder}", flyers))
assert abs(sum(alone) - 1) < 1e-9 and abs(sum(with_bid) - 1) < 1e-9
"""

GETTING_STARTED = """
assert is_carried(position) and sum(position.scores) > 0

figure, (left, right) = plt.subplots(1, 2)
draw_island(position, left)
hexagons = [patch for patch in left.patches if isinstance(patch, RegularPolygon)]
assert {tuple(np.round(patch.xy, 6)) for patch in hexagons} == {
    tuple(np.round(point_of(space), 6)) for space in SPACE_NAMES if not space.startswith("boat")
}
discs = {patch.get_facecolor()[:3]: patch.center for patch in left.patches if isinstance(patch, Circle) and patch.fill}
for hunter, space in position.to_dict()["hunters"].items():
    x, y = discs[plt.matplotlib.colors.to_rgb(HUNTER_COLOURS[hunter])]
    assert np.hypot(x - point_of(space)[0], y - point_of(space)[1]) < 0.4, (hunter, space)
values = {value for value, space in position.to_dict()["treasures"].items() if space in SPACE_NAMES}
assert values and values <= {text.get_text() for text in left.texts}

draw_expedition(journey, right)
assert sum(isinstance(patch, FancyArrowPatch) for patch in right.patches) == 45
assert set(journey.to_dict()["monsters"]) | set(PLACES) <= {text.get_text() for text in right.texts}

assert way[-1] == journey.to_dict()["camp"]
assert len(way) == sum(journey.to_dict()["markers"].values()) + journey.to_dict()["returns"]
assert checked.rewards[offender] == -1 and all(checked.terminations.values())
assert finished > 0
assert np.isclose(8 * seen[layout["hand"]].sum(), 6), "six cards are dealt, the section counts up to eight"
assert np.flatnonzero(mask).tolist() == aec.position.legal_actions()

for kind in kinds:
    assert np.allclose(paid[kind].sum(axis=1), 0, atol=1e-5), kind
    assert (np.count_nonzero(paid[kind].any(axis=1)) == 1) == (kind != "gain"), kind
assert np.allclose(paid["gain"].sum(axis=0), paid["score"].sum(axis=0), atol=1e-5)

wins = [report.standing(policy).win_share for policy in ("random", "greedy", "planner")]
assert wins[0].high < wins[1].low and wins[1].high < wins[2].low
assert [standing.policy for standing in mixed.standings][:2] == ["planner", "greedy"]
assert not mixed.spoiled
"""

STUDY = (
    f"""
from pathlib import Path

REFERENCE, GAMES_TOLD = Path({str(FIGURES)!r}), {SELF_GAMES}
"""
    + """
# Each game has one win, shared or not, and the habit is kept by its seat alone.
for played in (plain, *with_habit.values()):
    assert np.allclose(played.won.sum(axis=1), 1)
    assert (played.betrayed <= played.asked).all()
kept, bound = with_habit["never betrays"], with_habit["always betrays"]
assert kept.own(kept.betrayed).sum() == 0 < kept.own(kept.asked).sum() and kept.betrayed.sum() > GAMES
assert np.array_equal(bound.own(bound.betrayed), bound.own(bound.asked))
# Where that seat does not betray in plain play, forbidding it changes nothing; elsewhere the game goes on otherwise.
same_deal = (kept.money == plain.money).all(axis=1)
idle = plain.own(plain.betrayed) == 0
assert same_deal[idle].all() and not same_deal[~idle].all() and 0.2 < idle.mean() < 0.9
assert same

assert by_count["never"].high < by_count["once"].low and by_count["once"].high < by_count["twice or more"].low
assert wins["never betrays"].high < 0 and coins["never betrays"].high < 0
assert wins["never betrays"].mean < wins["never begins"].mean
assert by_chance["could not"].high < by_chance["could, but did not"].high < by_chance["could, and did"].low
assert np.isclose(apart.mean, wins["never betrays"].mean)
assert apart.high - apart.low > 1.2 * (wins["never betrays"].high - wins["never betrays"].low)
assert all(one.high < 0 for one in by_players.values())

# The bootstrap agrees with the textbook where that is known: the mean of independent games, and of a pair of samples.
values, others = plain.own(plain.money), kept.own(kept.money)
half = 1.96 * values.std() / len(values) ** 0.5
one = mean_of(values)
assert one.mean == values.mean() and np.allclose(one[1:], [one.mean - half, one.mean + half], atol=half / 8)
assert np.allclose(share_of(values, np.ones(len(values))), one, atol=half / 8)
half = 1.96 * ((values.var() + others.var()) / len(values)) ** 0.5
change = difference_of(values, others)
assert np.allclose(change[1:], [change.mean - half, change.mean + half], atol=half / 8)

# Gold is paid for bids and for bought cards, and never comes back (I2.4); the cards paid cover the bids (I6.3).
from isla_dorada_env.components import COMPONENTS

env = isla_dorada_v0.batch_env(60, num_players=4, autoreset_mode="NEXT_STEP")
env.reset(seed=SEED)
spent, covered = np.zeros((2, 60))
running = np.ones(60, bool)
worth = {f"pay {CARDS[card]}": COMPONENTS.card_values[card] for card in PAYING_CARDS}
while running.any():
    actions = env.sample_actions(policy="planner")
    for game in np.flatnonzero(running):
        name = env.position(game).action_name(actions[game])
        spent[game] -= name.startswith("buy ")
        covered[game] += worth.get(name.removesuffix(" with shaman"), 0)
    step = env.step(actions)
    for game in np.flatnonzero(running & (step.terminated | step.truncated)):
        spent[game] += 40 - sum(env.position(game).to_dict()["gold"].values())
        running[game] = False
found = played_bids["planner"][4]
assert np.array_equal(spent, found.gold[:60]) and spent.sum() > 60
excess = covered - found.winning[:60]
assert (excess >= 0).all() and excess.sum() < found.rounds[:60].sum()

for policy, by_number in played_bids.items():
    for games in by_number.values():
        assert ((16 <= games.rounds) & (games.rounds <= 40)).all() and (games.bids >= games.rounds).mean() > 0.99
    assert difference_of(a_round(by_number[6], "bids"), a_round(by_number[3], "bids")).low > 0

# Other games of the same policies, counted inside the kernels by benchmarks.reference.
import json

styles = {name: one["styles"] for name, one in json.loads(REFERENCE.read_text())["games"].items()}
told = styles["dracheninsel"]["planner"]["4"]
assert abs(plain.betrayed.sum() / GAMES - told["counts"]["betrayal"] / GAMES_TOLD) < 0.15
for policy, by_number in played_bids.items():
    for players, games in by_number.items():
        told = styles["isla_dorada"][policy][str(players)]
        assert abs(games.rounds.mean() - told["columns"]["rounds"]) < 0.3
        assert abs(games.winning.mean() - told["columns"]["winning bids"]) < 1.5
        assert abs(games.bids.mean() - sum(told["amounts"]) / GAMES_TOLD) < 1.5
"""
)

CHECKS = {"search": SEARCH, "getting_started": GETTING_STARTED, "study": STUDY}
"""By notebook, what is run after its last cell."""
PICTURES = {"search": 6, "getting_started": 5, "study": 4}
ELSEWHERE = {"training"}


def notebook_of(*cells):
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])


def test_every_notebook_is_run():
    assert {path.stem for path in SOURCES.glob("*.py")} == CHECKS.keys() | ELSEWHERE


@pytest.mark.parametrize("name", CHECKS)
def test_notebook_shows_text_and_pictures_and_what_it_finds_holds(name, tmp_path, monkeypatch):
    # Quiet: that something is compiled is said on stderr, and is no fault of the notebook.
    monkeypatch.setenv("ISLAND_ENVS_QUIET", "1")
    kinds = shown(run(name, tmp_path, CHECKS[name]))
    assert "stdout" in kinds
    assert kinds.count("image/png") == PICTURES[name]


@pytest.mark.parametrize(
    ("cell", "name", "message"),
    [
        ("1 / 0", "ZeroDivisionError", "division by zero"),
        ("warnings.warn('in a cell')", "UserWarning", "in a cell"),
        ("import numpy as np\nnp.array([1.0]) / 0", "RuntimeWarning", "divide by zero encountered in divide"),
        ("warnings.warn_explicit('ours', UserWarning, 'f.py', 1, module='island_core.search')", "UserWarning", "ours"),
        ("warnings.warn_explicit('ours', UserWarning, '/a/isla_dorada_env/text.py', 1)", "UserWarning", "ours"),
    ],
)
def test_exception_or_warning_of_ours_fails(cell, name, message, tmp_path):
    with pytest.raises(CellExecutionError) as caught:
        execute(notebook_of("import warnings", cell), tmp_path)
    assert (caught.value.ename, caught.value.evalue) == (name, message)


def test_check_that_does_not_hold_fails(tmp_path):
    with pytest.raises(CellExecutionError) as caught:
        execute(notebook_of("found = 1"), tmp_path, "assert found == 2, found")
    assert (caught.value.ename, caught.value.evalue) == ("AssertionError", "1")


def test_what_is_written_has_the_cells_of_the_notebook_alone(tmp_path):
    notebook = execute(notebook_of("found = 1", "print(found)"), tmp_path, "assert found == 1")
    assert [cell.source for cell in notebook.cells] == ["found = 1", "print(found)"]


def test_warning_of_others_does_not_fail(tmp_path):
    cell = "import warnings\nwarnings.warn_explicit('theirs', UserWarning, 'f.py', 1, module='jupyter_client.session')"
    assert shown(execute(notebook_of(cell), tmp_path)) == ["stderr"]
