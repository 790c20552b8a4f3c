"""Tables for people: percentages with two decimals, in four kinds of markup.

One response is shown with a row for each metric; several, or single documents,
with a row for each and the F1 of every metric.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scoref.metrics import conll, metrics_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scoref.metrics.base import Score
    from scoref.results import Result

UNDEFINED = "–"


class Table(NamedTuple):
    """Cells as text; the first column names the row."""

    title: str
    header: list[str]
    rows: list[list[str]]


def percent(value: float | None, *, is_defined: bool = True) -> str:
    """Write a fraction for people.

    >>> percent(2 / 3)
    '66.67'
    """
    if value is None:
        return ""
    return f"{100 * value:.2f}" if is_defined else UNDEFINED


def tables(results: Sequence[Result], per_document: bool) -> list[Table]:
    """Arrange results for reading."""
    if per_document:
        return [_by_document(result, len(results) > 1) for result in results]
    if len(results) > 1:
        return [_by_response(results)]
    return [_by_metric(results[0])]


def render_text(results: Sequence[Result], per_document: bool) -> str:
    """Align columns with blanks."""
    parts = [aligned(table) for table in tables(results, per_document)]
    return "\n\n".join([*parts, _remarks(results)])


def render_markdown(results: Sequence[Result], per_document: bool) -> str:
    """Write pipe tables."""
    parts = map(markdown_table, tables(results, per_document))
    return "\n\n".join([*parts, f"`{results[0].signature}`", *_notes(results)])


def render_latex(results: Sequence[Result], per_document: bool) -> str:
    r"""Write tabulars for \usepackage{booktabs}."""
    parts = map(latex_table, tables(results, per_document))
    remarks = _remarks(results).split("\n")
    return "\n\n".join([*parts, "\n".join(f"% {line}" for line in remarks)])


def markdown_table(table: Table) -> str:
    """Draw a table with pipes."""
    rule = ["---", *("--:" for _ in table.header[1:])]
    rows = [table.header, rule, *table.rows]
    lines = [f"| {' | '.join(_escaped(row, '|'))} |" for row in rows]
    return "\n".join([*_title(table), *lines])


def latex_table(table: Table) -> str:
    """Draw a table with rules."""
    header, *rows = (
        " & ".join(_latex(cell) for cell in row) + r" \\"
        for row in [table.header, *table.rows]
    )
    columns = "l" + "r" * (len(table.header) - 1)
    lines = [
        *(f"% {line}" for line in _title(table)),
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        header,
        r"\midrule",
        *rows,
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines)


def render_csv(results: Sequence[Result], per_document: bool) -> str:
    """Write one row for each response, document and metric, as full fractions."""
    import csv  # noqa: PLC0415 - tables of all kinds share this module
    import io  # noqa: PLC0415

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    header = ["response", "metric", "recall", "precision", "f1", "defined", "signature"]
    writer.writerow([header[0], *(["document"] if per_document else []), *header[1:]])
    for result in results:
        groups = result.per_document if per_document else {"": result.scores}
        for document, scores in groups.items():
            place = [result.response, document] if per_document else [result.response]
            for name, score in scores.items():
                writer.writerow([*place, name, *score, result.signature])
    return out.getvalue().rstrip("\n")


def _by_metric(result: Result) -> Table:
    rows = []
    for name, label in _labels(result).items():
        score = result.scores[name]
        figures = score.recall, score.precision, score.f1
        rows.append([label, *(_figure(value, score) for value in figures)])
    return Table("", ["", "Recall", "Precision", "F1"], rows)


def _by_response(results: Sequence[Result]) -> Table:
    labels = _labels(results[0])
    rows = [[result.response, *_f1s(result.scores, labels)] for result in results]
    return Table("", ["F1", *labels.values()], rows)


def _by_document(result: Result, titled: bool) -> Table:
    labels = _labels(result)
    documents = result.per_document.items()
    rows = [[name, *_f1s(scores, labels)] for name, scores in documents]
    average = f"{result.scheme.average} average"
    rows.append([average, *_f1s(result.scores, labels)])
    title = result.response if titled else ""
    return Table(title, ["F1", *labels.values()], rows)


def _labels(result: Result) -> dict[str, str]:
    known = metrics_of(result.scheme)
    return {
        name: known[name].label if name in known else conll.LABEL
        for name in result.metrics
    }


def _f1s(scores: Mapping[str, Score], names: Iterable[str]) -> list[str]:
    return [_figure(scores[name].f1, scores[name]) for name in names]


def _figure(value: float | None, score: Score) -> str:
    # An average with an undefined part is still an average.
    is_average = score.recall is None
    return percent(value, is_defined=score.is_defined or is_average)


def aligned(table: Table) -> str:
    """Draw a table with blanks."""
    rows = [table.header, *table.rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join([*_title(table), *lines])


def _title(table: Table) -> list[str]:
    return [table.title, ""] if table.title else []


def _remarks(results: Sequence[Result]) -> str:
    return "\n".join([results[0].signature, *_notes(results)])


def _notes(results: Sequence[Result]) -> list[str]:
    """List what was noted, once, and for which response if there are several."""
    notes: dict[str, list[str]] = {}
    for result in results:
        for note in result.notes:
            notes.setdefault(note.message, []).append(result.response)
    return [
        f"note: {message}"
        if len(concerned) == len(results)
        else f"note: {', '.join(concerned)}: {message}"
        for message, concerned in notes.items()
    ]


def _escaped(row: list[str], character: str) -> list[str]:
    return [cell.replace(character, f"\\{character}") for cell in row]


_LATEX = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"³": "$^3$", UNDEFINED: "--"}
)


def _latex(cell: str) -> str:
    return cell.translate(_LATEX)
