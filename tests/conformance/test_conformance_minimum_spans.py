"""Coval's figures with minimum spans, noun phrases and without nested mentions."""

from __future__ import annotations

import json

import pytest

import scoref
from support.golden import GOLDEN, cases

FOLDER = GOLDEN / "minimum-spans"
CHOICES = {
    "min": {"match": "min"},
    "np": {"phrases": "np"},
    "nested": {"nested": "drop"},
    "no-singletons": {"singletons": "drop"},
}
Expected = dict[str, dict[str, list[float] | float]]


@pytest.mark.parametrize("case", cases("minimum-spans", "conll"))
def test_made_up_parses_get_the_figures_of_coval(case: str) -> None:
    expected: Expected = json.loads((FOLDER / "expected.json").read_text())[case]
    paths = FOLDER / f"{case}.key.conll", FOLDER / f"{case}.response.conll"
    for names, figures in expected.items():
        options = [CHOICES[name] for name in names.split("|")]
        choices = {name: value for each in options for name, value in each.items()}
        scores = scoref.score(*paths, **choices).scores  # type: ignore[arg-type]
        found = {
            name: scores[name].f1 if name == "conll" else [*scores[name][:3]]
            for name in figures
        }
        for name, figure in figures.items():
            assert found[name] == pytest.approx(figure, abs=1e-9), (names, name)
