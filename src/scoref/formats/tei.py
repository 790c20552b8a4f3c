"""Reader of TEI, in which references are elements that point to what they refer to.

    <TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader>…</teiHeader><text><body>
    <p><rs ref="#mia">Mia</rs> slept. <rs ref="#mia">She</rs> dreamt.</p>
    </body></text></TEI>

Mentions are ``rs``, ``name``, ``persName`` and other names with a ``ref`` or a ``key``,
which is the entity. An ``rs`` with only an ``xml:id`` is the mention to which others
point. Several pointers put a mention into several entities. ``prev`` or
``next`` joins the pieces of a mention with a gap; CorefAnnotator writes ``prev`` with
the id of the first piece.

The text is the content of ``text``. It is cut at blanks, at words (``w``, ``pc``), and
where a mention starts or ends. Paragraphs, lines, sentences and other blocks are
sentences here. Of a ``choice``, only what the editor wrote is read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple
from xml.parsers import expat

import numpy as np

from scoref.errors import FormatError
from scoref.formats.builder import CorpusBuilder, Faults, Groups
from scoref.formats.catalogue import TEI
from scoref.formats.input_files import without_bom
from scoref.formats.json_documents import name_without_endings
from scoref.formats.json_spans import TextTokens, cut_text
from scoref.model import DocumentName, Note, Texts, Tokens
from scoref.model.arrays import bounds
from scoref.notes import WARNING
from scoref.printable import counted
from scoref.rules import IMPOSSIBLE_SPAN, NO_DOCUMENT, UNKNOWN_ENTITY, UNREADABLE_FILE

if TYPE_CHECKING:
    from scoref.formats.catalogue import ReadOptions
    from scoref.model import Corpus
    from scoref.rules import Rule


class _Reference(NamedTuple):
    """An element that refers to entities, by its characters in the text."""

    entities: tuple[str, ...]
    start: int
    end: int
    line: int
    id: str = ""
    previous: str = ""
    next: str = ""


@dataclass(slots=True)
class _Text:
    """The text of a document that is being read, and what is in it."""

    name: str
    line: int
    parts: list[str] = field(default_factory=list)
    size: int = 0
    part_start: list[int] = field(default_factory=list)
    part_line: list[int] = field(default_factory=list)
    references: list[_Reference] = field(default_factory=list)
    borders: list[int] = field(default_factory=list)
    block_starts: list[int] = field(default_factory=list)

    def add(self, text: str, line: int) -> None:
        self.part_start.append(self.size)
        self.part_line.append(line)
        self.parts.append(text)
        self.size += len(text)

    def start_block(self, line: int) -> None:
        """Begin or end a block, which separates words and sentences."""
        if self.size:
            self.add("\n", line)
        self.block_starts.append(self.size)


_NAMES = frozenset(
    (
        *("rs", "name", "persName", "placeName", "orgName", "geogName", "objectName"),
        *("eventName", "roleName", "country", "settlement", "region", "district"),
    )
)

_BLOCKS = frozenset(
    (
        *("p", "ab", "s", "u", "l", "lg", "head", "div", "sp", "speaker", "stage"),
        *(
            "item",
            "label",
            "cell",
            "row",
            "note",
            "opener",
            "closer",
            "salute",
            "byline",
        ),
        *("signed", "dateline", "trailer", "epigraph", "front", "body", "back"),
        *("titlePart", "docTitle", "docAuthor", "docDate", "castItem", "set"),
    )
)

_BREAKS = frozenset(("lb", "pb", "cb", "gb", "milestone"))

_WORDS = frozenset(("w", "pc"))

_LEFT_OUT = frozenset((("choice", "sic"), ("choice", "orig"), ("choice", "abbr")))

_XML_ID = "http://www.w3.org/XML/1998/namespace id"


class _Parser:
    """Collects the texts of a file, element by element."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._texts: list[_Text] = []
        self._text: _Text | None = None  # if the parser is inside of it
        self._path: list[str] = []
        self._open: list[_Reference | None] = []  # an entry for each open element
        self._left_out = 0  # the number of open elements in one that is left out
        self._name = ""
        self.without_entity = 0
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start_element
        self._parser.EndElementHandler = self._end_element
        self._parser.CharacterDataHandler = self._add_text
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype

    def parse(self, data: bytes) -> list[_Text]:
        try:
            self._parser.Parse(data, True)  # noqa: FBT003 - no keywords there
        except expat.ExpatError as error:
            problem = f"this is not XML: {expat.ErrorString(error.code)}"
            hint = "Was the file cut off?"
            raise _error(
                self._source, UNREADABLE_FILE, problem, error.lineno, hint
            ) from error
        return self._texts

    @property
    def _line(self) -> int:
        return self._parser.CurrentLineNumber

    def _refuse_doctype(self, *_: object) -> None:
        problem = "DOCTYPE is not allowed here"
        raise _error(self._source, UNREADABLE_FILE, problem, self._line, "Remove it.")

    def _start_element(self, name: str, attributes: dict[str, str]) -> None:
        tag, parent = name.rpartition(" ")[2], self._path[-1] if self._path else ""
        self._path.append(tag)
        text, reference = self._text, None
        is_left_out = (parent, tag) in _LEFT_OUT or tag in {"fw", "rdg"}
        if self._left_out or is_left_out:
            self._left_out += 1
        elif tag in {"TEI", "TEI.2"}:
            self._name = attributes.get(_XML_ID, "")
        elif tag == "text" and text is None and parent != "group":
            self._text = _Text(self._name, self._line)
            self._texts.append(self._text)
        elif text is None:
            pass
        elif tag in _BLOCKS:
            text.start_block(self._line)
        elif tag in _BREAKS and attributes.get("break") != "no":
            text.add(" ", self._line)
        elif tag in _WORDS:
            text.borders.append(text.size)
        elif tag in _NAMES:
            name = attributes.get(_XML_ID) or attributes.get("id", "")
            entities = (attributes.get("ref") or attributes.get("key") or "").split()
            if tag == "rs" and name:
                entities = entities or [name]
            self.without_entity += tag == "rs" and not entities
            if entities:
                reference = _Reference(
                    tuple(dict.fromkeys(each.removeprefix("#") for each in entities)),
                    text.size,
                    text.size,
                    self._line,
                    name,
                    attributes.get("prev", "").removeprefix("#"),
                    attributes.get("next", "").removeprefix("#"),
                )
        self._open.append(reference)

    def _end_element(self, _: str) -> None:
        tag, reference, text = self._path.pop(), self._open.pop(), self._text
        if self._left_out:
            self._left_out -= 1
        elif text is None:
            pass
        elif tag == "text" and "text" not in self._path:
            self._text = None
        elif tag in _BLOCKS:
            text.start_block(self._line)
        elif tag in _WORDS:
            text.borders.append(text.size)
        elif reference is not None:
            text.references.append(reference._replace(end=text.size))

    def _add_text(self, text: str) -> None:
        if self._text is not None and not self._left_out:
            # The parser is at the end of the text.
            first = self._line - text.count("\n")
            for number, line in enumerate(text.split("\n")):
                self._text.add(f"\n{line}" if number else line, first + number)


def read(data: bytes, options: ReadOptions) -> Corpus:
    """Read the documents of a file."""
    source = options.source
    parser = _Parser(source)
    texts = parser.parse(without_bom(data))
    if not texts:
        problem, hint = "this file has no <text>", "Expected <TEI> with a <text>."
        raise _error(source, NO_DOCUMENT, problem, None, hint)
    builder, parts = CorpusBuilder(source, TEI), list[TextTokens]()
    faults = Faults(source, lenient=options.lenient)
    file_name = options.document or name_without_endings(source)
    for number, text in enumerate(texts, start=1):
        name = DocumentName.plain(text.name or file_name)
        if len(texts) > 1 and not text.name:
            name = DocumentName.numbered(number)
        elif len(texts) == 1:
            name = DocumentName.plain(file_name)
        tokens = _tokens_of(text)
        parts.append(tokens)
        document = builder.add_document(name, line=text.line, tokens=len(tokens.start))
        _add_mentions(builder, faults, document, text, tokens)
    notes = faults.notes()
    if parser.without_entity:
        number_of = counted(
            parser.without_entity,
            "element <rs> has no 'ref' and was left out",
            "elements <rs> have no 'ref' and were left out",
        )
        message = f"{WARNING}{source}: {number_of}."
        notes.append(Note("without-entity", parser.without_entity, message))
    return builder.build(notes, tokens=_joined(texts, parts))


def _tokens_of(text: _Text) -> TextTokens:
    """Cut a text; its blocks are sentences."""
    borders = list(text.borders)
    for reference in text.references:
        borders += [reference.start, reference.end]
    tokens = cut_text("".join(text.parts), borders)
    starts = np.unique(np.array(text.block_starts, dtype=np.int64))
    block = np.searchsorted(starts, tokens.start, side="right")
    _, sentence = np.unique(block, return_inverse=True)
    return tokens._replace(sentence=sentence)


def _joined(texts: list[_Text], parts: list[TextTokens]) -> Tokens:
    """Join the tokens of documents."""
    lines, sentences, sentence_count = [], [], 0
    for text, tokens in zip(texts, parts, strict=True):
        row = np.searchsorted(text.part_start, tokens.start, side="right") - 1
        lines.append(np.array([*text.part_line, 0], dtype=np.int64)[row])
        sentences.append(tokens.sentence + sentence_count)
        sentence_count += int(tokens.sentence.max(initial=-1)) + 1
    lengths = np.array([len(tokens.start) for tokens in parts], dtype=np.int64)
    words = zip(*(tokens.word for tokens in parts), strict=True)
    return Tokens(
        first=bounds(lengths),
        sentence=np.concatenate(sentences),
        line=np.concatenate(lines),
        word=Texts(*map(np.concatenate, words)),
    )


def _add_mentions(
    builder: CorpusBuilder,
    faults: Faults,
    document: int,
    text: _Text,
    tokens: TextTokens,
) -> None:
    """Add the mentions of a text; the pieces of one are joined."""
    references = text.references
    start = np.array([each.start for each in references], dtype=np.int64)
    end = np.array([each.end for each in references], dtype=np.int64)
    first, last = (column.tolist() for column in tokens.runs(start, end))
    by_id = {each.id: each for each in references if each.id}
    entities: dict[str, int] = {}
    for rows in _mentions(references, builder.source):
        rows.sort(key=first.__getitem__)
        reference = references[rows[0]]
        runs = [(first[row], last[row]) for row in rows if first[row] <= last[row]]
        if not runs:
            tag = f"the reference to '{reference.entities[0]}' has no words"
            hint = "Expected an element around the words of a mention."
            error = _error(builder.source, IMPOSSIBLE_SPAN, tag, reference.line, hint)
            error.is_final = False
            faults.report("unreadable-mentions", error)
            continue
        for label in dict.fromkeys(_entity(each, by_id) for each in reference.entities):
            if label not in entities:
                entities[label] = builder.add_entity(label, document)
            builder.add_mention(entities[label], _united(runs), reference.line)


def _mentions(references: list[_Reference], source: str) -> list[list[int]]:
    """Return the rows of the pieces of each mention, in the order of the text."""
    row_of = {each.id: str(row) for row, each in enumerate(references) if each.id}
    groups = Groups(map(str, range(len(references))))
    for row, reference in enumerate(references):
        for name in filter(None, (reference.previous, reference.next)):
            if name not in row_of:
                problem = f"there is no reference with the id '{name}'"
                raise _error(source, UNKNOWN_ENTITY, problem, reference.line)
            if references[int(row_of[name])].entities != reference.entities:
                problem = f"this piece of '{name}' refers to another entity"
                raise _error(source, UNKNOWN_ENTITY, problem, reference.line)
            groups.join(str(row), row_of[name])
    return [[int(row) for row in rows] for rows in groups.lists()]


def _entity(label: str, by_id: dict[str, _Reference]) -> str:
    """Return the entity of a pointer, which may point to another mention."""
    path: list[str] = []
    while label in by_id and label not in path and len(by_id[label].entities) == 1:
        path.append(label)
        label = by_id[label].entities[0]
    return min(path[path.index(label) :]) if label in path else label


def _united(runs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Unite runs that touch or overlap."""
    united = [runs[0]]
    for first, last in runs[1:]:
        before = united[-1]
        if first <= before[1] + 1:
            united[-1] = (before[0], max(before[1], last))
        else:
            united.append((first, last))
    return united


def _error(
    source: str, rule: Rule, problem: str, line: int | None, hint: str = ""
) -> FormatError:
    return FormatError(
        problem, rule=rule, source=source, line=line, hint=hint, is_final=True
    )
