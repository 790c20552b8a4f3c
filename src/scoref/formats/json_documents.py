"""The common part of all readers of JSON: from the records of a file to a corpus.

The module of each format describes its records and makes a `JsonDocument` of each. This
module finds the records, checks their offsets and puts them into columns; messages name
the line and the place in the JSON. A file may hold one object per line, an array of
objects, or objects over several lines.

JSON allows a field to appear twice in an object, and decoders keep the last one without
a message. Checking for this costs as much as reading the object again, so it is done
only if the name of a field occurs twice.

`add_genres` reads the genres of documents. In formats with one word per line, the first
comment counts, before the words of a document or later: ``# meta::genre = …``,
``# genre = …`` or ``# newdoc genre = …``. JSON lines have a field ``genre`` in the
object of a document or in its ``meta`` or ``metadata``.

    # newdoc id = GUM_academic_art
    # meta::genre = academic
"""

from __future__ import annotations

import json
import os
import re
from bisect import bisect_right
from collections import Counter
from dataclasses import replace
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import msgspec
import numpy as np

from scoref.errors import Blamed, FormatError, quoted
from scoref.formats.builder import CorpusBuilder, Faults
from scoref.formats.catalogue import JSON_LINES
from scoref.formats.input_files import shown, without_bom
from scoref.formats.json_spans import Misplaced, placed
from scoref.model import DocumentName, Note, Texts, Tokens
from scoref.rules import (
    IMPOSSIBLE_SPAN,
    MISSING_CLUSTERS,
    NO_DOCUMENT,
    NOT_JSON,
    REPEATED_DOCUMENT,
    REPEATED_FIELD,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from scoref.formats.catalogue import ReadOptions
    from scoref.formats.json_spans import JsonDocument
    from scoref.model import Corpus

    Fields = dict[str, memoryview]
    Pairs = list[tuple[str, object]]


Record = TypeVar("Record", bound=msgspec.Struct)

_ENDINGS = re.compile(r"(?:\.(?:gz|xz|txt|json|jsonl|jsonlines|xml|tsv|conll))+$")

_NULL = "null-mentions"

_NOTHING = np.zeros(0, dtype=np.int64)


class NamedRecord(msgspec.Struct):
    """A record whose format has no names: users add them under one of these."""

    doc_key: str | int | None = None
    doc_id: str | int | None = None
    id: str | int | None = None
    name: str | int | None = None

    def called(self) -> DocumentName | None:
        """Give the name, if there is one."""
        names = (self.doc_key, self.doc_id, self.id, self.name)
        found = next((each for each in names if each is not None), None)
        return None if found is None else DocumentName.plain(str(found))


class Form(NamedTuple, Generic[Record]):
    """What a format's records are, and what can be said of them.

    Args:
        name: the format's.
        record: what a value is decoded to.
        example: a record, as it is expected.
        remarks: notes by their kinds; ``{}`` is their count.
        is_named_by_file: whether the one document of a file has the file's name.
        has_labels: whether the file says what entities are called.
        objects: fields whose values are made of objects, not of lists alone.
    """

    name: str
    record: type[Record]
    example: str
    remarks: Mapping[str, str] = {}
    is_named_by_file: bool = False
    has_labels: bool = False
    objects: tuple[str, ...] = ()


def read_documents(
    data: bytes,
    asked: ReadOptions,
    form: Form[Record],
    understand: Callable[[Record], Iterable[JsonDocument]],
) -> Corpus:
    """Read all documents of a file; ``understand`` makes them of a record."""
    collected = _Collected(asked, form)
    decode = msgspec.json.Decoder(form.record).decode
    for value in values(data, asked.source):
        try:
            record = decode(value.data)
        except UNDECODABLE as error:
            raise undecodable(error, value, asked.source, form) from error
        collected.check_fields(record, value)
        try:
            for document in understand(record):
                collected.add(document, value)
        except Misplaced as error:
            raise collected.error(error, value) from error
    return collected.corpus()


def undecodable(
    error: Exception, value: Value, source: str, form: Form[Any]
) -> FormatError:
    """Say what of a value is not what a format's records are."""
    return FormatError(
        f"not a document of {form.name}: {value.named(error)}",
        rule=NOT_JSON,
        source=source,
        line=value.line,
        text=shown(bytes(value.data[:1000]).partition(b"\n")[0]),
        hint=f"expected {form.example}",
        is_final=True,
    )


def refuse_no_document(builder: CorpusBuilder, form: Form[Any]) -> None:
    """Refuse a file that holds nothing."""
    if not builder.documents:
        raise FormatError(
            "there is no document in this file",
            rule=NO_DOCUMENT,
            source=builder.source,
            hint=f"expected {form.example}",
        )


class _Collected:
    """Documents that were read, one behind the other."""

    def __init__(self, asked: ReadOptions, form: Form[Any]) -> None:
        self._asked = asked
        self._form = form
        self._builder = CorpusBuilder(asked.source, form.name)
        self._builder.has_labels = form.has_labels
        self._faults = Faults(asked.source, lenient=asked.lenient)
        self._counts = Counter[str]()
        self._first_line: dict[str, int] = {}
        self._words: list[Texts] = []
        self._sentence = [_NOTHING]
        self._sentences = 0

    def add(self, document: JsonDocument, value: Value) -> None:
        """Add a document that stands there, unless its name is taken."""
        name = document.name or DocumentName.numbered(len(self._builder.documents) + 1)
        if document.name and self._is_repeated(name, value):
            return
        if document.missing:
            self._refuse_missing(document.missing, name, value)
        found = placed(document)
        for error in found.misplaced:
            self._faults.found("unreadable-mentions", self.error(error, value))
        self._counts.update({_NULL: found.nulls, **document.counts})
        row = self._builder.add_document(
            name, line=value.line, tokens=len(found.sentence)
        )
        self._words.append(found.word)
        self._sentence.append(found.sentence + self._sentences)
        self._sentences += 1 + int(found.sentence.max(initial=0))
        number = len(self._builder.entity_label)
        for label in found.labels:
            self._builder.add_entity(label, row)
        line = np.full(len(found.first), value.line)
        columns = number + found.entity, found.first, found.last, line
        self._builder.mentions += np.column_stack(columns).ravel().tolist()

    def error(self, error: Misplaced, value: Value) -> FormatError:
        """Say where in the file something is that a document cannot hold."""
        path = f"{value.path}.{error.path}" if value.path else error.path
        return FormatError(
            f"{path}: {error.problem}" if path else error.problem,
            rule=IMPOSSIBLE_SPAN,
            source=self._asked.source,
            line=value.line,
            hint=error.hint,
        )

    def check_fields(self, record: Record, value: Value) -> None:
        """Refuse a record in which a field appears twice."""
        if again := repeated_field(value.data, fields_of(record), self._form.objects):
            error = again.error(value, self._asked.source)
            self._faults.found("repeated-fields", error)

    def _refuse_missing(self, field: str, name: DocumentName, value: Value) -> None:
        called = f"document '{name.name}'" if name.name else "this document"
        error = FormatError(
            f"{value.path}: {called} has no '{field}'".removeprefix(": "),
            rule=MISSING_CLUSTERS,
            source=self._asked.source,
            line=value.line,
            blamed=Blamed("document", name.name),
            hint=f"if one document of a response has '{field}', all of them need it",
        )
        self._faults.found("documents-without-clusters", error)

    def _is_repeated(self, name: DocumentName, value: Value) -> bool:
        if name.name not in self._first_line:
            self._first_line[name.name] = value.line
            return False
        first = self._first_line[name.name]
        error = FormatError(
            f"document '{name.name}' comes a second time (first in line {first})",
            rule=REPEATED_DOCUMENT,
            source=self._asked.source,
            line=value.line,
            blamed=Blamed("document", name.name),
            hint="give every document of a file a name of its own",
        )
        self._faults.found("repeated-documents", error)
        return True

    def corpus(self) -> Corpus:
        """Freeze it."""
        builder = self._builder
        refuse_no_document(builder, self._form)
        if len(builder.documents) == 1 and self._form.is_named_by_file:
            self._call_by_file()
        lengths = np.array(builder.document_tokens, dtype=np.int64)
        tokens = Tokens(
            first=np.concatenate(([0], np.cumsum(lengths))),
            sentence=np.concatenate(self._sentence),
            line=np.repeat(np.array(builder.document_line, dtype=np.int64), lengths),
            word=Texts(*map(np.concatenate, zip(*self._words, strict=True))),
        )
        return builder.build([*self._notes(), *self._faults.notes()], tokens=tokens)

    def _call_by_file(self) -> None:
        if not self._builder.documents[0].aliases:
            name = self._asked.document or file_document(self._asked.source)
            self._builder.documents[0] = DocumentName.plain(name)

    def _notes(self) -> list[Note]:
        remarks = {_NULL: "mentions that are null were left out: {}"}
        remarks |= self._form.remarks
        return [
            Note(kind, count, remarks[kind].format(count))
            for kind, count in self._counts.items()
            if count
        ]


def file_document(source: str) -> str:
    """Call a document as its file is called, without its endings.

    >>> file_document("out/wsj_1.txt.json")
    'wsj_1'
    """
    name = os.path.basename(source)
    return _ENDINGS.sub("", name) or name


UNDECODABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)

_TRAILING = re.compile(r"trailing characters \(byte (\d+)\)")

_BYTE = re.compile(r" \(byte (\d+)\)")

_BETWEEN = re.compile(rb"[ \t\r\n,]*")

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}\[\]:]')

_SHOWN_FIELDS = 12

_BEGINNING = 1 << 16

_LOOKED_AT = 100


class Value(NamedTuple):
    """A value, the line where it starts, and its place in an array if it is in one."""

    data: bytes | memoryview
    line: int
    path: str = ""

    def named(self, error: Exception) -> str:
        """Say what is wrong with it, by its place in the file."""
        return str(error).replace("`$", f"`{self.path}" if self.path else "`$")


def values(data: bytes, source: str) -> Iterator[Value]:
    """Find the values of a file, and see no further into lines than that they are some.

    Raises:
        FormatError: this is neither lines, nor an array, nor whole objects.
    """
    data = without_bom(data)
    start = len(data) - len(data.lstrip())
    if data[start : start + 1] == b"[":
        return _of_array(data, start, source)
    if _is_lines(data, start):
        return _of_lines(data)
    return _one_by_one(data, start, source)


def _is_lines(data: bytes, start: int) -> bool:
    """Tell lines from objects over many lines: there is one line, or a whole one.

    Where the first line is damaged, the second tells.
    """
    end = data.find(b"\n", start)
    if end < 0 or _is_whole(data[start:end]):
        return True
    second = data[end:].lstrip().partition(b"\n")[0]
    return not second or (second.startswith(b"{") and _is_whole(second))


def _is_whole(line: bytes) -> bool:
    try:
        msgspec.json.decode(line, type=msgspec.Raw)
    except UNDECODABLE:
        return False
    return True


def _of_lines(data: bytes) -> Iterator[Value]:
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.strip():
            yield Value(line, number)


def _of_array(data: bytes, start: int, source: str) -> Iterator[Value]:
    try:
        items = msgspec.json.decode(memoryview(data)[start:], type=list[msgspec.Raw])
    except UNDECODABLE as error:
        raise _malformed(error, data, start, source) from error
    line, at, place = 1, 0, start + 1
    for number, item in enumerate(items):
        found = _BETWEEN.match(data, place)
        place = found.end() if found else place
        line, at = line + data.count(b"\n", at, place), place
        item_bytes = bytes(item)
        yield Value(item_bytes, line, f"[{number}]")
        place += len(item_bytes)


def _one_by_one(data: bytes, start: int, source: str) -> Iterator[Value]:
    """Cut objects off, one behind the other, each over as many lines as it likes."""
    view, line = memoryview(data), 1 + data.count(b"\n", 0, start)
    while start < len(data):
        end = _end_of_value(data, start, source)
        yield Value(view[start:end], line)
        line += data.count(b"\n", start, end)
        start = end


def _end_of_value(data: bytes, start: int, source: str) -> int:
    """Find where the value ends that starts here, with the blanks behind it."""
    try:
        msgspec.json.decode(memoryview(data)[start:], type=msgspec.Raw)
    except UNDECODABLE as error:
        found = _TRAILING.search(str(error))
        if found is None:
            raise _malformed(error, data, start, source) from error
        return start + int(found[1]) - 1
    return len(data)


def _malformed(error: Exception, data: bytes, start: int, source: str) -> FormatError:
    found = _BYTE.search(str(error))
    place = min(start + int(found[1]) if found else len(data), len(data.rstrip()))
    line_start = data.rfind(b"\n", 0, max(place - 1, 0)) + 1
    return FormatError(
        f"this is no JSON: {_BYTE.sub('', str(error))}".replace("JSON is ", ""),
        rule=NOT_JSON,
        source=source,
        line=data.count(b"\n", 0, line_start) + 1,
        text=shown(data[line_start:].partition(b"\n")[0]),
        hint="was the file cut off?" if found is None else "",
        is_final=True,
    )


def first_fields(data: bytes) -> Iterator[Fields]:
    """Give the top-level fields of the first objects of a file, with their values.

    Damaged lines are passed over. Where nothing else is left, the names in the
    beginning of a damaged object are given.
    """
    found = None
    for found in whole_fields(data):
        yield found
    start = without_bom(data[:_BEGINNING]).lstrip()
    if found is None and start.startswith(b"{"):
        yield _names(start)


def whole_fields(data: bytes) -> Iterator[Fields]:
    """Give the top-level fields of the first objects that are not damaged."""
    data = without_bom(data)
    start = len(data) - len(data.lstrip())
    return islice(_whole_fields(data, start), _LOOKED_AT)


def has_field(data: bytes, name: str) -> bool:
    """Tell whether any object of a file has a field, not counting objects in it.

    >>> has_field(b'{"words": ["clusters"]}', "clusters")
    False
    """
    if f'"{name}"'.encode() not in data:
        return False
    data = without_bom(data)
    start = len(data) - len(data.lstrip())
    return any(name in fields for fields in _whole_fields(data, start))


def _whole_fields(data: bytes, start: int) -> Iterator[Fields]:
    if data[start : start + 1] == b"[":
        found: Iterator[bytes | memoryview] = _items(data, start + 1)
    elif _is_lines(data, start):
        found = (value.data for value in _of_lines(data))
    else:
        found = _items(data, start)
    for value in found:
        try:
            fields = msgspec.json.decode(value, type=dict[str, msgspec.Raw])
        except UNDECODABLE:
            continue
        yield {name: memoryview(raw) for name, raw in fields.items()}


def _items(data: bytes, place: int) -> Iterator[bytes | memoryview]:
    """Cut the first objects off a file or an array, as far as they are whole."""
    view = memoryview(data)
    while True:
        found = _BETWEEN.match(data, place)
        place = found.end() if found else place
        if data[place : place + 1] != b"{":
            return
        try:
            end = _end_of_value(data, place, "")
        except FormatError:
            return
        yield view[place:end]
        place = end


def _names(data: bytes) -> Fields:
    """Name the fields of an object that may be cut off, with the rest of the text."""
    depth, last, found = 0, b"", dict[str, memoryview]()
    for token in _TOKEN.finditer(data):
        sign = token[0]
        if sign == b":" and depth == 1 and last:
            found[shown(last[1:-1])] = memoryview(data)[token.end() :]
        depth += sign in {b"{", b"["}
        depth -= sign in {b"}", b"]"}
        last = sign if sign.startswith(b'"') else b""
    return found


def field_names(data: bytes) -> str:
    """Name the fields of the first object, for whoever looks for another one."""
    return quoted(list(next(first_fields(data), {})), _SHOWN_FIELDS)


_HINT = "keep one of them; JSON readers ignore all but the last one"


class _RepeatedError(Exception):
    pass


class Repeated(NamedTuple):
    """A field that appears twice, and the field that holds its object, if any."""

    field: str
    within: str = ""

    def error(self, value: Value, source: str) -> FormatError:
        """Name the field and its place in the file."""
        where = f" in '{self.within}'" if self.within else ""
        before = f"{value.path}: " if value.path else ""
        return FormatError(
            f"{before}the field '{self.field}' appears twice{where}",
            rule=REPEATED_FIELD,
            source=source,
            line=value.line,
            blamed=Blamed("text", json.dumps(self.field, ensure_ascii=False)),
            hint=_HINT,
        )


def fields_of(record: msgspec.Struct) -> list[str]:
    """List the fields that a decoded record has."""
    nothing = (None, msgspec.UNSET)
    fields = record.__struct_fields__
    return [name for name in fields if getattr(record, name) not in nothing]


def repeated_field(
    data: bytes | memoryview, fields: Iterable[str], within: Iterable[str] = ()
) -> Repeated | None:
    """Find the first of these fields that an object has twice, or None.

    The fields named by ``within`` are searched for objects that repeat any field.

    >>> repeated_field(b'{"clusters": [], "clusters": []}', ["clusters"])
    Repeated(field='clusters', within='')
    >>> repeated_field(b'{"corefs": {"1": [], "1": []}}', ["corefs"], ["corefs"])
    Repeated(field='1', within='corefs')
    """
    data = bytes(data)
    if any(data.count(f'"{name}"'.encode()) > 1 for name in fields):
        names: list[str] = _loaded(data, lambda pairs: [name for name, _ in pairs])
        for name in fields:
            if names.count(name) > 1:
                return Repeated(name)
    if not within:
        return None
    values = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    for name in within:
        try:
            _loaded(bytes(values.get(name, b"null")), _refuse)
        except _RepeatedError as error:
            return Repeated(str(error), name)
    return None


def _refuse(pairs: Pairs) -> None:
    known = set[str]()
    for name, _ in pairs:
        if name in known:
            raise _RepeatedError(name)
        known.add(name)


def _loaded(data: bytes, hook: Callable[[Pairs], object]) -> Any:  # noqa: ANN401
    try:
        return json.loads(data, object_pairs_hook=hook)
    except (ValueError, RecursionError):
        return []  # deeper, or with longer numbers, than this decoder reads


_COMMENT = re.compile(
    rb"^#[ \t]*(?:meta::|newdoc[ \t]+)?genre[ \t]*=[ \t]*([^\r\n]*)", re.IGNORECASE
)


def add_genres(corpus: Corpus, data: bytes) -> Corpus:
    """Add the genres of documents; an empty text where the file says nothing."""
    if corpus.format == JSON_LINES:
        genres = _of_records(data, corpus)
    else:
        genres = _of_comments(without_bom(data).split(b"\n"), corpus)
    return replace(corpus, document_genre=tuple(genres))


class _Record(msgspec.Struct):
    doc_key: str | int
    genre: object = None
    meta: object = None
    metadata: object = None


def _of_records(data: bytes, corpus: Corpus) -> list[str]:
    decode = msgspec.json.Decoder(_Record).decode
    records = [decode(value.data) for value in values(data, corpus.source)]
    genres = {str(record.doc_key): _of_record(record) for record in reversed(records)}
    return [genres[document.name] for document in corpus.documents]


def _of_record(record: _Record) -> str:
    found = [record.genre]
    for more in (record.meta, record.metadata):
        found += [more.get("genre")] if isinstance(more, dict) else []
    return next((genre for genre in found if genre and isinstance(genre, str)), "")


def _of_comments(lines: list[bytes], corpus: Corpus) -> list[str]:
    genres = [""] * len(corpus.documents)
    starts = sorted(
        (line, row) for row, line in enumerate(corpus.document_line.tolist())
    )
    for number, line in enumerate(lines):
        if found := _COMMENT.match(line):
            # It may stand above the line that names the document.
            below = _next_word(lines, number)
            place = bisect_right(starts, below, key=itemgetter(0)) - 1
            row = starts[max(0, place)][1]
            genres[row] = genres[row] or shown(found[1]).strip()
    return genres


def _next_word(lines: list[bytes], number: int) -> int:
    """Find the line behind a comment, and behind those that follow it."""
    while number < len(lines) and lines[number].startswith(b"#"):
        number += 1
    return number
