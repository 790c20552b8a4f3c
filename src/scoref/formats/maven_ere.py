"""MAVEN-ERE: sentences of words, and events with their mentions.

    {"id": "d1", "tokens": [["Mia", "slept"], ["She", "dreamt"]],
     "events": [{"id": "e1", "mention": [{"sent_id": 0, "offset": [1, 2]}]}]}

Words are counted by sentence, and the end lies behind a mention. Responses name
mentions of the key by their ids and have no words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from scoref.formats._json_documents import Form, Named, read_documents
from scoref.formats._json_spans import Document, Entity, Misplaced
from scoref.formats.format import MAVEN_ERE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.formats.format import Asked
    from scoref.model import Corpus


class _Mention(msgspec.Struct):
    sent_id: int
    offset: tuple[int, int]
    trigger_word: str | None = None


class _Event(msgspec.Struct):
    mention: list[_Mention]
    id: str | int | None = None


class _Record(Named, kw_only=True):
    tokens: list[list[str]] = msgspec.field(default_factory=list)
    events: list[_Event] | None = None


_FORM = Form(
    MAVEN_ERE,
    _Record,
    '{"id": "...", "tokens": [["word", ...]], "events": [{"mention": [...]}, ...]}',
    has_labels=True,
)


def read(data: bytes, asked: Asked) -> Corpus:
    """Read a key of MAVEN-ERE."""
    return read_documents(data, asked, _FORM, _documents)


def _documents(record: _Record) -> Iterator[Document]:
    if record.events is None:
        hint = "give the file with 'tokens' and 'events'"
        raise Misplaced("", "there are ids of mentions here, but no mentions", hint)
    entities = [
        Entity(
            str(number if event.id is None else event.id),
            [(each.sent_id, *each.offset) for each in event.mention],
            f"events[{number}].mention",
            [each.trigger_word for each in event.mention],
        )
        for number, event in enumerate(record.events)
    ]
    yield Document(record.called(), entities, record.tokens, is_end_included=False)
