"""``examples/ppo_selfplay.py``: it learns, says what it promises, and goes on after a kill as if nothing had been."""

import csv
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch

from island_core.network import Network

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "examples"))

import ppo_selfplay as ppo  # noqa: E402

GAMES = ("dracheninsel", "isla-dorada")
SHORT = ("--games", "32", "--steps", "24", "--threads", "1", "--evaluate-games", "8", "--width", "32")


def command(folder, *options):
    return [
        sys.executable,
        "-W",
        "error",
        str(ROOT / "examples" / "ppo_selfplay.py"),
        "--folder",
        str(folder),
        *options,
    ]


def run(folder, *options):
    done = subprocess.run(command(folder, *options), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def weights(folder):
    with np.load(folder / "policy.npz") as found:
        return {name: found[name] for name in found.files}


@pytest.mark.parametrize(
    ("game", "blocks", "channels"),
    (
        *(("dracheninsel", blocks, 8) for blocks in (0, 1, 2)),
        *(("isla-dorada", blocks, channels) for blocks, channels in ((0, 8), (1, 0), (1, 16), (2, 8))),
    ),
)
def test_the_written_weights_are_the_network(game, blocks, channels, tmp_path):
    settings = ppo.Settings(
        game=game,
        iterations=2,
        threads=1,
        games=64,
        steps=48,
        width=32,
        blocks=blocks,
        channels=channels,
        imitate_batch=64,
        imitate=1.0,
    )
    trainer = ppo.Trainer(settings, tmp_path)
    while trainer.progress < 1.0:
        trainer.iterate()
    trainer.save()
    counts, mask = trainer.rollout.seen[-1], trainer.rollout.masks[-1]
    with torch.no_grad():
        expected, expected_values = trainer.network(torch.from_numpy(counts), torch.from_numpy(mask))
    legal = mask == 1
    spread = expected.numpy()[legal].std()
    assert spread > 0.1
    exact = {name: tensor.numpy() for name, tensor in trainer.network.state_dict().items()}
    exact["largest"] = trainer.rules.spec.observation.largest
    # Products in bfloat16 keep eight bits, and so do packed weights.
    for arrays in (exact, weights(tmp_path)):
        logits, values = Network(arrays).evaluate(counts, mask)
        assert np.all(logits[~legal] == -np.inf)
        np.testing.assert_allclose(expected.numpy()[legal], logits[legal], atol=0.1 * spread)
        np.testing.assert_allclose(expected_values.numpy(), values, atol=0.05)


@pytest.mark.parametrize(
    ("place", "sections", "blocks"),
    (
        (
            "Kamoptis",
            "camp markers treasures known_treasures laid rejected rejected_depth curses curses_laid bid_place bid_for "
            "pending_place drawn",
            {"bid": 5, "join": 5, "go": 1, "bongo": 2, "reject treasure": 3},
        ),
        (
            "Base",
            "camp markers curses curses_laid bid_place bid_for pending_place",
            {"bid": 5, "join": 5, "go": 1},
        ),
    ),
)
def test_a_place_is_told_of_and_named_where_the_tables_say(place, sections, blocks):
    rules = ppo.MODULES["isla-dorada"].Game(num_players=4)
    table, layout, size = rules.spec.actions, rules.observation_layout, rules.spec.observation.size
    columns, targets = ppo.by_place(rules, ppo.PLACES["isla-dorada"])
    words = next(arg.values for block in table.blocks for arg in block.args if arg.name == "place")
    assert len(columns) == len(targets) == len(words)
    # An entry belongs to one place at most, and so does an action.
    for found, none in ((columns, size + table.noop), (targets, table.noop)):
        real = found[found != none]
        assert len(np.unique(real)) == len(real)
    row = words.index(place)
    told = {name for name, part in layout.items() if np.any((columns[row] >= part.start) & (columns[row] < part.stop))}
    assert told == set(sections.split())
    named = [table.decode(action) for action in targets[row].tolist() if action != table.noop]
    counts = {block.name: sum(other is block for other, _ in named) for block, _ in named}
    assert counts == blocks
    for block, values in named:
        said = [arg.values[value] for arg, value in zip(block.args, values, strict=True)]
        assert any(f"{word} ".startswith(f"{place} ") for word in said), (block.name, said)


@pytest.mark.parametrize("game", GAMES)
def test_a_run_depends_on_its_seed_alone_and_writes_what_it_says(game, tmp_path):
    options = ("--game", game, *SHORT, "--iterations", "6", "--evaluate-every", "3", "--past-every", "2")
    said = [run(tmp_path / name, *options) for name in ("one", "two")]
    assert said[0].count("wins") == 2
    first, second = weights(tmp_path / "one"), weights(tmp_path / "two")
    assert first.keys() == second.keys()
    assert all(np.array_equal(first[name], second[name]) for name in first)
    other = run(tmp_path / "three", *options, "--seed", "1")
    assert other and not np.array_equal(weights(tmp_path / "three")["policy.weight"], first["policy.weight"])
    with (tmp_path / "one" / "progress.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [int(row["iteration"]) for row in rows] == list(range(1, 7))
    assert [bool(row["won"]) for row in rows] == [False, False, True] * 2
    assert (tmp_path / "one" / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_a_run_that_was_killed_goes_on_as_if_nothing_had_been(tmp_path):
    options = ("--game", "isla-dorada", *SHORT, "--iterations", "8", "--evaluate-every", "100", "--save-every", "0")
    run(tmp_path / "whole", *options)
    killed = subprocess.Popen(command(tmp_path / "killed", *options), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    checkpoint = tmp_path / "killed" / "checkpoint.pt"
    until = time.monotonic() + 120
    while not checkpoint.exists() and time.monotonic() < until:
        time.sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    assert checkpoint.exists()
    run(tmp_path / "killed", *options)
    whole, gone_on = weights(tmp_path / "whole"), weights(tmp_path / "killed")
    assert all(np.array_equal(whole[name], gone_on[name]) for name in whole)


def test_a_run_does_not_go_on_with_other_settings(tmp_path):
    options = ("--game", "isla-dorada", *SHORT, "--iterations", "1")
    run(tmp_path, *options)
    done = subprocess.run(command(tmp_path, *options, "--clip", "0.3"), capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "was begun with other settings" in done.stderr


def test_a_limit_is_asked_for(tmp_path):
    done = subprocess.run(command(tmp_path / "none"), capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "give --minutes or --iterations" in done.stderr
    assert not (tmp_path / "none").exists()


def brute_advantages(out, trace):
    """The definition, decision by decision: the chain of a seat is its own decisions until its game is over."""
    steps, games = out.actions.shape
    found, known = np.zeros((steps, games)), np.zeros((steps, games), bool)
    for g in range(games):
        for t in range(steps):
            if not out.learnt[t, g]:
                continue
            seat, total, weight = out.seats[t, g], 0.0, 1.0
            at, ended, first = t, False, True
            while True:
                paid, after = 0.0, at
                while True:
                    paid += out.rewards[after, g, seat]
                    ended = bool(out.ended[after, g])
                    after += 1
                    if ended or after == steps or (out.learnt[after, g] and out.seats[after, g] == seat):
                        break
                if not ended and after == steps:
                    break
                known[t, g] |= first
                first = False
                value = 0.0 if ended else out.values[after, g]
                total += weight * (paid + value - out.values[at, g])
                weight *= trace
                if ended:
                    break
                at = after
            found[t, g] = total
    return found, known


@pytest.mark.parametrize("trace", (0.0, 0.9, 1.0))
def test_advantages_are_those_of_the_definition(trace):
    rng = np.random.default_rng(1)
    steps, games, players = 40, 30, 3
    out = ppo.Rollout.empty(steps, games, 1, 1, players)
    out.values[:] = rng.normal(size=(steps, games))
    out.seats[:] = rng.integers(players, size=(steps, games))
    out.learnt[:] = rng.random((steps, games)) < 0.7
    out.ended[:] = rng.random((steps, games)) < 0.08
    out.rewards[:] = rng.normal(size=(steps, games, players)) * out.ended[..., None]
    found, known = out.advantages(trace)
    expected, expected_known = brute_advantages(out, trace)
    np.testing.assert_array_equal(known, expected_known)
    np.testing.assert_allclose(found[known], expected[known], rtol=1e-4, atol=1e-5)
    assert 0.3 < known.mean() < 0.7


def test_it_learns_to_beat_players_at_random(tmp_path):
    settings = ppo.Settings(
        game="isla-dorada",
        iterations=14,
        threads=1,
        games=128,
        steps=48,
        width=128,
        imitate_batch=128,
        batch=128,
        teacher="greedy",
        imitate=0.7,
    )
    trainer = ppo.Trainer(settings, tmp_path)
    before = trainer.evaluate("random", 200)[0]
    while trainer.progress < 1.0:
        trainer.iterate()
    low = trainer.evaluate("random", 200)[1]
    assert low > before and low > 0.4
