"""The common part of all readers of JSON: from the values of a file to a corpus.

A file may hold one object per line, an array of objects, or objects over several lines;
`values` finds them. The module of each format describes its records by a `Form`.
`JsonCollector` decodes the records and collects documents, faults and notes. Formats
with a text make a `JsonDocument` of each record, and `read_documents` does the rest: it
checks the offsets and puts everything into columns. Messages name the line and the
place in the JSON.

JSON allows a field to appear twice in an object, and decoders keep the last one without
a message. Checking for this costs as much as reading the object again, so it is done
only if the name of a field occurs twice.
"""

from __future__ import annotations

import functools
import json
import os
import re
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import msgspec
import numpy as np

from scoref.errors import Blamed, FormatError, quoted
from scoref.formats.builder import CorpusBuilder, Faults
from scoref.formats.input_files import shown, without_bom
from scoref.formats.json_spans import DocumentError, place_mentions
from scoref.model import DocumentName, Note, Texts, Tokens
from scoref.model.arrays import bounds
from scoref.notes import WARNING
from scoref.printable import counted
from scoref.rules import (
    IMPOSSIBLE_SPAN,
    MISSING_CLUSTERS,
    NO_DOCUMENT,
    NOT_JSON,
    REPEATED_DOCUMENT,
    REPEATED_FIELD,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scoref.formats.catalogue import ReadOptions
    from scoref.formats.json_spans import JsonDocument
    from scoref.model import Corpus

    Fields = dict[str, memoryview]
    Pairs = list[tuple[str, object]]


Record = TypeVar("Record", bound=msgspec.Struct)

_NULL_MENTIONS = "null-mentions"
_NULL_REMARK = (
    "mention is null and was left out",
    "mentions are null and were left out",
)


class NamedRecord(msgspec.Struct):
    """A record of a format without names. Users add names under one of these fields."""

    doc_key: str | int | None = None
    doc_id: str | int | None = None
    id: str | int | None = None
    name: str | int | None = None

    def document_name(self) -> DocumentName | None:
        """Return the name of the document, if there is one."""
        for name in (self.doc_key, self.doc_id, self.id, self.name):
            if name is not None:
                return DocumentName.plain(str(name))
        return None


class Form(NamedTuple, Generic[Record]):
    """Describes the records of a format.

    Args:
        name: the name of the format.
        record: the type to which a value is decoded.
        example: a record, for messages.
        remarks: what warnings say, by kind: about one thing, and about several.
        is_named_by_file: whether the only document of a file is named by the file.
        has_labels: whether the file has labels of entities.
        objects: fields whose values contain objects, not only lists.
        identifier: what a document needs to be identified, for messages.
    """

    name: str
    record: type[Record]
    example: str
    remarks: Mapping[str, tuple[str, str]] = {}
    is_named_by_file: bool = False
    has_labels: bool = False
    objects: tuple[str, ...] = ()
    identifier: str = "name"


def read_documents(
    data: bytes,
    options: ReadOptions,
    form: Form[Record],
    documents_of: Callable[[Record], Iterable[JsonDocument]],
) -> Corpus:
    """Read all documents of a file; ``documents_of`` makes them of a record."""
    collector = _TextCollector(options, form)
    for record, value in collector.records(data):
        try:
            for document in documents_of(record):
                collector.add(document, value)
        except DocumentError as error:
            raise collector.format_error(error, value) from error
    return collector.corpus()


class JsonCollector(Generic[Record]):
    """Decodes the records of a file and collects their documents in a builder.

    ``faults`` raises an error for each fault or, in lenient reading, notes it.
    """

    def __init__(self, source: str, form: Form[Record], *, lenient: bool) -> None:
        self.form = form
        self.builder = CorpusBuilder(source, form.name, has_labels=form.has_labels)
        self.faults = Faults(source, lenient=lenient)
        self._first_line: dict[str, int] = {}

    def records(self, data: bytes) -> Iterator[tuple[Record, JsonValue]]:
        """Decode all values of a file. Fields that appear twice are a fault."""
        decode = _decoder(self.form.record).decode
        fields = self.form.record.__struct_fields__
        nothing = (None, msgspec.UNSET)
        source = self.builder.source
        for value in values(data, source):
            try:
                record: Record = decode(value.data)
            except UNDECODABLE as error:
                raise self.decoding_error(error, value) from error
            present = [name for name in fields if getattr(record, name) not in nothing]
            again = repeated_field(
                value.data, present, self.fields_with_objects(record)
            )
            if again:
                self.faults.report("repeated-fields", again.error(value, source))
            yield record, value

    def fields_with_objects(self, record: Record) -> Sequence[str]:  # noqa: ARG002
        """Return the fields of a record in whose objects a field may appear twice."""
        return self.form.objects

    def decoding_error(self, error: Exception, value: JsonValue) -> FormatError:
        """Say which part of a value is not what the format expects."""
        return FormatError(
            f"this is not a document of {self.form.name}: {value.message(error)}",
            rule=NOT_JSON,
            source=self.builder.source,
            line=value.line,
            text=shown(bytes(value.data[:1000]).partition(b"\n")[0]),
            hint=f"Expected {self.form.example}.",
            is_final=True,
        )

    def is_repeated(self, name: str, line: int) -> bool:
        """Check whether a document of this name was read before, which is a fault."""
        if name not in self._first_line:
            self._first_line[name] = line
            return False
        first = self._first_line[name]
        error = FormatError(
            f"document '{name}' appears twice (first: line {first})",
            rule=REPEATED_DOCUMENT,
            source=self.builder.source,
            line=line,
            blamed=Blamed("document", name),
            hint=f"Give each document of a file its own {self.form.identifier}.",
        )
        self.faults.report("repeated-documents", error)
        return True

    def refuse_no_document(self, expected: str = "") -> None:
        """Refuse a file without documents."""
        if not self.builder.documents:
            raise FormatError(
                "this file has no document",
                rule=NO_DOCUMENT,
                source=self.builder.source,
                hint=f"Expected {expected or self.form.example}.",
            )


@functools.cache
def _decoder(record: type[Record]) -> msgspec.json.Decoder[Record]:
    return msgspec.json.Decoder(record)


class _TextCollector(JsonCollector[Record]):
    """Collects documents with a text: words, sentences, and mentions by token."""

    def __init__(self, options: ReadOptions, form: Form[Record]) -> None:
        super().__init__(options.source, form, lenient=options.lenient)
        self._options = options
        self._counts = Counter[str]()
        self._words: list[Texts] = []
        self._sentence = [np.zeros(0, dtype=np.int64)]
        self._sentences = 0

    def add(self, document: JsonDocument, value: JsonValue) -> None:
        """Add a document, unless there is one of the same name."""
        builder = self.builder
        name = document.name or DocumentName.numbered(len(builder.documents) + 1)
        if document.name and self.is_repeated(name.name, value.line):
            return
        if document.missing:
            error = self._missing_field(document.missing, name, value)
            self.faults.report("documents-without-clusters", error)
        placed = place_mentions(document)
        for problem in placed.errors:
            error = self.format_error(problem, value)
            self.faults.report("unreadable-mentions", error)
        self._counts.update({_NULL_MENTIONS: placed.nulls, **document.counts})
        row = builder.add_document(name, line=value.line, tokens=len(placed.sentence))
        self._words.append(placed.word)
        self._sentence.append(placed.sentence + self._sentences)
        self._sentences += 1 + int(placed.sentence.max(initial=0))
        first_entity = len(builder.entity_label)
        for label in placed.labels:
            builder.add_entity(label, row)
        line = np.full(len(placed.first), value.line)
        columns = first_entity + placed.entity, placed.first, placed.last, line
        builder.mentions += np.column_stack(columns).ravel().tolist()

    def format_error(self, error: DocumentError, value: JsonValue) -> FormatError:
        """Add the place in the file to an error in a document."""
        path = f"{value.path}.{error.path}" if value.path else error.path
        return FormatError(
            f"{path}: {error.problem}" if path else error.problem,
            rule=IMPOSSIBLE_SPAN,
            source=self.builder.source,
            line=value.line,
            hint=error.hint,
        )

    def _missing_field(
        self, field: str, name: DocumentName, value: JsonValue
    ) -> FormatError:
        document = f"document '{name.name}'" if name.name else "this document"
        return FormatError(
            f"{value.path}: {document} has no '{field}'".removeprefix(": "),
            rule=MISSING_CLUSTERS,
            source=self.builder.source,
            line=value.line,
            blamed=Blamed("document", name.name),
            hint=f"If one document of a response has '{field}', all documents need it.",
        )

    def _warning(self, count: int, one: str, several: str) -> str:
        """Write a warning about something that was not read."""
        return f"{WARNING}{self.builder.source}: {counted(count, one, several)}."

    def corpus(self) -> Corpus:
        """Build the corpus."""
        self.refuse_no_document()
        builder, form = self.builder, self.form
        names = builder.documents
        if form.is_named_by_file and len(names) == 1 and not names[0].aliases:
            name = self._options.document or name_without_endings(builder.source)
            names[0] = DocumentName.plain(name)
        lengths = np.array(builder.document_tokens, dtype=np.int64)
        tokens = Tokens(
            first=bounds(lengths),
            sentence=np.concatenate(self._sentence),
            line=np.repeat(np.array(builder.document_line, dtype=np.int64), lengths),
            word=Texts(*map(np.concatenate, zip(*self._words, strict=True))),
        )
        remarks = {_NULL_MENTIONS: _NULL_REMARK}
        remarks |= form.remarks
        notes = [
            Note(kind, count, self._warning(count, *remarks[kind]))
            for kind, count in self._counts.items()
            if count
        ]
        return builder.build([*notes, *self.faults.notes()], tokens=tokens)


_ENDINGS = re.compile(r"(?:\.(?:gz|xz|txt|json|jsonl|jsonlines|xml|tsv|conll))+$")


def name_without_endings(source: str) -> str:
    """Return the name of a file without its folder and its endings.

    >>> name_without_endings("out/wsj_1.txt.json")
    'wsj_1'
    """
    name = os.path.basename(source)
    return _ENDINGS.sub("", name) or name


UNDECODABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class JsonValue(NamedTuple):
    """A value, the line where it starts, and its place in an array if it is in one."""

    data: bytes | memoryview
    line: int
    path: str = ""

    def message(self, error: Exception) -> str:
        """Return the message of a decoder's error, with the place in the array."""
        return str(error).replace("`$", f"`{self.path}" if self.path else "`$")


def values(data: bytes, source: str) -> Iterator[JsonValue]:
    """Split a file into JSON values without decoding them.

    Raises:
        FormatError: an array or an object over several lines is damaged.
    """
    data = without_bom(data)
    start = len(data) - len(data.lstrip())
    if data[start : start + 1] == b"[":
        return _array_values(data, start, source)
    if _is_lines(data, start):
        return _line_values(data)
    return _consecutive_values(data, start, source)


def _is_lines(data: bytes, start: int) -> bool:
    """Distinguish one object per line from objects over several lines.

    There is only one line with one object, or the first line is a complete value. If
    the first line is damaged, the second one decides. coref-hoi writes all objects on
    one line.
    """
    end = data.find(b"\n", start)
    if end < 0 or not data[end:].strip():
        return not _is_followed(data, start)
    if _is_whole(data[start:end]):
        return True
    second = data[end:].lstrip().partition(b"\n")[0]
    return not second or (second.startswith(b"{") and _is_whole(second))


def _is_whole(line: bytes) -> bool:
    try:
        msgspec.json.decode(line, type=msgspec.Raw)
    except UNDECODABLE:
        return False
    return True


def _is_followed(data: bytes, start: int) -> bool:
    """Check whether another object follows the one that starts here."""
    try:
        end = _end_of_value(data, start, "")
    except FormatError:
        return False
    return data[end : end + 1] == b"{"


def _line_values(data: bytes) -> Iterator[JsonValue]:
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.strip():
            yield JsonValue(line, number)


_BETWEEN = re.compile(rb"[ \t\r\n,]*")


def _array_values(data: bytes, start: int, source: str) -> Iterator[JsonValue]:
    try:
        items = msgspec.json.decode(memoryview(data)[start:], type=list[msgspec.Raw])
    except UNDECODABLE as error:
        raise _syntax_error(error, data, start, source) from error
    line, at, place = 1, 0, start + 1
    for number, item in enumerate(items):
        blanks = _BETWEEN.match(data, place)
        place = blanks.end() if blanks else place
        line, at = line + data.count(b"\n", at, place), place
        item_bytes = bytes(item)
        yield JsonValue(item_bytes, line, f"[{number}]")
        place += len(item_bytes)


def _consecutive_values(data: bytes, start: int, source: str) -> Iterator[JsonValue]:
    """Yield consecutive values, each over any number of lines."""
    view, line = memoryview(data), 1 + data.count(b"\n", 0, start)
    while start < len(data):
        end = _end_of_value(data, start, source)
        yield JsonValue(view[start:end], line)
        line += data.count(b"\n", start, end)
        start = end


_TRAILING = re.compile(r"trailing characters \(byte (\d+)\)")


def _end_of_value(data: bytes, start: int, source: str) -> int:
    """Return the end of the value that starts here, including the blanks after it."""
    try:
        msgspec.json.decode(memoryview(data)[start:], type=msgspec.Raw)
    except UNDECODABLE as error:
        trailing = _TRAILING.search(str(error))
        if trailing is None:
            raise _syntax_error(error, data, start, source) from error
        return start + int(trailing[1]) - 1
    return len(data)


_BYTE = re.compile(r" \(byte (\d+)\)")


def _syntax_error(
    error: Exception, data: bytes, start: int, source: str
) -> FormatError:
    byte = _BYTE.search(str(error))
    place = min(start + int(byte[1]) if byte else len(data), len(data.rstrip()))
    line_start = data.rfind(b"\n", 0, max(place - 1, 0)) + 1
    return FormatError(
        f"this is not JSON: {_BYTE.sub('', str(error))}".replace("JSON is ", ""),
        rule=NOT_JSON,
        source=source,
        line=data.count(b"\n", 0, line_start) + 1,
        text=shown(data[line_start:].partition(b"\n")[0]),
        hint="Was the file cut off?" if byte is None else "",
        is_final=True,
    )


_MOST_OBJECTS = 100
"""So many objects of a file are examined to detect its format."""

_BEGINNING = 1 << 16


def first_fields(data: bytes) -> Iterator[Fields]:
    """Yield the top-level fields of the first objects of a file, with their values.

    Damaged lines are skipped. If nothing else is left, the names in the beginning of a
    damaged object are returned.
    """
    fields = None
    for fields in whole_fields(data):
        yield fields
    start = without_bom(data[:_BEGINNING]).lstrip()
    if fields is None and start.startswith(b"{"):
        yield _fields_of_damaged(start)


def whole_fields(data: bytes) -> Iterator[Fields]:
    """Yield the top-level fields of the first objects that are not damaged."""
    return islice(_all_fields(data), _MOST_OBJECTS)


def has_field(data: bytes, name: str) -> bool:
    """Check whether any object of a file has a field, not counting nested objects.

    >>> has_field(b'{"words": ["clusters"]}', "clusters")
    False
    """
    if f'"{name}"'.encode() not in data:
        return False
    return any(name in fields for fields in _all_fields(data))


def field_names(data: bytes) -> str:
    """List the fields of the first object of a file, for a message."""
    return quoted(list(next(first_fields(data), {})), 12)


def _all_fields(data: bytes) -> Iterator[Fields]:
    data = without_bom(data)
    start = len(data) - len(data.lstrip())
    if data[start : start + 1] == b"[":
        objects: Iterator[bytes | memoryview] = _whole_objects(data, start + 1)
    elif _is_lines(data, start):
        objects = (value.data for value in _line_values(data))
    else:
        objects = _whole_objects(data, start)
    for value in objects:
        try:
            fields = msgspec.json.decode(value, type=dict[str, msgspec.Raw])
        except UNDECODABLE:
            continue
        yield {name: memoryview(raw) for name, raw in fields.items()}


def _whole_objects(data: bytes, place: int) -> Iterator[bytes | memoryview]:
    """Yield the first objects of a file or an array, up to the first damaged one."""
    view = memoryview(data)
    while True:
        blanks = _BETWEEN.match(data, place)
        place = blanks.end() if blanks else place
        if data[place : place + 1] != b"{":
            return
        try:
            end = _end_of_value(data, place, "")
        except FormatError:
            return
        yield view[place:end]
        place = end


_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}\[\]:]')


def _fields_of_damaged(data: bytes) -> Fields:
    """Return the fields of an object that is cut off, each with all text after it."""
    depth, last, fields = 0, b"", dict[str, memoryview]()
    for token in _TOKEN.finditer(data):
        sign = token[0]
        if sign == b":" and depth == 1 and last:
            fields[shown(last[1:-1])] = memoryview(data)[token.end() :]
        depth += sign in {b"{", b"["}
        depth -= sign in {b"}", b"]"}
        last = sign if sign.startswith(b'"') else b""
    return fields


class RepeatedField(NamedTuple):
    """A field that appears twice, and the field that holds its object, if any."""

    field: str
    within: str = ""

    def error(self, value: JsonValue, source: str) -> FormatError:
        """Return an error that names the field and its place in the file."""
        where = f" in '{self.within}'" if self.within else ""
        before = f"{value.path}: " if value.path else ""
        return FormatError(
            f"{before}the field '{self.field}' appears twice{where}",
            rule=REPEATED_FIELD,
            source=source,
            line=value.line,
            blamed=Blamed("text", json.dumps(self.field, ensure_ascii=False)),
            hint="Keep one of them. JSON readers use only the last one.",
        )


def repeated_field(
    data: bytes | memoryview, fields: Iterable[str], within: Iterable[str] = ()
) -> RepeatedField | None:
    """Return the first of these fields that an object has twice, or None.

    In the values of the fields ``within``, objects must not repeat any field.

    >>> repeated_field(b'{"clusters": [], "clusters": []}', ["clusters"])
    RepeatedField(field='clusters', within='')
    >>> repeated_field(b'{"corefs": {"1": [], "1": []}}', ["corefs"], ["corefs"])
    RepeatedField(field='1', within='corefs')
    """
    data = bytes(data)
    if any(data.count(f'"{name}"'.encode()) > 1 for name in fields):
        names: list[str] = _load_pairs(data, lambda pairs: [name for name, _ in pairs])
        for name in fields:
            if names.count(name) > 1:
                return RepeatedField(name)
    if not within:
        return None
    repeats: list[str] = []

    def note_repeats(pairs: Pairs) -> None:
        known = set[str]()
        for name, _ in pairs:
            if name in known:
                repeats.append(name)
            known.add(name)

    raw = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    for name in within:
        _load_pairs(bytes(raw.get(name, b"null")), note_repeats)
        if repeats:
            return RepeatedField(repeats[0], name)
    return None


def _load_pairs(data: bytes, hook: Callable[[Pairs], object]) -> Any:
    try:
        return json.loads(data, object_pairs_hook=hook)
    except (ValueError, RecursionError):
        return []  # deeper, or with longer numbers, than this decoder reads
