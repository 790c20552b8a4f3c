"""Scores of a table as a report, as a page, and as a plot.

A report has three figures or one for each metric, and the counts. Recall, precision and
F1 are percentages for people; indices of one number stay as they are. Programs get
fractions at full precision, and no value for a figure that is not a number. The page
shows clusters instead of texts; `cluster_labels` returns the clusters of each mention.

The plot shows how large clusters are and how well they are found, in classes of sizes
that are each twice as wide as the one before. It needs only the profile, so a saved
profile can be plotted as well.
"""

from __future__ import annotations

import math
import os
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from scoref._version import __version__
from scoref.contingency.partition import partition
from scoref.errors import OptionError
from scoref.metrics import labels_of, metrics_of, usual
from scoref.records.columns import WantedColumns
from scoref.records.duckdb_engine import DuckSession
from scoref.records.file_types import Files
from scoref.records.numpy_engine import labels
from scoref.records.request import ROLES, CountRequest
from scoref.records.sources import Frame, check_unchanged, readings, recognise
from scoref.records.text_files import is_small, load_into_memory
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
    FIGURES,
    ScoreView,
    bounds_of,
    by_metric,
    by_response,
    confidence_object,
    notes_of,
    score_object,
    signatures_of,
)
from scoref.tools.report.data import SIZES, VERSION, ReportData, by_size, choices_of
from scoref.writing import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from matplotlib.axes import Axes

    from scoref.contingency import Contingency
    from scoref.metrics.base import Score
    from scoref.records.request import TableReading
    from scoref.records.sources import TableInput
    from scoref.render.report import Part
    from scoref.scoring.results import Result
    from scoref.statistics.confidence import Confidence


_BY_GROUP = ("pairwise", "muc", "bcub", "ceafe", "lea", "cluster", "conll", "ari")


class TableView(NamedTuple):
    """How results are shown; ``confidence`` has one for each of them."""

    precision: int = 2
    per_group: bool = False
    was_asked: bool = False  # for these metrics; otherwise groups have fewer
    confidence: tuple[Confidence, ...] = ()


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
        notes=notes_of(results, _view(results[0], view)),
    )


def clustering_report(result: Result) -> Report:
    """Report one table: of all metrics, people see the usual ones, as ever."""
    usual_ones = usual("tables")
    shown = result
    if {*usual_ones} < {*result.metrics}:
        shown = replace(result, metrics=usual_ones)
    for_people = clusterings_report([shown], TableView())
    return clusterings_report([result], TableView())._replace(parts=for_people.parts)


def _parts(results: Sequence[Result], view: TableView) -> Iterator[Part]:
    shown = _view(results[0], view)
    if view.per_group:
        for result in results:
            title = result.response if len(results) > 1 else ""
            yield _by_group(result, view)._replace(title=title)
    elif len(results) > 1:
        yield by_response(results, shown)
    else:
        yield from by_metric(results[0], shown)
    yield Remarks(_counts(results))
    yield signatures_of(results, shown)


def _counts(results: Sequence[Result]) -> list[str]:
    """Say what was counted, of each response, and which columns were read."""
    lines: list[str] = []
    for result in results:
        name = f"{result.response}: " if len(results) > 1 else ""
        lines += [
            f"{name}{line}"
            for line in (clusters_line(result.clusters), mentions_line(result.mentions))
        ]
    lines += [columns_line(result.columns) for result in results if result.columns]
    return list(dict.fromkeys(lines))


def _by_group(result: Result, view: TableView) -> Table:
    """Give each group a row; the last one is the whole table."""
    names = [name for name in result.metrics if view.was_asked or name in _BY_GROUP]
    labels = labels_of(result.scheme, names)
    rows = [
        [
            group,
            str(each.mentions["key"]),
            str(each.mentions["response"]),
            *(_figure(each, name, view) for name in names),
        ]
        for group, each in [*result.groups.items(), ("all", result)]
    ]
    return Table(columns("F1", "Key", "Response", *labels.values()), rows)


def _figure(result: Result, name: str, view: TableView) -> str:
    score = result.scores[name]
    return _view(result, view).figure(name, score.f1, score)


def _view(result: Result, view: TableView) -> ScoreView:
    is_meant = result.scheme.undefined == "one"
    return ScoreView(
        precision=view.precision,
        confidence=view.confidence,
        shows_undefined=is_meant,
    )


def clusters_line(clusters: Mapping[str, int]) -> str:
    """Say how many clusters there are, and what became of the key's.

    >>> clusters_line({"key": 3, "response": 2, "unchanged": 1, "merged": 2})
    'Clusters: 3 in the key, 2 in the response; 1 unchanged, 2 merged'
    """
    fates = [
        f"{count:,} {fate}"
        for fate, count in clusters.items()
        if fate not in {"key", "response"} and count
    ]
    sides = f"{clusters['key']:,} in the key, {clusters['response']:,} in the response"
    return f"Clusters: {sides}" + (f"; {', '.join(fates)}" if fates else "")


def mentions_line(mentions: Mapping[str, int]) -> str:
    """Say how many mentions there are.

    >>> mentions_line({"key": 7, "response": 8, "common": 6})
    'Mentions: 7 in the key, 8 in the response, 6 in both'
    """
    key, response = mentions["key"], mentions["response"]
    both = mentions["common"]
    return (
        f"Mentions: {key:,} in the key, {response:,} in the response, {both:,} in both"
    )


def columns_line(named: Mapping[str, str]) -> str:
    """Say which columns were read, and what for.

    >>> columns_line({"key mention": "id", "key cluster": "person"})
    "Columns: key mention 'id', key cluster 'person'"
    """
    uses = [f"{use} '{name}'" for use, name in named.items()]
    return f"Columns: {', '.join(uses)}"


def _rows(results: Sequence[Result], view: TableView) -> Rows:
    place = ["response"] if len(results) > 1 else []
    place += ["group"] if view.per_group else []
    figures = ["metric", *FIGURES, "value", "defined", "signature"]
    bounds = [f"{figure}_{end}" for figure in FIGURES for end in ("low", "high")]
    more = [*bounds, "confidence"] if view.confidence else []
    return Rows([*place, *figures, *more], _each_row(results, view))


def _each_row(results: Sequence[Result], view: TableView) -> Iterator[list[object]]:
    for number, result in enumerate(results):
        response = [result.response] if len(results) > 1 else []
        groups = result.groups if view.per_group else {"": result}
        for group, each in groups.items():
            place = [*response, *([group] if view.per_group else [])]
            for name in each.metrics:
                more = bounds_of(name, number, _view(result, view))
                yield [*place, name, *_cells(each, name), *more]


def _cells(result: Result, name: str) -> list[object]:
    score = result.scores[name]
    figures: Sequence[float | None] = (*score[:3], None)
    if name in result.values:
        figures = (None, None, None, score.f1)
    return [*figures, score.is_defined, result.signature]


def _object(
    result: Result, number: int, results: Sequence[Result], view: TableView
) -> dict[str, object]:
    written: dict[str, object] = {"signature": result.signature, **_counted(result)}
    if len(results) > 1:
        written = {"response": result.response, **written}
    if view.confidence:
        written["confidence"] = confidence_object(view.confidence[number])
    if result.columns:
        written["columns"] = result.columns
    if view.per_group:
        written["groups"] = {
            group: _counted(each) for group, each in result.groups.items()
        }
    return {**written, "notes": result.notes}


def _counted(result: Result) -> dict[str, object]:
    known = metrics_of(result.scheme)
    return {
        "mentions": result.mentions,
        "clusters": result.clusters,
        "scores": {
            name: score_object(score, known.get(name))
            for name, score in result.scores.items()
        },
    }


def table_report(
    results: Sequence[Result], clusters: Sequence[Mapping[str, object]], *, key: str
) -> ReportData:
    """Assemble the report of one response, or of several.

    Args:
        results: their scores; each is called by its response.
        clusters: what `clusters_of` gives of each.
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
    return {
        "name": os.path.basename(result.response),
        "signature": result.signature,
        "notes": [note.message for note in result.notes],
        "scores": [_score(labels, name, result.scores[name]) for name in labels],
        "level": None,
        "errors": [],
        "documents": [],
    }


def _score(labels: Mapping[str, str], name: str, score: Score) -> dict[str, object]:
    """Write a score; what is not a number is nothing."""
    figures = [
        None if value is None or math.isnan(value) else value for value in score[:3]
    ]
    recall, precision, f1 = figures
    return {
        "metric": name,
        "label": labels[name],
        "recall": recall,
        "precision": precision,
        "f1": f1 or 0.0,
        "is_defined": score.is_defined and f1 is not None,
        "intervals": None,
    }


MOST = 5_000_000


def cluster_labels(
    tables: Sequence[object],
    *,
    mention: str | None = None,
    key_mention: str | None = None,
    response_mention: str | None = None,
    key_cluster: str | None = None,
    response_cluster: str | None = None,
    group: str | None = None,
    **options: Any,  # noqa: ANN401 - those of `CountRequest`
) -> tuple[list[str | None], list[str | None], list[str]]:
    """Give the clusters of each mention of a table or two, and its name.

    Args:
        tables: a key and a response, or one table that has both.
        mention: as in `scoref.score_table`, like the others.
        key_mention: that of the key alone.
        response_mention: that of the response.
        key_cluster: the column of the key's clusters.
        response_cluster: that of the response's.
        group: the column of groups; their names go before those of clusters.
        options: universe, duplicates, header, table, memory and remote.

    >>> cluster_labels([{"m1": "a", "m2": "a"}, {"m1": 1}])
    (['a', 'a'], ['1', None], ['m1', 'm2'])
    """
    wanted = WantedColumns(
        *(mention, key_cluster, response_cluster, group),
        *(key_mention, response_mention),
    )
    request = CountRequest(wanted=wanted, **options)
    given = [
        recognise(each, role, remote=request.remote)
        for each, role in zip(tables, ROLES, strict=False)
    ]
    how = readings(given, request)
    with check_unchanged(given):
        fetched = load_into_memory(
            [_fetched(*each, request) for each in zip(given, how, strict=True)], request
        )
    if sum(len(each) for each in fetched) > MOST:
        raise OptionError(
            f"single clusters are looked at in tables of up to {MOST:,} rows; a sample "
            "will do"
        )
    return labels(fetched, request)


def _fetched(
    given: TableInput, reading: TableReading, request: CountRequest
) -> TableInput:
    """Bring a large file into memory, by way of DuckDB."""
    if not isinstance(given, Files) or is_small(given):
        return given
    with DuckSession(request, [given]) as session:
        session.load(given, "wanted", reading)
        table: Any = session.connection.sql(f"FROM wanted LIMIT {MOST + 1}")
        return Frame(given.source, "arrow", table.to_arrow_table())


_ROW_HEIGHT = 0.42

_BAR = 0.36


class _Class(NamedTuple):
    """The clusters of some sizes: how many, and the mean of their mentions' scores."""

    label: str
    key: int
    response: int
    recall: float | None
    precision: float | None


def plot_clusters(path: str | os.PathLike[str], result: Result) -> None:
    """Draw clusters by their size: how many there are, and how well they are found.

    Args:
        path: where to write; its suffix says what: ``.svg``, ``.png`` or ``.html``.
        result: of `scoref.score_table`, or of a saved profile.
    """
    kind = check_plot(path)
    assert result.table is not None
    rows = classes(result.table)
    words = _words(result)
    with settings():
        figure, (count, share) = canvases(len(rows) * _ROW_HEIGHT, 2)
        _draw_counts(count, rows)
        _draw_shares(share, rows)
        finish(count, words, "clusters")
        share.set_xlabel("B³ in percent")
        data = render_figure(figure, kind, words, [_hover(row) for row in rows])
    write_whole(path, data)


def classes(table: Contingency) -> list[_Class]:
    """Sort clusters by size; B³'s recall is the key's, its precision the response's."""
    table = partition(table)
    key, response = _plot_counts(table), _plot_counts(table.swapped)
    last = max([*key, *response], default=0)
    return [
        _Class(
            _label(number),
            key[number].clusters,
            response[number].clusters,
            key[number].share,
            response[number].share,
        )
        for number in range(last + 1)
    ]


class _Counted(NamedTuple):
    """The clusters of one side and some sizes, and the share of B³ that they have."""

    clusters: int = 0
    share: float | None = None


def _plot_counts(table: Contingency) -> defaultdict[int, _Counted]:
    """Count the key's clusters by class, and what is found of their mentions."""
    size, times = table.key_size, np.broadcast_to(table.key_times, table.key_size.shape)
    found = np.square(table.overlap) * np.broadcast_to(
        table.cell_times, table.overlap.shape
    )
    right = np.bincount(table.cell_key, found, len(size)) / size
    class_of = np.array([_class_of(each) for each in size.tolist()], dtype=np.int64)
    classes: defaultdict[int, _Counted] = defaultdict(_Counted)
    for number in np.unique(class_of).tolist():
        rows = class_of == number
        share = right[rows].sum() / (size[rows] * times[rows]).sum()
        classes[number] = _Counted(int(times[rows].sum()), float(share))
    return classes


def _class_of(size: int) -> int:
    """Number the classes: 1, 2, 3 to 4, 5 to 8 and so on.

    >>> [_class_of(size) for size in (1, 2, 3, 4, 5, 8, 9)]
    [0, 1, 2, 2, 3, 3, 4]
    """
    return (size - 1).bit_length()


def _label(number: int) -> str:
    """Name a class.

    >>> [_label(number) for number in range(4)]
    ['1', '2', '3–4', '5–8']
    """
    first, last = 2**number // 2 + 1, 2**number
    return f"{last:,}" if number < 2 else f"{first:,}–{last:,}"  # noqa: PLR2004


def _draw_counts(axes: Axes, rows: list[_Class]) -> None:
    """Draw how many clusters there are of each size, on both sides."""
    for offset, colour, name in ((-0.5, BLUE, "key"), (0.5, VERMILION, "response")):
        places = [place + offset * _BAR for place in range(len(rows))]
        values = [row.key if name == "key" else row.response for row in rows]
        axes.barh(places, values, _BAR, color=colour, label=name, zorder=3)
    axes.set_xscale("symlog", linthresh=1)
    axes.set_xlim(0, None)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.set_yticks(range(len(rows)), [row.label for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_ylabel("mentions in a cluster")


def _draw_shares(axes: Axes, rows: list[_Class]) -> None:
    """Draw B³ by size: recall of the key's clusters, precision of the response's."""
    sides = (("recall, key", "o", BLUE, 0), ("precision, response", "D", VERMILION, 1))
    for label, mark, colour, side in sides:
        found = [(row.recall, row.precision)[side] for row in rows]
        places = [place for place, value in enumerate(found) if value is not None]
        values = [100 * value for value in found if value is not None]
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
        borderaxespad=2.9,  # beside the title
    )


def _hover(row: _Class) -> str:
    figures = [
        f"{name} {100 * value:.2f}"
        for name, value in (("recall", row.recall), ("precision", row.precision))
        if value is not None
    ]
    counts = f"{row.key:,} in the key, {row.response:,} in the response"
    return "; ".join([f"{row.label} mentions: {counts}", *figures])


def _words(result: Result) -> Captions:
    counts, mentions = result.clusters, result.mentions
    subtitle = (
        f"{counts['key']:,} clusters of {mentions['key']:,} mentions in the key, "
        f"{counts['response']:,} of {mentions['response']:,} in the response"
    )
    return Captions("Clusters by size", subtitle, (result.signature,))
