"""Errors of two systems compared: what only one of them gets wrong.

For each kind of error, every mention of the key, and every mention that only a system
has, is wrong in a system if such an error is about it. So each mention is in one of
four groups: wrong in one system only, in the other only, in both, or in neither. Extra
mentions of both systems are the same if their words are.

The number of errors is compared as well. A randomisation test swaps documents between
the two systems, as `compare` does for scores, to see whether the difference is chance.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.statistics.additive import Additive, Strata
from scoref.statistics.bootstrap import randomise
from scoref.statistics.compare import holm
from scoref.statistics.confidence import RESAMPLES, SEED
from scoref.tools.errors.kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref.metrics.base import Floats
    from scoref.model import Ints
    from scoref.tools.errors.findings import Analysis

    Identity = tuple[str, tuple[int, ...]]
    _Tested = tuple[float | None, float | None]

ALL = "all"
_NAMES = (*(kind.name for kind in KINDS), ALL)


class KindOfTwo(NamedTuple):
    """One kind of error, or all of them, in two systems.

    The first four count mentions, ``difference`` errors: the first system's less the
    second one's. ``p`` is that of randomisation, ``adjusted`` after Holm's correction
    for all kinds and pairs that there are. They are None where neither system has such
    an error, or where there are no two documents that both of them have.
    """

    kind: str
    only_first: int
    only_second: int
    both: int
    neither: int
    difference: int
    p: float | None
    adjusted: float | None


class TwoSystems(NamedTuple):
    """Two systems by name, and a row for each kind; the last one is for all."""

    first: str
    second: str
    kinds: tuple[KindOfTwo, ...]


def compare_errors(systems: Mapping[str, Analysis]) -> list[TwoSystems]:
    """Compare each pair of systems by their errors."""
    wrong = _wrong(systems)
    tested = _tested(systems)
    found = []
    for pair in combinations(systems, 2):
        counts = [systems[name].gains.count for name in pair]
        difference = [*(counts[0] - counts[1]), int((counts[0] - counts[1]).sum())]
        rows = zip(_NAMES, _shared(*(wrong[name] for name in pair)), strict=True)
        kinds = [
            KindOfTwo(kind, *shares, int(difference[place]), *tested[pair][place])
            for place, (kind, shares) in enumerate(rows)
        ]
        found.append(TwoSystems(*pair, tuple(kinds)))
    return found


def _shared(one: Ints, other: Ints) -> list[tuple[int, int, int, int]]:
    """Count by kind the mentions in which one, the other, both or none is wrong."""
    found = []
    for bit in (*(1 << kind for kind in range(len(KINDS))), -1):
        ours, theirs = (one & bit) != 0, (other & bit) != 0
        parts = ours & ~theirs, ~ours & theirs, ours & theirs, ~ours & ~theirs
        only_one, only_other, both, neither = (int(part.sum()) for part in parts)
        found.append((only_one, only_other, both, neither))
    return found


def _wrong(systems: Mapping[str, Analysis]) -> dict[str, Ints]:
    """Say of every mention which kinds of errors it is in: a bit for each kind."""
    marked = {name: _marked(analysis) for name, analysis in systems.items()}
    every = dict.fromkeys(each for marks in marked.values() for each in marks)
    return {
        name: np.array([marks.get(each, 0) for each in every], dtype=np.int64)
        for name, marks in marked.items()
    }


def _marked(analysis: Analysis) -> dict[Identity, int]:
    errors = analysis.errors
    sides = (
        (analysis.key, errors.key_mentions),
        (
            analysis.response,
            errors.response_mentions,
        ),
    )
    bits = []
    for side, mentions in sides:
        found = np.zeros(len(side.row), dtype=np.int64)
        bit = np.repeat(1 << errors.kind, np.diff(mentions.start))
        np.bitwise_or.at(found, mentions.member, bit)
        bits.append(found)
    ours, theirs = identities(analysis)
    extra = np.flatnonzero(analysis.response.counterpart < 0).tolist()
    marked = dict(zip(ours, bits[0].tolist(), strict=True))
    return marked | {theirs[place]: int(bits[1][place]) for place in extra}


def identities(analysis: Analysis) -> tuple[list[Identity], list[Identity]]:
    """Name the mentions of both sides in a way that is the same for all systems.

    Those of the key go by their rows, those of a response by what they stand for, or
    else by their words.
    """
    key, response = analysis.key, analysis.response
    places = zip(key.document.tolist(), key.row.tolist(), strict=True)
    ours: list[Identity] = [
        (analysis.documents[document], (row,)) for document, row in places
    ]
    theirs = [
        ours[partner] if partner >= 0 else _by_words(analysis, place)
        for place, partner in enumerate(response.counterpart.tolist())
    ]
    return ours, theirs


def _by_words(analysis: Analysis, place: int) -> Identity:
    side, corpus = analysis.response, analysis.corpora[1]
    row = int(side.row[place])
    sets = corpus.words or corpus.pieces
    if sets is None:
        words = (int(corpus.mention_start[row]), int(corpus.mention_end[row]))
    else:
        start, end = sets.start[row], sets.start[row + 1]
        words = (-1, *sets.member[start:end].tolist())
    return analysis.documents[int(side.document[place])], words


def _tested(systems: Mapping[str, Analysis]) -> dict[tuple[str, str], list[_Tested]]:
    """Swap documents, and see how often errors differ as much in number."""
    counted = {name: _counts(each) for name, each in systems.items()}
    pairs = list(combinations(systems, 2))
    documents = {each.documents for each in counted.values()}
    if len(documents) > 1 or len(documents.pop()) < 2:  # noqa: PLR2004 - no other way
        return dict.fromkeys(pairs, [(None, None)] * len(_NAMES))
    found = randomise(
        {name: Strata((each,)) for name, each in counted.items()}, RESAMPLES, SEED
    )
    asked = [
        (pair, place)
        for pair in pairs
        for place in range(len(_NAMES))
        if any(counted[name].matrix[:, place].any() for name in pair)
    ]
    values = [float(found[pair][place]) for pair, place in asked]
    tests = dict(zip(asked, zip(values, holm(values), strict=True), strict=True))
    return {
        pair: [tests.get((pair, place), (None, None)) for place in range(len(_NAMES))]
        for pair in pairs
    }


def _counts(analysis: Analysis) -> Additive:
    """Count errors by kind, and all of them, in each document or unit of documents."""
    errors, documents = analysis.errors, analysis.result.documents
    counts = errors.counts(analysis.unit[errors.document], len(documents))
    order = sorted(range(len(documents)), key=documents.__getitem__)
    every: Floats = np.column_stack((counts, counts.sum(axis=1))).astype(np.float64)
    names = tuple(documents[row] for row in order)
    return Additive.of_counts(names, _NAMES, every[order])
