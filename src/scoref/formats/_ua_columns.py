"""Which column of a Universal Anaphora file is which, and what stands between them.

    # global.columns = ID FORM LEMMA … MISC IDENTITY BRIDGING DISCOURSE_DEIXIS …

Such a line names the columns, in any order; without one they are as above. Tabs
separate them. In a file without any, blanks do.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from scoref.errors import FormatError
from scoref.formats._text import shown
from scoref.rules import BAD_HEADER, MISSING_COLUMNS, MIXED_SEPARATORS

IDENTITY, BRIDGING, DEIXIS = "IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS"
NAMES = (
    *("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"),
    *(IDENTITY, BRIDGING, DEIXIS, "REFERENCE", "NOM_SEM"),
)
_GLOBAL = b"global.columns"
_HEADER = re.compile(rb"#[ \t]*global\.columns[ \t]*=[ \t]*([^\r\n]*)")
_FIRST_WORD = re.compile(rb"^[ \t]*[^#\s][^\r\n]*", re.MULTILINE)
_HINT = "a line '# global.columns = ID FORM … IDENTITY BRIDGING …' names the columns"


class ColumnHeader(NamedTuple):
    """A line that names the columns: where it starts and ends, and what it says."""

    start: int
    end: int
    names: tuple[str, ...]


class ColumnPlaces(NamedTuple):
    """Where the columns are that are read, counted from 0; None is not there."""

    number: int
    form: int
    upos: int | None
    layer: int
    bridging: int | None
    layer_name: str

    @property
    def needed(self) -> int:
        """Count the columns that every line must have."""
        return max(self.number, self.form, self.layer, self.bridging or 0) + 1

    def too_few(self, found: int, *, source: str, line: int, text: str) -> FormatError:
        """Say that a line has too few of them."""
        missing = BRIDGING if found > self.layer else self.layer_name
        place = self.bridging if found > self.layer else self.layer
        problem = f"this line has {found} columns, and {missing} would be column "
        problem += str((place or 0) + 1)
        if found == 1:
            problem = "this line has no tabs between its columns, but the first has"
        return FormatError(
            problem,
            rule=MIXED_SEPARATORS if found == 1 else MISSING_COLUMNS,
            source=source,
            line=line,
            text=text,
            hint=_HINT,
        )


def headers(data: bytes) -> list[ColumnHeader]:
    """Find every line that names the columns."""
    found, at = [], data.find(_GLOBAL)
    while at >= 0:
        start = data.rfind(b"\n", 0, at) + 1
        header = _HEADER.match(data, start)
        if header and header.start(1) > at:
            names = tuple(shown(header[1]).upper().split())
            found.append(ColumnHeader(start, header.end(), names))
        at = data.find(_GLOBAL, at + 1)
    return found


def columns_of(data: bytes, *, source: str, deixis: bool) -> ColumnPlaces:
    """Find where the columns are."""
    found = headers(data)
    for header in found:
        if header.names != found[0].names:
            raise FormatError(
                "the columns are not those of the beginning of the file",
                rule=BAD_HEADER,
                source=source,
                line=_line(data, header.start),
                text=shown(data[header.start : header.end]),
                hint="all lines '# global.columns' of a file must be the same",
            )
    names = found[0].names if found else NAMES[: _count(data)]
    wanted = DEIXIS if deixis else IDENTITY
    for name in ("ID", "FORM", wanted):
        if name not in names and (found or name in NAMES[:2]):
            raise _without(name, data, found, source)
    place = {name: names.index(name) for name in reversed(names)}
    return ColumnPlaces(
        number=place["ID"],
        form=place["FORM"],
        upos=place.get("UPOS"),
        layer=place.get(wanted, NAMES.index(wanted)),
        bridging=None if deixis else place.get(BRIDGING),
        layer_name=wanted,
    )


def _without(
    name: str, data: bytes, found: list[ColumnHeader], source: str
) -> FormatError:
    rule = BAD_HEADER if found else MISSING_COLUMNS
    if not found:
        first = _FIRST_WORD.search(data)
        line = _line(data, first.start()) if first else None
        text = shown(first[0]) if first else ""
        problem = "this line has one column"
    else:
        line = _line(data, found[0].start)
        text = shown(data[found[0].start : found[0].end])
        problem = f"the columns that this line names lack {name}"
    return FormatError(
        problem,
        rule=rule,
        source=source,
        line=line,
        text=text,
        hint=_HINT,
        is_final=True,
    )


def _count(data: bytes) -> int:
    """Count the columns of the first word."""
    first = _FIRST_WORD.search(data)
    return first[0].count(b"\t") + 1 if first else len(NAMES)


def has_tabs(data: bytes) -> bool:
    """See from the first word whether tabs separate the columns."""
    first = _FIRST_WORD.search(data)
    return first is None or b"\t" in first[0].strip()


def with_tabs(data: bytes, source: str) -> bytes:
    """Put tabs between the columns of a file that has blanks there."""
    if has_tabs(data):
        return data
    lines = data.split(b"\n")
    for row, line in enumerate(lines):
        if line.startswith(b"#"):
            continue
        if b"\t" in line.strip():
            raise FormatError(
                "this line has tabs between its columns, but the first has blanks",
                rule=MIXED_SEPARATORS,
                source=source,
                line=row + 1,
                text=shown(line),
                hint="columns must be separated in the same way in all lines",
            )
        lines[row] = b"\t".join(line.split())
    return b"\n".join(lines)


def _line(data: bytes, place: int) -> int:
    return data.count(b"\n", 0, place) + 1
