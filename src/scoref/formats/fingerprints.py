"""The fingerprint of a corpus, taken: see `scoref.fingerprint`."""

from __future__ import annotations

import hashlib
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.fingerprint import DocumentPrint, Fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.model import Corpus, Ints, Tokens

    Mention = tuple[tuple[int, int, int], ...]


def fingerprint(corpus: Corpus) -> Fingerprint:
    """Take the fingerprint of a corpus that was read with its tokens."""
    places = _Places.of(corpus)
    entities = _entities(corpus, places)
    texts = _texts(corpus.tokens, places) if corpus.tokens else None
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


class _Places(NamedTuple):
    """Where each token stands among the words of its document.

    A word has its number; an empty node that of the word before it, and which of the
    empty nodes behind that word it is.
    """

    number: Ints
    empty: Ints  # 0: a word

    @classmethod
    def of(cls, corpus: Corpus) -> _Places | None:
        tokens = corpus.tokens
        if tokens is None:
            return None
        is_empty, document = tokens.is_empty, tokens.document
        words: Ints = np.cumsum(~is_empty)
        before = np.concatenate(([0], words))[tokens.first[document]]
        run = np.arange(len(words)) - np.maximum.accumulate(
            np.where(is_empty, -1, np.arange(len(words)))
        )
        first = np.arange(len(words)) - tokens.first[document] + 1
        number: Ints = words - before - 1
        return cls(number, np.where(is_empty, np.minimum(run, first), 0))


def _texts(tokens: Tokens, places: _Places | None) -> list[bytes]:
    """Hash the words of each document."""
    assert places is not None  # noqa: S101 - there are tokens
    words = tokens.word.strings()
    is_word = (places.empty == 0).tolist()
    return [
        hashlib.sha256(
            "\n".join(
                word.replace("\\", "\\\\").replace("\n", "\\n")
                for word, kept in zip(words[start:end], is_word[start:end], strict=True)
                if kept
            ).encode()
        ).digest()
        for start, end in pairwise(tokens.first.tolist())
    ]


def _entities(corpus: Corpus, places: _Places | None) -> list[list[list[Mention]]]:
    """List each document's entities, and the mentions of each, all sorted."""
    found: list[list[list[Mention]]] = [[] for _ in corpus.documents]
    refers = (
        np.ones(len(corpus.entity_label), dtype=np.bool_)
        if corpus.anaphora is None
        else corpus.anaphora.is_referring
    ).tolist()
    of_document = corpus.entity_document.tolist()
    rows = zip(corpus.mention_entity.tolist(), _mentions(corpus, places), strict=True)
    for entity, mentions in groupby(sorted(rows), key=lambda row: row[0]):
        if refers[entity]:
            found[of_document[entity]].append([mention for _, mention in mentions])
    for entities in found:
        entities.sort()
    return found


def _mentions(corpus: Corpus, places: _Places | None) -> Iterator[Mention]:
    if places is None or corpus.tokens is None:
        for start, end in zip(
            corpus.mention_start.tolist(), corpus.mention_end.tolist(), strict=True
        ):
            yield ((start, end, 0),)
        return
    sets = corpus.tokens.of_mentions(corpus)
    number = places.number[sets.member].tolist()
    empty = places.empty[sets.member].tolist()
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
