"""What a reader found, as plain values to compare with."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scoref.model import Corpus

    Mentions = dict[str, list[tuple[int, int]]]


def mentions_by_document(corpus: Corpus) -> dict[str, Mentions]:
    """List each document's entities by label, with their mentions in order."""
    found: dict[str, Mentions] = {name.name: {} for name in corpus.documents}
    rows = zip(corpus.entity_document.tolist(), corpus.entity_label, strict=True)
    entities = [
        found[corpus.documents[document].name].setdefault(label, [])
        for document, label in rows
    ]
    for entity, start, end in zip(
        corpus.mention_entity.tolist(),
        corpus.mention_start.tolist(),
        corpus.mention_end.tolist(),
        strict=True,
    ):
        entities[entity].append((start, end))
    return found


def tokens_by_document(corpus: Corpus) -> dict[str, int]:
    """Give each document's number of tokens."""
    assert corpus.document_tokens is not None
    names = (name.name for name in corpus.documents)
    return dict(zip(names, corpus.document_tokens.tolist(), strict=True))
