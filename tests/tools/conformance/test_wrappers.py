"""The programs for other scorers: each computes the figures that the suite expects.

`benchmarks/conformance.py` runs the scorers that are not packages.
"""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, distribution

import pytest

from scoref.tools.conformance.scorers import run_suite
from scoref.tools.conformance.suite import load_questions
from support.paths import ROOT

PACKAGES = {
    "scikit-learn": ("sklearn", "clustering-split", "scikit-learn", "equal"),
    "scorch": ("scorch", "invented-mention", "common", "different"),
    "metric4coref": ("metric4coref", "missing-mention", "common", "different"),
    "bcubed": ("bcubed", "vilain-2", "common", "equal"),
    "coreference-eval": (
        *("coreference_eval", "all-singletons-response"),
        *("reference", "different"),
    ),
    "stanza": ("stanza", "vilain-2", "common", "equal"),
    "allennlp-models": (
        *("allennlp", "all-singletons-response"),
        *("reference", "different"),
    ),
}
"""For each package: its program, and what it does with a case under a convention."""


@pytest.mark.parametrize("package", PACKAGES)
def test_a_program_calls_the_scorer(package: str) -> None:
    try:
        distribution(package)
    except PackageNotFoundError:
        pytest.skip(f"{package} is not installed")
    name, case, convention, status = PACKAGES[package]
    program = ROOT / "examples" / "conformance" / f"{name}_scorer.py"
    outcomes = run_suite(
        [sys.executable, str(program)], load_questions(cases=[case]), 120
    )
    by_convention = {outcome.question.convention: outcome for outcome in outcomes}
    assert by_convention[convention].status == status
