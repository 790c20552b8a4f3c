"""Keys that the official scorers read have no errors; only where they are at hand."""

from __future__ import annotations

import pytest

from scoref.tools.check.check import check
from support.paths import ROOT

SHARED = ROOT.parent / "shared"
KEYS = sorted([*SHARED.glob("golden/*/*.key.*"), *SHARED.glob("real/*.key.*")])


@pytest.mark.skipif(not KEYS, reason="the shared files are not here")
def test_keys_that_official_scorers_read_have_no_errors() -> None:
    found = [problem for path in KEYS for problem in check(path)]
    assert [problem for problem in found if problem.severity == "error"] == []


@pytest.mark.skipif(not KEYS, reason="the shared files are not here")
def test_keys_and_responses_of_official_scorers_belong_together() -> None:
    found = [
        problem
        for path in KEYS
        for problem in check(path, str(path).replace(".key.", ".response."))
    ]
    assert [problem for problem in found if problem.severity == "error"] == []
