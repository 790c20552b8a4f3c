"""The text of Universal Anaphora: columns, documents, sentences, words and zeros.

    # global.columns = ID FORM LEMMA … MISC IDENTITY BRIDGING DISCOURSE_DEIXIS …

Such a line names the columns, in any order; without it, they are in the order above.
Columns are separated by tabs or, in a file without tabs, by blanks.

Words are numbered from 1 through their document. A zero, a line whose id has a dot, has
the number of the word before it and a second number, counted from 1 after that word.
As in the official scorer, a multiword token (1-2) is a word. Words and zeros are both
called nodes. A document that starts again is a fault; lenient reading continues it.
Only the cells about anaphora that are not empty are copied.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import Blamed, FormatError
from scoref.formats import conllu
from scoref.formats.conllu import ConlluDocuments, Outline, join_texts
from scoref.formats.input_files import NEWLINE, shown
from scoref.formats.tokens import token_numbers
from scoref.model import EMPTY, LAST_WORD, Texts, place_codes
from scoref.model.arrays import inverse
from scoref.rules import (
    BAD_HEADER,
    MISSING_COLUMNS,
    MIXED_SEPARATORS,
    NO_DOCUMENT,
    REPEATED_DOCUMENT,
    UNREADABLE_LINE,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from scoref.formats.builder import Faults
    from scoref.model import DocumentName, Ints, Sentences

    Mask = NDArray[np.bool_]


IDENTITY, BRIDGING, DEIXIS = "IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS"

NAMES = (
    *("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"),
    *(IDENTITY, BRIDGING, DEIXIS, "REFERENCE", "NOM_SEM"),
)

_GLOBAL = b"global.columns"

_HEADER = re.compile(rb"#[ \t]*global\.columns[ \t]*=[ \t]*([^\r\n]*)")

_FIRST_WORD = re.compile(rb"^[ \t]*[^#\s][^\r\n]*", re.MULTILINE)

_HINT = "Expected a line '# global.columns = ID FORM … IDENTITY BRIDGING …'."


class ColumnHeader(NamedTuple):
    """A line that names the columns: its start, its end and the names."""

    start: int
    end: int
    names: tuple[str, ...]


class ColumnPlaces(NamedTuple):
    """The numbers of the columns that are read, from 0; None if there is none."""

    number: int
    form: int
    upos: int | None
    layer: int
    bridging: int | None
    layer_name: str

    @property
    def needed(self) -> int:
        """Return how many columns every line must have."""
        return max(self.number, self.form, self.layer, self.bridging or 0) + 1

    def too_few(self, count: int, *, source: str, line: int, text: str) -> FormatError:
        """Return an error about a line that has only so many columns."""
        missing = BRIDGING if count > self.layer else self.layer_name
        place = self.bridging if count > self.layer else self.layer
        problem = (
            f"this line has {count} columns, but {missing} is column {(place or 0) + 1}"
        )
        if count == 1:
            problem = (
                "this line has no tabs between its columns, but the first line has"
            )
        return FormatError(
            problem,
            rule=MIXED_SEPARATORS if count == 1 else MISSING_COLUMNS,
            source=source,
            line=line,
            text=text,
            hint=_HINT,
        )


def headers(data: bytes) -> list[ColumnHeader]:
    """Return every line that names the columns."""
    lines, at = [], data.find(_GLOBAL)
    while at >= 0:
        start = data.rfind(b"\n", 0, at) + 1
        header = _HEADER.match(data, start)
        if header and header.start(1) > at:
            names = tuple(shown(header[1]).upper().split())
            lines.append(ColumnHeader(start, header.end(), names))
        at = data.find(_GLOBAL, at + 1)
    return lines


def columns_of(data: bytes, *, source: str, deixis: bool) -> ColumnPlaces:
    """Return the places of the columns."""
    lines = headers(data)
    for header in lines:
        if header.names != lines[0].names:
            raise FormatError(
                "these columns differ from those at the beginning of the file",
                rule=BAD_HEADER,
                source=source,
                line=_line(data, header.start),
                text=shown(data[header.start : header.end]),
                hint="All '# global.columns' lines of a file must be the same.",
            )
    if lines:
        names = lines[0].names
    else:
        first = _FIRST_WORD.search(data)
        names = NAMES[: first[0].count(b"\t") + 1] if first else NAMES
    layer = DEIXIS if deixis else IDENTITY
    for name in ("ID", "FORM", layer):
        if name not in names and (lines or name in NAMES[:2]):
            raise _missing_column(name, data, lines, source)
    place = {name: names.index(name) for name in reversed(names)}
    return ColumnPlaces(
        number=place["ID"],
        form=place["FORM"],
        upos=place.get("UPOS"),
        layer=place.get(layer, NAMES.index(layer)),
        bridging=None if deixis else place.get(BRIDGING),
        layer_name=layer,
    )


def _missing_column(
    name: str, data: bytes, lines: list[ColumnHeader], source: str
) -> FormatError:
    rule = BAD_HEADER if lines else MISSING_COLUMNS
    if not lines:
        first = _FIRST_WORD.search(data)
        line = _line(data, first.start()) if first else None
        text = shown(first[0]) if first else ""
        problem = "this line has one column"
    else:
        line = _line(data, lines[0].start)
        text = shown(data[lines[0].start : lines[0].end])
        problem = f"this line does not name the column {name}"
    return FormatError(
        problem,
        rule=rule,
        source=source,
        line=line,
        text=text,
        hint=_HINT,
        is_final=True,
    )


def _line(data: bytes, place: int) -> int:
    return data.count(b"\n", 0, place) + 1


def has_tabs(data: bytes) -> bool:
    """Say whether tabs separate the columns of the first word."""
    first = _FIRST_WORD.search(data)
    return first is None or b"\t" in first[0].strip()


def with_tabs(data: bytes, source: str) -> bytes:
    """Replace blanks between columns by tabs, in a file that has no tabs there."""
    if has_tabs(data):
        return data
    lines = data.split(b"\n")
    for row, line in enumerate(lines):
        if line.startswith(b"#"):
            continue
        if b"\t" in line.strip():
            raise FormatError(
                "this line has tabs between its columns, but the first line has spaces",
                rule=MIXED_SEPARATORS,
                source=source,
                line=row + 1,
                text=shown(line),
                hint="Separate the columns in the same way in all lines.",
            )
        lines[row] = b"\t".join(line.split())
    return b"\n".join(lines)


_NOTHING = ord("_")


class ColumnCells(NamedTuple):
    """The cells of a column that are not empty, and their nodes.

    Each text ends in a line break, so that all texts together are lines.
    """

    node: Ints
    text: Texts

    @classmethod
    def of(
        cls, block: conllu.Block, column: int | None, first_node: int
    ) -> ColumnCells:
        """Copy the cells of a column that are not empty."""
        if column is None:
            nothing = np.zeros(0, dtype=np.int64)
            return cls(nothing, Texts(np.zeros(0, dtype=np.uint8), nothing))
        start, end = block.column(slice(None), column)
        length = end - start
        node = np.flatnonzero((block.lines.bytes_[start] != _NOTHING) | (length > 1))
        node = node[length[node] > 0]
        text = conllu.cut(block.lines, start[node], end[node] + 1)
        text.data[np.cumsum(text.length) - 1] = NEWLINE
        return cls(node + first_node, text)

    @classmethod
    def join(cls, columns: Sequence[ColumnCells]) -> ColumnCells:
        """Join the cells of several blocks."""
        node, text = zip(*columns, strict=True)
        return cls(np.concatenate(node), join_texts(text))

    def renumber(self, place: Ints) -> ColumnCells:
        """Give nodes new numbers, and sort the cells by them."""
        order = np.argsort(place[self.node])
        return ColumnCells(place[self.node][order], self.text.take(order))


class NodeRows(NamedTuple):
    """Nodes in columns."""

    line: Ints
    sentence: Ints
    is_zero: Mask
    layer: ColumnCells
    upos: NDArray[np.uint64]  # of the nodes of ``layer``
    bridging: ColumnCells

    @classmethod
    def of(
        cls, block: conllu.Block, columns: ColumnPlaces, first_node: int
    ) -> NodeRows:
        """Copy the nodes of a block."""
        layer, bridging = (
            ColumnCells.of(block, column, first_node)
            for column in (columns.layer, columns.bridging)
        )
        upos = np.zeros(len(layer.node), dtype=np.uint64)
        if columns.upos is not None:
            upos = block.packed_column(layer.node - first_node, columns.upos)
        is_zero = block.id.is_empty
        return cls(block.line, block.sentence, is_zero, layer, upos, bridging)

    @classmethod
    def join(cls, blocks: Sequence[NodeRows]) -> NodeRows:
        """Join the rows of several blocks."""
        if len(blocks) == 1:
            return blocks[0]
        line, sentence, is_zero, layer, upos, bridging = zip(*blocks, strict=True)
        return cls(
            line=np.concatenate(line),
            sentence=np.concatenate(sentence),
            is_zero=np.concatenate(is_zero),
            layer=ColumnCells.join(layer),
            upos=np.concatenate(upos),
            bridging=ColumnCells.join(bridging),
        )

    def by_document(self, document: Ints) -> tuple[NodeRows, Ints]:
        """Sort nodes by document, which matters if a document continues later."""
        if (np.diff(document) >= 0).all():
            return self, document
        order = np.argsort(document, kind="stable")
        place = inverse(order)
        rows = NodeRows(
            line=self.line[order],
            sentence=self.sentence[order],
            is_zero=self.is_zero[order],
            layer=self.layer.renumber(place),
            upos=self.upos[np.argsort(place[self.layer.node])],
            bridging=self.bridging.renumber(place),
        )
        return rows, document[order]


class NodeText(NamedTuple):
    """The text of a file; ``rows`` and ``code`` are sorted by document."""

    documents: tuple[DocumentName, ...]
    document_line: Ints
    document_tokens: Ints
    sentences: Sentences  # in the order of the file
    rows: NodeRows
    code: Ints


def read_text(
    data: bytes, columns: ColumnPlaces, source: str, faults: Faults
) -> NodeText:
    """Read the text of a file whose columns are separated by tabs."""
    blocks, outlines, nodes = [], [], 0
    for block in conllu.blocks(data, source, _dialect(columns, source)):
        blocks.append(NodeRows.of(block, columns, nodes))
        outlines.append(Outline.of(block, ~block.id.is_empty, columns.form))
        nodes += len(block.row)
    if not nodes:
        raise FormatError(
            "this file has no word",
            rule=NO_DOCUMENT,
            source=source,
            hint="Expected one line per word, with columns separated by tabs.",
        )
    outline = Outline.join(outlines)

    def report_repeated(name: str, first_line: int, line: int) -> None:
        error = FormatError(
            f"document '{name}' starts again (first: line {first_line})",
            rule=REPEATED_DOCUMENT,
            source=source,
            line=line,
            blamed=Blamed("document", name),
            hint="All sentences of a document must be together.",
        )
        faults.report("repeated-documents", error)

    documents = ConlluDocuments.of(
        outline.newdoc, outline.sentence_line, report_repeated
    )
    rows = NodeRows.join(blocks)
    rows, document = rows.by_document(documents.of_sentence[rows.sentence])
    first = np.searchsorted(document, np.arange(len(documents.names) + 1))
    return NodeText(
        documents=documents.names,
        document_line=documents.line,
        document_tokens=np.diff(np.append(0, np.cumsum(~rows.is_zero))[first]),
        sentences=outline.sentences(documents),
        rows=rows,
        code=_codes(first, rows, source),
    )


def column(values: Iterable[int]) -> Ints:
    """Return integers as an array."""
    return np.fromiter(values, dtype=np.int64)


def _dialect(columns: ColumnPlaces, source: str) -> conllu.Dialect:
    """Return the dialect of Universal Anaphora."""

    def refuse(nodes: conllu.Nodes, ids: conllu.Ids) -> None:
        last = nodes.first_column + columns.needed - 2
        last = nodes.column_end.take(last, mode="clip")
        is_short = last >= nodes.lines.end[nodes.row]
        if is_short.any():
            node = int(np.argmax(is_short))
            text = nodes.lines[int(nodes.row[node])]
            raise columns.too_few(
                text.count(b"\t") + 1,
                source=source,
                line=int(nodes.line[node]),
                text=shown(text),
            )
        if not ids.is_readable.all():
            raise nodes.error(
                int(np.argmin(ids.is_readable)),
                "this line has no word number in its column ID",
                "A line must be a word with an ID such as 3, 3.1 or 3-4, or start with "
                "'#'.",
                source,
            )

    return conllu.Dialect(refuse, columns.number, has_ranges=True, ends_at_newdoc=True)


def _codes(first: Ints, rows: NodeRows, source: str) -> Ints:
    """Return the code of each node; ``first`` has the bounds of documents."""
    document, number, second = token_numbers(first, rows.is_zero)
    too_large = np.flatnonzero((number > LAST_WORD) | (second > EMPTY))
    if len(too_large):
        row = int(too_large[0])
        many = (
            f"more than {LAST_WORD} words"
            if number[row] > LAST_WORD
            else f"more than {EMPTY} zeros after one word"
        )
        raise FormatError(
            f"this document has {many}",
            rule=UNREADABLE_LINE,
            source=source,
            line=int(rows.line[row]),
            hint="Start each document with '# newdoc id = ...'.",
        )
    return place_codes(document, number, second)
