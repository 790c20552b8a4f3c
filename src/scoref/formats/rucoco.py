"""RuCoCo: a text, and entities of characters in it.

    {"text": "Миа спала.", "entities": [[[0, 3]]], "includes": [[]]}

A document a file, which names it. The end lies behind a mention. ``includes`` lists the
entities that are part of each one: split antecedents, which are not scored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from scoref.formats._json_documents import Form, NamedRecord, read_documents
from scoref.formats._json_spans import JsonDocument, numbered
from scoref.formats.format import RUCOCO

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.formats.format import Asked
    from scoref.model import Corpus

_PLURALS = "plurals"


class _Record(NamedRecord, kw_only=True):
    text: str
    entities: list[list[tuple[int, int]]]
    includes: list[list[int]] = msgspec.field(default_factory=list)


_FORM = Form(
    RUCOCO,
    _Record,
    '{"entities": [[[start, end], ...], ...], "includes": [[], ...], "text": "..."}',
    {_PLURALS: "entities that include others, which is not scored: {}"},
    is_named_by_file=True,
)


def read(data: bytes, asked: Asked) -> Corpus:
    """Read a document of RuCoCo."""
    return read_documents(data, asked, _FORM, _documents)


def _documents(record: _Record) -> Iterator[JsonDocument]:
    yield JsonDocument(
        record.called(),
        numbered(record.entities, "entities"),
        text=record.text,
        is_end_included=False,
        counts={_PLURALS: sum(map(bool, record.includes))},
    )
