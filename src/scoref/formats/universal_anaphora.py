"""Universal Anaphora (CONLL-UA): CoNLL-U and further columns, of which three are read.

    # global.columns = ID FORM LEMMA … MISC IDENTITY BRIDGING DISCOURSE_DEIXIS …
    1   The      …   (EntityID=e1|MarkableID=m1|Min=2   _   _
    2   choir    …   )                                  _   _
    3   and      …   _                                  _   _
    4   Ada      …   (EntityID=e2|MarkableID=m2|ElementOf=e3)   _   _

A mention is a markable of the column IDENTITY or, if so asked, DISCOURSE_DEIXIS.
Its words are numbered through the document: see `scoref.model.Words`. Ids are those
of a document. Every markable is a mention, those that do not refer as well; what
counts of them is for a scheme to say.

Entities are in the order of their first markables, and so are mentions in entities:
that order decides which of two duplicates is the first, and what an entity is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.formats import UNIVERSAL_ANAPHORA
from scoref.formats._faults import Faults
from scoref.formats._text import without_bom
from scoref.formats._ua_brackets import Walk
from scoref.formats._ua_bridging import Bridging
from scoref.formats._ua_columns import columns_of, with_tabs
from scoref.formats._ua_lines import read_rows
from scoref.formats._ua_text import column, text_of
from scoref.model import (
    EMPTY,
    SENTENCE_BITS,
    WORD_BITS,
    Anaphora,
    Corpus,
    Note,
    Words,
    WordSets,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scoref.formats._ua_brackets import Markable
    from scoref.formats._ua_lines import Cells, Rows
    from scoref.formats._ua_text import Text
    from scoref.model import Ints

    Columns = tuple[list[str], list[int], list[int], Sequence[int]]

_STEP = 1 << WORD_BITS


def read(
    data: bytes, *, source: str, lenient: bool = False, deixis: bool = False
) -> Corpus:
    """Read a whole file: its column IDENTITY, or DISCOURSE_DEIXIS."""
    data = with_tabs(without_bom(data), source)
    columns = columns_of(data, source=source, deixis=deixis)
    reader = _Reader(source, lenient=lenient)
    return reader.corpus(read_rows(data, columns, source))


class _Found(NamedTuple):
    """Mentions in the order of the corpus, and their entities."""

    markables: list[Markable]
    entity: list[int]
    entity_label: list[str]
    entity_document: list[int]
    is_referring: list[bool]
    plurals: list[tuple[int, int]]  # plural and element


class _Reader:
    """One file being read."""

    def __init__(self, source: str, *, lenient: bool) -> None:
        self._source = source
        self._faults = Faults(lenient=lenient)
        self._bridging = Bridging(source, self._faults)
        self._moved: list[int] = []
        self._unknown: list[int] = []

    def corpus(self, rows: Rows) -> Corpus:
        """Put together what the lines say."""
        text = text_of(rows, self._source, self._faults)
        found = self._mentions(text)
        markables = found.markables
        start, member = _members(markables)
        head = member[start[:-1]]
        words = Words(
            sentences=text.sentences,
            start=start,
            member=member,
            head=head,
            is_zero=(head & EMPTY) > 0,
            head_upos=text.rows.upos[column(found.cell for found in markables)],
            dependencies={},
            minimum=_minimums(markables),
            by_document=True,
        )
        return Corpus(
            source=self._source,
            format=UNIVERSAL_ANAPHORA,
            documents=text.documents,
            document_tokens=text.document_tokens,
            document_line=text.document_line,
            entity_document=column(found.entity_document),
            entity_label=tuple(found.entity_label),
            mention_entity=column(found.entity),
            mention_start=head,
            mention_end=member[start[1:] - 1],
            mention_line=column(found.last_line for found in markables),
            notes=self._notes(),
            words=words,
            anaphora=self._anaphora(found),
        )

    def _mentions(self, text: Text) -> _Found:
        """Walk through the cells of each document."""
        found = _Found([], [], [], [], [], [])
        cells = _by_document(text.rows.layer, text)
        bridges = _by_document(text.rows.bridging, text)
        for document, words in enumerate(text.document_tokens.tolist()):
            walk = Walk(self._source, self._faults, words)
            for cell in zip(*cells(document), strict=True):
                walk.take(*cell)
            self._moved += walk.moved
            first = len(found.markables)
            self._add_document(walk.finish(), document, found)
            bridging = bridges(document)
            if bridging[0]:
                names = (markable.name for markable in found.markables[first:])
                rows = {name: row for row, name in enumerate(names, start=first)}
                self._bridging.add(zip(*bridging, strict=True), rows)
        return found

    def _add_document(
        self, markables: list[Markable], document: int, found: _Found
    ) -> None:
        """Put markables into entities, and these in order."""
        rows: dict[str, int] = {}
        for markable in markables:
            if markable.entity not in rows:
                rows[markable.entity] = len(found.entity_label)
                found.entity_label.append(markable.entity)
                found.entity_document.append(document)
                found.is_referring.append(markable.is_referring)
        pairs: dict[tuple[int, int], None] = {}
        for markable in markables:
            for label, line in markable.elements:
                if label in rows:
                    pairs[rows[label], rows[markable.entity]] = None
                else:
                    self._unknown.append(line)
        found.plurals.extend(pairs)
        markables.sort(key=lambda markable: rows[markable.entity])
        found.markables.extend(markables)
        found.entity.extend(rows[markable.entity] for markable in markables)

    def _anaphora(self, found: _Found) -> Anaphora:
        bridges = self._bridging.bridges
        return Anaphora(
            markable=tuple(markable.name for markable in found.markables),
            is_referring=np.array(found.is_referring, dtype=np.bool_),
            plural=column(plural for plural, _ in found.plurals),
            element=column(element for _, element in found.plurals),
            anaphor=column(bridge.anaphor for bridge in bridges),
            antecedent=column(bridge.antecedent for bridge in bridges),
            relation=tuple(bridge.relation for bridge in bridges),
        )

    def _notes(self) -> tuple[Note, ...]:
        """Tell what was decided, and what was passed over."""
        decided = (
            ("changed-entities", "parts of markables change the entity", self._moved),
            (
                "unknown-plurals",
                "elements of entities without a markable",
                self._unknown,
            ),
            ("unknown-anchors", "bridges without two markables", self._bridging.lost),
        )
        notes = [
            Note(
                kind,
                len(lines),
                f"{what}: {len(lines)}, first at {self._source}:{lines[0]}",
            )
            for kind, what, lines in decided
            if lines
        ]
        return (*notes, *self._faults.notes())


def _by_document(cells: Cells, text: Text) -> Callable[[int], Columns]:
    """Make a function from documents to their cells: text, line, word and number."""
    code, line = text.code[cells.node], text.rows.line[cells.node].tolist()
    bounds = np.searchsorted(
        code >> SENTENCE_BITS, np.arange(len(text.documents) + 1)
    ).tolist()
    word, number = code.tolist(), range(len(code))

    def cells_of(document: int) -> Columns:
        here = slice(bounds[document], bounds[document + 1])
        return cells.text[here], line[here], word[here], number[here]

    return cells_of


def _members(markables: list[Markable]) -> tuple[Ints, Ints]:
    """List the words of each markable, in order and none twice."""
    first = column(markable.first for markable in markables)
    last = column(markable.last for markable in markables)
    count = np.ones(len(markables), dtype=np.int64)
    if any(markable.others for markable in markables):
        parts = [markable.parts for markable in markables]
        first = column(start for runs in parts for start, _ in runs)
        last = column(end for runs in parts for _, end in runs)
        count = column(map(len, parts))
    length = (last - first) // _STEP + 1
    ends = np.concatenate(([0], np.cumsum(length)))
    start = ends[np.concatenate(([0], np.cumsum(count)))]
    step = np.arange(length.sum()) - np.repeat(ends[:-1], length)
    return start, np.repeat(first, length) + step * _STEP


def _minimums(markables: list[Markable]) -> WordSets:
    document = column(markable.code for markable in markables) >> SENTENCE_BITS
    first = column(markable.minimum for markable in markables)
    last = column(markable.minimum_end for markable in markables)
    last -= first == 0
    length = last - first + 1
    end = np.cumsum(length)
    number = np.arange(length.sum()) + np.repeat(first - end + length, length)
    member = np.repeat(document, length) << SENTENCE_BITS | number << WORD_BITS
    return WordSets(np.concatenate(([0], end)), member)
