"""Scores of a table as text: three figures or one for each metric, and the counts.

Recall, precision and F1 are percentages for people; indices of one number stay as they
are. Programs get fractions at full precision, and nothing for what is not a number.
"""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import OptionError, unknown
from scoref.printable import printable
from scoref.reports.json import json_text, number
from scoref.reports.tables import UNDEFINED, Table, csv_text, drawn, noted, percent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoref.metrics.base import Score
    from scoref.tables.results import TableResult

RATIOS = {
    "pairwise": "Pairwise, links",
    "pairwise-membership": "Pairwise, with itself",
    "pairwise-s2and": "Pairwise, S2AND",
    "muc": "MUC",
    "bcub": "B³",
    "bcub-entity": "B³ by key cluster",
    "ceafm": "CEAFm",
    "ceafe": "CEAFe",
    "blanc": "BLANC",
    "lea": "LEA",
    "cluster": "Exact cluster",
    "closest-cluster": "Closest cluster",
    "bcub-0": "B³_0",
    "bcub-all": "B³_all",
    "bcub-rn": "B³_r&n",
    "bcub-sys": "B³_sys",
    "ceafm-rn": "CEAFm_r&n",
    "ceafm-sys": "CEAFm_sys",
    "ceafe-sys": "CEAFe_sys",
    "conll": "CoNLL",
}
"""Metrics with recall, precision and F1, as people call them."""

VALUES = {
    "rand": "Rand index",
    "ari": "Adjusted Rand index",
    "fowlkes-mallows": "Fowlkes–Mallows",
    "homogeneity": "Homogeneity",
    "completeness": "Completeness",
    "v-measure": "V-measure",
    "vi": "Variation of information",
    "talburt-wang": "Talburt–Wang",
    "gmd": "Generalised merge distance",
    "purity": "Purity",
    "inverse-purity": "Inverse purity",
}
"""Indices that are one number."""

EVERY = (*RATIOS, *VALUES)
"""All of them, in the order in which they are shown."""

ALIGNED = frozenset(("ceafm", "ceafe", "ceafm-rn", "ceafm-sys", "ceafe-sys", "conll"))
"""What needs an alignment of clusters, or an average with one in it."""

USUAL = (
    *("pairwise", "pairwise-membership", "muc", "bcub", "ceafm", "ceafe", "blanc"),
    *("lea", "cluster", "closest-cluster", "conll"),
    *("ari", "v-measure", "vi", "talburt-wang", "gmd", "purity"),
)
"""What people are shown if they do not ask for anything."""

_ALIASES = {"b3": "bcub", "b³": "bcub", "v": "v-measure"}
_BY_GROUP = ("pairwise", "muc", "bcub", "ceafe", "lea", "cluster", "conll", "ari")
_FEWER = 4  # decimals of a value beside percentages with two
_COUNTED = ("gmd",)


class TableView(NamedTuple):
    """What of a result is shown, and how; no metrics: those that are usual."""

    metrics: tuple[str, ...] = ()
    precision: int = 2
    per_group: bool = False


def chosen(names: str | None) -> tuple[str, ...]:
    """Check metric names and put them into the usual order; none if none is given.

    >>> chosen("ari, B3")
    ('bcub', 'ari')
    """
    if names is None:
        return ()
    given = names.lower().replace(",", " ").split()
    wanted = {_ALIASES.get(name, name) for name in given}
    if "all" in wanted:
        return EVERY
    for name in wanted:
        if name not in EVERY:
            raise unknown("metric", name, (*EVERY, "all"))
    if not wanted:
        raise OptionError("no metric was named; leave the option out to get the usual")
    return tuple(name for name in EVERY if name in wanted)


def render_clusterings(result: TableResult, output: str, view: TableView) -> str:
    """Write a report in one of the usual formats."""
    if output == "json":
        return json_text(table_object(result, view))
    if output == "csv":
        return _csv(result, view)
    tables = _by_group(result, view) if view.per_group else _by_metric(result, view)
    parts = [drawn(table, output) for table in tables]
    return "\n\n".join([*parts, *_remarks(result, output)])


def _by_metric(result: TableResult, view: TableView) -> list[Table]:
    names = view.metrics or USUAL
    rows = [
        [RATIOS[name], *_figures(result, name, view.precision)]
        for name in names
        if name in result.scores
    ]
    values = [
        [VALUES[name], _value(name, result.values[name], view.precision)]
        for name in names
        if name in result.values
    ]
    tables = (
        Table("", ["", "Recall", "Precision", "F1"], rows),
        Table("", ["", "Value"], values),
    )
    return [table for table in tables if table.rows]


def _by_group(result: TableResult, view: TableView) -> list[Table]:
    """Give each group a row; the last one is the whole table."""
    found = (*result.scores, *result.values)
    names = [name for name in view.metrics or _BY_GROUP if name in found]
    header = ["F1", "Key", "Response", *((RATIOS | VALUES)[name] for name in names)]
    rows = [
        [
            group,
            str(each.mentions["key"]),
            str(each.mentions["response"]),
            *(_f1_or_value(each, name, view.precision) for name in names),
        ]
        for group, each in [*result.groups.items(), ("all", result)]
    ]
    return [Table("", header, rows)]


def _figures(result: TableResult, name: str, precision: int) -> list[str]:
    score = result.scores[name]
    return [_figure(result, score, value, precision) for value in score[:3]]


def _f1_or_value(result: TableResult, name: str, precision: int) -> str:
    if name in result.values:
        return _value(name, result.values[name], precision)
    score = result.scores[name]
    return _figure(result, score, score.f1, precision)


def _figure(
    result: TableResult, score: Score, value: float | None, precision: int
) -> str:
    """Write a percentage; 0/0 is none, unless it was asked to be a number."""
    if value is not None and math.isnan(value):
        return UNDEFINED
    is_average = score.recall is None
    is_meant = result.choices.undefined == "one"
    is_defined = score.is_defined or is_average or is_meant
    return percent(value, precision, is_defined=is_defined)


def _value(name: str, value: float, precision: int) -> str:
    """Write an index as it is, with as many digits as percentages have."""
    if math.isnan(value):
        return UNDEFINED
    if name in _COUNTED:
        return f"{value:.0f}"
    return f"{value:.{precision + _FEWER - 2}f}"


def _remarks(result: TableResult, output: str) -> list[str]:
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


def _csv(result: TableResult, view: TableView) -> str:
    place = ["group"] if view.per_group else []
    head = ["metric", "recall", "precision", "f1", "value", "defined", "signature"]
    groups = result.groups if view.per_group else {"": result}
    rows = [
        [*([group] if view.per_group else []), name, *_csv_row(each, name)]
        for group, each in groups.items()
        for name in _names(each, view)
    ]
    return csv_text([*place, *head], rows)


def _csv_row(result: TableResult, name: str) -> list[object]:
    figures: Sequence[float | None]
    if name in result.scores:
        score = result.scores[name]
        figures, is_defined = (*score[:3], None), score.is_defined
    else:
        figures, is_defined = (None, None, None, result.values[name]), True
    return [*map(number, figures), is_defined, result.signature]


def table_object(result: TableResult, view: TableView) -> dict[str, object]:
    """Give a result as JSON knows it."""
    written: dict[str, object] = {"signature": result.signature}
    written |= _counted(result, view)
    if result.columns:
        written["columns"] = dict(result.columns)
    if view.per_group:
        written["groups"] = {
            group: _counted(each, view) for group, each in result.groups.items()
        }
    written["notes"] = [dataclasses.asdict(note) for note in result.notes]
    return written


def _counted(result: TableResult, view: TableView) -> dict[str, object]:
    return {
        "mentions": dict(result.mentions),
        "clusters": dict(result.clusters),
        "scores": {name: _score(result, name) for name in _names(result, view)},
    }


def _names(result: TableResult, view: TableView) -> list[str]:
    """List what programs get: what was asked for, or all that there is."""
    found = (*result.scores, *result.values)
    wanted = view.metrics or EVERY
    return [name for name in wanted if name in found]


def _score(result: TableResult, name: str) -> dict[str, float | bool | None]:
    if name in result.values:
        return {"value": number(result.values[name])}
    score = result.scores[name]
    f1 = number(score.f1)
    if score.recall is None:
        return {"f1": f1}
    return {
        "recall": number(score.recall),
        "precision": number(score.precision),
        "f1": f1,
        "defined": score.is_defined,
    }
