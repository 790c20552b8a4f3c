"""Documents in JSON, whatever their fields are called, put into a corpus.

The module of a format says what a record looks like, and makes a `JsonDocument` of it:
words or a text, with entities. Here records are found and decoded, offsets are checked,
and all is put into columns. What is wrong is told with its line and its place in the
JSON.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import msgspec
import numpy as np

from scoref.errors import Blamed, FormatError
from scoref.formats._builder import CorpusBuilder
from scoref.formats._faults import Faults
from scoref.formats._json_repeats import fields_of, repeated
from scoref.formats._json_spans import Misplaced, placed
from scoref.formats._json_values import UNDECODABLE, values
from scoref.formats._text import shown
from scoref.model import DocumentName, Note, Texts, Tokens
from scoref.rules import (
    IMPOSSIBLE_SPAN,
    MISSING_CLUSTERS,
    NO_DOCUMENT,
    NOT_JSON,
    REPEATED_DOCUMENT,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from scoref.formats._json_spans import JsonDocument
    from scoref.formats._json_values import Value
    from scoref.formats.format import Asked
    from scoref.model import Corpus

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
    asked: Asked,
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

    def __init__(self, asked: Asked, form: Form[Any]) -> None:
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
        if again := repeated(value.data, fields_of(record), self._form.objects):
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
    name = os.path.basename(source)  # noqa: PTH119 - pathlib takes 5 ms to load
    return _ENDINGS.sub("", name) or name
