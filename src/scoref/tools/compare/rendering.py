"""The report of a comparison: F₁ of all systems, and the differences between them.

The first table has the F₁ of each system, or in a wide table also recall and precision.
Letters after F₁ name the systems that this one significantly outperforms, by
randomisation with Holm's correction. The second table lists the differences.
"""

from __future__ import annotations

from string import ascii_lowercase
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from scoref.figures import UNDEFINED, difference, figure
from scoref.metrics import labels_of
from scoref.notes import note_lines
from scoref.render.report import (
    Cell,
    Column,
    Remarks,
    Report,
    Rows,
    Signatures,
    Table,
    columns,
)
from scoref.render.scores import ScoreView, WideRow, runs_remark, wide_table
from scoref.scoring.results import Result, mean_score
from scoref.statistics.additive import by_dataset

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scoref.metrics.base import AnyScore
    from scoref.render.report import Unscored
    from scoref.statistics.bootstrap import Interval
    from scoref.statistics.compare import Comparison, Difference

_STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))

_HEADER = (
    *("first", "second", "metric", "difference", "low", "high"),
    *("p_randomisation", "p_bootstrap", "p_adjusted", "wins", "ties", "losses"),
    *("signature", "comparison"),
)


class ComparisonView(NamedTuple):
    """How a comparison is shown.

    ``wide`` are the metrics of a wide table, ``intervals`` those of its F₁ by system
    and metric.
    """

    precision: int = 2
    wide: tuple[str, ...] = ()
    intervals: Mapping[str, Mapping[str, Interval]] = MappingProxyType({})


_DEFAULT_VIEW = ComparisonView()


def comparison_report(
    comparison: Comparison,
    view: ComparisonView = _DEFAULT_VIEW,
    failures: Sequence[Unscored] = (),
) -> Report:
    """Report both tables, and datasets that could not be compared."""
    notes = [
        (system if len(result.runs) == 1 else response, note)
        for system, results in comparison.results.items()
        for result in by_dataset(results).values()
        for response, note in result.notes_by_response
    ]
    signatures = comparison.scored, comparison.signature
    return Report(
        name="compare",
        parts=lambda: [
            _system_table(comparison, view),
            _difference_table(comparison, view.precision),
            Signatures(list(signatures)),
            _remarks(comparison, view),
        ],
        objects=lambda: [_object(comparison)],
        rows=lambda: Rows(
            _HEADER,
            (
                [*row[:4], *(row.interval or (None, None)), *row[5:], *signatures]
                for row in _defined_differences(comparison)
            ),
        ),
        notes=[
            *note_lines(notes, of=_responses(comparison)),
            *(note.message for note in comparison.notes),
        ],
        failures=failures,
    )


def _responses(comparison: Comparison) -> int:
    """Count the systems, or their runs if there are several of a system."""
    return sum(comparison.runs.values()) or len(comparison.results)


def _system_table(comparison: Comparison, view: ComparisonView) -> Table:
    """Return a row for each system: its figures, and the systems that it beats."""
    letters = {
        system: ascii_lowercase[number : number + 1] or f"({number + 1})"
        for number, system in enumerate(comparison.f1)
    }
    marks: dict[str, dict[str, str]] = {system: {} for system in letters}
    for row in comparison.differences:
        if row.adjusted <= comparison.allowed and row.difference:
            pair = row.first, row.second
            better, worse = pair if row.difference > 0 else reversed(pair)
            known = marks[better].get(row.metric, "")
            marks[better][row.metric] = known + letters[worse]
    if view.wide:
        rows = [
            WideRow(
                f"{letters[system]} {system}",
                {metric: _mean_score(results, metric) for metric in view.wide},
                view.intervals.get(system, {}),
                marks[system],
                sds=_sds(results, view.wide),
            )
            for system, results in comparison.results.items()
        ]
        return wide_table(rows, view.wide, ScoreView(precision=view.precision))
    return _f1_table(comparison, letters, marks, view.precision)


def _sds(
    results: Result | Mapping[str, Result], metrics: Sequence[str]
) -> Mapping[str, AnyScore]:
    """Return the standard deviations over runs of a file, if there are several."""
    return results.of_metrics(metrics).sd if isinstance(results, Result) else {}


def _mean_score(results: Result | Mapping[str, Result], metric: str) -> AnyScore:
    """Return the score of a file, or the mean over datasets that have one."""
    if isinstance(results, Result):
        return results.score_by(metric)
    return mean_score(
        result.score_by(metric)
        for result in results.values()
        if result.is_defined(metric)
    )


def _f1_table(
    comparison: Comparison,
    letters: Mapping[str, str],
    marks: Mapping[str, Mapping[str, str]],
    precision: int,
) -> Table:
    best = {
        metric: max(
            (f1 for row in comparison.f1.values() if (f1 := row[metric]) is not None),
            default=None,
        )
        for metric in comparison.metrics
    }
    rows = []
    for system, scores in comparison.f1.items():
        cells: list[str | Cell] = [f"{letters[system]} {system}"]
        for metric, value in scores.items():
            text = UNDEFINED if value is None else figure(metric, value, precision)
            sd = comparison.sd.get(system, {}).get(metric)
            if sd is not None and value is not None:
                text = f"{text} ± {figure(metric, sd, precision)}"
            is_best = value is not None and value == best[metric]
            cells.append(Cell(text, is_best, marks[system].get(metric, "")))
        rows.append(cells)
    return Table(columns("F₁", *_labels(comparison).values()), rows)


def _difference_table(comparison: Comparison, precision: int) -> Table:
    """Return a row for each pair of systems and each metric."""
    labels = _labels(comparison)
    rows = []
    for row in comparison.differences:
        gap = interval = UNDEFINED
        if _is_defined(comparison, row):
            gap = difference(row.metric, row.difference, precision)
            if row.interval is not None:
                ends = [difference(row.metric, end, precision) for end in row.interval]
                interval = f"[{', '.join(ends)}]"
        stars = (stars for limit, stars in _STARS if row.adjusted <= limit)
        rows.append(
            [
                f"{row.first} - {row.second}",
                labels[row.metric],
                gap,
                interval,
                f"{row.randomisation:.4f}",
                UNDEFINED if row.bootstrap is None else f"{row.bootstrap:.4f}",
                f"{row.adjusted:.4f}",
                next(stars, ""),
                f"{row.wins}/{row.ties}/{row.losses}",
            ]
        )
    names = [Column("Difference", "name"), Column("Metric", "name")]
    figures = (
        *("ΔF₁", f"{comparison.level:g} %", "p (random.)", "p (bootstr.)"),
        *("p (Holm)", "", "win/tie/loss"),
    )
    return Table([*names, *map(Column, figures)], rows)


def _is_defined(comparison: Comparison, row: Difference) -> bool:
    """Return whether both systems have a figure."""
    pair = row.first, row.second
    return all(comparison.f1[name][row.metric] is not None for name in pair)


def _labels(comparison: Comparison) -> dict[str, str]:
    results = by_dataset(next(iter(comparison.results.values())))
    return labels_of(next(iter(results.values())).scheme, comparison.metrics)


def _remarks(comparison: Comparison, view: ComparisonView) -> Remarks:
    """Explain letters and stars, and say how many datasets each mean covers."""
    labels = _labels(comparison)
    allowed = f"p ≤ {comparison.allowed:.2g} after Holm's correction"
    letters = (
        "Letters after a figure name the systems that this system significantly "
        f"outperforms (approximate randomisation, {allowed})."
    )
    lines = [
        letters,
        "Stars: * p ≤ 0.05, ** p ≤ 0.01, *** p ≤ 0.001, after Holm's correction.",
    ]
    if remark := runs_remark(comparison.runs):
        lines.append(remark)
    datasets = next(iter(comparison.results.values()))
    result = next(iter(by_dataset(datasets).values()))
    if len(comparison.metrics) == 1 < len(view.wide or result.metrics):
        label = labels[comparison.metrics[0]]
        lines.append(f"Only {label} was tested. Use --metrics to test other metrics.")
    if not isinstance(datasets, Result):
        from scoref.render.datasets import means_line  # files need no folders

        covered = {
            (system, labels[metric]): count
            for system, counts in comparison.covered.items()
            for metric, count in counts.items()
        }
        lines.append(means_line(covered, len(datasets)))
    return Remarks(lines)


def _defined_differences(comparison: Comparison) -> Iterator[Difference]:
    """Return the differences, with None where a system's figure is undefined."""
    for row in comparison.differences:
        if _is_defined(comparison, row):
            yield row
        else:
            yield row._replace(difference=None, interval=None)  # type: ignore[arg-type]  # for JSON and CSV


def _runs_object(comparison: Comparison) -> dict[str, object]:
    """Return the number of runs, the mean and the standard deviation of each system."""
    if not comparison.runs:
        return {}
    return {"runs": comparison.runs, "mean": comparison.f1, "sd": comparison.sd}


def _object(comparison: Comparison) -> dict[str, object]:
    return {
        "signature": comparison.scored,
        "comparison": comparison.signature,
        "documents": comparison.documents,
        "systems": comparison.f1,
        **_runs_object(comparison),
        "datasets": comparison.covered,
        "differences": [row._asdict() for row in _defined_differences(comparison)],
        "notes": comparison.notes,
    }
