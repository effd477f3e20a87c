"""Mutants: small changes of the rules kernels that the tests must notice.

Runs with the jit off: a mutant is a changed function body put in place of the real one (its ``__code__``), in a forked
child, so nothing is written and nothing is imported twice. A mutant is caught if its suite fails, raises, or a check
needs far more CPU time than without it.

Two kinds: drawn ones (a seeded choice among all single changes of comparison, constant, operator or statement in the
functions of a folder), and written ones (a rule id, a file, and a text that is replaced by another).

A drawn mutant that survives has to be one that changes nothing: a game keeps a list of these with the reasons, by names
that hold when lines are moved, and `report` says what is not in it.

A game supplies ``Mutants``: its package, its written mutants, its list of survivors, and what has to notice them.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib
import os
import random
import signal
import sys
import time
import types
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from island_core.transcript import Example, Subject, run_example

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mod,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


@dataclass(frozen=True)
class Mutant:
    """A changed module: what was changed, where, and the new source tree."""

    name: str
    path: Path
    tree: ast.Module
    line: int = 0
    """Of the change, 0 if it is not told."""


@dataclass(frozen=True)
class Written:
    """A mutant by hand: for a rule, in a file, ``old`` (found exactly once) becomes ``new``."""

    rule: str
    file: str
    old: str
    new: str

    def mutant(self, package: Path) -> Mutant:
        """Apply it. Raises ``ValueError`` if the text is not found exactly once."""
        path = package / self.file
        text = path.read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            raise ValueError(f"{self.rule}: {self.old!r} stands {text.count(self.old)} times in {path}, expected once")
        return Mutant(
            f"{self.rule} {self.file}: {self.old} -> {self.new}", path, ast.parse(text.replace(self.old, self.new))
        )


def _functions(tree: ast.Module) -> list[ast.FunctionDef]:
    """The kernels: what runs at import cannot be changed afterwards."""
    return [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(mark, ast.Name) and mark.id == "kernel" for mark in node.decorator_list)
    ]


def _body(function: ast.FunctionDef) -> list[ast.stmt]:
    """The statements after the docstring."""
    return function.body[1:] if ast.get_docstring(function) is not None else function.body


def _sites(function: ast.FunctionDef) -> Iterator[tuple[ast.AST, str]]:
    """Every node that can be changed, and how."""
    for statement in _body(function):
        for node in ast.walk(statement):
            if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
                yield node, "comparison"
            elif (
                isinstance(node, ast.BinOp | ast.AugAssign)
                and type(node.op) in OPERATORS
                or isinstance(node, ast.BoolOp | ast.UnaryOp)
                and isinstance(node.op, ast.And | ast.Or | ast.Not)
            ):
                yield node, "operator"
            elif isinstance(node, ast.Constant) and isinstance(node.value, bool | int):
                yield node, "constant"
            if isinstance(node, ast.stmt) and isinstance(
                node, ast.Expr | ast.Assign | ast.AugAssign | ast.If | ast.For | ast.While | ast.Return
            ):
                yield node, "deleted"


class _Change(ast.NodeTransformer):
    """Change the one node that is marked."""

    def __init__(self, how: str) -> None:
        self.how = how

    def visit(self, node: ast.AST) -> Any:
        if not getattr(node, "marked", False):
            return self.generic_visit(node)
        if self.how == "deleted":
            return ast.copy_location(ast.Pass(), node)
        if isinstance(node, ast.Compare):
            node.ops[0] = COMPARISONS[type(node.ops[0])]()
        elif isinstance(node, ast.BinOp | ast.AugAssign):
            node.op = OPERATORS[type(node.op)]()
        elif isinstance(node, ast.BoolOp):
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        elif isinstance(node, ast.UnaryOp):
            return node.operand
        elif isinstance(node, ast.Constant):
            node.value = (not node.value) if isinstance(node.value, bool) else node.value + 1
        return node


@dataclass(frozen=True)
class _Site:
    """A change that can be made: of the node with this number in a function."""

    path: Path
    function: str
    number: int
    how: str
    line: int
    name: str
    """File, function, kind of change and what is changed; of equal ones the second ends with ``#2`` and so on."""


def _first_line(node: ast.AST) -> str:
    return ast.unparse(node).splitlines()[0]


def _described(function: ast.FunctionDef) -> Iterator[tuple[ast.AST, str, str]]:
    """Each site of a function with its kind and the source text: of a constant also the statement it stands in."""
    statement_of: dict[ast.AST, ast.stmt] = {}
    for statement in ast.walk(function):  # outer ones come first, so that the innermost one is kept
        if isinstance(statement, ast.stmt):
            statement_of |= dict.fromkeys(ast.walk(statement), statement)
    for node, how in _sites(function):
        text = _first_line(node)
        yield node, how, f"{text} in {_first_line(statement_of[node])}" if how == "constant" else text


def _all_sites(folder: Path, leave_out: Sequence[str]) -> list[_Site]:
    """All changes that can be drawn, in the order of the source."""
    sites = []
    for path in sorted(folder.glob("*.py")):
        if path.name in leave_out:
            continue
        for function in _functions(ast.parse(path.read_text(encoding="utf-8"))):
            seen: Counter[str] = Counter()
            for number, (node, how, text) in enumerate(_described(function)):
                name = f"{path.name} {function.name}: {how}: {text}"
                seen[name] += 1
                name += f" #{seen[name]}" if seen[name] > 1 else ""
                sites.append(_Site(path, function.name, number, how, getattr(node, "lineno", 0), name))
    return sites


def names(folder: Path, leave_out: Sequence[str] = ()) -> list[str]:
    """The names of all mutants that can be drawn."""
    return [site.name for site in _all_sites(folder, leave_out)]


def drawn(folder: Path, count: int, seed: int, leave_out: Sequence[str] = ()) -> list[Mutant]:
    """``count`` different mutants of the functions in a folder, by a seeded draw."""
    sites = _all_sites(folder, leave_out)
    chosen = random.Random(seed).sample(sites, min(count, len(sites)))
    return [_changed(site) for site in sorted(chosen, key=lambda site: (str(site.path), site.function, site.number))]


def _changed(site: _Site) -> Mutant:
    """The module with one change."""
    tree = ast.parse(site.path.read_text(encoding="utf-8"))
    function = next(f for f in _functions(tree) if f.name == site.function)
    node = list(_sites(function))[site.number][0]
    node.marked = True  # type: ignore[attr-defined]
    _Change(site.how).visit(function)
    ast.fix_missing_locations(tree)
    return Mutant(site.name, site.path, tree, site.line)


def _plain_function(value: Any) -> types.FunctionType | None:
    inner = getattr(value, "py_func", value)
    return inner if isinstance(inner, types.FunctionType) else None


def _install(mutant: Mutant, module_of: Callable[[Path], str]) -> None:
    """Put the changed function bodies in place, and changed module tables are not supported."""
    module = importlib.import_module(module_of(mutant.path))
    compiled = compile(copy.deepcopy(mutant.tree), str(mutant.path), "exec")
    changed = 0
    for constant in compiled.co_consts:
        if isinstance(constant, types.CodeType):
            function = _plain_function(getattr(module, constant.co_name, None))
            if (
                function is not None
                and function.__code__.co_code + repr(function.__code__.co_consts).encode()
                != (constant.co_code + repr(constant.co_consts).encode())
                or function is not None
                and function.__code__.co_names != constant.co_names
            ):
                function.__code__ = constant
                changed += 1
    if changed == 0:
        raise ValueError(f"{mutant.name}: nothing changed")


Check = Callable[[], None]
RuledCheck = tuple[set[str], Check]
"""A check, and the rules it is about."""


@dataclass(frozen=True)
class Timed:
    """A check with its number and the CPU time it may need."""

    number: int
    check: Check
    seconds: float


def timed(checks: Sequence[Check]) -> list[Timed]:
    """Run each check, which must pass; with a mutant it may need ten times as long, and a second more."""
    found = []
    for number, check in enumerate(checks):
        began = time.process_time()
        check()
        found.append(Timed(number, check, 10 * (time.process_time() - began) + 1))
    return found


def caught_by(mutant: Mutant, checks: Sequence[Timed], module_of: Callable[[Path], str]) -> int | None:
    """The number of the first check that notices the mutant: it fails, crashes or needs more CPU time than it may."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
            sys.setrecursionlimit(2000)
            _install(mutant, module_of)
            for check in checks:
                os.write(writing, check.number.to_bytes(4, "little"))
                signal.setitimer(signal.ITIMER_PROF, check.seconds)
                check.check()
            code = 0
        except BaseException as problem:  # the child must never return into the parent's code
            code = 2 if isinstance(problem, ValueError) and "nothing changed" in str(problem) else 1
        finally:
            os._exit(code)
    os.close(writing)
    _, status = os.waitpid(child, 0)
    with os.fdopen(reading, "rb") as begun:
        last = begun.read()[-4:]
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 2:
        raise ValueError(f"{mutant.name}: the change leaves the code as it was")
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0:
        return None
    return int.from_bytes(last, "little")


def run(
    mutants: Sequence[Mutant],
    checks_of: Callable[[Mutant], Sequence[Timed]],
    module_of: Callable[[Path], str],
    shard: tuple[int, int] = (0, 1),
) -> list[Mutant]:
    """Try all mutants of a shard (number, of how many) and return the survivors; progress goes to standard error.

    Checks that noticed mutants before come first, which makes most tries short.
    """
    survivors = []
    successes: Counter[int] = Counter()
    began = time.perf_counter()
    mine = mutants[shard[0] :: shard[1]]
    for number, mutant in enumerate(mine, 1):
        checks = sorted(checks_of(mutant), key=lambda check: -successes[check.number])
        found = caught_by(mutant, checks, module_of)
        if found is not None:
            successes[found] += 1
        else:
            survivors.append(mutant)
            print(f"survives: {mutant.name}" + (f" (line {mutant.line})" if mutant.line else ""), flush=True)
        print(f"\r{number}/{len(mine)} {time.perf_counter() - began:.0f} s", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return survivors


def report(
    tried: Sequence[Mutant], survivors: Sequence[Mutant], reasons: Mapping[str, str], least: float
) -> tuple[list[str], bool]:
    """What there is to say of a draw, and whether it is in order.

    It is if at least the share ``least`` of the mutants is caught and each survivor has its reason. Those that have one
    and are caught are named too: they are no longer what the reason says.
    """
    caught = len(tried) - len(survivors)
    surviving = {mutant.name for mutant in survivors}
    unexplained = [mutant.name for mutant in survivors if mutant.name not in reasons]
    stale = [mutant.name for mutant in tried if mutant.name in reasons and mutant.name not in surviving]
    lines = [f"{caught} of {len(tried)} caught, {len(survivors) - len(unexplained)} survivors explained"]
    lines += [f"survives without a reason: {name}" for name in unexplained]
    lines += [f"no longer survives: {name}" for name in stale]
    enough = caught >= least * len(tried)
    if not enough:
        lines.append(f"fewer than {least:.0%} are caught")
    return lines, enough and not unexplained


# What a game supplies, and its command line


@dataclass(frozen=True)
class Mutants:
    """The mutants of a game's rules."""

    module: str
    """That is run."""
    package: Path
    """Of the game; its rules are in ``rules``."""
    written: Sequence[Written]
    surviving: Mapping[str, str]
    """The drawn ones that change nothing, each with the reason."""
    checks: Callable[[], list[RuledCheck]]
    """All that has to notice them. Called with the jit off."""
    leave_out: Sequence[str] = ()
    """Files without rules."""
    least: float = 0.95
    """Of the drawn mutants that must be caught."""

    @property
    def rules(self) -> Path:
        """The folder of the kernels."""
        return self.package / "rules"

    def names(self) -> list[str]:
        """The names of all mutants that can be drawn."""
        return names(self.rules, self.leave_out)

    def module_of(self, path: Path) -> str:
        """The module of a file of the package."""
        return ".".join(path.relative_to(self.package.parent).with_suffix("").parts)


def example_checks(examples: Sequence[Example], subject: Subject) -> list[RuledCheck]:
    """Transcripts as checks."""
    return [(set(example.rules), partial(run_example, example, subject)) for example in examples]


def rule_tests(*modules: ModuleType) -> list[RuledCheck]:
    """The tests of some modules as checks; they take no fixture and each carries the rules it is about."""
    return [
        ({rule for mark in test.pytestmark for rule in mark.args}, test)
        for module in modules
        for name, test in vars(module).items()
        if name.startswith("test_")
    ]


def main(game: Mutants, arguments: list[str] | None = None) -> int:
    """Try the mutants and print how many are caught, and the survivors.

    The exit status is 1 if a written one survives, if a drawn one does that is not explained, or if too few are caught.
    """
    parser = argparse.ArgumentParser(
        prog=f"python -m {game.module}", description="Change the rules and see whether the tests notice."
    )
    parser.add_argument("--drawn", type=int, default=0, help="number of drawn mutants (default: none)")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (default: %(default)s)")
    parser.add_argument("--written", action="store_true", help="the mutants written for each rule")
    parser.add_argument("--shard", default="0/1", help="number/of how many (default: %(default)s)")
    options = parser.parse_args(arguments)
    if os.environ.get("NUMBA_DISABLE_JIT") != "1":
        environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
        command = [sys.executable, "-m", game.module, *(sys.argv[1:] if arguments is None else arguments)]
        os.execve(sys.executable, command, environment)
    rules_and_checks = game.checks()
    checks = timed([check for _, check in rules_and_checks])

    def checks_of(rule: str | None) -> list[Timed]:
        return [one for one, (rules, _) in zip(checks, rules_and_checks, strict=True) if rule is None or rule in rules]

    number, of = map(int, options.shard.split("/"))
    status = 0
    if options.written:
        tried = [written.mutant(game.package) for written in game.written]
        rule_of = {mutant.name: written.rule for mutant, written in zip(tried, game.written, strict=True)}
        survivors = run(tried, lambda mutant: checks_of(rule_of[mutant.name]), game.module_of, (number, of))
        count = len(tried[number::of])
        print(f"written: {count - len(survivors)} of {count} caught by what carries the rule's id")
        status |= bool(survivors)
    if options.drawn:
        tried = drawn(game.rules, options.drawn, options.seed, leave_out=game.leave_out)
        survivors = run(tried, lambda mutant: checks_of(None), game.module_of, (number, of))
        lines, in_order = report(tried[number::of], survivors, game.surviving, game.least)
        print("\n".join(f"drawn: {line}" for line in lines))
        status |= not in_order
    return status
