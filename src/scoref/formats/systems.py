"""Readers of the JSON of seven systems and corpora.

AllenNLP, one document per line, from ``allennlp predict --output-file``. The last word
is part of a mention. Words are spaCy's, including blank ones. There are no names and no
singletons.

    {"document": ["Mia", "slept", ".", "She", "dreamt", "."],
     "clusters": [[[0, 0], [3, 3]]], "top_spans": [[0, 0], [3, 3]]}

fastcoref, one document per line, from ``predict(output_file=…)``. Offsets count
characters, and the end is the character after the mention. If fastcoref is called with
words, ``text`` holds the words and offsets count these. A mention may be null if the
model took one of its own marks for a word. There are no names and no singletons.

    {"text": "Mia slept. She dreamt.", "clusters": [[[0, 3], [11, 14]]],
     "clusters_strings": [["Mia", "She"]]}

Maverick and xCoRe. The last word is part of a mention. ``clusters_char_offsets`` are
ignored, because they assume one blank between sentences. Mentions of xCoRe across
documents start with the number of the document, and ``tokens`` has the words of each
document. An entity in several documents has the same label in each. There are no names.

    {"tokens": ["Mia", "slept", ".", "She", "dreamt", "."],
     "clusters_token_offsets": [[[0, 0], [3, 3]]]}
    {"tokens": [[["Mia", "slept"]], [["She", "woke"]]],
     "clusters_token_offsets": [[[0, 0, 0], [1, 0, 0]]]}

PreCo. A mention is its sentence, its first word and the word after its last. Paragraphs
begin with a sentence that is a blank, which counts as a sentence and has no text.

    {"id": "d1", "sentences": [["Mia", "slept", "."], [" "], ["She", "dreamt"]],
     "mention_clusters": [[[0, 0, 1], [2, 0, 1]]]}

RuCoCo, one document per file, named by the file. Offsets count characters, and the end
is the character after the mention. ``includes`` lists the entities that are part of
each entity: split antecedents, which are not scored.

    {"text": "Миа спала.", "entities": [[[0, 3]]], "includes": [[]]}

spaCy, from ``Doc.to_json()``. Offsets count characters, and the end is the character
after the mention. The groups ``coref_clusters_1``, ``coref_clusters_2`` and so on are
entities; ``coref_head_clusters_1`` has the heads of the same entities and is not read.
There are no names.

    {"text": "Mia slept", "tokens": [{"id": 0, "start": 0, "end": 3}, ...],
     "spans": {"coref_clusters_1": [{"start": 0, "end": 3, "label": "", "kb_id": ""}]}}

CoreNLP, one document per file, named by ``docId`` or by the file; answers of a server
may also be lines or an array. Sentences and tokens are counted from 1, and the end is
the token after the mention. Words are those of the text, because ``word`` may be
``-LRB-``.

    {"docId": "d.txt",
     "sentences": [{"tokens": [{"word": "Mia", "originalText": "Mia"}]}],
     "corefs": {"1": [{"sentNum": 1, "startIndex": 1, "endIndex": 2, "text": "Mia"}]}}
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

import msgspec

from scoref.formats.catalogue import (
    ALLENNLP,
    CORENLP,
    FASTCOREF,
    MAVERICK,
    PRECO,
    RUCOCO,
    SPACY,
    XCORE,
)
from scoref.formats.json_documents import (
    Form,
    NamedRecord,
    file_document,
    read_documents,
)
from scoref.formats.json_spans import JsonDocument, JsonEntity, Misplaced, numbered
from scoref.model import DocumentName, Note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.formats.catalogue import ReadOptions
    from scoref.model import Corpus

    Texts = list[list[str]] | None


class _AllenNlpRecord(NamedRecord, kw_only=True):
    document: list[str]
    clusters: list[list[tuple[int, int]]]


_ALLENNLP_FORM = Form(
    ALLENNLP,
    _AllenNlpRecord,
    '{"document": ["word", ...], "clusters": [[[0, 0], ...], ...]}',
)


def read_allennlp(data: bytes, asked: ReadOptions) -> Corpus:
    """Read what AllenNLP wrote."""
    return read_documents(data, asked, _ALLENNLP_FORM, _allennlp_documents)


def _allennlp_documents(record: _AllenNlpRecord) -> Iterator[JsonDocument]:
    entities = numbered(record.clusters, "clusters")
    yield JsonDocument(record.called(), entities, [record.document])


class _FastcorefRecord(NamedRecord, kw_only=True):
    text: str | list[str]
    clusters: list[list[tuple[int, int] | None]]
    clusters_strings: list[list[str | list[str] | None]] | None = None


_FASTCOREF_FORM = Form(
    FASTCOREF,
    _FastcorefRecord,
    '{"text": "...", "clusters": [[[start, end], ...], ...]}',
)


def read_fastcoref(data: bytes, asked: ReadOptions) -> Corpus:
    """Read what fastcoref wrote."""
    return read_documents(data, asked, _FASTCOREF_FORM, _fastcoref_documents)


def _fastcoref_documents(record: _FastcorefRecord) -> Iterator[JsonDocument]:
    said = [[_said(each) for each in texts] for texts in record.clusters_strings or []]
    entities = numbered(record.clusters, "clusters", said)
    name, text = record.called(), record.text
    if isinstance(text, str):
        yield JsonDocument(name, entities, text=text, is_end_included=False)
    else:
        yield JsonDocument(name, entities, [text], is_end_included=False)


def _said(text: str | list[str] | None) -> str | None:
    return " ".join(text) if isinstance(text, list) else text


class _MaverickRecord(NamedRecord, kw_only=True):
    tokens: list[object]
    clusters_token_offsets: list[list[tuple[int, int]]]
    clusters_token_text: list[list[str]] | None = None


class _Across(NamedRecord, kw_only=True):
    tokens: list[object]
    clusters_token_offsets: list[list[tuple[int, int, int]]]
    clusters_token_text: list[list[str]] | None = None


_MAVERICK_FORM = Form(
    MAVERICK,
    _MaverickRecord,
    '{"tokens": ["word", ...], "clusters_token_offsets": [[[0, 0], ...], ...]}',
)

_ACROSS = Form(
    XCORE,
    _Across,
    '{"tokens": [[["word", ...]], ...], "clusters_token_offsets": [[[0, 0, 0], ...]]}',
    has_labels=True,
)


def read_maverick(data: bytes, asked: ReadOptions) -> Corpus:
    """Read what Maverick wrote, or xCoRe of single documents."""
    return read_documents(data, asked, _MAVERICK_FORM, _maverick_documents)


def read_across(data: bytes, asked: ReadOptions) -> Corpus:
    """Read what xCoRe wrote across documents."""
    numbers = iter(range(2**62))
    return read_documents(data, asked, _ACROSS, lambda each: _across(each, numbers))


def _maverick_documents(record: _MaverickRecord) -> Iterator[JsonDocument]:
    path, said = "clusters_token_offsets", record.clusters_token_text
    entities = numbered(record.clusters_token_offsets, path, said)
    yield JsonDocument(
        record.called(), entities, [list(_words(record.tokens, "tokens"))]
    )


def _across(record: _Across, numbers: Iterator[int]) -> Iterator[JsonDocument]:
    """Give each document its share of the clusters, which keep their numbers."""
    shares: list[list[JsonEntity]] = [[] for _ in record.tokens]
    path, said = "clusters_token_offsets", record.clusters_token_text
    for entity in numbered(record.clusters_token_offsets, path, said):
        for number in sorted({span[0] for span in entity.spans if span}):
            if not 0 <= number < len(shares):
                problem = f"there is no document {number} among {len(shares)}"
                raise Misplaced(entity.path, problem, "documents are counted from 0")
            shares[number].append(_share(entity, number))
    for row, (words, entities) in enumerate(zip(record.tokens, shares, strict=True)):
        found = list(_words([words], f"tokens[{row}]"))
        name = DocumentName.numbered(next(numbers))
        yield JsonDocument(name, entities, [found])


def _share(entity: JsonEntity, number: int) -> JsonEntity:
    rows = [row for row, span in enumerate(entity.spans) if span and span[0] == number]
    spans = [span[1:] for span in entity.spans if span and span[0] == number]
    said = None if entity.said is None else [entity.said[row] for row in rows]
    return JsonEntity(
        entity.label, spans, "", said, [entity.place(row) for row in rows]
    )


def _words(tokens: list[object], path: str) -> Iterator[str]:
    """Give words, however many lists they are in."""
    for number, each in enumerate(tokens):
        if isinstance(each, str):
            yield each
        elif isinstance(each, list):
            yield from _words(each, f"{path}[{number}]")
        else:
            problem = f"expected a word, found {type(each).__name__}"
            raise Misplaced(f"{path}[{number}]", problem)


class _PreCoRecord(NamedRecord, kw_only=True):
    sentences: list[list[str]]
    mention_clusters: list[list[tuple[int, int, int]]]


_PRECO_FORM = Form(
    PRECO,
    _PreCoRecord,
    '{"id": "...", "sentences": [["word", ...]], "mention_clusters": [[[0, 0, 1]]]}',
)


def read_preco(data: bytes, asked: ReadOptions) -> Corpus:
    """Read PreCo."""
    return read_documents(data, asked, _PRECO_FORM, _preco_documents)


def _preco_documents(record: _PreCoRecord) -> Iterator[JsonDocument]:
    yield JsonDocument(
        record.called(),
        numbered(record.mention_clusters, "mention_clusters"),
        record.sentences,
        is_end_included=False,
    )


_PLURALS = "plurals"


class _RuCoCoRecord(NamedRecord, kw_only=True):
    text: str
    entities: list[list[tuple[int, int]]]
    includes: list[list[int]] = msgspec.field(default_factory=list)


_RUCOCO_FORM = Form(
    RUCOCO,
    _RuCoCoRecord,
    '{"entities": [[[start, end], ...], ...], "includes": [[], ...], "text": "..."}',
    {_PLURALS: "entities that include others, which is not scored: {}"},
    is_named_by_file=True,
)


def read_rucoco(data: bytes, asked: ReadOptions) -> Corpus:
    """Read a document of RuCoCo."""
    return read_documents(data, asked, _RUCOCO_FORM, _rucoco_documents)


def _rucoco_documents(record: _RuCoCoRecord) -> Iterator[JsonDocument]:
    yield JsonDocument(
        record.called(),
        numbered(record.entities, "entities"),
        text=record.text,
        is_end_included=False,
        counts={_PLURALS: sum(map(bool, record.includes))},
    )


_GROUP = re.compile(r"coref_clusters_(\d+)")


class _Span(msgspec.Struct):
    start: int
    end: int


class _SpacyRecord(NamedRecord, kw_only=True):
    text: str
    spans: dict[str, list[_Span]] = msgspec.field(default_factory=dict)
    tokens: list[_Span] = msgspec.field(default_factory=list)


_SPACY_FORM = Form(
    SPACY,
    _SpacyRecord,
    '{"text": "...", "spans": {"coref_clusters_1": [{"start": 0, "end": 3}], ...}}',
    has_labels=True,
    objects=("spans",),
)


def read_spacy(data: bytes, asked: ReadOptions) -> Corpus:
    """Read what spaCy wrote."""
    corpus = read_documents(data, asked, _SPACY_FORM, _spacy_documents)
    return _noting_heads(corpus)


def _spacy_documents(record: _SpacyRecord) -> Iterator[JsonDocument]:
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


class _Token(msgspec.Struct):
    word: str = ""
    originalText: str = ""  # noqa: N815 - the name of the field


class _Sentence(msgspec.Struct):
    tokens: list[_Token]


class _Mention(msgspec.Struct):
    sentNum: int  # noqa: N815
    startIndex: int  # noqa: N815
    endIndex: int  # noqa: N815
    text: str | None = None


class _CoreNlpRecord(msgspec.Struct):
    sentences: list[_Sentence]
    corefs: dict[str, list[_Mention]] | None = None
    docId: str | None = None  # noqa: N815


_CORENLP_FORM = Form(
    CORENLP,
    _CoreNlpRecord,
    '{"sentences": [{"tokens": [...]}, ...], "corefs": {"1": [...], ...}}',
    is_named_by_file=True,
    has_labels=True,
    objects=("corefs",),
)


def read_corenlp(data: bytes, asked: ReadOptions) -> Corpus:
    """Read CoreNLP's output."""
    return read_documents(data, asked, _CORENLP_FORM, _corenlp_documents)


def _corenlp_documents(record: _CoreNlpRecord) -> Iterator[JsonDocument]:
    if record.corefs is None:
        raise Misplaced("", "there is no coreference in this file", _ANNOTATE)
    entities = [
        JsonEntity(
            label,
            [
                (each.sentNum - 1, each.startIndex - 1, each.endIndex - 1)
                for each in chain
            ],
            f"corefs.{label}",
            [each.text for each in chain],
        )
        for label, chain in record.corefs.items()
    ]
    tokens = [sentence.tokens for sentence in record.sentences]
    yield JsonDocument(
        _named(record.docId),
        entities,
        [[each.originalText or each.word for each in sentence] for sentence in tokens],
        is_end_included=False,
        spelt=[[each.word for each in sentence] for sentence in tokens],
    )


_ANNOTATE = "CoreNLP finds chains with the annotator coref: -annotators ...,coref"


def _named(name: str | None) -> DocumentName | None:
    if not name:
        return None
    return DocumentName(name, (file_document(name), name))
