"""Texts cut into pieces or characters, to compare different tokenisations.

A piece is a run of letters and digits, or a single mark. `don't` and `do n't` have
nearly the same pieces, and `Ada,` and `Ada ,` have the same. Scripts that are written
without blanks have a piece for each character. An empty node of a key is one piece,
whatever its form. Quotes, dashes and brackets have many spellings, including those of
the Penn Treebank; each kind has one name.

A `NormalForm` is the sequence of characters without blanks, with one spelling for each
quote, dash and bracket. Each word is a range of these characters, and two mentions are
the same if their ranges are equal. A character is only replaced by something of the
same length or longer, because words may be cut anywhere: `''` can be one word or two,
so `"` becomes `''`. The exception is the brackets of the Penn Treebank, such as
`-LRB-`, which become shorter because no tokeniser cuts them.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from scoref.model import Ints, Texts

    Characters = NDArray[np.uint32]


ZERO = "##"
"""How the shared task writes an empty node; its form may follow."""

_ALONE = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)

_MARKS = r"-[LR][RSC]B-|``|''|--+|\.\.\.|[^\w\s]|(?<!\S)_+(?!\S)"

_PIECE = re.compile(rf"[{_ALONE}]|[^\W_{_ALONE}]+|{_MARKS}")

_PIECE_OR_ZERO = re.compile(rf"(?<!\S){ZERO}[^\s|<>()\[\]]*|{_PIECE.pattern}")

_NAMES = {
    **dict.fromkeys(("``", "''", "“", "”", "„", "‟", "«", "»", "″", "＂"), '"'),
    **dict.fromkeys(("`", "‘", "’", "‚", "‛", "′", "´", "＇"), "'"),
    **dict.fromkeys(("–", "—", "‒", "―", "−", "‐", "‑"), "-"),
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
    "…": "...",
}

_DASHES = "--"

_NOTHING = "\ufffc"


class Pieces(NamedTuple):
    """The pieces of a text, and where each starts and ends in it."""

    text: list[str]
    start: Ints
    end: Ints

    @classmethod
    def alone(cls, text: list[str]) -> Pieces:
        """Take pieces that are of no text."""
        nowhere = np.zeros(len(text), dtype=np.int64)
        return cls(text, nowhere, nowhere)

    def within(self, start: int, end: int) -> tuple[int, int]:
        """Find the pieces between two places: the first, and the one behind."""
        first = int(np.searchsorted(self.start, start))
        return first, max(first, int(np.searchsorted(self.start, end)))


def composed(text: str) -> str:
    """Write letters and their accents as one character each."""
    return unicodedata.normalize("NFC", text)


def cut(text: str, *, with_zeros: bool = False) -> Pieces:
    """Cut a text into pieces.

    >>> cut("Ada's engine--it ran.").text
    ['Ada', "'", 's', 'engine', '-', 'it', 'ran', '.']
    """
    return _found(_matches(text, 0, len(text), with_zeros=with_zeros))


def cut_between(
    text: str, left_out: Iterable[tuple[int, int]], *, with_zeros: bool = False
) -> Pieces:
    """Cut a text into pieces, without some parts of it, which are in order."""
    found: list[tuple[str, int, int]] = []
    place = 0
    for start, end in left_out:
        if start > place:
            found += _matches(text, place, start, with_zeros=with_zeros)
        place = max(place, end)
    found += _matches(text, place, len(text), with_zeros=with_zeros)
    return _found(found)


def cut_words(words: Sequence[str], *, with_zeros: bool = False) -> tuple[Pieces, Ints]:
    """Cut words into pieces, and say which word each is of; no word has none."""
    forms = [word if word.strip() else _NOTHING for word in words]
    found = cut("\n".join(forms), with_zeros=with_zeros)
    end = np.cumsum([len(form) + 1 for form in forms], dtype=np.int64)
    return Pieces.alone(found.text), np.searchsorted(end, found.start, side="right")


def _matches(
    text: str, start: int, end: int, *, with_zeros: bool
) -> list[tuple[str, int, int]]:
    # What stands beside a part that is left out stands alone, so it is cut out.
    part = text[start:end]
    pattern = _PIECE_OR_ZERO if with_zeros else _PIECE
    return [
        (match[0], start + match.start(), start + match.end())
        for match in pattern.finditer(part)
    ]


def _found(matches: list[tuple[str, int, int]]) -> Pieces:
    return Pieces(
        [text if text.isalnum() else _named(text) for text, _, _ in matches],
        np.array([start for _, start, _ in matches], dtype=np.int64),
        np.array([end for _, _, end in matches], dtype=np.int64),
    )


def _named(text: str) -> str:
    if text.startswith(ZERO):
        return ZERO
    if text.startswith(_DASHES):
        return "-"
    return _NAMES.get(text, text)


_BLANK = 0x20  # for what would be taken for a mark

_ESCAPED = re.compile(r"-([LR][RSC])B-", re.IGNORECASE)

_BRACKETS = {"LR": "(", "RR": ")", "LS": "[", "RS": "]", "LC": "{", "RC": "}"}

_SPELLINGS = {
    **dict.fromkeys('"“”„‟«»', "''"),
    **dict.fromkeys("`‘’‚‛′", "'"),
    **dict.fromkeys("–—―‒", "--"),
    **dict.fromkeys("‐−", "-"),
    "\\/": "/",
    "\\*": "*",
    **dict.fromkeys("\u00ad\u200b\u200c\u200d\ufeff", ""),
}
"""After NFKD, which takes `…` apart, among others."""


class NormalForm(NamedTuple):
    """The characters of a text, and where its words are.

    Word ``row`` is ``characters[border[row]:border[row + 1]]``, and may be empty.
    """

    characters: Characters
    border: Ints

    def text(self, start: int, end: int) -> str:
        """Write some of it."""
        return self.characters[start:end].tobytes().decode("utf-32-le")


def normal_form(words: Texts) -> NormalForm:
    """Write words in one way.

    >>> from scoref.model import Texts
    >>> found = normal_form(Texts.of(["“Do", "n’t", "wait", "…", "”"]))
    >>> found.text(0, 99), found.border.tolist()
    ("''Don'twait...''", [0, 4, 7, 11, 14, 16])
    """
    text = _ESCAPED.sub(lambda found: _BRACKETS[found[1].upper()], _joined(words))
    text = unicodedata.normalize("NFKD", text)
    for found, written in _SPELLINGS.items():
        text = text.replace(found, written)
    # What is left of a word is what stands between two marks.
    codes = np.frombuffer("".join(text.split()).encode("utf-32-le"), dtype=np.uint32)
    ends = np.flatnonzero(codes == 0)
    border = np.concatenate(([0], ends - np.arange(len(ends))))
    return NormalForm(codes[codes != 0], border)


def folded(characters: Characters) -> Characters:
    """Take capitals for small letters, one for one.

    >>> folded(np.array([65, 98], dtype=np.uint32)).tolist()
    [97, 98]
    """
    small = np.arange(int(characters.max(initial=0)) + 1, dtype=np.uint32)
    for code in np.flatnonzero(np.bincount(characters)).tolist():
        found = chr(code).casefold()
        small[code] = ord(found) if len(found) == 1 else code
    return small[characters]


def _joined(words: Texts) -> str:
    """Put a mark behind each word."""
    end = np.cumsum(words.length) + np.arange(len(words.length))
    is_word = np.ones(len(words.data) + len(end), dtype=np.bool_)
    is_word[end] = False
    data = np.zeros(len(is_word), dtype=np.uint8)
    data[is_word] = np.where(words.data == 0, np.uint8(_BLANK), words.data)
    return data.tobytes().decode("utf-8", "replace")
