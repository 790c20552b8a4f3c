"""The class `Corpus`: the columns that a reader returns for the key or a response.

There is no object for a mention. A mention is a row of the ``mention_*`` columns and
an entity is a row of the ``entity_*`` columns. Rows are sorted by document and entity,
and otherwise keep the order of the file. That order decides which of two duplicates
is the first.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING

import numpy as np

from scoref.classes import NamedTuple, dataclass
from scoref.model.arrays import bounds
from scoref.model.text import (
    EMPTY,
    LAST_WORD,
    SENTENCE_BITS,
    WORD_BITS,
    Cells,
    Parses,
    Sentences,
    Texts,
    Tokens,
    WordSets,
    list_words,
    place_codes,
)
from scoref.printable import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from scoref.errors import FormatError
    from scoref.fingerprint import Fingerprint
    from scoref.topics import Topic

    Ints = NDArray[np.int64]

__all__ = [
    "EMPTY",
    "LAST_WORD",
    "SENTENCE_BITS",
    "WORD_BITS",
    "Anaphora",
    "Cells",
    "Corpus",
    "DocumentName",
    "FileAlias",
    "Note",
    "Parses",
    "Relation",
    "Sentences",
    "Texts",
    "Tokens",
    "WordSets",
    "Words",
    "list_words",
    "packed_text",
    "place_codes",
]


@dataclass(frozen=True)
class Note:
    """Something that was skipped or decided, reported with the score."""

    kind: str
    count: int
    message: str

    def __post_init__(self) -> None:
        """Make one printable line of the message, whatever names it contains."""
        object.__setattr__(self, "message", printable(self.message))


class FileAlias(str):
    """An alias that is the name of the document's file, and not from its content."""

    __slots__ = ()


class DocumentName(NamedTuple):
    """The name of a document, and how other formats write it.

    Key and response name the same document if they share an alias. A document without a
    name in its file has no aliases: its name is its number, and it is paired by place.
    """

    name: str
    aliases: tuple[str, ...]

    @classmethod
    def plain(cls, name: str) -> DocumentName:
        """Name a document that has one name in all formats."""
        return cls(name, (name,))

    @classmethod
    def numbered(cls, number: int) -> DocumentName:
        """Name a document without a name by its number, counted from 1."""
        return cls(str(number), ())

    @property
    def short(self) -> str:
        """Return the name to use in other formats."""
        return self.aliases[0] if self.aliases else self.name


class Relation(NamedTuple):
    """A bridge or a split antecedent, as it stands in the file."""

    kind: str
    line: int
    value: str


def packed_text(text: str) -> int:
    """Pack up to eight bytes of a text into an integer.

    >>> packed_text("X")
    88
    """
    return int.from_bytes(text.encode()[:8], "little")


class Words(NamedTuple):
    """The words of mentions, in formats where mentions are sets of words.

    A word is an integer, the same on both sides, that grows with the sentence and with
    the place in it. The words of mention ``row`` are ``member[start[row]:start[row +
    1]]``. A zero is a mention whose head is an empty node; ``dependencies`` are those
    of such heads. ``head_upos`` is the head's part of speech, packed by `packed_text`.

    CorefUD counts words by sentence, and Universal Anaphora by document. There, the
    document takes the place of the sentence, and a zero has the number of the word
    before it.
    """

    sentences: Sentences
    start: Ints
    member: Ints
    head: Ints
    is_zero: NDArray[np.bool_]
    head_upos: NDArray[np.uint64]
    dependencies: Mapping[int, frozenset[tuple[str, str]]]
    relations: tuple[Relation, ...] = ()
    minimum: WordSets | None = None  # what a partial match needs; None: the head
    by_document: bool = False  # whether words are counted by document
    names_heads: bool = True  # False: the file has no heads, and first words are heads
    tree_head: Ints | None = None  # then, heads from the trees, if they were requested
    tree_upos: NDArray[np.uint64] | None = None  # and their parts of speech

    @property
    def length(self) -> Ints:
        """Count the words of each mention."""
        return np.diff(self.start)

    def document_codes(self, documents: int) -> Ints:
        """Return the code from which the words of each document are counted."""
        number = np.arange(documents)
        if not self.by_document:
            number = np.searchsorted(self.sentences.document, number)
        return number << np.int64(SENTENCE_BITS)


class Anaphora(NamedTuple):
    """Plurals, non-referring entities and bridging, by rows of entities and mentions.

    Entity ``element`` is one of the entities that ``plural`` stands for. ``anaphor``
    and ``antecedent`` are the mentions of a bridge, and ``relation`` is its kind.
    """

    markable: tuple[str, ...]  # the id of each mention
    is_referring: NDArray[np.bool_]  # by entity
    plural: Ints
    element: Ints
    anaphor: Ints
    antecedent: Ints
    relation: tuple[str, ...]
    notes: tuple[Note, ...] = ()  # reported only if plurals are scored


@dataclass(frozen=True)
class Corpus:
    """One side: documents, entities and mentions.

    A mention is the tokens ``mention_start`` to ``mention_end`` of its document,
    counted from 0; both are part of it. If some mentions have gaps, ``pieces`` lists
    the tokens of all mentions. ``faults`` are the errors of single documents, by row;
    they are raised only if such a document is scored.
    """

    source: str
    format: str
    documents: tuple[DocumentName, ...]
    document_tokens: Ints | None  # None: the format does not have them
    document_line: Ints  # 0: the format has no lines
    entity_document: Ints
    entity_label: tuple[str, ...]
    mention_entity: Ints
    mention_start: Ints
    mention_end: Ints
    mention_line: Ints
    mention_order: Ints | None = None  # order of their last brackets; None: of the rows
    notes: tuple[Note, ...] = ()
    faults: Mapping[int, FormatError] = field(default_factory=dict)
    words: Words | None = None
    anaphora: Anaphora | None = None
    entity_type: tuple[str, ...] | None = None  # None: it was not requested
    document_genre: tuple[str, ...] | None = None  # likewise; "": it is not known
    fingerprint: Fingerprint | None = None  # likewise
    document_checksum: Ints | None = None  # of the words; None: they are not known
    parses: Parses | None = None
    tokens: Tokens | None = None  # None: not requested, or the file has none
    mention_type: tuple[str, ...] | None = None  # None: the file has none
    mention_kbid: tuple[str, ...] | None = None  # ids of a knowledge base; likewise
    # The ids of mentions by document, and their places; None: mentions have no ids.
    mention_ids: Mapping[str, Mapping[str, tuple[int, int]]] | None = None
    has_labels: bool = True  # False: the reader numbered the entities
    document_topic: tuple[Topic | None, ...] | None = None  # None: the file has none
    pieces: WordSets | None = None  # tokens of mentions, if some have gaps
    # Mentions that are not in the text: they count, but match nothing. None: all are.
    mention_unplaced: NDArray[np.bool_] | None = None
    # Start and end of mentions that are Python values, if few of them match.
    mention_offsets: tuple[Ints, Ints] | None = None
    # Reads the tokens if they are needed after all.
    later: Callable[[], Tokens | None] | None = field(
        default=None, compare=False, repr=False
    )

    @property
    def mention_document(self) -> Ints:
        """Return the document of each mention."""
        return self.entity_document[self.mention_entity]

    @property
    def rows_with_gaps(self) -> Ints:
        """List the mentions that are discontinuous."""
        if self.pieces is None:
            return np.zeros(0, dtype=np.int64)
        start, member = self.pieces
        length = member[start[1:] - 1] - member[start[:-1]] + 1
        return np.flatnonzero(np.diff(start) < length)

    @property
    def is_unplaced(self) -> NDArray[np.bool_]:
        """Mark the mentions that are not in the text, whatever their offsets are."""
        if self.mention_unplaced is None:
            return np.zeros(len(self.mention_entity), dtype=np.bool_)
        return self.mention_unplaced

    def keep_mentions(self, kept: NDArray[np.bool_]) -> Corpus:
        """Drop some mentions that are spans; entities stay, even if they are empty."""
        return self.take_mentions(np.flatnonzero(kept))

    def take_mentions(self, rows: Ints) -> Corpus:
        """Return the corpus with these mentions that are spans, in this order.

        A row may be repeated.
        """
        order = self.mention_order

        def take(texts: tuple[str, ...] | None) -> tuple[str, ...] | None:
            return None if texts is None else tuple(texts[row] for row in rows.tolist())

        return replace(
            self,
            mention_entity=self.mention_entity[rows],
            mention_start=self.mention_start[rows],
            mention_end=self.mention_end[rows],
            mention_line=self.mention_line[rows],
            mention_order=None if order is None else order[rows],
            mention_type=take(self.mention_type),
            mention_kbid=take(self.mention_kbid),
            pieces=self.pieces and self.pieces.take(rows),
            mention_unplaced=None
            if self.mention_unplaced is None
            else self.mention_unplaced[rows],
            mention_offsets=self.mention_offsets
            and (self.mention_offsets[0][rows], self.mention_offsets[1][rows]),
        )

    def with_tokens(self) -> Corpus:
        """Read the text, if there is one and it has not been read."""
        if self.tokens is not None or self.later is None:
            return self
        return replace(self, tokens=self.later(), later=None)

    def place(self, row: int) -> str:
        """Write a mention's place: ``[0, 3]``, or ``[0, 1], [3, 3]`` with a gap."""
        if self.pieces is None:
            return f"[{self.mention_start[row]}, {self.mention_end[row]}]"
        start, end = self.pieces.start[row : row + 2].tolist()
        tokens = self.pieces.member[start:end]
        pieces = np.split(tokens, np.flatnonzero(np.diff(tokens) != 1) + 1)
        return ", ".join(f"[{piece[0]}, {piece[-1]}]" for piece in pieces)

    def token_sets(self) -> WordSets:
        """List the tokens of mentions that are spans, counted by document."""
        if self.pieces is not None:
            return self.pieces
        length = self.mention_end - self.mention_start + 1
        words = list_words(self.mention_start, length, source=self.source)
        return WordSets(bounds(length), words)
