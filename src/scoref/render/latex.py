r"""LaTeX for papers: tabulars for \usepackage{booktabs}, other parts as comments."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from scoref.figures import UNDEFINED
from scoref.printable import printable
from scoref.render.report import Cell, Heading, Listing, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.render.report import Column, Part, Report

_LATEX = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {
        "³": "$^3$",
        "₁": "$_1$",
        "Δ": r"$\Delta$",
        "≤": r"$\leq$",
        "±": r"$\pm$",
        UNDEFINED: "--",
    }
)
_SIDES = {"name": "l", "text": "l", "figure": "r"}


def render_latex(report: Report) -> str:
    """Write tables as tabulars, and everything else as comments."""
    return "\n\n".join(map(_part, report.parts()))


def _part(part: Part) -> str:
    match part:
        case Table():
            return _table(part)
        case Heading(text):
            return _comments([text])
        case Listing(lines):
            return _comments([line.text for line in lines])
        case _:
            return _comments(part.lines)


def _comments(lines: Sequence[str]) -> str:
    return "\n".join(f"% {printable(line)}" for line in lines)


def _table(table: Table) -> str:
    columns = "".join(_SIDES[column.kind] for column in table.columns)
    header = _row([column.label for column in table.columns])
    lines = [
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        *_groups(table.columns),
        *([header, r"\midrule"] if table.has_header else []),
        *map(_row, table.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    title = [_comments([table.title]), ""] if table.title else []
    return "\n".join([*title, *lines])


def _groups(columns: Sequence[Column]) -> list[str]:
    """Write a line with the headings that columns share, and rules below them."""
    if not any(column.group for column in columns):
        return []
    cells, rules, first = [], [], 1
    for name, members in groupby(columns, key=lambda column: column.group):
        size = len([*members])
        if name:
            label = printable(name).translate(_LATEX)
            cells.append(rf"\multicolumn{{{size}}}{{c}}{{{label}}}")
            rules.append(rf"\cmidrule(lr){{{first}-{first + size - 1}}}")
        else:
            cells += [""] * size
        first += size
    return [" & ".join(cells) + r" \\", "".join(rules)]


def _row(row: Sequence[str | Cell]) -> str:
    cells = []
    for cell in row:
        if isinstance(cell, Cell):
            text = printable(cell.text).translate(_LATEX)
            text = rf"\textbf{{{text}}}" if cell.is_best else text
            mark = rf"\textsuperscript{{{cell.mark}}}" if cell.mark else ""
            cells.append(text + mark)
        else:
            cells.append(printable(cell).translate(_LATEX))
    # After the end of a row or a rule, LaTeX would read these as its options.
    if cells[0].startswith(("[", "*")):
        cells[0] = f"{{{cells[0][0]}}}{cells[0][1:]}"
    return " & ".join(cells) + r" \\"
