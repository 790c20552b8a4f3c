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


_EVENTS = ("ACTION_", "NEG_ACTION_")


def read_ecbplus(data: bytes, options: ReadOptions) -> Corpus:
    """Read one document of ECB+."""
    source = options.source
    content = _Parser(source).parse(without_bom(data))
    if not content.words:
        raise _error(source, NO_DOCUMENT, "this file has no token", None)
    path, file = options.document, content.name
    short = file.removesuffix(".xml")
    aliases = tuple(dict.fromkeys((short or path, file or path, path)))
    builder = CorpusBuilder(source, ECBPLUS)
    document = builder.add_document(
        DocumentName(path or short, aliases), line=1, tokens=len(content.words)
    )
    entities: dict[str, int] = {}
    for identifier, label in content.labels(source):
        markable = content.markables[identifier]
        kind = "events" if markable.type.startswith(_EVENTS) else "entities"
        if options.markables not in {None, kind}:
            continue
        if label not in entities:
            entities[label] = builder.add_entity(label, document)
        places = sorted({content.place[token] for token in markable.tokens})
        builder.add_mention(entities[label], runs_of(places), markable.line)
    tokens = tokens_of(content.words, content.sentence)
    notes = [] if options.markables else content.notes(source)
    return builder.build(notes, tokens=tokens)


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
class _Content:
    """The content of a file."""

    name: str = ""
    words: list[str] = field(default_factory=list)
    sentence: list[int] = field(default_factory=list)
    place: dict[str, int] = field(default_factory=dict)  # of tokens, by their ids
    markables: dict[str, _Markable] = field(default_factory=dict)
    relations: list[_Relation] = field(default_factory=list)

    def labels(self, source: str) -> list[tuple[str, str]]:
        """Return each mention with the label of its entity; relations come first."""
        labels: list[tuple[str, str]] = []
        for relation in self.relations:
            for identifier in relation.sources:
                if identifier not in self.markables:
                    problem = f"there is no markable '{identifier}'"
                    raise _error(source, UNKNOWN_ENTITY, problem, relation.line)
                if self.markables[identifier].tokens:
                    labels.append((identifier, relation.label))
        related = {identifier for identifier, _ in labels}
        singletons = [
            (identifier, f"{self.name}#m{identifier}")
            for identifier, markable in self.markables.items()
            if markable.tokens and identifier not in related
        ]
        return [*labels, *singletons]

    def notes(self, source: str) -> list[Note]:
        """Say how many mentions are events, if some are and some are not."""
        types = [each.type for each in self.markables.values() if each.tokens]
        events = sum(name.startswith(_EVENTS) for name in types)
        if events in {0, len(types)}:
            return []
        message = (
            f"{source} has {events:,} mentions of events and {len(types) - events:,} "
            "of entities. Use --markables events or --markables entities to read only "
            "one kind."
        )
        return [Note("events", events, message)]


_ACROSS, _WITHIN = "CROSS_DOC_COREF", "INTRA_DOC_COREF"

_UNKNOWN = "UNKNOWN_INSTANCE_TAG"


class _Parser:
    """Collects the content of a file, element by element."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._content = _Content()
        self._path: list[str] = []
        self._text: list[str] = []
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start_element
        self._parser.EndElementHandler = self._end_element
        self._parser.CharacterDataHandler = self._text.append
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype

    def parse(self, data: bytes) -> _Content:
        try:
            self._parser.Parse(data, True)  # noqa: FBT003 - no keywords there
        except expat.ExpatError as error:
            raise FormatError(
                f"this is not XML: {expat.ErrorString(error.code)}",
                rule=UNREADABLE_FILE,
                source=self._source,
                line=error.lineno,
                hint="Was the file cut off?",
                is_final=True,
            ) from error
        return self._content

    def _refuse_doctype(self, *_: object) -> None:
        problem, line = "DOCTYPE is not allowed here", self._parser.CurrentLineNumber
        raise _error(self._source, UNREADABLE_FILE, problem, line, "Remove it.")

    def _start_element(self, tag: str, attributes: dict[str, str]) -> None:
        content, parent = self._content, self._path[-1] if self._path else ""
        self._path.append(tag)
        line = self._parser.CurrentLineNumber
        if tag == "Document":
            content.name = attributes.get("doc_name", "")
        elif tag == "token":
            self._add_token(attributes, line)
        elif parent == "Markables" and "m_id" in attributes:
            content.markables[attributes["m_id"]] = _Markable(tag, line)
        elif tag == "token_anchor" and content.markables:
            self._add_anchor(attributes.get("t_id", ""), line)
        elif parent == "Relations" and tag in {_ACROSS, _WITHIN}:
            # An entity across documents has a note, others are named by the document.
            note = attributes.get("note", "") if tag == _ACROSS else ""
            label = note or f"{content.name}#r{attributes.get('r_id', '')}"
            content.relations.append(_Relation(label, line))
        elif tag == "source" and parent in {_ACROSS, _WITHIN} and content.relations:
            content.relations[-1].sources.append(attributes.get("m_id", ""))

    def _end_element(self, tag: str) -> None:
        self._path.pop()
        if tag == "token":
            self._content.words.append("".join(self._text).strip())

    def _add_token(self, attributes: dict[str, str], line: int) -> None:
        content, number = self._content, attributes.get("t_id", "")
        sentence = attributes.get("sentence", "")
        if not is_number(sentence) or not number or number in content.place:
            problem = "this token has no number of its own, or no sentence"
            hint = 'Expected <token t_id="1" sentence="0" number="0">.'
            raise _error(self._source, UNREADABLE_LINE, problem, line, hint)
        content.place[number] = len(content.place)
        content.sentence.append(int(sentence))
        self._text.clear()

    def _add_anchor(self, token: str, line: int) -> None:
        content = self._content
        if token not in content.place:
            problem = f"there is no token '{token}'"
            raise _error(self._source, UNREADABLE_LINE, problem, line)
        markable = next(reversed(content.markables.values()))
        if markable.type != _UNKNOWN:
            markable.tokens.append(token)


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


def read_maven_ere(data: bytes, options: ReadOptions) -> Corpus:
    """Read a key of MAVEN-ERE, or a response, which may name its mentions by ids."""
    has_ids_only = options.role == "response" and has_field(data, "coreference")
    reader = _MavenReader(has_ids_only)
    corpus = read_documents(data, options, _FORM, reader.documents)
    corpus = replace(corpus, mention_ids=reader.spans_by_id)
    if has_ids_only:
        # The ids were read as words, which they are not.
        return replace(corpus, document_tokens=None, tokens=None, has_labels=False)
    return corpus


class _MavenReader:
    """Makes documents of records, and collects the spans of mentions by their ids.

    ``spans_by_id`` has the first and last word of each mention, by document and id.
    """

    def __init__(self, has_ids_only: bool) -> None:
        self._has_ids_only = has_ids_only
        self.spans_by_id: dict[str, dict[str, tuple[int, int]]] = {}

    def documents(self, record: _Record) -> Iterator[JsonDocument]:
        """Yield the document of a record."""
        if self._has_ids_only:
            yield self._document_of_ids(record)
        elif record.events is not None:
            yield self._document_of_events(record, record.events)
        else:
            hint = "Give the file with 'tokens' and 'events'."
            problem = "this document has ids of mentions but no mentions"
            raise DocumentError("", problem, hint)

    def _document_of_events(
        self, record: _Record, events: list[_Event]
    ) -> JsonDocument:
        mentions = [mention for event in events for mention in event.mention]
        words = record.tokens
        spans = [(mention.sent_id, *mention.offset) for mention in mentions]
        if not words:  # the mentions are the text
            words = [[each.trigger_word or str(each.id) for each in mentions]]
            spans = [(0, place, place + 1) for place in range(len(mentions))]
        name = record.document_name()
        if name is not None:
            before = [0, *accumulate(map(len, words))]
            self.spans_by_id[name.name] = {
                str(mention.id): (before[sentence] + start, before[sentence] + end - 1)
                for mention, (sentence, start, end) in zip(mentions, spans, strict=True)
                if mention.id is not None and 0 <= sentence < len(words)
            }
        entities, rest = [], iter(spans)
        for number, event in enumerate(events):
            texts = [mention.trigger_word for mention in event.mention]
            entity = JsonEntity(
                str(number if event.id is None else event.id),
                [next(rest) for _ in event.mention],
                f"events[{number}].mention",
                texts if record.tokens else None,
            )
            entities.append(entity)
        return JsonDocument(name, entities, words, is_end_included=False)

    def _document_of_ids(self, record: _Record) -> JsonDocument:
        """Make a document whose words are the ids of mentions."""
        clusters = record.coreference or []
        places: dict[str, tuple[int, int]] = {}
        for cluster in clusters:
            for identifier in map(str, cluster):
                places.setdefault(identifier, (len(places), len(places)))
        name = record.document_name()
        if name is None:
            problem = "this document has ids of mentions but no id"
            raise DocumentError("", problem, "Give each line the 'id' of its document.")
        self.spans_by_id[name.name] = places
        entities = [
            JsonEntity(
                str(row),
                [(0, *places[str(identifier)]) for identifier in cluster],
                f"coreference[{row}]",
            )
            for row, cluster in enumerate(clusters)
        ]
        missing = "coreference" if record.coreference is None else ""
        return JsonDocument(name, entities, [list(places)], missing=missing)
