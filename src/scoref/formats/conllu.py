"""CoNLL-U in columns: the words, sentences and documents of a file.

    # newdoc id = one
    # sent_id = one-1
    1      Ada     …   nsubj   _   Entity=(e1-person-1-)
    2      wrote   …
    2.1    _       …           2:obj   Entity=(e2-object-1-)

Words and empty nodes are both called nodes. A `Dialect` describes where CorefUD and
Universal Anaphora differ. Files are read in blocks of whole sentences, a megabyte
each, so that the data about each byte fits into the processor's cache. Only lines with
coreference are examined as a whole. A document without a name is named by its number,
and words before the first document form a document of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.classes import NamedTuple, dataclass
from scoref.errors import FormatError
from scoref.formats.input_files import NEWLINE, TAB, Lines, shown
from scoref.lazy import pattern
from scoref.model import EMPTY, LAST_WORD, DocumentName, Sentences, Texts, place_codes
from scoref.model.arrays import is_new, ranges
from scoref.rules import UNREADABLE_LINE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from scoref.model import Ints

    Mask = NDArray[np.bool_]


FORM, UPOS, HEAD, DEPS, MISC = 1, 3, 6, 8, 9

_DOT, _DASH, _BAR = b".-|"


class Ids(NamedTuple):
    """The column ID: 3 for a word, 3.1 for an empty node, 3-4 for a multiword token."""

    number: Ints
    second: Ints  # 0 if there is only one number
    is_empty: Mask
    is_range: Mask
    is_readable: Mask

    def take(self, nodes: Ints) -> Ids:
        """Return the ids of some nodes."""
        return Ids(
            number=self.number[nodes],
            second=self.second[nodes],
            is_empty=self.is_empty[nodes],
            is_range=self.is_range[nodes],
            is_readable=self.is_readable[nodes],
        )


@dataclass(frozen=True)
class Nodes:
    """The lines of a block that are nodes, and the places of their columns."""

    lines: Lines
    first_line: int
    separators: Ints
    column_end: Ints
    row: Ints
    first_column: Ints

    @property
    def line(self) -> Ints:
        """Return the line of each node, counted from 1 through the file."""
        return self.row + (self.first_line + 1)

    def column(self, nodes: Ints | slice, column: int) -> tuple[Ints, Ints]:
        """Return where a column of some nodes starts and ends; empty if missing."""
        row, last = self.row[nodes], self.first_column[nodes] + column
        line_end = self.lines.end[row]
        start = self.lines.start[row]
        if column:
            before = self.column_end.take(last - 1, mode="clip")
            start = np.minimum(before + 1, line_end)
        return start, np.minimum(self.column_end.take(last, mode="clip"), line_end)

    def texts(self, nodes: Ints | slice, column: int) -> Texts:
        """Copy a column of some nodes."""
        return cut(self.lines, *self.column(nodes, column))

    def packed_column(self, nodes: Ints | slice, column: int) -> NDArray[np.uint64]:
        """Return a column of short values, such as UPOS, as integers."""
        return self.lines.packed(*self.column(nodes, column))

    def ids(self, column: int) -> Ids:
        """Read the column ID."""
        start, end = self.column(slice(None), column)
        number, place = digits(self.lines, start)
        is_readable = place == end
        mark = self.lines.bytes_[place]
        is_empty, is_range = ((mark == sign) & ~is_readable for sign in (_DOT, _DASH))
        second = np.zeros_like(number)
        more = np.flatnonzero(is_empty | is_range)
        second[more], last = digits(self.lines, place[more] + 1)
        is_readable[more] = (last == end[more]) & (last > place[more] + 1)
        is_readable &= place > start
        return Ids(number, second, is_empty, is_range, is_readable)

    def take(self, kept: Ints) -> Nodes:
        """Return some of the nodes."""
        return Nodes(
            self.lines,
            self.first_line,
            self.separators,
            self.column_end,
            self.row[kept],
            self.first_column[kept],
        )

    def error(self, node: int, problem: str, hint: str, source: str) -> FormatError:
        """Return an error about the line of a node."""
        row = int(self.row[node])
        return FormatError(
            problem,
            rule=UNREADABLE_LINE,
            source=source,
            line=self.first_line + row + 1,
            text=shown(self.lines[row]),
            hint=hint,
        )


class TabbedLines(NamedTuple):
    """The lines of a block, and where their columns end."""

    lines: Lines
    separators: Ints  # tabs, bars and line breaks
    column_end: Ints  # tabs and line breaks
    first_column: Ints  # of each line: the row of its first end in ``column_end``

    @classmethod
    def of(cls, data: bytes) -> TabbedLines:
        """Find all separators in one pass over the text."""
        data = data if data.endswith(b"\n") else data + b"\n"
        bytes_ = np.frombuffer(data, dtype=np.uint8)
        is_separator = (bytes_ == TAB) | (bytes_ == NEWLINE) | (bytes_ == _BAR)
        separators = np.flatnonzero(is_separator)
        column_end = separators[bytes_.take(separators) != _BAR]
        line_end = np.flatnonzero(bytes_.take(column_end) == NEWLINE)
        lines = Lines.ending(data, bytes_, column_end.take(line_end))
        return cls(lines, separators, column_end, np.append(0, line_end[:-1] + 1))


class SentenceIds(NamedTuple):
    """The values of `# sent_id =`, and the sentence that follows each."""

    sentence: Ints
    text: Texts


Newdoc = tuple[int, int, str | None]
"""The start of a document: the sentence that follows, its line, and its name."""


@dataclass(frozen=True)
class Block(Nodes):
    """A piece of a file; sentences are numbered from 0 through the file."""

    id: Ids
    sentence: Ints
    sentence_line: Ints
    newdoc: list[Newdoc]
    sentence_ids: SentenceIds

    @property
    def code(self) -> Ints:
        """Return the code of each node, as `scoref.model.Words` describes it."""
        return place_codes(self.sentence, self.id.number, self.id.second)


class Dialect(NamedTuple):
    """How formats that are based on CoNLL-U differ."""

    refuse: Callable[[Nodes, Ids], None]
    """Raises an error if a line cannot be read."""
    number: int = 0  # the column ID
    has_ranges: bool = False  # whether a multiword token, 3-4, is a node
    ends_at_newdoc: bool = False  # whether `# newdoc` ends a sentence


def plain_dialect(source: str) -> Dialect:
    """Return the dialect of plain CoNLL-U and CorefUD, where 3-4 is not a node."""

    def refuse(nodes: Nodes, ids: Ids) -> None:
        _, end = nodes.column(slice(None), 0)
        is_id = ids.is_readable & (nodes.lines.bytes_[end] == TAB)
        is_large = (ids.number > LAST_WORD) | (ids.second > EMPTY)
        is_bad = ~is_id | (is_large & ~ids.is_range)
        if is_bad.any():
            node = int(np.argmax(is_bad))
            problem = "this line does not start with a word number and a tab"
            hint = (
                "CoNLL-U has ten columns separated by tabs. The first is 3, 3.1 or 3-4."
            )
            if is_id[node]:
                problem = "a word of a sentence cannot have this number"
                hint = (
                    f"Words go up to {LAST_WORD}, empty nodes after a word up to "
                    f"{EMPTY}."
                )
            raise nodes.error(node, problem, hint, source)

    return Dialect(refuse)


_BLOCK = 1 << 20


def blocks(data: bytes, source: str, dialect: Dialect | None = None) -> Iterator[Block]:
    """Read a file in blocks of about a megabyte."""
    dialect = dialect or plain_dialect(source)
    first_line = sentences = start = 0
    has_returns = data.find(b"\r", 0, _BLOCK) >= 0  # a search for one byte is fast
    ends = (b"\n\n", b"\n\r\n") if has_returns else (b"\n\n",)
    while start < len(data):
        end = _block_end(data, start, ends)
        block = _block(data[start:end], first_line, sentences, dialect)
        yield block
        first_line += len(block.lines)
        sentences += len(block.sentence_line)
        start = end


def _block_end(data: bytes, start: int, marks: tuple[bytes, ...]) -> int:
    """Return the last sentence end of the next megabyte, or the first after it."""
    if len(data) - start <= _BLOCK:
        return len(data)
    last = max(data.rfind(mark, start, start + _BLOCK) for mark in marks)
    if last > start:
        return last + 1
    later = [data.find(mark, start) for mark in marks]
    return min((end + 1 for end in later if end >= 0), default=len(data))


NEWDOC = pattern(rb"# newdoc(?:\s+id\s*=\s*(.*?))?\s*")

_NEWDOC, _SENT_ID = b"# newdoc", b"# sent_id"


def _block(data: bytes, first_line: int, sentences: int, dialect: Dialect) -> Block:
    columns = TabbedLines.of(data)
    lines = columns.lines
    is_break, is_comment = lines.is_blank(), lines.first_byte() == ord("#")
    comment = np.flatnonzero(is_comment)
    row = np.flatnonzero(~(is_break | is_comment))
    nodes = Nodes(
        lines,
        first_line,
        columns.separators,
        columns.column_end,
        row,
        columns.first_column[row],
    )
    ids = nodes.ids(dialect.number)
    dialect.refuse(nodes, ids)
    if ids.is_range.any() and not dialect.has_ranges:
        kept = np.flatnonzero(~ids.is_range)
        nodes, ids = nodes.take(kept), ids.take(kept)
    newdocs = _newdocs(lines, comment)
    if dialect.ends_at_newdoc:
        is_break[list(newdocs)] = True
    is_first = is_new(np.cumsum(is_break)[nodes.row])
    first = nodes.row[is_first]
    sentence_ids = _lines_with(lines, comment, _SENT_ID)
    following = np.searchsorted(first, list(newdocs)) + sentences
    return Block(
        lines=lines,
        first_line=first_line,
        separators=nodes.separators,
        column_end=nodes.column_end,
        row=nodes.row,
        first_column=nodes.first_column,
        id=ids,
        sentence=np.cumsum(is_first) - 1 + sentences,
        sentence_line=first + (first_line + 1),
        newdoc=[
            (sentence, first_line + row + 1, name)
            for sentence, (row, name) in zip(
                following.tolist(), newdocs.items(), strict=True
            )
        ],
        sentence_ids=SentenceIds(
            np.searchsorted(first, sentence_ids) + sentences,
            _sentence_id_values(lines, sentence_ids),
        ),
    )


def _newdocs(lines: Lines, comment: Ints) -> dict[int, str | None]:
    """Return the lines that start a document, with its name if it has one."""
    row = _lines_with(lines, comment, _NEWDOC)
    places = row.tolist(), lines.start[row].tolist(), lines.end[row].tolist()
    return {
        row: None if match[1] is None else shown(match[1])
        for row, start, end in zip(*places, strict=True)
        if (match := NEWDOC.fullmatch(lines.data, start, end))
    }


def _lines_with(lines: Lines, row: Ints, beginning: bytes) -> Ints:
    """Select the rows that have this beginning."""
    last = len(lines.data) - 1
    # Comments differ at the end of the beginning: all start with '# '.
    for offset in reversed(range(len(beginning))):
        place = np.minimum(lines.start[row] + offset, last)
        row = row[lines.bytes_[place] == beginning[offset]]
    return row


_BEFORE_VALUE, _AFTER_VALUE = (
    np.isin(np.arange(256), list(removed)) for removed in (b" \t=", b" \t\r\n\v\f")
)


def _sentence_id_values(lines: Lines, row: Ints) -> Texts:
    """Copy the values of `# sent_id =`, without the white space around them."""
    start, end = lines.start[row] + len(_SENT_ID), lines.end[row]
    for step, place, back, removed in (
        (1, start, 0, _BEFORE_VALUE),
        (-1, end, 1, _AFTER_VALUE),
    ):
        moving = np.flatnonzero(start < end)
        while len(moving):
            moving = moving[removed[lines.bytes_[place[moving] - back]]]
            place[moving] += step
            moving = moving[start[moving] < end[moving]]
    return cut(lines, start, end)


_ZERO, _NINE = np.uint8(ord("0")), np.uint8(9)

_HUGE = 10**17  # ten times as much still fits into an integer


def digits(lines: Lines, start: Ints) -> tuple[Ints, Ints]:
    """Read the numbers that start at these places; return also where they end."""
    last = len(lines.data) - 1
    value, place = np.zeros_like(start, dtype=np.int64), start.copy()
    moving = np.arange(len(start))
    while len(moving):
        # Bytes before '0' become very large, because the difference is unsigned.
        digit = lines.bytes_[np.minimum(place[moving], last)] - _ZERO
        is_digit = digit <= _NINE
        moving, digit = moving[is_digit], digit[is_digit]
        value[moving] = np.minimum(value[moving], _HUGE) * 10 + digit
        place[moving] += 1
    return value, np.minimum(place, last)


def cut(lines: Lines, start: Ints, end: Ints) -> Texts:
    """Copy the pieces of a text that start and end at these places."""
    length = end - start
    return Texts(lines.bytes_[ranges(start, length)], length)


class Outline(NamedTuple):
    """The sentences and words of a block or of a file, without empty nodes."""

    sentence_line: Ints
    sentence_ids: SentenceIds
    word_count: Ints
    word: Texts
    word_line: Ints
    newdoc: list[Newdoc]

    @classmethod
    def of(cls, block: Block, is_word: Mask, form: int = FORM) -> Outline:
        """Copy the sentences and words of a block."""
        words, count = np.flatnonzero(is_word), len(block.sentence_line)
        first = block.sentence[0] if len(block.sentence) else 0
        return cls(
            sentence_line=block.sentence_line,
            sentence_ids=block.sentence_ids,
            word_count=np.bincount(block.sentence[words] - first, minlength=count),
            word=block.texts(words, form),
            word_line=block.line[words],
            newdoc=block.newdoc,
        )

    @classmethod
    def join(cls, outlines: Sequence[Outline]) -> Outline:
        """Join the outlines of the blocks of a file."""
        line, ids, count, word, word_line, newdocs = zip(*outlines, strict=True)
        of_sentence, texts = zip(*ids, strict=True)
        return cls(
            sentence_line=np.concatenate(line),
            sentence_ids=SentenceIds(np.concatenate(of_sentence), join_texts(texts)),
            word_count=np.concatenate(count),
            word=join_texts(word),
            word_line=np.concatenate(word_line),
            newdoc=[newdoc for block in newdocs for newdoc in block],
        )

    def sentences(self, documents: ConlluDocuments) -> Sentences:
        """Return the sentences, given their documents."""
        return Sentences(
            document=documents.of_sentence,
            is_start=documents.is_start,
            line=self.sentence_line,
            identifier=self._identifiers(),
            word_count=self.word_count,
            word=self.word,
            word_line=self.word_line,
        )

    def _identifiers(self) -> Texts:
        """Return the id of each sentence: the last one before its first word."""
        sentence, text = self.sentence_ids
        nothing = len(sentence)
        if np.array_equal(sentence, np.arange(len(self.sentence_line))):
            return text
        comment = np.full(len(self.sentence_line) + 1, nothing)
        comment[sentence] = np.arange(nothing)
        return Texts(text.data, np.append(text.length, 0)).take(comment[:-1])


class ConlluDocuments(NamedTuple):
    """Documents in columns, and the document of each sentence."""

    names: tuple[DocumentName, ...]
    line: Ints
    of_sentence: Ints
    is_start: Mask  # whether a sentence starts a document, or a part of one

    @classmethod
    def of(
        cls,
        newdoc: Sequence[Newdoc],
        sentence_line: Ints,
        report_repeated: Callable[[str, int, int], None] | None = None,
    ) -> ConlluDocuments:
        """Find the document of each sentence.

        Sentences before the first document form a document of their own. A document
        whose name occurs again is continued there; ``report_repeated`` is called with
        its name, its first line and the new one.
        """
        names: dict[str, int] = {}
        lines: list[int] = []
        of_part = [0]
        starts = np.array([sentence for sentence, *_ in newdoc], dtype=np.int64)
        if not newdoc or starts[0] > 0:
            names[""] = 0
            lines.append(int(sentence_line[0]))
        for number, (_, line, identifier) in enumerate(newdoc, start=1):
            name = f"document {number}" if identifier is None else identifier
            if name not in names:
                lines.append(line)
            elif report_repeated:
                report_repeated(name, lines[names[name]], line)
            of_part.append(names.setdefault(name, len(names)))
        count = len(sentence_line)
        length = np.diff(starts, prepend=0, append=count)
        is_start = np.zeros(count + 1, dtype=np.bool_)
        is_start[starts] = True
        return cls(
            names=tuple(map(DocumentName.plain, names)),
            line=np.array(lines, dtype=np.int64),
            of_sentence=np.repeat(np.array(of_part, dtype=np.int64), length),
            is_start=is_start[:-1],
        )


def join_texts(texts: Sequence[Texts]) -> Texts:
    """Join texts; a single one is not copied."""
    return texts[0] if len(texts) == 1 else Texts.joined(texts)
