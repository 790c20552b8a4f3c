"""JSON lines as the neural systems write them: an object for each document.

    {"doc_key": "bc/cctv_0", "clusters": [[[0, 2], [7, 7]]], "sentences": [...]}

A mention is ``[start, end]``: token offsets in the document, both part of it.
The key is ``clusters``. The response is ``predicted_clusters`` if any document of the
file has this field, and ``clusters`` if none has it: one file can hold both sides, or
two files one side each. ``sentences``, ``tokens`` or a ``document`` of words, if there,
say how long a document is. Objects may stand in an array, too, and go over many lines.

Clusters may be an object from labels to mentions, or ``cluster_ids`` (for the response
``predicted_cluster_ids``) may be a list of labels beside them: labels hold across
documents. ``topic`` and ``subtopic``, or ``topic_id`` and ``subtopic_id``, say where a
document belongs. Other fields are not looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from scoref.errors import Blamed, FormatError
from scoref.formats import JSON_LINES
from scoref.formats._builder import CorpusBuilder
from scoref.formats._faults import Faults
from scoref.formats._json_repeats import fields_of, repeated
from scoref.formats._json_values import UNDECODABLE, field_names, has_field, values
from scoref.formats._text import shown
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
    from scoref.formats._json_values import Value
    from scoref.model import Corpus
    from scoref.rules import Rule

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
        if again := repeated(value.data, fields_of(record), labelled):
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
