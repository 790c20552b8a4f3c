"""The report as one page: figures, plots and documents in a single HTML file.

The page is a template with a style sheet, a script, figures as text, and the report as
JSON. The errors and the text of each document are packed separately, so that opening
the page unpacks only what is shown. Style sheet and script are built from `web/`.
"""

from __future__ import annotations

import os
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

from scoref.markup import escaped, policy
from scoref.tools.report.page.contract import compress, encode, read_report
from scoref.tools.report.page.looks import sign_of
from scoref.tools.report.page.packing import pack
from scoref.tools.report.page.summary import bar, choices, summary

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ESCAPES = str.maketrans(
    {character: f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}
)
"""JSON with these escapes cannot end the element that contains it."""


def render_page(
    report: Mapping[str, object], texts: Sequence[Mapping[str, object] | None]
) -> str:
    """Write a report and the texts of its documents as one page.

    Args:
        report: scores, choices, errors and a list of documents.
        texts: words and mentions of each document; None if its text is not shown.
    """
    checked = read_report(report)
    errors = report.get("errors")
    # What the first screen needs is not packed: all but the single errors.
    unpacked = encode(
        {
            **report,
            "key": os.path.basename(checked.key),  # a page does not show folders
            "kinds": [
                {**kind, "sign": sign_of(kind.get("name", ""))}
                for kind in _as_list(report.get("kinds") or [])
                if isinstance(kind, dict)
            ],
            "errors": errors is not None,
        }
    )
    elements = [] if errors is None else [packed_element("errors-packed", errors)]
    elements += [
        packed_element(f"text-{number}", pack(text))
        for number, text in enumerate(texts)
        if text is not None
    ]
    script, style = asset("report.js"), asset("report.css")
    page = Template(asset("page.html")).substitute(
        policy=policy(script, style),
        version=escaped(checked.scoref),
        title=escaped(checked.title),
        style=style,
        errors="Errors" if checked.agreement is None else "Differences",
        layout="plain" if errors is None else "with-errors",
        bar=bar(
            checked,
            has_errors=errors is not None,
            has_clusters=report.get("clusters") is not None,
            has_texts=any(text is not None for text in texts),
        ),
        summary=summary(checked, has_kinds=bool(report.get("kinds"))),
        choices=choices(checked),
        report=unpacked.decode("utf-8").translate(ESCAPES),
        texts="\n".join(elements),
        script=script,
    )
    # Names of files may contain bytes that are not text.
    return page.encode("utf-8", "replace").decode("utf-8")


def packed_element(name: str, content: object) -> str:
    """Write data as an element that the page unpacks when it needs it."""
    packed = compress(content)
    return f'<script type="text/plain" id="{name}">{packed}</script>'


def asset(name: str) -> str:
    """Read a file of this package that is part of pages."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8").strip()


def _as_list(values: object) -> list[object]:
    assert isinstance(values, (list, tuple))
    return list(values)
