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

_LINES_KEPT = 4


def blamed_span(error: FormatError, line: str) -> Span | None:
    """Find what an error is about in its line."""
    # The error may show only a cell of the line.
    at = _find(line, error.text)
    if at < 0 or not line:
        return None
    span = error.span
    if span is None and error.blamed is not None:
        finder = _FINDERS[error.blamed.what]
        span = finder(error.text or line, error.blamed.name)
    if span is not None:
        return at + span[0], at + span[1]
    is_cell = error.text not in {"", line}
    return (at, at + len(error.text)) if is_cell else None


def _keep_last_answers(find: Callable[..., T]) -> Callable[..., T]:
    """Make a function remember its last answers, since a line may have many faults.

    Arguments are compared by identity. Comparing two long equal lines, one of the key
    and one of the response, character by character would take too long.
    """
    kept: deque[tuple[tuple[object, ...], T]] = deque(maxlen=_LINES_KEPT)

    @wraps(find)
    def find_or_recall(*arguments: object) -> T:
        for earlier, answer in kept:
            if len(earlier) == len(arguments) and all(map(is_, earlier, arguments)):
                return answer
        answer = find(*arguments)
        kept.append((arguments, answer))
        return answer

    return find_or_recall


_find = _keep_last_answers(str.find)

_OPENING = re.compile(r"\(([^()|\s]*)\)?")


@_keep_last_answers
def openings(text: str, field: int = 0) -> dict[str, Span]:
    """Find the last bracket that opens a mention, for each entity.

    >>> openings("w (1|(12)|(1)")
    {'1': (10, 13), '12': (5, 9)}
    """
    spans: dict[str, Span] = {}
    for bracket in _OPENING.finditer(text):
        name = bracket[1]
        fields = name.split("-", field + 1)[: field + 1]
        for label in (name, *fields[field:], fields[-1].partition("[")[0]):
            spans[label] = bracket.span()
    return spans


def opening(text: str, label: str, field: int = 0) -> Span | None:
    """Find the last bracket that opens a mention of an entity.

    Brackets may have fields. ``field`` is the one that names the entity.

    >>> opening("w (1|(12)|(1)", "1")
    (10, 13)
    >>> opening("w Entity=(e2-x-1-(e1-x-1-)", "e1")
    (17, 26)
    """
    if span := openings(text, field).get(label):
        return span
    before = rf"(?:[^()|\s-]*-){{{field}}}"
    after = r"(?![^-\[()|\s])[^()|\s]*\)?"
    return _last_match(rf"\({before}{re.escape(label)}{after}", text)


_CLOSING = re.compile(r"(?<![^)=|\s])([^()=|\s]*?)(?:\[\d+/\d+\])?\)")


@_keep_last_answers
def closings(text: str) -> dict[str, Span]:
    """Find the last bracket that closes a mention, for each entity."""
    return {bracket[1]: bracket.span() for bracket in _CLOSING.finditer(text)}


def closing(text: str, label: str) -> Span | None:
    """Find the last bracket that closes a mention of an entity.

    >>> closing("w (1)|1)|12)", "1")
    (6, 8)
    """
    return closings(text).get(label)


def bracket(text: str, label: str) -> Span | None:
    """Find the last bracket of an entity, preferably one that closes a mention."""
    return closing(text, label) or opening(text, label)


_MARKABLE = re.compile(r"\([^()\s]*")

_MARKABLE_ID = re.compile(r"MarkableID=([^|()\s]+)")


@_keep_last_answers
def markables(text: str) -> dict[str, Span]:
    """Find the last bracket that opens each markable.

    >>> markables("w (EntityID=e|MarkableID=m1)")
    {'m1': (2, 27)}
    """
    return {
        name: bracket.span()
        for bracket in _MARKABLE.finditer(text)
        for name in _MARKABLE_ID.findall(bracket[0])
    }


def markable(text: str, name: str) -> Span | None:
    """Find the last bracket that opens a markable."""
    return markables(text).get(name)


def document(text: str, name: str) -> Span | None:
    """Find the name of a document, in quotation marks if possible."""
    at = text.find(f'"{name}"')
    return (at + 1, at + 1 + len(name)) if at >= 0 else literal(text, name)


def offsets(text: str, numbers: str) -> Span | None:
    """Find the last pair of offsets in JSON.

    >>> offsets("[[0, 1], [2, 9]]", "2,9")
    (9, 15)
    """
    start, end = numbers.split(",")
    return _last_match(rf"\[\s*{start}\s*,\s*{end}\s*\]", text)


def literal(text: str, piece: str) -> Span | None:
    """Find the last occurrence of a piece of text."""
    return _last_match(re.escape(piece), text)


def _last_match(pattern: str, text: str) -> Span | None:
    spans = deque((match.span() for match in re.finditer(pattern, text)), maxlen=1)
    return spans[0] if spans else None


_FINDERS: dict[str, Finder] = {
    "opening": opening,
    "closing": closing,
    "bracket": bracket,
    "markable": markable,
    "document": document,
    "offsets": offsets,
    "text": literal,
}
