"""Reports of `scoref explain`: conventions side by side, and who gives a figure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scoref.figures import UNDEFINED, percent
from scoref.metrics import conll, labels_of
from scoref.render.report import (
    Column,
    Remarks,
    Report,
    Rows,
    Signatures,
    Table,
    columns,
)
from scoref.render.scores import FIGURES
from scoref.schemes import SCHEMES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoref.metrics.base import Score
    from scoref.render.report import Part
    from scoref.tools.explain.explanation import Explanation, PracticeRow
    from scoref.tools.explain.figures import Finding, Match

_BEFORE, _BEHIND = (*conll.PARTS, conll.NAME), ("blanc", "lea")
_KINDS = {"recall": "recall", "precision": "precision", "f1": "F1"}
_EQUAL = "equal"
_MOST = 12


def explanation_report(
    explanation: Explanation, findings: Sequence[Finding] = (), precision: int = 2
) -> Report:
    """Report the answers, and the table behind them."""
    return Report(
        name="explain",
        parts=lambda: _parts(explanation, findings, precision),
        objects=lambda: [_object(explanation, findings)],
        rows=lambda: _rows(explanation),
        notes=[note.message for note in explanation.notes],
    )


def _parts(
    explanation: Explanation, findings: Sequence[Finding], precision: int
) -> Iterator[Part]:
    lines = answers(explanation, findings)
    if lines:
        yield Remarks(lines)
    yield _table(explanation, precision)
    yield Signatures([explanation.reference.signature or ""])


def answers(explanation: Explanation, findings: Sequence[Finding]) -> list[str]:
    """Say in a sentence which convention gives a figure, or which come near."""
    lines = [line for found in findings for line in _answer(explanation, found)]
    if len(findings) > 1:
        lines.append(_together(explanation, findings))
    return lines


def _answer(explanation: Explanation, found: Finding) -> list[str]:
    lines = [_sentence(explanation, found, match) for match in found.matches]
    if len(lines) > _MOST:
        more = f"{found.figure.text} is {len(lines) - _MOST} more figures; "
        return [*lines[:_MOST], f"{more}give it with more digits"]
    if found.matches:
        return lines
    near = [_nearest(explanation, found, match) for match in found.nearest]
    return [f"no convention gives {found.figure.text}; nearest are", *near]


def _sentence(explanation: Explanation, found: Finding, match: Match) -> str:
    row = explanation.row(match.convention)
    cut = ", if it is cut and not rounded" if match.how == "cut" else ""
    what = f"{found.figure.text} is the {_name(match)} of '{row.label}'{cut}"
    reference = explanation.reference
    if row is reference:
        return f"{what}, the reference"
    parts = [what, *_other(reference, found, match)]
    cause = row.cause_of(match.metric)
    return "; ".join([*parts, *([f"cause: {cause}"] if cause else [])])


def _other(reference: PracticeRow, found: Finding, match: Match) -> list[str]:
    value = getattr(reference.scores[match.metric], match.kind)
    if value is None:
        return []
    return [f"the reference is {_percent(value, max(found.figure.decimals, 2))}"]


def _nearest(explanation: Explanation, found: Finding, match: Match) -> str:
    decimals = max(found.figure.decimals, 2)
    value = _percent(match.value, decimals)
    distance = f"{100 * match.value - found.figure.percent:+.{decimals}f}"
    label = explanation.row(match.convention).label
    return f"  {value} ({distance}), the {_name(match)} of '{label}'"


def _together(explanation: Explanation, findings: Sequence[Finding]) -> str:
    """Say who gives all figures at once."""
    given = [
        f"'{explanation.row(each).label}'" for each in explanation.giving(findings)
    ]
    if not given:
        return "no convention gives all of them"
    return f"all of them are given by {', '.join(given)}"


def _name(match: Match) -> str:
    if match.metric == conll.NAME:
        kind = {"f1": "score"}.get(match.kind, f"mean {match.kind}")
        return f"{conll.LABEL} {kind}"
    return f"{_label(match.metric)} {_KINDS[match.kind]}"


def _label(metric: str) -> str:
    return labels_of(SCHEMES["default"], [metric])[metric]


def _table(explanation: Explanation, precision: int) -> Table:
    labels = [*map(_label, _BEFORE), "Δ", *map(_label, _BEHIND)]
    causes = [
        _shown_cause(row, explanation.reference, precision) for row in explanation.rows
    ]
    rows = [
        [
            row.label,
            *(_cell(row, name, precision) for name in _BEFORE),
            _difference(row, precision),
            *(_cell(row, name, precision) for name in _BEHIND),
            cause,
        ]
        for row, cause in zip(explanation.rows, causes, strict=True)
    ]
    return Table([*columns("F1", *labels), Column("cause", "text")], rows)


def _shown_cause(row: PracticeRow, reference: PracticeRow, precision: int) -> str:
    """Give causes of what can be seen at this precision."""
    if row is reference:
        return "the reference"
    seen = [
        name
        for name in row.causes
        if _written(row.scores[name], reference.scores[name], precision)
        != _written(reference.scores[name], row.scores[name], precision)
    ]
    return row.cause_of(*seen) or _EQUAL


def _written(score: Score, other: Score, precision: int) -> list[str]:
    """Write the figures that both have."""
    pairs = zip(score[:3], other[:3], strict=True)
    return [_percent(a, precision) for a, b in pairs if a is not None and b is not None]


def _cell(row: PracticeRow, metric: str, precision: int) -> str:
    score = row.scores.get(metric)
    if score is None:
        return ""
    is_defined = score.is_defined or metric == conll.NAME
    return _percent(score.f1, precision) if is_defined else UNDEFINED


def _difference(row: PracticeRow, precision: int) -> str:
    if row.difference is None:
        return ""
    if math.isnan(row.difference):
        return UNDEFINED
    text = f"{100 * row.difference:+.{precision}f}"
    return "" if not text.strip("+-0.") else text


def _percent(value: float, precision: int) -> str:
    return percent(value, precision, is_defined=not math.isnan(value))


def _rows(explanation: Explanation) -> Rows:
    place = ["convention", "metric", *FIGURES]
    header = [*place, "defined", "difference", "cause", "signature"]
    reference = explanation.reference
    return Rows(
        header, (cells for row in explanation.rows for cells in _cells(row, reference))
    )


def _cells(row: PracticeRow, reference: PracticeRow) -> Iterator[list[object]]:
    for name, score in row.scores.items():
        other = reference.scores.get(name)
        difference = None if other is None else score.f1 - other.f1
        cause = row.cause_of(name) or ""
        yield [row.name, name, *score, difference, cause, row.signature or ""]


def _object(explanation: Explanation, findings: Sequence[Finding]) -> dict[str, object]:
    written: dict[str, object] = {
        "dataset": None,
        "key": explanation.key,
        "response": explanation.response,
        "format": explanation.format,
        "documents": len(explanation.documents),
        "reference": explanation.reference.name,
        "conventions": [_row_object(row) for row in explanation.rows],
        "notes": explanation.notes,
    }
    if findings:
        written["got"] = [_finding_object(explanation, found) for found in findings]
        written["given_by"] = explanation.giving(findings)
    return written


def _row_object(row: PracticeRow) -> dict[str, object]:
    return {
        "name": row.name,
        "label": row.label,
        "users": row.convention.users,
        "cause": row.cause,
        "causes": row.causes,
        "difference": row.difference,
        "signature": row.signature,
        "scores": {
            name: {
                "recall": score.recall,
                "precision": score.precision,
                "f1": score.f1,
                "defined": score.is_defined,
            }
            for name, score in row.scores.items()
        },
    }


def _finding_object(explanation: Explanation, found: Finding) -> dict[str, object]:
    return {
        "figure": found.figure.text,
        "percent": found.figure.percent,
        "metric": found.figure.metric,
        "kind": found.figure.kind,
        "answer": _answer(explanation, found),
        "matches": [match._asdict() for match in found.matches],
        "nearest": [match._asdict() for match in found.nearest],
    }
