"""Mentions that are counted in characters, made into runs of tokens.

A text is cut at blanks and where a mention starts or ends, so that every mention is a
run of whole tokens, whatever it begins or ends with. Characters are code points, as in
Python; tools that count UTF-16 units or bytes are found out by the texts that they give
for their mentions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.model import Texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from scoref.model import Ints

    Spans = tuple[Ints, Ints]

BLANKS = " \t\n\r\v\f"
_SHOWN = 60
_ONE_BYTE, _TWO_BYTES, _ONE_UNIT = 0x7F, 0x7FF, 0xFFFF


class Cut(NamedTuple):
    """The tokens of a text: from which character to which, the last one not included.

    A line is a sentence.
    """

    start: Ints
    end: Ints
    sentence: Ints
    word: Texts

    def runs(self, start: Ints, end: Ints) -> Spans:
        """Find the first and the last token of spans; the last is lower for blanks."""
        first = np.searchsorted(self.end, start, side="right")
        last = np.searchsorted(self.start, end, side="left") - 1
        return first, last


def cut(text: str, borders: Iterable[int] = (), *, blanks: str = BLANKS) -> Cut:
    """Cut a text at blanks, and at borders that lie inside of what is left.

    >>> found = cut("Ada's house.", [0, 3, 6, 11])
    >>> found.word.strings(), found.start.tolist()
    (['Ada', "'s", 'house', '.'], [0, 3, 6, 11])
    """
    code = _code_points(text)
    is_inside = ~_are_among(code, blanks)
    is_border = np.zeros(len(code) + 1, dtype=np.bool_)
    is_border[np.fromiter(borders, dtype=np.int64)] = True
    around = np.concatenate(([False], is_inside, [False]))
    start = np.flatnonzero(is_inside & (is_border[:-1] | ~around[:-2]))
    last = np.flatnonzero(is_inside & (is_border[1:] | ~around[2:]))
    sentence = np.searchsorted(np.flatnonzero(code == ord("\n")), start)
    return Cut(start, last + 1, sentence, _words(text, code, is_inside, start, last))


def _are_among(code: Ints, signs: str) -> NDArray[np.bool_]:
    """Tell which characters are among some whose code points are low."""
    some = _code_points(signs)
    table = np.zeros(int(some.max()) + 2, dtype=np.bool_)
    table[some] = True
    return table[np.minimum(code, len(table) - 1)]


def _words(
    text: str, code: Ints, is_inside: NDArray[np.bool_], start: Ints, last: Ints
) -> Texts:
    width = _bytes_of(code)
    end = np.cumsum(width)
    data = np.frombuffer(text.encode("utf-8", "surrogatepass"), dtype=np.uint8)
    kept = data[np.repeat(is_inside, width)]
    return Texts(kept, end[last] - end[start] + width[start])


def _code_points(text: str) -> Ints:
    encoded = text.encode("utf-32-le", "surrogatepass")
    return np.frombuffer(encoded, dtype="<u4").astype(np.int64)


def _bytes_of(code: Ints) -> Ints:
    """Say how many bytes of UTF-8 each character has."""
    sizes = np.searchsorted([_ONE_BYTE, _TWO_BYTES, _ONE_UNIT], code, side="left") + 1
    return sizes.astype(np.int64)


def _units_of(code: Ints) -> Ints:
    """Say how many units of UTF-16 each character has."""
    units: Ints = 1 + (code > _ONE_UNIT).astype(np.int64)
    return units


class Quoted(NamedTuple):
    """Spans of a text, and what the file says that stands there."""

    text: str
    start: Sequence[int]
    end: Sequence[int]
    said: Sequence[str]

    def first_difference(self) -> int | None:
        """Find the first span whose text is another one; blanks do not count."""
        return next((row for row in range(len(self.said)) if self._differs(row)), None)

    def differences(self) -> list[int]:
        """List the spans whose text is another one."""
        places = zip(self.start, self.end, strict=True)
        if [self.text[start:end] for start, end in places] == [*self.said]:
            return []
        return [row for row in range(len(self.said)) if self._differs(row)]

    def shown(self, row: int) -> str:
        """Give the text that is there, for a message."""
        found = self.text[max(self.start[row], 0) : max(self.end[row], 0)]
        return " ".join(found.split())[:_SHOWN]

    def likely_cause(self) -> str:
        """Say how offsets seem to be counted if not in characters; "" if unclear."""
        found = (why for why, change in _CAUSES.items() if self._agrees(change))
        return next(found, "")

    def _differs(self, row: int) -> bool:
        start, end = self.start[row], self.end[row]
        if not 0 <= start <= end <= len(self.text):
            return True
        found = self.text[start:end]
        said = self.said[row]
        return found != said and found.split() != said.split()

    def _agrees(self, change: Callable[[str, Ints, Ints], Spans | None]) -> bool:
        places = (np.array(each, dtype=np.int64) for each in (self.start, self.end))
        spans = change(self.text, *places)
        if spans is None:
            return False
        start, end = (each.tolist() for each in spans)
        return self._replace(start=start, end=end).first_difference() is None


def _by_size(
    size: Callable[[Ints], Ints],
) -> Callable[[str, Ints, Ints], Spans | None]:
    """Make characters of offsets that count larger things; None if they do not."""

    def change(text: str, start: Ints, end: Ints) -> Spans | None:
        border = np.concatenate(([0], np.cumsum(size(_code_points(text)))))
        places = [np.searchsorted(border, each) for each in (start, end)]
        if max(int(each.max(initial=0)) for each in places) >= len(border):
            return None
        return places[0], places[1]

    return change


_CAUSES: dict[str, Callable[[str, Ints, Ints], Spans | None]] = {
    "offsets look like UTF-16 units, as Java and JavaScript count; count code points": (
        _by_size(_units_of)
    ),
    "offsets look like bytes; count characters": _by_size(_bytes_of),
    "the last character seems to be part of mentions; ends must lie behind it": (
        lambda _, start, end: (start, end + 1)
    ),
    "offsets seem to be counted from 1; count from 0": (
        lambda _, start, end: (start - 1, end - 1)
    ),
    "offsets seem to be counted from 1, with the last character; count from 0, and "
    "give the end behind it": lambda _, start, end: (start - 1, end),
}
