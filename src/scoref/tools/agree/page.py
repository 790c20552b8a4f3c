"""The page of an agreement: figures, what is disputed, and every text side by side.

The first annotator stands where a report has its key, and the others where it has
systems: what they differ by is marked in the texts.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from scoref.errors import OptionError
from scoref.scoring.annotators.documents import in_one_text
from scoref.tools.agree.rendering import AgreeView, agreement_tables
from scoref.tools.errors import analyse
from scoref.tools.report.data import report_of
from scoref.tools.report.page import render_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scoref.render.report import Table
    from scoref.tools.agree.results import Agreement
    from scoref.tools.errors import Analysis


def agreement_page(found: Agreement, view: AgreeView | None = None) -> str:
    """Write a page for a browser."""
    first, *others = found.names
    data = report_of(dict(_analyses(found)))
    tables = [_plain(each) for each in agreement_tables(found, view or AgreeView())]
    report = {
        **data.report,
        "title": "Agreement of annotators",
        "key": f"{first}, who stands for the key here",
        "annotator": first,
        "agreement": tables,
        "kinds": [_about(each, first) for each in data.report["kinds"]],  # type: ignore[attr-defined] # a list
    }
    assert others  # noqa: S101 - there are two annotators at least
    return render_page(report, data.texts)


def _analyses(found: Agreement) -> Iterator[tuple[str, Analysis]]:
    """Let the first annotator be the key of each other one."""
    people = found.annotated
    if len(people.corpora) != len(people.names):
        raise OptionError("--report is for files, not for folders of datasets")
    scheme = next(iter(people.results.values())).scheme
    if people.corpora[0].words is None:
        scheme = dataclasses.replace(scheme, missing="empty")
    pairs = zip(people.names[1:], people.corpora[1:], strict=True)
    for name, corpus in pairs:
        sides = in_one_text(people.corpora[0], corpus, scheme)
        yield name, analyse(sides.key, sides.response, sides.scheme, found.metrics)


def _about(kind: Mapping[str, str], first: str) -> dict[str, str]:
    """Say of a kind of error what it means where somebody stands for the key."""
    return {**kind, "meaning": kind["meaning"].replace("the key", first)}


def _plain(table: Table) -> dict[str, object]:
    return {
        "title": table.title,
        "header": [column.label for column in table.columns],
        "rows": [
            [cell if isinstance(cell, str) else cell.text for cell in row]
            for row in table.rows
        ],
    }
