"""Computes the fingerprint of a corpus; `scoref.fingerprint` describes it."""

from __future__ import annotations

import hashlib
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

import numpy as np

from scoref.fingerprint import DocumentPrint, Fingerprint
from scoref.formats.tokens import token_numbers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.model import Corpus, Tokens

    Mention = tuple[tuple[int, int, int], ...]


def fingerprint(corpus: Corpus) -> Fingerprint:
    """Take the fingerprint of a corpus that was read with its tokens."""
    entities = _entities(corpus)
    texts = _texts(corpus.tokens) if corpus.tokens else None
    documents = tuple(
        DocumentPrint(
            name.name,
            None if texts is None else texts[row],
            hashlib.sha256(_lines(entities[row])).digest(),
        )
        for row, name in enumerate(corpus.documents)
    )
    listed = [entity for each in entities for entity in each]
    return Fingerprint(documents, sum(map(len, listed)), len(listed))


def _texts(tokens: Tokens) -> list[bytes]:
    """Hash the words of each document."""
    return [
        hashlib.sha256(_word_lines(text.word.strings())).digest()
        for text in tokens.overt.by_document()
    ]


def _word_lines(words: list[str]) -> bytes:
    r"""Write a line a word; what would look like another line is escaped.

    >>> _word_lines(["a", "b\\", "\n"])
    b'a\nb\\\\\n\\n'
    """
    text = "\n".join(words)
    # Hardly any text has either, and to look at each word takes most of the time.
    if "\\" in text or text.count("\n") >= len(words) > 0:
        text = "\n".join(
            word.replace("\\", "\\\\").replace("\n", "\\n") for word in words
        )
    return text.encode()


def _entities(corpus: Corpus) -> list[list[list[Mention]]]:
    """List each document's entities, and the mentions of each, all sorted."""
    found: list[list[list[Mention]]] = [[] for _ in corpus.documents]
    refers = (
        np.ones(len(corpus.entity_label), dtype=np.bool_)
        if corpus.anaphora is None
        else corpus.anaphora.is_referring
    ).tolist()
    of_document = corpus.entity_document.tolist()
    rows = zip(corpus.mention_entity.tolist(), _mentions(corpus), strict=True)
    for entity, mentions in groupby(sorted(rows), key=lambda row: row[0]):
        if refers[entity]:
            found[of_document[entity]].append([mention for _, mention in mentions])
    for entities in found:
        entities.sort()
    return found


def _mentions(corpus: Corpus) -> Iterator[Mention]:
    """Give the words of each mention by their numbers in the document.

    An empty node has the number of the word before it, and which of the empty nodes
    behind that word it is.
    """
    tokens = corpus.tokens
    if tokens is None:
        for start, end in zip(
            corpus.mention_start.tolist(), corpus.mention_end.tolist(), strict=True
        ):
            yield ((start, end, 0),)
        return
    sets = tokens.of_mentions(corpus)
    _, nth, behind = token_numbers(tokens.first, tokens.is_empty)
    number, empty = (nth - 1)[sets.member].tolist(), behind[sets.member].tolist()
    for start, end in pairwise(sets.start.tolist()):
        yield _runs(number[start:end], empty[start:end])


def _runs(number: list[int], empty: list[int]) -> Mention:
    """Join neighbours; empty nodes count only where there is nothing else.

    >>> _runs([4, 5, 9], [0, 0, 0])
    ((4, 5, 0), (9, 9, 0))
    >>> _runs([12, 13], [1, 0]), _runs([12], [1])
    (((13, 13, 0),), ((12, 12, 1),))
    """
    words = sorted(at for at, nth in zip(number, empty, strict=True) if not nth)
    if not words:
        zeros = sorted(zip(number, empty, strict=True))
        return tuple((at, at, nth) for at, nth in zeros)
    runs: list[list[int]] = []
    for at in words:
        if runs and at <= runs[-1][1] + 1:
            runs[-1][1] = at
        else:
            runs.append([at, at])
    return tuple((start, end, 0) for start, end in runs)


def _lines(entities: list[list[Mention]]) -> bytes:
    return "\n".join(
        " ".join(",".join(map(_written, mention)) for mention in entity)
        for entity in entities
    ).encode()


def _written(run: tuple[int, int, int]) -> str:
    start, end, nth = run
    if nth:
        return f"{start}.{nth}"
    return str(start) if start == end else f"{start}-{end}"
