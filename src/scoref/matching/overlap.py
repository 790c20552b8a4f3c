"""Matching of mentions that overlap: ``match:overlap``.

Equal mentions are matched before. Of the rest, two mentions may match if the words that
they share, divided by the words that are in at least one of them, are at least the
threshold. Matches are one to one and have the highest sum of these ratios. If several
choices have the same sum, the first mention of the key gets the earliest response
mention that it has in any of them, then the second one, and so on.

Only mentions that overlap are compared. Those that may match form small groups, and
each group is solved by shortest augmenting paths. Sums are integers, so that ties are
ties: ratios are multiplied by the least common multiple of their denominators.
"""

from __future__ import annotations

from collections import defaultdict
from heapq import heappop, heappush
from math import lcm
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import OptionError, TooLargeError
from scoref.matching.documents import scored_documents
from scoref.matching.duplicates import first_listed
from scoref.matching.ragged import Ragged, Runs, count_common
from scoref.matching.spans import WITHOUT_OFFSETS, side_of
from scoref.model import EMPTY
from scoref.model.arrays import bounds, runs, starts
from scoref.scheme import as_typed, overlap_threshold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.matching import Matched, Side
    from scoref.matching.documents import Documents
    from scoref.model import Corpus, Ints
    from scoref.model.arrays import Mask
    from scoref.scheme import Scheme

    Threshold = tuple[int, int]


def match_overlapping(
    matched: Matched,
    corpora: tuple[Corpus, Corpus],
    documents: Documents,
    scheme: Scheme,
) -> Matched:
    """Give response spans the number of the key span that they overlap.

    ``matched`` has equal spans with equal numbers; these stay as they are.
    """
    threshold = overlap_threshold(scheme.match)
    assert threshold is not None
    for corpus in corpora:
        if corpus.format in WITHOUT_OFFSETS:
            raise OptionError(
                f"{as_typed('match', scheme.match)} needs mentions with spans, which "
                f"{corpus.source} ({corpus.format}) does not have"
            )
    sides = matched.key, matched.response
    is_free = np.ones(matched.mention_count, dtype=np.bool_)
    is_free[np.intersect1d(sides[0].mention, sides[1].mention)] = False
    scored = documents.key, documents.response
    spans = [
        _Spans.of(side, corpus, scored_documents(corpus, rows), is_free)
        for side, corpus, rows in zip(sides, corpora, scored, strict=True)
    ]
    offset = _document_offsets(spans, len(documents.names))
    one, other = (each.runs(offset) for each in spans)
    ours, theirs, shared = count_common(one, other)
    if scheme.identity is not None:
        is_alike = _have_same_labels(scheme.identity, corpora, spans, ours, theirs)
        ours, theirs, shared = ours[is_alike], theirs[is_alike], shared[is_alike]
    union = spans[0].size[ours] + spans[1].size[theirs] - shared
    row, partner = _best_pairs(ours, theirs, shared, union, threshold)
    number = np.arange(matched.mention_count)
    number[spans[1].number[partner]] = spans[0].number[row]
    response = sides[1]._replace(mention=number[sides[1].mention])
    return matched._replace(response=response)


class _Spans(NamedTuple):
    """Distinct mentions of one side in the order of the text, and their pieces."""

    number: Ints
    row: Ints
    document: Ints
    size: Ints  # in words
    pieces: Runs  # counted by document

    @classmethod
    def of(cls, side: Side, corpus: Corpus, document: Ints, is_free: Mask) -> _Spans:
        """Take the mentions that are free and have a place in the text."""
        kept = is_free[side.mention] & first_listed(side)
        kept &= ~corpus.is_unplaced[side.row]
        row, number = side.row[kept], side.mention[kept]
        place = document[corpus.mention_document[row]]
        keys = corpus.mention_end[row], corpus.mention_start[row], place
        order = np.lexsort((row, *keys))
        row, number, place = row[order], number[order], place[order]
        pieces = _pieces(corpus, row)
        length = pieces.last - pieces.first + 1
        size = np.bincount(pieces.owner, length, len(row)).astype(np.int64)
        return cls(number, row, place, size, pieces)

    def runs(self, offset: Ints) -> Runs:
        """Count the words of all documents in one sequence."""
        owner, first, last = self.pieces
        shift = offset[self.document[owner]]
        return Runs(owner, first + shift, last + shift)


def _pieces(corpus: Corpus, row: Ints) -> Runs:
    """Return the runs of tokens of some mentions; a mention without tokens has none."""
    if corpus.pieces is None:
        first, last = corpus.mention_start[row], corpus.mention_end[row]
        owner = np.flatnonzero(last >= first)
        return Runs(owner, first[owner], last[owner])
    start, token = corpus.pieces.take(row)
    owner = np.repeat(np.arange(len(row)), np.diff(start))
    first, length = runs(token - np.arange(len(token)), owner)
    return Runs(owner[first], token[first], token[first + length - 1])


_MOST = 2**62


def _document_offsets(spans: Sequence[_Spans], count: int) -> Ints:
    """Return numbers of first words such that documents have no word in common."""
    size = np.zeros(count, dtype=np.int64)
    for side in spans:
        owner, _, last = side.pieces
        np.maximum.at(size, side.document[owner], last + 1)
    if sum(size.tolist()) > _MOST:
        raise TooLargeError("offsets of mentions are too large to compare overlaps")
    return starts(size)


def _have_same_labels(
    identity: str,
    corpora: tuple[Corpus, Corpus],
    spans: Sequence[_Spans],
    ours: Ints,
    theirs: Ints,
) -> Mask:
    """Mark pairs of mentions with the same types or ids, as the scheme requires."""
    is_same = np.ones(len(ours), dtype=np.bool_)
    for part in identity.split("+")[1:]:
        labels = [
            np.array(side_of(part, corpus) or (), dtype=object)[side.row]
            for corpus, side in zip(corpora, spans, strict=True)
        ]
        is_same &= (labels[0][ours] == labels[1][theirs]).astype(np.bool_)
    return is_same


def pair_word_sets(
    one: Ragged, other: Ragged, threshold: Threshold
) -> tuple[Ints, Ints]:
    """Match sets of words that overlap; empty nodes are not words.

    The sets are in the order of the text. Returns rows of both sides.
    """
    one, other = _without_empty_nodes(one), _without_empty_nodes(other)
    ours, theirs, shared = count_common(Runs.of(one), Runs.of(other))
    union = one.length[ours] + other.length[theirs] - shared
    return _best_pairs(ours, theirs, shared, union, threshold)


def _without_empty_nodes(sets: Ragged) -> Ragged:
    is_word = sets.value & EMPTY == 0
    length = np.bincount(sets.owner()[is_word], minlength=len(sets.start) - 1)
    return Ragged(bounds(length), sets.value[is_word])


def _best_pairs(
    ours: Ints, theirs: Ints, shared: Ints, union: Ints, threshold: Threshold
) -> tuple[Ints, Ints]:
    """Choose pairs one to one with the highest sum of shared ÷ union."""
    numerator, denominator = threshold
    kept = shared * denominator >= numerator * union
    ours, theirs, shared, union = ours[kept], theirs[kept], shared[kept], union[kept]
    # Nearly all pairs have no rival.
    is_lone = (np.bincount(ours)[ours] == 1) & (np.bincount(theirs)[theirs] == 1)
    chosen = [np.flatnonzero(is_lone)]
    rest = np.flatnonzero(~is_lone)
    for group in _groups(ours[rest].tolist(), theirs[rest].tolist()):
        edges = rest[group]
        columns = (column[edges].tolist() for column in (ours, theirs, shared, union))
        pairs = [_Pair(*pair) for pair in zip(*columns, strict=True)]
        chosen.append(edges[_solve(pairs)])
    edges = np.sort(np.concatenate(chosen))
    return ours[edges], theirs[edges]


class _Pair(NamedTuple):
    """Two mentions that may match; their ratio is shared ÷ union."""

    key: int
    response: int
    shared: int
    union: int


def _groups(ours: list[int], theirs: list[int]) -> list[list[int]]:
    """Group pairs that are connected by a common mention."""
    root: dict[int, int] = {}

    def find(node: int) -> int:
        while (above := root.setdefault(node, node)) != node:
            root[node] = root[above]
            node = above
        return node

    for row, column in zip(ours, theirs, strict=True):
        root[find(row)] = find(~column)
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for place, row in enumerate(ours):
        groups[find(row)].append(place)
    return list(groups.values())


_LARGEST = 20_000


def _solve(pairs: list[_Pair]) -> list[int]:
    """Return the places of the best pairs of a group."""
    choices: defaultdict[int, list[int]] = defaultdict(list)
    for place in sorted(range(len(pairs)), key=lambda place: pairs[place][:2]):
        choices[pairs[place].key].append(place)
    if len(choices) > _LARGEST:
        raise TooLargeError(
            f"{len(choices):,} mentions of the key overlap in one group, which is too "
            "many to match"
        )
    # A number with a digit for each mention of the key orders equal sums. The digit is
    # higher for an earlier response mention, and 0 for none.
    bonus, scale = [0] * len(pairs), 1
    for places in reversed(choices.values()):
        for rank, place in enumerate(places):
            bonus[place] = (len(places) - rank) * scale
        scale *= len(places) + 1
    whole = lcm(*(pair.union for pair in pairs))
    weights: list[dict[int, int]] = []
    place_of = {}
    for row, places in enumerate(choices.values()):
        weights.append({})
        for place in places:
            pair = pairs[place]
            ratio = pair.shared * (whole // pair.union)
            weights[row][pair.response] = ratio * scale + bonus[place]
            place_of[row, pair.response] = place
    matching = _heaviest_matching(weights)
    return [place_of[pair] for pair in matching]


def _heaviest_matching(weights: list[dict[int, int]]) -> list[tuple[int, int]]:
    """Match rows to columns with the highest sum of weights, which are positive.

    Each row also has a column of its own with weight 0, which means no match.
    """
    row_potential = [0] * len(weights)
    column_potential: defaultdict[int, int] = defaultdict(int)
    column_of: dict[int, int] = {}
    row_of: dict[int, int] = {}
    for root in range(len(weights)):
        row, base = root, 0
        queue: list[tuple[int, int]] = []
        distance: dict[int, int] = {}
        reached_from: dict[int, int] = {}
        visited: dict[int, int] = {}
        while True:
            for column, weight in (*weights[row].items(), (~row, 0)):
                length = base - weight - row_potential[row] - column_potential[column]
                is_nearer = column not in distance or length < distance[column]
                if column not in visited and is_nearer:
                    distance[column], reached_from[column] = length, row
                    heappush(queue, (length, column))
            base, column = heappop(queue)
            while column in visited:
                base, column = heappop(queue)
            visited[column] = base
            if column not in row_of:
                break
            row = row_of[column]
        row_potential[root] += base
        for passed, length in visited.items():
            if passed in row_of:
                row_potential[row_of[passed]] += base - length
                column_potential[passed] -= base - length
        while True:
            row = reached_from[column]
            before = column_of.get(row)
            row_of[column], column_of[row] = row, column
            if row == root:
                break
            assert before is not None
            column = before
    return [(row, column) for row, column in column_of.items() if column >= 0]
