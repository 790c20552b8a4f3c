"""Tables for people: percentages with two decimals, in four kinds of markup.

One response is shown with a row for each metric; several, or single documents,
with a row for each and the F1 of every metric.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from scoref.metrics import is_distance, labels_of, scale_of
from scoref.notes import note_lines
from scoref.printable import called, printable
from scoref.render.figures import UNDEFINED, figure
from scoref.scoring.results import signature_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scoref.metrics.base import Score
    from scoref.model import Note
    from scoref.scoring.results import Result
    from scoref.statistics.confidence import Confidence
    from scoref.statistics.cuts import Interval

WIDTH = 80
"""How many columns a terminal has at least."""

FIGURES = ("recall", "precision", "f1")


class View(NamedTuple):
    """What of results is shown, and how; ``confidence`` has one for each result."""

    per_document: bool = False
    precision: int = 2
    confidence: tuple[Confidence, ...] = ()
    shows_undefined: bool = False  # 0/0 was asked to be a number

    def intervals(self, number: int, metric: str) -> Mapping[str, Interval]:
        """Give the intervals of a metric of one of the results, if there are any."""
        if not self.confidence:
            return {}
        return self.confidence[number].intervals.get(metric, {})

    def figure(
        self,
        metric: str,
        value: float | None,
        score: Score,
        interval: Interval | None = None,
    ) -> str:
        """Write a figure, and the interval that it may lie in."""
        # An average with an undefined part is still an average.
        is_average = score.recall is None
        is_defined = score.is_defined or is_average or self.shows_undefined
        text = figure(metric, value, self.precision, is_defined=is_defined)
        if interval is None or not is_defined:
            return text
        low, high = (figure(metric, bound, self.precision) for bound in interval)
        return f"{text} [{low}, {high}]"


class Cell(NamedTuple):
    """A figure that stands out: the best of its column, or with a mark behind it."""

    text: str
    is_best: bool = False
    mark: str = ""


class Table(NamedTuple):
    """Cells as text; the first column names the row."""

    title: str
    header: list[str]
    rows: Sequence[Sequence[str | Cell]]


def tables(results: Sequence[Result], view: View) -> list[Table]:
    """Arrange results for reading."""
    if view.per_document:
        return [_by_document(result, len(results) > 1, view) for result in results]
    if len(results) > 1:
        return [_by_response(results, view)]
    return by_metric(results[0], view)


def render_text(results: Sequence[Result], view: View) -> str:
    """Align columns with blanks."""
    parts = [aligned(table) for table in tables(results, view)]
    return "\n\n".join([*parts, "\n".join(_signatures(results, view))])


def render_markdown(results: Sequence[Result], view: View) -> str:
    """Write pipe tables."""
    parts = map(markdown_table, tables(results, view))
    signatures = [f"`{line}`" for line in _signatures(results, view)]
    return "\n\n".join([*parts, *signatures])


def render_latex(results: Sequence[Result], view: View) -> str:
    r"""Write tabulars for \usepackage{booktabs}."""
    parts = map(latex_table, tables(results, view))
    comments = "\n".join(f"% {line}" for line in _signatures(results, view))
    return "\n\n".join([*parts, comments])


def drawn(table: Table, output: str) -> str:
    """Draw a table for people: as text, as Markdown or for LaTeX."""
    draw = {"text": aligned, "markdown": markdown_table, "latex": latex_table}
    return draw[output](table)


def remarks(signature: str, output: str, others: Iterable[str] = ()) -> str:
    """Write what stands below tables: the signature, and what else there is to say."""
    if output == "markdown":
        return "\n\n".join([f"`{signature}`", *others])
    mark = "% " if output == "latex" else ""
    return "\n".join(f"{mark}{line}" for line in (signature, *others))


def noted(message: str, output: str) -> str:
    """Write a note as a line of a report."""
    note = called(message)
    return markdown_text(note) if output == "markdown" else printable(note)


def markdown_table(table: Table) -> str:
    """Draw a table with pipes."""
    rule = ["---", *("--:" for _ in table.header[1:])]
    rows = [table.header, rule, *table.rows]
    lines = [f"| {' | '.join(map(_markdown, row))} |" for row in rows]
    return "\n".join([*map(markdown_text, _title(table)), *lines])


def latex_table(table: Table) -> str:
    """Draw a table with rules."""
    header, *rows = map(_latex_row, [table.header, *table.rows])
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


def render_csv(results: Sequence[Result], view: View) -> str:
    """Write one row for each response, document and metric, as full fractions."""
    rows: list[list[object]] = []
    header = ["metric", "recall", "precision", "f1", "defined", "signature"]
    place = ["response", "document"] if view.per_document else ["response"]
    bounds = [f"{figure}_{end}" for figure in FIGURES for end in ("low", "high")]
    bounds.append("confidence")
    head = [*place, *header, *(bounds if view.confidence else [])]
    for number, result in enumerate(results):
        groups = result.per_document if view.per_document else {"": result.scores}
        for document, scores in groups.items():
            place = [result.response, *([document] if view.per_document else [])]
            for name, score in scores.items():
                more: list[float | str | None] = []
                if view.confidence:
                    more += _bounds(view.intervals(number, name))
                    more.append(view.confidence[number].signature)
                rows.append([*place, name, *score, result.signature, *more])
    return csv_text(head, rows)


def csv_text(header: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Write rows for programs; what a spreadsheet would compute gets an apostrophe."""
    import csv  # noqa: PLC0415 - tables of all kinds share this module
    import io  # noqa: PLC0415

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(map(_inert, header))
    writer.writerows(map(_inert, row) for row in rows)
    return out.getvalue().rstrip("\n")


# Spreadsheets pass over blanks, and take wide signs for plain ones.
_FORMULA = re.compile(r"[\s\0]*[=@+\-＝＠＋－].")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?%?", re.ASCII)


def _inert(cell: object) -> object:
    """Keep text from being a formula; numbers are none."""
    if not isinstance(cell, str) or not _FORMULA.match(cell) or _NUMBER.fullmatch(cell):
        return cell
    return f"'{cell}"


def _bounds(intervals: Mapping[str, Interval]) -> list[float | None]:
    found = (intervals.get(figure, (None, None)) for figure in FIGURES)
    return [bound for interval in found for bound in interval]


def by_metric(result: Result, view: View) -> list[Table]:
    """Give each metric a row; what is no percentage stands in a table of its own."""
    rows, values = [], []
    for name, label in _labels(result).items():
        score, intervals = result.scores[name], view.intervals(0, name)
        cells = [
            view.figure(name, value, score, intervals.get(each))
            for each, value in zip(FIGURES, score[:3], strict=True)
        ]
        if scale_of(name) == "percent":
            rows.append([label, *cells])
        else:
            values.append([label, cells[-1]])
    tables = (
        Table("", ["", "Recall", "Precision", "F1"], rows),
        Table("", ["", "Value"], values),
    )
    return [table for table in tables if table.rows]


def _by_response(results: Sequence[Result], view: View) -> Table:
    labels = _labels(results[0])
    best = {name: _best(results, name) for name in labels}
    rows = []
    for number, result in enumerate(results):
        row: list[str | Cell] = [result.response]
        for name in labels:
            score, interval = (
                result.scores[name],
                view.intervals(number, name).get("f1"),
            )
            text = view.figure(name, score.f1, score, interval)
            is_best = score.f1 == best[name] and text != UNDEFINED
            row.append(Cell(text, is_best=is_best))
        rows.append(row)
    return Table("", ["F1", *labels.values()], rows)


def _best(results: Sequence[Result], metric: str) -> float | None:
    """Find the best figure that is one."""
    scores = [result.scores[metric] for result in results]
    best = min if is_distance(metric) else max
    return best(
        (each.f1 for each in scores if each.is_defined or each.recall is None),
        default=None,
    )


def _by_document(result: Result, titled: bool, view: View) -> Table:
    labels = _labels(result)
    documents = result.per_document.items()
    average = f"{result.scheme.average} average"
    rows = [
        [name, *(view.figure(each, scores[each].f1, scores[each]) for each in labels)]
        for name, scores in [*documents, (average, result.scores)]
    ]
    title = result.response if titled else ""
    return Table(title, ["F1", *labels.values()], rows)


def _labels(result: Result) -> dict[str, str]:
    return labels_of(result.scheme, result.metrics)


def aligned(table: Table, *, right: bool = True) -> str:
    """Draw a table with blanks; figures stand on the right of their columns."""
    rows = [[_plain(cell) for cell in row] for row in (table.header, *table.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.rjust(width) if column and right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join([*_title(table), *lines])


def fitted(table: Table) -> list[Table]:
    """Cut a table that is too wide for a terminal into several, below each other."""
    widths = [
        max(len(_plain(cell)) for cell in column)
        for column in zip(table.header, *table.rows, strict=True)
    ]
    groups: list[list[int]] = [[]]
    taken = widths[0]
    for column, width in enumerate(widths[1:], start=1):
        if groups[-1] and taken + 2 + width > WIDTH:
            groups.append([])
            taken = widths[0]
        groups[-1].append(column)
        taken += 2 + width
    return [
        Table(
            table.title,
            [table.header[column] for column in (0, *group)],
            [[row[column] for column in (0, *group)] for row in table.rows],
        )
        for group in groups
    ]


def _title(table: Table) -> list[str]:
    return [printable(table.title), ""] if table.title else []


def _signatures(results: Sequence[Result], view: View) -> list[str]:
    """Write every choice down once, those of chance on a line of their own."""
    chance = view.confidence[0].signature if view.confidence else ""
    return [signature_of(results), *([chance] if chance else [])]


def notes_of(results: Sequence[Result], view: View) -> list[str]:
    """List what was noted, a line for each kind."""
    told: list[tuple[str, Note]] = []
    for number, result in enumerate(results):
        more = view.confidence[number].notes if view.confidence else ()
        told += [(result.response, note) for note in (*result.notes, *more)]
    return note_lines(told, of=len(results))


def _plain(cell: str | Cell) -> str:
    if isinstance(cell, str):
        return printable(cell)
    return f"{cell.text} {cell.mark}" if cell.mark else cell.text


# What would be markup: tags, entities, emphasis, code, the walls of a cell, and
# brackets that make a link of what is in front of them.
_MARKDOWN = re.compile(r"[\\`*<>&|]|\](?=[(\[:])|(?<![^\W_])_|_(?![^\W_])")


def markdown_text(text: str) -> str:
    r"""Write text so that Markdown shows it as it is.

    >>> print(markdown_text("<b> [x](javascript:y) a_b | 66.67 [60.00, 70.00]"))
    \<b\> [x\](javascript:y) a_b \| 66.67 [60.00, 70.00]
    """
    return _MARKDOWN.sub(r"\\\g<0>", printable(text))


def _markdown(cell: str | Cell) -> str:
    if isinstance(cell, str):
        return markdown_text(cell)
    text = f"**{cell.text}**" if cell.is_best else cell.text
    return f"{text}<sup>{cell.mark}</sup>" if cell.mark else text


_LATEX = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"³": "$^3$", "Δ": r"$\Delta$", "≤": r"$\leq$", UNDEFINED: "--"}
)


def _latex_row(cells: Sequence[str | Cell]) -> str:
    first, *others = map(_latex, cells)
    # Behind the end of a row or a rule, these would be options of it.
    if first.startswith(("[", "*")):
        first = f"{{{first[0]}}}{first[1:]}"
    return " & ".join([first, *others]) + r" \\"


def _latex(cell: str | Cell) -> str:
    if isinstance(cell, str):
        return printable(cell).translate(_LATEX)
    text = cell.text.translate(_LATEX)
    text = rf"\textbf{{{text}}}" if cell.is_best else text
    return rf"{text}\textsuperscript{{{cell.mark}}}" if cell.mark else text
