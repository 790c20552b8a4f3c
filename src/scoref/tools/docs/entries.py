"""What there is to ask for: formats, metrics and schemes, a line and a link for each.

Names come from the tables that the rest of the code goes by; here they get a text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import unknown
from scoref.render.report import LINES, Remarks, Report, Table, rows_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scoref.render.report import Part

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
    from scoref.formats import FORMATS  # noqa: PLC0415 - one list is wanted

    return [
        Entry(name, each.text, f"docs/formats/{each.page}.md")
        for name, each in FORMATS.items()
    ]


def metrics() -> list[Entry]:
    """List what can be computed."""
    from scoref.metrics import METRICS  # noqa: PLC0415 - one list is wanted

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
    from scoref.schemes import SCHEMES  # noqa: PLC0415

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
    entry = found(name, wanted)
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


def found(name: str, wanted: str) -> Entry:
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
