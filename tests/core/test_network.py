"""Networks in NumPy: `island_core.network`."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from dracheninsel_env import dracheninsel_v0
from isla_dorada_env import isla_dorada_v0
from island_core.arena import Tournament
from island_core.errors import GameOverError, OptionError, PolicyError
from island_core.network import NETWORK_NAME, Network, NetworkPolicy, network_of, packed, packed_file, unpacked
from island_core.policies import resolve
from tests.common.worlds import PLAYERS, by_network, compare

GAMES = (dracheninsel_v0, isla_dorada_v0)
IDS = {dracheninsel_v0: "Dracheninsel-v0", isla_dorada_v0: "IslaDorada-v0"}
PLACES, TOLD, NAMED, ASKED, WIDTH, CHANNELS = 5, 7, 3, 2, 16, 4


def drawn(size: int, actions: int, blocks: int = 1, places: bool = True, seed: int = 0) -> dict[str, Any]:
    """The weights of a small network, drawn by lot."""
    rng = np.random.default_rng(seed)
    found: dict[str, Any] = {"scale": rng.uniform(0.2, 1.0, size).astype(np.float32), "largest": np.full(size, 4)}

    def linear(name: str, out: int, into: int, bias: bool = True) -> None:
        found[f"{name}.weight"] = (rng.normal(size=(out, into)) / into**0.5).astype(np.float32)
        if bias:
            found[f"{name}.bias"] = rng.normal(size=out).astype(np.float32)

    def norm(name: str, width: int) -> None:
        found[f"{name}.weight"] = rng.uniform(0.5, 2.0, width).astype(np.float32)
        found[f"{name}.bias"] = rng.normal(size=width).astype(np.float32)

    linear("first", WIDTH, size)
    for n in range(blocks):
        linear(f"blocks.{n}", WIDTH, WIDTH)
        norm(f"norms.{n}", WIDTH)
    linear("policy", actions, WIDTH)
    linear("value", 1, WIDTH)
    if places:
        found["columns"] = rng.integers(size + actions, size=(PLACES, TOLD))
        found["targets"] = rng.permutation(actions)[: PLACES * NAMED].reshape(PLACES, NAMED)
        found["near_scale"] = rng.uniform(0.2, 1.0, TOLD + ASKED).astype(np.float32)
        linear("ask", PLACES * ASKED, WIDTH)
        linear("near", CHANNELS, TOLD + ASKED)
        linear("across", PLACES, PLACES, bias=False)
        linear("within", CHANNELS, CHANNELS)
        norm("within_norm", CHANNELS)
        linear("pool", WIDTH, 2 * CHANNELS)
        linear("answer", CHANNELS, CHANNELS + WIDTH)
        linear("place", NAMED, CHANNELS)
    return found


def of_game(module: Any, seed: int = 0) -> dict[str, Any]:
    """The same for a game."""
    spec = module.Game(num_players=4).spec
    return drawn(spec.observation.size, spec.actions.size, seed=seed) | {"largest": spec.observation.largest}


def by_hand(w: dict[str, Any], counts: Any, mask: Any) -> tuple[Any, float]:
    """What one seat gets, number by number: logits and value."""

    def linear(name: str, x: Any) -> Any:
        rows = w[f"{name}.weight"]
        bias = w.get(f"{name}.bias", np.zeros(len(rows)))
        return [
            sum(float(a) * float(b) for a, b in zip(row, x, strict=True)) + float(c)
            for row, c in zip(rows, bias, strict=True)
        ]

    def norm(name: str, x: Any) -> Any:
        mean = sum(x) / len(x)
        spread = (sum((one - mean) ** 2 for one in x) / len(x) + 1e-5) ** 0.5
        scaled = zip(x, w[f"{name}.weight"], w[f"{name}.bias"], strict=True)
        return [(one - mean) / spread * float(a) + float(b) for one, a, b in scaled]

    def positive(x: Any) -> Any:
        return [max(0.0, one) for one in x]

    def plus(x: Any, y: Any) -> Any:
        return [a + b for a, b in zip(x, y, strict=True)]

    hidden = positive(linear("first", counts * w["scale"]))
    seen = np.concatenate([counts, mask])
    asked = np.reshape(linear("ask", hidden), (PLACES, ASKED))
    places = [
        positive(linear("near", np.concatenate([seen[w["columns"][p]], asked[p]]) * w["near_scale"]))
        for p in range(PLACES)
    ]
    mixed = [positive(linear("across", [place[c] for place in places])) for c in range(CHANNELS)]
    places = [plus(places[p], [mixed[c][p] for c in range(CHANNELS)]) for p in range(PLACES)]
    places = [norm("within_norm", plus(place, positive(linear("within", place)))) for place in places]
    columns = list(zip(*places, strict=True))
    pooled = [sum(c) / PLACES for c in columns] + [max(c) for c in columns]
    hidden = plus(hidden, positive(linear("pool", pooled)))
    for n in range(2):
        hidden = norm(f"norms.{n}", plus(hidden, positive(linear(f"blocks.{n}", hidden))))
    logits = linear("policy", hidden)
    for place, targets in zip(places, w["targets"], strict=True):
        for target, own in zip(targets, linear("place", positive(linear("answer", [*place, *hidden]))), strict=True):
            logits[target] += own
    return [one if legal else -np.inf for one, legal in zip(logits, mask, strict=True)], linear("value", hidden)[0]


def test_a_network_is_what_its_layers_say() -> None:
    weights = drawn(30, 25, blocks=2)
    rng = np.random.default_rng(1)
    counts, mask = rng.integers(0, 4, (6, 30), np.int8), rng.integers(0, 2, (6, 25), np.int8)
    logits, values = Network(weights).evaluate(counts, mask)
    assert logits.shape == (6, 25) and values.shape == (6,) and logits.dtype == values.dtype == np.float32
    for row in range(6):
        expected, value = by_hand(weights, counts[row], mask[row])
        np.testing.assert_allclose(logits[row], expected, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(values[row], value, rtol=1e-4, atol=1e-5)


def test_packed_weights_are_near_and_small() -> None:
    rng = np.random.default_rng(0)
    weights = {
        "matrix": (rng.normal(size=(40, 300)) * rng.uniform(0.01, 3, (40, 1))).astype(np.float32),
        "none": np.zeros((2, 3), np.float32),
        "vector": rng.normal(size=30).astype(np.float32),
        "columns": np.arange(20).reshape(4, 5),
    }
    stored = packed(weights)
    found = unpacked(stored)
    assert found.keys() == weights.keys()
    largest = np.abs(weights["matrix"]).max(1, keepdims=True)
    assert np.all(np.abs(found["matrix"] - weights["matrix"]) <= 0.51 * largest / 127)
    assert np.all(found["none"] == 0) and np.array_equal(found["columns"], weights["columns"])
    np.testing.assert_allclose(found["vector"], weights["vector"], rtol=1e-3)
    assert stored["matrix"].dtype == np.int8
    content = packed_file(weights)
    assert content == packed_file(weights) and len(content) < 15_000


@pytest.mark.parametrize("value", (np.nan, np.inf, 1e9))
@pytest.mark.parametrize("name", ("matrix", "vector"))
def test_weights_that_cannot_be_packed_are_named(name: str, value: float) -> None:
    weights = {"matrix": np.ones((2, 2), np.float32), "vector": np.ones(2, np.float32)}
    weights[name].flat[1] = value
    with pytest.raises(ValueError, match=f"'{name}': not finite, or too large"):
        packed(weights)
    with pytest.raises(ValueError, match="'columns'"):
        packed({"columns": np.array([40_000])})


@pytest.mark.parametrize("module", GAMES)
def test_a_file_of_weights_plays(module: Any, tmp_path: Path) -> None:
    file = tmp_path / "policy.npz"
    file.write_bytes(packed_file(of_game(module)))
    policy = NetworkPolicy(file, "mine")
    rng = np.random.default_rng(0)
    position = module.Game(num_players=4).new(3)
    played = set()
    for _ in range(60):
        action = policy.act(position, rng)
        played.add(action)
        assert action in position.legal_actions()
        # Whatever the seat cannot see makes no difference.
        assert action == policy.act(position.determinize(position.actor, 5), rng)
        position.step(position.sample(rng))
    assert len(played) > 5

    # However it is asked, and whatever the observations are: the games are the same.
    class Alone:
        name, act = "mine", staticmethod(policy.act)

    reports = [
        Tournament(position.game, [one, "random", "random", "random"], games=4, seed=1, obs_dtype=dtype, history=past)
        for one, dtype, past in ((policy, "int8", 0), (policy, "float32", 3), (Alone(), "int8", 0))
    ]
    scores = [[one.score.mean for one in report.run().standings] for report in reports]
    assert scores[0] == scores[1] == scores[2]
    while not position.is_over:
        position.step(position.sample(rng))
    with pytest.raises(GameOverError, match="'mine': the game is over"):
        policy.act(position, rng)
    other = next(one for one in GAMES if one is not module)
    with pytest.raises(
        PolicyError, match=r"'mine' was trained for observations of \d+ entries and \d+ actions; given: \d+ and \d+"
    ):
        policy.act(other.Game(num_players=4).new(0), rng)


@pytest.mark.parametrize("module", GAMES)
def test_a_network_of_another_game_or_other_components_is_refused(module: Any) -> None:
    game = module.Game(num_players=4)
    other = next(one for one in GAMES if one is not module)
    largest = game.spec.observation.largest.copy()
    largest[-1] += 1
    cases = {
        r"was trained for observations of \d+ entries and \d+ actions": of_game(other),
        rf"was trained with other components of {game.spec.name}": of_game(module) | {"largest": largest},
    }
    for message, weights in cases.items():
        policy = NetworkPolicy(Network(weights), "mine")
        with pytest.raises(PolicyError, match=f"policy 'mine' {message}"):
            policy.act(game.new(0), np.random.default_rng(0))
        # Before anything is played.
        for ask in (
            lambda policy=policy: resolve(policy, "opponents", game),
            lambda policy=policy: gymnasium.make(IDS[module], opponents=policy),
            lambda policy=policy: Tournament(game, [policy, "random", "random", "random"]),
        ):
            with pytest.raises(OptionError, match=f"policy 'mine' {message}.*; allowed: a network for this game"):
                ask()


def test_what_is_asked_is_checked() -> None:
    network = Network(drawn(30, 25))
    policy, rng = NetworkPolicy(network, "mine"), np.random.default_rng(0)
    seen, mask = np.zeros((3, 30), np.int8), np.ones((3, 25), np.int8)
    assert policy.act_batch(seen, mask, rng).shape == policy.act_batch(seen, mask.astype(bool), rng).shape == (3,)
    for observation, masks, message in (
        (seen[:1], mask, "1 observations, 3 masks; allowed: as many"),
        (seen.astype(np.int64), mask, r"observation int64 of shape \(3, 30\).*allowed: int8 or float32"),
        (seen[0], mask[0], r"observation int8 of shape \(30,\).*allowed: int8 or float32 of shape \(B, D\)"),
    ):
        with pytest.raises(PolicyError, match=f"policy 'mine': {message}"):
            policy.act_batch(observation, masks, rng)
    for observation, masks, message in (
        (seen, mask[:1], r"action_mask: int8 of shape \(1, 25\); allowed: int8 of shape \(3, 25\)"),
        (seen[:, 1:], mask, r"observation: int8 of shape \(3, 29\); allowed: int8 of shape \(3, 30\)"),
        (seen.astype(np.float32), mask, r"observation: float32 of shape"),
    ):
        with pytest.raises(ValueError, match=message):
            network.evaluate(observation, masks)
    with pytest.raises(TypeError, match=r"act\(str, ...\): expected a Position"):
        policy.act("x", rng)  # type: ignore[arg-type]


SPOILT = {
    "missing": (lambda w: w.pop("within.bias"), "no array 'within.bias'"),
    "shape": (lambda w: w.update({"policy.weight": w["policy.weight"][:, 1:]}), "'policy.weight': shape"),
    "flat": (lambda w: w.update({"first.weight": w["first.weight"].ravel()}), "'first.weight': shape"),
    "asked": (
        lambda w: w.update({"ask.weight": w["ask.weight"][1:], "ask.bias": w["ask.bias"][1:]}),
        "'ask.weight': 9 rows, expected a multiple of 5",
    ),
    "columns": (lambda w: w["columns"].__setitem__((0, 0), 55), "'columns': allowed: from 0 to 54"),
    "targets": (lambda w: w["targets"].__setitem__((0, 0), -1), "'targets': allowed: from 0 to 24"),
}


def test_packed_weights_without_steps_and_those_that_are_not_finite_are_named() -> None:
    stored = packed(drawn(30, 25))
    del stored["first.weight.step"]
    with pytest.raises(ValueError, match=r"no array 'first.weight.step', which belongs to 'first.weight'"):
        Network(stored)
    weights = drawn(30, 25)
    weights["policy.bias"][3] = np.nan
    with pytest.raises(ValueError, match="'policy.bias': not finite"):
        Network(weights)


@pytest.mark.parametrize("case", SPOILT)
def test_spoilt_weights_are_named(case: str, tmp_path: Path) -> None:
    weights = drawn(30, 25)
    spoil, message = SPOILT[case]
    spoil(weights)
    with pytest.raises(ValueError, match=re.escape(message)):
        Network(weights)
    file = tmp_path / "policy.npz"
    file.write_bytes(packed_file(weights))
    with pytest.raises(ValueError, match=re.escape(message)):
        NetworkPolicy(file)


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("module", GAMES)
def test_the_network_of_a_game_looks_at_nothing_hidden(module: Any, players: int) -> None:
    game = module.Game(num_players=players)
    assert compare(game.spec, game.options, NETWORK_NAME, 400, advise=by_network(game.spec)).total() == 400


@pytest.mark.parametrize("module", GAMES)
def test_the_network_of_a_game_is_known_by_name(module: Any) -> None:
    game = module.Game(num_players=4)
    tournament = Tournament(game, [NETWORK_NAME, "greedy", "greedy", "greedy"], games=600, seed=8)
    assert tournament.run(workers=2).standing(NETWORK_NAME).win_share.low > 0.3
    # From Python and on its own it chooses as it does there.
    rng = np.random.default_rng(0)
    position, network = game.new(1), NetworkPolicy(network_of(game.spec))
    for _ in range(30):
        assert resolve(NETWORK_NAME, "policy").act(position, rng) == network.act(position, rng)  # type: ignore[misc]
        position.step(network.act(position, rng))
    vector = gymnasium.make_vec(IDS[module], num_envs=3, opponents=NETWORK_NAME, mask_in="info")
    single = gymnasium.make(IDS[module], opponents=NETWORK_NAME, mask_in="info")
    for env in (vector, single):
        _, info = env.reset(seed=4)
        for _ in range(12):
            mask = np.asarray(info["action_mask"])
            _, _, ended, _, info = env.step(mask.argmax(-1))
            assert not np.any(ended)


def test_what_is_no_file_of_weights_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "policy.npz"
    with pytest.raises(FileNotFoundError):
        NetworkPolicy(file)
    whole = packed_file(drawn(30, 25))
    array = io.BytesIO()
    np.save(array, np.zeros(3))
    spoilt = [bytearray(whole) for _ in range(60)]
    for n, content in enumerate(spoilt):  # one bit of each is turned round
        content[len(whole) * n // 60] ^= 16
    readable = 0
    for content in map(bytes, spoilt):
        file.write_bytes(content)
        try:
            NetworkPolicy(file)
        except ValueError as problem:
            assert "policy.npz holds no network" in str(problem)
        else:
            readable += 1
    assert readable < 20
    for content in (b"", b"PK\x03\x04", b"words", whole[:-200], array.getvalue()):
        file.write_bytes(content)
        with pytest.raises(ValueError, match=r"policy.npz holds no network"):
            NetworkPolicy(file)
    with pytest.raises(OptionError, match="name=''"):
        NetworkPolicy(Network(drawn(30, 25)), name="")
