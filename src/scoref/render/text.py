"""Text for terminals: tables aligned with blanks, never wider than the terminal.

A table that is too wide is split: the columns that do not fit are in tables below it,
each with the names of the rows. Columns of text are folded, figures are never cut. The
module also measures how wide text is on a terminal, and finds where to break it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scoref.printable import printable
from scoref.render.report import Cell, Heading, Line, Remarks, Signatures, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from scoref.render.report import Column, Kind, Part, Report

    Paint = Callable[[str, str], str]


WIDTH = 80
"""How many columns there are if nobody says otherwise."""

_NARROW = "\u0300"  # what is below takes one column each

_SEPARATORS = "|/,;:_-"


def width_of(text: str) -> int:
    """Count the columns that a text takes.

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
    r"""Break a text into lines: at blanks, or behind separators in long words.

    Args:
        text: one line.
        width: how many columns there are.
        indent: what the lines behind the first begin with.
        at: where to break it, if possible.

    >>> fold("note: no mention is listed twice", 20, indent="  ")
    ['note: no mention is', '  listed twice']
    >>> fold("scoref:1.0.0|format:conll-2012|match:exact", 32, at="|")
    ['scoref:1.0.0|format:conll-2012|', 'match:exact']
    """
    lines, lead = [], ""
    room = max(width, len(indent) + 2)
    while width_of(text) > room - len(lead):
        end = _end(text, room - len(lead), at)
        lines.append(lead + text[:end].rstrip())
        text, lead = text[end:].lstrip(), indent
    return [*lines, lead + text]


def _end(text: str, room: int, at: str) -> int:
    """Find where a line that is too long ends; a blank behind it may go."""
    fitting = _fitting(text, room)
    start = len(text) - len(text.lstrip()) + 1
    for places in (at, " ", _SEPARATORS):
        found = max(text.rfind(place, start, fitting) for place in places) + 1
        if text[fitting] == " " and " " in places:
            found = fitting
        if found:
            return found
    return max(fitting, 1)


def _fitting(text: str, room: int) -> int:
    """Count the characters that there is room for."""
    if max(text) < _NARROW:
        return room
    taken = 0
    for count, character in enumerate(text):
        taken += _columns(character)
        if taken > room:
            return count
    return len(text)


_BETWEEN = "  "

_INDENT = "  "

_LEAST = 30  # columns of text that are worth to be read beside others

_NAME = 10  # the same of a name

_LABEL = 20  # the same of a label that is folded


def render_text(
    report: Report,
    width: int = WIDTH,
    paint: Paint = lambda text, _: text,
    spell: Callable[[str], str] = lambda text: text,
) -> str:
    """Draw parts below each other.

    Args:
        report: what to draw.
        width: how many columns there are.
        paint: makes text stand out, by the name of a style; done when all is laid out.
        spell: replaces what the output's encoding lacks, before columns are measured.
    """
    parts = (_drawn(_spelled(part, spell), width, paint) for part in report.parts())
    return "\n\n".join("\n".join(lines) for lines in parts if lines)


def _spelled(part: Part, spell: Callable[[str], str]) -> Part:
    """Spell the cells of a table; other parts have no columns."""
    if not isinstance(part, Table):
        return part

    def spelled(cell: str | Cell) -> str | Cell:
        if isinstance(cell, str):
            return spell(cell)
        return cell._replace(text=spell(cell.text), mark=spell(cell.mark))

    return part._replace(
        columns=[each._replace(label=spell(each.label)) for each in part.columns],
        rows=[[spelled(cell) for cell in row] for row in part.rows],
    )


def _drawn(part: Part, width: int, paint: Paint) -> list[str]:
    match part:
        case Table():
            return _table(part, width, paint)
        case Heading(text):
            return [paint(line, "header") for line in fold(printable(text), width)]
        case Signatures(lines):
            return [
                line for each in lines for line in fold(printable(each), width, at="|")
            ]
        case Remarks(lines):
            return [line for each in lines for line in _prose(each, width)]
        case _:
            return [line for each in part.lines for line in _line(each, width, paint)]


def _prose(text: str, width: int) -> list[str]:
    """Fold a sentence; what goes on below stands further to the right."""
    shown = printable(text)
    before = " " * (len(shown) - len(shown.lstrip()))
    return fold(shown, width, before + _INDENT)


def _line(line: Line, width: int, paint: Paint) -> list[str]:
    """Fold a line, and let a part of it stand out if it was not torn apart."""
    if line.is_laid_out:
        return [printable(line.text)]
    first, *others = _prose(line.text, width)
    if line.style and line.end <= len(first):
        before, found, behind = (
            first[: line.start],
            first[line.start : line.end],
            first[line.end :],
        )
        first = f"{before}{paint(found, line.style)}{behind}"
    return [first, *others]


class _Track(NamedTuple):
    """A column that is being laid out: lines of each cell, the label first."""

    kind: Kind
    cells: Sequence[Sequence[str]]
    width: int

    @classmethod
    def of(cls, kind: Kind, cells: Sequence[Sequence[str]]) -> _Track:
        return cls(kind, cells, _widest(cells))

    def within(self, width: int) -> _Track:
        """Fold what is too wide."""
        if self.width <= width:
            return self
        return self.of(self.kind, [_folded_cell(cell, width) for cell in self.cells])

    def with_short_label(self) -> _Track:
        """Fold the label only, as far as there are figures below it."""
        label, *figures = self.cells
        room = max(_widest(figures), _LABEL)
        return self.of(self.kind, [_folded_cell(label, room), *figures])


def _widest(cells: Sequence[Sequence[str]]) -> int:
    return max((width_of(line) for cell in cells for line in cell), default=0)


def _folded_cell(cell: Sequence[str], width: int) -> list[str]:
    return [line for each in cell for line in fold(each, width)]


def table_lines(table: Table, width: int = WIDTH) -> list[str]:
    """Draw a table alone."""
    return _table(table._replace(title=""), width, lambda text, _: text)


def _table(table: Table, width: int, paint: Paint) -> list[str]:
    lines = [*_prose(table.title, width), ""] if table.title else []
    tracks = [_track(*each, table) for each in enumerate(table.columns)]
    for number, stack in enumerate(_stacks(tracks, width)):
        lines += [""] if number else []
        lines += _aligned(stack, table, paint)
    return lines


def _track(place: int, column: Column, table: Table) -> _Track:
    cells = [row[place] for row in table.rows]
    marks = max((len(cell.mark) for cell in cells if isinstance(cell, Cell)), default=0)
    label = printable(column.label) + " " * (marks + 1 if marks else 0)
    texts = ([_plain(cell, marks)] for cell in cells)
    return _Track.of(column.kind, [[label], *texts])


def _plain(cell: str | Cell, marks: int) -> str:
    """Write a cell, with room for the longest mark behind figures."""
    if isinstance(cell, str) or not marks:
        return printable(cell if isinstance(cell, str) else cell.text)
    return f"{printable(cell.text)} {cell.mark.ljust(marks)}"


def _stacks(tracks: list[_Track], width: int) -> list[list[_Track]]:
    """Say which columns stand beside each other; names are in all of the tables."""
    if _width(tracks) <= width:
        return [tracks]
    texts = [track for track in tracks if track.kind == "text"]
    others = [track for track in tracks if track.kind != "text"]
    room = width - _width(others) - len(_BETWEEN)
    if len(texts) == 1 and room >= _LEAST:
        return [[t.within(room) if t.kind == "text" else t for t in tracks]]
    names = _halved([track for track in tracks if track.kind == "name"], width)
    room = width - _width(names) - len(_BETWEEN) * bool(names)
    figures = [
        track.with_short_label().within(room)
        for track in others
        if track.kind == "figure"
    ]
    groups = _balanced(figures, room) + [[track.within(room)] for track in texts]
    return [[*names, *group] for group in groups or [[]]]


def _halved(names: list[_Track], width: int) -> list[_Track]:
    """Leave half of the width to figures: the longest names are folded for it."""
    widest = max((track.width for track in names), default=0)
    room = max(widest - _width(names) + width // 2, _NAME)
    return [track.within(room) for track in names]


def _balanced(tracks: Sequence[_Track], width: int) -> list[list[_Track]]:
    """Cut into as few groups as possible, of much the same width."""
    groups = _groups(tracks, width)
    while len(fewer := _groups(tracks, width - 1)) == len(groups) and width > 1:
        groups, width = fewer, width - 1
    return groups


def _groups(tracks: Sequence[_Track], width: int) -> list[list[_Track]]:
    groups: list[list[_Track]] = []
    for track in tracks:
        if groups and _width([*groups[-1], track]) <= width:
            groups[-1].append(track)
        else:
            groups.append([track])
    return groups


def _width(tracks: Sequence[_Track]) -> int:
    between = len(_BETWEEN) * max(len(tracks) - 1, 0)
    return sum(track.width for track in tracks) + between


def _aligned(tracks: Sequence[_Track], table: Table, paint: Paint) -> Iterator[str]:
    """Put cells beside each other, figures on the right of their columns."""
    rows = zip(*(track.cells for track in tracks), strict=True)
    for number, cells in enumerate(rows):
        if number or table.has_header:
            lines = _row(cells, tracks)
            yield from lines if number else (paint(line, "header") for line in lines)


def _row(cells: Sequence[Sequence[str]], tracks: Sequence[_Track]) -> Iterable[str]:
    for height in range(max(map(len, cells))):
        parts = [
            _padded(cell[height] if height < len(cell) else "", track)
            for cell, track in zip(cells, tracks, strict=True)
        ]
        yield _BETWEEN.join(parts).rstrip()


def _padded(text: str, track: _Track) -> str:
    blanks = " " * (track.width - width_of(text))
    return blanks + text if track.kind == "figure" else text + blanks
