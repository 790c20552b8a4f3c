"""Sentences with their mentions as HTML that needs no script: the key above the words.

It is what the page draws where both sides are shown in one text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from scoref.markup import escaped
from scoref.tools.report.page.looks import HUES, Looks, looks_of
from scoref.tools.report.page.marks import clipped, lanes, marks_of, nested
from scoref.tools.report.page.signs import label_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scoref.tools.report.page.contract import PageSide, PageText
    from scoref.tools.report.page.marks import Box, Mark

    Signs = Mapping[tuple[int, int], str]

MOST_LANES = 12
_JOINER = "\u2060"  # keeps a line from breaking between a label and its word
_NONE_BEFORE = re.compile(
    r"[.,;:!?…)\]}»”’%。、，．！？；：」』）】》]|(?:'s|’s|n't|n’t)$"
)
_NONE_AFTER = re.compile(r"[(\[{«“‘¿¡「『（【《]$")
# What turns the direction of the words behind, too, if nothing keeps it to its own.
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
# Han, Hiragana, Katakana, Thai and their punctuation.
_DENSE = (
    "\u0e01-\u0e5b\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
)
_DENSE += "。、，！？；：「」『』（）"
_DENSE_END, _DENSE_START = re.compile(f"[{_DENSE}]$"), re.compile(f"[{_DENSE}]")


def space_between(word: str, following: str) -> str:
    """Give what stands between two words: a matter of looks.

    >>> space_between("Ada", "met"), space_between("Ada", "'s")
    (' ', '')
    """
    if _NONE_BEFORE.match(following) or _NONE_AFTER.search(word):
        return ""
    is_dense = _DENSE_END.search(word) and _DENSE_START.match(following)
    return "" if is_dense else " "


class Painter:
    """One text with its key and one response.

    ``signs`` are the signs of errors, by side and mention.
    """

    def __init__(self, text: PageText, system: int, signs: Signs) -> None:
        self._text = text
        key, systems = looks_of(text)
        self._looks: tuple[Looks, Looks] = key, systems[system]
        self._sides: tuple[PageSide, PageSide] = text.key, text.systems[system]
        self._partner = text.systems[system].partner
        self._signs = signs
        self._empty = set(text.empty)

    def sentences(self, first: int, last: int) -> str:
        """Draw some sentences, one below the other."""
        bounds = [*self._text.sentences, len(self._text.words)]
        rows = [(start, end - 1) for start, end in pairwise(bounds) if end > start]
        shown = rows[first:last]
        marks = self._by_row(shown)
        return "\n".join(self._row(*row, marks[row]) for row in shown)

    def _by_row(self, rows: list[tuple[int, int]]) -> dict[tuple[int, int], list[Mark]]:
        """Sort the marks of some rows, which follow each other."""
        starts = [start for start, _ in rows]
        found: dict[tuple[int, int], list[Mark]] = {row: [] for row in rows}
        for side, data in enumerate(self._sides):
            for mention, (_, *pieces) in enumerate(data.mentions):
                for mark in marks_of(side, mention, pieces):
                    first = max(bisect_right(starts, mark.start) - 1, 0)
                    for row in rows[first : bisect_right(starts, mark.end)]:
                        part = clipped(mark, *row)
                        found[row] += [part] if part else []
        return found

    def _row(self, start: int, end: int, marks: list[Mark]) -> str:
        found = lanes(marks, 0), lanes(marks, 1)
        above, below = (
            min(max(each.values(), default=-1), MOST_LANES) + 1 for each in found
        )
        inner = "".join(_Row(self, found).content(start, end, nested(marks)))
        style = f"--above: {above}; --below: {below};"
        return f'<p class="cell both" dir="auto" style="{style}">{inner}</p>'

    def word(self, token: int) -> str:
        """Write a word; an empty node by its sign, and its form if it has one."""
        word = self._text.words[token]
        if token not in self._empty:
            text = escaped(word)
            return f"<bdi>{text}</bdi>" if _TURNING.search(word) else text
        form = f"<i>{escaped(word)}</i>" if word not in {"", "_"} else ""
        return f'<span class="zero">∅{form}</span>'

    def space(self, token: int) -> str:
        """Give what stands before a word."""
        return space_between(*self._text.words[token - 1 : token + 1])

    def classes(self, mark: Mark) -> str:
        """Say how a mark looks."""
        entity = self._sides[mark.side].mentions[mark.mention][0]
        look = self._looks[mark.side].look[entity]
        kind = "h-one" if look < 0 else f"h{look % HUES} s{look // HUES}"
        gap, ends = ("gap", []) if mark.is_gap else ("", [mark.opens, mark.closes])
        flags = [
            name for name, on in zip(("opens", "closes"), ends, strict=False) if on
        ]
        return " ".join(["m", "kr"[mark.side], kind, *([gap] if gap else flags)])

    def tag(self, mark: Mark) -> str:
        """Write an entity's label where a mention begins, and the signs of errors."""
        if not mark.opens or mark.is_gap:
            return ""
        sign = self._signs.get((mark.side, mark.mention), "")
        if not sign and mark.side and self._is_repeated(mark.mention):
            return ""
        error = _signed(sign) if sign else ""
        label = escaped(self._label(mark.side, mark.mention))
        return f'<span class="tag">{label}{error}{_JOINER}</span>'

    def _label(self, side: int, mention: int) -> str:
        return self._looks[side].label[self._sides[side].mentions[mention][0]]

    def _is_repeated(self, mention: int) -> bool:
        """Tell whether the key's line above has the same words and the same label."""
        partner = self._partner[mention]
        if partner < 0:
            return False
        key, response = self._sides
        is_same = key.mentions[partner][1:] == response.mentions[mention][1:]
        return is_same and self._label(0, partner) == self._label(1, mention)


def _signed(sign: str) -> str:
    """Write signs that are read out by the names of their errors."""
    label = escaped(", ".join(map(label_of, sign.split(" "))))
    return f'<b class="sign" role="img" aria-label="{label}">{escaped(sign)}</b>'


class _Row(NamedTuple):
    """One sentence being drawn, and the lanes of its mentions on both sides."""

    painter: Painter
    lanes: tuple[dict[int, int], dict[int, int]]

    def content(self, start: int, end: int, boxes: Iterable[Box]) -> Iterable[str]:
        """Write words, and boxes with their words where there are any."""
        token = start
        for box in boxes:
            yield from self._words(token, box.mark.start - 1, start)
            if box.mark.start > start:
                yield self.painter.space(box.mark.start)
            yield from self._box(box)
            token = box.mark.end + 1
        yield from self._words(token, end, start)

    def _words(self, first: int, last: int, start: int) -> Iterable[str]:
        for token in range(first, last + 1):
            if token > start:
                yield self.painter.space(token)
            yield self.painter.word(token)

    def _box(self, box: Box) -> Iterable[str]:
        mark = box.mark
        lane = min(self.lanes[mark.side].get(mark.mention, 0), MOST_LANES)
        yield f'<span class="{self.painter.classes(mark)}" style="--lane: {lane};">'
        yield self.painter.tag(mark)
        yield from self.content(mark.start, mark.end, box.inner)
        yield "</span>"
