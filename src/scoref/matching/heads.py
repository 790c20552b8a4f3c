"""The head of a mention by the key's parse: the one word that stands for it.

It is one of the minimum words (see `mina`): the last noun, name or pronoun among them
or, if there is none, the last word. In *a 1977 agreement with Czechoslovakia* these are
*1977* and *agreement*, and the head is *agreement*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.matching.mina import minimum_span

if TYPE_CHECKING:
    from scoref.matching.trees import Trees

_NOUNS = (b"N", b"PR", b"PN", b"WP")
"""What tags of nouns, names and pronouns begin with, in English, Chinese and Arabic."""


def head_word(trees: Trees, document: int, start: int, end: int) -> int | None:
    """Find the head among the words of a mention, counted as ``start`` is.

    None if the mention is not in one sentence of the key's document.
    """
    row = trees.first_row(document, start, end)
    if row is None:
        return None
    words = minimum_span(trees, document, start, end)
    tags = trees.parses.tag.texts(slice(row, row + end - start + 1))
    nouns = [word for word in words if tags[word - start].startswith(_NOUNS)]
    return nouns[-1] if nouns else words[-1]
