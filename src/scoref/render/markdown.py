"""Markdown for issues and READMEs: pipe tables, with markup in cells escaped."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scoref.printable import printable
from scoref.render.report import Cell, Heading, Listing, Remarks, Signatures, Table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scoref.render.report import Part, Report

# What would be markup: tags, entities, emphasis, code, the walls of a cell, and
# brackets that make a link of what is in front of them.
_MARKDOWN = re.compile(r"[\\`*<>&|]|\](?=[(\[:])|(?<![^\W_])_|_(?![^\W_])")
_RULES = {"name": "---", "text": "---", "figure": "--:"}


def render_markdown(report: Report) -> str:
    """Write parts as paragraphs."""
    return "\n\n".join(text for part in report.parts() for text in _drawn(part))


def markdown_text(text: str) -> str:
    r"""Write text so that Markdown shows it as it is.

    >>> print(markdown_text("<b> [x](javascript:y) a_b | 66.67 [60.00, 70.00]"))
    \<b\> [x\](javascript:y) a_b \| 66.67 [60.00, 70.00]
    """
    return _MARKDOWN.sub(r"\\\g<0>", printable(text))


def _drawn(part: Part) -> Iterable[str]:
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
    header = [column.label for column in table.columns]
    rule = [_RULES[column.kind] for column in table.columns]
    rows = [header, rule, *table.rows]
    lines = [f"| {' | '.join(map(_cell, row))} |" for row in rows]
    title = [markdown_text(table.title), ""] if table.title else []
    return "\n".join([*title, *lines])


def _cell(cell: str | Cell) -> str:
    if isinstance(cell, str):
        return markdown_text(cell)
    plain = markdown_text(cell.text)
    text = f"**{plain}**" if cell.is_best else plain
    return f"{text}<sup>{cell.mark}</sup>" if cell.mark else text
