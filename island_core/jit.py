"""Machine code: the only place that calls numba's ``njit``, and the disk cache that never runs stale code.

numba notices an edit only in the file that *defines* a cached function: after an edit of a constant or a helper in
another file, or after an upgrade, it goes on running the old machine code (numba #8359), and it ignores
``NUMBA_BOUNDSCHECK`` when the cache is warm. Here the cache of a package lies in a folder named by a key made of
everything that can change its kernels, so that code made from other sources is never looked at::

    <root>/<owner>/<key>/...        owner: the package of the kernel; root: ISLAND_ENVS_CACHE or the user's cache folder

Key: the sources of ``island_core`` and of the owner (without `VIEW_MODULES` and `APART`), the content announced with
`declare`, the versions of Python, numba, llvmlite and numpy, and the flags of the compiler. A package that announces
nothing (a test, a user's own kernels) may call kernels of the games, so the games announced before it are part of its
key too.
Kernels must not depend on anything else: no environment variable, no file but the declared one, no third package of
kernels.

Damaged files count as missing and are written anew; where nothing can be written the process compiles for itself, with
a warning.

A kernel is compiled on its first call, and once only: what it gets from other kernels is normalised, see `_normal`.
Neither closures over kernels nor kernels as arguments are used, because they miss the disk cache in every new process;
`bind` serves instead.

Environment variables: ``ISLAND_ENVS_CACHE`` (root of the cache), ``ISLAND_ENVS_QUIET=1`` (no note on the first
compilation), and numba's ``NUMBA_DISABLE_JIT=1`` (kernels are plain Python) and ``NUMBA_BOUNDSCHECK=1``.
"""

import atexit
import builtins
import contextlib
import ctypes
import dis
import functools
import hashlib
import importlib.util
import numbers
import os
import pickle
import platform
import re
import shutil
import sys
import tempfile
import threading
import types
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

import llvmlite
import numba
import numpy as np
from numba.core import caching, cgutils, event
from numba.extending import intrinsic, lower_cast, register_jitable
from numba.np import arrayobj

__all__ = [
    "JIT_ENABLED",
    "VIEW_MODULES",
    "CacheStats",
    "address",
    "bind",
    "cache_stats",
    "call_at",
    "compiling",
    "declare",
    "kernel",
    "kernels",
    "one_compiles",
    "record_at",
    "records_at",
    "run_at",
]

JIT_ENABLED: bool = not numba.config.DISABLE_JIT
"""False with ``NUMBA_DISABLE_JIT=1``: kernels are then plain Python functions."""

VIEW_MODULES = frozenset(
    {
        "adapters",
        "aec",
        "arena",
        "batch",
        "benchmark",
        "boxes",
        "cli",
        "commands",
        "conformance",
        "convert",
        "docs",
        "errors",
        "game",
        "network",
        "notation",
        "options",
        "parallel",
        "policies",
        "position",
        "reader",
        "registration",
        "render",
        "search",
        "selfplay_report",
        "single_seat",
        "spec",
        "statistics",
        "symmetries",
        "text",
        "transcript",
        "transcripts",
        "vector",
        "view",
    }
)
"""Modules and sub-packages, of ``island_core`` and of a game alike, that only wrap kernels.

An edit of one does not throw machine code away. In return no kernel may be defined in one or use anything from one;
`kernel` refuses the first. `bind` may be called from them, because the bound values are part of the cache path.
"""

APART = frozenset({"policies"})
"""Sub-packages of a game that hold kernels which are called by their address alone (`call_at`).

They have a key of their own beside the game's: an edit of one renews its machine code and no other. In return no kernel
outside may call theirs by name; `bind` refuses to bind one.
"""

CORE = "island_core"
ROOT_VARIABLE = "ISLAND_ENVS_CACHE"
KEYS_KEPT = 3
INLINED_BYTES = 612
"""Kernels of at most so many bytes of Python code are merged into their callers. Random play takes 72 reference
iterations a decision with 300, 60 with 450, 58 with 612, 59 with 760 (the game with more small kernels); with 900 the
other one takes longer to compile by half, and is no faster.
"""
_KEY = re.compile(r"[0-9a-f]{24}")

_Function = TypeVar("_Function", bound=Callable[..., Any])


# ---------------------------------------------------------------------------------------------- key of the machine code


_declared: dict[str, bytes] = {}
# Decorating changes numba's global configuration for a moment; two threads may import kernels at the same time.
_lock = threading.RLock()


def declare(package: str, content: bytes) -> None:
    """Announce the content of a game package's components file, before any of its kernels is decorated.

    Raises ValueError if ``package`` is not the name of a top-level package, and RuntimeError if the package announced
    other content before or has kernels already: their key would be wrong.
    """
    if not package.isidentifier():
        raise ValueError(f"declare() takes the name of a top-level package, not {package!r}")
    with _lock:
        if package in _declared:
            if _declared[package] != content:
                raise RuntimeError(f"{package} was declared before with other content; start a new process for it")
            return
        if package in _decorated_owners:
            raise RuntimeError(f"declare({package!r}, ...) must come before the kernels of {package} are decorated")
        _declared[package] = content


def _source_files(package: str) -> list[tuple[str, Path]]:
    """Relative name and path of each source file of a package or a single-file module, views left out, in order."""
    module = sys.modules.get(package)
    if module is not None:
        file, folders = getattr(module, "__file__", None), getattr(module, "__path__", None)
    else:
        spec = importlib.util.find_spec(package)
        if spec is None:
            raise ValueError(f"there is no package {package!r} to keep machine code for")
        file, folders = spec.origin, spec.submodule_search_locations
    if folders is None:
        return [(Path(file).name, Path(file))] if file and Path(file).is_file() else []
    found = []
    for folder in map(Path, folders):
        for path in folder.rglob("*.py"):
            name = path.relative_to(folder)
            if VIEW_MODULES.isdisjoint(name.with_suffix("").parts):
                found.append((name.as_posix(), path))
    return sorted(found)


@functools.cache
def _package_digest(package: str) -> bytes:
    digest = hashlib.sha256()
    for name, path in _source_files(package):
        content = path.read_bytes()
        # Lengths keep the border between two files from moving unseen.
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    digest.update(b"declared" + _declared.get(package, b""))
    return digest.digest()


def _toolchain() -> str:
    config = numba.config
    flags = (config.BOUNDSCHECK, config.OPT, config.DEBUGINFO_DEFAULT, config.LOOP_VECTORIZE, config.SLP_VECTORIZE)
    versions = (platform.python_implementation(), sys.version, numba.__version__, llvmlite.__version__, np.__version__)
    return repr((flags, versions))


@functools.cache
def _key(packages: tuple[str, ...]) -> str:
    digest = hashlib.sha256(_toolchain().encode())
    for package in packages:
        digest.update(package.encode() + _package_digest(package))
    return digest.hexdigest()[:24]


def _packages_behind(owner: str) -> tuple[str, ...]:
    if owner == CORE:
        return (CORE,)
    if owner in _declared:
        return (CORE, owner)
    game = owner.partition(".")[0]
    if game != owner:
        return (CORE, game, owner)
    return (CORE, owner, *sorted(_declared.keys() & sys.modules.keys()))


# ------------------------------------------------------------------------------------------------------ folders on disk


def _user_cache_folder() -> Path:
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "island_envs"


class _Folders:
    """The folders of this process: opened on first use, pruned to the newest keys, temporary if the root refuses."""

    def __init__(self) -> None:
        self._temporary: Path | None = None
        self._told = False
        self._opened: set[Path] = set()

    def root(self) -> Path:
        if self._temporary is not None:
            return self._temporary
        chosen = os.environ.get(ROOT_VARIABLE)
        return Path(chosen).expanduser().absolute() if chosen else _user_cache_folder()

    def of(self, owner: str) -> Path:
        """Writable folder for the kernels of ``owner``; falls back to a temporary one with a warning."""
        key = _key(_packages_behind(owner))
        try:
            return self._open(self.root() / owner / key)
        except (OSError, RuntimeError) as problem:  # RuntimeError: no home folder
            return self._open(self.give_up(problem) / owner / key)

    def give_up(self, problem: Exception) -> Path:
        """Use a temporary root from now on, and say so once."""
        if self._temporary is None:
            try:
                refused = str(self.root())
            except RuntimeError:
                refused = "the user's cache folder"
            self._temporary = Path(tempfile.mkdtemp(prefix="island_envs_"))
            atexit.register(shutil.rmtree, self._temporary, ignore_errors=True)
            self.tell(refused, problem)
        return self._temporary

    def tell(self, refused: str, problem: Exception) -> None:
        """Say once that machine code cannot be kept."""
        if not self._told:
            self._told = True
            warnings.warn(
                f"machine code cannot be kept in {refused} ({problem}), so that every process compiles anew; "
                f"set {ROOT_VARIABLE} to a folder that can be written",
                RuntimeWarning,
                stacklevel=3,
            )

    def _open(self, folder: Path) -> Path:
        if folder not in self._opened:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
            os.utime(folder)  # the time of the folder is the time of its last use
            self._opened.add(folder)
            self._prune(folder.parent)
        return folder

    def _prune(self, owner_folder: Path) -> None:
        # The root may be any folder of the user's: only names that are keys are ours to remove. Another process may
        # prune at the same time, so a folder may vanish under our hands.
        by_age: list[tuple[float, Path]] = []
        for path in owner_folder.iterdir():
            if _KEY.fullmatch(path.name):
                with contextlib.suppress(OSError):
                    by_age.append((path.stat().st_mtime, path))
        for _, path in sorted(by_age, reverse=True)[KEYS_KEPT:]:
            if path not in self._opened:
                shutil.rmtree(path, ignore_errors=True)


_folders = _Folders()


@contextlib.contextmanager
def one_compiles() -> Iterator[None]:
    """Let one of several processes of a machine go ahead; the others wait until it is through, then all go together.

    What it has compiled inside the ``with`` block they find in the cache. Systems without ``flock``, and roots that
    cannot be written, do without: every process then compiles for itself.
    """
    with contextlib.ExitStack() as stack:
        if os.name == "posix":
            import fcntl

            with contextlib.suppress(OSError, RuntimeError):  # RuntimeError: no home folder
                _folders.root().mkdir(parents=True, exist_ok=True)
                file = stack.enter_context(open(_folders.root() / "lock", "ab"))
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    fcntl.flock(file, fcntl.LOCK_SH)
                    fcntl.flock(file, fcntl.LOCK_UN)
        yield


class _CheckedFiles(caching.IndexDataCacheFile):
    """numba's files of one kernel, each with the digest of what was written: damaged ones count as missing.

    numba unpickles and runs whatever it finds, and a file that is not a pickle is an error it does not catch.
    """

    def _dump(self, obj: Any) -> bytes:
        content: bytes = super()._dump(obj)
        return _digest(content) + content

    def _load_index(self) -> dict[Any, str]:
        version = pickle.dumps(self._version, protocol=-1)
        try:
            content = Path(self._index_path).read_bytes()
        except OSError:
            return {}
        found = _undamaged(content.removeprefix(version)) if content.startswith(version) else None
        return found[1] if found is not None and found[0] == self._source_stamp else {}

    def _load_data(self, name: str) -> Any:
        return _undamaged(Path(self._data_path(name)).read_bytes())


class _CheckedCache(caching.FunctionCache):
    """numba's cache of one kernel; a disk that takes nothing more costs the machine code, not the call."""

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as problem:
            _folders.tell(self.cache_path, problem)


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST_BYTES).digest()


def _undamaged(content: bytes) -> Any:
    """What was pickled behind its digest; None if that is not the digest of what follows."""
    digest, rest = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
    return pickle.loads(rest) if _digest(rest) == digest else None


_DIGEST_BYTES = 16


# -------------------------------------------------------------------------------------------------------- the decorator


_kernels: dict[str, Any] = {}
# By identity, since a later kernel may take the name of an earlier one; holding them keeps the ids unique.
_decorated: dict[int, tuple[str, Any]] = {}
_decorated_owners: set[str] = set()
_bound: dict[str, tuple[str, str]] = {}


def _owner_of(module: str) -> str:
    """The package, or the part of one that is kept apart, that the kernels of a module belong to."""
    package, *parts = module.split(".")
    return f"{package}.{parts[0]}" if package in _declared and not APART.isdisjoint(parts[:1]) else package


def kernel(fn: _Function) -> _Function:
    """Make a kernel of a plain function: ``njit(cache=True, nogil=True)``, no fastmath, signatures as they come.

    The result keeps the signature of ``fn`` for type checkers and has numba's ``py_func``. With the jit off it is
    ``fn`` itself, run where unsigned arithmetic may wrap silently, as it does in machine code.

    Raises RuntimeError if ``fn`` is defined in one of `VIEW_MODULES`, and ValueError if it is a closure over a kernel.
    """
    _check(fn)
    owner = _owner_of(fn.__module__)
    if not VIEW_MODULES.isdisjoint(fn.__module__.removeprefix(owner).split(".")):
        raise RuntimeError(f"{_qualified(fn)} cannot be a kernel: edits of {fn.__module__} do not renew machine code")
    return _decorate(fn, owner, "")


def bind(template: Callable[..., Any], owner: str, name: str, **bindings: Any) -> Any:
    """Make a kernel named ``name`` of the package ``owner`` from a plain function, with ``bindings`` as its globals.

    This is how a loop of ``island_core`` comes to call the kernels of one game: the template calls ``step(...)``, a
    global of its module or none at all, and ``bind(play, "some_env", "play", step=some_env.engine.step)`` compiles a
    copy for which ``step`` is that game's. The copy belongs to ``owner``: its machine code is cached with the kernels
    of that package, apart from those of another, and the values bound are part of the path. ``owner`` may be a dotted
    module.

    A binding is a kernel (of ``island_core`` or of ``owner``), a number, a string, None, an array, a dtype, or a
    tuple of these.

    Raises ValueError if a binding is a name the template does not use as a global, if the template uses a global that
    is neither bound nor defined, if the template or a kernel bound belongs to a third package, or if the name was
    bound to other values before; TypeError for a binding of another kind.
    """
    _check(template)
    used = _global_names(template.__code__)
    if unknown := sorted(bindings.keys() - used):
        raise ValueError(f"{_qualified(template)} does not use the name(s) bound: {', '.join(unknown)}")
    if missing := sorted(used - bindings.keys() - template.__globals__.keys() - vars(builtins).keys()):
        raise ValueError(f"{_qualified(template)} needs bindings for: {', '.join(missing)}")
    package = owner.partition(".")[0]
    if template.__module__.partition(".")[0] not in _packages_behind(package):
        raise ValueError(f"{_qualified(template)} is no template of {CORE} or {package}: its edits would go unseen")
    described = [f"{key}={_describe(value, package, key)}" for key, value in sorted(bindings.items())]
    values = hashlib.sha256("\n".join(described).encode()).hexdigest()[:12]
    # Two functions of one name may link to each other's machine code when both come from the cache.
    origin = _bound.setdefault(f"{owner}.{name}", (_qualified(template), values))
    if origin != (_qualified(template), values):
        raise ValueError(
            f"{owner}.{name} is bound already, from {origin[0]} with other values or from another template"
        )

    own_globals = {**template.__globals__, **bindings, "__name__": owner}
    fn = types.FunctionType(template.__code__, own_globals, name, template.__defaults__)
    fn.__kwdefaults__ = template.__kwdefaults__
    fn.__doc__ = template.__doc__
    fn.__annotations__ = dict(template.__annotations__)
    fn.__module__ = owner
    fn.__qualname__ = name
    return _decorate(fn, package, values)


def _decorate(fn: _Function, owner: str, subfolder: str) -> _Function:
    with _lock:
        _decorated_owners.add(owner)
        made = _compiled_on_call(fn, owner, subfolder) if JIT_ENABLED else _plain(fn)
        name = _qualified(fn)
        _symbols.append("_ZN" + "".join(f"{len(part)}{part}" for part in name.split(".")) + "B")
        _kernels[name] = made
        _decorated[id(made)] = name, made
    return made


def _compiled_on_call(fn: _Function, owner: str, subfolder: str) -> _Function:
    if not Path(fn.__code__.co_filename).is_file():
        # Typed at a prompt or made by exec: there is no source that a key could be made from.
        return _njit(fn, cache=False)
    try:
        return _njit(fn, cache=True, folder=_folders.of(owner) / subfolder)
    except RuntimeError as problem:  # numba found its own subfolder of ours not writable
        _folders.give_up(problem)
        return _njit(fn, cache=True, folder=_folders.of(owner) / subfolder)


def _njit(fn: _Function, cache: bool, folder: Path | None = None) -> _Function:
    config = numba.config
    saved = config.CACHE_DIR, getattr(config, "CACHE_LOCATOR_CLASSES", "")
    config.CACHE_DIR = str(folder or "")
    # Without this, numba falls back to __pycache__ if it cannot write, where nothing protects from stale code.
    config.CACHE_LOCATOR_CLASSES = "UserProvidedCacheLocator"
    try:
        made = numba.njit(cache=cache, nogil=True, forceinline=len(fn.__code__.co_code) <= INLINED_BYTES)(fn)
    finally:
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = saved
    if cache:
        # numba offers no place to say which classes these are to be.
        made._cache.__class__ = _CheckedCache
        made._cache._cache_file.__class__ = _CheckedFiles

    resolve = made.get_call_template

    def resolve_normalised(args: Sequence[Any], kws: Mapping[str, Any]) -> Any:
        return resolve(tuple(map(_normal, args)), {name: _normal(given) for name, given in kws.items()})

    # numba asks this of a dispatcher that is called from code being compiled, never of one called from Python.
    made.get_call_template = resolve_normalised
    return cast("_Function", made)


_symbols: list[str] = []
"""How the name of each kernel begins in machine code (the C++ mangling that numba uses)."""


def _leave_out_wraparound() -> None:
    """Compile indices of kernels as they stand: a negative one would not count from the end.

    Kernels use none; numba cannot know that of numbers read from a record and turns every such index around by three
    more instructions. Other functions, numba's own included, are compiled as ever. The mode with bounds checks reports
    a negative index.
    """
    fix = arrayobj.fix_integer_index

    def fix_integer_index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
        if kind.signed and builder.function.name.startswith(tuple(_symbols)):
            return context.cast(builder, index, kind, numba.types.intp)
        return fix(context, builder, kind, index, size)

    arrayobj.fix_integer_index = fix_integer_index


if JIT_ENABLED:
    _leave_out_wraparound()


def _normal(given: Any) -> Any:
    """Type as which a kernel takes an argument from another kernel.

    numba by itself compiles a kernel anew for every integer constant that is passed to it (``push(s, 3)``), for every
    width of integer and for an array inside a record in addition to the same array from Python. All integers but
    unsigned ones come as int64 here, and arrays in records as arrays; the two casts cost nothing.
    """
    given = numba.types.unliteral(given)
    if isinstance(given, numba.types.NestedArray):
        return numba.types.Array(given.dtype, given.ndim, "C")
    if isinstance(given, numba.types.IntEnumMember):
        given = given.dtype
    if isinstance(given, numba.types.Integer) and given.signed:
        return numba.types.int64
    return given


def _same_value(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return value


# An array inside a record is represented like any other; numba just does not say so.
lower_cast(numba.types.NestedArray, numba.types.Array)(_same_value)


# ----------------------------------------------------------------------------------- calling what is compiled already


def address(made: Any, *examples: Any) -> Any:
    """What `call_at` and `run_at` take to call a kernel, which is compiled here if it is not yet.

    A kernel that calls another by name holds a copy of its code, and compiles as long as that one did. Called by its
    address, the other stays where it is: for kernels as large as the rules this turns ten seconds into a fraction of
    one and costs a few nanoseconds a call. An address holds in this process alone.

    ``examples`` are arguments of the types it is called with. With the jit off the kernel itself is returned.

    Raises TypeError if the kernel returns something else than an integer or nothing, RuntimeError if its code cannot
    be found.
    """
    if not JIT_ENABLED:
        return made
    result = _compiled_for(made, examples)
    if result.signature.return_type not in (numba.types.int64, numba.types.none):
        raise TypeError(f"{_qualified(made.py_func)} returns {result.signature.return_type}, expected int64 or none")
    place = result.library.get_pointer_to_function(result.fndesc.llvm_func_name)
    if not place:
        raise RuntimeError(f"the machine code of {_qualified(made.py_func)} is not where numba says")
    return place


def entry(made: Any, *examples: Any) -> Callable[..., Any]:
    """A kernel as a function for Python alone, which takes arguments of the types of ``examples`` and no others.

    A dispatcher looks at the types of its arguments at every call and chooses the machine code by them, which costs
    more than a short kernel does. What is returned here is the one machine code for these types: numbers are converted,
    a fraction is cut off, and an array of another type is read as if it were right. So it is for callers that know what
    they pass. The kernel is compiled here if it is not yet; with the jit off it is returned itself.
    """
    if not JIT_ENABLED:
        return cast("Callable[..., Any]", made)
    return cast("Callable[..., Any]", _compiled_for(made, examples).entry_point)


def _compiled_for(made: Any, examples: tuple[Any, ...]) -> Any:
    kinds = tuple(_normal(numba.typeof(example)) for example in examples)
    made.compile(kinds)
    return made.overloads[kinds]


def _caller(returned: Any) -> Any:
    """The intrinsic that calls, by their address, kernels that return a type."""

    def call(typing_context: Any, place: Any, arguments: Any) -> Any:
        kinds = tuple(_normal(kind) for kind in arguments.types)

        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            convention = context.call_conv
            parts = cgutils.unpack_tuple(builder, given[1], len(kinds))
            parts = [
                context.cast(builder, part, have, want)
                for part, have, want in zip(parts, signature.args[1].types, kinds, strict=True)
            ]
            kind = convention.get_function_type(returned, kinds)
            callee = builder.inttoptr(given[0], kind.as_pointer())
            status, result = convention.call_function(builder, callee, returned, kinds, parts)
            with cgutils.if_unlikely(builder, status.is_error):
                convention.return_status_propagate(builder, status)
            return result

        return returned(numba.types.int64, arguments), generate

    return intrinsic(call)


def _call_plainly(place: Any, arguments: tuple[Any, ...]) -> Any:
    return place(*arguments)


call_at: Any = _caller(numba.types.int64) if JIT_ENABLED else _call_plainly
"""``call_at(place, (states, i, ...))``, in a kernel, calls the kernel whose `address` is ``place``; returns int64."""

run_at: Any = _caller(numba.types.none) if JIT_ENABLED else _call_plainly
"""The same for a kernel that returns nothing."""


# ------------------------------------------------------------------------------------------- records by their address


def _point(typing_context: Any, place: Any, dtype: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.inttoptr(given[0], context.get_value_type(signature.return_type))

    return numba.types.CPointer(dtype.dtype)(numba.types.int64, dtype), generate


_pointer_to = intrinsic(_point)


def _records_at(place: Any, dtype: Any) -> Any:
    return numba.carray(_pointer_to(place, dtype), (1,))


def record_at(place: int, dtype: Any) -> Any:
    """The same from Python: an array of the one record of a type that lies at an address, with its memory."""
    return np.frombuffer((ctypes.c_char * dtype.itemsize).from_address(int(place)), dtype)


def _plain_records_at(place: int, dtype: Any) -> Any:
    return record_at(place, dtype).view(np.recarray)


records_at: Any = register_jitable(_records_at) if JIT_ENABLED else _plain_records_at
"""``records_at(place, RECORD)``, in a kernel, is the array of the one record of a type that lies at an address.

From Python a number costs a kernel less than half of what an array does. The caller keeps the memory alive.
"""


_may_wrap = threading.local()


def _plain(fn: _Function) -> _Function:
    """``fn`` under ``np.errstate(over="ignore")``, entered by the outermost kernel only because it costs some time."""

    @functools.wraps(fn)
    def run(*args: Any, **kws: Any) -> Any:
        # As in machine code, see _normal: an int16 from a record would go on computing, and wrapping, as int16.
        args = tuple([np.int64(a) if isinstance(a, np.signedinteger) else a for a in args])
        if getattr(_may_wrap, "inside", False):
            return fn(*args, **kws)
        _may_wrap.inside = True
        try:
            with np.errstate(over="ignore"):
                return fn(*args, **kws)
        finally:
            _may_wrap.inside = False

    run.py_func = fn  # type: ignore[attr-defined]
    return run  # type: ignore[return-value]


def _check(fn: Any) -> None:
    if not isinstance(fn, types.FunctionType):
        raise TypeError(f"a kernel is made of a plain function, not of {fn!r}")
    for variable, cell in zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True):
        if _is_kernel(_content(cell)):
            raise ValueError(
                f"{_qualified(fn)} is a closure over the kernel {variable}, which misses the cache; use bind()"
            )


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # an empty cell: a name that is assigned later, as in a function that calls itself
        return None


def _is_kernel(value: Any) -> bool:
    return id(value) in _decorated


def _global_names(code: types.CodeType) -> set[str]:
    """Names a function looks up among its globals, those of the comprehensions inside it included."""
    names = {step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _global_names(constant)
    return names


def _describe(value: Any, owner: str, name: str) -> str:
    """Text that is equal in two processes exactly if the values compile to the same code under the same key."""
    if _is_kernel(value):
        package = _owner_of(value.py_func.__module__)
        # Sources of a third package are not in the owner's key, unless the owner is none of the declared games.
        if package not in _packages_behind(owner):
            raise ValueError(f"{name}={_qualified(value.py_func)} is no kernel of {CORE} or {owner}")
        return f"kernel {_qualified(value.py_func)}"
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        content = hashlib.sha256(value.tobytes()).hexdigest()
        return f"array {value.dtype.descr} {value.shape} {value.strides} {content}"
    if isinstance(value, tuple):
        fields = getattr(value, "_fields", ())
        return f"{type(value).__name__}{fields}({', '.join(_describe(part, owner, name) for part in value)})"
    if value is None or isinstance(value, (numbers.Number, np.generic, str, np.dtype)):
        return f"{type(value).__name__} {value!r}"
    raise TypeError(
        f"{name}={value!r} cannot be bound; kernels, numbers, strings, arrays, dtypes and tuples of them can"
    )


def _qualified(fn: Any) -> str:
    return f"{fn.__module__}.{fn.__qualname__}"


# ----------------------------------------------------------------------------------------------- what is being compiled


class CacheStats(NamedTuple):
    """How often a kernel called from Python, or from a kernel being compiled, was found on disk and how often not."""

    hits: int
    misses: int


def cache_stats() -> CacheStats:
    """Counts over all kernels decorated in this process; (0, 0) with the jit off."""
    stats = [made.stats for _, made in _decorated.values()] if JIT_ENABLED else []
    return CacheStats(
        hits=sum(sum(one.cache_hits.values()) for one in stats),
        misses=sum(sum(one.cache_misses.values()) for one in stats),
    )


def kernels() -> Mapping[str, Any]:
    """All kernels decorated so far by qualified name, ``package.module.function``; dispatchers if the jit is on."""
    return types.MappingProxyType(dict(_kernels))


_callbacks: list[Callable[[str], None]] = []


@contextlib.contextmanager
def compiling(callback: Callable[[str], None]) -> Iterator[None]:
    """Call ``callback(qualified name)`` after each kernel that is compiled, not loaded, inside the ``with`` block.

    Inner kernels come before the ones that call them. The note on the first compilation is left to the caller
    meanwhile.
    """
    _callbacks.append(callback)
    try:
        yield
    finally:
        _callbacks.remove(callback)


class _CompileListener(event.Listener):
    """Hears of every compilation of this process, never of a load from the cache, and picks out our kernels."""

    def __init__(self) -> None:
        self._announced: set[str] = set()

    def on_start(self, event: Any) -> None:
        name, _ = _decorated.get(id(event.data["dispatcher"]), (None, None))
        if name is None or _callbacks or os.environ.get("ISLAND_ENVS_QUIET") == "1":
            return
        owner = name.partition(".")[0]
        if owner not in self._announced:
            self._announced.add(owner)
            note = f"island-envs: compiling the {owner} kernels, once; later starts use the cache"
            print(note, file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        name, _ = _decorated.get(id(event.data["dispatcher"]), (None, None))
        if name is not None:
            for callback in tuple(_callbacks):
                callback(name)


event.register("numba:compile", _CompileListener())
