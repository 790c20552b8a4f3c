"""Reports of `scoref explain`: conventions side by side, and who gives a figure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scoref.figures import UNDEFINED, percent
from scoref.metrics import conll, labels_of
from scoref.metrics.base import FIGURES, figures_of
from scoref.printable import counted
from scoref.render.report import (
    Column,
    Remarks,
    Report,
    Rows,
    Signatures,
    Table,
    columns,
)
from scoref.schemes import SCHEMES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoref.render.report import Part
    from scoref.tools.explain.explanation import Explanation, PracticeRow
    from scoref.tools.explain.figures import Figure, Finding, Match

_BEFORE = (*conll.PARTS, conll.NAME)
"""The metrics in the table before the difference of the CoNLL score."""

_AFTER = ("blanc", "lea")
"""The metrics after it."""

_MOST = 12  # matches of a figure that are listed


def explanation_report(
    explanation: Explanation, findings: Sequence[Finding] = (), precision: int = 2
) -> Report:
    """Report the answers, and a table of all conventions."""

    def parts() -> Iterator[Part]:
        lines = answers(explanation, findings)
        if lines:
            yield Remarks(lines)
        table = _table(explanation, precision)
        yield table
        if any(str(row[-1]).endswith("]") for row in table.rows):
            yield Remarks(["In brackets: a small conformance case with this cause."])
        yield Signatures([explanation.reference.signature or ""])

    return Report(
        name="explain",
        parts=parts,
        objects=lambda: [_object(explanation, findings)],
        rows=lambda: _rows(explanation),
        notes=[note.message for note in explanation.notes],
    )


def answers(explanation: Explanation, findings: Sequence[Finding]) -> list[str]:
    """Say in sentences which convention gives a figure, or which come near."""
    lines = [line for finding in findings for line in _answer(explanation, finding)]
    if len(findings) > 1:
        names = explanation.giving(findings)
        labels = [f"'{explanation.row(name).label}'" for name in names]
        lines.append(
            f"All figures match {', '.join(labels)}."
            if labels
            else "No convention matches all figures."
        )
    return lines


def _answer(explanation: Explanation, finding: Finding) -> list[str]:
    """Say which convention gives one figure, or which come near."""
    figure = finding.figure
    if not finding.matches:
        is_conll = [match.metric == conll.NAME for match in finding.nearest]
        is_mixed = any(is_conll) and not all(is_conll)
        near = "CoNLL scores and other figures" if is_mixed else "figures"
        lines = [f"No convention gives {figure.text}. The nearest {near} are:"]
        decimals = max(figure.decimals, 2)
        for match in finding.nearest:
            value = _percent(match.value, decimals)
            distance = f"{100 * match.value - figure.percent:+.{decimals}f}"
            label = explanation.row(match.convention).label
            lines.append(f"  {value} ({distance}): {_name(match)} of '{label}'")
        return lines
    lines = [_sentence(explanation, figure, match) for match in finding.matches]
    if len(lines) > _MOST:
        more = f"{figure.text} matches {counted(len(lines) - _MOST, 'more figure')}."
        return [*lines[:_MOST], f"{more} Give it with more digits."]
    return lines


def _sentence(explanation: Explanation, figure: Figure, match: Match) -> str:
    """Say that a convention gives a figure, and why the reference does not."""
    row, reference = explanation.row(match.convention), explanation.reference
    cut = ", truncated instead of rounded" if match.how == "cut" else ""
    parts = [f"{figure.text} is the {_name(match)} of '{row.label}'{cut}"]
    if row is reference:
        return f"{parts[0]}, the reference."
    value = getattr(reference.scores[match.metric], match.kind, None)
    if value is not None:
        decimals = max(figure.decimals, 2)
        parts.append(f"The reference is {_percent(value, decimals)}")
    cause = row.cause_of(match.metric)
    if cause:
        parts.append(f"Cause: {cause}")
    return ". ".join(parts) + "."


def _name(match: Match) -> str:
    """Name a metric's recall, precision or F₁."""
    if match.metric == conll.NAME:
        kind = "score" if match.kind == "f1" else f"mean {match.kind}"
        return f"{conll.LABEL} {kind}"
    return f"{_label(match.metric)} {'F₁' if match.kind == 'f1' else match.kind}"


def _label(metric: str) -> str:
    return labels_of(SCHEMES["default"], [metric])[metric]


def _table(explanation: Explanation, precision: int) -> Table:
    labels = [*map(_label, _BEFORE), "Δ", *map(_label, _AFTER)]
    rows = [
        [
            row.label,
            *(_cell(row, name, precision) for name in _BEFORE),
            _difference(row, explanation.reference, precision),
            *(_cell(row, name, precision) for name in _AFTER),
            _visible_cause(row, explanation.reference, precision),
        ]
        for row in explanation.rows
    ]
    return Table([*columns("F₁", *labels), Column("cause", "text")], rows)


def _visible_cause(row: PracticeRow, reference: PracticeRow, precision: int) -> str:
    """Return the causes of differences that are visible at this precision."""
    if row is reference:
        return "the reference"
    visible = []
    for name in row.causes:
        if not {*row.scores} >= {name} <= {*reference.scores}:
            continue  # datasets of some formats have more metrics
        both = (figures_of(one.scores[name]) for one in (row, reference))
        if any(
            _percent(own, precision) != _percent(other, precision)
            for own, other in zip(*both, strict=True)
            if own is not None and other is not None
        ):
            visible.append(name)
    cause = row.cause_of(*visible)
    if not cause:
        return "equal"
    return f"{cause} [{row.convention.case}]" if row.convention.case else cause


def _cell(row: PracticeRow, metric: str, precision: int) -> str:
    score = row.scores.get(metric)
    if score is None:
        return ""
    is_defined = score.is_defined or metric == conll.NAME
    return _percent(score.f1, precision) if is_defined else UNDEFINED


def _difference(row: PracticeRow, reference: PracticeRow, precision: int) -> str:
    """Write the difference between two CoNLL scores as they are shown."""
    if row.difference is None:
        return ""
    if math.isnan(row.difference):
        return UNDEFINED
    scores = row.scores[conll.NAME], reference.scores[conll.NAME]
    own, other = (float(_percent(score.f1, precision)) for score in scores)
    return f"{own - other:+.{precision}f}" if own != other else ""


def _percent(value: float, precision: int) -> str:
    return percent(value, precision, is_defined=not math.isnan(value))


def _rows(explanation: Explanation) -> Rows:
    """Return a row for each metric of each convention."""
    place = ["convention", "metric", *FIGURES]
    header = [*place, "defined", "difference", "cause", "signature"]
    rows = []
    for row in explanation.rows:
        for name, score in row.scores.items():
            other = explanation.reference.scores.get(name)
            difference = None if other is None else score.f1 - other.f1
            end = difference, row.cause_of(name) or "", row.signature or ""
            rows.append([row.name, name, *figures_of(score), score.is_defined, *end])
    return Rows(header, rows)


def _object(explanation: Explanation, findings: Sequence[Finding]) -> dict[str, object]:
    fields: dict[str, object] = {
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
        fields["got"] = [
            {
                "figure": finding.figure.text,
                "percent": finding.figure.percent,
                "metric": finding.figure.metric,
                "kind": finding.figure.kind,
                "answer": _answer(explanation, finding),
                "matches": [match._asdict() for match in finding.matches],
                "nearest": [match._asdict() for match in finding.nearest],
            }
            for finding in findings
        ]
        fields["given_by"] = explanation.giving(findings)
    return fields


def _row_object(row: PracticeRow) -> dict[str, object]:
    return {
        "name": row.name,
        "label": row.label,
        "users": row.convention.users,
        "cause": row.cause,
        "case": row.convention.case,
        "causes": row.causes,
        "difference": row.difference,
        "signature": row.signature,
        "scores": {
            name: {
                **dict(zip(FIGURES, figures_of(score), strict=True)),
                "defined": score.is_defined,
            }
            for name, score in row.scores.items()
        },
    }
