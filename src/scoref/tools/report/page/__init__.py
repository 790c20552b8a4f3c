"""The report as one page: figures, plots and documents in a single HTML file.

The page is a template with a style sheet, a script, figures as text, and the report as
JSON. The errors and the text of each document are packed separately, so that opening
the page unpacks only what is shown. Style sheet and script are built from `web/`.
"""

from __future__ import annotations

from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

from scoref.markup import escaped, policy
from scoref.tools.report.page.contract import (
    compressed,
    encoded,
    mention_steps,
    read_report,
    read_text,
    steps,
)
from scoref.tools.report.page.looks import looks_of, sign_of
from scoref.tools.report.page.summary import choices, summary

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scoref.tools.report.page.contract import PageSide
    from scoref.tools.report.page.looks import Looks

_RISKY = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}
_RISKY |= {"\u2028": "\\u2028", "\u2029": "\\u2029"}
_ESCAPES = str.maketrans(_RISKY)


def render_page(
    report: Mapping[str, object], texts: Sequence[Mapping[str, object] | None]
) -> str:
    """Write a report and the texts of its documents as one page.

    Args:
        report: scores, choices, errors and a list of documents.
        texts: words and mentions of each document, or None where there are none.
    """
    checked = read_report(report)
    script, style = asset("report.js"), asset("report.css")
    page = Template(asset("page.html")).substitute(
        policy=policy(script, style),
        version=escaped(checked.scoref),
        title=escaped(checked.title),
        style=style,
        layout="plain" if report.get("errors") is None else "with-errors",
        summary=summary(checked),
        choices=choices(checked),
        report=_json(_unpacked_part(report)),
        texts="\n".join(_packed_parts(report, texts)),
        script=script,
    )
    # Names of files may hold bytes that are no text.
    return page.encode("utf-8", "replace").decode("utf-8")


def _unpacked_part(report: Mapping[str, object]) -> dict[str, object]:
    """Give what the first screen needs: all but the errors one by one."""
    kinds = _with_signs(report.get("kinds"))
    return {**report, "kinds": kinds, "errors": report.get("errors") is not None}


def _packed_parts(
    report: Mapping[str, object], texts: Sequence[Mapping[str, object] | None]
) -> Iterator[str]:
    """Write errors and texts as elements that are unpacked when they are needed."""
    errors = report.get("errors")
    if errors is not None:
        yield _element("errors-packed", compressed(errors))
    for number, text in enumerate(texts):
        if text is not None:
            yield _element(f"text-{number}", packed(text))


def _element(name: str, content: str) -> str:
    return f'<script type="text/plain" id="{name}">{content}</script>'


def asset(name: str) -> str:
    """Read a file that goes into pages."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8").strip()


def packed(text: Mapping[str, object]) -> str:
    """Add the looks of entities to a text and pack it."""
    checked = read_text(text)
    key, systems = looks_of(checked)
    return compressed(
        {
            **text,
            "key": _packed_side(text["key"], checked.key, key),
            "systems": [
                {**_packed_side(*side), "partner": steps(side[1].partner)}
                for side in zip(
                    _listed(text["systems"]), checked.systems, systems, strict=True
                )
            ],
        }
    )


def _packed_side(side: object, checked: PageSide, looks: Looks) -> dict[str, object]:
    assert isinstance(side, dict)
    return {
        **side,
        "mentions": mention_steps(checked.mentions),
        "looks": looks._asdict(),
    }


def _with_signs(kinds: object) -> list[object]:
    named = (each for each in _listed(kinds or []) if isinstance(each, dict))
    return [{**each, "sign": sign_of(each.get("name", ""))} for each in named]


def _listed(values: object) -> list[object]:
    assert isinstance(values, (list, tuple))
    return list(values)


def _json(value: object) -> str:
    """Write JSON that cannot end the element it stands in."""
    return encoded(value).decode("utf-8").translate(_ESCAPES)
