"""Datasets × systems as text: the table of a shared task.

One system is shown with a row for each dataset, several with a column for each;
with columns of a shared task's table, several systems have a row each.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from scoref.datasets import DEFAULT
from scoref.metrics import NAMES, labels_of, leading
from scoref.printable import printable
from scoref.reports.json import json_text, result_object
from scoref.reports.tables import Table, csv_text, drawn, noted, percent
from scoref.scheme import SCHEMES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref.datasets import DatasetResults

_MACRO = "macro average"


def render_folders(results: DatasetResults, output: str, precision: int = 2) -> str:
    """Write the table in one of the usual formats."""
    if output == "json":
        return _json(results)
    if output == "csv":
        return _csv(results)
    parts = [drawn(table, output) for table in _Drawn(results, precision).tables()]
    signatures = [results.signature(column) for column in results.columns]
    if output == "markdown":
        signatures = [f"`{signature}`  " for signature in signatures]
    remarks = [*signatures, *(_noted(each, output) for each in _remarks(results))]
    if output == "latex":
        remarks = [f"% {line}" for part in remarks for line in part.split("\n")]
    return "\n\n".join([*parts, "\n".join(remarks)])


def render_each(reports: Mapping[str, str], output: str) -> str:
    """Put together reports of several datasets, each with the dataset's name."""
    if output == "json":
        objects = {name: json.loads(report) for name, report in reports.items()}
        return json_text({"datasets": objects})
    if output == "csv":
        return _csv_of_each(reports)
    mark = {"markdown": "## ", "latex": "% "}.get(output, "")
    return "\n\n".join(
        f"{mark}{printable(name)}\n\n{report}" for name, report in reports.items()
    )


def _csv_of_each(reports: Mapping[str, str]) -> str:
    """Put the dataset in front of every row; reports need not have the same columns."""
    import csv  # noqa: PLC0415 - seldom wanted
    import io  # noqa: PLC0415

    rows: list[dict[str, object]] = [
        {"dataset": name, **row}
        for name, report in reports.items()
        for row in csv.DictReader(io.StringIO(report, newline=""))
    ]
    names = list(dict.fromkeys(name for row in rows for name in row)) or ["dataset"]
    return csv_text(names, ([row.get(name) for name in names] for row in rows))


def _noted(message: str, output: str) -> str:
    """Write a note; an error's message has lines of its own."""
    first, *others = message.split("\n")
    return "\n".join([noted(first, output), *others])


class _Drawn(NamedTuple):
    """Tables of datasets, with so many decimals."""

    results: DatasetResults
    precision: int

    def tables(self) -> list[Table]:
        """Give one system a row for each dataset, several a column each."""
        results = self.results
        systems, columns = results.systems, results.columns
        if columns == (DEFAULT,) and len(systems) == 1:
            shown = {
                _label(each): (systems[0], DEFAULT, each) for each in results.metrics
            }
            return [self._by_dataset("F1", shown)]
        return [self._table_of(metric) for metric in _shown_metrics(results)]

    def _table_of(self, metric: str) -> Table:
        systems, columns = self.results.systems, self.results.columns
        if columns == (DEFAULT,):
            shown = {system: (system, DEFAULT, metric) for system in systems}
        elif len(systems) > 1:
            return self._systems_by_column(metric)
        else:
            shown = {column: (systems[0], column, metric) for column in columns}
        return self._by_dataset(f"{_label(metric)} F1", shown)

    def _by_dataset(self, title: str, shown: dict[str, tuple[str, str, str]]) -> Table:
        """Give each dataset a row; a column shows a system, a set-up or a metric."""
        rows = [
            [name, *(self._shown(name, *which) for which in shown.values())]
            for name in self.results.datasets
        ]
        rows.append([_MACRO, *(self._macro(*which) for which in shown.values())])
        return Table("", [title, *shown], rows)

    def _systems_by_column(self, metric: str) -> Table:
        columns = self.results.columns
        rows = [
            [each, *(self._macro(each, column, metric) for column in columns)]
            for each in self.results.systems
        ]
        return Table("", [f"{_label(metric)} F1, {_MACRO}", *columns], rows)

    def _macro(self, system: str, column: str, metric: str) -> str:
        return percent(self.results.macro(system, column, metric), self.precision)

    def _shown(self, dataset: str, system: str, column: str, metric: str) -> str:
        value = self.results.f1(system, dataset, column, metric)
        if value is not None:
            return percent(value, self.precision)
        gone = any(
            failure.is_missing
            for failure in self.results.failures
            if (failure.system, failure.dataset) == (system, dataset)
        )
        return "missing" if gone else "error"


def _shown_metrics(results: DatasetResults) -> tuple[str, ...]:
    """Show what was asked for; of all metrics, the one that systems are ranked by."""
    was_asked = len(results.metrics) < len(NAMES)
    return results.metrics if was_asked else (leading(results.metrics),)


def _label(metric: str) -> str:
    # Labels are the same in all schemes.
    return labels_of(SCHEMES["default"], [metric])[metric]


def _remarks(results: DatasetResults) -> list[str]:
    remarks = [failure.message for failure in results.failures]
    if remarks:
        remarks.append("what is missing counts as 0 in the macro average")
    return [*results.notes, *remarks]


def _csv(results: DatasetResults) -> str:
    head = "system dataset column metric recall precision f1 defined signature"
    rows = [
        [*place, name, *score, result.signature]
        for place, result in results.results.items()
        for name, score in result.scores.items()
    ]
    return csv_text(head.split(), rows)


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
    return json_text(written)
