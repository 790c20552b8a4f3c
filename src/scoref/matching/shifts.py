"""Offsets that look as if they were counted in another way.

Ends may be exclusive, as in Python's slices, tokens may be counted from 1, or both, in
all documents or in some. Then hardly any mention of the response is one of the key's,
and most would be if their offsets were moved by one or two.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.matching.documents import scored_documents
from scoref.matching.exact import match_exact

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.matching import Matched
    from scoref.matching.documents import Documents
    from scoref.model import Corpus, Ints

    Mask = NDArray[np.bool_]

_QUESTIONS = {
    (0, -1): "are ends exclusive {here}?",
    (0, 1): "are ends exclusive {there}?",
    (-1, -1): "are tokens counted from 1 {here}?",
    (1, 1): "are tokens counted from 1 {there}?",
    (-1, -2): "are tokens counted from 1, and ends exclusive, {here}?",
    (1, 2): "are tokens counted from 1, and ends exclusive, {there}?",
    (-1, 0): "are tokens counted from 1 {here}, and ends exclusive {there}?",
    (1, 0): "are tokens counted from 1 {there}, and ends exclusive {here}?",
}
_FEW, _MANY = 4, 3  # less than a fourth, more than a third
_FEWEST = 3  # mentions of one document that match if they are moved
_SHARE = 0.01  # of all mentions; fewer hardly move a figure
WITHOUT_OFFSETS = frozenset(("entities", "scorch", "maven-ere"))
"""Where mentions are numbers without an order; elsewhere they are offsets."""


class Shift(NamedTuple):
    """How offsets of the response would have to be moved, and in which documents."""

    start: int
    end: int
    documents: Ints
    mentions: int  # of the response, in these documents
    common: int  # of them are the key's
    moved: int  # of them would be

    def question(self, *, here: str, there: str) -> str:
        """Ask what may be the cause, in the response (``here``) or in the key."""
        question = _QUESTIONS[self.start, self.end].format(here=here, there=there)
        return f"with {self._change} {self.moved:,} of them would be: {question}"

    @property
    def _change(self) -> str:
        if self.start == self.end:
            return _steps(self.start)
        parts = ((self.start, "at the start"), (self.end, "at the end"))
        return " and ".join(f"{_steps(by)} {where}" for by, where in parts if by)


def _steps(by: int) -> str:
    return f"{abs(by)} {'more' if by > 0 else 'less'}"


def find_shift(
    key: Corpus, response: Corpus, documents: Documents, matched: Matched | None = None
) -> Shift | None:
    """Find a shift by which many mentions match, in documents where hardly any do.

    ``matched`` is how the two sides match without it, if this is known.
    """
    places = _places(key, documents.key), _places(response, documents.response)
    count = len(documents.names)
    sizes = [np.bincount(place[place >= 0], minlength=count) for place in places]
    matched = matched or match_exact(key, response, documents)
    common = _common(matched, places[1], count)
    is_suspect = _FEW * common < np.minimum(*sizes)
    if not is_suspect.any():
        return None
    is_moved = [(place >= 0) & is_suspect[place] for place in places]
    sides = key.keep_mentions(is_moved[0]), response.keep_mentions(is_moved[1])
    found = []
    for start, end in _QUESTIONS:
        moved = _moved(*sides, documents, start, end)
        is_shifted = is_suspect & _helps(moved, common, sizes[1])
        if _helps(moved.sum(), common.sum(), sizes[1].sum()):
            is_shifted[:] = True
        else:
            # One or two mentions of a document match by chance.
            is_shifted &= moved >= _FEWEST
        where = np.flatnonzero(is_shifted)
        if moved[where].sum() > _SHARE * sizes[1].sum():
            sums = [int(each[where].sum()) for each in (sizes[1], common, moved)]
            found.append(Shift(start, end, where, *sums))
    return max(found, key=lambda shift: shift.moved, default=None)


def _helps(moved: Ints, common: Ints, size: Ints) -> Mask:
    """Tell where many of the mentions match if they are moved, and few do if not."""
    return (_MANY * moved > size) & (moved > _FEW * common)


def _places(side: Corpus, rows: Ints) -> Ints:
    """Number the document of each mention among the scored ones; -1: it is not."""
    return scored_documents(side, rows)[side.mention_document]


def _common(matched: Matched, place: Ints, count: int) -> Ints:
    """Count the response's mentions that are the key's, by document."""
    in_key = np.zeros(matched.mention_count, dtype=np.bool_)
    in_key[matched.key.mention] = True
    rows = matched.response.row[in_key[matched.response.mention]]
    return np.bincount(place[rows], minlength=count)


def _moved(
    key: Corpus, response: Corpus, documents: Documents, start: int, end: int
) -> Ints:
    """Count the mentions that match after a shift, by document."""
    first, last = response.mention_start + start, response.mention_end + end
    is_span = (first >= 0) & (first <= last)
    moved = dataclasses.replace(
        response, mention_start=first, mention_end=last
    ).keep_mentions(is_span)
    place = _places(moved, documents.response)
    return _common(match_exact(key, moved, documents), place, len(documents.names))
