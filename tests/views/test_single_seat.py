"""The Gymnasium environments: Gymnasium's contract, opponents of every form, and the same games as the AEC view."""

import collections
import copy
import functools
import itertools
import os
import pickle
import subprocess
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pettingzoo
import pytest

from island_core import rng as streams
from island_core import single_seat
from island_core.conformance import ConformanceError, check_single_seat
from island_core.errors import (
    GameOverError,
    IllegalActionError,
    NotResetError,
    OptionError,
    PolicyError,
    PositionError,
)
from island_core.opponents import COUNT_SHIFT, NO_POLICY, OPPONENTS_STREAM
from island_core.policies import KernelPolicy, resolve
from island_core.position import Position
from island_core.selfplay import ACTING, POLICIES
from island_core.view import final_rewards
from tests.common.playing import passive
from tests.views import playing
from tests.views.playing import PLAYERS, a_paid_step, by_hash, illegal_id, plain
from tests.views.playing import snapshot_seat as snapshot

ROOT = Path(__file__).parents[2]
REWARDS = ("win", "score", "rank", "gain")
MASKS = ("observation", "info", "both")

started = functools.partial(playing.started, maker="single_seat")


def to_the_end(env):
    """Play on at random; gives the sum of the rewards and the last result."""
    total = 0.0
    while True:
        result = env.step(env.sample_action())
        total += result[1]
        if result[2] or result[3]:
            return total, result


def allowed_by(env, *shown):
    """The ids that masks allow, wherever they stand."""
    found = {tuple(np.flatnonzero(mask)) for mask in (env.action_masks(), *(one["action_mask"] for one in shown))}
    assert len(found) == 1
    return list(found.pop())


class Acts:
    """A policy that is asked with a position."""

    name = "by position"

    def act(self, position, rng):
        return by_hash(position.observation(position.actor), position.mask())


class ActsOnBatch:
    """A policy that is asked for several games at once."""

    name = "by batch"

    def act_batch(self, observation, action_mask, rng):
        return np.array([by_hash(*row) for row in zip(observation, action_mask, strict=True)])


class Draws:
    """A policy that draws with the generator it is given."""

    name = "drawing"

    def act(self, position, rng):
        return position.sample(rng)


# Gymnasium's own test


@pytest.mark.parametrize("obs_dtype", ["float32", "int8"])
@pytest.mark.parametrize("mask_in", MASKS)
def test_gymnasium_for_every_place_of_the_mask(variant, mask_in, obs_dtype):
    options = {"mask_in": mask_in, "obs_dtype": obs_dtype, "history": 3, **variant.options}
    check_single_seat(gymnasium.make(variant.gymnasium_id, **options))


@pytest.mark.parametrize("illegal", ["terminate", "random"])
@pytest.mark.parametrize("players", PLAYERS)
def test_gymnasium_for_every_number_of_players(game, players, illegal):
    options = {"num_players": players, "illegal": illegal, "seat": "random", "reward": "gain"}
    check_single_seat(gymnasium.make(game.gymnasium_id, opponents="acting", **options))


@pytest.mark.parametrize("opponents", [by_hash, Acts(), ActsOnBatch(), Draws()], ids=lambda policy: str(policy)[:20])
def test_gymnasium_for_every_form_of_opponents(game, opponents):
    check_single_seat(gymnasium.make(game.gymnasium_id, opponents=opponents, illegal="random"))


def test_a_broken_environment_is_noticed(game):
    class Moody(game.module.SingleSeatEnv):
        def reset(self, *, seed=None, options=None):
            return super().reset(seed=None, options=options)

    class Leaky(game.module.SingleSeatEnv):
        def _shown(self):
            observation, info = super()._shown()
            return {**observation, "action_mask": observation["action_mask"].astype(bool)}, info

    for maker in (Moody, Leaky):
        with pytest.raises(ConformanceError, match="check_env"):
            check_single_seat(maker())


# Making one


def test_gymnasium_makes_it_by_name(game):
    env = gymnasium.make(game.gymnasium_id, num_players=3, seat=2, opponents="acting", mask_in="info")
    assert type(env.unwrapped) is game.module.SingleSeatEnv
    assert env.spec.id == game.gymnasium_id
    observation, info = env.reset(seed=3)
    assert env.unwrapped.seat == info["seat"] == 2
    assert env.get_wrapper_attr("action_masks")().sum() == info["action_mask"].sum() > 0
    assert env.observation_space.contains(observation)
    with pytest.raises(OptionError, match="num_players=9"):
        gymnasium.make(game.gymnasium_id, num_players=9)
    with pytest.raises(OptionError, match="unknown option 'players'"):
        gymnasium.make(game.gymnasium_id, players=3)


MAKE = """
import sys, gymnasium
light = not any(name in sys.modules for name in ("numba", MODULE))
opponents = {"player_0": "acting", "player_2": "random", "player_3": "random"}
env = gymnasium.make("PACKAGE:NAME", opponents=opponents, seat=1)
env.reset(seed=5)
for _ in range(12):
    env.step(env.unwrapped.sample_action())
print(light, MODULE in sys.modules, env.unwrapped.position.history)
"""


@pytest.mark.parametrize("jit_off", ["0", "1"])
def test_naming_the_package_is_enough_in_a_fresh_process_and_the_game_is_the_same(game, jit_off):
    code = MAKE.replace("PACKAGE", game.spec.package).replace("MODULE", repr(game.module.__name__))
    command = [sys.executable, "-W", "error", "-c", code.replace("NAME", game.gymnasium_id)]
    variables = {**os.environ, "NUMBA_DISABLE_JIT": jit_off}
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    opponents = {"player_0": "acting", "player_2": "random", "player_3": "random"}
    env = started(game, seed=5, steps=12, opponents=opponents, seat=1)
    assert done.stdout.strip() == f"True True {env.position.history}" and len(env.position.history) > 20


def test_importing_a_package_loads_no_rules(game):
    code = f"import sys, {game.spec.package}; print('numba' in sys.modules, {game.module.__name__!r} in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False False"


def test_registering_twice_keeps_what_is_there(game):
    from island_core.registration import register

    before = gymnasium.registry[game.gymnasium_id]
    register(game.module.__name__, game.gymnasium_id)
    assert gymnasium.registry[game.gymnasium_id] is before
    assert before.entry_point == f"{game.module.__name__}:SingleSeatEnv"


def test_without_a_registry_of_pettingzoo_gymnasium_alone_knows_a_game(monkeypatch):
    """PettingZoo before 1.27 has none."""
    from island_core.registration import register

    monkeypatch.setattr(gymnasium.envs.registration, "registry", dict(gymnasium.registry))
    monkeypatch.setattr(gymnasium, "registry", gymnasium.envs.registration.registry)
    monkeypatch.delattr(pettingzoo, "register")
    register("some_env.some_v0", "Some-v0")
    assert gymnasium.registry["Some-v0"].entry_point == "some_env.some_v0:SingleSeatEnv"
    assert "island_envs/some-v0" not in pettingzoo.aec_registry


@pytest.mark.parametrize("mask_in", MASKS)
def test_vector_environments_of_gymnasium_take_it(game, mask_in):
    """Infos and observations can be stacked, episodes follow each other."""
    options = {"mask_in": mask_in, "illegal": "random", "seat": "random", **game.limit(1)}
    env = gymnasium.make_vec(game.gymnasium_id, num_envs=2, vectorization_mode="sync", **options)
    observation, info = env.reset(seed=3)
    ends = 0
    for _ in range(200):
        assert info["seat"].shape == info["illegal_actions"].shape == (2,)
        flat = observation if mask_in == "info" else observation["observation"]
        assert flat.shape == (2, game.spec.observation.size)
        mask = info["action_mask"] if mask_in != "observation" else observation["action_mask"]
        assert mask.shape == (2, game.actions)
        actions = [one.unwrapped.sample_action() or 0 for one in env.envs]
        observation, _, terminated, truncated, info = env.step(actions)
        ends += int((terminated | truncated).sum())
    assert ends >= 4
    env.close()


@pytest.mark.parametrize("mask_in", MASKS)
def test_spaces_are_those_of_the_aec_environment(variant, mask_in):
    for players in PLAYERS:
        env = variant.single_seat(num_players=players, mask_in=mask_in, history=2)
        aec = variant.env(num_players=players, mask_in=mask_in, history=2)
        assert env.observation_space == aec.observation_space("player_0")
        assert env.action_space == aec.action_space("player_0")
        assert env.state_space == aec.state_space
    assert env.metadata["name"] == f"{variant.name}_v0" and env.metadata["render_modes"] == ["ansi", "human"]
    assert "num_players=6" in repr(env)


# The game of the AEC environment


def others_of_aec(aec, agent, policies):
    """Step an AEC environment by hand until an agent decides or all is over."""
    while not aec.position.is_over and aec.agent_selection != agent:
        seen = aec.observe(aec.agent_selection)
        aec.step(policies[aec.agent_selection](seen["observation"], seen["action_mask"]))


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("players", PLAYERS)
def test_it_is_the_aec_environment_played_by_hand(variant, players, reward):
    """Observations, masks, ends, and rewards with those on the turns of others, over two episodes."""
    seat, agent = players - 1, f"player_{players - 1}"
    options = {
        "num_players": players,
        "reward": reward,
        "mask_in": "both",
        "history": 2,
        **variant.limit(variant.short),
    }
    policies = {f"player_{other}": by_hash for other in range(players) if other != seat}
    env = variant.single_seat(opponents=policies, seat=seat, **options)
    aec = variant.env(**options)
    decisions = 0
    for seed in (players, None):
        aec.reset(seed=seed)
        observation, info = env.reset(seed=seed)
        others_of_aec(aec, agent, policies)
        # The AEC environment shows what is paid before the first decision at once, here it comes with the first step.
        owed = aec._cumulative_rewards[agent]
        terminated = truncated = False
        while not (terminated or truncated):
            assert env.position.to_bytes() == aec.position.to_bytes()
            assert plain(observation) == plain(aec.observe(agent))
            assert plain(info) == plain({"seat": seat, **aec.infos[agent]})
            assert np.array_equal(env.action_masks(), observation["action_mask"].astype(bool))
            action = by_hash(**observation)
            aec.step(action)
            others_of_aec(aec, agent, policies)
            observation, reward_given, terminated, truncated, info = env.step(action)
            assert type(reward_given) is float
            assert reward_given == pytest.approx(aec._cumulative_rewards[agent] + owed, abs=1e-12)
            owed = 0.0
            assert (terminated, truncated) == (aec.terminations[agent], aec.truncations[agent])
            decisions += 1
        assert env.position.history == aec.position.history and np.array_equal(env.state(), aec.state())
        assert plain(observation["observation"]) == plain(aec.observe(agent)["observation"])
        assert allowed_by(env, observation) == [variant.actions - 1]
    assert decisions > 5


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("seat", range(4))
def test_rewards_of_a_whole_game_add_up(variant, seat, reward):
    options = {"opponents": "acting", "seat": seat, "reward": reward, **variant.limit(variant.endless)}
    env = started(variant, seed=seat, **options)
    total, (_, _, terminated, truncated, _) = to_the_end(env)
    assert terminated and not truncated
    kind = "score" if reward == "gain" else reward
    assert total == pytest.approx(final_rewards(env.position, kind)[seat], abs=1e-9)
    assert len(set(env.position.scores)) > 1


def test_what_is_paid_before_the_first_decision_comes_with_the_first_step(variant):
    state, actor, move, paid = a_paid_step(variant)
    moves = itertools.chain([move], itertools.repeat(None))

    def opponent(observation, action_mask):
        known = next(moves)
        return int(np.flatnonzero(action_mask)[0]) if known is None else known

    seat = next(seat for seat in range(4) if seat != actor and paid[seat])
    env = variant.single_seat(opponents=opponent, seat=seat, reward="gain", **variant.limit(variant.endless))
    before = variant.rules(**variant.limit(variant.endless)).from_bytes(state).scores
    env.set_state(state)
    assert env.position.history[0] == move and env.position.actor == seat
    _, reward, terminated, truncated, _ = env.step(env.sample_action())
    gains = [now - then for now, then in zip(env.position.scores, before, strict=True)]
    assert reward == pytest.approx((gains[seat] - sum(gains) / 4) / variant.scale, abs=1e-12)


# A seat that is never asked


@pytest.mark.parametrize("illegal", ["terminate", "raise", "random"])
def test_a_game_that_ends_before_the_seat_is_asked_ends_with_the_no_op(variant, illegal):
    state, actor, move, paid = a_paid_step(variant, over=True)
    seat = (actor + 1) % 4
    limit = variant.limit(variant.short)
    env = variant.single_seat(
        opponents=lambda observation, action_mask: move,
        seat=seat,
        reward="gain",
        illegal=illegal,
        mask_in="both",
        **limit,
    )
    observation, info = env.set_state(state)
    assert env.position.is_over
    noop = variant.actions - 1
    for mask in (observation["action_mask"], info["action_mask"], env.action_masks()):
        assert np.flatnonzero(mask).tolist() == [noop]
    assert plain(observation["observation"]) == plain(env.position.observation(seat))
    assert env.sample_action() == noop
    twin = copy.deepcopy(env)
    observation, reward, terminated, truncated, info = env.step(noop)
    assert (terminated, truncated) == (not env.position.is_truncated, env.position.is_truncated)
    assert reward == pytest.approx(paid[seat], abs=1e-12)
    assert allowed_by(env, observation, info) == [noop] and env.sample_action() is None
    with pytest.raises(GameOverError):
        env.step(noop)
    if illegal == "raise":
        with pytest.raises(IllegalActionError, match=f"action 3 is not legal: .*legal: {noop}, the no-op"):
            twin.step(3)
        assert twin.step(noop)[1:4] == (reward, terminated, truncated)
    else:
        result = twin.step(3)
        expected = (reward, terminated, truncated) if illegal == "random" else (-1.0, True, False)
        assert result[1:4] == expected
        assert result[4].get("illegal_actions") == (1 if illegal == "random" else None)


def test_a_seat_that_no_deal_asks(game):
    """With the guard at one turn or round, seats may never be asked; every deal is played, whatever becomes of it."""
    rules = game.rules(**game.limit(1))
    asked = collections.Counter()
    for seed in range(12):
        env = started(game, seed=seed, seat=3, opponents="acting", **game.limit(1))
        asked[env.position.is_over] += 1
        total, (_, _, terminated, truncated, _) = to_the_end(env)
        assert truncated and not terminated
        position = rules.new(seed)
        for action in env.position.history:
            position.step(action)
        assert position.to_bytes() == env.position.to_bytes()
        assert total == pytest.approx(final_rewards(position, "win")[3], abs=1e-12)
    assert asked[False] and (asked[True] or game.name == "isla_dorada")


# Opponents


FORMS = {
    "random": "random",
    "acting": "acting",
    "callable": by_hash,
    "act": Acts(),
    "act_batch": ActsOnBatch(),
    "drawing": Draws(),
    "a dict of all kinds": {"player_0": "random", "player_2": Draws(), "player_3": "acting"},
    "a dict of callables": {"player_0": by_hash, "player_2": Acts(), "player_3": ActsOnBatch()},
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_opponents_plays_a_legal_game_that_depends_on_the_seed_alone(variant, form):
    options = {"opponents": FORMS[form], "seat": 1, **variant.limit(variant.short)}
    env, twin = variant.single_seat(**options), variant.single_seat(**options)
    histories = set()
    for seed in (1, None, 2):
        for made in (env, twin):
            made.reset(seed=seed)
            to_the_end(made)
        assert env.position.history == twin.position.history
        histories.add(env.position.history)
        position = variant.rules(**variant.limit(variant.short)).new(seed or 1, 0, int(seed is None))
        for action in env.position.history:
            position.step(action)
        assert position.to_bytes() == env.position.to_bytes()
        assert position.events_since(0) == env.position.events_since(0)
    assert len(histories) == 3


def test_the_three_ways_to_ask_give_the_same_game(variant):
    """The three see the same of every decision."""
    played = []
    for opponents in (by_hash, Acts(), ActsOnBatch(), FORMS["a dict of callables"]):
        env = started(variant, seat=1, opponents=opponents, **variant.limit(variant.short))
        to_the_end(env)
        played.append(env.position.history)
    assert played[0] == played[1] == played[2] == played[3]


def test_acting_opponents_are_never_passive_without_need_and_random_ones_are(variant):
    for policy in POLICIES[: ACTING + 1]:
        env = started(variant, seat=0, opponents=policy, **variant.limit(variant.middle))
        to_the_end(env)
        position = variant.rules(**variant.limit(variant.middle)).new(1)
        avoidable = 0
        for action in env.position.history:
            legal = np.array(position.legal_actions())
            needless = passive(variant.spec.actions)[action] and not passive(variant.spec.actions)[legal].all()
            avoidable += bool(needless and position.actor != 0)
            position.step(action)
        assert bool(avoidable) == (policy == "random")


@pytest.mark.parametrize("policy", POLICIES)
def test_opponents_in_the_kernels_are_those_of_a_loop_in_python(variant, policy):
    env = started(variant, seat=2, opponents=policy, seed=8)
    words = np.empty(4, np.uint64)
    streams.seed_words(words, 8, OPPONENTS_STREAM, 0)
    position = variant.rules().new(8)
    for _ in range(15):
        while position.actor not in (2, None):
            position.step(variant.spec.decide(position.states, 0, POLICIES.index(policy), words))
        assert env.position.to_bytes() == position.to_bytes() and env.position.history == position.history
        if position.is_over:
            break
        action = env.sample_action()
        env.step(action)
        position.step(action)


@pytest.mark.parametrize("room", [1, 2, 3])
def test_moves_that_need_several_calls_are_the_same(game, monkeypatch, room):
    def history():
        env = started(game, seat=1, opponents="random", steps=20)
        return env.position.history, env.position.to_bytes()

    expected = history()
    monkeypatch.setattr(single_seat, "TAKEN", room)
    assert history() == expected


def test_the_kernel_writes_no_moves_where_there_is_no_room(game):
    spec = game.spec
    ids = np.array([0, NO_POLICY, 1, 0, NO_POLICY, NO_POLICY], np.int64)
    found = []
    for room in (0, 500):
        position = game.rules().new(4)
        words, taken = np.array([1, 2, 3, 4], np.uint64), np.full(room, -1, np.int64)
        played = spec.play_others(position.states, 0, ids, words, taken, spec.advise_address)
        count = played >> COUNT_SHIFT
        assert (taken[:count] >= 0).all() and (taken[count:] == -1).all()
        found.append((played, position.states.tobytes(), plain(words)))
    assert found[0] == found[1]


def test_what_policies_are_asked_with(game):
    """The seat that decides, what it sees in the environment's form, copies, and one generator for all."""
    seen = []

    class Looks(Draws):
        def act(self, position, rng):
            assert isinstance(position, Position) and isinstance(rng, np.random.Generator)
            seen.append((position.actor, position, rng))
            action = position.sample(rng)
            position.step(action)  # a copy: no harm is done
            return action

    class LooksAtBatch:
        name = "batch"

        def act_batch(self, observation, action_mask, rng):
            assert observation.shape == (1, game.spec.observation.size + 20) and observation.dtype == np.int8
            assert action_mask.shape == (1, game.actions) and action_mask.dtype == np.int8
            seen.append((2, None, rng))
            action = np.flatnonzero(action_mask[0])[-1:]
            observation[:] = action_mask[:] = 0
            return action

    def looks(observation, action_mask):
        assert observation.shape == (game.spec.observation.size + 20,) and observation.dtype == np.int8
        assert action_mask.shape == (game.actions,) and action_mask.dtype == np.int8 and action_mask.any()
        seen.append((3, None, None))
        return int(np.flatnonzero(action_mask)[-1])

    opponents = {"player_1": Looks(), "player_2": LooksAtBatch(), "player_3": looks}
    env = game.single_seat(opponents=opponents, history=5, obs_dtype="int8", mask_in="info", **game.limit(game.short))
    env.reset(seed=1)
    to_the_end(env)
    assert {actor for actor, _, _ in seen} == {1, 2, 3}
    assert len({id(rng) for _, _, rng in seen if rng is not None}) == 1
    assert all(position is not env.position for _, position, _ in seen)


# What is no policy


class Nameless:
    def act(self, position, rng):
        raise AssertionError


NO_POLICIES = {
    "an unknown name": (
        "clever",
        "opponents='clever': no policy of that name; allowed: 'random', 'acting', 'greedy', 'planner', 'ppo', 'ismcts'",
    ),
    "a number": (3, "opponents=3; allowed: 'random', 'acting', 'greedy', 'planner', 'ppo', 'ismcts'"),
    "nothing": (None, "opponents=None; allowed: 'random'"),
    "a list": (["random"] * 3, r"opponents=\['random', .*; allowed: 'random'"),
    "a class": (Acts, "is a class, not an object of it; allowed: 'random'"),
    "without a name": (Nameless(), "has name=None; allowed: a string"),
    "nobody's": ({}, "opponents for nobody; allowed: for 'player_0', 'player_2', 'player_3'$"),
    "one missing": (
        {"player_0": "random", "player_2": "random"},
        "opponents for 'player_0', 'player_2'; allowed: for ",
    ),
    "one too many": (
        dict.fromkeys(("player_0", "player_2", "player_3", "player_4"), "random"),
        "'player_4'; allowed: for 'player_0', 'player_2', 'player_3'$",
    ),
    "the learner's": (
        dict.fromkeys(("player_0", "player_1", "player_2", "player_3"), "random"),
        "'player_1', .*; allowed: for 'player_0', 'player_2', 'player_3'$",
    ),
    "by seat": ({0: "random", 2: "random", 3: "random"}, "opponents for 0, 2, 3; allowed: for 'player_0'"),
    "a bad one among them": (
        {"player_0": "random", "player_2": "clever", "player_3": by_hash},
        r"opponents\['player_2'\]='clever': no policy of that name",
    ),
}


@pytest.mark.parametrize("bad", NO_POLICIES)
def test_what_is_no_policy_is_refused(game, bad):
    opponents, message = NO_POLICIES[bad]
    with pytest.raises(OptionError, match=message):
        game.single_seat(opponents=opponents, seat=1)


def test_a_resolved_policy_is_taken_as_it_is(game):
    policy = resolve(by_hash, "opponents")
    assert policy.name == "by_hash" and resolve(policy, "opponents") is policy
    assert resolve(Acts(), "opponents").name == "by position"
    assert resolve(lambda observation, action_mask: 0, "opponents").name == "<lambda>"
    histories = [started(game, opponents=one, steps=10).position.history for one in (by_hash, policy)]
    assert histories[0] == histories[1]


# Policies that fail


class FailsOnce:
    """Gives something else than a legal action at its n-th move, and legal ones before and after."""

    name = "unreliable"

    def __init__(self, given, when, form):
        self.given, self.when, self.moves = given, when, 0
        if form == "act":
            self.act = lambda position, rng: self.choose(position.mask(), rng, False)
        else:
            self.act_batch = lambda observation, mask, rng: self.choose(mask[0], rng, True)

    def choose(self, mask, rng, batch):
        self.moves += 1
        if self.moves == self.when:
            if isinstance(self.given, Exception):
                raise self.given
            return self.given(mask) if callable(self.given) else self.given
        action = int(rng.choice(np.flatnonzero(mask)))
        return np.array([action]) if batch else action


def illegal_in(mask):
    return int(np.flatnonzero(mask == 0)[-1])


FAILURES = [
    ("act", illegal_in, PolicyError, "is not legal"),
    ("act", -1, PolicyError, "action -1 is not legal"),
    ("act", 10**30, PolicyError, "is not legal"),
    ("act", None, PolicyError, "gave None; allowed: one integer"),
    ("act", 1.0, PolicyError, r"gave 1.0; allowed: one integer"),
    ("act", "pass", PolicyError, "gave 'pass'; allowed: one integer"),
    ("act", ZeroDivisionError("own fault"), ZeroDivisionError, "own fault"),
    ("act_batch", lambda mask: np.array([illegal_in(mask)]), PolicyError, "is not legal"),
    ("act_batch", 3, PolicyError, r"gave 3; allowed: integers of shape \(1,\)"),
    ("act_batch", [1, 2], PolicyError, r"gave \[1, 2\]; allowed: integers of shape \(1,\)"),
    ("act_batch", np.array([1.0]), PolicyError, r"allowed: integers of shape \(1,\)"),
    ("act_batch", np.array([True]), PolicyError, r"allowed: integers of shape \(1,\)"),
]


@pytest.mark.parametrize(("form", "given", "error", "message"), FAILURES)
def test_a_policy_that_fails_is_named_with_its_game_and_nothing_changes(game, form, given, error, message):
    policy = FailsOnce(given, 12, form)
    env = game.single_seat(opponents={"player_0": "random", "player_2": policy, "player_3": policy}, seat=1)
    env.reset(seed=6)
    with pytest.raises(error, match=message) as caught:
        while True:
            before = snapshot(env)
            action = env.sample_action()
            env.step(action)
    if error is not PolicyError:
        note = caught.value.__notes__[-1]
        assert "policy 'unreliable'; seed 6, episode 0, moves [" in note
    text = str(caught.value)
    if error is PolicyError:
        assert text.startswith(("player_2: policy 'unreliable'", "player_3: policy 'unreliable'"))
        played, moves = text.partition("; seed 6, episode 0, moves ")[::2]
        position = game.rules().new(6)
        for move in eval(moves):
            position.step(move)
        assert f"player_{position.actor}:" in played
        assert tuple(eval(moves))[: len(before[0][4])] == before[0][4]
    assert snapshot(env) == before
    env.step(action)  # once only
    to_the_end(started(game, **game.limit(1)))


def test_a_policy_that_fails_at_a_reset_leaves_the_game_before_it(game):
    calls = itertools.count()

    def fails_later(observation, action_mask):
        return by_hash(observation, action_mask) if next(calls) < 400 else -1

    env = game.single_seat(opponents=fails_later, seat=0)
    env.reset(seed=2)
    with pytest.raises(PolicyError, match=r"policy 'fails_later': action -1 .*; seed 2, episode \d+, moves"):
        while True:
            before, episode = snapshot(env), env._episode
            env.reset()
    assert snapshot(env) == before and env._episode == episode
    with pytest.raises(PolicyError, match="a saved position, moves"):
        env.set_state(opponents_turn(game))
    assert snapshot(env) == before


def opponents_turn(game):
    """A saved position in which player_1 decides."""
    aec = game.env()
    aec.reset(seed=1)
    while aec.position.actor != 1:
        aec.step(aec.sample_action())
    return aec.get_state()


# The learner's seat


@pytest.mark.parametrize(("seat", "expected"), [(0, 0), (2, 2), (np.int8(3), 3), ("player_1", 1)])
def test_a_seat_is_given_by_number_or_name(game, seat, expected):
    env = game.single_seat(seat=seat)
    assert env.seat == expected
    observation, info = env.reset(seed=1)
    assert env.seat == info["seat"] == env.position.actor == expected
    assert plain(observation["observation"]) == plain(env.position.observation(expected))


@pytest.mark.parametrize("seat", [-1, 4, 1.0, True, None, "player_4", "1", "", (0,)])
def test_bad_seats_are_refused(game, seat):
    with pytest.raises(OptionError, match="seat=.*; allowed: integers from 0 to 3, 'player_0', .*, 'random'"):
        game.single_seat(seat=seat)


@pytest.mark.parametrize("players", PLAYERS)
def test_a_random_seat_is_drawn_for_each_episode_from_the_seed(game, players):
    def seats(seed):
        env = game.single_seat(num_players=players, seat="random", opponents="acting")
        found = []
        for episode in range(40):
            observation, info = env.reset(seed=seed if episode == 0 else None)
            assert env.seat == info["seat"]
            if not env.position.is_over:
                assert env.position.actor == env.seat
            assert plain(observation["observation"]) == plain(env.position.observation(env.seat))
            found.append(env.seat)
        return found

    assert seats(1) == seats(1) != seats(2)
    counted = collections.Counter(seats(1) + seats(2) + seats(3))
    assert set(counted) == set(range(players))
    # 120 draws: each seat 20 to 40 times on average; less than half or more than twice that would be a strange die.
    assert all(60 / players < number < 240 / players for number in counted.values())


def test_a_random_seat_needs_a_policy_for_every_player(game):
    with pytest.raises(OptionError, match="allowed: for 'player_0', 'player_1', 'player_2', 'player_3'$"):
        game.single_seat(seat="random", opponents=dict.fromkeys(("player_1", "player_2", "player_3"), "random"))
    everybody = {"player_0": "random", "player_1": by_hash, "player_2": Acts(), "player_3": "acting"}
    env = game.single_seat(seat="random", opponents=everybody, **game.limit(game.short))
    with pytest.raises(NotResetError, match=r"seat: call reset\(\) first"):
        _ = env.seat
    for episode in range(8):
        env.reset(seed=episode)
        to_the_end(env)


# Seeds


@pytest.mark.parametrize("seat", [1, "random"])
def test_reset_deals_what_the_rules_object_deals(variant, seat):
    env = variant.single_seat(num_players=5, seat=seat)
    for seed, expected in ((77, (77, 0, 0)), (None, (77, 0, 1)), (None, (77, 0, 2)), (np.int64(78), (78, 0, 0))):
        env.reset(seed=seed, options={"anything": 1})
        position = variant.rules(num_players=5).new(*expected)
        for action in env.position.history:
            position.step(action)
        assert position.to_bytes() == env.position.to_bytes()


# Order of calls, illegal actions


def test_everything_before_reset_says_so(game):
    env = game.single_seat(render_mode="ansi")
    asks = {
        "step": lambda: env.step(0),
        "action_masks": lambda: env.action_masks(),
        "sample_action": lambda: env.sample_action(),
        "state": lambda: env.state(),
        "render": lambda: env.render(),
        "position": lambda: env.position,
        "get_state": lambda: env.get_state(),
    }
    for name, ask in asks.items():
        with pytest.raises(NotResetError, match=rf"^{name}: call reset\(\) first"):
            ask()


def test_stepping_past_the_end_is_refused(game):
    env = started(game, **game.limit(1))
    to_the_end(env)
    before = snapshot(env)
    with pytest.raises(GameOverError, match=r"step\(0\): the game is over; call reset\(\)"):
        env.step(0)
    assert snapshot(env) == before and env.sample_action() is None
    env.reset()
    env.step(env.sample_action())


NO_INTEGERS = (None, 1.0, np.float64(3), True, np.True_, "let be", [1], np.array([1]), {})


@pytest.mark.parametrize("illegal", ["terminate", "raise", "random"])
@pytest.mark.parametrize("action", NO_INTEGERS, ids=map(repr, NO_INTEGERS))
def test_what_is_no_integer_is_always_an_error(game, illegal, action):
    env = started(game, steps=5, illegal=illegal)
    before = snapshot(env)
    with pytest.raises(IllegalActionError, match=f"for player_0; allowed: integers from 0 to {game.actions - 1}"):
        env.step(action)
    assert snapshot(env) == before


ILLEGAL = {
    "inside": illegal_id,
    "no-op": lambda env: int(env.action_space.n) - 1,
    "-1": lambda env: -1,
    "size": lambda env: int(env.action_space.n),
    "huge": lambda env: 10**30,
}


@pytest.mark.parametrize("opponents", ["random", by_hash], ids=["random", "callable"])
@pytest.mark.parametrize("which", ILLEGAL)
def test_illegal_actions(game, which, opponents):
    env = started(game, steps=8, mask_in="both", reward="gain", opponents=opponents)
    assert env._view.illegal == "terminate"
    position = env.position.to_bytes()
    observation, reward, terminated, truncated, info = env.step(ILLEGAL[which](env))
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert env.position.to_bytes() == position
    assert allowed_by(env, observation, info) == [game.actions - 1]
    with pytest.raises(GameOverError):
        env.step(0)

    env = started(game, steps=8, illegal="raise", opponents=opponents)
    before = snapshot(env)
    with pytest.raises(IllegalActionError, match="is not legal: .*legal: ") as caught:
        env.step(ILLEGAL[which](env))
    assert str(ILLEGAL[which](env)) in str(caught.value)
    assert snapshot(env) == before

    env, twin = (started(game, steps=8, illegal="random", opponents=opponents) for _ in range(2))
    for number in range(1, 9):
        legal, length = env.position.legal_actions(), len(env.position.history)
        info = env.step(ILLEGAL[which](env))[4]
        twin.step(-1)
        assert info == {"seat": 0, "illegal_actions": number}
        assert env.position.history[length] in legal
    assert env.position.history == twin.position.history
    env.reset()
    assert env._shown()[1] == {"seat": 0, "illegal_actions": 0}


@pytest.mark.parametrize("mask_in", MASKS)
def test_masks_stand_where_the_option_says(game, mask_in):
    env = game.single_seat(mask_in=mask_in, opponents="acting", **game.limit(game.short))
    observation, info = env.reset(seed=1)
    over = False
    while True:
        mask = env.position.mask()
        if over:
            assert not mask.any()
            mask[-1] = 1  # the no-op
        found = [] if mask_in == "info" else [observation["action_mask"]]
        found += [] if mask_in == "observation" else [info["action_mask"]]
        assert all(one.dtype == np.int8 and np.array_equal(one, mask) for one in found)
        assert set(info) == ({"seat"} if mask_in == "observation" else {"seat", "action_mask"})
        assert isinstance(observation, np.ndarray) == (mask_in == "info")
        assert env.observation_space.contains(observation)
        assert env.action_masks().dtype == bool and np.array_equal(env.action_masks(), mask)
        if over:
            break
        observation, _, terminated, truncated, info = env.step(env.sample_action())
        over = terminated or truncated


# Copies, saving


@pytest.mark.parametrize("opponents", ["random", FORMS["a dict of all kinds"]], ids=["kernel", "mixed"])
def test_copies_go_on_identically(variant, opponents):
    options = {"seat": 1, "mask_in": "both", "illegal": "random", "reward": "gain", "opponents": opponents}
    env = started(variant, steps=8, **options, **variant.limit(variant.short))
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    before = snapshot(env)
    assert all(snapshot(twin) == before for twin in copies)
    ends = [(to_the_end(twin)[0], snapshot(twin)) for twin in copies]
    assert snapshot(env) == before
    assert ends[0] == ends[1] == (to_the_end(env)[0], snapshot(env))


def test_saved_states_go_on_in_the_same_position(variant):
    env = started(variant, seat=2, steps=10, opponents=by_hash, reward="gain")
    other = variant.single_seat(seat=2, opponents=by_hash, reward="gain")
    observation, info = other.set_state(env.get_state())
    assert (plain(observation), plain(info)) == tuple(map(plain, env._shown()))
    for _ in range(10):
        action = env.sample_action()
        one, two = env.step(action), other.step(action)
        assert one[1:4] == two[1:4] and plain(one[0]) == plain(two[0])
        assert env.get_state() == other.get_state()
        if one[2] or one[3]:
            break
    other.reset(seed=3)
    other.set_state(opponents_turn(variant))
    assert other.position.actor == 2 and len(other.position.history) > 0


def test_a_saved_end_is_an_end(game):
    env = started(game, **game.limit(1))
    to_the_end(env)
    other = game.single_seat(**game.limit(1))
    observation, _ = other.set_state(env.get_state())
    assert allowed_by(other, observation) == [game.actions - 1] and other.sample_action() is None
    with pytest.raises(GameOverError):
        other.step(0)


def test_bad_states_are_refused_and_nothing_changes(game):
    env = started(game, steps=10, mask_in="both")
    before = snapshot(env)
    for bad in (b"", None, env.get_state()[:-1], game.rules(num_players=5).new(1).to_bytes()):
        with pytest.raises(PositionError):
            env.set_state(bad)
        assert snapshot(env) == before


# Rendering


def test_human_prints_after_each_step_and_ansi_returns(game, capsys):
    env = started(game, render_mode="human")
    assert capsys.readouterr().out == ""
    env.step(env.sample_action())
    assert capsys.readouterr().out == f"{env.position}\n"
    env.step(illegal_id(env))
    assert capsys.readouterr().out == f"{env.position}\n"
    env = started(game, render_mode="ansi", steps=2)
    assert env.render() == str(env.position)
    assert capsys.readouterr().out == ""
    env.close()


@pytest.mark.parametrize("policy", POLICIES)
def test_a_kernel_policy_can_be_asked_in_python(game, policy):
    asked = KernelPolicy(policy)
    assert (asked.name, repr(asked)) == (policy, f"KernelPolicy({policy!r})")
    assert resolve(asked, "opponents") == resolve(policy, "opponents")
    position = game.rules(num_players=4).new(3)
    generators = [np.random.default_rng(5) for _ in range(2)]
    while len(position.history) < 80:
        before = position.to_bytes()
        action = asked.act(position, generators[0])
        assert position.to_bytes() == before and action in position.legal_actions()
        assert asked.act(position, generators[1]) == action
        position.step(action)
    with pytest.raises(OptionError, match="name='clever'; allowed: 'random', 'acting', 'greedy', 'planner'"):
        KernelPolicy("clever")
    for bad in ((position, None), (position, 5), (None, generators[0])):
        with pytest.raises(TypeError, match="expected a Position and a numpy.random.Generator"):
            asked.act(*bad)
    while not position.is_over:
        position.step(position.sample(generators[0]))
    with pytest.raises(GameOverError, match="the game is over, nobody decides"):
        asked.act(position, generators[0])


WITHOUT_ADVICE = """
from {package} import {module} as game
from {package}.game import SPEC
from island_core.arena import Tournament
from island_core.search import Search
from island_core.selfplay_report import SelfPlay
from {package}.selfplay import SUBJECT

env = game.SingleSeatEnv(num_players=3, opponents="acting")
env.reset(seed=1)
env.step(env.sample_action())
batch = game.batch_env(2, num_players=3)
batch.reset(seed=1)
batch.step(batch.sample_actions())
vector = game.VectorEnv(2, num_players=3, opponents="random")
vector.reset(seed=1)
vector.step(vector.sample_actions())
rules = game.Game(num_players=3)
Search(rules, simulations=2).run(env.position)
SelfPlay(SUBJECT, rules.new(1).states.copy(), "acting", 0, 1).run(1)
Tournament(rules, ["random", "acting", "acting"], games=3).run()
assert not SPEC.rules.advise.signatures
batch.sample_actions(policy="greedy")
assert len(SPEC.rules.advise.signatures) == 1
"""


def test_who_plays_without_the_policies_of_the_game_does_not_wait_for_them(game):
    """They take a minute to compile; in a process of its own, where nobody has asked for them before."""
    package = game.spec.package
    code = WITHOUT_ADVICE.format(package=package, module=f"{game.spec.name}_{game.spec.version}")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
