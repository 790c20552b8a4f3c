"""A run reads, detects, resolves, pairs and computes everything once, in this order."""

from __future__ import annotations

import gc
import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref import cli, fingerprint
from scoref.formats import input_files, reading
from scoref.matching import documents
from scoref.metrics import base, muc
from scoref.scoring import request
from support.commands import run
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

SOURCE = os.path.dirname(scoref.__file__)
FORMULA = (muc.__file__, "_recall")
MOST_CALLS = 9  # from `main` to the formula

PAIR = ["key.conll", "response.conll"]
MANY = ["many-key.conll", "many-a.conll", "many-b.conll"]
RUNS = {
    "score": PAIR,
    "score-many": ["score", *MANY],
    "score-corefud": ["corefud-key.conllu", "corefud-response.conllu"],
    "score-ua": ["ua-key.ua", "ua-response.ua"],
    "per-document": [*PAIR, "--per-document"],
    "slices": [*PAIR, "--by", "entity-size"],
    "windows": [*PAIR, "--window", "10", "--per-document"],
    "fingerprint": [*PAIR, "--fingerprint"],
    "compare": ["compare", *MANY],
    "errors": ["errors", *PAIR],
    "report": ["report", *PAIR, "-o", "-"],
    "explain": ["explain", "explain-key.conll", "explain-response.conll"],
    "check": ["check", *PAIR],
    "stats": ["stats", "key.conll", "response.conll"],
    "agree": ["agree", "agree-ada.conll", "agree-ben.conll", "agree-eva.conll"],
    "data": ["data", "key.conll"],
}
SCORED = ("score", "score-many", "per-document", "compare", "errors", "report")

_opened: Counter[str] | None = None


def _count_open(event: str, arguments: tuple[object, ...]) -> None:
    if _opened is not None and event == "open" and isinstance(arguments[0], str | Path):
        _opened[os.path.abspath(arguments[0])] += 1


sys.addaudithook(_count_open)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count how often each file is opened."""
    counter: Counter[str] = Counter()
    monkeypatch.setattr(sys.modules[__name__], "_opened", counter)
    return counter


def arguments_of(name: str) -> list[str]:
    return [
        str(EXAMPLES / word) if (EXAMPLES / word).is_file() else word
        for word in RUNS[name]
    ]


def files_of(name: str) -> list[str]:
    return [word for word in arguments_of(name) if os.path.isfile(word)]


def count_calls(
    monkeypatch: pytest.MonkeyPatch, module: object, function: str
) -> list[tuple[object, ...]]:
    """List the arguments of all calls of a function of a module."""
    original: Callable[..., object] = getattr(module, function)
    calls: list[tuple[object, ...]] = []

    def counted(*positional: object, **named: object) -> object:
        calls.append(positional)
        return original(*positional, **named)

    monkeypatch.setattr(module, function, counted)
    return calls


@pytest.mark.parametrize("name", RUNS)
def test_each_file_is_opened_once(name: str, opened: Counter[str]) -> None:
    run(*arguments_of(name), code=0)
    files = files_of(name)
    assert files
    assert [opened[file] for file in files] == [1] * len(files)


def test_words_that_differ_need_no_second_look(
    tmp_path: Path, opened: Counter[str]
) -> None:
    key, response = tmp_path / "key.jsonl", tmp_path / "response.jsonl"
    entities = {"doc_key": "d", "clusters": [[[0, 0], [2, 2]]]}
    key.write_text(json.dumps({**entities, "tokens": ["a", "bc", "d"]}))
    response.write_text(json.dumps({**entities, "tokens": ["a", "b", "c", "d"]}))
    opened.clear()
    assert "words:characters" in run(key, response, code=0).stdout
    assert (opened[str(key)], opened[str(response)]) == (1, 1)


def test_a_file_with_both_sides_is_opened_once(
    tmp_path: Path, opened: Counter[str]
) -> None:
    both = tmp_path / "both.jsonl"
    entities = [[[0, 0], [1, 1]]]
    sides = {"clusters": entities, "predicted_clusters": entities}
    both.write_text(json.dumps({"doc_key": "d", **sides}))
    opened.clear()
    run(both, code=0)
    assert opened[str(both)] == 1


@pytest.mark.parametrize("command", [[], ["errors"], ["compare"], ["check"]])
def test_standard_input_is_read_once(
    command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = count_calls(monkeypatch, input_files, "_read_standard_input")
    responses = [EXAMPLES / name for name in MANY[1:]]
    key = (EXAMPLES / MANY[0]).read_bytes()
    run(*command, "-", *responses, stdin=key, code=0)
    assert len(calls) == 1


@pytest.mark.parametrize("name", RUNS)
def test_each_format_is_detected_once(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = count_calls(monkeypatch, reading, "detect_format")
    run(*arguments_of(name), code=0)
    assert len(calls) == len(files_of(name))


@pytest.mark.parametrize("name", SCORED)
def test_a_scheme_is_resolved_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = count_calls(monkeypatch, request, "resolve")
    run(*arguments_of(name), code=0)
    assert len(calls) == 1


@pytest.mark.parametrize("name", SCORED)
def test_documents_are_paired_once(name: str) -> None:
    documents.pair_names.cache_clear()
    run(*arguments_of(name), code=0)
    assert 1 <= documents.pair_names.cache_info().misses < len(files_of(name))


@pytest.mark.parametrize("name", ["check", "stats", "fingerprint", "data"])
def test_a_fingerprint_is_computed_once(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = count_calls(monkeypatch, fingerprint, "_digest")
    run(*arguments_of(name), code=0)
    assert 0 < len(calls) <= 3 * len(files_of(name))  # annotation, text and key


@pytest.mark.parametrize("output", ["text", "json", "csv", "markdown", "latex"])
@pytest.mark.parametrize(
    "name", ["score", "score-many", "per-document", "slices", "windows"]
)
def test_a_report_computes_no_score(
    name: str, output: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from scoref.cli import score  # replaced below

    calls = count_calls(monkeypatch, base.Metric, "as_score")
    counts = []
    original: Callable[..., None] = vars(score)["print_report"]

    def print_report(*arguments: object) -> None:
        before = len(calls)
        original(*arguments)
        counts.append((before, len(calls) - before))

    monkeypatch.setattr(score, "print_report", print_report)
    run(*arguments_of(name), "--output", output, code=0)
    assert len(counts) == 1
    assert counts[0][0] > 0
    assert counts[0][1] == 0


def test_a_formula_is_few_calls_below_main(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stacks: list[list[str]] = []

    def watch(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and (code.co_filename, code.co_name) == FORMULA:
            stack: list[str] = []
            caller: FrameType | None = frame
            while caller is not None:
                if caller.f_code.co_filename.startswith(SOURCE):
                    stack.append(caller.f_code.co_qualname)
                caller = caller.f_back
            stacks.append(stack[::-1])

    monkeypatch.setattr(sys, "argv", ["scoref", *arguments_of("score")])
    sys.setprofile(watch)
    try:
        with pytest.raises(SystemExit) as left:
            cli.main()
    finally:
        sys.setprofile(None)
        gc.enable()  # a command does without
    assert left.value.code == 0
    assert capsys.readouterr().out
    assert stacks[0][0] == "main"
    assert len(stacks[0]) <= MOST_CALLS, " > ".join(stacks[0])
