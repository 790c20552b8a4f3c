"""The report of a comparison: F1 of all systems, and the differences between them.

The first table has the F1 of each system, followed by letters. A system is
significantly better than those whose letters follow its figure, by randomisation with
Holm's correction. The second table lists the differences one by one.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import TYPE_CHECKING

from scoref.figures import UNDEFINED, difference, figure
from scoref.metrics import labels_of
from scoref.notes import note_lines
from scoref.render.breakdowns import means_line
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
from scoref.scoring.results import Result
from scoref.statistics.additive import by_dataset

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoref.render.report import Unscored
    from scoref.statistics.compare import Comparison, Difference

_STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))
_ROWS = (
    *("first", "second", "metric", "difference", "low", "high"),
    *("p_randomisation", "p_bootstrap", "p_adjusted", "wins", "ties", "losses"),
    *("signature", "comparison"),
)


def comparison_report(
    comparison: Comparison, precision: int = 2, failures: Sequence[Unscored] = ()
) -> Report:
    """Report both tables, and what could not be compared."""
    signatures = Signatures([comparison.scored, comparison.signature])
    return Report(
        name="compare",
        parts=lambda: [
            _systems(comparison, precision),
            _differences(comparison, precision),
            signatures,
            _remarks(comparison),
        ],
        objects=lambda: [_object(comparison)],
        rows=lambda: _rows(comparison),
        notes=_notes(comparison),
        failures=failures,
    )


def _systems(comparison: Comparison, precision: int) -> Table:
    """Give each system a row, with the best figures, and whom it beats."""
    letters = dict(zip(comparison.f1, _letters(len(comparison.f1)), strict=True))
    best = {
        metric: max(
            (f1 for each in comparison.f1.values() if (f1 := each[metric]) is not None),
            default=None,
        )
        for metric in comparison.metrics
    }
    rows = []
    for system, scores in comparison.f1.items():
        row: list[str | Cell] = [f"{letters[system]} {system}"]
        for metric, value in scores.items():
            beaten = [letters[each] for each in _beaten(comparison, system, metric)]
            text = UNDEFINED if value is None else figure(metric, value, precision)
            is_best = value is not None and value == best[metric]
            row.append(Cell(text, is_best, "".join(beaten)))
        rows.append(row)
    return Table(columns("F1", *_labels(comparison).values()), rows)


def _letters(count: int) -> list[str]:
    return [
        ascii_lowercase[number] if number < len(ascii_lowercase) else f"({number + 1})"
        for number in range(count)
    ]


def _beaten(comparison: Comparison, system: str, metric: str) -> list[str]:
    """List the systems than which this one is significantly better."""
    beaten = []
    for row in comparison.differences:
        if (
            row.metric == metric
            and row.adjusted <= comparison.allowed
            and row.difference
        ):
            better, worse = (
                (row.first, row.second)
                if row.difference > 0
                else (row.second, row.first)
            )
            beaten += [worse] * (better == system)
    return beaten


def _differences(comparison: Comparison, precision: int) -> Table:
    labels = _labels(comparison)
    figures = (
        *("ΔF1", f"{comparison.level:g} %", "p (random.)", "p (bootstr.)"),
        *("p (Holm)", "", "win/tie/loss"),
    )
    rows = [
        [
            f"{row.first} - {row.second}",
            labels[row.metric],
            difference(row.metric, row.difference, precision)
            if _is_defined(comparison, row)
            else UNDEFINED,
            _interval(row, precision) if _is_defined(comparison, row) else UNDEFINED,
            f"{row.randomisation:.4f}",
            UNDEFINED if row.bootstrap is None else f"{row.bootstrap:.4f}",
            f"{row.adjusted:.4f}",
            _stars(row),
            f"{row.wins}/{row.ties}/{row.losses}",
        ]
        for row in comparison.differences
    ]
    names = [Column("Difference", "name"), Column("Metric", "name")]
    return Table([*names, *map(Column, figures)], rows)


def _is_defined(comparison: Comparison, row: Difference) -> bool:
    """Tell whether both systems have a figure to take the difference of."""
    pair = row.first, row.second
    return all(comparison.f1[name][row.metric] is not None for name in pair)


def _interval(row: Difference, precision: int) -> str:
    if row.interval is None:
        return UNDEFINED
    low, high = (difference(row.metric, each, precision) for each in row.interval)
    return f"[{low}, {high}]"


def _stars(row: Difference) -> str:
    return next((stars for limit, stars in _STARS if row.adjusted <= limit), "")


def _labels(comparison: Comparison) -> dict[str, str]:
    return labels_of(_one(comparison).scheme, comparison.metrics)


def _one(comparison: Comparison) -> Result:
    found = by_dataset(next(iter(comparison.results.values())))
    return next(iter(found.values()))


def _remarks(comparison: Comparison) -> Remarks:
    allowed = f"{comparison.allowed:.2g}"
    letters = "a letter behind a figure: better than that system, by randomisation"
    return Remarks(
        [
            f"{letters} (p ≤ {allowed} after Holm's correction)",
            "stars: * p ≤ 0.05, ** p ≤ 0.01, *** p ≤ 0.001, after the correction",
            *_means(comparison),
        ]
    )


def _means(comparison: Comparison) -> list[str]:
    """Say how many datasets each mean covers, if there are datasets."""
    datasets = next(iter(comparison.results.values()))
    if isinstance(datasets, Result):
        return []
    labels = _labels(comparison)
    covered = {
        (system, labels[metric]): count
        for system, counts in comparison.covered.items()
        for metric, count in counts.items()
    }
    return [means_line(covered, len(datasets))]


def _notes(comparison: Comparison) -> list[str]:
    """List what was noted of the scores and of the comparison, a line for each kind."""
    told = [
        (system, note)
        for system, found in comparison.results.items()
        for result in by_dataset(found).values()
        for note in result.notes
    ]
    scores = note_lines(told, of=len(comparison.results))
    return [*scores, *(note.message for note in comparison.notes)]


def _rows(comparison: Comparison) -> Rows:
    signatures = comparison.scored, comparison.signature
    rows = (
        [*row[:4], *(row.interval or (None, None)), *row[5:], *signatures]
        for row in _shown_differences(comparison)
    )
    return Rows(_ROWS, rows)


def _shown_differences(comparison: Comparison) -> Iterator[Difference]:
    """List the differences; without one where a system's figure is undefined."""
    for row in comparison.differences:
        if _is_defined(comparison, row):
            yield row
        else:
            yield row._replace(difference=None, interval=None)  # type: ignore[arg-type]  # for JSON and CSV


def _object(comparison: Comparison) -> dict[str, object]:
    return {
        "signature": comparison.scored,
        "comparison": comparison.signature,
        "documents": comparison.documents,
        "systems": comparison.f1,
        "datasets": comparison.covered,
        "differences": [row._asdict() for row in _shown_differences(comparison)],
        "notes": comparison.notes,
    }
