r"""A text as it is compared if its words are cut in more than one way.

Blanks do not count, nor do the spellings of quotes, dashes and brackets; what is left
is a row of characters, and every word is a range of it. Two mentions are the same if
their ranges are equal.

A character only ever becomes something as long or longer, so that it does not matter
where words are cut: `''` may be one word or two, so that `"` becomes `''` and not the
other way round. Only the Penn Treebank's brackets, `-LRB-` and the others, become
shorter: nobody cuts them.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.model import Ints, Texts

    Characters = NDArray[np.uint32]

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
