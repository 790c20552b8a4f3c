"""Scores of a table as a report: three figures or one for each metric, and the counts.

Recall, precision and F1 are percentages for people; indices of one number stay as they
are. Programs get fractions at full precision, and nothing for what is not a number.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from scoref.metrics import labels_of, metrics_of, usual
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

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

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
