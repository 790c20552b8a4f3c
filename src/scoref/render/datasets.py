"""Datasets × systems as a report: the table of a shared task.

One system is shown with a row for each dataset, several with a column for each;
with columns of a shared task's table, several systems have a row each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scoref.figures import UNDEFINED, counted, percent
from scoref.metrics import labels_of, leading, usual
from scoref.render.report import (
    Cell,
    Remarks,
    Report,
    Rows,
    Signatures,
    Table,
    Unscored,
    columns,
)
from scoref.render.scores import FIGURES, result_object
from scoref.schemes import SCHEMES
from scoref.scoring.datasets import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scoref.scoring.datasets import DatasetResults
    from scoref.scoring.results import Result

_MACRO = "macro average"
_RANK = "rank"


def datasets_report(
    results: DatasetResults, precision: int = 2, *, is_ranked: bool = False
) -> Report:
    """Report systems on datasets; for papers with their ranks."""
    drawn = _Drawn(results, precision, is_ranked)
    signatures = [results.signature(column) for column in results.columns]
    return Report(
        name="score",
        parts=lambda: [
            *drawn.tables(),
            Remarks([_means(results)]),
            Signatures(signatures),
        ],
        objects=lambda: _objects(results),
        rows=lambda: _rows(results),
        notes=results.notes,
        failures=[
            Unscored(each.dataset, each.system, each.message)
            for each in results.failures
        ],
        more={"macro": [*_macros(results)]},
    )


def failures_of(results: DatasetResults) -> list[str]:
    """List what could not be scored, and what that means."""
    failures = [failure.message for failure in results.failures]
    meaning = "what is missing counts as 0 in the macro average"
    return [*failures, meaning] if failures else []


def means_line(covered: Mapping[tuple[str, str], int], datasets: int) -> str:
    """Say how many datasets each mean covers, by system and label.

    >>> means_line({("a", "MUC"): 3, ("a", "Zeros"): 1}, 3)
    'Averages are over 3 datasets; Zeros over 1.'
    >>> means_line({("a", "Zeros"): 2, ("b", "Zeros"): 1}, 2)
    'Averages are over 2 datasets; Zeros of b over 1.'
    """
    systems = {system for system, _ in covered}
    labels = dict.fromkeys(label for _, label in covered)
    parts = [f"Averages are over {counted(datasets, 'dataset')}"]
    for label in labels:
        counts = {system: covered[system, label] for system in systems}
        if len({*counts.values()}) == 1:
            count = next(iter(counts.values()))
            parts += [f"{label} over {count or 'none'}"] * (count < datasets)
            continue
        parts += [
            f"{label} of {system} over {count or 'none'}"
            for (system, name), count in covered.items()
            if name == label and count < datasets
        ]
    return f"{'; '.join(parts)}."


def _means(results: DatasetResults) -> str:
    several = len(results.columns) > 1
    covered = {
        (system, f"{_label(metric)} ({column})" if several else _label(metric)): len(
            results.covered(system, column, metric)
        )
        for metric in _shown_metrics(results)
        for system in results.systems
        for column in results.columns
    }
    return means_line(covered, len(results.datasets))


class _Drawn(NamedTuple):
    """Tables of datasets, with so many decimals; those for papers have ranks, too."""

    results: DatasetResults
    precision: int
    is_ranked: bool

    def tables(self) -> list[Table]:
        """Give one system a row for each dataset, several a column each."""
        results = self.results
        systems, names = results.systems, results.columns
        if names == (DEFAULT,) and len(systems) == 1:
            shown = {
                _label(each): (systems[0], DEFAULT, each) for each in results.metrics
            }
            return [self._by_dataset("F1", shown)]
        return [self._table_of(metric) for metric in _shown_metrics(results)]

    def _table_of(self, metric: str) -> Table:
        systems, names = self.results.systems, self.results.columns
        title = f"{_label(metric)} F1"
        if len(systems) == 1:
            shown = {column: (systems[0], column, metric) for column in names}
            return self._by_dataset(title, shown)
        if names == (DEFAULT,):
            return self._systems_by_dataset(title, metric)
        return self._systems_by_column(title, metric)

    def _by_dataset(self, title: str, shown: dict[str, tuple[str, str, str]]) -> Table:
        """Give each dataset a row; columns are set-ups or metrics of one system."""
        rows = [
            [name, *(self._shown(name, *which) for which in shown.values())]
            for name in self.results.datasets
        ]
        macro = [self._percent(self.results.macro(*which)) for which in shown.values()]
        return Table(columns(title, *shown), [*rows, [_MACRO, *macro]])

    def _systems_by_dataset(self, title: str, metric: str) -> Table:
        """Give each dataset a row, whose best is bold, and each system a column."""
        systems = self.results.systems
        rows: list[list[str | Cell]] = []
        for name in self.results.datasets:
            which = [(name, each, DEFAULT, metric) for each in systems]
            values = [self.results.f1(each, name, DEFAULT, metric) for each in systems]
            cells = [self._shown(*each) for each in which]
            rows.append([name, *_with_best(cells, values)])
        macro = [self.results.macro(each, DEFAULT, metric) for each in systems]
        rows.append([_MACRO, *_with_best(map(self._percent, macro), macro)])
        if self.is_ranked:
            rows.append([_RANK, *_ranks(macro)])
        return Table(columns(title, *systems), rows)

    def _systems_by_column(self, title: str, metric: str) -> Table:
        """Give each system a row with its macro averages: the first column ranks."""
        systems, names = self.results.systems, self.results.columns
        macro = {
            column: [self.results.macro(each, column, metric) for each in systems]
            for column in names
        }
        parts: dict[str, list[str | Cell]] = {}
        if self.is_ranked:
            parts[_RANK] = [*_ranks(macro[names[0]])]
        for column, values in macro.items():
            parts[column] = _with_best(map(self._percent, values), values)
        rows = zip(systems, *parts.values(), strict=True)
        return Table(columns(f"{title}, {_MACRO}", *parts), list(rows))

    def _percent(self, value: float | None) -> str:
        return UNDEFINED if value is None else percent(value, self.precision)

    def _shown(self, dataset: str, system: str, column: str, metric: str) -> str:
        if self.results.is_scored(system, dataset, column):
            return self._percent(self.results.f1(system, dataset, column, metric))
        gone = any(
            failure.is_missing
            for failure in self.results.failures
            if (failure.system, failure.dataset) == (system, dataset)
        )
        return "missing" if gone else "error"


def _with_best(
    cells: Iterable[str], values: Sequence[float | None]
) -> list[str | Cell]:
    """Mark the highest of some figures."""
    best = max((value for value in values if value is not None), default=None)
    return [
        cell if value is None else Cell(cell, is_best=value == best)
        for cell, value in zip(cells, values, strict=True)
    ]


def _ranks(values: Sequence[float | None]) -> list[str]:
    """Count from the highest; equal ones have the same rank, undefined ones none.

    >>> _ranks([0.5, 0.7, 0.7, None, 0.1])
    ['3', '1', '1', '–', '4']
    """
    known = [value for value in values if value is not None]
    return [
        UNDEFINED if value is None else str(1 + sum(other > value for other in known))
        for value in values
    ]


def _shown_metrics(results: DatasetResults) -> tuple[str, ...]:
    """Show what was asked for; of all metrics, the one that systems are ranked by."""
    if results.columns == (DEFAULT,) and len(results.systems) == 1:
        return results.metrics
    was_asked = len(results.metrics) < len(usual("texts"))
    return results.metrics if was_asked else (leading(results.metrics),)


def _label(metric: str) -> str:
    # Labels are the same in all schemes.
    return labels_of(SCHEMES["default"], [metric])[metric]


def _rows(results: DatasetResults) -> Rows:
    rows = (
        [*place, name, *_figures(result, name), score.is_defined, result.signature]
        for place, result in results.results.items()
        for name, score in result.scores.items()
    )
    place = ["system", "dataset", "column", "metric"]
    return Rows([*place, *FIGURES, "defined", "signature"], rows)


def _figures(result: Result, metric: str) -> Sequence[float | None]:
    """Return recall, precision and F1; None where there is nothing to score."""
    is_defined = result.is_defined(metric)
    return result.scores[metric][:3] if is_defined else (None, None, None)


def _objects(results: DatasetResults) -> Iterator[dict[str, object]]:
    for (system, dataset, column), result in results.results.items():
        place = {"dataset": dataset, "column": column}
        yield {**place, **result_object(result, with_null=True), "response": system}


def _macros(results: DatasetResults) -> Iterator[dict[str, object]]:
    for system in results.systems:
        for column in results.columns:
            yield {
                "response": system,
                "column": column,
                "signature": results.signature(column),
                "f1": {
                    metric: results.macro(system, column, metric)
                    for metric in results.metrics
                },
                "datasets": {
                    metric: len(results.covered(system, column, metric))
                    for metric in results.metrics
                },
            }
