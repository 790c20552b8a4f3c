"""AllenNLP: words, and clusters of them.

    {"document": ["Mia", "slept", ".", "She", "dreamt", "."],
     "clusters": [[[0, 0], [3, 3]]], "top_spans": [[0, 0], [3, 3]]}

Written by ``allennlp predict --output-file``, a document a line. The last word is part
of a mention. Words are spaCy's, blank ones among them. There are no names and no
singletons.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.formats._json_documents import Form, NamedRecord, read_documents
from scoref.formats._json_spans import JsonDocument, numbered
from scoref.formats.format import ALLENNLP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.formats.format import Asked
    from scoref.model import Corpus


class _Record(NamedRecord, kw_only=True):
    document: list[str]
    clusters: list[list[tuple[int, int]]]


_FORM = Form(
    ALLENNLP, _Record, '{"document": ["word", ...], "clusters": [[[0, 0], ...], ...]}'
)


def read(data: bytes, asked: Asked) -> Corpus:
    """Read what AllenNLP wrote."""
    return read_documents(data, asked, _FORM, _documents)


def _documents(record: _Record) -> Iterator[JsonDocument]:
    entities = numbered(record.clusters, "clusters")
    yield JsonDocument(record.called(), entities, [record.document])
