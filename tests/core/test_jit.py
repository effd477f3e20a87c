"""The machine-code cache: nothing stale is ever run, nothing fresh is ever compiled twice."""

import json
import os
import pickle
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

import island_core
from island_core import jit

CORE = Path(island_core.__file__).parent

PACKAGE = {
    "__init__.py": "from island_core import jit\njit.declare('toy_env', b'content 1')\n",
    "consts.py": "STEP = 3\n",
    "rules.py": """
        from island_core.jit import kernel
        from toy_env.consts import STEP

        @kernel
        def step(x):
            return x + STEP

        @kernel
        def read(values, k):
            return values[k]

        @kernel
        def put(row, k, value):
            row[k] += step(value)

        @kernel
        def play(states, i):
            s = states[i]
            put(s.grid[0], 1, s.x)
            put(s.grid[i], 2, 40)
            put(s.grid[i], k=0, value=STEP)
        """,
    "templates.py": """
        def repeat(x):
            for _ in range(TIMES):
                x = step(x)
            return x
        """,
    "loop.py": """
        from island_core.jit import bind
        from toy_env import rules, templates

        twice = bind(templates.repeat, "toy_env", "twice", step=rules.step, TIMES=2)
        thrice = bind(templates.repeat, "toy_env.loop", "thrice", step=rules.step, TIMES=3)
        """,
    "text.py": "WORD = 'a view'\n",
}

REPORT = """
import json
import numpy as np
from pathlib import Path
from island_core import jit
from toy_env import loop, rules
states = np.zeros(2, np.dtype([("grid", np.int16, (2, 3)), ("x", np.int16)], align=True))
rules.play(states, 1)
values = [rules.step(1), loop.twice(1), loop.thrice(1), int(states[1]["grid"].sum())]
used = {name: len(made.signatures) for name, made in jit.kernels().items() if made.signatures}
path = str(rules.step.stats.cache_path)
print(json.dumps({"values": values, "stats": jit.cache_stats(), "signatures": used, "path": path}))
"""

needs_jit = pytest.mark.skipif(not jit.JIT_ENABLED, reason="there is no machine code with the jit off")


class Toy:
    """A tiny game package in a folder of its own, with a cache of its own, run in new processes."""

    def __init__(self, folder: Path) -> None:
        self.sources, self.cache = folder / "sources" / "toy_env", folder / "cache"
        self.sources.mkdir(parents=True)
        # A copy, so that nobody who edits island_core meanwhile changes the keys.
        (self.sources.parent / "island_core").mkdir()
        for name in ("__init__.py", "jit.py"):
            shutil.copy(CORE / name, self.sources.parent / "island_core" / name)
        for name, text in PACKAGE.items():
            self.write(name, text.replace("\n        ", "\n"))

    def write(self, name: str, text: str) -> None:
        (self.sources / name).write_text(text)

    def run(self, code: str = REPORT, *options: str, **variables: str) -> subprocess.CompletedProcess[str]:
        inherited = {key: value for key, value in os.environ.items() if not key.startswith(("NUMBA_", "ISLAND_ENVS_"))}
        environment = {
            **inherited,
            "PYTHONPATH": str(self.sources.parent),
            "PYTHONDONTWRITEBYTECODE": "1",  # an edit within a second and of equal length would go unseen by Python
            "ISLAND_ENVS_CACHE": str(self.cache),
            **variables,
        }
        command = (sys.executable, *options, "-c", code)
        folder = self.sources.parent  # comes before PYTHONPATH
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)

    def report(self, **variables: str) -> dict[str, Any]:
        done = self.run(REPORT, "-W", "error", **variables)
        assert done.returncode == 0, done.stderr
        report: dict[str, Any] = json.loads(done.stdout)
        report["stderr"] = done.stderr
        report["key"] = Path(report["path"]).parent.name
        return report

    def keys(self) -> set[str]:
        return {path.name for path in (self.cache / "toy_env").iterdir()}


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    return Toy(tmp_path)


@needs_jit
def test_second_process_compiles_nothing_and_an_edit_is_seen(toy: Toy) -> None:
    first = toy.report()
    assert first["values"] == [4, 7, 10, 52]
    assert first["stats"] == [0, 5]
    names = ("rules.step", "rules.put", "rules.play", "twice", "loop.thrice")
    assert first["signatures"] == {f"toy_env.{name}": 1 for name in names}
    assert first["stderr"] == "island-envs: compiling the toy_env kernels, once; later starts use the cache\n"
    assert Path(first["path"]).is_relative_to(toy.cache / "toy_env")

    second = toy.report()
    assert second["values"] == [4, 7, 10, 52]
    assert second["stats"] == [4, 0]
    assert second["stderr"] == ""

    # numba alone looks at rules.py and templates.py only, which stay as they are.
    toy.write("consts.py", "STEP = 5\n")
    edited = toy.report()
    assert edited["values"] == [6, 11, 16, 60]
    assert edited["key"] != first["key"]

    toy.write("consts.py", "STEP = 3\n")
    assert toy.report()["stats"] == [4, 0], "going back finds the old code again"


@needs_jit
def test_an_edit_of_a_view_keeps_the_machine_code(toy: Toy) -> None:
    key = toy.report()["key"]
    toy.write("text.py", "WORD = 'another view'\n")
    again = toy.report()
    assert (again["key"], again["stats"]) == (key, [4, 0])


POLICY = """
        from island_core.jit import bind, kernel
        from toy_env import rules, templates

        @kernel
        def advise(x):
            return rules.step(x) * 10
        """

ASK = """
import json
import toy_env.policies.advise
from island_core import jit
from toy_env import loop, rules
values = [toy_env.policies.advise.advise(1), loop.twice(1)]
path = str(rules.step.stats.cache_path)
print(json.dumps({"values": values, "stats": jit.cache_stats(), "path": path}))
"""

BIND_IT = """
from island_core import jit
from toy_env import templates
from toy_env.policies.advise import advise
jit.bind(templates.repeat, "toy_env", "again", step=advise, TIMES=2)
"""


@needs_jit
def test_an_edit_of_a_policy_renews_that_alone(toy: Toy) -> None:
    (toy.sources / "policies").mkdir()
    toy.write("policies/__init__.py", "")
    toy.write("policies/advise.py", POLICY.replace("\n        ", "\n"))

    def ask() -> dict[str, Any]:
        done = toy.run(ASK, "-W", "error")
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    first, second = ask(), ask()
    assert (first["values"], first["stats"]) == ([40, 7], [0, 3])
    assert (second["values"], second["stats"], second["path"]) == ([40, 7], [2, 0], first["path"])
    toy.write("policies/advise.py", POLICY.replace("\n        ", "\n").replace("10", "20"))
    edited = ask()
    assert (edited["values"], edited["stats"], edited["path"]) == ([80, 7], [2, 1], first["path"])
    toy.write("consts.py", "STEP = 5\n")
    assert ask()["values"] == [120, 11], "what the policy calls is part of its key"
    refused = toy.run(BIND_IT)
    assert refused.returncode != 0 and "advise is no kernel of island_core or toy_env" in refused.stderr


@needs_jit
def test_values_bound_by_a_view_are_part_of_the_path(toy: Toy) -> None:
    toy.write("spec.py", (toy.sources / "loop.py").read_text())
    code = "from toy_env import spec; print(spec.twice(1))"
    assert toy.run(code).stdout == "7\n"
    toy.write("spec.py", (toy.sources / "spec.py").read_text().replace("TIMES=2", "TIMES=4"))
    assert toy.run(code).stdout == "13\n"


@needs_jit
def test_declared_content_and_bounds_checks_have_keys_of_their_own(toy: Toy) -> None:
    keys = [toy.report()["key"], toy.report(NUMBA_BOUNDSCHECK="1")["key"]]
    toy.write("__init__.py", PACKAGE["__init__.py"].replace("content 1", "content 2"))
    keys.append(toy.report()["key"])
    assert len(set(keys)) == 3


@needs_jit
def test_bounds_are_checked_although_the_cache_is_warm(toy: Toy) -> None:
    code = "import numpy as np; from toy_env.rules import read; read(np.zeros(3), 3)"
    assert toy.run(code).returncode == 0
    assert "IndexError" in toy.run(code, NUMBA_BOUNDSCHECK="1").stderr


@needs_jit
def test_three_newest_keys_are_kept(toy: Toy) -> None:
    code = "import toy_env.rules"
    foreign = toy.cache / "toy_env" / "holiday pictures"
    foreign.mkdir(parents=True)
    os.utime(foreign, (0, 0))

    def key_of(step: int, age: int) -> str:
        before = toy.keys()
        toy.write("consts.py", f"STEP = {step}\n")
        assert toy.run(code).returncode == 0
        (new,) = toy.keys() - before
        os.utime(toy.cache / "toy_env" / new, (age, age))
        return new

    first, second, third = key_of(1, 1000), key_of(2, 2000), key_of(3, 3000)
    toy.write("consts.py", "STEP = 1\n")
    toy.run(code)  # the oldest is used again and becomes the newest
    fourth = key_of(4, 4000)
    assert toy.keys() == {first, third, fourth, foreign.name}, f"{second} was the oldest"


@needs_jit
def test_unwritable_root_warns_and_works(toy: Toy) -> None:
    toy.cache.write_text("a file where the folder should be")
    done = toy.run(REPORT, "-W", "always")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["values"] == [4, 7, 10, 52]
    assert not Path(report["path"]).exists(), "the temporary folder goes with the process"
    assert done.stderr.count("RuntimeWarning") == 1
    assert str(toy.cache) in done.stderr
    assert "ISLAND_ENVS_CACHE" in done.stderr


def cut_off(content: bytes) -> bytes:
    return content[: len(content) // 2]


def one_bit(content: bytes) -> bytes:
    middle = len(content) * 2 // 3
    return content[:middle] + bytes([content[middle] ^ 16]) + content[middle + 1 :]


DAMAGE: tuple[Callable[[bytes], bytes], ...] = (
    lambda content: b"",
    cut_off,
    one_bit,
    lambda content: bytes(range(256)) * 20,
    lambda content: pickle.dumps({"not": "an index"}),
)
"""One for each kernel of the toy."""


@needs_jit
@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_damaged_files_count_as_missing_and_are_mended(toy: Toy, suffix: str) -> None:
    toy.report()
    files = sorted(path for path in (toy.cache / "toy_env").rglob("*") if path.suffix == suffix)
    for path, damage in zip(files, DAMAGE, strict=True):
        before = path.read_bytes()
        path.write_bytes(damage(before))
        assert path.read_bytes() != before
    damaged = toy.report()
    assert damaged["values"] == [4, 7, 10, 52] and damaged["stats"] == [0, 5]
    assert toy.report()["stats"] == [4, 0], "what was damaged has been written anew"


@needs_jit
def test_folders_and_links_in_the_place_of_files_are_no_harm(toy: Toy) -> None:
    toy.report()
    files = [path for path in (toy.cache / "toy_env").rglob("*") if path.suffix == ".nbi"]
    for path in files[:2]:
        path.unlink()
        path.mkdir()
    for path in files[2:]:
        path.unlink()
        path.symlink_to("nowhere")
    done = toy.run(REPORT, "-W", "always")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["values"] == [4, 7, 10, 52]
    assert done.stderr.count("RuntimeWarning") == 1 and "machine code cannot be kept in" in done.stderr


@needs_jit
def test_a_folder_that_vanishes_or_fills_up_while_running_is_no_harm(toy: Toy) -> None:
    code = """
import os, shutil
from pathlib import Path
from toy_env import loop, rules
root = Path(os.environ["ISLAND_ENVS_CACHE"])
print(rules.step(1))
shutil.rmtree(root)
print(loop.twice(1))
shutil.rmtree(root)
root.write_text("no folder")
print(loop.thrice(1))
"""
    done = toy.run(code, "-W", "always")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["4", "7", "10"]
    assert done.stderr.count("RuntimeWarning") == 1 and "ISLAND_ENVS_CACHE" in done.stderr


THREADS = """
import json, threading
from island_core import jit
from toy_env import loop, rules
found, barrier = [], threading.Barrier(8)

def use():
    barrier.wait()
    for x in range(200):
        found.append((rules.step(x) - x, loop.twice(x) - x, loop.thrice(x) - x))

threads = [threading.Thread(target=use) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(json.dumps([sorted(set(found)), len(found)]))
"""


@needs_jit
def test_processes_and_threads_share_nothing_but_the_folder(toy: Toy) -> None:
    """Two processes of eight threads each begin with the same empty folder; a third one finds everything in it."""
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda _: toy.run(THREADS, "-W", "error"), range(2)))
    for one in done:
        assert one.returncode == 0, one.stderr
        assert json.loads(one.stdout) == [[[3, 6, 9]], 1600]
    assert toy.report()["stats"] == [3, 2], "rules.play and rules.put were not used before"
    assert not list(toy.cache.rglob("*.tmp.*")), "no half-written file stays behind"


@needs_jit
def test_one_process_goes_ahead_and_the_others_go_together_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Threads stand for processes: each has the file open for itself."""
    monkeypatch.setenv("ISLAND_ENVS_CACHE", str(tmp_path / "new"))
    inside: list[int] = []
    together = threading.Barrier(3)

    def follow(number: int) -> None:
        with jit.one_compiles():
            inside.append(number)
            together.wait(20)

    with ThreadPoolExecutor(3) as pool:
        with jit.one_compiles():
            jobs = [pool.submit(follow, number) for number in range(3)]
            time.sleep(0.3)
            assert inside == []
        for job in jobs:
            job.result()
    assert sorted(inside) == [0, 1, 2]
    (tmp_path / "file").touch()
    monkeypatch.setenv("ISLAND_ENVS_CACHE", str(tmp_path / "file"))
    with jit.one_compiles():
        inside.append(3)
    with pytest.raises(OSError, match="of the block"), jit.one_compiles():
        raise OSError("of the block")
    assert inside[-1] == 3


def test_progress_replaces_the_note_and_quiet_silences_it(toy: Toy) -> None:
    code = """
from island_core import jit
from toy_env import loop
with jit.compiling(lambda name: print(name)):
    loop.twice(1)
"""
    done = toy.run(code)
    assert done.stdout.split() == ["toy_env.rules.step", "toy_env.twice"]
    assert done.stderr == ""
    assert toy.run(code).stdout == "", "what is loaded from the cache is not reported"
    toy.write("consts.py", "STEP = 9\n")
    assert toy.run(ISLAND_ENVS_QUIET="1").stderr == ""


def test_without_jit_kernels_are_plain_functions_that_wrap_silently(toy: Toy) -> None:
    toy.write(
        "wrap.py",
        """
import numpy as np
from island_core.jit import kernel

@kernel
def inner(x):
    return x * x

@kernel
def outer(x):
    return inner(x) + x
""",
    )
    code = """
import numpy as np
from island_core import jit
from toy_env import loop, wrap
x = np.uint64(2**64 - 1)
assert not jit.JIT_ENABLED and jit.cache_stats() == (0, 0) and "toy_env.twice" in jit.kernels()
assert wrap.outer(x) == 0 and wrap.outer.py_func is not wrap.outer
try:
    x * x
except RuntimeWarning:
    print(loop.twice(1))
"""
    done = toy.run(code, "-W", "error", NUMBA_DISABLE_JIT="1")
    assert (done.stdout, done.stderr) == ("7\n", "")
    assert not toy.cache.exists()


def far(toy: Toy, code: str, **variables: str) -> str:
    """What a process prints that calls kernels by their address."""
    sources = {
        "far.py": "from island_core.jit import address, bind\nfrom toy_env import calls\n"
        "twice = bind(calls.twice, 'toy_env', 'twice_by_address')\n"
        "entry = bind(calls.entry, 'toy_env', 'entry_by_address')\n"
        "change = bind(calls.change, 'toy_env', 'change_by_address')\n",
        "calls.py": "from island_core.jit import call_at, run_at\n"
        "def twice(place, row):\n    return call_at(place, (row[1],)) + call_at(place, (40,))\n"
        "def entry(place, values, k):\n    return call_at(place, (values, k))\n"
        "def change(place, values):\n    run_at(place, (values, 0, values[2]))\n    return values[0]\n",
    }
    for name, text in sources.items():
        toy.write(name, text)
    start = (
        "import numpy as np\nfrom island_core import jit\nfrom toy_env import far, rules\n"
        "values = np.arange(3, dtype=np.int64)\n"
    )
    done = toy.run(start + code, ISLAND_ENVS_QUIET="1", **variables)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


CALLS = """
two = far.twice(jit.address(rules.step, 0), values), far.entry(jit.address(rules.read, values, 0), values, 2)
print(*two, far.change(jit.address(rules.put, values, 0, 0), values))
"""


@needs_jit
def test_kernels_are_called_by_their_address_in_every_process_from_the_cache(toy: Toy) -> None:
    code = f"{CALLS}\nprint(*jit.cache_stats(), [len(k.signatures) for k in (rules.step, rules.read, far.twice)])"
    assert far(toy, code).split("\n") == ["47 2 5", "0 6 [1, 1, 1]"]
    assert far(toy, code).split("\n") == ["47 2 5", "6 0 [1, 1, 1]"]
    assert far(toy, CALLS, NUMBA_DISABLE_JIT="1") == "47 2 5"


@needs_jit
def test_errors_come_through_a_call_by_address(toy: Toy) -> None:
    call = "far.entry(jit.address(rules.read, values, 0), values, 3)"
    code = f"try:\n    {call}\nexcept IndexError as error:\n    print(error)"
    assert far(toy, code, NUMBA_BOUNDSCHECK="1") == "index is out of bounds"


@needs_jit
def test_only_kernels_that_return_an_integer_are_called_by_their_address() -> None:
    with pytest.raises(TypeError, match=r"add_one returns float64, expected int64 or none"):
        jit.address(add_one, 0.5)


ENTRY = """
import numpy as np
from island_core import jit
from toy_env import loop
twice = jit.entry(loop.twice, 0)
try:
    twice(1, 2)
    refused = False
except TypeError:
    refused = True
print(twice(5), twice(np.int32(5)), refused, *jit.cache_stats(), len(getattr(loop.twice, "signatures", ())))
"""


def test_an_entry_is_compiled_for_one_list_of_types_and_kept_in_the_cache(toy: Toy) -> None:
    if jit.JIT_ENABLED:
        assert toy.run(ENTRY).stdout.strip() == "11 11 True 0 2 1"
        assert toy.run(ENTRY).stdout.strip() == "11 11 True 1 0 1"
    assert toy.run(ENTRY, NUMBA_DISABLE_JIT="1").stdout.strip() == "11 11 True 0 0 0"


@needs_jit
def test_code_without_a_source_file_is_compiled_without_a_cache(toy: Toy) -> None:
    code = "from island_core.jit import kernel\n@kernel\ndef f(x): return x + 1\nprint(f(1), f.stats.cache_path)"
    assert toy.run(code).stdout == "2 None\n"


# ------------------------------------------------------------------------------------------------------ refused at once


def template(x: int) -> int:
    """Call a global that only a binding provides."""
    return step(x) + OFFSET  # type: ignore[name-defined,no-any-return]  # noqa: F821


@jit.kernel
def add_one(x: int) -> int:
    """Serve as the kernel that is bound."""
    return x + 1


def test_bind_makes_a_kernel_with_a_name_and_globals_of_its_own() -> None:
    bound = jit.bind(template, __name__, "bound", step=add_one, OFFSET=np.int64(10))
    assert bound(1) == 12
    assert bound.__name__ == bound.py_func.__qualname__ == "bound"
    assert bound.__module__ == __name__
    assert jit.kernels()[f"{__name__}.bound"] is bound
    assert "step" not in globals()


@pytest.mark.parametrize(
    ("bindings", "error", "message"),
    [
        ({"step": add_one, "OFFSET": 1, "stride": 2}, ValueError, "does not use .* stride"),
        ({"step": add_one}, ValueError, "needs bindings for: OFFSET"),
        ({"step": add_one, "OFFSET": [1, 2]}, TypeError, "OFFSET="),
        ({"step": add_one.py_func, "OFFSET": 1}, TypeError, "step="),  # type: ignore[attr-defined]
    ],
)
def test_bind_refuses(bindings: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        jit.bind(template, __name__, "refused", **bindings)


def test_bind_refuses_third_packages_and_other_values_under_one_name() -> None:
    with pytest.raises(ValueError, match="no template of island_core or json"):
        jit.bind(template, "json", "refused", step=add_one, OFFSET=1)
    jit.bind(template, __name__, "once", step=add_one, OFFSET=1)
    jit.bind(template, __name__, "once", step=add_one, OFFSET=1)
    with pytest.raises(ValueError, match="bound already"):
        jit.bind(template, __name__, "once", step=add_one, OFFSET=2)


def _closure_over_a_kernel() -> Callable[[int], int]:
    inner = add_one

    def outer(x: int) -> int:
        return inner(x)

    return outer


def test_kernel_refuses_what_would_miss_the_cache_or_its_key() -> None:
    with pytest.raises(ValueError, match="closure over the kernel inner"):
        jit.kernel(_closure_over_a_kernel())

    def in_a_view(x: int) -> int:
        return x

    in_a_view.__module__ = "toy_env.render.board"
    with pytest.raises(RuntimeError, match="edits of toy_env.render.board"):
        jit.kernel(in_a_view)
    with pytest.raises(TypeError, match="plain function"):
        jit.kernel(add_one if jit.JIT_ENABLED else len)


def test_declare_refuses_late_and_changed_content() -> None:
    jit.declare("toy_declared_env", b"1")
    jit.declare("toy_declared_env", b"1")
    with pytest.raises(RuntimeError, match="other content"):
        jit.declare("toy_declared_env", b"2")
    with pytest.raises(RuntimeError, match="before the kernels"):
        jit.declare(__name__.partition(".")[0], b"")
    with pytest.raises(ValueError, match="top-level package"):
        jit.declare("toy_env.rules", b"")


def test_default_root_follows_the_platform(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    expected = {"linux": tmp_path, "win32": tmp_path, "darwin": tmp_path / "Library" / "Caches"}
    for system, base in expected.items():
        monkeypatch.setattr(sys, "platform", system)
        assert jit._user_cache_folder() == base / "island_envs"


def test_functions_of_other_packages_count_negative_indices_from_the_end() -> None:
    """Kernels are compiled without that; nobody else's code may be touched by it."""

    @numba.njit  # type: ignore[untyped-decorator]
    def last(values, index):
        return values[index]

    assert last(np.arange(5), -1) == 4
