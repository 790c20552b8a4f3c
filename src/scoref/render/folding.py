"""Lines that fit: how wide text is on a terminal, and where it may be broken."""

from __future__ import annotations

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
    from unicodedata import combining, east_asian_width  # noqa: PLC0415 - seldom

    if combining(character) or character in "\u200c\u200d":
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def folded(text: str, width: int, indent: str = "", at: str = " ") -> list[str]:
    r"""Break a text into lines: at blanks, or behind separators in long words.

    Args:
        text: one line.
        width: how many columns there are.
        indent: what the lines behind the first begin with.
        at: where to break it, if possible.

    >>> folded("note: no mention is listed twice", 20, indent="  ")
    ['note: no mention is', '  listed twice']
    >>> folded("scoref:0.1.0|format:conll-2012|match:exact", 32, at="|")
    ['scoref:0.1.0|format:conll-2012|', 'match:exact']
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
