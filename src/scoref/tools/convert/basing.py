"""Mentions put upon another text: the same words, in a file that has more to say."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import AlignmentError
from scoref.formats.format import MENTION_TABLE
from scoref.formats.token_sets import codes
from scoref.matching.ragged import Ragged
from scoref.matching.same_words import refuse_other_words
from scoref.model import EMPTY, SENTENCE_BITS, WORD_BITS
from scoref.tools.convert.content import NOBODY

if TYPE_CHECKING:
    from scoref.model import Ints
    from scoref.tools.convert.content import Content
    from scoref.tools.convert.sources import SourceContent

_PLACE = (1 << SENTENCE_BITS) - 1
_SAME = "the base must be the text that the mentions are from"


def based(source: SourceContent, base: SourceContent, *, fills: bool) -> Content:
    """Put a source's mentions upon a base's text.

    Documents are paired by name, or by order if no names agree; words by their number
    in the document. With ``fills``, a mention of a source that knows no empty nodes
    has those that stand between its words.
    """
    content, text = source.content, base.content.text
    if not base.content.has_words:
        raise AlignmentError(
            "there are no words in this base", source=base.content.source, hint=_SAME
        )
    documents = _paired(source, base)
    place = _places(content, base.content, documents)
    moved = content._replace(
        documents=base.content.documents,
        text=text,
        has_words=True,
        entity_document=documents[content.entity_document],
        members=Ragged(content.members.start, place[content.members.value]),
        minimum=Ragged(content.minimum.start, place[content.minimum.value]),
        head=np.where(content.head < 0, content.head, place[content.head]),
    )
    moved = moved.by_document()
    _check_texts(moved)
    moved = moved._replace(mention_text=())
    if fills and not content.text.is_empty.any() and text.is_empty.any():
        return _filled(moved)
    return moved


def _paired(source: SourceContent, base: SourceContent) -> Ints:
    """Find the base's document for each of the source's."""
    ours, theirs = source.content.documents, base.content.documents
    known = {name: row for row, name in enumerate(theirs)}
    # A part 0 of CoNLL-2012 may go without its number.
    known |= {
        name.removesuffix("_0"): row
        for name, row in known.items()
        if name.removesuffix("_0") not in known
    }
    rows = [known.get(name, known.get(f"{name}_0", -1)) for name in ours]
    if max(rows, default=-1) < 0 and len(ours) == len(theirs):
        return np.arange(len(ours))
    for name, row in zip(ours, rows, strict=True):
        if row < 0:
            raise AlignmentError(
                f"there is no document '{name}', but in {source.content.source}",
                source=base.content.source,
                hint=_SAME,
            )
    found = set(rows)
    missing = [name for row, name in enumerate(theirs) if row not in found]
    # A table of mentions has no documents without any.
    if missing and source.format != MENTION_TABLE:
        raise AlignmentError(
            f"document '{missing[0]}' is not in {source.content.source}",
            source=base.content.source,
            hint=_SAME,
        )
    return np.array(rows, dtype=np.int64)


def _places(content: Content, base: Content, documents: Ints) -> Ints:
    """Find the base's token for each token of the content."""
    text, other = content.text, base.text
    if content.has_words:
        _check_lengths(content, base, documents)
    mine = codes(text.first, text.is_empty)
    mine = documents[mine >> SENTENCE_BITS] << np.int64(SENTENCE_BITS) | mine & _PLACE
    theirs = codes(other.first, other.is_empty)
    place: Ints = np.searchsorted(theirs, mine)
    missing = np.flatnonzero(np.append(theirs, NOBODY)[place] != mine)
    if len(missing):
        code = int(mine[missing[0]])
        number, empty = (code & _PLACE) >> WORD_BITS, code & EMPTY
        shown = f"empty node {number}.{empty}" if empty else f"word {number}"
        raise AlignmentError(
            f"document '{base.documents[code >> SENTENCE_BITS]}' has no {shown}, but a "
            f"mention of {content.source} has",
            source=base.source,
            hint=_SAME,
        )
    if content.has_words:
        refuse_other_words(
            text.overt,
            other.overt.of_documents(documents),
            sources=(content.source, base.source),
            hint=_SAME,
        )
    return place


def _check_lengths(content: Content, base: Content, documents: Ints) -> None:
    ours, theirs = (np.diff(each.text.overt.first) for each in (content, base))
    for row, document in enumerate(documents.tolist()):
        if ours[row] != theirs[document]:
            raise AlignmentError(
                f"document '{base.documents[document]}' has {theirs[document]} words, "
                f"but {ours[row]} in {content.source}",
                source=base.source,
                hint=_SAME,
            )


def _check_texts(moved: Content) -> None:
    """See that mentions have the texts that the rows of a table say."""
    words = moved.text.word.strings()
    both = zip(moved.lists(), moved.mention_text, strict=False)
    for row, (tokens, said) in enumerate(both):
        found = " ".join(words[token] for token in tokens)
        if said and said != found:
            raise AlignmentError(
                f"this mention is '{found}' in the base, and not '{said}'",
                source=moved.source,
                line=int(moved.mention_line[row]) or None,
                hint=_SAME,
            )


def _filled(content: Content) -> Content:
    """Add the empty nodes between words that follow each other."""
    is_empty = content.text.is_empty
    members = content.lists()
    for tokens in members:
        for before, after in pairwise(list(tokens)):
            between = range(before + 1, after)
            if between and is_empty[before + 1 : after].all():
                tokens.extend(between)
        tokens.sort()
    return content.with_members(members)
