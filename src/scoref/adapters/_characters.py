"""Two tokenisations of one text, brought into one numbering."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.matching.numbering import number_alike
from scoref.model import Corpus, DocumentName, Texts, Tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.model import Ints, Note

    Span = tuple[int, int]
    Entities = list[list[Span]]


class Renumbered(NamedTuple):
    """Entities of both sides, in tokens that both have, and what was noted of them."""

    key: Entities
    response: Entities
    notes: tuple[Note, ...]


def in_one_numbering(
    document: str,
    words: tuple[Sequence[str], Sequence[str]],
    entities: tuple[Entities, Entities],
) -> Renumbered:
    """Count mentions of a document in tokens that both sides have.

    Raises:
        AlignmentError: the texts are not the same.
    """
    found = number_alike(
        _corpus("key", document, words[0], entities[0]),
        _corpus("response", document, words[1], entities[1]),
        np.zeros(1, dtype=np.int64),
        others=(),
        borders="strict",
        lenient=False,
        by_number=False,
        counted=(False, False),
        with_tokens=False,
    )
    sides = (_entities(found.key), _entities(found.response))
    return Renumbered(*sides, found.response.notes)


def _corpus(
    role: str, document: str, words: Sequence[str], entities: Entities
) -> Corpus:
    count = [len(entity) for entity in entities]
    spans = [mention for entity in entities for mention in entity]
    start, end = np.array(spans, dtype=np.int64).reshape(-1, 2).T
    nothing = np.zeros(len(words), dtype=np.int64)
    return Corpus(
        source=role,
        format="spacy",
        documents=(DocumentName.plain(document),),
        document_tokens=np.array([len(words)]),
        document_line=np.zeros(1, dtype=np.int64),
        entity_document=np.zeros(len(entities), dtype=np.int64),
        entity_label=tuple(map(str, range(len(entities)))),
        mention_entity=np.repeat(np.arange(len(entities)), count),
        mention_start=start,
        mention_end=end,
        mention_line=np.zeros(len(spans), dtype=np.int64),
        tokens=Tokens(np.array([0, len(words)]), nothing, nothing, Texts.of(words)),
    )


def _entities(corpus: Corpus) -> Entities:
    entities: Entities = [[] for _ in corpus.entity_label]
    columns: tuple[Ints, ...] = (
        corpus.mention_entity,
        corpus.mention_start,
        corpus.mention_end,
    )
    for entity, start, end in zip(*map(np.ndarray.tolist, columns), strict=True):
        entities[entity].append((start, end))
    return entities
