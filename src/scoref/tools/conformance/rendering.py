"""The report of `scoref conformance`: a table by level, the differences, a badge."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from scoref.printable import counted
from scoref.render.report import Column, Remarks, Report, Table, columns
from scoref.tools.conformance.scorers import STATUSES, TOLERANCE
from scoref.tools.conformance.suite import LEVELS, version

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoref.render.report import Object, Part
    from scoref.tools.conformance.scorers import Outcome

_MOST = 20  # cases that the text lists one by one


def conformance_report(outcomes: Sequence[Outcome], command: Sequence[str]) -> Report:
    """Report what a scorer did with the cases."""

    def parts() -> Iterator[Part]:
        yield from _tables(outcomes)
        if any(outcome.status != "equal" for outcome in outcomes):
            yield _problems(outcomes)
        yield Remarks(_remarks(outcomes))

    return Report(
        name="conformance",
        parts=parts,
        objects=lambda: [_object(outcome) for outcome in outcomes],
        rows=None,
        more={
            "suite": version(),
            "command": [*command],
            "counts": _counts(outcomes),
            "tolerance": TOLERANCE,
        },
    )


def _counts(outcomes: Sequence[Outcome]) -> dict[str, int]:
    counts = Counter(outcome.status for outcome in outcomes)
    return {status: counts[status] for status in STATUSES}


def _tables(outcomes: Sequence[Outcome]) -> Iterator[Table]:
    """Make a table for each level, with a row for each convention."""
    for level in dict.fromkeys(outcome.question.level for outcome in outcomes):
        of_level = [outcome for outcome in outcomes if outcome.question.level == level]
        rows = []
        for convention in dict.fromkeys(item.question.convention for item in of_level):
            group = [
                outcome
                for outcome in of_level
                if outcome.question.convention == convention
            ]
            sizes = [size for outcome in group if (size := outcome.largest) is not None]
            counts = [str(count or "") for count in _counts(group).values()]
            largest = f"{100 * max(sizes):.2f}" if sizes else ""
            rows.append([convention, *counts, largest])
        labels = [status.capitalize() for status in STATUSES]
        heads = columns("Convention", *labels, "Largest")
        yield Table(heads, rows, f"{level}: {LEVELS[level]}")


def _problems(outcomes: Sequence[Outcome]) -> Table:
    wrong = [outcome for outcome in outcomes if outcome.status != "equal"]
    wrong.sort(key=lambda outcome: outcome.status == "refused")
    rows = [
        [
            outcome.question.case,
            outcome.question.convention,
            outcome.status,
            _explanation(outcome),
        ]
        for outcome in wrong[:_MOST]
    ]
    heads = [
        Column("Case", "name"),
        Column("Convention", "name"),
        Column("Result", "name"),
        Column("Details", "text"),
    ]
    return Table(heads, rows)


def _explanation(outcome: Outcome) -> str:
    if not outcome.differences:
        return outcome.detail
    metric, name, right, got = max(
        outcome.differences, key=lambda difference: abs(difference[3] - difference[2])
    )
    more = len(outcome.differences) - 1
    others = f"; {counted(more, 'other figure')} also differ" if more else ""
    return f"{metric} {name}: {float(got):.4f} instead of {right}{others}"


def _remarks(outcomes: Sequence[Outcome]) -> list[str]:
    lines = [f"Largest: largest difference in points. Suite {version()}."]
    wrong = sum(outcome.status != "equal" for outcome in outcomes)
    if wrong > _MOST:
        lines.append(
            f"{wrong - _MOST} other cases are not equal. --output json lists all."
        )
    if omitted := sorted({name for outcome in outcomes for name in outcome.omitted}):
        lines.append(
            "In some cases, the scorer did not return these metrics, which were not "
            f"compared: {', '.join(omitted)}."
        )
    return lines


def _object(outcome: Outcome) -> Object:
    question = outcome.question
    return {
        "case": question.case,
        "level": question.level,
        "convention": question.convention,
        "status": outcome.status,
        "largest_difference": outcome.largest,
        "detail": _explanation(outcome),
        "omitted": " ".join(outcome.omitted),
        "source": question.source,
        "purpose": question.purpose,
        "page": question.page,
    }


_COLOURS = {"all": "#2e7d32", "must": "#8a6d00", "none": "#b3261e"}


def badge_of(outcomes: Sequence[Outcome]) -> str:
    """Draw a badge: green if all cases are equal, red if one of "must" is not.

    The badge counts cases under each of their conventions.
    """
    equal = sum(outcome.status == "equal" for outcome in outcomes)
    must = [outcome for outcome in outcomes if outcome.question.level == "must"]
    fails = any(outcome.status != "equal" for outcome in must)
    colour = _COLOURS["none" if fails else "all" if equal == len(outcomes) else "must"]
    label, value = "coreference conformance", f"{equal}/{len(outcomes)}"
    left, right = 7 * len(label) + 10, 8 * len(value) + 10
    width = left + right
    texts = "".join(
        f'<text x="{x}" y="14" text-anchor="middle">{text}</text>'
        for x, text in ((left / 2, label), (left + right / 2, value))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" '
        f'role="img" aria-label="{label}: {value}"><title>{label}: {value}</title>'
        f'<rect width="{width}" height="20" rx="3" fill="#444"/>'
        f'<rect x="{left}" width="{right}" height="20" rx="3" fill="{colour}"/>'
        f'<g fill="#fff" font-family="Verdana,sans-serif" font-size="11">{texts}</g>'
        "</svg>\n"
    )
