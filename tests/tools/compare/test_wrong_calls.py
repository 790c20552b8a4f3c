"""Natural but wrong ways to call `scoref compare`: each gets an error or a warning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

import scoref
from scoref.tools.compare.command import command
from support.wrong_files import write_wrong_files

if TYPE_CHECKING:
    from pathlib import Path

OLD = "--baseline old.json"
BAD_FILES = {
    "half of the documents": ("key.conll a.conll half.conll", "is not in half.conll"),
    "no such file": (
        "key.conll nowhere.conll b.conll",
        "nowhere.conll: cannot be read",
    ),
    "a saved result as a system": (
        "key.conll old.json b.conll",
        "old.json: the fields are",
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
    "one system": ("key.conll a.conll", "two systems at least"),
    "no key": ("a.conll b.conll", "two systems at least"),
    "a file twice": ("key.conll a.conll a.conll", "two systems are called 'a.conll'"),
    "a name twice": ("key.conll x=a.conll x=b.conll", "two systems are called 'x'"),
    "a misspelt metric": ("key.conll a.conll b.conll --metrics conl", "mean 'conll'?"),
    "no draws": ("key.conll a.conll b.conll --resamples 0", "1<=x<=1000000"),
    "a gate without a baseline": (
        "key.conll a.conll b.conll --fail-if-worse 1",
        "there is no --baseline to be worse than",
    ),
    "a metric without a baseline": (
        "key.conll a.conll b.conll --metric muc",
        "there is no --baseline to be worse than",
    ),
    "significance without a baseline": (
        "key.conll a.conll b.conll --significant",
        "there is no --baseline to be worse than",
    ),
    "a baseline for two": (f"{OLD} key.conll a.conll b.conll", "is for one file"),
    "a baseline without a response": (f"{OLD} key.conll", "Missing argument"),
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
    "a baseline of other metrics": (
        f"{OLD} key.conll b.conll --metrics muc",
        "metrics is",
    ),
    "a metric that was not scored": (
        f"{OLD} key.conll b.conll --fail-if-worse --metric leaa",
        "'leaa' was not compared",
    ),
    "a negative threshold": (f"{OLD} key.conll b.conll --fail-if-worse -1", "x>=0"),
    "a plot as PDF": ("key.conll a.conll b.conll --plot x.pdf", "not to 'x.pdf'"),
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
    "the wrong order": ("a.conll key.conll b.conll", "as the response: swapped?"),
    "a system without mentions": (
        "key.conll a.conll no-mentions.conll",
        "warning: no-mentions.conll: the response has no mention at all",
    ),
    "a system without links": (
        "key.conll a.conll gold-mentions.jsonl",
        "warning: gold-mentions.jsonl: all 301 entities",
    ),
    "a system with one entity": (
        "key.conll a.conll one-entity.conll",
        "warning: one-entity.conll: the response has one entity",
    ),
    "exclusive ends": ("key.conll a.conll exclusive.jsonl", "are ends exclusive"),
    "different documents, leniently": (
        "key.conll half.conll other-half.conll --lenient",
        "12 documents in the key only, empty in the response",
    ),
    "one document": (
        "one-key.conll one-a.conll one-b.conll",
        "1 document is too few for intervals",
    ),
    "few draws": (
        "key.conll a.conll b.conll --resamples 5",
        "160 swaps were tried, not 5",
    ),
}


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_a_wrong_call_is_an_error(call: str, message: str, code: int) -> None:
    done = CliRunner().invoke(command, call.split())
    assert done.exit_code == code, done.output
    assert message in " ".join(done.stderr.split())
    assert not done.stdout


@pytest.mark.parametrize(("call", "message"), REMARKS.values(), ids=REMARKS.keys())
def test_a_doubtful_call_gets_a_remark(call: str, message: str) -> None:
    draws = [] if "--resamples" in call else ["--resamples", "200"]
    done = CliRunner().invoke(command, [*call.split(), *draws])
    assert done.exit_code == 0, done.output
    assert message in " ".join(done.stderr.split())


def test_an_unchanged_response_gets_no_warning() -> None:
    done = CliRunner().invoke(command, [*OLD.split(), "key.conll", "a.conll"])
    assert done.exit_code == 0
    assert "warning: " not in done.stderr
