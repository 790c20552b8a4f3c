"""Reports with scores by dataset, by slice and by window.

For datasets, one system has a row for each dataset and several systems have a column
each. With the columns of a shared task's table, several systems have a row each. Slices
have a row each, with their mentions on both sides and F1. Windows have one row for the
whole documents and one for all windows together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scoref.figures import UNDEFINED, percent, ranks
from scoref.metrics import conll, labels_of, leading_metric, metrics_of, usual
from scoref.metrics.base import RATIO_DENOMINATORS, figures_of
from scoref.notes import WARNING, note_lines
from scoref.printable import counted
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
    SCORE_COLUMNS,
    ScoreView,
    WideRow,
    result_object,
    wide_table,
)
from scoref.schemes import SCHEMES
from scoref.scoring.datasets import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scoref.metrics.base import AnyScore, Floats
    from scoref.render.report import Part
    from scoref.scoring.datasets import DatasetResults
    from scoref.scoring.results import Result
    from scoref.scoring.slices import Slices as Sliced
    from scoref.scoring.windows import Window, Windowed

    Slices = Mapping[str, Mapping[str, Result]]
    Systems = Mapping[str, Windowed]


def datasets_report(
    results: DatasetResults,
    precision: int = 2,
    *,
    is_ranked: bool = False,
    wide: Sequence[str] = (),
) -> Report:
    """Report systems on datasets; for papers with their ranks.

    ``wide`` are the metrics of a wide table with a row for each system.
    """
    tables = _DatasetTables(results, precision, is_ranked)
    signatures = [results.signature(column) for column in results.columns]
    shown = wide or _shown_metrics(results)
    return Report(
        name="score",
        parts=lambda: [
            *(_wide_tables(results, wide, precision) if wide else tables.tables()),
            Remarks([_averages_line(results, shown)]),
            Signatures(signatures),
        ],
        objects=lambda: [
            {
                "dataset": dataset,
                "column": column,
                **result_object(result, with_null=True),
                "response": system,
            }
            for (system, dataset, column), result in results.results.items()
        ],
        rows=lambda: _dataset_rows(results),
        notes=results.notes,
        failures=[
            Unscored(failure.dataset, failure.system, failure.message)
            for failure in results.failures
        ],
        more={"macro": [*_macro_objects(results)]},
    )


def failures_of(results: DatasetResults) -> list[str]:
    """List what could not be scored, and how the average is affected."""
    failures = [failure.message for failure in results.failures]
    meaning = (
        f"{WARNING}Datasets that could not be scored count as 0 in the macro average."
    )
    return [*failures, meaning] if failures else []


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


def _wide_tables(
    results: DatasetResults, metrics: Sequence[str], precision: int
) -> Iterator[Table]:
    """Return a table for each column, with macro averages in a row for each system."""
    for column in results.columns:
        rows = []
        for system in results.systems:
            scores = {
                metric: results.macro_score(system, column, metric)
                for metric in metrics
            }
            rows.append(WideRow(system, scores))
        title = "" if column == DEFAULT else column
        yield wide_table(rows, metrics, ScoreView(precision=precision), title)


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
    """The tables of a report on datasets; ``is_ranked`` adds ranks for papers."""

    results: DatasetResults
    precision: int
    is_ranked: bool

    def tables(self) -> list[Table]:
        """Return one table for one system, or one for each metric."""
        results = self.results
        systems, names = results.systems, results.columns
        if names == (DEFAULT,) and len(systems) == 1:
            shown = {
                _label(metric): (systems[0], DEFAULT, metric)
                for metric in results.metrics
            }
            return [self._by_dataset("F1", shown)]
        tables = []
        for metric in _shown_metrics(results):
            title = f"{_label(metric)} F1"
            if len(systems) == 1:
                shown = {column: (systems[0], column, metric) for column in names}
                tables.append(self._by_dataset(title, shown))
            elif names == (DEFAULT,):
                tables.append(self._systems_by_dataset(title, metric))
            else:
                tables.append(self._systems_by_column(title, metric))
        return tables

    def _by_dataset(self, title: str, shown: dict[str, tuple[str, str, str]]) -> Table:
        """Write a row for each dataset; columns are set-ups or metrics of a system."""
        rows = [
            [name, *(self._cell(name, *which) for which in shown.values())]
            for name in self.results.datasets
        ]
        macro = [self._percent(self.results.macro(*which)) for which in shown.values()]
        return Table(columns(title, *shown), [*rows, [_MACRO, *macro]])

    def _systems_by_dataset(self, title: str, metric: str) -> Table:
        """Write a row for each dataset, whose best is bold, and a column per system."""
        results, systems = self.results, self.results.systems
        rows: list[list[str | Cell]] = []
        for name in results.datasets:
            values = [results.f1(system, name, DEFAULT, metric) for system in systems]
            cells = [self._cell(name, system, DEFAULT, metric) for system in systems]
            rows.append([name, *_mark_best(cells, values)])
        macro = [results.macro(system, DEFAULT, metric) for system in systems]
        rows.append([_MACRO, *_mark_best(map(self._percent, macro), macro)])
        if self.is_ranked:
            rows.append([_RANK, *ranks(macro)])
        return Table(columns(title, *systems), rows)

    def _systems_by_column(self, title: str, metric: str) -> Table:
        """Write a row for each system with its macro averages; the first one ranks."""
        systems, names = self.results.systems, self.results.columns
        macro = {
            column: [self.results.macro(system, column, metric) for system in systems]
            for column in names
        }
        parts: dict[str, list[str | Cell]] = {}
        if self.is_ranked:
            parts[_RANK] = [*ranks(macro[names[0]])]
        for column, values in macro.items():
            parts[column] = _mark_best(map(self._percent, values), values)
        rows = zip(systems, *parts.values(), strict=True)
        return Table(columns(f"{title}, {_MACRO}", *parts), list(rows))

    def _percent(self, value: float | None) -> str:
        return UNDEFINED if value is None else percent(value, self.precision)

    def _cell(self, dataset: str, system: str, column: str, metric: str) -> str:
        """Write F1, or why there is none."""
        if self.results.is_scored(system, dataset, column):
            return self._percent(self.results.f1(system, dataset, column, metric))
        is_missing = any(
            failure.is_missing
            for failure in self.results.failures
            if (failure.system, failure.dataset) == (system, dataset)
        )
        return "missing" if is_missing else "error"


def _mark_best(
    cells: Iterable[str], values: Sequence[float | None]
) -> list[str | Cell]:
    """Mark the highest of some figures."""
    best = max((value for value in values if value is not None), default=None)
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


def _dataset_rows(results: DatasetResults) -> Rows:
    """Write a row for each system, dataset, column and metric."""
    rows = (
        [
            *place,
            name,
            # Where there is nothing to score, the figures are empty.
            *(figures_of(score) if result.is_defined(name) else (None, None, None)),
            score.is_defined,
            result.signature,
        ]
        for place, result in results.results.items()
        for name, score in result.scores.items()
    )
    return Rows(["system", "dataset", "column", *SCORE_COLUMNS], rows)


def _macro_objects(results: DatasetResults) -> Iterator[dict[str, object]]:
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


def slices_report(systems: Slices, by: str, precision: int = 2) -> Report:
    """Report the slices of each system."""
    notes = (
        (system, note)
        for system, slices in systems.items()
        for result in slices.values()
        for note in result.notes
    )
    return Report(
        name="slices",
        parts=lambda: _slice_parts(systems, by, precision),
        objects=lambda: [
            {
                "response": system,
                "by": by,
                "slices": {
                    name: result_object(result) for name, result in slices.items()
                },
            }
            for system, slices in systems.items()
        ],
        rows=lambda: _slice_rows(systems, by),
        notes=note_lines(notes, of=len(systems)),
    )


def sliced_report(slices: Sliced) -> Report:
    """Report the slices of one system."""
    response = next((result.response for result in slices.values()), "")
    return slices_report({response: slices}, slices.by)


def _slice_parts(systems: Slices, by: str, precision: int) -> Iterator[Part]:
    for system, slices in systems.items():
        yield _slice_table(slices, system if len(systems) > 1 else "", by, precision)
    results = (result for slices in systems.values() for result in slices.values())
    yield Signatures([result.signature for result in results][:1])


def _slice_table(
    slices: Mapping[str, Result], title: str, by: str, precision: int
) -> Table:
    what = by.partition(":")[0]
    if not slices:
        return Table(columns(what, "(no mentions)"), [], title)
    first = next(iter(slices.values()))
    labels = list(labels_of(first.scheme, first.metrics).values())
    if by == "distance":
        labels = ["Anaphors"]
    sizes = ["Key", "Response"] if _slice_sizes(first) else []
    rows = [
        [name, *_slice_sizes(result), *_slice_figures(result, precision)]
        for name, result in slices.items()
    ]
    return Table(columns(what, *sizes, *labels), rows, title)


def _slice_sizes(result: Result) -> list[str]:
    """Return the number of mentions on each side, if they were counted."""
    sums = {name: counts.sum(axis=0) for name, counts in result.counts.items()}
    if result.metrics == ("zero",) and "mentions" not in sums:
        true, false, missed, wrong = sums["zero"].tolist()
        return [f"{true + missed + wrong:.0f}", f"{true + false + wrong:.0f}"]
    return _mention_counts(sums)


def _mention_counts(sums: Mapping[str, Floats]) -> list[str]:
    """Write how many mentions each side has, if they were counted."""
    if "mentions" not in sums:
        return []
    return [f"{count:.0f}" for count in sums["mentions"][[1, 3]].tolist()]


def _slice_figures(result: Result, precision: int) -> Iterator[str]:
    """Write F1, which is undefined if one side has nothing in the slice."""
    known = metrics_of(result.scheme)

    def is_two_sided(name: str) -> bool:
        denominators = known[name].denominators
        sums = result.counts[name].sum(axis=0)
        is_ratio = denominators == RATIO_DENOMINATORS
        return not is_ratio or bool(sums[list(denominators)].all())

    for name, score in result.scores.items():
        is_average = name == conll.NAME
        parts = conll.PARTS if is_average else (name,)
        is_defined = any(map(is_two_sided, parts)) and (score.is_defined or is_average)
        yield percent(score.f1, precision, is_defined=is_defined)


def _slice_rows(systems: Slices, by: str) -> Rows:
    """Write a row for each system, slice and metric."""
    rows = (
        [
            system,
            by,
            name,
            metric,
            *figures_of(score),
            score.is_defined,
            result.signature,
        ]
        for system, slices in systems.items()
        for name, result in slices.items()
        for metric, score in result.scores.items()
    )
    return Rows(["response", "by", "slice", *SCORE_COLUMNS], rows)


def windows_report(systems: Systems, window: Window, view: ScoreView) -> Report:
    """Report the whole documents and the windows of each system."""
    signature = next(iter(systems.values())).windows.signature
    return Report(
        name="windows",
        parts=lambda: [
            *(
                _window_table(results, system if len(systems) > 1 else "", window, view)
                for system, results in systems.items()
            ),
            Signatures([signature]),
        ],
        objects=lambda: [
            {
                "response": system,
                "window": str(window),
                **{
                    name: result_object(result, per_document=view.per_document)
                    for name, result in results._asdict().items()
                },
            }
            for system, results in systems.items()
        ],
        rows=lambda: _window_rows(systems, view),
        notes=_window_notes(systems),
    )


def _window_notes(systems: Systems) -> list[str]:
    """Return each note once, with the systems and parts that it is about."""
    places: dict[str, list[tuple[str, str]]] = {}
    for system, windowed in systems.items():
        for part, result in windowed._asdict().items():
            for note in result.notes:
                places.setdefault(note.message, []).append((system, part))
    lines = []
    for message, where in places.items():
        names = list(dict.fromkeys(system for system, _ in where))
        parts = list(dict.fromkeys(part for _, part in where))
        subject = [", ".join(names)] if len(names) < len(systems) else []
        subject += parts if len(parts) == 1 else []
        kind = WARNING if message.startswith(WARNING) else ""
        lines.append(f"{kind}{': '.join([*subject, message.removeprefix(WARNING)])}")
    return lines


def _window_table(
    results: Windowed, title: str, window: Window, view: ScoreView
) -> Table:
    whole, windows = results.whole, results.windows
    whose = "BookCoref's windows" if window.is_bookcoref else "windows"
    label = f"{whose} of {window.size} token{'s' if window.size > 1 else ''}"

    def row(
        name: str,
        documents: int,
        counts: Mapping[str, Floats],
        scores: Mapping[str, AnyScore],
    ) -> list[str]:
        figures = [view.figure(metric, s.f1, s) for metric, s in scores.items()]
        return [name, str(documents), *_mention_counts(counts), *figures]

    rows = []
    for name, result in (("whole", whole), (label, windows)):
        sums = {metric: counts.sum(axis=0) for metric, counts in result.counts.items()}
        rows.append(row(name, len(result.documents), sums, result.scores))
    if view.per_document:
        for number, (name, scores) in enumerate(windows.per_document.items()):
            sums = {metric: counts[number] for metric, counts in windows.counts.items()}
            rows.append(row(name, 1, sums, scores))
    labels = labels_of(whole.scheme, whole.metrics).values()
    sides = ["Key", "Response"] if "mentions" in whole.counts else []
    return Table(columns("", "Documents", *sides, *labels), rows, title)


def _window_rows(systems: Systems, view: ScoreView) -> Rows:
    """Write a row for each system, part, document and metric."""

    def rows() -> Iterator[list[object]]:
        for system, results in systems.items():
            for part, result in results._asdict().items():
                groups = (
                    result.per_document if view.per_document else {"": result.scores}
                )
                for document, scores in groups.items():
                    where = [system, part, *([document] if view.per_document else [])]
                    for metric, score in scores.items():
                        figures = *figures_of(score), score.is_defined
                        yield [*where, metric, *figures, result.signature]

    place = ["response", "part", *(["document"] if view.per_document else [])]
    return Rows([*place, *SCORE_COLUMNS], rows())
