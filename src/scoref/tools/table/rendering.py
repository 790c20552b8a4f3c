"""Scores of a table as text: three figures or one for each metric, and the counts.

Recall, precision and F1 are percentages for people; indices of one number stay as they
are. Programs get fractions at full precision, and nothing for what is not a number.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, NamedTuple

from scoref.metrics import labels_of
from scoref.printable import printable
from scoref.render.json import json_text, number
from scoref.render.tables import Table, View, by_metric, csv_text, drawn, noted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoref.scoring.results import Result

_BY_GROUP = ("pairwise", "muc", "bcub", "ceafe", "lea", "cluster", "conll", "ari")


class TableView(NamedTuple):
    """How a result is shown."""

    precision: int = 2
    per_group: bool = False
    was_asked: bool = False  # for these metrics; otherwise groups have fewer


def render_clusterings(result: Result, output: str, view: TableView) -> str:
    """Write a report in one of the usual formats."""
    if output == "json":
        return json_text(table_object(result, view))
    if output == "csv":
        return _csv(result, view)
    tables = (
        _by_group(result, view)
        if view.per_group
        else by_metric(result, _view(result, view))
    )
    parts = [drawn(table, output) for table in tables]
    return "\n\n".join([*parts, *_remarks(result, output)])


def _by_group(result: Result, view: TableView) -> list[Table]:
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
    return [Table("", ["F1", "Key", "Response", *labels.values()], rows)]


def _figure(result: Result, name: str, view: TableView) -> str:
    score = result.scores[name]
    return _view(result, view).figure(name, score.f1, score)


def _view(result: Result, view: TableView) -> View:
    is_meant = result.scheme.undefined == "one"
    return View(precision=view.precision, shows_undefined=is_meant)


def _remarks(result: Result, output: str) -> list[str]:
    notes = [noted(note.message, output) for note in result.notes]
    counts = [clusters_line(result.clusters), mentions_line(result.mentions)]
    if result.columns:
        counts.append(columns_line(result.columns))
    if output == "markdown":
        return [*counts, f"`{result.signature}`", *notes]
    if output == "latex":
        lines = "\n".join([*counts, result.signature, *notes]).split("\n")
        return ["\n".join(f"% {line}" for line in lines)]
    return ["\n".join(counts), "\n".join([result.signature, *notes])]


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


def columns_line(columns: Mapping[str, str]) -> str:
    """Say which columns were read, and what for.

    >>> columns_line({"key mention": "id", "key cluster": "person"})
    "Columns: key mention 'id', key cluster 'person'"
    """
    named = [f"{use} '{printable(name)}'" for use, name in columns.items()]
    return f"Columns: {', '.join(named)}"


def _csv(result: Result, view: TableView) -> str:
    place = ["group"] if view.per_group else []
    head = ["metric", "recall", "precision", "f1", "value", "defined", "signature"]
    groups = result.groups if view.per_group else {"": result}
    rows = [
        [*([group] if view.per_group else []), name, *_csv_row(each, name)]
        for group, each in groups.items()
        for name in each.metrics
    ]
    return csv_text([*place, *head], rows)


def _csv_row(result: Result, name: str) -> list[object]:
    score = result.scores[name]
    figures: Sequence[float | None] = (*score[:3], None)
    if name in result.values:
        figures = (None, None, None, score.f1)
    return [*map(number, figures), score.is_defined, result.signature]


def table_object(result: Result, view: TableView) -> dict[str, object]:
    """Give a result as JSON knows it."""
    written: dict[str, object] = {"signature": result.signature}
    written |= _counted(result)
    if result.columns:
        written["columns"] = dict(result.columns)
    if view.per_group:
        written["groups"] = {
            group: _counted(each) for group, each in result.groups.items()
        }
    written["notes"] = [dataclasses.asdict(note) for note in result.notes]
    return written


def _counted(result: Result) -> dict[str, object]:
    return {
        "mentions": result.mentions,
        "clusters": result.clusters,
        "scores": {name: _score(result, name) for name in result.metrics},
    }


def _score(result: Result, name: str) -> dict[str, float | bool | None]:
    score = result.scores[name]
    f1 = number(score.f1)
    if name in result.values:
        return {"value": f1}
    if score.recall is None:
        return {"f1": f1}
    return {
        "recall": number(score.recall),
        "precision": number(score.precision),
        "f1": f1,
        "defined": score.is_defined,
    }
