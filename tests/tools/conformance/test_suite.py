"""The cases: their form, and their figures against slow implementations."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import jsonschema
import pytest

from scoref.errors import OptionError
from scoref.tools.conformance.suite import (
    LEVELS,
    home,
    load_cases,
    load_questions,
    parse_figure,
)
from support import oracle_metrics
from support.conformance_figures import figures_of_case
from support.paths import ROOT

CASES: dict[str, Any] = {str(case["case"]): case for case in load_cases()}
SCHEMA = json.loads((home() / "schema.json").read_text(encoding="utf-8"))
RATIOS = {
    name: getattr(oracle_metrics, name)
    for name in ("mentions", "muc", "bcub", "ceafm", "ceafe")
} | {"lea": oracle_metrics.lea_self_links}
PARTITIONS = [
    name
    for name, case in CASES.items()
    if case["level"] in {"must", "conventions"}
    and "scikit-learn" not in case["expected"]
]


@pytest.mark.parametrize("name", CASES)
def test_a_case_follows_the_schema(name: str) -> None:
    validator = jsonschema.Draft202012Validator(
        {"$ref": "#/$defs/case", "$defs": SCHEMA["$defs"]}
    )
    assert [error.message for error in validator.iter_errors(CASES[name])] == []
    assert CASES[name]["purpose"].endswith(".")
    assert (ROOT / CASES[name]["page"]).is_file()


def test_requests_follow_the_schema() -> None:
    validator = jsonschema.Draft202012Validator(
        {"$ref": "#/$defs/request", "$defs": SCHEMA["$defs"]}
    )
    for question in load_questions():
        validator.validate(question.request)


def test_the_file_of_a_case_is_named_after_it_and_its_level() -> None:
    paths = (home() / "cases").glob("*/*.json")
    assert {(path.parent.name, path.stem) for path in paths} == {
        (case["level"], name) for name, case in CASES.items()
    }
    assert {case["level"] for case in CASES.values()} == {*LEVELS}


def test_conventions_are_described() -> None:
    suite = json.loads((home() / "suite.json").read_text(encoding="utf-8"))
    used = {name for case in CASES.values() for name in case["expected"]}
    assert used == suite["conventions"].keys()
    assert suite["levels"].keys() == LEVELS.keys()


@pytest.mark.parametrize("name", PARTITIONS)
def test_figures_equal_those_of_slow_implementations(name: str) -> None:
    case = CASES[name]
    sides = [
        oracle_metrics.sets_of(
            [1000 * start + end for start, end in entity] for entity in case[side]
        )
        for side in ("key", "response")
    ]
    compared = 0
    for convention, answer in case["expected"].items():
        if convention == "coval-no-singletons":
            used = [[entity for entity in side if len(entity) > 1] for side in sides]
        else:
            used = sides
        for metric, oracle in RATIOS.items():
            if metric not in answer["scores"]:
                continue
            above, below, right, of = oracle(*used)
            expected = answer["scores"][metric]
            assert parse_figure(expected["recall"]) == _ratio(above, below)
            assert parse_figure(expected["precision"]) == _ratio(right, of)
            compared += 1
    assert compared


def _ratio(above: Fraction, below: Fraction) -> Fraction:
    return above / below if below else Fraction(0)


@pytest.mark.parametrize("name", CASES)
def test_scoref_computes_the_figures_of_every_case(name: str) -> None:
    case = CASES[name]
    for convention, answer in case["expected"].items():
        assert figures_of_case(case, convention) == answer["scores"]


def test_an_unknown_case_is_refused_with_the_closest_name() -> None:
    with pytest.raises(OptionError, match="Did you mean empty-key"):
        load_questions(cases=["empty-keys"])


@pytest.mark.parametrize("figure", ["1/0", "x", None, True, float("nan"), [1]])
def test_what_is_not_a_number_is_refused(figure: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_figure(figure)
