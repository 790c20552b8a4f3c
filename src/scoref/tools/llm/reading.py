"""An answer as pieces of text, and mentions that are ranges of pieces.

Inline notations have text and mentions in one. JSON may bring its own tokens; if not,
its mentions are places in the key's text. Mentions that are given by their words are
looked for in the text: entity by entity, each mention takes the first place behind the
entity's mention before it that no other one has; if there is none, the first such place
anywhere.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.alignment.pieces import Pieces, cut, cut_between, cut_words
from scoref.tools.llm.clusters import find_clusters

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoref.model import Ints
    from scoref.tools.llm.answers import Answer
    from scoref.tools.llm.clusters import Clusters, Place
    from scoref.tools.llm.key_text import KeyDocument
    from scoref.tools.llm.marks import Fault
    from scoref.tools.llm.notations import Notation


class Range(NamedTuple):
    """A mention: from a piece to the one behind its last, and its entity."""

    start: int
    end: int
    label: str


class Reading(NamedTuple):
    """What an answer says; without text of its own, pieces are the key's."""

    text: str
    pieces: Pieces
    mentions: list[Range]
    faults: Sequence[Fault] = ()
    not_found: Sequence[str] = ()
    has_text: bool = True
    is_cut: bool = False


def read_answer(answer: Answer, notation: Notation, document: KeyDocument) -> Reading:
    """Read an answer about a document."""
    with_zeros = bool(document.is_zero.any())
    if notation.read is None:
        found = answer.clusters or find_clusters(answer.text)
        if found is None:
            return Reading(answer.text, cut(answer.text), [])
        return _read_clusters(found, answer.tokens, document)
    text = answer.unfenced()
    marked = notation.read(text)
    left_out = sorted([*marked.markup, *_foreign(text, marked.faults, document)])
    pieces = cut_between(text, left_out, with_zeros=with_zeros)
    ranges = [
        Range(*pieces.within(mention.start, mention.end), mention.label)
        for mention in marked.mentions
    ]
    return Reading(text, pieces, ranges, marked.faults)


def _foreign(
    text: str, faults: Sequence[Fault], document: KeyDocument
) -> list[tuple[int, int]]:
    """Find broken brackets that cannot be the key's own: its text has none."""
    known = set(cut_words(document.words)[0].text) if faults else set()
    return [
        (fault.start, fault.end)
        for fault in faults
        if not known.issuperset(cut(text[fault.start : fault.end]).text)
    ]


def _read_clusters(
    found: Clusters, given: list[str] | None, document: KeyDocument
) -> Reading:
    tokens = found.tokens or given
    if tokens:
        with_zeros = bool(document.is_zero.any())
        pieces, owner = cut_words(tokens, with_zeros=with_zeros)
        has_text = found.tokens is not None
    else:
        key = document.text(zeros_in_place=bool(document.is_zero.any()) or None)
        pieces, owner, tokens = Pieces.alone(key.pieces), key.word, document.words
        has_text = False
    reader = _Places(pieces.text, owner)
    mentions = [
        Range(*place, str(number))
        for number, cluster in enumerate(found.clusters, start=1)
        for place in reader.of(cluster)
    ]
    return Reading(
        " ".join(tokens),
        pieces,
        mentions,
        not_found=reader.not_found,
        has_text=has_text or bool(given),
        is_cut=found.is_cut,
    )


class _Places:
    """Where mentions are in a text, given by offsets or by words."""

    def __init__(self, pieces: list[str], owner: Ints) -> None:
        self._pieces = pieces
        self._owner = owner
        self._count = int(owner.max(initial=-1)) + 1
        self._taken: set[tuple[int, int]] = set()
        self._places: dict[str, list[tuple[int, int]]] = {}
        self._starts: dict[str, list[int]] = {}
        for place, piece in enumerate(pieces):
            self._starts.setdefault(piece, []).append(place)
        self.not_found: list[str] = []

    def of(self, cluster: Sequence[Place]) -> Iterator[tuple[int, int]]:
        """Place the mentions of an entity."""
        before = -1
        for mention in cluster:
            if isinstance(mention, str):
                place = self._found(mention, before)
            else:
                place = self._at(*mention)
            if place is None:
                self.not_found.append(str(mention))
                continue
            before = place[0]
            self._taken.add(place)
            yield place

    def _at(self, start: int, end: int) -> tuple[int, int] | None:
        if not 0 <= start <= end < self._count:
            return None
        first, behind = np.searchsorted(self._owner, [start, end + 1]).tolist()
        return first, behind

    def _found(self, mention: str, before: int) -> tuple[int, int] | None:
        if mention not in self._places:
            self._places[mention] = self._all_of(cut(mention).text)
        places = self._places[mention]
        later = bisect_right(places, (before, len(self._pieces)))
        in_turn = chain(places[later:], places[:later])
        return next((place for place in in_turn if place not in self._taken), None)

    def _all_of(self, wanted: list[str]) -> list[tuple[int, int]]:
        return [
            (start, start + len(wanted))
            for start in self._starts.get(wanted[0] if wanted else "", ())
            if self._pieces[start : start + len(wanted)] == wanted
        ]
