"""Parses as coval reads them: the shape of a mention, whatever its words are.

A token of CoNLL-2012 has a piece of its sentence's tree: the phrases that open there, a
star for the word, the phrases that close. coval reads the pieces of a mention's own
tokens, and takes words that no bracket parts for one *unit*, a leaf:

    (TOP(S(NP*   the            the dog        (TOP (S (NP [the dog])))
             *)  dog            dog barked     (NP [dog] (VP [barked]))
         (VP*))) barked

- A unit stands at the token that has the bracket that ends it: its own last word, or,
  before a phrase that opens, the word behind it.
- Before a phrase that opens, words are thrown away if none of them is all letters or
  all digits.
- A unit that begins inside a phrase stands open like a phrase: what opens behind it is
  its child.
- Several roots get an NP above them. What stays open is closed, and what was never
  opened closes nothing.

None of this is in the paper (Moosavi et al., 2019), but published figures rest on it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, groupby
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

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
