"""Corpora of one document, from words and spans."""

from __future__ import annotations

import numpy as np

from scoref.model import Corpus, DocumentName, Texts, Tokens


def word_corpus(text: str, *spans: tuple[int, int], name: str = "d") -> Corpus:
    """Return a document of these words; each span is an entity."""
    words = text.split()
    zeros = np.zeros(len(spans), dtype=np.int64)
    place = np.array(spans, dtype=np.int64).reshape(-1, 2)
    return Corpus(
        source=f"{name}.txt",
        format="json-lines",
        documents=(DocumentName.plain(name),),
        document_tokens=np.array([len(words)]),
        document_line=np.zeros(1, dtype=np.int64),
        entity_document=zeros,
        entity_label=tuple(map(str, range(len(spans)))),
        mention_entity=np.arange(len(spans)),
        mention_start=place[:, 0],
        mention_end=place[:, 1],
        mention_line=zeros,
        tokens=Tokens(
            first=np.array([0, len(words)]),
            sentence=np.zeros(len(words), dtype=np.int64),
            line=np.arange(1, len(words) + 1),
            word=Texts.of(words),
        ),
    )
