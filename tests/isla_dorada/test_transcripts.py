"""The transcripts of the rulebook, written by hand, on core and oracle; and how they are read and recorded."""

import re
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from isla_dorada_env.isla_dorada_v0 import Game
from isla_dorada_env.transcripts import WORDS
from island_core import transcript
from island_core.transcript import (
    Example,
    PositionSubject,
    Recorder,
    Subject,
    TranscriptError,
    parse,
    run,
    run_example,
)
from tests.common.checked import CheckedSubject
from tests.common.record_transcripts import check
from tests.common.transcripts import Transcripts
from tests.isla_dorada import record_transcripts
from tests.isla_dorada.oracle_subject import OracleSubject

FOLDER = Path(__file__).parent / "transcripts"
RULES = Path(__file__).parents[2] / "docs" / "rules" / "isla_dorada.md"
SUBJECTS: dict[str, Subject] = {"core": PositionSubject(WORDS, Game), "oracle": OracleSubject()}
CHECKED: dict[str, Subject] = SUBJECTS | {"core": CheckedSubject(WORDS, Game)}


TRANSCRIPTS = Transcripts(FOLDER)
examples = TRANSCRIPTS.examples
cited_rules = TRANSCRIPTS.cited_rules
parameters = TRANSCRIPTS.parameters


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("example", parameters("rulebook"))
def test_rulebook(example: Example, subject: str) -> None:
    run_example(example, CHECKED[subject])


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("example", parameters("recorded"))
def test_recorded(example: Example, subject: str) -> None:
    run_example(example, SUBJECTS[subject])


def test_the_recorded_games_are_those_of_the_command() -> None:
    recorded = [(one.options["num_players"], one.options.get("cooperative_bidding")) for one in examples("recorded")]
    assert {players for players, _ in recorded} == {3, 4, 5, 6}
    assert {cooperative for _, cooperative in recorded} == {None, True}
    check(FOLDER / "recorded", record_transcripts.PLANS, record_transcripts.record)


def test_the_rules_cited_exist() -> None:
    written = set(re.findall(r"^- (I\d+\.\d+) ", RULES.read_text(encoding="utf-8"), re.MULTILINE))
    assert cited_rules() <= written


def test_every_rule_of_play_is_cited() -> None:
    written = re.findall(r"^- (I\d+\.\d+) ", RULES.read_text(encoding="utf-8"), re.MULTILINE)
    assert [rule for rule in written if rule not in cited_rules()] == ["I1.1", "I2.1"]


def test_every_example_names_its_rules() -> None:
    assert [f"{one.source}:{one.number}" for one in examples("rulebook") if not one.rules] == []


HEAD = "game: isla_dorada   players: 3\n"
THEFT = (
    "setup: stage = drawing ; deck = marabou ; display = yak, kamel, gonogo, macaque ; hand player_1 = yak, oveto ; "
    "treasures player_1 = Rhobanis, Rhobanis starred\n"
)


def failure(body: str, subject: str = "core") -> str:
    with pytest.raises(TranscriptError) as caught:
        run(f"{HEAD}--- example\n{body}", SUBJECTS[subject], "file.game")
    return str(caught.value)


@pytest.mark.rule("I10.3")
@pytest.mark.parametrize("subject", SUBJECTS)
def test_every_outcome_can_be_told(subject: str) -> None:
    for card in ("yak", "oveto"):
        text = f"{THEFT}player_0  draw macaque\nplayer_0  rob player_1\n*  rob {card}\n?  hand player_0 has {card}\n"
        assert run(f"{HEAD}--- example\n{text}", SUBJECTS[subject]) == 1
    for treasure in ("Rhobanis", "Rhobanis starred"):
        line = f"*  loot {treasure} from player_1\n?  treasures player_0 = {treasure}\n"
        text = f"{THEFT}player_0  draw deck\nplayer_0  rob player_1\n{line}"
        assert run(f"{HEAD}--- example\n{text}", SUBJECTS[subject]) == 1


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize(
    "line", ["*  rob juju", "*  rob yak from player_2", "", "*  rob yak\n*  rob yak", "*  draw yak"]
)
def test_chance_that_cannot_happen_fails(line: str, subject: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcript, "MAX_TRIES", 100)
    text = f"{THEFT}player_0  draw macaque\nplayer_0  rob player_1\n{line}\n"
    assert failure(text, subject).startswith("file.game:5: 'rob player_1': ")


@pytest.mark.rule("I8.4")
@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("order", list(permutations(["Septris", "Rhobanis bonus", "Kamoptis"])))
def test_the_order_of_rejects_can_be_told(order: tuple[str, ...], subject: str) -> None:
    text = (
        "setup: stage = telegram ; camp = Septris ; markers Septris = 4 ; bid player_0 = Septris mountain 0 ; "
        "laid player_0 = rest ; deck = antik ; display = yak, yak, yak, yak ; "
        "treasure deck = Septris, Qualtops, Rhobanis bonus, Qualtops, Kamoptis, Hora-Pena\n"
        "player_0  reject Septris\nplayer_1  reject Rhobanis bonus\nplayer_2  reject Kamoptis\n"
        f"*  under {', '.join(order)}\n"
        f"player_0  draw deck\n?  legal = {{ reject {order[0]}, reject {order[1]} }} ; treasure deck = {order[2]}\n"
    )
    assert run(f"{HEAD}--- example\n{text}", SUBJECTS[subject]) == 1


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_wrong_line_fails(subject: str) -> None:
    assert failure("player_0  bid Septris water\n", subject).startswith("file.game:3: 'bid septris water' is not legal")
    assert "'bid Kilitiping jungle' is legal" in failure("player_0  cannot bid Kilitiping ...\n", subject)
    assert "found: Base" in failure("player_0  cannot pass\n?  camp = Septris\n", subject)


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ("hand player_0 = sand", "'sand' is none of yak"),
        ("hand red = yak", "'red' is none of player_0"),
        ("camp = atlantis", "'atlantis' is none of Hora-Pena"),
        ("markers base = 1", "'base' is none of Hora-Pena"),
        ("markers septris = many", "'many' is no number"),
        ("bigfoot = septris base jungle", "'septris base jungle' is none of outside"),
        ("gold player_0 = much", "'much' is no number"),
        ("treasures player_0 = base starred", "'base starred' is none of"),
        ("curses player_0 = base", "'base' is none of"),
        ("destiny player_0 = luck", "'luck' is none of north lore"),
        ("bid player_0 = septris jungle", "'septris jungle' is no bid such as"),
        ("bid player_0 = septris road 3", "'road' is none of jungle"),
        ("bid for player_0 = here", "'here' is none of"),
        ("passed = nobody", "'nobody' is none of player_0"),
        ("barred = nobody", "'nobody' is none of player_0"),
        ("stage = lunch", "'lunch' is none of setup"),
        ("round two = 2", "no such place"),
        ("bid = 3", "no such place"),
        ("weather = rain", "no such place"),
    ],
)
def test_setups_that_are_not_understood(item: str, message: str) -> None:
    found = failure(f"setup: {item}\nplayer_0  pass\n")
    assert found.startswith(f"file.game:3: setup '{item}': {message}")


def test_a_setup_that_cannot_be() -> None:
    found = failure("setup: gold player_0 = 11\nplayer_0  pass\n")
    assert found.startswith("file.game:2: the setup of 'example': ")


@pytest.mark.parametrize("key", ["weather", "markers atlantis", "hand player_3", "bid nobody", "sees hand player_1"])
def test_places_that_are_not_there(key: str) -> None:
    assert failure(f"player_0  cannot pass\n?  {key} = 1\n").startswith(f"file.game:4: expected '{key} = 1': ")


SETUP = """
setup: camp = Septris ; markers Septris = 2 ; markers Kamoptis = 1 ; bigfoot = Base Kilitiping jungle ;
    leviathan = Mana-Hatu Base lake ; sea journeys = 1 ; returns = 2 ; gold player_1 = 3 ; hand player_0 = yak, yak ;
    hand player_1 = oveto ; display = yak, macaque, oveto, juju ; deck = panda, kayak ; discard = juju, juju, yak ;
    player_2 sees hand player_0 = yak ; treasures player_0 = Rhobanis starred, Septris ;
    laid player_1 = Rhobanis, Septris bonus ; player_1 sees treasures player_0 = Septris ; treasure deck = Kamoptis ;
    starred rejected player_0 = Qualtops starred ; curses player_0 = Kamoptis, Septris ;
    curses laid player_2 = Teltoqlut ; curse deck = Qualtops ; destiny player_0 = Mar Maldita ;
    destiny deck = north lore ; bid player_0 = Hora-Pena mountain 1 ; bid player_1 = Kamoptis desert 0 ;
    joined = player_1, player_0 ; raised = player_1, player_0 ;
    bid for player_0 = Hora-Pena, Kamoptis ; bid for player_1 = Kamoptis ; passed = player_1 ;
    barred = player_2 ; leader = player_1 ; round = 3 ; winning total = 7 ; stage = bidding ; step = 0
"""


def test_what_a_setup_fills_can_be_expected() -> None:
    items = parse(f"{HEAD}{_joined(SETUP)}\noptions: cooperative_bidding = true\n--- one\nplayer_0  pass\n")[0].setup
    setup: dict[str, object] = {}
    for _, key, value in items:
        WORDS.place(setup, key, value)
    WORDS.complete(setup, {})
    facts = Game(num_players=3, cooperative_bidding=True).from_dict(setup).to_dict()
    for _, key, value in items:
        found = [one.lower() for one in WORDS.look(facts, key)]
        wanted = transcript.values_of(value)
        if key.endswith("deck"):
            found = found[: len(wanted)]
        assert sorted(found) == sorted(wanted), key
    assert WORDS.look(facts, "last route") == []
    assert WORDS.look(facts, "telegram rejected player_0") == []


def _joined(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize(("players", "seed", "coop"), [(3, 1, False), (4, 2, True), (6, 3, False)])
def test_a_recorded_game_runs(players: int, seed: int, coop: bool) -> None:
    position = Game(num_players=players, cooperative_bidding=coop).new(seed)
    random = np.random.default_rng(seed)
    while position.decision != "bid":
        position.step(int(random.choice(position.legal_actions())))
    recorder = Recorder(position, WORDS, "recorded", ["I5.1"])
    for _ in range(120):
        try:
            recorder.step(int(random.choice(recorder.position.legal_actions())))
        except ValueError:  # a deck is shuffled
            break
    places = [f"{key} player_{seat}" for key in ("hand", "gold", "laid", "curses") for seat in range(players)]
    recorder.expect("over", "actor", "legal", "score", "camp", "display", "discard", "leader", "round", *places)
    assert len(recorder.lines) > 60
    assert run(recorder.text(), SUBJECTS["core"]) == 1


def test_a_record_begins_with_a_round() -> None:
    position = Game(num_players=3).new(1)
    with pytest.raises(ValueError, match="begins at the start of a round"):
        WORDS.describe(position, position)
