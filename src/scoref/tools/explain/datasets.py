"""Conventions over several datasets: the macro average of each one's figures."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scoref.metrics import METRICS, conll, parts_of
from scoref.metrics.base import Score
from scoref.model import Note
from scoref.tools.explain.explanation import Explanation, PracticeRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


def across(explanations: Mapping[str, Explanation]) -> Explanation:
    """Average every convention over datasets; one that a dataset lacks has no row."""
    every = list(explanations.values())
    first = every[0]
    shared = [row.name for row in first.rows if all(_has(each, row) for each in every)]
    reference = _averaged([each.row(shared[0]) for each in every], None)
    rows = [_averaged([each.row(name) for each in every], reference) for name in shared]
    absent = dict.fromkeys(
        row.label for each in every for row in each.rows if row.name not in shared
    )
    message = f"left out, since not every dataset has them: {', '.join(absent)}"
    notes = [Note("left-out", len(absent), message)] if absent else []
    return Explanation(
        key=first.key,
        response=first.response,
        format=first.format,
        documents=tuple(name for each in every for name in each.documents),
        rows=(reference, *rows[1:]),
        notes=(*notes, *_partial(every, shared[0])),
    )


def _partial(every: Sequence[Explanation], name: str) -> list[Note]:
    """Say how many datasets a mean covers, if it does not cover all of them."""
    rows = [each.row(name) for each in every]
    counts = {
        metric: sum(_is_defined(row, metric) for row in rows)
        for metric in rows[0].scores
        if all(metric in row.scores for row in rows)
    }
    parts = [
        f"{METRICS[metric].label} over {count} of {len(rows)} datasets"
        for metric, count in counts.items()
        if count < len(rows)
    ]
    if not parts:
        return []
    message = f"undefined (0/0) elsewhere, so averaged: {', '.join(parts)}"
    return [Note("partial-means", len(parts), message)]


def _has(explanation: Explanation, wanted: PracticeRow) -> bool:
    return any(row.name == wanted.name for row in explanation.rows)


def _averaged(
    rows: Sequence[PracticeRow], reference: PracticeRow | None
) -> PracticeRow:
    """Average figures; causes are those of any dataset."""
    first = rows[0]
    names = [name for name in first.scores if all(name in row.scores for row in rows)]
    scores = {
        name: _mean([row.scores[name] for row in rows if _is_defined(row, name)])
        for name in names
    }
    causes = {
        name: tuple(dict.fromkeys(_phrases(rows, name)))
        for name in dict.fromkeys(each for row in rows for each in row.causes)
    }
    signature = f"{first.signature}|datasets:macro" if first.signature else None
    if reference is None:
        return PracticeRow(first.convention, scores, signature, {}, None)
    gap = scores[conll.NAME].f1 - reference.scores[conll.NAME].f1
    return PracticeRow(first.convention, scores, signature, causes, gap)


def _phrases(rows: Sequence[PracticeRow], name: str) -> Iterable[str]:
    return (each for row in rows for each in row.causes.get(name, ()))


def _is_defined(row: PracticeRow, metric: str) -> bool:
    """Tell whether there is anything to score; a mean is defined if a part of it is."""
    parts = [row.scores[part] for part in parts_of(metric) if part in row.scores]
    return any(score.is_defined for score in parts or [row.scores[metric]])


def _mean(scores: Sequence[Score]) -> Score:
    """Average the datasets in which a metric is defined; 0/0 if there is none."""
    if not scores:
        return Score(0.0, 0.0, 0.0, is_defined=False)
    recall, precision, f1 = (
        _mean_of(each) for each in zip(*(score[:3] for score in scores), strict=True)
    )
    assert f1 is not None  # noqa: S101 - every score has one
    return Score(recall, precision, f1)


def _mean_of(values: Iterable[float | None]) -> float | None:
    found = [value for value in values if value is not None]
    return math.fsum(found) / len(found) if found else None
