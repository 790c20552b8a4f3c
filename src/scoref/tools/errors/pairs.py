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

from scoref.statistics.additive import Additive, Strata, SystemRuns
from scoref.statistics.bootstrap import randomise
from scoref.statistics.compare import holm
from scoref.statistics.confidence import RESAMPLES, SEED
from scoref.tools.errors.kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref.metrics.base import Floats
    from scoref.model import Ints
    from scoref.tools.errors.findings import Analysis
    from scoref.tools.errors.repairs import Mask

    Identity = tuple[str, tuple[int, ...]]
    _PValues = tuple[float | None, float | None]

ALL = "all"
_NAMES = (*(kind.name for kind in KINDS), ALL)


class KindOfTwo(NamedTuple):
    """One kind of error, or all of them, in two systems.

    The first four columns count mentions. ``difference`` is the number of errors of the
    first system less that of the second one. ``p`` is the p-value of the randomisation
    test, ``adjusted`` is corrected by Holm's method for all kinds and pairs. Both are
    None if neither system has such an error, or if there are fewer than two documents
    that both systems have.
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
    kinds_of = _kinds_by_mention(systems)
    p_values = _p_values(systems)
    comparisons = []
    for pair in combinations(systems, 2):
        counts = [systems[name].gains.count for name in pair]
        difference = [*(counts[0] - counts[1]), int((counts[0] - counts[1]).sum())]
        rows = []
        for place, kind in enumerate(_NAMES):
            bit = -1 if kind == ALL else 1 << place
            ours, theirs = ((kinds_of[name] & bit) != 0 for name in pair)
            rows.append(
                KindOfTwo(
                    kind,
                    int((ours & ~theirs).sum()),
                    int((~ours & theirs).sum()),
                    int((ours & theirs).sum()),
                    int((~ours & ~theirs).sum()),
                    int(difference[place]),
                    *p_values[pair][place],
                )
            )
        comparisons.append(TwoSystems(*pair, tuple(rows)))
    return comparisons


def _kinds_by_mention(systems: Mapping[str, Analysis]) -> dict[str, Ints]:
    """Return the kinds of errors of every mention: a bit for each kind.

    The mentions are the same for all systems: those of the key, and all extra ones.
    """
    bits = {name: _kind_bits(analysis) for name, analysis in systems.items()}
    mentions = dict.fromkeys(mention for marks in bits.values() for mention in marks)
    return {
        name: np.array([marks.get(mention, 0) for mention in mentions], dtype=np.int64)
        for name, marks in bits.items()
    }


def _kind_bits(analysis: Analysis) -> dict[Identity, int]:
    """Return the kinds of errors of the key's and the extra mentions, as bits."""
    errors = analysis.errors
    key, response = (
        np.zeros(len(side.row), dtype=np.int64)
        for side in (analysis.key, analysis.response)
    )
    sets = (key, errors.key_mentions), (response, errors.response_mentions)
    for bits, mentions in sets:
        bit = np.repeat(1 << errors.kind, np.diff(mentions.start))
        np.bitwise_or.at(bits, mentions.member, bit)
    ours, theirs = identities(analysis)
    extra = np.flatnonzero(analysis.response.counterpart < 0).tolist()
    return dict(zip(ours, key.tolist(), strict=True)) | {
        theirs[place]: int(response[place]) for place in extra
    }


def identities(analysis: Analysis) -> tuple[list[Identity], list[Identity]]:
    """Identify the mentions of both sides in a way that is the same for all systems.

    Mentions of the key are identified by their rows, those of a response by their
    counterparts in the key, or else by their words.
    """
    key, response = analysis.key, analysis.response
    places = zip(key.document.tolist(), key.row.tolist(), strict=True)
    ours: list[Identity] = [
        (analysis.documents[document], (row,)) for document, row in places
    ]
    theirs = [
        ours[partner] if partner >= 0 else _word_identity(analysis, place)
        for place, partner in enumerate(response.counterpart.tolist())
    ]
    return ours, theirs


def first_identities(analysis: Analysis) -> list[Identity]:
    """Identify the first mention of each error, the key's if it has any."""
    errors = analysis.errors
    ours, theirs = identities(analysis)
    columns = (errors.key_mentions.start, errors.response_mentions.start)
    starts = zip(*(column.tolist() for column in columns), strict=True)
    key, response = (
        mentions.member.tolist()
        for mentions in (errors.key_mentions, errors.response_mentions)
    )
    ends = errors.key_mentions.start[1:].tolist()
    return [
        ours[key[start]] if start < end else theirs[response[other]]
        for (start, other), end in zip(starts, ends, strict=False)
    ]


def wrong_mentions(analysis: Analysis) -> set[Identity]:
    """Identify every mention that an error is about."""
    errors = analysis.errors
    sets = errors.key_mentions, errors.response_mentions
    return {
        names[mention]
        for names, mentions in zip(identities(analysis), sets, strict=True)
        for mention in set(mentions.member.tolist())
    }


def wrong_only_here(analysis: Analysis, other: Analysis) -> Mask:
    """Return which errors are about a mention that another system has right."""
    wrong = wrong_mentions(other)
    is_shared = [mention in wrong for mention in first_identities(analysis)]
    return ~np.array(is_shared, dtype=np.bool_)


def _word_identity(analysis: Analysis, place: int) -> Identity:
    """Identify an extra mention of the response by its document and words."""
    side, corpus = analysis.response, analysis._corpora[1]
    row = int(side.row[place])
    sets = corpus.words or corpus.pieces
    if sets is None:
        words = (int(corpus.mention_start[row]), int(corpus.mention_end[row]))
    else:
        start, end = sets.start[row], sets.start[row + 1]
        words = (-1, *sets.member[start:end].tolist())
    return analysis.documents[int(side.document[place])], words


def _p_values(systems: Mapping[str, Analysis]) -> dict[tuple[str, str], list[_PValues]]:
    """Swap documents, and see how often the numbers of errors differ as much."""
    counts = {name: _error_counts(analysis) for name, analysis in systems.items()}
    pairs = list(combinations(systems, 2))
    documents = {matrix.documents for matrix in counts.values()}
    if len(documents) > 1 or len(documents.pop()) <= 1:
        return dict.fromkeys(pairs, [(None, None)] * len(_NAMES))
    strata = {name: SystemRuns((Strata((matrix,)),)) for name, matrix in counts.items()}
    p = randomise(strata, RESAMPLES, SEED)
    tests = [
        (pair, place)
        for pair in pairs
        for place in range(len(_NAMES))
        if any(counts[name].matrix[:, place].any() for name in pair)
    ]
    values = [float(p[pair][place]) for pair, place in tests]
    adjusted = dict(zip(tests, zip(values, holm(values), strict=True), strict=True))
    return {
        pair: [
            adjusted.get((pair, place), (None, None)) for place in range(len(_NAMES))
        ]
        for pair in pairs
    }


def _error_counts(analysis: Analysis) -> Additive:
    """Count errors by kind, and all of them, in each document or unit of documents."""
    errors, documents = analysis.errors, analysis.result.documents
    counts = errors.counts(analysis._unit[errors.document], len(documents))
    order = sorted(range(len(documents)), key=documents.__getitem__)
    every: Floats = np.column_stack((counts, counts.sum(axis=1))).astype(np.float64)
    names = tuple(documents[row] for row in order)
    return Additive.of_counts(names, _NAMES, every[order])
