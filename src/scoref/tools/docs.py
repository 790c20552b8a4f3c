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

from scoref._version import __version__
from scoref.errors import ScorefError, unknown
from scoref.render import OUTPUTS, WIDTH
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
from scoref.render.text import table_lines, width_of
from scoref.terminal.help import Command, items, one_of
from scoref.terminal.printing import print_report, tell
from scoref.terminal.running import refusing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from click.shell_completion import CompletionItem

    from scoref.formats.catalogue import Format
    from scoref.render.report import Part


@click.command(
    cls=Command,
    examples={
        "scoref docs": "List the pages.",
        "scoref docs conventions": "Show a page.",
        "scoref docs metrics/muc --output markdown": "Print the source of a page.",
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
    help="Output format; markdown is the source of the page.",
)
def command(page: str | None, output: str) -> None:
    """Show a PAGE of the documentation; without one, list the pages."""
    with refusing():
        if page is None:
            print_report(titles_report(), output)
        else:
            print_page(page, output)


def print_page(page: str, output: str) -> None:
    """Print a page laid out for a terminal, as its Markdown source, or as JSON."""
    if output == "markdown":
        tell(page_text(page).removesuffix("\n"))
    else:
        print_report(page_report(page), output)


_LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
_IMAGE = re.compile(r"!\[([^\]]+)\]\([^)\s]+\)")

_COMMENT = re.compile(r"^<!-- .*? -->\n+", re.MULTILINE)
_BLOCK = re.compile(
    r"(?P<code>^```[^\n]*\n(?:[^\n]*\n)*?```$|(?:^ {4}.*\n?)+)"
    r"|(?P<table>(?:^\|.*\n?)+)"
    r"|(?P<item>^(?:[-*] |\d+\. ).*(?:\n {2,}\S.*)*)"
    r"|(?P<text>^\S.*(?:\n(?![-#|]|\* |```|\d+\. )\S.*)*)",
    re.MULTILINE,
)


def titles() -> dict[str, str]:
    """Return the title of each page, by the page's name."""
    home = _home()
    return {
        path.relative_to(home).with_suffix("").as_posix(): _title(
            path.read_text(encoding="utf-8")
        )
        for path in sorted(home.rglob("*.md"))
    }


def page_text(name: str) -> str:
    """Return the Markdown of a page, or of a section: `metrics/muc#edge-cases`."""
    page, _, anchor = _find_page(name).partition("#")
    text = (_home() / f"{page}.md").read_text(encoding="utf-8")
    return _section(text, anchor) if anchor else text


def _section(text: str, anchor: str) -> str:
    """Return the part of a page from a heading to the next one of its level."""
    without_code = re.sub(r"(?ms)^```.*?^```", lambda m: "\n" * m[0].count("\n"), text)
    lines, level = text.split("\n"), 0
    start = end = len(lines)
    for number, line in enumerate(without_code.split("\n")):
        heading = re.match(r"(#+) (.+)", line)
        if heading is None:
            continue
        slug = re.sub(r"[^\w\s-]", "", heading[2]).strip().lower().replace(" ", "-")
        if not level and slug == anchor:
            start, level = number, len(heading[1])
        elif level and len(heading[1]) <= level:
            end = number
            break
    if not level:
        raise ScorefError(f"this page has no section '{anchor}'")
    return "\n".join(lines[start:end]).rstrip("\n") + "\n"


def _home() -> Path:
    """Return the folder of the pages, in an installed package or in a clone."""
    package = Path(__file__).parents[1]
    for home in (package / "docs", package.parents[1] / "docs"):
        if (home / "index.md").is_file():
            return home
    raise ScorefError("this copy of scoref was installed without its documentation")


def _title(text: str) -> str:
    return text.partition("\n")[0].lstrip("# ")


def _find_page(name: str) -> str:
    """Find a page by its name, its path, the last part of either, or a format."""
    known = titles()
    path, sharp, anchor = name.lower().partition("#")
    page = path.removeprefix("docs/").removesuffix(".md")
    matches = [other for other in known if other.rpartition("/")[2] == page]
    if page in known:
        matches = [page]
    elif own_format := _own_format(page.removeprefix("formats/")):
        return f"formats/{own_format.page}"
    if len(matches) != 1:
        raise unknown("page", name, known)
    return f"{matches[0]}{sharp}{anchor}"


def _own_format(name: str) -> Format | None:
    """Return a format that has a page in the documentation."""
    from scoref.formats.catalogue import FORMATS

    record = FORMATS.get(name)
    return None if record is None or record.package else record


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
    """Report a page, laid out for a terminal; JSON has its Markdown."""
    page = _find_page(name)
    text = page_text(page)
    return Report(
        name="docs",
        parts=lambda: [
            Listing([Line(line, is_laid_out=True) for line in _lines(page)])
        ],
        objects=lambda: [{"page": page, "title": _title(text), "text": text}],
    )


def _lines(page: str) -> list[str]:
    """Lay out a page, with the names of the pages that it links to at the end."""
    text = page_text(page)
    blocks = [_lay_out(block) for block in _BLOCK.finditer(_COMMENT.sub("", text))]
    known, folder = titles(), os.path.dirname(page)
    links: dict[str, None] = {}
    for _, target in _LINK.findall(text):
        path = os.path.normpath(os.path.join(folder, target.partition("#")[0]))
        name = path.removesuffix(".md")
        if name in known and name != page.partition("#")[0]:
            links[name] = None
    if links:
        blocks.append(_wrap(f"See also: {', '.join(links)} (`scoref docs PAGE`)"))
    return "\n\n".join(blocks).expandtabs().split("\n")


def _lay_out(block: re.Match[str]) -> str:
    """Lay out a block of Markdown: a paragraph, a list item, code or a table."""
    text = block[0].rstrip("\n")
    if block["code"]:
        lines = text.split("\n")
        is_fenced = text.startswith("```")
        code = "\n".join(lines[1:-1]).rstrip()
        return textwrap.indent(code, "    ") if is_fenced else text
    plain = _LINK.sub(r"\1", _IMAGE.sub(r"[picture: \1]", text))
    if block["table"]:
        return _table(plain)
    if block["item"]:
        bullet = plain.partition(" ")[0]
        return _wrap(plain, " " * (len(bullet) + 1))
    return plain if plain.startswith("#") else _wrap(plain)


def _table(text: str) -> str:
    """Draw a table if it fits, and otherwise a paragraph for each row."""
    header, _, *rows = [
        [
            cell.strip().replace("\\|", "|")
            for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]
        ]
        for line in text.split("\n")
    ]
    width = sum(
        max(map(width_of, cells)) + 2 for cells in zip(header, *rows, strict=True)
    )
    if width - 2 > WIDTH:
        lines = []
        for row in rows:
            cells = zip(header, row, strict=True)
            first, *others = (
                f"{name}: {cell}" if name else cell for name, cell in cells
            )
            lines.append(_wrap(first))
            lines += (_wrap(f"    {other}", " " * 6) for other in others)
        return "\n".join(lines)
    table = Table([Column(label, "text") for label in header], rows)
    return "\n".join(table_lines(table))


def _wrap(text: str, indent: str = "") -> str:
    """Fold a paragraph; ``indent`` is that of all lines but the first."""
    first = text[: len(text) - len(text.lstrip())]
    return textwrap.fill(
        " ".join(text.split()),
        WIDTH,
        initial_indent=first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _complete_name(
    context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem[str]]:
    """Complete a name of the list that the command prints."""
    names = [entry.name for entry in LISTS[str(context.command.name)]()]
    return items(names, incomplete)


def _list_command(name: str, text: str, examples: dict[str, str]) -> click.Command:
    """Make the command that prints a list, or one entry of it."""

    @click.command(name, cls=Command, help=text, examples=examples)
    @click.argument(
        "entry", metavar="[NAME]", required=False, shell_complete=_complete_name
    )
    @click.option(
        "--output",
        type=click.Choice(OUTPUTS),
        default="text",
        show_default=True,
        help="Output format.",
    )
    def command(entry: str | None, output: str) -> None:
        with refusing():
            if entry is None:
                print_report(list_report(name), output)
                return
            match = find_entry(name, entry)
            has_page = match.choices is None and not match.is_plugin
            if output in {"text", "markdown"} and has_page:
                print_page(match.link, output)
            else:
                print_report(entry_report(name, entry), output)

    return command


formats_command = _list_command(
    "formats",
    "List the input formats, or show the page about NAME.",
    {"scoref formats corefud": "Show the page about CorefUD."},
)

metrics_command = _list_command(
    "metrics",
    "List the metrics, or show the page about NAME.",
    {"scoref metrics muc": "Show how MUC is defined."},
)

schemes_command = _list_command(
    "schemes",
    "List the named sets of conventions, or show the choices of NAME.",
    {"scoref schemes crac-2026": "Show the choices of the CRAC shared task of 2026."},
)


class Entry(NamedTuple):
    """An entry of a list: its name, its description, and the page about it."""

    name: str
    text: str
    link: str
    group: str = ""
    reference: str = ""
    choices: Mapping[str, str] | None = None
    package: str = ""  # with its version; schemes have none

    @property
    def is_plugin(self) -> bool:
        """Whether it is from another package."""
        return self.package not in {"", _OWN}


_OWN = f"scoref-{__version__}"

_PLUGINS_PAGE = "docs/plugins.md"


def formats() -> list[Entry]:
    """List the formats that can be read; those of plugins come last."""
    from scoref.formats.catalogue import all_formats

    return [
        Entry(name, known.text, known.page or _PLUGINS_PAGE, _PLUGINS, package=package)
        if (package := known.package)
        else Entry(
            name,
            known.text,
            "docs/formats/{}.md{}{}".format(*known.page.partition("#")),
            package=_OWN,
        )
        for name, known in all_formats().items()
    ]


_PLUGINS = "from plugins"


_WHEN = {
    "always": "computed by default",
    "texts": "computed by default if the format has them",
    "tables": ("computed by default for tables (scoref table), on request for texts"),
    "never": "computed on request (--metrics NAME)",
}


def metrics() -> list[Entry]:
    """List the metrics, sorted by when they are computed; plugins come last."""
    from scoref.metrics import all_metrics

    entries = [
        Entry(
            name,
            f"{metric.label}: {metric.asks}",
            (metric.page or _PLUGINS_PAGE)
            if metric.package
            else f"docs/metrics/{metric.page}.md",
            f"{_PLUGINS}, {_WHEN['never']}" if metric.package else _WHEN[metric.usual],
            metric.reference,
            package=metric.package or _OWN,
        )
        for name, metric in all_metrics().items()
    ]
    order = [*_WHEN.values()]
    return sorted(
        entries,
        key=lambda entry: len(order) if entry.is_plugin else order.index(entry.group),
    )


_COREFUD, _UNIVERSAL = "corefud-scorer", "ua-scorer"

_SCHEMES = {
    "default": (
        "the default: conventions that suit the format of the files",
        "conventions",
    ),
    "conll-2012": ("the Perl reference scorer v8.01", "reference-scorer"),
    "crac-2022": ("the CorefUD scorer: partial match, zeros by position", _COREFUD),
    "crac-2023": ("the CorefUD scorer: head match, zeros by position", _COREFUD),
    "crac-2024": ("the CorefUD scorer: head match, zeros by dependency", _COREFUD),
    "crac-2025": ("the same as crac-2024", _COREFUD),
    "crac-2026": ("the same as crac-2024", _COREFUD),
    "crac-corrected": ("crac-2026 with one-to-one matches", _COREFUD),
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
    "craft-2019": ("the Universal Anaphora scorer: CRAFT match", _UNIVERSAL),
    "maven-ere": (
        "the MAVEN-ERE scorer: gold mentions, mean of four metrics",
        "conventions",
    ),
}


def schemes() -> list[Entry]:
    """List the named schemes, with their choices."""
    from scoref.schemes import SCHEMES

    entries = []
    for name, scheme in SCHEMES.items():
        text, page = _SCHEMES[name]
        fields = scheme.chosen().items()
        choices = {field: value for field, value in fields if value is not None}
        entries.append(Entry(name, text, f"docs/{page}.md", choices=choices))
    return entries


LISTS: Mapping[str, Callable[[], list[Entry]]] = {
    "formats": formats,
    "metrics": metrics,
    "schemes": schemes,
}
"""The lists, by the commands that print them."""


_MORE = {
    "formats": "`scoref formats NAME` shows the page about a format.",
    "metrics": "`scoref metrics NAME` shows the page about a metric.",
    "schemes": "`scoref schemes NAME` shows the conventions of a scheme.",
}


def list_report(name: str) -> Report:
    """Report a list, group by group."""
    entries = LISTS[name]()
    return _report(name, entries, lambda: [*_tables(entries), Remarks([_MORE[name]])])


def entry_report(name: str, wanted: str) -> Report:
    """Report one entry with its choices; of a plugin, with its package."""
    entry = find_entry(name, wanted)
    about = {"reference": entry.reference, "package": entry.package}
    choices = about if entry.is_plugin else entry.choices or {}
    rows = [
        (field.replace("_", "-"), value) for field, value in choices.items() if value
    ]
    page = entry.link.removeprefix("docs/").removesuffix(".md")
    is_ours = entry.link.startswith("docs/")
    parts: list[Part] = [
        Remarks([f"{entry.name}: {entry.text}"]),
        Table(LINES, rows),
        Remarks([f"See `scoref docs {page}`." if is_ours else f"See {entry.link}."]),
    ]
    return _report(name, [entry], lambda: parts)


def _report(
    name: str, entries: Sequence[Entry], parts: Callable[[], Sequence[Part]]
) -> Report:
    return Report(
        name=name,
        parts=parts,
        objects=lambda: map(_object, entries),
        rows=lambda: rows_of(
            [
                {**_object(entry, is_flat=True), **(entry.choices or {})}
                for entry in entries
            ]
        ),
    )


def _tables(entries: Sequence[Entry]) -> list[Table]:
    groups: dict[str, list[tuple[str, str]]] = {}
    for entry in entries:
        package = f" ({entry.package})" if entry.is_plugin else ""
        row = entry.name, f"{entry.text}{package}"
        groups.setdefault(entry.group, []).append(row)
    return [
        Table(LINES, rows, f"{group}:" if group else "")
        for group, rows in groups.items()
    ]


def find_entry(name: str, wanted: str) -> Entry:
    """Find an entry by its name, its alias, or its label in tables."""
    entries = LISTS[name]()
    if name == "metrics":
        from scoref.metrics import metric_names

        wanted = metric_names([wanted])[0]
    for entry in entries:
        if wanted.lower() in {entry.name, entry.text.partition(":")[0].lower()}:
            return entry
    raise unknown(name.removesuffix("s"), wanted, [entry.name for entry in entries])


def _object(entry: Entry, *, is_flat: bool = False) -> dict[str, object]:
    """Return the fields of an entry; a flat one has no field for its choices."""
    fields = {field: value for field, value in entry._asdict().items() if value}
    if is_flat:
        fields.pop("choices", None)
    return fields
