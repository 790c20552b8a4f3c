"""A table of records that several people sorted: a column for each of them.

The first column names the record, the others say which cluster each annotator put it
into; who left a cell empty did not have the record.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from scoref.errors import FormatError
from scoref.formats import name_of, read_bytes

if TYPE_CHECKING:
    from os import PathLike

DOCUMENT = "records"
_FEWEST = 3  # columns: a name and two annotators


def read_records(path: str | PathLike[str]) -> dict[str, dict[str, list[list[str]]]]:
    """Read what each annotator said, as one document of records."""
    source = name_of(path)
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError("this is not UTF-8", source=source) from error
    comma = "\t" if "\t" in text.partition("\n")[0] else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=comma)
    _, *names = _header(next(reader, []), source)
    clusters: dict[str, dict[str, list[str]]] = {name: {} for name in names}
    lines: dict[str, int] = {}
    for row in reader:
        if not row:
            continue
        _check(row, len(names) + 1, lines, source, reader.line_num)
        record, *labels = row
        for name, label in zip(names, labels, strict=True):
            if label:
                clusters[name].setdefault(label, []).append(record)
    return {name: {DOCUMENT: list(each.values())} for name, each in clusters.items()}


def _header(names: list[str], source: str) -> list[str]:
    if len(names) < _FEWEST or len({*names}) < len(names):
        raise FormatError(
            f"the header has {len(names)} columns, or two of one name",
            source=source,
            line=1,
            hint="expected the record's name and a column for each of two or more "
            "annotators, separated by commas or tabs",
        )
    return names


def _check(
    row: list[str], width: int, lines: dict[str, int], source: str, line: int
) -> None:
    if len(row) != width:
        raise FormatError(
            f"there are {len(row)} cells here, but {width} in the header",
            source=source,
            line=line,
            hint="a record that an annotator did not have is an empty cell",
        )
    if row[0] in lines:
        raise FormatError(
            f"record '{row[0]}' comes a second time (first in line {lines[row[0]]})",
            source=source,
            line=line,
            hint="give every record a row of its own",
        )
    lines[row[0]] = line
