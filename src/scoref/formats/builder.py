"""What readers use to build a corpus: `CorpusBuilder`, `Groups` and `Faults`.

A reader adds rows one by one to a `CorpusBuilder`, which sorts them once at the end.
`Groups` turns pairs of mentions into entities. `Faults` raises an error for each fault
of a file or, in lenient reading, skips and counts it.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from scoref.classes import dataclass
from scoref.model import Corpus, DocumentName, Note, Texts, Tokens, WordSets
from scoref.model.arrays import bounds
from scoref.notes import WARNING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scoref.errors import FormatError
    from scoref.model import Ints
    from scoref.topics import Topic

    Run = tuple[int, int]


@dataclass()
class CorpusBuilder:
    """Documents, entities and mentions of a corpus that is being read.

    For speed, ``mentions`` is one flat list: entity, start, end and line of the first
    mention, then of the second, and so on.
    """

    source: str
    format: str
    documents: list[DocumentName] = field(default_factory=list)
    document_tokens: list[int] = field(default_factory=list)
    document_line: list[int] = field(default_factory=list)
    document_checksum: list[int] | None = None  # of the words, if they are known
    entity_document: list[int] = field(default_factory=list)
    entity_label: list[str] = field(default_factory=list)
    mentions: list[int] = field(default_factory=list)
    runs: dict[int, Sequence[Run]] = field(default_factory=dict)  # mentions with gaps
    entity_type: list[str] = field(default_factory=list)  # of all entities, or empty
    faults: dict[int, FormatError] = field(default_factory=dict)
    has_labels: bool = True
    mention_type: list[str] | None = None  # in the order of ``mentions``
    mention_kbid: list[str] | None = None
    topics: dict[int, Topic] = field(default_factory=dict)
    texts: dict[int, list[Sequence[str]]] = field(default_factory=dict)

    def add_document(
        self,
        name: DocumentName | str,
        *,
        line: int,
        tokens: int = 0,
        sentences: Iterable[Sequence[str]] | None = None,
    ) -> int:
        """Add a document and return its row.

        Args:
            name: the document's name.
            line: the line of the file where it starts; 0 if the format has no lines.
            tokens: the number of its words, if the words are not given.
            sentences: its words, sentence by sentence.
        """
        row = len(self.documents)
        if sentences is not None:
            self.texts[row] = list(sentences)
            tokens = sum(map(len, self.texts[row]))
        self.documents.append(
            DocumentName.plain(name) if isinstance(name, str) else name
        )
        self.document_line.append(line)
        self.document_tokens.append(tokens)
        return row

    def add_entity(self, label: str, document: int) -> int:
        """Add an entity and return its row."""
        self.entity_label.append(label)
        self.entity_document.append(document)
        return len(self.entity_label) - 1

    def add_mention(self, entity: int, runs: Sequence[Run], line: int) -> None:
        """Add a mention; each run is the first and the last of consecutive tokens."""
        if len(runs) > 1:
            self.runs[len(self.mentions) // 4] = runs
        self.mentions += [entity, runs[0][0], runs[-1][1], line]

    def build(
        self,
        notes: Sequence[Note] = (),
        *,
        has_tokens: bool = True,
        mentions: Ints | None = None,
        tokens: Tokens | None = None,
    ) -> Corpus:
        """Sort the mentions by entity and return the corpus.

        A reader may pass its mentions as an array with the columns of ``mentions``, in
        the order in which they end in the file. ``has_tokens`` is False if the reader
        does not know how many words the documents have.
        """
        if mentions is None:
            mentions = np.array(self.mentions, dtype=np.int64).reshape(-1, 4)
        order = np.argsort(mentions[:, 0], kind="stable")
        entity, start, end, line = np.ascontiguousarray(mentions[order].T)
        return Corpus(
            source=self.source,
            format=self.format,
            documents=tuple(self.documents),
            document_tokens=_column(self.document_tokens) if has_tokens else None,
            document_line=_column(self.document_line),
            document_checksum=None
            if self.document_checksum is None
            else _column(self.document_checksum),
            entity_document=_column(self.entity_document),
            entity_label=tuple(self.entity_label),
            mention_entity=entity,
            mention_start=start,
            mention_end=end,
            mention_line=line,
            mention_order=order,
            notes=tuple(notes),
            faults=self.faults,
            mention_type=_reorder(self.mention_type, order),
            mention_kbid=_reorder(self.mention_kbid, order),
            has_labels=self.has_labels,
            document_topic=tuple(map(self.topics.get, range(len(self.documents))))
            if self.topics
            else None,
            entity_type=tuple(self.entity_type) if any(self.entity_type) else None,
            tokens=self._text() if tokens is None else tokens,
            pieces=self._pieces(order, start, end) if self.runs else None,
        )

    def _text(self) -> Tokens | None:
        """Return the words of all documents, if every document has some."""
        if not self.texts or len(self.texts) < len(self.documents):
            return None
        sentences = [
            sentence for row in sorted(self.texts) for sentence in self.texts[row]
        ]
        length = _column(list(map(len, sentences)))
        tokens = _column(self.document_tokens)
        return Tokens(
            first=bounds(tokens),
            sentence=np.repeat(np.arange(len(length)), length),
            line=np.repeat(_column(self.document_line), tokens),
            word=Texts.of(chain(*sentences)),
        )

    def _pieces(self, order: Ints, starts: Ints, ends: Ints) -> WordSets:
        """List the tokens of every mention, because some mentions have gaps."""
        spans = zip(order.tolist(), starts.tolist(), ends.tolist(), strict=True)
        tokens = [
            [
                token
                for first, last in self.runs.get(row, [(start, end)])
                for token in range(first, last + 1)
            ]
            for row, start, end in spans
        ]
        return WordSets(
            np.cumsum([0, *map(len, tokens)]), _column(list(chain(*tokens)))
        )


def _reorder(texts: list[str] | None, order: Ints) -> tuple[str, ...] | None:
    return None if texts is None else tuple(texts[row] for row in order.tolist())


def _column(values: list[int]) -> Ints:
    return np.array(values, dtype=np.int64)


class Groups:
    """Names in groups; each is a group of its own until a pair joins it to another.

    >>> groups = Groups("abcd")
    >>> groups.join("d", "b")
    >>> groups.lists()
    [['a'], ['b', 'd'], ['c']]
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._leader = {name: name for name in names}

    def join(self, one: str, other: str) -> None:
        """Merge the groups of two names."""
        self._leader[self._leader_of(other)] = self._leader_of(one)

    def lists(self) -> list[list[str]]:
        """List the groups in the order of their first names."""
        groups: dict[str, list[str]] = {}
        for name in self._leader:
            groups.setdefault(self._leader_of(name), []).append(name)
        return list(groups.values())

    def _leader_of(self, name: str) -> str:
        leader = self._leader
        while leader[name] != name:
            leader[name] = leader[leader[name]]
            name = leader[name]
        return name


_RECORD: ContextVar[list[FormatError] | None] = ContextVar("record", default=None)


@contextmanager
def record_faults() -> Iterator[list[FormatError]]:
    """Collect every fault that lenient readers skip or note inside the block."""
    record: list[FormatError] = []
    before = _RECORD.set(record)
    try:
        yield record
    finally:
        _RECORD.reset(before)


class Faults:
    """The faults of one file, by kind."""

    def __init__(self, source: str, *, lenient: bool) -> None:
        self.source = source
        self._lenient = lenient
        self._skipped: dict[str, list[FormatError]] = defaultdict(list)
        self._record = _RECORD.get()

    def report(self, kind: str, error: FormatError) -> None:
        """Raise the error or, in lenient reading, count it."""
        if not self._lenient:
            raise error
        self._skipped[kind].append(error)
        if self._record is not None:
            self._record.append(error)

    def note(
        self, kind: str, count: int, first: FormatError, expected: str = ""
    ) -> Note:
        """Return a note on faults that are not errors, even in strict reading.

        ``first`` describes all of them and names the place of the first one.
        """
        if self._record is not None:
            self._record.append(first)
        place = f"{first.source}:{first.line}"
        message = f"{WARNING}{first.problem} (first: {place}).{expected}"
        return Note(kind, count, message)

    def notes(self) -> list[Note]:
        """Return a note per kind: how many faults were skipped, and the first place."""
        notes = []
        for kind, errors in self._skipped.items():
            place = f"{errors[0].source}:{errors[0].line}"
            count = "at" if len(errors) == 1 else f"{len(errors):,}, first at"
            message = f"{WARNING}Skipped: {kind.replace('-', ' ')} ({count} {place})."
            notes.append(Note(kind, len(errors), message))
        return notes
