"""Datasets × systems as text: the table of a shared task.

One system is shown with a row for each dataset, several with a column for each;
with columns of a shared task's table, several systems have a row each.
"""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

from scoref.datasets import DEFAULT
from scoref.metrics import NAMES, conll, metrics_of
from scoref.reports.json import result_object
from scoref.reports.tables import (
    Table,
    aligned,
    latex_table,
    markdown_table,
    percent,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.datasets import DatasetResults

_MACRO = "macro average"


def render_folders(results: DatasetResults, output: str) -> str:
    """Write the table in one of the usual formats."""
    if output == "json":
        return _json(results)
    if output == "csv":
        return _csv(results)
    tables = _tables(results)
    draw: Callable[[Table], str] = {
        "text": aligned,
        "markdown": markdown_table,
        "latex": latex_table,
    }[output]
    signatures = [results.signature(column) for column in results.columns]
    if output == "markdown":
        signatures = [f"`{signature}`  " for signature in signatures]
    remarks = [*signatures, *(f"note: {each}" for each in _remarks(results))]
    if output == "latex":
        remarks = [f"% {line}" for part in remarks for line in part.split("\n")]
    return "\n\n".join([*map(draw, tables), "\n".join(remarks)])


def shown_metric(results: DatasetResults) -> str:
    """Choose the metric that stands for a system where only one can be shown."""
    return conll.NAME if conll.NAME in results.metrics else results.metrics[0]


def _tables(results: DatasetResults) -> list[Table]:
    systems, columns = results.systems, results.columns
    if columns == (DEFAULT,) and len(systems) == 1:
        shown = {_label(each): (systems[0], DEFAULT, each) for each in results.metrics}
        return [_by_dataset(results, "F1", shown)]
    return [_table_of(results, metric) for metric in _shown_metrics(results)]


def _shown_metrics(results: DatasetResults) -> tuple[str, ...]:
    """Show what was asked for; of all metrics, the one that systems are ranked by."""
    was_asked = len(results.metrics) < len(NAMES)
    return results.metrics if was_asked else (shown_metric(results),)


def _table_of(results: DatasetResults, metric: str) -> Table:
    systems, columns = results.systems, results.columns
    if columns == (DEFAULT,):
        shown = {system: (system, DEFAULT, metric) for system in systems}
    elif len(systems) > 1:
        return _systems_by_column(results, metric)
    else:
        shown = {column: (systems[0], column, metric) for column in columns}
    return _by_dataset(results, f"{_label(metric)} F1", shown)


def _by_dataset(
    results: DatasetResults, title: str, shown: dict[str, tuple[str, str, str]]
) -> Table:
    """Give each dataset a row; a column shows a system, a set-up or a metric."""
    rows = [
        [name, *(_shown(results, name, *which) for which in shown.values())]
        for name in results.datasets
    ]
    rows.append([_MACRO, *(percent(results.macro(*each)) for each in shown.values())])
    return Table("", [title, *shown], rows)


def _systems_by_column(results: DatasetResults, metric: str) -> Table:
    rows = [
        [each, *(percent(results.macro(each, c, metric)) for c in results.columns)]
        for each in results.systems
    ]
    return Table("", [f"{_label(metric)} F1, {_MACRO}", *results.columns], rows)


def _shown(
    results: DatasetResults, dataset: str, system: str, column: str, metric: str
) -> str:
    value = results.f1(system, dataset, column, metric)
    if value is not None:
        return percent(value)
    gone = any(
        failure.is_missing
        for failure in results.failures
        if (failure.system, failure.dataset) == (system, dataset)
    )
    return "missing" if gone else "error"


def _label(metric: str) -> str:
    from scoref.scheme import SCHEMES  # noqa: PLC0415 - labels are the same in all

    known = metrics_of(SCHEMES["default"])
    return known[metric].label if metric in known else conll.LABEL


def _remarks(results: DatasetResults) -> list[str]:
    remarks = [failure.message for failure in results.failures]
    if remarks:
        remarks.append("what is missing counts as 0 in the macro average")
    return [*results.notes, *remarks]


def _csv(results: DatasetResults) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    head = "system dataset column metric recall precision f1 defined signature"
    writer.writerow(head.split())
    for (system, dataset, column), result in results.results.items():
        for name, score in result.scores.items():
            place = [system, dataset, column]
            writer.writerow([*place, name, *score, result.signature])
    return out.getvalue().rstrip("\n")


def _json(results: DatasetResults) -> str:
    written = {
        "signatures": {column: results.signature(column) for column in results.columns},
        "datasets": list(results.datasets),
        "notes": list(results.notes),
        "systems": [
            {
                "response": system,
                "macro": {
                    column: {
                        metric: results.macro(system, column, metric)
                        for metric in results.metrics
                    }
                    for column in results.columns
                },
                "results": {
                    column: {
                        dataset: result_object(result, per_document=False)
                        for (who, dataset, which), result in results.results.items()
                        if (who, which) == (system, column)
                    }
                    for column in results.columns
                },
                "failures": [
                    {"dataset": failure.dataset, "message": failure.message}
                    for failure in results.failures
                    if failure.system == system
                ],
            }
            for system in results.systems
        ],
    }
    return json.dumps(written, ensure_ascii=False, indent=2)
