"""Minimum spans as coval finds and compares them (``match:min``).

`parse_trees` has the minimum spans of the paper (Moosavi et al., 2019). coval differs
from it in ways that the paper does not mention, and published figures depend on them.

How coval reads a tree: a token of CoNLL-2012 has a piece of its sentence's tree, that
is, the phrases that open there, a star for the word, and the phrases that close. coval
reads the pieces of a mention's own tokens. Words without a bracket between them are one
*unit*, a leaf:

    (TOP(S(NP*   the            the dog        (TOP (S (NP [the dog])))
             *)  dog            dog barked     (NP [dog] (VP [barked]))
         (VP*))) barked

- The place of a unit is the token with the bracket that ends it: its own last word or,
  before a phrase that opens, the next word.
- Before a phrase that opens, words are discarded if none of them is all letters or all
  digits.
- A unit that begins inside a phrase stays open like a phrase: phrases that open after
  it are its children.
- Several roots get an NP above them. Phrases that stay open are closed at the end, and
  a closing bracket without an opening one is ignored.

How coval chooses the minimum span:

1. A word counts if it has a letter or digit or is ``%``, unless it is -LRB- or -RRB- or
   tagged CC, DT or IN. A whole unit counts if one of its words does.
2. The root is chosen if it is a unit that counts; otherwise the units directly under it
   that count.
3. If there is none: from each admissible phrase under the root down through admissible
   phrases, the units that count at the shallowest depth. The root decides which phrases
   are admissible: VP if it is VP; NP, NM, QP and NX if it is NP or NM. Otherwise its
   children decide: NP… if one is NP or NM; else VP if one is; else NP….
4. If there is no such phrase: the same from the root, through all phrases until the
   first that is NP, NM or VP, which decides which are admissible.
5. If nothing was found: all words of the mention as its own file has them, counted from
   the beginning of the mention.

The minimum span is the set of these units, each with its place in the sentence or, in
step 5, in the mention. Equal sets in one sentence are the same mention. A mention
without a tree matches by its first and last word. Columns have one row for each mention
of the key, followed by one for each mention of the response.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import place_of
from scoref.matching.documents import scored_documents
from scoref.matching.parse_trees import fault_in, refusal
from scoref.matching.ragged import Ragged, number_rows
from scoref.matching.spans import match_by, span_codes
from scoref.model import Note
from scoref.model.arrays import bounds, distinct, is_new, numbered, ranges
from scoref.notes import WARNING
from scoref.printable import counted

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from numpy.typing import NDArray

    from scoref.matching import Matched
    from scoref.matching.documents import Documents
    from scoref.model import Corpus, Ints, Parses


class _Units(NamedTuple):
    """Units of mentions: the mention, the place and the words of each."""

    mention: Ints
    place: Ints
    length: Ints
    words: tuple[bytes, ...]


def match_minimum(
    key: Corpus, response: Corpus, documents: Documents, mentions: MentionTrees
) -> Matched:
    """Give mentions with equal minimum spans the same integer."""

    def codes(document: Ints, start: Ints, end: Ints) -> Ints:
        spans = span_codes(document, start, end)
        with_tree = np.flatnonzero(mentions.shape >= 0)
        minimum = _number_minimum_spans(key, response, mentions, with_tree)
        # The numbers of other mentions follow these.
        spans += minimum.max(initial=-1) + 1
        spans[with_tree] = minimum
        return spans

    return match_by(codes, key, response, documents)


def _number_minimum_spans(
    key: Corpus, response: Corpus, mentions: MentionTrees, rows: Ints
) -> Ints:
    """Number the minimum spans of mentions that have a tree."""
    assert key.parses is not None
    has_units = np.array(
        [bool(shape.units) for shape in mentions.shapes], dtype=np.bool_
    )
    is_whole = ~has_units[mentions.shape[rows]]
    parts = [
        _minimum_units(mentions, rows[~is_whole], key.parses),
        *_whole_mentions(key, response, mentions, rows[is_whole]),
    ]
    mention, place, length = (
        np.concatenate([units[column] for units in parts]) for column in range(3)
    )
    words = numbers_of(word for units in parts for word in units.words)
    text, _ = number_rows(in_order(Ragged(bounds(length), words)))
    # The minimum span is the set of its units: sort them, and drop repeated ones.
    unit, count = numbered(text * (int(place.max(initial=0)) + 1) + place)
    width = max(1, count)
    code = distinct(np.searchsorted(rows, mention) * width + unit)
    size = np.bincount(code // width, minlength=len(rows))
    sentence = key.parses.sentence[mentions.row[rows]]
    return number_rows(Ragged(bounds(size), code % width), sentence)[0]


def _minimum_units(mentions: MentionTrees, rows: Ints, parses: Parses) -> _Units:
    """List the units of minimum spans, with their places in the sentence."""
    units = [unit for shape in mentions.shapes for unit in shape.units]
    of_shape = bounds(_column(len(shape.units) for shape in mentions.shapes))
    of_mention = Ragged(of_shape, np.arange(len(units))).take(mentions.shape[rows])
    words = Ragged(
        bounds(_column(len(unit.words) for unit in units)),
        _column(word for unit in units for word in unit.words),
    ).take(of_mention.value)
    mention = np.repeat(rows, of_mention.length)
    row = mentions.row[mention]
    place = _column(unit.place for unit in units)[of_mention.value]
    token = words.value + np.repeat(row, words.length)
    return _Units(
        mention,
        place + row - sentence_starts(parses)[parses.sentence[row]],
        words.length,
        parses.word.texts(token),
    )


def _whole_mentions(
    key: Corpus, response: Corpus, mentions: MentionTrees, rows: Ints
) -> list[_Units]:
    """List all words of mentions, as their own files have them."""
    assert key.parses is not None
    if response.parses is None:
        tokens = _tokens(mentions.row[rows], mentions.length[rows])
        return [_single_words(rows, tokens, key.parses)]
    count = len(key.mention_entity)
    ours, theirs = rows[rows < count], rows[rows >= count]
    document = response.mention_document
    own = (response.parses.first[document] + response.mention_start)[theirs - count]
    word = response.parses.word
    has_words = word.start[own] < word.end[own]
    # Rows of the response that are too short for words: use the words of the tree.
    in_tree = theirs[~has_words]
    leaves = [mentions.shapes[shape].leaves for shape in mentions.shape[in_tree]]
    length = _column(map(len, leaves))
    token = np.repeat(mentions.row[in_tree], length)
    token += _column(chain.from_iterable(leaves))
    theirs = theirs[has_words]
    return [
        _single_words(
            ours, _tokens(mentions.row[ours], mentions.length[ours]), key.parses
        ),
        _single_words(
            theirs, _tokens(own[has_words], mentions.length[theirs]), response.parses
        ),
        _single_words(in_tree, Ragged(bounds(length), token), key.parses),
    ]


def _single_words(mentions: Ints, tokens: Ragged, parses: Parses) -> _Units:
    """Make a unit of each word, with its place in the mention."""
    length = tokens.length
    return _Units(
        np.repeat(mentions, length),
        ranges(np.zeros_like(length), length),
        np.ones_like(tokens.value),
        parses.word.texts(tokens.value),
    )


def _column(values: Iterable[int]) -> Ints:
    return np.fromiter(values, dtype=np.int64)


class MentionTrees(NamedTuple):
    """The trees of mentions, and their places among the tokens of the key.

    Row -1: the mention is not in a sentence of the key. Shape -1: it has no tree.
    """

    row: Ints
    length: Ints
    shape: Ints
    shapes: tuple[Shape, ...]

    def are_verbal(self) -> NDArray[np.bool_]:
        """Mark the mentions whose root is VP."""
        is_verbal = np.array([*(shape.is_verbal for shape in self.shapes), False])
        return is_verbal[self.shape]


def in_last_sentences(
    key: Corpus, response: Corpus, documents: Documents
) -> tuple[Corpus, Corpus]:
    """Move mentions that cross sentences to the place where coval sees them.

    That place is in the last sentence and starts at the number that the first word has
    in its own sentence. If it starts after the last word, where coval fails, the
    mention is not moved.
    """
    if key.parses is None:
        return key, response
    row, length = _place_mentions(key, response, documents, key.parses)
    count, sides = len(key.mention_entity), []
    for side, here in ((key, slice(count)), (response, slice(count, None))):
        start = side.mention_end - length[here] + 1
        start = np.where(row[here] >= 0, start, side.mention_start)
        sides.append(dataclasses.replace(side, mention_start=start))
    return sides[0], sides[1]


def parse_mentions(
    key: Corpus, response: Corpus, documents: Documents, *, wanted_for: str
) -> tuple[MentionTrees, tuple[Note, ...]]:
    """Read the trees of mentions from the key's parses, and report unsound parses."""
    parses = key.parses
    assert parses is not None
    row, length = _place_mentions(key, response, documents, parses)
    there = np.flatnonzero(row >= 0)
    sentences = distinct(parses.sentence[row[there]])
    notes = _check_sentences(key.source, parses, sentences, wanted_for)
    number, shapes = _read_shapes(parses, _tokens(row[there], length[there]))
    has_shape = np.array([shape is not None for shape in shapes], dtype=np.bool_)
    shape_number = np.full(len(row), -1, dtype=np.int64)
    shape_number[there] = np.where(has_shape, np.cumsum(has_shape) - 1, -1)[number]
    kept = tuple(shape for shape in shapes if shape)
    return MentionTrees(row, length, shape_number, kept), notes


def _place_mentions(
    key: Corpus, response: Corpus, documents: Documents, parses: Parses
) -> tuple[Ints, Ints]:
    """Return the row of each mention's first token in the key, and its length.

    A mention that is not in a sentence of the key has row -1 and length 0.
    """
    document = np.concatenate(
        [
            scored_documents(side, rows)[side.mention_document]
            for side, rows in ((key, documents.key), (response, documents.response))
        ]
    )
    key_row = np.append(documents.key, -1)[document]
    start = np.concatenate((key.mention_start, response.mention_start))
    end = np.concatenate((key.mention_end, response.mention_end))
    begins = np.append(parses.first, len(parses.sentence))
    is_there = (key_row >= 0) & (
        begins[key_row] + end < np.append(begins, 0)[key_row + 1]
    )
    first = np.where(is_there, begins[key_row] + start, -1)
    last = np.where(is_there, begins[key_row] + end, -1)
    sentence = np.append(parses.sentence, -1)
    begin = np.append(sentence_starts(parses), 0)
    first += begin[sentence[last]] - begin[sentence[first]]
    is_there &= first <= last
    return np.where(is_there, first, -1), np.where(is_there, last - first + 1, 0)


def _check_sentences(
    source: str, parses: Parses, sentences: Ints, wanted_for: str
) -> tuple[Note, ...]:
    """Note sentences without a sound parse; refuse a key that has no parse at all."""
    begins = np.append(sentence_starts(parses), len(parses.sentence))
    firsts, ends = begins[sentences], begins[sentences + 1]
    faults = []
    for first, end in zip(firsts.tolist(), ends.tolist(), strict=True):
        if fault := fault_in(parses.piece.texts(slice(first, end))):
            faults.append((first + fault[0], fault[1]))
    if not faults:
        return ()
    line, problem = int(parses.line[faults[0][0]]), faults[0][1]
    pieces = parses.piece.take(ranges(firsts, ends - firsts)).copied()
    if not (pieces.data == ord("(")).any():
        raise refusal(problem, source, line, wanted_for)
    have = counted(
        len(faults), "sentence with mentions has", "sentences with mentions have"
    )
    place = place_of(source, line)
    message = (
        f"{WARNING}{have} a missing or broken parse in the key (first: {place}: "
        f"{problem}). The readable part was used, as in coval."
    )
    return (Note("unsound-parses", len(faults), message),)


def _read_shapes(parses: Parses, tokens: Ragged) -> tuple[Ints, list[Shape | None]]:
    """Number mentions by the shape of their trees, and read each such tree once."""
    rows, place = np.unique(tokens.value, return_inverse=True)
    texts = (cells.texts(rows) for cells in (parses.piece, parses.word, parses.tag))
    known = [token_of(*columns) for columns in zip(*texts, strict=True)]
    number, _ = number_rows(in_order(Ragged(tokens.start, numbers_of(known)[place])))
    first = np.unique(number, return_index=True)[1]
    mentions = Ragged(tokens.start, place).take(first)
    return number, [
        shape_of([known[token] for token in mentions.tuple(row)])
        for row in range(len(first))
    ]


def _tokens(row: Ints, length: Ints) -> Ragged:
    """List the rows of the tokens of each mention."""
    return Ragged(bounds(length), ranges(row, length))


def sentence_starts(parses: Parses) -> Ints:
    """Return the first token of each sentence."""
    return np.flatnonzero(is_new(parses.sentence))


def in_order(rows: Ragged) -> Ragged:
    """Make equal values differ if they have different places in their rows."""
    length = rows.length
    offset = ranges(np.zeros_like(length), length)
    return Ragged(rows.start, rows.value * int(length.max(initial=1)) + offset)


def numbers_of(values: Iterable[Hashable]) -> Ints:
    """Give equal values the same number, in the order of their first occurrence."""
    known: dict[Hashable, int] = {}
    numbers = [known.setdefault(value, len(known)) for value in values]
    return np.array(numbers, dtype=np.int64)


_NOMINAL = frozenset(("NP", "NM", "QP", "NX"))

_VERBAL = frozenset(("VP",))

_DECIDING = {"NP": _NOMINAL, "NM": _NOMINAL, "VP": _VERBAL}

_WEAK_TAGS = frozenset(("CC", "DT", "IN"))

_BRACKETS = frozenset(("-LRB-", "-RRB-"))


class Token(NamedTuple):
    """The properties of a token that coval's rules depend on."""

    signs: tuple[str, ...]  # brackets and stars of its piece, and letters of labels
    counts: bool
    is_plain: bool  # all letters or all digits
    label: str  # the start of the word, if it reads like the label of a phrase


class Unit(NamedTuple):
    """The words of a unit by their places in the mention, and the place of the unit."""

    words: tuple[int, ...]
    place: int


class Shape(NamedTuple):
    """The minimum span of a mention, and whether it is a verb phrase.

    Without units, the minimum span is the whole mention. ``leaves`` are the words in
    the tree.
    """

    is_verbal: bool
    units: tuple[Unit, ...]
    leaves: tuple[int, ...]


@dataclass(slots=True)
class _Node:
    """A phrase; or a leaf, which has a unit."""

    label: str
    unit: Unit | None = None
    counts: bool = False
    children: list[_Node] = field(default_factory=list)

    @property
    def kind(self) -> str:
        return self.label[:2]


@lru_cache(maxsize=1 << 16)
def token_of(piece: bytes, word: bytes, tag: bytes) -> Token:
    """Read a token of the key.

    >>> token_of(b"(NP-SBJ*", b"the", b"DT")
    Token(signs=('(', 'NPSBJ', '*'), counts=False, is_plain=True, label='')
    """
    text = word.decode("utf-8", "replace")
    is_word = text == "%" or any(sign.isalpha() or sign.isdigit() for sign in text)
    return Token(
        signs=_signs(piece.decode("utf-8", "replace")),
        counts=is_word
        and text not in _BRACKETS
        and tag.decode("utf-8", "replace") not in _WEAK_TAGS,
        is_plain=text.isalpha() or text.isdigit(),
        label=text[:3] if text[:2] in _NOMINAL | _VERBAL else "",
    )


@lru_cache(maxsize=1 << 12)
def _signs(piece: str) -> tuple[str, ...]:
    """List the brackets, stars and labels of a piece; a label has letters only."""
    signs = (sign for sign in piece if sign in "(*)" or sign.isalpha())
    groups = groupby(signs, key=str.isalpha)
    parts = (["".join(group)] if is_label else group for is_label, group in groups)
    return tuple(chain.from_iterable(parts))


def shape_of(tokens: Sequence[Token]) -> Shape | None:
    """Read the tree of a mention; None if there is no tree.

    >>> dog = token_of(b"(S(NP*", b"the", b"DT"), token_of(b"*)", b"dog", b"NN")
    >>> shape_of(dog)
    Shape(is_verbal=False, units=(Unit(words=(0, 1), place=1),), leaves=(0, 1))
    """
    root = _Reader(tokens).read()
    if root is None:
        return None
    units = [node.unit for node in _minimum_nodes(root) if node.unit]
    leaves: list[int] = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.unit:  # phrases under a leaf do not count
            leaves += node.unit.words
        else:
            waiting += reversed(node.children)
    return Shape(root.label == "VP", tuple(units), tuple(leaves))


class _Reader:
    """Reads the pieces of a mention sign by sign."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._roots: list[_Node] = []
        self._open: list[_Node] = []
        self._run: list[int] = []
        self._label = ""
        self._is_opening = False

    def read(self) -> _Node | None:
        """Return the root of the tree, if there is one."""
        for at, token in enumerate(self._tokens):
            for sign in token.signs:
                self._read_sign(sign, at)
        self._end_unit(len(self._tokens) - 1)
        self._roots += self._open[:1]
        if len(self._roots) > 1:
            return _Node("NP", children=self._roots)
        return self._roots[0] if self._roots else None

    def _read_sign(self, sign: str, at: int) -> None:
        if sign == "(":
            self._open_phrase()
            if not any(self._tokens[word].is_plain for word in self._run):
                self._run.clear()
            self._end_unit(at)
            self._is_opening = True
        elif sign == "*":
            self._run.append(at)
            if self._label and not self._is_opening:
                self._roots.append(_Node(self._label))
            self._open_phrase()
        elif sign == ")":
            self._end_unit(at)
            self._is_opening = False
            node = self._open.pop() if self._open else None
            if node and not self._open:
                self._roots.append(node)
        else:
            self._label += sign

    def _open_phrase(self) -> None:
        """Open the phrase whose label was read, if there is one."""
        if not self._is_opening:
            return
        phrase = _Node(self._label)
        if self._open:
            self._open[-1].children.append(phrase)
        self._open.append(phrase)
        self._label, self._is_opening = "", False

    def _end_unit(self, at: int) -> None:
        """Make a leaf of the words that were read since the last bracket."""
        if not self._run:
            return
        tokens = [self._tokens[word] for word in self._run]
        label = tokens[0].label + " " * (len(tokens) > 1)
        counts = any(token.counts for token in tokens)
        leaf = _Node(label, Unit(tuple(self._run), at), counts)
        siblings = self._open[-1].children if self._open else self._open
        siblings.append(leaf)
        self._run.clear()


def _minimum_nodes(root: _Node) -> list[_Node]:
    """Choose the leaves of the minimum span; none if it is the whole mention."""
    if root.unit and root.counts:
        return [root]
    if direct := _leaves_that_count(root):
        return direct
    admissible = _DECIDING.get(root.kind)
    if admissible is None:
        deciding = [_DECIDING.get(child.kind) for child in root.children]
        is_verbal = _VERBAL in deciding and _NOMINAL not in deciding
        admissible = _VERBAL if is_verbal else _NOMINAL
    tops = [node for node in root.children if node.children and node.kind in admissible]
    if not tops:
        return _nearest_leaves(root, None)
    return [leaf for top in tops for leaf in _nearest_leaves(top, admissible)]


def _leaves_that_count(node: _Node) -> list[_Node]:
    return [child for child in node.children if child.unit and child.counts]


def _nearest_leaves(root: _Node, admissible: frozenset[str] | None) -> list[_Node]:
    """Find the leaves that count at the shallowest depth.

    Until a phrase decides what is admissible, all phrases are searched, but their
    leaves do not count.
    """
    level = [root]
    while level:
        leaves: list[_Node] = []
        below: list[_Node] = []
        for node in level:
            admissible = admissible or _DECIDING.get(node.kind)
            is_admissible = admissible is not None and node.kind in admissible
            if is_admissible and not node.unit:
                leaves += _leaves_that_count(node)
            if not node.unit and (is_admissible or admissible is None or node is root):
                below += [child for child in node.children if not child.unit]
        if leaves:
            return leaves
        level = below
    return []
