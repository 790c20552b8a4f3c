"""Signatures: every choice shows, and every field is explained."""

from __future__ import annotations

import dataclasses
from itertools import product
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref import SCHEMES, __version__
from scoref.cli import command
from scoref.render import render
from scoref.render.signature import fields, fields_report
from scoref.scheme import CONVENTIONS, Scheme, choices
from scoref.scoring.datasets import score_folders
from scoref.statistics.compare import compare
from scoref.statistics.confidence import confidence
from support.paths import EXAMPLES
from support.results_from_counts import counted, made_up

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.statistics.compare import Comparison
    from scoref.statistics.confidence import Confidence

FORMATS = ("conll-2012", "json-lines", "corefud", "universal-anaphora", "entities")
ANAPHORS = ("zeros", "pronouns", "all", "upos:NOUN", "upos:NOUN,PROPN", "distance:1-3")
FIELDS = [name for name, each in CONVENTIONS.items() if not each.within]
ROWS = made_up(5, 1), made_up(5, 2)


def values_of(name: str) -> list[str | None]:
    """List what a choice may be; None where a format has no use for it."""
    known: list[str | None] = [*(choices(name) or ANAPHORS)]
    default = getattr(Scheme(), name)
    return known if default in known else [default, *known]


def schemes() -> st.SearchStrategy[Scheme]:
    given_by_name = {name: st.sampled_from(values_of(name)) for name in FIELDS}
    return st.builds(Scheme, **given_by_name)


@pytest.mark.parametrize("name", FIELDS)
@given(scheme=schemes())
def test_every_choice_has_signatures_of_its_own(name: str, scheme: Scheme) -> None:
    found = {
        dataclasses.replace(scheme, **{name: value}).signature("corefud")  # type: ignore[arg-type] # values of the choice
        for value in values_of(name)
    }
    assert len(found) == len(values_of(name)) > 1


@given(one=schemes(), other=schemes())
def test_signatures_are_equal_if_schemes_are(one: Scheme, other: Scheme) -> None:
    signatures = one.signature("corefud"), other.signature("corefud")
    assert (signatures[0] == signatures[1]) == (one == other)
    assert one.signature("corefud") == dataclasses.replace(one).signature("corefud")


def test_the_format_and_the_version_are_in_it() -> None:
    found = {Scheme().signature(name) for name in FORMATS}
    assert len(found) == len(FORMATS)
    assert all(each.startswith(f"scoref:{__version__}|format:") for each in found)


CONFIDENCE = confidence(counted(muc=ROWS[0]), resamples=10)
COMPARISON = compare({"a": counted(muc=ROWS[0]), "b": counted(muc=ROWS[1])})


@pytest.mark.parametrize(
    "change",
    [
        {"level": 90},
        {"level": 95.5},
        {"level": 95.00001},
        {"method": "percentile"},
        {"resamples": 11},
        {"seed": 1},
        {"unit": "entities"},
    ],
    ids=str,
)
def test_every_choice_of_intervals_shows(change: dict[str, float | str]) -> None:
    changed: Confidence = dataclasses.replace(CONFIDENCE, **change)  # type: ignore[arg-type] # names of fields
    assert changed.signature != CONFIDENCE.signature


@pytest.mark.parametrize(
    "change",
    [
        {"level": 90},
        {"level": 95.00001},
        {"method": "percentile"},
        {"resamples": 11},
        {"seed": 1},
        {"is_exact": False},
    ],
    ids=str,
)
def test_every_choice_of_comparisons_shows(change: dict[str, float | str]) -> None:
    changed: Comparison = dataclasses.replace(COMPARISON, **change)  # type: ignore[arg-type] # names of fields
    assert changed.signature != COMPARISON.signature


def test_averaging_over_datasets_shows() -> None:
    systems = {
        name: {"x": counted(muc=rows)} for name, rows in zip("ab", ROWS, strict=True)
    }
    assert compare(systems).signature != COMPARISON.signature


def test_a_level_below_100_is_not_written_as_100() -> None:
    found = dataclasses.replace(CONFIDENCE, level=99.99999)
    assert "confidence:100|" not in found.signature


def test_equal_choices_have_equal_signatures() -> None:
    again = confidence(counted(muc=ROWS[1]), resamples=10)
    assert again.signature == CONFIDENCE.signature


@pytest.mark.parametrize("by", ["genre", "genre:x", "document", "entity-size"])
def test_slices_say_what_they_were_sorted_by(by: str) -> None:
    files = EXAMPLES / "key.conll", EXAMPLES / "response.conll"
    (signature,) = {each.signature for each in scoref.score_slices(*files, by).values()}
    assert signature == f"{scoref.score(*files).signature}|by:{by}"


def all_signatures(folder: Path) -> list[str]:
    (folder / "x.conll").write_bytes((EXAMPLES / "key.conll").read_bytes())
    folders = score_folders(folder, [folder], jobs=1)
    files = EXAMPLES / "key.conll", EXAMPLES / "response.conll"
    slices = scoref.score_slices(*files, "genre")
    every_field = Scheme(
        zeros="drop",
        split_antecedents="drop",
        evaluate="identity",
        phrases="np",
        nested="drop",
        alignment="official",
        anaphors="all",
    )
    return [
        *(each.signature(name) for each, name in product(SCHEMES.values(), FORMATS)),
        every_field.signature("corefud"),
        CONFIDENCE.signature,
        COMPARISON.signature,
        folders.signature(folders.columns[0]),
        *(each.signature for each in slices.values()),
        scoref.score(*files, window=3).signature,
    ]


def test_every_field_that_a_signature_has_is_explained(tmp_path: Path) -> None:
    found = {
        field.partition(":")[0]
        for signature in all_signatures(tmp_path)
        for field in signature.split("|")
    }
    explained = fields().keys()
    assert found <= explained
    assert {name.replace("_", "-") for name in FIELDS} <= explained


def test_every_value_of_a_choice_is_listed() -> None:
    lines = fields()
    for name in FIELDS:
        assert all(value in lines[name.replace("_", "-")] for value in choices(name))


def test_the_command_explains_its_signature_without_files() -> None:
    result = CliRunner().invoke(command, ["--signature-help"])
    assert result.exit_code == 0
    assert result.stdout == f"{render(fields_report())}\n"
    assert CliRunner().invoke(command, ["k", "r", "--signature-help"]).exit_code == 0
