"""Reports with scores by dataset.

One system has a row for each dataset and several systems have a column each. With the
columns of a shared task's table, several systems have a row each.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, product
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from scoref.figures import UNDEFINED, figure, ranks
from scoref.metrics import (
    is_distance,
    labels_of,
    leading_metric,
    means,
    scale_of,
    usual,
)
from scoref.metrics.base import figures_of
from scoref.notes import note_lines
from scoref.printable import counted
from scoref.render.objects import confidence_object, result_object
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
from scoref.render.scores import (
    ABOUT_TRIVIAL,
    SCORE_COLUMNS,
    ScoreView,
    WideRow,
    bound_names,
    bounds_of,
    by_document,
    wide_table,
)
from scoref.schemes import SCHEMES
from scoref.scoring.datasets import DEFAULT
from scoref.scoring.trivial import BEST

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scoref.scoring.datasets import DatasetResults
    from scoref.scoring.results import Result
    from scoref.scoring.windows import Windowed
    from scoref.statistics.bootstrap import Interval
    from scoref.statistics.confidence import Confidence

    Intervals = Mapping[tuple[str, str | None, str], Confidence]
    Slices = Mapping[str, Mapping[str, Result]]
    Systems = Mapping[str, Windowed]


class DatasetView(NamedTuple):
    """How a report on datasets is shown.

    ``is_ranked`` adds ranks, and puts the best system first if each has a row. ``wide``
    are the metrics of a wide table with a row for each system. ``confidence`` has the
    intervals of each system, dataset and column, and those of the macro average, whose
    dataset is None.
    """

    precision: int = 2
    is_ranked: bool = False
    per_document: bool = False
    wide: Sequence[str] = ()
    confidence: Intervals = MappingProxyType({})

    def interval(
        self, place: tuple[str, str | None, str], metric: str
    ) -> Interval | None:
        """Return the interval of F₁ if there is one."""
        if place not in self.confidence:
            return None
        return self.confidence[place].intervals.get(metric, {}).get("f1")


_PLAIN = DatasetView()


def datasets_report(results: DatasetResults, view: DatasetView = _PLAIN) -> Report:
    """Report systems on datasets."""
    per_document, confidence = view.per_document, view.confidence
    signatures = [*filter(None, map(results.signature, results.columns))]
    chance = list(dict.fromkeys(each.signature for each in confidence.values()))
    shown = view.wide or _shown_metrics(results)
    return Report(
        name="score",
        parts=lambda: [
            *(_document_tables(results, view.precision) if per_document else []),
            *(
                _wide_tables(results, view)
                if view.wide
                else [
                    *_DatasetTables(results, view).tables(),
                    *_trivial_tables(results, view),
                ]
            ),
            Remarks(
                [
                    _averages_line(results, shown),
                    *([ABOUT_TRIVIAL] if _trivial_systems(results).systems else []),
                ]
            ),
            Signatures([*signatures, *chance]),
        ],
        objects=lambda: [
            {
                "dataset": place[1],
                "column": place[2],
                **result_object(result, with_null=True, per_document=per_document),
                "response": place[0],
                **(
                    {"confidence": confidence_object(confidence[place])}
                    if place in confidence
                    else {}
                ),
            }
            for place, result in results.results.items()
        ],
        rows=lambda: _dataset_rows(results, confidence, per_document=per_document),
        notes=[
            *results.notes,
            *_confidence_notes(results, confidence),
            *_trivial_notes(results),
        ],
        failures=[
            Unscored(failure.dataset, failure.system, failure.message)
            for failure in results.failures
        ],
        more={"macro": [*_macro_objects(results, confidence)]},
    )


def _trivial_systems(results: DatasetResults) -> DatasetResults:
    """Return the trivial systems that all scored datasets have, as systems.

    A dataset that could not be scored counts as 0, as it does for other systems.
    """
    scored = {
        (_trivial_label(results, name, system), dataset, column): trivial
        for (system, dataset, column), result in results.results.items()
        for name, trivial in result.trivial.items()
    }
    lacking = _without_average(results)
    names = dict.fromkeys(name for name, _, _ in scored if name not in lacking)
    return replace(results, systems=tuple(names), results=scored)


def _without_average(results: DatasetResults) -> list[str]:
    """Return the trivial systems that some scored dataset lacks."""
    scored = results.results.items()
    names = dict.fromkeys(name for _, result in scored for name in result.trivial)
    lacking = [
        _trivial_label(results, name, place[0])
        for name in names
        for place, result in scored
        if name not in result.trivial
    ]
    return list(dict.fromkeys(lacking))


def _trivial_label(results: DatasetResults, name: str, system: str) -> str:
    """Return the name of a trivial system, which may belong to one of many systems."""
    is_shared = name != BEST or len(results.systems) == 1
    return name if is_shared else f"{name} for {system}"


def _trivial_notes(results: DatasetResults) -> list[str]:
    """Note which trivial systems have no average."""
    lacking = ", ".join(_without_average(results))
    message = "These trivial systems have no average, because not all datasets have "
    return [f"{message}them: {lacking}."] if lacking else []


def _trivial_tables(results: DatasetResults, view: DatasetView) -> Iterator[Table]:
    """Return a table of macro averages for each column, with trivial systems."""
    trivial = _trivial_systems(results)
    if not trivial.systems:
        return
    labels = {metric: _label(metric) for metric in results.metrics}
    for column in results.columns:
        rows = [
            [system, *(tables.macro(system, column, metric) for metric in labels)]
            for tables in (_DatasetTables(results, view), _DatasetTables(trivial, view))
            for system in tables.results.systems
        ]
        title = "" if column == DEFAULT else column
        yield Table(columns(f"F₁, {_MACRO}", *labels.values()), rows, title)


def _document_tables(results: DatasetResults, precision: int) -> list[Table]:
    """Write a table for each result, with a row for each document."""
    tables = []
    for (system, dataset, column), result in results.results.items():
        title = [dataset]
        title += [system] if len(results.systems) > 1 else []
        title += [column] if len(results.columns) > 1 else []
        view = ScoreView(per_document=True, precision=precision)
        tables.append(by_document(result, ", ".join(title), view))
    return tables


def _confidence_notes(results: DatasetResults, confidence: Intervals) -> list[str]:
    """Return the notes on intervals, each with its dataset."""
    notes = [
        (f"{system} {dataset}", note)
        for (system, dataset, _), intervals in confidence.items()
        for note in intervals.notes
    ]
    lines = note_lines(dict.fromkeys(notes), of=len(confidence))
    lacking = [
        system
        for system in results.systems
        if any((system, None, column) not in confidence for column in results.columns)
    ]
    if confidence and lacking:
        lines.append(
            f"{', '.join(lacking)}: not all datasets could be scored, so there is no "
            "interval for the macro average."
        )
    return lines


def means_line(covered: Mapping[tuple[str, str], int], datasets: int) -> str:
    """Write how many datasets each mean covers, by system and label.

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


def _wide_tables(results: DatasetResults, view: DatasetView) -> Iterator[Table]:
    """Return a table for each column, with macro averages in a row for each system."""
    trivial = _trivial_systems(results)
    for column in results.columns:
        rows = []
        for system in _rows_of_systems(results, view):
            scores = {
                metric: results.macro_score(system, column, metric)
                for metric in view.wide
            }
            intervals = {
                metric: interval
                for metric in view.wide
                if (interval := view.interval((system, None, column), metric))
            }
            rows.append(WideRow(system, scores, intervals))
        for system in trivial.systems:
            scores = {
                metric: trivial.macro_score(system, column, metric)
                for metric in view.wide
            }
            rows.append(WideRow(system, scores, competes=False))
        title = "" if column == DEFAULT else column
        yield wide_table(rows, view.wide, ScoreView(precision=view.precision), title)


def _rows_of_systems(results: DatasetResults, view: DatasetView) -> list[str]:
    """Return the systems, the best one first if they are ranked.

    The macro average of the leading metric decides, and the first column.
    """
    metric, column = leading_metric(results.metrics), results.columns[0]
    values = {name: results.macro(name, column, metric) for name in results.systems}
    sign = 1 if is_distance(metric) else -1
    known = [name for name, value in values.items() if value is not None]
    if view.is_ranked:
        known.sort(key=lambda name: sign * (values[name] or 0.0))
        return [*known, *(name for name in values if name not in known)]
    return [*values]


def _averages_line(results: DatasetResults, metrics: Sequence[str]) -> str:
    several = len(results.columns) > 1
    covered = {
        (system, f"{_label(metric)} ({column})" if several else _label(metric)): len(
            results.covered(system, column, metric)
        )
        for metric in metrics
        for system in results.systems
        for column in results.columns
    }
    return means_line(covered, len(results.datasets))


_MACRO = "macro average"

_RANK = "rank"


class _DatasetTables(NamedTuple):
    """The tables of a report on datasets."""

    results: DatasetResults
    view: DatasetView

    def tables(self) -> list[Table]:
        """Return one table for one system, or one for each metric."""
        results = self.results
        systems, names = results.systems, results.columns
        if names == (DEFAULT,) and len(systems) == 1:
            shown = {
                _label(metric): (systems[0], DEFAULT, metric)
                for metric in results.metrics
            }
            return [self._by_dataset("F₁", shown)]
        tables = []
        for metric in _shown_metrics(results):
            title = (
                f"{_label(metric)} F₁"
                if scale_of(metric) == "percent"
                else _label(metric)
            )
            if len(systems) == 1:
                shown = {column: (systems[0], column, metric) for column in names}
                tables.append(self._by_dataset(title, shown))
            elif names == (DEFAULT,):
                tables.append(self._systems_by_dataset(title, metric))
            else:
                tables.append(self._systems_by_column(title, metric))
        return tables

    def _by_dataset(self, title: str, shown: dict[str, tuple[str, str, str]]) -> Table:
        """Write a row for each dataset; columns are schemes or metrics of a system."""
        rows = [
            [name, *(self._cell(name, *which) for which in shown.values())]
            for name in self.results.datasets
        ]
        macro = [self.macro(*which) for which in shown.values()]
        return Table(columns(title, *shown), [*rows, [_MACRO, *macro]])

    def _systems_by_dataset(self, title: str, metric: str) -> Table:
        """Write a row for each dataset, whose best is bold, and a column per system."""
        results, systems = self.results, self.results.systems
        rows: list[list[str | Cell]] = []
        for name in results.datasets:
            values = [results.f1(system, name, DEFAULT, metric) for system in systems]
            cells = [self._cell(name, system, DEFAULT, metric) for system in systems]
            rows.append([name, *_mark_best(cells, values, metric)])
        macro = [results.macro(system, DEFAULT, metric) for system in systems]
        cells = [self.macro(system, DEFAULT, metric) for system in systems]
        rows.append([_MACRO, *_mark_best(cells, macro, metric)])
        if self.view.is_ranked:
            rows.append([_RANK, *ranks(macro, is_distance=is_distance(metric))])
        return Table(columns(title, *systems), rows)

    def _systems_by_column(self, title: str, metric: str) -> Table:
        """Write a row for each system with macro averages; the first column ranks."""
        systems = _rows_of_systems(self.results, self.view)
        names = self.results.columns
        macro = {
            column: [self.results.macro(system, column, metric) for system in systems]
            for column in names
        }
        parts: dict[str, list[str | Cell]] = {}
        if self.view.is_ranked:
            first = macro[names[0]]
            parts[_RANK] = [*ranks(first, is_distance=is_distance(metric))]
        for column, values in macro.items():
            cells = [self.macro(system, column, metric) for system in systems]
            parts[column] = _mark_best(cells, values, metric)
        rows = [*zip(systems, *parts.values(), strict=True)]
        return Table(columns(f"{title}, {_MACRO}", *parts), rows)

    def macro(self, system: str, column: str, metric: str) -> str:
        """Write a macro average."""
        value = self.results.macro(system, column, metric)
        return self._figure(value, (system, None, column), metric)

    def _figure(
        self, value: float | None, place: tuple[str, str | None, str], metric: str
    ) -> str:
        """Write a figure, and its interval if there is one."""
        if value is None:
            return UNDEFINED
        text = figure(metric, value, self.view.precision)
        interval = self.view.interval(place, metric)
        if interval is None:
            return text
        low, high = (figure(metric, end, self.view.precision) for end in interval)
        return f"{text} [{low}, {high}]"

    def _cell(self, dataset: str, system: str, column: str, metric: str) -> str:
        """Write F₁, or why there is none."""
        if self.results.is_scored(system, dataset, column):
            value = self.results.f1(system, dataset, column, metric)
            return self._figure(value, (system, dataset, column), metric)
        is_missing = any(
            failure.is_missing
            for failure in self.results.failures
            if (failure.system, failure.dataset) == (system, dataset)
        )
        return "missing" if is_missing else "error"


def _mark_best(
    cells: Iterable[str], values: Sequence[float | None], metric: str
) -> list[str | Cell]:
    """Mark the best of some figures."""
    known = [value for value in values if value is not None]
    choose = min if is_distance(metric) else max
    best = choose(known, default=None)
    return [
        cell if value is None else Cell(cell, is_best=value == best)
        for cell, value in zip(cells, values, strict=True)
    ]


def _shown_metrics(results: DatasetResults) -> tuple[str, ...]:
    """Return the metrics that were asked for, or else the one that ranks systems."""
    if results.columns == (DEFAULT,) and len(results.systems) == 1:
        return results.metrics
    was_asked = len(results.metrics) < len(usual("texts"))
    return results.metrics if was_asked else (leading_metric(results.metrics),)


def _label(metric: str) -> str:
    # Labels are the same in all schemes.
    return labels_of(SCHEMES["default"], [metric])[metric]


def _dataset_rows(
    results: DatasetResults, confidence: Intervals, *, per_document: bool
) -> Rows:
    """Write a row for each system, dataset, column, document and metric.

    A dataset that could not be scored has rows with 0, as in the macro average.
    """
    scored = {(*place, ""): result for place, result in results.results.items()}
    for (system, dataset, column), result in results.results.items():
        for name, trivial in result.trivial.items():
            owner = system if name == BEST else ""
            scored.setdefault((owner, dataset, column, name), trivial)
    has_trivial = len(scored) > len(results.results)

    def scored_rows() -> Iterator[list[object]]:
        for (*place, trivial), result in scored.items():
            own = None if trivial else confidence.get((place[0], place[1], place[2]))
            view = ScoreView(confidence=(own,) if own else ())
            groups = result.per_document if per_document else {trivial: result.scores}
            for document, scores in groups.items():
                for name, score in scores.items():
                    # Where there is nothing to score, the figures are empty.
                    is_empty = not per_document and not result.is_defined(name)
                    yield [
                        *place,
                        *([document] if per_document or has_trivial else []),
                        name,
                        *((None, None, None) if is_empty else figures_of(score)),
                        score.is_defined,
                        result.signature,
                        *(bounds_of(name, 0, view) or blank),
                    ]

    def unscored() -> Iterator[list[object]]:
        places = product(results.systems, results.datasets, results.columns)
        for place in (place for place in places if not results.is_scored(*place)):
            signature = results.signature(place[2]).removesuffix("|datasets:macro")
            for name in results.metrics:
                has_ratios = scale_of(name) == "percent" and not means([name])
                yield [
                    *place,
                    *([""] if more else []),
                    name,
                    *([0.0, 0.0] if has_ratios else [None, None]),
                    None if is_distance(name) else 0.0,
                    False,
                    signature,
                    *blank,
                ]

    more = ["trivial"] if has_trivial else []
    more = ["document"] if per_document else more
    any_view = ScoreView(confidence=tuple(confidence.values())[:1])
    blank = [None] * len(bound_names(any_view))
    names = ["system", "dataset", "column", *more, *SCORE_COLUMNS]
    every = chain(scored_rows(), unscored())
    return Rows([*names, *bound_names(any_view)], every)


def _macro_objects(
    results: DatasetResults, confidence: Intervals
) -> Iterator[dict[str, object]]:
    trivial = _trivial_systems(results)
    names = dict.fromkeys(
        name for each in results.results.values() for name in each.trivial
    )
    for system in results.systems:
        labels = {name: _trivial_label(results, name, system) for name in names}
        for column in results.columns:
            averages = {
                name: {
                    metric: trivial.macro(label, column, metric)
                    for metric in results.metrics
                }
                for name, label in labels.items()
                if label in trivial.systems
            }
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
                **(
                    {"confidence": confidence_object(confidence[system, None, column])}
                    if (system, None, column) in confidence
                    else {}
                ),
                **({"trivial": averages} if averages else {}),
            }
