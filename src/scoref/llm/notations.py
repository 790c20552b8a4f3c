"""How answers mark mentions: a small table of notations, and which one fits.

Mentions may be nested. Most notations say the entity at one end of a mention, so that
the last bracket opened is the first to be closed. A bracket that is not one of a
mention, such as that of `[sic]`, stays in the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import unknown
from scoref.llm.clusters import find_clusters
from scoref.llm.marks import Marked, Marks, Mention
from scoref.llm.tagged_words import read_tagged_words
from scoref.llm.tags import read_tags

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Reader = Callable[[str], Marked]

JSON = "json"
_SAMPLE = 200_000
_NUMBER = r"[^\W\d]{0,20}\d+"


def _label_last(opening: str, closing: str, plain: str) -> Reader:
    """Read brackets whose label stands at the end; without one they are text."""
    pattern = re.compile(f"(?P<opening>{opening})|(?P<closing>{closing})|{plain}")

    def read(text: str) -> Marked:
        marks = Marks()
        for match in pattern.finditer(text):
            if match["opening"]:
                marks.open(*match.span())
            elif match["closing"]:
                marks.close(*match.span(), match["label"])
            elif marks.stack:
                marks.stack.pop()
        return marks.done()

    return read


def _label_first(opening: str, closing: str, plain: str) -> Reader:
    """Read brackets whose label stands at the beginning; without one they are text."""
    pattern = re.compile(f"(?P<opening>{opening})|(?P<closing>{closing})|{plain}")

    def read(text: str) -> Marked:
        marks = Marks()
        for match in pattern.finditer(text):
            if match["opening"]:
                marks.open(*match.span(), match["label"])
            elif not match["closing"]:
                marks.open(*match.span(), kind="plain")
            elif marks.stack and marks.stack[-1].kind == "plain":
                marks.stack.pop()
            else:
                marks.close(*match.span())
        return marks.done()

    return read


_BAR = re.compile(
    r"(?P<opening>\[|<m>)|\s*\|\s*#?(?P<label>[^\[\]|<>]*?)\s*(?:\]|</m>)|\]|</m>"
)


def _read_bars(text: str) -> Marked:
    """Read `[she | 1]`, and `[she | Ada]` where `[Ada]` without a bar is the entity."""
    marks = Marks()
    for match in _BAR.finditer(text):
        if match["opening"]:
            marks.open(*match.span())
        elif marks.stack or match["label"]:
            marks.close(*match.span(), match["label"] or "")
    found = marks.done()
    named = {mention.label for mention in found.mentions}
    mentions, plain = [], set()
    for mention in found.mentions:
        own = mention.label or _text_of(mention, text, found.markup)
        if own in named and own:
            mentions.append(mention._replace(label=own))
        else:
            plain |= {mention.start, mention.end}
    markup = [each for each in found.markup if not plain & {each[1], each[0]}]
    return Marked(mentions, markup, found.faults)


def _text_of(mention: Mention, text: str, markup: list[tuple[int, int]]) -> str:
    """Give a mention's words, without the brackets inside."""
    parts, place = [], mention.start
    first = bisect_left(markup, (mention.start, 0))
    for start, end in markup[first : bisect_left(markup, (mention.end, 0))]:
        parts.append(text[place:start])
        place = end
    parts.append(text[place : mention.end])
    return " ".join("".join(parts).split())


class Notation(NamedTuple):
    """A way to mark mentions; JSON is read by `scoref.llm.clusters`."""

    name: str
    example: str
    read: Reader | None


NOTATIONS = {
    notation.name: notation
    for notation in (
        Notation("crac", "Ada|[e1 Lovelace|e1]", read_tagged_words),
        Notation(
            "markdown",
            "[Ada Lovelace](#1)",
            _label_last(r"\[", r"\]\(\s*#?(?P<label>[^\s()\[\]]+)[^()\[\]]*\)", r"\]"),
        ),
        Notation("xml", '<m id="1">Ada Lovelace</m>', read_tags),
        Notation(
            "subscript",
            "[Ada Lovelace]_1",
            _label_last(
                r"\[",
                r"\](?:[_^]?\{|[_^]|<sub>)\s*#?(?P<label>[^\W\d]*\d+|\w+)"
                r"(?:\s*\}|</sub>)?",
                r"\]",
            ),
        ),
        Notation(
            "colon",
            "[Ada Lovelace: 1]",
            _label_last(r"\[", rf"\s*:\s*#?(?P<label>{_NUMBER})\s*\]", r"\]"),
        ),
        Notation("bar", "[Ada Lovelace | 1]", _read_bars),
        Notation(
            "prefix",
            "[1 Ada Lovelace]",
            _label_first(
                rf"\[\s*#?(?P<label>{_NUMBER})(?:\s*[:|]|(?=\s))", r"\]", r"\["
            ),
        ),
        Notation(
            "parentheses",
            "((1: Ada Lovelace))",
            _label_first(r"\(\(\s*#?(?P<label>\w+)\s*:", r"\)\)", r"\(\("),
        ),
        Notation(JSON, '[["Ada Lovelace", "she"], ["him"]]', None),
    )
}
"""Every notation; of those that fit equally well, the first is taken."""


def notation_of(name: str) -> Notation:
    """Find a notation by its name."""
    try:
        return NOTATIONS[name]
    except KeyError:
        raise unknown("notation", name, NOTATIONS) from None


def detect(answers: Sequence[str]) -> Notation:
    """Choose the notation in which answers have most mentions.

    >>> detect(["[Ada](#1) met [the man with [a hat](#3)](#2)."]).name
    'markdown'
    """
    counts = {
        name: sum(_count(notation, text) for text in answers)
        for name, notation in NOTATIONS.items()
    }
    return NOTATIONS[max(counts, key=counts.__getitem__)]


def _count(notation: Notation, text: str) -> int:
    if notation.read is not None:
        return len(notation.read(text[:_SAMPLE]).mentions)
    found = find_clusters(text)
    return sum(map(len, found.clusters)) if found else 0
