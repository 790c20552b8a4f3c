"""An estimate as a report: figures, assumptions, notes, and the signature."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.records.estimate.report import estimate_report
from scoref.render import render

if TYPE_CHECKING:
    from scoref.records.estimate.estimate import Estimate

PREDICTED = {n: n // 3 for n in range(60)}
SAMPLE = {n: n // 4 for n in range(40)}


@pytest.fixture(scope="module")
def estimate() -> Estimate:
    return scoref.estimate(SAMPLE, PREDICTED)


def test_the_assumptions_are_written_below_the_figures(
    estimate: Estimate,
) -> None:
    lines = render(estimate_report(estimate)).splitlines()
    assert "Sample: 10 clusters of 40 records" in lines
    assert any(
        line.startswith("Assumed, not checked: labelled clusters are") for line in lines
    )
    assert "weights:uniform" in "".join(lines)


def test_csv_has_the_values_of_json(estimate: Estimate) -> None:
    report = estimate_report(estimate, 0.1)
    (result,) = json.loads(render(report, "json"))["results"]
    rows = list(csv.DictReader(io.StringIO(render(report, "csv"))))
    assert len(rows) == 3 * len(estimate.metrics)
    for row in rows:
        figure = result["estimates"][row["metric"]][row["figure"]]
        for name, value in figure.items():
            assert row[name] == ("" if value is None else str(value)), name


def test_a_plan_has_a_table(estimate: Estimate) -> None:
    text = render(estimate_report(estimate, 0.1))
    table = text.partition("Draws needed for intervals of 10 points")[2]
    planned = estimate.plan(0.1)["bcub"]
    counts = [planned[name] for name in ("recall", "precision", "f1")]
    cells = ["–" if count is None else f"{count:,}" for count in counts]
    assert ["B³", *cells] in [line.split() for line in table.splitlines()]


def test_doubtful_estimates_are_noted(estimate: Estimate) -> None:
    kinds = [note.kind for note in estimate.notes]
    assert "few-clusters" in kinds
    block = scoref.estimate(SAMPLE, PREDICTED, block=True)
    assert [note.kind for note in block.notes] == ["block"]
    assert block.signature.endswith("interval:none")
