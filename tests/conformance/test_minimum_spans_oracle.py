"""Minimum spans against a slow and obvious model of coval, on made-up parses."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.metrics.base import figures_of
from support.oracle_minimum_spans import figures
from support.random_parses import draw_pair

if TYPE_CHECKING:
    from pathlib import Path

METRICS = ("mentions", "muc", "bcub", "ceafe", "lea")
CHOICES = {
    "min": {"match": "min"},
    "np": {"phrases": "np"},
    "nested": {"nested": "drop"},
    "no-singletons": {"singletons": "drop"},
}
SETS = [
    {name for name, is_there in zip(CHOICES, each, strict=True) if is_there}
    for each in product((False, True), repeat=len(CHOICES))
    if any(each[:3])
]


@pytest.mark.parametrize("seed", range(25))
def test_figures_are_those_of_a_step_by_step_model(seed: int, tmp_path: Path) -> None:
    texts = draw_pair(Random(seed))  # noqa: S311 - no secret
    paths = tmp_path / "key.conll", tmp_path / "response.conll"
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    for options in SETS:
        choices = {
            name: value for each in options for name, value in CHOICES[each].items()
        }
        scores = scoref.score(*paths, metrics=METRICS, **choices).scores  # type: ignore[arg-type]
        found = {name: figures_of(scores[name])[:2] for name in METRICS}
        expected = figures(*texts, options)
        assert found == {name: pytest.approx(expected[name]) for name in METRICS}, (
            options
        )
