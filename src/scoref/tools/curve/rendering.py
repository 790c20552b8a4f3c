"""A curve as a report: some points for people, all of them for programs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from scoref.figures import figure, percent
from scoref.metrics import METRICS, metrics_of, usual
from scoref.render.report import Cell, Remarks, Report, Rows, Signatures, Table, columns
from scoref.render.scores import ScoreView, by_metric, score_object
from scoref.statistics.additive import FIGURES
from scoref.tools.curve.curves import LINKS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoref.metrics.base import Score
    from scoref.render.report import Part
    from scoref.tools.curve.curves import Curve, Point

_LINKS_LABEL = "Links"


def label_of(name: str) -> str:
    """Name a metric as people know it."""
    return _LINKS_LABEL if name == LINKS else METRICS[name].label


def curve_report(
    found: Curve,
    best: str,
    thresholds: Sequence[float] = (),
    most: int = 20,
    precision: int = 2,
) -> Report:
    """Report a curve; at single thresholds there are metrics that have none."""
    return Report(
        name="curve",
        parts=lambda: _parts(found, best, thresholds, most, precision),
        objects=lambda: [_object(found, best, thresholds)],
        rows=lambda: _rows(found),
        notes=[note.message for note in found.notes],
    )


def whole_report(found: Curve) -> Report:
    """Report a curve by the metric that was asked for."""
    return curve_report(found, found.best_by)


def _parts(
    found: Curve, best: str, thresholds: Sequence[float], most: int, precision: int
) -> Iterator[Part]:
    yield _table(found, best, most, precision)
    yield Remarks([_best_line(found, best, precision), *_columns(found)])
    for threshold in thresholds or [found.best[best].threshold]:
        result = found.result(threshold, usual("tables"))
        title = f"At {written(found.at(threshold).threshold)}"
        for place, table in enumerate(
            by_metric(result, ScoreView(precision=precision))
        ):
            yield table if place else table._replace(title=title)
    yield Signatures([found.signature])


def _table(found: Curve, best: str, most: int, precision: int) -> Table:
    names = found.metrics
    bests = {name: found.best[name].threshold for name in names}
    rows: list[list[str | Cell]] = []
    for place in places_shown(found, most):
        point = found.points[place]
        cells = [
            Cell(
                _written(name, point.scores[name], precision),
                is_best=point.threshold == bests[name],
                mark="*" if name == best and point.threshold == bests[name] else "",
            )
            for name in names
        ]
        rows.append([written(point.threshold), f"{point.clusters:,}", *cells])
    head = columns("Threshold", "Clusters", *map(label_of, names))
    return Table(head, rows)


def _written(name: str, score: Score, precision: int) -> str:
    if name == LINKS:
        return percent(score.f1, precision, is_defined=score.is_defined)
    return figure(name, score.f1, precision, is_defined=score.is_defined)


def places_shown(found: Curve, most: int) -> list[int]:
    """Choose points evenly by their rank, and always the best ones."""
    count = len(found.points)
    even = np.linspace(0, count - 1, min(most, count)).round().astype(int).tolist()
    best = [found.points.place_of(each.threshold) for each in found.best.values()]
    return sorted({*even, *best})


def written(threshold: float) -> str:
    """Write a threshold for people.

    >>> written(0.123456789), written(float("inf"))
    ('0.123457', '∞')
    """
    if math.isinf(threshold):
        return "∞" if threshold > 0 else "−∞"
    return f"{threshold:.6g}"


def _best_line(found: Curve, best: str, precision: int) -> str:
    point, interval = found.best[best], found.intervals[best]
    score = _written(best, point.scores[best], precision)
    if interval is not None:
        low, high = (percent(bound, precision) for bound in interval)
        score = f"{score} [{low}, {high}]"
    side = "below" if found.points.sign < 0 else "above"
    end = found.best_until(best)
    until = "" if math.isinf(end) else f", or any {side} {written(end)}"
    return (
        f"* Best by {label_of(best)}: {written(point.threshold)}{until}, with F1 "
        f"{score}; {point.clusters:,} clusters, {found.key_clusters:,} in the key"
    )


def _columns(found: Curve) -> list[str]:
    used = [f"{use} '{name}'" for use, name in found.columns.items()]
    return [f"Columns: {', '.join(used)}"] if used else []


def _rows(found: Curve) -> Rows:
    head = ["threshold", "until", "clusters"]
    names = [f"{name}_{each}" for name in found.metrics for each in FIGURES]
    return Rows([*head, *names], (_row(point) for point in found.points))


def _row(point: Point) -> list[object]:
    figures = [value for score in point.scores.values() for value in score[:3]]
    return [point.threshold, point.until, point.clusters, *figures]


def _object(found: Curve, best: str, thresholds: Sequence[float]) -> dict[str, object]:
    return {
        "signature": found.signature,
        "key_clusters": found.key_clusters,
        "best_by": best,
        "best": {
            name: {
                **_point(point),
                "interval": found.intervals[name],
            }
            for name, point in found.best.items()
        },
        "at": [
            {
                "threshold": _number(threshold),
                "scores": _scores_at(found, threshold),
            }
            for threshold in thresholds or [found.best[best].threshold]
        ],
        "points": [_point(point) for point in found.points],
        "columns": found.columns,
    }


def _scores_at(found: Curve, threshold: float) -> dict[str, object]:
    result = found.result(threshold)
    known = metrics_of(result.scheme)
    return {
        name: score_object(score, known.get(name))
        for name, score in result.scores.items()
    }


def _number(threshold: float) -> float | str:
    """Write a threshold for programs: JSON has no word for what is infinite."""
    if math.isinf(threshold):
        return "infinity" if threshold > 0 else "-infinity"
    return threshold


def _point(point: Point) -> dict[str, object]:
    return {
        "threshold": _number(point.threshold),
        "until": _number(point.until),
        "clusters": point.clusters,
        "scores": {
            name: dict(zip(FIGURES, score[:3], strict=True))
            for name, score in point.scores.items()
        },
    }
