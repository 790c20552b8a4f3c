"""A curve as a report and as a plot.

The report shows some of the points to people and gives all of them to programs. The
plot shows F1 by threshold, precision by recall, and the number of clusters.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from scoref.figures import figure, percent
from scoref.metrics import METRICS, metrics_of, usual
from scoref.notes import WARNING
from scoref.records.curve.curve import LINKS
from scoref.render.plots import (
    BLUE,
    GREY,
    VERMILION,
    Captions,
    canvases,
    check_plot,
    finish,
    render_figure,
    settings,
)
from scoref.render.report import Cell, Remarks, Report, Rows, Signatures, Table, columns
from scoref.render.scores import ScoreView, by_metric, score_object
from scoref.statistics.additive import FIGURES
from scoref.writing import write_whole

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes

    from scoref.metrics.base import Floats, Score
    from scoref.model import Ints
    from scoref.records.curve.curve import Curve, Point
    from scoref.render.report import Part


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
        notes=[
            *_beyond_scores(found, thresholds),
            *(note.message for note in found.notes),
        ],
    )


def _beyond_scores(found: Curve, thresholds: Sequence[float]) -> Iterator[str]:
    """Warn of thresholds that no pair reaches, or that lie far below all scores."""
    scores = found.points.thresholds[1:]
    if not len(scores):
        return
    low, high = sorted(found.points.sign * float(scores[end]) for end in (0, -1))
    for threshold in thresholds:
        if not low <= threshold <= high and not math.isinf(threshold):
            yield (
                f"{WARNING}--at {written(threshold)} is outside of the scores, which "
                f"go from {written(low)} to {written(high)}"
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


_HEIGHT = 2.2

_MOST = 1000  # points that are drawn

_GREEN = "#009E73"  # as the other two, of Okabe and Ito


def plot_curve(path: str | os.PathLike[str], found: Curve, best: str) -> None:
    """Draw a curve by the metric that the best threshold goes by.

    Args:
        path: where to write; its suffix says what: ``.svg``, ``.png`` or ``.html``.
        found: of `scoref.curve`.
        best: one of its metrics.
    """
    kind = check_plot(path)
    count = len(found.points)
    rows = np.unique(np.linspace(0, count - 1, min(count, _MOST)).round().astype(int))
    rows = np.union1d(rows, [found.points.place_of(found.best[best].threshold)])
    with settings():
        figure, axes = canvases(_HEIGHT, 3)
        _draw_scores(axes[0], found, best, rows)
        _draw_trade(axes[1], found, best, rows)
        _draw_clusters(axes[2], found, best, rows)
        words = _words(found, best)
        finish(axes[0], words, "threshold")
        data = render_figure(figure, kind, words, [])
    write_whole(path, data)


def _finite(found: Curve, rows: Ints) -> tuple[Ints, Floats]:
    """Give the rows whose thresholds have a place on an axis."""
    threshold = found.points.sign * found.points.thresholds[rows]
    kept = np.isfinite(threshold)
    return rows[kept], threshold[kept]


def _draw_scores(axes: Axes, found: Curve, best: str, rows: Ints) -> None:
    """Draw F1 by threshold, of the clusters and of the links that made them."""
    rows, threshold = _finite(found, rows)
    names = dict.fromkeys((best, *(name for name in (LINKS,) if name in found.metrics)))
    for name, colour in zip(names, (BLUE, GREY), strict=False):
        value = 100 * found.points.figures[name].at(rows)[:, 2]
        axes.plot(threshold, value, drawstyle="steps-pre", color=colour, linewidth=1.4)
    _mark(axes, found, best)
    axes.set_ylim(0, 102)
    axes.set_ylabel(f"F1 in percent: {label_of(best)}, grey: links", fontsize=7)


def _draw_trade(axes: Axes, found: Curve, best: str, rows: Ints) -> None:
    """Draw precision by recall; an index of one number has none."""
    values = 100 * found.points.figures[best].at(rows)
    axes.plot(values[:, 0], values[:, 1], color=VERMILION, linewidth=1.4)
    place = found.points.place_of(found.best[best].threshold)
    recall, precision, _ = 100 * found.points.figures[best].at(place)
    axes.plot([recall], [precision], "o", color=VERMILION, markersize=5)
    axes.set_xlim(0, 102)
    axes.set_ylim(0, 102)
    axes.set_xlabel("recall")
    axes.set_title("precision by recall", fontsize=7, color=GREY, loc="right")


def _draw_clusters(axes: Axes, found: Curve, best: str, rows: Ints) -> None:
    """Draw the number of clusters, with that of the key as a line."""
    rows, threshold = _finite(found, rows)
    axes.plot(
        threshold,
        found.points.clusters[rows],
        drawstyle="steps-pre",
        color=_GREEN,
        linewidth=1.4,
    )
    axes.axhline(found.key_clusters, color=GREY, linewidth=0.8, linestyle="--")
    _mark(axes, found, best)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.set_xlabel("threshold")
    axes.set_title("clusters; dashed: of the key", fontsize=7, color=GREY, loc="right")


def _mark(axes: Axes, found: Curve, best: str) -> None:
    """Draw a line at the best threshold."""
    threshold = found.best[best].threshold
    if np.isfinite(threshold):
        axes.axvline(threshold, color=GREY, linewidth=0.8, linestyle=":")


def _words(found: Curve, best: str) -> Captions:
    point = found.best[best]
    f1 = 100 * point.scores[best].f1
    return Captions(
        f"{label_of(best)} by threshold",
        f"best at {written(point.threshold)}: F1 {f1:.2f}, {point.clusters:,} clusters",
        (found.signature,),
    )
