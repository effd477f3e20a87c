"""Who may import whom, what the shared package must not know, and what the distribution must contain."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
CORE = "island_core"
GAMES = [package for package in PACKAGES if package != CORE]

# A module may import from its own layer and from those above it in this list. The key of a package covers its modules.
LAYERS = (
    {"vocab", "components", "board", "decisions", "events"},
    {"state", "actions", "gold"},
    {"rules", "options"},
    {"observe", "determinize", "estimate", "policies"},
    {
        "notation",
        "convert",
        "text",
        "selfplay",
        "transcripts",
        "game",
        "symmetries",
        "dracheninsel_v0",
        "isla_dorada_v0",
        "commands",
        "cli",
        "docs",
        "__init__",
    },
)
# Nothing imports these from inside the package.
ENDS = {"cli", "docs", "__main__"}

# Words of the games. Words that both games share, such as card, deck, hand and seat, are the core's too.
GAME_WORDS = {
    *("dracheninsel", "dragon", "hunter", "treasure", "slumber", "counterspell", "betrayal", "betray", "ambush"),
    *("boat", "volcano", "terrain", "carrier", "sneak", "curse"),
    *("isla", "dorada", "bid", "bidding", "expedition", "explorer", "destiny", "destinies", "kayak", "yak", "kamel"),
    *("gonogo", "zeppelin", "shaman", "oveto", "juju", "sangaia", "bongo", "jungle", "bigfoot", "leviathan"),
}


def modules(package: str) -> dict[str, Path]:
    """Give the files of a package by dotted module name; a package's own file by `package.__init__`."""
    files = sorted((ROOT / package).rglob("*.py"))
    return {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in files}


def imported(name: str, path: Path, known: set[str]) -> set[str]:
    """Give the modules a file imports, wherever in it: those of `known` exactly, others by the name written."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {resolve(alias.name, known) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = name.split(".")[: -node.level]
                base = ".".join([*parents, base]) if base else ".".join(parents)
            for alias in node.names:
                submodule = f"{base}.{alias.name}"
                is_module = submodule in known or f"{submodule}.__init__" in known
                found.add(resolve(submodule if is_module else base, known))
    return found


def resolve(dotted: str, known: set[str]) -> str:
    return f"{dotted}.__init__" if f"{dotted}.__init__" in known else dotted


def layer(name: str) -> int:
    """Give the layer of `package.module...` or fail for a module that has none yet."""
    key = name.split(".")[1]
    for number, names in enumerate(LAYERS):
        if key in names:
            return number
    pytest.fail(f"{name} has no place in LAYERS of {Path(__file__).name}")


ALL_MODULES = {name: path for package in PACKAGES for name, path in modules(package).items()}


@pytest.mark.parametrize("game", GAMES)
def test_import_direction_inside_a_game(game):
    files = modules(game)
    wrong = []
    for name, path in files.items():
        for target in imported(name, path, set(files)):
            if target.split(".")[0] != game:
                continue
            ends = target.split(".")[1] in ENDS and target.split(".")[1] != name.split(".")[1]
            if layer(target) > layer(name) or ends:
                wrong.append(f"{name} imports {target}")
    assert not wrong


def test_core_imports_no_game_and_no_game_imports_another():
    above = {*GAMES, "tests", "examples", "benchmarks"}
    wrong = [
        f"{name} imports {target}"
        for name, path in ALL_MODULES.items()
        for target in imported(name, path, set(ALL_MODULES))
        if target.split(".")[0] in above - {name.split(".")[0]}
    ]
    assert not wrong


def test_import_checks_see_every_way_to_import(tmp_path):
    path = tmp_path / "b.py"
    path.write_text(
        "import p.a, numpy\nfrom p import c, VALUE\nfrom . import d\nfrom .d import x\nfrom .. import VALUE\n"
        "def f():\n    from ..q import y\n"
    )
    known = {"p.__init__", "p.a", "p.c", "p.q.__init__", "p.q.b", "p.q.d"}
    assert imported("p.q.b", path, known) == {"p.a", "numpy", "p.c", "p.__init__", "p.q.d", "p.q.__init__"}


def words(text: str) -> set[str]:
    """Split prose and identifiers (snake_case, CamelCase) into lower-case words, plurals also without their s."""
    found = {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", text)}
    return found | {word.removesuffix("s") for word in found}


def test_core_holds_no_word_of_a_game():
    wrong = {}
    for path in sorted((ROOT / CORE).rglob("*")):
        if path.suffix in {".py", ".md", ".toml"}:
            found = words(f"{path.stem} {path.read_text(encoding='utf-8')}") & GAME_WORDS
            if found:
                wrong[str(path.relative_to(ROOT))] = sorted(found)
    assert not wrong


def test_words_are_found_in_prose_and_identifiers_but_not_inside_other_words():
    assert {"dragon", "boat"} <= words("move_dragons(BOATS)") and "dragon" in words("DragonSpace2")
    assert not words("forbid island_envs islands bidirectional") & GAME_WORDS


@pytest.mark.parametrize("name", [n for n in ALL_MODULES if not re.search(r"\._(?!_)", n)])
def test_public_module_has_a_docstring(name):
    assert ast.get_docstring(ast.parse(ALL_MODULES[name].read_text(encoding="utf-8")))


@pytest.mark.parametrize("package", PACKAGES)
def test_package_is_marked_as_typed(package):
    assert (ROOT / package / "py.typed").is_file()


@pytest.mark.parametrize("game", GAMES)
def test_game_has_its_components_beside_its_code(game):
    assert (ROOT / game / "components.toml").is_file()


def test_changelog_has_a_section_for_the_version():
    source = (ROOT / PROJECT["tool"]["hatch"]["version"]["path"]).read_text(encoding="utf-8")
    (version,) = re.findall(r'^__version__ = "(.+)"$', source, flags=re.MULTILINE)
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## \[{re.escape(version)}\]", changes, flags=re.MULTILINE)


def test_what_adapters_runs_is_an_extra_with_tests():
    script = (ROOT / ".ci" / "adapters").read_text(encoding="utf-8")
    (names,) = re.findall(r"^extras=\((.*)\)$", script, flags=re.MULTILINE)
    extras = PROJECT["project"]["optional-dependencies"]
    tested = {path.parent.name for path in (ROOT / "tests" / "adapters").rglob("test_*.py")}
    assert names.split() and set(names.split()) == tested <= set(extras)
    (also,) = re.findall(r"^declare -A also=\((.*)\)$", script, flags=re.MULTILINE)
    beside = dict(re.findall(r"\[(.+?)\]=(\S+)", also))
    assert beside and beside.keys() | set(beside.values()) <= set(extras)
