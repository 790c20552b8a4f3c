"""Reader and writer of the JSON lines of neural systems, and reader of scorch's JSON.

    {"doc_key": "bc/cctv_0", "clusters": [[[0, 2], [7, 7]]], "sentences": [...]}

Each document is an object; objects may also be in an array or span several lines. A
mention is ``[start, end]``: token offsets in the document, both part of the mention.
The key is ``clusters``. The response is ``predicted_clusters`` if any document of the
file has this field, and ``clusters`` otherwise. One file can therefore hold both sides,
or two files one side each. ``sentences``, ``tokens`` or a ``document`` of words give
the length of a document, if present.

Clusters may be an object from labels to mentions. Alternatively, ``cluster_ids`` (for
the response ``predicted_cluster_ids``) is a list of the labels of the clusters. Labels
hold across documents. ``topic`` and ``subtopic``, or ``topic_id`` and ``subtopic_id``,
name the topic of a document. Other fields are ignored.

The writer keeps the order of entities and mentions, and cannot write gaps. It writes
labels as ``cluster_ids`` on request, and leaves out ``sentences`` if the corpus has no
words.

The JSON of scorch has entities of arbitrary values:

    {"name": "d-000", "type": "clusters", "clusters": {"a": ["0.0-0", "1.0-0"]}}
    {"type": "graph", "mentions": [1, 2, 3], "links": [[1, 2]]}

Equal values are the same mention. There is no text, so both sides must be in this
format. Each file is a document, named by ``name`` or by the file.
"""

from __future__ import annotations

import hashlib
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import msgspec
import numpy as np

from scoref.errors import Blamed, FormatError
from scoref.formats.builder import CorpusBuilder, Faults
from scoref.formats.catalogue import JSON_LINES, SCORCH
from scoref.formats.conll2012 import document_name
from scoref.formats.input_files import shown
from scoref.formats.json_documents import (
    UNDECODABLE,
    Form,
    field_names,
    fields_of,
    file_document,
    has_field,
    refuse_no_document,
    repeated_field,
    undecodable,
    values,
)
from scoref.formats.tokens import Groups, spelt
from scoref.model import DocumentName
from scoref.rules import (
    IMPOSSIBLE_SPAN,
    MISSING_CLUSTERS,
    NO_DOCUMENT,
    NOT_JSON,
    REPEATED_DOCUMENT,
)
from scoref.topics import Topic

if TYPE_CHECKING:
    from scoref.formats.catalogue import ReadOptions
    from scoref.formats.json_documents import Value
    from scoref.model import Corpus, Ints
    from scoref.rules import Rule

    Clusters = list[list[tuple[int, int]]]


Role = Literal["key", "response"]

Field = Literal["clusters", "predicted_clusters"]

_Cluster = list[tuple[int, int]]

_Clusters = list[_Cluster] | dict[str, _Cluster]


class _Record(msgspec.Struct):
    """A line, as far as scoring looks at it."""

    doc_key: str | int
    clusters: _Clusters | msgspec.UnsetType | None = msgspec.UNSET
    predicted_clusters: _Clusters | msgspec.UnsetType | None = msgspec.UNSET
    # What other files call by these names is none of our business.
    cluster_ids: object = None
    predicted_cluster_ids: object = None
    topic: object = None
    topic_id: object = None
    subtopic: object = None
    subtopic_id: object = None
    sentences: list[list[str]] | None = None
    tokens: list[str] | None = None
    document: list[str] | str | None = None

    def side(self, field: Field) -> _Clusters | msgspec.UnsetType | None:
        return self.clusters if field == "clusters" else self.predicted_clusters

    def labels(self, field: Field) -> list[str]:
        """List the labels of the clusters, or nothing if they have none."""
        is_key = field == "clusters"
        labels = self.cluster_ids if is_key else self.predicted_cluster_ids
        return [_name(label) for label in labels] if isinstance(labels, list) else []

    def where(self) -> Topic | None:
        topic = _name(self.topic) or _name(self.topic_id)
        subtopic = _name(self.subtopic) or _name(self.subtopic_id)
        named = topic or subtopic
        return Topic(named, subtopic or None) if named else None

    def length(self) -> int | None:
        if self.tokens is not None:
            return len(self.tokens)
        if self.sentences is not None:
            return sum(map(len, self.sentences))
        if isinstance(self.document, list):
            return len(self.document)
        return None


def _name(value: object) -> str:
    return str(value) if isinstance(value, str | int) else ""


_MOST = 2**53

_DECODER = msgspec.json.Decoder(_Record)


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
    if role == "response" and (is_shared or _has_response(data)):
        field = "predicted_clusters"
    reader = _Reader(source, field, lenient=lenient)
    for value in values(data, source):
        reader.read(value)
    return reader.done()


def _has_response(data: bytes) -> bool:
    """Tell whether any document has predictions, or none has any clusters at all."""
    return has_field(data, "predicted_clusters") or not has_field(data, "clusters")


def _found_instead(line: bytes) -> str:
    """Name the fields of an object that is no document: is it another format?"""
    if b'"doc_key"' in line:
        return ""
    fields = field_names(line)
    return f"; found the fields {fields}" if fields else ""


class _Reader:
    def __init__(self, source: str, field: Field, *, lenient: bool) -> None:
        self._builder = CorpusBuilder(source, JSON_LINES)
        self._field: Field = field
        self._faults = Faults(source, lenient=lenient)
        self._all_have_tokens = True
        self._first_line: dict[str, int] = {}

    def read(self, value: Value) -> None:
        record = self._decoded(value)
        self._check_fields(record, value)
        name, number = str(record.doc_key), value.line
        if name in self._first_line:
            problem = f"document '{name}' comes a second time "
            problem += f"(first in line {self._first_line[name]})"
            hint = "give every document of a file a 'doc_key' of its own"
            blamed = Blamed("document", name)
            error = self._error(REPEATED_DOCUMENT, problem, number, hint, blamed)
            self._faults.found("repeated-documents", error)
            return
        self._first_line[name] = number
        length = record.length()
        self._all_have_tokens &= length is not None
        document = self._builder.add_document(
            DocumentName.plain(name), line=number, tokens=length or 0
        )
        clusters = record.side(self._field)
        if not isinstance(clusters, list | dict):
            self._refuse_missing(name, number, is_null=clusters is None)
            clusters = []
        if topic := record.where():
            self._builder.topics[document] = topic
        named = self._named(clusters, record.labels(self._field))
        self._add(named, document, length, number)

    def done(self) -> Corpus:
        builder = self._builder
        if not builder.documents:
            raise FormatError(
                "there is no document in this file",
                rule=NO_DOCUMENT,
                source=builder.source,
                hint='expected a line {"doc_key": ..., "clusters": ...} for each',
            )
        return builder.build(self._faults.notes(), has_tokens=self._all_have_tokens)

    def _decoded(self, value: Value) -> _Record:
        try:
            return _DECODER.decode(value.data)
        except UNDECODABLE as error:
            line = bytes(value.data)
            raise FormatError(
                f"not a document in JSON: {value.named(error)}",
                rule=NOT_JSON,
                source=self._builder.source,
                line=value.line,
                text=shown(line),
                hint="expected "
                '{"doc_key": "...", "clusters": [[[start, end], ...], ...]}'
                + _found_instead(line),
            ) from error

    def _check_fields(self, record: _Record, value: Value) -> None:
        """Refuse a field that appears twice, or two clusters of the same label."""
        sides: tuple[Field, Field] = ("clusters", "predicted_clusters")
        labelled = [name for name in sides if isinstance(record.side(name), dict)]
        if again := repeated_field(value.data, fields_of(record), labelled):
            error = again.error(value, self._builder.source)
            self._faults.found("repeated-fields", error)

    def _refuse_missing(self, name: str, number: int, *, is_null: bool) -> None:
        problem = f"document '{name}' has no '{self._field}'"
        if is_null:
            problem = f"'{self._field}' of document '{name}' is null"
        hint = "an empty list says that there is no entity"
        blamed = Blamed("document", name)
        error = self._error(MISSING_CLUSTERS, problem, number, hint, blamed)
        self._faults.found("documents-without-clusters", error)

    def _named(self, clusters: _Clusters, labels: list[str]) -> dict[str, _Cluster]:
        """Give clusters by their labels; without any, by their places."""
        if isinstance(clusters, dict):
            return clusters
        if len({*labels} - {""}) != len(clusters):
            self._builder.has_labels = False
            labels = [str(place) for place in range(len(clusters))]
        return dict(zip(labels, clusters, strict=True))

    def _add(
        self,
        clusters: dict[str, _Cluster],
        document: int,
        length: int | None,
        number: int,
    ) -> None:
        builder = self._builder
        for label, mentions in clusters.items():
            entity = builder.add_entity(label, document)
            for start, end in mentions:
                if not 0 <= start <= end < (_MOST if length is None else length):
                    self._refuse(start, end, length, number)
                    continue
                builder.mentions.extend((entity, start, end, number))

    def _refuse(self, start: int, end: int, length: int | None, number: int) -> None:
        size = "" if length is None else f" of {length} tokens"
        problem = f"[{start}, {end}] is no mention in a document{size}"
        hint = "offsets are counted from 0 and the last token is part of the mention"
        blamed = Blamed("offsets", f"{start},{end}")
        error = self._error(IMPOSSIBLE_SPAN, problem, number, hint, blamed)
        self._faults.found("unreadable-mentions", error)

    def _error(
        self, rule: Rule, problem: str, number: int, hint: str, blamed: Blamed
    ) -> FormatError:
        return FormatError(
            problem,
            rule=rule,
            source=self._builder.source,
            line=number,
            blamed=blamed,
            hint=hint,
        )


def write(corpus: Corpus, *, labelled: bool = False) -> bytes:
    """Write a corpus, with its words if it was read with its tokens.

    ``labelled``: with the labels of entities, too.

    Raises:
        FormatError: a mention has a gap, or there are empty nodes.
    """
    sentences = None if corpus.tokens is None else _sentences(corpus)
    clusters = _clusters(corpus)
    labels = _labels(corpus)
    encode = msgspec.json.Encoder().encode
    lines = []
    for row, document in enumerate(corpus.documents):
        record: dict[str, object] = {"doc_key": document.short}
        if sentences is not None:
            record["sentences"] = sentences[row]
        record["clusters"] = clusters[row]
        if labelled:
            record["cluster_ids"] = labels[row]
        lines.append(encode(record))
    return b"".join(line + b"\n" for line in lines)


def _sentences(corpus: Corpus) -> list[list[list[str]]]:
    """Give each document's words, by sentence."""
    tokens, words, _ = spelt(corpus)
    starts = tokens.is_start
    found = []
    for first, last in pairwise(tokens.first.tolist()):
        begins = np.flatnonzero(starts[first:last]) + first
        bounds = pairwise([*begins.tolist(), last])
        found.append([words[start:end] for start, end in bounds])
    return found


def _clusters(corpus: Corpus) -> list[Clusters]:
    start, end = _spans(corpus)
    found: list[Clusters] = [[] for _ in corpus.documents]
    clusters: Clusters = []
    for document in corpus.entity_document.tolist():
        clusters.append([])
        found[document].append(clusters[-1])
    columns = corpus.mention_entity.tolist(), start.tolist(), end.tolist()
    for entity, *span in zip(*columns, strict=True):
        clusters[entity].append((span[0], span[1]))
    return found


def _labels(corpus: Corpus) -> list[list[str]]:
    found: list[list[str]] = [[] for _ in corpus.documents]
    columns = corpus.entity_document.tolist(), corpus.entity_label
    for document, label in zip(*columns, strict=True):
        found[document].append(label)
    return found


def _spans(corpus: Corpus) -> tuple[Ints, Ints]:
    """Give the first and the last token of each mention, counted by document."""
    if corpus.tokens is None and corpus.words is None:
        return corpus.mention_start, corpus.mention_end
    if corpus.tokens is None:
        raise FormatError(
            "there are no tokens in this corpus, but mentions are made of words",
            source=corpus.source,
            hint="read it with its tokens",
        )
    tokens, _, (start, row) = spelt(corpus)
    first, last = row[start[:-1]], row[start[1:] - 1]
    gaps = np.flatnonzero(last - first + 1 != np.diff(start))
    if len(gaps):
        raise FormatError(
            "a mention has a gap, which cannot be written",
            source=corpus.source,
            line=int(corpus.mention_line[gaps[0]]) or None,
            hint="`scoref convert --lossy` says what JSON lines cannot hold, and "
            "leaves it out",
        )
    offset = tokens.first[corpus.mention_document]
    return first - offset, last - offset


_PART = re.compile(r"(.+)-(\d{3,})")

_WORDS = re.compile(r"(\d{1,7})\.(\d{1,7})-(\d{1,7})", re.ASCII)

_SENTENCE = 1 << 24

_OTHER = 1 << 60


class _ScorchRecord(msgspec.Struct):
    type: Literal["clusters", "graph"] = "clusters"
    clusters: dict[str, list[object]] | None = None
    mentions: list[object] = msgspec.field(default_factory=list)
    links: list[tuple[object, object]] = msgspec.field(default_factory=list)
    name: str | int | None = None


_FORM = Form(
    SCORCH,
    _ScorchRecord,
    '{"type": "clusters", "clusters": {"id": [mention, ...], ...}}',
    objects=("clusters",),
)

_SCORCH_DECODER = msgspec.json.Decoder(_ScorchRecord)


def read_scorch(data: bytes, asked: ReadOptions) -> Corpus:
    """Read entities as scorch has them."""
    builder = CorpusBuilder(asked.source, SCORCH)
    faults = Faults(asked.source, lenient=asked.lenient)
    found = list(values(data, asked.source))
    for number, value in enumerate(found, start=1):
        try:
            record = _SCORCH_DECODER.decode(value.data)
        except UNDECODABLE as error:
            raise undecodable(error, value, asked.source, _FORM) from error
        if again := repeated_field(value.data, fields_of(record), _FORM.objects):
            faults.found("repeated-fields", again.error(value, asked.source))
        name = _named(record, asked, number if len(found) > 1 else None)
        row = builder.add_document(name, line=value.line)
        for label, mentions in _entities(record, asked.source, value.line).items():
            entity = builder.add_entity(label, row)
            for mention in mentions:
                builder.mentions.extend((entity, *_numbers(mention), value.line))
    refuse_no_document(builder, _FORM)
    return builder.build(faults.notes(), has_tokens=False)


def _named(
    record: _ScorchRecord, asked: ReadOptions, number: int | None
) -> DocumentName:
    if record.name is None and number is not None:
        return DocumentName.numbered(number)
    name = str(record.name or asked.document or file_document(asked.source))
    part = _PART.fullmatch(name)
    if part is None:
        return DocumentName.plain(name)
    return DocumentName(
        name, (name, *document_name(f"({part[1]}); part {part[2]}").aliases)
    )


def _entities(record: _ScorchRecord, source: str, line: int) -> dict[str, list[object]]:
    """Give entities by their ids; those of a graph are what links join."""
    if record.type == "graph":
        ends = [mention for link in record.links for mention in link]
        known = {_written(mention): mention for mention in [*record.mentions, *ends]}
        groups = Groups(known)
        for one, other in record.links:
            groups.join(_written(one), _written(other))
        lists = groups.lists()
        return {
            str(row): [known[key] for key in each] for row, each in enumerate(lists)
        }
    if record.clusters is None:
        raise FormatError(
            "there are no 'clusters' here",
            rule=MISSING_CLUSTERS,
            source=source,
            line=line,
            hint=f"expected {_FORM.example}",
        )
    return record.clusters


def _numbers(mention: object) -> tuple[int, int]:
    """Make two numbers of a value, the same for equal values.

    What scorch makes of CoNLL-2012 keeps its order: sentence, first and last word.
    """
    if isinstance(mention, str) and (found := _WORDS.fullmatch(mention)):
        sentence, first, last = map(int, found.groups())
        return sentence * _SENTENCE + first, sentence * _SENTENCE + last
    digest = hashlib.blake2b(_written(mention).encode(), digest_size=7).digest()
    number = _OTHER + int.from_bytes(digest)
    return number, number


def _written(mention: object) -> str:
    """Write a value down, equal numbers alike."""
    if isinstance(mention, float) and mention.is_integer():
        mention = int(mention)
    return msgspec.json.encode(mention, order="deterministic").decode()
