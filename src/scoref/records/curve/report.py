"""A curve as a report and as a plot.

The text shows some of the points; JSON and CSV have all of them. The plot shows F₁ by
threshold, precision by recall, and the number of clusters.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from scoref.figures import figure, percent
from scoref.metrics import METRICS, usual
from scoref.metrics.base import FIGURES, figures_of
from scoref.notes import WARNING
from scoref.records.columns import columns_line
from scoref.records.curve.curve import LINKS
from scoref.render.objects import scores_object
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
from scoref.render.scores import ScoreView, by_metric
from scoref.writing import write_whole

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes

    from scoref.metrics.base import AnyScore, Floats
    from scoref.model import Ints
    from scoref.records.curve.curve import Curve
    from scoref.records.curve.points import Point
    from scoref.render.report import Part


def curve_report(
    curve: Curve,
    thresholds: Sequence[float] = (),
    most: int = 20,
    precision: int = 2,
) -> Report:
    """Report a curve; single thresholds also have the metrics without a curve."""
    return Report(
        name="curve",
        parts=lambda: _parts(curve, curve.best_by, thresholds, most, precision),
        objects=lambda: [_object(curve, curve.best_by, thresholds)],
        rows=lambda: _rows(curve),
        notes=[
            *_threshold_notes(curve, thresholds),
            *(note.message for note in curve.notes),
        ],
    )


def _threshold_notes(curve: Curve, thresholds: Sequence[float]) -> Iterator[str]:
    """Warn of thresholds that are outside of the scores."""
    scores = curve.points.thresholds[1:]
    if not len(scores):
        return
    low, high = sorted(curve.points._sign * float(scores[end]) for end in (0, -1))
    for threshold in thresholds:
        if not low <= threshold <= high and not math.isinf(threshold):
            yield (
                f"{WARNING}--at {threshold_text(threshold)} is outside the "
                f"range of the scores, {threshold_text(low)} to "
                f"{threshold_text(high)}."
            )


def _parts(
    curve: Curve, best: str, thresholds: Sequence[float], most: int, precision: int
) -> Iterator[Part]:
    yield _table(curve, best, most, precision)
    lines = [_best_line(curve, best, precision), _candidates_line(curve, precision)]
    if curve.columns:
        lines.append(columns_line(curve.columns))
    yield Remarks(lines)
    for threshold in thresholds or [curve.best[best].threshold]:
        result = curve.result(threshold, usual("tables"))
        title = f"At {threshold_text(curve.at(threshold).threshold)}"
        first, *others = by_metric(result, ScoreView(precision=precision))
        yield first._replace(title=title)
        yield from others
    yield Signatures([curve.signature])


def _table(curve: Curve, best: str, most: int, precision: int) -> Table:
    names = curve.metrics
    best_thresholds = {name: curve.best[name].threshold for name in names}
    rows: list[list[str | Cell]] = []
    for place in shown_points(curve, most):
        point = curve.points[place]
        cells = []
        for name in names:
            is_best = point.threshold == best_thresholds[name]
            text = _figure_text(name, point.scores[name], precision)
            mark = "*" if name == best and is_best else ""
            cells.append(Cell(text, is_best=is_best, mark=mark))
        rows.append([threshold_text(point.threshold), f"{point.clusters:,}", *cells])
    head = columns("Threshold", "Clusters", *map(_label, names))
    return Table(head, rows)


def _label(name: str) -> str:
    return "Links" if name == LINKS else METRICS[name].label


def _figure_text(name: str, score: AnyScore, precision: int) -> str:
    if name == LINKS:
        return percent(score.f1, precision, is_defined=score.is_defined)
    return figure(name, score.f1, precision, is_defined=score.is_defined)


def shown_points(curve: Curve, most: int) -> list[int]:
    """Choose points evenly by their rank, and always the best ones."""
    count = len(curve.points)
    even = np.linspace(0, count - 1, min(most, count)).round().astype(int).tolist()
    best = [curve.points._place_of(point.threshold) for point in curve.best.values()]
    return sorted({*even, *best})


def threshold_text(threshold: float) -> str:
    """Write a threshold for people.

    >>> threshold_text(0.123456789), threshold_text(float("inf"))
    ('0.123457', '∞')
    """
    if math.isinf(threshold):
        return "∞" if threshold > 0 else "−∞"
    return f"{threshold:.6g}"


def _best_line(curve: Curve, best: str, precision: int) -> str:
    point, interval = curve.best[best], curve.intervals[best]
    score = _figure_text(best, point.scores[best], precision)
    if interval is not None:
        low, high = (percent(bound, precision) for bound in interval)
        score = f"{score} (95 % interval {low} to {high})"
    end, threshold = curve.best_until(best), threshold_text(point.threshold)
    same = f" (the same for {threshold_text(end)} < t ≤ {threshold})"
    if curve.points._sign < 0:
        same = f" (the same for {threshold} ≤ t < {threshold_text(end)})"
    return (
        f"* Best by {_label(best)}: threshold {threshold}"
        f"{'' if math.isinf(end) else same}, F₁ {score}, "
        f"{point.clusters:,} clusters ({curve.key_clusters:,} gold)"
    )


def _candidates_line(curve: Curve, precision: int) -> str:
    """Write how good the candidate pairs are, whatever their score."""
    pairs = curve.candidates
    completeness, ratio = (
        percent(
            0.0 if math.isnan(share) else share,
            precision,
            is_defined=not math.isnan(share),
        )
        for share in (pairs.pair_completeness, pairs.reduction_ratio)
    )
    return (
        f"Candidates: {pairs.pairs:,} of {pairs.possible:,} possible pairs; pair "
        f"completeness {completeness}, reduction ratio {ratio}"
    )


def _rows(curve: Curve) -> Rows:
    """Write a row for each point."""
    figures = [f"{name}_{figure}" for name in curve.metrics for figure in FIGURES]
    rows = (
        [
            *(point.threshold, point.until, point.clusters),
            *(value for score in point.scores.values() for value in figures_of(score)),
        ]
        for point in curve.points
    )
    return Rows(["threshold", "until", "clusters", *figures], rows)


def _object(curve: Curve, best: str, thresholds: Sequence[float]) -> dict[str, object]:
    return {
        "signature": curve.signature,
        "key_clusters": curve.key_clusters,
        "candidates": {
            **curve.candidates._asdict(),
            "pair_completeness": _or_none(curve.candidates.pair_completeness),
            "reduction_ratio": _or_none(curve.candidates.reduction_ratio),
        },
        "best_by": best,
        "best": {
            name: {**_point_object(point), "interval": curve.intervals[name]}
            for name, point in curve.best.items()
        },
        "at": [
            {
                "threshold": _json_number(threshold),
                "scores": scores_object(curve.result(threshold)),
            }
            for threshold in thresholds or [curve.best[best].threshold]
        ],
        "points": [_point_object(point) for point in curve.points],
        "columns": curve.columns,
    }


def _point_object(point: Point) -> dict[str, object]:
    return {
        "threshold": _json_number(point.threshold),
        "until": _json_number(point.until),
        "clusters": point.clusters,
        "scores": {
            name: dict(zip(FIGURES, figures_of(score), strict=True))
            for name, score in point.scores.items()
        },
    }


def _or_none(share: float) -> float | None:
    return None if math.isnan(share) else share


def _json_number(threshold: float) -> float | str:
    """Return a threshold for JSON, which cannot write infinite numbers."""
    if math.isinf(threshold):
        return "infinity" if threshold > 0 else "-infinity"
    return threshold


_HEIGHT = 2.2

_MOST_POINTS = 1000  # that are drawn

_GREEN = "#009E73"  # from the palette of Okabe and Ito, like the other colours


def plot_curve(path: str | os.PathLike[str], curve: Curve) -> None:
    """Draw a curve by the metric that chooses the best threshold.

    Args:
        path: where to write; the suffix is ``.svg``, ``.png`` or ``.html``.
        curve: the result of `scoref.curve`.
    """
    kind, best = check_plot(path), curve.best_by
    count = len(curve.points)
    rows = np.unique(
        np.linspace(0, count - 1, min(count, _MOST_POINTS)).round().astype(int)
    )
    rows = np.union1d(rows, [curve.points._place_of(curve.best[best].threshold)])
    with settings():
        figure, axes = canvases(_HEIGHT, 3)
        _draw_scores(axes[0], curve, best, rows)
        _draw_trade(axes[1], curve, best, rows)
        _draw_clusters(axes[2], curve, best, rows)
        captions = _captions(curve, best)
        finish(axes[0], captions, "threshold")
        data = render_figure(figure, kind, captions, [])
    write_whole(path, data)


def _finite(curve: Curve, rows: Ints) -> tuple[Ints, Floats]:
    """Return the rows whose thresholds are finite, and these thresholds."""
    threshold = curve.points._sign * curve.points.thresholds[rows]
    kept = np.isfinite(threshold)
    return rows[kept], threshold[kept]


def _draw_scores(axes: Axes, curve: Curve, best: str, rows: Ints) -> None:
    """Draw F₁ by threshold, of the clusters and of the links."""
    rows, threshold = _finite(curve, rows)
    names = dict.fromkeys((best, *(name for name in (LINKS,) if name in curve.metrics)))
    for name, colour in zip(names, (BLUE, GREY), strict=False):
        value = 100 * curve.points._figures[name].at(rows)[:, 2]
        axes.plot(threshold, value, drawstyle="steps-pre", color=colour, linewidth=1.4)
    _mark(axes, curve, best)
    axes.set_ylim(0, 102)
    axes.set_ylabel(f"F₁ in percent: {_label(best)}; links in grey", fontsize=7)


def _draw_trade(axes: Axes, curve: Curve, best: str, rows: Ints) -> None:
    """Draw precision by recall, which an index of one number does not have."""
    values = 100 * curve.points._figures[best].at(rows)
    axes.plot(values[:, 0], values[:, 1], color=VERMILION, linewidth=1.4)
    place = curve.points._place_of(curve.best[best].threshold)
    recall, precision, _ = 100 * curve.points._figures[best].at(place)
    axes.plot([recall], [precision], "o", color=VERMILION, markersize=5)
    axes.set_xlim(0, 102)
    axes.set_ylim(0, 102)
    axes.set_xlabel("recall")
    axes.set_title("precision against recall", fontsize=7, color=GREY, loc="right")


def _draw_clusters(axes: Axes, curve: Curve, best: str, rows: Ints) -> None:
    """Draw the number of clusters, and that of the key as a line."""
    from matplotlib.ticker import MaxNLocator  # slow to load

    rows, threshold = _finite(curve, rows)
    axes.plot(
        threshold,
        curve.points.clusters[rows],
        drawstyle="steps-pre",
        color=_GREEN,
        linewidth=1.4,
    )
    axes.axhline(curve.key_clusters, color=GREY, linewidth=0.8, linestyle="--")
    _mark(axes, curve, best)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.set_xlabel("threshold")
    axes.set_title("clusters; key dashed", fontsize=7, color=GREY, loc="right")


def _mark(axes: Axes, curve: Curve, best: str) -> None:
    """Draw a line at the best threshold."""
    threshold = curve.best[best].threshold
    if np.isfinite(threshold):
        axes.axvline(threshold, color=GREY, linewidth=0.8, linestyle=":")


def _captions(curve: Curve, best: str) -> Captions:
    point = curve.best[best]
    f1 = 100 * point.scores[best].f1
    return Captions(
        f"{_label(best)} by threshold",
        f"best at {threshold_text(point.threshold)}: F₁ {f1:.2f}, "
        f"{point.clusters:,} clusters",
        (curve.signature,),
    )
