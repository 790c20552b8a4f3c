"""Readers of two corpora of events: ECB+ and MAVEN-ERE.

ECB+ is in the XML of the CAT tool, with one document per file and with entities across
documents:

    <Document doc_name="1_1ecb.xml" doc_id="…">
    <token t_id="1" sentence="0" number="0">Mia</token>
    <Markables>
      <HUMAN_PART_PER m_id="3"><token_anchor t_id="1"/></HUMAN_PART_PER>
      <HUMAN_PART_PER m_id="9" TAG_DESCRIPTOR="t1_mia" instance_id="HUM1"/>
    </Markables>
    <Relations>
      <CROSS_DOC_COREF r_id="7" note="HUM1"><source m_id="3"/><target m_id="9"/></…>
    </Relations>

A markable with anchors is a mention; a markable without anchors describes an entity.
A relation lists the mentions of an entity. Its ``note`` identifies an entity across
documents, and its ``r_id`` identifies one within a document. A mention in no relation
is an entity of its own.

MAVEN-ERE has sentences of words, and events with their mentions:

    {"id": "d1", "tokens": [["Mia", "slept"], ["She", "dreamt"]],
     "events": [{"id": "e1", "mention": [
         {"id": "m1", "sent_id": 0, "offset": [1, 2], "trigger_word": "slept"}]}]}
    {"id": "d1", "coreference": [["m1", "m2"]]}

Words are counted by sentence, and the end is the word after the mention. If a key has
no words, its mentions are placed one after the other. A response without words may
name the mentions of the key by their ids.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import TYPE_CHECKING
from xml.parsers import expat

import msgspec

from scoref.errors import FormatError
from scoref.formats.builder import CorpusBuilder
from scoref.formats.catalogue import ECBPLUS, MAVEN_ERE
from scoref.formats.input_files import is_number, without_bom
from scoref.formats.json_documents import Form, NamedRecord, has_field, read_documents
from scoref.formats.json_spans import DocumentError, JsonDocument, JsonEntity
from scoref.formats.tokens import runs_of, tokens_of
from scoref.model import DocumentName, Note
from scoref.rules import NO_DOCUMENT, UNKNOWN_ENTITY, UNREADABLE_FILE, UNREADABLE_LINE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.formats.catalogue import ReadOptions
    from scoref.model import Corpus
    from scoref.rules import Rule

    Ids = dict[str, dict[str, tuple[int, int]]]


_ACROSS, _WITHIN = "CROSS_DOC_COREF", "INTRA_DOC_COREF"

_UNKNOWN = "UNKNOWN_INSTANCE_TAG"

_EVENTS = ("ACTION_", "NEG_ACTION_")


def read_ecbplus(data: bytes, asked: ReadOptions) -> Corpus:
    """Read one document."""
    found = _Parser(asked.source).parse(without_bom(data))
    if not found.words:
        raise _error(asked.source, NO_DOCUMENT, "there is no token in this file", None)
    builder = CorpusBuilder(asked.source, ECBPLUS)
    name = _name(asked.document, found.name)
    document = builder.add_document(name, line=1, tokens=len(found.words))
    entities: dict[str, int] = {}
    for identifier, label in found.labels(asked.source):
        markable = found.markables[identifier]
        if not _is_wanted(markable.type, asked):
            continue
        if label not in entities:
            entities[label] = builder.add_entity(label, document)
        places = sorted({found.place[token] for token in markable.tokens})
        builder.add_mention(entities[label], runs_of(places), markable.line)
    tokens = tokens_of(found.words, found.sentence)
    notes = [] if asked.markables else found.notes(asked.source)
    return builder.build(notes, tokens=tokens)


def _is_wanted(kind: str, asked: ReadOptions) -> bool:
    is_event = kind.startswith(_EVENTS)
    return asked.markables in {None, "events" if is_event else "entities"}


def _name(path: str, said: str) -> DocumentName:
    """Call a document by its path; what it calls itself is as good."""
    short = said.removesuffix(".xml")
    aliases = dict.fromkeys((short or path, said or path, path))
    return DocumentName(path or short, tuple(aliases))


@dataclass(slots=True)
class _Markable:
    type: str
    line: int
    tokens: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Relation:
    label: str
    line: int
    sources: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Found:
    """What stands in a file."""

    name: str = ""
    words: list[str] = field(default_factory=list)
    sentence: list[int] = field(default_factory=list)
    place: dict[str, int] = field(default_factory=dict)  # of tokens, by their ids
    markables: dict[str, _Markable] = field(default_factory=dict)
    relations: list[_Relation] = field(default_factory=list)

    def labels(self, source: str) -> list[tuple[str, str]]:
        """Give every mention the name of its entity; relations come first."""
        found: list[tuple[str, str]] = []
        for relation in self.relations:
            for identifier in relation.sources:
                if identifier not in self.markables:
                    problem = f"there is no markable {identifier}"
                    raise _error(source, UNKNOWN_ENTITY, problem, relation.line)
                if self.markables[identifier].tokens:
                    found.append((identifier, relation.label))
        listed = {identifier for identifier, _ in found}
        alone = [
            (identifier, f"{self.name}#m{identifier}")
            for identifier, markable in self.markables.items()
            if markable.tokens and identifier not in listed
        ]
        return [*found, *alone]

    def notes(self, source: str) -> list[Note]:
        """Tell how many mentions are events."""
        types = [each.type for each in self.markables.values() if each.tokens]
        events = sum(each.startswith(_EVENTS) for each in types)
        if events in {0, len(types)}:
            return []
        message = f"{source}: {events} of {len(types)} mentions are events; "
        message += "--markables events, or entities, reads one kind"
        return [Note("events", events, message)]


class _Parser:
    """Walks through the elements of a file."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._found = _Found()
        self._path: list[str] = []
        self._text: list[str] = []
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text.append
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype

    def parse(self, data: bytes) -> _Found:
        try:
            self._parser.Parse(data, True)  # noqa: FBT003 - no keywords there
        except expat.ExpatError as error:
            problem = f"this is no XML: {expat.ErrorString(error.code)}"
            hint = "was the file cut off?"
            raise FormatError(
                problem,
                rule=UNREADABLE_FILE,
                source=self._source,
                line=error.lineno,
                hint=hint,
                is_final=True,
            ) from error
        return self._found

    def _refuse_doctype(self, *_: object) -> None:
        problem, line = "there is a DOCTYPE here", self._parser.CurrentLineNumber
        raise _error(self._source, UNREADABLE_FILE, problem, line, "leave it out")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        found, parent = self._found, self._path[-1] if self._path else ""
        self._path.append(tag)
        line = self._parser.CurrentLineNumber
        if tag == "Document":
            found.name = attributes.get("doc_name", "")
        elif tag == "token":
            self._token(attributes, line)
        elif parent == "Markables" and "m_id" in attributes:
            found.markables[attributes["m_id"]] = _Markable(tag, line)
        elif tag == "token_anchor" and found.markables:
            self._anchor(attributes.get("t_id", ""), line)
        elif parent == "Relations" and tag in {_ACROSS, _WITHIN}:
            found.relations.append(_Relation(_label(tag, attributes, found.name), line))
        elif tag == "source" and parent in {_ACROSS, _WITHIN} and found.relations:
            found.relations[-1].sources.append(attributes.get("m_id", ""))

    def _token(self, attributes: dict[str, str], line: int) -> None:
        found, number = self._found, attributes.get("t_id", "")
        sentence = attributes.get("sentence", "")
        if not is_number(sentence) or not number or number in found.place:
            problem = "this token has no number of its own, or no sentence"
            hint = 'expected <token t_id="1" sentence="0" number="0">'
            raise _error(self._source, UNREADABLE_LINE, problem, line, hint)
        found.place[number] = len(found.place)
        found.sentence.append(int(sentence))
        self._text.clear()

    def _anchor(self, token: str, line: int) -> None:
        found = self._found
        if token not in found.place:
            problem = f"there is no token {token}"
            raise _error(self._source, UNREADABLE_LINE, problem, line)
        markable = next(reversed(found.markables.values()))
        if markable.type != _UNKNOWN:
            markable.tokens.append(token)

    def _end(self, tag: str) -> None:
        self._path.pop()
        if tag == "token":
            self._found.words.append("".join(self._text).strip())


def _label(tag: str, attributes: dict[str, str], document: str) -> str:
    """Name an entity: across documents by its note, or by the document it is in."""
    note = attributes.get("note", "") if tag == _ACROSS else ""
    return note or f"{document}#r{attributes.get('r_id', '')}"


def _error(
    source: str, rule: Rule, problem: str, line: int | None, hint: str = ""
) -> FormatError:
    return FormatError(problem, rule=rule, source=source, line=line, hint=hint)


class _Mention(msgspec.Struct):
    sent_id: int
    offset: tuple[int, int]
    trigger_word: str | None = None
    id: str | int | None = None


class _Event(msgspec.Struct):
    mention: list[_Mention]
    id: str | int | None = None


class _Record(NamedRecord, kw_only=True):
    tokens: list[list[str]] = msgspec.field(default_factory=list)
    events: list[_Event] | None = None
    coreference: list[list[str | int]] | None = None


_FORM = Form(
    MAVEN_ERE,
    _Record,
    '{"id": "...", "tokens": [["word", ...]], "events": [{"mention": [...]}, ...]}',
    has_labels=True,
    objects=("events",),
)


def read_maven_ere(data: bytes, asked: ReadOptions) -> Corpus:
    """Read a key of MAVEN-ERE, or a response, which may name its mentions by ids."""
    reader = _Reader(data, asked)
    corpus = read_documents(data, asked, _FORM, reader.documents)
    return reader.finished(corpus)


class _Reader:
    """Notes where mentions are, by their ids, while documents are read."""

    def __init__(self, data: bytes, asked: ReadOptions) -> None:
        self._names_only = asked.role == "response" and has_field(data, "coreference")
        self._ids: Ids = {}

    def documents(self, record: _Record) -> Iterator[JsonDocument]:
        """Make a document of a record."""
        if self._names_only:
            yield self._with_ids(record, record.coreference)
        elif record.events is not None:
            yield self._with_events(record, record.events)
        else:
            hint = "give the file with 'tokens' and 'events'"
            problem = "there are ids of mentions here, but no mentions"
            raise DocumentError("", problem, hint)

    def finished(self, corpus: Corpus) -> Corpus:
        """Add what was noted; ids are no words, and have no places of their own."""
        found = replace(corpus, mention_ids=self._ids)
        if not self._names_only:
            return found
        return replace(found, document_tokens=None, tokens=None, has_labels=False)

    def _with_events(self, record: _Record, events: list[_Event]) -> JsonDocument:
        every = [mention for event in events for mention in event.mention]
        words = record.tokens or [[_shown(each) for each in every]]
        spans = _spans(record, every)
        self._note(record, every, spans, words)
        found = iter(spans)
        entities = [
            JsonEntity(
                str(number if event.id is None else event.id),
                [next(found) for _ in event.mention],
                f"events[{number}].mention",
                [each.trigger_word for each in event.mention]
                if record.tokens
                else None,
            )
            for number, event in enumerate(events)
        ]
        return JsonDocument(
            record.document_name(), entities, words, is_end_included=False
        )

    def _note(
        self,
        record: _Record,
        mentions: list[_Mention],
        spans: list[tuple[int, int, int]],
        words: list[list[str]],
    ) -> None:
        """Note where mentions are, counted in words of the document."""
        name = record.document_name()
        if name is None:
            return
        before = [0, *accumulate(map(len, words))]
        self._ids[name.name] = {
            str(each.id): (before[sentence] + start, before[sentence] + end - 1)
            for each, (sentence, start, end) in zip(mentions, spans, strict=True)
            if each.id is not None and 0 <= sentence < len(words)
        }

    def _with_ids(
        self, record: _Record, coreference: list[list[str | int]] | None
    ) -> JsonDocument:
        clusters = coreference or []
        numbers: dict[str, tuple[int, int]] = {}
        for each in (str(each) for cluster in clusters for each in cluster):
            numbers.setdefault(each, (len(numbers), len(numbers)))
        name = record.document_name()
        if name is None:
            problem = "there are ids of mentions here, but not of the document"
            raise DocumentError("", problem, "give each line the 'id' of its document")
        self._ids[name.name] = numbers
        entities = [
            JsonEntity(
                str(row),
                [(0, *numbers[str(each)]) for each in cluster],
                f"coreference[{row}]",
            )
            for row, cluster in enumerate(clusters)
        ]
        missing = "coreference" if coreference is None else ""
        return JsonDocument(name, entities, [list(numbers)], missing=missing)


def _spans(record: _Record, mentions: list[_Mention]) -> list[tuple[int, int, int]]:
    """Give sentence, start and end; without words, mentions stand in a row."""
    if record.tokens:
        return [(each.sent_id, *each.offset) for each in mentions]
    return [(0, place, place + 1) for place in range(len(mentions))]


def _shown(mention: _Mention) -> str:
    return mention.trigger_word or str(mention.id)
