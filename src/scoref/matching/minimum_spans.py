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

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from numpy.typing import NDArray

    from scoref.matching import Matched
    from scoref.matching.documents import Documents
    from scoref.model import Corpus, Ints, Parses


class _Units(NamedTuple):
    """Units of mentions: whose they are, where they stand, and their words."""

    mention: Ints
    place: Ints
    length: Ints
    words: tuple[bytes, ...]


def match_minimum(
    key: Corpus, response: Corpus, documents: Documents, parsed: Parsed
) -> Matched:
    """Give mentions with equal minimum spans the same integer."""

    def codes(document: Ints, start: Ints, end: Ints) -> Ints:
        spans = span_codes(document, start, end)
        found = np.flatnonzero(parsed.shape >= 0)
        minimum = _numbers(key, response, parsed, found)
        # Other mentions are numbered behind these.
        spans += minimum.max(initial=-1) + 1
        spans[found] = minimum
        return spans

    return match_by(codes, key, response, documents)


def _numbers(key: Corpus, response: Corpus, parsed: Parsed, mentions: Ints) -> Ints:
    """Number the minimum spans of mentions that have a tree."""
    assert key.parses is not None
    has_units = np.array([bool(shape.units) for shape in parsed.shapes], dtype=np.bool_)
    is_whole = ~has_units[parsed.shape[mentions]]
    found = [
        _units(parsed, mentions[~is_whole], key.parses),
        *_whole(key, response, parsed, mentions[is_whole]),
    ]
    mention, place, length = (
        np.concatenate([units[column] for units in found]) for column in range(3)
    )
    words = numbers_of(word for units in found for word in units.words)
    text, _ = number_rows(in_order(Ragged(_starts(length), words)))
    pair = text * (int(place.max(initial=0)) + 1) + place
    sets = _sets(np.searchsorted(mentions, mention), pair, len(mentions))
    sentence = key.parses.sentence[parsed.places.row[mentions]]
    return number_rows(sets, sentence)[0]


def _units(parsed: Parsed, mentions: Ints, parses: Parses) -> _Units:
    """List the units of minimum spans, with their places in the sentence."""
    units = [unit for shape in parsed.shapes for unit in shape.units]
    of_shape = _starts([len(shape.units) for shape in parsed.shapes])
    taken = Ragged(of_shape, np.arange(len(units))).take(parsed.shape[mentions])
    words = Ragged(
        _starts([len(unit.words) for unit in units]),
        _column(word for unit in units for word in unit.words),
    ).take(taken.value)
    mention = np.repeat(mentions, taken.length)
    row = parsed.places.row[mention]
    place = _column(unit.place for unit in units)[taken.value]
    token = words.value + np.repeat(row, words.length)
    return _Units(
        mention,
        place + row - sentence_starts(parses)[parses.sentence[row]],
        words.length,
        parses.word.texts(token),
    )


def _whole(
    key: Corpus, response: Corpus, parsed: Parsed, mentions: Ints
) -> list[_Units]:
    """List all words of mentions, as their own files have them."""
    assert key.parses is not None
    count = len(key.mention_entity)
    ours, theirs = mentions[mentions < count], mentions[mentions >= count]
    row = parsed.places.row
    if response.parses is None:
        return [_in_file(key.parses, row[mentions], parsed, mentions)]
    document = response.mention_document
    own = (response.parses.first[document] + response.mention_start)[theirs - count]
    word = response.parses.word
    has_words = word.start[own] < word.end[own]
    return [
        _in_file(key.parses, row[ours], parsed, ours),
        _in_file(response.parses, own[has_words], parsed, theirs[has_words]),
        _in_tree(key.parses, parsed, theirs[~has_words]),
    ]


def _in_file(parses: Parses, row: Ints, parsed: Parsed, mentions: Ints) -> _Units:
    """List the words of mentions that begin at these rows of a file."""
    tokens = tokens_of(row, parsed.places.length[mentions])
    return _one_by_one(mentions, tokens, parses)


def _in_tree(parses: Parses, parsed: Parsed, mentions: Ints) -> _Units:
    """List the words of trees, for mentions whose file has rows too short for words."""
    leaves = [parsed.shapes[shape].leaves for shape in parsed.shape[mentions].tolist()]
    length = _column(map(len, leaves))
    row = np.repeat(parsed.places.row[mentions], length)
    tokens = Ragged(_starts(length), row + _column(chain.from_iterable(leaves)))
    return _one_by_one(mentions, tokens, parses)


def _one_by_one(mentions: Ints, tokens: Ragged, parses: Parses) -> _Units:
    """Make a unit of each word, with its place in the mention."""
    length = tokens.length
    return _Units(
        np.repeat(mentions, length),
        np.arange(len(tokens.value)) - np.repeat(tokens.start[:-1], length),
        np.ones_like(tokens.value),
        parses.word.texts(tokens.value),
    )


def _sets(owner: Ints, value: Ints, count: int) -> Ragged:
    """Collect the values of each owner, each once and in order."""
    distinct, number = np.unique(value, return_inverse=True)
    code = np.unique(owner * max(1, len(distinct)) + number)
    owner, number = code // max(1, len(distinct)), code % max(1, len(distinct))
    return Ragged(_starts(np.bincount(owner, minlength=count)), distinct[number])


def _starts(length: Ints | list[int]) -> Ints:
    return np.concatenate(([0], np.cumsum(length))).astype(np.int64)


def _column(values: Iterable[int]) -> Ints:
    return np.fromiter(values, dtype=np.int64)


class TokenPlaces(NamedTuple):
    """Where mentions stand among the tokens of the key; row -1: in no sentence."""

    row: Ints
    length: Ints


class Parsed(NamedTuple):
    """Mentions with their shapes; shape -1: there is no tree."""

    places: TokenPlaces
    shape: Ints
    shapes: tuple[Shape, ...]

    def are_verbal(self) -> NDArray[np.bool_]:
        """Mark the mentions whose root is VP."""
        is_verbal = np.array([*(each.is_verbal for each in self.shapes), False])
        return is_verbal[self.shape]


def in_last_sentences(
    key: Corpus, response: Corpus, documents: Documents
) -> tuple[Corpus, Corpus]:
    """Move mentions that cross sentences to where coval takes them to be.

    That is the last sentence, from the place that the first word has in its own one. If
    this is behind the last word, where coval fails, the mention stays where it is.
    """
    if key.parses is None:
        return key, response
    places = _place_mentions(key, response, documents, key.parses)
    count, moved = len(key.mention_entity), []
    for side, here in ((key, slice(count)), (response, slice(count, None))):
        start = side.mention_end - places.length[here] + 1
        start = np.where(places.row[here] >= 0, start, side.mention_start)
        moved.append(dataclasses.replace(side, mention_start=start))
    return moved[0], moved[1]


def parse_mentions(
    key: Corpus, response: Corpus, documents: Documents, *, wanted_for: str
) -> tuple[Parsed, tuple[Note, ...]]:
    """Read the trees of mentions by the key's parses, and tell what is unsound."""
    parses = key.parses
    assert parses is not None
    places = _place_mentions(key, response, documents, parses)
    there = np.flatnonzero(places.row >= 0)
    sentences = np.unique(parses.sentence[places.row[there]])
    notes = _check(key.source, parses, sentences, wanted_for)
    number, shapes = _shapes(parses, tokens_of(places.row[there], places.length[there]))
    found = np.array([shape is not None for shape in shapes], dtype=np.bool_)
    shape = np.full(len(places.row), -1, dtype=np.int64)
    shape[there] = np.where(found, np.cumsum(found) - 1, -1)[number]
    return Parsed(places, shape, tuple(each for each in shapes if each)), notes


def _place_mentions(
    key: Corpus, response: Corpus, documents: Documents, parses: Parses
) -> TokenPlaces:
    """Find the tokens of mentions in the text of the key."""
    document = np.concatenate(
        [
            scored_documents(side, rows)[side.mention_document]
            for side, rows in ((key, documents.key), (response, documents.response))
        ]
    )
    key_row = np.append(documents.key, -1)[document]
    start = np.concatenate((key.mention_start, response.mention_start))
    end = np.concatenate((key.mention_end, response.mention_end))
    bounds = np.append(parses.first, len(parses.sentence))
    is_there = (key_row >= 0) & (
        bounds[key_row] + end < np.append(bounds, 0)[key_row + 1]
    )
    first = np.where(is_there, bounds[key_row] + start, -1)
    last = np.where(is_there, bounds[key_row] + end, -1)
    sentence = np.append(parses.sentence, -1)
    begin = np.append(sentence_starts(parses), 0)
    first += begin[sentence[last]] - begin[sentence[first]]
    is_there &= first <= last
    return TokenPlaces(
        np.where(is_there, first, -1), np.where(is_there, last - first + 1, 0)
    )


def _check(
    source: str, parses: Parses, sentences: Ints, wanted_for: str
) -> tuple[Note, ...]:
    """Note sentences without a sound parse; refuse a key that has no parse at all."""
    bounds = np.append(sentence_starts(parses), len(parses.sentence))
    ends = bounds[sentences].tolist(), bounds[sentences + 1].tolist()
    pieces = {
        first: parses.piece.texts(slice(first, behind))
        for first, behind in zip(*ends, strict=True)
    }
    found = {first: fault_in(each) for first, each in pieces.items()}
    faults = [(first + each[0], each[1]) for first, each in found.items() if each]
    if not faults:
        return ()
    line, problem = int(parses.line[faults[0][0]]), faults[0][1]
    if not any(b"(" in piece for each in pieces.values() for piece in each):
        raise refusal(problem, source, line, wanted_for)
    sentences_have = "sentence has" if len(faults) == 1 else "sentences have"
    place = place_of(source, line)
    message = (
        f"{len(faults)} {sentences_have} mentions but no sound parse in the key; what "
        f"there is of it is read, as in coval; first at {place}: {problem}"
    )
    return (Note("unsound-parses", len(faults), message),)


def _shapes(parses: Parses, tokens: Ragged) -> tuple[Ints, list[Shape | None]]:
    """Number mentions by what their tokens look like, and read each such tree once."""
    rows, place = np.unique(tokens.value, return_inverse=True)
    texts = (cells.texts(rows) for cells in (parses.piece, parses.word, parses.tag))
    known = [token_of(*each) for each in zip(*texts, strict=True)]
    number, _ = number_rows(in_order(Ragged(tokens.start, numbers_of(known)[place])))
    first = np.unique(number, return_index=True)[1]
    mentions = Ragged(tokens.start, place).take(first)
    return number, [
        shape_of([known[token] for token in mentions.tuple(row)])
        for row in range(len(first))
    ]


def tokens_of(row: Ints, length: Ints) -> Ragged:
    """List the rows of the tokens of each mention."""
    start = np.concatenate(([0], np.cumsum(length)))
    return Ragged(start, np.arange(start[-1]) + np.repeat(row - start[:-1], length))


def sentence_starts(parses: Parses) -> Ints:
    """Find the first token of each sentence."""
    return np.flatnonzero(np.diff(parses.sentence, prepend=-1))


def in_order(rows: Ragged) -> Ragged:
    """Let equal values differ if they have different places in their rows."""
    length = rows.length
    offset = np.arange(len(rows.value)) - np.repeat(rows.start[:-1], length)
    return Ragged(rows.start, rows.value * int(length.max(initial=1)) + offset)


def numbers_of(values: Iterable[Hashable]) -> Ints:
    """Give equal values the same number."""
    known: dict[Hashable, int] = {}
    found = [known.setdefault(value, len(known)) for value in values]
    return np.array(found, dtype=np.int64)


_NOMINAL = frozenset(("NP", "NM", "QP", "NX"))

_VERBAL = frozenset(("VP",))

_DECIDING = {"NP": _NOMINAL, "NM": _NOMINAL, "VP": _VERBAL}

_WEAK_TAGS = frozenset(("CC", "DT", "IN"))

_BRACKETS = frozenset(("-LRB-", "-RRB-"))


class Token(NamedTuple):
    """What coval's rules see of a token."""

    signs: tuple[str, ...]  # brackets and stars of its piece, and letters of labels
    counts: bool
    is_plain: bool  # all letters or all digits
    label: str  # the start of the word, where it reads like a phrase's


class Unit(NamedTuple):
    """Words by their places in the mention, and the place that stands for them."""

    words: tuple[int, ...]
    place: int


class Shape(NamedTuple):
    """What a tree says of a mention.

    Without units, the minimum span is the whole mention. ``leaves`` are the words that
    are in the tree.
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
    """Look at a token of the key.

    >>> token_of(b"(NP-SBJ*", b"the", b"DT")
    Token(signs=('(', 'NPSBJ', '*'), counts=False, is_plain=True, label='')
    """
    text = word.decode("utf-8", "replace")
    has_sound = text == "%" or any(each.isalpha() or each.isdigit() for each in text)
    return Token(
        signs=_signs(piece.decode("utf-8", "replace")),
        counts=has_sound
        and text not in _BRACKETS
        and tag.decode("utf-8", "replace") not in _WEAK_TAGS,
        is_plain=text.isalpha() or text.isdigit(),
        label=text[:3] if text[:2] in _NOMINAL | _VERBAL else "",
    )


@lru_cache(maxsize=1 << 12)
def _signs(piece: str) -> tuple[str, ...]:
    signs = (sign for sign in piece if sign in "(*)" or sign.isalpha())
    groups = groupby(signs, key=str.isalpha)
    found = (["".join(group)] if is_label else group for is_label, group in groups)
    return tuple(chain.from_iterable(found))


def shape_of(tokens: Sequence[Token]) -> Shape | None:
    """Read the tree of a mention; None if there is nothing to read.

    >>> dog = token_of(b"(S(NP*", b"the", b"DT"), token_of(b"*)", b"dog", b"NN")
    >>> shape_of(dog)
    Shape(is_verbal=False, units=(Unit(words=(0, 1), place=1),), leaves=(0, 1))
    """
    root = _Reader(tokens).read()
    if root is None:
        return None
    units = [node.unit for node in _minimum(root) if node.unit]
    return Shape(root.label == "VP", tuple(units), tuple(_leaves(root)))


class _Reader:
    """The pieces of a mention, read sign by sign."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._roots: list[_Node] = []
        self._open: list[_Node] = []
        self._run: list[int] = []
        self._label = ""
        self._is_opening = False

    def read(self) -> _Node | None:
        """Give the root of the tree, if there is one."""
        for at, token in enumerate(self._tokens):
            for sign in token.signs:
                self._take(sign, at)
        self._end_unit(len(self._tokens) - 1)
        self._roots += self._open[:1]
        if len(self._roots) > 1:
            return _Node("NP", children=self._roots)
        return self._roots[0] if self._roots else None

    def _take(self, sign: str, at: int) -> None:
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
            self._close()
        else:
            self._label += sign

    def _open_phrase(self) -> None:
        """Open the phrase whose label was read, if it is one."""
        if not self._is_opening:
            return
        phrase = _Node(self._label)
        if self._open:
            self._open[-1].children.append(phrase)
        self._open.append(phrase)
        self._label, self._is_opening = "", False

    def _close(self) -> None:
        self._is_opening = False
        if self._open:
            node = self._open.pop()
            if not self._open:
                self._roots.append(node)

    def _end_unit(self, at: int) -> None:
        if not self._run:
            return
        tokens = [self._tokens[word] for word in self._run]
        label = tokens[0].label + " " * (len(tokens) > 1)
        counts = any(token.counts for token in tokens)
        leaf = _Node(label, Unit(tuple(self._run), at), counts)
        siblings = self._open[-1].children if self._open else self._open
        siblings.append(leaf)
        self._run.clear()


def _minimum(root: _Node) -> list[_Node]:
    """Choose among the leaves of a tree; none if nothing is found."""
    if root.unit and root.counts:
        return [root]
    if direct := _counting(root):
        return direct
    admissible = _admissible(root)
    tops = [each for each in root.children if each.children and each.kind in admissible]
    if not tops:
        return _nearest(root, None)
    return [leaf for top in tops for leaf in _nearest(top, admissible)]


def _counting(node: _Node) -> list[_Node]:
    return [child for child in node.children if child.unit and child.counts]


def _admissible(root: _Node) -> frozenset[str]:
    if root.kind in _DECIDING:
        return _DECIDING[root.kind]
    deciding = [_DECIDING.get(child.kind) for child in root.children]
    is_verbal = _VERBAL in deciding and _NOMINAL not in deciding
    return _VERBAL if is_verbal else _NOMINAL


def _nearest(root: _Node, admissible: frozenset[str] | None) -> list[_Node]:
    """Find the leaves that count at the shallowest depth.

    Until it is known what is admissible, everything is opened, but no leaf looked at.
    """
    level = [root]
    while level:
        found: list[_Node] = []
        below: list[_Node] = []
        for node in level:
            admissible = admissible or _DECIDING.get(node.kind)
            is_admissible = admissible is not None and node.kind in admissible
            if is_admissible:
                found += [] if node.unit else _counting(node)
            if is_admissible or admissible is None or node is root:
                below += [] if node.unit else _phrases(node)
        if found:
            return found
        level = below
    return []


def _phrases(node: _Node) -> list[_Node]:
    return [child for child in node.children if not child.unit]


def _leaves(node: _Node) -> list[int]:
    """List the words of a tree; what stands under a leaf is passed over."""
    found: list[int] = []
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if node.unit:
            found += node.unit.words
        else:
            waiting += reversed(node.children)
    return found
