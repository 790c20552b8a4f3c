"""The Rand index, ARI and Fowlkes–Mallows: pairs of mentions on which both sides agree.

They compare two partitions of one set, so mentions that only one side has are left out.
With n the common mentions that clusters with a and b of them share, N in all:

    rand             pairs on which both agree ÷ C(N, 2)
    ari              the same, adjusted for chance (Hubert and Arabie, 1985)
    fowlkes-mallows  Σ C(n, 2) ÷ √(Σ C(a, 2) · Σ C(b, 2))

If there is nothing to distinguish, as with one common mention, they are 1 as in
scikit-learn (and Fowlkes–Mallows is 0 without a pair). Without a common mention they
are undefined.
"""

from __future__ import annotations

from math import comb, sqrt
from typing import TYPE_CHECKING

from scoref.contingency import pairs
from scoref.contingency.partition import commons, partition
from scoref.lazy import np
from scoref.metrics.base import Laws, Metric, one_number

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats, Scoring


_COLUMNS = ("links_in_both", "links_in_key", "links_in_response", "common_mentions")
_COMMON = 3


def _count(table: Contingency) -> Floats:
    table = partition(table)
    key, response = commons(table)
    return np.column_stack(
        (
            table.sum_cells(pairs(table.overlap)),
            table.sum_key(pairs(key)),
            table.sum_response(pairs(response)),
            table.sum_key(key),
        )
    )


def _rand(both: int, key: int, response: int, mentions: int) -> float:
    total = comb(mentions, 2)
    return (total - key - response + 2 * both) / total if total else 1.0


def _adjusted_rand(both: int, key: int, response: int, mentions: int) -> float:
    total = comb(mentions, 2)
    beyond_chance = 2 * (both * total - key * response)
    possible = (key + response) * total - 2 * key * response
    return beyond_chance / possible if possible else 1.0


def _fowlkes_mallows(both: int, key: int, response: int, _: int) -> float:
    return both / sqrt(key * response) if key and response else 0.0


def _score_by(index: Callable[[int, int, int, int], float]) -> Scoring:
    """Return a function that scores by an index, in integers, which are exact."""

    def score(counts: Floats, undefined: float = 0.0) -> Floats:
        def one(*counts: float) -> float:
            return index(*map(round, counts)) if counts[_COMMON] else undefined

        values = np.frompyfunc(one, 4, 1)(*np.moveaxis(counts, -1, 0))
        return one_number(np.asarray(values, dtype=np.float64))

    return score


METRICS = tuple(
    Metric(
        name=name,
        label=label,
        asks=asks,
        reference=reference,
        page="clusterings",
        place=place,
        usual="tables" if name == "ari" else "never",
        count=_count,
        score=_score_by(index),
        columns=_COLUMNS,
        denominators=(_COMMON,),
        scale="number",
        laws=Laws(lowest=-1.0 if name == "ari" else 0.0),
    )
    for place, (name, label, asks, reference, index) in enumerate(
        (
            (
                "rand",
                "Rand index",
                "pairs on which both sides agree",
                "Rand (1971)",
                _rand,
            ),
            (
                "ari",
                "Adjusted Rand index",
                "Rand index, corrected for chance",
                "Hubert and Arabie (1985)",
                _adjusted_rand,
            ),
            (
                "fowlkes-mallows",
                "Fowlkes–Mallows",
                "geometric mean of pairwise precision and recall",
                "Fowlkes and Mallows (1983)",
                _fowlkes_mallows,
            ),
        ),
        start=600,
    )
)
