"""Reading and running transcripts, on a game of a few lines."""

import pytest

from island_core.transcript import (
    Move,
    TranscriptError,
    agrees,
    all_of,
    cards_of,
    number_of,
    one_of,
    parse,
    run,
    values_of,
)

HEAD = "game: toy   players: 2   rule: R1.1, R2.3\n"


class ToyWords:
    game = "toy"
    vocabulary = frozenset({"take", "steal", "pass", "red", "blue"})

    def place(self, setup, key, value):
        words = key.split()
        if words[0] != "bag":
            raise ValueError("only bags can be filled")
        setup[words[1]] = values_of(value)

    def complete(self, setup, options):
        setup["limit"] = options.get("limit", 9)

    def look(self, facts, key):
        if key.split()[0] != "bag":
            raise ValueError("there are only bags")
        return list(facts[key.split()[1]])

    def chance(self, events, later):
        raise NotImplementedError

    def describe(self, position, later):
        raise NotImplementedError


class ToyTable:
    """Players take turns: `take red`, `pass`, or `steal`, which moves a ball of the other bag at random."""

    def __init__(self, bags):
        self.bags = bags
        self.turn = 0

    @property
    def actor(self):
        return None if self.turn == 4 else f"player_{self.turn % 2}"

    @property
    def decision(self):
        return None if self.turn == 4 else "move"

    @property
    def scores(self):
        return [len(self.bags[f"player_{seat}"]) for seat in range(2)]

    @property
    def winners(self):
        return [f"player_{seat}" for seat, score in enumerate(self.scores) if score == max(self.scores)]

    def legal(self):
        if self.actor is None:
            return []
        return ["take red", "pass", *(["steal"] if self.bags[f"player_{1 - self.turn % 2}"] else [])]

    def step(self, name, chance):
        other = self.bags[f"player_{1 - self.turn % 2}"]
        own = self.bags[self.actor]
        if name == "take red":
            own.append("red")
        happened = []
        if name == "steal":
            ball = chance[0].split()[1] if chance else other[0]
            if ball not in other:
                raise ValueError(f"{ball} is not in the bag")
            other.remove(ball)
            own.append(ball)
            happened.append(f"steal {ball}")
        if not agrees(chance, happened):
            raise ValueError(f"what happens: {happened}")
        self.turn += 1

    def facts(self):
        return self.bags


class Toy:
    words = ToyWords()

    def start(self, options, setup):
        if any(len(setup.get(f"player_{seat}", [])) > setup["limit"] for seat in range(2)):
            raise ValueError("a bag is too full")
        return ToyTable({f"player_{seat}": list(setup.get(f"player_{seat}", [])) for seat in range(2)})


def play(body, head=HEAD):
    return run(f"{head}--- example (p.1)\n{body}", Toy(), "toy.game")


def failure(body, head=HEAD):
    with pytest.raises(TranscriptError) as caught:
        play(body, head)
    return str(caught.value)


def test_a_transcript_runs():
    text = """
    setup: bag player_1 = blue,   # goes on
        red
    player_0  Take   RED
    player_1  cannot take blue
    player_1  steal
    *  steal red
    player_0  steal
    *  steal blue
    ?  actor = player_1 ; decision = move ; score = 1 2 ; winners = player_1 ; not over
    ?  bag player_1 = red, red ; bag player_0 = blue ; bag player_1 has red ; bag player_0 has no red
    ?  bag player_1 = 2 cards ; legal = { steal, pass, take red } ; legal has take ... ; legal has no take blue
    player_1  pass
    ?  over ; actor = none
    player_0  cannot pass
    """
    assert play(text) == 1


def test_what_is_parsed():
    text = HEAD + (
        "options: fast = true ; limit = 3 ; mode = all\n"
        "setup: bag player_0 = red\n"
        "--- one\n"
        "rule: R3.1\n"
        "setup: bag player_0 = blue\n"
        "player_0  pass\n"
        "--- two\n"
        "players: 3\n"
        "player_0  steal   # with a comment\n"
        "\n"
        "*  steal blue\n"
        "*  shuffle\n"
    )
    one, two = parse(text, "toy.game")
    assert (one.title, one.number, one.game) == ("one", 4, "toy")
    assert one.options == {"num_players": 2, "fast": True, "limit": 3, "mode": "all"}
    assert one.rules == ("R1.1", "R2.3", "R3.1")
    assert [(item.number, item.value) for item in one.setup] == [(3, "red"), (6, "blue")]
    assert two.options["num_players"] == 3
    assert two.rules == ("R1.1", "R2.3")
    assert two.lines == (Move(10, "player_0", "steal", ("steal blue", "shuffle")),)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "title"),
        (HEAD, 1, "title"),
        (HEAD + "player_0  pass\n", 2, "before the first title"),
        (HEAD + "--- \nplayer_0  pass\n", 2, "title of its own"),
        (HEAD + "--- a\nplayer_0  pass\n--- a\nplayer_0  pass\n", 4, "title of its own"),
        (HEAD + "--- a\n", 2, "nothing happens"),
        ("players: 2\n--- a\nplayer_0  pass\n", 2, "is missing"),
        ("game: toy\n--- a\nplayer_0  pass\n", 2, "is missing"),
        ("gane: toy\n--- a\nplayer_0  pass\n", 1, "'gane: toy' is no header"),
        (HEAD + "players: two\n--- a\nplayer_0  pass\n", 2, "'players: two' is no header"),
        ("game: toy players: 2 rule: five\n--- a\nplayer_0  pass\n", 1, "'five' is no rule id"),
        (HEAD + "setup: bag player_0 red\n--- a\nplayer_0  pass\n", 2, "'key = value' is expected"),
        (HEAD + "--- a\nplayer_0  pass\nsetup: bag player_0 = red\n", 4, "before the moves"),
        (HEAD + "--- a\n*  steal red\nplayer_0  pass\n", 3, "belongs to the move right before it"),
        (HEAD + "--- a\nplayer_0  pass\n?  over\n*  steal red\n", 5, "belongs to the move right before it"),
        (HEAD + "--- a\nnobody pass\n", 3, "a player and an action"),
        (HEAD + "--- a\nplayer_0  pass\n?  nearly over\n", 4, "is expected"),
        (HEAD + "--- a\nplayer_0  pass\n?  score =\n", 4, "is expected"),
        (HEAD + "--- a\nplayer_0  pass,\n", 3, "the text ends"),
    ],
)
def test_texts_that_are_not_understood(text, line, message):
    with pytest.raises(TranscriptError) as caught:
        parse(text, "toy.game")
    assert str(caught.value).startswith(f"toy.game:{line}: ")
    assert message in str(caught.value)


def test_another_game():
    assert "toy.game:2: a game of tic, not of toy" in failure("player_0  pass", HEAD.replace("toy", "tic"))


def test_setups_that_cannot_be():
    assert "toy.game:3: setup 'box = red': only bags can be filled" in failure("setup: box = red\nplayer_0  pass")
    found = failure("options: limit = 1\nsetup: bag player_0 = red, red\nplayer_0  pass")
    assert found == "toy.game:2: the setup of 'example (p.1)': a bag is too full"


def test_a_move_of_the_wrong_player():
    assert failure("player_1  pass").startswith("toy.game:3: player_1 cannot move: player_0 decides in 'move'")


def test_an_illegal_move_names_what_is_legal():
    message = failure("player_0  steal")
    assert message.startswith("toy.game:3: 'steal' is not legal: player_0 decides in 'move'; legal: { pass, take red }")
    assert message.endswith("[example (p.1)]")


def test_a_move_after_the_end():
    end = "player_0  pass\nplayer_1  pass\nplayer_0  pass\nplayer_1  pass\n"
    assert "toy.game:7: player_0 cannot move: the game is over" in failure(end + "player_0  pass")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("actor = player_1", "expected 'actor = player_1', found: player_0"),
        ("decision = wait", "expected 'decision = wait', found: move"),
        ("over", "expected 'over': player_0 decides in 'move'"),
        ("score = 1 0", "expected 'score = 1 0', found: 0, 2"),
        ("score = 0 2 0", "found: 0, 2"),
        ("winners = player_0", "found: player_1"),
        ("bag player_1 = red", "expected 'bag player_1 = red', found: red, blue"),
        ("bag player_1 = red, blue, blue", "found: red, blue"),
        ("bag player_1 = none", "found: red, blue"),
        ("bag player_1 has red, red", "found: red, blue"),
        ("bag player_1 has no blue", "found: red, blue"),
        ("bag player_1 = 3 cards", "found: red, blue"),
        ("bag player_0 = red", "found: none"),
        ("box = red", "expected 'box = red': there are only bags"),
        ("legal = { pass, steal }", "not legal: {  }, legal too: { take red }"),
        ("legal = { pass, steal, take red, take blue }", "not legal: { take blue }, legal too: {  }"),
        ("legal = pass", "{ name, name } is expected"),
        ("legal has take blue", "legal: { pass, steal, take red }"),
        ("legal has no take ...", "legal: { pass, steal, take red }"),
        ("legal has no tak red", "tak is no word of the game"),
    ],
)
def test_a_wrong_expectation_fails(line, message):
    found = failure(f"setup: bag player_1 = red, blue\nplayer_0  cannot take blue\n?  {line}")
    assert found.startswith("toy.game:5: ")
    assert message in found


def test_not_over():
    end = "player_0  pass\nplayer_1  pass\nplayer_0  pass\nplayer_1  pass\n"
    assert "toy.game:7: expected 'not over': the game is over" in failure(end + "?  not over")


def test_a_refusal_of_a_legal_move_fails():
    assert "toy.game:3: 'take red' is legal for player_0 in 'move'" in failure("player_0  cannot take red")
    assert "toy.game:3: 'take red' is legal for player_0" in failure("player_0  cannot take ...")


def test_a_refusal_with_a_slip_of_the_pen_fails():
    assert "toy.game:3: cannot 'tkae red': tkae is no word of the game" in failure("player_0  cannot tkae red")
    assert "tkae is no word" in failure("player_1  cannot tkae red")


def test_chance_lines_that_cannot_happen_fail():
    setup = "setup: bag player_1 = blue\n"
    assert "toy.game:4: 'steal': red is not in the bag" in failure(f"{setup}player_0  steal\n*  steal red")
    assert "toy.game:4: 'pass': what happens: []" in failure(f"{setup}player_0  pass\n*  steal blue")


def test_chance_that_is_not_told_fails():
    assert "what happens: ['steal blue']" in failure("setup: bag player_1 = blue\nplayer_0  steal")


@pytest.mark.parametrize(
    ("told", "happened", "agree"),
    [
        ([], [], True),
        ([], ["rob red from player_1"], False),
        (["rob red"], ["rob red from player_1"], True),
        (["rob red from player_1"], ["rob red from player_1"], True),
        (["rob re"], ["rob red from player_1"], False),
        (["rob red"], [], False),
        (["rob red", "rob blue"], ["rob blue", "rob red"], False),
        (["shuffle"], ["shuffle", "draw red", "draw blue"], True),
        (["shuffle", "draw red"], ["shuffle", "draw red", "draw blue"], True),
        (["shuffle", "draw blue"], ["shuffle", "draw red", "draw blue"], False),
        (["draw red"], ["shuffle", "draw red"], False),
    ],
)
def test_when_chance_lines_agree(told, happened, agree):
    assert agrees(told, happened) is agree


def test_case_does_not_matter():
    class ShoutingToy(Toy):
        def start(self, options, setup):
            table = super().start(options, setup)
            table.legal = lambda: ["Take Red", "Pass"]
            played = []
            table.step = lambda name, chance: played.append(name)
            table.facts = lambda: {"player_0": ["Red"], "player_1": played}
            return table

    body = "Player_0  take red\n"
    with pytest.raises(TranscriptError, match="a player and an action"):
        run(f"{HEAD}--- example\n{body}", ShoutingToy())
    body = (
        "player_0  TAKE red\n?  legal = { pass, take RED } ; legal has take ... ; bag player_0 = RED\n"
        "?  bag player_1 has Take red\n"
    )
    assert run(f"{HEAD}--- example\n{body}", ShoutingToy()) == 1


def test_a_move_names_one_action():
    assert "'take ...' is not legal" in failure("player_0  take ...")


def test_words_and_numbers_of_a_game():
    assert one_of("mana-hatu", ("Base", "Mana-Hatu")) == "Mana-Hatu"
    assert all_of("base, MANA-HATU", ("Base", "Mana-Hatu")) == ["Base", "Mana-Hatu"]
    assert all_of("none", ("Base",)) == []
    with pytest.raises(ValueError, match=r"'sand' is none of Base, Mana-Hatu"):
        all_of("base, sand", ("Base", "Mana-Hatu"))
    assert number_of("12") == 12
    with pytest.raises(ValueError, match=r"'-1' is no number"):
        number_of("-1")
    assert cards_of({"red": 2, "blue": 0, "green": 1}) == ["red", "red", "green"]


@pytest.mark.parametrize(
    ("told", "happened", "agree"),
    [
        (["Rob RED"], ["rob red from player_1"], True),
        (["loot Red from player_1"], ["loot Red starred from player_1"], False),
        (["loot Red"], ["loot Red starred from player_1"], True),
        (["shuffle", "refill a"], ["shuffle", "refill a", "refill b", "draw c"], True),
        (["shuffle", "draw c"], ["shuffle", "refill a", "draw c"], False),
        ([], ["under a, b"], True),
        (["under b, a"], ["under a, b"], False),
    ],
)
def test_when_chance_lines_with_names_agree(told, happened, agree):
    assert agrees(told, happened) is agree
