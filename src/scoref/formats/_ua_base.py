"""A file that a corpus is written into: Universal Anaphora, or plain CoNLL-U.

Only cells are changed. Where a line names the columns, those that lack are added to it
and to the words. Where none does, words get all fifteen, and such a line is put atop.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import FormatError
from scoref.formats._faults import Faults
from scoref.formats._text import shown
from scoref.formats._ua_columns import (
    DEIXIS,
    IDENTITY,
    NAMES,
    columns_of,
    has_tabs,
    headers,
    with_tabs,
)
from scoref.formats._ua_lines import read_rows
from scoref.formats._ua_text import column, sentence_of, text_of
from scoref.model import SENTENCE_BITS, WORD_BITS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref.formats._ua_text import Text
    from scoref.model import Ints

    Line = list[bytes]

_CONLLU = NAMES.index(IDENTITY)
_TAB, _BLANKS = re.compile(rb"(\t)"), re.compile(rb"([ \t]+)")
_ID = re.compile(rb"\s*0*([0-9]{1,6})(?:\.0*([0-9]{1,4}))?")
_NOTHING = b"_"


class Base(NamedTuple):
    """The lines of a file, cut into cells, and its text.

    The line of a word is its cells, with what separates them, and what stands behind
    the last one. Any other line is one piece.
    """

    source: str
    lines: list[Line]
    names: tuple[str, ...]
    has_header: bool
    text: Text

    @classmethod
    def of(cls, data: bytes, source: str, cleared: tuple[str, ...]) -> Base:
        """Cut a file into cells, empty some columns, and read its text."""
        found = headers(data)
        given = found[0].names if found else NAMES[:_CONLLU]
        wanted = cleared if found else NAMES[_CONLLU:]
        lacking = tuple(name for name in wanted if name not in given)
        names = (*given, *lacking)
        lines = _lines(data, source, given=len(given), wanted=len(names))
        for header in found:
            row = data.count(b"\n", 0, header.start)
            extension = "".join(f" {name}" for name in lacking).encode()
            end = header.end - header.start
            lines[row] = [lines[row][0][:end] + extension + lines[row][0][end:]]
        for cells in lines:
            for name in cleared if len(cells) > 1 else ():
                cells[2 * names.index(name)] = _NOTHING
        plain = with_tabs(_joined(lines), source)
        columns = columns_of(plain, source=source, deixis=DEIXIS in cleared)
        rows = read_rows(plain, columns._replace(bridging=None), source)
        text = text_of(rows, source, Faults(source, lenient=False))
        return cls(source, lines, names, bool(found), text)

    def line(self, node: int) -> int:
        """Give the line of a node, counted from 1."""
        return int(self.text.rows.line[node])

    def ids(self) -> tuple[Ints, Ints]:
        """Give each node's code as CorefUD has it, and list the multiword tokens."""
        place = 2 * self.names.index("ID")
        codes, tokens = [], []
        for node, line in enumerate(self.text.rows.line.tolist()):
            text = self.lines[line - 1][place]
            found = _ID.match(text)
            number, empty = found.groups() if found else (b"0", b"0")
            codes.append(int(number) << WORD_BITS | int(empty or b"0"))
            if b"-" in text:
                tokens.append(node)
        code = sentence_of(self.text.rows) << SENTENCE_BITS | column(codes)
        code[tokens] = -1
        return code, column(tokens)

    def written(self, values: Mapping[str, Mapping[int, str]]) -> bytes:
        """Put values into columns, by their names and by nodes."""
        for name, of_node in values.items():
            place = 2 * self.names.index(name)
            for node, value in of_node.items():
                self.lines[self.line(node) - 1][place] = value.encode()
        header = b""
        if not self.has_header:
            end = b"\r\n" if self.lines[0][-1].endswith(b"\r") else b"\n"
            header = f"# global.columns = {' '.join(self.names)}".encode() + end
        return header + _joined(self.lines)


def _lines(data: bytes, source: str, *, given: int, wanted: int) -> list[Line]:
    """Cut lines into cells, and give each line of a word as many as it should have."""
    separator = _TAB if has_tabs(data) else _BLANKS
    lines: list[Line] = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.startswith(b"#") or not line.strip():
            lines.append([line])
            continue
        end = len(line.rstrip(b"\r" if separator is _TAB else b" \t\r"))
        start = 0 if separator is _TAB else len(line) - len(line.lstrip())
        cells = separator.split(line[start:end])
        count = (len(cells) + 1) // 2
        if count < given:
            raise FormatError(
                f"this line has {count} columns and not {given}",
                source=source,
                line=number,
                text=shown(line),
                hint="a plain CoNLL-U file has ten columns between tabs; others are "
                "named in a line '# global.columns'",
            )
        cells[0] = line[:start] + cells[0]
        cells += [b"\t" if separator is _TAB else b" ", _NOTHING] * (wanted - count)
        lines.append([*cells, line[end:]])
    return lines


def _joined(lines: list[Line]) -> bytes:
    return b"\n".join(map(b"".join, lines))
