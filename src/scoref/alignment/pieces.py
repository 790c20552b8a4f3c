"""Texts cut into pieces that do not depend on who cut them into tokens.

A piece is a run of letters and digits, or one mark: `don't` and `do n't` are cut into
nearly the same pieces, `Ada,` and `Ada ,` into the same. Scripts that are written
without blanks have a piece for each character. A key's empty node is one piece,
whatever its form.

Quotes, dashes and brackets come in many spellings, those of the Penn Treebank among
them; each kind is one piece of one name.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoref.model import Ints

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
