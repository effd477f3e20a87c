"""Memory stays flat; ``tests.views.soak`` has the long form."""

from tests.views import soak


def test_memory_stays_flat_over_many_rounds():
    living, process = soak.soak(12)
    assert living <= soak.GROWTH and process <= soak.ROOM


def test_a_leak_is_noticed(monkeypatch):
    kept = []
    use = soak.use

    def leaky(game, number):
        use(game, number)
        kept.append(game.rules().new(number).to_dict())

    monkeypatch.setattr(soak, "use", leaky)
    living, _ = soak.soak(3)
    assert living > soak.GROWTH
