"""What a report calls systems that were given no name, and entities."""

from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from scoref.scoring.evaluate import read_pairs
from scoref.scoring.request import Request
from scoref.tools.errors.analysis import analyse
from scoref.tools.report.command import command
from scoref.tools.report.data import ReportChoice, report_of
from scoref.tools.report.page.contract import read_text
from scoref.tools.report.page.looks import looks_of
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

KEY, RESPONSE = (str(EXAMPLES / f"{side}.conll") for side in ("key", "response"))


def called(*responses: str) -> list[str]:
    arguments = [KEY, *responses, "--resamples", "20", "-o", "-"]
    page = CliRunner().invoke(command, arguments).stdout
    found = re.search(r'id="report">(.*?)</script>', page)
    assert found is not None
    return [each["name"] for each in json.loads(found[1])["systems"]]


def test_systems_are_called_by_their_files_without_folders(tmp_path: Path) -> None:
    other = str(tmp_path / "other.conll")
    shutil.copy(RESPONSE, other)
    assert called(RESPONSE) == ["response.conll"]
    assert called(RESPONSE, other) == ["response.conll", "other.conll"]


def test_folders_stay_where_files_are_called_the_same(tmp_path: Path) -> None:
    other = str(tmp_path / "response.conll")
    shutil.copy(RESPONSE, other)
    assert called(RESPONSE, other) == [RESPONSE, other]


@pytest.mark.parametrize("name", ["ours", "team/model"])
def test_a_name_that_was_given_stays(name: str) -> None:
    assert called(f"{name}={RESPONSE}") == [name]


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
    found = {str(number): analyse(*pair) for number, pair in enumerate(pairs)}
    _, texts = report_of(found, ReportChoice(resamples=20))
    named = 0
    for text in map(read_errors, texts):
        for label, message in text:
            called = re.search(r" of entity (\S+)", message)
            named += called is not None
            assert called is None or called[1] == label
    assert named > 0


def read_errors(text: object) -> list[tuple[str, str]]:
    """Give the label of each error's entity on the page, and its message."""
    assert isinstance(text, dict)
    looks, _ = looks_of(read_text(text))
    return [
        (looks.label[error["key_entity"]], error["message"])
        for system in text["systems"]
        for error in system["errors"]
    ]
