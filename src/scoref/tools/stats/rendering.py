"""A census as tables, JSON objects and CSV rows, and as a plot.

Tables have a column for each file, or a row for each document. The plot shows the share
of entities by their number of mentions.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scoref.errors import OptionError
from scoref.figures import UNDEFINED, percent
from scoref.fingerprint import label_of, name_of
from scoref.render.plots import (
    COLOURS,
    Captions,
    canvas,
    check_plot,
    file_names,
    finish,
    render_figure,
    settings,
    short_names,
)
from scoref.render.report import Remarks, Report, Rows, Table, columns
from scoref.tools.stats.census import COUNTS, RATES
from scoref.writing import write_whole

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

    from scoref.fingerprint import Fingerprint
    from scoref.render.report import Part, Unscored
    from scoref.tools.stats.census import Census, CensusRow


def census_report(
    files: Mapping[str, Census],
    keys: Mapping[str, Fingerprint],
    precision: int = 2,
    *,
    per_document: bool = False,
    failures: Sequence[Unscored] = (),
) -> Report:
    """Report the counts of files, and which known keys they are.

    Args:
        files: the counts by the name of the file.
        keys: the fingerprint of each file.
        precision: number of decimals of rates.
        per_document: whether each document has a row.
        failures: files that could not be read.
    """

    def parts() -> list[Part]:
        shown: list[Part] = []
        if per_document:
            shown += (
                _document_table(name if len(files) > 1 else "", census, precision)
                for name, census in files.items()
            )
        elif files:
            shown.append(_file_table(files, keys, precision))
        labels = [
            f"{name}: known key {label_of(key)}"
            for name, key in keys.items()
            if name_of(key)
        ]
        return [*shown, Remarks(labels)] if labels else shown

    messages = (note.message for census in files.values() for note in census.notes)
    return Report(
        name="stats",
        parts=parts,
        objects=lambda: [
            {
                **_object(name, census, per_document),
                "fingerprint": keys[name].as_object(name_of(keys[name]) or ""),
            }
            for name, census in files.items()
        ],
        rows=lambda: _csv_rows(files, per_document=per_document),
        notes=list(dict.fromkeys(messages)),
        failures=failures,
    )


SIZES = ((1, 1), (2, 2), (3, 5), (6, 10), (11, 20), (21, None))
"""Classes of entities by their number of mentions, both ends included."""


def size_label(low: int, high: int | None) -> str:
    """Return the label of a class of sizes.

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


def _file_table(
    files: Mapping[str, Census], keys: Mapping[str, Fingerprint], precision: int
) -> Table:
    """Make the table with a column for each file."""
    totals = [census.total() for census in files.values()]
    types = {name for row in totals for name in row.types or ()}
    rows = [
        *(
            [label, *(_count(row.counts[name]) for row in totals)]
            for name, label in COUNTS.items()
        ),
        *(
            [label, *(_rate(name, row.rates[name], precision) for row in totals)]
            for name, label in RATES.items()
        ),
        *(
            [f"entities of size {label}", *(str(by_size(row)[label]) for row in totals)]
            for label in by_size(totals[0])
        ),
        *(
            [
                f"type {name or '(none)'}",
                *(
                    _count(None if row.types is None else row.types.get(name, 0))
                    for row in totals
                ),
            ]
            for name in sorted(types)
        ),
        ["fingerprint", *(keys[name].short for name in files)],
    ]
    return Table(columns("", *files), rows)


_DOCUMENT_COLUMNS = (
    *("sentences", "words", "mentions", "entities", "singletons", "zeros"),
    *("discontinuous", "nested"),
)


def _document_table(title: str, census: Census, precision: int) -> Table:
    """Make the table of one file with a row for each document."""
    labels = [*(COUNTS[name] for name in _DOCUMENT_COLUMNS), "per 100 words"]
    documents = {**census.by_document(), "all documents": census.total()}
    rows = [
        [
            name,
            *(_count(row.counts[column]) for column in _DOCUMENT_COLUMNS),
            _rate("", row.rates["mentions_per_100_words"], precision),
        ]
        for name, row in documents.items()
    ]
    return Table(columns("document", *labels), rows, title)


def _count(value: int | None) -> str:
    return UNDEFINED if value is None else str(value)


_SHARES = ("singletons_per_entity", "singletons_per_mention")


def _rate(name: str, value: float | None, precision: int) -> str:
    if value is None or name in _SHARES:
        return UNDEFINED if value is None else percent(value, precision)
    return str(value) if isinstance(value, int) else f"{value:.{precision}f}"


def _object(name: str, census: Census, per_document: bool) -> dict[str, object]:
    """Return the JSON object of a file."""
    fields: dict[str, object] = {
        "file": name,
        "format": census.format,
        **_row_object(census.total()),
        "notes": census.notes,
    }
    if per_document:
        fields["per_document"] = {
            document: _row_object(row) for document, row in census.by_document().items()
        }
    return fields


def _row_object(row: CensusRow) -> dict[str, object]:
    return {
        "counts": row.counts,
        "rates": row.rates,
        "sizes": {str(size): count for size, count in row.sizes.items()},
        "types": row.types,
    }


def _csv_rows(files: Mapping[str, Census], *, per_document: bool) -> Rows:
    """Make a row of CSV for each figure."""
    header = ["file", *(["document"] if per_document else []), "what", "value"]
    rows: list[list[object]] = []
    for file, census in files.items():
        documents = census.by_document() if per_document else {"": census.total()}
        for document, row in documents.items():
            place = [file, document] if per_document else [file]
            values: dict[str, float | None] = {
                **row.counts,
                **row.rates,
                **{f"entities_of_{size}": count for size, count in row.sizes.items()},
                **{f"type_{name}": count for name, count in (row.types or {}).items()},
            }
            rows += ([*place, what, value] for what, value in values.items())
    return Rows(header, rows)


_BAR, _GAP = 0.22, 0.18  # in inches


def plot_sizes(path: str | os.PathLike[str], files: Mapping[str, Census]) -> None:
    """Draw entities by size, a bar for each file.

    Args:
        path: the file to write. Its suffix is its type: ``.svg``, ``.png`` or
            ``.html``.
        files: the counts by the name of the file.
    """
    kind = check_plot(path)
    if len(files) > len(COLOURS):
        raise OptionError(f"a plot can show at most {len(COLOURS)} files")
    sizes = [by_size(census.total()) for census in files.values()]
    counts = [list(row.values()) for row in sizes]
    if not any(map(sum, counts)):
        raise OptionError("there are no entities to plot")
    labels = list(sizes[0])
    bars = list(zip(short_names(file_names(files)), counts, strict=True))
    totals = [f"{sum(bar):,} entities in {name}" for name, bar in bars]
    title = "Entities by number of mentions"
    captions = Captions(title, "; ".join(totals), ())
    hovers = []
    for row, label in enumerate(labels):
        shares = [f"{name}: {bar[row]:,} of {sum(bar):,}" for name, bar in bars]
        hovers.append(f"{label} mentions: {'; '.join(shares)}")
    with settings():
        figure, axes = canvas(len(labels) * (_BAR * len(files) + _GAP))
        _draw(axes, labels, bars)
        finish(axes, captions, "percent of entities")
        data = render_figure(figure, kind, captions, hovers)
    write_whole(path, data)


def _draw(
    axes: Axes, labels: Sequence[str], bars: Sequence[tuple[str, Sequence[int]]]
) -> None:
    height = 0.8 / len(bars)
    for number, (name, counts) in enumerate(bars):
        whole = sum(counts) or 1
        places = [row - 0.4 + (number + 0.5) * height for row in range(len(labels))]
        shares = [100 * count / whole for count in counts]
        axes.barh(places, shares, 0.9 * height, color=COLOURS[number], label=name)
        for place, share, count in zip(places, shares, counts, strict=True):
            axes.annotate(
                f"{count:,}",
                (share, place),
                xytext=(4, 0),
                textcoords="offset points",
                verticalalignment="center_baseline",
                fontsize=7,
            )
    shown = [re.sub("-$", " or more", label).replace("-", "–") for label in labels]
    axes.set_yticks(range(len(labels)), shown)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    if len(bars) > 1:
        axes.legend(loc="best", frameon=False, fontsize=8)
