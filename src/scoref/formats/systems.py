"""Readers of the JSON of seven systems and corpora, and of the scorer scorch.

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

scorch has entities of arbitrary values. Equal values are the same mention. There is no
text, so both sides must be in this format. Each file is a document, named by ``name``
or by the file.

    {"name": "d-000", "type": "clusters", "clusters": {"a": ["0.0-0", "1.0-0"]}}
    {"type": "graph", "mentions": [1, 2, 3], "links": [[1, 2]]}
"""

from __future__ import annotations

import hashlib
import itertools
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import msgspec

from scoref.errors import FormatError
from scoref.formats.builder import Groups
from scoref.formats.catalogue import (
    ALLENNLP,
    CORENLP,
    FASTCOREF,
    MAVERICK,
    PRECO,
    RUCOCO,
    SCORCH,
    SPACY,
    XCORE,
)
from scoref.formats.conll2012 import document_name
from scoref.formats.json_documents import (
    Form,
    JsonCollector,
    NamedRecord,
    name_without_endings,
    read_documents,
)
from scoref.formats.json_spans import (
    DocumentError,
    JsonDocument,
    JsonEntity,
    entities_of,
)
from scoref.model import DocumentName, Note
from scoref.notes import WARNING
from scoref.printable import counted
from scoref.rules import MISSING_CLUSTERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.formats.catalogue import ReadOptions
    from scoref.model import Corpus


class _AllenNlpRecord(NamedRecord, kw_only=True):
    document: list[str]
    clusters: list[list[tuple[int, int]]]


_ALLENNLP_FORM = Form(
    ALLENNLP,
    _AllenNlpRecord,
    '{"document": ["word", ...], "clusters": [[[0, 0], ...], ...]}',
)


def read_allennlp(data: bytes, options: ReadOptions) -> Corpus:
    """Read the output of AllenNLP."""

    def documents(record: _AllenNlpRecord) -> Iterator[JsonDocument]:
        entities = entities_of(record.clusters, "clusters")
        yield JsonDocument(record.document_name(), entities, [record.document])

    return read_documents(data, options, _ALLENNLP_FORM, documents)


class _FastcorefRecord(NamedRecord, kw_only=True):
    text: str | list[str]
    clusters: list[list[tuple[int, int] | None]]
    clusters_strings: list[list[str | list[str] | None]] | None = None


_FASTCOREF_FORM = Form(
    FASTCOREF,
    _FastcorefRecord,
    '{"text": "...", "clusters": [[[start, end], ...], ...]}',
)


def read_fastcoref(data: bytes, options: ReadOptions) -> Corpus:
    """Read the output of fastcoref."""

    def documents(record: _FastcorefRecord) -> Iterator[JsonDocument]:
        texts = [
            [" ".join(text) if isinstance(text, list) else text for text in cluster]
            for cluster in record.clusters_strings or []
        ]
        entities = entities_of(record.clusters, "clusters", texts)
        name, text = record.document_name(), record.text
        if isinstance(text, str):
            yield JsonDocument(name, entities, text=text, is_end_included=False)
        else:
            yield JsonDocument(name, entities, [text], is_end_included=False)

    return read_documents(data, options, _FASTCOREF_FORM, documents)


class _MaverickRecord(NamedRecord, kw_only=True):
    tokens: list[object]
    clusters_token_offsets: list[list[tuple[int, int]]]
    clusters_token_text: list[list[str]] | None = None


_MAVERICK_FORM = Form(
    MAVERICK,
    _MaverickRecord,
    '{"tokens": ["word", ...], "clusters_token_offsets": [[[0, 0], ...], ...]}',
)


def read_maverick(data: bytes, options: ReadOptions) -> Corpus:
    """Read the output of Maverick, or of xCoRe for single documents."""

    def documents(record: _MaverickRecord) -> Iterator[JsonDocument]:
        clusters, texts = record.clusters_token_offsets, record.clusters_token_text
        entities = entities_of(clusters, "clusters_token_offsets", texts)
        words = list(_words(record.tokens, "tokens"))
        yield JsonDocument(record.document_name(), entities, [words])

    return read_documents(data, options, _MAVERICK_FORM, documents)


class _XcoreRecord(NamedRecord, kw_only=True):
    tokens: list[object]
    clusters_token_offsets: list[list[tuple[int, int, int]]]
    clusters_token_text: list[list[str]] | None = None


_XCORE_FORM = Form(
    XCORE,
    _XcoreRecord,
    '{"tokens": [[["word", ...]], ...], "clusters_token_offsets": [[[0, 0, 0], ...]]}',
    has_labels=True,
)


def read_xcore(data: bytes, options: ReadOptions) -> Corpus:
    """Read the output of xCoRe across documents."""
    numbers = itertools.count()

    def documents(record: _XcoreRecord) -> Iterator[JsonDocument]:
        for words, entities in _split_by_document(record):
            name = DocumentName.numbered(next(numbers))
            yield JsonDocument(name, entities, [words])

    return read_documents(data, options, _XCORE_FORM, documents)


def _split_by_document(
    record: _XcoreRecord,
) -> Iterator[tuple[list[str], list[JsonEntity]]]:
    """Yield the words and the entities of each document; entities keep their labels."""
    parts: list[list[JsonEntity]] = [[] for _ in record.tokens]
    clusters, texts = record.clusters_token_offsets, record.clusters_token_text
    for entity in entities_of(clusters, "clusters_token_offsets", texts):
        spans = [span for span in entity.spans if span]
        for number in sorted({span[0] for span in spans}):
            if not 0 <= number < len(parts):
                problem = f"there is no document {number}; this file has {len(parts)}"
                hint = "Documents are counted from 0."
                raise DocumentError(entity.path, problem, hint)
            rows = [row for row, span in enumerate(spans) if span[0] == number]
            part = JsonEntity(
                entity.label,
                [spans[row][1:] for row in rows],
                "",
                None if entity.texts is None else [entity.texts[row] for row in rows],
                [entity.place(row) for row in rows],
            )
            parts[number].append(part)
    for row, (tokens, entities) in enumerate(zip(record.tokens, parts, strict=True)):
        yield list(_words([tokens], f"tokens[{row}]")), entities


def _words(tokens: list[object], path: str) -> Iterator[str]:
    """Yield the words of nested lists."""
    for number, token in enumerate(tokens):
        if isinstance(token, str):
            yield token
        elif isinstance(token, list):
            yield from _words(token, f"{path}[{number}]")
        else:
            problem = f"expected a word, found {type(token).__name__}"
            raise DocumentError(f"{path}[{number}]", problem)


class _PreCoRecord(NamedRecord, kw_only=True):
    sentences: list[list[str]]
    mention_clusters: list[list[tuple[int, int, int]]]


_PRECO_FORM = Form(
    PRECO,
    _PreCoRecord,
    '{"id": "...", "sentences": [["word", ...]], "mention_clusters": [[[0, 0, 1]]]}',
)


def read_preco(data: bytes, options: ReadOptions) -> Corpus:
    """Read PreCo."""

    def documents(record: _PreCoRecord) -> Iterator[JsonDocument]:
        yield JsonDocument(
            record.document_name(),
            entities_of(record.mention_clusters, "mention_clusters"),
            record.sentences,
            is_end_included=False,
        )

    return read_documents(data, options, _PRECO_FORM, documents)


class _RuCoCoRecord(NamedRecord, kw_only=True):
    text: str
    entities: list[list[tuple[int, int]]]
    includes: list[list[int]] = msgspec.field(default_factory=list)


_PLURALS = "plurals"

_RUCOCO_FORM = Form(
    RUCOCO,
    _RuCoCoRecord,
    '{"entities": [[[start, end], ...], ...], "includes": [[], ...], "text": "..."}',
    {
        _PLURALS: (
            "entity includes others, which is not scored",
            "entities include others, which is not scored",
        )
    },
    is_named_by_file=True,
)


def read_rucoco(data: bytes, options: ReadOptions) -> Corpus:
    """Read a document of RuCoCo."""

    def documents(record: _RuCoCoRecord) -> Iterator[JsonDocument]:
        yield JsonDocument(
            record.document_name(),
            entities_of(record.entities, "entities"),
            text=record.text,
            is_end_included=False,
            counts={_PLURALS: sum(map(bool, record.includes))},
        )

    return read_documents(data, options, _RUCOCO_FORM, documents)


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

_GROUP = re.compile(r"coref_clusters_(\d+)")


def read_spacy(data: bytes, options: ReadOptions) -> Corpus:
    """Read the output of spaCy.

    A note says that all mentions are single words, because spaCy writes only heads if
    the pipeline has no span resolver.
    """

    def documents(record: _SpacyRecord) -> Iterator[JsonDocument]:
        entities = []
        for name, group in record.spans.items():
            if number := _GROUP.fullmatch(name):
                spans = [(span.start, span.end) for span in group]
                entities.append(JsonEntity(number[1], spans, f"spans.{name}"))
        borders = {
            place for token in record.tokens for place in (token.start, token.end)
        }
        yield JsonDocument(
            record.document_name(),
            entities,
            text=record.text,
            is_end_included=False,
            borders=[place for place in borders if 0 <= place <= len(record.text)],
        )

    corpus = read_documents(data, options, _SPACY_FORM, documents)
    count = len(corpus.mention_entity)
    if not count or (corpus.mention_start != corpus.mention_end).any():
        return corpus
    message = (
        f"{WARNING}{counted(count, 'mention is', 'mentions are')} single words in "
        f"{options.source}. spaCy writes only heads if the pipeline has no span "
        "resolver. Mentions of several words then do not match."
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


def read_corenlp(data: bytes, options: ReadOptions) -> Corpus:
    """Read the output of CoreNLP."""
    return read_documents(data, options, _CORENLP_FORM, _corenlp_documents)


def _corenlp_documents(record: _CoreNlpRecord) -> Iterator[JsonDocument]:
    if record.corefs is None:
        problem = "this file has no coreference"
        hint = "Run CoreNLP with the annotator coref: -annotators ...,coref."
        raise DocumentError("", problem, hint)
    entities = []
    for label, mentions in record.corefs.items():
        spans = [
            (mention.sentNum - 1, mention.startIndex - 1, mention.endIndex - 1)
            for mention in mentions
        ]
        texts = [mention.text for mention in mentions]
        entities.append(JsonEntity(label, spans, f"corefs.{label}", texts))
    name = record.docId
    aliases = (name_without_endings(name), name) if name else ()
    sentences = [sentence.tokens for sentence in record.sentences]
    yield JsonDocument(
        DocumentName(name, aliases) if name else None,
        entities,
        [
            [token.originalText or token.word for token in tokens]
            for tokens in sentences
        ],
        is_end_included=False,
        spelt=[[token.word for token in tokens] for tokens in sentences],
    )


class _ScorchRecord(msgspec.Struct):
    type: Literal["clusters", "graph"] = "clusters"
    clusters: dict[str, list[object]] | None = None
    mentions: list[object] = msgspec.field(default_factory=list)
    links: list[tuple[object, object]] = msgspec.field(default_factory=list)
    name: str | int | None = None


_SCORCH_FORM = Form(
    SCORCH,
    _ScorchRecord,
    '{"type": "clusters", "clusters": {"id": [mention, ...], ...}}',
    has_labels=True,
    objects=("clusters",),
)

_PART = re.compile(r"(.+)-(\d{3,})")


def read_scorch(data: bytes, options: ReadOptions) -> Corpus:
    """Read the entities of scorch; a mention is a pair of equal numbers."""
    collector = JsonCollector(options.source, _SCORCH_FORM, lenient=options.lenient)
    builder = collector.builder
    file_name = options.document or name_without_endings(options.source)
    for number, (record, value) in enumerate(collector.records(data), start=1):
        name = DocumentName.numbered(number)
        if record.name is not None:
            name = _scorch_name(str(record.name or file_name))
        document = builder.add_document(name, line=value.line)
        entities = _scorch_entities(record, options.source, value.line)
        for label, mentions in entities.items():
            entity = builder.add_entity(label, document)
            for mention in mentions:
                builder.mentions.extend(
                    (entity, *_mention_numbers(mention), value.line)
                )
    collector.refuse_no_document()
    if len(builder.documents) == 1 and not builder.documents[0].aliases:
        builder.documents[0] = _scorch_name(file_name)
    return builder.build(collector.faults.notes(), has_tokens=False)


def _scorch_name(name: str) -> DocumentName:
    """Return the name, with those of CoNLL-2012 as aliases if it ends in a part."""
    part = _PART.fullmatch(name)
    if part is None:
        return DocumentName.plain(name)
    aliases = document_name(f"({part[1]}); part {part[2]}").aliases
    return DocumentName(name, (name, *aliases))


def _scorch_entities(
    record: _ScorchRecord, source: str, line: int
) -> dict[str, list[object]]:
    """Return entities by their ids; those of a graph are its connected components."""
    if record.type == "graph":
        ends = [mention for link in record.links for mention in link]
        mentions = {_json(mention): mention for mention in [*record.mentions, *ends]}
        groups = Groups(mentions)
        for one, other in record.links:
            groups.join(_json(one), _json(other))
        return {
            str(row): [mentions[key] for key in keys]
            for row, keys in enumerate(groups.lists())
        }
    if record.clusters is None:
        raise FormatError(
            "this document has no 'clusters'",
            rule=MISSING_CLUSTERS,
            source=source,
            line=line,
            hint=f"expected {_SCORCH_FORM.example}",
        )
    return record.clusters


_WORDS = re.compile(r"(\d{1,7})\.(\d{1,7})-(\d{1,7})", re.ASCII)

_SENTENCE = 1 << 24

_OTHER = 1 << 60


def _mention_numbers(mention: object) -> tuple[int, int]:
    """Return two numbers, the same for equal values.

    Values that scorch makes from CoNLL-2012 (sentence, first and last word) keep their
    order.
    """
    if isinstance(mention, str) and (words := _WORDS.fullmatch(mention)):
        sentence, first, last = map(int, words.groups())
        return sentence * _SENTENCE + first, sentence * _SENTENCE + last
    digest = hashlib.blake2b(_json(mention).encode(), digest_size=7).digest()
    number = _OTHER + int.from_bytes(digest)
    return number, number


def _json(mention: object) -> str:
    """Return a value as JSON, the same for 1 and 1.0."""
    if isinstance(mention, float) and mention.is_integer():
        mention = int(mention)
    return msgspec.json.encode(mention, order="deterministic").decode()
