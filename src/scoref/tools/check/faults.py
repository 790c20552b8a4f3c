"""What readers find, as rules; and how to read on behind what stops them.

Leniently, readers pass over most faults, each of a kind. Others they refuse in any
case, because nothing sensible can be made of such a file. To find all that is wrong,
the line that stopped a reader is made harmless, in memory, and the file is read again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.formats import COREFUD, UNIVERSAL_ANAPHORA
from scoref.rules import (
    BAD_HEADER,
    MISSING_COLUMNS,
    MISSING_HEADER,
    MIXED_SEPARATORS,
    NAMELESS_BRACKET,
    UNREADABLE_FILE,
    UNREADABLE_HEAD,
    UNREADABLE_LINE,
)
from scoref.tools.check.header import PREFIX, evident_header

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.errors import FormatError
    from scoref.rules import Rule

    Mask = Callable[[bytes, FormatError], bytes]

_COLUMNS = 10
_MISC = 9
_ALL_COLUMNS = 15


def rule_of(error: FormatError) -> Rule:
    """Say which rule a file breaks; readers know most, but not all of them."""
    return error.rule or (UNREADABLE_FILE if error.line is None else UNREADABLE_LINE)


def harmless(
    data: bytes, error: FormatError, format_name: str, *, again: bool
) -> bytes | None:
    """Make harmless what stops a reader; None if nothing can be read without it.

    A line that stops it ``again`` becomes a comment, whatever is wrong with it.
    """
    if error.line is None or error.is_final:
        return None
    what = rule_of(error), format_name
    if what in _HEADERS and not again:
        # Behind the last line, so that no other line moves.
        return data + b"\n" + PREFIX + (evident_header(data) or b"eid")
    mask, row = _MASKS.get(what), error.line - 1
    lines = data.split(b"\n")
    if row >= len(lines):
        return None  # the reader counts other line ends as well, as in XML
    if mask is None or again:
        return commented(data, row)
    lines[row] = mask(lines[row], error)
    return b"\n".join(lines)


def commented(data: bytes, row: int) -> bytes:
    """Make a line, counted from 0, a comment."""
    lines = data.split(b"\n")
    lines[row] = b"#"
    return b"\n".join(lines)


def _filled_up(line: bytes, _: FormatError) -> bytes:
    """Put columns before the last one, which has the entities."""
    *first, last = line.split(b"\t")
    more = [b"_"] * (_COLUMNS - 1 - len(first))
    return b"\t".join([*first, *more, last])


def _lengthened(line: bytes, _: FormatError) -> bytes:
    """Put columns behind the last one."""
    cells = line.rstrip(b"\r").split(b"\t")
    return b"\t".join([*cells, *[b"_"] * (_ALL_COLUMNS - len(cells))])


def _separated(line: bytes, _: FormatError) -> bytes:
    """Separate columns as in the first line: by tabs if this one has none."""
    return line.replace(b"\t", b" ") if b"\t" in line else b"\t".join(line.split())


def _without_entities(line: bytes, _: FormatError) -> bytes:
    return b"\t".join([*line.split(b"\t")[:_MISC], b"_"])


def _without_head(_: bytes, error: FormatError) -> bytes:
    start, end = error.span or (0, len(error.text))
    return (error.text[:start] + error.text[end:]).encode()


_HEADERS = {(MISSING_HEADER, COREFUD), (BAD_HEADER, COREFUD)}
_MASKS: dict[tuple[Rule, str], Mask] = {
    (MISSING_COLUMNS, COREFUD): _filled_up,
    (MISSING_COLUMNS, UNIVERSAL_ANAPHORA): _lengthened,
    (MIXED_SEPARATORS, UNIVERSAL_ANAPHORA): _separated,
    (NAMELESS_BRACKET, COREFUD): _without_entities,
    (UNREADABLE_HEAD, COREFUD): _without_head,
}
"""What is done about a rule in a file of a format; any other line becomes a comment."""
