"""SCOREF_REQUIRE: a missing component is a failure, and skipped tests are listed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from scoref.tools.check.crac.rules import VERSION
from support.paths import ROOT
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
    assert "SCOREF_REQUIRE has chromium, but the test was skipped" in output
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
        ("'shared' does not lie beside the project", "shared"),
        ("could not import 'nltk.metrics.distance': No module", "nltk"),
        ("could not import 'corefeval': No module named 'corefeval'", "corefeval"),
        ("stanza is not installed", "stanza"),
        ("lm-eval is not there: pip install '.[lm-eval]'", "lm-eval"),
        ("datasets is not there", "datasets"),
        ("Splink is not tested: pip install splink", "splink"),
        ("dedupe is not tested: pip install dedupe", "dedupe"),
        ("udtools 0.2.8 is not installed", "udtools"),
        ("pyright is not installed (npm install --global pyright)", "pyright"),
        ("tables have no text", None),
    ],
)
def test_a_reason_belongs_to_a_component(reason: str, component: str | None) -> None:
    assert component_of(reason) == component


def test_continuous_integration_requires_components() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    names = " ".join(re.findall(r"require ([\w -]+)", script)).split()
    packages = re.search(r"for one in (.*?); do", script, re.DOTALL)
    assert packages
    names += [name.partition("=")[0] for name in packages[1].split() if name != "\\"]
    required = {*names}
    assert required <= COMPONENTS.keys()
    assert {"chromium", "shared", "pyright", "spacy", "splink", "udtools"} <= required
    assert f"udtools=={VERSION}" in script
    assert "SCOREF_REQUIRE" in script
