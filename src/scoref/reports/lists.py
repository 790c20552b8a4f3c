"""What there is to ask for: formats, metrics and schemes, a line and a link for each.

Names come from the tables that the rest of the code goes by; here they get a text.
"""

from __future__ import annotations

import dataclasses
import json
import textwrap
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_WIDTH = 80
_MORE = {
    "formats": "`scoref formats NAME` shows the page about one of them.",
    "metrics": "`scoref metrics NAME` shows the page about one of them.",
    "schemes": "`scoref schemes NAME` says what one of them chooses.",
}
_DEFAULT = "computed by default, where a format has them"
_BY_NAME = "only by name (--metrics NAME)"
_OF_TABLES = "only for tables (scoref table)"


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
        Entry(name, text, f"docs/formats/{name}.md") for name, text in FORMATS.items()
    ]


def metrics() -> list[Entry]:
    """List what can be computed."""
    from scoref.metrics import ALL_NAMES, VARIANTS, conll, metrics_of  # noqa: PLC0415
    from scoref.reports.clusterings import VALUES  # noqa: PLC0415
    from scoref.scheme import Scheme  # noqa: PLC0415

    known = metrics_of(Scheme())
    words = {name: (each.label, each.reference) for name, each in known.items()}
    words[conll.NAME] = conll.LABEL, ""
    of_texts = [
        Entry(
            name,
            f"{words[name][0]}: {_ASKS[name]}",
            _page_of(name, is_variant=names is VARIANTS),
            group,
            words[name][1],
        )
        for names, group in ((ALL_NAMES, _DEFAULT), (VARIANTS, _BY_NAME))
        for name in names
    ]
    of_tables = [
        Entry(name, label, "docs/metrics/clusterings.md", _OF_TABLES)
        for name, label in VALUES.items()
    ]
    return of_texts + of_tables


def schemes() -> list[Entry]:
    """List the set-ups with a name; what each one chooses goes to programs."""
    from scoref.scheme import SCHEMES  # noqa: PLC0415

    found = []
    for name, scheme in SCHEMES.items():
        text, page = _SCHEMES[name]
        chosen = dataclasses.asdict(scheme).items()
        choices = {field: value for field, value in chosen if value is not None}
        found.append(Entry(name, text, f"docs/{page}.md", choices=choices))
    return found


LISTS: Mapping[str, Callable[[], list[Entry]]] = {
    "formats": formats,
    "metrics": metrics,
    "schemes": schemes,
}
"""Every list."""


def render_list(name: str, output: str) -> str:
    """Write a list, aligned for people or as JSON."""
    entries = LISTS[name]()
    if output == "json":
        return _json([_object(each) for each in entries])
    lines = "\n".join(_aligned(entries)).lstrip("\n")
    return f"{lines}\n\n{_wrapped(_MORE[name])}"


def render_entry(name: str, wanted: str, output: str) -> str:
    """Write all that there is to say of one entry."""
    entry = _found(name, wanted)
    if output == "json":
        return _json(_object(entry))
    if entry.choices is None:
        from scoref.reports.documentation import render_page  # noqa: PLC0415 - reads it

        return render_page(entry.link)
    width = max(map(len, entry.choices))
    choices = [
        f"{field.replace('_', '-').ljust(width)}  {each}"
        for field, each in entry.choices.items()
    ]
    more = f"`scoref docs {_page_name(entry.link)}` tells more."
    return "\n".join([_wrapped(f"{entry.name}: {entry.text}"), "", *choices, "", more])


def _found(name: str, wanted: str) -> Entry:
    """Find an entry by its name, or by what it is called in tables."""
    entries = LISTS[name]()
    for each in entries:
        if wanted.lower() in {each.name, each.text.partition(":")[0].lower()}:
            return each
    raise unknown(name.removesuffix("s"), wanted, [each.name for each in entries])


def _page_name(link: str) -> str:
    return link.removeprefix("docs/").removesuffix(".md")


def _object(entry: Entry) -> dict[str, object]:
    return {field: value for field, value in entry._asdict().items() if value}


def _json(written: object) -> str:
    return json.dumps(written, ensure_ascii=False, indent=2)


def _wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(text, _WIDTH, subsequent_indent=indent)


def _aligned(entries: list[Entry]) -> Iterator[str]:
    names = max(len(each.name) for each in entries)
    group = ""
    for each in entries:
        if each.group != group:
            group = each.group
            yield from ("", f"{group}:")
        yield _wrapped(f"{each.name.ljust(names)}  {each.text}", " " * (names + 2))


_ASKS = {
    "mentions": "were the mentions found?",
    "muc": "how many links must be added or cut?",
    "bcub": "how much of each mention's entity is right?",
    "ceafm": "how many mentions agree in the best pairing of entities?",
    "ceafe": "how well do paired entities agree, large or small?",
    "blanc": "which pairs are linked, and which rightly kept apart?",
    "lea": "what share of each entity's links is resolved?",
    "mor": "how many words of the mentions are covered?",
    "zero": "is each zero, or other anaphor, linked to the right entity?",
    "non-referring": "which mentions mean nothing?",
    "bridging-anaphors": "which mentions are understood by way of another?",
    "bridging-markables": "by way of which mention?",
    "bridging-entities": "by way of which entity?",
    "conll": "mean F1 of MUC, B³ and CEAFe",
    "pairwise": "pairs of different mentions",
    "pairwise-membership": "each mention a pair with itself, too",
    "pairwise-s2and": "as the S2AND benchmark counts pairs",
    "bcub-entity": "every key entity counts the same",
    "cluster": "entities that are equal",
    "closest-cluster": "each entity and the one most like it",
    "bcub-0": "what only the response has is left out",
    "bcub-all": "what only one side has is right about itself",
    "bcub-rn": "singletons that only the response has are left out",
    "bcub-sys": "what only one side has is a singleton of the other",
    "ceafm-rn": "singletons that only the response has are left out",
    "ceafm-sys": "what only one side has is a singleton of the other",
    "ceafe-sys": "what only one side has is a singleton of the other",
}

_PAGES = {
    "bcub": "b-cubed",
    "ceafm": "ceaf",
    "ceafe": "ceaf",
    "zero": "zeros",
    "bridging-anaphors": "bridging",
    "bridging-markables": "bridging",
    "bridging-entities": "bridging",
}
_TWINLESS = ("-0", "-all", "-rn", "-sys")


def _page_of(name: str, *, is_variant: bool) -> str:
    page = _PAGES.get(name, name)
    if is_variant:
        page = "variants" if name.endswith(_TWINLESS) else "clusterings"
    return f"docs/metrics/{page}.md"


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
}
