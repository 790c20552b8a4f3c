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


class Pieces(NamedTuple):
    """The pieces of a text, and where each starts and ends in it."""

    text: list[str]
    start: Ints
    end: Ints

    @classmethod
    def alone(cls, text: list[str]) -> Pieces:
        """Make pieces without places in a text."""
        nowhere = np.zeros(len(text), dtype=np.int64)
        return cls(text, nowhere, nowhere)

    def within(self, start: int, end: int) -> tuple[int, int]:
        """Return the first of the pieces between two places, and the one after them."""
        first = int(np.searchsorted(self.start, start))
        return first, max(first, int(np.searchsorted(self.start, end)))


def compose(text: str) -> str:
    """Write letters and their accents as one character each."""
    return unicodedata.normalize("NFC", text)


def cut(text: str, *, with_zeros: bool = False) -> Pieces:
    """Cut a text into pieces.

    >>> cut("Ada's engine--it ran.").text
    ['Ada', "'", 's', 'engine', '-', 'it', 'ran', '.']
    """
    return _pieces(_matches(text, 0, len(text), with_zeros=with_zeros))


def cut_between(
    text: str, left_out: Iterable[tuple[int, int]], *, with_zeros: bool = False
) -> Pieces:
    """Cut a text into pieces, except for some parts of it, which are in order."""
    matches: list[tuple[str, int, int]] = []
    place = 0
    for start, end in left_out:
        if start > place:
            matches += _matches(text, place, start, with_zeros=with_zeros)
        place = max(place, end)
    matches += _matches(text, place, len(text), with_zeros=with_zeros)
    return _pieces(matches)


_NOTHING = "\ufffc"


def cut_words(words: Sequence[str], *, with_zeros: bool = False) -> tuple[Pieces, Ints]:
    """Cut words into pieces, at least one per word; return the word of each piece."""
    forms = [word if word.strip() else _NOTHING for word in words]
    pieces = cut("\n".join(forms), with_zeros=with_zeros)
    end = np.cumsum([len(form) + 1 for form in forms], dtype=np.int64)
    return Pieces.alone(pieces.text), np.searchsorted(end, pieces.start, side="right")


def _matches(
    text: str, start: int, end: int, *, with_zeros: bool
) -> list[tuple[str, int, int]]:
    # Characters next to a part that is left out must not see it, so the text is cut.
    part = text[start:end]
    pattern = _PIECE_OR_ZERO if with_zeros else _PIECE
    return [
        (match[0], start + match.start(), start + match.end())
        for match in pattern.finditer(part)
    ]


def _pieces(matches: list[tuple[str, int, int]]) -> Pieces:
    def name(text: str) -> str:
        if text.isalnum():
            return text
        if text.startswith(ZERO):
            return ZERO
        return "-" if text.startswith("--") else _NAMES.get(text, text)

    return Pieces(
        [name(text) for text, _, _ in matches],
        np.array([start for _, start, _ in matches], dtype=np.int64),
        np.array([end for _, _, end in matches], dtype=np.int64),
    )


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
"""Spellings that are replaced after NFKD, which turns `…` into three dots."""


class NormalForm(NamedTuple):
    """The characters of a text, and where its words are.

    Word ``row`` is ``characters[border[row]:border[row + 1]]``, and may be empty.
    """

    characters: Characters
    border: Ints

    def text(self, start: int, end: int) -> str:
        """Return a range of the characters as a string."""
        return self.characters[start:end].tobytes().decode("utf-32-le")


def normal_form(words: Texts) -> NormalForm:
    """Write words with one spelling for each quote, dash and bracket.

    >>> from scoref.model import Texts
    >>> form = normal_form(Texts.of(["“Do", "n’t", "wait", "…", "”"]))
    >>> form.text(0, 99), form.border.tolist()
    ("''Don'twait...''", [0, 4, 7, 11, 14, 16])
    """
    text = _ESCAPED.sub(lambda match: _BRACKETS[match[1].upper()], _with_nulls(words))
    text = unicodedata.normalize("NFKD", text)
    for spelling, replacement in _SPELLINGS.items():
        text = text.replace(spelling, replacement)
    # Each word now ends with a null character, and may be empty.
    codes = np.frombuffer("".join(text.split()).encode("utf-32-le"), dtype=np.uint32)
    ends = np.flatnonzero(codes == 0)
    border = np.concatenate(([0], ends - np.arange(len(ends))))
    return NormalForm(codes[codes != 0], border)


_BLANK = 0x20  # replaces null characters inside words


def _with_nulls(words: Texts) -> str:
    """Join the words, with a null character after each."""
    end = np.cumsum(words.length) + np.arange(len(words.length))
    is_word = np.ones(len(words.data) + len(end), dtype=np.bool_)
    is_word[end] = False
    data = np.zeros(len(is_word), dtype=np.uint8)
    data[is_word] = np.where(words.data == 0, np.uint8(_BLANK), words.data)
    return data.tobytes().decode("utf-8", "replace")


def fold_case(characters: Characters) -> Characters:
    """Replace capitals by small letters, one character for one.

    >>> fold_case(np.array([65, 98], dtype=np.uint32)).tolist()
    [97, 98]
    """
    small = np.arange(int(characters.max(initial=0)) + 1, dtype=np.uint32)
    for code in np.flatnonzero(np.bincount(characters)).tolist():
        letter = chr(code).casefold()
        small[code] = ord(letter) if len(letter) == 1 else code
    return small[characters]
