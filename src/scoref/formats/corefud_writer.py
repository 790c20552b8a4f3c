"""Writer of CorefUD: adds mentions to the last column of a CoNLL-U file.

    # global.Entity = eid-etype-head-other
    1   The          …   Entity=(e27--3-
    2   viewing      …   Entity=(e28--1-)
    3   experience   …   Entity=e27)|SpaceAfter=No

Only the header and ``Entity=`` change; the rest of the file is kept byte for byte. The
written file reads back as the same mentions. The rules are:

* On a word, closing brackets come first, innermost first, then opening brackets, the
  longest mention first. A mention of one word is one bracket, ``(e1--1-)``, because the
  official scorer extends a mention with two brackets to the end of the sentence.
* A mention with a gap is written in pieces, ``(e1[1/2]--1-``. Each piece has the head,
  counted over the words of all pieces.
* A closing bracket closes the mention that its entity opened last, so mentions of one
  entity cannot cross. The mention that starts later is cut where the other ends, and
  continues in a second piece after it. Mentions without gaps can always be written in
  this way.
* A new piece belongs to the first mention of its entity that lacks one. If that is the
  wrong mention, which can happen only with gaps, nothing is written; see
  `misplaced_piece`.
  The official scorer refuses more: of two mentions in pieces, the one that starts later
  must end first. scoref therefore reads three mentions of an entity, each crossing the
  next, and the official scorer does not.
* Mentions that are spans of tokens become the words of the same numbers in the
  documents of the file, which must be in the same order. Empty nodes between the first
  and the last word belong to the mention, and the head is the first word.
* Entities keep their names if these can be written and are all different. Otherwise all
  entities get new names: e1, e2, … in the order of the corpus, with leading zeros (e01)
  so that the names sort in this order. In a corpus that was read from CorefUD, a name
  that occurs again in a later document is the same entity.
* Types of entities are written if the corpus has them and they can be written;
  otherwise their field is empty. Bridge= and SplitAnte= are kept, and may name entities
  that no longer exist.
"""

from __future__ import annotations

import re
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import accumulate, groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import AlignmentError, FormatError
from scoref.formats import conllu, corefud
from scoref.formats.base_text import BaseDocuments, span_error
from scoref.formats.input_files import without_bom
from scoref.formats.tokens import runs_of
from scoref.model import EMPTY, SENTENCE_BITS, WORD_BITS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scoref.model import Corpus, Ints, Sentences, Words

    Edit = tuple[int, int, bytes]


def write(corpus: Corpus, base: bytes, *, source: str = "<base>") -> bytes:
    """Write the mentions of a corpus into a CoNLL-U file, as values of Entity=.

    Args:
        corpus: a corpus of any format that says which words its mentions have.
        base: CoNLL-U with the same sentences; its own mentions are dropped.
        source: the name of ``base`` in errors.

    Raises:
        AlignmentError: the corpus and the file are not the same text.
        FormatError: the file is not CoNLL-U, or brackets cannot express the mentions.
    """
    for fault in corpus.faults.values():
        raise fault
    if corpus.words is not None and corpus.words.by_document:
        problem = (
            "this corpus counts words by document, but CorefUD counts them by sentence"
        )
        hint = "Use `scoref convert` to convert one format into the other."
        raise AlignmentError(problem, source=corpus.source, hint=hint)
    data = without_bom(base)
    file = _File.of(data, source)
    if corpus.words is None:
        mentions = _mentions_of_spans(corpus, file)
    else:
        mentions = _mentions_of_words(corpus.words, file)
    values = _values(corpus, mentions, file)
    edits = [*file.edits(values), file.header_edit()]
    return base[: len(base) - len(data)] + _apply(edits, data)


_HEADER = b"# global.Entity = eid-etype-head-other"

_OLD_HEADER = re.compile(rb"^# global\.Entity[ \t]*=[^\r\n]*", re.MULTILINE)

_ENTITY = b"Entity"


class _File(NamedTuple):
    """The base file: its nodes in columns, and the places of their column MISC."""

    data: bytes
    source: str
    code: Ints
    line: Ints
    misc_start: Ints
    misc_end: Ints

    @classmethod
    def of(cls, data: bytes, source: str) -> _File:
        columns, offset = [np.zeros((4, 0), dtype=np.int64)], 0
        for block in conllu.blocks(data, source):
            start, end = block.column(slice(None), conllu.MISC)
            rows = (block.code, block.line, start + offset, end + offset)
            columns.append(np.stack(rows))
            offset += len(block.lines.data)
        file = cls(data, source, *np.concatenate(columns, axis=1))
        disorder = np.flatnonzero(np.diff(file.code) <= 0)
        if len(disorder):
            raise FormatError(
                "this word is out of order",
                source=source,
                line=int(file.line[disorder[0] + 1]),
                hint="Words and empty nodes of a sentence must be in order: 1, 1.1, 2.",
            )
        return file

    @property
    def sentence(self) -> Ints:
        """Return the sentence of each node."""
        return self.code >> SENTENCE_BITS

    def text(self) -> tuple[Corpus, Sentences]:
        """Read documents and sentences, without the mentions of the file."""
        corpus = corefud.read(_apply(self.edits({}), self.data), source=self.source)
        assert corpus.words is not None
        return corpus, corpus.words.sentences

    def edits(self, values: Mapping[int, bytes]) -> list[Edit]:
        """Return the edits that replace headers and the values of Entity=."""
        old = (place.start() for place in re.finditer(_ENTITY, self.data))
        at = np.fromiter(old, dtype=np.int64)
        node = np.searchsorted(self.misc_start, at, side="right") - 1
        inside = node >= 0
        inside[inside] = at[inside] < self.misc_end[node[inside]]
        edits = [
            (*header.span(), _HEADER) for header in _OLD_HEADER.finditer(self.data)
        ]
        edits += [
            self._misc_edit(node, values.get(node))
            for node in {*node[inside].tolist(), *values}
        ]
        return edits

    def _misc_edit(self, node: int, value: bytes | None) -> Edit:
        start, end = int(self.misc_start[node]), int(self.misc_end[node])
        line_start = self.data.rfind(b"\n", 0, start) + 1
        columns = self.data.count(b"\t", line_start, start) + 1
        if value and columns <= conllu.MISC:
            raise FormatError(
                f"a mention starts or ends here, but the line has {columns} columns",
                source=self.source,
                line=int(self.line[node]),
                hint="CoNLL-U has ten columns separated by tabs. Entity= is in the "
                "last one.",
            )
        return start, end, _misc(self.data[start:end], value)

    def header_edit(self) -> Edit:
        """Return the edit that adds a header, unless the first sentence has one.

        It comes after the line that starts the document, or before the sentence.
        """
        words = self.data.rfind(b"\n", 0, int(self.misc_start[0])) + 1
        comments: list[bytes] = []
        for line in reversed(self.data[:words].split(b"\n")[:-1]):
            if not line.strip():
                break
            comments.insert(0, line + b"\n")
        place = words - sum(map(len, comments))
        if any(map(_OLD_HEADER.match, comments)):
            return place, place, b""
        for number, line in enumerate(comments, start=1):
            if conllu.NEWDOC.fullmatch(line):
                place += sum(map(len, comments[:number]))
                break
        first_line, _, _ = self.data.partition(b"\n")
        line_end = b"\r\n" if first_line.endswith(b"\r") else b"\n"
        return place, place, _HEADER + line_end


def _apply(edits: Iterable[Edit], data: bytes) -> bytes:
    """Replace pieces of a text, all at once."""
    parts, done = [], 0
    for start, end, new in sorted(edits):
        parts += [data[done:start], new]
        done = end
    return b"".join((*parts, data[done:]))


def _misc(old: bytes, value: bytes | None) -> bytes:
    """Replace Entity= in a value of MISC; a new one comes last."""
    items = [] if old in {b"", b"_"} else old.split(b"|")
    is_old = [item.partition(b"=")[0] == _ENTITY for item in items]
    kept = [item for item, drop in zip(items, is_old, strict=True) if not drop]
    if value:
        last = len(items) - is_old[::-1].index(True) if True in is_old else len(items)
        kept.insert(last - sum(is_old), _ENTITY + b"=" + value)
    return b"|".join(kept) or b"_"


def _mentions_of_words(words: Words, file: _File) -> list[MentionRuns]:
    """Return the nodes of mentions that are sets of words."""
    _, sentences = file.text()
    _check_sentences(words.sentences, sentences, file)
    node = np.searchsorted(file.code, words.member)
    is_known = file.code[np.minimum(node, len(file.code) - 1)] == words.member
    if not is_known.all():
        sentence, place = divmod(
            int(words.member[np.argmin(is_known)]), 1 << SENTENCE_BITS
        )
        number, empty = divmod(place, 1 << WORD_BITS)
        name = f"{number}.{empty}" if empty else str(number)
        raise AlignmentError(
            f"a mention contains word {name} of sentence {sentence + 1}, which does "
            "not exist",
            source=file.source,
            line=int(sentences.line[sentence]),
            hint="The file must contain the empty nodes of all mentions.",
        )
    nodes, heads = node.tolist(), np.searchsorted(file.code, words.head).tolist()
    starts, sentence = words.start.tolist(), file.sentence.tolist()
    mentions = []
    for head, start, end in zip(heads, starts, starts[1:], strict=False):
        members = sorted(set(nodes[start:end]))
        mentions.append(MentionRuns(_runs(members, sentence), members.index(head) + 1))
    return mentions


def _runs(nodes: list[int], sentence: list[int]) -> list[Run]:
    """Join consecutive nodes of the same sentence."""
    runs: list[Run] = []
    for node in nodes:
        continues = runs and runs[-1][1] == node - 1
        if continues and sentence[node - 1] == sentence[node]:
            runs[-1] = runs[-1][0], node
        else:
            runs.append((node, node))
    return runs


def _check_sentences(mine: Sentences, other: Sentences, file: _File) -> None:
    """Refuse a file whose documents, sentences or words are not those of the corpus."""
    counts = len(mine.line), len(other.line)
    if counts[0] != counts[1]:
        raise AlignmentError(
            f"this file has {counts[1]} sentences, but the corpus has {counts[0]}",
            source=file.source,
            hint="Give the text that the mentions are from.",
        )
    differs = (mine.document != other.document) | (mine.word_count != other.word_count)
    place = int(np.argmax(differs)) if differs.any() else mine.first_difference(other)
    if place >= 0:
        raise AlignmentError(
            f"sentence {place + 1} differs from the corpus",
            source=file.source,
            line=int(other.line[place]),
            hint="Documents and sentences must have the same words. Only empty nodes "
            "may differ.",
        )


def _mentions_of_spans(corpus: Corpus, file: _File) -> list[MentionRuns]:
    """Return the nodes of mentions that are spans of tokens."""
    text, sentences = file.text()
    words = np.flatnonzero((file.code & EMPTY) == 0)
    document = sentences.document[file.sentence[words]]
    words = words[np.argsort(document, kind="stable")]
    count = np.bincount(document, minlength=len(text.documents))
    base = BaseDocuments(file.source, text.documents, text.document_line, count)
    first, last = (words[rows] for rows in base.spans(corpus))
    crosses = file.sentence[first] != file.sentence[last]
    if crosses.any():
        row = int(np.argmax(crosses))
        sentence = int(file.sentence[first[row]]) + 1
        problem = f"goes beyond sentence {sentence} of {file.source}"
        raise span_error(corpus, row, problem)
    runs = zip(first.tolist(), last.tolist(), strict=True)
    return [MentionRuns([run], 1) for run in runs]


_NAME = re.compile(r"[^-=|()\[\]\s]+")


def can_hold_name(name: str) -> bool:
    """Say whether a bracket can have this text as a field that is not empty."""
    return _NAME.fullmatch(name) is not None


def _names(corpus: Corpus) -> dict[int, bytes]:
    """Return a name for each entity; names can be written and are all different."""
    used = np.unique(corpus.mention_entity).tolist()
    labels = [corpus.entity_label[row] for row in used]
    if all(map(can_hold_name, labels)) and _are_distinct(corpus, used):
        return {row: corpus.entity_label[row].encode() for row in used}
    width = len(str(len(used)))
    return {row: b"e%0*d" % (width, number) for number, row in enumerate(used, start=1)}


def _are_distinct(corpus: Corpus, used: list[int]) -> bool:
    """Say whether no two entities have the same label.

    In CorefUD, an entity that continues in another document keeps its label. Its parts
    follow each other, because the reader sorts entities of the same name together.
    """
    last: dict[str, int] = {}
    for place, row in enumerate(used):
        label = corpus.entity_label[row]
        before = last.get(label)
        last[label] = place
        if before is None:
            continue
        documents = corpus.entity_document[[used[before], row]]
        continues = before == place - 1 and documents[0] != documents[1]
        if corpus.words is None or not continues:
            return False
    return True


def _values(
    corpus: Corpus, mentions: list[MentionRuns], file: _File
) -> dict[int, bytes]:
    """Return the brackets of each node."""
    of_entity: dict[int, list[MentionRuns]] = defaultdict(list)
    for row, mention in zip(corpus.mention_entity.tolist(), mentions, strict=True):
        of_entity[row].append(mention)
    values = BracketValues()
    for row, name in _names(corpus).items():
        try:
            kind = corpus.entity_type[row] if corpus.entity_type else ""
            kind = kind if can_hold_name(kind) else ""
            values.add(row, name, of_entity[row], kind.encode())
        except MisplacedError as error:
            sentence = int(file.sentence[error.node]) + 1
            raise FormatError(
                "brackets cannot show which words belong to the mentions of entity "
                f"{corpus.entity_label[row]} in sentence {sentence}",
                source=file.source,
                line=int(file.line[error.node]),
                hint="Two of these mentions have gaps, or they cross in the gap of "
                "another one. Leave one of them out.",
            ) from error
    return values.by_node()


def misplaced_piece(mentions: Sequence[Sequence[int]]) -> int | None:
    """Find the token where a piece would go to the wrong mention of an entity.

    >>> misplaced_piece([[1, 2, 5], [2, 3]]), misplaced_piece([[0, 3], [0, 2, 4]])
    (None, 2)
    """
    runs = [MentionRuns(runs_of(tokens), 1) for tokens in mentions]
    try:
        BracketValues().add(0, b"e", runs)
    except MisplacedError as error:
        return error.node
    return None


Run = tuple[int, int]


class MentionRuns(NamedTuple):
    """Runs of consecutive nodes, and the number of the head among them, from 1."""

    runs: list[Run]
    head: int


class BracketValues:
    """Brackets by node, each with the keys by which those of a node are sorted."""

    def __init__(self) -> None:
        self._closing: dict[int, list[tuple[int, int, bytes]]] = defaultdict(list)
        self._opening: dict[int, list[tuple[int, int, bytes]]] = defaultdict(list)

    def add(
        self, entity: int, name: bytes, mentions: list[MentionRuns], kind: bytes = b""
    ) -> None:
        """Add the brackets of an entity of a document, with its type."""
        mentions, cutter = _cut(mentions)

        def label(piece: _Piece) -> bytes:
            count = cutter.begun[piece.mention]
            return name if count == 1 else b"%s[%d/%d]" % (name, piece.number, count)

        for piece in cutter.closed:
            text = label(piece) + b")"
            self._closing[piece.last].append((-piece.first, -entity, text))
        for node, group in groupby(cutter.opened, key=lambda piece: piece.first):
            pieces = list(group)
            for piece, reach in zip(pieces, _reach(pieces), strict=True):
                head = mentions[piece.mention].head
                text = b"(%s-%s-%d-" % (label(piece), kind, head)
                text += b")" if piece.last == node else b""
                self._opening[node].append((-reach, entity, text))

    def by_node(self) -> dict[int, bytes]:
        """Return the brackets of each node in order."""
        values: dict[int, bytes] = defaultdict(bytes)
        for of_node in (self._closing, self._opening):
            for node, brackets in of_node.items():
                brackets.sort(key=lambda bracket: bracket[:2])
                values[node] += b"".join(text for *_, text in brackets)
        return values


_LAST_WORD = 1 << 62


def _cut(mentions: list[MentionRuns]) -> tuple[list[MentionRuns], _Cutter]:
    """Cut the mentions of an entity as little as possible.

    Mentions that start together come in one of two orders: the longest first, or the
    one that continues first after a gap. If both fail, all open mentions are cut.
    """
    longest = sorted(mentions, key=lambda one: (one.runs[0][0], -one.runs[0][1]))
    soonest = sorted(
        mentions,
        key=lambda one: (
            one.runs[0][0],
            one.runs[1:] or [(_LAST_WORD, _LAST_WORD)],
        ),
    )
    for ordered in (longest, soonest):
        cutter = _Cutter(ordered, cuts_all=False)
        with suppress(MisplacedError):
            cutter.cut()
            return ordered, cutter
    cutter = _Cutter(longest, cuts_all=True)
    cutter.cut()
    return longest, cutter


class MisplacedError(Exception):
    """A piece would go to the wrong mention; ``node`` is where it starts."""

    def __init__(self, node: int) -> None:
        super().__init__(node)
        self.node = node


@dataclass(slots=True)
class _Piece:
    """The nodes in one pair of brackets; ``number`` counts the pieces of a mention."""

    mention: int
    first: int
    last: int
    number: int = 0


class _Cutter:
    """Cuts the mentions of one entity where they cross.

    Mentions are numbered in the order in which they start. A reader gives pieces to
    mentions in this order. With ``cuts_all``, every open mention is cut. This makes
    more pieces than needed, but never cuts at neighbouring nodes, where a reader could
    confuse the pieces of two mentions. It therefore never fails without gaps.
    """

    def __init__(self, mentions: list[MentionRuns], *, cuts_all: bool) -> None:
        self._cuts_all = cuts_all
        self.opened: list[_Piece] = []
        self.closed: list[_Piece] = []
        self.begun = [0] * len(mentions)
        self._to_come = [0] * len(mentions)
        self._lacking: set[int] = set()
        self._stack: list[_Piece] = []
        self._starts: dict[int, list[_Piece]] = defaultdict(list)
        self._nodes: list[int] = []
        for number, mention in enumerate(mentions):
            for first, last in mention.runs:
                self._add(_Piece(number, first, last))
        heapify(self._nodes)

    def cut(self) -> None:
        """Go from node to node, close the pieces that end there and open others."""
        while self._nodes:
            node = heappop(self._nodes)
            self._close(node)
            self._open(node)

    def _add(self, piece: _Piece) -> None:
        self._to_come[piece.mention] += 1
        self._starts[piece.first].append(piece)
        heappush(self._nodes, piece.first)
        heappush(self._nodes, piece.last)

    def _close(self, node: int) -> None:
        """Close the pieces that end here, and cut those that were opened after them."""
        depth = self._depth(node)
        if any(piece.last > node for piece in self._stack[depth:]):
            # Cut also what would be cut at the next node. Brackets close first there,
            # so the pieces that start there would go to the mention that is cut.
            depth = 0 if self._cuts_all else min(depth, self._depth(node + 1) + 1)
        while len(self._stack) > depth:
            piece = self._stack.pop()
            if piece.last > node:
                self._add(_Piece(piece.mention, node + 1, piece.last))
                piece.last = node
            self._end(piece)
            self.closed.append(piece)

    def _depth(self, node: int) -> int:
        """Return the place of the first piece in the stack that ends at a node."""
        ends = (row for row, piece in enumerate(self._stack) if piece.last == node)
        return next(ends, len(self._stack))

    def _open(self, node: int) -> None:
        """Open the pieces that start here, the longest first if pieces allow it."""
        pieces = sorted(self._starts.pop(node, []), key=lambda piece: piece.mention)
        again = [piece for piece in pieces if self.begun[piece.mention]]
        new = [piece for piece in pieces if not self.begun[piece.mention]]
        reach = dict(enumerate(_reach(again) + _reach(new)))
        both = again + new
        for row in sorted(reach, key=lambda row: -reach[row]):
            self._begin(both[row])

    def _begin(self, piece: _Piece) -> None:
        mention = piece.mention
        if self.begun[mention]:
            if min(self._lacking) != mention:
                raise MisplacedError(piece.first)
            self._lacking.remove(mention)
        self.begun[mention] += 1
        self._to_come[mention] -= 1
        piece.number = self.begun[mention]
        self.opened.append(piece)
        if piece.first < piece.last:
            self._stack.append(piece)
        else:
            self._end(piece)

    def _end(self, piece: _Piece) -> None:
        if self._to_come[piece.mention]:
            self._lacking.add(piece.mention)


def _reach(pieces: list[_Piece]) -> list[int]:
    """Return the last node of each piece or of a later one, whichever comes last."""
    return list(accumulate((piece.last for piece in reversed(pieces)), max))[::-1]
