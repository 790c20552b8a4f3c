"""The trees of a file: dependencies in CoNLL-U, and parses in CoNLL-2012.

`DependencyTrees` finds the heads of mentions that have none, as in the shared task. The
head is the word whose parent is outside the mention. If there are several, it is the
one without a parent inside in the enhanced graph. If there are still several, it is the
one above all others, or else the first. In a file without heads, the first word is the
head. Multiword tokens (`Surface`) record how the text was written.

`with_parses` reads the parses of CoNLL-2012 in a second pass over the lines:

    bc/cctv/00/cctv_0000   0   0   The    DT   (TOP(S(NP*   …   (8
    bc/cctv/00/cctv_0000   0   1   dog    NN            *)  …   8)
    bc/cctv/00/cctv_0000   0   2   barked VBD       (VP*)))  …   -

Columns 4, 5 and 6 are the word, its part of speech and its part of the tree. Faults in
them are reported only where a parse is needed, so a sentence without a mention may lack
its parse. Only the words of a response are used.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.formats import conllu
from scoref.formats.conll2012 import classify_lines
from scoref.formats.input_files import TAB, Lines, is_space, shown, without_bom
from scoref.model import EMPTY, SENTENCE_BITS, WORD_BITS, Cells, Parses
from scoref.model.arrays import is_new

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from scoref.model import Corpus, Ints, Words

    Mask = NDArray[np.bool_]


_HEADER = re.compile(rb"^# global\.Entity\s*=\s*(\S*)", re.MULTILINE)

_DEPTH = 1000
"""How many ancestors of a word are followed at most."""


class Surface(NamedTuple):
    """A token that is several words: `del` for `de` and `el`."""

    first: int
    last: int
    form: str


class DependencyTrees(NamedTuple):
    """The nodes of a file, sorted by their codes (see `scoref.model.Words`).

    ``parent`` is the parent in the basic tree, 0 for roots and empty nodes.
    ``dependencies`` are the parents and relations of the enhanced graph. They are read
    for empty nodes, and for words that have several or an empty node among them.
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
            columns.append((code, parent, block.packed_column(rows, conllu.UPOS)))
            _read_dependencies(block, code, dependencies)
            surfaces += _surfaces(block)
        code, parent, upos = (
            np.concatenate(part) for part in zip(*columns, strict=True)
        )
        order = np.argsort(code, kind="stable")
        header = _HEADER.search(data)
        has_heads = header is None or b"head" in header[1].split(b"-")
        return cls(
            code[order], parent[order], upos[order], dependencies, surfaces, has_heads
        )

    def head(self, words: Sequence[int]) -> int:
        """Return the head of some words, which must be in order."""
        if not self.has_heads or len(words) == 1:
            return words[0]
        inside = set(words)
        parents = self.parent[np.searchsorted(self.code, words)].tolist()
        tops = [
            word
            for word, parent in zip(words, parents, strict=True)
            if parent not in inside
        ]
        if len(tops) > 1:
            tops = [
                word
                for word in tops
                if not any(
                    _in_sentence(word, parent) in inside
                    for parent, _ in self.dependencies.get(word, ())
                )
            ] or tops
        if len(tops) > 1:
            tops = [word for word in tops if self._is_above(word, tops)] or tops
        return tops[0] if tops else words[0]

    def heads(self, words: Words) -> Ints | None:
        """Return the heads of mentions; None if the file has no trees."""
        if not self.parent.any():
            return None
        member = words.member.tolist()
        heads = [
            self.head(member[start:end])
            for start, end in pairwise(words.start.tolist())
        ]
        return np.array(heads, dtype=np.int64)

    def upos_of(self, words: Ints) -> NDArray[np.uint64]:
        """Return the parts of speech of words."""
        return self.upos[np.searchsorted(self.code, words)]

    def parent_of_empty(self, node: int) -> int:
        """Return the first parent of an empty node; 0 if it has none."""
        for parent, _ in self.dependencies.get(node, ()):
            return _in_sentence(node, parent)
        return 0

    def _is_above(self, word: int, others: Sequence[int]) -> bool:
        """Say whether a word is above others, or above the parents of empty nodes."""
        below = (
            self.parent_of_empty(other) if other & EMPTY else other for other in others
        )
        return all(
            word in self._ancestors(other)
            for other in below
            if other and not other & EMPTY
        )

    def _ancestors(self, word: int) -> set[int]:
        """Return a word and the words above it."""
        ancestors: set[int] = set()
        while word and word not in ancestors and len(ancestors) < _DEPTH:
            ancestors.add(word)
            place = int(np.searchsorted(self.code, word))
            is_known = place < len(self.code) and self.code[place] == word
            word = int(self.parent[place]) if is_known else 0
        return ancestors


def with_tree_heads(corpus: Corpus, data: bytes) -> Corpus:
    """Add the heads that the trees of a file determine, if it names none."""
    words = corpus.words
    if words is None or words.names_heads:
        return corpus
    trees = DependencyTrees.of(data, corpus.source)._replace(has_heads=True)
    head = trees.heads(words)
    if head is None:
        return corpus
    words = words._replace(tree_head=head, tree_upos=trees.upos_of(head))
    return replace(corpus, words=words)


def _read_dependencies(
    block: conllu.Block,
    code: Ints,
    dependencies: dict[int, tuple[tuple[str, str], ...]],
) -> None:
    """Read DEPS where it may differ from the basic tree: see `DependencyTrees`."""
    starts, ends = block.column(slice(None), conllu.DEPS)
    places = zip(code.tolist(), starts.tolist(), ends.tolist(), strict=True)
    for node, start, end in places:
        text = block.lines.data[start:end]
        if text in {b"", b"_"} or not (node & EMPTY or b"|" in text or b"." in text):
            continue
        items = (item.partition(":") for item in shown(text).split("|"))
        dependencies[node] = tuple((parent, relation) for parent, _, relation in items)


def _in_sentence(word: int, number: str) -> int:
    """Return the code of a number such as 3 or 3.1 in the sentence of a word."""
    whole, _, empty = number.partition(".")
    if not whole.isdecimal() or (empty and not empty.isdecimal()) or whole == "0":
        return 0
    sentence = word >> SENTENCE_BITS << SENTENCE_BITS
    return sentence | int(whole) << WORD_BITS | int(empty or 0)


_RANGE = re.compile(rb"(\d+)-(\d+)\t([^\t\r\n]*)")


def _surfaces(block: conllu.Block) -> list[Surface]:
    """Find the tokens of several words; the node after the line gives the sentence."""
    surfaces = []
    line = np.arange(len(block.lines))
    others = line[~np.isin(line, block.row)]
    following = np.searchsorted(block.row, others)
    for row, node in zip(others.tolist(), following.tolist(), strict=True):
        match = _RANGE.match(block.lines[row])
        if match and node < len(block.row):
            sentence = int(block.sentence[node]) << SENTENCE_BITS
            first, last = (sentence | int(match[n]) << WORD_BITS for n in (1, 2))
            surfaces.append(Surface(first, last, shown(match[3])))
    return surfaces


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
    return replace(corpus, parses=parses)


def token_rows(corpus: Corpus, lines: Lines) -> tuple[Ints, Ints, Ints]:
    """Return where documents start, the line of each token, and its sentence."""
    is_blank = lines.is_blank()
    rows = _rows_by_document(corpus, lines, ~is_blank)
    length = [len(inside) for inside in rows]
    row = np.concatenate([np.zeros(0, dtype=np.int64), *rows])
    document = np.repeat(np.arange(len(rows)), length)
    blanks_before = np.cumsum(is_blank)[row]
    sentence = np.cumsum(is_new(document, blanks_before)) - 1
    return np.cumsum([0, *length]), row, sentence


def _rows_by_document(corpus: Corpus, lines: Lines, is_filled: Mask) -> list[Ints]:
    """Find the lines of the tokens of each document, as its reader counted them.

    The reference reading counts all lines that are not blank. If it counts as many
    tokens as the strict reading, the lines are the same.
    """
    is_token, begins, ends = classify_lines(lines)
    bounds = np.array(sorted({*begins, *ends, len(lines)}))
    tokens, filled = np.flatnonzero(is_token), np.flatnonzero(is_filled)
    token_count = corpus.document_tokens
    rows = []
    for document, line in enumerate(corpus.document_line.tolist()):
        begin = line - 1
        # A file without a begin line is one document that starts at the first line.
        first = begin + 1 if begin in begins else begin
        last = bounds[np.searchsorted(bounds, first)]
        inside = tokens[slice(*np.searchsorted(tokens, (first, last)))]
        if token_count is not None and len(inside) != token_count[document]:
            start = np.searchsorted(filled, first)
            inside = filled[start : start + token_count[document]]
        rows.append(inside)
    return rows


_WORD, _AFTER_WORD, _AFTER_PIECE = 3, 4, 6

_COLUMNS = range(_WORD, _AFTER_PIECE)


def cells_of(lines: Lines, row: Ints) -> tuple[Cells, Cells, Cells]:
    """Find word, part of speech and parse of each row.

    They are empty in a row that has no column for the brackets after them.
    """
    start, end = np.zeros((2, len(_COLUMNS), len(row)), dtype=np.int64)
    by_tabs = lines.count(TAB)[row] > 0
    for mask, cut in ((by_tabs, _cut_at_tabs), (~by_tabs, _cut_at_blanks)):
        if mask.any():
            start[:, mask], end[:, mask] = cut(lines, row[mask])
    word, tag, piece = (Cells(lines.data, start[n], end[n]) for n in range(3))
    return word, tag, piece


def _cut_at_tabs(lines: Lines, row: Ints) -> tuple[Ints, Ints]:
    """Cut rows at their tabs, and remove the blanks around cells."""
    tabs = np.flatnonzero(lines.bytes_ == TAB)
    first = np.searchsorted(tabs, lines.start[row])
    count = np.searchsorted(tabs, lines.end[row]) - first + 1
    tab = np.append(tabs, np.full(_AFTER_PIECE, len(lines.data)))
    start = np.array([tab[first + column - 1] + 1 for column in _COLUMNS])
    end = np.array([tab[first + column] for column in _COLUMNS])
    start = np.where(_has_columns(count), start, end)
    last = len(lines.bytes_) - 1
    while (
        moves := (start < end) & is_space(lines.bytes_[np.minimum(start, last)])
    ).any():
        start += moves
    while (moves := (start < end) & is_space(lines.bytes_[end - 1])).any():
        end -= moves
    return start, end


def _cut_at_blanks(lines: Lines, row: Ints) -> tuple[Ints, Ints]:
    """Cut rows at their blanks; several blanks in a row are one separator."""
    is_gap = is_space(lines.bytes_)
    starts = np.flatnonzero(~is_gap & np.append(True, is_gap[:-1]))
    ends = np.flatnonzero(~is_gap & np.append(is_gap[1:], True)) + 1
    first = np.searchsorted(starts, lines.start[row])
    count = np.searchsorted(starts, lines.end[row]) - first
    place = np.minimum(first + np.array(_COLUMNS)[:, None], len(starts) - 1)
    start = starts[place]
    return start, np.where(_has_columns(count), ends[place], start)


def _has_columns(count: Ints) -> Mask:
    """Say which rows have a word, a part of speech and a parse, given their columns."""
    has_parse = count > _AFTER_PIECE
    return np.array([count > _AFTER_WORD, has_parse, has_parse])
