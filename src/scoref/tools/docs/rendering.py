"""The documentation's pages, wherever scoref is installed, as lines for a terminal.

A wheel has the pages in `scoref/docs`, a clone of the project in `docs`.
"""

from __future__ import annotations

import os
import re
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from scoref.errors import ScorefError, unknown
from scoref.render.folding import WIDTH, width_of
from scoref.render.report import LINES, Column, Line, Listing, Remarks, Report, Table
from scoref.render.text import table_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

_PACKAGE = Path(__file__).parents[2]
_HOMES = _PACKAGE / "docs", _PACKAGE.parents[1] / "docs"
_LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
_BLOCK = re.compile(
    r"(?P<code>^```[^\n]*\n(?:[^\n]*\n)*?```$|(?:^ {4}.*\n?)+)"
    r"|(?P<table>(?:^\|.*\n?)+)"
    r"|(?P<item>^(?:[-*] |\d+\. ).*(?:\n {2,}\S.*)*)"
    r"|(?P<text>^\S.*(?:\n(?![-#|]|\* |```|\d+\. )\S.*)*)",
    re.MULTILINE,
)
_CELL = re.compile(r"(?<!\\)\|")
_ITEM = re.compile(r"[-*] |\d+\. ")


def titles() -> dict[str, str]:
    """Give the title of each page, by the page's name."""
    home = _home()
    paths = sorted(home.rglob("*.md"))
    return {_name(path, home): _title(_read(path)) for path in paths}


def page_text(name: str) -> str:
    """Give a page as it is written: `muc`, `metrics/muc` or `docs/metrics/muc.md`."""
    return _read(_home() / f"{_found(name)}.md")


def titles_report() -> Report:
    """List all pages."""
    known = titles().items()
    more = Remarks(["`scoref docs PAGE` shows one of them."])
    return Report(
        name="docs",
        parts=lambda: [Table(LINES, list(known)), more],
        objects=lambda: [{"page": page, "title": title} for page, title in known],
    )


def page_report(name: str) -> Report:
    """Report a page, laid out for a terminal; programs get it as it is written."""
    page = _found(name)
    text = page_text(page)
    return Report(
        name="docs",
        parts=lambda: [
            Listing([Line(each, is_laid_out=True) for each in _lines(page)])
        ],
        objects=lambda: [{"page": page, "title": _title(text), "text": text}],
    )


def _lines(page: str) -> list[str]:
    """Lay a page out, and name the pages that it points to."""
    text = page_text(page)
    blocks = [_laid_out(block) for block in _BLOCK.finditer(text)]
    linked = list(dict.fromkeys(_linked(page, text)))
    more = [_wrapped(f"See also: {', '.join(linked)} (`scoref docs PAGE`)")]
    return "\n\n".join([*blocks, *(more if linked else [])]).expandtabs().split("\n")


def _home() -> Path:
    for home in _HOMES:
        if (home / "index.md").is_file():
            return home
    raise ScorefError("the documentation was not installed with this copy of scoref")


def _name(path: Path, home: Path) -> str:
    return path.relative_to(home).with_suffix("").as_posix()


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _title(text: str) -> str:
    return text.partition("\n")[0].lstrip("# ")


def _found(name: str) -> str:
    """Find a page by its name, its path, or the last part of either."""
    known = titles()
    asked = name.partition("#")[0].removeprefix("docs/").removesuffix(".md").lower()
    if asked in known:
        return asked
    alike = [page for page in known if page.rpartition("/")[2] == asked]
    if len(alike) != 1:
        raise unknown("page", name, known)
    return alike[0]


def _linked(page: str, text: str) -> Iterator[str]:
    """Name the other pages that a page points to."""
    known = titles()
    folder = os.path.dirname(page)  # noqa: PTH120 - no path, but the name of a page
    for _, target in _LINK.findall(text):
        path = os.path.normpath(os.path.join(folder, target.partition("#")[0]))  # noqa: PTH118
        name = path.removesuffix(".md")
        if name in known and name != page:
            yield name


def _laid_out(block: re.Match[str]) -> str:
    text = block[0].rstrip("\n")
    if block["code"]:
        lines = text.split("\n")
        is_fenced = text.startswith("```")
        code = "\n".join(lines[1:-1]).rstrip()
        return textwrap.indent(code, "    ") if is_fenced else text
    plain = _LINK.sub(r"\1", text)
    if block["table"]:
        return _table(plain)
    if block["item"]:
        mark = _ITEM.match(plain)
        return _wrapped(plain, " " * len(mark[0] if mark else ""))
    return plain if plain.startswith("#") else _wrapped(plain)


def _table(text: str) -> str:
    """Draw a table if it fits, and otherwise a paragraph for each row."""
    header, _, *rows = [_cells(line) for line in text.split("\n")]
    width = sum(
        max(map(width_of, cells)) + 2 for cells in zip(header, *rows, strict=True)
    )
    if width - 2 > WIDTH:
        return "\n".join(_paragraph(header, row) for row in rows)
    table = Table([Column(label, "text") for label in header], rows)
    return "\n".join(table_lines(table))


def _cells(line: str) -> list[str]:
    cells = _CELL.split(line.strip())[1:-1]
    return [cell.strip().replace("\\|", "|") for cell in cells]


def _paragraph(header: list[str], row: list[str]) -> str:
    """Write a row below its first cell."""
    cells = zip(header, row, strict=True)
    first, *others = (f"{name}: {cell}" if name else cell for name, cell in cells)
    indented = (_wrapped(f"    {each}", " " * 6) for each in others)
    return "\n".join([_wrapped(first), *indented])


def _wrapped(text: str, indent: str = "") -> str:
    first = text[: len(text) - len(text.lstrip())]
    return textwrap.fill(
        " ".join(text.split()),
        WIDTH,
        initial_indent=first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
