"""What is in files, as a report: a column for each file, or a row for each document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.figures import UNDEFINED, percent
from scoref.render.report import Remarks, Report, Rows, Table, columns
from scoref.scoring.registry import label_of, name_of
from scoref.tools.stats.census import COUNTS, RATES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoref.fingerprint import Fingerprint
    from scoref.render.report import Unscored
    from scoref.tools.stats.census import Census, CensusRow

SIZES = ((1, 1), (2, 2), (3, 5), (6, 10), (11, 20), (21, None))
"""Classes of entities by their mentions, both ends included."""

_SHARES = ("singletons_per_entity", "singletons_per_mention")
_COLUMNS = (
    *("sentences", "words", "mentions", "entities", "singletons", "zeros"),
    *("discontinuous", "nested"),
)


def census_report(
    files: Mapping[str, Census],
    keys: Mapping[str, Fingerprint],
    precision: int = 2,
    *,
    per_document: bool = False,
    failures: Sequence[Unscored] = (),
) -> Report:
    """Report what is in files, and which keys they are."""
    return Report(
        name="stats",
        parts=lambda: [
            *_tables(files, keys, precision, per_document=per_document),
            *_known(keys),
        ],
        objects=lambda: [
            {
                **_object(name, each, per_document),
                "fingerprint": keys[name].as_object(name_of(keys[name]) or ""),
            }
            for name, each in files.items()
        ],
        rows=lambda: _rows(files, per_document=per_document),
        notes=_notes(files),
        failures=failures,
    )


def _known(keys: Mapping[str, Fingerprint]) -> list[Remarks]:
    """Name the keys that are known."""
    known = {name: each for name, each in keys.items() if name_of(each)}
    told = [f"{name}: key {label_of(each)}" for name, each in known.items()]
    return [Remarks(told)] if told else []


def _tables(
    files: Mapping[str, Census],
    keys: Mapping[str, Fingerprint],
    precision: int,
    *,
    per_document: bool,
) -> list[Table]:
    if not per_document:
        totals = {name: each.total() for name, each in files.items()}
        return [_of_files(totals, keys, precision)] if totals else []
    return [
        _of_documents(name if len(files) > 1 else "", each, precision)
        for name, each in files.items()
    ]


def size_label(low: int, high: int | None) -> str:
    """Call a class of entities by their sizes.

    >>> size_label(1, 1), size_label(3, 5), size_label(21, None)
    ('1', '3-5', '21-')
    """
    return str(low) if low == high else f"{low}-{'' if high is None else high}"


def by_size(row: CensusRow) -> dict[str, int]:
    """Count entities by classes of sizes."""
    return {
        size_label(low, high): sum(
            count
            for size, count in row.sizes.items()
            if low <= size and (high is None or size <= high)
        )
        for low, high in SIZES
    }


def _notes(files: Mapping[str, Census]) -> list[str]:
    """List what was noted, once."""
    found = (note.message for each in files.values() for note in each.notes)
    return list(dict.fromkeys(found))


def _of_files(
    files: Mapping[str, CensusRow], keys: Mapping[str, Fingerprint], precision: int
) -> Table:
    rows = list(files.values())
    counts = [
        [label, *(_count(row.counts[name]) for row in rows)]
        for name, label in COUNTS.items()
    ]
    rates = [
        [label, *(_rate(name, row.rates[name], precision) for row in rows)]
        for name, label in RATES.items()
    ]
    sizes = [
        [f"entities of size {label}", *(str(by_size(row)[label]) for row in rows)]
        for label in by_size(rows[0])
    ]
    types = dict.fromkeys(kind for row in rows for kind in row.types or ())
    kinds = [
        [
            f"type {kind or '(none)'}",
            *(
                _count(None if row.types is None else row.types.get(kind, 0))
                for row in rows
            ),
        ]
        for kind in sorted(types)
    ]
    prints = ["fingerprint", *(keys[name].short for name in files)]
    return Table(columns("", *files), [*counts, *rates, *sizes, *kinds, prints])


def _of_documents(title: str, census: Census, precision: int) -> Table:
    labels = [*(COUNTS[name] for name in _COLUMNS), "per 100 words"]
    found = {**census.by_document(), "all documents": census.total()}
    rows = [
        [
            name,
            *(_count(row.counts[column]) for column in _COLUMNS),
            _rate("", row.rates["mentions_per_100_words"], precision),
        ]
        for name, row in found.items()
    ]
    return Table(columns("document", *labels), rows, title)


def _count(value: int | None) -> str:
    return UNDEFINED if value is None else str(value)


def _rate(name: str, value: float | None, precision: int) -> str:
    if value is None or name in _SHARES:
        return UNDEFINED if value is None else percent(value, precision)
    return str(value) if isinstance(value, int) else f"{value:.{precision}f}"


def _object(name: str, census: Census, per_document: bool) -> dict[str, object]:
    written: dict[str, object] = {
        "file": name,
        "format": census.format,
        **_row_object(census.total()),
        "notes": census.notes,
    }
    if per_document:
        written["per_document"] = {
            document: _row_object(row) for document, row in census.by_document().items()
        }
    return written


def _row_object(row: CensusRow) -> dict[str, object]:
    return {
        "counts": row.counts,
        "rates": row.rates,
        "sizes": {str(size): count for size, count in row.sizes.items()},
        "types": row.types,
    }


def _rows(files: Mapping[str, Census], *, per_document: bool) -> Rows:
    header = ["file", *(["document"] if per_document else []), "what", "value"]
    rows: list[list[object]] = []
    for name, census in files.items():
        found = census.by_document() if per_document else {"": census.total()}
        for document, row in found.items():
            place = [name, document] if per_document else [name]
            rows += ([*place, what, value] for what, value in _values(row))
    return Rows(header, rows)


def _values(row: CensusRow) -> Sequence[tuple[str, float | None]]:
    return [
        *row.counts.items(),
        *row.rates.items(),
        *((f"entities_of_{size}", count) for size, count in row.sizes.items()),
        *((f"type_{kind}", count) for kind, count in (row.types or {}).items()),
    ]
