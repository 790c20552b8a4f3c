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
entity refers. Simple documents are read at once; the others are read bracket by
bracket, to report what is wrong and where.
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
from scoref.rules import (
    CHANGED_ENTITY,
    UNKNOWN_ANCHOR,
    UNKNOWN_ENTITY,
    UNREADABLE_CELL,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from scoref.formats.ua_brackets import Markable, Place
    from scoref.formats.ua_text import ColumnCells, ColumnPlaces, NodeText
    from scoref.model import Ints, Note
    from scoref.rules import Rule

    Mask = NDArray[np.bool_]

_BRIDGES = re.compile(r"\)*(?:\([^()\s]*\)*)*")
_BRIDGE = re.compile(r"\(([^()]*)")


def read(
    data: bytes, *, source: str, lenient: bool = False, deixis: bool = False
) -> Corpus:
    """Read a whole file: its column IDENTITY, or DISCOURSE_DEIXIS."""
    data = with_tabs(without_bom(data), source)
    columns = columns_of(data, source=source, deixis=deixis)
    reader = _Reader(source, lenient=lenient)
    return reader.read(data, columns)


class _Decided(NamedTuple):
    """What is noted of a file that is read all the same."""

    kind: str
    rule: Rule
    what: str
    hint: str


_DECIDED = (
    _Decided(
        "changed-entities",
        CHANGED_ENTITY,
        "parts of markables change the entity",
        "give all parts of a markable the same EntityID: the last one counts",
    ),
    _Decided(
        "unknown-plurals",
        UNKNOWN_ENTITY,
        "elements of entities without a markable",
        "name entities that have a mention in the same document",
    ),
    _Decided(
        "unknown-anchors",
        UNKNOWN_ANCHOR,
        "bridges without two markables",
        "name markables of the same document in MarkableID and MentionAnchor",
    ),
)


class _Reader:
    """One file being read."""

    def __init__(self, source: str, *, lenient: bool) -> None:
        self._source = source
        self._faults = Faults(source, lenient=lenient)
        self._bridging = _Bridging(source, self._faults)
        self._moved: list[int] = []
        self._unknown: list[int] = []

    def read(self, data: bytes, columns: ColumnPlaces) -> Corpus:
        """Put together what the lines say."""
        text = read_text(data, columns, self._source, self._faults)
        found, place = self._markables(text).in_order()
        start, member = found.words()
        head = member[start[:-1]]
        first = np.flatnonzero(np.diff(found.label, prepend=-1))
        words = Words(
            sentences=text.sentences,
            start=start,
            member=member,
            head=head,
            is_zero=(head & EMPTY) > 0,
            head_upos=text.rows.upos[found.cell],
            dependencies={},
            minimum=found.minimums(),
            by_document=True,
        )
        anaphora = self._anaphora(found, found.is_referring[first], place)
        return Corpus(
            source=self._source,
            format=UNIVERSAL_ANAPHORA,
            documents=text.documents,
            document_tokens=text.document_tokens,
            document_line=text.document_line,
            entity_document=found.document[first],
            entity_label=tuple(found.labels),
            mention_entity=found.label,
            mention_start=head,
            mention_end=member[start[1:] - 1],
            mention_line=found.line,
            notes=self._notes(),
            words=words,
            anaphora=anaphora,
        )

    def _markables(self, text: NodeText) -> Markables:
        """Read plain documents at once, and walk through the others."""
        plain, odd = plain_markables(text)
        cells = _ByDocument(text.rows.layer, text)
        bridges = _ByDocument(text.rows.bridging, text)
        walked: list[Markable] = []
        for document in sorted(odd | bridges.documents):
            if document in odd:
                first = len(plain.name) + len(walked)
                markables = self._walked(text, cells, document)
                walked += markables
                names = [markable.name for markable in markables]
            else:
                first, end = np.searchsorted(plain.document, [document, document + 1])
                names = plain.name[first:end]
            if document in bridges.documents:
                rows = {name: row for row, name in enumerate(names, start=int(first))}
                self._bridging.add(bridges.cells(document), rows)
        return plain.joined(Markables.of(walked))

    def _walked(
        self, text: NodeText, cells: _ByDocument, document: int
    ) -> list[Markable]:
        """Walk through the cells of a document."""
        walk = Walk(self._source, self._faults, int(text.document_tokens[document]))
        for cell in cells.cells(document):
            walk.take(*cell)
        self._moved += walk.moved
        return walk.finish()

    def _anaphora(self, found: Markables, is_referring: Mask, place: Ints) -> Anaphora:
        bridges = self._bridging.bridges
        pairs, self._unknown = found.plurals()
        return Anaphora(
            markable=tuple(found.name),
            is_referring=is_referring,
            plural=column(plural for plural, _ in pairs),
            element=column(element for _, element in pairs),
            anaphor=place[column(bridge.anaphor for bridge in bridges)],
            antecedent=place[column(bridge.antecedent for bridge in bridges)],
            relation=tuple(bridge.relation for bridge in bridges),
        )

    def _notes(self) -> tuple[Note, ...]:
        """Tell what was decided, and what was passed over."""
        lines = self._moved, self._unknown, self._bridging.lost
        notes = [
            self._faults.note(decided.kind, len(found), self._first(decided, found))
            for decided, found in zip(_DECIDED, lines, strict=True)
            if found
        ]
        return (*notes, *self._faults.notes())

    def _first(self, decided: _Decided, lines: list[int]) -> FormatError:
        return FormatError(
            f"{decided.what}: {len(lines)}",
            rule=decided.rule,
            source=self._source,
            line=lines[0],
            hint=decided.hint,
        )


class _Bridge(NamedTuple):
    """An anaphor, what it is understood by, and how; by rows of mentions."""

    anaphor: int
    antecedent: int
    relation: str


class _Bridging:
    """The column BRIDGING of one file: what is understood by way of what.

        (MarkableID=m7|Rel=part|MentionAnchor=m2|EntityAnchor=e1)

    Closing brackets may lack, or stand alone in the cell of the markable's last word.
    """

    def __init__(self, source: str, faults: Faults) -> None:
        self._source = source
        self._faults = faults
        self.bridges: list[_Bridge] = []
        self.lost: list[int] = []  # lines of bridges to or from no markable

    def add(self, cells: Iterable[Place], row: Mapping[str, int]) -> None:
        """Read the cells of a document, given the rows of its markables."""
        found: dict[int, _Bridge] = {}
        for text, line, *_ in cells:
            for fields in self._groups(text.strip(), line):
                anaphor = row.get(fields.get("MarkableID", ""))
                antecedent = row.get(fields.get("MentionAnchor", ""))
                if anaphor is None or antecedent is None:
                    self.lost.append(line)
                else:
                    # The last anchor of an anaphor counts, as in the official scorer.
                    relation = fields.get("Rel", "")
                    found[anaphor] = _Bridge(anaphor, antecedent, relation)
        self.bridges += found.values()

    def _groups(self, text: str, line: int) -> list[dict[str, str]]:
        if text in {"", "_"}:
            return []
        if not _BRIDGES.fullmatch(text):
            error = FormatError(
                f"'{text}' in the column BRIDGING is not made of brackets",
                rule=UNREADABLE_CELL,
                source=self._source,
                line=line,
                text=text,
                hint="expected '(MarkableID=m7|Rel=part|MentionAnchor=m2)'",
            )
            self._faults.report("unreadable-bridges", error)
            return []
        return list(map(fields_of, _BRIDGE.findall(text)))


class _ByDocument:
    """The cells of a column, by document."""

    def __init__(self, cells: ColumnCells, text: NodeText) -> None:
        code = text.code[cells.node]
        document = code >> SENTENCE_BITS
        self._code = code
        self._line = text.rows.line[cells.node]
        self._text = cells.text
        self._first = np.searchsorted(document, np.arange(len(text.documents) + 1))
        self._place = np.concatenate(([0], np.cumsum(cells.text.length)))
        self.documents = set(document[np.diff(document, prepend=-1) > 0].tolist())

    def cells(self, document: int) -> list[Place]:
        """List the cells of a document: text, line, word and number."""
        first, end = self._first[document : document + 2].tolist()
        data = self._text.data[self._place[first] : self._place[end]]
        # Decoded at once, which is faster.
        texts = data.tobytes().decode("utf-8", "replace").split("\n")[:-1]
        line, code = self._line[first:end].tolist(), self._code[first:end].tolist()
        return list(zip(texts, line, code, range(first, end), strict=True))
