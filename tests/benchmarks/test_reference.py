"""The reference results: the page is that of the figures, these are of the rules as they are, least squares add up."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import numpy as np
import pytest

from benchmarks import reference
from island_core import commands
from island_core.arena import Tournament

ROOT = Path(__file__).parents[2]
FIGURES = json.loads(reference.FIGURES.read_text(encoding="utf-8"))


class Made(BaseException):
    """A tournament was made; it is not to be played."""


def test_the_page_is_that_of_the_figures():
    assert reference.PAGE.read_text(encoding="utf-8") == reference.page(FIGURES)


def test_every_picture_of_the_page_is_there():
    page = reference.PAGE.read_text(encoding="utf-8")
    pictures = {part.split(")")[0] for part in page.split("](")[1:] if part.split(")")[0].endswith(".svg")}
    assert len(pictures) == 5
    assert all((reference.PAGE.parent / picture).is_file() for picture in pictures)


def test_the_figures_are_of_these_rules_and_of_all_that_is_planned():
    for name, subject in reference.GAMES.items():
        game = FIGURES["games"][name]
        assert game["fingerprint"] == subject.table.spec.fingerprint
        assert list(game["reports"]) == list(reference.plans(subject))
        assert len(game["cards"]) > 10
        for report in game["reports"].values():
            assert all(one["spoiled"] == 0 for one in report["standings"])


@pytest.mark.parametrize("name", reference.GAMES)
def test_the_commands_of_the_page_play_what_was_played(name, monkeypatch):
    """Each command line gives the tournament whose report stands under it."""
    subject = reference.GAMES[name]
    made = []

    class Noted(Tournament):
        def __init__(self, *given, **options):
            super().__init__(*given, **options)
            made.append(self.header)
            raise Made

    monkeypatch.setattr("island_core.arena.Tournament", Noted)
    for command, planned in reference.plans(subject).items():
        program, *arguments = shlex.split(command)
        assert program == subject.table.program
        made.clear()
        with pytest.raises(Made):
            commands.main(subject.table, arguments)
        assert made == [planned.header]


def test_values_of_cards_are_found_again():
    """Win shares made from known values, with noise: the intervals hold them, and the mean card is worth nothing."""
    rng = np.random.default_rng(0)
    values = np.array([0.03, -0.01, 0.0, 0.02])
    counts = rng.multinomial(5, (0.4, 0.3, 0.2, 0.1), size=40_000).astype(float)
    shares = 0.25 + counts @ values + rng.normal(0, 0.3, 40_000)
    found = reference.regression(counts, shares)
    weight = counts.sum(axis=0) / counts.sum()
    expected = values - weight @ values
    for (value, low, high), wanted in zip(found, expected, strict=True):
        assert low < wanted < high and high - low < 0.02
        assert value == pytest.approx((low + high) / 2)
    assert weight @ [value for value, _, _ in found] == pytest.approx(0.0, abs=1e-9)
