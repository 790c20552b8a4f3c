"""A picture of a curve: F1 by threshold, precision by recall, how many clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.render._drawing import GREY, Captions, canvases, finish, rendered, settings
from scoref.render.plots import BLUE, VERMILION, check_plot
from scoref.tools.curve.curves import LINKS
from scoref.tools.curve.rendering import label_of, written
from scoref.writing import write_whole

if TYPE_CHECKING:
    import os

    from matplotlib.axes import Axes

    from scoref.metrics.base import Floats
    from scoref.model import Ints
    from scoref.tools.curve.curves import Curve

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
        data = rendered(figure, kind, words, [])
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
