"""Are documents of one name the same words? For spans, which are counted in tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import AlignmentError
from scoref.matching.ragged import Ragged

if TYPE_CHECKING:
    from scoref.model import Corpus, Ints, Tokens


def refuse_other_words(
    one: Corpus, documents: Ints, other: Corpus, theirs: Ints
) -> None:
    """Show the first word that differs between documents of two files, if one does.

    Files without words are taken at their word.

    Raises:
        AlignmentError: a document has other words on the other side.
    """
    if one.tokens is None or other.tokens is None:
        return
    ours, same = _tokens(one.tokens, documents), _tokens(other.tokens, theirs)
    words = one.tokens.word.take(ours)
    place = words.first_difference(other.tokens.word.take(same))
    if place < 0:
        return
    here, there = int(same[place]), int(ours[place])
    name = other.documents[_document(other.tokens, theirs, place)].name
    raise AlignmentError(
        f"this word of document '{name}' is '{other.tokens.word.text(here)}', but "
        f"'{one.tokens.word.text(there)}' in {one.source}:{one.tokens.line[there]}",
        source=other.source,
        line=int(other.tokens.line[here]),
        hint="documents of the same name must have the same words",
    )


def _tokens(tokens: Tokens, documents: Ints) -> Ints:
    """List the tokens of some documents, one document behind the other."""
    return Ragged(tokens.first, np.arange(tokens.first[-1])).take(documents).value


def _document(tokens: Tokens, documents: Ints, place: int) -> int:
    """Find the document of a token among those."""
    end = np.cumsum(np.diff(tokens.first)[documents])
    return int(documents[np.searchsorted(end, place, side="right")])
