"""The commands `scoref docs`, `scoref formats`, `scoref metrics` and `scoref schemes`.

`scoref docs` shows a page of the documentation, laid out for a terminal. A wheel has
the pages in `scoref/docs`, a clone of the project in `docs`. The other commands list
formats, metrics and schemes, with a line and a link for each. Their names come from the
tables that the rest of the code uses; this file adds the descriptions.
"""

from __future__ import annotations

import os
import re
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from scoref.errors import ScorefError, unknown
from scoref.render import OUTPUTS
from scoref.render.report import (
    LINES,
    Column,
    Line,
    Listing,
    Remarks,
    Report,
    Table,
    rows_of,
)
from scoref.render.text import WIDTH, table_lines, width_of
from scoref.terminal.help import Command, items, one_of
from scoref.terminal.printing import print_report, tell
from scoref.terminal.running import refusing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from click.shell_completion import CompletionItem

    from scoref.render.report import Part


@click.command(
    cls=Command,
    examples={
        "scoref docs": "List the pages.",
        "scoref docs conventions": "Read one.",
        "scoref docs metrics/muc --output markdown": "Have it as it is written.",
    },
)
@click.argument(
    "page",
    metavar="[PAGE]",
    required=False,
    shell_complete=one_of("scoref.tools.docs", "titles"),
)
@click.option(
    "--output",
    type=click.Choice(("text", "markdown", "json")),
    default="text",
    show_default=True,
    help="Lines that fit a terminal, the page as it is written, or that for programs.",
)
def command(page: str | None, output: str) -> None:
    """Show a PAGE of the documentation; without one, list the pages."""
    with refusing():
        if page is None:
            print_report(titles_report(), output)
        else:
            print_page(page, output)


def print_page(page: str, output: str) -> None:
    """Print a page: as Markdown it is what it is."""
    if output == "markdown":
        tell(page_text(page).removesuffix("\n"))
    else:
        print_report(page_report(page), output)


_PACKAGE = Path(__file__).parents[1]

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
    folder = os.path.dirname(page)
    for _, target in _LINK.findall(text):
        path = os.path.normpath(os.path.join(folder, target.partition("#")[0]))
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


def _names_in(
    context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem[str]]:
    """Complete a name of the list that a command is called by."""
    names = [entry.name for entry in LISTS[str(context.command.name)]()]
    return items(names, incomplete)


def _listing(name: str, text: str, examples: dict[str, str]) -> click.Command:
    """Make the command that prints a list, or what there is to say of one entry."""

    @click.command(name, cls=Command, help=text, examples=examples)
    @click.argument("entry", metavar="[NAME]", required=False, shell_complete=_names_in)
    @click.option(
        "--output",
        type=click.Choice(OUTPUTS),
        default="text",
        show_default=True,
        help="Lines for people, or a list for programs.",
    )
    def command(entry: str | None, output: str) -> None:
        with refusing():
            if entry is None:
                print_report(list_report(name), output)
                return
            found = find_entry(name, entry)
            if output in {"text", "markdown"} and found.choices is None:
                print_page(found.link, output)
            else:
                print_report(entry_report(name, entry), output)

    return command


formats_command = _listing(
    "formats",
    "List the formats that can be read, or show the page about the one of a NAME.",
    {"scoref formats corefud": "Show the page about CorefUD."},
)

metrics_command = _listing(
    "metrics",
    "List the metrics, with what each one asks, or show the page about the one of a "
    "NAME.",
    {"scoref metrics muc": "Show how MUC is defined."},
)

schemes_command = _listing(
    "schemes",
    "List the conventions that have a name, or say what the one of a NAME chooses.",
    {"scoref schemes crac-2026": "Say what the shared task of 2026 chose."},
)

_MORE = {
    "formats": "`scoref formats NAME` shows the page about one of them.",
    "metrics": "`scoref metrics NAME` shows the page about one of them.",
    "schemes": "`scoref schemes NAME` says what one of them chooses.",
}

_WHEN = {
    "always": "computed by default",
    "texts": "computed by default, where a format has them",
    "tables": "computed by default of tables (scoref table), of texts by name",
    "never": "only by name (--metrics NAME)",
}


class Entry(NamedTuple):
    """Something with a name, what it is, and the page about it."""

    name: str
    text: str
    link: str
    group: str = ""
    reference: str = ""
    choices: Mapping[str, str] | None = None


def formats() -> list[Entry]:
    """List what can be read."""
    from scoref.formats.catalogue import FORMATS  # one list is wanted

    return [
        Entry(name, each.text, f"docs/formats/{each.page}.md")
        for name, each in FORMATS.items()
    ]


def metrics() -> list[Entry]:
    """List what can be computed."""
    from scoref.metrics import METRICS  # one list is wanted

    entries = [
        Entry(
            name,
            f"{each.label}: {each.asks}",
            f"docs/metrics/{each.page}.md",
            _WHEN[each.usual],
            each.reference,
        )
        for name, each in METRICS.items()
    ]
    return sorted(entries, key=lambda each: [*_WHEN.values()].index(each.group))


def schemes() -> list[Entry]:
    """List the set-ups with a name; what each one chooses goes to programs."""
    from scoref.schemes import SCHEMES

    found = []
    for name, scheme in SCHEMES.items():
        text, page = _SCHEMES[name]
        chosen = scheme.chosen().items()
        choices = {field: value for field, value in chosen if value is not None}
        found.append(Entry(name, text, f"docs/{page}.md", choices=choices))
    return found


LISTS: Mapping[str, Callable[[], list[Entry]]] = {
    "formats": formats,
    "metrics": metrics,
    "schemes": schemes,
}
"""Every list."""


def list_report(name: str) -> Report:
    """Report a list, group by group."""
    entries = LISTS[name]()
    return _report(name, entries, lambda: [*_tables(entries), Remarks([_MORE[name]])])


def entry_report(name: str, wanted: str) -> Report:
    """Report all that there is to say of one entry."""
    entry = find_entry(name, wanted)
    return _report(name, [entry], lambda: _choices(entry))


def _report(
    name: str, entries: Sequence[Entry], parts: Callable[[], Sequence[Part]]
) -> Report:
    return Report(
        name=name,
        parts=parts,
        objects=lambda: map(_object, entries),
        rows=lambda: rows_of(
            [
                {**_object(each, is_flat=True), **(each.choices or {})}
                for each in entries
            ]
        ),
    )


def _tables(entries: Sequence[Entry]) -> list[Table]:
    groups: dict[str, list[tuple[str, str]]] = {}
    for each in entries:
        groups.setdefault(each.group, []).append((each.name, each.text))
    return [
        Table(LINES, rows, f"{group}:" if group else "")
        for group, rows in groups.items()
    ]


def _choices(entry: Entry) -> list[Part]:
    rows = [
        (field.replace("_", "-"), each) for field, each in (entry.choices or {}).items()
    ]
    more = f"`scoref docs {_page_name(entry.link)}` tells more."
    about = f"{entry.name}: {entry.text}"
    return [Remarks([about]), Table(LINES, rows), Remarks([more])]


def find_entry(name: str, wanted: str) -> Entry:
    """Find an entry by its name, or by what it is called in tables."""
    entries = LISTS[name]()
    for each in entries:
        if wanted.lower() in {each.name, each.text.partition(":")[0].lower()}:
            return each
    raise unknown(name.removesuffix("s"), wanted, [each.name for each in entries])


def _page_name(link: str) -> str:
    return link.removeprefix("docs/").removesuffix(".md")


def _object(entry: Entry, *, is_flat: bool = False) -> dict[str, object]:
    about = {field: value for field, value in entry._asdict().items() if value}
    if is_flat:
        about.pop("choices", None)
    return about


_COREFUD, _UNIVERSAL = "corefud-scorer", "ua-scorer"

_SCHEMES = {
    "default": ("what suits the format of the files", "conventions"),
    "conll-2012": ("the Perl reference scorer v8.01", "reference-scorer"),
    "crac-2022": ("the CorefUD scorer: partial match, zeros by place", _COREFUD),
    "crac-2023": ("the CorefUD scorer: match by head, zeros by place", _COREFUD),
    "crac-2024": ("the CorefUD scorer: match by head, zeros by dependency", _COREFUD),
    "crac-2025": ("the same as crac-2024", _COREFUD),
    "crac-2026": ("the same as crac-2024", _COREFUD),
    "crac-corrected": ("crac-2026 with matches that are truly one to one", _COREFUD),
    "codi-crac-2022-ar": ("the Universal Anaphora scorer: identity", _UNIVERSAL),
    "codi-crac-2022-dd": (
        "the Universal Anaphora scorer: discourse deixis",
        _UNIVERSAL,
    ),
    "codi-crac-2022-br": ("the Universal Anaphora scorer: bridging", _UNIVERSAL),
    "crac-2018": (
        "the Universal Anaphora scorer: identity, without split antecedents",
        _UNIVERSAL,
    ),
    "craft-2019": ("the Universal Anaphora scorer: CRAFT's match", _UNIVERSAL),
    "maven-ere": ("MAVEN-ERE's scorer: gold mentions, the mean of four", "conventions"),
}
