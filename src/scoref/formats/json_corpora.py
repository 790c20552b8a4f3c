"""Readers of four corpora in JSON: coref-data, OntoNotes on the Hub, DocRED and DWIE.

coref-data, the collection of corpora on the Hugging Face Hub. A mention is its
sentence, its first and its last word, counted from 0. An empty node of CorefUD is a
word here, too. The Hub's viewer puts documents into ``rows``.

    {"id": "d1", "sentences": [{"id": 1, "tokens": [{"id": 1, "text": "Mia"}]}],
     "coref_chains": [[[0, 0, 0], [1, 0, 0]]]}

The dataset ``conll2012_ontonotesv5`` of the Hub. A mention is its entity and its first
and last word in the sentence. A record is a file of OntoNotes, and each of its parts is
a document.

    {"document_id": "bc/cctv/00/cctv_0000", "sentences": [
       {"part_id": 0, "words": ["Mia", "slept"], "coref_spans": [[12, 0, 0]]}]}

DocRED. Entities are ``vertexSet``. The end is the word after the mention, and words are
counted by sentence. ``name`` is not always the text of the mention.

    {"title": "Mia", "sents": [["Mia", "slept"]],
     "vertexSet": [[{"name": "Mia", "sent_id": 0, "pos": [0, 1], "type": "PER"}]]}

DWIE, and the predictions of its model. Offsets count characters, and the end is the
character after the mention. ``concept`` is the entity of a mention.

    {"id": "DW_1", "content": "Mia slept.",
     "mentions": [{"begin": 0, "end": 3, "text": "Mia", "concept": 2}]}
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import msgspec

from scoref.formats.catalogue import (
    CONLL2012_ONTONOTESV5,
    COREF_DATA,
    DOCRED,
    DWIE,
)
from scoref.formats.conll2012 import document_name
from scoref.formats.json_documents import Form, read_documents
from scoref.formats.json_spans import (
    DocumentError,
    JsonDocument,
    JsonEntity,
    entities_of,
)
from scoref.model import DocumentName

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.formats.catalogue import ReadOptions
    from scoref.model import Corpus


class _HubToken(msgspec.Struct):
    text: str | None = None


class _HubSentence(msgspec.Struct):
    tokens: list[_HubToken]


class _HubRow(msgspec.Struct):
    row: _CorefDataRecord
    truncated_cells: list[str] = msgspec.field(default_factory=list)


class _CorefDataRecord(msgspec.Struct):
    id: str | int | None = None
    doc_name: str | None = None
    sentences: list[_HubSentence | list[str]] | None = None
    coref_chains: list[list[tuple[int, int, int]]] | None = None
    rows: list[_HubRow] | None = None

    def name(self) -> DocumentName | None:
        name = self.doc_name if self.id is None else self.id
        return None if name is None else DocumentName.plain(str(name))


_COREF_DATA_FORM = Form(
    COREF_DATA,
    _CorefDataRecord,
    '{"id": "...", "sentences": [{"tokens": [{"text": "word"}, ...]}, ...], '
    '"coref_chains": [[[sentence, first, last], ...], ...]}',
    identifier="'id'",
)

EMPTY_NODE = "_"


def read_coref_data(data: bytes, options: ReadOptions) -> Corpus:
    """Read documents of coref-data."""
    return read_documents(data, options, _COREF_DATA_FORM, _coref_data_documents)


def _coref_data_documents(
    record: _CorefDataRecord, path: str = ""
) -> Iterator[JsonDocument]:
    for number, row in enumerate(record.rows or ()):
        place = f"rows[{number}].row"
        if row.truncated_cells:
            problem = f"the viewer has cut off {', '.join(row.truncated_cells)}"
            hint = "Download the dataset and write it with Dataset.to_json."
            raise DocumentError(place, problem, hint)
        yield from _coref_data_documents(row.row, f"{place}.")
    if record.rows is not None:
        return
    if record.sentences is None:
        hint = "Expected the tokens of each sentence."
        raise DocumentError(path.rstrip("."), "there are no 'sentences'", hint)
    yield JsonDocument(
        record.name(),
        entities_of(record.coref_chains or [], f"{path}coref_chains"),
        [
            sentence
            if isinstance(sentence, list)
            else [token.text or EMPTY_NODE for token in sentence.tokens]
            for sentence in record.sentences
        ],
        missing="" if record.coref_chains is not None else "coref_chains",
    )


class _OntonotesSentence(msgspec.Struct):
    words: list[str]
    coref_spans: list[tuple[int, int, int]]
    part_id: int = 0


class _OntonotesRecord(msgspec.Struct):
    document_id: str
    sentences: list[_OntonotesSentence]


_ONTONOTES_FORM = Form(
    CONLL2012_ONTONOTESV5,
    _OntonotesRecord,
    '{"document_id": "...", "sentences": [{"part_id": 0, "words": ["word", ...], '
    '"coref_spans": [[entity, first, last], ...]}, ...]}',
    has_labels=True,
    identifier="'document_id' or 'part_id'",
)


def read_conll2012_ontonotesv5(data: bytes, options: ReadOptions) -> Corpus:
    """Read the parts of files of OntoNotes."""

    def documents(record: _OntonotesRecord) -> Iterator[JsonDocument]:
        rows = enumerate(record.sentences)
        for part, sentences in groupby(rows, lambda row: row[1].part_id):
            words: list[list[str]] = []
            spans: dict[int, list[tuple[int, int, int]]] = {}
            paths: dict[int, list[str]] = {}
            for row, sentence in sentences:
                for place, (entity, first, last) in enumerate(sentence.coref_spans):
                    path = f"sentences[{row}].coref_spans[{place}]"
                    spans.setdefault(entity, []).append((len(words), first, last))
                    paths.setdefault(entity, []).append(path)
                words.append(sentence.words)
            name = document_name(f"({record.document_id}); part {part:03d}")
            entities = [
                JsonEntity(str(entity), spans[entity], "", paths=paths[entity])
                for entity in spans
            ]
            yield JsonDocument(name, entities, words)

    return read_documents(data, options, _ONTONOTES_FORM, documents)


class _DocredMention(msgspec.Struct):
    sent_id: int
    pos: tuple[int, int]


class _DocredRecord(msgspec.Struct, rename={"vertex_set": "vertexSet"}):
    title: str
    sents: list[list[str]]
    vertex_set: list[list[_DocredMention]]


_DOCRED_FORM = Form(
    DOCRED,
    _DocredRecord,
    '{"title": "...", "sents": [["word", ...], ...], '
    '"vertexSet": [[{"sent_id": 0, "pos": [0, 1]}, ...], ...]}',
    identifier="'title'",
)


def read_docred(data: bytes, options: ReadOptions) -> Corpus:
    """Read documents of DocRED or Re-DocRED."""

    def documents(record: _DocredRecord) -> Iterator[JsonDocument]:
        clusters = [
            [(mention.sent_id, *mention.pos) for mention in mentions]
            for mentions in record.vertex_set
        ]
        entities = entities_of(clusters, "vertexSet")
        name = DocumentName.plain(record.title)
        yield JsonDocument(name, entities, record.sents, is_end_included=False)

    return read_documents(data, options, _DOCRED_FORM, documents)


class _DwieMention(msgspec.Struct):
    begin: int
    end: int
    concept: int | str
    text: str | None = None


class _DwieRecord(msgspec.Struct):
    id: str | int
    mentions: list[_DwieMention]
    content: str | None = None


_DWIE_FORM = Form(
    DWIE,
    _DwieRecord,
    '{"id": "...", "content": "...", "mentions": [{"begin": 0, "end": 3, '
    '"concept": 0}, ...]}',
    has_labels=True,
    identifier="'id'",
)


def read_dwie(data: bytes, options: ReadOptions) -> Corpus:
    """Read documents of DWIE, or predictions of its model."""

    def documents(record: _DwieRecord) -> Iterator[JsonDocument]:
        if record.content is None:
            problem = "this document has no 'content'"
            hint = "Run src/dwie_download.py of DWIE, which adds the texts."
            raise DocumentError("", problem, hint)
        mentions: dict[str, list[int]] = {}
        for row, mention in enumerate(record.mentions):
            mentions.setdefault(str(mention.concept), []).append(row)
        entities = [
            JsonEntity(
                label,
                [
                    (record.mentions[row].begin, record.mentions[row].end)
                    for row in rows
                ],
                "",
                [record.mentions[row].text for row in rows],
                [f"mentions[{row}]" for row in rows],
            )
            for label, rows in mentions.items()
        ]
        name = DocumentName.plain(str(record.id))
        yield JsonDocument(name, entities, text=record.content, is_end_included=False)

    return read_documents(data, options, _DWIE_FORM, documents)
