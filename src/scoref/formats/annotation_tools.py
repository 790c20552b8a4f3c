"""Readers of doccano and Prodigy, whose annotators join spans by relations.

doccano, exported as JSONL from a project for sequence labelling that uses relations.
Offsets count characters, and the end is the character after the mention. ``id`` is the
number of the document.

    {"id": 1, "text": "Mia slept. She dreamt.",
     "entities": [{"id": 5, "label": "PER", "start_offset": 0, "end_offset": 3}, …],
     "relations": [{"id": 1, "from_id": 6, "to_id": 5, "type": "coref"}]}

Prodigy, from ``prodigy db-out`` after ``coref.manual`` or ``rel.manual``. A relation
has the tokens of the two spans that it joins, and the last token is part of a span.

    {"text": "Mia slept. She dreamt.", "tokens": [{"text": "Mia", "start": 0, "end": 3,
     "id": 0, "ws": true}, …], "spans": […], "relations": [{"head": 3, "child": 0,
     "head_span": {"start": 11, "end": 14, "token_start": 3, "token_end": 3},
     "child_span": {"start": 0, "end": 3, "token_start": 0, "token_end": 0},
     "label": "COREF"}], "answer": "accept", "_annotator_id": "coref-ada"}

Relations join mentions, except those whose label begins with *bridg*. In doccano, a
span in no relation is a singleton. ``coref.manual`` marks noun phrases and names
beforehand, so a span of Prodigy is a mention only if a relation joins it. Answers that
were not accepted are left out.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import msgspec

from scoref.errors import FormatError, quoted
from scoref.formats.builder import Groups
from scoref.formats.catalogue import DOCCANO, PRODIGY
from scoref.formats.json_documents import Form, NamedRecord, read_documents
from scoref.formats.json_spans import DocumentError, JsonDocument, JsonEntity
from scoref.formats.webanno import is_joining
from scoref.model import Note
from scoref.rules import NO_DOCUMENT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoref.formats.catalogue import ReadOptions
    from scoref.model import Corpus


@dataclass(slots=True)
class Relations:
    """Chooses the relations that join mentions, and counts them and what is skipped."""

    options: ReadOptions
    joined: Counter[str] = field(default_factory=Counter)  # relations by label
    skipped: Counter[str] = field(default_factory=Counter)

    def is_joining(self, labels: Sequence[str]) -> bool:
        """Check whether a relation with these labels joins mentions, and count it."""
        shown = ", ".join(labels) or "without a label"
        chosen = self.options.relations
        decide = any if chosen else all
        joins = decide(is_joining(label, chosen) for label in labels)
        if joins:
            self.joined[shown] += 1
        else:
            self.skipped[f"relations '{shown}'"] += 1
        return joins

    def notes(self) -> Iterator[Note]:
        """Say which relations joined mentions, and what was skipped."""
        source = self.options.source
        if self.joined:
            labels = ", ".join(
                f"{name} ({n:,})" for name, n in self.joined.most_common()
            )
            message = f"Relations that join mentions in {source}: {labels}."
            yield Note("relations", self.joined.total(), message)
        for what, count in self.skipped.items():
            message = f"Skipped in {source}: {what} ({count:,})."
            yield Note("not-read", count, message)


class _DoccanoSpan(msgspec.Struct):
    id: int
    start_offset: int
    end_offset: int


class _DoccanoRelation(msgspec.Struct):
    from_id: int
    to_id: int
    type: str = ""


class _DoccanoRecord(NamedRecord, kw_only=True):
    text: str
    entities: list[_DoccanoSpan]
    relations: list[_DoccanoRelation]


_DOCCANO_FORM = Form(
    DOCCANO,
    _DoccanoRecord,
    '{"text": "...", "entities": [{"id": 1, "start_offset": 0, "end_offset": 3}, '
    '...], "relations": [{"from_id": 2, "to_id": 1, "type": "coref"}, ...]}',
    objects=("entities", "relations"),
    identifier="'id'",
)


def read_doccano(data: bytes, options: ReadOptions) -> Corpus:
    """Read the export of a project with relations."""
    joining = Relations(options)

    def documents(record: _DoccanoRecord) -> Iterator[JsonDocument]:
        row_of = {str(span.id): row for row, span in enumerate(record.entities)}
        groups = Groups(row_of)
        for row, relation in enumerate(record.relations):
            if not joining.is_joining([relation.type] if relation.type else []):
                continue
            ends = str(relation.from_id), str(relation.to_id)
            for end in ends:
                if end not in row_of:
                    problem = f"this document has no entity with the id {end}"
                    raise DocumentError(f"relations[{row}]", problem)
            groups.join(*ends)
        rows_of = [[row_of[name] for name in names] for names in groups.lists()]
        spans = [(span.start_offset, span.end_offset) for span in record.entities]
        yield JsonDocument(
            record.document_name(),
            [
                JsonEntity(
                    str(number),
                    [spans[row] for row in rows],
                    "",
                    paths=[f"entities[{row}]" for row in rows],
                )
                for number, rows in enumerate(rows_of)
            ],
            text=record.text,
            is_end_included=False,
        )

    corpus = read_documents(data, options, _DOCCANO_FORM, documents)
    return replace(corpus, notes=(*corpus.notes, *joining.notes()))


class _ProdigyToken(msgspec.Struct):
    text: str


class _ProdigySpan(msgspec.Struct):
    token_start: int
    token_end: int


class _ProdigyRelation(msgspec.Struct):
    head: int
    child: int
    head_span: _ProdigySpan | None = None
    child_span: _ProdigySpan | None = None
    label: str | None = None


class _ProdigyRecord(NamedRecord, kw_only=True):
    tokens: list[_ProdigyToken]
    relations: list[_ProdigyRelation]
    spans: list[_ProdigySpan] = msgspec.field(default_factory=list)
    answer: str = "accept"
    input_hash: int | None = msgspec.field(name="_input_hash", default=None)
    annotator_id: str | None = msgspec.field(name="_annotator_id", default=None)
    session_id: str | None = msgspec.field(name="_session_id", default=None)

    def author(self) -> str:
        """Return the annotator, as versions of Prodigy say it; empty if unknown."""
        return self.annotator_id or self.session_id or ""

    def ends(self, relation: _ProdigyRelation) -> list[tuple[int, int]]:
        """Return the first and the last token of the two spans of a relation.

        Tasks that Prodigy has not shown yet may have only tokens. A token then stands
        for the span that it is in.
        """
        ends = []
        for token, span in (
            (relation.head, relation.head_span),
            (relation.child, relation.child_span),
        ):
            around = (
                each
                for each in ([span] if span else self.spans)
                if span or each.token_start <= token <= each.token_end
            )
            end = next(around, _ProdigySpan(token, token))
            ends.append((end.token_start, end.token_end))
        return ends


_PRODIGY_FORM = Form(
    PRODIGY,
    _ProdigyRecord,
    '{"text": "...", "tokens": [{"text": "..."}, ...], "relations": [{"head_span": '
    '{"token_start": 0, "token_end": 0}, "child_span": {...}, "label": "COREF"}]}',
    objects=("tokens", "spans", "relations"),
)


def read_prodigy(data: bytes, options: ReadOptions) -> Corpus:
    """Read the answers of one annotator."""
    answers = _Answers(Relations(options))
    try:
        corpus = read_documents(data, options, _PRODIGY_FORM, answers.documents)
    except FormatError as error:
        if error.rule == NO_DOCUMENT and answers.other_authors:
            error.problem = f"this file has nothing by '{options.annotator}'"
            error.hint = f"It has annotations by {quoted(answers.other_authors)}."
        elif error.rule == NO_DOCUMENT and answers.relations.skipped:
            error.problem = "no answer in this file was accepted"
        raise
    return replace(corpus, notes=(*corpus.notes, *answers.relations.notes()))


@dataclass(slots=True)
class _Answers:
    """Makes documents of accepted answers, one for each text."""

    relations: Relations
    other_authors: list[str] = field(default_factory=list)
    author_of: dict[int, str] = field(default_factory=dict)  # of texts, by their hash

    def documents(self, record: _ProdigyRecord) -> Iterator[JsonDocument]:
        """Yield the document of an answer, if it is one of the annotator's."""
        author = record.author()
        if self.relations.options.annotator not in {"", author}:
            if author not in self.other_authors:
                self.other_authors.append(author)
            return
        if record.answer != "accept":
            self.relations.skipped[f"answers '{record.answer}'"] += 1
            return
        self._refuse_second_answer(record, author)
        spans = [(span.token_start, span.token_end) for span in record.spans]
        paths: dict[tuple[int, int], str] = {}
        links = []
        for row, relation in enumerate(record.relations):
            if not self.relations.is_joining(
                [relation.label] if relation.label else []
            ):
                continue
            ends = record.ends(relation)
            for name, end in zip(("head", "child"), ends, strict=True):
                paths.setdefault(end, f"relations[{row}].{name}_span")
            links.append(ends)
        unjoined = sum(span not in paths for span in spans)
        if unjoined:
            self.relations.skipped["spans that no relation joins"] += unjoined
        span_of = {str(span): span for span in sorted(paths)}
        groups = Groups(span_of)
        for one, other in links:
            groups.join(str(one), str(other))
        members = [[span_of[name] for name in names] for names in groups.lists()]
        yield JsonDocument(
            record.document_name(),
            [
                JsonEntity(
                    str(number), entity, "", paths=[paths[span] for span in entity]
                )
                for number, entity in enumerate(members)
            ],
            [[token.text for token in record.tokens]],
        )

    def _refuse_second_answer(self, record: _ProdigyRecord, author: str) -> None:
        """Refuse a text that was annotated twice."""
        if record.input_hash is None:
            return
        before = self.author_of.get(record.input_hash)
        if before not in {None, author}:
            problem = f"this text was annotated by '{before}' and '{author}'"
            raise DocumentError("", problem, "Choose one with --annotator NAME.")
        if before is not None:
            problem = "this text was annotated twice"
            raise DocumentError("", problem, "Remove one of the answers.")
        self.author_of[record.input_hash] = author
