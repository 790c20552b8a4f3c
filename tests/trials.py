"""Run tests on copies of the project into which a fault was put.

Each run is a process of its own. It is forked from one that has loaded the libraries,
so it takes hardly longer than its tests. A test fails if it takes very long, because a
fault may make a loop endless.

A fault is first tried with the nearest test files, then with those of modules that
import the module, and then with those of the package, for some seconds each. A
measurement of the suite, which ``make mutants MEASURE=tests`` writes, says which tests
call which functions, and how long they take. With it, the tests are those that call the
function, wherever they are, and quick ones come first.
"""

from __future__ import annotations

import ast
import contextlib
import json
import multiprocessing
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import defaultdict
from functools import cache
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence
    from concurrent.futures import Executor
    from types import CodeType, FrameType

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src" / "scoref"
_NOT_COPIED = shutil.ignore_patterns(
    *(".git", ".venv", ".matrix", ".*_cache", ".hypothesis"),
    *("build", "dist", "fuzz-finds", "node_modules"),
)
LIBRARIES = [
    *("pytest", "hypothesis", "click.testing", "numpy", "msgspec"),
    *("scipy.sparse", "scipy.sparse.csgraph", "scipy.optimize"),
    *("duckdb", "pandas", "pyarrow.parquet"),
]
_MEASUREMENT = ROOT / "build" / "functions-of-tests.json"
_NOT_MEASURED = re.compile(r"/(fuzz|spark)/|test_(site|packaging|links|spark|mutants)")
LIMIT = 240  # seconds of the processor for tests that are meant to catch a fault
_NEAR = 20  # seconds for tests of the module, if they were not measured
_AROUND = 10  # seconds for tests of the package
_LONGEST = 30  # seconds for one test
_PATIENCE = 600  # seconds on the clock for one run
MEMORY = 8 << 30  # bytes, because a fault may ask for any amount
_BUDGET = 6  # seconds of tests, as measured, that are tried in one run
_MOST_FILES = 12  # from which these tests are, because each has to be imported
THOROUGH = 6  # so many times as much for faults that have survived before


_NOTHING_FAILED = {
    *(pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED),
    pytest.ExitCode.INTERRUPTED,  # after the seconds of a stage
}


class Run(NamedTuple):
    """What became of a run of tests."""

    code: int | None  # of pytest; None after the limit
    failed: list[str]
    tests: dict[str, tuple[float, list[str]]]  # seconds and, if measured, functions


class _Observer:
    """A plugin for pytest that notes failures, seconds and, on demand, functions.

    It ends the run after some seconds, and tests that take very long.
    """

    def __init__(self, sources: str, seconds: float, *, measures: bool) -> None:
        self._sources = sources
        self._seconds = seconds
        self._measures = measures
        self._codes: dict[int, CodeType] = {}
        self.failed: list[str] = []
        self.tests: dict[str, tuple[float, list[str]]] = {}

    def pytest_sessionstart(self) -> None:
        """Let Hypothesis stop at the first example that fails, however large."""
        from hypothesis import Phase, settings

        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("trials", settings.default, phases=phases)
        settings.load_profile("trials")
        signal.signal(signal.SIGPROF, self._end_test)

    @staticmethod
    def _end_test(_signal: int, _frame: FrameType | None) -> None:
        pytest.fail(f"the test takes longer than {_LONGEST} seconds")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out tests in a browser: they take long, and others test the figures."""
        items[:] = [
            item for item in items if "browser" not in getattr(item, "fixturenames", ())
        ]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item
    ) -> Generator[None, object, object]:
        self._codes = {}
        begin = time.process_time()
        if begin > self._seconds:
            item.session.shouldstop = "there is no time left"
        if self._measures:
            threading.settrace(self._trace)
            sys.settrace(self._trace)
        else:
            signal.setitimer(signal.ITIMER_PROF, _LONGEST)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            if self._measures:
                sys.settrace(None)
                threading.settrace(None)
            seconds = round(time.process_time() - begin, 3)
            self.tests[item.nodeid] = (seconds, self._functions())

    def _trace(self, frame: FrameType, _event: str, _value: object) -> None:
        code = frame.f_code
        self._codes[id(code)] = code

    def _functions(self) -> list[str]:
        return sorted(
            f"{code.co_filename.removeprefix(self._sources)}:{code.co_qualname}"
            for code in self._codes.values()
            if code.co_filename.startswith(self._sources)
        )


def _session(
    folder: str, arguments: Sequence[str], seconds: int, report: str, measures: bool
) -> None:
    """Run pytest in this process, which was made for it."""
    os.setsid()
    os.chdir(folder)
    # Processes that tests start are copies of this one, with the fault.
    multiprocessing.set_start_method("fork", force=True)
    with open(os.devnull, "r+b") as nowhere:
        for stream in range(3):
            os.dup2(nowhere.fileno(), stream)
    limit = seconds + 2 * _LONGEST
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    sys.dont_write_bytecode = False  # the copy keeps what is compiled for the next run
    sources = os.path.join(folder, "src")
    sys.path[:] = [sources, *(path for path in sys.path if path != str(ROOT / "tests"))]
    os.environ["PYTHONPATH"] = sources
    os.environ["SCOREF_REQUIRE"] = ""  # there is no folder `shared` next to the copy
    scoref = os.path.join(sources, "scoref", "")
    observer = _Observer(scoref, seconds, measures=measures)
    code = pytest.main(
        [
            *("-p", "no:cacheprovider", "-p", "no:xdist", "--no-header"),
            *("-W", "ignore::pytest.PytestAssertRewriteWarning"),
            *([] if measures else ["-x"]),
            *arguments,
        ],
        plugins=[observer],
    )
    outcome = json.dumps([int(code), observer.failed, observer.tests])
    Path(report).write_text(outcome, encoding="utf-8")
    os._exit(0)


def copy_project(folder: Path) -> None:
    """Copy what is in the repository."""
    shutil.copytree(ROOT, folder, ignore=_NOT_COPIED, dirs_exist_ok=True)


class Copy:
    """A copy of the project into which one fault after the other is put."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(LIBRARIES)
        self._faults = 0
        copy_project(folder)

    def run_with(self, file: str, data: bytes, tests: Sequence[str], cpu: float) -> Run:
        """Run tests with a changed file until one fails."""
        path = self._folder / "src" / "scoref" / file
        before, times = path.read_bytes(), path.stat()
        path.write_bytes(data)
        # Compiled files are known by the time and the size of their source.
        self._faults += 1
        os.utime(path, (self._faults, self._faults))
        try:
            return self.run(tests, cpu)
        finally:
            path.write_bytes(before)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

    def run(self, tests: Sequence[str], cpu: float, *, measures: bool = False) -> Run:
        """Run tests until one fails, or measure all of them."""
        report = self._folder / "report.json"
        report.unlink(missing_ok=True)
        process = self._context.Process(
            target=_session,
            args=(str(self._folder), tests, int(cpu) + 1, str(report), measures),
        )
        process.start()
        process.join(_PATIENCE)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid or 0, signal.SIGKILL)
        process.join()
        if not report.exists():
            return Run(None, [], {})
        return Run(*json.loads(report.read_text(encoding="utf-8")))


class Trial(NamedTuple):
    """What became of a fault: the test that caught it, None, or "" after the limit."""

    caught: str | None
    seconds: float


class Laboratory:
    """Copies of the project, one for each thread that tries faults."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._local = threading.local()
        self._sound: dict[str, bool] = {}
        self._unsound: set[str] = set()

    @property
    def _copy(self) -> Copy:
        if not hasattr(self._local, "copy"):
            name = tempfile.mkdtemp(dir=self._folder)
            self._local.copy = Copy(Path(name))
        copy: Copy = self._local.copy
        return copy

    def try_out(self, file: str, data: bytes, stages: Iterable[Stage]) -> Trial:
        """Run the tests, stage by stage, until one fails."""
        begin = time.monotonic()
        caught: str | None = None
        for stage in stages:
            caught = self._failing(file, data, stage)
            if caught is not None:
                break
        return Trial(caught, time.monotonic() - begin)

    def _failing(self, file: str, data: bytes, stage: Stage) -> str | None:
        """Return the first test that fails, leaving out those that always fail."""
        tests = stage.tests
        while True:
            left_out = [f"--deselect={test}" for test in sorted(self._unsound)]
            run = self._copy.run_with(file, data, [*tests, *left_out], stage.cpu)
            if run.code is None:
                return ""
            if not run.failed:
                if run.code in _NOTHING_FAILED:
                    return None
                files = sorted({test.partition("::")[0] for test in tests})
                if run.code == pytest.ExitCode.USAGE_ERROR and files != sorted(tests):
                    tests = files  # the fault has changed the parameters of a test
                    continue
                return "the tests do not start"
            caught = run.failed[0]
            if self._is_sound(caught):
                return caught
            print(f"left out, because it fails without any fault: {caught}", flush=True)
            self._unsound.add(caught)

    def _is_sound(self, test: str) -> bool:
        """Return whether a test passes without any fault."""
        if "::" not in test:
            return True  # the module could not be imported
        if test not in self._sound:
            run = self._copy.run([test], LIMIT)
            self._sound[test] = run.code in {
                pytest.ExitCode.OK,
                pytest.ExitCode.USAGE_ERROR,  # only with the fault is there such a test
            }
        return self._sound[test]

    def measure(self, file: str) -> Run:
        """Run all tests of a file without any fault, and note what they call."""
        return self._copy.run([file], LIMIT * 3, measures=True)


class Stage(NamedTuple):
    """Tests that are run together, and how many seconds of the processor they get."""

    tests: list[str]
    cpu: float


class Measurement:
    """Which functions each test calls, and how long it takes, by test file."""

    def __init__(self) -> None:
        known: dict[str, Any] = {"functions": [], "files": {}}
        if _MEASUREMENT.exists():
            known = json.loads(_MEASUREMENT.read_text(encoding="utf-8"))
        self.files: dict[str, dict[str, Any]] = known["files"]
        self.functions: list[str] = known["functions"]
        self._numbers = {name: number for number, name in enumerate(self.functions)}

    def add(self, file: str, digest: str, run: Run) -> None:
        """Keep what was measured of a file, without tests that fail."""
        tests = {
            test: (seconds, [self._number(name) for name in functions])
            for test, (seconds, functions) in run.tests.items()
            if test not in run.failed
        }
        self.files[file] = {"digest": digest, "tests": tests}

    def _number(self, function: str) -> int:
        number = self._numbers.setdefault(function, len(self._numbers))
        if number == len(self.functions):
            self.functions.append(function)
        return number

    def save(self) -> None:
        """Write the measurement, completely or not at all."""
        _MEASUREMENT.parent.mkdir(exist_ok=True)
        partial = _MEASUREMENT.with_suffix(".part")
        data = {"functions": self.functions, "files": self.files}
        partial.write_text(json.dumps(data, separators=(",", ":")), encoding="utf-8")
        partial.replace(_MEASUREMENT)


def measure(laboratory: Laboratory, pool: Executor, only: str) -> None:
    """Measure the test files that begin with a name and have changed since then."""
    measurement = Measurement()
    digests = {
        path.relative_to(ROOT).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in _test_files()
    }
    names = [
        name
        for name, digest in digests.items()
        if name.startswith(only)
        and not _NOT_MEASURED.search(f"/{name}")
        and measurement.files.get(name, {}).get("digest") != digest
    ]
    # Tests of single modules come first, and those of whole commands last.
    names.sort(key=lambda name: (name.startswith(("tests/tools", "tests/conf")), name))
    runs = zip(names, pool.map(laboratory.measure, names), strict=True)
    for number, (name, run) in enumerate(runs, 1):
        measurement.add(name, digests[name], run)
        seconds = sum(test_seconds for test_seconds, _ in run.tests.values())
        print(
            f"{number}/{len(names)} {name}: {len(run.tests)} tests, {seconds:.1f} "
            f"seconds{', too slow' if run.code is None else ''}",
            *(
                f"\n  left out, because it fails without any fault: {test}"
                for test in run.failed
            ),
            flush=True,
        )
        if number % 10 == 0 or number == len(names):
            measurement.save()


def _test_files() -> list[Path]:
    return sorted((ROOT / "tests").rglob("test_*.py"))


class Selection:
    """Which tests are tried with a fault, and in which order."""

    def __init__(self, thoroughness: int = 1) -> None:
        self._budget = _BUDGET * thoroughness
        self._most_files = _MOST_FILES * thoroughness
        self._seconds: dict[str, float] = {}
        self._calling: dict[str, list[str]] = defaultdict(list)
        measurement = Measurement()
        self._measured = {*measurement.files}
        names = measurement.functions
        files = [name.partition(":")[0] for name in names]
        for file in measurement.files.values():
            for test, (seconds, functions) in file["tests"].items():
                self._seconds[test] = seconds
                for name in {names[row] for row in functions}:
                    self._calling[name].append(test)
                for name in {files[row] for row in functions}:
                    self._calling[name].append(test)

    @property
    def is_measured(self) -> bool:
        """Return whether tests of other packages can be chosen."""
        return bool(self._measured)

    def stages(self, file: str, line: int) -> Iterator[Stage]:
        """Return the tests for a fault: first near ones, then others."""
        near = nearest(file)
        name = f"{file}:{function_at(SOURCES / file, line)}"
        calling = self._calling.get(name) or self._calling.get(file)
        if not calling or not self._measured.issuperset({*near, *in_package(file)}):
            if near:
                yield Stage(near, _NEAR)
            if others := [test for test in of_importers(file) if test not in near]:
                yield Stage(others, _AROUND)
            yield Stage(around(file), _AROUND)
            return
        own, folder = near[:1], around(file)[0]
        groups = defaultdict[int, list[str]](list)
        for test in sorted(calling, key=self._seconds.__getitem__):
            path = test.partition("::")[0]
            if path in near:
                groups[0 if path in own else 1].append(test)
            else:
                groups[2 if path.startswith(folder) else 3].append(test)
        for group in sorted(groups):
            yield from self._stage(groups[group])

    def _stage(self, tests: Iterable[str]) -> Iterator[Stage]:
        """Return as many tests as fit in the budget, at least one."""
        total = 0.0
        chosen: list[str] = []
        files: set[str] = set()
        for test in tests:
            files.add(test.partition("::")[0])
            total += self._seconds[test] + 0.01
            if chosen and (total > self._budget or len(files) > self._most_files):
                break
            chosen.append(test)
        if chosen:
            yield Stage(chosen, 10 + 3 * total)


@cache
def nearest(file: str) -> list[str]:
    """Return the test files of a module."""
    path = Path(file)
    stem, imported = path.stem.lstrip("_"), _imports_of(file)
    near = [
        test
        for test in _test_files()
        if (test.stem == f"test_{stem}" and {*path.parts[:-1]} <= {*test.parts})
        or imported.search(test.read_text(encoding="utf-8"))
    ]
    near.sort(key=lambda test: (test.stem != f"test_{stem}", test.stat().st_size))
    return [test.relative_to(ROOT).as_posix() for test in near[:8]]


def _imports_of(file: str) -> re.Pattern[str]:
    """Return a pattern of statements that import a module."""
    path = Path(file)
    parts = [*path.parts[:-1], *([] if path.stem == "__init__" else [path.stem])]
    module = ".".join(("scoref", *parts))
    parent = module.rpartition(".")[0]
    return re.compile(
        rf"from {re.escape(module)} import|import {re.escape(module)}\b"
        rf"|from {re.escape(parent)} import [^\n]*\b{re.escape(path.stem)}\b"
    )


@cache
def of_importers(file: str) -> list[str]:
    """Return the test files of modules that import a module."""
    imported = _imports_of(file)
    files = [
        path.relative_to(SOURCES).as_posix()
        for path in sorted(SOURCES.rglob("*.py"))
        if imported.search(path.read_text(encoding="utf-8"))
    ]
    own = [nearest(importer)[:1] for importer in files]
    return list(dict.fromkeys(chain.from_iterable(own)))[:_MOST_FILES]


def around(file: str) -> list[str]:
    """Return the tests of a package, and a comparison of whole runs."""
    path = Path(file)
    folder = next(
        (
            candidate
            for depth in range(len(path.parts) - 1, 0, -1)
            if (candidate := ROOT / "tests" / Path(*path.parts[:depth])).is_dir()
        ),
        ROOT / "tests" / "scoring",
    )
    return [
        folder.relative_to(ROOT).as_posix(),
        "tests/conformance/test_conformance_reference.py",
    ]


@cache
def in_package(file: str) -> list[str]:
    """Return the test files of a package that can be measured."""
    folder = ROOT / around(file)[0]
    names = [
        path.relative_to(ROOT).as_posix()
        for path in _test_files()
        if path.is_relative_to(folder)
    ]
    return [name for name in names if not _NOT_MEASURED.search(f"/{name}")]


@cache
def _functions_of(path: Path) -> list[tuple[int, int, str]]:
    """Return first and last lines of all functions, with their qualified names."""
    functions = []

    def visit(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                name = prefix + child.name
                begin, end = child.body[0].lineno, child.end_lineno or child.lineno
                functions.append((begin, end, name))
                visit(child, f"{name}.<locals>.")
            elif isinstance(child, ast.ClassDef):
                visit(child, f"{prefix}{child.name}.")
            else:
                visit(child, prefix)

    visit(ast.parse(path.read_text(encoding="utf-8")), "")
    return functions


def function_at(path: Path, line: int) -> str:
    """Return the qualified name of the innermost function with a line, or ""."""
    around_line = [item for item in _functions_of(path) if item[0] <= line <= item[1]]
    return max(around_line, default=(0, 0, ""))[2]
