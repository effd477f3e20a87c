"""``game``: each game as it is by default; ``variant``: each way of playing each game."""

import pytest

from tests.views.games import GAMES, VARIANTS


@pytest.fixture(params=GAMES, ids=str)
def game(request):
    return request.param


@pytest.fixture(params=VARIANTS, ids=str)
def variant(request):
    return request.param
