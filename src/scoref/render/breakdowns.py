"""Reports with scores by dataset, by slice and by window.

For datasets, one system has a row for each dataset and several systems have a column
each. With the columns of a shared task's table, several systems have a row each. Slices
have a row each, with their mentions on both sides and F1. Windows have one row for the
whole documents and one for all windows together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scoref.figures import UNDEFINED, counted, percent
from scoref.metrics import conll, labels_of, leading, metrics_of, usual
from scoref.metrics.base import RATIO_DENOMINATORS
from scoref.notes import WARNING, note_lines
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

    from scoref.metrics.base import Floats, Score
    from scoref.render.report import Part
    from scoref.render.scores import ScoreView
    from scoref.scoring.datasets import DatasetResults
    from scoref.scoring.results import Result
    from scoref.scoring.slices import Slices as Sliced
    from scoref.scoring.windows import Window, Windowed

    Slices = Mapping[str, Mapping[str, Result]]
    Systems = Mapping[str, Windowed]


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


def slices_report(systems: Slices, by: str, precision: int = 2) -> Report:
    """Report the slices of each system."""
    return Report(
        name="slices",
        parts=lambda: _parts(systems, by, precision),
        objects=lambda: [
            {
                "response": system,
                "by": by,
                "slices": {name: result_object(each) for name, each in slices.items()},
            }
            for system, slices in systems.items()
        ],
        rows=lambda: _slice_rows(systems, by),
        notes=_slice_notes(systems),
    )


def sliced_report(slices: Sliced) -> Report:
    """Report the slices of one system."""
    response = next((each.response for each in slices.values()), "")
    return slices_report({response: slices}, slices.by)


def _slice_notes(systems: Slices) -> list[str]:
    told = (
        (system, note)
        for system, slices in systems.items()
        for result in slices.values()
        for note in result.notes
    )
    return note_lines(told, of=len(systems))


def _parts(systems: Slices, by: str, precision: int) -> Iterator[Part]:
    for system, slices in systems.items():
        yield _slice_table(slices, system if len(systems) > 1 else "", by, precision)
    found = (result for slices in systems.values() for result in slices.values())
    yield Signatures([result.signature for result in found][:1])


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
        [name, *_slice_sizes(result), *_f1s(result, precision)]
        for name, result in slices.items()
    ]
    return Table(columns(what, *sizes, *labels), rows, title)


def _slice_sizes(result: Result) -> list[str]:
    """Count the mentions of a slice on each side, where they were counted."""
    sums = {name: counts.sum(axis=0) for name, counts in result.counts.items()}
    if "mentions" in sums:
        return [f"{count:.0f}" for count in sums["mentions"][[1, 3]].tolist()]
    if result.metrics == ("zero",):
        true, false, missed, wrong = sums["zero"].tolist()
        return [f"{true + missed + wrong:.0f}", f"{true + false + wrong:.0f}"]
    return []


def _f1s(result: Result, precision: int) -> Iterator[str]:
    """Write F1; there is none where one side has nothing in the slice."""
    for name, score in result.scores.items():
        is_average = name == conll.NAME
        parts = conll.PARTS if is_average else (name,)
        is_there = any(_is_two_sided(result, part) for part in parts)
        is_defined = is_there and (score.is_defined or is_average)
        yield percent(score.f1, precision, is_defined=is_defined)


def _is_two_sided(result: Result, name: str) -> bool:
    """Tell whether both recall and precision have something to be divided by."""
    denominators = metrics_of(result.scheme)[name].denominators
    sums = result.counts[name].sum(axis=0)
    return denominators != RATIO_DENOMINATORS or bool(sums[list(denominators)].all())


def _slice_rows(systems: Slices, by: str) -> Rows:
    rows = (
        [system, by, name, metric, *score, result.signature]
        for system, slices in systems.items()
        for name, result in slices.items()
        for metric, score in result.scores.items()
    )
    place = ["response", "by", "slice", "metric"]
    return Rows([*place, *FIGURES, "defined", "signature"], rows)


def windows_report(systems: Systems, window: Window, view: ScoreView) -> Report:
    """Report the whole and the windows of each system."""
    signature = next(iter(systems.values())).windows.signature
    return Report(
        name="windows",
        parts=lambda: [
            *(
                _window_table(found, system if len(systems) > 1 else "", window, view)
                for system, found in systems.items()
            ),
            Signatures([signature]),
        ],
        objects=lambda: _window_objects(systems, window, view),
        rows=lambda: _window_rows(systems, view),
        notes=_window_notes(systems),
    )


def _window_notes(systems: Systems) -> list[str]:
    """List what was noted, once, and of whom and of what if not of all."""
    found: dict[str, list[tuple[str, str]]] = {}
    for system, windowed in systems.items():
        for part, result in windowed._asdict().items():
            for note in result.notes:
                found.setdefault(note.message, []).append((system, part))
    lines = []
    for message, places in found.items():
        whose, parts = (list(dict.fromkeys(each)) for each in zip(*places, strict=True))
        owners = [", ".join(whose)] if len(whose) < len(systems) else []
        where = [*owners, *(parts if len(parts) == 1 else [])]
        kind = WARNING if message.startswith(WARNING) else ""
        lines.append(f"{kind}{': '.join([*where, message.removeprefix(WARNING)])}")
    return lines


def _window_table(
    found: Windowed, title: str, window: Window, view: ScoreView
) -> Table:
    whose = "BookCoref's windows" if window.is_bookcoref else "windows"
    label = f"{whose} of {window.size} token{'s' if window.size > 1 else ''}"
    rows = [_row("whole", found.whole, view), _row(label, found.windows, view)]
    if view.per_document:
        rows += _rows_by_window(found.windows, view)
    labels = labels_of(found.whole.scheme, found.whole.metrics).values()
    sides = ["Key", "Response"] if "mentions" in found.whole.counts else []
    return Table(columns("", "Documents", *sides, *labels), rows, title)


def _row(label: str, result: Result, view: ScoreView) -> list[str]:
    counts = {name: each.sum(axis=0) for name, each in result.counts.items()}
    count = len(result.documents)
    return [
        label,
        str(count),
        *_window_sizes(counts),
        *_f1_cells(result.scores, view),
    ]


def _rows_by_window(windows: Result, view: ScoreView) -> list[list[str]]:
    rows = []
    for row, (name, scores) in enumerate(windows.per_document.items()):
        counts = {metric: each[row] for metric, each in windows.counts.items()}
        rows.append([name, "1", *_window_sizes(counts), *_f1_cells(scores, view)])
    return rows


def _window_sizes(counts: Mapping[str, Floats]) -> list[str]:
    """Write how many mentions each side has, where they were counted."""
    if "mentions" not in counts:
        return []
    return [f"{count:.0f}" for count in counts["mentions"][[1, 3]].tolist()]


def _f1_cells(scores: Mapping[str, Score], view: ScoreView) -> list[str]:
    return [view.figure(name, score.f1, score) for name, score in scores.items()]


def _window_objects(
    systems: Systems, window: Window, view: ScoreView
) -> Iterator[dict[str, object]]:
    for system, found in systems.items():
        parts = {
            name: result_object(result, per_document=view.per_document)
            for name, result in found._asdict().items()
        }
        yield {"response": system, "window": str(window), **parts}


def _window_rows(systems: Systems, view: ScoreView) -> Rows:
    place = ["document"] if view.per_document else []
    rows = (
        [system, name, *([document] if place else []), metric, *score, result.signature]
        for system, found in systems.items()
        for name, result in found._asdict().items()
        for document, scores in _groups(result, view)
        for metric, score in scores.items()
    )
    figures = ["metric", *FIGURES, "defined", "signature"]
    return Rows(["response", "part", *place, *figures], rows)


def _groups(result: Result, view: ScoreView) -> list[tuple[str, dict[str, Score]]]:
    """Give the corpus, or each of its documents."""
    if view.per_document:
        return list(result.per_document.items())
    return [("", result.scores)]
