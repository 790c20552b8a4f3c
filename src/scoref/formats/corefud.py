"""CorefUD 1.0: CoNLL-U with coreference in its last column.

    # global.Entity = eid-etype-head-other
    1   The          …   Entity=(e27-abstract-3-
    2   viewing      …   Entity=(e28-event-1-)
    3   experience   …   _
    4   of           …   _
    5   art          …   Entity=(e20-abstract-1-)e27)

An opening bracket carries the fields that the header names; ``head`` is the
number of the head among the mention's words. A mention in pieces is written
``(e1[1/2]-…`` and ``(e1[2/2]-…``. Empty nodes (3.1) are words, too.

Entities are those of a document: an id that comes in two documents stands for
two entities. The brackets of most entities are plain and paired all at once; the
others are walked through one by one.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import FormatError
from scoref.formats import _conllu
from scoref.formats._bracket_columns import CLOSING, cut_labels, numbered
from scoref.formats._corefud_mentions import Brackets, Labels, mentions_of
from scoref.formats._faults import Faults
from scoref.formats._text import shown, without_bom
from scoref.model import (
    Corpus,
    DocumentName,
    Note,
    Relation,
    Sentences,
    Texts,
    Words,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.formats._text import Lines
    from scoref.formats._walk import BracketError
    from scoref.model import Ints

NAME = "corefud"

_ENTITY = b"Entity="
_GLOBAL = b"# global.Entity"
_HEADER = re.compile(_GLOBAL + rb"\s*=\s*(\S+)")
_RELATIONS = {b"Bridge=": "Bridge", b"SplitAnte=": "SplitAnte", b"Split=": "SplitAnte"}
_VALUE = re.compile(rb"(?:\([^()]+\)?|[^()]+\))+")
_SENTENCE_BITS, _WORD_BITS = 32, 12
_EMPTY = (1 << _WORD_BITS) - 1
_DASH = ord("-")
_FAR = np.iinfo(np.int64).max


class Header(NamedTuple):
    """Which field of an opening bracket is the entity's id, and which the head.

    Ids in a field GRP are those of a document, ids in a field eid those of the file.
    """

    entity: int
    head: int | None
    is_local: bool = False

    @classmethod
    def of(cls, text: str) -> Header | None:
        """Understand what stands behind `# global.Entity =`."""
        fields = text.split("-")
        found = [name for name in ("eid", "GRP") if name in fields]
        if not found:
            return None
        head = fields.index("head") if "head" in fields else None
        return cls(fields.index(found[0]), head, found[0] == "GRP")


def read(data: bytes, *, source: str, lenient: bool = False) -> Corpus:
    """Read a whole file."""
    return _Reader(source, lenient=lenient).read(without_bom(data))


def looks_like(data: bytes) -> bool:
    """Tell CorefUD from the first lines of a file."""
    return b"\n# global.Entity" in b"\n" + data or b"\tEntity=" in data


class _Marks(NamedTuple):
    """Where the characters are that attributes are made of."""

    equals: Ints
    bars: Ints

    @classmethod
    def of(cls, lines: Lines) -> _Marks:
        return cls(*(np.flatnonzero(lines.bytes_ == mark) for mark in b"=|"))


class _Nodes(NamedTuple):
    """The words and empty nodes of a block, in columns."""

    code: Ints
    line: Ints
    upos: NDArray[np.uint64]
    sentence_line: Ints
    sentence_id: Texts
    word_count: Ints
    word: Texts
    word_line: Ints
    newdoc: dict[int, tuple[str | None, int]]


class _Reader:
    """One file being read, block by block."""

    def __init__(self, source: str, *, lenient: bool) -> None:
        self._source = source
        self._faults = Faults(lenient=lenient)
        self._notes: list[Note] = []
        self._labels: dict[bytes, int] = {}
        self._dependencies: dict[int, bytes] = {}
        self._relations: list[Relation] = []

    def read(self, data: bytes) -> Corpus:
        header = self._header(data)
        nodes: list[_Nodes] = []
        brackets: list[Brackets] = []
        count = 0
        for block in _conllu.blocks(data, self._source):
            marks = _Marks.of(block.lines)
            nodes.append(self._nodes(block))
            values = self._values(block, marks)
            brackets.append(self._brackets(block, values, header, count))
            self._relations += _relations(block, marks)
            count += len(block.row)
        if not count:
            raise self._error(
                "there is no sentence in this file",
                None,
                "expected CoNLL-U: ten columns between tabs, a line a word",
            )
        columns = zip(*brackets, strict=True)
        joined = Brackets(*map(np.concatenate, columns))
        return self._corpus(nodes, joined, is_local=header.is_local)

    def _corpus(
        self, blocks: list[_Nodes], brackets: Brackets, *, is_local: bool
    ) -> Corpus:
        """Put blocks together, and brackets into mentions."""
        sentences, documents, document_line = _sentences(blocks)
        code = np.concatenate([block.code for block in blocks])
        line = np.concatenate([block.line for block in blocks])
        upos = np.concatenate([block.upos for block in blocks])
        if (np.diff(code) < 0).any():
            order = np.argsort(code, kind="stable")
            place = np.empty_like(order)
            place[order] = np.arange(len(order))
            code, line, upos = code[order], line[order], upos[order]
            brackets = brackets._replace(node=place[brackets.node])
        sentence = code >> _SENTENCE_BITS

        def refuse(fault: BracketError, label: bytes) -> None:
            problem, hint = _in_words(fault, shown(label))
            error = self._error(problem, int(line[fault.node]), hint)
            self._faults.found(f"{fault.kind}-brackets", error)

        found = mentions_of(
            brackets,
            Labels.of(self._labels),
            document=sentences.document[sentence],
            sentence=sentence,
            is_local=is_local,
            refuse=refuse,
        )
        head, member = code[found.head], code[found.member]
        is_zero = (head & _EMPTY) > 0
        return Corpus(
            source=self._source,
            format=NAME,
            documents=documents,
            document_tokens=None,
            document_line=document_line,
            entity_document=found.entity_document,
            entity_label=tuple(map(shown, found.entity_label)),
            mention_entity=found.entity,
            mention_start=member[found.start[:-1]],
            mention_end=member[found.start[1:] - 1],
            mention_line=line[found.end],
            notes=(*self._notes, *self._faults.notes()),
            words=Words(
                sentences=sentences,
                start=found.start,
                member=member,
                head=head,
                is_zero=is_zero,
                head_upos=upos[found.head],
                dependencies={
                    node: _dependencies(self._dependencies[node])
                    for node in head[is_zero].tolist()
                },
                relations=tuple(self._relations),
            ),
        )

    def _header(self, data: bytes) -> Header:
        """Find the header; the last one of a file is taken for all of it."""
        found = _headers(data)
        if not found:
            first = re.search(rb"[\t|]Entity=[^|\t\r\n]", data)
            if first is None:
                return Header(0, None)
            line = data.count(b"\n", 0, first.start()) + 1
            raise self._error(
                "there are entities but no header",
                line,
                "expected a line '# global.Entity = eid-etype-head-other' before them",
            )
        text, at = found[-1]
        different = len({header for header, _ in found})
        if different > 1:
            message = f"{different} different headers; '{text}', the last, counts"
            self._notes.append(Note("headers", different, message))
        header = Header.of(text)
        if header is None:
            line = data.count(b"\n", 0, at) + 1
            hint = "expected a field 'eid' or 'GRP' in it"
            raise self._error(f"the header '{text}' names no entity id", line, hint)
        return header

    def _nodes(self, block: _conllu.Block) -> _Nodes:
        code = block.sentence << _SENTENCE_BITS | block.number << _WORD_BITS
        code |= block.empty
        is_word = block.empty == 0
        words = np.flatnonzero(is_word)
        line = block.row + block.first_line + 1
        first = int(block.sentence[0]) if len(block.sentence) else 0
        count = np.bincount(
            block.sentence[words] - first, minlength=len(block.sentence_line)
        )
        empties = np.flatnonzero(~is_word)
        start, end = block.column(empties, _conllu.DEPS)
        for node, a, b in zip(
            code[empties].tolist(), start.tolist(), end.tolist(), strict=True
        ):
            self._dependencies[node] = block.lines.data[a:b]
        return _Nodes(
            code=code,
            line=line,
            upos=block.packed(np.arange(len(code)), _conllu.UPOS),
            sentence_line=block.sentence_line + 1,
            sentence_id=block.sentence_id,
            word_count=count,
            word=block.texts(words, _conllu.FORM),
            word_line=line[words],
            newdoc=block.newdoc,
        )

    def _brackets(
        self,
        block: _conllu.Block,
        values: tuple[Ints, Ints, Ints],
        header: Header,
        first_node: int,
    ) -> Brackets:
        """Find the brackets of a block, and number what they are about."""
        lines = block.lines
        word, start, end = values
        labels = cut_labels(lines, start, end)
        if labels is None:
            fine = self._readable(block, word, start, end)
            word, start, end = word[fine], start[fine], end[fine]
            labels = cut_labels(lines, start, end)
        assert labels is not None  # noqa: S101 - nothing is left that could be wrong
        dash = np.flatnonzero(lines.bytes_ == _DASH)
        node = word[labels.cell]
        text_end = labels.start + labels.length
        is_closing = labels.kind == CLOSING
        first, last = _field(dash, labels.start, text_end, header.entity)
        first = np.where(is_closing, labels.start, first)
        last = np.where(is_closing, text_end, last)
        self._refuse_nameless(block, node, last - first)
        number, example = numbered(lines, first, last - first)
        known = [
            self._labels.setdefault(lines.data[a:b], len(self._labels))
            for a, b in zip(
                first[example].tolist(), last[example].tolist(), strict=True
            )
        ]
        head = np.full(len(node), -1, dtype=np.int64)
        if header.head is not None:
            at, to = _field(dash, labels.start, text_end, header.head)
            at = np.where(is_closing, to, at)
            head = self._heads(block, node, at, to)
        return Brackets(
            kind=labels.kind,
            node=node + first_node,
            label=np.array(known, dtype=np.int64)[number],
            head=head,
        )

    def _values(self, block: _conllu.Block, marks: _Marks) -> tuple[Ints, Ints, Ints]:
        """Find what stands behind Entity= in the last column of a word."""
        start, end, row = _attributes(block, _ENTITY, marks)
        of_row = np.full(len(block.lines), -1, dtype=np.int64)
        of_row[block.row] = np.arange(len(block.row))
        word = of_row[row]
        misc, _ = block.column(np.maximum(word, 0), _conllu.MISC)
        is_word = word >= 0
        lost = np.flatnonzero(is_word & (start < misc))
        if len(lost):
            raise self._at_word(
                block,
                int(word[lost[0]]),
                "this line has an entity, but fewer than ten columns",
                "CoNLL-U has ten columns between tabs, and Entity= is in the last",
            )
        # Of two in one line the later counts, as in the official scorer.
        is_last = np.append(np.diff(word) != 0, True)[: len(word)]
        kept = is_word & is_last
        return word[kept], start[kept], end[kept]

    def _readable(
        self, block: _conllu.Block, word: Ints, start: Ints, end: Ints
    ) -> NDArray[np.bool_]:
        """Tell the values that are brackets from those that are not."""
        fine = np.ones(len(word), dtype=np.bool_)
        for index, (a, b) in enumerate(zip(start.tolist(), end.tolist(), strict=True)):
            value = block.lines.data[a:b]
            if not _VALUE.fullmatch(value):
                fine[index] = False
                error = self._at_word(
                    block,
                    int(word[index]),
                    f"'{shown(value)}' is not made of brackets",
                    "expected brackets such as '(e3-person-1-)', '(e3-person-1-' or "
                    "'e3)'",
                    value,
                )
                self._faults.found("unreadable-entities", error)
        return fine

    def _refuse_nameless(self, block: _conllu.Block, node: Ints, length: Ints) -> None:
        nameless = np.flatnonzero(length <= 0)
        if len(nameless):
            raise self._at_word(
                block,
                int(node[nameless[0]]),
                "this bracket names no entity",
                "its fields stand in the order of the header '# global.Entity'",
            )

    def _heads(self, block: _conllu.Block, node: Ints, at: Ints, to: Ints) -> Ints:
        """Read the numbers of heads; an empty field says nothing."""
        value, end = _conllu.digits(block.lines, at)
        wrong = np.flatnonzero((at < to) & (end < to))
        if len(wrong):
            found = block.lines.data[at[wrong[0]] : to[wrong[0]]]
            raise self._at_word(
                block,
                int(node[wrong[0]]),
                f"'{shown(found)}' is no number of a head",
                "the head is the number of a word of the mention, counted from 1",
                found,
            )
        return np.where(at < to, value, -1)

    def _at_word(
        self,
        block: _conllu.Block,
        word: int,
        problem: str,
        hint: str,
        blamed: bytes = b"",
    ) -> FormatError:
        row = int(block.row[word])
        text = shown(block.lines[row])
        at = text.rfind(shown(blamed)) if blamed else -1
        span = (at, at + len(shown(blamed))) if at >= 0 else None
        line = block.first_line + row + 1
        return self._error(problem, line, hint, text, span)

    def _error(
        self,
        problem: str,
        line: int | None,
        hint: str,
        text: str = "",
        span: tuple[int, int] | None = None,
    ) -> FormatError:
        return FormatError(
            problem, source=self._source, line=line, text=text, span=span, hint=hint
        )


def _field(dash: Ints, start: Ints, end: Ints, number: int) -> tuple[Ints, Ints]:
    """Find the n-th field of brackets: empty, and at their end, if there is none."""
    dash = np.append(dash, [_FAR] * (number + 1))
    first_dash = np.searchsorted(dash, start)
    at = start if number == 0 else dash[first_dash + number - 1] + 1
    to = np.minimum(dash[first_dash + number], end)
    return np.where((at > end) | (at < 0), end, at), to


def _sentences(
    blocks: list[_Nodes],
) -> tuple[Sentences, tuple[DocumentName, ...], Ints]:
    """Put blocks together, and see which document each sentence belongs to."""
    line = np.concatenate([block.sentence_line for block in blocks])
    newdoc = {at: found for block in blocks for at, found in block.newdoc.items()}
    document = np.zeros(len(line), dtype=np.int64)
    rows: dict[str, int] = {}
    lines: list[int] = []
    starts = sorted(newdoc)
    if not starts or starts[0] > 0:
        rows[""] = 0
        lines.append(int(line[0]))
    for number, (at, until) in enumerate(pairwise([*starts, len(line)]), start=1):
        name, newdoc_line = newdoc[at]
        # Without a name it goes by its number; a name that comes again goes on.
        row = rows.setdefault(str(number) if name is None else name, len(rows))
        document[at:until] = row
        lines[row:] = lines[row:] or [newdoc_line]
    sentences = Sentences(
        document=document,
        line=line,
        identifier=_joined_texts([block.sentence_id for block in blocks]),
        word_count=np.concatenate([block.word_count for block in blocks]),
        word=_joined_texts([block.word for block in blocks]),
        word_line=np.concatenate([block.word_line for block in blocks]),
    )
    names = tuple(map(DocumentName.plain, rows))
    return sentences, names, np.array(lines, dtype=np.int64)


def _joined_texts(texts: list[Texts]) -> Texts:
    data, length = zip(*texts, strict=True)
    return Texts(np.concatenate(data), np.concatenate(length))


def _dependencies(text: bytes) -> frozenset[tuple[str, str]]:
    """Read DEPS: parents and what they are called; none is no dependency."""
    items = [] if text in {b"", b"_"} else shown(text).split("|")
    found = (item.partition(":") for item in items)
    return frozenset((parent, relation) for parent, _, relation in found)


def _attributes(
    block: _conllu.Block, name: bytes, marks: _Marks
) -> tuple[Ints, Ints, Ints]:
    """Find the values of an attribute, where they end, and their lines."""
    lines = block.lines
    at = lines.find(name, marks.equals)
    at = at[np.isin(lines.bytes_[at - 1], list(b"\t|"))]
    row = np.searchsorted(lines.start, at, side="right") - 1
    start, end = at + len(name), lines.end[row]
    for stops in (marks.bars, block.tabs):
        following = np.append(stops, _FAR)[np.searchsorted(stops, start)]
        end = np.minimum(end, following)
    kept = start < end
    return start[kept], end[kept], row[kept]


def _relations(block: _conllu.Block, marks: _Marks) -> list[Relation]:
    """Find bridges and split antecedents."""
    return [
        Relation(kind, block.first_line + row + 1, shown(block.lines.data[start:end]))
        for name, kind in _RELATIONS.items()
        for start, end, row in zip(
            *(column.tolist() for column in _attributes(block, name, marks)),
            strict=True,
        )
    ]


def _headers(data: bytes) -> list[tuple[str, int]]:
    """Find every header and its place."""
    found, at = [], data.find(_GLOBAL)
    while at >= 0:
        header = _HEADER.match(data, at)
        if header and (at == 0 or data[at - 1 : at] == b"\n"):
            found.append((shown(header[1]), at))
        at = data.find(_GLOBAL, at + 1)
    return found


def _in_words(fault: BracketError, label: str) -> tuple[str, str]:
    return {
        "unopened": (
            f"entity {label} is closed here but was never opened",
            "a closing bracket has the entity's id and no other field"
            if "-" in label
            else f"expected an earlier word with '({label}'",
        ),
        "unclosed": (
            f"entity {label} is opened here but never closed in this document",
            f"expected a later word with '{label})'",
        ),
        "sentence": (
            f"entity {label} is closed here but was opened in another sentence",
            "a mention in CorefUD ends in the sentence in which it starts",
        ),
        "piece": (
            f"entity {label} has no mention here that lacks this piece",
            f"expected an earlier word with '({label}[1/2]'",
        ),
        "head": (
            f"the head of this mention of entity {label} is beyond its last word",
            "the head is the number of a word of the mention, counted from 1",
        ),
    }[fault.kind]
