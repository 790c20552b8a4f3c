"""The class `CorpusBuilder`, with which readers build a corpus, and the class `Faults`.

A reader adds rows one by one, and the builder sorts them once at the end. `Faults`
raises an error for each fault of a file or, in lenient reading, skips and notes it.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from scoref.model import Corpus, Note, WordSets

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scoref.errors import FormatError
    from scoref.model import DocumentName, Ints, Tokens
    from scoref.topics import Topic

    Run = tuple[int, int]


@dataclass(slots=True)
class CorpusBuilder:
    """Collects what a reader finds, row by row, and sorts it once at the end.

    ``mentions`` is flat, for speed: entity, start, end and line of each in turn.
    """

    source: str
    format: str
    documents: list[DocumentName] = field(default_factory=list)
    document_tokens: list[int] = field(default_factory=list)
    document_line: list[int] = field(default_factory=list)
    entity_document: list[int] = field(default_factory=list)
    entity_label: list[str] = field(default_factory=list)
    mentions: list[int] = field(default_factory=list)
    runs: dict[int, Sequence[Run]] = field(default_factory=dict)  # with gaps
    entity_type: list[str] = field(default_factory=list)  # of none, or of all
    faults: dict[int, FormatError] = field(default_factory=dict)
    has_labels: bool = True
    mention_type: list[str] | None = None  # by mention, as they come
    mention_kbid: list[str] | None = None
    topics: dict[int, Topic] = field(default_factory=dict)

    def add_document(self, name: DocumentName, *, line: int, tokens: int = 0) -> int:
        """Open a document and return its row."""
        self.documents.append(name)
        self.document_line.append(line)
        self.document_tokens.append(tokens)
        return len(self.documents) - 1

    def add_entity(self, label: str, document: int) -> int:
        """Open an entity and return its row."""
        self.entity_label.append(label)
        self.entity_document.append(document)
        return len(self.entity_label) - 1

    def add_mention(self, entity: int, runs: Sequence[Run], line: int) -> None:
        """Add a mention of runs of tokens, each from its first to its last one."""
        if len(runs) > 1:
            self.runs[len(self.mentions) // 4] = runs
        self.mentions += [entity, runs[0][0], runs[-1][1], line]

    def extend(self, other: CorpusBuilder) -> None:
        """Add another builder's documents behind this one's."""
        documents, entities = len(self.documents), len(self.entity_label)
        self.documents += other.documents
        self.document_tokens += other.document_tokens
        self.document_line += other.document_line
        self.entity_document += [documents + row for row in other.entity_document]
        self.entity_label += other.entity_label
        rows = np.array(other.mentions, dtype=np.int64).reshape(-1, 4)
        rows[:, 0] += entities
        self.mentions += rows.ravel().tolist()
        self.has_labels &= other.has_labels

    def build(
        self,
        notes: Sequence[Note] = (),
        *,
        has_tokens: bool = True,
        mentions: Ints | None = None,
        tokens: Tokens | None = None,
    ) -> Corpus:
        """Sort the mentions by entity and freeze everything.

        A reader that has its mentions in an array already may hand it in, in the
        order in which the file completes them.
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
            entity_document=_column(self.entity_document),
            entity_label=tuple(self.entity_label),
            mention_entity=entity,
            mention_start=start,
            mention_end=end,
            mention_line=line,
            mention_order=order,
            notes=tuple(notes),
            faults=self.faults,
            mention_type=_taken(self.mention_type, order),
            mention_kbid=_taken(self.mention_kbid, order),
            has_labels=self.has_labels,
            document_topic=self._topics(),
            entity_type=tuple(self.entity_type) if any(self.entity_type) else None,
            tokens=tokens,
            pieces=self._pieces(order, start, end) if self.runs else None,
        )

    def _pieces(self, order: Ints, start: Ints, end: Ints) -> WordSets:
        """List the tokens of all mentions, as some have gaps."""
        spans = zip(order.tolist(), start.tolist(), end.tolist(), strict=True)
        runs = [self.runs.get(row, [(first, last)]) for row, first, last in spans]
        members = [[*chain(*(range(a, b + 1) for a, b in each))] for each in runs]
        return WordSets(
            np.cumsum([0, *map(len, members)]), _column(list(chain(*members)))
        )

    def _topics(self) -> tuple[Topic | None, ...] | None:
        if not self.topics:
            return None
        return tuple(self.topics.get(row) for row in range(len(self.documents)))


def _taken(texts: list[str] | None, order: Ints) -> tuple[str, ...] | None:
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


_HEARD: ContextVar[list[FormatError] | None] = ContextVar("heard", default=None)


@contextmanager
def record_faults() -> Iterator[list[FormatError]]:
    """List all that lenient readers pass over or note meanwhile, one by one."""
    heard: list[FormatError] = []
    before = _HEARD.set(heard)
    try:
        yield heard
    finally:
        _HEARD.reset(before)


class Faults:
    """The faults of one file, by kind."""

    def __init__(self, source: str, *, lenient: bool) -> None:
        self.source = source
        self._lenient = lenient
        self._passed_over: dict[str, list[FormatError]] = defaultdict(list)
        self._heard = _HEARD.get()

    def report(self, kind: str, error: FormatError) -> None:
        """Raise an error, or remember it if the reading is lenient."""
        if not self._lenient:
            raise error
        self._passed_over[kind].append(error)
        self._tell(error)

    def note(
        self, kind: str, count: int, first: FormatError, expected: str = ""
    ) -> Note:
        """Note what is no error, however strict the reading is: what, and where."""
        self._tell(first)
        place = f"{first.source}:{first.line}"
        return Note(kind, count, f"{first.problem}, first at {place}{expected}")

    def notes(self) -> list[Note]:
        """Tell what was passed over: how often, and where first."""
        return [_note(*found) for found in self._passed_over.items()]

    def _tell(self, error: FormatError) -> None:
        if self._heard is not None:
            self._heard.append(error)


def _note(kind: str, errors: list[FormatError]) -> Note:
    place = f"{errors[0].source}:{errors[0].line}"
    what = kind.replace("-", " ")
    message = f"{what}: {len(errors)} passed over, first at {place}"
    return Note(kind, len(errors), message)
