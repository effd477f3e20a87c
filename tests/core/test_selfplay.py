"""Self-play on a game of its own: what is counted, and that the division into calls and threads changes nothing."""

from __future__ import annotations

import dataclasses
import threading
from typing import Any

import numpy as np
import pytest

from dracheninsel_env.actions import ACTIONS
from dracheninsel_env.options import DracheninselOptions, new_record
from dracheninsel_env.rules.engine import reset, standing, step
from dracheninsel_env.selfplay import SUBJECT
from island_core import rng
from island_core.selfplay import POLICIES, POLICY_STREAM, alloc_rows, choose, decide
from island_core.selfplay_report import SelfPlay, SelfPlayResult, Summary, wilson

SHORT = DracheninselOptions(max_turns=12)


def figures(result: SelfPlayResult) -> dict[str, Any]:
    """What must not depend on how the games were divided."""
    return {k: v for k, v in dataclasses.asdict(result).items() if k not in ("seconds", "threads")}


def members(words: np.ndarray) -> set[int]:
    return {64 * j + k for j, word in enumerate(words) for k in range(64) if int(word) >> k & 1}


def words_of(actions: set[int]) -> np.ndarray:
    words = np.zeros(ACTIONS.words, np.uint64)
    for action in actions:
        words[action >> 6] |= np.uint64(1) << np.uint64(action & 63)
    return words


@pytest.mark.parametrize("policy", POLICIES)
def test_threads_and_chunks_change_nothing(policy: str) -> None:
    results = [
        figures(SelfPlay(SUBJECT, new_record(SHORT), policy, 5, threads, chunk).run(23))
        for threads, chunk in ((1, None), (3, None), (1, 23), (2, 5), (4, 1))
    ]
    assert all(result == results[0] for result in results)


def test_the_seed_decides() -> None:
    def run(seed: int) -> dict[str, Any]:
        return figures(SelfPlay(SUBJECT, new_record(SHORT), "random", seed, 2).run(9)) | {"seed": None}

    assert run(1) == run(1)
    assert run(1) != run(2)


def test_a_part_is_the_same_as_in_the_whole() -> None:
    rows, tallies = alloc_rows(6), np.zeros((6, len(SUBJECT.columns)), np.int64)
    asked, taken = np.zeros(len(SUBJECT.decisions), np.int64), np.zeros(ACTIONS.size, np.int64)
    states = new_record(SHORT)
    SUBJECT.play(states, 3, 0, 6, 0, SUBJECT.advise_for(0), rows, tallies, asked, taken)
    part, part_tallies = alloc_rows(2), np.zeros((2, len(SUBJECT.columns)), np.int64)
    SUBJECT.play(states, 3, 4, 2, 0, SUBJECT.advise_for(0), part, part_tallies, asked, taken)
    assert part.tobytes() == rows[4:].tobytes()
    assert (part_tallies == tallies[4:]).all()


@pytest.mark.parametrize("policy", POLICIES)
def test_counts_agree_with_a_game_played_from_python(policy: str) -> None:
    result = SelfPlay(SUBJECT, new_record(SHORT), policy, 8, 1).run(1)
    states = new_record(SHORT)
    words, room = np.empty(4, np.uint64), np.empty(ACTIONS.words, np.uint64)
    rng.seed_words(words, 8, 0, POLICY_STREAM)
    asked = dict.fromkeys(result.decision_kinds, 0)
    taken = [0] * ACTIONS.size
    choices = 0
    status = reset(states, 0, 8, 0, 0)
    while status & 255:
        legal, number = members(states["legal"][0]), POLICIES.index(policy)
        advise = SUBJECT.advise_for(number)
        action = decide(states, 0, len(legal), ACTIONS.passive, room, words, number, advise)
        assert action in legal
        choices += len(legal) > 1
        asked[SUBJECT.decisions[status >> 8 & 255]] += 1
        taken[action] += 1
        status = step(states, 0, action)
    scores, keys = np.empty(6, np.int64), np.empty(6, np.int64)
    standing(states, 0, scores, keys)
    assert result.decisions == choices
    assert result.asked == sum(asked.values())
    assert result.decision_kinds == asked
    assert result.actions == taken
    assert result.scores == scores[:4].tolist()
    assert result.outcomes == {"natural": 0, "truncated": 1}
    assert result.length.mean == 12


def test_wins_are_shared() -> None:
    for players in (3, 6):
        options = DracheninselOptions(num_players=players, max_turns=2)
        result = SelfPlay(SUBJECT, new_record(options), threads=2).run(4)
        # Nobody has money after two turns, so all tie.
        assert [win.share for win in result.wins] == pytest.approx([1 / players] * players)


def test_acting_is_passive_only_if_it_must() -> None:
    words, room = np.empty(4, np.uint64), np.empty(ACTIONS.words, np.uint64)
    rng.seed_words(words, 1, 0, 0)
    passive = members(ACTIONS.passive)
    states = new_record(DracheninselOptions())
    status = reset(states, 0, 2, 0, 0)
    seen = set()
    for _ in range(3000):
        if not status & 255:
            break
        legal = members(states["legal"][0])
        action = choose(states["legal"][0], ACTIONS.passive, room, words, POLICIES.index("acting"))
        assert action in legal
        if action in passive:
            assert legal <= passive
        seen.add(action in passive)
        status = step(states, 0, action)
    assert seen == {True, False}


def test_progress_adds_up() -> None:
    told: list[int] = []
    SelfPlay(SUBJECT, new_record(SHORT), threads=2, chunk=4).run(30, told.append)
    assert sum(told) == 30


def test_an_interrupt_stops_all_threads() -> None:
    def interrupt(games: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        SelfPlay(SUBJECT, new_record(SHORT), threads=2, chunk=1).run(100_000, interrupt)
    assert not [thread for thread in threading.enumerate() if "ThreadPool" in thread.name]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"policy": "clever"}, "policy='clever'; allowed: 'random', 'acting'"),
        ({"threads": 0}, "threads=0; allowed: integers from 1 up"),
        ({"chunk": 0}, "chunk=0; allowed: integers from 1 up"),
    ],
)
def test_bad_arguments(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SelfPlay(SUBJECT, new_record(SHORT), **given)
    with pytest.raises(ValueError, match="games=0; allowed: integers from 1 up"):
        SelfPlay(SUBJECT, new_record(SHORT)).run(0)


def test_summary() -> None:
    summary = Summary.of(np.arange(101))
    assert (summary.mean, summary.median, summary.least, summary.most) == (50, 50, 0, 100)
    assert summary.quantiles == {"0.05": 5, "0.25": 25, "0.5": 50, "0.75": 75, "0.95": 95}


def test_wilson() -> None:
    # R. G. Newcombe, Statistics in Medicine 17 (1998), table I: 81 of 263, 15 of 148, 0 of 20.
    for wins, count, low, high in ((81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)):
        share = wilson(wins / count, count)
        assert (share.low, share.high) == pytest.approx((low, high), abs=5e-5)


def test_rows_are_those_that_a_result_is_made_of() -> None:
    selfplay = SelfPlay(SUBJECT, new_record(SHORT), "greedy", 8, 2)
    rows, tallies = selfplay.rows(5)
    result = selfplay.run(5)
    assert rows["scores"][:, :4].mean(axis=0).tolist() == result.scores
    assert int(rows["asked"].sum()) == result.asked
    assert float(tallies[:, 0].mean()) == result.length.mean
    with pytest.raises(ValueError, match="games=0; allowed: integers from 1 up"):
        selfplay.rows(0)
