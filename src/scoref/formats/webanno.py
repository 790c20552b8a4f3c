"""Reader of WebAnno TSV 3.

INCEpTION and WebAnno export this format, and GUM is published in it. Coreference is in
a layer of chains, or in a layer of spans and a layer of relations:

    #T_CH=…CoreferenceLink|referenceType|referenceRelation
    1-1⇥0-3⇥Mia⇥CM[1]⇥coref->1-1⇥                        link 1 of chain 1

    #T_SP=webanno.custom.Referent|entity
    #T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent
    1-1⇥0-3⇥Mia⇥person[1]⇥coref⇥2-1[4_1]⇥              from span 4, at 2-1, to span 1

Mentions are all links of chains, or all spans. Entities are the chains, or the spans
that relations join. Relations whose type begins with ``bridge`` do not join spans.

An empty cell is ``_``. Several values in a cell are separated by bars, and a number in
brackets identifies the annotation of several words to which a value belongs. Offsets
are UTF-16 units. A row such as ``1-1.1`` is a part of the word 1-1, which is cut there.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import FormatError
from scoref.formats.builder import CorpusBuilder
from scoref.formats.catalogue import WEBANNO
from scoref.formats.input_files import decode_text
from scoref.formats.tokens import Groups, tokens_of
from scoref.model import DocumentName, Note
from scoref.rules import (
    BAD_HEADER,
    NO_DOCUMENT,
    UNKNOWN_ENTITY,
    UNREADABLE_CELL,
    UNREADABLE_LINE,
)

if TYPE_CHECKING:
    from scoref.formats.catalogue import ReadOptions
    from scoref.model import Corpus
    from scoref.rules import Rule


_CHAINS = "CoreferenceLink"

_RELATION = "referenceRelation"

_SYNTAX = "Dependency"

_BRIDGE = "bridge"

_KNOWN = frozenset(("coref", "ana", "cata", "appos", "pred", "disc"))

_LINK = re.compile(r"(.*)->(\d{1,15})-(\d{1,15})", re.ASCII | re.DOTALL)

_SOURCE = re.compile(r"(\d+-\d+(?:\.\d+)*)(?:\[(\d+)_(\d+)\])?", re.ASCII)

_FIRST = 3  # column of a feature


class _Mention(NamedTuple):
    start: int
    end: int
    line: int


class _Found(NamedTuple):
    """Mentions by entity, and what was noted."""

    entities: dict[str, list[_Mention]]
    notes: list[Note]


def read(data: bytes, asked: ReadOptions) -> Corpus:
    """Read one document."""
    rows = read_rows(data, asked.source)
    layer = _layer(rows.layers, asked.source)
    found = (_chains if layer.kind == "CH" else _relations)(rows, layer, asked)
    builder = CorpusBuilder(asked.source, WEBANNO, has_labels=False)
    name = DocumentName.plain(asked.document)
    document = builder.add_document(name, line=1, tokens=len(rows.words))
    for label, mentions in found.entities.items():
        entity = builder.add_entity(label, document)
        for mention in mentions:
            builder.mentions += [entity, *mention]
    return builder.build(found.notes, tokens=tokens_of(rows.words, rows.sentence))


def _layer(layers: list[Layer], source: str) -> Layer:
    """Choose the layer that coreference is in."""
    chains = [each for each in layers if each.kind == "CH"]
    usual = [each for each in chains if each.type.endswith(_CHAINS)]
    relations = [
        each for each in layers if each.kind == "RL" and not each.type.endswith(_SYNTAX)
    ]
    for candidates in (usual, [*chains, *relations]):
        if len(candidates) == 1:
            return candidates[0]
    names = ", ".join(f"{each.type} ({each.kind})" for each in layers) or "none"
    raise bad_header(
        "this file does not say in which layer coreference is",
        source,
        f"looked for a layer of chains (CH) such as {_CHAINS}, or for one of "
        f"relations (RL); its layers are: {names}; export no other one",
    )


def _chains(rows: WebAnnoFile, layer: Layer, asked: ReadOptions) -> _Found:
    source = asked.source
    if _RELATION not in layer.features:
        raise bad_header(
            f"the layer {layer.type} has no feature {_RELATION}",
            source,
            f"its features are {', '.join(layer.features) or 'none'}",
        )
    column = _FIRST + layer.column + layer.features.index(_RELATION)
    chains: dict[str, dict[str, _Mention]] = {}
    for row in rows.rows:
        for value in row.values(column):
            link = _LINK.fullmatch(value.text)
            if link is None:
                raise _unreadable(row, column, source, "a link such as 'coref->1-2'")
            mentions = chains.setdefault(link[2], {})
            first = mentions.get(link[3], _Mention(row.first, row.last, row.line))
            mentions[link[3]] = first._replace(end=max(first.end, row.last))
    entities = {label: [*mentions.values()] for label, mentions in chains.items()}
    return _Found(entities, [])


def _relations(rows: WebAnnoFile, layer: Layer, asked: ReadOptions) -> _Found:
    source = asked.source
    bases = [each for each in rows.layers if each.type == layer.base]
    if not bases or bases[0].kind != "SP":
        raise bad_header(
            f"relations of {layer.type} are between '{layer.base}', which is no layer",
            source,
            "expected #T_SP with the same name before it",
        )
    spans = _spans(rows, _FIRST + bases[0].column)
    groups = Groups(spans)
    types: Counter[str] = Counter()
    for row in rows.rows:
        for kind, one, other in _pairs(row, layer, source):
            types[kind] += 1
            if not _joins(kind, asked.relations):
                continue
            for span in (one, other):
                if span not in spans:
                    raise _spanless(row, span, source)
            groups.join(one, other)
    entities = {
        str(number): [spans[name] for name in names]
        for number, names in enumerate(groups.lists())
    }
    return _Found(entities, _told(types, asked))


def _spans(rows: WebAnnoFile, column: int) -> dict[str, _Mention]:
    """Find spans by their numbers; without one, a span is one word."""
    found: dict[str, _Mention] = {}
    for row in rows.rows:
        for value in row.values(column):
            if value.text == "_":
                continue
            name = value.number or row.id
            first = found.get(name, _Mention(row.first, row.last, row.line))
            found[name] = first._replace(end=max(first.end, row.last))
    return found


def _pairs(row: WebAnnoRow, layer: Layer, source: str) -> list[tuple[str, str, str]]:
    """List the relations at a row: their types, and the spans that they join."""
    column = _FIRST + layer.column
    last = column + max(1, len(layer.features)) - 1
    sources = row.values(last)
    kinds = [value.text for value in row.values(column)] if column < last else []
    found = []
    for number, value in enumerate(sources):
        whole = f"{value.text}[{value.number}]" if value.number else value.text
        place = _SOURCE.fullmatch(whole)
        if place is None:
            raise _unreadable(row, last, source, "the place of a span: '2-1[4_1]'")
        kind = plain(kinds[number]) if number < len(kinds) else ""
        theirs, mine = (each or "0" for each in place.groups()[1:])
        one = place[1] if theirs == "0" else theirs
        found.append((kind, one, row.id if mine == "0" else mine))
    return found


def _joins(kind: str, wanted: tuple[str, ...]) -> bool:
    """Tell whether a relation joins mentions: those asked for, or all but bridges."""
    return kind in wanted if wanted else not kind.startswith(_BRIDGE)


def _told(types: Counter[str], asked: ReadOptions) -> list[Note]:
    """Tell which relations joined mentions, unless these are usual, and which not."""
    notes = []
    joining = {kind: n for kind, n in types.items() if _joins(kind, asked.relations)}
    others = sum(types.values()) - sum(joining.values())
    if others:
        what = "other relations" if asked.relations else "relations of bridging"
        message = f"{asked.source}: {others} {what} join nothing"
        notes.append(Note("bridging-relations", others, message))
    if not _KNOWN.issuperset(joining):
        counted = [f"{kind or 'without a type'} {n}" for kind, n in joining.items()]
        message = f"{asked.source}: relations that join mentions: {', '.join(counted)}"
        message += "; --relations chooses"
        notes.append(Note("relation-types", sum(joining.values()), message))
    return notes


def _unreadable(
    row: WebAnnoRow, column: int, source: str, expected: str
) -> FormatError:
    cell = row.cells[column]
    return FormatError(
        f"'{cell}' cannot be read",
        rule=UNREADABLE_CELL,
        source=source,
        line=row.line,
        text="\t".join(row.cells),
        hint=f"expected {expected}, in column {column + 1}",
    )


def _spanless(row: WebAnnoRow, span: str, source: str) -> FormatError:
    return FormatError(
        f"there is no span {span}",
        rule=UNKNOWN_ENTITY,
        source=source,
        line=row.line,
        text="\t".join(row.cells),
        hint="relations name the numbers of spans, or their words",
    )


_HEADER = re.compile(r"#T_(SP|CH|RL)=(.*)")

_VERSION = re.compile(r"#FORMAT=WebAnno TSV (3\.\d+)")

_ROW = re.compile(r"(\d{1,9})-(\d{1,9})(\.\d{1,9})*", re.ASCII)

_OFFSETS = re.compile(r"(\d{1,15})-(\d{1,15})", re.ASCII)

_ESCAPED = re.compile(r"\\(->|.)")

_STACKED = re.compile(r"(?:\\.|[^\\|]|\\$)+")

_VALUE = re.compile(r"((?:\\.|[^\\])*?)(?:\[(\d{1,15})\])?", re.ASCII)

_WORD, _COLUMNS = 2, 3

_UNIT = 2  # bytes of UTF-16


class Layer(NamedTuple):
    """A kind of annotation: SP for spans, CH for chains, RL for relations."""

    kind: str
    type: str
    features: tuple[str, ...]
    column: int

    @property
    def base(self) -> str:
        """Name the layer of spans that relations are between."""
        named = [each[3:] for each in self.features if each.startswith("BT_")]
        return named[0] if named else ""


class WebAnnoValue(NamedTuple):
    """What stands in a cell: a text, and the number of the annotation if it has one."""

    text: str
    number: str


class WebAnnoRow(NamedTuple):
    """A word or a part of one: from which token of the document to which, and cells."""

    id: str
    first: int
    last: int
    cells: list[str]
    line: int

    def values(self, column: int) -> list[WebAnnoValue]:
        """Give what stands in a column."""
        cell = self.cells[column]
        return [] if cell == "_" else [_value(each) for each in _STACKED.findall(cell)]


class WebAnnoFile(NamedTuple):
    """A file: its layers, its rows, and its tokens with their sentences."""

    layers: list[Layer]
    rows: list[WebAnnoRow]
    words: list[str]
    sentence: list[int]


def read_rows(data: bytes, source: str) -> WebAnnoFile:
    """Understand the lines of a file."""
    return _Reader(source).read(decode_text(data, source))


def plain(text: str) -> str:
    r"""Take escapes off a text.

    >>> plain(r"a\[1\]\->b")
    'a[1]->b'
    """
    return _ESCAPED.sub(r"\1", text)


def _value(text: str) -> WebAnnoValue:
    found = _VALUE.fullmatch(text)
    return WebAnnoValue(found[1], found[2] or "") if found else WebAnnoValue(text, "")


class _Line(NamedTuple):
    """A row as it stands in the file; ``parent`` is the word that it is a part of."""

    cells: list[str]
    parent: str
    sentence: int
    begin: int
    end: int
    number: int


class _Reader:
    def __init__(self, source: str) -> None:
        self._source = source
        self._escapes = False

    def read(self, text: str) -> WebAnnoFile:
        layers: list[Layer] = []
        lines: list[_Line] = []
        for number, line in enumerate(text.split("\n"), start=1):
            line = line.rstrip("\r")  # noqa: PLW2901 - Windows ends its lines so
            if line.startswith("#"):
                self._header(line, layers)
            elif line.strip():
                lines.append(self._line(line, number))
        if not lines:
            raise self._error(NO_DOCUMENT, "there is no word in this file", None)
        self._refuse_short_rows(lines, _COLUMNS + _width(layers))
        found = WebAnnoFile(layers, [], [], [])
        self._cut(lines, found)
        return found

    def _header(self, line: str, layers: list[Layer]) -> None:
        if version := _VERSION.match(line):
            self._escapes = version[1] != "3.2"
        if found := _HEADER.match(line):
            name, *features = found[2].split("|")
            layers.append(Layer(found[1], name, tuple(features), _width(layers)))

    def _line(self, line: str, number: int) -> _Line:
        cells = line.split("\t")
        place = _ROW.fullmatch(cells[0])
        offsets = _OFFSETS.fullmatch(cells[1]) if len(cells) > 1 else None
        if place is None or offsets is None or len(cells) < _COLUMNS:
            raise self._error(
                UNREADABLE_LINE, "this is no row of a word", number, line,
                "expected a row such as '1-1', '0-3', the word and a column for each "
                "feature, between tabs",
            )  # fmt: skip
        begin, end = int(offsets[1]), int(offsets[2])
        parent = f"{place[1]}-{place[2]}" if place[3] else ""
        return _Line(cells, parent, int(place[1]), begin, end, number)

    def _refuse_short_rows(self, lines: list[_Line], width: int) -> None:
        """Refuse rows that lack columns; a header may come after a row."""
        for line in lines:
            if len(line.cells) < width:
                raise self._error(
                    UNREADABLE_LINE,
                    f"this row has {len(line.cells)} columns, but the header names "
                    f"{width}",
                    line.number,
                    "\t".join(line.cells),
                    "was the file cut off, or a line of its header lost?",
                )

    def _cut(self, lines: list[_Line], found: WebAnnoFile) -> None:
        """Cut words where parts of them start or end, and number the pieces."""
        parts: dict[str, list[_Line]] = {}
        for line in lines:
            if line.parent:
                parts.setdefault(line.parent, []).append(line)
        words = [line for line in lines if not line.parent]
        known = {line.cells[0] for line in words}
        for parent, (line, *_) in parts.items():
            if parent not in known:
                problem = f"there is no word {parent} that this is a part of"
                text = "\t".join(line.cells)
                raise self._error(UNREADABLE_LINE, problem, line.number, text)
        for line in words:
            self._add(line, parts.get(line.cells[0], []), found)

    def _add(self, line: _Line, parts: list[_Line], found: WebAnnoFile) -> None:
        word, first = self._word(line), len(found.words)
        if not parts:
            found.words.append(word)
            found.sentence.append(line.sentence)
            row = WebAnnoRow(line.cells[0], first, first, line.cells, line.number)
            found.rows.append(row)
            return
        units = word.encode("utf-16-le", "surrogatepass")
        length = len(units) // _UNIT
        borders = {0, length}
        for part in parts:
            span = part.begin - line.begin, part.end - line.begin
            if not 0 <= span[0] < span[1] <= length:
                problem = f"this is no part of '{word}'"
                text = "\t".join(part.cells)
                raise self._error(UNREADABLE_LINE, problem, part.number, text)
            borders |= {*span}
        cuts = sorted(borders)
        pieces = [
            units[_UNIT * a : _UNIT * b].decode("utf-16-le", "replace")
            for a, b in pairwise(cuts)
        ] or [word]
        found.words.extend(pieces)
        found.sentence.extend([line.sentence] * len(pieces))
        last = len(found.words) - 1
        found.rows.append(
            WebAnnoRow(line.cells[0], first, last, line.cells, line.number)
        )
        for part in parts:
            a, b = (
                first + cuts.index(at - line.begin) for at in (part.begin, part.end)
            )
            found.rows.append(
                WebAnnoRow(part.cells[0], a, b - 1, part.cells, part.number)
            )

    def _word(self, line: _Line) -> str:
        """Take escapes off a word, where offsets or the version say that there are."""
        word = line.cells[_WORD]
        if "\\" not in word:
            return word
        length = len(word.encode("utf-16-le", "surrogatepass")) // _UNIT
        is_escaped = length != line.end - line.begin
        return plain(word) if is_escaped and self._fits(word, line) else word

    def _fits(self, word: str, line: _Line) -> bool:
        units = len(plain(word).encode("utf-16-le", "surrogatepass")) // _UNIT
        return self._escapes or units == line.end - line.begin

    def _error(
        self, rule: Rule, problem: str, line: int | None, text: str = "", hint: str = ""
    ) -> FormatError:
        return FormatError(
            problem, rule=rule, source=self._source, line=line, text=text, hint=hint
        )


def _width(layers: list[Layer]) -> int:
    """Count the columns of layers: one for each feature, and one if there is none."""
    return sum(max(1, len(layer.features)) for layer in layers)


def bad_header(problem: str, source: str, hint: str) -> FormatError:
    """Say what is wrong with a header."""
    return FormatError(problem, rule=BAD_HEADER, source=source, line=1, hint=hint)
