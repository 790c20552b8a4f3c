"""A curve as a report: some points for people, all of them for programs."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.records.curve.report import (
    curve_report,
    plot_curve,
    shown_points,
    threshold_text,
)
from scoref.render import render

if TYPE_CHECKING:
    from scoref.records.curve.curve import Curve

KEY = {n: n // 3 for n in range(30)}
PAIRS = [(n, n + 1, 1 - n / 100) for n in range(29)]


@pytest.fixture(scope="module")
def curve() -> Curve:
    return scoref.curve(KEY, PAIRS)


@pytest.mark.parametrize(
    ("threshold", "text"), [(0.5, "0.5"), (math.inf, "∞"), (-math.inf, "−∞")]
)
def test_thresholds_are_written_for_people(threshold: float, text: str) -> None:
    assert threshold_text(threshold) == text


def test_the_best_points_are_among_those_shown(curve: Curve) -> None:
    places = shown_points(curve, 3)
    assert {0, len(curve.points) - 1} <= set(places)
    thresholds = {curve.points[place].threshold for place in places}
    assert {point.threshold for point in curve.best.values()} <= thresholds


def test_programs_get_every_point(curve: Curve) -> None:
    report = curve_report(curve, most=2)
    header, *rows = render(report, "csv").splitlines()
    assert header.startswith("threshold,until,clusters,")
    assert len(rows) == len(curve.points)
    (result,) = json.loads(render(report, "json"))["results"]
    assert len(result["points"]) == len(curve.points)
    assert result["points"][0]["threshold"] == "infinity"


def test_a_threshold_outside_of_the_scores_is_noted(curve: Curve) -> None:
    notes = curve_report(curve, [7.0]).notes
    assert "--at 7 is outside the range of the scores, 0.72 to 1" in notes[0]


def test_a_curve_is_drawn(
    curve: Curve, tmp_path_factory: pytest.TempPathFactory
) -> None:
    pytest.importorskip("matplotlib", reason="plots need matplotlib")
    path = tmp_path_factory.mktemp("plots") / "curve.svg"
    plot_curve(path, curve)
    text = path.read_text(encoding="utf-8")
    assert "by threshold" in text
    assert "F₁ in percent: " in text
    assert "; links in grey" in text


def test_a_curve_is_printed_with_two_decimals(curve: Curve) -> None:
    assert re.findall(r"50\.\d+", str(curve).splitlines()[1]) == ["50.00"]
