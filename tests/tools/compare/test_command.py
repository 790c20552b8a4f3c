"""`scoref compare --baseline`: a verdict, and an exit code for pipelines."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from scoref.cli import command
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result


KEY, GOOD, BAD = (str(EXAMPLES / f"many-{name}.conll") for name in ("key", "a", "b"))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


@pytest.fixture
def baseline(tmp_path: Path) -> str:
    path = str(tmp_path / "baseline.json")
    assert run(KEY, GOOD, "--save", path).exit_code == 0
    return path


def against(baseline: str, response: str, *options: str) -> Result:
    return run("compare", "--baseline", baseline, KEY, response, *options)


def test_a_response_that_is_worse_fails(baseline: str) -> None:
    result = against(baseline, BAD, "--fail-if-worse")
    assert result.exit_code == 3
    assert "conll: 86.38 → 78.40 (-7.98, p = 0.0366): worse" in result.stderr


def test_the_number_may_stand_before_files(baseline: str) -> None:
    options = "compare", "--fail-if-worse", "--baseline", baseline, KEY, BAD
    assert run(*options).exit_code == 3


def test_so_many_points_are_allowed(baseline: str) -> None:
    assert against(baseline, BAD, "--fail-if-worse", "8").exit_code == 0
    assert against(baseline, BAD, "--fail-if-worse", "7.9").exit_code == 3


def test_chance_may_be_asked(baseline: str) -> None:
    worse = "--fail-if-worse", "--significant"
    assert against(baseline, BAD, *worse).exit_code == 3
    assert against(baseline, BAD, *worse, "--metric", "ceafe").exit_code == 0
    assert against(baseline, BAD, *worse, "--confidence", "99").exit_code == 0


def test_the_same_response_is_not_worse(baseline: str) -> None:
    result = against(baseline, GOOD, "--fail-if-worse")
    assert result.exit_code == 0
    assert "not worse" in result.stderr


def test_without_a_wish_there_is_a_verdict_only(baseline: str) -> None:
    result = against(baseline, BAD)
    assert result.exit_code == 0
    assert ": worse" in result.stderr


def test_junit_has_a_case_for_each_metric(baseline: str, tmp_path: Path) -> None:
    path = tmp_path / "junit.xml"
    against(baseline, BAD, "--junit", str(path))
    suite = ET.parse(path).getroot()[0]  # noqa: S314 - our own
    cases = suite.findall("testcase")
    assert suite.get("tests") == str(len(cases)) == "8"
    assert cases[0].get("name") == "conll"
    failure = cases[0].find("failure")
    assert failure is not None
    assert "86.38 → 78.40" in str(failure.get("message"))


def test_a_better_result_takes_the_place(tmp_path: Path) -> None:
    path = str(tmp_path / "b.json")
    run(KEY, BAD, "--save", path)
    assert against(path, GOOD, "--update").exit_code == 0
    assert "86.38 → 86.38" in against(path, GOOD).stderr
    against(path, BAD, "--update")
    assert "86.38 → 86.38" in against(path, GOOD).stderr


def test_other_keys_and_conventions_are_bad_usage(baseline: str) -> None:
    others = [str(EXAMPLES / f"{side}.conll") for side in ("key", "response")]
    result = run("compare", "--baseline", baseline, *others)
    assert result.exit_code == 2
    assert "do not have the same documents" in result.stderr
    result = against(baseline, GOOD, "--singletons", "drop")
    assert result.exit_code == 2
    assert "singletons" in result.stderr


def test_a_key_that_changed_is_noticed(baseline: str, tmp_path: Path) -> None:
    key = tmp_path / "key.conll"
    text = (EXAMPLES / "many-key.conll").read_text()
    word = text.splitlines()[1].split("\t")[3]
    key.write_text(text.replace(f"\t{word}\t", "\tsomebody\t", 1))
    result = run("compare", "--baseline", baseline, str(key), GOOD)
    assert result.exit_code == 2
    assert "the key" in result.stderr


@pytest.mark.parametrize("option", ["--fail-if-worse", "--update"])
def test_there_must_be_a_baseline(option: str) -> None:
    result = run("compare", KEY, GOOD, BAD, option)
    assert result.exit_code == 2
    assert "no --baseline" in result.stderr


def test_one_response_is_saved() -> None:
    result = run(KEY, GOOD, BAD, "--save", "x.json")
    assert result.exit_code == 2
    assert "one response" in result.stderr
