"""The AEC environments: PettingZoo's contract and this library's promises about options, rewards and saving."""

import contextlib
import copy
import hashlib
import io
import json
import pickle
import subprocess
import sys
import zlib
from pathlib import Path

import gymnasium
import numpy as np
import pytest

from island_core.conformance import check_aec
from island_core.errors import GameOverError, IllegalActionError, NotResetError, OptionError, PositionError
from island_core.position import MAGIC
from island_core.view import final_rewards
from tests.views.games import GAMES, LOOK_OPTIONS, VARIANTS, bad_options, check_refused
from tests.views.playing import (
    EVERY_VIEW,
    MAKERS,
    PLAYERS,
    acting,
    finish,
    illegal_id,
    plain,
    play_on,
    snapshot,
    started,
)

ROOT = Path(__file__).parents[2]
REWARDS = ("win", "score", "rank", "gain")


# PettingZoo's own tests


@pytest.mark.parametrize("obs_dtype", ["float32", "int8"])
@pytest.mark.parametrize("players", PLAYERS)
def test_pettingzoo_for_every_number_of_players(variant, players, obs_dtype):
    check_aec(lambda **more: variant.env(num_players=players, obs_dtype=obs_dtype, **more))


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("mask_in", ["observation", "info", "both"])
def test_pettingzoo_for_every_place_of_the_mask(game, maker, mask_in):
    """Where its tests see no mask in the observation they sample any action, hence ``illegal="random"``."""
    illegal = "random" if mask_in == "info" else "raise"
    check_aec(lambda **more: getattr(game, maker)(mask_in=mask_in, illegal=illegal, **more))


@pytest.mark.parametrize("reward", REWARDS)
def test_pettingzoo_to_the_end_of_the_game(variant, reward):
    options = {**variant.limit(variant.short), "reward": reward, "history": 5}
    check_aec(lambda **more: variant.env(**options, **more), cycles=1000)


def test_pettingzoo_where_illegal_actions_end_the_game(variant):
    check_aec(lambda **more: variant.env(mask_in="info", illegal="terminate", **more))


# Making one


def test_names_spaces_and_metadata(variant):
    for players in PLAYERS:
        env = variant.env(num_players=players)
        assert env.possible_agents == [f"player_{seat}" for seat in range(players)]
        assert env.max_num_agents == players
        assert env.agents == []
        env.reset(seed=1)
        assert env.agents == env.possible_agents
        for agent in env.agents:
            assert env.observation_space(agent) is env.observation_space(agent)
            assert env.action_space(agent) is env.action_space(agent)
            assert env.action_space(agent) == gymnasium.spaces.Discrete(variant.actions)
    assert str(env) == env.metadata["name"] == f"{variant.name}_v0"
    assert env.metadata["is_parallelizable"] is False
    assert "num_players=6" in repr(env)
    assert all(f"{name}={value!r}" in repr(env) for name, value in variant.options.items())


@pytest.mark.parametrize("mask_in", ["observation", "info", "both"])
def test_spaces_are_the_same_for_every_number_of_players(variant, mask_in):
    spaces = [variant.env(num_players=p, mask_in=mask_in).observation_space("player_0") for p in PLAYERS]
    assert spaces[0] == spaces[1] == spaces[2] == spaces[3]
    plainest = variant.module.env(mask_in=mask_in).observation_space("player_0")
    assert spaces[0] == plainest


@pytest.mark.parametrize("ask", ["observation_space", "action_space", "observe"])
def test_unknown_agents_are_refused(game, ask):
    env = started(game, num_players=3)
    with pytest.raises(ValueError, match="agent='player_3'; allowed: player_0, player_1, player_2"):
        getattr(env, ask)("player_3")


VIEW_OPTIONS = {
    "mask_in": (("obs", None), ("'observation'", "'info'", "'both'")),
    **LOOK_OPTIONS,
    "render_mode": (("svg", "rgb_array", True), ("None", "'ansi'", "'human'")),
}


@pytest.mark.parametrize(("game", "name", "value"), bad_options(VIEW_OPTIONS))
@pytest.mark.parametrize("maker", EVERY_VIEW)
def test_bad_options_are_refused_with_name_value_and_what_is_allowed(game, maker, name, value):
    check_refused(getattr(game, maker), game, VIEW_OPTIONS, name, value)


@pytest.mark.parametrize("maker", EVERY_VIEW)
def test_unknown_options_are_refused_with_all_that_exist(game, maker):
    with pytest.raises(OptionError, match="unknown option 'players'") as caught:
        getattr(game, maker)(players=4)
    allowed = str(caught.value).partition("allowed: ")[2].split(", ")
    own = ["opponents", "seat"] if maker == "single_seat" else []
    assert sorted([*game.bad_options, *VIEW_OPTIONS, *own]) == sorted(allowed)


@pytest.mark.parametrize("maker", EVERY_VIEW)
def test_rgb_array_is_refused_as_not_there_yet(game, maker):
    with pytest.raises(OptionError, match="render_mode='rgb_array' does not exist yet; allowed: None, 'ansi', 'human'"):
        getattr(game, maker)(render_mode="rgb_array")


# Seeds


def test_reset_deals_what_the_rules_object_deals(variant):
    rules = variant.rules(num_players=5)
    env = started(variant, num_players=5, seed=77)
    assert env.position.to_bytes() == rules.new(77, 0, 0).to_bytes()
    for episode in (1, 2):
        env.reset()
        assert env.position.to_bytes() == rules.new(77, 0, episode).to_bytes()
    env.reset(seed=78)
    assert env.position.to_bytes() == rules.new(78).to_bytes()
    env.reset(seed=77)
    assert env.position.to_bytes() == rules.new(77).to_bytes()


def test_largest_seed_and_numpy_seeds_are_taken(game):
    assert started(game, seed=2**63 - 1).position.to_bytes() == game.rules().new(2**63 - 1).to_bytes()
    assert started(game, seed=np.int32(5)).position.to_bytes() == started(game, seed=5).position.to_bytes()


def test_unknown_keys_in_reset_options_are_tolerated(game):
    env = game.env()
    env.reset(seed=1, options={"options": 1, "num_players": 9})
    assert env.num_agents == 4
    assert env.position.to_bytes() == started(game, seed=1).position.to_bytes()


PLAY_AND_HASH = """
import hashlib, importlib, sys
env = importlib.import_module(GAME).env(num_players=3, history=4)
env.reset(seed=123)
digest = hashlib.sha256()
for agent in env.agent_iter(600):
    observation, reward, termination, truncation, info = env.last()
    action = None if termination or truncation else env.sample_action()
    digest.update(f"{agent} {action} {reward}".encode())
    digest.update(observation["observation"].tobytes() + observation["action_mask"].tobytes())
    env.step(action)
print(digest.hexdigest())
"""


def test_same_seed_is_the_same_game_in_another_process(game):
    code = PLAY_AND_HASH.replace("GAME", repr(game.module.__name__))
    digests = {
        subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    }
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(code, {})
    digests.add(printed.getvalue())
    assert len(digests) == 1 and len(digests.pop().strip()) == 64


# Order of calls


@pytest.mark.parametrize("maker", MAKERS)
def test_everything_before_reset_says_so(game, maker):
    env = getattr(game, maker)(render_mode="ansi")
    asks = [
        lambda: env.step(0),
        lambda: env.observe("player_0"),
        lambda: env.sample_action(),
        lambda: env.state(),
        lambda: env.render(),
        lambda: env.position,
        lambda: env.get_state(),
    ]
    for ask in asks:
        with pytest.raises(NotResetError, match=r"call reset\(\) first"):
            ask()


def test_env_says_so_for_last_and_agent_iter_too(game):
    env = game.env()
    for ask in (lambda: env.last(), lambda: env.agent_iter(), lambda: next(env.agent_iter(3))):
        with pytest.raises(NotResetError, match=r"call reset\(\) first"):
            ask()


@pytest.mark.parametrize("maker", MAKERS)
def test_stepping_past_the_end_is_refused(game, maker):
    env = finish(started(game, maker, **game.limit(1)))
    assert all(env.truncations.values())
    last = env.position.history[-1]
    before = snapshot(env)
    with pytest.raises(GameOverError, match="allowed: None"):
        env.step(last)
    assert snapshot(env) == before
    assert env.sample_action() is None
    for left in (3, 2, 1, 0):
        env.step(None)
        assert env.num_agents == left
    assert env.agents == []
    for action in (None, last):
        with pytest.raises(GameOverError, match=r"call reset\(\)"):
            env.step(action)
    assert list(env.agent_iter()) == []
    env.reset()
    env.step(env.sample_action())


def test_last_after_the_end_is_refused(game):
    env = started(game, **game.limit(1))
    play_on(env)
    with pytest.raises(GameOverError, match=r"call reset\(\)"):
        env.last()


NO_INTEGERS = (None, 1.0, np.float64(3), True, np.True_, "let be", [1], np.array([1]), np.array(2.0), {})


@pytest.mark.parametrize("illegal", ["terminate", "raise", "random"])
@pytest.mark.parametrize("action", NO_INTEGERS, ids=map(repr, NO_INTEGERS))
def test_what_is_no_integer_is_always_an_error(game, illegal, action):
    env = started(game, steps=10, illegal=illegal)
    before = snapshot(env)
    with pytest.raises(IllegalActionError, match=f"allowed: integers from 0 to {game.actions - 1}") as caught:
        env.step(action)
    assert repr(action) in str(caught.value)
    assert snapshot(env) == before


@pytest.mark.parametrize("number", [np.int8, np.int64, np.uint64, np.array])
def test_numpy_integers_are_taken(game, number):
    # Action 100 and below fit every type.
    env = started(game, seed=3)
    while env.position.legal_actions()[0] > 100:
        env.step(env.sample_action())
    action = env.position.legal_actions()[0]
    twin = copy.deepcopy(env)
    env.step(number(action))
    twin.step(action)
    assert env.position.to_bytes() == twin.position.to_bytes()
    assert type(env.position.history[-1]) is int


# Illegal actions

OUTSIDE = {
    "inside": illegal_id,
    "-1": lambda env: -1,
    "size": lambda env: int(env.action_space(env.agent_selection).n),
    "huge": lambda env: 10**30,
}


@pytest.mark.parametrize("reward", ["win", "gain"])
@pytest.mark.parametrize("outside", OUTSIDE)
def test_terminate_ends_the_game_for_all(game, outside, reward):
    env = started(game, steps=25, mask_in="both", reward=reward)
    assert env._view.illegal == "terminate"
    offender = env.agent_selection
    position = env.position.to_bytes()
    history = env.position.history
    env.step(OUTSIDE[outside](env))
    assert env.position.to_bytes() == position and env.position.history == history
    assert env.rewards == {agent: -1.0 if agent == offender else 0.0 for agent in env.agents}
    assert env.terminations == dict.fromkeys(env.agents, True)
    assert env.truncations == dict.fromkeys(env.agents, False)
    assert not any(info["action_mask"].any() for info in env.infos.values())
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.agents)
    assert env.sample_action() is None
    if reward == "win":
        shown = {agent: -1.0 if agent == offender else 0.0 for agent in env.agents}
        assert play_on(env) == shown
    assert env.position.is_over is False


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("outside", OUTSIDE)
def test_raise_changes_nothing(game, maker, outside):
    env = started(game, maker, steps=25, illegal="raise", mask_in="both")
    action = OUTSIDE[outside](env)
    before = snapshot(env)
    with pytest.raises(IllegalActionError, match=f"action {action} .*is not legal: .*legal: ") as caught:
        env.step(action)
    assert repr(env.position.legal_names()[0]) in str(caught.value)
    assert snapshot(env) == before
    env.step(env.sample_action())


def test_raise_is_the_default_of_raw_env_alone(game):
    env = started(game, "raw_env")
    with pytest.raises(IllegalActionError):
        env.step(illegal_id(env))
    env = started(game, "env")
    env.step(illegal_id(env))
    assert all(env.terminations.values())


def test_random_replaces_counts_and_leaves_the_deal_alone(variant):
    env, twin = (started(variant, illegal="random", seed=9) for _ in range(2))
    assert env.infos == {agent: {"illegal_actions": 0} for agent in env.agents}
    counts = dict.fromkeys(env.agents, 0)
    for turn in range(200):
        legal = env.position.legal_actions()
        if turn % 3:
            action = legal[0]
        else:
            action = (illegal_id(env), -1, variant.actions)[turn // 3 % 3]
            counts[env.agent_selection] += 1
            twin.sample_action()  # another stream
        env.step(action)
        twin.step(action)
        assert env.position.history[-1] in legal
        assert env.infos == {agent: {"illegal_actions": counts[agent]} for agent in env.agents}
        assert not any(env.terminations.values())
    assert env.position.history == twin.position.history
    assert len(set(env.position.history[::3])) > 10  # not always the same one
    replayed = variant.rules().new(9)
    for action in env.position.history:
        replayed.step(action)
    assert replayed.to_bytes() == env.position.to_bytes()
    env.reset()
    assert env.infos == {agent: {"illegal_actions": 0} for agent in env.agents}


def test_random_replacements_depend_on_seed_and_episode(game):
    def replaced(seed, episodes):
        env = started(game, illegal="random", seed=seed)
        for _ in range(episodes):
            env.reset()
        for _ in range(30):
            env.step(-1)
        return env.position.history

    assert replaced(1, 0) == replaced(1, 0)
    assert len({replaced(1, 0), replaced(2, 0), replaced(1, 1)}) == 3


def test_random_counts_at_the_end_too(game):
    env = started(game, illegal="random", **game.limit(1))
    while not env.position.is_over:
        env.step(-1)
    assert sum(info["illegal_actions"] for info in env.infos.values()) == len(env.position.history)


# Who is asked


POLLS = [pytest.param(game, poll, id=f"{game}-{poll}") for game in VARIANTS for poll in game.polls]


@pytest.mark.rule("D8.11", "I4.2")
@pytest.mark.parametrize(("game", "poll"), POLLS)
def test_an_illegal_answer_in_a_poll_is_nobody_elses_information(game, poll):
    env = started(game, illegal="random", polls="all", seed=1)
    while env.position.decision != poll:
        env.step(env.sample_action())
    asked = env.agent_selection
    before = {agent: dict(info) for agent, info in env.infos.items()}
    env.step(-1)
    assert {agent for agent in env.agents if env.infos[agent] != before[agent]} == {asked}


@pytest.mark.rule("D8.11", "I4.2")
def test_where_a_poll_goes_on_the_others_see_nothing_of_it(variant):
    """Where `let be` only passes the question on, nothing changes for those who are not asked before or after."""
    seen = dict.fromkeys(variant.polls, 0)
    for seed in range(20):
        env = started(variant, seed=seed, polls="all", history=64, obs_dtype="int8", mask_in="both", illegal="random")
        while not env.position.is_over:
            if env.position.decision in variant.polls and min(seen.values()) < 5:
                twin = copy.deepcopy(env)
                twin.step(twin.position.parse("let be"))
                asked = {env.agent_selection, twin.agent_selection}
                if twin.position.num_events == env.position.num_events and len(asked) == 2:
                    seen[env.position.decision] += 1
                    for seat, agent in enumerate(env.agents):
                        if agent not in asked:
                            assert plain(twin.observe(agent)) == plain(env.observe(agent))
                            assert plain(twin.infos[agent]) == plain(env.infos[agent])
                            assert twin.position.text(seat) == env.position.text(seat)
            env.step(env.sample_action())
        if min(seen.values()) >= 5:
            break
    assert min(seen.values()) >= 5, seen


@pytest.mark.rule("D8.11", "I4.2")
def test_what_concerns_the_decision_is_told_to_nobody_else(variant):
    """The sections *if deciding* are empty for all but the one who decides, whatever is asked."""
    sections = [s.name for s in variant.spec.observation.sections if s.doc.startswith("if deciding")]
    assert sections[0] == "decision" and len(sections) > 5
    layout = variant.rules().observation_layout
    places = np.concatenate([np.arange(layout[name].start, layout[name].stop) for name in sections])
    kinds = set()
    for seed in range(3):
        env = started(variant, seed=seed, num_players=5, polls="all", obs_dtype="int8", mask_in="info")
        for _ in range(250):
            kinds.add(env.position.decision)
            for agent in env.agents:
                flat = env.observe(agent)[places]
                if agent == env.agent_selection:
                    number = list(variant.spec.decisions).index(env.position.decision)
                    assert flat[: variant.decisions].tolist() == [k == number - 1 for k in range(variant.decisions)]
                else:
                    assert not flat.any()
            env.step(env.sample_action())
    assert len(kinds) > 10 and set(variant.polls) <= kinds


# What agents see


@pytest.mark.parametrize("mask_in", ["observation", "info", "both"])
@pytest.mark.parametrize("players", PLAYERS)
def test_only_the_acting_seat_has_a_mask(game, mask_in, players):
    env = started(game, num_players=players, mask_in=mask_in, seed=players)
    for _ in range(250):
        for agent in env.agents:
            masks = []
            observation = env.observe(agent)
            if mask_in != "info":
                masks.append(observation["action_mask"])
                assert set(observation) == {"observation", "action_mask"}
            else:
                assert isinstance(observation, np.ndarray)
            if mask_in != "observation":
                masks.append(env.infos[agent]["action_mask"])
            else:
                assert "action_mask" not in env.infos[agent]
            expected = env.position.mask() if agent == env.agent_selection else np.zeros(game.actions, np.int8)
            for mask in masks:
                assert mask.dtype == np.int8 and np.array_equal(mask, expected)
        assert env.agents.index(env.agent_selection) == env.position.actor
        env.step(env.sample_action())


@pytest.mark.parametrize("obs_dtype", ["float32", "int8"])
def test_observations_are_copies_and_lie_in_their_space(variant, obs_dtype):
    env = started(variant, obs_dtype=obs_dtype, mask_in="both", history=3, steps=40)
    for agent in env.agents:
        space = env.observation_space(agent)
        before = env.observe(agent)
        assert space.contains(before)
        assert before["observation"].dtype == obs_dtype
        again = env.observe(agent)
        for key in before:
            assert before[key].flags.writeable and not np.shares_memory(before[key], again[key])
            before[key][:] = 1
            assert np.array_equal(env.observe(agent)[key], again[key])
    kept = env.observe(env.agent_selection)
    copied = copy.deepcopy(kept)
    env.step(env.sample_action())
    for key in kept:
        assert np.array_equal(kept[key], copied[key])


def test_info_masks_of_two_agents_are_two_arrays(game):
    env = started(game, mask_in="info", steps=5)
    masks = [info["action_mask"] for info in env.infos.values()]
    for one in range(4):
        for other in range(one):
            assert not np.shares_memory(masks[one], masks[other])


@pytest.mark.parametrize("illegal", ["terminate", "random"])
@pytest.mark.parametrize("mask_in", ["observation", "info", "both"])
def test_infos_have_the_same_numeric_keys_from_reset_to_the_end(variant, mask_in, illegal):
    env = started(variant, mask_in=mask_in, illegal=illegal, **variant.limit(2))
    keys = set(env.infos["player_0"])
    assert keys == ({"action_mask"} if mask_in != "observation" else set()) | (
        {"illegal_actions"} if illegal == "random" else set()
    )
    for _ in env.agent_iter():
        for info in env.infos.values():
            assert set(info) == keys
            assert all(isinstance(value, int | np.ndarray) for value in info.values())
        env.step(env.sample_action())
    assert env.agents == []


@pytest.mark.parametrize("obs_dtype", ["float32", "int8"])
def test_state_is_all_observations(game, obs_dtype):
    env = started(game, num_players=5, obs_dtype=obs_dtype, history=2, steps=60)
    state = env.state()
    assert state.dtype == obs_dtype and state.shape == env.state_space.shape == (5 * (game.spec.observation.size + 8),)
    assert env.state_space.contains(state)
    assert env.state_space is env.state_space
    rows = state.reshape(5, -1)
    for seat, agent in enumerate(env.agents):
        assert np.array_equal(rows[seat], env.observe(agent)["observation"])


@pytest.mark.rule("D4.3", "I2.4")
def test_history_shows_the_last_events_newest_first_and_hides_cards(variant):
    events, size = 20, variant.spec.observation.size
    names = list(variant.spec.events.names)
    env = started(variant, num_players=4, history=events, obs_dtype="int8", seed=6)
    assert env.observation_space("player_0")["observation"].shape == (size + 4 * events,)
    hidden = shown = others = 0
    for _ in range(150):
        position = env.position
        since = max(0, position.num_events - events)
        for seat, agent in enumerate(env.agents):
            flat = env.observe(agent)["observation"]
            assert np.array_equal(flat[:size], position.observation(seat, "int8"))
            rows = flat[size:].reshape(events, 4)
            expected = position.events_since(since, seat)[::-1]
            assert len(expected) == min(events, position.num_events)
            for row, event in zip(rows, expected, strict=False):
                assert row[0] == names.index(event.kind)
                assert row[1] == (0 if event.seat < 0 else (event.seat - seat) % 4 + 1)
                assert row[2] == (1 if event.a == -2 else 0 if event.a == -1 else event.a + 2)
                assert (row[2] == 1) == variant.hides(event, seat)
                hidden += row[2] == 1
                shown += event.kind in variant.own_card | variant.shared_card and row[2] > 1
                seat_in_b = event.b >= 0 and variant.seat_in_b(event)
                others += seat_in_b
                b = (event.b - seat) % 4 if seat_in_b else event.b
                assert row[3] == (0 if b == -1 else b + 2)
            assert (rows[len(expected) :] == 0).all()
        env.step(env.sample_action())
    assert hidden > 100 and shown > 30 and others > 10


def test_history_is_scaled_like_everything_else(game):
    counts, scaled = (started(game, history=7, obs_dtype=dtype, steps=30) for dtype in ("int8", "float32"))
    largest = counts.observation_space("player_0")["observation"].high
    for agent in counts.agents:
        one, other = counts.observe(agent)["observation"], scaled.observe(agent)["observation"]
        assert np.array_equal(np.rint(other * largest), one)
        assert one[-28:].any()


# Rewards


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("players", PLAYERS)
def test_rewards_sum_to_zero_and_gain_sums_to_score(variant, reward, players):
    env = started(variant, num_players=players, reward=reward, seed=players, **variant.limit(variant.endless))
    rng = np.random.default_rng(players)
    total = dict.fromkeys(env.possible_agents, 0.0)
    start = env.position.scores
    paid = 0
    while not env.position.is_over:
        before = env.position.scores
        env.step(acting(env.position, rng))
        assert sum(env.rewards.values()) == pytest.approx(0, abs=1e-12)
        gains = [now - then for now, then in zip(env.position.scores, before, strict=True)]
        if reward == "gain":
            expected = [(gain - sum(gains) / players) / variant.scale for gain in gains]
            assert list(env.rewards.values()) == pytest.approx(expected, abs=1e-12)
            paid += any(gains)
        elif not env.position.is_over:
            assert not any(env.rewards.values())
        for agent in env.agents:
            total[agent] += env.rewards[agent]
    assert list(env.terminations.values()) == [True] * players
    assert list(env.truncations.values()) == [False] * players
    scores = env.position.scores
    assert len(set(scores)) > 1
    assert start == [variant.start_score] * players
    by_score = [(score - sum(scores) / players) / variant.scale for score in scores]
    if reward == "gain":
        assert paid >= 2
        assert list(total.values()) == pytest.approx(by_score, abs=1e-9)
    else:
        assert list(total.values()) == pytest.approx(final_rewards(env.position, reward), abs=1e-12)
    if reward == "score":
        assert list(total.values()) == pytest.approx(by_score, abs=1e-12)


@pytest.mark.parametrize("reward", ["win", "gain"])
def test_last_shows_every_reward_once(variant, reward):
    env = started(variant, num_players=3, reward=reward, seed=3, **variant.limit(variant.endless))
    rng = np.random.default_rng(3)
    shown = play_on(env, lambda position: acting(position, rng))
    kind = "score" if reward == "gain" else reward
    assert list(shown.values()) == pytest.approx(final_rewards(env.position, kind), abs=1e-9)
    assert any(shown.values())


@pytest.mark.rule("D4.7", "I11.1")
@pytest.mark.parametrize("maker", MAKERS)
def test_truncated_games_end_for_all_at_once(variant, maker):
    env = started(variant, maker, **variant.limit(variant.short))
    while not env.position.is_over:
        assert not any(env.terminations.values()) and not any(env.truncations.values())
        env.step(env.sample_action())
    assert env.position.is_truncated
    assert env.truncations == dict.fromkeys(env.possible_agents, True)
    assert env.terminations == dict.fromkeys(env.possible_agents, False)
    assert all(type(value) is bool for value in (*env.truncations.values(), *env.terminations.values()))
    assert env.agents == env.possible_agents
    assert variant.length(env.position.to_dict()) == variant.short


# Copies, saving


def traces(env):
    """What a game looks like from here on."""
    digest = hashlib.sha256()
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        action = None if termination or truncation else env.sample_action()
        shown = (agent, action, reward, termination, truncation, plain(observation), plain(info))
        digest.update(repr(shown).encode())
        env.step(action)
    return digest.hexdigest()


CONTINUE = """
import pickle, sys
env = pickle.load(sys.stdin.buffer)
moves = []
for agent in env.agent_iter():
    env.last()
    action = env.sample_action()
    moves.append(action)
    env.step(action)
print(moves, env.position.scores, env.position.to_bytes().hex()[-400:])
"""


@pytest.mark.parametrize("illegal", ["terminate", "random"])
@pytest.mark.parametrize("maker", MAKERS)
def test_copies_go_on_identically(variant, maker, illegal):
    options = {"num_players": 3, "mask_in": "both", "illegal": illegal, "reward": "gain"}
    options |= variant.limit(variant.middle)
    env = started(variant, maker, steps=60, **options)
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    before = snapshot(env)
    for twin in copies:
        assert snapshot(twin) == before
        assert twin.position is not env.position
    assert len({traces(twin) for twin in copies}) == 1
    assert snapshot(env) == before
    assert traces(env) == traces(started(variant, maker, steps=60, **options))


def test_a_pickle_goes_on_identically_in_another_process(game):
    env = started(game, num_players=3, steps=60, history=3, **game.limit(game.middle))
    command = [sys.executable, "-c", CONTINUE]
    done = subprocess.run(command, cwd=ROOT, input=pickle.dumps(env), capture_output=True, check=True)
    moves = []
    for _ in env.agent_iter():
        moves.append(env.sample_action())
        env.step(moves[-1])
    assert done.stdout.decode().strip() == f"{moves} {env.position.scores} {env.position.to_bytes().hex()[-400:]}"
    assert len(moves) > 50


@pytest.mark.parametrize("fresh", [True, False], ids=["before reset", "in a game"])
def test_saved_states_go_on_identically(variant, fresh):
    env = started(variant, num_players=5, steps=80, mask_in="both", reward="gain")
    state = env.get_state()
    other = variant.raw_env(num_players=5, mask_in="both", reward="gain")
    if not fresh:
        other.reset(seed=99)
        other.step(other.sample_action())
    other.set_state(state)
    assert other.position.to_bytes() == state
    assert other.agent_selection == env.agent_selection and other.agents == env.agents
    assert not any(other._cumulative_rewards.values())
    for _ in range(200):
        for agent in env.agents:
            one, two = env.observe(agent), other.observe(agent)
            assert all(np.array_equal(one[key], two[key]) for key in one)
        action = env.sample_action()
        env.step(action)
        other.step(action)
        assert other.get_state() == env.get_state()
        assert other.agent_selection == env.agent_selection and other.rewards == env.rewards
    assert env.sample_action() is not None
    other.sample_action()


def test_a_saved_end_is_an_end(variant):
    env = finish(started(variant, reward="rank", **variant.limit(2)))
    other = variant.env(**variant.limit(2))
    other.set_state(env.get_state())
    assert all(other.truncations.values()) and not any(other.terminations.values())
    assert other.sample_action() is None
    assert play_on(other) == dict.fromkeys(other.possible_agents, 0.0)


def edited(state, **changes):
    """A saved state with another header."""
    head, _, raw = state[len(MAGIC) :].partition(b"\n")
    return MAGIC + json.dumps({**json.loads(head), **changes}).encode() + b"\n" + raw


def recoded(game, state, name, change):
    """A saved state with another first byte of a field of the record, its checksum made to fit."""
    head, _, raw = state[len(MAGIC) :].partition(b"\n")
    place = game.spec.layout.dtype.fields[name][1]
    raw = raw[:place] + bytes([change(raw[place])]) + raw[place + 1 :]
    header = {**json.loads(head), "crc32": zlib.crc32(raw)}
    return MAGIC + json.dumps(header).encode() + b"\n" + raw


def record(game, state):
    return state[-game.spec.layout.itemsize :]


BAD_STATES = {
    "other components": (lambda g, s: edited(s, fingerprint="0" * 16), "other components or by another version"),
    "another format": (lambda g, s: edited(s, format=2), "format is 2, this game needs 1: .*another version"),
    "another game": (lambda g, s: edited(s, game="chess"), "game is 'chess', this game needs '(NAME)'"),
    "the other game": (
        lambda g, s: next(other for other in GAMES if other is not g).rules().new(1).to_bytes(),
        "game is '.*', this game needs '(NAME)': it is a position of another game",
    ),
    "another size": (lambda g, s: edited(s, bytes=1), "bytes is 1, this game needs "),
    "no checksum": (lambda g, s: edited(s, crc32=None), "the content is damaged"),
    "flipped bit": (lambda g, s: s[:-100] + bytes([s[-100] ^ 1]) + s[-99:], "the content is damaged"),
    "truncated": (lambda g, s: s[:-1], "the content is damaged"),
    "too long": (lambda g, s: s + b"\0", "the content is damaged"),
    "no content": (lambda g, s: s[: s.index(b"\n", len(MAGIC))], "the header is damaged"),
    "half a header": (lambda g, s: s[: len(MAGIC) + 20], "the header is damaged"),
    "a header that is a list": (lambda g, s: MAGIC + b"[1]\n" + record(g, s), "the header is damaged"),
    "no header": (lambda g, s: record(g, s), "not written by Position.to_bytes"),
    "empty": (lambda g, s: b"", "not written by Position.to_bytes"),
    "text": (lambda g, s: "state", "expected bytes, got str"),
    "nothing": (lambda g, s: None, "expected bytes, got NoneType"),
    "impossible content": (lambda g, s: recoded(g, s, "hand_size", lambda size: size + 1), "the content cannot be"),
    "impossible options": (
        lambda g, s: recoded(g, s, "num_players", lambda number: 9),
        "num_players=9; allowed: integers from 3 to 6",
    ),
    "other options": (
        lambda g, s: g.rules(polls="all").new(1).to_bytes(),
        "its options are .*polls='all'.*, this game has .*polls='holders'",
    ),
    "other number of players": (lambda g, s: g.rules(num_players=5).new(1).to_bytes(), "num_players=5"),
}


@pytest.mark.parametrize("bad", BAD_STATES)
def test_bad_states_are_refused_and_nothing_changes(game, bad):
    env = started(game, steps=30, mask_in="both")
    change, message = BAD_STATES[bad]
    before = snapshot(env)
    state = change(game, env.get_state())
    with pytest.raises(PositionError, match=message.replace("(NAME)", game.name)):
        env.set_state(state)
    assert snapshot(env) == before
    env.step(env.sample_action())


# Rendering


def test_human_prints_after_each_step_and_ansi_returns(game, capsys):
    env = started(game, render_mode="human")
    assert capsys.readouterr().out == ""
    env.step(env.sample_action())
    assert capsys.readouterr().out == f"{env.position}\n"
    assert env.render() is None
    assert capsys.readouterr().out == f"{env.position}\n"
    env.step(illegal_id(env))
    assert capsys.readouterr().out == f"{env.position}\n"
    env = started(game, render_mode="ansi")
    env.step(env.sample_action())
    assert env.render() == str(env.position)
    assert capsys.readouterr().out == ""
    env.close()


def test_render_without_a_mode_warns_and_returns_nothing(game):
    env = started(game)
    with pytest.warns(UserWarning, match="render_mode; allowed: 'ansi', 'human'"):
        assert env.render() is None
