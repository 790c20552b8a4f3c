"""Every result shows itself as the command of its name shows it."""

from __future__ import annotations

import json
import pickle
import re
import subprocess
import sys
from html import unescape
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pandas as pd
import polars as pl
import pytest
from click.testing import CliRunner

import scoref
from scoref import displayed
from scoref.cli import command
from scoref.errors import OptionError
from scoref.render.html import FIRST, LAST
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from scoref.displayed import Displayed

TINY = EXAMPLES / "key.conll", EXAMPLES / "response.conll"
KEY, OURS, THEIRS = (EXAMPLES / f"many-{name}.conll" for name in ("key", "a", "b"))
TABLE = EXAMPLES / "table-key.tsv", EXAMPLES / "table-response.tsv"
PEOPLE = {name: EXAMPLES / f"agree-{name}.conll" for name in ("ada", "ben", "eva")}
CURVE = EXAMPLES / "curve-key.csv", EXAMPLES / "curve-pairs.csv"
SAMPLE = EXAMPLES / "estimate-sample.csv", EXAMPLES / "estimate-predicted.csv"
GAP = EXAMPLES / "gap-key.tsv", EXAMPLES / "gap-response.tsv"
LLM = TINY[0], EXAMPLES / "llm-answers.jsonl"
NAMED = [f"{name}={path}" for name, path in PEOPLE.items()]


def compared() -> Displayed:
    return scoref.compare(
        {"ours": scoref.score(KEY, OURS), "theirs": scoref.score(KEY, THEIRS)},
        resamples=200,
    )


SHOWN: dict[str, tuple[Callable[[], Displayed], list[object]]] = {
    "score": (lambda: scoref.score(*TINY), [*TINY]),
    "slices": (
        lambda: scoref.score_slices(KEY, OURS, by="genre"),
        [KEY, OURS, "--by", "genre"],
    ),
    "errors": (lambda: scoref.find_errors(*TINY), ["errors", *TINY]),
    "compare": (
        compared,
        [
            *("compare", KEY, f"ours={OURS}", f"theirs={THEIRS}"),
            *("--resamples", 200),
        ],
    ),
    "table": (lambda: scoref.score_table(*map(str, TABLE)), ["table", *TABLE]),
    "agree": (lambda: scoref.agree(PEOPLE), ["agree", *NAMED]),
    "estimate": (
        lambda: scoref.estimate(*map(str, SAMPLE), weights="uniform"),
        ["estimate", *SAMPLE, "--weights", "uniform"],
    ),
    "curve": (lambda: scoref.curve(*map(str, CURVE)), ["curve", *CURVE]),
    "explain": (lambda: scoref.explain(*TINY), ["explain", *TINY]),
    "multiverse": (
        lambda: scoref.multiverse(KEY, {"ours": OURS, "theirs": THEIRS}),
        ["multiverse", KEY, f"ours={OURS}", f"theirs={THEIRS}"],
    ),
    "gap": (lambda: scoref.score_gap(*GAP), ["gap", *GAP]),
}


@pytest.fixture(params=SHOWN)
def pair(request: pytest.FixtureRequest) -> tuple[Displayed, list[str]]:
    make, words = SHOWN[request.param]
    return make(), [str(word) for word in words]


def run(*words: str) -> str:
    done = CliRunner().invoke(command, words, env={"COLUMNS": "80"})
    assert done.exit_code == 0, done.output
    return done.stdout


def plain(html: str) -> str:
    """Take the words out of a piece of HTML."""
    without = re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", without)).split())


def test_print_gives_what_the_command_prints(
    pair: tuple[Displayed, list[str]],
) -> None:
    found, words = pair
    assert str(found).startswith(run(*words).rstrip("\n"))


def test_a_dict_is_the_result_of_its_json(pair: tuple[Displayed, list[str]]) -> None:
    found, words = pair
    (result,) = json.loads(run(*words, "--output", "json"))["results"]
    assert found.to_dict() == result


def test_a_frame_has_the_rows_of_its_csv(pair: tuple[Displayed, list[str]]) -> None:
    found, words = pair
    lines = run(*words, "--output", "csv").splitlines()
    for frame in (found.to_frame("pandas"), found.to_frame("polars")):
        assert ",".join(frame.columns) == lines[0]
        assert len(frame) == len(lines) - 1


def test_a_notebook_shows_the_same_words(pair: tuple[Displayed, list[str]]) -> None:
    found, _ = pair
    html = found._repr_html_()
    assert "<table>" in html
    assert "<script" not in html
    without_signs = plain(html).replace("−", "-")
    for word in str(found).partition("\nscoref:")[0].split():
        assert word in without_signs or "|" in word


def test_what_python_shows_of_a_value_is_one_short_line(
    pair: tuple[Displayed, list[str]],
) -> None:
    found, _ = pair
    assert re.fullmatch(rf"<{type(found).__name__}: .{{1,80}}>", repr(found))


def test_folders_show_themselves(tmp_path: Path) -> None:
    for folder, files in {"gold": [0, 0], "ours": [1, 0]}.items():
        for number, which in enumerate(files):
            path = tmp_path / folder / f"{number}.conll"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(TINY[which].read_bytes())
    gold, ours = str(tmp_path / "gold"), str(tmp_path / "ours")
    found = scoref.score_folders(gold, [ours])
    assert repr(found) == "<DatasetResults: 1 system on 2 datasets>"
    assert found.to_dict() == json.loads(run(gold, ours, "--output", "json"))
    assert str(found).startswith(run(gold, ours).rstrip("\n"))
    assert "macro average" in plain(found._repr_html_())
    assert len(found.to_frame()) == 2 * 8


def test_intervals_show_themselves() -> None:
    found = scoref.confidence(scoref.score(KEY, OURS), resamples=50)
    assert repr(found) == "<Confidence: 95 % intervals over 24 documents>"
    assert "B³" in plain(found._repr_html_())
    assert found.to_dict()["intervals"]["muc"]["f1"] == list(
        found.intervals["muc"]["f1"]
    )
    assert list(found.to_frame().columns)[:4] == ["metric", "figure", "low", "high"]


def test_slices_are_a_dict_that_can_be_copied_and_pickled() -> None:
    found = scoref.score_slices(KEY, OURS, by="genre")
    assert isinstance(found, dict)
    again = pickle.loads(pickle.dumps(found))  # noqa: S301 - its own
    assert (again, again.by) == (found, "genre")


def test_long_tables_show_their_ends() -> None:
    documents = {str(number): [["a", "b"]] for number in range(100)}
    found = scoref.score_slices(documents, documents, by="document")
    html = found._repr_html_()
    assert html.count("<tr>") == 1 + FIRST + 1 + LAST
    assert f"… {100 - FIRST - LAST} more …" in plain(html)
    assert len(found.to_frame()) == 100 * 8


def test_names_are_text_in_notebooks() -> None:
    documents = {"<img src=x>\x1b[31m": [["a", "b"]]}
    html = scoref.score_slices(documents, documents, by="document")._repr_html_()
    assert r"&lt;img src=x&gt;\x1b[31m" in html
    assert "<img" not in html


def test_the_library_in_use_makes_the_frame() -> None:
    code = (
        "import polars, scoref\n"
        "print(type(scoref.score([['a', 'b']], [['a', 'b']]).to_frame()).__module__)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True
    )
    assert done.stdout.startswith("polars")
    result = scoref.score([["a", "b"]], [["a", "b"]])
    assert isinstance(result.to_frame("pandas"), pd.DataFrame)
    assert isinstance(result.to_frame("polars"), pl.DataFrame)
    with pytest.raises(OptionError, match=r"unknown library 'panda'.*pandas"):
        result.to_frame("panda")


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(displayed, "find_spec", lambda _: None)
    monkeypatch.setattr(displayed, "sys", SimpleNamespace(modules={}))
    result = scoref.score([["a", "b"]], [["a", "b"]])
    with pytest.raises(OptionError, match=r"needs pandas or polars: pip install"):
        result.to_frame()
