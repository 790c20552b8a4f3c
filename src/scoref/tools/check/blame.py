"""Functions that find the characters of a line that an error is about.

Readers report the line of an error and often its characters. If they name only an
entity, a mention or a text, these functions look it up in the line.
"""

from __future__ import annotations

import re
from collections import deque
from functools import wraps
from operator import is_
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.errors import FormatError

    Span = tuple[int, int]
    Finder = Callable[[str, str], Span | None]


T = TypeVar("T")

_SEVERAL = 4

_OPENING = re.compile(r"\(([^()|\s]*)\)?")

_CLOSING = re.compile(r"(?<![^)=|\s])([^()=|\s]*?)(?:\[\d+/\d+\])?\)")

_MARKABLE = re.compile(r"\([^()\s]*")

_MARKABLE_ID = re.compile(r"MarkableID=([^|()\s]+)")


def _looked_through_once(find: Callable[..., T]) -> Callable[..., T]:
    """Keep what was found in the last lines, which may have thousands of faults.

    Lines are told apart by identity: two equal ones, of a key and a response, would be
    compared letter by letter each time.
    """
    known: deque[tuple[tuple[object, ...], T]] = deque(maxlen=_SEVERAL)

    @wraps(find)
    def found(*given: object) -> T:
        for asked, answer in known:
            if len(asked) == len(given) and all(map(is_, asked, given)):
                return answer
        answer = find(*given)
        known.append((given, answer))
        return answer

    return found


def opening(text: str, label: str, field: int = 0) -> Span | None:
    """Find the last bracket that opens a mention of an entity.

    Brackets may have fields, one of which is the entity.

    >>> opening("w (1|(12)|(1)", "1")
    (10, 13)
    >>> opening("w Entity=(e2-x-1-(e1-x-1-)", "e1")
    (17, 26)
    """
    if found := openings(text, field).get(label):
        return found
    before = rf"(?:[^()|\s-]*-){{{field}}}"
    behind = r"(?![^-\[()|\s])[^()|\s]*\)?"
    return _last(rf"\({before}{re.escape(label)}{behind}", text)


def closing(text: str, label: str) -> Span | None:
    """Find the last bracket that closes a mention of an entity.

    >>> closing("w (1)|1)|12)", "1")
    (6, 8)
    """
    return _closings(text).get(label)


@_looked_through_once
def openings(text: str, field: int = 0) -> dict[str, Span]:
    """Find the last bracket of each entity that opens, as `opening` does of one.

    >>> openings("w (1|(12)|(1)")
    {'1': (10, 13), '12': (5, 9)}
    """
    found: dict[str, Span] = {}
    for bracket in _OPENING.finditer(text):
        name = bracket[1]
        fields = name.split("-", field + 1)[: field + 1]
        for label in (name, *fields[field:], fields[-1].partition("[")[0]):
            found[label] = bracket.span()
    return found


@_looked_through_once
def _closings(text: str) -> dict[str, Span]:
    return {bracket[1]: bracket.span() for bracket in _CLOSING.finditer(text)}


def markable(text: str, name: str) -> Span | None:
    """Find the last bracket that opens a markable."""
    return markables(text).get(name)


@_looked_through_once
def markables(text: str) -> dict[str, Span]:
    """Find the last bracket of each markable that opens.

    >>> markables("w (EntityID=e|MarkableID=m1)")
    {'m1': (2, 27)}
    """
    return {
        name: bracket.span()
        for bracket in _MARKABLE.finditer(text)
        for name in _MARKABLE_ID.findall(bracket[0])
    }


def literal(text: str, piece: str) -> Span | None:
    """Find the last place of a piece of text."""
    return _last(re.escape(piece), text)


def _document(text: str, name: str) -> Span | None:
    at = text.find(f'"{name}"')
    return (at + 1, at + 1 + len(name)) if at >= 0 else literal(text, name)


def _either(text: str, label: str) -> Span | None:
    return closing(text, label) or opening(text, label)


def _offsets(text: str, numbers: str) -> Span | None:
    start, end = numbers.split(",")
    return _last(rf"\[\s*{start}\s*,\s*{end}\s*\]", text)


def _last(pattern: str, text: str) -> Span | None:
    found = None
    for found in re.finditer(pattern, text):  # noqa: B007 - the last one is wanted
        pass
    return found.span() if found else None


_FINDERS: dict[str, Finder] = {
    "opening": opening,
    "closing": closing,
    "bracket": _either,
    "markable": markable,
    "document": _document,
    "offsets": _offsets,
    "text": literal,
}


def blamed(error: FormatError, line: str) -> Span | None:
    """Find what an error is about in its line."""
    # What is shown may be a cell of the line only.
    at = _start(line, error.text)
    if at < 0 or not line:
        return None
    span = error.span or _looked_up(error, error.text or line)
    if span is not None:
        return at + span[0], at + span[1]
    is_cell = error.text not in {"", line}
    return (at, at + len(error.text)) if is_cell else None


@_looked_through_once
def _start(line: str, cell: str) -> int:
    return line.find(cell)


def _looked_up(error: FormatError, text: str) -> Span | None:
    if error.blamed is None:
        return None
    return _FINDERS[error.blamed.what](text, error.blamed.name)
