"""Text for terminals: tables aligned with blanks, never wider than the terminal.

A table that is too wide is split: the columns that do not fit are in tables below it,
each with the names of the rows. Columns of text are folded, figures are never cut. The
module also measures how wide text is on a terminal, and finds where to break it.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from scoref.classes import NamedTuple
from scoref.printable import printable
from scoref.render import WIDTH
from scoref.render.report import Cell, Heading, Line, Remarks, Signatures, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from scoref.render.report import Kind, Part, Report

    Paint = Callable[[str, str], str]


_NARROW = "\u0300"  # characters below it take one column each

_SEPARATORS = "|/,;:_-"


def width_of(text: str) -> int:
    """Return how many columns a text takes.

    >>> width_of("B³"), width_of("東京"), width_of("e\u0301")
    (2, 4, 1)
    """
    if not text or max(text) < _NARROW:
        return len(text)
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    from unicodedata import combining, east_asian_width

    if combining(character) or character in "\u200c\u200d":
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def fold(text: str, width: int, indent: str = "", at: str = " ") -> list[str]:
    r"""Break a text into lines: at blanks, or after separators in long words.

    Args:
        text: one line.
        width: how many columns there are.
        indent: the beginning of the lines after the first.
        at: where to break the text, if possible.

    >>> fold("note: no mention is listed twice", 20, indent="  ")
    ['note: no mention is', '  listed twice']
    >>> fold("scoref:1.0.0|format:conll-2012|match:exact", 32, at="|")
    ['scoref:1.0.0|format:conll-2012|', 'match:exact']
    >>> fold("corpus/story.conll:17", 20)
    ['corpus/', 'story.conll:17']
    """
    lines, lead = [], ""
    room = max(width, len(indent) + 2)
    while width_of(text) > room - len(lead):
        end = _end(text, room - len(lead), at)
        lines.append(lead + text[:end].rstrip())
        text, lead = text[end:].lstrip(), indent
    return [*lines, lead + text]


def _end(text: str, room: int, at: str) -> int:
    """Find where a line that is too long ends; the next blank is dropped."""
    fitting = room
    if max(text) >= _NARROW:
        taken = accumulate(map(_columns, text))
        fitting = next((n for n, end in enumerate(taken) if end > room), len(text))
    start = len(text) - len(text.lstrip()) + 1
    for separators in (at, " ", _SEPARATORS):
        end = max(_last(text, sign, start, fitting) for sign in separators) + 1
        if text[fitting] == " " and " " in separators:
            end = fitting
        if end:
            return end
    return max(fitting, 1)


def _last(text: str, sign: str, start: int, end: int) -> int:
    """Find the last separator; the colon before a line number is not one."""
    place = text.rfind(sign, start, end)
    while sign == ":" and place >= 0 and text[place + 1 : place + 2].isdigit():
        place = text.rfind(sign, start, place)
    return place


_BETWEEN = "  "  # columns

_INDENT = "  "

_LEAST_TEXT = 30  # the smallest width of a column of text next to others

_LEAST_NAME = 10  # of a column of names

_LEAST_LABEL = 20  # of a label that is folded


def render_text(
    report: Report,
    width: int = WIDTH,
    paint: Paint = lambda text, _: text,
    spell: Callable[[str], str] = lambda text: text,
) -> str:
    """Write parts below each other.

    Args:
        report: the report.
        width: how many columns there are.
        paint: emphasises text by the name of a style, after everything is laid out.
        spell: replaces what the output's encoding lacks, before columns are measured.
    """
    parts = (_lines(_spell(part, spell), width, paint) for part in report.parts())
    return "\n\n".join("\n".join(lines) for lines in parts if lines)


def _spell(part: Part, spell: Callable[[str], str]) -> Part:
    """Replace characters in the cells of a table; other parts have no columns."""
    if not isinstance(part, Table):
        return part
    return part._replace(
        columns=[
            column._replace(label=spell(column.label), group=spell(column.group))
            for column in part.columns
        ],
        rows=[
            [
                spell(cell)
                if isinstance(cell, str)
                else cell._replace(text=spell(cell.text), mark=spell(cell.mark))
                for cell in row
            ]
            for row in part.rows
        ],
    )


def _lines(part: Part, width: int, paint: Paint) -> list[str]:
    match part:
        case Table():
            return _table(part, width, paint)
        case Heading(text):
            return [paint(line, "header") for line in fold(printable(text), width)]
        case Signatures(signatures):
            folded = (fold(printable(text), width, at="|") for text in signatures)
            return [line for lines in folded for line in lines]
        case Remarks(remarks):
            return [line for remark in remarks for line in _prose(remark, width)]
        case _:
            return [line for row in part.lines for line in _line(row, width, paint)]


def _prose(text: str, width: int) -> list[str]:
    """Fold a sentence; the lines after the first are indented."""
    shown = printable(text)
    before = " " * (len(shown) - len(shown.lstrip()))
    return fold(shown, width, before + _INDENT)


def _line(line: Line, width: int, paint: Paint) -> list[str]:
    """Fold a line, and emphasise a part of it if that is on the first line."""
    if line.is_laid_out:
        return [printable(line.text)]
    first, *others = _prose(line.text, width)
    if line.style and line.end <= len(first):
        emphasised = paint(first[line.start : line.end], line.style)
        first = f"{first[: line.start]}{emphasised}{first[line.end :]}"
    return [first, *others]


class _Track(NamedTuple):
    """A column that is being laid out: the lines of each cell, the label first."""

    kind: Kind
    cells: Sequence[Sequence[str]]
    width: int
    group: str = ""

    @classmethod
    def of(cls, kind: Kind, cells: Sequence[Sequence[str]], group: str = "") -> _Track:
        return cls(kind, cells, _widest(cells), group)

    def within(self, width: int) -> _Track:
        """Fold cells that are too wide."""
        if self.width <= width:
            return self
        cells = [_fold_cell(cell, width) for cell in self.cells]
        return self.of(self.kind, cells, self.group)

    def with_short_label(self) -> _Track:
        """Fold only the label, to the width of the figures below it."""
        label, *figures = self.cells
        room = max(_widest(figures), _LEAST_LABEL)
        return self.of(self.kind, [_fold_cell(label, room), *figures], self.group)


def _widest(cells: Sequence[Sequence[str]]) -> int:
    return max((width_of(line) for cell in cells for line in cell), default=0)


def _fold_cell(cell: Sequence[str], width: int) -> list[str]:
    return [part for line in cell for part in fold(line, width)]


def table_lines(table: Table, width: int = WIDTH) -> list[str]:
    """Write a table without its title."""
    return _table(table._replace(title=""), width, lambda text, _: text)


def _table(table: Table, width: int, paint: Paint) -> list[str]:
    lines = [*_prose(table.title, width), ""] if table.title else []
    tracks = []
    for place, column in enumerate(table.columns):
        cells = [row[place] for row in table.rows]
        # Every figure leaves room for the longest mark of its column.
        room = max(
            (len(cell.mark) for cell in cells if isinstance(cell, Cell)), default=0
        )
        label = printable(column.label) + " " * (room + 1 if room else 0)
        texts = [
            f"{printable(cell.text)} {cell.mark.ljust(room)}"
            if isinstance(cell, Cell) and room
            else printable(cell.text if isinstance(cell, Cell) else cell)
            for cell in cells
        ]
        lines_of_cells = [[label], *([text] for text in texts)]
        group = printable(column.group)
        tracks.append(_Track.of(column.kind, lines_of_cells, group))
    for number, stack in enumerate(_stacks(tracks, width)):
        lines += [""] if number else []
        lines += _align(stack, table, paint)
    return lines


def _stacks(tracks: list[_Track], width: int) -> list[list[_Track]]:
    """Distribute columns to tables below each other; all of them have the names."""
    if _width(tracks) <= width:
        return [tracks]
    texts = [track for track in tracks if track.kind == "text"]
    others = [track for track in tracks if track.kind != "text"]
    room = width - _width(others) - len(_BETWEEN)
    if len(texts) == 1 and room >= _LEAST_TEXT:
        return [[t.within(room) if t.kind == "text" else t for t in tracks]]
    names = [track for track in tracks if track.kind == "name"]
    # Half of the width is for figures: the longest names are folded.
    widest = max((track.width for track in names), default=0)
    name_room = max(widest - _width(names) + width // 2, _LEAST_NAME)
    names = [track.within(name_room) for track in names]
    room = width - _width(names) - len(_BETWEEN) * bool(names)
    figures = [
        track.with_short_label().within(room)
        for track in others
        if track.kind == "figure"
    ]
    # As few groups as possible, of nearly the same width.
    groups, narrower = _groups(figures, room), room - 1
    while narrower > 0 and len(fewer := _groups(figures, narrower)) == len(groups):
        groups, narrower = fewer, narrower - 1
    groups += [[track.within(room)] for track in texts]
    return [[*names, *group] for group in groups or [[]]]


def _groups(tracks: Sequence[_Track], width: int) -> list[list[_Track]]:
    """Fill tables with columns; columns with a common heading stay together."""
    groups: list[list[_Track]] = []
    for unit in _units(tracks):
        if _width(unit) > width:
            groups += [[track] for track in unit]
        elif groups and _width([*groups[-1], *unit]) <= width:
            groups[-1] += unit
        else:
            groups.append(unit)
    return groups


def _units(tracks: Sequence[_Track]) -> list[list[_Track]]:
    """Put columns with a common heading together; other columns are alone."""
    units: list[list[_Track]] = []
    for track in tracks:
        if units and track.group and units[-1][-1].group == track.group:
            units[-1].append(track)
        else:
            units.append([track])
    return units


def _width(tracks: Sequence[_Track]) -> int:
    """Return how wide columns are; a common heading may be wider than its columns."""
    units = [
        max(_width_of_columns(unit), width_of(unit[0].group)) for unit in _units(tracks)
    ]
    return sum(units) + len(_BETWEEN) * max(len(units) - 1, 0)


def _width_of_columns(tracks: Sequence[_Track]) -> int:
    return sum(track.width for track in tracks) + len(_BETWEEN) * (len(tracks) - 1)


def _with_room(unit: Sequence[_Track]) -> list[_Track]:
    """Widen the last column if the common heading is wider than all of them."""
    *others, last = unit
    more = _width(unit) - _width_of_columns(unit)
    return [*others, last._replace(width=last.width + more)]


def _align(tracks: Sequence[_Track], table: Table, paint: Paint) -> Iterator[str]:
    """Write rows of aligned cells: figures on the right of their columns."""
    if any(track.group for track in tracks):
        tracks = [track for unit in _units(tracks) for track in _with_room(unit)]
        headings = (unit[0].group.center(_width(unit)) for unit in _units(tracks))
        yield paint(_BETWEEN.join(headings).rstrip(), "header")
    rows = zip(*(track.cells for track in tracks), strict=True)
    for number, cells in enumerate(rows):
        if not number and not table.has_header:
            continue
        for height in range(max(map(len, cells))):
            parts = []
            for cell, track in zip(cells, tracks, strict=True):
                text = cell[height] if height < len(cell) else ""
                blanks = " " * (track.width - width_of(text))
                parts.append(blanks + text if track.kind == "figure" else text + blanks)
            line = _BETWEEN.join(parts).rstrip()
            yield line if number else paint(line, "header")
