"""How answers mark mentions: a small table of notations, and which one fits.

Mentions may be nested. Most notations say the entity at one end of a mention, so that
the last bracket opened is the first to be closed. A bracket that is not one of a
mention, such as that of `[sic]`, stays in the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import unknown
from scoref.tools.llm.clusters import find_clusters
from scoref.tools.llm.marks import Marked, Marks, Mention
from scoref.tools.llm.tagged_words import read_tagged_words
from scoref.tools.llm.tags import read_tags
from scoref.tools.llm.written_lists import find_lists

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scoref.tools.llm.clusters import Clusters

    Reader = Callable[[str], Marked]
    Finder = Callable[[str], Clusters | None]

JSON = "json"
_SAMPLE = 200_000
_NUMBER = r"[^\W\d]{0,20}\d+"
# All blanks there are: a pattern that could start at each of them takes quadratic time.
_BLANKS = r"(?<!\s)\s*+"


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
    rf"(?P<opening>\[|<m>)|{_BLANKS}\|\s*+#?(?P<label>[^\[\]|<>]*+)(?:\]|</m>)|\]|</m>"
)


def _read_bars(text: str) -> Marked:
    """Read `[she | 1]`, and `[she | Ada]` where `[Ada]` without a bar is the entity."""
    marks = Marks()
    for match in _BAR.finditer(text):
        label = (match["label"] or "").rstrip()
        if match["opening"]:
            marks.open(*match.span())
        elif marks.stack or label:
            marks.close(*match.span(), label)
    found = marks.done()
    names = _Names({mention.label for mention in found.mentions}, text, found.markup)
    mentions, plain = [], set()
    for mention in found.mentions:
        own = mention.label or names.of(mention)
        if own:
            mentions.append(mention._replace(label=own))
        else:
            plain |= {mention.start, mention.end}
    markup = [each for each in found.markup if not plain & {each[1], each[0]}]
    return Marked(mentions, markup, found.faults)


class _Names:
    """The names of entities, and the mentions whose own words are one of them.

    Mentions may be nested thousands deep: the words of those are put together that have
    as many letters as some name, and of those with the same letters once.
    """

    def __init__(
        self, names: set[str], text: str, markup: list[tuple[int, int]]
    ) -> None:
        self._names = names - {""}
        self._lengths = {len("".join(name.split())) for name in self._names}
        self._text, self._markup = text, markup
        self._known: dict[tuple[int, int], str] = {}
        self._letters = self._counted() if self._names else []

    def of(self, mention: Mention) -> str:
        """Give a mention's words if they are a name, without the brackets inside."""
        if not self._names:
            return ""
        letters = self._letters[mention.start], self._letters[mention.end]
        if letters[1] - letters[0] not in self._lengths:
            return ""
        if letters not in self._known:
            self._known[letters] = self._words(mention)
        own = self._known[letters]
        return own if own in self._names else ""

    def _counted(self) -> list[int]:
        """Count the letters before each place that are neither blanks nor markup."""
        is_letter = bytearray(not each.isspace() for each in self._text)
        for start, end in self._markup:
            is_letter[start:end] = bytes(end - start)
        return [0, *accumulate(is_letter)]

    def _words(self, mention: Mention) -> str:
        parts, place = [], mention.start
        first = bisect_left(self._markup, (mention.start, 0))
        for start, end in self._markup[
            first : bisect_left(self._markup, (mention.end, 0))
        ]:
            parts.append(self._text[place:start])
            place = end
        parts.append(self._text[place : mention.end])
        return " ".join("".join(parts).split())


class Notation(NamedTuple):
    """A way to mark mentions in the text (``read``), or to list them (``find``)."""

    name: str
    example: str
    read: Reader | None
    find: Finder = find_clusters


NOTATIONS = {
    notation.name: notation
    for notation in (
        Notation("crac", "Ada|[e1 Lovelace|e1]", read_tagged_words),
        Notation(
            "markdown",
            "[Ada Lovelace](#1)",
            _label_last(
                r"\[",
                # Behind a blank, only a number sign tells it from words in brackets.
                r"\](?:[^\S\n]*+\(\s*+#|\(\s*+)(?P<label>[^\s()\[\]]++)[^()\[\]]*+\)",
                r"\]",
            ),
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
            _label_last(r"\[", rf"{_BLANKS}:\s*+#?(?P<label>{_NUMBER})\s*+\]", r"\]"),
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
        Notation("list", '1. Ada: "Ada Lovelace", "she"', None, find_lists),
    )
}
"""Every notation; of those that fit equally well, the first is taken."""


def notation_of(name: str) -> Notation:
    """Find a notation by its name."""
    try:
        return NOTATIONS[name]
    except KeyError:
        raise unknown("notation", name, NOTATIONS) from None


def detect(answers: Sequence[str]) -> Notation | None:
    """Choose the notation in which answers have most mentions; None: none fits.

    A text may have lines that look like a list, so that marks in the text come first.

    >>> detect(["[Ada](#1) met [the man with [a hat](#3)](#2)."]).name
    'markdown'
    """
    marks = {
        name: sum(len(notation.read(text[:_SAMPLE]).mentions) for text in answers)
        for name, notation in NOTATIONS.items()
        if notation.read is not None
    }
    lists = {
        name: _count_listed(notation.find, answers)
        for name, notation in NOTATIONS.items()
        if notation.read is None
    }
    has_marks = any(marks.values())
    if has_marks and lists["list"] > lists[JSON]:
        del lists["list"]
    counts = {**marks, **lists}
    best = max(counts, key=counts.__getitem__)
    return NOTATIONS[best] if counts[best] else None


def _count_listed(find: Finder, answers: Sequence[str]) -> float:
    """Count the mentions of lists; one that is empty fits as well."""
    found = [each for each in map(find, answers) if each]
    return sum(len(entity) for each in found for entity in each.clusters) or (
        0.5 if found else 0
    )
