"""SCOREF_REQUIRE: a missing component is a failure, and skipped tests are listed."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from functools import cache
from typing import TYPE_CHECKING

import pytest

from scoref.tools.check.crac.rules import VERSION
from support.paths import NO_SHARED, ROOT
from support.required import COMPONENTS, component_of

if TYPE_CHECKING:
    from pathlib import Path

TESTS = """
import pytest
pytest.importorskip("json", reason="always there")

def test_page():
    pytest.skip("pages are opened in Chromium: apt-get install chromium")

def test_other():
    pytest.skip("tables have no text")
"""


def _run(folder: Path, require: str, tests: str = TESTS) -> tuple[int, str]:
    (folder / "conftest.py").write_bytes((ROOT / "tests" / "conftest.py").read_bytes())
    (folder / "test_some.py").write_text(tests, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)],
        cwd=folder,
        env={
            **os.environ,
            "SCOREF_REQUIRE": require,
            "PYTHONPATH": str(ROOT / "tests"),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_skipped_tests_are_listed_with_their_reasons(tmp_path: Path) -> None:
    code, output = _run(tmp_path, "")
    assert code == 0
    lines = [line.split(maxsplit=2) for line in output.splitlines()]
    assert ["1", "-", "tables have no text"] in lines
    chromium = "pages are opened in Chromium: apt-get install chromium"
    assert ["1", "chromium", chromium] in lines


def test_a_missing_component_that_is_required_is_a_failure(tmp_path: Path) -> None:
    code, output = _run(tmp_path, "node,chromium")
    assert code == 1
    assert (
        "SCOREF_REQUIRE has chromium, but the test was skipped: pages are opened"
    ) in output
    assert "1 failed, 1 skipped" in output


def test_a_module_that_is_skipped_is_a_failure_too(tmp_path: Path) -> None:
    tests = 'import pytest\npytest.importorskip("pyspark_x", reason="needs PySpark")\n'
    assert _run(tmp_path, "", tests)[0] == 5
    code, output = _run(tmp_path, "spark", tests)
    assert code == 2
    assert "SCOREF_REQUIRE has spark, but the test was skipped" in output


def test_an_unknown_component_is_an_error(tmp_path: Path) -> None:
    code, output = _run(tmp_path, "chromium,nod")
    assert code == 4
    assert "'nod' is not a component" in output


@pytest.mark.parametrize(
    ("reason", "component"),
    [
        ("pages are opened in Chromium: apt-get install chromium", "chromium"),
        ("Spark is not tested: it needs Java", "spark"),
        (NO_SHARED, "shared"),
        ("could not import 'nltk.metrics.distance': No module", "nltk"),
        ("could not import 'corefeval': No module named 'corefeval'", "corefeval"),
        ("stanza is not installed", "stanza"),
        ("lm-eval is not there: pip install '.[lm-eval]'", "lm-eval"),
        ("datasets is not there", "datasets"),
        ("Splink is not tested: pip install splink", "splink"),
        ("dedupe is not tested: pip install dedupe", "dedupe"),
        ("evaluate is not tested: pip install '.[evaluate]'", "evaluate"),
        ("udtools 0.2.8 is not installed", "udtools"),
        ("pyright is not installed (npm install --global pyright)", "pyright"),
        ("tables have no text", None),
    ],
)
def test_a_reason_belongs_to_a_component(reason: str, component: str | None) -> None:
    assert component_of(reason) == component


@cache
def _reasons() -> tuple[tuple[str, str], ...]:
    """Return each file that may skip tests, with its reason; placeholders are {…}."""
    return tuple(
        (path.relative_to(ROOT).as_posix(), reason)
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if "skip" in (text := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and (reason := _reason_of(node))
    )


def _reason_of(call: ast.Call) -> str:
    """Return why a call skips a test, or "" if it does not."""
    function = ast.unparse(call.func).rpartition(".")[2]
    if function not in {"skip", "skipif", "importorskip"}:
        return ""
    named = [word.value for word in call.keywords if word.arg == "reason"]
    if function == "importorskip" and not named:
        return f"could not import {_text_of(call.args[0])!r}: No module named"
    return _text_of((named or call.args)[0])


def _text_of(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(map(_text_of, parts))
        case ast.FormattedValue(value=value):
            return f"{{{ast.unparse(value)}}}"
        case ast.Name(id="NO_SHARED"):
            return NO_SHARED
    return f"{{{ast.unparse(node)}}}"


WITHOUT_COMPONENT = {
    *("takes long: HYPOTHESIS_PROFILE=nightly runs it", "tables have no text"),
    *("read by engines", "there is no '{measure}' among the figures"),
    # other systems and users
    *("there is no /dev/full", "there is no full device here", "needs /proc"),
    *("there are no terminals to open", "there are no named pipes here"),
    *("needs a POSIX shell", "the examples are for a shell", "processes are forked"),
    *("root may write anywhere", "this user may write everywhere"),
    *("names are Unicode elsewhere", "there is no such output"),
    *("this PyTorch is not distributed", "dataclasses changed inside"),
    "what the sources are is known to git, in a clone",
}
"""Reasons that no component changes."""
TABLES = ("duckdb", "pandas", "polars", "pyarrow")
VALUES = {
    "{name} is not there": (*TABLES[1:], "datasets"),
    "{section} is not there: no package {NEEDED[section]}": (
        *("evaluate", "datasets", "spaCy", "torchmetrics", "Inspect"),
    ),
    "there is no {shell} here": ("bash", "fish", "zsh"),
    "{package} is not installed": (
        *("scikit-learn", "scorch", "metric4coref", "bcubed", "coreference-eval"),
        *("stanza", "allennlp-models"),
    ),
    "could not import '{engine}': No module named": TABLES,
    "could not import '{kind}': No module named": TABLES,
    "could not import '{library}': No module named": TABLES,
    "could not import '{name}': No module named": TABLES,
}
"""What the first placeholder of a reason may be, unless the rest names a component."""


@pytest.mark.parametrize("file", sorted({file for file, _ in _reasons()}))
def test_every_reason_names_a_component_or_is_known_to_need_none(file: str) -> None:
    unknown = []
    for reason in (reason for name, reason in _reasons() if name == file):
        first = re.search(r"\{.*?\}", reason)
        texts = [reason]
        if first and reason in VALUES:
            texts = [reason.replace(first[0], value) for value in VALUES[reason]]
        if reason not in WITHOUT_COMPONENT:
            unknown += [text for text in texts if component_of(text) is None]
    assert unknown == []


def test_no_reason_is_listed_in_vain() -> None:
    reasons = {reason for _, reason in _reasons()}
    assert WITHOUT_COMPONENT | VALUES.keys() <= reasons
    assert {*filter(component_of, WITHOUT_COMPONENT)} == set()


def test_continuous_integration_requires_components() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    names = " ".join(re.findall(r"require ([\w -]+)", script)).split()
    for listed in re.findall(r"for one in (.*?); do", script, re.DOTALL):
        names += [name.partition("=")[0] for name in listed.split() if name != "\\"]
    required = {*names}
    assert required <= COMPONENTS.keys()
    assert {"chromium", "fish", "shared", "pyright", "spacy", "udtools"} <= required
    assert f"udtools=={VERSION}" in script
    assert "SCOREF_REQUIRE" in script
