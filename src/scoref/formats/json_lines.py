"""Reader and writer of the JSON lines of neural systems.

    {"doc_key": "bc/cctv_0", "clusters": [[[0, 2], [7, 7]]], "sentences": [...]}

Each document is an object; objects may also be in an array or span several lines. A
mention is ``[start, end]``: token offsets in the document, both part of the mention.
The key is ``clusters``. The response is ``predicted_clusters`` if any document of the
file has this field, and ``clusters`` otherwise. One file can therefore hold both sides,
or two files one side each. ``sentences``, ``tokens`` or a ``document`` of words give
the length of a document, if present. If a document has a ``subtoken_map``, its offsets
count word pieces, and mentions are mapped to words; see `word_pieces`.

Clusters may be an object from labels to mentions. Alternatively, ``cluster_ids`` (for
the response ``predicted_cluster_ids``) is a list of the labels of the clusters. Labels
hold across documents. ``topic`` and ``subtopic``, or ``topic_id`` and ``subtopic_id``,
name the topic of a document. Other fields are ignored.

The writer keeps the order of entities and mentions, and cannot write gaps. It writes
labels as ``cluster_ids`` on request, and leaves out ``sentences`` if the corpus has no
words.
"""

from __future__ import annotations

from itertools import chain, pairwise
from typing import TYPE_CHECKING, Literal

import msgspec
import numpy as np

from scoref.errors import Blamed, FormatError
from scoref.formats.catalogue import JSON_LINES
from scoref.formats.input_files import shown
from scoref.formats.json_documents import Form, JsonCollector, field_names, has_field
from scoref.formats.tokens import text_to_write
from scoref.formats.word_column import checksum_of
from scoref.formats.word_pieces import PiecesError, WordRecord
from scoref.model import DocumentName
from scoref.rules import IMPOSSIBLE_SPAN, MISSING_CLUSTERS, NOT_JSON
from scoref.topics import Topic

if TYPE_CHECKING:
    from scoref.formats.json_documents import JsonValue
    from scoref.model import Corpus, Ints
    from scoref.rules import Rule

Role = Literal["key", "response"]
Field = Literal["clusters", "predicted_clusters"]

_Cluster = list[tuple[int, int]]
_Clusters = list[_Cluster] | dict[str, _Cluster]


class _Record(WordRecord, kw_only=True):
    """The fields of a document that are needed for scoring."""

    doc_key: str | int
    clusters: _Clusters | msgspec.UnsetType | None = msgspec.UNSET
    predicted_clusters: _Clusters | msgspec.UnsetType | None = msgspec.UNSET
    # These names are common, so other files may use them for values of any type.
    cluster_ids: object = None
    predicted_cluster_ids: object = None
    topic: object = None
    topic_id: object = None
    subtopic: object = None
    subtopic_id: object = None

    def side(self, field: Field) -> _Clusters | msgspec.UnsetType | None:
        return self.clusters if field == "clusters" else self.predicted_clusters

    def labels(self, field: Field) -> list[str]:
        """Return the labels of the clusters, or nothing if they have none."""
        is_key = field == "clusters"
        labels = self.cluster_ids if is_key else self.predicted_cluster_ids
        return list(map(_name, labels)) if isinstance(labels, list) else []

    def document_topic(self) -> Topic | None:
        topic = _name(self.topic) or _name(self.topic_id)
        subtopic = _name(self.subtopic) or _name(self.subtopic_id)
        name = topic or subtopic
        return Topic(name, subtopic or None) if name else None


def _name(value: object) -> str:
    return str(value) if isinstance(value, str | int) else ""


_FORM = Form(
    JSON_LINES,
    _Record,
    '{"doc_key": "...", "clusters": [[[start, end], ...], ...]}',
    has_labels=True,
    identifier="'doc_key'",
)


def read(
    data: bytes,
    *,
    source: str,
    role: Role,
    lenient: bool = False,
    is_shared: bool = False,
) -> Corpus:
    """Read the key or the response of a file; ``is_shared``: the file holds both."""
    field: Field = "clusters"
    if role == "response" and (
        is_shared
        or has_field(data, "predicted_clusters")
        or not has_field(data, "clusters")
    ):
        field = "predicted_clusters"
    collector = _Collector(source, _FORM, lenient=lenient)
    for record, value in collector.records(data):
        collector.add(record, value.line, field)
    collector.refuse_no_document('a line {"doc_key": ..., "clusters": ...} for each')
    if collector.have_all_tokens:
        collector.builder.document_checksum = collector.checksums
    return collector.builder.build(
        collector.faults.notes(), has_tokens=collector.have_all_tokens
    )


_MOST_TOKENS = 2**53


class _Collector(JsonCollector[_Record]):
    """Collects documents whose mentions are token offsets, with or without words."""

    def __init__(self, source: str, form: Form[_Record], *, lenient: bool) -> None:
        super().__init__(source, form, lenient=lenient)
        self.have_all_tokens = True
        self.checksums: list[int] = []

    def add(self, record: _Record, line: int, field: Field) -> None:
        """Add a document, unless there is one of the same name."""
        name, builder = str(record.doc_key), self.builder
        if self.is_repeated(name, line):
            return
        word_of = self._piece_words(record, line)
        length = record.length()
        self.have_all_tokens &= length is not None
        document = builder.add_document(
            DocumentName.plain(name), line=line, tokens=length or 0
        )
        self.checksums.append(checksum_of(chain(*record.words() or ())))
        clusters = record.side(field)
        if not isinstance(clusters, list | dict):
            problem = f"document '{name}' has no '{field}'"
            if clusters is None:
                problem = f"'{field}' of document '{name}' is null"
            hint = "Use an empty list for no entities."
            blamed = Blamed("document", name)
            error = self._error(MISSING_CLUSTERS, problem, line, hint, blamed)
            self.faults.report("documents-without-clusters", error)
            clusters = []
        if topic := record.document_topic():
            builder.topics[document] = topic
        if isinstance(clusters, list):
            labels = record.labels(field)
            if len({*labels} - {""}) != len(clusters):
                builder.has_labels = False
                labels = list(map(str, range(len(clusters))))
            clusters = dict(zip(labels, clusters, strict=True))
        for label, mentions in clusters.items():
            entity = builder.add_entity(label, document)
            if word_of is None:
                self._add_mentions(entity, mentions, length, line)
            else:
                self._add_pieces(entity, mentions, word_of, line)

    def _add_mentions(
        self, entity: int, mentions: _Cluster, length: int | None, line: int
    ) -> None:
        most = _MOST_TOKENS if length is None else length
        size = "" if length is None else f" of {length} tokens"
        for start, end in mentions:
            if 0 <= start <= end < most:
                self.builder.mentions.extend((entity, start, end, line))
            else:
                self._refuse_mention(start, end, size, line)

    def _add_pieces(
        self, entity: int, mentions: _Cluster, word_of: list[int], line: int
    ) -> None:
        """Add mentions that count word pieces; fast-coref's speakers are not words."""
        for start, end in mentions:
            is_inside = 0 <= start <= end < len(word_of)
            if is_inside and word_of[start] >= 0 and word_of[end] >= 0:
                words = word_of[start], word_of[end]
                self.builder.mentions.extend((entity, *words, line))
            else:
                size = f" of {len(word_of)} word pieces"
                self._refuse_mention(start, end, size, line)

    def _piece_words(self, record: _Record, line: int) -> list[int] | None:
        """Return the words of pieces, if the offsets of a document count pieces."""
        try:
            return record.piece_words()
        except PiecesError as error:
            raise self._error(
                IMPOSSIBLE_SPAN,
                f"document '{record.doc_key}': {error}",
                line,
                "'subtoken_map' must have the word of each piece in 'sentences', "
                "counted from 0. Remove it if the offsets count words.",
                Blamed("document", str(record.doc_key)),
            ) from error

    def fields_with_objects(self, record: _Record) -> list[str]:
        """Return the fields that map labels to mentions; lists hold no objects."""
        sides: tuple[Field, Field] = ("clusters", "predicted_clusters")
        return [name for name in sides if isinstance(record.side(name), dict)]

    def decoding_error(self, error: Exception, value: JsonValue) -> FormatError:
        """Say what is wrong; an object without ``doc_key`` may be another format."""
        line = bytes(value.data)
        fields = "" if b'"doc_key"' in line else field_names(line)
        return FormatError(
            f"this is not a document in JSON: {value.message(error)}",
            rule=NOT_JSON,
            source=self.builder.source,
            line=value.line,
            text=shown(line),
            hint=f"Expected {self.form.example}."
            + (f" Found the fields {fields}." if fields else ""),
        )

    def _refuse_mention(self, start: int, end: int, size: str, line: int) -> None:
        problem = f"[{start}, {end}] is not a mention in a document{size}"
        hint = "Offsets are counted from 0. The last token is part of the mention."
        blamed = Blamed("offsets", f"{start},{end}")
        error = self._error(IMPOSSIBLE_SPAN, problem, line, hint, blamed)
        self.faults.report("unreadable-mentions", error)

    def _error(
        self, rule: Rule, problem: str, line: int, hint: str, blamed: Blamed
    ) -> FormatError:
        return FormatError(
            problem,
            rule=rule,
            source=self.builder.source,
            line=line,
            blamed=blamed,
            hint=hint,
        )


def write(corpus: Corpus, *, labelled: bool = False) -> bytes:
    """Write a corpus, with its words if it was read with its tokens.

    ``labelled`` adds the labels of entities.

    Raises:
        FormatError: a mention has a gap, or there are empty nodes.
    """
    sentences = None if corpus.tokens is None else _sentences(corpus)
    clusters: list[list[_Cluster]] = [[] for _ in corpus.documents]
    labels: list[list[str]] = [[] for _ in corpus.documents]
    entities: list[_Cluster] = [[] for _ in corpus.entity_label]
    documents = corpus.entity_document.tolist()
    for row, (document, label) in enumerate(
        zip(documents, corpus.entity_label, strict=True)
    ):
        clusters[document].append(entities[row])
        labels[document].append(label)
    start, end = _spans(corpus)
    columns = corpus.mention_entity.tolist(), start.tolist(), end.tolist()
    for entity, first, last in zip(*columns, strict=True):
        entities[entity].append((first, last))
    encode = msgspec.json.Encoder().encode
    lines = []
    for row, name in enumerate(corpus.documents):
        record: dict[str, object] = {"doc_key": name.short}
        if sentences is not None:
            record["sentences"] = sentences[row]
        record["clusters"] = clusters[row]
        if labelled:
            record["cluster_ids"] = labels[row]
        lines.append(encode(record))
    return b"".join(line + b"\n" for line in lines)


def _sentences(corpus: Corpus) -> list[list[list[str]]]:
    """Return the words of each document, by sentence."""
    tokens, words, _ = text_to_write(corpus)
    is_start = tokens.is_start
    sentences = []
    for first, last in pairwise(tokens.first.tolist()):
        starts = np.flatnonzero(is_start[first:last]) + first
        bounds = pairwise([*starts.tolist(), last])
        sentences.append([words[start:end] for start, end in bounds])
    return sentences


def _spans(corpus: Corpus) -> tuple[Ints, Ints]:
    """Return the first and the last token of each mention, counted by document."""
    if corpus.tokens is None and corpus.words is None:
        return corpus.mention_start, corpus.mention_end
    if corpus.tokens is None:
        raise FormatError(
            "this corpus has no tokens, but its mentions consist of words",
            source=corpus.source,
            hint="Read the corpus with its tokens.",
        )
    tokens, _, (start, row) = text_to_write(corpus)
    first, last = row[start[:-1]], row[start[1:] - 1]
    gaps = np.flatnonzero(last - first + 1 != np.diff(start))
    if len(gaps):
        raise FormatError(
            "cannot write a mention with a gap",
            source=corpus.source,
            line=int(corpus.mention_line[gaps[0]]) or None,
            hint="`scoref convert --lossy` leaves out what JSON lines cannot "
            "represent, and reports it.",
        )
    offset = tokens.first[corpus.mention_document]
    return first - offset, last - offset
