"""`scoref multiverse`: names of conventions, and natural but wrong calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scoref.errors import OptionError
from scoref.tools.compare.multiverse_command import (
    AXES,
    convention_label,
    parse_axes,
    values_of,
)
from support.commands import run
from support.wrong_files import write_wrong_files

if TYPE_CHECKING:
    from pathlib import Path

TWO = "key.conll a.conll b.conll"
ERRORS = {
    "no such file": ("key.conll no.conll a.conll", 1, "no.conll: cannot be read"),
    "half of the documents": (
        "key.conll a.conll half.conll",
        1,
        "is not in half.conll",
    ),
    "an error page": ("key.conll a.conll page.conll", 1, "this is a web page in HTML"),
    "one system": ("key.conll a.conll", 2, "at least two responses"),
    "one system that is not there": ("no.conll no.conll", 2, "two responses"),
    "a file twice": (
        "key.conll a.conll a.conll",
        2,
        "two systems have the same name, 'a.conll'",
    ),
    "a name twice": (
        "key.conll x=a.conll x=b.conll",
        2,
        "two systems have the same name, 'x'",
    ),
    "folders": (". . x=.", 2, "compare --multiverse needs files, not folders"),
    "a misspelt convention": (f"{TWO} --vary matc", 2, "Did you mean match?"),
    "a convention that is set": (
        f"{TWO} --vary singletons --singletons drop",
        2,
        "'singletons' cannot be varied, because --singletons sets it",
    ),
    "a misspelt metric": (f"{TWO} --metrics mucc", 2, "Did you mean muc?"),
    "a level of everything": (f"{TWO} --confidence 100", 2, "level 100 is not between"),
    "full power": (f"{TWO} --power 1", 2, "level 1 is not between 0 and 100 percent"),
    "one draw": (f"{TWO} --resamples 1", 2, "2<=x<=1000000"),
    "an option of compare": (
        f"{TWO} --significant",
        2,
        "unknown option '--significant'",
    ),
    "a plot as PDF": (f"{TWO} --plot x.pdf", 2, "cannot plot to 'x.pdf'"),
}
WARNINGS = {
    "an error rate as a level": (
        f"{TWO} --confidence 0.05",
        "The confidence level is 5",
    ),
    "a system and itself": (
        "key.conll x=a.conll y=a.conll",
        "x and y have the same counts in every document",
    ),
    "the key as a system": (
        "key.conll a.conll key.conll",
        "key.conll was given as the key and as the response",
    ),
    "a system without mentions": (
        "key.conll a.conll no-mentions.conll",
        "no-mentions.conll: The response has no mentions",
    ),
    "a system without links": (
        "key.conll a.conll gold-mentions.jsonl",
        "gold-mentions.jsonl: all 301 entities of the response are singletons",
    ),
    "exclusive ends": (
        "key.conll a.conll exclusive.jsonl",
        "exclusive.jsonl: Only 20 of 279 response mentions match the key",
    ),
    "zeros without zeros": (f"{TWO} --vary zeros", "Not varied: zeros"),
}


def test_conventions_have_the_names_of_options_and_signatures() -> None:
    assert parse_axes(None) == AXES
    assert parse_axes("lea, split-antecedents,match") == (
        *("match", "split_antecedents", "lea"),
    )
    assert convention_label("split_antecedents") == "split-antecedents"
    with pytest.raises(OptionError, match="unknown convention to vary 'reading'"):
        parse_axes("reading")


def test_a_value_that_refuses_files_is_not_tried() -> None:
    assert "error" not in values_of("duplicates")
    assert "first" in values_of("duplicates")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_wrong_files(tmp_path)


@pytest.mark.parametrize(
    ("call", "code", "message"), ERRORS.values(), ids=ERRORS.keys()
)
@pytest.mark.usefixtures("files")
def test_a_wrong_call_is_an_error(call: str, code: int, message: str) -> None:
    result = run("multiverse", *call.split(), code=code)
    assert message in " ".join(result.stderr.split())
    assert not result.stdout


@pytest.mark.parametrize(("call", "message"), WARNINGS.values(), ids=WARNINGS.keys())
@pytest.mark.usefixtures("files")
def test_a_doubtful_call_gets_a_warning(call: str, message: str) -> None:
    result = run("multiverse", *call.split(), "--resamples", "5", code=0)
    assert f"warning: {message}" in " ".join(result.stderr.split())
