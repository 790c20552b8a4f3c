"""Scores of a table as a report, as a page, and as a plot.

A report has three figures or one for each metric, and the counts. In text, recall,
precision and F₁ are percentages; indices of one number stay as they are. JSON and CSV
have fractions at full precision, and no value for a figure that is not a number. The
page shows clusters instead of texts; `cluster_labels` returns the clusters of each
mention.

The plot shows how large clusters are and how well they are found, in classes of sizes
that are each twice as wide as the one before. It needs only the profile, so a saved
profile can be plotted as well.
"""

from __future__ import annotations

import math
import os
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref._version import __version__
from scoref.contingency.partition import partition
from scoref.metrics import METRICS, labels_of, usual
from scoref.metrics.base import FIGURES, f_beta, figures_of
from scoref.records.columns import columns_line
from scoref.render.objects import confidence_object, scores_object
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
from scoref.render.report import Remarks, Report, Rows, Table, columns
from scoref.render.scores import (
    ScoreView,
    bound_names,
    bounds_of,
    by_metric,
    by_response,
    notes_of,
    signatures_of,
)
from scoref.tools.report.choices import choices_of
from scoref.tools.report.data import SIZES, VERSION, ReportData, by_size
from scoref.writing import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from matplotlib.axes import Axes

    from scoref.contingency import Contingency
    from scoref.render.report import Part
    from scoref.scoring.results import Result
    from scoref.statistics.confidence import Confidence


class TableView(NamedTuple):
    """How results are shown.

    ``was_asked`` says whether the caller named the metrics; otherwise groups have
    fewer. ``confidence`` has the intervals of each result.
    """

    precision: int = 2
    per_group: bool = False
    was_asked: bool = False
    confidence: tuple[Confidence, ...] = ()
    beta: float = 1.0


def clusterings_report(results: Sequence[Result], view: TableView) -> Report:
    """Report the scores of tables, or of each of their groups."""
    return Report(
        name="table",
        parts=lambda: _parts(results, view),
        objects=lambda: [
            _object(result, number, results, view)
            for number, result in enumerate(results)
        ],
        rows=lambda: _rows(results, view),
        notes=notes_of(results, _score_view(results[0], view)),
    )


def clustering_report(result: Result) -> Report:
    """Report one table; if it has all metrics, the text shows only the usual ones."""
    usual_names = usual("tables")
    shown = result
    if {*usual_names} < {*result.metrics}:
        shown = replace(result, metrics=usual_names)
    text = clusterings_report([shown], TableView())
    return clusterings_report([result], TableView())._replace(parts=text.parts)


def _score_view(result: Result, view: TableView) -> ScoreView:
    return ScoreView(
        precision=view.precision,
        confidence=view.confidence,
        beta=view.beta,
        shows_undefined=result.scheme.undefined == "one",
    )


def _parts(results: Sequence[Result], view: TableView) -> Iterator[Part]:
    shown = _score_view(results[0], view)
    if view.per_group:
        for result in results:
            yield _group_table(
                result, view, result.response if len(results) > 1 else ""
            )
    elif len(results) > 1:
        yield by_response(results, shown)
        if shown.beta_label:
            yield _beta_table(results, shown)
    else:
        yield from by_metric(results[0], shown)
    lines: list[str] = []
    for result in results:
        name = f"{result.response}: " if len(results) > 1 else ""
        lines.append(f"{name}{clusters_line(result.clusters)}")
        lines.append(f"{name}{mentions_line(result.mentions)}")
    lines += [columns_line(result.columns) for result in results if result.columns]
    yield Remarks(list(dict.fromkeys(lines)))
    yield signatures_of(results, shown)


def _beta_table(results: Sequence[Result], view: ScoreView) -> Table:
    """Write a row for each response, with the Fβ of every metric that has one."""
    labels = labels_of(results[0].scheme, results[0].metrics)
    known = [
        name
        for name in labels
        if any(f_beta(result.scores[name], view.beta) is not None for result in results)
    ]
    rows = [
        [
            result.response,
            *(
                view.figure(name, f_beta(score, view.beta), score)
                for name in known
                for score in [result.scores[name]]
            ),
        ]
        for result in results
    ]
    return Table(columns(view.beta_label, *(labels[name] for name in known)), rows)


_BY_GROUP = ("pairwise", "muc", "bcub", "ceafe", "lea", "cluster", "conll", "ari")


def _group_table(result: Result, view: TableView, title: str) -> Table:
    """Write a row for each group, and the last one for the whole table."""
    names = [name for name in result.metrics if view.was_asked or name in _BY_GROUP]
    labels = labels_of(result.scheme, names)
    shown = _score_view(result, view)
    rows = []
    for name, group in [*result.groups.items(), ("all", result)]:
        scores = {metric: group.scores[metric] for metric in names}
        rows.append(
            [
                name,
                str(group.mentions["key"]),
                str(group.mentions["response"]),
                *(shown.figure(metric, s.f1, s) for metric, s in scores.items()),
            ]
        )
    return Table(columns("Group", "Gold", "Predicted", *labels.values()), rows, title)


def clusters_line(clusters: Mapping[str, int]) -> str:
    """Write how many clusters there are, and what happened to those of the key.

    >>> clusters_line({"key": 3, "response": 2, "unchanged": 1, "merged": 2})
    'Clusters: 3 gold, 2 predicted; 1 unchanged, 2 merged'
    """
    fates = [
        f"{count:,} {fate}"
        for fate, count in clusters.items()
        if fate not in {"key", "response"} and count
    ]
    sides = f"{clusters['key']:,} gold, {clusters['response']:,} predicted"
    return f"Clusters: {sides}" + (f"; {', '.join(fates)}" if fates else "")


def mentions_line(mentions: Mapping[str, int]) -> str:
    """Write how many records there are.

    >>> mentions_line({"key": 7, "response": 8, "common": 6})
    'Records: 7 gold, 8 predicted, 6 in both'
    """
    key, response, both = (mentions[name] for name in ("key", "response", "common"))
    return f"Records: {key:,} gold, {response:,} predicted, {both:,} in both"


def _rows(results: Sequence[Result], view: TableView) -> Rows:
    """Write a row for each response, group and metric."""
    place = ["response"] if len(results) > 1 else []
    place += ["group"] if view.per_group else []
    beta = ["f_beta"] if view.beta != 1 else []
    header = [*place, "metric", *FIGURES, *beta, "value", "defined", "signature"]

    def rows() -> Iterator[list[object]]:
        for number, result in enumerate(results):
            shown = _score_view(result, view)
            groups = result.groups if view.per_group else {"": result}
            for name, group in groups.items():
                where = {"response": result.response, "group": name}
                for metric, score in group.scores.items():
                    figures: Sequence[float | None] = (*figures_of(score), None)
                    if metric in group.values:
                        figures = (None, None, None, score.f1)
                    weighted = [f_beta(score, view.beta)] if beta else []
                    yield [
                        *(where[column] for column in place),
                        metric,
                        *figures[:-1],
                        *weighted,
                        figures[-1],
                        score.is_defined,
                        group.signature,
                        *bounds_of(metric, number, shown),
                    ]

    return Rows([*header, *bound_names(_score_view(results[0], view))], rows())


def _object(
    result: Result, number: int, results: Sequence[Result], view: TableView
) -> dict[str, object]:
    written: dict[str, object] = {
        "signature": result.signature,
        **_counts_object(result, view),
    }
    if view.beta != 1:
        written["beta"] = view.beta
    if len(results) > 1:
        written = {"response": result.response, **written}
    if view.confidence:
        written["confidence"] = confidence_object(view.confidence[number])
    if result.columns:
        written["columns"] = result.columns
    if view.per_group:
        written["groups"] = {
            name: _counts_object(group, view) for name, group in result.groups.items()
        }
    return {**written, "notes": result.notes}


def _counts_object(result: Result, view: TableView) -> dict[str, object]:
    scores = scores_object(result)
    for name, score in result.scores.items():
        if name in result.values and not METRICS[name].package:
            scores[name]["records"] = result.mentions["common"]
        weighted = f_beta(score, view.beta)
        if view.beta != 1 and weighted is not None:
            scores[name]["f_beta"] = weighted
    return {
        "mentions": result.mentions,
        "clusters": result.clusters,
        "scores": scores,
    }


def table_report(
    results: Sequence[Result], clusters: Sequence[Mapping[str, object]], *, key: str
) -> ReportData:
    """Assemble the report of one response, or of several.

    Args:
        results: the scores of each response.
        clusters: what `clusters_of` returns for each.
        key: the path of the key.
    """
    first = results[0]
    labels = labels_of(first.scheme, first.metrics)
    metric = first.headline
    report: dict[str, object] = {
        "version": VERSION,
        "title": os.path.basename(key) or key,
        "scoref": __version__,
        "key": key,
        "metric": {"name": metric, "label": labels[metric]},
        "choices": choices_of(first.signature),
        "kinds": [],
        "systems": [_system(result, labels) for result in results],
        "comparison": None,
        "documents": [],
        "sizes": {
            "labels": list(SIZES),
            "key": _sizes(first, "key"),
            "systems": [_sizes(result, "response") for result in results],
        },
        "left_out": None,
        "clusters": list(clusters),
    }
    return ReportData(report, [])


def _sizes(result: Result, side: str) -> list[int]:
    assert result.table is not None
    table = result.table if side == "key" else result.table.swapped
    return by_size(
        table.key_size, np.broadcast_to(table.key_times, table.key_size.shape)
    )


def _system(result: Result, labels: Mapping[str, str]) -> dict[str, object]:
    scores = []
    for name, label in labels.items():
        score = result.scores[name]
        recall, precision, f1 = (
            None if value is None or math.isnan(value) else value
            for value in figures_of(score)
        )
        scores.append(
            {
                "metric": name,
                "label": label,
                "recall": recall,
                "precision": precision,
                "f1": f1 or 0.0,
                "is_defined": score.is_defined and f1 is not None,
                "intervals": None,
            }
        )
    return {
        "name": os.path.basename(result.response),
        "signature": result.signature,
        "notes": [note.message for note in result.notes],
        "scores": scores,
        "level": None,
        "errors": [],
        "documents": [],
    }


_ROW_HEIGHT = 0.42

_BAR_HEIGHT = 0.36


class ScoredSizes(NamedTuple):
    """The clusters of some sizes: how many, and the mean of their mentions' scores."""

    label: str
    key: int
    response: int
    recall: float | None
    precision: float | None


def plot_clusters(path: str | os.PathLike[str], result: Result) -> None:
    """Draw clusters by their size: how many there are, and how well they are found.

    Args:
        path: where to write; the suffix is ``.svg``, ``.png`` or ``.html``.
        result: the result of `scoref.score_table`, or of a saved profile.
    """
    kind = check_plot(path)
    assert result.table is not None
    rows = size_classes(result.table)
    clusters, mentions = result.clusters, result.mentions
    subtitle = (
        f"{clusters['key']:,} gold clusters of {mentions['key']:,} records, "
        f"{clusters['response']:,} predicted clusters of "
        f"{mentions['response']:,} records"
    )
    captions = Captions("Clusters by size", subtitle, (result.signature,))
    with settings():
        figure, (count, share) = canvases(len(rows) * _ROW_HEIGHT, 2)
        _draw_counts(count, rows)
        _draw_shares(share, rows)
        finish(count, captions, "clusters")
        share.set_xlabel("B³ in percent")
        data = render_figure(figure, kind, captions, [_hover_text(row) for row in rows])
    write_whole(path, data)


def size_classes(table: Contingency) -> list[ScoredSizes]:
    """Sort clusters by size; B³'s recall is the key's, its precision the response's.

    The classes are 1, 2, 3 to 4, 5 to 8 and so on.
    """
    table = partition(table)
    key, response = _count_classes(table), _count_classes(table.swapped)
    last = max([*key, *response], default=0)
    classes = []
    for number in range(last + 1):
        first, most = 2**number // 2 + 1, 2**number
        label = f"{most:,}" if first >= most else f"{first:,}–{most:,}"
        of_key, of_response = key[number], response[number]
        classes.append(
            ScoredSizes(
                label,
                of_key.clusters,
                of_response.clusters,
                of_key.share,
                of_response.share,
            )
        )
    return classes


class _ClassCounts(NamedTuple):
    """The clusters of one side and some sizes, and their share of B³."""

    clusters: int = 0
    share: float | None = None


def _count_classes(table: Contingency) -> defaultdict[int, _ClassCounts]:
    """Count the key's clusters by class, and the share of their mentions in B³."""
    size, times = table.key_size, np.broadcast_to(table.key_times, table.key_size.shape)
    squares = np.square(table.overlap) * np.broadcast_to(
        table.cell_times, table.overlap.shape
    )
    right = np.bincount(table.cell_key, squares, len(size)) / size
    class_of = np.array([(n - 1).bit_length() for n in size.tolist()], dtype=np.int64)
    classes: defaultdict[int, _ClassCounts] = defaultdict(_ClassCounts)
    for number in np.unique(class_of).tolist():
        rows = class_of == number
        share = right[rows].sum() / (size[rows] * times[rows]).sum()
        classes[number] = _ClassCounts(int(times[rows].sum()), float(share))
    return classes


def _draw_counts(axes: Axes, rows: list[ScoredSizes]) -> None:
    """Draw how many clusters there are of each size, on both sides."""
    for offset, colour, name in ((-0.5, BLUE, "gold"), (0.5, VERMILION, "predicted")):
        places = [place + offset * _BAR_HEIGHT for place in range(len(rows))]
        values = [row.key if name == "gold" else row.response for row in rows]
        axes.barh(places, values, _BAR_HEIGHT, color=colour, label=name, zorder=3)
    axes.set_xscale("symlog", linthresh=1)
    axes.set_xlim(0, None)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.set_yticks(range(len(rows)), [row.label for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_ylabel("records in a cluster")


def _draw_shares(axes: Axes, rows: list[ScoredSizes]) -> None:
    """Draw B³ by size: recall of the key's clusters, precision of the response's."""
    sides = (
        ("recall, gold", "o", BLUE, [row.recall for row in rows]),
        ("precision, predicted", "D", VERMILION, [row.precision for row in rows]),
    )
    for label, mark, colour, shares in sides:
        places = [place for place, share in enumerate(shares) if share is not None]
        values = [100 * share for share in shares if share is not None]
        axes.plot(
            values, places, mark, color=colour, markersize=6, label=label, clip_on=False
        )
    axes.set_xlim(0, 100)
    axes.set_yticks(range(len(rows)), [""] * len(rows))
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1),
        ncols=2,
        frameon=False,
        fontsize=8,
        labelcolor=GREY,
        handletextpad=0.2,
        borderaxespad=2.9,  # on the line of the title
    )


def _hover_text(row: ScoredSizes) -> str:
    figures = [
        f"{name} {100 * value:.2f}"
        for name, value in (("recall", row.recall), ("precision", row.precision))
        if value is not None
    ]
    counts = f"{row.key:,} gold, {row.response:,} predicted"
    return "; ".join([f"{row.label} records: {counts}", *figures])
