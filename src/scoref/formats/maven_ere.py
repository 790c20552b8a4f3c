"""MAVEN-ERE: sentences of words, and events with their mentions.

    {"id": "d1", "tokens": [["Mia", "slept"], ["She", "dreamt"]],
     "events": [{"id": "e1", "mention": [
         {"id": "m1", "sent_id": 0, "offset": [1, 2], "trigger_word": "slept"}]}]}
    {"id": "d1", "coreference": [["m1", "m2"]]}

Words are counted by sentence, and the end lies behind a mention. Where a key has no
words, its mentions stand one behind the other. A response may name the key's mentions
by their ids, and has no words then.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING

import msgspec

from scoref.formats._json_documents import Form, NamedRecord, read_documents
from scoref.formats._json_spans import JsonDocument, JsonEntity, Misplaced
from scoref.formats._json_values import has_field
from scoref.formats.format import MAVEN_ERE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.formats.format import Asked
    from scoref.model import Corpus

    Ids = dict[str, dict[str, tuple[int, int]]]


class _Mention(msgspec.Struct):
    sent_id: int
    offset: tuple[int, int]
    trigger_word: str | None = None
    id: str | int | None = None


class _Event(msgspec.Struct):
    mention: list[_Mention]
    id: str | int | None = None


class _Record(NamedRecord, kw_only=True):
    tokens: list[list[str]] = msgspec.field(default_factory=list)
    events: list[_Event] | None = None
    coreference: list[list[str | int]] | None = None


_FORM = Form(
    MAVEN_ERE,
    _Record,
    '{"id": "...", "tokens": [["word", ...]], "events": [{"mention": [...]}, ...]}',
    has_labels=True,
    objects=("events",),
)


def read(data: bytes, asked: Asked) -> Corpus:
    """Read a key of MAVEN-ERE, or a response, which may name its mentions by ids."""
    reader = _Reader(data, asked)
    corpus = read_documents(data, asked, _FORM, reader.documents)
    return reader.finished(corpus)


class _Reader:
    """Notes where mentions are, by their ids, while documents are read."""

    def __init__(self, data: bytes, asked: Asked) -> None:
        self._names_only = asked.role == "response" and has_field(data, "coreference")
        self._ids: Ids = {}

    def documents(self, record: _Record) -> Iterator[JsonDocument]:
        """Make a document of a record."""
        if self._names_only:
            yield self._with_ids(record, record.coreference)
        elif record.events is not None:
            yield self._with_events(record, record.events)
        else:
            hint = "give the file with 'tokens' and 'events'"
            problem = "there are ids of mentions here, but no mentions"
            raise Misplaced("", problem, hint)

    def finished(self, corpus: Corpus) -> Corpus:
        """Add what was noted; ids are no words, and have no places of their own."""
        found = replace(corpus, mention_ids=self._ids)
        if not self._names_only:
            return found
        return replace(found, document_tokens=None, tokens=None, has_labels=False)

    def _with_events(self, record: _Record, events: list[_Event]) -> JsonDocument:
        every = [mention for event in events for mention in event.mention]
        words = record.tokens or [[_shown(each) for each in every]]
        spans = _spans(record, every)
        self._note(record, every, spans, words)
        found = iter(spans)
        entities = [
            JsonEntity(
                str(number if event.id is None else event.id),
                [next(found) for _ in event.mention],
                f"events[{number}].mention",
                [each.trigger_word for each in event.mention]
                if record.tokens
                else None,
            )
            for number, event in enumerate(events)
        ]
        return JsonDocument(record.called(), entities, words, is_end_included=False)

    def _note(
        self,
        record: _Record,
        mentions: list[_Mention],
        spans: list[tuple[int, int, int]],
        words: list[list[str]],
    ) -> None:
        """Note where mentions are, counted in words of the document."""
        name = record.called()
        if name is None:
            return
        before = [0, *accumulate(map(len, words))]
        self._ids[name.name] = {
            str(each.id): (before[sentence] + start, before[sentence] + end - 1)
            for each, (sentence, start, end) in zip(mentions, spans, strict=True)
            if each.id is not None and 0 <= sentence < len(words)
        }

    def _with_ids(
        self, record: _Record, coreference: list[list[str | int]] | None
    ) -> JsonDocument:
        clusters = coreference or []
        numbers: dict[str, tuple[int, int]] = {}
        for each in (str(each) for cluster in clusters for each in cluster):
            numbers.setdefault(each, (len(numbers), len(numbers)))
        name = record.called()
        if name is None:
            problem = "there are ids of mentions here, but not of the document"
            raise Misplaced("", problem, "give each line the 'id' of its document")
        self._ids[name.name] = numbers
        entities = [
            JsonEntity(
                str(row),
                [(0, *numbers[str(each)]) for each in cluster],
                f"coreference[{row}]",
            )
            for row, cluster in enumerate(clusters)
        ]
        missing = "coreference" if coreference is None else ""
        return JsonDocument(name, entities, [list(numbers)], missing=missing)


def _spans(record: _Record, mentions: list[_Mention]) -> list[tuple[int, int, int]]:
    """Give sentence, start and end; without words, mentions stand in a row."""
    if record.tokens:
        return [(each.sent_id, *each.offset) for each in mentions]
    return [(0, place, place + 1) for place in range(len(mentions))]


def _shown(mention: _Mention) -> str:
    return mention.trigger_word or str(mention.id)
