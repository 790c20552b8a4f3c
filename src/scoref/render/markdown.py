"""Markdown for issues and READMEs: pipe tables, with markup in cells escaped."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scoref.printable import printable
from scoref.render.report import Cell, Heading, Listing, Remarks, Signatures, Table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scoref.render.report import Part, Report

# Markup: tags, entities, emphasis, code, the borders of a cell, and closing brackets
# that are followed by the target of a link.
_MARKDOWN = re.compile(r"[\\`*<>&|]|\](?=[(\[:])|(?<![^\W_])_|_(?![^\W_])")
_RULES = {"name": "---", "text": "---", "figure": "--:"}


def render_markdown(report: Report) -> str:
    """Write parts as paragraphs."""
    return "\n\n".join(text for part in report.parts() for text in _paragraphs(part))


def markdown_text(text: str) -> str:
    r"""Write text so that Markdown shows it as it is.

    >>> print(markdown_text("<b> [x](javascript:y) a_b | 66.67 [60.00, 70.00]"))
    \<b\> [x\](javascript:y) a_b \| 66.67 [60.00, 70.00]
    """
    return _MARKDOWN.sub(r"\\\g<0>", printable(text))


def _paragraphs(part: Part) -> Iterable[str]:
    match part:
        case Table():
            return [_table(part)]
        case Heading(text):
            return [f"## {markdown_text(text)}"]
        case Signatures(lines):
            return [f"`{line}`" for line in map(printable, lines)]
        case Remarks(lines):
            return map(markdown_text, lines)
        case Listing(lines):
            return ["\n".join(f"    {printable(line.text)}" for line in lines)]


def _table(table: Table) -> str:
    header = [column.full_label for column in table.columns]
    rule = [_RULES[column.kind] for column in table.columns]
    lines = []
    for row in [header, rule, *table.rows]:
        cells = []
        for cell in row:
            if isinstance(cell, Cell):
                text = markdown_text(cell.text)
                text = f"**{text}**" if cell.is_best else text
                cells.append(f"{text}<sup>{cell.mark}</sup>" if cell.mark else text)
            else:
                cells.append(markdown_text(cell))
        lines.append(f"| {' | '.join(cells)} |")
    title = [markdown_text(table.title), ""] if table.title else []
    return "\n".join([*title, *lines])
