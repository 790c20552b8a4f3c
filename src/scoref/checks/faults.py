"""What readers find, as rules; and how to read on behind what stops them.

Leniently, readers pass over most faults, each of a kind. Others they refuse in any
case, because nothing sensible can be made of such a file. To find all that is wrong,
the line that stopped a reader is made harmless, in memory, and the file is read again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.checks.header import PREFIX, evident_header
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

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.errors import FormatError
    from scoref.rules import Rule

    Mask = Callable[[list[bytes], FormatError], None]

_COLUMNS = 10
_MISC = 9
_ALL_COLUMNS = 15


def rule_of(error: FormatError) -> Rule:
    """Say which rule a file breaks; readers know most, but not all of them."""
    return error.rule or (UNREADABLE_FILE if error.line is None else UNREADABLE_LINE)


def mask_of(error: FormatError, format_name: str) -> Mask | None:
    """Say how to make a line harmless; None if nothing can be read without it."""
    if error.line is None or error.is_final:
        return None
    return _MASKS.get((rule_of(error), format_name), commented)


def commented(lines: list[bytes], error: FormatError) -> None:
    """Make a line a comment."""
    if error.line is not None:
        lines[error.line - 1] = b"#"


def _filled_up(lines: list[bytes], error: FormatError) -> None:
    """Put columns before the last one, which has the entities."""
    assert error.line is not None  # noqa: S101 - it is about a line
    *first, last = lines[error.line - 1].split(b"\t")
    more = [b"_"] * (_COLUMNS - 1 - len(first))
    lines[error.line - 1] = b"\t".join([*first, *more, last])


def _lengthened(lines: list[bytes], error: FormatError) -> None:
    """Put columns behind the last one."""
    assert error.line is not None  # noqa: S101 - it is about a line
    cells = lines[error.line - 1].rstrip(b"\r").split(b"\t")
    more = [b"_"] * (_ALL_COLUMNS - len(cells))
    lines[error.line - 1] = b"\t".join([*cells, *more])


def _separated(lines: list[bytes], error: FormatError) -> None:
    """Separate columns as in the first line: by tabs if this one has none."""
    assert error.line is not None  # noqa: S101 - it is about a line
    line = lines[error.line - 1]
    has_tabs = b"\t" in line
    mended = line.replace(b"\t", b" ") if has_tabs else b"\t".join(line.split())
    lines[error.line - 1] = mended


def _without_entities(lines: list[bytes], error: FormatError) -> None:
    assert error.line is not None  # noqa: S101 - it is about a line
    cells = lines[error.line - 1].split(b"\t")
    lines[error.line - 1] = b"\t".join([*cells[:_MISC], b"_"])


def _without_head(lines: list[bytes], error: FormatError) -> None:
    assert error.line is not None  # noqa: S101 - it is about a line
    start, end = error.span or (0, len(error.text))
    lines[error.line - 1] = (error.text[:start] + error.text[end:]).encode()


def _with_header(lines: list[bytes], error: FormatError) -> None:
    """Add a header behind the last line, so that no other line moves."""
    del error
    lines.append(PREFIX + (evident_header(b"\n".join(lines)) or b"eid"))


_MASKS: dict[tuple[Rule, str], Mask] = {
    (MISSING_COLUMNS, COREFUD): _filled_up,
    (MISSING_COLUMNS, UNIVERSAL_ANAPHORA): _lengthened,
    (MIXED_SEPARATORS, UNIVERSAL_ANAPHORA): _separated,
    (NAMELESS_BRACKET, COREFUD): _without_entities,
    (UNREADABLE_HEAD, COREFUD): _without_head,
    (MISSING_HEADER, COREFUD): _with_header,
    (BAD_HEADER, COREFUD): _with_header,
}
"""What is done about a rule in a file of a format; any other line becomes a comment."""
