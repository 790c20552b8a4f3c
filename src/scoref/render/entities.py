"""The entities of systems as tables, JSON objects and CSV rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.figures import UNDEFINED, percent
from scoref.notes import note_lines
from scoref.printable import counted
from scoref.render.report import Column, Remarks, Report, Rows, Signatures, Table
from scoref.scoring.comparable import comparability_notes
from scoref.scoring.entities import EntityScore
from scoref.scoring.results import signature_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoref.render.report import Part
    from scoref.scoring.entities import EntityScores


_FEW = 3


def entities_report(systems: Mapping[str, EntityScores], precision: int = 2) -> Report:
    """Report the entities of each system."""

    def parts() -> list[Part]:
        shown: list[Part] = []
        for system, (rows, _) in systems.items():
            shown.append(_table(rows, system if len(systems) > 1 else "", precision))
            shown.append(Remarks([_summary(rows)]))
        return [*shown, Signatures([signature_of(results.values())])]

    results = {system: scores.result for system, scores in systems.items()}
    notes = [
        (system, note) for system, result in results.items() for note in result.notes
    ]
    return Report(
        name="entities",
        parts=parts,
        objects=lambda: [
            {
                "response": system,
                **row._asdict(),
                "merged_with": [*row.merged_with],
                "signature": result.signature,
            }
            for system, (rows, result) in systems.items()
            for row in rows
        ],
        rows=lambda: _rows(systems),
        notes=[*comparability_notes(results), *note_lines(notes, of=len(systems))],
    )


def _rows(systems: Mapping[str, EntityScores]) -> Rows:
    """Make a row of CSV for each entity, with blanks between other entities."""
    return Rows(
        ["response", *EntityScore._fields, "signature"],
        [
            [system, *row[:-1], " ".join(row.merged_with), result.signature]
            for system, (rows, result) in systems.items()
            for row in rows
        ],
    )


def _table(rows: Sequence[EntityScore], title: str, precision: int) -> Table:
    has_documents = len({row.document for row in rows}) > 1
    head = [
        *([Column("document", "name")] if has_documents else []),
        *(Column(name, "name") for name in ("entity", "response")),
        *map(Column, ("size", "there", "shared", "R", "P", "F₁", "parts", "missed")),
        Column("merged with", "name"),
    ]
    return Table(
        head,
        [
            [
                *([row.document] if has_documents else []),
                row.entity or UNDEFINED,
                row.response_entity or UNDEFINED,
                str(row.key_size),
                str(row.response_size),
                str(row.shared),
                *(
                    UNDEFINED if figure is None else percent(figure, precision)
                    for figure in (row.recall, row.precision, row.f1)
                ),
                str(row.parts),
                str(row.missed),
                _some(row.merged_with),
            ]
            for row in rows
        ],
        title,
    )


def _some(names: Sequence[str]) -> str:
    more = f" +{len(names) - _FEW}" if len(names) > _FEW else ""
    return ", ".join(names[:_FEW]) + more


def _summary(rows: Sequence[EntityScore]) -> str:
    """Count entities by what became of them."""
    of_key = [row for row in rows if row.entity is not None]
    exact = sum(row.f1 == 1 for row in of_key)
    split = sum(row.parts > 1 for row in of_key)
    merged = sum(bool(row.merged_with) for row in of_key)
    lost = sum(row.parts == 0 for row in of_key)
    return (
        f"{counted(len(of_key), 'entity', 'entities')} of the key: {exact} exact, "
        f"{split} split, {merged} merged, {lost} not found; "
        f"{len(rows) - len(of_key)} only in the response"
    )
