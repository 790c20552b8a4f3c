"""The fingerprint of a corpus; `scoref.fingerprint` describes what it consists of."""

from __future__ import annotations

import hashlib
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

import numpy as np

from scoref.fingerprint import DocumentPrint, Fingerprint
from scoref.formats.tokens import token_numbers

if TYPE_CHECKING:
    from scoref.model import Corpus

    Run = tuple[int, int, int]  # first word, last word, number of an empty node or 0
    Mention = tuple[Run, ...]


def fingerprint(corpus: Corpus) -> Fingerprint:
    """Compute the fingerprint of a corpus that was read with its tokens."""
    texts: list[bytes] | None = None
    if corpus.tokens:
        texts = [
            hashlib.sha256(_word_lines(text.word.strings())).digest()
            for text in corpus.tokens.overt.by_document()
        ]
    documents = []
    entity_count = mention_count = 0
    for row, entities in enumerate(_entities_by_document(corpus)):
        entity_count += len(entities)
        mention_count += sum(map(len, entities))
        documents.append(
            DocumentPrint(
                corpus.documents[row].name,
                None if texts is None else texts[row],
                hashlib.sha256(_entity_lines(entities)).digest(),
            )
        )
    return Fingerprint(tuple(documents), mention_count, entity_count)


def _word_lines(words: list[str]) -> bytes:
    r"""Write one word per line, with line breaks and backslashes escaped.

    >>> _word_lines(["a", "b\\", "\n"])
    b'a\nb\\\\\n\\n'
    """
    text = "\n".join(words)
    # Almost no text has either, and replacing in each word takes most of the time.
    if "\\" in text or text.count("\n") >= len(words) > 0:
        text = "\n".join(
            word.replace("\\", "\\\\").replace("\n", "\\n") for word in words
        )
    return text.encode()


def _entities_by_document(corpus: Corpus) -> list[list[list[Mention]]]:
    """Return the referring entities of each document; entities and mentions sorted."""
    by_document: list[list[list[Mention]]] = [[] for _ in corpus.documents]
    is_referring = (
        np.ones(len(corpus.entity_label), dtype=np.bool_)
        if corpus.anaphora is None
        else corpus.anaphora.is_referring
    ).tolist()
    document = corpus.entity_document.tolist()
    rows = zip(corpus.mention_entity.tolist(), mention_words(corpus), strict=True)
    for entity, mentions in groupby(sorted(rows), key=lambda row: row[0]):
        if is_referring[entity]:
            by_document[document[entity]].append([mention for _, mention in mentions])
    for entities in by_document:
        entities.sort()
    return by_document


def mention_words(corpus: Corpus) -> list[Mention]:
    """Return the words of each mention as runs of numbers in the document, from 0."""
    tokens = corpus.tokens
    if tokens is None:
        ends = corpus.mention_start.tolist(), corpus.mention_end.tolist()
        return [((start, end, 0),) for start, end in zip(*ends, strict=True)]
    sets = tokens.of_mentions(corpus)
    _, number, second = token_numbers(tokens.first, tokens.is_empty)
    words, empty = (number - 1)[sets.member].tolist(), second[sets.member].tolist()
    return [
        _runs(words[start:end], empty[start:end])
        for start, end in pairwise(sets.start.tolist())
    ]


def _runs(number: list[int], empty: list[int]) -> Mention:
    """Join neighbouring words; empty nodes count only in mentions without words.

    >>> _runs([4, 5, 9], [0, 0, 0])
    ((4, 5, 0), (9, 9, 0))
    >>> _runs([12, 13], [1, 0]), _runs([12], [1])
    (((13, 13, 0),), ((12, 12, 1),))
    """
    tokens = sorted(zip(number, empty, strict=True))
    words = [word for word, second in tokens if not second]
    if not words:
        return tuple((word, word, second) for word, second in tokens)
    runs: list[list[int]] = []
    for word in words:
        if runs and word <= runs[-1][1] + 1:
            runs[-1][1] = word
        else:
            runs.append([word, word])
    return tuple((start, end, 0) for start, end in runs)


def written(mention: Mention) -> str:
    """Write a mention: 3, 3-5, 7.1 for an empty node, 3,5-6.

    >>> written(((3, 3, 0), (5, 6, 0))), written(((7, 7, 1),))
    ('3,5-6', '7.1')
    """

    def write(start: int, end: int, second: int) -> str:
        if second:
            return f"{start}.{second}"
        return str(start) if start == end else f"{start}-{end}"

    return ",".join(write(*run) for run in mention)


def _entity_lines(entities: list[list[Mention]]) -> bytes:
    """Write one entity per line.

    >>> _entity_lines([[((3, 3, 0), (5, 6, 0)), ((7, 7, 1),)]])
    b'3,5-6 7.1'
    """
    return "\n".join(" ".join(map(written, entity)) for entity in entities).encode()
