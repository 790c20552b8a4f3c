"""The conformance case of each cause shows this cause."""

from __future__ import annotations

import json
import warnings

import pytest

import scoref
from scoref.tools.conformance.suite import case_texts
from scoref.tools.explain import conventions
from support.conformance_figures import sides_of_case

PRACTICES = {
    f"{practice.name}-{practice.case}": practice
    for group in (
        *(conventions.DUPLICATES, conventions.SPANS),
        *(conventions.COREFUD, conventions.UNIVERSAL_ANAPHORA),
    )
    for practice in group
    if practice.case
}


@pytest.mark.parametrize("practice", PRACTICES.values(), ids=[*PRACTICES])
def test_the_case_of_a_convention_shows_its_cause(
    practice: conventions.Practice,
) -> None:
    assert practice.case is not None
    case = json.loads(case_texts()[practice.case])
    files = case.get("files")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        explanation = scoref.explain(
            *sides_of_case(case), format=files["format"] if files else None
        )
    phrases = {
        phrase
        for row in explanation.rows
        for causes in row.causes.values()
        for phrase in causes
    }
    assert phrases & {*practice.causes.values()}
