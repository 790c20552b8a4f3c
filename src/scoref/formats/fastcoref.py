"""fastcoref: a text, and clusters of characters in it.

    {"text": "Mia slept. She dreamt.", "clusters": [[[0, 3], [11, 14]]],
     "clusters_strings": [["Mia", "She"]]}

Written by ``predict(output_file=…)``, a document a line. The character behind a mention
is its end. Called with words, fastcoref writes these as ``text`` and counts them, too.
A mention may be null, where the model took a mark of its own for a word. There are no
names and no singletons.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.formats._json_documents import Form, NamedRecord, read_documents
from scoref.formats._json_spans import JsonDocument, numbered
from scoref.formats.format import FASTCOREF

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.formats.format import Asked
    from scoref.model import Corpus


class _Record(NamedRecord, kw_only=True):
    text: str | list[str]
    clusters: list[list[tuple[int, int] | None]]
    clusters_strings: list[list[str | list[str] | None]] | None = None


_FORM = Form(
    FASTCOREF, _Record, '{"text": "...", "clusters": [[[start, end], ...], ...]}'
)


def read(data: bytes, asked: Asked) -> Corpus:
    """Read what fastcoref wrote."""
    return read_documents(data, asked, _FORM, _documents)


def _documents(record: _Record) -> Iterator[JsonDocument]:
    said = [[_said(each) for each in texts] for texts in record.clusters_strings or []]
    entities = numbered(record.clusters, "clusters", said)
    name, text = record.called(), record.text
    if isinstance(text, str):
        yield JsonDocument(name, entities, text=text, is_end_included=False)
    else:
        yield JsonDocument(name, entities, [text], is_end_included=False)


def _said(text: str | list[str] | None) -> str | None:
    return " ".join(text) if isinstance(text, list) else text
