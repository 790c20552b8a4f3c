"""PreCo: sentences of words, and clusters of words in them.

    {"id": "d1", "sentences": [["Mia", "slept", "."], [" "], ["She", "dreamt"]],
     "mention_clusters": [[[0, 0, 1], [2, 0, 1]]]}

A mention is its sentence, its first word and the one behind its last. Paragraphs begin
with a sentence that is a blank: it counts as a sentence, and has no text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.formats._json_documents import Form, NamedRecord, read_documents
from scoref.formats._json_spans import JsonDocument, numbered
from scoref.formats.format import PRECO

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.formats.format import Asked
    from scoref.model import Corpus


class _Record(NamedRecord, kw_only=True):
    sentences: list[list[str]]
    mention_clusters: list[list[tuple[int, int, int]]]


_FORM = Form(
    PRECO,
    _Record,
    '{"id": "...", "sentences": [["word", ...]], "mention_clusters": [[[0, 0, 1]]]}',
)


def read(data: bytes, asked: Asked) -> Corpus:
    """Read PreCo."""
    return read_documents(data, asked, _FORM, _documents)


def _documents(record: _Record) -> Iterator[JsonDocument]:
    yield JsonDocument(
        record.called(),
        numbered(record.mention_clusters, "mention_clusters"),
        record.sentences,
        is_end_included=False,
    )
