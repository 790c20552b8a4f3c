"""What a reader hands on: one side of a corpus, in columns.

There is no object for a mention. A mention is a row of the ``mention_*``
columns, an entity a row of the ``entity_*`` columns, and rows are sorted by
document and entity, in the order in which the file brought them: that order
decides which of two duplicates is the first.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import TooLargeError
from scoref.printable import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from scoref.errors import FormatError
    from scoref.fingerprint import Fingerprint
    from scoref.topics import Topic

    Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Note:
    """Something that was passed over or decided, told beside the score."""

    kind: str
    count: int
    message: str

    def __post_init__(self) -> None:
        """Leave one line of what names of documents and files may have brought in."""
        object.__setattr__(self, "message", printable(self.message))


class DocumentName(NamedTuple):
    """What a document is called, here and in other formats.

    Key and response name the same document if they share an alias. A document that its
    file does not name has none: it is called by its number, and goes by its place.
    """

    name: str
    aliases: tuple[str, ...]

    @classmethod
    def plain(cls, name: str) -> DocumentName:
        """Name a document that goes by one name only."""
        return cls(name, (name,))

    @classmethod
    def numbered(cls, number: int) -> DocumentName:
        """Call a document without a name by its number, counted from 1."""
        return cls(str(number), ())

    @property
    def short(self) -> str:
        """Give the name that other formats are to have."""
        return self.aliases[0] if self.aliases else self.name


_FIRST_BYTE = -64  # of a character in UTF-8, signed; what follows is below


class Texts(NamedTuple):
    """Many short texts in one: their bytes, one behind the other, and lengths."""

    data: NDArray[np.uint8]
    length: Ints

    @classmethod
    def of(cls, texts: Iterable[str]) -> Texts:
        """Put texts one behind the other."""
        found = list(texts)
        joined = "".join(found)
        data = joined.encode("utf-8", "surrogatepass")
        length = np.fromiter(map(len, found), dtype=np.int64, count=len(found))
        if len(data) > len(joined):  # some characters are several bytes
            starts = np.flatnonzero(np.frombuffer(data, dtype=np.int8) >= _FIRST_BYTE)
            end = np.append(starts, len(data))[np.cumsum(length)]
            length = np.diff(end, prepend=0)
        return cls(np.frombuffer(data, dtype=np.uint8), length)

    @classmethod
    def joined(cls, parts: Sequence[Texts]) -> Texts:
        """Put those of several behind each other."""
        return cls(
            np.concatenate([part.data for part in parts]),
            np.concatenate([part.length for part in parts]),
        )

    def first_difference(self, other: Texts) -> int:
        """Find the first text that is another one there; -1: none of those both have.

        >>> Texts.of(["a", "bc"]).first_difference(Texts.of(["ab", "c"]))
        0
        """
        common = min(len(self.length), len(other.length))
        unequal = np.flatnonzero(self.length[:common] != other.length[:common])[:1]
        until = int(unequal[0]) if len(unequal) else common
        ends = np.cumsum(self.length[:until])
        size = int(ends[-1]) if until else 0
        byte = np.flatnonzero(self.data[:size] != other.data[:size])[:1]
        if len(byte):
            return int(np.searchsorted(ends, byte[0], side="right"))
        return int(unequal[0]) if len(unequal) else -1

    def equals(self, other: Texts) -> bool:
        """Tell whether all are the same there, and as many."""
        return len(self.length) == len(other.length) and (
            self.first_difference(other) < 0
        )

    def text(self, row: int) -> str:
        """Give one of them."""
        start = int(self.length[:row].sum())
        piece = self.data[start : start + int(self.length[row])]
        return piece.tobytes().decode("utf-8", "replace")

    def strings(self) -> list[str]:
        """Give all of them."""
        data, end = self.data.tobytes(), np.cumsum(self.length)
        places = zip((end - self.length).tolist(), end.tolist(), strict=True)
        return [data[a:b].decode("utf-8", "replace") for a, b in places]

    def take(self, rows: Ints) -> Texts:
        """Keep some of them, in a new order."""
        length = self.length[rows]
        start = (np.cumsum(self.length) - self.length)[rows]
        place = np.arange(length.sum()) + np.repeat(
            start - np.cumsum(length) + length, length
        )
        return Texts(self.data[place], length)


class Sentences(NamedTuple):
    """What two files must have in common to be compared word by word."""

    document: Ints
    is_start: NDArray[np.bool_]  # of a document, or of a part of one
    line: Ints
    identifier: Texts
    word_count: Ints  # without empty nodes
    word: Texts
    word_line: Ints

    def first_difference(self, other: Sentences) -> int:
        """Find the sentence of the first word that is another one there; -1: none."""
        word = self.word.first_difference(other.word)
        if word < 0:
            return -1
        return int(np.searchsorted(np.cumsum(self.word_count), word, side="right"))


class Relation(NamedTuple):
    """A bridge or a split antecedent, as it stands in the file."""

    kind: str
    line: int
    value: str


SENTENCE_BITS, WORD_BITS = 32, 12
"""A word is its sentence, its number and, for an empty node, the second one: 3.1 of
the first sentence is ``0 << SENTENCE_BITS | 3 << WORD_BITS | 1``."""

EMPTY = (1 << WORD_BITS) - 1
LAST_WORD = (1 << SENTENCE_BITS - WORD_BITS) - 1
"""The greatest numbers: of an empty node behind a word, and of a word."""


def place_codes(sentence: Ints, number: Ints, empty: Ints) -> Ints:
    """Make codes of words, whose first part may be a document as well."""
    return sentence << SENTENCE_BITS | number << WORD_BITS | empty


def packed_text(text: str) -> int:
    """Write up to eight bytes of a text as an integer.

    >>> packed_text("X")
    88
    """
    return int.from_bytes(text.encode()[:8], "little")


_MOST_WORDS, _LONG = 1 << 22, 64
"""So many words may mentions have in all, and so many on average in any case."""


def listed(first: Ints, length: Ints, step: int = 1, *, source: str = "") -> Ints:
    """List the words of runs, given the first one of each and how many there are.

    >>> listed(np.array([3, 8]), np.array([2, 3])).tolist()
    [3, 4, 8, 9, 10]

    Raises:
        TooLargeError: mentions are so long that memory might not do.
    """
    end = np.cumsum(length)
    count = int(end[-1]) if len(end) else 0
    if count > max(_MOST_WORDS, _LONG * len(length)):
        place = f"{source}: " if source else ""
        raise TooLargeError(
            f"{place}{len(length):,} mentions have {count:,} words in all, which is "
            f"too much: {count // len(length):,} each, on average"
        )
    number = np.arange(count) - np.repeat(end - length, length)
    return np.repeat(first, length) + step * number


class WordSets(NamedTuple):
    """A set of words for each mention: ``member[start[row]:start[row + 1]]``."""

    start: Ints
    member: Ints


class Words(NamedTuple):
    """What mentions are made of where a format says so.

    A word is an integer, the same on both sides: it grows with the sentence and with
    the place in it. The words of mention ``row`` are ``member[start[row]:start[row +
    1]]``. A zero is a mention whose head is an empty node, and ``dependencies`` are
    those of such heads. ``head_upos`` is the head's part of speech, as
    `packed_text` writes it.

    In CorefUD words are counted by sentence, in Universal Anaphora by document: there,
    the document takes the place of the sentence, and a zero has the number of the word
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
    names_heads: bool = True  # False: no mention has one, and first words are heads

    @property
    def length(self) -> Ints:
        """Count the words of each mention."""
        return np.diff(self.start)


class Anaphora(NamedTuple):
    """What a format says beyond identity, by the rows of entities and mentions.

    Entity ``element`` is one of those that ``plural`` stands for. Mention ``anaphor``
    is understood by way of mention ``antecedent``, and ``relation`` says how.
    """

    markable: tuple[str, ...]  # what each mention is called
    is_referring: NDArray[np.bool_]  # by entity
    plural: Ints
    element: Ints
    anaphor: Ints
    antecedent: Ints
    relation: tuple[str, ...]
    notes: tuple[Note, ...] = ()  # of interest only where plurals are scored


class Cells(NamedTuple):
    """Texts by their places in a file: nobody asks for most of them."""

    data: bytes
    start: Ints
    end: Ints

    def copied(self) -> Texts:
        """Put all of them one behind the other."""
        length = self.end - self.start
        place = np.arange(length.sum()) + np.repeat(
            self.start - np.cumsum(length) + length, length
        )
        return Texts(np.frombuffer(self.data, dtype=np.uint8)[place], length)

    def texts(self, rows: Ints | slice = slice(None)) -> tuple[bytes, ...]:
        """Give some of them, or all."""
        places = zip(self.start[rows].tolist(), self.end[rows].tolist(), strict=True)
        return tuple([self.data[start:end] for start, end in places])

    def take(self, rows: Ints) -> Cells:
        """Keep some of them, in a new order."""
        return Cells(self.data, self.start[rows], self.end[rows])


class Parses(NamedTuple):
    """The tokens of a CoNLL-2012 file, each with its piece of a parse such as ``(NP*``.

    Token 3 of document ``row`` stands at ``first[row] + 3``. Where a line is too short
    to have a word, or a parse, it is empty.
    """

    first: Ints  # by document
    sentence: Ints
    line: Ints
    word: Cells
    tag: Cells
    piece: Cells


class Tokens(NamedTuple):
    """The text of a corpus, for people and for other formats: a row for each token.

    Tokens are sorted by document, and sentences are numbered through the corpus. In
    CorefUD and Universal Anaphora a token is a word or an empty node, and ``code`` is
    what `Words` calls it; elsewhere mentions are counted in tokens of a document.
    """

    first: Ints  # by document, and the end of the last one
    sentence: Ints
    line: Ints
    word: Texts  # Universal Anaphora's zeros have none
    code: Ints | None = None

    @property
    def document(self) -> Ints:
        """Say of each token which document it is in."""
        return np.repeat(np.arange(len(self.first) - 1), np.diff(self.first))

    @property
    def is_start(self) -> NDArray[np.bool_]:
        """Mark the tokens that start a sentence; documents start one as well."""
        is_start: NDArray[np.bool_] = np.diff(self.sentence, prepend=-1) != 0
        is_start[self.first[:-1][np.diff(self.first) > 0]] = True
        return is_start

    @property
    def is_empty(self) -> NDArray[np.bool_]:
        """Mark empty nodes."""
        if self.code is None:
            return np.zeros(len(self.line), dtype=np.bool_)
        is_empty: NDArray[np.bool_] = (self.code & EMPTY) > 0
        return is_empty

    def keep(self, kept: NDArray[np.bool_]) -> Tokens:
        """Leave out the others."""
        rows = np.flatnonzero(kept)
        before = np.concatenate(([0], np.cumsum(kept)))
        return Tokens(
            before[self.first],
            self.sentence[rows],
            self.line[rows],
            self.word.take(rows),
            None if self.code is None else self.code[rows],
        )

    def forms(self, empty: str) -> list[str]:
        """Give the words as people see them; ``empty``: a node without a form."""
        words = self.word.strings()
        for row in np.flatnonzero(self.is_empty).tolist():
            words[row] = empty if words[row] in {"", "_"} else words[row]
        return words

    def of_mentions(self, corpus: Corpus) -> WordSets:
        """Find the rows of each mention's tokens."""
        if corpus.words is not None and self.code is not None:
            order = np.argsort(self.code, kind="stable")
            place = np.searchsorted(self.code[order], corpus.words.member)
            return WordSets(corpus.words.start, order[place])
        start, member = corpus.token_sets()
        first = self.first[corpus.entity_document[corpus.mention_entity]]
        return WordSets(start, member + np.repeat(first, np.diff(start)))


@dataclass(frozen=True, slots=True)
class Corpus:
    """One side: documents, entities and mentions.

    A mention is the tokens ``mention_start`` to ``mention_end`` of its document,
    both counted from 0 and both part of it. ``faults`` holds what is wrong with
    single documents, by row: it matters only where such a document is scored.
    """

    source: str
    format: str
    documents: tuple[DocumentName, ...]
    document_tokens: Ints | None  # None where the format does not tell
    document_line: Ints  # 0 where there are no lines
    entity_document: Ints
    entity_label: tuple[str, ...]
    mention_entity: Ints
    mention_start: Ints
    mention_end: Ints
    mention_line: Ints
    mention_order: Ints | None = None  # in which they were complete; None: of the rows
    notes: tuple[Note, ...] = ()
    faults: Mapping[int, FormatError] = field(default_factory=dict)
    words: Words | None = None
    anaphora: Anaphora | None = None
    entity_type: tuple[str, ...] | None = None  # None where nobody asked for it
    document_genre: tuple[str, ...] | None = None  # likewise; "" where it is not said
    fingerprint: Fingerprint | None = None  # likewise
    parses: Parses | None = None
    tokens: Tokens | None = None  # None where nobody asked for them, or there are none
    mention_type: tuple[str, ...] | None = None  # None where the file does not say it
    mention_kbid: tuple[str, ...] | None = None  # likewise; what it is linked to
    # What mentions are called, by document, and where they are; None: nothing.
    mention_ids: Mapping[str, Mapping[str, tuple[int, int]]] | None = None
    has_labels: bool = True  # False: labels are numbers that the reader gave
    document_topic: tuple[Topic | None, ...] | None = None  # None: the file has none
    pieces: WordSets | None = None  # tokens of mentions, where some have gaps
    later: Callable[[], Tokens | None] | None = field(
        default=None, compare=False, repr=False
    )  # reads them after all

    def keep_mentions(self, kept: NDArray[np.bool_]) -> Corpus:
        """Leave out mentions that are spans; entities stay, even if they are empty."""
        rows = np.flatnonzero(kept)
        order = self.mention_order
        return replace(
            self,
            mention_entity=self.mention_entity[rows],
            mention_start=self.mention_start[rows],
            mention_end=self.mention_end[rows],
            mention_line=self.mention_line[rows],
            mention_order=None if order is None else order[rows],
            mention_type=_taken(self.mention_type, rows),
            mention_kbid=_taken(self.mention_kbid, rows),
        )

    def with_tokens(self) -> Corpus:
        """Read the text, if there is one and it was not read before."""
        if self.tokens is not None or self.later is None:
            return self
        return replace(self, tokens=self.later(), later=None)

    def token_sets(self) -> WordSets:
        """List the tokens of mentions that are spans, counted by document.

        Mentions with gaps are scored from their first to their last token; what
        writes them asks here what they are.
        """
        if self.pieces is not None:
            return self.pieces
        length = self.mention_end - self.mention_start + 1
        start = np.concatenate(([0], np.cumsum(length)))
        return WordSets(start, listed(self.mention_start, length, source=self.source))


def _taken(texts: tuple[str, ...] | None, rows: Ints) -> tuple[str, ...] | None:
    return None if texts is None else tuple(texts[row] for row in rows.tolist())
