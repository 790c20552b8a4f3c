"""What the rows of a table of pairs mean: ids of two sources, labels and scores.

Bad rows are errors with file and line, where the table is a text.
"""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import FormatError, OptionError
from scoref.printable import counted
from scoref.records.file_types import Files
from scoref.records.ids import text_of, texts_of
from scoref.records.link_columns import LinkColumns, WantedLinks
from scoref.records.text_files import is_text, located_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from scoref.records.columns import SideColumns
    from scoref.records.request import TableReading
    from scoref.records.sources import Columns, TableInput
    from scoref.scheme import Sources


SOURCE_PREFIXES = "left:", "right:"
"""What goes before left and right ids if their sources may have the same ids."""


SEPARATOR = "-__-"  # which Splink puts between dataset and id


TRUE, FALSE = ("1", "1.0", "true"), ("0", "0.0", "false")


class PairOptions(NamedTuple):
    """The options of tables of pairs; ``records`` are tables with all records."""

    two_sources: bool | None = None
    records: tuple[TableInput, ...] = ()


def sources_of(
    chosen: Sequence[LinkColumns | SideColumns], options: PairOptions
) -> Sources:
    """Decide whether left and right ids have separate namespaces."""
    sides = {side.sources for side in chosen if isinstance(side, LinkColumns)}
    if options.two_sources is not None and sides != {"named"}:
        return "two" if options.two_sources else "one"
    if len(sides) > 1:
        names = [
            f"'{side.left}' and '{side.right}'"
            for side in chosen
            if isinstance(side, LinkColumns)
        ]
        raise OptionError(
            "cannot tell whether left and right ids are from one source or two: "
            f"the columns are {' in the gold data, and '.join(names)} in the "
            "prediction. Add --two-sources if a left and a right record may have the "
            "same id, or --one-source"
        )
    return sides.pop()


class WrittenIds(NamedTuple):
    """How the ids of a side are written, so that they are distinct across sources."""

    sources: Sources
    has_prefix: bool

    def prefixes(self) -> tuple[str, str]:
        """Return what goes before left and right ids."""
        return SOURCE_PREFIXES if self.has_prefix else ("", "")


def ids_of(
    chosen: Sequence[LinkColumns | SideColumns], options: PairOptions
) -> WrittenIds:
    """Decide how the ids of both sides are written."""
    sources = sources_of(chosen, options)
    are_pairs = all(isinstance(side, LinkColumns) for side in chosen)
    return WrittenIds(sources, sources == "two" and are_pairs)


def check_distinct(
    left: set[str], right: set[str], ids: WrittenIds, source: str
) -> None:
    """Refuse clusters for records of two sources if ids are in both of them."""
    if ids.sources != "two" or ids.has_prefix:
        return
    common = left & right
    if common:
        raise FormatError(
            f"{counted(len(common), 'left record has', 'left records have')} the id of "
            f"a right record, for example '{min(common)}'",
            source=source,
            hint="Clusters do not say which of the two is meant. Make the ids of the "
            "two sources distinct, or use --one-source if the records are the same.",
        )


def pair_ids(
    table: Columns, columns: LinkColumns, ids: WrittenIds
) -> tuple[list[str | None], list[str | None]]:
    """Return left and right ids as text, with the source if it is part of the id."""
    both = []
    for number, name in enumerate((columns.left, columns.right)):
        texts = texts_of(table.values[name])
        prefix = ids.prefixes()[number]
        if columns.datasets:
            datasets = texts_of(table.values[columns.datasets[number]])
            texts = [
                None if text is None or dataset is None else dataset + SEPARATOR + text
                for dataset, text in zip(datasets, texts, strict=True)
            ]
        elif prefix:
            texts = [None if text is None else prefix + text for text in texts]
        both.append(texts)
    return both[0], both[1]


def _label_of(text: str | None) -> int:
    """Return 1 for a match, 0 for none, and -1 for other texts."""
    lower = (text or "").lower()
    return 1 if lower in TRUE else 0 if lower in FALSE else -1


def _number_of(text: str | None) -> float:
    try:
        return float(text or "nan")
    except ValueError:
        return float("nan")


def link_rows(
    table: Columns, columns: LinkColumns, reading: TableReading, original: TableInput
) -> NDArray[np.bool_]:
    """Return which rows are links."""
    rows = np.ones(len(table), dtype=np.bool_)
    if columns.label:
        labels = [_label_of(text) for text in texts_of(table.values[columns.label])]
        if -1 in labels:
            bad = table.values[columns.label][labels.index(-1)]
            raise row_error(original, reading, "label", bad)
        rows &= np.array(labels, dtype=np.int64) == 1
    if columns.score:
        values = table.values[columns.score]
        scores = np.array([_number_of(text) for text in texts_of(values)], np.float64)
        if np.isnan(scores).any():
            bad = values[int(np.flatnonzero(np.isnan(scores))[0])]
            raise row_error(original, reading, "score", bad)
        assert isinstance(reading.wanted, WantedLinks)
        rows &= scores >= (reading.wanted.threshold or 0)
    return rows


def row_error(
    table: TableInput, reading: TableReading, kind: str, value: object = None
) -> FormatError:
    """Return the error for a bad row, with file and line if the table is a text."""
    source, line = table.source, None
    tests: dict[str, Callable[[dict[str, str], LinkColumns], str | None]] = {
        "label": lambda row, columns: _bad(
            row[columns.label or ""], lambda text: _label_of(text) < 0
        ),
        "score": lambda row, columns: _bad(
            row[columns.score or ""], lambda text: isnan(_number_of(text))
        ),
        "record": lambda row, columns: (
            "" if not all(row[name] for name in _id_names(columns)) else None
        ),
    }
    if isinstance(table, Files) and is_text(table) and table.format != "json":
        for path, number, row in located_rows(table, reading):
            columns = reading.choose(list(row))
            assert isinstance(columns, LinkColumns)
            bad = tests[kind](row, columns)
            if bad is not None:
                source, line, value = path, number, bad
                break
    text = text_of(value)
    if kind == "record":
        return FormatError(
            "a pair lacks the id of a record",
            source=source,
            line=line,
            hint="Every pair needs two ids.",
        )
    if kind == "label":
        problem = "the label is missing" if text is None else f"'{text}' is not a label"
        hint = "Expected 1 or true (a match), or 0 or false (not a match)."
        return FormatError(problem, source=source, line=line, hint=hint)
    problem = "the score is missing" if text is None else f"'{text}' is not a number"
    return FormatError(
        problem, source=source, line=line, hint="Expected the score of the pair."
    )


def _id_names(columns: LinkColumns) -> tuple[str, ...]:
    return columns.left, columns.right, *(columns.datasets or ())


def _bad(text: str, is_bad: Callable[[str], bool]) -> str | None:
    return text if is_bad(text) else None
