"""Reader and writer of WebAnno TSV 3.

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
The writer uses DKPro's layer of chains. ``*`` is a feature without a value.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from scoref.document_names import file_name, name_of_file
from scoref.errors import FormatError
from scoref.formats.builder import CorpusBuilder, Groups
from scoref.formats.catalogue import WEBANNO
from scoref.formats.input_files import decode_text
from scoref.formats.tokens import (
    WrittenText,
    text_to_write,
    tokens_of,
    utf16_size,
)
from scoref.model import DocumentName, Note
from scoref.rules import (
    BAD_HEADER,
    NO_DOCUMENT,
    UNKNOWN_ENTITY,
    UNREADABLE_CELL,
    UNREADABLE_LINE,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.formats.catalogue import ReadOptions
    from scoref.model import Corpus
    from scoref.rules import Rule


class _Mention(NamedTuple):
    start: int
    end: int
    line: int


_FIRST = 3  # column of a feature


def read(data: bytes, options: ReadOptions) -> Corpus:
    """Read one document."""
    file = read_rows(data, options.source)
    layer = _coreference_layer(file.layers, options.source)
    notes: list[Note] = []
    if layer.kind == "CH":
        entities = _entities_of_chains(file, layer, options.source)
    else:
        entities = _entities_of_relations(file, layer, options, notes)
    builder = CorpusBuilder(options.source, WEBANNO, has_labels=False)
    name = DocumentName.plain(name_of_file(options.document))
    document = builder.add_document(name, line=1, tokens=len(file.words))
    for label, mentions in entities.items():
        entity = builder.add_entity(label, document)
        for mention in mentions:
            builder.mentions += [entity, *mention]
    return builder.build(notes, tokens=tokens_of(file.words, file.sentence))


_CHAINS = "CoreferenceLink"

_SYNTAX = "Dependency"


def _coreference_layer(layers: list[Layer], source: str) -> Layer:
    """Return the only layer that can be coreference."""
    chains = [layer for layer in layers if layer.kind == "CH"]
    usual = [layer for layer in chains if layer.type.endswith(_CHAINS)]
    relations = [
        layer
        for layer in layers
        if layer.kind == "RL" and not layer.type.endswith(_SYNTAX)
    ]
    for candidates in (usual, [*chains, *relations]):
        if len(candidates) == 1:
            return candidates[0]
    names = ", ".join(f"{layer.type} ({layer.kind})" for layer in layers) or "none"
    raise _header_error(
        "the layer with the coreference annotation is not clear",
        source,
        f"Expected one layer of chains (CH) such as {_CHAINS}, or one of relations "
        "(RL). "
        f"This file has: {names}. Export only the layer with coreference.",
    )


_RELATION = "referenceRelation"

_LINK = re.compile(r"(.*)->(\d{1,15})-(\d{1,15})", re.ASCII | re.DOTALL)


def _entities_of_chains(
    file: WebAnnoFile, layer: Layer, source: str
) -> dict[str, list[_Mention]]:
    if _RELATION not in layer.features:
        raise _header_error(
            f"the layer {layer.type} has no feature {_RELATION}",
            source,
            f"Its features are {', '.join(layer.features) or 'none'}.",
        )
    column = _FIRST + layer.column + layer.features.index(_RELATION)
    chains: dict[str, dict[str, _Mention]] = {}
    for row in file.rows:
        for value in row.values(column):
            link = _LINK.fullmatch(value.text)
            if link is None:
                raise _cell_error(row, column, source, "a link such as 'coref->1-2'")
            _add_row(chains.setdefault(link[2], {}), link[3], row)
    return {label: [*mentions.values()] for label, mentions in chains.items()}


def _add_row(mentions: dict[str, _Mention], name: str, row: WebAnnoRow) -> None:
    """Add a row to a mention of one or several rows."""
    first = mentions.get(name, _Mention(row.first, row.last, row.line))
    mentions[name] = first._replace(end=max(first.end, row.last))


def _entities_of_relations(
    file: WebAnnoFile, layer: Layer, options: ReadOptions, notes: list[Note]
) -> dict[str, list[_Mention]]:
    """Return entities of spans that relations join, and add notes about relations."""
    source = options.source
    bases = [base for base in file.layers if base.type == layer.base]
    if not bases or bases[0].kind != "SP":
        raise _header_error(
            f"relations of {layer.type} join '{layer.base}', which is not a layer",
            source,
            "Expected #T_SP with the same name before it.",
        )
    spans: dict[str, _Mention] = {}
    for row in file.rows:
        for value in row.values(_FIRST + bases[0].column):
            if value.text != "_":  # a span without a number is one word
                _add_row(spans, value.number or row.id, row)
    groups = Groups(spans)
    types: Counter[str] = Counter()
    for row in file.rows:
        for kind, one, other in _relations(row, layer, source):
            types[kind] += 1
            if not is_joining(kind, options.relations):
                continue
            for span in (one, other):
                if span not in spans:
                    raise FormatError(
                        f"there is no span '{span}'",
                        rule=UNKNOWN_ENTITY,
                        source=source,
                        line=row.line,
                        text="\t".join(row.cells),
                        hint="Relations refer to the number of a span, or to its word.",
                    )
            groups.join(one, other)
    notes += relation_notes(types, options)
    return {
        str(number): [spans[name] for name in names]
        for number, names in enumerate(groups.lists())
    }


_SOURCE = re.compile(r"(\d+-\d+(?:\.\d+)*)(?:\[(\d+)_(\d+)\])?", re.ASCII)


def _relations(
    row: WebAnnoRow, layer: Layer, source: str
) -> list[tuple[str, str, str]]:
    """Return the relations at a row: their types, and the spans that they join."""
    column = _FIRST + layer.column
    last = column + max(1, len(layer.features)) - 1
    kinds = [value.text for value in row.values(column)] if column < last else []
    relations = []
    for number, value in enumerate(row.values(last)):
        cell = f"{value.text}[{value.number}]" if value.number else value.text
        place = _SOURCE.fullmatch(cell)
        if place is None:
            raise _cell_error(row, last, source, "the place of a span: '2-1[4_1]'")
        kind = unescape(kinds[number]) if number < len(kinds) else ""
        # Number 0, or none, is a span of one word, which is named by its row.
        theirs, mine = (span or "0" for span in place.groups()[1:])
        one = place[1] if theirs == "0" else theirs
        relations.append((kind, one, row.id if mine == "0" else mine))
    return relations


def is_joining(kind: str, relations: tuple[str, ...]) -> bool:
    """Check whether a relation joins mentions: by default all but bridging does."""
    return kind in relations if relations else not kind.lower().startswith("bridg")


_USUAL_RELATIONS = frozenset(("coref", "ana", "cata", "appos", "pred", "disc"))


def relation_notes(types: Counter[str], options: ReadOptions) -> list[Note]:
    """Say which relations joined mentions, if they are unusual."""
    source, notes = options.source, []
    joining = {
        kind: count
        for kind, count in types.items()
        if is_joining(kind, options.relations)
    }
    if not _USUAL_RELATIONS.issuperset(joining):
        counts = [f"{kind or 'without a type'} ({n:,})" for kind, n in joining.items()]
        message = f"Relations that join mentions in {source}: {', '.join(counts)}. "
        message += "Use --relations to choose."
        notes.append(Note("relation-types", sum(joining.values()), message))
    return notes


def _cell_error(
    row: WebAnnoRow, column: int, source: str, expected: str
) -> FormatError:
    return FormatError(
        f"cannot read '{row.cells[column]}'",
        rule=UNREADABLE_CELL,
        source=source,
        line=row.line,
        text="\t".join(row.cells),
        hint=f"Expected {expected} in column {column + 1}.",
    )


def _header_error(problem: str, source: str, hint: str) -> FormatError:
    return FormatError(problem, rule=BAD_HEADER, source=source, line=1, hint=hint)


class Layer(NamedTuple):
    """A kind of annotation: SP for spans, CH for chains, RL for relations."""

    kind: str
    type: str
    features: tuple[str, ...]
    column: int

    @property
    def base(self) -> str:
        """Name the layer of spans that relations are between."""
        names = (name[3:] for name in self.features if name.startswith("BT_"))
        return next(names, "")


class WebAnnoValue(NamedTuple):
    """The text of a value, and the number of its annotation if it has one."""

    text: str
    number: str


_STACKED = re.compile(r"(?:\\.|[^\\|]|\\$)+")

_VALUE = re.compile(r"((?:\\.|[^\\])*?)(?:\[(\d{1,15})\])?", re.ASCII)


class WebAnnoRow(NamedTuple):
    """A word or a part of one: its first and last token in the document, and cells."""

    id: str
    first: int
    last: int
    cells: list[str]
    line: int

    def values(self, column: int) -> list[WebAnnoValue]:
        """Return the values of a cell."""
        values = []
        if self.cells[column] != "_":
            for text in _STACKED.findall(self.cells[column]):
                parts = _VALUE.fullmatch(text)
                name, number = (parts[1], parts[2] or "") if parts else (text, "")
                values.append(WebAnnoValue(name, number))
        return values


class WebAnnoFile(NamedTuple):
    """A file: its layers, its rows, and its tokens with their sentences."""

    layers: list[Layer]
    rows: list[WebAnnoRow]
    words: list[str]
    sentence: list[int]


def read_rows(data: bytes, source: str) -> WebAnnoFile:
    """Read the lines of a file."""
    return _RowReader(source).read(decode_text(data, source))


_ESCAPED = re.compile(r"\\(->|.)")


def unescape(text: str) -> str:
    r"""Remove the escapes of a text.

    >>> unescape(r"a\[1\]\->b")
    'a[1]->b'
    """
    return _ESCAPED.sub(r"\1", text)


class _Line(NamedTuple):
    """A line with a word; ``parent`` is the word that it is a part of, if any."""

    cells: list[str]
    parent: str
    sentence: int
    begin: int
    end: int
    number: int


_HEADER = re.compile(r"#T_(SP|CH|RL)=(.*)")

_VERSION = re.compile(r"#FORMAT=WebAnno TSV (3\.\d+)")

_ROW = re.compile(r"(\d{1,9})-(\d{1,9})(\.\d{1,9})*", re.ASCII)

_OFFSETS = re.compile(r"(\d{1,15})-(\d{1,15})", re.ASCII)

_WORD, _COLUMNS = 2, 3


class _RowReader:
    """Reads the header and the rows of a file."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._has_escapes = False

    def read(self, text: str) -> WebAnnoFile:
        layers: list[Layer] = []
        lines: list[_Line] = []
        width = 0
        for number, raw_line in enumerate(text.split("\n"), start=1):
            line = raw_line.rstrip("\r")
            if version := _VERSION.match(line):
                self._has_escapes = version[1] != "3.2"
            elif header := _HEADER.match(line):
                name, *features = header[2].split("|")
                layers.append(Layer(header[1], name, tuple(features), width))
                width += max(1, len(features))
            elif line.strip() and not line.startswith("#"):
                lines.append(self._line(line, number))
        if not lines:
            raise self._error(NO_DOCUMENT, "this file has no word", None)
        for row in lines:  # a header may come after a row
            if len(row.cells) < _COLUMNS + width:
                raise self._error(
                    UNREADABLE_LINE,
                    f"this row has {len(row.cells)} columns, but the header names "
                    f"{_COLUMNS + width}",
                    row.number,
                    "\t".join(row.cells),
                    "Was the file cut off, or is a line of its header missing?",
                )
        file = WebAnnoFile(layers, [], [], [])
        self._add_words(lines, file)
        return file

    def _line(self, line: str, number: int) -> _Line:
        cells = line.split("\t")
        place = _ROW.fullmatch(cells[0])
        offsets = _OFFSETS.fullmatch(cells[1]) if len(cells) > 1 else None
        if place is None or offsets is None or len(cells) < _COLUMNS:
            raise self._error(
                UNREADABLE_LINE,
                "this is not the row of a word",
                number,
                line,
                "Expected '1-1', '0-3', the word and one column per feature, separated "
                "by "
                "tabs.",
            )
        begin, end = int(offsets[1]), int(offsets[2])
        parent = f"{place[1]}-{place[2]}" if place[3] else ""
        return _Line(cells, parent, int(place[1]), begin, end, number)

    def _add_words(self, lines: list[_Line], file: WebAnnoFile) -> None:
        """Number the words, which are cut where a part of them starts or ends."""
        parts: dict[str, list[_Line]] = {}
        for line in lines:
            if line.parent:
                parts.setdefault(line.parent, []).append(line)
        words = [line for line in lines if not line.parent]
        known = {line.cells[0] for line in words}
        for parent, (line, *_) in parts.items():
            if parent not in known:
                problem = f"this is a part of word {parent}, which does not exist"
                text = "\t".join(line.cells)
                raise self._error(UNREADABLE_LINE, problem, line.number, text)
        for line in words:
            self._add_word(line, parts.get(line.cells[0], []), file)

    def _add_word(self, line: _Line, parts: list[_Line], file: WebAnnoFile) -> None:
        word, first = self._word(line), len(file.words)
        pieces, borders = [word], [0]
        if parts:
            units = _utf16(word)
            borders = self._borders(line, parts, word, len(units) // _UNIT)
            pieces = [
                units[_UNIT * a : _UNIT * b].decode("utf-16-le", "replace")
                for a, b in pairwise(borders)
            ] or [word]
        file.words.extend(pieces)
        file.sentence.extend([line.sentence] * len(pieces))
        last = len(file.words) - 1
        rows = [WebAnnoRow(line.cells[0], first, last, line.cells, line.number)]
        for part in parts:
            begin, end = (
                first + borders.index(offset - line.begin)
                for offset in (part.begin, part.end)
            )
            row = WebAnnoRow(part.cells[0], begin, end - 1, part.cells, part.number)
            rows.append(row)
        file.rows.extend(rows)

    def _borders(
        self, line: _Line, parts: list[_Line], word: str, length: int
    ) -> list[int]:
        """Return where a word is cut, including its start and its end."""
        borders = {0, length}
        for part in parts:
            begin, end = part.begin - line.begin, part.end - line.begin
            if not 0 <= begin < end <= length:
                problem = f"this is not a part of '{word}'"
                text = "\t".join(part.cells)
                raise self._error(UNREADABLE_LINE, problem, part.number, text)
            borders |= {begin, end}
        return sorted(borders)

    def _word(self, line: _Line) -> str:
        """Return a word without escapes.

        Backslashes are escapes if the offsets say that the word is shorter, and the
        version has escapes or the word then has the right length.
        """
        word = line.cells[_WORD]
        length = line.end - line.begin
        if "\\" not in word or utf16_size(word) == length:
            return word
        bare = unescape(word)
        is_escaped = self._has_escapes or utf16_size(bare) == length
        return bare if is_escaped else word

    def _error(
        self, rule: Rule, problem: str, line: int | None, text: str = "", hint: str = ""
    ) -> FormatError:
        return FormatError(
            problem, rule=rule, source=self._source, line=line, text=text, hint=hint
        )


_UNIT = 2  # bytes of UTF-16


def _utf16(word: str) -> bytes:
    return word.encode("utf-16-le", "surrogatepass")


# Writing

_LAYER = "de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink"

_HEADER_LINES = (
    "#FORMAT=WebAnno TSV 3.3",
    f"#T_CH={_LAYER}|referenceType|{_RELATION}",
    "",
)

_TEXT = re.compile(r"[^\t\n\r\0]+")


def can_hold_word(word: str) -> bool:
    """Check whether a word can be a cell."""
    return _TEXT.fullmatch(word) is not None


def write(corpus: Corpus) -> dict[str, bytes]:
    """Return files by name, one for each document. Entities become chains.

    Raises:
        FormatError: there is no text, or there are empty nodes.
    """
    tokens, words, _ = text_to_write(corpus)
    links = _links(corpus)
    is_start = tokens.is_start.tolist()
    files = {}
    for document, (first, last) in enumerate(pairwise(tokens.first.tolist())):
        text = WrittenText.of(
            words[first:last], is_start[first:last], first, utf16_size
        )
        lines = [*_HEADER_LINES, *_written_rows(text, words, links)]
        name = file_name(corpus.documents[document].short)
        files[f"{name}.tsv"] = "".join(f"{line}\n" for line in lines).encode()
    return files


def _links(corpus: Corpus) -> dict[int, list[tuple[int, int]]]:
    """Return the chains and links at each token, both counted from 1.

    Chains are counted in each document.
    """
    chain_of: dict[int, int] = {}
    chains, length = Counter[int](), Counter[int]()
    links: dict[int, list[tuple[int, int]]] = defaultdict(list)
    columns = corpus.mention_entity, corpus.mention_document
    spans = corpus.mention_start, corpus.mention_end
    first = corpus.tokens.first.tolist() if corpus.tokens is not None else []
    for entity, document, start, end in zip(
        *(column.tolist() for column in (*columns, *spans)), strict=True
    ):
        if entity not in chain_of:
            chains[document] += 1
            chain_of[entity] = chains[document]
        length[entity] += 1
        for token in range(first[document] + start, first[document] + end + 1):
            links[token].append((chain_of[entity], length[entity]))
    return links


def _written_rows(
    text: WrittenText, words: list[str], links: dict[int, list[tuple[int, int]]]
) -> Iterator[str]:
    """Yield the lines of all sentences."""
    lines = text.text.split("\n")
    sentence = number = 0
    for place, (start, end) in enumerate(zip(text.start, text.end, strict=True)):
        if text.sentence[place] != sentence:
            sentence, number = text.sentence[place], 0
            yield ""
            yield f"#Text={_escape(lines[sentence - 1])}"
        number += 1
        here = links.get(text.first + place, [])
        kinds = "|".join(f"*[{chain}]" for chain, _ in here) or "_"
        relations = "|".join(f"*->{chain}-{link}" for chain, link in here) or "_"
        word = words[text.first + place]
        cells = f"{sentence}-{number}", f"{start}-{end}", word, kinds, relations, ""
        yield "\t".join(cells)


_ESCAPES = {code: f"\\{chr(code)}" for code in range(32)}
_ESCAPES |= {ord("\b"): "\\b", ord("\f"): "\\f", ord("\\"): "\\\\"}


def _escape(text: str) -> str:
    """Escape the text of a sentence, as INCEpTION does."""
    return text.translate(_ESCAPES)
