"""ECB+, in the XML of the CAT tool: a document a file, entities across documents.

    <Document doc_name="1_1ecb.xml" doc_id="…">
    <token t_id="1" sentence="0" number="0">Mia</token>
    <Markables>
      <HUMAN_PART_PER m_id="3"><token_anchor t_id="1"/></HUMAN_PART_PER>
      <HUMAN_PART_PER m_id="9" TAG_DESCRIPTOR="t1_mia" instance_id="HUM1"/>
    </Markables>
    <Relations>
      <CROSS_DOC_COREF r_id="7" note="HUM1"><source m_id="3"/><target m_id="9"/></…>
    </Relations>

A markable with anchors is a mention; one without describes an entity. An entity is what
a relation lists: across documents by its ``note``, inside of one by its ``r_id``. A
mention in no relation is an entity of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from xml.parsers import expat

from scoref.errors import FormatError
from scoref.formats._builder import CorpusBuilder
from scoref.formats._text import is_number, without_bom
from scoref.formats.format import ECBPLUS
from scoref.formats.token_sets import runs_of, tokens_of
from scoref.model import DocumentName, Note
from scoref.rules import NO_DOCUMENT, UNKNOWN_ENTITY, UNREADABLE_FILE, UNREADABLE_LINE

if TYPE_CHECKING:
    from scoref.formats.format import Asked
    from scoref.model import Corpus
    from scoref.rules import Rule

_ACROSS, _WITHIN = "CROSS_DOC_COREF", "INTRA_DOC_COREF"
_UNKNOWN = "UNKNOWN_INSTANCE_TAG"
_EVENTS = ("ACTION_", "NEG_ACTION_")


def read(data: bytes, asked: Asked) -> Corpus:
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


def _is_wanted(kind: str, asked: Asked) -> bool:
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
