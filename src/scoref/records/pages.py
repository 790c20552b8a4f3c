"""The pages of `scoref curve` and `scoref estimate`, in the design of the report.

They show the same clusters as the page of `scoref table`: those that were divided or
conflated, the worst ones first, with their records.
"""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from scoref._version import __version__
from scoref.errors import OptionError
from scoref.figures import UNDEFINED
from scoref.metrics import METRICS, usual
from scoref.metrics.base import FIGURES, figures_of
from scoref.records.api import score_table
from scoref.records.cluster_labels import (
    MOST,
    can_be_listed,
    cluster_labels,
    labels_of_result,
)
from scoref.records.curve.curve import LINKS
from scoref.records.curve.report import curve_report
from scoref.records.estimate.report import estimate_report
from scoref.records.table.report import table_report
from scoref.render.report import Remarks, Table
from scoref.tools.report.choices import choices_of
from scoref.tools.report.clusters import clusters_of
from scoref.tools.report.data import SIZES, VERSION, by_size
from scoref.tools.report.page import render_page
from scoref.writing import write_whole

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoref.records.curve.curve import Curve
    from scoref.records.estimate.estimate import Estimate
    from scoref.render.report import Report

_MOST_POINTS = 400  # of a line

_SHARED = ("missing_values", "engine", "memory", "header", "table", "remote")


def write_curve_page(
    path: str, curve: Curve, key: str, pairs: str, options: Mapping[str, Any]
) -> None:
    """Write a page with the curve, and the clusters at the best threshold.

    Args:
        path: where to write.
        curve: the result of `scoref.curve`.
        key: the path of the key.
        pairs: the path of the scored pairs.
        options: the keywords with which `scoref.curve` was called.
    """
    if options.get("distance"):
        raise OptionError(
            "--report needs scores for which higher is better. Leave out --distance"
        )
    best = curve.best[curve.best_by]
    is_of_pairs = "pairs:key" in curve.signature
    chosen = {
        **{name: options[name] for name in _SHARED if name in options},
        "mention": options.get("mention"),
        "key_cluster": options.get("key_cluster"),
        "key_pairs": is_of_pairs,
        "response_pairs": True,
        "response_left": options.get("left"),
        "response_right": options.get("right"),
        "response_score": options.get("score") or curve.columns.get("score"),
        "threshold": best.threshold,
        "two_sources": options.get("two_sources"),
        "universe": options.get("universe", "both"),
        **{name: options.get(name) for name in ("key_left", "key_right", "key_label")},
    }
    result = score_table(key, pairs, metrics=(LINKS, *usual("tables")), **chosen)
    sizes = result.mentions
    clusters = []
    if can_be_listed([key, pairs], sizes["key"] + sizes["response"]):
        clusters = [clusters_of(*labels_of_result(result, [key, pairs], chosen))]
    report, texts = table_report([result], clusters, key=key)
    name = curve.best_by
    label = "Links" if name == LINKS else METRICS[name].label
    shown = {**report, "sections": [_curve_section(curve)]}
    if name in result.metrics:
        shown["metric"] = {"name": name, "label": label}
    if not clusters:
        shown |= {"clusters": None, "left_out": _too_many()}
    write_whole(path, render_page(shown, texts).encode())


def _too_many() -> str:
    return f"Clusters are listed for tables of up to {MOST:,} rows."


def _curve_section(curve: Curve) -> dict[str, object]:
    """Return the curve as a chart, and its points as tables."""
    names = dict.fromkeys([curve.best_by, *({LINKS} & {*curve.metrics})])
    places = np.unique(
        np.linspace(0, len(curve.points) - 1, _MOST_POINTS).round().astype(np.int64)
    )
    lines = {}
    for name in names:
        f1 = curve.points._figures[name].at(places)[:, 2]
        points = [
            (curve.points.threshold(place), float(value))
            for place, value in zip(places.tolist(), f1.tolist(), strict=True)
            if math.isfinite(curve.points.threshold(place))
        ]
        label = "Links" if name == LINKS else METRICS[name].label
        lines[f"F₁ of {label}"] = points
    is_share = all(0 <= y <= 1 for points in lines.values() for _, y in points)
    parts = curve_report(curve).parts()
    shown = next(part for part in parts if isinstance(part, Table))
    return {
        "title": "Thresholds",
        "text": _sentences(curve_report(curve)),
        "chart": {"x": "threshold", "lines": lines} if is_share else None,
        "tables": [_plain_table(shown)],
    }


def _plain_table(table: Table) -> dict[str, object]:
    return {
        "title": table.title,
        "header": [column.full_label for column in table.columns],
        "rows": [
            [
                cell if isinstance(cell, str) else f"{cell.text} {cell.mark}".rstrip()
                for cell in row
            ]
            for row in table.rows
        ],
    }


def _sentences(report: Report) -> list[str]:
    """Return the remarks of a report."""
    return [
        line
        for part in report.parts()
        if isinstance(part, Remarks)
        for line in part.lines
    ]


def write_estimate_page(
    path: str,
    estimate: Estimate,
    sample: str,
    predicted: str,
    options: Mapping[str, Any],
) -> None:
    """Write a page with the estimates, and what became of the labelled clusters.

    Args:
        path: where to write.
        estimate: the result of `scoref.estimate`.
        sample: the path of the labelled records.
        predicted: the path of the prediction.
        options: the keywords with which `scoref.estimate` was called.
    """
    clusters, sizes, left_out = _labelled_clusters(estimate, sample, predicted, options)
    report_parts = estimate_report(estimate).parts()
    # The first table has the figures of the page's own table of scores.
    _, *others = (part for part in report_parts if isinstance(part, Table))
    first = next(iter(estimate.scores))
    report: dict[str, object] = {
        "version": VERSION,
        "title": os.path.basename(sample) or sample,
        "scoref": __version__,
        "key": sample,
        "metric": {"name": first, "label": METRICS[first].label},
        "choices": choices_of(estimate.signature),
        "kinds": [],
        "systems": [_system(estimate, predicted)],
        "comparison": None,
        "documents": [],
        "sizes": sizes,
        "left_out": left_out,
        "clusters": clusters,
        "unit": "labelled clusters",
        "sections": [
            {
                "title": "Estimates",
                "text": _sentences(estimate_report(estimate)),
                "tables": [_effective_table(estimate), *map(_plain_table, others)],
            }
        ],
    }
    write_whole(path, render_page(report, []).encode())


def _effective_table(estimate: Estimate) -> dict[str, object]:
    """Say how many labelled clusters each figure depends on."""
    rows = []
    for name in estimate.metrics:
        counts = (estimate.effective[name][figure] for figure in FIGURES)
        texts = (UNDEFINED if count is None else f"{count:.1f}" for count in counts)
        rows.append([METRICS[name].label, *texts])
    return {
        "title": "Number of labelled clusters on which a figure effectively depends",
        "header": ["", "Recall", "Precision", "F₁"],
        "rows": rows,
    }


def _system(estimate: Estimate, predicted: str) -> dict[str, object]:
    scores = []
    for name, score in estimate.scores.items():
        recall, precision, f1 = figures_of(score)
        intervals = {
            figure: list(interval)
            for figure, interval in estimate.intervals[name].items()
            if interval is not None
        }
        scores.append(
            {
                "metric": name,
                "label": METRICS[name].label,
                "recall": recall,
                "precision": precision,
                "f1": f1,
                "is_defined": score.is_defined,
                "intervals": intervals or None,
            }
        )
    return {
        "name": os.path.basename(predicted),
        "signature": estimate.signature,
        "notes": [note.message for note in estimate.notes],
        "scores": scores,
        "level": estimate.level,
        "errors": [],
        "documents": [],
    }


def _labelled_clusters(
    estimate: Estimate, sample: str, predicted: str, options: Mapping[str, Any]
) -> tuple[list[object] | None, dict[str, object] | None, str | None]:
    """Return the labelled clusters that were divided or conflated, and all sizes."""
    if "sample:" in estimate.signature:  # pairs have no clusters, or no columns
        return None, None, "Clusters are listed if the sample has clusters."
    names = ("mention", "key_mention", "response_mention", "key_cluster")
    reading = {
        name: options.get(name)
        for name in (*names, "response_cluster", "header", "table", "memory")
    }
    try:
        key, response, records = cluster_labels(
            [sample, predicted], **reading, remote=bool(options.get("remote"))
        )
    except OptionError as error:
        return None, None, f"{error.problem}."
    labelled = [place for place, label in enumerate(key) if label is not None]
    listed = clusters_of(
        [key[place] for place in labelled],
        [response[place] for place in labelled],
        [records[place] for place in labelled],
    )
    return [listed], _sizes(key, response), None


def _sizes(
    key: Sequence[str | None], response: Sequence[str | None]
) -> dict[str, object]:
    counts = []
    for labels in (key, response):
        _, size = np.unique([x for x in labels if x is not None], return_counts=True)
        counts.append(by_size(size, np.ones_like(size)))
    return {"labels": list(SIZES), "key": counts[0], "systems": [counts[1]]}
