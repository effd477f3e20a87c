"""Transcripts: games as text that a person can check against the rulebook, and how they are read, run and recorded.

A file begins with what all its examples share; each example begins with a title::

    game: <name>   players: 4   rule: R5.2, R5.4
    options: polls = all ; max_turns = 20
    setup: hand player_0 = sword, coin ; deck = map
    --- A tie moves nothing (p.6)
    rule: R5.5
    setup: hand player_1 = coin
    player_0  lead coin
    player_1  cannot lead sword          # not in his hand
    player_1  rob player_0
    *  rob coin from player_0
    ?  actor = player_2 ; legal = { lead map, pass } ; score = 3 0 0 0

- *Moves* are a player, who must be the one to decide, and the name of an action.
- *Refusals* (``cannot``) hold if the player is not the one to decide, or the action is not legal; each of its words
  must be a word of the game, so that a slip of the pen does not pass. ``step d4 ...`` stands for all names that begin
  like this.
- *Chance lines* (``*``) belong to the move before: what the dice, the bag or the pile gave. All thefts and the like
  must be told, in order; what is drawn from an order that the setup fixes is not chance.
- *Expectations* (``?``), several separated by ``;``: ``actor = player_1``, ``decision = lead``, ``over``, ``not over``,
  ``legal = { name, name }``, ``legal has name``, ``legal has no name``, ``score = 3 0 0 0``, ``winners = player_0``,
  and ``<place> = values``, ``<place> has values``, ``<place> has no values`` for the places the game knows, the same
  that a setup fills. Values are separated by commas, their order does not matter, ``none`` is an empty list, and
  ``7 cards`` tells a number only.
- Upper and lower case do not matter; chance lines reach a subject as they are written.
- ``#`` begins a comment. A line that ends with a comma or a semicolon goes on in the next one.

`run` plays a text on a `Subject`: `PositionSubject` is the one for `Position`; a second implementation of a game can
offer its own. Nothing here knows a rule or a word of a game: a game's words come in a `Words` object.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from island_core.position import Game, Position, TableEvent

__all__ = [
    "Example",
    "Expectation",
    "Move",
    "PositionSubject",
    "Recorder",
    "Refusal",
    "Subject",
    "Table",
    "TranscriptError",
    "Words",
    "all_of",
    "cards_of",
    "number_of",
    "one_of",
    "parse",
    "run",
    "run_example",
    "values_of",
]

MAX_TRIES = 20_000
"""How often the words of the generator are redrawn until a step has the outcome of its chance lines."""

_WIDTH = 110
"""Of a recorded line."""

OPTIONAL = ("draw", "refill", "under")
"""How chance lines begin that may be left out."""

ANYTHING = "..."
"""At the end of a name: whatever follows."""

_RULE = re.compile(r"[A-Z]+\d+\.\d+")
_HEADER = re.compile(r"(\w+):\s*")
_PLAYER = re.compile(r"(player_\d+)\s+(.+)")
_OPERATOR = re.compile(r"\s(=|has no|has)\s")
_NUMBER = re.compile(r"(\d+) cards?")


class TranscriptError(ValueError):
    """A transcript that cannot be read, or does not hold: the message says file, line and what is wrong."""

    def __init__(self, source: str, number: int, message: str) -> None:
        """Begin the message with ``source:number``."""
        super().__init__(f"{source}:{number}: {message}")


# ---- What a transcript says ------------------------------------------------------------------------------------------


class Move(NamedTuple):
    """A line of a player, with the chance lines that belong to it."""

    number: int
    player: str
    name: str
    chance: tuple[str, ...]


class Refusal(NamedTuple):
    """A ``cannot`` line."""

    number: int
    player: str
    name: str


class Expectation(NamedTuple):
    """One ``?`` expectation. ``operator`` is ``=``, ``has``, ``has no``, or empty for ``over`` and ``not over``."""

    number: int
    key: str
    operator: str
    value: str


class Item(NamedTuple):
    """One ``key = value`` of a setup."""

    number: int
    key: str
    value: str


@dataclass(frozen=True)
class Example:
    """One example of a file: the part below one title, with what the file says for all."""

    source: str
    number: int
    """The line of the title."""
    title: str
    game: str
    options: Mapping[str, Any]
    rules: tuple[str, ...]
    """The rules it is about."""
    setup: tuple[Item, ...]
    lines: tuple[Move | Refusal | Expectation, ...]


# ---- What runs a transcript ------------------------------------------------------------------------------------------


class Table(Protocol):
    """A game in progress. Players are ``player_0`` and so on."""

    @property
    def actor(self) -> str | None:
        """Who decides, None when the game is over."""

    @property
    def decision(self) -> str | None:
        """What is to be decided, None when the game is over."""

    @property
    def scores(self) -> list[int]:
        """The score of each seat."""

    @property
    def winners(self) -> list[str]:
        """The players that have won, as it stands."""

    def legal(self) -> list[str]:
        """The names of the legal actions."""

    def step(self, name: str, chance: Sequence[str]) -> None:
        """Play a legal action with the outcome of its chance lines. Raises ValueError if that cannot happen."""

    def facts(self) -> dict[str, Any]:
        """The position in the game's dict form."""


class Words(Protocol):
    """How a game writes setups, facts and chance."""

    @property
    def game(self) -> str:
        """The name of the game."""

    @property
    def vocabulary(self) -> frozenset[str]:
        """Every word of the names of actions, in lower case."""

    def place(self, setup: dict[str, Any], key: str, value: str) -> None:
        """Put one ``key = value`` into a partial dict form. Raises ValueError saying what is wrong."""

    def complete(self, setup: dict[str, Any], options: Mapping[str, Any]) -> None:
        """Finish a partial dict form when all is placed."""

    def look(self, facts: Mapping[str, Any], key: str) -> list[str]:
        """The values of a place. Raises ValueError if there is no such place."""

    def chance(self, events: Sequence[TableEvent], later: Position) -> list[str]:
        """The chance among the events of one step that led to ``later``, as written in chance lines.

        Lines that may be left out in a transcript begin with one of `OPTIONAL`.
        """

    def describe(self, position: Position, later: Position) -> list[str]:
        """The setup of a position as ``key = value``: whatever differs from the defaults and matters until later."""


class Subject(Protocol):
    """Something that plays the game."""

    @property
    def words(self) -> Words:
        """The words of the game."""

    def start(self, options: Mapping[str, Any], setup: dict[str, Any]) -> Table:
        """Begin at a partial dict form. Raises ValueError for an impossible one."""


# ---- Reading ---------------------------------------------------------------------------------------------------------


def parse(text: str, source: str = "transcript") -> list[Example]:
    """All examples of a text. Raises `TranscriptError` with the line for whatever is not understood."""
    return list(_Parser(text, source).examples())


class _Head:
    """What the lines before the moves say."""

    def __init__(self, above: _Head | None = None) -> None:
        self.game: str = above.game if above else ""
        self.options: dict[str, Any] = dict(above.options) if above else {}
        self.rules: list[str] = list(above.rules) if above else []
        self.setup: list[Item] = list(above.setup) if above else []


class _Parser:
    """Reads one text."""

    def __init__(self, text: str, source: str) -> None:
        self.text = text
        self.source = source

    def error(self, number: int, message: str) -> TranscriptError:
        return TranscriptError(self.source, number, message)

    def logical_lines(self) -> Iterator[tuple[int, str]]:
        """Lines without comments and blank ones, joined where one goes on, with the number of the first."""
        begun, first = "", 0
        for number, raw in enumerate(self.text.splitlines(), 1):
            line = re.sub(r"(^|\s)#.*", "", raw).strip()
            if not line:
                continue
            first = first or number
            begun = f"{begun} {line}".strip()
            if not begun.endswith((",", ";")):
                yield first, begun
                begun, first = "", 0
        if begun:
            raise self.error(first, f"the text ends after {begun[-1]!r}, with which a line goes on in the next")

    def examples(self) -> Iterator[Example]:
        """The examples one after the other."""
        common = _Head()
        head: _Head | None = None
        start, title = 0, ""
        lines: list[Move | Refusal | Expectation] = []
        titles: set[str] = set()
        for number, line in self.logical_lines():
            if line.startswith("---"):
                if head is not None:
                    yield self.example(start, title, head, lines)
                start, title, head, lines = number, line.removeprefix("---").strip(), _Head(common), []
                if not title or title in titles:
                    raise self.error(number, "a title of its own is expected after ---")
                titles.add(title)
            elif _HEADER.match(line):
                if lines:
                    raise self.error(number, "headers, options and setup come before the moves of an example")
                self.read_header(number, line, head or common)
            elif head is None:
                raise self.error(number, f"{line!r} stands before the first title (--- ...)")
            else:
                self.read_line(number, line, lines)
        if head is None:
            raise self.error(1, "no example: a title (--- ...) is missing")
        yield self.example(start, title, head, lines)

    def example(self, number: int, title: str, head: _Head, lines: list[Move | Refusal | Expectation]) -> Example:
        if not lines:
            raise self.error(number, f"nothing happens in {title!r}")
        if not head.game or "num_players" not in head.options:
            raise self.error(number, "a line such as 'game: <name>   players: 4' is missing")
        rules = tuple(dict.fromkeys(head.rules))
        return Example(self.source, number, title, head.game, head.options, rules, tuple(head.setup), tuple(lines))

    def read_header(self, number: int, line: str, head: _Head) -> None:
        """``setup:``, ``options:``, or a line of ``game:``, ``players:``, ``rule:``."""
        word, _, rest = line.partition(":")
        if word == "setup":
            head.setup += [Item(number, key, value) for key, value in self.pairs(number, rest)]
            return
        if word == "options":
            for key, value in self.pairs(number, rest):
                head.options[key] = _option(value)
            return
        parts = _HEADER.split(line)[1:]
        for key, value in zip(parts[::2], (part.strip() for part in parts[1::2]), strict=True):
            if key == "game":
                head.game = value
            elif key == "players" and value.isdigit():
                head.options["num_players"] = int(value)
            elif key == "rule":
                rules = [rule.strip() for rule in value.split(",")]
                for rule in rules:
                    if not _RULE.fullmatch(rule):
                        raise self.error(number, f"{rule!r} is no rule id such as R5.2")
                head.rules += rules
            else:
                raise self.error(number, f"'{key}: {value}' is no header; game, players, rule, options, setup are")

    def pairs(self, number: int, text: str) -> Iterator[tuple[str, str]]:
        """The ``key = value`` separated by semicolons."""
        for part in text.split(";"):
            key, equals, value = part.partition(" = ")
            if not equals or not key.strip() or not value.strip():
                raise self.error(number, f"{part.strip()!r}: 'key = value' is expected, separated by ';'")
            yield _blanks(key), _blanks(value)

    def read_line(self, number: int, line: str, lines: list[Move | Refusal | Expectation]) -> None:
        """A move, a refusal, a chance line or expectations."""
        if line.startswith("?"):
            lines += [self.expectation(number, part.strip()) for part in line[1:].split(";")]
            return
        if line.startswith("*"):
            move = lines[-1] if lines else None
            if not isinstance(move, Move):
                raise self.error(number, "a chance line (*) belongs to the move right before it")
            lines[-1] = move._replace(chance=(*move.chance, " ".join(line[1:].split())))
            return
        found = _PLAYER.fullmatch(line)
        if not found:
            raise self.error(number, f"{line!r}: a player and an action, '*', '?' or '---' is expected")
        player, name = found[1], _blanks(found[2])
        if name.startswith("cannot "):
            lines.append(Refusal(number, player, name.removeprefix("cannot ")))
        else:
            lines.append(Move(number, player, name, ()))

    def expectation(self, number: int, text: str) -> Expectation:
        found = _OPERATOR.search(text)
        if found:
            key, operator, value = _blanks(text[: found.start()]), found[1], _blanks(text[found.end() :])
            if key and value:
                return Expectation(number, key, operator, value)
        elif text in ("over", "not over"):
            return Expectation(number, text, "", "")
        raise self.error(
            number, f"{text!r}: '<what> = ...', '<what> has ...', '<what> has no ...' or 'over' is expected"
        )


def _blanks(text: str) -> str:
    """The text with single blanks, in lower case."""
    return " ".join(text.lower().split())


def _option(value: str) -> Any:
    """The value of an option: a number, true, false, or a word."""
    if value in ("true", "false"):
        return value == "true"
    return int(value) if value.isdigit() else value


def values_of(text: str) -> list[str]:
    """The values in a text: separated by commas; ``none`` is no value."""
    return [] if text == "none" else [value.strip() for value in text.split(",")]


def one_of(word: str, allowed: Sequence[str]) -> str:
    """The one of the allowed words that is meant. Raises ValueError for another word."""
    for known in allowed:
        if known.lower() == word.lower():
            return known
    raise ValueError(f"{word!r} is none of {', '.join(allowed)}")


def all_of(text: str, allowed: Sequence[str]) -> list[str]:
    """The values in a text, each one of the allowed words. Raises ValueError for another word."""
    return [one_of(word, allowed) for word in values_of(text)]


def number_of(text: str) -> int:
    """The number that a text is. Raises ValueError if it is none."""
    if not text.isdigit():
        raise ValueError(f"{text!r} is no number")
    return int(text)


def cards_of(counts: Mapping[str, int]) -> list[str]:
    """The cards of a pile given by numbers."""
    return [card for card, number in counts.items() for _ in range(number)]


# ---- Running ---------------------------------------------------------------------------------------------------------


def run(text: str, subject: Subject, source: str = "transcript") -> int:
    """Run all examples of a text; return their number. Raises `TranscriptError` at the first that does not hold."""
    examples = parse(text, source)
    for example in examples:
        run_example(example, subject)
    return len(examples)


def run_example(example: Example, subject: Subject) -> None:
    """Run one example. Raises `TranscriptError` with the line that does not hold."""
    table = _start(example, subject)
    for line in example.lines:
        if isinstance(line, Move):
            message = _move(line, table)
        elif isinstance(line, Refusal):
            message = _refusal(line, table, subject.words)
        else:
            message = _expectation(line, table, subject.words)
        if message:
            raise TranscriptError(example.source, line.number, f"{message} [{example.title}]")


def _start(example: Example, subject: Subject) -> Table:
    words = subject.words
    if example.game != words.game:
        raise TranscriptError(example.source, example.number, f"a game of {example.game}, not of {words.game}")
    setup: dict[str, Any] = {}
    for number, key, value in example.setup:
        try:
            words.place(setup, key, value)
        except ValueError as error:
            raise TranscriptError(example.source, number, f"setup '{key} = {value}': {error}") from error
    try:
        words.complete(setup, example.options)
        return subject.start(example.options, setup)
    except ValueError as error:
        raise TranscriptError(example.source, example.number, f"the setup of {example.title!r}: {error}") from error


def _situation(table: Table) -> str:
    """Who decides what, for messages."""
    return "the game is over" if table.actor is None else f"{table.actor} decides in '{table.decision}'"


def _shown(names: Sequence[str]) -> str:
    return "{ " + ", ".join(sorted(names)) + " }"


def _among(name: str, names: Sequence[str]) -> list[str]:
    """Those of the names that are this one, or begin like it if it ends with ``...``."""
    if name.endswith(ANYTHING):
        start = name.removesuffix(ANYTHING).strip()
        return [one for one in names if f"{one} ".lower().startswith(f"{start} ")]
    return [one for one in names if one.lower() == name]


def _move(line: Move, table: Table) -> str:
    """Play a line; what is wrong with it, empty if nothing is."""
    if table.actor != line.player:
        return f"{line.player} cannot move: {_situation(table)}"
    legal = {name.lower(): name for name in table.legal()}
    if line.name not in legal:
        return f"'{line.name}' is not legal: {_situation(table)}; legal: {_shown(list(legal.values()))}"
    try:
        table.step(legal[line.name], line.chance)
    except ValueError as error:
        return f"'{line.name}': {error}"
    return ""


def _unknown_words(name: str, words: Words) -> list[str]:
    said = name.removesuffix(ANYTHING).replace("(", " ").replace(")", " ").split()
    return [word for word in said if word not in words.vocabulary]


def _refusal(line: Refusal, table: Table, words: Words) -> str:
    if unknown := _unknown_words(line.name, words):
        return f"cannot '{line.name}': {', '.join(unknown)} is no word of the game"
    if table.actor != line.player:
        return ""
    found = _among(line.name, table.legal())
    return (
        f"'{found[0]}' is legal for {line.player} in '{table.decision}', expected was that it is not" if found else ""
    )


def _expectation(line: Expectation, table: Table, words: Words) -> str:
    wanted = f"expected '{line.key} {line.operator} {line.value}'"
    if line.key in ("over", "not over"):
        return "" if (table.actor is None) == (line.key == "over") else f"expected '{line.key}': {_situation(table)}"
    if line.key == "legal":
        return _legal(line, table, words, wanted)
    try:
        found = _look(line.key, table, words)
    except ValueError as error:
        return f"{wanted}: {error}"
    number = _NUMBER.fullmatch(line.value)
    if number and line.operator == "=":
        holds = len(found) == int(number[1])
    elif line.key == "score":
        holds = found == line.value.split()
    else:
        holds = _compare(line.operator, found, values_of(line.value))
    return "" if holds else f"{wanted}, found: {', '.join(found) or 'none'}"


def _look(key: str, table: Table, words: Words) -> list[str]:
    """The values of one place, the general ones first."""
    if key == "actor":
        return [table.actor] if table.actor else []
    if key == "decision":
        return [table.decision] if table.decision else []
    if key == "score":
        return [str(score) for score in table.scores]
    if key == "winners":
        return table.winners
    return words.look(table.facts(), key)


def _compare(operator: str, found: Sequence[str], wanted: Sequence[str]) -> bool:
    have, want = Counter(value.lower() for value in found), Counter(wanted)
    if operator == "=":
        return have == want
    return have >= want if operator == "has" else not have & want


def _legal(line: Expectation, table: Table, words: Words, wanted: str) -> str:
    legal = table.legal()
    names = values_of(line.value.removeprefix("{").removesuffix("}").strip())
    if line.operator == "=":
        if not line.value.startswith("{") or not line.value.endswith("}"):
            return f"{wanted}: {{ name, name }} is expected"
        known = {name.lower(): name for name in legal}
        missing = sorted(set(names) - set(known))
        more = sorted(name for folded, name in known.items() if folded not in names)
        return (
            f"expected legal = {line.value}; not legal: {_shown(missing)}, legal too: {_shown(more)}"
            if missing or more
            else ""
        )
    for name in names:
        if unknown := _unknown_words(name, words):
            return f"{wanted}: {', '.join(unknown)} is no word of the game"
        if bool(_among(name, legal)) != (line.operator == "has"):
            return f"{wanted}; {_situation(table)}; legal: {_shown(legal)}"
    return ""


# ---- The core as a subject -------------------------------------------------------------------------------------------


class PositionSubject:
    """The compiled game: transcripts run on a `Position`."""

    def __init__(self, words: Words, game: Callable[..., Game]) -> None:
        """Take the words of a game and what makes its rules object from options."""
        self._words = words
        self._game = game

    @property
    def words(self) -> Words:
        """The words of the game."""
        return self._words

    def start(self, options: Mapping[str, Any], setup: dict[str, Any]) -> _PositionTable:
        """Begin at a partial dict form."""
        return _PositionTable(self._game(**options).from_dict(setup), self._words)


class _PositionTable:
    """A `Position` as a `Table`."""

    def __init__(self, position: Position, words: Words) -> None:
        self.position = position
        self.words = words

    @property
    def actor(self) -> str | None:
        actor = self.position.actor
        return None if actor is None else f"player_{actor}"

    @property
    def decision(self) -> str | None:
        return self.position.decision

    @property
    def scores(self) -> list[int]:
        return self.position.scores

    @property
    def winners(self) -> list[str]:
        return [f"player_{seat}" for seat in self.position.winners]

    def legal(self) -> list[str]:
        return self.position.legal_names()

    def facts(self) -> dict[str, Any]:
        return self.position.to_dict()

    def step(self, name: str, chance: Sequence[str]) -> None:
        """Play on a copy with the generator's words redrawn until what happens is what the chance lines say."""
        number = self.position.num_events
        action = self.position.parse(name)
        seen: Counter[str] = Counter()
        for attempt in range(MAX_TRIES):
            twin = self.position.clone()
            if attempt:
                twin.states["rng"][0] = np.random.SeedSequence(attempt).generate_state(4, np.uint64)
            twin.step(action)
            happened = self.words.chance(twin.events_since(number), twin)
            if agrees(chance, happened):
                self.position = twin
                return
            seen[", ".join(line for line in happened if not line.startswith(OPTIONAL)) or "no chance"] += 1
            if not happened:
                break  # no generator changes that
        told = ", ".join(chance) or "no chance line"
        often = "; ".join(what for what, _ in seen.most_common(6))
        raise ValueError(f"it never comes to '{told}'; what happens: {often}")


def agrees(told: Sequence[str], happened: Sequence[str]) -> bool:
    """Whether chance lines tell what happened: everything in order, of what is optional as many of the first as they
    like.

    A line may leave out the end of what happened, as ``rob coin`` for ``rob coin from player_0``.
    """
    rest = [line.lower() for line in told]
    for outcome in happened:
        if rest and f"{outcome} ".lower().startswith(f"{rest[0]} "):
            del rest[0]
        elif not outcome.startswith(OPTIONAL) or (rest and rest[0].startswith(OPTIONAL)):
            return False
    return not rest


# ---- Recording -------------------------------------------------------------------------------------------------------


class Recorder:
    """Writes a transcript while a game is played.

    ``Recorder(position, ...)`` begins where no turn is under way, `step` plays an action, `expect` writes what now
    holds, `text` is the transcript. The order of a deck that is shuffled in the middle of a game cannot be told: a step
    with that raises ValueError.
    """

    def __init__(self, position: Position, words: Words, title: str, rules: Sequence[str] = ()) -> None:
        """Write the head from a position, which is copied."""
        self.position = position.clone()
        self.words = words
        self.title = title
        self.rules = tuple(rules)
        self.start = position.clone()
        self.lines: list[str] = []

    def step(self, action: int | str) -> None:
        """Play an action and write it, with the chance in it."""
        before = self.position
        twin = before.clone()
        number = action if isinstance(action, int) else twin.parse(action)
        name = twin.action_name(number)
        twin.step(number)
        chance = self.words.chance(twin.events_since(before.num_events), twin)
        if any(line.startswith("shuffle") for line in chance):
            raise ValueError(f"{name}: a deck is shuffled, which a transcript cannot tell")
        self.lines.append(f"player_{before.actor}  {name}")
        self.lines += [f"*  {line}" for line in chance]
        self.position = twin

    def expect(self, *keys: str) -> None:
        """Write what now holds: ``actor``, ``legal``, ``score``, ``over``, or any place of the game."""
        table = _PositionTable(self.position, self.words)
        for key in keys:
            if key == "over":
                self.lines.append(f"?  {'over' if self.position.is_over else 'not over'}")
            elif key == "legal":
                names = self.position.legal_names()
                self.lines += _wrapped("?  legal = {", ",".join(f" {name}" for name in names) + " }")
            else:
                values = _look(key, table, self.words)
                self.lines += _wrapped(f"?  {key} =", (" " if key == "score" else ", ").join(values) or "none")

    def text(self) -> str:
        """The transcript."""
        spec = self.position.game.spec
        options = vars(self.position.game.options)
        head = f"game: {spec.name}   players: {options['num_players']}"
        lines = [head + (f"   rule: {', '.join(self.rules)}" if self.rules else "")]
        defaults = vars(type(self.position.game.options)(num_players=options["num_players"]))
        changed = [f"{key} = {str(value).lower()}" for key, value in options.items() if value != defaults[key]]
        if changed:
            lines.append(f"options: {' ; '.join(changed)}")
        packed = ""
        for item in self.words.describe(self.start, self.position):
            if packed and len(packed) + len(item) > _WIDTH:
                lines += _wrapped("setup:", packed)
                packed = ""
            packed = f"{packed} ; {item}" if packed else item
        lines += _wrapped("setup:", packed) if packed else []
        return "\n".join([*lines, f"--- {self.title}", *self.lines]) + "\n"


def _wrapped(head: str, text: str) -> list[str]:
    """Lines broken after commas where they are too wide."""
    lines, line = [], head
    for part in text.split(","):
        part = part.strip()
        if len(line) + len(part) + 2 > _WIDTH and line != head:
            lines.append(line)
            line = f"    {part},"
        else:
            line = f"{line} {part},"
    return [*lines, line.removesuffix(",")]
