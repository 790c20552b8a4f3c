"""Metrics made of entropies: how much one clustering says about the other.

They compare two partitions of one set, so mentions that only one side has are left out.
With n the common mentions that clusters with a and b of them share, N in all:

    homogeneity    1 − H(key | response) / H(key)
    completeness   1 − H(response | key) / H(response)
    v-measure      their harmonic mean (Rosenberg and Hirschberg, 2007)
    nmi            mutual information by the mean of both entropies: equals v-measure
    vi             H(key | response) + H(response | key), in nats (Meilă, 2003)
    ami            mutual information adjusted for chance (Vinh, Epps and Bailey, 2010)

N · H(key) is Σ a log(N / a), and N · H(key | response) is Σ n log(b / n). The latter
adds up over documents, and is exactly 0 if the response determines the key. For the
former, each document counts its own Σ a log(N / a) and its N log N: a sum of documents
exceeds the sum of theirs by N log N less the sum of these.

For ami, let U be the mean of Σ n log(b/n) and Σ n log(a/n), and E the mean of U over
all ways to assign clusters of the same sizes to the same mentions:

    ami  =  1 − U/E  =  (I − E[I]) / ((H(key) + H(response))/2 − E[I])

By chance n is hypergeometric, so E follows from the sizes alone. Clusters do not extend
over several groups, so mentions are assigned within each group, and E is a sum over
groups. Without groups, ami equals scikit-learn's index.

If there is nothing to distinguish, as with one common mention, the indices are 1 as in
scikit-learn. Without a common mention they are undefined.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scoref.classes import NamedTuple
from scoref.contingency.partition import commons, partition
from scoref.lazy import np
from scoref.metrics.base import Laws, Metric, f_one, one_number, ratio

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats, Scoring
    from scoref.model import Ints


_COLUMNS = (
    "key_unknown",
    "response_unknown",
    "key_information",
    "response_information",
    "mentions_log_mentions",
    "common_mentions",
)

_COMMON = 5


def _count(table: Contingency) -> Floats:
    table = partition(table)
    key, response = commons(table)
    n = table.overlap
    total = table.sum_key(key)
    return np.column_stack(
        (
            table.sum_cells(information(n, response[table.cell_response])),
            table.sum_cells(information(n, key[table.cell_key])),
            table.sum_key(information(key, total[table.key_document])),
            table.sum_response(information(response, total[table.response_document])),
            _times_log(total),
            total,
        )
    )


def information(part: Ints, whole: Ints | Floats) -> Floats:
    """Compute part · log(whole / part), with all digits if they are nearly equal."""
    beyond = np.asarray(whole - part, dtype=np.float64)
    return np.asarray(part * np.log1p(ratio(beyond, part.astype(np.float64))))


def _times_log(total: Floats) -> Floats:
    logarithm: Floats = total * np.log(np.maximum(total, 1))
    return logarithm


def _entropies(counts: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return both conditional entropies, key and response, and both entropies."""
    key_left, response_left, key, response, logs, total = np.moveaxis(counts, -1, 0)
    between = np.maximum(_times_log(total) - logs, 0)
    return (
        ratio(key_left, total),
        ratio(response_left, total),
        ratio(key + between, total),
        ratio(response + between, total),
    )


def _known(left: Floats, entropy: Floats) -> Floats:
    return np.maximum(0, 1 - ratio(left, entropy))


def _homogeneity(counts: Floats) -> Floats:
    left, _, entropy, _ = _entropies(counts)
    return _known(left, entropy)


def _completeness(counts: Floats) -> Floats:
    _, left, _, entropy = _entropies(counts)
    return _known(left, entropy)


def _v_measure(counts: Floats) -> Floats:
    return f_one(_homogeneity(counts), _completeness(counts))


def _variation(counts: Floats) -> Floats:
    key_left, response_left, _, _ = _entropies(counts)
    return key_left + response_left


def _score_by(index: Callable[[Floats], Floats]) -> Scoring:
    def score(counts: Floats, undefined: float = 0.0) -> Floats:
        is_defined = counts[..., _COMMON] > 0
        return one_number(np.where(is_defined, index(counts), undefined))

    return score


_NEGLIGIBLE = 1e-18

_AT_ONCE = 200_000  # pairs of sizes


def _count_adjusted(table: Contingency) -> Floats:
    table = partition(table)
    key, response = commons(table)
    n = table.overlap
    left = information(n, response[table.cell_response]) + information(
        n, key[table.cell_key]
    )
    return np.column_stack(
        (table.sum_cells(left) / 2, _by_chance(table), table.sum_key(key))
    )


def _by_chance(table: Contingency) -> Floats:
    """Return E for each document."""
    sides = _sizes(table), _sizes(table.swapped)
    total = table.sum_key(commons(table)[0])
    means = [
        _mean(sides[0].of(document), sides[1].of(document), mentions)
        for document, mentions in enumerate(total.tolist())
    ]
    return np.array(means, dtype=np.float64)


class _Sizes(NamedTuple):
    """How often each size occurs in each document."""

    document: Ints
    size: Ints
    times: Floats

    def of(self, document: int) -> tuple[Ints, Floats]:
        first, last = np.searchsorted(self.document, (document, document + 1)).tolist()
        return self.size[first:last], self.times[first:last]


def _sizes(table: Contingency) -> _Sizes:
    size = commons(table)[0]
    times = np.broadcast_to(np.asarray(table.key_times, dtype=np.float64), size.shape)
    width = np.int64(int(size.max(initial=0)) + 1)
    there = np.flatnonzero(size)
    code, place = np.unique(
        table.key_document[there] * width + size[there], return_inverse=True
    )
    counted = np.bincount(place, times[there], len(code)).astype(np.float64)
    return _Sizes(code // width, code % width, counted)


def _mean(
    key: tuple[Ints, Floats], response: tuple[Ints, Floats], total: float
) -> float:
    """Sum the means of all pairs of a size of the key and one of the response."""
    (a, a_times), (b, b_times) = key, response
    if not len(a) or not len(b):
        return 0.0
    rows = max(1, _AT_ONCE // len(b))
    total_mean = 0.0
    for first in range(0, len(a), rows):
        some, times = a[first : first + rows], a_times[first : first + rows]
        one, other = np.repeat(some, len(b)), np.tile(b, len(some))
        means = _hypergeometric(one.astype(np.float64), other.astype(np.float64), total)
        total_mean += float(times @ means.reshape(len(some), -1) @ b_times)
    return total_mean


def _hypergeometric(a: Floats, b: Floats, total: float) -> Floats:
    """Return the mean of n log(√(ab)/n) if n of a mentions are among b by chance.

    Starting from the most likely n, each probability follows from the one before.
    """
    least, most = np.maximum(0, a + b - total), np.minimum(a, b)
    mode = np.clip(np.floor((a + 1) * (b + 1) / (total + 2)), least, most)
    root = (np.log(a) + np.log(b)) / 2
    weight, value = np.ones(len(a)), _value(mode, root)
    for step in (1, -1):
        rows, n, chance = np.arange(len(a)), mode, np.ones(len(a))
        while len(rows):
            x, y = a[rows], b[rows]
            if step > 0:
                chance = (
                    chance * (x - n) * (y - n) / ((n + 1) * (total - x - y + n + 1))
                )
            else:
                chance = chance * n * (total - x - y + n) / ((x - n + 1) * (y - n + 1))
            n = n + step
            kept = np.flatnonzero(chance > _NEGLIGIBLE)
            rows, n, chance = rows[kept], n[kept], chance[kept]
            weight[rows] += chance
            value[rows] += chance * _value(n, root[rows])
    return value / weight


def _value(n: Floats, root: Floats) -> Floats:
    return np.asarray(n * (root - np.log(np.maximum(n, 1))))


def _adjusted_score(counts: Floats, undefined: float = 0.0) -> Floats:
    left, by_chance, common = np.moveaxis(counts, -1, 0)
    return one_number(np.where(common > 0, 1 - ratio(left, by_chance), undefined))


_LAWS = {
    "homogeneity": Laws(mirror="completeness"),
    "completeness": Laws(mirror="homogeneity"),
    "vi": Laws(highest=math.inf),
}

METRICS = (
    *tuple(
        Metric(
            name=name,
            label=label,
            asks=asks,
            reference=reference,
            page="clusterings",
            place=place,
            usual="tables" if name in {"nmi", "v-measure", "vi"} else "never",
            aliases=aliases,
            count=_count,
            score=_score_by(index),
            columns=_COLUMNS,
            denominators=(_COMMON,),
            scale="number",
            is_distance=name == "vi",
            laws=_LAWS.get(name, Laws()),
        )
        for place, (name, label, asks, reference, index, aliases) in enumerate(
            (
                (
                    "homogeneity",
                    "Homogeneity",
                    "whether each response cluster has members of one key cluster",
                    "Rosenberg and Hirschberg (2007)",
                    _homogeneity,
                    (),
                ),
                (
                    "completeness",
                    "Completeness",
                    "whether each key cluster is in one response cluster",
                    "Rosenberg and Hirschberg (2007)",
                    _completeness,
                    (),
                ),
                (
                    "v-measure",
                    "V-measure",
                    "harmonic mean of homogeneity and completeness",
                    "Rosenberg and Hirschberg (2007)",
                    _v_measure,
                    ("v",),
                ),
                (
                    "nmi",
                    "Normalised mutual information",
                    "mutual information, divided by the mean entropy",
                    "Strehl and Ghosh (2002)",
                    _v_measure,
                    (),
                ),
                (
                    "vi",
                    "Variation of information",
                    "sum of both conditional entropies, in nats",
                    "Meilă (2003)",
                    _variation,
                    (),
                ),
            ),
            start=610,
        )
    ),
    Metric(
        name="ami",
        label="Adjusted mutual information",
        asks="mutual information, corrected for chance",
        reference="Vinh, Epps and Bailey (2010)",
        page="clusterings",
        place=609,
        usual="tables",
        count=_count_adjusted,
        score=_adjusted_score,
        columns=("unknown", "unknown_by_chance", "common_mentions"),
        denominators=(2,),
        scale="number",
        laws=Laws(lowest=-1.0),
    ),
)
