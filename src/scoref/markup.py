"""Functions that write HTML for notebooks and pages; all text is escaped."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, NamedTuple

from scoref.printable import called

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

STYLE = """\
.scoref-shown table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.scoref-shown table { margin: 0.5em 0 1em; }
.scoref-shown th, .scoref-shown td { padding: 0.3em 0 0.3em 1.5em; text-align: right; }
.scoref-shown th:first-child { padding-left: 0; text-align: left; }
.scoref-shown thead > tr > * { border-bottom: 1px solid currentcolor; }
.scoref-shown thead th { font-weight: 500; }
.scoref-shown td small { display: block; font-weight: 400; opacity: 0.75; }
.scoref-shown td.best { font-weight: 700; }
.scoref-shown .text { text-align: left; }
.scoref-shown.boxed { max-height: 80vh; overflow: auto; }
.scoref-shown code { background: none; font-size: 0.85em; overflow-wrap: anywhere; }
.scoref-shown ul { font-size: 0.9em; list-style: none; margin: 0.5em 0; padding: 0; }"""
"""The style sheet of what `shown` returns."""


def policy(script: str, *styles: str) -> str:
    """Allow this script and these style sheets on a page, and nothing else."""
    digests = " ".join(f"'sha256-{_digest(style)}'" for style in styles)
    script_source = f"'sha256-{_digest(script)}'" if script else "'none'"
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {script_source}",
            f"style-src {digests}",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _digest(text: str) -> str:
    import base64  # for whole pages only
    import hashlib

    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


class FigureCell(NamedTuple):
    """A cell of a table, with a text below it, a mark, a class, a link, a meaning."""

    text: str
    below: str = ""
    mark: str = ""
    kind: str = ""
    link: str = ""
    meaning: str = ""


def escaped(text: str) -> str:
    """Escape text for HTML.

    >>> escaped("<b> & 'c'")
    '&lt;b&gt; &amp; &#x27;c&#x27;'
    """
    return html.escape(text, quote=True)


def minus(text: str) -> str:
    """Write a difference with a minus sign instead of a hyphen.

    >>> minus("-0.50")
    '−0.50'
    """
    return text.replace("-", "−")


def term(text: str, meaning: str) -> str:
    """Write a term whose meaning is shown on hover and on keyboard focus."""
    if not meaning:
        return escaped(text)
    return (
        f'<span class="term" tabindex="0" data-meaning="{escaped(meaning)}">'
        f'{escaped(text)}<span class="unseen">: {escaped(meaning)}</span></span>'
    )


def table(
    header: Iterable[str | FigureCell],
    rows: Iterable[Sequence[str | FigureCell]],
    last: str = "",
    texts: Iterable[int] = (),
) -> str:
    """Draw a table; its first column names rows.

    Args:
        header: labels of columns.
        rows: their cells.
        last: a class of the last row.
        texts: columns that are aligned left.
    """
    labels = list(header)
    kinds = ["text" if place in {*texts} else "" for place in range(len(labels))]
    heads = "".join(
        f'<th scope="col"{_kind(kind)}>{_content(text)}</th>' if text else "<td></td>"
        for text, kind in zip(labels, kinds, strict=True)
    )
    lines = [_row(row, kinds) for row in rows]
    if last and lines:
        lines[-1] = lines[-1].replace("<tr>", f'<tr class="{last}">', 1)
    body = "\n".join(lines)
    head = f"<thead><tr>{heads}</tr></thead>"
    return f"<table>{head}<tbody>\n{body}\n</tbody></table>"


def listed(texts: Iterable[str]) -> str:
    """Write remarks as a list; nothing if there are none."""
    items = "".join(f"<li>{escaped(text)}</li>" for text in texts)
    return f'<ul class="notes">{items}</ul>' if items else ""


def shown(
    *parts: str,
    signatures: Iterable[str] = (),
    notes: Iterable[str] = (),
    is_boxed: bool = False,
) -> str:
    """Write the HTML that a notebook shows, with signatures and notes at the end.

    Colours are those of the notebook, which may be light or dark. A box scrolls, so
    that it is not higher than the screen.
    """
    codes = [f"<div><code>{escaped(each)}</code></div>" for each in signatures]
    inner = "\n".join([*parts, *codes, listed(map(called, notes))])
    boxed = ' boxed" tabindex="0' if is_boxed else ""
    return f'<div class="scoref-shown{boxed}"><style>{STYLE}</style>\n{inner}</div>'


def _row(row: Sequence[str | FigureCell], kinds: Sequence[str]) -> str:
    first, *rest = row
    cells = "".join(
        f"<td{_kind(kind, cell)}>{_content(cell)}</td>"
        for cell, kind in zip(rest, kinds[1:], strict=True)
    )
    content = _content(first)
    name = f'<th scope="row" dir="auto">{content}</th>' if content else "<td></td>"
    return f"<tr>{name}{cells}</tr>"


def _kind(kind: str, cell: str | FigureCell = "") -> str:
    own = cell.kind if isinstance(cell, FigureCell) else ""
    kinds = " ".join(each for each in (kind, own) if each)
    return f' class="{kinds}"' if kinds else ""


def _content(cell: str | FigureCell) -> str:
    if isinstance(cell, str):
        return escaped(cell)
    mark = f"<sup>{escaped(cell.mark)}</sup>" if cell.mark else ""
    below = f"<small>{escaped(cell.below)}</small>" if cell.below else ""
    text = term(cell.text, cell.meaning)
    if cell.link:
        text = f'<a href="{escaped(cell.link)}">{text}</a>'
    return f"{text}{mark}{below}"
