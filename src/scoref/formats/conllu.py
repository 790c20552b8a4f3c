"""CoNLL-U in columns: the words, sentences and documents of a file.

    # newdoc id = one
    # sent_id = one-1
    1      Ada     …   nsubj   _   Entity=(e1-person-1-)
    2      wrote   …
    2.1    _       …           2:obj   Entity=(e2-object-1-)

Words and empty nodes are both called nodes. A `Dialect` describes where CorefUD and
Universal Anaphora differ. Files are read in blocks of whole sentences, a few megabytes
each, so that the data about each byte fits into the processor's cache. Only lines with
coreference are examined as a whole. A document without a name is named by its number,
and words before the first document form a document of their own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import FormatError
from scoref.formats.input_files import NEWLINE, TAB, Lines, shown
from scoref.model import EMPTY, LAST_WORD, DocumentName, Sentences, Texts, place_codes
from scoref.rules import UNREADABLE_LINE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from scoref.model import Ints

    Mask = NDArray[np.bool_]


Newdoc = tuple[int, int, str | None]
"""What starts a document: the number of the sentence behind it, its line, its name."""

FORM, UPOS, HEAD, DEPS, MISC = 1, 3, 6, 8, 9

NEWDOC = re.compile(rb"# newdoc(?:\s+id\s*=\s*(.*?))?\s*")

_NEWDOC, _SENT_ID = b"# newdoc", b"# sent_id"

_PACKED = 8

_BLOCK = 1 << 22

_HUGE = 10**17  # ten times as much still fits into an integer

_DOT, _DASH = b".-"

_ZERO, _NINE = np.uint8(ord("0")), np.uint8(9)


class Ids(NamedTuple):
    """The column ID: 3, 3.1 of an empty node, 3-4 of a token that is several words."""

    number: Ints
    second: Ints  # 0 if there is one number only
    is_empty: Mask
    is_range: Mask
    is_readable: Mask

    def take(self, nodes: Mask) -> Ids:
        """Keep some of them."""
        return Ids(
            number=self.number[nodes],
            second=self.second[nodes],
            is_empty=self.is_empty[nodes],
            is_range=self.is_range[nodes],
            is_readable=self.is_readable[nodes],
        )


@dataclass(frozen=True, slots=True)
class Nodes:
    """Those lines of a block that are nodes, and where their columns are."""

    lines: Lines
    first_line: int
    tabs: Ints
    row: Ints
    first_tab: Ints

    @property
    def line(self) -> Ints:
        """Give the line of each node, counted from 1 through the file."""
        return self.row + (self.first_line + 1)

    def column(self, nodes: Ints | slice, column: int) -> tuple[Ints, Ints]:
        """Find where a column of some nodes starts and ends; empty if not there."""
        row, first = self.row[nodes], self.first_tab[nodes] + column
        line_end = self.lines.end[row]
        start = self.lines.start[row]
        if column:
            start = np.minimum(self.tabs.take(first - 1, mode="clip") + 1, line_end)
        return start, np.minimum(self.tabs.take(first, mode="clip"), line_end)

    def texts(self, nodes: Ints | slice, column: int) -> Texts:
        """Copy a column of some nodes."""
        return cut(self.lines, *self.column(nodes, column))

    def packed(self, nodes: Ints | slice, column: int) -> NDArray[np.uint64]:
        """Give a column of short values, such as UPOS, as integers."""
        start, end = self.column(nodes, column)
        length = end - start
        code = np.zeros(len(start), dtype=np.uint64)
        for byte in range(min(_PACKED, int(length.max(initial=0)))):
            here = np.flatnonzero(length > byte)
            value = self.lines.bytes_[start[here] + byte].astype(np.uint64)
            code[here] |= value << np.uint64(8 * byte)
        return code

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

    def taking(self, kept: Mask) -> Nodes:
        """Keep some of them."""
        return Nodes(
            self.lines, self.first_line, self.tabs, self.row[kept], self.first_tab[kept]
        )

    def error(self, node: int, problem: str, hint: str, source: str) -> FormatError:
        """Say what is wrong with the line of a node."""
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
    """The lines of a block, its tabs, and the first one of each line."""

    lines: Lines
    tabs: Ints  # the last line break as well: there the last column of a line may end
    first_tab: Ints

    @classmethod
    def of(cls, data: bytes) -> TabbedLines:
        """Find tabs and line breaks in one pass over the text."""
        data = data if data.endswith(b"\n") else data + b"\n"
        bytes_ = np.frombuffer(data, dtype=np.uint8)
        place = np.flatnonzero(bytes_ <= NEWLINE)
        mark = bytes_.take(place)
        end, is_tab = np.flatnonzero(mark == NEWLINE), mark == TAB
        is_tab[-1] = True
        lines = Lines.ending(data, bytes_, place.take(end))
        tabs = place.take(np.flatnonzero(is_tab))
        return cls(lines, tabs, np.append(0, np.cumsum(is_tab).take(end[:-1])))


class SentenceIds(NamedTuple):
    """What stands behind `# sent_id =`, and the numbers of the sentences behind it."""

    sentence: Ints
    text: Texts


@dataclass(frozen=True, slots=True)
class Block(Nodes):
    """A piece of a file, whose sentences count from 0 through the file."""

    id: Ids
    sentence: Ints
    sentence_line: Ints
    newdoc: list[Newdoc]
    sentence_ids: SentenceIds

    @property
    def code(self) -> Ints:
        """Give each node's place, as `scoref.model.Words` has it."""
        return place_codes(self.sentence, self.id.number, self.id.second)


class Dialect(NamedTuple):
    """In what files that are CoNLL-U are not the same."""

    refuse: Callable[[Nodes, Ids], None]
    """Raise an error if there is a line that cannot be read."""
    number: int = 0  # the column ID
    has_ranges: bool = False  # a token of several words, 3-4, is a node, too
    ends_at_newdoc: bool = False  # a sentence does, even if no blank line is there


def words_of(source: str) -> Dialect:
    """Read CoNLL-U as it is, and CorefUD; 3-4 is no word."""

    def refuse(nodes: Nodes, ids: Ids) -> None:
        _, end = nodes.column(slice(None), 0)
        is_id = ids.is_readable & (nodes.lines.bytes_[end] == TAB)
        is_large = (ids.number > LAST_WORD) | (ids.second > EMPTY)
        is_bad = ~is_id | (is_large & ~ids.is_range)
        if is_bad.any():
            node = int(np.argmax(is_bad))
            problem = "this line does not start with the number of a word and a tab"
            hint = "CoNLL-U has ten columns between tabs; the first is 3, 3.1 or 3-4"
            if is_id[node]:
                problem = "no word of a sentence can have this number"
                hint = f"words go up to {LAST_WORD}, empty nodes behind one up to "
                hint += str(EMPTY)
            raise nodes.error(node, problem, hint, source)

    return Dialect(refuse)


def blocks(data: bytes, source: str, dialect: Dialect | None = None) -> Iterator[Block]:
    """Read a file, some megabytes at a time."""
    dialect = dialect or words_of(source)
    first_line = sentences = start = 0
    has_returns = data.find(b"\r", 0, _BLOCK) >= 0  # one byte is found at once
    ends = (b"\n\n", b"\n\r\n") if has_returns else (b"\n\n",)
    while start < len(data):
        end = _block_end(data, start, ends)
        block = _block(data[start:end], first_line, sentences, dialect)
        yield block
        first_line += len(block.lines)
        sentences += len(block.sentence_line)
        start = end


def _block_end(data: bytes, start: int, marks: tuple[bytes, ...]) -> int:
    """Find the end of a sentence, not too far away."""
    if len(data) - start <= _BLOCK:
        return len(data)
    found = max(data.rfind(mark, start, start + _BLOCK) for mark in marks)
    if found > start:
        return found + 1
    later = [data.find(mark, start) for mark in marks]
    return min((end + 1 for end in later if end >= 0), default=len(data))


def _block(data: bytes, first_line: int, sentences: int, dialect: Dialect) -> Block:
    columns = TabbedLines.of(data)
    lines = columns.lines
    is_break, is_comment = lines.is_blank(), lines.first_byte() == ord("#")
    comment = np.flatnonzero(is_comment)
    nodes, ids = _nodes(columns, first_line, ~(is_break | is_comment), dialect)
    newdocs = _newdocs(lines, comment)
    if dialect.ends_at_newdoc:
        is_break[list(newdocs)] = True
    sentence = _between(is_break, nodes.row)
    first = nodes.row[np.flatnonzero(np.diff(sentence, prepend=-1))]
    named = _starting(lines, comment, _SENT_ID)
    behind = np.searchsorted(first, list(newdocs)) + sentences
    return Block(
        lines=lines,
        first_line=first_line,
        tabs=nodes.tabs,
        row=nodes.row,
        first_tab=nodes.first_tab,
        id=ids,
        sentence=sentence + sentences,
        sentence_line=first + (first_line + 1),
        newdoc=[
            (at, first_line + row + 1, name)
            for at, (row, name) in zip(behind.tolist(), newdocs.items(), strict=True)
        ],
        sentence_ids=SentenceIds(
            np.searchsorted(first, named) + sentences, _values(lines, named)
        ),
    )


def _nodes(
    columns: TabbedLines, first_line: int, is_node: Mask, dialect: Dialect
) -> tuple[Nodes, Ids]:
    """Find the nodes among the lines, and read their ids."""
    lines, tabs, first_tab = columns
    row = np.flatnonzero(is_node)
    nodes = Nodes(lines, first_line, tabs, row, first_tab[row])
    ids = nodes.ids(dialect.number)
    dialect.refuse(nodes, ids)
    if dialect.has_ranges or not ids.is_range.any():
        return nodes, ids
    kept = ~ids.is_range
    return nodes.taking(kept), ids.take(kept)


def _between(is_break: Mask, row: Ints) -> Ints:
    """Number what lies between breaks and is not empty; give the number of each row."""
    part = np.cumsum(is_break)[row]
    return np.cumsum(np.diff(part, prepend=-1) != 0) - 1


def _newdocs(lines: Lines, comment: Ints) -> dict[int, str | None]:
    """Find the lines that start a document, and its name if it has one."""
    row = _starting(lines, comment, _NEWDOC)
    places = row.tolist(), lines.start[row].tolist(), lines.end[row].tolist()
    return {
        row: None if found[1] is None else shown(found[1])
        for row, start, end in zip(*places, strict=True)
        if (found := NEWDOC.fullmatch(lines.data, start, end))
    }


def _starting(lines: Lines, row: Ints, beginning: bytes) -> Ints:
    """Choose the lines that start so."""
    last = len(lines.data) - 1
    # From behind: beginnings differ there.
    for offset in reversed(range(len(beginning))):
        place = np.minimum(lines.start[row] + offset, last)
        row = row[lines.bytes_[place] == beginning[offset]]
    return row


def _values(lines: Lines, row: Ints) -> Texts:
    """Copy what stands behind `# sent_id =`, without the white space around it."""
    start, end = lines.start[row] + len(_SENT_ID), lines.end[row]
    for step, place, back, left_out in (
        (1, start, 0, b" \t="),
        (-1, end, 1, b" \t\r\n\v\f"),
    ):
        moving = np.flatnonzero(start < end)
        while len(moving):
            byte = lines.bytes_[place[moving] - back]
            moving = moving[np.isin(byte, list(left_out))]
            place[moving] += step
            moving = moving[start[moving] < end[moving]]
    return cut(lines, start, end)


def digits(lines: Lines, start: Ints) -> tuple[Ints, Ints]:
    """Read numbers, all at once, and find where they end."""
    last = len(lines.data) - 1
    value, place = np.zeros_like(start, dtype=np.int64), start.copy()
    moving = np.arange(len(start))
    while len(moving):
        # What comes before 0 is very large then.
        digit = lines.bytes_[np.minimum(place[moving], last)] - _ZERO
        is_digit = digit <= _NINE
        moving, digit = moving[is_digit], digit[is_digit]
        value[moving] = np.minimum(value[moving], _HUGE) * 10 + digit
        place[moving] += 1
    return value, np.minimum(place, last)


def cut(lines: Lines, start: Ints, end: Ints) -> Texts:
    """Copy pieces of a text."""
    length = end - start
    place = np.arange(length.sum()) + np.repeat(
        start - np.cumsum(length) + length, length
    )
    return Texts(lines.bytes_[place], length)


class Outline(NamedTuple):
    """The sentences and words of a block, or of a file; empty nodes are no words."""

    sentence_line: Ints
    sentence_ids: SentenceIds
    word_count: Ints
    word: Texts
    word_line: Ints
    newdoc: list[Newdoc]

    @classmethod
    def of(cls, block: Block, is_word: Mask, form: int = FORM) -> Outline:
        """Copy what will be needed of a block."""
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
    def joined(cls, outlines: Sequence[Outline]) -> Outline:
        """Put those of a file's blocks together."""
        line, ids, count, word, word_line, newdoc = zip(*outlines, strict=True)
        of_sentence, texts = zip(*ids, strict=True)
        return cls(
            sentence_line=np.concatenate(line),
            sentence_ids=SentenceIds(np.concatenate(of_sentence), joined_texts(texts)),
            word_count=np.concatenate(count),
            word=joined_texts(word),
            word_line=np.concatenate(word_line),
            newdoc=[each for found in newdoc for each in found],
        )

    def sentences(self, documents: ConlluDocuments) -> Sentences:
        """Make sentences, given their documents."""
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
        """Give sentences the ids before their first words; the last one counts."""
        sentence, text = self.sentence_ids
        nothing = len(sentence)
        if np.array_equal(sentence, np.arange(len(self.sentence_line))):
            return text
        comment = np.full(len(self.sentence_line) + 1, nothing)
        comment[sentence] = np.arange(nothing)
        return Texts(text.data, np.append(text.length, 0)).take(comment[:-1])


class ConlluDocuments(NamedTuple):
    """Documents in columns, and the one of each sentence."""

    names: tuple[DocumentName, ...]
    line: Ints
    of_sentence: Ints
    is_start: Mask  # whether a sentence starts one, or a part of one

    @classmethod
    def of(
        cls,
        newdoc: Sequence[Newdoc],
        sentence_line: Ints,
        repeated: Callable[[str, int, int], None] | None = None,
    ) -> ConlluDocuments:
        """See which document each sentence belongs to.

        Words before the first one make a document of their own. One whose name comes
        again goes on; ``repeated`` is told its name, its first line and the new one.
        """
        names: dict[str, int] = {}
        lines: list[int] = []
        of_part = [0]
        starts = np.array([sentence for sentence, *_ in newdoc], dtype=np.int64)
        if not newdoc or starts[0] > 0:
            names[""] = 0
            lines.append(int(sentence_line[0]))
        for number, (_, line, given) in enumerate(newdoc, start=1):
            # Without a name it goes by its number.
            name = f"document {number}" if given is None else given
            if name not in names:
                lines.append(line)
            elif repeated:
                repeated(name, lines[names[name]], line)
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


def joined_texts(texts: Sequence[Texts]) -> Texts:
    """Put texts behind each other."""
    return texts[0] if len(texts) == 1 else Texts.joined(texts)
