"""Agreement as an HTML page, which speaks of readings and differences.

The page is a report with other words. It shows all texts side by side. The first
annotator takes the place of the key, and the other annotators take the place of
systems; their differences from the first annotator are marked in the texts.
"""

from __future__ import annotations

import dataclasses
import os
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from scoref.printable import without_folders
from scoref.scoring.annotators import in_one_text
from scoref.tools.agree.rendering import USUAL, agreement_tables
from scoref.tools.errors.analysis import analyse
from scoref.tools.report.data import report_of
from scoref.tools.report.page import render_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scoref.render.report import Table
    from scoref.tools.agree.rendering import AgreeView
    from scoref.tools.agree.results import Agreement, Disputed
    from scoref.tools.errors.findings import Analysis

    T = TypeVar("T")


class _Difference(NamedTuple):
    """What the page says about a kind of difference.

    {} in the meaning is the first annotator. `web/src/entries.ts` lists the names in
    braces of a sentence.
    """

    label: str
    meaning: str
    sentence: str


_DIFFERENCES = {
    "span": _Difference(
        "other words",
        "a mention has more or fewer words than for {}",
        "{found} instead of {wanted}",
    ),
    "conflated-entity": _Difference(
        "joined entities",
        "entities that {} keeps apart are joined",
        "{ours} {was} joined with {others}",
    ),
    "wrong-link": _Difference(
        "other entity",
        "mentions are in another entity than for {}",
        "{ours} {was} put with {others}",
    ),
    "extra-mention": _Difference(
        "additional mention",
        "a mention that {} did not mark is in one of the entities of {}",
        "{surplus}, which only one of the two marked, {was} put with {others}",
    ),
    "extra-entity": _Difference(
        "additional entity",
        "an entity has only mentions that {} did not mark",
        "{surplus}, which only one of the two marked, {was} made into an entity",
    ),
    "missing-mention": _Difference(
        "unmarked mention",
        "a mention that {} marked is unmarked, but others of its entity are marked",
        "{ours} {was} not marked",
    ),
    "missing-entity": _Difference(
        "unmarked entity",
        "no mention of one of the entities of {} is marked",
        "{ours} {was} not marked",
    ),
    "divided-entity": _Difference(
        "divided entity",
        "an entity that {} has as one is divided",
        "{ours} {was} kept apart from the rest of the entity",
    ),
}
"""What each kind of error is called if annotators are compared."""


def agreement_page(agreement: Agreement, view: AgreeView = USUAL) -> str:
    """Return a page for a browser, with the first annotator in place of the key."""
    agreement = _with_file_names(agreement)
    first = agreement.names[0]
    data = report_of(dict(_analyses(agreement)))
    tables = [
        *map(_plain_table, agreement_tables(agreement, view, has_disputes=False)),
        *([_disputes(agreement, view)] if agreement.disputed else []),
    ]
    kinds = []
    for kind in data.report["kinds"]:  # type: ignore[attr-defined] # a list
        difference = _DIFFERENCES[kind["name"]]._asdict()
        difference["meaning"] = difference["meaning"].replace("{}", first)
        kinds.append({**kind, **difference})
    report: dict[str, object] = {
        **data.report,
        "title": "Annotator agreement",
        "key": first,
        "annotator": first,
        "agreement": tables,
        "kinds": kinds,
        "comparison": None,
        "files": _files(agreement),
        # These sentences are about systems; without them, the page counts kinds.
        "systems": [
            {**system, "sentence": None, "start": None, "groups": None}
            for system in data.report["systems"]  # type: ignore[attr-defined]
        ],
    }
    return render_page(report, data.texts)


def _with_file_names(agreement: Agreement) -> Agreement:
    """Call annotators who have no names but their paths by the names of their files."""
    paths = {name for name in agreement.names if os.path.exists(name)}
    short = without_folders(agreement.names, paths)
    names = dict(zip(agreement.names, short, strict=True))

    def by_name(figures: Mapping[str, T]) -> dict[str, T]:
        return {names[name]: figure for name, figure in figures.items()}

    response, confidence = agreement.response, agreement.confidence
    return dataclasses.replace(
        agreement,
        names=tuple(short),
        pairs={
            (min(both), max(both)): pair
            for (one, other), pair in agreement.pairs.items()
            for both in [(names[one], names[other])]
        },
        per_annotator=by_name(agreement.per_annotator),
        annotators=by_name(agreement.annotators),
        disputed=tuple(
            dispute._replace(
                readings=tuple(
                    reading._replace(
                        annotators=tuple(names[name] for name in reading.annotators)
                    )
                    for reading in dispute.readings
                )
            )
            for dispute in agreement.disputed
        ),
        response=response
        and dataclasses.replace(
            response,
            per_key=by_name(response.per_key),
            ceiling=by_name(response.ceiling),
        ),
        confidence=confidence
        and dataclasses.replace(
            confidence, per_annotator=by_name(confidence.per_annotator)
        ),
    )


def _files(agreement: Agreement) -> list[dict[str, str]]:
    """List the files of annotators who have another name than their file."""
    sources = (corpus.source for corpus in agreement.corpora("--report"))
    files = [
        {"name": name, "value": os.path.basename(source.removeprefix(f"{name}="))}
        for name, source in zip(agreement.names, sources, strict=True)
    ]
    return [file for file in files if file["value"] != os.path.basename(file["name"])]


def _plain_table(table: Table) -> dict[str, object]:
    """Return the cells of a table, without a column that says the same everywhere.

    Tables are then narrow enough for a phone.
    """
    rows = [
        [cell if isinstance(cell, str) else cell.text for cell in row]
        for row in table.rows
    ]
    header = [column.label for column in table.columns]
    kept = [
        place
        for place, label in enumerate(header)
        if label not in {"Annotators", "Documents"}
        or len({row[place] for row in rows}) > 1
    ]
    return {
        "title": table.title,
        "header": [header[place] for place in kept],
        "rows": [[row[place] for place in kept] for row in rows],
        "texts": [
            number
            for number, place in enumerate(kept)
            if table.columns[place].kind != "figure"
        ],
    }


def _disputes(agreement: Agreement, view: AgreeView) -> dict[str, object]:
    """List disputed mentions in three columns, which fit on any screen."""
    return {
        "title": "Mentions, most disputed first",
        "header": ["Mention", "Readings", agreement.distances[0]],
        "rows": [
            [
                f"{one.mention}\n{_place(one)}",
                "\n".join(
                    f"{', '.join(reading.annotators)}: {reading.says}"
                    for reading in one.readings
                ),
                view.alpha(one.disagreement),
            ]
            for one in agreement.disputed
        ],
        "texts": [0, 1],
    }


def _place(one: Disputed) -> str:
    """Say where a mention is: document and sentence, file and line."""
    sentence = "" if one.sentence is None else f", sentence {one.sentence}"
    name, equals, path = one.place.rpartition("=")
    place = f"{name}{equals}{os.path.basename(path)}"
    has_line = place.rpartition(":")[2].isdigit()
    return f"{one.document}{sentence}" + (f"\n{place}" if has_line else "")


def _analyses(agreement: Agreement) -> Iterator[tuple[str, Analysis]]:
    """Analyse the differences of each other annotator from the first one."""
    first, *others = agreement.corpora("--report")
    scheme = next(iter(agreement._annotated.results.values())).scheme
    if first.words is None:
        scheme = dataclasses.replace(scheme, missing="empty")
    for name, corpus in zip(agreement.names[1:], others, strict=True):
        sides = in_one_text(first, corpus, scheme)
        yield name, analyse(sides.key, sides.response, sides.scheme, agreement.metrics)
