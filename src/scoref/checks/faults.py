"""What readers find, as rules; and how to read on behind what stops them.

Leniently, readers pass over most faults, each of a kind. Others they refuse in any
case, because nothing sensible can be made of such a file. To find all that is wrong,
the line that stopped a reader is made harmless, in memory, and the file is read again.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from scoref.checks.header import PREFIX, evident_header

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.errors import FormatError

    Mask = Callable[[list[bytes], FormatError], None]

KINDS = {
    "documents-without-clusters": "missing-clusters",
    "head-brackets": "head-out-of-range",
    "minimums": "minimum-out-of-range",
    "nameless-markables": "nameless-bracket",
    "piece-brackets": "lost-piece",
    "repeated-documents": "repeated-document",
    "rows-outside-documents": "row-outside-document",
    "sentence-brackets": "sentence-bracket",
    "unclosed-brackets": "unclosed-bracket",
    "unclosed-markables": "unclosed-bracket",
    "unopened-brackets": "unopened-bracket",
    "unopened-markables": "unopened-bracket",
    "unreadable-bridges": "unreadable-cell",
    "unreadable-cells": "unreadable-cell",
    "unreadable-entities": "unreadable-cell",
    "unreadable-mentions": "impossible-span",
    "zeros": "broken-zero",
}
"""What lenient readers call a fault, and the rule that it breaks."""

_KNOWN = "name entities that have a mention in the same document"
NOTES = {
    "changed-entities": (
        "changed-entity",
        "give all parts of a markable the same EntityID: the last one counts",
    ),
    "split-antecedents": ("unknown-entity", _KNOWN),
    "unknown-anchors": (
        "unknown-anchor",
        "name markables of the same document in MarkableID and MentionAnchor",
    ),
    "unknown-plurals": ("unknown-entity", _KNOWN),
}
"""What readers note of a file that they read all the same: a rule, and what to do."""

_COLUMNS = 10
_MISC = 9
_ALL_COLUMNS = 15


class Refusal(NamedTuple):
    """What stops a reader: a rule, how the message starts, how to read on."""

    rule: str
    problem: str
    mask: Mask | None = None


def refusal(error: FormatError) -> Refusal:
    """Find out what stopped a reader."""
    for known in _REFUSALS:
        if re.search(known.problem, error.problem):
            return known
    return _UNREADABLE if error.line is None else _UNREADABLE_LINE


def commented(lines: list[bytes], error: FormatError) -> None:
    """Make a line a comment."""
    if error.line is not None:
        lines[error.line - 1] = b"#"


def _emptied(lines: list[bytes], error: FormatError) -> None:
    if error.line is not None:
        lines[error.line - 1] = b""


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


def _with_tabs(lines: list[bytes], error: FormatError) -> None:
    assert error.line is not None  # noqa: S101 - it is about a line
    lines[error.line - 1] = b"\t".join(lines[error.line - 1].split())


def _with_blanks(lines: list[bytes], error: FormatError) -> None:
    assert error.line is not None  # noqa: S101 - it is about a line
    lines[error.line - 1] = lines[error.line - 1].replace(b"\t", b" ")


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


_REFUSALS = (
    Refusal("not-json", "^not a document in JSON", _emptied),
    Refusal("no-document", "^there is no (document|sentence|word) in this file"),
    Refusal("unreadable-line", "^this line does not start with the number", commented),
    Refusal("unreadable-line", "^this line has no number of a word", commented),
    Refusal("missing-columns", "^this line has an entity, but fewer", _filled_up),
    Refusal("missing-columns", r"^this line has \d+ columns", _lengthened),
    Refusal("missing-columns", "^this line has one column"),
    Refusal("mixed-separators", "^this line has no tabs", _with_tabs),
    Refusal("mixed-separators", "^this line has tabs", _with_blanks),
    Refusal("nameless-bracket", "^this bracket names no entity", _without_entities),
    Refusal("unreadable-head", "is no number of a head$", _without_head),
    Refusal("missing-header", "^there are entities but no header", _with_header),
    Refusal("bad-header", "^the header '.*' names no entity id", _with_header),
    Refusal("bad-header", "^the columns are not those of the beginning", commented),
    Refusal("bad-header", "^the columns that this line names lack"),
)
_UNREADABLE = Refusal("unreadable-file", "")
_UNREADABLE_LINE = Refusal("unreadable-line", "", commented)
