"""Turns of the board: what is turned is what the game would have been, whoever looks and whatever is played."""

import copy
import itertools
import os
import pickle
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from dracheninsel_env import dracheninsel_v0
from dracheninsel_env.board import AXIAL, CELLS, SPACE_NAMES, SPACES
from dracheninsel_env.symmetries import Symmetry
from tests.common.invariants import by_block
from tests.common.playing import play
from tests.dracheninsel.invariants import carrying

PLAYERS = (3, 4, 5, 6)
FOUND = {3: [0, 180], 4: [0, 180], 5: [0, 60, 120, 180, 240, 300], 6: [0, 60, 120, 180, 240, 300]}
"""The turns in degrees by the number of players."""
OPTIONS = (
    {},
    {"polls": "all", "layout": "random"},
    {"slumber_on_arrival": True, "layout": "random", "max_turns": 12},
)
CHANCE = ("deck", "rng", "certain", "events")
"""What may differ where the discard pile was shuffled, beside the cards in the hands."""


def turns_of(players, **options):
    return dracheninsel_v0.Game(num_players=players, **options).symmetries()


@pytest.mark.rule("D3.2", "D9.1")
@pytest.mark.parametrize("layout", ["standard", "random"])
@pytest.mark.parametrize("players", PLAYERS)
def test_the_turns_of_each_number_of_players(players, layout):
    found = turns_of(players, layout=layout)
    assert [symmetry.name for symmetry in found] == [f"turn {degrees}" for degrees in FOUND[players]]
    assert all(symmetry.num_players == players for symmetry in found)


@pytest.mark.rule("D1.1", "D1.2")
def test_colours_and_spaces_by_name():
    symmetry = turns_of(6)[1]
    circle = ["red", "yellow", "green", "grey", "brown", "blue"]
    assert symmetry.colours == dict(zip(circle, circle[1:] + circle[:1], strict=True))
    wanted = {"e5": "e5", "e9": "i5", "e6": "f5", "a1": "a5", "boat-red": "boat-yellow", "boat-blue": "boat-red"}
    assert {space: symmetry.spaces[space] for space in wanted} == wanted
    half = turns_of(4)[1]
    assert half.spaces["a1"] == "i5" and half.colours["yellow"] == "brown" and half.colours["green"] == "blue"


@pytest.mark.rule("D1.1")
def test_no_reflection_takes_the_boats_to_boats():
    """All twelve maps of the hexagon onto itself: those with a mirror take each boat to where none lies."""
    places = {tuple(hexagon) for hexagon in AXIAL.tolist()}
    cells, boats = AXIAL[:CELLS].tolist(), AXIAL[CELLS:].tolist()
    kept = []
    for mirrored, turns in itertools.product((False, True), range(6)):

        def moved(hexagon, mirrored=mirrored, turns=turns):
            q, r = hexagon[::-1] if mirrored else hexagon
            for _ in range(turns):
                q, r = -r, q + r
            return q, r

        assert {moved(cell) for cell in cells} <= places
        landed = {moved(boat) in places for boat in boats}
        assert len(landed) == 1
        kept += [(mirrored, turns)] * landed.pop()
    assert kept == [(False, turns) for turns in range(6)]


def index_arrays(symmetry):
    return symmetry.observation_index, symmetry.mask_index, symmetry.action_index


@pytest.mark.parametrize("players", PLAYERS)
def test_they_are_a_group_of_permutations(players):
    found = turns_of(players)
    for symmetry in found:
        for index in index_arrays(symmetry):
            assert sorted(index.tolist()) == list(range(len(index))) and not index.flags.writeable
        assert symmetry.inverse in found and symmetry.inverse.inverse == symmetry
        for index, back in zip(index_arrays(symmetry), index_arrays(symmetry.inverse), strict=True):
            assert np.array_equal(index[back], np.arange(len(index)))
        assert np.array_equal(symmetry.action_index[symmetry.mask_index], np.arange(len(symmetry.mask_index)))
    identity = found[0]
    for index in index_arrays(identity):
        assert np.array_equal(index, np.arange(len(index)))
    for one, other in itertools.product(found, repeat=2):
        (both,) = [s for s in found if s.turns == (one.turns + other.turns) % 6]
        for first, second, index in zip(*map(index_arrays, (one, other, both)), strict=True):
            assert np.array_equal(first[second], index) and np.array_equal(second[first], index)
        assert {k: other.spaces[v] for k, v in one.spaces.items()} == both.spaces
        assert {k: other.colours[v] for k, v in one.colours.items()} == both.colours
    assert len({tuple(s.observation_index.tolist()) for s in found}) == len(found)


def check_alike(symmetry, position, turned):
    """The turned position shows each seat the turned observation and offers the turned actions."""
    assert turned.actor == position.actor and turned.decision == position.decision
    assert turned.is_over == position.is_over and turned.is_truncated == position.is_truncated
    assert turned.scores == position.scores and turned.ranks == position.ranks
    assert np.array_equal(turned.mask(), symmetry.mask(position.mask()))
    assert turned.legal_actions() == sorted(symmetry.action(action) for action in position.legal_actions())
    for seat in range(symmetry.num_players):
        for dtype, history in itertools.product(("int8", "float32"), (0, 64)):
            seen = symmetry.observation(position.observation(seat, dtype, history))
            expected = turned.observation(seat, dtype, history)
            assert seen.dtype == expected.dtype and np.array_equal(seen, expected), (dtype, history)


def kinds_since(position, number):
    return {event.kind for event in position.events_since(number)}


def without_order(data):
    """A dict form in which the cards of a hand that a curse discarded stand in any order (D8.3)."""
    events = []
    for discards, run in itertools.groupby(data["events"]["last"], lambda event: event["event"] == "discard"):
        found = list(run)
        events += sorted(found, key=lambda event: event["card"]) if discards else found
    undo = data["undo"] and {**data["undo"], "discarded": sorted(data["undo"]["discarded"])}
    return {**data, "events": {**data["events"], "last": events}, "undo": undo}


def check_same(position, turned, shuffled):
    """The same but for what depends on the numbers of cards: a curse discards a hand in their order, the discard pile
    is shuffled from it.
    """
    one, other = (without_order(each.to_dict()) for each in (position, turned))
    if shuffled:
        for data in (one, other):
            data["hands"] = {name: len(hand) for name, hand in data["hands"].items()}
            for key in CHANCE:
                del data[key]
    assert one == other


@pytest.mark.rule("D4.4")
@pytest.mark.parametrize("options", OPTIONS, ids=["default", "polls, random", "short, random"])
@pytest.mark.parametrize("players", PLAYERS)
def test_to_play_and_to_turn_is_to_turn_and_to_play(players, options):
    """Move by move, byte by byte; where cards are taken in the order of their numbers, but for that."""
    game = dracheninsel_v0.Game(num_players=players, **options)
    compared, kinds = 0, Counter()
    for number, symmetry in enumerate(game.symmetries()):
        generator = np.random.default_rng([players, number])
        for start in (game.new(number), carrying(game, number, 0, generator)):
            position, turned = start, symmetry.position(start)
            for step in range(60):
                check_alike(symmetry, position, turned)
                if step % 10 == 0:
                    assert symmetry.inverse.position(turned) == position
                if position.is_over:
                    break
                kinds[position.decision] += 1
                action, known = by_block(position, generator), position.num_events
                position.step(action)
                turned.step(symmetry.action(action))
                again = symmetry.position(position)
                new = kinds_since(position, known)
                if new & {"shuffle", "discard"}:
                    check_same(again, turned, "shuffle" in new)
                    turned = again
                else:
                    assert turned == again
                    compared += 1
    assert compared > 30 * len(game.symmetries())
    assert len(kinds) >= 8, kinds


@pytest.mark.parametrize("players", PLAYERS)
def test_finished_games_turn_too(players):
    for options in ({"max_turns": 4000}, {"max_turns": 3}):
        game = dracheninsel_v0.Game(num_players=players, **options)
        over = play(game.new(3), np.random.default_rng(players))
        for symmetry in game.symmetries():
            check_alike(symmetry, over, symmetry.position(over))
            assert symmetry.inverse.position(symmetry.position(over)) == over


def test_names_turn_word_by_word():
    game = dracheninsel_v0.Game(num_players=6)
    data = {"seats": {"player_0": ["red"]}, "hunters": {"red": "e6"}, "hands": {"player_0": ["volcano", "field/water"]}}
    position = game.from_dict(data)
    turned = game.symmetries()[1].position(position)
    shown = turned.to_dict()
    assert shown["hunters"]["yellow"] == "f5" and shown["hands"]["player_0"] == ["desert", "water/volcano"]
    assert shown["seats"]["player_0"] == ["yellow"]
    action = position.parse("step e7 volcano")
    assert turned.action_name(game.symmetries()[1].action(action)) == "step g5 desert"


def test_batches_turn_at_once():
    game = dracheninsel_v0.Game(num_players=5)
    symmetry = game.symmetries()[2]
    position = play(game.new(1), np.random.default_rng(1), steps=60)
    rows = np.stack([position.observation(seat, history=3) for seat in range(5)])
    before = rows.copy()
    turned = symmetry.observation(np.stack([rows, rows]))
    assert turned.shape == (2, *rows.shape)
    for seat in range(5):
        assert np.array_equal(turned[1, seat], symmetry.observation(rows[seat]))
    plain = rows[:, : game.spec.observation.size]
    assert np.array_equal(symmetry.observation(plain), plain[:, symmetry.observation_index])
    masks = np.stack([position.mask()] * 3).astype(bool)
    assert symmetry.mask(masks).dtype == bool and symmetry.mask(masks).shape == masks.shape
    ids = np.array([position.legal_actions()], np.int32)
    assert symmetry.action(ids).shape == ids.shape
    assert symmetry.action(ids)[0].tolist() == [symmetry.action(action) for action in ids[0]]
    assert type(symmetry.action(np.int16(3))) is int
    assert symmetry.action(np.zeros(0, np.int64)).shape == (0,)
    assert np.array_equal(rows, before)
    logits = np.random.default_rng(0).normal(size=(2, 500))
    assert logits[1, 7] == symmetry.mask(logits)[1, symmetry.action(7)]


SIZE = dracheninsel_v0.Game.spec.observation.size


@pytest.mark.parametrize(
    ("ask", "given"),
    [
        ("observation", np.zeros(SIZE, np.float64)),
        ("observation", np.zeros(SIZE - 1, np.float32)),
        ("observation", np.zeros((SIZE, 2), np.int8)),
        ("observation", np.zeros(SIZE + 2, np.int8)),
        ("observation", np.zeros(SIZE + 4 * 65, np.int8)),
        ("observation", np.int8(0)),
        ("mask", np.zeros(499)),
        ("mask", np.zeros((500, 1))),
        ("mask", 1),
        ("action", -1),
        ("action", 500),
        ("action", 1.0),
        ("action", "stop"),
        ("action", True),
        ("action", None),
        ("action", np.array([3, 500])),
        ("action", np.array([-1, 3])),
        ("action", np.array([True])),
        ("action", np.array([0.0])),
    ],
)
def test_what_cannot_be_turned_is_refused(ask, given):
    with pytest.raises(ValueError, match=f"{ask}s.*allowed"):
        getattr(turns_of(6)[1], ask)(given)


def test_positions_of_other_games_are_refused():
    from isla_dorada_env import isla_dorada_v0

    symmetry = turns_of(4)[1]
    for position in (dracheninsel_v0.Game(num_players=5).new(0), isla_dorada_v0.Game(num_players=4).new(0)):
        with pytest.raises(ValueError, match="allowed: positions of dracheninsel, 4 players"):
            symmetry.position(position)


@pytest.mark.parametrize(("turns", "players"), [(1, 4), (1, 3), (6, 6), (-1, 6), (2, 3)])
def test_turns_that_are_none_are_refused(turns, players):
    with pytest.raises(ValueError, match=f"turns={turns}: it does not map games of {players} players"):
        Symmetry(turns, players)


def test_they_can_be_compared_copied_and_pickled():
    one, other = turns_of(6)[1:3]
    assert one == turns_of(6)[1] != other and one != turns_of(5)[1] and one != 1
    assert len({one, other, turns_of(6)[1]}) == 2
    for twin in (copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert twin == one and np.array_equal(twin.observation_index, one.observation_index)
    assert repr(one) == "<Symmetry 'turn 60' for 6 players>"


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ('["desert", "forest"]', '["desert", "mountain"]', {"standard": 1, "random": 1}),
        ('a = "        V   M ', 'a = "        M   V ', {"standard": 1, "random": 6}),
        ('["i5", "i4"]', '["i4", "i3"]', {"standard": 1, "random": 1}),
    ],
    ids=["another dual card", "another layout", "a boat moved"],
)
def test_components_without_a_symmetry_have_the_turn_by_0_degrees_alone(tmp_path, old, new, found):
    text = Path(dracheninsel_v0.__file__).with_name("components.toml").read_text(encoding="utf-8")
    assert text.count(old) == 1
    path = tmp_path / "other.toml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    code = (
        "from dracheninsel_env.options import DracheninselOptions as Options\n"
        "from dracheninsel_env.symmetries import symmetries\n"
        "for layout in ('standard', 'random'):\n"
        "    found = symmetries(Options(num_players=6, layout=layout))\n"
        "    assert (found[0].observation_index == range(len(found[0].observation_index))).all()\n"
        "    print(layout, len(found))\n"
    )
    variables = {"DRACHENINSEL_COMPONENTS": str(path), "ISLAND_ENVS_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, **variables},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert dict(line.split() for line in done.stdout.splitlines()) == {k: str(v) for k, v in found.items()}


def test_spaces_are_all_named():
    assert set(turns_of(5)[3].spaces) == set(SPACE_NAMES) and len(SPACE_NAMES) == SPACES
