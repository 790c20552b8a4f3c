"""Tables and badges of outcomes."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from scoref.render.report import Table
from scoref.tools.conformance.rendering import badge_of, conformance_report
from scoref.tools.conformance.scorers import Outcome
from scoref.tools.conformance.suite import load_questions

MUST, QUIRK = (
    load_questions(cases=[name])[0] for name in ("vilain-1", "duplicate-in-key")
)


def test_a_badge_is_green_if_all_is_equal_and_red_if_an_obvious_case_is_not() -> None:
    colours = {
        "#2e7d32": [Outcome(MUST, "equal"), Outcome(QUIRK, "equal")],
        "#8a6d00": [Outcome(MUST, "equal"), Outcome(QUIRK, "crashed")],
        "#b3261e": [Outcome(MUST, "timed out"), Outcome(QUIRK, "equal")],
    }
    for colour, outcomes in colours.items():
        badge = badge_of(outcomes)
        assert '<svg xmlns="http://www.w3.org/2000/svg" width="205"' in badge
        assert colour in badge
        equal = sum(outcome.status == "equal" for outcome in outcomes)
        assert f"{equal}/2" in badge


def test_a_table_counts_by_level_and_convention() -> None:
    outcomes = [Outcome(MUST, "equal"), Outcome(QUIRK, "crashed", "it exited")]
    parts = conformance_report(outcomes, ["x"]).parts()
    first, second, problems = (part for part in parts if isinstance(part, Table))
    assert [first.rows[0][:2], second.rows[0][:5]] == [
        ["common", "1"],
        ["reference", "", "", "", "1"],
    ]
    assert problems.rows == [["duplicate-in-key", "reference", "crashed", "it exited"]]


@pytest.mark.parametrize(("count", "others"), [(20, []), (21, ["1 other cases"])])
def test_cases_beyond_the_first_twenty_are_counted(
    count: int, others: list[str]
) -> None:
    outcomes = [Outcome(QUIRK, "crashed", "it exited")] * count
    parts = [*conformance_report(outcomes, ["x"]).parts()]
    *_, problems = (part for part in parts if isinstance(part, Table))
    assert len(problems.rows) == 20
    assert re.findall(r"\d+ other cases", "\n".join(map(str, parts))) == others


def test_a_wrong_case_is_shown_with_its_largest_difference() -> None:
    differences = (
        ("muc", "recall", Fraction(1), Fraction(9, 10)),
        ("muc", "f1", Fraction(1), Fraction(1, 2)),
    )
    outcome = Outcome(QUIRK, "different", "", differences)
    parts = conformance_report([outcome], ["x"]).parts()
    problems = [part for part in parts if isinstance(part, Table)][-1]
    assert problems.rows[0][-1] == (
        "muc f1: 0.5000 instead of 1; 1 other figure also differ"
    )
