"""`scoref.report`, and the names of systems and entities on its pages."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import scoref
from scoref.scoring.evaluate import read_pairs
from scoref.scoring.request import Request
from scoref.tools.errors.analysis import analyse
from scoref.tools.report.data import ReportChoice, report_of
from scoref.tools.report.page.contract import read_text
from scoref.tools.report.page.looks import looks_of
from support.commands import run
from support.paths import EXAMPLES

KEY, RESPONSE = (str(EXAMPLES / f"{side}.conll") for side in ("key", "response"))
MANY = [str(EXAMPLES / f"many-{side}.conll") for side in ("key", "a", "b")]


def system_names(*responses: str) -> list[str]:
    page = run("report", KEY, *responses, "--resamples", "20", "-o", "-").stdout
    data = re.search(r'id="report">(.*?)</script>', page)
    assert data is not None
    return [system["name"] for system in json.loads(data[1])["systems"]]


def test_systems_are_called_by_their_files_without_folders(tmp_path: Path) -> None:
    other = str(tmp_path / "other.conll")
    shutil.copy(RESPONSE, other)
    assert system_names(RESPONSE) == ["response.conll"]
    assert system_names(RESPONSE, other) == ["response.conll", "other.conll"]


def test_folders_stay_where_files_are_called_the_same(tmp_path: Path) -> None:
    other = str(tmp_path / "response.conll")
    shutil.copy(RESPONSE, other)
    assert system_names(RESPONSE, other) == [
        "examples/response.conll",
        f"{tmp_path.name}/response.conll",
    ]


@pytest.mark.parametrize("name", ["ours", "team/model"])
def test_a_name_that_was_given_stays(name: str) -> None:
    assert system_names(f"{name}={RESPONSE}") == [name]


@pytest.mark.parametrize(
    "names",
    [
        ("many-key.conll", "many-a.conll", "many-b.conll"),
        ("corefud-key.conllu", "corefud-response.conllu"),
        ("ua-key.ua", "ua-response.ua"),
    ],
)
def test_messages_call_entities_what_the_page_calls_them(
    names: tuple[str, ...],
) -> None:
    key, *responses = (EXAMPLES / name for name in names)
    pairs = read_pairs(key, responses, Request(with_tokens=True))
    analyses = {str(number): analyse(*pair) for number, pair in enumerate(pairs)}
    report, texts = report_of(analyses, ReportChoice(resamples=20))
    columns: Any = report["errors"]
    named = 0
    for place, system in enumerate(columns["systems"]):
        labels = [label for text in texts for label in error_labels(text, place)]
        for label, row in zip(labels, system["entity"], strict=True):
            if row >= 0:
                entity = re.match(r"entity (\S+)", columns["texts"][row])
                assert entity is not None
                assert entity[1] == label
                named += 1
    assert named > 0


def error_labels(text: object, system: int) -> list[str]:
    """Return the label of each error's entity on the page."""
    assert isinstance(text, dict)
    looks, _ = looks_of(read_text(text))
    return [
        looks.label[error["key_entity"]] for error in text["systems"][system]["errors"]
    ]


def test_python_writes_the_same_page(tmp_path: Path) -> None:
    names = {"ours": MANY[1], "base": MANY[2]}
    words = [f"{name}={path}" for name, path in names.items()]
    run("report", MANY[0], *words, "-o", tmp_path / "a.html", code=0)
    place = tmp_path / "b.html"
    assert scoref.report(MANY[0], names, place) == str(place)
    assert place.read_bytes() == (tmp_path / "a.html").read_bytes()


def test_python_takes_one_response_or_several(tmp_path: Path) -> None:
    place = tmp_path / "page.html"
    scoref.report(MANY[0], MANY[1], place, documents=["chat/*"])
    page = place.read_text(encoding="utf-8")
    assert 0 < page.count('id="text-') < 24
    scoref.report(Path(MANY[0]), [Path(MANY[1]), MANY[2]], place, metrics="lea")
    assert "many-b.conll" in place.read_text(encoding="utf-8")


def test_python_writes_folders_and_names_what_is_missing(tmp_path: Path) -> None:
    for folder, names in {"gold": ("a", "b"), "ours": ("a",)}.items():
        (tmp_path / folder).mkdir()
        for name in names:
            (tmp_path / folder / f"{name}.conll").write_bytes(Path(KEY).read_bytes())
    gold, ours, place = (tmp_path / name for name in ("gold", "ours", "page.html"))
    with pytest.raises(scoref.FormatError, match="1 file was skipped"):
        scoref.report(gold, ours, place)
    assert (tmp_path / "page-datasets" / "a.html").exists()
    with pytest.raises(scoref.OptionError, match="other keys cannot be used"):
        scoref.report(
            tmp_path / "gold", tmp_path / "ours", place, other_keys={"x": "y"}
        )


def test_python_refuses_a_place_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(scoref.FormatError, match="folder does not exist"):
        scoref.report(KEY, RESPONSE, tmp_path / "nowhere" / "page.html")
