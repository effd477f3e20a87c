"""The vector environment: each game goes as the single seat's that is dealt alike, in every mode, with every form of
opponents; infos are those of Gymnasium's own vector environments; bad input changes nothing.
"""

import copy
import functools
import json
import pickle
import re
import zlib

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import vector as wrappers

from island_core import batch, jit, vector
from island_core.errors import (
    GameOverError,
    IllegalActionError,
    NotResetError,
    OptionError,
    PolicyError,
    PositionError,
)
from island_core.opponents import NO_POLICY
from island_core.position import LARGEST_SEED, Position
from island_core.vector_loops import PLAY_OTHERS
from tests.views.games import MANY_OPTIONS, bad_options, check_refused
from tests.views.playing import PLAYERS, by_hash, plain
from tests.views.test_single_seat import FORMS, NO_POLICIES, Acts, ActsOnBatch, Draws

MODES = ("SAME_STEP", "NEXT_STEP", "DISABLED")
MASKS = ("observation", "info", "both")
REWARDS = ("win", "score", "rank", "gain")
SIZE = 3


def single(game, i, **options):
    """The single-seat environment that is dealt as game i of many."""
    env = game.single_seat(**options)
    env._index = i
    return env


def by_gymnasium(game, count, mode="SAME_STEP", **options):
    """Gymnasium's own vector environment of such."""
    makers = [lambda i=i: single(game, i, **{"illegal": "raise", **options}) for i in range(count)]
    return gymnasium.vector.SyncVectorEnv(makers, autoreset_mode=gymnasium.vector.AutoresetMode[mode])


def sampled(env):
    """An action of each learner, 0 where there is none."""
    return np.maximum(env.sample_actions(), 0)


def sampled_alone(env):
    return np.array([0 if (action := one.unwrapped.sample_action()) is None else action for one in env.envs])


def plain_infos(infos):
    """Infos as plain values, the arrays of objects as lists."""

    def part(value):
        if isinstance(value, dict):
            return {name: part(one) for name, one in value.items()}
        if value.dtype == object:
            return [None if one is None else plain(one) for one in value]
        return plain(value)

    return part(infos)


def flat(observation):
    return observation["observation"] if isinstance(observation, dict) else observation


def begun(game, num_envs=SIZE, seed=3, steps=0, **options):
    """A vector environment after a reset and so many random steps."""
    env = game.vector_env(num_envs, **options)
    env.reset(seed=seed)
    for _ in range(steps):
        env.step(sampled(env))
    return env


def state_of(env):
    """Everything an environment shows and draws with."""
    generators = [None if one is None else one.bit_generator.state for one in (*env._generators, env._generator)]
    layout = env._spec.layout
    arrays = [layout.pack(env._states), batch.LEDGER.pack(env._ledger), vector.TABLES.pack(env._tables)]
    buffers = [plain(env._masks), plain(env._buffer)]
    return copy.deepcopy((arrays, buffers, generators, env._moves, env._deals, env._begun, env._np_random_seed))


def illegal_of(env, i):
    """Some id inside the space that the learner of game i may not choose."""
    return int(np.flatnonzero(~env.action_masks()[i])[-1])


# The same games


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("mask_in", MASKS)
def test_it_is_gymnasiums_vector_of_single_seats(variant, mask_in, mode):
    """Everything both return is equal: types, shapes, values, keys of infos; over several episodes of each game."""
    options = {"mask_in": mask_in, "opponents": "acting", "seat": "random", "history": 2, **variant.limit(1)}
    options["illegal"] = "raise" if mode == "DISABLED" else "random"
    env, twin = variant.vector_env(SIZE, autoreset_mode=mode, **options), by_gymnasium(variant, SIZE, mode, **options)
    ends = np.zeros(SIZE, int)
    result, expected = env.reset(seed=[4, 9, 4]), twin.reset(seed=[4, 9, 4])
    finals = 0
    for _ in range(60):
        assert plain(result[0]) == plain(expected[0])
        assert all(env.observation_space.contains(part) for part in (result[0],))
        for mine, theirs in zip(result[1:-1], expected[1:-1], strict=True):
            assert plain(mine) == plain(theirs)
        assert plain_infos(result[-1]) == plain_infos(expected[-1])
        finals += "final_obs" in result[-1]
        masks = [one.unwrapped.action_masks() for one in twin.envs]
        assert np.array_equal(env.action_masks(), masks) and env.action_masks().dtype == bool
        over = np.zeros(SIZE, bool) if len(result) == 2 else result[2] | result[3]
        ends += over
        if mode == "DISABLED" and over.any():
            observation, infos = env.reset(options={"reset_mask": over})
            # Gymnasium tells of those alone that were reset, here the others' infos are there, too.
            seen, told = twin.reset(options={"reset_mask": over})
            assert plain(observation) == plain(seen)
            for name in told:
                assert np.array_equal(np.asarray(infos[name])[over], told[name][over])
                assert infos[f"_{name}"].all() if not name.startswith("_") else infos[name].all()
        actions = sampled(env)
        assert np.array_equal(actions, sampled_alone(twin))
        if options["illegal"] == "random":
            actions = np.where(np.arange(SIZE) == ends % SIZE, env.single_action_space.n - 2, actions)
        result, expected = env.step(actions), twin.step(actions)
    assert (ends >= 2).all() and bool(finals) == (mode == "SAME_STEP")
    assert env.single_observation_space == twin.single_observation_space
    assert env.observation_space == twin.observation_space and env.action_space == twin.action_space
    assert env.metadata["autoreset_mode"] is twin.metadata["autoreset_mode"]


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("players", PLAYERS)
def test_rewards_and_ends_are_those_of_single_seats_over_whole_games(variant, players, reward):
    """Games that end by themselves, with opponents of both kinds."""
    policies = {f"player_{seat}": ("random", "acting")[seat % 2] for seat in range(players - 1)}
    options = {"num_players": players, "reward": reward, "opponents": policies, "seat": f"player_{players - 1}"}
    options.update(obs_dtype="int8", **variant.limit(variant.endless))
    env = variant.vector_env(2, **options)
    alone = [single(variant, i, **{**options, "illegal": "raise"}) for i in range(2)]
    env.reset(seed=players)
    for one in alone:
        one.reset(seed=players)
    ended, paid = np.zeros(2, bool), 0
    while not ended.all():
        actions = env.sample_actions()
        seen, rewards, terminated, truncated, infos = env.step(actions)
        assert rewards.dtype == np.float64
        for i, one in enumerate(alone):
            observation, expected, over, cut, info = one.step(int(actions[i]))
            # The very same number: nothing is rounded on the way.
            assert (rewards[i], terminated[i], truncated[i]) == (expected, over, cut)
            paid += bool(expected)
            if over or cut:
                assert plain(infos["final_obs"][i]) == plain(observation)
                assert infos["final_info"]["seat"][i] == info["seat"] == players - 1
                observation, _ = one.reset()
                ended[i] = True
            assert plain({name: part[i] for name, part in seen.items()}) == plain(observation)
            assert env.position(i).to_bytes() == one.position.to_bytes()
    # The second of three is paid nothing by rank.
    assert paid or (reward, players) == ("rank", 3)


@pytest.mark.parametrize("illegal", ["terminate", "random"])
def test_illegal_actions_do_what_they_do_to_a_single_seat(variant, illegal):
    options = {"illegal": illegal, "opponents": "acting", "reward": "gain", "mask_in": "both"}
    options.update(variant.limit(variant.short))
    env, twin = variant.vector_env(SIZE, **options), by_gymnasium(variant, SIZE, **options)
    env.reset(seed=[8] * SIZE), twin.reset(seed=[8] * SIZE)
    size = int(env.single_action_space.n)
    numbers = iter([illegal_of(env, 0), -1, size, 10**12, -(10**12)] * 20)
    offended = 0
    for step in range(40):
        actions = env.sample_actions()
        if step % 4 == 3:
            actions[step % SIZE] = next(numbers)
            offended += 1
        result, expected = env.step(actions), twin.step([int(action) for action in actions])
        for mine, theirs in zip(result[:-1], expected[:-1], strict=True):
            assert plain(mine) == plain(theirs)
        assert plain_infos(result[-1]) == plain_infos(expected[-1])
        if illegal == "terminate" and step % 4 == 3:
            assert result[1][step % SIZE] == -1.0 and result[2][step % SIZE] and not result[3][step % SIZE]
    assert offended == 10


@pytest.mark.parametrize("seat", [0, 2, "player_1", "random"])
def test_games_are_dealt_by_seed_index_and_episode(variant, seat):
    env = variant.vector_env(4, seat=seat, opponents="random", **variant.limit(1))
    env.reset(seed=6)

    def deals():
        """Where each game goes on when it is dealt so, with its seat."""
        return [(env.position(i).to_bytes(), int(env.seats[i])) for i in range(4)]

    def expected(seeds, episodes):
        found = []
        for i, (seed, episode) in enumerate(zip(seeds, episodes, strict=True)):
            one = single(variant, i, seat=seat, opponents="random", **variant.limit(1))
            for number in range(episode + 1):
                one.reset(seed=seed if number == 0 else None)
            found.append((one.position.to_bytes(), one.seat))
        return found

    assert deals() == expected([6] * 4, [0] * 4)
    env.reset()
    assert deals() == expected([6] * 4, [1] * 4)
    env.reset(options={"reset_mask": np.array([True, False, True, False])})
    assert deals() == expected([6] * 4, [2, 1, 2, 1])
    env.reset(seed=[7, None, np.int64(8), None])
    assert deals() == expected([7, 6, 8, 6], [0, 2, 0, 2])
    env.reset(seed=np.array([1, 2, 3, 4]), options={"reset_mask": [False, False, False, True]})
    assert deals() == expected([7, 6, 8, 4], [0, 2, 0, 0])
    whole = deals()
    env.reset(options={"reset_mask": np.zeros(4, bool), "other": 3})
    assert deals() == whole
    assert variant.vector_env(9, seat=seat, **variant.limit(1)).reset(seed=6)[1]["seat"].shape == (9,)
    if seat == "random":
        assert len({int(s) for s in variant.vector_env(40, seat="random").reset(seed=1)[1]["seat"]}) == 4


def test_a_game_does_not_depend_on_the_others(game):
    few, many = begun(game, 2, opponents="acting", steps=40), begun(game, 7, opponents="acting", steps=40)
    assert [few.position(i).to_bytes() for i in range(2)] == [many.position(i).to_bytes() for i in range(2)]
    assert plain(few.action_masks()) == plain(many.action_masks()[:2])


def test_without_any_seed_games_differ_from_one_another_and_from_run_to_run(game):
    made = [game.vector_env(2) for _ in range(2)]
    for env in made:
        env.reset(seed=[None, None])
    assert len({env.position(i).to_bytes() for env in made for i in range(2)}) == 4
    env = game.vector_env(2)
    env.reset(seed=[None, 5])
    one = single(game, 1)
    one.reset(seed=5)
    assert env.position(1).to_bytes() == one.position.to_bytes()


def test_a_game_that_ends_before_the_seat_is_asked_waits_for_the_no_op(game):
    """With the guard at one turn or round some seats are never asked; made sure of by an opponent's move otherwise."""
    options = {"seat": 3, "opponents": "acting", "mask_in": "both", **game.limit(1)}
    env = game.vector_env(40, illegal="terminate", **options)
    observation, _ = env.reset(seed=0)
    noop = game.actions - 1
    unasked = np.flatnonzero(observation["action_mask"][:, noop])
    assert len(unasked) or game.name == "isla_dorada"
    for i in unasked:
        assert env.position(i).is_over and env.position(i).is_truncated
        assert np.flatnonzero(observation["action_mask"][i]).tolist() == [noop] == [env.sample_actions()[i]]
    alone = [single(game, i, illegal="terminate", **options) for i in range(40)]
    for one in alone:
        one.reset(seed=0)
    actions = env.sample_actions()
    if len(unasked):
        actions[unasked[0]] = 3
        strict = game.vector_env(40, **options)
        strict.reset(seed=0)
        before = state_of(strict)
        with pytest.raises(
            IllegalActionError, match=rf"actions\[{unasked[0]}\]: action 3 is not legal: the game ended"
        ):
            strict.step(actions)
        assert state_of(strict) == before
    expected = [one.step(int(action))[1:4] for one, action in zip(alone, actions, strict=True)]
    assert list(zip(*(part.tolist() for part in env.step(actions)[1:4]), strict=True)) == expected
    if len(unasked):
        assert expected[unasked[0]] == (-1.0, True, False)


# Modes


def test_same_step_shows_the_new_game_and_keeps_the_end(game):
    env = begun(game, 2, seat="random", opponents="acting", **game.limit(1))
    for _ in range(200):
        observation, _, terminated, truncated, infos = env.step(env.sample_actions())
        ended = terminated | truncated
        assert ("final_obs" in infos) == ended.any()
        if not ended.any():
            continue
        assert infos["_final_obs"].tolist() == infos["_final_info"].tolist() == ended.tolist()
        for i in range(2):
            if not ended[i]:
                assert infos["final_obs"][i] is None
                continue
            assert np.flatnonzero(infos["final_obs"][i]["action_mask"]).tolist() == [game.actions - 1]
            assert observation["action_mask"][i].any() and not observation["action_mask"][i, -1]
            assert env.single_observation_space.contains(infos["final_obs"][i])
        if ended.all():
            return
    raise AssertionError


def test_next_step_ignores_the_action_after_the_end(game):
    env = begun(game, 2, autoreset_mode="NEXT_STEP", opponents="acting", **game.limit(1))
    while True:
        observation, rewards, terminated, truncated, _ = env.step(sampled(env))
        ended = terminated | truncated
        if ended.any() and not ended.all():
            break
    (i,) = np.flatnonzero(ended)
    assert np.flatnonzero(observation["action_mask"][i]).tolist() == [game.actions - 1]
    assert plain(env.action_masks()) == plain(observation["action_mask"].astype(bool))
    assert env.sample_actions()[i] == -1
    actions = sampled(env)
    actions[i] = 10**9
    observation, rewards, terminated, truncated, _ = env.step(actions)
    assert rewards[i] == 0 and not terminated[i] and not truncated[i] and observation["action_mask"][i].any()


def test_disabled_refuses_games_that_are_over(game):
    env = begun(game, 2, autoreset_mode="DISABLED", illegal="random", opponents="acting", **game.limit(1))
    ended = np.zeros(2, bool)
    while not ended.any():
        _, _, terminated, truncated, _ = env.step(env.sample_actions())
        ended = terminated | truncated
    actions, before = sampled(env), state_of(env)
    message = re.escape(f"reset(options={{'reset_mask': ...}}); over: {np.flatnonzero(ended).tolist()}")
    with pytest.raises(GameOverError, match=message):
        env.step(actions)
    assert state_of(env) == before
    env.reset(options={"reset_mask": ended})
    env.step(env.sample_actions())


def test_copies_are_independent_and_buffers_are_the_same(game):
    for mask_in in MASKS:
        made = [begun(game, 2, copy=flag, mask_in=mask_in, opponents="acting") for flag in (True, False)]
        for env, copied in zip(made, (True, False), strict=True):
            results = [env.step(env.sample_actions()) for _ in range(2)]
            assert (flat(results[0][0]) is flat(results[1][0])) != copied
            for part in (0, 4):
                masks = [result[part].get("action_mask") for result in results if isinstance(result[part], dict)]
                if len(masks) == 2 and masks[0] is not None:
                    assert (masks[0] is masks[1]) != copied
            assert not np.shares_memory(results[0][1], results[1][1])
            if copied:
                flat(results[1][0])[:] = 0
                masks = results[1][0]["action_mask"] if mask_in != "info" else results[1][4]["action_mask"]
                masks[:] = 0
                assert env.action_masks().any()
        assert made[0].position(1).to_bytes() == made[1].position(1).to_bytes()
    assert not np.shares_memory(env.action_masks(), env.action_masks())


# Opponents


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_opponents_plays_as_against_a_single_seat(variant, form):
    """Policies that draw with what they are given too, as long as they are asked for one game alone."""
    options = {"opponents": FORMS[form], "seat": 1, "mask_in": "both", "reward": "gain", **variant.limit(1)}
    env, twin = variant.vector_env(SIZE, **options), by_gymnasium(variant, SIZE, **options)
    for seed in (5, None):
        result, expected = env.reset(seed=None if seed is None else [seed] * SIZE), None
        expected = twin.reset(seed=None if seed is None else [seed] * SIZE)
        assert plain(result[0]) == plain(expected[0])
        ends = 0
        for _ in range(25):
            actions = env.sample_actions()
            result, expected = env.step(actions), twin.step(actions)
            for mine, theirs in zip(result[:-1], expected[:-1], strict=True):
                assert plain(mine) == plain(theirs)
            assert plain_infos(result[-1]) == plain_infos(expected[-1])
            ends += int((result[2] | result[3]).sum())
        assert ends


def test_opponents_by_name_for_every_player_if_the_seat_is_drawn(game):
    opponents = {f"player_{seat}": ("random", by_hash, Draws(), "acting")[seat] for seat in range(4)}
    options = {"opponents": opponents, "seat": "random", **game.limit(1)}
    env, twin = game.vector_env(6, **options), by_gymnasium(game, 6, **options)
    env.reset(seed=[2] * 6), twin.reset(seed=[2] * 6)
    for _ in range(15):
        actions = env.sample_actions()
        assert plain(env.step(actions)[0]) == plain(twin.step(actions)[0])
    assert len(set(env.seats.tolist())) > 1


@pytest.mark.parametrize("room", [1, 2, 3])
def test_moves_that_need_several_calls_are_the_same(game, monkeypatch, room):
    opponents = {"player_0": "random", "player_2": Acts(), "player_3": "acting"}

    def played():
        env = begun(game, 2, seat=1, opponents=opponents, steps=20, **game.limit(game.short))
        return env._moves, [env.position(i).to_bytes() for i in range(2)]

    expected = played()
    assert all(expected[0])
    monkeypatch.setattr(vector, "NOTED", room)
    assert played() == expected


def test_policies_see_live_positions_with_their_history(game):
    seen = []

    class Looks(Draws):
        def act(self, position, rng):
            assert isinstance(position, Position) and isinstance(rng, np.random.Generator)
            again = game.rules(**game.limit(game.short)).new(1, self.index, self.episode(position))
            for action in position.history:
                again.step(action)
            assert again.to_bytes() == position.to_bytes()
            assert again.events_since(0) == position.events_since(0)
            seen.append(len(position.history))
            action = position.sample(rng)
            position.step(action)  # a copy: no harm is done
            return action

        index = 0

        def episode(self, position):
            self.episodes = self.episodes + (len(position.history) < self.last)
            self.last = len(position.history)
            return self.episodes

        episodes, last = 0, 0

    options = {"opponents": {"player_0": "acting", "player_2": Looks(), "player_3": by_hash}, "seat": 1}
    env = begun(game, 1, seed=1, steps=60, **options, **game.limit(game.short))
    assert len(seen) > 20 and max(seen) > 30
    assert env._ledger["length"][0] == len(env._moves[0])


def test_a_batch_policy_is_asked_once_for_all_games_that_wait(game):
    asked = []

    class Looks:
        name = "looks"

        def act_batch(self, observation, action_mask, rng):
            count = len(observation)
            assert observation.shape == (count, game.spec.observation.size + 20) and observation.dtype == np.int8
            assert action_mask.shape == (count, game.actions) and action_mask.dtype == np.int8
            assert action_mask.any(axis=1).all() and isinstance(rng, np.random.Generator)
            asked.append(count)
            actions = action_mask.argmax(axis=1)
            observation[:] = action_mask[:] = 0
            return actions

    looks = Looks()
    opponents = {"player_1": looks, "player_2": looks, "player_3": looks}
    options = {"history": 5, "obs_dtype": "int8", "mask_in": "info"}
    env = begun(game, 16, seat=0, opponents=opponents, steps=12, **options)
    assert max(asked) > 8
    # Every seat of it is asked in the same call, and no game twice in one.
    assert len(env._asked) == 1 and max(asked) <= 16
    twin = begun(game, 16, seat=0, opponents=looks, steps=12, **options)
    assert [env.position(i).to_bytes() for i in range(16)] == [twin.position(i).to_bytes() for i in range(16)]


def test_a_batch_policy_that_draws_depends_on_the_seed(game):
    class DrawsForAll:
        name = "draws for all"

        def act_batch(self, observation, action_mask, rng):
            return np.where(action_mask, rng.random(action_mask.shape), -1).argmax(axis=1)

    def played(seed):
        env = begun(game, 4, seed=seed, opponents=DrawsForAll(), steps=10)
        return [env.position(i).to_bytes() for i in range(4)]

    assert played(1) == played(1) != played(2)
    # What is drawn is drawn from a stream of its own: other draws before the reset make no difference.
    env = begun(game, 4, seed=5, opponents=DrawsForAll(), steps=3)
    env.reset(seed=1)
    for _ in range(10):
        env.step(env.sample_actions())
    assert [env.position(i).to_bytes() for i in range(4)] == played(1)


@pytest.mark.parametrize("bad", NO_POLICIES)
def test_what_is_no_policy_is_refused(game, bad):
    opponents, message = NO_POLICIES[bad]
    with pytest.raises(OptionError, match=message):
        game.vector_env(2, opponents=opponents, seat=1)


class Fails:
    """Chooses legal actions, but at its n-th move."""

    name = "unreliable"

    def __init__(self, form, given):
        self.given, self.when, self.moves = given, None, 0
        if form == "act":
            self.act = lambda position, rng: self.choose(position.mask()[None], rng)[0]
        elif form == "act_batch":
            self.act_batch = lambda observation, mask, rng: self.choose(mask, rng)

    def __deepcopy__(self, memo):
        return self

    def __call__(self, observation, action_mask):
        return self.choose(action_mask[None], np.random.default_rng(int(action_mask.argmax())))[0]

    def choose(self, masks, rng):
        self.moves += 1
        if self.moves == self.when:
            if isinstance(self.given, Exception):
                raise self.given
            return self.given(masks)
        return [int(rng.choice(np.flatnonzero(mask))) for mask in masks]


def last_illegal(masks):
    """Legal actions, but in the last game."""
    return [*masks[:-1].argmax(axis=1).tolist(), int(np.flatnonzero(masks[-1] == 0)[-1])]


FAILURES = [
    ("act", last_illegal, PolicyError, "player_2: policy 'unreliable': action .* is not legal: .*; "),
    ("act", lambda masks: [10**30], PolicyError, "action 1000000000000000000000000000000 is not legal: .*; "),
    ("act", lambda masks: [-1], PolicyError, "action -1 is not legal: .*; "),
    ("act", lambda masks: [1.0], PolicyError, r"gave 1.0; allowed: one integer; "),
    ("act", ZeroDivisionError("own fault"), ZeroDivisionError, "own fault"),
    ("call", last_illegal, PolicyError, "player_2: policy 'Fails': action .* is not legal: .*; "),
    ("call", lambda masks: ["pass"], PolicyError, "gave 'pass'; allowed: one integer; "),
    ("call", ZeroDivisionError("own fault"), ZeroDivisionError, "own fault"),
    ("act_batch", last_illegal, PolicyError, "player_2: policy 'unreliable': action .* is not legal: .*; "),
    ("act_batch", lambda masks: [0, *last_illegal(masks)], PolicyError, r"allowed: integers of shape \(\d+,\); "),
    ("act_batch", lambda masks: np.ones(len(masks)), PolicyError, r"allowed: integers of shape \(\d+,\); "),
    ("act_batch", ZeroDivisionError("own fault"), ZeroDivisionError, "own fault"),
]


@pytest.mark.parametrize(("form", "given", "error", "message"), FAILURES)
@pytest.mark.parametrize("during", ["step", "reset"])
def test_a_policy_that_fails_is_named_and_nothing_changes(game, form, given, error, message, during):
    """Afterwards the games go on as if it had never been asked: what it draws, too."""
    policy = Fails(form, given)
    opponents = {"player_0": "random", "player_2": policy, "player_3": Draws()}
    env = begun(game, 4, seat=1, opponents=opponents, seed=6, steps=4, **game.limit(1))
    whence = r"(asked for \d games at once, the first is )?game \d, seed \d+, episode \d+, moves \["
    for ahead in (1, 2, 5):
        policy.when = policy.moves + ahead
        for seed in range(60):
            actions = env.sample_actions()
            before, known = state_of(env), copy.deepcopy(env)
            try:
                if during == "step":
                    env.step(actions)
                else:
                    env.reset(seed=seed, options={"reset_mask": np.arange(4) != seed % 4})
            except error as problem:
                if error is PolicyError:
                    assert re.search(f"{message}{whence}", str(problem))
                else:
                    note = f"raised by player_2, policy '(unreliable|Fails)'; {whence}"
                    assert re.search(message, str(problem)) and re.match(note, problem.__notes__[-1])
                break
        else:
            raise AssertionError(f"asked {policy.moves} times alone")
        assert state_of(env) == before
        policy.when = None
        assert [plain(part) for part in env.step(actions)[:4]] == [plain(part) for part in known.step(actions)[:4]]
        assert state_of(env) == state_of(known)


# Bad input


VECTOR_OPTIONS = {
    "mask_in": (("nowhere", None), ("'observation'", "'info'", "'both'")),
    **MANY_OPTIONS,
    "seat": ((4, -1, 1.0, "player_4", None, True), ("0 to 3", "'player_3'", "'random'")),
}


@pytest.mark.parametrize(("game", "name", "value"), bad_options(VECTOR_OPTIONS))
def test_bad_options_are_refused_with_name_value_and_what_is_allowed(game, name, value):
    check_refused(functools.partial(game.vector_env, 2), game, VECTOR_OPTIONS, name, value)


@pytest.mark.parametrize("name", ["threads", "render_mode", "players"])
def test_unknown_options_are_refused_with_all_that_exist(game, name):
    with pytest.raises(OptionError, match=f"unknown option '{name}'") as caught:
        game.vector_env(2, **{name: 1})
    allowed = str(caught.value).partition("allowed: ")[2].split(", ")
    assert sorted([*game.bad_options, *VECTOR_OPTIONS, "opponents"]) == sorted(allowed)


@pytest.mark.parametrize("num_envs", [0, -1, 2**20 + 1, 2.0, "3", True, None])
def test_bad_sizes_are_refused(game, num_envs):
    with pytest.raises(OptionError, match=re.escape(f"num_envs={num_envs!r}; allowed: integers from 1 to 1048576")):
        game.vector_env(num_envs)


CALLS = {
    "step": lambda env: env.step([0, 0]),
    "sample_actions": lambda env: env.sample_actions(),
    "action_masks": lambda env: env.action_masks(),
    "seats": lambda env: env.seats,
    "position": lambda env: env.position(0),
    "get_state": lambda env: env.get_state(),
}


@pytest.mark.parametrize("call", CALLS)
def test_nothing_is_there_before_the_first_reset(game, call):
    env = game.vector_env(2)
    with pytest.raises(NotResetError, match=rf"{call}: call reset\(\) first"):
        CALLS[call](env)
    with pytest.raises(NotResetError, match="reset: the first reset is one of all games"):
        env.reset(seed=1, options={"reset_mask": np.array([True, False])})
    env.reset(seed=1, options={"reset_mask": np.array([True, True])})
    CALLS[call](env) if call != "step" else env.step(env.sample_actions())


BAD_ACTIONS = {
    "too few": ([0], r"int64 of shape \(1,\); allowed: integers of shape \(3,\)"),
    "one": (0, r"int64 of shape \(\); allowed: integers of shape \(3,\)"),
    "two dimensions": ([[0, 0, 0]], r"of shape \(1, 3\)"),
    "floats": ([0.0, 0.0, 0.0], "float64"),
    "bools": ([True] * 3, "bool"),
    "words": (["a", "b", "c"], "actions are <U1"),
    "nothing": (None, "object"),
    "ragged": ([[0], [0, 1], 0], "allowed: integers of shape"),
    "too large": ([2**64, 0, 0], "allowed: integers of shape"),
}


@pytest.mark.parametrize("illegal", ["raise", "terminate", "random"])
@pytest.mark.parametrize("bad", BAD_ACTIONS)
def test_what_is_no_array_of_integers_is_refused_with_nothing_changed(game, bad, illegal):
    env = begun(game, illegal=illegal, steps=3)
    before = state_of(env)
    with pytest.raises(IllegalActionError, match=BAD_ACTIONS[bad][1]):
        env.step(BAD_ACTIONS[bad][0])
    assert state_of(env) == before


def test_an_illegal_action_is_refused_with_nothing_changed(game):
    env = begun(game, steps=5, copy=False)
    legal = env.sample_actions()
    for bad in (illegal_of(env, 2), -1, game.actions, game.actions - 1, 2**62, -(2**62)):
        before = state_of(env)
        with pytest.raises(
            IllegalActionError, match=rf"actions\[2\]: action {bad}( \(.*\))? is not legal: .*; legal: '"
        ):
            env.step([*legal[:2], bad])
        assert state_of(env) == before
    with pytest.raises(IllegalActionError, match=rf"actions\[0\]: action {2**63 + 4} is not legal"):
        env.step(np.array([2**63 + 4, 0, 0], np.uint64))
    assert state_of(env) == before
    env.step(legal.astype(np.int16))


SEEDS = {
    "negative": (-1, f"seed=-1; allowed: integers from 0 to {LARGEST_SEED}"),
    "too large": (LARGEST_SEED + 1, "seed=9223372036854775808; allowed"),
    "a float": (1.0, "seed=1.0; allowed: None, an integer"),
    "a bool": (True, "seed=True; allowed: None, an integer"),
    "a word": ("123", "seed='123'; allowed: None, an integer"),
    "a dict": ({0: 1, 1: 1, 2: 1}, "seed={0: 1, 1: 1, 2: 1}; allowed: None, an integer"),
    "too few": ([1, 2], "seed is a list of 2; allowed: a list of 3, one for each game"),
    "one bad": ([1, -2, 3], r"seed\[1\]=-2; allowed: integers from 0 to"),
    "one float": ([1, 2, 3.0], r"seed\[2\]=3.0; allowed: integers from 0 to"),
}
RESETS = {
    "options": ([1], r"options=\[1\]; allowed: None or a dict"),
    "shape": ({"reset_mask": [True]}, r"reset_mask is bool of shape \(1,\); allowed: bool of shape \(3,\)"),
    "type": ({"reset_mask": [1, 0, 1]}, r"reset_mask is int64 of shape \(3,\)"),
    "ragged": ({"reset_mask": [[True], [], 0]}, "reset_mask=.*; allowed: bool"),
}


@pytest.mark.parametrize("bad", [*SEEDS, *RESETS])
def test_a_bad_reset_is_refused_with_nothing_changed(game, bad):
    env = begun(game, opponents=by_hash, steps=3)
    before = state_of(env)
    seed, options, message = (SEEDS[bad][0], None, SEEDS[bad][1]) if bad in SEEDS else (1, *RESETS[bad])
    with pytest.raises(OptionError, match=message):
        env.reset(seed=seed, options=options)
    assert state_of(env) == before


@pytest.mark.parametrize("i", [-1, 3, 1.0, True, None])
def test_other_games_do_not_exist(game, i):
    with pytest.raises(OptionError, match=re.escape(f"i={i!r}; allowed: integers from 0 to 2")):
        begun(game).position(i)


def test_sampling_takes_a_generator_and_nothing_else(game):
    env = begun(game, 8, steps=3)
    draws = [env.sample_actions(np.random.default_rng(seed)) for seed in (1, 1, 2)]
    assert np.array_equal(draws[0], draws[1]) and not np.array_equal(draws[0], draws[2])
    assert all(env.action_masks()[np.arange(8), drawn].all() for drawn in draws)
    with pytest.raises(TypeError, match="generator=3: expected a numpy.random.Generator or None"):
        env.sample_actions(3)


# Gymnasium


def test_gymnasium_makes_it_by_name(game):
    env = gymnasium.make_vec(game.gymnasium_id, num_envs=3, num_players=5, seat="random", opponents="acting")
    assert type(env) is game.module.VectorEnv and env.spec.id == game.gymnasium_id
    assert isinstance(env, gymnasium.vector.VectorEnv)
    assert env.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.SAME_STEP
    observation, infos = env.reset(seed=3)
    assert env.observation_space.contains(observation) and infos["seat"].shape == (3,)
    assert env.action_space.contains(env.sample_actions())
    assert "num_players=5" in repr(env) and repr(env).startswith(f"<3 x {game.name}_v0 ")
    with pytest.raises(IllegalActionError):
        env.step(np.full(3, -1))
    again = gymnasium.make_vec(env.spec)
    assert again.num_envs == 3 and again.game == env.game
    assert gymnasium.make_vec(game.gymnasium_id).num_envs == 1
    entered = gymnasium.make_vec(game.gymnasium_id, num_envs=2, vectorization_mode="vector_entry_point")
    assert type(entered) is game.module.VectorEnv
    with pytest.raises(OptionError, match="num_players=9"):
        gymnasium.make_vec(game.gymnasium_id, num_envs=2, num_players=9)
    env.close()
    assert env.closed


@pytest.mark.parametrize("mode", MODES)
def test_the_mode_is_declared_and_taken_as_an_enum_too(game, mode):
    member = gymnasium.vector.AutoresetMode[mode]
    for given in (mode, member):
        assert game.vector_env(2, autoreset_mode=given).metadata["autoreset_mode"] is member


@pytest.mark.parametrize("mode", ["SAME_STEP", "NEXT_STEP"])
def test_gymnasium_records_its_episodes(game, mode):
    options = {"reward": "gain", "opponents": "acting", "autoreset_mode": mode, **game.limit(1)}
    inner = game.vector_env(3, **options)
    env = wrappers.RecordEpisodeStatistics(inner)
    env.reset(seed=1)
    total, ends, waiting = np.zeros(3), 0, np.zeros(3, bool)
    while ends < 6:
        _, rewards, terminated, truncated, infos = env.step(sampled(inner))
        total += rewards
        over = terminated | truncated
        for i in np.flatnonzero(over):
            assert infos["episode"]["r"][i] == pytest.approx(total[i], abs=1e-9)
            total[i] = 0
            ends += 1
        waiting = over
    assert env.episode_count == ends and len(env.return_queue) == ends
    assert waiting.any()


def test_other_wrappers_of_gymnasium_take_it(game):
    env = wrappers.DictInfoToList(
        game.vector_env(3, mask_in="both", illegal="random", opponents="acting", **game.limit(1))
    )
    env.reset(seed=1)
    ended = 0
    for _ in range(60):
        *_, terminated, truncated, infos = env.step(env.unwrapped.sample_actions())
        assert [info["seat"] for info in infos] == [0, 0, 0] and infos[0]["action_mask"].shape == (game.actions,)
        for i in np.flatnonzero(terminated | truncated):
            assert infos[i]["final_info"]["illegal_actions"] == 0
            assert np.flatnonzero(infos[i]["final_info"]["action_mask"]).tolist() == [game.actions - 1]
            ended += 1
    assert ended
    flat_env = wrappers.FlattenObservation(game.vector_env(2, autoreset_mode="NEXT_STEP"))
    assert flat_env.reset(seed=1)[0].shape == (2, game.spec.observation.size + game.actions)


def test_gymnasiums_generator_follows_the_seed(game):
    env = begun(game, seed=5)
    assert env.np_random_seed == 5
    env.reset(seed=[None, 8, 9])
    assert env.np_random_seed == 8
    env.reset()
    assert env.np_random_seed == 8


# Saving


class Counts(Draws):
    """A policy that can be pickled."""


@pytest.mark.parametrize("opponents", ["acting", Counts(), ActsOnBatch()], ids=["acting", "act", "act_batch"])
@pytest.mark.parametrize("make", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
def test_copies_and_pickles_go_on_alike(game, make, opponents):
    env = begun(game, opponents=opponents, seat="random", steps=9, **game.limit(1))
    twin = make(env)
    assert state_of(twin) == state_of(env)
    for _ in range(9):
        results = [one.step(one.sample_actions()) for one in (env, twin)]
        assert [plain(part) for part in results[0][:4]] == [plain(part) for part in results[1][:4]]
    assert state_of(twin) == state_of(env)
    fresh = make(game.vector_env(2, opponents=opponents))
    assert fresh.reset(seed=1)[0]["observation"].shape[0] == 2


@pytest.mark.parametrize("opponents", FORMS)
@pytest.mark.parametrize("mode", MODES)
def test_saved_games_go_on_identically(game, mode, opponents):
    options = {"opponents": FORMS[opponents], "seat": 1, "reward": "gain", "illegal": "random", "mask_in": "both"}
    options.update(autoreset_mode=mode, **game.limit(1))
    env = begun(game, steps=0, **options)
    ended = np.zeros(SIZE, bool)
    for _ in range(50):
        ended = np.logical_or(*env.step(sampled(env))[2:4])
        if ended.any():
            break
    assert ended.any()
    state = env.get_state()
    other = game.vector_env(SIZE, **options)
    shown, infos = other.set_state(state)
    assert other.get_state() == state
    assert plain(shown["action_mask"]) == plain(env._masks)
    assert set(infos) == {"seat", "action_mask", "illegal_actions", "_seat", "_action_mask", "_illegal_actions"}
    ends = 0
    for step in range(40):
        if mode == "DISABLED" and ended.any():
            result = [one.reset(options={"reset_mask": ended}) for one in (env, other)]
            assert plain(result[0][0]) == plain(result[1][0])
        actions = sampled(env)
        assert np.array_equal(actions, sampled(other))
        if step % 5 == 0:
            actions[0] = -1
        results = [one.step(actions) for one in (env, other)]
        assert [plain(part) for part in results[0][:4]] == [plain(part) for part in results[1][:4]]
        assert plain_infos(results[0][4]) == plain_infos(results[1][4])
        assert env.get_state() == other.get_state()
        ended = results[0][2] | results[0][3]
        ends += int(ended.sum())
    assert ends > SIZE


def test_saved_games_go_on_against_other_opponents_who_see_history_from_there(game):
    seen = []

    class Watches:
        name = "watching"

        def act(self, position, rng):
            seen.append(position.history)
            return position.legal_actions()[0]

    env = begun(game, 2, steps=6, opponents="acting")
    other = game.vector_env(2, opponents=Watches())
    other.set_state(env.get_state())
    assert [other.position(i).to_bytes() for i in range(2)] == [env.position(i).to_bytes() for i in range(2)]
    own = []
    while not seen:
        own.append(other.sample_actions().tolist())
        other.step(own[-1])
    # Whichever game asked first: what its learner has played since, and nothing before.
    assert seen[0] in {tuple(moves[i] for moves in own) for i in range(2)}

    class Fails(Watches):
        def act(self, position, rng):
            return -1

    failing = game.vector_env(2, opponents=Fails())
    failing.set_state(env.get_state())
    with pytest.raises(PolicyError, match=r"game \d, a saved position, moves \[\d+.*\]"):
        for _ in range(100):
            kept = state_of(failing)
            failing.step(failing.sample_actions(np.random.default_rng(1)))
    assert state_of(failing) == kept


def edited(state, change):
    """Saved games with other rows beside the games, or other generators, all checksums made to fit."""
    head, _, body = state[len(vector.MAGIC) :].partition(b"\n")
    header = json.loads(head)
    count, more = len(header["lengths"]), header["more"]
    at = count * batch.LEDGER.itemsize
    end = at + count * vector.TABLES.itemsize
    ledger, tables = batch.LEDGER.unpack(body[:at]), vector.TABLES.unpack(body[at:end])
    drawing = json.loads(body[len(body) - more :])
    drawing = change(ledger, tables, drawing) or drawing
    content = json.dumps(drawing).encode()
    games = body[end : len(body) - more]
    body = batch.LEDGER.pack(ledger) + vector.TABLES.pack(tables) + games + content
    header.update(more=len(content), crc32=zlib.crc32(body))
    return vector.MAGIC + json.dumps(header).encode() + b"\n" + body


def put(where, name, i, value):
    """A change of one entry of the ledger or the tables."""

    def change(ledger, tables, drawing):
        {"ledger": ledger, "tables": tables}[where][name][i] = value

    return change


BAD_STATES = {
    "flipped bit": (lambda g, s: s[:-100] + bytes([s[-100] ^ 1]) + s[-99:], "the content is damaged"),
    "truncated": (lambda g, s: s[:-1], "the content is damaged"),
    "half a header": (lambda g, s: s[: len(vector.MAGIC) + 20], "the header is damaged"),
    "a batch": (lambda g, s: g.batch_env(1).reset(seed=1) and b"island-envs batch\n", "written by VectorEnv.get_state"),
    "text": (lambda g, s: "state", "expected bytes, got str"),
    "another size": (lambda g, s: begun(g, 2, seat=1).get_state(), "it has 2 games, this one 3"),
    "other options": (lambda g, s: begun(g, seat=1, polls="all").get_state(), "game 0: .*polls='all'"),
    "another seat": (lambda g, s: begun(g, seat=2).get_state(), "game 0: the learner's seat is 2; allowed: 1"),
    "another status": (lambda g, s: edited(s, put("ledger", "status", 1, 7)), "game 1: what is kept beside the game"),
    "an unknown end": (lambda g, s: edited(s, put("ledger", "ended", 0, -1)), "game 0: what is kept beside"),
    "a seat nobody has": (lambda g, s: edited(s, put("tables", "seat", 2, 9)), "game 2: the learner's seat is 9"),
    "too few generators": (
        lambda g, s: edited(s, lambda ledger, tables, drawing: {**drawing, "games": [None]}),
        "it has generators of 1 games",
    ),
    "no generators": (lambda g, s: edited(s, lambda ledger, tables, drawing: {"games": []}), "generators that cannot"),
    "another generator": (
        lambda g, s: edited(s, lambda ledger, tables, drawing: {**drawing, "together": {"bit_generator": "dice"}}),
        "generators that cannot be",
    ),
}


@pytest.mark.parametrize("bad", BAD_STATES)
def test_bad_states_are_refused_and_nothing_changes(game, bad):
    env = begun(game, seat=1, opponents=Counts(), steps=4)
    change, message = BAD_STATES[bad]
    before, good = state_of(env), env.get_state()
    state = change(game, good)
    with pytest.raises(PositionError, match=f"saved vector environment.*{message}"):
        env.set_state(state)
    assert state_of(env) == before
    env.set_state(edited(good, lambda ledger, tables, drawing: None))
    assert env.get_state() == good


def test_a_saved_game_in_which_somebody_else_decides_is_refused(game):
    env = begun(game, seat="random", seed=2)
    seat = int(env.seats[0])
    state = edited(env.get_state(), put("tables", "seat", 0, (seat + 1) % 4))
    with pytest.raises(PositionError, match=f"game 0: player_{seat} decides, not the learner, player_{(seat + 1) % 4}"):
        env.set_state(state)


def test_saved_games_that_are_over_are_refused_where_none_ever_is(game):
    options = {"opponents": "acting", **game.limit(1)}
    over = begun(game, 2, autoreset_mode="DISABLED", **options)
    ended = np.zeros(2, bool)
    while not ended.any():
        ended = np.logical_or(*over.step(over.sample_actions())[2:4])
    env = begun(game, 2, **options)
    with pytest.raises(PositionError, match=f"game {np.flatnonzero(ended)[0]}: it is over, .*'SAME_STEP'"):
        env.set_state(over.get_state())


def test_a_saved_game_that_ended_before_the_seat_was_asked_waits_for_the_no_op(game):
    """Made sure of by a table whose learner is another seat than the one that has ended the game."""
    options = {"opponents": "acting", "autoreset_mode": "DISABLED", **game.limit(1)}
    over = begun(game, 1, **options)
    while not np.logical_or(*over.step(over.sample_actions())[2:4])[0]:
        pass
    state = edited(over.get_state(), put("ledger", "ended", 0, 0))
    env = game.vector_env(1, opponents="acting", **game.limit(1))
    observation, _ = env.set_state(state)
    assert np.flatnonzero(observation["action_mask"][0]).tolist() == [game.actions - 1] == env.sample_actions().tolist()
    terminated, truncated = env.step(env.sample_actions())[2:4]
    assert terminated[0] or truncated[0]


def test_positions_are_copies_whose_history_begins_there(game):
    env = begun(game, 2, steps=5)
    position = env.position(1)
    assert position.history == ()
    move = position.legal_actions()[0]
    position.step(move)
    assert position.history == (move,) and env.position(1).to_bytes() != position.to_bytes()


def test_unknown_keys_of_the_options_of_a_reset_are_tolerated(game):
    made = [begun(game), begun(game)]
    results = [made[0].reset(), made[1].reset(options={"foo": 1})]
    assert plain(results[0][0]) == plain(results[1][0])


def test_a_pickle_of_other_rules_is_refused(game, monkeypatch):
    data = pickle.dumps(begun(game))
    monkeypatch.setattr(game.spec, "fingerprint", "another")
    with pytest.raises(PositionError, match="pickled vector environment: it was written with other components or by"):
        pickle.loads(data)


# Machine code


@pytest.mark.skipif(not jit.JIT_ENABLED, reason="there is no machine code with the jit off")
def test_each_kernel_is_compiled_once_whatever_the_options(game):
    for options in ({"obs_dtype": "int8", "copy": False}, {"reward": "gain", "history": 2}, {"illegal": "random"}):
        for opponents in ("acting", by_hash, Acts(), ActsOnBatch()):
            env = begun(game, seat="random", opponents=opponents, steps=3, **options)
            env.step(sampled(env).astype(np.int32)[::1])
            env.reset(options={"reset_mask": [True, False, True]})
    kernels = vector.vector_kernels_of(game.spec)
    assert {name: len(made.signatures) for name, made in kernels._asdict().items()} == dict.fromkeys(kernels._fields, 1)


def test_opponents_inside_play_in_one_call(game, monkeypatch):
    """One call into the kernels a step, beside that which checks; nothing is asked for in Python."""
    env = begun(game, 8, opponents={"player_1": "random", "player_2": "acting", "player_3": "random"})
    kernels = vector.vector_kernels_of(game.spec)
    calls = []
    counted = kernels._replace(
        **{
            name: (lambda *given, name=name, made=made: (calls.append(name), made(*given))[1])
            for name, made in kernels._asdict().items()
        }
    )
    monkeypatch.setattr(vector, "vector_kernels_of", lambda spec: counted)
    env.step(env.sample_actions())
    assert calls == ["first_refused", "run"]
    assert (env._kernel_ids == [NO_POLICY, 0, 1, 0, NO_POLICY, NO_POLICY]).all() and env._notes.shape == (8, 0)
    assert len(vector._addresses_of(game.spec)) == 7 and PLAY_OTHERS == 3
