"""Faults in the sources: which there are, in which order, and what becomes of them."""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

import mutants
import trials
from mutants import Mutant, changes_of, deliberate_faults, draw, survivors, title
from trials import Laboratory, Selection, Stage

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILE = "metrics/sums.py"
SUMS = """\
def larger(a, b):
    return a if a >= b else b


def double(a):
    return 2 * a
"""
TESTS = """\
from scoref.metrics.sums import double, larger

def test_larger():
    assert larger(1, 2) == 2

def test_double():
    assert double(3) == 6
"""
NEAR = "tests/metrics/test_sums.py"
CONFORMANCE = "tests/conformance/test_conformance_reference.py"
SAME = "comparison: a >= b -> (a > b)"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Make a project of a module with its tests, and have faults put into it."""
    files = {
        "pyproject.toml": "[tool.pytest.ini_options]\n",
        "src/scoref/__init__.py": "",
        "src/scoref/metrics/__init__.py": "",
        f"src/scoref/{FILE}": SUMS,
        "src/scoref/model.py": "LIMIT = 7\n",
        NEAR: TESTS,
        "tests/metrics/test_other.py": "def test_nothing():\n    pass\n",
        CONFORMANCE: "",
    }
    root = tmp_path / "project"
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    sources = root / "src" / "scoref"
    monkeypatch.setattr(trials, "ROOT", root)
    monkeypatch.setattr(trials, "SOURCES", sources)
    monkeypatch.setattr(trials, "LIBRARIES", ["pytest", "hypothesis"])
    monkeypatch.setattr(trials, "_MEASUREMENT", root / "build" / "measured.json")
    monkeypatch.setattr(mutants, "SOURCES", sources)
    monkeypatch.setattr(mutants, "EQUIVALENT", {})
    monkeypatch.setattr(mutants, "MUTANTS", (Mutant(FILE, "2 * a", "a", "metrics"),))
    cached = (trials.nearest, trials.of_importers, trials.in_package)
    for function in cached:
        function.cache_clear()
    yield root
    for function in cached:
        function.cache_clear()


def faults_in(project: Path, code: str) -> list[str]:
    path = project / "src" / "scoref" / "one.py"
    path.write_text(code, encoding="utf-8")
    return [title(change).removeprefix("one.py:1 ") for change in changes_of(path)]


@pytest.mark.parametrize(
    ("code", "faults"),
    [
        ("a < b", ["comparison: a < b -> (a <= b)"]),
        ("a not in b", ["comparison: a not in b -> (a in b)"]),
        ("a < b < c", []),
        ("a // b", ["arithmetic: a // b -> (a * b)"]),
        ("a and b or c", ["and/or: a and b or c -> ((a and b) and c)"]),
        ("not a", ["not: not a -> (a)"]),
        ("x = 5", ["constant: 5 -> (6)", "constant: 5 -> (4)"]),
        ("x = True, 'a', 0.5", []),
        ("f()", ["dropped statement: f() -> pass"]),
        ("x += y", ["dropped statement: x += y -> pass"]),
        ("x = f(a, b, c)", ["swapped arguments: f(a, b, c) -> (f(b, a, c))"]),
        ("x = f(a, a), f(*a, b), f(a)", []),
        ("x = max(a, b)", ["min/max: max(a, b) -> (min(a, b))"]),
        ("x = a.min(b)", ["min/max: a.min(b) -> (a.max(b))"]),
        (
            "x = a[b:c]",
            ["slice end: a[b:c] -> (a[:c])", "slice end: a[b:c] -> (a[b:])"],
        ),
        ("x = 'ä', a[b:]", ["slice end: a[b:] -> (a[:])"]),
    ],
)
def test_each_operator_has_its_faults(
    project: Path, code: str, faults: list[str]
) -> None:
    found = faults_in(project, code)
    if "and b or" in code or code.startswith("f()"):
        found = found[:1]  # then those of what is inside
    assert found == faults


def test_messages_types_and_imports_have_no_faults(project: Path) -> None:
    code = """\
from typing import Literal, TYPE_CHECKING
from .a import b
if TYPE_CHECKING:
    from c import d
Sizes = Literal[1, 2]
def f(a: Literal[3] = b) -> Literal[4]:
    assert a > 5, f"{a + 6}"
    raise ValueError(a + 7)
"""
    assert faults_in(project, code) == []


def test_a_fault_replaces_exactly_its_piece_of_the_source(project: Path) -> None:
    path = project / "src" / "scoref" / FILE
    path.write_text("# größer\nx = 'ü' if a >= b else c\n", encoding="utf-8")
    (change,) = changes_of(path)
    data = path.read_bytes()
    changed = data[: change.start] + change.new.encode() + data[change.end :]
    assert changed.decode() == "# größer\nx = 'ü' if (a > b) else c\n"
    assert title(change) == f"{FILE}:2 {SAME}"


def test_a_seed_decides_the_order_of_the_same_faults(project: Path) -> None:
    path = project / "src" / "scoref" / FILE
    path.write_text("\n".join(f"x = {number}" for number in range(20)), "utf-8")
    first = draw(1, [""])
    assert len(first) == 42  # with two of another module
    assert draw(1, [""]) == first
    other = draw(2, [""])
    assert other != first
    assert sorted(other) == sorted(first)


@pytest.mark.parametrize(
    ("only", "places"),
    [
        ([""], {f"{FILE}:2", f"{FILE}:6", "model.py:1"}),
        (["metrics/"], {f"{FILE}:2", f"{FILE}:6"}),
        (["metrics/sums.py:2:", "model"], {f"{FILE}:2", "model.py:1"}),
        (["metrics/m"], set()),
    ],
)
@pytest.mark.usefixtures("project")
def test_only_limits_random_faults(only: list[str], places: set[str]) -> None:
    changes = draw(1, only)
    assert {f"{change.file}:{change.line}" for change in changes} == places


def test_only_and_a_number_limit_deliberate_faults() -> None:
    every = mutants.MUTANTS
    assert {*deliberate_faults(1, [""], len(every))} == {*every}
    chosen = deliberate_faults(1, ["matching/", "metrics/muc"], 100)
    assert {each.file.partition("/")[0] for each in chosen} == {"matching", "metrics"}
    assert len(chosen) == sum(
        each.file.startswith(("matching/", "metrics/muc")) for each in every
    )
    assert deliberate_faults(1, ["matching/"], 2) == deliberate_faults(
        1, ["matching/"], 2
    )
    assert len(deliberate_faults(1, ["matching/"], 2)) == 2


@pytest.mark.usefixtures("project")
def test_a_report_names_the_faults_that_survive() -> None:
    report = f"""
caught     {FILE}:6 constant: 2 -> (3) 1 s, {NEAR}::test_double
SURVIVES   {FILE}:2 {SAME}
SURVIVES   {FILE}:6 constant: 2 -> (1) 12 s, None
equivalent model.py:1 constant: 7 -> (8) (no effect)
SURVIVES   {FILE}:1 constant: 9 -> (8)
"""
    found = survivors(draw(1, [""]), report)
    titles = {f"{FILE}:2 {SAME}", f"{FILE}:6 constant: 2 -> (1)"}
    assert {title(change) for change in found} == titles


def report_of(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str
) -> tuple[int, str]:
    """Run the script; return its exit code and its report."""
    arguments = ["mutants.py", "--jobs", "1", *words]
    monkeypatch.setattr(sys, "argv", arguments)
    with pytest.raises(SystemExit) as ended:
        mutants.main()
    return int(ended.value.code or 0), capsys.readouterr().out


def test_caught_and_surviving_faults_are_told_apart(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--only", "metrics/", "--seconds", "100"]
    code, report = report_of(monkeypatch, capsys, *words)
    assert code == 0
    assert f"caught    {FILE}: '2 * a' -> 'a' {NEAR}::test_double" in report
    assert f"\nSURVIVES   {FILE}:2 {SAME}\n" in report
    assert "\nmetrics                    4      3   75 %" in report
    assert "\n4 of 4 possible faults tried in" in report
    assert "The shares are lower bounds" in report
    # Again with that report, and now it is known that nothing can change.
    known = {(FILE, "return a if a >= b else b"): {"a >= b -> (a > b)": "a is b"}}
    monkeypatch.setattr(mutants, "EQUIVALENT", known)
    (project / "report.txt").write_text(report, encoding="utf-8")
    words = ["--seconds", "100", "--deliberate", "0"]
    words += ["--again", str(project / "report.txt")]
    code, report = report_of(monkeypatch, capsys, *words)
    assert code == 0
    assert f"\nequivalent {FILE}:2 {SAME} (a is b)\n" in report
    assert "\n1 of 1 possible faults tried in" in report


@pytest.mark.usefixtures("project")
def test_a_deliberate_fault_that_survives_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    alive = Mutant(FILE, "a >= b", "a > b", "metrics")
    monkeypatch.setattr(mutants, "MUTANTS", (alive,))
    code, report = report_of(monkeypatch, capsys, "--seconds", "0")
    assert code == 1
    assert f"SURVIVES  {FILE}: 'a >= b' -> 'a > b'" in report


def test_a_test_that_always_fails_catches_nothing(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = project / NEAR
    path.write_text(f"{TESTS}\ndef test_first():\n    assert 0\n", encoding="utf-8")
    laboratory = Laboratory(tmp_path)
    sound = laboratory.try_out(FILE, SUMS.encode(), [Stage([NEAR], 60)])
    assert sound.caught is None
    assert f"without any fault: {NEAR}::test_first" in capsys.readouterr().out
    wrong = SUMS.replace("2 * a", "3 * a").encode()
    trial = laboratory.try_out(FILE, wrong, [Stage([NEAR], 60)])
    assert trial.caught == f"{NEAR}::test_double"
    broken = laboratory.try_out(FILE, b"raise OSError", [Stage([NEAR], 60)])
    assert broken.caught == NEAR


@pytest.mark.usefixtures("project")
def test_faults_that_have_gone_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match=r"sums.py has changed: no '4 \* a' in it"):
        mutants.deliberate(Mutant(FILE, "4 * a", "a", "metrics"))
    mutants.check_equivalent_faults()
    monkeypatch.setattr(mutants, "EQUIVALENT", {(FILE, "return 4 * a"): {}})
    with pytest.raises(SystemExit, match=r"no line 'return 4 \* a' in it"):
        mutants.check_equivalent_faults()


def write_measurement(project: Path, names: list[str]) -> None:
    """Note that a test of each file calls `double`, in 0.1 seconds."""
    files = {
        name: {
            "digest": sha256((project / name).read_bytes()).hexdigest(),
            "tests": {f"{name}::test_double": (0.1, [0])},
        }
        for name in names
    }
    measured = {"functions": [f"{FILE}:double"], "files": files}
    path = project / "build" / "measured.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(measured), encoding="utf-8")


def test_a_measurement_of_half_of_the_files_is_not_used(project: Path) -> None:
    whole = [[NEAR], ["tests/metrics", CONFORMANCE]]
    assert [stage.tests for stage in Selection().stages(FILE, 6)] == whole
    write_measurement(project, [NEAR])  # and not test_other.py
    assert [stage.tests for stage in Selection().stages(FILE, 6)] == whole
    write_measurement(project, [NEAR, "tests/metrics/test_other.py", CONFORMANCE])
    stages = [stage.tests for stage in Selection().stages(FILE, 6)]
    assert stages == [
        [f"{NEAR}::test_double"],
        ["tests/metrics/test_other.py::test_double"],
        [f"{CONFORMANCE}::test_double"],
    ]
