"""The trees of a file: dependencies in CoNLL-U, and parses in CoNLL-2012.

The mentions of a response have no heads. If the key has a mention of the same words,
its head is used. If not, the head is found in the tree of the key, as in the shared
task: the word whose parent is outside the mention. If there are several, it is the one
without a parent inside in the enhanced graph. If there are still several, it is the one
above all others, or else the first. In a file without heads, the first word is the
head. Multiword tokens (`Surface`) record how the text was written.

The parses of CoNLL-2012 are read in a second pass over the lines:

    bc/cctv/00/cctv_0000   0   0   The    DT   (TOP(S(NP*   …   (8
    bc/cctv/00/cctv_0000   0   1   dog    NN            *)  …   8)
    bc/cctv/00/cctv_0000   0   2   barked VBD       (VP*)))  …   -

Columns 4, 5 and 6 are the word, its part of speech and its part of the tree. Faults in
them are reported only where a parse is needed, so a sentence without a mention may lack
its parse. Only the words of a response are used.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.formats import conllu
from scoref.formats.conll2012 import classify_lines
from scoref.formats.input_files import TAB, Lines, is_space, shown, without_bom
from scoref.model import EMPTY, SENTENCE_BITS, WORD_BITS, Cells, Parses

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from scoref.model import Corpus, Ints, Words

    Mask = NDArray[np.bool_]


_HEADER = re.compile(rb"^# global\.Entity\s*=\s*(\S*)", re.MULTILINE)

_RANGE = re.compile(rb"(\d+)-(\d+)\t([^\t\r\n]*)")

_DEPTH = 1000


class Surface(NamedTuple):
    """A token that is several words: `del` for `de` and `el`."""

    first: int
    last: int
    form: str


class DependencyTrees(NamedTuple):
    """The nodes of a file, sorted, as `scoref.model.Words` calls them.

    ``parent`` is that of the basic tree, 0 for roots and empty nodes; ``dependencies``
    are those of empty nodes, and of words that have other parents as well.
    """

    code: Ints
    parent: Ints
    upos: NDArray[np.uint64]
    dependencies: Mapping[int, tuple[tuple[str, str], ...]]
    surfaces: Sequence[Surface]
    has_heads: bool

    @classmethod
    def of(cls, data: bytes, source: str) -> DependencyTrees:
        """Read the columns HEAD, UPOS and DEPS, and tokens of several words."""
        columns: list[tuple[Ints, Ints, NDArray[np.uint64]]] = []
        dependencies: dict[int, tuple[tuple[str, str], ...]] = {}
        surfaces: list[Surface] = []
        for block in conllu.blocks(without_bom(data), source):
            code, rows = block.code, slice(None)
            number, _ = conllu.digits(block.lines, block.column(rows, conllu.HEAD)[0])
            sentence = code >> SENTENCE_BITS << SENTENCE_BITS
            parent = sentence | number << np.int64(WORD_BITS)
            parent[(number == 0) | (code & EMPTY > 0)] = 0
            columns.append((code, parent, block.packed(rows, conllu.UPOS)))
            _read_dependencies(block, code, dependencies)
            surfaces += _surfaces(block)
        joined = [np.concatenate(each) for each in zip(*columns, strict=True)]
        order = np.argsort(joined[0], kind="stable")
        code, parent, upos = (column[order] for column in joined)
        header = _HEADER.search(data)
        has_heads = header is None or b"head" in header[1].split(b"-")
        return cls(code, parent, upos, dependencies, surfaces, has_heads)

    def head(self, words: Sequence[int]) -> int:
        """Find the head of a set of words, which are in order."""
        if not self.has_heads or len(words) == 1:
            return words[0]
        inside = set(words)
        parent = dict(zip(words, self._parents(words), strict=True))
        found = [word for word in words if parent[word] not in inside]
        if len(found) > 1:
            free = [word for word in found if not self._deps(word) & inside]
            found = free or found
        if len(found) > 1:
            found = [word for word in found if self._is_above(word, found)] or found
        return found[0] if found else words[0]

    def heads(self, words: Words) -> Ints | None:
        """Find the heads of mentions; None if the file has no trees."""
        if not self.parent.any():
            return None
        member = words.member.tolist()
        found = [self.head(member[a:b]) for a, b in pairwise(words.start.tolist())]
        return np.array(found, dtype=np.int64)

    def upos_of(self, words: Ints) -> NDArray[np.uint64]:
        """Give the parts of speech of words."""
        return self.upos[np.searchsorted(self.code, words)]

    def parent_of_empty(self, node: int) -> int:
        """Find the first parent of an empty node; 0 if it has none."""
        for parent, _ in self.dependencies.get(node, ()):
            return _in_sentence(node, parent)
        return 0

    def _parents(self, words: Sequence[int]) -> list[int]:
        found: list[int] = self.parent[np.searchsorted(self.code, words)].tolist()
        return found

    def _deps(self, word: int) -> set[int]:
        return {
            _in_sentence(word, parent) for parent, _ in self.dependencies.get(word, ())
        }

    def _is_above(self, word: int, others: Sequence[int]) -> bool:
        """Tell whether a word is above others, or above what empty nodes depend on."""
        below = (
            self.parent_of_empty(other) if other & EMPTY else other for other in others
        )
        return all(
            word in self._ancestors(other)
            for other in below
            if other and not other & EMPTY
        )

    def _ancestors(self, word: int) -> set[int]:
        found: set[int] = set()
        while word and word not in found and len(found) < _DEPTH:
            found.add(word)
            place = int(np.searchsorted(self.code, word))
            is_there = place < len(self.code) and self.code[place] == word
            word = int(self.parent[place]) if is_there else 0
        return found


def with_tree_heads(corpus: Corpus, data: bytes) -> Corpus:
    """Add the heads that the trees of a file tell, if it names none."""
    words = corpus.words
    if words is None or words.names_heads:
        return corpus
    trees = DependencyTrees.of(data, corpus.source)._replace(has_heads=True)
    head = trees.heads(words)
    if head is None:
        return corpus
    found = words._replace(tree_head=head, tree_upos=trees.upos_of(head))
    return replace(corpus, words=found)


def _read_dependencies(
    block: conllu.Block,
    code: Ints,
    found: dict[int, tuple[tuple[str, str], ...]],
) -> None:
    """Read DEPS where it may say more than the tree: of empty nodes, and of lists."""
    start, end = block.column(slice(None), conllu.DEPS)
    data = block.lines.data
    for node, a, b in zip(code.tolist(), start.tolist(), end.tolist(), strict=True):
        text = data[a:b]
        if text in {b"", b"_"} or not (node & EMPTY or b"|" in text or b"." in text):
            continue
        items = (item.partition(":") for item in shown(text).split("|"))
        found[node] = tuple((parent, relation) for parent, _, relation in items)


def _in_sentence(word: int, number: str) -> int:
    """Give the word of a number, such as 3 or 3.1, in the sentence of another."""
    whole, _, empty = number.partition(".")
    if not whole.isdecimal() or (empty and not empty.isdecimal()) or whole == "0":
        return 0
    sentence = word >> SENTENCE_BITS << SENTENCE_BITS
    return sentence | int(whole) << WORD_BITS | int(empty or 0)


def _surfaces(block: conllu.Block) -> list[Surface]:
    """Find the lines that are tokens of several words, by the word behind them."""
    found = []
    line = np.arange(len(block.lines))
    others = line[~np.isin(line, block.row)]
    following = np.searchsorted(block.row, others)
    for row, behind in zip(others.tolist(), following.tolist(), strict=True):
        match = _RANGE.match(block.lines[row])
        if match and behind < len(block.row):
            sentence = int(block.sentence[behind]) << SENTENCE_BITS
            first, last = (sentence | int(match[n]) << WORD_BITS for n in (1, 2))
            found.append(Surface(first, last, shown(match[3])))
    return found


_WORD, _BEHIND_WORD, _BEHIND_PIECE = 3, 4, 6

_COLUMNS = range(_WORD, _BEHIND_PIECE)


def with_parses(corpus: Corpus, data: bytes) -> Corpus:
    """Add the parses to a corpus that was read from the same bytes."""
    lines = Lines.of(without_bom(data))
    first, row, sentence = token_rows(corpus, lines)
    word, tag, piece = cells_of(lines, row)
    parses = Parses(
        first=first[:-1],
        sentence=sentence,
        line=row + 1,
        word=word,
        tag=tag,
        piece=piece,
    )
    return dataclasses.replace(corpus, parses=parses)


def token_rows(corpus: Corpus, lines: Lines) -> tuple[Ints, Ints, Ints]:
    """Find where documents start, the line of each token, and its sentence."""
    is_blank = lines.is_blank()
    rows = _rows(corpus, lines, ~is_blank)
    length = [len(inside) for inside in rows]
    row = np.concatenate([np.zeros(0, dtype=np.int64), *rows])
    document = np.repeat(np.arange(len(rows)), length)
    blanks_before = np.cumsum(is_blank)[row]
    is_first = np.diff(document, prepend=-1) > 0
    is_first |= np.diff(blanks_before, prepend=-1) != 0
    return np.cumsum([0, *length]), row, np.cumsum(is_first) - 1


def _rows(corpus: Corpus, lines: Lines, is_filled: Mask) -> list[Ints]:
    """Find the lines of each document's tokens, as the reader counted them.

    For the reference reading all lines that are not blank are tokens. Where it counts
    as many as the strict one, the lines are the same.
    """
    is_token, begins, ends = classify_lines(lines)
    bounds = np.array(sorted({*begins, *ends, len(lines)}))
    tokens, filled = np.flatnonzero(is_token), np.flatnonzero(is_filled)
    counted = corpus.document_tokens
    found = []
    for document, line in enumerate(corpus.document_line.tolist()):
        begin = line - 1
        # A file without any begin line is one document from its first line on.
        first = begin + 1 if begin in begins else begin
        last = bounds[np.searchsorted(bounds, first)]
        inside = tokens[slice(*np.searchsorted(tokens, (first, last)))]
        if counted is not None and len(inside) != counted[document]:
            start = np.searchsorted(filled, first)
            inside = filled[start : start + counted[document]]
        found.append(inside)
    return found


def cells_of(lines: Lines, row: Ints) -> tuple[Cells, Cells, Cells]:
    """Find word, part of speech and parse; the brackets must stand behind them."""
    start, end = np.zeros((2, _BEHIND_PIECE - _WORD, len(row)), dtype=np.int64)
    by_tabs = lines.count(TAB)[row] > 0
    for mask, cut in ((by_tabs, _cut_at_tabs), (~by_tabs, _cut_at_blanks)):
        if mask.any():
            start[:, mask], end[:, mask] = cut(lines, row[mask])
    word, tag, piece = (
        Cells(lines.data, *each) for each in zip(start, end, strict=True)
    )
    return word, tag, piece


def _cut_at_tabs(lines: Lines, row: Ints) -> tuple[Ints, Ints]:
    """Cut rows at their tabs; blanks around a cell are no part of it."""
    tabs = np.flatnonzero(lines.bytes_ == TAB)
    first = np.searchsorted(tabs, lines.start[row])
    count = np.searchsorted(tabs, lines.end[row]) - first + 1
    tab = np.append(tabs, np.full(_BEHIND_PIECE, len(lines.data)))
    start = np.array([tab[first + column - 1] + 1 for column in _COLUMNS])
    end = np.array([tab[first + column] for column in _COLUMNS])
    start = np.where(_are_there(count), start, end)
    is_padding = np.append(is_space(lines.bytes_), False)
    while (moves := (start < end) & is_padding[np.minimum(start, end)]).any():
        start += moves
    while (moves := (start < end) & is_padding[end - 1]).any():
        end -= moves
    return start, end


def _cut_at_blanks(lines: Lines, row: Ints) -> tuple[Ints, Ints]:
    """Cut rows at their blanks, however many stand together."""
    is_gap = is_space(lines.bytes_)
    starts = np.flatnonzero(~is_gap & np.append(True, is_gap[:-1]))
    ends = np.flatnonzero(~is_gap & np.append(is_gap[1:], True)) + 1
    first = np.searchsorted(starts, lines.start[row])
    count = np.searchsorted(starts, lines.end[row]) - first
    place = np.minimum(first + np.array(_COLUMNS)[:, None], len(starts) - 1)
    start = starts[place]
    return start, np.where(_are_there(count), ends[place], start)


def _are_there(count: Ints) -> Mask:
    """Say, by their number of cells, which rows have a word, and which have a parse."""
    has_parse = count > _BEHIND_PIECE
    return np.array([count > _BEHIND_WORD, has_parse, has_parse])
