"""Reader of Universal Anaphora (CONLL-UA): three columns that it adds to CoNLL-U.

    # global.columns = ID FORM LEMMA … MISC IDENTITY BRIDGING DISCOURSE_DEIXIS …
    1   The      …   (EntityID=e1|MarkableID=m1|Min=2   _   _
    2   choir    …   )                                  _   _
    3   and      …   _                                  _   _
    4   Ada      …   (EntityID=e2|MarkableID=m2|ElementOf=e3)   _   _

A mention is a markable of the column IDENTITY or, on request, DISCOURSE_DEIXIS. Its
words are numbered through the document, see `scoref.model.Words`, and ids are valid
within a document. Every markable is a mention, even one that does not refer; the scheme
decides which of them count. Entities and their mentions are in the order of the first
markables. This order decides which of two duplicates is the first, and whether an
entity refers. Simple documents are read at once (`ua_bracket_columns`); the others are
read bracket by bracket (`ua_brackets`), to report faults and their places.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import FormatError
from scoref.formats.builder import Faults
from scoref.formats.catalogue import UNIVERSAL_ANAPHORA
from scoref.formats.input_files import without_bom
from scoref.formats.ua_bracket_columns import plain_markables
from scoref.formats.ua_brackets import Markables, Walk, fields_of
from scoref.formats.ua_text import column, columns_of, read_text, with_tabs
from scoref.model import EMPTY, SENTENCE_BITS, Anaphora, Corpus, Words
from scoref.model.arrays import bounds, is_new
from scoref.printable import counted
from scoref.rules import (
    CHANGED_ENTITY,
    UNKNOWN_ANCHOR,
    UNKNOWN_ENTITY,
    UNREADABLE_CELL,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scoref.formats.ua_brackets import Markable, Place
    from scoref.formats.ua_text import ColumnCells, ColumnPlaces, NodeText
    from scoref.model import Note
    from scoref.rules import Rule


def read(
    data: bytes, *, source: str, lenient: bool = False, deixis: bool = False
) -> Corpus:
    """Read the column IDENTITY of a file, or DISCOURSE_DEIXIS."""
    data = with_tabs(without_bom(data), source)
    columns = columns_of(data, source=source, deixis=deixis)
    reader = _Reader(source, lenient=lenient)
    return reader.read(data, columns)


class _Irregularity(NamedTuple):
    """Something unusual that is noted but is not an error."""

    kind: str
    rule: Rule
    one: str
    several: str
    hint: str


_IRREGULARITIES = (
    _Irregularity(
        "changed-entities",
        CHANGED_ENTITY,
        "markable has parts with different entities; the last one was used",
        "markables have parts with different entities; the last one was used",
        "Give all parts of a markable the same EntityID.",
    ),
    _Irregularity(
        "unknown-plurals",
        UNKNOWN_ENTITY,
        "split antecedent was skipped, because its entity has no mention",
        "split antecedents were skipped, because their entities have no mention",
        "Use entities that have a mention in the same document.",
    ),
    _Irregularity(
        "unknown-anchors",
        UNKNOWN_ANCHOR,
        "bridging relation was skipped, because one of its markables does not exist",
        "bridging relations were skipped, because one of their markables does not "
        "exist",
        "Use markables of the same document in MarkableID and MentionAnchor.",
    ),
)


class _Reader:
    """Reads one file."""

    def __init__(self, source: str, *, lenient: bool) -> None:
        self._source = source
        self._faults = Faults(source, lenient=lenient)
        self._bridging = _Bridging(source, self._faults)
        # Lines where parts change the entity, and where plurals are unknown.
        self._changes: list[int] = []
        self._unknown: list[int] = []

    def read(self, data: bytes, columns: ColumnPlaces) -> Corpus:
        """Read text and markables, and build the corpus."""
        text = read_text(data, columns, self._source, self._faults)
        markables, place = self._markables(text).sort()
        start, member = markables.words()
        head = member[start[:-1]]
        first = np.flatnonzero(is_new(markables.label))
        words = Words(
            sentences=text.sentences,
            start=start,
            member=member,
            head=head,
            is_zero=(head & EMPTY) > 0,
            head_upos=text.rows.upos[markables.cell],
            dependencies={},
            minimum=markables.minimums(),
            by_document=True,
        )
        plurals, self._unknown = markables.plurals()
        bridges = self._bridging.bridges
        anaphora = Anaphora(
            markable=tuple(markables.name),
            is_referring=markables.is_referring[first],
            plural=column(plural for plural, _ in plurals),
            element=column(element for _, element in plurals),
            anaphor=place[column(bridge.anaphor for bridge in bridges)],
            antecedent=place[column(bridge.antecedent for bridge in bridges)],
            relation=tuple(bridge.relation for bridge in bridges),
        )
        return Corpus(
            source=self._source,
            format=UNIVERSAL_ANAPHORA,
            documents=text.documents,
            document_tokens=text.document_tokens,
            document_line=text.document_line,
            entity_document=markables.document[first],
            entity_label=tuple(markables.labels),
            mention_entity=markables.label,
            mention_start=head,
            mention_end=member[start[1:] - 1],
            mention_line=markables.line,
            notes=self._notes(),
            words=words,
            anaphora=anaphora,
        )

    def _markables(self, text: NodeText) -> Markables:
        """Read simple documents at once, the others cell by cell, and all bridges."""
        plain, odd = plain_markables(text)
        cells = _CellsByDocument(text.rows.layer, text)
        bridges = _CellsByDocument(text.rows.bridging, text)
        others: list[Markable] = []
        for document in sorted(odd | bridges.documents):
            if document in odd:
                first = len(plain.name) + len(others)
                tokens = int(text.document_tokens[document])
                walk = Walk(self._source, self._faults, tokens)
                for cell in cells.cells(document):
                    walk.take(*cell)
                self._changes += walk.changes
                markables = walk.finish()
                others += markables
                names = [markable.name for markable in markables]
            else:
                first, end = np.searchsorted(plain.document, [document, document + 1])
                names = plain.name[first:end]
            if document in bridges.documents:
                rows = {name: row for row, name in enumerate(names, start=int(first))}
                self._bridging.add(bridges.cells(document), rows)
        return plain.join(Markables.of(others))

    def _notes(self) -> tuple[Note, ...]:
        """Return the notes on irregularities and on faults that were skipped."""
        notes = []
        lines = self._changes, self._unknown, self._bridging.lost
        for kind, places in zip(_IRREGULARITIES, lines, strict=True):
            if places:
                first = FormatError(
                    counted(len(places), kind.one, kind.several),
                    rule=kind.rule,
                    source=self._source,
                    line=places[0],
                    hint=kind.hint,
                )
                notes.append(self._faults.note(kind.kind, len(places), first))
        return (*notes, *self._faults.notes())


_BRIDGES = re.compile(r"\)*(?:\([^()\s]*\)*)*")
_BRIDGE = re.compile(r"\(([^()]*)")


class _Bridge(NamedTuple):
    """The rows of an anaphor and its antecedent, and the relation between them."""

    anaphor: int
    antecedent: int
    relation: str


class _Bridging:
    """The column BRIDGING of one file.

        (MarkableID=m7|Rel=part|MentionAnchor=m2|EntityAnchor=e1)

    Closing brackets may be missing, or alone in the cell of the markable's last word.
    """

    def __init__(self, source: str, faults: Faults) -> None:
        self._source = source
        self._faults = faults
        self.bridges: list[_Bridge] = []
        self.lost: list[int] = []  # lines of bridges that lack one of two markables

    def add(self, cells: Iterable[Place], row: Mapping[str, int]) -> None:
        """Read the cells of a document, given the rows of its markables."""
        bridges: dict[int, _Bridge] = {}
        for text, line, *_ in cells:
            for fields in self._bridge_fields(text.strip(), line):
                anaphor = row.get(fields.get("MarkableID", ""))
                antecedent = row.get(fields.get("MentionAnchor", ""))
                if anaphor is None or antecedent is None:
                    self.lost.append(line)
                else:
                    # The last anchor of an anaphor counts, as in the official scorer.
                    relation = fields.get("Rel", "")
                    bridges[anaphor] = _Bridge(anaphor, antecedent, relation)
        self.bridges += bridges.values()

    def _bridge_fields(self, text: str, line: int) -> list[dict[str, str]]:
        """Return the fields of each bridge of a cell."""
        if text in {"", "_"}:
            return []
        if not _BRIDGES.fullmatch(text):
            error = FormatError(
                f"'{text}' in the column BRIDGING does not consist of brackets",
                rule=UNREADABLE_CELL,
                source=self._source,
                line=line,
                text=text,
                hint="Expected '(MarkableID=m7|Rel=part|MentionAnchor=m2)'.",
            )
            self._faults.report("unreadable-bridges", error)
            return []
        return list(map(fields_of, _BRIDGE.findall(text)))


class _CellsByDocument:
    """The cells of a column, by document."""

    def __init__(self, cells: ColumnCells, text: NodeText) -> None:
        code = text.code[cells.node]
        document = code >> SENTENCE_BITS
        self._code = code
        self._line = text.rows.line[cells.node]
        self._text = cells.text
        self._first = np.searchsorted(document, np.arange(len(text.documents) + 1))
        self._place = bounds(cells.text.length)
        self.documents = set(document[is_new(document)].tolist())

    def cells(self, document: int) -> list[Place]:
        """Return the cells of a document: text, line, code of the word, and number."""
        first, end = self._first[document : document + 2].tolist()
        data = self._text.data[self._place[first] : self._place[end]]
        # It is faster to decode all texts at once.
        texts = data.tobytes().decode("utf-8", "replace").split("\n")[:-1]
        line, code = self._line[first:end].tolist(), self._code[first:end].tolist()
        return list(zip(texts, line, code, range(first, end), strict=True))
