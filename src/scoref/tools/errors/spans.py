"""Span errors: mentions of the key that the response has with other words.

A key mention and a response mention that were not matched, but have words in common,
may belong together. A rule decides when:

    head      each of the two contains the other's head, which is known if CorefUD
              names it or has trees, or if a CoNLL-2012 key has parses
    share     they have enough words in common: at least half of both, by default
              (Dice's coefficient, twice the common words by the words of both)
    overlap   they have a word in common

Heads, if there are any, are the better evidence: *Czechoslovakia* overlaps with
*a 1977 agreement with Czechoslovakia*, but it is another thing and not a wrong span.
Pairs are chosen one to one, those with the largest Dice's coefficient first, and equal
ones in the order of the text.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import FormatError, OptionError
from scoref.matching.ragged import Ragged, Runs, count_shared, find_overlaps
from scoref.model.arrays import are_among, distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.model import Corpus, Ints
    from scoref.tools.errors.mentions import Matching, Mentions


HEAD, SHARE, OVERLAP = "head", "share", "overlap"

RULES = (HEAD, SHARE, OVERLAP)

_HALF = 0.5

_OUTSIDE = -1

_OPTION = "--span-errors head"


class SpanRule(NamedTuple):
    """A rule, and the smallest share of words that two mentions have in common."""

    name: str
    floor: float = 0.0

    @classmethod
    def of(cls, text: str) -> SpanRule:
        """Parse a rule.

        >>> SpanRule.of("share:0.6"), SpanRule.of("head")
        (SpanRule(name='share', floor=0.6), SpanRule(name='head', floor=0.0))
        """
        name, colon, number = text.partition(":")
        if name in RULES and not colon:
            return cls(name, _HALF if name == SHARE else 0.0)
        try:
            floor = float(number)
        except ValueError:
            floor = math.nan
        if name == SHARE and 0 < floor <= 1:
            return cls(name, floor)
        raise OptionError(
            f"unknown rule for span errors '{text}'. Choose head, overlap, share, or "
            "share:N with N above 0 and at most 1"
        )

    def __str__(self) -> str:
        """Write the rule so that it can be parsed."""
        return f"{SHARE}:{self.floor:g}" if self.name == SHARE else self.name

    @property
    def meaning(self) -> str:
        """When two mentions with different words are the same."""
        if self.name == HEAD:
            return "each mention contains the other's head (--span-errors head)."
        if self.name == OVERLAP:
            return "the mentions share a word (--span-errors overlap)."
        share = f"{100 * self.floor:g} % of their words"
        return f"the mentions share at least {share} (--span-errors {self})."


def rule_of(text: str | None) -> SpanRule | None:
    """Parse a rule, if there is one."""
    return None if text is None else SpanRule.of(text)


def choose_rule(
    matching: Matching, corpora: tuple[Corpus, Corpus], wanted: SpanRule | None
) -> tuple[Mentions, Mentions, SpanRule]:
    """Choose the rule by which spans are paired, and find heads if it needs them.

    Heads decide if there are any, unless another rule is wanted.
    """
    ours, theirs = matching.key, matching.response
    if wanted is not None and wanted.name != HEAD:
        return ours, theirs, wanted
    if all(
        corpus.words is not None
        and not corpus.words.by_document
        and corpus.words.names_heads
        for corpus in corpora
    ):
        return ours, theirs, SpanRule(HEAD)
    if ours.words is None and corpora[0].parses is not None:
        try:
            return *_with_heads(matching, corpora[0]), SpanRule(HEAD)
        except FormatError:
            # A damaged parse has no heads. That is an error only if they are wanted.
            if wanted is not None:
                raise
    if wanted is not None:
        raise OptionError(
            f"{_OPTION} needs heads: CorefUD files with heads or trees, or a "
            "CoNLL-2012 key with parses"
        )
    return ours, theirs, SpanRule(SHARE, _HALF)


def _with_heads(matching: Matching, key: Corpus) -> tuple[Mentions, Mentions]:
    """Give mentions without a partner their heads, by the key's parse."""
    from scoref.matching.parse_trees import Trees, head_word  # few keys have parses

    trees = Trees(key, wanted_for=_OPTION)
    row = {document.name: row for row, document in enumerate(key.documents)}
    document = [row.get(name, _OUTSIDE) for name in matching.documents]

    def heads(side: Mentions) -> Mentions:
        head = np.full(len(side.row), _OUTSIDE, dtype=np.int64)
        for place in np.flatnonzero(side.partner < 0).tolist():
            span = int(side.first[place]), int(side.last[place])
            word = head_word(trees, document[int(side.document[place])], *span)
            head[place] = _OUTSIDE if word is None else word
        return side._replace(head=head)

    return heads(matching.key), heads(matching.response)


class SpanPairs(NamedTuple):
    """Mentions that should have been matched, and where their words differ.

    ``left`` and ``right`` are words that the response has too many (above 0) or too few
    (below). ``inside`` are words in between that only one of the two has.
    """

    key: Ints
    response: Ints
    left: Ints
    right: Ints
    inside: Ints


def pair_overlapping(key: Mentions, response: Mentions, rule: SpanRule) -> SpanPairs:
    """Pair mentions without a partner by a rule."""
    free = np.flatnonzero(key.partner < 0), np.flatnonzero(response.partner < 0)
    if key.words is None or response.words is None:
        ours, theirs, count = _common_tokens(key, response, free)
    else:
        sets = key.words.take(free[0]), response.words.take(free[1])
        ours, theirs, count = count_shared(*sets)
    ours, theirs = free[0][ours], free[1][theirs]
    share = 2 * count / (key.length[ours] + response.length[theirs])
    is_pair = share >= rule.floor
    if rule.name == HEAD:
        is_pair = _share_heads(key, response, ours, theirs)
    pairs = np.flatnonzero(is_pair)
    pairs = pairs[np.lexsort((theirs[pairs], ours[pairs], -share[pairs]))]
    pairs = pairs[one_to_one(ours[pairs], theirs[pairs])]
    pairs = pairs[np.argsort(ours[pairs])]
    ours, theirs, count = ours[pairs], theirs[pairs], count[pairs]
    left, right = _edges(key, response, ours, theirs)
    differing = key.length[ours] + response.length[theirs] - 2 * count
    inside = differing - np.abs(left) - np.abs(right)
    return SpanPairs(ours, theirs, left, right, inside)


_AT_ONCE = 1 << 12
"""How many pairs are filtered at once before they are considered one by one."""


def one_to_one(ours: Ints, theirs: Ints) -> Ints:
    """Choose pairs in their order, so that each mention is in one pair at most.

    >>> one_to_one(np.array([0, 0, 1]), np.array([5, 6, 5])).tolist()
    [0]
    >>> one_to_one(np.array([0, 0, 1]), np.array([5, 6, 6])).tolist()
    [0, 2]
    """
    is_taken = [
        np.zeros(int(end.max(initial=-1)) + 1, np.bool_) for end in (ours, theirs)
    ]
    chosen: list[int] = []
    for start in range(0, len(ours), _AT_ONCE):
        some = slice(start, start + _AT_ONCE)
        is_free = ~is_taken[0][ours[some]] & ~is_taken[1][theirs[some]]
        for place in (start + np.flatnonzero(is_free)).tolist():
            one, other = ours[place], theirs[place]
            if not is_taken[0][one] and not is_taken[1][other]:
                is_taken[0][one] = is_taken[1][other] = True
                chosen.append(place)
    return np.array(chosen, dtype=np.int64)


def _common_tokens(
    key: Mentions, response: Mentions, free: tuple[Ints, Ints]
) -> tuple[Ints, Ints, Ints]:
    """Return the pairs of spans with common tokens, and how many these are."""
    sides = [
        (side.document[rows], side.first[rows], side.last[rows])
        for side, rows in zip((key, response), free, strict=True)
    ]
    # Offsets may be huge, but a code of document and rank fits into an integer.
    known = distinct(np.concatenate([ends for side in sides for ends in side[1:]]))
    runs = []
    for side in sides:
        first, last = (
            side[0] * len(known) + np.searchsorted(known, place) for place in side[1:]
        )
        runs.append(Runs(np.arange(len(first)), first, last))
    ours, theirs, _ = find_overlaps(*runs)
    last = np.minimum(sides[0][2][ours], sides[1][2][theirs])
    first = np.maximum(sides[0][1][ours], sides[1][1][theirs])
    return ours, theirs, last - first + 1


def _share_heads(
    key: Mentions, response: Mentions, ours: Ints, theirs: Ints
) -> NDArray[np.bool_]:
    """Return which pairs contain each other's heads."""
    assert key.head is not None
    assert response.head is not None
    if key.words is None or response.words is None:
        return _is_inside(key, ours, response.head[theirs]) & _is_inside(
            response, theirs, key.head[ours]
        )
    return _have(key.words, response.head, ours, theirs) & _have(
        response.words, key.head, theirs, ours
    )


def _is_inside(mentions: Mentions, rows: Ints, word: Ints) -> NDArray[np.bool_]:
    return (mentions.first[rows] <= word) & (word <= mentions.last[rows])


def _have(words: Ragged, head: Ints, ours: Ints, theirs: Ints) -> NDArray[np.bool_]:
    """Return which mentions contain the head of the other mention of the pair."""
    width = np.int64(max(1, len(head)))
    row, other, _ = count_shared(words, Ragged(np.arange(len(head) + 1), head))
    return are_among(ours * width + theirs, row * width + other)


def _edges(
    key: Mentions, response: Mentions, ours: Ints, theirs: Ints
) -> tuple[Ints, Ints]:
    """Count the words too many or too few on the left and on the right."""
    if key.words is None or response.words is None:
        left = key.first[ours] - response.first[theirs]
        return left, response.last[theirs] - key.last[ours]
    mine, other = key.words.take(ours), response.words.take(theirs)
    ends = key.first[ours], key.last[ours]
    other_ends = response.first[theirs], response.last[theirs]
    more, fewer = _outside(other, *ends), _outside(mine, *other_ends)
    return more[0] - fewer[0], more[1] - fewer[1]


def _outside(words: Ragged, first: Ints, last: Ints) -> tuple[Ints, Ints]:
    """Count words before the first and after the last word of the other mention."""
    owner, rows = words.owner(), len(first)
    before = words.value < first[owner]
    after = words.value > last[owner]
    return (
        np.bincount(owner[before], minlength=rows),
        np.bincount(owner[after], minlength=rows),
    )
