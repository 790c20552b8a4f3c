"""`scoref compare`: verdicts about a baseline, and natural but wrong calls."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

import scoref
from scoref.statistics.compare import holm
from support.commands import run
from support.json_output import result_of
from support.paths import EXAMPLES
from support.wrong_files import write_wrong_files

if TYPE_CHECKING:
    from click.testing import Result


KEY, GOOD, BAD = (str(EXAMPLES / f"many-{name}.conll") for name in ("key", "a", "b"))


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
    result = run(*options)
    assert result.exit_code == 3
    assert "conll: 86.38 → 78.40 (-7.98, p = 0.0366): worse" in result.stderr


def test_so_many_points_are_allowed(baseline: str) -> None:
    assert against(baseline, BAD, "--fail-if-worse", "8").exit_code == 0
    result = against(baseline, BAD, "--fail-if-worse", "7.9")
    assert result.exit_code == 3
    assert "(-7.98" in result.stderr


def test_chance_may_be_asked(baseline: str) -> None:
    worse = "--fail-if-worse", "--significant"
    for options, code, verdict in (
        ((), 3, "p = 0.0366): worse"),
        (("--metric", "ceafe"), 0, "ceafe: "),
        (("--confidence", "99"), 0, "p = 0.0366): "),
    ):
        result = against(baseline, BAD, *worse, *options)
        assert result.exit_code == code
        assert verdict in result.stderr


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
    assert "need --baseline FILE" in " ".join(result.stderr.split())


def test_one_response_is_saved() -> None:
    result = run(KEY, GOOD, BAD, "--save", "x.json")
    assert result.exit_code == 2
    assert "one response" in result.stderr


OLD = "--baseline old.json"
BAD_FILES = {
    "half of the documents": ("key.conll a.conll half.conll", "is not in half.conll"),
    "no such file": (
        "key.conll nowhere.conll b.conll",
        "nowhere.conll: cannot be read",
    ),
    "a saved result as a system": (
        "key.conll old.json b.conll",
        "old.json: no known format has the fields",
    ),
    "a response as the baseline": (
        "--baseline a.conll key.conll b.conll",
        "this is not a result of scoref",
    ),
    "no such baseline": (
        "--baseline no.json key.conll b.conll",
        "no.json: cannot be read",
    ),
}
BAD_USAGE = {
    "one system": ("key.conll a.conll", "compare needs a key and two responses"),
    "no key": ("a.conll b.conll", "compare needs a key and two responses"),
    "one system that is not there": ("no.conll no.conll", "a key and two responses"),
    "a file twice": (
        "key.conll a.conll a.conll",
        "two systems have the same name, 'a.conll'",
    ),
    "a name twice": (
        "key.conll x=a.conll x=b.conll",
        "two systems have the same name, 'x'",
    ),
    "a misspelt metric": ("key.conll a.conll b.conll --metrics conl", "mean conll?"),
    "no draws": ("key.conll a.conll b.conll --resamples 0", "1<=x<=1000000"),
    "a gate without a baseline": (
        "key.conll a.conll b.conll --fail-if-worse 1",
        "--update need --baseline FILE",
    ),
    "a metric without a baseline": (
        "key.conll a.conll b.conll --metric muc",
        "--update need --baseline FILE",
    ),
    "significance without a baseline": (
        "key.conll a.conll b.conll --significant",
        "--update need --baseline FILE",
    ),
    "a baseline for two": (
        f"{OLD} key.conll a.conll b.conll",
        "--baseline compares one response",
    ),
    "a baseline without a response": (f"{OLD} key.conll", "missing argument"),
    "the baseline of another key": (
        f"{OLD} a.conll b.conll",
        "not scored in the same way",
    ),
    "the baseline of another split": (
        f"{OLD} half-key.conll half.conll",
        "do not have the same documents",
    ),
    "a baseline by other conventions": (
        f"{OLD} key.conll b.conll --singletons drop",
        "singletons is keep for baseline, drop for response",
    ),
    "a baseline with fewer metrics": (
        f"{OLD} key.conll b.conll --metrics muc,ari",
        "old.json does not have ari",
    ),
    "a metric that was not scored": (
        f"{OLD} key.conll b.conll --fail-if-worse --metric leaa",
        "'leaa' was not compared",
    ),
    "a negative threshold": (f"{OLD} key.conll b.conll --fail-if-worse -1", "x>=0"),
    "a plot as PDF": (
        "key.conll a.conll b.conll --plot x.pdf",
        "cannot plot to 'x.pdf'",
    ),
}
REMARKS = {
    "an error rate as a level": (
        "key.conll a.conll b.conll --confidence 0.05",
        "p up to 0.95 is significant. Did you mean 95?",
    ),
    "a system and itself": (
        "key.conll x=a.conll y=a.conll",
        "warning: x and y have the same counts in every document",
    ),
    "the key as a system": (
        "key.conll key.conll a.conll",
        "warning: key.conll was given as the key and as the response",
    ),
    "the wrong order": (
        "a.conll key.conll b.conll",
        "as the response. Are they swapped?",
    ),
    "a system without mentions": (
        "key.conll a.conll no-mentions.conll",
        "warning: no-mentions.conll: The response has no mentions",
    ),
    "a system without links": (
        "key.conll a.conll gold-mentions.jsonl",
        "warning: gold-mentions.jsonl: all 301 entities",
    ),
    "a system with one entity": (
        "key.conll a.conll one-entity.conll",
        "warning: one-entity.conll: the response has one entity",
    ),
    "exclusive ends": ("key.conll a.conll exclusive.jsonl", "Are ends exclusive"),
    "different documents, leniently": (
        "key.conll half.conll other-half.conll --lenient",
        "12 documents are not in half.conll",
    ),
    "one document": (
        "one-key.conll one-a.conll one-b.conll",
        "1 document is too few for reliable intervals",
    ),
    "few draws": (
        "key.conll a.conll b.conll --resamples 5",
        "160 swaps were tried instead of 5",
    ),
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_wrong_files(tmp_path)
    result = scoref.score("key.conll", "a.conll", with_fingerprint=True)
    scoref.save_result(result, "old.json")


@pytest.mark.parametrize(
    ("call", "message", "code"),
    [
        *(pytest.param(*case, 1, id=name) for name, case in BAD_FILES.items()),
        *(pytest.param(*case, 2, id=name) for name, case in BAD_USAGE.items()),
    ],
)
@pytest.mark.usefixtures("files")
def test_a_wrong_call_is_an_error(call: str, message: str, code: int) -> None:
    result = run("compare", *call.split(), code=code)
    assert message in " ".join(result.stderr.split())
    assert not result.stdout


@pytest.mark.parametrize(("call", "message"), REMARKS.values(), ids=REMARKS.keys())
@pytest.mark.usefixtures("files")
def test_a_doubtful_call_gets_a_remark(call: str, message: str) -> None:
    draws = [] if "--resamples" in call else ["--resamples", "200"]
    result = run("compare", *call.split(), *draws, code=0)
    assert message in " ".join(result.stderr.split())


def test_a_baseline_may_have_more_metrics_than_requested(baseline: str) -> None:
    result = against(baseline, BAD, "--metrics", "muc", "--fail-if-worse")
    assert result.exit_code == 3
    assert "muc: 88.25 → 77.63" in result.stderr
    assert "CEAFe" not in result.stdout


def test_a_response_is_scored_by_the_metrics_of_the_baseline(tmp_path: Path) -> None:
    path = str(tmp_path / "baseline.json")
    run(KEY, GOOD, "--save", path, "--metrics", "lea,conll", code=0)
    result = against(path, BAD, "--resamples", "100")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0].split() == ["F₁", "LEA", "CoNLL"]


OTHER = str(EXAMPLES / "many-c.conll")
THREE = ("compare", KEY, f"x={GOOD}", f"y={BAD}", f"z={OTHER}", "--resamples", "200")


def test_many_systems_are_compared_by_the_headline_metric() -> None:
    result = run(*THREE, code=0)
    assert result.stdout.splitlines()[0].split() == ["F₁", "CoNLL"]
    assert "Only CoNLL was tested." in result.stdout
    found = result_of(run(*THREE, "--output", "json", code=0).stdout)
    assert {row["metric"] for row in found["differences"]} == {"conll"}
    adjusted = holm([row["randomisation"] for row in found["differences"]])
    assert [row["adjusted"] for row in found["differences"]] == adjusted


def test_more_metrics_are_compared_on_request() -> None:
    result = run(*THREE, "--metrics", "muc,lea", code=0)
    assert result.stdout.splitlines()[0].split() == ["F₁", "MUC", "LEA"]
    assert "Only" not in result.stdout


@pytest.mark.usefixtures("files")
def test_an_unchanged_response_gets_no_warning() -> None:
    result = run("compare", *OLD.split(), "key.conll", "a.conll", code=0)
    assert "warning: " not in result.stderr


def test_the_differences_of_two_systems_are_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "differences.svg"
    options = ("--resamples", "50", "--plot", str(path))
    result = run("compare", KEY, f"ours={GOOD}", f"other={BAD}", *options)
    assert result.exit_code == 0, result.output
    assert "ours" in path.read_text("utf-8")
    assert "percentage points of F₁" in path.read_text("utf-8")


def test_a_better_result_on_folders_takes_the_place(tmp_path: Path) -> None:
    path = str(tmp_path / "b.json")
    folders = [tmp_path / name for name in ("key", "good", "bad")]
    for folder, file in zip(folders, (KEY, GOOD, BAD), strict=True):
        folder.mkdir()
        (folder / "x.conll").write_bytes(Path(file).read_bytes())
    key, good, bad = map(str, folders)
    run(key, bad, "--save", path, code=0)
    run("compare", "--baseline", path, key, good, "--update", code=0)
    found = run("compare", "--baseline", path, key, good)
    assert "86.38 → 86.38" in found.stderr
