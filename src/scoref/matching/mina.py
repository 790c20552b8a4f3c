"""MINA as the paper has it: minimum spans of words, where coval's are of units.

Moosavi et al. (2019) take the words that a mention cannot do without from the parse of
the key, for both sides. In short: the words directly under the mention's root, or else
those nearest to it, on a way that leads through noun phrases alone, or through verb
phrases alone.

1. Words qualify if they have a letter or digit or are ``%``, except brackets such as
   -LRB- and what is tagged CC, DT or IN.
2. Phrases are admissible by the root: VP if it is one; NP, NM, QP and NX if it is NP or
   NM. Else its children decide: NP… if one is NP or NM; else VP if one is; else NP….
3. The words directly under the root that qualify are the minimum span.
4. If there is none: from each admissible child down through admissible phrases, the
   words that qualify at the shallowest depth that has one.
5. If there is no such child: the same from the root, through all phrases as long as
   none of them is NP, NM or VP; the first that is says which are admissible.
6. If nothing was found: the whole mention. So it is, too, if the mention crosses
   sentences or is not in the key's text.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from scoref.matching.exact import match_by, span_codes
from scoref.matching.trees import tree

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.matching import Matched
    from scoref.matching.documents import Documents
    from scoref.matching.trees import Phrase, Trees
    from scoref.model import Corpus, Ints

_NOMINAL = frozenset((b"NP", b"NM", b"QP", b"NX"))
_VERBAL = frozenset((b"VP",))
_DECIDING = {b"NP": _NOMINAL, b"NM": _NOMINAL, b"VP": _VERBAL}
_WEAK_TAGS = frozenset((b"CC", b"DT", b"IN"))
_BRACKETS = frozenset((b"-LRB-", b"-RRB-", b"-LSB-", b"-RSB-", b"-LCB-", b"-RCB-"))


def match_mina(
    key: Corpus, response: Corpus, documents: Documents, trees: Trees
) -> Matched:
    """Give mentions with equal minimum spans the same integer."""

    def codes(document: Ints, start: Ints, end: Ints) -> Ints:
        distinct, inverse = np.unique(
            span_codes(document, start, end), return_index=True, return_inverse=True
        )[1:]
        # Document -1 is not scored: its mentions are left out after this.
        key_row = np.append(documents.key, -1)[document[distinct]]
        numbers: dict[tuple[int, ...], int] = {}
        found = [
            numbers.setdefault((scored, *minimum_span(trees, *place)), len(numbers))
            for scored, *place in zip(
                document[distinct].tolist(),
                key_row.tolist(),
                start[distinct].tolist(),
                end[distinct].tolist(),
                strict=True,
            )
        ]
        return np.array(found, dtype=np.int64)[inverse]

    return match_by(codes, key, response, documents)


def minimum_span(trees: Trees, document: int, start: int, end: int) -> tuple[int, ...]:
    """Write down what a mention of a document of the key must share to be matched.

    These are its minimum words; or, outside a sentence of the key, its first word and,
    as a negative number that no word has, its last.
    """
    row = trees.first_row(document, start, end)
    if row is None:
        return start, ~end
    if start == end:
        return (start,)
    here = slice(row, row + end - start + 1)
    word, tag = trees.parses.word.texts(here), trees.parses.tag.texts(here)

    def qualifies(at: int) -> bool:
        return _qualifies(word[at], tag[at])

    found = _minimum_words(tree(trees.parses.piece.texts(here)), qualifies)
    return tuple([start + at for at in found or range(len(word))])


def _minimum_words(root: Phrase, qualifies: Callable[[int], bool]) -> list[int]:
    """Choose among the words of a tree; none if nothing is found."""
    direct = [word for word in root.words if qualifies(word)]
    if direct:
        return direct
    admissible = _admissible(root)
    children = [phrase for phrase in root.phrases if phrase.tag in admissible]
    if not children:
        return _nearest(root, qualifies, None)
    return [
        word for child in children for word in _nearest(child, qualifies, admissible)
    ]


def _admissible(root: Phrase) -> frozenset[bytes]:
    if root.tag in _DECIDING:
        return _DECIDING[root.tag]
    deciding = [_DECIDING.get(phrase.tag) for phrase in root.phrases]
    is_verbal = _VERBAL in deciding and _NOMINAL not in deciding
    return _VERBAL if is_verbal else _NOMINAL


def _nearest(
    root: Phrase, qualifies: Callable[[int], bool], admissible: frozenset[bytes] | None
) -> list[int]:
    """Find the words that qualify at the shallowest depth."""
    level = [root]
    while level:
        found, below = [], []
        for phrase in level:
            admissible = admissible or _DECIDING.get(phrase.tag)
            if phrase is root or admissible is None or phrase.tag in admissible:
                found += [word for word in phrase.words if qualifies(word)]
                below += phrase.phrases
        if found:
            return found
        level = below
    return []


@lru_cache(maxsize=1 << 16)
def _qualifies(word: bytes, tag: bytes) -> bool:
    if tag in _WEAK_TAGS or word.upper() in _BRACKETS:
        return False
    text = word.decode("utf-8", "replace")
    return text == "%" or any(character.isalnum() for character in text)
