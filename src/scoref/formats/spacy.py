"""spaCy's JSON: a text, its tokens, and groups of spans that are entities.

    {"text": "Mia slept", "tokens": [{"id": 0, "start": 0, "end": 3}, ...],
     "spans": {"coref_clusters_1": [{"start": 0, "end": 3, "label": "", "kb_id": ""}]}}

Written by ``Doc.to_json()``. Characters are counted, and the end lies behind a mention.
Entities are the groups ``coref_clusters_1``, ``coref_clusters_2`` and so on;
``coref_head_clusters_1`` has the heads of the same entities, and is not read. There are
no names.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

import msgspec

from scoref.formats._json_documents import Form, NamedRecord, read_documents
from scoref.formats._json_spans import JsonDocument, JsonEntity
from scoref.formats.format import SPACY
from scoref.model import Note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.formats.format import Asked
    from scoref.model import Corpus

_GROUP = re.compile(r"coref_clusters_(\d+)")


class _Span(msgspec.Struct):
    start: int
    end: int


class _Record(NamedRecord, kw_only=True):
    text: str
    spans: dict[str, list[_Span]] = msgspec.field(default_factory=dict)
    tokens: list[_Span] = msgspec.field(default_factory=list)


_FORM = Form(
    SPACY,
    _Record,
    '{"text": "...", "spans": {"coref_clusters_1": [{"start": 0, "end": 3}], ...}}',
    has_labels=True,
    objects=("spans",),
)


def read(data: bytes, asked: Asked) -> Corpus:
    """Read what spaCy wrote."""
    corpus = read_documents(data, asked, _FORM, _documents)
    return _noting_heads(corpus)


def _documents(record: _Record) -> Iterator[JsonDocument]:
    entities = [
        JsonEntity(
            number[1], [(each.start, each.end) for each in group], f"spans.{name}"
        )
        for name, group in record.spans.items()
        for number in [_GROUP.fullmatch(name)]
        if number
    ]
    size = len(record.text)
    borders = chain(*((each.start, each.end) for each in record.tokens))
    yield JsonDocument(
        record.called(),
        entities,
        text=record.text,
        is_end_included=False,
        borders=[place for place in borders if 0 <= place <= size],
    )


def _noting_heads(corpus: Corpus) -> Corpus:
    """Say that mentions may be heads only: so they are without a span resolver."""
    count = len(corpus.mention_entity)
    if not count or (corpus.mention_start != corpus.mention_end).any():
        return corpus
    message = (
        f"all {count} mentions are single words: spaCy writes heads where the pipeline "
        "has no span resolver"
    )
    return replace(corpus, notes=(*corpus.notes, Note("heads-only", count, message)))
